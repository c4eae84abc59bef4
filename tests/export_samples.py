"""Random tables, and what is read back from the files that they are exported to."""

import io

import numpy as np
import openpyxl
import pypdfium2
import pypdfium2.raw as raw

from tb2learn.tiebreaks import rules
from tb2learn.tiebreaks.passes import PassRule, margin
from tb2learn.tiebreaks.tables import TableRule


def random_table(rounds, boards, seed=0):
    """A table in which every entry is another, or nearly: no two places can be confused."""
    shape = (2 * rounds + 1, 2 * rounds + 1, 2 * boards + 1)
    points = np.random.default_rng(seed).integers(0, 1000, shape, dtype=np.int32)
    return rules.Rule("random", rounds, boards, TableRule(points))


def random_passes(rounds, boards, passes, most=400):
    shape = (passes, 2 * rounds + 1, 2 * rounds + 1 + 2 * margin(rounds), 2 * boards + 1)
    points = np.random.default_rng(0).integers(-most, most, shape, dtype=np.int32)
    return rules.Rule("random", rounds, boards, PassRule(points))


def opened(content, **options):
    """A workbook."""
    return openpyxl.load_workbook(io.BytesIO(content), **options)


def page_texts(content):
    """The text of every page of a PDF, spaces and line ends as one space."""
    with pypdfium2.PdfDocument(content) as document:
        return [" ".join(page.get_textpage().get_text_range().split()) for page in document]


def letter_sizes(page):
    """The font sizes of all letters and digits on a page of a PDF, in points."""
    text = page.get_textpage()
    printed = (k for k in range(text.count_chars()) if raw.FPDFText_GetUnicode(text, k) > ord(" "))
    return {round(raw.FPDFText_GetFontSize(text, k), 2) for k in printed}
