"""Quantization with one scale for the whole tensor."""

import triton
import triton.language as tl

from kernels._triton_kernels.quant.rounding import (
    FP32_MAX,
    FP32_MIN_NORMAL,
    amax_to_scale,
    divide,
    largest,
    saturate,
    to_code,
)
from kernels.utils.kernel_repr import make_kernel_repr

_static_per_tensor_quant_repr = make_kernel_repr(
    "_static_per_tensor_quant_kernel", ["BLOCK_SIZE_N", "num_warps"]
)


@triton.jit(repr=_static_per_tensor_quant_repr)
def _static_per_tensor_quant_kernel(
    x_ptr,
    scale_ptr,
    q_ptr,
    n_cols,
    stride_x,
    stride_q,
    BLOCK_SIZE_N: tl.constexpr,
    num_warps: tl.constexpr,
):
    """q = x / scale. One program a tile of one row; contiguous tensors come as one row."""
    row, cols, mask = _tile(tl.program_id(0), n_cols, BLOCK_SIZE_N)
    scale = tl.load(scale_ptr)
    x = tl.load(x_ptr + row * stride_x + cols, mask=mask, other=0.0).to(tl.float32)
    # A little above the largest code, which rounds down to it: the division needs finite numbers.
    x = saturate(x, tl.minimum(scale * (largest(q_ptr.dtype.element_ty) * 1.001), FP32_MAX))
    q = to_code(divide(x, scale, x_ptr.dtype.element_ty == tl.float32), q_ptr.dtype.element_ty)
    tl.store(q_ptr + row * stride_q + cols, q, mask=mask)


_amax_repr = make_kernel_repr("_amax_kernel", ["BLOCK_SIZE_N", "num_warps"])


@triton.jit(repr=_amax_repr, do_not_specialize=["n_tiles"])
def _amax_kernel(
    x_ptr,
    partial_ptr,
    n_cols,
    n_tiles,
    stride_x,
    BLOCK_SIZE_N: tl.constexpr,
    num_warps: tl.constexpr,
):
    """Each program leaves the amax of its tiles, which lie a grid apart, in `partial`."""
    program = tl.program_id(0)
    amax = tl.zeros((BLOCK_SIZE_N,), tl.float32)
    for tile in range(program, n_tiles, tl.num_programs(0)):
        row, cols, mask = _tile(tile, n_cols, BLOCK_SIZE_N)
        x = tl.load(x_ptr + row * stride_x + cols, mask=mask, other=0.0).to(tl.float32)
        amax = tl.maximum(amax, tl.abs(x))
    tl.store(partial_ptr + program, tl.max(amax, axis=0))


_dynamic_per_tensor_quant_repr = make_kernel_repr(
    "_dynamic_per_tensor_quant_kernel", ["BLOCK_SIZE_N", "NUM_PARTIALS", "num_warps"]
)


@triton.jit(repr=_dynamic_per_tensor_quant_repr, do_not_specialize=["n_tiles", "n_partials"])
def _dynamic_per_tensor_quant_kernel(
    x_ptr,
    partial_ptr,
    scale_ptr,
    q_ptr,
    n_cols,
    n_tiles,
    n_partials,
    stride_x,
    stride_q,
    BLOCK_SIZE_N: tl.constexpr,
    NUM_PARTIALS: tl.constexpr,
    num_warps: tl.constexpr,
):
    """q = x / scale, where scale comes from the partial amaxes; the first program stores it."""
    program = tl.program_id(0)
    amax = _partial_amax(partial_ptr, n_partials, NUM_PARTIALS)
    scale = amax_to_scale(amax, largest(q_ptr.dtype.element_ty))
    if program == 0:
        tl.store(scale_ptr, scale)
    # Last tile first: what the amax pass read last is still in the L2 cache.
    for step in range(program, n_tiles, tl.num_programs(0)):
        row, cols, mask = _tile(n_tiles - 1 - step, n_cols, BLOCK_SIZE_N)
        x = tl.load(x_ptr + row * stride_x + cols, mask=mask, other=0.0).to(tl.float32)
        q = divide(x, scale, x_ptr.dtype.element_ty == tl.float32)
        q = to_code(q, q_ptr.dtype.element_ty)
        tl.store(q_ptr + row * stride_q + cols, q, mask=mask)


_amax_scale_repr = make_kernel_repr("_amax_scale_kernel", ["NUM_PARTIALS", "num_warps"])


@triton.jit(repr=_amax_scale_repr, do_not_specialize=["n_partials"])
def _amax_scale_kernel(
    partial_ptr,
    scale_ptr,
    n_partials,
    code_max,
    NUM_PARTIALS: tl.constexpr,
    num_warps: tl.constexpr,
):
    """scale = amax / code_max, where amax comes from the partial amaxes."""
    amax = _partial_amax(partial_ptr, n_partials, NUM_PARTIALS)
    scale = tl.div_rn(tl.minimum(amax, FP32_MAX), code_max)
    tl.store(scale_ptr, tl.maximum(scale, FP32_MIN_NORMAL))


@triton.jit
def _partial_amax(partial_ptr, n_partials, NUM_PARTIALS: tl.constexpr):
    partials = tl.arange(0, NUM_PARTIALS)
    amaxes = tl.load(partial_ptr + partials, mask=partials < n_partials, other=0.0)
    return tl.max(amaxes, axis=0)


@triton.jit
def _tile(tile, n_cols, BLOCK_SIZE_N: tl.constexpr):
    """Row, columns and mask of the tile with this number, counted along the rows."""
    tiles_a_row = tl.cdiv(n_cols, BLOCK_SIZE_N)
    row = (tile // tiles_a_row).to(tl.int64)
    cols = (tile % tiles_a_row).to(tl.int64) * BLOCK_SIZE_N + tl.arange(0, BLOCK_SIZE_N)
    return row, cols, cols < n_cols
