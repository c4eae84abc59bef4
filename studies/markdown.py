"""Text and tables as Markdown, and intervals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from jaxtyping import Float

from tb2learn.text import plain

Ends: TypeAlias = Sequence[float] | Float[np.ndarray, "2"]
"""The two ends of an interval."""

# Characters with a meaning in Markdown; an underscore between two letters or digits has none.
_MARKS = re.compile(
    r"([\\`*{}\[\]<>|#!~$&@]|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=[wW]{3})\.)",
)
_NUMBER = re.compile(r"[-+]?[\d,.]+(e[-+]\d+)?%?|-|")


def escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _MARKS.sub(r"\\\1", plain(text))


def table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    """A Markdown table, line by line.

    **Arguments:**

    - `header`: names of the columns.
    - `rows`: as many cells as columns; None is an empty cell. All text is escaped.

    **Returns:** the lines. Columns of numbers are aligned to the right, all others to the left.
    """
    cells = [["" if value is None else str(value) for value in row] for row in rows]
    columns = zip(header, *cells, strict=True)
    right = [all(_NUMBER.fullmatch(value) for value in values) for _, *values in columns]
    lines = [
        _line(map(escaped, header)),
        _line("---:" if number else "---" for number in right),
    ]
    return lines + [_line(map(escaped, row)) for row in cells]


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def with_interval(value: float, ends: Ends, form: str = ".3f") -> str:
    """A value and its interval in a sentence: `0.389 [0.362, 0.419]`."""
    return f"{value:{form}} [{ends[0]:{form}}, {ends[1]:{form}}]"
