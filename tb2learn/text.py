"""Text from outside made safe: for one-line messages, for terminals, for the cells of tables.

Names of teams, players and files come from files that anybody may have written.
"""

from __future__ import annotations

import csv
import difflib
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any


def quoted(text: str, limit: int = 60) -> str:
    """Text from a file for a one-line message: escaped, cut to `limit` characters, in quotes."""
    cut = text if len(text) <= limit else text[: limit - 3] + "..."
    return ascii(cut) if any(not c.isprintable() for c in cut) else repr(cut)


def printable(path: str) -> str:
    """A path for a one-line message: unchanged, unless it is long or could break the line."""
    return path if path.isprintable() and len(path) <= 200 else quoted(path, 200)


def named(path: str) -> str:
    """As `printable`, for a message that begins with the path: an empty one is in quotes."""
    return printable(path) or quoted(path)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message that names what may have been meant; empty if nothing is like it."""
    folded = {one.casefold(): one for one in known}
    close = difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.6)
    return f"; did you mean {', '.join(quoted(folded[c]) for c in close)}?" if close else ""


def tidy(name: str) -> str:
    """A name with one space for blanks of any kind, without characters that nobody sees."""
    seen = (c for c in name if c.isspace() or unicodedata.category(c) != "Cf")
    return " ".join("".join(seen).split())


MAX_MESSAGE = 2000
"""Most characters of a message."""


def one_line(text: str) -> str:
    """A message that may quote anything: `plain`, its middle left out beyond `MAX_MESSAGE`."""
    return _without_middle(plain(_without_middle(text)))


def _without_middle(text: str) -> str:
    if len(text) <= MAX_MESSAGE:
        return text
    mark = " ... "
    half = (MAX_MESSAGE - len(mark)) // 2
    return text[:half] + mark + text[-half:]


def plain(text: str) -> str:
    """Printable text, which cannot forge terminal output.

    Control and format characters are escaped, and a blank of any width is a space.
    """
    return text if text.isprintable() else "".join(map(_printable, text))


def _printable(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return character.encode("unicode_escape").decode("ascii")
    return " " if category == "Zs" else character


def on_paper(note: str) -> str:
    """A note without what names an option of the command line, which paper does not have.

    Options stand in brackets, or in a clause of their own after a comma, colon or semicolon.
    """

    def kept(brackets: re.Match[str]) -> str:
        parts = [part for part in brackets[1].split("; ") if not _OPTION.search(part)]
        return f" ({'; '.join(parts)})" if parts else ""

    note = re.sub(r" \(([^()]*)\)", kept, note)
    return re.sub(rf"[;,:] [^;,:]*{_OPTION.pattern}[^;]*", "", note)


_OPTION = re.compile("--[a-z]")


def written_halves(half_points: int) -> str:
    """Half points as results have them: `2½`, `½`, `0`."""
    whole, half = divmod(half_points, 2)
    return (str(whole) if whole or not half else "") + "½" * half


def plain_number(value: float) -> int | float:
    """A number without a needless decimal point: 20 for 20.0, 413.5 for 413.5."""
    return int(value) if float(value).is_integer() else float(value)


_FORMULA = re.compile(
    r"""(^|;)(?='*[ \u00a0\u3000"]*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?='*[\t\r\n])"""
)
"""Where a spreadsheet could take what follows for a formula, also in full width. In many countries
a new cell begins after `;`, whatever stands in quotes."""
_GUARD = re.compile(_FORMULA.pattern.replace("(?=", "'(?="))
_SIGNED = re.compile(r"'*[+-][0-9.]+", re.ASCII)


def cell(value: Any) -> Any:
    """A CSV cell that no spreadsheet takes for a formula."""
    if isinstance(value, str):
        return plain(_FORMULA.sub(r"\1'", value))
    return plain_number(value) if isinstance(value, float) else value


def guarded(text: str) -> str:
    """Text for a CSV cell that is read again: an apostrophe stands before what may be a formula."""
    return text if _SIGNED.fullmatch(text) else _FORMULA.sub(r"\1'", text)


def unguarded(text: str) -> str:
    """The text that was `guarded`."""
    return text if _SIGNED.fullmatch(text) else _GUARD.sub(r"\1", text)


def csv_text(rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV; every value goes through `cell`."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(map(cell, row) for row in rows)
    return buffer.getvalue()


def difference(kept: Any, ours: Any, name: str = "") -> str | None:
    """The first difference of two JSON values, in words."""
    if isinstance(kept, list) and isinstance(ours, list):
        kept, ours = dict(enumerate(kept)), dict(enumerate(ours))
    if isinstance(kept, dict) and isinstance(ours, dict):
        for key in sorted({*kept, *ours}):
            found = difference(kept.get(key), ours.get(key), f"{name}.{key}".lstrip("."))
            if found:
                return found
        return None
    return None if kept == ours else f"its {name} is {str(kept)[:80]!r}, not {str(ours)[:80]!r}"
