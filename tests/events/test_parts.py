"""The parts of an event by hand: points of matches and byes, sums of games, penalties."""

from dataclasses import replace

import pytest
from etcc import small

from tb2learn.events.model import open_note, team_totals, unfinished_note
from tb2learn.events.next_round import next_round
from tb2learn.events.paired_teams import no_bye, paired_teams
from tb2learn.events.parts import (
    BYES,
    BYES_OF_A_GAME,
    Game,
    Match,
    OpenMatch,
    Penalty,
    Player,
    bye_half_points,
    matches_of,
    one_round,
    team_ratings,
)
from tb2learn.events.round_rules import edition_of


def match(a, b, decided=4, forfeited=0, **given):
    return Match(1, 1, 0, 1, a, b, decided, forfeited, **given)


@pytest.mark.parametrize(
    ("half_points", "points"),
    [((5, 3), (2, 0)), ((4, 4), (1, 1)), ((3, 5), (0, 2)), ((1, 0), (2, 0)), ((0, 0), (0, 0))],
)
def test_match_points_are_those_of_more_game_points(half_points, points):
    """Also where boards were lost by both; a match in which nobody scored was lost by both."""
    one = match(*half_points)
    assert one.match_points == points
    assert [one.points_of(team) for team in (0, 1)] == list(zip(points, half_points, strict=True))
    assert [one.opponent_of(team) for team in (0, 1)] == [1, 0] and one.teams == (0, 1)
    assert one.given(3).match_points == (3, points[1])
    assert one.given(None, 1).match_points == (points[0], 1)


def test_a_match_is_by_default_if_every_decided_board_was_forfeited():
    assert match(8, 0, 4, 4).by_default and match(0, 0, 0, 0).by_default
    assert not match(8, 0, 4, 3).by_default and match(8, 0, 4, 3).played
    bye = Match(1, 1, 2, None, 4, 0, 0, 0, "pairing")
    assert not bye.by_default and not bye.played and bye.teams == (2,)
    assert bye.opponent_of(2) is None and bye.points_of(2) == (1, 4)


def test_what_byes_pay():
    """Match points; half points on four boards; their order by half points of a game."""
    found = {bye: (Match(1, 1, 0, None, 0, 0, 0, 0, bye).match_points, bye_half_points(bye, 4))
             for bye in BYES if bye}  # fmt: skip
    assert found == {
        "pairing": ((1, 0), 4), "full": ((2, 0), 8), "half": ((1, 0), 4), "zero": ((0, 0), 0),
        "default": ((2, 0), 8),
    }  # fmt: skip
    assert BYES_OF_A_GAME == ("zero", "half", "pairing")


def test_matches_that_score_otherwise():
    """3, 2, 1: a bye pays a draw, one that pays nothing pays nothing; what is given stays."""
    byes = [Match(1, k, 0, None, 4, 0, 0, 0, bye) for k, bye in enumerate(BYES[1:])]
    matches = [match(5, 3), match(4, 4), match(0, 0), match(5, 3).given(0, 0), *byes]
    assert [one.paid((3, 2, 1)).match_points for one in matches] == [
        (3, 1), (2, 2), (1, 1), (0, 0), (2, 0), (3, 0), (2, 0), (0, 0), (3, 0),
    ]  # fmt: skip
    # Points that follow from the games are not set.
    same = [one.paid((3, 1, 0)) for one in matches[:2]]
    assert [one.match_points_a for one in same] == [3, None] and same[0].match_points_b is None
    assert [one.paid((2, 1, 0)) for one in matches] == matches


GAMES = [
    # Round 1, match 7 of teams 0 and 1 with White in turn: a win, a draw, a point by default, a
    # board that both lost by default.
    Game(1, 7, 1, 0, 1, 0, 3, 2, 0),
    Game(1, 7, 2, 1, 0, 4, 1, 1, 1),
    Game(1, 7, 3, 0, 1, 2, None, 2, 0, played=False),
    Game(1, 7, 4, 1, 0, None, None, 0, 0, played=False),
]


def test_games_add_up_to_a_match():
    assert matches_of(GAMES, {(1, 7): (0, 1)}) == (Match(1, 7, 0, 1, 5, 1, 3, 1),)
    assert matches_of(GAMES, {(1, 7): (1, 0)}) == (Match(1, 7, 1, 0, 1, 5, 3, 1),)
    assert GAMES[1].sides[0] == (1, 4, 1, 0) and GAMES[1].sides[1] == (0, 1, 1, 0)


def test_ratings_of_a_team_are_of_those_who_appear_best_first():
    players = [Player(0, "a", rating=2300), Player(0, "b", rating=2400), Player(0, "c"),
               Player(1, "d", rating=2200), Player(1, "e", rating=2100),
               Player(1, "f", rating=2800)]  # fmt: skip
    assert team_ratings(2, players, GAMES) == ((2400, 2300), (2200, 2100))


def test_pairs_of_a_round():
    assert one_round([(0, 1), (1, 0), (2, None)]) == ((1, 0), (2, None))
    assert one_round([(0, 1), (1, 2)]) == ()


# A beats B 3:1, C rests; then A-C is drawn and B rests.
ROUNDS = [[(0, 1, 3, 1), (2, None, 2, 0)], [(2, 0, 2, 2), (1, None, 2, 0)]]


def test_totals_have_penalties():
    event = small(ROUNDS, penalties=(Penalty(0, 1, -1, -3), Penalty(2, 2, 0, 1)))
    assert team_totals(event) == [(2, 2), (1, 3), (2, 5)]
    first = event.after(1)
    assert team_totals(first) == [(1, 0), (0, 1), (1, 2)] and first.planned == 2


def test_what_is_open_is_said():
    names = tuple("ABCDEFGHIJ")
    said = open_note((OpenMatch(2, 1, 0, 1),), names, False)
    assert said.startswith("1 match is open (round 2 A - B): standings")
    four = tuple(OpenMatch(1, k, 2 * k, 2 * k + 1) for k in range(4))
    said = open_note(four, names, False)
    assert said.startswith("4 matches are open (round 1 A - B, round 1 C - D, ")
    assert "..." not in said
    five = open_note((*four, OpenMatch(0, 4, 8, 9)), names, True)
    assert five.startswith("5 games are open (") and "round 1 G - H, ...)" in five
    assert unfinished_note(3) == "round 3 has no results yet: it and later rounds are left out"


# ------------------------------------------------------------------------------- the next round


@pytest.mark.parametrize(
    ("start", "edition"),
    [("2021/12/31", "olympiad-2010"), ("2022/01/01", "olympiad-2022"), ("2010", "olympiad-2010"),
     ("2023/05/01", "olympiad-2022"), ("2022", "olympiad-2022"), ("", None)],
)  # fmt: skip
def test_the_edition_of_2022_is_from_2022_on(start, edition):
    assert edition_of(small(ROUNDS, about={"start": start})) == edition


def test_what_the_rules_know_of_teams():
    """Initial numbers, points with penalties, whom they met, colours by edition."""
    event = small(
        [*ROUNDS, [(0, None, 2, 0)]], penalties=(Penalty(1, 0, -1, -2),), starts=(2, 5, 9)
    )
    by_default = Match(3, 2, 1, 2, 4, 0, 2, 2)
    event = replace(event, matches=(*event.matches, by_default))
    for edition, last in (("olympiad-2010", "--"), ("olympiad-2022", "WB")):
        known = paired_teams(event, edition)
        facts = {
            n: (t.match_points, t.game_points, set(t.met), t.colours) for n, t in known.items()
        }
        assert facts == {
            2: (4, 3.5, {5, 9}, "WB-"),
            5: (2, 2.5, {2, 9}, f"B-{last[0]}"),
            9: (2, 2.0, {2, 5}, f"-W{last[1]}"),
        }
    # Each had the bye; of those by default only who won it.
    assert no_bye(event) == {2, 5, 9}
    assert no_bye(replace(event, matches=(by_default,))) == {5}
    halves = tuple(Match(1, k, k, None, 2, 0, 0, 0, bye) for k, bye in enumerate(
        ("half", "zero", "default")))  # fmt: skip
    assert no_bye(replace(event, matches=halves)) == {9}


def test_colours_are_those_of_the_first_board():
    """Of a match whose boards are known; of others in the event as the rules give them."""
    first = [Game(1, 1, 1, 1, 0, None, None, 0, 2), Game(1, 1, 2, 0, 1, None, None, 2, 0)]
    event = small([[(0, 1, 4, 0), (2, 3, 2, 2)], [(2, 0, 4, 0), (1, 3, 2, 2)]])
    known = paired_teams(replace(event, games=tuple(first)), "olympiad-2022")
    # Nobody has had a colour: C, the higher one, has White of D; then C and A, B and D take turns.
    assert {n: team.colours for n, team in known.items()} == {1: "BW", 2: "WB", 3: "WB", 4: "BW"}
    # Without any boards the rules say it: 1 by lot, then 4 and so on in turn.
    known = paired_teams(event, "olympiad-2022")
    assert {n: team.colours for n, team in known.items()} == {1: "WB", 2: "BW", 3: "BW", 4: "WB"}
    known = paired_teams(event, "olympiad-2022", first_white=False)
    assert {n: team.colours for n, team in known.items()} == {1: "BW", 2: "WB", 3: "WB", 4: "BW"}


def test_first_teams_have_white_where_nearly_all_of_them_have_it_by_the_rules():
    """Of twelve teams: the second round lists White first, then the higher team first."""
    first = [(k, k + 6, 3, 1) if k % 2 else (k + 6, k, 1, 3) for k in range(6)]
    event = small([first], list("ABCDEFGHIJKL"), 4)
    # By lot the lower team began, as all first teams of the round say.
    begun = paired_teams(event, "olympiad-2022")
    assert "".join(begun[n].colours for n in range(1, 13)) == "BWBWBWWBWBWB"
    second = [(0, 1, 2, 2), (2, 3, 2, 2), (4, 5, 2, 2), (6, 7, 2, 2), (8, 9, 2, 2), (10, 11, 2, 2)]
    by_white = [
        (a, b, 2, 2) if begun[a + 1].colours == "B" else (b, a, 2, 2) for a, b, *_ in second
    ]
    # One first team of six has White against the rules: it is taken at its word.
    a, b, *_ = by_white[0]
    for sides, of_first in (([(b, a, 2, 2), *by_white[1:]], "BB"), (second, "BW")):
        both = small([first, sides], list("ABCDEFGHIJKL"), 4)
        assert paired_teams(both, "olympiad-2022")[1].colours == of_first


def test_who_missed_the_last_round_is_absent():
    """Not who had a bye in it; who asked for one that pays nothing is."""
    event = small(
        [[(0, 1, 3, 1), (2, 3, 2, 2), (4, 5, 2, 2)], [(0, 2, 3, 1), (1, 4, 2, 2), (3, None, 2, 0)]]
    )
    assert next_round(event, "olympiad-2022").absent == (5,)
    assert next_round(event, "olympiad-2022", absent=["A"], present=["F"]).absent == (0,)
    nothing, half = (Match(2, 4, 5, None, p, 0, 0, 0, bye) for p, bye in ((0, "zero"), (2, "half")))
    asked = replace(event, matches=(*event.matches, nothing))
    assert next_round(asked, "olympiad-2022").absent == (5,)
    made = next_round(replace(event, matches=(*event.matches, half)), "olympiad-2022")
    assert made.absent == () and made.round == 3 and made.name(4) == "D"
