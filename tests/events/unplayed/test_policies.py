"""Policies for unplayed rounds: events by hand, a slow reference, properties."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest
import trf_samples
from helpers import random_surfaces
from hypothesis import given
from hypothesis import strategies as st
from quick import examples

from tb2learn.catalogue import find_rule
from tb2learn.data import read_rows
from tb2learn.events import (
    POLICIES,
    Match,
    TeamEvent,
    explain,
    has_working,
    listed_order,
    rank,
    read_event,
    unplayed_notes,
)
from tb2learn.events.criteria import Criterion, evaluate
from tb2learn.events.parts import BYE_MATCH_POINTS
from tb2learn.events.rank import complete
from tb2learn.events.unplayed import SUMMARIES
from tb2learn.events.unplayed.policies import policy
from tb2learn.events.unplayed.policy import expected_score
from tb2learn.events.unplayed.record import event_record
from tb2learn.tiebreaks.library import LIBRARY, UNPLAYED_NOTES
from tb2learn.tiebreaks.rules import LookupTable, PassTable, formula_rule, product_table
from tb2learn.training.tabulate import pass_table
from tb2learn.types import BYE, InputError


def test_fides_expected_scores():
    for row in read_rows("thesis", "table_2_1_expected_score.csv"):
        low, high = int(row["diff_lo"]), int(row["diff_hi"] or 3000)
        for difference in {low, high, high + 0.4, max(low - 0.5, 0)}:
            wanted = float(row["stronger"]) if low <= 400 else 0.92
            assert expected_score(difference) == pytest.approx(wanted)
            assert expected_score(-difference - (difference == 0)) == pytest.approx(1 - wanted)
    assert expected_score(672) == 0.92 and expected_score(-672) == pytest.approx(0.08)


# --- an event by hand -----------------------------------------------------------------------------

MATCHES = """round,team_a,team_b,game_points_a,game_points_b,boards_decided,boards_forfeited,bye
1,A,B,2,0,2,0,
1,C,D,2,0,2,2,
1,E,,,,,,pairing
2,A,C,1,1,2,0,
2,B,E,1.5,0.5,2,0,
3,A,,,,,,half
3,B,C,0,2,2,0,
3,D,E,1,1,2,0,
4,A,E,1.5,0.5,2,0,
4,C,D,2,0,2,0,
"""
RATINGS = "team,rating_1,rating_2\nA,2450,2350\nB,2300,\nC,2200,2200\nD,2000,\nE,,\n"
# Match points by round, final; game points:
#   A 2, 1, 1 (asked for the bye), 2 = 6;  2, 1, 1, 1.5
#   B 0, 2, 0, absent              = 2;  0, 1.5, 0, -
#   C 2 (D did not come), 1, 2, 2  = 7;  2, 1, 2, 2
#   D 0, absent, 1, 0              = 1;  0, -, 1, 0
#   E 1 (bye), 0, 1, 0             = 2;  1, 0.5, 1, 0.5
# Over the board: A 5 of 3 matches, B 2 of 3, C 5 of 3, D 1 of 2, E 1 of 3.
#
# By policy and team: sum of opponents, without the lowest; product, without the lowest.
# The items are written `opponent's match points x game points`; [] goes.
BY_HAND = {
    # A: B 2x2, C 7x1, virtual 3+1+1 = 5x1, E [2x1.5].  C: virtual 0+1+3 = 4x2, 6x1, 2x2, [1x2].
    # D: virtual 0+0+3 = 3x0, [0+0+2 = 2x0], E 2x1, C 7x0.  E: bye [0+1+3 = 4x1], 2x.5, 1x1, 6x.5.
    "baku2016": {
        "A": (16, 14, 19, 16), "C": (13, 12, 20, 18), "D": (14, 12, 2, 2), "E": (13, 9, 9, 5),
    },
    # B and D (round 2) count a match point more: 3 and 2. Who had no opponent has no item to lose.
    # A: 3x2, 7x1, [0], 2x1.5.  C: [D 2x2], 6x1, 3x2, 2x2.  D: C 7x0, [0], 2x1, 7x0.
    # E: [0], 3x.5, 2x1, 6x.5.
    "fide2026": {
        "A": (12, 12, 16, 16), "C": (13, 11, 20, 16), "D": (16, 16, 2, 2), "E": (11, 11, 6.5, 6.5),
    },
    # B left after round 3 and counts 3. D's round 2 is before a match: it counts 1.
    # A: 3x2, 7x1, [min(6, 4) = 4x1, asked for], 2x1.5.  C: min(7, D's 1) = 1x2, 6x1, 3x2, [1x2].
    # D: [min(1, C's 7) = 1x0], min(1, 4) = 1x0, 2x1, 7x0.  E: min(2, 4) = 2x1, 3x.5, [1x1], 6x.5.
    "c07": {
        "A": (16, 12, 20, 16), "C": (11, 10, 16, 14), "D": (11, 10, 2, 2), "E": (12, 11, 7.5, 6.5),
    },
    # As above with A's own 6, C's own 7, D's own 1 and E's own 2.
    # A: 3x2, 7x1, [6x1, asked for], 2x1.5.  C: 7x2, 6x1, 3x2, [1x2].
    "c07-2024": {
        "A": (18, 12, 22, 16), "C": (17, 16, 28, 26), "D": (11, 10, 2, 2), "E": (12, 11, 7.5, 6.5),
    },
    # Count as: A 5+1 = 6, B 2+1 = 3, C 5+1 = 6, D 1+2 = 3, E 1+1 = 2.
    # A: 3x2, 6x1, self 6x1, [2x1.5].  C: self 6x1, 6x1, [3x2], 3x2.  D: self 3x1 twice, [2x1], 6x0.
    # E: self [2x1], 3x.5, 3x1, 6x.5.
    "drawself": {
        "A": (17, 15, 21, 18), "C": (18, 15, 24, 18), "D": (14, 12, 8, 6), "E": (14, 12, 9.5, 7.5),
    },
    # 16 * points / matches. A: B 2/3, C 5/3, E [1/3]: 8/9, 7/6; with results 4+5+1.5 = 10.5.
    # C: A 5/3, B [2/3], D 1/2: 8/8, 6/5 (without D 7/6 only); with results 5+4+2 = 11.
    # D: E [1/3], C 5/3; with results 1+0.  E: B [2/3], D 1/2, A 5/3; with results 1+1+2.5.
    "ignore": {
        "A": (128 / 9, 112 / 6, 168 / 9, 24), "C": (16, 19.2, 22, 22.4),
        "D": (16, 80 / 3, 8 / 3, 0), "E": (16, 19.2, 9, 11.2),
    },
    # A: 2x2, 7x1, [0x1], 2x1.5.  C: [D 1x2], 6x1, 2x2, 1x2.  D: C 7x0, [0x0], 2x1, 7x0.
    # E: [0x1], 2x.5, 1x1, 6x.5.
    "face-value": {
        "A": (11, 11, 14, 14), "C": (10, 9, 14, 12), "D": (16, 16, 2, 2), "E": (9, 9, 5, 5),
    },
    # B left with 2 and counts as b. A: bx2, 7x1, [0x1], 2x1.5.  C: [D 1x2], 6x1, bx2, 1x2.
    # D: C 7x0, own [1x0], 2x1, 7x0.  E: own 2x1, bx.5, [1x1], 6x.5.  Here b = 2+1 = 3.
    "fair-draw": {
        "A": (12, 12, 16, 16), "C": (11, 10, 16, 14), "D": (17, 16, 2, 2), "E": (12, 11, 7.5, 6.5),
    },
    # Count as 4 * average: A and C 20/3, B 8/3, D 2, E 4/3.
    # A: 32/3 / 3 * 4; without E 28/3 / 2 * 3; with results (16/3 + 20/3 + 2) / 3 * 4, 12 / 2 * 3.
    # C: 34/3 / 3 * 4; without D 28/3 / 2 * 3; with results (20/3 + 16/3 + 4) / 3 * 4, 12 / 2 * 3.
    # D: 8 / 2 * 4; without E 20/3 / 1 * 3; with results 4/3 / 2 * 4, 0.
    # E: 34/3 / 3 * 4; without D 28/3 / 2 * 3; with results (4/3 + 2 + 10/3) / 3 * 4, 14/3 / 2 * 3.
    "aaso": {
        "A": (128 / 9, 14, 56 / 3, 18), "C": (136 / 9, 14, 64 / 3, 18),
        "D": (16, 20, 8 / 3, 0), "E": (136 / 9, 14, 80 / 9, 7),
    },
    # A: 11 and the mean 11/3 - 1 for the bye; without E 9 + 4.5 - 1; with results 4+7+3 and
    #    11/3 x half of two boards; without E 4+7+4.5.
    # C: 9 and 3 - 1 (D is 200 points lower); without D 8 + 4 - 1; with results 6+4+2 and 3 x two
    #    boards x .76; without D 6+4+4x1.52.
    # D: 9 and 4.5 twice, nothing scored; without E 7+7+7.
    # E: 9 and 3 - 1; without D 8 + 4 - 1; with results 1+1+3 and 3x1; without D 1+3+4x1.
    "sivakasi": {
        "A": (41 / 3, 12.5, 53 / 3, 15.5), "C": (11, 11, 16.56, 16.08),
        "D": (18, 21, 2, 0), "E": (11, 11, 8, 8),
    },
}  # fmt: skip
CRITERIA = "opponents,opponents-cut1,emgsb,tb2:product"


def read(folder, matches=MATCHES, teams=RATINGS):
    (folder / "matches.csv").write_text(matches, encoding="utf-8")
    (folder / "teams.csv").write_text(teams, encoding="utf-8")
    return read_event(folder)


def criteria(text, event):
    return listed_order(event, text, lambda name: find_rule(name, event.rounds, event.boards))


def scores_of(event, text, unplayed, weakest="lowest-contribution"):
    rows = rank(event, criteria(text, event), weakest, unplayed)
    return {row.team: tuple(row.scores.values()) for row in rows}


def evaluated(event, text, unplayed, weakest="lowest-contribution"):
    """The scores alone, which is faster: a row a criterion."""
    return evaluate(complete(event, unplayed, weakest), criteria(text, event))


def defined(unplayed, text):
    return "opponents" if unplayed == "average-buchholz" else text


def test_every_policy_has_a_name_and_a_summary():
    assert list(POLICIES) == list(SUMMARIES) and BY_HAND.keys() < POLICIES.keys()
    for name, one in POLICIES.items():
        assert one.name == name and policy(name) is one
        assert 0 < len(SUMMARIES[name]) < 100


@pytest.mark.parametrize("name", BY_HAND)
def test_an_event_by_hand(tmp_path, name):
    event = read(tmp_path)
    found = scores_of(event, CRITERIA, name)
    for team, wanted in BY_HAND[name].items():
        assert found[team] == pytest.approx(wanted, abs=1e-4)
    for working in explain(event, "ABCDE", criteria(CRITERIA, event), unplayed=name):
        assert working.sums == found[working.team]
        if name not in ("ignore", "aaso"):  # where the score is a sum
            for column, total in enumerate(working.sums):
                kept = [i.values[column] for i in working.items if not i.left_out[column]]
                assert sum(kept) == pytest.approx(total, abs=1e-3)


def test_working_of_a_policy(tmp_path):
    """What a captain sees: who stands in for whom, what it counts as, what goes."""
    (working,) = explain(read(tmp_path), ["C"], [product_table(4, 2)], unplayed="drawself")
    assert [(i.who, i.opponent_mp, i.gp, i.left_out[0]) for i in working.items] == [
        ("D (won by default)", 6, 1, False), ("A", 6, 1, False),
        ("B", 3, 2, True), ("D", 3, 2, False),
    ]  # fmt: skip
    assert working.sums == (18,)


def test_a_default_is_against_the_scheduled_opponent_if_it_counts_as_played(tmp_path):
    """C won round 1 against D."""
    for name, other in (("face-value", 3), ("fair-draw", 3), ("drawself", BYE)):
        assert complete(read(tmp_path), name).items.opponent[2, 0] == other


SIVAKASI = """round,team_a,team_b,game_points_a,game_points_b,boards_decided,boards_forfeited
1,A,B,2,0,2,{0}
1,C,D,2,0,2,0
2,A,C,2,0,2,{1}
2,B,D,2,0,2,0
3,A,D,2,0,2,0
3,B,C,2,0,2,0
"""


@pytest.mark.parametrize(
    "defaults, ratings, added",
    [
        # A wins round 1 by default; D (0), C (2) remain: the mean is 1, B ends with 4.
        ((2, 0), (2000, 2149, 0, 0), 4),  # B missed that round alone and has more than the mean
        # A wins round 2 by default; opponents B (4), D (0): the mean is 2, C ends with 2: not more.
        ((0, 2), (2400, 0, 2250, 0), 2),  # much lower, but not in round 1
        ((0, 2), (2000, 0, 2150, 0), 3),  # 150 higher
        ((0, 2), (2001, 0, 2150, 0), 2),
        ((0, 2), (0, 0, 2150, 0), 3),  # A is unrated
        ((0, 2), (0, 0, 0, 0), 2),
        ((0, 2), (2000, 0, 0, 0), 2),
    ],
)
def test_corrections_of_sivakasi(tmp_path, defaults, ratings, added):
    teams = "team,rating_1\n" + "".join(
        f"{t},{r or ''}\n" for t, r in zip("ABCD", ratings, strict=True)
    )
    event = read(tmp_path, SIVAKASI.format(*defaults), teams)
    real = 2 if defaults[0] else 4
    assert scores_of(event, "opponents", "sivakasi")["A"] == (real + added,)


def test_a_lower_team_that_stays_away_in_the_first_round(tmp_path):
    """C, against which A wins by default, is 150 points lower or 149; the mean is 2."""
    number = {"1": "2", "2": "1"}  # the first two rounds change places
    lines = SIVAKASI.format(0, 2).splitlines()
    matches = "".join(f"{number.get(line[0], line[0])}{line[1:]}\n" for line in lines)
    for rating, added in ((2250, 1), (2251, 2)):
        event = read(tmp_path, matches, f"team,rating_1\nA,2400\nB,\nC,{rating}\nD,\n")
        assert scores_of(event, "opponents", "sivakasi")["A"] == (4 + added,)


def test_between_the_entries_of_a_table(tmp_path):
    """Under Sivakasi opponents and results count as fractions: the part of the way in a table."""
    event = read(tmp_path)
    table = product_table(4, 2)
    squares = LookupTable("squares", 4, 2, table.points**2)
    # 12 + 4 + 2 are not needed: round 1 alone, without D: the mean is 4, half points 3.04.
    (working,) = explain(event, ["C"], [squares], unplayed="sivakasi")
    assert working.items[0].values[0] == pytest.approx(16 * (9 + 0.04 * (16 - 9)), abs=1e-3)
    # A scores 1 of 2 against a mean of 3.5 without E... C 7, B 2: 4.5, between 16 and 25.
    (working,) = explain(event, ["A"], [squares], unplayed="sivakasi")
    assert working.items[2].values[0] == pytest.approx(4 * (16 + 25) / 2)


def test_a_fore_sum_takes_the_last_round_for_drawn(tmp_path):
    drawn = MATCHES.replace("4,A,E,1.5,0.5", "4,A,E,1,1").replace("4,C,D,2,0", "4,C,D,1,1")
    event = read(tmp_path)
    fore, usual = (scores_of(event, text, "drawself") for text in ("fore-buchholz", "opponents"))
    assert fore == scores_of(read(tmp_path, drawn), "opponents", "drawself") != usual


def test_an_unfinished_event_goes_by_the_rounds_completed(tmp_path):
    event = read(tmp_path).after(3)
    # A has the bye in the last of three rounds: 3 + 1 + 0; B 0+2+0 = 2, C 2+1+2, default a draw: 4.
    assert scores_of(event, "opponents", "virtual-opponent")["A"] == (2 + 4 + 4,)


# --- every rule gets the completed record ---------------------------------------------------------


def test_the_formula_by_hand(tmp_path):
    """A under two policies: the bye is a draw with a virtual opponent of 5, or nothing at all."""
    event, a = read(tmp_path), 3.0
    rule = formula_rule("formula", 4, 2, a / 8, 0.0, passes=1)

    def above(score, opponent):
        return score - 2 / (1 + 10 ** (-(6 - opponent) / a))

    played = above(1, 7) + above(1.5, 2)
    for name, wanted in (
        ("baku2016", played + above(2, 2) + above(1, 5)),
        ("fide2026", played + above(2, 3)),
        ("aaso", (above(2, 8 / 3) + above(1, 20 / 3) + above(1.5, 4 / 3)) / 3 * 4),
    ):
        (working,) = explain(event, ["A"], [rule], unplayed=name)
        assert working.sums == pytest.approx((wanted,), abs=3e-4), name
        assert rank(event, rule, unplayed=name)[1].scores["tb2"] == working.sums[0]


def test_an_opponent_and_a_result_that_are_fractions(tmp_path):
    """C won by default against D under Sivakasi: 1.52 points against 3 match points, in tenths."""
    event = read(tmp_path)
    points = np.zeros((1, 9, 11, 5), np.int32)
    points[0] = np.arange(11)[:, None] * np.array([0, 0, 10, 20, 100])
    rule = PassTable("passes", 4, 2, points)
    (working,) = explain(event, ["C"], [rule], unplayed="sivakasi")
    # Half points 3.04: 4 columns on (the first is -1), 20 + .04 x 80 each, to the nearest.
    assert working.items[0].values == (round(4 * (20 + 0.04 * 80)),)
    (working,) = explain(event, ["A"], [rule], unplayed="sivakasi")
    # The mean of A's opponents is 11 / 3: 3.7 in tenths.
    assert working.items[2].counts_as == (3.7,) and working.items[2].values == (47,)


def baku_rule(name):
    surfaces = random_surfaces(3, rounds=11, boards=4)
    if name in ("learned", "reduced"):
        return pass_table(surfaces, name, reduced=name == "reduced")
    if name == "formula":
        return formula_rule("formula", 11, 4, 0.26, 0.05)
    if name == "squares":
        return LookupTable("squares", 11, 4, product_table(11, 4).points ** 2)
    return find_rule(name, 11, 4)


BAKU_RULES = ("learned", "reduced", "formula", "product", "squares", "buchholz-cut1",
              "emgsb-median1", "buchholz+wins", "wins+aro",
              *(name for name, one in LIBRARY.items() if not one.individual))  # fmt: skip
"""Every family of rules."""


@pytest.mark.parametrize("name", BAKU_RULES)
def test_no_rule_ignores_the_policy_in_silence(baku, name):
    """On Baku 2016: it changes TB2, or is refused, or a note says that it has no say."""
    rule = baku_rule(name)
    counted = {part.entry.unplayed for part in rule.parts} or {"completed"}
    assert bool(unplayed_notes(baku, rule)) == bool(counted & set(UNPLAYED_NOTES))
    usual = evaluated_by(baku, rule, "baku2016")
    for unplayed in ("fide2026", "drawself", "ignore", "average-buchholz"):
        try:
            found = evaluated_by(baku, rule, unplayed)
        except InputError as error:
            assert unplayed in ("ignore", "average-buchholz")
            assert str(error).endswith(f" {name}") and unplayed in str(error)
            continue
        if "completed" in counted:
            assert (found != usual).sum() >= 5, unplayed
        elif "games" not in counted:  # those that a policy counts as played
            assert (found == usual).all()


def evaluated_by(event, rule, unplayed, weakest="lowest-contribution"):
    return evaluate(complete(event, unplayed, weakest), [Criterion("tb2", rule)])[0]


@pytest.mark.parametrize("name", ["learned", "reduced", "formula", "product", "squares", "bruno",
                                  "buchholz-cut1", "emgsb-median1", "koya"])  # fmt: skip
@pytest.mark.parametrize("unplayed", ["fide2026", "sivakasi"])
def test_the_rows_of_a_working_add_up(baku, name, unplayed):
    rule = baku_rule(name)
    found = dict(zip(baku.teams, evaluated_by(baku, rule, unplayed), strict=True))
    tolerance = 2e-3 if name == "formula" or unplayed == "sivakasi" else 1e-9
    for working in explain(baku, baku.teams[::4], [rule], unplayed=unplayed):
        assert working.sums[-1] == pytest.approx(found[working.team], abs=1e-4)
        for column, total in enumerate(working.sums):
            kept = [i.values[column] for i in working.items if not i.left_out[column]]
            assert sum(kept) == pytest.approx(total, abs=tolerance)


def test_weakest_goes_for_rules_in_passes_too(baku):
    rule = baku_rule("reduced")
    usual, other = (
        evaluated_by(baku, rule, "baku2016", w)
        for w in ("lowest-contribution", "fewest-game-points")
    )
    assert (usual != other).any()


# --- one name is one number -----------------------------------------------------------------------


def every_name(rounds, boards):
    """The library's names for a format, and some cuts and combinations."""
    names = []
    for name, entry in LIBRARY.items():
        if entry.needs == "colours" or (entry.individual and boards > 1):
            continue
        names += [name, *([f"{name}-cut1"] if entry.cuts else [])]
        names += [f"{name}-median{min(2, rounds)}"] if entry.cuts == "both" else []
    return [*names, "product", "least-squares", "buchholz-cut1+emgsb", "direct+buchholz"]


@pytest.mark.parametrize(("boards", "unplayed"), [(1, "fide2026"), (2, "baku2016")])
def test_one_name_is_one_number(tmp_path, boards, unplayed):
    event = trf_samples.read(*trf_samples.SMALL) if boards == 2 else individual_event(tmp_path)
    for name in every_name(event.rounds, boards):
        rule = find_rule(name, event.rounds, boards)
        as_criterion, prefixed = (
            evaluated(event, f"mp,{text}", unplayed)[1] for text in (name, f"tb2:{name}")
        )
        alone = {row.team: row.scores["tb2"] for row in rank(event, rule, unplayed=unplayed)}
        np.testing.assert_array_equal(as_criterion, prefixed, err_msg=name)
        if name in LIBRARY and LIBRARY[name].shown:
            continue  # direct encounter is printed as a rank
        shown = np.round([alone[team] for team in event.teams], 4)
        np.testing.assert_array_equal(np.round(as_criterion, 4) + 0.0, shown, err_msg=name)
        if has_working(rule):
            both = (rule, *criteria(name, event))
            for working in explain(event, event.teams, both, unplayed=unplayed):
                assert {*working.sums} == {alone[working.team]}
        else:
            with pytest.raises(InputError, match=r"is not a sum over opponents"):
                explain(event, event.teams[:1], [rule])


def individual_event(folder):
    header = "round,team_a,team_b,game_points_a,game_points_b,bye\n"
    rows = "1,A,B,1,0,\n1,C,D,0.5,0.5,\n1,E,,,,pairing\n2,A,C,0.5,0.5,\n2,B,E,1,0,\n2,D,,,,half\n"
    (folder / "matches.csv").write_text(header + rows, encoding="utf-8")
    teams = "".join(f"{name},{2400 - 50 * i}\n" for i, name in enumerate("ABCDE"))
    (folder / "teams.csv").write_text("team,rating_1\n" + teams, encoding="utf-8")
    return read_event(folder)


def test_a_buchholz_of_individuals_counts_points(tmp_path):
    """A, 1.5 points, met B (1) and C (1): 2 points, which are 4 match points."""
    event = individual_event(tmp_path)
    assert scores_of(event, "buchholz,opponents", "baku2016")["A"] == (2, 4)


# --- what is refused ------------------------------------------------------------------------------


def test_unknown_policy():
    with pytest.raises(InputError, match=r"unplayed must be one of baku2016, .*sivakasi, got 'x'"):
        policy("x")


@pytest.mark.parametrize("text", ["opponents-cut1", "buchholz-gp", "emmsb", "product"])
def test_the_mean_of_the_opponents_is_no_other_sum(tmp_path, text):
    message = (
        "the policy average-buchholz is defined only for the sum of the opponents' match points "
        rf"without a cut, got {text}$"
    )
    event = read(tmp_path)
    with pytest.raises(InputError, match=message):
        scores_of(event, text, "average-buchholz")
    with pytest.raises(InputError, match=message):
        explain(event, ["A"], criteria(text, event), unplayed="average-buchholz")


def test_matches_played_decide_between_equal_means(tmp_path):
    event = read(tmp_path)
    assert scores_of(event, "opponents,played", "average-buchholz")["D"] == (4.5, 2)
    assert [scores_of(event, "played", "c07")[t] for t in "ABCDE"] == [(3,), (3,), (3,), (2,), (3,)]


def test_pooled_points_have_no_meaning_for_a_table_that_is_no_product(tmp_path):
    event = read(tmp_path)
    table = product_table(4, 2)
    squares = LookupTable("squares", 4, 2, table.points**2)
    with pytest.raises(InputError, match=r"ignore pools match points .* no meaning for squares"):
        rank(event, squares, unplayed="ignore")
    assert rank(event, table, unplayed="ignore") and rank(event, squares, unplayed="aaso")


# --- any event ------------------------------------------------------------------------------------

BYE_KINDS = ["", "pairing", "full", "half", "zero", "default"]
SUM_NAMES = ["opponents", "emmsb", "emgsb", "egmsb", "eggsb"]
MOST_TEAMS = 12
CUTS = ["", "-cut1", "-cut2", "-median1", "-median2"]


def within(cut, rounds):
    """A cut of no more opponents than there are rounds."""
    return cut[:-1] + str(min(int(cut[-1]), rounds)) if cut else cut


@st.composite
def plans(draw):
    """Small events with all kinds of rounds."""
    teams = draw(st.integers(2, MOST_TEAMS))
    boards, rounds = draw(st.integers(1, 3)), draw(st.integers(1, 6))
    matches = []
    for r in range(1, rounds + 1):
        order = list(draw(st.permutations(range(teams))))
        while order:
            a = order.pop()
            how = draw(st.sampled_from(["played"] * 3 + ["default", "none"]))
            if order and how != "none":
                b = order.pop()
                half = draw(st.integers(0, 2 * boards))
                sides, decided, forfeited = (half, 2 * boards - half), boards, 0
                if how == "default":
                    sides = draw(st.sampled_from([(2 * boards, 0), (0, 2 * boards), (0, 0)]))
                    decided = forfeited = boards if any(sides) else 0
                matches.append((r, len(matches), a, b, *sides, decided, forfeited))
            elif bye := draw(st.sampled_from(BYE_KINDS)):
                half = BYE_MATCH_POINTS[bye] * boards
                matches.append((r, len(matches), a, None, half, 0, 0, 0, bye))
    rating = st.sampled_from([0, 1900, 2000, 2100, 2149, 2150, 2350, 2600])
    return rounds, boards, matches, [draw(rating) for _ in range(teams)]


def planned(plan):
    """The event of a plan."""
    rounds, boards, matches, ratings = plan
    return TeamEvent(
        name="any",
        teams=tuple(f"T{t}" for t in range(len(ratings))),
        rounds=rounds,
        boards=boards,
        matches=tuple(Match(*match) for match in matches),
        ratings=tuple((r,) if r else () for r in ratings),
    )


WEAKEST = st.sampled_from(["lowest-contribution", "fewest-game-points"])


@examples(8)
@given(plans(), st.permutations(range(MOST_TEAMS)))
def test_numbers_of_teams_do_not_matter(plan, numbers):
    event = planned(plan)
    order = [n for n in numbers if n < len(event.teams)]  # team t becomes order[t]
    place = np.argsort(order)
    other = dataclasses.replace(
        event,
        ratings=tuple(event.ratings[t] for t in place),
        matches=tuple(
            dataclasses.replace(
                m, team_a=order[m.team_a], team_b=None if m.team_b is None else order[m.team_b]
            )
            for m in event.matches
        ),
    )
    for name in POLICIES:
        text = defined(name, f"opponents-cut1,emgsb-median1,eggsb{within('-cut2', event.rounds)}")
        one, two = evaluated(event, text, name), evaluated(other, text, name)
        np.testing.assert_array_equal(one, two[:, order])


ODD = {
    "two teams, one round": "1,A,B,2,0,\n",
    "all byes": "1,A,B,2,0,\n2,A,,,,pairing\n2,B,,,,half\n3,A,,,,zero\n3,B,,,,full\n",
    "no game at all": "1,A,B,2,0,\n1,C,,,,zero\n2,A,B,1,1,\n",
    "by default from nobody": "1,A,B,2,0,\n1,C,,,,default\n1,D,,,,pairing\n2,C,,,,default\n",
}
MANY = "opponents,opponents-cut1,opponents-median1,emmsb,emgsb-cut1,egmsb,eggsb,mp,gp,product"


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("odd", ODD)
def test_odd_events(tmp_path, odd, name):
    header = "round,team_a,team_b,game_points_a,game_points_b,bye\n"
    (tmp_path / "matches.csv").write_text(header + ODD[odd], encoding="utf-8")
    event = read_event(tmp_path)
    with np.errstate(all="raise"):
        found = evaluated(event, defined(name, MANY), name)
    assert np.isfinite(found).all()
    if name in ("ignore", "aaso", "average-buchholz", "sivakasi"):  # a mean of nobody
        for team in {"C", "D"} & set(event.teams):
            assert not found[:7, event.teams.index(team)].any()


# --- a slow reference, word for word from the papers ----------------------------------------------


class Slow:
    """Policies with exact fractions, one team and round at a time. Points `m` or `g` (games)."""

    def __init__(self, event):
        teams, self.R = range(len(event.teams)), event.rounds
        self.teams, self.rounds = teams, range(event.rounds)
        self.draw = {"m": Fraction(1), "g": Fraction(event.boards, 2)}
        blank = {"kind": "none", "opp": None, "m": Fraction(0), "g": Fraction(0)}
        self.cell = [[dict(blank) for _ in self.rounds] for _ in teams]
        self.rating = [r[0] if r else None for r in event.ratings]
        self.round_robin = event_record(event).is_round_robin
        for match in event.matches:
            a, b, r = match.team_a, match.team_b, match.round - 1
            half = (match.half_points_a, match.half_points_b)
            if b is None:
                pays = {"pairing": 1, "full": 2, "half": 1, "zero": 0, "default": 2}[match.bye]
                points = {"m": Fraction(pays), "g": Fraction(half[0], 2)}
                self.cell[a][r] = {"kind": match.bye, "opp": None, **points}
                continue
            default = match.boards_decided == match.boards_forfeited
            for team, other, mine, yours in ((a, b, *half), (b, a, *half[::-1])):
                won = 2 if mine > yours else 1 if mine == yours else 0
                kind = "played"
                if default:
                    kind, won = ("won", 2) if mine > yours else ("lost", 0)
                self.cell[team][r] = {
                    "kind": kind, "opp": other, "m": Fraction(won), "g": Fraction(mine, 2)
                }  # fmt: skip

    def kind(self, t, r):
        return self.cell[t][r]["kind"]

    def points(self, s, t, rounds=None):
        return sum((self.cell[t][r][s] for r in (self.rounds if rounds is None else rounds)), 0)

    def met(self, t):
        return [r for r in self.rounds if self.kind(t, r) == "played"]

    def otb(self, s, t):
        return self.points(s, t, self.met(t)), len(self.met(t))

    def left_at(self, t):
        there = [r for r in self.rounds if self.kind(t, r) not in ("none", "zero")]
        return there[-1] + 1 if there else 0

    def voluntary(self, t, r):
        return self.kind(t, r) in ("none", "zero", "half", "lost")

    def seen(self, name, s, t):
        points, games = self.otb(s, t)
        draw, final = self.draw[s], self.points(s, t)
        if name == "fide2026":
            return final + draw * sum(self.kind(t, r) in ("none", "zero") for r in self.rounds)
        if name in ("c07", "c07-2024"):
            last = max((r for r in self.rounds if not self.voluntary(t, r)), default=-1)
            return sum(
                draw if r > last and self.cell[t][r]["opp"] is None else self.cell[t][r][s]
                for r in self.rounds
            )
        if name in ("drawself", "virtual-opponent", "adjusted-virtual-opponent"):
            return points + draw * (self.R - games)
        if name == "ignore":
            return points
        if name == "aaso":
            return points / games * self.R
        leave = self.left_at(t)
        if not name.startswith("fair") or leave == self.R:
            return final
        score, rest = self.points(s, t, range(leave)), self.R - leave
        if name == "fair-tied":
            level = [
                self.points(s, x) for x in self.teams
                if self.left_at(x) > leave and self.points(s, x, range(leave)) == score
            ]  # fmt: skip
            if level:
                return sum(level) / Fraction(len(level))
        each = {
            "fair-draw": draw, "fair-tied": draw, "fair-zero": 0,
            "fair-average": score / leave if leave else 0,
            "fair-board-average": points / games if games else 0,
        }[name]  # fmt: skip
        return score + each * rest

    def item(self, name, s, t, r):
        """Opponent's points and own result, or None."""
        cell = self.cell[t][r]
        kind, other, got, draw = cell["kind"], cell["opp"], cell[s], self.draw[s]
        before, final = self.points(s, t, range(r)), self.points(s, t)
        if kind == "played":
            return self.seen(name, s, other), got
        if name in ("ignore", "aaso", "average-buchholz"):
            return None
        paid = kind in ("full", "half")
        named = kind in ("won", "lost") and other is not None
        if name == "baku2016":
            gets = {"won": 2 * draw if s == "g" else 1, "default": 2 * draw if s == "g" else 1}
            gets |= dict.fromkeys(("pairing", "full", "half"), draw)
            return before + gets.get(kind, 0) + draw * (self.R - r - 1), got
        if name == "fide2026":
            if named:
                return self.seen(name, s, other), 2 * draw if kind == "won" else 0
            return 0, 0
        if name == "c07-2024":
            return final, got
        if name == "c07":
            return min(final, self.seen(name, s, other) if named else draw * self.R), got
        if name == "drawself":
            return self.seen(name, s, t), draw
        if "virtual" in name:
            if name.startswith("adjusted"):
                cap = self.points(s, other, range(r)) if named else draw * r
                before = min(before, cap)
            return before + (2 * draw - got) + draw * (self.R - r - 1), got
        if name == "face-value":
            if self.round_robin and other is None:  # C.07: nobody misses a round there
                return None
            return self.seen(name, s, other) if named else 0, got
        assert name.startswith("fair")
        if named:
            return self.seen(name, s, other), got
        if paid:
            return 0, got
        return final, 0 if kind in ("none", "zero") else got

    def score(self, name, t, opponent, own, low, high, by_game_points):
        if name == "sivakasi":
            return self.sivakasi(t, opponent, own, low, high, by_game_points)
        rows = []
        for r in self.rounds:
            item = self.item(name, opponent, t, r)
            if item is None:
                continue
            result = self.item(name, own, t, r)[1] if own else 1
            other = self.cell[t][r]["opp"]
            games = self.otb("m", other)[1] if self.kind(t, r) == "played" else None
            rival = self.item(name, "g", t, r)[0] if by_game_points else 0
            first = {
                "baku2016": self.kind(t, r) == "pairing",
                "fide2026": self.kind(t, r) in ("pairing", "half", "full", "default"),
                "c07": self.voluntary(t, r),
                "c07-2024": self.voluntary(t, r),
            }.get(name, False)
            rows.append((item[0], rival, item[0] * result, first, games))
        number = len(rows)
        for n in range(low + high):
            if rows:
                rows.remove(self.next_out(name, rows, n < low))
        if name == "ignore":
            games = sum(row[4] for row in rows)
            return Fraction(self.R**2 * sum(row[2] for row in rows), games) if games else 0
        if name == "aaso":
            scale = self.R - (number - len(rows))
            return sum(row[2] for row in rows) / Fraction(len(rows)) * scale if rows else 0
        if name == "average-buchholz":
            return sum(row[2] for row in rows) / Fraction(len(rows)) if rows else 0
        return sum(row[2] for row in rows)

    def next_out(self, name, rows, low):
        if name == "ignore":

            def left(row):
                rest = list(rows)
                rest.remove(row)
                games = sum(one[4] for one in rest)
                return [
                    Fraction(sum(one[k] for one in rest), games) if rest else 0 for k in range(3)
                ]

            return (max if low else min)(rows, key=left)
        if not low:
            return max(rows, key=lambda row: (name[:3] == "c07" or not row[3], *row[:3]))
        lowest = min(rows, key=lambda row: row[:3])
        if name[:3] == "c07":
            voluntary = [row for row in rows if row[3]]
            if not voluntary:
                return lowest
            cheapest = min(voluntary, key=lambda row: (row[2], row[0]))
            return lowest if lowest[2] > cheapest[2] else cheapest
        return min(rows, key=lambda row: (not row[3], *row[:3]))

    def sivakasi(self, t, opponent, own, low, high, by_game_points):
        rows = []
        for r in self.met(t):
            other = self.cell[t][r]["opp"]
            score = self.points(opponent, other)
            rival = self.points("g", other) if by_game_points else 0
            rows.append((score, rival, score * (self.cell[t][r][own] if own else 1)))
        rows.sort()
        rows = rows[low : max(len(rows) - high, low)]
        if not rows:
            return 0
        mean = sum(row[0] for row in rows) / Fraction(len(rows))
        total = sum(row[2] for row in rows)
        for r in self.rounds:
            kind, other = self.kind(t, r), self.cell[t][r]["opp"]
            if kind == "played":
                continue
            bye = kind in ("pairing", "full", "half")
            mine = self.rating[t]
            yours = None if other is None else self.rating[other]
            both = mine is not None and yours is not None
            if own:
                p = Fraction(0)
                if bye or kind in ("won", "default"):
                    p = Fraction(1, 2)
                if kind == "won" and both:
                    p = Fraction(str(round(float(expected_score(mine - yours)), 2)))
                total += mean * p * 2 * self.draw[own]
                continue
            delta = 0
            if bye:
                delta = -1
            elif kind == "won":
                lower = mine is not None and (yours is None or mine - yours >= 150)
                higher = yours is not None and (mine is None or yours - mine >= 150)
                delta = 1 if higher else -1 if lower and r == 0 else 0
                missed = self.R - len(self.met(other))
                if missed == 1 and self.points("m", other) > mean:
                    delta = self.points("m", other) - mean
            total += mean + delta
        return total


@examples(100)
@given(plans(), st.sampled_from(SUM_NAMES), st.sampled_from(CUTS), WEAKEST)
def test_the_slow_reference_agrees(plan, name, cut, weakest):
    check_against_the_slow_reference(planned(plan), name, cut, weakest)


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("name", SUM_NAMES)
def test_the_slow_reference_agrees_on_the_event_by_hand(tmp_path, name, cut):
    check_against_the_slow_reference(read(tmp_path), name, cut, "lowest-contribution")


def check_against_the_slow_reference(event, name, cut, weakest):
    slow, cut = Slow(event), within(cut, event.rounds)
    opponent, own = ("m", "") if name == "opponents" else name[1:3]
    number = int(cut[-1:] or 0)
    high, by_game_points = number * ("median" in cut), weakest != "lowest-contribution"
    how = opponent, own, number, high, by_game_points
    for unplayed in POLICIES:
        if unplayed == "average-buchholz" and name + cut != "opponents":
            continue
        found = evaluated(event, name + cut, unplayed, weakest)[0]
        if event.boards == 1 and name in LIBRARY:  # there a rule of the library counts in points
            for_teams, individual = LIBRARY[name].units
            found = found * for_teams / individual
        wanted = [float(slow.score(unplayed, t, *how)) for t in slow.teams]
        np.testing.assert_allclose(found, wanted, atol=2e-6, err_msg=unplayed)
