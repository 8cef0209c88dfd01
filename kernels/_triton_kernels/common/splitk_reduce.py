"""The split-K reduce that every GEMM uses."""

import triton
import triton.language as tl

from kernels.utils.kernel_repr import make_kernel_repr

_splitk_reduce_kernel_repr = make_kernel_repr(
    "_splitk_reduce_kernel",
    ["BLOCK_SIZE_M", "BLOCK_SIZE_N", "NUM_KSPLIT", "HAS_BIAS", "num_warps"],
)


@triton.jit(repr=_splitk_reduce_kernel_repr, do_not_specialize=["M"])
def _splitk_reduce_kernel(
    partial,
    y,
    bias,
    M,
    N,
    stride_ps,
    stride_pm,
    stride_ym,
    BLOCK_SIZE_M: tl.constexpr,
    BLOCK_SIZE_N: tl.constexpr,
    NUM_KSPLIT: tl.constexpr,
    HAS_BIAS: tl.constexpr,
    num_warps: tl.constexpr,
):
    """y[m, n] = sum over s of partial[s, m, n], plus bias[n]; one tile of y a program."""
    rows = tl.program_id(0).to(tl.int64) * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)
    cols = tl.program_id(1) * BLOCK_SIZE_N + tl.arange(0, BLOCK_SIZE_N)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    offsets = rows[:, None] * stride_pm + cols[None, :]
    total = tl.zeros((BLOCK_SIZE_M, BLOCK_SIZE_N), tl.float32)
    for split in tl.static_range(NUM_KSPLIT):
        at = partial + tl.full((), split, tl.int64) * stride_ps
        total += tl.load(at + offsets, mask=mask, other=0.0)
    if HAS_BIAS:
        total += tl.load(bias + cols, mask=cols < N, other=0.0).to(tl.float32)[None, :]
    tl.store(y + rows[:, None] * stride_ym + cols[None, :], total.to(y.dtype.element_ty), mask=mask)
