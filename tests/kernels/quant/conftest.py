import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

WIDE = {"BLOCK_SIZE_N": 16384, "BLOCK_SIZE_G": 1024, "TILE_SIZE": 32768, "SPLIT_SIZE": 1 << 20}


@pytest.fixture
def wide_tiles(monkeypatch):
    """Few large tiles for the interpreter, whose time goes by programs; a GPU takes its configs."""
    if os.environ.get("TRITON_INTERPRET") != "1":
        return
    import kernels.quant
    from kernels.utils.config import get_config

    def get_wide_config(op, m, **where):
        config, is_tuned = get_config(op, m, **where)
        return config | {key: WIDE[key] for key in config.keys() & WIDE.keys()}, is_tuned

    for name in kernels.quant.__all__:
        module = sys.modules[getattr(kernels.quant, name).__module__]
        monkeypatch.setattr(module, "get_config", get_wide_config)
