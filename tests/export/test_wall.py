"""The page for the wall: both places, what moved, the columns and what they mean; every form."""

import dataclasses
import html
import re
from functools import partial

import player_samples
import pypdfium2
import pytest
import trf_samples
from export_samples import letter_sizes, opened, page_texts
from helpers import ROOT

from tb2learn.catalogue import find_rule, load_rule
from tb2learn.events import rank, read_criteria, read_event
from tb2learn.export.document import Document, Grid, grids
from tb2learn.export.forms import LANGUAGES, PRINTED, printed
from tb2learn.export.html import document_html
from tb2learn.export.standings import rank_event, values_csv
from tb2learn.export.wall import Standings, standings_document, standings_to_print
from tb2learn.export.xlsx import document_xlsx
from tb2learn.text import on_paper
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError

HOSTILE = '=HYPERLINK("http://x")<script>alert(1)</script>\u202e'


@pytest.fixture(scope="module")
def standings():
    event = read_event("baku2016").after(9)
    learned = load_rule("learned-38x9-pass1")
    ranking = rank(event, learned, unplayed="baku2016")
    return Standings(ranking, ranking.by(product_table(9, 4)), ("a note",))


def test_places_of_both_rules_and_what_moved(standings):
    document = standings_document(standings)
    said, table, movers = document.parts
    assert said.lines == ("MP: match points, TB2: learned-38x9-pass1, GP: game points",)
    assert table.heads == (
        "Place", "Team", "MP", "TB2", "GP", "BH/C1", "Place by FIDE's rule", "Moved",
        "TB2 by FIDE's rule", "Rating", "No.", "Remarks",
    )  # fmt: skip
    other = {row.team: row for row in standings.beside}
    starts = {team: start for start, team in enumerate(standings.event.teams, start=1)}
    means = standings.event.frame("teams").set_index("team")["rating"].fillna(0)
    for cells, row in zip(table.rows, standings.ranking.rows, strict=True):
        up = other[row.team].place - row.place
        moved = "=" if not up else f"\u25b2{up}" if up > 0 else f"\u25bc{-up}"
        scores = [row.scores[name] for name in ("mp", "tb2", "gp", "tb4")]
        assert list(cells[:6]) == [row.place, row.team, *scores]
        assert list(cells[6:8]) == [other[row.team].place, moved]
        assert cells[8] == other[row.team].scores["tb2"]
        assert list(cells[9:11]) == [round(means[row.team]) or "", starts[row.team]]
    scores = [row.scores["mp"] for row in standings.ranking.rows]
    assert table.ruled == {n for n in range(1, len(scores)) if scores[n] != scores[n - 1]}
    moves = [abs(other[row[1]].place - row[0]) for row in movers.rows]
    assert moves == sorted(moves, reverse=True) and len(moves) == 10


def test_the_first_page_has_title_date_and_rule(standings):
    about = {"start": "2016/09/02", "end": "2016/09/13"}
    event = dataclasses.replace(standings.event, about=about)
    ranking = dataclasses.replace(standings.ranking, event=event)
    page = dataclasses.replace(standings, ranking=ranking, title="42nd Olympiad")
    first, *_, last = page_texts(printed(standings_document(page), "pdf"))
    for part in ("42nd Olympiad", "2016-09-02 \N{EN DASH} 2016-09-13", "rule 14 of 2016", "a note"):
        assert part in first and part not in last.replace("42nd Olympiad", "")
    for language in LANGUAGES:
        shown = standings_document(dataclasses.replace(standings, language=language))
        assert "product" not in document_html(shown)
    long = dataclasses.replace(standings, notes=("a long note " * 20,) * 30)
    assert "a long note" in page_texts(printed(standings_document(long), "pdf"))[-1]


@pytest.mark.parametrize("name", ["\u05e9\u05d7\u05de\u05d8", "\u4e2d\u56fd"])
def test_names_that_a_pdf_cannot_show_are_for_html(standings, name):
    document = standings_document(dataclasses.replace(standings, title=name))
    with pytest.raises(InputError, match=r"a PDF cannot show these letters: write an \.html"):
        printed(document, "pdf")
    assert name in document_html(document) and printed(document, "xlsx")


def test_heads_are_words_or_codes_and_the_foot_says_what_they_mean():
    """Never TB3 to TB6, "tie-break 3", nor the name of an option or of a policy."""
    players = player_samples.read(*player_samples.HELD)
    for event, listed, heads in (
        (players, None, ["Points", "DE", "BH/C1", "BH", "SB", "WIN", "BWG"]),
        (players, ["points", "formula", "wins+buchholz-median1"],
         ["Points", "Tie-break", "WIN+BH/M1"]),
        (read_event("baku2016"), None, ["MP", "TB2", "GP", "BH/C1"]),
        (read_event("baku2016"), ["mp", "product", "opponents", "tb2:koya"],
         ["MP", "EMGSB/C1", "opponents", "KS"]),
    ):  # fmt: skip
        for language in LANGUAGES if listed is None else LANGUAGES[:1]:
            orders, _ = standings_to_print(rank_event(event, listed), language=language)
            document = standings_document(orders[0])
            (table,) = list(grids(document.parts))[:1]
            end = 2 + len(heads)
            if language == "en":
                assert list(table.heads[2:end]) == heads
                meanings = document.foot.lines[1 : 1 + len(heads)]
                assert [line.partition(": ")[0] for line in meanings] == heads
            assert list(table.heads[3:end]) == heads[1:] or event.individual
            page = document_html(document)
            assert not re.search(r"TB[13-9]|tie-break [0-9]|(^|\s|\()--[a-z]|baku2016:|c07:", page)


def test_under_todays_order_nobody_says_what_other_rules_would_do_better():
    """Said where it was asked for, with a learned rule."""
    cost = "of 100 ties"
    for by, praised in ((None, False), ("product", False), ("learned", True)):
        orders, _ = standings_to_print(
            rank_event(read_event(ROOT / "examples" / "team-swiss.trf"), by)
        )
        foot = " ".join(standings_document(orders[0]).foot.lines)
        assert (cost in foot) == praised, foot


@pytest.mark.parametrize(
    ("note", "paper"),
    [
        ("not UTF-8: read as cp1250 (--encoding names another)", "not UTF-8: read as cp1250"),
        ("do not count (General Regulations 6.6; --no-half-rule counts them)",
         "do not count (General Regulations 6.6)"),
        ("no game names teams (tags A): of players (--individual), unless --teams names all",
         "no game names teams (tags A): of players"),
        ("the file's own list MPTS,GPTS; --tiebreaks or --tiebreak overrules it",
         "the file's own list MPTS,GPTS"),
        ("the result 4--0 (a slip), and a - b", "the result 4--0 (a slip), and a - b"),
    ],
)  # fmt: skip
def test_notes_on_paper_name_no_option(note, paper):
    assert on_paper(note) == paper


def players(*, beside, **facts):
    """The table of a wall page of sixteen players, some with other facts than they have."""
    event = player_samples.read(*player_samples.HELD)
    changed = (dataclasses.replace(one, **facts) for one in event.players[:2])
    event = dataclasses.replace(event, players=(*changed, *event.players[2:]))
    find = partial(find_rule, rounds=event.rounds, boards=1)
    ranking = rank(event, read_criteria(event, "formula", find), unplayed="c07")
    page = Standings(ranking, ranking.by(read_criteria(event, beside, find)))
    return event, standings_document(page).parts[1]


def test_players_have_what_the_file_says_of_them():
    event, table = players(beside="koya", title="IM", federation="HUN", rating=0)
    assert table.heads[:3] == ("Place", "Player", "Points")
    assert table.heads[-5:] == ("Title", "Fed.", "Rating", "No.", "Remarks")
    assert table.heads[-6] == "Tie-break by koya"
    assert table.names == {1, *(len(table.heads) - n for n in (1, 4, 5))}
    rows = {row[1]: row[-5:-1] for row in table.rows}
    for start, player in enumerate(event.players, start=1):
        known = player.title, player.federation, player.rating or ""
        assert rows[player.name] == (*known, start)
    assert rows["Alyx"] == ("IM", "HUN", "", 1)
    with pypdfium2.PdfDocument(printed(Document("t", (), (table,)), "pdf")) as document:
        page, foot = document[0], 7
        assert min(letter_sizes(page) - {foot}) >= 8
        text = " ".join(page.get_textpage().get_text_range().split())
        assert all(word in text for head in table.heads for word in head.split())


def test_start_numbers_are_those_of_the_file_and_a_team_has_the_federation_of_all_its_players():
    in_file = (1, 2, 3, 4, 9)
    text = "\n".join(trf_samples.SMALL)
    for record in ("310   5", "320  1.0  1.0 005", "330 -+   2   2   5", "240 Z   3    5"):
        assert record in text
        text = text.replace(record, f"{record[:-1]}9")
    event = trf_samples.read(*text.split("\n"))
    players = [dataclasses.replace(one, federation="FRA") for one in event.players]
    players[0] = dataclasses.replace(players[0], federation="HUN")
    event = dataclasses.replace(event, players=tuple(players))
    rule = product_table(event.rounds, event.boards)
    page = Standings(rank(event, rule, unplayed="c07"))
    table = standings_document(page).parts[1]
    start, name, federation = map(table.heads.index, ("No.", "Team", "Fed."))
    rows = {row[name]: row for row in table.rows}
    assert [rows[team][start] for team in event.teams] == list(in_file)
    federations = {team: rows[team][federation] for team in event.teams}
    assert federations.pop(event.teams[0]) == "" and set(federations.values()) == {"FRA"}
    values = values_csv(page.ranking)
    assert [int(line.split(",")[0]) for line in values.split()[1:]] == list(in_file)


def texts(content):
    with pypdfium2.PdfDocument(content) as document:
        for page in document:
            assert page.get_size() == pytest.approx((595.3, 841.9), abs=1)
    return " ".join(page_texts(content))


def test_every_form_has_every_row(standings):
    document = standings_document(standings)
    pdf = texts(printed(document, "pdf"))
    page = document_html(document)
    sheet = opened(printed(document, "xlsx")).worksheets[0]
    cells = [row for row in sheet.iter_rows(values_only=True) if isinstance(row[0], int)]
    for row, found in zip(standings.ranking.rows, cells, strict=False):
        assert found[:2] == (row.place, row.team)
        score = f"{row.scores['tb2']:g}".replace("-", "\N{MINUS SIGN}")
        cells = rf"{row.place} {re.escape(row.team)} {row.scores['mp']:g} {score} "
        assert re.search(cells, pdf)
        assert f"<bdi>{html.escape(row.team)}</bdi>" in page and f">{score}</td>" in page
    assert re.fullmatch(r"'standings'!\$A\$1:\$L\$\d+", sheet.print_area)
    assert sheet.page_setup.paperSize == "9" or sheet.page_setup.paperSize == 9
    assert printed(document, "pdf") == printed(document, "pdf")
    with pytest.raises(InputError, match="format must be one of html, pdf, xlsx, got 'doc'"):
        printed(document, "doc")


def test_names_are_names(standings):
    renamed = standings.event.teams[0]
    event = dataclasses.replace(
        standings.event, name=HOSTILE, teams=(HOSTILE, *standings.event.teams[1:])
    )
    rows = tuple(
        dataclasses.replace(row, team=HOSTILE) if row.team == renamed else row
        for row in standings.ranking.rows
    )
    ranking = dataclasses.replace(standings.ranking, event=event, rows=rows)
    document = standings_document(Standings(ranking))
    page = document_html(document)
    assert "<script" not in page and "\u202e" not in page and r"\u202e" in page
    assert page.count("script-src") == 0 and "default-src &#39;none&#39;" not in page
    assert r"<script>alert(1)</script>\u202e" in texts(printed(document, "pdf"))
    sheet = opened(document_xlsx(document)).worksheets[0]
    found = [c for row in sheet.iter_rows() for c in row if str(c.value).startswith("=HYPER")]
    assert found and {cell.data_type for cell in found} == {"s"}


def test_a_long_table_and_wide_names_fit_the_paper():
    rows = tuple((n, "Name " * 30, 123456.5, "x") for n in range(120))
    grid = Grid("", ("Place", "Team", "Number", "Other"), rows, names=frozenset({1, 3}))
    for form in PRINTED:
        assert printed(Document("t", (), (grid,)), form)
    assert texts(printed(Document("t", (), (grid,)), "pdf")).count("Place Team Number Other") > 1
    wide = Grid("", ("A",) * 60, ((123456,) * 60,))
    assert printed(Document("t", (), (wide,)), "pdf").startswith(b"%PDF-")
