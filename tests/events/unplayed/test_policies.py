"""Policies for unplayed rounds: events by hand, a slow reference, properties."""

from fractions import Fraction

import numpy as np
import pytest
import trf_samples
from helpers import random_surfaces
from hypothesis import given
from hypothesis import strategies as st
from quick import examples
from unplayed_samples import MATCHES, RATINGS

from tb2learn.catalogue import find_rule
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
from tb2learn.events.unplayed.policies import policy
from tb2learn.events.unplayed.record import event_record
from tb2learn.tiebreaks.library import LIBRARY, UNPLAYED_NOTES
from tb2learn.tiebreaks.rules import LookupTable, formula_rule, product_table
from tb2learn.training.tabulate import pass_table
from tb2learn.types import InputError

# --- an event by hand -----------------------------------------------------------------------------

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
    # A: 2x2, 7x1, [0x1], 2x1.5.  C: [D 1x2], 6x1, 2x2, 1x2.  D: C 7x0, [0x0], 2x1, 7x0.
    # E: [0x1], 2x.5, 1x1, 6x.5.
    "face-value": {
        "A": (11, 11, 14, 14), "C": (10, 9, 14, 12), "D": (16, 16, 2, 2), "E": (9, 9, 5, 5),
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


@pytest.mark.parametrize("name", BY_HAND)
def test_an_event_by_hand(tmp_path, name):
    event = read(tmp_path)
    found = scores_of(event, CRITERIA, name)
    for team, wanted in BY_HAND[name].items():
        assert found[team] == pytest.approx(wanted, abs=1e-4)
    for working in explain(event, "ABCDE", criteria(CRITERIA, event), unplayed=name):
        assert working.sums == found[working.team]
        for column, total in enumerate(working.sums):
            kept = [i.values[column] for i in working.items if not i.left_out[column]]
            assert sum(kept) == pytest.approx(total, abs=1e-3)


def test_a_fore_sum_takes_the_last_round_for_drawn(tmp_path):
    drawn = MATCHES.replace("4,A,E,1.5,0.5", "4,A,E,1,1").replace("4,C,D,2,0", "4,C,D,1,1")
    event = read(tmp_path)
    fore, usual = (scores_of(event, text, "c07") for text in ("fore-buchholz", "opponents"))
    assert fore == scores_of(read(tmp_path, drawn), "opponents", "c07") != usual


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
    ):
        (working,) = explain(event, ["A"], [rule], unplayed=name)
        assert working.sums == pytest.approx((wanted,), abs=3e-4), name
        assert rank(event, rule, unplayed=name)[1].scores["tb2"] == working.sums[0]


BAKU_RULES = {
    "learned": pass_table(random_surfaces(3, rounds=11, boards=4), "learned"),
    "formula": formula_rule("formula", 11, 4, 0.26, 0.05),
    "squares": LookupTable("squares", 11, 4, product_table(11, 4).points ** 2),
    **dict.fromkeys(
        ("product", "buchholz-cut1", "emgsb-median1", "buchholz+wins", "wins+aro",
         *(name for name, one in LIBRARY.items() if not one.individual)),
    ),
}  # fmt: skip
"""Every family of rules; `None` is the rule of that name."""


@pytest.mark.parametrize("name", BAKU_RULES)
def test_no_rule_ignores_the_policy_in_silence(baku, name):
    """On Baku 2016: it changes TB2, or is refused, or a note says that it has no say."""
    rule = BAKU_RULES[name] or find_rule(name, 11, 4)
    counted = {part.entry.unplayed for part in rule.parts} or {"completed"}
    assert bool(unplayed_notes(baku, rule)) == bool(counted & set(UNPLAYED_NOTES))
    usual, found = (
        evaluate(complete(baku, unplayed, "lowest-contribution"), [Criterion("tb2", rule)])[0]
        for unplayed in ("baku2016", "fide2026")
    )
    if "completed" in counted:
        assert (found != usual).sum() >= 5
    elif "games" not in counted:  # those that a policy counts as played
        assert (found == usual).all()


def test_one_name_is_one_number():
    event, unplayed = trf_samples.read(*trf_samples.SMALL), "baku2016"
    library = {name: one for name, one in LIBRARY.items()
               if one.needs != "colours" and not one.individual}  # fmt: skip
    cut = [f"{name}-cut1" for name, one in library.items() if one.cuts]
    for name in (*library, *cut, "product", "least-squares", "direct+buchholz"):
        rule = find_rule(name, event.rounds, event.boards)
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


def test_unknown_policy():
    with pytest.raises(InputError, match=r"must be one of baku2016, .*face-value, got 'x'"):
        policy("x")


BYE_KINDS = ["", "pairing", "full", "half", "zero", "default"]
SUM_NAMES = ["opponents", "emmsb", "emgsb", "egmsb", "eggsb"]
CUTS = ["", "-cut1", "-cut2", "-median1", "-median2"]


def within(cut, rounds):
    """A cut of no more opponents than there are rounds."""
    return cut[:-1] + str(min(int(cut[-1]), rounds)) if cut else cut


@st.composite
def plans(draw):
    """Small events with all kinds of rounds."""
    teams = draw(st.integers(2, 12))
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
    return rounds, boards, matches, teams


def planned(rounds, boards, matches, teams):
    """The event of a plan; types are checked at random, which no strategy may be."""
    return TeamEvent(
        name="any",
        teams=tuple(f"T{t}" for t in range(teams)),
        rounds=rounds,
        boards=boards,
        matches=tuple(Match(*match) for match in matches),
        ratings=((),) * teams,
    )


WEAKEST = st.sampled_from(["lowest-contribution", "fewest-game-points"])


# --- a slow reference, word for word from the regulations -----------------------------------------


class Slow:
    """Policies with exact fractions, one team and round at a time. Points `m` or `g` (games)."""

    def __init__(self, event):
        teams, self.R = range(len(event.teams)), event.rounds
        self.teams, self.rounds = teams, range(event.rounds)
        self.draw = {"m": Fraction(1), "g": Fraction(event.boards, 2)}
        blank = {"kind": "none", "opp": None, "m": Fraction(0), "g": Fraction(0)}
        self.cell = [[dict(blank) for _ in self.rounds] for _ in teams]
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
        return sum(self.cell[t][r][s] for r in (self.rounds if rounds is None else rounds))

    def voluntary(self, t, r):
        return self.kind(t, r) in ("none", "zero", "half", "lost")

    def seen(self, name, s, t):
        draw, final = self.draw[s], self.points(s, t)
        if name == "fide2026":
            return final + draw * sum(self.kind(t, r) in ("none", "zero") for r in self.rounds)
        if name in ("c07", "c07-2024"):
            last = max((r for r in self.rounds if not self.voluntary(t, r)), default=-1)
            return sum(
                draw if r > last and self.cell[t][r]["opp"] is None else self.cell[t][r][s]
                for r in self.rounds
            )
        return final

    def item(self, name, s, t, r):
        """Opponent's points and own result, or None."""
        cell = self.cell[t][r]
        kind, other, got, draw = cell["kind"], cell["opp"], cell[s], self.draw[s]
        before, final = self.points(s, t, range(r)), self.points(s, t)
        if kind == "played":
            return self.seen(name, s, other), got
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
        if name == "face-value":
            if self.round_robin and other is None:  # C.07: nobody misses a round there
                return None
            return self.seen(name, s, other) if named else 0, got
        raise AssertionError(name)

    def score(self, name, t, opponent, own, low, high, by_game_points):
        rows = []
        for r in self.rounds:
            item = self.item(name, opponent, t, r)
            if item is None:
                continue
            result = self.item(name, own, t, r)[1] if own else 1
            rival = self.item(name, "g", t, r)[0] if by_game_points else 0
            first = {
                "baku2016": self.kind(t, r) == "pairing",
                "fide2026": self.kind(t, r) in ("pairing", "half", "full", "default"),
                "c07": self.voluntary(t, r),
                "c07-2024": self.voluntary(t, r),
            }.get(name, False)
            rows.append((item[0], rival, item[0] * result, first))
        for n in range(low + high):
            if rows:
                rows.remove(self.next_out(name, rows, n < low))
        return sum(row[2] for row in rows)

    def next_out(self, name, rows, low):
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


@examples(100)
@given(plans(), st.sampled_from(SUM_NAMES), st.sampled_from(CUTS), WEAKEST)
def test_the_slow_reference_agrees(plan, name, cut, weakest):
    event = planned(*plan)
    slow, cut = Slow(event), within(cut, event.rounds)
    opponent, own = ("m", "") if name == "opponents" else name[1:3]
    number = int(cut[-1:] or 0)
    high, by_game_points = number * ("median" in cut), weakest != "lowest-contribution"
    how = opponent, own, number, high, by_game_points
    for unplayed in POLICIES:
        found = evaluated(event, name + cut, unplayed, weakest)[0]
        if event.boards == 1 and name in LIBRARY:  # there a rule of the library counts in points
            for_teams, individual = LIBRARY[name].units
            found = found * for_teams / individual
        wanted = [float(slow.score(unplayed, t, *how)) for t in slow.teams]
        np.testing.assert_allclose(found, wanted, atol=2e-6, err_msg=unplayed)
