"""Individual events: the formula for one board, fitted and judged beside FIDE's tie-breaks."""

from tb2learn.studies.study import GAMES, Study, events, seed, trained

STUDY = Study(
    "individual",
    "what tie-breaks of individual Swiss events are worth",
    """Fit the formula for individual events, and judge it.

    Beside Buchholz cut 1 and FIDE's other tie-breaks. Also writes the constants that the package
    contains as data/formula_players.csv.
    """,
    (
        trained(3200, "one descent; descents follow until a plateau"),
        events(1000, "fresh events of every world"),
        seed(),
    ),
    ("tb2learn study individual --events 1000 --out reports/individual",),
    minutes=3.5,
    packaged={"formula_players.csv": "formula_players.csv"},
    reads=(GAMES, "formula.csv"),
)
