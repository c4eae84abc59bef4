"""Late byes and retirements, defaults and byes: what becomes of absences, by hand."""

import jax
import numpy as np
import pytest

from studies.absences import Absences, draw_presence, round_with_absences
from tb2learn.chess.event_format import EventFormat
from tb2learn.chess.round_kinds import RoundKind
from tb2learn.types import BYE

TEAMS, ROUNDS, BOARDS = 990, 6, 4
NOBODY_MISSES = {"no_show": 0.0, "half_bye": 0.0, "zero_bye": 0.0, "retire": 0.0}
draw = jax.jit(draw_presence, static_argnames="event")
play = jax.jit(round_with_absences, static_argnames="boards")


def presence(**chances):
    numbers = Absences(**{**NOBODY_MISSES, **chances}).numbers()
    drawn = draw(jax.random.key(5), numbers, event=EventFormat(TEAMS, ROUNDS, BOARDS))
    return np.asarray(drawn.planned), np.asarray(drawn.no_show), int(drawn.bye)


def test_no_half_point_byes_in_the_last_two_rounds():
    planned, no_show, bye = presence(half_bye=1.0)
    asked = planned == RoundKind.HALF_BYE
    assert asked.all(axis=1).tolist() == [True] * 4 + [False] * 2 and not no_show.any()
    assert (planned[4:] == RoundKind.PLAYED).all() and bye == 2 * BOARDS


def test_who_retires_leaves_after_any_round_but_the_last():
    """After 1 to 5 of 6 rounds, all as likely; the rounds after pay nothing."""
    planned, _, _ = presence(retire=1.0, half_bye=1.0, zero_bye=1.0)
    left = planned == RoundKind.NOT_PAIRED
    after = (~left).sum(axis=0)
    assert (np.diff(left.astype(int), axis=0) >= 0).all() and not left[0].any() and left[5].all()
    counts = np.bincount(after, minlength=7)
    assert counts[[0, 6]].tolist() == [0, 0]
    assert (abs(counts[1:6] - TEAMS / 5) < 4 * np.sqrt(TEAMS * 0.16)).all()
    # An announced absence goes before a half-point bye, for who is still there.
    assert (planned[~left] == RoundKind.ZERO_BYE).all()


def test_each_chance_is_that_of_its_absence():
    for name, kind in (("half_bye", RoundKind.HALF_BYE), ("zero_bye", RoundKind.ZERO_BYE)):
        planned, no_show, _ = presence(**{name: 0.25})
        seen = planned[:4]
        assert abs((seen == kind).mean() - 0.25) < 0.03 and not no_show.any()
        assert set(np.unique(seen).tolist()) == {int(RoundKind.PLAYED), int(kind)}
    planned, no_show, bye = presence(no_show=0.25, bye_points=1)
    assert (
        abs(no_show.mean() - 0.25) < 0.03 and (planned == RoundKind.PLAYED).all() and bye == BOARDS
    )
    left = presence(retire=0.25)[0][-1] == RoundKind.NOT_PAIRED
    assert abs(left.mean() - 0.25) < 0.06


def test_chances_are_bounds_of_16_bits():
    chances = Absences(0.5, 0.25, 0.0, 1.0, bye_points=1)
    assert chances.numbers().tolist() == [32768, 16384, 0, 65536, 1]
    assert Absences() == Absences(0.02, 0.02, 0.01, 0.05, 2)
    assert chances.times(0.5) == Absences(0.25, 0.125, 0.0, 0.5, bye_points=1)


# 0 meets 1, 2 meets 3 who does not appear, 4 and 5 both do not, 6 has the bye; 7 asked for half of
# the points, 8 is absent, 9 has left.
MEET = [1, 0, 3, 2, 5, 4, BYE, BYE, BYE, BYE]
PLANNED = [RoundKind.PLAYED] * 7 + [RoundKind.HALF_BYE, RoundKind.ZERO_BYE, RoundKind.NOT_PAIRED]
AWAY = [False, False, False, True, True, True, False, True, True, False]
IF_PLAYED = [5, 3, 4, 4, 6, 2, 0, 0, 0, 0]


@pytest.mark.parametrize("bye", [4, 8])
def test_what_becomes_of_a_round(bye):
    arrays = (np.array(values) for values in (PLANNED, AWAY, bye, MEET, IF_PLAYED))
    kinds, scored, met = play(*arrays, boards=4)
    assert kinds.tolist() == [
        RoundKind.PLAYED, RoundKind.PLAYED, RoundKind.WON_BY_DEFAULT, RoundKind.LOST_BY_DEFAULT,
        RoundKind.LOST_BY_DEFAULT, RoundKind.LOST_BY_DEFAULT, RoundKind.PAIRING_BYE,
        RoundKind.HALF_BYE, RoundKind.ZERO_BYE, RoundKind.NOT_PAIRED,
    ]  # fmt: skip
    assert scored.tolist() == [5, 3, 8, 0, 0, 0, bye, 4, 0, 0]
    # Who won by default or rested gets no bye any more; the others met nobody, that is themselves.
    assert met.tolist() == [1, 0, BYE, 3, 4, 5, BYE, 7, 8, 9]
