"""Each form of expression, and the record that stands for it."""

from __future__ import annotations

import pytest
from records import facts_of, shown

from aiter_lint.read.syntax import Assign

A, B, C = "Name('a')", "Name('b')", "Name('c')"

FORMS = [
    ("None", "Const(None)"),
    ("True", "Const(True)"),
    ("7", "Const(7)"),
    ("0x_FF", "Const(255)"),
    ("9223372036854775807", "Const(9223372036854775807)"),
    ("9223372036854775808", "Opaque('large number')"),
    ("1.5", "Const(1.5)"),
    ("1e999", "Const(inf)"),
    ("'a' \"b\"", "Const('ab')"),
    ("r'\\d'", "Const('\\\\d')"),
    ("b'a'", "Opaque('bytes')"),
    ("1j", "Opaque('complex')"),
    ("...", "Opaque('...')"),
    (r"'\ud800'", "Opaque('surrogates')"),
    ("a", A),
    ("a.b", f"Attr({A}, 'b')"),
    ("a[b]", f"Item({A}, {B})"),
    ("a[b, c]", f"Item({A}, Seq('tuple', ({B}, {C})))"),
    ("a[1:2, None]", f"Item({A}, Seq('tuple', (Opaque('slice'), Const(None))))"),
    ("a()", f"Call({A}, ())"),
    ("a(b, c=1)", f"Call({A}, (Arg(None, {B}), Arg('c', Const(1))))"),
    ("a(c=1, *b, **c)", f"Call({A}, (Arg('c', Const(1)), Arg('*', {B}), Arg('**', {C})))"),
    ("a[b](c)", f"Call(Item({A}, {B}), (Arg(None, {C}),))"),
    ("-1", "Unary('-', Const(1))"),
    ("not a", f"Unary('not', {A})"),
    ("~a", f"Unary('~', {A})"),
    ("a / b", f"Binary('/', {A}, {B})"),
    ("a // b @ c", f"Binary('@', Binary('//', {A}, {B}), {C})"),
    ("a < b is not c", f"Compare(('<', 'is not'), ({A}, {B}, {C}))"),
    ("a not in b", f"Compare(('not in',), ({A}, {B}))"),
    ("a or b or c", f"Logic('or', ({A}, {B}, {C}))"),
    ("(a and b) and c", f"Logic('and', (Logic('and', ({A}, {B})), {C}))"),
    ("a if b else c", f"Cond({B}, {A}, {C})"),
    ("(a, *b)", f"Seq('tuple', ({A}, Star({B})))"),
    ("[a]", f"Seq('list', ({A},))"),
    ("{a}", f"Seq('set', ({A},))"),
    ("{}", "Dict(())"),
    ("{'k': a, **b}", f"Dict((Entry(Const('k'), {A}), Entry(None, {B})))"),
    (
        "lambda a, /, b=1, *, c: a",
        "Lambda((Param('a', 'positional', None, None), Param('b', 'plain', None, Const(1)), "
        f"Param('c', 'keyword', None, None)), {A})",
    ),
    ("[a for b in c if a]", f"Comp('list', {A}, None, (Generator({B}, {C}, ({A},)),))"),
    ("{a: b for c in a}", f"Comp('dict', {A}, {B}, (Generator({C}, {A}, ()),))"),
    ("(a for b in c)", f"Comp('generator', {A}, None, (Generator({B}, {C}, ()),))"),
    ("(a := b)", f"Walrus('a', {B})"),
    ("f'x{a}y{b!r}'", f"Text((Const('x'), {A}, Const('y'), Opaque('formatted')))"),
    ("f'{a}' 'x' f'y{b:>3}'", f"Text(({A}, Const('xy'), Opaque('formatted')))"),
    ("f'{a=}'", "Text((Const('a='), Opaque('formatted')))"),
]


def value_of(text: str) -> object:
    statement = facts_of(f"x = {text}\n").body[0]
    assert isinstance(statement, Assign)
    return statement.value


@pytest.mark.parametrize(("text", "expected"), FORMS, ids=[text for text, _ in FORMS])
def test_form(text: str, expected: str) -> None:
    assert shown(value_of(text)) == expected


def test_large_displays_are_opaque() -> None:
    assert shown(value_of(f"[{'1, ' * 4096}]")).startswith("Seq('list'")
    assert shown(value_of(f"[{'1, ' * 4097}]")) == "Opaque('large literal')"
    assert shown(value_of(f"{{{'1: 2, ' * 4097}}}")) == "Opaque('large literal')"
    assert shown(value_of(f"'{'x' * 20_001}'")) == "Opaque('large literal')"


def test_deep_expressions_end_in_opaque() -> None:
    assert "deep" not in shown(value_of("a" + ".b" * 80))
    assert "Opaque('deep expression')" in shown(value_of("a" + ".b" * 100))
