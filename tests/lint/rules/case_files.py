"""Cases: small projects with the findings that are due in them, as one text.

# why: one line
# select: rule, rule        only these rules (default: all that are on by default)
# min-severity: advice      default: warning
# setting: a line of TOML   added to the project's settings; may be repeated
# --- path.py               starts a file
x = 1  # expect: rule       findings of these rules start on this line, and no others
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from aiter_lint.finding import Finding
from aiter_lint.pipeline import Request, run
from aiter_lint.pipeline.selection import select
from aiter_lint.settings.load import load, locate

EXPECT = re.compile(r"#\s*expect:\s*([\w, -]+?)\s*$")

NAMES = """\
def make_kernel_repr(base_name, config_keys, name_key=None):
    def _repr(specialization):
        constants = specialization.constants
        name = constants.get(name_key) or base_name
        return "_".join([name, *(f"{key}_{constants.get(key)}" for key in config_keys)])

    return _repr
"""


@dataclass(frozen=True)
class Case:
    """A case as it is run: the files without their `# expect` comments, and what these said."""

    why: str
    files: dict[str, str]
    expected: set[tuple[str, int, str]]
    select: str | None = None
    min_severity: str = "warning"
    settings: list[str] = field(default_factory=list)
    bytes: str = ""


def parse(text: str, *, head: str = "", module: str = "k.py") -> Case:
    """Read a case. Lines before the first file that are no header belong to `module`, and `head`
    is put above them."""
    header: dict[str, list[str]] = {}
    files: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in text.strip("\n").split("\n"):
        start = re.fullmatch(r"# --- (\S+)", line)
        option = re.match(r"# (why|select|min-severity|setting|bytes): (.*)$", line)
        if start:
            current = files.setdefault(start.group(1), [])
        elif current is None and option:
            header.setdefault(option.group(1), []).append(option.group(2).strip())
        else:
            if current is None:
                current = files.setdefault(module, head.splitlines())
            current.append(line)
    expected: set[tuple[str, int, str]] = set()
    written = {}
    for path, lines in files.items():
        for number, line in enumerate(lines, 1):
            due = EXPECT.search(line)
            if due:
                rules = [rule.strip() for rule in due.group(1).split(",")]
                expected |= {(path, number, rule) for rule in rules}
                lines[number - 1] = line[: due.start()].rstrip()
        written[path] = "\n".join(lines).rstrip("\n") + "\n"
    return Case(
        why=header["why"][0],
        files=written,
        expected=expected,
        select=header.get("select", [None])[0],
        min_severity=header.get("min-severity", ["warning"])[0],
        settings=header.get("setting", []),
        bytes=header.get("bytes", [""])[0],
    )


def write(case: Case, root: Path) -> None:
    """Write the project of a case."""
    lines = ["[tool.aiter_lint]", *case.settings]
    lines.append(f'min-severity = "{case.min_severity}"')
    if case.select:
        rules = ", ".join(f'"{rule.strip()}"' for rule in case.select.split(","))
        lines.append(f"select = [{rules}]")
    (root / "pyproject.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for path, text in case.files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        if "crlf" in case.bytes and path.endswith(".py"):
            text = text.replace("\n", "\r\n")
        if "bom" in case.bytes and path.endswith(".py"):
            text = "\ufeff" + text
        (root / path).write_bytes(text.encode())


def gluon(case: Case) -> Case:
    """The same project in the other dialect, line by line."""
    files = {}
    for path, text in case.files.items():
        text = text.replace("import triton.language as tl", _GLUON).replace(
            "triton.jit", "gluon.jit"
        )
        files[path] = re.sub(r"\btl\.", "gl.", text)
    return replace(case, files=files)


_GLUON = (
    "from triton.experimental import gluon; from triton.experimental.gluon import language as gl"
)


def lint(root: Path) -> list[Finding]:
    """What the linter finds in a project, from its settings to the last stage."""
    location = locate([str(root)])
    settings = load(location.config).settings
    outcome = run(Request(location.root, settings, select(settings), (location.root,), jobs=1))
    assert not outcome.problems
    return list(outcome.findings)


def places(findings: list[Finding]) -> set[tuple[str, int, str]]:
    """Where findings start, and of which rules they are."""
    return {(f.place.path, f.place.span.line, f.rule) for f in findings}
