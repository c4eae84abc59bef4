"""The workbook of a rule: the numbers of its tables, as values."""

import dataclasses
import io
import zipfile

import numpy as np
import pytest
from export_samples import opened, random_passes, random_table

from tb2learn.catalogue import load_rule
from tb2learn.export.table import confidence_of, expected_points
from tb2learn.export.words import words
from tb2learn.export.xlsx import POINTS_SHEET, table_xlsx
from tb2learn.tiebreaks import rules

HOSTILE = '=HYPERLINK("http://example.org","x")&+-@'


# --------------------------------------------------------------------------- the numbers


def check_numbers(rule, language="en"):
    """Every number of the table is on the sheet of its own MP, and in the rectangle."""
    book, every = opened(table_xlsx(rule, language)), rule.tables
    passes, shares, width, results = every.shape
    beyond = (width - shares) // 2
    heads = list(range(-beyond, width - beyond))
    gp = [half / 2 for half in range(results)]
    assert len(book.sheetnames) == 2 + shares
    assert all(len(name) <= 31 for name in book.sheetnames)

    rows = list(book[POINTS_SHEET].values)
    assert list(rows[0][3:]) == gp
    found = np.array([row[3:] for row in rows[1:]]).reshape(every.shape)
    np.testing.assert_array_equal(found, every)
    keys = np.array([row[:3] for row in rows[1:]]).reshape(passes, shares, width, 3)
    for number, own, column in np.ndindex(passes, shares, width):
        assert keys[number, own, column].tolist() == [number + 1, own, heads[column]]

    for own in range(shares):
        rows = list(book[f"MP {own}"].values)
        assert words(language)["doc.own_mp_number"].format(number=own) == rows[0][0]
        first = slice(None) if passes > 1 else slice(beyond, beyond + shares)
        assert list(rows[2][1:]) == heads[first]
        at = 3
        for number in range(passes):
            if passes > 1:
                assert rows[at][0] == words(language)["doc.pass_number"].format(number=number + 1)
                at += 1
            block = rows[at : at + results]
            assert [row[0] for row in block] == gp
            found = np.array([row[1:] for row in block], float)
            wanted = every[number, own].T.astype(float)
            if number == 0:  # an opponent counts as its match points: no other columns
                wanted[:, :beyond] = wanted[:, beyond + shares :] = np.nan
            np.testing.assert_array_equal(found, wanted[:, first])
            at += results + 1
        assert len(rows) == (at if rule.in_passes else at - 1)
        assert not rule.in_passes or rows[-1][0] == words(language)["doc.par"]
    return book


@pytest.mark.parametrize(
    "rule",
    [
        random_table(1, 1),
        random_table(4, 3),
        random_passes(1, 2, 1),
        random_passes(3, 2, 2),
        random_passes(4, 1, 3),
        rules.product_table(3, 2),
    ],
    ids=lambda rule: f"{rule.event_rounds}x{rule.boards}",
)
def test_all_numbers_can_be_read_back(rule):
    check_numbers(rule)


@pytest.mark.slow
@pytest.mark.parametrize(("rounds", "boards"), [(15, 12), (15, 1), (1, 12), (11, 4)])
def test_all_numbers_of_large_tables_can_be_read_back(rounds, boards):
    check_numbers(random_table(rounds, boards))
    check_numbers(random_passes(rounds, boards, 3))


# --------------------------------------------------------------------------- the file


def test_names_are_never_formulas():
    config = {"name": HOSTILE, "description": "@" + HOSTILE, "event": {"teams": 9}}
    made = {"config": config, "events": 7, "seed": 5, "version": "=1"}
    rule = dataclasses.replace(random_table(2, 2), name=HOSTILE + "\x01\u202e", provenance=made)
    book = opened(table_xlsx(rule))
    sheet = book.worksheets[0]
    assert not [c for row in sheet for c in row if c.data_type == "f"]
    texts = [c.value for row in sheet for c in row]
    assert HOSTILE in texts and HOSTILE + r"\x01\u202e" in texts
    for other in book.worksheets:
        assert HOSTILE[:10] in other.oddFooter.left.text
        assert "&&" in other.oddFooter.left.text or "&" not in other.oddFooter.left.text
    table_xlsx(dataclasses.replace(rule, name="&" * 300))
    names = zipfile.ZipFile(io.BytesIO(table_xlsx(rule))).namelist()
    assert not [name for name in names if "vba" in name.lower() or "external" in name.lower()]


@pytest.mark.parametrize("name", ["learned-38x9", "formula-38x9", "product"])
def test_a_workbook_has_values_alone(name):
    rule = load_rule(name)
    book = opened(table_xlsx(rule))
    cells = [cell for sheet in book.worksheets for row in sheet for cell in row]
    assert {cell.data_type for cell in cells} <= {"s", "n"}
    sheets = 3 + 2 * rule.event_rounds if rule.has_tables else 2
    assert len(book.sheetnames) == sheets + (confidence_of(rule) is not None)


def test_the_sheet_of_a_formula_has_what_it_expects():
    rule = load_rule("formula-38x9")
    rows = {row[0]: row[1] for row in opened(table_xlsx(rule))[POINTS_SHEET].values}
    for lead, points in expected_points(rule):
        assert rows[lead] == pytest.approx(points, abs=1e-4)
