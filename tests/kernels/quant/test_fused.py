"""RMSNorm and gated activations with quantization.

What is quantized comes out of sums and exponentials, whose last bits are nobody's definition.
So each code must be one that a value within a few fp32 steps of the exact one may have.
"""

import pytest
import quant_reference as reference
import torch

from kernels import quant

E4M3 = torch.float8_e4m3fn
DTYPES = [torch.bfloat16, torch.float16, torch.float32]
SHAPES = [(1, 128), (3, 2112), (5, 96), (2, 1000)]
TOLERANCE = 4e-6


def randn(*shape, dtype=torch.bfloat16, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def assert_quantizes(q, scale, y, group_size):
    """`q`, `scale` are `y` (fp64) by groups, up to TOLERANCE of the value; scale 0 dims: known."""
    q, scale = q.cpu(), scale.cpu()
    m, n = y.shape
    groups = -(-n // group_size)
    padded = torch.nn.functional.pad(y, (0, groups * group_size - n)).view(m, groups, group_size)
    expected = (padded.abs().amax(2) / 448).clamp(min=reference.MIN_SCALE)
    assert scale.shape == expected.shape
    torch.testing.assert_close(scale.double(), expected, rtol=TOLERANCE, atol=1e-38)
    assert_codes(q, y, scale.double().repeat_interleave(group_size, 1)[:, :n])


def assert_codes(q, y, scale):
    low = reference.to_e4m3((y - TOLERANCE * y.abs()) / scale, E4M3).float()
    high = reference.to_e4m3((y + TOLERANCE * y.abs()) / scale, E4M3).float()
    assert q.shape == y.shape
    assert ((low <= q.float()) & (q.float() <= high)).all()


@pytest.mark.parametrize("with_residual", [False, True])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", SHAPES)
def test_rms_norm(device, shape, dtype, with_residual):
    m, n = shape
    x, weight = randn(m, n, dtype=dtype), randn(n, dtype=dtype, seed=1)
    residual = randn(m, n, dtype=dtype, seed=2) if with_residual else None
    y, h = reference.rms_norm(x, weight, 1e-5, residual)
    args = x.to(device), weight.to(device)
    options = {"eps": 1e-5, "residual": residual.to(device) if with_residual else None}
    scale = torch.tensor([0.0123])
    results = [
        quant.rms_norm_static_quant(*args, scale.to(device), **options),
        quant.rms_norm_per_token_quant(*args, **options),
        quant.rms_norm_per_group_quant(*args, **options),
    ]
    assert_codes(results[0][0].cpu(), y, scale.double())
    assert_quantizes(*results[1][:2], y, n)
    assert_quantizes(*results[2][:2], y, 128)
    for result in results:
        if with_residual:
            assert torch.equal(result[-1].cpu(), h)
        else:
            assert result[-1] is None


def test_rms_norm_in_place_and_with_rows_apart(device):
    wide, weight = randn(4, 1024).to(device), randn(512).to(device)
    x, residual = wide[:, :512], randn(4, 512, seed=3).to(device)
    y, h = reference.rms_norm(x.cpu(), weight.cpu(), 1e-6, residual.cpu())
    q, scale, out = quant.rms_norm_per_token_quant(
        x, weight, residual=residual, residual_out=residual
    )
    assert out is residual
    assert torch.equal(residual.cpu(), h)
    assert_quantizes(q, scale, y, 512)


def test_rms_norm_shares_few_rows_and_keeps_many(device):
    weight = randn(4096, seed=1)
    for m in (1, 17):
        x = randn(m, 4096)
        y, _ = reference.rms_norm(x, weight, 1e-6)
        q, scale, _ = quant.rms_norm_per_token_quant(x.to(device), weight.to(device))
        assert_quantizes(q, scale, y, 4096)


@pytest.mark.parametrize("norm_before_gate", [True, False])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", SHAPES)
def test_gated_rms_norm(device, shape, dtype, norm_before_gate):
    m, n = shape
    x, gate = randn(m, n, dtype=dtype), randn(m, n, dtype=dtype, seed=1) * 3
    weight = randn(n, dtype=dtype, seed=2)
    gated = reference.activate(gate, "silu")
    if norm_before_gate:
        y = reference.rms_norm(x, weight, 1e-6)[0] * gated
    else:
        y = reference.rms_norm(x.double() * gated, weight, 1e-6)[0]
    q, scale = quant.gated_rms_norm_per_group_quant(
        x.to(device), gate.to(device), weight.to(device), norm_before_gate=norm_before_gate
    )
    assert_quantizes(q, scale, y, 128)


@pytest.mark.parametrize("activation", ["silu", "gelu"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", SHAPES)
def test_act_mul(device, shape, dtype, activation):
    m, n = shape
    # gelu loses its last bits far below 0, where 1 + erf cancels: kept to where it does not.
    x = randn(m, 2 * n, dtype=dtype) * (3 if activation == "silu" else 0.5)
    y = reference.activate(x[:, :n], activation) * x[:, n:].double()
    q, scale = quant.act_mul_per_group_quant(x.to(device), activation)
    assert_quantizes(q, scale, y, 128)


@pytest.mark.parametrize("splits", [1, 2, 5])
@pytest.mark.parametrize("activation", ["silu", "gelu"])
def test_splitk_act_mul(device, splits, activation):
    x = randn(splits, 3, 2 * 200, dtype=torch.float32) * 0.3
    total = x[0].clone()
    for part in x[1:]:
        total += part
    y = reference.activate(total[:, :200], activation) * total[:, 200:].double()
    q, scale = quant.splitk_act_mul_per_group_quant(x.to(device), activation)
    assert_quantizes(q, scale, y, 128)


def test_large_negative_gates_give_zero(device):
    x = torch.full((1, 256), -1e4, dtype=torch.bfloat16)
    x[:, 128:] = 1
    q, scale = quant.act_mul_per_group_quant(x.to(device))
    assert (q.float() == 0).all()
    assert (scale > 0).all()


@pytest.mark.parametrize("rows", [0, 2])
def test_zeros_and_empty(device, rows):
    x, weight = torch.zeros(rows, 256).to(device), torch.ones(256).to(device)
    one = torch.ones(1).to(device)
    for result in (
        quant.rms_norm_static_quant(x, weight, one),
        quant.rms_norm_per_token_quant(x, weight),
        quant.rms_norm_per_group_quant(x, weight),
        quant.gated_rms_norm_per_group_quant(x, x, weight),
    ):
        assert result[0].shape == x.shape
        assert (result[0].float() == 0).all()
    for result in (quant.act_mul_per_group_quant(x), quant.rms_norm_per_group_quant(x, weight)):
        assert (result[1] > 0).all()
