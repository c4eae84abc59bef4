"""Ricca's study of tie-breaks: how near they come to global criteria in simulated events.

- `accuracy`: the global criteria; `evaluation`: tie-breaks evaluated by them on many events.
- `order_claims`: his order of methods and his claims, compared with ours.
"""

from tb2learn.studies.study import Study, events, seed

STUDY = Study(
    "tiebreaks",
    "which tie-break agrees with global criteria (Ricca)",
    """Compare tie-breaks with global criteria (Ricca).

    On simulated events of several kinds.
    """,
    (events(500, "simulated events of every kind"), seed()),
    ("tb2learn study tiebreaks --events 200 --out reports/tiebreaks",),
    minutes=3,
    quick={"events": 2, "seed": 1},
)
