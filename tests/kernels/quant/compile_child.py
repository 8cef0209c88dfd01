"""Compiles, without a GPU, what the wrappers launch on one arch; prints a JSON line for each.

A process of its own: the interpreter must be off, and a compiler that aborts must not take the
tests with it. The wrappers run on meta tensors; their launches are recorded instead of run.
"""

import inspect
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.runtime.jit import JITFunction

import kernels.quant as quant
from kernels.utils.arch import fp8_dtype

TARGETS = {
    "sm_90": GPUTarget("cuda", 90, 32),
    "gfx942": GPUTarget("hip", "gfx942", 64),
    "gfx950": GPUTarget("hip", "gfx950", 64),
    "gfx1250": GPUTarget("hip", "gfx1250", 32),
}
POINTERS = {
    torch.float32: "*fp32",
    torch.float16: "*fp16",
    torch.bfloat16: "*bf16",
    torch.int8: "*i8",
    torch.uint8: "*u8",
    torch.int32: "*i32",
    torch.int64: "*i64",
    torch.float8_e4m3fn: "*fp8e4nv",
    torch.float8_e4m3fnuz: "*fp8e4b8",
}


def main(arch: str) -> None:
    e4m3 = fp8_dtype(arch)
    for module in {sys.modules[getattr(quant, name).__module__] for name in quant.__all__}:
        module.get_arch = lambda device: arch
    launches = []
    JITFunction.run = lambda self, *args, grid, warmup, **kwargs: launches.append(
        (self, args, kwargs)
    )
    call_all(e4m3, few_columns=arch == "sm_90")
    done = set()
    for kernel, args, kwargs in launches:
        signature, constants, divisible, options = specialize(kernel, args, kwargs)
        key = (kernel.__name__, str(signature), str(constants), str(divisible))
        if key in done:
            continue
        done.add(key)
        source = ASTSource(
            fn=kernel,
            signature=signature,
            constexprs={(kernel.arg_names.index(k),): v for k, v in constants.items()},
            attrs={(i,): [["tt.divisibility", 16]] for i in divisible},
        )
        start = time.monotonic()
        compiled = triton.compile(source, target=TARGETS[arch], options=options)
        binary = compiled.asm.get("cubin") or compiled.asm.get("hsaco")
        row = {
            "kernel": kernel.__name__,
            "constants": {k: v for k, v in constants.items() if k in constexpr_names(kernel)},
            "pointers": [t for t in signature.values() if t.startswith("*")],
            "name": compiled.metadata.name,
            "binary_bytes": len(binary),
            "name_in_binary": compiled.metadata.name.encode() in binary,
            "seconds": round(time.monotonic() - start, 2),
        }
        print(json.dumps(row), flush=True)


def call_all(e4m3: torch.dtype, *, few_columns: bool) -> None:
    """Every kernel, in what its configs give for one row, for many, and for few columns."""
    for m, n in ((1, 7168), (8192, 7168), (8192, 256))[: 3 if few_columns else 2]:
        call_plain(m, n, torch.bfloat16, e4m3)
        call_fused(m, n, torch.bfloat16, residual=m == 1, norm_before_gate=m > 1)
    call_plain(8192, 7168, torch.float32, torch.int8)
    half = meta(8192, 7168, dtype=torch.float16)
    quant.mxfp4_quant(half)
    quant.nvfp4_quant(half, meta(1, dtype=torch.float32))
    quant.per_token_quant(meta(3, 20480), dtype=e4m3)


def meta(*shape, dtype=torch.bfloat16):
    return torch.empty(shape, dtype=dtype, device="meta")


def call_plain(m: int, n: int, dtype: torch.dtype, code: torch.dtype) -> None:
    x, one = meta(m, n, dtype=dtype), meta(1, dtype=torch.float32)
    quant.static_per_tensor_quant(x, one, dtype=code)
    quant.dynamic_per_tensor_quant(x, dtype=code)
    quant.per_tensor_scale(x, 448.0)
    quant.per_token_quant(x, dtype=code)
    quant.per_group_quant(x, dtype=code)
    quant.mxfp8_quant(x)
    quant.mxfp4_quant(x)
    quant.nvfp4_quant(x, one)


def call_fused(
    m: int, n: int, dtype: torch.dtype, *, residual: bool, norm_before_gate: bool
) -> None:
    x, weight, one = meta(m, n, dtype=dtype), meta(n), meta(1, dtype=torch.float32)
    activation = "silu" if norm_before_gate else "gelu"
    quant.act_mul_per_group_quant(x, activation)
    quant.splitk_act_mul_per_group_quant(meta(4, m, n, dtype=torch.float32), activation)
    added = meta(m, n, dtype=dtype) if residual else None
    quant.rms_norm_static_quant(x, weight, one, residual=added)
    quant.rms_norm_per_token_quant(x, weight, residual=added)
    quant.rms_norm_per_group_quant(x, weight, residual=added)
    quant.gated_rms_norm_per_group_quant(x, x, weight, norm_before_gate=norm_before_gate)


def constexpr_names(kernel: JITFunction) -> set[str]:
    return {p.name for p in kernel.params if p.is_constexpr}


def specialize(kernel: JITFunction, args: tuple, kwargs: dict):
    """As the launch would: ints equal to 1 and None become constants, multiples of 16 are known."""
    bound = inspect.signature(kernel.fn).bind(*args, **kwargs).arguments
    signature, constants, divisible = {}, {}, []
    for index, param in enumerate(kernel.params):
        value = bound[param.name]
        plain_int = isinstance(value, int) and not param.do_not_specialize
        if param.is_constexpr or value is None or (plain_int and value == 1):
            signature[param.name] = "constexpr"
            constants[param.name] = value
            continue
        if isinstance(value, torch.Tensor):
            signature[param.name] = POINTERS[value.dtype]
        elif isinstance(value, float):
            signature[param.name] = "fp32"
        else:
            signature[param.name] = "i32" if value < 2**31 else "i64"
        if isinstance(value, torch.Tensor) or (plain_int and value % 16 == 0):
            divisible.append(index)
    return signature, constants, divisible, {"num_warps": constants["num_warps"]}


if __name__ == "__main__":
    main(sys.argv[1])
