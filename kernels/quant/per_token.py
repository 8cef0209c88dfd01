"""Quantization with one scale a row."""

import torch
import triton

from kernels._triton_kernels.quant.per_token import _per_token_quant_kernel
from kernels.quant.arguments import (
    check_count,
    check_input,
    check_quant_dtype,
    output,
)
from kernels.utils.arch import get_arch
from kernels.utils.config import get_config


def per_token_quant(
    x: torch.Tensor,
    *,
    dtype: torch.dtype | None = None,
    out: torch.Tensor | None = None,
    scale: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Quantize each row of `x` by its amax: scale = amax / largest value of the type.

    x      [M, N] fp32, fp16 or bf16; rows may lie apart, columns must not
    dtype  int8, or the e4m3 type of the arch (default)
    out    [M, N] of that type, filled and returned where given
    scale  [M, 1] fp32, likewise

    Returns (q [M, N], scale [M, 1]) with x close to q * scale, rounded to nearest even. A scale
    is at least 2^-126, also for a row of zeros. NaN doesn't count for the amax and stays NaN, in
    int8 it is 0; Inf counts as the largest fp32 and saturates. Raises `TypeError` or
    `ValueError`, naming the argument, for what it can't do.
    """
    m, n = check_input("x", x)
    arch = get_arch(x.device)
    q = output("out", out, (m, n), check_quant_dtype(dtype, arch), x.device)
    scale = output("scale", scale, (m, 1), torch.float32, x.device, adjacent=False)
    if x.numel() == 0:
        scale.fill_(torch.finfo(torch.float32).tiny)
        return q, scale
    config, _ = get_config("per_token_quant", m, arch=arch, shape=f"N={n}")
    block_size_n = min(triton.next_power_of_2(n), config["TILE_SIZE"])
    block_size_m = config["TILE_SIZE"] // block_size_n
    one_tile = n <= block_size_n
    num_splits = max(1, block_size_n // config["SPLIT_SIZE"]) if one_tile else 1
    n_programs = triton.cdiv(m, block_size_m) * num_splits
    check_count("x", n_programs)
    _per_token_quant_kernel[(n_programs,)](
        x,
        q,
        scale,
        m,
        n,
        x.stride(0),
        q.stride(0),
        scale.stride(0),
        BLOCK_SIZE_M=block_size_m,
        BLOCK_SIZE_N=block_size_n,
        NUM_SPLITS=num_splits,
        ONE_TILE=one_tile,
        num_warps=config["num_warps"],
    )
    return q, scale
