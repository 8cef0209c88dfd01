"""Each form of statement, and the record that stands for it."""

from __future__ import annotations

from textwrap import dedent

import pytest
from records import facts_of, shown

X1, Y2 = "Assign((Name('x'),), Const(1))", "Assign((Name('y'),), Const(2))"
A = "Name('a')"

LEFT_OUT = ["pass", "'docstring'", "...", "1", "x: int"]

FORMS = [
    ("x = 1", X1),
    ("x = y = 1", "Assign((Name('x'), Name('y')), Const(1))"),
    ("x: int = 1", X1),
    (
        "x, *y.z = a",
        f"Assign((Seq('tuple', (Name('x'), Star(Attr(Name('y'), 'z')))),), {A})",
    ),
    ("x //= 1", "Augment(Name('x'), '//', Const(1))"),
    ("a()", f"Do(Call({A}, ()))"),
    ("del x, a.b", f"Delete((Name('x'), Attr({A}, 'b')))"),
    ("assert a, 'why'", f"Assert({A})"),
    ("raise a", "Raise()"),
    ("global x, y", "Scope('global', ('x', 'y'))"),
    ("import p.q", "Import((Alias('p', 'p.q', None, 0),))"),
    ("import p.q as r", "Import((Alias('r', 'p.q', None, 0),))"),
    ("from ..p import q as r", "Import((Alias('r', 'p', 'q', 2),))"),
    ("from . import q", "Import((Alias('q', '', 'q', 1),))"),
    ("from p import *", "Import((Alias('*', 'p', '*', 0),))"),
    ("if a: x = 1", f"If({A}, ({X1},), ())"),
    (
        "if a: x = 1\nelif b: y = 2\nelse: x = 1",
        f"If({A}, ({X1},), (If(Name('b'), ({Y2},), ({X1},)),))",
    ),
    ("for x in a: break\nelse: y = 2", f"For(Name('x'), {A}, (Jump('break'),), ({Y2},))"),
    ("while a: continue", f"While({A}, (Jump('continue'),), ())"),
    (
        "with a as x, b: y = 2",
        f"With((WithItem({A}, Name('x')), WithItem(Name('b'), None)), ({Y2},))",
    ),
    (
        "try: x = 1\nexcept a as e: y = 2\nelse: x = 1\nfinally: y = 2",
        f"Try(({X1},), (Handler({A}, 'e', ({Y2},)),), ({X1},), ({Y2},))",
    ),
    (
        "match a:\n    case 1 | b.C: x = 1\n    case [p, *q] if p: y = 2\n    case p: x = 1",
        f"Match({A}, (Case((Const(1), Attr(Name('b'), 'C')), (), None, ({X1},)), "
        f"Case(None, ('p', 'q'), Name('p'), ({Y2},)), Case(None, ('p',), None, ({X1},))))",
    ),
    (
        "match a:\n    case [1]: x = 1\n    case {'k': p}: y = 2\n    case _: x = 1",
        f"Match({A}, (Case(None, (), Opaque('pattern'), ({X1},)), "
        f"Case(None, ('p',), Opaque('pattern'), ({Y2},)), Case(None, (), None, ({X1},))))",
    ),
    ("def f(): return 1", "Def(0)"),
    ("class C: pass", "Class(0)"),
]


@pytest.mark.parametrize("text", LEFT_OUT)
def test_left_out(text: str) -> None:
    assert facts_of(text).body == ()


@pytest.mark.parametrize(("text", "expected"), FORMS, ids=[text for text, _ in FORMS])
def test_form(text: str, expected: str) -> None:
    assert shown(facts_of(text).body) == f"({expected},)"


def test_a_long_chain_of_elifs_is_a_match_with_guards() -> None:
    text = "if a: x = 0\n" + "".join(f"elif b{i}: x = {i}\n" for i in range(60)) + "else: x = 99\n"
    (statement,) = facts_of(text).body
    assert shown(statement).startswith(f"Match(Opaque('long elif chain'), (Case(None, (), {A}, ")
    assert shown(statement).endswith("Case(None, (), None, (Assign((Name('x'),), Const(99)),))))")


def test_async_statements_and_exception_groups() -> None:
    text = dedent(
        """\
        async def f():
            async with a as b: x = k[g]()
            async for x in y: pass
            await z
        """
    )
    body = facts_of(text).functions[0].body
    assert [type(statement).__name__ for statement in body or ()] == ["With", "For", "Do"]


def test_a_type_alias_binds_its_name() -> None:
    assert shown(facts_of("type X = int\n").body) == (
        "(Assign((Name('X'),), Opaque('type alias')),)"
    )


@pytest.mark.parametrize(
    ("text", "exports"),
    [
        ("x = 1", None),
        ("__all__ = ['a', 'b']", ("a", "b")),
        ("__all__ = ('a',)\n__all__ += ['b']", ("a", "b")),
        ("__all__ = ['a'] + more", None),
        ("__all__ = [a]", None),
    ],
)
def test_exports(text: str, exports: object) -> None:
    assert facts_of(text).exports == exports
