"""The table of how sure orders are: the same in every printed form, and true to the map."""

import json

import numpy as np
import pytest
from export_samples import opened, page_texts

from tb2learn.catalogue import find_rule
from tb2learn.export.pdf import table_pdf
from tb2learn.export.rule_page import table_html
from tb2learn.export.table import (
    PROBABILITIES,
    confidence_of,
    printed_margins,
    sure_grid,
    table_json,
)
from tb2learn.export.words import LANGUAGES, decimal, words
from tb2learn.export.xlsx import table_xlsx

STEPS = {"uniform-180x11-pass1": 1.0, "formula-180x11": 0.01, "product": 0.5}
"""Rules with a map, and the step of the margins that are printed of them."""


@pytest.mark.parametrize("name", STEPS)
def test_printed_margins_are_the_least_that_hold(name):
    confidence = confidence_of(find_rule(name, 11, 4))
    margins = np.array(printed_margins(confidence))
    wanted = np.array(PROBABILITIES)
    own = np.arange(23)[:, None] + np.zeros(len(wanted), int)
    assert (confidence.probability(own, margins) >= wanted - 1e-9).all()
    assert (confidence.probability(own, margins - STEPS[name]) < wanted).all()
    np.testing.assert_allclose(margins / STEPS[name], np.rint(margins / STEPS[name]), atol=1e-6)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_stands_in_every_printed_form(language):
    rule = find_rule("formula-180x11", 11, 4)
    sentence, grid = sure_grid(rule, language)
    text = words(language)
    row = [str(cell) for cell in grid.rows[18]]
    printed = [decimal(cell, text) for cell in row]
    page = table_html(rule, language)
    assert sentence in page.replace("&#39;", "'")
    assert "".join(f"<td>{cell}</td>" for cell in row[1:]) in page
    shown = " ".join(page_texts(table_pdf(rule, language)))
    assert " ".join(printed) in shown and grid.heading in shown
    book = opened(table_xlsx(rule, language))
    cells = [list(values) for values in book[text["xlsx.sure"]].values]
    assert cells[1][0] == sentence and cells[4 + 18] == [float(cell) for cell in row]
    sure = json.loads(table_json(rule, language))["sure"]
    assert sure["how_to_read"] == sentence and sure["probability"] == list(PROBABILITIES)
    assert sure["margin"][18] == [float(cell) for cell in row[1:]]
