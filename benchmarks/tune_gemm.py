"""Tune the block-scale GEMM on this GPU: `python -m benchmarks.tune_gemm`.

Measures every candidate of a backend for a range of M on each shape, keeps the fastest whose
result is right, and writes `kernels/configs/<arch>/<backend>/gemm_a8w8_blockscale/`: a file per
shape, and DEFAULT.json with what is best over all shapes.
"""

import argparse
import json
import math
import multiprocessing
import time

import torch
from triton.runtime.errors import TritonError

from benchmarks.gemm_timing import (
    capture,
    make_operands,
    reference,
    relative_error,
    rotated_operands,
    time_graphs,
)
from kernels.gemm.gemm_a8w8_blockscale import gemm_a8w8_blockscale
from kernels.utils.arch import get_arch
from kernels.utils.config import CONFIG_ROOT, GEMM_KEYS

SHAPES = ((4608, 7168), (7168, 2048), (24576, 1536), (2112, 7168))
ROWS = (1, 16, 64, 128, 256, 512, 1024, 4096)
MAX_ERROR = 0.0025

# (fewest rows, most rows, (tile M, tile N, group, splits, warps, stages)); K is always 128.
CANDIDATES = {
    "triton": (
        (1, 16, (16, 32, 1, 8, 4, 4)),
        (1, 16, (16, 64, 1, 1, 4, 4)),
        (1, 16, (16, 64, 1, 2, 4, 6)),
        (1, 16, (16, 64, 1, 4, 4, 6)),
        (1, 16, (16, 64, 1, 8, 4, 4)),
        (16, 256, (64, 64, 1, 1, 4, 4)),
        (16, 256, (64, 64, 1, 2, 4, 6)),
        (16, 128, (64, 64, 1, 3, 4, 6)),
        (16, 128, (64, 64, 1, 4, 4, 4)),
        (16, 512, (64, 128, 4, 1, 4, 4)),
        (16, 256, (64, 128, 1, 2, 4, 4)),
        (16, 256, (64, 128, 1, 3, 4, 5)),
        (16, 128, (64, 128, 1, 4, 4, 4)),
        (256, 8192, (64, 128, 8, 1, 4, 3)),
        (1024, 8192, (64, 128, 16, 1, 4, 3)),
        (256, 8192, (128, 64, 8, 1, 4, 4)),
    ),
    "gluon": (
        (1, 256, (64, 64, 1, 1, 4, 8)),
        (1, 256, (64, 128, 1, 1, 4, 8)),
        (1, 256, (64, 128, 1, 2, 4, 6)),
        (1, 128, (64, 128, 1, 3, 4, 6)),
        (1, 128, (64, 128, 1, 4, 4, 6)),
        (128, 1024, (128, 64, 8, 1, 4, 8)),
        (128, 512, (128, 128, 8, 2, 4, 5)),
        (128, 8192, (128, 128, 8, 1, 4, 5)),
        (128, 8192, (192, 128, 8, 1, 4, 4)),
        (1024, 8192, (192, 128, 4, 1, 4, 4)),
        (1024, 8192, (192, 128, 16, 1, 4, 4)),
        (1024, 8192, (192, 128, 8, 1, 4, 3)),
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--backend", nargs="+", default=list(CANDIDATES))
    parser.add_argument("--processes", type=int, default=12, help="for compiling ahead; 0: don't")
    parser.add_argument("--compile-only", action="store_true", help="stop after compiling")
    args = parser.parse_args()
    arch = get_arch(torch.device("cuda"))
    if args.processes:
        compile_ahead(args.backend, args.processes)
    if args.compile_only:
        return
    for backend in args.backend:
        times = {(m, n, k): measure(backend, m, n, k) for n, k in SHAPES for m in ROWS}
        folder = CONFIG_ROOT / arch / backend / "gemm_a8w8_blockscale"
        folder.mkdir(parents=True, exist_ok=True)
        for n, k in SHAPES:
            best = {m: min(times[m, n, k], key=times[m, n, k].get) for m in ROWS}
            write(folder / f"N={n}-K={k}.json", best)
        write(folder / "DEFAULT.json", {m: best_overall(times, m) for m in ROWS})


def config_of(candidate) -> dict[str, int]:
    tile_m, tile_n, *rest = candidate
    return dict(zip(GEMM_KEYS, (tile_m, tile_n, 128, *rest)))


def candidates(backend, m) -> list[tuple]:
    return [c for fewest, most, c in CANDIDATES[backend] if fewest <= m <= most]


def run(backend, candidate, ops):
    return gemm_a8w8_blockscale(
        ops.x,
        ops.w,
        ops.x_scale,
        ops.w_scale,
        y=ops.y,
        backend=backend,
        config=config_of(candidate),
    )


def compile_ahead(backends, processes) -> None:
    """Fill Triton's cache in parallel; the measuring process then only loads."""
    jobs = [(backend, c) for backend in backends for _, _, c in CANDIDATES[backend]]
    start = time.time()
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        pool.map(compile_one, jobs, chunksize=1)
    print(f"compiled {len(jobs)} candidates in {time.time() - start:.0f} s", flush=True)


def compile_one(job) -> None:
    backend, candidate = job
    try:
        run(backend, candidate, make_operands(64, 2112, 7168))
        torch.cuda.synchronize()
    except (RuntimeError, TritonError) as error:
        print(f"{backend} {candidate}: {str(error)[:100]}", flush=True)


def measure(backend, m, n, k) -> dict[tuple, float]:
    """Microseconds of each candidate whose result is right."""
    copies = rotated_operands(m, n, k)
    expected = reference(copies[0])
    graphs = {}
    for candidate in candidates(backend, m):
        try:
            copies[0].y.fill_(float("nan"))
            error = relative_error(run(backend, candidate, copies[0]), expected)
            if error < MAX_ERROR:
                graphs[candidate] = capture(lambda ops, c=candidate: run(backend, c, ops), copies)
            else:
                print(f"{backend} {candidate} on {m} x {n} x {k}: relative error {error}")
        except (RuntimeError, TritonError) as error:
            print(f"{backend} {candidate} on {m} x {n} x {k}: {str(error)[:100]}")
    times = time_graphs(graphs, len(copies), groups=3, group_ms=1.0)
    best = min(times, key=times.get)
    print(f"{backend} {m} x {n} x {k}: {times[best]:.1f} us {best}", flush=True)
    return times


def best_overall(times, m) -> tuple:
    """The candidate with the smallest product of times, over the shapes."""

    def product(candidate):
        return math.prod(times[m, n, k].get(candidate, math.inf) for n, k in SHAPES)

    return min(times[(m, *SHAPES[0])], key=product)


def write(path, best: dict[int, tuple]) -> None:
    """Buckets up to each measured M; the largest one's choice is the fallback."""
    *bounded, largest = sorted(best)
    buckets = {}
    for m, following in zip(bounded, [*bounded[1:], largest]):
        if best[m] != best[following]:
            buckets[f"M_LEQ_{m}"] = config_of(best[m])
    buckets["any"] = config_of(best[largest])
    path.write_text(json.dumps(buckets, indent=2) + "\n")
    print(f"wrote {path}", flush=True)


if __name__ == "__main__":
    main()
