"""Rank a real event, show the working, compare two rules."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np

from tb2learn.events.read import EventData, quoted
from tb2learn.events.unplayed import BYE_ROUND, KINDS, Items, event_items
from tb2learn.standings import WEAKEST_RULES, Weakest, final_order, reduced_sum, weakest_item
from tb2learn.tables import LookupTable
from tb2learn.types import InputError


@dataclass(frozen=True)
class Ranked:
    """One row of the standings; teams equal on everything share a place."""

    place: int
    team: str
    mp: int
    tb2: float
    gp: float
    tb4: int


@dataclass(frozen=True)
class Item:
    """One opponent in the working of a team's TB2.

    **Fields:**

    - `round`: 1 for the first.
    - `opponent`: its name, or why there was none.
    - `opponent_mp`, `gp`: its final match points (a virtual opponent's too), game points scored.
    - `values`: what the result is worth under each rule.
    - `dropped`: under which rules it is the one left out.
    """

    round: int
    opponent: str
    opponent_mp: int
    gp: float
    values: tuple[float, ...]
    dropped: tuple[bool, ...]


@dataclass(frozen=True)
class Working:
    """The working of one team's TB2 under several rules; `sums` leave out the dropped items."""

    team: str
    mp: int
    rules: tuple[str, ...]
    items: tuple[Item, ...]
    sums: tuple[float, ...]


@dataclass(frozen=True)
class Moved:
    """One team under two rules; `up` is the number of places gained by the new one."""

    team: str
    mp: int
    old: Ranked
    new: Ranked

    @property
    def up(self) -> int:
        """Places gained under the new rule."""
        return self.old.place - self.new.place


@dataclass(frozen=True)
class Comparison:
    """An event under two rules.

    **Fields:**

    - `event`, `old_rule`, `new_rule`: names.
    - `note`: of the new table if it is rescaled, else empty.
    - `teams`: by old place.
    - `movers`: the teams that moved furthest, furthest first, at most ten.
    - `first_place`: the teams tied on match points for first place, by old place.
    """

    event: str
    old_rule: str
    new_rule: str
    note: str
    teams: tuple[Moved, ...]
    movers: tuple[Moved, ...]
    first_place: tuple[str, ...]


def rank(
    event: EventData, table: LookupTable, weakest: Weakest = "lowest-contribution"
) -> tuple[Ranked, ...]:
    """The final standings: match points, TB2, game points, TB4, then start order.

    **Arguments:**

    - `event`: unplayed rounds count as `events.unplayed` says.
    - `table`: the rule of TB2.
    - `weakest`: which of several opponents with the fewest match points is left out.

    **Returns:** a row a team, first place first.

    **Raises:** `InputError` if the table is for another format, or for an unknown `weakest`.
    """
    items, values, left_out = _values(event, table, weakest)
    tb2 = np.asarray(reduced_sum(jnp.asarray(values), jnp.asarray(left_out)))
    tb4 = np.asarray(reduced_sum(jnp.asarray(items.opponent_points), jnp.asarray(left_out)))
    keys = (items.match_points, tb2, items.half_points, tb4)
    rows: list[Ranked] = []
    last = None
    for position, team in enumerate(np.asarray(final_order(*map(jnp.asarray, keys)))):
        key = tuple(int(k[team]) for k in keys)
        place = rows[-1].place if key == last else position + 1
        rows.append(
            Ranked(
                place=place,
                team=event.teams[team],
                mp=key[0],
                tb2=key[1] * table.unit,
                gp=key[2] / 2,
                tb4=key[3],
            )
        )
        last = key
    return tuple(rows)


def explain(
    event: EventData,
    teams: Sequence[str],
    tables: Sequence[LookupTable],
    weakest: Weakest = "lowest-contribution",
) -> tuple[Working, ...]:
    """The working of TB2 that a captain can check.

    **Arguments:**

    - `teams`: names as in the event; letter case does not matter.
    - `tables`: the rules, side by side.

    **Returns:** a `Working` a team, in the order asked for.

    **Raises:** `InputError` for an unknown team, naming the closest ones.
    """
    numbers = [_team(event, name) for name in teams]
    items = event_items(event)
    judged = [_values(event, table, weakest) for table in tables]
    totals = [reduced_sum(jnp.asarray(v), jnp.asarray(out)) for _, v, out in judged]
    workings = []
    for number in numbers:
        rows = []
        for r in range(event.rounds):
            other = items.opponent[number, r]
            name = KINDS[items.kind[number, r]] if items.virtual[number, r] else event.teams[other]
            rows.append(
                Item(
                    round=r + 1,
                    opponent=name,
                    opponent_mp=int(items.opponent_points[number, r]),
                    gp=float(items.scored[number, r]) / 2,
                    values=tuple(
                        float(v[number, r]) * t.unit
                        for t, (_, v, _) in zip(tables, judged, strict=True)
                    ),
                    dropped=tuple(bool(out[number] == r) for _, _, out in judged),
                )
            )
        sums = tuple(int(s[number]) * t.unit for t, s in zip(tables, totals, strict=True))
        workings.append(
            Working(
                team=event.teams[number],
                mp=int(items.match_points[number]),
                rules=tuple(t.name for t in tables),
                items=tuple(rows),
                sums=sums,
            )
        )
    return tuple(workings)


def compare(
    event: EventData,
    old: LookupTable,
    new: LookupTable,
    weakest: Weakest = "lowest-contribution",
) -> Comparison:
    """Old and new place of every team."""
    before = rank(event, old, weakest)
    after = {row.team: row for row in rank(event, new, weakest)}
    teams = tuple(Moved(row.team, row.mp, row, after[row.team]) for row in before)
    movers = sorted((t for t in teams if t.up), key=lambda t: (-abs(t.up), t.old.place))
    return Comparison(
        event=event.name,
        old_rule=old.name,
        new_rule=new.name,
        note=new.note,
        teams=teams,
        movers=tuple(movers[:10]),
        first_place=tuple(t.team for t in teams if t.mp == teams[0].mp),
    )


def _values(
    event: EventData, table: LookupTable, weakest: Weakest
) -> tuple[Items, np.ndarray, np.ndarray]:
    """The items, what each is worth under a rule, and which one every team leaves out."""
    if weakest not in WEAKEST_RULES:
        raise InputError(f"weakest must be one of {', '.join(WEAKEST_RULES)}, got {weakest!r}")
    table.check_format(event.rounds, event.boards)
    items = event_items(event)
    own = items.match_points[:, None]
    values = np.asarray(table.points)[own, items.opponent_points, items.scored]
    rivals = items.opponent_half_points if weakest == "fewest-game-points" else None
    # Virtual opponents take part like any other, but a bye is the first to be left out.
    left_out = weakest_item(
        jnp.asarray(items.opponent_points),
        jnp.asarray(values),
        jnp.asarray(items.kind == BYE_ROUND),
        None if rivals is None else jnp.asarray(rivals),
    )
    return items, values, np.asarray(left_out)


def _team(event: EventData, name: str) -> int:
    if name in event.teams:  # two names may differ in letter case alone
        return event.teams.index(name)
    folded = {team.casefold(): number for number, team in enumerate(event.teams)}
    if name.casefold() in folded:
        return folded[name.casefold()]
    close = difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.5)
    initials = [t for t in event.teams if _initials(t) == name.upper()]
    names = initials + [event.teams[folded[c]] for c in close]
    hint = f"; did you mean {', '.join(map(quoted, names))}?" if names else ""
    raise InputError(f"no team {quoted(name)} in {event.name}{hint}")


def _initials(team: str) -> str:
    return "".join(word[0] for word in team.split() if word[0].isupper())
