"""Numbers of printed forms in plain numbers: expected points, margins, examples, cells."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from tb2learn.catalogue import load_rule
from tb2learn.chess.berger import round_robin
from tb2learn.export import pencil, rounds, table
from tb2learn.export.result import Table
from tb2learn.export.words import decimal, of_hundred, words
from tb2learn.stats import Difference
from tb2learn.text import plain_number
from tb2learn.tiebreaks.confidence_map import Confidence
from tb2learn.tiebreaks.passes import PassRule
from tb2learn.tiebreaks.rules import Rule, formula_rule, product_table

pytestmark = pytest.mark.usefixtures("untyped")


def test_the_game_points_that_a_lead_makes_expected():
    """A scale of a quarter of eight match points is 2: ten to one at a lead of two."""
    found = dict(table.expected_points(formula_rule("f", 4, 4, 0.25, 0.05)))
    assert list(found) == list(range(-8, 9)) and found[0] == 2
    assert (found[2], found[-2]) == (3.6364, 0.3636)  # 4 * 10/11, 4/11
    printed = pencil.printed_expectation(formula_rule("f", 4, 4, 0.25, 0.05))
    assert (printed[2], printed[-2], printed[8]) == (3.6364, 0.3636, 3.9996)


def test_the_sheet_ends_where_the_same_is_expected():
    grid = pencil._expected(formula_rule("f", 6, 4, 0.25, 0.05), words())
    cells = [row[k : k + 3] for k in (0, 3, 6) for row in grid.rows if row[k]]
    assert cells[0] == ("0", "2.0000", "2.0000") and cells[3] == ("3", "3.6364", "0.3636")
    # A lead of twelve is the largest; with a scale a tenth of it the same is expected before.
    assert cells[-1] == ("12", "3.9996", "0.0004") and len(cells) == 13
    grid = pencil._expected(formula_rule("f", 6, 4, 0.1, 0.05), words())
    cells = [row[k : k + 3] for k in (0, 3, 6) for row in grid.rows if row[k]]
    assert cells[-1][0] == words()["pencil.more"].format(lead=len(cells) - 1)
    assert cells[-2][1] != cells[-1][1] == "4.0000" and len(cells) < 13


def confidence(unit):
    return Confidence("r", "d", np.array([10.0, 3]), unit, {})


def test_margins_are_rounded_up_to_what_is_printed():
    """c = 10 and 3: ten to one, and 0.55 to 0.45."""
    probabilities = (0.55, 10 / 11)
    exact = [10 * math.log10(0.55 / 0.45), 3 * math.log10(0.55 / 0.45)]
    assert exact == pytest.approx([0.8715, 0.2614], abs=1e-4)
    assert table.printed_margins(confidence(1), probabilities) == [[1, 10], [1, 3]]
    assert table.printed_margins(confidence(0.5), probabilities) == [[1, 10], [0.5, 3]]
    assert table.printed_margins(confidence(1e-4), probabilities) == [[0.88, 10], [0.27, 3]]
    assert table.PROBABILITIES == (0.55, 0.6, 0.7, 0.8, 0.9, 0.95)


def test_the_table_of_margins(monkeypatch):
    rule = product_table(1, 4)
    monkeypatch.setattr(table, "confidence_of", lambda rule: confidence(0.5))
    content = table.sure_grid(rule)[1]
    assert content.heads[1:] == ("55%", "60%", "70%", "80%", "90%", "95%")
    assert content.rows[1] == (1, "0.5", "1", "1.5", "2", "3", "4")
    monkeypatch.setattr(table, "confidence_of", lambda rule: confidence(1e-4))
    assert table.sure_grid(rule)[1].rows[0][:3] == (0, "0.88", "1.77")


def test_the_worked_example_of_the_product_rule():
    """Three rounds of four boards: 3, 3 1/2 and 2 points; opponents of 2, 3 and 4."""
    found = table.worked_example(product_table(3, 4), words())
    assert [row[:4] for row in found.rows] == [
        [1, 2, 3.0, 12], [2, 3, 3.5, 21], [3, 4, 2.0, 16],
    ]  # fmt: skip
    assert found.own_mp == 2 + 2 + 1 and found.tb2 == 21 + 16
    assert [bool(row[-1]) for row in found.rows] == [True, False, False]
    assert table._first((1, 2, 3), 5) == [1, 2, 3, 1, 2]


def test_entries_of_a_table_as_csv_and_json():
    lines = table.table_csv(product_table(1, 1)).splitlines()
    at = lines.index("own MP,1")
    assert lines[at + 1 : at + 5] == ["GP / opponent MP,0,1,2", "0,0,0,0", "0.5,0,1,2", "1,0,2,4"]
    assert [table.game_points(half) for half in (0, 1, 5)] == ["0", "0.5", "2.5"]
    formula = table.table_csv(formula_rule("f", 2, 4, 0.5, 0.05)).splitlines()
    assert formula[-1] == "4,3.9604" and formula[-5] == "0,2"


def test_the_value_nearest_to_par():
    assert table.nearest_par([-9, -2, 3, 8]) == 1 and table.nearest_par([-5, 0, 1]) == 1
    assert table.nearest_par([1, 2]) is table.nearest_par([-1, -2]) is table.nearest_par([]) is None
    assert table.nearest_par([0, 5]) == 0 and table.nearest_par([-5, 0]) == 1


def one_pass(lowest):
    """A table of one round and one board, the same at every own score, with one lowest entry."""
    points = np.full((1, 3, 5, 3), 7, np.int32)
    points[0, 1, 2, 1] = lowest  # a draw of two teams on one point
    points[0, 0, 0, 0] = -9999  # a column that no opponent has in the first pass
    return Rule("t", 1, 1, PassRule(points))


@pytest.mark.parametrize(("lowest", "shift"), [(-1, 100), (-100, 100), (-101, 200), (0, 0), (5, 0)])
def test_a_shift_is_the_next_hundred_that_leaves_no_minus_sign(lowest, shift):
    assert pencil.shifts(one_pass(lowest)).tolist() == [0, shift, 0]
    assert pencil.shifted(one_pass(lowest)).tables[0, 1, 2, 1] == lowest + shift


def test_pars_are_said_by_block_and_total(monkeypatch):
    rule = SimpleNamespace(event_rounds=11)
    text = {"pencil.pars": "{pars}"}
    monkeypatch.setattr(pencil, "shifts", lambda rule: np.array([0, 0, 200, 100]))
    said = "MP 0\N{EN DASH}1: 0 (0); MP 2: 200 (2200); MP 3: 100 (1100)"
    assert pencil._pars(rule, text) == said


def tie_of(*teams):
    """Two teams on 3 match points: by opponent its match points, game points, table value."""
    workings = []
    for name, items in teams:
        played = [
            SimpleNamespace(opponent=o, opponent_mp=mp, gp=gp, values=[value])
            for o, mp, gp, value in items
        ]
        total = [sum(item.values[0] for item in played)]
        workings.append(SimpleNamespace(team=name, mp=3, items=played, sums=total))
    event = SimpleNamespace(name="E", rounds=2)
    return pencil.Tie(event, tuple(workings), (9.0, 7.5))


def tie():
    """A has 4.5 game points and B 4, of which a table is worth -10 and 51."""
    return tie_of(
        ("A", [("X", 1, 2.5, 30), ("Y", 3, 2, -40)]), ("B", [("Z", 4, 3.5, 60), ("X", 1, 0.5, -9)])
    )


def test_the_example_of_a_formula_in_plain_numbers():
    """A scale of one match point: leads of 2, 0, -1 expect 3.9604, 2, 0.3636 game points."""
    sentences, pair = pencil._formula_example(formula_rule("f", 2, 4, 0.25, 0.05), tie(), "en")
    assert pair.left.rows[0] == ("X", 1, "2", 2.5, "3.9604")
    assert pair.left.rows[-1] == ("Sum", "", "", 4.5, "5.9604")
    assert pair.left.heading == "A, 3 MP: TB2 = 4.5 \N{MINUS SIGN} 5.9604 = \N{MINUS SIGN}1.4604"
    assert pair.right.rows[0][2:] == ("\N{MINUS SIGN}1", 3.5, "0.3636")
    assert pair.right.heading.endswith("4 \N{MINUS SIGN} 4.3240 = \N{MINUS SIGN}0.324")
    (said,) = sentences.lines
    assert (
        "B has \N{MINUS SIGN}0.324, A \N{MINUS SIGN}1.4604" in said
        and "9" in said
        and "7.5" in said
    )


def test_the_example_of_a_table_in_plain_numbers(monkeypatch):
    """With a par of 100 a round: 130 + 60, and 160 + 91."""
    seen = []
    monkeypatch.setattr(pencil, "shifts", lambda rule: np.array([0, 0, 0, 100]))
    monkeypatch.setattr(pencil, "Table", lambda rows, **_: seen.append(rows))
    monkeypatch.setattr(pencil, "KeepTogether", lambda parts: parts)
    monkeypatch.setattr(pencil, "paragraph", lambda text, style: text)
    [(_, _, said, *_)] = pencil._example(None, tie(), "en")
    ((_, first, second, sums),) = seen
    assert first == ["1", "X", "1", "2.5", "130", "Z", "4", "3.5", "160"]
    assert second == ["2", "Y", "3", "2", "60", "X", "1", "0.5", "91"]
    assert sums[4] == "190" and sums[8] == "251" and "B has 251, A 190" in said


def test_cells_of_results():
    """Rounded in files, not in text; truth is 1 and 0; nothing where there is no value."""
    one = Table(["a", "b"], [["x", 0.123456], ["y", None], ["z", True], ["w", 20.0]], digits=4)
    assert one.csv().splitlines()[1:] == ["x,0.1235", "y,", "z,1", "w,20"]
    assert [row["b"] for row in one.records()] == [0.1235, None, True, 20]
    narrow = Table(["a", "b"], [["x", 0.5], ["y", 12.25]], formats={"b": ".1%"}).text(None)
    assert narrow.splitlines() == ["a        b", "x    50.0%", "y  1225.0%"]
    assert (plain_number(20.0), plain_number(0.5)) == (20, 0.5)
    assert decimal("1.5", words("de")) == "1,5"


def test_more_of_a_hundred_ties():
    grown = (Difference("a", "b", x) for x in (0.0039, -0.002, 0.0126))
    assert [*map(of_hundred, grown)] == ["0.4", "0.0", "1.3"]


def test_a_schedule_counts_from_one():
    """Three players: one rests a round; rounds, boards and players are numbered from 1."""
    schedule = round_robin(3)
    games = [[(int(a), int(b)) for a, b in games] for games in schedule.games]
    rows = rounds.schedule_table(schedule).rows
    assert [*rows] == [(number, 1, a + 1, b + 1) for number, ((a, b),) in enumerate(games, start=1)]
    rests = rounds.schedule_table(schedule).about["rests"]
    assert [{a, b, rest} for (_, _, a, b), rest in zip(rows, rests, strict=True)] == [{1, 2, 3}] * 3
    (_, _, a, b), rest = rows[0], rests[0]
    assert rounds.schedule_text(schedule).splitlines()[0] == f"round 1: {a}-{b}, {rest} rests"
    grid = rounds.schedule_document(schedule, "t").parts[0]
    assert grid.rows[0][:2] == ("1", f"{a} \N{EN DASH} {b}")
    rounds.check_size(283, False, "pdf")
    for players, double, games in ((284, False, 40_186), (201, True, 40_200)):
        with pytest.raises(ValueError, match=f"at most 40000 games, got {games}"):
            rounds.check_size(players, double, "pdf")


def test_columns_of_the_first_pass_are_match_points():
    """Two rounds reach half a match point beyond the table, so one column on either side."""
    rule = Rule("t", 2, 1, PassRule(np.zeros((2, 5, 7, 3), np.int32)))
    assert table.used_columns(rule, 1) == ([0, 1, 2, 3, 4], slice(1, 6))
    assert table.used_columns(rule, 2) == ([-1, 0, 1, 2, 3, 4, 5], slice(None))


def test_a_rule_by_name_is_for_the_olympiad():
    rule = load_rule("product")
    assert (rule.event_rounds, rule.boards, rule.tables.shape) == (11, 4, (1, 23, 23, 9))
    assert load_rule("product", rounds=3, boards=2).tables.shape == (1, 7, 7, 5)
