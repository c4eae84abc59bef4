"""How sure standings are: between neighbours, shared places, medals, what is refused."""

import numpy as np
import pytest

from tb2learn.catalogue import find_confidence, find_rule
from tb2learn.events import CriteriaReader, StandingsRow, read_criteria
from tb2learn.events.confidence import (
    deciding_criterion,
    equal_line,
    event_spread,
    medal_lines,
    unusual_lines,
    with_confidence,
)
from tb2learn.tiebreaks.confidence_map import Confidence, to_json
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError

MAP = Confidence("rule", "", np.array([10.0, 20.0, 100.0]), 1.0, {})


def standings(*teams):
    """Rows of (match points, TB2), best first."""
    return [
        StandingsRow(place, place - 1, f"T{place}", {"mp": mp, "tb2": tb2})
        for place, (mp, tb2) in enumerate(teams, start=1)
    ]


def test_neighbours_on_equal_points():
    rows = with_confidence(standings((2, 300), (2, 200), (1, 50), (1, 30), (0, 0)), "tb2", MAP)
    sure = [row.confidence for row in rows]
    assert sure[0] == pytest.approx(10 / 11) and sure[2] == pytest.approx(10 / 11)
    assert sure[1] is sure[3] is sure[4] is None
    assert [row.place for row in rows] == [1, 2, 3, 4, 5]
    assert medal_lines(rows, "tb2") == ["T1 before T2: 91%", "T3 before T4: 91%"]
    assert equal_line(rows, "tb2") == []


def test_equal_scores_say_what_decides():
    """50 % is no coin flip there: the next criterion decides the place."""
    scores = [(2, 300, 40, 8), (2, 300, 39, 8), (2, 300, 39, 8), (1, 300, 39, 8)]
    rows = with_confidence(
        [
            StandingsRow(
                place, k - 1, f"T{k}", dict(zip(("mp", "tb2", "gp", "tb4"), of, strict=True))
            )
            for k, (place, of) in enumerate(zip((1, 2, 2, 4), scores, strict=True), start=1)
        ],
        "tb2",
        MAP,
    )
    assert [row.confidence for row in rows] == [0.5, 0.5, None, None]
    assert medal_lines(rows, "tb2") == [
        "T1 before T2: 50% (equal TB2: GP decides)",
        "T2 before T3: 50% (equal TB2: they share a place)",
    ]
    (line,) = equal_line(rows, "tb2")
    assert line.startswith("50% where TB2 is equal, too:") and "decides the place" in line


def test_places_are_shared_with_the_leader_not_along_a_chain():
    """Neighbours are 10 apart: 56 % each; the first and the third are 20 apart: 61 %."""
    rows = standings((2, 40), (2, 30), (2, 20), (2, 10), (2, -200), (1, 500))
    places = [row.place for row in with_confidence(rows, "tb2", MAP, 0.6)]
    assert places == [1, 1, 3, 3, 5, 6]
    assert [row.place for row in with_confidence(rows, "tb2", MAP, 0.5)] == [1, 2, 3, 4, 5, 6]
    assert [row.place for row in with_confidence(rows, "tb2", MAP, 1.0)] == [1, 1, 1, 1, 1, 6]


@pytest.mark.parametrize(
    ("mp", "below", "message"),
    [
        *((1, below, r"share_below must be 0\.5\.\.1, got") for below in (0.4, 1.1, float("nan"))),
        *((mp, 0.5, "reaches from 0 to 2") for mp in (3, 1.5, -1)),
    ],
)
def test_what_has_no_confidence_is_refused(mp, below, message):
    with pytest.raises(InputError, match=message):
        with_confidence(standings((mp, 1), (mp, 0)), "tb2", MAP, below)


def test_the_rule_that_decides(baku):
    rule = product_table(11, 4)
    assert deciding_criterion(CriteriaReader(11, 4).led_by(rule)).rule is rule
    for text in ("mp,gp", "gp,product", "mp", "mp,opponents"):
        with pytest.raises(InputError, match="confidence is that of a rule"):
            deciding_criterion(read_criteria(baku, [text], lambda name: find_rule(name, 11, 4)))


@pytest.mark.parametrize(
    ("name", "boards", "teams"),
    [
        ("learned", 4, 180),
        ("learned", 4, 60),
        ("learned", 6, 60),
        ("learned", 8, 60),
        ("product", 4, 9),
    ],
)
def test_every_number_of_rounds_from_5_to_15_has_one(name, boards, teams):
    last = None
    for rounds in range(5, 16):
        rule = find_rule(name, rounds, boards, teams)
        found = find_confidence(name, rule)
        assert len(found.scale) == 2 * rounds + 1 and found.stretch.least.teams < 20
        middle = found.scale[rounds]
        assert last is None or rule.own_name != last[1] or 0.8 < middle / last[0] < 1.6
        last = middle, rule.own_name


def test_a_real_event_is_like_those_that_it_was_fitted_to(baku):
    """Six of 176 teams withdrew. Orders would be less sure among more equal or unsteady teams."""
    sure = find_confidence("learned", find_rule("learned", 11, 4, 180))
    here = event_spread(baku)
    assert unusual_lines(baku, sure) == [] and here.teams == 170
    even = here._replace(variance=here.variance / 3)
    assert sure.at(even).margin(12, 0.9) > 1.3 * sure.at(here).margin(12, 0.9)
    days = here._replace(noise=2 * here.noise)
    assert sure.at(days).margin(12, 0.9) > 1.1 * sure.at(here).margin(12, 0.9)


def test_a_map_of_other_numbers_is_refused(tmp_path):
    """A table trained anew under an old name does not take the old table's confidence."""
    (tmp_path / "confidence").mkdir()
    rule = product_table(1, 4)
    path = tmp_path / "confidence" / "product-4boards.json"
    path.write_text(to_json({1: Confidence("product", "0" * 64, np.ones(3), 0.5, {})}))
    with pytest.raises(InputError, match="does not hold for product"):
        find_confidence(tmp_path / "product", rule)
    path.write_text(to_json({1: Confidence("product", rule.digest(), np.ones(3), 0.5, {})}))
    assert find_confidence(tmp_path / "product", rule).rule == "product"
