"""Standings of a recorded event, and what changes from one rule to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tb2learn.chess.results import WEAKEST_RULES, Weakest
from tb2learn.events.criteria import Completed, Criterion, FindRule, Order, evaluate, fide_order
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import STANDARD_SCORING
from tb2learn.events.terms import Terms, terms
from tb2learn.events.unplayed.policies import POLICIES, policy, usual_policy
from tb2learn.events.unplayed.record import event_record
from tb2learn.text import number
from tb2learn.tiebreaks import library
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError, one_of


@dataclass(frozen=True)
class Ranked:
    """One row of the standings. Teams that are equal on every criterion share a place.

    **Fields:**

    - `place`: 1 for the first.
    - `team`: its name.
    - `scores`: by name of the criterion, in the order of the criteria.
    - `confidence`: probability that it is better than the next team, see `events.shared_places`;
      None if that is not known, or the next team has other match points.
    """

    place: int
    team: str
    scores: Mapping[str, float]
    confidence: float | None = None


@dataclass(frozen=True)
class Moved:
    """One team under two rules.

    **Fields:**

    - `team`, `mp`: its name and match points; the points of a player.
    - `old`, `new`: its rows of the two standings.
    """

    team: str
    mp: int | float
    old: Ranked
    new: Ranked

    @property
    def up(self) -> int:
        """Places gained under the new rule."""
        return self.old.place - self.new.place

    @property
    def tiebreaks(self) -> tuple[float, float]:
        """The scores of the two rules, which come second in the standings."""
        old, new = (list(row.scores.values())[1] for row in (self.old, self.new))
        return old, new


@dataclass(frozen=True)
class Comparison:
    """An event under two rules.

    **Fields:**

    - `event`, `old_rule`, `new_rule`: names.
    - `rule`: the new rule.
    - `teams`: sorted by old place.
    - `movers`: the teams that moved most places, at most ten, the biggest move first.
    - `first_place`: the teams with the most match points, by old place.
    - `individual`: whether teams are single players.
    """

    event: str
    old_rule: str
    new_rule: str
    rule: Rule
    teams: tuple[Moved, ...]
    movers: tuple[Moved, ...]
    first_place: tuple[str, ...]
    individual: bool = False

    @property
    def terms(self) -> Terms:
        """The words for it."""
        return terms(self.individual)


def complete(
    event: TeamEvent, unplayed: str | None = None, weakest: Weakest = "lowest-contribution"
) -> Completed:
    """Complete an event by a policy for unplayed rounds.

    **Arguments:** as for `rank`.

    **Raises:** `InputError` for an unknown policy or `weakest`.
    """
    one_of("weakest", weakest, WEAKEST_RULES)
    unplayed = usual_policy(event) if unplayed is None else unplayed
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
    unplayed: str | None = None,
) -> tuple[Ranked, ...]:
    """Standings of an event.

    **Arguments:**

    - `event`: the event.
    - `by`: criteria, the first decides first; or a rule, which stands for the usual criteria with
      it (`usual_order`). Teams equal on every criterion are listed in start order.
    - `weakest`: which of several opponents with the fewest match points is left out first, one of
      `results.WEAKEST_RULES`.
    - `unplayed`: the policy for unplayed rounds, one of `unplayed.policies.POLICIES`; the event's
      `usual_policy` if not given.

    **Returns:** one row per team, first place first.

    **Raises:** `InputError` if a rule is for another format, or has no meaning under the policy, or
    for an unknown name.
    """
    criteria = usual_order(event, by) if isinstance(by, Rule) else tuple(by)
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


def order_of(event: TeamEvent) -> Order:
    """How an event is ordered by lists of criteria."""
    round_robin = event.individual and event_record(event).is_round_robin
    return Order(event.rounds, event.boards, event.individual, round_robin)


def usual_order(event: TeamEvent, rule: Rule) -> tuple[Criterion, ...]:
    """The criteria of an event with a rule after its points, see `Order.with_rule`."""
    return order_of(event).with_rule(rule)


def usual_rule(event: TeamEvent) -> str:
    """The rule that ranks an event if nobody names another one.

    For teams it is the product rule. For players it is the formula; but FIDE's list alone in a
    round robin, where all met the same opponents, and where games do not score 1, 1/2, 0.
    """
    if not event.individual:
        return "product"
    plain = event.scoring == STANDARD_SCORING and not event_record(event).is_round_robin
    return "formula" if plain else "fide"


def named_order(event: TeamEvent, name: str, find_rule: FindRule) -> tuple[Criterion, ...]:
    """The usual order of an event with a rule by name after its points.

    **Arguments:** `find_rule`: gives the rule of a name.

    **Raises:** `InputError` as `find_rule`.
    """
    if event.individual:
        return listed_order(event, f"points,{name},fide", find_rule)
    return usual_order(event, find_rule(name))


def listed_order(event: TeamEvent, text: str, find_rule: FindRule) -> tuple[Criterion, ...]:
    """The criteria of a list for an event, see `Order.listed`.

    **Raises:** `InputError` for a list that is none.
    """
    return order_of(event).listed(text, find_rule)


def round_robin_notes(event: TeamEvent) -> tuple[str, ...]:
    """The note of an individual round robin; none for other events."""
    if not (event.individual and event_record(event).is_round_robin):
        return ()
    return (
        "all players met the same opponents (a round robin): their points are nearly all that the "
        "results tell; share the place or play off",
    )


def unplayed_notes(event: TeamEvent, by: Rule | Sequence[Criterion]) -> tuple[str, ...]:
    """Notes on the rules that no policy changes; none for an event without unplayed rounds."""
    if event_record(event).played.all():
        return ()
    criteria = usual_order(event, by) if isinstance(by, Rule) else by
    parts = [part for one in criteria for part in one.rule.parts]
    return library.unplayed_notes(parts, event.individual)


def scores(event: TeamEvent, rule: Rule) -> tuple[np.ndarray, np.ndarray]:
    """Match points and TB2 of every team under a rule, with the default policy."""
    completed = complete(event)
    return completed.own, evaluate(completed, fide_order(rule)[1:2])[0]


def compare(
    event: TeamEvent,
    old: Rule,
    new: Rule,
    weakest: Weakest = "lowest-contribution",
    unplayed: str | None = None,
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
    points = next(iter(before[0].scores))
    teams = tuple(
        Moved(row.team, number(row.scores[points]), row, after[row.team]) for row in before
    )
    movers = sorted((t for t in teams if t.up), key=lambda t: (-abs(t.up), t.old.place))
    return Comparison(
        event=event.name,
        old_rule=old.name,
        new_rule=new.name,
        rule=new,
        teams=teams,
        movers=tuple(movers[:10]),
        first_place=tuple(t.team for t in teams if t.mp == teams[0].mp),
        individual=event.individual,
    )


def rounded(value: float) -> float:
    """A score as it is shown, with at most four decimals."""
    return round(float(value), 4) + 0.0
