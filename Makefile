# Everything is done from here, and each target does its own set-up:
#
#   make setup    build .venv with .venv/bin/croupier, what it needs and what the tests need
#   make run      the demonstration house on port 8700 (PORT=8700)
#   make test     style, types, who imports whom, tests (WORKERS=3)
#   make concordance  run the cases of the law and write down what the product answered, after a change of them
#   make coverage every branch of the money code is taken: journal, ledger, settlement, vouchers, jackpot
#   make check    style, types, who imports whom, and the fast half of the tests
#   make drawings the drawing of who imports whom, after a change of the imports
#   make format   put the sources in the standard form
#   make docs     the documents as a site, build/docs
#   make bench    the benchmarks
#   make sbom     the bill of materials of what runs, build/croupier.cdx.json (CycloneDX)
#   make audit    look up known faults of what runs, where the data for that can be had
#   make lock     pin the requirements again after a change of pyproject.toml (LOCK=--upgrade for newer releases)
#   make clean    remove all that is not source
#
# Set-up goes in three steps: the installer, what croupier needs to run, what its tests need.  Each leaves a stamp
# in .venv and is done again only when its requirements change.  All downloads are checked against pinned hashes.

PYTHON  ?= python3
PORT    ?= 8700
WORKERS ?= 3
LOCK    ?=

VENV  := .venv
BIN   := $(VENV)/bin
STAMP := $(VENV)/stamp
AUDIT := $(VENV)/audit/bin
DOCS  := $(VENV)/docs/bin

# A house network may have its own certificate authority: trust what the machine trusts, where it says so.
ifneq ($(wildcard /etc/ssl/certs/ca-certificates.crt),)
export UV_SYSTEM_CERTS ?= 1
endif

# Hundreds of processes are started by the tests: each would compile all modules anew where Python may keep no bytecode.
# It is kept here with the other caches, also where the surroundings forbid it beside the sources.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(CURDIR)/.cache/bytecode

INSTALL := $(BIN)/uv pip install --quiet --python $(BIN)/python
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
           --no-header --no-annotate --no-emit-index-url --no-emit-find-links

FAST := tests/test_tidy.py tests/test_twins.py tests/law tests/games tests/hearing tests/table tests/house tests/cli \
        tests/test_money.py tests/test_equipment.py tests/test_documents.py README.md

MONEY := tests/test_branches.py tests/house/test_cage.py tests/house/test_refused_vouchers.py tests/house/test_people.py \
         tests/house/jackpot/test_jackpot.py \
         tests/house/jackpot/test_correcting.py tests/house/jackpot/test_feed.py tests/table/money/test_settling.py \
         tests/table/money/test_chips.py tests/table/money/test_money.py tests/table/test_rounds.py

.DELETE_ON_ERROR:
.PHONY: setup run test coverage check style drawings notebooks concordance format docs bench sbom audit lock clean

setup: $(STAMP)/dev

run: $(STAMP)/run
	$(BIN)/croupier serve --demo --port $(PORT)

test: style coverage $(STAMP)/browser
	@$(BIN)/python -m tests.helpers.running.alone -n $(WORKERS) --dist loadfile --durations 30 --durations-min 10

coverage: $(STAMP)/dev
	@$(BIN)/coverage run -m pytest --quiet $(MONEY)
	@$(BIN)/coverage report

check: style
	@$(BIN)/pytest --quiet -n $(WORKERS) --dist loadfile $(FAST)

style: $(STAMP)/dev
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy
	@report=$$($(BIN)/lint-imports --no-logo --cache-dir .cache/imports) || { echo "$$report"; exit 1; }

drawings: $(STAMP)/dev
	$(BIN)/python -m tests.helpers.drawing

notebooks: $(STAMP)/dev
	$(BIN)/python -m tests.helpers.notebooks

concordance: $(STAMP)/dev
	$(BIN)/python -m tests.law.matrix.concordance

format: $(STAMP)/dev
	$(BIN)/ruff check --quiet --fix --exit-zero
	$(BIN)/ruff format

docs: $(STAMP)/docs
	$(DOCS)/mkdocs build --quiet --strict --config-file docs/mkdocs.yml --site-dir ../build/docs

bench: $(STAMP)/dev
	$(BIN)/python -m benchmarks

sbom: $(STAMP)/audit
	@mkdir -p build
	$(AUDIT)/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible -o build/croupier.cdx.json \
	    requirements/run.txt

audit: $(STAMP)/audit
	@$(BIN)/python -m tests.helpers.audit $(AUDIT)/pip-audit requirements/run.txt

# The later files take the versions of the earlier ones, since all are installed in one place.
lock: $(STAMP)/uv
	$(COMPILE) $(LOCK) pyproject.toml --extra client --extra postgres -o requirements/run.txt
	$(COMPILE) $(LOCK) pyproject.toml -c requirements/run.txt -o requirements/core.txt
	$(COMPILE) $(LOCK) --group dev -c requirements/run.txt -o requirements/dev.txt
	$(COMPILE) $(LOCK) --group audit -o requirements/audit.txt
	$(COMPILE) $(LOCK) --group docs -o requirements/docs.txt
	$(COMPILE) $(LOCK) requirements/uv.in -c requirements/run.txt -c requirements/dev.txt -o requirements/uv.txt
	@! grep -n ':[/]/' requirements/* || { echo 'make lock: the lines above contain an address' >&2; exit 1; }

clean:
	rm -rf $(VENV) .cache .hypothesis build dist
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# A Debian python3 comes without pip and without the means to put it into a venv, so the venv is made bare and the
# pip of the system fills it.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo 'make setup: needs Python 3.11 or later; name it with PYTHON=/path/to/python3' >&2; exit 1; }
	@$(PYTHON) -m pip --version >/dev/null 2>&1 || test "$$(id -u)" != 0 || ! command -v apt-get >/dev/null || \
	    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
	      apt-get install -qq --no-install-recommends python3-pip >/dev/null; }
	@$(PYTHON) -m pip --version >/dev/null 2>&1 || \
	    { echo 'make setup: $(PYTHON) has no pip; install it first: apt-get install python3-pip' >&2; exit 1; }
	$(PYTHON) -m venv --clear --without-pip $(VENV)

$(STAMP)/uv: requirements/uv.txt | $(BIN)/python
	$(PYTHON) -m pip --python $(BIN)/python install -qq --disable-pip-version-check --require-hashes -r $<
	@mkdir -p $(@D) && touch $@

$(STAMP)/run: requirements/run.txt pyproject.toml $(STAMP)/uv
	$(INSTALL) --require-hashes -r $<
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(STAMP)/dev: requirements/dev.txt $(STAMP)/run
	$(INSTALL) --require-hashes -r $<
	@touch $@

# The tools that look at the requirements live apart from them.
$(STAMP)/audit: requirements/audit.txt $(STAMP)/uv
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(VENV)/audit
	$(BIN)/uv pip install --quiet --python $(AUDIT)/python --require-hashes -r $<
	@touch $@

# So does what makes a site of the documents; the reference is read from the sources, which need not be installed there.
$(STAMP)/docs: requirements/docs.txt $(STAMP)/uv
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(VENV)/docs
	$(BIN)/uv pip install --quiet --python $(DOCS)/python --require-hashes -r $<
	@touch $@

# The pages are tested in Debian's Chromium, with a font that has Chinese signs, since their widths are looked at.  Without
# the browser, and without the right to install it, those tests are skipped, and say so.
$(STAMP)/browser: | $(STAMP)/dev
	@{ command -v chromium && fc-list :lang=zh | grep . ; } >/dev/null 2>&1 || \
	    test "$$(id -u)" != 0 || ! command -v apt-get >/dev/null || \
	    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
	      apt-get install -qq --no-install-recommends chromium fonts-droid-fallback >/dev/null; } || true
	@command -v chromium >/dev/null || echo 'make test: no chromium here, so the pages are NOT tested' >&2
	@touch $@
