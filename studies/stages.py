"""Formats in stages: multi-tier events, and a Swiss whose best play a final.

*Multi-tier*: round robins by rating, whose best go on to the next ones. Source: S. J. Brams and
M. S. Ismail, *Multi-Tier Tournaments: Matching and Scoring Players*, 2024.
The lowest rated teams start in the first tier. In every tier only its own matches count: the tier
score is wins less losses, a match of the tier. Ties are broken by the matches among the teams with
equal tier scores, then by wins, then by lot. (The source's third rule, fewer moves in won games, is
left out: simulated games have no moves. It says that its rules can be extended to more than two
teams, not how: here it is wins less losses among all that are tied.)

A tier of several groups is split by the published ratings, as equally as possible: by the source's
rule, but searched for by exchanges instead of listing all subsets (`split`).

*Swiss and final*: into the final, a round robin, go the teams with the most match points, then game
points, then the most match points of their opponents (Buchholz), then by lot. The others rest while
it is played.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from tb2learn.chess.berger import round_robin
from tb2learn.chess.event_format import EventFormat, FormatName, cycle_rounds, exact_rounds
from tb2learn.chess.results import match_points
from tb2learn.jax_types import Key, Keys
from tb2learn.simulation.dutch_swiss import Dutch
from tb2learn.simulation.formats import SCHEDULES
from tb2learn.simulation.schedule import Pairs, PlayedRounds, Schedule
from tb2learn.simulation.thesis_swiss import MedianSwiss
from tb2learn.types import (
    BYE,
    MAX_SIMULATED_ROUNDS,
    MAX_TEAMS,
    InputError,
    PerRound,
    PerTeam,
    within,
)

# --------------------------------------------------------------------------- formats


@dataclass(frozen=True)
class Tier:
    """One tier of a multi-tier event.

    **Arguments:**

    - `teams`: how many start in it; those promoted from the tier below join them.
    - `groups`: round robins of equal size and mean rating that all these are split into.
    - `promoted`: how many of each group go on; of the last tier nobody does.
    """

    teams: int = 0
    groups: int = 1
    promoted: int = 1

    def __post_init__(self) -> None:
        within("event.tiers.teams", self.teams, 0, MAX_TEAMS)
        within("event.tiers.groups", self.groups, 1, MAX_TEAMS)
        within("event.tiers.promoted", self.promoted, 1, MAX_TEAMS)


@dataclass(frozen=True)
class StagedFormat(EventFormat):
    """A format whose last stage is a round robin, and which has no table of all teams."""

    format: FormatName = dataclasses.field(default="round-robin")

    @property
    def final_rounds(self) -> int:
        """Rounds of the last stage."""
        raise NotImplementedError

    def check_one_table(self, what: str) -> None:
        """**Raises:** `InputError` naming `what`: there is no such table."""
        raise InputError(
            f"{what} needs one table of all teams by match points, got a {self.schedule}"
        )


@dataclass(frozen=True)
class TieredFormat(StagedFormat):
    """A multi-tier event; `tiers`: the lowest rated first."""

    tiers: tuple[Tier, ...] = ()

    @property
    def schedule(self) -> str:
        """The name of its schedule."""
        return "multi-tier"

    @property
    def tier_sizes(self) -> tuple[int, ...]:
        """Teams of every tier, those promoted to it counted."""
        sizes, promoted = [], 0  # lowest first, so that what a tier below promotes is known
        for tier in self.tiers:
            sizes.append(tier.teams + promoted)
            promoted = tier.groups * tier.promoted
        return tuple(sizes)

    @property
    def tier_rounds(self) -> tuple[int, ...]:
        """Rounds of every tier."""
        sizes = zip(self.tiers, self.tier_sizes, strict=True)
        return tuple(self.repeats * cycle_rounds(size // tier.groups) for tier, size in sizes)

    @property
    def final_rounds(self) -> int:
        """Rounds of the last tier."""
        return self.tier_rounds[-1]

    def check_rounds(self) -> None:
        """**Raises:** `InputError` if tiers and rounds do not fit."""
        if not self.tiers:
            raise InputError("event.tiers must list the tiers of a multi-tier event, lowest first")
        starting = sum(tier.teams for tier in self.tiers)
        if starting != self.teams:
            raise InputError(f"event.tiers.teams must add up to event.teams, got {starting}")
        # There is one winner.
        within("groups of the last of event.tiers", self.tiers[-1].groups, 1, 1)
        for number, (tier, size) in enumerate(zip(self.tiers, self.tier_sizes, strict=True)):
            name = f"event.tiers[{number}]"
            if size % tier.groups or size // tier.groups < 2:
                raise InputError(
                    f"{name}.groups must divide its {size} teams into two or more each, "
                    f"got {tier.groups}"
                )
            # A group of whom all went on would decide nothing.
            within(f"{name}.promoted", tier.promoted, 1, size // tier.groups - 1)
        exact_rounds(self, sum(self.tier_rounds))


@dataclass(frozen=True)
class FinalFormat(StagedFormat):
    """A Swiss by `pairing`, and a final of so many `finalists`; `rounds` are those of both."""

    finalists: int = 0

    @property
    def schedule(self) -> str:
        """The name of its schedule."""
        return "swiss-final"

    @property
    def final_rounds(self) -> int:
        """Rounds of the final."""
        return self.repeats * cycle_rounds(self.finalists)

    def check_rounds(self) -> None:
        """**Raises:** `InputError` if teams, finalists and rounds do not fit."""
        # A schedule has one score for whoever rests, that of the final: nobody may rest before it.
        if self.teams % 2:
            raise InputError(f"event.teams must be even in a swiss-final, got {self.teams}")
        within("event.finalists", self.finalists, 2, self.teams)
        swiss, most = self.rounds - self.final_rounds, min(MAX_SIMULATED_ROUNDS, self.teams - 1)
        what = f"1..{most} more than the {self.final_rounds} of the final"
        within("event.rounds", swiss, 1, most, what)


# --------------------------------------------------------------------------- multi-tier

EXCHANGES = 8
"""Exchanges of two teams by which `split` improves a group at most."""


class TierKeys(NamedTuple):
    """What ranks the teams of a multi-tier event, the first first; higher is better."""

    tier: PerTeam  # the last tier that a team played in, from 0
    score: PerTeam  # wins less losses in it
    direct: PerTeam  # the same among teams equal so far
    wins: PerTeam  # in that tier


def tier_keys(event: TieredFormat, opponents: PerRound, half_points: PerRound) -> TierKeys:
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


def filled(
    games: Int[np.ndarray, "rounds games 2"], matches: int, seats: int
) -> Int[np.ndarray, "rounds 2 matches"]:
    """Games by seat as pairs of seats, as many a round as the schedule has matches.

    **Arguments:**

    - `games`: who has White and who has Black.
    - `matches`: of a round; where the games are fewer, the others are between nobodies.
    - `seats`: how many there are: numbers from here on stand for nobody.
    """
    rounds, number, _ = games.shape
    nobody = seats + np.arange(2 * (matches - number)).reshape(1, 2, -1)
    nobodies = np.broadcast_to(nobody, (rounds, *nobody.shape[1:]))
    return np.concatenate([np.moveaxis(games, -1, 1), nobodies], axis=-1)


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

    def __init__(self, event: TieredFormat):
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

    def pair(
        self, state: _State, so_far: PlayedRounds, number: Int[Array, ""]
    ) -> tuple[_State, Pairs]:
        """The games of a round; where it is the first of a tier, that is drawn before."""
        tiers = range(1, len(self._event.tiers))
        enter = [lambda state, _: state, *(partial(self._enter, tier) for tier in tiers)]
        # Tiers have different sizes, and so programs.
        state = jax.lax.switch(jnp.asarray(self._entering)[number], enter, state, so_far)
        return state, state.seats[jnp.asarray(self._pairs)[number]]

    def _enter(self, tier: int, state: _State, so_far: PlayedRounds) -> _State:
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


# --------------------------------------------------------------------------- Swiss and final

_SWISS: Mapping[str, type[MedianSwiss | Dutch]] = {"median-swiss": MedianSwiss, "dutch": Dutch}


class SwissFinal:
    """A Swiss by the pairing of the event, then the final."""

    rest = 0
    colours = True

    def __init__(self, event: FinalFormat):
        self._event = event
        self._swiss: Schedule = _SWISS[event.pairing](event)
        self._rounds = event.rounds - event.final_rounds
        self.matches = event.teams // 2
        games = round_robin(event.finalists, event.repeats).games
        self._pairs = filled(games, self.matches, event.finalists)

    def start(self, keys: Keys, ratings: Int[Array, "teams batch"] | None) -> tuple[Any, Array]:
        """What the Swiss draws, and the lots of teams that are equal before the final."""
        swiss_keys, lot_keys = jnp.moveaxis(jax.vmap(jax.random.split)(keys), 1, 0)
        lots = jax.vmap(lambda key: jax.random.permutation(key, self._event.teams), out_axes=-1)
        return self._swiss.start(swiss_keys, ratings), lots(lot_keys)

    def pair(
        self, state: tuple[Any, Array], so_far: PlayedRounds, number: Int[Array, ""]
    ) -> tuple[tuple[Any, Array], Pairs]:
        """The pairs of a round of the Swiss or of the final."""
        swiss, lots = state

        def of_swiss(swiss: Any) -> tuple[Any, Pairs]:
            return self._swiss.pair(swiss, so_far, number)

        def of_final(swiss: Any) -> tuple[Any, Pairs]:
            return swiss, self._final(so_far, lots, number - self._rounds)

        swiss, pairs = jax.lax.cond(number < self._rounds, of_swiss, of_final, swiss)
        return (swiss, lots), pairs

    def _final(self, so_far: PlayedRounds, lots: Array, number: Int[Array, ""]) -> Pairs:
        """The games of the final on its own round `number`."""
        finalists = self._standing(so_far, lots)[: self._event.finalists]
        # Each number once: `schedule._put` promises unique ones.
        nobody = self._event.teams + jnp.arange(2 * self.matches, dtype=finalists.dtype)[:, None]
        nobodies = jnp.broadcast_to(nobody, (len(nobody), finalists.shape[1]))
        seats = jnp.concatenate([finalists, nobodies])
        return seats[jnp.asarray(self._pairs)[jnp.maximum(number, 0)]].astype(jnp.int32)

    def _standing(self, so_far: PlayedRounds, lots: Array) -> Int[Array, "teams batch"]:
        """Teams in the order of the Swiss, the first first."""
        opponents, half_points = (
            part[: self._rounds] for part in (so_far.opponents, so_far.half_points)
        )
        points = match_points(half_points, self._event.boards).sum(axis=0)
        # Nobody has a bye: the number of teams is even.
        met = [jnp.take_along_axis(points, one, axis=0) for one in opponents]
        # The last key decides first.
        return jnp.lexsort((lots, -sum(met), -half_points.sum(axis=0), -points), axis=0)


SCHEDULES |= {"multi-tier": MultiTier, "swiss-final": SwissFinal}
