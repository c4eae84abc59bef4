"""The page in a browser: what only a browser shows. What it answers is tested without one."""

import re
from pathlib import Path
from random import Random

import pytest
from browser_samples import heard, shown_on
from helpers import random_surfaces
from page_samples import HEADER, NAMES, folder, random_event
from page_vectors import read
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from tb2learn.catalogue import find_confidence, load_rule
from tb2learn.data import event_folder
from tb2learn.events import rank, read_event
from tb2learn.events.rank import with_confidence
from tb2learn.export.standings import percent, standings_table
from tb2learn.export.table import used_columns
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


# --- an event -------------------------------------------------------------------------------------


def choose(browser, *paths):
    """Choose files and wait for what the page says: why it refuses them, else the event's name."""
    status, name = found(browser, "#event-status"), found(browser, "#event-name")
    browser.execute_script("for (const e of arguments) e.textContent = ''", status, name)
    found(browser, "#event-files").send_keys("\n".join(map(str, paths)))
    WebDriverWait(browser, 30).until(lambda _: status.text or name.text)
    return status.text or name.text


def given(browser, tmp_path, name, content):
    """Choose one file of some content."""
    path = tmp_path / name
    path.write_bytes(content)
    return choose(browser, path)


def standings(browser):
    return browser.execute_script(
        """return [...document.querySelectorAll("#standings tbody tr")]
        .filter((row) => row.checkVisibility())
        .map((row) => [...row.cells].map((cell) => cell.textContent));"""
    )


def tap(browser, *teams):
    """Tap teams by their place in the standings, 0 for the first; what the panel covers, too."""
    for number in teams:
        button = browser.find_elements(By.CSS_SELECTOR, "#standings button")[number]
        browser.execute_script("arguments[0].click()", button)


GOOD = HEADER + "".join(f"{r},A,B,2,2\n" for r in range(1, 6))


def test_an_olympiad_is_ranked_and_its_teams_are_compared(page_of, rules, tmp_path):
    """176 teams, with how sure every place is and FIDE's places; a working, then a verdict."""
    rule, folder = rules["learned"], Path(str(event_folder("baku2016")))
    about = tmp_path / "event.csv"
    about.write_text("key,value\nname,Baku Olympiad\nstart,2016-09-02\n", encoding="utf-8")
    browser = page_of(rule)
    assert choose(browser, folder / "matches.csv", folder / "teams.csv", about) == "Baku Olympiad"
    assert found(browser, "#event-after").text == "after round 11"
    line = found(browser, "#event-order").text
    assert line == "Olympiad, rule 14 of 2016: MPTS, learned-180x11, GPTS, TB4"
    event = read_event("baku2016")
    rows = rank(event, rule, unplayed="baku2016")
    sure = with_confidence(rows, find_confidence("learned-180x11", rule))
    fide = {row.team: row.place for row in rank(event, product_table(11, 4), unplayed="baku2016")}
    assert standings(browser) == [
        [str(row.place), plain(row.team), *map(shown, row.scores.values()),
         percent(row.confidence), str(fide[row.team])]
        for row in sure
    ]  # fmt: skip
    buttons = browser.find_elements(By.CSS_SELECTOR, "#standings button")
    assert not found(browser, "#working").is_displayed()
    tap(browser, 3)
    assert len(browser.find_elements(By.CSS_SELECTOR, "#workings tbody tr")) == 12
    tap(browser, 4)
    said = re.sub("[\u2068\u2069]", "", found(browser, "#verdict").text)
    assert (
        said == "India is before England: TB2 (learned-180x11) decides, 59 to \u221253 (112 more)."
    )
    assert [b.get_attribute("aria-pressed") for b in buttons[2:6]] == [
        "false", "true", "true", "false"
    ]  # fmt: skip
    found(browser, "#close").click()
    assert not found(browser, "#working").is_displayed()
    found(browser, "summary").click()
    Select(found(browser, "#policy")).select_by_visible_text("c07")
    assert found(browser, "#event-order").text.startswith("FIDE C.07 (March 2026): ")


def test_another_number_of_rounds_is_rescaled_and_said(page_of, rules, tmp_path):
    browser = page_of(rules["learned"])
    assert given(browser, tmp_path, "Cup.csv", GOOD.encode()) == "Cup"
    said = found(browser, "#event-rescaled").text
    assert "was trained at 11 rounds and is rescaled here to 5" in said
    assert given(browser, tmp_path, "x.pgn", b'[Event "x"]\n') == (
        "x.pgn: a PGN, which this page does not read: use tb2learn rank"
    )
    assert standings(browser) == []


def test_hostile_names_are_text(page_of, rules, tmp_path, downloads):
    rule, browser = rules["small"], page_of(rules["small"])
    files = folder({"matches.csv": random_event(Random(5))})
    given(browser, tmp_path, "matches.csv", files["matches.csv"])
    names = [row[1] for row in standings(browser)]
    assert sorted(names) == sorted(map(plain, NAMES))
    assert not [name for name in names if re.search("[\u202a-\u202e\u2066-\u2069\u200f\n]", name)]
    tap(browser, 0, 1)
    assert not browser.find_elements(By.CSS_SELECTOR, "#event-result :is(script, img)")
    assert browser.execute_script(
        "return [...document.querySelectorAll('#standings button')]"
        ".every((one) => one.children.length === 1 && one.firstChild.localName === 'bdi')"
    )
    found(browser, "#close").click()
    found(browser, "#save").click()
    saved = downloads / "standings.csv"
    WebDriverWait(browser, 10).until(lambda _: saved.exists() and saved.stat().st_size)
    assert saved.read_bytes().decode() == standings_table(rank(read(files, {}), rule)).csv()


# --- the table and the calculator -----------------------------------------------------------------


def test_the_table_shows_every_block(page_of, rules):
    rule, browser = rules["learned"], page_of(rules["learned"])
    for number in (1, 3):
        if number > 1:
            Select(found(browser, "#pass")).select_by_index(number - 1)
        own = int(found(browser, "#own").get_property("value"))
        cells = browser.execute_script(
            """return [...document.querySelectorAll("#heat tbody tr")].map((row) =>
            [...row.querySelectorAll("td:not([hidden])")].map((cell) => cell.textContent));"""
        )
        _, columns = used_columns(rule, number)
        block = rule.tables[number - 1, own, columns].T
        assert cells == [[shown(value) for value in row] for row in block.tolist()]


def test_a_team_is_typed_in(page_of, rules):
    """In a rule that leaves out a bye; the sum comes from the script alone."""
    browser = page_of(rules["small"])
    assert found(browser, "#team .of-bye").is_displayed()
    own = found(browser, "#team-own")
    own.send_keys("6")
    total = 0
    for r, line in enumerate(browser.find_elements(By.CSS_SELECTOR, "#team tbody tr")):
        mp, *_, bye = line.find_elements(By.CSS_SELECTOR, "input")
        if r == 2:
            bye.click()
            continue
        mp.send_keys(str(2 + r))
        Select(line.find_element(By.CSS_SELECTOR, "select")).select_by_visible_text(
            f"{1 + r / 2:g}"
        )
        total += (2 + r) * (1 + r / 2)
    assert found(browser, "#team-result").text == f"TB2 = {shown(total)}. Left out: round 3."
    own.send_keys("66")
    assert browser.execute_script("return document.querySelector('#team-own').matches(':invalid')")
    assert "TB2" not in found(browser, "#team-result").text
    found(browser, "#team-clear").click()
    assert found(browser, "#team-result").text.startswith("0 of ")
    assert browser.switch_to.active_element.get_attribute("id") == "team-own"


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
        assert len(contrasts) > 200 and min(contrasts) >= 4.5
        fields = browser.find_elements(By.CSS_SELECTOR, "input, select, button")
        assert all(one.accessible_name for one in fields if one.is_displayed())


def test_all_languages_fit_on_a_phone(page_of, rules, tmp_path):
    """Standings and workings, and nothing wider than the screen."""
    for language in LANGUAGES:
        browser = page_of(rules["learned"], language)
        with shown_on(browser, width=360, height=740, mobile=True):
            given(browser, tmp_path, "Cup.csv", GOOD.replace("2,2", "2.5,1.5").encode())
            tap(browser, 0, 1)
            assert found(browser, "#verdict").is_displayed()
            assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
            assert browser.execute_script(
                "const { scrollWidth, clientWidth } = document.querySelector('#standings')"
                ".parentElement; return scrollWidth <= clientWidth;"
            )
            top = browser.execute_script(
                "return document.querySelector('#event-files').getBoundingClientRect().top"
            )
            assert top < 300 or browser.execute_script("return scrollY") > 0
        assert found(browser, "html").get_attribute("lang") == language
        assert found(browser, "#rank").text == words(language)["html.rank"]


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
