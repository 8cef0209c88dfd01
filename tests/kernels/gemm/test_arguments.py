"""Wrong arguments raise, and the message names the argument."""

import pytest
import torch
from gemm_reference import DEVICE, make_config, make_problem

import kernels.gemm.gemm_a8w8_blockscale as gemm
from kernels.gemm.gemm_a8w8_blockscale import (
    gemm_a8w8_blockscale,
    gemm_a8w8_blockscale_preshuffle,
)
from kernels.gemm.splitk_reduce import splitk_reduce
from kernels.utils.shuffle import shuffle_weight, unshuffle_weight

M, N, K = 4, 48, 256


def change(**changed):
    problem = make_problem(M, N, K, DEVICE)
    arguments = dict(zip(("x", "w", "x_scale", "w_scale"), problem.operands))
    return arguments | changed


def zeros(*shape, dtype=torch.float32):
    return torch.zeros(shape, device=DEVICE).to(dtype)


FP8 = torch.float8_e4m3fn
WRONG = [
    ({"x": zeros(M, K, dtype=torch.bfloat16)}, TypeError, "^x:"),
    ({"w": zeros(N, K, dtype=torch.float8_e5m2)}, TypeError, "^w:"),
    ({"w": zeros(N, K, dtype=torch.float8_e4m3fnuz)}, TypeError, "^w:"),
    ({"x": zeros(K, dtype=FP8)}, ValueError, "^x:"),
    ({"x": zeros(K, M, dtype=FP8).t()}, ValueError, "^x:"),
    ({"w": zeros(N, K + 128, dtype=FP8)}, ValueError, "^w:"),
    ({"x_scale": zeros(M, K // 128 + 1)}, ValueError, "^x_scale:"),
    ({"x_scale": zeros(M, K // 128, dtype=torch.bfloat16)}, TypeError, "^x_scale:"),
    ({"w_scale": zeros(N, K // 128)}, ValueError, "^w_scale:"),
    ({"w_scale": zeros(1, K // 128).to("meta")}, ValueError, "^w_scale:"),
    ({"dtype": torch.float32}, TypeError, "^dtype:"),
    ({"y": zeros(M, N)}, TypeError, "^y:"),
    ({"y": zeros(M, N + 1, dtype=torch.bfloat16)}, ValueError, "^y:"),
    ({"y": zeros(N, M, dtype=torch.bfloat16).t()}, ValueError, "^y:"),
    ({"y": zeros(M, N, dtype=torch.bfloat16), "skip_reduce": True}, ValueError, "^y:"),
    ({"bias": zeros(N, dtype=torch.int32)}, TypeError, "^bias:"),
    ({"bias": zeros(N + 1)}, ValueError, "^bias:"),
    ({"bias": zeros(N), "skip_reduce": True}, ValueError, "^bias:"),
    ({"backend": "cuda"}, ValueError, "^backend: .*'triton' or 'gluon'"),
    ({"config": {"BLOCK_SIZE_M": 16}}, ValueError, "^config: lacks BLOCK_SIZE_N"),
]


@pytest.mark.parametrize("changed, error, message", WRONG)
def test_gemm(changed, error, message):
    with pytest.raises(error, match=message):
        gemm_a8w8_blockscale(**change(**changed))


@pytest.mark.parametrize(
    "changed, error, message",
    [
        ({"w": zeros(3, 24, dtype=FP8)}, ValueError, "^w:"),
        ({"backend": "gluon"}, ValueError, "^backend:"),
        ({"dtype": torch.int8}, TypeError, "^dtype:"),
    ],
)
def test_preshuffle(changed, error, message):
    arguments = change()
    arguments["w"] = shuffle_weight(arguments["w"])
    with pytest.raises(error, match=message):
        gemm_a8w8_blockscale_preshuffle(**(arguments | changed))


def test_unsupported_pair_names_the_archs(monkeypatch):
    monkeypatch.setattr(gemm, "get_arch", lambda device: "gfx942")
    arguments = change()
    arguments |= {name: arguments[name].to(torch.float8_e4m3fnuz) for name in ("x", "w")}
    with pytest.raises(ValueError, match=r"gfx942 .* 'triton'.*sm_90, gfx950, gfx1250"):
        gemm_a8w8_blockscale(**arguments, backend="gluon")


def test_arch_without_kernels(monkeypatch):
    monkeypatch.setattr(gemm, "get_arch", lambda device: "sm_100")
    with pytest.raises(ValueError, match="sm_100"):
        gemm_a8w8_blockscale(**change())


def test_new_arch_in_a_table_without_a_branch_raises(monkeypatch):
    monkeypatch.setattr(gemm, "get_arch", lambda device: "gfx942")
    monkeypatch.setattr(gemm, "GLUON_ARCHS", ("gfx942",))
    arguments = change()
    arguments |= {name: arguments[name].to(torch.float8_e4m3fnuz) for name in ("x", "w")}
    with pytest.raises(NotImplementedError, match="gfx942"):
        gemm_a8w8_blockscale(**arguments, backend="gluon", config=make_config(64, 64))


def test_wrong_fp8_kind_for_the_arch(monkeypatch):
    monkeypatch.setattr(gemm, "get_arch", lambda device: "gfx942")
    with pytest.raises(TypeError, match=r"^x: gfx942 multiplies torch.float8_e4m3fnuz"):
        gemm_a8w8_blockscale(**change())


def test_gluon_refuses_rows_it_cannot_copy():
    problem = make_problem(M, N, 100, DEVICE)
    with pytest.raises(ValueError, match=r"^backend: .*16"):
        gemm_a8w8_blockscale(*problem.operands, backend="gluon")


@pytest.mark.parametrize(
    "partial, y, bias, error, message",
    [
        (zeros(2, 3, 4, dtype=torch.float16), zeros(3, 4), None, TypeError, "^partial:"),
        (zeros(3, 4), zeros(3, 4), None, ValueError, "^partial:"),
        (zeros(2, 3, 4), zeros(3, 5), None, ValueError, "^y:"),
        (zeros(2, 3, 4), zeros(4, 3).t(), None, ValueError, "^y:"),
        (zeros(2, 3, 4), zeros(3, 4), zeros(3), ValueError, "^bias:"),
    ],
)
def test_reduce(partial, y, bias, error, message):
    with pytest.raises(error, match=message):
        splitk_reduce(partial, y, bias)


def test_shuffle_is_what_its_docstring_says():
    w = torch.randint(0, 256, (48, 96), dtype=torch.uint8)
    shuffled = shuffle_weight(w)
    assert shuffled.shape == (3, 96 * 16)
    assert shuffled.is_contiguous()
    for n, k in ((0, 0), (17, 5), (47, 95), (20, 50)):
        blocks = shuffled.view(3, 3, 2, 16, 16)
        assert blocks[n // 16, k // 32, k % 32 // 16, n % 16, k % 16] == w[n, k]
    assert torch.equal(unshuffle_weight(shuffled), w)


@pytest.mark.parametrize(
    "w, error",
    [(zeros(15, 64, dtype=FP8), ValueError), (zeros(16, 48, dtype=FP8), ValueError),
     (zeros(16, 64), TypeError)],
)  # fmt: skip
def test_shuffle_refuses(w, error):
    with pytest.raises(error, match=r"^w:"):
        shuffle_weight(w)
