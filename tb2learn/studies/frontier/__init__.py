"""The frontier of error and seed bias: what a rule gains in real events by preferring seeds."""

from tb2learn.studies.study import Study, events, seed, trained

STUDY = Study(
    "frontier",
    "what accuracy costs in fairness where seeds are near the truth",
    """Measure what accuracy costs in fairness.

    Tables fitted to mixtures of worlds, with penalties on seed bias, judged by error and seed bias
    where seeds are near the truth. Writes a report with a figure, and all numbers as JSON and CSV.
    """,
    (
        trained(3000, "each world that a table is fitted to"),
        events(8000, "fresh events of the world of choice (half as many in the others)"),
        seed(),
    ),
    ("tb2learn study frontier --events 1000 --trained 1000 --out reports/frontier",),
    minutes=8,
)
