"""Every kernel, as its configs have it, to machine code for each arch, without a GPU."""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ARCHES = ("sm_90", "gfx942", "gfx950", "gfx1250")
CHILD = Path(__file__).with_name("compile_child.py")
DEVICE_CODE = CHILD.parents[3] / "kernels" / "_triton_kernels" / "quant"


@pytest.fixture(scope="module")
def children(tmp_path_factory):
    """One child process an arch, two at a time: a compiler that aborts takes no test with it."""
    environment = {k: v for k, v in os.environ.items() if k != "TRITON_INTERPRET"}
    environment["TRITON_ALWAYS_COMPILE"] = "1"
    environment["TRITON_CACHE_DIR"] = str(tmp_path_factory.mktemp("triton"))

    def run(arch):
        return subprocess.run(
            [sys.executable, str(CHILD), arch], env=environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(ARCHES, pool.map(run, ARCHES), strict=True))


@pytest.fixture(params=ARCHES)
def compiled(request, children):
    child = children[request.param]
    assert child.returncode == 0, child.stderr[-3000:]
    return request.param, [json.loads(line) for line in child.stdout.splitlines()]


def text_of(value):
    return str(value).upper() if isinstance(value, bool) else str(value)


def test_every_launched_kernel_compiles(compiled):
    _, rows = compiled
    source = "".join(path.read_text() for path in DEVICE_CODE.glob("*.py"))
    launched = set(re.findall(r'make_kernel_repr\(\s*"(\w+)"', source))
    assert {row["kernel"] for row in rows} == launched
    assert all(row["binary_bytes"] > 1000 for row in rows)


def test_names_tell_the_configuration(compiled):
    _, rows = compiled
    for row in rows:
        keys = "".join(f"_{key}_{text_of(value)}" for key, value in row["constants"].items())
        assert row["name"] == row["kernel"] + keys
        assert row["name_in_binary"]


def test_e4m3_is_that_of_the_arch(compiled):
    arch, rows = compiled
    quantized = {
        pointer
        for row in rows
        if row["kernel"].startswith(("_per_token", "_rms", "_act", "_gated"))
        for pointer in row["pointers"]
        if pointer.startswith("*fp8")
    }
    assert quantized == {"*fp8e4b8" if arch == "gfx942" else "*fp8e4nv"}
