"""The game model fitted to the boards of Baku 2016, and held against them."""

from tb2learn.studies.study import GAMES, Study

STUDY = Study(
    "games",
    "which game model describes real boards",
    """Fit the game model to the boards of Baku 2016.

    Writes a report with a figure, a table of games by class, and the constants that the package
    contains as data/baku2016_games.csv.
    """,
    minutes=1.5,
    quick={},
    packaged={"constants.csv": GAMES},
    reads=(),
    plays=False,
)
