"""Multi-tier tournaments of Brams and Ismail: their application recomputed, and simulated.

The application plays no event: it compares twenty players by the games that they had played against
each other. These games are not printed, so that its tier scores are checked for what they must
fulfil, not computed again. The simulation plays the event that the application stands for.
"""

from tb2learn.studies.study import Study, events, seed

STUDY = Study(
    "multi-tier",
    "multi-tier tournaments: the application of Brams and Ismail, its slips, who wins",
    """Recompute and simulate a multi-tier tournament.

    The application of Brams and Ismail, its slips, and the event that it stands for. Writes a
    report with a figure, and all numbers as CSV.
    """,
    (events(20_000, "simulated events for every number of games a pairing"), seed()),
    ("tb2learn study multi-tier --events 20000 --out reports/multi-tier",),
    quick={"events": 40, "seed": 1},
)
