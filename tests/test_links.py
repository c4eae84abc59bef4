"""Links of the documentation: every file, picture and heading that a page points to is there."""

import re

import pytest
from helpers import ROOT, tracked

_PAGES = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs/**/*.md",
    "reports/**/*.md",
    "benchmarks/*.md",
)
PAGES = tracked(*_PAGES)

_FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`[^`\n]+`")
_LINK = re.compile(r"\]\(\s*([^)\s]+)(?:\s+\"[^\"]*\")?\s*\)")
_SOURCE = re.compile(
    r"\b(?:tb2learn|tests|studies)/[a-z_0-9/]+\.\w+|\breports/[\w/-]+\.(?:md|txt|csv|json|png)\b"
)


def targets(text):
    """What the links and pictures of a page point to, without those to other sites."""
    text = _SPAN.sub("", _FENCE.sub("", text))
    return [one for one in _LINK.findall(text) if not re.match(r"[a-z]+:", one)]


def headings(text):
    """The names that headings have as targets of links, as GitHub makes them."""
    found = []
    for title in re.findall(r"^#+ +(.+?) *$", _FENCE.sub("", text), re.MULTILINE):
        name = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        found.append(f"{name}-{found.count(name)}" if name in found else name)
    return found


def broken(page):
    """Links of a page that lead nowhere."""
    text = page.read_text("utf-8")
    missing = []
    for target in targets(text):
        name, _, heading = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        inside = file.exists() and file.is_relative_to(ROOT)
        if not inside or (heading and heading not in headings(file.read_text("utf-8"))):
            missing.append(target)
    return missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve(page):
    assert broken(page) == []


@pytest.mark.parametrize(
    "page",
    # The changelog names files as they were called in their time.
    [page for page in PAGES if page.name != "CHANGELOG.md"],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_named_files_of_the_repository_exist(page):
    text = page.read_text("utf-8")
    assert [name for name in _SOURCE.findall(text) if not (ROOT / name).exists()] == []


def test_every_report_is_linked():
    """From the README or another page: a report that nothing points to is not found."""
    linked = set()
    for page in PAGES:
        for target in targets(page.read_text("utf-8")):
            linked.add((page.parent / target.partition("#")[0]).resolve())
    reports = [path for path in PAGES if path.is_relative_to(ROOT / "reports")]
    assert [path for path in reports if not linked & {path, path.parent}] == []
