"""Gated RMSNorm fused with quantization by groups."""

import torch
import triton

from kernels._triton_kernels.quant.gated_rms_norm import _gated_rms_norm_per_group_quant_kernel
from kernels.quant.arguments import (
    FLOAT_DTYPES,
    check_count,
    check_like,
    check_quant_dtype,
    check_vector,
    output,
)
from kernels.quant.rms_norm import check_row_input
from kernels.utils.arch import get_arch
from kernels.utils.config import get_config

GROUP_SIZE = 128


def gated_rms_norm_per_group_quant(
    x: torch.Tensor,
    gate: torch.Tensor,
    weight: torch.Tensor,
    *,
    eps: float = 1e-6,
    norm_before_gate: bool = True,
    dtype: torch.dtype | None = None,
    out: torch.Tensor | None = None,
    scale: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """RMSNorm gated by silu(gate), quantized to e4m3 with a scale per 1 x 128.

    x                 [M, N] fp32, fp16 or bf16; rows may lie apart, columns must not; N <= 32768
    gate              [M, N] in the type of x
    weight            [N] in one of these types
    eps               added to the mean square
    norm_before_gate  rms_norm(x) * weight * silu(gate), otherwise
                      rms_norm(x * silu(gate)) * weight; in fp32, without a rounding in between
    dtype             the e4m3 type of the arch (default, and the only one)
    out               [M, N] of that type, filled and returned where given
    scale             [M, ceil(N / 128)] fp32 in any strides, likewise

    Returns (q, scale), with the scales of `per_group_quant`. Raises `TypeError` or `ValueError`,
    naming the argument, for what it can't do.
    """
    m, n = check_row_input("x", x)
    arch = get_arch(x.device)
    groups_a_row = triton.cdiv(n, GROUP_SIZE)
    check_like("gate", gate, x, "x")
    check_vector("weight", weight, n, FLOAT_DTYPES, x.device)
    q = output("out", out, (m, n), check_quant_dtype(dtype, arch, allow_int8=False), x.device)
    scale = output("scale", scale, (m, groups_a_row), torch.float32, x.device, adjacent=False)
    if x.numel() == 0:
        return q, scale
    config, _ = get_config("gated_rms_norm_per_group_quant", m, arch=arch, shape=f"N={n}")
    block_size_g = triton.next_power_of_2(groups_a_row)
    block_size_m = max(1, config["TILE_SIZE"] // (block_size_g * GROUP_SIZE))
    num_splits = max(1, block_size_g * GROUP_SIZE // config["SPLIT_SIZE"])
    n_programs = triton.cdiv(m, block_size_m) * num_splits
    check_count("x", n_programs)
    _gated_rms_norm_per_group_quant_kernel[(n_programs,)](
        x,
        gate,
        weight,
        q,
        scale,
        m,
        n,
        groups_a_row,
        eps,
        x.stride(0),
        gate.stride(0),
        q.stride(0),
        scale.stride(0),
        scale.stride(1),
        NORM_BEFORE_GATE=bool(norm_before_gate),
        BLOCK_SIZE_M=block_size_m,
        BLOCK_SIZE_G=block_size_g,
        GROUP_SIZE=GROUP_SIZE,
        NUM_SPLITS=num_splits,
        num_warps=config["num_warps"],
    )
    return q, scale
