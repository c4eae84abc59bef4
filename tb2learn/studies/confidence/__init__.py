"""Confidence: how sure rules' orders are, fitted in some worlds and judged in others."""

from tb2learn.studies.study import GAMES, Study

STUDY = Study(
    "confidence",
    "how sure an order of two tied teams is",
    minutes=4,
    reads=(GAMES, "formula.csv"),
    command="calibrate",
    to="--report",
)
