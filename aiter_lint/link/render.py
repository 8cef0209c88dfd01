"""Expressions as a person would write them, shortened: for messages only."""

from __future__ import annotations

from aiter_lint.read import syntax as s


def render(expr: s.Expr, limit: int = 48) -> str:
    """Source text of an expression in one line, cut to `limit` characters."""
    text = _text(expr, 6)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def dotted(expr: s.Expr) -> str | None:
    """`a.b.c` of a chain of attributes on a name, else None."""
    parts: list[str] = []
    while type(expr) is s.Attr:
        parts.append(expr.name)
        expr = expr.base
    if type(expr) is not s.Name:
        return None
    parts.append(expr.id)
    return ".".join(reversed(parts))


def _text(expr: s.Expr, depth: int) -> str:
    if depth == 0:
        return "..."
    kind = type(expr)
    deeper = depth - 1
    if kind is s.Const:
        return repr(expr.value)
    if kind is s.Name:
        return expr.id
    if kind is s.Attr:
        return f"{_text(expr.base, deeper)}.{expr.name}"
    if kind is s.Item:
        return f"{_text(expr.base, deeper)}[{_text(expr.index, deeper)}]"
    if kind is s.Call:
        args = ", ".join(_argument(a, deeper) for a in expr.args)
        return f"{_text(expr.func, deeper)}({args})"
    if kind is s.Unary:
        gap = " " if expr.op == "not" else ""
        return f"{expr.op}{gap}{_operand(expr.operand, deeper)}"
    if kind is s.Binary:
        return f"{_operand(expr.left, deeper)} {expr.op} {_operand(expr.right, deeper)}"
    if kind is s.Compare:
        parts = [_operand(expr.operands[0], deeper)]
        for op, operand in zip(expr.ops, expr.operands[1:]):
            parts += [op, _operand(operand, deeper)]
        return " ".join(parts)
    if kind is s.Logic:
        return f" {expr.op} ".join(_operand(o, deeper) for o in expr.operands)
    if kind is s.Cond:
        then, test, other = (_text(e, deeper) for e in (expr.then, expr.test, expr.other))
        return f"{then} if {test} else {other}"
    if kind is s.Seq:
        items = ", ".join(_text(i, deeper) for i in expr.items[:8])
        if expr.kind == "tuple":
            return f"({items},)" if len(expr.items) == 1 else f"({items})"
        return f"[{items}]" if expr.kind == "list" else f"{{{items}}}"
    if kind is s.Star:
        return f"*{_text(expr.value, deeper)}"
    if kind is s.Dict:
        return "{...}"
    if kind is s.Lambda:
        return "lambda"
    if kind is s.Walrus:
        return f"({expr.name} := {_text(expr.value, deeper)})"
    if kind is s.Text:
        return 'f"..."'
    return "..."


def _argument(arg: s.Arg, depth: int) -> str:
    value = _text(arg.value, depth)
    if arg.name is None:
        return value
    return f"{arg.name}{value}" if arg.name in ("*", "**") else f"{arg.name}={value}"


def _operand(expr: s.Expr, depth: int) -> str:
    text = _text(expr, depth)
    return (
        f"({text})"
        if type(expr) in (s.Unary, s.Binary, s.Compare, s.Logic, s.Cond, s.Lambda)
        else text
    )
