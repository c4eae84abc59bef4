"""Formats compared: what tie-breaks are worth in leagues, and which format finds the strongest.

- `deciding`: the formats, what the final order of an event has to do with the truth, and how
  tie-breaks settle ties at the top.
"""

from tb2learn.studies.study import FORMULAS, GAMES, Study, events, seed

STUDY = Study(
    "formats",
    "what tie-breaks are worth in leagues and at the top of every format; which format finds "
    "the strongest; claims of Brams and Ismail",
    """Judge tie-breaks of leagues, and formats.

    How often tie-breaks are wrong where everybody met the same opponents; how often the
    strongest wins a Swiss, with a final or without, a round robin, a multi-tier event, and how
    often each tie-break settles ties for the first place wrongly. Writes a report with figures,
    and CSV.
    """,
    (events(5000, "simulated events of every league and format"), seed()),
    minutes=2,
    packaged={"leagues.csv": "leagues.csv"},
    reads=(GAMES, *FORMULAS),
)
