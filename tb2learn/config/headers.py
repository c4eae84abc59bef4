"""A configuration as checkpoints hold it, of every version."""

from __future__ import annotations

from typing import Any

from tb2learn.config.key_tables import plain
from tb2learn.config.recipes import Config, from_tables
from tb2learn.text import quoted
from tb2learn.types import InputError

UNUSED = {"reduced": False, "steps": 0, "step_events": 64, "learning_rate": 0.003}
"""Keys of `decisions` that version 1 had, in its checkpoints, too: with these values, which mean
what is done now. They are still written, so that checkpoints keep their bytes."""


def from_dict(header: Any) -> Config:
    """The inverse of `to_dict`: what a checkpoint says of its configuration.

    **Raises:** `InputError` naming the key, what is allowed and what came.
    """
    return from_tables(upgrade(header))


def upgrade(header: Any) -> Any:
    """The tables of a checkpoint of any version, as one of today would say the same.

    What earlier versions did not write was then: paired by the thesis's rule, and a penalty on seed
    bias aimed at 0.
    """
    if not isinstance(header, dict):
        return header
    header = without_unused(header)
    for table, then in (("event", {"pairing": "thesis"}), ("decisions", {"aim": "equal"})):
        if isinstance(keys := header.get(table, {}), dict):
            header = {**header, table: then | keys}
    return header


def without_unused(data: dict[str, Any]) -> dict[str, Any]:
    """Tables without the keys that nothing reads any more.

    **Raises:** `InputError` for one with another value than that of what is done today.
    """
    if not isinstance(plan := data.get("decisions"), dict):
        return data
    for key in UNUSED.keys() & plan.keys():
        if plan[key] != UNUSED[key]:
            raise InputError(
                f"decisions.{key} is no longer used: it must be left out or "
                f"{UNUSED[key]}, got {quoted(str(plan[key])[:40])}"
            )
    return {**data, "decisions": {k: x for k, x in plan.items() if k not in UNUSED}}


def to_dict(config: Config) -> dict[str, Any]:
    """The inverse of `from_dict`; valid JSON (infinity is written as `"inf"`)."""
    content = plain(config)
    content["decisions"] |= UNUSED
    return content
