"""The lookup table: points, rescaling, instructions, export."""

import csv
import dataclasses
import json
import math
import re
from fractions import Fraction
from random import Random

import numpy as np
import pytest
import slow_oracle
from helpers import random_surfaces, recorded_of

from tb2learn.export.table import table_csv, table_json
from tb2learn.export.words import how_to_use, note
from tb2learn.tiebreaks import rules as tiebreaks_rules
from tb2learn.tiebreaks.passes import margin
from tb2learn.training import surface
from tb2learn.training.tabulate import pass_table, surface_table
from tb2learn.types import InputError


@pytest.fixture(scope="module")
def smooth():
    thresholds = np.arange(8.0)[:, None, None] - 3.5
    share = np.linspace(0.0, 1.0, 6)
    coefficients = thresholds + 5.0 * (share[None, None, :] - share[None, :, None])
    return surface.Surface(coefficients, rounds=11)


def test_points_are_the_rounded_surface(smooth):
    table = surface_table(smooth, "smooth")
    grid = surface.shares(11)
    exact = 1000 * surface.predict(smooth, grid, grid)
    assert table.points.shape == (23, 23, 9) and table.points.dtype == np.int32
    assert np.abs(table.points - exact).max() <= 0.5
    assert not table.rescaled and table.unit == 1.0


def test_other_formats_are_refused_by_name(smooth):
    table = surface_table(smooth, "smooth")
    with pytest.raises(InputError, match="smooth is for matches on 4 boards, the event has 6"):
        table.check_format(11, 6)
    with pytest.raises(InputError, match="smooth is for 11 rounds, the event has 9"):
        table.check_format(9, 4)
    with pytest.raises(InputError, match=r"rounds must be 1\.\.40, got 41"):
        surface_table(smooth, "smooth", rounds=41)


# --- tables in passes and the formula -------------------------------------------------------------


@pytest.fixture(scope="module")
def surfaces():
    return random_surfaces(3, rounds=5, boards=4)


def test_a_pass_table_is_the_rounded_surface(surfaces):
    table = pass_table(surfaces, "learned")
    # 5 rounds: an opponent counts for 1.2 match points more or less at most, so 2 columns beyond.
    assert margin(5) == 2
    assert table.points.shape == (3, 11, 15, 9) and table.points.dtype == np.int32
    assert (table.event_rounds, table.boards, table.unit, table.rescaled) == (5, 4, 1.0, False)
    columns = np.arange(-2, 13) / 10
    for points, one in zip(table.points, surfaces, strict=True):
        exact = 100 * surface.predict_value(one, surface.shares(5), columns)
        assert np.abs(points - exact).max() <= 0.5 + 1e-9
    assert np.diff(table.points, axis=3).min() >= 0  # with the result
    assert np.diff(table.points, axis=2).min() >= 0  # with what the opponent counts as
    assert np.diff(table.points, axis=1).max() > 0  # but not with one's own match points


def test_a_pass_table_of_other_rounds_says_so(surfaces):
    table = pass_table(surfaces, "learned", rounds=10)
    assert table.points.shape == (3, 21, 21 + 2 * margin(10), 9)
    assert table.rescaled and "trained at 5 rounds" in note(table)
    assert how_to_use(table)[-1] == f"Note: {note(table)}."
    # The same shares, twice the match points.
    trained = pass_table(surfaces, "learned", finer=10_000)
    twice = pass_table(surfaces, "learned", rounds=10, finer=10_000)
    inner = twice.points[2, ::2, margin(10) : -margin(10) : 2]
    np.testing.assert_allclose(inner, 2 * trained.points[2, :, 2:-2], atol=1.01)
    with pytest.raises(InputError, match=r"rounds must be 1\.\.40, got 41"):
        pass_table(surfaces, "learned", rounds=41)


def test_digests_are_those_of_the_numbers(surfaces):
    one = pass_table(surfaces, "learned")
    points = one.points.copy()
    points[2, 3, 4, 5] += 1
    digests = [
        one.digest(),
        pass_table(surfaces, "another name").digest(),
        dataclasses.replace(one, points=points).digest(),
        tiebreaks_rules.formula_rule("f", 5, 4, 0.2, 0.1).digest(),
        tiebreaks_rules.formula_rule("f", 5, 4, 0.2, 0.11).digest(),
    ]
    assert digests[0] == digests[1] and len(set(digests)) == 4


def played_event(random, teams, rounds, boards=4):
    """Rounds of random pairs and results; of an odd number one has a bye."""
    played = []
    for _ in range(rounds):
        order = random.sample(range(teams), teams)
        pairs = zip(order[::2], order[1::2], strict=False)
        matches = [(a, b, random.randint(0, 2 * boards)) for a, b in pairs]
        played.append(matches + [(order[-1], None, boards)] * (teams % 2))
    return played


class Arbiter:
    """Somebody with the printed sheet and a calculator: follows `how_to_use` sentence by sentence.

    Knows the exported JSON and the results, nothing of the package.
    """

    def __init__(self, sheet, teams, boards, rounds):
        self.sheet = json.loads(sheet)
        self.text = " ".join(self.sheet["how_to_use"])
        self.event = slow_oracle.played(teams, boards, rounds)
        self.most = Fraction(re.search(r"at most ([\d.]+) MP", self.text + "at most 0 MP").group(1))

    def matches(self, team):
        """Round, opponent and game points; "a round without a match adds nothing"."""
        items = enumerate(self.event.items[team])
        return [(r, o, Fraction(half, 2)) for r, (o, half) in items if o is not None]

    def entry(self, number, own, column, gp):
        block = self.sheet["passes"][number][self.sheet["own_mp"].index(own)]
        row = block[self.sheet["gp"].index(gp)]
        return row[self.sheet["opponent_mp"].index(column)]

    def held(self, by):
        return max(-self.most, min(self.most, by))

    def by_tables(self):
        before, sums, teams = [], None, range(len(self.event.mp))
        for number in range(len(self.sheet["passes"])):
            points = [{} for _ in teams]
            for team in teams:
                own = self.event.mp[team]
                for r, opponent, gp in self.matches(team):
                    counts_as = Fraction(self.event.mp[opponent])
                    if sums is not None:
                        without = sums[opponent] - before[opponent].get(r, 0)
                        tenths = math.floor(Fraction(without, 100) * 10 + Fraction(1, 2))
                        counts_as += self.held(Fraction(tenths, 10))
                    column = math.floor(counts_as)
                    value = Fraction(self.entry(number, own, column, gp))
                    if counts_as != column:
                        higher = self.entry(number, own, column + 1, gp)
                        value += (counts_as - column) * (higher - value)
                    points[team][r] = math.floor(value + Fraction(1, 2))
            before, sums = points, [sum(of_team.values()) for of_team in points]
        return sums

    def by_formula(self):
        boards, a = map(float, re.search(r"are (\d+) / .* / ([\d.]+)\)\)\.", self.text).groups())
        k = float(re.search(r"its MP plus ([\d.]+) times", self.text).group(1))
        again = int(re.search(r"do it again, (\d+) times", self.text).group(1))
        before, sums = [], None
        for _ in range(1 + again):
            points = [{} for _ in self.event.mp]
            for team, own in enumerate(self.event.mp):
                for r, opponent, gp in self.matches(team):
                    counts_as = self.event.mp[opponent]
                    if sums is not None:
                        by = k * (sums[opponent] - before[opponent][r])
                        counts_as += max(-float(self.most), min(float(self.most), by))
                    points[team][r] = float(gp) - boards / (1 + 10 ** (-(own - counts_as) / a))
            before, sums = points, [sum(of_team.values()) for of_team in points]
        return sums


@pytest.mark.thorough
@pytest.mark.parametrize("passes", [1, 3])
@pytest.mark.parametrize("teams", [9, 20])
def test_an_arbiter_with_the_printed_tables_gets_the_same_scores(surfaces, passes, teams):
    table = pass_table(surfaces[:passes], "learned")
    random = Random(passes)
    for _ in range(3):
        rounds = played_event(random, teams, 5)
        found = np.asarray(table.tiebreak().scores(recorded_of(teams, 4, rounds)))
        assert found.tolist() == Arbiter(table_json(table), teams, 4, rounds).by_tables()
    assert len(set(found.tolist())) > teams / 2


@pytest.mark.thorough
@pytest.mark.parametrize(("passes", "teams"), [(1, 20), (3, 9)])
def test_an_arbiter_with_the_formula_gets_the_same_scores(passes, teams):
    # a = 2.3 match points, k = 0.4 match points a game point.
    formula = tiebreaks_rules.formula_rule("formula", 5, 4, 2.3 / 10, 0.4 * 4 / 10, passes)
    assert (formula.a, formula.k) == pytest.approx((2.3, 0.4))
    random = Random(passes)
    for _ in range(3):
        rounds = played_event(random, teams, 5)
        found = np.asarray(formula.tiebreak().scores(recorded_of(teams, 4, rounds))) * formula.unit
        by_hand = Arbiter(table_json(formula), teams, 4, rounds).by_formula()
        np.testing.assert_allclose(found, by_hand, atol=formula.unit)
    content = json.loads(table_json(formula))
    assert (content["a"], content["k"], content["passes"]) == (formula.a, formula.k, passes)


def test_a_formula_of_other_rounds_has_the_same_shares():
    one = tiebreaks_rules.formula_rule("f", 5, 4, 0.2, 0.1, trained_rounds=5)
    two = tiebreaks_rules.formula_rule("f", 10, 4, 0.2, 0.1, trained_rounds=5)
    assert (two.a, two.k) == pytest.approx((2 * one.a, 2 * one.k))
    assert not one.rescaled and two.rescaled
    with pytest.raises(InputError, match=r"rounds must be 1\.\.40, got 41"):
        tiebreaks_rules.formula_rule("f", 41, 4, 0.2, 0.1)


def test_all_passes_are_exported(surfaces):
    about = {"config": {"name": "c", "description": "d"}, "events": 7, "seed": 5, "version": "0"}
    table = pass_table(surfaces, "learned", provenance=about)
    content = json.loads(table_json(table))
    assert "points" not in content
    from_json = np.array(content["passes"]).transpose(0, 1, 3, 2)
    np.testing.assert_array_equal(from_json, table.points)
    assert content["opponent_mp"] == list(range(-2, 13))
    assert content["header"]["points"] == "hundredths of a match point"

    rows = list(csv.reader(table_csv(table).splitlines()))
    points = np.full(table.points.shape, 10**6)
    for row in rows:
        match row:
            case ["pass", number]:
                this = int(number) - 1
            case ["own MP", number]:
                own = int(number)
            case ["GP / opponent MP", *numbers]:
                columns = [int(n) for n in numbers]
            case [gp, *numbers] if gp != "#":
                points[this, own, :, round(2 * float(gp))] = [int(n) for n in numbers]
                assert columns == content["opponent_mp"]
    np.testing.assert_array_equal(points, table.points)
    sentences = [row[2] for row in rows if row and row[1:2] and row[1].startswith("how to use")]
    assert sentences == content["how_to_use"] == list(how_to_use(table))


def test_a_rule_knows_its_tables():
    product = tiebreaks_rules.product_table(5, 2)
    passes = pass_table(random_surfaces(3, rounds=5, boards=2), "passes")
    formula = tiebreaks_rules.formula_rule("f", 5, 2, 0.25, 0.125)
    classic = tiebreaks_rules.classic("buchholz", 5, 2)
    np.testing.assert_array_equal(product.tables, [product.points])
    np.testing.assert_array_equal(passes.tables, passes.points)
    assert formula.tables.shape == classic.tables.shape == (0, 11, 0, 5)
    assert product.columns == list(range(11))
    assert passes.columns == list(range(-margin(5), 10 + margin(5) + 1))
    assert formula.columns == classic.columns == []
    rules = (product, passes, formula, classic)
    assert [rule.has_tables for rule in rules] == [True, True, False, False]
    assert [rule.passes for rule in rules] == [1, 3, 3, 0]
    assert [rule.in_passes for rule in rules] == [False, True, False, False]
    assert [dict(rule.constants) for rule in rules] == [{}, {}, {"a": 2.5, "k": 0.625}, {}]


@pytest.mark.parametrize("export", [table_csv, table_json, how_to_use])
def test_a_rule_without_tables_or_formula_is_not_exported(export):
    with pytest.raises(InputError, match=r"^buchholz has neither a table nor a formula to print$"):
        export(tiebreaks_rules.classic("buchholz", 5, 4))
