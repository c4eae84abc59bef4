"""The lookup table: points, rescaling, instructions, export."""

import csv
import json

import jax.numpy as jnp
import numpy as np
import pytest

from tb2learn import standings, surface, tables
from tb2learn.export.table import table_csv, table_json
from tb2learn.types import InputError


@pytest.fixture(scope="module")
def smooth():
    thresholds = np.arange(8.0)[:, None, None] - 3.5
    share = np.linspace(0.0, 1.0, 6)
    coefficients = thresholds + 5.0 * (share[None, None, :] - share[None, :, None])
    return surface.Surface(coefficients, rounds=11)


def test_points_are_the_rounded_surface(smooth):
    table = tables.surface_table(smooth, "smooth")
    grid = surface.shares(11)
    exact = 1000 * surface.predict(smooth, grid, grid)
    assert table.points.shape == (23, 23, 9) and table.points.dtype == np.int32
    assert np.abs(table.points - exact).max() <= 0.5
    assert table.note == "" and table.unit == 1.0


def test_table_is_monotone_in_whole_points(smooth):
    points = tables.surface_table(smooth, "smooth").points
    assert np.diff(points, axis=2).min() >= 0
    assert np.diff(points, axis=1).min() >= 0
    assert np.diff(points, axis=0).max() <= 0


def test_another_number_of_rounds_is_rescaled_and_says_so(smooth):
    table = tables.surface_table(smooth, "smooth", rounds=9)
    assert table.points.shape == (19, 19, 9)
    assert "trained at 11 rounds" in table.note and "9" in table.note
    assert any("trained at 11 rounds" in line for line in tables.how_to_use(table))
    np.testing.assert_array_equal(
        table.points[18, 18], tables.surface_table(smooth, "smooth").points[22, 22]
    )


def test_fine_table_has_the_same_scale(smooth):
    fine = tables.surface_table(smooth, "smooth", full_points=1_000_000)
    coarse = tables.surface_table(smooth, "smooth")
    assert np.abs(fine.points * fine.unit - coarse.points).max() <= 0.5


def test_other_formats_are_refused_by_name(smooth):
    table = tables.surface_table(smooth, "smooth")
    with pytest.raises(InputError, match="smooth is for matches on 4 boards, the event has 6"):
        table.check_format(11, 6)
    with pytest.raises(InputError, match="smooth is for 11 rounds, the event has 9"):
        table.check_format(9, 4)
    with pytest.raises(InputError, match=r"rounds must be 1\.\.15, got 16"):
        tables.surface_table(smooth, "smooth", rounds=16)


def test_product_table_is_the_product_rule():
    table = tables.product_table(11, 4)
    for own, opponent, half_points in [(0, 0, 0), (20, 16, 7), (3, 22, 8)]:
        assert table.points[own, opponent, half_points] * table.unit == opponent * half_points / 2


def test_csv_and_json_hold_the_same_numbers(smooth):
    table = tables.surface_table(
        smooth,
        "smooth",
        provenance={
            "config": {"name": "c", "description": "d"},
            "events": 7,
            "seed": 5,
            "version": "0",
        },
    )
    content = json.loads(table_json(table))
    from_json = np.array(content["points"]).transpose(0, 2, 1)
    np.testing.assert_array_equal(from_json, table.points)
    assert content["gp"] == [g / 2 for g in range(9)]

    rows = list(csv.reader(table_csv(table).splitlines()))
    blocks, own = {}, None
    for row in rows:
        if row and row[0] == "own MP":
            own = int(row[1])
        elif own is not None and row and row[0][0].isdigit():
            blocks.setdefault(own, []).append([int(x) for x in row[1:]])
    from_csv = np.array([blocks[o] for o in range(23)]).transpose(0, 2, 1)
    np.testing.assert_array_equal(from_csv, table.points)
    about = {row[1]: row[2] for row in rows if row and row[0] == "#"}
    assert about["trained"] == "7 simulated events, seed 5, 11 rounds"
    assert about["version"] == "tb2learn 0" and about["config"] == "c"
    assert "Leave out the opponent with the fewest MP" in about["how to use 3"]


def test_instruction_is_what_the_standings_do(smooth):
    """Follow the printed instruction by hand for one team, against the library."""
    points = tables.surface_table(smooth, "smooth").points
    opponents = jnp.array([[12, 9, 9, 20, 15]])
    half_points = np.array([8, 3, 5, 2, 4])
    values = jnp.asarray(points[18, np.asarray(opponents[0]), half_points])[None]
    by_hand = sorted((int(o), int(v)) for o, v in zip(opponents[0], values[0], strict=True))[1:]
    weakest = standings.weakest_item(opponents, values, jnp.zeros((1, 5), bool))
    assert int(standings.reduced_sum(values, weakest)[0]) == sum(v for _, v in by_hand)
