"""Assumptions that are false: for program 0, or for what some launch passes."""

from __future__ import annotations

from aiter_lint.link import arithmetic as a
from aiter_lint.link.evaluate import Evaluator
from aiter_lint.link.flow import Binding as NameBinding
from aiter_lint.link.flow import Env, Fixed, walk
from aiter_lint.link.project import Argument, Kernel, Refuted
from aiter_lint.link.render import dotted, render
from aiter_lint.link.roles import Roles
from aiter_lint.link.values import Kind, Value, Values
from aiter_lint.read import syntax as s
from aiter_lint.span import Place


def refuted(ev: Evaluator, roles: Roles, kernel: Kernel) -> list[Refuted]:
    """The assumptions in a kernel's body that are false somewhere, each once."""
    body = kernel.function.jit
    if body is None or not body.assumptions:
        return []
    found: list[Refuted] = []
    assigned = single_assignments(body.assigns)
    for assumption in body.assumptions:
        if assumption.guarded or assumption.func.rsplit(".", 1)[-1] != "assume":
            continue
        for test in conjuncts(assumption.test):
            witness = _program_zero(ev, roles, kernel, test, assigned)
            if witness is None:
                witness = _some_launch(ev, kernel, test, assigned)
            if witness is not None:
                text, argument, value = witness
                place = Place(kernel.path, assumption.span)
                found.append(Refuted(place, render(test), text, argument, value))
                break
    return found


def conjuncts(test: s.Expr) -> list[s.Expr]:
    """The tests that `and` joins, each for itself."""
    if type(test) is s.Logic and test.op == "and":
        return [part for operand in test.operands for part in conjuncts(operand)]
    return [test]


def single_assignments(assigns: tuple[s.Stmt, ...]) -> dict[str, s.Expr]:
    """Names that the body assigns, with the value of those that it assigns exactly once, by a
    plain statement."""
    found: dict[str, s.Expr] = {}
    repeated: set[str] = set()
    for stmt in assigns:
        if type(stmt) is s.Augment:
            found.update((name, s.Opaque("changed", stmt.span)) for name in _names(stmt.target))
            repeated.update(_names(stmt.target))
            continue
        assert type(stmt) is s.Assign
        for target in stmt.targets:
            for name in _names(target):
                if name in found:
                    repeated.add(name)
                found[name] = stmt.value if type(target) is s.Name else s.Opaque("parts", stmt.span)
    for name in repeated:
        found[name] = s.Opaque("changed", found[name].span)
    return found


def _names(target: s.Expr) -> list[str]:
    if type(target) is s.Name:
        return [target.id]
    if type(target) is s.Seq:
        return [name for item in target.items for name in _names(item)]
    return []


def _program_zero(
    ev: Evaluator, roles: Roles, kernel: Kernel, test: s.Expr, assigned: dict[str, s.Expr]
) -> tuple[str, Argument | None, Value | None] | None:
    """Whether the test is false for the first program of the grid: every program id is 0 there,
    and nothing else is known."""
    if type(test) is s.Compare and len(test.operands) == 2:
        left, right = (_at_program_zero(roles, kernel, e, assigned, 0) for e in test.operands)
        if left is not None and right is not None:
            holds = a.compare(test.ops[0], a.exact(left), a.exact(right))
            return _FIRST if holds is False else None
    zero: dict[str, NameBinding] = {}
    for name in _read(test):
        value = _at_program_zero(roles, kernel, s.Name(name, test.span), assigned, 0)
        zero[name] = Fixed((a.exact(value),) if value is not None else a.unknown("not known"))
    if not any(b.cache and b.cache[0].exact for b in zero.values()):
        return None
    values = _evaluate(ev, kernel, test, zero)
    if values and all(a.truth(v) is False for v in values):
        return _FIRST
    return None


_FIRST = ("the first program, whose id is 0", None, None)


def _at_program_zero(
    roles: Roles, kernel: Kernel, expr: s.Expr, assigned: dict[str, s.Expr], depth: int
) -> int | None:
    """The number an expression has in program (0, 0, 0), where that is known: ids and what is
    computed from them by *, //, % and + alone."""
    if depth > 8:
        return None
    kind = type(expr)
    if kind is s.Const and type(expr.value) is int:
        return expr.value
    if kind is s.Name:
        inner = assigned.get(expr.id)
        if inner is None or kernel.param(expr.id) is not None:  # assigned on some path only
            return None
        return _at_program_zero(roles, kernel, inner, assigned, depth + 1)
    if kind is s.Call:
        if type(expr.func) is s.Attr and expr.func.name == "to":
            return _at_program_zero(roles, kernel, expr.func.base, assigned, depth + 1)
        name = dotted(expr.func)
        if name is None:
            return None
        if name.rsplit(".", 1)[-1] == "program_id" and _is_language(roles, kernel, name):
            return 0
        return None
    if kind is s.Binary:
        left = _at_program_zero(roles, kernel, expr.left, assigned, depth + 1)
        if left == 0 and expr.op in ("*", "//", "%"):
            return 0
        right = _at_program_zero(roles, kernel, expr.right, assigned, depth + 1)
        if right == 0 and expr.op == "*":
            return 0
        if left is not None and right is not None and expr.op in ("+", "-", "*"):
            return {"+": left + right, "-": left - right, "*": left * right}[expr.op]
    return None


def _is_language(roles: Roles, kernel: Kernel, name: str) -> bool:
    found = roles.resolve(name, kernel)
    return any(getattr(v.data, "name", "").startswith("triton.") for v in found)


def _some_launch(
    ev: Evaluator, kernel: Kernel, test: s.Expr, assigned: dict[str, s.Expr]
) -> tuple[str, Argument | None, Value | None] | None:
    """Whether some launch passes a parameter for which the test is false."""
    read = _read(test)
    params = [n for n in read if kernel.param(n) is not None and n not in assigned]
    if len(params) != 1 or len(read) != 1:
        return None
    name = params[0]
    for binding in kernel.launches:
        for argument in binding.arguments.get(name, ()):
            for value in argument.values:
                if value.kind is Kind.UNKNOWN or not (value.exact or value.kind is Kind.NEGATIVE):
                    continue
                values = _evaluate(ev, kernel, test, {name: Fixed((value,))})
                if values and all(a.truth(v) is False for v in values):
                    return f"{name} = {value.text}", argument, value
    return None


def _evaluate(ev: Evaluator, kernel: Kernel, test: s.Expr, names: dict[str, NameBinding]) -> Values:
    env = Env(kernel.path, ev.world.closure(kernel.path, kernel.index))
    env.names.update(names)
    return ev.ask(test, env)


def _read(test: s.Expr) -> list[str]:
    return list(dict.fromkeys(e.id for e in walk(test) if type(e) is s.Name))
