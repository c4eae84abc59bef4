"""Events in all forms: known by what is in them, written whole, nothing overwritten."""

import csv
import os
import re

import pytest

from tb2learn.events import Reading, read_event
from tb2learn.events.files import registry
from tb2learn.events.files.headings import FILES
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.files.write import convert
from tb2learn.text import guarded, tidy
from tb2learn.types import InputError


@pytest.mark.parametrize("name", ["out.TRF", "out.trfx", "out.txt"])
def test_the_suffix_says_the_form(folder, tmp_path, name):
    """TRF26 numbers its teams, TRF16 does not."""
    form = "trf16" if name == "out.txt" else None
    (path,), *_ = convert(folder, tmp_path / name, form)
    text = path.read_text()
    assert text.startswith("012 cup") and ("310 " in text) is (form is None)


@pytest.mark.parametrize("name", ["out.csv", "cup.2016"])
def test_a_suffix_that_says_nothing(folder, tmp_path, name):
    endings, forms = re.escape(registry.endings()), ", ".join(registry.forms())
    with pytest.raises(InputError, match=f"must end in {endings}, or have no suffix"):
        convert(folder, tmp_path / name)
    with pytest.raises(InputError, match=f"form must be one of {forms}, got 'xml'"):
        convert(folder, tmp_path / name, "xml")
    convert(folder, tmp_path / name, "csv")
    assert read_event(tmp_path / name).teams == ("A", "B", "C", "D")


def test_a_file_is_not_overwritten(folder, tmp_path):
    target = tmp_path / "out.trf"
    target.write_text("precious")
    with pytest.raises(InputError, match=r"out\.trf exists: give another name"):
        convert(folder, target)
    assert target.read_text() == "precious"
    convert(folder, target, overwrite=True)
    assert read_event(target).teams == ("A", "B", "C", "D")


@pytest.mark.parametrize("name", FILES)
def test_nothing_in_a_folder_is_overwritten(folder, tmp_path, name):
    """Nor do tables of the event that was there before stay."""
    target = tmp_path / "out"
    target.mkdir()
    (target / name).write_text("precious")
    (target / "other").write_text("kept")
    with pytest.raises(InputError, match=f"{name} exists: give another name"):
        convert(folder, target)
    assert {p.name: p.read_text() for p in target.iterdir()} == {name: "precious", "other": "kept"}
    paths, _, lost = convert(folder, target, overwrite=True)
    assert paths[-1] == target / "matches.csv" and lost == ()
    assert {p.name for p in target.iterdir()} == {*FILES, "other"} - {"penalties.csv"}
    assert read_event(target).matches == read_event(folder).matches
    assert (target / "other").read_text() == "kept"


def test_what_cannot_be_read_or_written_leaves_nothing(folder, tmp_path):
    (folder / "boards.csv").unlink()
    with pytest.raises(InputError, match="has no games and cannot be"):
        convert(folder, tmp_path / "out.trf")
    with pytest.raises(InputError, match="no such file or directory"):
        convert("no-such", tmp_path / "out")
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot be written"):
        convert(folder, tmp_path / "file" / "out.trf")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cup", "file"]


def test_matches_csv_alone_stands_for_its_folder(folder):
    assert read_event(folder / "matches.csv") == read_event(folder)
    with pytest.raises(InputError, match=r"boards\.csv: line 3: match must be used once"):
        read_event(folder / "boards.csv")


SEEMS = {
    "x.trf": (b" \n", "is empty"),
    "names.csv": (b"Bonn\nCelle\nAalen\n", "is a list without results: add the crosstable"),
    "y.trf": (b"hello\n", "must be a TRF, a PGN, a crosstable"),
    "z.trf": (b"\x00" * 100, "is not text, and no workbook"),
    "a.pdf": (b"%PDF-1.7\n", "is a PDF: export the crosstable or the TRF instead"),
    "a.doc": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old file of Word or Excel"),
    "a.rtf": (b"{\\rtf1 x}", "a text of Word"),
    "a.TUNX": (b"\x01\x02abc", "is a tournament of Swiss-Manager, which only that .*TRF16"),
    "a.json": (b'{"a": 1}', "is JSON"),
    "a.csv": (b"Runde;Foo;Bar\n1;A;B\n", "headings that are not known: 'Foo', 'Bar'"),
    "c.csv": (b"Kierros;Valkea;Musta\n1;A;B\n", "headings that are not known: 'Kierros', 'Valk"),
    "b.csv": (b"Rk.;Team;Pts.\n1;A;4\n2;B;2\n", "is a list of teams without results: add the"),
    "a.html": (b"<html><body><h1>Open</h1><p>x</p></body></html>", "has no table of an event"),
    "\na": (b"12 \n0123", "must be a TRF"),
}
"""Files that are none of an event, by name, and what is said of them."""


@pytest.mark.parametrize("name", SEEMS)
def test_a_file_that_is_none_of_an_event_is_named_for_what_it_seems(name):
    content, said = SEEMS[name]
    with pytest.raises(InputError, match=said) as error:
        read_event(MemoryFile(name, content), Reading())
    assert str(error.value).isprintable()


def test_a_name_that_is_no_text(folder, tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\n.pgn")
    (tmp_path / "x.pgn").write_text('[Round "1"]\n[WhiteTeam "A"]\n[BlackTeam "B"]\n[Result "1-0"]')
    os.rename(tmp_path / "x.pgn", path)
    event = read_event(path)
    assert event.name.isprintable()
    convert(path, tmp_path / "out")
    assert read_event(tmp_path / "out").name == event.name


OPEN = "round,white_player,black_player,result\n1,A,B,\n1,C,D,1-0\n2,D,A,0-1\n2,B,C,1-0\n"


def test_a_trf_has_open_games_and_names_open_matches_as_lost(tmp_path):
    (tmp_path / "games.csv").write_text(OPEN)
    (tmp_path / "matches.csv").write_text(
        "round,team_a,team_b,game_points_a,game_points_b\n1,A,B,,\n1,C,D,1,0\n"
    )
    (tmp_path / "players.csv").write_text("team,name\nA,a\nB,b\nC,c\nD,d\n")
    (tmp_path / "boards.csv").write_text(
        "round,match,white_team,black_team,result,white_player,black_player\n1,2,C,D,1-0,c,d\n"
    )
    for form in ("trf16", "trf26"):
        convert(tmp_path / "games.csv", tmp_path / f"{form}.trf", form)
        back = read_event(tmp_path / f"{form}.trf")
        assert back.open == read_event(tmp_path / "games.csv").open and len(back.matches) == 3
        _, _, lost = convert(tmp_path, tmp_path / f"{form}.txt", form)
        assert lost[0] == "matches without a result"


NAMES = (
    "=cmd|'/c calc'!A1", "'=1", "''@x", "+1+1", "-5", "'-5", "'t Hart", "\u2067=1", "\uff1d1+1",
    "A;=1", "B;'@x", "C; -2",
)  # fmt: skip


def test_no_cell_of_a_folder_is_a_formula(tmp_path):
    """A name that may be one has an apostrophe before it, which the reader takes off."""
    header = "round,team_a,team_b,game_points_a,game_points_b\n"
    rows = "".join(f'1,"{a}","{b}",2,2\n' for a, b in zip(NAMES[::2], NAMES[1::2], strict=True))
    names = {text: guarded(text) for text in NAMES}
    for text, safe in names.items():
        rows = rows.replace(f'"{text}"', f'"{safe}"')
    (tmp_path / "m.csv").write_text(header + rows, encoding="utf-8")
    event = read_event(tmp_path / "m.csv")
    names = {tidy(text): guarded(tidy(text)) for text in NAMES}
    assert event.teams == (*names,)
    convert(tmp_path / "m.csv", tmp_path / "out", "csv")
    assert read_event(tmp_path / "out").teams == (*names,)
    with (tmp_path / "out" / "teams.csv").open(encoding="utf-8", newline="") as stream:
        cells = [row[0] for row in csv.reader(stream)][1:]
    assert cells == [*names.values()]
    assert {cell for cell in cells if cell[0] in "=+-@"} == {"-5"}  # a number


@pytest.mark.parametrize("overwrite", [False, True])
def test_what_is_read_is_never_replaced(folder, tmp_path, overwrite):
    """A form may not hold all of it: neither the file, nor its folder, nor a second name of it."""
    (path,), *_ = convert(folder, tmp_path / "cup.trf")
    os.link(path, tmp_path / "hard.trf")
    before = {p.name: p.read_bytes() for p in [path, *folder.iterdir()]}
    for source, target in (
        (path, path), (path, tmp_path / "hard.trf"), (path, tmp_path / "cup" / ".." / "cup.trf"),
        (folder, folder), (folder / "matches.csv", folder),
    ):  # fmt: skip
        with pytest.raises(InputError, match="is read: give the output another name"):
            convert(source, target, overwrite=overwrite)
    assert {p.name: p.read_bytes() for p in [path, *folder.iterdir()]} == before
    convert(path, tmp_path / "second.trf")
    convert(path, tmp_path / "second.trf", overwrite=True)
