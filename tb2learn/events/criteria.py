"""The criteria that standings are sorted by: match points, game points, opponent sums, TB2 rules.

A criterion gives every team of a completed event a score. Standings sort by a list of criteria.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float, Int, Num

from tb2learn.chess.results import Results
from tb2learn.events.parts import STANDARD_SCORING
from tb2learn.events.unplayed.policy import Cut, Policy
from tb2learn.events.unplayed.record import Record
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.completed import (
    Items,
    Kept,
    Pass,
    SumOverRounds,
    Worth,
    completed_scores,
    sums_of,
)
from tb2learn.tiebreaks.paired import LeastSquares
from tb2learn.tiebreaks.rules import Rule
from tb2learn.tiebreaks.sums import OpponentSum
from tb2learn.types import BYE, MAX_ROUNDS, InputError

Before = Sequence[Num[np.ndarray, " teams"]]
"""The scores that decide before a criterion."""


@dataclass(frozen=True)
class Completed:
    """An event whose unplayed rounds a policy has filled in, ready for criteria.

    **Fields:**

    - `record`: the event as recorded.
    - `policy`: the policy for unplayed rounds.
    - `items`: the record as the policy completed it.
    - `weakest_by_game_points`: whether, of several opponents with the fewest match points, the one
      with the fewest game points is left out first (the thesis's rule).
    """

    record: Record
    policy: Policy
    items: Items
    weakest_by_game_points: bool = False

    @property
    def own(self) -> Int[np.ndarray, " teams"]:
        """Match points of the standings."""
        return self.record.standing_points

    def cut(
        self, worth: Worth, low: int = 0, high: int = 0, opponent: Literal["m", "g"] = "m"
    ) -> Kept:
        """The items that remain after a cut, by the rules of the policy.

        **Arguments:**

        - `worth`: the function that gives every item its value.
        - `low`, `high`: how many of the lowest and of the highest items are left out.
        - `opponent`: which score of the opponent orders the items: `m` (match points) or `g` (game
          points).
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
        """The event as tie-breaks of the simulator see it: only rounds played have an opponent.

        **Raises:** `InputError` for an event whose rounds are not known.
        """
        if not self.record.known_rounds:
            raise InputError(
                "this event is recorded without rounds: only sums over opponents apply"
            )
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
    """A rule, or one pass of it, in the working of a team's tie-breaks.

    **Fields:**

    - `rule`: its name.
    - `worked`: values and totals of all teams.
    - `number`: of the pass, 1 for a rule without passes.
    - `passes`: how many the rule has.
    """

    rule: str
    worked: Pass
    number: int = 1
    passes: int = 1

    @property
    def name(self) -> str:
        """The heading of the column: the rule, with the number of the pass if it has several."""
        return self.rule if self.passes == 1 else f"{self.rule} pass {self.number}"


class Criterion(ABC):
    """What standings may be sorted by.

    **Fields:**

    - `name`, `heading`: as in a list of criteria; of its column in standings.
    - `has_working`: whether it is a sum over the rounds, which can be shown.
    - `unplayed_notes`: notes for an event with unplayed rounds if no policy changes it.
    """

    name: str
    heading: str
    has_working = False
    unplayed_notes: Sequence[str] = ()

    @abstractmethod
    def scores(self, event: Completed, before: Before = ()) -> Float[np.ndarray, " teams"]:
        """A number a team, higher is better.

        **Arguments:** `before`: the scores of the criteria before it, for those that compare tied
        teams only (direct encounter).

        **Raises:** `InputError` if it has no meaning for the event or its policy.
        """

    def working(self, event: Completed) -> list[Column]:
        """One column per pass.

        **Raises:** `InputError` as `scores`, and for what is no sum over the rounds.
        """
        raise InputError(f"{self.name} is not a sum over opponents: there is nothing to explain")


@dataclass(frozen=True)
class Total(Criterion):
    """A total of the team itself, which needs no opponents.

    **Fields:**

    - `name`: as in a list of criteria.
    - `heading`: of its column in standings.
    - `of`: match points, game points, or the number of matches played over the board.
    """

    name: str
    heading: str
    of: Literal["mp", "gp", "played"] = "mp"

    def scores(self, event: Completed, before: Before = ()) -> Float[np.ndarray, " teams"]:
        """The total of every team."""
        record = event.record
        if self.of == "gp":
            return record.standing_half_points / 2
        total = record.standing_points if self.of == "mp" else record.played.sum(axis=1)
        return total.astype(float)


@dataclass(frozen=True)
class PolicySum(Criterion):
    """The sum of the opponents' scores, alone or each times the team's own result against it.

    Scores are in match points and game points for any number of boards.

    **Fields:**

    - `name`, `heading`: as in `Total`.
    - `opponent`: which score of the opponent: `m` (match points) or `g` (game points).
    - `own`: which own result it is multiplied by: `m` or `g`; empty for none (Buchholz).
    - `low`, `high`: how many of the lowest and of the highest items are left out.
    """

    name: str
    heading: str
    opponent: Literal["m", "g"] = "m"
    own: Literal["m", "g", ""] = ""
    low: int = 0
    high: int = 0

    has_working = True

    @property
    def unit(self) -> float:
        """Worth of one match point or half point, or of one product of these."""
        return 0.5 ** ((self.opponent == "g") + (self.own == "g"))

    def scores(self, event: Completed, before: Before = ()) -> Float[np.ndarray, " teams"]:
        """The sum of every team.

        **Raises:** `InputError` if the sum has no meaning under the policy for unplayed rounds.
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
        return rule.working(event)[-1].times(self.unit)


@dataclass(frozen=True)
class ByRule(Criterion):
    """A TB2 rule. How it counts unplayed rounds is defined in `tiebreaks.completed`.

    **Fields:**

    - `name`, `heading`: as in `Total`.
    - `rule`: the rule itself.
    """

    name: str
    heading: str
    rule: Rule

    @property
    def has_working(self) -> bool:
        """Whether the rule is a sum over the rounds, or least squares: a mean over them."""
        return isinstance(self.rule.tiebreak(), SumOverRounds | LeastSquares)

    @property
    def unplayed_notes(self) -> tuple[str, ...]:
        """Notes for an event with unplayed rounds, for a rule that no policy changes."""
        return self.rule.unplayed_notes

    def scores(self, event: Completed, before: Before = ()) -> Float[np.ndarray, " teams"]:
        """TB2 of every team.

        **Arguments:** `before`: the scores of the criteria before it, for rules that compare tied
        teams only (direct encounter); match points if there are none.

        **Raises:** `InputError` if the rule is for another format, or has no meaning under the
        policy for unplayed rounds.
        """
        rule = self._tiebreak(event)
        self._check(event, sums_of(rule))
        return completed_scores(rule, event, before) * self.rule.unit

    def working(self, event: Completed) -> list[Column]:
        """One column per pass.

        **Raises:** `InputError` as `scores`, or if the rule is not a sum over rounds.
        """
        rule, name = self._tiebreak(event), self.rule.name
        if not isinstance(rule, SumOverRounds | LeastSquares):
            raise InputError(f"{name} is not a sum over opponents: there is nothing to explain")
        self._check(event, sums_of(rule))
        passes = [one.times(self.rule.unit) for one in rule.working(event)]
        return [Column(name, one, number, len(passes)) for number, one in enumerate(passes, 1)]

    def _tiebreak(self, event: Completed) -> TieBreak:
        """The rule as a function of results.

        Where matches score otherwise than 2, 1, 0, or an arbiter gave a team more points than all
        matches are worth, the product rule multiplies the match points that there are, which its
        table does not have.

        **Raises:** `InputError` for a rule that is made for match points 2, 1, 0 alone.
        """
        scoring, name = event.record.scoring, self.rule.name
        points = event.record.standing_points
        within = 0 <= points.min() and points.max() <= 2 * event.record.rounds
        if scoring == STANDARD_SCORING and (within or not self.rule.has_tables):
            return self.rule.tiebreak()
        if name == "product":
            return OpponentSum("m", "g", low=1, boards=event.record.boards)
        if scoring == STANDARD_SCORING:
            raise InputError(
                f"{name} is made for 0 to {2 * event.record.rounds} match points, teams have "
                f"{points.min()} to {points.max()}"
            )
        if not self.rule.for_any_match_points:
            usual, here = (
                ", ".join(f"{p / 2:g}" if event.record.individual else str(p) for p in each)
                for each in (STANDARD_SCORING, scoring)
            )
            what = "games" if event.record.individual else "matches"
            raise InputError(
                f"{name} is made for {what} that score {usual}: it has no meaning where they "
                f"score {here}"
            )
        return self.rule.tiebreak()

    def _check(self, event: Completed, sums: Sequence[SumOverRounds]) -> None:
        self.rule.check_format(event.record.rounds, event.record.boards)
        _check_defined(event.policy, sums, self.rule.name)


def _check_defined(policy: Policy, sums: Sequence[SumOverRounds], name: str) -> None:
    """Refuse a rule made of sums that have no meaning under a policy."""
    if policy.opponents_only and not all(one.opponents_alone for one in sums):
        raise InputError(
            f"the policy {policy.name} is defined only for the sum of the opponents' match "
            f"points without a cut, got {name}"
        )
    if policy.linear_only and not all(one.linear for one in sums):
        raise InputError(
            f"the policy {policy.name} pools match points before they are multiplied: it has no "
            f"meaning for {name}"
        )


MATCH_POINTS = Total("mp", "MP")
GAME_POINTS = Total("gp", "GP", of="gp")
MATCHES = Total("played", "Played", of="played")
TB4 = PolicySum("tb4", "TB4", low=1)


def fide_order(rule: Rule) -> tuple[Criterion, ...]:
    """The Olympiad's order: match points, a rule of TB2, game points, TB4."""
    return (MATCH_POINTS, ByRule("tb2", "TB2", rule), GAME_POINTS, TB4)


SUMS = "opponents (or buchholz), emmsb, emgsb, egmsb, eggsb (each also with -cutN or -medianN)"
"""The opponent sums that error messages and help texts list."""


def parse_criteria(text: str, find_rule: Callable[[str], Rule]) -> tuple[Criterion, ...]:
    """Criteria from a list such as `mp,tb2:olympiad-180x11,gp,opponents-cut1`.

    **Arguments:**

    - `text`: names separated by commas: `mp`, `gp`; `played`, the number of matches played over the
      board; `opponents`, the sum of the opponents' match points, also with `-cutN` or `-medianN`;
      `tb4`, which is `opponents-cut1`; and `tb2:RULE` or `RULE`, which are the same.
    - `find_rule`: gives the TB2 rule of a name.

    **Raises:** `InputError` for an empty or repeated name, or one that `find_rule` does not know.
    """
    found: list[Criterion] = []
    for name in (part.strip() for part in text.split(",")):
        if not name or name in [c.name for c in found]:
            raise InputError(f"tiebreaks must be different names separated by commas, got {text!r}")
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
            raise InputError(f"a cut must leave out 1..{MAX_ROUNDS} opponents, got {name!r}")
        return PolicySum(name, name, low=number, high=number if shape[1] == "median" else 0)
    rule = find_rule(name.removeprefix("tb2:"))
    return ByRule(name, rule.name, rule)


def evaluate(
    event: Completed, criteria: Sequence[Criterion]
) -> Float[np.ndarray, "criteria teams"]:
    """The scores of every criterion, `[criteria, teams]`; rounded, so that equal sums are equal."""
    found: list[np.ndarray] = []
    for one in criteria:
        found.append(np.round(one.scores(event, found), 6) + 0.0)
    return np.stack(found)
