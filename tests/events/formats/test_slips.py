"""What looks like a slip: a note, a finding of `check`, and refused by a strict reader."""

import io

import openpyxl
import pytest
from helpers import ROOT
from pgn_samples import game, rounds
from pgn_samples import read as read_pgn
from table_samples import workbook

from tb2learn.events import Reading, read_event
from tb2learn.events.check import check
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.files.write import convert
from tb2learn.types import InputError

HEAD = "round,team_a,team_b,game_points_a,game_points_b"
GOOD = ("1,A,B,3,1", "1,C,D,2,2", "2,A,C,4,0", "2,B,D,1,3", "3,A,D,0,4", "3,B,C,2.5,1.5")


def table(*rows, head=HEAD, strict=False):
    text = "\n".join([head, *rows]) + "\n"
    return read_event(MemoryFile("m.csv", text.encode()), Reading(strict=strict, form="table"))


def read_list(text):
    return read_event(MemoryFile("list.csv", text.encode()), Reading())


def replaced(**rows):
    """The good rows, some of them others."""
    return [rows.get(f"row{k}", row) for k, row in enumerate(GOOD)]


SLIPS = {
    "boards": (replaced(row2="2,A,C,11,0"), HEAD, "round 2 A - C has 11"),
    "a board is missing": (replaced(row2="2,A,C,3,0"), HEAD, "round 2 A - C has 3"),
    "an empty round": ([*GOOD[:4], "4,A,D,0,4", "4,B,C,2.5,1.5"], HEAD, "nobody played in round 3"),
    "match points": (
        [f"{row},{mp}" for row, mp in zip(GOOD, ("0,2", "1,1", "2,0", "0,2", "0,2", "2,0"),
                                          strict=True)],
        f"{HEAD},match_points_a,match_points_b",
        "round 1 A - B 3-1 with 0-2",
    ),
    "a pair twice": ([*GOOD, "4,A,B,4,0", "4,C,E,4,0"], HEAD, "A and B in rounds 1 and 4"),
    "a pair twice, no rounds": (
        [row[1:] for row in (*GOOD, "4,A,B,1,3")], HEAD, "A and B 2 times",
    ),
    "capitals": (replaced(row3="2,b,D,1,3"), HEAD, "'B' and 'b'"),
    "another alphabet": (replaced(row3="2,\u0412,D,1,3"), HEAD, "'B' and '\u0412'"),
}  # fmt: skip


@pytest.mark.parametrize("case", SLIPS)
def test_a_slip_is_noted_found_and_refused_strictly(case):
    rows, head, text = SLIPS[case]
    event = table(*rows, head=head)
    assert any(text in note for note in event.notes)
    assert any(text in finding.text for finding in check(event).findings) or "rounds" in text
    with pytest.raises(InputError, match="unclear files are refused") as error:
        table(*rows, head=head, strict=True)
    assert text in str(error.value) and str(error.value).startswith("m.csv: ")


def test_what_may_be_so_is_no_slip():
    """A second cycle, another scoring, boards that the row counts, forfeits of a whole match."""
    assert table(*GOOD, strict=True).notes == ()
    turned = [f"{3 + int(row[0])}{row[1:]}" for row in GOOD]
    assert table(*GOOD, *turned, strict=True).notes == ()
    counted = [f"{row},4" for row in GOOD[1:]]
    assert table("1,A,B,2,1,3", *counted, head=f"{HEAD},boards_decided", strict=True).notes == ()


def test_blanks_and_what_nobody_sees_are_no_part_of_a_name():
    event = table(*replaced(row2="2,A\u00a0\u200b ,C,4,0"))
    assert event.teams == ("A", "B", "C", "D") and event.notes == ()


@pytest.mark.parametrize("word", ["bye", "spielfrei"])
def test_a_word_of_a_bye_counts_on_both_sides(word):
    left = table(*GOOD[:4], f"2,{word},E,,")
    right = table(*GOOD[:4], f"2,E,{word},,")
    assert left.teams == right.teams == ("A", "B", "C", "D", "E") and left.matches == right.matches
    listed = "Round 1\nNo.;Team;Team;Res.;:;Res.\n1;A;B;3;:;1\n2;{};{};{};:;{}\n"
    left, right = (
        read_list(listed.format(*cells)) for cells in ((word, "C", 0, 4), ("C", word, 4, 0))
    )
    assert left.teams == right.teams == ("A", "B", "C") and left.matches == right.matches
    games = "round,white_player,black_player,result\n1,Ann,Bob,1-0\n1,{},{},{}\n"
    left, right = (
        read_event(MemoryFile("m.csv", games.format(*cells).encode()), Reading())
        for cells in ((word, "Cid", "0-1"), ("Cid", word, "1-0"))
    )
    assert left.teams == right.teams == ("Ann", "Bob", "Cid") and left.matches == right.matches


GAMES = "Round 1\nBo.;No.;White;Rtg;Result;Black;Rtg;No.\n1;1;Ann;2000;1 - 0;Bob;1900;2\n"


def test_no_row_with_a_result_is_dropped():
    """Without a name on the left it is a bye, unless a number says that there was somebody."""
    event = read_list(GAMES + "2;;;;0 - 1;Dan;1700;4\n")
    assert event.teams == ("Ann", "Bob", "Dan")
    assert [match.bye for match in event.matches] == ["", "pairing"]
    for row, name in (
        ("2;3;;1800;½ - ½;Dan;1700;4", "number 3"), ("2;3;Dan;1800;1 - 0;;1700;4", "number 4"),
        ("2;;;;½ - ½;;;", "a side with a result"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=f"line 4: name must be that of {name}"):
            read_list(f"{GAMES}{row}\n")
    with pytest.raises(InputError, match="line 3: name must be a name"):
        read_list("No.;Name;1.Rd\n1;Ann;2w1\n2;;1b0\n3;Cid;-1\n")


def test_one_name_with_two_ratings_may_be_two_persons():
    second = "Round 2\nBo.;White;Rtg;Result;Black;Rtg\n1;Ann;2000;1 - 0;Muller-J;1750\n"
    first = "Round 1\nBo.;White;Rtg;Result;Black;Rtg\n1;Ann;2000;1 - 0;Bob;1900\n"
    event = read_list(f"{first}2;Müller J;1800;1 - 0;Dan;1700\n{second}")
    assert "Muller-J with 1800 and 1750" in event.notes[0] and check(event).findings
    event = read_list(f"{first}2;Müller J;1750;1 - 0;Dan;1700\n{second}")
    assert not any("ratings" in note for note in event.contradictions)


def test_printed_points_against_results():
    text = "No.;Name;1.Rd;Pts.\n1;Ann;2w1;1\n2;Bob;1b0;0\n3;Cid;4w1;0.5\n4;Dan;3b0;0\n"
    (note,) = (note for note in read_list(text).notes if "printed points" in note)
    assert note.endswith("Cid 0.5 instead of 1")


@pytest.mark.parametrize("strict", [False, True])
def test_sheets_of_one_form_are_one_table(strict):
    rows = [row.split(",") for row in GOOD]
    sheets = {f"R{r}": [HEAD.split(","), *rows[2 * r - 2 : 2 * r]] for r in (1, 2, 3)}
    data = workbook(**sheets)
    event = read_event(MemoryFile("t.xlsx", data), Reading(strict=strict, form="table"))
    assert event.matches == table(*GOOD).matches
    assert event.notes == ("sheets read as one event: R1, R2, R3",)
    sheets["R3"][1][3] = "x"
    with pytest.raises(InputError, match="sheet R3: line 2: game_points_a"):
        read_event(MemoryFile("t.xlsx", workbook(**sheets)), Reading())


def test_sheets_that_are_not_read_are_named_and_hidden_ones_are_said():
    rows = [row.split(",") for row in (HEAD, *GOOD)]
    data = workbook(old=rows[:3], new=rows, notes=[["paid"], ["A"]])
    book = openpyxl.load_workbook(io.BytesIO(data))
    book["old"].sheet_state = "hidden"
    book["new"].row_dimensions[3].hidden = True
    stream = io.BytesIO()
    book.save(stream)
    event = read_event(MemoryFile("t.xlsx", stream.getvalue()), Reading())
    assert len(event.matches) == 6
    assert event.notes == (
        "sheets not read: notes, old", "sheet new: 1 hidden row is read like all others",
    )  # fmt: skip
    del book["old"], book["notes"]
    book.save(alone := io.BytesIO())
    with pytest.raises(InputError, match="1 hidden row is read like all others: unclear"):
        read_event(MemoryFile("t.xlsx", alone.getvalue()), Reading(strict=True, form="table"))
    other = workbook(one=rows, two=[["round", "team_a", "team_b", "result"], [1, "A", "B", "3-1"]])
    assert "sheets not read: two" in read_event(MemoryFile("t.xlsx", other), Reading()).notes
    with pytest.raises(InputError, match="sheets not read: two: one workbook must hold one event"):
        read_event(MemoryFile("t.xlsx", other), Reading(strict=True, form="table"))


def test_the_moves_of_a_game_end_with_its_result():
    event = read_pgn(game(moves="1. e4 e5 0-1"))
    assert "the tag Result counts, though the moves end with another result" in event.notes[0]
    assert event.matches[0].half_points_a == 2 and check(event).findings[0].kind == "points"
    assert "Result counts" not in " ".join(read_pgn(game(moves="1. e4 e5 1-0")).notes)


def test_a_first_game_without_teams_is_refused_where_others_name_teams():
    without = game(WhiteTeam=None, BlackTeam=None)
    with pytest.raises(InputError, match=r"line 1: .*WhiteTeam.* as in the game of line"):
        read_pgn(without + game("C", "D"))
    assert read_pgn(without).individual


def test_boards_and_rounds_are_missing_in_a_pgn():
    event = rounds(("1", "A", "B", {}), ("3", "A", "C", {}))
    assert any("nobody played in round 2" in note for note in event.notes)


def test_totals_are_compared_also_when_the_next_round_is_paired():
    text = (ROOT / "examples/team-swiss.trf").read_text()
    wrong = text.replace("  9.0   14.5", "  3.0   14.5", 1)
    assert wrong != text
    event = read_event(MemoryFile("t.trf", wrong.encode()), Reading())
    assert any("MP in record 310 differ" in note for note in event.notes)
    event = read_event(MemoryFile("t.trf", text.encode()), Reading())
    assert not any("310" in note for note in event.notes)


def test_an_event_with_a_slip_is_written_as_it_is(tmp_path):
    (tmp_path / "m.csv").write_text("\n".join([HEAD, *replaced(row3="2,b,D,1,3")]) + "\n")
    convert(tmp_path / "m.csv", tmp_path / "out")
    assert read_event(tmp_path / "out").matches == read_event(tmp_path / "m.csv").matches
