"""Evidence without simulator and ratings: Swiss events drawn from leagues where all teams met.

`draws` plays them on the recorded results, `measure` judges rules by the full table.
"""

from tb2learn.studies.study import FORMULAS, Option, Study, seed

STUDY = Study(
    "leagues",
    "which rule agrees with the full table where only some of a league's matches are known",
    """Judge rules by complete round robins.

    Draws Swiss events from leagues in which every two teams met: the pairs of the Swiss, with the
    results of the league. Of two teams that are tied in the Swiss the better one has more match
    points in the full table. Writes a report with a figure, and CSV.
    """,
    (
        Option("events", "event", (), "a league", many=True, shown="armstrong2011"),
        Option("draws", "events", 500, "Swiss events drawn from every league"),
        Option(
            *(
                "rules",
                "rule",
                (),
                "checkpoints or rules without one; differences are to the first",
            ),
            many=True,
            shown="product and seven others",
        ),
        seed(),
    ),
    (
        "tb2learn study leagues --out reports/leagues",
        "tb2learn study leagues --events armstrong2011 --events my-league --rules formula wins",
    ),
    minutes=1,
    quick={"events": (), "draws": 20, "rules": ("product", "game-points"), "seed": 1},
    reads=(FORMULAS[0],),
    plays=False,
)
