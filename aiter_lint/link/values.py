"""Abstract values: what an expression can be, each possibility with its evidence."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from aiter_lint.span import Place


class Kind(str, enum.Enum):
    """The classes that rules and the inventory speak of; the value is the word that users see."""

    INT = "int"  # zero or more
    NEGATIVE = "negative int"  # also -x of an unknown x, and negative fractions
    INTEGRAL = "integral float"
    FLOAT = "float"  # not integral, or not known to be
    BOOL = "bool"
    STR = "str"
    NONE = "None"
    DTYPE = "dtype"
    JIT = "jit function"
    CALLABLE = "callable"  # lambda, def, partial, constexpr_function
    LAYOUT = "layout"
    TUPLE = "tuple"
    OTHER = "object"  # known to be something else: a module, a tensor, an instance, a dict
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Step:
    """One station of a value on its way to a launch: a place, and what happens there
    (`"scale" is 0.125 here`, `passed as "scale"`)."""

    place: Place
    note: str


class Value(msgspec.Struct, frozen=True, eq=False):
    """One thing that an expression can be.

    `exact` says that `constant` is its very value (int, float, bool, str, None); otherwise only
    the kind is known. `text` is how a message would call it (`0.125`, `fp8_max / clip`, `silu`).
    `items` are the members of each element of a tuple. `size` marks a number that comes from
    a tensor's shape, stride or number of elements. `rows` marks a number that the grid or the
    number of rows (a tensor's leading dimension, its number of elements) determines; a flag
    computed from one is not marked. `fraction` marks a negative that is known not to be an
    integer. `reason` says why it is unknown. `trail` leads from the origin to the launch, origin
    first. `data` belongs to the link stage."""

    kind: Kind
    exact: bool = False
    constant: Any = None
    text: str = ""
    items: tuple[tuple[Value, ...], ...] = ()
    size: bool = False
    rows: bool = False
    fraction: bool = False
    reason: str | None = None
    trail: tuple[Step, ...] = ()
    data: Any = None

    @property
    def known(self) -> bool:
        """Whether its kind is known."""
        return self.kind is not Kind.UNKNOWN


Values = tuple[Value, ...]
"""The set of things an expression can be. Empty: the place is never reached."""


def leaves(values: Values) -> list[Value]:
    """The values themselves, tuples replaced by the values of their elements (at any depth): a
    name is built from the elements one by one."""
    found: list[Value] = []
    pending = list(values)
    while pending:
        value = pending.pop(0)
        if value.kind is Kind.TUPLE and value.items:
            inner = [member for item in value.items for member in item]
            pending[:0] = [m if m.trail else replace(m, trail=value.trail) for m in inner]
        else:
            found.append(value)
    return found
