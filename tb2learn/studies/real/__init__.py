"""Recorded events as judges of rules: by the ratings of tied teams, and by who wins later.

`verdicts` collects what rules say of pairs of teams, `measure` counts, compares and draws,
`logistic` asks what scores add to the ratings, and `native` has learned tables for fewer rounds.
"""

from tb2learn.studies.study import GAMES, Option, Study, seed

STUDY = Study(
    "real",
    "which rule agrees with ratings and with later matches in real events",
    """Judge rules by recorded events.

    By the ratings of teams that finished on equal match points, and by who wins when teams on
    equal match points meet later: how often a rule is right, and what its score adds to the
    ratings in a logistic regression. Writes a report with figures and all numbers as CSV; those of
    the first two tests also as JSON.
    """,
    (
        Option("events", "event", (), "without any, these three", argument=True, many=True),
        Option(
            *("rules", "rule", (), "checkpoints or rules without one"),
            many=True,
            shown="product and fifteen others",
        ),
        seed("of the resampling"),
        Option(
            *("native", "flag", False),
            "also judge the learned rule with tables for just 5, 6, ... 10 rounds; each is trained "
            "once, in a minute or two, and kept",
        ),
    ),
    (
        "tb2learn study real --out reports/real",
        "tb2learn study real --native",
        "tb2learn study real baku2016 event.trf my-event --rules learned-180x11 least-squares",
    ),
    minutes=8,
    quick={"events": ["batumi2018w"], "rules": ["game-points"], "seed": 1},
    reports={"reports/real": {"native": True}},
    reads=(GAMES, "formula.csv"),
    plays=False,
)
