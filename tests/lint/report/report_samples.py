"""A report about one small file, with every kind of finding that a format has to write."""

from aiter_lint.finding import Applicability, Edit, Finding, Fix, Related, Severity
from aiter_lint.report.report import Report
from aiter_lint.span import Place, Span

KERNEL = """\
import triton
import triton.language as tl
from pkg.names import make_kernel_repr

_k_repr = make_kernel_repr("k", ["BLOCK", "EPS", "BLCK"])


@triton.jit(repr=_k_repr)
def k(x, BLOCK: tl.constexpr, EPS: tl.constexpr):
    tl.store(x, BLOCK * EPS)


@triton.jit
def bare(x, BLOCK: tl.constexpr):
\ttl.store(x, BLOCK)
"""

LAUNCH = """\
from pkg.k import bare, k


def run(x, fp8_max):
    scale = 1.0 / fp8_max
    k[(1,)](x, BLOCK=8, EPS=scale)
    bare[(1,)](x, BLOCK=8)
"""

FILES = {"pkg/k.py": KERNEL, "pkg/run.py": LAUNCH}


def place(path: str, line: int, text: str, nth: int = 1) -> Place:
    """Where `text` stands in that line of a file."""
    row = FILES[path].split("\n")[line - 1]
    at = -1
    for _ in range(nth):
        at = row.index(text, at + 1)
    return Place(path, Span(line, at + 1, line, at + 1 + len(text)))


UNKNOWN_KEY = Finding(
    code="AIT201",
    rule="unknown-key",
    severity=Severity.ERROR,
    message="key `BLCK` of kernel `k` is no parameter: the trace shows BLCK_NONE; meant `BLOCK`?",
    place=place("pkg/k.py", 5, '"BLCK"'),
    kernel="k",
    key="BLCK",
    fix=Fix(
        Applicability.SAFE,
        "Remove `BLCK` from the keys",
        (Edit("pkg/k.py", Span(5, 48, 5, 56), ""),),
    ),
)

FLOAT_VALUE = Finding(
    code="AIT301",
    rule="float-key-value",
    severity=Severity.ERROR,
    message="kernel `k` gets the float `1.0 / fp8_max` for its key `EPS`: the compile fails",
    place=place("pkg/run.py", 6, "EPS=scale"),
    kernel="k",
    key="EPS",
    related=(
        Related(place("pkg/run.py", 5, "1.0 / fp8_max"), "`scale` is `1.0 / fp8_max` here"),
        Related(place("pkg/k.py", 5, '"EPS"'), "`EPS` is listed as a key here"),
    ),
    fix=Fix(
        Applicability.UNSAFE,
        "Remove `EPS` from the keys",
        (Edit("pkg/k.py", Span(5, 41, 5, 48), ""),),
    ),
)

MISSING_REPR = Finding(
    code="AIT101",
    rule="missing-repr",
    severity=Severity.ERROR,
    message="kernel `bare` is launched and has no repr: the trace shows `bare` for each BLOCK",
    place=place("pkg/k.py", 13, "@triton.jit"),
    kernel="bare",
    related=(Related(place("pkg/run.py", 7, "bare[(1,)](x, BLOCK=8)"), "launched here"),),
    fix=Fix(
        Applicability.SAFE,
        "Add a repr",
        (
            Edit(
                "pkg/k.py",
                Span(13, 1, 13, 1),
                '_bare_repr = make_kernel_repr("bare", ["BLOCK"])\n\n\n',
            ),
            Edit("pkg/k.py", Span(13, 12, 13, 12), "(repr=_bare_repr)"),
        ),
    ),
)

UNUSED = Finding(
    code="AIT108",
    rule="unused-repr",
    severity=Severity.WARNING,
    message="repr `_k_repr` is attached to nothing",
    place=place("pkg/k.py", 5, "_k_repr"),
    fix=Fix(
        Applicability.DISPLAY,
        "Remove it",
        (Edit("pkg/k.py", Span(5, 1, 6, 1), ""),),
    ),
)

ADVICE = Finding(
    code="AIT304",
    rule="unbounded-key-value",
    severity=Severity.ADVICE,
    message="key `BLOCK` of kernel `bare` comes from a shape: a new name and compile per size",
    place=place("pkg/k.py", 15, "tl.store(x, BLOCK)"),
    kernel="bare",
    key="BLOCK",
)

ALL = (UNKNOWN_KEY, MISSING_REPR, UNUSED, ADVICE, FLOAT_VALUE)


def report_of(
    *findings: Finding,
    files: dict[str, str] | None = None,
    root: str = "/project",
    cwd: str = "/project",
    **more: object,
) -> Report:
    """A report of those findings over files that exist in memory alone."""
    texts = FILES if files is None else files
    return Report(findings=findings, root=root, cwd=cwd, text=texts.get, files=len(texts), **more)
