"""The lookup table: points, rescaling, instructions, export."""

import csv
import dataclasses
import json

import numpy as np
import pytest
from helpers import random_surfaces

from tb2learn.export.table import table_csv, table_json
from tb2learn.export.words import how_to_use, note
from tb2learn.tiebreaks import rules as tiebreaks_rules
from tb2learn.tiebreaks.passes import PassRule, margin
from tb2learn.tiebreaks.tables import TableRule
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
    grid = surface.share_grid(11)
    exact = 1000 * surface.predict(smooth, grid, grid)
    assert table.tables.shape == (1, 23, 23, 9) and table.tables.dtype == np.int32
    assert np.abs(table.tables[0] - exact).max() <= 0.5
    assert not table.rescaled and table.unit == 1.0
    content = json.loads(table_json(table))
    np.testing.assert_array_equal(np.array(content["points"]).transpose(0, 2, 1), table.tables[0])
    assert content["opponent_mp"] == list(range(23)) == content["own_mp"]
    product = json.loads(table_json(tiebreaks_rules.product_table(11, 4)))
    assert product["header"]["points"] == "0 to 176, in units of 0.5"


# --- tables in passes and the formula -------------------------------------------------------------


@pytest.fixture(scope="module")
def surfaces():
    return random_surfaces(3, rounds=5, boards=4)


def test_a_pass_table_is_the_rounded_surface(surfaces):
    table = pass_table(surfaces, "learned")
    # 5 rounds: an opponent counts for 1.2 match points more or less at most, so 2 columns beyond.
    assert margin(5) == 2
    assert table.tables.shape == (3, 11, 15, 9) and table.tables.dtype == np.int32
    assert (table.event_rounds, table.boards, table.unit, table.rescaled) == (5, 4, 1.0, False)
    columns = np.arange(-2, 13) / 10
    for points, one in zip(table.tables, surfaces, strict=True):
        exact = 100 * surface.predict_value(one, surface.share_grid(5), columns)
        assert np.abs(points - exact).max() <= 0.5 + 1e-9
    assert np.diff(table.tables, axis=3).min() >= 0  # with the result
    assert np.diff(table.tables, axis=2).min() >= 0  # with what the opponent counts as
    assert np.diff(table.tables, axis=1).max() > 0  # but not with one's own match points


def test_the_columns_that_are_shown():
    """Match points that an opponent can have: 0 to 2 a round, not the margins beyond."""
    table = pass_table(random_surfaces(2, rounds=4, boards=1), "learned")
    assert table.tables.shape[2] == 9 + 2 * margin(4)
    page = table._repr_html_()
    assert "own match points 4, pass 2" in page
    for column in range(-2, 12):
        assert (f"<th>{column}</th>" in page) == (0 <= column <= 8), column


def test_a_pass_table_of_other_rounds_says_so(surfaces):
    table = pass_table(surfaces, "learned", rounds=10)
    assert table.tables.shape == (3, 21, 21 + 2 * margin(10), 9)
    assert table.rescaled and "trained at 5 rounds" in note(table)
    assert how_to_use(table)[-1] == f"Note: {note(table)}."
    # The same shares, twice the match points.
    trained = pass_table(surfaces, "learned", finer=10_000)
    twice = pass_table(surfaces, "learned", rounds=10, finer=10_000)
    inner = twice.tables[2, ::2, margin(10) : -margin(10) : 2]
    np.testing.assert_allclose(inner, 2 * trained.tables[2, :, 2:-2], atol=1.01)
    with pytest.raises(InputError, match=r"rounds must be 1\.\.40, got 41"):
        pass_table(surfaces, "learned", rounds=41)


def test_digests_are_those_of_the_numbers(surfaces):
    one = pass_table(surfaces, "learned")
    points = one.tables.copy()
    points[2, 3, 4, 5] += 1
    digests = [
        one.digest(),
        pass_table(surfaces, "another name").digest(),
        dataclasses.replace(one, tiebreak=PassRule(points)).digest(),
        tiebreaks_rules.formula_rule("f", 5, 4, 0.2, 0.1).digest(),
        tiebreaks_rules.formula_rule("f", 5, 4, 0.2, 0.11).digest(),
    ]
    assert digests[0] == digests[1] and len(set(digests)) == 4


def test_all_passes_are_exported(surfaces):
    about = {
        "config": {"name": "c", "description": "d", "event": {"teams": 9}},
        "events": 7,
        "seed": 5,
        "version": "0",
    }
    table = pass_table(surfaces, "learned", provenance=about)
    content = json.loads(table_json(table))
    assert "points" not in content
    from_json = np.array(content["passes"]).transpose(0, 1, 3, 2)
    np.testing.assert_array_equal(from_json, table.tables)
    assert content["opponent_mp"] == list(range(-2, 13))
    assert content["header"]["points"] == "hundredths of a match point"

    rows = list(csv.reader(table_csv(table).splitlines()))
    points = np.full(table.tables.shape, 10**6)
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
    np.testing.assert_array_equal(points, table.tables)
    sentences = [row[2] for row in rows if row and row[1:2] and row[1].startswith("how to use")]
    assert sentences == content["how_to_use"] == list(how_to_use(table))


def test_what_is_known_of_a_rule_without_a_table():
    """Only a sum of results has a meaning where matches score 3, 1, 0."""
    formula = tiebreaks_rules.formula_rule("f", 5, 4, 0.2, 0.1)
    product, wins = tiebreaks_rules.product_table(5, 4), tiebreaks_rules.classic("wins", 5, 4)
    rules = product, formula, wins
    assert [rule.for_any_match_points for rule in rules] == [False, False, True]
    assert [rule.reduced for rule in rules] == [True, False, False]
    whole = dataclasses.replace(product, tiebreak=TableRule(product.tables[0], reduced=False))
    assert not whole.reduced
