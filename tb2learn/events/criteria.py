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
from jaxtyping import Bool, Float, Int

from tb2learn.events.unplayed import Items, Policy, Record
from tb2learn.standings import Results
from tb2learn.tables import LookupTable, Rule
from tb2learn.tiebreaks.combined import Grouped
from tb2learn.types import BYE, MAX_ROUNDS, InputError


@dataclass(frozen=True)
class ItemSum:
    """What every item is worth, which are left out, and the score of every team."""

    values: Float[np.ndarray, "teams rounds"]
    left_out: Bool[np.ndarray, "teams rounds"]
    scores: Float[np.ndarray, " teams"]


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

    def sum(
        self,
        worth: Callable[[Items], Float[np.ndarray, "teams rounds"]],
        low: int,
        high: int = 0,
        opponent: Literal["m", "g"] = "m",
    ) -> ItemSum:
        """A sum over the items, less those that a cut leaves out, as the policy has it.

        **Arguments:**

        - `worth`: what every item is worth.
        - `low`, `high`: items left out, from the lowest and from the highest.
        - `opponent`: whether lowest are the fewest match points or game points of the opponent.
        """
        items, half_points = self.items, self.items.opponent_half_points
        scores = items.opponent_points if opponent == "m" else half_points
        left_out = self.policy.left_out(
            items,
            np.round(scores, 9),  # so that equal fractions are equal
            worth(items),
            low,
            high,
            half_points if self.weakest_by_game_points else None,
        )
        items = self.policy.after_cut(self.record, items, left_out)
        values = worth(items)
        return ItemSum(values, left_out, self.policy.total(values, items, left_out))

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
class Total:
    """A number of the team's own.

    **Fields:** `of`: match points, game points, or the number of matches really played.
    """

    name: str
    heading: str
    of: Literal["mp", "gp", "played"] = "mp"

    def scores(self, event: Completed) -> Float[np.ndarray, " teams"]:
        """The number of every team."""
        record = event.record
        if self.of == "gp":
            return record.half_points / 2
        total = record.match_points if self.of == "mp" else record.played.sum(axis=1)
        return total.astype(float)


@dataclass(frozen=True)
class OpponentSum:
    """The sum of opponents' scores, each times the team's own result against it or alone.

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

    def values(self, event: Completed) -> Float[np.ndarray, "teams rounds"]:
        """What every item is worth."""
        return self._sum(event).values

    def left_out(self, event: Completed) -> Bool[np.ndarray, "teams rounds"]:
        """The items left out."""
        return self._sum(event).left_out

    def scores(self, event: Completed) -> Float[np.ndarray, " teams"]:
        """The sum of every team.

        **Raises:** `InputError` if the policy for unplayed rounds does not define it.
        """
        return self._sum(event).scores

    def _sum(self, event: Completed) -> ItemSum:
        if self.opponent != "m" or self.own or self.low or self.high:
            _check_defined(event.policy, self.name)
        return event.sum(self._worth, self.low, self.high, self.opponent)

    def _worth(self, items: Items) -> Float[np.ndarray, "teams rounds"]:
        if self.opponent == "g":
            values = items.opponent_half_points / 2
        elif self.own or items.alone_points is None:
            values = items.opponent_points
        else:
            values = items.alone_points
        if self.own:
            values = values * (items.gained if self.own == "m" else items.scored / 2)
        return values


@dataclass(frozen=True)
class ByRule:
    """A rule of TB2 by name: a lookup table over the items, or any other over what was played."""

    name: str
    heading: str
    rule: Rule

    def values(self, event: Completed) -> Float[np.ndarray, "teams rounds"]:
        """What every item is worth under a lookup table.

        Between two entries of the table, the part of the way: some policies let an opponent or a
        result count as a fraction.
        """
        return self._sum(event).values

    def left_out(self, event: Completed) -> Bool[np.ndarray, "teams rounds"]:
        """The item left out."""
        return self._sum(event).left_out

    def scores(
        self, event: Completed, tied: Int[np.ndarray, " teams"] | None = None
    ) -> Float[np.ndarray, " teams"]:
        """TB2 of every team.

        **Arguments:** `tied`: number of the group of every team that is tied so far, for rules that
        look at a group alone (direct encounter); those of equal match points if not given.

        **Raises:** `InputError` if the rule is for another format, or if the policy for unplayed
        rounds does not define it.
        """
        self.rule.check_format(event.record.rounds, event.record.boards)
        if isinstance(self.rule, LookupTable):
            return self._sum(event).scores
        rule, results = self.rule.tiebreak(), event.results()
        if tied is not None and isinstance(rule, Grouped):
            scores = rule.scores(results, jnp.asarray(tied, jnp.int32))
        else:
            scores = rule.scores(results)
        return np.asarray(scores) * self.rule.unit

    def _sum(self, event: Completed) -> ItemSum:
        assert isinstance(self.rule, LookupTable)
        _check_defined(event.policy, self.rule.name)
        if event.policy.linear_only and not _is_product(self.rule):
            raise InputError(
                f"the policy {event.policy.name} pools match points before they are multiplied: it "
                f"has no meaning for {self.rule.name}"
            )
        points, unit = self.rule.points, self.rule.unit
        own = event.record.match_points[:, None]

        def worth(items: Items) -> Float[np.ndarray, "teams rounds"]:
            column, more, part = _between(items.opponent_points, points.shape[1])
            result, better, share = _between(items.scored, points.shape[2])
            low = (1 - share) * points[own, column, result] + share * points[own, column, better]
            high = (1 - share) * points[own, more, result] + share * points[own, more, better]
            return ((1 - part) * low + part * high) * unit

        return event.sum(worth, 1)


def _between(
    values: Float[np.ndarray, "teams rounds"], size: int
) -> tuple[
    Int[np.ndarray, "teams rounds"],
    Int[np.ndarray, "teams rounds"],
    Float[np.ndarray, "teams rounds"],
]:
    """Indices on both sides of a value, within `size`, and the part of the way between them."""
    values = np.clip(values, 0, size - 1)
    below = np.floor(values).astype(int)
    return below, np.minimum(below + 1, size - 1), values - below


def _check_defined(policy: Policy, name: str) -> None:
    if policy.opponents_only:
        raise InputError(
            f"the policy {policy.name} is defined for the sum of the opponents' match points "
            f"without a cut alone, got {name}"
        )


Criterion = Total | OpponentSum | ByRule

MATCH_POINTS = Total("mp", "MP")
GAME_POINTS = Total("gp", "GP", of="gp")
MATCHES = Total("played", "Played", of="played")
TB4 = OpponentSum("tb4", "TB4", low=1)


def fide_order(rule: Rule) -> tuple[Criterion, ...]:
    """The Olympiad's order: match points, a rule of TB2, game points, TB4."""
    return (MATCH_POINTS, ByRule("tb2", "TB2", rule), GAME_POINTS, TB4)


SUMS = "opponents (or buchholz), emmsb, emgsb, egmsb, eggsb (each also with -cutN or -medianN)"


def parse_criteria(text: str, find_rule: Callable[[str], Rule]) -> tuple[Criterion, ...]:
    """Criteria from a list such as `mp,tb2:olympiad-180x11,gp,opponents-cut1`.

    **Arguments:**

    - `text`: names with commas between: `mp`, `gp`; `played`, the number of matches really played;
      `opponents` or `buchholz`, the sum of the opponents' match points; `emmsb`, `emgsb`, `egmsb`,
      `eggsb`, FIDE's four extended Sonneborn-Berger sums (first the opponent's score, then the own
      result); each of these sums with `-cutN` or `-medianN`; and `tb2:RULE` or `RULE`.
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
    shape = re.fullmatch(
        r"(opponents|buchholz|e([mg])([mg])sb)(?:-(cut|median)([0-9]{1,2}))?", name, re.ASCII
    )
    if shape:
        number = int(shape[5] or 0)
        if number > MAX_ROUNDS or (shape[4] and not number):
            raise InputError(f"a cut must be 1..{MAX_ROUNDS} opponents, got {name!r}")
        high = number if shape[4] == "median" else 0
        return OpponentSum(name, name, shape[2] or "m", shape[3] or "", number, high)
    rule = find_rule(name.removeprefix("tb2:"))
    return ByRule(name, rule.name, rule)


def _is_product(table: LookupTable) -> bool:
    """Whether a table is opponent's match points times half points, whatever the own."""
    _, columns, results = table.points.shape
    product = np.arange(columns)[:, None] * np.arange(results)
    return bool((table.points == product).all())


def evaluate(
    event: Completed, criteria: Sequence[Criterion]
) -> Float[np.ndarray, "criteria teams"]:
    """Scores of every criterion, rounded so that equal sums of fractions are equal."""
    found: list[np.ndarray] = []
    for one in criteria:
        if found and isinstance(one, ByRule):
            _, tied = np.unique(np.stack(found), axis=1, return_inverse=True)
            scores = one.scores(event, tied.ravel())
        else:
            scores = one.scores(event)
        found.append(np.round(scores, 6) + 0.0)
    return np.stack(found)
