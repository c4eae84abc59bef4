"""Tables with refined own strength: values by hand, today's rule and training as special cases."""

import math
from dataclasses import replace
from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from helpers import random_surfaces, recorded_of

from studies import better_tables
from studies.better_tables import ALL, OTHERS, PLAIN, RefinedSum
from tb2learn.config import Config, DecisionConfig, EventFormat, FieldConfig, TrainConfig
from tb2learn.tiebreaks.passes import PassRule
from tb2learn.training.fit_tables import fit_surfaces
from tb2learn.training.tabulate import pass_table

# Seven teams on two boards: one team rests a round; 1 and 2 meet twice.
ROUNDS = (
    ((0, 1, 3), (2, 3, 2), (4, 5, 4), (6, None, 2)),
    ((0, 2, 2), (1, 6, 4), (3, 4, 1), (5, None, 2)),
    ((1, 2, 0), (0, 4, 3), (5, 6, 2), (3, None, 2)),
    ((1, 2, 3), (0, 3, 4), (6, 4, 4), (5, None, 2)),
)
RESULTS = recorded_of(7, 2, ROUNDS)
POINTS = 8 * pass_table(random_surfaces(3, rounds=4, boards=2), "random").tables
PAR = np.random.default_rng(2).integers(-9, 9, POINTS.shape[:2], np.int32)
TENTHS_HELD = 10  # an eighth of 8 match points


def nearest(numerator, denominator):
    return math.floor(Fraction(int(numerator), denominator) + Fraction(1, 2))


def by_hand(own_kind):
    """The sums of the last pass, team by team and match by match."""
    opponents, half, mp = RESULTS.opponents, RESULTS.half_points, RESULTS.match_points.tolist()
    met = {(r, t): int(o) for (r, t), o in np.ndenumerate(opponents) if o >= 0}
    beyond = (POINTS.shape[2] - 9) // 2
    values = {}
    for table, par in zip(POINTS, PAR, strict=True):
        sums = [sum(v for (_, t), v in values.items() if t == team) for team in range(7)]

        def counts(team, left_out, sums=sums):
            gained = nearest(sums[team] - left_out, 10)
            return 10 * mp[team] + max(-TENTHS_HELD, min(TENTHS_HELD, gained))

        found = {}
        for (r, t), o in met.items():
            left_out = {PLAIN: sums[t], OTHERS: values.get((r, t), 0), ALL: 0}[own_kind]
            own = max(0, min(80, counts(t, left_out)))
            column = counts(o, values.get((r, o), 0)) + 10 * beyond
            total = 0
            for row in range(9):
                for place in range(POINTS.shape[2]):
                    weight = max(0, 10 - abs(own - 10 * row)) * max(
                        0, 10 - abs(column - 10 * place)
                    )
                    total += weight * int(table[row, place, half[r, t]])
            found[r, t] = nearest(total, 100) - int(par[mp[t]])
        values = found
    return [sum(v for (_, t), v in values.items() if t == team) for team in range(7)]


@pytest.mark.parametrize("own", [PLAIN, OTHERS, ALL])
def test_sums_by_hand(own):
    rule = RefinedSum(POINTS, PAR, own)
    assert rule.scores(RESULTS).tolist() == by_hand(own)
    assert rule.scores(jax.tree.map(jnp.asarray, RESULTS)).tolist() == by_hand(own)


def test_three_kinds_differ_and_the_plain_one_is_todays_rule():
    assert len({tuple(by_hand(own)) for own in (PLAIN, OTHERS, ALL)}) == 3
    plain = RefinedSum(POINTS, 0 * PAR).scores(RESULTS)
    assert plain.tolist() == PassRule(POINTS).scores(RESULTS).tolist()


def test_fractions_are_not_rounded():
    finer = RefinedSum(jnp.asarray(100.0 * POINTS), jnp.asarray(100.0 * PAR), OTHERS)
    results = jax.tree.map(jnp.asarray, RESULTS)
    whole = RefinedSum(POINTS, PAR, OTHERS).scores(RESULTS)
    fractions = RefinedSum(1.0 * jnp.asarray(POINTS), 1.0 * jnp.asarray(PAR), OTHERS)
    assert not np.array_equal(fractions.scores(results), whole)
    # Of a single pass nothing but the last rounding is left: half a point a round.
    one = {"points": POINTS[:1], "par": PAR[:1]}
    apart = replace(fractions, **{k: 1.0 * jnp.asarray(v) for k, v in one.items()}).scores(results)
    assert np.abs(apart - RefinedSum(**one).scores(RESULTS)).max() <= 4 * 0.5 + 1e-3
    assert finer.scores(results).dtype == jnp.float32


SMALL = Config(
    "small",
    event=EventFormat(24, 5, 2),
    field=FieldConfig(low=2000.0, high=2400.0),
    train=TrainConfig("decisions", events=60, held_out=8),
    decisions=DecisionConfig(passes=2, knots=3),
)


@pytest.mark.thorough
def test_plain_is_fitted_as_the_training_does_it_and_descent_improves_it():
    worlds = better_tables.play(SMALL, 60, SMALL.train.seed)
    rule, fitted = better_tables.nothing_before(SMALL, PLAIN), []
    for _ in range(2):
        raw, rule = better_tables.fit_pass(rule, worlds, SMALL)
        fitted.append(raw)
    wanted = pass_table(list(fit_surfaces(SMALL)), "wanted").tables
    # The mean is rounded on its own here, which moves what opponents count as by some hundredths.
    first, second = np.abs(rule.points - rule.par[..., None, None] - wanted)
    assert first.max() <= 1 and second.mean() <= 4 and np.abs(wanted[1]).mean() > 40

    def off(raw, par):
        points = np.stack([better_tables.grid_of(part, SMALL) for part in raw])
        smooth = RefinedSum(jnp.asarray(100 * points), jnp.asarray(100 * par), OTHERS)
        return float(better_tables._pair_error(smooth, worlds[0], SMALL))

    start = np.stack(fitted).astype(np.float32), (rule.par / 100).astype(np.float32)
    ended = better_tables.descend(start, worlds, SMALL, OTHERS, 1, rate=0.01, steps=40)
    assert off(*ended) < off(*start) - 1e-3


def page(tmp_path, more, spread=0.001):
    rows = [
        (world, rule, top, 0.2, 0.5, value, value - spread, value + spread)
        for world in (*better_tables.WORLDS, "mean")
        for rule, value in (("rosters-180x11", 0.0), ("a", more), ("b", 0.004))
        for top in ("10", "30")
    ]
    names = ["world", "rule", "top", "error", "near", "more", "more_low", "more_high"]
    rates = pd.DataFrame(rows, columns=names)
    for name in ("error", "nearer"):
        rates = rates.assign(**{f"{name}_low": 0.0, f"{name}_high": 0.0}, nearer=0.0)
    rates["error"] += rates["more"]
    better_tables.write(tmp_path, rates, {"trained": 1, "events": 1, "seed": 1})
    return (tmp_path / "README.md").read_text("utf-8").split("\n\n")[1]


def test_the_first_sentence_says_whether_there_is_a_gain(tmp_path):
    assert page(tmp_path, -0.0009).startswith("No: none of 2 tables")
    gain = page(tmp_path, -0.0025)
    assert gain.startswith("Yes: of 100 ties") and "2 tables decides 0.25 fewer wrongly" in gain
    assert page(tmp_path, -0.002, spread=0.003).startswith("No: none of 2 tables")
    assert page(tmp_path, -0.0009, spread=0.0001).startswith("Barely: of 100 ties")


@pytest.mark.slow
def test_a_quick_run(tmp_path, monkeypatch):
    monkeypatch.setattr(better_tables, "ROSTERS", "learned-38x9")
    monkeypatch.setattr(better_tables, "WORLDS", ("etcc-38x9",))
    # Its descents stay where they start: they take long to compile, and have a test of their own.
    monkeypatch.setattr(better_tables, "descend", lambda start, *_: tuple(map(np.asarray, start)))
    options = ["--out", str(tmp_path), "--events", "8", "--trained", "8"]
    done = CliRunner().invoke(better_tables.main, options)
    assert done.exit_code == 0, done.output
    rates = pd.read_csv(tmp_path / "rates.csv", dtype={"top": str})
    assert len(rates) == 2 * 6 * 2 and set(rates["world"]) == {"etcc-38x9", "mean"}
    assert (rates["more"][rates["rule"] == "learned-38x9"] == 0).all()
    page = (tmp_path / "README.md").read_text("utf-8")
    assert "## Over all four worlds" in page and "joint, own without the match" in page
