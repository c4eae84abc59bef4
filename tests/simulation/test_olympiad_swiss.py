"""FIDE's pairing of Olympiads in lockstep, held against the exact definition round by round."""

from dataclasses import replace
from functools import cache, partial

import jax
import numpy as np
import pytest
from helpers import play_events

from tb2learn.chess.olympiad_pairing import PairedTeam, pair_round
from tb2learn.chess.results import match_points
from tb2learn.config import load_config


@cache
def program(world, edition, teams, rounds):
    config = load_config(world)
    shape = replace(config.event, pairing=edition, teams=teams, rounds=rounds)
    config = replace(config, event=shape)
    return config, partial(play_events, config=config)


@cache
def played(*shape, events):
    config, play = program(*shape)
    return config, play(jax.random.split(jax.random.key(3), events))


def states(config, event, number):
    """Before every round of an event: teams as the rules see them, who had a bye, the pairs made.

    Pairs are a dictionary from the two teams to the one with White.
    """
    opponents, half = (
        np.array(event.opponents)[..., number],
        np.array(event.half_points)[..., number],
    )
    whites = np.array(event.whites)[..., number]
    teams = config.event.teams
    points, game_points = np.zeros(teams, int), np.zeros(teams, int)
    met, colours, had_bye = [set() for _ in range(teams)], [""] * teams, set()
    for round_opponents, scored, white in zip(opponents, half, whites, strict=True):
        known = [
            PairedTeam(t + 1, int(points[t]), game_points[t] / 2, frozenset(met[t]), colours[t])
            for t in range(teams)
        ]
        pairs = {
            frozenset((t + 1, int(other) + 1)): t + 1
            for t, other in enumerate(round_opponents)
            if other >= 0 and white[t]
        }
        yield known, set(had_bye), pairs
        for t, other in enumerate(round_opponents):
            if other < 0:
                had_bye.add(t + 1)
            else:
                met[t].add(int(other) + 1)
            colours[t] += "-" if other < 0 else "W" if white[t] else "B"
        points += np.array(match_points(scored, config.event.boards))
        game_points += scored


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("world", "edition", "teams", "rounds", "events", "least"),
    [
        ("olympiad-180x11", "olympiad-2022", 180, 11, 2, 0.98),
        ("small-20x7", "olympiad-2022", 20, 7, 16, 0.9),
        pytest.param("seeded-180x11", "olympiad-2010", 180, 11, 4, 0.98, marks=pytest.mark.slow),
        pytest.param("olympiad-180x11", "olympiad-2022", 187, 11, 8, 0.98, marks=pytest.mark.slow),
    ],
)
def test_nearly_all_pairs_are_those_of_the_exact_rule(world, edition, teams, rounds, events, least):
    """Nearly all pairs, fewer in small fields, and their colours; nobody meets a team twice."""
    config, event = played(world, edition, teams, rounds, events=events)
    same = number = white = 0
    for k in range(events):
        for known, had_bye, pairs in states(config, event, k):
            assert len(pairs) == teams // 2
            for one in known:
                assert not any(frozenset((one.number, other)) in pairs for other in one.met)
            exact = pair_round(known, edition, had_bye)
            if exact.median is None:
                assert {frozenset((p.white, p.black)) for p in exact.pairs} == pairs.keys()
                continue
            equal = [p for p in exact.pairs if frozenset((p.white, p.black)) in pairs]
            same += len(equal)
            white += sum(pairs[frozenset((p.white, p.black))] == p.white for p in equal)
            number += len(exact.pairs)
    assert same > least * number and white > 0.98 * same


@pytest.mark.thorough
@pytest.mark.parametrize(
    "teams", [21, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 3, 4, 5, 7, 20, 33))]
)
def test_small_fields_are_paired_without_rematches_where_they_can_be(teams):
    rounds = min(teams - 1, 5)
    _, event = played("small-20x7", "olympiad-2022", teams, rounds, events=16)
    opponents = np.array(event.opponents)
    numbers = np.arange(teams)[:, None]
    for made in opponents:
        back = np.take_along_axis(made, np.where(made < 0, numbers, made), axis=0)
        assert (np.where(made < 0, numbers, back) == numbers).all()
        assert ((made < 0).sum(axis=0) == teams % 2).all()
    if teams >= 20:
        for k in range(opponents.shape[-1]):
            for t in range(teams):
                met = [o for o in opponents[:, t, k] if o >= 0]
                assert len(set(met)) == len(met)


@pytest.mark.thorough
def test_an_event_depends_on_its_key_alone():
    """Not on its place in a batch, nor on the events beside it."""
    shape = "small-20x7", "olympiad-2022", 11, 5
    keys, others = (jax.random.split(jax.random.key(seed), 16) for seed in (3, 4))
    event, beside = (program(*shape)[1](some) for some in (keys, others.at[9].set(keys[5])))
    assert (np.array(beside.opponents)[..., 9] == np.array(event.opponents)[..., 5]).all()
