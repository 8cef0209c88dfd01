"""Gated RMSNorm fused with quantization by groups."""

import triton
import triton.language as tl

from kernels._triton_kernels.quant.act_mul import activate
from kernels._triton_kernels.quant.rms_norm import (
    part_of,
    program_rows,
    reciprocal_rms,
    row_sum,
)
from kernels._triton_kernels.quant.rounding import amax_to_scale, largest, to_code
from kernels.utils.kernel_repr import make_kernel_repr

_gated_rms_norm_per_group_quant_repr = make_kernel_repr(
    "_gated_rms_norm_per_group_quant_kernel",
    ["NORM_BEFORE_GATE", "BLOCK_SIZE_M", "BLOCK_SIZE_G", "GROUP_SIZE", "NUM_SPLITS", "num_warps"],
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
    NUM_SPLITS: tl.constexpr,
    num_warps: tl.constexpr,
):
    """rms_norm(x) * silu(gate), or rms_norm(x * silu(gate)); rows seen as [M, G, GROUP_SIZE]."""
    rows = program_rows(BLOCK_SIZE_M, NUM_SPLITS)[:, None, None]
    groups = tl.arange(0, BLOCK_SIZE_G)[None, :, None]
    cols = groups * GROUP_SIZE + tl.arange(0, GROUP_SIZE)[None, None, :]
    x_row_ptr = x_ptr + rows * stride_x
    gate_row_ptr = gate_ptr + rows * stride_gate
    mask = (rows < n_rows) & (cols < n_cols)
    x = tl.load(x_row_ptr + cols, mask=mask, other=0.0).to(tl.float32)
    # Left out by the compiler where only a part of the gate, loaded below, is used.
    gate = activate(tl.load(gate_row_ptr + cols, mask=mask, other=0.0).to(tl.float32), False)
    weight = tl.load(weight_ptr + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
    if not NORM_BEFORE_GATE:
        x *= gate
    rstd = reciprocal_rms(row_sum(x * x), n_cols, eps)
    if NUM_SPLITS > 1:
        groups = part_of(BLOCK_SIZE_G, NUM_SPLITS)[None, :, None]
        cols = groups * GROUP_SIZE + tl.arange(0, GROUP_SIZE)[None, None, :]
        mask = (rows < n_rows) & (cols < n_cols)
        x = tl.load(x_row_ptr + cols, mask=mask, other=0.0).to(tl.float32)
        gate = activate(tl.load(gate_row_ptr + cols, mask=mask, other=0.0).to(tl.float32), False)
        weight = tl.load(weight_ptr + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
        if not NORM_BEFORE_GATE:
            x *= gate
    y = x * weight * rstd
    if NORM_BEFORE_GATE:
        y *= gate
    amax = tl.max(tl.abs(y), axis=2, keep_dims=True)
    scale = amax_to_scale(amax, largest(q_ptr.dtype.element_ty))
    q = to_code(y * (1.0 / scale), q_ptr.dtype.element_ty)
    tl.store(q_ptr + rows * stride_q + cols, q, mask=mask)
    scale_ptrs = scale_ptr + rows * stride_scale_row + groups * stride_scale_group
    tl.store(scale_ptrs, scale, mask=(rows < n_rows) & (groups < groups_a_row))
