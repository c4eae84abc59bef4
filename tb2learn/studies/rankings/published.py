"""Csato's published rankings and distances, beside ours."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from tb2learn import data
from tb2learn.events import TeamEvent, read_event
from tb2learn.report.frames import Frames
from tb2learn.studies.rankings.methods import FORMS, square

START, OFFICIAL = "start", "official"

_TABLES = ("rankings", *FORMS, "decomposition")


def published(event: TeamEvent) -> dict[str, pd.DataFrame] | None:
    """The published tables of a packaged event; None where there are none.

    **Returns:** by name what is printed, as text: `rankings` and `decomposition`, a row a team, and
    the distances, a row a ranking.
    """
    for name in data.event_names():
        if data.event_folder(name).joinpath("published_rankings.csv").is_file():
            if read_event(name).matches == event.matches:
                return {one: _table(name, one) for one in _TABLES}
    return None


def _table(name: str, table: str) -> pd.DataFrame:
    rows = pd.DataFrame(data.read_rows(name, f"published_{table}.csv"))
    return rows.set_index(rows.columns[0])


def beside(frames: Frames, printed: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Every published table compared with ours.

    **Arguments:** the frames of the event, and its published tables.

    **Returns:**

    - `beside`: a row a `table`: its number of `cells`, how many are `different`, and how many of
      these are `tied`: they depend only on the order of equal ratings.
    - `different`: the `cell`s for which we find another value, `printed` and `ours`.
    """
    rankings, steps = (frames[name].set_index("team") for name in ("rankings", "decomposition"))
    given = ["component", START, OFFICIAL]
    ours = {
        "rankings": rankings.drop(columns=given, errors="ignore"),
        **{kind: square(frames["distances"], kind) for kind in FORMS},
        "decomposition": steps.rename(columns={"scores": OFFICIAL}),
    }
    rows, different = [], []
    for name, table in printed.items():
        cells = pd.DataFrame({"printed": table[table != ""].stack()})
        found = ours[name].map(f"{{:{FORMS.get(name, '')}}}".format).stack()
        cells = cells.assign(ours=found.reindex(cells.index)).dropna()
        other = cells[cells["printed"] != cells["ours"]]
        between = "{} and {}" if name in FORMS else "{1} of {0}"
        different.append(other.assign(cell=[between.format(*both) for both in other.index]))
        tied = other.index.isin(frames["tied"].stack()[lambda is_tied: is_tied].index)
        title = f"{name} distances" if name in FORMS else name
        rows.append((title, len(cells), len(other), tied.sum()))
    return {
        "beside": pd.DataFrame(rows, columns=["table", "cells", "different", "tied"]),
        "different": pd.concat(different, ignore_index=True),
    }
