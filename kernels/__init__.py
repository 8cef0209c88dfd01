"""Kernels for LLM inference: quantization, and the block-scale GEMM that consumes it."""

from kernels.utils.arch import is_interpreted

if is_interpreted():
    from kernels.utils.interpreter import round_as_the_hardware_does

    round_as_the_hardware_does()
