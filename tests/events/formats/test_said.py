"""Files as programs and arbiters write them: what is unfinished, unusual, or lost by default."""

import pytest
from pgn_samples import read_pgn
from trf_samples import player, read, read_trf, record, team

from tb2learn.events import read_event, reading
from tb2learn.events.files.options import Reading
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.kind import start_of
from tb2learn.events.model import team_totals
from tb2learn.types import InputError


def of_players(event):
    """Points by player, in start order."""
    return [points / 2 for points, _ in team_totals(event)]


SIX = {
    1: ["   4 w 1", "   2 b =", "   3 w 1"], 2: ["   5 b 1", "   1 w =", "   4 w -"],
    3: ["   6 w +", "   4 b 0", "   1 b 0"], 4: ["   1 b 0", "   3 w 1", "   2 b -"],
    5: ["   2 w 0", "0000 - Z", "   6 w 1"], 6: ["   3 b -", "0000 - Z", "   5 b 0"],
}  # fmt: skip
"""Two zero-point byes, a game lost by both, and one won by default."""


def six(*more, strict=False, **entries):
    """A file of six players; `p1="...;..."` gives a player other entries."""
    lines = [
        player(n, f"Player {n}", entries.get(f"p{n}", ";".join(rounds)).split(";"))
        for n, rounds in SIX.items()
    ]
    return read(*more, *lines, strict=strict)


def test_a_question_mark_is_a_game_without_a_result():
    event = six(p1="   4 w 1;   2 b ?;   3 w 1", p2="   5 b 1;   1 w ?;   4 w -")
    assert [(m.round, {m.team_a, m.team_b}) for m in event.open] == [(2, {0, 1})]
    assert event.rounds == 3 and of_players(event)[:2] == [2, 1]
    assert any("the result ? means that the game has no result yet" in n for n in event.notes)
    with pytest.raises(InputError, match=r"the result \? means"):
        six(p1="   4 w 1;   2 b ?;   3 w 1", p2="   5 b 1;   1 w ?;   4 w -", strict=True)


def test_absence_that_pays():
    """Record 162, symbol A: who did not come, and who asked for a zero-point bye, has half."""
    assert of_players(six()) == [2.5, 1.5, 1, 1, 1, 0]
    event = six("162 W 1.0   D 0.5   L 0.0   A 0.5")
    assert of_players(event) == [2.5, 2, 1, 1.5, 1.5, 1]
    # A record 299 of its own says otherwise.
    own = record("299", c5="Z", c14="0.0", c20="  2", c24="   5")
    assert of_players(six("162 A 0.5", own)) == [2.5, 2, 1, 1.5, 1, 1]


@pytest.mark.parametrize(("ranks", "places"), [("100", ("1", "", "")), ("000", None)])
def test_a_rank_of_nought_is_none(ranks, places):
    entries = (["   2 w 1"], ["   1 b 0"], ["0000 - U"])
    lines = [
        player(n, f"P{n}", of_player, c86=f"{rank:>4}")
        for n, of_player, rank in zip((1, 2, 3), entries, ranks, strict=True)
    ]
    assert read(*lines, strict=False).published.get("place") == places


@pytest.mark.parametrize(
    ("text", "day", "is_said"),
    [("26/09/22", "2026-09-22", True), ("99/12/31", "1999-12-31", False),
     ("2026/09/22", "2026-09-22", False)],
)  # fmt: skip
def test_a_date_has_the_year_first(text, day, is_said):
    event = six(f"042 {text}")
    assert event.about["start"] == day == start_of(event)
    assert any("year of two digits" in note for note in event.notes) == is_said


def test_no_month_has_that_number():
    event = six("042 26/19/22")
    assert any("042 is not understood" in note for note in event.notes)


# --------------------------------------------------------------------------------- by default


def test_a_match_lost_by_default_pays_nothing():
    """Where a loss pays a point for showing up (3-2-1), who does not show up has none."""
    four = (
        player(1, "A1", ["   3 w 1", "0000 - -"]), player(2, "A2", ["   4 b 1", "0000 - -"]),
        player(3, "B1", ["   1 b 0", "   7 w 1"]), player(4, "B2", ["   2 w 0", "   8 b 1"]),
        player(5, "C1", ["   7 w 1", "0000 - +"]), player(6, "C2", ["   8 b =", "0000 - +"]),
        player(7, "D1", ["   5 b 0", "   3 b 0"]), player(8, "D2", ["   6 w =", "   4 w 0"]),
        team(1, "Arden", 1, 2), team(2, "Belfort", 3, 4), team(3, "Cavan", 5, 6),
        team(4, "Dorval", 7, 8), "330 +-   2   3   1",
    )  # fmt: skip
    points = "362 TW 3.0   TD 2.0   TL 1.0"
    for lines, options in (((points,), {}), ((), {"match_points": "3,2,1"})):
        text = "\n".join((*four, *lines)).encode()
        event = read_trf(text, "x.trf", reading(**options))
        assert [mp for mp, _ in team_totals(event)] == [3, 4, 6, 2]
        (note,) = (note for note in event.notes if "by default" in note)
        assert (
            note == "a match lost by default pays 0, not the 1 of a lost match (Arden in round 2)"
        )
    # The file may give the point, by a record 299; and where a loss pays nothing nothing is said.
    paid = read_trf(
        "\n".join((*four, points, record("299", c5="-", c8=" 1.0"))).encode(), "x.trf", Reading()
    )
    assert [mp for mp, _ in team_totals(paid)] == [4, 4, 6, 2]
    plain = read_trf("\n".join(four).encode(), "x.trf", Reading())
    assert not any("by default" in note for note in (*paid.notes, *plain.notes))


def table(text, **options):
    return read_event(MemoryFile("m.csv", text.encode()), reading(**options))


def test_a_default_in_a_table_pays_nothing_but_what_the_row_gives():
    rows = "round,team_a,team_b,score\n1,A,B,3-1\n1,C,D,2-2\n2,A,C,+:-\n2,B,D,4-0\n"
    event = table(rows, match_points="3,2,1")
    assert [mp for mp, _ in team_totals(event)] == [6, 4, 2, 3]
    rows = "round,team_a,team_b,score,match_points_b\n1,A,B,3-1,\n1,C,D,2-2,\n2,A,C,+:-,1\n"
    assert [mp for mp, _ in team_totals(table(rows, match_points="3,2,1"))] == [6, 1, 3, 2]


def test_a_game_lost_by_default_pays_nothing():
    games = "round,white_player,black_player,result\n1,Ann,Bob,+--\n1,Cid,Dan,1-0\n"
    event = table(games, match_points="3,2,1")
    assert of_players(event) == [3, 0, 3, 1]
    assert "a game lost by default pays 0, not the 1 of a lost game (Bob in round 1)" in event.notes


def test_a_default_is_written_with_f():
    rows = "1,Ann,Bob,1-F\n1,Cid,Dan,F-1\n1,Eve,Fay,F-F\n2,Ann,Cid,1-0\n"
    event = table(f"round,white_player,black_player,result\n{rows}")
    assert of_players(event) == [2, 0, 0, 1, 0, 0]
    assert [game.played for game in event.games] == [False, False, False, True]
    # Without a digit or an F on both sides it is none.
    for wrong in ("F-", "-F", "F:+"):
        with pytest.raises(InputError, match="result"):
            table(f"round,white_player,black_player,result\n1,Ann,Bob,{wrong}\n")


# ----------------------------------------------------------------------------------- PGN, tables


def game(result, number="1.1", white="Ann", black="Bob", **tags):
    tags = {"Round": number, "White": white, "Black": black, "Result": result, **tags}
    return "".join(f'[{name} "{text}"]\n' for name, text in tags.items()) + "\n1. e4 e5\n\n"


@pytest.mark.parametrize(
    ("result", "points"),
    [("1 - 0", [1, 0]), ("0.5 - 0.5", [0.5, 0.5]), ("1/2 - 1/2", [0.5, 0.5]), ("0 -1", [0, 1])],
)
def test_a_result_of_a_pgn_with_blanks(result, points):
    data = game(result).encode()
    event = read_pgn(data, "x.pgn", "x", Reading(individual=True))
    assert of_players(event) == points
    assert any("a result that is written otherwise" in note for note in event.notes)
    with pytest.raises(InputError, match="Result"):
        read_pgn(data, "x.pgn", "x", Reading(strict=True, individual=True))
    with pytest.raises(InputError, match=r"must be one of 1-0, .* got '0\.5-1'"):
        read_pgn(game("0.5-1").encode(), "x.pgn", "x", Reading(individual=True))


def test_a_pair_that_plays_twice_in_a_round_of_a_pgn_gets_a_hint():
    teams = {"WhiteTeam": "Arden", "BlackTeam": "Belfort", "Board": "1"}
    twice = game("1-0", **teams) + game("0-1", **teams)
    with pytest.raises(InputError, match=r"the second may be a play-off.*--decided"):
        read_pgn(twice.encode(), "x.pgn", "x", Reading())


def test_the_missing_table_is_named(tmp_path):
    (tmp_path / "matches.csv").write_text(
        "round,match,team_a,team_b,game_points_a,game_points_b\n1,1,A,B,1,0\n"
    )
    heads = "round,match,board,white_team,white_player,black_team,black_player,result\n"
    (tmp_path / "boards.csv").write_text(f"{heads}1,1,1,A,Ann,B,Bob,1-0\n")
    with pytest.raises(
        InputError, match=r"boards\.csv: line 2: .*players\.csv, which .* is missing"
    ):
        read_event(tmp_path)
    (tmp_path / "players.csv").write_text("team,name\nA,Ann\nB,Bob\n")
    assert len(read_event(tmp_path).games) == 1
    (tmp_path / "players.csv").unlink()
    (tmp_path / "boards.csv").write_text(
        "round,match,board,white_team,black_team,result\n1,1,1,A,B,1-0\n"
    )
    assert len(read_event(tmp_path).games) == 1


def test_what_a_bye_of_a_player_pays_is_one_number():
    games = "round,white_player,black_player,result\n1,Ann,Bob,1-0\n1,Cid,,\n"
    assert of_players(table(games)) == [1, 0, 1]
    for points in ("0.5", "0,0.5", 0.5):
        assert of_players(table(games, bye_points=points)) == [1, 0, 0.5]
    teams = "round,team_a,team_b,score\n1,A,B,3-1\n1,C,,\n"
    with pytest.raises(InputError, match=r"must be match points and game points, got '0\.5'"):
        table(teams, bye_points="0.5")
    with pytest.raises(InputError, match=r"in steps of 0\.5, got '0\.3'"):
        table(games, bye_points="0.3")


def test_a_name_without_its_initial_is_named():
    """Cid of round 1 and `Cid, A` of round 2 are perhaps one; who play in one round are two."""
    games = '1,Ann,Bob,1-0\n1,Cid,Dan,1-0\n2,"{}",Ann,1-0\n2,Bob,Dan,1-0\n'
    heads = "round,white_player,black_player,result\n"
    about = "lacks an initial, and that never play in one round: 'Cid' in round 1 and 'Cid, A'"
    for name in ("Cid, A", "Cid A."):
        event = table(heads + games.format(name))
        (note,) = (note for note in event.notes if "lacks an initial" in note)
        assert about.replace("Cid, A", name) in note
        assert ("name", note) in event.contradictions
    for name in ("Cid", "Cid, Al", "A"):
        assert not any("initial" in n for n in table(heads + games.format(name)).notes)
    both = games.format("Cid, A").replace("Bob,Dan", "Bob,Cid")
    assert not any("initial" in note for note in table(heads + both).notes)
