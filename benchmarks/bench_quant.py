"""Quantization beside a copy kernel that moves the same bytes, torch eager and torch.compile.

    python benchmarks/bench_quant.py --json benchmarks/results/quant.json --plot quant.png

One CUDA graph an item; its nodes go round inputs and outputs that together exceed the L2 cache
several times; the median of 7 groups of replays counts. All items of a shape are measured in
one process, turn and turn about. Outputs are compared with those of torch before timing.
"""

import argparse
import datetime
import itertools
import json
import math
import multiprocessing
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
import triton
import triton.language as tl

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kernels import quant

ROWS = (1, 32, 1024, 8192, 16384)
COLS = (2048, 4096, 7168, 8192)
WORKING_SET = 300 << 20
MAX_NODES = 4096
E4M3 = torch.float8_e4m3fn
EPS = 1e-6


@triton.jit
def _copy_kernel(src_ptr, dst_ptr, n, BLOCK_SIZE: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n
    tl.store(dst_ptr + offsets, tl.load(src_ptr + offsets, mask=mask), mask=mask)


@dataclass(frozen=True)
class Family:
    """One quantization: its tensors for [m, n], the call, and the same in plain torch."""

    tensors: Callable[[int, int], dict[str, torch.Tensor]]
    call: Callable[[dict[str, torch.Tensor]], object]
    eager: Callable[[dict[str, torch.Tensor]], object]
    bar: float  # of the copy kernel's bandwidth, at 8192 x 7168
    small_bar_us: float  # at 1 x 7168
    reads_of_x: int = 1

    def bytes(self, m: int, n: int) -> int:
        tensors = self.tensors(m, n)
        extra = (self.reads_of_x - 1) * tensors["x"].nbytes
        return sum(t.nbytes for t in tensors.values()) + extra


def _new(*shape, dtype=torch.bfloat16):
    if dtype in (torch.bfloat16, torch.float32):
        return torch.randn(shape, device="cuda", dtype=dtype)
    return torch.empty(shape, device="cuda", dtype=dtype)


def _plain(scale_shape, dtype=E4M3):
    def tensors(m, n):
        return {
            "x": _new(m, n),
            "out": _new(m, n, dtype=dtype),
            "scale": torch.ones(scale_shape(m, n), device="cuda"),
        }

    return tensors


def _mx(per_byte, group, scale_dtype=torch.uint8, out_dtype=torch.uint8):
    def tensors(m, n):
        return {
            "x": _new(m, n),
            "out": _new(m, n // per_byte, dtype=out_dtype),
            "scale": _new(m, n // group, dtype=scale_dtype),
        }

    return tensors


def _norm(scale_shape, residual):
    def tensors(m, n):
        made = _plain(scale_shape)(m, n) | {"weight": _new(n)}
        if residual:
            made |= {"residual": _new(m, n), "residual_out": _new(m, n)}
        return made

    return tensors


def _act(m, n):
    return _plain(_group_shape)(m, n) | {"x": _new(m, 2 * n)}


def _splitk_act(m, n):
    return _plain(_group_shape)(m, n) | {"x": _new(4, m, 2 * n, dtype=torch.float32)}


def _gated(m, n):
    return _plain(_group_shape)(m, n) | {"weight": _new(n), "gate": _new(m, n)}


def _group_shape(m, n):
    return (m, n // 128)


def _row_shape(m, n):
    return (m, 1)


def _one_shape(m, n):
    return (1,)


def _codes(y, scale):
    return (y / scale).clamp(-448.0, 448.0).to(E4M3)


def eager_static(t):
    return _codes(t["x"].float(), t["scale"])


def eager_dynamic(t):
    y = t["x"].float()
    scale = (y.abs().amax() / 448.0).clamp(min=1e-30)
    return _codes(y, scale), scale


def eager_token(t):
    return _token(t["x"].float())


def _token(y):
    scale = (y.abs().amax(1, keepdim=True) / 448.0).clamp(min=1e-30)
    return _codes(y, scale), scale


def eager_token_int8(t):
    y = t["x"].float()
    scale = (y.abs().amax(1, keepdim=True) / 127.0).clamp(min=1e-30)
    return (y / scale).round().to(torch.int8), scale


def eager_group(t):
    return _group(t["x"].float())


def _group(y):
    m, n = y.shape
    y = y.view(m, n // 128, 128)
    scale = (y.abs().amax(2, keepdim=True) / 448.0).clamp(min=1e-30)
    return _codes(y, scale).view(m, n), scale.squeeze(2)


def _e8m0(blocks, emax):
    amax = blocks.abs().amax(-1, keepdim=True)
    exponent = ((amax.view(torch.int32) >> 23) - emax).clamp(0, 254)
    return exponent, ((254 - exponent) << 23).view(torch.float32)


def eager_mxfp8(t):
    m, n = t["x"].shape
    blocks = t["x"].float().view(m, n // 32, 32)
    exponent, reciprocal = _e8m0(blocks, 8)
    q = (blocks * reciprocal).clamp(-448.0, 448.0).to(E4M3)
    return q.view(m, n), exponent.squeeze(-1).to(torch.uint8)


def _e2m1_pack(v, m, n):
    a = v.abs()
    code = (
        (a > 0.25).int() + (a >= 0.75) + (a > 1.25) + (a >= 1.75) + (a > 2.5) + (a >= 3.5) + (a > 5)
    )
    code = (code | (torch.signbit(v).int() << 3)).view(m, n // 2, 2)
    return (code[..., 0] | (code[..., 1] << 4)).to(torch.uint8)


def eager_mxfp4(t):
    m, n = t["x"].shape
    blocks = t["x"].float().view(m, n // 32, 32)
    exponent, reciprocal = _e8m0(blocks, 2)
    return _e2m1_pack(blocks * reciprocal, m, n), exponent.squeeze(-1).to(torch.uint8)


def eager_nvfp4(t):
    m, n = t["x"].shape
    blocks = t["x"].float().view(m, n // 16, 16)
    ratio = blocks.abs().amax(-1, keepdim=True) / 6.0 / t["tensor_scale"]
    scale = ratio.clamp(2.0**-9, 448.0).to(E4M3)
    return _e2m1_pack(blocks / (scale.float() * t["tensor_scale"]), m, n), scale.squeeze(-1)


def _normed(t):
    h = t["x"] + t["residual"] if "residual" in t else t["x"]
    y = h.float()
    return y * torch.rsqrt(y.square().mean(1, keepdim=True) + EPS) * t["weight"].float(), h


def eager_norm_static(t):
    y, h = _normed(t)
    return _codes(y, t["scale"]), h


def eager_norm_token(t):
    y, h = _normed(t)
    return *_token(y), h


def eager_norm_group(t):
    y, h = _normed(t)
    return *_group(y), h


def eager_silu(t):
    x1, x2 = t["x"].float().chunk(2, dim=1)
    return _group(F.silu(x1) * x2)


def eager_gelu(t):
    x1, x2 = t["x"].float().chunk(2, dim=1)
    return _group(F.gelu(x1) * x2)


def eager_splitk_silu(t):
    x1, x2 = t["x"].sum(0).chunk(2, dim=1)
    return _group(F.silu(x1) * x2)


def eager_gated(t):
    y, _ = _normed(t)
    return _group(y * F.silu(t["gate"].float()))


def _nv(m, n):
    tensors = _mx(2, 16, scale_dtype=E4M3)(m, n)
    return tensors | {"tensor_scale": torch.full((1,), 0.002, device="cuda")}


FAMILIES = {
    "per-tensor static": Family(
        _plain(_one_shape),
        lambda t: quant.static_per_tensor_quant(t["x"], t["scale"], out=t["out"]),
        eager_static, 0.95, 1.5,
    ),
    "per-tensor dynamic": Family(
        _plain(_one_shape), lambda t: quant.dynamic_per_tensor_quant(**t),
        eager_dynamic, 0.94, 3.2, reads_of_x=2,
    ),
    "per-token": Family(
        _plain(_row_shape), lambda t: quant.per_token_quant(**t), eager_token, 0.95, 1.5
    ),
    "per-token int8": Family(
        _plain(_row_shape, torch.int8),
        lambda t: quant.per_token_quant(**t, dtype=torch.int8),
        eager_token_int8, 0.95, 1.5,
    ),
    "per-group": Family(
        _plain(_group_shape), lambda t: quant.per_group_quant(**t), eager_group, 0.95, 1.5
    ),
    "MXFP8": Family(
        _mx(1, 32, out_dtype=E4M3), lambda t: quant.mxfp8_quant(**t), eager_mxfp8, 0.95, 1.5
    ),
    "MXFP4": Family(_mx(2, 32), lambda t: quant.mxfp4_quant(**t), eager_mxfp4, 0.80, 1.5),
    "NVFP4": Family(_nv, lambda t: quant.nvfp4_quant(**t), eager_nvfp4, 0.75, 1.5),
    "silu * mul + group": Family(
        _act, lambda t: quant.act_mul_per_group_quant(**t), eager_silu, 0.95, 2.0
    ),
    "gelu * mul + group": Family(
        _act, lambda t: quant.act_mul_per_group_quant(**t, activation="gelu"),
        eager_gelu, 0.95, 2.0,
    ),
    "split-K + silu * mul + group": Family(
        _splitk_act, lambda t: quant.splitk_act_mul_per_group_quant(**t),
        eager_splitk_silu, 0.95, 2.0,
    ),
    "RMSNorm + static": Family(
        _norm(_one_shape, False), lambda t: quant.rms_norm_static_quant(**t, eps=EPS),
        eager_norm_static, 0.85, 2.0,
    ),
    "RMSNorm + per-token": Family(
        _norm(_row_shape, False), lambda t: quant.rms_norm_per_token_quant(**t, eps=EPS),
        eager_norm_token, 0.85, 2.0,
    ),
    "RMSNorm + group": Family(
        _norm(_group_shape, False), lambda t: quant.rms_norm_per_group_quant(**t, eps=EPS),
        eager_norm_group, 0.85, 2.0,
    ),
    "add + RMSNorm + static": Family(
        _norm(_one_shape, True), lambda t: quant.rms_norm_static_quant(**t, eps=EPS),
        eager_norm_static, 0.85, 2.0,
    ),
    "add + RMSNorm + per-token": Family(
        _norm(_row_shape, True), lambda t: quant.rms_norm_per_token_quant(**t, eps=EPS),
        eager_norm_token, 0.85, 2.0,
    ),
    "add + RMSNorm + group": Family(
        _norm(_group_shape, True), lambda t: quant.rms_norm_per_group_quant(**t, eps=EPS),
        eager_norm_group, 0.85, 2.0,
    ),
    "gated RMSNorm + group": Family(
        _gated, lambda t: quant.gated_rms_norm_per_group_quant(**t, eps=EPS),
        eager_gated, 0.85, 2.0,
    ),
}  # fmt: skip


def sets_of(family: Family, m: int, n: int, max_nodes: int = MAX_NODES) -> list[dict]:
    """Tensors for as many calls as exceed the L2 cache several times."""
    count = min(max_nodes, max(4, math.ceil(WORKING_SET / family.bytes(m, n))))
    return [family.tensors(m, n) for _ in range(count)]


def graph_of(calls: list[Callable[[], object]]) -> torch.cuda.CUDAGraph:
    calls[0]()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for call in calls:
            call()
    return graph


def measure(graphs: dict[str, tuple[torch.cuda.CUDAGraph, int]], groups: int = 7) -> dict:
    """Microseconds a node, of each graph, the graphs taking turns: the median of the groups."""
    replays, samples = {}, {name: [] for name in graphs}
    for name, (graph, *_) in graphs.items():
        graph.replay()
        once = _elapsed(graph, 1)
        replays[name] = max(1, min(200, int(4000 / max(once, 1e-3))))
    for _ in range(groups):
        for name, (graph, nodes, *_) in graphs.items():
            samples[name].append(_elapsed(graph, replays[name]) / replays[name] / nodes)
    return {name: statistics.median(values) for name, values in samples.items()}


def _elapsed(graph: torch.cuda.CUDAGraph, replays: int) -> float:
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    start.record()
    for _ in range(replays):
        graph.replay()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) * 1e3


COPY_VARIANTS = ((1024, 4), (2048, 4), (4096, 8), (8192, 8))


def copy_graphs(n_bytes: int, max_nodes: int = MAX_NODES) -> dict[str, tuple]:
    """Copies of half of `n_bytes`, so that reading and writing move as much, in several tiles."""
    half = max(16, n_bytes // 2 // 16 * 16)
    count = min(max_nodes, max(4, math.ceil(WORKING_SET / n_bytes)))
    sources = [torch.randn(half // 2, device="cuda", dtype=torch.bfloat16) for _ in range(count)]
    pairs = [(source, torch.empty_like(source)) for source in sources]

    def call(src, dst, block, num_warps):
        grid = (triton.cdiv(half // 2, block),)
        _copy_kernel[grid](src, dst, half // 2, BLOCK_SIZE=block, num_warps=num_warps)

    graphs = {}
    for block, num_warps in COPY_VARIANTS:
        calls = [lambda s=s, d=d, b=block, w=num_warps: call(s, d, b, w) for s, d in pairs]
        graphs[f"copy {block} {num_warps}"] = (graph_of(calls), count, calls)
    return graphs


def best_copy(times: dict[str, float]) -> float:
    """Take the copies out of `times`; the fastest is what the others are compared with."""
    return min(times.pop(name) for name in list(times) if name.startswith("copy "))


def check(family: Family, tensors: dict[str, torch.Tensor]) -> None:
    """The first result within one step in 8 of torch's: bit-exactness is for the tests."""
    ours, theirs = family.call(tensors), family.eager(tensors)
    if isinstance(ours, tuple):
        ours, theirs = ours[0], theirs[0]
    same = (ours.view(torch.uint8) == theirs.view(torch.uint8)).float().mean().item()
    if same < 0.98:
        raise AssertionError(f"only {same:.4f} of the codes equal those of torch")


def bench_shape(name: str, m: int, n: int, backends: list[str]) -> dict[str, float]:
    family = FAMILIES[name]
    sets = sets_of(family, m, n)
    check(family, sets[0])
    graphs = copy_graphs(family.bytes(m, n))
    graphs["triton"] = (graph_of([lambda t=t: family.call(t) for t in sets]), len(sets))
    few = sets[: max(4, min(len(sets), 64))]
    if "eager" in backends:
        graphs["eager"] = (graph_of([lambda t=t: family.eager(t) for t in few]), len(few))
    if "compile" in backends:
        torch._dynamo.reset()
        compiled = torch.compile(family.eager, dynamic=False)
        compiled(few[0])
        graphs["compile"] = (graph_of([lambda t=t: compiled(t) for t in few]), len(few))
    times = measure(graphs)
    return {"copy": best_copy(times)} | times


def _warm_one(job: tuple[str, int, int, bool]) -> None:
    name, m, n, compiled = job
    family = FAMILIES[name]
    try:
        family.call(family.tensors(min(m, 64), n))
        if compiled:
            torch.compile(family.eager, dynamic=False)(family.tensors(m, n))
    except Exception as error:
        print(f"{name} {m} x {n}: {type(error).__name__}: {error}"[:300], flush=True)


def warm(families: list[str], shapes: list[tuple[int, int]], compiled: list) -> None:
    """Compile everything in several processes, which leave it in the caches on disk."""
    jobs = {(name, m, n, True) for name in families for m, n in compiled}
    jobs |= {(name, 1 if m <= 16 else 64, n, False) for name in families for m, n in shapes}
    with multiprocessing.get_context("spawn").Pool(12) as pool:
        pool.map(_warm_one, sorted(jobs, key=lambda job: not job[3]), chunksize=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--backend",
        choices=("triton", "all"),
        default="all",
        help="triton: without the peers; all: with torch eager and torch.compile",
    )
    parser.add_argument("--rows", type=int, nargs="*", default=ROWS)
    parser.add_argument("--cols", type=int, nargs="*", default=COLS)
    parser.add_argument("--family", nargs="*", choices=list(FAMILIES), default=list(FAMILIES))
    parser.add_argument(
        "--compile-cols",
        type=int,
        nargs="*",
        default=(7168,),
        help="columns at which torch.compile, slow to start, takes part",
    )
    parser.add_argument("--compile-rows", type=int, nargs="*", default=(8192,))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plot", type=Path)
    parser.add_argument(
        "--seconds",
        type=float,
        default=math.inf,
        help="stop measuring after so long; 8192 and 1 x 7168 come first",
    )
    options = parser.parse_args()  # fmt: skip
    start = time.monotonic()
    shapes = [(m, n) for n in options.cols for m in options.rows]
    shapes.sort(key=lambda shape: (shape not in ((8192, 7168), (1, 7168)), shape[1] != 7168))
    compiled = [
        (m, n)
        for m, n in shapes
        if options.backend == "all" and n in options.compile_cols and m in options.compile_rows
    ]
    warm(options.family, shapes, compiled)
    print(f"compiled in {time.monotonic() - start:.0f} s", flush=True)
    rows = []
    for (m, n), name in itertools.product(shapes, options.family):
        if time.monotonic() - start > options.seconds:
            print("out of time", m, n, name)
            break
        peers = [] if options.backend == "triton" else ["eager"]
        if (m, n) in compiled:
            peers.append("compile")
        n_bytes = FAMILIES[name].bytes(m, n)
        row = {"family": name, "rows": m, "cols": n, "bytes": n_bytes}
        rows.append(row)
        try:
            row["us"] = bench_shape(name, m, n, peers)
        except Exception as error:
            row["error"] = f"{type(error).__name__}: {error}"[:300]
            print(name, m, n, row["error"], flush=True)
            continue
        row["of_copy"] = row["us"]["copy"] / row["us"]["triton"]
        row["tb_per_s"] = n_bytes / row["us"]["triton"] / 1e6
        peers_us = {k: round(v, 2) for k, v in row["us"].items() if k != "triton"}
        print(f"{name:30s} {m:6d} x {n:5d} {row['us']['triton']:9.2f} us "
              f"{row['of_copy']:6.1%} of copy  {peers_us}", flush=True)  # fmt: skip
        torch.cuda.empty_cache()
    result = {
        "date": datetime.date.today().isoformat(),
        "command": " ".join(["python", *sys.argv]),
        "hardware": torch.cuda.get_device_name(),
        "driver": _driver(),
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "triton": triton.__version__,
        },
        "results": rows,
    }
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    if options.plot:
        plot(result, options.plot)


def _driver() -> str:
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    return subprocess.run(query, capture_output=True, text=True, check=False).stdout.strip()


def plot(result: dict, path: Path, cols: int = 7168) -> None:
    """Bandwidth against rows, a panel for each group of families."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    rows = [r for r in result["results"] if r["cols"] == cols and "us" in r]
    rows.sort(key=lambda row: row["rows"])
    names = list(dict.fromkeys(r["family"] for r in rows))
    panels = [
        ("plain", [n for n in names if "RMS" not in n and "*" not in n]),
        ("activations", [n for n in names if "*" in n]),
        ("RMSNorm", [n for n in names if "RMS" in n]),
    ]
    figure, axes = plt.subplots(1, 3, figsize=(15, 4.5), sharey=True)
    for axis, (title, members) in zip(axes, panels, strict=True):
        for name in members:
            points = [r for r in rows if r["family"] == name]
            axis.plot(
                [r["rows"] for r in points], [r["tb_per_s"] for r in points], "o-", label=name
            )
        reference = [r for r in rows if r["family"] == members[0]]
        axis.plot([r["rows"] for r in reference],
                  [r["bytes"] / r["us"]["copy"] / 1e6 for r in reference],
                  "k--", label=f"copy, bytes of {members[0]}")  # fmt: skip
        axis.set(xscale="log", xlabel=f"rows of {cols}", title=title)
        axis.legend(fontsize=7)
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("TB/s, read and written")
    figure.suptitle(f"Quantization on {result['hardware']}, Triton {result['versions']['triton']}")
    figure.tight_layout()
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main()
