"""Ranking real events: published places, worked sums, safe output."""

import csv
import io
import json

import numpy as np
import pytest

from tb2learn.data import read_table
from tb2learn.events import compare, explain, rank, read_event
from tb2learn.export import text
from tb2learn.tables import LookupTable, product_table
from tb2learn.types import InputError

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
    assert [r.mp for r in rows[:11]] == [20, 20, 18, *[16] * 7, 15]
    assert (rows[17].team, rows[36].team) == ("Greece", "Germany")
    tb2 = {r.team: r.tb2 for r in rows}
    assert tb2["United States of America"] == 413.5 and tb2["Ukraine"] == 404.5
    assert tb2["Norway"] == 344.5 and tb2["Turkey"] == 341.5
    assert sorted(tb2.values())[-4] == tb2["Canada"]  # fourth best TB2 of the event


def test_the_thesis_rule_for_the_weakest_puts_turkey_before_norway(baku):
    rows = rank(baku, PRODUCT, "fewest-game-points")
    assert [r.team for r in rows[4:6]] == ["Turkey", "Norway"]


def test_first_row_as_json(baku):
    rows = json.loads(text.ranking_json(rank(baku, PRODUCT)))
    assert rows[0] == {
        "place": 1,
        "team": "United States of America",
        "mp": 20,
        "tb2": 413.5,
        "gp": 31.5,
        "tb4": 152,
    }
    assert isinstance(rows[2]["tb2"], int) and len(rows) == 176
    assert text.ranking_csv(rank(baku, PRODUCT)).splitlines()[1] == (
        "1,United States of America,20,413.5,31.5,152"
    )


def test_table_4_8_to_the_last_digit(baku):
    """Thesis, Table 4.8: opponents, products, what is dropped and the sums."""
    names = {"USA": "United States of America", "Ukraine": "Ukraine"}
    workings = explain(baku, list(names.values()), [PRODUCT])
    for short, working, total in zip(names, workings, (413.5, 404.5), strict=True):
        printed = [
            r for r in read_table("thesis", "table_4_8_usa_ukraine.csv") if r["team"] == short
        ]
        assert [(i.round, i.opponent_mp, i.gp, i.values[0]) for i in working.items] == [
            (int(r["round"]), int(r["opp_mp"]), float(r["gp"]), float(r["old_tb2"]))
            for r in printed
        ]
        assert working.sums == (total,) and working.mp == 20
        assert [i.round for i in working.items if i.dropped[0]] == [1]


def test_table_4_8_new_points_from_the_printed_surface(baku):
    """The printed surface as a lookup table gives the printed new sums, 452.6 and 455.5."""
    points = np.zeros((23, 23, 9), np.int32)
    for row in read_table("thesis", "table_4_9_surface_own20.csv"):
        points[20, int(row["opp_mp"]), round(2 * float(row["gp"]))] = round(
            1e4 * float(row["new_c"])
        )
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
    assert [(r.place, r.mp, r.gp) for r in rows] == [(1, 3, 3.0)] * 3


def test_a_bye_is_left_out_first(tmp_path):
    """By hand: A beats B and C, who each score nothing against it, and has the bye in round 3."""
    event = make_event(tmp_path, "1,A,B,2,0\n1,C,,1,\n2,A,C,2,0\n2,B,,1,\n3,B,C,1,1\n3,A,,1,\n")
    table = product_table(3, 2)
    (working,) = explain(event, ["A"], [table])
    # Final MP: A 2 + 2 + 1 = 5, B 0 + 1 + 1 = 2, C 1 + 0 + 1 = 2. The bye's virtual opponent has
    # 4 + 1 = 5 MP: more than B and C, and yet it goes.
    assert [(i.opponent, i.opponent_mp, i.dropped[0]) for i in working.items] == [
        ("B", 2, False), ("C", 2, False), ("bye", 5, True),
    ]  # fmt: skip
    assert working.sums == (8.0,)
    row = rank(event, table)[0]
    assert (row.team, row.mp, row.tb2, row.tb4) == ("A", 5, 8.0, 4)


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
        assert explain(baku, [row.team], [table])[0].sums == (row.tb2,)


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
        text.ranking_table(ranked),
        text.working_text(workings),
        text.comparison_text(compared),
    ):
        assert all(line.isprintable() for line in shown.splitlines())
    for shown in (
        text.ranking_csv(ranked),
        text.working_csv(workings),
        text.comparison_csv(compared),
    ):
        for row in csv.reader(io.StringIO(shown)):
            # A cell that starts like a formula is a number or nothing.
            assert all(c[:1] not in "=+@\t\r" or c.lstrip("+-").isdigit() for c in row if c)
            assert all(c[:1] != "-" or c.lstrip("-").isdigit() for c in row)
    assert json.loads(text.working_json(workings))[0]["team"] == HOSTILE[0]
    for form in (text.ranking_csv, text.ranking_json):
        assert form(ranked).replace("\n", "").isprintable()
    for shown in (text.working_csv(workings), text.working_json(workings)):
        assert shown.replace("\n", "").isprintable()


def test_working_forms_agree(baku):
    workings = explain(baku, ["Norway"], [PRODUCT])
    rows = list(csv.DictReader(io.StringIO(text.working_csv(workings))))
    (content,) = json.loads(text.working_json(workings))
    assert rows[-1]["value_product"] == "344.5" and content["tb2"] == {"product": 344.5}
    assert [r["opponent"] for r in rows[:-1]] == [o["opponent"] for o in content["opponents"]]
    (dropped,) = [o["opponent"] for o in content["opponents"] if o["dropped"]["product"]]
    assert dropped == "Bangladesh"
    assert "Bangladesh" in text.working_text(workings)
