"""The page in a browser: what only a browser shows. What it answers is tested without one."""

import copy
import gzip
import io
import re
import zipfile
from pathlib import Path
from random import Random

import openpyxl
import pytest
from browser_samples import heard, shown_on
from helpers import random_surfaces
from page_samples import HEADER, LEAGUE, NAMES, folder, random_event
from page_vectors import read
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from tb2learn.catalogue import find_confidence, load_rule
from tb2learn.data import event_folder
from tb2learn.events import rank, read_event
from tb2learn.events.rank import with_confidence
from tb2learn.export.standings import percent, standings_table
from tb2learn.export.words import LANGUAGES, words
from tb2learn.text import plain
from tb2learn.tiebreaks.rules import product_table
from tb2learn.training.tabulate import pass_table

pytestmark = pytest.mark.usefixtures("silent")

MINUS = "\N{MINUS SIGN}"


@pytest.fixture(scope="session")
def rules():
    surfaces = random_surfaces(3, rounds=5, boards=4)
    return {
        "small": product_table(5, 4),
        "passes": pass_table(surfaces, "passes"),
        "finer": pass_table(surfaces[:2], "finer", finer=100),
        "olympiad": load_rule("olympiad-180x11"),
        "learned": load_rule("learned-180x11"),
    }


def shown(value):
    return f"{value:.10g}".replace("-", MINUS)


def found(browser, selector):
    return browser.find_element(By.CSS_SELECTOR, selector)


# --- the calculator -------------------------------------------------------------------------------


def test_a_team_is_typed_in(page_of, rules):
    """In a rule that leaves out a bye; the sum comes from the script alone."""
    rule = rules["small"]
    browser = page_of(rule)
    assert found(browser, "#team .of-bye").is_displayed()
    found(browser, "#team-own").send_keys("6")
    typed = []
    for r, line in enumerate(browser.find_elements(By.CSS_SELECTOR, "#team tbody tr")):
        mp, *_, bye = line.find_elements(By.CSS_SELECTOR, "input")
        row = {"mp": str(2 + r), "counted": "", "gp": f"{1 + r / 2:g}", "bye": r == 2}
        if r == 2:
            bye.click()
            row |= {"mp": "", "counted": "", "gp": ""}
        else:
            mp.send_keys(row["mp"])
            Select(line.find_element(By.CSS_SELECTOR, "select")).select_by_visible_text(row["gp"])
        typed.append(row)
    total = browser.execute_script(
        "const found = tb2learn.checked(0, '6', arguments[0]);"
        "return tb2learn.workOut(0, found.own, found.items).sum / 2;",
        typed,
    )
    text = found(browser, "#team-result").text
    assert text == f"TB2 = {shown(total)}. Left out: round 3."
    marked = browser.find_elements(By.CSS_SELECTOR, "#team tr.out th")
    assert [th.text for th in marked] == ["3"]
    found(browser, "#team-clear").click()
    assert found(browser, "#team-result").text.startswith("0 of ")
    assert browser.switch_to.active_element.get_attribute("id") == "team-own"
    own = found(browser, "#team-own")
    own.send_keys("x")
    assert found(browser, "#team-result").text == "Own MP must be a whole number 0..10."
    assert own.get_attribute("aria-invalid") == "true"


# --- an event -------------------------------------------------------------------------------------


def choose(browser, *paths):
    """Choose files and wait for what the page says."""
    status = found(browser, "#event-status")
    browser.execute_script("arguments[0].textContent = ''", status)
    found(browser, "#event-files").send_keys("\n".join(map(str, paths)))
    WebDriverWait(browser, 30).until(lambda _: status.text)
    return status.text


def given(browser, tmp_path, name, content):
    """Choose one file of some content."""
    path = tmp_path / name
    path.write_bytes(content)
    return choose(browser, path)


DISPLAYED = """return [...document.querySelectorAll("#standings tbody tr")]
  .map((row) => [...row.cells].map((cell) => cell.textContent));"""


def standings(browser):
    return browser.execute_script(DISPLAYED)


GOOD = HEADER + "".join(f"{r},A,B,2,2\n" for r in range(1, 6))


def test_an_olympiad_is_ranked_and_shown(page_of, rules):
    """176 teams, with how sure every place is."""
    rule, folder = rules["learned"], Path(str(event_folder("baku2016")))
    browser = page_of(rule)
    said = choose(browser, folder / "matches.csv", folder / "teams.csv")
    assert said.startswith(f"176 teams by MP, TB2 ({rule.name})")
    rows = rank(read_event("baku2016"), rule)
    sure = with_confidence(rows, find_confidence("learned-180x11", rule))
    assert standings(browser) == [
        [str(row.place), plain(row.team), *map(shown, row.scores.values()), percent(row.confidence)]
        for row in sure
    ]
    assert len(browser.find_elements(By.CSS_SELECTOR, "#standings bdi")) == 176


def test_hostile_names_are_text(page_of, rules, tmp_path, downloads):
    rule, browser = rules["small"], page_of(rules["small"])
    files = folder({"matches.csv": random_event(Random(5))})
    given(browser, tmp_path, "matches.csv", files["matches.csv"])
    names = [row[1] for row in standings(browser)]
    assert sorted(names) == sorted(map(plain, NAMES))
    assert not [name for name in names if re.search("[\u202a-\u202e\u2066-\u2069\u200f\n]", name)]
    assert not browser.find_elements(By.CSS_SELECTOR, "#standings script, #standings img")
    assert browser.execute_script(
        "return [...document.querySelectorAll('#standings td:nth-child(2)')]"
        ".every((td) => td.children.length === 1 && td.firstChild.localName === 'bdi')"
    )
    found(browser, "#save").click()
    saved = downloads / "standings.csv"
    WebDriverWait(browser, 10).until(lambda _: saved.exists() and saved.stat().st_size)
    assert saved.read_bytes().decode() == standings_table(rank(read(files, {}), rule)).csv()


# --- compressed files and workbooks ---------------------------------------------------------------


def workbook(text, name):
    book = openpyxl.Workbook()
    book.active.title = name
    for row in text.splitlines():
        book.active.append([float(x) if x.isdigit() else x or None for x in row.split(",")])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def with_rows(data, rows):
    """A workbook with more rows at the end of its first sheet."""
    old, new = zipfile.ZipFile(io.BytesIO(data)), {}
    for name in old.namelist():
        new[name] = old.read(name)
    sheet = "xl/worksheets/sheet1.xml"
    new[sheet] = new[sheet].replace(b"</sheetData>", rows.encode() + b"</sheetData>")
    return zipped(new)


def overlapping(members, size):
    """A ZIP of many members that are the same bytes, together more than a page may unpack."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("0.csv", b"0" * size)
        for number in range(1, members):
            one = copy.copy(archive.filelist[0])
            one.filename = f"{number}.csv"
            archive.filelist.append(one)
        archive._didModify = True
    return buffer.getvalue()


EMPTY = "".join(f'<row r="{k}"><c r="A{k}"/></row>' for k in range(10, 1_000_010))
FULL = "".join(f'<row r="{k}"><c r="A{k}"><v>1</v></c></row>' for k in range(10, 20_010))


@pytest.mark.thorough
def test_archives_and_workbooks(page_of, rules, tmp_path):
    """The same event in each of them; the files of a league in one."""
    browser = page_of(rules["small"])
    given(browser, tmp_path, "matches.csv", GOOD.encode())
    expected = standings(browser)
    assert len(expected) == 2
    for name, content in {
        "Cup.xlsx": workbook(GOOD, "Sheet 1"),
        "both.xlsx": workbook(GOOD, "matches"),
        "empty-rows.xlsx": with_rows(workbook(GOOD, "matches"), EMPTY),
        "event.zip": zipped({"a folder/matches.csv": GOOD, "a folder/readme.txt": "x"}),
        "matches.csv.gz": gzip.compress(GOOD.encode()),
        "x.csv.gz": gzip.compress(GOOD.encode("utf-16")),
    }.items():
        assert given(browser, tmp_path, name, content).startswith("2 teams"), name
        assert standings(browser) == expected, name
    assert given(browser, tmp_path, "league.zip", zipped(LEAGUE)) == (
        "The table product is for matches on 4 boards, the event has 3."
    )


BAD = {
    "bomb.csv.gz": (gzip.compress(b"0" * (80 << 20), 9), "must be at most"),
    "many.xlsx": (with_rows(workbook(GOOD, "matches"), FULL), "must have at most 20000 rows"),
    "overlapping.zip": (overlapping(4, 20 << 20), "must be at most"),
    "cut.zip": (zipped({"matches.csv": "x" * 1000})[:-30], "cannot be read"),
    "broken.gz": (b"\x1f\x8b" + b"x" * 50, "cannot be read"),
    "empty.xlsx": (zipped({"xl/workbook.xml": "<!DOCTYPE x><workbook/>"}), "cannot be read"),
    "none.zip": (zipped({"teams.csv": "team\nA\n"}), "There is no matches.csv"),
    "strange.txt": (b"who,knows\n1,2\n", "must be a TRF, a PGN, or a table of matches"),
}


def test_what_cannot_be_opened_is_refused_in_one_line(page_of, rules, tmp_path):
    browser = page_of(rules["small"])
    for name, (content, said) in BAD.items():
        text = given(browser, tmp_path, name, content)
        assert said in text and "\n" not in text and standings(browser) == [], (name, text)


# --- looks ----------------------------------------------------------------------------------------


CONTRASTS = """const light = (text) => {
  const parts = text.match(/[\\d.]+/g).slice(0, 3).map((x) => x / 255)
    .map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
};
const ground = (e) => {
  const colour = getComputedStyle(e).backgroundColor;
  return colour === "rgba(0, 0, 0, 0)" && e.parentElement ? ground(e.parentElement) : colour;
};
return [...document.querySelectorAll("h1, dt, dd, p, li, td, th, label, caption, button, input")]
  .filter((e) => e.checkVisibility()).map((e) => {
    const [a, b] = [light(getComputedStyle(e).color), light(ground(e))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });"""


@pytest.mark.parametrize(("name", "scheme"), [("learned", "light"), ("olympiad", "dark")])
def test_text_stands_out_and_fields_have_names(page_of, rules, name, scheme):
    browser = page_of(rules[name])
    with shown_on(browser, scheme=scheme):
        ground = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(23, 25, 28)"}[scheme]
        contrasts = browser.execute_script(CONTRASTS)
        assert len(contrasts) > 300 and min(contrasts) >= 4.5
        fields = browser.find_elements(By.CSS_SELECTOR, "input, select, button")
        assert all(one.accessible_name for one in fields if one.is_displayed())


def test_all_languages_fit_on_a_phone(page_of, rules):
    """The calculator on its first screen, and nothing wider than it."""
    for language in LANGUAGES:
        browser = page_of(rules["learned"], language)
        with shown_on(browser, width=360, height=740, mobile=True):
            assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
            top, bottom = browser.execute_script(
                "const box = (id) => document.getElementById(id).getBoundingClientRect();"
                "return [box('team-own').top, box('team').bottom];"
            )
            assert 0 < top < 200 and bottom < 800
        assert found(browser, "html").get_attribute("lang") == language
        assert found(browser, "#rank").text == words(language)["html.rank"]
        said = words(language)["html.filled"].format(filled=0, rounds=11)
        assert found(browser, "#team-result").text == said


# --- nothing leaves the page ----------------------------------------------------------------------


def test_the_policy_forbids_everything_else(page_of, rules):
    """What the other tests do not see would be seen: a request, and a script that was not ours."""
    browser = page_of(rules["small"])
    assert heard(browser)[0] == []
    browser.execute_script(
        "fetch('http://127.0.0.1:9/').catch(() => {});"
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"hacked = 1\">');"
        "const script = document.createElement('script'); script.textContent = 'hacked = 1';"
        "document.body.append(script);"
    )
    said = []

    def all_refused(_):
        said.extend(line for line in heard(browser)[0] if "Content Security Policy" in line)
        return all(any(what in line for line in said) for what in ("connect", "image", "script"))

    WebDriverWait(browser, 10).until(all_refused, said)
    assert browser.execute_script("return typeof hacked") == "undefined"
    browser.get("data:,")  # nothing more is said after this
    heard(browser)
