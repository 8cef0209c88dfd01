"""What an expression can be: call-by-need over the bindings that the flows left behind."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable
from itertools import product
from typing import NamedTuple

from msgspec.structs import replace

from aiter_lint.link import arithmetic as a
from aiter_lint.link import objects as o
from aiter_lint.link.calls import Supply, bind, keyword
from aiter_lint.link.flow import (
    Appended,
    Augmented,
    Binding,
    Bound,
    ClassBound,
    Defined,
    Entered,
    Entry,
    Env,
    Fixed,
    Flow,
    Given,
    Imported,
    Iterated,
    Joined,
    Lent,
    Merged,
    Narrowed,
    Unpacked,
    statements,
    walk,
)
from aiter_lint.link.library import (
    CONSTANTS,
    DTYPES,
    FUNCTIONS,
    HARMLESS,
    JIT_NAMES,
    METHODS,
    TRANSPARENT,
    canonical,
)
from aiter_lint.link.render import render
from aiter_lint.link.values import Kind, Step, Value, Values
from aiter_lint.link.world import World
from aiter_lint.read import syntax as s
from aiter_lint.read.facts import Function
from aiter_lint.span import Place

DEEPEST = 90  # nested promises
FUEL = 40_000  # expressions looked at for one question
INLINED = 8  # calls inside calls
OUTSIDE = "a call of a function outside the project"
PRODUCT = 128  # combinations of operands looked at

_BUILTINS = frozenset(dir(builtins))
Decorate = Callable[["Evaluator", Values, Value, s.Expr, Env], Values]
Args = list[tuple[s.Arg, Env]]


class Load(NamedTuple):
    """A call of a configured loader; `params` are those of a function of the project."""

    name: str
    params: tuple[s.Param, ...] | None
    args: Args
    call: s.Expr
    env: Env


class Evaluator:
    """Evaluates expressions of the project. `decorate` (of the kernels' module) says what a
    decorator makes of a function; `callers` finds who calls one."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.decorate: Decorate | None = None
        self.callers: Callable[[str, int], list[o.Caller]] = lambda path, index: []
        self.json: Callable[[tuple[str, ...]], o.JsonFile] | None = None
        self.json_file: Callable[[str], s.Expr | None] = lambda path: None
        self.loads: Callable[[Load], Values | None] | None = None  # told of a loader's calls
        self._depth = 0
        self._deciding = 0
        self._fuel = FUEL
        self._inlined: list[tuple[str, int]] = []
        self._interned: dict[object, Value] = {}
        self._functions: dict[object, Values] = {}
        loaders = world.settings.config_loaders
        self._loaders = {name: tuple(globs) for name, globs in dict(loaders).items()}
        self._builders = frozenset(world.settings.repr_builders)
        named = [*self._loaders, *self._builders, *world.settings.jit_decorators]
        self._jits = frozenset({*JIT_NAMES, *world.settings.jit_decorators})
        self._special = _SPECIAL | {name.rsplit(".", 1)[-1] for name in named}

    def ask(self, expr: s.Expr, env: Env) -> Values:
        """What an expression can be; a fresh question, with its own budget."""
        self._fuel = FUEL
        return self.expr(expr, env)

    # --- expressions ---

    def expr(self, expr: s.Expr, env: Env) -> Values:
        """What an expression can be."""
        self._fuel -= 1
        if self._fuel < 0 or self._depth > DEEPEST:
            return a.unknown("too much to follow")
        self._depth += 1
        try:
            return _EXPRESSIONS[type(expr)](self, expr, env)
        finally:
            self._depth -= 1

    def _const(self, expr: s.Const, env: Env) -> Values:
        return (a.exact(expr.value),)

    def _name(self, expr: s.Name, env: Env) -> Values:
        return self.lookup(expr.id, env)

    def lookup(self, name: str, env: Env) -> Values:
        """What a name can be in an environment."""
        binding = env.get(name)
        if binding is not None:
            return self.binding(binding)
        scope: Env | None = env
        while scope is not None:
            for star in reversed(scope.stars):
                found = self._from_star(star, name, set())
                if found is not None:
                    return found
            scope = scope.outer
        if env.path.endswith(".py"):
            if name == "__file__":
                return (a.exact(env.path),)
            if name == "__name__":
                return (a.exact(self.world.modules.name(env.path)),)
        if name in _BUILTINS:
            return self.external(f"builtins.{name}")
        return a.unknown("a name that is not defined here", name)

    def _from_star(self, star: Imported, name: str, seen: set[str]) -> Values | None:
        found = self.world.star_import(star, name)
        if found is None:
            path, module = self.world.import_target(star.alias, star.path)
            if path is None and module.split(".")[0] == "triton":
                return self.external(f"{module}.{name}")
            return None
        path, env = found
        binding = env.names.get(name)
        if binding is not None:
            return self.binding(binding)
        if path in seen:
            return None
        seen.add(path)
        for inner in reversed(env.stars):
            deeper = self._from_star(inner, name, seen)
            if deeper is not None:
                return deeper
        return None

    def _attr(self, expr: s.Attr, env: Env) -> Values:
        if expr.name in _TENSOR_ATTRIBUTES and self._is_data(expr.base, env):
            return self._plain_attribute(_TENSOR, expr.name, expr)
        base = self.expr(expr.base, env)
        if len(base) == 1:
            return self.attribute(base[0], expr.name, expr)
        return a.union(
            *[self.attribute(v, expr.name, expr) for v in base if v.kind is not Kind.NONE]
        )

    def _is_data(self, base: s.Expr, env: Env) -> bool:
        """Whether the owner of a tensor's attribute can be taken for a tensor unseen: a variable
        that is no module, class or `self`. What made it need not be followed then."""
        if type(base) is not s.Name or base.id in ("self", "cls"):
            return False
        binding = env.get(base.id)
        return binding is not None and not isinstance(binding, (Imported, Defined, ClassBound))

    def _item(self, expr: s.Item, env: Env) -> Values:
        base = self.expr(expr.base, env)
        found: list[Values] = []
        for value in base:
            if value.kind is Kind.JIT or isinstance(value.data, o.GridBound):
                kernels = tuple(v for v in base if v.kind is Kind.JIT)
                bound = o.GridBound(kernels, expr.index, env)
                found.append((Value(Kind.OTHER, text=render(expr), data=bound),))
                break
            found.append(self.item(value, lambda: self.expr(expr.index, env), expr))
        return a.union(*found) if found else ()

    def _call(self, expr: s.Call, env: Env) -> Values:
        func = self.expr(expr.func, env)
        args: Args = [(arg, env) for arg in expr.args]
        found = [self.call(value, args, expr, env) for value in func if value.kind is not Kind.NONE]
        return a.union(*found) if found else a.unknown("a call of nothing known", render(expr))

    def _unary(self, expr: s.Unary, env: Env) -> Values:
        operands = self.expr(expr.operand, env)
        if expr.op == "not":
            return self._truths([_negate(a.truth(v)) for v in operands], expr)
        text = render(expr)
        return a.union(*[(_keep(a.unary(expr.op, v, text), v),) for v in operands])

    def _binary(self, expr: s.Binary, env: Env) -> Values:
        left = self.expr(expr.left, env)
        right = self.expr(expr.right, env)
        if expr.op == "|" and any(isinstance(v.data, (o.Mapping, o.JsonFile)) for v in left):
            return self._merge_maps(left, [right])
        return self.operate(expr.op, left, right, render(expr))

    def operate(self, op: str, left: Values, right: Values, text: str) -> Values:
        """`left op right` for every pair."""
        if len(left) * len(right) > PRODUCT:
            return a.unknown("too many possibilities", text)
        found = []
        for x, y in product(left, right):
            if op == "+" and isinstance(x.data, o.Sequence) and isinstance(y.data, o.Sequence):
                found.append((_concatenate(x, y, text),))
                continue
            if op == "/" and isinstance(y.constant, str):
                found.append(self._join_path(x, y, text))
                continue
            if op == "*" and isinstance(x.data, o.Sequence) and y.exact and type(y.constant) is int:
                items = x.data.items * min(max(y.constant, 0), 8)
                found.append((_sequence(x.kind, items, x.data.complete, text),))
                continue
            found.append((_keep(a.binary(op, x, y, text), x, y),))
        return a.union(*found) if found else ()

    def _join_path(self, left: Value, right: Value, text: str) -> Values:
        if isinstance(left.constant, str) and left.text.startswith("Path:"):
            joined = f"{left.constant}/{right.constant}" if left.constant else right.constant
            return (a.exact(joined, f"Path:{joined}"),)
        return a.unknown("a path", text)

    def _compare(self, expr: s.Compare, env: Env) -> Values:
        if not self._deciding and any(self._is_far(e, env) for e in expr.operands):
            return (a.some(Kind.BOOL, render(expr)),)
        operands = [self.expr(operand, env) for operand in expr.operands]
        size = 1
        for values in operands:
            size *= len(values)
        if size > PRODUCT:
            return (a.some(Kind.BOOL, render(expr)),)
        verdicts: list[bool | None] = []
        for row in product(*operands):
            verdict: bool | None = True
            for position, op in enumerate(expr.ops):
                one = self._compared(op, row[position], row[position + 1])
                if one is False:
                    verdict = False
                    break
                if one is None:
                    verdict = None
            verdicts.append(verdict)
        return self._truths(verdicts, expr)

    def _compared(self, op: str, left: Value, right: Value) -> bool | None:
        """`left op right`; what a known list, set or dict has in it is looked at one by one."""
        data = right.data
        if op in ("in", "not in"):
            members: list[Value] | None = None
            if isinstance(data, o.Sequence) and data.complete:
                if all(len(item) == 1 for item in data.items):
                    members = [item[0] for item in data.items]
            elif isinstance(data, o.Mapping) and data.complete:
                members = [o.key_value(key) for key in data.entries]
            elif isinstance(data, o.JsonFile) and not data.loader and data.mapping.complete:
                members = [o.key_value(key) for key in data.mapping.entries]
            if members is not None:
                verdict = a.contains(left, members)
                return verdict if verdict is None else verdict == (op == "in")
        return a.compare(op, left, right)

    def _verdicts(self, test: s.Expr, env: Env) -> set[bool | None]:
        """The outcomes of a test that decides what is looked at next."""
        self._deciding += 1
        try:
            return {a.truth(v) for v in self.expr(test, env)}
        finally:
            self._deciding -= 1

    def _is_far(self, expr: s.Expr, env: Env) -> bool:
        """Whether a value is that of a parameter not looked at yet: a comparison with it is a
        bool in any case, and its callers need not be found for that."""
        if type(expr) is s.Name:
            binding = env.get(expr.id)
            return type(binding) is Given and binding.cache is None
        return False

    def _truths(self, verdicts: list[bool | None], expr: s.Expr) -> Values:
        if not verdicts:
            return ()
        if None in verdicts:
            return (a.some(Kind.BOOL, render(expr)),)
        return a.union(*[(a.exact(v, f"{render(expr)} = {v}"),) for v in dict.fromkeys(verdicts)])

    def _logic(self, expr: s.Logic, env: Env) -> Values:
        stops = expr.op == "or"
        found: list[Values] = []
        for operand in expr.operands[:-1]:
            values = self.expr(operand, env)
            kept = tuple(v for v in values if a.truth(v) in (stops, None))
            # a flag that ends it here is one that has the value for which it does
            found.append(tuple(a.exact(stops) if _is_flag(v) else v for v in kept))
            if values and all(a.truth(v) is stops for v in values):
                return a.union(*found)
        found.append(self.expr(expr.operands[-1], env))
        return a.union(*found)

    def _cond(self, expr: s.Cond, env: Env) -> Values:
        verdicts = self._verdicts(expr.test, env)
        if len(verdicts) == 1 and self._asks_an_option(expr.test, env):
            verdicts = {True, False}
        narrow = Flow(self.world.facts[env.path], env.path)._narrow
        sides = []
        if verdicts != {False}:
            sides.append(self.expr(expr.then, narrow(expr.test, env.fork(), True)))
        if verdicts != {True}:
            sides.append(self.expr(expr.other, narrow(expr.test, env.fork(), False)))
        return a.union(*sides)

    def _asks_an_option(self, test: s.Expr, env: Env) -> bool:
        """Whether a test reads a parameter that others than the project's code may pass."""
        return any(type(e) is s.Name and self._is_option(env.get(e.id)) for e in walk(test))

    def _is_option(self, binding: Binding | None) -> bool:
        if type(binding) is not Given:
            return False
        function = self.world.function(binding.path, binding.function)
        return function.params[binding.param].default is not None and not _is_private(function)

    def _seq(self, expr: s.Seq, env: Env) -> Values:
        items: list[Values] = []
        exprs: list[s.Expr | None] = []
        complete = True
        for item in expr.items:
            if type(item) is not s.Star:
                items.append(self.expr(item, env))
                exprs.append(item)
                continue
            spread = self.elements(self.expr(item.value, env))
            if spread is None:
                complete = False
            else:
                items += spread
                exprs += [None] * len(spread)
        kind = Kind.TUPLE if expr.kind == "tuple" else Kind.OTHER
        return (_sequence(kind, tuple(items), complete, render(expr), tuple(exprs), env),)

    def elements(self, values: Values) -> list[Values] | None:
        """The elements of a sequence whose length is known, position by position."""
        if len(values) == 1:
            value = values[0]
            if value.kind is Kind.TUPLE and not isinstance(value.data, o.Sequence):
                return list(value.items)
            if isinstance(value.data, o.Sequence) and value.data.complete:
                return list(value.data.items)
        return None

    def _star(self, expr: s.Star, env: Env) -> Values:
        return a.unknown("a starred expression")

    def _dict(self, expr: s.Dict, env: Env) -> Values:
        current: Values = (_mapping({}),)
        for entry in expr.entries:
            if entry.key is None:
                current = self._merge_maps(current, [self.expr(entry.value, env)])
            else:
                binding = Bound(entry.value, env)
                current = self._set_entry(current, self.expr(entry.key, env), binding)
        return current

    def _lambda(self, expr: s.Lambda, env: Env) -> Values:
        return (Value(Kind.CALLABLE, text="a lambda", data=o.LambdaRef(expr, env)),)

    def _comp(self, expr: s.Comp, env: Env) -> Values:
        rows = self._rows(expr.generators, env)
        certain = rows is not None
        if rows is None:
            inner = Env(env.path, env)
            for generator in expr.generators:
                inner = self._bind_target(generator.target, a.unknown("a loop's value"), inner)
            rows = [inner]
        if expr.kind == "dict":
            current: Values = (_mapping({}, complete=certain),)
            for row in rows:
                assert expr.value is not None
                current = self._set_entry(
                    current, self.expr(expr.element, row), Bound(expr.value, row)
                )
            return current
        items = tuple(self.expr(expr.element, row) for row in rows)
        data = o.Sequence(items, certain, not certain)
        return (Value(Kind.OTHER, text="a comprehension", data=data),)

    def _rows(self, generators: tuple[s.Generator, ...], env: Env) -> list[Env] | None:
        rows = [Env(env.path, env)]
        for generator in generators:
            longer: list[Env] = []
            for row in rows:
                elements = self.elements(self.expr(generator.iter, row))
                if elements is None:
                    return None
                for element in elements:
                    inner = Env(env.path, row)
                    inner = self._bind_target(generator.target, element, inner)
                    tests = [self.expr(test, inner) for test in generator.tests]
                    if all(any(a.truth(v) is not False for v in values) for values in tests):
                        longer.append(inner)
                    if len(longer) > 512:
                        return None
            rows = longer
        return rows

    def _bind_target(self, target: s.Expr, values: Values, env: Env) -> Env:
        if type(target) is s.Name:
            env.names[target.id] = Fixed(values)
        elif type(target) is s.Seq:
            for index, item in enumerate(target.items):
                part = a.union(*[self.element(v, index, len(target.items)) for v in values])
                self._bind_target(item, part, env)
        return env

    def _walrus(self, expr: s.Walrus, env: Env) -> Values:
        return self.expr(expr.value, env)

    def _text(self, expr: s.Text, env: Env) -> Values:
        whole = ""
        for part in expr.parts:
            values = self.expr(part, env)
            if len(values) != 1 or not values[0].exact:
                return (a.some(Kind.STR, 'f"..."'),)
            whole += str(values[0].constant)
        return (a.exact(whole),)

    def _opaque(self, expr: s.Opaque, env: Env) -> Values:
        return a.unknown(f"{expr.what} is not followed", expr.what)

    # --- bindings ---

    def binding(self, binding: Binding) -> Values:
        """What a binding can be."""
        if binding.cache is not None:
            return binding.cache
        if binding.busy:
            return self._around(binding)
        if self._depth > DEEPEST or self._fuel < 0:
            return a.unknown("too much to follow")
        binding.busy = True
        self._depth += 1
        try:
            values = _BINDINGS[type(binding)](self, binding)
        finally:
            binding.busy = False
            self._depth -= 1
        if self._fuel >= 0:
            binding.cache = values
        return values

    def _around(self, binding: Binding) -> Values:
        """What a binding that depends on itself is, seen from inside: a loop's variable is what
        it was before the loop, and what nobody knows."""
        if type(binding) is Given:
            return ()  # a recursive call passes its own parameter on
        changes = a.unknown("changes in a loop")
        if type(binding) is Joined and not binding.parts[0].busy:
            return a.union(self.binding(binding.parts[0]), changes)
        return changes

    def _before(self, old: Binding) -> Values:
        """The object that a binding is a changed form of. Around a loop, the change was made to
        what came in: the rest is the form that is being looked at."""
        if old.busy and type(old) is Joined and not old.parts[0].busy:
            return self.binding(old.parts[0])
        return self.binding(old)

    def _bound(self, binding: Bound) -> Values:
        values = self.expr(binding.expr, binding.env)
        if not binding.name or type(binding.expr) is s.Name:
            return values
        place = Place(binding.env.path, binding.expr.span)
        return tuple(stepped(v, place, f"{binding.name} = {v.text}") for v in values)

    def _joined(self, binding: Joined) -> Values:
        found = []
        for part in binding.parts:
            if not part.busy or type(part) is Given:
                found.append(self.binding(part))
            elif type(part) not in _FORMS:
                found.append(a.unknown("changes in a loop"))
        return a.union(*found)

    def _augmented(self, binding: Augmented) -> Values:
        if binding.old.busy:
            return a.unknown("changes in a loop")
        old = self.binding(binding.old)
        new = self.expr(binding.expr, binding.env)
        return self.operate(binding.op, old, new, f"... {binding.op} {render(binding.expr)}")

    def _unpacked(self, binding: Unpacked) -> Values:
        source = self.binding(binding.source)
        if binding.star:
            return a.unknown("the rest of a sequence")
        count = binding.index + binding.tail + 1 if binding.index >= 0 else 0
        return a.union(*[self.element(v, binding.index, count) for v in source])

    def element(self, value: Value, index: int, count: int) -> Values:
        """Element `index` of a value that is unpacked into `count` targets."""
        data = value.data
        if value.kind is Kind.TUPLE and not isinstance(data, o.Sequence):
            return value.items[index] if -len(value.items) <= index < len(value.items) else ()
        if isinstance(data, o.Sequence):
            if data.uniform:
                return a.union(*data.items)
            if -len(data.items) <= index < len(data.items) and data.complete:
                return data.items[index]
            return a.unknown("an element of an unknown sequence")
        if isinstance(data, o.JsonFile) and data.loader:
            return (value,) if index == 0 else a.unknown("what a config loader returns beside it")
        if isinstance(data, o.Method) and data.name in ("shape", "size", "stride"):
            rows = index == 0 and data.name != "stride"
            text = f"{value.text or data.name}[{index}]"
            return (a.some(Kind.INT, text, size=True, rows=rows),)
        if value.kind is Kind.UNKNOWN:
            return a.unknown(value.reason or "unknown")
        return a.unknown("an element of an unknown sequence")

    def _iterated(self, binding: Iterated) -> Values:
        found: list[Values] = []
        for value in self.binding(binding.source):
            data = value.data
            if isinstance(data, o.Sequence):
                found += data.items
                if not data.complete and not data.uniform:
                    found.append(a.unknown("an element of an unknown sequence"))
            elif value.kind is Kind.TUPLE:
                found += value.items
            elif isinstance(data, o.Mapping) and data.complete:
                found += [(o.key_value(key),) for key in data.entries]
            else:
                found.append(a.unknown(value.reason or "an element of an unknown sequence"))
        return a.union(*found) if found else ()

    def _entered(self, binding: Entered) -> Values:
        values = self.binding(binding.source)
        opened = tuple(v for v in values if v.text.startswith("File:"))
        return opened or a.unknown("what a context manager gives")

    def _imported(self, binding: Imported) -> Values:
        alias = binding.alias
        path, module = self.world.import_target(alias, binding.path)
        if path is None:
            if alias.level:
                return a.unknown("a module that is not in the project", alias.local)
            return self.external(f"{module}.{alias.name}" if alias.name else module)
        if alias.name is None:
            return self.module(path)
        return self.module_member(path, alias.name)

    def _defined(self, binding: Defined) -> Values:
        return self.function(binding.env.path, binding.index, binding.env)

    def _class_bound(self, binding: ClassBound) -> Values:
        return self.klass(binding.env.path, binding.index, binding.env)

    def _entry(self, binding: Entry) -> Values:
        old = self._before(binding.old)
        keys = self.binding(binding.key)
        return self._set_entry(old, keys, binding.value, binding.only_if_absent)

    def _set_entry(
        self, old: Values, keys: Values, value: Binding | None, only_if_absent: bool = False
    ) -> Values:
        names = [key for k in keys if (key := o.key_of(k)) is not None]
        certain = len(names) == len(keys)
        found: list[Value] = []
        for member in old:
            data = member.data
            if isinstance(data, o.JsonFile):
                data = data.mapping
            if not isinstance(data, o.Mapping):
                mapping_like = member.kind is Kind.UNKNOWN and any(type(n) is str for n in names)
                if not mapping_like or value is None:
                    found.append(member)
                    continue
                data = o.Mapping({}, False)
            if not certain or not names:
                fallback = self.binding(value) if value is not None else ()
                fallback = a.union(data.fallback, fallback)
                found.append(
                    _with(member, o.Mapping(data.entries, False, frozenset(data.entries), fallback))
                )
                continue
            for name in names:
                entries = dict(data.entries)
                if value is None:
                    entries.pop(name, None)
                elif only_if_absent and name in entries and name not in data.loose:
                    pass
                elif only_if_absent and not data.complete:
                    entries[name] = [value, Fixed(a.unknown("an entry of an unknown mapping"))]
                else:
                    entries[name] = [value]
                loose = data.loose - {name}
                found.append(_with(member, o.Mapping(entries, data.complete, loose, data.fallback)))
        return tuple(found[: a.MANY])

    def _merged(self, binding: Merged) -> Values:
        old = self._before(binding.old)
        if binding.operand is not None and not any(_as_mapping(v) for v in old):
            right = self.expr(binding.operand, binding.env)
            return self.operate("|", old, right, f"... | {render(binding.operand)}")
        current = old
        for arg in binding.args:
            if arg.name is None or arg.name == "**":
                current = self._merge_maps(current, [self.expr(arg.value, binding.env)])
            elif arg.name == "*":
                current = self._merge_maps(current, [a.unknown("a starred argument")])
            else:
                key = (a.exact(arg.name),)
                current = self._set_entry(current, key, Bound(arg.value, binding.env))
        return current

    def _merge_maps(self, left: Values, others: list[Values]) -> Values:
        current = left
        for right in others:
            merged: list[Value] = []
            for x, y in product(current[:8], right[:8]):
                merged.append(self._merge_two(x, y))
            current = tuple(merged) or current
        return current

    def _merge_two(self, left: Value, right: Value) -> Value:
        first, second = _as_mapping(left), _as_mapping(right)
        if first is None:
            first = o.Mapping({}, False)
        if second is None:
            loose = frozenset(first.entries)
            return _with(left, o.Mapping(first.entries, False, loose, first.fallback))
        entries = dict(first.entries)
        for key, bindings in second.entries.items():
            if key in second.loose and key in entries:
                entries[key] = [*entries[key], *bindings]
            else:
                entries[key] = bindings
        if second.complete:
            loose = (first.loose - set(second.entries)) | second.loose
        else:
            loose = frozenset(set(first.entries) - set(second.entries)) | second.loose
        complete = first.complete and second.complete
        fallback = a.union(first.fallback, second.fallback)
        return _with(left, o.Mapping(entries, complete, loose, fallback))

    def _appended(self, binding: Appended) -> Values:
        if binding.old.busy:
            value = self.expr(binding.value, binding.env)
            return (Value(Kind.OTHER, text="a list", data=o.Sequence((value,), False)),)
        found = []
        added = self.expr(binding.value, binding.env)
        for value in self.binding(binding.old):
            data = value.data
            if not isinstance(data, o.Sequence):
                found.append(value)
            elif binding.method == "append":
                items = (*data.items, added)
                exprs = (*data.exprs, binding.value) if len(data.exprs) == len(data.items) else ()
                sequence = o.Sequence(items, data.complete, False, exprs, binding.env)
                found.append(_with(value, sequence))
            else:
                spread = self.elements(added)
                complete = data.complete and spread is not None
                found.append(_with(value, o.Sequence((*data.items, *(spread or ())), complete)))
        return tuple(found)

    def _lent(self, binding: Lent) -> Values:
        old = self._before(binding.old)
        if not any(isinstance(v.data, (o.Mapping, o.Sequence)) or _is_one(v) for v in old):
            return old
        if self._is_harmless(binding):
            return old
        if any(_is_one(v) for v in old):
            return tuple(self._without(v, self._rewritten(binding)) for v in old)
        return tuple(
            _with(v, o.Mapping({}, False))
            if isinstance(v.data, o.Mapping)
            else _with(v, o.Sequence((), False))
            if isinstance(v.data, o.Sequence)
            else v
            for v in old
        )

    def _rewritten(self, binding: Lent) -> set[str] | None:
        """The keys that a call may write into the mapping that it gets; None for any."""
        keys: set[str] = set()
        for function in self.expr(binding.call.func, binding.env):
            data = function.data
            if not isinstance(data, o.FunctionRef):
                return None
            fact = self.world.function(data.path, data.index)
            args: Args = [(arg, binding.env) for arg in binding.call.args]
            supplies = bind(fact.params, args, 1 if data.receiver is not None else 0)
            name = next((n for n, sup in supplies.given.items() if sup.arg is binding.arg), None)
            if name is None:
                return None
            for stmt in statements(self.world.body(data.path, data.index)):
                written = _written(stmt, name)
                if written is None:
                    return None
                keys |= written
        return keys

    def _without(self, value: Value, keys: set[str] | None) -> Value:
        """A mapping after some keys were written, with values that are not known."""
        mapping = _as_mapping(value)
        if mapping is None:
            return value
        entries = mapping.entries if keys is not None else {}
        kept = {k: v for k, v in entries.items() if k not in (keys or ())}
        return _with(value, o.JsonFile(o.Mapping(kept, False), one=True))

    def _is_harmless(self, binding: Lent) -> bool:
        functions = self.expr(binding.call.func, binding.env)
        return bool(functions) and all(self._leaves_alone(f, binding) for f in functions)

    def _leaves_alone(self, function: Value, binding: Lent) -> bool:
        data = function.data
        if function.kind is Kind.JIT or isinstance(data, (o.GridBound, o.JsonFile, o.Wrapper)):
            return True
        if isinstance(data, o.External):
            return data.name.split(".")[0] in HARMLESS
        if isinstance(data, o.Method):
            return data.name in ("get", "format", "info", "debug", "warning", "error", "append")
        if not isinstance(data, o.FunctionRef):
            return isinstance(data, o.ClassRef)
        fact = self.world.function(data.path, data.index)
        args: Args = [(arg, binding.env) for arg in binding.call.args]
        supplies = bind(fact.params, args, 1 if data.receiver is not None else 0)
        name = next((n for n, sup in supplies.given.items() if sup.arg is binding.arg), None)
        return name is not None and not self._changes(data.path, data.index, name)

    def _changes(self, path: str, index: int, name: str) -> bool:
        for stmt in statements(self.world.body(path, index)):
            kind = type(stmt)
            targets = stmt.targets if kind in (s.Assign, s.Delete) else ()
            if kind is s.Augment:
                targets = (stmt.target,)
            for target in targets:
                if (
                    type(target) is s.Item
                    and type(target.base) is s.Name
                    and target.base.id == name
                ):
                    return True
            value = stmt.value if kind in (s.Do, s.Assign, s.Return) else None
            if type(value) is s.Call:
                func = value.func
                if type(func) is s.Attr and type(func.base) is s.Name and func.base.id == name:
                    if func.name not in ("get", "keys", "values", "items", "copy"):
                        return True
                for arg in value.args:
                    if type(arg.value) is s.Name and arg.value.id == name and arg.name != "**":
                        called = func.id if type(func) is s.Name else ""
                        if called not in _BUILTINS:
                            return True
        return False

    def _narrowed(self, binding: Narrowed) -> Values:
        old = self._before(binding.old)
        kept = []
        for value in old:
            inner = Env(binding.env.path, binding.env)
            subject = binding.subject
            if type(subject) is s.Name:
                inner.names[subject.id] = Fixed((value,))
            else:
                assert type(subject) is s.Item and type(subject.base) is s.Name
                key = self.expr(subject.index, inner)[0].constant
                mapping = _mapping({key: [Fixed((value,))]}, complete=False)
                inner.names[subject.base.id] = Fixed((mapping,))
            verdicts = self._verdicts(binding.test, inner)
            if verdicts != {not binding.sense}:
                kept.append(value)
        return tuple(kept)

    def _given(self, binding: Given) -> Values:
        path, index = binding.path, binding.function
        function = self.world.function(path, index)
        param = function.params[binding.param]
        if param.kind in ("*", "**"):
            callers = self.callers(path, index)
            gathered = [self.gathered(function, param, c.args, c.shift) for c in callers]
            return tuple(gathered) or (self.gathered(function, param, (), 0, known=False),)
        if function.owner >= 0 and binding.param == 0:
            receiver = self._receiver(path, index)
            if receiver:
                return receiver
        found: list[Values] = []
        callers = self.callers(path, index)
        passed_by_all = bool(callers)
        for caller in callers:
            supplies = bind(function.params, caller.args, caller.shift)
            supply = supplies.given.get(param.name)
            if supply is None:
                if supplies.opaque:
                    found.append(self._from_opaque(function, caller, param.name))
                else:
                    passed_by_all = False
                continue
            values = self.expr(supply.arg.value, supply.env)
            place = Place(supply.env.path, supply.arg.span)
            name = function.name
            found.append(
                tuple(stepped(v, place, f"passed to {name} as {param.name}") for v in values)
            )
        if param.default is not None and not (passed_by_all and _is_private(function)):
            values = self.expr(param.default, self.world.closure(path, index))
            place = Place(path, param.span)
            found.insert(0, tuple(stepped(v, place, f"default of {param.name}") for v in values))
        if found:
            return a.union(*found)
        hint = annotated(param.annotation)
        if hint is not None:
            return (Value(hint, text=param.name),)
        reason = "a parameter that the project's code does not pass"
        return a.unknown(reason, param.name)

    def gathered(
        self,
        function: Function,
        param: s.Param,
        args: Iterable[tuple[s.Arg, Env]],
        shift: int,
        *,
        known: bool = True,
    ) -> Value:
        """What one call leaves for `*param` or `**param`."""
        supplies = bind(function.params, args, shift)

        def passed(supply: Supply) -> Values:
            place = Place(supply.env.path, supply.arg.span)
            note = f"passed to {function.name} in {param.kind}{param.name}"
            values = self.expr(supply.arg.value, supply.env)
            return tuple(stepped(v, place, note) for v in values)

        if param.kind == "*":
            items = () if supplies.starred else tuple(passed(x) for x in supplies.rest)
            data = o.Sequence(items, known and not supplies.starred)
            return Value(Kind.OTHER, text=f"*{param.name}", data=data)
        entries = {name: [Fixed(passed(x))] for name, x in supplies.extra.items()}
        return _mapping(entries, complete=known and not supplies.opaque)

    def _from_opaque(self, function: Function, caller: o.Caller, name: str) -> Values:
        """What a `*sequence` or a `**mapping` at a call gives to a parameter."""
        starred = self._from_star_argument(function, caller, name)
        if starred is not None:
            return starred
        for arg, env in caller.args:
            if arg.name == "**":
                found = []
                for value in self.expr(arg.value, env):
                    mapping = _as_mapping(value)
                    if mapping is None or (name not in mapping.entries and not mapping.complete):
                        found.append(a.unknown("a **mapping that is not known"))
                    elif name in mapping.entries:
                        found.append(self.entry(mapping, name))
                if found:
                    return a.union(*found)
        return a.unknown("a starred argument")

    def _from_star_argument(self, function: Function, caller: o.Caller, name: str) -> Values | None:
        """What the positional arguments of a call give to a parameter, where the length of each
        sequence before it is known."""
        names = [p.name for p in function.params if p.kind in ("positional", "plain")]
        names = names[caller.shift :]
        position = names.index(name) if name in names else -1
        for arg, env in caller.args:
            if position < 0 or arg.name not in (None, "*"):
                continue
            if arg.name is None:
                position -= 1
                continue
            elements = self.elements(self.expr(arg.value, env))
            if elements is None:
                return None
            if position < len(elements):
                place = Place(env.path, arg.span)
                note = f"passed to {function.name} as {name}"
                return tuple(stepped(v, place, note) for v in elements[position])
            position -= len(elements)
        return None

    def _receiver(self, path: str, index: int) -> Values:
        function = self.world.function(path, index)
        if _decorated(function, "staticmethod"):
            return ()
        outer = self.world.module_env(path)
        cls = self.klass(path, function.owner, outer)
        if _decorated(function, "classmethod"):
            return cls
        ref = cls[0].data
        if not isinstance(ref, o.ClassRef):
            return ()
        key = ("self", path, function.owner)
        if key not in self._interned:
            self._interned[key] = Value(Kind.OTHER, text="self", data=o.Instance(ref))
        return (self._interned[key],)

    # --- objects ---

    def external(self, name: str) -> Values:
        """Something outside the project, by its dotted name."""
        name = canonical(name)
        value = self._interned.get(name)
        if value is None:
            value = self._interned[name] = self._make_external(name)
        return (value,)

    def _make_external(self, name: str) -> Value:
        if name in CONSTANTS:
            return a.exact(CONSTANTS[name], name)
        data = o.External(name)
        if name in DTYPES:
            return Value(Kind.DTYPE, text=name, data=data)
        if name.startswith("builtins."):
            return Value(Kind.CALLABLE, text=name[9:], data=data)
        return Value(Kind.UNKNOWN, text=name, reason="defined outside the project", data=data)

    def module(self, path: str) -> Values:
        """A module of the project."""
        key = ("module", path)
        value = self._interned.get(key)
        if value is None:
            value = Value(Kind.OTHER, text="a module", data=o.ModuleRef(path))
            self._interned[key] = value
        return (value,)

    def module_member(self, path: str, name: str) -> Values:
        """`name` of a module of the project."""
        if path in self.world.facts:
            env = self.world.module_env(path)
            binding = env.names.get(name)
            if binding is not None and not (type(binding) is Imported and binding.busy):
                return self.binding(binding)
            for star in reversed(env.stars):
                found = self._from_star(star, name, {path})
                if found is not None:
                    return found
        child = self.world.modules.child(path, name)
        if child is not None:
            return self.module(child)
        if path in self.world.facts:
            if "__getattr__" in self.world.module_env(path).names:
                return a.unknown("made by a module's __getattr__", name)
        return a.unknown("a name that its module does not define", name)

    def function(self, path: str, index: int, outer: Env) -> Values:
        """A function of the project, as its decorators leave it."""
        fact = self.world.facts[path].functions[index]
        if fact.parent < 0:
            outer = self.world.module_env(path)
        key = (path, index, outer if fact.parent >= 0 else None)
        values = self._functions.get(key)
        if values is not None:
            return values
        plain = Value(Kind.CALLABLE, text=fact.name, data=o.FunctionRef(path, index, outer))
        self._functions[key] = (plain,)
        value: Value = plain
        if self.decorate is not None:
            for decorator in reversed(fact.decorators):
                made = self.decorate(self, self.expr(decorator, outer), value, decorator, outer)
                value = made[0] if made else value
        self._functions[key] = (value,)
        return (value,)

    def klass(self, path: str, index: int, outer: Env) -> Values:
        """A class of the project."""
        key = ("class", path, index)
        value = self._interned.get(key)
        if value is None:
            fact = self.world.facts[path].classes[index]
            value = Value(Kind.OTHER, text=fact.name, data=o.ClassRef(path, index, outer))
            self._interned[key] = value
        return (value,)

    def bases(self, cls: o.ClassRef) -> list[Value]:
        """The values of a class's bases."""
        fact = self.world.facts[cls.path].classes[cls.index]
        return [v for base in fact.bases for v in self.expr(base, cls.outer)]

    def inherits(self, cls: o.ClassRef, names: frozenset[str], depth: int = 6) -> bool:
        """Whether some base, however far, is an outside class of one of the names (last parts)."""
        for base in self.bases(cls):
            if isinstance(base.data, o.External) and base.data.name.rsplit(".", 1)[-1] in names:
                return True
            if isinstance(base.data, o.ClassRef) and depth and base.data is not cls:
                if self.inherits(base.data, names, depth - 1):
                    return True
        return False

    def attribute(self, value: Value, name: str, expr: s.Expr) -> Values:
        """`value.name`."""
        data = value.data
        handler = _ATTRIBUTES.get(type(data))
        if handler is not None:
            found = handler(self, value, data, name)
            if found is not None:
                return found
        if value.kind is Kind.NONE:
            return ()
        return self._plain_attribute(value, name, expr)

    def _plain_attribute(self, value: Value, name: str, expr: s.Expr) -> Values:
        if name == "dtype":
            return (a.some(Kind.DTYPE, render(expr)),)
        if name in ("ndim", "itemsize", "nbytes"):
            return (a.some(Kind.INT, render(expr)),)
        if name == "multi_processor_count":
            return (a.some(Kind.INT, render(expr)),)
        unknown = "an attribute of an unknown object"
        if name in METHODS or name in ("shape", "T", "mT"):
            data = o.Method((value,), name)
            if value.known or name not in METHODS:
                return (Value(Kind.OTHER, text=render(expr), data=data),)
            return (Value(Kind.UNKNOWN, text=render(expr), reason=unknown, data=data),)
        return a.unknown(unknown, render(expr))

    def _external_attribute(self, value: Value, data: o.External, name: str) -> Values | None:
        return self.external(f"{data.name}.{name}")

    def _module_attribute(self, value: Value, data: o.ModuleRef, name: str) -> Values:
        return self.module_member(data.path, name)

    def _class_attribute(self, value: Value, data: o.ClassRef, name: str) -> Values | None:
        return self.class_member(value, data, name, value)

    def class_member(
        self, holder: Value, cls: o.ClassRef, name: str, receiver: Value, depth: int = 6
    ) -> Values | None:
        """What a class or its bases say of a name; a function is bound to `receiver`."""
        env, _ = self.world.class_scope(cls.path, cls.index)
        binding = env.names.get(name)
        if binding is None:
            if name == "apply" and self.inherits(cls, frozenset({"Function"})):
                forward = env.names.get("forward")
                if isinstance(forward, Defined):
                    ref = o.FunctionRef(
                        cls.path, forward.index, cls.outer, a.unknown("the autograd context")
                    )
                    return (Value(Kind.CALLABLE, text="apply", data=ref),)
            for base in self.bases(cls):
                if isinstance(base.data, o.ClassRef) and base.data is not cls and depth:
                    found = self.class_member(holder, base.data, name, receiver, depth - 1)
                    if found is not None:
                        return found
            return None
        if isinstance(binding, Defined):
            return self._bind_method(cls, binding, receiver)
        values = self.binding(binding)
        if self.inherits(cls, frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})):
            if self.inherits(cls, frozenset({"IntEnum", "IntFlag"})):
                return values
            member = o.Member(cls, name, values)
            return (Value(Kind.OTHER, text=f"{holder.text}.{name}", data=member),)
        return values

    def _bind_method(self, cls: o.ClassRef, binding: Defined, receiver: Value) -> Values:
        fact = self.world.function(cls.path, binding.index)
        values = self.function(cls.path, binding.index, cls.outer)
        ref = values[0].data
        if not isinstance(ref, o.FunctionRef) or _decorated(fact, "staticmethod"):
            return values
        is_class = isinstance(receiver.data, o.ClassRef)
        if _decorated(fact, "property") or _decorated(fact, "cached_property"):
            if is_class:
                return values
            bound = o.FunctionRef(ref.path, ref.index, ref.outer, (receiver,))
            return self._inline(bound, [], fact.name)
        if is_class and not _decorated(fact, "classmethod"):
            return values
        bound = o.FunctionRef(ref.path, ref.index, ref.outer, (receiver,))
        return (replace(values[0], data=bound),)

    def _instance_attribute(self, value: Value, data: o.Instance, name: str) -> Values | None:
        made = self._constructed(data, name)
        if made is not None:
            return made
        assigned = self._self_assigned(value, data, name)
        member = self.class_member(value, data.cls, name, value)
        if assigned is not None:
            return assigned
        if member is not None:
            return member
        return a.unknown("an attribute that its class does not set", name)

    def _constructed(self, data: o.Instance, name: str) -> Values | None:
        """A dataclass's field, as the constructor's call gives it."""
        if data.call is None or data.env is None:
            return None
        env, _ = self.world.class_scope(data.cls.path, data.cls.index)
        if "__init__" in env.names:
            return None
        arg = keyword(data.call.args, name)
        if arg is not None:
            return self.expr(arg.value, data.env)
        return None

    def _self_assigned(self, value: Value, data: o.Instance, name: str) -> Values | None:
        """What the constructor assigns to `self.name`."""
        for cls in self._lineage(data.cls):
            env, _ = self.world.class_scope(cls.path, cls.index)
            found: list[Values] = []
            for method in ("__init__", "__post_init__", "setup"):
                defined = env.names.get(method)
                if not isinstance(defined, Defined):
                    continue
                given = self._constructor_args(data, cls, defined) if method == "__init__" else None
                if given is not None:
                    run = self.world.flow_of(cls.path, defined.index, cls.outer, given)
                else:
                    run = self.world.run(cls.path, defined.index)
                if run is not None and name in run.flow.attributes:
                    found += [self.binding(b) for b in run.flow.attributes[name]]
            if found:
                return a.union(*found)
        return None

    def _constructor_args(self, data: o.Instance, cls: o.ClassRef, init: Defined) -> dict | None:
        if data.call is None or data.env is None or cls is not data.cls:
            return None
        fact = self.world.function(cls.path, init.index)
        args: Args = [(arg, data.env) for arg in data.call.args]
        return self._parameters(fact, args, cls.outer, (Value(Kind.OTHER, data=data),))

    def _lineage(self, cls: o.ClassRef, depth: int = 6) -> list[o.ClassRef]:
        found = [cls]
        if depth:
            for base in self.bases(cls):
                if isinstance(base.data, o.ClassRef) and base.data is not cls:
                    found += self._lineage(base.data, depth - 1)
        return found

    def _jit_attribute(self, value: Value, data: o.JitRef, name: str) -> Values | None:
        if name in ("fn", "base_fn", "jit_function"):
            return (value,)
        owner = (value,)
        return (Value(Kind.OTHER, text=name, data=o.Method(owner, name)),)

    def _member_attribute(self, value: Value, data: o.Member, name: str) -> Values | None:
        if name == "value":
            return data.value
        return (a.exact(data.name),) if name == "name" else a.unknown("an enum's attribute")

    def _limits_attribute(self, value: Value, data: o.Limits, name: str) -> Values:
        from aiter_lint.link.library import LIMITS

        known = LIMITS.get(data.dtype or "", {}).get(name)
        text = f"{value.text}.{name}"
        if known is not None:
            return (a.exact(known, text),)
        if data.integer:
            if name in ("max", "bits"):
                return (a.some(Kind.INT, text),)
            return a.unknown("the least of an unknown integer type", text)
        if name == "min":
            return (Value(Kind.NEGATIVE, text=text),)
        if name == "bits":
            return (a.some(Kind.INT, text),)
        return (a.some(Kind.FLOAT, text),)

    def _function_attribute(self, value: Value, data: o.FunctionRef, name: str) -> Values | None:
        """What a module stores on a function of its own: `f.cache = {}`."""
        fact = self.world.function(data.path, data.index)
        stored = self.world.module(data.path).flow.stored.get((fact.name, name))
        return None if stored is None else a.union(*[self.binding(b) for b in stored])

    def _namespace_attribute(self, value: Value, data: o.Namespace, name: str) -> Values | None:
        for arg, env in data.args:
            if arg.name == name:
                return self.expr(arg.value, env)
        return None

    def _partial_attribute(self, value: Value, data: o.Partial, name: str) -> Values | None:
        return data.function if name == "func" else None

    # --- items ---

    def item(self, value: Value, index: Callable[[], Values], expr: s.Item) -> Values:
        """`value[index]`."""
        data = value.data
        mapping = _as_mapping(value)
        if isinstance(data, o.JsonFile) and data.loader:
            found = index()
            if any(type(v.constant) is int for v in found):
                return a.union(*[self.element(value, v.constant, 0) for v in found if v.exact])
            if found and not any(v.exact and v.constant in data.mapping.entries for v in found):
                return (value,)  # a step further in: its innermost objects are what is known
        if mapping is not None:
            return self._from_mapping(mapping, index())
        if isinstance(data, o.Method) and data.name in ("shape", "T"):
            if data.name == "shape":
                return self._dimension(index(), expr)
        if value.kind is Kind.TUPLE or isinstance(data, o.Sequence):
            if type(expr.index) is s.Opaque:  # a slice
                return (_sliced(value, render(expr)),)
            return self._from_sequence(value, index())
        if isinstance(data, o.ClassRef) and self.inherits(data, frozenset({"Enum", "IntEnum"})):
            names = index()
            found_members = [
                self.class_member(value, data, v.constant, value) or ()
                for v in names
                if isinstance(v.constant, str)
            ]
            if found_members:
                return a.union(*found_members)
        if value.kind is Kind.NONE:
            return ()
        if isinstance(data, o.External):
            return a.unknown("an item of something outside the project", render(expr))
        return a.unknown(value.reason or "an item of an unknown object", render(expr))

    def _dimension(self, indices: Values, expr: s.Item) -> Values:
        rows = any(v.exact and v.constant == 0 for v in indices)
        if type(expr.index) is s.Opaque:  # a slice
            data = o.Sequence(((a.some(Kind.INT, render(expr), size=True),),), False, True)
            return (Value(Kind.OTHER, text=render(expr), data=data),)
        return (a.some(Kind.INT, render(expr), size=True, rows=rows),)

    def _from_sequence(self, value: Value, indices: Values) -> Values:
        data = value.data
        items = data.items if isinstance(data, o.Sequence) else value.items
        uniform = isinstance(data, o.Sequence) and data.uniform
        complete = data.complete if isinstance(data, o.Sequence) else True
        indices = tuple(v for v in indices if v.kind is not Kind.STR)  # here stands a mapping
        if not indices:
            return ()
        if uniform:
            return a.union(*items)
        found: list[Values] = []
        for index in indices:
            position = index.constant
            if index.exact and type(position) is int and complete:
                if -len(items) <= position < len(items):
                    found.append(items[position])
            else:
                found += items
                if not complete:
                    found.append(a.unknown("an element of an unknown sequence"))
        return a.union(*found) if found else ()

    def _from_mapping(self, mapping: o.Mapping, keys: Values) -> Values:
        found: list[Values] = []
        for key in keys:
            constant = o.key_of(key)
            if constant is None and key.exact and type(key.constant) is float:
                constant = key.constant
            if constant is not None:
                if constant in mapping.entries:
                    found.append(self.entry(mapping, constant))
                elif mapping.fallback:
                    found.append(mapping.fallback)
                elif not mapping.complete:
                    found.append(a.unknown("an entry of an unknown mapping", str(constant)))
            elif key.kind is Kind.DTYPE or isinstance(key.data, (o.Member, o.ClassRef)):
                found += [self.entry(mapping, k) for k in mapping.entries]
                found += [mapping.fallback] if mapping.fallback else []
                if not mapping.complete and not mapping.fallback:
                    found.append(a.unknown("an entry of an unknown mapping"))
            else:
                found += [self.entry(mapping, k) for k in mapping.entries]
                if mapping.fallback:
                    found.append(mapping.fallback)
                if not mapping.complete:
                    found.append(a.unknown("an entry of an unknown mapping"))
        return a.union(*found) if found else ()

    def entry(self, mapping: o.Mapping, key: object) -> Values:
        """What a mapping holds under a key that it has."""
        values = a.union(*[self.binding(b) for b in mapping.entries[key]])
        steps = []
        for value in values:
            step = value
            for binding in mapping.entries[key]:
                if isinstance(binding, Bound) and not value.trail:
                    place = Place(binding.env.path, binding.expr.span)
                    step = stepped(value, place, f"{key!r} is {value.text} here")
                    break
            steps.append(step)
        if key in mapping.loose:
            return a.unknown("an entry that another mapping may replace")
        return tuple(steps)

    # --- calls ---

    def call(self, func: Value, args: Args, expr: s.Expr, env: Env) -> Values:
        """`func(args)`."""
        data = func.data
        if isinstance(data, o.External):
            return self._call_external(data, args, expr, env, render(expr))
        if isinstance(data, o.FunctionRef):
            return self._call_function(data, args, expr, env)
        if isinstance(data, o.LambdaRef):
            given = self._lambda_parameters(data, args)
            inner = Env(data.env.path, data.env)
            inner.names.update(given)
            return self.expr(data.expr.body, inner)
        if isinstance(data, o.ClassRef):
            return self._construct(func, data, args, expr, env)
        if isinstance(data, o.Method):
            handler = METHODS.get(data.name)
            if handler is not None:
                return handler(self, data, args, render(expr))
            return a.unknown("a method of an unknown object", render(expr))
        if isinstance(data, o.Partial):
            whole = [(arg, data.env) for arg in data.args] + args
            return a.union(*[self.call(f, whole, expr, env) for f in data.function])
        if isinstance(data, o.Wrapper):
            return self._apply_wrapper(func, args, expr, env)
        if isinstance(data, o.GridBound):
            return (Value(Kind.OTHER, text="a compiled kernel"),)
        if isinstance(data, o.Instance):
            method = self.class_member(func, data.cls, "__call__", func)
            if method:
                return a.union(*[self.call(m, args, expr, env) for m in method])
        return a.unknown(func.reason or "a call of an unknown function", render(expr))

    def _call_external(
        self, data: o.External, args: Args, expr: s.Expr, env: Env, text: str
    ) -> Values:
        name = data.name
        if name in self._loaders and self.json is not None:
            return self._loaded(Load(name, None, args, expr, env))
        if self.is_builder(name):
            return self._builder(name, expr, env)
        if name in self._jits or name in (
            "triton.autotune",
            "triton.heuristics",
        ):
            return self._wrapper(name, args, expr, env)
        if name in TRANSPARENT:
            return self.first(args)
        if name == "triton.Config":
            assert type(expr) is s.Call
            return (Value(Kind.OTHER, text=text, data=o.ConfigRef(expr, env)),)
        if name.startswith("triton.") and name.endswith("Layout"):
            return (Value(Kind.LAYOUT, text=text),)
        handler = FUNCTIONS.get(name)
        if handler is not None:
            return handler(self, args, text)
        if name == "functools.partial":
            return self._partial(args, env)
        return a.unknown(OUTSIDE, text)

    def is_builder(self, name: str) -> bool:
        """Whether a canonical dotted name is that of a repr builder."""
        return name in self._builders or name.rsplit(".", 1)[-1] in self._builders

    def _builder(self, name: str, expr: s.Expr, env: Env) -> Values:
        key = ("builder", env.path, expr.span)
        value = self._interned.get(key)
        if value is None:
            assert type(expr) is s.Call
            data = o.BuilderRef(expr, env, name)
            value = Value(Kind.CALLABLE, text="a repr", data=data)
            self._interned[key] = value
        return (value,)

    def _loaded(self, load: Load) -> Values:
        if self.loads is not None:
            found = self.loads(load)
            if found is not None:
                return found
        name = load.name
        key = ("loader", name)
        value = self._interned.get(key)
        if value is None:
            assert self.json is not None
            value = Value(Kind.OTHER, text="a config", data=self.json(self._loaders[name]))
            self._interned[key] = value
        return (value,)

    def json_content(self, path: str) -> Values | None:
        """What a JSON file of the project holds."""
        expr = self.json_file(path)
        return None if expr is None else self.expr(expr, Env(path))

    def first(self, args: Args) -> Values:
        """The first positional argument."""
        for arg, env in args:
            if arg.name not in ("*", "**"):
                return self.expr(arg.value, env)
        return a.unknown("a starred argument")

    def _partial(self, args: Args, env: Env) -> Values:
        if not args:
            return a.unknown("a partial of nothing")
        function = self.expr(args[0][0].value, args[0][1])
        data = o.Partial(function, tuple(arg for arg, _ in args[1:]), env)
        return (Value(Kind.CALLABLE, text="a partial", data=data),)

    def _wrapper(self, name: str, args: Args, expr: s.Expr, env: Env) -> Values:
        assert type(expr) is s.Call
        wrapper = Value(Kind.OTHER, text=name, data=o.Wrapper(name, expr, env))
        if name in self._jits:
            for arg, where in args:
                if arg.name is None or arg.name == "fn":
                    functions = self.expr(arg.value, where)
                    assert self.decorate is not None
                    made = [
                        self.decorate(self, (wrapper,), f, expr, env)
                        for f in functions
                        if isinstance(f.data, o.FunctionRef)
                    ]
                    return a.union(*made) if made else a.unknown("a jit of an unknown function")
        return (wrapper,)

    def _apply_wrapper(self, func: Value, args: Args, expr: s.Expr, env: Env) -> Values:
        found = []
        assert self.decorate is not None
        for target in self.first(args):
            found.append(self.decorate(self, (func,), target, expr, env))
        return a.union(*found) if found else ()

    def qualified(self, ref: o.FunctionRef) -> str:
        """The canonical dotted name of a function of the project."""
        fact = self.world.function(ref.path, ref.index)
        return canonical(f"{self.world.modules.name(ref.path)}.{fact.qualname}")

    def _call_function(self, data: o.FunctionRef, args: Args, expr: s.Expr, env: Env) -> Values:
        fact = self.world.function(data.path, data.index)
        if fact.name in self._special:
            name = self.qualified(data)
            if name in self._loaders and self.json is not None:
                return self._loaded(Load(name, fact.params, args, expr, env))
            if self.is_builder(name):
                return self._builder(name, expr, env)
            if name in self._jits or name in ("triton.autotune", "triton.heuristics"):
                return self._wrapper(name, args, expr, env)
            if name in FUNCTIONS:
                return FUNCTIONS[name](self, args, render(expr))
        return self._inline(data, args, fact.name)

    def _inline(self, data: o.FunctionRef, args: Args, text: str) -> Values:
        key = (data.path, data.index)
        fact = self.world.function(data.path, data.index)
        if fact.is_generator or fact.is_async:
            return a.unknown("a generator or coroutine", text)
        if key in self._inlined or len(self._inlined) >= INLINED:
            return a.unknown("a recursive call", text)
        self._inlined.append(key)
        try:
            given = self._parameters(fact, args, data.outer, data.receiver)
            run = self.world.flow_of(data.path, data.index, data.outer, given)
            found = []
            for expr, env in run.flow.returns:
                if expr is None:
                    found.append((a.exact(None),))
                    continue
                place = Place(data.path, expr.span)
                values = self.expr(expr, env)
                found.append(tuple(stepped(v, place, f"returned by {fact.name}") for v in values))
            if run.flow.falls_through:
                found.append((a.exact(None),))
        finally:
            self._inlined.pop()
        return a.union(*found) if found else ()

    def _parameters(
        self, fact, args: Args, outer: Env, receiver: Values | None
    ) -> dict[str, Binding]:
        """A function's parameters, bound to the arguments of one call."""
        given: dict[str, Binding] = {}
        shift = 0
        if receiver is not None and fact.params:
            given[fact.params[0].name] = Fixed(receiver)
            shift = 1
        supplies = bind(fact.params, args, shift)
        for param in fact.params[shift:]:
            supply = supplies.given.get(param.name)
            if supply is not None:
                given[param.name] = Bound(supply.arg.value, supply.env)
            elif param.kind == "*":
                sequence = o.Sequence((), False)
                given[param.name] = Fixed((Value(Kind.OTHER, text="*args", data=sequence),))
            elif param.kind == "**":
                extra = {n: [Bound(x.arg.value, x.env)] for n, x in supplies.extra.items()}
                given[param.name] = Fixed((_mapping(extra, complete=not supplies.opaque),))
            elif supplies.opaque:
                given[param.name] = Fixed(a.unknown("a starred argument"))
            elif param.default is not None:
                given[param.name] = Bound(param.default, outer, param.name)
            else:
                given[param.name] = Fixed(a.unknown("an argument that is missing"))
        return given

    def _lambda_parameters(self, data: o.LambdaRef, args: Args) -> dict[str, Binding]:
        supplies = bind(data.expr.params, args, 0)
        given: dict[str, Binding] = {}
        for param in data.expr.params:
            supply = supplies.given.get(param.name)
            if supply is not None:
                given[param.name] = Bound(supply.arg.value, supply.env)
            elif param.default is not None:
                given[param.name] = Bound(param.default, data.env)
            else:
                given[param.name] = Fixed(a.unknown("a lambda's argument"))
        return given

    def _construct(
        self, func: Value, data: o.ClassRef, args: Args, expr: s.Expr, env: Env
    ) -> Values:
        if self.inherits(data, frozenset({"Enum", "IntEnum"})):
            return (Value(Kind.OTHER, text=func.text),)
        call = expr if type(expr) is s.Call else None
        instance = o.Instance(data, call, env)
        return (Value(Kind.OTHER, text=func.text, data=instance),)


_TENSOR = Value(Kind.OTHER, text="a tensor")
_TENSOR_ATTRIBUTES = frozenset({"shape", "dtype", "stride", "numel", "ndim", "device", "size"})
_SPECIAL = frozenset(
    {"jit", "autotune", "heuristics", "cdiv", "next_power_of_2", "constexpr_function"}
)


def stepped(value: Value, place: Place, note: str) -> Value:
    """The value, with one more station on its way."""
    if value.kind is Kind.UNKNOWN or len(value.trail) > 12:
        return value
    if value.trail and value.trail[-1].place == place:
        return value
    return replace(value, trail=(*value.trail, Step(place, note)))


def annotated(annotation: str | None) -> Kind | None:
    """The kind that an annotation promises, where it says so."""
    if annotation is None:
        return None
    text = annotation.strip("\"'")
    return _ANNOTATED.get(text.rsplit(".", 1)[-1].split("[", 1)[0])


_ANNOTATED = {
    "bool": Kind.BOOL,
    "str": Kind.STR,
    "Tensor": Kind.OTHER,
    "dtype": Kind.DTYPE,
    "list": Kind.OTHER,
    "List": Kind.OTHER,
    "dict": Kind.OTHER,
    "Dict": Kind.OTHER,
    "Module": Kind.OTHER,
}


def _is_private(function) -> bool:
    return function.parent >= 0 or (function.name[0] == "_" and not function.name.endswith("__"))


def _decorated(function, name: str) -> bool:
    return any(
        (type(d) is s.Name and d.id == name) or (type(d) is s.Attr and d.name == name)
        for d in function.decorators
    )


def _is_one(value: Value) -> bool:
    return isinstance(value.data, o.JsonFile) and value.data.one


def _written(stmt: s.Stmt, name: str) -> set[str] | None:
    """The keys of the mapping `name` that a statement writes; None where it may be any."""
    kind = type(stmt)
    keys: set[str] = set()
    targets = stmt.targets if kind in (s.Assign, s.Delete) else ()
    if kind is s.Augment:
        targets = (stmt.target,)
    for target in targets:
        if type(target) is s.Item and type(target.base) is s.Name and target.base.id == name:
            if type(target.index) is not s.Const or not isinstance(target.index.value, str):
                return None
            keys.add(target.index.value)
    value = stmt.value if kind in (s.Do, s.Assign, s.Return) else None
    for part in () if value is None else walk(value):
        if type(part) is s.Call:
            func = part.func
            if type(func) is s.Attr and type(func.base) is s.Name and func.base.id == name:
                if func.name in ("get", "keys", "values", "items", "copy"):
                    continue
                first = part.args[0].value if part.args else None
                if func.name not in ("pop", "setdefault") or type(first) is not s.Const:
                    return None
                keys.add(str(first.value))
            elif any(_is_name(arg.value, name) and arg.name != "**" for arg in part.args):
                if type(func) is not s.Name or func.id not in _BUILTINS:
                    return None
    return keys


def _is_flag(value: Value) -> bool:
    return value.kind is Kind.BOOL and not value.exact


def _is_name(expr: s.Expr, name: str) -> bool:
    return type(expr) is s.Name and expr.id == name


def _negate(verdict: bool | None) -> bool | None:
    return None if verdict is None else not verdict


def _keep(result: Value, *operands: Value) -> Value:
    """The result of an operation, with the way that its operands came."""
    if result.kind is Kind.UNKNOWN or result.trail:
        return result
    for operand in operands:
        if operand.trail:
            return replace(result, trail=operand.trail)
    return result


def _mapping(entries: dict, complete: bool = True) -> Value:
    return Value(Kind.OTHER, text="a dict", data=o.Mapping(entries, complete))


def _as_mapping(value: Value) -> o.Mapping | None:
    data = value.data
    if isinstance(data, o.JsonFile):
        return data.mapping
    return data if isinstance(data, o.Mapping) else None


def _with(value: Value, data: object) -> Value:
    kind = value.kind if value.kind is not Kind.UNKNOWN else Kind.OTHER
    return replace(value, kind=kind, data=data, items=())


def _sequence(
    kind: Kind,
    items: tuple[Values, ...],
    complete: bool,
    text: str,
    exprs: tuple[s.Expr | None, ...] = (),
    env: Env | None = None,
) -> Value:
    data = o.Sequence(items, complete, False, exprs, env)
    return Value(kind, text=text, items=items if kind is Kind.TUPLE else (), data=data)


def _sliced(value: Value, text: str) -> Value:
    """Some of the elements: where they differ in kind, nobody knows which."""
    items = value.data.items if isinstance(value.data, o.Sequence) else value.items
    members = a.union(*items) if items else ()
    if len({member.kind for member in members}) > 1:
        members = a.unknown("an element of a slice", text)
    data = o.Sequence((members,), False, True)
    return Value(value.kind, text=text, data=data)


def _concatenate(left: Value, right: Value, text: str) -> Value:
    x, y = left.data, right.data
    exprs = (
        x.exprs + y.exprs if len(x.exprs) == len(x.items) and len(y.exprs) == len(y.items) else ()
    )
    items = x.items + y.items
    value = _sequence(left.kind, items, x.complete and y.complete, text, exprs, x.env)
    return value


_EXPRESSIONS: dict[type, Callable] = {
    s.Const: Evaluator._const,
    s.Name: Evaluator._name,
    s.Attr: Evaluator._attr,
    s.Item: Evaluator._item,
    s.Call: Evaluator._call,
    s.Unary: Evaluator._unary,
    s.Binary: Evaluator._binary,
    s.Compare: Evaluator._compare,
    s.Logic: Evaluator._logic,
    s.Cond: Evaluator._cond,
    s.Seq: Evaluator._seq,
    s.Star: Evaluator._star,
    s.Dict: Evaluator._dict,
    s.Lambda: Evaluator._lambda,
    s.Comp: Evaluator._comp,
    s.Walrus: Evaluator._walrus,
    s.Text: Evaluator._text,
    s.Opaque: Evaluator._opaque,
}
_BINDINGS: dict[type, Callable] = {
    Bound: Evaluator._bound,
    Joined: Evaluator._joined,
    Augmented: Evaluator._augmented,
    Unpacked: Evaluator._unpacked,
    Iterated: Evaluator._iterated,
    Entered: Evaluator._entered,
    Imported: Evaluator._imported,
    Defined: Evaluator._defined,
    ClassBound: Evaluator._class_bound,
    Entry: Evaluator._entry,
    Merged: Evaluator._merged,
    Appended: Evaluator._appended,
    Lent: Evaluator._lent,
    Narrowed: Evaluator._narrowed,
    Given: Evaluator._given,
}
_ATTRIBUTES: dict[type, Callable] = {
    o.External: Evaluator._external_attribute,
    o.ModuleRef: Evaluator._module_attribute,
    o.ClassRef: Evaluator._class_attribute,
    o.Instance: Evaluator._instance_attribute,
    o.JitRef: Evaluator._jit_attribute,
    o.Member: Evaluator._member_attribute,
    o.Limits: Evaluator._limits_attribute,
    o.Partial: Evaluator._partial_attribute,
    o.FunctionRef: Evaluator._function_attribute,
    o.Namespace: Evaluator._namespace_attribute,
}
_FORMS = frozenset({Entry, Merged, Lent, Narrowed, Appended})
"""Bindings that are another form of an older one."""
