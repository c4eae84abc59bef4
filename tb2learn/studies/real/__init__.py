"""Recorded events as judges of rules: by the ratings of tied teams, and by who wins later.

`verdicts` collects what rules say of pairs of teams, `measure` counts and compares.
"""

from tb2learn.studies.study import GAMES, Option, Study, seed

STUDY = Study(
    "real",
    "which rule agrees with ratings and with later matches in real events",
    """Judge rules by recorded events.

    By the ratings of teams that finished on equal match points, and by who wins when teams on
    equal match points meet later. Writes a report with a figure, and all numbers as JSON and
    CSV.
    """,
    (
        Option("events", "event", (), "without any, these three", argument=True, many=True),
        Option(
            *("rules", "rule", (), "checkpoints or rules without one"),
            many=True,
            shown="product and thirteen others",
        ),
        seed("of the resampling"),
    ),
    (
        "tb2learn study real --out reports/real",
        "tb2learn study real baku2016 event.trf my-event --rules learned-180x11 least-squares",
    ),
    minutes=2.5,
    quick={"events": ["batumi2018w"], "rules": ["game-points"], "seed": 1},
    reads=(GAMES, "formula.csv"),
    plays=False,
)
