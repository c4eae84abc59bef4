"""Whole fits of tables and of the formula: every size, every start, the same for every batch."""

import dataclasses

import jax
import numpy as np
import pytest
from training_samples import ODD, ODD_SURFACE, PASSES, least_squares_fit

from tb2learn.assessment.judged import JudgedRule
from tb2learn.assessment.single import judge_event
from tb2learn.config import Config, DecisionConfig, EventFormat, TrainConfig, World
from tb2learn.simulation import programs, run
from tb2learn.simulation.run import sum_events
from tb2learn.simulation.streams import EventRange, Purpose
from tb2learn.tiebreaks.own import GamePoints
from tb2learn.tiebreaks.passes import PassRule, margin
from tb2learn.training import checkpoint, descent, kinds, least_squares, pairwise
from tb2learn.training.tabulate import pass_table


@pytest.fixture(scope="module")
def fitted():
    return pairwise.fit_passes(PASSES)


@pytest.mark.slow
def test_a_fit_decides_better_than_game_points(fitted):
    """On held-out events; and its own count of errors is that of the assessment."""
    tables = [pass_table(fitted.surfaces[:n], "t").tiebreak() for n in (1, 2)]
    pairs, errors, *_ = sum_events(
        PASSES,
        judge_event,
        EventRange(PASSES.train.seed, Purpose.HELD_OUT, PASSES.train.held_out),
        tuple(JudgedRule(one, PASSES.event.boards) for one in (GamePoints(), *tables)),
    )
    game_points, *learned = errors[:, -1] / 2
    for part, wrong in zip(fitted.passes, learned, strict=True):
        assert (part.held_out_pairs, part.held_out_errors) == (pairs[-1], wrong)
        assert wrong < 0.9 * game_points
        assert part.losses.shape == (3,) and (0 < part.losses).all() and (part.losses < 1).all()


@pytest.mark.slow
def test_a_shorter_fit_is_the_beginning_of_a_longer_one(fitted):
    plan = dataclasses.replace(PASSES.decisions, passes=1)
    config = dataclasses.replace(PASSES, decisions=plan)
    shorter = pairwise.fit_passes(config)
    kept = kinds.PassCheckpoint("t", PASSES, "0", fitted).shorter(1)
    assert kept.config == config and fits_equal(kept.fit, shorter)
    assert (len(shorter.surfaces), len(fitted.surfaces)) == (1, 2)
    np.testing.assert_array_equal(shorter.surfaces[0].coefficients, fitted.surfaces[0].coefficients)
    np.testing.assert_array_equal(shorter.surfaces[0].par, fitted.surfaces[0].par)
    np.testing.assert_array_equal(shorter.passes[0].losses, fitted.passes[0].losses)
    for field in ("held_out_pairs", "held_out_errors"):
        assert getattr(shorter.passes[0], field) == getattr(fitted.passes[0], field)


def fits_equal(one, other):
    pairs = [*zip(one.surfaces, other.surfaces, strict=True)]
    pairs += zip(one.passes, other.passes, strict=True)
    return all(
        np.array_equal(getattr(a, field.name), getattr(b, field.name))
        for a, b in pairs
        for field in dataclasses.fields(a)
    )


@pytest.mark.thorough
def test_all_passes_measure_events_that_are_played_once(monkeypatch):
    calls = []

    def count(name, program):
        def counted(*args, **options):
            calls.append(name)
            return program(*args, **options)

        counted.eval_shape = program.eval_shape
        monkeypatch.setattr(programs, name, counted)

    count("play", programs.play)
    # A batch of training events, which measures both passes, and one of held-out events.
    assert ODD.decisions.passes == 2 and run.default_batch(ODD) >= ODD.train.events
    pairwise.fit_passes(ODD)
    assert calls == ["play"] * 2


def test_no_steps_leave_the_least_squares(odd):
    assert ODD.decisions.steps == 0
    raw = least_squares_fit(odd[0])
    same, losses = descent.descend_table(raw, list(ODD_SURFACE), ODD)
    np.testing.assert_array_equal(same, raw)
    assert losses.shape == (0,)


@pytest.mark.slow
def test_the_formula_has_two_digits():
    formula_config = dataclasses.replace(
        PASSES, train=dataclasses.replace(PASSES.train, objective="formula", events=64)
    )
    formula, fit = pairwise.fit_formula(formula_config)
    # 64 events of 8 a step.
    assert fit.losses.shape == (8,) and fit.held_out_pairs > 100
    assert (formula.event_rounds, formula.boards, formula.passes) == (5, 4, 2)
    for shown in (formula.a, formula.k):
        assert shown == pytest.approx(float(f"{shown:.2g}"), rel=1e-9)
    # The descent has left its start.
    assert (formula.scale, formula.refinement) != (0.25, 0.05)
    rule = formula.tiebreak()
    assert (float(rule.scale), float(rule.refinement)) == pytest.approx(
        (formula.a / 10, formula.k * 4 / 10)
    )


SIZES = {
    "two teams": (2, 1, 4),
    "byes": (3, 2, 2),
    "one board": (6, 3, 1),
    "twelve boards": (5, 3, 12),
    "fifteen rounds": (16, 15, 4),
}


@pytest.mark.slow
@pytest.mark.parametrize("reduced", [False, True])
@pytest.mark.parametrize("name", SIZES)
def test_every_size_trains(name, reduced):
    plan = DecisionConfig(passes=2, reduced=reduced, knots=2, steps=1, step_events=4)
    for objective in ("decisions", "formula")[: 1 if reduced else 2]:
        train = TrainConfig(objective, events=12, held_out=4)
        config = Config("s", event=EventFormat(*SIZES[name]), train=train, decisions=plan)
        rule = checkpoint.train(config).rule()
        leaves = jax.tree.leaves(rule.tiebreak())
        assert all(np.isfinite(np.asarray(leaf)).all() for leaf in leaves)
        if isinstance(rule.tiebreak(), PassRule):
            assert np.abs(rule.points).max() < 10_000


@pytest.mark.parametrize(("product", "seen"), [(1, 1), (0, 0)])
def test_what_teaches_nothing_trains(product, seen):
    """All teams equally strong; no match counted, where the only opponent is left out."""
    assert margin(4) == 1  # eleven columns, five results
    moments = least_squares.Moments(
        products=np.full((9, 55, 55), product, np.int64),
        moments=np.zeros((9, 55), np.int64),
        pairs=np.ones(9, np.int64),
        seen=np.full((9, 55), seen, np.int64),
        near=np.zeros((9, 55), np.int64),
        near_pairs=np.zeros(9, np.int64),
        line=np.array([7, 28, 0, 200, 0]),
    )
    raw = least_squares_fit(moments)
    assert np.isfinite(least_squares.normalised(raw, moments.seen, ODD).par).all()


def mixed_worlds(**changes):
    """The odd world beside one with seeds near the truth."""
    field = dataclasses.replace(ODD.field, seed_noise=20.0)
    return dataclasses.replace(ODD, worlds=(World(0.5, field),), **changes)


def test_seeded_worlds_wait_for_the_last_pass():
    config = mixed_worlds()
    first, last = (pairwise.worlds_of(config, end) for end in (False, True))
    assert [(number, weight) for number, _, weight in first] == [(0, 1.0)]
    assert [(number, weight) for number, _, weight in last] == [(0, 1.0), (1, 0.5)]
    assert last[1][1].field.seed_noise == 20.0 and last[0][1] == ODD
    alone = dataclasses.replace(config, field=config.worlds[0].field)
    assert len(pairwise.worlds_of(alone, False)) == 2  # none has random seeds


@pytest.mark.slow
def test_a_fit_to_two_worlds_differs_in_the_last_pass(tmp_path):
    plan = dataclasses.replace(ODD.decisions, fairness=3.0)
    found = pairwise.fit_passes(mixed_worlds(decisions=plan))
    plain = pairwise.fit_passes(ODD)
    first, last = zip(found.surfaces, plain.surfaces, strict=True)
    np.testing.assert_array_equal(first[0].coefficients, first[1].coefficients)
    assert np.abs(last[0].coefficients - last[1].coefficients).max() > 1e-3

    kept = kinds.PassCheckpoint("t", mixed_worlds(decisions=plan), "0", found)
    assert kept.shorter_tables() == []  # their last pass would be fitted to two worlds, too
    checkpoint.save(kept, tmp_path)
    again = checkpoint.load(tmp_path / "t.npz")
    assert again.config == kept.config
    np.testing.assert_array_equal(again.rule().points, kept.rule().points)
