"""A rule has one name and one colour in all that an assessment puts on screen and paper."""

import json
import re
from html import unescape

import pandas as pd
import pytest
from matplotlib.colors import to_hex
from report_samples import row

from tb2learn.assessment.error_rates import Assessment
from tb2learn.config import Config, EventFormat
from tb2learn.export import html
from tb2learn.export.forms import LANGUAGES
from tb2learn.export.rule_names import GREY, called, colours
from tb2learn.report import assessment, figures, forecast
from tb2learn.tiebreaks.library import LEAGUE, PLAYERS_LEAGUE, TABLES

pytestmark = pytest.mark.usefixtures("untyped")

FIDES, OWN = "FIDE's rule", "surprise"
RULES = {"product": FIDES, OWN: OWN, "learned": "learned"}

OTHERS = re.compile(
    r"\bproduct\b|product rule|learned rule|today's rule|old rule|Learned table", re.IGNORECASE
)
"""What else FIDE's rule, a learned one or a researcher's own was called."""


@pytest.fixture
def judged():
    rows = [
        row(rule, top, 900, error, (error - 0.01, error + 0.01), 0.1, (0.0, 0.2), (-0.02,) * 3)
        for rule, error in zip(RULES, (0.3, 0.28, 0.25), strict=True)
        for top in ("10", "30")
    ]
    config = Config("w", event=EventFormat(180, 11, 4))
    return Assessment("single", None, 2000, 1, config, pd.DataFrame(rows))


def hanging():
    rows = {"rule": ["product", OWN], "top": "10", "pairs": 900, "decided": 0.9}
    for name in ("hanging", "matches", "one", "all", "certain"):
        rows |= {name: 0.2, f"{name}_low": 0.1, f"{name}_high": 0.3}
    return pd.DataFrame(rows)


def colours_of(panel):
    """The colour of every line of a figure's panel by its label."""
    return {line.get_label(): to_hex(line.get_color()).upper() for line in panel.lines}


def test_one_name_on_screen_page_and_paper(judged):
    texts = [
        assessment.assessment_text(judged, None),
        unescape(html.document_html(assessment.assessment_document(judged))),
        assessment.others_table(hanging(), 9).text(None),
    ]
    for text in texts:
        assert FIDES in text and OWN in text and not OTHERS.search(text), text
    # Files and programs know a rule by the name that options take.
    content = json.loads(assessment.assessment_table(judged).json())
    assert [r["rule"] for r in content["rows"][::2]] == [*RULES]


def test_one_name_and_one_colour_in_every_figure(judged):
    errors = figures.errors_figure(judged.frame)
    ticks = [label.get_text() for label in errors.axes[0].get_yticklabels()]
    assert sorted(ticks) == sorted(RULES.values())
    marks = [to_hex(line.get_color()).upper() for line in errors.axes[0].lines]
    drawn = dict(zip(ticks, marks, strict=True))
    legend = [text.get_text() for text in errors.legends[0].get_texts()]
    assert legend == [f"{FIDES}, with which others are compared"]
    others = figures.others_figure(hanging()).axes[0]
    names = ("winner", "medals", "ten")
    chances = pd.DataFrame(
        {"rule": ["product", OWN], "team": "A", "mp": 3} | dict.fromkeys(names, 0.5)
    )
    bars = forecast.chances_figure(chances).axes[0].containers
    shown = {bar.get_label(): to_hex(bar.patches[0].get_facecolor()).upper() for bar in bars}
    assert shown == colours_of(others) == {name: drawn[name] for name in (FIDES, OWN)}
    assert len(set(drawn.values())) == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_fides_rules_have_a_name_in_every_language(language):
    for name in ("product", "fide", "list"):
        assert called(name, language) not in (name, "")
        assert language == "en" or called(name, language) != called(name)
    assert called(LEAGUE, language) == called(PLAYERS_LEAGUE, language) == called("fide", language)
    assert called("mine", language) == "mine"


def test_the_colour_of_a_rule_hangs_on_no_figure():
    """FIDE's rule and the shipped table have theirs; others in the order of what was asked for."""
    first, second = colours(["product", OWN, "learned"]), colours([OWN, "formula", "product"])
    assert all(first[rule] == second[rule] for rule in ("product", OWN, "learned"))
    assert second["formula"] not in (first["product"], first[OWN], first["learned"])
    assert first[TABLES[4]] == first["learned"] and first[LEAGUE] == first["product"]
    many = [f"rule {number}" for number in range(9)]
    assert [colours(many)[rule] for rule in many[4:]] == [colours(many)[many[4]], *[GREY] * 4]
    assert GREY not in [colours(many)[rule] for rule in many[:5]]
