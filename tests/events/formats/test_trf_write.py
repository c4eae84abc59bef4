"""FIDE's Tournament Report File: what is written, reads back, or is refused."""

import dataclasses
import re
import time

import pytest
from format_samples import says
from trf_samples import SMALL, read

from tb2learn.events.files.trf import read_trf
from tb2learn.events.files.trf_write import write_trf
from tb2learn.events.formats.csv_folder import read_folder
from tb2learn.events.formats.csv_write import folder_files
from tb2learn.events.formats.options import Reading
from tb2learn.types import InputError


@pytest.mark.thorough
@pytest.mark.parametrize("version", [2016, 2026])
def test_baku_goes_to_trf_and_back_to_a_folder(baku, version, tmp_path):
    content = write_trf(baku, version)
    assert re.fullmatch(r"(?:[^\r\n]+\r\n)+", content)
    start = time.process_time()
    # A TRF16 does not tell a board that both lost from one that is missing.
    back = read_trf(content.encode(), "baku2016.trf", Reading(strict=version == 2026))
    back = dataclasses.replace(back, notes=())
    assert time.process_time() - start < 5  # well under a second; beartype checks every call here
    assert says(back) == says(baku)
    for name, table in folder_files(back).items():
        (tmp_path / name).write_text(table, encoding="utf-8")
    folder = read_folder(tmp_path, "x")
    assert folder == dataclasses.replace(back, left_alone=()) and says(folder) == says(baku)


# ---------------------------------------------------------------------------- what is refused


def small():
    return read(*SMALL)


def test_nothing_is_invented_for_an_event_without_games(baku):
    for field in ("games", "players"):
        with pytest.raises(InputError, match="has no games and cannot be written as TRF"):
            write_trf(dataclasses.replace(baku, **{field: ()}), 2026)


def test_more_than_the_columns_hold(baku):
    event = dataclasses.replace(small(), players=baku.players * 12)
    with pytest.raises(InputError, match="TRF of 2016 stores at most 9999 players, 'Small Cup'"):
        write_trf(event, 2016)
    teams = tuple(f"T{i}" for i in range(1000))
    event = dataclasses.replace(small(), teams=teams, ratings=((),) * 1000)
    with pytest.raises(
        InputError, match="TRF of 2026 stores at most 999 teams, 'Small Cup' has 1000"
    ):
        write_trf(event, 2026)
    assert len(read_trf(write_trf(event, 2016).encode(), "x").teams) == 1000
    for field, number in (("rounds", 41), ("boards", 13)):
        with pytest.raises(InputError, match=f"stores at most {number - 1} {field}"):
            write_trf(dataclasses.replace(small(), **{field: number}), 2026)


def test_games_that_trf_cannot_hold():
    def with_game(**changes):
        games = (dataclasses.replace(small().games[0], **changes), *small().games[1:])
        return dataclasses.replace(small(), games=games)

    for changes, message in (
        ({"white": None}, "board 1 of 'Small Cup': TRF needs both players of a game, and one is"),
        ({"played": False, "white_half_points": 1, "black_half_points": 1},
         "round 1, match 1, board 1 of 'Small Cup': TRF cannot store a draw without a game"),
        ({"white": 2}, "TRF stores one game per player and round, 'Art' has two in round 1"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=re.escape(message)):
            write_trf(with_game(**changes), 2026)
    without = tuple(g for g in small().games if (g.round, g.match) != (1, 1))
    with pytest.raises(
        InputError, match="round 1, match 1 of 'Small Cup': TRF needs the games of a"
    ):
        write_trf(dataclasses.replace(small(), games=without), 2026)


def test_what_its_columns_do_not_hold_is_cut():
    event = small()
    first = dataclasses.replace(event.players[0], name="N" * 40, title="Arbiter")
    odd = dataclasses.replace(
        event, players=(first, *event.players[1:]), about={"mode": "x", "city": "a\nb"},
        teams=("A" * 40, *event.teams[1:]),
    )  # fmt: skip
    content = write_trf(odd, 2026)
    assert "022 a b\r\n" in content
    back = read_trf(content.encode(), "x")
    assert (back.teams[0], back.players[0].name) == ("A" * 32, "N" * 33)
