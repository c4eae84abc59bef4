"""The workbook: the table's numbers, and a sheet whose formulas add up as the standings do."""

import dataclasses
import io
import zipfile
from random import Random

import jax.numpy as jnp
import numpy as np
import pytest
from export_samples import calculated, opened, random_passes, random_table
from helpers import slow_after

from tb2learn.chess.results import weakest_item
from tb2learn.export.words import words
from tb2learn.export.xlsx import FIRST_ROUND, POINTS_SHEET, table_xlsx
from tb2learn.tiebreaks import rules
from tb2learn.tiebreaks.passes import looked_up, most_refinement

WORKING_SHEET = 1  # the sheet to fill in follows the instruction
HOSTILE = '=HYPERLINK("http://example.org","x")&+-@'


# --------------------------------------------------------------------------- the numbers


def check_numbers(rule, language="en"):
    """Every number of the table is on the sheet of its own MP, and in the rectangle."""
    book, every = opened(table_xlsx(rule, language)), rule.tables
    passes, shares, width, results = every.shape
    beyond = (width - shares) // 2
    heads = list(range(-beyond, width - beyond))
    gp = [half / 2 for half in range(results)]
    assert len(book.sheetnames) == 3 + shares
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
        in_passes = isinstance(rule, rules.PassTable)
        assert len(rows) == (at if in_passes else at - 1)
        assert not in_passes or rows[-1][0] == words(language)["doc.par"]
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


# --------------------------------------------------------------------------- the working sheet


@dataclasses.dataclass(frozen=True)
class Team:
    """What an arbiter types: own MP, the pass, and per round None or an opponent.

    An opponent is the word for a bye, or its MP, what it counts as in tenths, and half points.
    """

    own: int
    number: int | None
    rounds: tuple


def random_team(random, rule, bye="bye"):
    """With byes, empty rounds, and many ties for the weakest opponent."""
    rounds, boards, passes = rule.event_rounds, rule.boards, len(rule.tables)
    most = most_refinement(rounds) if passes > 1 else 0
    few = [random.randint(0, 2 * rounds) for _ in range(2)]
    played = []
    for _ in range(rounds):
        mp = random.choice([*few, random.randint(0, 2 * rounds)])
        half = random.choice([random.randint(0, 2 * boards), boards])
        one = (mp, 10 * mp + random.randint(-most, most), half)
        played.append(random.choices([one, bye, None], [0.8, 0.12, 0.08])[0])
    number = random.choice([None, *range(1, passes + 1)])
    return Team(random.randint(0, 2 * rounds), number, tuple(played))


def expected(rule, team):
    """TB2 by the library; rounds without an entry are not there."""
    entered = [item for item in team.rounds if item is not None]
    if not entered:
        return 0
    every = rule.tables
    table = every[(team.number or len(every)) - 1]
    bye = np.array([isinstance(item, str) for item in entered])
    items = [(0, 0, 0) if isinstance(item, str) else item for item in entered]
    mp, tenths, half = (np.array(column) for column in zip(*items, strict=True))
    if isinstance(rule, rules.LookupTable):
        values = table[team.own, mp, half]
    else:
        values = np.asarray(looked_up(*map(jnp.asarray, (table, team.own, tenths, half))))
    values = np.where(bye, 0, values)
    if isinstance(rule, rules.PassTable):
        return int(values.sum())
    weakest = weakest_item(*map(jnp.asarray, (mp, values, bye)))
    return int(values.sum() - values[int(weakest)])


def typed(rule, team):
    """What to type into which cell of the working sheet; None empties it."""
    refined = len(rule.tables) > 1
    plain = not refined
    cells = {"B4": team.own, **({"B5": team.number} if refined else {})}
    for row, item in enumerate(team.rounds, start=FIRST_ROUND + 1):
        if isinstance(item, str):
            cells[f"B{row}"] = item
        elif item is not None:
            mp, tenths, half = item
            values = [*([mp] if plain else []), *([tenths / 10] if refined else []), half / 2]
            cells |= {f"{letter}{row}": v for letter, v in zip("BCD", values, strict=False)}
    return cells


def working_book(rule, language):
    """The working sheet, under the name of `Working`, and the points."""
    book = opened(table_xlsx(rule, language))
    book.worksheets[WORKING_SHEET].title = "Working"
    for name in book.sheetnames:
        if name not in ("Working", POINTS_SHEET):
            del book[name]
    return book


def by_formulas(rule, inputs, path, language="en"):
    """The working sheet after each of the inputs, by a spreadsheet engine in Python."""
    working_book(rule, language).save(path / "empty.xlsx")
    yield from calculated(path / "empty.xlsx", "Working", inputs)


SMALL = [random_table(3, 2), random_passes(2, 2, 3), random_passes(3, 1, 2)]
WRONG = [(5.5, 1), (7, 1), (-1, 1), (2, 2.5), (2, 0.3), (2, -0.5), (2, None), (None, 1.5)]
WRONG += [("four", 1), (2, "1")]
"""Rows that are refused: the opponent's match points and game points, of 3 rounds on 2 boards."""


def random_teams(rule, count, bye="bye"):
    random = Random(rule.event_rounds * 100 + rule.boards)
    return [random_team(random, rule, bye) for _ in range(count)]


def check_sums(rule, engine, path, teams, language="en"):
    """What is filled in, TB2 and no message; the sheets."""
    last = FIRST_ROUND + rule.event_rounds
    sheets = list(engine(rule, [typed(rule, team) for team in teams], path, language))
    for team, value in zip(teams, sheets, strict=True):
        assert value(f"B{last + 1}") == sum(item is not None for item in team.rounds)
        assert value(f"B{last + 2}") == expected(rule, team), team
        assert value(f"C{last + 2}") == ""
    return sheets


@pytest.mark.thorough
@pytest.mark.parametrize(
    "rule", slow_after(1, SMALL[1:]), ids=lambda r: f"{type(r).__name__}-{len(r.tables)}"
)
def test_the_sheet_adds_up_as_the_library(rule, tmp_path):
    check_sums(rule, by_formulas, tmp_path, random_teams(rule, 6))


def test_a_sheet_adds_up_marks_what_is_left_out_and_what_is_wrong(tmp_path):
    """A bye is named in the language of the sheet or in English; of equal rounds the first goes."""
    rule, text = SMALL[0], words("hu")
    two, ties = ((4, 40, 3), (2, 20, 1)), ((4, 40, 3), (2, 20, 4), (2, 20, 1))
    teams = [Team(1, None, (*two, bye)) for bye in ("Erőnyerő", " BYE ")] + [Team(5, None, ties)]
    teams += [
        Team(5, None, ((2, 20, 2), *two[:1], (2, 20, 2))),
        Team(5, None, ("bye", "bye", two[0])),
    ]
    right = typed(rule, Team(3, None, ((2, 20, 3),)))
    rows = [right | {"B9": mp, "C9": gp} for mp, gp in WRONG]
    owns = [right | {"B4": own} for own in (None, 7, 2.5, "x")]

    def every(rule, inputs, path, language):
        sheets = list(by_formulas(rule, [*inputs, *rows, *owns], path, language))
        found.extend(sheets[len(inputs) :])
        return sheets[: len(inputs)]

    found = []
    sheets = check_sums(rule, every, tmp_path, [*random_teams(rule, 6), *teams], "hu")
    weaker = min((1, 2), key=lambda r: rule.points[5, 2, ties[r][2]])
    for out, value in zip((2, 2, weaker, 0, 0), sheets[6:], strict=True):
        marks = [value(f"E{row}") for row in range(8, 11)]
        assert marks == ["kimarad" if row == out else "" for row in range(3)]
    for case, value in zip(WRONG, found, strict=False):
        assert value("B12") == "", case
        assert value("F9") == text["xlsx.wrong_row"]
        assert value("C12") == text["xlsx.wrong_rows"]
        assert value("D8") == rule.points[3, 2, 3]
    for value in found[len(WRONG) :]:
        assert value("C12") == text["xlsx.need_own"].format(most=6)
        assert value("D8") == value("B12") == ""


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


# --------------------------------------------------------------------------- a formula, the paper


def test_the_sheet_of_a_formula_adds_up(tmp_path):
    """Of what an opponent counts as, its game points above those expected; empty rounds nothing."""
    rule = rules.formula_rule("f", 3, 4, 0.25, 0.1)
    typed = {"B4": 4, "B8": 2.75, "C8": 3.5, "B9": 6, "C9": 0.5, "B10": "", "C10": ""}
    (value,) = by_formulas(rule, [typed], tmp_path)
    # 4 / (1 + 10^(-1.25/1.5)) = 3.48803 of a lead of 1.25, 4 / (1 + 10^(2/1.5)) = 0.17743 of -2.
    assert value("B12") == pytest.approx(3.5 - 3.4880 + 0.5 - 0.1774, abs=1e-9)
