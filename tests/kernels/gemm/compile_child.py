"""Compiles, without a GPU, what the GEMM wrappers launch for one arch; prints a JSON line for each.

A process of its own: the interpreter must be off, and a compiler that aborts must not take the
tests with it. The wrappers run on meta tensors; each launch is compiled instead of run, once per
set of constexprs.

usage: compile_child.py ARCH, with TRITON_ALWAYS_COMPILE=1
"""

import json
import sys
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.runtime import driver  # noqa: E402
from triton.runtime.jit import JITFunction  # noqa: E402

import kernels.gemm.gemm_a8w8_blockscale as gemm  # noqa: E402
import kernels.gemm.splitk_reduce as reduce  # noqa: E402
from kernels.utils.arch import fp8_dtype  # noqa: E402
from kernels.utils.config import CONFIG_ROOT  # noqa: E402

TARGETS = {
    "sm_90": GPUTarget("cuda", 90, 32),
    "gfx942": GPUTarget("hip", "gfx942", 64),
    "gfx950": GPUTarget("hip", "gfx950", 64),
    "gfx1250": GPUTarget("hip", "gfx1250", 32),
}


class TargetOnly:
    """As much of a driver as compiling asks for."""

    def __init__(self, target):
        self.target = target

    def get_current_target(self):
        return self.target

    def get_current_device(self):
        return 0

    def get_current_stream(self, device=0):
        return 0


def main(arch: str) -> None:
    driver.set_active(TargetOnly(TARGETS[arch]))
    for module in (gemm, reduce):
        module.get_arch = lambda device: arch
    gemm._num_multiprocessors = lambda device: 132
    compile_launch = JITFunction.run
    done = set()

    def compile_once(kernel, *args, grid, warmup, **kwargs):
        constexprs = {p.name for p in kernel.params if p.is_constexpr}
        given = {name: value for name, value in kwargs.items() if name in constexprs}
        types = [getattr(arg, "dtype", type(arg).__name__) for arg in args]
        key = (kernel.__name__, str(sorted(given.items())), str(types))
        if key in done:
            return
        done.add(key)
        line = {"kernel": kernel.__name__, "constexprs": given, "keys": list(kernel_keys(kernel))}
        try:
            compiled = compile_launch(kernel, *args, grid=grid, warmup=True, **kwargs)
            line["name"] = compiled.metadata.name
            line["assembly"] = sorted(compiled.asm)
            line["shared"] = compiled.metadata.shared
        except Exception:
            line["error"] = traceback.format_exc()
        print(json.dumps(line), flush=True)

    JITFunction.run = compile_once
    for backend in ("triton", "gluon"):
        folder = CONFIG_ROOT / arch / backend / "gemm_a8w8_blockscale"
        for path in sorted(folder.glob("*.json")):
            for m in rows_of_buckets(path):
                call(arch, m, *shape_of(path), backend)
    for path in sorted((CONFIG_ROOT / arch / "triton").glob("*_preshuffle/*.json")):
        for m in rows_of_buckets(path):
            call(arch, m, *shape_of(path), "preshuffle")
    for backend in ("triton", "gluon"):
        if backend == "triton" or arch in gemm.GLUON_ARCHS:
            call(arch, 4096, 4608, 7168, backend, dtype=torch.float16, bias=True)
            call(arch, 4096, 4608, 7168, backend, skip_reduce=True)
            call(arch, 4096, 4608, 7168, backend, transposed_scales=False)
    call(arch, 100, 129, 300, "triton")


def kernel_keys(kernel):
    return [p.name for p in kernel.params if p.is_constexpr]


def rows_of_buckets(path: Path) -> list[int]:
    """A number of rows for each bucket of a config file."""
    bounds = [name.split("_") for name in json.loads(path.read_text()) if name != "any"]
    return [int(bound) for _, kind, bound in bounds] + [4096]


def shape_of(path: Path) -> tuple[int, int]:
    if path.stem == "DEFAULT":
        return 4608, 7168
    n, k = (int(part.partition("=")[2]) for part in path.stem.split("-"))
    return n, k


def call(arch, m, n, k, backend, transposed_scales=True, bias=False, **options) -> None:
    def empty(*shape, dtype=torch.float32):
        return torch.empty(shape, dtype=dtype, device="meta")

    e4m3 = fp8_dtype(arch)
    blocks = -(-k // 128)
    x_scale = empty(blocks, -(-m // 4) * 4)[:, :m].t() if transposed_scales else empty(m, blocks)
    w_scale = empty(-(-n // 128), blocks)
    options["bias"] = empty(n) if bias else None
    x = empty(m, k, dtype=e4m3)
    if backend == "preshuffle":
        w = empty(n // 16, k * 16, dtype=e4m3)
        gemm.gemm_a8w8_blockscale_preshuffle(x, w, x_scale, w_scale, **options)
    else:
        w = empty(n, k, dtype=e4m3)
        gemm.gemm_a8w8_blockscale(x, w, x_scale, w_scale, backend=backend, **options)


if __name__ == "__main__":
    main(sys.argv[1])
