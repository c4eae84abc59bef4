"""A conformance pack: events with the numbers that a rule gives, for other programs to compute.

`expected.csv` has a row a team of every event under every policy for unplayed rounds. A program
proves that it computes the rule by writing the same file; `differences` names what is not the same.
"""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from tb2learn.disk import inputs
from tb2learn.dossier.packed_events import CONTENTS, packed_events
from tb2learn.events import TeamEvent, rank
from tb2learn.events.files.options import Reading
from tb2learn.events.files.trf import read_trf
from tb2learn.events.files.trf_write import write_trf
from tb2learn.events.unplayed.policies import POLICIES
from tb2learn.text import csv_text, number, quoted, shown
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError
from tb2learn.version import __version__

EXPECTED, README = "expected.csv", "README.txt"

COLUMNS = ("event", "policy", "start", "team", "mp", "tb2", "place")

MOST_ROWS = 100_000
"""Rows of a file that are read."""

_SAME = 0.5e-4  # scores are printed with four decimals


class Key(NamedTuple):
    """A row of the file: an event, a policy, and a team by its start number."""

    event: str
    policy: str
    start: int

    @property
    def where(self) -> str:
        """The table that the row stands in."""
        return f"{self.event}, {self.policy}"


class Numbers(NamedTuple):
    """What a row says of the team."""

    mp: float
    tb2: float
    place: float


def conformance_pack(rule: Rule, seed: int) -> dict[str, str]:
    """The files of a pack by name.

    **Arguments:** `rule`: for its format; `seed`: of the events.
    """
    files, read = {}, {}
    for name, event in packed_events(rule.event_rounds, rule.boards, seed).items():
        files[f"{name}.trf"] = write_trf(event, 2026)
        # The numbers are those of what other programs read.
        read[name] = read_trf(files[f"{name}.trf"].encode(), name, Reading(strict=True))
    files[EXPECTED] = numbers_csv(read, rule)
    files[README] = _readme(rule, seed)
    return files


def numbers_csv(
    events: Mapping[str, TeamEvent], rule: Rule, policies: Iterable[str] = tuple(POLICIES)
) -> str:
    """What a rule gives under policies for unplayed rounds, as the content of `EXPECTED`."""
    rows = []
    for name, event in events.items():
        for policy in policies:
            ranked = {row.team: row for row in rank(event, rule, unplayed=policy)}
            for start, team in enumerate(event.teams, start=1):
                row = ranked[team]
                scores = (number(row.scores[key]) for key in ("mp", "tb2"))
                rows.append((name, policy, start, team, *scores, row.place))
    return csv_text([COLUMNS, *rows])


def _readme(rule: Rule, seed: int) -> str:
    lines = [
        f"Conformance pack of the tie-break {rule.name} for {rule.event_rounds} rounds and "
        f"{rule.boards} boards",
        "",
        f"Made by tb2learn {__version__}, seed {seed}; checksum of the rule {rule.digest()}.",
        "",
        "Rank the events of the TRF26 files by match points, TB2 and what follows in the",
        f"regulation, and write a file like {EXPECTED}. Then",
        "",
        "    tb2learn conform THIS_FOLDER --against YOUR_FILE",
        "",
        "names every number that differs, and ends with status 0 if none does, else 1.",
        "",
        *(f"{name}.trf: {said}" for name, said in CONTENTS.items()),
        "",
        f"Columns of {EXPECTED}: the event, the policy for unplayed rounds, the team's number and",
        "name in the file, its match points, TB2 and place (teams equal on everything share one).",
    ]
    return "\n".join(lines) + "\n"


# --------------------------------------------------------------------------- what differs


def read_numbers(path: Path) -> dict[Key, Numbers]:
    """The rows of a file like `expected.csv`.

    **Raises:** `InputError` naming file and line for what is no such file.
    """
    text = inputs.read_text(path)
    reader = csv.reader(io.StringIO(text), strict=True)
    found: dict[Key, Numbers] = {}
    try:
        heads = [head.strip().lower() for head in next(reader, [])]
        missing = [name for name in COLUMNS if name != "team" and heads.count(name) != 1]
        if missing:
            raise InputError(
                f"{shown(str(path))}: the first line must name the columns "
                f"{', '.join(COLUMNS)} once (team may be missing), not so {', '.join(missing)}"
            )
        for cells in reader:
            if not any(cells):
                continue
            where = f"{shown(str(path))}: line {reader.line_num}"
            if len(cells) != len(heads):
                raise InputError(f"{where}: must have {len(heads)} cells, got {len(cells)}")
            key, numbers = _parsed(where, dict(zip(heads, cells, strict=True)))
            if key in found:
                raise InputError(f"{where}: {quoted(key.where)}, team {key.start} stands twice")
            if len(found) == MOST_ROWS:
                raise InputError(f"{where}: more than {MOST_ROWS} rows")
            found[key] = numbers
    except csv.Error as error:
        raise InputError(f"{shown(str(path))}: line {reader.line_num}: {error}") from error
    return found


def _parsed(where: str, row: Mapping[str, str]) -> tuple[Key, Numbers]:
    numbers = []
    for name in ("start", *Numbers._fields):
        try:
            value = float(row[name])
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or (name in ("start", "place") and value != int(value)):
            raise InputError(f"{where}: {name} must be a number, got {quoted(row[name])}")
        numbers.append(value)
    start, *rest = numbers
    return Key(row["event"].strip(), row["policy"].strip(), int(start)), Numbers(*rest)


def differences(expected: Mapping[Key, Numbers], given: Mapping[Key, Numbers]) -> list[str]:
    """What another program computed otherwise, one line each; tables that are missing first.

    **Arguments:** the rows of the pack, and those of the other program.
    """
    lines = []
    for what, one, other in (("missing", expected, given), ("not in the pack", given, expected)):
        counts = Counter(key.where for key in one if key not in other)
        lines += [
            f"{quoted(where)}: {rows} team{'s' if rows > 1 else ''} {what}"
            for where, rows in counts.items()
        ]
    for key, ours in expected.items():
        theirs = given.get(key)
        for name, right, got in zip(Numbers._fields, ours, theirs or ours, strict=True):
            if abs(right - got) > _SAME:
                said = f"{name} must be {number(right)}, got {number(got)}"
                lines.append(f"{key.where}, team {key.start}: {said}")
    return lines
