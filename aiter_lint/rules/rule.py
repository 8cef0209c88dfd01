"""What a rule is. A rule is one file of this package: page, metadata, check and examples.

The file's docstring is the rule's page, under the headings of `HEADINGS`. Below it stand

- `META = Meta(code=..., name=..., ...)`,
- `check(project, settings)`, which yields findings, made by `META.finding(...)`,
- `GOOD` and `BAD`: small projects, in which the rule finds nothing, and what it should.

An example is text. `# why: ...` comes first and says why there is something to find or not;
`# setting: ...` is a line of the settings. A line `# --- path` begins a file; without any, the
text is one module below `EXAMPLE_HEAD`.
`# expect: rule, rule` ends a line on which findings start. The page shows the first example of
each kind, and every one of them is a test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Union

import msgspec

from aiter_lint.finding import Finding, Related, Repair, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from aiter_lint.link.project import Kernel, Project
    from aiter_lint.settings import Settings
    from aiter_lint.span import Place

HEADINGS = (
    "What it does",
    "Why is this bad",
    "Example",
    "Use instead",
    "Fix safety",
    "Options",
    "References",
)

EXAMPLE_HEAD = """\
import triton
import triton.language as tl
from names import make_kernel_repr

"""


class Meta(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule says of itself.

    `fix` is `always`, `sometimes` or `none`. `default` is False for a rule that is on only
    where it is selected. `options` are the settings that change what it finds."""

    code: str
    name: str
    severity: Severity
    summary: str
    fix: str = "none"
    default: bool = True
    options: tuple[str, ...] = ()

    def finding(
        self,
        place: Place,
        message: str,
        *,
        kernel: Union[Kernel, None] = None,
        key: Union[str, None] = None,
        related: tuple[Related, ...] = (),
        repair: Union[Repair, None] = None,
        severity: Union[Severity, None] = None,
    ) -> Finding:
        """A finding of this rule."""
        return Finding(
            code=self.code,
            rule=self.name,
            severity=severity or self.severity,
            message=message,
            place=place,
            kernel=kernel.qualname if kernel else None,
            key=key,
            related=related,
            repair=repair,
        )


class Rule(Meta, frozen=True, kw_only=True):
    """One rule, as the registry finds it in its file."""

    check: Callable[[Project, Settings], Iterator[Finding]]
    page: str  # the docstring; `reference.page` puts the examples into it
    good: tuple[str, ...]
    bad: tuple[str, ...]


def kernel_id(kernel: Kernel) -> str:
    """How repairs name a kernel: no other def of the project has the same path and line."""
    return f"{kernel.path}:{kernel.qualname}:{kernel.place.span.line}"
