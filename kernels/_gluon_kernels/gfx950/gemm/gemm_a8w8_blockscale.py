"""FP8 block-scale GEMM for gfx950: asynchronous copies to LDS, MFMA.

Copies run num_stages - 1 steps of K ahead. Per step, an MFMA into a fresh partial sum, which is
then scaled and added to the accumulator.
"""

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import cdna4
from triton.experimental.gluon.language.amd.cdna4 import async_copy

from kernels._triton_kernels.common.tile_order import grouped_tile
from kernels.utils.kernel_repr import make_kernel_repr

SCALE_BLOCK = gl.constexpr(128)

# (BLOCK_SIZE_M, BLOCK_SIZE_N, num_warps) -> how the warps share the tile
SUPPORTED_TILES = {
    (32, 64, 4): (2, 2),
    (64, 64, 4): (2, 2),
    (64, 128, 4): (2, 2),
    (128, 64, 4): (2, 2),
    (128, 128, 4): (2, 2),
    (128, 128, 8): (4, 2),
}


@gluon.constexpr_function
def is_supported_tile(block_m, block_n, block_k, num_warps):
    return (block_m, block_n, num_warps) in SUPPORTED_TILES and block_k == 128


@gluon.constexpr_function
def accumulator_layout(block_m, block_n, num_warps):
    return gl.amd.AMDMFMALayout(
        version=4,
        instr_shape=[16, 16, 128],
        transposed=True,
        warps_per_cta=list(SUPPORTED_TILES[(block_m, block_n, num_warps)]),
    )


@gluon.constexpr_function
def copy_layout(num_warps):
    """Rows of 128 bytes: 8 lanes with 16 bytes each."""
    return gl.BlockedLayout([1, 16], [8, 8], [num_warps, 1], [1, 0])


@gluon.constexpr_function
def shared_layout():
    """The 16-byte pieces of 8 rows, one warp's copy, permuted against bank conflicts."""
    return gl.SwizzledSharedLayout(vec=16, per_phase=1, max_phase=8, order=[1, 0])


_gemm_a8w8_blockscale_gfx950_kernel_repr = make_kernel_repr(
    "_gemm_a8w8_blockscale_gfx950_kernel",
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


@gluon.jit
def _copy_tile(stage, tile, rows, num_rows, stride, block, K):
    """Start the copy of a tile's step `block` of K; zeros where it leaves the matrix."""
    layout: gl.constexpr = copy_layout(gl.num_warps())
    ks = block * SCALE_BLOCK + gl.arange(0, SCALE_BLOCK, layout=gl.SliceLayout(0, layout))
    mask = (rows < num_rows)[:, None] & (ks < K)[None, :]
    async_copy.buffer_load_to_shared(
        stage, tile, rows[:, None] * stride + ks[None, :], mask=mask, other=0.0
    )


@gluon.jit(
    repr=_gemm_a8w8_blockscale_gfx950_kernel_repr,
    do_not_specialize=["M", "stride_xsk", "stride_wsn"],
)
def _gemm_a8w8_blockscale_gfx950_kernel(
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
    HAS_BIAS: gl.constexpr,
    BLOCK_SIZE_M: gl.constexpr,
    BLOCK_SIZE_N: gl.constexpr,
    BLOCK_SIZE_K: gl.constexpr,
    GROUP_SIZE_M: gl.constexpr,
    NUM_KSPLIT: gl.constexpr,
    num_warps: gl.constexpr,
    num_stages: gl.constexpr,
):
    """One tile of Y (of one split of K) a program. K and the strides are multiples of 16."""
    gl.static_assert(
        is_supported_tile(BLOCK_SIZE_M, BLOCK_SIZE_N, BLOCK_SIZE_K, num_warps),
        "see SUPPORTED_TILES",
    )
    gl.static_assert(num_stages >= 2, "a stage to fill while another is read")
    accumulators: gl.constexpr = accumulator_layout(BLOCK_SIZE_M, BLOCK_SIZE_N, num_warps)
    a_layout: gl.constexpr = gl.DotOperandLayout(0, accumulators, 16)
    b_layout: gl.constexpr = gl.DotOperandLayout(1, accumulators, 16)
    row_layout: gl.constexpr = gl.SliceLayout(1, copy_layout(num_warps))

    split = gl.program_id(0) % NUM_KSPLIT
    tile_m, tile_n = grouped_tile(
        gl.program_id(0) // NUM_KSPLIT,
        gl.cdiv(M, BLOCK_SIZE_M),
        gl.cdiv(N, BLOCK_SIZE_N),
        GROUP_SIZE_M,
    )
    first_m = tile_m * BLOCK_SIZE_M
    first_n = tile_n * BLOCK_SIZE_N
    num_blocks = gl.cdiv(K, BLOCK_SIZE_K)
    per_split = gl.cdiv(num_blocks, NUM_KSPLIT)
    first_k = min(split * per_split, num_blocks)
    end_k = min(first_k + per_split, num_blocks)

    x_tile = x + first_m.to(gl.int64) * stride_xm
    w_tile = w + first_n.to(gl.int64) * stride_wn
    x_rows = gl.arange(0, BLOCK_SIZE_M, layout=row_layout)
    w_rows = gl.arange(0, BLOCK_SIZE_N, layout=row_layout)
    x_stages = gl.allocate_shared_memory(
        x.dtype.element_ty, [num_stages, BLOCK_SIZE_M, BLOCK_SIZE_K], shared_layout()
    )
    w_stages = gl.allocate_shared_memory(
        w.dtype.element_ty, [num_stages, BLOCK_SIZE_N, BLOCK_SIZE_K], shared_layout()
    )
    # Steps beyond the last are masked out by K, so that every iteration commits one group.
    for stage in gl.static_range(num_stages - 1):
        at = gl.where(first_k + stage < end_k, first_k + stage, num_blocks)
        _copy_tile(x_stages.index(stage), x_tile, x_rows, M - first_m, stride_xm, at, K)
        _copy_tile(w_stages.index(stage), w_tile, w_rows, N - first_n, stride_wn, at, K)
        async_copy.commit_group()

    rows = first_m + gl.arange(0, BLOCK_SIZE_M, layout=gl.SliceLayout(1, accumulators))
    cols = first_n + gl.arange(0, BLOCK_SIZE_N, layout=gl.SliceLayout(0, accumulators))
    x_scales = x_scale + rows.to(gl.int64) * stride_xsm
    w_scales = w_scale + first_n // SCALE_BLOCK * stride_wsn
    zeros = gl.zeros((BLOCK_SIZE_M, BLOCK_SIZE_N), gl.float32, layout=accumulators)
    acc = zeros
    for block in range(first_k, end_k):
        a_scale = gl.load(x_scales + block * stride_xsk, mask=rows < M, other=0.0)
        b_scale = gl.load(w_scales + block * stride_wsk)
        full = (block - first_k) % num_stages
        async_copy.wait_group(num_stages - 2)
        a = x_stages.index(full).load(a_layout)
        b = w_stages.index(full).permute((1, 0)).load(b_layout)

        ahead = block + num_stages - 1
        at = gl.where(ahead < end_k, ahead, num_blocks)
        fill = (ahead - first_k) % num_stages
        _copy_tile(x_stages.index(fill), x_tile, x_rows, M - first_m, stride_xm, at, K)
        _copy_tile(w_stages.index(fill), w_tile, w_rows, N - first_n, stride_wn, at, K)
        async_copy.commit_group()

        acc += (
            cdna4.mfma_scaled(a, None, "e4m3", b, None, "e4m3", zeros)
            * (a_scale * b_scale)[:, None]
        )
    async_copy.wait_group(0)

    if HAS_BIAS:
        acc += gl.load(bias + cols, mask=cols < N, other=0.0).to(gl.float32)[None, :]
    at_y = y + split.to(gl.int64) * stride_ys + rows.to(gl.int64)[:, None] * stride_ym
    gl.store(
        at_y + cols[None, :],
        acc.to(y.dtype.element_ty),
        mask=(rows < M)[:, None] & (cols < N)[None, :],
    )
