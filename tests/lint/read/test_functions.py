"""Functions: where they stand, which bodies are read at once, what a jit body says."""

from __future__ import annotations

from textwrap import dedent

import msgspec
import pytest
from records import facts_of, function_of, shown

from aiter_lint.read.facts import JitBody
from aiter_lint.read.reader import bodies_of, body_of, read_file
from aiter_lint.span import Span


def jit_of(body: str, head: str = "@jit\ndef f(p):") -> JitBody:
    lines = "".join(f"    {line}\n" for line in dedent(body).splitlines())
    facts = function_of(f"{head}\n{lines}", "f").jit
    assert facts is not None
    return facts


# --- which bodies are read

NEEDED = [
    "kernel[grid](x)",
    "kernel[(1,)] (x)",
    "kernel.run(x)",
    "kernel.warmup(x)",
    "wrap_triton(kernel)[grid](x)",
    "ASTSource(kernel, x)",
    "functools.partial(kernel, x)",
    "k = triton.jit(g)",
    "k = triton.autotune(configs=[])(g)",
    "r = make_kernel_repr('k', [])",
    "kernel.fn[grid](x)",
    "go = kernel[grid]\n    go(x)",
    "@triton.jit\n    def made(): pass",
    "def inner():\n        kernel[grid](x)",
]

NOT_NEEDED = ["return other(x)", "y = x[0]", "x = [1]\n    return (x)"]


@pytest.mark.parametrize("body", NEEDED)
def test_body_is_read(body: str) -> None:
    assert function_of(f"def f():\n    {body}\n", "f").body is not None


@pytest.mark.parametrize("body", NOT_NEEDED)
def test_body_is_left_for_later(body: str) -> None:
    assert function_of(f"def f():\n    {body}\n", "f").body is None


@pytest.mark.parametrize(
    "decorator",
    [
        "@jit",
        "@triton.jit",
        "@triton.jit()",
        "@gluon.jit(repr=r)",
        "@triton.autotune(configs=[])\n@triton.jit",
        "@fast_jit",
        "@proj.jit_with_options(1)",
        "@partial(triton.jit, repr=r)",
    ],
)
def test_jit_decorators(decorator: str) -> None:
    function = function_of(f"{decorator}\ndef f(): k[g](x)\n", "f")
    assert function.jit is not None
    assert function.body is None


def test_jit_by_another_name() -> None:
    assert function_of("from triton import jit as J\n@J\ndef f(): pass\n", "f").jit is not None
    assert function_of("from triton import cdiv as J\n@J\ndef f(): pass\n", "f").jit is None


def test_a_project_own_word_for_jit() -> None:
    data = b"@mine\ndef f(): pass\n"
    assert read_file(data).functions[0].jit is None
    assert read_file(data, jit_words=frozenset({"mine"})).functions[0].jit is not None


@pytest.mark.parametrize("call", ["triton.jit(f)", "jit(repr=r)(f)", "my_jit(\n    f)"])
def test_jit_by_a_call(call: str) -> None:
    assert function_of(f"def f(): pass\nk = {call}\n", "f").jit is not None


# --- bodies on demand

NESTED = """\
def outer(a):
    x = 1
    class Local:
        def method(self): return self
    def inner():
        return '''not
dedented'''
    return inner
class C:
    class D:
        def deep(self, é="ü"):
            class E: pass
            def deeper(): y = é; return y
            if a: z = 1
            return deeper
if True:
\tdef tabbed():
\t\treturn 1
"""


def test_body_on_demand_equals_the_body_read_at_once() -> None:
    facts = read_file(NESTED.encode())
    read_at_once = read_file(NESTED.replace("return", "k[g](x); return").encode())
    assert [function.body for function in facts.functions] == [None] * 6
    bodies = bodies_of(NESTED.encode(), facts, range(6))
    for index, function in enumerate(read_at_once.functions):
        assert function.body is not None
        without_launch = [
            shown(statement) for statement in function.body if "Name('k')" not in shown(statement)
        ]
        assert [shown(statement) for statement in bodies[index]] == without_launch


def test_spans_of_a_body_on_demand() -> None:
    facts = read_file(NESTED.encode())
    deeper = next(i for i, fact in enumerate(facts.functions) if fact.name == "deeper")
    assign, returned = body_of(NESTED.encode(), facts, deeper)
    assert assign.span == Span(13, 27, 13, 32)
    assert returned.span == Span(13, 34, 13, 42)


def test_changed_bytes_give_no_bodies() -> None:
    facts = read_file(NESTED.encode())
    assert bodies_of(b"\xff", facts, [0]) == {0: ()}


# --- the function itself


def test_places() -> None:
    text = dedent(
        """\
        class C:
            @ a.b(
                1)
            @c  # :
            async def name(self, x: int = 3,  # comment: here
                           *rest: str, y="}:") -> (
                    dict[str, int]): return 1
        """
    )
    function = function_of(text, "name")
    assert function.qualname == "C.name"
    assert function.span == Span(5, 5, 7, 38)
    assert function.name_span == Span(5, 15, 5, 19)
    assert function.head_span == Span(2, 5, 7, 29)
    assert (function.parent, function.owner, function.is_async) == (-1, 0, True)
    assert [shown(param) for param in function.params] == [
        "Param('self', 'plain', None, None)",
        "Param('x', 'plain', 'int', Const(3))",
        "Param('rest', '*', 'str', None)",
        "Param('y', 'keyword', None, Const('}:'))",
    ]
    assert function.params[1].span == Span(5, 26, 5, 36)


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("tl.constexpr", "tl.constexpr"),
        ("'tl.constexpr'", "'tl.constexpr'"),
        ("tl . constexpr |  None", "tl . constexpr | None"),
        ("dict[str,\n    int]", "dict[str, int]"),
    ],
)
def test_annotations_are_text(annotation: str, expected: str) -> None:
    assert function_of(f"def f(x: {annotation}): pass", "f").params[0].annotation == expected


def test_order_and_nesting() -> None:
    facts = facts_of(NESTED)
    assert [(f.qualname, f.parent, f.owner) for f in facts.functions] == [
        ("outer", -1, -1),
        ("outer.<locals>.Local.method", 0, 0),
        ("outer.<locals>.inner", 0, -1),
        ("C.D.deep", -1, 2),
        ("C.D.deep.<locals>.deeper", 3, -1),
        ("tabbed", -1, -1),
    ]
    assert [(c.qualname, c.parent, c.owner) for c in facts.classes] == [
        ("outer.<locals>.Local", 0, -1),
        ("C", -1, -1),
        ("C.D", -1, 1),
        ("C.D.deep.<locals>.E", 3, -1),
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("yield 1", True),
        ("x = [(yield)]", True),
        ("if a:\n  for b in c:\n    yield from d", True),
        ("yields = 1", False),
        ("def inner(): yield 1", False),
        ("return lambda: (yield)", False),
    ],
)
def test_generators(body: str, expected: bool) -> None:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    assert function_of(f"def f():\n{lines}", "f").is_generator is expected


# --- what a jit body says


def test_names_in_a_jit_body() -> None:
    facts = jit_of(
        """\
        x = tl.load(p + i, mask=m)[None, a:b]
        x += helper(loader.load, *rest, key=value)
        loop[0].call(y)
        z: tl.constexpr = 1
        for j in range(n): pass
        """
    )
    assert facts.refs == (
        "a", "b", "helper", "i", "loader.load", "loop", "m", "n", "p", "range", "rest",
        "tl.load", "value", "x", "y",
    )  # fmt: skip
    assert facts.calls == ("helper", "range", "tl.load")
    assert facts.bound == ("j", "p", "x", "z")


@pytest.mark.parametrize(
    ("body", "returns", "stores"),
    [
        ("return", False, False),
        ("return p", True, False),
        ("def g(): return 1", False, False),
        ("p.x = 1", False, True),
        ("p[0] += 1", False, True),
        ("del p", False, True),
        ("yield p", False, True),
        ("global q", False, True),
        ("q = p[0]", False, False),
    ],
)
def test_returns_and_stores(body: str, returns: bool, stores: bool) -> None:
    facts = jit_of(body)
    assert (facts.returns, facts.stores) == (returns, stores)


def test_dropped_calls_and_assumptions() -> None:
    facts = jit_of(
        """\
        pid = tl.program_id(0)
        a, b = 1, 2
        tl.assume(pid > 0)
        if pid:
            n: tl.constexpr = pid + 1
            tl.static_assert(n == 4, "message")
        helper(n)
        """
    )
    assert [fact.func for fact in facts.dropped] == ["tl.assume", "tl.static_assert", "helper"]
    assert [shown(fact.test) for fact in facts.assumptions] == [
        "Compare(('>',), (Name('pid'), Const(0)))"
    ]
    assert [fact.func for fact in facts.asserts] == ["tl.static_assert"]
    assert [shown(statement)[:22] for statement in facts.assigns] == [
        "Assign((Name('pid'),),",
        "Assign((Name('n'),), B",
    ]


def test_assignments_are_kept_only_beside_an_assertion() -> None:
    assert jit_of("x = 1\nhelper(x)").assigns == ()


def test_facts_are_a_function_of_the_bytes() -> None:
    one, other = read_file(NESTED.encode()), read_file(NESTED.encode())
    assert msgspec.msgpack.encode(one) == msgspec.msgpack.encode(other)


def test_all_functions_around_a_launch_are_read() -> None:
    text = "def a():\n  def b():\n    def c():\n      go = k[g]\n      go(1)\n  def d(): pass\n"
    facts = facts_of(text)
    assert [function.body is not None for function in facts.functions] == [True, True, True, False]
