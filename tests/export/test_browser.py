"""The pages in a browser: what only a browser shows. What they say is tested without one."""

import pytest
from browser_samples import heard, shown_on
from helpers import ROOT, random_surfaces
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from tb2learn.catalogue import load_rule
from tb2learn.events import read_event
from tb2learn.export.event_page import event_page
from tb2learn.export.standings import rank_event
from tb2learn.export.table import used_columns
from tb2learn.export.wall import standings_to_print
from tb2learn.export.words import LANGUAGES, words
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
        "olympiad": load_rule("olympiad-180x11"),
        "learned": load_rule("uniform-180x11"),
    }


@pytest.fixture(scope="session")
def event_of(browser, tmp_path_factory):
    """Opens the page of an event; each is written once."""
    folder = tmp_path_factory.mktemp("events")

    def show(name="olympiad.trf", language="en", beside="learned"):
        path = folder / f"{name}-{language}.html"
        if not path.exists():
            ranked = rank_event(read_event(str(ROOT / "examples" / name)))
            orders, _ = standings_to_print(ranked, beside, language=language)
            path.write_text(event_page(orders), encoding="utf-8")
        browser.get(path.as_uri())
        return browser

    return show


def shown(value):
    return f"{value:.10g}".replace("-", MINUS)


def found(browser, selector):
    return browser.find_element(By.CSS_SELECTOR, selector)


# --- an event -------------------------------------------------------------------------------------


def tap(browser, *places):
    """Tap teams by their place in the standings in sight, 0 for the first."""
    buttons = browser.find_elements(By.CSS_SELECTOR, ".order:not([hidden]) [data-team]")
    for place in places:
        browser.execute_script("arguments[0].click()", buttons[place])


def widths(browser):
    """The width of the page, and of the widest part of the panel beside its own."""
    return browser.execute_script(
        """const parts = [...document.querySelectorAll("#panel .scroll")];
        return [document.documentElement.scrollWidth,
          ...parts.map((part) => part.scrollWidth - part.clientWidth)];"""
    )


def test_teams_are_tapped_and_orders_switched(event_of):
    browser = event_of()
    panel = found(browser, "#panel")
    assert not panel.is_displayed()
    tap(browser, 0)
    first = found(browser, ".order:not([hidden]) [data-team]").text
    assert panel.is_displayed() and panel.text.split("\n")[1].startswith(first)
    tap(browser, 1)
    assert len(browser.find_elements(By.CSS_SELECTOR, "#panel .verdict")) == 2
    pressed = browser.find_elements(By.CSS_SELECTOR, ".order:not([hidden]) [aria-pressed=true]")
    assert len(pressed) == 2
    found(browser, "#panel tbody button").click()  # an opponent takes the place of the first
    assert found(browser, "#panel th bdi").text == pressed[1].text
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert not panel.is_displayed()
    heads = "return [...document.querySelectorAll('.order')].map((part) => part.checkVisibility())"
    assert browser.execute_script(heads) == [True, False]
    browser.find_elements(By.CSS_SELECTOR, "[data-order]")[1].click()
    assert browser.execute_script(heads) == [False, True]
    tap(browser, 2)
    found(browser, "#close").click()
    assert not panel.is_displayed()


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_event_fits_on_a_phone_and_on_a_screen(event_of, language):
    """The page is never wider than the screen; a table of three passes may scroll a little."""
    for width in (360, 1280):
        browser = event_of(language=language)
        with shown_on(browser, width=width, height=740, mobile=width < 500):
            for places in ((), (0,), (1,)):
                tap(browser, *places)
                page, *beyond = widths(browser)
                assert page <= width and all(excess <= 120 for excess in beyond)
            assert found(browser, "html").get_attribute("lang") == language


def test_the_print_of_an_event_is_a_page_for_the_wall(event_of):
    browser = event_of()
    tap(browser, 0, 1)
    visible = "return document.querySelector(arguments[0]).checkVisibility()"
    with shown_on(browser, media="print"):
        for selector in ("#panel", ".controls"):
            assert not browser.execute_script(visible, selector)
        for selector in (".order", ".order .wide", "dl", "footer"):
            assert browser.execute_script(visible, selector)
        colour = "return getComputedStyle(document.querySelector(arguments[0])).color"
        pressed = "[data-team][aria-pressed=true]"
        assert browser.execute_script(colour, pressed) == "rgb(0, 0, 0)"


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


def test_text_of_an_event_stands_out(event_of):
    browser = event_of()
    tap(browser, 0, 1)
    contrasts = browser.execute_script(CONTRASTS)
    assert len(contrasts) > 200 and min(contrasts) >= 4.5


def test_a_rule_fits_on_a_phone(page_of, rules):
    for language in LANGUAGES:
        browser = page_of(rules["learned"], language)
        with shown_on(browser, width=360, height=740, mobile=True):
            assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
        assert found(browser, "html").get_attribute("lang") == language
        assert found(browser, "#calculator").text == words(language)["html.calculator"]


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
