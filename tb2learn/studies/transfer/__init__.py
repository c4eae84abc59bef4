"""What rules cost in formats that they were not made for: teams, rounds and boards."""

from tb2learn.studies.study import GAMES, Study, events, seed

STUDY = Study(
    "transfer",
    "what a rule costs with other teams, rounds and boards than it was made for",
    """Judge rules in formats that they were not made for.

    By how much the error of the product rule, the shipped tables and the formula grows against a
    table trained for the format: teams, rounds, boards. Also writes the facts that the package
    contains as data/transfer.csv.
    """,
    (
        events(1000, "fresh events of 180 teams; smaller fields play more, larger ones fewer"),
        seed(),
    ),
    ("tb2learn study transfer --events 1000 --out reports/transfer",),
    minutes=9,
    packaged={"transfer.csv": "transfer.csv"},
    reads=(GAMES, "formula.csv"),
)
