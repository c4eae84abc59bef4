"""Strengths by all results of an event: teams as levels, their posterior mean and likelihood.

`posterior_worth` is the posterior mean of every team's strength, given all results of the event and
the law that the event was drawn from. `likelihood_worth` knows the true strengths of a team's
opponents. Both use one table, the `LevelModel`, in which a team is its mean rating on a grid. This
is accurate enough: sums over a grid as fine as the posterior is wide are as good as integrals, and
the mean rating alone decides all but two in a thousand pairs as the oracle does (default
configuration).
"""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from tb2learn.config import MAX_RATING, GameConfig, Setting
from tb2learn.jax_types import CumulativeLaw, Key, Rosters
from tb2learn.simulation import games
from tb2learn.simulation.event import Event
from tb2learn.simulation.field import draw_rosters
from tb2learn.types import BYE, InputError, PerTeam, pytree

_DRAWN_TEAMS, _DRAWN_EVENTS = 20_000, 256
"""The prior and the representative rosters come from at least so many drawn teams and events."""

_DRAWING = 0x6C696D
"""Folded into the key of the drawn teams; no `rng.Purpose` has this number."""

_STEP = 25
"""Grid step in rating points, at most: about the narrowest posterior's standard deviation.

That is 22 points after 15 rounds on 12 boards, and 45 after 11 rounds on 4.
"""

_MIN_STEPS = 40
"""Grid steps across a field, at least, as far as whole rating points allow."""

_MARGIN = 2
"""Grid steps beyond the drawn teams on either side."""

_LOWEST_CHANCE = 1e-6
"""Floor for probabilities that rounding made 0."""

_STEEPER = 1e-6
"""Least difference in worth between neighbouring levels, in match points a match."""

_UNROLLED = 4
"""Teams that a step of the Gibbs sampler's loop draws, one after the other."""

_RIDGE = 1000.0
"""Rating points: standard deviation of the ridge that `likelihood_worth` needs at the edges."""


@pytree
class LevelModel:
    """The law of a match between two teams of which only the mean ratings are known."""

    levels: Float[Array, " levels"]  # mean ratings, rating points, equidistant and ascending
    prior: Float[Array, " levels"]  # chances of a team's level in the field
    log_law: Float[Array, "levels levels results"]  # log chances of half points: own, opponent's
    worth: Float[Array, " levels"]  # expected all-play-all match points, strictly ascending


# --------------------------------------------------------------------------- the table


def level_model(setting: Setting) -> LevelModel:
    """The level model of a configuration: computed on the host, always the same.

    **Arguments:**

    - `setting`: its field, game model, boards and number of teams are used. Teams are taken as
      independent draws from one law: that of a team of any event of a `mixture`, and of any team of
      the list of `ratings`.

    **Returns:** a `LevelModel`. A level is represented by the mean roster of the drawn teams near
    it, shifted to that mean rating. `worth` is on the oracle's scale (`oracle.true_strength`, in
    match points): expected points against one team less than the event has, drawn from the field.
    """
    rosters = np.asarray(_drawn_rosters(setting=setting)).reshape(-1, setting.event.boards)
    levels = _grid(rosters.mean(axis=1))
    prior, line_ups = _field_on_grid(rosters, levels)
    at_most, match_points = _all_play_all(jnp.asarray(line_ups), game=setting.game)
    law = (
        np.diff(np.asarray(at_most, np.float64), axis=0, prepend=0, append=games.UNIT) / games.UNIT
    )
    expected = np.asarray(match_points) / games.UNIT @ prior
    # Levels far from all others may be worth the same; the small slope keeps them in order.
    rising = np.maximum.accumulate(expected) + _STEEPER * np.arange(len(levels))
    return LevelModel(
        levels=jnp.asarray(levels, jnp.float32),
        prior=jnp.asarray(prior, jnp.float32),
        log_law=jnp.asarray(
            np.moveaxis(np.log(np.maximum(law, _LOWEST_CHANCE)), 0, -1), jnp.float32
        ),
        worth=jnp.asarray((setting.event.teams - 1) * rising, jnp.float32),
    )


@partial(jax.jit, static_argnames="setting")
def _drawn_rosters(setting: Setting) -> Int[Array, "events teams boards"]:
    events = max(-(-_DRAWN_TEAMS // setting.event.teams), _DRAWN_EVENTS)
    # The generator is named, so that JAX's default does not matter.
    key = jax.random.fold_in(jax.random.key(0, impl="threefry2x32"), _DRAWING)
    return jax.vmap(partial(draw_rosters, setting=setting))(jax.random.split(key, events))


@partial(jax.jit, static_argnames="game")
def _all_play_all(
    rosters: Rosters, game: GameConfig
) -> tuple[CumulativeLaw, Int[Array, "teams teams"]]:
    at_most = games.all_play_all(rosters, game)
    return at_most, games.expected_match_points(at_most)


def _grid(means: Float[np.ndarray, " drawn"]) -> Int[np.ndarray, " levels"]:
    """Whole ratings, equidistant: all drawn mean ratings and a margin, three at least."""
    low, high = means.min(), means.max()
    step = int(np.clip((high - low) // _MIN_STEPS, 1, _STEP))
    first = max(int(np.floor(low / step)) - _MARGIN, 0)
    last = min(int(np.ceil(high / step)) + _MARGIN, MAX_RATING // step)
    return step * np.arange(first, last + 1)


def _field_on_grid(
    rosters: Int[np.ndarray, "drawn boards"], levels: Int[np.ndarray, " levels"]
) -> tuple[Float[np.ndarray, " levels"], Int[np.ndarray, "levels boards"]]:
    """The law of a drawn team's level, and a representative roster of every level.

    A drawn team is divided between the two nearest levels, in proportion to its distance from them.
    The counts are then smoothed with weights 1/4, 1/2, 1/4, so that no level of the field is empty
    by chance.
    """
    mean = rosters.mean(axis=1)
    position = (mean - levels[0]) / (levels[1] - levels[0])
    below = np.clip(position.astype(int), 0, len(levels) - 2)
    # Column 0 counts teams, the others sum up how far each board is from the team's mean.
    design = np.column_stack([np.ones_like(mean), rosters - mean[:, None]])
    sums = np.zeros((len(levels), design.shape[1]))
    np.add.at(sums, below, (below + 1 - position)[:, None] * design)
    np.add.at(sums, below + 1, (position - below)[:, None] * design)
    padded = np.pad(sums, ((1, 1), (0, 0)), mode="edge")  # keeps the total
    sums = (padded[:-2] + 2 * padded[1:-1] + padded[2:]) / 4
    # One more team, the mean of all, gives a roster shape to levels without a team.
    shape = (sums + design.mean(axis=0))[:, 1:] / (sums[:, :1] + 1)
    # Rounding the running sums keeps the mean of the level.
    offsets = np.diff(np.rint(np.cumsum(shape, axis=1)), axis=1, prepend=0)
    line_ups = np.clip(levels[:, None] + offsets, 0, MAX_RATING).astype(np.int32)
    return sums[:, 0] / sums[:, 0].sum(), line_ups


def _check_format(model: LevelModel, setting: Setting) -> None:
    results = setting.event.max_half_points + 1
    if model.log_law.shape[-1] != results:
        raise InputError(
            f"model must have the {results} results of a match on {setting.event.boards} boards, "
            f"got {model.log_law.shape[-1]}"
        )


# --------------------------------------------------------------------------- all results


def posterior_worth(
    key: Key,
    event: Event,
    setting: Setting,
    model: LevelModel,
    *,
    chains: int = 4,
    sweeps: int = 240,
    burn_in: int = 40,
) -> Float[Array, " teams"]:
    """Posterior mean of every team's worth, given all results of the event.

    Gibbs sampling: one team after the other is drawn anew from its law given the levels of its
    opponents, which is its prior times the chances of its results. The mean of that law is
    averaged, not the drawn level (Rao-Blackwell). Pairings and seeds are not used: with random
    seeds (`field.seed_noise = inf`) they hold no information beyond the results.

    **Arguments:**

    - `key`: consumed.
    - `event`: its opponents and results are used, never its rosters; byes are ignored.
    - `setting`: its number of boards must be the model's.
    - `model`: the `level_model` of the configuration that the event was drawn from.
    - `chains`: independent chains, each of them started from the order of the teams' points.
    - `sweeps`, `burn_in`: of each chain, all, and the first ones that are left out of the mean.

    **Returns:** `[teams]` expected all-play-all match points, up to a Monte Carlo error: with 180
    teams, 11 rounds and the defaults about 0.5 of them, and 0.25 between tied teams, where a
    posterior is 15 wide. Two runs decide about one of a hundred tied pairs differently.

    **Raises:** `InputError` for a model of another number of boards.
    """
    _check_format(model, setting)
    levels, _, results = model.log_law.shape
    # Log-likelihood of the own level: a row an opponent's level and result; the last one for byes.
    rows = jnp.moveaxis(model.log_law, 0, -1).reshape(-1, levels)
    rows = jnp.concatenate([rows, jnp.zeros((1, levels))])
    bye_row = len(rows) - 1
    log_prior = jnp.log(model.prior)
    # Teams first, as each is a step.
    matches = (jnp.arange(len(event.match_points)), event.opponents.T, event.half_points.T)

    def draw_team(now: Array, team_facts: tuple[Array, ...]) -> tuple[Array, Array]:
        team, opponents, half_points, number = team_facts
        row = now[opponents] * results + half_points[:, None]
        row = jnp.where((opponents == BYE)[:, None], bye_row, row)  # [rounds, chains]
        log_chance = log_prior + rows[row].sum(axis=0)  # [chains, levels]
        chance = jnp.exp(log_chance - _largest(log_chance))
        at_most = jnp.cumsum(chance, axis=-1)
        total = at_most[:, -1]
        # Chances are not divided by their total, so it multiplies the number.
        drawn = (at_most <= (number * total)[:, None]).sum(axis=-1, dtype=jnp.int32)
        mean = (chance * model.worth).sum(axis=-1) / total
        return now.at[team].set(drawn), mean.mean()

    def sweep(now: Array, sweep_key: Key) -> tuple[Array, Array]:
        numbers = jax.random.uniform(sweep_key, (now.shape[0], chains))
        return jax.lax.scan(draw_team, now, (*matches, numbers), unroll=_UNROLLED)

    start = jnp.broadcast_to(_start(event, model)[:, None], (len(event.match_points), chains))
    _, means = jax.lax.scan(sweep, start, jax.random.split(key, sweeps))
    return means[burn_in:].mean(axis=0)


def _largest(values: Float[Array, "chains levels"]) -> Float[Array, "chains 1"]:
    """The largest of every row, by halves: XLA's own reduction of a short row takes longer."""
    levels = values.shape[1]
    width = 1 << (levels - 1).bit_length()
    values = jnp.pad(values, ((0, 0), (0, width - levels)), constant_values=-jnp.inf)
    while (width := values.shape[1]) > 1:
        values = jnp.maximum(values[:, : width // 2], values[:, width // 2 :])
    return values


def _start(event: Event, model: LevelModel) -> PerTeam:
    """Starting levels: the quantiles of the prior, in the order of the teams' points."""
    order = jnp.lexsort((event.half_points.sum(axis=0), event.match_points))  # the last one first
    below = (jnp.argsort(order) + 0.5) / len(order)  # an order turned into the place of each in it
    at_most = jnp.cumsum(model.prior)
    cell = jnp.searchsorted(at_most / at_most[-1], below)
    return cell.astype(jnp.int32)


# --------------------------------------------------------------------------- known opponents


def likelihood_worth(event: Event, setting: Setting, model: LevelModel) -> Float[Array, " teams"]:
    """Maximum likelihood of every team's level, given its results and its opponents' true ratings.

    The logarithm of the law is interpolated at the opponents' mean ratings; the maximum on the grid
    is refined by the parabola through it and its neighbours. If all results are wins there may be
    no maximum. Therefore the likelihood is multiplied by a Normal prior around the middle of the
    grid, with a standard deviation of 1000 rating points, and its logarithm is continued linearly
    beyond the grid. Such teams are then ordered by their slope at the edge, thousands of points
    outside; a team with eleven ordinary results moves by a rating point.

    **Arguments:**

    - `event`: rosters (of the opponents), opponents and results are used; byes are ignored.
    - `setting`, `model`: as `posterior_worth`.

    **Returns:** `[teams]` rating points, to be compared with each other. A team without a match
    is in the middle of the grid.

    **Raises:** as `posterior_worth`.
    """
    _check_format(model, setting)
    ratings = event.rosters.mean(axis=-1)[event.opponents]
    return most_likely(model, ratings, event.half_points, event.opponents != BYE)


def _log_likelihood(
    model: LevelModel, ratings: Float[Array, "*batch"], half_points: Int[Array, "*batch"]
) -> Float[Array, "*batch levels"]:
    """Log-likelihood of every level of a team, given its results and its opponents' ratings."""
    levels = model.levels
    position = jnp.clip((ratings - levels[0]) / (levels[1] - levels[0]), 0, len(levels) - 1)
    below = jnp.minimum(position.astype(jnp.int32), len(levels) - 2)
    share = (position - below)[..., None]
    law = jnp.moveaxis(model.log_law, 0, -1)  # [opponent's level, result, own level]
    low, high = (law[below + i, half_points] for i in (0, 1))
    return (1 - share) * low + share * high


def most_likely(
    model: LevelModel,
    ratings: Float[Array, "*#batch rounds teams"],
    half_points: Int[Array, "*batch rounds teams"],
    present: Bool[Array, "*#batch rounds teams"],
) -> Float[Array, "*batch teams"]:
    """The most likely rating, given the opponents' ratings and the results, with the ridge.

    **Arguments:** `present`: false where there is no opponent; the others are as they say.
    """

    def add_match(total: Array, match: tuple[Array, ...]) -> tuple[Array, None]:
        rating, scored, counts = match
        of_match = _log_likelihood(model, rating, scored)
        return total + jnp.where(counts[..., None], of_match, 0), None

    matches = jnp.broadcast_arrays(ratings, half_points, present)
    # Before the batch, as a round is a step.
    matches = tuple(jnp.moveaxis(part, -2, 0) for part in matches)
    nothing = jnp.zeros((*matches[0].shape[1:], len(model.levels)))
    likelihood, _ = jax.lax.scan(add_match, nothing, matches)
    levels = model.levels
    step = levels[1] - levels[0]
    likelihood = likelihood - 0.5 * ((levels - (levels[0] + levels[-1]) / 2) / _RIDGE) ** 2
    best = likelihood.argmax(axis=-1)
    low, centre, right = (
        jnp.take_along_axis(likelihood, jnp.clip(best + i, 0, len(levels) - 1)[..., None], axis=-1)
        for i in (-1, 0, 1)
    )
    # Beyond an edge the log-likelihood is linear, and only the ridge bends it.
    edge = (best == 0) | (best == len(levels) - 1)
    slope = (right - low)[..., 0] / jnp.where(edge, step, 2 * step)
    bend = jnp.where(edge, _RIDGE**-2, (2 * centre - low - right)[..., 0] / step**2)
    return levels[best] + slope / bend
