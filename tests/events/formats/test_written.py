"""Points and results as they are written in files, each with what it means."""

import pytest
from pgn_samples import game, read

from tb2learn.events.files.options import Reading, reading
from tb2learn.events.files.pgn import RESULTS
from tb2learn.events.files.scores import (
    half_points,
    is_open,
    match_scoring,
    parse_points,
    player_points,
    result_of,
    written_points,
)
from tb2learn.types import InputError


@pytest.mark.parametrize(
    ("text", "points"),
    [("3", 6), ("3.5", 7), ("3,5", 7), ("3.0", 6), ("3.50", 7), ("-1", -2), ("+1.5", 3), ("0.", 0),
     ("3.25", None), ("3.55", None), ("x", None), ("", None), ("10000", None), ("½", None)],
)  # fmt: skip
def test_points_in_half_points(text, points):
    assert half_points(text) == points


@pytest.mark.parametrize(
    ("text", "points"),
    [("½", 1), ("2½", 5), ("2 ½", 5), ("1/2", 1), ("2 1/2", 5), ("2.5", 5), ("2", 4), ("½½", None)],
)
def test_halves_that_are_written_as_such(text, points):
    assert written_points(text) == points


@pytest.mark.parametrize(
    ("text", "points", "played"),
    [
        ("1-0", (2, 0), True), ("0 : 1", (0, 2), True), ("1/2-1/2", (1, 1), True),
        ("1/2", (1, 1), True), ("½", (1, 1), True), ("=", (1, 1), True), ("=-=", (1, 1), True),
        ("½ - ½", (1, 1), True), ("0,5-0,5", (1, 1), True), ("remis", (1, 1), True),
        ("+/-", (2, 0), False), ("-:+", (0, 2), False), ("- - -", (0, 0), False),
        ("1-0F", (2, 0), False), ("0F - 1F", (0, 2), False), ("1k:0", (2, 0), False),
        ("2½ : 1½", (5, 3), True), ("6F - 0F", (12, 0), False), ("3,5\N{EN DASH}0,5", (7, 1), True),
    ],
)  # fmt: skip
def test_results(text, points, played):
    assert result_of(text) == (points, played)


@pytest.mark.parametrize("text", ["", "4:+", "+:+", "1", "a-b", "1-", "+:1", "100-0"])
def test_what_is_no_result(text):
    assert result_of(text) is None


def test_what_stands_in_place_of_a_result():
    for text in (
        "",
        "*",
        "-",
        ":",
        "\N{EN DASH}",
        "- -",
        "-:-",
        "?",
        "-?-",
        "postponed",
        "verlegt",
        "Adj.",
    ):
        assert is_open(text), text
    assert not any(map(is_open, ("0", "1-0", "=", "+", "x")))


def test_results_of_a_pgn():
    """A draw may be written `1/2`; both sides may lose; `*` is open."""
    assert RESULTS == {
        "1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "1/2": (1, 1), "½-½": (1, 1),
        "0-0": (0, 0), "*": None, "?": None, "1/2-0": (1, 0), "0-1/2": (0, 1), "½-0": (1, 0),
        "0-½": (0, 1),
    }  # fmt: skip
    for text in ("1/2", "½-½", "1/2-1/2"):
        (one,) = read(game(Result=text)).games
        assert (one.white_half_points, one.black_half_points, one.played) == (1, 1, True)


def test_points_of_a_user():
    assert reading(bye_points="1,2").bye_points == (1, 4)
    assert reading(bye_points=(0, 0.5)).bye_points == (0, 1)
    assert reading(bye_points="0.5").bye_points == (None, 1) == reading(bye_points=0.5).bye_points
    assert reading(match_points="3,1,0").match_points == (3, 1, 0)
    assert Reading(match_points=(3, 1, 0)).game_scoring == (6, 2, 0)
    assert Reading().game_scoring is None
    # Of a player the second number of a bye counts; match points have what is beyond a game.
    assert Reading(bye_points=(1, 1)).player_bye(2) == (1, 1)
    assert Reading().player_bye(2) == (2, 2) and player_points(6) == (6, 2)
    for wrong in ("0.5,1", "1,12.5", "12.5", "1,2,3", "-1,0", "25,0"):
        with pytest.raises(InputError, match="bye_points"):
            reading(bye_points=wrong)
    for wrong in ("1,2,0", "2,1,1.5", "10,1,0", "2,2,0", "2,1", "2,1,-1"):
        with pytest.raises(InputError, match="match_points"):
            reading(match_points=wrong)
    assert reading(bye_points="1,12").bye_points == (1, 24)
    assert match_scoring((4, 2, 2)) == (2, 1, 1) and match_scoring((18, 2, 0)) == (9, 1, 0)
    assert match_scoring((20, 2, 0)) is None and match_scoring((3, 2, 0)) is None
    assert parse_points("24,0", 2, "x", "y") == (48, 0)
