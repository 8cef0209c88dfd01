"""What the kernels must compute, written in torch from the definitions of the formats.

fp32 arithmetic, one IEEE rounding a step. The codes come from tables of the formats, not from a
cast of torch, which is itself held against these tables in test_reference.py.
"""

import functools

import torch

CODE_MAX = {torch.float8_e4m3fn: 448.0, torch.float8_e4m3fnuz: 240.0, torch.int8: 127.0}
MIN_SCALE = torch.finfo(torch.float32).tiny
E2M1_VALUES = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)


@functools.cache
def positive_values(dtype: torch.dtype) -> torch.Tensor:
    """The finite values >= 0 of an 8-bit float, by code, as fp64."""
    bias = {torch.float8_e4m3fn: 7, torch.float8_e4m3fnuz: 8}[dtype]
    codes = torch.arange(128)
    exponent, mantissa = codes >> 3, (codes & 7).double()
    normal = (1 + mantissa / 8) * 2.0 ** (exponent - bias).double()
    values = torch.where(exponent == 0, mantissa / 8 * 2.0 ** (1 - bias), normal)
    return values[:127] if dtype == torch.float8_e4m3fn else values


def to_nearest_even(x: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """The index of the value nearest to |x|, of two the one with the even index; saturating."""
    values = values.to(x.device)
    magnitude = x.double().abs().clamp(max=values[-1].item())
    upper = torch.searchsorted(values, magnitude.contiguous()).clamp(min=1)
    lower = upper - 1
    middle = (values[lower] + values[upper]) / 2
    up = (magnitude > middle) | ((magnitude == middle) & (upper % 2 == 0))
    return torch.where(up, upper, lower)


def to_e4m3(x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    code = to_nearest_even(torch.nan_to_num(x, nan=0.0), positive_values(dtype))
    code = code | (torch.signbit(x).long() << 7)
    if dtype == torch.float8_e4m3fnuz:
        code = torch.where(code == 0x80, 0, code)  # there is no negative zero
        nan = 0x80
    else:
        nan = 0x7F
    return torch.where(torch.isnan(x), nan, code).to(torch.uint8).view(dtype)


def to_int8(x: torch.Tensor) -> torch.Tensor:
    return torch.nan_to_num(x.clamp(-127, 127), nan=0.0).round().to(torch.int8)


def to_codes(x: torch.Tensor, scale: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    scaled = x.float() / scale
    return to_int8(scaled) if dtype == torch.int8 else to_e4m3(scaled, dtype)


def amax(x: torch.Tensor, dim: int) -> torch.Tensor:
    """Of what is not NaN; Inf counts as the largest fp32."""
    return torch.nan_to_num(x.float().abs(), nan=0.0).amax(dim, keepdim=True)


def scale_of(x: torch.Tensor, dim: int, code_max: float) -> torch.Tensor:
    return (amax(x, dim) / code_max).clamp(min=MIN_SCALE)


def static_per_tensor(x, scale, dtype):
    return to_codes(x, scale, dtype)


def dynamic_per_tensor(x, dtype):
    scale = scale_of(x.reshape(1, -1), 1, CODE_MAX[dtype]).reshape(1)
    return to_codes(x, scale, dtype), scale


def per_token(x, dtype):
    scale = scale_of(x, 1, CODE_MAX[dtype])
    return to_codes(x, scale, dtype), scale


def per_group(x, dtype, group_size=128):
    m, n = x.shape
    groups = -(-n // group_size)
    padded = torch.nn.functional.pad(x.float(), (0, groups * group_size - n))
    padded = padded.view(m, groups, group_size)
    scale = scale_of(padded, 2, CODE_MAX[dtype])
    q = to_codes(padded, scale, dtype).view(torch.uint8).view(m, -1)[:, :n].contiguous()
    return q.view(dtype), scale.squeeze(2)


def e8m0(x: torch.Tensor, emax: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Bytes and values of the shared scales of [..., 32] blocks (OCP MX 1.0, 6.3)."""
    magnitude = x.float().abs().amax(-1, keepdim=True)
    exponent = torch.frexp(magnitude.double())[1] - 1 - emax  # frexp's fraction is in [.5, 1)
    exponent = torch.where(magnitude == 0, -127, exponent.clamp(-127, 127))
    byte = torch.where(torch.isfinite(magnitude), exponent + 127, 255)
    return byte.to(torch.uint8), 2.0 ** exponent.double()


def mxfp8(x):
    m, n = x.shape
    blocks = x.view(m, n // 32, 32)
    byte, scale = e8m0(blocks, 8)
    q = to_e4m3((blocks.double() / scale), torch.float8_e4m3fn)
    return q.view(m, n), byte.squeeze(-1)


def to_e2m1(x: torch.Tensor) -> torch.Tensor:
    code = to_nearest_even(torch.nan_to_num(x, nan=0.0), torch.tensor(E2M1_VALUES).double())
    return code | (torch.signbit(x).long() << 3)


def pack(code: torch.Tensor) -> torch.Tensor:
    return (code[..., 0::2] | (code[..., 1::2] << 4)).to(torch.uint8)


def mxfp4(x):
    m, n = x.shape
    blocks = x.view(m, n // 32, 32)
    byte, scale = e8m0(blocks, 2)
    return pack(to_e2m1(blocks.double() / scale).view(m, n)), byte.squeeze(-1)


def nvfp4(x, tensor_scale):
    m, n = x.shape
    blocks = x.float().view(m, n // 16, 16)
    magnitude = blocks.abs().amax(-1, keepdim=True)
    ratio = magnitude / (tensor_scale * 6.0)
    scale = to_e4m3(ratio.clamp(2.0**-9, 448.0), torch.float8_e4m3fn)
    scale = torch.where(torch.isfinite(magnitude), scale.view(torch.uint8), 0x7F)
    step = scale.view(torch.float8_e4m3fn).float() * tensor_scale
    code = to_e2m1(blocks / step.clamp(min=MIN_SCALE))
    return pack(code.view(m, n)), scale.squeeze(-1).view(torch.float8_e4m3fn)


def rms_norm(x, weight, eps, residual=None):
    """(y in fp64, h)."""
    h = x if residual is None else (x.float() + residual.float()).to(x.dtype)
    h64 = h.double()
    y = h64 / torch.sqrt(h64.square().mean(1, keepdim=True) + eps) * weight.double()
    return y, h


def activate(x, activation):
    x = x.double()
    if activation == "gelu":
        return torch.nn.functional.gelu(x)
    return torch.nn.functional.silu(x)
