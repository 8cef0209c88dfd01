"""What a value refers to, where it is more than a number: functions, classes, mappings, kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiter_lint.link import arithmetic as a
from aiter_lint.link.values import Kind, Value
from aiter_lint.read import syntax as s

if TYPE_CHECKING:
    from aiter_lint.link.flow import Binding, Env
    from aiter_lint.link.project import Kernel, Tuning
    from aiter_lint.link.values import Values


@dataclass(frozen=True, slots=True, eq=False)
class External:
    """Something outside the project, by its canonical dotted name: `triton.cdiv`."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class ModuleRef:
    """A module or package of the project."""

    path: str


@dataclass(frozen=True, slots=True, eq=False)
class FunctionRef:
    """A function of the project; `receiver` is what its first parameter is bound to."""

    path: str
    index: int
    outer: Env
    receiver: Values | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LambdaRef:
    """A lambda in its environment."""

    expr: s.Lambda
    env: Env


@dataclass(frozen=True, slots=True, eq=False)
class ClassRef:
    """A class of the project."""

    path: str
    index: int
    outer: Env


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """An object of a class of the project; `call` made it, where that is known."""

    cls: ClassRef
    call: s.Call | None = None
    env: Env | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Mapping:
    """A dict. `entries` are bindings by constant key; where not `complete` there may be others,
    and known ones may have been replaced (`loose` holds those)."""

    entries: dict[object, list[Binding]]
    complete: bool = True
    loose: frozenset = frozenset()
    fallback: Values = ()  # what any key may have (a mapping from keys that are not known)


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """A list, set or generator of known elements; where not `complete` there may be more."""

    items: tuple[Values, ...]
    complete: bool = True
    uniform: bool = False  # not complete, but every element is one of `items`
    exprs: tuple[s.Expr | None, ...] = ()  # what the items were written as, where that is known
    env: Env | None = None  # the environment of `exprs`


@dataclass(frozen=True, slots=True, eq=False)
class JitRef:
    """A kernel as an object that can be launched, with what wrappers around it supply."""

    kernel: Kernel
    tuning: tuple[Tuning, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class GridBound:
    """`kernel[grid]`, not called yet."""

    kernels: Values
    grid: s.Expr
    env: Env


@dataclass(frozen=True, slots=True, eq=False)
class Partial:
    """`functools.partial(function, ...)`."""

    function: Values
    args: tuple[s.Arg, ...]
    env: Env


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """An attribute of an object that is no object of the project: `config.get`."""

    owner: Values
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Wrapper:
    """A decorator that was called, ready to take a function: `triton.jit(...)`, `autotune(...)`,
    `heuristics(...)`, or an unknown one."""

    name: str  # canonical dotted name
    call: s.Call
    env: Env


@dataclass(frozen=True, slots=True, eq=False)
class ConfigRef:
    """A `triton.Config(...)`."""

    call: s.Call
    env: Env


@dataclass(frozen=True, slots=True, eq=False)
class BuilderRef:
    """The call of a repr builder."""

    call: s.Call
    env: Env
    function: str


@dataclass(frozen=True, slots=True, eq=False)
class JsonFile:
    """The values that a configured loader returns, or a JSON file that the code loads. `one` says
    that they are those of one bucket, and not all that some bucket has."""

    mapping: Mapping
    loader: bool = True
    one: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """An enum's member."""

    cls: ClassRef
    name: str
    value: Values


@dataclass(frozen=True, slots=True, eq=False)
class Namespace:
    """`types.SimpleNamespace(name=value, ...)`."""

    args: tuple[tuple[s.Arg, Env], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Limits:
    """`torch.finfo(dtype)` or `torch.iinfo(dtype)`."""

    integer: bool
    dtype: str | None  # canonical name, where it is known


@dataclass(frozen=True, slots=True, eq=False)
class CallSite:
    """A call somewhere in the project, in its environment."""

    path: str
    call: s.Call
    env: Env
    function: int  # index of the enclosing function, -1 at module level


@dataclass(frozen=True, slots=True, eq=False)
class Caller:
    """A call site that reaches a certain function: all arguments, a partial's included, and how
    many leading parameters are bound before them (`self`)."""

    site: CallSite
    args: tuple[tuple[s.Arg, Env], ...]
    shift: int


def key_of(value: Value) -> object | None:
    """A value as the key of a mapping: a string, an int, a bool, or a tuple of such; None where
    it is none of these, or not known exactly."""
    if value.exact:
        return value.constant if type(value.constant) in (str, int, bool) else None
    if value.kind is not Kind.TUPLE or not value.items:
        return None
    if isinstance(value.data, Sequence) and not value.data.complete:
        return None
    parts = [key_of(item[0]) if len(item) == 1 else None for item in value.items]
    return None if None in parts else tuple(parts)


def key_value(key: object) -> Value:
    """The value that a mapping's key is."""
    if isinstance(key, tuple):
        items = tuple((key_value(part),) for part in key)
        return Value(Kind.TUPLE, text=repr(key), items=items)
    return a.exact(key)
