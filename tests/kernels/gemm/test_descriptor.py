"""A descriptor made without Triton's checks is the one that Triton makes."""

import pytest
import torch
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor as GluonDescriptor
from triton.tools.tensor_descriptor import TensorDescriptor

from kernels.utils.descriptor import hopper_descriptor, hopper_layout, triton_descriptor


def same(ours, theirs):
    names = type(theirs).__dataclass_fields__
    assert type(ours) is type(theirs)
    for name in names:
        mine, others = getattr(ours, name), getattr(theirs, name)
        assert mine is others or mine == others, name


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.bfloat16, torch.float32])
def test_triton(dtype):
    tensor = torch.zeros(64, 256).to(dtype)[:, :200]
    theirs = TensorDescriptor(tensor, tensor.shape, tensor.stride(), [16, 64])
    same(triton_descriptor(tensor, (16, 64)), theirs)


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.bfloat16, torch.float32])
@pytest.mark.parametrize("block", [(64, 128), (1, 64)])
def test_gluon(dtype, block):
    tensor = torch.zeros(64, 256).to(dtype)
    layout = hopper_layout(dtype, block)
    theirs = GluonDescriptor(tensor, tensor.shape, tensor.stride(), list(block), layout)
    same(hopper_descriptor(tensor, block), theirs)
