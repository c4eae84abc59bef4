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


def read_table(*path: str) -> list[dict[str, str]]:
    """The rows of a packaged CSV table, as dictionaries of strings."""
    text = resources.files(__name__).joinpath(*path).read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


def event_names() -> list[str]:
    """Names of the packaged events."""
    folders = resources.files(__name__).iterdir()
    return sorted(f.name for f in folders if f.joinpath("matches.csv").is_file())


@cache
def rated_event_names() -> tuple[str, ...]:
    """Names of the packaged events whose teams have ratings."""
    return tuple(n for n in event_names() if "rating_1" in read_table(n, "teams.csv")[0])


def event_folder(name: str) -> Traversable:
    """The folder of a packaged event.

    **Raises:** `InputError` listing the packaged events if `name` is none of them.
    """
    if name not in event_names():
        raise InputError(
            f"{name}: no such directory, and no packaged event of that name "
            f"(packaged: {', '.join(event_names())})"
        )
    return resources.files(__name__).joinpath(name)


@cache
def event_rosters(name: str) -> np.ndarray:
    """Ratings of a packaged event's teams: the four best players who played.

    **Returns:** int32 `[teams, 4]`, strongest first; players without a rating count `UNRATED`. The
    array is read-only: it is the same one for every caller.

    **Raises:** `InputError` if its ratings are not known.
    """
    event_folder(name)
    columns = [f"rating_{i}" for i in range(1, 5)]
    rows = read_table(name, "teams.csv")
    if name not in rated_event_names():
        raise InputError(f"{name}: no ratings are known")
    rosters = np.array([[int(row[c] or UNRATED) for c in columns] for row in rows], np.int32)
    rosters.setflags(write=False)
    return rosters
