"""One walk over the statements of a tree: which functions, classes and imports a file has.

Expressions are converted only where they are needed: at module level, in class bodies, in
decorators and signatures, and in the bodies of functions that may launch or build a kernel.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Sequence

from aiter_lint.read import candidates
from aiter_lint.read.convert import TRIES, Converter
from aiter_lint.read.facts import ClassFact, FileFacts, Function, JitBody
from aiter_lint.read.jit_body import read_jit_body
from aiter_lint.read.syntax import Alias, Assign, Augment, Const, Name, Seq, Stmt
from aiter_lint.span import Span

JIT_WORDS = frozenset({"jit"})

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BLOCKS: dict[type, tuple[str, ...]] = {
    ast.If: ("body", "orelse"),
    ast.For: ("body", "orelse"),
    ast.AsyncFor: ("body", "orelse"),
    ast.While: ("body", "orelse"),
    ast.With: ("body",),
    ast.AsyncWith: ("body",),
    ast.Match: ("cases",),
    **dict.fromkeys(TRIES, ("body", "handlers", "orelse", "finalbody")),
}
_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def index_tree(
    tree: ast.Module, convert: Converter, jit_words: frozenset[str] = JIT_WORDS
) -> FileFacts:
    """The facts of a parsed file, without its ignore comments."""
    data = convert.source.utf8
    index = Index(convert, jit_words, candidates.called_names(data))
    index.marked = candidates.marked_lines(data)
    index.yields = candidates.lines_with(data, b"yield")
    index.jitted = candidates.jit_arguments(data)
    index.walk(tree.body)
    body = convert.body(tree.body)
    return FileFacts(
        fault=None,
        body=body,
        functions=tuple(index.functions),
        classes=tuple(index.classes),
        imports=tuple(index.imports),
        called=index.called,
        strings=candidates.quoted_names(convert.source.text),
        ignores=(),
        exports=_exports(body),
    )


def number_tree(body: Sequence[ast.stmt], function: int, klass: int) -> list[ast.FunctionDef]:
    """Numbers functions and classes from the given ones on, as `Index` does, and returns the
    functions in that order."""
    found: list[ast.FunctionDef] = []
    stack: list[ast.AST] = list(reversed(body))
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind in _FUNCTIONS:
            node.index = function + len(found)
            found.append(node)
        elif kind is ast.ClassDef:
            node.index = klass
            klass += 1
        elif kind is ast.Expr or kind is ast.Assign:
            continue
        for field in ("finalbody", "orelse", "handlers", "cases", "body"):
            inner = getattr(node, field, None)
            if type(inner) is list:
                stack.extend(reversed(inner))
    return found


class Index:
    """Collects functions, classes and imports in source order and numbers their nodes.

    `marked` and `yields` are the lines, ascending, that may hold a launch, and the word yield;
    `jitted` the names that a plain call hands to a jit."""

    def __init__(
        self, convert: Converter, jit_words: frozenset[str], called: tuple[str, ...]
    ) -> None:
        self.convert = convert
        self.jit_words = jit_words
        self.jit_names: set[str] = set(jit_words)
        self.called = called
        self.called_set = frozenset(called)
        self.marked: Sequence[int] = ()
        self.yields: Sequence[int] = ()
        self.jitted: frozenset[str] = frozenset()
        self.functions: list[Function] = []
        self.classes: list[ClassFact] = []
        self.imports: list[Alias] = []
        # whether the function that is walked holds a jit function, or may call a subscript
        self.builds = False

    def walk(
        self, body: list[ast.stmt], prefix: str = "", parent: int = -1, owner: int = -1
    ) -> None:
        """Visits a block and the blocks inside it."""
        for node in body:
            kind = type(node)
            if kind is ast.Assign:
                if (
                    type(node.value) is ast.Subscript
                    and type(node.targets[0]) is ast.Name
                    and node.targets[0].id in self.called_set
                ):
                    self.builds = True
            elif kind in _FUNCTIONS:
                self._function(node, prefix, parent, owner)
            elif kind is ast.ClassDef:
                self._class(node, prefix, parent, owner)
            elif kind is ast.Import or kind is ast.ImportFrom:
                self._import(node)
            elif kind in _BLOCKS:
                if kind is ast.If:
                    while len(node.orelse) == 1 and type(node.orelse[0]) is ast.If:
                        self.walk(node.body, prefix, parent, owner)
                        node = node.orelse[0]
                for field in _BLOCKS[kind]:
                    for inner in getattr(node, field):
                        if field == "handlers" or field == "cases":
                            self.walk(inner.body, prefix, parent, owner)
                        else:
                            self.walk(getattr(node, field), prefix, parent, owner)
                            break

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        aliases = self.convert.aliases(node)
        self.imports += aliases
        for alias in aliases:
            if alias.name is not None and self._is_jit_word(alias.name):
                self.jit_names.add(alias.local)

    # --- functions and classes

    def _function(self, node: ast.FunctionDef, prefix: str, parent: int, owner: int) -> None:
        convert = self.convert
        name = node.name
        node.index = number = len(self.functions)
        self.functions.append(None)  # keeps the place; nested ones come after it
        qualname = prefix + name
        span = convert.span(node)
        jitted = any(self._is_jit(decorator) for decorator in node.decorator_list)
        if jitted:
            self.builds = True
        enclosing_builds, self.builds = self.builds, False
        self.walk(node.body, qualname + ".<locals>.", number, -1)
        needed = self.builds or _any_between(self.marked, span)
        self.builds = self.builds or enclosing_builds

        body: tuple[Stmt, ...] | None = None
        jit: JitBody | None = None
        if jitted or name in self.jitted:
            jit = read_jit_body(convert, node)
        elif needed:
            body = convert.body(node.body)
        head_span = self._head_span(node, span)
        if jitted:
            decorators, params = convert.kernel_head(node, head_span)
        else:
            decorators, params = convert.head(node)
        self.functions[number] = Function(
            name,
            qualname,
            span,
            self._name_span(node, span),
            head_span,
            decorators,
            params,
            parent,
            owner,
            type(node) is ast.AsyncFunctionDef,
            _any_between(self.yields, span) and _is_generator(node, self.yields, convert.shift),
            body,
            jit,
        )

    def _class(self, node: ast.ClassDef, prefix: str, parent: int, owner: int) -> None:
        convert = self.convert
        node.index = number = len(self.classes)
        self.classes.append(None)
        qualname = prefix + node.name
        self.walk(node.body, qualname + ".", parent, number)
        self.classes[number] = ClassFact(
            node.name,
            qualname,
            convert.span(node),
            convert.exprs(node.decorator_list),
            convert.exprs(node.bases),
            parent,
            owner,
            convert.body(node.body),
        )

    def _is_jit(self, decorator: ast.expr) -> bool:
        """Whether a decorator could be a jit: by its last word, called or not, or in a partial."""
        if type(decorator) is ast.Call:
            if self._is_jit(decorator.func):
                return True
            return bool(decorator.args) and self._is_jit_name(decorator.args[0])
        return self._is_jit_name(decorator)

    def _is_jit_name(self, node: ast.expr) -> bool:
        if type(node) is ast.Attribute:
            return self._is_jit_word(node.attr)
        return type(node) is ast.Name and (node.id in self.jit_names or "jit" in node.id)

    def _is_jit_word(self, word: str) -> bool:
        return "jit" in word or word in self.jit_words

    # --- positions that `ast` does not give

    def _name_span(self, node: ast.FunctionDef, span: Span) -> Span:
        """The name after `def`."""
        lines = self.convert.source.lines
        line, column = span.line, span.column + 2
        for line in range(span.line, span.end_line + 1):
            found = lines[line - 1].find(node.name, column)
            if found >= 0:
                return Span(line, found + 1, line, found + 1 + len(node.name))
            column = 0
        # an identifier that Python normalised: it is written with other characters
        start = span.column + (9 if type(node) is ast.AsyncFunctionDef else 3)
        return Span(span.line, start + 1, span.line, start + 1 + len(node.name))

    def _head_span(self, node: ast.FunctionDef, span: Span) -> Span:
        """From the first `@`, else `def`, to the colon after the signature."""
        lines = self.convert.source.lines
        line, column = span.line, span.column
        if node.decorator_list:
            first = self.convert.span(node.decorator_list[0])
            line, column = first.line, first.column
            while line > 1:
                found = lines[line - 1].rfind("@", 0, column)
                if found >= 0:
                    column = found + 1
                    break
                line -= 1
                column = len(lines[line - 1])
        end_line, end = span.line, span.column
        last = node.returns or _last_of(node.args)
        if last is None and getattr(node, "type_params", None):
            last = node.type_params[-1]
        if last is not None:
            at = self.convert.span(last)
            end_line, end = at.end_line, at.end_column - 1
        while end_line <= len(lines):
            text = lines[end_line - 1]
            colon = text.find(":", end)
            if colon >= 0:
                comment = text.find("#", end, colon)
                if comment < 0:
                    return Span(line, column, end_line, colon + 2)
            end_line += 1
            end = 0
        return Span(line, column, span.end_line, span.end_column)


def _last_of(args: ast.arguments) -> ast.AST | None:
    """The last node of a signature."""
    if args.kwarg is not None:
        return args.kwarg
    if args.kwonlyargs:
        return args.kw_defaults[-1] or args.kwonlyargs[-1]
    if args.vararg is not None:
        return args.vararg
    if args.defaults:
        return args.defaults[-1]
    plain = args.args or args.posonlyargs
    return plain[-1] if plain else None


def _any_between(lines: Sequence[int], span: Span) -> bool:
    """Whether one of the ascending line numbers lies in a span."""
    place = bisect_left(lines, span.line)
    return place < len(lines) and lines[place] <= span.end_line


def _is_generator(node: ast.FunctionDef, lines: Sequence[int], shift: int) -> bool:
    """Whether a body yields, looking only at the statements that stand on the given lines."""
    stack: list[ast.AST] = list(node.body)
    while stack:
        inner = stack.pop()
        kind = type(inner)
        if kind is ast.Yield or kind is ast.YieldFrom:
            return True
        if kind in _NESTED:
            continue
        if isinstance(inner, ast.stmt):
            place = bisect_left(lines, inner.lineno + shift)
            if place == len(lines) or lines[place] > inner.end_lineno + shift:
                continue
        stack.extend(ast.iter_child_nodes(inner))
    return False


def _exports(body: tuple[Stmt, ...]) -> tuple[str, ...] | None:
    """The names of a literal `__all__`, None where there is none or it is computed."""
    names: list[str] | None = None
    for statement in body:
        if type(statement) is Assign:
            target = statement.targets[0]
        elif type(statement) is Augment:
            target = statement.target
        else:
            continue
        if type(target) is not Name or target.id != "__all__":
            continue
        value = statement.value
        if type(value) is not Seq:
            return None
        found = [item.value for item in value.items if type(item) is Const]
        if len(found) < len(value.items) or not all(type(name) is str for name in found):
            return None
        names = found if type(statement) is Assign else (names or []) + found
    return None if names is None else tuple(names)
