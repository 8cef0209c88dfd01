"""A syntax tree of `ast` nodes becomes expressions and statements of `read.syntax`.

One small function for each node type, found by a table. Both front ends end here: the fast
one with the trees of `ast.parse`, the other with the same nodes built from libcst's.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from aiter_lint.read.source import Source
from aiter_lint.read.syntax import (
    Alias,
    Arg,
    Assert,
    Assign,
    Attr,
    Augment,
    Binary,
    Call,
    Case,
    Class,
    Comp,
    Compare,
    Cond,
    Const,
    Def,
    Delete,
    Dict,
    Do,
    Entry,
    Expr,
    For,
    Generator,
    Handler,
    If,
    Import,
    Item,
    Jump,
    Lambda,
    Logic,
    Match,
    Name,
    Opaque,
    Param,
    Raise,
    Return,
    Scope,
    Seq,
    Star,
    Stmt,
    Text,
    Try,
    Unary,
    Walrus,
    While,
    With,
    WithItem,
)
from aiter_lint.span import Span

LARGEST_DISPLAY = 4096
LONGEST_STRING = 20_000
DEEPEST_EXPRESSION = 80
LONGEST_ELIF_CHAIN = 40

# Python 3.10 and 3.11 have no `type X = ...`; the node is then made by the libcst front end.
TypeAlias: type = getattr(ast, "TypeAlias", None) or type(
    "TypeAlias", (ast.stmt,), {"_fields": ("name", "type_params", "value")}
)
TRIES: tuple[type, ...] = (ast.Try,) + ((ast.TryStar,) if hasattr(ast, "TryStar") else ())


class Converter:
    """Converts the nodes of one file; `shift` is added to their line numbers.

    A `def` or `class` statement is known by the `index` that `read.index` set on its node.
    """

    def __init__(self, source: Source, shift: int = 0, characters: bool = False) -> None:
        self.source = source
        self.shift = shift
        # the lines where the columns of the nodes, UTF-8 bytes, are not those of characters
        self.wide = {} if characters else source.wide
        self.span: Callable[[ast.AST], Span] = (
            self._moved_span if shift or self.wide else _plain_span
        )
        """Where a node stands. What is inside an f-string stands where the f-string does:
        before Python 3.12 `ast` does not know better."""

    def _moved_span(self, node: ast.AST) -> Span:
        line = node.lineno + self.shift
        end_line = node.end_lineno + self.shift
        if line in self.wide or end_line in self.wide:
            column = self.source.column
            start, end = column(line, node.col_offset), column(end_line, node.end_col_offset)
            return Span(line, start, end_line, end)
        return Span(line, node.col_offset + 1, end_line, node.end_col_offset + 1)

    # --- expressions

    def expr(self, node: ast.expr, depth: int = 0) -> Expr:
        """One expression; below the depth bound it is Opaque."""
        kind = type(node)
        if kind is ast.Name:
            return Name(node.id, self.span(node))
        if depth > DEEPEST_EXPRESSION:
            return Opaque("deep expression", self.span(node))
        convert = _EXPRESSIONS.get(kind)
        if convert is None:
            return Opaque(_WORDS.get(kind, "unknown syntax"), self.span(node))
        return convert(self, node, depth + 1)

    def exprs(self, nodes: Sequence[ast.expr], depth: int = 0) -> tuple[Expr, ...]:
        """Several expressions."""
        return tuple([self.expr(node, depth) for node in nodes])

    def params(self, args: ast.arguments, depth: int = 0) -> tuple[Param, ...]:
        """A signature, in order of the source."""
        plain = args.posonlyargs + args.args
        defaults: list[ast.expr | None] = [None] * (len(plain) - len(args.defaults))
        defaults += args.defaults
        positional = len(args.posonlyargs)
        result = [
            self._param(arg, "positional" if number < positional else "plain", default, depth)
            for number, (arg, default) in enumerate(zip(plain, defaults))
        ]
        if args.vararg is not None:
            result.append(self._param(args.vararg, "*", None, depth))
        for arg, default in zip(args.kwonlyargs, args.kw_defaults):
            result.append(self._param(arg, "keyword", default, depth))
        if args.kwarg is not None:
            result.append(self._param(args.kwarg, "**", None, depth))
        return tuple(result)

    def head(self, node: ast.FunctionDef) -> tuple[tuple[Expr, ...], tuple[Param, ...]]:
        """Decorators and parameters of a function."""
        return self.exprs(node.decorator_list), self.params(node.args)

    def kernel_head(
        self, node: ast.FunctionDef, span: Span
    ) -> tuple[tuple[Expr, ...], tuple[Param, ...]]:
        """The same of a kernel, whose head covers `span`; libcst may be asked instead."""
        return self.head(node)

    def _param(self, arg: ast.arg, kind: str, default: ast.expr | None, depth: int) -> Param:
        span = self.span(arg)
        annotation = None
        if arg.annotation is not None:
            annotation = self.source.slice(self.span(arg.annotation))
            if " " in annotation or "\n" in annotation or "\t" in annotation:
                annotation = " ".join(annotation.split())
        if default is None:
            return Param(arg.arg, kind, annotation, None, span)
        value = self.expr(default, depth)
        end = self.span(default)
        span = Span(span.line, span.column, end.end_line, end.end_column)
        return Param(arg.arg, kind, annotation, value, span)

    # --- statements

    def body(self, nodes: Sequence[ast.stmt]) -> tuple[Stmt, ...]:
        """A block; statements that no value depends on are left out."""
        result = []
        for node in nodes:
            convert = _STATEMENTS.get(type(node))
            if convert is not None:
                statement = convert(self, node)
                if statement is not None:
                    result.append(statement)
        return tuple(result)

    def aliases(self, node: ast.Import | ast.ImportFrom) -> tuple[Alias, ...]:
        """The names that an import statement binds."""
        if type(node) is ast.Import:
            return tuple(
                [
                    Alias(
                        alias.asname or alias.name.partition(".")[0],
                        alias.name,
                        None,
                        0,
                        self.span(alias),
                    )
                    for alias in node.names
                ]
            )
        module, level = node.module or "", node.level
        return tuple(
            [
                Alias(alias.asname or alias.name, module, alias.name, level, self.span(alias))
                for alias in node.names
            ]
        )


def _plain_span(node: ast.AST) -> Span:
    return Span(node.lineno, node.col_offset + 1, node.end_lineno, node.end_col_offset + 1)


def dotted(node: ast.AST) -> str | None:
    """`a.b.c` as text, None for anything else."""
    if type(node) is ast.Name:
        return node.id
    parts = []
    while type(node) is ast.Attribute:
        parts.append(node.attr)
        node = node.value
    if type(node) is not ast.Name:
        return None
    parts.append(node.id)
    parts.reverse()
    return ".".join(parts)


# --- expressions, one function each ----------------------------------------------------------


def _constant(convert: Converter, node: ast.Constant, depth: int) -> Expr:
    value = node.value
    kind = type(value)
    span = convert.span(node)
    if kind is str:
        if len(value) > LONGEST_STRING:
            return Opaque("large literal", span)
        if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
            return Opaque("surrogates", span)
        return Const(value, span)
    if kind is int:
        return Const(value, span) if value < 2**63 else Opaque("large number", span)
    if kind is bool or kind is float or value is None:
        return Const(value, span)
    return Opaque("..." if value is ... else kind.__name__, span)


def _attribute(convert: Converter, node: ast.Attribute, depth: int) -> Expr:
    return Attr(convert.expr(node.value, depth), node.attr, convert.span(node))


def _subscript(convert: Converter, node: ast.Subscript, depth: int) -> Expr:
    return Item(
        convert.expr(node.value, depth), convert.expr(node.slice, depth), convert.span(node)
    )


def _call(convert: Converter, node: ast.Call, depth: int) -> Expr:
    func = convert.expr(node.func, depth)
    args = []
    for value in node.args:
        if type(value) is ast.Starred:
            args.append(Arg("*", convert.expr(value.value, depth), convert.span(value)))
        else:
            converted = convert.expr(value, depth)
            args.append(Arg(None, converted, converted.span))
    if node.keywords:
        for keyword in node.keywords:
            name = "**" if keyword.arg is None else keyword.arg
            args.append(Arg(name, convert.expr(keyword.value, depth), convert.span(keyword)))
        if any(arg.name == "*" for arg in args):
            args.sort(key=lambda arg: (arg.span.line, arg.span.column))
    return Call(func, tuple(args), convert.span(node))


def _unary(convert: Converter, node: ast.UnaryOp, depth: int) -> Expr:
    return Unary(_UNARY[type(node.op)], convert.expr(node.operand, depth), convert.span(node))


def _binary(convert: Converter, node: ast.BinOp, depth: int) -> Expr:
    left = convert.expr(node.left, depth)
    return Binary(BINARY[type(node.op)], left, convert.expr(node.right, depth), convert.span(node))


def _compare(convert: Converter, node: ast.Compare, depth: int) -> Expr:
    operands = (convert.expr(node.left, depth), *convert.exprs(node.comparators, depth))
    return Compare(tuple([_COMPARE[type(op)] for op in node.ops]), operands, convert.span(node))


def _logic(convert: Converter, node: ast.BoolOp, depth: int) -> Expr:
    op = "and" if type(node.op) is ast.And else "or"
    return Logic(op, convert.exprs(node.values, depth), convert.span(node))


def _cond(convert: Converter, node: ast.IfExp, depth: int) -> Expr:
    test = convert.expr(node.test, depth)
    then = convert.expr(node.body, depth)
    return Cond(test, then, convert.expr(node.orelse, depth), convert.span(node))


def _seq(convert: Converter, node: ast.Tuple | ast.List | ast.Set, depth: int) -> Expr:
    if len(node.elts) > LARGEST_DISPLAY:
        return Opaque("large literal", convert.span(node))
    return Seq(_SEQ[type(node)], convert.exprs(node.elts, depth), convert.span(node))


def _star(convert: Converter, node: ast.Starred, depth: int) -> Expr:
    return Star(convert.expr(node.value, depth), convert.span(node))


def _dict(convert: Converter, node: ast.Dict, depth: int) -> Expr:
    if len(node.keys) > LARGEST_DISPLAY:
        return Opaque("large literal", convert.span(node))
    entries = [
        Entry(None if key is None else convert.expr(key, depth), convert.expr(value, depth))
        for key, value in zip(node.keys, node.values)
    ]
    return Dict(tuple(entries), convert.span(node))


def _lambda(convert: Converter, node: ast.Lambda, depth: int) -> Expr:
    params = convert.params(node.args, depth)
    return Lambda(params, convert.expr(node.body, depth), convert.span(node))


def _comp(convert: Converter, node: ast.ListComp, depth: int) -> Expr:
    element = convert.expr(node.elt, depth)
    return Comp(
        _COMP[type(node)],
        element,
        None,
        _generators(convert, node.generators, depth),
        convert.span(node),
    )


def _dict_comp(convert: Converter, node: ast.DictComp, depth: int) -> Expr:
    key = convert.expr(node.key, depth)
    value = convert.expr(node.value, depth)
    return Comp(
        "dict", key, value, _generators(convert, node.generators, depth), convert.span(node)
    )


def _generators(
    convert: Converter, nodes: list[ast.comprehension], depth: int
) -> tuple[Generator, ...]:
    return tuple(
        [
            Generator(
                convert.expr(node.target, depth),
                convert.expr(node.iter, depth),
                convert.exprs(node.ifs, depth),
            )
            for node in nodes
        ]
    )


def _walrus(convert: Converter, node: ast.NamedExpr, depth: int) -> Expr:
    return Walrus(node.target.id, convert.expr(node.value, depth), convert.span(node))


def _text(convert: Converter, node: ast.JoinedStr, depth: int) -> Expr:
    span = convert.span(node)
    if len(node.values) > LARGEST_DISPLAY:
        return Opaque("large literal", span)
    outer, convert.span = convert.span, lambda _: span
    parts: list[Expr] = []
    for value in node.values:
        if type(value) is not ast.FormattedValue:
            parts.append(convert.expr(value, depth))
        elif value.conversion == -1 and value.format_spec is None:
            parts.append(convert.expr(value.value, depth))
        else:
            parts.append(Opaque("formatted", span))
    convert.span = outer
    return Text(tuple(parts), span)


# --- statements, one function each; None leaves the statement out ----------------------------


def _assign(convert: Converter, node: ast.Assign) -> Stmt:
    value = convert.expr(node.value)
    return Assign(convert.exprs(node.targets), value, convert.span(node))


def _ann_assign(convert: Converter, node: ast.AnnAssign) -> Stmt | None:
    if node.value is None:
        return None
    value = convert.expr(node.value)
    return Assign((convert.expr(node.target),), value, convert.span(node))


def _type_alias(convert: Converter, node: ast.stmt) -> Stmt:
    value = Opaque("type alias", convert.span(node.value))
    return Assign((convert.expr(node.name),), value, convert.span(node))


def _augment(convert: Converter, node: ast.AugAssign) -> Stmt:
    target = convert.expr(node.target)
    return Augment(target, BINARY[type(node.op)], convert.expr(node.value), convert.span(node))


def _do(convert: Converter, node: ast.Expr) -> Stmt | None:
    if type(node.value) is ast.Constant:
        return None
    return Do(convert.expr(node.value), convert.span(node))


def _if(convert: Converter, node: ast.If) -> Stmt:
    chain = [node]
    while len(chain[-1].orelse) == 1 and type(chain[-1].orelse[0]) is ast.If:
        chain.append(chain[-1].orelse[0])
    other = convert.body(chain[-1].orelse)
    if len(chain) > LONGEST_ELIF_CHAIN:
        return _long_chain(convert, chain, other)
    for link in reversed(chain):
        test = convert.expr(link.test)
        other = (If(test, convert.body(link.body), other, convert.span(link)),)
    return other[0]


def _long_chain(convert: Converter, chain: list[ast.If], other: tuple[Stmt, ...]) -> Stmt:
    """A chain of elifs too long to nest, as the cases of a match: each has the test as guard."""
    cases = [Case(None, (), convert.expr(link.test), convert.body(link.body)) for link in chain]
    cases.append(Case(None, (), None, other))
    span = convert.span(chain[0])
    return Match(Opaque("long elif chain", span), tuple(cases), span)


def _for(convert: Converter, node: ast.For) -> Stmt:
    iterated = convert.expr(node.iter)
    target = convert.expr(node.target)
    body = convert.body(node.body)
    return For(target, iterated, body, convert.body(node.orelse), convert.span(node))


def _while(convert: Converter, node: ast.While) -> Stmt:
    test = convert.expr(node.test)
    body = convert.body(node.body)
    return While(test, body, convert.body(node.orelse), convert.span(node))


def _try(convert: Converter, node: ast.Try) -> Stmt:
    return Try(
        convert.body(node.body),
        tuple(
            [
                Handler(
                    None if handler.type is None else convert.expr(handler.type),
                    handler.name,
                    convert.body(handler.body),
                )
                for handler in node.handlers
            ]
        ),
        convert.body(node.orelse),
        convert.body(node.finalbody),
        convert.span(node),
    )


def _with(convert: Converter, node: ast.With) -> Stmt:
    items = [
        WithItem(
            convert.expr(item.context_expr),
            None if item.optional_vars is None else convert.expr(item.optional_vars),
        )
        for item in node.items
    ]
    return With(tuple(items), convert.body(node.body), convert.span(node))


def _match(convert: Converter, node: ast.Match) -> Stmt:
    cases = []
    for case in node.cases:
        values: list[Expr] = []
        literal = _literal_pattern(convert, case.pattern, values)
        guard = None if case.guard is None else convert.expr(case.guard)
        if guard is None and not literal and not _always_matches(case.pattern):
            guard = Opaque("pattern", convert.span(case.pattern))
        body = convert.body(case.body)
        captures = tuple(_captures(case.pattern))
        cases.append(Case(tuple(values) if literal else None, captures, guard, body))
    return Match(convert.expr(node.subject), tuple(cases), convert.span(node))


def _literal_pattern(convert: Converter, pattern: ast.pattern, values: list[Expr]) -> bool:
    """Whether a pattern is made of literals and dotted names only; `values` collects them."""
    kind = type(pattern)
    if kind is ast.MatchValue:
        values.append(convert.expr(pattern.value))
        return True
    if kind is ast.MatchSingleton:
        values.append(Const(pattern.value, convert.span(pattern)))
        return True
    if kind is ast.MatchOr:
        found = [_literal_pattern(convert, part, values) for part in pattern.patterns]
        return all(found)  # the values of all parts are wanted
    if kind is ast.MatchAs and pattern.pattern is not None:
        return _literal_pattern(convert, pattern.pattern, values)
    return False


def _always_matches(pattern: ast.pattern) -> bool:
    if type(pattern) is ast.MatchOr:
        return any(_always_matches(part) for part in pattern.patterns)
    if type(pattern) is ast.MatchAs:
        return pattern.pattern is None or _always_matches(pattern.pattern)
    return False


def _captures(pattern: ast.pattern) -> list[str]:
    """The names that a pattern binds, in order, without repeats."""
    names: dict[str, None] = {}
    stack = [pattern]
    while stack:
        node = stack.pop()
        kind = type(node)
        inner: list[ast.pattern] = []
        if kind is ast.MatchAs:
            inner = [] if node.pattern is None else [node.pattern]
            if node.name is not None:
                names[node.name] = None
        elif kind is ast.MatchStar:
            if node.name is not None:
                names[node.name] = None
        elif kind is ast.MatchMapping:
            inner = list(node.patterns)
            if node.rest is not None:
                names[node.rest] = None
        elif kind is ast.MatchClass:
            inner = node.patterns + node.kwd_patterns
        elif kind is ast.MatchSequence or kind is ast.MatchOr:
            inner = list(node.patterns)
        stack.extend(reversed(inner))
    return list(names)


def _return(convert: Converter, node: ast.Return) -> Stmt:
    return Return(None if node.value is None else convert.expr(node.value), convert.span(node))


def _raise(convert: Converter, node: ast.Raise) -> Stmt:
    return Raise(convert.span(node))


def _break(convert: Converter, node: ast.Break) -> Stmt:
    return Jump("break", convert.span(node))


def _continue(convert: Converter, node: ast.Continue) -> Stmt:
    return Jump("continue", convert.span(node))


def _assert(convert: Converter, node: ast.Assert) -> Stmt:
    return Assert(convert.expr(node.test), convert.span(node))


def _delete(convert: Converter, node: ast.Delete) -> Stmt:
    return Delete(convert.exprs(node.targets), convert.span(node))


def _import(convert: Converter, node: ast.Import) -> Stmt:
    return Import(convert.aliases(node), convert.span(node))


def _def(convert: Converter, node: ast.FunctionDef) -> Stmt:
    return Def(node.index, convert.span(node))


def _class(convert: Converter, node: ast.ClassDef) -> Stmt:
    return Class(node.index, convert.span(node))


def _global(convert: Converter, node: ast.Global) -> Stmt:
    return Scope("global", tuple(node.names), convert.span(node))


def _nonlocal(convert: Converter, node: ast.Nonlocal) -> Stmt:
    return Scope("nonlocal", tuple(node.names), convert.span(node))


_UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not"}
BINARY = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitOr: "|",
    ast.BitAnd: "&",
    ast.BitXor: "^",
    ast.MatMult: "@",
}
_COMPARE = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
_SEQ = {ast.Tuple: "tuple", ast.List: "list", ast.Set: "set"}
_COMP = {ast.ListComp: "list", ast.SetComp: "set", ast.GeneratorExp: "generator"}
_WORDS = {
    ast.Slice: "slice",
    ast.Await: "await",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.FormattedValue: "formatted",
}

_EXPRESSIONS: dict[type, Callable[[Converter, ast.expr, int], Expr]] = {
    ast.Constant: _constant,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Call: _call,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.Compare: _compare,
    ast.BoolOp: _logic,
    ast.IfExp: _cond,
    ast.Tuple: _seq,
    ast.List: _seq,
    ast.Set: _seq,
    ast.Starred: _star,
    ast.Dict: _dict,
    ast.Lambda: _lambda,
    ast.ListComp: _comp,
    ast.SetComp: _comp,
    ast.GeneratorExp: _comp,
    ast.DictComp: _dict_comp,
    ast.NamedExpr: _walrus,
    ast.JoinedStr: _text,
}

_STATEMENTS: dict[type, Callable[[Converter, ast.stmt], Stmt | None]] = {
    ast.Assign: _assign,
    ast.AnnAssign: _ann_assign,
    ast.AugAssign: _augment,
    ast.Expr: _do,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Match: _match,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Assert: _assert,
    ast.Delete: _delete,
    ast.Import: _import,
    ast.ImportFrom: _import,
    ast.FunctionDef: _def,
    ast.AsyncFunctionDef: _def,
    ast.ClassDef: _class,
    ast.Global: _global,
    ast.Nonlocal: _nonlocal,
}
_STATEMENTS.update(dict.fromkeys(TRIES, _try))
_STATEMENTS[TypeAlias] = _type_alias
