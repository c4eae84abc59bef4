"""One browser for all tests of pages."""

import os
import shutil

import pytest
from browser_samples import heard
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from tb2learn.export.rule_page import table_html

FLAGS = (
    "--headless=new",
    "--no-sandbox",  # as root there is none
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1200,900",
)


def program(name):
    found = shutil.which(name)
    if found is None:
        message = f"{name} is missing: apt-get install chromium chromium-driver"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return found


@pytest.fixture(scope="session")
def downloads(tmp_path_factory):
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="session")
def browser(tmp_path_factory, downloads):
    options = webdriver.ChromeOptions()
    options.binary_location = program("chromium")
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(program("chromedriver")))
    driver.get("data:,")  # the browser's own first page has much to say
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def page_of(browser, tmp_path_factory):
    """Opens the page of a rule; each is written once."""
    folder = tmp_path_factory.mktemp("pages")

    def show(rule, language="en"):
        path = folder / f"{rule.name}-{rule.event_rounds}-{rule.boards}-{language}.html"
        if not path.exists():
            path.write_text(table_html(rule, language), encoding="utf-8")
        browser.get(path.as_uri())
        return browser

    return show


@pytest.fixture
def silent(browser):
    """No test may leave a word in the console or ask for anything but files."""
    heard(browser)
    yield
    console, asked = heard(browser)
    assert console == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
