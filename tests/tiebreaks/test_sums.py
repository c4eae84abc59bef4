"""Every tie-break against plain Python, by hand on four teams, and as a pure function."""

import dataclasses
from functools import lru_cache
from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import slow_oracle
from helpers import results_of, slow_after

from tb2learn import tiebreaks
from tb2learn.assessment.references import AllPlayAll
from tb2learn.chess.results import Results
from tb2learn.tiebreaks import (
    Buchholz,
    FormulaRule,
    GamePoints,
    LeastSquares,
    PassRule,
    RowSum,
    TableRule,
    TieBreak,
)
from tb2learn.tiebreaks.library import LIBRARY
from tb2learn.tiebreaks.passes import margin, most_refinement
from tb2learn.tiebreaks.rules import CLASSICS, classic, formula_rule, product_table
from tb2learn.types import BYE

SIZES = [(2, 1, 4), (3, 2, 1), (7, 6, 12), (16, 15, 2), (20, 5, 4)]
EVENTS = 4


@lru_cache(maxsize=8)
def events(teams, rounds, boards):
    """Events with random pairings and results; the last is the first round again and again."""

    def no_draws(mean, difference):
        return 0.3

    found = []
    for seed in range(EVENTS):
        random = Random(seed)
        ratings = [[random.gauss(2400, 150)] * boards for _ in range(teams)]
        found.append(slow_oracle.play_event(random, ratings, rounds, "consistent", no_draws).rounds)
    random = Random(99)
    again = [
        [(a, b, boards if b is None else random.randint(0, 2 * boards)) for a, b, _ in found[0][0]]
        for _ in range(rounds)
    ]
    return [*found, again]


def random_rules(teams, rounds, boards):
    """Rules of every kind, with numbers that mean nothing."""
    generator = np.random.default_rng(teams)
    scores, results = 2 * rounds + 1, 2 * boards + 1
    columns = scores + 2 * margin(rounds)
    points = generator.integers(-400, 400, (3, scores, columns, results)).astype(np.int32)
    points[:-1] //= 3  # so that not every opponent is held at the most
    points = jnp.asarray(points)
    scale, refinement = jnp.float32(0.3), jnp.float32(0.06)
    return {
        "table": TableRule(points[0, :, :scores]),
        "whole table": TableRule(points[0, :, :scores], reduced=False),
        "one pass": PassRule(points[:1]),
        "two passes": PassRule(points[:2]),
        "three passes": PassRule(points),
        "reduced": PassRule(points, reduced=True),
        "formula, one pass": FormulaRule(scale, refinement, boards, 1, rounds),
        "formula": FormulaRule(scale, refinement, boards, 3, rounds),
        "clipped formula": FormulaRule(scale, 9 * refinement, boards, 2, rounds),
        "buchholz": Buchholz(),
        "game points": GamePoints(),
        "least squares": LeastSquares(boards),
        "row sum": RowSum(jnp.int32(6), boards),
    }


@jax.jit
def all_scores(rules, results):
    return {name: rule.scores(results) for name, rule in rules.items()}


def slow_scores(rule, teams, boards, rounds):
    """The scores of a rule, in its own whole points but for what rounding is left."""
    event = slow_oracle.played(teams, boards, rounds)
    n = len(rounds)
    match rule:
        case TableRule(points=points, reduced=reduced):
            points = np.asarray(points).tolist()
            if not reduced:
                return [
                    sum(points[mp][event.mp[o]][half] for o, half in items if o is not None)
                    for mp, items in zip(event.mp, event.items, strict=True)
                ]

            def value(own, opponent, half):
                return points[own][opponent][half]

            rows = slow_oracle.standings(teams, boards, rounds, value=value)
            return [row["tb2"] for row in sorted(rows, key=lambda row: row["team"])]
        case PassRule(points=points, reduced=reduced):
            return slow_oracle.pass_scores(event, np.asarray(points).tolist(), reduced)
        case FormulaRule(scale=scale, refinement=refinement, passes=passes):
            a, k = float(scale) * 2 * n, float(refinement) * 2 * n / boards
            found = slow_oracle.formula_scores(event, boards, a, k, passes)
            return [10_000 * score / boards for score in found]
        case Buchholz():
            rows = slow_oracle.standings(teams, boards, rounds)
            return [row["tb4"] for row in sorted(rows, key=lambda row: row["team"])]
        case GamePoints():
            return [sum(half for _, half in items) for items in event.items]
        case LeastSquares():
            return slow_oracle.paired_scores(teams, boards, rounds)
        case RowSum(inverse=inverse):
            return slow_oracle.paired_scores(teams, boards, rounds, inverse=int(inverse))


WHOLE = (TableRule, PassRule, Buchholz, GamePoints, LeastSquares, RowSum)
"""Rules in integers, which are the same everywhere; the formula is in single precision."""


@pytest.mark.parametrize("size", slow_after(2, SIZES, spread=False), ids=str)
def test_scores_are_those_of_plain_python(size):
    teams, _, boards = size
    rules = random_rules(*size)
    for matches in events(*size):
        found = all_scores(rules, results_of(teams, boards, matches))
        for name, rule in rules.items():
            expected = np.array(slow_scores(rule, teams, boards, matches), float)
            off = np.abs(np.asarray(found[name]) - expected)
            if isinstance(rule, WHOLE):
                assert off.max() == 0, name
            else:  # single precision, rounded to whole units
                assert off.max() <= 1 + 2e-6 * np.abs(expected).max(), name


def test_the_random_events_hold_what_rules_trip_over():
    """Byes, rematches, ties, readings held at the most and refined by every tenth."""
    size = (7, 6, 12)
    event = slow_oracle.played(7, 12, events(*size)[0])
    assert sum(any(o is None for o, _ in items) for items in event.items) == 6
    tables_ = np.asarray(random_rules(*size)["three passes"].points).tolist()
    reading, _ = slow_oracle.pass_values(event, tables_)
    moved = [
        value - 10 * event.mp[event.items[team][r][0]]
        for team, of_team in enumerate(reading)
        for r, value in of_team.items()
    ]
    assert max(moved) <= 15 and min(moved) >= -15 and {-15, 15} & set(moved)
    assert len({m % 10 for m in moved}) >= 4
    again = slow_oracle.played(7, 12, events(*size)[-1])
    assert len({o for o, _ in again.items[0]}) == 1


# --- by hand --------------------------------------------------------------------------------------

# Four teams, two boards, three rounds, half points of the first:
#   A-B 3:1, C-D 2:2;  A-C 1:3, B-D 4:0;  A-D 4:0, B-C 2:2.
# Match points: A 2+0+2 = 4, B 0+2+1 = 3, C 1+2+1 = 4, D 1+0+0 = 1.
HAND = [[(0, 1, 3), (2, 3, 2)], [(0, 2, 1), (1, 3, 4)], [(0, 3, 4), (1, 2, 2)]]


def by_hand(rule):
    return np.asarray(rule.scores(results_of(4, 2, HAND))).tolist()


def test_by_hand_game_points():
    assert by_hand(GamePoints()) == [3 + 1 + 4, 1 + 4 + 2, 2 + 3 + 2, 2 + 0 + 0]


def test_by_hand_buchholz():
    # A met 3, 4, 1: less 1. B met 4, 1, 4: less 1. C met 1, 4, 3: less 1. D met 4, 3, 4: less 3.
    assert by_hand(Buchholz()) == [7, 8, 7, 8]


def test_by_hand_product():
    # Opponent's match points times half points, less the weakest opponent's:
    # A 3*3 + 4*1 (+ 1*4); B 4*1 + 4*2 (+ 1*4); C 4*3 + 3*2 (+ 1*2); D 4*2 + 4*0 (+ 3*0).
    assert by_hand(product_table(3, 2).tiebreak()) == [13, 12, 18, 8]


def test_by_hand_least_squares():
    # Games less half of them: A 4-3 = 1, B 3.5-3, C 3.5-3, D 1-3. After a round robin q = s / 4.
    assert by_hand(LeastSquares(2)) == [2500, 1250, 1250, -5000]


def test_by_hand_row_sum():
    # After a round robin L s = 4 s, so (1 + 4 epsilon) x = (1 + 4 epsilon) s.
    assert by_hand(RowSum(jnp.int32(6), 2)) == [10_000, 5000, 5000, -20_000]


def test_by_hand_formula():
    # a = 1 match point: expected shares 1/(1 + 10^-ahead) are 1/2, 10/11, 100/101, 1000/1001.
    # A 3/4-10/11 + 1/4-1/2 + 1-1000/1001;     B 1/4-1/11 + 1-100/101 + 1/2-1/11;
    # C 1/2-1000/1001 + 3/4-1/2 + 1/2-10/11;   D 1/2-1/1001 + 0-1/101 + 0-1/1001.
    one = FormulaRule(jnp.float32(1 / 6), jnp.float32(1 / 6), boards=2, passes=1, rounds=3)
    assert by_hand(one) == [-4081, 5781, -6581, 4881]
    # Refined by 1 match point for all games of a match, 0.75 at most, for A: B counts as
    # 3 + 0.5781 - 0.1591 = 3.4190, C as 4 - 0.6581 - 0.25, held at 3.25, D as 1 + 0.4881 + 0.0010
    # = 1.4891; the shares are 3/4 - 0.79213 + 1/4 - 0.84902 + 1 - 0.99693 = -0.63808.
    assert by_hand(dataclasses.replace(one, passes=2))[0] == -6381


def by_hand_passes(slopes):
    """Tables of `20*(half points - 2) + slope*(opponent's - own match points)` hundredths."""
    own, column, half = np.ix_(np.arange(7), np.arange(-1, 8), np.arange(5))
    return jnp.asarray(np.stack([20 * (half - 2) + slope * (column - own) for slope in slopes]))


def test_by_hand_passes():
    # A  20*1+10*(3-4) = 10,  20*-1+10*0 = -20,  20*2+10*(1-4) = 10   sum 0
    # B  -20+10 = -10 (A),  40-20 = 20 (D),  0+10 = 10 (C)            sum 20
    # C  0-30 = -30 (D),  20+0 = 20 (A),  0-10 = -10 (B)              sum -20
    # D  0+30 = 30 (C),  -40+20 = -20 (B),  -40+30 = -10 (A)          sum 0
    assert by_hand(PassRule(by_hand_passes([10]))) == [0, 20, -20, 0]
    # For A now B counts as 3 + (20 + 10)/100, C as 4 + (-20 - 20)/100, D as 1 + (0 + 10)/100.
    rule = PassRule(by_hand_passes([10, 30]))
    assert np.asarray(rule.opponent_score(results_of(4, 2, HAND)))[0].tolist() == [33, 36, 11]
    # 20 + 30*(3.3-4) = -1, -20 + 30*(3.6-4) = -32, 40 + 30*(1.1-4) = -47.
    assert by_hand(rule)[0] == -80
    # Reduced, everybody leaves one out: A and B and C leave D out, D leaves B out.
    # Sums: A 10-20 = -10, B -10+10 = 0, C 20-10 = 10, D 30-10 = 20. For A now B counts as
    # 3 + (0 + 10)/100, C as 4 + (10 - 20)/100: 20 + 30*(3.1-4) = -7, -20 + 30*(3.9-4) = -23.
    assert by_hand(PassRule(by_hand_passes([10]), reduced=True)) == [-10, 0, 10, 20]
    assert by_hand(PassRule(by_hand_passes([10, 30]), reduced=True))[0] == -30


def two_passes(first, second):
    """A met B, B met C: B's sum without A's match is its value against C, which is `first`."""
    shares, columns = 5, 7
    points = np.zeros((2, shares, columns, 3), np.int32)
    points[0] = first
    points[1] = np.asarray(second)[None, :, None]
    matches = [[(0, 1, 1), (2, 3, 1)], [(1, 2, 1), (0, 3, 1)]]
    rule = PassRule(jnp.asarray(points))
    return int(np.asarray(rule.opponent_score(results_of(4, 1, matches)))[0, 0]) - 20, rule


@pytest.mark.parametrize(
    ("gained", "tenths"),
    [(4, 0), (5, 1), (14, 1), (15, 2), (-5, 0), (-6, -1), (-15, -1), (-16, -2)],
)
def test_tenths_are_rounded_halves_up(gained, tenths):
    assert two_passes(gained, [0] * 7)[0] == tenths


@pytest.mark.parametrize(("gained", "tenths"), [(44, 4), (500, 5), (-500, -5)])
def test_refinement_is_held(gained, tenths):
    assert most_refinement(2) == 5 and margin(2) == 1
    assert two_passes(gained, [0] * 7)[0] == tenths


@pytest.mark.parametrize(("tenths", "value"), [(0, 0), (1, 0), (3, 1), (5, 2), (-5, -1), (-1, 0)])
def test_between_columns_is_a_whole_point(tenths, value):
    """Columns are -1 .. 5 match points; everybody has two. 3 more a column, halves up."""
    column = 3 * np.arange(7) - 9
    moved, rule = two_passes(10 * tenths, column)
    assert moved == tenths
    values = np.asarray(rule.values(results_of(4, 1, [[(0, 1, 1), (2, 3, 1)]] * 2)))
    assert values[0, 0] == value


def test_one_pass_is_a_table():
    """Where opponents count as their match points, columns beyond them are never read."""
    size = (20, 5, 4)
    rules = random_rules(*size)
    beyond = margin(5)
    inner = rules["one pass"].points[0, :, beyond:-beyond]
    for matches in events(*size):
        results = results_of(20, 4, matches)
        np.testing.assert_array_equal(
            PassRule(rules["one pass"].points).scores(results),
            TableRule(inner, reduced=False).scores(results),
        )


def test_row_sum_is_between_scores_and_least_squares():
    """The smaller epsilon, the nearer are row sums to scores, the larger, to least squares."""
    results = results_of(20, 4, events(20, 5, 4)[0])
    s = np.asarray(GamePoints().scores(results)) - 5 * 4
    q = np.asarray(LeastSquares(4).scores(results))
    scores = jax.jit(lambda rule, results: rule.scores(results))
    rules = [RowSum(jnp.int32(inverse), 4) for inverse in (1, 6, 60, 600, 6000)]
    sums = [np.asarray(scores(rule, results)) for rule in rules]
    to_scores = [np.corrcoef(x, s)[0, 1] for x in sums]
    to_ratings = [np.corrcoef(x, q)[0, 1] for x in sums]
    assert (np.diff(to_scores) > 0).all() and to_scores[-1] > 1 - 1e-5
    assert (np.diff(to_ratings) < 0).all() and to_ratings[0] > 0.99
    assert to_scores[0] < 0.99 and to_ratings[-1] < 0.99  # so that the two differ


# --- as pure functions ----------------------------------------------------------------------------


def test_a_rule_sees_results_alone():
    assert [field.name for field in dataclasses.fields(Results)] == [
        "opponents",
        "half_points",
        "match_points",
        "ratings",  # known to the public before the event
        "whites",
    ]


def test_every_rule_is_a_tie_break():
    individual = {name for name, entry in LIBRARY.items() if entry.individual}
    named = [classic(name, 5, 2 - (name in individual)) for name in CLASSICS]
    for rule in [*named, product_table(5, 2), formula_rule("f", 5, 2, 0.2, 0.1)]:
        assert isinstance(rule.tiebreak(), TieBreak)
    for rule in random_rules(3, 2, 1).values():
        assert isinstance(rule, TieBreak)
        assert type(rule).__name__ in tiebreaks.__all__
    assert not isinstance(AllPlayAll(), TieBreak)  # a limit sees more than results


def test_scores_do_not_depend_on_the_numbers_of_the_teams_or_rounds():
    size = (7, 6, 12)
    rules = random_rules(*size)
    for number, matches in enumerate(events(*size)):
        results = results_of(7, 12, matches)
        order = np.random.default_rng(number).permutation(7)  # the new team i is the old order[i]
        new_number = jnp.asarray(np.append(np.argsort(order), BYE))  # BYE stays BYE
        relabelled = Results(
            new_number[results.opponents[:, order]],
            results.half_points[:, order],
            results.match_points[order],
        )
        backwards = Results(
            results.opponents[::-1], results.half_points[::-1], results.match_points
        )
        found, other, late = (all_scores(rules, r) for r in (results, relabelled, backwards))
        for name, rule in rules.items():
            most = 0 if isinstance(rule, WHOLE) else 1 + 2e-6 * np.abs(found[name]).max()
            assert np.abs(found[name][order] - other[name]).max() <= most, name
            if name != "reduced":  # of several equal opponents it leaves out the first
                assert np.abs(found[name] - late[name]).max() <= most, name


def test_jit_vmap_and_plain_agree_and_numbers_do_not_recompile():
    size = (7, 6, 12)
    rules = random_rules(*size)
    results = [results_of(7, 12, matches) for matches in events(*size)]
    together = jax.tree.map(lambda *x: jnp.stack(x), *results)

    @jax.jit
    def batched(rules, results):
        return {name: jax.vmap(rule.scores)(results) for name, rule in rules.items()}

    found = batched(rules, together)
    for number, one in enumerate(results):
        for name, scores in all_scores(rules, one).items():
            most = 0 if isinstance(rules[name], WHOLE) else 1 + 2e-6 * np.abs(scores).max()
            assert np.abs(found[name][number] - scores).max() <= most, name
    for name in ("three passes", "formula", "table"):
        plain = rules[name].scores(results[0])
        assert np.abs(np.asarray(plain) - found[name][0]).max() <= (name == "formula")
    # Other numbers of the same shapes and dtypes are arguments of the same program.
    compiled = batched._cache_size()
    other = batched(jax.tree.map(lambda x: 2 * x, rules), together)
    assert batched._cache_size() == compiled
    assert (other["three passes"] != found["three passes"]).any()
