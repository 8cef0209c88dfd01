"""NVFP4: e2m1 elements, two a byte, one e4m3 scale for 16 of them, one fp32 scale over all."""

import torch
import triton

from kernels._triton_kernels.quant.nvfp4 import _nvfp4_quant_kernel
from kernels.quant.arguments import (
    as_pairs,
    check_count,
    check_input,
    check_scale,
    check_whole_groups,
    output,
)
from kernels.quant.per_tensor import per_tensor_scale
from kernels.utils.arch import get_arch
from kernels.utils.config import get_config

GROUP_SIZE = 16
CODE_MAX = 6.0 * 448.0


def nvfp4_quant(
    x: torch.Tensor,
    tensor_scale: torch.Tensor | None = None,
    *,
    out: torch.Tensor | None = None,
    scale: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Quantize `x` to NVFP4: e2m1, one e4m3 scale per 1 x 16, one fp32 scale for the tensor.

    x             [M, N] fp32, fp16 or bf16, N a multiple of 16; rows may lie apart, by an even
                  number of elements, columns must not
    tensor_scale  one fp32 value > 0; where it is None, amax / (6 * 448) of x
    out           [M, N / 2] uint8, filled and returned where given
    scale         [M, N / 16] float8_e4m3fn, likewise

    Returns (q, scale, tensor_scale): a byte of q holds two elements, the even one in its low
    half, and x is close to q * scale * tensor_scale. The scale is amax / (6 * tensor_scale) in
    e4m3, at least 2^-9, also for zeros; the elements are x / (scale * tensor_scale). All are
    rounded to nearest even and saturate, each step in fp32. A group with an Inf or a NaN gets the
    scale NaN, and its elements mean nothing. Raises `TypeError` or `ValueError`, naming the
    argument, for what it can't do.
    """
    m, n = check_input("x", x)
    arch = get_arch(x.device)
    check_whole_groups("x", n, GROUP_SIZE)
    groups_a_row = n // GROUP_SIZE
    q = output("out", out, (m, n // 2), torch.uint8, x.device)
    scale = output("scale", scale, (m, groups_a_row), torch.float8_e4m3fn, x.device)
    if tensor_scale is None:
        tensor_scale = per_tensor_scale(x, CODE_MAX)
    check_scale("tensor_scale", tensor_scale, x.device)
    if x.numel() == 0:
        return q, scale, tensor_scale
    check_count("x", m * groups_a_row)
    config, _ = get_config("nvfp4_quant", m, arch=arch)
    pairs = as_pairs("x", x)
    grid = (triton.cdiv(m * groups_a_row, config["BLOCK_SIZE_G"]),)
    _nvfp4_quant_kernel[grid](
        pairs,
        tensor_scale,
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
    return q, scale, tensor_scale
