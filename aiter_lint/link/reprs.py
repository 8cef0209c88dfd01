"""The reprs of kernels, and the builder calls that make them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from aiter_lint.link import objects as o
from aiter_lint.link.callers import calls_in
from aiter_lint.link.calls import argument, keyword
from aiter_lint.link.evaluate import Evaluator
from aiter_lint.link.flow import Env
from aiter_lint.link.kernels import Kernels
from aiter_lint.link.project import Builder, Kernel, Key, Repr
from aiter_lint.link.values import Kind
from aiter_lint.read import syntax as s
from aiter_lint.span import Place

_NAMES = (("base_name", "name", "base"), ("config_keys", "keys"), ("name_key",))


class Reprs:
    """Reads the reprs of all kernels."""

    def __init__(self, kernels: Kernels) -> None:
        self.kernels = kernels
        self.ev: Evaluator = kernels.evaluator
        self.world = kernels.world
        self._imported = {
            alias.name for facts in self.world.facts.values() for alias in facts.imports
        }
        self._builders: dict[tuple[str, s.Span], Builder] = {}

    def read(self, kernels: list[Kernel]) -> list[Builder]:
        """Fill `kernel.repr`; all builder calls of the project, by place."""
        for kernel in kernels:
            call, env = self.kernels.calls[id(kernel)]
            arg = keyword(call.args, "repr") if call is not None else None
            if arg is not None:
                kernel.repr = self._repr(arg, env)
                if kernel.repr is not None and kernel.repr.builder is not None:
                    kernel.repr.builder.used_by.append(kernel)
        self._unattached()
        users = Counter(
            literal
            for builder in self._builders.values()
            for literal in {key.literal for key in builder.keys or ()}
        )
        for builder in self._builders.values():
            self._share(builder, users)
        return sorted(self._builders.values(), key=lambda b: b.place)

    def _repr(self, arg: s.Arg, env: Env) -> Repr | None:
        place, value = Place(env.path, arg.span), Place(env.path, arg.value.span)
        values = self.ev.ask(arg.value, env)
        for member in values:
            if isinstance(member.data, o.BuilderRef):
                return Repr("builder", place, value, self._builder(member.data))
        if len(values) == 1 and values[0].kind is Kind.NONE:
            return None
        if values and all(v.kind is Kind.STR for v in values):
            return Repr("text", place, value, None)
        return Repr("custom", place, value, None)

    def _builder(self, ref: o.BuilderRef) -> Builder:
        key = (ref.env.path, ref.call.span)
        if key not in self._builders:
            self._builders[key] = self._read_call(ref)
        return self._builders[key]

    def _read_call(self, ref: o.BuilderRef) -> Builder:
        args, env = ref.call.args, ref.env
        base, base_place = self._string(self._argument(ref, 0), env)
        name_key, name_key_place = self._string(self._argument(ref, 2), env)
        keys_arg = self._argument(ref, 1)
        hidden = any(arg.name in ("*", "**") for arg in args)
        keys: list[Key] | None = None
        complete = False
        if keys_arg is not None:
            keys, complete = self._keys(keys_arg.value, env, 0)
        elif not hidden:
            keys, complete = [], True
        return Builder(
            place=Place(env.path, ref.call.span),
            module=self.world.modules.name(env.path),
            variable=None,
            base=base,
            base_place=base_place,
            keys=None if keys is None or (not keys and not complete) else tuple(keys),
            complete=complete,
            name_key=name_key,
            name_key_place=name_key_place,
            function=ref.function,
        )

    def _argument(self, ref: o.BuilderRef, position: int) -> s.Arg | None:
        for name in _NAMES[position]:
            found = argument(ref.call.args, position, name)
            if found is not None:
                return found
        return None

    def _string(self, arg: s.Arg | None, env: Env) -> tuple[str | None, Place | None]:
        if arg is None:
            return None, None
        values = self.ev.ask(arg.value, env)
        place = Place(env.path, arg.value.span)
        if len(values) == 1 and isinstance(values[0].constant, str):
            return values[0].constant, place
        return None, place

    def _keys(self, expr: s.Expr, env: Env, depth: int) -> tuple[list[Key], bool]:
        """The keys that an expression lists, in order, and whether these are all."""
        if depth > 8:
            return [], False
        if type(expr) is s.Seq:
            keys: list[Key] = []
            complete = True
            for item in expr.items:
                inner, known = self._key(item, env, depth)
                keys += inner
                complete = complete and known
            return keys, complete
        if type(expr) is s.Binary and expr.op == "+":
            left, known = self._keys(expr.left, env, depth + 1)
            right, all_known = self._keys(expr.right, env, depth + 1)
            return left + right, known and all_known
        return self._from_values(expr, env, depth)

    def _key(self, item: s.Expr, env: Env, depth: int) -> tuple[list[Key], bool]:
        place = Place(env.path, item.span)
        if type(item) is s.Const and isinstance(item.value, str):
            return [Key(item.value, place, place)], True
        if type(item) is s.Star:
            return self._keys(item.value, env, depth + 1)
        values = self.ev.ask(item, env)
        if len(values) == 1 and isinstance(values[0].constant, str):
            return [Key(values[0].constant, place, place)], True
        return [], False

    def _from_values(self, expr: s.Expr, env: Env, depth: int) -> tuple[list[Key], bool]:
        values = self.ev.ask(expr, env)
        if len(values) != 1:
            return [], False
        data = values[0].data
        if not isinstance(data, o.Sequence):
            return [], False
        keys: list[Key] = []
        complete = data.complete
        here = Place(env.path, expr.span)
        traced = data.env is not None and len(data.exprs) == len(data.items)
        for position, item in enumerate(data.items):
            if len(item) != 1 or not isinstance(item[0].constant, str):
                complete = False
                continue
            place = here
            if traced and data.exprs[position] is not None:
                place = Place(data.env.path, data.exprs[position].span)
            keys.append(Key(item[0].constant, place, place))
        return keys, complete

    # --- builders that no kernel uses, and lists that several share ---

    def _unattached(self) -> None:
        names = {name.rsplit(".", 1)[-1] for name in self.world.settings.repr_builders}
        for path, facts in self.world.facts.items():
            local = names | {al.local for al in facts.imports if al.name in names}
            if not local.intersection(facts.called):
                continue
            self._module_builders(path, local)

    def _module_builders(self, path: str, local: set[str]) -> None:
        run = self.world.module(path)
        assigned = {
            stmt.value.span: (stmt, stmt.targets[0].id)
            for stmt in _statements(self.world.facts[path].body)
            if type(stmt) is s.Assign and len(stmt.targets) == 1 and type(stmt.targets[0]) is s.Name
        }
        for expr, env in run.seen:
            for call, where in calls_in(expr, env):
                func = call.func
                name = func.id if type(func) is s.Name else getattr(func, "name", None)
                if name not in local:
                    continue
                for value in self.ev.ask(call, where):
                    if isinstance(value.data, o.BuilderRef) and value.data.call is call:
                        builder = self._builder(value.data)
                        self._describe(builder, path, call, assigned)

    def _describe(self, builder: Builder, path: str, call: s.Call, assigned: dict) -> None:
        found = assigned.get(call.span)
        if found is None:
            builder.other_uses = True  # part of a larger expression: in a table, passed on
            return
        stmt, variable = found
        builder.variable = variable
        builder.statement = Place(path, stmt.span)
        word = re.compile(rb"(?<![\w])" + re.escape(variable.encode()) + rb"(?!\w)")
        uses = len(word.findall(self.world.bytes_of(path)))
        builder.other_uses = uses > 1 + self._decorated(builder) or variable in self._imported

    def _decorated(self, builder: Builder) -> int:
        return sum(1 for kernel in builder.used_by if kernel.path == builder.place.path)

    def _share(self, builder: Builder, users: Counter[Place]) -> None:
        if builder.keys is None:
            return
        keys = []
        for key in builder.keys:
            inside = key.literal.path == builder.place.path and builder.place.span.contains(
                key.literal.span
            )
            shared = users[key.literal] > 1 and not inside
            keys.append(Key(key.name, builder.place if shared else key.literal, key.literal))
        builder.keys = tuple(keys)


def _statements(body: tuple[s.Stmt, ...]) -> Iterator[s.Stmt]:
    """The statements of a module, those in its guards too."""
    pending = [body]
    while pending:
        for stmt in pending.pop():
            yield stmt
            if type(stmt) is s.If:
                pending += stmt.body, stmt.other
            elif type(stmt) is s.With:
                pending.append(stmt.body)
            elif type(stmt) is s.Try:
                pending += stmt.body, *(h.body for h in stmt.handlers), stmt.other, stmt.final
