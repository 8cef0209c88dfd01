"""Rounds, conflicts, and files that are given up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from aiter_lint.finding import Applicability, Edit, Finding, Fix, Severity
from aiter_lint.fix import fix_all, unified
from aiter_lint.fix.apply import ROUNDS
from aiter_lint.read.reader import read_file
from aiter_lint.span import Place, Span


@dataclass
class FakeProject:
    files: Mapping[str, object]
    builders: tuple = ()


@dataclass
class FakeLinted:
    findings: list[Finding]
    project: FakeProject
    sources: FakeSources


@dataclass
class FakeSources:
    files: Mapping[str, bytes]
    root: str = ""

    def data(self, path: str) -> bytes:
        return self.files[path]


@dataclass
class World:
    """Files, and a rule that dislikes words: each word that is found is replaced as told."""

    files: dict[str, bytes]
    words: dict[str, str]
    applicability: Applicability = Applicability.SAFE
    rounds: list[dict[str, bytes]] = field(default_factory=list)

    def lint(self, overlay: Mapping[str, bytes]) -> FakeLinted:
        now = {**self.files, **overlay}
        self.rounds.append(now)
        findings = []
        for path, data in sorted(now.items()):
            for number, line in enumerate(data.decode().split("\n"), 1):
                for word, instead in self.words.items():
                    column = line.find(word) + 1
                    if column:
                        span = Span(number, column, number, column + len(word))
                        fix = Fix(self.applicability, "", (Edit(path, span, instead),))
                        place = Place(path, span)
                        findings.append(
                            Finding("X1", "x", Severity.ERROR, "", place, key=word, fix=fix)
                        )
        facts = {path: read_file(data) for path, data in now.items()}
        return FakeLinted(findings, FakeProject(facts), FakeSources(now))


def test_rounds_go_on_until_nothing_is_left() -> None:
    world = World({"a.py": b"one\n"}, {"one": "two", "two": "three"})
    fixed = fix_all(world.lint)
    assert [(c.before, c.after) for c in fixed.changed] == [(b"one\n", b"three\n")]
    assert [f.key for f in fixed.applied] == ["one", "two"]
    assert fixed.left == () and fixed.refused == ()
    assert len(world.rounds) == 3


def test_what_is_known_is_not_linted_again() -> None:
    world = World({"a.py": b"one\n"}, {})
    fix_all(world.lint, first=world.lint({}))
    assert len(world.rounds) == 1


def test_of_two_fixes_of_one_place_the_second_waits() -> None:
    world = World({"a.py": b"abc\n"}, {"ab": "ad", "bc": "bd", "dc": "de"})
    fixed = fix_all(world.lint)
    assert fixed.changed[0].after == b"ade\n"
    assert [f.key for f in fixed.applied] == ["ab", "dc"]


def test_fixes_of_two_files_go_into_one_round() -> None:
    world = World({"a.py": b"one\n", "b.py": b"one\n"}, {"one": "two"})
    assert len(fix_all(world.lint).changed) == 2
    assert len(world.rounds) == 2


def test_unsafe_fixes_are_for_those_who_ask() -> None:
    world = World({"a.py": b"one\n"}, {"one": "two"}, Applicability.UNSAFE)
    fixed = fix_all(world.lint)
    assert fixed.changed == () and len(fixed.left) == 1
    assert fix_all(world.lint, unsafe=True).changed[0].after == b"two\n"


def test_what_only_a_person_can_decide_is_never_applied() -> None:
    world = World({"a.py": b"one\n"}, {"one": "two"}, Applicability.DISPLAY)
    assert fix_all(world.lint, unsafe=True).changed == ()


def test_a_result_that_does_not_parse_is_not_kept() -> None:
    world = World({"a.py": b"one\n", "b.py": b"two\n"}, {"one": "(", "two": "three"})
    fixed = fix_all(world.lint)
    assert [c.path for c in fixed.changed] == ["b.py"]
    assert [(r.path, r.reason) for r in fixed.refused] == [("a.py", "the result does not parse")]
    assert [f.place.path for f in fixed.left] == ["a.py"]
    assert [f.place.path for f in fixed.applied] == ["b.py"]


def test_a_finding_that_comes_back_is_not_fixed() -> None:
    world = World({"a.py": b"one\n", "b.py": b"two\n"}, {"one": "x = one", "two": "three"})
    fixed = fix_all(world.lint)
    assert [c.path for c in fixed.changed] == ["b.py"]
    assert [(r.path, r.reason) for r in fixed.refused] == [
        ("a.py", "x is still found after its fix")
    ]


def test_fixes_that_chase_each_other_come_to_an_end() -> None:
    world = World({"a.py": b"one\n", "b.py": b"in\n"}, {"one": "two", "two": "one", "in": "out"})
    world.files["b.py"] = b"x = 1\n"
    fixed = fix_all(world.lint)
    assert fixed.changed == ()
    assert fixed.refused[0].path == "a.py"
    assert f"{ROUNDS} rounds" in fixed.refused[0].reason
    assert [f.key for f in fixed.left] == ["one"]
    assert fixed.applied == ()


def test_a_diff() -> None:
    world = World({"a.py": b"one\r\nlast"}, {"one": "two", "last": "end"})
    assert "".join(unified(fix_all(world.lint).changed)) == (
        "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-one\r\n-last\n\\ No newline at end of file\n"
        "+two\r\n+end\n\\ No newline at end of file\n"
    )
