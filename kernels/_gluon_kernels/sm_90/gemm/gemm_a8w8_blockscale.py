"""FP8 block-scale GEMM for Hopper: TMA, mbarriers, wgmma; warp-specialised and persistent.

One warp copies tiles of X and W into a ring of shared-memory stages. One to three warpgroups
consume them, each with its own rows of the tile: per 128 of K a wgmma into a fresh partial sum,
which is then scaled and added to the accumulator. While one warpgroup scales, the tensor cores
work for another.
"""

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_init,
    warpgroup_mma_wait,
)

from kernels._triton_kernels.common.tile_order import grouped_tile
from kernels.utils.gluon_compat import barrier, tma_load, tma_store
from kernels.utils.kernel_repr import make_kernel_repr

SCALE_BLOCK = gl.constexpr(128)
# The rows of one wgmma of one warpgroup.
SLAB_M = gl.constexpr(64)

# (BLOCK_SIZE_M, BLOCK_SIZE_N) -> (warpgroups that consume, registers of their threads). An
# accumulator and a partial sum take BLOCK_SIZE_N / 2 registers each.
SUPPORTED_TILES = {
    (64, 64): (1, 240),
    (64, 128): (1, 240),
    (128, 64): (2, 240),
    (128, 128): (2, 240),
    (192, 64): (3, 152),
    (192, 128): (3, 152),
}


@gluon.constexpr_function
def is_supported_tile(block_m, block_n, block_k):
    return (block_m, block_n) in SUPPORTED_TILES and block_k == 128


@gluon.constexpr_function
def num_consumers(block_m, block_n):
    return SUPPORTED_TILES[(block_m, block_n)][0]


@gluon.constexpr_function
def consumer_registers(block_m, block_n):
    return SUPPORTED_TILES[(block_m, block_n)][1]


@gluon.constexpr_function
def accumulator_layout(block_n):
    return gl.NVMMADistributedLayout(
        version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, block_n, 32]
    )


_gemm_a8w8_blockscale_sm_90_kernel_repr = make_kernel_repr(
    "_gemm_a8w8_blockscale_sm_90_kernel",
    [
        "HAS_BIAS",
        "TMA_STORE",
        "TMA_SCALES",
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
def _work_item(
    item,
    M,
    N,
    K,
    BLOCK_SIZE_M: gl.constexpr,
    BLOCK_SIZE_N: gl.constexpr,
    BLOCK_SIZE_K: gl.constexpr,
    GROUP_SIZE_M: gl.constexpr,
    NUM_KSPLIT: gl.constexpr,
):
    """First row, first column, split and range of K blocks of a work item."""
    tile_m, tile_n = grouped_tile(
        item // NUM_KSPLIT, gl.cdiv(M, BLOCK_SIZE_M), gl.cdiv(N, BLOCK_SIZE_N), GROUP_SIZE_M
    )
    num_blocks = gl.cdiv(K, BLOCK_SIZE_K)
    per_split = gl.cdiv(num_blocks, NUM_KSPLIT)
    split = item % NUM_KSPLIT
    first_k = min(split * per_split, num_blocks)
    end_k = min(first_k + per_split, num_blocks)
    return tile_m * BLOCK_SIZE_M, tile_n * BLOCK_SIZE_N, split, first_k, end_k


@gluon.jit
def _produce(
    copied,
    TMA_SCALES: gl.constexpr,
    BLOCK_SIZE_M: gl.constexpr,
    BLOCK_SIZE_N: gl.constexpr,
    BLOCK_SIZE_K: gl.constexpr,
    GROUP_SIZE_M: gl.constexpr,
    NUM_KSPLIT: gl.constexpr,
    num_stages: gl.constexpr,
):
    """The warp that copies: slabs of X and of its scales and a tile of W for each step of K."""
    SLABS: gl.constexpr = BLOCK_SIZE_M // SLAB_M
    SCALE_BYTES: gl.constexpr = 4 * BLOCK_SIZE_M if TMA_SCALES else 0
    STAGE_BYTES: gl.constexpr = (BLOCK_SIZE_M + BLOCK_SIZE_N) * BLOCK_SIZE_K + SCALE_BYTES
    x, w, x_scale, x_stages, w_stages, scale_stages, filled, drained, M, N, K = copied
    num_items = gl.cdiv(M, BLOCK_SIZE_M) * gl.cdiv(N, BLOCK_SIZE_N) * NUM_KSPLIT
    step = 0
    for item in range(gl.program_id(0), num_items, gl.num_programs(0)):
        first_m, first_n, _, first_k, end_k = _work_item(
            item, M, N, K, BLOCK_SIZE_M, BLOCK_SIZE_N, BLOCK_SIZE_K, GROUP_SIZE_M, NUM_KSPLIT
        )
        for block in range(first_k, end_k):
            stage = step % num_stages
            mbarrier.wait(drained.index(stage), (step // num_stages & 1) ^ 1)
            full = filled.index(stage)
            mbarrier.expect(full, STAGE_BYTES)
            at_k = block * BLOCK_SIZE_K
            for slab in gl.static_range(SLABS):
                at_m = first_m + slab * SLAB_M
                tma_load(x, [at_m, at_k], full, x_stages.index(stage * SLABS + slab))
                if TMA_SCALES:
                    tma_load(x_scale, [block, at_m], full, scale_stages.index(stage * SLABS + slab))
            tma_load(w, [first_n, at_k], full, w_stages.index(stage))
            step += 1


@gluon.jit
def _store_slab(
    acc,
    y,
    y_slab,
    bias,
    split,
    first_m,
    first_n,
    M,
    N,
    stride_ys,
    stride_ym,
    HAS_BIAS: gl.constexpr,
    TMA_STORE: gl.constexpr,
    BLOCK_SIZE_N: gl.constexpr,
):
    """Write 64 rows of y: through shared memory and TMA, or from registers with masks."""
    layout: gl.constexpr = accumulator_layout(BLOCK_SIZE_N)
    cols = first_n + gl.arange(0, BLOCK_SIZE_N, layout=gl.SliceLayout(0, layout))
    if HAS_BIAS:
        acc += gl.load(bias + cols, mask=cols < N, other=0.0).to(gl.float32)[None, :]
    if TMA_STORE:
        tma.store_wait(0)
        barrier()
        y_slab.store(acc.to(y.dtype))
        fence_async_shared()
        barrier()
        tma_store(y, [first_m, first_n], y_slab)
    else:
        rows = first_m + gl.arange(0, SLAB_M, layout=gl.SliceLayout(1, layout))
        at = (
            y
            + split.to(gl.int64) * stride_ys
            + rows.to(gl.int64)[:, None] * stride_ym
            + cols[None, :]
        )
        gl.store(at, acc.to(y.dtype.element_ty), mask=(rows[:, None] < M) & (cols[None, :] < N))


@gluon.jit
def _start_multiply(a, b, partial):
    """Start a @ b^T over one step of K, alone: `partial` only lends its registers."""
    return warpgroup_mma(
        a, b.permute((1, 0)), warpgroup_mma_init(partial), use_acc=False, is_async=True
    )


@gluon.jit
def _consume(
    buffers,
    operands,
    strides,
    CONSUMER: gl.constexpr,
    HAS_BIAS: gl.constexpr,
    TMA_STORE: gl.constexpr,
    TMA_SCALES: gl.constexpr,
    BLOCK_SIZE_M: gl.constexpr,
    BLOCK_SIZE_N: gl.constexpr,
    BLOCK_SIZE_K: gl.constexpr,
    GROUP_SIZE_M: gl.constexpr,
    NUM_KSPLIT: gl.constexpr,
    num_stages: gl.constexpr,
):
    """A warpgroup that multiplies: slab number CONSUMER of every tile."""
    x_stages, w_stages, scale_stages, y_slabs, filled, drained = buffers
    y, x_scale, w_scale, bias, M, N, K = operands
    stride_ys, stride_ym, stride_xsm, stride_xsk, stride_wsn, stride_wsk = strides
    SLABS: gl.constexpr = BLOCK_SIZE_M // SLAB_M
    layout: gl.constexpr = accumulator_layout(BLOCK_SIZE_N)
    row_layout: gl.constexpr = gl.SliceLayout(1, layout)
    num_items = gl.cdiv(M, BLOCK_SIZE_M) * gl.cdiv(N, BLOCK_SIZE_N) * NUM_KSPLIT
    last_block = gl.cdiv(K, BLOCK_SIZE_K) - 1
    y_slab = y_slabs.index(CONSUMER)
    partial = gl.zeros((SLAB_M, BLOCK_SIZE_N), gl.float32, layout=layout)
    step = 0
    for item in range(gl.program_id(0), num_items, gl.num_programs(0)):
        first_m, first_n, split, first_k, end_k = _work_item(
            item, M, N, K, BLOCK_SIZE_M, BLOCK_SIZE_N, BLOCK_SIZE_K, GROUP_SIZE_M, NUM_KSPLIT
        )
        first_m += CONSUMER * SLAB_M
        w_scales = w_scale + first_n // SCALE_BLOCK * stride_wsn
        # What is loaded from global memory is used a step later: a use before the wgmma is issued
        # would wait for the load.
        acc = gl.zeros((SLAB_M, BLOCK_SIZE_N), gl.float32, layout=layout)
        block = min(first_k, last_block)
        b_scale = gl.load(w_scales + block * stride_wsk)
        if TMA_SCALES:
            next_b_scale = gl.load(w_scales + min(block + 1, last_block) * stride_wsk)
        else:
            rows = first_m + gl.arange(0, SLAB_M, layout=row_layout)
            x_scales = x_scale + rows.to(gl.int64) * stride_xsm
            scale = gl.load(x_scales + block * stride_xsk, mask=rows < M, other=0.0) * b_scale
        for at in range(first_k, end_k):
            if not TMA_SCALES:
                block = min(at + 1, last_block)
                b_scale = gl.load(w_scales + block * stride_wsk)
                a_scale = gl.load(x_scales + block * stride_xsk, mask=rows < M, other=0.0)
            stage = step % num_stages
            slab = stage * SLABS + CONSUMER
            mbarrier.wait(filled.index(stage), step // num_stages & 1)
            if TMA_SCALES:
                scale = scale_stages.index(slab).reshape((SLAB_M,)).load(row_layout) * b_scale
            product = _start_multiply(x_stages.index(slab), w_stages.index(stage), partial)
            if TMA_SCALES:
                loaded = gl.load(w_scales + min(at + 2, last_block) * stride_wsk)
            partial = warpgroup_mma_wait(0, deps=[product])
            mbarrier.arrive(drained.index(stage), count=1)
            acc += partial * scale[:, None]
            if TMA_SCALES:
                b_scale = next_b_scale
                next_b_scale = loaded
            else:
                scale = a_scale * b_scale
            step += 1
        _store_slab(
            acc,
            y,
            y_slab,
            bias,
            split,
            first_m,
            first_n,
            M,
            N,
            stride_ys,
            stride_ym,
            HAS_BIAS,
            TMA_STORE,
            BLOCK_SIZE_N,
        )
    if TMA_STORE:
        tma.store_wait(0)


@gluon.jit(
    repr=_gemm_a8w8_blockscale_sm_90_kernel_repr,
    do_not_specialize=["M", "stride_xsk", "stride_wsn"],
)
def _gemm_a8w8_blockscale_sm_90_kernel(
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
    HAS_BIAS: gl.constexpr,
    TMA_STORE: gl.constexpr,
    TMA_SCALES: gl.constexpr,
    BLOCK_SIZE_M: gl.constexpr,
    BLOCK_SIZE_N: gl.constexpr,
    BLOCK_SIZE_K: gl.constexpr,
    GROUP_SIZE_M: gl.constexpr,
    NUM_KSPLIT: gl.constexpr,
    num_warps: gl.constexpr,
    num_stages: gl.constexpr,
):
    """Persistent: a program takes every num_programs-th work item.

    x, w: descriptors with blocks [64, 128] and [BLOCK_SIZE_N, 128]. y: with TMA_STORE a
    descriptor with a block [64, BLOCK_SIZE_N], else a pointer. x_scale: with TMA_SCALES a
    descriptor of its transpose with a block [1, 64], else a pointer.
    """
    gl.static_assert(
        is_supported_tile(BLOCK_SIZE_M, BLOCK_SIZE_N, BLOCK_SIZE_K), "see SUPPORTED_TILES"
    )
    gl.static_assert(num_warps == 4, "the first consumer is one warpgroup")
    gl.static_assert(NUM_KSPLIT == 1 or not TMA_STORE, "partial sums are stored from registers")
    CONSUMERS: gl.constexpr = num_consumers(BLOCK_SIZE_M, BLOCK_SIZE_N)
    REGISTERS: gl.constexpr = consumer_registers(BLOCK_SIZE_M, BLOCK_SIZE_N)

    x_stages = gl.allocate_shared_memory(
        x.dtype, [num_stages * (BLOCK_SIZE_M // SLAB_M), SLAB_M, BLOCK_SIZE_K], x.layout
    )
    w_stages = gl.allocate_shared_memory(
        w.dtype, [num_stages, BLOCK_SIZE_N, BLOCK_SIZE_K], w.layout
    )
    if TMA_STORE:
        y_slabs = gl.allocate_shared_memory(y.dtype, [CONSUMERS, SLAB_M, BLOCK_SIZE_N], y.layout)
    else:
        y_slabs = w_stages
    if TMA_SCALES:
        scale_stages = gl.allocate_shared_memory(
            gl.float32, [num_stages * (BLOCK_SIZE_M // SLAB_M), 1, SLAB_M], x_scale.layout
        )
    else:
        scale_stages = w_stages
    filled = gl.allocate_shared_memory(gl.int64, [num_stages, 1], mbarrier.MBarrierLayout())
    drained = gl.allocate_shared_memory(gl.int64, [num_stages, 1], mbarrier.MBarrierLayout())
    for stage in gl.static_range(num_stages):
        mbarrier.init(filled.index(stage), count=1)
        mbarrier.init(drained.index(stage), count=CONSUMERS)

    copied = (x, w, x_scale, x_stages, w_stages, scale_stages, filled, drained, M, N, K)
    buffers = (x_stages, w_stages, scale_stages, y_slabs, filled, drained)
    operands = (y, x_scale, w_scale, bias, M, N, K)
    strides = (stride_ys, stride_ym, stride_xsm, stride_xsk, stride_wsn, stride_wsk)
    # The constexprs are spelled out because a tuple that is assigned turns them into tensors.
    if CONSUMERS == 1:
        gl.warp_specialize(
            [
                (
                    _consume,
                    (
                        buffers,
                        operands,
                        strides,
                        0,
                        HAS_BIAS,
                        TMA_STORE,
                        TMA_SCALES,
                        BLOCK_SIZE_M,
                        BLOCK_SIZE_N,
                        BLOCK_SIZE_K,
                        GROUP_SIZE_M,
                        NUM_KSPLIT,
                        num_stages,
                    ),
                ),
                (
                    _produce,
                    (
                        copied,
                        TMA_SCALES,
                        BLOCK_SIZE_M,
                        BLOCK_SIZE_N,
                        BLOCK_SIZE_K,
                        GROUP_SIZE_M,
                        NUM_KSPLIT,
                        num_stages,
                    ),
                ),
            ],
            [1],
            [24],
        )
    elif CONSUMERS == 2:
        gl.warp_specialize(
            [
                (
                    _consume,
                    (
                        buffers,
                        operands,
                        strides,
                        0,
                        HAS_BIAS,
                        TMA_STORE,
                        TMA_SCALES,
                        BLOCK_SIZE_M,
                        BLOCK_SIZE_N,
                        BLOCK_SIZE_K,
                        GROUP_SIZE_M,
                        NUM_KSPLIT,
                        num_stages,
                    ),
                ),
                (
                    _consume,
                    (
                        buffers,
                        operands,
                        strides,
                        1,
                        HAS_BIAS,
                        TMA_STORE,
                        TMA_SCALES,
                        BLOCK_SIZE_M,
                        BLOCK_SIZE_N,
                        BLOCK_SIZE_K,
                        GROUP_SIZE_M,
                        NUM_KSPLIT,
                        num_stages,
                    ),
                ),
                (
                    _produce,
                    (
                        copied,
                        TMA_SCALES,
                        BLOCK_SIZE_M,
                        BLOCK_SIZE_N,
                        BLOCK_SIZE_K,
                        GROUP_SIZE_M,
                        NUM_KSPLIT,
                        num_stages,
                    ),
                ),
            ],
            [4, 1],
            [REGISTERS, 24],
        )
    else:
        gl.warp_specialize(
            [
                (
                    _consume,
                    (
                        buffers,
                        operands,
                        strides,
                        0,
                        HAS_BIAS,
                        TMA_STORE,
                        TMA_SCALES,
                        BLOCK_SIZE_M,
                        BLOCK_SIZE_N,
                        BLOCK_SIZE_K,
                        GROUP_SIZE_M,
                        NUM_KSPLIT,
                        num_stages,
                    ),
                ),
                (
                    _consume,
                    (
                        buffers,
                        operands,
                        strides,
                        1,
                        HAS_BIAS,
                        TMA_STORE,
                        TMA_SCALES,
                        BLOCK_SIZE_M,
                        BLOCK_SIZE_N,
                        BLOCK_SIZE_K,
                        GROUP_SIZE_M,
                        NUM_KSPLIT,
                        num_stages,
                    ),
                ),
                (
                    _consume,
                    (
                        buffers,
                        operands,
                        strides,
                        2,
                        HAS_BIAS,
                        TMA_STORE,
                        TMA_SCALES,
                        BLOCK_SIZE_M,
                        BLOCK_SIZE_N,
                        BLOCK_SIZE_K,
                        GROUP_SIZE_M,
                        NUM_KSPLIT,
                        num_stages,
                    ),
                ),
                (
                    _produce,
                    (
                        copied,
                        TMA_SCALES,
                        BLOCK_SIZE_M,
                        BLOCK_SIZE_N,
                        BLOCK_SIZE_K,
                        GROUP_SIZE_M,
                        NUM_KSPLIT,
                        num_stages,
                    ),
                ),
            ],
            [4, 4, 1],
            [REGISTERS, REGISTERS, 24],
        )
