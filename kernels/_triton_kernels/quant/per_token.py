"""Quantization with one scale a row."""

import triton
import triton.language as tl

from kernels._triton_kernels.quant.rounding import amax_to_scale, quantize
from kernels.utils.kernel_repr import make_kernel_repr

_per_token_quant_repr = make_kernel_repr(
    "_per_token_quant_kernel", ["BLOCK_SIZE_N", "ONE_TILE", "num_warps"]
)


@triton.jit(repr=_per_token_quant_repr)
def _per_token_quant_kernel(
    x_ptr,
    q_ptr,
    scale_ptr,
    n_cols,
    stride_x,
    stride_q,
    stride_scale,
    BLOCK_SIZE_N: tl.constexpr,
    ONE_TILE: tl.constexpr,
    num_warps: tl.constexpr,
):
    """One program a row, which it keeps in registers where ONE_TILE holds it."""
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * stride_x
    q_ptr += row * stride_q
    cols = tl.arange(0, BLOCK_SIZE_N)
    if ONE_TILE:
        mask = cols < n_cols
        x = tl.load(x_ptr + cols, mask=mask, other=0.0).to(tl.float32)
        scale = amax_to_scale(tl.max(tl.abs(x), axis=0), q_ptr.dtype.element_ty)
        tl.store(q_ptr + cols, quantize(x, scale, q_ptr.dtype.element_ty), mask=mask)
    else:
        amax = tl.zeros((BLOCK_SIZE_N,), tl.float32)
        for start in range(0, n_cols, BLOCK_SIZE_N):
            mask = cols < n_cols - start
            x = tl.load(x_ptr + start + cols, mask=mask, other=0.0).to(tl.float32)
            amax = tl.maximum(amax, tl.abs(x))
        scale = amax_to_scale(tl.max(amax, axis=0), q_ptr.dtype.element_ty)
        for start in range(0, n_cols, BLOCK_SIZE_N):
            mask = cols < n_cols - start
            x = tl.load(x_ptr + start + cols, mask=mask, other=0.0).to(tl.float32)
            q = quantize(x, scale, q_ptr.dtype.element_ty)
            tl.store(q_ptr + start + cols, q, mask=mask)
    tl.store(scale_ptr + row * stride_scale, scale)
