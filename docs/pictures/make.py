"""The pictures of the README and of docs/method.md, from the committed page and checkpoint."""

import base64
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

import tb2learn as tb
from tb2learn.catalogue import load_checkpoint
from tb2learn.report.figures import slopes_figure
from tb2learn.report.plot import comparison_of

HERE = Path(__file__).parent
PAGE = HERE.parent / "baku2016.html"
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")

WIDTH = 900
"""Of the page on the screen, in pixels of CSS; a picture has two a pixel."""

MARGIN = 16
PLACES = 30
"""How many places are shown."""

TIE = ("Kazakhstan", "Czech Republic")


@contextmanager
def screen() -> Iterator[webdriver.Chrome]:
    """A browser that shows the committed page of Baku 2016."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    with tempfile.TemporaryDirectory() as profile:
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        try:
            metrics = {"width": WIDTH, "height": 900, "deviceScaleFactor": 2, "mobile": False}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            driver.get(PAGE.as_uri())
            yield driver
        finally:
            driver.quit()


def main() -> None:
    """Write the pictures beside this file."""
    baku = tb.load_event("baku2016")
    figure = slopes_figure(comparison_of(tb.compare(baku, "learned")), PLACES)
    figure.savefig(HERE / "places.png", dpi=160)
    figure = tb.plot(load_checkpoint("rosters-180x11"))
    figure.savefig(HERE / "difficulty.png", dpi=110)
    with screen() as browser:
        write_working(browser)
        write_standings(browser)


def write_working(browser: webdriver.Chrome) -> None:
    """The panel of the two teams of a tie, without the standings behind it."""
    for team in TIE:
        buttons = browser.find_elements(By.CSS_SELECTOR, ".order:not([hidden]) [data-team]")
        button = next(button for button in buttons if button.text == team)
        browser.execute_script("arguments[0].click()", button)
    hide(browser, ".order { visibility: hidden }")
    write_part(browser, "working", "#panel")


def write_standings(browser: webdriver.Chrome) -> None:
    """The page from its title to the last of some places."""
    browser.refresh()
    rest = f".order tr:nth-child(n + {PLACES + 1}), .order > section:nth-of-type(n + 3), footer"
    hide(browser, f"{rest} {{ display: none }}")
    write_part(browser, "standings", "body")


def hide(browser: webdriver.Chrome, style: str) -> None:
    """Leave out what a picture does not show."""
    script = "document.adoptedStyleSheets.push(new CSSStyleSheet()); "
    script += "document.adoptedStyleSheets.at(-1).replaceSync(arguments[0])"
    browser.execute_script(script, style)


def write_part(browser: webdriver.Chrome, name: str, selector: str) -> None:
    """A picture of an element of the page, with a margin."""
    box = browser.find_element(By.CSS_SELECTOR, selector).rect
    top = max(box["y"] - MARGIN, 0)
    height = box["y"] + box["height"] + MARGIN - top
    clip = {"x": 0, "y": top, "width": WIDTH, "height": height, "scale": 1}
    shot = {"format": "png", "captureBeyondViewport": True, "clip": clip}
    answer = browser.execute_cdp_cmd("Page.captureScreenshot", shot)
    (HERE / f"{name}.png").write_bytes(base64.b64decode(answer["data"]))


if __name__ == "__main__":
    main()
