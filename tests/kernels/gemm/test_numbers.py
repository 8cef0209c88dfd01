"""Numbers of the Triton kernels, in the interpreter where there is no GPU."""

import pytest
import torch
from gemm_reference import DEVICE, MAX_ERROR, make_config, make_problem, relative_error

import kernels.gemm.gemm_a8w8_blockscale as gemm
from kernels.gemm.gemm_a8w8_blockscale import (
    gemm_a8w8_blockscale,
    gemm_a8w8_blockscale_preshuffle,
)
from kernels.gemm.splitk_reduce import splitk_reduce
from kernels.utils.shuffle import shuffle_weight

SMALL = make_config(16, 32)


def run(problem, *args, config=SMALL, **kwargs):
    return gemm_a8w8_blockscale(*problem.operands, *args, config=config, backend="triton", **kwargs)


@pytest.fixture(params=["tma", "pointers"])
def reads(request, monkeypatch):
    if request.param == "pointers":
        monkeypatch.setattr(gemm, "TMA_ARCHS", ())
    return request.param


@pytest.mark.parametrize("m", [1, 3, 16, 33])
@pytest.mark.parametrize("n, k", [(64, 256), (48, 400), (160, 128), (40, 16)])
def test_result(reads, m, n, k):
    problem = make_problem(m, n, k, DEVICE)
    assert relative_error(run(problem), problem.expected()) < MAX_ERROR[torch.bfloat16]


@pytest.mark.parametrize("m, n, k", [(5, 33, 129), (2, 1, 1), (17, 130, 300)])
def test_sizes_that_no_block_divides(m, n, k):
    problem = make_problem(m, n, k, DEVICE)
    assert relative_error(run(problem), problem.expected()) < MAX_ERROR[torch.bfloat16]


@pytest.mark.parametrize("splits", [1, 2, 3, 4, 7, 8])
@pytest.mark.parametrize("k", [128, 384, 640, 656])
def test_every_split_is_right_for_every_k(reads, splits, k):
    problem = make_problem(5, 48, k, DEVICE)
    config = make_config(16, 32, splits=splits)
    y = run(problem, config=config)
    assert relative_error(y, problem.expected()) < MAX_ERROR[torch.bfloat16]


@pytest.mark.parametrize("splits", [1, 5])
def test_skip_reduce_returns_the_partial_sums(splits):
    problem = make_problem(3, 48, 384, DEVICE)
    partial = run(problem, config=make_config(16, 32, splits=splits), skip_reduce=True)
    assert partial.dtype == torch.float32
    assert partial.shape == (splits, 3, 48)
    assert relative_error(partial.sum(0), problem.expected()) < MAX_ERROR[torch.float32]
    # Splits beyond the last block of K hold zeros, not what was in memory.
    assert not partial[3:].any()


@pytest.mark.parametrize("splits", [1, 3])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("bias_dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_bias_and_output_dtype(splits, dtype, bias_dtype):
    problem = make_problem(9, 48, 384, DEVICE)
    bias = problem.bias.to(bias_dtype)
    y = run(problem, dtype, config=make_config(16, 32, splits=splits), bias=bias)
    assert y.dtype == dtype
    assert relative_error(y, problem.expected() + bias.double()) < MAX_ERROR[dtype]


@pytest.mark.parametrize("splits", [1, 2])
def test_preallocated_output_is_filled_and_returned(splits):
    problem = make_problem(5, 48, 256, DEVICE)
    wide = torch.full((5, 64), float("nan"), dtype=torch.bfloat16, device=DEVICE)
    y = run(problem, config=make_config(16, 32, splits=splits), y=wide[:, :48])
    assert y.data_ptr() == wide.data_ptr()
    assert relative_error(wide[:, :48], problem.expected()) < MAX_ERROR[torch.bfloat16]
    assert wide[:, 48:].isnan().all()


def test_strided_operands():
    problem = make_problem(6, 48, 256, DEVICE, transposed_scales=True)
    wide = torch.zeros(12, 288, device=DEVICE).to(problem.x.dtype)
    wide[::2, :256] = problem.x
    x = wide[::2, :256]
    w_scale = problem.w_scale.t().contiguous().t()
    y = gemm_a8w8_blockscale(x, problem.w, problem.x_scale, w_scale, config=SMALL, backend="triton")
    assert relative_error(y, problem.expected()) < MAX_ERROR[torch.bfloat16]


def test_group_of_tiles_larger_than_the_matrix():
    problem = make_problem(70, 100, 128, DEVICE)
    for group in (1, 2, 3, 64):
        y = run(problem, config=make_config(16, 32, group=group))
        assert relative_error(y, problem.expected()) < MAX_ERROR[torch.bfloat16]


@pytest.mark.parametrize("m, n, k", [(0, 48, 256), (4, 0, 256), (4, 48, 0)])
@pytest.mark.parametrize("splits", [1, 2])
def test_empty_sizes(m, n, k, splits):
    problem = make_problem(m, n, k, DEVICE)
    config = make_config(16, 32, splits=splits)
    y = run(problem, config=config, bias=problem.bias)
    assert torch.equal(y, problem.bias.to(torch.bfloat16).expand(m, n))
    assert not run(problem, config=config).any()
    assert run(problem, config=config, skip_reduce=True).shape == (splits, m, n)


def test_nan_and_inf_spread_over_their_row_only():
    problem = make_problem(4, 32, 128, DEVICE)
    problem.x_scale[1, 0] = float("nan")
    problem.x_scale[2, 0] = float("inf")
    y = run(problem)
    assert y[1].isnan().all()
    assert (y[2].isnan() | y[2].isinf()).all()
    assert y[[0, 3]].isfinite().all()


@pytest.mark.parametrize("m, n, k, splits", [(3, 48, 288, 1), (20, 128, 384, 2), (1, 16, 32, 1)])
def test_preshuffled_weight(m, n, k, splits):
    problem = make_problem(m, n, k, DEVICE)
    x, w, x_scale, w_scale = problem.operands
    y = gemm_a8w8_blockscale_preshuffle(
        x,
        shuffle_weight(w),
        x_scale,
        w_scale,
        config=make_config(16, 32, splits=splits),
        bias=problem.bias,
    )
    assert relative_error(y, problem.expected(bias=True)) < MAX_ERROR[torch.bfloat16]


def test_shipped_config_is_used_by_default():
    problem = make_problem(2, 64, 256, DEVICE)
    y = gemm_a8w8_blockscale(*problem.operands)
    assert relative_error(y, problem.expected()) < MAX_ERROR[torch.bfloat16]


@pytest.mark.parametrize("splits", [1, 3])
def test_reduce(splits):
    partial = torch.randn(splits, 5, 70, device=DEVICE)
    bias = torch.randn(70, device=DEVICE)
    y = splitk_reduce(partial, torch.empty(5, 70, dtype=torch.float16, device=DEVICE), bias)
    expected = partial.double().sum(0) + bias.double()
    assert relative_error(y, expected) < MAX_ERROR[torch.float16]
