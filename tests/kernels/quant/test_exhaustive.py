"""Every bit pattern of bf16 and fp16 through every plain quantization, against the reference."""

import pytest
import quant_reference as reference
import torch

from kernels import quant

E4M3 = torch.float8_e4m3fn
HALF_TYPES = [torch.bfloat16, torch.float16]


pytestmark = pytest.mark.usefixtures("wide_tiles")


def all_patterns(dtype, finite=True):
    bits = torch.arange(-(2**15), 2**15, dtype=torch.int32).to(torch.int16)
    values = bits.view(dtype)
    if finite:
        values = torch.where(torch.isfinite(values.float()), values, torch.zeros_like(values))
    return values


def layouts(dtype):
    """The patterns with their likes beside them, and with patterns of all magnitudes."""
    ordered = all_patterns(dtype).view(64, 1024)
    generator = torch.Generator().manual_seed(0)
    shuffled = all_patterns(dtype)[torch.randperm(2**16, generator=generator)].view(64, 1024)
    return {"ordered": ordered, "strided": ordered.view(1024, 64).t().contiguous(),
            "shuffled": shuffled}  # fmt: skip


def assert_same(ours, theirs):
    for one, other in zip(ours, theirs, strict=True):
        one = one.cpu()
        assert one.shape == other.shape
        assert one.dtype == other.dtype
        same = one.contiguous().view(torch.uint8) == other.contiguous().view(torch.uint8)
        assert same.all(), f"{(~same).sum()} bytes differ"


@pytest.mark.parametrize("dtype", HALF_TYPES, ids=str)
@pytest.mark.parametrize("code", [E4M3, torch.int8], ids=str)
@pytest.mark.parametrize("scale", [1.0, 0.0371, 3.1e-5, 1.3e30, 2.0**-126])
def test_static_per_tensor(device, dtype, code, scale):
    x = all_patterns(dtype).view(8, -1)
    scale = torch.tensor([scale])
    q = quant.static_per_tensor_quant(x.to(device), scale.to(device), dtype=code)
    assert_same([q], [reference.static_per_tensor(x, scale, code)])


@pytest.mark.parametrize("dtype", HALF_TYPES, ids=str)
@pytest.mark.parametrize("code", [E4M3, torch.int8], ids=str)
def test_dynamic_per_tensor(device, dtype, code):
    x = all_patterns(dtype).view(64, 1024)
    for part in (x, x[:16], x[5:6], x[40:43]):
        result = quant.dynamic_per_tensor_quant(part.to(device), dtype=code)
        assert_same(result, reference.dynamic_per_tensor(part, code))


@pytest.mark.parametrize("layout", ["ordered", "strided", "shuffled"])
@pytest.mark.parametrize("dtype", HALF_TYPES, ids=str)
@pytest.mark.parametrize("code", [E4M3, torch.int8], ids=str)
def test_per_token_and_per_group(device, dtype, code, layout):
    x = layouts(dtype)[layout]
    result = quant.per_token_quant(x.to(device), dtype=code)
    assert_same(result, reference.per_token(x, code))
    result = quant.per_group_quant(x.to(device), dtype=code)
    assert_same(result, reference.per_group(x, code))


@pytest.mark.parametrize("layout", ["ordered", "strided", "shuffled"])
@pytest.mark.parametrize("dtype", HALF_TYPES, ids=str)
def test_mx_formats(device, dtype, layout):
    x = layouts(dtype)[layout]
    assert_same(quant.mxfp8_quant(x.to(device)), reference.mxfp8(x))
    assert_same(quant.mxfp4_quant(x.to(device)), reference.mxfp4(x))


@pytest.mark.parametrize("layout", ["strided", "shuffled"])
@pytest.mark.parametrize("dtype", HALF_TYPES, ids=str)
@pytest.mark.parametrize("tensor_scale", [0.00237, 1.7e-20, 4.1e34, None])
def test_nvfp4(device, dtype, layout, tensor_scale):
    x = layouts(dtype)[layout]
    given = None if tensor_scale is None else torch.tensor([tensor_scale], device=device)
    q, scale, used = quant.nvfp4_quant(x.to(device), given)
    if given is None:
        assert_same([used], [reference.scale_of(x.reshape(1, -1), 1, 2688.0).reshape(1)])
    assert_same((q, scale), reference.nvfp4(x, used.cpu()))


@pytest.mark.parametrize("dtype", HALF_TYPES, ids=str)
@pytest.mark.parametrize("layout", ["ordered", "shuffled"])
def test_every_pattern_as_the_amax_of_a_row(device, dtype, layout):
    """A small value beside each pattern: scales of every size, ties of many quotients."""
    amax = layouts(dtype)[layout].reshape(-1, 1)
    eighths = torch.tensor([1.0, 0.5, 21 / 448, 3 / 64, 17 / 127, 1.5 / 127, 1 / 3, 0.75])
    x = (amax.float() * eighths).to(dtype).view(-1, 128)
    for code in (E4M3, torch.int8):
        groups = x.view(-1, 8)[::16].contiguous()
        result = quant.per_token_quant(groups.to(device), dtype=code)
        assert_same(result, reference.per_token(groups, code))
