"""Random results follow their exact laws, and nothing random is used twice.

Whole streams are played as the package plays them, and held to the laws of the slow reference.
Given everything before it, a result follows its match's law; so the pairing may look at results as
it likes: what the laws leave to chance (`luck`) is one independent uniform number a match.
"""

from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
import pytest
import slow_oracle as oracle
from helpers import joined, measure_each
from scipy import stats

from tb2learn.config import Config, EventFormat, FieldConfig, GameConfig
from tb2learn.simulation.streams import EventRange, Purpose

pytestmark = pytest.mark.thorough

# Of every comparison of a p-value with it. About 30 of them in the fast run and 20 in the slow one
# share it (where many p-values are asked for, it is Bonferroni's of their smallest): with right
# code, less than one seed in a hundred would fail here. The seeds are fixed.
ALPHA = 1e-4

# The package's chances are whole numbers of 1/32768 and so its laws up to boards/32768 off. At
# EVENTS that adds less than 0.003 to the mean of the chi-squares of counted results (computed from
# both laws), at MANY less than 0.03.
EVENTS = 8192
MANY = 10 * EVENTS
SEED = 20260

# Far enough apart that the tails differ (from about 300 points), and an odd number: byes.
RATINGS = (1900.0, 2010.0, 2120.0, 2230.0, 2390.0, 2500.0, 2620.0)
SIZES = [("ratings", 1, "consistent"), ("ratings", 4, "literal"), ("uniform", 1, "literal")]
SIZES += [("uniform", 4, "consistent")]


def config_of(kind, boards, tail):
    """Small events; infinite seed noise, so that the higher seed is as often the weaker team."""
    if kind == "ratings":
        field = FieldConfig(kind, ratings=RATINGS, player_sd=0.0)
    else:
        field = FieldConfig(kind, low=1900.0, high=2700.0)
    teams = len(RATINGS) if kind == "ratings" else 8
    return Config("small", event=EventFormat(teams, 5, boards), field=field, game=GameConfig(tail))


# --- playing --------------------------------------------------------------------------------------


class Played(NamedTuple):
    """Events of a stream."""

    rosters: np.ndarray  # [events, teams, boards]
    opponents: np.ndarray  # [events, rounds, teams]
    half_points: np.ndarray  # [events, rounds, teams]


class Matches(NamedTuple):
    """All their matches in one list, and the exact law of each, from the higher seed's side."""

    event: np.ndarray
    number: np.ndarray  # of the round
    higher: np.ndarray
    lower: np.ndarray
    result: np.ndarray  # half points of the higher seed
    law: np.ndarray  # [matches, results]
    random: np.ndarray  # of `luck`


def everything(key, event, config, args):
    return event.rosters, event.opponents, event.half_points


def play(size, events, seed, purpose):
    batches = measure_each(config_of(*size), everything, EventRange(seed, purpose, events))
    return Played(*joined(batches))


def exact_law(game_law, rosters, opponents):
    """The laws of matches between line-ups, from `game_law(rating, opponent)`."""
    # A game's law is that of its rating difference and of its 200-point class of mean ratings:
    # the reference is asked once for each kind of game, about the first one of it.
    kind = (rosters - opponents) * 100 + (rosters + opponents) // 400
    _, first, inverse = np.unique(kind, return_index=True, return_inverse=True)
    games = zip(rosters.ravel()[first].tolist(), opponents.ravel()[first].tolist(), strict=True)
    laws = np.array([game_law(*game)[::-1] for game in games])  # 0, 1, 2 half points
    boards = np.moveaxis(laws[inverse].reshape(*kind.shape, 3), 1, 0)
    law = np.ones((len(rosters), 1))
    for board in boards:
        longer = np.zeros((len(law), law.shape[1] + 2))
        for half in range(3):
            longer[:, half : half + law.shape[1]] += law * board[:, [half]]
        law = longer
    return law


def line_ups(played, matches):
    return [played.rosters[matches.event, team] for team in (matches.higher, matches.lower)]


@lru_cache(maxsize=4)
def play_matches(game_law, size, events, seed, purpose):
    played = play(size, events, seed, purpose)
    event, number, higher = np.nonzero(np.arange(played.opponents.shape[2]) < played.opponents)
    lower = played.opponents[event, number, higher]
    matches = Matches(
        event=event,
        number=number,
        higher=higher,
        lower=lower,
        result=played.half_points[event, number, higher],
        law=np.empty(0),
        random=np.random.default_rng([seed, purpose]).random(len(event)),
    )
    return played, matches._replace(law=exact_law(game_law, *line_ups(played, matches)))


@pytest.fixture(scope="module")
def game_laws(draw_rate):
    """The reference's law of one game, one function a tail."""
    return {
        tail: partial(oracle.game_law, tail=tail, draw_rate=draw_rate)
        for tail in ("consistent", "literal")
    }


@pytest.fixture(scope="module")
def matches_of(game_laws):
    def matches_of(size, events=EVENTS, seed=SEED, purpose=Purpose.TRAIN):
        return play_matches(game_laws[size[2]], size, events, seed, purpose)

    return matches_of


# --- statistics: every function returns a p-value, or several -------------------------------------


def luck(matches):
    """The randomised probability integral transform: uniform in 0..1 and independent.

    A result of chance p is a stretch of length p of 0..1; this is a random point of it.
    """
    row = np.arange(len(matches.result))
    up_to = matches.law.cumsum(axis=1)[row, matches.result]
    return np.clip(up_to - matches.law[row, matches.result] * matches.random, 0, 1)


def scores(played, matches):
    """Luck as normal scores `[events, rounds, teams]`: from each side, and for higher seeds only.

    Nan for a bye, and where there is no such team.
    """
    score = stats.norm.ppf(np.clip(luck(matches), 1e-12, 1 - 1e-12))
    dense = np.full(played.opponents.shape, np.nan)
    dense[matches.event, matches.number, matches.higher] = score
    higher = dense.copy()
    dense[matches.event, matches.number, matches.lower] = -score
    return dense, higher


def uniform_p(values, group, bins=20):
    """Values in 0..1 are uniform in every group, as one chi-square."""
    _, group = np.unique(group, return_inverse=True)
    cell = group * bins + np.minimum((values * bins).astype(int), bins - 1)
    counts = np.bincount(cell, minlength=(group.max() + 1) * bins).reshape(-1, bins)
    expected = counts.sum(axis=1, keepdims=True) / bins
    assert expected.min() >= 20
    return stats.chi2.sf(((counts - expected) ** 2 / expected).sum(), (bins - 1) * len(counts))


def level(matches):
    """Four groups by what the law expects of the higher seed."""
    expected = matches.law @ np.arange(matches.law.shape[1])
    return np.searchsorted(np.quantile(expected, [0.25, 0.5, 0.75]), expected)


def law_p(played, matches):
    """The luck of results is uniform by level, round and team, and nothing impossible happened."""
    assert (matches.law[np.arange(len(matches.law)), matches.result] > 0).all()
    by_luck = partial(uniform_p, luck(matches))
    return [*map(by_luck, [level(matches), matches.number, matches.higher])]


def products_p(x, y, group):
    """Products of independent normal scores have mean 0 and variance 1; a z for every group."""
    _, group = np.unique(group, return_inverse=True)
    z = np.bincount(group, x * y) / np.sqrt(np.bincount(group))
    assert np.bincount(group).min() >= 200
    return stats.chi2.sf((z**2).sum(), len(z))


def rounds_p(played, matches):
    """A team's luck in two rounds: by pair of rounds, and by team.

    Each match of the first round counts once, for its higher seed; that team may be either side in
    the second. Then no two products are correlated, though matches are shared by two teams.
    """
    score, higher = scores(played, matches)
    number, later = np.triu_indices(score.shape[1], k=1)
    first, second = higher[:, number], score[:, later]
    both = np.isfinite(first) & np.isfinite(second)
    _, pair, who = np.nonzero(both)
    x, y = first[both], second[both]
    return [products_p(x, y, pair), products_p(x, y, who)]


def neighbours_p(played, matches):
    """Luck in two matches of a round: by distance of their higher seeds.

    One word of random bits serves two teams, some fixed distance apart.
    """
    _, higher = scores(played, matches)
    a, b = np.triu_indices(higher.shape[2] - 1, k=1)  # the last seed is never the higher one
    both = np.isfinite(higher[..., a]) & np.isfinite(higher[..., b])
    x, y = higher[..., a][both], higher[..., b][both]
    distance = np.broadcast_to(b - a, both.shape)[both]
    return [products_p(x, y, distance)]


def smallest(*p_values):
    """The p-value of the smallest of many, whatever their dependence (Bonferroni)."""
    values = np.concatenate([np.ravel(p) for p in p_values])
    return min(1.0, len(values) * values.min())


# --- results follow their laws --------------------------------------------------------------------

RUNS = [(SIZES[-1], EVENTS), *(pytest.param(s, MANY, marks=pytest.mark.slow) for s in SIZES)]


@pytest.mark.parametrize(("size", "events"), RUNS)
def test_results_follow_their_laws(size, events, matches_of):
    played, matches = matches_of(size, events)
    teams = played.opponents.shape[2]
    assert len(matches.result) == events * 5 * (teams // 2)
    assert smallest(law_p(played, matches)) > ALPHA
    assert smallest(rounds_p(played, matches)) > ALPHA
    assert smallest(neighbours_p(played, matches)) > ALPHA
