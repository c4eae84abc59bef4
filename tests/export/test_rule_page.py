"""The page of a rule: its numbers, its words, its policy, and its calculator."""

import base64
import hashlib
import json
import re
from random import Random

import numpy as np
import pytest
from helpers import random_surfaces, slow_after
from page_engine import Calculator
from page_reader import Page

from tb2learn.chess.results import Results
from tb2learn.export.rule_page import rule_data, table_html
from tb2learn.export.words import LANGUAGES, how_to_use, words
from tb2learn.text import plain
from tb2learn.tiebreaks.passes import HUNDRED, TENTHS, PassRule, most_refinement
from tb2learn.tiebreaks.rules import PassTable, formula_rule, product_table
from tb2learn.training import checkpoint
from tb2learn.training.tabulate import pass_table
from tb2learn.types import BYE

SURFACES = random_surfaces(3, rounds=5, boards=4)
TABLES = {
    "passes": lambda: pass_table(SURFACES, "passes"),
    "product": lambda: product_table(5, 4),
    "finer": lambda: pass_table(SURFACES[:2], "finer", finer=100),
    "olympiad-180x11": lambda: shipped("olympiad-180x11"),
    "uniform-180x11": lambda: shipped("uniform-180x11"),
}


def shipped(name):
    return checkpoint.load(name).rule()


def embedded(text):
    (data,) = (t for a, t in Page(text).all("script") if a.get("id") == "data")
    return json.loads(data)


@pytest.fixture(scope="module")
def surfaces():
    return {boards: random_surfaces(3, rounds=5, boards=boards) for boards in (1, 4, 12)}


@pytest.mark.parametrize(("rounds", "boards"), [(1, 12), (2, 1), (5, 4), (15, 4)])
def test_the_page_holds_the_numbers_of_the_tables(surfaces, rounds, boards):
    for rule in (product_table(rounds, boards), pass_table(surfaces[boards], "learned", rounds)):
        content = embedded(table_html(rule))
        np.testing.assert_array_equal(np.array(content["points"]), rule.tables)
        assert content["columns"] == rule.columns
        assert (content["parts"], content["unit"]) == (TENTHS, rule.unit)
        assert content["reduced"] == rule.reduced
        assert content["hasPar"] == (rule.name != "product")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["uniform-180x11", "olympiad-180x11"])
def test_every_language_says_everything(name, language):
    rule = shipped(name)
    text = table_html(rule, language)
    page = Page(text)
    # 69 KB are the entries of three passes.
    assert len(text.encode()) < 110_000
    assert page.all("html")[0][0]["lang"] == language
    assert [t for _, t in page.all("li")] == list(how_to_use(rule, language))
    assert page.all("title")[0][1] == f"{words(language)['doc.title']}: {name}"
    facts = dict(zip((t for _, t in page.all("dt")), (t for _, t in page.all("dd")), strict=True))
    assert facts[words(language)["doc.table"]] == name
    assert "20000" in facts[words(language)["doc.trained"]]
    heads = [t for _, t in page.all("h2")]
    assert heads[:3] == [
        words(language)[key] for key in ("doc.table", "html.calculator", "doc.how_to_use")
    ]
    assert not re.search(r"\{\w+\}", "".join(t for _, t in page.all("main")))


def hashed(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_nothing_is_loaded_and_only_the_own_script_runs():
    text = table_html(shipped("uniform-180x11"))
    page = Page(text)
    (policy,) = (a["content"] for a, _ in page.all("meta") if a.get("http-equiv"))
    ((_, style),) = page.all("style")
    (script,) = (t for a, t in page.all("script") if "type" not in a)
    assert policy == (
        f"default-src 'none'; style-src '{hashed(style)}'; script-src '{hashed(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert "://" not in text and "//" not in re.sub(r"(?m)(^|\s)//\s.*$", "", script)
    assert "@import" not in style and "url(" not in style
    attributes = {key for _, attrs in page.elements for key in attrs}
    assert not {key for key in attributes if key.startswith("on")}
    assert not attributes & {"src", "href", "action", "style", "srcset", "background"}


HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "</title><img src=x onerror=alert(1)>",
    "a & b &amp; \"c\" 'd'",
    "]]> \u2028 \u2029 \u202e",
    "{{ 7 * 7 }} {% raw %}",
)


@pytest.mark.parametrize("evil", HOSTILE)
def test_what_a_rule_says_of_itself_is_text(surfaces, evil):
    def named(text):
        config = {"name": text, "description": text, "event": {"teams": 9}}
        made = {"config": config, "events": text, "seed": text, "version": text}
        return pass_table(surfaces[4], text, provenance=made)

    page, harmless = Page(table_html(named(evil))), Page(table_html(named("harmless")))
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in harmless.elements]
    assert [t for _, t in page.all("dd")].count(plain(evil)) == 2
    assert page.all("h1")[0][1].endswith(plain(evil))


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
    return int(values[tiebreak.kept(results).summed[:, 0]].sum())


NOTHING = {"bye": True, "counts": False, "mp": 0, "counted": 0, "half": 0}


def typed(item):
    """A round as the page takes it."""
    if item is None:
        return NOTHING
    mp, tenths, half = item
    return {"bye": False, "counts": True, "mp": mp, "counted": tenths, "half": half}


@pytest.mark.parametrize("name", slow_after(3, TABLES))
def test_the_calculator_is_the_library(name):
    rule, random = TABLES[name](), Random(name)
    calculator = Calculator(rule_data(rule))
    passes, sums = len(rule.points) if isinstance(rule, PassTable) else 1, set()
    for _ in range(240):
        number = random.randrange(passes)
        own, items = random_team(random, rule, number)
        found = calculator.work_out(number, own, [typed(item) for item in items])["sum"]
        assert found == library_sum(rule, number, own, items)
        sums.add(found)
    assert len(sums) > 20


def test_the_calculator_of_a_formula_is_that_of_the_library():
    """In whole hundredths of a match point and ten-thousandths of a game point."""
    rule, random = formula_rule("formula", 5, 4, 0.22, 0.05), Random(0)
    calculator, tiebreak = Calculator(rule_data(rule)), rule.tiebreak()
    most = most_refinement(5, HUNDRED)
    for _ in range(100):
        own, items = random_team(random, rule, 0)
        counted = [HUNDRED * mp + random.randint(-most, most) for mp, *_ in items]
        half = [half for *_, half in items]
        rounds = [
            {"bye": False, "counts": True, "mp": mp, "counted": x, "half": half}
            for (mp, _, half), x in zip(items, counted, strict=True)
        ]
        values = tiebreak.looked_up(
            tiebreak.expected, np.int32(own), np.array(counted), np.array(half)
        )
        found = calculator.work_out(0, own, rounds)
        assert found == {"values": values.tolist(), "left": -1, "sum": int(values.sum())}
