"""Recorded Olympiads as judges of forecasts made while they were played."""

from tb2learn.studies.study import GAMES, Option, Study, seed

STUDY = Study(
    "forecast",
    "how good forecasts of real Olympiads are, round by round",
    """Judge forecasts by what happened.

    Replays recorded events after every round from the fifth on: log loss and Brier score of the
    winner, the medals and the first ten, beside the order of the standings and the ratings alone.
    Writes a report with a calibration diagram, and all numbers as CSV.
    """,
    (
        Option("continuations", "events", 4000, "of every forecast"),
        seed("of the continuations and the resampling"),
    ),
    minutes=9,
    quick={"continuations": 200, "seed": 1},
    reads=(GAMES,),
)
