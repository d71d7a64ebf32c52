# Each target sets up all it needs inside .venv from pinned versions; stamps there make the next run quick.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON := $(shell command -v python3.11 || command -v python3)
VENV := .venv
STAMPS := $(VENV)/stamps
PY := $(VENV)/bin/python
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check

PLATFORM := $(if $(filter Darwin,$(shell uname)),macos-arm64,linux-x64)
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' blender_manifest.toml)
ZIP := dist/stiction-$(VERSION)-$(subst -,_,$(PLATFORM)).zip
# Blender 5.2 runs Python 3.13 and is tested where there is one (pyenv hides versions that are not selected).
PYTHON313 := $(shell PYENV_VERSION=3.13.0 python3.13 -c 'import sys; print(sys.executable)' 2>/dev/null)
BLENDERS := 4.5 5.0 $(if $(PYTHON313),5.2)

# Blender would otherwise read and write the user's own preferences and extensions.
in-fresh-blender = export BLENDER_USER_RESOURCES=$$(mktemp -d); trap 'rm -rf "$$BLENDER_USER_RESOURCES"' EXIT; \
	export STICTION_KERNELS=$(abspath $(VENV)/kernels);  # compiled once for all Blenders

.PHONY: help setup lint check test solver-tests gui-test zip extension demo examples bench bench-full format clean
.PHONY: $(BLENDERS:%=blender-tests-%)

help: ## list the targets
	@grep -hE '^[a-z][a-z-]*:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

setup: $(STAMPS)/package $(STAMPS)/stubs $(BLENDERS:%=$(STAMPS)/blender-%) ## make every environment, run nothing

check: lint ## lint, types and the fast tests
	$(in-fresh-blender) $(PY) -m pytest tests -m "not slow" --ignore=tests/blender

test: lint zip ## all of check, the slow tests, and the zip in real Blenders, two at a time
	$(MAKE) --jobs=2 --output-sync=target solver-tests $(BLENDERS:%=blender-tests-%)

demo: zip $(STAMPS)/blender-4.5 ## install the built zip in a fresh Blender and bake a small shot
	$(in-fresh-blender) $(VENV)/blender-4.5/bin/python tools/demo.py $(ZIP)

examples: $(STAMPS)/package ## make, bake and render the example shots of docs/recipes into out/examples/
	$(in-fresh-blender) $(PY) -m examples

gui-test: zip $(STAMPS)/gui-blender ## the real panel in a Blender with a window (root, debootstrap; downloads 450 MB); pictures in out/
	mkdir -p out
	$(in-fresh-blender) STICTION_ZIP=$(abspath $(ZIP)) STICTION_PICTURES=$(abspath out) $(PY) -m pytest tests/gui -s

bench: $(STAMPS)/benchmarks ## the short benchmarks
	$(PY) -m benchmarks

bench-full: $(STAMPS)/benchmarks ## the paper-sized scenes, hours; goes on where it was stopped
	$(PY) -m benchmarks.full

extension: $(STAMPS)/package ## build and validate the zips of all platforms in dist/
	$(PY) -m tools.build_extension --platform all

format: $(STAMPS)/package ## rewrite the sources in the project's format
	$(PY) -m ruff check --fix-only --quiet .
	$(PY) -m ruff format .

clean: ## delete environments, downloads and build products
	rm -rf $(VENV) build dist out wheels *.egg-info .*_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

lint: $(STAMPS)/package $(STAMPS)/stubs
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	MYPYPATH=$(VENV)/types:$(VENV)/stubs $(PY) -m mypy -p stiction.solver -p stiction.addon

solver-tests: zip
	$(in-fresh-blender) STICTION_ZIP=$(abspath $(ZIP)) $(PY) -m pytest tests --ignore=tests/blender
	$(in-fresh-blender) $(PY) -m pytest tests/blender/test_command_line.py -k command_of_the_environment

# Always rebuilt: it takes seconds, and no list of prerequisites notices a deleted file.
zip: $(STAMPS)/package
	$(PY) -m tools.build_extension --platform $(PLATFORM)

$(BLENDERS:%=blender-tests-%): blender-tests-%: zip $(STAMPS)/blender-%
	$(in-fresh-blender) NUMBA_NUM_THREADS=1 STICTION_ZIP=$(abspath $(ZIP)) $(VENV)/blender-$*/bin/python -m pytest tests/blender

$(STAMPS)/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; v == (3, 11) or sys.exit("Stiction needs Python 3.11, as Blender 4.5 does; \
	$(PYTHON) is %d.%d. Put python3.11 on the PATH." % v)'
	$(PYTHON) -m venv $(VENV)
	mkdir -p $(STAMPS) && touch $@

$(STAMPS)/development: requirements/development.txt | $(STAMPS)/python
	$(PY) $(PIP_INSTALL) -r $<
	touch $@

$(STAMPS)/package: pyproject.toml setup.py $(STAMPS)/development
	$(PY) $(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	touch $@

$(STAMPS)/benchmarks: requirements/benchmarks.txt | $(STAMPS)/package
	$(PY) $(PIP_INSTALL) -r $<
	touch $@

$(STAMPS)/gui-blender: | $(STAMPS)/package
	$(PY) -m tools.gui_blender prepare $(VENV)/gui-blender
	touch $@

# mypy must see the checkout under the name stiction, whatever its folder is called,
# and follows stubs outside site-packages only under the name of what they describe.
$(STAMPS)/stubs: requirements/stubs.txt | $(STAMPS)/python
	rm -rf $(VENV)/stubs $(VENV)/types
	$(PY) $(PIP_INSTALL) --no-deps --target $(VENV)/stubs -r $<
	for folder in $(VENV)/stubs/*-stubs; do mv $$folder $${folder%-stubs}; done
	mkdir -p $(VENV)/types && ln -s ../.. $(VENV)/types/stiction
	touch $@

$(STAMPS)/blender-%: requirements/blender-%.txt | $(STAMPS)/python
	$(if $(filter 5.2,$*),$(PYTHON313),$(PYTHON)) -m venv --clear $(VENV)/blender-$*
	$(VENV)/blender-$*/bin/python $(PIP_INSTALL) -r $<
	touch $@
