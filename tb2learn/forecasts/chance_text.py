"""Forecasts as text, CSV and JSON. Names come from files: text and CSV escape them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pandas as pd

from tb2learn.events.terms import terms
from tb2learn.forecasts.captain import aim, others_frame, own_frame, telling
from tb2learn.forecasts.chance_frames import NAMES, decided_frame, places_frame, teams_frame
from tb2learn.forecasts.chances import Chances
from tb2learn.text import aligned, csv_text

LEAST = 0.01
"""Teams with a smaller chance of the first ten are not in the short table."""

HEADINGS = {"winner": "1st", "medals": "medal", "ten": "first 10"}
"""Of the columns for `chance_frames.NAMES`."""


def forecast_table(found: Chances, whole: bool = False) -> str:
    """Chances in per cent, what decides, and the captain's tables if they were asked for.

    **Arguments:** `whole`: also teams whose chance of the first ten is below `LEAST`.
    """
    words = terms(found.begun.event.individual)
    frame, rules = teams_frame(found), list(found.orders)
    by_rule = [frame[frame.rule == rule].reset_index(drop=True) for rule in rules]
    header = [words.one, words.points]
    header += [f"{HEADINGS[name]} {rule}" for name in NAMES for rule in rules]
    header += [f"mean place {rule}" for rule in rules]
    shown = pd.concat([one["ten"] for one in by_rule], axis=1).max(axis=1) >= LEAST
    body = []
    for row in range(len(shown)):
        if whole or shown[row]:
            chances = [_percent(one[name][row]) for name in NAMES for one in by_rule]
            places = [f"{one.mean_place[row]:.1f}" for one in by_rule]
            body.append([by_rule[0].team[row], by_rule[0].mp[row], *chances, *places])
    parts = [_right(header, body)]
    if len(body) < len(shown):
        parts.append(
            f"{len(shown) - len(body)} {words.many} with less than {LEAST:.0%} for the first ten "
            "are not shown (--wide).\n"
        )
    most = found.error(frame[list(NAMES)].to_numpy()).max()
    parts.append(
        f"Per cent of {found.continuations:,} continuations; Monte Carlo standard errors are at "
        f"most {100 * most:.2g}.\n"
    )
    parts.append("\n" + _decided_table(found))
    if found.team is not None:
        parts += ["\n", _captain(found)]
    return "".join(parts)


def _decided_table(found: Chances) -> str:
    """How often the tie-break decides, by rule."""
    header = ["equal points at", "rule", "equal", "rule decides", "later", "shared", "rules differ"]
    rows = decided_frame(found).to_dict("records")
    shares = ("tied", "by_rule", "later", "shared", "differ")
    body = [
        [places, row["rule"], *(_percent(row[share]) for share in shares)]
        for name, places in zip(NAMES, ("1st and 2nd", "3rd and 4th", "10th and 11th"), strict=True)
        for row in rows
        if row["up_to"] == name
    ]
    return _right(header, body)


def _captain(found: Chances) -> str:
    """What the next round does to the captain's team."""
    event, rules = found.begun.event, list(found.orders)
    words, team = terms(event.individual), event.teams[found.team or 0]
    own = own_frame(found)
    header = [words.result, "chance", *(f"{HEADINGS[n]} {rule}" for n in NAMES for rule in rules)]
    body = []
    for gp, rows in own.groupby("gp", sort=False):
        chances = [_percent(one[name]) for name in NAMES for _, one in rows.iterrows()]
        body.append([f"{gp:g}", _percent(rows.chance.iloc[0]), *chances])
    what = aim(found)
    others = telling(others_frame(found), rules[-1], what, found)
    columns = ("if_a", "if_drawn", "if_b")
    second = [
        [row["team_a"], row["team_b"], f"{row['bits']:.4f}", *(_percent(row[c]) for c in columns)]
        for row in others
    ]
    heads = ["first", "second", "bits", "if first wins", "if drawn", "if second wins"]
    chance = f"{HEADINGS[what]} of {team} under {rules[-1]}"
    depends = f"{chance} by other matches, the most telling first:\n{_right(heads, second)}"
    return f"{team} after its own result in round {event.rounds + 1}:\n{_right(header, body)}\n" + (
        depends if second else f"No other match changes {chance} by more than chance does.\n"
    )


_FIGURES = frozenset("0123456789.-")


def _right(header: Sequence[str], body: Sequence[Sequence[Any]]) -> str:
    """As `aligned`, but columns whose texts are figures stand on the right."""
    columns = []
    for head, *column in zip(header, *body, strict=True):
        if all(isinstance(x, str) and set(x) <= _FIGURES for x in column):
            width = max(map(len, (head, *column)))
            column, head = [x.rjust(width) for x in column], head.rjust(width)
        columns.append([head, *column])
    head, *rows = map(list, zip(*columns, strict=True))
    return aligned(head, rows)


def _percent(chance: float) -> str:
    """One decimal; nothing for what did not occur."""
    return "-" if pd.isna(chance) else f"{100 * chance:.1f}"


def frames(found: Chances) -> dict[str, pd.DataFrame]:
    """All frames of a forecast by name."""
    made = {
        "teams": teams_frame(found),
        "places": places_frame(found),
        "decided": decided_frame(found),
    }
    if found.team is not None:
        made |= {"own": own_frame(found), "others": others_frame(found)}
    return made


def forecast_csv(found: Chances) -> str:
    """`teams_frame` as CSV, with six decimals."""
    frame = teams_frame(found)
    return csv_text([list(frame), *frame.round(6).itertuples(index=False)])


def forecast_json(found: Chances) -> str:
    """All frames as JSON; see `docs/json.md`."""
    begun = found.begun
    content: dict[str, Any] = {
        "event": begun.event.name,
        "after": begun.event.rounds,
        "rounds": begun.rounds,
        "continuations": found.continuations,
        "seed": found.seed,
        "rules": list(found.orders),
    }
    if found.team is not None:
        content["captain"] = begun.event.teams[found.team]
    for name, frame in frames(found).items():
        rounded = frame.round(6).astype(object)
        content[name] = rounded.where(frame.notna(), None).to_dict("records")
    return json.dumps(content, indent=1, allow_nan=False) + "\n"
