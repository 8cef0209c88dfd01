#!/bin/sh
# The first day of aiter-lint in a repository that has old findings: install, baseline, hook; then a
# new kernel without a repr is refused by the commit, fixed, and accepted.
#
# usage: examples/first_day.sh [EMPTY-FOLDER]     PYTHON names the interpreter (default: python3)
set -eu

checkout=$(cd "$(dirname "$0")/.." && pwd)
day=${1:-$(mktemp -d)}
step() { printf '\n== %s\n' "$1"; }

step "A repository with old findings: $day"
cp -R "$checkout/examples/demo/." "$day"
cd "$day"
printf '.venv/\n.aiter_lint_cache/\n' > .gitignore
git init --quiet
git config user.name 'First Day'
git config user.email 'first.day@example.org'
git add --all
git commit --quiet --message 'The package as it was'

step 'Install'
"${PYTHON:-python3}" -m venv .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check "$checkout" pre-commit
PATH=$day/.venv/bin:$PATH
aiter-lint --version

step 'What there is'
aiter-lint check --output-format concise || [ $? -eq 1 ]

step 'The old findings go into the baseline'
aiter-lint baseline
aiter-lint check

step 'The hook'
cat > .pre-commit-config.yaml << EOF
repos:
  - repo: $checkout
    rev: $(git -C "$checkout" rev-parse HEAD)
    hooks:
      - id: aiter-lint
EOF
pre-commit install
git add --all
git commit --quiet --message 'Lint the kernels'

step 'A new kernel without a repr is refused'
cat >> attention/kernels.py << 'EOF'


@triton.jit
def _scale_kernel(x_ptr, factor, n, BLOCK_SIZE: tl.constexpr):
    at = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    tl.store(x_ptr + at, _rescale(tl.load(x_ptr + at, mask=at < n), factor), mask=at < n)
EOF
cat >> attention/layer.py << 'EOF'


def scale(x, factor):
    n = x.numel()
    _scale_kernel[(triton.cdiv(n, 1024),)](x, factor, n, BLOCK_SIZE=1024)
EOF
sed 's/import _scores_kernel/import _scale_kernel, _scores_kernel/' attention/layer.py > edited
mv edited attention/layer.py
git add --all
if git commit --quiet --message 'Scale a tensor'; then
    echo 'the commit was accepted: this is not how the day should go' >&2
    exit 1
fi

step 'The fix'
aiter-lint fix
git diff

step 'Accepted'
git add --all
git commit --quiet --message 'Scale a tensor'
git log --oneline
