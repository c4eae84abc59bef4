"""Worked sums of teams, against plain Python and the thesis."""

from dataclasses import replace

import numpy as np
import pytest
from etcc import small
from event_samples import FORMULA, LEARNED, PRODUCT, explained

from studies.frames import load_table
from tb2learn.events import rank
from tb2learn.events.parts import OpenMatch
from tb2learn.export.working import who
from tb2learn.tiebreaks.rules import Rule, product_table
from tb2learn.tiebreaks.tables import TableRule
from tb2learn.types import InputError


def test_table_4_8_to_the_last_digit(baku):
    """Thesis, Table 4.8: opponents, products, what is dropped and the sums."""
    names = {"USA": "United States of America", "Ukraine": "Ukraine"}
    workings = explained(baku, list(names.values()), [PRODUCT])
    for short, working, total in zip(names, workings, (413.5, 404.5), strict=True):
        table = load_table("thesis", "table_4_8_usa_ukraine.csv")
        printed = table[table.team == short]
        assert [(i.round, i.opponent_mp, i.gp, i.values[0]) for i in working.items] == list(
            zip(printed["round"], printed.opp_mp, printed.gp, printed.old_tb2, strict=True)
        )
        assert working.sums == (total,) and working.mp == 20
        assert [i.round for i in working.items if i.left_out[0]] == [1]


def test_table_4_8_new_points_from_the_printed_surface(baku):
    """The printed surface as a lookup table gives the printed new sums, 452.6 and 455.5."""
    points = np.zeros((23, 23, 9), np.int32)
    for row in load_table("thesis", "table_4_9_surface_own20.csv").itertuples():
        points[20, row.opp_mp, round(2 * row.gp)] = round(1e4 * row.new_c)
    table = Rule("thesis", 11, 4, TableRule(points), unit=88 / 1e4)
    usa, ukraine = explained(baku, ["United States of America", "Ukraine"], [table])
    # The sums are printed with one digit and from rounded terms.
    assert usa.sums[0] == pytest.approx(452.6104) and round(usa.sums[0], 1) == 452.6
    assert ukraine.sums[0] == pytest.approx(455.4704) and abs(ukraine.sums[0] - 455.5) < 0.05
    assert [r.team for r in rank(baku, table)[:2]] == ["Ukraine", "United States of America"]


def test_unknown_team_suggests(baku):
    with pytest.raises(
        InputError,
        match=r"no team 'Norwey' in 42nd Chess Olympiad, Baku 2016; did you mean 'Norway'",
    ):
        explained(baku, ["Norwey"], [PRODUCT])
    with pytest.raises(InputError, match=r"did you mean 'United States of America'"):
        explained(baku, ["USA"], [PRODUCT])
    assert explained(baku, ["norway"], [PRODUCT])[0].team == "Norway"


@pytest.mark.parametrize("unplayed", ["baku2016", "fide2026", "face-value"])
def test_the_terms_of_every_pass_add_up_to_the_scores_of_the_ranking(baku, unplayed):
    """With cuts of every kind; what the terms are is computed anew from the exported words."""
    ranked = [
        {row.team: row.scores["tb2"] for row in rank(baku, rule, unplayed=unplayed)}
        for rule in (LEARNED, FORMULA)
    ]
    for working in explained(baku, baku.teams, [PRODUCT, LEARNED, FORMULA], unplayed=unplayed):
        assert working.rules == ("product", *(f"{rule} pass {n}" for rule in ("learned", "formula")
                                              for n in (1, 2, 3)))  # fmt: skip
        assert working.passes == (1, 1, 2, 3, 1, 2, 3)
        learned, formula = (of[working.team] for of in ranked)
        assert (working.sums[3], working.sums[6]) == (learned, formula)
        for number, total in enumerate(working.sums):
            kept = [one.values[number] for one in working.items if not one.left_out[number]]
            assert sum(kept) == pytest.approx(total, abs=1e-3)
    assert len(set(ranked[0].values())) > 100


def test_an_open_match_is_named_with_its_opponent():
    event = small([[(0, 1, 3, 1), (2, 3, 4, 0)], [(0, 2, 2, 2)]])
    event = replace(event, open=(OpenMatch(2, 2, 1, 3),))
    one, other = explained(event, ["B", "D"], [product_table(2, 2)])
    assert [item.who for item in one.items] == ["A", "D (open)"]
    assert who(other.items[1], "de") == "B (offen)"
