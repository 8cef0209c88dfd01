"""What the body of a jit function says that matters to its role: one quick walk, no statements."""

from __future__ import annotations

import ast

from aiter_lint.read.convert import Converter, dotted
from aiter_lint.read.facts import Assumption, Dropped, JitBody
from aiter_lint.read.syntax import Assign

_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SKIPPED = frozenset({"ctx", "op", "ops", "annotation", "returns", "type_params", "type_comment"})
_FIELDS: dict[type, tuple[str, ...]] = {}


def read_jit_body(convert: Converter, node: ast.FunctionDef) -> JitBody:
    """The facts of one body; the names in functions nested in it count, their returns don't."""
    refs: set[str] = set()
    calls: set[str] = set()
    bound: set[str] = {arg.arg for arg in _arguments(node.args)}
    returns = stores = False
    dropped: list[ast.Call] = []
    assumed: list[ast.Call] = []
    assigned: list[ast.Assign | ast.AnnAssign] = []
    called: dict[ast.Call, str] = {}

    nested: list[ast.FunctionDef] = []
    inner = False
    stack: list[ast.AST] = node.body[::-1]
    pop = stack.pop
    while stack or nested:
        if not stack:
            inner = True
            stack.extend(nested.pop(0).body[::-1])
        node = pop()
        kind = type(node)
        if kind is ast.Name:
            if type(node.ctx) is ast.Load:
                refs.add(node.id)
            else:
                bound.add(node.id)
                if type(node.ctx) is ast.Del:
                    stores = True
            continue
        if kind is ast.Constant:
            continue
        if kind is ast.Attribute:
            if type(node.ctx) is not ast.Load:
                stores = True
            name = dotted(node)
            if name is None:
                while type(node) is ast.Attribute:
                    node = node.value
                stack.append(node)
            else:
                refs.add(name)
            continue
        if kind is ast.Call:
            name = dotted(node.func)
            if name is not None:
                refs.add(name)
                calls.add(name)
                called[node] = name
                if name.endswith(("assume", "static_assert")) and node.args:
                    if name.rpartition(".")[2] in ("assume", "static_assert"):
                        assumed.append(node)
            else:
                stack.append(node.func)
            stack.extend(node.args)
            for keyword in node.keywords:
                stack.append(keyword.value)
            continue
        if kind is ast.Expr:
            if type(node.value) is ast.Call:
                dropped.append(node.value)
            stack.append(node.value)
            continue
        if kind is ast.Assign or kind is ast.AnnAssign:
            assigned.append(node)
        elif kind is ast.Subscript:
            if type(node.ctx) is not ast.Load:
                stores = True
        elif kind is ast.Return:
            if node.value is not None and not inner:
                returns = True
        elif kind is ast.Yield or kind is ast.YieldFrom:
            if not inner:
                stores = True
        elif kind is ast.Global or kind is ast.Nonlocal:
            stores = True
            continue
        elif kind is ast.Import or kind is ast.ImportFrom:
            bound.update(alias.local for alias in convert.aliases(node))
            continue
        elif kind in _NESTED:
            bound.update(arg.arg for arg in _arguments(node.args))
            if kind is not ast.Lambda:
                bound.add(node.name)
                nested.append(node)
                stack.extend(node.decorator_list)
                stack.extend(_defaults(node.args))
                continue
        elif kind is ast.ClassDef:
            bound.add(node.name)
        elif kind is ast.ExceptHandler:
            if node.name is not None:
                bound.add(node.name)
        elif kind is ast.MatchAs or kind is ast.MatchStar:
            if node.name is not None:
                bound.add(node.name)
        elif kind is ast.MatchMapping:
            if node.rest is not None:
                bound.add(node.rest)
        elif kind is ast.AugAssign:
            if type(node.target) is ast.Name:
                refs.add(node.target.id)
        fields = _FIELDS.get(kind)
        if fields is None:
            fields = _FIELDS[kind] = tuple(
                [field for field in reversed(kind._fields) if field not in _SKIPPED]
            )
        for field in fields:
            value = getattr(node, field)
            if type(value) is list:
                stack.extend(value[::-1])
            elif isinstance(value, ast.AST):
                stack.append(value)

    assumptions = []
    asserts = []
    for call in sorted(assumed, key=lambda call: (call.lineno, call.col_offset)):
        name = called[call]
        facts = assumptions if name.endswith("assume") else asserts
        facts.append(Assumption(name, convert.expr(call.args[0]), convert.span(call)))
    return JitBody(
        tuple(sorted(refs)),
        tuple(sorted(calls)),
        tuple(sorted(bound)),
        returns,
        stores,
        tuple([Dropped(called[call], convert.span(call)) for call in dropped if call in called]),
        tuple(assumptions),
        tuple(asserts),
        _assigns(convert, assigned) if assumed else (),
    )


def _arguments(args: ast.arguments) -> list[ast.arg]:
    result = args.posonlyargs + args.args + args.kwonlyargs
    if args.vararg is not None:
        result.append(args.vararg)
    if args.kwarg is not None:
        result.append(args.kwarg)
    return result


def _defaults(args: ast.arguments) -> list[ast.expr]:
    return args.defaults + [default for default in args.kw_defaults if default is not None]


def _assigns(convert: Converter, nodes: list[ast.Assign | ast.AnnAssign]) -> tuple[Assign, ...]:
    """The plain statements `name = value` among the assignments, in order of the source."""
    result = []
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
        target = node.targets[0] if type(node) is ast.Assign else node.target
        single = type(node) is ast.AnnAssign or len(node.targets) == 1
        if single and type(target) is ast.Name and node.value is not None:
            value = convert.expr(node.value)
            result.append(Assign((convert.expr(target),), value, convert.span(node)))
    return tuple(result)
