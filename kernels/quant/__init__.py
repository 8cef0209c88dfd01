"""Quantization of activations: the public functions."""

from kernels.quant.per_group import per_group_quant
from kernels.quant.per_tensor import dynamic_per_tensor_quant, static_per_tensor_quant
from kernels.quant.per_token import per_token_quant

__all__ = [
    "dynamic_per_tensor_quant",
    "per_group_quant",
    "per_token_quant",
    "static_per_tensor_quant",
]
