"""What standings go by: match points, game points, sums over opponents, rules of TB2.

A criterion turns a completed event into a score a team; standings are an ordered list of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float, Num

from tb2learn.events.unplayed import Items, Policy, Record
from tb2learn.standings import Results
from tb2learn.tables import LookupTable, Rule
from tb2learn.types import BYE, MAX_ROUNDS, InputError


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

    def left_out(
        self, values: Num[np.ndarray, "teams rounds"], low: int, high: int = 0
    ) -> Bool[np.ndarray, "teams rounds"]:
        """The items that a cut leaves out, see `Policy.left_out`."""
        rivals = self.items.opponent_half_points if self.weakest_by_game_points else None
        return self.policy.left_out(self.items, values, low, high, rivals)

    def results(self) -> Results:
        """What was played, as the simulator records it: a round without a match has no opponent."""
        record = self.record
        return Results(
            opponents=jnp.asarray(np.where(record.played, record.opponent, BYE).T, jnp.int32),
            half_points=jnp.asarray(record.scored.T, jnp.int32),
            match_points=jnp.asarray(record.match_points, jnp.int32),
        )


@dataclass(frozen=True)
class Total:
    """The team's own match points or game points."""

    name: str
    heading: str
    half_points: bool = False

    def scores(self, event: Completed) -> Float[np.ndarray, " teams"]:
        """Points of every team."""
        record = event.record
        return record.half_points / 2 if self.half_points else record.match_points.astype(float)


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
    opponent: str = "m"
    own: str = ""
    low: int = 0
    high: int = 0

    def values(self, event: Completed) -> Float[np.ndarray, "teams rounds"]:
        """What every item is worth."""
        items = event.items
        values = items.opponent_points if self.opponent == "m" else items.opponent_half_points / 2
        if self.own:
            values = values * (items.gained if self.own == "m" else items.scored / 2)
        return values

    def left_out(self, event: Completed) -> Bool[np.ndarray, "teams rounds"]:
        """The items left out."""
        return event.left_out(self.values(event), self.low, self.high)

    def scores(self, event: Completed) -> Float[np.ndarray, " teams"]:
        """The sum of every team."""
        return event.policy.total(self.values(event), event.items, self.left_out(event))


@dataclass(frozen=True)
class ByRule:
    """A rule of TB2 by name: a lookup table over the items, or any other over what was played."""

    name: str
    heading: str
    rule: Rule

    def values(self, event: Completed) -> Float[np.ndarray, "teams rounds"]:
        """What every item is worth under a lookup table.

        Between two columns of the table, the part of the way: some policies let an opponent count
        as a fraction.
        """
        assert isinstance(self.rule, LookupTable)
        if event.policy.linear_only and not _is_product(self.rule):
            raise InputError(
                f"the policy {event.policy.name} pools match points before they are multiplied: it "
                f"has no meaning for {self.rule.name}"
            )
        points, items = self.rule.points, event.items
        most = points.shape[0] - 1
        own = event.record.match_points[:, None]
        scored = items.scored.astype(int)
        column = np.clip(items.opponent_points, 0, most)
        below = np.floor(column).astype(int)
        part = column - below
        low, high = points[own, below, scored], points[own, np.minimum(below + 1, most), scored]
        return ((1 - part) * low + part * high) * self.rule.unit

    def left_out(self, event: Completed) -> Bool[np.ndarray, "teams rounds"]:
        """The item left out."""
        return event.left_out(self.values(event), 1)

    def scores(self, event: Completed) -> Float[np.ndarray, " teams"]:
        """TB2 of every team."""
        self.rule.check_format(event.record.rounds, event.record.boards)
        if isinstance(self.rule, LookupTable):
            return event.policy.total(self.values(event), event.items, self.left_out(event))
        return np.asarray(self.rule.tiebreak().scores(event.results())) * self.rule.unit


Criterion = Total | OpponentSum | ByRule

MATCH_POINTS = Total("mp", "MP")
GAME_POINTS = Total("gp", "GP", half_points=True)
TB4 = OpponentSum("tb4", "TB4", low=1)


def fide_order(rule: Rule) -> tuple[Criterion, ...]:
    """The Olympiad's order: match points, a rule of TB2, game points, TB4."""
    return (MATCH_POINTS, ByRule("tb2", "TB2", rule), GAME_POINTS, TB4)


SUMS = "opponents, emmsb, emgsb, egmsb, eggsb (each also with -cutN or -medianN)"


def parse_criteria(text: str, find_rule: Callable[[str], Rule]) -> tuple[Criterion, ...]:
    """Criteria from a list such as `mp,tb2:olympiad-180x11,gp,opponents-cut1`.

    **Arguments:**

    - `text`: names with commas between: `mp`, `gp`; `opponents`, the sum of the opponents' match
      points; `emmsb`, `emgsb`, `egmsb`, `eggsb`, FIDE's four extended Sonneborn-Berger sums (first
      the opponent's score, then the own result); each of these with `-cutN` or `-medianN`; and
      `tb2:RULE` or `RULE`.
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
    for known in (MATCH_POINTS, GAME_POINTS, TB4):
        if name == known.name:
            return known
    shape = re.fullmatch(
        r"(opponents|e([mg])([mg])sb)(?:-(cut|median)([0-9]{1,2}))?", name, re.ASCII
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
    return np.stack([np.round(c.scores(event), 6) + 0.0 for c in criteria])
