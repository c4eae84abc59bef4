"""Worked sums of teams, against plain Python and the thesis."""

import numpy as np
import pytest
import slow_oracle
from event_samples import FORMULA, LEARNED, PRODUCT

from tb2learn.data import load_table
from tb2learn.events import explain, rank
from tb2learn.events.rank import complete
from tb2learn.tiebreaks.rules import LookupTable
from tb2learn.types import BYE, InputError


def test_table_4_8_to_the_last_digit(baku):
    """Thesis, Table 4.8: opponents, products, what is dropped and the sums."""
    names = {"USA": "United States of America", "Ukraine": "Ukraine"}
    workings = explain(baku, list(names.values()), [PRODUCT])
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
    table = LookupTable("thesis", 11, 4, points, unit=88 / 1e4)
    usa, ukraine = explain(baku, ["United States of America", "Ukraine"], [table])
    # The sums are printed with one digit and from rounded terms.
    assert usa.sums[0] == pytest.approx(452.6104) and round(usa.sums[0], 1) == 452.6
    assert ukraine.sums[0] == pytest.approx(455.4704) and abs(ukraine.sums[0] - 455.5) < 0.05
    assert [r.team for r in rank(baku, table)[:2]] == ["Ukraine", "United States of America"]


def test_unknown_team_suggests(baku):
    with pytest.raises(InputError, match=r"no team 'Norwey' in baku2016; did you mean 'Norway'"):
        explain(baku, ["Norwey"], [PRODUCT])
    with pytest.raises(InputError, match=r"did you mean 'United States of America'"):
        explain(baku, ["USA"], [PRODUCT])
    assert explain(baku, ["norway"], [PRODUCT])[0].team == "Norway"


POLICIES_HELD = ("baku2016", "fide2026", "face-value")
"""Policies with cuts of the usual kind."""


class Slow:
    """Rules in passes and the formula, one team and round at a time, on what a policy gives.

    An item is `(round, opponent or None, match points it counts as, half points, first out)`.
    """

    def __init__(self, event, unplayed):
        completed = complete(event, unplayed)
        items, self.own = completed.items, completed.record.match_points.tolist()
        self.rounds, self.teams = event.rounds, range(len(event.teams))
        self.items = [
            [
                (
                    r,
                    None if items.opponent[t, r] == BYE else int(items.opponent[t, r]),
                    float(items.opponent_points[t, r]),
                    int(items.scored[t, r]),
                    bool(items.first_out[t, r]),
                )
                for r in range(event.rounds)
                if items.counted[t, r]
            ]
            for t in self.teams
        ]
        self.empty = items.empty

    def passes(self, tables):
        """Of every pass what opponents count as (tenths), and values, by team and round."""
        most, beyond = 5 * self.rounds // 2, (len(tables[0][0]) - 2 * self.rounds - 1) // 2
        kept, found, values = self.items, [], None
        for table in tables:
            before, values, counts = values, [{} for _ in self.teams], [{} for _ in self.teams]
            for t in self.teams:
                for r, other, points, half, _ in kept[t]:
                    count = int(np.floor(10 * points + 0.5))
                    if before is not None and other is not None:
                        others = sum(before[other].values()) - before[other].get(r, 0)
                        count += max(-most, min(most, slow_oracle.nearest(others, 10)))
                    counts[t][r] = count
                    if not self.empty[t, r]:
                        whole, tenths = divmod(count, 10)
                        row = table[self.own[t]]
                        low = row[whole + beyond][half]
                        high = row[whole + beyond + 1][half] if tenths else 0
                        value = (10 - tenths) * low + tenths * high
                        values[t][r] = slow_oracle.nearest(value, 10)
            found.append((counts, values))
        return found

    def formula(self, boards, a, k, passes):
        """Of every pass the values by team and round."""
        most, found = 2 * self.rounds / 8, []
        for number in range(passes):
            values = [{} for _ in self.teams]
            for t in self.teams:
                for r, other, points, half, _ in self.items[t]:
                    if self.empty[t, r]:
                        continue
                    if number and other is not None:
                        before = found[-1][other]
                        others = sum(before.values()) - before.get(r, 0.0)
                        points += max(-most, min(most, k * others))
                    share = 1 / (1 + 10 ** (-(self.own[t] - points) / a))
                    values[t][r] = half / 2 - boards * share
            found.append(values)
        return found


@pytest.fixture(scope="module", params=POLICIES_HELD)
def slow(request, baku):
    return request.param, Slow(baku, request.param)


def test_the_working_of_every_pass(baku, slow):
    """Values, who is left out, what opponents count as and the sums, team by team."""
    (unplayed, by_hand), rule = slow, LEARNED
    passes = by_hand.passes(rule.points.tolist())
    ranked = {row.team: row.scores["tb2"] for row in rank(baku, rule, unplayed=unplayed)}
    assert len(set(ranked.values())) > 100
    workings = explain(baku, baku.teams, [PRODUCT, rule], unplayed=unplayed)
    for team, working in enumerate(workings):
        assert working.rules == ("product", *(f"{rule.name} pass {n}" for n in (1, 2, 3)))
        assert working.rule_names == ("product", *[rule.name] * 3)
        assert working.passes == (1, 1, 2, 3)
        assert working.sums[-1] == ranked[working.team]
        for n, (counts, values) in enumerate(passes, start=1):
            assert working.sums[n] == sum(values[team].values())
            for item in working.items:
                r = item.round - 1
                assert item.left_out[n] == (r not in counts[team])
                if item.left_out[n]:
                    continue
                assert item.values[n] == values[team].get(r, 0)
                if item.counts_as[n] is not None:
                    assert item.counts_as[n] == counts[team][r] / 10
                elif not by_hand.empty[team, r]:  # then nobody is refined in this pass
                    assert 10 * item.opponent_mp == pytest.approx(counts[team][r], abs=1e-3)
        assert sum(item.left_out[3] for item in working.items) == rule.reduced


def test_the_working_of_the_formula(baku, slow):
    unplayed, by_hand = slow
    passes = by_hand.formula(4, FORMULA.a, FORMULA.k, 3)
    ranked = {row.team: row.scores["tb2"] for row in rank(baku, FORMULA, unplayed=unplayed)}
    for team, working in enumerate(explain(baku, baku.teams, [FORMULA], unplayed=unplayed)):
        assert working.rules == tuple(f"formula pass {n}" for n in (1, 2, 3))
        assert working.sums[-1] == ranked[working.team]
        for n, values in enumerate(passes):
            assert working.sums[n] == pytest.approx(sum(values[team].values()), abs=4e-4)
            for item in working.items:
                wanted = values[team].get(item.round - 1, 0)
                assert item.values[n] == pytest.approx(wanted, abs=2e-4)
