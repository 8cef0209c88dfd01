"""Gated activations with quantization by groups: act(x1) * x2, where x = [x1 | x2]."""

import triton
import triton.language as tl

from kernels._triton_kernels.quant.groups import group_tile
from kernels._triton_kernels.quant.rounding import amax_to_scale, largest, to_code
from kernels.utils.kernel_repr import make_kernel_repr

MINUS_LOG2_E = tl.constexpr(-1.4426950408889634)
SQRT_HALF = tl.constexpr(0.7071067811865476)

_act_mul_per_group_quant_repr = make_kernel_repr(
    "_act_mul_per_group_quant_kernel", ["IS_GELU", "BLOCK_SIZE_G", "GROUP_SIZE", "num_warps"]
)


@triton.jit(repr=_act_mul_per_group_quant_repr, do_not_specialize=["n_groups"])
def _act_mul_per_group_quant_kernel(
    x_ptr,
    q_ptr,
    scale_ptr,
    n_cols,
    n_groups,
    groups_a_row,
    stride_x,
    stride_q,
    stride_scale_row,
    stride_scale_group,
    IS_GELU: tl.constexpr,
    BLOCK_SIZE_G: tl.constexpr,
    GROUP_SIZE: tl.constexpr,
    num_warps: tl.constexpr,
):
    """One program makes BLOCK_SIZE_G groups of the n_cols outputs of a row."""
    row, group, group_mask = group_tile(n_groups, groups_a_row, BLOCK_SIZE_G)
    cols = group[:, None] * GROUP_SIZE + tl.arange(0, GROUP_SIZE)[None, :]
    mask = group_mask[:, None] & (cols < n_cols)
    x_ptrs = x_ptr + row[:, None] * stride_x + cols
    x1 = tl.load(x_ptrs, mask=mask, other=0.0).to(tl.float32)
    x2 = tl.load(x_ptrs + n_cols, mask=mask, other=0.0).to(tl.float32)
    y = activate(x1, IS_GELU) * x2
    scale = amax_to_scale(tl.max(tl.abs(y), axis=1), largest(q_ptr.dtype.element_ty))
    q = to_code(y * (1.0 / scale[:, None]), q_ptr.dtype.element_ty)
    tl.store(q_ptr + row[:, None] * stride_q + cols, q, mask=mask)
    scale_ptrs = scale_ptr + row * stride_scale_row + group * stride_scale_group
    tl.store(scale_ptrs, scale, mask=group_mask)


_splitk_act_mul_per_group_quant_repr = make_kernel_repr(
    "_splitk_act_mul_per_group_quant_kernel",
    ["IS_GELU", "NUM_KSPLIT", "BLOCK_SIZE_G", "GROUP_SIZE", "num_warps"],
)


@triton.jit(repr=_splitk_act_mul_per_group_quant_repr, do_not_specialize=["n_groups"])
def _splitk_act_mul_per_group_quant_kernel(
    x_ptr,
    q_ptr,
    scale_ptr,
    n_cols,
    n_groups,
    groups_a_row,
    stride_split,
    stride_x,
    stride_q,
    stride_scale_row,
    stride_scale_group,
    IS_GELU: tl.constexpr,
    NUM_KSPLIT: tl.constexpr,
    BLOCK_SIZE_G: tl.constexpr,
    GROUP_SIZE: tl.constexpr,
    num_warps: tl.constexpr,
):
    """The same of the sum of NUM_KSPLIT partial products, added in their order."""
    row, group, group_mask = group_tile(n_groups, groups_a_row, BLOCK_SIZE_G)
    cols = group[:, None] * GROUP_SIZE + tl.arange(0, GROUP_SIZE)[None, :]
    mask = group_mask[:, None] & (cols < n_cols)
    x_ptrs = x_ptr + row[:, None] * stride_x + cols
    x1 = tl.zeros((BLOCK_SIZE_G, GROUP_SIZE), tl.float32)
    x2 = tl.zeros((BLOCK_SIZE_G, GROUP_SIZE), tl.float32)
    for _ in tl.static_range(NUM_KSPLIT):
        x1 += tl.load(x_ptrs, mask=mask, other=0.0)
        x2 += tl.load(x_ptrs + n_cols, mask=mask, other=0.0)
        x_ptrs += stride_split
    y = activate(x1, IS_GELU) * x2
    scale = amax_to_scale(tl.max(tl.abs(y), axis=1), largest(q_ptr.dtype.element_ty))
    q = to_code(y * (1.0 / scale[:, None]), q_ptr.dtype.element_ty)
    tl.store(q_ptr + row[:, None] * stride_q + cols, q, mask=mask)
    scale_ptrs = scale_ptr + row * stride_scale_row + group * stride_scale_group
    tl.store(scale_ptrs, scale, mask=group_mask)


@triton.jit
def activate(x, IS_GELU: tl.constexpr):
    """silu(x), or gelu(x) by the error function."""
    if IS_GELU:
        return 0.5 * x * (1.0 + tl.erf(x * SQRT_HALF))
    else:
        # The square of a reciprocal root, in half the instructions of a division.
        root = tl.rsqrt(1.0 + tl.exp2(x * MINUS_LOG2_E))
        return x * root * root
