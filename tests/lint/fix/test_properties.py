"""Properties of fixes, over generated modules: decorator stacks, comments in every place, nested,
guarded, all line ends, BOM, tabs, form feeds, no line end at the end."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.lint.fix.spec import fixed

COMMENT = st.sampled_from(["", "  # note", "  #: documented", "  # é"])
LINE_COMMENT = st.sampled_from(["", "# above\n", "# two\n# lines\n", "# apart\n\n", "\n"])
DECORATORS = st.sampled_from(
    [
        "@triton.jit",
        "@triton.jit()",
        "@triton.jit(do_not_specialize=['n'])",
        "@triton.jit(\n    do_not_specialize=['n'],\n)",
        "@triton.jit(\n    do_not_specialize=('n',)  # runtime\n)",
        "@triton.jit(  # nothing\n)",
        "@jit",
        "@triton.heuristics({'E': lambda args: args['n'] % 8 == 0})\n@triton.jit",
        "@staticfree\n@triton.jit(debug=True, noinline=False)",
        "@triton.jit(repr=_{name}_other, do_not_specialize=['n'])",
    ]
)
KEYS = st.lists(st.sampled_from(["B", "C", "E", "n", "DEAD", "num_warps", "OLD"]), max_size=6)
FORM = st.sampled_from(["plain", "nested", "static", "if", "try"])
HEADS = st.sampled_from(
    [
        "import triton\nimport triton.language as tl\nfrom triton import jit\n",
        "import triton, triton.language as tl\nfrom triton import (\n    jit,\n)\n",
        '"""Doc."""\nfrom __future__ import annotations\nimport os\nimport triton\n'
        "import triton.language as tl\nfrom triton import jit\nfrom names import (\n"
        "    make_kernel_repr,  # the builder\n)\n",
        "import triton\nimport triton.language as tl\nfrom triton import jit\n\n"
        "import names as n_\n",
        "# a license\n\ntry:\n    import triton\n    from triton import jit\n"
        "    import triton.language as tl\nexcept ImportError:\n    raise\n",
    ]
)


@st.composite
def kernels(draw, name: str) -> str:
    """A kernel and its launch."""
    form = draw(FORM)
    decorator = draw(DECORATORS)
    before = ""
    if "_other" in decorator:
        rows = [f'"{key}"' for key in draw(KEYS)]
        if draw(st.booleans()):
            inside = "".join(f"        {row},{draw(COMMENT)}\n" for row in rows)
            listed = f"[\n{inside}    ]"
        else:
            listed = f"[{', '.join(rows)}]"
        before = (
            f'_{name}_other = make_kernel_repr("{name}", {listed}){draw(COMMENT)}\n'
            f"{draw(LINE_COMMENT)}\n"
        )
        decorator = decorator.format(name=name)
        form = "plain"
    lines = [
        f"{draw(LINE_COMMENT)}{decorator}{draw(COMMENT)}",
        f"def {name}(x, n, B: tl.constexpr,{draw(COMMENT)}",
        f"    C: tl.constexpr = 4, E: tl.constexpr = True):{draw(COMMENT)}",
        f"    tl.store(x + n, B){draw(COMMENT)}",
        f"{draw(LINE_COMMENT)}",
    ]
    text = "\n".join(lines)
    launch = f"\ndef run_{name}(x):\n    {name}[(1,)](x, 4, B=8)\n"
    if form == "nested":
        text = f"def make_{name}():\n{indented(text)}\n    return {name}\n"
        launch = launch.replace(f"{name}[", f"make_{name}()[")
    elif form == "static":
        first, _, rest = text.partition("@")
        text = f"{first}class Of_{name}:\n{indented('@staticmethod' + chr(10) + '@' + rest)}\n"
        launch = launch.replace(f"{name}[", f"Of_{name}.{name}[")
    elif form == "if":
        text = f"if tl is not None:\n{indented(text)}\n"
    elif form == "try":
        text = f"try:\n{indented(text)}\nfinally:\n    pass\n"
    return f"{before}{text}\n{launch}"


def indented(text: str) -> str:
    return "\n".join(f"    {line}" if line.strip() else line for line in text.split("\n"))


@st.composite
def modules(draw) -> str:
    head = draw(HEADS)
    body = "\n\n".join(draw(kernels(name)) for name in ("first", "_second_kernel"))
    if "_other = " in body and "make_kernel_repr" not in head:
        head += "from names import make_kernel_repr\n"
    return f"{head}\ndef staticfree(function):\n    return function\n\n{body}"


@st.composite
def as_bytes(draw, text: str) -> bytes:
    if draw(st.booleans()):
        text = text.replace("    ", "\t")
    if draw(st.booleans()):
        text = text.replace("\ndef run", "\n\fdef run", 1)
    if draw(st.booleans()):
        text = text.rstrip("\n")
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    bom = b"\xef\xbb\xbf" if draw(st.booleans()) else b""
    return bom + text.replace("\n", end).encode()


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_stubs_and_dead_keys(data: st.DataObject) -> None:
    before = data.draw(modules().flatmap(as_bytes))
    files, outcome = fixed({"m.py": before})
    after = files["m.py"]
    text = after.decode("utf-8-sig")

    assert not outcome.refused
    remaining = [f for f in outcome.left if f.fix is None or f.fix.applicability == "safe"]
    assert not remaining, remaining

    assert after.startswith(b"\xef\xbb\xbf") == before.startswith(b"\xef\xbb\xbf")
    if b"\r\n" in before:
        assert after.count(b"\r\n") == after.count(b"\n") == after.count(b"\r")
    elif b"\r" in before:
        assert b"\n" not in after
    else:
        assert b"\r" not in after
    assert comments(text) == comments(before.decode("utf-8-sig"))
    assert essence(text) == essence(before.decode("utf-8-sig"))


def comments(text: str) -> Counter[str]:
    lines = io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n"))
    tokens = tokenize.generate_tokens(lines.readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


class _Strip(ast.NodeTransformer):
    """Takes out what fixes are about: builders, their import, keys, and `repr=`."""

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        call = node.value
        if isinstance(call, ast.Call) and "make_kernel_repr" in ast.unparse(call.func):
            return None
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module == "names" else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        node.keywords = [keyword for keyword in node.keywords if keyword.arg != "repr"]
        name = ast.unparse(node.func)
        if name in ("triton.jit", "jit") and not node.args and not node.keywords:
            return node.func
        return node


def essence(text: str) -> str:
    return ast.dump(_Strip().visit(ast.parse(text)))
