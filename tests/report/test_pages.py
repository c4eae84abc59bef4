"""Figures render, pages are one safe and self-contained file, words follow the intervals."""

import math
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from tb2learn.assessment.assess import Assessment, assess
from tb2learn.assessment.tally import ALL, TOPS, ErrorRate
from tb2learn.config import load_config
from tb2learn.events import compare, explain, read_event
from tb2learn.report import (
    figures_assessment,
    figures_comparison,
    figures_training,
    pages,
    style,
    wording,
)
from tb2learn.tiebreaks.rules import LookupTable, product_table
from tb2learn.training import checkpoint

NAN, INF = math.nan, math.inf
HOSTILE = "<script>alert(1)</script>\"'"
NAMES = [
    HOSTILE,
    r"$\frac{1}$ & Co",
    "</td></table>",
    "\u202eesrever",
    "{{ 7 * 7 }}{% raw %}",
    "\U0001f3c1 " + "long " * 30,
    "Älpha",
    "B",
    "C",
]


@pytest.fixture(scope="module")
def trained():
    config = load_config("small-20x7")
    config = replace(
        config,
        train=replace(config.train, events=50, held_out=50),
        surface=replace(config.surface, knots=8, steps=60),
    )
    return checkpoint.train(config)


@pytest.fixture(scope="module")
def judged(trained):
    event = trained.config.event
    rules = [product_table(event.rounds, event.boards), trained.rule()]
    fine = trained.unrounded()
    return assess(trained.config, rules, 20, 1, unrounded=fine)


@pytest.fixture(scope="module")
def event(tmp_path_factory):
    """Nine teams, eight rounds of a round robin, one bye a round, results drawn once."""
    folder = tmp_path_factory.mktemp("events") / "<b>event"
    folder.mkdir()
    generator = np.random.default_rng(36)  # six teams tie for first place
    circle = [*range(len(NAMES)), None]
    rows = []
    for round_number in range(1, 8):
        half = len(circle) // 2
        for a, b in zip(circle[:half], circle[: half - 1 : -1], strict=True):
            a, b = (b, a) if a is None else (a, b)
            points = 2 if b is None else generator.choice([1.5, 2.0, 2.5, 4.0])
            other = ("", "") if b is None else (quote(NAMES[b]), str(4 - points))
            rows.append((str(round_number), quote(NAMES[a]), other[0], str(points), other[1]))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    text = "round,team_a,team_b,game_points_a,game_points_b\n"
    (folder / "matches.csv").write_text(text + "\n".join(map(",".join, rows)), encoding="utf-8")
    return read_event(folder)


def quote(name):
    return '"' + name.replace('"', '""') + '"'


@pytest.fixture(scope="module")
def comparison(event, trained):
    return compare(event, product_table(7, 4), trained.rule())


@pytest.fixture(scope="module")
def explanation(event, trained):
    return explain(event, event.teams, [product_table(7, 4), trained.rule()])


def strange_assessment(config):
    """No pairs, no errors to reduce, an interval that runs out of the figure, more rules."""
    results = []
    for rule in ("product", "new", "$other$"):
        for top, values in zip(
            TOPS[:4],  # those of the thesis protocol
            (
                (0, NAN, (NAN, NAN), NAN, (NAN, NAN)),
                (3, 0.5, (0.0, 1.0), -INF, (NAN, NAN)),
                (40, 0.25, (0.2, 0.3), -0.5, (-7.0, 0.1)),
                (900, 0.2, (0.19, 0.21), 0.1, (0.05, 0.15)),
            ),
            strict=True,
        ):
            results.append(ErrorRate(rule, top, *values))
    return Assessment("thesis", "own", 5, 1, config, tuple(results), None)


# --------------------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        ((0.01, 0.2), "fewer errors"),
        ((-0.2, -0.01), "more errors"),
        ((-0.1, 0.2), "these events show no difference"),
        ((0.0, 0.2), "these events show no difference"),
        ((-0.2, 0.0), "these events show no difference"),
        ((NAN, NAN), "these events show no difference"),
    ],
)
def test_the_interval_decides_the_words(interval, words):
    result = ErrorRate("new", 10, 100, 0.2, (0.1, 0.3), sum(interval) / 2, interval)
    assert wording.verdict(result) == words
    assert f": {words}. " in wording.finding(result, replace(result, rule="product"))


def test_a_finding_holds_every_number():
    old = ErrorRate("product", 30, 12345, 0.25, (0.24, 0.26), 0.0, (0.0, 0.0))
    new = ErrorRate("mine", 30, 12345, 0.2, (0.19, 0.21), 0.2, (0.15, 0.25))
    assert wording.finding(new, old) == (
        "Ties that reach into the top 30 (12,345 pairs): fewer errors. The learned rule mine "
        "decides 20.0% of them wrongly (95% interval 19.0% to 21.0%), the product rule 25.0% of "
        "them wrongly (95% interval 24.0% to 26.0%): 20.0% fewer (95% interval 15.0% fewer to "
        "25.0% fewer)."
    )
    nothing = ErrorRate("mine", 1, 0, NAN, (NAN, NAN), NAN, (NAN, NAN))
    assert wording.finding(nothing, nothing) == (
        "Ties for first place: there were none in these events."
    )


def test_a_headline_is_short():
    old = ErrorRate("product", 30, 12345, 0.25, (0.24, 0.26), 0.0, (0.0, 0.0))
    new = ErrorRate("mine", 30, 12345, 0.2, (0.19, 0.21), 0.2, (0.15, 0.25))
    rates = (
        "Of ties that reach into the top 30 the learned rule mine decides 20.0% wrongly, "
        "the product rule 25.0%: "
    )
    assert wording.headline(new, old) == (
        f"{rates}20.0% fewer errors (95% interval 15.0% fewer to 25.0% fewer)."
    )
    unsure = replace(new, reduction_ci=(-0.01, 0.25))
    assert wording.headline(unsure, old) == f"{rates}these events show no difference."
    nothing = ErrorRate("mine", 1, 0, NAN, (NAN, NAN), NAN, (NAN, NAN))
    assert wording.headline(nothing, nothing) == (
        "Of ties for first place there were none in these events."
    )


def test_the_best_rule_comes_first(trained):
    good = ErrorRate("good", 30, 9, 0.1, (0.0, 0.2), 0.6, (0.1, 0.7))
    bad, fair = replace(good, rule="bad", error_rate=0.3), replace(good, rule="a", error_rate=0.2)
    judged = Assessment("single", None, 5, 1, trained.config, (bad, good, fair), None)
    assert figures_assessment.best_first(judged) == ["good", "a", "bad"]
    panel = figures_assessment.leaderboard_figure(judged).axes[0]
    names = [label.get_text() for label in panel.get_yticklabels()]
    assert names == [wording.rule_name(rule) for rule in ("bad", "a", "good")]


@pytest.mark.parametrize(
    ("reduction", "words"),
    [
        (0.123, "12.3% fewer"),
        (-0.123, "12.3% more"),
        (0.0001, "as many"),
        (-3.0, "300.0% more"),
        (NAN, "-"),
        (-INF, "more than none"),
    ],
)
def test_change_in_words(reduction, words):
    assert wording.change(reduction) == words


# --------------------------------------------------------------------------- figures


def drawn(figure):
    """The address of a figure; drawing it must raise no warning (warnings are errors here)."""
    address = style.figure_uri(figure)
    assert address.startswith("data:image/svg+xml;base64,")
    return address


def test_figures_of_a_checkpoint(trained):
    table, product = trained.rule(), product_table(7, 4)
    figures = [
        figures_training.surface_figure(table, product, 11),
        figures_training.surface_slices_figure(table),
        figures_training.surface_slices_figure(table, [3, 5, 7]),
        figures_training.calibration_figure(trained),
        figures_training.residual_figure(trained),
        figures_training.loss_figure(trained),
    ]
    for figure in figures:
        drawn(figure)
        for panel in figure.axes:
            assert panel.get_xlabel() or panel.get_ylabel() or not panel.get_visible()
    one, other = (drawn(figures_training.loss_figure(trained)) for _ in range(2))
    assert one == other


@pytest.mark.parametrize(("rounds", "boards"), [(1, 1), (15, 2)])
def test_figures_of_other_formats(rounds, boards):
    product = product_table(rounds, boards)
    half = LookupTable("half", rounds, boards, product.points // 2)
    drawn(figures_training.surface_figure(half, product, rounds))
    drawn(figures_training.surface_slices_figure(half))


def test_figures_of_assessments(trained, judged):
    drawn(figures_assessment.assessment_figure(judged))
    drawn(figures_assessment.assessment_figure(strange_assessment(trained.config)))


def test_figure_of_a_comparison(comparison):
    drawn(figures_comparison.comparison_figure(comparison))
    one = replace(comparison, teams=comparison.teams[:1])
    drawn(figures_comparison.comparison_figure(one))


# --------------------------------------------------------------------------- pages


class Page(HTMLParser):
    """What stands in a page, and that its elements are closed in order."""

    VOID = ("meta", "img", "br", "hr", "link", "input")

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.text, self.ids = [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        assert len(dict(attributes)) == len(attributes)
        self.tags.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)

    def attributes(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


def check_page(text):
    page = Page(text)
    assert text.startswith("<!doctype html>")
    assert page.attributes("html") == [{"lang": "en"}]
    assert len(page.attributes("h1")) == len(page.attributes("main")) == 1
    assert page.attributes("img")
    for image in page.attributes("img"):
        assert image["src"].startswith("data:image/svg+xml;base64,")
        assert len(image["alt"]) > 20
    # Nothing is loaded, nothing runs, nothing leads away.
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "link", "iframe", "a", "object"})
    for tag, attributes in page.tags:
        assert not any(name.startswith("on") for name in attributes)
        assert "href" not in attributes
        assert ("src" in attributes) == (tag == "img")
    assert "http://" not in text and "https://" not in text
    assert "url(" not in text and "@import" not in text
    assert "prefers-color-scheme: dark" in text and "@media print" in text
    return page


def check_names(text, page):
    for name in NAMES:
        assert name.strip() in "".join(page.text)
    for hostile in ("<script", "</td></table>", "<b>event"):
        assert hostile not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&#34;&#39;" in text


def test_quickstart_page(trained, judged, comparison, explanation):
    assessments = [judged, strange_assessment(trained.config)]
    text = pages.quickstart_page(
        trained, assessments, comparison, explanation, {"train": 1.25, "assess": 2.0}
    )
    page = check_page(text)
    check_names(text, page)
    words = " ".join("".join(page.text).split())
    first = {r.top: r for r in judged.results if r.rule == "product"}
    for result in judged.results:
        assert wording.percent(result.error_rate) in words
        assert wording.interval(result.ci) in words
        if result.rule != "product":
            assert wording.finding(result, first[result.top]) in words
    # The page opens with one picture and a table of one number a cell, the best rule first.
    opening = Page(text.split("How the rules were judged")[0] + "</h2></main></body></html>")
    assert len(opening.attributes("img")) == 1 and not opening.attributes("li")
    assert len(opening.attributes("p")) <= 4
    rates = {(r.rule, r.top): wording.percent(r.error_rate) for r in judged.results}
    table = "".join("".join(opening.text).split("The same shares as numbers.")[1].split())
    expected = ["rule", "top 10", "top 30", "all tied pairs"]
    for rule in figures_assessment.best_first(judged):
        expected += [wording.rule_name(rule), *(rates[rule, top] for top in pages.HEADLINE_TOPS)]
    assert table.startswith("".join(expected).replace(" ", ""))
    for top in (10, ALL):
        new = next(r for r in judged.results if r.rule != "product" and r.top == top)
        assert wording.headline(new, first[top]) in words
    changed, pairs = judged.rounding
    assert f"Rounding: of {pairs:,} verdicts of the rounded table, {changed:,} differ" in words
    assert "tb2learn quickstart --events 50 --assessed 20 --seed 1" in words
    assert "train 1.2, assess 2.0" in words
    assert trained.version in words and trained.config.name in words
    for value in (trained.fit.deviance, trained.fit.held_out_deviance, trained.fit.held_out_noise):
        assert f"{value:.2e}" in words
    # Every number of the table stands in it.
    cells = words.split("The whole table")[1]
    assert all(f"Own MP {own}" in cells for own in range(15))
    for own, block in enumerate(trained.rule().points):
        row = " ".join(map(str, ["4", *block[:, -1]]))
        numbers = cells.split(f"Own MP {own} ")[1].split("Own MP")[0]
        assert row.replace(" ", "") in numbers.replace(" ", "")


def test_quickstart_page_without_assessments(trained, comparison, explanation, monkeypatch):
    monkeypatch.setattr(style, "figure_uri", lambda figure: "data:image/svg+xml;base64,")
    text = pages.quickstart_page(trained, [], comparison, explanation, {})
    assert "This run assessed no rules" in text
    check_page(text)


def test_compare_page(event, comparison, explanation):
    text = pages.compare_page(event, comparison, explanation)
    page = check_page(text)
    check_names(text, page)
    words = " ".join("".join(page.text).split())
    assert "9 teams, 7 rounds, 4 boards, 28 matches" in words
    # The worked sums: every value, and the sum without those left out.
    for working in explanation:
        for total in working.sums:
            assert f"{total:g}" in words
    assert words.count("left out") >= 2 * len(explanation)


def test_compare_page_of_a_single_winner_and_a_rescaled_table(event, comparison, explanation):
    alone = replace(comparison, first_place=comparison.first_place[:1], note="rescaled", movers=())
    words = pages.compare_page(event, alone, explanation[:1])
    assert "no tie-break decides first place here" in words
    assert "No team changes its place" in words
    assert "rescaled" in words
    check_page(words)
