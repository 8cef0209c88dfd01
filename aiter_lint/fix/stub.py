"""missing-repr: build a repr above the kernel and attach it."""

from __future__ import annotations

import re

from aiter_lint.finding import Applicability, Edit, Fix
from aiter_lint.fix.attach import attach
from aiter_lint.fix.document import Document, Unfixable
from aiter_lint.fix.imports import builder_call
from aiter_lint.fix.names import first_free, stub_names
from aiter_lint.fix.outline import Step, extent
from aiter_lint.fix.workspace import Workspace
from aiter_lint.link.project import Kernel
from aiter_lint.link.suggest import suggest
from aiter_lint.read import syntax as s
from aiter_lint.span import Span

_IDENTIFIER = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")


def insert_stub(work: Workspace, kernel: Kernel) -> Fix:
    """The fix: import, stub, decorator."""
    if not _IDENTIFIER.fullmatch(kernel.name):
        raise Unfixable(f"Triton accepts no name like `{kernel.name}`: rename the kernel")
    if kernel.jit.path != kernel.path:
        raise Unfixable("it is defined in one file and jitted in another")
    document = work.document(kernel.path)
    limit = work.limit(kernel.path)
    steps, line = _where(work, document, kernel)
    call = builder_call(work, kernel, jit_root(document, kernel.jit.span), steps, line)
    variable = _variable(work, document, kernel)
    edits = (
        *call.edits,
        _stub(document, kernel, steps, line, f"{variable} = {call.function}", work, limit),
        *attach(document, kernel.jit.span, variable, limit),
    )
    risks = [call.risk, attach_risk(work, kernel)]
    applicability = Applicability.UNSAFE if any(risks) else Applicability.SAFE
    reason = next((f" ({risk})" for risk in risks if risk), "")
    return Fix(applicability, f"give `{kernel.name}` a repr of its keys{reason}", edits)


# --- where ---------------------------------------------------------------------------------


def _where(work: Workspace, document: Document, kernel: Kernel) -> tuple[list[Step], int]:
    """The blocks around the stub, and the line that it goes above: the first of the decorators,
    of the class around a static method, of the statement that calls jit."""
    steps = work.steps(kernel.path, kernel.jit.span)
    if not steps:
        raise Unfixable("the place of the kernel can't be made out")
    decorated = any(kernel.head.span.contains(d.span) for d in _decorators(kernel, kernel.jit.span))
    if decorated:
        own = next((i for i, step in enumerate(steps) if _is(step, kernel)), None)
        if own is not None:
            steps = steps[: own + 1]
    first = max((i for i, step in enumerate(steps) if step.part == "def"), default=0)
    for index in range(first, len(steps)):
        if type(steps[index].statement) is s.Class:
            steps = steps[: index + 1]
            break
    span = extent(work.facts(kernel.path), steps[-1].statement)
    if not document.starts_line(span.line, span.column):
        raise Unfixable(f"line {span.line} holds other code too")
    if document.line(span.line).lstrip().startswith(("elif", "else", "except", "finally")):
        raise Unfixable(f"there is no place for a repr above line {span.line}")
    return steps, span.line


def _decorators(kernel: Kernel, jit: Span) -> list[s.Expr]:
    return [d for d in kernel.function.decorators if d.span.contains(jit)]


def _is(step: Step, kernel: Kernel) -> bool:
    return type(step.statement) is s.Def and step.statement.span == kernel.function.span


def jit_root(document: Document, jit: Span) -> str:
    """The first name of a decorator: `triton` of `triton.jit(...)`."""
    match = re.match(r"\w*", document.slice(jit))
    return match.group() if match else ""


# --- what ----------------------------------------------------------------------------------


def _variable(work: Workspace, document: Document, kernel: Kernel) -> str:
    def taken(name: str) -> bool:
        holders = work.given.get((kernel.path, name), ())
        return any(holder not in kernel.alternatives for holder in holders)

    name = first_free(stub_names(kernel.name), document.plain, taken)
    work.given.setdefault((kernel.path, name), []).append(kernel)
    return name


def _stub(
    document: Document,
    kernel: Kernel,
    steps: list[Step],
    line: int,
    target: str,
    work: Workspace,
    limit: int,
) -> Edit:
    indent = document.indent(line)
    keys = suggest(kernel, work.project).keys
    text = build(target, kernel.name, keys, indent, _unit(document, kernel), limit)
    last = steps[-1].statement
    definition = type(last) in (s.Def, s.Class)
    above = _first_of_comments(document, line) if definition else line
    gap = ("\n" if len(indent) else "\n\n") if definition else ""
    first = _first_of_gap(document, steps[-1], above)
    return document.replace(Span(first, 1, above, 1), text + gap)


def build(target: str, base: str, keys: tuple[str, ...], indent: str, unit: str, limit: int) -> str:
    """`target("base", ["A", "B"])` as a formatter would write it, with trailing commas that keep it
    so at any line length."""
    listed = ", ".join(f'"{key}"' for key in keys)
    line = f'{indent}{target}("{base}", [{listed}])'
    if len(line) <= limit:
        return line + "\n"
    inner = indent + unit
    if len(f"{inner}[{listed}],") <= limit:
        keys_text = f"{inner}[{listed}],\n"
    else:
        rows = "".join(f'{inner}{unit}"{key}",\n' for key in keys)
        keys_text = f"{inner}[\n{rows}{inner}],\n"
    return f'{indent}{target}(\n{inner}"{base}",\n{keys_text}{indent})\n'


def _unit(document: Document, kernel: Kernel) -> str:
    """One step of indentation, as the kernel's body has it."""
    head = kernel.head.span
    outer = document.indent(kernel.place.span.line)
    for number in range(head.end_line + 1, kernel.function.span.end_line + 1):
        inner = document.indent(number)
        if document.line(number).strip() and len(inner) > len(outer) and inner.startswith(outer):
            return inner[len(outer) :]
    return document.unit


def _first_of_comments(document: Document, line: int) -> int:
    """The first of the comment lines that belong to what stands below them."""
    indent = document.indent(line)
    while line > 2:
        above = document.line(line - 1)
        if not above.startswith(f"{indent}#") or re.match(r"\s*#\s?%%", above):
            break
        line -= 1
    return line


def _first_of_gap(document: Document, step: Step, line: int) -> int:
    """The first of the blank lines above that are there for a definition, and not for a stub:
    all at the beginning of a block, all but one after imports."""
    first = line
    while document.blank(first - 1):
        first -= 1
    if len(document.indent(first - 1)) < len(document.indent(line)):
        return first
    if step.index and type(step.body[step.index - 1]) is s.Import:
        if step.body[step.index - 1].span.end_line == first - 1:
            return min(first + 1, line)
    return line


# --- how sure ------------------------------------------------------------------------------


def attach_risk(work: Workspace, kernel: Kernel) -> str | None:
    """Why a new repr may change what the program does; None where it can't."""
    if work.looked_up(kernel.name):
        return f"something in the project looks for the name `{kernel.name}`"
    document = work.document(kernel.path)
    text = re.split(r"[(\s]", document.slice(kernel.jit.span), maxsplit=1)[0]
    root, _, attribute = text.partition(".")
    facts = work.facts(kernel.path)
    for alias in facts.imports:
        if alias.local == root and alias.name is not None and not attribute:
            if f"{alias.module}.{alias.name}" in work.settings.jit_decorators:
                return f"it is not known whether `{text}` takes a repr"
        if alias.local == root and attribute:
            if f"{alias.module}.{attribute}" in work.settings.jit_decorators:
                return f"it is not known whether `{text}` takes a repr"
    if not attribute and any(f.name == root and f.parent < 0 for f in facts.functions):
        return f"`{root}` is also a function of this file, which may take no repr"
    if any(cls.name == root for cls in facts.classes):
        return f"`{root}` is also a class of this file, which may know no repr"
    return None
