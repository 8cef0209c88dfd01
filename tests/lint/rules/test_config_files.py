"""Config files in JSON: what is told of them, how it is shown and silenced, and this repository's
own configs, with one fault planted in each of them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import case_files
import pytest

from aiter_lint.rules.registry import get
from aiter_lint.rules.rule import EXAMPLE_HEAD

ROOT = Path(__file__).parents[3]
GLUON = "kernels/configs/{}/gluon/gemm_a8w8_blockscale/DEFAULT.json"
TRITON = "kernels/configs/{}/triton/{}/DEFAULT.json"


def example(root: Path, name: str, *settings: str) -> Path:
    case = case_files.parse(get(name).bad[0], head=EXAMPLE_HEAD)
    case.settings.extend(settings)
    case_files.write(case, root)
    (root / "names.py").write_text(case_files.NAMES, encoding="utf-8")
    return root


def check(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "aiter_lint", "check", *options]
    env = {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "PATH": ""}
    return subprocess.run(command, cwd=root, capture_output=True, text=True, env=env)


def test_the_story_of_a_contradiction(tmp_path: Path) -> None:
    [finding] = case_files.lint(example(tmp_path, "unrunnable-config"))
    assert (finding.place.path, finding.kernel, finding.key) == (
        "configs/gemm.json",
        "gemm",
        "num_warps",
    )
    assert "`M_LEQ_64`" in finding.message and "`num_warps` = 2" in finding.message
    assert "`num_warps == 4`" in finding.message
    lines = (tmp_path / "k.py").read_text(encoding="utf-8").splitlines()
    told = [(r.place.path, lines[r.place.span.line - 1].strip()) for r in finding.related]
    assert told == [
        ("k.py", "tl.static_assert(num_warps == 4)"),
        ("k.py", 'gemm[(1,)](x, **get_config("gemm", m))'),
    ]


def test_the_report_shows_the_line_of_the_file(tmp_path: Path) -> None:
    run = check(example(tmp_path, "unrunnable-config"), "--output-format", "full")
    assert run.returncode == 1, run.stderr
    assert '"M_LEQ_64": { "BLOCK": 64, "num_warps": 2 }' in run.stdout
    assert "configs/gemm.json:2:30" in run.stdout


def test_settings_and_the_baseline_silence_it(tmp_path: Path) -> None:
    root = example(tmp_path, "unrunnable-config")
    assert check(root).returncode == 1
    silent = check(root, "--per-file-ignores", "configs/:unrunnable-config")
    assert (silent.returncode, silent.stderr) == (0, "")
    command = [sys.executable, "-m", "aiter_lint", "baseline"]
    subprocess.run(command, cwd=root, env={"PYTHONPATH": str(ROOT), "PATH": ""}, check=True)
    assert check(root).returncode == 0


def test_a_corrected_file_is_read_again(tmp_path: Path) -> None:
    root = example(tmp_path, "unrunnable-config")
    assert check(root, "--cache-dir", ".cache").returncode == 1
    assert check(root, "--cache-dir", ".cache").returncode == 1
    file = root / "configs" / "gemm.json"
    file.write_text(file.read_text().replace('"num_warps": 2', '"num_warps": 4'))
    assert check(root, "--cache-dir", ".cache").returncode == 0
    (root / "configs" / "another.json").write_text('{"M_LEQ_64": {"BLOCK": 8}}')
    again = check(root, "--cache-dir", ".cache", "--output-format", "concise")
    assert again.returncode == 1
    assert "configs/another.json:1:1: error AIT502" in again.stdout


# --- this repository's configs -----------------------------------------------------------------


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    shutil.copytree(
        ROOT / "kernels", root / "kernels", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(ROOT / "pyproject.toml", root)
    return root


def findings(root: Path) -> list[tuple[str, int, str, str | None]]:
    return [
        (f.place.path, f.place.span.line, f.rule, f.kernel)
        for f in case_files.lint(root)
        if f.rule.endswith("-config")
    ]


def test_they_are_clean(tree: Path) -> None:
    assert findings(tree) == []


GEMM = "_gemm_a8w8_blockscale{}_kernel"


@pytest.mark.parametrize(
    ("path", "change", "kernels"),
    [
        (GLUON.format("sm_90"), {"num_warps": 2}, ["_sm_90"]),
        (GLUON.format("sm_90"), {"BLOCK_SIZE_M": 96}, ["_sm_90"]),
        (GLUON.format("sm_90"), {"BLOCK_SIZE_N": 256}, ["_sm_90"]),
        (GLUON.format("gfx950"), {"num_stages": 1}, ["_gfx950"]),
        (GLUON.format("gfx950"), {"BLOCK_SIZE_K": 64}, ["_gfx950"]),
        (GLUON.format("gfx1250"), {"num_warps": 16}, ["_gfx1250"]),
        (TRITON.format("sm_90", "gemm_a8w8_blockscale"), {"BLOCK_SIZE_N": 96}, ["", "_tma"]),
        (TRITON.format("gfx942", "gemm_a8w8_blockscale"), {"BLOCK_SIZE_K": 64}, [""]),
        (
            TRITON.format("gfx942", "gemm_a8w8_blockscale_preshuffle"),
            {"BLOCK_SIZE_N": 8},
            ["_preshuffle"],
        ),
    ],
)
def test_a_contradiction_is_found(
    path: str, change: dict[str, int], kernels: list[str], tree: Path
) -> None:
    [key] = change
    file = tree / path
    kept = file.read_bytes()
    buckets = json.loads(kept)
    buckets["any"].update(change)
    text = json.dumps(buckets, indent=2)
    line = len(text[: text.rindex(f'"{key}"')].split("\n"))
    try:
        file.write_text(text, encoding="utf-8")
        assert findings(tree) == [
            (path, line, "unrunnable-config", GEMM.format(kernel)) for kernel in kernels
        ]
    finally:
        file.write_bytes(kept)


@pytest.mark.parametrize(
    ("path", "kernel"),
    [
        (GLUON.format("sm_90"), GEMM.format("_sm_90")),
        (TRITON.format("sm_90", "splitk_reduce"), "_splitk_reduce_kernel"),
        (TRITON.format("gfx942", "per_group_quant"), "_per_group_quant_kernel"),
    ],
)
def test_a_key_that_is_gone_is_found(path: str, kernel: str, tree: Path) -> None:
    file = tree / path
    kept = file.read_bytes()
    buckets = json.loads(kept)
    name, *others = buckets
    assert others
    key = next(key for key in buckets[name] if key.startswith("BLOCK_SIZE"))
    del buckets[name][key]
    try:
        file.write_text(json.dumps(buckets, indent=2), encoding="utf-8")
        assert findings(tree) == [(path, 2, "incomplete-config", kernel)]
    finally:
        file.write_bytes(kept)


def test_a_fallback_that_is_gone_is_found(tree: Path) -> None:
    path = TRITON.format("sm_90", "per_group_quant")
    file = tree / path
    kept = file.read_bytes()
    buckets = json.loads(kept)
    del buckets["any"]
    try:
        file.write_text(json.dumps(buckets), encoding="utf-8")
        assert findings(tree) == [(path, 1, "incomplete-config", None)]
    finally:
        file.write_bytes(kept)
