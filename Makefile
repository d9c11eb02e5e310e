# Needs python3 (3.11 or newer) with pip, and make. No venv module, no root rights: pip is asked from outside to install
# into an environment that was made without it.

PYTHON ?= python3
VENV ?= .venv
# For two processors: tests wait for servers, browsers and clocks more than a third of their time.
WORKERS ?= 4

BIN := $(VENV)/bin
# An installation is as good as the files that describe it: it is repeated when they change.
RUN_STAMP := $(VENV)/.installed-run
DEV_STAMP := $(VENV)/.installed-dev
BENCH_STAMP := $(VENV)/.installed-bench
AUDIT_STAMP := $(VENV)/.installed-audit
PIP_INSTALL := $(PYTHON) -m pip --python $(BIN)/python --disable-pip-version-check install --quiet \
	--constraint constraints.txt

.PHONY: help run test lint format messages bench compiled pure audit clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST)

run: $(RUN_STAMP) ## start the server (settings: docs/settings.md)
	@exec $(BIN)/ulm serve

# Compiled modules are kept, whatever the environment says: a run starts hundreds of processes.
test: export PYTHONDONTWRITEBYTECODE :=
test: $(DEV_STAMP) ## the whole test suite, on SQLite, on PostgreSQL and in a browser
	@.ci/browser
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -rs $(ARGS)

lint: $(DEV_STAMP) ## format, ruff and mypy
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --config-file clients/python/pyproject.toml

format: $(DEV_STAMP) ## put right what ruff can put right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

messages: $(DEV_STAMP) ## collect the texts and bring the catalogues up to date
	$(BIN)/python -m server.language.collect

bench: $(BENCH_STAMP) ## measure (benchmarks/)
	$(BIN)/python -m benchmarks $(ARGS)

compiled: $(DEV_STAMP) ## compile the engine beside its sources (needs gcc and Python's headers)
	@echo "Compiling the engine, a minute or two …"
	$(BIN)/python hatch_build.py
	@$(BIN)/ulm --version

pure: ## take the compiled engine away again
	rm -rf build ulm_engine__mypyc.*
	find server/engine bots -name '*.so' -delete

# Strict: a library of which nothing could be learned is not a library without holes.
audit: $(AUDIT_STAMP) ## look up every version of constraints.txt among the known holes (needs pypi.org)
	$(BIN)/pip-audit --strict --no-deps --disable-pip --requirement constraints.txt $(ARGS)

clean: pure ## remove the environment, the compiled engine and all caches; data stays
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find server replays bots ulm tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; choose one with: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -m pip --version >/dev/null \
		|| { echo "pip is needed: apt install python3-pip" >&2; exit 1; }
	$(PYTHON) -m venv --without-pip $(VENV)

$(RUN_STAMP): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing into $(VENV), a minute the first time …"
	$(PIP_INSTALL) --editable .
	@touch $@

$(DEV_STAMP): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing the tools into $(VENV), a minute or two the first time …"
	$(PIP_INSTALL) --editable '.[dev]'
	@touch $@ $(RUN_STAMP)

$(BENCH_STAMP): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP_INSTALL) --editable '.[dev,bench]'
	@touch $@ $(DEV_STAMP) $(RUN_STAMP)

$(AUDIT_STAMP): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP_INSTALL) --editable '.[audit]'
	@touch $@ $(RUN_STAMP)
