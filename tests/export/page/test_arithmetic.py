"""The page's script does the arithmetic of the library: rules, policies, workings, verdicts."""

import csv
import io
from random import Random

import numpy as np
import pytest
from helpers import random_surfaces, slow_after
from page_samples import SAMPLES, folder, random_event
from page_vectors import canonical, read

from tb2learn.catalogue import find_rule, load_rule
from tb2learn.chess.results import Results
from tb2learn.events import explain, rank, usual_order
from tb2learn.events.unplayed.policies import POLICIES
from tb2learn.events.verdict import verdict
from tb2learn.export.page.page import page_data
from tb2learn.export.standings import order_line, standings_table
from tb2learn.tiebreaks.formula_constants import closed_formula
from tb2learn.tiebreaks.passes import TENTHS, PassRule, most_refinement
from tb2learn.tiebreaks.rules import PassTable, formula_rule, product_table
from tb2learn.training import checkpoint
from tb2learn.training.tabulate import pass_table
from tb2learn.types import BYE

SURFACES = random_surfaces(3, rounds=5, boards=4)
SMALL = {
    "passes": lambda: pass_table(SURFACES, "passes"),
    "product": lambda: product_table(5, 4),
    "formula": lambda: formula_rule("formula", 5, 4, 0.22, 0.05),
    "finer": lambda: pass_table(SURFACES[:2], "finer", finer=100),
}
TABLES = {name: make for name, make in SMALL.items() if name != "formula"} | {
    name: lambda name=name: checkpoint.load(name).rule()
    for name in ("olympiad-180x11", "learned-180x11")
}


def rows(text):
    return list(csv.reader(io.StringIO(text)))


def same(found, expected, near):
    """Equal rows; TB2 within `near`, which may change the order of teams that are that close."""
    if not near:
        return found == expected
    by_team = {row[1]: row for row in found[1:]}
    return len(found) == len(expected) and all(
        row[2] == other[2] and row[4:] == other[4:] and abs(float(row[3]) - float(other[3])) <= near
        for row, other in ((row, by_team[row[1]]) for row in expected[1:])
    )


@pytest.mark.parametrize("name", slow_after(3, SMALL))
def test_every_policy_is_that_of_the_library(page, name):
    """Odd events: byes, defaults, absences, hostile names, open rounds."""
    rule, random = SMALL[name](), Random(name)
    offered = list(page_data(rule, "en")["policies"])
    assert offered == list(POLICIES)
    for _ in range(4):
        files = folder({"matches.csv": random_event(random)})
        event, found = read(files, {}), page.answer(rule, files, {}, offered)
        given = canonical(event)
        assert {key: found[key] for key in given} == given
        for policy, text in zip(offered, found["standings"], strict=True):
            expected = standings_table(rank(event, rule, unplayed=policy)).csv()
            # Scores of a formula are rounded to four decimals, from single precision.
            near = 4.1e-4 if name == "formula" else 0
            assert same(rows(text), rows(expected), near), policy
            assert near or text == expected


@pytest.mark.parametrize("name", ["learned-180x11", "olympiad-180x11", "learned-8boards"])
def test_tables_are_rescaled_as_by_the_program(page, name):
    rule = load_rule(name)
    for rounds in (1, 2, 7, 13, 40) if name == "learned-180x11" else (1, 9, 13):
        found = np.array(page.ask(rule, "rescaledTables", rounds))
        np.testing.assert_array_equal(found, load_rule(name, rounds=rounds).tables)


def test_a_formula_and_the_product_rule_are_for_any_format(page):
    """The standings of three rounds on two boards, on pages of eleven rounds and four boards."""
    files = SAMPLES["cup"]
    event = read(files, {})
    for make in (closed_formula, product_table):
        rule, here = make(11, 4), make(event.rounds, event.boards)
        (text,) = page.answer(rule, files)["standings"]
        near = 4.1e-4 if here.constants else 0
        assert same(
            rows(text), rows(standings_table(rank(event, here, unplayed="baku2016")).csv()), near
        )


def test_other_boards_are_refused_by_name(page):
    files = folder({"matches.csv": "round,team_a,team_b,game_points_a,game_points_b\n1,A,B,3,3\n"})
    (text,) = page.answer(load_rule("learned-180x11"), files)["standings"]
    assert text == (
        "refused: The table learned-180x11 is for matches on 4 boards, the event has 6."
    )


@pytest.mark.parametrize("policy", ["baku2016", "c07", "face-value"])
def test_workings_verdicts_and_the_line_of_criteria(page, policy):
    rule, random = load_rule("learned-180x11"), Random(policy)
    files = folder({"matches.csv": random_event(random)})
    event = read(files, {})
    here, product = find_rule("learned-180x11", 5, 4), product_table(5, 4)
    pairs = [random.sample(range(len(event.teams)), 2) for _ in range(40)]
    sent = [[name, data.decode("latin-1")] for name, data in files.items()]
    said = page.call("said", page.page(rule), sent, policy, pairs)
    criteria = usual_order(event, here)
    assert said["order"] == order_line(event, policy, criteria)
    by_fide = {row.team: row.place for row in rank(event, product, unplayed=policy)}
    assert said["fide"] == [by_fide[team] for team in event.teams]
    for pair, decided in zip(pairs, said["verdicts"], strict=True):
        expected = verdict(event, tuple(pair), criteria, unplayed=policy)
        if not expected.criterion:
            assert decided is None
            continue
        assert [event.teams[decided[key]] for key in ("first", "second")] == [
            expected.first, expected.second
        ]  # fmt: skip
        assert (decided["high"], decided["low"]) == pytest.approx(expected.scores)
        assert decided["criterion"].startswith(expected.criterion.split()[0])
    for working, found in zip(
        explain(event, event.teams, [here, product], unplayed=policy), said["workings"], strict=True
    ):
        *_, last, fide = range(len(working.rules))
        for item, one in zip(working.items, found, strict=True):
            other = "" if one["other"] is None else event.teams[one["other"]]
            assert (item.round, item.opponent, item.gp) == (one["round"], other, one["half"] / 2)
            assert (item.values[last], item.values[fide]) == (one["value"], one["fide"])
            assert item.left_out[fide] == one["isFideOut"]


# --- the calculator of one team


def random_team(random, rule, number):
    """Own MP and rounds `(opponent MP, counts as in tenths, half points)`; None for a bye.

    Only a rule that leaves the weakest opponent out has byes: without values they are left out.
    """
    rounds, most = rule.event_rounds, most_refinement(rule.event_rounds)
    refined = isinstance(rule, PassTable) and number > 0
    pool = [random.randrange(2 * rounds + 1) for _ in range(random.choice((2, rounds)))]
    items = []
    for _ in range(rounds):
        mp = random.choice(pool)  # a small pool makes ties for the weakest
        tenths = TENTHS * mp + (random.randint(-most, most) if refined else 0)
        items.append((mp, tenths, random.randrange(2 * rule.boards + 1)))
    if rule.reduced and random.random() < 0.3:
        items[random.randrange(rounds)] = None
    return random.randrange(2 * rounds + 1), items


def library_sum(rule, number, own, items):
    """The sum by the library: the team is number 0 and meets number r in round r."""
    rounds = rule.event_rounds
    opponents = np.full((rounds, rounds + 1), BYE, np.int32)
    half_points = np.zeros((rounds, rounds + 1), np.int32)
    match_points = np.zeros(rounds + 1, np.int32)
    reading = np.zeros(rounds, np.int32)
    match_points[0] = own
    for r, item in enumerate(items):
        if item is not None:
            opponents[r, 0] = r + 1
            match_points[r + 1], reading[r], half_points[r, 0] = item
    results = Results(opponents, half_points, match_points, rule.boards)
    if not isinstance(rule, PassTable):
        return int(rule.tiebreak().scores(results)[0])
    tiebreak = PassRule(rule.points[: number + 1])
    values = tiebreak.value(np.int64(own), reading, half_points[:, 0])
    return int(values[tiebreak.kept(results).summed[0]].sum())


@pytest.mark.parametrize("name", slow_after(3, TABLES))
def test_the_calculator_is_the_library(page, name):
    rule, random = TABLES[name](), Random(name)
    passes, sums = len(rule.points) if isinstance(rule, PassTable) else 1, set()
    nothing = {"bye": True, "counts": False, "mp": 0, "reading": 0, "half": 0}
    for _ in range(40):
        number = random.randrange(passes)
        own, items = random_team(random, rule, number)
        typed = [
            {**nothing, "counts": True, "bye": False, "mp": item[0], "reading": item[1],
             "half": item[2]} if item else nothing
            for item in items
        ]  # fmt: skip
        found = page.ask(rule, "workOut", number, own, typed)["sum"]
        assert found == library_sum(rule, number, own, items)
        sums.add(found)
    assert len(sums) > 20
