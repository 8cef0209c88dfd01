"""RMSNorm, with an optional residual, fused with quantization.

A program holds BLOCK_SIZE_M whole rows. Few rows are shared by NUM_SPLITS programs each: all of
them find what concerns the whole row, and each makes its part of it.
"""

import triton
import triton.language as tl

from kernels._triton_kernels.quant.rounding import amax_to_scale, largest, saturate, to_code
from kernels.utils.kernel_repr import make_kernel_repr

_rms_norm_static_quant_repr = make_kernel_repr(
    "_rms_norm_static_quant_kernel",
    ["HAS_RESIDUAL", "BLOCK_SIZE_M", "BLOCK_SIZE_N", "NUM_SPLITS", "num_warps"],
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
    NUM_SPLITS: tl.constexpr,
    num_warps: tl.constexpr,
):
    """q = rms_norm(x + residual) / scale."""
    rows = program_rows(BLOCK_SIZE_M, NUM_SPLITS)[:, None]
    cols = tl.arange(0, BLOCK_SIZE_N)[None, :]
    mask = (rows < n_rows) & (cols < n_cols)
    x_row_ptr = x_ptr + rows * stride_x
    residual_row_ptr = residual_ptr + rows * stride_residual if HAS_RESIDUAL else None
    scale = tl.load(scale_ptr)
    weight = tl.load(weight_ptr + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
    h = load_sum(x_row_ptr, residual_row_ptr, cols, mask, HAS_RESIDUAL)
    x = h.to(tl.float32)
    rstd = reciprocal_rms(tl.sum(x * x, axis=1, keep_dims=True), n_cols, eps)
    if NUM_SPLITS > 1:
        cols = part_of(BLOCK_SIZE_N, NUM_SPLITS)[None, :]
        mask = (rows < n_rows) & (cols < n_cols)
        weight = tl.load(weight_ptr + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
        h = load_sum(x_row_ptr, residual_row_ptr, cols, mask, HAS_RESIDUAL)
        x = h.to(tl.float32)
    y = x * weight * rstd * (1.0 / scale)
    q = to_code(saturate(y, largest(q_ptr.dtype.element_ty)), q_ptr.dtype.element_ty)
    tl.store(q_ptr + rows * stride_q + cols, q, mask=mask)
    if HAS_RESIDUAL:
        tl.store(residual_out_ptr + rows * stride_residual_out + cols, h, mask=mask)


_rms_norm_per_token_quant_repr = make_kernel_repr(
    "_rms_norm_per_token_quant_kernel",
    ["HAS_RESIDUAL", "BLOCK_SIZE_M", "BLOCK_SIZE_N", "NUM_SPLITS", "num_warps"],
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
    NUM_SPLITS: tl.constexpr,
    num_warps: tl.constexpr,
):
    """rms_norm(x + residual) by a scale a row."""
    rows = program_rows(BLOCK_SIZE_M, NUM_SPLITS)[:, None]
    cols = tl.arange(0, BLOCK_SIZE_N)[None, :]
    mask = (rows < n_rows) & (cols < n_cols)
    x_row_ptr = x_ptr + rows * stride_x
    residual_row_ptr = residual_ptr + rows * stride_residual if HAS_RESIDUAL else None
    weight = tl.load(weight_ptr + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
    h = load_sum(x_row_ptr, residual_row_ptr, cols, mask, HAS_RESIDUAL)
    x = h.to(tl.float32)
    weighted = x * weight
    # The factor that comes last leaves the largest where it is: one pass over the row finds both.
    squares, amax = tl.reduce((x * x, tl.abs(weighted)), 1, _add_and_max, keep_dims=True)
    rstd = reciprocal_rms(squares, n_cols, eps)
    scale = amax_to_scale(amax * rstd, largest(q_ptr.dtype.element_ty))
    if NUM_SPLITS > 1:
        cols = part_of(BLOCK_SIZE_N, NUM_SPLITS)[None, :]
        mask = (rows < n_rows) & (cols < n_cols)
        weight = tl.load(weight_ptr + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
        h = load_sum(x_row_ptr, residual_row_ptr, cols, mask, HAS_RESIDUAL)
        weighted = h.to(tl.float32) * weight
    q = to_code(weighted * rstd * (1.0 / scale), q_ptr.dtype.element_ty)
    tl.store(q_ptr + rows * stride_q + cols, q, mask=mask)
    tl.store(scale_ptr + rows * stride_scale, scale, mask=rows < n_rows)
    if HAS_RESIDUAL:
        tl.store(residual_out_ptr + rows * stride_residual_out + cols, h, mask=mask)


_rms_norm_per_group_quant_repr = make_kernel_repr(
    "_rms_norm_per_group_quant_kernel",
    ["HAS_RESIDUAL", "BLOCK_SIZE_M", "BLOCK_SIZE_G", "GROUP_SIZE", "NUM_SPLITS", "num_warps"],
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
    NUM_SPLITS: tl.constexpr,
    num_warps: tl.constexpr,
):
    """rms_norm(x + residual) by a scale a group; rows are seen as [M, G, GROUP_SIZE]."""
    rows = program_rows(BLOCK_SIZE_M, NUM_SPLITS)[:, None, None]
    groups = tl.arange(0, BLOCK_SIZE_G)[None, :, None]
    cols = groups * GROUP_SIZE + tl.arange(0, GROUP_SIZE)[None, None, :]
    mask = (rows < n_rows) & (cols < n_cols)
    x_row_ptr = x_ptr + rows * stride_x
    residual_row_ptr = residual_ptr + rows * stride_residual if HAS_RESIDUAL else None
    weight = tl.load(weight_ptr + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
    h = load_sum(x_row_ptr, residual_row_ptr, cols, mask, HAS_RESIDUAL)
    x = h.to(tl.float32)
    rstd = reciprocal_rms(row_sum(x * x), n_cols, eps)
    if NUM_SPLITS > 1:
        groups = part_of(BLOCK_SIZE_G, NUM_SPLITS)[None, :, None]
        cols = groups * GROUP_SIZE + tl.arange(0, GROUP_SIZE)[None, None, :]
        mask = (rows < n_rows) & (cols < n_cols)
        weight = tl.load(weight_ptr + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
        h = load_sum(x_row_ptr, residual_row_ptr, cols, mask, HAS_RESIDUAL)
        x = h.to(tl.float32)
    y = x * weight * rstd
    amax = tl.max(tl.abs(y), axis=2, keep_dims=True)
    scale = amax_to_scale(amax, largest(q_ptr.dtype.element_ty))
    q = to_code(y * (1.0 / scale), q_ptr.dtype.element_ty)
    tl.store(q_ptr + rows * stride_q + cols, q, mask=mask)
    scale_ptrs = scale_ptr + rows * stride_scale_row + groups * stride_scale_group
    tl.store(scale_ptrs, scale, mask=(rows < n_rows) & (groups < groups_a_row))
    if HAS_RESIDUAL:
        tl.store(residual_out_ptr + rows * stride_residual_out + cols, h, mask=mask)


@triton.jit
def program_rows(BLOCK_SIZE_M: tl.constexpr, NUM_SPLITS: tl.constexpr):
    """The rows of this program, NUM_SPLITS programs sharing the same."""
    block = (tl.program_id(0) // NUM_SPLITS).to(tl.int64)
    return block * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)


@triton.jit
def part_of(SIZE: tl.constexpr, NUM_SPLITS: tl.constexpr):
    """The part of 0 ... SIZE - 1 that this program makes."""
    part_size: tl.constexpr = SIZE // NUM_SPLITS
    return (tl.program_id(0) % NUM_SPLITS) * part_size + tl.arange(0, part_size)


@triton.jit
def load_sum(x_row_ptr, residual_row_ptr, cols, mask, HAS_RESIDUAL: tl.constexpr):
    """x + residual as it is stored, in the type of both; the norm is taken of just that."""
    x = tl.load(x_row_ptr + cols, mask=mask, other=0.0)
    if HAS_RESIDUAL:
        residual = tl.load(residual_row_ptr + cols, mask=mask, other=0.0)
        x = (x.to(tl.float32) + residual.to(tl.float32)).to(x.dtype)
    return x


@triton.jit
def reciprocal_rms(squares, n_cols, eps):
    """1 / sqrt(mean square + eps), from the sum of squares."""
    return tl.rsqrt(squares / n_cols + eps)


@triton.jit
def row_sum(x):
    """The sums over the rows of [M, G, GROUP_SIZE]."""
    return tl.sum(tl.sum(x, axis=2, keep_dims=True), axis=1, keep_dims=True)


@triton.jit
def _add_and_max(sum_a, max_a, sum_b, max_b):
    return sum_a + sum_b, tl.maximum(max_a, max_b)
