# Two commands are enough: `make app` starts the dashboard, `make test` runs the tests. `make help` lists the rest.

PYTHON   ?= python3
PORT     ?= 8501
RUN      ?= imdb-cnn
SINCE    ?= HEAD
PIP_ARGS ?=
VENV     ?= .venv
WORKERS  ?= 2

ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif

# Two processes, each with its own server and browser; an idle process takes tests from the other. A third process
# (WORKERS=3) uses the time spent waiting for a browser, and needs 3 GB more memory.
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
# Let pytest reuse its compiled files, which saves twenty seconds in each process.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: app test test-all test-changed lint unit check bench train docs gallery clean help

app: $(VENV)/.runtime ## Start the dashboard on http://127.0.0.1:8501 (PORT=8502 for another port)
	@$(BIN)/python -m streamlit run app.py --server.port $(PORT)

test: $(VENV)/.dev ## Run all tests, including those in a real browser (ARGS="-k saliency" for a selection)
	@$(BIN)/python tests/browser/chromium.py --install
	$(PYTEST) $(ARGS)

test-all: ## Run all tests at full width, including slow tests that rarely fail
	@$(MAKE) test ARGS="--width=all $(ARGS)"

test-changed: ## Run the tests affected by changes since the last commit (SINCE=main for another reference)
	@$(MAKE) test ARGS="--changed=$(SINCE) $(ARGS)"

lint: $(VENV)/.dev ## Check style, types and import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

unit: $(VENV)/.dev
	$(PYTEST) tests/unit

check: $(VENV)/.dev ## Run lint and the unit tests in parallel (a few minutes)
	@$(MAKE) --no-print-directory --jobs=2 lint unit

bench: $(VENV)/.dev ## Run the benchmarks and update benchmarks/results.json and benchmarks/README.md
	$(BIN)/python -m benchmarks

train: $(VENV)/.runtime ## Train a run again (RUN=imdb-cnn by default)
	$(BIN)/python -m nlpviz train $(RUN)

docs: $(VENV)/.dev ## Build the documentation offline in build/docs/html
	$(BIN)/python docs/site/build.py

gallery: $(VENV)/.runtime ## Write the tours and reports as standalone pages to build/gallery
	@$(BIN)/python docs/gallery.py

clean: ## Remove the environment and the tools' caches, but not corpora and trained runs
	rm -rf $(VENV) .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## List all commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /make \1|/' | awk -F'|' '{printf "  %-17s %s\n", $$1, $$2}'

# ---------------------------------------------------------------------------------------------------- environment
# An empty file in the environment marks the installed requirements: pip runs only if the requirements are newer.
# PIP_ARGS is passed to pip: make app PIP_ARGS="--extra-index-url …/whl/cpu"

# The command `nlpviz`, and the package for code that a page saves, in any folder.
INSTALL = $(BIN)/python -m pip install --disable-pip-version-check $(PIP_ARGS) --quiet --no-deps --editable .

$(VENV)/.runtime: requirements.txt | $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --disable-pip-version-check $(PIP_ARGS) -r requirements.txt
	@$(INSTALL)
	@touch $@

$(VENV)/.dev: requirements-dev.txt requirements.txt | $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --disable-pip-version-check $(PIP_ARGS) -r requirements-dev.txt
	@$(INSTALL)
	@touch $(VENV)/.runtime $@

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "nlpviz needs Python 3.11 or newer, but $(PYTHON) is '$$($(PYTHON) --version 2>&1)': choose another version, as in make app PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "nlpviz needs Python's venv module: install it (Debian and Ubuntu: apt-get install python3-venv)" >&2; exit 1; }
	@echo "nlpviz: creating $(VENV) and installing the requirements; this takes a few minutes, only once"
	@$(PYTHON) -m venv $(VENV)
