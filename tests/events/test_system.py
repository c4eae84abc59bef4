"""What an event is: decided once, by what is said, by the whole file, by what was played."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from etcc import small
from helpers import ROOT
from player_samples import entry as filled
from trf_samples import player, text

import tb2learn
from tb2learn.chess import ORDERS
from tb2learn.chess.berger import is_table, round_robin
from tb2learn.cli import main
from tb2learn.events import Reading, rank, reading, usual_policy
from tb2learn.events.check import check
from tb2learn.events.files.read import read_event
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.files.write import convert
from tb2learn.events.kind import free_rounds, is_round_robin, withdrawn
from tb2learn.events.model import team_totals
from tb2learn.events.orders import read_criteria
from tb2learn.events.system import Meeting, System, said_system, system_of
from tb2learn.export.standings import rank_event
from tb2learn.types import InputError

LEAGUE = ROOT / "examples" / "league.csv"
FREE = Path(__file__).with_name("formats") / "files" / "free"


def entry(number, name, points, *cells):
    """A record 001 with empty rounds."""
    return filled(number, name, points, *(cell or " " * 8 for cell in cells))


def read(content, name="x.csv", options=None):
    return read_event(MemoryFile(name, content.encode()), options or Reading())


def first_rounds(rounds):
    """The first rounds of the league of the examples, as a file of their own."""
    head, *rows = LEAGUE.read_text().splitlines()
    return "\n".join([head, *(row for row in rows if int(row.split(",")[0]) <= rounds), ""])


PLAYERS = "white_player,black_player,result"


def rows_of(games, results=("3", "1")):
    """Rounds of pairs as a table of matches."""
    lines = [
        f"{r},{chr(65 + a)},{chr(65 + b)},{'-'.join(results)}"
        for r, pairs in enumerate(games, start=1)
        for a, b in pairs
    ]
    return "\n".join(("round,team_a,team_b,score", *lines, ""))


# ------------------------------------------------------------------------- a league under way


@pytest.mark.parametrize("rounds", [3, 4, 6])
def test_a_league_under_way_is_a_league(rounds):
    event = read(first_rounds(rounds))
    assert event.system.is_round_robin and event.system.origin == "guessed"
    assert usual_policy(event) == "face-value"
    assert (
        "taken for a round robin, by its rounds, which are the first ones of a Berger table"
        in (event.notes[0])
    )
    assert rank_event(event).line == "Unplayed rounds at face value: MPTS, GPTS, DE, EMMSB"


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_first_rounds_of_a_league_are_those_of_a_league(rounds):
    whole = read_event(LEAGUE)
    cut = whole.after(rounds)
    assert cut.system is whole.system and is_round_robin(cut)
    assert rank_event(cut).line == "Unplayed rounds at face value: MPTS, GPTS, DE, EMMSB"
    # Of the first rounds alone nobody can know it.
    assert is_round_robin(read(first_rounds(rounds))) == (rounds > 2)


def test_a_table_is_known_in_any_numbering_and_by_its_sides():
    rng = np.random.default_rng(4)
    for players, order in itertools.product((5, 6, 8, 9, 14), ORDERS):
        numbers = rng.permutation(players).tolist()
        games = [
            [(numbers[a], numbers[b]) for a, b in pairs]
            for pairs in round_robin(players, 1, order).games.tolist()
        ]
        for rounds in range(3, len(games) + 1):
            assert is_table(games[:rounds], players)
        # One pair with its sides exchanged: no table.
        turned = [[games[0][0][::-1], *games[0][1:]], *games[1:3]]
        assert not is_table(turned, players)
        # Rounds in another order are those of no table either.
        assert not is_table([games[1], games[0], *games[2:4]], players)
    assert not is_table([*games, games[0]], 14)


def test_rounds_by_lot_are_no_table():
    """Three rounds of eight teams, nobody twice: by chance once in 10,000 times."""
    rng, tables = np.random.default_rng(7), 0
    for _ in range(300):
        met, games = set(), []
        while len(games) < 3:
            pairs = rng.permutation(8).reshape(4, 2).tolist()
            if not met & {frozenset(pair) for pair in pairs}:
                met |= {frozenset(pair) for pair in pairs}
                games.append([tuple(pair) for pair in pairs])
        tables += is_table(games, 8)
    assert tables == 0


def test_half_of_the_pairs_are_a_sign_with_the_number_of_rounds_alone():
    """Four rounds of eight: 16 of 28 pairs, nobody twice, in no order of a table."""
    games = [round_robin(8).games.tolist()[r] for r in (5, 2, 0, 3)]
    table = rows_of(games)
    assert read(table).system == System("swiss") and read(table).notes == ()
    files = {"matches.csv": table.encode(), "event.csv": b"key,value\nrounds,7\n"}
    event = read_event(MemoryFile("tables", files), Reading())
    assert event.system.is_round_robin and event.system.origin == "guessed"
    assert "by its pairs and its number of rounds" in event.notes[0]
    # Who met again before everybody was met: no league of one cycle.
    again = [*games[:3], games[0]]
    files["matches.csv"] = rows_of(again).encode()
    assert not is_round_robin(read_event(MemoryFile("tables", files), Reading()))


# --------------------------------------------------------------------- what the file says first


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Team: Round-Robin", "round-robin"), ("FIDE_TEAM_ROUNDROBIN", "round-robin"),
        ("All-play-all", "round-robin"), ("Individual: Swiss-System (Dutch)", "swiss"),
        ("Schweizer System", "swiss"), ("CUSTOM_TEAM_SWISS_MP", "swiss"), ("Knock-Out", "cup"),
        ("Swiss, for the cup", "swiss"), ("Team", None), ("", None),
    ],
)  # fmt: skip
def test_names_of_systems(text, name):
    assert said_system(text) == name


ROBIN = (
    player(1, "A", ("", "   2 w 1", "   3 b =")), player(2, "B", ("   3 w 1", "   1 b 0")),
    player(3, "C", ("   2 b 0", "", "   1 w =")),
)  # fmt: skip
"""A round robin of three, without printed points."""


def test_the_file_says_what_it_is():
    pairs_alone = read(text("012 Three", *ROBIN), "x.trf")
    assert pairs_alone.system == System("round-robin", "played", 1)
    said = read(text("012 Three", "092 Individual: Round-Robin", *ROBIN), "x.trf")
    assert said.system == System("round-robin", "said", 1) and said.notes == ()
    swiss = read(text("012 Three", "092 Individual: Swiss-System", *ROBIN), "x.trf")
    assert swiss.system == System("swiss", "said", 1)
    # The code of the pairing system is newer than the type, which programs fill by default.
    # In an even field nobody is left over, and programs write Swiss by default.
    even = [[(0, 3), (1, 2)], [(3, 2), (0, 1)], [(1, 3), (2, 0)]]
    files = {"matches.csv": rows_of(even).encode(), "event.csv": b"key,value\ntype,Swiss-System\n"}
    event = read_event(MemoryFile("tables", files), Reading())
    assert event.system == System("round-robin", "played", 1)
    assert read_event(MemoryFile("t", files), reading(swiss=True)).system.name == "swiss"
    coded = read(
        text("012 Three", "092 Individual: Swiss-System", "192 FIDE_ROUNDROBIN", *ROBIN), "x.trf"
    )
    assert coded.system.is_round_robin
    # In a Swiss of three the bye is one, and pays; in a round robin nobody has one.
    assert [points / 2 for points, _ in team_totals(swiss)] == [2.5, 2.0, 1.5]
    for event in (pairs_alone, said, coded):
        assert event.matches == said.matches
        assert [points / 2 for points, _ in team_totals(event)] == [1.5, 1.0, 0.5]


def test_the_user_overrules_the_file():
    content = text("012 Three", "092 Individual: Swiss-System", *ROBIN)
    event = read(content, "x.trf", reading(round_robin=True))
    assert event.system == System("round-robin", "asked", 1)
    assert event.notes[0] == "read as a round robin, as was asked for: the file calls it otherwise"
    assert [points / 2 for points, _ in team_totals(event)] == [1.5, 1.0, 0.5]
    event = read(content.replace("Swiss-System", "Round-Robin"), "x.trf", reading(swiss=True))
    assert event.system.name == "swiss" and usual_policy(event) == "c07"
    with pytest.raises(InputError, match="not both"):
        reading(round_robin=True, swiss=True)
    event = tb2learn.load_event(LEAGUE, swiss=True)
    assert not is_round_robin(event) and not is_round_robin(event.after(2))
    assert is_round_robin(tb2learn.load_event("baku2016", round_robin=True))


def test_commands_take_what_the_event_is(tmp_path, capsys):
    path = tmp_path / "two.csv"
    path.write_text(first_rounds(2))

    def out(*arguments):
        status = main([*map(str, arguments)])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    assert "FIDE C.07" in out("rank", path)[1]
    assert "face value: MPTS, GPTS, DE, EMMSB" in out("rank", path, "--round-robin")[1]
    assert "EMMSB" in out("explain", path, "Lindau", "--round-robin")[1]
    assert "EMMSB" not in out("explain", LEAGUE, "Lindau", "--swiss")[1]
    assert out("pair", path, "--rule", "olympiad-2022")[0] == 0
    status, _, told = out("pair", path, "--rule", "olympiad-2022", "--round-robin")
    assert status == 2 and "its schedule says who meets whom: 'tb2learn schedule 8'" in told
    # In a Swiss a colour three times running is remarked on; tables of a league may have it.
    rutch = tmp_path / "rutch.csv"
    games = round_robin(8, 1, "rutch-berger").games.tolist()
    rutch.write_text(rows_of(games, ("1", "0")).replace("team_a,team_b,score", PLAYERS))
    assert "white three times in a row" in out("check", rutch, "--swiss")[1]
    assert "three times" not in out("check", rutch, "--round-robin")[1] + out("check", rutch)[1]
    rutch.write_text(rows_of(games[:4], ("1", "0")).replace("team_a,team_b,score", PLAYERS))
    for how, code in (("--round-robin", "ROUNDROBIN"), ("--swiss", "SWISS")):
        written = tmp_path / f"{code}.trf"
        assert out("convert", rutch, written, how)[0] == 0
        assert f"192 CUSTOM_{code}" in written.read_text()
        assert is_round_robin(read_event(written)) == (how == "--round-robin")
        assert out("convert", path, tmp_path / code, how)[0] == 0
        assert is_round_robin(read_event(tmp_path / code)) == (how == "--round-robin")
    status, _, told = out("rank", path, "--swiss", "--round-robin")
    assert status == 2 and "not both" in told


# ------------------------------------------------------------------------- cups, lists of matches


def test_a_cup_is_one_and_nobody_has_left_it():
    games = [[(0, 1), (2, 3), (4, 5), (6, 7)], [(0, 2), (4, 6)], [(0, 4), (2, 6)]]
    event = read(rows_of(games))
    assert event.system.name == "cup" and "taken for a cup" in event.notes[0]
    assert withdrawn(event) == {}
    # The second round of a Swiss that is entered match by match is no cup.
    assert read(rows_of(games[:2])).system.name == "swiss"
    # Nor is an event in which somebody comes back.
    games[2] = [(0, 4), (2, 7)]
    assert read(rows_of(games)).system.name == "swiss"


def test_matches_without_rounds_are_a_list_or_a_league():
    assert system_of([Meeting(0, 0, 1), Meeting(0, 2, 3)], 4) == System("matches")
    pairs = [Meeting(0, a, b) for a, b in itertools.combinations(range(4), 2)]
    assert system_of(pairs, 4) == System("round-robin", "played", 1)
    assert system_of(pairs * 2, 4).cycles == 2


def test_an_event_of_its_parts_is_what_its_matches_are():
    games = round_robin(6).games.tolist()
    event = small([[(a, b, 2, 2) for a, b in pairs] for pairs in games])
    assert event.decided_system is None and event.system == System("round-robin", "played", 1)
    assert event.after(1).system == event.system


# --------------------------------------------------------------------------------- free days

FREE_DAYS = {
    "rr5-trf16.trf": "Cavan 6 11, Elmira 5 7.5, Belfort 4 8.5, Arden 3 6, Dorval 2 7",
    "rr5-trf26.trf": "Cavan 6 11, Elmira 5 7.5, Belfort 4 8.5, Arden 3 6, Dorval 2 7",
    "league5-spielfrei.csv": "Elmira 6 10, Dorval 6 9.5, Belfort 5 9.5, Cavan 2 6, Arden 1 5",
    "league6-two-free.csv":
        "Arden 8 13, Dorval 6 11.5, Fulda 5 9.5, Elmira 4 9, Belfort 4 9, Cavan 3 8",
    "league7-bye.csv": "Arden 10 17.5, Cavan 9 14, Elmira 7 12.5, Dorval 6 12, Belfort 5 11, "
        "Fulda 3 8, Ghent 2 9",
    "players5-spielfrei.csv": "Eklund 7 3.5, Dietz 6 3, Adler 5 2.5, Bosko 2 1, Cerny 0 0",
    "crosstable-spielfrei.csv": "Arden 3 5, Belfort 3 4.5, Cavan 0 2.5",
}  # fmt: skip
"""Files of round robins with free days: match points and game points of all, by place."""


def table(event):
    totals = team_totals(event)
    ranking = rank_event(event).ranking
    rows = [(row.team, *totals[event.teams.index(row.team)]) for row in ranking.rows]
    return ", ".join(f"{team} {mp} {half / 2:g}" for team, mp, half in rows)


@pytest.mark.parametrize("name", FREE_DAYS)
def test_a_free_day_pays_nothing_and_is_not_played(name, tmp_path):
    event = read_event(FREE / name)
    assert table(event) == FREE_DAYS[name] and is_round_robin(event)
    assert not [m for m in event.matches if m.team_b is None] and not withdrawn(event)
    # Everybody has as many, and everybody without an opponent has one.
    rounds, teams = event.rounds, len(event.teams)
    days = free_rounds(event)
    assert len(days) == rounds * teams - 2 * len(event.matches)
    assert not check(event).findings
    assert rank_event(event).line.startswith("Unplayed rounds at face value")
    assert "not paired" not in " ".join(event.notes)
    for out in ("out", "out.trf"):
        if out == "out" or event.games:
            convert(FREE / name, tmp_path / out)
            assert table(read_event(tmp_path / out)) == FREE_DAYS[name]


@pytest.mark.parametrize("word", ["spielfrei", "bye", "exempt", "rest", "libre", ""])
@pytest.mark.parametrize("second", [True, False])
def test_words_for_a_free_day(word, second):
    content = (FREE / "league5-spielfrei.csv").read_text()
    if word and not second:
        lines = [
            f"{row[:2]}{word},{row[2:].split(',')[0]}," if "spielfrei" in row else row
            for row in content.splitlines()
        ]
        content = "\n".join((*lines, ""))
    event = read(content.replace("spielfrei", word))
    assert table(event) == FREE_DAYS["league5-spielfrei.csv"]


def test_rows_that_are_not_there_are_free_days_too():
    rows = (FREE / "league5-spielfrei.csv").read_text().splitlines()
    event = read("\n".join((*(row for row in rows if "spielfrei" not in row), "")))
    assert table(event) == FREE_DAYS["league5-spielfrei.csv"] and len(free_rounds(event)) == 5


def test_points_in_a_row_overrule_with_a_note():
    _, *rows = (FREE / "league5-spielfrei.csv").read_text().splitlines()
    paid = [f"{row}2,,1" if "spielfrei" in row else f"{row.replace('-', ',')}," for row in rows]
    head = "round,team_a,team_b,game_points_a,game_points_b,match_points_a"
    event = read("\n".join((head, *paid, "")))
    assert table(event).startswith("Elmira 7 12, Dorval 7 11.5, Belfort 6 11.5")
    note = "free days of a round robin pay points here, as its file or --bye-points says: "
    assert any(n == f"{note}round 1 Arden (1 MP, 2 GP) and 4 more" for n in rank_event(event).notes)


def test_printed_points_overrule():
    """The page of a league that paid its free days, by its own points."""
    content = (FREE / "crosstable-spielfrei.csv").read_text()
    for points, paid in (("3;5", "4;7"), ("3;4,5", "4;6,5"), ("0;2,5", "1;4,5")):
        content = content.replace(points, paid)
    event = read(content)
    assert table(event) == "Arden 4 7, Belfort 4 6.5, Cavan 1 4.5"
    assert any("free days" in note for note in rank_event(event).notes)


def test_the_user_may_pay_a_free_day():
    event = read_event(FREE / "league5-spielfrei.csv", reading(bye_points="2,3"))
    assert table(event).startswith("Elmira 8 13, Dorval 8 12.5")
    assert any("free days" in note for note in rank_event(event).notes)


RECORDS = {
    "162: what a bye pays": "162  W 1.0    D 0.5    L 0.0    P 1.0",
    "nothing": "",
}


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
@pytest.mark.parametrize("letter", ["", "0000 - U", "0000 - Z"])
def test_free_days_of_players_in_a_trf(record, letter):
    cells = [("", "2 w 1", "3 b ="), ("3 w 1", "1 b 0", ""), ("2 b 0", "", "1 w =")]
    players = [
        entry(n, name, points, *(cell or letter for cell in row))
        for n, (name, points, row) in enumerate(
            zip("ABC", (1.5, 1.0, 0.5), cells, strict=True), start=1
        )
    ]
    head = ("012 Three", "092 Individual: Round-Robin", *([record] if record else ()))
    event = read(text(*head, *players), "x.trf")
    assert [points / 2 for points, _ in team_totals(event)] == [1.5, 1.0, 0.5]
    assert not check(event).findings and len(free_rounds(event)) == 3


def test_record_320_says_who_is_free_and_may_pay():
    lines = (FREE / "rr5-trf26.trf").read_text()
    # Without points it says who is free, and nothing more.
    named = read(f"{lines}320            001 004 002 005 003\n", "x.trf")
    assert table(named) == FREE_DAYS["rr5-trf26.trf"] and not check(named).findings
    paid = read(f"{lines}320  1.0  2.0 001 004 002 005 003\n", "x.trf")
    assert table(paid).startswith("Cavan 7 13, Elmira 6 9.5")
    assert any("free days" in note for note in rank_event(paid).notes)


def test_an_absence_is_none_of_the_free_days():
    """Two of five did not meet: the third without an opponent in that round is free."""
    rows = (FREE / "league5-spielfrei.csv").read_text().splitlines()
    event = read("\n".join((*(row for row in rows if not row.startswith("3,Arden")), "")))
    assert is_round_robin(event) and event.system.origin == "guessed"
    days = {(r, event.teams[team]) for team, r in free_rounds(event)}
    assert sorted(days) == [
        (1, "Arden"), (2, "Dorval"), (3, "Belfort"), (4, "Elmira"), (5, "Cavan"),
    ]  # fmt: skip


def test_json_of_a_league_has_no_free_day(capsys):
    assert main(["rank", str(FREE / "players5-spielfrei.csv"), "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert rows[0]["player"] == "Eklund"
    event = read_event(FREE / "players5-spielfrei.csv")
    order = read_criteria(event, ["WON,REP"], lambda name: pytest.fail(name))
    scores = {row.team: row.scores for row in rank(event, order)}
    assert [*scores["Eklund"].values()] == [3, 4]
