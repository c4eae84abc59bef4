"""Files of a careless hand: what would change places without a word is read, named or refused."""

# ruff: noqa: RUF001

import io
from pathlib import Path

import openpyxl
import pytest
from cli_samples import fails, said
from helpers import ROOT
from pgn_samples import PLAYERS, game
from table_samples import workbook

import tb2learn
from tb2learn.chess.berger import round_robin
from tb2learn.events import Reading, read_event
from tb2learn.events.files.code_pages import decoded_lines
from tb2learn.events.files.groups import SeveralEvents, apart
from tb2learn.events.files.source import MemoryFile
from tb2learn.types import InputError

FILES = ROOT / "tests/data/silent2"


def read(text, encoding="utf-8", name="x.csv", **options):
    return read_event(MemoryFile(name, text.encode(encoding)), Reading(**options))


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
        assert read_event(MemoryFile(name, data), Reading()).teams[0] == "Côte d’Ivoire"
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


# --------------------------------------------------------------- two events in one file


def several(source, *groups, **options):
    """The refusal that names the events, and the events one by one."""
    with pytest.raises(SeveralEvents) as error:
        read_event(source, Reading(**options))
    assert error.value.groups == groups and "in one file" in str(error.value)
    return [read_event(source, Reading(**options, group=group)) for group in groups]


GROUPS = {
    "two-groups.csv": ("A", "B"), "two-crosstables.csv": ("Group A", "Group B"),
    "men-women.xlsx": ("Herren", "Damen"), "season-two.xlsx": ("2024-25", "2025-26"),
}  # fmt: skip


@pytest.mark.parametrize("file", GROUPS)
def test_two_events_in_one_file_are_named_and_read_one_by_one(file):
    first, second = several(FILES / file, *GROUPS[file])
    assert len(first.teams) == len(second.teams) == 4 and len(first.matches) == 6
    assert first.name.endswith(GROUPS[file][0]) and second.name.endswith(GROUPS[file][1])
    assert (set(first.teams) == set(second.teams)) == (file == "season-two.xlsx")
    # One who plays in it names it, too, unless he plays in both.
    if file != "season-two.xlsx":
        assert read_event(FILES / file, Reading(group=second.teams[0])) == second
    with pytest.raises(InputError, match=r"no group 'nobody': there are "):
        read_event(FILES / file, Reading(group="nobody"))


RR = ((1, "A", "B"), (1, "C", "D"), (2, "A", "C"), (2, "B", "D"), (3, "A", "D"), (3, "B", "C"))
CROSSTABLE = [["Rk.", "Name", "1.Rd", "2.Rd"], [1, "Ann", "2w1", "3b1"], [2, "Bob", "1b0", "4w1"],
              [3, "Cid", "4w1", "1w0"], [4, "Dan", "3b0", "2b0"]]  # fmt: skip


def games(event, mark="", **more):
    return "".join(
        game("", "", White=a + mark, Black=b + mark, Round=str(r), Event=event, **more)
        for r, a, b in RR
    )


def file(text, name="x.csv"):
    return MemoryFile(name, text if isinstance(text, bytes) else text.encode())


def test_two_events_in_every_form():
    men, women = several(file(games("Men") + games("Women", " w"), "x.pgn"), "Men", "Women")
    assert men.name == "Men" and women.teams == ("A w", "B w", "C w", "D w")
    # The same players twice in every round; and nothing but the meetings shows it.
    several(file(games("Men") + games("Women"), "x.pgn"), "Men", "Women")
    both = file(games("Cup") + games("Cup", " w"), "x.pgn")
    _, women = several(both, "A", "A w")
    assert women.rounds == 3 and len(women.matches) == len(women.games) == 6
    # Groups may have joined cells, and lists of rounds headings.
    rows = [f"{r};{a};{b};3:1" for r, a, b in RR] + [f"{r};{a}x;{b}x;3:1" for r, a, b in RR[:4]]
    named = [f"{'North' * (k == 0)}{'South' * (k == 6)};{row}" for k, row in enumerate(rows)]
    text = "\n".join(["Liga;Round;Home;Away;Score", *named])
    north, south = several(file(text), "North", "South")
    assert (north.rounds, south.rounds, south.planned) == (3, 2, 2)
    head = "No.;Team;Team;Res.;:;Res.\n"
    listed = "".join(
        f"{title}\nRound {r}\n{head}"
        + "".join(f"1;{a}{x};{b}{x};3;:;1\n" for q, a, b in RR if q == r)
        for title, x in (("Group A", ""), ("Group B", "x"))
        for r in (1, 2)
    )
    _, second = several(file(f"City\n{listed}"), "Group A", "Group B")
    assert second.name == "City, Group B" and second.teams == ("Ax", "Bx", "Cx", "Dx")
    women = [[cell + " w" if cell in ("Ann", "Bob", "Cid", "Dan") else cell for cell in row]
             for row in CROSSTABLE]  # fmt: skip
    several(file(workbook(Men=CROSSTABLE, Women=women), "x.xlsx"), "Men", "Women")


def test_rounds_that_begin_again():
    rows = "".join(f"{r};{a};{b};3:1\n" for r, a, b in RR)
    with pytest.raises(InputError, match="line 8: round 1 begins again, with the same teams: two"):
        read(f"Round;Home;Away;Score\n{rows}{rows}")


def test_what_is_one_event():
    """Sheets of rounds, which are named; groups and a final; the first rounds of a Swiss."""
    rows = [["round", "team_a", "team_b", "game_points_a", "game_points_b"]]
    sheets = {f"R{r}": [*rows, *([q, a, b, 3, 1] for q, a, b in RR if q == r)] for r in (1, 2, 3)}
    event = read_event(file(workbook(**sheets), "x.xlsx"), Reading())
    assert event.notes == ("sheets read as one event: R1, R2, R3",) and event.rounds == 3
    text = "group,round,team_a,team_b,game_points_a,game_points_b\n"
    text += "".join(f"A,{r},{a},{b},3,1\nB,{r},{a}x,{b}x,3,1\n" for r, a, b in RR)
    final = read(f"{text}Final,4,A,Ax,2,2\n")
    assert final.rounds == 4 and "groups whose entrants meet are one event: 'A'" in final.notes[0]
    with pytest.raises(InputError, match="unclear"):
        read(f"{text}Final,4,A,Ax,2,2\n", strict=True, form="table")
    swiss = "round,team_a,team_b,game_points_a,game_points_b\n"
    swiss += "".join(f"{r},{a}{x},{b}{x},3,1\n" for r, a, b in RR[:4] for x in "xyz")
    assert read(swiss).notes == ()
    with pytest.raises(InputError, match="no group 'B': it is one event"):
        read(swiss, group="B")


def test_a_second_crosstable_of_the_same_entrants_is_named():
    table = "Rk.;Name;1.Rd;Pts\n1;Ann;2w1;1\n2;Bob;1b0;0\n"
    event = read(f"{table}\nAfter round 2\n{table}")
    assert "a crosstable below the first one is not read" in event.notes[0]
    several(file(f"2024\n{table}\n2025\n{table}"), "2024", "2025")


def test_rank_shows_all_events_or_one(capsys, tmp_path):
    path = FILES / "two-groups.csv"
    text = said(capsys, "rank", path).out
    assert "two-groups, A, after round 3" in text and "two-groups, B, after round 3" in text
    assert "Floh" not in said(capsys, "rank", path, "--group", "A").out
    for more in (("--out", tmp_path / "x.pdf"), ("--format", "csv")):
        assert "A, " in fails(capsys, "rank", path, *more)
    assert "two events in one file: A, B" in fails(capsys, "explain", path, "Aue")
    for more in ((), ("--sheet", "crosstable")):
        said(capsys, "rank", path, "--group", "B", *more, "--out", tmp_path / "x.html")
        page = (tmp_path / "x.html").read_text()
        assert "Floh" in page and "Bern" not in page
    assert len(tb2learn.load_event(path, group="b").teams) == 4


# ----------------------------------------------------------------- every column is accounted for


OF_PENALTIES = "(points that are taken from a team stand in penalties.csv)"


def notes_of(path, *words):
    """The event of a file, whose notes have these words, which a strict reader refuses."""
    event = read_event(FILES / path)
    for word in words:
        assert any(word in note for note in event.notes), event.notes
    return event


def test_columns_that_change_points_are_read_or_named():
    notes_of("penalty-col.csv", f"columns not read: 'Strafpunkte' {OF_PENALTIES}")
    event = notes_of("remark-forfeit.csv", "a word such as 'kampflos' beside a result is taken for")
    assert [m.by_default for m in event.matches] == [True, *[False] * 5]
    event = read_event(FILES / "division-gp.csv")
    assert [m.by_default for m in event.matches] == [True, *[False] * 5]
    notes_of("hidden-column.xlsx", "hidden column is read like all others: D",
             "columns not read: 'Ergebnis alt'")  # fmt: skip
    with pytest.raises(InputError, match="hidden column is read like all others: D: unclear"):
        rows = [
            ["round", "team_a", "team_b", "game_points_a", "game_points_b"],
            [1, "A", "B", 3, 1],
        ]
        book = openpyxl.load_workbook(io.BytesIO(workbook(S=rows)))
        book["S"].column_dimensions["D"].hidden = True
        book.save(stream := io.BytesIO())
        read_event(MemoryFile("x.xlsx", stream.getvalue()), Reading(strict=True, form="table"))


def test_a_second_result_is_held_against_the_first():
    refused("two-results.csv", "line 2: result must be that of the other column, 5-3, got '3-5'")
    head = "Runde;Heim;Gast;Ergebnis;Brettpunkte\n"
    # As match points, as the result of one game, or the same.
    for second in ("2:0", "1:0", "5:3"):
        event = read(f"{head}1;A;B;{second};5:3\n")
        assert event.matches[0].half_points_a == 10 and event.matches[0].match_points == (2, 0)
    for second in ("0:2", "4:4", "6:2"):
        with pytest.raises(InputError, match="line 2: result must be that of the other column"):
            read(f"{head}1;A;B;{second};5:3\n")
    with pytest.raises(InputError, match="empty where the other column has no result"):
        read(f"{head}1;A;B;5:3;\n1;C;D;;4:4\n")


def test_match_points_beside_game_points_are_both_read():
    event = read_event(FILES / "points-boardpoints.csv")
    assert [match.half_points_a for match in event.matches] == [11, 8, 9, 16, 6, 15]
    assert not event.contradictions
    event = notes_of("mp-single.csv", "not give: round 2 Aue - Cham 4.5-3.5 with 0-2")
    assert event.contradictions[0][0] == "points"
    head = "Runde;Heim;Gast;MP;BP\n1;C;D;1;4:4\n"
    assert not read(f"{head}1;A;B;2;5:3\n").contradictions
    assert read(f"{head}1;A;B;0;5:3\n").contradictions
    with pytest.raises(InputError, match="match_points_a must be a whole number"):
        read(f"{head}1;A;B;x;5:3\n")


def test_a_guest_before_the_host():
    """With one score nobody knows whose the first number is; with two columns everybody does."""
    with pytest.raises(InputError, match="line 2: the guest stands before the host: whose is the"):
        read("Runde;Gast;Heim;Ergebnis\n1;A;B;5:3\n")
    event = read("Runde;Gast;Heim;Punkte Gast;Punkte Heim\n1;A;B;5;3\n")
    assert event.teams == ("B", "A") and event.matches[0].half_points_a == 6


def test_two_byes_in_a_round():
    text = "round,team_a,team_b,game_points_a,game_points_b,bye\n"
    text += "1,A,B,3,1,\n1,C,,,,{}\n1,D,,,,{}\n2,A,C,2,2,\n2,B,D,2,2,\n"
    event = read(text.format("pairing", "pairing"))
    text_of_note = "several entrants have the bye of a round, which the pairing gives to one: round"
    assert any(text_of_note in note for note in event.notes)
    assert not any(text_of_note in n for n in read(text.format("pairing", "zero")).notes)
    free = text + "3,A,D,2,2,\n3,B,,,,pairing\n3,C,,,,pairing\n4,B,C,2,2,\n4,A,,,,pairing\n"
    event = read(free.format("pairing", "pairing") + "4,D,,,,pairing\n1,E,F,2,2,\n")
    assert any("round 1 C, D" in note for note in event.notes)


@pytest.mark.parametrize("word", ["yes", "ja", "x", "kampflos", "4"])
def test_words_of_a_default(word):
    text = (
        f"round,team_a,team_b,game_points_a,game_points_b,forfeit\n1,A,B,4,0,{word}\n1,C,D,2,2,no\n"
    )
    assert [match.by_default for match in read(text).matches] == [True, False]
    text = "round,white_player,black_player,result,forfeit\n1,A,B,1-0,{}\n1,C,D,1-0,no\n"
    games = read(text.format(word.replace("4", "1"))).games
    assert [game.played for game in games] == [False, True]


def test_columns_that_say_nothing_of_points_are_not_named():
    head = "Runde;Datum;Ort;Brett;Schiedsrichter;Heim;Gast;Ergebnis;Link"
    event = read(f"{head}\n1;7.9.2025;Bern;1;Ann;A;B;5:3;http://x\n")
    assert not any("columns" in note for note in event.notes if "not read" in note)
    event = read(f"{head};Notiz\n1;7.9.2025;Bern;1;Ann;A;B;5:3;x;Brett 8 strittig\n")
    assert "matches.csv: columns not read: 'Notiz'" in event.notes


def test_columns_of_lists_and_crosstables():
    table = "No.;Name;Club;Typ;1.Rd;Pts;Abzug\n1;Ann;SK;U16;2w1;1;-1\n2;Bob;;;1b0;0;\n"
    (note,) = (note for note in read(table).notes if "not read" in note)
    assert note == f"columns not read: 'Abzug' {OF_PENALTIES}"
    listed = "Round 1\nBo.;White;Result;Black;k.f.;Forfeit\n1;Ann;1 - 0;Bob;SK;kampflos\n"
    assert "columns not read: 'k.f.', 'Forfeit'" in read(listed).notes
    with pytest.raises(InputError, match=r"columns not read: 'k\.f\.', 'Forfeit': unclear"):
        read(listed, strict=True, form="table")


def test_one_match_alone_on_a_day():
    notes_of(
        "dates-slip-day.csv", "6; 22.09.2025 has one match alone (Dux - Floh), which 21.09.2025"
    )


@pytest.mark.parametrize(("rounds", "events"), [(2, 0), (3, 2)])
def test_three_opponents_each_make_an_event_of_those_who_met(rounds, events):
    """Two times six who met nobody of the others: after two rounds of a Swiss that is chance."""
    tables = round_robin(6, 1).games.tolist()[:rounds]
    pairs = [(a + shift, b + shift) for shift in (0, 6) for games in tables for a, b in games]
    assert len(apart(pairs)) == events
