"""Real events as judges of rules: verdicts by hand, shares, intervals, events needed, a report."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from studies import real
from studies.real import EQUAL, WRONG
from studies.script import recorded
from tb2learn.events import read_event

NAMES = ["product", "game-points"]
MATCHES = """round,match,team_a,team_b,game_points_a,game_points_b,boards_forfeited
1,1,A,D,4,0,0
1,2,B,E,2.5,1.5,0
1,3,C,F,3,1,0
2,1,A,B,1.5,2.5,0
2,2,C,D,2,2,0
2,3,E,F,4,0,4
3,1,A,C,1,3,0
3,2,B,D,4,0,0
3,3,E,F,0.5,3.5,0
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("small")
    (made / "matches.csv").write_text(MATCHES)
    ratings = {"A": 2600, "B": 2500, "C": 2400, "D": 2300, "E": 2200, "F": ""}
    rows = "".join(f"{team},{rating}\n" for team, rating in ratings.items())
    (made / "teams.csv").write_text("team,rating_1\n" + rows)
    return made


@pytest.fixture(scope="module")
def event(folder):
    return read_event(folder)


def test_later_matches_of_equal_teams_are_predicted(event):
    """After round 1 A, B, C have 2 MP: A-B (B won) and A-C (C won) follow, E-F by default does not.

    D, E, F have 0: E-F is played in round 3, F won. After round 2 C and A have 3 and 2: no pair.
    """
    found = real.prediction_verdicts(event, NAMES)
    assert sorted(tuple(pair) for pair in found.pairs) == [(0, 1), (0, 2), (4, 5)]
    by_pair = dict(zip(map(tuple, found.pairs), found.verdicts, strict=True))
    # One opponent, and the weakest is left out: the product rule says nothing.
    assert [verdict[0] for verdict in by_pair.values()] == [EQUAL] * 3
    # Game points after round 1: A 4, C 3, B 2.5, E 1.5, F 1.
    assert [by_pair[pair][1] for pair in ((0, 1), (0, 2), (4, 5))] == [WRONG] * 3
    assert by_pair[0, 1][2] == by_pair[0, 2][2] == WRONG  # the higher rated A lost twice
    assert by_pair[4, 5][2] == EQUAL  # F has no rating
    inside = dict(zip(map(tuple, found.pairs), found.populations.tolist(), strict=True))
    assert inside[0, 1] == [True, True, True] + 6 * [False]
    assert inside[0, 2] == [False, True, True] + 6 * [False]


def test_events_as_units_by_hand():
    """Pairs 10, 20, 10 and differences .1, .2, -.1: .1 over all; without one of them .1, 0, .1667.

    Their mean is .08889, the squares of what they are off add up to .014074; of these two thirds
    are the square of the error, whose root is .096864. Student's t with 2 degrees is 4.302653.
    """
    rows = [("a", 10, 0.1), ("b", 20, 0.2), ("c", 10, -0.1), ("d", 0, np.nan)]
    single = pd.DataFrame(rows, columns=["event", "pairs", "more"])
    single = single.assign(test="ratings", population="all", rule="x")
    (row,) = real.over_events(single).itertuples()
    assert (row.pairs, row.events, row.ahead) == (40, 3, 2) and row.more == pytest.approx(0.1)
    assert (row.without_low, row.without_high) == pytest.approx((0, 1 / 6))
    reach = 4.302653 * 0.096864
    assert (row.t_low, row.t_high) == pytest.approx((0.1 - reach, 0.1 + reach), abs=1e-5)
    assert np.isnan(real.over_events(single[:1]).iloc[0]["t_low"])


def test_the_numbers_of_teams_fall_with_their_seeds():
    """A mean counts 1000 for who has no rating; one without any rating is none."""
    khanty = real.with_team_ratings(recorded("khanty2010"))
    numbers = [ratings[0] for ratings in khanty.ratings if ratings]
    assert len(numbers) == 134 and (np.diff(numbers) == -1).all()
    women = real.with_team_ratings(recorded("baku2016w"))
    number = dict(zip(women.teams, women.ratings, strict=True))
    assert number["Guam"] == (118850,) and number["Ethiopia"] == ()
    assert real.with_team_ratings(recorded("samarkand2026w")).ratings[0] == (246600,)


def test_who_plays_in_the_championships():
    """Every team once a round, with ratings, and no match twice; two of them are packaged, too."""
    for event, teams in zip(real.championships(), (38, 38, 40), strict=True):
        assert (len(event.teams), event.rounds, all(event.ratings)) == (teams, 9, True)
        assert len({frozenset(m.teams) for m in event.matches}) == 9 * teams // 2
        if teams == 38:
            assert {scored(event, m) for m in event.matches} == {
                scored(read_event(event.name), m) for m in read_event(event.name).matches
            }


def scored(event, match):
    """Who met, and the half points of each."""
    sides = zip(match.teams, (match.half_points_a, match.half_points_b), strict=True)
    return frozenset((event.teams[team], half_points) for team, half_points in sides)


def test_a_report_of_few_rules(tmp_path, folder):
    """Nothing is said of differences that are not known, nor of rules that are not judged."""
    given = [str(folder), "--rules", "game-points", "--out", str(tmp_path)]
    assert CliRunner().invoke(real.main, given).exit_code == 0
    text = (tmp_path / "README.md").read_text()
    assert "the product rule: no rule.\n" in text and "\n* 12 differences to the product" in text
    assert "less often than" not in text and "## How many events" not in text
    assert "| game-points | - | - | - | - | - | - |\n" in text
