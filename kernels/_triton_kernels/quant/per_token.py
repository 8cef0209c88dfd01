"""Quantization with one scale a row."""

import triton
import triton.language as tl

from kernels._triton_kernels.quant.rounding import amax_to_scale, divide, largest, to_code
from kernels.utils.kernel_repr import make_kernel_repr

_per_token_quant_repr = make_kernel_repr(
    "_per_token_quant_kernel",
    ["BLOCK_SIZE_M", "BLOCK_SIZE_N", "NUM_SPLITS", "ONE_TILE", "num_warps"],
)


@triton.jit(repr=_per_token_quant_repr, do_not_specialize=["n_rows"])
def _per_token_quant_kernel(
    x_ptr,
    q_ptr,
    scale_ptr,
    n_rows,
    n_cols,
    stride_x,
    stride_q,
    stride_scale,
    BLOCK_SIZE_M: tl.constexpr,
    BLOCK_SIZE_N: tl.constexpr,
    NUM_SPLITS: tl.constexpr,
    ONE_TILE: tl.constexpr,
    num_warps: tl.constexpr,
):
    """BLOCK_SIZE_M rows a program, kept in registers where ONE_TILE holds them whole.

    Few rows are shared by NUM_SPLITS programs each: all find the scale, each makes its part.
    """
    program = tl.program_id(0)
    part = program % NUM_SPLITS
    rows = (program // NUM_SPLITS).to(tl.int64) * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)
    row_mask = rows < n_rows
    cols = tl.arange(0, BLOCK_SIZE_N)[None, :]
    x_ptrs = x_ptr + rows[:, None] * stride_x + cols
    q_ptrs = q_ptr + rows[:, None] * stride_q + cols
    if ONE_TILE:
        mask = row_mask[:, None] & (cols < n_cols)
        x = tl.load(x_ptrs, mask=mask, other=0.0).to(tl.float32)
        scale = amax_to_scale(tl.max(tl.abs(x), axis=1), largest(q_ptr.dtype.element_ty))
        if NUM_SPLITS > 1:
            part_size: tl.constexpr = BLOCK_SIZE_N // NUM_SPLITS
            cols = part * part_size + tl.arange(0, part_size)[None, :]
            mask = row_mask[:, None] & (cols < n_cols)
            x_part_ptrs = x_ptr + rows[:, None] * stride_x + cols
            x = tl.load(x_part_ptrs, mask=mask, other=0.0).to(tl.float32)
        q = divide(x, scale[:, None], x_ptr.dtype.element_ty == tl.float32)
        q = to_code(q, q_ptr.dtype.element_ty)
        tl.store(q_ptr + rows[:, None] * stride_q + cols, q, mask=mask)
    else:
        amax = tl.zeros((BLOCK_SIZE_M, BLOCK_SIZE_N), tl.float32)
        for start in range(0, n_cols, BLOCK_SIZE_N):
            mask = row_mask[:, None] & (cols < n_cols - start)
            x = tl.load(x_ptrs + start, mask=mask, other=0.0).to(tl.float32)
            amax = tl.maximum(amax, tl.abs(x))
        scale = amax_to_scale(tl.max(amax, axis=1), largest(q_ptr.dtype.element_ty))
        for start in range(0, n_cols, BLOCK_SIZE_N):
            mask = row_mask[:, None] & (cols < n_cols - start)
            x = tl.load(x_ptrs + start, mask=mask, other=0.0).to(tl.float32)
            q = divide(x, scale[:, None], x_ptr.dtype.element_ty == tl.float32)
            tl.store(q_ptrs + start, to_code(q, q_ptr.dtype.element_ty), mask=mask)
    tl.store(scale_ptr + rows * stride_scale, scale, mask=row_mask)
