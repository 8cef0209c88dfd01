"""The vocabulary in which files are described: expressions and statements.

It is the common ground of two readers (the running Python's `ast`, and libcst) and the only
form of code that later stages know. It is small on purpose: what no rule or value needs is
`Opaque` or missing. Records are immutable, compare by content and survive msgpack.
"""

from __future__ import annotations

from typing import Union

import msgspec

from aiter_lint.span import Span


class _Node(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Base of all records: tagged arrays when stored."""


# --- expressions ---------------------------------------------------------------------------


class Const(_Node):
    """A literal: None, bool, int (of 63 bits at most), float, or str (implicit concatenation
    joined). Longer ints, bytes, complex and Ellipsis are `Opaque`."""

    value: Union[None, bool, int, float, str]
    span: Span


class Name(_Node):
    """A name that is read."""

    id: str
    span: Span


class Attr(_Node):
    """`base.name`."""

    base: Expr
    name: str
    span: Span


class Item(_Node):
    """`base[index]`; several indices come as a `Seq` tuple, slices as `Opaque("slice")`."""

    base: Expr
    index: Expr
    span: Span


class Arg(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One argument of a call, in source order. `name` is None for a positional one, `*` for
    `*value`, `**` for `**value`, else the keyword. `span` covers name and value."""

    name: Union[str, None]
    value: Expr
    span: Span


class Call(_Node):
    """`func(args)`."""

    func: Expr
    args: tuple[Arg, ...]
    span: Span


class Unary(_Node):
    """`op operand`, op one of `-`, `+`, `~`, `not`. A minus on a number literal stays a Unary."""

    op: str
    operand: Expr
    span: Span


class Binary(_Node):
    """`left op right`, op one of + - * / // % ** << >> | & ^ @."""

    op: str
    left: Expr
    right: Expr
    span: Span


class Compare(_Node):
    """`operands[0] ops[0] operands[1] ...`; ops among == != < <= > >= is, is not, in, not in."""

    ops: tuple[str, ...]
    operands: tuple[Expr, ...]
    span: Span


class Logic(_Node):
    """`a and b and ...` or `a or b or ...`; op is `and` or `or`."""

    op: str
    operands: tuple[Expr, ...]
    span: Span


class Cond(_Node):
    """`then if test else other`."""

    test: Expr
    then: Expr
    other: Expr
    span: Span


class Seq(_Node):
    """A tuple, list or set display; kind is `tuple`, `list` or `set`. Items may be `Star`."""

    kind: str
    items: tuple[Expr, ...]
    span: Span


class Star(_Node):
    """`*value` inside a display, a subscript or an assignment target."""

    value: Expr
    span: Span


class Entry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One entry of a dict display; `key` is None for `**value`."""

    key: Union[Expr, None]
    value: Expr


class Dict(_Node):
    """A dict display, entries in source order."""

    entries: tuple[Entry, ...]
    span: Span


class Lambda(_Node):
    """`lambda params: body`."""

    params: tuple[Param, ...]
    body: Expr
    span: Span


class Generator(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One `for target in iter if ...` of a comprehension."""

    target: Expr
    iter: Expr
    tests: tuple[Expr, ...]


class Comp(_Node):
    """A comprehension; kind is `list`, `set`, `dict` or `generator`. `value` is None except for
    a dict comprehension, where `element` is the key."""

    kind: str
    element: Expr
    value: Union[Expr, None]
    generators: tuple[Generator, ...]
    span: Span


class Walrus(_Node):
    """`(name := value)`."""

    name: str
    value: Expr
    span: Span


class Text(_Node):
    """A string built at run time: an f-string. `parts` are its literal and replaced pieces, in
    order; a piece with a conversion or a format is `Opaque`. All pieces, and what is in them,
    have the span of the whole."""

    parts: tuple[Expr, ...]
    span: Span


class Opaque(_Node):
    """Anything else, by the word for it: slice, await, yield, bytes, large literal, ..."""

    what: str
    span: Span


Expr = Union[
    Const, Name, Attr, Item, Call, Unary, Binary, Compare, Logic, Cond, Seq, Star, Dict, Lambda,
    Comp, Walrus, Text, Opaque,
]  # fmt: skip


class Param(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A parameter. `kind` is `positional` (positional-only), `plain`, `*`, `keyword` (keyword-
    only) or `**`. `annotation` is its source text, white space folded, quotes of a string
    annotation included. `span` covers name, annotation and default."""

    name: str
    kind: str
    annotation: Union[str, None]
    default: Union[Expr, None]
    span: Span


# --- statements ----------------------------------------------------------------------------


class Assign(_Node):
    """`targets[0] = targets[1] = value`, `target: annotation = value` (annotation dropped)."""

    targets: tuple[Expr, ...]
    value: Expr
    span: Span


class Augment(_Node):
    """`target op= value`; op without the equals sign."""

    target: Expr
    op: str
    value: Expr
    span: Span


class Do(_Node):
    """An expression evaluated for its effect. Docstrings and other bare constants are left out."""

    value: Expr
    span: Span


class If(_Node):
    """`if test: body else: other`; elif is a nested If. A chain of more than 40 is a Match with
    an opaque subject instead: each case has a test as its guard, the last one the else."""

    test: Expr
    body: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    span: Span


class For(_Node):
    """`for target in iter: body else: other`."""

    target: Expr
    iter: Expr
    body: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    span: Span


class While(_Node):
    """`while test: body else: other`."""

    test: Expr
    body: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    span: Span


class Handler(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`except type as name: body`."""

    type: Union[Expr, None]
    name: Union[str, None]
    body: tuple[Stmt, ...]


class Try(_Node):
    """`try: body except ...: handlers else: other finally: final`."""

    body: tuple[Stmt, ...]
    handlers: tuple[Handler, ...]
    other: tuple[Stmt, ...]
    final: tuple[Stmt, ...]
    span: Span


class WithItem(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`context as target`."""

    context: Expr
    target: Union[Expr, None]


class With(_Node):
    """`with items: body`."""

    items: tuple[WithItem, ...]
    body: tuple[Stmt, ...]
    span: Span


class Case(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`case pattern if guard: body`. `values` are the constants of a pattern made of literals
    and dotted names (`case 1 | 2`), None for any other pattern; `binds` the names it captures;
    a pattern that always matches has values None and no guard; any other that is not literal has at
    least the guard `Opaque("pattern")`."""

    values: Union[tuple[Expr, ...], None]
    binds: tuple[str, ...]
    guard: Union[Expr, None]
    body: tuple[Stmt, ...]


class Match(_Node):
    """`match subject: cases`."""

    subject: Expr
    cases: tuple[Case, ...]
    span: Span


class Return(_Node):
    """`return value`."""

    value: Union[Expr, None]
    span: Span


class Raise(_Node):
    """`raise ...`: control leaves."""

    span: Span


class Jump(_Node):
    """`break` or `continue`."""

    kind: str
    span: Span


class Assert(_Node):
    """`assert test`."""

    test: Expr
    span: Span


class Delete(_Node):
    """`del targets`."""

    targets: tuple[Expr, ...]
    span: Span


class Alias(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One imported name. `import a.b` binds `a` to module `a`; `import a.b as c` binds `c` to
    `a.b`; `from ..m import n as k` binds `k` to `n` of `m` two levels up; `*` as name."""

    local: str
    module: str
    name: Union[str, None]
    level: int
    span: Span


class Import(_Node):
    """An import statement, also inside a function. `import a.b` (no `as`) has local `a`,
    module `a.b`, name None."""

    aliases: tuple[Alias, ...]
    span: Span


class Def(_Node):
    """A function is defined here: `FileFacts.functions[index]`."""

    index: int
    span: Span


class Class(_Node):
    """A class is defined here: `FileFacts.classes[index]`."""

    index: int
    span: Span


class Scope(_Node):
    """`global names` or `nonlocal names`."""

    kind: str
    names: tuple[str, ...]
    span: Span


Stmt = Union[
    Assign, Augment, Do, If, For, While, Try, With, Match, Return, Raise, Jump, Assert, Delete,
    Import, Def, Class, Scope,
]  # fmt: skip
