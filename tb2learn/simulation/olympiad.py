"""One event, from its key to its last result: a pure function.

The random key comes first and is consumed once. Only `run.py` knows batches, devices and streams of
events.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool

from tb2learn.chess.results import Results, match_points
from tb2learn.config import Config, GameConfig
from tb2learn.jax_types import Key, Met, Rosters, TeamMask
from tb2learn.simulation import games
from tb2learn.simulation.field import draw_seeded
from tb2learn.simulation.pairing import pair_round
from tb2learn.simulation.rng import unit_numbers
from tb2learn.types import BYE, PerRound, PerTeam, pytree


@pytree
class State:
    """What the pairing of the next round needs to know."""

    match_points: PerTeam  # [teams]
    half_points: PerTeam  # [teams]
    met: Met  # [teams, teams]
    had_bye: TeamMask  # [teams]


@pytree
class Round:
    """One played round."""

    opponents: PerTeam  # [teams] BYE for the team with the bye
    half_points: PerTeam  # [teams] scored in this round


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


def init(teams: int) -> State:
    """The state before the first round."""
    return State(
        match_points=jnp.zeros(teams, jnp.int32),
        half_points=jnp.zeros(teams, jnp.int32),
        met=jnp.zeros((teams, teams), bool),
        had_bye=jnp.zeros(teams, bool),
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


def play_round(key: Key, rosters: Rosters, state: State, game: GameConfig) -> tuple[State, Round]:
    """Pair and play one round.

    **Arguments:**

    - `key`: consumed.
    - `rosters`: `[teams, boards]` in seed order.
    - `state`: before the round.
    - `game`: the game model.

    **Returns:** the state after the round, and the round.
    """
    teams, boards = rosters.shape
    opponents = pair_round(
        state.match_points, state.half_points, state.met, state.had_bye
    ).opponents
    scored = play_matches(key, rosters, opponents, game)
    after = State(
        match_points=state.match_points + match_points(scored, boards),
        half_points=state.half_points + scored,
        met=state.met | (opponents[:, None] == jnp.arange(teams)),
        had_bye=state.had_bye | (opponents == BYE),
    )
    return after, Round(opponents=opponents, half_points=scored)


def play(key: Key, config: Config) -> Event:
    """Play one whole event.

    **Arguments:**

    - `key`: consumed.
    - `config`: its format, field and game model are used.

    **Returns:** the played `Event`.
    """
    field_key, rounds_key = jax.random.split(key)
    rosters, ratings = draw_seeded(field_key, config)

    def one_round(state: State, round_key: Key) -> tuple[State, Round]:
        return play_round(round_key, rosters, state, config.game)

    state, played = jax.lax.scan(
        one_round, init(config.event.teams), jax.random.split(rounds_key, config.event.rounds)
    )
    return Event(
        rosters=rosters,
        opponents=played.opponents,
        half_points=played.half_points,
        match_points=state.match_points,
        ratings=ratings,
    )
