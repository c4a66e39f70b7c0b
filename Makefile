# The verbs of the house. `make` alone lists them.
#
# Everything runs from a fresh clone with nothing but python3, venv and make:
# a verb first makes the virtual environment it needs, then does its work.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

INPUTS := pyproject.toml setup.py constraints.txt $(wildcard companion/locale/*/LC_MESSAGES/*.po)

.DEFAULT_GOAL := help
.PHONY: help play test lint bench soak golden texts docs clean

help:  ## list these verbs
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(BIN)/python:
	@echo "Making a virtual environment in $(VENV) …"
	@$(PYTHON) -m venv $(VENV)

# The reader package drives the simulated readers too, but what it depends on builds on a Pi only:
# there the `pi` extra brings it, here the simulator stands in.
DRIVER := --no-deps mfrc522==0.0.7

$(VENV)/.plays: $(BIN)/python $(INPUTS)
	@echo "Installing the companion (once, about half a minute) …"
	@$(PIP) install --constraint constraints.txt --editable .
	@$(PIP) install $(DRIVER)
	@touch $@

$(VENV)/.tests: $(BIN)/python $(INPUTS)
	@echo "Installing the companion and its test tools (once, about a minute) …"
	@$(PIP) install --constraint constraints.txt --editable '.[dev]'
	@$(PIP) install $(DRIVER)
	@touch $@ $(VENV)/.plays

play: $(VENV)/.plays  ## play at a simulated table, nothing to configure
	@$(BIN)/companion play $(ARGS)

test: $(VENV)/.tests  ## run every test (TESTS="tests/judge -k bids" runs some)
	@$(BIN)/python -m pytest --numprocesses auto --dist worksteal --quiet $(TESTS)

lint: $(VENV)/.tests  ## check style and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(VENV)/.tests  ## measure the speeds the project promises
	@$(BIN)/python -m bench

soak: $(VENV)/.tests  ## noisy readers, 300 rough games, 330 pulls of the plug, 20 000 requests (55 min)
	@$(BIN)/python -m bench.hardware_soak --rounds 100000 --sets 1000
	@$(BIN)/python -m bench.table_soak --games 100 --pulls 110
	@EVENINGS=all $(BIN)/python -m pytest --quiet tests/pages/test_evening.py tests/pages/test_axe.py
	@$(BIN)/python -m bench.api_soak --cases 20000

golden: $(VENV)/.tests  ## play the golden games again and write what changed
	@$(BIN)/python -m tests.golden.write

texts: $(VENV)/.tests  ## collect new texts into the catalogues (German, French)
	@$(BIN)/python -m tests.texts.collect

docs: $(VENV)/.tests  ## draw docs/phases.md from the phase tables, list the codes in docs/api.md
	@$(BIN)/companion phases --markdown > docs/phases.md
	@$(BIN)/python -m tests.web.codes

clean:  ## forget the virtual environment and everything built
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
