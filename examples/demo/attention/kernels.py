"""The kernels of an attention layer."""

import triton
import triton.language as tl

from attention.naming import make_kernel_repr

_scores_repr = make_kernel_repr("_scores_kernel", ["BLOCK_SIZE_M", "BLOCKSIZE_N", "SCALE"])


@triton.jit(repr=_scores_repr)
def _scores_kernel(
    q_ptr,
    k_ptr,
    out_ptr,
    n,
    BLOCK_SIZE_M: tl.constexpr,
    BLOCK_SIZE_N: tl.constexpr,
    SCALE: tl.constexpr,
):
    rows = tl.program_id(0) * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)
    columns = tl.program_id(1) * BLOCK_SIZE_N + tl.arange(0, BLOCK_SIZE_N)
    q, k = tl.load(q_ptr + rows), tl.load(k_ptr + columns)
    tl.store(out_ptr + rows[:, None] * n + columns[None, :], q[:, None] * k[None, :] * SCALE)


@triton.jit
def _rescale(x, factor):
    return x * factor


@triton.jit
def _softmax_kernel(x_ptr, n, BLOCK_SIZE_N: tl.constexpr):
    at = tl.arange(0, BLOCK_SIZE_N)
    row = x_ptr + tl.program_id(0) * n
    x = tl.load(row + at, mask=at < n, other=-float("inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(row + at, _rescale(e, 1 / tl.sum(e, 0)), mask=at < n)
