"""Quantization with one scale a row."""

import triton
import triton.language as tl

from kernels._triton_kernels.quant.rounding import amax_to_scale, largest, quantize
from kernels.utils.kernel_repr import make_kernel_repr

_per_token_quant_repr = make_kernel_repr(
    "_per_token_quant_kernel", ["BLOCK_SIZE_M", "BLOCK_SIZE_N", "ONE_TILE", "num_warps"]
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
    ONE_TILE: tl.constexpr,
    num_warps: tl.constexpr,
):
    """BLOCK_SIZE_M rows a program, kept in registers where ONE_TILE holds them whole."""
    rows = tl.program_id(0).to(tl.int64) * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)
    cols = tl.arange(0, BLOCK_SIZE_N)[None, :]
    row_mask = rows < n_rows
    x_ptrs = x_ptr + rows[:, None] * stride_x + cols
    q_ptrs = q_ptr + rows[:, None] * stride_q + cols
    code_max = largest(q_ptr.dtype.element_ty)
    if ONE_TILE:
        mask = row_mask[:, None] & (cols < n_cols)
        x = tl.load(x_ptrs, mask=mask, other=0.0).to(tl.float32)
        scale = amax_to_scale(tl.max(tl.abs(x), axis=1), code_max)
        tl.store(q_ptrs, quantize(x, scale[:, None], q_ptr.dtype.element_ty), mask=mask)
    else:
        amax = tl.zeros((BLOCK_SIZE_M, BLOCK_SIZE_N), tl.float32)
        for start in range(0, n_cols, BLOCK_SIZE_N):
            mask = row_mask[:, None] & (cols < n_cols - start)
            x = tl.load(x_ptrs + start, mask=mask, other=0.0).to(tl.float32)
            amax = tl.maximum(amax, tl.abs(x))
        scale = amax_to_scale(tl.max(amax, axis=1), code_max)
        for start in range(0, n_cols, BLOCK_SIZE_N):
            mask = row_mask[:, None] & (cols < n_cols - start)
            x = tl.load(x_ptrs + start, mask=mask, other=0.0).to(tl.float32)
            q = quantize(x, scale[:, None], q_ptr.dtype.element_ty)
            tl.store(q_ptrs + start, q, mask=mask)
    tl.store(scale_ptr + rows * stride_scale, scale, mask=row_mask)
