"""Where the kernels run: on the GPU where there is one, else in Triton's interpreter.

The interpreter must be chosen before triton is imported, so it is done here, before any test
module is. `TRITON_INTERPRET=1` in the environment chooses it also on a machine with a GPU.
"""

import os
import sys
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).resolve().parents[2]

if "TRITON_INTERPRET" not in os.environ and not torch.cuda.is_available():
    if "triton" in sys.modules:
        raise pytest.UsageError(
            "triton was imported before tests/kernels could choose its interpreter: "
            "set TRITON_INTERPRET=1, or run tests/kernels by itself"
        )
    os.environ["TRITON_INTERPRET"] = "1"

if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"


def pytest_configure(config):
    config.addinivalue_line("markers", "gpu: needs a GPU; skipped elsewhere")


def pytest_collection_modifyitems(items):
    if not INTERPRETED:
        return
    skip = pytest.mark.skip(reason="needs a GPU, and TRITON_INTERPRET unset")
    for item in items:
        if item.get_closest_marker("gpu"):
            item.add_marker(skip)


@pytest.fixture(scope="session")
def device() -> torch.device:
    """Where the tensors of a numerical test live."""
    return torch.device("cpu" if INTERPRETED else "cuda")
