"""Files as arbiters have them: one small event in many languages, code pages, forms and pages."""

import io
import zipfile

import pytest
from crosstable_samples import facts
from event_samples import explained, find_nothing

from tb2learn.events import CriteriaReader, Reading, rank, read_criteria, read_event, recorded_list
from tb2learn.events.explain import OPEN_LABEL, has_working
from tb2learn.events.files import rows
from tb2learn.events.files.csv_write import folder_files
from tb2learn.events.files.scores import result_of
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.kind import is_round_robin
from tb2learn.export.standings import matches_played
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError

TABLE = """\
Open of Somewhere
{heads}
1;4;Ace, Žan;2300;4w1;2b½;3w+;2,5;3
2;1;Bär, Ida;2400;3w½;1w½;4b1;2;4
3;3;Čas, Eva;2200;2b½;4w½;1b-;1;5,5
4;2;Dé, Ugo;2100;1b0;3b½;2w0;0,5;5,5
"""
"""Four players, three rounds: place, start number, name, rating, rounds, points, Buchholz."""
EXPECTED = [
    (1, "Ace, Žan", "Dé, Ugo", 2, 0, "", False),
    (1, "Bär, Ida", "Čas, Eva", 1, 1, "", False),
    (2, "Bär, Ida", "Ace, Žan", 1, 1, "", False),
    (2, "Čas, Eva", "Dé, Ugo", 1, 1, "", False),
    (3, "Ace, Žan", "Čas, Eva", 2, 0, "", True),
    (3, "Dé, Ugo", "Bär, Ida", 0, 2, "", False),
]
HEADS = {
    "en": "Rk.;SNo;Name;Rtg;1.Rd;2.Rd;3.Rd;Pts.;TB1",
    "de": "Rg.;Snr;Name;Elo;1.Rd;2.Rd;3.Rd;Pkt.;Wtg1",
    "fr": "Cl.;NoIni.;Nom;Elo;Rde 1;Rde 2;Rde 3;Pts.;Dep1",
    "es": "Rk.;No.Ini.;Nombre;Elo;1.Ronda;2.Ronda;3.Ronda;Pts.;Des 1",
    "it": "Pos.;NrIn.;Nome;Elo;1.T;2.T;3.T;Punti;Spar1",
    "pt": "Cl.;Nº.Inic.;Nome;Elo;1.Rd;2.Rd;3.Rd;Pts.;Des1",
    "nl": "Plaats;Nr.;Naam;Rtg;R1;R2;R3;Ptn.;TB1",
    "sv": "Plac;Nr;Namn;Rtg;1.rond;2.rond;3.rond;Poäng;SP1",
    "pl": "M-ce;Nr st.;Imię, nazwisko;Ranking;1.Rd;2.Rd;3.Rd;Pkt.;Pom1",
    "tr": "Sıra;BNo;İsim;ELO;1.Tur;2.Tur;3.Tur;Puan;EB1",
    "cs": "Poř.;St.č.;Jméno;Rtg;1.kolo;2.kolo;3.kolo;Body;PH1",
    "hr": "Rg.;Br.;Ime;Rtg;1.kolo;2.kolo;3.kolo;Bod.;Dod1",
    "ro": "Loc;Nr.;Nume;Rtg;1.Runda;2.Runda;3.Runda;Puncte;Dep1",
    "hu": "Hely.;Rsz.;Név;Élő;1.ford.;2.ford.;3.ford.;Pont;Sz1",
    "el": "Θέση;Α/Α;Όνομα;Rtg;1.Γύρος;2.Γύρος;3.Γύρος;Βαθμοί;Ισο1",
    "ru": "Место;Ст.№;Имя;Рейт.;1.тур;2.тур;3.тур;Очки;Доп1",
    "sr": "Место;Бр.;Име;Рејт.;1.коло;2.коло;3.коло;Поени;Доп1",
    "uk": "Місце;№;Прізвище, ім'я;Рейт.;1.тур;2.тур;3.тур;Очки;Доп1",
    "zh": "名次;序号;姓名;等级分;第1轮;第2轮;第3轮;积分;TB1",
}
"""One heading in the languages of the site."""


def read(text, name="table.csv", encoding="utf-8", **options):
    return read_event(MemoryFile(name, text.encode(encoding)), Reading(**options))


@pytest.mark.parametrize("language", HEADS)
def test_a_crosstable_in_every_language(language):
    event = read(TABLE.format(heads=HEADS[language]))
    assert facts(event) == sorted(EXPECTED) and event.notes == ()
    assert event.teams == ("Bär, Ida", "Dé, Ugo", "Čas, Eva", "Ace, Žan")
    assert event.published["place"] == ("2", "4", "3", "1")
    assert [p.rating for p in event.players] == [2400, 2100, 2200, 2300]
    points = next(texts for heading, texts in event.published.items() if heading != "place")
    assert points == ("2", "0,5", "1", "2,5")


def test_headings_that_are_not_known():
    """The cells show the rounds, the letters the names."""
    event = read(TABLE.format(heads="Aa;Bb;Cc;Dd;E1;E2;E3;F;G"))
    assert facts(event) == sorted(EXPECTED)
    assert event.notes[0] == "the column 'Cc' is taken for the names"


@pytest.mark.parametrize(
    "letters", ["ws", "wz", "vs", "bn", "bp", "bc", "bs", "an", "бч", "白黑", "λμ", "hs"]
)
def test_letters_of_colours(letters):
    text = TABLE.format(heads=HEADS["en"])
    rows = text.split("\n")
    for row in (2, 3, 4, 5):
        cells = rows[row].split(";")
        swap = str.maketrans("wb", letters)
        cells[4:7] = [cell.translate(swap) for cell in cells[4:7]]
        rows[row] = ";".join(cells)
    assert facts(read("\n".join(rows))) == sorted(EXPECTED)


def test_the_place_may_stand_anywhere():
    lines = TABLE.format(heads=HEADS["en"]).split("\n")
    moved = [";".join([*line.split(";")[1:8], line.split(";")[0], line.split(";")[8]])
             for line in lines[1:5 + 1]]  # fmt: skip
    # Cells still call opponents by their places, which stand behind the points now.
    event = read("\n".join([lines[0], *moved]))
    assert facts(event) == sorted(EXPECTED)
    assert [*event.published] == ["place", "Pts.", "TB1"]


CODE_PAGES = {
    "cp1250": ("Novák, Jiří", "Żak, Łukasz", "Horvát, Őze", "Dvořák, Ivo", "Windows-1250"),
    "cp1251": ("Сидоров, Пётр", "Ткачук, Їжак", "Козлов", "Петрова", "Windows-1251"),
    "cp1252": ("Müller, Jörg", "Lefèvre, Zoé", "Sørensen", "Muñoz", "Windows-1252"),
    "cp437": ("Müller, Jörg", "Lefèvre, Zoé", "Muñoz", "Grün", "code page 437"),
}


@pytest.mark.parametrize("page", CODE_PAGES)
def test_code_pages_are_told_by_their_words(page):
    *names, named = CODE_PAGES[page]
    text = "Rd;White;Black;Result\n1;{};{};1-0\n1;{};{};0-1\n".format(*names)
    event = read(text, encoding=page)
    assert sorted(event.teams) == sorted(names)
    assert any(f"read as {named}, so names may look wrong" in note for note in event.notes)
    told = read_event(MemoryFile("x.csv", text.encode(page)), Reading(encoding=page))
    assert told.teams == event.teams and not any("UTF-8" in note for note in told.notes)


def test_a_byte_that_is_no_letter_costs_a_letter():
    text = b"Rd;White;Black;Result\n1;Jos\xe9 Mu\xf1oz;Garc\xeda \x81;1-0\n"
    event = read_event(MemoryFile("x.csv", text), Reading())
    assert event.teams == ("José Muñoz", "García \N{REPLACEMENT CHARACTER}")
    assert "names may look" in str(event.notes)


def test_a_half_does_not_outweigh_the_letters_of_names():
    """In Windows-1250 its byte is another sign, which is all that a saved half leaves."""
    text = TABLE.format(heads=HEADS["hr"]).replace("½", "˝").replace("Dé, Ugo", "Łoś, Żak")
    event = read(text, encoding="cp1250")
    named = {"Dé, Ugo": "Łoś, Żak"}
    assert facts(event) == sorted(tuple(named.get(x, x) for x in one) for one in EXPECTED)


@pytest.mark.parametrize("word", ["postponed", "verlegt", "Reporté", "отложен", "Odłożony", "?"])
def test_a_match_that_was_put_off_is_open(word):
    rows = f"1;A;B;{word}\n1;C;D;2,5-1,5\n2;A;C;2-2\n2;B;D;3-1\n"
    event = read(f"Round;Home;Away;Result\n{rows}")
    assert [(one.round, one.team_a, one.team_b) for one in event.open] == [(1, 0, 1)]
    rows = rows.replace("2,5-1,5", "1-0").replace("2-2", "½-½").replace("3-1", "0-1")
    games = read(f"Round;White;Black;Result\n{rows}")
    assert len(games.open) == 1


@pytest.mark.parametrize("sign", ["˝", "�", "«", "Ѕ"])
def test_one_strange_sign_in_both_cells_is_the_half(sign):
    event = read(TABLE.format(heads=HEADS["en"]).replace("½", sign))
    assert facts(event) == sorted(EXPECTED)
    assert event.notes[0].startswith(
        f"the sign {sign.lower()!r} in the cells of rounds is taken for the h"
    )
    with pytest.raises(InputError, match="the other half of what the opponent has"):
        read(TABLE.format(heads=HEADS["en"]).replace("½", sign, 1).replace("½", "1"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1-0", ((2, 0), True)), ("0 : 1", ((0, 2), True)), ("½-½", ((1, 1), True)),
        ("1/2-1/2", ((1, 1), True)), ("0,5-0,5", ((1, 1), True)), ("0.5 – 0.5", ((1, 1), True)),
        ("=-=", ((1, 1), True)), ("remis", ((1, 1), True)), ("Tablas", ((1, 1), True)),
        ("ничья", ((1, 1), True)), ("1-0F", ((2, 0), False)), ("+/-", ((2, 0), False)),
        ("-:+", ((0, 2), False)), ("+--", ((2, 0), False)), ("---", ((0, 0), False)),
        ("2½ : 1½", ((5, 3), True)), ("4F:0F", ((8, 0), False)), ("3-1", ((6, 2), True)),
        ("01.Mrz", None), ("x", None), ("", None), ("-", None), ("1-", None),
    ],
)  # fmt: skip
def test_results_in_many_forms(text, expected):
    assert result_of(text) == expected


@pytest.mark.parametrize("got", ["01.Mrz", "3-Jan", "02. Feb", "2026-03-01", "1.3.2026", "01.мар"])
def test_a_date_in_place_of_a_result_is_named(got):
    for text in (
        f"Round;Home;Away;Score\n1;A;B;3-1\n2;A;B;{got}\n",
        f"Round;White;Black;Result\n1;A;B;1-0\n2;A;B;{got}\n",
        f"Round;Home;Away;BP1;BP2\n1;A;B;3;1\n2;A;B;{got};1\n",
    ):
        with pytest.raises(InputError, match=f"line 3.*'{got}' is a date, which a spreadsheet"):
            read(text)


def test_an_open_game_of_a_crosstable():
    """The others are ranked as it stands; the note names it."""
    table = TABLE.format(heads=HEADS["en"])
    event = read(table.replace(";2b½;", ";2b;", 1).replace(";1w½;", ";1w;"))
    assert (event.rounds, len(event.matches), len(event.open)) == (3, 5, 1)
    assert event.notes[0].startswith("1 game is open (round 2 Bär, Ida - Ace, Žan): standings")
    assert event.after(1).open == () and event.settled.rounds == 1


SQUARES = {
    "players": (
        "No.;Name;1;2;3;Pts.\n1;Ace;*;1;½;1,5\n2;Bat;0;*;1;1\n3;Cat;½;0;*;0,5\n",
        [(0, "Ace", "Bat", 2, 0), (0, "Ace", "Cat", 1, 1), (0, "Bat", "Cat", 2, 0)],
    ),
    "double": (
        "Rk;Name;1;2\n1;Ace;*;½1\n2;Bat;½ 0;*\n",
        [(0, "Ace", "Bat", 1, 1), (0, "Ace", "Bat", 2, 0)],
    ),
    "double, side by side": (  # 1½ is no match of teams: 00 is none
        "Rk;Name;1;2;3\n1;Ace;**;1½;11\n2;Bat;0½;**;01\n3;Cat;00;10;**\n",
        [
            *[(0, "Ace", "Bat", 2, 0), (0, "Ace", "Bat", 1, 1)],
            *[(0, "Ace", "Cat", 2, 0)] * 2,
            *[(0, "Bat", "Cat", 0, 2), (0, "Bat", "Cat", 2, 0)],
        ],
    ),
    "double teams": (
        "Rk;Team;1;2\n1;A;***;2½ 3\n2;B;1½ 1;***\n",
        [(0, "A", "B", 5, 3), (0, "A", "B", 6, 2)],
    ),
}


@pytest.mark.parametrize("kind", SQUARES)
def test_squares(kind):
    text, expected = SQUARES[kind]
    event = read(text)
    assert [one[:5] for one in facts(event)] == sorted(expected) and not event.known_rounds
    assert event.individual is ("teams" not in kind)
    if event.individual:
        order = read_criteria(event, ["fide"], find_nothing)
        assert next(row.team for row in rank(event, order)) == "Ace"
    else:
        assert rank(
            event, CriteriaReader.of(event).led_by(product_table(event.rounds, event.boards))
        )


HALF_WAY = {
    False: "Rk.;Team;1;2;3;4\n1;A;*;3;2½;\n2;B;1;*;2;4\n3;C;1½;2;*;\n4;D;;0;;*\n",
    True: "Rk.;Name;1;2;3;4\n1;A;*;1;½;\n2;B;0;*;½;1\n3;C;½;½;*;\n4;D;;0;;*\n",
}


@pytest.mark.parametrize("individual", [False, True])
def test_a_square_that_is_not_full_is_a_round_robin(individual):
    event = read(HALF_WAY[individual])
    what = "games" if individual else "matches"
    assert f"2 {what} are open (A - D, C - D): standings count" in event.notes[-1]
    assert is_round_robin(event) and event.rounds == 3
    files = {name: text.encode() for name, text in folder_files(event).items()}
    again = read_event(MemoryFile("tables", files), Reading())
    for one in (event, again):
        played = dict(zip(one.teams, matches_played(one)["played"], strict=True))
        assert played == {"A": 2, "B": 3, "C": 2, "D": 1}
        order = read_criteria(one, ["fide"], find_nothing)
        assert next(row.team for row in rank(one, order)) == "A"
        (working,) = explained(one, ["D"], [by for by in order if has_working(by)])
        assert [i.opponent for i in working.items if i.kind == OPEN_LABEL] == ["A", "C"]


def test_pairs_of_a_swiss_that_never_met_are_not_open():
    event = read("Rk.;Name;1;2;3;4\n1;A;*;1;;\n2;B;0;*;;\n3;C;;;*;½\n4;D;;;½;*\n")
    assert not event.open and event.rounds == 1 and not is_round_robin(event)
    assert "pairs in the square without a result: 4" in event.notes


def page(rows, notes="", before=""):
    """A page as the site makes them: tables for its layout, a script, titles, the table, notes."""
    body = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows)
    return (
        "<!DOCTYPE html><html><head><title>x</title><script>if (a<b) '<td>';</script></head><body>"
        "<table><tr><td>Home</td><td>Login</td></tr><tr><td colspan='2'>"
        f"<h2>Open of Somewhere</h2>{before}<div><table class='CRs1'>{body}</table></div>"
        f"</td></tr></table><p><b>Annotation:</b><br>{notes}</p></body></html>"
    )


def rows_of(text):
    return [line.split(";") for line in text.strip().split("\n")[1:]]


BUCHHOLZ = "Tie Break 1: Buchholz Tie-Breaks ({})<br>Tie Break 2: Number of wins (WIN)"


@pytest.mark.parametrize(
    ("name", "order"),
    [("all results", "PTS,BH,WIN"), ("Cut 1", "PTS,BH/C1,WIN"),
     ("variabel with parameter", "PTS,BH/C1,WIN")],
)  # fmt: skip
def test_a_saved_page_says_what_its_tie_breaks_are(name, order):
    """They decide by default; a cut that is not told is the one that the cells show."""
    rows = rows_of(TABLE.format(heads=HEADS["en"] + ";TB2"))
    for row, wins, cut in zip(rows[1:], "2110", ("4,5", "3,5", "2,5", "4,5"), strict=True):
        row[-1:] = [cut, wins]
    event = read(page(rows, BUCHHOLZ.format(name)), "crosstable.html")
    assert facts(event) == sorted(EXPECTED) and event.name == "Open of Somewhere"
    assert event.about["tiebreaks"] == order
    listed, _ = recorded_list(event, find_nothing)
    assert listed and ",".join(listed.asked) == order
    unknown = read(page(rows, "Tie Break 1: Arranz System, new"), "crosstable.html")
    assert unknown.about["tiebreaks"] == "PTS,Arranz System new"


def test_a_page_with_the_pairings_of_rounds():
    rows = [
        ["1. Ronda"], ["M.", "White", "Resultado", "Black"], ["1", "Ace", "½ - ½", "Bat"],
        ["2", "Cat", "1 - 0", "Dog"],
        ["2. Ronda"], ["M.", "White", "Resultado", "Black"], ["1", "Bat", "", "Cat"],
        ["2", "Dog", "0 - 1", "Ace"],
    ]  # fmt: skip
    event = read(page(rows), "rounds.html")
    assert facts(event) == [
        (1, "Ace", "Bat", 1, 1, "", False), (1, "Cat", "Dog", 2, 0, "", False),
        (2, "Dog", "Ace", 0, 2, "", False),
    ]  # fmt: skip
    assert [(one.round, event.teams[one.team_a]) for one in event.open] == [(2, "Bat")]


def test_a_column_with_local_names_is_none():
    text = (
        "Round 1\nBo.;2;Harbour;Rtg;;-;1;Castle;Rtg;;1½ : ½\n"
        "1.1;;Wang;1496;王;-;;Xue;2218;薛;1 - 0\n1.2;;Li;1400;李;-;;Zhao;2100;赵;½ - ½\n"
    )
    assert facts(read(text)) == [(1, "Harbour", "Castle", 3, 1, "", False)]


def test_members_of_an_archive(tmp_path):
    def zipped(files):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return MemoryFile("x.zip", stream.getvalue())

    matches = "round,team_a,team_b,game_points_a,game_points_b\n1,A,B,3,1\n"
    event = read_event(zipped({"a/matches.csv": matches, "b/notes.txt": "x"}), Reading())
    assert event.notes == ("members of the archive not read: b/notes.txt",)
    for files, said in (
        ({"matches.csv": matches, "A/x": "", "a\\X": ""}, r"one x, has A/x and a\\X"),
        ({"r1/p.csv": "x", "r2/p.csv": "x"}, "has 2 files: r1/p.csv, r2/p.csv"),
    ):
        with pytest.raises(InputError, match=said):
            read_event(zipped(files), Reading())


ROWS = "<row><c t='str'><v>round</v></c><c t='str'><v>home</v></c></row>"
WORKBOOK = {
    "xl/worksheets/s.xml": f"<sheet>{ROWS}</sheet>",
    "xl/workbook.xml": "<workbook xmlns:r='r'><sheets><sheet name='S' r:id='a'/></sheets>"
    "</workbook>",
    "xl/_rels/workbook.xml.rels": "<Relationships><Relationship Id='a' Type='x/worksheet' "
    "Target='worksheets/s.xml'/></Relationships>",
}
SHARED = "<row><c t='s'><v>0</v></c></row>"
BOMB = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaa'><!ENTITY b '&a;&a;&a;'>]>"
HOSTILE = {
    "styles": (
        {"xl/styles.xml": "<s><cellXfs>" + "<xf/>" * 3000 + "</cellXfs></s>"},
        "at most 2000",
    ),
    "strings": ({"xl/sharedStrings.xml": "<sst>" + "<si/>" * 3000 + "</sst>"}, "at most 2000"),
    "a document type behind a comment": (
        {"xl/worksheets/s.xml": f"<!--{'x' * 10_000}-->{BOMB}<sheet>{ROWS}</sheet>"},
        "without document types",
    ),
    "in UTF-16": (
        {"xl/worksheets/s.xml": f"{BOMB}<sheet>{ROWS}</sheet>".encode("utf-16")},
        "without document types",
    ),
    "a text that many cells name": (
        {
            "xl/sharedStrings.xml": f"<sst><si><t>{'x' * 1_000_000}</t></si></sst>",
            "xl/worksheets/s.xml": f"<sheet>{SHARED * 90}</sheet>",
        },
        "at most 67108864 characters in its cells",
    ),
    "a tag without end": ({"xl/worksheets/s.xml": "<a " + "b='c' " * 300_000}, "tags of at most"),
    "a cell without end": ({"xl/worksheets/s.xml": "<c><v>" + "x" * 1_100_000}, "cells of at most"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_workbooks_are_bounded_before_they_are_understood(case, monkeypatch):
    monkeypatch.setattr(rows, "MAX_ELEMENTS", 2000)
    parts, said = HOSTILE[case]
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {
            "xl/worksheets/s.xml": f"<sheet>{ROWS}</sheet>",
            **WORKBOOK,
            **parts,
        }.items():
            archive.writestr(name, data)
    with pytest.raises(InputError, match=said):
        read_event(MemoryFile("x.xlsx", stream.getvalue()), Reading())


def test_a_row_costs_its_length(tmp_path):
    good = "round,team_a,team_b,game_points_a,game_points_b\n1,A,B,3,1{}\n"
    (tmp_path / "wide.csv").write_text(good.format("," * 160_000))
    assert read_event(tmp_path / "wide.csv").rounds == 1
    for text, said in (
        (good.format(",x" * 160_000), "must have 5 fields, got 101"),
        (good.format("") + "1" * 200_000, "field larger than field limit"),
        (good.format("") + "," * 1_100_000, "line 3: must have at most 1048576 characters"),
        ("\n" * 100_001 + good.format(""), "at most 100000 rows"),
        ("<html>" + "<b>" * 10 + "<a " + "b " * 600_000 + ">", "tags of at most"),
    ):
        with pytest.raises(InputError, match=said):
            read_event(MemoryFile("x", text.encode()), Reading(form="csv"))
