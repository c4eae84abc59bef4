"""FIDE's Tournament Report File: what is written, reads back, or is refused."""

import dataclasses
import re

import pytest
from trf_samples import SMALL, read, read_trf

from tb2learn.events.files.trf_write import write_trf
from tb2learn.types import InputError


def small():
    return read(*SMALL)


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
