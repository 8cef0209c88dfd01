"""Assignments along the control flow: which binding a name has where.

`Flow` walks the statements of one function, class body or module once. It evaluates nothing:
a binding is a promise, an expression with the environment in which it stood, that the
evaluator redeems when somebody asks. Where branches meet, their bindings are joined; a loop's
head joins what comes around. A test narrows what its names can be on each of its sides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from aiter_lint.link.values import Values
from aiter_lint.read import syntax as s
from aiter_lint.read.facts import FileFacts

# --- bindings ------------------------------------------------------------------------------


class Binding:
    """What a name is bound to. `cache` holds its values once known; `busy` breaks cycles."""

    __slots__ = ("busy", "cache")

    def __init__(self) -> None:
        self.cache: Values | None = None
        self.busy = False


class Bound(Binding):
    """`name = expr`, in an environment."""

    __slots__ = ("env", "expr", "name")

    def __init__(self, expr: s.Expr, env: Env, name: str = "") -> None:
        super().__init__()
        self.expr = expr
        self.env = env
        self.name = name


class Fixed(Binding):
    """A binding whose values are known."""

    __slots__ = ()

    def __init__(self, values: Values) -> None:
        super().__init__()
        self.cache = values


class Joined(Binding):
    """Any of several bindings: branches met, or a loop came around. Names that were joined where
    the same two branches met have the same `meeting`, and a part for each branch."""

    __slots__ = ("meeting", "parts")

    def __init__(self, parts: list[Binding], meeting: object | None = None) -> None:
        super().__init__()
        self.parts = parts
        self.meeting = meeting


class Augmented(Binding):
    """`name op= expr`."""

    __slots__ = ("env", "expr", "old", "op")

    def __init__(self, old: Binding, op: str, expr: s.Expr, env: Env) -> None:
        super().__init__()
        self.old = old
        self.op = op
        self.expr = expr
        self.env = env


class Unpacked(Binding):
    """Element `index` of `count` targets (the rest, where `star`); `tail` counts targets after."""

    __slots__ = ("index", "source", "star", "tail")

    def __init__(self, source: Binding, index: int, star: bool, tail: int) -> None:
        super().__init__()
        self.source = source
        self.index = index
        self.star = star
        self.tail = tail


class Iterated(Binding):
    """An element of what is iterated over."""

    __slots__ = ("source",)

    def __init__(self, source: Binding) -> None:
        super().__init__()
        self.source = source


class Entered(Binding):
    """The target of `with source as target`."""

    __slots__ = ("source",)

    def __init__(self, source: Binding) -> None:
        super().__init__()
        self.source = source


class Imported(Binding):
    """An imported name."""

    __slots__ = ("alias", "path")

    def __init__(self, alias: s.Alias, path: str) -> None:
        super().__init__()
        self.alias = alias
        self.path = path


class Defined(Binding):
    """A `def`: function `index` of the file, closing over `env`."""

    __slots__ = ("env", "index")

    def __init__(self, index: int, env: Env) -> None:
        super().__init__()
        self.index = index
        self.env = env


class ClassBound(Binding):
    """A class: `index` of the file."""

    __slots__ = ("env", "index")

    def __init__(self, index: int, env: Env) -> None:
        super().__init__()
        self.index = index
        self.env = env


class Entry(Binding):
    """`old[key] = value`: the same mapping with one entry changed; removed where value is None.
    `only_if_absent` is setdefault."""

    __slots__ = ("key", "old", "only_if_absent", "value")

    def __init__(
        self, old: Binding, key: Binding, value: Binding | None, only_if_absent: bool = False
    ) -> None:
        super().__init__()
        self.old = old
        self.key = key
        self.value = value
        self.only_if_absent = only_if_absent


class Merged(Binding):
    """`old.update(call's arguments)` or `old |= expr`."""

    __slots__ = ("args", "env", "old", "operand")

    def __init__(
        self, old: Binding, args: tuple[s.Arg, ...], env: Env, operand: s.Expr | None = None
    ) -> None:
        super().__init__()
        self.old = old
        self.args = args
        self.env = env
        self.operand = operand  # of `|=`, which numbers know as well


class Appended(Binding):
    """A list with `args` of append, extend or insert added."""

    __slots__ = ("env", "method", "old", "value")

    def __init__(self, old: Binding, method: str, value: s.Expr, env: Env) -> None:
        super().__init__()
        self.old = old
        self.method = method
        self.value = value
        self.env = env


class Lent(Binding):
    """A mapping or list that was handed to a call, which may have changed it."""

    __slots__ = ("arg", "call", "env", "old")

    def __init__(self, old: Binding, call: s.Call, arg: s.Arg, env: Env) -> None:
        super().__init__()
        self.old = old
        self.call = call
        self.arg = arg
        self.env = env


class Narrowed(Binding):
    """`old` where `test` came out as `sense`; the test reads it as `subject`."""

    __slots__ = ("env", "old", "sense", "subject", "test")

    def __init__(self, old: Binding, subject: s.Expr, test: s.Expr, env: Env, sense: bool) -> None:
        super().__init__()
        self.old = old
        self.subject = subject
        self.test = test
        self.env = env
        self.sense = sense


class Given(Binding):
    """A parameter of a function of the project: its default, and what callers pass."""

    __slots__ = ("env", "function", "param", "path")

    def __init__(self, path: str, function: int, param: int, env: Env) -> None:
        super().__init__()
        self.path = path
        self.function = function
        self.param = param
        self.env = env


# --- environments --------------------------------------------------------------------------


class Env:
    """Names and their bindings at one point, inside an outer environment.

    Adding a new name shares the table with earlier snapshots (a name can't have been read
    before it was bound); rebinding one copies it."""

    __slots__ = ("names", "outer", "path", "stars")

    def __init__(self, path: str, outer: Env | None = None) -> None:
        self.path = path
        self.outer = outer
        self.names: dict[str, Binding] = {}
        self.stars: list[Imported] = []

    def fork(self) -> Env:
        """A copy that can be changed without harm to this one."""
        env = Env(self.path, self.outer)
        env.names = self.names.copy()
        env.stars = self.stars
        return env

    def bind(self, name: str, binding: Binding) -> Env:
        """This environment with the name bound."""
        env = self.fork() if name in self.names else self
        env.names[name] = binding
        return env

    def get(self, name: str) -> Binding | None:
        """The name's binding here or further out."""
        env: Env | None = self
        while env is not None:
            found = env.names.get(name)
            if found is not None:
                return found
            env = env.outer
        return None


def join(first: Env | None, second: Env | None) -> Env | None:
    """The environment after two branches met; None is a branch that never gets there."""
    if first is None or first is second:
        return second
    if second is None:
        return first
    if first.names is second.names:
        return first
    env = Env(first.path, first.outer)
    env.stars = first.stars
    meeting = object()
    names = dict(second.names)
    for name, binding in first.names.items():
        other = names.get(name)
        if other is None or other is binding:
            names[name] = binding
        else:
            names[name] = Joined([binding, other], meeting)
    env.names = names
    return env


def apart(env: Env, name: str, most: int = 16) -> list[Env]:
    """The environments of the branches that a name's value comes from: what was assigned with it
    stays with it. The environment itself, where there was one way only, or too many."""
    found: list[Env] = []
    pending = [env]
    while pending:
        if len(found) + len(pending) > most:
            return [env]
        part = pending.pop()
        binding = part.names.get(name)
        if type(binding) is not Joined or binding.meeting is None:
            found.append(part)
            continue
        for side in (1, 0):
            branch = part.fork()
            for other, joined in part.names.items():
                if type(joined) is Joined and joined.meeting is binding.meeting:
                    branch.names[other] = joined.parts[side]
            pending.append(branch)
    return found


class Escape:
    """Where a loop is left or restarted early."""

    __slots__ = ("breaks", "continues")

    def __init__(self) -> None:
        self.breaks: list[Env] = []
        self.continues: list[Env] = []


Observer = Callable[[s.Expr, Env], None]

_LOOKERS = frozenset(
    """torch triton tl gl math print len isinstance str repr int float bool min max sum range list
    tuple sorted getattr hasattr enumerate zip os logger logging json np F""".split()
)
"""Functions, and modules of functions, that leave their arguments as they were."""

MUTATORS = frozenset({"update", "pop", "setdefault", "clear", "append", "extend", "insert"})


class Flow:
    """Runs over statements. `returns` collects what a function returns, `attributes` what is
    assigned to attributes of its first parameter, `stored` to those of other names, `definitions`
    the environments around nested functions; `observe` is told of every expression."""

    def __init__(self, facts: FileFacts, path: str, observe: Observer | None = None) -> None:
        self.facts = facts
        self.path = path
        self.observe = observe
        self.returns: list[tuple[s.Expr | None, Env]] = []
        self.attributes: dict[str, list[Binding]] = {}
        self.definitions: dict[int, Env] = {}
        self.stored: dict[tuple[str, str], list[Binding]] = {}
        self.receiver: str | None = None
        self.falls_through = False
        self._loops: list[Escape] = []
        self._shared: set[int] = set()

    def run(self, body: tuple[s.Stmt, ...], env: Env) -> Env | None:
        """Run a whole body; the environment at its end, None where the end is never reached."""
        end = self._block(body, env)
        self.falls_through = end is not None
        return end

    # --- statements ---

    def _block(self, body: Iterable[s.Stmt], env: Env | None) -> Env | None:
        for stmt in body:
            if env is None:
                return None
            env = _STEPS[type(stmt)](self, stmt, env)
        return env

    def _see(self, expr: s.Expr | None, env: Env) -> Env:
        """An expression is evaluated here: tell the observer, follow what it changes."""
        if expr is None:
            return env
        if self.observe is not None:
            self.observe(expr, env)
        kind = type(expr)
        if kind is s.Call:
            return self._call(expr, env)
        if kind is s.Walrus:
            return self._see(expr.value, env).bind(expr.name, Bound(expr.value, env, expr.name))
        if kind in (s.Compare, s.Logic):
            for operand in expr.operands:
                if type(operand) in (s.Walrus, s.Compare, s.Logic):
                    env = self._walruses(operand, env)
        elif kind is s.Unary and type(expr.operand) in (s.Walrus, s.Compare, s.Logic):
            env = self._walruses(expr.operand, env)
        return env

    def _walruses(self, expr: s.Expr, env: Env) -> Env:
        observe, self.observe = self.observe, None
        env = self._see(expr, env)
        self.observe = observe
        return env

    def _call(self, call: s.Call, env: Env) -> Env:
        func = call.func
        if type(func) is s.Attr and type(func.base) is s.Name and func.name in MUTATORS:
            changed = self._mutate(func.base.id, func.name, call, env)
            if changed is not None:
                return self._replace(func.base.id, changed, env)
        if type(func) is s.Attr and type(func.base) is s.Name and func.base.id in _LOOKERS:
            return env
        if type(func) is s.Name and func.id in _LOOKERS:
            return env
        for arg in call.args:
            if type(arg.value) is s.Name and arg.name not in ("*", "**"):
                name = arg.value.id
                old = env.names.get(name)
                if old is not None and may_be_mutable(old):
                    env = self._replace(name, Lent(old, call, arg, env), env)
        return env

    def _mutate(self, name: str, method: str, call: s.Call, env: Env) -> Binding | None:
        old = env.get(name)
        if old is None or isinstance(old, Imported):
            return None
        plain = [a for a in call.args if a.name is None]
        if method == "update":
            return Merged(old, call.args, env)
        if method == "pop" and plain:
            return Entry(old, Bound(plain[0].value, env), None)
        if method == "setdefault" and len(plain) == 2:
            return Entry(old, Bound(plain[0].value, env), Bound(plain[1].value, env), True)
        if method in ("append", "extend") and len(plain) == 1:
            return Appended(old, method, plain[0].value, env)
        if method == "insert" and len(plain) == 2:
            return Appended(old, "append", plain[1].value, env)
        return None

    def _replace(self, name: str, changed: Binding, env: Env) -> Env:
        """Bind `name`, and every other name of the same object, to the changed object."""
        old = env.get(name)
        if name not in env.names:
            return env  # an object of an outer scope: changed here only as far as we can see
        names = [name]
        if id(old) in self._shared:
            names = [n for n, b in env.names.items() if b is old]
            self._shared.add(id(changed))
        env = env.fork()
        for other in names:
            env.names[other] = changed
        return env

    def _assign(self, stmt: s.Assign, env: Env) -> Env:
        value = stmt.value
        before = env  # `x = d.pop("x")` reads what it removes
        env = self._see(value, env)
        source = None
        if type(value) is s.Name:
            source = env.names.get(value.id) or Bound(value, before)
            self._shared.add(id(source))  # one object under two names
        for target in stmt.targets:
            if type(target) is s.Name:
                env = env.bind(target.id, source or Bound(value, before, target.id))
            else:
                env = self._store(target, source or Bound(value, before), env)
        return env

    def _store(self, target: s.Expr, source: Binding, env: Env) -> Env:
        kind = type(target)
        if kind is s.Name:
            return env.bind(target.id, source)
        if kind is s.Seq:
            count = len(target.items)
            seen_star = False
            for position, item in enumerate(target.items):
                star = type(item) is s.Star
                index = position - count if seen_star else position
                part = Unpacked(source, index, star, count - position - 1)
                seen_star = seen_star or star
                env = self._store(item.value if star else item, part, env)
            return env
        if kind is s.Item:
            self._look(target.index, env)
            if type(target.base) is s.Name:
                old = env.get(target.base.id)
                if old is not None and not isinstance(old, (Imported, Defined, ClassBound)):
                    changed = Entry(old, Bound(target.index, env), source)
                    return self._replace(target.base.id, changed, env)
            return env
        if kind is s.Attr and type(target.base) is s.Name:
            if target.base.id == self.receiver:
                self.attributes.setdefault(target.name, []).append(source)
            else:
                self.stored.setdefault((target.base.id, target.name), []).append(source)
        return env

    def _look(self, expr: s.Expr, env: Env) -> None:
        if self.observe is not None:
            self.observe(expr, env)

    def _augment(self, stmt: s.Augment, env: Env) -> Env:
        env = self._see(stmt.value, env)
        target = stmt.target
        if type(target) is s.Name:
            old = env.get(target.id)
            if old is None:
                return env
            if stmt.op == "|":
                arg = s.Arg(None, stmt.value, stmt.span)
                return self._replace(target.id, Merged(old, (arg,), env, stmt.value), env)
            return env.bind(target.id, Augmented(old, stmt.op, stmt.value, env))
        if type(target) is s.Item and type(target.base) is s.Name:
            old = env.get(target.base.id)
            if old is not None:
                value = Augmented(Bound(target, env), stmt.op, stmt.value, env)
                return self._store(target, value, env)
        return env

    def _do(self, stmt: s.Do, env: Env) -> Env:
        return self._see(stmt.value, env)

    def _if(self, stmt: s.If, env: Env) -> Env | None:
        env = self._see(stmt.test, env)
        then = self._block(stmt.body, self._narrow(stmt.test, env.fork(), True))
        other = self._block(stmt.other, self._narrow(stmt.test, env.fork(), False))
        return join(then, other)

    def _for(self, stmt: s.For, env: Env) -> Env | None:
        env = self._see(stmt.iter, env)
        source = Iterated(Bound(stmt.iter, env))
        return self._loop(stmt.body, stmt.other, env, lambda e: self._store(stmt.target, source, e))

    def _while(self, stmt: s.While, env: Env) -> Env | None:
        def enter(inner: Env) -> Env:
            return self._narrow(stmt.test, self._see(stmt.test, inner), True)

        endless = type(stmt.test) is s.Const and bool(stmt.test.value)
        return self._loop(stmt.body, stmt.other, env, enter, endless)

    def _loop(
        self,
        body: tuple[s.Stmt, ...],
        other: tuple[s.Stmt, ...],
        env: Env,
        enter: Callable[[Env], Env],
        endless: bool = False,
    ) -> Env | None:
        head = env.fork()
        turning: dict[str, Joined] = {}
        for name in assigned(body):
            before = env.names.get(name)
            if before is not None:
                turning[name] = head.names[name] = Joined([before])
        escape = Escape()
        self._loops.append(escape)
        end = self._block(body, enter(head.fork()))
        self._loops.pop()
        for back in [end, *escape.continues]:
            if back is not None:
                for name, binding in turning.items():
                    around = back.names.get(name)
                    if around is not None and around is not binding and around not in binding.parts:
                        binding.parts.append(around)
        after: Env | None = None if endless else self._block(other, join(head, end))
        for left in escape.breaks:
            after = join(after, left)
        return after

    def _try(self, stmt: s.Try, env: Env) -> Env | None:
        body: Env | None = env.fork()
        broken = env  # any statement may be the one that raises
        for inner_stmt in stmt.body:
            if body is None:
                break
            body = self._block((inner_stmt,), body)
            broken = join(broken, body) or broken
        after = self._block(stmt.other, body)
        for handler in stmt.handlers:
            inner = broken.fork()
            if handler.name is not None:
                inner = inner.bind(handler.name, Fixed(()))
            after = join(after, self._block(handler.body, inner))
        if stmt.final:
            if after is None:
                self._block(stmt.final, broken.fork())
                return None
            return self._block(stmt.final, after)
        return after

    def _with(self, stmt: s.With, env: Env) -> Env | None:
        for item in stmt.items:
            env = self._see(item.context, env)
            if item.target is not None:
                env = self._store(item.target, Entered(Bound(item.context, env)), env)
        return self._block(stmt.body, env)

    def _match(self, stmt: s.Match, env: Env) -> Env | None:
        env = self._see(stmt.subject, env)
        after: Env | None = None
        rest: Env | None = env
        for case in stmt.cases:
            if rest is None:
                break
            inner = rest.fork()
            test = None
            if case.values is not None and case.guard is None and case.values:
                options = s.Seq("tuple", case.values, stmt.span)
                test = s.Compare(("in",), (stmt.subject, options), stmt.span)
                inner = self._narrow(test, inner, True)
            for name in case.binds:
                inner = inner.bind(name, Bound(stmt.subject, inner, name))
            if case.guard is not None:
                inner = self._narrow(case.guard, self._see(case.guard, inner), True)
            after = join(after, self._block(case.body, inner))
            if case.values is None and case.guard is None and not case.binds:
                rest = None  # a wildcard
            elif test is not None:
                rest = self._narrow(test, rest, False)
        return join(after, rest)

    def _return(self, stmt: s.Return, env: Env) -> None:
        if stmt.value is not None:
            self._see(stmt.value, env)
        self.returns.append((stmt.value, env))

    def _raise(self, stmt: s.Raise, env: Env) -> None:
        return None

    def _jump(self, stmt: s.Jump, env: Env) -> None:
        if self._loops:
            loop = self._loops[-1]
            (loop.breaks if stmt.kind == "break" else loop.continues).append(env)

    def _assert(self, stmt: s.Assert, env: Env) -> Env:
        return self._narrow(stmt.test, self._see(stmt.test, env), True)

    def _delete(self, stmt: s.Delete, env: Env) -> Env:
        for target in stmt.targets:
            if type(target) is s.Item and type(target.base) is s.Name:
                old = env.get(target.base.id)
                if old is not None:
                    changed = Entry(old, Bound(target.index, env), None)
                    env = self._replace(target.base.id, changed, env)
        return env

    def _import(self, stmt: s.Import, env: Env) -> Env:
        for alias in stmt.aliases:
            if alias.name == "*":
                env = env.fork()
                env.stars = [*env.stars, Imported(alias, self.path)]
            else:
                env = env.bind(alias.local, Imported(alias, self.path))
        return env

    def _def(self, stmt: s.Def, env: Env) -> Env:
        name = self.facts.functions[stmt.index].name
        env = env.bind(name, Defined(stmt.index, env))
        self.definitions[stmt.index] = env
        return env

    def _class(self, stmt: s.Class, env: Env) -> Env:
        return env.bind(self.facts.classes[stmt.index].name, ClassBound(stmt.index, env))

    def _scope(self, stmt: s.Scope, env: Env) -> Env:
        return env

    # --- tests ---

    def _narrow(self, test: s.Expr, env: Env, sense: bool) -> Env:
        """The environment on one side of a test."""
        kind = type(test)
        if kind is s.Unary and test.op == "not":
            return self._narrow(test.operand, env, not sense)
        if kind is s.Logic and (test.op == "and") == sense:
            for operand in test.operands:
                env = self._narrow(operand, env, sense)
            return env
        if kind is s.Walrus:
            return env
        for subject in subjects(test):
            name = subject.id if type(subject) is s.Name else subject.base.id
            old = env.names.get(name)
            if old is None or isinstance(old, (Imported, Defined, ClassBound)):
                continue
            if type(subject) is s.Name:
                env = env.bind(name, Narrowed(old, subject, test, env, sense))
            else:
                value = Narrowed(Bound(subject, env), subject, test, env, sense)
                env = env.bind(name, Entry(old, Bound(subject.index, env), value))
        return env


_STEPS: dict[type, Callable] = {
    s.Assign: Flow._assign,
    s.Augment: Flow._augment,
    s.Do: Flow._do,
    s.If: Flow._if,
    s.For: Flow._for,
    s.While: Flow._while,
    s.Try: Flow._try,
    s.With: Flow._with,
    s.Match: Flow._match,
    s.Return: Flow._return,
    s.Raise: Flow._raise,
    s.Jump: Flow._jump,
    s.Assert: Flow._assert,
    s.Delete: Flow._delete,
    s.Import: Flow._import,
    s.Def: Flow._def,
    s.Class: Flow._class,
    s.Scope: Flow._scope,
}


def subjects(test: s.Expr) -> list[s.Expr]:
    """What a test can narrow: the names, and the constant items of names, that it reads; none
    where it reads several (their values need not go together) or is long."""
    found: dict[str, s.Expr] = {}
    pending = [test]
    steps = 0
    while pending:
        steps += 1
        if steps > 24:
            return []
        expr = pending.pop()
        kind = type(expr)
        if kind is s.Name:
            found[expr.id] = expr
        elif kind is s.Item and type(expr.base) is s.Name and type(expr.index) is s.Const:
            found[f"{expr.base.id}[{expr.index.value!r}]"] = expr
        elif kind in (s.Compare, s.Logic):
            pending.extend(expr.operands)
        elif kind is s.Unary:
            pending.append(expr.operand)
        elif kind is s.Binary:
            pending += (expr.left, expr.right)
        elif kind is s.Seq:
            pending.extend(expr.items)
        elif kind is s.Call and type(expr.func) is s.Name and expr.func.id == "isinstance":
            pending.append(expr.args[0].value) if expr.args else None
        elif kind is s.Const or (kind is s.Attr and _is_dotted(expr)):
            continue
        else:
            return []
    return list(found.values()) if len(found) == 1 else []


def _is_dotted(expr: s.Expr) -> bool:
    while type(expr) is s.Attr:
        expr = expr.base
    return type(expr) is s.Name


_IMMUTABLE = (s.Const, s.Compare, s.Text, s.Lambda, s.Attr, s.Unary)


def may_be_mutable(binding: Binding) -> bool:
    """Whether a call that gets this object could change it."""
    if isinstance(binding, Bound):
        return not isinstance(binding.expr, _IMMUTABLE)
    return not isinstance(binding, (Imported, Defined, ClassBound, Fixed))


def assigned(body: tuple[s.Stmt, ...]) -> set[str]:
    """The names that the statements bind or change, at any depth but in nested scopes."""
    names: set[str] = set()
    for stmt in statements(body):
        kind = type(stmt)
        if kind is s.Assign:
            for target in stmt.targets:
                _targets(target, names)
        elif kind is s.Augment:
            _targets(stmt.target, names)
        elif kind is s.For:
            _targets(stmt.target, names)
        elif kind is s.With:
            for item in stmt.items:
                if item.target is not None:
                    _targets(item.target, names)
        elif kind is s.Do and type(stmt.value) is s.Call:
            func = stmt.value.func
            if type(func) is s.Attr and type(func.base) is s.Name and func.name in MUTATORS:
                names.add(func.base.id)
        elif kind is s.Delete:
            for target in stmt.targets:
                _targets(target, names)
    return names


def _targets(target: s.Expr, names: set[str]) -> None:
    kind = type(target)
    if kind is s.Name:
        names.add(target.id)
    elif kind is s.Seq:
        for item in target.items:
            _targets(item, names)
    elif kind is s.Star:
        _targets(target.value, names)
    elif kind is s.Item and type(target.base) is s.Name:
        names.add(target.base.id)


def statements(body: tuple[s.Stmt, ...]) -> Iterator[s.Stmt]:
    """All statements of a body, nested blocks included, nested scopes left out."""
    pending = list(reversed(body))
    while pending:
        stmt = pending.pop()
        yield stmt
        kind = type(stmt)
        if kind in (s.If, s.For, s.While):
            pending.extend(reversed(stmt.body + stmt.other))
        elif kind is s.With:
            pending.extend(reversed(stmt.body))
        elif kind is s.Try:
            handled = tuple(inner for h in stmt.handlers for inner in h.body)
            pending.extend(reversed(stmt.body + handled + stmt.other + stmt.final))
        elif kind is s.Match:
            for case in reversed(stmt.cases):
                pending.extend(reversed(case.body))


def walk(root: s.Expr) -> Iterator[s.Expr]:
    """An expression and everything inside, lambdas and comprehensions included."""
    pending = [root]
    while pending:
        expr = pending.pop()
        yield expr
        pending.extend(children(expr))


def children(expr: s.Expr) -> list[s.Expr]:
    """The direct parts of an expression."""
    return _CHILDREN[type(expr)](expr)


def _entries(expr: s.Dict) -> list[s.Expr]:
    return [part for e in expr.entries for part in (e.key, e.value) if part is not None]


def _comprehension(expr: s.Comp) -> list[s.Expr]:
    found = [expr.element] if expr.value is None else [expr.element, expr.value]
    for generator in expr.generators:
        found += (generator.iter, *generator.tests)
    return found


_CHILDREN: dict[type, Callable[..., list[s.Expr]]] = {
    s.Const: lambda e: [],
    s.Name: lambda e: [],
    s.Opaque: lambda e: [],
    s.Attr: lambda e: [e.base],
    s.Call: lambda e: [e.func, *[x.value for x in e.args]],
    s.Item: lambda e: [e.base, e.index],
    s.Unary: lambda e: [e.operand],
    s.Binary: lambda e: [e.left, e.right],
    s.Compare: lambda e: list(e.operands),
    s.Logic: lambda e: list(e.operands),
    s.Cond: lambda e: [e.test, e.then, e.other],
    s.Seq: lambda e: list(e.items),
    s.Star: lambda e: [e.value],
    s.Walrus: lambda e: [e.value],
    s.Dict: _entries,
    s.Lambda: lambda e: [e.body],
    s.Text: lambda e: list(e.parts),
    s.Comp: _comprehension,
}
