"""OCP MXFP8: e4m3 elements, one e8m0 scale for 32 of them."""

import triton
import triton.language as tl

from kernels._triton_kernels.quant.groups import group_tile
from kernels._triton_kernels.quant.rounding import (
    e8m0_scale,
    largest,
    magnitude_bits,
    saturate,
    to_code,
)
from kernels.utils.kernel_repr import make_kernel_repr

GROUP_SIZE = tl.constexpr(32)
E4M3_EMAX = tl.constexpr(8)

_mxfp8_quant_repr = make_kernel_repr("_mxfp8_quant_kernel", ["BLOCK_SIZE_G", "num_warps"])


@triton.jit(repr=_mxfp8_quant_repr, do_not_specialize=["n_groups"])
def _mxfp8_quant_kernel(
    x_ptr,
    q_ptr,
    scale_ptr,
    n_groups,
    groups_a_row,
    stride_x,
    stride_q,
    stride_scale,
    BLOCK_SIZE_G: tl.constexpr,
    num_warps: tl.constexpr,
):
    """One program quantizes BLOCK_SIZE_G whole groups."""
    row, group, group_mask = group_tile(n_groups, groups_a_row, BLOCK_SIZE_G)
    cols = group[:, None] * GROUP_SIZE + tl.arange(0, GROUP_SIZE)[None, :]
    mask = group_mask[:, None]
    x = tl.load(x_ptr + row[:, None] * stride_x + cols, mask=mask, other=0.0).to(tl.float32)
    byte, reciprocal = e8m0_scale(tl.max(magnitude_bits(x), axis=1), E4M3_EMAX)
    q = to_code(
        saturate(x * reciprocal[:, None], largest(q_ptr.dtype.element_ty)), q_ptr.dtype.element_ty
    )
    tl.store(q_ptr + row[:, None] * stride_q + cols, q, mask=mask)
    tl.store(scale_ptr + row * stride_scale + group, byte, mask=group_mask)
