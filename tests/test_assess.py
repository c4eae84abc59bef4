"""Both protocols: counts against the slow oracle, invariances, intervals."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import slow_oracle
from helpers import joined, measure_each

from tb2learn import assess as a
from tb2learn import oracle
from tb2learn.config import Config, EventFormat, FieldConfig
from tb2learn.olympiad import play
from tb2learn.rng import Purpose
from tb2learn.tables import LookupTable, product_table
from tb2learn.types import InputError

CONFIG = Config(name="t", event=EventFormat(21, 5, 2), field=FieldConfig(low=2000.0, high=2400.0))
PRODUCT = product_table(5, 2)


def random_table(seed: int = 0) -> LookupTable:
    points = np.random.default_rng(seed).integers(0, 50, PRODUCT.points.shape).astype(np.int32)
    return LookupTable("random", 5, 2, points)


def whole_event(key, event, config, args):
    return event.rosters, event.opponents, event.half_points, event.match_points


def test_single_event_counts_are_the_slow_oracles():
    tables, events = [PRODUCT, random_table()], 24
    tally = a.single_event_tally(CONFIG, tables, events, seed=5)
    batches = measure_each(CONFIG, whole_event, seed=5, purpose=Purpose.ASSESS, events=events)
    played = list(zip(*joined(batches), strict=True))
    for number, (rosters, opponents, half_points, own) in enumerate(played):
        truth = np.asarray(oracle.true_strength(jnp.asarray(rosters), CONFIG.game)).tolist()
        rounds = [
            [(t, int(o), int(h[t])) for t, o in enumerate(opp) if o > t]
            + [(t, None, int(h[t])) for t, o in enumerate(opp) if o == -1]
            for opp, h in zip(opponents, half_points, strict=True)
        ]
        for rule, table in enumerate(tables):
            rows = slow_oracle.standings(
                21,
                2,
                rounds,
                value=lambda o, p, h, points=table.points: int(points[o, p, h]),
            )
            scores = {row["team"]: row["tb2"] for row in rows}
            for column, top in enumerate(a.TOPS):
                pairs, errors = slow_oracle.single_event_errors(
                    own.tolist(), [scores[t] for t in range(21)], truth, top
                )
                assert tally.pairs[number, column] == pairs
                assert tally.errors[number, rule, column] == errors


def test_rounding_is_counted_against_the_last_rule():
    one = random_table()
    same = dataclasses.replace(one, name="same")
    other = dataclasses.replace(one, points=-one.points)
    results = [a.assess(CONFIG, [PRODUCT, one], 16, 1, unrounded=fine) for fine in (same, other)]
    assert results[0].rounding[0] == 0
    changed, pairs = results[1].rounding
    assert 0 < changed <= pairs  # all but equal scores
    assert [r.rule for r in results[0].results] == ["product"] * 5 + ["random"] * 5


@pytest.mark.parametrize("lists", a.LISTS)
def test_thesis_protocol_is_between_perfect_and_coin(lists):
    result = a.assess(CONFIG, [PRODUCT], 8, 1, "thesis", lists)
    for row in result.results:
        assert 0.0 <= row.error_rate <= 1.0
        assert row.ci[0] <= row.error_rate <= row.ci[1]


def test_thesis_protocol_does_not_depend_on_the_batch(monkeypatch):
    first = a.thesis_tally(CONFIG, [PRODUCT], 10, 3, "same-group")
    monkeypatch.setattr("tb2learn.simulate.default_batch", lambda config, events: 3)
    monkeypatch.setattr(a, "_CHUNK", 17)
    second = a.thesis_tally(CONFIG, [PRODUCT], 10, 3, "same-group")
    np.testing.assert_array_equal(first.pairs, second.pairs)
    np.testing.assert_array_equal(first.errors, second.errors)


def test_a_rule_that_knows_the_strength_is_nearly_never_wrong_with_its_own_list():
    """Teams far apart, equal lists: the better team scores more whatever the rule."""
    law = oracle.mode_chances(np.array([0.9, 0.05, 0.05]), a.REPEATS)
    assert float(law[0]) > 0.999


def test_lists_are_chosen_as_named():
    own = np.array([4, 2, 4, 4, 2, 0])
    facts = a.Facts(
        list_key=np.array([[1, 2]], np.uint32),
        game_key=np.array([[3, 4]], np.uint32),
        rosters=np.zeros((1, 6, 2), int),
        match_points=own[None],
        reduced=np.zeros((1, 6, 3), int),
        readings=(),
        strength=np.zeros((1, 6, 11)),
    )
    pairs = a._tied_pairs(facts, "own")
    assert pairs.team.tolist() == [[0, 2], [0, 3], [1, 4], [2, 3]]
    assert pairs.first_place.tolist() == [1, 1, 4, 1]
    assert (a._tied_pairs(facts, "swapped").owner == pairs.team[:, ::-1]).all()
    group = a._tied_pairs(facts, "same-group").owner
    assert (own[group] == own[pairs.team]).all() and (group[:, 0] != group[:, 1]).all()
    anyone = a._tied_pairs(facts, "random").owner
    assert (anyone[:, 0] != anyone[:, 1]).all() and anyone.max() < 6


def test_random_lists_are_uniform():
    """Chi-square of list owners against uniform, fixed seed, alpha 0.001."""
    own, team = np.zeros(10, int), np.zeros((20_000, 2), int)
    owners = a._two_random(np.array([5, 6], np.uint32), own, team, "same-group")
    counts = np.bincount(owners[:, 1], minlength=10)
    assert ((counts - 2000) ** 2 / 2000).sum() < 27.88  # 9 degrees of freedom
    assert (owners[:, 0] != owners[:, 1]).all()


def test_reduced_list_leaves_out_the_weakest_or_the_bye():
    event = jax.jit(lambda k: play(k, CONFIG))(jax.random.key(0))
    reduced = np.asarray(
        a._reduced_lists(event.opponents, event.half_points, event.match_points, CONFIG)
    )
    opponents, own = np.asarray(event.opponents).T, np.asarray(event.match_points)
    for team in range(21):
        kept = [o for o in reduced[team] if o >= 0]
        met = [o for o in opponents[team] if o >= 0]
        assert len(kept) == 4
        if len(met) == 5:
            (gone,) = set(met) - set(kept) or {next(o for o in met if met.count(o) > 1)}
            assert own[gone] == min(own[met])


def test_interval_of_a_known_rate():
    """500 events with one pair each, a fifth wrong: the interval is the binomial one."""
    wrong = (np.arange(500) % 5 == 0).astype(np.int64)
    tally = a.Tally(
        ("product", "half"),
        np.ones((500, 4), np.int64),
        np.stack([np.repeat(2 * wrong[:, None], 4, 1), np.repeat(wrong[:, None], 4, 1)], axis=1),
        2,
        None,
    )
    first, second = (r for r in a.summarise(tally, seed=0) if r.top == 10)
    assert first.error_rate == pytest.approx(0.2) and second.reduction == pytest.approx(0.5)
    spread = 1.96 * np.sqrt(0.2 * 0.8 / 500)
    assert first.ci == pytest.approx((0.2 - spread, 0.2 + spread), abs=0.006)
    assert second.reduction_ci == pytest.approx((0.5, 0.5))


def test_no_pairs_is_no_number():
    tally = a.Tally(("p",), np.zeros((3, 4), np.int64), np.zeros((3, 1, 4), np.int64), 2, None)
    row = a.summarise(tally, seed=0)[0]
    assert row.pairs == 0 and np.isnan(row.error_rate) and np.isnan(row.ci).all()


def test_wrong_arguments_are_named():
    with pytest.raises(InputError, match="for 7 rounds, the event has 5"):
        a.assess(CONFIG, [product_table(7, 2)], 1, 1)
    with pytest.raises(InputError, match="on 4 boards, the event has 2"):
        a.assess(CONFIG, [product_table(5, 4)], 1, 1)
