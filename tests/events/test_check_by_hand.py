"""What a check finds, at its bounds: colours of top scorers, second meetings, places of a list."""

from dataclasses import replace

import pytest
from etcc import small

from tb2learn.events import rank, read_criteria
from tb2learn.events.check import best_code, check
from tb2learn.events.files.fields import Aside, Notes
from tb2learn.events.files.options import Reading
from tb2learn.events.files.read import read_event
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.files.table_rows import FORFEITS, RESULTS, STATUS
from tb2learn.events.parts import Game, Player
from tb2learn.events.unplayed.policies import POLICIES, usual_policy
from tb2learn.types import InputError

NAMES = "ABCDEFGH"


def players(*rounds, **options):
    """An event of eight players from rounds of `white black half points of White`."""
    pairs = [
        [(NAMES.index(w), NAMES.index(b), int(half)) for w, b, half in r.split()] for r in rounds
    ]
    event = small(
        [[(w, b, half, 2 - half) for w, b, half in r] for r in pairs], NAMES, 1, **options
    )
    games = tuple(
        Game(m.round, m.number, 1, *m.teams, *m.teams, m.half_points_a, m.half_points_b)
        for m in event.matches
    )
    people = tuple(Player(number, name) for number, name in enumerate(NAMES))
    return replace(event, individual=True, games=games, players=people)


def remarks(event):
    """Those on A."""
    found = check(event).remarks
    return [(one.round, one.kind, one.text) for one in found if one.text.startswith("A ")]


WHITE = "A had white three times in a row"


@pytest.mark.parametrize(
    ("third", "expected"),
    [
        ("1", [(3, "colour", WHITE)]),  # 2.5 of 3 before the last round: a top scorer
        ("0", [(3, "colour", WHITE)]),  # 2 of 3
    ],
)
def test_a_top_scorer_may_have_a_colour_again_in_the_last_round(third, expected):
    event = players(
        "AB2 DC1 EF1 GH1", "AC2 BD1 FE1 HG1", f"AD{third} CB1 EG1 FH1", "AE1 BF1 CG1 DH1"
    )
    assert remarks(event) == expected
    # Half of the points are not more than half.
    half = players("AB2 DC1 EF1 GH1", "AC1 BD1 FE1 HG1", "AD0 CB1 EG1 FH1", "AE1 BF1 CG1 DH1")
    assert remarks(half) == [(3, "colour", WHITE), (4, "colour", WHITE)]
    # One more round is planned, so that the fourth is not the last.
    assert remarks(replace(event, planned=5)) == [*expected, (4, "colour", WHITE)]


def test_a_colour_three_times_more_often():
    event = players(
        "AB0 DC1 EF1 GH1",
        "AC0 BD1 FE1 HG1",
        "DA2 CB1 EG1 FH1",
        "AE0 BF1 CG1 DH1",
        "AF0 BG1 CH1 ED1",
    )
    text = "A had white three times more than the other colour"
    assert remarks(event) == [(5, "colour", text)]


def test_who_met_again():
    event = players("AB1 CD1 EF1 GH1", "BA1 CE1 DF1 HG1", "AC1 BD1 EG1 FH1")
    found = check(event).findings
    assert [(one.round, one.kind, one.text) for one in found] == [
        (2, "pairing", "B and A met in round 1 already"),
        (2, "pairing", "H and G met in round 1 already"),
    ]


def test_places_by_the_list_of_the_record():
    """A and B are equal: either may be first, neither third."""
    event = players("AC2 BD2 EF1 GH1", "DA0 CB0 FE1 HG1", about={"tiebreaks": "PTS"})
    places = ["1", "2", "7", "8", "3", "4", "5", "6"]
    for one, other, wrong in (("1", "2", []), ("2", "1", []), ("1", "3", ["B"]), ("3", "2", ["A"])):
        printed = replace(event, published={"place": (one, other, *places[2:])})
        found = [f.text.split()[0] for f in check(printed).findings if f.kind == "place"]
        assert found == wrong
    (column,) = check(replace(event, published={"place": tuple(places)})).columns
    assert (column.cells, column.agreeing, column.criterion) == (8, 8, "PTS")


def test_of_points_that_cannot_be_computed_none_agree(monkeypatch):
    """It was -1 of 8."""
    event = players("AC2 BD2 EF1 GH1", published={"points": tuple("22110011")})
    monkeypatch.setattr("tb2learn.events.check._Recomputed._of", lambda *_: None)
    (column,) = check(event).columns
    assert (column.agreeing, column.cells) == (0, 8)


WITH_FORFEITS = """012 Four
042 2026/05/09
092 Individual: Swiss-System
142 3
212 PTS,BH
"""


def with_places(*places):
    """Eight players, three rounds, two of them with a forfeit; ranks as printed."""
    entries = {
        1: "   2 w 1     3 b 1     4 w 1", 2: "   1 b 0     4 w 1     3 b =",
        3: "   4 w 1     1 w 0     2 w =", 4: "   3 b 0     2 b 0     1 b 0",
        5: "   6 w 1     7 b +     8 w 0", 6: "   5 b 0     8 w 1     7 b 1",
        7: "   8 w 1     5 w -     6 w 0", 8: "   7 b 0     6 b 0     5 b 1",
    }  # fmt: skip
    points = {1: 3, 2: 1.5, 3: 1.5, 4: 0, 5: 2, 6: 2, 7: 1, 8: 1}
    lines = [
        f"001 {n:4}      {'P' + NAMES[n - 1]:33} 2000".ljust(80)
        + f"{points[n]:4.1f} {places[n - 1]:4}  {entries[n]}"
        for n in entries
    ]
    text = WITH_FORFEITS + "".join(f"{line}\n" for line in lines)
    return read_event(MemoryFile("four.trf", text.encode()), Reading())


def test_places_are_judged_by_the_edition_that_rank_uses():
    """Places of another edition are wrong, and that edition is said, with the places."""
    start = with_places(*range(1, 9))
    listed = read_criteria(start, ["PTS,BH"], lambda name: None)
    orders = {p: [r.team for r in rank(start, listed, unplayed=p)] for p in POLICIES}
    used = usual_policy(start)
    other = next(p for p in POLICIES if orders[p] != orders[used])
    event = with_places(*(orders[other].index(name) + 1 for name in start.teams))
    result = check(event)
    changed = {a for a, b in zip(orders[used], orders[other], strict=True) if a != b}
    texts = [f.text for f in result.findings if f.kind == "place"]
    assert result.columns[-1].policy == used and len(texts) >= 2
    assert texts[-1].startswith(f"printed places fit {other} better, 8 of 8, than {used}, ")
    assert all(any(name in text for text in texts[:-1]) for name in changed)
    # By the edition that the user names, they follow.
    assert not [f for f in check(event, other).findings if f.kind == "place"]
    with pytest.raises(InputError, match="unplayed must be one of"):
        check(event, "none")


def test_all_that_does_not_follow_is_named():
    """Four of eight places are turned: all four are in the line."""
    event = players("AC2 BD2 EF1 GH1", "DA0 CB0 FE1 HG1", about={"tiebreaks": "PTS"})
    printed = replace(event, published={"place": ("7", "8", "1", "2", "3", "4", "5", "6")})
    (text,) = (f.text for f in check(printed).findings if f.kind == "place")
    assert text.startswith("only 4 of 8 follow from the file's own list PTS by ")
    assert text.endswith(": A 1, printed 7; B 1, printed 8; C 7, printed 1; D 7, printed 2")


def test_the_code_with_which_most_cells_agree():
    """Points 3, 2.5, 0, .5, 1, 1.5, 2, 1.5: the opponents of A have 0, .5 and 1, and so on."""
    event = players("AC2 BD2 EF1 GH1", "DA0 CB0 FE1 HG1", "AE2 BF1 CG0 DH1")
    for code, printed in {
        "BH": ("1.5", "2", "7.5", "7", "6", "4.5", "3", "4.5"),
        "BH/C1": ("1.5", "2", "5.5", "5.5", "4.5", "3.5", "3", "4"),
    }.items():
        codes = ["BH/M1", "BH", "BH/C1"]
        assert best_code(replace(event, published={"TB1": printed}), "1", codes) == code
        # No column has this number: the first.
        assert best_code(replace(event, published={"TB1": printed}), "2", codes) == "BH/M1"
        assert check(replace(event, published={"TB1": printed})).columns[0].agreeing == 8


def test_results_of_tables():
    assert RESULTS == {
        "1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "0-0": (0, 0), "1/2-0": (1, 0),
        "0-1/2": (0, 1),
    }  # fmt: skip
    assert FORFEITS == {"+--": "1-0", "--+": "0-1", "---": "0-0"} and STATUS == (
        "played",
        "forfeit",
    )
    text = "round,white_player,black_player,result,status\n" + "".join(
        f"1,W{k},B{k},{result},{status}\n"
        for k, (result, status) in enumerate(
            [("1-0", ""), ("0-1", "forfeit"), ("1/2-1/2", "played"), ("0-0", ""), ("0-0", "played"),
             ("+--", ""), ("--+", ""), ("---", ""), ("½:½", "")])
    )  # fmt: skip
    event = read_event(MemoryFile("x.csv", text.encode()), Reading())
    assert [(g.white_half_points, g.black_half_points, g.played) for g in event.games] == [
        (2, 0, True), (0, 2, False), (1, 1, True), (0, 0, True), (0, 0, True), (2, 0, False),
        (0, 2, False), (0, 0, False), (1, 1, True),
    ]  # fmt: skip


def test_notes_of_a_kind_are_one():
    """With the first line, how many and whom; names are cut; those beyond a hundred are counted."""
    notes = Notes()
    notes.say("a rating is left out", 7, ("player", "Bee"))
    notes.say("a rating is left out", 5, ("player", "Ant"))
    notes.say("twice", 3, ("player", "Cow"))
    notes.say("twice", 4, ("player", "Cow"))
    notes.say("once", aside="ratings")
    notes.say("teams.csv: odd", 2, wrong="points")
    assert notes.lines == (
        "line 5: a rating is left out (2 players, Ant and 1 more)", "line 3: twice (Cow, 2 times)",
        "once", "teams.csv: line 2: odd",
    )  # fmt: skip
    assert isinstance(notes.lines[2], Aside) and notes.lines[2].unless == "ratings"
    assert notes.contradictions == (("points", "teams.csv: line 2: odd"),)
    many = Notes()
    for number in range(103):
        many.say(f"note {number}")
    assert len(many.lines) == 101 and many.lines[-1] == "and more of this kind: 3"
    assert many.lines[99] == "note 99"
