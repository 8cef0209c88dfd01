"""RMSNorm, with an optional residual, fused with quantization."""

import triton
import triton.language as tl

from kernels._triton_kernels.quant.rounding import amax_to_scale, largest, quantize
from kernels.utils.kernel_repr import make_kernel_repr

_rms_norm_static_quant_repr = make_kernel_repr(
    "_rms_norm_static_quant_kernel", ["HAS_RESIDUAL", "BLOCK_SIZE_M", "BLOCK_SIZE_N", "num_warps"]
)


@triton.jit(repr=_rms_norm_static_quant_repr, do_not_specialize=["n_rows"])
def _rms_norm_static_quant_kernel(
    x_ptr,
    weight_ptr,
    residual_ptr,
    scale_ptr,
    q_ptr,
    residual_out_ptr,
    n_rows,
    n_cols,
    eps,
    stride_x,
    stride_residual,
    stride_q,
    stride_residual_out,
    HAS_RESIDUAL: tl.constexpr,
    BLOCK_SIZE_M: tl.constexpr,
    BLOCK_SIZE_N: tl.constexpr,
    num_warps: tl.constexpr,
):
    """q = rms_norm(x + residual) / scale, for BLOCK_SIZE_M rows a program."""
    rows, cols, mask = _row_tile(n_rows, n_cols, BLOCK_SIZE_M, BLOCK_SIZE_N)
    scale = tl.load(scale_ptr)
    weight = tl.load(weight_ptr + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
    x = tl.load(x_ptr + rows * stride_x + cols, mask=mask, other=0.0)
    if HAS_RESIDUAL:
        residual = tl.load(residual_ptr + rows * stride_residual + cols, mask=mask, other=0.0)
        x = add_residual(x, residual)
        tl.store(residual_out_ptr + rows * stride_residual_out + cols, x, mask=mask)
    x = x.to(tl.float32)
    rstd = reciprocal_rms(tl.sum(x * x, axis=1, keep_dims=True), n_cols, eps)
    q = quantize(x * rstd * weight, scale, q_ptr.dtype.element_ty)
    tl.store(q_ptr + rows * stride_q + cols, q, mask=mask)


_rms_norm_per_token_quant_repr = make_kernel_repr(
    "_rms_norm_per_token_quant_kernel",
    ["HAS_RESIDUAL", "BLOCK_SIZE_M", "BLOCK_SIZE_N", "num_warps"],
)


@triton.jit(repr=_rms_norm_per_token_quant_repr, do_not_specialize=["n_rows"])
def _rms_norm_per_token_quant_kernel(
    x_ptr,
    weight_ptr,
    residual_ptr,
    q_ptr,
    scale_ptr,
    residual_out_ptr,
    n_rows,
    n_cols,
    eps,
    stride_x,
    stride_residual,
    stride_q,
    stride_scale,
    stride_residual_out,
    HAS_RESIDUAL: tl.constexpr,
    BLOCK_SIZE_M: tl.constexpr,
    BLOCK_SIZE_N: tl.constexpr,
    num_warps: tl.constexpr,
):
    """rms_norm(x + residual) by a scale a row, for BLOCK_SIZE_M rows a program."""
    rows, cols, mask = _row_tile(n_rows, n_cols, BLOCK_SIZE_M, BLOCK_SIZE_N)
    weight = tl.load(weight_ptr + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
    x = tl.load(x_ptr + rows * stride_x + cols, mask=mask, other=0.0)
    if HAS_RESIDUAL:
        residual = tl.load(residual_ptr + rows * stride_residual + cols, mask=mask, other=0.0)
        x = add_residual(x, residual)
        tl.store(residual_out_ptr + rows * stride_residual_out + cols, x, mask=mask)
    x = x.to(tl.float32)
    rstd = reciprocal_rms(tl.sum(x * x, axis=1, keep_dims=True), n_cols, eps)
    y = x * rstd * weight
    amax = tl.max(tl.abs(y), axis=1, keep_dims=True)
    scale = amax_to_scale(amax, largest(q_ptr.dtype.element_ty))
    q = quantize(y, scale, q_ptr.dtype.element_ty)
    tl.store(q_ptr + rows * stride_q + cols, q, mask=mask)
    tl.store(scale_ptr + rows * stride_scale, scale, mask=rows < n_rows)


_rms_norm_per_group_quant_repr = make_kernel_repr(
    "_rms_norm_per_group_quant_kernel",
    ["HAS_RESIDUAL", "BLOCK_SIZE_M", "BLOCK_SIZE_G", "GROUP_SIZE", "num_warps"],
)


@triton.jit(repr=_rms_norm_per_group_quant_repr, do_not_specialize=["n_rows"])
def _rms_norm_per_group_quant_kernel(
    x_ptr,
    weight_ptr,
    residual_ptr,
    q_ptr,
    scale_ptr,
    residual_out_ptr,
    n_rows,
    n_cols,
    groups_a_row,
    eps,
    stride_x,
    stride_residual,
    stride_q,
    stride_scale_row,
    stride_scale_group,
    stride_residual_out,
    HAS_RESIDUAL: tl.constexpr,
    BLOCK_SIZE_M: tl.constexpr,
    BLOCK_SIZE_G: tl.constexpr,
    GROUP_SIZE: tl.constexpr,
    num_warps: tl.constexpr,
):
    """rms_norm(x + residual) by a scale a group, for BLOCK_SIZE_M rows a program."""
    rows, groups, cols = row_group_tile(BLOCK_SIZE_M, BLOCK_SIZE_G, GROUP_SIZE)
    mask = (rows < n_rows) & (cols < n_cols)
    weight = tl.load(weight_ptr + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
    x = tl.load(x_ptr + rows * stride_x + cols, mask=mask, other=0.0)
    if HAS_RESIDUAL:
        residual = tl.load(residual_ptr + rows * stride_residual + cols, mask=mask, other=0.0)
        x = add_residual(x, residual)
        tl.store(residual_out_ptr + rows * stride_residual_out + cols, x, mask=mask)
    x = x.to(tl.float32)
    squares = tl.sum(tl.sum(x * x, axis=2, keep_dims=True), axis=1, keep_dims=True)
    y = x * reciprocal_rms(squares, n_cols, eps) * weight
    amax = tl.max(tl.abs(y), axis=2, keep_dims=True)
    scale = amax_to_scale(amax, largest(q_ptr.dtype.element_ty))
    q = quantize(y, scale, q_ptr.dtype.element_ty)
    tl.store(q_ptr + rows * stride_q + cols, q, mask=mask)
    scale_ptrs = scale_ptr + rows * stride_scale_row + groups * stride_scale_group
    tl.store(scale_ptrs, scale, mask=(rows < n_rows) & (groups < groups_a_row))


@triton.jit
def add_residual(x, residual):
    """x + residual as it is stored, in the type of both; the norm is taken of just that."""
    return (x.to(tl.float32) + residual.to(tl.float32)).to(x.dtype)


@triton.jit
def reciprocal_rms(squares, n_cols, eps):
    """1 / sqrt(mean square + eps), from the sum of squares."""
    mean = tl.div_rn(squares, tl.zeros_like(squares) + n_cols)
    return tl.div_rn(tl.zeros_like(squares) + 1.0, tl.sqrt_rn(mean + eps))


@triton.jit
def row_group_tile(
    BLOCK_SIZE_M: tl.constexpr, BLOCK_SIZE_G: tl.constexpr, GROUP_SIZE: tl.constexpr
):
    """Rows, groups and columns of whole rows seen as [M, G, GROUP_SIZE]."""
    rows = tl.program_id(0).to(tl.int64) * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)
    groups = tl.arange(0, BLOCK_SIZE_G)[None, :, None]
    cols = groups * GROUP_SIZE + tl.arange(0, GROUP_SIZE)[None, None, :]
    return rows[:, None, None], groups, cols


@triton.jit
def _row_tile(n_rows, n_cols, BLOCK_SIZE_M: tl.constexpr, BLOCK_SIZE_N: tl.constexpr):
    """Rows, columns and mask of BLOCK_SIZE_M whole rows."""
    rows = tl.program_id(0).to(tl.int64) * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)[:, None]
    cols = tl.arange(0, BLOCK_SIZE_N)[None, :]
    return rows, cols, (rows < n_rows) & (cols < n_cols)
