"""The page's script does the arithmetic of the library: standings under any policy, one team."""

import csv
import io
from random import Random

import numpy as np
import pytest
from helpers import random_surfaces, slow_after
from page_samples import folder, random_event, ratings_of
from page_vectors import canonical, read

from tb2learn.chess.results import Results
from tb2learn.events import rank
from tb2learn.events.unplayed.policies import POLICIES
from tb2learn.export.page.page import page_data
from tb2learn.export.standings import standings_table
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


PENALTIES = "team,match_points,game_points\nTeam 0,+1,-0.5\nTeam 1,+2,0\n"


@pytest.mark.parametrize("name", slow_after(3, SMALL))
def test_every_policy_is_that_of_the_library(page, name):
    """Odd events: byes, defaults, absences, ratings, penalties, hostile names, open rounds."""
    rule, random = SMALL[name](), Random(name)
    offered = list(page_data(rule, "en")["policies"])
    assert offered == list(POLICIES)
    for number in range(6):
        texts = {"matches.csv": random_event(random)}
        texts |= {"teams.csv": ratings_of(random)} if number % 2 else {}
        texts |= {"penalties.csv": PENALTIES} if number == 2 else {}
        files = folder(texts)
        event, found = read(files, {}), page.answer(rule, files, {}, offered)
        given = canonical(event)
        assert {key: found[key] for key in given} == given
        for policy, text in zip(offered, found["standings"], strict=True):
            expected = standings_table(rank(event, rule, unplayed=policy)).csv()
            # Scores of a formula are rounded to four decimals, from single precision.
            near = 4.1e-4 if name == "formula" else 0
            assert same(rows(text), rows(expected), near), policy
            assert near or text == expected


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("12,A,B,2,2", "is for 11 rounds, the event has 12."),
        ("11,A,B,3,3", "is for matches on 4 boards, the event has 6."),
    ],
)
def test_other_formats_are_refused_by_name(page, row, said):
    files = folder({"matches.csv": f"round,team_a,team_b,game_points_a,game_points_b\n{row}\n"})
    (text,) = page.answer(product_table(11, 4), files)["standings"]
    assert text == f"refused: The table product {said}"


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
    return int(values[tiebreak.counted(results)[0]].sum())


def typed(items, comma=False):
    """A team's rounds as they are typed; -0.3 and 14,3 too."""
    rows = []
    for item in items:
        if item is None:
            rows.append({"mp": "", "counted": "", "gp": "", "bye": True})
        else:
            mp, tenths, half = item
            counted = f"{tenths / TENTHS:g}".replace(".", "," if comma else ".")
            rows.append({"mp": str(mp), "counted": counted, "gp": f"{half / 2:g}", "bye": False})
    return rows


def worked_out(page, rule, number, own, rows):
    """What the calculator has: rounds filled in, what is wrong, the sum."""
    found = page.ask(rule, "checked", number, own, rows)
    total = page.ask(rule, "workOut", number, found["own"], found["items"])["sum"]
    return found["filled"], found["problems"], total


@pytest.mark.parametrize(
    "name", slow_after(3, dict.fromkeys(["olympiad-180x11", "passes", *TABLES]))
)
def test_the_calculator_is_the_library(page, name):
    rule, random = TABLES[name](), Random(name)
    passes, sums = len(rule.points) if isinstance(rule, PassTable) else 1, set()
    for k in range(40):
        number = random.randrange(passes)
        own, items = random_team(random, rule, number)
        expected = rule.event_rounds, [], library_sum(rule, number, own, items)
        assert worked_out(page, rule, number, str(own), typed(items, k % 2)) == expected
        sums.add(expected[2])
    assert len(sums) > 20
