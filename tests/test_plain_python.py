"""The pairing of the slow reference against examples worked by hand."""

import plain_python
import pytest


def met(*pairs):
    return {frozenset(pair) for pair in pairs}


def pair_by_mp(match_points, met=frozenset(), had_bye=()):
    """Pair with equal game points, so that the strength order is MP, then seed."""
    return plain_python.pair_round(match_points, [0] * len(match_points), set(met), set(had_bye))


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
