"""The difficulty log: what it counts, and how logs add up."""

import hashlib
import itertools
import subprocess
import sys
from dataclasses import replace
from functools import partial

import jax
import numpy as np
import plain_python
import pytest
from helpers import joined, match_law, measure_each
from scipy import stats
from training_samples import TINY

from tb2learn.config import Config, EventFormat, GameConfig
from tb2learn.simulation import games
from tb2learn.simulation.event import Event
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.training import difficulty_log

ALPHA = 1e-3  # of every statistical test; the seeds are fixed
CONFIG, EVENTS = TINY, TINY.train.events
SAMPLED = replace(CONFIG, train=replace(CONFIG.train, law="sampled"))


RANGE = EventRange(1, Purpose.TRAIN, EVENTS)


@pytest.fixture(scope="module")
def log():
    return difficulty_log.collect(CONFIG, RANGE)


def rosters_and_points(key, event, config, args):
    """What the log sees of an event."""
    return event.rosters, event.match_points


# --- what is counted ------------------------------------------------------------------------------


@pytest.mark.thorough
def test_log_equals_a_slow_count(log, draw_rate):
    law_of = partial(plain_python.match_law, tail="consistent", draw_rate=draw_rate)
    expected = np.zeros(log.counts.shape)
    events = joined(measure_each(CONFIG, rosters_and_points, RANGE))
    for rosters, points in zip(*(part.tolist() for part in events), strict=True):
        for a, b in itertools.permutations(range(CONFIG.event.teams), 2):
            expected[points[a], points[b]] += law_of(rosters[a], rosters[b])
    # The law of each pair is off by 1e-4 at most, and no pair is missing.
    matches = expected.sum(axis=-1, keepdims=True)
    assert (np.abs(log.counts / log.unit - expected) <= 1e-4 * matches + 1e-9).all()
    np.testing.assert_array_equal(
        log.counts.sum(axis=-1, keepdims=True), np.rint(matches).astype(np.int64) * log.unit
    )


@pytest.mark.thorough
def test_logs_add_up(log):
    """One of laws, one of drawn matches of the same events: those have the law."""
    sampled = difficulty_log.collect(SAMPLED, RANGE)
    for one, unit in ((log, games.UNIT), (sampled, 1)):
        assert one.unit == unit and one.events == RANGE
        assert one.counts.dtype == np.int64 and one.counts.shape == (9, 9, 5)
        assert (one.counts >= 0).all() and one.counts.sum() == 9 * 8 * EVENTS * unit
        # Each match is seen from both sides.
        np.testing.assert_array_equal(one.counts, one.counts.transpose(1, 0, 2)[:, :, ::-1])
    laws, drawn = log.counts, sampled.counts
    np.testing.assert_array_equal(drawn.sum(axis=-1) * games.UNIT, laws.sum(axis=-1))
    # Matches of teams with different points, once, from above. The spread of a sum over different
    # pairs is below the multinomial's: the test errs on the side of passing.
    above = np.tril(np.ones((9, 9), bool), k=-1)
    expected = laws[above].sum(axis=0) / games.UNIT
    assert stats.chisquare(drawn[above].sum(axis=0), expected).pvalue > ALPHA


def random_event(teams, points, boards, seed):
    random = np.random.default_rng(seed)
    rosters = -np.sort(-random.integers(1700, 2800, (teams, boards)), axis=-1)
    nothing = np.zeros((1, teams), np.int32)
    arrays = (rosters.astype(np.int32), nothing, nothing, np.asarray(points, np.int32))
    return Event(*map(jax.numpy.asarray, arrays))


count_matches = jax.jit(difficulty_log.CountMatches("exact"), static_argnums=2)


def check_counts(teams, points, boards, tail="consistent"):
    """Integer for integer: the law of every pair, counted with numpy."""
    event = random_event(teams, points, boards, teams)
    config = Config("many", event=EventFormat(teams, 3, boards), game=GameConfig(tail))
    high, low = count_matches(jax.random.key(0), event, config.setting)
    reached = (np.asarray(high).astype(np.int64) << 12) + np.asarray(low)
    counts = -np.diff(reached, append=0)
    rosters = event.rosters
    law = np.asarray(
        match_law(
            jax.numpy.repeat(rosters[:, None], teams, axis=1),
            jax.numpy.repeat(rosters[None], teams, axis=0),
            config.game,
        )
    ).astype(np.int64)
    once = np.triu(np.ones((teams, teams), bool), k=1)
    expected = np.zeros((7, 7, 2 * boards + 1), np.int64)
    own, opponent = (np.asarray(points)[side] for side in np.nonzero(once))
    np.add.at(expected, (own, opponent), law[once])
    # A match may be counted from either side.
    ours, theirs = (x + x.transpose(1, 0, 2)[:, :, ::-1] for x in (counts, expected))
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.thorough
@pytest.mark.parametrize("spread", [1, 7])
def test_count_is_exact_for_many_teams(spread):
    # With all on equal points a cell holds more than 2**31 units.
    check_counts(600, np.random.default_rng(0).integers(0, spread, 600), 1)


# --- scores ---------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_scores_of_a_log(log):
    k, n = log.fails()
    scores = log.scores()
    assert k.shape == (9, 9, 4) and n.shape == (9, 9, 1) and scores.shape == (9, 9, 5)
    seen = 0
    for own, opponent in np.ndindex(9, 9):
        results = log.counts[own, opponent].tolist()
        if sum(results) == 0:
            assert np.isnan(scores[own, opponent]).all()
            continue
        seen += 1
        fail, total = plain_python.failures(results)
        assert k[own, opponent].tolist() == fail[1:] and n[own, opponent, 0] == total[0]
        expected = plain_python.difficulty_score(fail, total, CONFIG.event.boards)
        np.testing.assert_allclose(scores[own, opponent], expected, rtol=0, atol=1e-15)
    assert 0 < seen < 81


LARGE_KERNELS = """
import hashlib, os, sys
import jax, jax.numpy as jnp
from tb2learn.config import Config, EventFormat
from tb2learn.running.processors import large_kernels
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.training.difficulty_log import collect

def doubled(x):
    return jax.lax.fori_loop(0, 9, lambda _, x: x + x[::-1], x)

before = os.environ.get("XLA_FLAGS", "")
with large_kernels():
    program = jax.jit(doubled).lower(jnp.arange(9)).compile().as_text()
    assert "xla_cpu_small_call" in program
    config = Config("tiny", event=EventFormat(teams=9, rounds=4, boards=2))
    log = collect(config, EventRange(1, Purpose.TRAIN, 20))
    print(hashlib.sha256(log.counts.tobytes()).hexdigest())
assert os.environ["XLA_FLAGS"] == before
"""


@pytest.mark.thorough
def test_large_kernels_are_made_and_change_no_log(log):
    command = [sys.executable, "-c", LARGE_KERNELS]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == hashlib.sha256(log.counts.tobytes()).hexdigest()
