# Made by `make studies`; a test compares. The longest first.
REPORTS_OF_STUDIES := reports/assessment reports/forecast reports/transfer reports/frontier reports/real reports/pairings reports/coalition reports/confidence reports/robustness.md reports/formula reports/individual reports/tiebreaks reports/formats reports/games reports/thesis.md reports/checker reports/leagues reports/multi-tier reports/unplayed reports/rankings/etcc2011 reports/rankings/etcc2013 reports/rankings/baku2016 reports/ratings
PACKAGED_BY_STUDIES := tb2learn/data/transfer.csv tb2learn/data/formula.csv tb2learn/data/formula_players.csv tb2learn/data/leagues.csv tb2learn/data/baku2016_games.csv

reports/assessment: tb2learn/data/baku2016_games.csv
	$(BIN)/tb2learn leaderboard --out $@

reports/forecast: tb2learn/data/baku2016_games.csv
	$(BIN)/tb2learn study forecast --out $@

reports/transfer: tb2learn/data/baku2016_games.csv tb2learn/data/formula.csv
	$(BIN)/tb2learn study transfer --out $@

tb2learn/data/transfer.csv: reports/transfer
	cmp -s $</transfer.csv $@ || cp $</transfer.csv $@

reports/frontier: tb2learn/data/baku2016_games.csv
	$(BIN)/tb2learn study frontier --out $@

reports/real: tb2learn/data/baku2016_games.csv tb2learn/data/formula.csv
	$(BIN)/tb2learn study real --native --out $@

reports/pairings: tb2learn/data/baku2016_games.csv tb2learn/data/formula.csv tb2learn/data/formula_players.csv
	$(BIN)/tb2learn study pairings --events 300 --out $@

reports/coalition: tb2learn/data/baku2016_games.csv tb2learn/data/formula.csv
	$(BIN)/tb2learn study coalition --out $@

reports/confidence: tb2learn/data/baku2016_games.csv tb2learn/data/formula.csv
	$(BIN)/tb2learn study confidence --out $@

reports/robustness.md: tb2learn/data/baku2016_games.csv
	$(BIN)/tb2learn robustness --trained 1000 --events 1000 --out $@

reports/formula: tb2learn/data/baku2016_games.csv
	$(BIN)/tb2learn study formula --out $@

tb2learn/data/formula.csv: reports/formula
	cmp -s $</formula.csv $@ || cp $</formula.csv $@

reports/individual: tb2learn/data/baku2016_games.csv tb2learn/data/formula.csv
	$(BIN)/tb2learn study individual --out $@

tb2learn/data/formula_players.csv: reports/individual
	cmp -s $</formula_players.csv $@ || cp $</formula_players.csv $@

reports/tiebreaks: tb2learn/data/baku2016_games.csv
	$(BIN)/tb2learn study tiebreaks --out $@

reports/formats: tb2learn/data/baku2016_games.csv tb2learn/data/formula.csv tb2learn/data/formula_players.csv
	$(BIN)/tb2learn study formats --out $@

tb2learn/data/leagues.csv: reports/formats
	cmp -s $</leagues.csv $@ || cp $</leagues.csv $@

reports/games:
	$(BIN)/tb2learn study games --out $@

tb2learn/data/baku2016_games.csv: reports/games
	cmp -s $</constants.csv $@ || cp $</constants.csv $@

reports/thesis.md:
	$(BIN)/tb2learn reproduce thesis --out $@

reports/checker:
	$(BIN)/tb2learn study checker --out $@

reports/leagues: tb2learn/data/formula.csv
	$(BIN)/tb2learn study leagues --out $@

reports/multi-tier: tb2learn/data/baku2016_games.csv
	$(BIN)/tb2learn study multi-tier --out $@

reports/unplayed: tb2learn/data/baku2016_games.csv
	$(BIN)/tb2learn study unplayed --out $@

reports/rankings/etcc2011:
	$(BIN)/tb2learn study rankings etcc2011 --out $@

reports/rankings/etcc2013:
	$(BIN)/tb2learn study rankings etcc2013 --out $@

reports/rankings/baku2016:
	$(BIN)/tb2learn study rankings baku2016 --out $@

reports/ratings:
	$(BIN)/tb2learn study ratings --out $@
