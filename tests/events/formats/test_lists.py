"""Pairings of chess-results: one file with all rounds is an event, or one line says why not."""

import io
import zipfile

import openpyxl
import pytest
from crosstable_samples import (
    BOARDS,
    GAMES,
    MATCHES,
    MIRRORED,
    START,
    crosstable,
    facts,
    games,
    rounds_of_players,
    start_list,
)

from tb2learn.events import read_event
from tb2learn.events.check import check, published_note
from tb2learn.events.formats.options import Reading
from tb2learn.events.formats.read import read_content
from tb2learn.events.formats.source import Held
from tb2learn.types import InputError


def read(text, name="list.csv"):
    return read_content(Held(name, text.encode()), Reading())


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


def changed(text, old, new):
    assert old in text
    return text.replace(old, new, 1)


def test_an_open_board_is_an_unfinished_round():
    later = BOARDS.split("\n", 1)[1].replace("Round 1", "Round 2").replace("1 - 0", "")
    event = read(BOARDS + later)
    assert (event.rounds, len(event.games)) == (1, 4)
    assert event.notes[-1] == "round 2 is not finished: it and later ones are left out"


def test_two_of_one_name_are_told_apart_by_start_numbers():
    both = (START + GAMES).replace("Bat, Bela", "Ace, Anna")
    assert read(both).teams == ("Ace, Anna (No. 1)", "Cat, Carl", "Ace, Anna (No. 3)")
    with pytest.raises(InputError, match="Ace, Anna has start numbers 1 and 3 elsewhere: export"):
        read(changed(both, "Result;Pts.;;Black;Rtg;No.", "Result;Pts.;;Black;Rtg;x"))


def test_printed_columns_of_a_ranking_above_the_rounds_are_compared():
    ranking = (
        "Rk.;SNo;;Name;FED;Rtg;Pts.;TB1\n1;2;;Cat, Carl;GER;2300;1,5;1\n"
        "2;1;;Ace, Anna;NOR;2400;1,5;1\n3;3;;Bat, Bela;HUN;2100;1;0\n"
    )
    event = read(ranking + GAMES)
    assert event.published["place"] == ("2", "1", "3")
    assert [one.text for one in check(event).findings if one.kind == "points"] == [
        "Bat, Bela: Pts. is printed as 1, points is 0"
    ]
    assert "Pts. 2 of 3" in published_note(event)[0]


def test_a_folder_an_archive_and_a_workbook(tmp_path):
    """One file is the event; several are not put together."""
    (tmp_path / "a.csv").write_text(GAMES)
    with pytest.raises(InputError, match=r"must hold matches\.csv.*of chess-results give one file"):
        read_event(tmp_path)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a/games.csv", GAMES)
    assert facts(read_content(Held("x.zip", packed.getvalue()), Reading())) == facts(read(GAMES))
    stream, book = io.BytesIO(), openpyxl.Workbook()
    for sheet, text in ((book.active, GAMES), (book.create_sheet("Start"), START)):
        for line in text.split("\n"):
            sheet.append(line.split(";"))
    book.save(stream)
    with pytest.raises(InputError, match="has 2 sheets with lists of chess-results"):
        read_content(Held("x.xlsx", stream.getvalue()), Reading())
    assert facts(read(crosstable(read(GAMES)))) == facts(read(GAMES))
