"""Packaged facts: tables of numbers, each folder or file with a provenance note beside it."""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

import numpy as np

from tb2learn.types import InputError

UNRATED = 1000
"""The rating of a player without one (FIDE's rating floor of 2016)."""


def read_rows(*path: str) -> list[dict[str, str]]:
    """The rows of a packaged CSV table as strings by column, without pandas.

    For tables that commands load when they start, and where the printed digits matter.

    >>> rows = read_rows("thesis", "table_4_8_usa_ukraine.csv")
    >>> sum(float(row["gp"]) for row in rows if row["team"] == "USA")
    31.5
    """
    text = resources.files(__name__).joinpath(*path).read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


@cache
def event_names() -> tuple[str, ...]:
    """Names of the packaged events, in alphabetical order."""
    folders = resources.files(__name__).iterdir()
    return tuple(sorted(f.name for f in folders if f.joinpath("matches.csv").is_file()))


@cache
def rated_event_names() -> tuple[str, ...]:
    """Names of the packaged events whose teams have ratings."""
    return tuple(n for n in event_names() if "rating_1" in read_rows(n, "teams.csv")[0])


def event_folder(name: str) -> Traversable:
    """The folder of a packaged event.

    **Raises:** `InputError` listing the packaged events if `name` is none of them, or saying what
    to do with a web address: nothing is fetched.
    """
    if name.lower().startswith(("http://", "https://", "www.")):
        raise InputError(
            f"{name}: a web address: save the page in the browser (as HTML, or its Excel file), "
            "then give the name of the file"
        )
    if name not in event_names():
        raise InputError(
            f"{name}: no such file or directory, and no packaged event of that name "
            f"(packaged: {', '.join(event_names())})"
        )
    return resources.files(__name__).joinpath(name)


@cache
def event_rosters(name: str) -> np.ndarray:
    """Ratings of a packaged event's teams: the four best players who played.

    **Returns:** int32 `[teams, 4]`, strongest first, read-only; players without a rating count
    `UNRATED` (in Baku 2016 of 13 teams of 176).

    **Raises:** `InputError` if its ratings are not known.
    """
    event_folder(name)
    columns = [f"rating_{i}" for i in range(1, 5)]
    rows = read_rows(name, "teams.csv")
    if not set(columns) <= rows[0].keys():
        raise InputError(f"{name}: no ratings are known")
    rosters = np.array([[int(row[c] or UNRATED) for c in columns] for row in rows], np.int32)
    rosters.flags.writeable = False
    return rosters
