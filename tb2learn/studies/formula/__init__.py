"""The formula by boards and rounds: fitted to several formats, and one closed form of them."""

from tb2learn.studies.study import Study, events, seed, trained

STUDY = Study(
    "formula",
    "how the formula's constants depend on boards and rounds",
    """Fit the formula's constants by boards and rounds.

    Judges one closed form of them against the formula fitted to each format. Also writes the
    constants that the package contains as data/formula.csv.
    """,
    (
        trained(3200, "one descent; descents follow until a plateau"),
        events(1000, "fresh events of every format"),
        seed(),
    ),
    ("tb2learn study formula --events 1000 --out reports/formula",),
    minutes=5,
    packaged={"formula.csv": "formula.csv"},
)
