"""How a module calls the builder: by a name that it has, or by an import that is put in.

The import goes where the module's imports are, sorted into those of the same package; or inside
the `try:` or `if` that guards triton's own import, where the kernel is guarded too."""

from __future__ import annotations

from dataclasses import dataclass

from aiter_lint.finding import Edit
from aiter_lint.fix.cycles import chain_to
from aiter_lint.fix.document import Document, Unfixable
from aiter_lint.fix.names import bound_names
from aiter_lint.fix.outline import Step, module_blocks
from aiter_lint.fix.series import Series
from aiter_lint.fix.workspace import Workspace
from aiter_lint.link.project import Kernel
from aiter_lint.read import syntax as s
from aiter_lint.read.facts import FileFacts
from aiter_lint.span import Span

_DEPTH = 10  # of re-exports
_GUARDS = ("if", "try", "with")


@dataclass(frozen=True, slots=True)
class Call:
    """What to write in front of the parenthesis, and the edits that make it right. `line` is where
    the name gets its value. `risk` says why the import may fail where the file worked before."""

    function: str
    edits: tuple[Edit, ...] = ()
    line: int = 0
    risk: str | None = None


@dataclass(frozen=True, slots=True)
class _Target:
    """The builder: its dotted name, in the project the path of its module, and what to import
    from there (the first of `parts`)."""

    dotted: str
    module: str
    path: str | None
    parts: tuple[str, ...]


def builder_call(work: Workspace, kernel: Kernel, root: str, steps: list[Step], line: int) -> Call:
    """How the builder is called at `line`, inside the blocks `steps`. `root` is the first name of
    the jit decorator: the import of triton is the one that binds it."""
    target = _target(work, kernel)
    if target.path == kernel.path:
        return _defined_here(work, target, line)
    known = _known(work, kernel, target, steps, root, line)
    if known is not None:
        return known
    if target.path is not None:
        found = work.modules.find(target.module, kernel.path)
        if found != target.path:
            raise Unfixable(f"`{target.module}` can't be imported from {kernel.path}")
        chain = chain_to(work, target.path, kernel.path)
        if chain:
            raise Unfixable(
                f"importing `{target.dotted}` would make an import cycle: " + " -> ".join(chain)
            )
    return _imported(work, kernel, target, steps, root, line)


# --- what the builder is -------------------------------------------------------------------


def _target(work: Workspace, kernel: Kernel) -> _Target:
    project = work.project
    dotted = project.default_builder
    if dotted is None:
        choices = project.builder_choices
        if choices:
            listed = ", ".join(f"`{choice}`" for choice in choices[:4])
            listed += ", ..." if len(choices) > 4 else ""
            raise Unfixable(f"set `repr-builder` to one of the builders that exist: {listed}")
        raise Unfixable("set `repr-builder` to the function that builds reprs, as a dotted name")
    parts = dotted.split(".")
    for size in range(len(parts) - 1, 0, -1):
        module = ".".join(parts[:size])
        path = project.modules.get(module)
        if path is not None:
            return _Target(dotted, module, path, tuple(parts[size:]))
    if len(parts) < 2:
        raise Unfixable(f"`repr-builder` must be a dotted name, and `{dotted}` has no module")
    return _Target(dotted, ".".join(parts[:-1]), None, (parts[-1],))


def _defined_here(work: Workspace, target: _Target, line: int) -> Call:
    facts = work.facts(target.path or "")
    for statement in facts.body:
        if type(statement) is s.Def:
            name = facts.functions[statement.index].name
        elif type(statement) is s.Class:
            name = facts.classes[statement.index].name
        else:
            names = [alias.local for alias in getattr(statement, "aliases", ())]
            name = target.parts[0] if target.parts[0] in names else None
        if name == target.parts[0]:
            if statement.span.end_line >= line:
                raise Unfixable(f"`{name}` is defined below the kernel: move it up")
            return Call(".".join(target.parts), line=statement.span.line)
    raise Unfixable(f"`{target.parts[0]}` is not at the top level of its module")


# --- a name that is there already ----------------------------------------------------------


def _known(
    work: Workspace, kernel: Kernel, target: _Target, steps: list[Step], root: str, line: int
) -> Call | None:
    for body, guarded in _visible(steps):
        for statement in body:
            if type(statement) is s.Import and statement.span.end_line < line:
                call = _bound(work, kernel.path, target, statement)
                if call is not None:
                    return Call(call, line=statement.span.end_line)
            elif guarded:
                inner = {s.If: "body", s.Try: "body", s.With: "body"}.get(type(statement))
                block = getattr(statement, inner) if inner else ()
                imports = [i for i in block if type(i) is s.Import]
                if any(alias.local == root for i in imports for alias in i.aliases):
                    for statement in imports:
                        call = _bound(work, kernel.path, target, statement)
                        if call is not None:
                            return Call(call, line=statement.span.end_line)
    return None


def _visible(steps: list[Step]) -> list[tuple[tuple[s.Stmt, ...], bool]]:
    """The statements that ran before the kernel's definition, innermost block first, and whether
    imports in their guards may be counted on."""
    guarded = len(steps) > 1
    return [(step.body[: step.index], guarded) for step in reversed(steps) if step.part != "class"]


def _bound(work: Workspace, path: str, target: _Target, statement: s.Import) -> str | None:
    """How the builder is called by what an import statement binds."""
    for alias in statement.aliases:
        if alias.name == "*":
            continue
        if _leads_to(work, path, alias, target, _DEPTH):
            return ".".join((alias.local, *target.parts[1:]))
        module = _module_of(work, path, alias)
        if target.path is not None and module == target.path:
            dotted = alias.module if alias.name is None and "." in alias.module else alias.local
            if alias.name is None and alias.local != alias.module.split(".", 1)[0]:
                dotted = alias.local  # import a.b as c
            return ".".join((dotted, *target.parts))
        if target.path is None and alias.name is None and alias.module == target.module:
            named = alias.local != alias.module.split(".", 1)[0]
            return ".".join((alias.local if named else alias.module, *target.parts))
    return None


def _leads_to(work: Workspace, path: str, alias: s.Alias, target: _Target, depth: int) -> bool:
    """Whether `from m import name` gets the builder, also by way of re-exports."""
    if alias.name is None or depth == 0:
        return False
    if target.path is None and not alias.level:
        return f"{alias.module}.{alias.name}" == f"{target.module}.{target.parts[0]}"
    source = _source_of(work, path, alias)
    if source is None or source not in work.project.files:
        return False
    if source == target.path:
        return alias.name == target.parts[0]
    return any(
        inner.local == alias.name and _leads_to(work, source, inner, target, depth - 1)
        for statement in work.facts(source).body
        if type(statement) is s.Import
        for inner in statement.aliases
    )


def _source_of(work: Workspace, path: str, alias: s.Alias) -> str | None:
    if alias.level:
        return work.modules.relative(path, alias.level, alias.module)
    return work.modules.find(alias.module, path)


def _module_of(work: Workspace, path: str, alias: s.Alias) -> str | None:
    """The path of the module that an import binds, or gives access to."""
    source = _source_of(work, path, alias)
    if alias.name is None or source is None:
        return source
    return work.modules.child(source, alias.name)


# --- a new import --------------------------------------------------------------------------


def _imported(
    work: Workspace, kernel: Kernel, target: _Target, steps: list[Step], root: str, line: int
) -> Call:
    document = work.document(kernel.path)
    facts = work.facts(kernel.path)
    name = target.parts[0]
    local = name
    taken = bound_names(facts, lambda a: _leads_to(work, kernel.path, a, target, _DEPTH))
    while local in taken:
        local = f"_{local}"
    item = name if local == name else f"{name} as {local}"
    call = ".".join((local, *target.parts[1:]))

    guard, index = _triton_guard(work, kernel.path, steps, root)
    if guard is not None:
        last = index
        while last + 1 < len(guard) and type(guard[last + 1]) is s.Import:
            last += 1
        edits = _merged(work, document, guard[index : last + 1], target, item)
        at = guard[last].span.end_line
        if not edits:
            edits = _after(work, document, guard[last], target, item)
        risk = None
    else:
        edits, at = _among_imports(work, document, facts.body, target, item, line)
        risk = _needs_triton(work, target, steps, root, facts)
    if at >= line:
        raise Unfixable("the module's imports stand below the kernel")
    return Call(call, edits, at, risk)


def _triton_guard(
    work: Workspace, path: str, steps: list[Step], root: str
) -> tuple[tuple[s.Stmt, ...] | None, int]:
    """The block that imports triton, and the place in it, where that is no top-level import and
    what follows does not run without triton: the kernel is guarded too, or the import must work."""
    for kinds, holders, body in module_blocks(work.facts(path)):
        for index, statement in enumerate(body):
            if type(statement) is s.Import and any(a.local == root for a in statement.aliases):
                if kinds == ("module",):
                    return None, 0
                if not all(kind in _GUARDS for kind in kinds[1:]):
                    continue
                guarded = len(steps) > 1 and not _some_unguarded(work, path)
                if guarded or all(map(_must_work, holders)):
                    return body, index
    for step in steps[1:]:
        if step.part != "class":
            for index, statement in enumerate(step.body[: step.index]):
                if type(statement) is s.Import and any(a.local == root for a in statement.aliases):
                    return step.body, index
    return None, 0


def _must_work(holder: s.Stmt) -> bool:
    """Whether a `try:` ends in an exception whenever its body does."""
    return type(holder) is s.Try and all(
        handler.body and type(handler.body[-1]) is s.Raise for handler in holder.handlers
    )


def _some_unguarded(work: Workspace, path: str) -> bool:
    """Whether another kernel of the file, which gets a stub too, stands at the top level: one
    import then serves all."""
    return any(
        kernel.path == path
        and kernel.repr is None
        and kernel.launched
        and kernel.constexprs
        and kernel.head.span.column == 1
        for kernel in work.project.kernels
    )


def _needs_triton(
    work: Workspace, target: _Target, steps: list[Step], root: str, facts: FileFacts
) -> str | None:
    """The builder's module may need triton where the kernel's has a replacement for it."""
    if target.path is None or len(steps) > 1:
        return None
    guarded = not any(
        alias.local == root
        for statement in facts.body
        if type(statement) is s.Import
        for alias in statement.aliases
    )
    needs = any(
        alias.module.split(".", 1)[0] == "triton" and not alias.level
        for statement in work.facts(target.path).body
        if type(statement) is s.Import
        for alias in statement.aliases
    )
    return "the builder's module needs triton, this one does not" if guarded and needs else None


def _among_imports(
    work: Workspace,
    document: Document,
    body: tuple[s.Stmt, ...],
    target: _Target,
    item: str,
    line: int,
) -> tuple[tuple[Edit, ...], int]:
    imports = []
    for statement in body:
        if statement.span.line >= line:
            break
        if type(statement) is s.Import:
            imports.append(statement)
        elif not _may_precede_imports(statement):
            break
    if not imports:
        return _before_everything(document, body, target, item, line)
    edits = _merged(work, document, imports, target, item)
    if edits:
        return edits, max(edit.span.end_line for edit in edits)
    package = target.module.split(".", 1)[0]
    same = [i for i in imports if _absolute(i) and _package(i) == package]
    if same:
        earlier = [i for i in same if _key(i) < (1, target.module)]
        if earlier:
            return _after(work, document, earlier[-1], target, item), earlier[-1].span.end_line
        return _line_before(document, same[0], target, item), same[0].span.line
    absolute = [i for i in imports if _absolute(i)] or imports
    return _after(work, document, absolute[-1], target, item), absolute[-1].span.end_line


def _may_precede_imports(statement: s.Stmt) -> bool:
    """What a linter allows above an import: guards, dunders, sys.path."""
    if type(statement) in (s.If, s.Try, s.With):
        return True
    if type(statement) is s.Assign:
        return all(type(t) is s.Name and t.id.startswith("__") for t in statement.targets)
    if type(statement) is s.Do and type(statement.value) is s.Call:
        base = statement.value.func
        names = []
        while type(base) is s.Attr:
            names.append(base.name)
            base = base.base
        return type(base) is s.Name and base.id == "sys" and "path" in names
    return False


def _absolute(statement: s.Import) -> bool:
    return not statement.aliases[0].level


def _package(statement: s.Import) -> str:
    return statement.aliases[0].module.split(".", 1)[0]


def _key(statement: s.Import) -> tuple[int, str]:
    """Plain imports come before `from` imports, each by module."""
    alias = statement.aliases[0]
    return (0 if alias.name is None else 1, alias.module)


def _after(
    work: Workspace, document: Document, statement: s.Import, target: _Target, item: str
) -> tuple[Edit, ...]:
    """A new import on the line below another one; apart from it, where it is of another kind."""
    span = statement.span
    line = document.line(span.line)
    if not document.starts_line(span.line, span.column):
        raise Unfixable(f"the import on line {span.line} shares its line with other code")
    indent = line[: span.column - 1]
    text = _statement(target, item, indent, document.unit, work.limit(document.path))
    apart = _absolute(statement) and _package(statement) != target.module.split(".", 1)[0]
    if apart and target.path is not None:
        text = "\n" + text
    if span.end_line >= len(document.lines):
        end = len(document.line(span.end_line)) + 1
        return (document.insert(span.end_line, end, "\n" + text.removesuffix("\n")),)
    return (document.insert(span.end_line + 1, 1, text),)


def _line_before(
    document: Document, statement: s.Import, target: _Target, item: str
) -> tuple[Edit, ...]:
    span = statement.span
    if not document.starts_line(span.line, span.column):
        raise Unfixable(f"the import on line {span.line} shares its line with other code")
    return (document.insert(span.line, 1, f"from {target.module} import {item}\n"),)


def _before_everything(
    document: Document, body: tuple[s.Stmt, ...], target: _Target, item: str, line: int
) -> tuple[tuple[Edit, ...], int]:
    """The first statement of a module that imports nothing at its top."""
    first = body[0].span.line if body else line
    first = min(first, line)
    while first > 1 and document.line(first - 1).startswith("#") and first > 2:
        first -= 1
    text = f"from {target.module} import {item}\n\n"
    if type(body[0]) in (s.Def, s.Class):
        text += "\n"
    return (document.insert(first, 1, text),), first - 1


def _statement(target: _Target, item: str, indent: str, unit: str, limit: int) -> str:
    text = f"{indent}from {target.module} import {item}\n"
    if len(text) - 1 > limit:
        return f"{indent}from {target.module} import (\n{indent}{unit}{item},\n{indent})\n"
    return text


def _merged(
    work: Workspace, document: Document, statements, target: _Target, item: str
) -> tuple[Edit, ...]:
    """The name put into an import from the same module, where there is one."""
    for statement in statements:
        if type(statement) is not s.Import or not _absolute(statement):
            continue
        first = statement.aliases[0]
        if first.module != target.module or first.name in (None, "*"):
            continue
        text = document.slice(statement.span)
        if "\\" in text or any(a.span == statement.span for a in statement.aliases):
            continue
        names = [alias.name or "" for alias in statement.aliases]
        index = len(names)
        if names == sorted(names, key=_name_key):
            wanted = _name_key(item.split(" ", 1)[0])
            index = next((i for i, name in enumerate(names) if _name_key(name) > wanted), index)
        limit = work.limit(document.path)
        span = statement.span
        closed = text.endswith(")")
        if closed:
            start = text.index("(") + 1
            before = text[:start]
            lines = before.count("\n")
            column = len(before) - before.rfind("\n") if lines else span.column + start
            inside = Span(span.line + lines, column, span.end_line, span.end_column - 1)
        elif span.line == span.end_line:
            begin = statement.aliases[0].span
            inside = Span(begin.line, begin.column, span.end_line, span.end_column)
            if len(document.line(span.line)) + len(item) + 2 > limit:
                indent = document.indent(span.line)
                items = [document.slice(alias.span) for alias in statement.aliases]
                items.insert(index, item)
                rows = "".join(f"\n{indent}{document.unit}{i}," for i in items)
                return (document.replace(inside, f"({rows}\n{indent})"),)
        else:
            continue
        items = tuple(alias.span for alias in statement.aliases)
        return Series(document, items, inside, limit).insert(index, item)
    return ()


def _name_key(name: str) -> tuple[int, str]:
    """The order of isort: constants, classes, the rest."""
    if name.isupper() and len(name) > 1:
        return (0, name)
    return (1 if name[:1].isupper() else 2, name)
