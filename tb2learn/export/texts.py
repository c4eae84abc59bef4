"""The table of texts in five languages, `words.csv`, and how a language writes its numbers."""

from __future__ import annotations

import csv
import functools
from collections.abc import Mapping
from importlib import resources

from tb2learn.events.unplayed import SUMMARIES
from tb2learn.export.forms import LANGUAGES
from tb2learn.types import InputError

_PLAYERS = "players."


@functools.cache
def words(language: str = "en", players: bool = False) -> Mapping[str, str]:
    """One language of the table `words.csv`: texts with ``{fields}``, by key.

    **Arguments:**

    - `language`: one of `LANGUAGES`.
    - `players`: of an individual event, whose texts stand in rows of their own.

    **Raises:** `InputError` for another language.
    """
    if language not in LANGUAGES:
        raise InputError(f"language must be one of {', '.join(LANGUAGES)}, got {language!r}")
    text = resources.files("tb2learn.export").joinpath("words.csv").read_text("utf-8")
    texts = {row["key"]: row[language] for row in csv.DictReader(text.splitlines())}
    # What a policy does stands in one place, which help reads without this table.
    if language == LANGUAGES[0]:
        texts |= {f"policy.{name}": line for name, line in SUMMARIES.items()}
    # A text for players takes the place of the one for teams of the same key.
    player_texts = {k.removeprefix(_PLAYERS): v for k, v in texts.items() if k.startswith(_PLAYERS)}
    return texts | player_texts if players else texts


def decimal(number: str, text: Mapping[str, str]) -> str:
    """A number as the language of some words writes it: most have a decimal comma."""
    return number.replace(".", text["doc.decimal"])
