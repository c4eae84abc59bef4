"""Events in other forms: known by what is in them, written whole, nothing overwritten."""

import os

import pytest

from tb2learn.events import read_event
from tb2learn.events.formats.convert import FORMS, convert
from tb2learn.events.formats.csv_rows import FILES
from tb2learn.types import InputError

MATCHES = (
    "round,match,team_a,team_b,game_points_a,game_points_b,boards_decided,boards_forfeited\n"
    "1,1,A,B,1.5,0.5,2,0\n1,2,C,D,2,0,2,1\n"
)
BOARDS = (
    "round,match,board,white_team,black_team,result,status,white_player,black_player\n"
    "1,1,1,A,B,1-0,played,A1,B1\n1,1,2,B,A,1/2-1/2,played,B2,A2\n"
    "1,2,1,C,D,1-0,played,C1,D1\n1,2,2,D,C,0-1,forfeit,D2,C2\n"
)
PLAYERS = "team,name\nA,A1\nA,A2\nB,B1\nB,B2\nC,C1\nC,C2\nD,D1\nD,D2\n"


@pytest.fixture
def folder(tmp_path):
    """An event with everything: four teams, two boards."""
    path = tmp_path / "cup"
    path.mkdir()
    for name, text in {"matches": MATCHES, "boards": BOARDS, "players": PLAYERS}.items():
        (path / f"{name}.csv").write_text(text)
    return path


def scored(event):
    """Matches by the names of their teams, whichever is named first."""
    return {
        (
            m.round, m.boards_decided, m.boards_forfeited,
            frozenset([(event.teams[m.team_a], m.half_points_a, m.match_points[0]),
                       (event.teams[m.team_b], m.half_points_b, m.match_points[1])]),
        )
        for m in event.matches
    }  # fmt: skip


TARGETS = {"csv": "out", "trf16": "out.txt", "trf26": "out.trf", "pgn": "out.pgn"}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("through", FORMS)
def test_every_form_into_every_form(folder, tmp_path, through, form):
    convert(folder, tmp_path / TARGETS[through], through)
    target = tmp_path / "again" / TARGETS[form]
    paths, losses = convert(tmp_path / TARGETS[through], target, form)
    assert all(path.is_file() for path in paths) and all(map(str.isprintable, losses))
    event = read_event(target)
    assert scored(event) == scored(read_event(folder))
    assert len(event.games) == 4 and len(event.players) == 8
    assert [p for p in tmp_path.rglob("*") if p.name.endswith(".part")] == []


@pytest.mark.parametrize(
    ("name", "form", "begins"),
    [
        ("out.pgn", None, '[Event "cup"]'),
        ("out.PGN", None, '[Event "cup"]'),
        ("out.trf", None, "012 cup"),
        ("out.trfx", None, "012 cup"),
        ("out.txt", "trf16", "012 cup"),
        ("out.txt", "pgn", '[Event "cup"]'),
    ],
)
def test_the_suffix_says_the_form(folder, tmp_path, name, form, begins):
    paths, _ = convert(folder, tmp_path / name, form)
    assert paths == [tmp_path / name]
    text = paths[0].read_text()
    assert text.startswith(begins)
    if begins == "012 cup":
        assert ("310 " in text) is (form is None)  # TRF26 numbers its teams, TRF16 does not


def test_a_folder(folder, tmp_path):
    for target in (tmp_path / "new", tmp_path / "empty"):
        (tmp_path / "empty").mkdir(exist_ok=True)
        paths, losses = convert(folder, target)
        assert paths[-1] == target / "matches.csv" and losses == ()
        assert sorted(p.name for p in paths) == sorted(FILES)
        assert read_event(target).matches == read_event(folder).matches


@pytest.mark.parametrize("name", ["out.csv", "cup.2016", "out.txt"])
def test_a_suffix_that_says_nothing(folder, tmp_path, name):
    with pytest.raises(InputError, match=r"must end in \.trf, \.trfx, \.pgn or nothing"):
        convert(folder, tmp_path / name)
    convert(folder, tmp_path / name, "csv")
    assert read_event(tmp_path / name).teams == ("A", "B", "C", "D")


def test_no_such_form(folder, tmp_path):
    with pytest.raises(InputError, match="form must be one of csv, trf16, trf26, pgn, got 'xml'"):
        convert(folder, tmp_path / "out", "xml")


@pytest.mark.parametrize("name", ["out.pgn", "out.trf"])
def test_a_file_is_not_overwritten(folder, tmp_path, name):
    target = tmp_path / name
    target.write_text("precious")
    with pytest.raises(InputError, match=f"{name}: exists: give another name"):
        convert(folder, target)
    assert target.read_text() == "precious"
    convert(folder, target, overwrite=True)
    assert read_event(target).teams == ("A", "B", "C", "D")


@pytest.mark.parametrize("name", FILES)
def test_nothing_in_a_folder_is_overwritten(folder, tmp_path, name):
    target = tmp_path / "out"
    target.mkdir()
    (target / name).write_text("precious")
    (target / "other").write_text("kept")
    with pytest.raises(InputError, match=f"{name}: exists: give another name"):
        convert(folder, target)
    assert {p.name: p.read_text() for p in target.iterdir()} == {name: "precious", "other": "kept"}
    convert(folder, target, overwrite=True)
    assert read_event(target).teams == ("A", "B", "C", "D")
    assert (target / "other").read_text() == "kept"


def test_tables_of_another_event_do_not_stay(folder, tmp_path):
    convert(folder, tmp_path / "out")
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "matches.csv").write_text(MATCHES)
    convert(tmp_path / "small", tmp_path / "out", overwrite=True)
    assert not (tmp_path / "out" / "boards.csv").exists()
    assert read_event(tmp_path / "out").games == ()


def test_what_cannot_be_read_or_written_leaves_nothing(folder, tmp_path):
    (folder / "boards.csv").unlink()
    with pytest.raises(InputError, match="a PGN needs games"):
        convert(folder, tmp_path / "out.pgn")
    with pytest.raises(InputError, match="no such directory"):
        convert("no-such", tmp_path / "out")
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot be written"):
        convert(folder, tmp_path / "file" / "out.trf")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cup", "file"]


def test_notes_and_losses_are_returned(folder, tmp_path):
    (folder / "matches.csv").write_text(MATCHES + "2,1,A,C,,,,\n")
    _, losses = convert(folder, tmp_path / "out.pgn")
    assert losses[0] == "round 2 is not finished: it and later ones are left out"


# --------------------------------------------------------------------------- read_event


def test_files_are_known_by_what_is_in_them(folder, tmp_path):
    for form in FORMS[1:]:
        target = tmp_path / f"{form}.csv"
        convert(folder, target, form)
        assert read_event(target).teams == ("A", "B", "C", "D")
        assert read_event(str(target)).name == "cup"
        with_mark = tmp_path / f"{form}-mark"
        with_mark.write_bytes(b"\xef\xbb\xbf" + target.read_bytes())
        assert read_event(with_mark).teams == ("A", "B", "C", "D")
    pgn = (tmp_path / "pgn.csv").read_bytes()
    (tmp_path / "x").write_bytes(b"\n\r\n% [x]\n; y\n" + pgn)
    assert len(read_event(tmp_path / "x").games) == 4


def test_matches_csv_alone_stands_for_its_folder(folder):
    assert read_event(folder / "matches.csv") == read_event(folder)
    with pytest.raises(InputError, match=r"boards\.csv: must be a TRF, a PGN, or a folder with"):
        read_event(folder / "boards.csv")


@pytest.mark.parametrize("content", [b"", b"hello\n", b"PK\x03\x04", b"\x00" * 100, b"12 \n0123"])
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "a\nb.trf"
    path.write_bytes(content)
    with pytest.raises(InputError, match="must be a TRF, a PGN, or a folder with") as error:
        read_event(path)
    assert str(error.value).isprintable()


def test_a_name_that_is_no_text(folder, tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\n.pgn")
    (tmp_path / "x.pgn").write_text('[Round "1"]\n[WhiteTeam "A"]\n[BlackTeam "B"]\n[Result "1-0"]')
    os.rename(tmp_path / "x.pgn", path)
    event = read_event(path)
    assert event.name.isprintable()
    convert(path, tmp_path / "out")
    assert read_event(tmp_path / "out").name == event.name


def test_a_file_that_is_too_large(tmp_path):
    path = tmp_path / "huge.trf"
    with path.open("wb") as stream:
        stream.write(b"012 x\n")
        stream.truncate(1 << 40)  # a hole: it takes no space
    with pytest.raises(InputError, match=r"huge\.trf: must be at most 67108864 bytes"):
        read_event(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path):
    path = tmp_path / "x.pgn"
    path.write_text("[")
    path.chmod(0)
    with pytest.raises(InputError, match=r"x\.pgn: cannot be read: Permission denied"):
        read_event(path)


# --------------------------------------------------------------------------- folders


def test_more_game_points_than_boards_there_can_be(folder):
    (folder / "matches.csv").write_text(
        "round,team_a,team_b,game_points_a,game_points_b\n1,A,B,9,4\n"
    )
    (folder / "boards.csv").unlink()
    message = r"line 2: game_points_b must be such that both .* add up to at most 12, got '9 \+ 4'"
    with pytest.raises(InputError, match=message):
        read_event(folder)


def test_a_board_is_used_once_in_a_match(folder):
    (folder / "boards.csv").write_text(BOARDS.replace("1,1,2,", "1,1,1,"))
    with pytest.raises(InputError, match=r"line 3: board must be used once in the match, got '1'"):
        read_event(folder)


def test_a_team_of_very_many_players(tmp_path):
    pgn = "".join(
        f'[Round "{r}"]\n[White "W{r}.{b}"]\n[Black "B{r}.{b}"]\n'
        f'[WhiteElo "{2000 + 100 * b + r}"]\n'
        '[WhiteTeam "A"]\n[BlackTeam "B"]\n[Result "1-0"]\n\n'
        for r in range(1, 16)
        for b in range(12)
    )
    (tmp_path / "x.pgn").write_text(pgn)
    convert(tmp_path / "x.pgn", tmp_path / "out")
    event = read_event(tmp_path / "out")
    assert len(event.players) == 2 * 12 * 15
    assert event.ratings[0] == read_event(tmp_path / "x.pgn").ratings[0][:12]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["trf16", "trf26", "pgn"])
def test_baku_2016_through_every_form(tmp_path, form):
    event = read_event("baku2016")
    convert("baku2016", tmp_path / "out", form)
    convert(tmp_path / "out", tmp_path / "back", "csv")
    back = read_event(tmp_path / "back")
    assert scored(back) == scored(event) and len(back.games) == len(event.games)
