"""Numbers of both backends on a real GPU, with the shipped configs."""

import pytest
import torch
from gemm_reference import MAX_ERROR, make_config, make_problem, relative_error

from kernels.gemm.gemm_a8w8_blockscale import (
    gemm_a8w8_blockscale,
    gemm_a8w8_blockscale_preshuffle,
)
from kernels.utils.shuffle import shuffle_weight

pytestmark = pytest.mark.gpu

ROWS = (1, 3, 16, 33, 64, 128, 500, 1024, 4096)
SHAPES = ((4608, 7168), (7168, 2048), (24576, 1536), (2112, 7168), (576, 400), (200, 528))
BACKENDS = ("triton", "gluon")


@pytest.mark.parametrize("n, k", SHAPES)
@pytest.mark.parametrize("backend", BACKENDS)
def test_result(backend, n, k):
    for m in ROWS:
        problem = make_problem(m, n, k, "cuda", transposed_scales=m % 2 == 0)
        expected = problem.expected(bias=True)
        for dtype in (torch.bfloat16, torch.float16):
            y = torch.full((m, n), float("nan"), dtype=dtype, device="cuda")
            result = gemm_a8w8_blockscale(
                *problem.operands, dtype, y=y, backend=backend, bias=problem.bias
            )
            assert result is y
            assert relative_error(y, expected) < MAX_ERROR[dtype], (m, dtype)


@pytest.mark.parametrize("n, k", [(130, 100), (33, 129), (1, 1), (127, 4008)])
def test_unaligned_sizes_go_through_pointers(n, k):
    problem = make_problem(77, n, k, "cuda")
    y = gemm_a8w8_blockscale(*problem.operands)
    assert relative_error(y, problem.expected()) < MAX_ERROR[torch.bfloat16]
    with pytest.raises(ValueError, match="gluon"):
        gemm_a8w8_blockscale(*problem.operands, backend="gluon")


@pytest.mark.parametrize("splits", [1, 2, 3, 5, 8, 16])
@pytest.mark.parametrize("backend, tile", [("triton", (64, 128)), ("gluon", (64, 128))])
def test_every_split(backend, tile, splits):
    for m, n, k in ((33, 2112, 7168), (64, 256, 640), (128, 130, 128)):
        problem = make_problem(m, n, k, "cuda")
        config = make_config(*tile, splits=splits, stages=4)
        y = gemm_a8w8_blockscale(*problem.operands, config=config, backend=backend)
        assert relative_error(y, problem.expected()) < MAX_ERROR[torch.bfloat16]
        partial = gemm_a8w8_blockscale(
            *problem.operands, config=config, backend=backend, skip_reduce=True
        )
        assert partial.shape == (splits, m, n)
        assert relative_error(partial.sum(0), problem.expected()) < MAX_ERROR[torch.float32]


@pytest.mark.parametrize(
    "tile", [(64, 64), (64, 128), (128, 64), (128, 128), (192, 64), (192, 128)]
)
@pytest.mark.parametrize("transposed_scales", [False, True])
def test_every_gluon_tile(tile, transposed_scales):
    for m, n, k in ((500, 2112, 1536), (200, 328, 400)):
        problem = make_problem(m, n, k, "cuda", transposed_scales=transposed_scales)
        config = make_config(*tile, stages=4)
        y = gemm_a8w8_blockscale(*problem.operands, config=config, backend="gluon")
        assert relative_error(y, problem.expected()) < MAX_ERROR[torch.bfloat16]


@pytest.mark.parametrize("m", [1, 33, 500])
def test_preshuffled_weight(m):
    problem = make_problem(m, 2112, 7168, "cuda")
    x, w, x_scale, w_scale = problem.operands
    y = gemm_a8w8_blockscale_preshuffle(x, shuffle_weight(w), x_scale, w_scale, bias=problem.bias)
    assert relative_error(y, problem.expected(bias=True)) < MAX_ERROR[torch.bfloat16]


@pytest.mark.parametrize("backend", BACKENDS)
def test_nan_spreads_over_its_row_and_column_only(backend):
    problem = make_problem(200, 256, 512, "cuda")
    problem.x[7, 300] = float("nan")
    problem.w[100, 3] = float("nan")
    y = gemm_a8w8_blockscale(*problem.operands, backend=backend)
    hit = torch.zeros_like(y, dtype=torch.bool)
    hit[7] = hit[:, 100] = True
    assert torch.equal(y.isnan(), hit)


def test_more_rows_compile_nothing():
    kernels = __import__("kernels.gemm.gemm_a8w8_blockscale", fromlist=["*"])
    for backend, name in (
        ("triton", "_gemm_a8w8_blockscale_tma_kernel"),
        ("gluon", "_gemm_a8w8_blockscale_sm_90_kernel"),
    ):
        kernel = getattr(kernels, name)

        def compiled(kernel=kernel):
            return sum(len(entry[0]) for entry in kernel.device_caches.values())

        def call(m, backend=backend):
            problem = make_problem(m, 576, 512, "cuda")
            gemm_a8w8_blockscale(*problem.operands, config=make_config(64, 64), backend=backend)

        call(33)
        before = compiled()
        for m in (1, 2, 47, 64, 1024):
            call(m)
        assert compiled() == before
