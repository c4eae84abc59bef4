"""Rank a real event, show the working, compare two rules."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from tb2learn.events.criteria import (
    ByRule,
    Column,
    Completed,
    Criterion,
    evaluate,
    fide_order,
)
from tb2learn.events.model import EventData
from tb2learn.events.policies import policy
from tb2learn.events.unplayed import Kind, event_record
from tb2learn.standings import WEAKEST_RULES, Weakest
from tb2learn.tables import Rule
from tb2learn.text import quoted
from tb2learn.types import BYE, InputError


@dataclass(frozen=True)
class Ranked:
    """One row of the standings; teams equal on everything share a place.

    **Fields:** `scores`: by name of the criterion, in the order that they decide.
    """

    place: int
    team: str
    scores: Mapping[str, float]


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


def complete(
    event: EventData, unplayed: str = "baku2016", weakest: Weakest = "lowest-contribution"
) -> Completed:
    """An event completed by a policy, ready for criteria.

    **Raises:** `InputError` for an unknown policy or `weakest`.
    """
    if weakest not in WEAKEST_RULES:
        raise InputError(f"weakest must be one of {', '.join(WEAKEST_RULES)}, got {weakest!r}")
    record, chosen = event_record(event), policy(unplayed)
    return Completed(record, chosen, chosen.complete(record), weakest == "fewest-game-points")


def rank(
    event: EventData,
    by: Rule | Sequence[Criterion],
    weakest: Weakest = "lowest-contribution",
    unplayed: str = "baku2016",
) -> tuple[Ranked, ...]:
    """Standings of an event.

    **Arguments:**

    - `by`: criteria in the order that they decide; or a rule of TB2, in the Olympiad's order.
      Teams equal on everything are listed in start order.
    - `weakest`: which of several opponents with the fewest match points is left out first.
    - `unplayed`: what unplayed rounds count for, of `policies.POLICIES`.

    **Returns:** a row a team, first place first.

    **Raises:** `InputError` if a rule is for another format, or for an unknown name.
    """
    criteria = fide_order(by) if isinstance(by, Rule) else tuple(by)
    scores = evaluate(complete(event, unplayed, weakest), criteria)
    rows: list[Ranked] = []
    last = None
    for position, team in enumerate(np.lexsort(-scores[::-1])):
        key = tuple(scores[:, team].tolist())
        place = rows[-1].place if key == last else position + 1
        shown = {c.name: _shown(x) for c, x in zip(criteria, key, strict=True)}
        rows.append(Ranked(place, event.teams[team], shown))
        last = key
    return tuple(rows)


def unplayed_notes(event: EventData, by: Rule | Sequence[Criterion]) -> tuple[str, ...]:
    """What to say of rules that no policy for unplayed rounds changes, if there are such rounds."""
    if event_record(event).played.all():
        return ()
    criteria = fide_order(by) if isinstance(by, Rule) else by
    return tuple(dict.fromkeys(note for one in criteria for note in one.unplayed_notes))


def scores(event: EventData, rule: Rule) -> tuple[np.ndarray, np.ndarray]:
    """Match points and the whole score of every team of a real event under a rule."""
    completed = complete(event)
    return completed.record.match_points, evaluate(completed, fide_order(rule)[1:2])[0]


def compare(
    event: EventData,
    old: Rule,
    new: Rule,
    weakest: Weakest = "lowest-contribution",
    unplayed: str = "baku2016",
) -> Comparison:
    """Old and new place of every team."""
    before = rank(event, old, weakest, unplayed)
    after = {row.team: row for row in rank(event, new, weakest, unplayed)}
    teams = tuple(Moved(row.team, int(row.scores["mp"]), row, after[row.team]) for row in before)
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


def _shown(value: float) -> float:
    """A number as it is shown: four digits after the point are enough for every rule."""
    return round(float(value), 4) + 0.0


# --------------------------------------------------------------------------- the working of a sum


@dataclass(frozen=True)
class Item:
    """One round in the working of a team's tie-breaks.

    **Fields:**

    - `round`: 1 for the first.
    - `opponent`: its name; empty where there was none.
    - `kind`: `played`, or why not: the words of `unplayed.Kind`.
    - `opponent_mp`, `gp`: match points the opponent counts as by the policy (a virtual opponent's
      too), game points that the team's result counts as.
    - `values`: what the round is worth under each rule.
    - `dropped`: under which rules it is left out.
    - `counts_as`: match points that the opponent counts as under each rule; None where that is
      `opponent_mp`. In a pass in which opponents are refined, a number for all of them.
    """

    round: int
    opponent: str
    kind: str
    opponent_mp: float
    gp: float
    values: tuple[float, ...]
    dropped: tuple[bool, ...]
    counts_as: tuple[float | None, ...]

    @property
    def who(self) -> str:
        """The opponent for people: its name, with the reason in brackets if it was not met."""
        if self.kind == Kind.PLAYED.label:
            return self.opponent
        return f"{self.opponent} ({self.kind})".strip()


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


def explain(
    event: EventData,
    teams: Sequence[str],
    by: Sequence[Rule | Criterion],
    weakest: Weakest = "lowest-contribution",
    unplayed: str = "baku2016",
) -> tuple[Working, ...]:
    """The working of TB2, and of other sums over opponents, that a captain can check.

    **Arguments:**

    - `teams`: names as in the event; letter case does not matter.
    - `by`: rules and criteria, side by side.
    - `weakest`, `unplayed`: as for `rank`.

    **Returns:** a `Working` a team, in the order asked for.

    **Raises:** `InputError` for an unknown team, naming the closest ones, or for a rule that is no
    sum over opponents.
    """
    numbers = [_team(event, name) for name in teams]
    completed = complete(event, unplayed, weakest)
    columns = [column for one in by for column in _criterion(one).working(completed)]
    return tuple(_working(event, completed, columns, number) for number in numbers)


def has_working(by: Rule | Criterion) -> bool:
    """Whether `explain` can show a rule or criterion: it is a sum over the rounds."""
    return _criterion(by).has_working


def _criterion(by: Rule | Criterion) -> Criterion:
    return ByRule(by.name, by.name, by) if isinstance(by, Rule) else by


def _working(
    event: EventData, completed: Completed, columns: Sequence[Column], team: int
) -> Working:
    record, items = completed.record, completed.items
    counts_as = [_counts_as(completed, column)[team] for column in columns]
    rows = []
    for r in range(event.rounds):
        other = record.opponent[team, r]
        rows.append(
            Item(
                round=r + 1,
                opponent="" if other == BYE else event.teams[other],
                kind=Kind(record.kind[team, r]).label,
                opponent_mp=_shown(items.opponent_points[team, r]),
                gp=_shown(items.scored[team, r] / 2),
                values=tuple(_shown(column.worked.values[team, r]) for column in columns),
                dropped=tuple(bool(column.worked.left_out[team, r]) for column in columns),
                counts_as=tuple(None if np.isnan(x[r]) else _shown(x[r]) for x in counts_as),
            )
        )
    return Working(
        team=event.teams[team],
        mp=int(record.match_points[team]),
        rules=tuple(column.name for column in columns),
        items=tuple(rows),
        sums=tuple(_shown(column.worked.totals[team]) for column in columns),
    )


def _counts_as(completed: Completed, column: Column) -> Float[np.ndarray, "teams rounds"]:
    """Match points that opponents count as; NaN in a pass where all count as the policy says."""
    usual, here = completed.items.opponent_points, column.worked.counts_as
    if here is None or np.allclose(here, usual, rtol=0, atol=1e-4):
        return np.full(usual.shape, np.nan)
    nobody = completed.items.empty | ~completed.items.counted
    return np.where(nobody, np.nan, here)


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
