"""Tie-breaks of individual events: names, the usual rule, and the working."""

import dataclasses

import pytest
from page_samples import round_robin
from player_samples import HELD, read

from tb2learn.catalogue import find_rule
from tb2learn.events import (
    explain,
    named_order,
    rank,
    round_robin_notes,
    usual_policy,
    usual_rule,
)
from tb2learn.events.criteria import Order
from tb2learn.events.formats.options import Reading
from tb2learn.events.formats.read import read_content
from tb2learn.events.formats.source import Held
from tb2learn.types import InputError


def finder(event):
    return lambda name: find_rule(name, event.rounds, 1)


def test_names_in_words_and_in_codes():
    event = read(*HELD)

    def names(text, round_robin=False):
        order = Order(event.rounds, 1, individual=True, round_robin=round_robin)
        return [one.name for one in order.listed(text, finder(event))]

    swiss = ["points", "direct", "buchholz-cut1", "buchholz", "sonneborn-berger", "wins",
             "black-wins"]  # fmt: skip
    assert names("fide") == names("PTS,DE,BH/C1,BH,SB,WIN,BWG") == swiss
    assert names("fide", True) == ["points", "direct", "wins", "sonneborn-berger", "koya"]
    assert names("points,BH/M1,fide")[:3] == ["points", "buchholz-median1", "direct"]
    assert [c.name for c in named_order(event, "formula", finder(event))] == [
        "points", "formula", *swiss[1:]
    ]  # fmt: skip
    for text in ("points,points", "points,"):
        with pytest.raises(InputError, match="different names separated by commas"):
            names(text)


def test_the_usual_rule_and_policy():
    event = read(*HELD)
    assert usual_rule(event) == "formula" and usual_policy(event) == "c07-2024"
    newer = dataclasses.replace(event, about={"start": "2026-03-01"})
    assert usual_policy(newer) == "c07" == usual_policy(dataclasses.replace(event, about={}))
    rows = rank(event, named_order(event, "formula", finder(event)))
    assert rows[0].team == "Bruno" and rows[0].scores["points"] == 4
    assert list(rows[0].scores)[1] == "formula"
    robin = read_content(Held("all.trf", round_robin()), Reading())
    assert (usual_rule(robin), usual_policy(robin)) == ("fide", "face-value")
    assert len(round_robin_notes(robin)) == 1


def test_the_working_of_a_player_is_in_points():
    event = read(*HELD)
    by = [find_rule(name, 5, 1) for name in ("buchholz-cut1", "deep-buchholz", "formula")]
    (working,) = explain(event, ["david"], by)
    assert working.mp == 3.5 and working.individual
    assert [item.opponent_mp for item in working.items] == [3, 3.5, 1.5, 3.5, 3.5]
    assert [item.gp for item in working.items] == [1, 0.5, 1, 0.5, 0.5]
    assert working.sums[0] == 11.5 and working.terms.points == "points"
    # Opal counts as 1.5 and an eighth of her Buchholz without David: (14 - 3.5) / 8.
    assert working.items[2].values[1] == pytest.approx(1.5 + (14 - 3.5) / 8)
    with pytest.raises(InputError, match=r"no player 'X' in"):
        explain(event, ["X"], by)
