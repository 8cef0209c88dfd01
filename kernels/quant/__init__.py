"""Quantization of activations: the public functions."""

from kernels.quant.act_mul import act_mul_per_group_quant, splitk_act_mul_per_group_quant
from kernels.quant.gated_rms_norm import gated_rms_norm_per_group_quant
from kernels.quant.mxfp4 import mxfp4_quant
from kernels.quant.mxfp8 import mxfp8_quant
from kernels.quant.nvfp4 import nvfp4_quant
from kernels.quant.per_group import per_group_quant
from kernels.quant.per_tensor import (
    dynamic_per_tensor_quant,
    per_tensor_scale,
    static_per_tensor_quant,
)
from kernels.quant.per_token import per_token_quant
from kernels.quant.rms_norm import (
    rms_norm_per_group_quant,
    rms_norm_per_token_quant,
    rms_norm_static_quant,
)

__all__ = [
    "act_mul_per_group_quant",
    "dynamic_per_tensor_quant",
    "gated_rms_norm_per_group_quant",
    "mxfp4_quant",
    "mxfp8_quant",
    "nvfp4_quant",
    "per_group_quant",
    "per_tensor_scale",
    "per_token_quant",
    "rms_norm_per_group_quant",
    "rms_norm_per_token_quant",
    "rms_norm_static_quant",
    "splitk_act_mul_per_group_quant",
    "static_per_tensor_quant",
]
