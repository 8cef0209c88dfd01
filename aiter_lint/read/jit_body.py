"""What the body of a jit function says that matters to its role: one quick walk, no statements."""

from __future__ import annotations

import ast

from aiter_lint.read.convert import BINARY, Converter, dotted
from aiter_lint.read.facts import Assumption, Dropped, JitBody
from aiter_lint.read.syntax import Assign, Augment

_ASSERTIONS = ("assume", "static_assert")


def read_jit_body(convert: Converter, function: ast.FunctionDef) -> JitBody:
    """The facts of one body; the names in functions nested in it count, their returns don't."""
    refs: set[str] = set()
    calls: set[str] = set()
    bound: set[str] = {arg.arg for arg in _arguments(function.args)}
    returns = stores = False
    dropped: list[ast.Call] = []
    assumed: list[ast.Call] = []
    assigned: list[ast.Assign | ast.AnnAssign | ast.AugAssign] = []
    called: dict[ast.Call, str] = {}

    nested: list[ast.FunctionDef] = []
    inner = False
    stack: list[ast.AST] = function.body[::-1]
    pop, push, extend = stack.pop, stack.append, stack.extend
    # the node types that count most, as locals; the loop runs once for each node
    name_type, constant, attribute, call, load = (
        ast.Name,
        ast.Constant,
        ast.Attribute,
        ast.Call,
        ast.Load,
    )
    while stack or nested:
        if not stack:
            inner = True
            extend(nested.pop(0).body[::-1])
        node = pop()
        kind = type(node)
        if kind is name_type:
            if type(node.ctx) is load:
                refs.add(node.id)
            else:
                bound.add(node.id)
                if type(node.ctx) is ast.Del:
                    stores = True
        elif kind is constant:
            pass
        elif kind is call:
            name = dotted(node.func)
            if name is None:
                push(node.func)
            else:
                refs.add(name)
                calls.add(name)
                called[node] = name
                if node.args and name.rpartition(".")[2] in _ASSERTIONS:
                    assumed.append(node)
            extend(node.args)
            for keyword in node.keywords:
                push(keyword.value)
        elif kind is attribute:
            if type(node.ctx) is not load:
                stores = True
            name = dotted(node)
            if name is not None:
                refs.add(name)
            else:
                while type(node) is attribute:
                    node = node.value
                push(node)
        elif kind is ast.BinOp:
            push(node.right)
            push(node.left)
        elif kind in _PLAIN:
            for field in _PLAIN[kind]:
                value = getattr(node, field)
                if type(value) is list:
                    extend(value[::-1])
                elif value is not None:
                    push(value)
        else:
            if kind is ast.Expr:
                if type(node.value) is call:
                    dropped.append(node.value)
            elif kind is ast.Assign or kind is ast.AnnAssign:
                assigned.append(node)
            elif kind is ast.AugAssign:
                assigned.append(node)
                if type(node.target) is name_type:
                    refs.add(node.target.id)
            elif kind is ast.Subscript:
                if type(node.ctx) is not load:
                    stores = True
            elif kind is ast.Return:
                if node.value is not None and not inner:
                    returns = True
            elif kind is ast.Yield or kind is ast.YieldFrom:
                if not inner:
                    stores = True
            elif kind is ast.Global or kind is ast.Nonlocal:
                stores = True
            elif kind is ast.Import or kind is ast.ImportFrom:
                bound.update([alias.local for alias in convert.aliases(node)])
                continue
            elif kind is ast.Lambda:
                bound.update([arg.arg for arg in _arguments(node.args)])
            elif kind is ast.FunctionDef or kind is ast.AsyncFunctionDef:
                bound.update([arg.arg for arg in _arguments(node.args)])
                bound.add(node.name)
                nested.append(node)
                extend(node.decorator_list)
                extend(_defaults(node.args))
                continue
            elif kind is ast.MatchMapping:
                if node.rest is not None:
                    bound.add(node.rest)
            elif getattr(node, "name", None) is not None and kind in _NAMING:
                bound.add(node.name)
            for field in reversed(kind._fields):
                if field in _SKIPPED:
                    continue
                value = getattr(node, field)
                if type(value) is list:
                    extend([item for item in reversed(value) if isinstance(item, ast.AST)])
                elif isinstance(value, ast.AST):
                    push(value)

    assumptions = []
    asserts = []
    certain = _certain(function.body) if assumed else frozenset()
    for node in sorted(assumed, key=_start):
        name = called[node]
        facts = assumptions if name.endswith("assume") else asserts
        test, span = convert.expr(node.args[0]), convert.span(node)
        facts.append(Assumption(name, test, span, guarded=node not in certain))
    return JitBody(
        tuple(sorted(refs)),
        tuple(sorted(calls)),
        tuple(sorted(bound)),
        returns,
        stores,
        tuple([Dropped(called[node], convert.span(node)) for node in dropped if node in called]),
        tuple(assumptions),
        tuple(asserts),
        _assigns(convert, assigned) if assumed else (),
    )


def _certain(body: list[ast.stmt]) -> frozenset[ast.expr]:
    """The calls that every run of the body reaches: statements of its own that no return of a
    nested block comes before."""
    found: set[ast.expr] = set()
    for statement in body:
        if type(statement) is ast.Expr:
            found.add(statement.value)
        elif type(statement) not in (ast.Assign, ast.AnnAssign, ast.AugAssign):
            if any(type(node) is ast.Return for node in ast.walk(statement)):
                break
    return frozenset(found)


def _start(node: ast.AST) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _arguments(args: ast.arguments) -> list[ast.arg]:
    result = args.posonlyargs + args.args + args.kwonlyargs
    if args.vararg is not None:
        result.append(args.vararg)
    if args.kwarg is not None:
        result.append(args.kwarg)
    return result


def _defaults(args: ast.arguments) -> list[ast.expr]:
    return args.defaults + [default for default in args.kw_defaults if default is not None]


def _assigns(
    convert: Converter, nodes: list[ast.Assign | ast.AnnAssign | ast.AugAssign]
) -> tuple[Assign | Augment, ...]:
    """The plain statements `name = value` and `name op= value` among the assignments, in order
    of the source."""
    result: list[Assign | Augment] = []
    for node in sorted(nodes, key=_start):
        target = node.targets[0] if type(node) is ast.Assign else node.target
        if type(target) is not ast.Name or node.value is None:
            continue
        span = convert.span(node)
        name, value = convert.expr(target), convert.expr(node.value)
        if type(node) is ast.AugAssign:
            result.append(Augment(name, BINARY[type(node.op)], value, span))
        elif type(node) is ast.AnnAssign or len(node.targets) == 1:
            result.append(Assign((name,), value, span))
    return tuple(result)


# Node types of which nothing but what is inside matters, with those fields, last one first.
_PLAIN: dict[type, tuple[str, ...]] = {
    ast.UnaryOp: ("operand",),
    ast.Compare: ("comparators", "left"),
    ast.BoolOp: ("values",),
    ast.IfExp: ("orelse", "body", "test"),
    ast.Tuple: ("elts",),
    ast.List: ("elts",),
    ast.Slice: ("step", "upper", "lower"),
    ast.If: ("orelse", "body", "test"),
    ast.For: ("orelse", "body", "iter", "target"),
    ast.While: ("orelse", "body", "test"),
    ast.Pass: (),
}
_NAMING = frozenset({ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar})
_SKIPPED = frozenset({"ctx", "op", "ops", "annotation", "returns", "type_params", "type_comment"})
