"""Individual events in TRF, PGN and CSV: what is read, noted and refused, what comes back."""

import dataclasses

import pytest
from pgn_samples import PLAYERS, read_pgn
from player_samples import HELD, entry, read, text
from trf_samples import read_trf

from tb2learn.events import read_event, reading
from tb2learn.events.files.csv_write import folder_files
from tb2learn.events.files.options import Reading
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.files.trf_write import write_trf
from tb2learn.events.files.write import convert

FOUR = (
    entry(1, "Ace", 2.0, "3 w 1", "4 b 1"),
    entry(2, "Bat", 1.5, "0 - U", "3 w ="),
    entry(3, "Cat", 0.5, "1 b 0", "2 b ="),
    entry(4, "Dog", 0.5, "0 - H", "1 w 0"),
)


def forgiving(*lines, **options):
    return read_trf(text(*lines).encode(), "x.trf", reading(**options))


def points(event):
    return event.frame("teams").match_points.tolist()


def plain(event):
    return dataclasses.replace(event, notes=(), left_alone=())


def test_a_file_without_teams_is_an_individual_event():
    event = read(*FOUR)
    assert event.individual and event.boards == 1 and event.rounds == 2
    assert event.teams == ("Ace", "Bat", "Cat", "Dog") and event.scoring == (2, 1, 0)
    assert points(event) == [4, 3, 1, 1]  # the pairing-allocated bye pays a win
    assert [(m.bye, m.match_points[0]) for m in event.matches if m.bye] == [
        ("pairing", 2), ("half", 1)
    ]  # fmt: skip
    assert forgiving(*FOUR).notes == ()


def test_record_162_says_what_games_and_byes_score():
    event = read("162  W 3.0    D 1.0    L 0.0    P 2.0", *FOUR, strict=False)
    assert event.scoring == (6, 2, 0) and points(event) == [12, 6, 2, 2]
    asked = forgiving(*FOUR, match_points="3,1,0", bye_points="0,1")
    assert asked.scoring == (6, 2, 0) and points(asked)[1] == 2 + 2
    beside = forgiving("162  W 3.0    D 1.0    L 0.0", *FOUR, match_points="2,1,0")
    assert beside.notes[0].startswith("points of a game are those that were asked for")


def test_a_bye_that_no_record_tells_of_is_a_win():
    lines = (*(line.replace("0000 - U", " " * 8) for line in FOUR[:3]),
             entry(4, "Dog", 0.0, "5 w 0", "1 w 0"))  # fmt: skip
    had = (
        "no record of byes: players without a game had the pairing bye, 1 points (as the file says"
    )
    for elk, note in (
        (2.0, f"{had}, else a win): 2, round 1 Bat, round 2 Elk"),
        (1.0, "not paired, with no game and no bye: round 2 Elk"),
    ):  # fmt: skip
        event = forgiving(*lines, entry(5, "Elk", elk, "4 b 1"))
        assert points(event)[1] == 3 and event.notes[0] == note
        assert points(event)[4] == 2 * elk


def test_forfeits_double_forfeits_and_abnormal_points():
    lines = (
        entry(1, "Ace", 1.0, "2 w +", "3 b -"), entry(2, "Bat", 0.0, "1 b -", "0 - Z"),
        entry(3, "Cat", 0.0, "4 w 0", "1 w -"), entry(4, "Dog", 1.0, "3 b 1"),
    )  # fmt: skip
    event = forgiving(*lines, "299 D         0.5    1    2", "299          -1.0    1    4")
    assert [(m.boards_decided, m.boards_forfeited) for m in event.matches[:2]] == [(1, 1), (1, 0)]
    nobody = next(m for m in event.matches if m.round == 2 and m.team_b is not None)
    assert nobody.by_default and nobody.match_points == (0, 0)
    assert points(event)[1] == 1 and event.penalties[0].match_points == -2
    for version in (2016, 2026):
        content = write_trf(event, version)
    assert plain(read_trf(content.encode(), "x.trf")).matches == event.matches


def test_a_game_that_counts_for_nothing_stays_so_in_tables():
    lines = entry(1, "Ace", 1.0, "2 w 1"), entry(2, "Bat", 0.0, "1 b 0")
    event = forgiving(*lines, "299 W   0.0   0.0    1    1")
    files = {name: content.encode() for name, content in folder_files(event).items()}
    again = read_event(MemoryFile("x", files), Reading())
    assert again.matches[0].match_points == event.matches[0].match_points == (0, 0)
    assert again.matches[0].half_points_a == 0 and again.games == event.games
    assert [side.half_points for side in event.games[0].sides] == [2, 0]


def test_a_bye_that_pays_half_a_point_stays_so_in_tables():
    lines = (
        entry(1, "Ace", 1.0, "2 w 1"),
        entry(2, "Bat", 0.0, "1 b 0"),
        entry(3, "Cat", 0.5, "0 - U"),
    )
    event = forgiving("BBU 0.5", *lines)
    files = {name: content.encode() for name, content in folder_files(event).items()}
    again = read_event(MemoryFile("x", files), Reading())
    assert points(again) == points(event) and points(event)[2] == 1


def test_teams_of_an_individual_event_are_passed_over_if_the_user_says_so():
    club = "013 Club".ljust(36) + "   1    2"
    other = "013 Other".ljust(36) + "   3    4"
    event = forgiving(*FOUR, club, other, individual=True)
    assert event.individual and event.teams[0] == "Ace" and event.left_alone == ("records 013",)


@pytest.mark.parametrize("target", ["event.trf", "old.trf", "folder"])
def test_what_is_written_is_read_again(tmp_path, target):
    event = read(*HELD)
    (tmp_path / "held.trf").write_text(text(*HELD))
    form = "trf16" if target == "old.trf" else None
    _, notes, _ = convert(tmp_path / "held.trf", tmp_path / target, form)
    assert notes == ()
    assert plain(read_event(tmp_path / target)) == plain(event)


def from_pgn(content, **options):
    return read_pgn(content.encode(), "x.pgn", "x", Reading(**options))


def test_a_pgn_without_teams():
    event = from_pgn(PLAYERS)
    assert event.individual and event.boards == 1 and event.rounds == 2
    assert event.teams == ("Ace", "Cat", "Bat", "Dog")
    assert points(event) == [4, 0, 2, 0] and event.matches[1].bye == "pairing"
    assert event.matches[2].by_default and event.players[0].rating == 2400
    assert event.notes == (
        "no game names teams (tags WhiteTeam and BlackTeam): an event of players (--individual), "
        "unless --teams names the team of every player",
        "line 11: a game against nobody is a bye (Bat)",
        "a PGN has no start order: players are in order of first appearance",
        "a PGN has no byes: a player without games in a round was not paired",
    )


def test_a_table_of_games(tmp_path):
    path = tmp_path / "open.csv"
    path.write_text(
        "Runde;Weiss;Schwarz;Ergebnis\n1;Ace;Cat;1-0\n1;Bat;spielfrei;\n1;Dog;Elk;½:½\n"
        "2;Dog;Ace;--+\n2;Bat;Cat;1/2-1/2\n3;Ace;Bat;\n",
        encoding="utf-8",
    )
    event = read_event(path)
    assert event.individual and event.teams == ("Ace", "Cat", "Bat", "Dog", "Elk")
    assert event.rounds == 2 and points(event) == [4, 1, 3, 1, 1]
    assert any("no results yet" in note for note in event.notes)
