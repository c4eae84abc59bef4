"""The page of a rule as it is written: its numbers, its words, its policy, what it knows."""

import base64
import hashlib
import json
import re

import numpy as np
import pytest
from helpers import random_surfaces
from page_reader import Page

from tb2learn.export.page.knowledge import script_pattern
from tb2learn.export.page.page import table_html
from tb2learn.export.words import LANGUAGES, how_to_use, words
from tb2learn.text import plain
from tb2learn.tiebreaks.rules import product_table
from tb2learn.training import checkpoint
from tb2learn.training.tabulate import pass_table


def embedded(text):
    (data,) = (t for a, t in Page(text).all("script") if a.get("id") == "data")
    return json.loads(data)


@pytest.fixture(scope="module")
def surfaces():
    return {boards: random_surfaces(3, rounds=5, boards=boards) for boards in (1, 4, 12)}


@pytest.mark.parametrize(("rounds", "boards"), [(1, 12), (2, 1), (5, 4), (15, 4)])
def test_the_page_holds_the_numbers_of_the_tables(surfaces, rounds, boards):
    rules = [
        product_table(rounds, boards),
        pass_table(surfaces[boards], "learned", rounds),
    ]
    for rule in rules:
        content = embedded(table_html(rule))
        np.testing.assert_array_equal(np.array(content["points"]), rule.tables)
        assert content["columns"] == rule.columns
        assert (content["rounds"], content["boards"]) == (rounds, boards)
        assert content["unit"] == rule.unit
        assert content["reduced"] == getattr(rule, "reduced", True)
        assert content["passes"] == (rule is rules[1])


def shipped(name):
    return checkpoint.load(name).rule()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["learned-180x11", "olympiad-180x11"])
def test_every_language_says_everything(name, language):
    rule = shipped(name)
    text = table_html(rule, language)
    page = Page(text)
    # 69 KB are the entries of three passes, 65 KB their surfaces, 80 KB the script.
    assert len(text.encode()) < 350_000
    assert page.all("html")[0][0]["lang"] == language
    assert [t for _, t in page.all("li")] == list(how_to_use(rule, language))
    assert page.all("title")[0][1] == f"{words(language)['doc.title']}: {name}"
    told = dict(zip((t for _, t in page.all("dt")), (t for _, t in page.all("dd")), strict=True))
    assert told[words(language)["doc.table"]] == name
    assert "20000" in told[words(language)["doc.trained"]]
    for label in ("html.calculator", "html.rank", "doc.how_to_use", "doc.table"):
        assert words(language)[label] in [t for _, t in page.all("h2")]
    assert not re.search(r"\{\w+\}", "".join(t for _, t in page.all("main")))


SPACED = ("a\u00a0b", "a\x1cb", "a\ufeffb", "a b", "a\u2028b", "a.b", "a\nb", "[a b]", "ab", " ")


@pytest.mark.parametrize(
    ("source", "flags"),
    [(r"a\sb", 0), (r"a\sb", re.ASCII), (r"a\Sb", 0), (r"a[\s.]b", 0), (r"a.b", 0),
     (r"\[a.b\]", 0), (r"(?:\A\s?|x)", 0)],
)  # fmt: skip
def test_regular_expressions_mean_the_same_in_the_script(page, source, flags):
    pattern = re.compile(source, flags)
    for text in SPACED:
        whole = page.call("matches", script_pattern(pattern), text)
        part = page.call("matches", script_pattern(pattern, whole=False), text)
        assert whole == bool(pattern.fullmatch(text)), text
        assert part == bool(pattern.search(text)), text


def hashed(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_nothing_is_loaded_and_only_the_own_script_runs():
    text = table_html(shipped("learned-180x11"))
    page = Page(text)
    (policy,) = (
        a["content"]
        for a, _ in page.all("meta")
        if a.get("http-equiv") == "Content-Security-Policy"
    )
    ((_, style),) = page.all("style")
    (script,) = (t for a, t in page.all("script") if "type" not in a)
    assert policy == (
        f"default-src 'none'; style-src '{hashed(style)}'; script-src '{hashed(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert script.count("\n") <= 1907  # with those between its 8 parts
    assert "://" not in text and "//" not in re.sub(r"(?m)(^|\s)//\s.*$", "", script)
    assert "@import" not in style and "url(" not in style
    attributes = {key for _, attrs in page.elements for key in attrs}
    assert not {key for key in attributes if key.startswith("on")}
    assert not attributes & {"src", "href", "action", "style", "srcset", "background"}


def test_standings_come_first_then_the_table_then_the_calculator():
    heads = [t for _, t in Page(table_html(shipped("learned-180x11"))).all("h2")]
    text = words("en")
    keys = ("html.rank", "doc.table", "html.calculator", "doc.how_to_use")
    assert heads[:4] == [text[key] for key in keys]


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

    rule, harmless = named(evil), Page(table_html(named("harmless")))
    page = Page(table_html(rule))
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in harmless.elements]
    assert embedded(table_html(rule))["table"] == evil
    assert [t for _, t in page.all("dd")].count(plain(evil)) == 2
    assert page.all("h1")[0][1].endswith(plain(evil))
