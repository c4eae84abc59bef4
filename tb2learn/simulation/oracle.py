"""The oracle: expected match points of every team if everybody plays everybody.

docs/method.md defines it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Int, Num

from tb2learn.config import GameConfig
from tb2learn.simulation import games
from tb2learn.simulation.event import Event
from tb2learn.simulation.purposes import UNIT
from tb2learn.types import PerTeam


def true_strength(
    rosters: Int[Array, "teams boards *batch"], game: GameConfig | games.Laws
) -> Int[Array, "teams *batch"]:
    """The oracle: expected match points of every team against all others.

    What one team of a match does not get, the other one gets. So half of the matches are computed:
    of every team against the teams 1, 2, ... teams/2 places below it, cyclically.

    **Arguments:**

    - `rosters`: ratings, of one event or of a batch.
    - `game`: the game model.

    **Returns:** integers in units of `1/purposes.UNIT` match points.
    """
    teams = len(rosters)
    line_ups = jnp.moveaxis(rosters, 1, 0)
    twice = jnp.concatenate([line_ups, line_ups], axis=1)
    # In an even field the opponent at half the circle is met from both sides: only one counts.
    first_half = (jnp.arange(teams) < teams // 2).reshape(-1, *[1] * (rosters.ndim - 2))

    def index(distance: Array | int) -> list[Array]:
        opponents = jax.lax.dynamic_slice_in_dim(twice, distance, teams, axis=1)
        return list(games.match_index(line_ups, opponents, game))

    def laws(indices: list[Array]) -> list[Array]:
        return [games.packed_law(index, game) for index in indices]

    def add(total: Array, distance: Array | int, expected: Array) -> Array:
        """Match points above even of the teams, and of their opponents."""
        around = jnp.concatenate([expected, expected])
        # Where a team is the second side, the first stands `distance` places above it.
        others = jax.lax.dynamic_slice_in_dim(around, teams - distance, teams)
        return total + expected - others

    def step(distance: Array, carry: tuple) -> tuple:
        # What several operations need is carried to the next step, or XLA computes it for each.
        total, indices, packed, before = carry
        boards = len(packed)
        chances = games.law_from_games(packed, range(boards - 1, boards + 1))
        # One match point for half of the points or more, another for more than half.
        expected = 2 * games.UNIT - sum(map(games.mean_of_days, chances))
        # Of opposite teams, each match once.
        expected = jnp.where((2 * distance < teams) | first_half, expected, games.UNIT)
        total = add(total, distance - 1, before)
        return total, index(distance + 2), laws(indices), expected

    nothing = jnp.zeros((teams, *rosters.shape[2:]), jnp.int32)
    start = (nothing, index(2), laws(index(1)), nothing)
    total, _, _, last = jax.lax.fori_loop(1, teams // 2 + 1, step, start)
    # A second side has 2 match points less those of the first.
    return add(total, teams // 2, last) + games.UNIT * (teams - 1)


def strength_of(event: Event, game: GameConfig) -> PerTeam:
    """`true_strength` of the teams of an event, computed only where the event does not have it."""
    return true_strength(event.rosters, game) if event.strength is None else event.strength


def sum_over_tied(
    match_points: PerTeam,
    values: Sequence[Num[Array, " teams"]],
    count: Callable[[Sequence[Array], Sequence[Array]], Any],
) -> tuple[PerTeam, Any]:
    """Sum something over the tied pairs of an event, score group by score group.

    Only teams on equal match points meet here: in the order of match points a team is compared
    with the next one, the next but one, and so on up to the largest score group.

    **Arguments:**

    - `match_points`: who is tied.
    - `values`: what `count` needs to know of every team.
    - `count`: from the values of the first teams of some pairs, and then those of the second ones,
      to a pytree of whole numbers, pairs along the last axis. The first team has the lower number.

    **Returns:** match points in rising order; and the sums over the pairs of which a team of this
    order is the first one, teams along the last axis.
    """
    # A stable sort keeps the seeds rising in a group: the first team of a pair is the higher one.
    order = jnp.argsort(match_points, stable=True)
    return _sum_over_neighbours(match_points, order, values, count, apart=0)


def sum_over_near(
    strength: PerTeam,
    values: Sequence[Num[Array, " teams"]],
    count: Callable[[Sequence[Array], Sequence[Array]], Any],
) -> tuple[PerTeam, Any]:
    """Sum something over the pairs of teams less than one match point of the oracle apart.

    They are tied or not, and equal or not.

    **Arguments:** `strength`: by the oracle, in `1/purposes.UNIT`; the others as `sum_over_tied`,
    but the first team of a pair is the better one.

    **Returns:** strengths in falling order; and the sums as `sum_over_tied`.
    """
    order = jnp.argsort(-strength, stable=True)
    return _sum_over_neighbours(strength, order, values, count, apart=UNIT - 1)


def _sum_over_neighbours(
    key: PerTeam,
    order: PerTeam,
    values: Sequence[Num[Array, " teams"]],
    count: Callable[[Sequence[Array], Sequence[Array]], Any],
    apart: int,
) -> tuple[PerTeam, Any]:
    """Sums over the pairs whose keys, in this order, are at most so far apart."""
    teams = len(key)
    in_order, *first = (x[order] for x in (key, *values))
    # Beyond the last team stands nobody, farther from every key than that.
    keys = jnp.concatenate([in_order, jnp.full(teams, -2 - apart, in_order.dtype)])
    # Twice, so that a shift past the end reads something.
    after = [jnp.concatenate([x, x]) for x in first]

    def shifted(x: Array, distance: Array | int) -> Array:
        return jax.lax.dynamic_slice_in_dim(x, distance, teams)

    def alike(distance: Array | int) -> Array:
        return jnp.abs(in_order - shifted(keys, distance)) <= apart

    def compare(carry: tuple[Array, Array, Any]) -> tuple[Array, Array, Any]:
        distance, tied, total = carry
        counts = count(first, [shifted(x, distance) for x in after])
        total = jax.tree.map(lambda sum_, x: sum_ + jnp.where(tied, x, 0), total, counts)
        return distance + 1, alike(distance + 1), total

    shapes = jax.eval_shape(count, first, first)
    nothing = jax.tree.map(lambda x: jnp.zeros(x.shape, jnp.int32), shapes)
    start = (jnp.int32(1), alike(1), nothing)
    *_, total = jax.lax.while_loop(lambda carry: carry[1].any(), compare, start)
    return in_order, total


def half_errors(verdict: Int[Array, "*pairs"], order: Int[Array, "*pairs"]) -> Int[Array, "*pairs"]:
    """Half errors of verdicts on pairs of teams: 1 for the first team, -1 for the second.

    **Arguments:**

    - `verdict`: of a rule.
    - `order`: by the oracle.

    **Returns:** 2 for the wrong order, 1 for equal scores or strengths, 0 for the right order.
    """
    return jnp.where(order == 0, 1, jnp.abs(verdict - order))
