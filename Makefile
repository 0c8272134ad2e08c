# Every word but `help` begins with `setup`, which costs nothing when nothing changed.
# PYTHON=python3.12 make setup   uses another Python (3.11 or newer).

PYTHON ?= python3
PATH ?= /usr/local/bin:/usr/bin:/bin
export PATH
BIN := .venv/bin
READY := .venv/ready-$(shell pwd | cksum | cut -d' ' -f1)

.DEFAULT_GOAL := help
.PHONY: help setup demo test check lint bench docs fmt

help:   ## say what each word does
	@sed -n 's/^\([a-z]*\): .*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

setup: $(READY)  ## make .venv with all that is needed (no root, nothing outside this folder)

# The stamp is named after this folder: a copied or moved .venv is made anew.
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "bythebook needs Python 3.11 or newer; name one: make setup PYTHON=python3.12" >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' || \
	  { echo "this Python cannot make a venv; on Debian: apt-get install python3-venv" >&2; exit 2; }
	$(PYTHON) -m venv $(if $(wildcard $@),,--clear) .venv
	$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[dev]'
	@rm -f .venv/ready-* && touch $@

demo: setup  ## play what ships with three agents, without key or network, and write a site of it
	$(BIN)/bythebook demo

test: setup  ## all tests; pytest's summary comes last
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal

check: lint test  ## all that must hold, fastest first

lint: setup  ## all of `check` but the tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy src tests authoring $(wildcard bench docs/__main__.py)
	$(BIN)/lint-imports

bench: setup .venv/bench-ready  ## measure the budgets, and the ratios to Inspect, tau2, LibreOffice and markitdown
	$(BIN)/python -m bench

.venv/bench-ready: $(READY)
	$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[bench]'
	@touch $@

docs: setup  ## write the generated pages of docs/ from the code
	$(BIN)/python -m docs

fmt: setup  ## put the code in order
	$(BIN)/ruff check --fix --exit-zero --quiet .
	$(BIN)/ruff format .
