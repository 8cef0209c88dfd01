"""OCP MXFP4: e2m1 elements, two a byte, one e8m0 scale for 32 of them."""

import torch
import triton

from kernels._triton_kernels.quant.mxfp4 import _mxfp4_quant_kernel
from kernels.quant.arguments import as_pairs, check_count, check_input, check_whole_groups, output
from kernels.utils.arch import get_arch
from kernels.utils.config import get_config

GROUP_SIZE = 32


def mxfp4_quant(
    x: torch.Tensor,
    *,
    out: torch.Tensor | None = None,
    scale: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Quantize `x` to MXFP4 (OCP Microscaling Formats 1.0): e2m1, one e8m0 scale per 1 x 32.

    x      [M, N] fp32, fp16 or bf16, N a multiple of 32; rows may lie apart, by an even number of
           elements, columns must not
    out    [M, N / 2] uint8, filled and returned where given
    scale  [M, N / 32] uint8, likewise

    Returns (q, scale): a byte of q holds two elements, the even one in its low half; the byte b
    of a scale stands for 2^(b - 127), and x is close to q * 2^(b - 127). That is the largest power
    of two in the amax, over 2^2; elements are rounded to nearest even and saturate at 6. A group
    of zeros gets the byte 0, a group with an Inf or a NaN the byte 255, which is NaN: its elements
    mean nothing. Raises `TypeError` or `ValueError`, naming the argument, for what it can't do.
    """
    m, n = check_input("x", x)
    arch = get_arch(x.device)
    check_whole_groups("x", n, GROUP_SIZE)
    groups_a_row = n // GROUP_SIZE
    q = output("out", out, (m, n // 2), torch.uint8, x.device)
    scale = output("scale", scale, (m, groups_a_row), torch.uint8, x.device)
    if x.numel() == 0:
        return q, scale
    check_count("x", m * groups_a_row)
    config, _ = get_config("mxfp4_quant", m, arch=arch)
    pairs = as_pairs("x", x)
    grid = (triton.cdiv(m * groups_a_row, config["BLOCK_SIZE_G"]),)
    _mxfp4_quant_kernel[grid](
        pairs,
        q,
        scale,
        m * groups_a_row,
        groups_a_row,
        pairs.stride(0),
        q.stride(0),
        scale.stride(0),
        IS_BF16=x.dtype == torch.bfloat16,
        BLOCK_SIZE_G=config["BLOCK_SIZE_G"],
        num_warps=config["num_warps"],
    )
    return q, scale
