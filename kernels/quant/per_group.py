"""Quantization with one scale for each group of neighbours in a row."""

import torch
import triton

from kernels._triton_kernels.quant.per_group import _per_group_quant_kernel
from kernels.quant.arguments import (
    check_count,
    check_input,
    check_quant_dtype,
    output,
)
from kernels.utils.arch import get_arch
from kernels.utils.config import get_config

GROUP_SIZE = 128


def per_group_quant(
    x: torch.Tensor,
    *,
    dtype: torch.dtype | None = None,
    out: torch.Tensor | None = None,
    scale: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Quantize each 1 x 128 group of `x` by its amax: scale = amax / largest value of the type.

    x      [M, N] fp32, fp16 or bf16; rows may lie apart, columns must not
    dtype  int8, or the e4m3 type of the arch (default)
    out    [M, N] of that type, filled and returned where given
    scale  [M, ceil(N / 128)] fp32 in any strides, likewise: a GEMM may want (1, M)

    Returns (q [M, N], scale), rounded to nearest even; the last group of a row may be short. A
    scale is at least 2^-126, also for zeros. NaN doesn't count for the amax and stays NaN, in
    int8 it is 0; Inf counts as the largest fp32 and saturates. Raises `TypeError` or
    `ValueError`, naming the argument, for what it can't do.
    """
    m, n = check_input("x", x)
    arch = get_arch(x.device)
    groups_a_row = triton.cdiv(n, GROUP_SIZE)
    q = output("out", out, (m, n), check_quant_dtype(dtype, arch), x.device)
    scale = output("scale", scale, (m, groups_a_row), torch.float32, x.device, adjacent=False)
    if x.numel() == 0:
        return q, scale
    check_count("x", m * groups_a_row)
    config, _ = get_config("per_group_quant", m, arch=arch)
    grid = (triton.cdiv(m * groups_a_row, config["BLOCK_SIZE_G"]),)
    _per_group_quant_kernel[grid](
        x,
        q,
        scale,
        n,
        m * groups_a_row,
        groups_a_row,
        x.stride(0),
        q.stride(0),
        scale.stride(0),
        scale.stride(1),
        BLOCK_SIZE_G=config["BLOCK_SIZE_G"],
        GROUP_SIZE=GROUP_SIZE,
        num_warps=config["num_warps"],
    )
    return q, scale
