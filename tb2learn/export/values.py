"""The scores of a rule by start number, for the column of a tie-break that an arbiter fills in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tb2learn.disk import inputs
from tb2learn.events import Criterion, Ranked, TeamEvent
from tb2learn.text import csv_text, number, plain

_HEAD = "### start, value of "


def deciding(criteria: Sequence[Criterion]) -> Criterion:
    """The criterion whose values another program lacks: the first that FIDE has no code for."""
    return next((one for one in criteria if not _code(one)), criteria[min(1, len(criteria) - 1)])


def values_csv(event: TeamEvent, rows: Sequence[Ranked], criterion: Criterion) -> str:
    """Start number, name and value of a criterion, in start order."""
    values = {row.team: row.scores[criterion.name] for row in rows}
    table = [(start, name, number(values[name])) for start, name in _started(event)]
    return csv_text([("start", "player" if event.individual else "team", "value"), *table])


def values_trf(
    event: TeamEvent, rows: Sequence[Ranked], criteria: Sequence[Criterion], criterion: Criterion
) -> str:
    """Record 212 of a TRF26 with the order of the criteria, and the values as comments.

    TRF26 has no record for values. A rule without a code is `OTHER_` and its name, as FIDE asks.
    """
    codes = [_code(one) or f"OTHER_{_plain(one.rule.name)}" for one in criteria]
    values = {row.team: row.scores[criterion.name] for row in rows}
    lines = [f"212 {','.join(codes)}", f"{_HEAD}{_plain(criterion.rule.name)}, name"]
    lines += [
        f"### {start:4} {number(values[name]):>10} {plain(name)}" for start, name in _started(event)
    ]
    return "".join(f"{line}\r\n" for line in lines)


def is_values_trf(path: Path) -> bool:
    """Whether a file is what `values_trf` makes."""
    head = inputs.read_bytes(path, inputs.MAX_TEXT).split(b"\r\n", 2)
    return head[0].startswith(b"212 ") and head[1:2] != [] and head[1].startswith(_HEAD.encode())


def _started(event: TeamEvent) -> list[tuple[int, str]]:
    """Start numbers, of which a file may leave some out, and names."""
    starts = event.starts or range(1, 1 + len(event.teams))
    return list(zip(starts, event.teams, strict=True))


def _plain(name: str) -> str:
    return "".join(letter for letter in name.upper() if letter.isalnum() or letter == "-")


def _code(one: Criterion) -> str:
    """FIDE's code of a criterion; empty for none."""
    return one.rule.parts[0].code if len(one.rule.parts) == 1 else ""
