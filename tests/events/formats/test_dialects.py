"""Files as other programs write them: read on, with notes that say what was assumed."""

import csv
import io
import re
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from csv_samples import LACKING, SPREADSHEETS

from tb2learn.events import CriteriaReader, Penalty, Reading, rank, read_event, reading
from tb2learn.events.files.options import STRICT
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.files.write import convert
from tb2learn.events.model import team_totals
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError

FILES = Path(__file__).with_name("files")

# Game points of the first team of every match, by round; and who had the bye.
MATCHES = {
    (1, "Bravo", "Echo"): 1.5, (1, "Csardas", "Delta"): 1,
    (2, "Alpha", "Bravo"): 1, (2, "Csardas", "Echo"): 1,
    (3, "Alpha", "Delta"): 2, (3, "Bravo", "Csardas"): 0.5,
    (4, "Csardas", "Alpha"): 0.5, (4, "Delta", "Echo"): 1,
    (5, "Echo", "Alpha"): 0.5, (5, "Bravo", "Delta"): 1.5,
}  # fmt: skip
BYES = {1: "Alpha", 2: "Delta", 3: "Echo", 4: "Bravo", 5: "Csardas"}
NO_BYES = (
    "no record of byes: teams without a match had the pairing bye, 1 MP and 1 GP (a drawn match, "
    "as at Olympiads): 5, round 1 Alpha, round 2 Delta, round 3 Echo, round 4 Bravo, round 5 "
    "Csardas"
)


def results(event, names=None):
    """Game points by round and the two teams, in alphabetical order; byes with their points."""
    name = names or {team: team for team in event.teams}
    found = {}
    for match in event.matches:
        a = name[event.teams[match.team_a]]
        if match.team_b is None:
            found[match.round, a] = (match.match_points[0], match.half_points_a / 2, match.bye)
            continue
        b = name[event.teams[match.team_b]]
        points = {a: match.half_points_a / 2, b: match.half_points_b / 2}
        found[match.round, *sorted(points)] = tuple(points[t] for t in sorted(points))
    return found


def expected(bye=(1, 1.0)):
    """The results if a free day pays these match and game points; None for nothing."""
    found = {(r, team): (*bye, "pairing") for r, team in BYES.items()} if bye else {}
    for (r, a, b), points in MATCHES.items():
        one = {a: points, b: 2 - points}
        found[r, *sorted(one)] = tuple(one[t] for t in sorted(one))
    return found


with Path(__file__).with_name("notes.csv").open(encoding="utf-8", newline="") as stream:
    NOTES = list(csv.DictReader(stream))
"""Files of the one event, and in order the notes on each; an empty one where there is none."""
PAID = {"clean.trf", "totals-differ.trf"}
"""Those that say what a free day of the round robin pays, in record 320."""


def changed(*changes):
    text = (FILES / "clean.trf").read_text()
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return MemoryFile("clean.trf", text.encode())


BYES_320 = ("320  1.0  1.0 001 004 005 002 003\n", "")
TEAM_12 = ("   9   10   11   12", "   9   10   11     ")
CHANGES = {
    "a squad is whoever is fielded": (
        [TEAM_12], expected(),
        ("line 37: a player whom record 300 fields, and record 310 does not list, is of the team",),
        "is of the team: unclear",
    ),
    "a star is no result": (
        [("   1 b 0    17 w 1 ", "   1 b 0    17 w * "), ("    13 b 0 ", "    13 b * ")],
        {key: one for key, one in expected().items() if key != (4, "Delta", "Echo")},
        ("line 21: the result * means that the game has no result yet (2 players, Delta A, Player "
         "and 1 more)",
         "line 21: points in record 001 differ from those of the results, which count (Delta A, "
         "Player with 1 instead of 0)",
         "1 match is open (round 4 Delta - Echo): standings count what was played, and tie-breaks "
         "over unequal numbers of rounds are provisional"),
        "no result yet .*: unclear",
    ),
    "no record of byes: all had one": ([BYES_320], expected(), (NO_BYES,), "Csardas: unclear"),
    "but for a team whose totals are those of its matches": (
        [BYES_320, ("8.0    7.0", "7.0    6.0")],
        {key: one for key, one in expected().items() if key != (1, "Alpha")},
        ("not paired, with no match and no bye: round 1 Alpha",
         NO_BYES.replace("5, round 1 Alpha, ", "4, ")),
        "Csardas: unclear",
    ),
    "a bye of two records that pays otherwise": (
        [("300   1   4", "240 Z   1    1\n300   1   4")], None, (),
        "without a match or other bye in round 1, got '1'",
    ),
}  # fmt: skip
"""Texts of the clean file with others, what it says then (None: refused), notes, the refusal."""


@pytest.mark.parametrize("case", CHANGES)
def test_what_is_assumed_of_a_file_that_is_not_clean(case):
    changes, wanted, notes, refusal = CHANGES[case]
    file = changed(*changes)
    if wanted is not None:
        event = read_event(file, Reading())
        assert results(event) == wanted and event.notes == notes
    for options in (STRICT, *([] if wanted else [Reading()])):
        with pytest.raises(InputError, match=refusal):
            read_event(file, options)


@pytest.mark.parametrize("file", dict.fromkeys(row["file"] for row in NOTES))
def test_a_dialect_is_the_same_event_with_these_notes(file):
    event = read_event(FILES / file)
    assert results(event) == expected((1, 1.0) if file in PAID else None)
    assert [*event.notes] == [row["note"] for row in NOTES if row["file"] == file and row["note"]]
    assert event.boards == 2 and event.rounds == 5


def test_the_real_file_gives_its_official_table():
    """15 places, MP, GP, EGGSB and Buchholz, under the edition of C.07 of November 2024."""
    event = read_event(FILES / "team-swiss-manager.trf")
    columns = ("mp", "gp", "eggsb", "buchholz_mp")
    with (FILES / "team-swiss-manager_official.csv").open(encoding="utf-8", newline="") as stream:
        official = [
            (int(r["place"]), r["team"], *(float(r[c]) for c in columns))
            for r in csv.DictReader(stream)
        ]
    by = tuple(
        map(CriteriaReader(event.rounds, event.boards).known, ("mp", "gp", "eggsb", "opponents"))
    )
    rows = rank(event, by, unplayed="c07-2024")
    assert [(r.place, r.team, *r.scores.values()) for r in rows] == official
    assert len(official) == 15
    # The edition of 2026 caps the dummy at a draw a round: the bye of round 1 counts 7, not 8.
    capped = {r.team: r.scores["opponents"] for r in rank(event, by, unplayed="c07")}
    assert capped["ΣΑΧ"] == 57 and dict((t, b) for _, t, *_, b in official)["ΣΑΧ"] == 58
    assert event.notes[1:4] == (
        "line 60: a player with one point more in the points field than by the results won the one "
        "board whose point nobody has by default (Player041,A. in round 7)",
        "line 47: 0000 - - of a member beside a full match means: did not play (42 players, "
        "Player028,A. and 41 more)",
        "matches that lack one of 6 boards or more, which count as lost by both: 1, round 6 "
        f"{event.teams[12]} - {event.teams[13]}",
    )


def test_names_that_are_padded_by_bytes():
    """Letters of two bytes: what follows them stands before its columns, as the gaps show."""
    event = read_event(FILES / "padded-by-bytes.trf")
    clean = read_event(FILES / "clean.trf")
    # It has no record 320, so that a free day pays nothing.
    assert {g.white: g.black for g in event.games} == {g.white: g.black for g in clean.games}
    played = [replace(match, number=0) for match in clean.matches if match.team_b is not None]
    assert [replace(match, number=0) for match in event.matches] == played
    assert any("a name is padded by bytes" in note for note in event.notes)


def test_records_beside_their_columns():
    """Record 299 takes half a point from Echo in round 1; 162, 300, 320 and 299 are shifted."""
    event = read_event(FILES / "shifted.trf")
    found = expected()
    found[1, "Bravo", "Echo"] = (1.5, 0.0)
    assert results(event) == found
    order = "stands beside its columns: its fields are taken in their order"
    assert event.notes == (
        f"line 35: record 300 {order} (6 times)",
        f"line 34: record 320 {order}",
        f"line 41: record 299 {order}",
    )


def test_a_point_that_only_a_points_field_has():
    event = read_event(FILES / "point-in-the-field.trf")
    assert results(event) == expected(None)
    (match,) = (m for m in event.matches if m.round == 3 and m.team_a == 0)
    assert (match.boards_decided, match.boards_forfeited) == (2, 1)
    assert event.notes[0] == (
        "line 7: a player with one point more in the points field than by the results won the one "
        "board whose point nobody has by default (Alpha A, Player in round 3)"
    )


def totals(event):
    return {
        t: (mp, half / 2) for t, (mp, half) in zip(event.teams, team_totals(event), strict=True)
    }


STANDINGS = {
    "Alpha": (8, 7), "Bravo": (6, 5.5), "Csardas": (5, 5), "Delta": (3, 3.5), "Echo": (3, 4),
}  # fmt: skip


def test_points_of_the_file_may_be_trusted():
    trust = Reading(trust_points=True)
    assert totals(read_event(FILES / "totals-differ.trf")) == STANDINGS
    event = read_event(FILES / "totals-differ.trf", trust)
    assert totals(event) == STANDINGS | {"Alpha": (7, 7), "Echo": (3, 4.5)}
    assert all("count, though the results give others" in note for note in event.notes)
    # Without totals of teams, the points field of a player counts for his team.
    event = read_event(FILES / "points-differ.trf", trust)
    played = {team: (mp - 1, gp - 1) for team, (mp, gp) in STANDINGS.items()}
    assert totals(event) == played | {"Csardas": (4, 4.5)}
    assert event.penalties == (Penalty(2, 1, 0, 1),)


def test_points_of_a_bye():
    event = read_event(FILES / "resting-reserves.trf", reading(bye_points="2,1.5"))
    assert results(event) == expected((2, 1.5))
    assert "2 MP and 1.5 GP (--bye-points)" in event.notes[-1]
    event = read_event(FILES / "semicolons-german.csv", reading(bye_points=(0, 2)))
    assert results(event) == expected((0, 2.0))
    # What a record says is not changed.
    event = read_event(FILES / "clean.trf", reading(bye_points="2,2"))
    assert results(event) == expected()


@pytest.mark.parametrize(
    ("what", "given"),
    [
        ("bye_points", ("", "13", "1,2,3", "x,1", "-1,1", "0.5,1", "1,13")),
        ("match_points", ("", "3,1", "1,2,0", "2,2,0", "2.5,1,0", "10,1,0", "3,1,-1")),
    ],
)
def test_points_that_are_none(what, given):
    for points in given:
        with pytest.raises(InputError, match=f"{what} must be"):
            reading(**{what: points})


def mp(event, unplayed="c07"):
    rows = rank(event, tuple(map(CriteriaReader(5, 2).known, ("mp", "gp"))), unplayed=unplayed)
    return {row.team: (row.scores["mp"], row.scores["gp"]) for row in rows}


def test_three_points_for_a_match_won():
    """Wins count 3, draws and byes 1; asked for, from record 362 or from event.csv."""
    won = {"Alpha": 3, "Bravo": 2, "Csardas": 1, "Delta": 0, "Echo": 0}
    three = {team: (points + won[team], gp) for team, (points, gp) in STANDINGS.items()}
    assert mp(read_event(FILES / "clean.trf", reading(match_points="3,1,0"))) == three
    # Without points of a free day, which clean.trf has.
    fewer = {team: (points - 1, gp - 1) for team, (points, gp) in three.items()}
    assert mp(read_event(FILES / "semicolons-german.csv", reading(match_points=(3, 1, 0)))) == fewer
    for file in ("three-one-nought.trf", "league.zip"):
        event = read_event(FILES / file)
        assert event.scoring == (3, 1, 0)
        # Points of free days stand in record 320 alone.
        paid = 1 if file.endswith("trf") else 0
        taken = {team: (points + paid, gp + paid) for team, (points, gp) in fewer.items()}
        taken |= {"Alpha": (9 + paid, 5.5 + paid), "Bravo": (5 + paid, 4.5 + paid)}
        assert mp(event) == mp(event, "baku2016") == mp(event, "fide2026") == taken
        alpha, bravo = map(event.teams.index, ("Alpha", "Bravo"))
        assert event.penalties == (Penalty(alpha, 3, -1, -1), Penalty(bravo, 0, -2, 0))
        assert event.after(2).penalties == (Penalty(bravo, 0, -2, 0),)
    other = read_event(FILES / "three-one-nought.trf", reading(match_points="2,1,0"))
    assert other.scoring == (2, 1, 0) and "not those of record 362" in other.notes[0]


def test_opponents_count_what_matches_score_without_penalties():
    """Echo met Bravo (8), Csardas (6), Delta (3) and Alpha (11): penalties are no results."""
    event = read_event(FILES / "three-one-nought.trf")
    by = tuple(map(CriteriaReader(5, 2).known, ("opponents",)))
    rows = {row.team: row.scores for row in rank(event, by, unplayed="c07-2024")}
    assert rows["Echo"]["opponents"] == 8 + 6 + 3 + 11 + 3  # the bye: its own 3
    (working,) = [r for r in rank(event, product_table(5, 2), unplayed="c07-2024")
                  if r.team == "Echo"]  # fmt: skip
    # Echo scored .5, 1, 1 (bye), 1, .5; the lowest opponent, Delta or the dummy on 3, is left out.
    assert working.scores["tb2"] == 8 * 0.5 + 6 * 1 + 3 * 1 + 11 * 0.5


def test_what_has_no_meaning_with_three_points_is_refused():
    event = read_event(FILES / "three-one-nought.trf")
    by = tuple(map(CriteriaReader(5, 2).known, ("least-squares",)))
    with pytest.raises(InputError, match=r"least-squares is made for matches that score 2, 1, 0"):
        rank(event, by, unplayed="c07")


@pytest.mark.parametrize("form", ["csv", "trf26"])
def test_scoring_and_penalties_are_written_and_read_back(tmp_path, form):
    event = read_event(FILES / "three-one-nought.trf")
    convert(FILES / "three-one-nought.trf", tmp_path / "out", form)
    back = read_event(tmp_path / "out", STRICT)
    assert (back.scoring, back.penalties) == (event.scoring, event.penalties)
    assert back.matches == event.matches and mp(back) == mp(event)


def zipped(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def test_one_file_in_an_archive(tmp_path):
    data = (FILES / "clean.trf").read_bytes()
    event = read_event(zipped(tmp_path / "a.zip", {"x/../../../clean.trf": data, "x/": b""}))
    assert results(event) == expected() and not list(tmp_path.parent.glob("clean.trf"))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "is an empty archive"),
        ({"__MACOSX/._a": b"", ".x": b""}, "has 0 files"),
        ({"a.trf": b"x", "b.trf": b"x"}, r"must hold matches\.csv, or one file .*: a.trf, b.trf"),
        ({"a/matches.csv": b"x", "b/matches.csv": b"x"}, "must hold one matches.csv, has 2"),
        (
            {"matches.csv": b"", "penalties.csv": b"", "Penalties.csv": b""},
            r"must hold one penalties\.csv, has penalties\.csv and Penalties\.csv",
        ),
        (
            {"a/pairings.csv": b"", "b/pairings.csv": b""},
            "has 2 files: a/pairings.csv, b/pairings.csv",
        ),
        ({"xl/workbook.xml": b"x"}, "damaged, encrypted or not a workbook"),
        ({f"{i}": b"" for i in range(1001)}, "must hold at most 1000 files, has 1001"),
        ({"a.trf": b"hello"}, "must be a TRF, a PGN, a crosstable"),
        ({"a.gz": b"\x1f\x8b"}, "must be a TRF, a PGN, a crosstable"),
    ],
)
def test_other_archives_are_refused(tmp_path, files, message):
    with pytest.raises(InputError, match=message) as error:
        read_event(zipped(tmp_path / "a.zip", files))
    assert str(error.value).isprintable()


def test_damaged_and_huge_files(tmp_path):
    path = tmp_path / "x.zip"
    for data in (b"PK\x03\x04", b"\x1f\x8b", b"\x1f\x8b" + bytes(30)):
        path.write_bytes(data)
        with pytest.raises(InputError, match=r"x\.zip: damaged, encrypted or not a compressed"):
            read_event(path)
    zipped(path, {"a.trf": b"012 x\n" + bytes(65 << 20)})
    assert path.stat().st_size < 1 << 20
    with pytest.raises(InputError, match=r"x\.zip: must be at most 67108864 bytes unpacked"):
        read_event(path)


@pytest.mark.parametrize("name", SPREADSHEETS)
def test_spreadsheets_say_the_same(name):
    event = read_event(MemoryFile("x.csv", SPREADSHEETS[name].encode()), Reading())
    assert results(event) == {
        (1, "A", "B"): (2.5, 1.5), (1, "C", "D"): (4, 0),
        (2, "A", "C"): (2, 2), (2, "B", "D"): (0.5, 3.5),
    }  # fmt: skip
    (note,) = event.notes
    assert re.match(r"matches\.csv: line \d: headings such as", note)


def test_a_match_by_default_is_won_on_all_boards():
    text = SPREADSHEETS["sep"].replace("4:0", "+:-").replace("2-2", "- : +")
    event = read_event(MemoryFile("x.csv", text.encode()), Reading())
    found = {(m.round, m.team_a): m for m in event.matches}
    assert [found[1, 2].half_points_a, found[2, 0].half_points_b] == [8, 8]
    assert found[1, 2].boards_forfeited == found[2, 0].boards_forfeited == 4
    with pytest.raises(InputError, match=r"line 4: game_points_b must be .* got '\+'"):
        read_event(MemoryFile("x.csv", text.replace("+:-", "4:+").encode()), Reading())
    with pytest.raises(InputError, match="line 4: game_points_a must be"):
        read_event(MemoryFile("x.csv", text.replace("+:-", "+:+").encode()), Reading())


@pytest.mark.parametrize("text", LACKING)
def test_a_missing_column_is_named_with_headings_that_would_do(text):
    column, some = LACKING[text]
    with pytest.raises(InputError, match=f"missing column {column}: one of.*do: .*{some}"):
        read_event(MemoryFile("x.csv", text.encode()), Reading())


def test_standard_input(monkeypatch):
    for file in ("clean.trf", "tabs-french.csv", "league.zip"):
        stream = io.TextIOWrapper(io.BytesIO((FILES / file).read_bytes()))
        monkeypatch.setattr(sys, "stdin", stream)
        event = read_event("-")
        assert len(event.matches) == (15 if file == "clean.trf" else 10) and event.rounds == 5
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"hello")))
    with pytest.raises(InputError, match="standard input: must be a TRF, a PGN"):
        read_event("-")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"hello")))
    with pytest.raises(InputError, match="standard input: must list at least 2 teams"):
        read_event("-", reading(form="trf"))
