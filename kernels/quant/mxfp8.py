"""OCP MXFP8: e4m3 elements, one e8m0 scale for 32 of them."""

import torch
import triton

from kernels._triton_kernels.quant.mxfp8 import _mxfp8_quant_kernel
from kernels.quant.arguments import check_count, check_input, check_whole_groups, output
from kernels.utils.arch import get_arch
from kernels.utils.config import get_config

GROUP_SIZE = 32


def mxfp8_quant(
    x: torch.Tensor,
    *,
    out: torch.Tensor | None = None,
    scale: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Quantize `x` to MXFP8 (OCP Microscaling Formats 1.0): e4m3, one e8m0 scale per 1 x 32.

    x      [M, N] fp32, fp16 or bf16, N a multiple of 32; rows may lie apart, columns must not
    out    [M, N] float8_e4m3fn, filled and returned where given
    scale  [M, N / 32] uint8, likewise

    Returns (q, scale): the byte b of a scale stands for 2^(b - 127), and x is close to
    q * 2^(b - 127). That is the largest power of two in the amax, over 2^8; elements are rounded
    to nearest even and saturate at 448. A group of zeros gets the byte 0, a group with an Inf or a
    NaN the byte 255, which is NaN: its elements mean nothing. Raises `TypeError` or
    `ValueError`, naming the argument, for what it can't do.
    """
    m, n = check_input("x", x)
    arch = get_arch(x.device)
    check_whole_groups("x", n, GROUP_SIZE)
    groups_a_row = n // GROUP_SIZE
    q = output("out", out, (m, n), torch.float8_e4m3fn, x.device)
    scale = output("scale", scale, (m, groups_a_row), torch.uint8, x.device)
    if x.numel() == 0:
        return q, scale
    check_count("x", m * groups_a_row)
    config, _ = get_config("mxfp8_quant", m, arch=arch)
    grid = (triton.cdiv(m * groups_a_row, config["BLOCK_SIZE_G"]),)
    _mxfp8_quant_kernel[grid](
        x,
        q,
        scale,
        m * groups_a_row,
        groups_a_row,
        x.stride(0),
        q.stride(0),
        scale.stride(0),
        BLOCK_SIZE_G=config["BLOCK_SIZE_G"],
        num_warps=config["num_warps"],
    )
    return q, scale
