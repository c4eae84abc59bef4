"""Files of a careless hand: what would change places without a word is read, named or refused."""

# ruff: noqa: RUF001

from pathlib import Path

import pytest
from helpers import ROOT
from pgn_samples import PLAYERS, game

from tb2learn.events import Reading, read_event
from tb2learn.events.files.code_pages import decoded_lines
from tb2learn.events.files.read import read_content
from tb2learn.events.files.source import MemoryFile
from tb2learn.types import InputError

FILES = ROOT / "tests/data/silent2"


def read(text, encoding="utf-8", name="x.csv", **options):
    return read_content(MemoryFile(name, text.encode(encoding)), Reading(**options))


def refused(file, words):
    """The refusal of a file, by either reader."""
    for options in (Reading(), Reading(strict=True, form="table")):
        with pytest.raises(InputError) as error:
            read_event(FILES / file, options)
        assert str(error.value).startswith(f"{Path(file).name}: ") or options.strict
        assert words in str(error.value) or options.strict


# --------------------------------------------------------------------------------------- signs

SIGNS = {
    "cp1252-apostrophe.csv": "O’Brien", "cp1252-apostrophe2.csv": "O’Brien",
    "cp1252-dash.csv": "Köln – Süd", "cp1252-quotes.csv": "SV „Turm“",
}  # fmt: skip


@pytest.mark.parametrize("file", SIGNS)
def test_signs_of_windows_1252(file):
    event = read_event(FILES / file)
    assert event.teams[0] == SIGNS[file] and "read as Windows-1252" in event.notes[0]
    first = event.matches[0]
    assert (first.half_points_a, first.half_points_b) == (5, 3)


NAMES = {
    "cp1252": "Müller Jörg", "cp1250": "Dvořák Jiří", "cp1251": "Сидоров", "cp1254": "Işıl Yıldız",
    "cp1257": "Bērziņš", "iso8859-2": "Žižka Štěpán",
}  # fmt: skip


@pytest.mark.parametrize("halves", [b"", b"\xbd"])
@pytest.mark.parametrize("page", NAMES)
def test_signs_beside_names_of_every_page(page, halves):
    """Programs write the half of Windows-1252 beside names of any page, a hundred times."""
    signs = "’„“–" if page.startswith("cp") else ""
    name = NAMES[page] + (" d’Aosta „A“ – B" if signs else "")
    dash = "–".encode(page) if signs else b"-"
    row = name.encode(page) + b";Dan;3" + halves + dash + halves + b"\n"
    text, found = decoded_lines(b"Heim;Gast;Ergebnis\n" + 50 * row)
    assert found == page and text.count(name) == 50 and text.count("½") == 100 * bool(halves)


def test_an_apostrophe_is_the_same_in_every_form():
    pgn = game(White="Ant, Ada", WhiteTeam="Côte d’Ivoire").encode("cp1252")
    table = "Round;Home;Away;Score\n1;Côte d’Ivoire;B;1:0\n".encode("cp1252")
    for name, data in (("x.pgn", pgn), ("x.csv", table)):
        assert read_content(MemoryFile(name, data), Reading()).teams[0] == "Côte d’Ivoire"
    latin = "Heim;Gast;Ergebnis\n1;O’Brien;B;2:0\n".encode("cp1252")
    assert decoded_lines(latin)[1] == "cp1252"


def test_a_question_mark_is_an_open_game_in_every_form():
    event = read_event(FILES / "question-mark.csv")
    assert len(event.open) == 1 and "1 game is open" in str(event.notes)
    assert "Ann 2½ instead of 2" in str(event.notes)
    two = "1;Cid;{};Dan\n"
    head = "Round;White;Result;Black\n1;Ann;1-0;Bob\n"
    listed = "Round 1\nBo.;White;Result;Black\n1;Ann;1 - 0;Bob\n2;Cid;{};Dan\n"
    square = "No.;Name;1;2;3\n1;Ann;*;1;1\n2;Bob;0;*;{}\n3;Cid;0;{};*\n"
    for text in (head + two, listed, square):
        for sign in ("?", "*"):
            assert len(read(text.format(sign, sign)).open) == 1
    games = PLAYERS.replace('[Result "0-1"]', '[Result "?"]').replace("0-1\n", "?\n")
    event = read(games, name="x.pgn")
    assert event.rounds == 1 and event.drawn == ((3, 0),)


# ------------------------------------------------------------------- in words of a clerk


def test_a_time_that_excel_made_of_a_result_is_named():
    refused("excel-time.xlsx", "line 2: score '0.2104166666666667' is a time: Excel has made a "
            "time of 5:3: format the column as text")  # fmt: skip
    for row in ("1;A;B;05:03:00", "1;A;B;0.1694444444444445"):
        with pytest.raises(InputError, match=r"Excel has made a time of (5:3|4:4)"):
            read(f"Round;Home;Away;Score\n{row}\n")


def test_a_row_of_sums_is_named():
    refused("sum-row.csv", "line 6: 'Summe' heads a row of sums, which is no match: leave it out")
    listed = "Round 1\nNo.;Team;Team;Res.;:;Res.\n1;A;B;3;:;1\n;Total;;3;:;1\n"
    with pytest.raises(InputError, match="line 4: 'Total' heads a row of sums"):
        read(listed)
    # A team may be called so, and below a crosstable sums are of nobody.
    assert read("Round;Home;Away;Score\n1;Total;B;3:1\n").teams == ("Total", "B")
    table = "No.;Name;1.Rd;Pts\n1;Ann;2w1;1\n2;Bob;1b0;0\n;Summe;1;1\n"
    assert read(table).teams == ("Ann", "Bob")


def test_a_comma_inside_a_field_is_named():
    refused("unquoted.csv", "line 2: must have 4 fields, got 6: is there a comma inside a field, "
            "such as '2,5-1,5'? Then put it in quotes, or semicolons between the")  # fmt: skip
    with pytest.raises(InputError, match=r"got 5: is there a comma inside a field[?]"):
        read("round,home,away,score\n1,Aue, Bad,Bern,2-2\n")
    with pytest.raises(InputError, match=r"got 5$"):
        read("round;home;away;score\n1;Aue;Bern;2-2;9\n")
