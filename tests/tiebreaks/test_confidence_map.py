"""How sure an order is: the map, its file, what is refused."""

import json

import numpy as np
import pytest

from tb2learn.tiebreaks.confidence_map import Confidence, read_confidence, to_json
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError

MAP = Confidence(
    "product",
    product_table(2, 4).digest(),
    np.array([80, 90, 100, 110, 120.0]),
    0.5,
    {"seed": 1},
    (0.4, 0.6),
)
OTHER = Confidence("product", "0" * 64, np.array([7, 8, 9.0]), 0.5, {}, (0.5, 0.7))


def test_a_margin_of_c_is_ten_to_one():
    assert MAP.probability(2, 100.0) == pytest.approx(10 / 11)
    np.testing.assert_allclose(
        MAP.probability(np.array([0, 4]), np.array([-80, 240])), [1 / 11, 100 / 101]
    )
    assert MAP.probability(3, 0) == 0.5


def test_a_file_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "product.confidence.json"
    path.write_text(to_json({2: MAP, 1: OTHER}))
    for rounds, wanted in ((2, MAP), (1, OTHER)):
        again = read_confidence(path, rounds)
        np.testing.assert_array_equal(again.scale, wanted.scale)
        assert again.usual == wanted.usual and again.provenance["seed"] == 1
        assert (again.rule, again.digest, again.unit) == (wanted.rule, wanted.digest, wanted.unit)
    assert read_confidence(path, 3) is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("schema", 1), ("rounds", 3), ("rule", ...), ("scale", []), ("scale", [1, 2]),
        ("scale", [1, 2, 3, 4, -3]), ("scale", [1, 2, 3, 4, "x"]), ("scale", [[1], [2]] * 2),
        ("scale", "abcde"), ("scale", [1e300] * 5), ("scale", [1] * 4 + [float("nan")]),
        ("unit", 0), ("unit", "x"), ("usual", [0.6, 0.4]), ("usual", [0.1]), ("digest", ...),
    ],
)  # fmt: skip
def test_damaged_files_are_one_line(tmp_path, key, value):
    content = json.loads(to_json({2: MAP}))
    part = content if key in content else content["rounds"]["2"]
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
