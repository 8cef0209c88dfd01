"""Plain quantization: shapes, strides, outputs given, Inf and NaN, and fp32 at its boundaries."""

import hypothesis.extra.numpy as npst
import numpy as np
import pytest
import quant_reference as reference
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_exhaustive import assert_same

from kernels import quant

E4M3 = torch.float8_e4m3fn
TINY = torch.finfo(torch.float32).tiny
few = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def randn(m, n, dtype=torch.bfloat16, seed=0):
    generator = torch.Generator().manual_seed(seed)
    spread = torch.exp(3 * torch.randn(m, 1, generator=generator))
    return (torch.randn(m, n, generator=generator) * spread).to(dtype)


def check_all(x, device, code=E4M3):
    """All families that take any shape, against the reference."""
    on_device = x.to(device) if x.device != device else x
    scale = torch.tensor([0.031])
    q = quant.static_per_tensor_quant(on_device, scale.to(device), dtype=code)
    assert_same([q], [reference.static_per_tensor(x, scale, code)])
    result = quant.dynamic_per_tensor_quant(on_device, dtype=code)
    assert_same(result, reference.dynamic_per_tensor(x, code))
    result = quant.per_token_quant(on_device, dtype=code)
    assert_same(result, reference.per_token(x, code))
    result = quant.per_group_quant(on_device, dtype=code)
    assert_same(result, reference.per_group(x, code))


def check_blocks(x, device):
    """The families that want whole groups."""
    assert_same(quant.mxfp8_quant(x.to(device)), reference.mxfp8(x))
    assert_same(quant.mxfp4_quant(x.to(device)), reference.mxfp4(x))
    q, scale, tensor_scale = quant.nvfp4_quant(x.to(device))
    assert_same((q, scale), reference.nvfp4(x, tensor_scale.cpu()))


@pytest.mark.parametrize(
    "shape", [(1, 1), (1, 7), (5, 1), (3, 129), (2, 2112), (33, 100), (2, 9000)]
)
@pytest.mark.parametrize("code", [E4M3, torch.int8], ids=str)
def test_sizes_off_the_block(device, shape, code):
    check_all(randn(*shape), device, code)


@pytest.mark.parametrize("shape", [(1, 32), (3, 96), (5, 2112), (70, 64)])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32], ids=str)
def test_blocks(device, shape, dtype):
    check_blocks(randn(*shape, dtype), device)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32], ids=str)
def test_types(device, dtype):
    check_all(randn(4, 300, dtype), device)


@pytest.mark.parametrize("shape", [(0, 256), (4, 0), (0, 0)])
def test_empty(device, shape):
    x = torch.empty(shape, dtype=torch.bfloat16, device=device)
    q, scale = quant.per_token_quant(x)
    assert (q.shape, scale.shape) == (x.shape, (shape[0], 1))
    assert (scale == TINY).all()
    q, scale = quant.per_group_quant(x)
    assert (q.shape, scale.shape) == (x.shape, (shape[0], shape[1] // 128))
    q, scale = quant.dynamic_per_tensor_quant(x)
    assert (q.shape, scale.item()) == (x.shape, TINY)
    assert quant.static_per_tensor_quant(x, torch.ones(1, device=device)).shape == x.shape
    assert quant.mxfp4_quant(x)[0].shape == (shape[0], shape[1] // 2)
    assert quant.mxfp8_quant(x)[1].shape == (shape[0], shape[1] // 32)
    assert quant.nvfp4_quant(x)[1].shape == (shape[0], shape[1] // 16)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32], ids=str)
def test_zeros_give_a_positive_scale_and_zeros(device, dtype):
    x = torch.zeros(3, 256, dtype=dtype)
    check_all(x, device)
    check_blocks(x, device)
    for q, scale in (quant.per_token_quant(x.to(device)), quant.per_group_quant(x.to(device))):
        assert (scale > 0).all()
        assert (q.float() == 0).all()
    assert (quant.nvfp4_quant(x.to(device))[1].float() > 0).all()


def test_rows_apart(device):
    wide = randn(6, 1024)
    x = wide[:, 128:384]
    check_all(x, device)
    on_device = wide.to(device)[:, 128:384]
    assert not on_device.is_contiguous()
    assert_same(quant.per_token_quant(on_device), reference.per_token(x, E4M3))
    assert_same(quant.per_group_quant(on_device), reference.per_group(x, E4M3))
    assert_same(quant.dynamic_per_tensor_quant(on_device), reference.dynamic_per_tensor(x, E4M3))
    assert_same(quant.mxfp4_quant(on_device), reference.mxfp4(x.contiguous()))
    assert_same(quant.mxfp8_quant(on_device), reference.mxfp8(x.contiguous()))
    every_other_row = wide.to(device)[::2]
    assert_same(quant.per_group_quant(every_other_row), reference.per_group(wide[::2], E4M3))


def test_outputs_given_are_filled(device):
    x = randn(4, 256)
    out = torch.empty(4, 512, dtype=E4M3, device=device)[:, :256]
    scale = torch.empty(2, 4, device=device).t()
    q, s = quant.per_group_quant(x.to(device), out=out, scale=scale)
    assert (q.data_ptr(), s.data_ptr()) == (out.data_ptr(), scale.data_ptr())
    assert scale.stride() == (1, 4)
    assert_same((out, scale), reference.per_group(x, E4M3))
    q = quant.static_per_tensor_quant(x.to(device), torch.ones(1, device=device), out=out)
    assert_same([q], [reference.static_per_tensor(x, torch.ones(1), E4M3)])


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32], ids=str)
def test_inf_and_nan_touch_only_what_shares_their_scale(device, dtype):
    x = randn(4, 256, dtype)
    bad = x.clone()
    bad[1, 3], bad[2, 200] = torch.inf, torch.nan
    q, scale = (t.cpu() for t in quant.per_token_quant(bad.to(device)))
    expected, expected_scale = reference.per_token(x, E4M3)
    assert_same((q[[0, 3]], scale[[0, 3]]), (expected[[0, 3]], expected_scale[[0, 3]]))
    assert q[1].float().tolist() == [448.0 if i == 3 else 0.0 for i in range(256)]
    assert scale[1].item() == torch.tensor(torch.finfo(torch.float32).max).div(448).item()
    assert torch.isnan(q[2].float()).tolist() == [i == 200 for i in range(256)]
    without = bad[2:3].clone()
    without[0, 200] = 0
    assert scale[2].item() == reference.per_token(without, E4M3)[1].item()


def test_inf_and_nan_in_int8_and_by_a_known_scale(device):
    x = torch.tensor([[torch.inf, -torch.inf, torch.nan, 1.0]]).to(device)
    q, _ = quant.per_token_quant(x, dtype=torch.int8)
    assert q.tolist() == [[127, -127, 0, 0]]
    one = torch.ones(1, device=device)
    assert quant.static_per_tensor_quant(x, one, dtype=torch.int8).tolist() == [[127, -127, 0, 1]]
    q = quant.static_per_tensor_quant(x, one).float().cpu()
    assert torch.equal(q.nan_to_num(nan=-1.0), torch.tensor([[448.0, -448.0, -1.0, 1.0]]))


@pytest.mark.parametrize("value", [torch.inf, -torch.inf, torch.nan])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32], ids=str)
def test_blocks_with_inf_or_nan_have_the_scale_nan(device, dtype, value):
    x = randn(1, 128, dtype)
    good = quant.mxfp4_quant(x.to(device)), quant.mxfp8_quant(x.to(device))
    x[0, 40] = value
    bad = quant.mxfp4_quant(x.to(device)), quant.mxfp8_quant(x.to(device))
    for (_, before), (_, after) in zip(good, bad, strict=True):
        assert after.tolist()[0][1] == 255
        assert after[0, [0, 2, 3]].tolist() == before[0, [0, 2, 3]].tolist()
    _, scale, _ = quant.nvfp4_quant(x.to(device), torch.ones(1, device=device))
    assert torch.isnan(scale.float()).tolist() == [[i == 2 for i in range(8)]]


def floats(**limits):
    return st.floats(width=32, allow_nan=False, allow_infinity=False, **limits)


def rows(elements):
    return npst.arrays(np.float32, st.tuples(st.integers(1, 3), st.sampled_from([32, 160])),
                       elements=elements)  # fmt: skip


@few
@given(rows(floats()))
def test_any_fp32(device, x):
    x = torch.from_numpy(x)
    check_all(x, device)
    check_all(x, device, torch.int8)
    check_blocks(x, device)


@few
@given(rows(floats(min_value=-(2.0**-120), max_value=2.0**-120)))
def test_subnormal_fp32(device, x):
    x = torch.from_numpy(x)
    check_all(x, device)
    check_blocks(x, device)


@few
@given(data=st.data(), amax=floats(min_value=2.0**-100, max_value=2.0**100))
def test_fp32_around_the_middle_between_codes(device, data, amax):
    """Neighbours of each tie, a few fp32 steps to both sides, beside an amax for the scale."""
    scale = np.float32(amax) / np.float32(448.0)
    codes = reference.positive_values(E4M3)
    ties = ((codes[1:] + codes[:-1]) / 2).numpy()
    chosen = data.draw(st.lists(st.sampled_from(list(ties)), min_size=31, max_size=31))
    steps = data.draw(st.lists(st.integers(-2, 2), min_size=31, max_size=31))
    near = (np.array(chosen) * scale).astype(np.float32)
    near = (near.view(np.int32) + np.array(steps, np.int32)).view(np.float32)
    x = torch.from_numpy(np.concatenate([[np.float32(amax)], near])).view(1, 32)
    assert_same(quant.per_token_quant(x.to(device)), reference.per_token(x, E4M3))
    check_blocks(x, device)


@few
@given(st.lists(st.tuples(st.sampled_from([0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 7.0, 2.0, 4.0]),
                          st.integers(-3, 3), st.booleans()), min_size=31, max_size=31),
       st.integers(-100, 100))  # fmt: skip
def test_fp32_around_the_ties_of_e2m1(device, near, exponent):
    ties, steps, signs = (np.array(column) for column in zip(*near, strict=True))
    x = ((ties.astype(np.float32).view(np.int32) + steps.astype(np.int32)).view(np.float32)
         * np.where(signs, np.float32(-1), np.float32(1)))  # fmt: skip
    x = torch.from_numpy(np.concatenate([[np.float32(4.0)], x])).float().view(1, 32)
    x = x * 2.0**exponent
    assert_same(quant.mxfp4_quant(x.to(device)), reference.mxfp4(x))
    tensor_scale = torch.tensor([2.0**exponent * 6 / 6])
    q, scale, _ = quant.nvfp4_quant(x.to(device), tensor_scale.to(device))
    assert_same((q, scale), reference.nvfp4(x, tensor_scale))


@pytest.mark.gpu
def test_a_million_fp32_rows_against_the_reference(device):
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(1 << 17, 32, generator=generator)
    x *= torch.exp(8 * torch.randn(1 << 17, 1, generator=generator))
    assert_same(quant.per_token_quant(x.to(device)), reference.per_token(x, E4M3))
    check_blocks(x, device)
