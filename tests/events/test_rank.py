"""Ranking real events: published places, worked sums, safe output."""

import csv
import dataclasses
import io
import json
import re

import numpy as np
import pytest
import slow_oracle
from helpers import random_surfaces

from tb2learn.data import load_table
from tb2learn.events import compare, explain, has_working, parse_criteria, rank, read_event
from tb2learn.events.rank import complete
from tb2learn.export import standings
from tb2learn.tiebreaks.rules import CLASSICS, LookupTable, classic, formula_rule, product_table
from tb2learn.training.tabulate import pass_table
from tb2learn.types import BYE, InputError

PRODUCT = product_table(11, 4)


@pytest.fixture(scope="module")
def baku():
    return read_event("baku2016")


def test_published_places(baku):
    """Places, match points and TB2 as published for Baku 2016 (open)."""
    rows = rank(baku, PRODUCT)
    top = [
        "United States of America",
        "Ukraine",
        "Russia",
        "India",
        "Norway",
        "Turkey",
        "Poland",
        "France",
        "England",
        "Peru",
        "Canada",
    ]
    assert [(r.place, r.team) for r in rows[:11]] == list(enumerate(top, start=1))
    assert [r.scores["mp"] for r in rows[:11]] == [20, 20, 18, *[16] * 7, 15]
    assert (rows[17].team, rows[36].team) == ("Greece", "Germany")
    tb2 = {r.team: r.scores["tb2"] for r in rows}
    assert tb2["United States of America"] == 413.5 and tb2["Ukraine"] == 404.5
    assert tb2["Norway"] == 344.5 and tb2["Turkey"] == 341.5
    assert sorted(tb2.values())[-4] == tb2["Canada"]  # fourth best TB2 of the event


def test_the_thesis_rule_for_the_weakest_puts_turkey_before_norway(baku):
    rows = rank(baku, PRODUCT, "fewest-game-points")
    assert [r.team for r in rows[4:6]] == ["Turkey", "Norway"]


def test_first_row_as_json(baku):
    rows = json.loads(standings.ranking_json(rank(baku, PRODUCT)))
    assert rows[0] == {
        "place": 1,
        "team": "United States of America",
        "mp": 20,
        "tb2": 413.5,
        "gp": 31.5,
        "tb4": 152,
    }
    assert isinstance(rows[2]["tb2"], int) and len(rows) == 176
    assert standings.ranking_csv(rank(baku, PRODUCT)).splitlines()[1] == (
        "1,United States of America,20,413.5,31.5,152"
    )


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
        assert [i.round for i in working.items if i.dropped[0]] == [1]


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


def make_event(tmp_path, rows):
    header = "round,team_a,team_b,game_points_a,game_points_b\n"
    (tmp_path / "matches.csv").write_text(header + rows, encoding="utf-8")
    return read_event(tmp_path)


def test_odd_event_with_byes_and_shared_places(tmp_path):
    event = make_event(tmp_path, "1,A,B,1,1\n1,C,,1,\n2,A,C,1,1\n2,B,,1,\n3,B,C,1,1\n3,A,,1,\n")
    rows = rank(event, product_table(3, 2))
    assert [(r.place, r.scores["mp"], r.scores["gp"]) for r in rows] == [(1, 3, 3.0)] * 3


def test_a_bye_is_left_out_first(tmp_path):
    """By hand: A beats B and C, who each score nothing against it, and has the bye in round 3."""
    event = make_event(tmp_path, "1,A,B,2,0\n1,C,,1,\n2,A,C,2,0\n2,B,,1,\n3,B,C,1,1\n3,A,,1,\n")
    table = product_table(3, 2)
    (working,) = explain(event, ["A"], [table])
    # Final MP: A 2 + 2 + 1 = 5, B 0 + 1 + 1 = 2, C 1 + 0 + 1 = 2. The bye's virtual opponent has
    # 4 + 1 = 5 MP: more than B and C, and yet it goes.
    assert [(i.who, i.opponent_mp, i.dropped[0]) for i in working.items] == [
        ("B", 2, False), ("C", 2, False), ("(bye)", 5, True),
    ]  # fmt: skip
    assert working.sums == (8.0,)
    row = rank(event, table)[0]
    assert (row.team, row.scores["mp"], row.scores["tb2"], row.scores["tb4"]) == ("A", 5, 8.0, 4)


def test_order_under_a_learned_table(tmp_path):
    event = make_event(tmp_path, "1,A,B,2,0\n1,C,D,1.5,0.5\n")
    points = np.zeros((3, 3, 5), np.int32)
    points[2, 0, 3] = 7  # C's narrow win is worth more than A's
    old, new = product_table(1, 2), LookupTable("new", 1, 2, points)
    # One round: the only opponent is the one left out, so both rules leave game points to decide.
    assert [r.team for r in rank(event, new)] == ["A", "C", "D", "B"]
    compared = compare(event, old, new)
    assert compared.movers == () and compared.first_place == ("A", "C")


def test_compare_counts_places(baku):
    upside_down = LookupTable("down", 11, 4, -PRODUCT.points)
    compared = compare(baku, PRODUCT, upside_down)
    assert compared.first_place == ("United States of America", "Ukraine")
    assert [t.up for t in compared.teams[:2]] == [-1, 1]
    assert sorted(t.new.place for t in compared.teams)[0] == 1
    ups = [abs(t.up) for t in compared.movers]
    assert ups == sorted(ups, reverse=True) and len(ups) == 10


def test_a_table_of_another_format_is_refused(baku):
    with pytest.raises(InputError, match="for 9 rounds, the event has 11"):
        rank(baku, product_table(9, 4))
    with pytest.raises(InputError, match="on 6 boards, the event has 4"):
        rank(baku, product_table(11, 6))


def test_names_that_differ_in_case_alone(tmp_path):
    event = make_event(tmp_path, "1,abc,ABC,2,0\n")
    workings = explain(event, ["abc", "ABC"], [product_table(1, 2)])
    assert [w.team for w in workings] == ["abc", "ABC"]


def test_sums_are_those_of_the_ranking(baku):
    """Also where the unit is no power of two, so that a sum of floats would round."""
    table = LookupTable("tenths", 11, 4, PRODUCT.points, unit=0.1)
    for row in rank(baku, table)[:20]:
        assert explain(baku, [row.team], [table])[0].sums == (row.scores["tb2"],)


def test_unknown_team_suggests(baku):
    with pytest.raises(InputError, match=r"no team 'Norwey' in baku2016; did you mean 'Norway'"):
        explain(baku, ["Norwey"], [PRODUCT])
    with pytest.raises(InputError, match=r"did you mean 'United States of America'"):
        explain(baku, ["USA"], [PRODUCT])
    assert explain(baku, ["norway"], [PRODUCT])[0].team == "Norway"


HOSTILE = ['=HYPERLINK("http://x")', "+1", "-1", "@SUM", "\u202eevil", "\x1b[2J", "<script>"]


def test_hostile_names_are_only_text(tmp_path):
    def quote(name):
        return '"' + name.replace('"', '""') + '"'

    rows = "".join(f"1,{quote(n)},opponent{i},2,0\n" for i, n in enumerate(HOSTILE))
    event = make_event(tmp_path, rows)
    table = product_table(1, 2)
    ranked = rank(event, table)
    assert {r.team for r in ranked} >= set(HOSTILE)  # kept as they are inside
    workings = explain(event, HOSTILE, [table])
    compared = compare(event, table, LookupTable("\x1b[2J\u202e", 1, 2, table.points))
    for shown in (
        standings.ranking_table(ranked),
        standings.working_text(workings),
        standings.comparison_text(compared),
    ):
        assert all(line.isprintable() for line in shown.splitlines())
    for shown in (
        standings.ranking_csv(ranked),
        standings.working_csv(workings),
        standings.comparison_csv(compared),
    ):
        for row in csv.reader(io.StringIO(shown)):
            # A cell that starts like a formula is a number or nothing.
            assert all(c[:1] not in "=+@\t\r" or c.lstrip("+-").isdigit() for c in row if c)
            assert all(c[:1] != "-" or c.lstrip("-").isdigit() for c in row)
    assert json.loads(standings.working_json(workings))[0]["team"] == HOSTILE[0]
    for form in (standings.ranking_csv, standings.ranking_json):
        assert form(ranked).replace("\n", "").isprintable()
    for shown in (standings.working_csv(workings), standings.working_json(workings)):
        assert shown.replace("\n", "").isprintable()


def test_working_forms_agree(baku):
    workings = explain(baku, ["Norway"], [PRODUCT])
    rows = list(csv.DictReader(io.StringIO(standings.working_csv(workings))))
    (content,) = json.loads(standings.working_json(workings))
    assert rows[-1]["value_product"] == "344.5" and content["tb2"] == {"product": 344.5}
    assert [r["opponent"] for r in rows[:-1]] == [o["opponent"] for o in content["opponents"]]
    (dropped,) = [o["opponent"] for o in content["opponents"] if o["dropped"]["product"]]
    assert dropped == "Bangladesh"
    assert "Bangladesh" in standings.working_text(workings)


# --- tables in passes and the formula -------------------------------------------------------------

LEARNED = pass_table(random_surfaces(3, rounds=11, boards=4), "learned")
REDUCED = dataclasses.replace(LEARNED, name="reduced", reduced=True)
FORMULA = formula_rule("formula", 11, 4, 5.7 / 22, 0.3 * 4 / 22)


POLICIES_HELD = ("baku2016", "fide2026", "drawself", "face-value", "fair-average")
"""Policies with whole results, and cuts of the usual kind."""


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

    def kept(self, reduced):
        """The items that are not left out."""
        if not reduced:
            return self.items
        kept = []
        for items in self.items:
            out = min(items, key=lambda i: (not i[4], i[2], i[3], i[0]))
            kept.append([item for item in items if item is not out])
        return kept

    def passes(self, tables, reduced):
        """Of every pass what opponents count as (tenths), and values, by team and round."""
        most, beyond = 5 * self.rounds // 2, (len(tables[0][0]) - 2 * self.rounds - 1) // 2
        kept, found, values = self.kept(reduced), [], None
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


@pytest.mark.parametrize("rule", [LEARNED, REDUCED], ids=lambda rule: rule.name)
def test_the_working_of_every_pass(baku, slow, rule):
    """Values, who is left out, what opponents count as and the sums, team by team."""
    unplayed, by_hand = slow
    passes = by_hand.passes(rule.points.tolist(), rule.reduced)
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
                assert item.dropped[n] == (r not in counts[team])
                if item.dropped[n]:
                    continue
                assert item.values[n] == values[team].get(r, 0)
                if item.counts_as[n] is not None:
                    assert item.counts_as[n] == counts[team][r] / 10
                elif not by_hand.empty[team, r]:  # then nobody is refined in this pass
                    assert 10 * item.opponent_mp == pytest.approx(counts[team][r], abs=1e-3)
        assert sum(item.dropped[3] for item in working.items) == rule.reduced


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


def test_order_is_match_points_then_tb2(baku):
    for rule in (LEARNED, FORMULA):
        rows = rank(baku, rule)
        keys = [
            (-r.scores["mp"], -r.scores["tb2"], -r.scores["gp"], -r.scores["tb4"]) for r in rows
        ]
        assert keys == sorted(keys)
        old = [row.team for row in rank(baku, PRODUCT)]
        assert [row.team for row in rows] != old


def test_an_opponent_counts_as_its_match_points_and_its_other_matches(baku):
    """From the printed working alone: of both teams of a match."""
    both = explain(baku, baku.teams, [LEARNED])
    working = {w.team: w for w in both}
    checked = 0
    for mine in both:
        for item in mine.items:
            if item.kind != "played":
                continue
            theirs = working[item.opponent]
            against_me = theirs.items[item.round - 1]
            assert against_me.opponent == mine.team
            for n in (1, 2):
                others = theirs.sums[n - 1] - against_me.values[n - 1]
                refined = max(-2.7, min(2.7, np.floor(others / 10 + 0.5) / 10))
                assert item.counts_as[n] == pytest.approx(theirs.mp + refined)
                checked += 1
    assert checked > 3000


def test_workings_in_passes_in_every_form(baku):
    names = ["Norway", "Turkey"]
    workings = explain(baku, names, [PRODUCT, LEARNED, FORMULA])
    columns = ["product", *(f"{n} pass {i}" for n in ("learned", "formula") for i in (1, 2, 3))]
    rows = list(csv.DictReader(io.StringIO(standings.working_csv(workings))))
    content = json.loads(standings.working_json(workings))
    shown = standings.working_text(workings)
    for name, working, team in zip(names, workings, content, strict=True):
        *of_team, total = [row for row in rows if row["team"] == name]
        assert list(team["tb2"]) == columns
        for n, column in enumerate(columns):
            assert float(total[f"value_{column}"]) == team["tb2"][column] == working.sums[n]
            assert f"{column} {standings.number(working.sums[n])}" in shown
            for row, opponent, item in zip(of_team, team["opponents"], working.items, strict=True):
                counts_as = item.counts_as[n]
                counts_as = item.opponent_mp if counts_as is None else counts_as
                assert float(row[f"counts_as_{column}"]) == opponent["counts_as"][column]
                assert opponent["counts_as"][column] == counts_as
                assert float(row[f"value_{column}"]) == opponent["values"][column]
    # Only passes after the first show what an opponent counts as, in tenths.
    header = next(line for line in shown.splitlines() if line.startswith("round"))
    assert header.count("counts as") == 4
    assert re.search(r"\b\d+\.\d\b", shown)


def test_classic_rules_rank_and_sums_alone_are_explained(baku):
    names = [*(set(CLASSICS) - {"sonneborn-berger", "blacks"}), "buchholz-cut1"]
    rows = {name: rank(baku, classic(name, 11, 4)) for name in names}
    assert all(row.scores["tb2"] == row.scores["gp"] for row in rows["game-points"])
    assert all(row.scores["tb2"] == row.scores["tb4"] for row in rows["buchholz-cut1"])
    sums = {"emmsb", "emgsb", "egmsb", "eggsb", "buchholz", "buchholz-gp", "buchholz-cut1", "koya",
            "bruno"}  # fmt: skip
    for name in names:
        rule = classic(name, 11, 4)
        assert has_working(rule) == (name in sums)
        if name in sums:
            continue
        with pytest.raises(InputError, match=f"{name} is not a sum over opponents"):
            explain(baku, ["Norway"], [rule])
    with pytest.raises(InputError, match="for 9 rounds, the event has 11"):
        rank(baku, classic("row-sum", 9, 4))


def test_what_an_event_does_not_say_is_refused(baku, tmp_path):
    with pytest.raises(InputError, match="colours"):
        rank(baku, classic("blacks", 11, 4))
    event = make_event(tmp_path, "1,A,B,2,0\n1,C,D,1.5,0.5\n")
    with pytest.raises(InputError, match="ratings"):
        rank(event, classic("aro", 1, 2))


def test_direct_encounter_is_among_those_tied_so_far(tmp_path):
    """By hand: A, B, C have 4 MP each; of B and C, equal on game points too, B beat C."""
    event = make_event(
        tmp_path,
        "1,A,B,2,0\n1,C,D,1.5,0.5\n2,C,A,1.5,0.5\n2,B,D,2,0\n3,B,C,1.5,0.5\n3,A,D,2,0\n",
    )

    # GP: A 2 + .5 + 2 = 4.5, B 0 + 2 + 1.5 = 3.5, C 1.5 + 1.5 + .5 = 3.5. Among all three each has
    # won once, so direct encounter first decides nothing; after game points it decides B and C.
    def find(name):
        return classic(name, 3, 2)

    rows = rank(event, parse_criteria("mp,gp,direct", find))
    assert [(r.place, r.team, r.scores["direct"]) for r in rows[:3]] == [
        (1, "A", 0), (2, "B", 2), (3, "C", 0),
    ]  # fmt: skip
    rows = rank(event, parse_criteria("mp,direct", find))
    assert [(r.place, r.scores["direct"]) for r in rows[:3]] == [(1, 2)] * 3


def test_hostile_names_under_tables_in_passes(tmp_path):
    def quote(name):
        return '"' + name.replace('"', '""') + '"'

    rows = "".join(f"1,{quote(n)},opponent{i},2,0\n" for i, n in enumerate(HOSTILE))
    event = make_event(tmp_path, rows)
    table = pass_table(random_surfaces(2, rounds=1, boards=2), "\x1b[2J=1+1")
    formula = formula_rule("@formula", 1, 2, 0.3, 0.1)
    workings = explain(event, HOSTILE, [table, formula])
    assert [w.team for w in workings] == HOSTILE
    assert all(line.isprintable() for line in standings.working_text(workings).splitlines())
    shown = standings.working_csv(workings)
    assert shown.replace("\n", "").isprintable()
    for row in csv.reader(io.StringIO(shown)):
        assert all(cell[:1] not in "=+@\t\r" for cell in row if cell)
        assert all(cell[:1] != "-" or re.fullmatch(r"-[\d.]+", cell) for cell in row)
    compared = compare(event, table, formula)
    assert all(line.isprintable() for line in standings.comparison_text(compared).splitlines())
