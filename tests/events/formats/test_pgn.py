"""PGN of team events: what is read, what is refused and where."""

import contextlib
import re
import time

import pytest
from pgn_samples import MOVES, TWO_BOARDS, game, read, read_pgn, rounds

from tb2learn.events.files.options import Reading, reading
from tb2learn.events.files.pgn import MAX_LINE
from tb2learn.events.files.table_rows import read_squad_table
from tb2learn.events.parts import Game, Match, Player
from tb2learn.types import InputError


def refused(text, strict=False):
    with pytest.raises(InputError) as error:
        read(text, strict)
    message = str(error.value)
    assert message.isprintable() and len(message) <= 500
    return message


def test_export_format():
    event = read(TWO_BOARDS)
    assert event.name == "Cup" and event.teams == ("A", "B")
    assert (event.rounds, event.boards, event.planned) == (1, 2, 1)
    assert event.matches == (Match(1, 7, 0, 1, 3, 1, 2, 0),)
    assert event.players == (
        Player(0, "A one", rating=2500, title="GM"),
        Player(0, "A two"),
        Player(1, "B one", rating=2400),
        Player(1, "B two", fide_id=17),
    )
    assert event.games == (
        Game(1, 7, 1, 0, 1, 0, 2, 2, 0, True, 2500, 2400),
        Game(1, 7, 2, 1, 0, 3, 1, 1, 1),
    )
    assert event.ratings == ((2500,), (2400,))
    assert event.about == {"city": "Baku", "start": "2016/09/02"}
    assert event.notes == ("a PGN has no start order: teams are in order of first appearance",)


COMMENT = '1. e4 {a comment\n[Event "other"]\n[Result "0-1"]\n\n% } e5 ( 2. d4 {b} ) *'
SLOPPY = {
    "crlf": TWO_BOARDS.replace("\n", "\r\n"),
    "cr": TWO_BOARDS.replace("\n", "\r"),
    "cr cr lf": TWO_BOARDS.replace("\n", "\r\r\n"),
    "byte order mark": "\ufeff" + TWO_BOARDS,
    "escaped lines": "% [Event\n" + TWO_BOARDS.replace("[Site", '%[Round "9"]\n[Site'),
    "comment with tags": TWO_BOARDS.replace(MOVES, COMMENT),
    "comment to the end of the line": TWO_BOARDS.replace(MOVES, "1. e4 ; {\n *"),
    "no line end at the end": TWO_BOARDS.rstrip(),
    "no space between tag and tag": TWO_BOARDS.replace('"]\n[', '"][').replace('" ]', '"]'),
    "tags and moves on a line": TWO_BOARDS.replace("\n\n1.", " 1.").replace('"]\n[', '"] ['),
    "blank lines in the tags": TWO_BOARDS.replace("[White ", "\n[White "),
    "unknown tags, some twice": TWO_BOARDS.replace("[White ", '[ECO ""]\n[ECO "x"]\n[White '),
    "no blank lines": TWO_BOARDS.replace("\n\n", "\n"),
    "unknown values": TWO_BOARDS.replace("[Board", '[BlackTitle "-"]\n[BlackFideId "?"]\n[Board'),
}


@pytest.mark.parametrize("case", SLOPPY)
def test_sloppy_files_are_read_as_the_same_event(case):
    assert read(SLOPPY[case]) == read(TWO_BOARDS)


@pytest.mark.parametrize("case", ["crlf", "cr", "cr cr lf", "comment with tags", "no blank lines"])
def test_refusals_name_the_line_whatever_ends_it(case):
    bad = SLOPPY[case].replace('"1/2-1/2"', '"2-0"')
    line = bad[: bad.index('[Result "2-0"]')].replace("\r\r\n", "\r\n\n").replace("\r\n", "\n")
    number = line.replace("\r", "\n").count("\n") + 1
    assert refused(bad).startswith(f"games.pgn: line {number}: column 9 (Result) must be one of")


def test_long_lines():
    """Lines of moves may be long, those of tags not; what follows `;` and `%` is skipped."""
    long = "{" + "x" * MAX_LINE + '} {} ( 1. d4 d5 2. c4 ) {"' + "y[" * MAX_LINE + "} *"
    assert read(TWO_BOARDS.replace(MOVES, long)) == read(TWO_BOARDS)
    message = refused(TWO_BOARDS + "\n" + " " * 500 + "{ [", strict=True)
    line = TWO_BOARDS.count("\n") + 2
    assert f"line {line}: column 501 (comment) must be closed" in message
    assert f"line of at most {MAX_LINE} bytes" in refused(f'[Event "{"x" * MAX_LINE}"]')
    rest = "x" * 300 + "{" + "y" * 300
    assert read(TWO_BOARDS.replace(MOVES, f"1. e4 ; {rest}\n% {rest}")) == read(TWO_BOARDS)


@pytest.mark.thorough
@pytest.mark.parametrize("comment", ["{}", "{a} ", "{;} 1. e4 ", "{", "(", "[ ", ";\n", "\n%"])
def test_a_file_costs_its_length(comment):
    started = time.process_time()
    with contextlib.suppress(InputError):
        read(TWO_BOARDS.replace(MOVES, "1. e4 " + comment * 300_000))
    assert time.process_time() - started < 10


def test_games_without_moves():
    bare = TWO_BOARDS.replace(MOVES, "")
    event = read(bare)
    assert event.games == read(TWO_BOARDS).games
    assert "games without moves and without Termination that count as played: 2" in event.notes
    # Without blank lines, too: `Event` begins a game.
    assert read(re.sub(r"\n+", "\n", bare)) == event
    # Comments and results are no moves; a move in a variation is one.
    assert read(TWO_BOARDS.replace(MOVES, "{ a1 [%clk 0:01:00] } * ; h8\n$13 *")) == event
    assert read(TWO_BOARDS.replace(MOVES, "( 1. Nf3 )")) == read(TWO_BOARDS)


def test_names_are_read_letter_by_letter():
    def white(tag):
        return read(game().replace('[White "A one"]', tag)).players[0].name

    assert white(r'[White "a \"b\" \\ c"]') == r'a "b" \ c'
    assert white(r'[White "\\"]') == "\\"
    assert white(r'[White "a\b"]') == r"a\b"
    assert white('[White "a "b" c"]') == 'a "b" c'
    assert white('[White "a\\"]') == "a\\"
    assert white('[White "] ["]') == "] ["
    assert white('[White "  a  b\u200b "]') == "a b"


def test_utf8_or_latin1_line_by_line():
    lines = game(White="Müller", Black="Łukasz").split("\n")
    encodings = {"[White ": "latin-1"}
    data = b"\n".join(line.encode(encodings.get(line[:7], "utf-8")) for line in lines)
    assert [p.name for p in read(data).players] == ["Müller", "Łukasz"]
    # More on a line than its tags.
    data = game(White="Müller", moves="").encode("latin-1").replace(b'"]\n', b'"] ') + b" 1. e4"
    assert read(data) == read(game(White="Müller"))


def numbers(event):
    return {
        (m.round, event.teams[m.team_a], event.teams[m.team_b]): m.number for m in event.matches
    }


def second(team):
    return {"White": f"{team} two", "Black": f"{team} two too"}


def test_round_names_match_and_board():
    event = rounds(
        ("1.5.2", "B", "A", second("B")), ("1.5.1", "A", "B", {}), ("1.3.1", "C", "D", {})
    )
    assert numbers(event) == {(1, "C", "D"): 3, (1, "A", "B"): 5}
    assert [(g.match, g.board) for g in event.games] == [(3, 1), (5, 1), (5, 2)]
    # The tag goes before the third number.
    event = rounds(("1.5.2", "A", "B", {"Board": "4"}))
    assert event.games[0].board == 4 and event.boards == 4


@pytest.mark.parametrize(
    "given_rounds",
    [("1.1", "1.2", "1.3"), ("1.1", "1.1", "1.2"), ("1.1", "1.2", "1"), ("1.1", "1.1", "1.1")],
)
def test_a_second_number_that_is_not_the_match(given_rounds):
    games = zip(given_rounds, "CAD", "DBC", ({}, {}, second("D")), strict=True)
    event = rounds(*games)
    assert numbers(event) == {(1, "C", "D"): 1, (1, "A", "B"): 2}
    note = "Round does not number the matches: they are numbered as they appear"
    assert note in event.notes


def test_team_a_has_white_on_the_first_board():
    event = rounds(("1", "A", "B", {"Board": "2"}), ("1", "B", "A", {**second("B"), "Board": "1"}))
    match = event.matches[0]
    assert event.teams[match.team_a] == "B" and (match.half_points_a, match.half_points_b) == (2, 2)


def test_boards_that_are_not_given_fill_the_gaps():
    event = rounds(
        ("1", "A", "B", {}), ("1", "B", "A", {**second("B"), "Board": "1"}),
        ("1", "A", "B", {"White": "A 3", "Black": "B 3"}),
    )  # fmt: skip
    assert [event.players[g.white].name for g in event.games] == ["B two", "A one", "A 3"]
    assert [g.board for g in event.games] == [1, 2, 3]


FORFEITS = {
    "moves": ({}, MOVES, True),
    "moves, whatever the termination": ({"Termination": "forfeit"}, MOVES, True),
    "moves without a name": ({"White": "?"}, MOVES, True),
    "no moves": ({}, "1-0", True),
    "forfeit": ({"Termination": "Forfeit"}, "1-0", False),
    "time forfeit": ({"Termination": "Time forfeit"}, "1-0", True),
    "unplayed": ({"Termination": "unplayed"}, "1-0", False),
    "normal": ({"Termination": "normal"}, "1-0", True),
    "empty name": ({"Black": ""}, "1-0", False),
    "no name": ({"Black": None}, "1-0", False),
    "question mark": ({"Black": "?"}, "1-0", False),
    "N.N.": ({"White": "N.N."}, "1-0", False),
    "an empty board": ({"White": "Brett nicht besetzt"}, "1-0", False),
    "unnamed but numbered": ({"White": "?", "WhiteFideId": "7"}, "1-0", True),
    "unnamed but normal": ({"White": "?", "Termination": "normal"}, "1-0", True),
    "unnamed, termination unknown": ({"White": "?", "Termination": "?"}, "1-0", False),
    "lost by both": ({"Result": "0-0"}, "", False),
    "penalties of both": ({"Result": "0-0"}, MOVES, True),
    "a penalty": ({"Result": "1/2-0"}, MOVES, True),
}


@pytest.mark.parametrize("case", FORFEITS)
def test_forfeits(case):
    tags, moves, played = FORFEITS[case]
    event = read(game(moves=moves, **tags))
    assert event.games[0].played is played
    decided = 0 if tags.get("Result") == "0-0" and not played else 1
    match = event.matches[0]
    assert (match.boards_decided, match.boards_forfeited) == (decided, decided * (not played))


def test_open_matches_and_rounds_that_nobody_played():
    event = rounds(
        ("1", "A", "B", {}), ("3", "A", "B", {"Result": "*"}), ("2", "A", "B", {"Result": "*"}),
        ("1", "C", "D", {}), ("2", "C", "D", {}),
    )  # fmt: skip
    assert (event.rounds, event.planned, len(event.matches)) == (2, 3, 3)
    assert event.notes[0] == "round 3 has no results yet: it and later rounds are left out"
    assert event.notes[1].startswith("1 match is open (round 2 A - B): standings count")
    assert [(one.round, one.team_a, one.team_b) for one in event.open] == [(2, 0, 1)]
    assert event.settled.rounds == 1 and event.settled.drawn == ((0, 1), (2, 3))
    assert "at least one finished round" in refused(game(Result="*"))
    assert "at least one finished round" in refused("")


def test_players_are_known_by_number_else_by_team_and_name():
    event = rounds(
        ("1", "A", "B", {"White": "X", "WhiteElo": "", "WhiteFideId": "0"}),
        ("2", "A", "B", {"White": "X", "WhiteElo": "2000", "WhiteFideId": "5"}),
        ("3", "A", "B", {"White": "X, Y.", "WhiteElo": "2100", "WhiteFideId": "5"}),
        ("4", "A", "B", {"White": "X", "WhiteElo": "1900", "WhiteFideId": "6", "WhiteTitle": "FM"}),
        ("5", "A", "B", {"White": "X"}),
        ("6", "C", "D", {"White": "X"}),
    )
    found = [p for p in event.players if p.name[0] == "X"]
    assert found == [
        Player(0, "X", fide_id=5, rating=2000),
        Player(0, "X", fide_id=6, rating=1900, title="FM"),
        Player(2, "X"),
    ]
    by_round = [event.players[g.white].fide_id for g in event.games]
    assert by_round == [5, 5, 5, 6, 5, 0]
    assert [g.white_rating for g in event.games] == [0, 2000, 2100, 1900, 0, 0]


def test_what_the_reader_should_know():
    event = rounds(("1", "A", "B", {}), ("1", "C", "D", {"Event": "Other"}), ("2", "A", "B", {}))
    assert event.notes == (
        "games name 2 events: the first name is used",
        "a PGN has no start order: teams are in order of first appearance",
        "a PGN has no byes: a team without games in a round was not paired",
    )
    assert read(game(Event="?")).name == "games"
    dates = [{"Date": "2016.09.05"}, {"Date": "2016.09.03"}, {"Date": "2016.??.??"}]
    event = rounds(*((str(i), "A", "B", d) for i, d in enumerate(dates, 1)))
    assert event.about == {"start": "2016/09/03"}


def test_a_thousand_teams_and_twelve_boards_and_no_more():
    thirteen = "".join(game(White=f"w{i}", Black=f"b{i}") for i in range(13))
    assert "(WhiteTeam) must be in at most 12 games of a match, got 'A'" in refused(thirteen)
    games_of_a_round = [game(f"T{i}", f"T{i + 1}") for i in range(0, 1000, 2)]
    assert len(read("".join(games_of_a_round)).teams) == 1000
    message = refused("".join([*games_of_a_round, game("U", "V", Round="2")]))
    assert "(WhiteTeam) must be one of at most 1000 teams, got 'U'" in message


def without_teams(text):
    return re.sub(r'\[(White|Black)Team ".*"\]\n', "", text)


def listed(tmp_path, *rows):
    path = tmp_path / "teams.csv"
    path.write_text("player;team\n" + "".join(f"{a};{b}\n" for a, b in rows))
    return reading(teams=read_squad_table(path))


def test_a_table_names_the_teams_of_players(tmp_path):
    """Two matches on two boards; one has an empty board, whose team the other board shows."""
    whole = without_teams(
        game(Board="1") + game("B", "A", Board="2", White="brett nicht besetzt", Black="A two")
        + game("C", "D", Board="1") + game("D", "C", Board="2", White="D two", Black="C two")
    )  # fmt: skip
    squads = listed(tmp_path, *((f"{t} {k}", t) for t in "ABCD" for k in ("one", "two")))
    event = read_pgn(whole.encode(), "games.pgn", "games", squads)
    assert event.teams == ("A", "B", "C", "D") and event.boards == 2 and not event.individual
    empty = event.games[1]
    assert (empty.white_team, empty.white, event.players[empty.black].name) == (1, None, "A two")
    allowed = r"line 24: column 8 \(Board\) must be one that no other game of round 1 has, unless"
    with pytest.raises(InputError, match=rf"{allowed} the games name teams \(tags WhiteTeam and"):
        read(whole)
    assert read_pgn(whole.encode(), "", "", Reading(individual=True)).individual


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("A one", "A")], r"\(Black\) must be a player of the table of --teams, got 'B one'"),
        ([("A one", "A"), ("B one", "A")], "BlackTeam"),
        ([("A one", "A"), ("A one", "B")], "name must be each player once, got 'A one'"),
    ],
)
def test_tables_of_teams_that_do_not_fit(tmp_path, rows, message):
    with pytest.raises(InputError, match=message):
        read_pgn(without_teams(game()).encode(), "x", "x", listed(tmp_path, *rows))
