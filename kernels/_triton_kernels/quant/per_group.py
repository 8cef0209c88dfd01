"""Quantization with one scale for each group of neighbours in a row."""

import triton
import triton.language as tl

from kernels._triton_kernels.quant.groups import group_tile
from kernels._triton_kernels.quant.rounding import amax_to_scale, divide, largest, to_code
from kernels.utils.kernel_repr import make_kernel_repr

_per_group_quant_repr = make_kernel_repr(
    "_per_group_quant_kernel", ["BLOCK_SIZE_G", "GROUP_SIZE", "num_warps"]
)


@triton.jit(repr=_per_group_quant_repr, do_not_specialize=["n_groups"])
def _per_group_quant_kernel(
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
    BLOCK_SIZE_G: tl.constexpr,
    GROUP_SIZE: tl.constexpr,
    num_warps: tl.constexpr,
):
    """One program quantizes BLOCK_SIZE_G groups; the last group of a row may be short."""
    row, group, group_mask = group_tile(n_groups, groups_a_row, BLOCK_SIZE_G)
    cols = group[:, None] * GROUP_SIZE + tl.arange(0, GROUP_SIZE)[None, :]
    mask = group_mask[:, None] & (cols < n_cols)
    x = tl.load(x_ptr + row[:, None] * stride_x + cols, mask=mask, other=0.0).to(tl.float32)
    scale = amax_to_scale(tl.max(tl.abs(x), axis=1), largest(q_ptr.dtype.element_ty))
    q = divide(x, scale[:, None], x_ptr.dtype.element_ty == tl.float32)
    q = to_code(q, q_ptr.dtype.element_ty)
    tl.store(q_ptr + row[:, None] * stride_q + cols, q, mask=mask)
    scale_ptrs = scale_ptr + row * stride_scale_row + group * stride_scale_group
    tl.store(scale_ptrs, scale, mask=group_mask)
