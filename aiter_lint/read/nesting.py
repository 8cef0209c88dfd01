"""How deep a text nests, told from its tokens: what is safe to hand to a recursive parser.

libcst's parser is native and recursive: 10,000 brackets overflow its stack and end the process,
and long chains of operators take it quadratic time. CPython's own limit for brackets is 200.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

MOST_BRACKETS = 200
MOST_OPERATORS = 800
MOST_ELIFS = 3000

# A stack and a recursion limit that what passes these bounds does not reach.
_STACK = 64 * 1024 * 1024
_RECURSION = 12_000

_TOKEN = re.compile(
    r'''"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\''''
    r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\#[^\n]*|\\\n"""
    r"""|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<reset>[,;\n])"""
    r"""|(?P<elif>\belif\b)"""
    r"""|(?P<operator>\b(?:not|and|or|if|else|in|is|lambda|await|yield|from|for)\b|[-+*/%&|^~@<>=!.:])""",
    re.DOTALL,
)


def nests_too_deep(text: str) -> bool:
    """Whether a text may nest deeper than a recursive parser should be asked to follow."""
    return _brackets(text) > MOST_BRACKETS or _chains(text)


def with_deep_stack(function: Callable[[], Result]) -> Result:
    """Calls a function where recursion has room: in a thread with a large stack. A panic of a
    native parser is raised as RuntimeError."""
    outcome: list[Result] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            outcome.append(function())
        except Exception as error:
            errors.append(error)
        except BaseException as error:  # what a native panic is
            errors.append(RuntimeError(str(error)))

    limit = sys.getrecursionlimit()
    size = threading.stack_size(_STACK)
    try:
        thread = threading.Thread(target=run)
        sys.setrecursionlimit(max(limit, _RECURSION))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return outcome[0]


def _chains(text: str) -> bool:
    """Whether brackets, or operators within one element of a display, exceed the bounds."""
    open_elements = [0]
    total = elifs = 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "operator":
            open_elements[-1] += 1
            total += 1
            if total > MOST_OPERATORS:
                return True
        elif kind == "open":
            open_elements[-1] += 1
            total += 1
            open_elements.append(0)
            if len(open_elements) > MOST_BRACKETS or total > MOST_OPERATORS:
                return True
        elif kind == "close":
            if len(open_elements) > 1:
                total -= open_elements.pop()
        elif kind == "reset":
            if match[0] != "\n" or len(open_elements) == 1:
                total -= open_elements[-1]
                open_elements[-1] = 0
        elif kind == "elif":
            elifs += 1
            if elifs > MOST_ELIFS:
                return True
    return False


def _brackets(text: str) -> int:
    """The depth of brackets, those in strings too: an f-string holds code, and where it ends
    depends on the version. A line that begins with a word ends what was open before."""
    depth = deepest = 0
    for match in re.finditer(r"[(\[{]|[)\]}]|^\w", text, re.MULTILINE):
        token = match[0]
        if token in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif token in ")]}":
            depth = max(depth - 1, 0)
        else:
            depth = 0
    return deepest
