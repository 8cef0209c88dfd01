"""Measure the block-scale GEMM beside its peers: `python -m benchmarks.bench_gemm`.

Writes a JSON with the date, hardware, versions and command, and prints one line a size. Plot it
with `--plot FILE.json`, which needs no GPU.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from datetime import datetime, timezone
from pathlib import Path

import torch
import triton
from triton.runtime.errors import TritonError

from benchmarks.gemm_peers import BLOCK_SCALE_PEERS, PEERS
from benchmarks.gemm_timing import (
    capture,
    make_operands,
    reference,
    relative_error,
    rotated_operands,
    time_graphs,
)
from kernels.gemm.gemm_a8w8_blockscale import gemm_a8w8_blockscale

SHAPES = ((4608, 7168), (7168, 2048), (24576, 1536), (2112, 7168))
ROWS = (1, 16, 64, 128, 512, 1024, 4096)
RESULTS = Path(__file__).resolve().parent / "results" / "gemm.json"
MAX_ERROR = 0.0025


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--backend", nargs="+", default=["triton", "gluon"])
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument("--groups", type=int, default=7)
    parser.add_argument("--group-ms", type=float, default=3.0)
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--plot", type=Path, help="only plot this file")
    args = parser.parse_args()
    if args.plot:
        plot(json.loads(args.plot.read_text()), args.plot.with_suffix(".png"))
        return
    args.output.parent.mkdir(parents=True, exist_ok=True)
    report = {**environment(), "host_us": host_times(args.backend), "results": []}
    for n, k in SHAPES:
        for m in args.rows:
            times = measure(m, n, k, args.backend, args.groups, args.group_ms)
            report["results"].append({"m": m, "n": n, "k": k, "us": times})
            line = "  ".join(f"{name} {us:.1f}" for name, us in times.items())
            print(f"{m} x {n} x {k} us: {line}", flush=True)
            args.output.write_text(json.dumps(report, indent=1) + "\n")
    report["relative_speed"] = relative_speeds(report["results"])
    print(json.dumps(report["relative_speed"], indent=1))
    args.output.write_text(json.dumps(report, indent=1) + "\n")


def environment() -> dict[str, str]:
    driver = subprocess.run(
        ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
        capture_output=True,
        text=True,
    ).stdout.strip()
    return {
        "date": datetime.now(timezone.utc).date().isoformat(),
        "gpu": torch.cuda.get_device_name(),
        "driver": driver,
        "torch": torch.__version__,
        "triton": triton.__version__,
        "command": "python -m benchmarks.bench_gemm " + " ".join(sys.argv[1:]),
        "method": "one CUDA graph per implementation over rotated operands of more than 200 MB, "
        "implementations interleaved, medians",
    }


def measure(m, n, k, backends, groups, group_ms) -> dict[str, float]:
    """Microseconds per launch, by implementation; only those whose result is right."""
    copies = rotated_operands(m, n, k)
    expected = reference(copies[0])
    calls = {}
    for name, prepare in PEERS.items():
        try:
            calls[name] = prepare(copies)
        except ImportError as error:
            print(f"{name}: left out ({error})")
    for backend in backends:
        calls[backend] = ours(backend)
    graphs = {}
    for name, call in calls.items():
        try:
            copies[0].y.fill_(float("nan"))
            error = relative_error(call(copies[0]), expected)
            if name != "cublas" and not error < MAX_ERROR:
                print(f"{name}: left out, relative error {error}")
                continue
            graphs[name] = capture(call, copies)
        except (RuntimeError, TritonError) as error:
            print(f"{name}: left out ({str(error).splitlines()[0][:80]})")
            torch.cuda.synchronize()
    return time_graphs(graphs, len(copies), groups, group_ms)


def ours(backend):
    def call(ops):
        return gemm_a8w8_blockscale(
            ops.x, ops.w, ops.x_scale, ops.w_scale, y=ops.y, backend=backend
        )

    return call


def host_times(backends) -> dict[str, float]:
    """Microseconds of host time of one call, the GPU not waited for."""
    times = {}
    for backend, m in ((backend, m) for backend in backends for m in (64, 1024)):
        ops = make_operands(m, 4608, 7168)
        call = ours(backend)
        samples = []
        for _ in range(10):
            torch.cuda.synchronize()
            start = time.perf_counter()
            for _ in range(20):
                call(ops)
            samples.append((time.perf_counter() - start) / 20 * 1e6)
        torch.cuda.synchronize()
        times[f"{backend} {m} x 4608 x 7168"] = round(statistics.median(samples), 1)
    print("host us:", times, flush=True)
    return times


def relative_speeds(results) -> dict[str, float]:
    """Geometric means of (time of the best block-scale peer) / (our time)."""
    groups = {
        "triton, M >= 512": (("triton",), lambda m: m >= 512),
        "gluon, M >= 1024": (("gluon",), lambda m: m >= 1024),
        "the better one, M <= 128": (("triton", "gluon"), lambda m: m <= 128),
    }
    speeds = {}
    for title, (backends, wanted) in groups.items():
        ratios = []
        for row in results:
            peers = [row["us"][p] for p in BLOCK_SCALE_PEERS if p in row["us"]]
            mine = [row["us"][b] for b in backends if b in row["us"]]
            if wanted(row["m"]) and peers and mine:
                ratios.append(min(peers) / min(mine))
        if ratios:
            speeds[title] = round(statistics.geometric_mean(ratios), 3)
    return speeds


def plot(report, path: Path) -> None:
    """TFLOP/s against M, one panel a shape."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    shapes = sorted({(row["n"], row["k"]) for row in report["results"]}, reverse=True)
    figure, panels = pyplot.subplots(2, 2, figsize=(11, 7.5), sharex=True)
    for panel, (n, k) in zip(panels.flat, shapes):
        rows = [row for row in report["results"] if (row["n"], row["k"]) == (n, k)]
        for name in ("cublas", "torch", "deep_gemm", "triton", "gluon"):
            points = [
                (row["m"], 2e-6 * row["m"] * n * k / row["us"][name])
                for row in rows
                if name in row["us"]
            ]
            style = "-o" if name in ("triton", "gluon") else "--."
            label = "cublas (no block scales)" if name == "cublas" else name
            panel.plot(*zip(*points), style, label=label)
        panel.set(title=f"N = {n}, K = {k}", xscale="log", yscale="log", ylabel="TFLOP/s")
        panel.grid(alpha=0.3)
    for panel in panels[-1]:
        panel.set_xlabel("M")
    panels.flat[0].legend()
    figure.suptitle(f"FP8 block-scale GEMM, {report['gpu']}, {report['date']}")
    figure.tight_layout()
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main()
