"""Results with penalties (Laws of Chess 12.9), and penalties of rounds that were not played."""

import pytest
from event_samples import find_nothing
from player_samples import entry
from trf_samples import player, read, record, team, text

from tb2learn.events import rank, read_criteria
from tb2learn.events.check import check
from tb2learn.events.files.csv_write import folder_files
from tb2learn.events.files.options import STRICT, Reading
from tb2learn.events.files.read import read_event
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.files.trf_write import write_trf
from tb2learn.events.verdict import verdict
from tb2learn.types import InputError

# Ace beats Dog, Bat half a point against none of Cat; Ace and Bat nothing both, Dog beats Cat.
FOUR = (
    entry(1, "Ace", 1.0, "4 w 1", "2 w 0", "3 b 1"),
    entry(2, "Bat", 1.5, "3 w =", "1 b 0", "4 w 1"),
    entry(3, "Cat", 0.0, "2 b 0", "4 b 0", "1 w 0"),
    entry(4, "Dog", 1.0, "1 b 0", "3 w 1", "2 b 0"),
)
GAMES = """round,white_player,black_player,result
1,Ace,Dog,1-0
1,Bat,Cat,1/2-0
2,Ace,Bat,0-0
2,Dog,Cat,1-0
3,Cat,Ace,0-1
3,Bat,Dog,1-0
"""
LIST = "Round {}\nBo.;Name;Result;Name\n"
CROSSTABLE = "No.;Name;1.Rd;2.Rd;3.Rd\n1;Ace;4w1;2w0;3b1\n2;Bat;3w½;1b0;4w1\n" \
    "3;Cat;2b0;4b0;1w0\n4;Dog;1b0;3w1;2b0\n"  # fmt: skip


def of(content, options=None, name="x"):
    return read_event(MemoryFile(name, content.encode()), options or Reading())


def pgn():
    rows = [line.split(",") for line in GAMES.splitlines()[1:]]
    return "".join(
        f'[Event "Cup"]\n[White "{a}"]\n[Black "{b}"]\n[Round "{r}"]\n[Result "{result}"]\n\n'
        f"1. e4 e5 *\n\n"
        for r, a, b, result in rows
    )


def listed():
    rows = [line.split(",") for line in GAMES.splitlines()[1:]]
    parts = (
        LIST.format(r) + "".join(f"1;{a};{x};{b}\n" for q, a, b, x in rows if q == r) for r in "123"
    )
    return "".join(parts)


@pytest.mark.parametrize(
    "content", [text("012 Cup", *FOUR), GAMES, pgn(), CROSSTABLE, listed()], ids=lambda c: c[:9]
)
def test_a_game_with_a_penalty_in_every_form(content):
    """Sums by hand: Sonneborn-Berger of Bat is half of Cat's 0 and Dog's 1, Ace's Dog and Cat."""
    event = of(content)
    assert event.individual
    rows = rank(event, read_criteria(event, ["PTS,SB"], find_nothing), unplayed="face-value")
    assert {row.team: tuple(row.scores.values()) for row in rows} == {
        "Ace": (2, 1), "Bat": (1.5, 1), "Dog": (1, 0), "Cat": (0, 0),
    }  # fmt: skip
    half = next(m for m in event.matches if {m.half_points_a, m.half_points_b} == {0, 1})
    assert half.played and {half.match_points[0], half.match_points[1]} == {0, 1}
    nothing = next(m for m in event.matches if m.half_points_a == m.half_points_b == 0)
    assert nothing.played and nothing.match_points == (0, 0)


def test_it_is_said_where_a_slip_would_look_the_same():
    for event in (of(text("012 Cup", *FOUR)), of(CROSSTABLE)):
        (note,) = [note for note in event.notes if "12.9" in note]
        assert "½-0" in note and "Bat" in note
    assert not [note for note in of(GAMES).notes if "12.9" in note]
    # One point and a half of a game are none.
    wrong = (entry(1, "Ace", 1.0, "2 w 1"), entry(2, "Bat", 0.5, "1 b ="))
    with pytest.raises(InputError, match="result of round 1"):
        read(*wrong, strict=False)
    with pytest.raises(InputError, match="result must be one of"):
        of(GAMES.replace("1/2-0", "1-1/2"))


def test_games_that_score_otherwise_have_the_points_of_a_draw_and_a_loss():
    event = of(text("012 Cup", "162  W 3.0    D 1.0    L 0.0", *FOUR))
    half = next(m for m in event.matches if {m.half_points_a, m.half_points_b} == {0, 1})
    assert sorted(half.match_points) == [0, 2]


@pytest.mark.parametrize("form", ["csv", "trf16", "trf26"])
def test_it_comes_back(form):
    event = of(GAMES)
    if form == "csv":
        files = {name: content.encode() for name, content in folder_files(event).items()}
        back = read_event(MemoryFile("folder", files), STRICT)
    else:
        back = of(write_trf(event, 2000 + int(form[-2:])))
    assert [(m.teams, m.match_points, m.played) for m in back.matches] == [
        (m.teams, m.match_points, m.played) for m in event.matches
    ]
    assert check(back).findings == ()


def test_a_board_of_a_match_with_a_penalty():
    """A2 has half a point against none: 1.5-0.5 would be 1.5-0."""
    lines = (
        player(1, "A1", ["   3 w 1"]), player(2, "A2", ["   4 b ="]),
        player(3, "B1", ["   1 b 0"]), player(4, "B2", ["   2 w 0"]),
    )  # fmt: skip
    event = read("012 Cup", *lines, team(1, "A", 1, 2), team(2, "B", 3, 4))
    (match,) = event.matches
    assert (match.half_points_a, match.half_points_b, match.match_points) == (3, 0, (2, 0))
    assert match.boards_decided == 2 and [g.played for g in event.games] == [True, True]


def test_a_match_whose_points_are_no_whole_number():
    table = "round,team_a,team_b,score\n1,A,B,2-1.5\n1,C,D,4-0\n2,A,C,2-2\n2,B,D,3-1\n"
    square = "No.;Team;1.Rd;2.Rd\n1;A;2w2;3w2\n2;B;1b1½;4w3\n3;C;4w4;1b2\n4;D;3b0;2b1\n"
    for content in (table, square):
        event = of(content)
        assert event.boards == 4
        (note,) = [note for note in event.notes if "penalty" in note]
        assert "no whole number" in note
        frame = event.frame("teams").set_index("team")
        assert frame.match_points.to_dict() == {"A": 3, "B": 2, "C": 3, "D": 0}
        assert frame.game_points.to_dict() == {"A": 4, "B": 4.5, "C": 6, "D": 1}
    order = read_criteria(event, ["MPTS,GPTS"], find_nothing)
    assert "2-1½" not in str(verdict(rank(event, order), (0, 2)))


@pytest.mark.parametrize("r", [3, 9])
def test_a_penalty_in_a_round_that_was_not_played_is_said(r):
    tables = {
        "matches.csv": b"round,team_a,team_b,score\n1,A,B,3-1\n2,A,B,2-2\n",
        "penalties.csv": f"team,round,match_points\nA,{r},-1\nB,2,-1\n".encode(),
    }
    event = read_event(MemoryFile("cup", tables), Reading())
    lines = (
        player(1, "A1", ["   2 w 1", "   2 w ="]), player(2, "B1", ["   1 b 0", "   1 b ="]),
    )  # fmt: skip
    taken = (record("299", c8="-1.0", c20=f"{at:3}", c24=f"{t:4}") for at, t in ((r, 1), (2, 2)))
    trf = read("012 Cup", *lines, team(1, "A", 1), team(2, "B", 2), *taken)
    for of_form in (event, trf):
        (note,) = [note for note in of_form.notes if "penalty" in note]
        assert note.endswith(f"does not count (A in round {r})")
        assert [(p.team, p.round, p.match_points) for p in of_form.penalties] == [(1, 2, -1)]


def test_a_square_with_a_penalty():
    square = "No.,Name,1,2,3\n1,Ann,*,½,1\n2,Bob,0,*,½\n3,Cid,0,½,*\n"
    event = of(square, name="x.csv")
    assert [(m.half_points_a, m.half_points_b) for m in event.matches] == [(1, 0), (2, 0), (1, 1)]
    assert any("½-0" in note and "Ann against Bob" in note for note in event.notes)
    with pytest.raises(InputError, match="column 2 of Ann must be the other half"):
        of(square, Reading(strict=True, form="table"), name="x.csv")
