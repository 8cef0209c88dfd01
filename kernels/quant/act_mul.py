"""Gated activations with quantization by groups: act(x1) * x2, where x = [x1 | x2]."""

import torch
import triton

from kernels._triton_kernels.quant.act_mul import (
    _act_mul_per_group_quant_kernel,
    _splitk_act_mul_per_group_quant_kernel,
)
from kernels.quant.arguments import (
    check_adjacent,
    check_count,
    check_input,
    check_quant_dtype,
    check_tensor,
    check_whole_groups,
    output,
)
from kernels.utils.arch import get_arch
from kernels.utils.config import get_config

GROUP_SIZE = 128
ACTIVATIONS = ("silu", "gelu")


def act_mul_per_group_quant(
    x: torch.Tensor,
    activation: str = "silu",
    *,
    dtype: torch.dtype | None = None,
    out: torch.Tensor | None = None,
    scale: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """act(x1) * x2 in fp32, where x = [x1 | x2], quantized to e4m3 with a scale per 1 x 128.

    x           [M, 2N] fp32, fp16 or bf16; rows may lie apart, columns must not
    activation  "silu", or "gelu" (by the error function)
    dtype       the e4m3 type of the arch (default, and the only one)
    out         [M, N] of that type, filled and returned where given
    scale       [M, ceil(N / 128)] fp32 in any strides, likewise

    Returns (q, scale), with the scales of `per_group_quant`. Raises `TypeError` or `ValueError`,
    naming the argument, for what it can't do.
    """
    m, n2 = check_input("x", x)
    arch = get_arch(x.device)
    check_whole_groups("x", n2, 2)
    _check_activation(activation)
    n = n2 // 2
    groups_a_row = triton.cdiv(n, GROUP_SIZE)
    q = output("out", out, (m, n), check_quant_dtype(dtype, arch, allow_int8=False), x.device)
    scale = output("scale", scale, (m, groups_a_row), torch.float32, x.device, adjacent=False)
    if x.numel() == 0:
        return q, scale
    check_count("x", m * groups_a_row)
    config, _ = get_config("act_mul_per_group_quant", m, arch=arch)
    grid = (triton.cdiv(m * groups_a_row, config["BLOCK_SIZE_G"]),)
    _act_mul_per_group_quant_kernel[grid](
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
        IS_GELU=activation == "gelu",
        BLOCK_SIZE_G=config["BLOCK_SIZE_G"],
        GROUP_SIZE=GROUP_SIZE,
        num_warps=config["num_warps"],
    )
    return q, scale


def splitk_act_mul_per_group_quant(
    x: torch.Tensor,
    activation: str = "silu",
    *,
    dtype: torch.dtype | None = None,
    out: torch.Tensor | None = None,
    scale: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """The same of the sum of the partial products that a split-K GEMM left: x.sum(0).

    x  [S, M, 2N] fp32, the columns adjacent; the S parts are added in their order, in fp32. Each
       S is compiled for itself

    The other arguments, the result and the errors are those of `act_mul_per_group_quant`.
    """
    check_tensor("x", x, (torch.float32,))
    if x.dim() != 3 or x.shape[0] == 0:
        raise ValueError(f"x must have 3 dimensions [S, M, 2N], S > 0, not {tuple(x.shape)}")
    check_adjacent("x", x)
    arch = get_arch(x.device)
    num_ksplit, m, n2 = x.shape
    check_whole_groups("x", n2, 2)
    _check_activation(activation)
    n = n2 // 2
    groups_a_row = triton.cdiv(n, GROUP_SIZE)
    q = output("out", out, (m, n), check_quant_dtype(dtype, arch, allow_int8=False), x.device)
    scale = output("scale", scale, (m, groups_a_row), torch.float32, x.device, adjacent=False)
    if x.numel() == 0:
        return q, scale
    check_count("x", m * groups_a_row)
    config, _ = get_config("splitk_act_mul_per_group_quant", m, arch=arch)
    grid = (triton.cdiv(m * groups_a_row, config["BLOCK_SIZE_G"]),)
    _splitk_act_mul_per_group_quant_kernel[grid](
        x,
        q,
        scale,
        n,
        m * groups_a_row,
        groups_a_row,
        x.stride(0),
        x.stride(1),
        q.stride(0),
        scale.stride(0),
        scale.stride(1),
        IS_GELU=activation == "gelu",
        NUM_KSPLIT=num_ksplit,
        BLOCK_SIZE_G=config["BLOCK_SIZE_G"],
        GROUP_SIZE=GROUP_SIZE,
        num_warps=config["num_warps"],
    )
    return q, scale


def _check_activation(activation: str) -> None:
    if activation not in ACTIVATIONS:
        raise ValueError(f"activation {activation!r} is none of {', '.join(ACTIVATIONS)}")
