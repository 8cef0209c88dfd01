"""Which files the entries of `kernel-packages` and `wrapper-packages` mean."""

from __future__ import annotations

import pytest

from aiter_lint.rules.layout import Packages

MODULES = {
    "pkg.ops.norm": "src/pkg/ops/norm.py",
    "pkg.ops": "src/pkg/ops/__init__.py",
    "pkg.operations": "src/pkg/operations.py",
}


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        pytest.param("pkg/kernels", "tests/pkg/kernels/k.py", id="a path starts at the root"),
        pytest.param("/kernels", "pkg/kernels/k.py", id="so does a word with a slash in front"),
        pytest.param("kernels", "pkg/kernels_v2/k.py", id="a word is a whole name"),
        pytest.param("kernels", "pkg/kernels.py", id="a module is no folder"),
        pytest.param("pkg/*/kernels", "pkg/a/b/kernels/k.py", id="a star is one name"),
        pytest.param("pkg.ops", "src/pkg/operations.py", id="a dotted name is a whole name"),
        pytest.param("pkg.ops", "elsewhere/pkg/ops/k.py", id="dotted names are modules'"),
    ],
)
def test_not_held(entry: str, path: str) -> None:
    assert not Packages([entry], MODULES).hold(path)


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ("kernels", "kernels/k.py"),
        ("kernels", "pkg/kernels/deep/k.py"),
        ("kernels/", "pkg/kernels/k.py"),
        ("/kernels", "kernels/k.py"),
        ("./kernels", "kernels/k.py"),
        ("pkg/kernels", "pkg/kernels/k.py"),
        ("pkg/kernels/", "pkg/kernels/deep/k.py"),
        ("pkg/*/kernels", "pkg/a/kernels/k.py"),
        ("pkg/ops.py", "pkg/ops.py"),
        ("pkg.ops", "src/pkg/ops/norm.py"),
        ("pkg.ops", "src/pkg/ops/__init__.py"),
        ("pkg.ops.norm", "src/pkg/ops/norm.py"),
    ],
)
def test_held(entry: str, path: str) -> None:
    assert Packages(["no/such", entry], MODULES).hold(path)
