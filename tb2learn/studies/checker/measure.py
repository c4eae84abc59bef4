"""How many cells of every code and event are those of FIDE's tie-break checker; the figure."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from tb2learn.events import TeamEvent, read_event
from tb2learn.events.criteria import evaluate
from tb2learn.events.formats.trf_write import write_trf
from tb2learn.events.parts import Match
from tb2learn.events.rank import complete, order_of
from tb2learn.events.unplayed.record import event_record
from tb2learn.report.frames import Frames, where, wide
from tb2learn.report.stored import Csv
from tb2learn.report.style import blank_figure, dress, heat_map
from tb2learn.studies.checker.made import made_event
from tb2learn.tiebreaks.library import Entry, codes
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError

CHECKER = "gacrux"

WRITTEN: Mapping[str, tuple[str, ...]] = {
    "C": ("/C1", "/C2"), "M": ("/M1", "/M2"), "L": ("/L+1", "/L-1", "/L60"), "F": ("/F",),
    "R": ("/R",), "P": ("/P",), "U": ("/U1400",), "V": ("/V2024",), "K": ("/K3",),
}  # fmt: skip
"""Modifiers that are tried, by letter; those that have cuts and forfeits also with both."""

NOT_COMPARED = ("RND", "MPVGP:GP")
"""Codes that are not compared: both draw lots; and match points, where game points come first."""

THREE = (6, 2, 0)
"""Three points for a win, in half points."""

MADE: Mapping[str, Mapping[str, Any]] = {
    "players-retiring": {"teams": 14, "rounds": 6, "boards": 1, "seed": 1},
    "players-3-1-0": {"teams": 17, "rounds": 7, "boards": 1, "seed": 2, "scoring": THREE},
    "players-unrated": {"teams": 40, "rounds": 9, "boards": 1, "seed": 3, "unrated": 0.1},
    "players-round-robin": {"teams": 7, "rounds": 0, "boards": 1, "seed": 4, "cycles": 1},
    "players-double-round-robin": {
        "teams": 6, "rounds": 0, "boards": 1, "seed": 5, "cycles": 2
    },
    "teams-retiring": {"teams": 11, "rounds": 7, "boards": 4, "seed": 6},
    "teams-six-boards": {"teams": 24, "rounds": 9, "boards": 6, "seed": 7},
    "teams-3-1-0": {"teams": 12, "rounds": 6, "boards": 4, "seed": 8, "scoring": (3, 1, 0)},
    "teams-round-robin": {"teams": 7, "rounds": 0, "boards": 4, "seed": 16, "cycles": 1},
}  # fmt: skip
"""Made-up events by name, with the arguments of `made_event`."""

GENERATED: Mapping[str, tuple[str, ...]] = {
    "checker-swiss-17": ("11", "1", "-p", "17", "-n", "7", "-S", "0.05", "0.08", "0.1"),
    "checker-swiss-31": ("12", "1", "-p", "31", "-n", "9", "-S", "0.08", "0.1", "0.15"),
    "checker-round-robin": (
        "21", "1", "-p", "8", "-n", "7", "-m", "berger", "-S", "0", "0", "0.3"
    ),
}  # fmt: skip
"""Events of players that the checker's own generator makes, with its arguments."""

REAL = ("baku2016",)
"""Packaged events with games."""

TEAMS_RATED, NOTHING, OTHER = "ratings of teams", "nothing printed", "other numbers"

WHY: Mapping[str, str] = {
    TEAMS_RATED: "the checker knows no ratings of teams, and C.07, article 10, is for individuals; "
    "ours takes the mean of a team's best players",
    NOTHING: "the checker prints nothing for anybody if one player has no rating and no rating is "
    "given for those (/U1400); ours leaves out the games against them",
    OTHER: "the numbers differ",
}
"""What cells that do not agree, or are not compared, are due to."""

FILES = (Csv("cells.csv", "cells"), Csv("events.csv", "events"))


@dataclass(frozen=True)
class Tried:
    """An event that both programs see: ours, and its text for the checker."""

    event: TeamEvent
    text: str
    source: str

    @property
    def kind(self) -> str:
        """Players or teams."""
        return "players" if self.event.individual else "teams"


def measure(events: Sequence[str] = ()) -> dict[str, pd.DataFrame]:
    """Compare every code in every event.

    **Arguments:** `events`: names of `MADE`, `GENERATED` or packaged events, or paths; all that the
    report has, if there are none.

    **Returns:** `cells`: a row a code and event: `event`, `kind`, `code`, `cells`, `agreeing` and
    `why` they differ; `events`: what every event holds.

    **Raises:** `InputError` if the checker is not installed.
    """
    try:
        import gacrux as gacrux
    except ImportError as error:
        raise InputError("FIDE's checker is needed: pip install tb2learn[studies]") from error
    names = tuple(events) or (*MADE, *GENERATED, *REAL)
    tried = {name: read(name) for name in names}
    cells = [
        {"event": name, "kind": one.kind, **row}
        for name, one in tried.items()
        for row in compared(one)
    ]
    held = [{"event": name, **_held(one)} for name, one in tried.items()]
    return {"cells": pd.DataFrame(cells), "events": pd.DataFrame(held)}


def read(name: str) -> Tried:
    """An event by name. The checker reads ours as TRF26; its own ones are read by both."""
    if name in GENERATED:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                [sys.executable, "-m", f"{CHECKER}.tournamentgenerator",
                 "-o", f"{folder}/event.trf", "-g", *GENERATED[name]],
                capture_output=True, check=True,
            )  # fmt: skip
            path = Path(folder) / "event.trf"
            return Tried(read_event(path), path.read_text(), "made by the checker")
    if name in MADE:
        return _written(made_event(name, **MADE[name]), "made up")
    return _written(read_event(name), "real")


def _written(event: TeamEvent, source: str) -> Tried:
    """An event without dates, by which the checker would choose an older edition.

    A team that was not paired has a zero-point bye: it means the same, and without one the checker
    ends with an error for game points.
    """
    dateless = {key: text for key, text in event.about.items() if key not in ("start", "end")}
    there = {(m.round, team) for m in event.matches for team in m.teams}
    absent = [
        Match(number, len(event.teams) + team, team, None, 0, 0, 0, 0, "zero")
        for number in range(1, event.rounds + 1)
        for team in range(len(event.teams))
        if (number, team) not in there
    ]
    matches = sorted((*event.matches, *absent), key=lambda match: match.round)
    event = replace(event, about=dateless, matches=tuple(matches))
    return Tried(event, write_trf(event, 2026), source)


def _held(one: Tried) -> dict[str, Any]:
    matches, event = one.event.matches, one.event
    last = {team: 0 for team in range(len(event.teams))}
    for match in matches:
        for team in match.teams if match.bye != "zero" else ():
            last[team] = max(last[team], match.round)
    return {
        "kind": one.kind,
        "source": one.source,
        "entrants": len(event.teams),
        "rounds": event.rounds,
        "byes": sum(m.bye not in ("", "zero") for m in matches),
        "absences": sum(m.bye == "zero" for m in matches),
        "forfeits": sum(m.by_default for m in matches),
        "left": sum(number < event.rounds - 1 for number in last.values()),
    }


def asked(players: bool) -> Iterator[tuple[str, Entry]]:
    """Every code with its scores and modifiers, one after the other, and its entry."""
    for code, entry in codes(players).items():
        if code in NOT_COMPARED:
            continue
        based = entry.based and not players and ":" not in code
        for head in (code, f"{code}:MP", f"{code}:GP") if based else (code,):
            yield head, entry
            for letter in entry.letters:
                yield from ((head + one, entry) for one in WRITTEN[letter])
            if {"C", "P"} <= set(entry.letters):
                yield f"{head}/C1/P", entry


def compared(one: Tried) -> Iterator[dict[str, Any]]:
    """The rows of an event, one a code."""
    theirs = _Checker(one)
    order, event = order_of(one.event), one.event
    policy = "face-value" if theirs.round_robin else "c07"
    completed, first = complete(event, policy), "PTS" if event.individual else "MPTS"
    for code, entry in asked(event.individual):
        listed = [code] if code in ("PTS", "MPTS") else [first, code]
        *before, last = order.listed(",".join(listed), _no_rule)
        row = {"code": code, "cells": len(event.teams), "agreeing": 0}
        if entry.needs == "ratings" and not event.individual:
            yield row | {"cells": 0, "why": TEAMS_RATED}
            continue
        try:
            printed = theirs.values(listed)
        except Exception as error:  # whatever a program that is not ours ends with
            yield row | {"why": f"the checker ends with {type(error).__name__}"}
            continue
        scores = evaluate(completed, [*before, last])
        own = last.shown(scores[-1], [*scores[:-1]]).tolist()
        equal = [
            ours == 0 if value is None else abs(float(value) - ours) < 1e-4
            for value, ours in zip(printed, own, strict=True)
        ]
        nothing = all(value is None for value in printed)
        why = "" if all(equal) else NOTHING if nothing else OTHER
        yield row | {"agreeing": sum(equal), "why": why}


def _no_rule(name: str) -> Rule:
    raise InputError(f"no rule: {name}")


class _Checker:
    """FIDE's checker with an event."""

    def __init__(self, one: Tried) -> None:
        from gacrux import trf2json

        file = trf2json.trf2json()
        file.parse_file(one.text, True)
        self._played = file.get_tournament(1)
        self.round_robin = event_record(one.event).is_round_robin

    def values(self, listed: Sequence[str]) -> list[Decimal | int | None]:
        """What the last code gives, in the order of the start numbers."""
        from gacrux import tiebreak

        wanted = {
            "tiebreak": [*listed], "check": False, "unrated": None,
            "pre_determined": self.round_robin, "swiss": not self.round_robin,
        }  # fmt: skip
        with contextlib.redirect_stdout(io.StringIO()):
            checker = tiebreak.tiebreak(self._played, -1, wanted)
            found = checker.compute_tiebreaks(self._played, wanted)
        rows = sorted(found["competitors"], key=lambda row: row["cid"])
        return [row["tiebreakScore"][-1] for row in rows]


def summary(frames: Frames) -> Mapping[str, Any]:
    """Sums of cells, a table of codes and events a kind, and why cells differ."""
    cells = frames["cells"]
    compared = cells[cells["cells"] > 0]
    tables = {}
    for kind in dict.fromkeys(compared["kind"]):
        of_kind = where(compared, kind=kind)
        entrants = where(frames["events"], kind=kind).set_index("event")["entrants"]
        table = wide(of_kind, "code", "event", "agreeing").rename(
            columns={name: f"{name} ({entrants[name]})" for name in entrants.index}
        )
        tables[kind] = table.reset_index()
    differ = cells[cells["why"].notna() & (cells["why"] != "")]
    reasons = [
        {
            "why": why,
            "said": WHY.get(why, "it is a slip of the checker, which then prints no table"),
            "codes": ", ".join(dict.fromkeys(rows["code"].str.split("[:/]").str[0])),
            "events": ", ".join(dict.fromkeys(rows["event"])),
        }
        for why, rows in differ.groupby("why", sort=False)
    ]
    return {
        "agreeing": int(compared["agreeing"].sum()),
        "compared": int(compared["cells"].sum()),
        "tables": tables,
        "reasons": reasons,
    }


def codes_figure(frames: Frames) -> Figure:
    """A panel a kind of event: a row an event, a column a code with all its modifiers."""
    cells = frames["cells"]
    cells = cells.assign(head=cells["code"].str.split("[:/]").str[0])
    kinds = list(dict.fromkeys(cells["kind"]))
    rows = [where(cells, kind=kind)["event"].nunique() for kind in kinds]
    figure = blank_figure(13.0, 1.2 * len(kinds) + 0.36 * sum(rows))
    panels = figure.subplots(len(kinds), 1, squeeze=False, height_ratios=rows)[:, 0]
    norm = Normalize(0, 1)
    for panel, kind in zip(panels, kinds, strict=True):
        found = where(cells, kind=kind)
        events, heads = (list(dict.fromkeys(found[name])) for name in ("event", "head"))
        sums = found.groupby(["event", "head"])[["agreeing", "cells"]].sum()
        compared = sums["cells"].astype(float).where(sums["cells"] > 0)
        shares = (sums["agreeing"] / compared).unstack().loc[events, heads]
        values = np.ma.masked_invalid(shares.to_numpy(float))
        heat_map(panel, values, "cividis", norm)
        dress(panel, f"Events of {kind}", "", "", grid=False)
        panel.set_xticks(range(len(heads)), heads, rotation=60, ha="right", fontsize=8)
        panel.set_yticks(range(len(events)), events, fontsize=8, parse_math=False)
        panel.invert_yaxis()
    colours = ScalarMappable(norm, "cividis")
    figure.colorbar(colours, ax=list(panels), label="share of agreeing cells", fraction=0.02)
    return figure


FIGURES = {"codes.png": codes_figure}
