"""The PDF: the table's numbers in order on the right pages, all within the paper."""

import dataclasses
import re

import numpy as np
import pypdfium2
import pytest
from export_samples import page_texts, random_passes, random_table

from tb2learn.export.pdf import table_pdf
from tb2learn.export.words import LANGUAGES, decimal, how_to_use, words
from tb2learn.tiebreaks import rules
from tb2learn.tiebreaks.tables import TableRule
from tb2learn.types import InputError

MADE = {
    "config": {"name": "c", "description": "d", "event": {"teams": 9}},
    "events": 7,
    "seed": 5,
    "version": "0.0",
}


def check_numbers(rule, language="en", booklet=True):
    """Every table is whole, in order, right after its title.

    In the first pass an opponent counts as its match points: other columns are not printed.
    """
    texts, text = page_texts(table_pdf(rule, language, booklet)), words(language)
    every = rule.tables
    passes, shares, width, results = every.shape
    beyond = (width - shares) // 2
    at = []
    for number, own in np.ndindex(passes, shares):
        own = shares - 1 - own  # leaders first
        used = range(width) if number else range(beyond, beyond + shares)
        heads = ["GP", *(str(column - beyond) for column in used)]
        title = text["doc.own_mp_number"].format(number=own)
        if passes > 1:
            title += f" ({text['doc.pass_number'].format(number=number + 1)})"
        rows = [
            [decimal(f"{half / 2:g}", text), *map(str, every[number, own, used, half])]
            for half in range(results)
        ]
        wanted = " ".join([title, *heads, *(cell for row in rows for cell in row)]) + " "
        found = [page for page, shown in enumerate(texts) if wanted in f"{shown} "]
        assert len(found) == 1, (title, wanted[:200])
        at += found
    assert at == sorted(at) and set(at) == set(range(1, len(texts)))
    assert booklet or at == list(range(1, 1 + passes * shares))
    for number, shown in enumerate(texts, start=1):
        assert text["doc.page"].format(page=number, pages=len(texts)) in shown
        assert re.search(r"tb2learn \d+\.\d+", shown) and rule.name in shown
    return texts


@pytest.mark.parametrize("booklet", [True, False])
@pytest.mark.parametrize(
    "rule",
    [
        random_table(1, 1),
        random_table(5, 4),
        random_passes(4, 3, 3),
        random_passes(2, 12, 2),
        random_passes(3, 2, 1),
        random_table(15, 1),
    ],
    ids=lambda rule: f"{rule.event_rounds}x{rule.boards}",
)
def test_all_numbers_are_on_their_pages(rule, booklet):
    pages = len(check_numbers(rule, booklet=booklet))
    assert rule.event_rounds < 15 or (pages <= 8 if booklet else pages == 32)


@pytest.mark.slow
@pytest.mark.parametrize("booklet", [True, False])
@pytest.mark.parametrize(("rounds", "boards"), [(15, 12), (11, 4), (1, 12), (9, 4)])
def test_all_numbers_of_large_tables_are_on_their_pages(rounds, boards, booklet):
    check_numbers(random_table(rounds, boards), booklet=booklet)
    check_numbers(random_passes(rounds, boards, 3, most=500), booklet=booklet)


def test_nothing_is_cut_off():
    """Every character of a full page of the widest numbers is within the margins."""
    with pypdfium2.PdfDocument(table_pdf(random_passes(15, 12, 1, most=499))) as document:
        page = document[1]
        shown, (width, height) = page.get_textpage(), page.get_size()
        boxes = [shown.get_charbox(n) for n in range(shown.count_chars())]
        left, low, right, high = zip(*(box for box in boxes if box[2] > box[0]), strict=True)
        assert min(left) > 20 and max(right) < width - 20
        assert min(low) > 15 and max(high) < height - 15


def test_numbers_too_long_to_print_are_refused():
    points = np.full((31, 31, 25), 10**8, np.int32)
    with pytest.raises(InputError, match="the numbers of long are too long to be printed"):
        table_pdf(rules.Rule("long", 15, 12, TableRule(points)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_is_printed(language):
    for rule in (random_table(2, 2), random_passes(2, 2, 3)):
        rule = dataclasses.replace(rule, provenance=MADE, trained_rounds=5)
        front = check_numbers(rule, language)[0]
        text = words(language)
        for key in ("title", "how_to_use", "example", "config", "trained", "tb2", "round"):
            assert text[f"doc.{key}"] in front
        for sentence in how_to_use(rule, language):
            assert sentence in front
    if language == "hu":
        assert "ő" in front and "ű" in front


def test_names_are_not_markup():
    name = "<b>x</b> & <font size=40>y</font>"
    made = MADE | {"config": {"name": "&lt;<i>", "event": {"teams": "</para><br/>\u202e\x07&amp;"}}}
    rule = dataclasses.replace(random_table(2, 2), name=name, provenance=made, trained_rounds=7)
    front = page_texts(table_pdf(rule))[0]
    assert f"Table: {name}" in front
    assert f"Note: {name} was trained at 7 rounds" in front
    assert r"</para><br/>\u202e\x07&amp;" in front and "Configuration: &lt;<i>" in front
    formula = dataclasses.replace(rules.formula_rule("f", 5, 4, 0.2, 0.1), name=name)
    assert name in page_texts(table_pdf(formula))[0]


def test_a_formula_is_one_page():
    for language in LANGUAGES:
        formula = rules.formula_rule("f", 5, 4, 0.23, 0.1)
        (page,) = page_texts(table_pdf(formula, language))
        assert (
            words(language)["doc.formula_title"] in page
            and decimal("a = 2.3 MP", words(language)) in page
        )
        for sentence in how_to_use(formula, language):
            assert sentence in page
