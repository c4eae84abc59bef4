"""How sure an order is: the map, its file, what is refused."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tb2learn.tiebreaks.confidence_map import (
    Confidence,
    Spread,
    Stretch,
    read_confidence,
    spread_of,
    to_json,
)
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError

HOME = Spread(100.0, 2.0, 0.5)
STRETCH = Stretch(
    HOME,
    np.array([0.5, 0, 0, 0, 0, 0, 0.25, 0, 1]),
    Spread(20.0, 1.0, 0.25),
    Spread(200.0, 8.0, 1.0),
)
MAP = Confidence(
    "product",
    product_table(2, 4).digest(),
    np.array([80, 90, 100, 110, 120.0]),
    0.5,
    {"seed": 1},
    STRETCH,
)
OTHER = Confidence("product", "0" * 64, np.array([7, 8, 9.0]), 0.5, {})


def test_a_margin_of_c_is_ten_to_one():
    assert MAP.probability(2, 100.0) == pytest.approx(10 / 11)
    np.testing.assert_allclose(
        MAP.probability(np.array([0, 4]), np.array([-80, 240])), [1 / 11, 100 / 101]
    )
    assert MAP.probability(3, 0) == 0.5


def test_the_spread_of_a_small_event():
    """Two boards: A-B 3:1, C-D 4:0; A-C 2:2, B-D 3:1; a last round in which nobody played.

    In half points less two, A is better than B by 1, C than D by 2, A than C by 0, B than D by 1:
    so A = C and B = A - 1 by two ways that agree. In three rounds they would have 1.5, 0, 3 and
    -4.5 half points more than a half; in six games.
    """
    opponents = np.array([[1, 0, 3, 2], [2, 3, 0, 1], [-1, -1, -1, -1]])
    half_points = np.array([[3, 1, 4, 0], [2, 3, 2, 1], [0, 0, 0, 0]])
    here = spread_of(opponents, half_points, 2)
    assert here.teams == 4
    assert here.variance == pytest.approx((1.5**2 + 3**2 + 4.5**2) / 4 / 6)
    assert here.noise == pytest.approx(1e-3)  # nothing is left, which has no logarithm
    # Who played in fewer than half of the rounds is no team of the field.
    withdrawn = np.pad(opponents, ((0, 0), (0, 2)), constant_values=-1)
    withdrawn[2, 4:] = 5, 4
    scored = np.pad(half_points, ((0, 0), (0, 2)))
    scored[2, 4:] = 4, 0
    assert spread_of(withdrawn, scored, 2) == pytest.approx(here)
    assert spread_of(withdrawn[:, 4:][:2], scored[:, 4:][:2], 2) == (2, 1e-3, 1e-3)
    # B wins 4:0: the circle A, B, D, C no longer closes, by 1, of which each match takes a quarter.
    half_points[1] = [2, 4, 2, 0]
    assert spread_of(opponents, half_points, 2).noise == pytest.approx(4 / 16 / 2, rel=1e-4)


def test_who_played_half_of_the_rounds_counts():
    """C and D played one of two rounds, then one of three."""
    met = np.array([[1, 0, 3, 2], [1, 0, -1, -1]])
    assert spread_of(met, np.where(met >= 0, 4, 0), 4).teams == 4
    met = np.concatenate([met, [[1, 0, -1, -1]]])
    assert spread_of(met, np.where(met >= 0, 4, 0), 4).teams == 2


def test_constants_are_stretched_by_logarithms_and_their_products():
    """Half the teams, e times the variance: 1/2 log(1/2) + 1/4.

    The terms are t, v, n, tt, tv, tn, vv, vn, nn, of teams, variance, noise.
    """
    here = Spread(50.0, 2 * np.e, 0.5 / np.e)
    wanted = np.exp(0.5 * np.log(0.5) + 0.25 * 1)
    inside = replace(STRETCH, slopes=np.array([0.5, 0, 0, 0, 0, 0, 0.25, 0, 0]))
    assert inside.factor(np.array(here)) == pytest.approx(wanted)
    assert MAP.at(HOME).scale.tolist() == MAP.scale.tolist() and MAP.at(HOME).stretch is None
    stretched = replace(MAP, stretch=inside).at(here)
    np.testing.assert_allclose(stretched.scale, MAP.scale * wanted)
    assert OTHER.at(here) is OTHER
    # Beyond what it was fitted to it is as at the nearest: noise 1/4, by half.
    assert STRETCH.factor(np.array(HOME._replace(noise=0.01))) == pytest.approx(
        np.exp(np.log(2) ** 2)
    )
    tried = STRETCH.tried(np.array([HOME, HOME._replace(teams=19.0), HOME._replace(noise=1.1)]))
    assert tried.tolist() == [True, False, False]


@pytest.mark.parametrize("slope", [1e5, -1e5])
def test_steep_slopes_leave_a_probability(slope):
    steep = replace(MAP, stretch=replace(STRETCH, slopes=np.full(9, slope)))
    here = steep.at(Spread(200.0, 8.0, 1.0))
    assert (here.scale > 0).all() and np.isfinite(here.scale).all()
    assert here.probability(2, 0) == 0.5 and np.isfinite(here.probability(2, 12))


def test_a_stretch_between_two():
    other = replace(STRETCH, home=Spread(60.0, 4.0, 1.0), slopes=np.ones(9))
    found = STRETCH.between(other, 0.25)
    assert found.home == pytest.approx((90, 2.5, 0.625)) and found.least == STRETCH.least
    assert found.slopes.tolist() == pytest.approx([0.625, *[0.25] * 5, 0.4375, 0.25, 1])


def test_a_file_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "product.confidence.json"
    path.write_text(to_json({2: MAP, 1: OTHER}))
    for rounds, wanted in ((2, MAP), (1, OTHER)):
        again = read_confidence(path, rounds)
        np.testing.assert_array_equal(again.scale, wanted.scale)
        assert again.provenance["seed"] == 1 and (again.stretch is None) == (wanted is OTHER)
        assert (again.rule, again.digest, again.unit) == (wanted.rule, wanted.digest, wanted.unit)
    assert read_confidence(path, 3) is None
    again = read_confidence(path, 2).stretch
    assert (again.home, again.least, again.most) == (HOME, STRETCH.least, STRETCH.most)
    assert again.slopes.tolist() == STRETCH.slopes.tolist()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("schema", 2), ("rounds", 3), ("rule", ...), ("scale", []), ("scale", [1, 2]),
        ("scale", [1, 2, 3, 4, -3]), ("scale", [1, 2, 3, 4, "x"]), ("scale", [[1], [2]] * 2),
        ("scale", "abcde"), ("scale", [1e300] * 5), ("scale", [1] * 4 + [float("nan")]),
        ("unit", 0), ("unit", "x"), ("digest", ...), ("stretch", ...), ("stretch", 3),
        ("home", [0, 1, 1]), ("home", [1, 2]), ("slopes", [1] * 8), ("slopes", [1e9] * 9),
        ("least", [1, 2, float("nan")]), ("least", [300, 2, 0.5]), ("most", "x"), ("most", ...),
    ],
)  # fmt: skip
def test_damaged_files_are_one_line(tmp_path, key, value):
    content = json.loads(to_json({2: MAP}))
    entry = content["rounds"]["2"]
    part = next(part for part in (content, entry, entry["stretch"]) if key in part)
    part[key] = value
    if value is ...:
        del part[key]
    path = tmp_path / "x.confidence.json"
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match=r"x\.confidence\.json: ") as caught:
        read_confidence(path, 2)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"[]", b"3", b"\xff\xfe", b"{", b"[" * 100_000])
def test_what_is_no_such_file_is_one_line(tmp_path, content):
    path = tmp_path / "x.confidence.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"damaged, or not|not UTF-8"):
        read_confidence(path, 2)
    with pytest.raises(InputError, match="cannot be read"):
        read_confidence(tmp_path / "none", 2)
