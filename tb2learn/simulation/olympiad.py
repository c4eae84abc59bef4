"""One event, from its key to its last result: a pure function.

The random key comes first and is consumed once. Only `run.py` knows batches, devices and streams of
events.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool

from tb2learn.chess.results import Results, match_points
from tb2learn.config import Config, GameConfig
from tb2learn.jax_types import Key, Rosters
from tb2learn.simulation import games
from tb2learn.simulation.field import draw_seeded
from tb2learn.simulation.pairing import pair_round
from tb2learn.simulation.rng import unit_numbers
from tb2learn.types import BYE, PerRound, PerTeam, pytree


@pytree
class Event:
    """A played event; teams are numbered in seed order.

    `strength` is `simulation.truth.true_strength`, where it has been computed for the whole batch.
    `ratings` are the published ratings, by which the teams are seeded unless seeds are random.
    """

    rosters: Rosters  # [teams, boards] whole ratings, board order
    opponents: PerRound  # [rounds, teams] BYE for a bye
    half_points: PerRound  # [rounds, teams]
    match_points: PerTeam  # [teams] final
    whites: Bool[Array, "rounds teams"] | None = None  # had White; None where nobody keeps colours
    strength: PerTeam | None = None  # [teams] units of 1/streams.UNIT match points
    ratings: PerTeam | None = None  # [teams] whole points; None where nothing is published

    @property
    def results(self) -> Results:
        """What a tie-break may see of it."""
        boards = self.rosters.shape[-1]
        return Results(
            self.opponents,
            self.half_points,
            self.match_points,
            boards,
            whites=self.whites,
            ratings=self.ratings,
        )


def play_matches(key: Key, rosters: Rosters, opponents: PerTeam, game: GameConfig) -> PerTeam:
    """Draw the results of one round.

    **Arguments:**

    - `key`: consumed. A number is drawn for every team; the higher seed's decides the match.
    - `rosters`: `[teams, boards]`.
    - `opponents`: `[teams]`, `BYE` for a bye.
    - `game`: the game model.

    **Returns:** `[teams]` half points; a bye scores half of the games' points.
    """
    teams, boards = rosters.shape
    number = unit_numbers(key, teams)
    team = jnp.arange(teams)
    bye = opponents == BYE
    opponent = jnp.where(bye, team, opponents)
    higher, lower = jnp.minimum(team, opponent), jnp.maximum(team, opponent)
    at_most = games.cumulative_law(rosters[higher].T, rosters[lower].T, game)
    scored = games.sample_half_points(number[higher], at_most)
    return jnp.where(bye, boards, jnp.where(team == higher, scored, 2 * boards - scored))


def play(key: Key, config: Config) -> Event:
    """Play one whole event.

    **Arguments:**

    - `key`: consumed.
    - `config`: its format, field and game model are used.

    **Returns:** the played `Event`.
    """
    teams, boards = config.event.teams, config.event.boards
    field_key, rounds_key = jax.random.split(key)
    rosters, ratings = draw_seeded(field_key, config)

    def one_round(so_far: tuple[Array, ...], round_key: Key) -> tuple[tuple[Array, ...], Any]:
        points, total, met, had_bye = so_far
        opponents = pair_round(points, total, met, had_bye).opponents
        scored = play_matches(round_key, rosters, opponents, config.game)
        after = (
            points + match_points(scored, boards),
            total + scored,
            met | (opponents[:, None] == jnp.arange(teams)),
            had_bye | (opponents == BYE),
        )
        return after, (opponents, scored)

    nothing, nobody = jnp.zeros(teams, jnp.int32), jnp.zeros((teams, teams), bool)
    so_far, (opponents, half_points) = jax.lax.scan(
        one_round,
        (nothing, nothing, nobody, nobody[0]),
        jax.random.split(rounds_key, config.event.rounds),
    )
    return Event(rosters, opponents, half_points, so_far[0], ratings=ratings)
