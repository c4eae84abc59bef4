"""Csato's study: a team event ranked by paired comparison.

- `methods`: ratings, places and distances of rankings; `maps`: the figure of the distances.
"""

from tb2learn.studies.study import Option, Study

STUDY = Study(
    "rankings",
    "rankings by paired comparison (Csato)",
    """Rank an event by paired comparison (Csato).

    Distances between the rankings, maps, a decomposition of least squares, and how well rankings
    predict later rounds.
    """,
    (
        Option("event", "event", None, "", argument=True),
        Option("json", "file", None, "also write rankings and distances as JSON"),
    ),
    (
        "tb2learn study rankings etcc2011 --out reports/rankings/etcc2011",
        "tb2learn study rankings baku2016 --json rankings.json",
    ),
    minutes=0,
    reports={
        f"reports/rankings/{name}": {"event": name} for name in ("etcc2011", "etcc2013", "baku2016")
    },
    reads=(),
    plays=False,
)
