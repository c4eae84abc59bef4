"""What tests ask of the package in another form than the package itself."""

import functools
import subprocess
from dataclasses import replace
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import plain_python
import pytest

from tb2learn.chess.results import Results
from tb2learn.simulation import games
from tb2learn.simulation.formats import play_batch, play_drawn
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.oracle import true_strength
from tb2learn.simulation.rng import unit_numbers
from tb2learn.simulation.schedule import EventInputs
from tb2learn.simulation.simulate import sum_events
from tb2learn.training.fit_surface import rising
from tb2learn.training.surface import ValueSurface
from tb2learn.types import BYE

ROOT = Path(__file__).parents[1]
"""The checkout: configurations, checkpoints, reports."""


@functools.cache
def tracked(*patterns):
    """Files of the checkout that git tracks, in order: `tracked("docs/**/*.md", "README.md")`.

    Whoever tries the commands of the README leaves files of their own beside them.
    """
    command = ["git", "-C", ROOT, "ls-files", "-z", "--", *(f":(glob){one}" for one in patterns)]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return tuple(sorted(path for name in names.split("\0")[:-1] if (path := ROOT / name).exists()))


PATIENCE = 600
"""Seconds after which a test gives up on another process: a busy machine takes its time."""

PASSES_TOML = """
name = "passes"
description = "test"
[event]
teams = 20
rounds = 5
boards = 4
pairing = "thesis"
[train]
objective = "decisions"
events = 300
held_out = 100
[decisions]
passes = 2
knots = 4
"""
"""A table in two passes that trains in seconds; the same configuration compiles once a process."""


def slow_after(first, values, spread=True):
    """Values of a parameter, or of several (`spread`), of which all but the first few are slow."""
    values = list(values)
    slow = [
        pytest.param(*(v if spread and isinstance(v, tuple) else (v,)), marks=pytest.mark.slow)
        for v in values[first:]
    ]
    return [*values[:first], *slow]


def measure_each(config, measure, events, args=None, **options):
    """What is measured, event by event: numpy arrays, batch after batch."""
    kept = {}

    def keep(numbers, measured):
        if len(numbers):
            kept[numbers[0]] = measured
        return np.int64(0)  # adds nothing to the totals

    sum_events(config.setting, Measurement(measure, keep), events, args, **options)
    return [kept[first] for first in sorted(kept)]


def joined(batches):
    """The batches of `measure_each` as one array a measured value."""
    return [np.concatenate(parts) for parts in zip(*batches, strict=True)]


@functools.partial(jax.jit, static_argnames="config")
def play(key, config):
    """One whole event from its key."""
    return jax.tree.map(lambda x: x[..., 0], play_batch(key[None], config.setting))


@functools.partial(jax.jit, static_argnames="config")
def _draw_lanes(keys, config):
    drawn = EventInputs.of(keys, config.setting)
    # As many arrays whatever the field, so that all fields share the program that plays.
    return drawn if drawn.ratings is not None else replace(drawn, ratings=0 * drawn.rosters[..., 0])


@functools.partial(jax.jit, static_argnames="event")
def _play_lanes(drawn, laws, event):
    return play_drawn(drawn, event, laws)


class Played:
    """A `Play` that simulates nothing: it keeps what it is asked for, and gives its `totals`.

    `totals` may be a function of what is asked.
    """

    def __init__(self):
        self.asked, self.totals = [], None

    def __call__(self, job):
        self.asked.append(job)
        return self.totals(job) if callable(self.totals) else self.totals

    def events(self):
        """Which events were asked for: purpose, seed, number and the first one."""
        return [
            (events.purpose, events.seed, events.events, events.first)
            for events in (job.events for job in self.asked)
        ]


LANES = 16
"""Events side by side in `play_events`: one number, so that tests share a compiled program."""


def play_events(keys, config):
    """Whole events from at most `LANES` keys; the lanes that are left over play the last key."""
    lanes = keys[np.minimum(np.arange(LANES), len(keys) - 1)]
    played = _play_lanes(_draw_lanes(lanes, config), games.Laws.of(config.game), config.event)
    return jax.tree.map(lambda x: np.asarray(x)[..., : len(keys)], played)


def match_law(ratings, opponents, game):
    """The law of a match between line-ups `[..., boards]`, result by result along the last axis."""
    line_ups = (jnp.moveaxis(jnp.asarray(side), -1, 0) for side in (ratings, opponents))
    at_most = jnp.moveaxis(games.cumulative_law(*line_ups, game), 0, -1)
    return jnp.diff(at_most, axis=-1, prepend=0, append=games.UNIT)


exact_strength = jax.jit(true_strength, static_argnames="game")
"""Expected match points of every team; the rosters of one shape are compiled once."""


def game_law(rating, opponent, game):
    """Chances of a win, a draw and a loss of one game: of a match on one board."""
    law = match_law(jnp.asarray(rating)[..., None], jnp.asarray(opponent)[..., None], game)
    return law[..., 2], law[..., 1], law[..., 0]


def results_from(
    opponents, half_points, boards, ratings=None, whites=None, match_points=None, **recorded
):
    """Results of arrays `[rounds, teams]` in NumPy; the match points are those of the results."""
    half_points = np.asarray(half_points, np.int32)
    if match_points is None:
        match_points = (np.sign(half_points - boards) + 1).sum(axis=0)
    return Results(
        np.asarray(opponents, np.int32),
        half_points,
        np.asarray(match_points, np.int32),
        boards,
        None if ratings is None else np.asarray(ratings, np.int32),
        None if whites is None else np.asarray(whites, bool),
        **recorded,
    )


def results_of(teams, boards, rounds):
    """The same as `recorded_of` in JAX."""
    return jax.tree.map(jnp.asarray, recorded_of(teams, boards, rounds))


def recorded_of(teams, boards, rounds):
    """The matches of `plain_python` (`(a, b or None for a bye, half points of a)`) as `Results`."""
    opponents = np.full((len(rounds), teams), BYE, np.int32)
    half_points = np.full((len(rounds), teams), boards, np.int32)
    for r, matches in enumerate(rounds):
        for a, b, half in matches:
            if b is not None:
                opponents[r, a], opponents[r, b] = b, a
                half_points[r, a], half_points[r, b] = half, 2 * boards - half
    return results_from(opponents, half_points, boards)


def random_surfaces(passes, rounds, boards, knots=4, seed=0):
    """Surfaces of a table in passes that are no good but have everything a fitted one has.

    Values of up to a match point or two: readings are refined by every tenth, some held.
    """
    generator = np.random.default_rng(seed)
    size, results = knots + 3, 2 * boards + 1
    found = []
    for _ in range(passes):
        raw = generator.normal(0.0, 0.1, (results, size, size))
        raw += np.linspace(-0.4, 0.4, results)[:, None, None]
        raw += np.linspace(-0.6, 0.6, size)[None, None, :]
        raw -= np.linspace(-0.6, 0.6, size)[None, :, None]
        coefficients = rising(raw.astype(np.float32)).astype(np.float64)
        par = generator.normal(0.1, 0.05, 2 * rounds + 1)
        found.append(ValueSurface(coefficients, par, rounds))
    return tuple(found)


def single(event, number):
    return jax.tree.map(lambda x: np.asarray(x)[..., number], event)


def games_of(event, number):
    """The matches of a round: `{(white, black): half points of white}`."""
    found = {}
    for team, opponent in enumerate(event.opponents[number].tolist()):
        if opponent != BYE:
            assert event.opponents[number, opponent] == team
            assert event.whites[number, opponent] != event.whites[number, team]
            if event.whites[number, team]:
                found[team, opponent] = int(event.half_points[number, team])
    return found


def check_points(event, boards):
    """Both sides of every match share its points, and match points follow from them."""
    met = event.opponents != BYE
    assert (event.half_points[~met] == 0).all() and not event.whites[~met].any()
    won = np.where(met, np.sign(event.half_points - boards) + 1, 0)
    np.testing.assert_array_equal(event.match_points, won.sum(axis=0))
    for number in range(event.opponents.shape[-1]):
        alone = single(event, number)
        for r in range(len(alone.opponents)):
            for (_, black), half in games_of(alone, r).items():
                assert half + alone.half_points[r, black] == 2 * boards


@functools.partial(jax.jit, static_argnames="config")
def deciding(keys, config, rosters):
    """What decides the matches of events with these keys: numbers by round and team, and laws."""
    # The key of the rounds yields one for each, and one more.
    split = jax.vmap(functools.partial(jax.random.split, num=config.event.rounds + 1))
    rounds = split(jax.vmap(lambda key: jax.random.split(key)[1])(keys))[:, :-1]
    numbers = jax.vmap(jax.vmap(functools.partial(unit_numbers, count=config.event.teams)))(rounds)
    laws = jax.lax.map(functools.partial(games.all_play_all, game=config.game), rosters)
    return numbers, laws


def by_numbers(numbers, laws):
    """Decides a match of an event as `plain_python.play_event` asks, by what `deciding` has."""
    return lambda r, a, b: int((numbers[r, a] >= laws[:, a, b]).sum())


def same_event(event, expected, boards):
    """Check an event against that of `plain_python.play_event`; returns its opponents."""
    opponents = [[BYE if t.opponent is None else t.opponent for t in row] for row in expected]
    assert event.opponents.tolist() == opponents
    assert event.half_points.tolist() == [[t.half for t in row] for row in expected]
    points = [[plain_python.match_points_for(t.half, boards) for t in row] for row in expected]
    assert event.match_points.tolist() == np.sum(points, axis=0).tolist()
    return opponents
