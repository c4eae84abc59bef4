"""Forecasts as tables, and as text for the screen."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import pandas as pd

from tb2learn.events.terms import terms
from tb2learn.export.result import Table, TableSet
from tb2learn.forecasts.chances import NAMES, Chances
from tb2learn.report.chance_frames import (
    aim,
    decided_frame,
    others_frame,
    own_frame,
    places_frame,
    teams_frame,
    telling,
)

LEAST = 0.01
"""Teams with a smaller chance of the first ten are not in the short table."""

HEADINGS = {"winner": "1st", "medals": "medal", "ten": "first 10"}
"""Of the columns for `forecasts.chances.NAMES`."""

GOALS = {
    "winner": "the chance of first place",
    "medals": "the chance of a medal",
    "ten": "the chance of a place in the first ten",
}
"""The same in a sentence."""


def forecast_text(found: Chances, whole: bool = False, width: int | None = None) -> str:
    """Chances in per cent, what decides, and the captain's tables if they were asked for.

    **Arguments:**

    - `whole`: also teams whose chance of the first ten is below `LEAST`.
    - `width`: as of `Table.text`.
    """
    words = terms(found.begun.event.individual)
    frame, rules = teams_frame(found), list(found.orders)
    by_rule = [frame[frame.rule == rule].reset_index(drop=True) for rule in rules]
    header = [words.one, words.points]
    header += [f"{HEADINGS[name]} {rule}" for name in NAMES for rule in rules]
    means = [f"mean place {rule}" for rule in rules]
    shown = pd.concat([one["ten"] for one in by_rule], axis=1).max(axis=1) >= LEAST
    body = []
    for row in range(len(shown)):
        if whole or shown[row]:
            chances = [chances_of[name][row] for name in NAMES for chances_of in by_rule]
            places = [chances_of.mean_place[row] for chances_of in by_rule]
            body.append([by_rule[0].team[row], by_rule[0].mp[row], *chances, *places])
    formats = dict.fromkeys(header[2:], _percent) | dict.fromkeys(means, ".1f")
    parts = [Table([*header, *means], body, formats=formats).text(width)]
    if len(body) < len(shown):
        parts.append(
            f"{len(shown) - len(body)} {words.many} with less than {LEAST:.0%} for the first ten "
            "are not shown (--wide).\n"
        )
    most = found.error(frame[list(NAMES)].to_numpy()).max()
    parts.append(
        f"Per cent of {found.continuations:,} simulations of the rounds left; with others a number "
        f"may differ by {200 * most:.2g}.\n"
    )
    parts.append("\n" + _decided_text(found, width))
    if found.team is not None:
        parts += ["\n", _captain(found, width)]
    return "".join(parts)


def _decided_text(found: Chances, width: int | None) -> str:
    """How often the tie-break decides, by rule."""
    header = ["equal points at", "rule", "equal", "rule decides", "later", "shared", "rules differ"]
    rows = decided_frame(found).to_dict("records")
    shares = ("tied", "by_rule", "later", "shared", "differ")
    body = [
        [places, row["rule"], *(row[share] for share in shares)]
        for name, places in zip(NAMES, ("1st and 2nd", "3rd and 4th", "10th and 11th"), strict=True)
        for row in rows
        if row["up_to"] == name
    ]
    return Table(header, body, formats=dict.fromkeys(header[2:], _percent), keys=2).text(width)


def _captain(found: Chances, width: int | None) -> str:
    """What the next round does to the captain's team."""
    event, rules = found.begun.event, list(found.orders)
    words, team = terms(event.individual), event.teams[found.team or 0]
    own = own_frame(found)
    header = [words.result, "how likely", *(f"{HEADINGS[n]} {r}" for n in NAMES for r in rules)]
    body = [
        [gp, rows.chance.iloc[0], *(row[name] for name in NAMES for _, row in rows.iterrows())]
        for gp, rows in own.groupby("gp", sort=True)
    ]
    formats: dict[str, Any] = {words.result: "g", **dict.fromkeys(header[1:], _percent)}
    title = f"Chances of {team} in per cent, by its own result in round {event.rounds + 1}:"
    first = Table(header, body, title, formats=formats).text(width)
    what = aim(found)
    chance = f"{GOALS[what]} of {team} under {rules[-1]}"
    columns = ("team_a", "team_b", "if_a", "if_drawn", "if_b", "change")
    matches = telling(others_frame(found), rules[-1], what)
    if not matches:
        line = f"No other match clearly changes {chance}."
        return f"{first}\n{line if width is None else textwrap.fill(line, width)}\n"
    heads = ("A", "B", "if A wins", "if drawn", "if B wins", "changes by")
    second = Table(
        columns,
        [[match[column] for column in columns] for match in matches],
        f"Matches of others that change {chance}:",
        headings=dict(zip(columns, heads, strict=True)),
        formats=dict.fromkeys(columns[2:], _percent),
        keys=2,
    )
    line = "Changes by: how many points the chance goes up or down on average."
    line = line if width is None else textwrap.fill(line, width)
    return f"{first}\n{second.text(width)}{line}\n"


def _percent(chance: float) -> str:
    """One decimal."""
    return f"{100 * chance:.1f}"


def forecast_tables(found: Chances, notes: Sequence[str] = ()) -> TableSet:
    """All tables of a forecast by name, with six decimals in files; see `docs/json.md`."""
    begun = found.begun
    about: dict[str, Any] = {
        "event": begun.event.name,
        "after": begun.event.rounds,
        "rounds": begun.rounds,
        "continuations": found.continuations,
        "seed": found.seed,
        "rules": list(found.orders),
    }
    frames = {
        "teams": teams_frame(found),
        "places": places_frame(found),
        "decided": decided_frame(found),
    }
    if found.team is not None:
        about["captain"] = begun.event.teams[found.team]
        frames |= {"own": own_frame(found), "others": others_frame(found)}
    tables = {name: Table.of(frame, digits=6) for name, frame in frames.items()}
    return TableSet(tables, notes, about)
