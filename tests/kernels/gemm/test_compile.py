"""Every kernel compiles to machine code with every shipped config, for the archs it is for.

The children compile for the four archs at once, on a machine without a GPU.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import triton

ARCHES = ("sm_90", "gfx942", "gfx950", "gfx1250")
MACHINE_CODE = {"sm_90": "cubin", "gfx942": "hsaco", "gfx950": "hsaco", "gfx1250": "hsaco"}
MAX_SHARED = {"sm_90": 232448, "gfx942": 65536, "gfx950": 163840, "gfx1250": 327680}
KERNELS = {
    "sm_90": {
        "_gemm_a8w8_blockscale_kernel",
        "_gemm_a8w8_blockscale_tma_kernel",
        "_gemm_a8w8_blockscale_sm_90_kernel",
        "_gemm_a8w8_blockscale_preshuffle_kernel",
        "_splitk_reduce_kernel",
    },
    "gfx942": {
        "_gemm_a8w8_blockscale_kernel",
        "_gemm_a8w8_blockscale_preshuffle_kernel",
        "_splitk_reduce_kernel",
    },
}
for _arch in ("gfx950", "gfx1250"):
    KERNELS[_arch] = KERNELS["gfx942"] | {f"_gemm_a8w8_blockscale_{_arch}_kernel"}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """What each child printed, by arch."""
    child = Path(__file__).with_name("compile_child.py")
    cache = str(tmp_path_factory.mktemp("triton_cache"))
    env = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    # The children use the Triton that is under test, wherever it lies.
    paths = [str(Path(triton.__path__[0]).parent), env.get("PYTHONPATH", "")]
    env |= {"TRITON_ALWAYS_COMPILE": "1", "TRITON_CACHE_DIR": cache, "PYTHONPATH": ":".join(paths)}
    children = {
        arch: subprocess.Popen(
            [sys.executable, child, arch],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=env,
        )
        for arch in ARCHES
    }
    results = {}
    for arch, process in children.items():
        output, errors = process.communicate(timeout=600)
        assert process.returncode == 0, errors[-4000:]
        results[arch] = [json.loads(line) for line in output.splitlines() if line[:1] == "{"]
    return results


@pytest.mark.parametrize("arch", ARCHES)
def test_compiles_to_machine_code(compiled, arch):
    for launch in compiled[arch]:
        assert "error" not in launch, (
            f"{launch['kernel']} {launch['constexprs']}: " + launch["error"]
        )
        assert MACHINE_CODE[arch] in launch["assembly"]
        assert launch["shared"] <= MAX_SHARED[arch], (launch["kernel"], launch["constexprs"])
    assert {launch["kernel"] for launch in compiled[arch]} == KERNELS[arch]


@pytest.mark.parametrize("arch", ARCHES)
def test_name_shows_every_constexpr(compiled, arch):
    for launch in compiled[arch]:
        expected = launch["kernel"]
        for key in launch["keys"]:
            value = launch["constexprs"][key]
            expected += f"_{key}_{str(value).upper() if isinstance(value, bool) else value}"
        assert launch["name"] == expected
        assert re.fullmatch("[a-zA-Z_][a-zA-Z0-9_]*", launch["name"])
