"""TMA descriptors on the host, made without Triton's checks.

A descriptor is made for each operand of each launch, and its checks cost more than the rest of
it: who calls here has checked what they check. The block is from a table of tiles, sizes are
positive, the last dimension is contiguous, addresses and the other strides are multiples of 16
bytes.
"""

from functools import cache

import torch
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor as GluonDescriptor
from triton.tools.tensor_descriptor import TensorDescriptor

_ELEMENTS = {
    torch.float8_e4m3fn: gl.float8e4nv,
    torch.bfloat16: gl.bfloat16,
    torch.float16: gl.float16,
    torch.float32: gl.float32,
}


def triton_descriptor(tensor: torch.Tensor, block: tuple[int, ...]) -> TensorDescriptor:
    """For Triton kernels, which choose the layout in shared memory themselves."""
    descriptor = object.__new__(TensorDescriptor)
    descriptor.base = tensor
    descriptor.shape = tensor.shape
    descriptor.strides = tensor.stride()
    descriptor.block_shape = list(block)
    return descriptor


def hopper_descriptor(tensor: torch.Tensor, block: tuple[int, ...]) -> GluonDescriptor:
    """For Gluon kernels: blocks lie in shared memory as wgmma reads them."""
    descriptor = object.__new__(GluonDescriptor)
    descriptor.base = tensor
    descriptor.shape = tensor.shape
    descriptor.strides = tensor.stride()
    descriptor.block_shape = list(block)
    descriptor.layout = hopper_layout(tensor.dtype, block)
    return descriptor


@cache
def hopper_layout(dtype: torch.dtype, block: tuple[int, ...]) -> gl.NVMMASharedLayout:
    return gl.NVMMASharedLayout.get_default_for(list(block), _ELEMENTS[dtype])
