"""The translation table and the instruction in every language."""

import csv
import itertools
import re
from importlib import resources
from string import Formatter

import pytest
from helpers import random_surfaces

from tb2learn.catalogue import find_rule
from tb2learn.export.words import LANGUAGES, decimal, how_to_use, note, of_hundred, words
from tb2learn.tiebreaks.rules import formula_rule, product_table
from tb2learn.tiebreaks.transfer import cost_of_format
from tb2learn.training.tabulate import pass_table

ROWS = [
    # The English lines of policies stand where help reads them.
    row | ({"en": words()[row["key"]]} if row["key"].startswith("policy.") else {})
    for row in csv.DictReader(
        resources.files("tb2learn.export").joinpath("words.csv").read_text("utf-8").splitlines()
    )
]

# Abbreviations of FIDE's regulations, and words that happen to be the same.
SAME = {
    "wall.date": "fr", "sheet.entries": "fr", "doc.table": "fr", "doc.mp": "hu es fr de",
    "doc.gp": "hu es fr de", "doc.tb2": "hu es fr de",
    "doc.format": "fr", "doc.points": "fr", "doc.config": "fr", "doc.description": "fr",
    "doc.version": "hu", "doc.place": "fr", "wall.federation": "es", "players.doc.mp": "fr",
    "list.table": "fr", "list.performance": "fr de", "players.sheet.mp": "fr",
    "players.wall.size": "hu es fr de",
}  # fmt: skip


@pytest.fixture(scope="module")
def surfaces():
    return random_surfaces(3, rounds=5, boards=4)


@pytest.fixture(scope="module")
def rules(surfaces):
    return [
        product_table(5, 4),
        product_table(1, 1),
        *(pass_table(surfaces[:n], "learned") for n in (1, 2, 3)),
        pass_table(surfaces, "learned", rounds=7),
        formula_rule("formula", 5, 4, 0.23, 0.1, 3),
        formula_rule("formula", 5, 1, 0.23, 0.1, 3),
    ]


def fields(text):
    return sorted({name for _, name, _, _ in Formatter().parse(text) if name is not None})


def test_every_text_is_in_all_languages():
    for row, language in itertools.product(ROWS, LANGUAGES):
        key, text = row["key"], row[language]
        prose = re.sub(r"\{\w+\}|\w+\.csv", "", row["en"])
        long = len(re.findall(r"[a-z]{3,}", prose)) > 2  # short labels of the page may be equal
        assert text and text == text.strip() and "  " not in text, (key, language)
        assert fields(text) == fields(row["en"]) and "" not in fields(text), (key, language)
        if language != "en" and (long or not key.startswith("html.")):
            assert (text == row["en"]) == (language in SAME.get(key, "").split()), (key, language)


def test_instructions_have_the_same_numbers_and_points_in_all_languages(rules):
    """What is not prose is the same: numbers, abbreviations, the formula's brackets."""
    for rule in rules:
        english = how_to_use(rule)
        for language in LANGUAGES[1:]:
            translated = how_to_use(rule, language)
            assert len(translated) == len(english)
            for one, other in zip(english, translated, strict=True):
                numbers = [
                    sorted(re.findall(r"\d+(?:\.\d+)?", text.replace(",", ".")))
                    for text in (one, other)
                ]
                assert numbers[0] == numbers[1]
                for word in ("TB2", "GP"):
                    assert (word in one) == (word in other), (language, one)
                assert one != other


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_format_costs_is_said_in_all_languages(language):
    """A judged rule by its name, and how many ties it costs; once in a sheet.

    The field of a printed table is that of the events that it was trained on.
    """
    rule = find_rule("uniform-180x11", 5, 4)
    said = note(rule, language)
    cost = cost_of_format(rule)
    for part in (rule.name, "11", decimal(of_hundred(cost.growth), words(language))):
        assert part in said
    assert "{" not in said and how_to_use(rule, language)[-1].count(said) == 1
    assert note(rule, language, 1000) != said
