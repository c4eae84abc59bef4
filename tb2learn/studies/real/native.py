"""Learned tables that are native to a number of rounds: trained for just that many, and kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tb2learn.catalogue import find_rule
from tb2learn.config import Config
from tb2learn.running.compile_cache import user_folder
from tb2learn.studies.worlds import LEARNED
from tb2learn.tiebreaks.rules import Rule
from tb2learn.training import checkpoint
from tb2learn.types import InputError
from tb2learn.version import NUMBERS

NATIVE = f"{LEARNED}-native"
"""The learned rule with a table of its own for every number of rounds in `ROUNDS`."""

ROUNDS = range(5, 11)
"""Numbers of rounds that tables are trained for; for others the shipped table is rescaled."""


def find_native(name: str, rounds: int, boards: int) -> Rule:
    """A rule for a format, as `find_rule`; of `NATIVE` its table for the number of rounds.

    **Raises:** `InputError` as `find_rule`.
    """
    rescaled = find_rule(LEARNED if name == NATIVE else name, rounds, boards)
    if name != NATIVE or rounds not in ROUNDS:
        return rescaled
    return trained_once(native_config(rounds)).rule()


def native_config(rounds: int) -> Config:
    """The configuration of the shipped table, for another number of rounds."""
    shipped = checkpoint.load(LEARNED).config
    teams, event = shipped.event.teams, replace(shipped.event, rounds=rounds)
    return replace(shipped, name=f"learned-{teams}x{rounds}", description="", event=event)


def trained_once(config: Config) -> checkpoint.Checkpoint:
    """A checkpoint of a configuration, from `tables/` in the user's cache.

    It is trained if it is not there, or was made of another configuration or by a version that
    trains otherwise; without a cache it is not kept.
    """
    folder = user_folder("tables")
    path = folder / f"{config.name}.npz" if folder else None
    kept = _kept(path, config) if path else None
    if kept is None:
        kept = checkpoint.train(config, progress=True)
        if path:
            checkpoint.write(kept, path)
    return kept


def _kept(path: Path, config: Config) -> checkpoint.Checkpoint | None:
    """The checkpoint in a file; None if there is none, or one that is not of the configuration."""
    try:
        found = checkpoint.load(path)
    except InputError:
        return None
    return found if (found.config, found.version) == (config, NUMBERS) else None
