"""Nobody has two byes: who leaves, comes late or had one is absent, whatever form the file has."""

import pytest
from trf_samples import player, team, text

from tb2learn.events import read_event, usual_policy
from tb2learn.events.files.byes import absent_rounds
from tb2learn.events.files.options import STRICT, Reading
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.kind import free_rounds, withdrawn
from tb2learn.events.next_round import next_round
from tb2learn.events.parts import BYES
from tb2learn.types import InputError

# Five teams of one board each; the first of a pair wins.
LEAVES = ("12 34", "15 23", "13 25", "51 32")  # 5 and 4 are alone in rounds 1 and 2 to 4
COMES_LATE = ("12 34", "13 24", "52 41", "15 23")  # 5 in rounds 1 and 2
TWICE_BETWEEN = ("12 34", "15 23", "35 41", "31 24")  # 5, 4, 2 and 5
ROBIN = ("25 34", "53 12", "31 45", "14 23", "42 51")  # 1, 4, 2, 5 and 3


def trf(rounds, *head, teams=5):
    """The rounds as a TRF of teams that tells of no bye."""
    entries = {t: [""] * len(rounds) for t in range(1, teams + 1)}
    for r, pairs in enumerate(rounds):
        for first, second in (map(int, pair) for pair in pairs.split()):
            entries[first][r], entries[second][r] = f"{second:4d} w 1", f"{first:4d} b 0"
    lines = [player(t, f"P{t}", cells) for t, cells in entries.items()]
    return text("012 Cup", *head, *lines, *(team(t, f"T{t}", t) for t in entries)).encode()


def rows(rounds, alone="", teams=5, mark=","):
    """The same as rows of a table: round, sides and score; `alone` stands beside who is alone."""
    lines = []
    for r, pairs in enumerate(rounds, start=1):
        paired = {int(t) for pair in pairs.split() for t in pair}
        lines += [mark.join((str(r), f"T{a}", f"T{b}", "1-0")) for a, b in pairs.split()]
        lines += [
            mark.join((str(r), f"T{t}", alone, ""))
            for t in range(1, teams + 1) if t not in paired
        ]  # fmt: skip
    return lines


def table(rounds, heads="round,team_a,team_b,score", **how):
    return "".join(f"{line}\n" for line in (heads, *rows(rounds, **how))).encode()


def crosstable(rounds, alone, head="Team", teams=5):
    cells = {t: [alone] * len(rounds) for t in range(1, teams + 1)}
    for r, pairs in enumerate(rounds):
        for first, second in pairs.split():
            cells[int(first)][r], cells[int(second)][r] = f"{second}w1", f"{first}b0"
    lines = [";".join((str(t), f"T{t}", *of_team)) for t, of_team in cells.items()]
    heads = ";".join(("No.", head, *(f"{r}.Rd" for r in range(1, 1 + len(rounds)))))
    return "".join(f"{line}\n" for line in (heads, *lines)).encode()


def of(content, options=None):
    return read_event(MemoryFile("x", content), options or Reading())


def byes(event):
    """Names of those with the bye, by round."""
    return {m.round: event.teams[m.team_a] for m in event.matches if m.bye == "pairing"}


@pytest.mark.parametrize(
    ("rounds", "expected", "gone"),
    [
        (LEAVES, {1: "T5"}, {"T4": 1}),
        (COMES_LATE, {3: "T3", 4: "T4"}, {}),
        (TWICE_BETWEEN, {1: "T5", 2: "T4", 3: "T2"}, {}),
    ],
)
def test_nobody_has_two_byes_in_any_form(rounds, expected, gone):
    of_teams = trf(rounds), table(rounds), table(rounds, alone="bye"), crosstable(rounds, "bye")
    heads = "round,white_player,black_player,result"
    of_players = (
        table(rounds, heads=heads), table(rounds, heads=heads, alone="spielfrei"),
        crosstable(rounds, "bye", "Name"), crosstable(rounds, "spielfrei", "Name"),
    )  # fmt: skip
    for content in (*of_teams, *of_players):
        event = of(content)
        assert byes(event) == expected, content.decode()
        assert {event.teams[t]: r for t, r in withdrawn(event).items()} == gone
        totals = event.frame("teams").set_index("team").match_points.to_dict()
        pays = 2 if event.individual else 1
        assert totals == {
            f"T{t}": 2 * sum(pair[0] == t for pairs in rounds for pair in pairs.split())
            + pays * [*expected.values()].count(f"T{t}")
            for t in "12345"
        }


def test_a_pairing_list_in_which_who_left_is_free_in_every_round():
    lines = []
    for r, pairs in enumerate(LEAVES, start=1):
        lines += [f"Round {r}", "Bo.;Name;Result;Name"]
        paired = {t for pair in pairs.split() for t in pair}
        lines += [f"1;T{a};1 - 0;T{b}" for a, b in pairs.split()]
        lines += [f"9;T{t};;spielfrei" for t in "12345" if t not in paired]
    event = of("".join(f"{line}\n" for line in lines).encode())
    assert byes(event) == {1: "T5"}
    assert [m.round for m in event.matches if m.bye == "zero"] == [2, 3, 4]


def test_who_left_is_not_paired_again_and_is_said():
    event = of(trf(LEAVES, "042 2026/05/01"))
    assert event.notes == (
        "not paired, with no match and no bye: round 2 T4, round 3 T4, round 4 T4",
        "no record of byes: teams without a match had the pairing bye, 1 MP and 0.5 GP (a drawn "
        "match, as at Olympiads): 1, round 1 T5",
    )
    assert [event.teams[t] for t in next_round(event.after(2)).absent] == ["T4"]
    (note,) = of(table(LEAVES)).notes
    assert "nobody has two byes: who leaves, comes late or had one is absent" in note
    assert "T4" in note and "3 times" not in note


def test_in_a_field_of_even_size_the_one_who_stays_has_the_bye():
    """6 left after round 1, so one of the others rests in every round, the last one, too."""
    event = of(trf(("12 34 56", "15 23", "13 25", "51 42"), teams=6))
    assert byes(event) == {2: "T4", 3: "T4", 4: "T3"} or byes(event) == {2: "T4", 4: "T3"}
    assert byes(event) == {2: "T4", 4: "T3"}  # 4 is alone in 2 and 3: one bye


def test_who_is_drawn_for_the_next_round_has_not_left():
    pairs = [player(t, f"P{t}", cells) for t, cells in {
        1: ["   2 w 1", "   5 w 1", "   4 w  "], 2: ["   1 b 0", "   3 b 0", "   5 w  "],
        3: ["   4 w 1", "   2 w 1"], 4: ["   3 b 0", "", "   1 b  "],
        5: ["", "   1 b 0", "   2 b  "],
    }.items()]  # fmt: skip
    event = of(text("012 Cup", *pairs, *(team(t, f"T{t}", t) for t in range(1, 6))).encode())
    assert event.rounds == 2 and byes(event) == {1: "T5", 2: "T4"}
    assert absent_rounds({(2, 3), (3, 3)}, 3, [3]) == set()
    assert absent_rounds({(2, 3), (3, 3)}, 3, [4]) == {(2, 3), (3, 3)}


@pytest.mark.parametrize("times", [1, 2])
def test_in_a_round_robin_everybody_is_free_once_a_cycle(times):
    free = ["T1", "T4", "T2", "T5", "T3"] * times
    for content in (trf(ROBIN * times), table(ROBIN * times)):
        event = of(content)
        assert usual_policy(event) == "face-value" and not byes(event)
        days = sorted((r, event.teams[team]) for team, r in free_rounds(event))
        assert days == [*enumerate(free, start=1)]


@pytest.mark.parametrize("kind", ["pairing", "full"])
def test_byes_that_the_file_names_stay(kind):
    heads = "round,team_a,team_b,score,bye"
    lines = [line + ("" if "1-0" in line else kind) for line in
             (f"{line}," for line in rows(LEAVES))]  # fmt: skip
    event = of("".join(f"{line}\n" for line in (heads, *lines)).encode())
    assert [m.bye for m in event.matches if m.team_b is None] == [kind] * 4 and kind in BYES


def test_a_strict_reader_refuses_two_byes(tmp_path):
    lines = [line.replace("1-0", "1,0,1") for line in rows(LEAVES)]
    lines = [line if line.endswith("1,0,1") else f"{line},," for line in lines]
    heads = "round,team_a,team_b,game_points_a,game_points_b,boards_decided"
    (tmp_path / "matches.csv").write_text("\n".join((heads, *lines)) + "\n")
    with pytest.raises(InputError, match=r"nobody has two byes.*T4 in round 2"):
        read_event(tmp_path, STRICT)
