"""FIDE's Tournament Report File: read as typed from its columns, written and read back."""

import dataclasses
import re
import time
from random import Random

import pytest
from format_samples import read_or_refused
from trf_samples import HEAD, PLAYERS, SMALL, TEAMS, old_team, player, read, read_trf, team, text

from tb2learn.events.files.options import STRICT, Reading
from tb2learn.events.files.trf_write import write_trf
from tb2learn.events.parts import Game, Match, Player
from tb2learn.types import InputError


def test_a_small_event_of_2026():
    event = read(*SMALL)
    assert event.name == "Small Cup"
    assert event.teams == ("Aces", "Bats", "Cats", "Dogs", "Eels")
    assert (event.rounds, event.boards, event.planned, event.notes) == (3, 2, 4, ())
    assert event.about == {
        "city": "Baku", "federation": "AZE", "start": "2026-11-20", "end": "2026-11-21",
        "type": "Team Swiss", "arbiter": "IA Arbiter", "deputy": "One, Two", "time": "90 minutes",
    }  # fmt: skip
    assert event.players[0] == Player(0, "Ace, Alf", 1234567, 2000, "GM", "m", "AAA", "1990-05-13")
    assert event.players[1] == Player(0, "Ant, Ada", 0, 2000, "WGM", "w")
    assert event.players[2] == Player(0, "Art")
    assert event.ratings == ((2000, 2000), (2000, 2000), (2000, 2000), (2000, 2000), (2000, 2000))
    a, b, c, d, e = range(5)
    assert event.matches == (
        Match(1, 1, a, b, 3, 1, 2, 0),
        Match(1, 2, c, d, 2, 2, 2, 1),
        Match(1, 3, e, None, 2, 0, 0, 0, "pairing"),
        Match(2, 1, a, c, 3, 1, 2, 0),
        Match(2, 2, b, e, 0, 4, 2, 2),
        Match(2, 3, d, None, 3, 0, 0, 0, "half", match_points_a=2),
        Match(3, 1, d, a, 3, 1, 2, 0),
        Match(3, 2, b, c, 4, 0, 2, 1),
        Match(3, 3, e, None, 0, 0, 0, 0, "zero"),
    )
    full = {"white_rating": 2000, "black_rating": 2000}
    assert event.games == (
        Game(1, 1, 1, a, b, 0, 3, 2, 0, **full),
        Game(1, 1, 2, b, a, 4, 2, 1, 1, white_rating=2000),
        Game(1, 2, 1, c, d, 5, 7, 2, 0, played=False, **full),
        Game(1, 2, 2, d, c, 8, 6, 2, 0, **full),
        Game(2, 1, 1, a, c, 0, 5, 2, 0, **full),
        Game(2, 1, 2, c, a, 6, 1, 1, 1, **full),
        Game(2, 2, 1, b, e, 3, 9, 0, 2, played=False, **full),
        Game(2, 2, 2, e, b, 10, 4, 2, 0, played=False, **full),
        Game(3, 1, 1, d, a, 7, 0, 1, 1, **full),
        Game(3, 1, 2, a, d, 1, 8, 0, 2, **full),
        Game(3, 2, 1, b, c, 3, None, 2, 0, played=False, white_rating=2000),
        Game(3, 2, 2, c, b, 6, 4, 0, 2, **full),
    )


def as_2016(bye_letters):
    """The small event without the records of 2026: byes stand with the players."""
    players = list(PLAYERS)
    for number, round_number, cell in bye_letters:
        line = players[number - 1].ljust(81 + 10 * round_number)
        column = 81 + 10 * round_number
        players[number - 1] = (line[:column] + cell).rstrip() + line[column + 8 :].rstrip()
    teams = (old_team("Aces", 1, 3, 2), old_team("Bats", 4, 5), old_team("Cats", 6, 7),
             old_team("Dogs", 8, 9), old_team("Eels", 10, 11))  # fmt: skip
    head = [line for line in HEAD if line[:3] not in ("###", "142", "352", "162", "362")]
    return (*head, "XXR 4", *players, *teams)


def test_a_small_event_of_2016():
    letters = [(10, 1, "0000 - U"), (11, 1, "0000 - u"), (8, 2, "0000 - H"), (9, 2, "0000 - Z"),
               (10, 3, "0000 - Z")]  # fmt: skip
    event = read(*as_2016(letters))
    small = read(*SMALL)
    assert event.planned == 4 and event.boards == 2
    assert [m.bye for m in event.matches if m.bye] == ["pairing", "half", "zero"]
    assert [m.half_points_a for m in event.matches if m.bye] == [2, 2, 0]
    # Reserve and first player are now in line-up order, so no record 300 is needed.
    order = {0: 0, 1: 2, 2: 1}
    games = [
        dataclasses.replace(g, white=order.get(g.white, g.white), black=order.get(g.black, g.black))
        for g in small.games
    ]
    assert [g for g in event.games if g.round < 3] == [g for g in games if g.round < 3]
    assert event.players[1].name == "Art"


@pytest.mark.parametrize(
    ("cells", "bye", "points"),
    [
        (("F", "F"), "full", (2, 4)),
        (("U", ""), "pairing", (1, 2)),
        (("H", "Z"), "half", (1, 2)),
        (("Z", ""), "zero", (0, 0)),
        (("+", "+"), "default", (2, 4)),
        (("+", ""), "default", (2, 2)),
        (("-", "-"), "zero", (0, 0)),
        (("U", "F"), "full", (2, 4)),
    ],
)
def test_byes_that_players_tell_of(cells, bye, points):
    bye_cells = [(10 + i, 1, f"0000 - {c}") for i, c in enumerate(cells) if c]
    event = read(*as_2016(bye_cells))
    match = next(m for m in event.matches if m.round == 1 and m.team_b is None)
    assert match.bye == bye and (match.match_points[0], match.half_points_a) == points


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_line_ends_and_encodings(end, encoding):
    """Columns count characters, not bytes."""
    lines = [line.replace("Ace, Alf", "Åce, Älf") for line in SMALL]
    event = read_trf(end.join(lines).encode(encoding), "x.trf")
    assert event.players[0].name == "Åce, Älf"
    assert event.matches == read(*SMALL).matches and event.games == read(*SMALL).games


SAME = {
    "lines may be padded": [line.ljust(300) for line in SMALL],
    "or cut short": [line.rstrip() for line in SMALL],
    "without 352 the longest line-up tells the boards": [
        line for line in SMALL if not line.startswith("352")
    ],
    "013 counts only where no 310 is": [*SMALL, old_team("Other", 1, 2)],
    "a round that is only announced is planned": [*SMALL, "240 H   4    1"],
}


@pytest.mark.parametrize("case", SAME)
def test_the_same_event(case):
    assert read(*SAME[case]) == read(*SMALL)


def test_board_colours():
    """352 tells who has white where the entries do not: B-E in round 2 has no colours."""
    lines = [line.replace("352 WB", "352 BW") for line in SMALL]
    event = read(*lines)
    # White of the forfeited match (330) is the team B: it has black on board 1 now.
    assert [(g.white_team, g.black_team) for g in event.games[6:8]] == [(4, 1), (1, 4)]
    assert event.matches[0].team_a == 1  # A has white on board 1: it is the second team


def test_teams_are_sorted_by_number_and_numbers_may_have_gaps():
    lines = [*HEAD, *PLAYERS, *(line for line in TEAMS if "Aces" not in line),
             team(700, "Aces", 1, 2, 3), "240 Z   3    5", "320  1.0  1.0 005"]  # fmt: skip
    event = read(*lines)
    assert event.teams == ("Bats", "Cats", "Dogs", "Eels", "Aces")
    assert event.players[-3].name == "Ace, Alf"


def two_teams(entries, *extra, boards=4):
    """Teams of `boards` players each, 1.. and 11.., with one round's entries by start number."""
    lines = [player(n, f"P{n}", [entries.get(n, "")]) for n in
             (*range(1, boards + 1), *range(11, 11 + boards))]  # fmt: skip
    members = (range(1, boards + 1), range(11, 11 + boards))
    return read(*lines, *(team(i, f"T{i}", *m) for i, m in enumerate(members, start=1)), *extra)


def seats(event):
    return [
        (g.board, *(None if p is None else event.players[p].name[1:] for p in (g.white, g.black)))
        for g in event.games
    ]


ONE_EACH = {1: "  12 b 1", 2: "  11 w 1", 4: "  13 w 1", 12: "   1 w 0", 11: "   2 b 0",
            13: "   4 b 0"}  # fmt: skip
OF_300 = "300   1   1   2    2    1 0000    4"
SEATS = {
    "each team lacks a player: who won there by default tells which board it was": (
        {1: "  11 w 1", 2: "0000 - +", 3: "  13 w 1", 11: "   1 b 0", 13: "   3 b 0",
         14: "0000 - +"},
        [(1, "1", "11"), (2, None, "2"), (3, "3", "13"), (4, "14", None)], (6, 2, 4, 2),
    ),
    "two who stand against nobody were one board": (
        {1: "  11 w 1", 2: "0000 - +", 11: "   1 b 0", 12: "0000 - -"},
        [(1, "1", "11"), (2, "12", "2")], (4, 0, 2, 1),
    ),
    "the loser by default need not have an entry": (
        {1: "  11 w 1", 2: "  12 b +", 11: "   1 b 0"},
        [(1, "1", "11"), (2, "12", "2")], (4, 0, 2, 1),
    ),
    "all winners may name the same absent player": (
        {1: "  11 w +", 2: "  11 b +"}, [(1, "1", "11"), (2, None, "2")], (4, 0, 2, 2),
    ),
    "double defaults are decided by nobody": (
        {1: "  11 w -", 2: "  12 b 1", 11: "   1 b -", 12: "   2 w 0"},
        [(1, "1", "11"), (2, "12", "2")], (2, 0, 1, 0),
    ),
    "a game may be lost by both": (
        {1: "  11 w 0", 2: "  12 b 1", 11: "   1 b 0", 12: "   2 w 0"},
        [(1, "1", "11"), (2, "12", "2")], (2, 0, 2, 0),
    ),
    "line-ups that contradict each other follow the lower team": (
        {1: "  12 w 1", 2: "  11 b 1", 3: "  13 w 1", 12: "   1 b 0", 11: "   2 w 0",
         13: "   3 b 0"},
        [(1, "1", "12"), (2, "11", "2"), (3, "3", "13")], (6, 0, 3, 0),
    ),
    "record 300 gives the boards": (
        {**ONE_EACH, "more": [OF_300]}, [(1, "2", "11"), (2, "12", "1"), (4, "4", "13")],
        (6, 0, 3, 0),
    ),
}  # fmt: skip
"""Entries of round 1 by start number; boards with their players; points, boards, forfeits."""


@pytest.mark.parametrize("case", SEATS)
def test_who_sat_on_which_board(case):
    entries, boards, facts = SEATS[case]
    event = two_teams(entries, *entries.get("more", ()))
    (match,) = event.matches
    assert seats(event) == boards and match.team_a == 0
    found = match.half_points_a, match.half_points_b, match.boards_decided, match.boards_forfeited
    assert found == facts


@pytest.mark.parametrize(("kind", "points"), [("+-", (4, 0)), ("-+", (0, 4)), ("--", (0, 0))])
def test_a_forfeited_match_without_any_entry(kind, points):
    lines = [line[:111].rstrip() if line.startswith("001") else line for line in SMALL[:-1]]
    lines = [line.replace(" 2.5", "    ") for line in lines if line[:3] not in ("240", "300")]
    lines.append(f"330 {kind}   3   5   4")
    event = read(*lines)
    match = next(m for m in event.matches if m.round == 3)
    assert (match.team_a, match.team_b) == (4, 3) and match.by_default
    assert (match.half_points_a, match.half_points_b) == points
    assert event.rounds == 3 and not [g for g in event.games if g.round == 3]


def points(event):
    return {
        (m.round, t): (p, h)
        for m in event.matches
        for t, p, h in zip(
            (m.team_a, m.team_b), m.match_points, (m.half_points_a, m.half_points_b), strict=True
        )
        if t is not None
    }


def test_abnormal_points_of_teams_in_a_round():
    before = points(read(*SMALL))
    after = points(read(*SMALL, "299 L   0.0   1.0    1    1"))
    assert after == before | {(1, 0): (0, 2)}
    only_match_points = read(*SMALL, "299 W   2.0          1    3    4")
    assert points(only_match_points) == before | {(1, 2): (2, 2), (1, 3): (2, 2)}
    nothing = read(*SMALL, "299 D   1.0   1.0    1    3")
    assert points(nothing) == before and nothing.matches[1].match_points_a is None


def test_a_bye_that_pays_otherwise_says_both_its_points():
    event = read(*(line.replace("320  1.0  1.0", "320  1.0  0.5") for line in SMALL))
    assert (event.matches[2].match_points_a, event.matches[2].half_points_a) == (1, 1)
    content = write_trf(event, 2026)
    assert "320  1.0  0.5 005\r\n" in content
    assert len(re.findall("^299", content, re.M)) == 1  # of the half-point bye


def test_abnormal_points_of_a_type_of_result():
    before = points(read(*SMALL))
    after = points(read(*SMALL, "299 +   2.0   1.5"))  # E won round 2 by default
    assert after == before | {(2, 4): (2, 3)}
    assert points(read(*SMALL, "299 P   0.0   0.0  000")) == before | {(1, 4): (0, 0)}
    assert points(read(*SMALL, "299 W   1.0          3")) == before | {
        (3, 3): (1, 3), (3, 1): (1, 4)
    }  # fmt: skip
    assert points(read(*SMALL, "299 W   1.0        000    4")) == before | {(3, 3): (1, 3)}
    assert points(read(*SMALL, "299 W   1.0          4")) == before


def without(*results):
    """The event without the results of some boards, and without points fields."""
    lines = [line.replace(" 2.5", "    ") for line in SMALL]
    for result in results:
        lines = [line.replace(result, result[:-1] + " ") for line in lines]
    return lines


@pytest.mark.parametrize(
    ("results", "match"),
    [
        (("   1 w =", "   8 b ="), (3, 1, 3, 0)),
        (("   6 w W", "   1 b L"), (2, 1, 0, 2)),  # the reserves have a result
    ],
)
def test_a_match_with_an_open_board_counts_for_nobody(results, match):
    event, whole = read(*without(*results)), read(*SMALL)
    assert event.open == (match,) and (event.rounds, event.planned) == (3, 4)
    place = match[:2]
    assert event.matches == tuple(m for m in whole.matches if (m.round, m.number) != place)
    assert event.games == tuple(g for g in whole.games if (g.round, g.match) != place)
    (note,) = event.notes
    assert note.startswith("1 match is open (round ")
    assert event.after(match[0] - 1).open == ()


ROUND_3 = ("   1 w =", "   8 b =", "   2 b 1", "   9 w 0", "   5 w 0", "   7 b 1")


def test_a_round_in_which_nobody_has_a_result_is_that_of_the_next_pairings():
    """A bye that is asked for does not begin it, nor half of a match."""
    for results in (ROUND_3, ROUND_3[2:]):
        event = read(*without(*results), strict=False)
        assert (event.rounds, event.open) == (2, ())
        assert "round 3 has no results yet: it and later rounds are left out" in event.notes


BAD = {
    "round 41": (
        text(*SMALL[:22], PLAYERS[1].ljust(491) + "   4 w 1", *SMALL[23:]),
        "line 23: columns 492 on (round 41) must be blank: at most 40 rounds, got '4 w 1'",
    ),
    "too many teams": (
        text(*(old_team(f"T{i}") for i in range(1001))),
        "columns 5-36 (team name) must be one of at most 1000",
    ),
    "long line": ("012 " + "x" * 200_000, "line 1: columns 100001 on (line) must be blank"),
    "too large": ("0" * ((64 << 20) + 1), "must be at most 67108864 bytes, has more"),
}


@pytest.mark.parametrize("case", BAD)
def test_files_that_are_no_event_are_refused(case):
    """Fields that are wrong are in `refusals.csv`."""
    content, message = BAD[case]
    with pytest.raises(InputError) as error:
        read_trf(content.encode(), "x.trf")
    assert message in str(error.value) and len(str(error.value)) < 300


def test_opponents_in_a_ring_are_no_games():
    ring = {1: "  11 w 1", 11: "   2 b 0", 2: "  12 w 1", 12: "   1 b 0"}
    with pytest.raises(InputError, match=r"line 1: columns 92-95 .* whose own entry of the round"):
        two_teams(ring)


HOSTILE = [
    ["001    1      X"] * 200_000,
    [f"001 {i % 10_000:4d}      X" for i in range(200_000)],
    ["300   1   1   2    1"] * 200_000,
    ["XYZ"] * 400_000,
    [""] * 1_000_000,
    ["012 x"] * 200_000,
    ["001    1" + " " * 1_000_000 + "x"],
    ["310   1 A" + " " * 80_000 + "x"] * 100,
    [*SMALL, *["299 W   2.0   2.0  000" + "    1" * 15_000] * 100],
    ["001    1      X" + " " * 30 + "20x0" + " " * 1000] * 20_000,
    [f"001 {i:4d} m    X" + " " * 35 + "9x 1 w 1 1 w 1" for i in range(1, 10_000)]
    + [old_team(f"T{i}", *range(9 * i + 1, 9 * i + 10)) for i in range(900)],
    ["299 W 1.0 1.0 1 1 1 1 1 1 1 1 1 1 1 1 1 1"] * 20_000,
    ["310   1 A" + "  1" * 1900] * 3000,
    ["802   1 " + "1.0 " * 30] * 5000,
]


@pytest.mark.thorough
@pytest.mark.parametrize("lines", HOSTILE, ids=lambda lines: lines[0][:8])
def test_hostile_sizes_and_oddities_take_no_time(lines):
    data = "\n".join([*lines, *SMALL]).encode()
    start = time.process_time()
    read_or_refused(data, "x.trf", STRICT, Reading())
    assert time.process_time() - start < 10


@pytest.mark.parametrize("seed", range(2))
def test_records_may_stand_in_any_order(seed):
    event = read(*Random(seed).sample(SMALL, len(SMALL)))
    assert (event.matches, event.games) == (read(*SMALL).matches, read(*SMALL).games)


def test_records_that_are_not_read_are_named():
    """Ratings of a federation point at start numbers: no error, and not carried over."""
    event = read(*SMALL, "NOR    1 2345", "NOR    2 2300", "### a comment", "\x1b[2 x", "062 11")
    assert {"records \x1b[2", "records NOR"} <= {*event.left_alone}
    # How many players there are follows from the others.
    assert "records 062" not in event.left_alone
    assert not any("###" in part or "001" in part for part in event.left_alone)
    assert event.matches == read(*SMALL).matches
