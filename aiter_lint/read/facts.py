"""What the read stage says of one file: a pure function of its bytes."""

from __future__ import annotations

from typing import Union

import msgspec

from aiter_lint.read.syntax import Alias, Expr, Param, Stmt
from aiter_lint.span import Span


class _Fact(msgspec.Struct, frozen=True, array_like=True, gc=False):
    pass


class Assumption(_Fact):
    """`tl.assume(test)` in a jit body; `func` is the dotted name that is called. `guarded`: it
    stands under an `if`, in a loop or behind an early return, so it need not be reached."""

    func: str
    test: Expr
    span: Span
    guarded: bool = False


class Dropped(_Fact):
    """A call in a jit body whose result is dropped; `func` is the dotted name that is called."""

    func: str
    span: Span


class JitBody(_Fact):
    """What a body under a decorator says that matters to its role.

    `refs` are the dotted names read in the body, longest form only (`tl.store`, `helper`,
    `loader.load`), `calls` those in call position; both sorted, without repeats. Names that
    the body itself binds (parameters, assignments, loop targets) are in `bound`, sorted.
    `returns` is whether some `return` has a value. `assigns` are the plain statements
    `name = value` and `name op= value` anywhere in the body, in order, only where the body has
    an assumption or a static_assert."""

    refs: tuple[str, ...]
    calls: tuple[str, ...]
    bound: tuple[str, ...]
    returns: bool
    stores: bool  # assigns to an attribute or a subscript, deletes, yields, or uses global
    dropped: tuple[Dropped, ...]
    assumptions: tuple[Assumption, ...]
    asserts: tuple[Assumption, ...]  # static_assert, same form
    assigns: tuple[Stmt, ...]


class Function(_Fact):
    """A `def`, wherever it stands."""

    name: str
    qualname: str  # `Class.method`, `outer.<locals>.inner`
    span: Span  # from `def` (or `async`) to the end of the body
    name_span: Span  # the name alone
    head_span: Span  # from the first decorator's `@`, else `def`, to the colon, which is in it
    decorators: tuple[Expr, ...]  # outermost first; spans without the `@`
    params: tuple[Param, ...]
    parent: int  # index of the enclosing function in `FileFacts.functions`, -1 at module level
    owner: int  # index of the class whose body holds it directly, -1 otherwise
    is_async: bool
    is_generator: bool
    body: Union[tuple[Stmt, ...], None]  # None: not converted; `read.body_of` does on demand
    jit: Union[JitBody, None]  # only where some decorator could be a jit


class ClassFact(_Fact):
    """A class. `body` is always converted; methods are `Def` statements in it."""

    name: str
    qualname: str
    span: Span
    decorators: tuple[Expr, ...]
    bases: tuple[Expr, ...]
    parent: int  # index of the enclosing function, -1 at module level
    owner: int  # index of the enclosing class, -1
    body: tuple[Stmt, ...]


class Ignore(_Fact):
    """An ignore comment. `rules` as written, with their spans; `scope` is `line` (the comment
    ends a line of code), `next` (alone on its line) or `file` (`ignore-file`). `line` is the
    comment's own line; `span` covers the comment from `#`."""

    scope: str
    rules: tuple[tuple[str, Span], ...]
    reason: str
    line: int
    span: Span


class Fault(_Fact):
    """Why a file has no facts: it can't be decoded or parsed."""

    message: str
    span: Span


class FileFacts(_Fact):
    """All that is known of one file. With a fault everything else is empty."""

    fault: Union[Fault, None]
    body: tuple[Stmt, ...]  # module level, always converted
    functions: tuple[Function, ...]  # in source order
    classes: tuple[ClassFact, ...]
    imports: tuple[Alias, ...]  # every import of the file, at any depth
    called: tuple[str, ...]  # names in call position anywhere (last part of a dotted one), sorted
    strings: tuple[str, ...]  # identifiers that stand alone in a string literal, sorted
    ignores: tuple[Ignore, ...]
    exports: Union[tuple[str, ...], None]  # a literal __all__, else None
