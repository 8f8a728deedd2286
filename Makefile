# make run: start the companion.  make test: all tests.  make check: lint, types and fast tests.
# Everything is set up in .venv on first use; on a Raspberry Pi it sees apt's picamera2 and lgpio.
PYTHON ?= $(shell test -x /usr/bin/python3 && echo /usr/bin/python3 || echo python3)
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=
# Three processes share the tests out (tests/sharing.py): the virtual machine's tests wait most of their time.
SHARED_OUT := -n 3 --dist loadscope --no-loadscope-reorder

.PHONY: run rehearse test check soak bench bench-dice bench-tower train-dice lint format clean

run: $(VENV)/.run
	$(BIN)/companion serve $(ARGS)

rehearse: $(VENV)/.run
	$(BIN)/companion rehearse $(ARGS)

test: $(VENV)/.test
	$(BIN)/python -m pytest $(SHARED_OUT) $(ARGS)

check: $(VENV)/.test lint
	$(BIN)/python -m pytest -q $(SHARED_OUT) -m "not slow and not rig and not camera and not browser and not photos and not postgres" $(ARGS)

# Whole games by taps beside those that `make test` plays.
soak: $(VENV)/.test
	$(BIN)/python -m pytest $(SHARED_OUT) -m soak $(ARGS)

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.test
	$(BIN)/python -m pytest tests/benchmarks -q -s $(ARGS)

bench-dice: $(VENV)/.test
	$(BIN)/python tests/benchmarks/bench_dice.py $(ARGS)

bench-tower: $(VENV)/.test
	$(BIN)/python tests/benchmarks/bench_tower.py $(ARGS)
	$(BIN)/python tests/benchmarks/bench_lines.py

# Half a gigabyte of PyTorch, and two hours on two cores: see calibration/training/README.md.
train-dice: $(VENV)/.test
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[training]'
	$(BIN)/python -m calibration.training $(ARGS)

clean:
	rm -rf $(VENV) build *.egg-info

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; $(PYTHON) is older. Debian 12 and Raspberry Pi OS (Bookworm) or newer have it."; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv module is missing. Install it with: sudo apt install -y python3-venv"; exit 1; }
	$(PYTHON) -m venv --system-site-packages $(VENV)

$(VENV)/.run: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	@touch $@

$(VENV)/.test: $(VENV)/.run pyproject.toml
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[test,lint]'
	@touch $@
