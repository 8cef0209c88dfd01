"""The sum over the splits of K, for every GEMM."""

import torch

from kernels._triton_kernels.common.splitk_reduce import _splitk_reduce_kernel
from kernels.utils.arch import get_arch
from kernels.utils.ceil_div import cdiv
from kernels.utils.config import get_config


def splitk_reduce(
    partial: torch.Tensor,
    y: torch.Tensor,
    bias: torch.Tensor | None = None,
) -> torch.Tensor:
    """y = partial.sum(0) + bias, summed in fp32 and rounded once to y's dtype.

    partial: fp32 [S, M, N], the last dimension contiguous. y: bf16, fp16 or fp32 [M, N], the
    last dimension contiguous; it is written and returned. bias: bf16, fp16 or fp32 [N].
    Raises `TypeError` or `ValueError` naming the argument.
    """
    if partial.dtype != torch.float32:
        raise TypeError(f"partial: float32 is needed, got {partial.dtype}")
    if partial.dim() != 3 or partial.stride(-1) != 1:
        raise ValueError("partial: shape [S, M, N] with contiguous rows is needed")
    splits, m, n = partial.shape
    if tuple(y.shape) != (m, n) or (n > 1 and y.stride(-1) != 1):
        raise ValueError(f"y: shape {[m, n]} with contiguous rows is needed, got {list(y.shape)}")
    if bias is not None and (tuple(bias.shape) != (n,) or (n > 1 and bias.stride(0) != 1)):
        raise ValueError(f"bias: contiguous, of shape {[n]} is needed, got {list(bias.shape)}")
    if m == 0 or n == 0:
        return y
    config, _ = get_config("splitk_reduce", m, arch=get_arch(partial.device))
    grid = (cdiv(m, config["BLOCK_SIZE_M"]), cdiv(n, config["BLOCK_SIZE_N"]))
    _splitk_reduce_kernel[grid](
        partial,
        y,
        bias,
        m,
        n,
        partial.stride(0),
        partial.stride(1),
        y.stride(0),
        NUM_KSPLIT=splits,
        HAS_BIAS=bias is not None,
        **config,
    )
    return y
