"""Tries launch values for the quantization kernels and prints, or writes, the best.

    python benchmarks/tune_quant.py --rows 1 8192 [--op per_token_quant ...] [--json results.json]

All candidates of an op and a shape are timed in one process, turn and turn about, as
bench_quant.py does. They are compiled beforehand by several processes at once.
"""

import argparse
import itertools
import json
import multiprocessing
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import bench_quant
import torch

# The op whose config it is -> the families it is judged by.
OPS = {
    "static_per_tensor_quant": ["per-tensor static"],
    "dynamic_per_tensor_quant": ["per-tensor dynamic"],
    "per_token_quant": ["per-token"],
    "per_group_quant": ["per-group"],
    "mxfp8_quant": ["MXFP8"],
    "mxfp4_quant": ["MXFP4"],
    "nvfp4_quant": ["NVFP4"],
    "act_mul_per_group_quant": ["silu * mul + group"],
    "splitk_act_mul_per_group_quant": ["split-K + silu * mul + group"],
    "rms_norm_quant": [
        "RMSNorm + per-token",
        "RMSNorm + group",
        "RMSNorm + static",
        "add + RMSNorm + per-token",
    ],
    "gated_rms_norm_per_group_quant": ["gated RMSNorm + group"],
}
PER_THREAD = (4, 8, 16, 32, 64)
GROUP_ELEMENTS = {
    "per_group_quant": 128,
    "act_mul_per_group_quant": 128,
    "splitk_act_mul_per_group_quant": 128,
    "mxfp8_quant": 32,
    "mxfp4_quant": 32,
    "nvfp4_quant": 16,
}


def candidates(op: str, m: int, n: int) -> Iterator[dict[str, int]]:
    """Tiles of 8 to 32 elements a thread."""
    row = 1 << (n - 1).bit_length()
    for num_warps, per_thread in itertools.product((1, 2, 4, 8, 16), (8, 16, 32)):
        elements = num_warps * 32 * per_thread
        if op in GROUP_ELEMENTS:
            if num_warps <= 8 and 512 <= elements <= 8192:
                yield {"BLOCK_SIZE_G": elements // GROUP_ELEMENTS[op], "num_warps": num_warps}
        elif op == "static_per_tensor_quant":
            if 1024 <= elements <= 8192:
                yield {"BLOCK_SIZE_N": elements, "num_warps": num_warps}
        elif op == "dynamic_per_tensor_quant":
            if not 1024 <= elements <= 8192 or num_warps < 4:
                continue
            for partials, tiles in (
                ((16, 1), (64, 1), (256, 1))
                if m == 1
                else ((512, 1), (512, 4), (512, 16), (1024, 1), (1024, 8), (2048, 1), (2048, 8))
            ):
                yield {
                    "BLOCK_SIZE_N": elements,
                    "NUM_PARTIALS": partials,
                    "TILES_A_PROGRAM": tiles,
                    "num_warps": num_warps,
                }
        elif m > 1 and elements == row:
            yield {"TILE_SIZE": row, "SPLIT_SIZE": 32768, "num_warps": num_warps}
        elif m == 1 and per_thread == 8 and num_warps >= 4:
            for split in (512, 1024, 2048, 32768):
                yield {"TILE_SIZE": row, "SPLIT_SIZE": split, "num_warps": num_warps}


def with_config(op: str, config: dict[str, int], call: Callable) -> Callable:
    """`call`, with the config of every op replaced by this one."""
    modules = [
        module
        for name, module in sys.modules.items()
        if name.startswith("kernels.quant.") and hasattr(module, "get_config")
    ]

    def configured(tensors):
        kept = [module.get_config for module in modules]
        for module in modules:
            module.get_config = lambda *args, **kwargs: (dict(config), True)
        try:
            return call(tensors)
        finally:
            for module, get_config in zip(modules, kept, strict=True):
                module.get_config = get_config

    return configured


def compile_one(job: tuple[str, str, int, dict[str, int]]) -> str | None:
    op, name, n, config = job
    family = bench_quant.FAMILIES[name]
    try:
        with_config(op, config, family.call)(family.tensors(64, n))
        torch.cuda.synchronize()
    except Exception as error:
        return f"{name} {config}: {type(error).__name__}: {error}"[:200]
    return None


def tune(op: str, name: str, m: int, n: int) -> list[tuple[float, dict[str, int]]]:
    """(share of the copy kernel's bandwidth, config), best first."""
    family = bench_quant.FAMILIES[name]
    sets = bench_quant.sets_of(family, m, n, max_nodes=512)
    graphs = bench_quant.copy_graphs(family.bytes(m, n), max_nodes=512)
    for config in candidates(op, m, n):
        call = with_config(op, config, family.call)
        graph = bench_quant.graph_of([lambda t=t, call=call: call(t) for t in sets])
        graphs[json.dumps(config)] = (graph, len(sets))
    times = bench_quant.measure(graphs, groups=3)
    copy = bench_quant.best_copy(times)
    print(f"{op} / {name}, {m} x {n}: copy {copy:.2f} us")
    ranked = sorted(times.items(), key=lambda item: item[1])
    for config, us in ranked[:5]:
        print(f"    {us:8.2f} us {copy / us:6.1%}  {config}", flush=True)
    return [(copy / us, json.loads(config)) for config, us in ranked]


FEW_ROWS = 16


def write_configs(scores: dict, folder: Path) -> None:
    """DEFAULT.json of each op: what was best for one row up to FEW_ROWS, the other above."""
    for op in {op for op, _ in scores}:
        best = {}
        for m in {m for o, m in scores if o == op}:
            families = scores[op, m]
            common = set.intersection(*(set(family) for family in families))
            # The best for its worst family, where an op serves several.
            best[m] = json.loads(
                max(common, key=lambda c: min(f[c] / max(f.values()) for f in families))
            )
        buckets = {f"M_LEQ_{FEW_ROWS}": best[min(best)], "any": best[max(best)]}
        (folder / op / "DEFAULT.json").write_text(json.dumps(buckets, indent=2) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--op", nargs="*", choices=list(OPS), default=list(OPS))
    parser.add_argument("--rows", type=int, nargs="*", default=(1, 8192))
    parser.add_argument("--cols", type=int, nargs="*", default=(7168,))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--write", type=Path, help="the folder kernels/configs/<arch>/triton")
    options = parser.parse_args()
    jobs = [
        (op, name, n, config)
        for n in options.cols
        for m in options.rows
        for op in options.op
        for name in OPS[op]
        for config in candidates(op, m, n)
    ]
    with multiprocessing.get_context("spawn").Pool(12) as pool:
        for error in pool.imap_unordered(compile_one, jobs, chunksize=4):
            if error:
                print(error)
    found, scores = [], {}
    for op, n, m in itertools.product(options.op, options.cols, options.rows):
        for name in OPS[op]:
            try:
                best = tune(op, name, m, n)
            except Exception as error:
                print(op, name, str(error)[:400])
                continue
            scores.setdefault((op, m), []).append({json.dumps(c): share for share, c in best})
            found.append({"op": op, "family": name, "rows": m, "cols": n, "best": best[:8]})
            torch.cuda.empty_cache()
    if options.write:
        write_configs(scores, options.write)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
