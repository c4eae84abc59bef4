"""Files as other programs write them: the page gives the standings and notes of the library."""

import csv
import functools
import io
import zipfile
from pathlib import Path

import pytest
import trf_samples
from drop_samples import ranked
from helpers import tracked
from pgn_samples import game

from tb2learn.events import rank, read_event, reading
from tb2learn.events.formats.read import read_content
from tb2learn.events.formats.source import Held
from tb2learn.export.standings import ranking_csv
from tb2learn.tiebreaks.rules import formula_rule, product_table
from tb2learn.types import InputError

pytestmark = pytest.mark.usefixtures("silent")

FILES = Path(__file__).parents[1] / "events/formats/files"
POLICIES = ("baku2016", "fide2026", "c07", "c07-2024")


def content(name):
    return (FILES / name).read_bytes()


def changed(name, old, new):
    data = content(name)
    assert old.encode() in data
    return data.replace(old.encode(), new.encode(), 1)


def with_totals():
    """Totals of teams in records 802 instead of 310."""
    lines = [line[:54] + " " * 13 + line[67:] if line.startswith("310") else line
             for line in content("clean.trf").decode().splitlines()]  # fmt: skip
    return "\n".join([*lines, "802   1 ALP          6.0    7.0", "802   9 NO    1.0 1.0"]).encode()


def odd_squads():
    """A name twice, a team and a player without one, a member twice and one who is nobody."""
    player = trf_samples.player
    lines = ("012 " + "x" * 250, "352 WX",
             player(1, "A1", ["   3 w 1"]), player(2, "", ["   4 x ="]),
             player(3, "B1", ["   1 w 0"]), player(4, "B2", ["   2 b ="]),
             player(5, "Nobody", []), player(6, "C1", []),
             trf_samples.old_team("Same", 1, 2, 2), trf_samples.old_team("Same", 3, 4, 99),
             trf_samples.old_team("", 6))  # fmt: skip
    return trf_samples.text(*lines)


def pgn_in_utf_16():
    return "".join(
        f'[Round "1"]\n[White "W{b}"]\n[Black "B{b}"]\n[WhiteElo "x"]\n[WhiteTeam "Å"]\n'
        f'[BlackTeam "B"]\n[Result "1-0"]\n\n1. e4 1-0\n\n' for b in (1, 2)
    ).encode("utf-16")  # fmt: skip


def pgn_with_numbers():
    """Boards that are numbered, a FIDE number of two teams, one that is none."""
    odd = {"WhiteFideId": "7", "BlackFideId": "x", "BlackElo": "9999"}
    text = game(Board="2", **odd) + game("C", "D", Board="1", White="c", Black="d", **odd)
    return (text + game(Board="1", White="e", Black="f")).encode()


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


LEAGUE = {
    "event.csv": "key;value\nboards;3\nmatch_points;3, 1, 0\nbye_points;2,1.5\n",
    "teams.csv": "Mannschaft;Elo 1;elo_2;name_by;;\nAé;2000;x;unsure\nB;;2100,0\nC;1900\n;;;\n",
    "matches.csv": "Rd.;Heim;Gast;Brettpunkte 1;BP 2;MP1;'x';\n1;Aé;B;2½;1/2\n1;C;spielfrei\n"
    "2;B;C;1,5;1,5;\n2;Aé;BYE;;;1\n3;Aé;C;1 1/2;1.50\n4;Aé;B\n",
    "penalties.csv": "team,round,mp,game_points\nB,2,-1,-0.5\nC,,+1,\nB,9,-5,\n",
}
MADE = {
    "totals.trf": with_totals(),
    "sample.trf": trf_samples.text(*trf_samples.SMALL).encode(),
    "rested.trf": changed("resting-reserves.trf", "  17 w 1", "0000 - -").replace(
        b"   5 b 0", b"0000 - -", 1
    ),
    "utf16.pgn": pgn_in_utf_16(),
    "numbers.pgn": pgn_with_numbers(),
    "made.zip": zipped(LEAGUE),
    "one.zip": zipped({"x/clean.trf": content("clean.trf")}),
    "utf16.csv": content("tabs-french.csv").decode("utf-16").encode("utf-16-be"),
    "squads.trf": odd_squads().encode(),
    "latin.trf": content("clean.trf").replace(b"Alpha", b"Alph\xe4"),
}
REFUSED = {
    "individual.trf": content("individual.trf"),
    "x.pgn": b'[Event "x"]\n[Round "1"]\n[White "A"]\n[Result "1-0"]\n',
    "fits.trf": changed("resting-reserves.trf", "  17 w 1", "  17 w ="),
    "back.trf": changed("resting-reserves.trf", "  17 w 1", "  18 w 1"),
    "rival.trf": changed("resting-reserves.trf", "  18 b =", "  13 b ="),
    "result.trf": changed("resting-reserves.trf", "  17 w 1", "  17 w 5"),
    "falls.trf": changed("three-one-nought.trf", "TW 3.0", "TW 0.0"),
    "twice.csv": content("semicolons-german.csv") + b"5;Alpha;Delta;1;1;\n",
    "penalty.zip": zipped(LEAGUE | {"penalties.csv": "team,match_points\nB,1\n"}),
}
DIALECTS = [
    path.name
    for path in tracked("tests/events/formats/files/*")
    if path.suffix != ".md" and path.name not in REFUSED and "official" not in path.name
]


@functools.cache
def rule_of(rounds, boards):
    return product_table(rounds, boards)


def library(path):
    event = read_event(path)
    rule = rule_of(event.rounds, event.boards)
    return event, rule, [ranking_csv(rank(event, rule, unplayed=p)) for p in POLICIES]


def rows(text):
    return list(csv.reader(io.StringIO(text)))


@pytest.mark.parametrize("file", [*DIALECTS, *MADE])
def test_a_dialect_has_the_standings_and_notes_of_the_library(page_of, tmp_path, file):
    path = tmp_path / file
    path.write_bytes(MADE[file] if file in MADE else content(file))
    event, rule, expected = library(path)
    found = ranked(page_of(rule), {file: path.read_bytes()}, POLICIES)
    assert isinstance(found, list), found
    notes, texts = found
    assert notes == list(event.notes)
    for policy, text, standings in zip(POLICIES, texts, expected, strict=True):
        assert rows(text) == rows(standings), policy


@pytest.mark.parametrize("file", REFUSED)
def test_what_the_library_refuses_is_refused_by_name(page_of, tmp_path, file):
    path = tmp_path / file
    path.write_bytes(REFUSED[file])
    with pytest.raises(InputError):
        read_event(path)
    found = ranked(page_of(rule_of(5, 2)), {file: REFUSED[file]})
    assert isinstance(found, str) and found.startswith("refused: ") and "\n" not in found, found
    name = "penalties.csv" if file.endswith(".zip") else file
    assert name in found and ("line " in found or "individual" in found)


OPTIONS = {
    "strict": {"strict": True},
    "points": {"match_points": "3,1,0", "bye_points": "2, 1.5"},
    "trust": {"trust_points": True},
}


@pytest.mark.parametrize("option", OPTIONS)
def test_options_are_those_of_the_command_line(page_of, option):
    """Every file gives the standings and notes of the library, or is refused by both."""
    asked = OPTIONS[option]
    typed = {"strict": "strict", "trust_points": "trust", "match_points": "matchPoints",
             "bye_points": "byePoints"}  # fmt: skip
    sent = {typed[name]: value for name, value in asked.items()}
    names = {
        "strict": DIALECTS,
        "points": ["clean.trf", "three-one-nought.trf", "made.zip", "semicolons-german.csv",
                   "numbers.pgn", "team-swiss-manager.trf"],
        "trust": ["points-differ.trf", "totals-differ.trf", "point-in-the-field.trf"],
    }  # fmt: skip
    read, opened = 0, None
    for file in names[option]:
        data = MADE[file] if file in MADE else content(file)
        held = Held(file, data)
        try:
            event = read_content(held, reading(**asked))
        except InputError:
            event = None
        rule = opened or rule_of(5, 2)
        rule = rule_of(event.rounds, event.boards) if event else rule
        browser, opened = browser if rule is opened else page_of(rule), rule
        found = ranked(browser, {file: data}, ["c07"], **sent)
        if event is None:
            assert isinstance(found, str) and found.startswith("refused: "), (file, found)
            continue
        read += 1
        notes, (text,) = found
        assert notes == list(event.notes), file
        assert rows(text) == rows(ranking_csv(rank(event, rule, unplayed="c07"))), file
    assert read >= 2


def test_points_that_are_none_are_refused(page_of):
    browser, files = page_of(rule_of(5, 2)), {"clean.trf": content("clean.trf")}
    for sent in ({"matchPoints": "3,1"}, {"matchPoints": "0,1,2"}, {"byePoints": "1"},
                 {"byePoints": "1,nan"}, {"byePoints": "1,99"}):  # fmt: skip
        found = ranked(browser, files, **sent)
        assert found.startswith("refused: ") and " must be " in found and "got" in found, found


BOARDS = "round,match,board,white_team,black_team,result,white_player,black_fide_id,white_rating\n"
FOLDER = {
    "matches.csv": "round,match,team_a,team_b,game_points_a,game_points_b\n"
    "1,7,A,B,1.5,0.5\n1,8,C,,,\n2,1,B,C,1,1\n2,2,A,,,\n3,1,A,C,,\n",
    "players.csv": "team,name,fide_id,rating,title\nA,a,7,2000,GM\nA,aa,7,2100,\nB,b,8,1900,\n"
    "C,c,9,x,\n",
    "boards.csv": f"{BOARDS}1,7,,A,B,1-0,aa,8,x\n1,7,,B,A,1/2-1/2,,7,\n2,1,2,C,B,1/2-1/2,c,8,\n"
    "2,1,1,B,C,1/2-1/2,b,9,\n3,9,,A,C,1-0,,,\n",
}
WRONG = {
    "1,7,,A,B,1-0,aa,8,x": ("1,7,,A,B,0-1,aa,8,x", "add up to matches.csv (1.5-0.5)"),
    "1,7,,A,B": ("1,8,,A,B", "a match of round 1"),
    "2,1,2,C,B": ("2,1,1,C,B", "once in the match"),
    "1,7,,B,A": ("1,7,,C,A", "of the match"),
    "c,8,": ("a,8,", "a player of the team"),
    "b,9,": ("b,7,", "a player of the team"),
}


def test_players_and_boards_of_a_folder_are_read_as_the_library_does(page_of, tmp_path):
    """Ratings come from the players who sat on a board; boards must add up to the matches."""
    for name, text in FOLDER.items():
        (tmp_path / name).write_text(text)
    event, rule = read_event(tmp_path), rule_of(2, 2)
    browser, policies = page_of(rule), ["baku2016", "sivakasi"]
    files = {name: text.encode() for name, text in FOLDER.items()}
    notes, texts = ranked(browser, files, policies)
    assert notes == list(event.notes) and len(notes) == 4
    for policy, text in zip(policies, texts, strict=True):
        assert rows(text) == rows(ranking_csv(rank(event, rule, unplayed=policy)))
    for old, (new, said) in WRONG.items():
        text = FOLDER["boards.csv"].replace(old, new, 1)
        assert text != FOLDER["boards.csv"]
        (tmp_path / "boards.csv").write_text(text)
        with pytest.raises(InputError, match=r"boards\.csv: line \d"):
            read_event(tmp_path)
        found = ranked(browser, files | {"boards.csv": text.encode()})
        assert found.startswith("refused: boards.csv: line ") and said in found, found


def test_what_has_no_meaning_with_three_points_is_refused_by_name(page_of):
    files = {"three-one-nought.trf": content("three-one-nought.trf")}
    found = ranked(page_of(rule_of(5, 2)), files, ["aaso"])
    assert "The policy aaso is defined for matches that score 2, 1, 0, here they score 3, 1, 0" in (
        found
    )
    found = ranked(page_of(formula_rule("formula", 5, 2, 0.22, 0.05)), files)
    assert "The table formula is made for matches that score 2, 1, 0" in found
