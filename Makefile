# The two commands of the README. A bare machine needs Python 3.11 or newer, and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-slow lint bench setup clean

demo: setup
	$(BIN)/tb2learn quickstart

test: setup-test lint
	$(BIN)/python -m pytest -n 2

test-slow: setup-test
	$(BIN)/python -m pytest -n 2 -m slow

.PHONY: setup-test
lint: setup-test
	$(BIN)/ruff check .

bench: setup
	$(BIN)/python benchmarks/simulate.py

setup: $(VENV)/.installed
setup-test: $(VENV)/.installed-test

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)

# Installed in place: an edit of the package needs no new setup.
$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.installed-test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .hypothesis .ruff_cache
