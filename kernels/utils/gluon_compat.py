"""The Gluon names that moved between Triton 3.6 and 3.9, under one spelling.

Device modules under `kernels/_gluon_kernels` import these instead of branching on a version.
"""

from functools import cache

import torch
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import tma
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

# 3.8 renamed the Hopper copies; 3.9 keeps the old names only to raise.
if hasattr(tma, "async_load"):
    tma_load = tma.async_load
    tma_store = tma.async_store
else:
    tma_load = tma.async_copy_global_to_shared
    tma_store = tma.async_copy_shared_to_global

# 3.7 renamed the barrier among the warps of a program (or of one of its partitions).
barrier = gl.barrier if hasattr(gl, "barrier") else gl.thread_barrier

_ELEMENTS = {
    torch.float8_e4m3fn: gl.float8e4nv,
    torch.bfloat16: gl.bfloat16,
    torch.float16: gl.float16,
}


@cache
def _hopper_layout(dtype: torch.dtype, block: tuple[int, ...]) -> gl.NVMMASharedLayout:
    return gl.NVMMASharedLayout.get_default_for(list(block), _ELEMENTS[dtype])


def hopper_descriptor(tensor: torch.Tensor, block: tuple[int, ...]) -> TensorDescriptor:
    """A TMA descriptor of `tensor` whose blocks lie in shared memory as wgmma reads them."""
    layout = _hopper_layout(tensor.dtype, block)
    return TensorDescriptor(tensor, tensor.shape, tensor.stride(), list(block), layout)
