"""What a record says of every round, and the items of each policy, by hand."""

from dataclasses import replace

import numpy as np
import pytest
from etcc import small

from tb2learn.chess.items import Cut, Items
from tb2learn.chess.round_kinds import RoundKind
from tb2learn.events.parts import Game, Match, Penalty
from tb2learn.events.unplayed.policies import POLICIES
from tb2learn.events.unplayed.policy import before_round
from tb2learn.events.unplayed.record import event_record
from tb2learn.types import BYE

A, B, C, D = range(4)
# Two boards, four rounds. A beats B, C wins by default against D; A-C drawn, B half-point bye, D
# not paired; A bye, B-C 1:3, D zero-point bye; A wins by default against somebody, B-D lost by
# both, C full-point bye.
MATCHES = (
    Match(1, 1, A, B, 3, 1, 2, 0), Match(1, 2, C, D, 4, 0, 2, 2),
    Match(2, 1, A, C, 2, 2, 2, 0), Match(2, 2, B, None, 2, 0, 0, 0, "half"),
    Match(3, 1, A, None, 2, 0, 0, 0, "pairing"), Match(3, 2, B, C, 1, 3, 2, 0),
    Match(3, 3, D, None, 0, 0, 0, 0, "zero"),
    Match(4, 1, A, None, 4, 0, 0, 0, "default"), Match(4, 2, B, D, 0, 0, 0, 0),
    Match(4, 3, C, None, 4, 0, 0, 0, "full"),
)  # fmt: skip
EVENT = replace(
    small([[(A, B, 3, 1), (C, D, 4, 0)]]), rounds=4, matches=MATCHES,
    ratings=((2400, 2300, 2200), (2100,), (), (2000, 1999)),
    penalties=(Penalty(A, 2, -1, -2), Penalty(A, 3, 0, -1)),
)  # fmt: skip
RECORD = event_record(EVENT)


def by_team(array):
    """A list a team, as the cases here have them."""
    return array.T.tolist()


def test_kinds_opponents_and_points():
    kinds = RoundKind.PLAYED, RoundKind.WON_BY_DEFAULT, RoundKind.LOST_BY_DEFAULT
    played, won, lost = kinds
    assert by_team(RECORD.kind) == [
        [played, played, RoundKind.PAIRING_BYE, won],
        [played, RoundKind.HALF_BYE, played, lost],
        [won, played, played, RoundKind.FULL_BYE],
        [lost, RoundKind.NOT_PAIRED, RoundKind.ZERO_BYE, lost],
    ]
    assert by_team(RECORD.opponent) == [
        [B, C, BYE, BYE], [A, BYE, C, D], [D, A, B, BYE], [C, BYE, BYE, B],
    ]  # fmt: skip
    assert by_team(RECORD.gained) == [[2, 1, 1, 2], [0, 1, 0, 0], [2, 1, 2, 2], [0, 0, 0, 0]]
    assert by_team(RECORD.scored) == [[3, 2, 2, 4], [1, 2, 1, 0], [4, 2, 3, 4], [0, 0, 0, 0]]
    assert RECORD.standing_points.tolist() == [5, 1, 7, 0]
    assert RECORD.standing_half_points.tolist() == [8, 4, 13, 0]
    assert RECORD.ratings.tolist()[:2] == [2350, 2100] and np.isnan(RECORD.ratings[2])


def test_what_tiebreaks_see():
    seen = RECORD.results
    assert by_team(seen.opponents) == [
        [B, C, BYE, BYE], [A, BYE, C, BYE], [BYE, A, B, BYE], [BYE] * 4,
    ]  # fmt: skip
    assert seen.drawn.tolist() == RECORD.opponent.tolist()
    assert seen.ratings.tolist() == [2350, 2100, 0, 2000]  # 1999.5, to the even one
    assert seen.match_points.tolist() == [6, 1, 7, 0]  # without penalties
    assert by_team(seen.elected) == [
        [True] * 4, [True, False, True, False], [True] * 4, [False] * 4,
    ]  # fmt: skip
    assert by_team(RECORD.named) == [
        [False] * 4, [False, False, False, True], [True, False, False, False],
        [True, False, False, True],
    ]  # fmt: skip
    assert RECORD.absent.sum(axis=0).tolist() == [0, 0, 0, 2] and RECORD.open is None
    whole = replace(RECORD, forfeits_played=True)
    assert whole.played.tolist() == (RECORD.opponent != BYE).tolist() and not whole.named.any()


def test_the_last_round_as_a_draw():
    """Only of who was paired in it, also where that was lost by both."""
    drew = RECORD.last_round_drawn
    assert by_team(drew.gained) == [[2, 1, 1, 2], [0, 1, 0, 1], [2, 1, 2, 2], [0, 0, 0, 1]]
    assert drew.scored[3].tolist() == [4, 2, 4, 2]
    assert drew.kind[3].tolist() == [
        RoundKind.WON_BY_DEFAULT, RoundKind.PLAYED, RoundKind.FULL_BYE, RoundKind.PLAYED,
    ]  # fmt: skip


def test_points_before_a_round():
    assert before_round(RECORD.gained)[:, A].tolist() == [0, 2, 3, 4]


# What the opponents of the items count as, match points and half points of A to D by round; where
# an item is no item (-), where it has no opponent (0), which goes first (f).
ITEMS = {
    # A: a bye 3 + 1 + 1 later; by default 4 + 1. B: a half-point bye 0 + 1 + 2; lost by default 1.
    # C: by default 0 + 1 + 3; a full-point bye 5 + 1. D: lost 0 + 3; not paired 0 + 2; 0 + 1; 0.
    "baku2016": ([[1, 7, 5, 5], [6, 3, 7, 1], [4, 6, 1, 6], [3, 2, 1, 0]],
                 [[4, 13, 9, 11], [11, 7, 13, 4], [10, 11, 4, 11], [6, 4, 2, 0]],
                 ["--f-", "----", "----", "----"]),
    # D counts two draws more; rounds without a named opponent have none.
    "fide2026": ([[1, 7, 0, 0], [6, 0, 7, 2], [2, 6, 1, 0], [7, 0, 0, 1]],
                 [[4, 13, 0, 0], [11, 0, 13, 4], [4, 11, 4, 0], [13, 0, 0, 4]],
                 ["--ff", "-f--", "---f", "----"]),
    # D lost all by choice: its rounds without an opponent, 2 and 3, count as draws: 2 for its
    # opponents. Dummies have the own score, at most 4 or what the opponent counts as.
    "c07": ([[1, 7, 4, 4], [6, 1, 7, 1], [2, 6, 1, 4], [0, 0, 0, 0]],
            [[4, 13, 8, 8], [11, 4, 13, 4], [4, 11, 4, 8], [0, 0, 0, 0]],
            ["----", "-f-f", "----", "ffff"]),
    "c07-2024": ([[1, 7, 6, 6], [6, 1, 7, 1], [7, 6, 1, 7], [0, 0, 0, 0]],
                 [[4, 13, 11, 11], [11, 4, 13, 4], [13, 11, 4, 13], [0, 0, 0, 0]],
                 ["----", "-f-f", "----", "ffff"]),
    # Seen with draws of what was not played: A 5, B 2, C 5, D 4. A: a bye 3 + 1 + 1 later; 4 + 0.
    # B: half a bye 0 + 1 + 2; lost 1 + 2. C: by default 0 + 0 + 3; a full-point bye 5 + 0. D: 0 + 2
    # + 3 later, and so on.
    "c07-2009": ([[2, 5, 5, 4], [5, 3, 5, 3], [3, 5, 2, 5], [5, 4, 3, 2]],
                 [[6, 9, 9, 7], [9, 7, 9, 8], [6, 9, 6, 9], [10, 8, 6, 4]],
                 ["----", "----", "----", "----"]),
    "olympiad2010": ([[2, 5, 0, 0], [5, 0, 5, 0], [0, 5, 2, 0], [0, 0, 0, 0]],
                     [[6, 9, 0, 0], [9, 0, 9, 0], [0, 9, 6, 0], [0, 0, 0, 0]],
                     ["--ff", "-f-f", "f--f", "ffff"]),
    "face-value": ([[1, 7, 0, 0], [6, 0, 7, 0], [0, 6, 1, 0], [7, 0, 0, 1]],
                   [[4, 13, 0, 0], [11, 0, 13, 0], [0, 11, 4, 0], [13, 0, 0, 4]],
                   ["----", "----", "----", "----"]),
}  # fmt: skip


@pytest.mark.parametrize("name", POLICIES)
def test_items_of_every_policy(name):
    points, half_points, first = ITEMS[name]
    items = POLICIES[name].complete(RECORD)
    assert by_team(items.opponent_points) == points
    assert by_team(items.opponent_half_points) == half_points
    assert ["".join("-f"[out] for out in row) for row in by_team(items.first_out)] == first
    assert items.counted.all()
    assert items.empty.any() == (name in ("fide2026", "olympiad2010"))
    if name == "fide2026":
        assert items.empty.tolist() == (RECORD.opponent == BYE).tolist()
        # Only matches: those played, and those won by default.
        assert by_team(items.gained) == [[2, 1, 0, 0], [0] * 4, [2, 1, 2, 0], [0] * 4]
    elif name == "olympiad2010":
        assert items.empty.tolist() == (~RECORD.played).tolist()
        assert by_team(items.gained) == [[2, 1, 0, 0], [0] * 4, [0, 1, 2, 0], [0] * 4]
    else:
        assert items.gained.tolist() == RECORD.gained.tolist()
        assert items.scored.tolist() == RECORD.scored.tolist()


def test_a_match_won_by_default_counts_in_full_in_2026():
    """Whatever the record pays for it."""
    less = replace(EVENT, matches=tuple(
        m.given(1, 0) if (m.round, m.number) == (1, 2) else m for m in MATCHES))  # fmt: skip
    items = POLICIES["fide2026"].complete(event_record(less))
    assert items.gained[:, C].tolist() == [2, 1, 2, 0]
    assert items.scored[:, C].tolist() == [4, 2, 3, 0]


def cut_of(scores, values, first_out, low, high=0):
    """What C.07 leaves out of one team's rounds."""
    scores, values, first_out = (np.array(row)[:, None] for row in (scores, values, first_out))
    rounds = np.ones(scores.shape, bool)
    items = Items(*[scores] * 5, rounds, ~rounds, first_out.astype(bool))
    out = POLICIES["c07"].left_out(items, Cut(scores, values, low, high))
    return np.flatnonzero(out).tolist()


def test_a_cut_of_c07_takes_the_voluntary_round_unless_the_lowest_is_worth_more():
    assert cut_of([5, 2, 7], [5, 2, 7], [0, 0, 1], 1) == [2]  # 2 is not worth more than 7
    assert cut_of([5, 2, 7], [5, 9, 7], [0, 0, 1], 1) == [1]  # 9 is
    assert cut_of([5, 2, 7], [5, 7, 7], [0, 0, 1], 1) == [2]  # equal: the voluntary one goes
    assert cut_of([5, 2, 7, 8], [5, 2, 7, 6], [0, 0, 1, 1], 1) == [3]  # of two the least worth
    assert cut_of([5, 2, 7, 8], [5, 2, 7, 6], [0, 0, 1, 1], 3) == [1, 2, 3]  # chosen anew
    assert cut_of([5, 2, 7], [5, 2, 7], [0, 0, 0], 1) == [1]
    assert cut_of([5, 2, 7, 7], [5, 2, 7, 8], [0, 0, 1, 0], 0, 1) == [3]  # by score, then value
    assert cut_of([5, 2, 7, 7], [5, 2, 7, 7], [0, 0, 1, 0], 0, 1) == [2]


def test_boards_of_rounds_without_games():
    """Byes and defaults count on all boards; the pairing-allocated bye as won."""
    games = (
        Game(1, 1, 1, A, B, None, None, 2, 0), Game(1, 1, 2, B, A, None, None, 1, 1),
        Game(2, 1, 1, C, A, None, None, 1, 1), Game(2, 1, 2, A, C, None, None, 2, 0, played=False),
        Game(3, 2, 1, B, C, None, None, 0, 2), Game(3, 2, 2, C, B, None, None, 1, 1),
    )  # fmt: skip
    record = event_record(replace(EVENT, games=games))
    boards = record.on_boards
    assert boards.half_points[:, A].tolist() == [[2, 1], [1, 2], [2, 2], [2, 2]]
    assert boards.half_points[:, B].tolist() == [[0, 1], [1, 1], [0, 1], [0, 0]]
    assert boards.half_points[:, C].tolist() == [[2, 2], [1, 0], [2, 1], [2, 2]]
    assert boards.half_points[:, D].tolist() == [[0, 0]] * 4
    assert boards.played[:, A].tolist() == [[True, True], [True, False], [False] * 2, [False] * 2]
    assert boards.blacks[:, A].tolist() == [[False, True], [True, False], [False] * 2, [False] * 2]
    assert by_team(record.blacks) == [
        [False, True, False, False], [True, False, False, False], [False, False, True, False],
        [False] * 4,
    ]  # fmt: skip
    assert by_team(record.results.whites) == [
        [True, False, False, False], [False, False, True, False], [False, True, False, False],
        [False] * 4,
    ]  # fmt: skip
    # Without the games of a match that was played nothing is known of the boards.
    assert event_record(replace(EVENT, games=games[2:])).on_boards is None
