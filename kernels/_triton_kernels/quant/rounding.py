"""From an amax to a scale, and from a value to a code: each step in one place."""

import triton
import triton.language as tl

FP32_MAX = tl.constexpr(3.4028234663852886e38)
FP32_MIN_NORMAL = tl.constexpr(2.0**-126)
E4M3_MAX = tl.constexpr(448.0)
E4M3FNUZ_MAX = tl.constexpr(240.0)
E4M3_MIN_SUBNORMAL = tl.constexpr(2.0**-9)
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
def amax_to_scale(amax, CODE_MAX: tl.constexpr):
    """amax / CODE_MAX, rounded once, as fp32 >= 2^-126 and finite: Inf counts as the largest fp32.

    CODE_MAX has few significant bits, so that one refinement of the quotient is exact. It takes
    place away from the subnormal numbers, where a remainder would lose its low bits.
    """
    amax = tl.minimum(amax, FP32_MAX)
    is_small = amax < 2.0**-32
    amax = tl.where(is_small, amax * 2.0**64, amax)
    quotient = amax * (1.0 / CODE_MAX)
    quotient = tl.fma(tl.fma(quotient, -CODE_MAX, amax), 1.0 / CODE_MAX, quotient)
    return tl.maximum(tl.where(is_small, quotient * 2.0**-64, quotient), FP32_MIN_NORMAL)


@triton.jit
def divide(x, scale, IS_FP32: tl.constexpr):
    """x / scale, rounded once, as good as IEEE division where the result is rounded to a code.

    A product with 1 / scale would miss ties between codes. What the reciprocal lacks is known and
    enters before the last rounding: of a 16-bit x, no quotient lies so close to the middle
    between two fp32 numbers, one of them a tie, that this goes wrong. For fp32 the remainder of
    the quotient is divided too. The scale is in 2^-126 ... 2^126.
    """
    if IS_FP32:
        # Keeps the remainder of a small x, and the reciprocal of a large scale, normal.
        shift = tl.where(scale < 2.0**-62, 2.0**64, tl.where(scale > 2.0**100, 2.0**-64, 1.0))
        scale = scale * shift
        x = x * shift
    reciprocal = 1.0 / scale
    reciprocal = tl.fma(tl.fma(-scale, reciprocal, 1.0), reciprocal, reciprocal)
    # Too small on purpose: what it lacks is then > 0, and the quotient of -0.0 stays -0.0.
    reciprocal = reciprocal * (1.0 - 2.0**-22)
    lacking = tl.fma(-scale, reciprocal, 1.0)
    quotient = tl.fma(x, reciprocal, x * reciprocal * lacking)
    if IS_FP32:
        remainder = tl.fma(-scale, quotient, x)
        refined = tl.fma(remainder, reciprocal, quotient)
        # 0 and Inf have none to speak of.
        quotient = tl.where(tl.abs(remainder) > 0.0, refined, quotient)
    return quotient


@triton.jit
def to_code(scaled, DTYPE: tl.constexpr):
    """Round to nearest even: values within the range of `DTYPE`, or Inf, which saturates.

    NaN stays NaN, in int8 it is 0.
    """
    if DTYPE == tl.int8:
        # Adding 1.5 * 2^23 leaves the integer, rounded to even, in the low bits.
        scaled = saturate(scaled, INT8_MAX)
        integer = (scaled + 12582912.0).to(tl.int32, bitcast=True).to(tl.int8)
        return tl.where(tl.abs(scaled) <= INT8_MAX, integer, 0).to(tl.int8)
    else:
        return scaled.to(DTYPE)


@triton.jit
def saturate(x, limit):
    """x held within +-limit; NaN stays NaN."""
    return tl.clamp(x, -limit, limit, propagate_nan=tl.PropagateNan.ALL)


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
def nvfp4_scale(amax_bits, tensor_scale):
    """The e4m3 scale of an NVFP4 group, and the step in units of x that it stands for.

    scale = amax / (6 * tensor_scale) in e4m3, at least its least positive value, 2^-9; the step
    is scale * tensor_scale. `amax_bits` are the fp32 bits of the largest magnitude, taken as
    integers: the group of an Inf or a NaN gets the scale NaN, and its codes mean nothing.
    """
    unit = tensor_scale * E2M1_MAX
    # Far above what saturates, but not so far that the division overflows.
    amax = tl.minimum(amax_bits.to(tl.float32, bitcast=True), unit * 1024.0)
    ratio = divide(amax, unit, IS_FP32=True)
    ratio = tl.minimum(tl.maximum(ratio, E4M3_MIN_SUBNORMAL), E4M3_MAX)
    ratio = tl.where(amax_bits >= 0x7F800000, float("nan"), ratio)
    scale = ratio.to(tl.float8e4nv)
    step = tl.maximum(scale.to(tl.float32) * tensor_scale, FP32_MIN_NORMAL)
    return scale, step


@triton.jit
def magnitude_bits(x):
    """The fp32 bits of |x|, which order like the magnitudes, with Inf and NaN above them."""
    return x.to(tl.int32, bitcast=True) & 0x7FFFFFFF


@triton.jit
def e2m1_code(x):
    """The e2m1 code of each x: sign, then 0, .5, 1, 1.5, 2, 3, 4, 6 to nearest even, saturating.

    The spacing of e2m1 at |x| is 2^-22 of the binade of |x| * 2^22, and .5 below 1. A number from
    that binade, added and taken away again, leaves |x| rounded to this spacing. It is kept a
    little below |x| * 2^22, so that the sum stays in the binade, and has zeros where a tie is
    decided. At 2^-126 times their size, e2m1 numbers have their codes for leading bits; at this
    size `coarse` is kept.
    """
    magnitude = tl.minimum(tl.abs(x), E2M1_MAX)
    coarse = tl.maximum(magnitude * (2.0**22 - 2.0**10), 1.5 * 2.0**22)
    rounded = (magnitude + coarse) - coarse
    code = (rounded * 2.0**-126).to(tl.int32, bitcast=True) >> 22
    return code | ((x.to(tl.int32, bitcast=True) >> 28) & 8)
