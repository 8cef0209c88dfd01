"""Tuned launch configs: `kernels/configs/<arch>/<backend>/<op>/{DEFAULT,<shape>}.json`.

A file maps buckets of M, the number of rows, to one flat object of launch values:

    {"M_LEQ_64": {...}, "M_GEQ_4096": {...}, "any": {...}}

The smallest `M_LEQ_<n>` with m <= n wins, then the largest `M_GEQ_<n>` with m >= n, then
`any`. Every bucket of a file holds the same keys, so a kernel never meets a missing one.
"""

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

CONFIG_ROOT = Path(__file__).resolve().parent.parent / "configs"

GEMM_KEYS = (
    "BLOCK_SIZE_M",
    "BLOCK_SIZE_N",
    "BLOCK_SIZE_K",
    "GROUP_SIZE_M",
    "NUM_KSPLIT",
    "num_warps",
    "num_stages",
)

_BUCKET = re.compile(r"any|M_(LEQ|GEQ)_([1-9][0-9]*)")

Value = bool | int | float | str


class ConfigError(RuntimeError):
    """A config file is missing, damaged or incomplete; the message names it and the remedy."""


def get_config(
    op: str, m: int, *, arch: str, backend: str = "triton", shape: str | None = None
) -> tuple[dict[str, Value], bool]:
    """The launch values of `op` for `m` rows, and whether they were tuned for `shape`.

    `shape` names a per-shape file without its suffix, such as "N=4608-K=7168"; where there is
    none, the values come from DEFAULT.json. The dict is the caller's own: changing it does not
    change what later calls get. Raises `ConfigError` for a missing or invalid file.
    """
    values, is_tuned = _resolve(CONFIG_ROOT, arch, backend, op, m, shape)
    return dict(values), is_tuned


def get_gemm_config(
    op: str, m: int, n: int, k: int, *, arch: str, backend: str = "triton"
) -> tuple[dict[str, Value], bool]:
    """`get_config` for a GEMM [m, k] x [n, k]: the per-shape file is `N=<n>-K=<k>.json`."""
    shape = f"N={n}-K={k}"
    values, is_tuned = _resolve(CONFIG_ROOT, arch, backend, op, m, shape, GEMM_KEYS)
    return dict(values), is_tuned


def clear_config_cache() -> None:
    """Forget what was read, so that files written since are seen."""
    _resolve.cache_clear()
    _load.cache_clear()
    _is_file.cache_clear()


@lru_cache(maxsize=4096)
def _resolve(
    root: Path,
    arch: str,
    backend: str,
    op: str,
    m: int,
    shape: str | None,
    required: tuple[str, ...] = (),
) -> tuple[Mapping[str, Value], bool]:
    folder = root / arch / backend / op
    if shape is not None and _is_file(folder / f"{shape}.json"):
        return _pick(_load(folder / f"{shape}.json", required), m), True
    return _pick(_load(folder / "DEFAULT.json", required), m), False


@cache
def _is_file(path: Path) -> bool:
    return path.is_file()


def _pick(buckets: Mapping[str, Mapping[str, Value]], m: int) -> Mapping[str, Value]:
    bounds = [(b.group(1), int(b.group(2))) for b in map(_BUCKET.fullmatch, buckets) if b.group(1)]
    at_most = [n for kind, n in bounds if kind == "LEQ" and m <= n]
    if at_most:
        return buckets[f"M_LEQ_{min(at_most)}"]
    at_least = [n for kind, n in bounds if kind == "GEQ" and m >= n]
    if at_least:
        return buckets[f"M_GEQ_{max(at_least)}"]
    return buckets["any"]


@cache
def _load(path: Path, required: tuple[str, ...]) -> Mapping[str, Mapping[str, Value]]:
    try:
        buckets = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_unique)
    except FileNotFoundError:
        raise ConfigError(
            f"{path}: no such config file; add a DEFAULT.json with an `any` bucket there"
        ) from None
    except (OSError, ValueError) as error:
        raise _damaged(path, f"it can't be read as JSON ({error})") from error
    if not isinstance(buckets, dict):
        raise _damaged(path, "the top level is not an object of buckets")
    if "any" not in buckets:
        raise _damaged(path, "the fallback bucket `any` is missing")
    keys = {*required, *(buckets["any"] if isinstance(buckets["any"], dict) else ())}
    for name, values in buckets.items():
        if not _BUCKET.fullmatch(name):
            raise _damaged(path, f"bucket {name!r} is not `M_LEQ_<n>`, `M_GEQ_<n>` or `any`")
        if not isinstance(values, dict):
            raise _damaged(path, f"bucket {name!r} is not an object")
        if keys ^ values.keys():
            missing, extra = sorted(keys - values.keys()), sorted(values.keys() - keys)
            what = f"lacks {', '.join(missing)}" if missing else f"alone has {', '.join(extra)}"
            raise _damaged(path, f"bucket {name!r} {what}")
        for key, value in values.items():
            if not isinstance(value, Value):
                raise _damaged(path, f"{key} in bucket {name!r} is no number, bool or string")
            if key in required and (type(value) is not int or value < 1):
                raise _damaged(path, f"{key} in bucket {name!r} is {value!r}, not a positive int")
    return buckets


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(n for n in names if names.count(n) > 1)!r} is given twice")
    return found


def _damaged(path: Path, why: str) -> ConfigError:
    return ConfigError(
        f"{path}: {why}; correct the file, or delete it and write it again with the tuner "
        "under benchmarks/"
    )
