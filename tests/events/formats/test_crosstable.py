"""Crosstables and pairings of chess-results: the event that they are of, in all their forms."""

import csv
import io
import zipfile

import openpyxl
import pytest
from crosstable_samples import (
    BOARDS,
    GAMES,
    MATCHES,
    MIRRORED,
    PLAYERS,
    SQUARE,
    START,
    TEAMS,
    crosstable,
    facts,
    games,
    rounds_of_players,
    start_list,
)
from event_samples import find_nothing

from tb2learn.events import rank, read_criteria, read_event
from tb2learn.events.files import rows as sheets
from tb2learn.events.files.csv_write import folder_files
from tb2learn.events.files.options import Reading
from tb2learn.events.files.source import MemoryFile
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError


def read(text, name="table.csv", **options):
    return read_event(MemoryFile(name, text.encode()), Reading(**options))


def test_players_by_rounds():
    event = read(PLAYERS)
    assert (event.name, event.individual, event.rounds, event.boards) == (
        "Open of Somewhere", True, 3, 1,
    )  # fmt: skip
    # Start numbers are not in the table: those with the highest ratings come first.
    assert [p.name for p in event.players][:3] == ["Ace Anna", "Cat Carl", "Bat Bela"]
    assert [(p.title, p.rating, p.federation) for p in event.players][:2] == [
        ("GM", 2400, "NOR"), ("WFM", 2300, "GER"),
    ]  # fmt: skip
    assert facts(event) == [
        (1, "Ace Anna", "Dog Dora", 2, 0, "", False),
        (1, "Cat Carl", "Fox Fred", 2, 0, "", True),
        (1, "Elk Emil", "Bat Bela", 0, 2, "", False),
        (2, "Bat Bela", "Ace Anna", 1, 1, "", False),
        (2, "Dog Dora", "Cat Carl", 1, 1, "", False),
        (2, "Fox Fred", "Elk Emil", 1, 1, "", False),
        (3, "Ace Anna", "Cat Carl", 2, 0, "", False),
        (3, "Bat Bela", "", 1, 0, "half", False),
        (3, "Dog Dora", "Elk Emil", 1, 1, "", False),
        (3, "Fox Fred", "", 0, 0, "zero", False),
    ]
    assert event.published == {
        "place": ("1", "3", "2", "5", "6", "4"),
        "Pts.": ("2,5", "1,5", "2", "1", "0,5", "1"),
        "TB1": ("4", "5", "4,5", "3,5", "2,5", "5"),
    }
    assert event.notes == ("the table has no start numbers: entrants are in order of rating",)


def test_teams_by_rounds():
    event = read(TEAMS)
    assert (event.name, event.individual, event.boards) == ("Some League", False, 4)
    assert facts(event) == [
        (1, "Adler", "Bussard", 6, 2, "", False),
        (1, "Condor", "", 4, 0, "pairing", False),
        (1, "Drossel", "", 0, 0, "zero", False),
        (2, "Bussard", "Drossel", 8, 0, "", False),
        (2, "Condor", "Adler", 3, 5, "", False),
        (3, "Adler", "", 4, 0, "pairing", False),
        (3, "Bussard", "Condor", 4, 4, "", False),
        (3, "Drossel", "", 0, 0, "zero", False),
    ]
    rows = rank(event, product_table(event.rounds, event.boards))
    assert [(row.team, row.scores["mp"]) for row in rows] == [
        ("Adler", 5), ("Bussard", 3), ("Condor", 2), ("Drossel", 0),
    ]  # fmt: skip


def test_two_players_in_a_square_are_not_drawn_for_a_next_round():
    assert read("Rk;Name;1;2\n1;Ace;*;1\n2;Bat;0;*\n").drawn == ()


def test_a_square_of_players_is_written_as_tables(tmp_path):
    square = read("Rk;Name;1;2;3\n1;Ace;*;1;½\n2;Bat;0;*;1\n3;Cat;½;0;*\n")
    assert square.individual and {match.round for match in square.matches} == {0}
    for name, text in folder_files(square).items():
        (tmp_path / name).write_text(text, "utf-8")
    again = read_event(tmp_path)
    assert facts(again) == facts(square) and again.individual


@pytest.mark.parametrize(
    ("old", "new", "cell"),
    [("*,2½", "*,y", "y"), ("1½,*", "z,*", "2½"), ("*,2½", "*,+", r"\+"), ("1½,*", "-,*", "2½")],
)
def test_a_cell_of_a_square_that_is_no_result(old, new, cell):
    """On either side of a match; a match of teams has game points, also by default."""
    with pytest.raises(InputError, match=f"column 2 of Adler must be game points .*got '{cell}'"):
        read(SQUARE.replace(old, new))


def test_teams_in_a_square():
    event = read(SQUARE)
    assert not event.known_rounds and event.boards == 4 and event.rounds == 3
    assert facts(event) == [
        (0, "Adler", "Bussard", 5, 3, "", False),
        (0, "Adler", "Condor", 2, 6, "", False),
        (0, "Adler", "Condor", 6, 2, "", False),
        (0, "Bussard", "Condor", 4, 4, "", False),
    ]


@pytest.mark.parametrize(
    ("mark", "letters", "rounds", "heads"),
    [
        (";", "wb", "{}.Rd", ("Rk.", "Team")),
        ("\t", "ws", "{}.Rd", ("Rg.", "Mannschaft")),
        (";", "bn", "Rde {}", ("Cl", "Equipe")),
    ],
)
def test_a_packaged_event_as_a_crosstable(baku, mark, letters, rounds, heads):
    event = baku.after(3)
    again = read(crosstable(event, mark, letters, rounds, heads))
    product = product_table(event.rounds, event.boards)
    points = [{r.team: r.scores["mp"] for r in rank(each, product)} for each in (event, again)]
    assert points[0] == points[1]
    met = [{f[:5] for f in facts(each) if not f[5]} for each in (event, again)]
    assert met[0] == met[1]


@pytest.mark.parametrize("seed", range(20))
def test_any_event_of_players_as_a_crosstable(seed):
    event = read(games(seed))
    again = read(crosstable(event))
    # A round without an entry and one with a bye that pays nothing are the same cell.
    both = [{one for one in facts(each) if one[5] != "zero"} for each in (event, again)]
    assert both[0] == both[1]
    order = read_criteria(event, "fide", find_nothing)
    scores = [{r.team: r.scores for r in rank(each, order)} for each in (event, again)]
    assert scores[0] == scores[1]


def test_a_table_by_start_numbers():
    """Cells name start numbers; which column they mean is found by whether they fit."""
    text = "Rk.;SNo;Name;1.Rd;Pts.\n1;2;Ace;1w1;1\n2;1;Bat;2b0;0\n"
    event = read(text)
    assert event.teams == ("Bat", "Ace") and facts(event) == [(1, "Ace", "Bat", 2, 0, "", False)]
    assert event.notes == ()


def typed(text):
    """A cell as a spreadsheet types it: a number is one."""
    return float(text.replace(",", ".")) if text.replace(",", "").isdigit() else text


def workbook(**sheets):
    """Sheets by title, each from its rows."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def read_workbook(data):
    return read_event(MemoryFile("t.xlsx", data), Reading())


def test_a_workbook_is_its_first_sheet():
    rows = csv.reader(io.StringIO(PLAYERS), delimiter=";")
    event = read_workbook(workbook(Sheet=[list(map(typed, row)) for row in rows], notes=[]))
    assert facts(event) == facts(read(PLAYERS)) and event.name == "Open of Somewhere"


def test_workbooks_are_bounded(monkeypatch):
    data = workbook(a=[[number] for number in range(26)])
    monkeypatch.setattr(sheets, "MAX_ROWS", 25)
    with pytest.raises(InputError, match="sheet a must have at most 25 rows"):
        read_workbook(data)
    for cut in (data[:500], data.replace(b"xl/worksheets/sheet1.xml", b"xl/worksheets/sheet9.xml")):
        with pytest.raises(InputError, match=r"damaged|no sheet"):
            read_workbook(cut)


def seats(event):
    """Games by names: round, board, and of either side team, player and half points."""
    names = {None: None} | {number: p.name for number, p in enumerate(event.players)}
    return sorted(
        (g.round, g.board, g.played,
         *((event.teams[s.team], names[s.player] or "", s.half_points) for s in g.sides))
        for g in event.games
    )  # fmt: skip


def test_games_of_rounds_below_a_start_list():
    event = read(START + GAMES)
    assert (event.name, event.individual, event.rounds) == ("Some Open", True, 2)
    assert [(p.name, p.title, p.rating, p.federation, p.fide_id) for p in event.players] == [
        ("Ace, Anna", "GM", 2400, "NOR", 1400001), ("Cat, Carl", "WFM", 2300, "GER", 0),
        ("Bat, Bela", "", 2100, "HUN", 0),
    ]  # fmt: skip
    assert facts(event) == [
        (1, "Ace, Anna", "Bat, Bela", 2, 0, "", False),
        (1, "Cat, Carl", "", 2, 0, "pairing", False),
        (2, "Bat, Bela", "", 0, 0, "zero", False),
        (2, "Cat, Carl", "Ace, Anna", 1, 1, "", False),
    ]
    assert event.notes == ()


def test_matches_of_rounds():
    event = read(MATCHES)
    assert (event.individual, event.boards, event.rounds) == (False, 4, 2)
    assert facts(event) == [
        (1, "Adler", "Bussard", 5, 3, "", False),
        (1, "Condor", "", 4, 0, "pairing", False),
        (2, "Bussard", "", 0, 0, "zero", False),
        (2, "Condor", "Adler", 8, 0, "", True),
    ]
    mirrored = read(MIRRORED)
    assert mirrored.teams == ("Herons", "Storks", "Falcons")
    assert facts(mirrored) == [
        (1, "Falcons", "Herons", 6, 2, "", False), (1, "Storks", "", 0, 0, "zero", False),
    ]  # fmt: skip


def test_matches_with_boards():
    event = read(BOARDS)
    assert event.teams == ("Herons", "Storks", "Falcons", "Terns")
    assert seats(event) == [
        (1, 1, False, ("Storks", "Eel, Eva", 2), ("Terns", "Fly, Flo", 0)),
        (1, 1, True, ("Falcons", "Ant, Ada", 2), ("Herons", "Bee, Bob", 0)),
        (1, 2, False, ("Terns", "Gnu, Gus", 2), ("Storks", "", 0)),
        (1, 2, True, ("Herons", "Dab, Dee", 1), ("Falcons", "Cod, Cid", 1)),
    ]
    ada = next(p for p in event.players if p.name == "Ant, Ada")
    assert (ada.title, ada.rating) == ("FM", 2210)
    assert event.notes == (
        "boards have no colours: the first team has White on board 1, then in turn",
    )


@pytest.mark.parametrize("seed", range(12))
def test_any_event_of_players_by_its_rounds(seed):
    event = read(games(seed))
    again = read(start_list(event) + "\n" + rounds_of_players(event, range(1, event.rounds + 1)))
    expected = {one for one in facts(event) if one[5] != "zero"}
    assert {one for one in facts(again) if one[5] != "zero"} == expected
    assert event.teams == again.teams


def test_a_match_with_an_open_board_is_open():
    later = BOARDS.split("\n", 1)[1].replace("Round 1", "Round 2").replace("1 - 0", "")
    event = read(BOARDS + later)
    assert (event.rounds, len(event.games)) == (2, 6)
    assert [(one.round, event.teams[one.team_a]) for one in event.open] == [(2, "Falcons")]


def test_two_of_one_name_are_told_apart_by_start_numbers():
    both = (START + GAMES).replace("Bat, Bela", "Ace, Anna")
    assert read(both).teams == ("Ace, Anna (No. 1)", "Cat, Carl", "Ace, Anna (No. 3)")
    with pytest.raises(InputError, match="Ace, Anna has start numbers 1 and 3 elsewhere: export"):
        read(both.replace("Result;Pts.;;Black;Rtg;No.", "Result;Pts.;;Black;Rtg;x", 1))


def test_a_folder_an_archive_and_a_workbook(tmp_path):
    """One file is the event; several are not put together."""
    (tmp_path / "a.csv").write_text(GAMES)
    with pytest.raises(InputError, match=r"must hold matches\.csv.*of chess-results give one file"):
        read_event(tmp_path)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a/games.csv", GAMES)
    assert facts(read_event(MemoryFile("x.zip", packed.getvalue()), Reading())) == facts(
        read(GAMES)
    )
    stream, book = io.BytesIO(), openpyxl.Workbook()
    for sheet, text in ((book.active, GAMES), (book.create_sheet("Start"), START)):
        for line in text.split("\n"):
            sheet.append(line.split(";"))
    book.save(stream)
    with pytest.raises(InputError, match="has several sheets with lists of chess-results"):
        read_event(MemoryFile("x.xlsx", stream.getvalue()), Reading())
    assert facts(read(crosstable(read(GAMES)))) == facts(read(GAMES))
