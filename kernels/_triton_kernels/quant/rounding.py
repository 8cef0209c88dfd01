"""From an amax to a scale, and from a value to a code: each step in one place."""

import triton
import triton.language as tl

FP32_MAX = tl.constexpr(3.4028234663852886e38)
FP32_MIN_NORMAL = tl.constexpr(1.1754943508222875e-38)
E4M3_MAX = tl.constexpr(448.0)
E4M3FNUZ_MAX = tl.constexpr(240.0)
E4M3_MIN_SUBNORMAL = tl.constexpr(0.001953125)
INT8_MAX = tl.constexpr(127.0)
E2M1_MAX = tl.constexpr(6.0)


@triton.jit
def largest(DTYPE: tl.constexpr):
    """The largest code of an e4m3 or int8 type, as a value; int8 is used symmetrically."""
    if DTYPE == tl.int8:
        return INT8_MAX
    elif DTYPE == tl.float8e4b8:
        return E4M3FNUZ_MAX
    else:
        return E4M3_MAX


@triton.jit
def amax_to_scale(amax, code_max):
    """amax / code_max, as fp32 > 0 and finite: an Inf counts as the largest fp32."""
    scale = tl.div_rn(tl.minimum(amax, FP32_MAX), tl.zeros_like(amax) + code_max)
    return tl.maximum(scale, FP32_MIN_NORMAL)


@triton.jit
def divide(x, scale):
    """x / scale, rounded once as IEEE says: a reciprocal would miss ties of the coarse types."""
    return tl.div_rn(x, scale)


@triton.jit
def quantize(x, scale, DTYPE: tl.constexpr):
    """The codes of x / scale: to nearest even, saturating. NaN stays NaN, in int8 it is 0."""
    return to_code(saturate(divide(x, scale), largest(DTYPE)), DTYPE)


@triton.jit
def saturate(x, limit):
    """x held within +-limit; NaN stays NaN."""
    return tl.clamp(x, -limit, limit, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def to_code(scaled, DTYPE: tl.constexpr):
    """Round values inside the range of `DTYPE` to nearest even."""
    if DTYPE == tl.int8:
        # Adding 1.5 * 2^23 leaves the integer, rounded to even, in the low bits.
        integer = (scaled + 12582912.0).to(tl.int32, bitcast=True).to(tl.int8)
        return tl.where(tl.abs(scaled) <= INT8_MAX, integer, 0).to(tl.int8)  # 0 for NaN
    else:
        return scaled.to(DTYPE)


@triton.jit
def e8m0_scale(amax_bits, EMAX: tl.constexpr):
    """The e8m0 byte 2^(floor(log2 amax) - EMAX) of an OCP MX block, and its fp32 reciprocal.

    `amax_bits` are the fp32 bits of the largest magnitude, taken as integers, so that Inf and
    NaN win: their block gets the byte 255, NaN. The exponent is held at 2^-127, also for zeros.
    """
    exponent = amax_bits >> 23
    byte = tl.where(exponent == 255, 255, tl.maximum(exponent - EMAX, 0))
    # 2^(127 - byte) has the exponent field 254 - byte, which no finite amax takes below 1. The
    # block of a NaN gets the reciprocal 0: its codes mean nothing.
    reciprocal = (tl.maximum(254 - byte, 0) << 23).to(tl.float32, bitcast=True)
    return byte.to(tl.uint8), reciprocal


@triton.jit
def magnitude_bits(x):
    """The fp32 bits of |x|, which order like the magnitudes, with Inf and NaN above them."""
    return x.to(tl.int32, bitcast=True) & 0x7FFFFFFF


@triton.jit
def e2m1_code(x):
    """The e2m1 code of each x: sign, then 0, .5, 1, 1.5, 2, 3, 4, 6 to nearest even, saturating.

    With C = 2^(e + 22), where e >= 0 is the exponent of x, |x| + C keeps |x| rounded to
    multiples of 2^(e - 1), the spacing of e2m1 there, as a count in its low bits.
    """
    bits = x.to(tl.int32, bitcast=True)
    shift_bits = tl.maximum(bits & 0x7F800000, 0x3F800000) + (22 << 23)
    total_bits = (tl.abs(x) + shift_bits.to(tl.float32, bitcast=True)).to(tl.int32, bitcast=True)
    count = total_bits - shift_bits
    # Each exponent above 0 starts two codes later: 2 e = (shift_bits >> 22) - 2 * 149.
    code = tl.minimum(count + (shift_bits >> 22) - 298, 7)
    return code | ((bits >> 28) & 8)


@triton.jit
def nvfp4_scale(amax_bits, tensor_scale):
    """The e4m3 scale of an NVFP4 group, and the step in units of x that it stands for.

    scale = (amax / 6) / tensor_scale in e4m3, at least its least positive value, 2^-9; the step
    is scale * tensor_scale. `amax_bits` are the fp32 bits of the largest magnitude, taken as
    integers: the group of an Inf or a NaN gets the scale NaN, and its codes mean nothing.
    """
    amax = amax_bits.to(tl.float32, bitcast=True)
    ratio = tl.div_rn(tl.div_rn(amax, tl.zeros_like(amax) + E2M1_MAX), tensor_scale)
    ratio = tl.minimum(tl.maximum(ratio, E4M3_MIN_SUBNORMAL), E4M3_MAX)
    ratio = tl.where(amax_bits >= 0x7F800000, float("nan"), ratio)
    scale = ratio.to(tl.float8e4nv)
    step = tl.maximum(scale.to(tl.float32) * tensor_scale, FP32_MIN_NORMAL)
    return scale, step
