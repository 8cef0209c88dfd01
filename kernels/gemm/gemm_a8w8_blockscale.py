"""FP8 block-scale GEMM: the public entry points of both weight layouts."""

import math
from functools import cache

import torch

from kernels._gluon_kernels.gfx950.gemm.gemm_a8w8_blockscale import (
    _gemm_a8w8_blockscale_gfx950_kernel,
)
from kernels._gluon_kernels.gfx1250.gemm.gemm_a8w8_blockscale import (
    _gemm_a8w8_blockscale_gfx1250_kernel,
)
from kernels._gluon_kernels.sm_90.gemm.gemm_a8w8_blockscale import (
    _gemm_a8w8_blockscale_sm_90_kernel,
)
from kernels._triton_kernels.gemm.gemm_a8w8_blockscale import (
    _gemm_a8w8_blockscale_kernel,
    _gemm_a8w8_blockscale_preshuffle_kernel,
    _gemm_a8w8_blockscale_tma_kernel,
)
from kernels.gemm.splitk_reduce import splitk_reduce
from kernels.utils.arch import fp8_dtype, get_arch
from kernels.utils.ceil_div import cdiv
from kernels.utils.config import GEMM_KEYS, get_gemm_config
from kernels.utils.descriptor import hopper_descriptor, triton_descriptor

SCALE_BLOCK = 128

# The archs of each backend, and where Triton reads X and W through TMA descriptors.
TRITON_ARCHS = ("sm_90", "gfx942", "gfx950", "gfx1250")
GLUON_ARCHS = ("sm_90", "gfx950", "gfx1250")
TMA_ARCHS = ("sm_90",)

# arch -> the fewest rows from which gluon is the default; elsewhere triton is. On sm_90 that was
# measured; on gfx1250 Triton 3.6 makes no WMMA of an fp8 dot.
GLUON_FROM_M = {"sm_90": 64, "gfx1250": 1}

_INPUT_DTYPES = (torch.float8_e4m3fn, torch.float8_e4m3fnuz)
_OUTPUT_DTYPES = (torch.bfloat16, torch.float16)
_BIAS_DTYPES = (torch.bfloat16, torch.float16, torch.float32)


def gemm_a8w8_blockscale(
    x: torch.Tensor,
    w: torch.Tensor,
    x_scale: torch.Tensor,
    w_scale: torch.Tensor,
    dtype: torch.dtype = torch.bfloat16,
    y: torch.Tensor | None = None,
    config: dict | None = None,
    skip_reduce: bool = False,
    backend: str | None = None,
    bias: torch.Tensor | None = None,
) -> torch.Tensor:
    """Y = X W^T (+ bias) for e4m3 operands with block scales.

    x: [M, K], w: [N, K], both e4m3 (the fnuz kind on gfx942), K contiguous; any M, N, K.
    x_scale: fp32 [M, ceil(K / 128)], any strides: x[m, k] stands for
        x[m, k] * x_scale[m, k // 128]. On sm_90, M contiguous with a pitch that is a multiple
        of 4 is the fastest.
    w_scale: fp32 [ceil(N / 128), ceil(K / 128)], any strides, likewise per 128 x 128.
    dtype: of the result, bf16 or fp16. Sums are fp32 and rounded once.
    y: where to write the result, [M, N] of `dtype`, N contiguous.
    config: launch values instead of those of `kernels/configs`.
    skip_reduce: return the fp32 partial sums [NUM_KSPLIT, M, N] instead of Y; `dtype` is then
        not used, and neither `y` nor `bias` can be given.
    backend: "triton", "gluon" or None, the default of the arch (see GLUON_FROM_M).
    bias: bf16, fp16 or fp32 [N], added in fp32.

    A NaN or an infinity in x or w reaches the results of its row or column only, a scale those
    of its block's. Where K is 0 the sums are 0.

    Returns y [M, N]. Raises `TypeError` or `ValueError` naming the argument.
    """
    m, n, k = _check_operands(x, w, x_scale, w_scale, tuple(w.shape))
    _check_output(m, n, x.device, dtype, y, skip_reduce, bias)
    arch = get_arch(x.device)
    _check_arch(arch, x)
    aligned = _has_aligned_rows(x) and _has_aligned_rows(w)
    backend = _select_backend(arch, backend, m, aligned)
    if config is None:
        config, _ = get_gemm_config("gemm_a8w8_blockscale", m, n, k, arch=arch, backend=backend)
    else:
        _check_config(config)
    num_ksplit = config["NUM_KSPLIT"]
    out, is_partial = _allocate(m, n, num_ksplit, x.device, dtype, y, skip_reduce)
    if m == 0 or n == 0 or k == 0:
        return _without_products(out, is_partial, skip_reduce, m, n, dtype, y, bias)

    block_m, block_n, block_k = (config[f"BLOCK_SIZE_{axis}"] for axis in "MNK")
    tiles = cdiv(m, block_m) * cdiv(n, block_n) * num_ksplit
    x_arg, w_arg, y_arg, x_scale_arg = x, w, out, x_scale
    if backend == "gluon":
        if arch == "sm_90":
            kernel = _gemm_a8w8_blockscale_sm_90_kernel
            tiles = min(tiles, _num_multiprocessors(x.device))
            x_arg = hopper_descriptor(x, (64, block_k))
            w_arg = hopper_descriptor(w, (block_n, block_k))
            tma_store = not is_partial and _tma_can_write(out)
            if tma_store:
                y_arg = hopper_descriptor(out, (64, block_n))
            tma_scales = _is_transposed_for_tma(x_scale)
            if tma_scales:
                x_scale_arg = hopper_descriptor(x_scale.t(), (1, 64))
            extras = {"TMA_STORE": tma_store, "TMA_SCALES": tma_scales}
        elif arch == "gfx950":
            kernel = _gemm_a8w8_blockscale_gfx950_kernel
            extras = {"stride_xm": x.stride(0), "stride_wn": w.stride(0)}
        elif arch == "gfx1250":
            kernel = _gemm_a8w8_blockscale_gfx1250_kernel
            extras = {"stride_xm": x.stride(0), "stride_wn": w.stride(0)}
        else:
            raise NotImplementedError(f"GLUON_ARCHS lists {arch}, but no kernel is launched for it")
    elif arch in TMA_ARCHS and aligned:
        kernel = _gemm_a8w8_blockscale_tma_kernel
        x_arg = triton_descriptor(x, (block_m, block_k))
        w_arg = triton_descriptor(w, (block_n, block_k))
        extras = {}
    else:
        kernel = _gemm_a8w8_blockscale_kernel
        extras = {
            "stride_xm": x.stride(0),
            "stride_wn": w.stride(0),
            "EVEN_K": k % SCALE_BLOCK == 0,
        }
    kernel[(tiles,)](
        x_arg,
        w_arg,
        y_arg,
        x_scale_arg,
        w_scale,
        None if is_partial else bias,
        m,
        n,
        k,
        stride_ys=out.stride(0) if is_partial else 0,
        stride_ym=out.stride(-2),
        stride_xsm=x_scale.stride(0),
        stride_xsk=x_scale.stride(1),
        stride_wsn=w_scale.stride(0),
        stride_wsk=w_scale.stride(1),
        HAS_BIAS=bias is not None and not is_partial,
        **config,
        **extras,
    )
    if is_partial and not skip_reduce:
        return splitk_reduce(out, _result(m, n, dtype, y, x.device), bias)
    return out


def gemm_a8w8_blockscale_preshuffle(
    x: torch.Tensor,
    w: torch.Tensor,
    x_scale: torch.Tensor,
    w_scale: torch.Tensor,
    dtype: torch.dtype = torch.bfloat16,
    y: torch.Tensor | None = None,
    config: dict | None = None,
    skip_reduce: bool = False,
    backend: str | None = None,
    bias: torch.Tensor | None = None,
) -> torch.Tensor:
    """`gemm_a8w8_blockscale` for weights laid out by `kernels.utils.shuffle.shuffle_weight`.

    w: e4m3 [N / 16, K * 16]; N is a multiple of 16, K of 32. backend: "triton" or None. All
    else as there.
    """
    if w.dim() != 2 or w.shape[1] % 16:
        raise ValueError(f"w: shape [N / 16, K * 16] is needed, got {list(w.shape)}")
    m, n, k = _check_operands(x, w, x_scale, w_scale, (w.shape[0] * 16, w.shape[1] // 16))
    if k % 32:
        raise ValueError(f"w: K % 32 == 0 is needed for this layout, got K = {k}")
    _check_output(m, n, x.device, dtype, y, skip_reduce, bias)
    if backend not in (None, "triton"):
        raise ValueError(f"backend: {backend!r} has no preshuffled variant; use None or 'triton'")
    arch = get_arch(x.device)
    _check_arch(arch, x)
    if config is None:
        config, _ = get_gemm_config("gemm_a8w8_blockscale_preshuffle", m, n, k, arch=arch)
    else:
        _check_config(config)
    num_ksplit = config["NUM_KSPLIT"]
    out, is_partial = _allocate(m, n, num_ksplit, x.device, dtype, y, skip_reduce)
    if m == 0 or n == 0 or k == 0:
        return _without_products(out, is_partial, skip_reduce, m, n, dtype, y, bias)
    tiles_m = cdiv(m, config["BLOCK_SIZE_M"])
    tiles_n = cdiv(n, config["BLOCK_SIZE_N"])
    _gemm_a8w8_blockscale_preshuffle_kernel[(tiles_m * tiles_n * num_ksplit,)](
        x,
        w,
        out,
        x_scale,
        w_scale,
        None if is_partial else bias,
        m,
        n,
        k,
        stride_ys=out.stride(0) if is_partial else 0,
        stride_ym=out.stride(-2),
        stride_xsm=x_scale.stride(0),
        stride_xsk=x_scale.stride(1),
        stride_wsn=w_scale.stride(0),
        stride_wsk=w_scale.stride(1),
        stride_xm=x.stride(0),
        stride_wn=w.stride(0),
        HAS_BIAS=bias is not None and not is_partial,
        EVEN_K=k % SCALE_BLOCK == 0,
        **config,
    )
    if is_partial and not skip_reduce:
        return splitk_reduce(out, _result(m, n, dtype, y, x.device), bias)
    return out


def _select_backend(arch: str, backend: str | None, m: int, aligned: bool) -> str:
    if backend is None:
        return "gluon" if aligned and m >= GLUON_FROM_M.get(arch, math.inf) else "triton"
    if backend not in ("triton", "gluon"):
        raise ValueError(f"backend: None, 'triton' or 'gluon' is needed, got {backend!r}")
    if backend == "gluon" and arch not in GLUON_ARCHS:
        raise ValueError(
            f"backend: {arch} has no 'gluon' kernel, use 'triton'; 'gluon' is for "
            f"{', '.join(GLUON_ARCHS)}"
        )
    if backend == "gluon" and not aligned:
        raise ValueError(
            "backend: 'gluon' copies x and w in pieces of 16 bytes, which needs K, addresses and "
            "row strides that are multiples of 16; use 'triton'"
        )
    return backend


def _check_arch(arch: str, x: torch.Tensor) -> None:
    if arch not in TRITON_ARCHS:
        raise ValueError(f"x: no kernel for {arch}; there are some for {', '.join(TRITON_ARCHS)}")
    if x.dtype != fp8_dtype(arch):
        raise TypeError(f"x: {arch} multiplies {fp8_dtype(arch)}, got {x.dtype}")


def _check_config(config: dict) -> None:
    missing = [key for key in GEMM_KEYS if key not in config]
    if missing:
        raise ValueError(f"config: lacks {', '.join(missing)}")


def _check_operands(x, w, x_scale, w_scale, w_shape: tuple[int, ...]) -> tuple[int, int, int]:
    """M, N and K. `w_shape` is [N, K], whatever the layout of w."""
    for name, operand in (("x", x), ("w", w)):
        if operand.dtype not in _INPUT_DTYPES:
            raise TypeError(f"{name}: e4m3 is needed, got {operand.dtype}")
        if operand.dim() != 2:
            raise ValueError(f"{name}: two dimensions are needed, got {operand.dim()}")
        if operand.shape[1] > 1 and operand.stride(1) != 1:
            raise ValueError(f"{name}: the last dimension must be contiguous")
    if x.dtype != w.dtype:
        raise TypeError(f"w: the dtype of x, {x.dtype}, is needed, got {w.dtype}")
    (m, k), (n, w_k) = x.shape, w_shape
    if k != w_k:
        raise ValueError(f"w: K = {k} as for x is needed, got K = {w_k}")
    blocks_k = cdiv(k, SCALE_BLOCK)
    for name, scale, rows in (
        ("x_scale", x_scale, m),
        ("w_scale", w_scale, cdiv(n, SCALE_BLOCK)),
    ):
        if scale.dtype != torch.float32:
            raise TypeError(f"{name}: float32 is needed, got {scale.dtype}")
        if tuple(scale.shape) != (rows, blocks_k):
            raise ValueError(f"{name}: shape {[rows, blocks_k]} is needed, got {list(scale.shape)}")
    for name, operand in (("w", w), ("x_scale", x_scale), ("w_scale", w_scale)):
        if operand.device != x.device:
            raise ValueError(f"{name}: device {x.device} of x is needed, got {operand.device}")
    return m, n, k


def _check_output(m, n, device, dtype, y, skip_reduce, bias) -> None:
    if dtype not in _OUTPUT_DTYPES:
        raise TypeError(f"dtype: bfloat16 or float16 is needed, got {dtype}")
    if y is not None:
        if skip_reduce:
            raise ValueError("y: can't be given with skip_reduce, which returns partial sums")
        if y.dtype != dtype:
            raise TypeError(f"y: {dtype} is needed, got {y.dtype}")
        if tuple(y.shape) != (m, n) or y.device != device:
            raise ValueError(
                f"y: shape {[m, n]} on {device} is needed, got {list(y.shape)} on {y.device}"
            )
        if n > 1 and y.stride(1) != 1:
            raise ValueError("y: the last dimension must be contiguous")
    if bias is not None:
        if skip_reduce:
            raise ValueError("bias: can't be given with skip_reduce, which returns partial sums")
        if bias.dtype not in _BIAS_DTYPES:
            raise TypeError(f"bias: bfloat16, float16 or float32 is needed, got {bias.dtype}")
        if tuple(bias.shape) != (n,) or bias.device != device or (n > 1 and bias.stride(0) != 1):
            raise ValueError(f"bias: contiguous, of shape {[n]} on {device} is needed")


def _result(m, n, dtype, y, device) -> torch.Tensor:
    return torch.empty((m, n), dtype=dtype, device=device) if y is None else y


def _allocate(m, n, num_ksplit, device, dtype, y, skip_reduce) -> tuple[torch.Tensor, bool]:
    """What the GEMM kernel writes, and whether these are partial sums."""
    if skip_reduce or num_ksplit > 1:
        return torch.empty((num_ksplit, m, n), dtype=torch.float32, device=device), True
    return _result(m, n, dtype, y, device), False


def _without_products(out, is_partial, skip_reduce, m, n, dtype, y, bias) -> torch.Tensor:
    """The result where nothing is summed up: a size is 0."""
    if is_partial and not skip_reduce:
        out = _result(m, n, dtype, y, out.device)
    return out.zero_() if bias is None else out.copy_(bias.expand(m, n))


def _has_aligned_rows(operand: torch.Tensor) -> bool:
    """Whether asynchronous copies of 16 bytes, and TMA, can read all of it."""
    k, stride = operand.shape[1], operand.stride(0)
    return k > 0 and (k | stride | operand.data_ptr()) % 16 == 0


def _is_transposed_for_tma(scale: torch.Tensor) -> bool:
    """Whether TMA can read the scales of neighbouring rows at once."""
    return scale.stride(0) == 1 and (4 * scale.stride(1) | scale.data_ptr()) % 16 == 0


def _tma_can_write(out: torch.Tensor) -> bool:
    return out.data_ptr() % 16 == 0 and out.stride(0) * out.itemsize % 16 == 0


@cache
def _num_multiprocessors(device: torch.device) -> int:
    return torch.cuda.get_device_properties(device).multi_processor_count
