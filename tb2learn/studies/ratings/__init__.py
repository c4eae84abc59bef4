"""Rating tables and relative ratings recomputed: FIDE's expectancy table, the Morphy period."""

from tb2learn.studies.study import Study

STUDY = Study(
    "ratings",
    "what law FIDE's rating table follows, and how old ratings were made",
    """Recompute rating tables and old ratings.

    FIDE's expectancy table from the normal law, its inverse, and the relative ratings of the
    Morphy period. Writes a report with a figure, and all numbers as CSV.
    """,
    minutes=0,
    quick={},
    reads=(),
    compiles=False,
    plays=False,
)
