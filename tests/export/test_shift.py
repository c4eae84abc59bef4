"""Points without a minus sign: the constant of an own MP changes no order within equal MP."""

from itertools import groupby

import numpy as np
import pytest

from tb2learn.catalogue import load_rule
from tb2learn.events import rank, read_event
from tb2learn.export.pencil_table import can_occur, shifted, shifts
from tb2learn.types import InputError


def test_what_can_occur_by_hand():
    """Two rounds on one board: a team on 1 MP drew a match and lost the other one."""
    possible = can_occur(2, 1)  # own MP, opponent's MP, half points
    won, drawn, lost = possible[1, :, 2], possible[1, :, 1], possible[1, :, 0]
    assert not won.any()
    assert drawn.tolist() == [False, True, True, True, False]
    assert lost.tolist() == [False, False, True, True, True]
    assert possible[4, :, 2].tolist() == [True, True, True, False, False]
    assert not possible[4, :, :2].any() and not possible[0, :, 1:].any()


@pytest.mark.parametrize("name", ["learned-180x11-pass1", "learned-38x9-pass1"])
def test_shifted_points_are_not_negative_and_par_is_round(name):
    rule = load_rule(name)
    beyond, shares = -rule.columns[0], 2 * rule.event_rounds + 1
    points = shifted(rule).points[0][:, beyond : beyond + shares]
    possible = can_occur(rule.event_rounds, rule.boards)
    assert points[possible].min() >= 0
    added = shifts(rule)
    assert (added % 100 == 0).all() and (added > 0).all()
    lowest = np.where(possible, points, 10**6).min(axis=(1, 2))
    assert (lowest < 100).all()  # no smaller constant would do


@pytest.mark.parametrize(
    ("name", "rounds"), [("learned-180x11-pass1", 11), ("learned-38x9-pass1", 9)]
)
def test_the_shift_changes_no_order_within_equal_match_points(name, rounds):
    """A real event, with byes, defaults and absences under the Olympiad's policy of 2016."""
    rule, played = load_rule(name), read_event("baku2016").after(rounds)
    plain, moved = rank(played, rule), rank(played, shifted(rule))
    assert [(row.place, row.team) for row in plain] == [(row.place, row.team) for row in moved]
    by_name = {row.team: row for row in moved}
    added = shifts(rule) * rule.event_rounds
    for mp, group in groupby(plain, key=lambda row: int(row.scores["mp"])):
        differences = {by_name[r.team].scores["tb2"] - r.scores["tb2"] for r in group}
        assert differences == {added[mp]}


def test_several_passes_are_not_shifted():
    with pytest.raises(InputError, match="has 3 passes: only one pass can be shifted"):
        shifts(load_rule("learned-38x9"))
