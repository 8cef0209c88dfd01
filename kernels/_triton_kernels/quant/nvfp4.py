"""NVFP4: e2m1 elements, two a byte, one e4m3 scale for 16 of them, one fp32 scale over all."""

import triton
import triton.language as tl

from kernels._triton_kernels.quant.groups import group_tile
from kernels._triton_kernels.quant.pairs import pack_pair, unpack_pair
from kernels._triton_kernels.quant.rounding import (
    divide,
    e2m1_code,
    magnitude_bits,
    nvfp4_scale,
)
from kernels.utils.kernel_repr import make_kernel_repr

PAIRS_A_GROUP = tl.constexpr(8)

_nvfp4_quant_repr = make_kernel_repr(
    "_nvfp4_quant_kernel", ["IS_BF16", "BLOCK_SIZE_G", "num_warps"]
)


@triton.jit(repr=_nvfp4_quant_repr, do_not_specialize=["n_groups"])
def _nvfp4_quant_kernel(
    x_ptr,
    tensor_scale_ptr,
    q_ptr,
    scale_ptr,
    n_groups,
    groups_a_row,
    stride_x,
    stride_q,
    stride_scale,
    IS_BF16: tl.constexpr,
    BLOCK_SIZE_G: tl.constexpr,
    num_warps: tl.constexpr,
):
    """One program quantizes BLOCK_SIZE_G whole groups; x and its stride count pairs."""
    row, group, group_mask = group_tile(n_groups, groups_a_row, BLOCK_SIZE_G)
    cols = group[:, None] * PAIRS_A_GROUP + tl.arange(0, PAIRS_A_GROUP)[None, :]
    mask = group_mask[:, None]
    words = tl.load(x_ptr + row[:, None] * stride_x + cols, mask=mask, other=0)
    even, odd = unpack_pair(words, IS_BF16)
    amax_bits = tl.max(tl.maximum(magnitude_bits(even), magnitude_bits(odd)), axis=1)
    scale, step = nvfp4_scale(amax_bits, tl.load(tensor_scale_ptr))
    even_code = e2m1_code(divide(even, step[:, None], words.dtype == tl.int64))
    odd_code = e2m1_code(divide(odd, step[:, None], words.dtype == tl.int64))
    tl.store(q_ptr + row[:, None] * stride_q + cols, pack_pair(even_code, odd_code), mask=mask)
    tl.store(scale_ptr + row * stride_scale + group, scale, mask=group_mask)
