"""What the exported documents say, in five languages."""

from __future__ import annotations

import csv
import functools
from collections.abc import Mapping
from importlib import resources

from tb2learn.types import InputError

LANGUAGES = ("en", "hu", "es", "fr", "de")


@functools.cache
def words(language: str = "en") -> Mapping[str, str]:
    """The translation table `words.csv`, one column of it: key to text with ``{fields}``.

    **Arguments:** `language`: of `LANGUAGES`.

    **Raises:** `InputError` for another language.
    """
    if language not in LANGUAGES:
        raise InputError(f"language must be one of {', '.join(LANGUAGES)}, got {language!r}")
    text = resources.files(__package__).joinpath("words.csv").read_text("utf-8")
    return {row["key"]: row[language] for row in csv.DictReader(text.splitlines())}
