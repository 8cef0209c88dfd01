"""Gated RMSNorm fused with quantization by groups."""

import triton
import triton.language as tl

from kernels._triton_kernels.quant.act_mul import activate
from kernels._triton_kernels.quant.rms_norm import reciprocal_rms, row_group_tile
from kernels._triton_kernels.quant.rounding import amax_to_scale, largest, quantize
from kernels.utils.kernel_repr import make_kernel_repr

_gated_rms_norm_per_group_quant_repr = make_kernel_repr(
    "_gated_rms_norm_per_group_quant_kernel",
    ["NORM_BEFORE_GATE", "BLOCK_SIZE_M", "BLOCK_SIZE_G", "GROUP_SIZE", "num_warps"],
)


@triton.jit(repr=_gated_rms_norm_per_group_quant_repr, do_not_specialize=["n_rows"])
def _gated_rms_norm_per_group_quant_kernel(
    x_ptr,
    gate_ptr,
    weight_ptr,
    q_ptr,
    scale_ptr,
    n_rows,
    n_cols,
    groups_a_row,
    eps,
    stride_x,
    stride_gate,
    stride_q,
    stride_scale_row,
    stride_scale_group,
    NORM_BEFORE_GATE: tl.constexpr,
    BLOCK_SIZE_M: tl.constexpr,
    BLOCK_SIZE_G: tl.constexpr,
    GROUP_SIZE: tl.constexpr,
    num_warps: tl.constexpr,
):
    """rms_norm(x) * silu(gate), or rms_norm(x * silu(gate)), for BLOCK_SIZE_M rows a program."""
    rows, groups, cols = row_group_tile(BLOCK_SIZE_M, BLOCK_SIZE_G, GROUP_SIZE)
    mask = (rows < n_rows) & (cols < n_cols)
    weight = tl.load(weight_ptr + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
    x = tl.load(x_ptr + rows * stride_x + cols, mask=mask, other=0.0).to(tl.float32)
    gate = tl.load(gate_ptr + rows * stride_gate + cols, mask=mask, other=0.0).to(tl.float32)
    gate = activate(gate, IS_GELU=False)
    if not NORM_BEFORE_GATE:
        x *= gate
    squares = tl.sum(tl.sum(x * x, axis=2, keep_dims=True), axis=1, keep_dims=True)
    y = x * reciprocal_rms(squares, n_cols, eps) * weight
    if NORM_BEFORE_GATE:
        y *= gate
    amax = tl.max(tl.abs(y), axis=2, keep_dims=True)
    scale = amax_to_scale(amax, largest(q_ptr.dtype.element_ty))
    q = quantize(y, scale, q_ptr.dtype.element_ty)
    tl.store(q_ptr + rows * stride_q + cols, q, mask=mask)
    scale_ptrs = scale_ptr + rows * stride_scale_row + groups * stride_scale_group
    tl.store(scale_ptrs, scale, mask=(rows < n_rows) & (groups < groups_a_row))
