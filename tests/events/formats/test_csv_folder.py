"""Reading real events: what is possible is read, everything else is one clear line."""

import pytest
from csv_samples import GOOD, HEADER

from studies.frames import load_table
from tb2learn.events import CriteriaReader, rank, read_event
from tb2learn.events.files.csv_write import folder_files
from tb2learn.events.files.fields import Aside
from tb2learn.events.files.options import STRICT
from tb2learn.events.unplayed.record import RoundKind, event_record
from tb2learn.tiebreaks.rules import classic, product_table
from tb2learn.types import InputError


def write(folder, matches=GOOD, teams=None, boards=None):
    for name, content in {"matches": matches, "teams": teams, "boards": boards}.items():
        if content is not None:
            data = content if isinstance(content, bytes) else content.encode()
            (folder / f"{name}.csv").write_bytes(data)
    return folder


@pytest.mark.parametrize(
    ("name", "teams", "matches", "first", "unsure"),
    [("batumi2018", 184, 1009, [372.5, 360.5, 354.5], 13), ("batumi2018w", 150, 823, [407.0], 12)],
)
def test_batumi_2018(name, teams, matches, first, unsure):
    """The first TB2 are the published ones; what a name rests on is said."""
    event = read_event(name)
    assert (len(event.teams), event.rounds, event.boards) == (teams, 11, 4)
    assert len(event.matches) == matches and len(event.games) == len(load_table(name, "boards.csv"))
    rows = rank(event, product_table(11, 4))
    assert [row.scores["tb2"] for row in rows[: len(first)]] == first and rows[0].team == "China"
    assert event.notes == (
        f"the names of {unsure} teams may be wrong (name_by 'unsure' in teams.csv)",
    )


def test_what_is_no_record_is_said(tmp_path):
    """Results that follow from others or are guesses: another one could change a place."""
    event = read_event("istanbul2012w")
    assert event.notes == (
        "21 results are not recorded, mostly forfeits and byes: 18 inferred, 3 unsure "
        "(result_by in matches.csv)",
    )
    assert not isinstance(event.notes[0], Aside)
    write(tmp_path, HEADER.strip() + ",result_by\n1,1,A,B,3,1,4,0,own eyes\n")
    assert read_event(tmp_path).notes == ()


def test_order_of_the_teams_file(tmp_path):
    write(tmp_path, teams="team,rating_1,rating_2\nD,2000,2100\nC,,\nB,1,2\nA,3,4\n")
    event = read_event(tmp_path)
    assert event.teams == ("D", "C", "B", "A") and event.ratings[:2] == ((2100, 2000), ())


BAD = {
    "columns": (
        (HEADER.strip() + "".join(f",c{i}" for i in range(50_000)) + "\n").encode(),
        "line 1: must have at most 100 columns, has more",
    ),
    "not utf-8": (GOOD.encode() + b"2,3,\xff,F,2,2,4,0\n", "line 6: not UTF-8 text"),
    "huge field": (
        (GOOD + f"2,3,{'y' * 200_000},F,2,2,4,0\n").encode(),
        "not valid CSV: field larger",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_tables_that_are_none_are_refused(tmp_path, case):
    """Fields that are wrong are in `refusals.csv`."""
    content, message = BAD[case]
    with pytest.raises(InputError) as error:
        read_event(write(tmp_path, content), STRICT)
    assert message in str(error.value) and str(error.value).startswith("matches.csv: ")


def test_too_many_teams(tmp_path):
    teams = "team\n" + "".join(f"T{i}\n" for i in range(1001))
    with pytest.raises(InputError, match="line 1002: team must be one of at most 1000 teams"):
        read_event(write(tmp_path, teams=teams))


def test_no_such_event():
    with pytest.raises(
        InputError, match=r"no-such: no such file or directory.*packaged: armstrong2011"
    ):
        read_event("no-such")


def test_a_huge_file_is_not_read(tmp_path):
    with (tmp_path / "matches.csv").open("wb") as stream:
        stream.truncate(1 << 40)  # a hole: it takes no space
    with pytest.raises(InputError, match="must be at most 67108864 bytes"):
        read_event(tmp_path)


def test_a_bye_scores_half_the_boards_written_or_not(tmp_path):
    rows = HEADER + "1,1,A,B,2.5,0.5,3,0\n1,2,C,,{},,,\n"
    for points in ("", "1.5"):
        event = read_event(write(tmp_path, rows.format(points)))
        assert event.matches[1].half_points_a == 3
        assert event_record(event).match_points.tolist() == [2, 0, 1]


@pytest.mark.parametrize("boards", ["0,0", "4,4"])
def test_a_double_default_scores_nobody(tmp_path, boards):
    write(tmp_path, HEADER + f"1,1,A,B,4,0,4,0\n1,2,C,D,0,0,{boards}\n")
    items = event_record(read_event(tmp_path))
    assert items.match_points.tolist() == [2, 0, 0, 0]
    assert [RoundKind(k).label for k in items.kind[0]] == ["played"] * 2 + ["lost by default"] * 2


def test_a_cross_table_has_no_rounds(tmp_path):
    """Sums over opponents need no rounds; what follows the event round by round is refused."""
    rounds = "1,1,A,B,3,1,4,0\n1,2,C,D,2,2,4,0\n2,1,A,C,1,3,4,0\n2,2,B,D,4,0,4,0\n"
    table = "".join(f",{n},{row[4:]}\n" for n, row in enumerate(reversed(rounds.splitlines())))
    with_rounds = read_event(write(tmp_path, HEADER + rounds, teams="team\nA\nB\nC\nD\n"))
    event = read_event(write(tmp_path, HEADER + table, teams="team\nA\nB\nC\nD\n"))
    assert with_rounds.known_rounds and not event.known_rounds
    assert (event.rounds, event.boards, event.planned) == (2, 4, 2)
    criteria = tuple(map(CriteriaReader(2, 4).known, ("mp", "gp", "emmsb", "opponents-cut1")))
    for by in (criteria, product_table(2, 4)):
        assert rank(event, by).rows == rank(with_rounds, by).rows
    with pytest.raises(InputError, match="recorded without rounds: only sums over opponents apply"):
        rank(event, classic("least-squares", 2, 4))
    with pytest.raises(InputError, match="recorded without rounds: it cannot be cut after one"):
        event.after(1)
    for name, content in folder_files(event).items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    assert read_event(tmp_path).matches == event.matches


@pytest.mark.parametrize("name", ["etcc2011", "etcc2013"])
def test_packaged_cross_tables(name):
    event = read_event(name)
    assert (len(event.teams), event.rounds, event.boards, len(event.matches)) == (38, 9, 4, 171)
    assert not event.known_rounds
    assert read_event(name) is event  # a packaged event is read once, but as the user asks for it
    assert read_event(name, STRICT) == event and read_event(name, STRICT) is not event


@pytest.mark.parametrize("status", ["", "played", "forfeit"])
def test_a_game_that_both_lost(tmp_path, status):
    """A game may be lost by both, by penalties; where nobody came the table says so, or has ---."""
    boards = "round,match,white_team,black_team,result,status\n1,1,A,B,1-0,\n1,1,B,A,0-0,"
    event = read_event(write(tmp_path, HEADER + "1,1,A,B,1,0,2,0\n", boards=f"{boards}{status}\n"))
    assert [g.played for g in event.games] == [True, status != "forfeit"]


def test_a_round_that_nobody_played_is_left_out(tmp_path):
    event = read_event(write(tmp_path, GOOD + "3,1,A,D,,,,\n3,2,B,C,,,,\n"))
    assert (event.rounds, event.planned, event.open) == (2, 2, ())
    assert event.notes == ("round 3 has no results yet: it and later rounds are left out",)
    (tmp_path / "event.csv").write_text("key,value\nrounds,9\nname,Cup\n", encoding="utf-8")
    event = read_event(tmp_path)
    assert (event.name, event.rounds, event.planned) == ("Cup", 2, 9)
    first = event.after(1)
    assert (first.rounds, first.planned, len(first.matches)) == (1, 9, 2)
    with pytest.raises(InputError, match=r"rounds must be 1\.\.2 in Cup, got 3"):
        event.after(3)


def test_an_open_match_counts_for_nobody(tmp_path):
    """A postponed match of round 1, in an event of two rounds; its boards may be known in part."""
    matches = GOOD.replace("C,D,4,0,4,4", "C,D,,,,")
    boards = "round,match,white_team,black_team,result\n1,2,C,D,1-0\n"
    event = read_event(write(tmp_path, matches, boards=boards))
    assert (event.rounds, len(event.matches), event.games) == (2, 3, ())
    assert event.open == ((1, 2, 2, 3),)
    assert event.notes == (
        "1 match is open (round 1 C - D): standings count what was played, and tie-breaks over "
        "unequal numbers of rounds are provisional",
    )
    assert [row.scores["mp"] for row in rank(event, product_table(2, 4))] == [3, 2, 1, 0]
    assert event.after(1).open == event.open
    before = event.settled
    assert (before.rounds, before.open, before.drawn) == (0, (), ((2, 3), (0, 1)))
    for name, content in folder_files(event).items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    again = read_event(tmp_path)
    assert (again.matches, again.open) == (event.matches, event.open)
