"""Small worlds to train in."""

import dataclasses
import itertools
import tomllib

import numpy as np
from helpers import PASSES_TOML, joined, measure_each, random_surfaces

from tb2learn.config import (
    Config,
    DecisionConfig,
    EventFormat,
    FieldConfig,
    SurfaceConfig,
    TrainConfig,
    from_dict,
    load_config,
)
from tb2learn.simulation.purposes import UNIT, EventRange, Purpose
from tb2learn.tiebreaks.passes import margin
from tb2learn.training import near_pairs, table_least_squares, table_moments

PASSES = from_dict(tomllib.loads(PASSES_TOML))
ODD = Config(
    "odd",
    event=EventFormat(7, 4, 2),
    field=FieldConfig(low=2200.0, high=2400.0),
    train=TrainConfig("decisions", events=40, held_out=8),
    decisions=DecisionConfig(passes=2, knots=2),
)
ODD_SURFACE = random_surfaces(1, rounds=4, boards=2, knots=2)


TINY = Config(
    "tiny",
    event=EventFormat(9, 4, 2),
    train=TrainConfig("difficulty", events=20, held_out=10),
    surface=SurfaceConfig(knots=4, steps=60),
)


def small_log(events):
    """The small world with so many training events and a quick fit."""
    config = load_config("small-20x7")
    return dataclasses.replace(
        config,
        train=dataclasses.replace(config.train, events=events, held_out=50),
        surface=dataclasses.replace(config.surface, knots=8, steps=60),
    )


def features_and_strength(key, event, config, before):
    """What least squares see of an event."""
    return (
        event.match_points,
        event.opponents,
        event.half_points,
        event.rosters,
        event.strength,
        near_pairs.strength(event, config),
        before.opponent_score(event.results),
        event.results.met,
    )


def brute_moments(config, surfaces):
    """`Moments` pair by pair, the features of all teams, and the rows of all pairs."""
    event = config.event
    batches = measure_each(
        config,
        features_and_strength,
        EventRange(config.train.seed, Purpose.TRAIN, config.train.events),
        table_moments.rule_before(surfaces, config),
    )
    beyond, results = margin(event.rounds), event.max_half_points + 1
    cells = (event.max_match_points + 1 + 2 * beyond) * results
    pairs, equals, teams = [], [], []
    for own, _, half, _, worth, strength, reading, counted in zip(*joined(batches), strict=True):
        x = np.zeros((len(own), cells), int)
        for team, r in itertools.product(range(len(own)), range(event.rounds)):
            if counted[r, team]:
                whole, tenths = divmod(int(reading[r, team]), 10)
                at = (whole + beyond) * results + half[r, team]
                x[team, at] += 10 - tenths
                if tenths:
                    x[team, at + results] += tenths
        teams += zip(own.tolist(), x, strength.tolist(), strict=True)
        for i, j in itertools.combinations(range(len(own)), 2):
            if own[i] == own[j]:
                pairs.append((int(own[i]), x[i] - x[j], int(strength[i] - strength[j])))
                if config.field.informative and abs(int(worth[i]) - int(worth[j])) < UNIT:
                    equals.append(pairs[-1][:2])
    scores = event.max_match_points + 1
    products, moments = np.zeros((scores, cells, cells), int), np.zeros((scores, cells), int)
    count, seen = np.zeros(scores, int), np.zeros((scores, cells), int)
    for score, x, y in pairs:
        products[score] += np.outer(x, x)
        moments[score] += x * y
        count[score] += 1
    for score, x, _ in teams:
        seen[score] += x
    near, near_count = np.zeros((scores, cells), int), np.zeros(scores, int)
    for score, x in equals:
        near[score] += x
        near_count[score] += 1
    m, y = (np.array([team[k] for team in teams]) for k in (0, 2))
    line = np.array([len(m), m.sum(), y.sum(), (m * m).sum(), (m * y).sum()])
    found = table_moments.Moments(products, moments, count, seen, near, near_count, line)
    return found, pairs


def least_squares_fit(moments, config=ODD):
    """The surface that least squares fit to one world."""
    return table_least_squares.least_squares(
        [(table_least_squares.equations(moments, config), 1.0)], config
    )
