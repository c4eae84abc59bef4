"""Every tie-break of the library by hand, in the scale in which it is published."""

import dataclasses

import numpy as np
import pytest
from helpers import results_from

from studies.tiebreaks import expected_hundredths
from tb2learn.chess.results import OnBoards
from tb2learn.tiebreaks.base import Additive
from tb2learn.tiebreaks.combined import Combined, DirectEncounter
from tb2learn.tiebreaks.library import ENTRIES, PLAIN, Modifiers, codes
from tb2learn.tiebreaks.names import coded, combined, find_tiebreak
from tb2learn.tiebreaks.own import Lot
from tb2learn.tiebreaks.sums import Koya, MeanBuchholz, OpponentSum
from tb2learn.types import BYE, InputError

# Four teams, two boards. White on the first board is named first; half points of both boards:
#   A-B 21:01, C-D 11:11;  C-A 21:01, B-D 22:00;  A-D 22:00, B-C 02:20.
# By round          A          B          C          D
#   half points     3 1 4 = 8  1 4 2 = 7  2 3 2 = 7  2 0 0 = 2
#   match points    2 0 2 = 4  0 2 1 = 3  1 2 1 = 4  1 0 0 = 1
#   opponents       B C D      A D C      D A B      C B A
ON_BOARDS = np.array(
    [[[2, 1], [0, 1], [1, 1], [1, 1]],
     [[0, 1], [2, 2], [2, 1], [0, 0]],
     [[2, 2], [0, 2], [2, 0], [0, 0]]]
)  # fmt: skip
WHITES = np.array([[True, False] * 2, [False, True, True, False], [True, True, False, False]])
TEAMS = results_from(
    [[1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]],
    ON_BOARDS.sum(axis=-1),
    boards=2,
    ratings=[2400, 2300, 2200, 2000],
    whites=WHITES,
    on_boards=OnBoards(ON_BOARDS, ON_BOARDS >= 0, np.stack([~WHITES, WHITES], axis=-1)),
)
OF_TEAMS = {
    "mp": [4, 3, 4, 1], "points": [4, 3, 4, 1], "gp": [4, 3.5, 3.5, 1],
    "game-points": [4, 3.5, 3.5, 1], "played": [3, 3, 3, 3],
    # B 3 + C 4 + D 1; A 4 + D 1 + C 4; D 1 + A 4 + B 3; C 4 + B 3 + A 4.
    "opponents": [8, 9, 8, 11], "buchholz": [8, 9, 8, 11], "tb4": [7, 8, 7, 8],
    "buchholz-gp": [8, 8.5, 8.5, 11],
    # A: 3*2 + 4*0 + 1*2; with game points 3*1.5 + 4*.5 + 1*2; 3.5*2 + 1*2; 3.5*1.5 + 3.5*.5 + 2.
    "emmsb": [8, 6, 12, 4], "emgsb": [8.5, 8, 10, 4], "egmsb": [9, 5.5, 12.5, 3.5],
    "eggsb": [9, 7.5, 10.5, 3.5],
    # With draws in the last round the match points are 3, 3, 4, 2.
    "fore-buchholz": [9, 9, 8, 10],
    # Means of the sums above: A (9 + 8 + 11)/3, B (8 + 11 + 8)/3, and so on.
    "mean-buchholz": [9.33, 9, 9.33, 8.33],
    # 6 match points at most, by 2 game points of a match, is 3: A 4 + 8/3.
    "sssc": [6.67, 6.5, 6.17, 4.67],
    "aro": [2167, 2200, 2233, 2300], "aroc": [2250, 2300, 2350, 2350],
    # 8/12, 7/12, 7/12, 2/12 are 67, 58, 58, 17 %: 125, 57, 57, -273 beside ARO.
    "tpr": [2292, 2257, 2290, 2027], "apro": [2191, 2203, 2192, 2280],
    # A at 2303 expects .50, .64 and .86, which is 2 of 3; at 2302 a hundredth less.
    "ptpr": [2303, 2269, 2309, 2010], "appo": [2196, 2207, 2194, 2294],
    "rating": [2400, 2300, 2200, 2000],
    "progressive": [8, 5, 8, 3],  # 2 + 2 + 4; 0 + 2 + 3; 1 + 3 + 4; 1 + 1 + 1
    "koya": [2, 1, 3, 1],  # A, B and C have 3 of 6 or more
    # A and C are tied, and C won: it is placed before one.
    "direct": [0, 0, 1, 0], "ede": [0, 0, 1, 0], "edec": [0, 0, 1, 0], "edet": [0, 0, 1, 0],
    "edeb": [0, 0, 1, 0], "edebt": [0, 0, 1, 0], "edebb": [0, 0, 1, 0],
    # Numbers of boards times points: A (2 + 1*2) + (0 + 1*2) + (2 + 2*2) half points; lowest first.
    "board-count": [-6, -6, -4.5, -1.5],
    # Half points on board 1, 4, 2, 5 and 1: so many teams have fewer.
    "top-boards": [2, 1, 3, 0], "bottom-boards": [2, 1, 3, 0],
    "wins": [2, 1, 1, 0], "games-won": [2, 1, 1, 0], "blacks": [1, 1, 1, 3],
    "black-wins": [0, 0, 0, 0], "elected": [3, 3, 3, 3], "standard-points": [2, 1.5, 2, 0.5],
    "number": [-1, -2, -3, -4],
    "bruno": [32, 27, 32, 11],  # match points times Buchholz
    # Sums of game points above half, by boards, are 1, .5, .5 and -2; in a round robin a fourth
    # of them fits best, and the row sum is the sum.
    "least-squares": [0.25, 0.125, 0.125, -0.5], "row-sum": [1, 0.5, 0.5, -2],
    "lot": [-3, -4, -2, -1],
}  # fmt: skip

# Four players, one board, White first: A-B 1, C-D 1/2;  C-A 1, B-D 1;  A-D 1, B-C 1/2.
PLAYERS = results_from(
    TEAMS.opponents, [[2, 0, 1, 1], [0, 2, 2, 0], [2, 1, 1, 0]], boards=1, whites=WHITES
)
# Points 2, 1.5, 2, 0.5.
OF_PLAYERS = {
    "points": [2, 1.5, 2, 0.5],
    # A beat B and D; B beat D and drew with C; C beat A, drew with D and B; D drew with C.
    "sonneborn-berger": [2, 1.5, 3, 1],
    # The middle one by points of the opponents, at their points and an eighth of those of theirs,
    # the own match left out. A: B has 1.5 + (C 2 + D .5)/8. B: of A and C, who have 2, A counts as
    # 2 + 2.5/8 and C as 2 + 2.5/8. C: B has 1.5 + (A 2 + D .5)/8. D: of A and C the lower one,
    # 2 + (C 2 + B 1.5)/8 and 2 + (A 2 + B 1.5)/8.
    "deep-buchholz": [1.8125, 2.3125, 1.8125, 2.4375],
    "buchholz": [4, 4.5, 4, 5.5], "wins": [2, 1, 1, 0], "progressive": [4, 2.5, 4, 1.5],
    "mean-buchholz": [4.67, 4.5, 4.67, 4.17], "koya": [1, 0.5, 1.5, 0.5],
}  # fmt: skip


def scores(name, results):
    rule, unit = find_tiebreak(name, len(results.opponents), results.boards, ENTRIES)
    return (rule.scores(results) * unit).tolist()


def test_every_tiebreak_is_here():
    of_players = {name for name, entry in ENTRIES.items() if entry.individual}
    assert {*OF_TEAMS} == {*ENTRIES} - of_players and of_players <= {*OF_PLAYERS}


@pytest.mark.parametrize("name", OF_TEAMS)
def test_teams(name):
    assert scores(name, TEAMS) == pytest.approx(OF_TEAMS[name], abs=1e-9)


@pytest.mark.parametrize("name", OF_PLAYERS)
def test_players(name):
    assert scores(name, PLAYERS) == pytest.approx(OF_PLAYERS[name], abs=1e-9)


MODIFIED = {
    "BH/C1": [7, 8, 7, 8], "BH/C2": [4, 4, 4, 4], "BH/M1": [3, 4, 3, 4],
    "BH:GP/C1": [7, 7.5, 7.5, 7.5],
    "EMGSB/C1": [6.5, 6, 9, 4], "EMGSB/M1": [4.5, 2, 3, 0],
    "PS/C1": [6, 5, 7, 2], "PS:GP": [7.5, 6.5, 7, 3],
    "KS:GP": [2, 1.5, 2.5, 1], "KS/L60": [0, 1, 2, 1], "KS:GP/L-4": [4, 3.5, 3.5, 1],
    # Exactly as many as the limit: 3.5 game points, 4 match points.
    "KS:GP/L+1": [2, 1.5, 2.5, 1], "KS:GP/L+2": [0, 0.5, 1.5, 0], "KS/L+2": [0, 1, 2, 1],
    "SSSC/K2": [8, 8, 7.5, 6.5], "SSSC:GP": [6.67, 5.83, 6.83, 4.67],
    "SSSC/F": [7, 6.5, 6.17, 4.33],
    "AOB:GP": [9.33, 9.17, 9.17, 8.33], "AOB/F": [9, 9, 9.33, 8.67],
    "FB:GP": [9, 8.5, 8.5, 10], "FB/C1": [7, 7, 6, 7],
    "WIN:GP": [3, 3, 2, 0], "WON:GP": [3, 3, 2, 0], "BPG:GP": [3, 3, 3, 3], "BWG:GP": [1, 2, 1, 0],
    "STD:GP": [4, 3.5, 3.5, 1], "TPN/R": [1, 2, 3, 4], "RTNG/R": [-2400, -2300, -2200, -2000],
    "ARO/C1": [2250, 2300, 2350, 2350], "ARO/M1": [2200, 2200, 2300, 2300],
    "DE:GP": [0, 0, 1, 0],
}  # fmt: skip
"""Codes with modifiers. With draws in the last round the game points are 3, 3.5, 3.5, 2."""


@pytest.mark.parametrize("code", MODIFIED)
def test_modifiers(code):
    named = coded(code, False)
    rule, unit = combined([named], 3, 2)
    found = rule.scores(TEAMS) * unit
    assert found.tolist() == pytest.approx(MODIFIED[code], abs=1e-9)


CODES = (
    "MPVGP:GP MPVGP:MP PTS MPTS GPTS ESB:MM SB EMMSB ESB:MG EMGSB ESB:GM EGMSB ESB:GG SB:GP EGGSB "
    "BH BH:GP FB AOB SSSC ARO APRO PTP TPR APPO RTNG PS KS DE EDE EDEC EDET EDEB EDEBT EDEBB BC "
    "TBR BBE WIN WON BWG BPG GE REP STD TPN RND"
).split()


def test_codes_of_teams_and_of_players():
    assert {*codes(False)} == {*CODES}
    assert {*CODES} - {*codes(True)} == {
        "MPVGP:GP", "MPVGP:MP", "MPTS", "GPTS", "ESB:MM", "EMMSB", "ESB:MG", "EMGSB", "ESB:GM",
        "EGMSB", "ESB:GG", "SB:GP", "EGGSB", "BH:GP", "SSSC", "EDE", "EDEC", "EDET", "EDEB",
        "EDEBT", "EDEBB", "BC", "TBR", "BBE",
    }  # fmt: skip


def test_the_perfect_performance_is_the_lowest_rating_that_expects_the_score():
    for team, rating in enumerate(OF_TEAMS["ptpr"]):
        others = TEAMS.ratings[TEAMS.opponents[:, team]]
        needed = 100 * TEAMS.half_points[:, team].sum() / 4
        expected = [expected_hundredths(own - others).sum() for own in (rating - 1, rating)]
        assert expected[0] < needed <= expected[1]


def test_performances_without_a_point_or_with_all():
    """800 below the lowest, 736 above the highest; 800 beside the mean; not the unrated."""
    results = results_from(
        [[1, 0, 3, 2], [2, 3, 0, 1]], [[2, 0, 2, 0], [2, 0, 0, 2]], 1, ratings=[2000, 2100, 1900, 0]
    )
    # The last one has a point of two: at 1999 a hundredth more than half is expected.
    assert scores("ptpr", results) == [2100 + 736, 2000 - 800, 2000 - 800, 1999]
    assert scores("tpr", results) == [2000 + 800, 2000 - 800, 2000 - 800, 2000]
    assert scores("aro", results) == [2000, 2000, 2000, 2000]
    alone = results_from([[1, 0]], [[2, 0]], 1, ratings=[2000, 0])
    assert [scores(name, alone) for name in ("ptpr", "tpr", "aro", "apro", "appo")] == [
        [0, 1200], [0, 1200], [0, 2000], [1200, 0], [1200, 0],
    ]  # fmt: skip


def test_a_mean_buchholz_has_three_decimals_from_nine_rounds_on():
    for rounds, first in ((1, 9330), (8, 9330), (9, 9333), (10, 9333)):
        assert MeanBuchholz(OpponentSum("m", ""), rounds, 1).scores(TEAMS)[0] == first
    # Halves up, in hundredths: 2.5 of half points is 1.25, 0.5 of the half of it 1.125.
    pair = results_from([[1, 0]], [[2, 0]], 1, match_points=[9, 0])
    assert MeanBuchholz(OpponentSum("m", ""), 8, 8).scores(pair).tolist() == [1130, 0]


def test_lots_differ_with_the_place_of_a_result():
    """Everybody has one; the same results draw the same, and two exchanged ones others."""
    half = np.tile(np.array([[2, 0]], np.int32), (1, 8))
    turned = half.copy()
    turned[0, :2] = 0, 2
    results = [results_from([[*range(16)]], one, 1) for one in (half, half, turned)]
    first, again, other = (Lot().scores(one).tolist() for one in results)
    assert sorted(first) == list(range(-16, 0)) and first == again != other


def group(matches, rounds=3):
    """Six teams on one board, of whom the first three are tied: round, two teams, half points."""
    opponents, half = np.full((rounds, 6), BYE), np.zeros((rounds, 6), int)
    for number, a, b, points in matches:
        opponents[number, [a, b]], half[number, [a, b]] = (b, a), (points, 2 - points)
    return results_from(opponents, half, 1, match_points=[2] * 3 + [0] * 3)


A, B, C = range(3)
AMONG = [
    # Everybody has two match points: a ring.
    ([(0, A, B, 2), (1, B, C, 2), (2, C, A, 2)], [0, 0, 0]),
    ([(0, A, B, 2), (1, B, C, 2), (2, A, C, 2)], [2, 1, 0]),
    ([(0, A, B, 2), (1, B, C, 2), (2, C, A, 1)], [2, 1, 0]),  # 3, 2 and 1
    # A and B are equal, and drew.
    ([(0, A, B, 1), (1, B, C, 2), (2, A, C, 2)], [1, 1, 0]),
    # A and C have not met: C, with 1 or 0, may reach the 2 of A; B, with 4, is first.
    ([(0, A, B, 2), (1, B, C, 1)], [0, 0, 0]),
    ([(0, A, B, 2), (1, B, C, 2)], [0, 0, 0]),
    ([(0, B, A, 2), (1, B, C, 2)], [0, 2, 0]),
]


@pytest.mark.parametrize(("matches", "expected"), AMONG)
def test_direct_encounter(matches, expected):
    """C.07, 6.2 and 6.3: points among the tied; who stays ahead whatever the missing matches."""
    assert DirectEncounter().scores(group(matches))[:3].tolist() == expected


def test_several_matches_of_two_are_their_mean():
    """A beat B twice and lost to C; C lost to B: everybody has one point of two."""
    twice = group([(0, 0, 1, 2), (1, 0, 1, 2), (2, 2, 0, 2), (0, 2, 3, 0)], rounds=4)
    opponents, half = twice.opponents.copy(), twice.half_points.copy()
    opponents[3, [1, 2]], half[3, [1, 2]] = (2, 1), (2, 0)
    twice = dataclasses.replace(twice, opponents=opponents, half_points=half)
    assert DirectEncounter().scores(twice)[:3].tolist() == [0, 0, 0]
    assert DirectEncounter(once=True).scores(twice)[:3].tolist() == [4, 2, 2]


def test_a_combination_ranks_from_below():
    rule, unit = find_tiebreak("wins+aro", 3, 2, ENTRIES)
    # Match points 4, 3, 4, 1; of A and C, A has more wins.
    assert isinstance(rule, Combined) and unit == 1.0
    assert rule.scores(TEAMS).tolist() == [3, 1, 2, 0]
    assert rule.scores(TEAMS, np.zeros(4, int)).tolist() == [3, 1, 2, 0]
    assert find_tiebreak("aro+wins", 3, 2)[0].scores(TEAMS).tolist() == [2, 1, 3, 0]


def test_the_limit_of_koya():
    """Half of what all rounds can score; in an odd round robin of all matches; a share; a shift."""
    # Of three teams A beat B, drew with C, and B beat C: 3, 2, 1 match points of 4.
    odd = results_from(
        [[1, 0, BYE], [2, BYE, 0], [BYE, 2, 1]], [[2, 0, 0], [1, 0, 1], [0, 2, 0]], 1,
        match_points=[3, 2, 1],
    )  # fmt: skip
    assert Koya(3).scores(odd).tolist() == [2, 0, 1]
    assert Koya(3, percent=51).scores(odd).tolist() == [0, 0, 1]
    assert Koya(3, shift=-100 * 1).scores(odd).tolist() == [3, 2, 1]
    # Without the last round it is no round robin: half of two rounds is 2.
    short = dataclasses.replace(odd, opponents=odd.opponents[:2], half_points=odd.half_points[:2])
    assert Koya(2).scores(short).tolist() == [2, 0, 1]
    assert Koya(2).plain_score(np.array([1, 2, 3]), np.zeros((3, 1))).tolist() == [0, 1, 1]


def test_what_a_name_asks_for_is_said():
    entry = ENTRIES["koya"]
    assert entry.says(True) == "points against opponents who have at least half of all points."
    asked = Modifiers(percent=60, shift=-3, by="g")
    assert entry.says(False, asked) == (
        "game points against opponents who have at least half of all game points, the limit being "
        "60 % of all points, the limit being -1.5 points from there."
    )
    buchholz = ENTRIES["buchholz"]
    cut = Modifiers(low=1, high=2, fore=True, forfeits=True, edition="2024")
    assert buchholz.says(False, cut) == (
        "sum of the opponents' match points, without the lowest and the 2 highest, the final round "
        "drawn, forfeits as played, unplayed rounds by C.07 of 2024."
    )
    assert ENTRIES["wins"].says(False) == ("matches won, also by default, and byes that pay a win.")
    assert [ENTRIES[name].unit(boards) for name in ("buchholz", "emgsb") for boards in (1, 4)] == [
        0.5, 1.0, 0.25, 0.5,
    ]  # fmt: skip
    assert buchholz.unit(4, "g") == 0.5 and PLAIN.percent == 50


def test_what_additive_rules_count_by_default():
    assert Additive.result == "g" and ENTRIES["wins"].build(3, 2).result == "m"
    with pytest.raises(InputError, match="individual events"):
        ENTRIES["sonneborn-berger"].build(3, 2)
