"""The schedule of a multi-tier event: round robins by rating, whose best go on to the next ones.

Source: S. J. Brams and M. S. Ismail, *Multi-Tier Tournaments: Matching and Scoring Players*, 2024.
The lowest rated teams start in the first tier. In every tier only its own matches count: the tier
score is wins less losses, a match of the tier. Ties are broken by the matches among the teams with
equal tier scores, then by wins, then by lot. (The source's third rule, fewer moves in won games, is
left out: simulated games have no moves. It says that its rules can be extended to more than two
teams, not how: here it is wins less losses among all that are tied.)

A tier of several groups is split by the published ratings, as equally as possible: by the source's
rule, but searched for by exchanges instead of listing all subsets (`split`).
"""

from __future__ import annotations

from functools import partial
from itertools import accumulate
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from tb2learn.chess.berger import round_robin
from tb2learn.chess.event_format import EventFormat
from tb2learn.jax_types import Key, Keys
from tb2learn.simulation.schedule import Pairs, SoFar, filled
from tb2learn.types import BYE, PerRound, PerTeam

EXCHANGES = 8
"""Exchanges of two teams by which `split` improves a group at most."""


class TierKeys(NamedTuple):
    """What ranks the teams of a multi-tier event, the first first; higher is better."""

    tier: PerTeam  # the last tier that a team played in, from 0
    score: PerTeam  # wins less losses in it
    direct: PerTeam  # the same among teams equal so far
    wins: PerTeam  # in that tier


def tier_keys(event: EventFormat, opponents: PerRound, half_points: PerRound) -> TierKeys:
    """The keys that rank teams by the last tier that they played in.

    **Arguments:**

    - `event`: the format.
    - `opponents`, `half_points`: of one event; rounds that were not played have no opponents.
    """
    of_round = jnp.asarray(np.repeat(np.arange(len(event.tiers)), event.tier_rounds))[:, None]
    met = opponents != BYE
    # The last: whoever was promoted has played in several.
    tier = jnp.where(met, of_round, -1).max(axis=0)
    counts = met & (of_round == tier)
    won = jnp.where(counts, jnp.sign(half_points - event.boards), 0)
    score = won.sum(axis=0)
    equal = (tier[:, None] == tier) & (score[:, None] == score)
    among = jnp.where(counts, jnp.take_along_axis(equal.T, opponents, axis=0), False)
    direct = jnp.where(among, won, 0).sum(axis=0)
    return TierKeys(tier, score, direct, (won > 0).sum(axis=0))


def tier_order(keys: TierKeys, lots: PerTeam) -> PerTeam:
    """Teams by their keys, best first; equal ones by lot."""
    return _order(*(-key for key in keys), lots)


def _order(*keys: PerTeam) -> PerTeam:
    """Teams by their first keys, then the next, ..., lowest first; then in the order given.

    By comparing all with all: for so few teams faster to compile than sorting.
    """
    teams = jnp.arange(len(keys[0]))
    ahead, equal = jnp.zeros((len(teams), len(teams)), bool), True
    for key in (*keys, teams):  # the number last, so that no two are equal
        ahead = ahead | (equal & (key[None, :] < key[:, None]))
        equal = equal & (key[None, :] == key[:, None])
    return jnp.zeros_like(teams).at[ahead.sum(axis=1)].set(teams)


def _lots(key: Key, teams: int) -> PerTeam:
    """Lots to order teams by. Two are equal once in four thousand million."""
    # As signed numbers: any order of lots is as good.
    return jax.lax.bitcast_convert_type(jax.random.bits(key, (teams,)), jnp.int32)


def split(key: Key, ratings: Int[Array, " teams"], groups: int) -> PerTeam:
    """Teams in groups of equal size and nearly equal mean rating, one group after the other.

    The source takes the subset whose mean is nearest to that of all teams, then the nearest of the
    rest, and so on. A group starts with teams by lot; then, up to `EXCHANGES` times, that exchange
    of one of its teams for one of the rest is made that brings its mean nearest to that of all.

    **Arguments:**

    - `key`: consumed by the lot, which also orders the teams of a group.
    - `ratings`: published ratings.
    - `groups`: how many, a divisor of the number of teams.
    """
    teams = len(ratings)
    size, total = teams // groups, ratings.sum()
    drawn = _order(_lots(key, teams))

    def improve(_: Array, carry: tuple[Array, Array]) -> tuple[Array, Array]:
        inside, outside = carry
        change = ratings[None, :] - ratings[:, None]
        # Means, times both sizes: whole numbers.
        away = teams * (jnp.where(inside, ratings, 0).sum() + change) - size * total
        possible = inside[:, None] & outside[None, :]
        away = jnp.where(possible, jnp.abs(away), jnp.iinfo(jnp.int32).max)
        now = jnp.abs(teams * jnp.where(inside, ratings, 0).sum() - size * total)
        one, other = jnp.divmod(jnp.argmin(away), teams)
        better = away.min() < now
        moved = (jnp.arange(teams) == one) | (jnp.arange(teams) == other)
        # Each of the two changes sides.
        return inside ^ (moved & better), outside ^ (moved & better)

    place = jnp.zeros(teams, jnp.int32).at[drawn].set(jnp.arange(teams))
    group = jnp.zeros(teams, jnp.int32)
    left = jnp.ones(teams, bool)
    for number in range(groups - 1):
        earlier = (left[None, :] & (place[None, :] < place[:, None])).sum(axis=1)
        inside = left & (earlier < size)
        inside, left = jax.lax.fori_loop(0, EXCHANGES, improve, (inside, left & ~inside))
        # Groups are filled in turn: whoever is left is in a later one.
        group = jnp.where(left, number + 1, group)
    return _order(group, place)


class _State(NamedTuple):
    """Who plays where."""

    seats: Int[Array, "seats batch"]  # the team on every number of the groups; then nobodies
    keys: Keys
    ratings: Int[Array, "teams batch"]


class MultiTier:
    """Tier after tier, each by Berger's tables for every group side by side."""

    rest = 0
    colours = True

    def __init__(self, event: EventFormat):
        self._event = event
        tables = [self._tier_games(number) for number in range(len(event.tiers))]
        self.matches = max(len(games[0]) for games in tables)
        self._seats = max(event.tier_sizes)
        self._pairs = np.concatenate([filled(games, self.matches, self._seats) for games in tables])
        self._ends = list(accumulate(event.tier_rounds))
        starts = np.zeros(event.rounds, np.int32)
        starts[self._ends[:-1]] = np.arange(1, len(event.tiers))
        self._entering = starts

    def _tier_games(self, number: int) -> Int[np.ndarray, "rounds matches 2"]:
        """The games of a tier by seat; a group has its seats one after the other."""
        groups = self._event.tiers[number].groups
        size = self._event.tier_sizes[number] // groups
        games = round_robin(size, self._event.repeats).games
        return np.concatenate([games + size * group for group in range(groups)], axis=1)

    def _starters(self, number: int) -> Int[np.ndarray, " starters"]:
        """Those who start in a tier, in seed order; the last seeds start in the first one."""
        above = sum(tier.teams for tier in self._event.tiers[number + 1 :])
        return above + np.arange(self._event.tiers[number].teams, dtype=np.int32)

    def start(self, keys: Keys, ratings: Int[Array, "teams batch"] | None) -> _State:
        """The first tier, drawn."""
        teams, batch = self._event.teams, len(keys)
        known = jnp.zeros((teams, batch), jnp.int32) if ratings is None else ratings
        # Each number once: `schedule._put` promises unique ones.
        nobody = teams + jnp.arange(2 * self.matches, dtype=jnp.int32)
        seats = jnp.concatenate([jnp.zeros(self._seats, jnp.int32), nobody])
        state = _State(jnp.broadcast_to(seats[:, None], (len(seats), batch)), keys, known)
        starters = jnp.broadcast_to(self._starters(0)[:, None], (len(self._starters(0)), batch))
        return self._seated(state, 0, starters)

    def pair(self, state: _State, so_far: SoFar, number: Int[Array, ""]) -> tuple[_State, Pairs]:
        """The games of a round; where it is the first of a tier, that is drawn before."""
        tiers = range(1, len(self._event.tiers))
        enter = [lambda state, _: state, *(partial(self._enter, tier) for tier in tiers)]
        # Tiers have different sizes, and so programs.
        state = jax.lax.switch(jnp.asarray(self._entering)[number], enter, state, so_far)
        return state, state.seats[jnp.asarray(self._pairs)[number]]

    def _enter(self, tier: int, state: _State, so_far: SoFar) -> _State:
        """The next tier: its starters and the best of every group of the tier before."""
        before = self._event.tiers[tier - 1]
        size = self._event.tier_sizes[tier - 1] // before.groups

        def best(key: Key, seats: Array, opponents: PerRound, half_points: PerRound) -> Array:
            keys = tier_keys(self._event, opponents, half_points)
            # Odd numbers for ties, even ones for seats: no key is used twice.
            lots = _lots(jax.random.fold_in(key, 2 * tier - 1), len(keys.tier))
            promoted = []
            for group in range(before.groups):
                members = seats[group * size : (group + 1) * size]
                own = TierKeys(*(part[members] for part in keys))
                promoted.append(members[tier_order(own, lots[members])[: before.promoted]])
            return jnp.concatenate([jnp.asarray(self._starters(tier)), *promoted])

        played = so_far.opponents, so_far.half_points
        entering = jax.vmap(best, in_axes=(0, -1, -1, -1), out_axes=-1)(
            state.keys, state.seats, *played
        )
        return self._seated(state, tier, entering)

    def _seated(self, state: _State, tier: int, entering: Int[Array, "teams batch"]) -> _State:
        """The teams of a tier on their seats, by lot and in groups of equal strength."""
        groups = self._event.tiers[tier].groups

        def seat(key: Key, teams: Array, ratings: Array) -> Array:
            return teams[split(jax.random.fold_in(key, 2 * tier), ratings[teams], groups)]

        seats = jax.vmap(seat, in_axes=(0, -1, -1), out_axes=-1)(
            state.keys, entering, state.ratings
        )
        return state._replace(seats=state.seats.at[: len(seats)].set(seats))
