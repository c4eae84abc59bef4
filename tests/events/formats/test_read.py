"""An event is read from wherever it is, known by what is in it."""

import os

import pytest

from tb2learn.events import read_event
from tb2learn.events.formats.write import convert
from tb2learn.types import InputError


def test_matches_csv_alone_stands_for_its_folder(folder):
    assert read_event(folder / "matches.csv") == read_event(folder)
    with pytest.raises(InputError, match=r"boards\.csv: line 3: match must be used once"):
        read_event(folder / "boards.csv")


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\x00" * 100, b"12 \n0123"])
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "a\nb.trf"
    path.write_bytes(content)
    with pytest.raises(InputError, match="must be a TRF, a PGN, a crosstable") as error:
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
