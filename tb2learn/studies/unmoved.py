"""Studies that have no folder yet: what is known of each, and the function that does the rest."""

from __future__ import annotations

from tb2learn.studies.study import GAMES, Study, events, seed

FORMULAS = "formula.csv", "formula_players.csv"
"""The constants of the formula, of teams and of players."""

_HERE = "tb2learn.studies"

UNMOVED = (
    Study(
        "formats",
        "what tie-breaks are worth in leagues and at the top of every format; which format finds "
        "the strongest; claims of Brams and Ismail",
        """Judge tie-breaks of leagues, and formats.

        How often tie-breaks are wrong where everybody met the same opponents; how often the
        strongest wins a Swiss, with a final or without, a round robin, a multi-tier event, and how
        often each tie-break settles ties for the first place wrongly. Writes a report with figures,
        and CSV.
        """,
        (events(5000, "simulated events of every league and format"), seed()),
        minutes=2,
        packaged={"leagues.csv": "leagues.csv"},
        reads=(GAMES, *FORMULAS),
        run=f"{_HERE}.formats.report:study_formats",
    ),
    Study(
        "pairings",
        "how often our pairs of players are those of FIDE's Dutch system, and whether error rates "
        "hold on its events",
        """Compare our pairing of players with FIDE's.

        How often the pairs of every round are those of FIDE's Dutch system, by the engine py4swiss,
        and whether tie-breaks are wrong as often on its events. Writes a report with a figure, and
        CSV.
        """,
        (events(40, "events of every size that the engine pairs"), seed()),
        ("tb2learn study pairings --events 40 --out reports/pairings",),
        minutes=7,
        reports={"reports/pairings": {"events": 300}},
        reads=(GAMES, *FORMULAS),
        run=f"{_HERE}.pairings.report:study_pairings",
    ),
)
