"""Rules of one's own: on recorded and simulated events, beside those of the library."""

import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest
from event_samples import sheet_of

import tb2learn as tb
from tb2learn.config import from_dict
from tb2learn.events import rank
from tb2learn.events.unplayed.record import event_record
from tb2learn.export.wall import Standings, standings_document
from tb2learn.export.working import working_document
from tb2learn.simulation import programs

WORLD = from_dict({"name": "nine", "event": {"teams": 9, "rounds": 4, "boards": 2}})
"""Of an odd number of teams, so that one has a bye in every round."""


def products(event):
    """FIDE's product before the cut: what every match adds."""
    return event.opponent_points * event.half_points


def emgsb(event):
    """The same as a score a team."""
    return (event.opponent_points * event.half_points).sum(axis=0)


def uneven(event):
    """Fractions, chosen by value: only `jax.numpy` can do this in a compiled program."""
    return jnp.where(event.half_points > event.boards, event.opponent_points / 8, -0.125)


@pytest.fixture(scope="module")
def played():
    return tb.simulate(WORLD, events=20)


def error_by_hand(played, scores, top=None):
    ties = played.frame("ties")
    ties = ties if top is None else ties[ties.place <= top]
    verdict = scores[ties.event, ties.team - 1] - scores[ties.event, ties.other - 1]
    return ((1 - np.sign(verdict) * np.sign(ties.ahead)) / 2).mean()


# --- recorded events


@pytest.mark.parametrize("function", [products, emgsb])
def test_a_function_ranks_as_the_rule_of_the_library(baku, function):
    """Where no round is unplayed: the product rule without a cut is Sonneborn-Berger `emgsb`."""
    met = (event_record(baku).results.opponents >= 0).all(axis=0)
    ours = tb.rank(baku, tb.rule("mine", function)).set_index("team")
    theirs = tb.rank(baku, "emgsb").set_index("team")
    whole = [team for team, always in zip(baku.teams, met, strict=True) if always]
    assert len(whole) > 150
    # The library counts in points, the function in half points.
    assert (ours.tb2[whole] == 2 * theirs.tb2[whole]).all()
    assert ours.attrs["rule"] == "mine"


def test_the_working_is_what_every_match_adds_and_a_bye_what_is_said(baku):
    results = event_record(baku).results
    absent = int(np.flatnonzero((results.opponents < 0).any(axis=0))[0])
    away = results.opponents[:, absent] < 0
    for bye in (0, 2.5):
        rule = tb.rule("mine", products, bye=bye)
        working = tb.explain(baku, baku.teams[absent], rule)
        assert (working.value[away] == bye).all() and (working.value[~away] >= 0).all()
        totals = working.attrs["totals"][baku.teams[absent]]
        assert totals == {"mine": working.value.sum()}
        assert tb.rank(baku, rule).set_index("team").tb2[baku.teams[absent]] == totals["mine"]
    with pytest.raises(tb.InputError, match="sum over opponents"):
        tb.explain(baku, "Norway", tb.rule("mine", emgsb))


def test_sheets_and_the_page_for_the_wall_have_it(baku):
    bound = tb.rule("mine", products).bind(event_record(baku).results)
    sheet = working_document(sheet_of(baku, "Norway", [bound]))
    grid = sheet.parts[0]
    assert grid.heading == f"mine: TB2 = {sum(row[-1] for row in grid.rows[:-1]):g}"
    wall = standings_document(Standings(rank(baku, bound)))
    assert any("mine" in line for line in wall.foot.lines)


def test_compare_holds_it_against_the_order_of_rank(baku):
    compared = tb.compare(baku, tb.rule("mine", uneven))
    assert compared.attrs["new_rule"] == "mine" and compared.up.any()
    assert compared.set_index("team").new_place.to_dict() == (
        tb.rank(baku, tb.rule("mine", uneven)).set_index("team").place.to_dict()
    )


def test_a_function_cannot_change_the_event(baku):
    def greedy(event):
        event.half_points[:] = 0
        return event.match_points

    with pytest.raises(ValueError, match="read-only"):
        tb.rank(baku, tb.rule("greedy", greedy))


# --- simulated events


@pytest.mark.thorough
def test_an_error_rate_by_hand_is_that_of_assess(played):
    """Of whole numbers and of fractions, with byes; the same events, to the last digit."""
    rules = [tb.rule("whole", products), tb.rule("score", emgsb), tb.rule("uneven", uneven, bye=1)]
    judged = tb.assess([*rules, "learned", "formula"], played)
    frame = judged.frame.set_index(["rule", "top"]).error
    for rule in rules:
        scores = played.scores(rule)
        for top in (1, 3, 10, 30):
            assert frame[rule.name, str(top)] == error_by_hand(played, scores, top)
        assert frame[rule.name, "all"] == error_by_hand(played, scores)
    product = played.scores(tb.load_rule("product", rounds=4, boards=2))
    assert frame["product", "all"] == error_by_hand(played, product)
    # Rows have the names that were asked for, also where both are the same rule.
    assert judged.frame.rule.unique().tolist() == [
        "product", "whole", "score", "uneven", "learned", "formula",
    ]  # fmt: skip
    assert frame["whole"].tolist() == frame["score"].tolist() != frame["uneven"].tolist()
    compiled = programs.measure._cache_size()
    again = tb.assess([tb.rule("whole", products), *rules[1:], "learned", "formula"], played)
    pd.testing.assert_frame_equal(again.frame, judged.frame)
    assert programs.measure._cache_size() == compiled


def test_ties_are_the_pairs_of_equal_match_points(played):
    """Each pair once, with the places of its group, and the order of the oracle."""
    ties, own, oracle = played.frame("ties"), played.match_points, played.oracle
    # Of every two teams one match: two match points.
    assert oracle.shape == own.shape and (oracle.sum(axis=1) == 9 * 8).all()
    expected = [
        (event, one + 1, other + 1, points[one])
        for event, points in enumerate(own)
        for one in range(9)
        for other in range(one + 1, 9)
        if points[one] == points[other]
    ]
    assert sorted(zip(ties.event, ties.team, ties.other, ties.mp, strict=True)) == expected
    assert (ties.mp == own[ties.event, ties.team - 1]).all()
    for tie in ties.sample(20, random_state=1).itertuples():
        points = own[tie.event]
        assert tie.place == 1 + (points > tie.mp).sum()
        assert tie.last_place == (points >= tie.mp).sum()
        ahead = oracle[tie.event, tie.team - 1] - oracle[tie.event, tie.other - 1]
        assert tie.ahead == ahead and tie.better == (tie.team if ahead > 0 else tie.other)


@pytest.mark.thorough
def test_teams_of_equal_strength_have_no_better_one():
    world = from_dict({
        "name": "even", "event": {"teams": 4, "rounds": 2, "boards": 1},
        "field": {"low": 2000, "high": 2000, "player_sd": 0},
    })  # fmt: skip
    ties = tb.simulate(world, events=3).frame("ties")
    assert len(ties) and (ties.ahead == 0).all() and ties.better.isna().all()


# --- what is no rule


class Scores:
    """A tie-break that no compiled program knows."""

    def scores(self, event, tied=None):
        return event.own


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda event: event.half_points.T, r"\[rounds, teams\] = .*, got the shape \["),
        (lambda event: [event.match_points], "got a value of the type list"),
        (lambda event: object(), "got a value of the type object"),
        (lambda event: 1, "got 1|got the shape"),
        (lambda event: event.match_points * 1j, "whole numbers or fractions"),
        (lambda event: jnp.log(event.half_points - 99.0), "not (always )?a finite number"),
    ],
)
def test_what_a_function_gives_is_checked_everywhere(played, function, message):
    rule = tb.rule("mine", function)
    for use in (
        lambda: tb.rank("etcc2011", rule),
        lambda: tb.explain("etcc2011", "Hungary", rule),
        lambda: tb.assess(rule, WORLD, events=2),
        lambda: played.scores(rule),
    ):
        with pytest.raises(tb.InputError, match=message) as refused:
            use()
        assert str(refused.value).isprintable() and refused.value.__cause__ is None


@pytest.mark.parametrize(
    "function",
    [
        lambda event: np.where(event.half_points > 2, 1, 0),
        lambda event: event.half_points if event.match_points[0] else 0,
        lambda event: event.half_points[event.half_points > 2],
    ],
)
def test_a_function_that_cannot_be_compiled_is_refused_in_a_line(function):
    line = function.__code__.co_firstlineno
    with pytest.raises(tb.InputError, match=f"asks for a value in line {line}.*jnp.where"):
        tb.assess(tb.rule("mine", function), WORLD, events=2)


def test_only_functions_with_a_new_name_are_rules():
    for name, function, message in (
        ("product", products, "name must be a new one: product"),
        ("buchholz-cut2", products, "name must be a new one"),
        ("higher-seed", products, "name must be a new one"),
        ("two words", products, "name must be 1..100 ASCII letters"),
        ("mine", Scores, "got the class Scores"),
    ):
        with pytest.raises(tb.InputError, match=message):
            tb.rule(name, function)
    with pytest.raises(tb.InputError, match="bye must be"):
        tb.rule("mine", products, bye=float("nan"))
    with pytest.raises(tb.InputError, match="no compiled program takes"):
        tb.assess(tb.Rule("mine", 4, 2, Scores()), WORLD, events=2)
    with pytest.raises(tb.InputError, match="under the protocol single"):
        tb.assess("product", tb.simulate(WORLD, events=1), protocol="thesis")
    with pytest.raises(tb.InputError, match="is for matches on 4 boards"):
        tb.simulate(WORLD, events=1).scores(tb.load_rule("product"))
