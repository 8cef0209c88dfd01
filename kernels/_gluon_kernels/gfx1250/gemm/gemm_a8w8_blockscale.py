"""FP8 block-scale GEMM for gfx1250: the tensor data mover (TDM), WMMA.

Copies run num_stages - 1 steps of K ahead. Per step, a WMMA into a fresh partial sum, which is
then scaled and added to the accumulator.
"""

from triton.experimental import gluon
from triton.experimental.gluon import language as gl

from kernels._triton_kernels.common.tile_order import grouped_tile
from kernels.utils.gluon_compat import gfx1250, wmma_layout
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
    return wmma_layout(SUPPORTED_TILES[(block_m, block_n, num_warps)], [16, 16, 128])


@gluon.constexpr_function
def shared_layout(block_rows, block_k):
    """16 bytes after each row of 128 spread the rows over the banks."""
    return gl.PaddedSharedLayout.with_identity_for([[block_k, 16]], [block_rows, block_k], [1, 0])


_gemm_a8w8_blockscale_gfx1250_kernel_repr = make_kernel_repr(
    "_gemm_a8w8_blockscale_gfx1250_kernel",
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


@gluon.jit(
    repr=_gemm_a8w8_blockscale_gfx1250_kernel_repr,
    do_not_specialize=["M", "stride_xsk", "stride_wsn"],
)
def _gemm_a8w8_blockscale_gfx1250_kernel(
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
    """One tile of Y (of one split of K) a program; out of bounds the data mover gives zeros."""
    gl.static_assert(
        is_supported_tile(BLOCK_SIZE_M, BLOCK_SIZE_N, BLOCK_SIZE_K, num_warps),
        "see SUPPORTED_TILES",
    )
    gl.static_assert(num_stages >= 2, "a stage to fill while another is read")
    accumulators: gl.constexpr = accumulator_layout(BLOCK_SIZE_M, BLOCK_SIZE_N, num_warps)
    a_layout: gl.constexpr = gl.DotOperandLayout(0, accumulators, 16)
    b_layout: gl.constexpr = gl.DotOperandLayout(1, accumulators, 16)
    x_layout: gl.constexpr = shared_layout(BLOCK_SIZE_M, BLOCK_SIZE_K)
    w_layout: gl.constexpr = shared_layout(BLOCK_SIZE_N, BLOCK_SIZE_K)

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

    x_tiles = gfx1250.tdm.make_tensor_descriptor(
        base=x,
        shape=(M, K),
        strides=(stride_xm, 1),
        block_shape=(BLOCK_SIZE_M, BLOCK_SIZE_K),
        layout=x_layout,
    )
    w_tiles = gfx1250.tdm.make_tensor_descriptor(
        base=w,
        shape=(N, K),
        strides=(stride_wn, 1),
        block_shape=(BLOCK_SIZE_N, BLOCK_SIZE_K),
        layout=w_layout,
    )
    x_stages = gl.allocate_shared_memory(
        x.dtype.element_ty, [num_stages, BLOCK_SIZE_M, BLOCK_SIZE_K], x_layout
    )
    w_stages = gl.allocate_shared_memory(
        w.dtype.element_ty, [num_stages, BLOCK_SIZE_N, BLOCK_SIZE_K], w_layout
    )
    # Steps beyond the last lie out of bounds, so that every iteration starts two copies.
    for stage in gl.static_range(num_stages - 1):
        at_k = gl.where(first_k + stage < end_k, first_k + stage, num_blocks) * BLOCK_SIZE_K
        gfx1250.tdm.async_load(x_tiles, [first_m, at_k], x_stages.index(stage))
        gfx1250.tdm.async_load(w_tiles, [first_n, at_k], w_stages.index(stage))

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
        gfx1250.tdm.async_wait((num_stages - 2) * 2)
        a = x_stages.index(full).load(a_layout)
        b = w_stages.index(full).permute((1, 0)).load(b_layout)

        ahead = block + num_stages - 1
        at_k = gl.where(ahead < end_k, ahead, num_blocks) * BLOCK_SIZE_K
        fill = (ahead - first_k) % num_stages
        gfx1250.tdm.async_load(x_tiles, [first_m, at_k], x_stages.index(fill))
        gfx1250.tdm.async_load(w_tiles, [first_n, at_k], w_stages.index(fill))

        acc += gfx1250.wmma(a, b, zeros) * (a_scale * b_scale)[:, None]
    gfx1250.tdm.async_wait(0)

    if HAS_BIAS:
        acc += gl.load(bias + cols, mask=cols < N, other=0.0).to(gl.float32)[None, :]
    at_y = y + split.to(gl.int64) * stride_ys + rows.to(gl.int64)[:, None] * stride_ym
    gl.store(
        at_y + cols[None, :],
        acc.to(y.dtype.element_ty),
        mask=(rows < M)[:, None] & (cols < N)[None, :],
    )
