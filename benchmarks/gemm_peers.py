"""What the block-scale GEMM is measured against, on the same operands.

Each entry prepares the scales in the layout that its implementation wants, outside the timed
region, and returns a call. An implementation that isn't installed, or that refuses a shape, is
reported and left out.
"""

import torch

from benchmarks.gemm_timing import Operands


def cublas_without_block_scales(copies: list[Operands]):
    """torch's fp8 matmul with one scale per tensor: a ceiling, not the same function."""
    one = torch.ones((), device="cuda")

    def call(ops):
        return torch._scaled_mm(
            ops.x, ops.w.t(), one, one, out_dtype=torch.bfloat16, use_fast_accum=True
        )

    return call


def torch_block_scales(copies: list[Operands]):
    """torch's fp8 matmul with 1x128 and 128x128 scales."""
    prepared = {}
    for ops in copies:
        blocks_n, blocks_k = ops.w_scale.shape
        padded = torch.zeros(blocks_n, -(-blocks_k // 4) * 4, device="cuda")
        padded[:, :blocks_k] = ops.w_scale
        prepared[id(ops)] = padded[:, :blocks_k].t()

    def call(ops):
        return torch._scaled_mm(
            ops.x, ops.w.t(), ops.x_scale, prepared[id(ops)], out_dtype=torch.bfloat16
        )

    return call


def deep_gemm(copies: list[Operands]):
    """DeepGEMM's `fp8_gemm_nt`."""
    import deep_gemm

    def call(ops):
        deep_gemm.fp8_gemm_nt((ops.x, ops.x_scale), (ops.w, ops.w_scale), ops.y)
        return ops.y

    return call


PEERS = {
    "cublas": cublas_without_block_scales,
    "torch": torch_block_scales,
    "deep_gemm": deep_gemm,
}
BLOCK_SCALE_PEERS = ("torch", "deep_gemm")
