"""Operands and the fp64 reference of the block-scale GEMM."""

import os
from dataclasses import dataclass

import torch

DEVICE = "cpu" if os.environ.get("TRITON_INTERPRET") == "1" else "cuda"

# Rounding to nearest: half a unit in the last place, relative, is at most this; a whole result,
# measured by norms, stays under it. fp32 sums of 128 products of a wgmma keep fewer bits.
MAX_ERROR = {torch.bfloat16: 2.0**-9, torch.float16: 2.0**-11, torch.float32: 2.0**-12}


@dataclass(frozen=True)
class Problem:
    x: torch.Tensor
    w: torch.Tensor
    x_scale: torch.Tensor
    w_scale: torch.Tensor
    bias: torch.Tensor

    @property
    def operands(self) -> tuple[torch.Tensor, ...]:
        return self.x, self.w, self.x_scale, self.w_scale

    def expected(self, bias: bool = False) -> torch.Tensor:
        """X W^T in fp64, the scales applied per block."""
        n, k = self.w.shape
        x = self.x.double() * self.x_scale.double().repeat_interleave(128, 1)[:, :k]
        w_scale = self.w_scale.double().repeat_interleave(128, 0)[:n]
        y = x @ (self.w.double() * w_scale.repeat_interleave(128, 1)[:, :k]).T
        return y + self.bias.double() if bias else y


def make_problem(m: int, n: int, k: int, device: str, *, transposed_scales: bool = False):
    """Random operands; scales between 0.1 and 1.1, one of each kind exactly 0."""
    gen = torch.Generator(device=device).manual_seed(m * 7919 + n * 31 + k)

    def random(*shape):
        return torch.randn(shape, device=device, generator=gen)

    def scale(rows):
        return torch.rand((rows, -(-k // 128)), device=device, generator=gen) + 0.1

    x_scale, w_scale = scale(m), scale(-(-n // 128))
    if m > 1:
        x_scale[m // 2, :1] = 0
    if transposed_scales:
        padded = torch.zeros((x_scale.shape[1], -(-m // 4) * 4), device=device)
        padded[:, :m] = x_scale.t()
        x_scale = padded[:, :m].t()
    fp8 = torch.float8_e4m3fn
    return Problem(random(m, k).to(fp8), random(n, k).to(fp8), x_scale, w_scale, random(n))


def relative_error(y: torch.Tensor, expected: torch.Tensor) -> float:
    norm = expected.norm().item()
    return (y.double() - expected).norm().item() / norm if norm else float(y.abs().max())


def make_config(m: int, n: int, splits: int = 1, warps: int = 4, stages: int = 2, group: int = 4):
    return {
        "BLOCK_SIZE_M": m,
        "BLOCK_SIZE_N": n,
        "BLOCK_SIZE_K": 128,
        "GROUP_SIZE_M": group,
        "NUM_KSPLIT": splits,
        "num_warps": warps,
        "num_stages": stages,
    }
