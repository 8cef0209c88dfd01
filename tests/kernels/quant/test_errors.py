"""What the wrappers refuse, with an error that names the argument."""

import json
import sys

import pytest
import torch

from kernels import quant
from kernels.utils import arch as arches

X = torch.zeros(4, 256, dtype=torch.bfloat16)
ONE = torch.ones(1)
WEIGHT = torch.ones(256)

REFUSED = {
    "no tensor": (lambda d: quant.per_token_quant([1.0]), TypeError, "x must be a tensor"),
    "ints": (lambda d: quant.per_token_quant(X.int().to(d)), TypeError, "x has dtype"),
    "one dimension": (lambda d: quant.per_group_quant(X[0].to(d)), ValueError, "x must have 2"),
    "columns apart": (
        lambda d: quant.mxfp8_quant(X.to(d)[:, ::2]),
        ValueError,
        "x must have stride",
    ),
    "dtype": (
        lambda d: quant.per_token_quant(X.to(d), dtype=torch.int16),
        TypeError,
        "dtype torch",
    ),
    "fnuz": (
        lambda d: quant.per_group_quant(X.to(d), dtype=torch.float8_e4m3fnuz),
        TypeError,
        "dtype torch",
    ),
    "int8 by a fused kernel": (
        lambda d: quant.act_mul_per_group_quant(X.to(d), dtype=torch.int8),
        TypeError,
        "dtype torch",
    ),
    "scale of a wrong type": (
        lambda d: quant.static_per_tensor_quant(X.to(d), ONE.double().to(d)),
        TypeError,
        "scale has",
    ),
    "several scales": (
        lambda d: quant.static_per_tensor_quant(X.to(d), WEIGHT.to(d)),
        ValueError,
        "scale must hold",
    ),
    "out of a wrong shape": (
        lambda d: quant.mxfp4_quant(X.to(d), out=torch.empty(4, 256, dtype=torch.uint8).to(d)),
        ValueError,
        "out must have shape",
    ),
    "out of a wrong type": (
        lambda d: quant.per_token_quant(X.to(d), out=torch.empty(4, 256).to(d)),
        TypeError,
        "out has",
    ),
    "out with columns apart": (
        lambda d: quant.per_token_quant(
            X.to(d), dtype=torch.int8, out=torch.empty(256, 4, dtype=torch.int8).to(d).t()
        ),
        ValueError,
        "out must have stride",
    ),
    "scale on another device": (
        lambda d: quant.per_token_quant(X.to(d), scale=torch.empty(4, 1, device="meta")),
        ValueError,
        "scale is on meta",
    ),
    "MXFP4 group": (lambda d: quant.mxfp4_quant(X.to(d)[:, :48]), ValueError, "x has 48 columns"),
    "MXFP8 group": (lambda d: quant.mxfp8_quant(X.to(d)[:, :48]), ValueError, "x has 48 columns"),
    "NVFP4 group": (lambda d: quant.nvfp4_quant(X.to(d)[:, :24]), ValueError, "x has 24 columns"),
    "odd rows": (
        lambda d: quant.mxfp4_quant(torch.zeros(4, 257, dtype=torch.float16).to(d)[:, :256]),
        ValueError,
        "x must begin at",
    ),
    "odd begin": (
        lambda d: quant.nvfp4_quant(torch.zeros(4, 258, dtype=torch.float16).to(d)[:, 1:257]),
        ValueError,
        "x must begin at",
    ),
    "odd columns": (
        lambda d: quant.act_mul_per_group_quant(torch.zeros(2, 7).to(d)),
        ValueError,
        "x has 7",
    ),
    "activation": (
        lambda d: quant.act_mul_per_group_quant(X.to(d), "relu"),
        ValueError,
        "activation 'relu'",
    ),
    "no splits": (
        lambda d: quant.splitk_act_mul_per_group_quant(torch.zeros(0, 4, 8).to(d)),
        ValueError,
        "x must have 3",
    ),
    "weight": (
        lambda d: quant.rms_norm_per_token_quant(X.to(d), WEIGHT[1:].to(d)),
        ValueError,
        "weight must",
    ),
    "residual": (
        lambda d: quant.rms_norm_per_token_quant(X.to(d), WEIGHT.to(d), residual=X[1:].to(d)),
        ValueError,
        "residual has shape",
    ),
    "residual_out alone": (
        lambda d: quant.rms_norm_per_group_quant(X.to(d), WEIGHT.to(d), residual_out=X.to(d)),
        ValueError,
        "residual_out is given without",
    ),
    "wide rows": (
        lambda d: quant.rms_norm_per_group_quant(
            torch.zeros(1, 32896).to(d), torch.ones(32896).to(d)
        ),
        ValueError,
        "x has 32896 columns",
    ),
    "gate": (
        lambda d: quant.gated_rms_norm_per_group_quant(X.to(d), X.float().to(d), WEIGHT.to(d)),
        TypeError,
        "gate has dtype",
    ),
    "code_max": (lambda d: quant.per_tensor_scale(X.to(d), 0.0), ValueError, "code_max"),
}


@pytest.mark.parametrize(("call", "error", "text"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(device, call, error, text):
    with pytest.raises(error, match=text):
        call(device)


def test_a_tensor_on_no_gpu_is_refused(monkeypatch):
    monkeypatch.delenv("TRITON_INTERPRET", raising=False)
    with pytest.raises(ValueError, match="device cpu runs no Triton kernels"):
        quant.per_token_quant(X)


def test_a_new_arch_never_gets_the_kernels_of_another():
    with pytest.raises(ValueError, match="arch sm_100 is not supported"):
        arches.fp8_dtype("sm_100")


def test_e4m3_is_fnuz_on_gfx942(monkeypatch):
    monkeypatch.setattr(sys.modules["kernels.quant.per_token"], "get_arch", lambda _: "gfx942")
    with pytest.raises(TypeError, match="float8_e4m3fn is not supported on gfx942"):
        quant.per_token_quant(X, dtype=torch.float8_e4m3fn)


@pytest.mark.parametrize("arch", arches.SUPPORTED_ARCHES)
def test_every_op_has_a_config_on_every_arch(arch):
    from kernels.utils.config import CONFIG_ROOT

    ops = {path.name for path in (CONFIG_ROOT / "sm_90" / "triton").glob("*quant")}
    assert len(ops) == 11
    for op in ops:
        buckets = json.loads((CONFIG_ROOT / arch / "triton" / op / "DEFAULT.json").read_text())
        for values in buckets.values():
            assert all(value & (value - 1) == 0 for value in values.values())
