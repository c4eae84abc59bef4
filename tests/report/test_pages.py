"""Pages are one safe and self-contained file with every number."""

import re
from dataclasses import replace

import pytest
from page_reader import Page
from report_samples import NAMES, strange_assessment

from tb2learn.assessment import error_rates
from tb2learn.export import error_words
from tb2learn.export.html import policy
from tb2learn.export.result import TableSet
from tb2learn.export.rule_names import called
from tb2learn.report import figures, pages, style, wording
from tb2learn.report.compared import ComparedEvent
from tb2learn.text import plain, tidy

ORDERS = ("face value: MPTS, EMGSB/C1", "face value: MPTS, learned")


def check_page(text):
    page = Page(text)
    assert text.startswith("<!doctype html>")
    assert [attributes for attributes, _ in page.all("html")] == [{"lang": "en"}]
    assert len(page.all("h1")) == len(page.all("main")) == 1 <= len(page.all("img"))
    for image, _ in page.all("img"):
        assert image["src"].startswith("data:image/svg+xml;base64,")
        assert len(image["alt"]) > 20
    # Nothing is loaded, nothing runs, nothing leads away.
    assert {tag for tag, _ in page.elements}.isdisjoint({"script", "link", "iframe", "a", "object"})
    for tag, attributes in page.elements:
        assert not any(name.startswith("on") for name in attributes)
        assert "href" not in attributes
        assert ("src" in attributes) == (tag == "img")
    assert "http://" not in text and "https://" not in text
    assert "url(" not in text and "@import" not in text
    ((_, used),) = page.all("style")
    (allowed,) = (a["content"] for a, _ in page.all("meta") if "http-equiv" in a)
    assert allowed == policy(used, images=True) and "'none'; style-src 'sha256-" in allowed
    assert not any("style" in attributes for _, attributes in page.elements)
    assert "prefers-color-scheme: dark" in text and "@media print" in text
    return page


def check_names(text, page):
    for name in NAMES:
        assert plain(tidy(name)) in page.words
    for hostile in ("<script", "</td></table>", "<b>event"):
        assert hostile not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&#34;&#39;" in text


@pytest.mark.thorough
def test_quickstart_page(trained, judged, comparison, explanation):
    assessments = [judged, strange_assessment(trained.config)]
    compared = ComparedEvent(comparison, ORDERS, TableSet({}), explanation)
    text = pages.quickstart_page(trained, assessments, compared, {"train": 1.25, "assess": 2.0})
    page = check_page(text)
    check_names(text, page)
    words = " ".join(page.words.split())
    rows = list(judged.frame.itertuples())
    for row in rows:
        assert wording.percent(row.error) in words
        assert wording.interval(row.error_low, row.error_high) in words
        if row.rule != "product":
            found = error_rates.compared(judged.frame, row.rule, row.top)
            assert error_words.fewer_or_more(found) in words
    # The real event comes first, then the rules, the best first, then how hard results are.
    heads = [part.split("<")[0] for part in re.split(r"<h2[^>]*>", text)[1:]]
    titles = ["How often each rule decides a tie wrongly", "How hard is a result?"]
    assert heads[1:3] == titles and heads[3:5] == ["What decides ties?", "Is it better?"]
    assert all(head.startswith("Appendix") for head in heads[5:-1]) and len(heads) == 9
    opening = Page("<section" + text.split("<section")[1].split("</section>")[0] + "</section>")
    assert len(opening.all("img")) == 1 and not opening.all("li")
    rates = {(row.rule, row.top): wording.percent(row.error) for row in rows}
    table = "".join(opening.words.split("The same shares as numbers.")[1].split())
    expected = ["rule", "top 10", "top 30", "all tied pairs"]
    for rule in figures.best_first(judged.frame):
        expected += [called(rule), *(rates[rule, top] for top in pages.HEADLINE_TOPS)]
    assert table.startswith("".join(expected).replace(" ", ""))
    for top in ("10", "all"):
        *_, new = judged.frame["rule"]
        found = error_rates.compared(judged.frame, new, top)
        assert error_words.errors_of_hundred(found, error_words.that_reach(top)) in words
    changed, pairs = judged.rounding
    assert f"Rounding: of {pairs:,} verdicts of the rounded table, {changed:,} differ" in words
    assert "tb2learn quickstart --events 50 --assessed 20 --seed 1" in words
    assert "train 1.2, assess 2.0" in words
    assert trained.version in words and trained.config.name in words
    fits = ("deviance", "held_out_deviance", "held_out_noise")
    assert all(f"{trained.findings[name]:.2e}" in words for name in fits)
    assert error_words.is_it_better(trained).splitlines()[0] in words


@pytest.mark.thorough
def test_quickstart_page_without_assessments(trained, comparison, explanation, monkeypatch):
    for name in (one for one in vars(pages) if one.endswith("_figure")):
        monkeypatch.setattr(pages, name, lambda *_: style.blank_figure(1, 1))
    compared = ComparedEvent(comparison, ORDERS, TableSet({}), explanation)
    text = pages.quickstart_page(trained, [], compared, {})
    assert "This run assessed no rules" in text
    check_page(text)


def test_compare_page(event, comparison, explanation):
    compared = ComparedEvent(comparison, ORDERS, TableSet({}), explanation)
    text = pages.compare_page(event, compared)
    page = check_page(text)
    check_names(text, page)
    words = " ".join(page.words.split())
    assert "9 teams, 7 rounds, 4 boards, 28 matches" in words
    assert all(f": {order}." in words for order in ORDERS)
    # The worked sums: every value, and the sum without those left out.
    for working in explanation:
        for total in working.sums:
            assert f"{total:g}" in words
    assert words.count("left out") >= 2 * len(explanation)


def test_compare_page_of_a_single_winner(event, comparison, explanation):
    first = comparison.first_place[:1]
    alone = replace(comparison, first_place=first, movers=())
    compared = ComparedEvent(alone, ORDERS, TableSet({}), explanation[:1])
    words = pages.compare_page(event, compared)
    assert "has the most match points alone: first place needs no tie-break." in words
    assert "No team changes its place" in words
    check_page(words)
