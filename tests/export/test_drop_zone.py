"""The drop zone: TRF, PGN and spreadsheets are ranked as the program does, under any policy."""

import base64
import csv
import gzip
import io
import re
import zipfile
from random import Random

import openpyxl
import pypdfium2
import pytest
import trf_samples
from browser_samples import media
from drop_samples import ranked
from helpers import slow_after
from pgn_samples import game
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from tb2learn.catalogue import load_rule
from tb2learn.events import rank, read_event
from tb2learn.events.formats.convert import convert
from tb2learn.events.unplayed.policies import POLICIES
from tb2learn.export.standings import ranking_csv
from tb2learn.tiebreaks.rules import formula_rule, product_table

pytestmark = pytest.mark.usefixtures("silent")


def rows(text):
    return list(csv.reader(io.StringIO(text)))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["trf16", "pgn", pytest.param("trf26", marks=pytest.mark.slow)])
def test_baku_is_ranked_from_every_form_of_file(page_of, form, tmp_path):
    rule, path = load_rule("learned-180x11-pass1"), tmp_path / f"baku.{form[:3]}"
    convert("baku2016", path, form, False)
    found = ranked(page_of(rule), {path.name: path.read_bytes()})
    event = read_event(str(path))
    assert rows(found[1][0]) == rows(ranking_csv(rank(event, rule)))
    if form == "pgn":
        assert found[0] == list(event.notes)


def small_rules():
    return {
        "product": product_table(5, 4),
        "formula": formula_rule("formula", 5, 4, 0.22, 0.05),
    }


def random_event(random, rounds=5, boards=4):
    """`matches.csv` of 9 teams with byes of every kind, defaults and absences."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        "round,team_a,team_b,game_points_a,game_points_b,boards_decided,boards_forfeited,bye".split(
            ","
        )
    )
    names = [f"Team {k}" for k in range(9)]
    for r in range(1, rounds + 1):
        order = random.sample(names, len(names))
        while order:
            a, chance = order.pop(), random.random()
            if not order or chance < 0.1:
                kinds = ("pairing", "full", "half", "zero", "default")
                writer.writerow([r, a, "", "", "", "", "", random.choice(kinds)])
            elif chance > 0.15:
                half = random.choice((0, 2 * boards)) if chance < 0.3 else random.randrange(9)
                forfeited = boards if chance < 0.3 else 0
                points = [half / 2, boards - half / 2]
                writer.writerow([r, a, order.pop(), *points, boards, forfeited, ""])
    return text.getvalue()


def teams_with_ratings(random):
    lines = ["team,rating_1,rating_2,rating_3,rating_4"]
    for k in range(9):
        ratings = [random.choice(("", 1800 + random.randrange(700))) for _ in range(4)]
        lines.append(f"Team {k},{','.join(map(str, ratings))}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", slow_after(1, ["passes", "product", "formula"]))
def test_every_policy_is_that_of_the_library(page_of, rules_of_small, name, tmp_path):
    """Events with byes of all kinds, defaults, absences and ratings."""
    rule, random = rules_of_small[name], Random(11)
    browser = page_of(rule)
    offered = browser.execute_script(
        "return [...document.querySelectorAll('#policy option')].map((o) => o.value)"
    )
    without = {"average-buchholz"} if name == "product" else {"average-buchholz", "ignore"}
    assert set(offered) == set(POLICIES) - without
    for number in range(3):
        files = {
            "matches.csv": random_event(random).encode(),
            "teams.csv": teams_with_ratings(random).encode(),
        }
        folder = tmp_path / str(number)
        folder.mkdir()
        for file, content in files.items():
            (folder / file).write_bytes(content)
        event = read_event(folder)
        found = ranked(browser, files, offered)
        assert isinstance(found, list), found
        for policy, text in zip(offered, found[1], strict=True):
            expected = rows(ranking_csv(rank(event, rule, unplayed=policy)))
            assert same(rows(text), expected, 4.1e-4 if name == "formula" else 0), policy


def same(found, expected, near):
    """Equal rows; TB2 within `near`, which may change the order of teams that are that close."""
    if not near:
        return found == expected
    by_team = {row[1]: row for row in found[1:]}
    for row in expected[1:]:
        other = by_team[row[1]]
        if row[2] != other[2] or row[4:] != other[4:]:
            return False
        if abs(float(row[3]) - float(other[3])) > near:
            return False
    return len(found) == len(expected)


@pytest.fixture(scope="module")
def rules_of_small():
    from helpers import random_surfaces

    from tb2learn.training.tabulate import pass_table

    return small_rules() | {"passes": pass_table(random_surfaces(3, rounds=5, boards=4), "passes")}


# --- spreadsheets ---------------------------------------------------------------------------------


def workbook(text, name="matches"):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = name
    for row in rows(text):
        sheet.append([float(x) if x.replace(".", "").isdigit() else x or None for x in row])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def test_spreadsheets_as_they_are_written(page_of, rules_of_small):
    """Semicolons and decimal commas, tabs, UTF-16, capitals, workbooks, zip and gz: one event."""
    browser = page_of(rules_of_small["product"])
    text = random_event(Random(5))
    plain = ranked(browser, {"matches.csv": text.encode()})
    assert len(rows(plain[1][0])) == 10
    head, *lines = text.splitlines()
    german = ";".join(head.title().split(",")).replace("_", " ")
    german += "\r\n" + "\r\n".join(";".join(x.split(",")).replace(".", ",") for x in lines) + "\r\n"
    tabs = text.replace(",", "\t")
    for name, content in {
        "Ergebnisse.csv": german.encode("utf-8-sig"),
        "matches.csv": tabs.encode("utf-16"),
        "matches.txt": tabs.encode(),
        "Cup.xlsx": workbook(text, "Sheet 1"),
        "both.xlsx": workbook(text),
        "event.zip": zipped({"a folder/matches.csv": text, "a folder/readme.txt": "x"}),
        "matches.csv.gz": gzip.compress(text.encode()),
    }.items():
        notes, standings = ranked(browser, {name: content})
        assert standings == plain[1], name
        said = ["headings such as 'Round', 'Team A', 'Team B' are taken for columns"]
        assert [n.removeprefix("matches.csv: line 1: ") for n in notes] == (
            said if name == "Ergebnisse.csv" else []
        )


BOMB = gzip.compress(b"0" * (80 << 20), 9)
BAD = {
    "bomb.csv.gz": (BOMB, "must be at most"),
    "cut.zip": (zipped({"matches.csv": "x" * 1000})[:-30], "cannot be read"),
    "broken.gz": (b"\x1f\x8b" + b"x" * 50, "cannot be read"),
    "empty.xlsx": (zipped({"xl/workbook.xml": "<!DOCTYPE x><workbook/>"}), "cannot be read"),
    "none.zip": (zipped({"teams.csv": "team\nA\n"}), "There is no matches.csv"),
}


def test_what_cannot_be_opened_is_refused_in_one_line(page_of, rules_of_small):
    browser = page_of(rules_of_small["product"])
    for name, (content, said) in BAD.items():
        found = ranked(browser, {name: content})
        assert isinstance(found, str) and found.startswith("refused: "), (name, found)
        assert said in found and "\n" not in found, (name, found)


# --- TRF and PGN ----------------------------------------------------------------------------------


def test_a_small_file_of_2016(page_of, tmp_path):
    """A squad with a reserve who rests, a default, a bye that no record tells of: noted, ranked."""
    player = trf_samples.player
    lines = (
        "012 Cup",
        player(1, "A1", ["   4 w 1", "   7 b 1", "0000 - -"]),
        player(2, "A2", ["   5 b =", "   8 w 0", "0000 - -"]),
        player(3, "A3", ["0000 - -", "0000 - -", "0000 - -"]),
        player(4, "B1", ["   1 b 0", "0000 - -", "   7 w 0"]),
        player(5, "B2", ["   2 w =", "0000 - -", "   8 b ="]),
        player(7, "C1", ["0000 - -", "   1 w 0", "   4 b 1"]),
        player(8, "C2", ["0000 - -", "   2 b 1", "   5 w ="]),
        trf_samples.old_team("A", 1, 2, 3),
        trf_samples.old_team("B", 4, 5),
        trf_samples.old_team("C", 7, 8),
    )
    found = ranked(page_of(product_table(3, 2)), {"cup.txt": trf_samples.text(*lines).encode()})
    notes, (text,) = found
    assert "0000 - - of a member beside a full match means: did not play" in notes[0]
    assert "teams without a match had the pairing bye, 1 MP and 1 GP" in notes[-1]
    standings = {row[1]: row[2:] for row in rows(text)[1:]}
    assert standings["C"][0] == "4" and standings["A"][0] == "4" and standings["B"][0] == "1"
    assert [standings[name][2] for name in "ABC"] == ["3.5", "2", "3.5"]


def test_trf_samples_are_ranked_as_the_library_does(page_of):
    """Line-ups, defaults, forfeits and byes of the sample, with and without record 299."""
    rule = product_table(3, 2)
    browser = page_of(rule)
    without = [line for line in trf_samples.SMALL if not line.startswith("299")]
    for lines in (without, trf_samples.SMALL):
        event = trf_samples.read(*lines)
        found = ranked(browser, {"x.trf": trf_samples.text(*lines).encode()})
        assert isinstance(found, list), found
        assert rows(found[1][0]) == rows(ranking_csv(rank(event, rule)))


def test_contradictions_in_a_trf_are_refused(page_of):
    browser = page_of(product_table(3, 2))
    good = [line for line in trf_samples.SMALL if not line.startswith("299")]
    for old, new, said in (
        ("   4 w 1", "   4 w =", "result of round 1"),
        ("   8 b =", "  10 b =", "opponent of round 3"),
        ("   4 w 1", "  99 w 1", "a member of a team"),
    ):
        lines = [line.replace(old, new) for line in good]
        assert lines != good
        found = ranked(browser, {"x.trf": trf_samples.text(*lines).encode()})
        assert isinstance(found, str) and said in found and "line " in found, (new, found)


def test_a_pgn_with_odd_text(page_of, tmp_path):
    """Comments, variations, several tags on a line, a forfeit, an unfinished round."""
    text = game(Round="1.1.1") + game(Round="1.1.2", White="x", Black="y", Result="1/2-1/2")
    text += game("C", "D", '{a [Round "9"] comment} 1. e4 (1. d4 ; no\n) 0-1', Result="0-1")
    text += game("C", "D", "", Termination="forfeit", White="p", Black="q", Result="0-1")
    text += game("A", "C", Round="2") + game("B", "D", Round="2", Result="*")
    found = ranked(page_of(product_table(1, 2)), {"games.pgn": text.encode()})
    (tmp_path / "games.pgn").write_text(text)
    event = read_event(tmp_path / "games.pgn")
    assert found[0] == list(event.notes) and "round 2 is not finished" in found[0][0]
    assert rows(found[1][0]) == rows(ranking_csv(rank(event, product_table(1, 2))))
    bad = game(Result="2-0")
    assert "Result must be one of" in ranked(page_of(product_table(1, 2)), {"g.pgn": bad.encode()})


# --- the page -------------------------------------------------------------------------------------


def test_dropped_files_show_notes_and_take_another_policy(page_of, tmp_path):
    rule = product_table(1, 2)
    browser = page_of(rule)
    path = tmp_path / "games.pgn"
    path.write_text(game() + game("C", "D", Result="1/2-1/2") + game("E", "F"))
    browser.find_element(By.ID, "event-files").send_keys(str(path))
    status = browser.find_element(By.ID, "event-status")
    WebDriverWait(browser, 10).until(lambda _: status.text)
    path.write_text(
        "".join(
            game(a, b, Board=k, White=f"{a}{k}", Black=f"{b}{k}")
            for k in (1, 2)
            for a, b in ("AB", "CD")
        )
    )
    browser.find_element(By.ID, "event-files").send_keys(str(path))
    WebDriverWait(browser, 10).until(lambda _: status.text.startswith("4 teams"))
    notes = [item.text for item in browser.find_elements(By.CSS_SELECTOR, "#event-notes li")]
    assert notes == ["a PGN has no start order: teams are in order of first appearance"]
    assert browser.find_element(By.ID, "notes").is_displayed()
    policy = Select(browser.find_element(By.ID, "policy"))
    policy.select_by_value("fide2026")
    means = browser.find_element(By.ID, "policy-means")
    assert means.text == POLICIES["fide2026"].summary and status.text.startswith("4 teams")
    typed = browser.find_element(By.ID, "match-points")
    typed.send_keys("3,1,0\n")
    most = "return document.querySelector('#standings td.n').textContent"
    WebDriverWait(browser, 10).until(lambda _: browser.execute_script(most) == "3")
    typed.send_keys("x\n")
    WebDriverWait(browser, 10).until(lambda _: status.text.startswith("Match points must be three"))
    typed.clear()
    browser.find_element(By.ID, "strict").click()
    WebDriverWait(browser, 10).until(lambda _: status.text.startswith("4 teams"))


def test_the_first_screen_of_a_phone_is_the_calculator(page_of):
    browser = page_of(load_rule("learned-180x11"))
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True},
    )
    try:
        top, bottom = browser.execute_script(
            "const box = (id) => document.getElementById(id).getBoundingClientRect();"
            "return [box('team-own').top, box('team').bottom];"
        )
        assert 0 < top < 150 and bottom < 740
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.slow
def test_the_whole_booklet_comes_from_the_printer(page_of):
    """Every table, a page of A4 at a time; the first pass without columns that cannot occur."""
    rule = load_rule("learned-180x11")
    browser = page_of(rule)
    media(browser)
    data = browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"]
    with pypdfium2.PdfDocument(base64.b64decode(data)) as document:
        assert document[0].get_size() == pytest.approx((595, 842), abs=2)
        text = " ".join(" ".join(p.get_textpage().get_text_range().split()) for p in document)
        assert len(document) <= 12
    minus = "\N{MINUS SIGN}"
    for number, own in ((1, 0), (2, 14), (3, 22)):
        first = 3 if number == 1 else 0
        heads = " ".join(str(x) for x in rule.columns[first : 29 - first]).replace("-", minus)
        entries = " ".join(map(str, rule.points[number - 1, own, first : 29 - first, 4]))
        assert f"Pass {number}. Own MP {own} GP {heads} 0 " in text
        assert f" 2 {entries.replace('-', minus)} 2.5 " in text
    assert text.count("Own MP ") >= 3 * 23 and "Calculator" not in text
    blocks = browser.execute_script("return document.querySelectorAll('#booklet table').length")
    assert blocks == 3 * 23


def test_the_colours_part_at_par(page_of):
    browser = page_of(load_rule("learned-180x11"))
    cells = browser.execute_script(
        "return [...document.querySelectorAll('#heat td:not([hidden])')].map((td) =>"
        " [Number(td.textContent.replace('\\u2212', '-')), td.style.backgroundColor,"
        "  td.classList.contains('par')]);"
    )
    assert len(cells) == 9 * 23
    for value, colour, _ in cells:
        red, _, blue = (int(x) for x in re.findall(r"\d+", colour))
        assert (red >= blue) if value <= 0 else (blue >= red), (value, colour)
    assert sum(par for *_, par in cells) == 6 and all(abs(v) <= 5 for v, _, par in cells if par)
    scale = browser.find_elements(By.CSS_SELECTOR, "#scale span")
    assert [mark.text for mark in scale] == ["\N{MINUS SIGN}355", "0", "355"]
