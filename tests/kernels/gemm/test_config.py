"""The config resolver: buckets, fallbacks, caching, and errors that name file and remedy."""

import json

import pytest

from kernels.utils import config as resolver
from kernels.utils.config import ConfigError, get_config, get_gemm_config


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a file below a config root of the test's own."""
    monkeypatch.setattr(resolver, "CONFIG_ROOT", tmp_path)
    resolver.clear_config_cache()

    def write_file(content, name="DEFAULT", backend="triton"):
        path = tmp_path / "sm_90" / backend / "op" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    yield write_file
    resolver.clear_config_cache()


BUCKETS = {
    "M_LEQ_64": {"tile": 64},
    "M_LEQ_16": {"tile": 16},
    "M_GEQ_1024": {"tile": 1024},
    "M_GEQ_512": {"tile": 512},
    "any": {"tile": 0},
}


@pytest.mark.parametrize(
    "m, tile",
    [(0, 16), (1, 16), (16, 16), (17, 64), (64, 64), (65, 0), (511, 0), (512, 512), (1023, 512),
     (1024, 1024), (10**9, 1024)],
)  # fmt: skip
def test_bucket(write, m, tile):
    write(BUCKETS)
    assert get_config("op", m, arch="sm_90") == ({"tile": tile}, False)


def test_shape_file_wins_and_is_tuned(write):
    write({"any": {"tile": 1}})
    write({"any": {"tile": 2}}, "hidden=64")
    assert get_config("op", 1, arch="sm_90", shape="hidden=64") == ({"tile": 2}, True)
    assert get_config("op", 1, arch="sm_90", shape="hidden=65") == ({"tile": 1}, False)


def test_backends_have_files_of_their_own(write):
    write({"any": {"tile": 1}})
    write({"any": {"tile": 2}}, backend="gluon")
    assert get_config("op", 1, arch="sm_90", backend="gluon")[0] == {"tile": 2}


def test_caller_cannot_corrupt_the_cache(write):
    write({"any": {"tile": 1}})
    get_config("op", 1, arch="sm_90")[0]["tile"] = 99
    assert get_config("op", 1, arch="sm_90")[0] == {"tile": 1}


def test_file_is_read_once_until_the_cache_is_cleared(write):
    write({"any": {"tile": 1}})
    get_config("op", 1, arch="sm_90")
    write({"any": {"tile": 2}})
    assert get_config("op", 1, arch="sm_90")[0] == {"tile": 1}
    assert get_config("op", 2, arch="sm_90")[0] == {"tile": 1}
    resolver.clear_config_cache()
    assert get_config("op", 1, arch="sm_90")[0] == {"tile": 2}


@pytest.mark.parametrize(
    "content, why",
    [
        ("", "can't be read as JSON"),
        ("{", "can't be read as JSON"),
        ('{"any": {}, "any": {}}', "'any' is given twice"),
        ('{"any": {"tile": 1, "tile": 2}}', "'tile' is given twice"),
        ([], "not an object"),
        ({}, "`any` is missing"),
        ({"M_LEQ_16": {"tile": 1}}, "`any` is missing"),
        ({"any": {}, "M_LT_16": {}}, "'M_LT_16' is not `M_LEQ_<n>`"),
        ({"any": {}, "M_LEQ_016": {}}, "'M_LEQ_016' is not"),
        ({"any": 3}, "'any' is not an object"),
        ({"any": {"tile": 1, "warps": 4}, "M_LEQ_16": {"tile": 1}}, "'M_LEQ_16' lacks warps"),
        ({"any": {"tile": 1}, "M_LEQ_16": {"tile": 1, "x": 4}}, "'M_LEQ_16' alone has x"),
        ({"any": {"tile": None}}, "tile in bucket 'any' is no number"),
        ({"any": {"tile": [1]}}, "tile in bucket 'any' is no number"),
    ],
)
def test_damaged_file(write, content, why):
    path = write(content)
    with pytest.raises(ConfigError) as error:
        get_config("op", 1, arch="sm_90")
    assert str(path) in str(error.value)
    assert why in str(error.value)
    assert "correct the file" in str(error.value)


def test_file_that_is_not_there(write):
    with pytest.raises(ConfigError, match=r"DEFAULT.json: no such config file; add"):
        get_config("op", 1, arch="sm_90")


GEMM = dict.fromkeys(resolver.GEMM_KEYS, 1)


def test_gemm_config(write):
    write({"any": GEMM})
    write({"any": GEMM | {"NUM_KSPLIT": 4}}, "N=32-K=64")
    assert get_gemm_config("op", 1, 32, 64, arch="sm_90") == (GEMM | {"NUM_KSPLIT": 4}, True)
    assert get_gemm_config("op", 1, 64, 32, arch="sm_90") == (GEMM, False)


@pytest.mark.parametrize("value", [0, -1, 1.0, True, "4"])
def test_gemm_config_wants_positive_ints(write, value):
    write({"any": GEMM | {"num_warps": value}})
    with pytest.raises(ConfigError, match="num_warps in bucket 'any'"):
        get_gemm_config("op", 1, 32, 64, arch="sm_90")


def test_gemm_config_names_what_lacks(write):
    write({"any": {key: 1 for key in resolver.GEMM_KEYS if key != "NUM_KSPLIT"}})
    with pytest.raises(ConfigError, match="'any' lacks NUM_KSPLIT"):
        get_gemm_config("op", 1, 32, 64, arch="sm_90")


def test_every_shipped_gemm_file_is_complete():
    files = sorted(resolver.CONFIG_ROOT.glob("*/*/gemm*/*.json"))
    assert files
    for path in files:
        arch, backend, op = path.parts[-4:-1]
        get_gemm_config(op, 1, 1, 1, arch=arch, backend=backend)
        resolver._load(path, resolver.GEMM_KEYS)
