"""Which constexpr parameters belong into a kernel's name.

The policy: a stub lists every constexpr parameter, in signature order, except
- strides,
- what some launch passes as a float, a negative, a callable, a layout or another object,
- numbers that some launch derives from the grid or the number of rows (flags computed from it
  say something about the code, and stay),
- what no launch tells, where the name says float or layout,
- launch options that the compiler does not take from the signature.

What launches pass decides; names decide only about strides and what is unknown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiter_lint.link.values import Kind, Value, leaves
from aiter_lint.read.syntax import Const, Unary

if TYPE_CHECKING:
    from aiter_lint.link.project import Argument, Kernel, Parameter, Project


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The keys for a kernel's stub, and for each constexpr parameter that is not among them
    the reason, in a few words."""

    keys: tuple[str, ...]
    left_out: Mapping[str, str]


def suggest(kernel: Kernel, project: Project | None = None) -> Suggestion:
    """Choose the keys. Without a project only Triton's commonest launch options are known."""
    options = project.launch_options if project is not None else _OPTIONS
    reasons = {
        parameter.name: _reason(kernel, parameter, options)
        for parameter in kernel.constexprs
        if not parameter.variadic
    }
    return Suggestion(
        keys=tuple(name for name, reason in reasons.items() if reason is None),
        left_out={name: reason for name, reason in reasons.items() if reason is not None},
    )


def _reason(kernel: Kernel, parameter: Parameter, options: frozenset[str]) -> str | None:
    """Why the parameter is left out; None where it stays."""
    words = _words(parameter.name)
    arguments = list(_arguments(kernel, parameter.name))
    if _STRIDES & set(words) and not _is_flag(words, arguments):
        return "a stride"
    if parameter.name in options:
        for argument in arguments:
            if argument.how in _IGNORED:
                return f"a launch {_IGNORED[argument.how]}: the compiler ignores it"
    certain = bool(arguments)
    for argument in arguments:
        values = leaves(argument.values)
        for value in values:
            reason = _unfit(value)
            if reason is not None:
                return f"a launch passes {reason}{_quoted(value, argument)}"
        certain = certain and bool(values) and all(value.known for value in values)
    if not kernel.launches and _is_float(parameter):
        return f"a float by default: {parameter.default_text}"
    if certain:
        return None
    if _float_by_name(words):
        return "not known, and a float by its name"
    if _LAYOUTS & set(words):
        return "not known, and a layout by its name"
    return None


def _is_flag(words: list[str], arguments: list[Argument]) -> bool:
    """`USE_INT64_STRIDES`: by its name, or because every launch passes a truth value."""
    if words[0] in _FLAGS:
        return True
    values = [value for argument in arguments for value in argument.values]
    return bool(values) and all(value.kind is Kind.BOOL for value in values)


def _arguments(kernel: Kernel, name: str) -> Iterator[Argument]:
    for binding in kernel.launches:
        yield from binding.arguments.get(name, ())


def _unfit(value: Value) -> str | None:
    """What is wrong with a value for a name that people read and compare."""
    if value.kind is Kind.NEGATIVE or (
        value.exact and type(value.constant) in (int, float) and value.constant < 0
    ):
        return "a negative"
    if value.kind is Kind.INT:
        if value.rows:
            return "a number of rows"
        return "a stride" if ".stride(" in value.text else None
    return _UNFIT.get(value.kind)


_IGNORED = {
    "default": "leaves its default in force",
    "position": "passes it by position",
    "star": "passes it by position",
}

_UNFIT = {
    Kind.INTEGRAL: "a float",
    Kind.FLOAT: "a float",
    Kind.JIT: "a function",
    Kind.CALLABLE: "a function",
    Kind.LAYOUT: "a layout",
    Kind.OTHER: "an object",
}


def _quoted(value: Value, argument: Argument) -> str:
    text = value.text or argument.text
    return f": {text}" if text and len(text) <= 60 else ""


def _is_float(parameter: Parameter) -> bool:
    default = parameter.default
    if isinstance(default, Unary):
        default = default.operand
    return isinstance(default, Const) and isinstance(default.value, float)


# --- what a name says ----------------------------------------------------------------------

_OPTIONS = frozenset({"num_warps", "num_stages", "num_ctas", "maxnreg", "waves_per_eu"})
_STRIDES = frozenset({"stride", "strides"})
_LAYOUTS = frozenset({"layout"})
# A float's name ends in what it is. In front of it these words make it something else: a flag,
# a count, a size.
_FLOATS = frozenset(
    "eps epsilon scale scaling alpha beta gamma limit slope temperature theta dropout momentum "
    "softcap threshold prob rate".split()
)
_BOUNDS = frozenset({"max", "min"})
_BOUNDED = re.compile(r"(?:fp|float|dtype|clip|clamp|quant|q|e[45]m[23]).*")
_FLAGS = frozenset("has have is use with no need enable apply do add fuse fused skip even".split())
_NO_FLOATS = _FLAGS | frozenset(
    "load store return per num n block group tile size len dim offset".split()
)


def _words(name: str) -> list[str]:
    """`sm_scale`, `SM_SCALE` and `smScale` are all `sm scale`."""
    if not name.isupper():
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return [word for word in name.lower().split("_") if word]


def _float_by_name(words: list[str]) -> bool:
    if not words or _NO_FLOATS & set(words[:-1]):
        return False
    if words[-1] in _FLOATS:
        return True
    return len(words) > 1 and words[-1] in _BOUNDS and _BOUNDED.fullmatch(words[-2]) is not None
