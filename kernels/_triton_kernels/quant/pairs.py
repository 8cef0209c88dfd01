"""Pairs of neighbours read as one word: 4-bit codes leave the registers they were made in.

Two codes share a byte. Read element by element, the two would have to be brought together
across registers or lanes; read as one word twice the width, they are together from the start.
"""

import triton
import triton.language as tl


@triton.jit
def unpack_pair(words, IS_BF16: tl.constexpr):
    """The (even, odd) elements of little-endian words, as fp32: fp16 or bf16 in 32, fp32 in 64."""
    if words.dtype == tl.int64:
        even = words.to(tl.int32).to(tl.float32, bitcast=True)
        odd = (words >> 32).to(tl.int32).to(tl.float32, bitcast=True)
    elif IS_BF16:
        even = (words << 16).to(tl.float32, bitcast=True)
        odd = (words & -65536).to(tl.float32, bitcast=True)
    else:
        even = words.to(tl.int16).to(tl.float16, bitcast=True).to(tl.float32)
        odd = (words >> 16).to(tl.int16).to(tl.float16, bitcast=True).to(tl.float32)
    return even, odd


@triton.jit
def pack_pair(even_code, odd_code):
    """Two 4-bit codes in a byte, the even element in the low half."""
    return (even_code | (odd_code << 4)).to(tl.uint8)
