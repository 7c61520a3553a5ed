# What a fresh machine needs: Python >= 3.11 with venv, make and the network.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp
PIP := $(BIN)/python -m pip --no-input --disable-pip-version-check -qq

# A caller's paths would shadow our generic package names; writing bytecode saves time in each of the many
# processes that the tests start.
unexport PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help venv test test-postgres test-forums check lint types layers goldens docs guide mutants fmt bench demo lock clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

venv: $(STAMP)  ## the virtual environment .venv, from the lock

$(STAMP): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(None if v >= (3, 11) else f"Turnero needs Python 3.11 or newer, {sys.executable} is {v.major}.{v.minor}: make PYTHON=python3.11 …")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --require-hashes -r requirements.txt
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

test: $(STAMP)  ## all tests, on SQLite, real forums included; make test ARGS=FILE for some
	$(BIN)/python -m pytest $(ARGS)

test-postgres: $(STAMP)  ## the tests in which the database matters, on a PostgreSQL server of their own
	$(BIN)/python -m pytest --database postgres

test-forums: $(STAMP)  ## adapters on a real FlaskBB and a real Misago, and whole nights on them and on Spirit
	@$(BIN)/python -m tools.forums
	$(BIN)/python -m pytest --forums tests/forums tests/reliability/test_forum_nights.py $(ARGS)

check: lint types layers goldens docs  ## everything that can be checked without playing

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

layers: $(STAMP)
	$(BIN)/lint-imports --no-logo

goldens: $(STAMP)  ## rehearse tests/golden/*/*.toml under two hash seeds
	$(BIN)/python tools/check_goldens.py

docs: $(STAMP)  ## what the documentation says is what the program does
	$(BIN)/python -m pytest -q -m docs

guide: $(STAMP)  ## write the guides and the messages in docs/ anew
	$(BIN)/turnero guide conquista > docs/es/conquista.md
	$(BIN)/turnero guide conquista --language en > docs/en/conquista.md
	$(BIN)/turnero guide valar > docs/es/valar.md
	$(BIN)/turnero guide valar --language en > docs/en/valar.md
	$(BIN)/python -m tests.support.diagnostic_examples es > docs/es/mensajes.md
	$(BIN)/python -m tests.support.diagnostic_examples en > docs/en/messages.md

fmt: $(STAMP)  ## format and fix what can be fixed by machine
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

mutants: $(STAMP)  ## plant mistakes in rule code, list those that no test notices: make mutants ARGS=FILE
	PYTHONHASHSEED=0 $(BIN)/python -m tools.mutants $(ARGS)

bench: $(STAMP)  ## what things cost, as ratios to floors measured in the same run (three minutes or so)
	$(BIN)/python -m benchmarks

demo: $(STAMP)  ## a whole night against a real forum on this machine: make demo ARGS='--game valar'
	$(BIN)/turnero demo $(ARGS)

lock:  ## write the locks anew, newest versions: make lock ARGS=--upgrade
	PYTHON=$(PYTHON) tools/lock.sh $(ARGS)

clean:  ## remove what was built, the virtual environment too
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
