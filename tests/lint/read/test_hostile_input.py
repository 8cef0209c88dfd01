"""Input that overflows stacks, memory or patience. Each case runs in a process of its own, so a
crash is a failure of one test, and with a time limit."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys, msgspec
from aiter_lint.read.facts import FileFacts
from aiter_lint.read.reader import bodies_of, read_file
data = eval(sys.argv[1])
facts = read_file(data if isinstance(data, bytes) else data.encode())
assert msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=FileFacts) == facts
print("fault" if facts.fault else "facts")
"""

FAULTS = {
    "brackets": "'(' * 10_000 + ')' * 10_000",
    "open brackets": "'[' * 10_000",
    "brackets in python 2": "'print x\\n' + '(' * 10_000 + ')' * 10_000",
    "brackets in an f-string": "'print x\\n' + 'f\\'{\"\" ' + '(' * 10_000 + ')' * 10_000 + '}\\''",
    "subscripts in python 2": "'print x\\n' + 'a[' * 10_000 + ']' * 10_000",
    "not in python 2": "'print x\\n' + 'not ' * 10_000 + '1'",
    "lambda in python 2": "'print x\\n' + 'lambda:' * 10_000 + '1'",
    "power in python 2": "'print x\\n' + '2**' * 10_000 + '1'",
    "conditions in python 2": "'print x\\n' + 'a if b else ' * 10_000 + '1'",
    "attributes in python 2": "'print x\\n' + 'a' + '.b' * 10_000",
    "calls in python 2": "'print x\\n' + 'a' + '()' * 10_000",
    "comparisons in python 2": "'print x\\n' + 'a<' * 10_000 + 'b'",
    "generators in python 2": "'print x\\n[a ' + 'for a in b ' * 3000 + ']'",
    "elifs in python 2": "'print x\\nif a: pass\\n' + 'elif a: pass\\n' * 20_000",
    "indents": "''.join(' ' * i + 'if 1:\\n' for i in range(600)) + ' ' * 600 + 'pass\\n'",
    "f-strings": "'print x\\n' + \"f'{\" * 500 + \"}'\" * 500",
    "statements in python 2": "'print x\\n' + 'x=1;' * 20_000",
    "a long line": "'x = 1; ' * 3_000_000",
    "a long string": "\"x = '\" + 'a' * 20_000_000 + \"'\"",
    "a null byte": "b'x = 1\\0'",
    "a binary file": "bytes(range(256)) * 1000",
    "utf-16": "'x = 1'.encode('utf-16')",
    "python 2": '\'print "hello"\\nexec "x"\\n\'',
}

EITHER = {  # the limits of the running Python decide
    "plus": "'x = ' + '1+' * 5000 + '1'",
    "plus at length": "'x = ' + '1+' * 50_000 + '1'",
    "attributes": "'x = a' + '.b' * 3000",
    "elifs": "'if a: pass\\n' + 'elif a: x = k[g](1)\\n' * 3000",
    "not": "'x = ' + 'not ' * 10_000 + '1'",
    "minus": "'x = ' + '-' * 100_000 + '1'",
    "calls": "'x = f' + '()' * 3000",
    "subscripts": "'x = a' + '[0]' * 3000",
    "a deep jit body": "'@jit\\ndef f():\\n  x = ' + '1+' * 2500 + '1'",
    "a big number": "'x = ' + '9' * 10_000",
    "brackets that python takes": "'x = ' + '(' * 190 + '1' + ')' * 190",
    "decorators": "'@a\\n' * 20_000 + 'def f(): pass'",
}

FACTS = {
    "nothing": "b''",
    "blank lines": "'\\n' * 2_000_000",
    "a long list": "'x = [' + '1, ' * 200_000 + ']'",
    "a long dict": "'x = {' + '1: 2, ' * 100_000 + '}'",
    "a wide line": "'x = [' + '\"é\" + a,' * 20_000 + ']; k[g](x)'",
    "strings in a row": "'x = (' + '\"a\"\\n' * 20_000 + ')'",
    "many functions": "'def f(x: int = 1): return k[g](x)\\n' * 4_000",
    "deep functions": "''.join(' ' * i + 'def f():\\n' for i in range(99)) + ' ' * 99 + 'k[g]()'",
    "deep blocks": "''.join(' ' * i + 'if a:\\n' for i in range(99)) + ' ' * 99 + 'k[g](1)\\n'",
}


def outcome(expression: str) -> str:
    command = [sys.executable, "-c", PROGRAM, expression]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr[-2000:]
    return result.stdout.strip()


@pytest.mark.parametrize("name", FAULTS)
def test_fault(name: str) -> None:
    assert outcome(FAULTS[name]) == "fault"


@pytest.mark.parametrize("name", EITHER)
def test_survives(name: str) -> None:
    assert outcome(EITHER[name]) in ("fault", "facts")


@pytest.mark.parametrize("name", FACTS)
def test_facts(name: str) -> None:
    assert outcome(FACTS[name]) == "facts"
