"""Standings of a recorded event, and what changes from one rule to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tb2learn.events.criteria import Completed, Criterion, evaluate, fide_order
from tb2learn.events.model import STANDARD_SCORING, TeamEvent
from tb2learn.events.unplayed.policies import POLICIES, policy
from tb2learn.events.unplayed.record import event_record
from tb2learn.results import WEAKEST_RULES, Weakest
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError


@dataclass(frozen=True)
class Ranked:
    """One row of the standings. Teams that are equal on every criterion share a place.

    **Fields:**

    - `place`: 1 for the first.
    - `team`: its name.
    - `scores`: by name of the criterion, in the order of the criteria.
    - `confidence`: probability that it is better than the next team, see `events.sure`; None if
      that is not known, or the next team has other match points.
    """

    place: int
    team: str
    scores: Mapping[str, float]
    confidence: float | None = None


@dataclass(frozen=True)
class Moved:
    """One team under two rules.

    **Fields:**

    - `team`, `mp`: its name and match points.
    - `old`, `new`: its rows of the two standings.
    """

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
    - `rule`: the new rule.
    - `teams`: sorted by old place.
    - `movers`: the teams that moved most places, at most ten, the biggest move first.
    - `first_place`: the teams with the most match points, by old place.
    """

    event: str
    old_rule: str
    new_rule: str
    rule: Rule
    teams: tuple[Moved, ...]
    movers: tuple[Moved, ...]
    first_place: tuple[str, ...]


def complete(
    event: TeamEvent, unplayed: str = "baku2016", weakest: Weakest = "lowest-contribution"
) -> Completed:
    """Complete an event by a policy for unplayed rounds.

    **Arguments:** as for `rank`.

    **Raises:** `InputError` for an unknown policy or `weakest`.
    """
    if weakest not in WEAKEST_RULES:
        raise InputError(f"weakest must be one of {', '.join(WEAKEST_RULES)}, got {weakest!r}")
    record, chosen = event_record(event), policy(unplayed)
    if record.scoring != STANDARD_SCORING and not chosen.any_points:
        defined = ", ".join(name for name, one in POLICIES.items() if one.any_points)
        raise InputError(
            f"{unplayed} is defined for matches that score 2, 1, 0, here they score "
            f"{', '.join(map(str, record.scoring))}: policies for these are {defined}"
        )
    return Completed(record, chosen, chosen.complete(record), weakest == "fewest-game-points")


def rank(
    event: TeamEvent,
    by: Rule | Sequence[Criterion],
    weakest: Weakest = "lowest-contribution",
    unplayed: str = "baku2016",
) -> tuple[Ranked, ...]:
    """Standings of an event.

    **Arguments:**

    - `event`: the event.
    - `by`: criteria, the first decides first; or a TB2 rule, which stands for the Olympiad's
      criteria with this TB2. Teams equal on every criterion are listed in start order.
    - `weakest`: which of several opponents with the fewest match points is left out first, one of
      `results.WEAKEST_RULES`.
    - `unplayed`: the policy for unplayed rounds, one of `unplayed.policies.POLICIES`.

    **Returns:** one row per team, first place first.

    **Raises:** `InputError` if a rule is for another format, or has no meaning under the policy, or
    for an unknown name.
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
    """Notes on the rules that no policy changes; none for an event without unplayed rounds."""
    if event_record(event).played.all():
        return ()
    criteria = fide_order(by) if isinstance(by, Rule) else by
    return tuple(dict.fromkeys(note for one in criteria for note in one.unplayed_notes))


def scores(event: TeamEvent, rule: Rule) -> tuple[np.ndarray, np.ndarray]:
    """Match points and TB2 of every team under a rule, with the default policy."""
    completed = complete(event)
    return completed.own, evaluate(completed, fide_order(rule)[1:2])[0]


def compare(
    event: TeamEvent,
    old: Rule,
    new: Rule,
    weakest: Weakest = "lowest-contribution",
    unplayed: str = "baku2016",
) -> Comparison:
    """Compare the standings of an event under two TB2 rules.

    **Arguments:**

    - `event`: the event.
    - `old`, `new`: the rules.
    - `weakest`, `unplayed`: as for `rank`.

    **Raises:** as `rank`.
    """
    before = rank(event, old, weakest, unplayed)
    after = {row.team: row for row in rank(event, new, weakest, unplayed)}
    teams = tuple(Moved(row.team, int(row.scores["mp"]), row, after[row.team]) for row in before)
    movers = sorted((t for t in teams if t.up), key=lambda t: (-abs(t.up), t.old.place))
    return Comparison(
        event=event.name,
        old_rule=old.name,
        new_rule=new.name,
        rule=new,
        teams=teams,
        movers=tuple(movers[:10]),
        first_place=tuple(t.team for t in teams if t.mp == teams[0].mp),
    )


def rounded(value: float) -> float:
    """A score as it is shown, with at most four decimals."""
    return round(float(value), 4) + 0.0
