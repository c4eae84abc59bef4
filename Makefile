# The two commands of the README. A bare machine needs Python 3.11 or newer, and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-slow lint reports checkpoints bench setup setup-test clean

demo: setup
	$(BIN)/tb2learn quickstart

test: setup-test lint
	$(BIN)/python -m pytest -n 2 --dist loadfile

test-slow: setup-test
	$(BIN)/python -m pytest -n 2 -m slow

lint: setup-test
	$(BIN)/ruff check .

# Every number in the README and in reports/ (an hour and a half on two cores).
reports: checkpoints setup-test
	$(BIN)/tb2learn study games --out reports/games
	cp reports/games/constants.csv tb2learn/data/baku2016_games.csv
	$(BIN)/tb2learn reproduce thesis --out reports/thesis.md
	$(BIN)/tb2learn compare baku2016 > reports/baku2016.txt
	$(BIN)/tb2learn assess learned-38x9 learned-38x9-pass1 learned-38x9-pass2 formula-38x9 learned-180x11 formula-180x11 least-squares posterior-mean --events 4000 --json reports/assess-38x9.json > reports/assess-38x9.txt
	$(BIN)/tb2learn leaderboard --out reports/assessment
	$(BIN)/tb2learn robustness --trained 1000 --events 1000 --out reports/robustness.md
	$(BIN)/tb2learn calibrate --report reports/confidence
	$(BIN)/tb2learn study tiebreaks --out reports/tiebreaks
	$(BIN)/tb2learn study real
	$(BIN)/tb2learn study frontier --out reports/frontier
	$(BIN)/tb2learn assess fair-180x11 learned-180x11 least-squares --on seeded-180x11 --events 8000 --seed 2 > reports/frontier/fair-180x11.txt
	$(BIN)/tb2learn assess rosters-180x11 learned-180x11 least-squares --on seeded-180x11 --events 8000 --seed 2 > reports/frontier/rosters-180x11.txt
	$(BIN)/tb2learn assess rosters-180x11 learned-180x11 --on olympiad-180x11 --events 8000 --seed 2 > reports/frontier/rosters-180x11-random.txt
	$(BIN)/tb2learn probe fair-180x11 --probes 125000 > reports/frontier/probes.md
	$(BIN)/tb2learn probe rosters-180x11 --probes 125000 > reports/frontier/probes-rosters.md
	$(BIN)/tb2learn study formula --out reports/formula
	cp reports/formula/formula.csv tb2learn/data/formula.csv
	$(BIN)/tb2learn study individual --out reports/individual
	cp reports/individual/formula_players.csv tb2learn/data/formula_players.csv
	$(BIN)/tb2learn study transfer --out reports/transfer
	cp reports/transfer/transfer.csv tb2learn/data/transfer.csv
	$(BIN)/tb2learn study ratings --out reports/ratings
	$(BIN)/tb2learn study multi-tier --out reports/multi-tier
	$(BIN)/tb2learn study formats --out reports/formats
	cp reports/formats/leagues.csv tb2learn/data/leagues.csv
	$(BIN)/tb2learn study pairings --events 300 --out reports/pairings
	for event in etcc2011 etcc2013 baku2016; do \
		$(BIN)/tb2learn study rankings $$event --out reports/rankings/$$event || exit 1; done
	$(BIN)/tb2learn study unplayed --out reports/unplayed
	$(BIN)/python benchmarks/least_squares.py > reports/least-squares.txt
	$(MAKE) --no-print-directory -s bench > reports/benchmark.txt

# The committed checkpoints, byte for byte (ten minutes).
checkpoints: setup
	for config in olympiad-180x11 learned-180x11 formula-180x11 learned-38x9 formula-38x9 fair-180x11 rosters-180x11 learned-6boards learned-8boards; do \
		$(BIN)/tb2learn train configs/$$config.toml || exit 1; done

# A quarter of an hour; the machine should have nothing else to do. With BASE=<commit> whole
# commands of that commit and of this one take turns.
bench: setup
	@date -u +%F
	@$(BIN)/python benchmarks/commands.py $(if $(BASE),--base $(BASE))
	@$(BIN)/python benchmarks/simulate.py --batches 16,64,128,256
	@$(BIN)/python benchmarks/simulate.py --config round-robin-12 --events 65536
	@$(BIN)/python benchmarks/simulate.py --config dutch-100x9 --events 4096
	@$(BIN)/python benchmarks/simulate.py --job log --events 4096
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
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.installed-test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .hypothesis .ruff_cache
