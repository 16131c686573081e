# `make demo` plays a small tournament with a real language model on this machine; `make test` runs the tests.
# Both need Python 3.11 or newer and pip, and nothing else.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
JOBS ?= auto
RUN ?= runs/demo-$(shell date +%Y%m%d-%H%M%S)

.PHONY: demo test test-all lint bench clean

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Ludometer needs Python 3.11 or newer; set PYTHON=python3.12 or the like")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

# The stamps are made anew when the requirements change.
$(VENV)/.demo: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet -e '.[local]'
	@touch $@

$(VENV)/.dev: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet -e '.[dev,local]'
	@touch $@

demo: $(VENV)/.demo
	$(BIN)/ludometer models pull smollm2-135m
	$(BIN)/ludometer run presets/quickstart.toml --dir $(RUN)
	$(BIN)/ludometer leaderboard $(RUN)
	$(BIN)/ludometer report $(RUN)

test: $(VENV)/.dev
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile -m 'not slow'

# Everything, slow tests included; with LUDOMETER_NO_SKIPS=1 a skipped test is a failure.
test-all: $(VENV)/.dev
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile -rs

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet -e '.[dev,local,bench,fast,scale]'
	$(BIN)/python benchmarks/ratings.py
	$(BIN)/python benchmarks/throughput.py
	$(BIN)/python benchmarks/memory.py
	$(BIN)/python benchmarks/random_play.py
	$(BIN)/python benchmarks/risk.py
	$(BIN)/python benchmarks/uno.py
	$(BIN)/python benchmarks/viewer.py
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/schedules.py
	$(BIN)/python benchmarks/stopping.py
	$(BIN)/python benchmarks/luck.py
	$(BIN)/python benchmarks/ray_scaling.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
