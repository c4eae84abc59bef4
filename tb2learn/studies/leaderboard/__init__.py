"""The leaderboard: all rules on the same events in both protocols, on real events, by incentive."""

from tb2learn.studies.study import Study, events, seed

STUDY = Study(
    "leaderboard",
    "which rule decides how many ties wrongly",
    """Compare all rules: both protocols, real events, incentives.

    Writes a report and prints its path.
    """,
    (events(20_000, "fresh events of the single-event protocol"), seed()),
    ("tb2learn leaderboard --events 20000 --out reports/assessment",),
    minutes=10,
    command="leaderboard",
    out="reports/assessment",
)
