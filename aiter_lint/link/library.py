"""What is known of functions and constants outside the project: Python's, torch's, Triton's.

Only facts that decide a value's kind are here; everything else stays unknown."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from aiter_lint.link import arithmetic as a
from aiter_lint.link import objects as o
from aiter_lint.link.calls import keyword
from aiter_lint.link.flow import Env, Fixed, Merged
from aiter_lint.link.values import Kind, Value, Values
from aiter_lint.read import syntax as s

if TYPE_CHECKING:
    from aiter_lint.link.evaluate import Args, Evaluator

JIT_NAMES = {
    "triton.jit": "triton",
    "triton.experimental.gluon.jit": "gluon",
}
"""The decorators that make a kernel, by canonical name, and their dialects."""

_CANONICAL = {
    "triton.runtime.jit.jit": "triton.jit",
    "triton.runtime.jit": "triton.jit",
    "triton.jit.jit": "triton.jit",
    "triton.jit.constexpr_function": "triton.constexpr_function",
    "triton.runtime.autotuner.autotune": "triton.autotune",
    "triton.runtime.autotune": "triton.autotune",
    "triton.runtime.autotuner.heuristics": "triton.heuristics",
    "triton.runtime.heuristics": "triton.heuristics",
    "triton.runtime.autotuner.Config": "triton.Config",
    "triton.runtime.Config": "triton.Config",
    "triton.experimental.gluon._runtime.jit": "triton.experimental.gluon.jit",
    "triton.experimental.gluon._runtime.constexpr_function": "triton.constexpr_function",
    "triton.experimental.gluon.constexpr_function": "triton.constexpr_function",
    "triton.runtime.jit.constexpr_function": "triton.constexpr_function",
    "triton.language.constexpr_function": "triton.constexpr_function",
    "triton.compiler.compiler.ASTSource": "triton.compiler.ASTSource",
    "torch._library.triton.wrap_triton": "torch.library.wrap_triton",
    "torch._library.capture_triton": "torch.library.wrap_triton",
    "torch._library.wrap_triton": "torch.library.wrap_triton",
    "torch.library.capture_triton": "torch.library.wrap_triton",
    "torch._library.triton.capture_triton": "torch.library.wrap_triton",
}
_CANONICAL_PREFIXES = (
    ("triton.language.core.", "triton.language."),
    ("triton.language.math.", "triton.language."),
    ("triton.experimental.gluon.language.", "triton.gluon."),
)


def canonical(name: str) -> str:
    """The one name of a thing that has several."""
    known = _CANONICAL.get(name)
    if known is not None:
        return known
    if name.startswith("python.triton."):
        return canonical(name[7:])
    for prefix, instead in _CANONICAL_PREFIXES[:1]:
        if name.startswith(prefix):
            return instead + name[len(prefix) :]
    return name


TRANSPARENT = frozenset(
    {
        "torch.library.wrap_triton",
        "torch.compile",
        "torch.compiler.disable",
        "torch._dynamo.disable",
        "torch.compiler.allow_in_graph",
        "torch._dynamo.allow_in_graph",
        "functools.cache",
        "copy.copy",
        "copy.deepcopy",
        "types.MappingProxyType",
        "builtins.staticmethod",
        "builtins.classmethod",
        "builtins.property",
        "typing.cast",
    }
)
"""Functions that give back (something that behaves like) their first argument."""

HARMLESS = frozenset(
    {"builtins", "json", "copy", "logging", "print", "math", "torch", "triton", "os", "itertools",
     "functools", "pprint", "warnings", "dataclasses", "hashlib", "yaml", "tabulate"}
)  # fmt: skip
"""Packages whose functions leave a dict that they get as it was."""

_DTYPE_NAMES = (
    "float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu float16 bfloat16 "
    "float32 float64 half float double int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool "
    "complex64 complex128 float4_e2m1fn_x2 short int long"
).split()
_TL_NAMES = (
    "float8e4nv float8e4b8 float8e4b15 float8e5 float8e5b16 float16 bfloat16 float32 float64 "
    "int1 int8 int16 int32 int64 uint8 uint16 uint32 uint64 void"
).split()
DTYPES = frozenset(
    [f"torch.{n}" for n in _DTYPE_NAMES]
    + [f"triton.language.{n}" for n in _TL_NAMES]
    + [f"triton.experimental.gluon.language.{n}" for n in _TL_NAMES]
    + [f"numpy.{n}" for n in ("float16", "float32", "float64", "int8", "int32", "int64", "uint8")]
)
"""Canonical names of dtypes."""

CONSTANTS: dict[str, object] = {
    "math.inf": math.inf,
    "math.nan": math.nan,
    "math.pi": math.pi,
    "math.e": math.e,
    "math.tau": math.tau,
    "torch.inf": math.inf,
    "torch.nan": math.nan,
    "torch.pi": math.pi,
    "numpy.inf": math.inf,
    "numpy.pi": math.pi,
    "numpy.nan": math.nan,
    "builtins.True": True,
    "builtins.False": False,
    "builtins.None": None,
    "typing.TYPE_CHECKING": False,
}
"""Constants by canonical name."""


def _floating(largest: float, eps: float, tiny: float, bits: int) -> dict[str, float | int]:
    return {"max": largest, "min": -largest, "eps": eps, "tiny": tiny, "bits": bits,
            "smallest_normal": tiny}  # fmt: skip


def _integral(bits: int, signed: bool) -> dict[str, float | int]:
    top = 2 ** (bits - signed) - 1
    return {"max": top, "min": -top - 1 if signed else 0, "bits": bits}


LIMITS: dict[str, dict[str, float | int]] = {
    "torch.float8_e4m3fn": _floating(448.0, 2.0**-3, 2.0**-6, 8),
    "torch.float8_e4m3fnuz": _floating(240.0, 2.0**-3, 2.0**-7, 8),
    "torch.float8_e5m2": _floating(57344.0, 2.0**-2, 2.0**-14, 8),
    "torch.float8_e5m2fnuz": _floating(57344.0, 2.0**-2, 2.0**-15, 8),
    "torch.float16": _floating(65504.0, 2.0**-10, 2.0**-14, 16),
    "torch.bfloat16": _floating((2 - 2.0**-7) * 2.0**127, 2.0**-7, 2.0**-126, 16),
    "torch.float32": _floating((2 - 2.0**-23) * 2.0**127, 2.0**-23, 2.0**-126, 32),
    **{f"torch.int{n}": _integral(n, True) for n in (8, 16, 32)},
    **{f"torch.uint{n}": _integral(n, False) for n in (8, 16, 32)},
}
"""`torch.finfo` and `torch.iinfo` of the dtypes that are known (IEEE 754; OCP 8-bit formats)."""

Handler = Callable[["Evaluator", "Args", str], Values]


def _first(ev: Evaluator, args: Args) -> Values:
    return ev.first(args) if args else ()


def _second(ev: Evaluator, args: Args) -> Values | None:
    if len(args) > 1 and args[1][0].name is None:
        return ev.expr(args[1][0].value, args[1][1])
    return None


def _plain(args: Args) -> bool:
    return all(arg.name is None for arg, _ in args)


def _always(kind: Kind) -> Handler:
    return lambda ev, args, text: (a.some(kind, text),)


def _marks(*sets: Values) -> dict:
    members = [v for values in sets for v in values]
    return {"size": any(v.size for v in members), "rows": any(v.rows for v in members)}


def _number(function: Callable[..., object], otherwise: Kind | None) -> Handler:
    """A function of numbers: computed where all arguments are exact, else `otherwise` (None:
    unknown)."""

    def handle(ev: Evaluator, args: Args, text: str) -> Values:
        if not args or not _plain(args) or len(args) > 3:
            return a.unknown("a starred or named argument", text)
        sets = [ev.expr(arg.value, env) for arg, env in args]
        marks = _marks(*sets)
        found: list[Value] = []
        rows: list[list[Value]] = [[]]
        for values in sets:
            rows = [[*row, value] for row in rows for value in values][:128]
        for row in rows:
            if all(v.exact and isinstance(v.constant, (int, float)) for v in row):
                try:
                    result = function(*[v.constant for v in row])
                    shown = text if len(text) < 24 else text[:21] + "..."
                    value = a.exact(result, f"{shown} = {result!r}", **marks)
                    if row[0].trail:
                        value = replace(value, trail=row[0].trail)
                    found.append(value)
                    continue
                except (ArithmeticError, ValueError, TypeError):
                    pass
            if otherwise is None:
                found.append(
                    Value(Kind.UNKNOWN, text=text, reason="arithmetic on unknown values", **marks)
                )
            else:
                found.append(a.some(otherwise, text, **marks))
        return a.union(*[(v,) for v in found]) if found else ()

    return handle


def _whole(function: Callable[..., object]) -> Handler:
    """A function whose result is a whole number: zero or more where its arguments are."""
    compute = _number(function, None)

    def handle(ev: Evaluator, args: Args, text: str) -> Values:
        values = compute(ev, args, text)
        if all(v.exact for v in values):
            return values
        sets = [ev.expr(arg.value, env) for arg, env in args]
        if all(v.kind in (Kind.INT, Kind.BOOL) for s in sets for v in s):
            return tuple(v if v.exact else a.some(Kind.INT, text, **_marks(*sets)) for v in values)
        return values

    return handle


def _cdiv(ev: Evaluator, args: Args, text: str) -> Values:
    values = _number(lambda x, y: -(-x // y), None)(ev, args, text)
    return tuple(v if v.exact else a.some(Kind.INT, text, size=v.size, rows=v.rows) for v in values)


def _power_of_2(ev: Evaluator, args: Args, text: str) -> Values:
    def ceiling(n: int) -> int:
        return 1 << max(n - 1, 0).bit_length()

    values = _number(ceiling, None)(ev, args, text)
    # no size any more, nor a number of rows: a hundred thousand of them make seventeen powers,
    # and those are the shape of a block
    return tuple(v if v.exact else a.some(Kind.INT, text) for v in values)


def _extreme(least: bool) -> Handler:
    function = min if least else max

    def handle(ev: Evaluator, args: Args, text: str) -> Values:
        if len(args) == 1:
            elements = ev.elements(_first(ev, args))
            sets = elements if elements else [a.unknown("unknown elements")]
        elif _plain(args):
            sets = [ev.expr(arg.value, env) for arg, env in args]
        else:
            return a.unknown("a starred or named argument", text)
        rows: list[list[Value]] = [[]]
        for values in sets:
            rows = [[*row, value] for row in rows for value in values][:128]
        found: list[Values] = []
        for row in rows:
            marks = _marks(tuple(row))
            if row and all(v.exact and isinstance(v.constant, (int, float)) for v in row):
                result = function([v.constant for v in row])
                found.append((a.exact(result, f"{text} = {result!r}", **marks),))
            elif all(v.kind in (Kind.INT, Kind.BOOL) for v in row):
                if least and any(v.exact for v in row):
                    marks["size"] = False  # there is a largest one
                found.append((a.some(Kind.INT, text, **marks),))
            else:
                found.append(
                    (
                        Value(
                            Kind.UNKNOWN, text=text, reason="arithmetic on unknown values", **marks
                        ),
                    )
                )
        return a.union(*found) if found else ()

    return handle


_CLASSES: dict[Kind, frozenset[str]] = {
    Kind.INT: frozenset({"int"}),
    Kind.INTEGRAL: frozenset({"float"}),
    Kind.FLOAT: frozenset({"float"}),
    Kind.BOOL: frozenset({"bool", "int"}),
    Kind.STR: frozenset({"str"}),
    Kind.NONE: frozenset(),
    Kind.DTYPE: frozenset(),
    Kind.JIT: frozenset(),
    Kind.CALLABLE: frozenset(),
    Kind.LAYOUT: frozenset(),
}
"""Of `int`, `float`, `bool` and `str`, which a value of a kind is an instance of."""


def _isinstance(ev: Evaluator, args: Args, text: str) -> Values:
    classes = _second(ev, args)
    names = None if classes is None else _class_names(ev, classes)
    found = []
    for value in _first(ev, args):
        kinds = _CLASSES.get(value.kind)
        if value.kind is Kind.NEGATIVE and value.exact:
            kinds = frozenset({type(value.constant).__name__})
        known = names is not None and kinds is not None
        found.append(a.exact(bool(kinds & names), text) if known else a.some(Kind.BOOL, text))
    return a.union(*[(value,) for value in found]) or (a.some(Kind.BOOL, text),)


def _class_names(ev: Evaluator, classes: Values) -> frozenset[str] | None:
    """The builtin classes that a second argument of `isinstance` names; None where there are
    others."""
    members = ev.elements(classes)
    found = set()
    for values in [classes] if members is None else members:
        name = getattr(values[0].data, "name", "") if len(values) == 1 else ""
        if name not in ("builtins.int", "builtins.float", "builtins.bool", "builtins.str"):
            return None
        found.add(name.removeprefix("builtins."))
    return frozenset(found)


def _int(ev: Evaluator, args: Args, text: str) -> Values:
    def one(value: Value) -> Value:
        constant = value.constant
        if value.exact and isinstance(constant, (bool, int, float, str)):
            try:
                number = int(constant)
            except (ValueError, OverflowError):
                return Value(Kind.UNKNOWN, text=text, reason="not a number")
            if abs(number) < 2**63:
                return a.exact(number, f"{text} = {number}")
        if value.kind in (Kind.INT, Kind.BOOL):
            return a.some(Kind.INT, text, size=value.size, rows=value.rows)
        reason = "a whole number of unknown sign"
        return Value(Kind.UNKNOWN, text=text, reason=reason, size=value.size, rows=value.rows)

    return a.union(*[(one(v),) for v in _first(ev, args)]) if args else (a.exact(0),)


def _float(ev: Evaluator, args: Args, text: str) -> Values:
    def one(value: Value) -> Value:
        constant = value.constant
        if value.exact and isinstance(constant, (bool, int, float, str)):
            try:
                return a.exact(float(constant), f"{text} = {float(constant)!r}")
            except (ValueError, OverflowError):
                pass
        if value.kind is Kind.NEGATIVE:
            return a.some(Kind.NEGATIVE, text)
        return a.some(Kind.FLOAT, text)

    return a.union(*[(one(v),) for v in _first(ev, args)]) if args else (a.exact(0.0),)


def _bool(ev: Evaluator, args: Args, text: str) -> Values:
    verdicts = {a.truth(v) for v in _first(ev, args)} if args else {False}
    if None in verdicts:
        return (a.some(Kind.BOOL, text),)
    return tuple(a.exact(v, f"{text} = {v}") for v in verdicts)


def _str(ev: Evaluator, args: Args, text: str) -> Values:
    values = _first(ev, args)
    if len(values) == 1 and values[0].exact and isinstance(values[0].constant, (str, int)):
        return (a.exact(str(values[0].constant)),)
    return (a.some(Kind.STR, text),)


def _len(ev: Evaluator, args: Args, text: str) -> Values:
    values = _first(ev, args)
    elements = ev.elements(values)
    if elements is not None:
        return (a.exact(len(elements), f"{text} = {len(elements)}"),)
    return (a.some(Kind.INT, text, size=True),)


def _range(ev: Evaluator, args: Args, text: str) -> Values:
    bounds = [ev.expr(arg.value, env) for arg, env in args if arg.name is None]
    if all(len(b) == 1 and b[0].exact and type(b[0].constant) is int for b in bounds) and bounds:
        try:
            numbers = range(*[b[0].constant for b in bounds])
        except (ValueError, TypeError):
            return ()
        if len(numbers) <= 32:
            items = tuple((a.exact(n),) for n in numbers)
            return (Value(Kind.OTHER, text=text, data=o.Sequence(items)),)
    first_is_negative = len(bounds) > 1 and any(v.kind is not Kind.INT for v in bounds[0])
    down = len(bounds) > 2 and any(v.kind is not Kind.INT for v in bounds[2])
    if first_is_negative or down:
        item: Values = a.unknown("a loop over a range")
    else:
        item = (a.some(Kind.INT, text),)
    return (Value(Kind.OTHER, text=text, data=o.Sequence((item,), False, True)),)


def _pairs(ev: Evaluator, args: Args, text: str, numbered: bool) -> Values:
    sequences = [ev.elements(ev.expr(arg.value, env)) for arg, env in args if arg.name is None]
    if any(s is None for s in sequences) or not sequences:
        if numbered and args:
            inner = ev.expr(args[0][0].value, args[0][1])
            items = [
                v.data.items for v in inner if isinstance(v.data, o.Sequence) and v.data.uniform
            ]
            element = a.union(*[i for s in items for i in s]) if items else a.unknown("an element")
            pair = Value(
                Kind.TUPLE, text="a pair", items=((a.some(Kind.INT, "a position"),), element)
            )
            return (Value(Kind.OTHER, text=text, data=o.Sequence(((pair,),), False, True)),)
        return a.unknown("an unknown sequence", text)
    rows = [tuple(row) for row in zip(*[s for s in sequences if s is not None])]
    if numbered:
        rows = [((a.exact(i),), *row) for i, row in enumerate(rows)]
    items = tuple((Value(Kind.TUPLE, text="a pair", items=row),) for row in rows)
    return (Value(Kind.OTHER, text=text, data=o.Sequence(items)),)


def _product(ev: Evaluator, args: Args, text: str) -> Values:
    sequences = [ev.elements(ev.expr(arg.value, env)) for arg, env in args if arg.name is None]
    rows: list[tuple[Values, ...]] = [()]
    for sequence in sequences:
        if sequence is None:
            return a.unknown("an unknown sequence", text)
        rows = [(*row, item) for row in rows for item in sequence]
        if len(rows) > 1024:
            return a.unknown("too many possibilities", text)
    items = tuple((Value(Kind.TUPLE, text="a combination", items=row),) for row in rows)
    return (Value(Kind.OTHER, text=text, data=o.Sequence(items)),)


def _sequence(kind: Kind) -> Handler:
    def handle(ev: Evaluator, args: Args, text: str) -> Values:
        if not args:
            return (Value(kind, text=text, data=o.Sequence(())),)
        found = []
        for value in _first(ev, args):
            if isinstance(value.data, o.Sequence):
                data = value.data
                items = data.items if kind is Kind.TUPLE and data.complete else ()
                found.append(Value(kind, text=text, items=items, data=data))
            elif value.kind is Kind.TUPLE:
                found.append(
                    Value(kind, text=text, items=value.items, data=o.Sequence(value.items))
                )
            elif isinstance(value.data, o.Method) and value.data.name in (
                "shape",
                "stride",
                "size",
            ):
                found.append(value)
            else:
                found.append(Value(Kind.OTHER, text=text, data=o.Sequence((), False)))
        return tuple(found)

    return handle


def _dict(ev: Evaluator, args: Args, text: str) -> Values:
    start: Values = (Value(Kind.OTHER, text=text, data=o.Mapping({})),)
    if not args:
        return start
    current = start
    for arg, env in args:
        if arg.name is None:
            pairs = ev.elements(ev.expr(arg.value, env))
            if pairs is not None:
                for pair in pairs:
                    keys = a.union(*[ev.element(v, 0, 2) for v in pair])
                    values = a.union(*[ev.element(v, 1, 2) for v in pair])
                    current = ev._set_entry(current, keys, Fixed(values))
                continue
        assert isinstance(env, Env)
        current = ev.binding(Merged(Fixed(current), (arg,), env))
    return current


def _limits(integer: bool) -> Handler:
    def handle(ev: Evaluator, args: Args, text: str) -> Values:
        found = []
        for value in _first(ev, args) or a.unknown("no dtype"):
            name = value.data.name if isinstance(value.data, o.External) else None
            found.append(Value(Kind.OTHER, text=text, data=o.Limits(integer, name)))
        return tuple(found)

    return handle


def _getattr(ev: Evaluator, args: Args, text: str) -> Values:
    if len(args) >= 2 and _plain(args):
        names = ev.expr(args[1][0].value, args[1][1])
        if len(names) == 1 and isinstance(names[0].constant, str):
            arg, env = args[0]
            found = ev.expr(s.Attr(arg.value, names[0].constant, arg.span), env)
            if len(args) == 3:
                return a.union(found, ev.expr(args[2][0].value, args[2][1]))
            return found
    return a.unknown("an attribute of unknown name", text)


def _constexpr(ev: Evaluator, args: Args, text: str) -> Values:
    return ev.first(args) if args else a.unknown("no value", text)


def _reduce_path(function: Callable[..., str]) -> Handler:
    def handle(ev: Evaluator, args: Args, text: str) -> Values:
        sets = [ev.expr(arg.value, env) for arg, env in args if arg.name is None]
        if sets and all(len(v) == 1 and isinstance(v[0].constant, str) for v in sets):
            result = function(*[v[0].constant for v in sets])
            return (a.exact(result, f"Path:{result}" if text.startswith("Path") else None),)
        return a.unknown("a path", text)

    return handle


def _dirname(path: str) -> str:
    return path.rsplit("/", 1)[0] if "/" in path else ""


def _join(*parts: str) -> str:
    kept = [p for p in parts if p]
    return "/".join(p.rstrip("/") for p in kept)


def _path(ev: Evaluator, args: Args, text: str) -> Values:
    sets = [ev.expr(arg.value, env) for arg, env in args if arg.name is None]
    if sets and all(len(v) == 1 and isinstance(v[0].constant, str) for v in sets):
        joined = _join(*[v[0].constant for v in sets])
        return (a.exact(joined, f"Path:{joined}"),)
    return a.unknown("a path", text)


def _open(ev: Evaluator, args: Args, text: str) -> Values:
    found = []
    for value in _first(ev, args):
        if isinstance(value.constant, str):
            found.append(Value(Kind.OTHER, text=f"File:{value.constant}"))
        else:
            found.append(Value(Kind.UNKNOWN, text=text, reason="an unknown file"))
    return tuple(found)


def _json_load(ev: Evaluator, args: Args, text: str) -> Values:
    found: list[Values] = []
    for value in _first(ev, args):
        path = _normal(value.text[5:]) if value.text.startswith("File:") else None
        content = ev.json_content(path) if path is not None else None
        found.append(content or a.unknown("a JSON file that is not known", text))
    return a.union(*found) if found else a.unknown("a JSON file that is not known", text)


def _normal(path: str) -> str | None:
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _namespace(ev: Evaluator, args: Args, text: str) -> Values:
    return (Value(Kind.OTHER, text=text, data=o.Namespace(tuple(args))),)


FUNCTIONS: dict[str, Handler] = {
    "types.SimpleNamespace": _namespace,
    "argparse.Namespace": _namespace,
    "builtins.int": _int,
    "builtins.float": _float,
    "builtins.bool": _bool,
    "builtins.str": _str,
    "builtins.len": _len,
    "builtins.abs": _number(abs, None),
    "builtins.min": _extreme(True),
    "builtins.max": _extreme(False),
    "builtins.round": _number(round, None),
    "builtins.pow": _number(lambda x, y: x**y if abs(y) < 256 else math.nan, None),
    "builtins.sum": lambda ev, args, text: a.unknown("a sum", text),
    "builtins.range": _range,
    "builtins.enumerate": lambda ev, args, text: _pairs(ev, args, text, True),
    "builtins.zip": lambda ev, args, text: _pairs(ev, args, text, False),
    "builtins.list": _sequence(Kind.OTHER),
    "builtins.tuple": _sequence(Kind.TUPLE),
    "builtins.sorted": _sequence(Kind.OTHER),
    "builtins.reversed": _sequence(Kind.OTHER),
    "builtins.set": _sequence(Kind.OTHER),
    "builtins.frozenset": _sequence(Kind.OTHER),
    "builtins.dict": _dict,
    "builtins.isinstance": _isinstance,
    "builtins.issubclass": _always(Kind.BOOL),
    "builtins.hasattr": _always(Kind.BOOL),
    "builtins.callable": _always(Kind.BOOL),
    "builtins.any": _always(Kind.BOOL),
    "builtins.all": _always(Kind.BOOL),
    "builtins.getattr": _getattr,
    "builtins.repr": _always(Kind.STR),
    "builtins.open": _open,
    "itertools.product": _product,
    "math.ceil": _whole(math.ceil),
    "math.floor": _whole(math.floor),
    "math.trunc": _whole(math.trunc),
    "math.gcd": _whole(math.gcd),
    "math.sqrt": _number(math.sqrt, Kind.FLOAT),
    "math.isqrt": _whole(math.isqrt),
    "math.exp": _number(math.exp, Kind.FLOAT),
    "math.log": _number(math.log, Kind.FLOAT),
    "math.log2": _number(math.log2, Kind.FLOAT),
    "math.log10": _number(math.log10, Kind.FLOAT),
    "math.pow": _number(math.pow, Kind.FLOAT),
    "math.prod": lambda ev, args, text: a.unknown("a product", text),
    "triton.cdiv": _cdiv,
    "triton.language.cdiv": _cdiv,
    "triton.next_power_of_2": _power_of_2,
    "triton.language.next_power_of_2": _power_of_2,
    "triton.language.constexpr": _constexpr,
    "triton.experimental.gluon.language.constexpr": _constexpr,
    "torch.finfo": _limits(False),
    "torch.iinfo": _limits(True),
    "torch.cuda.device_count": _always(Kind.INT),
    "torch.cuda.is_available": _always(Kind.BOOL),
    "torch.is_tensor": _always(Kind.BOOL),
    "os.path.dirname": _reduce_path(_dirname),
    "os.path.abspath": _reduce_path(lambda p: p),
    "os.path.realpath": _reduce_path(lambda p: p),
    "os.path.join": _reduce_path(_join),
    "os.path.exists": _always(Kind.BOOL),
    "pathlib.Path": _path,
    "json.load": _json_load,
    "json.loads": _json_load,
}
"""What calls of known functions give, by canonical name."""


# --- methods of objects that the project does not define ------------------------------------

MethodHandler = Callable[["Evaluator", o.Method, "Args", str], Values]


def _get(ev: Evaluator, method: o.Method, args: Args, text: str) -> Values:
    if not args or args[0][0].name is not None:
        return a.unknown("an unknown key", text)
    keys = ev.expr(args[0][0].value, args[0][1])
    default = _second(ev, args)
    if default is None:
        named = keyword([arg for arg, _ in args], "default")
        default = ev.expr(named.value, args[-1][1]) if named is not None else (a.exact(None),)
    found: list[Values] = []
    for owner in method.owner:
        data = owner.data.mapping if isinstance(owner.data, o.JsonFile) else owner.data
        if owner.data is not data and not any(k.constant in data.entries for k in keys if k.exact):
            found += [(owner,), default]  # a step further in
            continue
        if not isinstance(data, o.Mapping):
            if owner.kind is Kind.NONE:
                continue
            found += [a.unknown("an entry of an unknown mapping", text), default]
            continue
        for key in keys:
            if key.exact and isinstance(key.constant, (str, int, bool, float)):
                if key.constant in data.entries:
                    found.append(ev.entry(data, key.constant))
                    continue
            else:
                found += [ev.entry(data, k) for k in data.entries]
            if not data.complete:
                found.append(a.unknown("an entry of an unknown mapping", text))
            if data.fallback:
                found.append(data.fallback)
            found.append(default)
    return a.union(*found) if found else ()


def _pop(ev: Evaluator, method: o.Method, args: Args, text: str) -> Values:
    mapping = any(isinstance(v.data, (o.Mapping, o.JsonFile)) for v in method.owner)
    if not mapping:
        return a.unknown("an element that is taken out", text)
    if _second(ev, args) is None:
        return a.union(*[
            ev._from_mapping(v.data.mapping if isinstance(v.data, o.JsonFile) else v.data,
                             ev.first(args))
            for v in method.owner if isinstance(v.data, (o.Mapping, o.JsonFile))
        ])  # fmt: skip
    return _get(ev, method, args, text)


def _copy(ev: Evaluator, method: o.Method, args: Args, text: str) -> Values:
    return method.owner


def _items(which: str) -> MethodHandler:
    def handle(ev: Evaluator, method: o.Method, args: Args, text: str) -> Values:
        found = []
        for owner in method.owner:
            data = owner.data
            if not isinstance(data, o.Mapping) or not data.complete:
                found.append(Value(Kind.UNKNOWN, text=text, reason="an unknown mapping"))
                continue
            rows: list[Values] = []
            for key in data.entries:
                name, values = (a.exact(key),), ev.entry(data, key)
                pair = (Value(Kind.TUPLE, text="an entry", items=(name, values)),)
                rows.append({"keys": name, "values": values, "items": pair}[which])
            found.append(Value(Kind.OTHER, text=text, data=o.Sequence(tuple(rows))))
        return tuple(found)

    return handle


def _extent(ev: Evaluator, method: o.Method, args: Args, text: str) -> Values:
    if not args:
        return (Value(Kind.OTHER, text=text, data=o.Method(method.owner, method.name)),)
    index = ev.first(args)
    rows = method.name == "size" and any(v.exact and v.constant == 0 for v in index)
    return (a.some(Kind.INT, text, size=True, rows=rows),)


def _numel(ev: Evaluator, method: o.Method, args: Args, text: str) -> Values:
    return (a.some(Kind.INT, text, size=True, rows=True),)


def _bit_length(ev: Evaluator, method: o.Method, args: Args, text: str) -> Values:
    found = []
    for owner in method.owner:
        if owner.exact and type(owner.constant) is int:
            found.append((a.exact(owner.constant.bit_length()),))
        else:
            found.append((a.some(Kind.INT, text),))
    return a.union(*found) if found else ()


def _string(ev: Evaluator, method: o.Method, args: Args, text: str) -> Values:
    owners = method.owner
    if len(owners) == 1 and isinstance(owners[0].constant, str) and not args:
        if method.name in ("lower", "upper", "strip"):
            return (a.exact(getattr(owners[0].constant, method.name)()),)
    return (a.some(Kind.STR, text),)


def _truth_of(ev: Evaluator, method: o.Method, args: Args, text: str) -> Values:
    return (a.some(Kind.BOOL, text),)


def _read(ev: Evaluator, method: o.Method, args: Args, text: str) -> Values:
    owners = method.owner
    if len(owners) == 1:
        if owners[0].text.startswith("Path:"):
            return (Value(Kind.OTHER, text=f"File:{owners[0].constant}"),)
        if owners[0].text.startswith("File:"):
            return owners
    return a.unknown("a file's text", text)


METHODS: dict[str, MethodHandler] = {
    "get": _get,
    "pop": _pop,
    "copy": _copy,
    "keys": _items("keys"),
    "values": _items("values"),
    "items": _items("items"),
    "size": _extent,
    "stride": _extent,
    "numel": _numel,
    "nelement": _numel,
    "dim": lambda ev, method, args, text: (a.some(Kind.INT, text),),
    "element_size": lambda ev, method, args, text: (a.some(Kind.INT, text),),
    "bit_length": _bit_length,
    "lower": _string,
    "upper": _string,
    "strip": _string,
    "format": _string,
    "replace": _string,
    "join": _string,
    "startswith": _truth_of,
    "endswith": _truth_of,
    "is_contiguous": _truth_of,
    "is_integer": _truth_of,
    "is_floating_point": _truth_of,
    "read": _read,
    "read_text": _read,
    "open": _read,
    "item": lambda ev, method, args, text: a.unknown("a tensor's content", text),
    "contiguous": lambda ev, method, args, text: (Value(Kind.OTHER, text=text),),
    "run": lambda ev, method, args, text: a.unknown("a run", text),
    "warmup": lambda ev, method, args, text: (Value(Kind.OTHER, text="a compiled kernel"),),
    "append": lambda ev, method, args, text: (a.exact(None),),
    "extend": lambda ev, method, args, text: (a.exact(None),),
    "update": lambda ev, method, args, text: (a.exact(None),),
}
"""What known methods give, by name, on objects that are no objects of the project."""
