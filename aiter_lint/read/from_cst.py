"""The libcst front end: a concrete tree becomes the same `ast` nodes that `ast.parse` gives.

It is the grammar of record: it reads what is newer than the running Python, and whole files in
the tests, where its facts must equal those of the fast front end. libcst is imported here only
when it is needed.

Positions are characters, from 0, as `ast` would give them for text without wide characters.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from aiter_lint.read.convert import TypeAlias
from aiter_lint.read.source import Source
from aiter_lint.span import Span

if TYPE_CHECKING:
    import libcst

_LOAD, _STORE, _DEL = ast.Load(), ast.Store(), ast.Del()

# What has no node of its own in every Python: a template string, an annotation.
Foreign: type = type("Foreign", (ast.expr,), {"_fields": ()})

_At = tuple[int, int, int, int]


def parse_tree(source: Source) -> tuple[ast.Module, list[tuple[int, int, str]]]:
    """The tree of a text in `ast` nodes, and its comments as line, column (from 1), text.
    Raises libcst.ParserSyntaxError where libcst refuses the text."""
    import libcst

    module = libcst.parse_module(source.text)
    state = _recorder()(module)
    module._codegen(state)
    tree = ast.Module(_Builder(source, state.places).block(module.body), [])
    comments = [
        (at[0], at[1] + 1, node.value)
        for node, at in state.places.items()
        if type(node).__name__ == "Comment"
    ]
    comments.sort()
    return tree, comments


@functools.cache
def _recorder() -> type:
    """What libcst's PositionProvider does - it writes the code out again and notes where each
    node begins and ends - with plain tuples, at a sixth of the cost."""
    from libcst._nodes.internal import CodegenState

    class Recorder(CodegenState):
        def __init__(self, module: libcst.Module) -> None:
            super().__init__(module.default_indent, module.default_newline)
            self.line, self.column = 1, 0
            self.places: dict[Any, _At] = {}
            self._starts: list[tuple[int, int]] = []

        def add_indent_tokens(self) -> None:
            self.column += sum([len(token) for token in self.indent_tokens])

        def add_token(self, value: str) -> None:
            lines = value.count("\n")
            if lines:
                self.line += lines
                self.column = len(value) - value.rfind("\n") - 1
            else:
                self.column += len(value)

        def before_codegen(self, node: libcst.CSTNode) -> None:
            self._starts.append((self.line, self.column))

        def after_codegen(self, node: libcst.CSTNode) -> None:
            start = self._starts.pop()
            if node not in self.places:  # else its syntactic position is known
                self.places[node] = (*start, self.line, self.column)

        @contextlib.contextmanager
        def record_syntactic_position(
            self,
            node: libcst.CSTNode,
            *,
            start_node: libcst.CSTNode | None = None,
            end_node: libcst.CSTNode | None = None,
        ) -> Iterator[None]:
            start = (self.line, self.column)
            yield
            end = (self.line, self.column)
            if start_node is not None:
                start = self.places[start_node][:2]
            if end_node is not None:
                end = self.places[end_node][2:]
            self.places[node] = (*start, *end)

    return Recorder


class _Builder:
    """Builds `ast` nodes from libcst's."""

    def __init__(self, source: Source, places: dict[Any, _At]) -> None:
        self.source = source
        self.places = places

    # --- positions

    def at(self, node: Any) -> _At:
        """Where a node stands, without the parentheses around it."""
        return self.places[node]

    def outer(self, node: Any) -> _At:
        """Where a node stands with the parentheses around it."""
        line, column, end_line, end = self.at(node)
        if getattr(node, "lpar", ()):
            return (*self.places[node.lpar[0]][:2], *self.places[node.rpar[-1]][2:])
        return (line, column, end_line, end)

    def between(self, first: Any, last: Any) -> _At:
        """From the start of one node to the end of another, parentheses included."""
        return (*self.outer(first)[:2], *self.outer(last)[2:])

    # --- expressions

    def expr(self, node: Any, ctx: ast.expr_context = _LOAD) -> ast.expr:
        build = _EXPRESSIONS.get(type(node).__name__)
        if build is None:
            return _place(Foreign(), self.at(node))
        return _place(build(self, node, ctx), self.at(node))

    def optional(self, node: Any) -> ast.expr | None:
        return None if node is None else self.expr(node)

    def elements(self, nodes: Sequence[Any], ctx: ast.expr_context) -> list[ast.expr]:
        result = []
        for node in nodes:
            if type(node).__name__ == "StarredElement":
                value = self.expr(node.value, ctx)
                at = (*self.outer(node)[:2], *self.outer(node.value)[2:])
                result.append(_place(ast.Starred(value, ctx), at))
            else:
                result.append(self.expr(node.value, ctx))
        return result

    def arguments(self, node: Any) -> ast.arguments:
        star = node.star_arg if type(node.star_arg).__name__ == "Param" else None
        plain = [*node.posonly_params, *node.params]
        return ast.arguments(
            posonlyargs=[self._arg(param) for param in node.posonly_params],
            args=[self._arg(param) for param in node.params],
            vararg=None if star is None else self._arg(star),
            kwonlyargs=[self._arg(param) for param in node.kwonly_params],
            kw_defaults=[self.optional(param.default) for param in node.kwonly_params],
            kwarg=None if node.star_kwarg is None else self._arg(node.star_kwarg),
            defaults=[self.expr(param.default) for param in plain if param.default is not None],
        )

    def _arg(self, param: Any) -> ast.arg:
        annotation = None if param.annotation is None else param.annotation.annotation
        at = self.at(param.name) if annotation is None else self.between(param.name, annotation)
        return _place(ast.arg(param.name.value, self._annotation(annotation)), at)

    def _annotation(self, node: Any) -> ast.expr | None:
        """An annotation: only where it stands matters."""
        if node is None:
            return None
        if type(node).__name__ == "Tuple":
            return self.expr(node)
        return _place(Foreign(), self.at(node))

    def generators(self, node: Any) -> list[ast.comprehension]:
        result = []
        while node is not None:
            result.append(
                ast.comprehension(
                    self.expr(node.target, _STORE),
                    self.expr(node.iter),
                    [self.expr(clause.test) for clause in node.ifs],
                    int(node.asynchronous is not None),
                )
            )
            node = node.inner_for_in
        return result

    # --- statements

    def block(self, nodes: Sequence[Any]) -> list[ast.stmt]:
        """Statements of a suite or a module."""
        result: list[ast.stmt] = []
        for node in nodes:
            if type(node).__name__ == "SimpleStatementLine":
                for small in node.body:
                    self._small(small, result)
            elif hasattr(node, "semicolon"):
                self._small(node, result)
            else:
                build = _COMPOUND[type(node).__name__]
                statement = build(self, node)
                line, column = self.at(node)[:2]
                _place(statement, (line, column, *self._end(node, statement)))
                result.append(statement)
        return result

    def suite(self, node: Any) -> list[ast.stmt]:
        """The statements of a suite, [] for none; `else` and `finally` hold one."""
        if node is None:
            return []
        return self.block(node.body.body if hasattr(node.body, "body") else node.body)

    def _small(self, node: Any, result: list[ast.stmt]) -> None:
        build = _SMALL.get(type(node).__name__)
        statement = ast.Pass() if build is None else build(self, node)
        result.append(_place(statement, self.at(node)))

    def _end(self, node: Any, statement: ast.stmt) -> tuple[int, int]:
        """A compound statement ends where its last inner statement does."""
        for name in ("finalbody", "orelse", "handlers", "cases", "body"):
            inner = getattr(statement, name, None)
            if inner:
                last = inner[-1]
                if name == "cases" or name == "handlers":
                    last = last.body[-1]
                return last.end_lineno, last.end_col_offset
        return self.at(node)[2:]


def _place(node: Any, at: _At) -> Any:
    """Sets a node's position, unless it has one: a tuple takes in its parentheses."""
    if not hasattr(node, "lineno"):
        node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = at
    return node


def dotted_name(node: Any) -> str:
    """`a.b.c` of an import."""
    parts = []
    while type(node).__name__ == "Attribute":
        parts.append(node.attr.value)
        node = node.value
    parts.append(node.value)
    return ".".join(reversed(parts))


# --- expressions, one function each ----------------------------------------------------------


def _name(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    constants = {"None": None, "True": True, "False": False}
    if node.value in constants:
        return ast.Constant(constants[node.value])
    return ast.Name(_normal(node.value), ctx)


def _normal(name: str) -> str:
    """An identifier as Python normalises it."""
    if name.isascii():
        return name
    import unicodedata

    return unicodedata.normalize("NFKC", name)


def _integer(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    try:
        return ast.Constant(int(node.value.replace("_", ""), 0))
    except ValueError:  # too long for Python's limit
        return ast.Constant(2**64)


def _float(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    return ast.Constant(float(node.value.replace("_", "")))


def _imaginary(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    return ast.Constant(0j)


def _ellipsis(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    return ast.Constant(...)


def _string(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    pieces = _pieces(build, node)
    merged: list[Any] = []
    formatted = False
    for piece in pieces:
        if piece is None:
            formatted = True
        elif merged and type(merged[-1]) is type(piece) and isinstance(piece, (str, bytes)):
            merged[-1] += piece
        else:
            merged.append(piece)
    if not formatted:
        if len(merged) == 1:
            return ast.Constant(merged[0])
        return Foreign()  # bytes beside text, or a template
    at = build.at(node)
    values = []
    for piece in merged:
        if isinstance(piece, str):
            if piece:
                values.append(_place(ast.Constant(piece), at))
        elif isinstance(piece, bytes):
            return Foreign()
        else:
            values.append(_place(piece, at))
    return ast.JoinedStr(values)


def _pieces(build: _Builder, node: Any) -> list[Any]:
    """What a string is made of: text, bytes, replaced fields; None says it is an f-string."""
    kind = type(node).__name__
    if kind == "ConcatenatedString":
        return _pieces(build, node.left) + _pieces(build, node.right)
    if kind == "SimpleString":
        return [_evaluate(node.value)]
    if kind == "FormattedString":
        return [None, *_fields(build, node.parts, node.start)]
    return [Foreign()]


def _fields(build: _Builder, parts: Sequence[Any], start: str) -> list[Any]:
    """The pieces of an f-string that begins with `start`, its prefix and quotes."""
    pieces: list[Any] = []
    for part in parts:
        if type(part).__name__ == "FormattedStringText":
            pieces.append(_text(part.value, start))
            continue
        conversion = -1 if part.conversion is None else ord(part.conversion)
        if part.equal is not None:
            pieces.append(_shown(build, part))
            if conversion == -1 and part.format_spec is None:
                conversion = ord("r")
        spec = None
        if part.format_spec is not None:
            inner = [
                piece if not isinstance(piece, str) else _place(ast.Constant(piece), build.at(part))
                for piece in _fields(build, part.format_spec, start)
            ]
            spec = ast.JoinedStr(inner)
        pieces.append(ast.FormattedValue(build.expr(part.expression), conversion, spec))
        _place(pieces[-1], build.at(part))
    return pieces


def _shown(build: _Builder, part: Any) -> str:
    """The text before the value of `{x = }`: what is written up to the value's end."""
    line, column = build.at(part)[:2]
    end_line, end_column = build.outer(part.expression)[2:]
    text = build.source.slice(Span(line, column + 2, end_line, end_column + 1))
    before, after = part.equal.whitespace_before, part.equal.whitespace_after
    spaces = [getattr(space, "value", "") for space in (before, after)]
    return f"{text}{spaces[0]}={spaces[1]}{getattr(part.whitespace_after_expression, 'value', '')}"


def _text(value: str, start: str) -> str:
    """The literal text of an f-string piece."""
    quote = start[-3:] if start[-3:] in ('"""', "'''") else start[-1]
    prefix = start[: -len(quote)].lower().replace("f", "")
    value = value.replace("{{", "{").replace("}}", "}")
    if "r" in prefix or "\\" not in value:
        return value
    # a last backslash belongs to the brace behind it, and stays one
    result = _evaluate(f"{prefix}{quote}{value}{{{quote}")
    return result[:-1] if isinstance(result, str) else value


def _evaluate(literal: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.literal_eval(literal)
        except (ValueError, SyntaxError):
            return Foreign()


def _attribute(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    return ast.Attribute(build.expr(node.value), _normal(node.attr.value), ctx)


def _subscript(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    slices = []
    starred = False
    for element in node.slice:
        inner = element.slice
        if type(inner).__name__ == "Slice":
            lower, upper = build.optional(inner.lower), build.optional(inner.upper)
            slices.append(ast.Slice(lower, upper, build.optional(inner.step)))
            _place(slices[-1], _slice_at(build, inner))
        elif inner.star:
            starred = True
            at = (*build.at(inner)[:2], *build.outer(inner.value)[2:])
            slices.append(_place(ast.Starred(build.expr(inner.value), _LOAD), at))
        else:
            slices.append(build.expr(inner.value))
    value = build.expr(node.value)
    last = node.slice[-1]
    comma = type(last.comma).__name__ == "Comma"
    if len(slices) == 1 and not comma and not starred:
        return ast.Subscript(value, slices[0], ctx)
    first = node.slice[0].slice
    start = build.at(first) if hasattr(first, "lower") else build.outer(first.value)
    if getattr(first, "star", None):
        start = build.at(first)
    if comma:
        end = build.at(last.comma)
    elif hasattr(last.slice, "lower"):
        end = _slice_at(build, last.slice)
    else:
        end = build.outer(last.slice.value)
    index = _place(ast.Tuple(slices, _LOAD), (*start[:2], *end[2:]))
    return ast.Subscript(value, index, ctx)


def _slice_at(build: _Builder, node: Any) -> _At:
    """A slice, without white space after its last colon."""
    start = build.at(node)
    colons = [node.first_colon]
    if type(node.second_colon).__name__ == "Colon":
        colons.append(node.second_colon)
    if node.step is not None:
        end = build.outer(node.step)
    elif len(colons) == 2:
        end = build.at(colons[1])
    elif node.upper is not None:
        end = build.outer(node.upper)
    else:
        end = build.at(colons[0])
    return (*start[:2], *end[2:])


def _call(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    func = build.expr(node.func)
    args: list[ast.expr] = []
    keywords: list[ast.keyword] = []
    for arg in node.args:
        if arg.keyword is not None:
            at = build.between(arg.keyword, arg.value)
            keyword = ast.keyword(_normal(arg.keyword.value), build.expr(arg.value))
            keywords.append(_place(keyword, at))
        elif arg.star == "**":
            at = (*build.at(arg)[:2], *build.outer(arg.value)[2:])
            keywords.append(_place(ast.keyword(None, build.expr(arg.value)), at))
        elif arg.star == "*":
            at = (*build.at(arg)[:2], *build.outer(arg.value)[2:])
            args.append(_place(ast.Starred(build.expr(arg.value), _LOAD), at))
        elif type(arg.value).__name__ == "GeneratorExp" and not arg.value.lpar:
            line, column = _opening(build.source, *build.outer(node.func)[2:])
            end = build.at(node)[2:]
            value = _generator(build, arg.value, _LOAD)
            args.append(_place(value, (line, column, *end)))
        else:
            args.append(build.expr(arg.value))
    return ast.Call(func, args, keywords)


def _opening(source: Source, line: int, column: int) -> tuple[int, int]:
    """The next `(`; only white space and comments are before it."""
    while True:
        text = source.lines[line - 1]
        found = text.find("(", column)
        if found >= 0 and "#" not in text[column:found]:
            return line, found
        line, column = line + 1, 0


def _unary(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    return ast.UnaryOp(_OPERATORS[type(node.operator).__name__](), build.expr(node.expression))


def _binary(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    left = build.expr(node.left)
    return ast.BinOp(left, _OPERATORS[type(node.operator).__name__](), build.expr(node.right))


def _boolean(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    kind = type(node.operator).__name__
    values = []
    stack = [node]
    while stack:
        inner = stack.pop()
        same = type(inner).__name__ == "BooleanOperation" and type(inner.operator).__name__ == kind
        if inner is node or (same and not inner.lpar):
            stack += [inner.right, inner.left]
        else:
            values.append(build.expr(inner))
    return ast.BoolOp(ast.And() if kind == "And" else ast.Or(), values)


def _comparison(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    ops = [_OPERATORS[type(target.operator).__name__]() for target in node.comparisons]
    comparators = [build.expr(target.comparator) for target in node.comparisons]
    return ast.Compare(build.expr(node.left), ops, comparators)


def _if_exp(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    return ast.IfExp(build.expr(node.test), build.expr(node.body), build.expr(node.orelse))


def _lambda(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    return ast.Lambda(build.arguments(node.params), build.expr(node.body))


def _tuple(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    result = ast.Tuple(build.elements(node.elements, ctx), ctx)
    if node.lpar:
        return _place(result, build.between(node.lpar[-1], node.rpar[0]))
    last = node.elements[-1]
    start = build.at(node)[:2]
    if type(last.comma).__name__ == "Comma":
        return _place(result, (*start, *build.at(last.comma)[2:]))
    return _place(result, (*start, *build.outer(last.value)[2:]))


def _list(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    return ast.List(build.elements(node.elements, ctx), ctx)


def _set(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    return ast.Set(build.elements(node.elements, _LOAD))


def _dict(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    keys: list[ast.expr | None] = []
    values = []
    for element in node.elements:
        keys.append(build.expr(element.key) if hasattr(element, "key") else None)
        values.append(build.expr(element.value))
    return ast.Dict(keys, values)


def _generator(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    result = ast.GeneratorExp(build.expr(node.elt), build.generators(node.for_in))
    if node.lpar:
        return _place(result, build.between(node.lpar[-1], node.rpar[0]))
    return result


def _list_comp(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    return ast.ListComp(build.expr(node.elt), build.generators(node.for_in))


def _set_comp(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    return ast.SetComp(build.expr(node.elt), build.generators(node.for_in))


def _dict_comp(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    return ast.DictComp(build.expr(node.key), build.expr(node.value), build.generators(node.for_in))


def _walrus(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    return ast.NamedExpr(build.expr(node.target, _STORE), build.expr(node.value))


def _await(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    return ast.Await(build.expr(node.expression))


def _yield(build: _Builder, node: Any, ctx: ast.expr_context) -> ast.expr:
    if type(node.value).__name__ == "From":
        return ast.YieldFrom(build.expr(node.value.item))
    return ast.Yield(build.optional(node.value))


# --- simple statements ------------------------------------------------------------------------


def _expr_statement(build: _Builder, node: Any) -> ast.stmt:
    return ast.Expr(build.expr(node.value))


def _assign(build: _Builder, node: Any) -> ast.stmt:
    targets = [build.expr(target.target, _STORE) for target in node.targets]
    return ast.Assign(targets, build.expr(node.value))


def _ann_assign(build: _Builder, node: Any) -> ast.stmt:
    annotation = build._annotation(node.annotation.annotation)
    target = build.expr(node.target, _STORE)
    return ast.AnnAssign(target, annotation, build.optional(node.value), 1)


def _aug_assign(build: _Builder, node: Any) -> ast.stmt:
    operator = _OPERATORS[type(node.operator).__name__.removesuffix("Assign")]()
    return ast.AugAssign(build.expr(node.target, _STORE), operator, build.expr(node.value))


def _return(build: _Builder, node: Any) -> ast.stmt:
    return ast.Return(build.optional(node.value))


def _raise(build: _Builder, node: Any) -> ast.stmt:
    cause = None if node.cause is None else build.expr(node.cause.item)
    return ast.Raise(build.optional(node.exc), cause)


def _assert(build: _Builder, node: Any) -> ast.stmt:
    return ast.Assert(build.expr(node.test), build.optional(node.msg))


def _del(build: _Builder, node: Any) -> ast.stmt:
    if type(node.target).__name__ == "Tuple" and not node.target.lpar:
        return ast.Delete(build.elements(node.target.elements, _DEL))
    return ast.Delete([build.expr(node.target, _DEL)])


def _break(build: _Builder, node: Any) -> ast.stmt:
    return ast.Break()


def _continue(build: _Builder, node: Any) -> ast.stmt:
    return ast.Continue()


def _global(build: _Builder, node: Any) -> ast.stmt:
    return ast.Global([_normal(item.name.value) for item in node.names])


def _nonlocal(build: _Builder, node: Any) -> ast.stmt:
    return ast.Nonlocal([_normal(item.name.value) for item in node.names])


def _import(build: _Builder, node: Any) -> ast.stmt:
    return ast.Import([_alias(build, alias) for alias in node.names])


def _import_from(build: _Builder, node: Any) -> ast.stmt:
    module = None if node.module is None else dotted_name(node.module)
    if type(node.names).__name__ == "ImportStar":
        names = [_place(ast.alias("*", None), build.at(node.names))]
    else:
        names = [_alias(build, alias) for alias in node.names]
    return ast.ImportFrom(module, names, len(node.relative))


def _alias(build: _Builder, node: Any) -> ast.alias:
    local = None if node.asname is None else node.asname.name
    at = build.at(node.name) if local is None else build.between(node.name, local)
    name = None if local is None else _normal(local.value)
    return _place(ast.alias(_normal(dotted_name(node.name)), name), at)


def _type_alias(build: _Builder, node: Any) -> ast.stmt:
    return TypeAlias(
        name=build.expr(node.name, _STORE), type_params=[], value=build.expr(node.value)
    )


# --- compound statements ----------------------------------------------------------------------


def _if(build: _Builder, node: Any) -> ast.stmt:
    chain = [node]
    while type(chain[-1].orelse).__name__ == "If":
        chain.append(chain[-1].orelse)
    orelse = build.suite(chain[-1].orelse)
    for link in reversed(chain):
        statement = ast.If(build.expr(link.test), build.suite(link), orelse)
        end = build._end(link, statement)
        _place(statement, (*build.at(link)[:2], *end))
        orelse = [statement]
    return orelse[0]


def _while(build: _Builder, node: Any) -> ast.stmt:
    return ast.While(build.expr(node.test), build.suite(node), build.suite(node.orelse))


def _for(build: _Builder, node: Any) -> ast.stmt:
    kind = ast.For if node.asynchronous is None else ast.AsyncFor
    return _from_async(
        build,
        node,
        kind(
            build.expr(node.target, _STORE),
            build.expr(node.iter),
            build.suite(node),
            build.suite(node.orelse),
        ),
    )


def _with(build: _Builder, node: Any) -> ast.stmt:
    kind = ast.With if node.asynchronous is None else ast.AsyncWith
    items = [
        ast.withitem(
            build.expr(item.item),
            None if item.asname is None else build.expr(item.asname.name, _STORE),
        )
        for item in node.items
    ]
    return _from_async(build, node, kind(items, build.suite(node)))


def _from_async(build: _Builder, node: Any, statement: ast.stmt) -> ast.stmt:
    """An async statement begins with that word."""
    if node.asynchronous is not None:
        start = build.at(node.asynchronous)[:2]
        _place(statement, (*start, *build._end(node, statement)))
    return statement


def _try(build: _Builder, node: Any) -> ast.stmt:
    handlers = []
    for handler in node.handlers:
        name = None if handler.name is None else _normal(handler.name.name.value)
        handlers.append(ast.ExceptHandler(build.optional(handler.type), name, build.suite(handler)))
    return ast.Try(
        build.suite(node), handlers, build.suite(node.orelse), build.suite(node.finalbody)
    )


def _function(build: _Builder, node: Any) -> ast.stmt:
    kind = ast.FunctionDef if node.asynchronous is None else ast.AsyncFunctionDef
    statement = kind(
        _normal(node.name.value),
        build.arguments(node.params),
        build.suite(node),
        [build.expr(decorator.decorator) for decorator in node.decorators],
        None if node.returns is None else build._annotation(node.returns.annotation),
    )
    statement.type_params = _type_params(build, node)
    start = node.name
    if node.asynchronous is not None:
        line, column = build.at(node.asynchronous)[:2]
    else:
        line, column = _keyword_before(build.source, "def", *build.at(start)[:2])
    return _place(statement, (line, column, *build._end(node, statement)))


def _class(build: _Builder, node: Any) -> ast.stmt:
    bases: list[ast.expr] = []
    for arg in node.bases:
        value = build.expr(arg.value)
        if arg.star == "*":
            at = (*build.at(arg)[:2], *build.outer(arg.value)[2:])
            value = _place(ast.Starred(value, _LOAD), at)
        bases.append(value)
    decorators = [build.expr(decorator.decorator) for decorator in node.decorators]
    statement = ast.ClassDef(_normal(node.name.value), bases, [], build.suite(node), decorators)
    line, column = _keyword_before(build.source, "class", *build.at(node.name)[:2])
    return _place(statement, (line, column, *build._end(node, statement)))


def _type_params(build: _Builder, node: Any) -> list[ast.AST]:
    if node.type_parameters is None:
        return []
    return [_place(Foreign(), build.at(param)) for param in node.type_parameters.params]


def _keyword_before(source: Source, keyword: str, line: int, column: int) -> tuple[int, int]:
    """Where the `def` or `class` of a name stands: before it, maybe across a backslash."""
    while line > 0:
        found = source.lines[line - 1].rfind(keyword, 0, column)
        if found >= 0:
            return line, found
        line -= 1
        column = len(source.lines[line - 1])
    return line, column


def _match(build: _Builder, node: Any) -> ast.stmt:
    cases = [
        ast.match_case(_pattern(build, case.pattern), build.optional(case.guard), build.suite(case))
        for case in node.cases
    ]
    return ast.Match(build.expr(node.subject), cases)


def _pattern(build: _Builder, node: Any) -> ast.pattern:
    kind = type(node).__name__
    if kind == "MatchValue":
        pattern: ast.pattern = ast.MatchValue(build.expr(node.value))
        return _place(pattern, build.at(node.value))
    if kind == "MatchSingleton":
        value = {"None": None, "True": True, "False": False}[node.value.value]
        return _place(ast.MatchSingleton(value), build.at(node.value))
    if kind in ("MatchList", "MatchTuple"):
        pattern = ast.MatchSequence([_element(build, item) for item in node.patterns])
    elif kind == "MatchMapping":
        pattern = ast.MatchMapping(
            [build.expr(item.key) for item in node.elements],
            [_pattern(build, item.pattern) for item in node.elements],
            None if node.rest is None else _normal(node.rest.value),
        )
    elif kind == "MatchClass":
        pattern = ast.MatchClass(
            build.expr(node.cls),
            [_element(build, item) for item in node.patterns],
            [item.key.value for item in node.kwds],
            [_pattern(build, item.pattern) for item in node.kwds],
        )
    elif kind == "MatchOr":
        pattern = ast.MatchOr([_pattern(build, item.pattern) for item in node.patterns])
    else:  # MatchAs; a MatchStar is found in sequences only
        inner = None if node.pattern is None else _pattern(build, node.pattern)
        pattern = ast.MatchAs(inner, None if node.name is None else _normal(node.name.value))
    return _place(pattern, build.at(node))


def _element(build: _Builder, node: Any) -> ast.pattern:
    if type(node).__name__ == "MatchStar":
        name = None if node.name is None else _normal(node.name.value)
        return _place(ast.MatchStar(name), build.at(node))
    return _pattern(build, node.value)


_OPERATORS: dict[str, type] = {
    "Plus": ast.UAdd,
    "Minus": ast.USub,
    "BitInvert": ast.Invert,
    "Not": ast.Not,
    "Add": ast.Add,
    "Subtract": ast.Sub,
    "Multiply": ast.Mult,
    "Divide": ast.Div,
    "FloorDivide": ast.FloorDiv,
    "Modulo": ast.Mod,
    "Power": ast.Pow,
    "LeftShift": ast.LShift,
    "RightShift": ast.RShift,
    "BitOr": ast.BitOr,
    "BitAnd": ast.BitAnd,
    "BitXor": ast.BitXor,
    "MatrixMultiply": ast.MatMult,
    "Equal": ast.Eq,
    "NotEqual": ast.NotEq,
    "LessThan": ast.Lt,
    "LessThanEqual": ast.LtE,
    "GreaterThan": ast.Gt,
    "GreaterThanEqual": ast.GtE,
    "Is": ast.Is,
    "IsNot": ast.IsNot,
    "In": ast.In,
    "NotIn": ast.NotIn,
}

_EXPRESSIONS: dict[str, Callable[[_Builder, Any, ast.expr_context], ast.expr]] = {
    "Name": _name,
    "Integer": _integer,
    "Float": _float,
    "Imaginary": _imaginary,
    "Ellipsis": _ellipsis,
    "SimpleString": _string,
    "ConcatenatedString": _string,
    "FormattedString": _string,
    "Attribute": _attribute,
    "Subscript": _subscript,
    "Call": _call,
    "UnaryOperation": _unary,
    "BinaryOperation": _binary,
    "BooleanOperation": _boolean,
    "Comparison": _comparison,
    "IfExp": _if_exp,
    "Lambda": _lambda,
    "Tuple": _tuple,
    "List": _list,
    "Set": _set,
    "Dict": _dict,
    "GeneratorExp": _generator,
    "ListComp": _list_comp,
    "SetComp": _set_comp,
    "DictComp": _dict_comp,
    "NamedExpr": _walrus,
    "Await": _await,
    "Yield": _yield,
}

_SMALL: dict[str, Callable[[_Builder, Any], ast.stmt]] = {
    "Expr": _expr_statement,
    "Assign": _assign,
    "AnnAssign": _ann_assign,
    "AugAssign": _aug_assign,
    "Return": _return,
    "Raise": _raise,
    "Assert": _assert,
    "Del": _del,
    "Break": _break,
    "Continue": _continue,
    "Global": _global,
    "Nonlocal": _nonlocal,
    "Import": _import,
    "LazyImport": _import,
    "ImportFrom": _import_from,
    "LazyImportFrom": _import_from,
    "TypeAlias": _type_alias,
}

_COMPOUND: dict[str, Callable[[_Builder, Any], ast.stmt]] = {
    "If": _if,
    "While": _while,
    "For": _for,
    "With": _with,
    "Try": _try,
    "TryStar": _try,
    "FunctionDef": _function,
    "ClassDef": _class,
    "Match": _match,
}
