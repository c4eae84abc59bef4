"""Standings of a recorded event, and what changes from one rule to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tb2learn.events.criteria import Completed, Criterion, evaluate, fide_order
from tb2learn.events.model import TeamEvent
from tb2learn.events.unplayed.policies import policy
from tb2learn.events.unplayed.record import event_record
from tb2learn.results import WEAKEST_RULES, Weakest
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError


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
    event: TeamEvent, unplayed: str = "baku2016", weakest: Weakest = "lowest-contribution"
) -> Completed:
    """An event completed by a policy, ready for criteria.

    **Raises:** `InputError` for an unknown policy or `weakest`.
    """
    if weakest not in WEAKEST_RULES:
        raise InputError(f"weakest must be one of {', '.join(WEAKEST_RULES)}, got {weakest!r}")
    record, chosen = event_record(event), policy(unplayed)
    return Completed(record, chosen, chosen.complete(record), weakest == "fewest-game-points")


def rank(
    event: TeamEvent,
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
        shown = {c.name: rounded(x) for c, x in zip(criteria, key, strict=True)}
        rows.append(Ranked(place, event.teams[team], shown))
        last = key
    return tuple(rows)


def unplayed_notes(event: TeamEvent, by: Rule | Sequence[Criterion]) -> tuple[str, ...]:
    """What to say of rules that no policy for unplayed rounds changes, if there are such rounds."""
    if event_record(event).played.all():
        return ()
    criteria = fide_order(by) if isinstance(by, Rule) else by
    return tuple(dict.fromkeys(note for one in criteria for note in one.unplayed_notes))


def scores(event: TeamEvent, rule: Rule) -> tuple[np.ndarray, np.ndarray]:
    """Match points and the whole score of every team of a real event under a rule."""
    completed = complete(event)
    return completed.record.match_points, evaluate(completed, fide_order(rule)[1:2])[0]


def compare(
    event: TeamEvent,
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


def rounded(value: float) -> float:
    """A number as it is shown: four digits after the point are enough for every rule."""
    return round(float(value), 4) + 0.0
