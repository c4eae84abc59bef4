"""Leagues in which every two teams met, and Swiss events that are played on their results."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from tb2learn.assessment.by_ratings import mean_ratings
from tb2learn.chess.event_format import EventFormat
from tb2learn.events import TeamEvent
from tb2learn.simulation.dutch import Dutch
from tb2learn.simulation.rng import stream
from tb2learn.simulation.schedule import Pairs, SoFar
from tb2learn.simulation.streams import Purpose
from tb2learn.types import BYE, InputError

ROUNDS = (5, 7, 9)
"""Rounds after which a Swiss is judged, where they leave every team two matches or more."""

SEED_NOISE = 50.0
"""Noise of seeds by rating in rating points (standard deviation), as in `seeded-180x11`."""

RANDOM, RATED = "random seeds", "seeds by rating"


@dataclass(frozen=True)
class League:
    """A complete round robin.

    **Fields:**

    - `name`, `boards`: of the event.
    - `half_points`: what a team scored against another one when they met first.
    - `match_points`: of the full table, in which matches score 2, 1, 0.
    - `ratings`: mean rating of the best players, as many as there are boards; NaN without any.
    """

    name: str
    boards: int
    half_points: Int[np.ndarray, "teams teams"]
    match_points: Int[np.ndarray, " teams"]
    ratings: Float[np.ndarray, " teams"]

    @property
    def rounds(self) -> list[int]:
        """Those of `ROUNDS` after which a Swiss of its teams is judged."""
        return [rounds for rounds in ROUNDS if rounds <= len(self.ratings) - 3]

    @property
    def worlds(self) -> list[str]:
        """How the teams of a Swiss can be seeded: by rating only if all have one."""
        return [RANDOM, RATED] if np.isfinite(self.ratings).all() else [RANDOM]


def league(event: TeamEvent) -> League:
    """A recorded event as a league. Who won by default did not meet its opponent.

    **Raises:** `InputError` if there are too few teams, or two did not meet, or not as often as
    others.
    """
    teams, fewest = len(event.teams), ROUNDS[0] + 3
    if teams < fewest:
        raise InputError(f"{event.name}: a league must have {fewest} teams or more, got {teams}")
    met, first = np.zeros((2, teams, teams), int)
    match_points = np.zeros(teams, int)
    for match in event.matches:
        if match.team_b is None or not match.played:
            continue
        sides = (match.team_a, match.half_points_a), (match.team_b, match.half_points_b)
        for (team, scored), (other, against) in (sides, sides[::-1]):
            first[team, other] = first[team, other] if met[team, other] else scored
            met[team, other] += 1
            match_points[team] += 1 + np.sign(scored - against)
    most = max(1, met.max())
    for a, b in np.argwhere(np.triu(met < most, 1)):
        raise InputError(
            f"{event.name}: not a complete round robin: {event.teams[a]} and {event.teams[b]} met "
            f"{met[a, b]} times over the board, others {most}"
        )
    boards = max(1, int((first + first.T).max()) // 2)
    return League(event.name, boards, first, match_points, mean_ratings(event))


@dataclass(frozen=True)
class Draws:
    """Swiss events drawn from a league; teams are numbered by seed.

    **Fields:**

    - `teams`: which team of the league has a seed.
    - `opponents`, `half_points`: of every round, `BYE` where nobody was met.
    - `gained`: match points of the round.
    """

    teams: Int[np.ndarray, "teams draws"]
    opponents: Int[np.ndarray, "rounds teams draws"]
    half_points: Int[np.ndarray, "rounds teams draws"]
    gained: Int[np.ndarray, "rounds teams draws"]

    def legal(self, rounds: int) -> Bool[np.ndarray, " draws"]:
        """Events in which no two teams met twice up to a round."""
        met = np.sort(self.opponents[:rounds], axis=0)
        return ~((met[1:] == met[:-1]) & (met[1:] != BYE)).any(axis=(0, 1))


def drawn(league: League, world: str, draws: int, seed: int) -> Draws:
    """Play Swiss events on the results of a league.

    Pairs are those of `simulation.dutch`, which knows match points and colours. A bye counts as a
    drawn match.

    **Arguments:**

    - `league`: whose results are played, for the most of its `rounds`.
    - `world`: `RANDOM`, or `RATED`: by rating with a noise of `SEED_NOISE`.
    - `draws`: how many events.
    - `seed`: names them, in both worlds.
    """
    teams, rounds, draw = len(league.ratings), league.rounds[-1], np.arange(draws)
    noise = np.random.default_rng(seed).standard_normal((draws, teams)).T
    level = 0.0 if world == RANDOM else league.ratings[:, None]
    seeds = np.argsort(-(level + SEED_NOISE * noise), axis=0, kind="stable")
    results = league.half_points[seeds[:, None], seeds]
    keys = jax.vmap(lambda number: jax.random.fold_in(stream(seed, Purpose.ASSESS), number))(draw)
    # The pairing gets a match as a game on one board, so that all it sees are match points.
    event = EventFormat(teams, rounds, 1, pairing="dutch")
    state = Dutch(event).start(keys, None)
    shape = (rounds, teams, draws)
    opponents, gained = np.full(shape, BYE, np.int32), np.ones(shape, np.int32)
    half_points, whites = np.full(shape, league.boards, np.int32), np.zeros(shape, bool)
    for number in range(rounds):
        points = gained[:number].sum(axis=0)
        so_far = SoFar(*map(jnp.asarray, (opponents, gained, whites, points, points)))
        state, pairs = _pair(state, so_far, jnp.int32(number), event=event)
        white, black = np.asarray(pairs)
        for one, other in ((white, black), (black, white)):
            scored, against = results[one, other, draw], results[other, one, draw]
            opponents[number, one, draw] = other
            half_points[number, one, draw] = scored
            gained[number, one, draw] = 1 + np.sign(scored - against)
        whites[number, white, draw] = True
    return Draws(seeds, opponents, half_points, gained)


@partial(jax.jit, static_argnames="event")
def _pair(state: Any, so_far: SoFar, number: Array, *, event: EventFormat) -> tuple[Any, Pairs]:
    """The pairs of a round; leagues of one size share the program."""
    return Dutch(event).pair(state, so_far, number)
