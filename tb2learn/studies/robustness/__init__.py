"""Robustness: tables trained for each configuration (world), assessed in all of them."""

from tb2learn.studies.study import Study, events, seed, trained

STUDY = Study(
    "robustness",
    "do the tables hold in worlds that they were not trained in",
    """Assess the tables of every configuration in all of them.

    Writes a report and prints its path.
    """,
    (
        trained(3000, "the world that a table is fitted to"),
        events(2000, "fresh events of every configuration"),
        seed(),
    ),
    ("tb2learn robustness --events 2000 --out reports/robustness.md",),
    minutes=6,
    reports={"reports/robustness.md": {"trained": 1000, "events": 1000}},
    command="robustness",
    out="reports/robustness.md",
)
