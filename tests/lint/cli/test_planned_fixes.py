"""Fixes are planned where somebody sees them: planning takes as long as linking."""

import pytest

BUILDER = "def make_kernel_repr(base_name, config_keys, name_key=None): ...\n"
KERNEL = """\
import triton
import triton.language as tl
from names import make_kernel_repr

"""


def kernels(count: int) -> str:
    """So many kernels with one key too many."""
    return KERNEL + "".join(
        f"""
_k{n}_repr = make_kernel_repr("k{n}", ["BLOCK", "EXTRA"])


@triton.jit(repr=_k{n}_repr)
def k{n}(x, BLOCK: tl.constexpr):
    tl.store(x, BLOCK)


def run{n}(x):
    k{n}[(1,)](x, BLOCK=8)

"""
        for n in range(count)
    )


@pytest.fixture
def many(project):
    return project.write({"names.py": BUILDER, "k.py": kernels(60)})


def test_full_output_shows_the_first_fixes(many, cli):
    done = cli("check")
    assert done.out.count("error AIT201") == 60
    assert done.out.count("= fix:") == 50
    assert "Up to 60 fixable by `aiter-lint fix`." in done.out


def test_a_few_fixes_are_all_shown(project, cli):
    project.write({"names.py": BUILDER, "k.py": kernels(3)})
    done = cli("check")
    assert done.out.count("= fix:") == 3
    assert "3 fixable by `aiter-lint fix`." in done.out and "Up to" not in done.out


def test_concise_output_counts_what_a_fix_may_exist_for(many, cli):
    done = cli("check", "--output-format", "concise")
    assert done.out.count(" [fixable]\n") == 60
    assert "Up to 60 fixable by `aiter-lint fix`." in done.out


def test_programs_get_every_fix(many, cli):
    done = cli("check", "--output-format", "json")
    assert all(finding["fix"] for finding in done.json) and len(done.json) == 60


def test_fixes_are_applied_to_the_last(many, cli):
    assert cli("fix").code == 0
    assert "EXTRA" not in many.read("k.py")


def test_a_repair_that_cannot_be_made_is_not_called_fixable(project, cli):
    project.write({"k.py": kernels(1).replace("from names import make_kernel_repr\n", "")
                   .replace('_k0_repr = make_kernel_repr("k0", ["BLOCK", "EXTRA"])\n', "")
                   .replace("(repr=_k0_repr)", "")})  # fmt: skip
    done = cli("check", "--output-format", "full", "--output-format", "concise")
    assert "no automatic fix" in done.out
    assert "fixable" not in done.out
