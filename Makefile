# `make lint` and `make test` set up all they need in .venv, from nothing but Python >= 3.10.
# What is set up is stamped: a second run starts at once. `make clean` removes it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: lint test format docs clean

lint: $(VENV)/linter.stamp
	$(BIN)/aiter-lint check kernels

# Each step is a check of its own; pytest holds the checks for drift (rule reference, settings).
test: $(VENV)/tests.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/aiter-lint check
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

format: $(VENV)/tests.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# What is generated, and held to its source by tests.
docs: $(VENV)/tests.stamp
	$(BIN)/python -m aiter_lint.rules.reference
	$(BIN)/python -m aiter_lint.settings.schema
	$(BIN)/python -m aiter_lint.settings.table

clean:
	rm -rf $(VENV)

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and \
	  "%s is Python %d.%d; name one from 3.10 on: make PYTHON=python3.12" % \
	  (sys.executable, *sys.version_info[:2]))'
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/linter.stamp: pyproject.toml $(VENV)/pyvenv.cfg
	$(PIP) --editable .
	@touch $@

# torch and triton come by lines of their own, pinned: which build of torch pip takes must not
# depend on what else is asked for. The second Triton lies beside the first, for child processes
# that put it in front (AITER_LINT_TRITON39 names another place).
$(VENV)/tests.stamp: pyproject.toml Makefile $(VENV)/linter.stamp
	$(PIP) torch==2.13.0
	$(PIP) triton==3.6.0
	$(PIP) --no-deps --upgrade --target $(VENV)/triton39 triton==3.9.0
	$(PIP) --editable '.[test]'
	@touch $@
