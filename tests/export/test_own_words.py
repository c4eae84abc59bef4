"""An export's own words suffice: who has the JSON alone computes TB2 of a whole event.

The reader knows the sentences of the instruction (words.csv) and numbers, nothing of the package.
"""

import json
from fractions import Fraction
from random import Random

import numpy as np
import pytest
import regulation_reader as reader
import slow_oracle
from helpers import random_surfaces, recorded_of

from tb2learn.catalogue import find_rule
from tb2learn.events import rank
from tb2learn.export.table import table_json
from tb2learn.tiebreaks.rules import formula_rule, product_table
from tb2learn.training.tabulate import pass_table


def tb2_of(exported, points, items):
    """TB2 of every team: own match points, and `reader.Item` of every round."""
    sheet = json.loads(exported)
    law = reader.Law(sheet["how_to_use"], "en")
    if law.says("use.expected"):
        return reader.by_formula(law, points, items)
    whole = "passes" not in sheet
    tables = [
        {
            (own, Fraction(gp)): dict(zip(sheet["opponent_mp"], row, strict=True))
            for own, block in zip(sheet["own_mp"], blocks, strict=True)
            for gp, row in zip(sheet["gp"], block, strict=True)
        }
        for blocks in ([sheet["points"]] if whole else sheet["passes"])
    ]
    if not whole:
        return reader.by_passes(law, points, items, tables)
    # Points are printed in whole units: "0 to 176, in units of 0.5".
    _, _, unit = sheet["header"]["points"].partition(", in units of ")
    found = []
    for own, rounds in zip(points, items, strict=True):
        entries = [0 if x.nothing else tables[0][own, x.gp][x.mp] for x in rounds]
        found.append(
            Fraction(unit or 1) * sum(entries[n] for n in reader.cut(law, rounds, entries))
        )
    return found


def items_of_baku(event):
    """Who was not paired met a virtual opponent: its MP before, and a point a round from then on.

    A bye that scores, or a win by default, gives the virtual opponent a point in that round, too.
    """
    played = reader.rounds_of(event)
    points = [sum(gained for _, gained, _, _ in rounds) for rounds in played]
    found = []
    for rounds in played:
        found.append([])
        for n, (opponent, _, gp, kind) in enumerate(rounds):
            mp = points[opponent] if kind == "played" else 0
            if kind != "played":
                before = sum(gained for _, gained, _, _ in rounds[:n])
                mp = before + (kind in ("pairing", "full", "half", "won")) + len(rounds) - 1 - n
            other = opponent if kind == "played" else None
            found[-1].append(reader.Item(other, mp, gp, first=kind == "pairing"))
    return points, found


@pytest.mark.parametrize("name", ["product", "olympiad-180x11", "learned-180x11", "formula"])
def test_who_has_the_json_alone_ranks_baku(name, baku):
    rule = find_rule(name, 11, 4)
    found = tb2_of(table_json(rule), *items_of_baku(baku))
    ours = {row.team: row.scores["tb2"] for row in rank(baku, rule)}
    wanted = [ours[team] for team in baku.teams]
    np.testing.assert_allclose([float(x) for x in found], wanted, rtol=0, atol=1e-9)


SURFACES = random_surfaces(3, rounds=5, boards=4)
RULES = {
    "product": lambda: product_table(5, 4),
    "one pass": lambda: pass_table(SURFACES[:1], "learned"),
    "three passes": lambda: pass_table(SURFACES, "learned"),
    "formula": lambda: formula_rule("formula", 5, 4, 2.3 / 10, 0.4 * 4 / 10, 3),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", RULES)
def test_rematches_and_byes_are_as_the_instruction_says(name):
    """Random pairs of nine teams, so one has a bye every round and some meet twice."""
    rule, random = RULES[name](), Random(name)
    for _ in range(3):
        rounds = []
        for _ in range(5):
            *order, rest = random.sample(range(9), 9)
            pairs = zip(order[::2], order[1::2], strict=True)
            rounds.append([(a, b, random.randint(0, 8)) for a, b in pairs] + [(rest, None, 4)])
        event = slow_oracle.played(9, 4, rounds)
        items = [
            [
                reader.Item(o, 0, 0, first=True, nothing=True)
                if o is None
                else reader.Item(o, event.mp[o], Fraction(half, 2))
                for o, half in of_team
            ]
            for of_team in event.items
        ]
        found = tb2_of(table_json(rule), event.mp, items)
        scores = np.asarray(rule.tiebreak().scores(recorded_of(9, 4, rounds))) * rule.unit
        near = rule.unit if name == "formula" else 0
        np.testing.assert_allclose([float(x) for x in found], scores, rtol=0, atol=near)
        assert len(set(found)) > 4
