"""Kinds of slips on a few matches and games each: what is said, and at which count it begins."""

import pytest

from tb2learn.events.files.fields import Notes
from tb2learn.events.files.options import Reading
from tb2learn.events.files.pairings import Draft, Pairing
from tb2learn.events.files.slips import say_slips
from tb2learn.events.files.slips_names import few, is_misspelt, looks_as
from tb2learn.events.parts import Game, Match, Player

NAMES = ("Passau", "Trier", "Ulm", "Hof")


def match(number, a, b, half=(4, 4), bye=""):
    return Match(number, 1 + a, a, b, *half, 4 if b is not None else 0, 0, bye)


def game(number, board, white, black, teams=(0, 1), ratings=(0, 0), of_match=1):
    return Game(number, of_match, board, *teams, white, black, 2, 0, True, *ratings)


def notes(
    matches=(), games=(), names=NAMES, players=(), individual=False, finished=(), rounds=0, **about
):
    """What is said of matches and games; `rounds` are as many as have matches if not given."""
    draft = Draft("Event", "f", Reading(), Notes(), individual, names, players=players, **about)
    finished = finished or [Pairing(m.round, m.number, m.team_a, m.team_b, (4, 4)) for m in matches]
    rounds = rounds or max((m.round for m in matches), default=0)
    say_slips(draft, finished, matches, games, (), rounds)
    return draft.notes.lines


ROUND = {
    1: (match(1, 0, 1), match(1, 2, 3)),
    2: (match(2, 0, 2), match(2, 1, 3)),
    3: (match(3, 0, 3), match(3, 1, 2)),
}
WHOLE = [*ROUND[1], *ROUND[2], *ROUND[3]]


def test_a_whole_event_is_no_slip():
    assert notes(WHOLE) == ()


@pytest.mark.parametrize("number", [1, 2, 3])
def test_two_who_had_nobody_in_a_round(number):
    """In twelve rounds, as in a short event one row is more than a tenth of the places."""
    matches = [
        match(6 * cycle + m.round + 3 * again, *m.teams)
        for cycle in range(2) for again in range(2) for m in WHOLE
    ]  # fmt: skip
    missing = match(number, *ROUND[number][1].teams)
    rest = [m for m in matches if (m.round, m.teams) != (number, missing.teams)]
    first, second = (NAMES[team] for team in missing.teams)
    assert f"neither a match nor a bye: round {number} {first}, {second}" in notes(rest)
    # With a bye that pays nothing it is said why.
    byes = [match(number, team, None, (0, 0), "zero") for team in missing.teams]
    assert not any("neither" in note for note in notes([*rest, *byes]))


SQUAD = tuple(Player(k // 2, f"Player {'ABCDEFGH'[k] * 4}") for k in range(8))


def boards(number, whites, teams=(0, 1), of_match=1):
    """A match on four boards; by board whether the first team has White."""
    return [
        game(number, board, None, None, teams if white else teams[::-1], of_match=of_match)
        for board, white in enumerate(whites, start=1)
    ]


def test_a_board_with_other_colours_than_the_same_board_of_the_others():
    usual = [one for number in range(1, 11) for one in boards(number, (1, 0, 1, 0))]
    said = notes(games=[*usual, *boards(11, (1, 0, 0, 0))])
    assert said == (
        "colours of boards that are not those of other matches: round 11 Passau - Trier on board 3",
    )
    # The first board turned makes all others look so.
    assert "on board 1" in notes(games=[*usual, *boards(11, (0, 0, 1, 0))])[0]
    assert notes(games=usual) == ()
    # Two of ten are more than a tenth: nobody knows which way is usual.
    assert notes(games=[*usual[8:], *boards(11, (1, 1, 0, 0)), *boards(12, (1, 1, 0, 0))]) == ()


def test_who_sits_at_two_boards_of_a_round():
    twice = [game(1, 1, 0, 2), game(1, 2, 3, 0, (1, 0))]
    assert "players with two games in a round: Player AAAA in round 1" in notes(
        games=twice, players=SQUAD
    )
    once = [game(1, 1, 0, 2), game(2, 1, 0, 3)]
    assert notes(games=once, players=SQUAD) == ()


@pytest.mark.parametrize(("ids", "said"), [((0, 0), 1), ((7, 7), 1), ((7, 0), 1), ((7, 8), 0)])
def test_a_player_in_two_teams_unless_numbers_tell_two_persons(ids, said):
    both = [Player(team, "Ann", ids[team], 2000) for team in (0, 1)]
    lines = notes(players=both)
    assert [line for line in lines if "two teams" in line] == [
        "one player in two teams: Ann in Passau and Trier"
    ] * said
    assert notes(players=[both[0], Player(1, "Ann", ids[1], 2001)]) == ()


@pytest.mark.parametrize(("apart", "number", "said"), [
    (99, 0, 0), (100, 0, 1), (299, 7, 0), (300, 7, 1),
])  # fmt: skip
def test_ratings_of_one_name_that_are_far_apart(apart, number, said):
    players = [Player(0, "Ann", number), Player(1, "Bob")]
    games = [game(r, 1, 0, 1, ratings=(2000 + apart * (r - 1), 0)) for r in (1, 2)]
    found = [line for line in notes(games=games, players=players) if "far apart" in line]
    assert len(found) == said and all(f"Ann 2000 and {2000 + apart}" in line for line in found)


def test_names_one_letter_apart_who_never_play_in_one_round():
    names = ("Passau", "Trier", "Pasau", "Hof")
    matches = [match(1, 0, 1), match(2, 0, 3), match(3, 2, 1), match(4, 0, 3)]
    assert (
        "names of teams that differ in one letter, and never play in one round: "
        "'Pasau' in round 3 and 'Passau'"
    ) in notes(matches, names=names)
    together = [match(1, 0, 1), match(1, 2, 3)]
    assert notes(together, names=names) == ()
    # Numbers and initials tell teams of a club and players of a family.
    assert notes(matches, names=("Passau 1", "Trier", "Passau 2", "Hof")) == ()


@pytest.mark.parametrize(("rare", "said"), [(1, 1), (2, 0)])
def test_without_rounds_a_misspelt_name_is_a_rare_one(rare, said):
    """Three matches of the busiest team are three times one, and not three times two."""
    names = ("Passau", "Trier", "Pasau", "Hof", "Ulm")
    matches = [match(0, 0, other) for other in (1, 3, 4)]
    matches += [match(0, 2, other) for other in (1, 3)[:rare]]
    assert sum("one letter" in line for line in notes(matches, names=names)) == said


@pytest.mark.parametrize(("rounds", "ids", "said"), [
    ((3,), (0, 0), 1), ((3, 4), (0, 0), 1), ((3, 4, 5), (0, 0), 0), ((3,), (7, 8), 0),
    ((3,), (7, 0), 1), ((1,), (0, 0), 0),
])  # fmt: skip
def test_players_of_a_team_one_letter_apart(rounds, ids, said):
    """A slip is in a round or two; two FIDE numbers are two persons, as are two in one round."""
    players = [Player(0, "Andersen", ids[0]), Player(0, "Anderson", ids[1]), Player(1, "Bob")]
    games = [game(r, 1, 0, 2) for r in (1, 2, 6, 7)]
    games += [game(r, 2, 1, None) for r in rounds]
    lines = [line for line in notes(games=games, players=players) if "one letter" in line]
    assert len(lines) == said and all("'Anderson' in round" in line for line in lines)


def test_digits_and_other_scripts_in_a_word():
    players = [Player(k % 2, f"Player {'ABCDEFGHIJ'[k] * 4}") for k in range(9)]
    slip = Player(0, "P1ayer JJJJ")
    assert notes(players=[*players, slip]) == ("digits among the letters of a name: 'P1ayer JJJJ'",)
    # Two of ten are the way of the file.
    assert notes(players=[*players[1:], slip, Player(1, "P1ayer KKKK")]) == ()
    mixed = notes(names=("Passau", "Tri\u0435r", "Ulm", "Hof"))
    assert mixed == ("letters of two scripts in a word: 'Tri\u0435r' (cyrillic letters)",)


def test_a_game_of_a_player_whom_nobody_names():
    games = [game(r, 1, 0, 2) for r in range(1, 10)]
    alone = game(10, 1, 0, None)
    assert notes(games=[*games, alone], players=SQUAD) == (
        "games with a player whom nobody names: round 10 Passau - Trier on board 1",
    )
    assert notes(games=[*games[1:], alone, game(11, 1, None, 2)], players=SQUAD) == ()


def test_one_who_meets_a_player_of_the_same_name():
    players = [Player(0, "Ann"), Player(1, "Ann")]
    assert "players who meet one of their own name: Ann in round 1 on board 1" in notes(
        games=[game(1, 1, 0, 1)], players=players
    )
    two = [Player(0, "Ann", 7), Player(1, "Ann", 8)]
    assert notes(games=[game(1, 1, 0, 1)], players=two) == ()


def test_a_tenth_is_few():
    assert few(range(1), range(10)) and not few(range(2), range(19))


def test_when_two_names_are_of_one_person():
    assert is_misspelt("Andersen, Bo", "Anderson, Bo") and not is_misspelt("Ann", "ann")
    assert is_misspelt("Andersen, Bo", "Carlsen, Magnus")
    # A first name before or behind, or shortened; two of a club by a number.
    assert not is_misspelt("Andersen, Bo", "Bo Andersen")
    assert not is_misspelt("Hof 1", "Hof 2") and not is_misspelt("", "Ann")
    assert looks_as("T\u0440ier") == looks_as("TPIER".lower()) == looks_as("Tp\u200bier")


@pytest.mark.parametrize(("half", "usual"), [((6, 2), (2, 0)), ((2, 6), (0, 2)), ((4, 4), (1, 1))])
def test_match_points_are_those_of_a_win_a_draw_and_a_loss(half, usual):
    def said(points):
        return notes(finished=[Pairing(1, 1, 0, 1, half, match_points=points)])

    assert said(usual) == said((None, None)) == said((usual[0], None)) == ()
    a, b = half
    assert said((2, 1)) == (
        f"match points that the game points do not give: round 1 Passau - Trier "
        f"{a / 2:g}-{b / 2:g} with 2-1",
    )


def test_four_examples_and_how_many_more():
    def said(count):
        wrong = [Pairing(r, 1, 0, 1, (6, 2), match_points=(1, 1)) for r in range(1, count + 1)]
        (line,) = notes(finished=wrong)
        return line

    assert said(4).count("with 1-1") == 4 and "more" not in said(4)
    assert said(6).count("with 1-1") == 4 and said(6).endswith("; and 2 more")


@pytest.mark.parametrize(("ids", "said"), [((0, 0), 1), ((7, 0), 1), ((7, 7), 1), ((7, 8), 0)])
def test_players_who_look_alike_unless_numbers_tell_them_apart(ids, said):
    names = ("Bo Ann", "bo ann")
    players = [Player(k, names[k], ids[k]) for k in range(2)]
    lines = notes(names=names, players=players, individual=True)
    assert (
        lines == ("names that look alike count as different players: 'Bo Ann' and 'bo ann'",)[:said]
    )


def test_rounds_that_are_not_played_yet_have_no_slips():
    """Matches of a later round are those of the next one, of which not all are known."""
    matches = [*WHOLE[:4], match(4, 0, 3)]
    said = notes([*matches, *(match(r, *m.teams) for r in (5, 6) for m in WHOLE[:2])], rounds=2)
    assert not any("neither" in note for note in said)


def test_names_of_four_letters_can_be_misspelt_shorter_ones_not():
    for names, said in ((("Jena", "Trier", "Jene", "Hof"), 1), (("Ulm", "Trier", "Ulk", "Hof"), 0)):
        lines = notes([match(1, 0, 1), match(2, 2, 1)], names=names)
        assert sum("one letter" in line for line in lines) == said


def test_a_board_that_is_missing_says_nothing_of_colours():
    """Boards of a match of three may have the numbers of others."""
    usual = [one for number in range(1, 11) for one in boards(number, (1, 0, 1, 0))]
    assert notes(games=[*usual, *boards(11, (1, 0, 0))]) == ()


@pytest.mark.parametrize("default", [{"played": False}, {"forfeited": 4}, {"half_points": (0, 0)}])
def test_match_points_by_default_are_the_arbiters(default):
    pairing = {"half_points": (6, 2), "match_points": (0, 0), "decided": 4} | default
    assert notes(finished=[Pairing(1, 1, 0, 1, **pairing)]) == ()


def test_boards_of_a_match_are_its_game_points():
    """Three points and one are four boards, as the others; four and one are five."""

    def said(*halves):
        usual = [Pairing(r, 1, 0, 1, (4, 4)) for r in (1, 2, 3)]
        return notes(finished=[*usual, *(Pairing(4, 1, 2, 3, half) for half in halves)])

    assert said((6, 2)) == said((8, 0)) == ()
    assert said((8, 2)) == (
        "most matches have 4 boards, and these have not: round 4 Ulm - Hof has 5",
    )


def test_printed_points_are_match_points_or_game_points():
    """Passau has 2 match points of 3 game points and Trier none of 1; most of a column decide."""
    matches = [match(1, 0, 1, (6, 2)), match(1, 2, 3, (6, 2))]
    for right in (["2", "0", "2", "0"], ["3", "1", "3", "1"]):
        assert notes(matches, published={"Pts.": right}) == ()
        wrong = [*right[:3], "7"]
        assert notes(matches, published={"Pts.": wrong}) == (
            f"printed points that the results do not give: Hof 7 instead of {right[3]}",
        )
    assert notes(matches, published={"Pts.": ["3", "9", "7", "0"]}) == ()


def test_no_rating_is_not_far_from_any():
    games = [game(r, 1, 0, 1, ratings=(2000 * (r - 1), 0)) for r in (1, 2)]
    assert notes(games=games, players=[Player(0, "Ann"), Player(1, "Bob")]) == ()


def test_a_number_of_one_of_two_tells_nothing():
    one = [Player(0, "Ann", 7), Player(1, "Ann")]
    assert (
        "players who meet one of their own name" in notes(games=[game(1, 1, 0, 1)], players=one)[0]
    )
