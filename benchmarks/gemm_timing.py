"""Inputs, checks and timing for the block-scale GEMM's benchmark and tuner.

One CUDA graph per implementation, launching once per copy of the inputs; the copies together
are larger than the L2, so every launch reads its operands from memory. Implementations are
timed in turn, group by group, and each reports the median of its groups: clocks drift, and a
drift then touches all of them.
"""

import statistics
from collections.abc import Callable
from dataclasses import dataclass

import torch

ROTATED_BYTES = 200 * 2**20
GROUPS = 7
GROUP_MS = 4.0


@dataclass(frozen=True)
class Operands:
    x: torch.Tensor
    w: torch.Tensor
    x_scale: torch.Tensor
    w_scale: torch.Tensor
    y: torch.Tensor


def make_operands(m: int, n: int, k: int, seed: int = 0) -> Operands:
    """Random e4m3 operands with scales around 1; y is filled with NaN.

    The scales of X are contiguous over M, with a pitch that is a multiple of 4: the layout that
    every implementation here takes, and the peers demand.
    """
    gen = torch.Generator(device="cuda").manual_seed(seed)

    def fp8(rows):
        full = torch.randn(rows, k, device="cuda", generator=gen)
        return full.clamp_(-448, 448).to(torch.float8_e4m3fn)

    def scale(rows):
        return torch.rand(rows, -(-k // 128), device="cuda", generator=gen) + 0.5

    x_scale = torch.zeros(-(-k // 128), -(-m // 4) * 4, device="cuda")[:, :m].t()
    x_scale.copy_(scale(m))

    y = torch.full((m, n), float("nan"), device="cuda", dtype=torch.bfloat16)
    return Operands(fp8(m), fp8(n), x_scale, scale(-(-n // 128)), y)


def rotated_operands(m: int, n: int, k: int) -> list[Operands]:
    """As many operands as exceed the L2 several times over."""
    size = m * k + n * k + 2 * m * n
    return [make_operands(m, n, k, seed) for seed in range(max(2, -(-ROTATED_BYTES // size)))]


def reference(ops: Operands, bias: torch.Tensor | None = None) -> torch.Tensor:
    """The fp64 result, scales applied per block."""
    n, k = ops.w.shape
    x = ops.x.double() * ops.x_scale.double().repeat_interleave(128, 1)[:, :k]
    w_scale = ops.w_scale.double().repeat_interleave(128, 0)[:n].repeat_interleave(128, 1)[:, :k]
    y = x @ (ops.w.double() * w_scale).T
    return y if bias is None else y + bias.double()


def relative_error(y: torch.Tensor, expected: torch.Tensor) -> float:
    return ((y.double() - expected).norm() / expected.norm()).item()


def capture(call: Callable[[Operands], object], copies: list[Operands]) -> torch.cuda.CUDAGraph:
    """One graph that calls on every copy; compiled and warmed up before."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for ops in copies[:2]:
            call(ops)
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for ops in copies:
            call(ops)
    return graph


def time_graphs(
    graphs: dict[str, torch.cuda.CUDAGraph],
    launches: int,
    groups: int = GROUPS,
    group_ms: float = GROUP_MS,
) -> dict[str, float]:
    """Microseconds of one launch in each graph of `launches` launches: medians of the groups."""

    def replay(graph, repeats):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(repeats):
            graph.replay()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / repeats

    repeats = {}
    for name, graph in graphs.items():
        replay(graph, 1)
        repeats[name] = max(1, round(group_ms / replay(graph, 2)))
    times = {name: [] for name in graphs}
    for _ in range(groups):
        for name, graph in graphs.items():
            times[name].append(replay(graph, repeats[name]))
    return {name: statistics.median(each) * 1000 / launches for name, each in times.items()}
