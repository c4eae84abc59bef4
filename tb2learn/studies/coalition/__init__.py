"""Two teams that collude: what a game point arranged between them wins, and a bound in training."""

from tb2learn.studies.study import GAMES, Study, events, seed, trained

STUDY = Study(
    "coalition",
    "how many places two teams win by arranging one game point, and what a bound in training costs",
    """Probe rules with two teams that collude.

    Moves one game point between the two teams of a simulated match and counts the places that they
    win together, under rules and under tables in which half a point more is worth no more than a
    bound. The same events say what the bound costs in errors. Writes a report with a figure, and
    CSV.
    """,
    (
        trained(3000, "every table"),
        events(2000, "fresh events, judged and probed"),
        seed(),
    ),
    ("tb2learn study coalition --trained 1000 --events 500 --out reports/coalition",),
    minutes=6,
    reads=(GAMES, "formula.csv"),
)
