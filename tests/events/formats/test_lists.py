"""Lists of chess-results, with a crosstable or without: one event, or one line that says why."""

import io
import zipfile
from random import Random

import openpyxl
import pytest
from crosstable_samples import (
    BOARDS,
    GAMES,
    LINE_UPS,
    LISTS,
    MATCHES,
    MIRRORED,
    SQUARE,
    START,
    TEAMS,
    crosstable,
    facts,
    games,
    rounds_of_players,
    rounds_of_teams,
    start_list,
)
from helpers import slow_after

from tb2learn.events import read_event
from tb2learn.events.check import check, published_note
from tb2learn.events.formats.options import Reading
from tb2learn.events.formats.read import read_content
from tb2learn.events.formats.source import Held
from tb2learn.types import InputError


def read(*texts, **named):
    """The event of one text, or of a folder of several."""
    files = {f"list{number}.csv": text for number, text in enumerate(texts)} | named
    held = {name: text.encode() for name, text in files.items()}
    one = Held(*held.popitem()) if len(held) == 1 else Held("folder", held)
    return read_content(one, Reading())


def seats(event):
    """Games by names: round, board, and of either side team, player and half points."""
    names = {None: None} | {number: p.name for number, p in enumerate(event.players)}
    return sorted(
        (g.round, g.board, g.played,
         *((event.teams[s.team], names[s.player] or "", s.half_points) for s in g.sides))
        for g in event.games
    )  # fmt: skip


def test_games_of_rounds_with_a_start_list():
    event = read(GAMES, START)
    assert (event.name, event.individual, event.rounds) == ("Some Open", True, 2)
    assert [(p.name, p.title, p.rating, p.federation, p.fide_id) for p in event.players] == [
        ("Ace, Anna", "GM", 2400, "NOR", 1400001), ("Cat, Carl", "WFM", 2300, "GER", 0),
        ("Bat, Bela", "", 2100, "HUN", 0),
    ]  # fmt: skip
    assert facts(event) == [
        (1, "Ace, Anna", "Bat, Bela", 2, 0, "", False),
        (1, "Cat, Carl", "", 2, 0, "pairing", False),
        (2, "Bat, Bela", "", 0, 0, "zero", False),
        (2, "Cat, Carl", "Ace, Anna", 1, 1, "", False),
    ]
    assert event.notes == ()


def test_matches_of_rounds():
    event = read(MATCHES)
    assert (event.individual, event.boards, event.rounds) == (False, 4, 2)
    assert facts(event) == [
        (1, "Adler", "Bussard", 5, 3, "", False),
        (1, "Condor", "", 4, 0, "pairing", False),
        (2, "Bussard", "", 0, 0, "zero", False),
        (2, "Condor", "Adler", 8, 0, "", True),
    ]
    mirrored = read(MIRRORED)
    assert mirrored.teams == ("Herons", "Storks", "Falcons")
    assert facts(mirrored) == [
        (1, "Falcons", "Herons", 6, 2, "", False), (1, "Storks", "", 0, 0, "zero", False),
    ]  # fmt: skip


def test_boards_with_line_ups():
    event = read(BOARDS, LINE_UPS)
    assert event.teams == ("Herons", "Storks", "Falcons", "Terns")
    assert seats(event) == [
        (1, 1, False, ("Storks", "Eel, Eva", 2), ("Terns", "Fly, Flo", 0)),
        (1, 1, True, ("Falcons", "Ant, Ada", 2), ("Herons", "Bee, Bob", 0)),
        (1, 2, False, ("Terns", "Gnu, Gus", 2), ("Storks", "", 0)),
        (1, 2, True, ("Herons", "Dab, Dee", 1), ("Falcons", "Cod, Cid", 1)),
    ]
    ada = next(p for p in event.players if p.name == "Ant, Ada")
    assert (ada.title, ada.rating, ada.federation, ada.fide_id) == ("FM", 2210, "NOR", 1500001)
    assert "Rat, Ron" in [p.name for p in event.players]
    assert event.notes == (
        "boards have no colours: the first team has White on board 1, then in turn",
    )


def test_line_ups_give_a_crosstable_its_boards():
    table = "Rk.;Team;1.Rd\n1;Falcons;2b1½\n2;Herons;1w½\n"
    event = read(table, LINE_UPS)
    # The crosstable knows who had White on the first board.
    assert seats(event) == [
        (1, 1, True, ("Herons", "Bee, Bob", 0), ("Falcons", "Ant, Ada", 2)),
        (1, 2, True, ("Falcons", "Cod, Cid", 1), ("Herons", "Dab, Dee", 1)),
    ]
    assert event.notes[0] == (
        "boards of 1 matches follow from line-ups, as players sit in their order"
    )
    other = read(table, LINE_UPS.replace("HUN;0;½", "HUN;0;0"))
    assert not other.games and "boards of 0 matches" in other.notes[0]
    assert "those of 1 do not" in other.notes[0]


@pytest.mark.parametrize("seed", range(12))
def test_any_event_of_players_by_its_rounds(seed):
    """Rounds without a crosstable, beside it, and half of them beside an older one."""
    event = read(games(seed))
    rounds = range(1, event.rounds + 1)
    names = {one for f in facts(event) for one in f[1:3]}
    expected = {one for one in facts(event) if one[5] != "zero"}
    table, start = crosstable(event), start_list(event)
    for lists in (
        [rounds_of_players(event, rounds)],
        [*(rounds_of_players(event, [number]) for number in rounds), start],
        [rounds_of_players(event, rounds), table],
        [crosstable(event.after(max(1, event.rounds - 1))), start,
         rounds_of_players(event, rounds[-1:])],
    ):  # fmt: skip
        again = read(*lists)
        assert {one for one in facts(again) if one[5] != "zero"} == expected
        assert names <= {*again.teams, ""}
        if start in lists or table not in lists:
            assert [name for name in event.teams if name in again.teams] == list(again.teams)


@pytest.mark.thorough
def test_a_packaged_event_by_its_rounds(baku):
    event = baku.after(4)
    boards = read(rounds_of_teams(event, boards=True))
    assert facts(boards) == [f for f in facts(event) if f[5] != "zero"]
    seated = {one for one in seats(event) if all(side[1] for side in one[3:])}
    assert seated <= {*seats(boards)} and len(seats(boards)) == len(seats(event))
    both = [rounds_of_teams(event, boards=boards) for boards in (False, True)]
    assert seats(read(*both, crosstable(event, heads=("Rk.", "Team")))) == seats(boards)


def changed(text, old, new):
    assert old in text
    return text.replace(old, new, 1)


TABLE = """\
Rk.;Name;1.Rd;2.Rd;Pts.
1;Ace Anna;3w1; 2b½;1,5
2;Cat Carl;-1; 1w½;1,5
3;Bat Bela;1b0;-0;0
"""


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ((GAMES, changed(TABLE, "3w1", "3w½").replace("1b0", "1b½")),
         r"round 1: Ace Anna has 1-0 against Bat Bela with White \(list0\.csv: line 5\) but "
         r"0\.5-0\.5 against Bat Bela with White \(list1\.csv: line 2\)"),
        ((GAMES, changed(TABLE, "3w1", "3b1").replace("1b0", "1w0")), "with White .* with Black"),
        ((GAMES, changed(TABLE, "-1;", "-½;")), "no opponent and 1 .* but no opponent and 0.5"),
        ((GAMES, changed(TABLE, "-0;", "-1;")), r"Bat Bela has no opponent and 0 \(list0"),
        ((GAMES, changed(TABLE, "1b0;-0", "1b-;-0").replace("3w1", "3w+")), "by default"),
        ((GAMES, TABLE + "4;Dog Dora;-0;-0;0\n", changed(START, "Bat, Bela", "Bat, Bert")),
         r"Bat Bela is not in list2\.csv"),
        ((BOARDS, changed(BOARDS, "1 - 0\n", "0 - 1\n").replace("1½ : ½", "½ : 1½")),
         "Falcons has 1.5-0.5 against Herons .* but 0.5-1.5"),
        ((BOARDS, changed(BOARDS, "Bee, Bob", "Bug, Ben")), "1.5-0.5 .* but 1.5-0.5"),
        ((changed(BOARDS, "1½ : ½", "1 : 1"),), "boards of Falcons - Herons must add up to 1-1"),
        ((BOARDS, GAMES), "list1.csv is of players, list0.csv of teams"),
        ((changed(GAMES, "Round 1", "Round 3"),), "no list has round 1: add its pairings"),
        ((GAMES.replace("Round", "Day"),), "must have a line with the round above the pairings"),
        ((changed(GAMES, "1 - 0", "2 - 0"),), "result must be such as 1 - 0, ½ - ½ or .*'2 - 0'"),
        ((changed(MATCHES, "Bussard *)", "Adler"),), "Adler must have another opponent"),
        ((changed(MATCHES, "2½", "2x"),), "result must be game points such as"),
        ((changed(MATCHES, "nicht ausgelost", ""),), "must be a team, 'bye' or 'not paired'"),
        ((changed(BOARDS, "½ - ½", "½F - 0F"),), "result must be such as .*'½F - 0F'"),
        ((changed(BOARDS, "1.2", "1.1"),), "board must be 1..12, each once in the match"),
        ((BOARDS, LINE_UPS.replace("1. Falcons", "Falcons")), "a line with the team above its"),
        ((SQUARE, changed(MATCHES, "2\tBussard", "2\tX")), "X is not in list0.csv"),
        ((START,), "must have results: add the crosstable, or the pairings of all rounds"),
    ],
)  # fmt: skip
def test_lists_that_contradict_each_other_are_refused_by_their_names(lists, message):
    with pytest.raises(InputError, match=message) as error:
        read(*lists)
    assert str(error.value).isprintable() and len(str(error.value)) < 500


def test_an_open_board_is_an_unfinished_round():
    later = BOARDS.split("\n", 1)[1].replace("Round 1", "Round 2").replace("1 - 0", "")
    event = read(BOARDS + later)
    assert (event.rounds, len(event.games)) == (1, 4)
    assert event.notes[-1] == "round 2 is not finished: it and later ones are left out"


def test_two_of_one_name_are_told_apart_by_start_numbers():
    both = GAMES.replace("Bat, Bela", "Ace, Anna").replace("1;Ace, Anna", "1;Ace, Anna", 1)
    event = read(both, START.replace("Bat, Bela", "Ace, Anna"))
    assert event.teams == ("Ace, Anna (No. 1)", "Cat, Carl", "Ace, Anna (No. 3)")
    with pytest.raises(InputError, match="Ace Anna has start numbers 1 and 3 elsewhere: export"):
        read(both, TABLE)


def test_the_round_may_stand_in_the_name_of_the_file():
    first, second = GAMES.split("Round 2 on 2025/10/26 at 15:00;;;;;;;;;;;\n")
    first = first.replace("Round 1 on 2025/10/25 at 15:00", "Pairings")
    assert facts(read(**{"Round_1.csv": first, "rd-2.csv": second})) == facts(read(GAMES))


def test_printed_columns_are_compared_in_a_ranking_beside_rounds():
    ranking = (
        "Rk.;SNo;;Name;FED;Rtg;Pts.;TB1\n1;2;;Cat, Carl;GER;2300;1,5;1\n"
        "2;1;;Ace, Anna;NOR;2400;1,5;1\n3;3;;Bat, Bela;HUN;2100;1;0\n"
    )
    event = read(GAMES, ranking)
    assert event.published["place"] == ("2", "1", "3")
    assert [one.text for one in check(event).findings if one.kind == "points"] == [
        "Bat, Bela: Pts. is printed as 1, points is 0"
    ]
    assert "Pts. 2 of 3" in published_note(event)[0]
    # The columns of a crosstable come before those of a ranking.
    assert list(read(ranking, TABLE, GAMES).published) == ["place", "Pts."]


def files(*names):
    return {f"{name}.csv": LISTS[name].encode() for name in names}


def test_a_folder_an_archive_and_a_workbook(tmp_path):
    expected = facts(read(GAMES, START))
    for name, data in files("games", "start").items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "notes.txt").write_text("nothing")
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8")
    event = read_event(tmp_path)
    assert facts(event) == expected
    assert event.notes == ("left out, as none of the lists: notes.txt",)
    stream, book = io.BytesIO(), openpyxl.Workbook()
    book.active.title = "Rd 1-2"
    for sheet, text in ((book.active, GAMES), (book.create_sheet("Start"), START)):
        for line in text.split("\n"):
            sheet.append(line.split(";"))
    book.save(stream)
    assert facts(read_content(Held("x.xlsx", stream.getvalue()), Reading())) == expected
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a/games.csv", GAMES)
        archive.writestr("a/start.csv", START)
    assert facts(read_content(Held("x.zip", packed.getvalue()), Reading())) == expected
    (tmp_path / "book.xlsx").write_bytes(stream.getvalue())
    assert facts(read_event(tmp_path)) == expected
    with pytest.raises(InputError, match=r"must hold matches\.csv or lists of chess-results"):
        read_event(tmp_path, Reading(strict=True))
    assert facts(read_event(tmp_path, Reading(strict=True, form="crosstable"))) == expected


@pytest.mark.parametrize("seed", slow_after(6, range(20)))
def test_any_change_of_several_lists_is_an_event_or_one_line(seed):
    from format_samples import changed as mutant

    random = Random(seed)
    for _ in range(12):
        names = random.sample(list(LISTS), random.randint(2, 3))
        held = files(*names) | {"table": random.choice((TABLE, TEAMS, SQUARE)).encode()}
        name = random.choice(list(held))
        held[name] = mutant(held[name], random)
        try:
            event = read_content(Held("folder", held), Reading())
        except InputError as error:
            assert str(error).isprintable() and len(str(error)) <= 500
            continue
        assert all(note.isprintable() and len(note) <= 500 for note in event.notes)
