"""FP8 block-scale GEMM: Y = X W^T, X with a scale per 1x128, W with one per 128x128."""

import triton
import triton.language as tl

from kernels._triton_kernels.common.tile_order import grouped_tile
from kernels.utils.kernel_repr import make_kernel_repr

SCALE_BLOCK = tl.constexpr(128)

_gemm_a8w8_blockscale_kernel_repr = make_kernel_repr(
    "_gemm_a8w8_blockscale_kernel",
    [
        "HAS_BIAS",
        "EVEN_K",
        "BLOCK_SIZE_M",
        "BLOCK_SIZE_N",
        "BLOCK_SIZE_K",
        "GROUP_SIZE_M",
        "NUM_KSPLIT",
        "num_warps",
        "num_stages",
    ],
)
_gemm_a8w8_blockscale_tma_kernel_repr = make_kernel_repr(
    "_gemm_a8w8_blockscale_tma_kernel",
    [
        "HAS_BIAS",
        "BLOCK_SIZE_M",
        "BLOCK_SIZE_N",
        "BLOCK_SIZE_K",
        "GROUP_SIZE_M",
        "NUM_KSPLIT",
        "num_warps",
        "num_stages",
    ],
)
_gemm_a8w8_blockscale_preshuffle_kernel_repr = make_kernel_repr(
    "_gemm_a8w8_blockscale_preshuffle_kernel",
    [
        "HAS_BIAS",
        "EVEN_K",
        "BLOCK_SIZE_M",
        "BLOCK_SIZE_N",
        "BLOCK_SIZE_K",
        "GROUP_SIZE_M",
        "NUM_KSPLIT",
        "num_warps",
        "num_stages",
    ],
)


@triton.jit
def _k_blocks(split, K, BLOCK_SIZE_K: tl.constexpr, NUM_KSPLIT: tl.constexpr):
    """The half-open range of K blocks that `split` sums up; empty at the end of a short K."""
    num_blocks = tl.cdiv(K, BLOCK_SIZE_K)
    per_split = tl.cdiv(num_blocks, NUM_KSPLIT)
    first = min(split * per_split, num_blocks)
    return first, min(first + per_split, num_blocks)


@triton.jit
def _store_tile(
    acc,
    y,
    bias,
    split,
    rows,
    first_n,
    M,
    N,
    stride_ys,
    stride_ym,
    HAS_BIAS: tl.constexpr,
    BLOCK_SIZE_N: tl.constexpr,
):
    """Write a tile of y, or of the partial sum number `split`."""
    cols = first_n + tl.arange(0, BLOCK_SIZE_N)
    if HAS_BIAS:
        acc += tl.load(bias + cols, mask=cols < N, other=0.0).to(tl.float32)[None, :]
    at = y + split.to(tl.int64) * stride_ys + rows.to(tl.int64)[:, None] * stride_ym + cols[None, :]
    tl.store(at, acc.to(y.dtype.element_ty), mask=(rows[:, None] < M) & (cols[None, :] < N))


@triton.jit(
    repr=_gemm_a8w8_blockscale_kernel_repr,
    do_not_specialize=["M", "stride_xsk", "stride_wsn"],
)
def _gemm_a8w8_blockscale_kernel(
    x,
    w,
    y,
    x_scale,
    w_scale,
    bias,
    M,
    N,
    K,
    stride_ys,
    stride_ym,
    stride_xsm,
    stride_xsk,
    stride_wsn,
    stride_wsk,
    stride_xm,
    stride_wn,
    HAS_BIAS: tl.constexpr,
    EVEN_K: tl.constexpr,
    BLOCK_SIZE_M: tl.constexpr,
    BLOCK_SIZE_N: tl.constexpr,
    BLOCK_SIZE_K: tl.constexpr,
    GROUP_SIZE_M: tl.constexpr,
    NUM_KSPLIT: tl.constexpr,
    num_warps: tl.constexpr,
    num_stages: tl.constexpr,
):
    """One tile of Y (of one split of K) a program; X and W through pointers."""
    tl.static_assert(BLOCK_SIZE_K == SCALE_BLOCK, "one X scale per row and step of K")
    tl.static_assert(SCALE_BLOCK % BLOCK_SIZE_N == 0, "one W scale per tile")
    num_tiles_m = tl.cdiv(M, BLOCK_SIZE_M)
    num_tiles_n = tl.cdiv(N, BLOCK_SIZE_N)
    split = tl.program_id(0) % NUM_KSPLIT
    tile_m, tile_n = grouped_tile(
        tl.program_id(0) // NUM_KSPLIT, num_tiles_m, num_tiles_n, GROUP_SIZE_M
    )
    first_m = tile_m * BLOCK_SIZE_M
    first_n = tile_n * BLOCK_SIZE_N
    first_k, end_k = _k_blocks(split, K, BLOCK_SIZE_K, NUM_KSPLIT)

    rows = first_m + tl.arange(0, BLOCK_SIZE_M)
    cols = first_n + tl.arange(0, BLOCK_SIZE_N)
    ks = tl.arange(0, BLOCK_SIZE_K)
    x_tile = x + rows.to(tl.int64)[:, None] * stride_xm + ks[None, :]
    w_tile = w + cols.to(tl.int64)[None, :] * stride_wn + ks[:, None]
    x_scales = x_scale + rows.to(tl.int64) * stride_xsm
    w_scales = w_scale + first_n // SCALE_BLOCK * stride_wsn

    acc = tl.zeros((BLOCK_SIZE_M, BLOCK_SIZE_N), tl.float32)
    for block in range(first_k, end_k):
        at_k = block * BLOCK_SIZE_K
        x_mask = rows[:, None] < M
        w_mask = cols[None, :] < N
        if not EVEN_K:
            x_mask = x_mask & (ks[None, :] < K - at_k)
            w_mask = w_mask & (ks[:, None] < K - at_k)
        a = tl.load(x_tile + at_k, mask=x_mask, other=0.0)
        b = tl.load(w_tile + at_k, mask=w_mask, other=0.0)
        a_scale = tl.load(x_scales + block * stride_xsk, mask=rows < M, other=0.0)
        b_scale = tl.load(w_scales + block * stride_wsk)
        acc += tl.dot(a, b) * (a_scale * b_scale)[:, None]
    _store_tile(
        acc,
        y,
        bias,
        split,
        rows,
        first_n,
        M,
        N,
        stride_ys,
        stride_ym,
        HAS_BIAS,
        BLOCK_SIZE_N,
    )


@triton.jit(
    repr=_gemm_a8w8_blockscale_tma_kernel_repr,
    do_not_specialize=["M", "stride_xsk", "stride_wsn"],
)
def _gemm_a8w8_blockscale_tma_kernel(
    x,
    w,
    y,
    x_scale,
    w_scale,
    bias,
    M,
    N,
    K,
    stride_ys,
    stride_ym,
    stride_xsm,
    stride_xsk,
    stride_wsn,
    stride_wsk,
    HAS_BIAS: tl.constexpr,
    BLOCK_SIZE_M: tl.constexpr,
    BLOCK_SIZE_N: tl.constexpr,
    BLOCK_SIZE_K: tl.constexpr,
    GROUP_SIZE_M: tl.constexpr,
    NUM_KSPLIT: tl.constexpr,
    num_warps: tl.constexpr,
    num_stages: tl.constexpr,
):
    """The same with X and W through tensor descriptors, which give zeros out of bounds."""
    tl.static_assert(BLOCK_SIZE_K == SCALE_BLOCK, "one X scale per row and step of K")
    tl.static_assert(SCALE_BLOCK % BLOCK_SIZE_N == 0, "one W scale per tile")
    num_tiles_m = tl.cdiv(M, BLOCK_SIZE_M)
    num_tiles_n = tl.cdiv(N, BLOCK_SIZE_N)
    split = tl.program_id(0) % NUM_KSPLIT
    tile_m, tile_n = grouped_tile(
        tl.program_id(0) // NUM_KSPLIT, num_tiles_m, num_tiles_n, GROUP_SIZE_M
    )
    first_m = tile_m * BLOCK_SIZE_M
    first_n = tile_n * BLOCK_SIZE_N
    first_k, end_k = _k_blocks(split, K, BLOCK_SIZE_K, NUM_KSPLIT)

    rows = first_m + tl.arange(0, BLOCK_SIZE_M)
    x_scales = x_scale + rows.to(tl.int64) * stride_xsm
    w_scales = w_scale + first_n // SCALE_BLOCK * stride_wsn

    # The scales of the next step are loaded during this step's dot, and used after it.
    last_block = tl.cdiv(K, BLOCK_SIZE_K) - 1
    block = min(first_k, last_block)
    a_scale = tl.load(x_scales + block * stride_xsk, mask=rows < M, other=0.0)
    scale = a_scale * tl.load(w_scales + block * stride_wsk)

    acc = tl.zeros((BLOCK_SIZE_M, BLOCK_SIZE_N), tl.float32)
    for block in range(first_k, end_k):
        next_block = min(block + 1, last_block)
        a_scale = tl.load(x_scales + next_block * stride_xsk, mask=rows < M, other=0.0)
        b_scale = tl.load(w_scales + next_block * stride_wsk)
        a = x.load([first_m, block * BLOCK_SIZE_K])
        b = w.load([first_n, block * BLOCK_SIZE_K])
        acc += tl.dot(a, b.T) * scale[:, None]
        scale = a_scale * b_scale
    _store_tile(
        acc,
        y,
        bias,
        split,
        rows,
        first_n,
        M,
        N,
        stride_ys,
        stride_ym,
        HAS_BIAS,
        BLOCK_SIZE_N,
    )


@triton.jit(
    repr=_gemm_a8w8_blockscale_preshuffle_kernel_repr,
    do_not_specialize=["M", "stride_xsk", "stride_wsn"],
)
def _gemm_a8w8_blockscale_preshuffle_kernel(
    x,
    w,
    y,
    x_scale,
    w_scale,
    bias,
    M,
    N,
    K,
    stride_ys,
    stride_ym,
    stride_xsm,
    stride_xsk,
    stride_wsn,
    stride_wsk,
    stride_xm,
    stride_wn,
    HAS_BIAS: tl.constexpr,
    EVEN_K: tl.constexpr,
    BLOCK_SIZE_M: tl.constexpr,
    BLOCK_SIZE_N: tl.constexpr,
    BLOCK_SIZE_K: tl.constexpr,
    GROUP_SIZE_M: tl.constexpr,
    NUM_KSPLIT: tl.constexpr,
    num_warps: tl.constexpr,
    num_stages: tl.constexpr,
):
    """The same with W as `kernels.utils.shuffle.shuffle_weight` lays it out.

    A block of 16 rows x 32 of K of W is 512 contiguous bytes: [half of K, row, 16 of K].
    """
    tl.static_assert(BLOCK_SIZE_K == SCALE_BLOCK, "one X scale per row and step of K")
    tl.static_assert(SCALE_BLOCK % BLOCK_SIZE_N == 0, "one W scale per tile")
    tl.static_assert(BLOCK_SIZE_N % 16 == 0, "whole blocks of W")
    num_tiles_m = tl.cdiv(M, BLOCK_SIZE_M)
    num_tiles_n = tl.cdiv(N, BLOCK_SIZE_N)
    split = tl.program_id(0) % NUM_KSPLIT
    tile_m, tile_n = grouped_tile(
        tl.program_id(0) // NUM_KSPLIT, num_tiles_m, num_tiles_n, GROUP_SIZE_M
    )
    first_m = tile_m * BLOCK_SIZE_M
    first_n = tile_n * BLOCK_SIZE_N
    first_k, end_k = _k_blocks(split, K, BLOCK_SIZE_K, NUM_KSPLIT)

    rows = first_m + tl.arange(0, BLOCK_SIZE_M)
    row_blocks = first_n // 16 + tl.arange(0, BLOCK_SIZE_N // 16)
    ks = tl.arange(0, BLOCK_SIZE_K)
    in_row_block = tl.arange(0, BLOCK_SIZE_K * 16)
    x_tile = x + rows.to(tl.int64)[:, None] * stride_xm + ks[None, :]
    w_tile = w + row_blocks.to(tl.int64)[:, None] * stride_wn + in_row_block[None, :]
    x_scales = x_scale + rows.to(tl.int64) * stride_xsm
    w_scales = w_scale + first_n // SCALE_BLOCK * stride_wsn

    acc = tl.zeros((BLOCK_SIZE_M, BLOCK_SIZE_N), tl.float32)
    for block in range(first_k, end_k):
        at_k = block * BLOCK_SIZE_K
        x_mask = rows[:, None] < M
        w_mask = row_blocks[:, None] * 16 < N
        if not EVEN_K:
            x_mask = x_mask & (ks[None, :] < K - at_k)
            w_mask = w_mask & (in_row_block[None, :] < (K - at_k) * 16)
        a = tl.load(x_tile + at_k, mask=x_mask, other=0.0)
        b = tl.load(w_tile + at_k * 16, mask=w_mask, other=0.0)
        b = tl.reshape(b, (BLOCK_SIZE_N // 16, BLOCK_SIZE_K // 32, 2, 16, 16))
        b = tl.reshape(tl.permute(b, (0, 3, 1, 2, 4)), (BLOCK_SIZE_N, BLOCK_SIZE_K))
        a_scale = tl.load(x_scales + block * stride_xsk, mask=rows < M, other=0.0)
        b_scale = tl.load(w_scales + block * stride_wsk)
        acc += tl.dot(a, b.T) * (a_scale * b_scale)[:, None]
    _store_tile(
        acc,
        y,
        bias,
        split,
        rows,
        first_n,
        M,
        N,
        stride_ys,
        stride_ym,
        HAS_BIAS,
        BLOCK_SIZE_N,
    )
