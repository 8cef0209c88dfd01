"""The flow through one function where the values of some names are settled: of a test whose
outcome they decide, one side alone is followed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from aiter_lint.link import arithmetic as a
from aiter_lint.link.evaluate import Evaluator
from aiter_lint.link.flow import Env, Fixed, Flow, Observer, assigned, join, statements, walk
from aiter_lint.read import syntax as s
from aiter_lint.read.facts import FileFacts
from aiter_lint.span import Span

_MACHINE = re.compile(
    r"arch|device|gfx|sm_?\d|cuda|hip(?![a-z])|rocm|amd|nvidia|capab|platform|backend|target|avail",
    re.IGNORECASE,
)
"""Words of tests that may tell machines apart, which have config files of their own."""


class Settled(Flow):
    """A flow that evaluates its tests. `pins` are the values of names, each from the line on after
    which nothing rebinds it; the side with the call at `inside` is always the one that is taken.
    What could not be decided is in `open`, with the operands that left it so."""

    def __init__(
        self,
        facts: FileFacts,
        path: str,
        observe: Observer,
        ev: Evaluator,
        pins: Mapping[str, tuple[str, int]],
        inside: Span,
    ) -> None:
        super().__init__(facts, path, observe)
        self.ev = ev
        self.pins = dict(pins)
        self.inside = inside
        self.open: list[tuple[s.Stmt, list[s.Expr]]] = []

    def _block(self, body: Iterable[s.Stmt], env: Env | None) -> Env | None:
        for stmt in body:
            if env is None:
                return None
            env = self._pinned(stmt, env)
            if type(stmt) is s.If and not self._loops:  # what a loop changes is not known yet
                env = self._choose(stmt, env)
            else:
                if type(stmt) in (s.Assert, s.While, s.Match):
                    test = stmt.subject if type(stmt) is s.Match else stmt.test
                    self._leave(stmt, test, env)
                elif type(stmt) is s.If:
                    self.open.append((stmt, [stmt.test]))
                env = super()._block((stmt,), env)
        return env

    def _pinned(self, stmt: s.Stmt, env: Env) -> Env:
        due = [name for name, (_, line) in self.pins.items() if stmt.span.line > line]
        if due:
            env = env.fork()
            for name in due:
                env.names[name] = Fixed((a.exact(self.pins.pop(name)[0]),))
        return env

    def _choose(self, stmt: s.If, env: Env) -> Env | None:
        env = self._see(stmt.test, env)
        sides = {True, False}
        for sense, block in ((True, stmt.body), (False, stmt.other)):
            if any(inner.span.contains(self.inside) for inner in block):
                sides = {sense}
                break
        else:
            verdicts = {a.truth(v) for v in self.ev.ask(stmt.test, env)}
            if verdicts in ({True}, {False}):
                sides = verdicts
            else:
                self._leave(stmt, stmt.test, env)
        after: Env | None = None
        pins = dict(self.pins)
        for sense, block in ((True, stmt.body), (False, stmt.other)):
            if sense in sides:
                self.pins = dict(pins)
                after = join(after, self._block(block, self._narrow(stmt.test, env.fork(), sense)))
        self.pins = pins
        return after

    def _leave(self, stmt: s.Stmt, test: s.Expr, env: Env) -> None:
        parts = list(_operands(test))
        unknown = [p for p in parts if any(a.truth(v) is None for v in self.ev.ask(p, env))]
        if unknown:
            self.open.append((stmt, unknown))


def _operands(test: s.Expr) -> Iterable[s.Expr]:
    if type(test) is s.Logic:
        for operand in test.operands:
            yield from _operands(operand)
    elif type(test) is s.Unary and test.op == "not":
        yield from _operands(test.operand)
    else:
        yield test


class Doubts:
    """Whether a launch is reached by this config: not where a test stands before it that asks for
    the config or the machine, and that nobody can decide here."""

    def __init__(
        self, body: tuple[s.Stmt, ...], config: frozenset[str], parameters: frozenset[str]
    ) -> None:
        self._parameters = parameters
        self._values: dict[str, list[s.Expr]] = {}
        for stmt in statements(body):
            for name in assigned((stmt,)) if type(stmt) in (s.Assign, s.Augment) else ():
                self._values.setdefault(name, []).append(stmt.value)
        self._body = body
        self._config = config

    def about(self, flow: Settled, launch: Span, kernel: str | None) -> bool:
        """Whether some open test decides about a launch, whose kernel is a variable's value."""
        lines = [
            stmt.span
            for stmt in statements(self._body)
            if kernel is not None and type(stmt) is s.Assign and kernel in assigned((stmt,))
        ]
        for stmt, operands in flow.open:
            span = stmt.span
            if span.line > launch.line:
                continue
            chooses = (
                span.contains(launch)
                or any(span.contains(line) for line in lines)
                or any(type(inner) is s.Return for inner in statements((stmt,)))
            )
            refuses = type(stmt) is s.Assert or any(
                type(inner) is s.Raise for inner in statements((stmt,))
            )
            # who passes a wrong backend is refused: that says nothing of the right one
            told = frozenset() if chooses else self._parameters & {"backend"}
            if (chooses or refuses) and any(self._is_doubtful(o, told) for o in operands):
                return True
        return False

    def _is_doubtful(self, test: s.Expr, told: frozenset[str]) -> bool:
        seen: set[str] = set(told)
        pending = [test]
        while pending:
            for part in walk(pending.pop()):
                kind = type(part)
                if kind is s.Name:
                    if part.id in seen:
                        continue
                    if part.id in self._config or _MACHINE.search(part.id):
                        return True
                    seen.add(part.id)
                    pending += self._values.get(part.id, ())
                elif kind is s.Attr and _MACHINE.search(part.name):
                    return True
                elif kind is s.Const and isinstance(part.value, str):
                    if _MACHINE.search(part.value):
                        return True
        return False
