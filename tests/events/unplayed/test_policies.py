"""Policies for unplayed rounds: events by hand, and that no rule ignores one in silence."""

import numpy as np
import player_samples
import pytest
import trf_samples
from event_samples import explained
from helpers import random_surfaces
from unplayed_samples import MATCHES, RATINGS

from tb2learn.catalogue import find_rule
from tb2learn.events import (
    has_working,
    rank,
    read_criteria,
    read_event,
    unplayed_notes,
    usual_policy,
)
from tb2learn.events.criteria import Criterion, complete, evaluate
from tb2learn.events.unplayed.policies import policy
from tb2learn.tiebreaks.library import LIBRARY, UNPLAYED_NOTES
from tb2learn.tiebreaks.rules import Rule, formula_rule, product_table
from tb2learn.tiebreaks.tables import TableRule
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
    # What was not played is a draw for opponents: A 6, B 3, C 6, D 3, E 2.
    # A: 3x2, 6x1, asked for 3+1+1 = 5x1, [2x1.5].  C: virtual 0+0+3 = 3x2, 6x1, 3x2, [3x2].
    # D: 0+2+3 = 5x0, 0+2+2 = 4x0, [2x1], 6x0.  E: bye 0+1+3 = 4x1, [3x.5], 3x1, 6x.5.
    "c07-2009": {
        "A": (16, 14, 20, 17), "C": (15, 12, 24, 18), "D": (17, 15, 2, 0), "E": (16, 13, 11.5, 10),
    },
    # The same opponents, and nothing for own rounds without a match, which go first.
    # A: 3x2, 6x1, [0], 2x1.5.  C: [0], 6x1, 3x2, 3x2.  D: [0], 0, 2x1, 6x0.
    # E: [0], 3x.5, 3x1, 6x.5.
    "olympiad2010": {
        "A": (11, 11, 15, 15), "C": (12, 12, 18, 18), "D": (8, 8, 2, 2), "E": (12, 12, 7.5, 7.5),
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
    return read_criteria(event, [text], lambda name: find_rule(name, event.rounds, event.boards))


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
    for working in explained(event, "ABCDE", criteria(CRITERIA, event), unplayed=name):
        assert working.sums == found[working.team]
        for column, total in enumerate(working.sums):
            kept = [i.values[column] for i in working.items if not i.left_out[column]]
            assert sum(kept) == pytest.approx(total, abs=1e-3)


def test_a_fore_sum_takes_the_last_round_for_drawn(tmp_path):
    drawn = MATCHES.replace("4,A,E,1.5,0.5", "4,A,E,1,1").replace("4,C,D,2,0", "4,C,D,1,1")
    event = read(tmp_path)
    fore, usual = (scores_of(event, text, "c07") for text in ("fore-buchholz", "opponents"))
    assert fore == scores_of(read(tmp_path, drawn), "opponents", "c07") != usual


def test_before_the_final_round_fore_buchholz_is_buchholz(tmp_path):
    """Round 3 of four is not the final one, whether the file says so or the event is cut there."""
    event = read(tmp_path)
    short = "".join(line for line in MATCHES.splitlines(True) if line[0] != "4")
    whole = scores_of(read(tmp_path, short), "fore-buchholz", "c07")
    (tmp_path / "event.csv").write_text("key,value\nrounds,4\n")
    for cut in (event.after(3), read(tmp_path, short)):
        fore, usual = (scores_of(cut, text, "c07") for text in ("fore-buchholz", "opponents"))
        assert fore == usual != whole
        assert scores_of(cut, "mp,mean-buchholz/F", "c07") == scores_of(
            cut, "mp,mean-buchholz", "c07"
        )


PLAYERS_OF_2015 = (
    player_samples.entry(1, "Ace", 2.0, "2 w 1", "0 - H", "3 b ="),
    player_samples.entry(2, "Bat", 1.0, "1 b 0", "4 w -", "0 - U"),
    player_samples.entry(3, "Cat", 2.5, "4 b 1", "5 w 1", "1 w ="),
    player_samples.entry(4, "Dog", 1.0, "3 w 0", "2 b +", "0 - Z"),
    player_samples.entry(5, "Elk", 0.0, "0 - Z", "3 b 0", "0 - Z"),
)
"""A half-point bye, a forfeit, a bye in the last round, absences before and after a game."""


@pytest.mark.parametrize(("year", "usual"), [("2015", "c07-2009"), ("2024", "c07-2024")])
def test_virtual_opponents_of_players(year, usual):
    """Seen with halves for what was not played: Ace 2, Bat 1, Cat 2.5, Dog 1, Elk 1."""
    event = player_samples.read(f"042 {year}/08/01", "012 Open", *PLAYERS_OF_2015)
    assert usual_policy(event) == usual
    rows = rank(event, criteria("PTS,BH,SB", event), unplayed="c07-2009")
    assert {row.team: tuple(row.scores.values()) for row in rows} == {
        # Virtual opponents: 1 + .5 + .5; Bat's 0 + 1 + .5, then 0 + 0 and no round left.
        "Ace": (2, 1 + 2 + 2.5, 1 + 2 / 2 + 2.5 / 2),
        "Bat": (1, 2 + 1.5 + 0, 0),
        "Cat": (2.5, 1 + 1 + 2, 1 + 1 + 2 / 2),
        # Won by default: 0 + 0 + .5; absent: 1 + 1.
        "Dog": (1, 2.5 + 0.5 + 2, 0.5),
        # Absent: 0 + 1 + 1, and 0 + 1.
        "Elk": (0, 2 + 2.5 + 1, 0),
    }


def test_in_a_round_robin_of_that_time_nothing_is_adjusted():
    event = player_samples.read(*player_samples.round_robin().decode().splitlines())
    for text in ("PTS,BH,SB", "PTS,BH/C1,KS"):
        order = criteria(text, event)
        assert (
            rank(event, order, unplayed="c07-2009").rows
            == rank(event, order, unplayed="face-value").rows
        )


def test_three_points_for_a_win_have_their_virtual_opponent(tmp_path):
    """Whoever lost by default, or was absent, met a winner: D 0 + 3 + 3 later, 0 + 3 + 2."""
    (tmp_path / "event.csv").write_text('key,value\nmatch_points,"3,1,0"\n')
    event = read(tmp_path)
    (working,) = explained(event, ["D"], criteria("opponents", event), unplayed="c07-2009")
    assert [item.opponent_mp for item in working.items][:2] == [6, 5]


BAKU_RULES = {
    "learned": pass_table(random_surfaces(3, rounds=11, boards=4), "learned"),
    "formula": formula_rule("formula", 11, 4, 0.26, 0.05),
    "squares": Rule("squares", 11, 4, TableRule(product_table(11, 4).tables[0] ** 2)),
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
    assert bool(unplayed_notes(baku, [Criterion("tb2", rule)])) == bool(
        counted & set(UNPLAYED_NOTES)
    )
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
            for working in explained(event, event.teams, both, unplayed=unplayed):
                assert {*working.sums} == {alone[working.team]}
        else:
            with pytest.raises(InputError, match=r"is not a sum over opponents"):
                explained(event, event.teams[:1], [rule])


def test_unknown_policy():
    with pytest.raises(InputError, match=r"must be one of baku2016, .*face-value, got 'x'"):
        policy("x")
