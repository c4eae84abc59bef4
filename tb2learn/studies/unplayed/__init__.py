"""Ricca's study of policies for unplayed rounds, repeated on simulated events with absences.

- `evaluation`: the simulator with absences, and tie-breaks under every policy.
"""

from tb2learn.studies.study import Study, events, seed

STUDY = Study(
    "unplayed",
    "which method for unplayed rounds does least harm (Ricca)",
    """Compare policies for unplayed rounds (Ricca).

    On simulated events with forfeits, byes and retirements, by how near tie-breaks under each
    policy come to the true order and other criteria.
    """,
    (events(200, "simulated events of every kind"), seed()),
    ("tb2learn study unplayed --events 200 --out reports/unplayed",),
    minutes=1,
    quick={"events": 2, "seed": 1},
    plays=False,
)
