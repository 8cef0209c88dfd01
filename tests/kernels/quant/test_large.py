"""More than 2^31 elements: offsets must not wrap. These need the memory of a GPU."""

import pytest
import torch

from kernels import quant

pytestmark = pytest.mark.gpu
COLS = 1 << 20
ROWS = (1 << 11) + 3


@pytest.fixture(scope="module")
def x():
    x = torch.zeros(ROWS, COLS, dtype=torch.bfloat16, device="cuda")
    x[-1] = torch.randn(COLS, device="cuda")
    return x


@pytest.mark.parametrize("name", ["per_token_quant", "per_group_quant", "dynamic_per_tensor_quant",
                                  "mxfp8_quant", "mxfp4_quant"])  # fmt: skip
def test_last_row_is_that_of_a_small_tensor(x, name):
    function = getattr(quant, name)
    large, small = function(x), function(x[-1:].contiguous())
    assert torch.equal(large[0][-1:].view(torch.uint8), small[0].view(torch.uint8))
    assert torch.equal(large[1][-1:], small[1][-1:])
    assert not large[0][:-1].view(torch.uint8).any()


def test_static_and_nvfp4(x):
    scale = torch.full((1,), 0.01, device="cuda")
    q = quant.static_per_tensor_quant(x, scale)
    assert torch.equal(q[-1:].view(torch.uint8),
                       quant.static_per_tensor_quant(x[-1:], scale).view(torch.uint8))  # fmt: skip
    q, group_scale, _ = quant.nvfp4_quant(x, scale)
    small, small_scale, _ = quant.nvfp4_quant(x[-1:], scale)
    assert torch.equal(q[-1:], small)
    assert torch.equal(group_scale[-1:].view(torch.uint8), small_scale.view(torch.uint8))
