"""Our pairing of individual events beside that of FIDE's Dutch system by py4swiss.

- `engine`: the engine as a schedule; `engine_round`: one round of one event.
"""

from tb2learn.studies.study import FORMULAS, GAMES, Study, events, seed

STUDY = Study(
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
)
