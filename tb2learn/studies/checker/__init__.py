"""Our tie-breaks beside those of FIDE's tie-break checker, cell by cell.

- `made`: made-up events with byes, forfeits and retirements; `measure` compares.
"""

from tb2learn.studies.study import Option, Study

STUDY = Study(
    "checker",
    "whether every one of FIDE's codes gives the numbers of FIDE's tie-break checker",
    """Compare tie-breaks with FIDE's checker.

    Every code of FIDE's Handbook C.07 that the checker (gacrux) knows, with its modifiers, in
    events of teams and of players, made up and real. Writes a report with the table of codes and
    events, and CSV.
    """,
    (Option("events", "event", (), "without any, those of the report", argument=True, many=True),),
    (
        "tb2learn study checker --out reports/checker",
        "tb2learn study checker event.trf",
    ),
    minutes=1,
    quick={"events": ["players-retiring", "teams-retiring"]},
    reads=(),
    compiles=False,
    plays=False,
)
