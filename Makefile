# The two commands of the README. A bare machine needs Python 3.11 or newer, and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo check test all-tests test-avx2 test-newest test-slow lint types format docs page pictures reports checkpoints chapters bench setup setup-test clean

demo: setup
	$(BIN)/tb2learn quickstart

# A worker a core; one that has nothing left takes tests from another.
TESTS := $(BIN)/python -m pytest -n auto --dist worksteal

# While one works: style, and the tests that find nearly every slip, in two minutes. Annotations are not
# checked while the tests run, and a tenth of the examples is generated.
check: lint
	TB2LEARN_TESTS=quick $(TESTS) -q -m "not slow and not thorough"

# Before a change lands: everything but long runs.
test: setup-test
	@$(MAKE) --no-print-directory -j 2 lint types all-tests

all-tests: setup-test
	$(TESTS)

# The tests of numbers, with the instructions of a processor without AVX-512.
test-avx2: setup-test
	XLA_FLAGS=--xla_cpu_max_isa=AVX2 OPENBLAS_CORETYPE=Haswell \
	NPY_DISABLE_CPU_FEATURES="X86_V4 AVX512_ICL AVX512_SPR" $(TESTS) \
		tests/simulation tests/training tests/assessment tests/tiebreaks tests/studies

# The newest JAX under the newest Python that is there: scores of tie-breaks to the last digit, and
# events by their keys.
NEWEST := $(firstword $(foreach name,python3.14 python3.13 python3.12,$(shell command -v $(name))))
test-newest:
	test -n "$(NEWEST)" || { echo "no Python beyond 3.11 is here"; exit 1; }
	$(NEWEST) -m venv .venv-newest
	.venv-newest/bin/pip install --quiet -e '.[test]'
	.venv-newest/bin/python -m pytest -n auto -m "not slow" tests/tiebreaks tests/simulation/test_golden_events.py

test-slow: setup-test
	$(TESTS) -m slow

lint: setup-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/python .ci/sentences.py README.md docs/*.md studies/*.md

types: setup-test
	$(BIN)/basedpyright

format: setup-test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# A page of all public functions and classes, from their docstrings. Signatures have their shapes
# where jaxtyping is imported first.
docs: setup-test
	$(BIN)/python -W error -c 'import jaxtyping, pdoc.__main__; pdoc.__main__.cli()' \
		tb2learn tb2learn.api '!tb2learn\.(?!api$$).*' \
		--output-directory build/docs

# The pictures of the README, from the sheets that the commands write.
pictures: setup-test
	$(BIN)/python docs/pictures/make.py

# The page of an event that the README links, with the hashes of what it is made of.
PAGE := docs/baku2016.html
PAGE_INPUTS := $(wildcard tb2learn/data/baku2016/*.csv) checkpoints/rosters-180x11.npz \
	$(addprefix tb2learn/export/templates/,document.css event_page.css event_page.html event_page.js parts.html)
page: setup
	$(BIN)/tb2learn rank baku2016 --beside learned --out $(PAGE)
	sha256sum $(PAGE) $(PAGE_INPUTS) > $(PAGE:.html=.sha256)

# Every number in the README and in reports/; `make reports/tiebreaks` is one of them. So many are
# made at a time, each in up to 4 GiB of memory.
JOBS ?= 2

# A report a script of studies/, in a folder of its name.
SCRIPTS := $(shell grep -l "^@script" studies/*.py)
STUDIES := $(subst _,-,$(patsubst studies/%.py,reports/%,$(SCRIPTS)))

# What the package has of these reports.
DATA := tb2learn/data
GAMES := $(DATA)/baku2016_games.csv
FORMULAS := $(DATA)/formula.csv $(DATA)/formula_players.csv
PACKAGED := $(GAMES) $(FORMULAS) $(DATA)/leagues.csv $(DATA)/transfer.csv

# Single pages by commands of the product.
PAGES := $(addprefix reports/,small-swiss/assess-38x9.txt real/baku2016.txt frontier/fair-180x11.txt \
	frontier/rosters-180x11.txt frontier/rosters-180x11-random.txt frontier/probes.txt \
	frontier/probes-rosters.txt)
.PHONY: $(STUDIES) $(PAGES)

# An hour and a half on two cores, most of it for reports/others. The timings of reports/speed/benchmark.txt are apart, see `bench`.
reports: checkpoints setup-test
	$(MAKE) --no-print-directory -j $(JOBS) $(STUDIES) $(PAGES) $(PACKAGED)
	$(BIN)/tb2learn calibrate
	$(BIN)/python benchmarks/least_squares.py > reports/speed/least-squares.txt

$(STUDIES): reports/%: | setup-test
	$(BIN)/python -m studies.$(subst -,_,$*) --out $@

$(GAMES): reports/games
	cmp -s $</$(@F) $@ || cp $</$(@F) $@
$(FORMULAS): reports/formula
	cmp -s $</$(@F) $@ || cp $</$(@F) $@
$(DATA)/leagues.csv: reports/formats
	cmp -s $</$(@F) $@ || cp $</$(@F) $@
$(DATA)/transfer.csv: reports/assessment
	cmp -s $</$(@F) $@ || cp $</$(@F) $@

# Who simulates games waits for the packaged constants of their model, who judges formulas for those.
$(filter-out $(addprefix reports/,games rankings thesis),$(STUDIES)): $(GAMES)
$(filter-out reports/real/baku2016.txt,$(PAGES)): $(GAMES)
$(filter $(addprefix reports/,assessment confidence formats pairings real),$(STUDIES)): $(FORMULAS)

$(PAGES): | setup-test
reports/real/baku2016.txt:
	$(BIN)/tb2learn compare baku2016 > $@
reports/small-swiss/assess-38x9.txt:
	$(BIN)/tb2learn assess learned-38x9 learned-38x9-pass1 learned-38x9-pass2 formula-38x9 uniform-180x11 formula-180x11 least-squares posterior-mean --events 4000 --json $(@:.txt=.json) > $@
reports/frontier/fair-180x11.txt reports/frontier/rosters-180x11.txt:
	$(BIN)/tb2learn assess $(basename $(@F)) uniform-180x11 least-squares --on seeded-180x11 --events 4000 --seed 2 > $@
reports/frontier/rosters-180x11-random.txt:
	$(BIN)/tb2learn assess rosters-180x11 uniform-180x11 --on olympiad2022-180x11 --events 4000 --seed 2 > $@
reports/frontier/probes.txt:
	$(BIN)/tb2learn probe fair-180x11 --probes 125000 > $@
reports/frontier/probes-rosters.txt:
	$(BIN)/tb2learn probe rosters-180x11 --on olympiad-180x11 --probes 125000 > $@

# The committed checkpoints, byte for byte (six minutes).
checkpoints: setup
	for config in olympiad-180x11 uniform-180x11 formula-180x11 learned-38x9 formula-38x9 fair-180x11 rosters-180x11 learned-6boards learned-8boards; do \
		$(BIN)/tb2learn train configs/recipes/$$config.toml || exit 1; done

# The log, the surface and the held-out errors of the committed checkpoints alone (half a minute): as
# `checkpoints` would make them. No rule changes.
chapters: setup
	$(BIN)/python .ci/chapters.py checkpoints/*.npz

# A quarter of an hour; the machine should have nothing else to do:
# `make -s bench > reports/speed/benchmark.txt`. With BASE=<commit> whole commands of that commit and of
# this one take turns.
bench: setup
	@date -u +%F
	@$(BIN)/python benchmarks/commands.py $(if $(BASE),--base $(BASE))
	@$(BIN)/python benchmarks/simulate.py --batches 16,64,128,256
	@$(BIN)/python benchmarks/simulate.py --pinned --batches 256 --devices 2
	@$(BIN)/python benchmarks/simulate.py --config round-robin-12 --events 65536
	@$(BIN)/python benchmarks/simulate.py --config dutch-100x9 --events 4096
	@$(BIN)/python benchmarks/pairings.py
	@$(BIN)/python benchmarks/simulate.py --job log --events 4096
	@$(BIN)/python benchmarks/forecast.py
	@$(BIN)/python benchmarks/simulate.py --job judge --events 4096
	@$(BIN)/python benchmarks/simulate.py --scaling --events 2048
	@$(BIN)/python benchmarks/profile.py
	@XLA_FLAGS=--xla_cpu_max_isa=AVX2 $(BIN)/python benchmarks/profile.py
	@$(BIN)/python benchmarks/kernels.py
	@$(BIN)/python benchmarks/read_pgn.py

setup: $(VENV)/.installed
setup-test: $(VENV)/.installed-test

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)

# Installed in place: an edit of the package needs no new setup.
$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@echo 'Libraries are installed into $(VENV): 870 MB, some minutes.'
	$(BIN)/python -m pip install --disable-pip-version-check --editable .
	touch $@

$(VENV)/.installed-test: pyproject.toml | $(BIN)/python
	@echo 'Libraries are installed into $(VENV): 870 MB, some minutes.'
	$(BIN)/python -m pip install --disable-pip-version-check --editable '.[test]'
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .hypothesis .ruff_cache
