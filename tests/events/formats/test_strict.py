"""Whatever a forgiving reader assumes is said in a note, and a strict reader refuses it."""

import ast
import sys
from pathlib import Path

import pytest
from csv_samples import GOOD
from pgn_samples import PLAYERS, game
from trf_samples import SMALL, old_team, open_trf, player, text

from tb2learn.events.formats import fields
from tb2learn.events.formats.options import Reading
from tb2learn.events.formats.read import read_content
from tb2learn.events.formats.source import Held
from tb2learn.types import InputError

FILES = Path(__file__).with_name("files")


def trf(*pairs, of=None, more=()):
    """The small event, or another one, with texts replaced once, and with more records."""
    whole = text(*SMALL, *more) if of is None else of
    for old, new in pairs:
        assert old in whole, old
        whole = whole.replace(old, new, 1)
    return {"x.trf": whole.encode()}


def on_disk(name):
    return {name: (FILES / name).read_bytes()}


def table(name, content):
    return {"matches.csv": GOOD.encode(), name: content.encode()}


def games(*found):
    return {"x.pgn": "".join(found).encode()}


CLEAN = (FILES / "clean.trf").read_text("utf-8")
NO_BYE = text(
    player(1, "A", ["   2 w 1", "   3 b 1"]), player(2, "B", ["   1 b 0"]),
    player(3, "C", ["", "   1 w 0"]), *(old_team(name, n) for n, name in enumerate("TUV", 1)),
)  # fmt: skip
A_BOARD_LESS = text(
    player(1, "A", ["   3 w 1"]), player(2, "B", ["   4 b 1"]), player(3, "C", ["   1 b 0"]),
    player(4, "D", ["   2 w 0"]), player(5, "E", ["   6 w 1"]), player(6, "F", ["   5 b 0"]),
    old_team("T", 1, 2), old_team("U", 3, 4), old_team("V", 5), old_team("W", 6),
)  # fmt: skip
KINDS = {
    "not a rating": trf(("2000", "20x0")),
    "not a FIDE number": trf(("   1234567", "   12345x7")),
    "not a number of rounds": trf(("142 4", "142 x")),
    "a FIDE number twice": trf(
        ("Ada" + " " * 26 + "2000" + " " * 16, "Ada" + " " * 26 + "2000" + " " * 9 + "1234567")
    ),
    "a text too long": trf(more=("112 " + "x" * 300,)),
    "no name of a team": trf(("Bats", "    ")),
    "no name of a player": trf(("Bat  ", "     ")),
    "a member who is none": trf(("   4    5", "   4    5   77")),
    "a member twice": trf(("   4    5", "   4    5    4")),
    "no member of a team": trf(more=(player(99, "Guest", []),)),
    "fielded but not listed": trf(("   9   10   11   12", "   9   10   11     "), of=CLEAN),
    "not the colours of boards": trf(("352 WB", "352 WX")),
    "more boards than colours": trf(("352 WB", "352 W")),
    "a symbol for a half": trf(("   8 b =", "   8 b ½"), ("   1 w =", "   1 w ½")),
    "a symbol for no result": trf(("   1 b 0    17 w 1 ", "   1 b 0    17 w * "), of=CLEAN),
    "not a colour": trf(("   7 b D", "   7 x D")),
    "two of the same colour": trf(("   7 b D", "   7 w D")),
    "a game that one has": on_disk("one-sided.trf"),
    "fields in the wrong columns": on_disk("shifted.trf"),
    "names counted in bytes": on_disk("padded-by-bytes.trf"),
    "a point against nobody": trf(("0000 - Z", "0000 - 0")),
    "an opponent and no game": trf(
        ("   1 b 0    17 w 1 ", "   1 b 0    17 w Z "), ("    13 b 0 ", "    13 b Z "), of=CLEAN
    ),
    "a symbol without points": trf(("162  W 1.0    D 0.5    L 0.0    P 0.5", "162  W")),
    "other points of a player": trf((" 2.5    1", " 3.5    1")),
    "other totals of a team": on_disk("totals-differ.trf"),
    "members who rested": on_disk("resting-reserves.trf"),
    "a point in the points field": on_disk("point-in-the-field.trf"),
    "a board that is missing": trf(of=A_BOARD_LESS),
    "a bye of which nothing tells": trf(of=NO_BYE),
    "a bye in two records": trf(more=("240 H   1    5",)),
    "a bye worth too much": trf(("320  1.0  1.0", "320  1.0  2.5")),
    "a blank half-point bye": trf(of=open_trf(("0000 - H", "        "))),
    "a result after the last game": trf(of=open_trf(("   4 w =", "   4 w =  0000 - -"))),
    "byes that pay otherwise": trf(of=open_trf(("2.0    2", "1.5    2"), ("1.0    5", "0.5    5"))),
    "a mean rating that is none": table("teams.csv", "team,mean_rating_top4\nA,x\nB,\nC,\nD,\n"),
    "a word for a bye": {"matches.csv": GOOD.replace("2,2,B,D,1,2,3,0", "2,2,B,bye,,,,").encode()},
    "a match of nothing": {
        "matches.csv": b"round,team_a,team_b,game_points_a,game_points_b\n1,A,B,2,1\n1,C,D,0,0\n"
    },
    "headings": table("teams.csv", "team,Elo 1\nA,2000\nB,\nC,\nD,\n"),
    "not UTF-8": {"matches.csv": GOOD.replace("A", "\u00c4").encode("latin-1")},
    "a bye in a PGN": {"x.pgn": PLAYERS.encode()},
    "a FIDE number of two teams": games(game(WhiteFideId="7", BlackFideId="7")),
    "games without moves": games(game(moves="")),
    "rounds that number no matches": games(
        game(Round="1.1"), game("C", "D", Round="1.1", White="c", Black="d")
    ),
    "games of two events": games(game(), game("C", "D", Event="Other")),
    "a team without games in a round": games(game(), game("C", "D"), game(Round="2")),
    "a file that is cut": games(game(moves="1. e4 {[%clk")),
}  # fmt: skip


def read(files, strict):
    """The event of a file, or of the tables of a folder."""
    (name, data), *others = files.items()
    held = Held(name, data) if name != "matches.csv" else Held("folder", files)
    assert name == "matches.csv" or not others
    return read_content(held, Reading(strict=strict, form=name[-3:] if others == [] else ""))


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_assumed_is_said_and_refused_by_a_strict_reader(kind):
    assert read(KINDS[kind], strict=False).notes
    with pytest.raises(InputError) as error:
        read(KINDS[kind], strict=True)
    assert str(error.value).isprintable()


def test_every_assumption_of_the_readers_is_among_them(monkeypatch):
    """Where a reader of this package notes an oddity, one of the files above comes by."""
    folder, calls = Path(fields.__file__).parent, {}
    for path in (*folder.glob("*.py"), *(folder.parent / "files").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                of = ast.unparse(node.func.value)
                if node.func.attr in ("odd", "unclear") and of not in ("super()", "self.notes"):
                    calls[path.name, node.lineno] = node.end_lineno
    noted, odd = set(), fields.Notes.odd

    def remember(self, *arguments, **options):
        frame = sys._getframe(1)
        while frame and frame.f_code.co_name != "read_content":
            noted.add((Path(frame.f_code.co_filename).name, frame.f_lineno))
            frame = frame.f_back
        odd(self, *arguments, **options)

    monkeypatch.setattr(fields.Notes, "odd", remember)
    for files in KINDS.values():
        read(files, strict=False)
    missed = {
        (name, first)
        for (name, first), last in calls.items()
        if not any((name, line) in noted for line in range(first, last + 1))
    }
    assert missed == set()
