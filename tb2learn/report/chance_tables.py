"""Forecasts as DataFrames, as tables and as text: chances, and what the next round does to a team.

What the next round does is counted in the continuations: of those in which a match had a result, in
how many the captain's team was up to a boundary. So strengths and other matches are those of the
forecast.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Int

from tb2learn.events.terms import terms
from tb2learn.export.result import Table, TableSet
from tb2learn.export.rule_names import called
from tb2learn.forecasts.chances import BOUNDARIES, NAMES, Chances
from tb2learn.stats import long_frame
from tb2learn.types import InputError

MATCHES = 8
"""How many matches of others are shown."""

_CLEAR = 13.8
"""Chi-squared above this is found in one of a thousand matches that do not matter."""


def teams_frame(found: Chances) -> pd.DataFrame:
    """Chances of every team under every rule.

    **Returns:** a row a rule and team, the most probable winner of the first rule first: `rule`,
    `team`, `mp` (match points of the standings so far; of players points), for every one of `NAMES`
    its chance and, with `_error`, its Monte Carlo standard error, and `mean_place`.
    """
    record, rules = found.ongoing.record, list(found.orders)
    # A win of a player is 2 in the record, 1 on paper.
    points = record.standing_points / (2 if record.individual else 1)
    values: dict[str, np.ndarray] = {"mp": np.broadcast_to(points, found.mean_places.shape)}
    for name, boundary in zip(NAMES, BOUNDARIES, strict=True):
        values[name] = found.up_to(boundary)
        values[f"{name}_error"] = found.error(values[name])
    values["mean_place"] = found.mean_places
    first = [-found.up_to(boundary)[0] for boundary in BOUNDARIES[::-1]]
    # The last key decides first: the chance to win, then medals, then the first ten.
    order = np.lexsort([found.mean_places[0], *first])
    ordered = {name: value[:, order] for name, value in values.items()}
    names = [found.ongoing.event.teams[team] for team in order]
    return long_frame({"rule": rules, "team": names}, ordered)


def places_frame(found: Chances) -> pd.DataFrame:
    """The chance of every place: a row a `rule`, `team` and `place` that occurred; `chance`."""
    counts = found.counts["places"]
    axes = {
        "rule": list(found.orders),
        "team": list(found.ongoing.event.teams),
        "place": range(1, counts.shape[-1] + 1),
    }
    chance = counts / found.continuations
    # A place that never occurred has no row.
    frame = long_frame(axes, {"chance": chance, "error": found.error(chance)})
    return frame[frame.chance > 0].reset_index(drop=True)


def decided_frame(found: Chances) -> pd.DataFrame:
    """What separates the last team up to a boundary from the next one.

    **Returns:** a row a rule and boundary that has a next team: `rule`, `up_to` (one of `NAMES`);
    the chances that it is the `points`, that they are equal (`tied`) and the tie-break decides; of
    the latter that it is the rule itself (`by_rule`), a `later` criterion, or none (`shared`); and
    `differ`: that the teams up to the boundary are not the same under both rules.
    """
    decided, rows = found.counts["decided"] / found.continuations, []
    differ = found.counts["differ"] / found.continuations
    for shares, (rule, criteria) in zip(decided, found.orders.items(), strict=True):
        # The shares of a boundary: points, then each criterion in order, then none.
        for number, share in enumerate(shares):
            chances = [share[0], share[1:].sum(), share[1]]
            chances += [
                share[2 : len(criteria)].sum(),
                share[len(criteria) :].sum(),
                differ[number],
            ]
            # Everybody is up to a boundary beyond the last place.
            if BOUNDARIES[number] < len(found.ongoing.event.teams):
                rows.append([rule, NAMES[number], *chances])
    columns = ["rule", "up_to", "points", "tied", "by_rule", "later", "shared", "differ"]
    return pd.DataFrame(rows, columns=columns)


def own_frame(found: Chances) -> pd.DataFrame:
    """What the team's own match does to its chances.

    **Returns:** a row a rule and result that occurred: `rule`, `gp` (the team's game points; a
    player's points), `chance` of that result, and for every one of `NAMES` the chance after it,
    with its Monte Carlo standard error in `_error`.

    **Raises:** `InputError` if the next round is not paired, or the team has no match in it.
    """
    matches, team = _matches(found)
    own_matches = np.flatnonzero((matches == team).any(axis=1))
    if not len(own_matches):
        raise InputError(f"{found.ongoing.event.teams[team]} has no match in the next round")
    number, reached = found.counts["results"][own_matches[0]], found.counts["given"][own_matches[0]]
    # Results are counted for the first team of a match: here it is the second.
    if matches[own_matches[0], 1] == team:
        number, reached = number[::-1], reached[::-1]
    occurring = np.flatnonzero(number)
    # What never occurred has no chance to show.
    number, share = number[occurring], reached[occurring].T / number[occurring]
    values = {"chance": number / found.continuations}
    for name, chance in zip(NAMES, share, strict=True):
        values |= {name: chance, f"{name}_error": found.error(chance, number)}
    values = {name: np.broadcast_to(value, share.shape[1:]) for name, value in values.items()}
    return long_frame({"rule": list(found.orders), "gp": (occurring / 2).tolist()}, values)


def others_frame(found: Chances) -> pd.DataFrame:
    """How much the team's chances depend on the other matches of the next round.

    **Returns:** a row a rule, boundary and match, within a rule and boundary the match that matters
    most first: `rule`, `up_to` (one of `NAMES`), `team_a`, `team_b`; the team's chance if `team_a`
    wins (`if_a`), if they draw (`if_drawn`), and if `team_b` wins (`if_b`), NaN for what did not
    occur; `change`, by how much the chance changes on average when the winner is known; and
    `clear`, whether that is more than the limited number of continuations explains.

    **Raises:** as `own_frame`.
    """
    (matches, team), names = _matches(found), np.array(found.ongoing.event.teams, object)
    boards, total = found.ongoing.event.boards, found.continuations
    # What its own match does stands in `own_frame`.
    elsewhere = (matches != team).all(axis=1)
    bounds = [0, boards, boards + 1]  # half points with which the second wins, both, the first
    # Results are joined to lost, drawn and won by the first team.
    number = np.add.reduceat(found.counts["results"][elsewhere], bounds, axis=1)[..., None, None]
    reached = np.add.reduceat(found.counts["given"][elsewhere], bounds, axis=1)
    # NaN where a result did not occur, which no average may use.
    share = np.divide(reached, number, out=np.full(reached.shape, np.nan), where=number > 0)
    chance = reached.sum(axis=1) / total
    apart = np.nan_to_num(share - chance[:, None])
    # Weighted by how likely each result is.
    change = (number * abs(apart)).sum(axis=1) / total
    # A chance of 0 or 1 depends on nothing.
    variance = np.maximum(chance * (1 - chance), 1 / total)
    values = {
        **{f"if_{x}": share[:, k] for k, x in ((2, "a"), (1, "drawn"), (0, "b"))},
        "change": change,
        "clear": (number * apart**2).sum(axis=1) / variance > _CLEAR,
    }
    axes = {"rule": list(found.orders), "up_to": NAMES, "match": range(elsewhere.sum())}
    frame = long_frame(axes, {name: np.moveaxis(value, 0, -1) for name, value in values.items()})
    for place, column in enumerate(("team_a", "team_b"), start=2):
        frame.insert(place, column, names[matches[elsewhere][frame.match, place - 2]])
    ordered = [
        rows.sort_values("change", ascending=False, kind="stable")
        for _, rows in frame.drop(columns="match").groupby(["rule", "up_to"], sort=False)
    ]
    return pd.concat(ordered, ignore_index=True)


def telling(frame: pd.DataFrame, rule: str, what: str) -> list[dict[Any, Any]]:
    """The matches on which one chance under one rule clearly depends, at most `MATCHES`.

    **Arguments:** `frame`: of `others_frame`; `rule`, `what`: of its `rule` and `up_to`.
    """
    rows = frame[(frame.rule == rule) & (frame.up_to == what) & frame.clear]
    return rows.head(MATCHES).to_dict("records")


def aim(found: Chances) -> str:
    """The boundary that is most open for the team under the last rule."""
    chances = [found.up_to(boundary)[-1, found.team] for boundary in BOUNDARIES]
    # What is nearly certain, or nearly out of reach, needs no plan.
    return NAMES[int(np.argmin([abs(chance - 0.5) for chance in chances]))]


def _matches(found: Chances) -> tuple[Int[np.ndarray, "matches 2"], int]:
    """The teams of the next round's matches, and the captain's team.

    **Raises:** `InputError` if that round is not paired.
    """
    if found.team is None or "results" not in found.counts:
        raise InputError(
            f"round {found.ongoing.record.rounds + 1} of {found.ongoing.event.name} is not paired "
            "in the file: give its pairs with --pairings FILE"
        )
    # A bye has no result to depend on.
    pairs = [(a, b) for a, b in found.ongoing.pairs[0] if b is not None]
    return np.array(pairs), found.team


# --------------------------------------------------------------------------- tables and text

LEAST = 0.01
"""Teams with a smaller chance of the first ten are not in the short table."""

HEADINGS = {"winner": "1st place", "medals": "places 1-3", "ten": "places 1-10"}
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
    words = terms(found.ongoing.event.individual)
    frame, rules = teams_frame(found), list(found.orders)
    by_rule = [frame[frame.rule == rule].reset_index(drop=True) for rule in rules]
    header = [words.one, words.points]
    header += [f"{HEADINGS[name]} by {called(rule)}" for name in NAMES for rule in rules]
    means = [f"mean place by {called(rule)}" for rule in rules]
    # A team is listed if it has a chance under any of the rules.
    likely = pd.concat([chances["ten"] for chances in by_rule], axis=1).max(axis=1) >= LEAST
    body = []
    for row in range(len(likely)):
        if whole or likely[row]:
            chances = [chances_of[name][row] for name in NAMES for chances_of in by_rule]
            places = [chances_of.mean_place[row] for chances_of in by_rule]
            body.append([by_rule[0].team[row], by_rule[0].mp[row], *chances, *places])
    formats = dict.fromkeys(header[2:], _percent) | dict.fromkeys(means, ".1f")
    title = "Chances of places in per cent, by the rule that breaks ties:"
    blocks = [Table([*header, *means], body, title, formats=formats).text(width)]
    # Nobody should take the short table for all of them.
    if len(body) < len(likely):
        blocks.append(
            f"{len(likely) - len(body)} {words.many} with less than {LEAST:.0%} for the first ten "
            "are not shown (--wide).\n"
        )
    # Two standard errors, in per cent, of the least certain number.
    largest_error = found.error(frame[list(NAMES)].to_numpy()).max()
    blocks.append(
        f"Per cent of {found.continuations:,} simulations of the rounds left; with others a number "
        f"may differ by {200 * largest_error:.2g}.\n"
    )
    blocks.append("\n" + _decided_text(found, width))
    if found.team is not None:
        blocks += ["\n", _captain(found, width)]
    return "".join(blocks)


def _decided_text(found: Chances, width: int | None) -> str:
    """How often the tie-break decides, by rule."""
    header = [
        "teams at",
        "rule",
        "equal points",
        "the rule decides",
        "a later criterion decides",
        "shared place",
        "other teams by the other rule",
    ]
    rows = decided_frame(found).to_dict("records")
    shares = ("tied", "by_rule", "later", "shared", "differ")
    body = [
        [places, called(row["rule"]), *(row[share] for share in shares)]
        for name, places in zip(NAMES, ("1st and 2nd", "3rd and 4th", "10th and 11th"), strict=True)
        for row in rows
        if row["up_to"] == name
    ]
    title = "How often, in per cent, the two teams at these places are equal on points, and then:"
    formats = dict.fromkeys(header[2:], _percent)
    return Table(header, body, title, formats=formats, keys=2).text(width)


def _captain(found: Chances, width: int | None) -> str:
    """What the next round does to the captain's team."""
    event, rules = found.ongoing.event, list(found.orders)
    words, team = terms(event.individual), event.teams[found.team or 0]
    # What the team itself can do comes first, then what it cannot.
    own_chances = own_frame(found)
    by_rule = (f"{HEADINGS[name]} by {called(rule)}" for name in NAMES for rule in rules)
    header = [words.result, "chance of it", *by_rule]
    body = [
        [gp, rows.chance.iloc[0], *(row[name] for name in NAMES for _, row in rows.iterrows())]
        for gp, rows in own_chances.groupby("gp", sort=True)
    ]
    formats: dict[str, Any] = {words.result: "g", **dict.fromkeys(header[1:], _percent)}
    title = f"Chances of {team} in per cent, by its own result in round {event.rounds + 1}:"
    first = Table(header, body, title, formats=formats).text(width)
    target = aim(found)
    chance = f"{GOALS[target]} of {team} under {called(rules[-1])}"
    columns = ("team_a", "team_b", "if_a", "if_drawn", "if_b", "change")
    matches = telling(others_frame(found), rules[-1], target)
    # Chance alone moves every number a little: unclear ones are left out.
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
    ongoing = found.ongoing
    about: dict[str, Any] = {
        "event": ongoing.event.name,
        "after": ongoing.event.rounds,
        "rounds": ongoing.rounds,
        "continuations": found.continuations,
        "seed": found.seed,
        "rules": list(found.orders),
    }
    frames = {
        "teams": teams_frame(found),
        "places": places_frame(found),
        "decided": decided_frame(found),
    }
    # The captain's tables are there only if a team was named.
    if found.team is not None:
        about["captain"] = ongoing.event.teams[found.team]
        frames |= {"own": own_frame(found), "others": others_frame(found)}
    tables = {name: Table.of(frame, digits=6) for name, frame in frames.items()}
    return TableSet(tables, notes, about)
