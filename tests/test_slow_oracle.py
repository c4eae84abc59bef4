"""The slow reference implementation against examples worked by hand, and its invariants."""

import pytest
import slow_oracle as oracle


def met(*pairs):
    return {frozenset(pair) for pair in pairs}


def pair_by_mp(match_points, met=frozenset(), had_bye=()):
    """Pair with equal game points, so that the strength order is MP, then seed."""
    return oracle.pair_round(match_points, [0] * len(match_points), set(met), set(had_bye))


# --- pairing, by hand -------------------------------------------------------------------------


# Match points, who has met, pairs in the order in which they are made.
PAIRINGS = {
    # One group of 6, h = 3: 0 takes position 4, team 3. Left 1 2 4 5, h = 2: 1 takes position
    # 3, team 4. Left 2 5.
    "round 1 is the first half against the second": ([0] * 6, (), [(0, 3), (1, 4), (2, 5)]),
    # Groups 0 1 2 | 3 4 | 5 6 7; the lower middle one of 8 is team 4: 3 4 is the middle group.
    # Upper, odd: its last, 2, slides; 0 - 1. Lower, odd: its first, 5, slides; 6 - 7.
    # Middle 2 3 4 5, h = 2: 2 - 4, 3 - 5.
    "odd groups slide the last above and the first below": (
        [4, 4, 4, 2, 2, 0, 0, 0], (), [(0, 1), (6, 7), (2, 4), (3, 5)],
    ),
    # Groups 0 | 1 2 | 3 4 5. 0 slides to 0 1 2, now odd: 2 slides; 0 - 1 (not 1 - 2).
    # Middle 2 3 4 5: 2 - 4, 3 - 5.
    "size is judged after slid teams have joined": (
        [6, 4, 4, 2, 2, 2], (), [(0, 1), (2, 4), (3, 5)],
    ),
    # Groups 0 1 2 3 4 5 | 6 7 8 | 9, the median is 5. 9 slides up: 6 7 8 9 is even, h = 2: 6 - 8,
    # 7 - 9. (From the top down 6 would slide.)
    "lower groups go from the bottom up": (
        [4] * 6 + [2] * 3 + [0], (), [(6, 8), (7, 9), (0, 3), (1, 4), (2, 5)],
    ),
    # Groups 0 1 2 3 | 4 | 5: 4 and 5 have met, so both slide. Middle 0 1 2 3 4 5, h = 3.
    "who finds nobody in a lower group slides": (
        [4, 4, 4, 4, 2, 0], [(4, 5)], [(0, 3), (1, 4), (2, 5)],
    ),
    # Groups 0 (10 MP) | 1 2 3 (3 MP): the median of 4 is 2. 0 slides to 3 MP: 0 - 2, 1 - 3.
    "the next existing group need not be two points away": (
        [10, 3, 3, 3], (), [(0, 2), (1, 3)],
    ),
    # h = 3: 0 tries 3 4 5 (met), position 3 (team 2, met), position 2, team 1. Left 2 3 4 5,
    # h = 2: 2 - 4, 3 - 5.
    "who has met everybody behind h looks before h": (
        [0] * 6, [(0, 3), (0, 4), (0, 5), (0, 2)], [(0, 1), (2, 4), (3, 5)],
    ),
    # Groups 0 1 2 3 | 4 5 6 7, the median is 4. 0 has met 1 2 3 and slides. Left 1 2 3, h = 1:
    # 1 - 2. Left 3 alone: slides. Middle 0 3 4 5 6 7, h = 3: 0 - 5. Left 3 4 6 7, h = 2: 3 - 6.
    # Left 4 - 7.
    "who finds nobody in an upper group slides": (
        [4] * 4 + [2] * 4, [(0, 1), (0, 2), (0, 3)], [(1, 2), (0, 5), (3, 6), (4, 7)],
    ),
    # One group. 0 has met everybody: set aside. Left 1 2 3 4 5, h = 2: 1 tries position 3, team
    # 3: 1 - 3. Left 2 4 5, h = 1: 4 is met, 2 - 5. Left 4: set aside. Rule 6: 0 - 4.
    "rematches in the middle group come last": (
        [0] * 6, [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (2, 4)], [(1, 3), (2, 5), (0, 4)],
    ),
    # 4 teams that have all met: all are set aside, 0 1 against 2 3.
    "several rematches are the first half against the second": (
        [0] * 4, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], [(0, 2), (1, 3)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", PAIRINGS)
def test_pairing_by_hand(rule):
    match_points, played, pairs = PAIRINGS[rule]
    again = [pair for pair in pairs if pair in played]
    assert pair_by_mp(match_points, met(*played)) == (pairs, None, again)


def test_median_is_that_of_the_teams_to_be_paired():
    # 3 and 4 have had a bye, 2 gets it. Left 0 1 | 3 4: the lower middle one is 3, so 3 4 is the
    # middle group and 0 1, who have met, slide down: 0 - 3, 1 - 4. (Were 2 or 1 the median, 3 4
    # would be paired first and 0 1 be a rematch.)
    assert pair_by_mp([4, 4, 2, 0, 0], met((0, 1)), {3, 4}) == ([(0, 3), (1, 4)], 2, [])


# --- standings, by hand -----------------------------------------------------------------------

# 4 teams, all play all, in half points of the first team (boards = 4).
#   team  results              MP         half points
#   0     5:3  4:4  3:5        2+1+0 = 3  12
#   1     3:5  8:0  4:4        0+2+1 = 3  15
#   2     6:2  4:4  4:4        2+1+1 = 4  14
#   3     2:6  0:8  5:3        0+0+2 = 2   7
ALL_PLAY_ALL = [[(0, 1, 5), (2, 3, 6)], [(0, 2, 4), (1, 3, 8)], [(0, 3, 3), (1, 2, 4)]]


def rows(table):
    return [(row["team"], row["mp"], row["gp"], row["tb2"], row["tb4"]) for row in table]


def test_standings_drop_the_lowest_contribution():
    # Opponents as (MP, half points against): MP * half; the fewest MP goes.
    # 0: 1 (3, 5) 15, 2 (4, 4) 16, 3 (2, 3)  6: less 3: 31, TB4 7.
    # 1: 0 (3, 3)  9, 2 (4, 4) 16, 3 (2, 8) 16: less 3: 25, TB4 7. (Fewest MP, not lowest value.)
    # 2: 0 (3, 4) 12, 1 (3, 4) 12, 3 (2, 6) 12: less 3: 24, TB4 6.
    # 3: 0 (3, 5) 15, 1 (3, 0)  0, 2 (4, 2)  8: 0 and 1 share the fewest MP; 1 costs nothing:
    #    15 + 8 = 23, TB4 7.
    assert rows(oracle.standings(4, 4, ALL_PLAY_ALL)) == [
        (2, 4, 14, 24, 6),
        (0, 3, 12, 31, 7),
        (1, 3, 15, 25, 7),
        (3, 2, 7, 23, 7),
    ]


def test_a_bye_is_the_item_that_is_dropped():
    # 3 teams. 0 - 1 6:2, 2 has the bye; 0 - 2 3:5, 1 has the bye.
    # MP 2 1 3, half points 9 6 9.
    # 0: 1 (1, 6) 6, 2 (3, 3) 9: less 1: 9, TB4 3.
    # 1: 0 (2, 2) 4; the bye is dropped: 4, TB4 2.
    # 2: 0 (2, 5) 10; the bye is dropped: 10, TB4 2.
    rounds = [[(0, 1, 6), (2, None, 4)], [(0, 2, 3), (1, None, 4)]]
    expected = [(2, 3, 9, 10, 2), (0, 2, 9, 9, 3), (1, 1, 6, 4, 2)]
    assert rows(oracle.standings(3, 4, rounds)) == expected


# --- difficulty score -------------------------------------------------------------------------


def test_difficulty_score_of_the_thesis_table():
    # Table 4.9, own 20 MP against an opponent of 20 MP: 400 matches by half points.
    # Failures: 0 2 10 48 137 259 351 391 400; as shares
    #   p: 0 .005 .025 .12 .3425 .6475 .8775 .9775 1
    # c is the mean of neighbours, the last stands alone.
    fail, total = oracle.failures([2, 8, 38, 89, 122, 92, 40, 9, 0])
    assert fail == [0, 2, 10, 48, 137, 259, 351, 391, 400]
    assert total == [400] * 9
    assert oracle.difficulty_score(fail, total, 4) == pytest.approx(
        [0.0025, 0.015, 0.0725, 0.23125, 0.495, 0.7625, 0.9275, 0.98875, 1.0]
    )
    # Against 0 MP: 200 matches; 4:0 fails 66 times. Printed: .0175, .1825, .33.
    fail, total = oracle.failures([0, 0, 0, 0, 0, 0, 7, 59, 134])
    assert oracle.difficulty_score(fail, total, 4) == pytest.approx(
        [0, 0, 0, 0, 0, 0, 0.0175, 0.1825, 0.33]
    )
