"""Counting how often each result is reached in simulated events, in integers."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from tb2learn.config import Config
from tb2learn.jax_types import Key, Rosters
from tb2learn.simulation import games
from tb2learn.simulation.event import Event
from tb2learn.simulation.rng import unit_numbers
from tb2learn.simulation.run import SILENT, Progress, sum_events
from tb2learn.simulation.streams import EventRange
from tb2learn.training.difficulty_log import DifficultyLog, unit_of
from tb2learn.types import PerTeam


def collect(
    config: Config,
    events: EventRange,
    batch: int | None = None,
    progress: Progress = SILENT,
) -> DifficultyLog:
    """Simulate events and fill a log.

    **Arguments:** as `simulation.run.sum_events`; `config.train.law` says how each event is logged.

    **Returns:** a `DifficultyLog`; the same for every `batch`.
    """
    high, low = sum_events(config, count_matches, events, batch=batch, progress=progress)
    counts = -np.diff((high << _LOW_BITS) + low, append=0)
    # Every pair was counted from one side; add the other side.
    counts = counts + counts.transpose(1, 0, 2)[:, :, ::-1]
    return DifficultyLog(counts, unit_of(config), config, events)


_LOW_BITS = 12
_ROWS = 20  # teams whose matches are computed at once


def count_matches(key: Key, event: Event, config: Config, args: None) -> tuple[Array, Array]:
    """Log one event: every pair of its teams, from the side of one of them.

    **Arguments:** as a `run.Measure`; `config.train.law` is `exact` (the law of the match, in units
    of `1/games.UNIT`) or `sampled` (one drawn match, which alone consumes the key).

    **Returns:** two int32 arrays `[shares, shares, 2*boards+1]`: `high * 2**12 + low` are the
    matches in which at least 0, 1/2, 1, ... game points were scored. They are split so that no sum
    over the teams of an event overflows 32 bits.
    """
    by_own = _reached_by_own(key, event.rosters, event.match_points, config)
    shares = config.event.max_match_points + 1
    own = jax.nn.one_hot(event.match_points, shares, dtype=jnp.float32)  # [teams, shares]
    high = _exact_product("uo,sru->sor", own, by_own >> _LOW_BITS)
    low = _exact_product("uo,sru->sor", own, by_own & ((1 << _LOW_BITS) - 1))
    return high, low


def _reached_by_own(
    key: Key, rosters: Rosters, match_points: PerTeam, config: Config
) -> Int[Array, "shares results teams"]:
    """How many matches of teams on some match points reached a result, by opponent.

    A team meets the teams 1, 2, ... teams/2 numbers after it, cyclically, so that every pair meets
    once. A block of teams after the other is put against the opponents of each.
    """
    teams, shares = len(rosters), config.event.max_match_points + 1
    half, blocks, boards = teams // 2, -(-teams // _ROWS), config.event.boards
    length = blocks * _ROWS + half + 1
    around = jnp.arange(length + _ROWS) % teams
    line_ups, own = rosters.T[:, around], match_points[around]
    opponents = _shifted(line_ups, length)
    numbers = _numbers_of_pairs(key, teams) if config.train.law == "sampled" else None

    def index(block: Array | int) -> list[Array]:
        first = block * _ROWS
        rows = jax.lax.dynamic_slice_in_dim(line_ups, first, _ROWS, axis=1)
        theirs = jax.lax.dynamic_slice_in_dim(opponents, first + 1, half, axis=2)
        return list(games.match_index(rows[:, :, None], theirs, config.game))

    def laws(indices: list[Array]) -> list[Array]:
        return [games.packed_law(one, config.game) for one in indices]

    def step(block: Array, carry: tuple) -> tuple:
        # What several operations need is carried to the next step, or XLA computes it for each.
        sums, indices, packed = carry
        team = block * _ROWS + jnp.arange(_ROWS)
        rows = _reached(team, packed, numbers, config)

        def add(row: Array, sums: tuple[Array, Array]) -> tuple[Array, Array]:
            at = (own[block * _ROWS + row], 0, block * _ROWS + row + 1)
            halves = rows[row] & 0xFFFF, jax.lax.shift_right_logical(rows[row], 16)
            before = (jax.lax.dynamic_slice(sum_, at, (1, *halves[0].shape)) for sum_ in sums)
            after = map(jnp.add, before, halves)
            one, other = map(partial(jax.lax.dynamic_update_slice, start_indices=at), sums, after)
            return one, other

        return jax.lax.fori_loop(0, _ROWS, add, sums), index(block + 2), laws(indices)

    nothing = jnp.zeros((shares, boards + 1, -(-length // teams) * teams), jnp.int32)
    start = ((nothing, nothing), index(1), laws(index(0)))
    sums, *_ = jax.lax.fori_loop(0, blocks, step, start)
    by_result = jnp.stack(sums, axis=2).reshape(shares, 2 * boards + 2, -1, teams)
    return by_result[:, : 2 * boards + 1].sum(axis=2)


def _reached(
    team: Int[Array, " rows"],
    laws: list[Array],
    numbers: Int[Array, "teams teams"] | None,
    config: Config,
) -> Int[Array, "rows words opponents"]:
    """In how many matches of some teams each result was reached, two results in one integer.

    XLA convolves again for every array that is stored; so it does that half as often.

    **Arguments:**

    - `team`: may go on after the last team; those meet nobody.
    - `laws`: `[days, rows, opponents]` by board, packed, of their games against the next teams.
    - `numbers`: of the pairs, if matches are drawn.
    - `config`: the format and the law.
    """
    teams, boards = config.event.teams, config.event.boards
    row, distance = team[:, None], jnp.arange(1, teams // 2 + 1)
    over = [games.UNIT - below for below in games.law_from_games(laws, range(2 * boards))]
    if numbers is not None:
        over = _drawn(numbers, over, row, (row + distance) % teams)
    all_ = [unit_of(config), *over, 0]
    furthest = jnp.where(row < teams // 2, teams // 2, (teams - 1) // 2)  # opposite teams once
    met = (row < teams) & (distance <= furthest)
    pairs = zip(all_[::2], all_[1::2], strict=True)
    return jnp.stack([jnp.where(met, one | (other << 16), 0) for one, other in pairs], axis=1)


def _shifted(line_ups: Int[Array, "boards length"], width: int) -> Int[Array, "boards rows width"]:
    """Line-ups from the first team on, from the second one on, ...: a row each."""

    def put(row: Array, rows: Array) -> Array:
        one = jax.lax.dynamic_slice_in_dim(line_ups, row, width, axis=1)
        return rows.at[:, row].set(one)

    nothing = jnp.zeros((len(line_ups), _ROWS, width), line_ups.dtype)
    return jax.lax.fori_loop(0, _ROWS, put, nothing)


def _drawn(
    numbers: Int[Array, "teams teams"], over: list[Array], row: Array, column: Array
) -> list[Array]:
    """Which results matches reached, by the number of each pair.

    **Arguments:**

    - `numbers`: of the pairs.
    - `over`: the chances to reach 1/2, 1, ... game points.
    - `row`, `column`: the two teams of each match.
    """
    teams = len(numbers)
    number = numbers[jnp.minimum(row, teams - 1), column]
    # The number decides the match from the side of the team with the lower number.
    first = row < column
    return [jnp.where(first, number >= games.UNIT - one, number < one) for one in over]


def _numbers_of_pairs(key: Key, teams: int) -> Int[Array, "teams teams"]:
    """The number that decides the match of a pair, from both sides."""
    number = unit_numbers(key, teams * teams).reshape(teams, teams)
    first = jnp.triu(jnp.ones((teams, teams), bool), k=1)
    return jnp.where(first, number, number.T)


def _exact_product(spec: str, one_hot: Array, counts: Array) -> Array:
    """A product with one-hot rows: sums by match points.

    It is exact, because no partial sum has more than the 24 bits of a float32.
    """
    product = jnp.einsum(
        spec, one_hot, counts.astype(jnp.float32), precision=jax.lax.Precision.HIGHEST
    )
    return product.astype(jnp.int32)
