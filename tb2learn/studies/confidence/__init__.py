"""Confidence: how sure rules' orders are, fitted in some worlds and judged in others."""

from tb2learn.studies.study import GAMES, Option, Study, events, seed

EVENTS = 800
"""Of every world, to fit and again to judge."""

STUDY = Study(
    "confidence",
    "how sure an order of two tied teams is",
    """Judge how sure orders of two tied teams are.

    The probabilities are fitted in a mixture of worlds, as `tb2learn calibrate` fits what is
    shipped, and judged on fresh events, in worlds outside the mixture, and by the ratings of real
    events. Writes a report with a reliability diagram, and all numbers as JSON and CSV.
    """,
    (
        Option(
            *("rules", "rule", (), "checkpoints or rules without one"),
            many=True,
            shown="those that are shipped, in every format",
        ),
        events(EVENTS, "simulated events of every world, to fit and again to judge"),
        seed(),
    ),
    minutes=6,
    reads=(GAMES, "formula.csv"),
)
