"""What `ast` and libcst say of a file must be the same, record for record.

`AITER_LINT_TREES`, folders separated as in `PATH`, adds every file of those trees.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import libcst
import msgspec
import pytest

from aiter_lint.read.convert import Converter
from aiter_lint.read.facts import FileFacts
from aiter_lint.read.from_cst import parse_tree
from aiter_lint.read.ignores import ignores_among
from aiter_lint.read.index import index_tree
from aiter_lint.read.reader import bodies_of, read_file
from aiter_lint.read.source import Source, decode

ASSETS = sorted(Path(__file__).parent.glob("assets/*.py.txt"))
REPOSITORY = Path(__file__).parents[3]
OWN = sorted([*REPOSITORY.glob("aiter_lint/read/*.py"), *REPOSITORY.glob("kernels/**/*.py")])
TREES = [Path(tree) for tree in os.environ.get("AITER_LINT_TREES", "").split(os.pathsep) if tree]


def by_libcst(data: bytes) -> FileFacts:
    source = decode(data)
    assert isinstance(source, Source)
    tree, comments = parse_tree(source)
    facts = index_tree(tree, Converter(source, characters=True))
    return msgspec.structs.replace(facts, ignores=ignores_among(source, comments))


def differences(one: object, other: object, path: str = "") -> Iterator[str]:
    """Where two records differ, deepest places only."""
    if one == other:
        return
    if type(one) is type(other) and isinstance(one, tuple) and len(one) == len(other):
        for number, (left, right) in enumerate(zip(one, other)):
            yield from differences(left, right, f"{path}[{number}]")
    elif type(one) is type(other) and isinstance(one, msgspec.Struct):
        for name in one.__struct_fields__:
            yield from differences(getattr(one, name), getattr(other, name), f"{path}.{name}")
    else:
        yield f"{path}: {one!r} is not {other!r}"


def assert_same(one: FileFacts, other: FileFacts) -> None:
    assert list(differences(one, other)) == []


@pytest.mark.parametrize("path", ASSETS, ids=lambda path: path.name)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_every_form_of_syntax(path: Path, line_end: str) -> None:
    data = path.read_bytes().replace(b"\n", line_end.encode())
    facts = read_file(data)
    assert facts.fault is None
    assert_same(facts, by_libcst(data))
    assert facts == read_file(path.read_bytes())


@pytest.mark.parametrize("path", ASSETS, ids=lambda path: path.name)
def test_libcst_is_asked_where_python_is_too_old(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = path.read_bytes()
    expected = read_file(data)
    monkeypatch.setattr("aiter_lint.read.reader._parse", lambda text: SyntaxError("too new"))
    assert_same(read_file(data), expected)
    everything = range(len(expected.functions))
    by_file = bodies_of(data, expected, everything)
    monkeypatch.undo()
    assert bodies_of(data, expected, everything) == by_file


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_this_repository(path: Path) -> None:
    data = path.read_bytes()
    assert_same(read_file(data), by_libcst(data))


@pytest.mark.skipif(not TREES, reason="AITER_LINT_TREES names no tree")
@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.name)
def test_public_trees(tree: Path) -> None:
    wrong = []
    for path in sorted(tree.rglob("*.py")):
        data = path.read_bytes()
        facts = read_file(data)
        if facts.fault is None:
            wrong += [f"{path} {line}" for line in differences(facts, by_libcst(data))]
    assert wrong == []


def test_facts_survive_storage() -> None:
    for path in ASSETS:
        facts = read_file(path.read_bytes())
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=FileFacts) == facts


@pytest.mark.parametrize(
    "text",
    ["x = t'a{b}'", "try: x\nexcept A, B: y", "lazy import x", "x = [*a for a in b]"],
    ids=["template", "except", "lazy", "unpacking"],
)
def test_syntax_of_tomorrow_is_no_fault(text: str) -> None:
    try:
        libcst.parse_module(text)
    except libcst.ParserSyntaxError:
        pytest.skip("this libcst does not know it")
    assert read_file(f"{text}\ndef f(): k[g](1)\n".encode()).fault is None
