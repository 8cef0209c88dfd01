"""Quantization with one scale for the whole tensor."""

import torch
import triton

from kernels._triton_kernels.quant.per_tensor import (
    _amax_kernel,
    _amax_scale_kernel,
    _dynamic_per_tensor_quant_kernel,
    _static_per_tensor_quant_kernel,
)
from kernels.quant.arguments import (
    as_one_row,
    check_count,
    check_input,
    check_quant_dtype,
    check_scale,
    output,
)
from kernels.utils.arch import get_arch
from kernels.utils.config import get_config


def static_per_tensor_quant(
    x: torch.Tensor,
    scale: torch.Tensor,
    *,
    dtype: torch.dtype | None = None,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    """Quantize `x` by a scale that is known: q = x / scale.

    x      [M, N] fp32, fp16 or bf16; rows may lie apart, columns must not
    scale  one fp32 value > 0 on the device: the size of one step, in units of x
    dtype  int8, or the e4m3 type of the arch (default)
    out    [M, N] of that type, filled and returned where given

    Returns q [M, N], rounded to nearest even, saturated to the largest finite value (127 in
    int8, -127 below). Inf saturates; NaN stays NaN, in int8 it is 0. Raises `TypeError` or
    `ValueError`, naming the argument, for what it can't do.
    """
    m, n = check_input("x", x)
    arch = get_arch(x.device)
    check_scale("scale", scale, x.device)
    q = output("out", out, (m, n), check_quant_dtype(dtype, arch), x.device)
    if x.numel() == 0:
        return q
    config, _ = get_config("static_per_tensor_quant", m, arch=arch)
    x_rows, q_rows = as_one_row(x, q)
    n_rows, n_cols = x_rows.shape
    n_tiles = n_rows * triton.cdiv(n_cols, config["BLOCK_SIZE_N"])
    check_count("x", n_tiles)
    _static_per_tensor_quant_kernel[(n_tiles,)](
        x_rows,
        scale,
        q_rows,
        n_cols,
        x_rows.stride(0),
        q_rows.stride(0),
        BLOCK_SIZE_N=config["BLOCK_SIZE_N"],
        num_warps=config["num_warps"],
    )
    return q


def dynamic_per_tensor_quant(
    x: torch.Tensor,
    *,
    dtype: torch.dtype | None = None,
    out: torch.Tensor | None = None,
    scale: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Quantize `x` by its own amax: scale = amax / largest value of the type.

    x      [M, N] fp32, fp16 or bf16; rows may lie apart, columns must not
    dtype  int8, or the e4m3 type of the arch (default)
    out    [M, N] of that type, filled and returned where given
    scale  [1] fp32, likewise

    Returns (q [M, N], scale [1]) with x close to q * scale. The scale is at least 2^-126, also
    for zeros. NaN doesn't count for the amax and stays NaN, in int8 it is 0; Inf counts as the
    largest fp32 and saturates. An empty x gives the scale 2^-126. Raises `TypeError` or
    `ValueError`, naming the argument, for what it can't do.
    """
    m, n = check_input("x", x)
    arch = get_arch(x.device)
    q = output("out", out, (m, n), check_quant_dtype(dtype, arch), x.device)
    scale = output("scale", scale, (1,), torch.float32, x.device)
    if x.numel() == 0:
        scale.fill_(torch.finfo(torch.float32).tiny)
        return q, scale
    config, _ = get_config("dynamic_per_tensor_quant", m, arch=arch)
    x_rows, q_rows = as_one_row(x, q)
    n_rows, n_cols = x_rows.shape
    n_tiles = n_rows * triton.cdiv(n_cols, config["BLOCK_SIZE_N"])
    check_count("x", n_tiles)
    n_partials = min(n_tiles, config["NUM_PARTIALS"])
    partial = torch.empty(n_partials, dtype=torch.float32, device=x.device)
    _amax_kernel[(n_partials,)](
        x_rows,
        partial,
        n_cols,
        n_tiles,
        x_rows.stride(0),
        BLOCK_SIZE_N=config["BLOCK_SIZE_N"],
        num_warps=config["num_warps"],
    )
    n_programs = triton.cdiv(n_tiles, config["TILES_A_PROGRAM"])
    _dynamic_per_tensor_quant_kernel[(n_programs,)](
        x_rows,
        partial,
        scale,
        q_rows,
        n_cols,
        n_tiles,
        n_partials,
        x_rows.stride(0),
        q_rows.stride(0),
        BLOCK_SIZE_N=config["BLOCK_SIZE_N"],
        NUM_PARTIALS=config["NUM_PARTIALS"],
        num_warps=config["num_warps"],
    )
    return q, scale


def per_tensor_scale(
    x: torch.Tensor, code_max: float, *, scale: torch.Tensor | None = None
) -> torch.Tensor:
    """The scale that takes the amax of `x` to `code_max`: amax / code_max, at least 2^-126.

    x         [M, N] fp32, fp16 or bf16; rows may lie apart, columns must not
    code_max  > 0: the largest code, such as 448, or 6 * 448 for the tensor scale of NVFP4
    scale     [1] fp32, filled and returned where given

    NaN doesn't count, Inf counts as the largest fp32. Raises `TypeError` or `ValueError`, naming
    the argument, for what it can't do.
    """
    m, _ = check_input("x", x)
    arch = get_arch(x.device)
    if not code_max > 0:
        raise ValueError(f"code_max must be > 0, not {code_max}")
    scale = output("scale", scale, (1,), torch.float32, x.device)
    if x.numel() == 0:
        return scale.fill_(torch.finfo(torch.float32).tiny)
    config, _ = get_config("dynamic_per_tensor_quant", m, arch=arch)
    (x_rows,) = as_one_row(x)
    n_rows, n_cols = x_rows.shape
    n_tiles = n_rows * triton.cdiv(n_cols, config["BLOCK_SIZE_N"])
    check_count("x", n_tiles)
    n_partials = min(n_tiles, config["NUM_PARTIALS"])
    partial = torch.empty(n_partials, dtype=torch.float32, device=x.device)
    _amax_kernel[(n_partials,)](
        x_rows,
        partial,
        n_cols,
        n_tiles,
        x_rows.stride(0),
        BLOCK_SIZE_N=config["BLOCK_SIZE_N"],
        num_warps=config["num_warps"],
    )
    _amax_scale_kernel[(1,)](
        partial,
        scale,
        n_partials,
        float(code_max),
        NUM_PARTIALS=config["NUM_PARTIALS"],
        num_warps=config["num_warps"],
    )
    return scale
