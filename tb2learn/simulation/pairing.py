"""Swiss pairing: score groups worked from both ends towards the middle.

The rules are those of the Olympiads as M. Naray simplified them (thesis, ELTE 2020, chapter 3): the
readable definition, one round of one event, as a pure function.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from tb2learn.jax_types import Met, TeamMask
from tb2learn.types import BYE, PerTeam, pytree


@pytree
class Pairing:
    """The pairings of one round."""

    opponents: PerTeam  # [teams] the team each one meets; BYE for the team with the bye
    rematch: TeamMask  # [teams] paired by the last rule of the middle group, rematches allowed


def strength_order(match_points: PerTeam, half_points: PerTeam) -> PerTeam:
    """Teams by match points, then game points, then seed; strongest first.

    **Arguments:** `[teams]` integers; teams are numbered in seed order.

    **Returns:** `[teams]` team numbers.
    """
    return jnp.lexsort((-half_points, -match_points))


def pair_round(match_points: PerTeam, half_points: PerTeam, met: Met, had_bye: TeamMask) -> Pairing:
    """Pair one round.

    1. For an odd number of teams, the lowest in the strength order that has had no bye gets it.
    2. The middle group is the score group of the median team (the lower of the two middle ones).
       Upper groups are worked from the top down, lower groups from the bottom up, then the middle.
    3. An odd group first slides one team towards the middle: an upper group its last, a lower group
       its first.
    4. In a group of `m` teams, in strength order, the first takes the first of the places
       `h+1, ..., m, h, ..., 2` (`h = m // 2`) that it has not met; both leave, and so on.
    5. A team without an acceptable opponent slides to the next group towards the middle.
    6. In the middle group such teams wait, and are at the end paired first half against second
       half, rematches allowed.

    **Arguments:**

    - `match_points`, `half_points`: `[teams]` before the round, teams numbered in seed order.
    - `met`: `[teams, teams]`, symmetric: who has met whom.
    - `had_bye`: `[teams]`. For an odd number at least one team must be without a bye.

    **Returns:** a `Pairing`. Any number of teams from 2 up.
    """
    teams = match_points.shape[0]
    place = jnp.arange(teams)
    order = strength_order(match_points, half_points)

    # From here on teams are known by their place in the strength order.
    present = jnp.ones(teams, bool)
    if teams % 2:
        bye_place = jnp.max(jnp.where(had_bye[order], -1, place))
        present = place != bye_place
    points = match_points[order]
    acceptable = ~met[order][:, order]
    partner, waiting = _pair_groups(points, present, acceptable)

    # The last rule: those still waiting in the middle group, first half against second half.
    rank = jnp.cumsum(waiting) - 1
    half = jnp.sum(waiting) // 2
    across = jnp.where(rank < half, rank + half, rank - half)
    by_rank = (
        jnp.zeros(teams, rank.dtype).at[jnp.where(waiting, rank, teams)].set(place, mode="drop")
    )
    partner = jnp.where(waiting, by_rank[across], partner)

    opponents = jnp.where(partner == BYE, BYE, order[partner])
    seat = jnp.zeros(teams, place.dtype).at[order].set(place)
    return Pairing(opponents=opponents[seat], rematch=waiting[seat])


class _Turns(NamedTuple):
    """When each score group is paired: upper groups from the top, lower ones from the bottom.

    The middle group is last. Turns without a group are skipped.
    """

    of_team: Int[Array, " teams"]  # the turn of the team's score group
    first_lower: Int[Array, ""]  # turns before it are those of upper groups
    middle: Int[Array, ""]

    def pool(self, turn: Array, waiting: Bool[Array, " teams"]) -> Bool[Array, " teams"]:
        """Waiting members of the group of a turn, and waiting teams that slid into it."""
        lower = (self.of_team >= self.first_lower) & (self.of_team < self.middle)
        same_side = (turn == self.middle) | (lower == (turn >= self.first_lower))
        return waiting & (self.of_team <= turn) & same_side


def _turns(points: Int[Array, " teams"], present: Bool[Array, " teams"]) -> _Turns:
    """The turns of the score groups, for teams in the strength order."""
    middle = points[jnp.argmax(jnp.cumsum(present) > jnp.sum(present) // 2)]
    first_lower = points[0] + 1
    last = 2 * points[0] + 2
    turn = jnp.where(points > middle, points[0] - points, first_lower + points)
    return _Turns(jnp.where(points == middle, last, turn), first_lower, last)


class _Progress(NamedTuple):
    turn: Int[Array, ""]  # that of the group being paired
    partner: Int[Array, " teams"]  # place of the partner, BYE while there is none
    waiting: Bool[Array, " teams"]  # not yet paired
    stuck: Bool[Array, " teams"]  # waiting for the next group: no opponent in this one


def _pair_groups(
    points: Int[Array, " teams"],
    present: Bool[Array, " teams"],
    acceptable: Bool[Array, "teams teams"],
) -> tuple[Int[Array, " teams"], Bool[Array, " teams"]]:
    """Pair by rules 2 to 5, on places of the strength order.

    **Returns:** the place of every team's partner, `BYE` for none, and who is left over.
    """
    teams = points.shape[0]
    place = jnp.arange(teams)

    turns = _turns(points, present)

    def next_group(progress: _Progress) -> _Progress:
        ahead = present & (turns.of_team > progress.turn)
        turn = jnp.min(jnp.where(ahead, turns.of_team, turns.middle))
        pool = turns.pool(turn, progress.waiting)
        odd = jnp.sum(pool) % 2 == 1
        first, last = jnp.argmax(pool), teams - 1 - jnp.argmax(pool[::-1])
        slider = jnp.where(turn >= turns.first_lower, first, last)
        return progress._replace(turn=turn, stuck=odd & (place == slider))

    def pair_first(progress: _Progress) -> _Progress:
        pool = turns.pool(progress.turn, progress.waiting) & ~progress.stuck
        first = jnp.argmax(pool)
        size = jnp.sum(pool)
        number = jnp.cumsum(pool)  # 1 for the first of the pool
        half = size // 2
        preference = jnp.where(number > half, number - half - 1, size - number)
        allowed = pool & (place != first) & acceptable[first]
        choice = jnp.argmin(jnp.where(allowed, preference, teams))
        found = jnp.any(allowed)
        pair = ((place == first) | (place == choice)) & found
        other = jnp.where(place == first, choice, first)
        return progress._replace(
            partner=jnp.where(pair, other, progress.partner),
            waiting=progress.waiting & ~pair,
            stuck=progress.stuck | ((place == first) & ~found),
        )

    def group_is_done(progress: _Progress) -> Bool[Array, ""]:
        return ~jnp.any(turns.pool(progress.turn, progress.waiting) & ~progress.stuck)

    def unfinished(progress: _Progress) -> Bool[Array, ""]:
        return ~(group_is_done(progress) & (progress.turn == turns.middle))

    def step(progress: _Progress) -> _Progress:
        return jax.lax.cond(group_is_done(progress), next_group, pair_first, progress)

    start = _Progress(
        turn=jnp.full_like(turns.middle, -1),
        partner=jnp.full(teams, BYE),
        waiting=present,
        stuck=jnp.zeros(teams, bool),
    )
    end = jax.lax.while_loop(unfinished, step, start)
    return end.partner, end.waiting
