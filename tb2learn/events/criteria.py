"""What standings go by: match points, game points, sums over opponents, rules of TB2.

A criterion turns a completed event into a score a team; standings are an ordered list of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float, Int, Num

from tb2learn.events.unplayed.policy import Cut, Policy
from tb2learn.events.unplayed.record import Record
from tb2learn.results import Results
from tb2learn.tiebreaks.completed import (
    Items,
    Kept,
    Pass,
    SumOverRounds,
    Worth,
    completed_scores,
    sums_of,
)
from tb2learn.tiebreaks.rules import Rule
from tb2learn.tiebreaks.sums import OpponentSum
from tb2learn.types import BYE, MAX_ROUNDS, InputError

Before = Sequence[Num[np.ndarray, " teams"]]
"""The scores that decide before a criterion."""


@dataclass(frozen=True)
class Completed:
    """An event as criteria see it: the record, completed by a policy.

    **Fields:** `weakest_by_game_points`: whether, of several opponents with the fewest match
    points, the one with the fewest game points is the first to be left out (the thesis's rule).
    """

    record: Record
    policy: Policy
    items: Items
    weakest_by_game_points: bool = False

    @property
    def own(self) -> Int[np.ndarray, " teams"]:
        """Final match points."""
        return self.record.match_points

    def cut(
        self, worth: Worth, low: int = 0, high: int = 0, opponent: Literal["m", "g"] = "m"
    ) -> Kept:
        """The items less those that a cut leaves out, as the policy has it.

        **Arguments:**

        - `worth`: what every item is worth.
        - `low`, `high`: items left out, from the lowest and from the highest.
        - `opponent`: whether lowest are the fewest match points or game points of the opponent.
        """
        items, half_points = self.items, self.items.opponent_half_points
        scores = items.opponent_points if opponent == "m" else half_points
        cut = Cut(
            scores=np.round(scores, 9),  # so that equal fractions are equal
            values=np.where(items.empty, 0.0, worth(items)),
            low=low,
            high=high,
            rivals=half_points if self.weakest_by_game_points else None,
        )
        left_out = self.policy.left_out(items, cut)
        items = self.policy.after_cut(self.record, items, left_out)
        return Kept(items, left_out, self.policy.scale(items, left_out))

    def results(self) -> Results:
        """What was played, as the simulator records it: a round without a match has no opponent.

        **Raises:** `InputError` for an event whose rounds are not known.
        """
        if not self.record.known_rounds:
            raise InputError("this event is known without rounds: only sums over opponents apply")
        record = self.record
        ratings = np.rint(np.nan_to_num(record.ratings))
        return Results(
            opponents=jnp.asarray(np.where(record.played, record.opponent, BYE).T, jnp.int32),
            half_points=jnp.asarray(record.scored.T, jnp.int32),
            match_points=jnp.asarray(record.match_points, jnp.int32),
            ratings=jnp.asarray(ratings, jnp.int32) if ratings.any() else None,
        )


@dataclass(frozen=True)
class Column:
    """A rule, or one pass of it, in the working of a team's tie-breaks."""

    name: str
    worked: Pass


@dataclass(frozen=True)
class Total:
    """A number of the team's own.

    **Fields:** `of`: match points, game points, or the number of matches really played.
    """

    name: str
    heading: str
    of: Literal["mp", "gp", "played"] = "mp"

    has_working = False
    unplayed_notes = ()

    def scores(self, event: Completed, before: Before = ()) -> Float[np.ndarray, " teams"]:
        """The number of every team."""
        record = event.record
        if self.of == "gp":
            return record.half_points / 2
        total = record.match_points if self.of == "mp" else record.played.sum(axis=1)
        return total.astype(float)

    def working(self, event: Completed) -> list[Column]:
        """None.

        **Raises:** `InputError` saying so.
        """
        raise InputError(f"{self.name} is a total of the team's own: there is nothing to explain")


@dataclass(frozen=True)
class PolicySum:
    """The sum of opponents' scores, each times the team's own result against it or alone.

    In match points and game points, whatever the number of boards.

    **Fields:**

    - `opponent`: which score of the opponent, `m` (match points) or `g` (game points).
    - `own`: which result against it, `m` or `g`; empty for the opponent's score alone (Buchholz).
    - `low`, `high`: items left out, from the lowest and from the highest.
    """

    name: str
    heading: str
    opponent: Literal["m", "g"] = "m"
    own: Literal["m", "g", ""] = ""
    low: int = 0
    high: int = 0

    has_working = True
    unplayed_notes = ()

    def scores(self, event: Completed, before: Before = ()) -> Float[np.ndarray, " teams"]:
        """The sum of every team.

        **Raises:** `InputError` if the policy for unplayed rounds does not define it.
        """
        return self._pass(event).totals

    def working(self, event: Completed) -> list[Column]:
        """One column.

        **Raises:** `InputError` as `scores`.
        """
        return [Column(self.name, self._pass(event))]

    def _pass(self, event: Completed) -> Pass:
        rule = OpponentSum(self.opponent, self.own, self.low, self.high)
        _check_defined(event.policy, (rule,), self.name)
        unit = 0.5 ** ((self.opponent == "g") + (self.own == "g"))  # the rule adds up half points
        return rule.working(event)[-1].times(unit)


@dataclass(frozen=True)
class ByRule:
    """A rule of TB2 by name.

    How it takes rounds that were not played is said in `tiebreaks.completed`.
    """

    name: str
    heading: str
    rule: Rule

    @property
    def has_working(self) -> bool:
        """Whether it is a sum over the rounds."""
        return isinstance(self.rule.tiebreak(), SumOverRounds)

    @property
    def unplayed_notes(self) -> tuple[str, ...]:
        """What to say of it in an event with unplayed rounds, if no policy has a say."""
        return self.rule.unplayed_notes

    def scores(self, event: Completed, before: Before = ()) -> Float[np.ndarray, " teams"]:
        """TB2 of every team.

        **Arguments:** `before`: the scores that decide before it, for rules that look at a group of
        tied teams alone (direct encounter); match points if there are none.

        **Raises:** `InputError` if the rule is for another format, or if the policy for unplayed
        rounds does not define it.
        """
        rule = self.rule.tiebreak()
        self._check(event, sums_of(rule))
        return completed_scores(rule, event, before) * self.rule.unit

    def working(self, event: Completed) -> list[Column]:
        """A column a pass.

        **Raises:** `InputError` as `scores`, or if the rule is no sum over rounds.
        """
        rule, name = self.rule.tiebreak(), self.rule.name
        if not isinstance(rule, SumOverRounds):
            raise InputError(f"{name} is no sum over opponents: there is nothing to explain")
        self._check(event, (rule,))
        passes = [one.times(self.rule.unit) for one in rule.working(event)]
        if len(passes) == 1:
            return [Column(name, passes[0])]
        return [Column(f"{name} pass {n}", one) for n, one in enumerate(passes, start=1)]

    def _check(self, event: Completed, sums: Sequence[SumOverRounds]) -> None:
        self.rule.check_format(event.record.rounds, event.record.boards)
        _check_defined(event.policy, sums, self.rule.name)


def _check_defined(policy: Policy, sums: Sequence[SumOverRounds], name: str) -> None:
    """Refuse a rule made of sums that have no meaning under a policy."""
    if policy.opponents_only and not all(one.opponents_alone for one in sums):
        raise InputError(
            f"the policy {policy.name} is defined for the sum of the opponents' match points "
            f"without a cut alone, got {name}"
        )
    if policy.linear_only and not all(one.linear for one in sums):
        raise InputError(
            f"the policy {policy.name} pools match points before they are multiplied: it has no "
            f"meaning for {name}"
        )


Criterion = Total | PolicySum | ByRule

MATCH_POINTS = Total("mp", "MP")
GAME_POINTS = Total("gp", "GP", of="gp")
MATCHES = Total("played", "Played", of="played")
TB4 = PolicySum("tb4", "TB4", low=1)


def fide_order(rule: Rule) -> tuple[Criterion, ...]:
    """The Olympiad's order: match points, a rule of TB2, game points, TB4."""
    return (MATCH_POINTS, ByRule("tb2", "TB2", rule), GAME_POINTS, TB4)


SUMS = "opponents (or buchholz), emmsb, emgsb, egmsb, eggsb (each also with -cutN or -medianN)"
"""The sums over opponents for people: `opponents`, and some of the library's."""


def parse_criteria(text: str, find_rule: Callable[[str], Rule]) -> tuple[Criterion, ...]:
    """Criteria from a list such as `mp,tb2:olympiad-180x11,gp,opponents-cut1`.

    **Arguments:**

    - `text`: names with commas between: `mp`, `gp`; `played`, the number of matches really played;
      `opponents`, the sum of the opponents' match points, also with `-cutN` or `-medianN`; `tb4`,
      which is `opponents-cut1`; and `tb2:RULE` or `RULE`, which are the same.
    - `find_rule`: a rule of TB2 by name.

    **Raises:** `InputError` for an empty or repeated name, or one that `find_rule` does not know.
    """
    found: list[Criterion] = []
    for name in (part.strip() for part in text.split(",")):
        if not name or name in [c.name for c in found]:
            raise InputError(
                f"tiebreaks must be names with commas between, each once, got {text!r}"
            )
        found.append(_parse(name, find_rule))
    return tuple(found)


def _parse(name: str, find_rule: Callable[[str], Rule]) -> Criterion:
    for known in (MATCH_POINTS, GAME_POINTS, MATCHES, TB4):
        if name == known.name:
            return known
    shape = re.fullmatch(r"opponents(?:-(cut|median)([0-9]{1,2}))?", name, re.ASCII)
    if shape:
        number = int(shape[2] or 0)
        if number > MAX_ROUNDS or (shape[1] and not number):
            raise InputError(f"a cut must be 1..{MAX_ROUNDS} opponents, got {name!r}")
        return PolicySum(name, name, low=number, high=number if shape[1] == "median" else 0)
    rule = find_rule(name.removeprefix("tb2:"))
    return ByRule(name, rule.name, rule)


def evaluate(
    event: Completed, criteria: Sequence[Criterion]
) -> Float[np.ndarray, "criteria teams"]:
    """Scores of every criterion, rounded so that equal sums of fractions are equal."""
    found: list[np.ndarray] = []
    for one in criteria:
        found.append(np.round(one.scores(event, found), 6) + 0.0)
    return np.stack(found)
