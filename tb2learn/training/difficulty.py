"""Counting how often each result is reached in simulated events, in integers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from tb2learn.arrays import once
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
_VECTOR = 8  # their opponents are filled up to a multiple of it, with matches that do not count


def count_matches(key: Key, event: Event, config: Config, args: None) -> tuple[Array, Array]:
    """Log one event: every pair of its teams, from the side of one of them.

    **Arguments:** as a `run.Measure`; `config.train.law` is `exact` (the law of the match, in units
    of `1/games.UNIT`) or `sampled` (one drawn match, which alone consumes the key).

    **Returns:** two int32 arrays `[shares, shares, 2*boards+1]`: `high * 2**12 + low` are the
    matches in which at least 0, 1/2, 1, ... game points were scored. They are split so that no sum
    over the teams of an event overflows 32 bits.
    """
    by_own = _reached_by_own(key, event.rosters, event.match_points, config)
    shares, results, teams = by_own.shape
    by_opponent = by_own.reshape(-1, teams).T

    def add(team: Array, sums: tuple[Array, Array]) -> tuple[Array, Array]:
        row = by_opponent[team][None]
        parts = row >> _LOW_BITS, row & ((1 << _LOW_BITS) - 1)
        return _added(sums, parts, (event.match_points[team], 0))

    nothing = jnp.zeros((shares, shares * results), jnp.int32)
    sums = jax.lax.fori_loop(0, teams, add, (nothing, nothing))
    high, low = (x.reshape(shares, shares, results).swapaxes(0, 1) for x in sums)
    return high, low


def _reached_by_own(
    key: Key, rosters: Rosters, match_points: PerTeam, config: Config
) -> Int[Array, "shares results teams"]:
    """How many matches of teams on some match points reached a result, by opponent.

    A team meets the teams 1, 2, ... teams/2 numbers after it, cyclically, so that every pair meets
    once. A block of teams after the other is put against the opponents of each.
    """
    teams, shares = len(rosters), config.event.max_match_points + 1
    blocks, boards = -(-teams // _ROWS), config.event.boards
    width = -(-(teams // 2) // _VECTOR) * _VECTOR
    length = blocks * _ROWS + width + 1
    around = jnp.arange(length + _ROWS) % teams
    line_ups, own = rosters.T[:, around], match_points[around]
    opponents = _shifted(line_ups, length)
    numbers = _numbers_of_pairs(key, teams) if config.train.law == "sampled" else None

    def index(first: Array) -> list[Array]:
        rows = jax.lax.dynamic_slice_in_dim(line_ups, first, _ROWS, axis=1)
        theirs = jax.lax.dynamic_slice_in_dim(opponents, first + 1, width, axis=2)
        return list(games.match_index(rows[:, :, None], theirs, config.game))

    def laws(indices: list[Array]) -> list[Array]:
        return [games.packed_law(one, config.game) for one in indices]

    def after_board(words: list[Array], law: Array) -> list[Array]:
        before = _unpacked(words)
        return _packed(games.law_from_games([law], range(len(before) + 2), before))

    def step(block: Array, sums: tuple[Array, Array]) -> tuple[Array, Array]:
        first = block * _ROWS
        stored = partial(once, first)
        packed, words = stored(laws, stored(index, first)), []
        for law in packed[:-1]:
            words = stored(after_board, words, law)
        team = first + jnp.arange(_ROWS)
        rows = stored(partial(_reached, numbers=numbers, config=config), team, words, packed[-1])

        def add(row: Array, sums: tuple[Array, Array]) -> tuple[Array, Array]:
            return _added(sums, _halves(rows[row]), (own[first + row], 0, first + row + 1))

        return jax.lax.fori_loop(0, _ROWS, add, sums)

    nothing = jnp.zeros((shares, boards + 1, -(-length // teams) * teams), jnp.int32)
    sums = jax.lax.fori_loop(0, blocks, step, (nothing, nothing))
    by_result = jnp.stack(sums, axis=2).reshape(shares, 2 * boards + 2, -1, teams)
    return by_result[:, : 2 * boards + 1].sum(axis=2)


def _added(sums: tuple[Array, Array], rows: tuple[Array, Array], at: tuple) -> tuple[Array, Array]:
    """Two sums with a row added to each from some place on; the row lacks their first axes."""
    shape = [1] * (sums[0].ndim - rows[0].ndim) + list(rows[0].shape)
    before = (jax.lax.dynamic_slice(sum_, at, shape) for sum_ in sums)
    after = map(jnp.add, before, rows)
    one, other = map(partial(jax.lax.dynamic_update_slice, start_indices=at), sums, after)
    return one, other


def _packed(numbers: Sequence[Array]) -> list[Array]:
    """Numbers of 16 bits, two in a word."""
    return [one | (other << 16) for one, other in zip(numbers[::2], numbers[1::2], strict=True)]


def _halves(word: Array) -> tuple[Array, Array]:
    """The two numbers of a word."""
    return word & 0xFFFF, jax.lax.shift_right_logical(word, 16)


def _unpacked(words: Sequence[Array]) -> list[Array]:
    return [half for word in words for half in _halves(word)]


def _reached(
    team: Int[Array, " rows"],
    words: list[Int[Array, "days rows opponents"]],
    law: Int[Array, "days rows opponents"],
    numbers: Int[Array, "teams teams"] | None,
    config: Config,
) -> Int[Array, "rows words opponents"]:
    """In how many matches of some teams each result was reached, two results in one integer.

    **Arguments:** the teams, of which those after the last one meet nobody; the packed chances of
    their matches against the next teams before the last board; its packed laws; the numbers of the
    pairs, if matches are drawn; the format and the law.
    """
    teams, boards = config.event.teams, config.event.boards
    row, distance = team[:, None], jnp.arange(1, law.shape[-1] + 1)
    below = games.law_from_games([law], range(2 * boards), _unpacked(words))
    over = [games.UNIT - games.mean_of_days(one) for one in below]
    if numbers is not None:
        over = _drawn(numbers, over, row, (row + distance) % teams)
    furthest = jnp.where(row < teams // 2, teams // 2, (teams - 1) // 2)  # opposite teams once
    met = (row < teams) & (distance <= furthest)
    words = _packed(
        [jnp.full_like(met, unit_of(config), jnp.int32), *over, jnp.zeros_like(over[0])]
    )
    return jnp.stack([jnp.where(met, word, 0) for word in words], axis=1)


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
