"""RMSNorm, with an optional residual, fused with quantization to e4m3.

All three functions share these arguments and this result:

    x             [M, N] fp32, fp16 or bf16; rows may lie apart, columns must not; N <= 32768
    weight        [N] in one of these types
    eps           added to the mean square
    residual      None, or [M, N] in the type of x: then h = x + residual, rounded to that type,
                  takes the place of x
    dtype         the e4m3 type of the arch (default, and the only one)
    out           [M, N] of that type, filled and returned where given
    residual_out  [M, N] in the type of x, likewise; may be `residual` itself

    y = h / sqrt(mean(h^2) + eps) * weight, in fp32, is quantized as it stands. What is returned
    ends with h, or None where there was no residual. `TypeError` or `ValueError`, naming the
    argument, is raised for what can't be done.
"""

import torch
import triton

from kernels._triton_kernels.quant.rms_norm import (
    _rms_norm_per_group_quant_kernel,
    _rms_norm_per_token_quant_kernel,
    _rms_norm_static_quant_kernel,
)
from kernels.quant.arguments import (
    FLOAT_DTYPES,
    check_count,
    check_input,
    check_like,
    check_quant_dtype,
    check_scale,
    check_vector,
    output,
)
from kernels.utils.arch import get_arch
from kernels.utils.config import get_config

GROUP_SIZE = 128
MAX_COLUMNS = 32768


def rms_norm_static_quant(
    x: torch.Tensor,
    weight: torch.Tensor,
    scale: torch.Tensor,
    *,
    eps: float = 1e-6,
    residual: torch.Tensor | None = None,
    dtype: torch.dtype | None = None,
    out: torch.Tensor | None = None,
    residual_out: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """RMSNorm, then q = y / scale with one known scale: one fp32 value > 0 on the device.

    Returns (q [M, N], h or None); the module says the rest.
    """
    m, n = check_row_input("x", x)
    arch = get_arch(x.device)
    check_vector("weight", weight, n, FLOAT_DTYPES, x.device)
    check_scale("scale", scale, x.device)
    q = output("out", out, (m, n), check_quant_dtype(dtype, arch, allow_int8=False), x.device)
    residual_out = _residual_out(x, residual, residual_out)
    if x.numel() == 0:
        return q, residual_out
    config, _ = get_config("rms_norm_quant", m, arch=arch, shape=f"N={n}")
    shared = _shares_memory(residual_out, x, residual)
    split_size = MAX_COLUMNS if shared else config["SPLIT_SIZE"]
    block_size_n = triton.next_power_of_2(n)
    block_size_m = max(1, config["TILE_SIZE"] // block_size_n)
    num_splits = max(1, block_size_n // split_size)
    n_programs = triton.cdiv(m, block_size_m) * num_splits
    check_count("x", n_programs)
    _rms_norm_static_quant_kernel[(n_programs,)](
        x,
        weight,
        residual,
        scale,
        q,
        residual_out,
        m,
        n,
        eps,
        x.stride(0),
        0 if residual is None else residual.stride(0),
        q.stride(0),
        0 if residual_out is None else residual_out.stride(0),
        HAS_RESIDUAL=residual is not None,
        BLOCK_SIZE_M=block_size_m,
        BLOCK_SIZE_N=block_size_n,
        NUM_SPLITS=num_splits,
        num_warps=config["num_warps"],
    )
    return q, residual_out


def rms_norm_per_token_quant(
    x: torch.Tensor,
    weight: torch.Tensor,
    *,
    eps: float = 1e-6,
    residual: torch.Tensor | None = None,
    dtype: torch.dtype | None = None,
    out: torch.Tensor | None = None,
    scale: torch.Tensor | None = None,
    residual_out: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
    """RMSNorm, then a scale for each row: amax / largest value, at least 2^-126.

    `scale` is [M, 1] fp32, filled and returned where given. Returns (q [M, N], scale, h or None);
    the module says the rest.
    """
    m, n = check_row_input("x", x)
    arch = get_arch(x.device)
    check_vector("weight", weight, n, FLOAT_DTYPES, x.device)
    q = output("out", out, (m, n), check_quant_dtype(dtype, arch, allow_int8=False), x.device)
    scale = output("scale", scale, (m, 1), torch.float32, x.device, adjacent=False)
    residual_out = _residual_out(x, residual, residual_out)
    if x.numel() == 0:
        scale.fill_(torch.finfo(torch.float32).tiny)
        return q, scale, residual_out
    config, _ = get_config("rms_norm_quant", m, arch=arch, shape=f"N={n}")
    shared = _shares_memory(residual_out, x, residual)
    split_size = MAX_COLUMNS if shared else config["SPLIT_SIZE"]
    block_size_n = triton.next_power_of_2(n)
    block_size_m = max(1, config["TILE_SIZE"] // block_size_n)
    num_splits = max(1, block_size_n // split_size)
    n_programs = triton.cdiv(m, block_size_m) * num_splits
    check_count("x", n_programs)
    _rms_norm_per_token_quant_kernel[(n_programs,)](
        x,
        weight,
        residual,
        q,
        scale,
        residual_out,
        m,
        n,
        eps,
        x.stride(0),
        0 if residual is None else residual.stride(0),
        q.stride(0),
        scale.stride(0),
        0 if residual_out is None else residual_out.stride(0),
        HAS_RESIDUAL=residual is not None,
        BLOCK_SIZE_M=block_size_m,
        BLOCK_SIZE_N=block_size_n,
        NUM_SPLITS=num_splits,
        num_warps=config["num_warps"],
    )
    return q, scale, residual_out


def rms_norm_per_group_quant(
    x: torch.Tensor,
    weight: torch.Tensor,
    *,
    eps: float = 1e-6,
    residual: torch.Tensor | None = None,
    dtype: torch.dtype | None = None,
    out: torch.Tensor | None = None,
    scale: torch.Tensor | None = None,
    residual_out: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
    """RMSNorm, then a scale for each 1 x 128 group: amax / largest value, at least 2^-126.

    `scale` is [M, ceil(N / 128)] fp32 in any strides, filled and returned where given. Returns
    (q [M, N], scale, h or None); the module says the rest.
    """
    m, n = check_row_input("x", x)
    arch = get_arch(x.device)
    groups_a_row = triton.cdiv(n, GROUP_SIZE)
    check_vector("weight", weight, n, FLOAT_DTYPES, x.device)
    q = output("out", out, (m, n), check_quant_dtype(dtype, arch, allow_int8=False), x.device)
    scale = output("scale", scale, (m, groups_a_row), torch.float32, x.device, adjacent=False)
    residual_out = _residual_out(x, residual, residual_out)
    if x.numel() == 0:
        return q, scale, residual_out
    config, _ = get_config("rms_norm_quant", m, arch=arch, shape=f"N={n}")
    shared = _shares_memory(residual_out, x, residual)
    split_size = MAX_COLUMNS if shared else config["SPLIT_SIZE"]
    block_size_g = triton.next_power_of_2(groups_a_row)
    block_size_m = max(1, config["TILE_SIZE"] // (block_size_g * GROUP_SIZE))
    num_splits = max(1, block_size_g * GROUP_SIZE // split_size)
    n_programs = triton.cdiv(m, block_size_m) * num_splits
    check_count("x", n_programs)
    _rms_norm_per_group_quant_kernel[(n_programs,)](
        x,
        weight,
        residual,
        q,
        scale,
        residual_out,
        m,
        n,
        groups_a_row,
        eps,
        x.stride(0),
        0 if residual is None else residual.stride(0),
        q.stride(0),
        scale.stride(0),
        scale.stride(1),
        0 if residual_out is None else residual_out.stride(0),
        HAS_RESIDUAL=residual is not None,
        BLOCK_SIZE_M=block_size_m,
        BLOCK_SIZE_G=block_size_g,
        GROUP_SIZE=GROUP_SIZE,
        NUM_SPLITS=num_splits,
        num_warps=config["num_warps"],
    )
    return q, scale, residual_out


def check_row_input(name: str, tensor: torch.Tensor) -> tuple[int, int]:
    """An input whose rows are held whole in registers."""
    m, n = check_input(name, tensor)
    if n > MAX_COLUMNS:
        raise ValueError(f"{name} has {n} columns; at most {MAX_COLUMNS} are supported")
    return m, n


def _residual_out(
    x: torch.Tensor, residual: torch.Tensor | None, residual_out: torch.Tensor | None
) -> torch.Tensor | None:
    if residual is None:
        if residual_out is not None:
            raise ValueError("residual_out is given without residual")
        return None
    check_like("residual", residual, x, "x")
    return output("residual_out", residual_out, tuple(x.shape), x.dtype, x.device)


def _shares_memory(written: torch.Tensor | None, *read: torch.Tensor | None) -> bool:
    """Programs that share a row must not write what another of them still reads."""
    if written is None:
        return False
    storage = written.untyped_storage().data_ptr()
    return any(t is not None and t.untyped_storage().data_ptr() == storage for t in read)
