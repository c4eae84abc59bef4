"""Rank a real event, show the working, compare two rules."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np

from tb2learn.events.model import EventData
from tb2learn.events.source import quoted
from tb2learn.events.unplayed import BYE_ROUND, KINDS, Items, event_items
from tb2learn.standings import (
    WEAKEST_RULES,
    Results,
    Weakest,
    final_order,
    reduced_sum,
    weakest_item,
)
from tb2learn.tables import Formula, LookupTable, PassTable, Rule
from tb2learn.tiebreaks import FormulaRule, PassRule
from tb2learn.tiebreaks.additive import TENTHS
from tb2learn.types import BYE, InputError


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
    - `counts_as`: match points that the opponent counts as under each rule; None where that is its
      own match points.
    """

    round: int
    opponent: str
    opponent_mp: int
    gp: float
    values: tuple[float, ...]
    dropped: tuple[bool, ...]
    counts_as: tuple[float | None, ...]


@dataclass(frozen=True)
class Working:
    """The working of one team's TB2 under several rules; `sums` leave out the dropped items.

    A rule in passes is in `rules` pass by pass, the last of which decides.
    """

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
    event: EventData, rule: Rule, weakest: Weakest = "lowest-contribution"
) -> tuple[Ranked, ...]:
    """The final standings: match points, TB2, game points, TB4, then start order.

    **Arguments:**

    - `event`: unplayed rounds count as `events.unplayed` says.
    - `rule`: of TB2.
    - `weakest`: which of several opponents with the fewest match points a reduced lookup table
      leaves out.

    **Returns:** a row a team, first place first.

    **Raises:** `InputError` if the rule is for another format, or for an unknown `weakest`.
    """
    items, tb2, left_out = _scores(event, rule, weakest)
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
                tb2=_shown(key[1] * rule.unit),
                gp=key[2] / 2,
                tb4=key[3],
            )
        )
        last = key
    return tuple(rows)


def scores(event: EventData, rule: Rule) -> tuple[np.ndarray, np.ndarray]:
    """Match points and the whole score of every team of a real event under a rule."""
    items, tb2, _ = _scores(event, rule, WEAKEST_RULES[0])
    return items.match_points, tb2


def explain(
    event: EventData,
    teams: Sequence[str],
    rules: Sequence[Rule],
    weakest: Weakest = "lowest-contribution",
) -> tuple[Working, ...]:
    """The working of TB2 that a captain can check.

    **Arguments:**

    - `teams`: names as in the event; letter case does not matter.
    - `rules`: side by side.

    **Returns:** a `Working` a team, in the order asked for.

    **Raises:** `InputError` for an unknown team, naming the closest ones, or for a rule that is no
    sum over opponents.
    """
    numbers = [_team(event, name) for name in teams]
    items = event_items(event)
    columns = [column for rule in rules for column in _columns(event, rule, weakest)]
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
                    values=tuple(_shown(column.values[number, r]) for column in columns),
                    dropped=tuple(bool(column.dropped[number, r]) for column in columns),
                    counts_as=tuple(
                        None
                        if column.counts_as is None or items.virtual[number, r]
                        else _shown(column.counts_as[number, r])
                        for column in columns
                    ),
                )
            )
        workings.append(
            Working(
                team=event.teams[number],
                mp=int(items.match_points[number]),
                rules=tuple(column.name for column in columns),
                items=tuple(rows),
                sums=tuple(_shown(column.sums[number]) for column in columns),
            )
        )
    return tuple(workings)


def compare(
    event: EventData,
    old: Rule,
    new: Rule,
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


def event_results(event: EventData) -> Results:
    """What was played, as the simulator records it: a round without a match has no opponent."""
    items = event_items(event)
    return Results(
        opponents=jnp.asarray(items.opponent.T, jnp.int32),
        half_points=jnp.asarray(items.scored.T, jnp.int32),
        match_points=jnp.asarray(items.match_points, jnp.int32),
    )


def _scores(event: EventData, rule: Rule, weakest: Weakest) -> tuple[Items, np.ndarray, np.ndarray]:
    """The items, the score of every team in the rule's points, and the item that TB4 leaves out."""
    if isinstance(rule, LookupTable):
        items, values, left_out = _values(event, rule, weakest)
        tb2 = reduced_sum(jnp.asarray(values), jnp.asarray(left_out))
    else:
        _check(event, rule, weakest)
        items = event_items(event)
        tb2 = rule.tiebreak().scores(event_results(event))
        left_out = _weakest(items, np.zeros_like(items.scored), weakest)
    return items, np.asarray(tb2), left_out


def _check(event: EventData, rule: Rule, weakest: Weakest) -> None:
    if weakest not in WEAKEST_RULES:
        raise InputError(f"weakest must be one of {', '.join(WEAKEST_RULES)}, got {weakest!r}")
    rule.check_format(event.rounds, event.boards)


def _values(
    event: EventData, table: LookupTable, weakest: Weakest
) -> tuple[Items, np.ndarray, np.ndarray]:
    """The items, what each is worth under a table, and which one every team leaves out."""
    _check(event, table, weakest)
    items = event_items(event)
    own = items.match_points[:, None]
    values = np.asarray(table.points)[own, items.opponent_points, items.scored]
    return items, values, _weakest(items, values, weakest)


def _weakest(items: Items, values: np.ndarray, weakest: Weakest) -> np.ndarray:
    rivals = items.opponent_half_points if weakest == "fewest-game-points" else None
    # Virtual opponents take part like any other, but a bye is the first to be left out.
    left_out = weakest_item(
        jnp.asarray(items.opponent_points),
        jnp.asarray(values),
        jnp.asarray(items.kind == BYE_ROUND),
        None if rivals is None else jnp.asarray(rivals),
    )
    return np.asarray(left_out)


@dataclass(frozen=True)
class _Column:
    """A rule, or one pass of it, in a working: numbers as they are shown, by team and round."""

    name: str
    values: np.ndarray
    dropped: np.ndarray
    sums: np.ndarray
    counts_as: np.ndarray | None = None


def _columns(event: EventData, rule: Rule, weakest: Weakest) -> list[_Column]:
    if isinstance(rule, LookupTable):
        _, values, left_out = _values(event, rule, weakest)
        dropped = np.arange(event.rounds) == left_out[:, None]
        sums = np.where(dropped, 0, values).sum(axis=1)
        return [_Column(rule.name, values * rule.unit, dropped, sums * rule.unit)]
    _check(event, rule, weakest)
    results, tiebreak = event_results(event), rule.tiebreak()
    met = np.asarray(results.opponents != BYE).T
    if isinstance(tiebreak, PassRule):
        counted = np.asarray(tiebreak.counted(results))
        passes = [
            (reading, PassRule(tiebreak.points[: number + 1], tiebreak.reduced), 1 / TENTHS)
            for number, reading in enumerate(tiebreak.readings(results))
        ]
        unit = rule.unit
    elif isinstance(tiebreak, FormulaRule):
        counted = met
        passes = [(r, tiebreak, 2.0 * event.rounds) for r in tiebreak.readings(results)]
        unit = float(event.boards)
    else:
        raise InputError(f"{rule.name} is no sum over opponents: there is nothing to explain")
    columns = []
    own, half_points = results.match_points[:, None], results.half_points.T
    for number, (reading, one, scale) in enumerate(passes, start=1):
        values = jnp.where(met, one.value(own, reading, half_points), 0)
        total = np.asarray(one.total(jnp.where(counted, values, 0)), np.float64)
        columns.append(
            _Column(
                name=f"{rule.name} pass {number}" if len(passes) > 1 else rule.name,
                values=np.asarray(values, np.float64) * unit,
                dropped=met & ~counted,
                sums=total * rule.unit,
                counts_as=np.asarray(reading, np.float64) * scale if number > 1 else None,
            )
        )
    return columns


def has_working(rule: Rule) -> bool:
    """Whether `explain` can show a rule: it is a sum over opponents."""
    return isinstance(rule, (LookupTable, PassTable, Formula))


def _shown(value: float) -> float:
    """A number as it is shown: four digits after the point are enough for every rule."""
    return round(float(value), 4) + 0.0


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
