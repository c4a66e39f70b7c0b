# `make` alone lists the targets.
#
# Every target works in a fresh clone with only python3, venv and make installed: it first creates
# the virtual environment that it needs.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
TEMPLATES := web/compiled_templates/.made
INPUTS := pyproject.toml setup.py $(wildcard systemd/packaging/locks/*.txt) $(wildcard companion/locale/*/LC_MESSAGES/*.po companion/games/*/locale/*/LC_MESSAGES/*.po)

.DEFAULT_GOAL := help
.PHONY: help play floor test test-all bars lint bench golden demo pictures texts plans dist deb locks scripts clean

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

ENOUGH := import sys; v = sys.version_info; sys.exit(v < (3, 11) and "The companion needs \
Python 3.11 or newer, and $(PYTHON) is %d.%d. To use another one: make play PYTHON=python3.12" % v[:2])
INSTALL = @$(PYTHON) -c '$(ENOUGH)' && systemd/environment $(PYTHON) $(VENV)

$(VENV)/.plays: $(INPUTS)
	$(INSTALL) play
	@touch $@

$(VENV)/.tests: $(INPUTS)
	$(INSTALL) dev
	@touch $@ $(VENV)/.plays

# Compiled templates; a table otherwise compiles each when it first shows it.
$(TEMPLATES): $(VENV)/.plays web/rendering/compiled_templates.py $(wildcard web/templates/*/*.html web/templates/*.html companion/games/*/templates/*.html)
	@$(BIN)/python web/rendering/compiled_templates.py
	@touch $@

# Variables given on make's command line are passed on literally, without expansion by the shell or
# make. Those of the environment are ignored: it has its own LANG, and often a PORT.
own = $(if $(findstring command,$(origin $(1))),$(value $(1)))
said = $(if $(call own,$(1)), $(2)'$(subst ','\'',$(call own,$(1)))')
OPTIONS = $(call said,GAME)$(call said,SEATS,--seats=)$(call said,LANG,--lang=)$(call \
	said,SEED,--seed=)$(call said,PACE,--pace=)$(call said,ADDRESS,--address=)$(call \
	said,PORT,--port=)$(call said,DATA,--data=)$(if $(call own,DEMO), --demo)

play: $(VENV)/.plays $(TEMPLATES)  ## play at a simulated table (GAME= SEATS= LANG= SEED= PACE= ADDRESS= PORT= DATA= DEMO=1)
	@$(BIN)/companion play$(OPTIONS)

floor: $(VENV)/.plays $(TEMPLATES)  ## play twelve simulated tables, a broker and the page of the floor (TABLES= PORT=)
	@$(BIN)/python -m bench.floor_demo$(call said,TABLES,--tables=)$(call said,PORT,--port=)

# Two workers and many commands would compile the same files again and again.
unexport PYTHONDONTWRITEBYTECODE
# Some tests wait more than they compute: one worker more than cores keeps these busy.
test test-all bars: export PYTEST_XDIST_AUTO_NUM_WORKERS = $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
PYTEST = $(BIN)/python -m pytest --numprocesses auto --dist worksteal --quiet
test: $(VENV)/.tests $(TEMPLATES)  ## run the tests (TESTS="tests/judge -k bids" runs some)
	@$(PYTEST) $(TESTS)

test-all: $(VENV)/.tests $(TEMPLATES)  ## run the tests that take more samples, with more of them (15 min)
	@CAMPAIGN=wide $(PYTEST) $(TESTS)

bars: $(VENV)/.tests $(TEMPLATES)  ## run the large campaigns: 100 000 rounds of readers, 2 000 piles, the most samples (2 h)
	@test "$$(id -u)" = 0 && command -v debootstrap systemd-nspawn >/dev/null || { echo 'make bars needs root, debootstrap and systemd-container, for the Debian package.' >&2; exit 1; }
	@CAMPAIGN=large $(PYTEST) $(TESTS)

lint: $(VENV)/.tests  ## check style and types; those of the scripts as well where node is installed
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@command -v npm >/dev/null || { echo 'make lint: the scripts are not checked without npm.' >&2; exit 0; } && $(MAKE) --no-print-directory scripts

scripts: web/node_modules/.made  ## check the types of the scripts (needs npm)
	@cd web && node_modules/.bin/tsc && node_modules/.bin/tsc -p export

web/node_modules/.made: web/package.json web/package-lock.json
	@cd web && npm ci --silent --no-audit --no-fund
	@touch $@

bench: $(VENV)/.tests $(TEMPLATES)  ## measure the speeds and compare them with the limits
	@$(BIN)/python -m bench

golden: $(VENV)/.tests  ## play the golden games again and write down the results
	@$(BIN)/python -m tests.generators.golden_games

demo: $(VENV)/.tests $(TEMPLATES)  ## have the bots play the recorded games of the demo again
	@$(BIN)/python -m tests.generators.demo_scenes

pictures: $(VENV)/.tests $(TEMPLATES)  ## take the screenshots of README and set-up page again
	@$(BIN)/python -m docs.pictures.take
	@$(BIN)/python -m docs.pictures.first

texts: $(VENV)/.tests  ## collect new texts into the German and French catalogues of the companion and its games
	@$(BIN)/python -m tests.generators.catalogues

plans: dist/plans/tray.stl dist/plans/tray.svg dist/plans/jig.stl dist/plans/jig.svg  ## render tray and jig for printer and laser, with OpenSCAD
dist/plans/%.stl: docs/plans/%.scad
	@mkdir -p $(@D) && openscad -q -o $@ $<
dist/plans/%.svg: docs/plans/%.scad
	@mkdir -p $(@D) && openscad -q -D flat=true -o $@ $<

dist: $(VENV)/.tests  ## make sdist and wheel of the last commit, in dist/
	@$(BIN)/python -I systemd/packaging/dist

deb: $(VENV)/.tests  ## make the Debian package of the last commit, in dist/ (needs dpkg-deb)
	@$(BIN)/python -I systemd/packaging/deb

locks: $(VENV)/.tests  ## write the hashes of all libraries, of the versions in constraints.txt
	@systemd/packaging/lock $(BIN)/python

clean:  ## delete the virtual environment and everything built
	test ! -e '$(VENV)/pyvenv.cfg' || rm -rf '$(VENV)'
	rm -rf build *.egg-info web/compiled_templates web/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
