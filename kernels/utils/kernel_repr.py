"""Kernel names that say which specialization a profiler row shows.

    _name_repr = make_kernel_repr("_quant_kernel", ["BLOCK_SIZE_M", "EVEN_N"])

    @triton.jit(repr=_name_repr)
    def _quant_kernel(...): ...

makes the rows read `_quant_kernel_BLOCK_SIZE_M_64_EVEN_N_TRUE`. The text of a value is a
valid part of an identifier for every value, and two values of different meaning never share
one, so a name can be read back:

| value | text |
|---|---|
| 64, -64 | `64`, `NEG64` |
| True, None | `TRUE`, `NONE` |
| 2.5, -1e-06, 1e+20, -inf, nan | `F2p5`, `Fm1em06`, `F1e20`, `NEGINF`, `NAN` |
| "gelu" (lower-case letters and digits), any other string | `gelu`, `S` + escaped |
| tl.float16, torch.float16 | `FP16`, `FLOAT16` |
| (64, 128), () | `T_64_128_E`, `T_E` |

`Z<hex>Z` stands for each character that an identifier can't hold.
"""

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_PLAIN_STRING = re.compile(r"[a-z][a-z0-9]*", re.ASCII)
_UNSAFE = re.compile(r"[^A-Ya-z0-9]", re.ASCII)


def make_kernel_repr(
    base_name: str, config_keys: Sequence[str], name_key: str | None = None
) -> Callable[[Any], str]:
    """A `repr=` for `triton.jit`: `<base_name>_<KEY>_<value>...` in the order of `config_keys`.

    `config_keys` are constexpr parameters of the kernel. `name_key` is a constexpr parameter
    whose value, where it is given, stands in place of `base_name`. Raises `ValueError` for a
    base name or a key that is no identifier.
    """
    keys = tuple(config_keys)
    for text in (base_name, *keys, *((name_key,) if name_key is not None else ())):
        if not isinstance(text, str) or not _IDENTIFIER.fullmatch(text):
            raise ValueError(f"{text!r} can't be part of a kernel's name: it is no identifier")

    def kernel_repr(specialization: Any) -> str:
        constants = specialization.constants
        parts = [_base(base_name, constants.get(name_key))]
        for key in keys:
            parts += (key, value_text(constants.get(key)))
        return "_".join(parts)

    return kernel_repr


def value_text(value: object) -> str:
    """The text of one constexpr value: total over all values, one-to-one over the usual ones."""
    value = _unwrap(value)
    if value is None or isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int):
        value = int(value)
        return str(value) if value >= 0 else f"NEG{-value}"
    if isinstance(value, float):
        return _float_text(float(value))
    if isinstance(value, str):
        return str(value) if _PLAIN_STRING.fullmatch(value) else "S" + _escape(value)
    if isinstance(value, (tuple, list)):
        return "_".join(("T", *map(value_text, value), "E"))
    if type(value).__name__ == "dtype" and type(value).__module__.partition(".")[0] == "torch":
        return _escape(str(value).removeprefix("torch.").upper())
    if _is_triton_dtype(value):
        return _escape(str(value).upper())
    return _other_text(value)


def _base(base_name: str, override: object) -> str:
    override = _unwrap(override)
    if override is None:
        return base_name
    text = str(override)
    return text if _IDENTIFIER.fullmatch(text) else f"Z{_escape(text)}"


def _unwrap(value: object) -> object:
    while type(value).__name__ == "constexpr" and hasattr(value, "value"):
        value = value.value
    return value


def _float_text(value: float) -> str:
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INF" if value > 0 else "NEGINF"
    # The sign of a positive exponent is implied: Python always writes "1e+20", never "1e20".
    return "F" + repr(value).replace("+", "").replace("-", "m").replace(".", "p")


def _is_triton_dtype(value: object) -> bool:
    return any(t.__module__ == "triton.language.core" and t.__name__ == "dtype"
               for t in type(value).__mro__)  # fmt: skip


def _other_text(value: object) -> str:
    # Functions, layouts, enums: named by where they are defined, or by their own text, but never
    # by an address, which would differ from run to run.
    function = getattr(value, "fn", value)
    name = getattr(function, "__qualname__", None)
    if isinstance(name, str):
        return f"FN{_escape(f'{function.__module__}.{name}')}"
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))
    return f"X{_escape(f'{type(value).__qualname__}:{text}')}"


def _escape(text: str) -> str:
    return _UNSAFE.sub(lambda char: f"Z{ord(char[0]):x}Z", text)
