"""Numbers of reports in plain words: shares, signs, titles, tables, headlines."""

from dataclasses import replace

import pandas as pd
import pytest
from report_samples import NAN, row

from tb2learn.assessment.error_rates import Assessment
from tb2learn.config import Config, EventFormat, FieldConfig
from tb2learn.events import Comparison, CriteriaList, PlaceChange, StandingsRow
from tb2learn.report import assessment, compared, figures, pages, wording
from tb2learn.tiebreaks.rules import product_table

pytestmark = pytest.mark.usefixtures("untyped")

CONFIG = Config("w", event=EventFormat(21, 5, 2))


def test_shares_and_differences():
    assert (wording.percent(0.0314), wording.percent(NAN)) == ("3.1%", "-")
    assert wording.interval(0.1, 0.25) == "10.0% to 25.0%"
    assert wording.interval(NAN, 0.2) == wording.interval(0.2, NAN) == "none"
    # In points of per cent, without a minus before a zero.
    differences = [assessment.points(x) for x in (-0.0561, 0.012, -0.0004, -0.0)]
    assert differences == ["-5.6", "+1.2", "+0.0", "+0.0"]


def test_places_have_a_sign_and_an_arrow():
    assert [wording.signed(up) for up in (3, -3, 0)] == ["+3", "\N{MINUS SIGN}3", "="]
    arrows = [wording.direction(up) for up in (2, -2, 0)]
    assert arrows == [wording.UP, wording.DOWN, wording.SAME] and len(set(arrows)) == 3


@pytest.mark.parametrize(
    ("noise", "said"),
    [
        ((30, 80), "with 30 to 80 points of noise, drawn for every event"),
        (float("inf"), "seeds drawn at random"),
        (50.0, "seeds by rating with 50 points of noise"),
        (0.0, "seeds by true strength"),
    ],
)
def test_seeds_in_words(noise, said):
    assert wording.seeding(Config("w", field=FieldConfig(seed_noise=noise))).endswith(said)


def frame_of(**columns):
    rows = [row("product", "10", 80, 0.25, (0.2, 0.3), 0.0, (0.0, 0.0)),
            row("new", "10", 80, 0.2, (0.1, 0.3), 0.2, (-0.05, 0.4))]  # fmt: skip
    return pd.DataFrame(rows).assign(**columns)


@pytest.mark.parametrize(("events", "blocks"), [(20, "20"), (1000, "1,000"), (4000, "1,000")])
def test_an_assessment_as_text(events, blocks):
    than = {"than_product": [0.0, -0.05], "than_product_low": [0.0, -0.1]}
    frame = frame_of(**than, than_product_high=[0.0, 0.01])
    found = Assessment("single", None, events, 3, CONFIG, frame, rounding=(3, 160))
    text = assessment.assessment_text(found, None)
    assert (
        f"w: single protocol, {events} events, seed 3; " in text and f"in {blocks} blocks" in text
    )
    (line,) = [line.split() for line in text.splitlines() if line.startswith("new")]
    assert line == "new 10 80 20.0 % 10.0 % 30.0 % -5.0 -10.0 +1.0".split()
    assert "changed 3 of 160 verdicts (1.875%)" in text
    about = assessment.assessment_table(found).about
    assert (about["events"], about["seed"], about["rounding"]) == (events, 3, (3, 160))


def test_probes_and_coalitions_as_tables():
    probed = pd.DataFrame([{"rule": "r", "probes": 12345, "within": 6789, "violations": 7,
                            "places": 8, "share": 0.00103, "share_low": 0.0004,
                            "share_high": 0.002, "worst": 1.5}])  # fmt: skip
    line = assessment.probes_table(probed).text(None).splitlines()[-1].split()
    assert line == "r 12,345 6,789 7 8 1.0e-03 4.0e-04 2.0e-03 1.5".split()
    names = ("mean", "from_1", "from_3", "from_10")
    won = {"rule": "r", "result": "kept", "of": "both", "pairs": 1200}
    for number, name in enumerate(names):
        won |= {name: number + 0.1234, f"{name}_low": 0.5, f"{name}_high": 0.75}
    won |= {"median": 1, "most_of_100": 5, "worst": 9}
    line = assessment.coalitions_table(pd.DataFrame([won])).text(None).splitlines()[-1].split()
    expected = "r kept both 1,200 0.123 0.500 0.750 1.123 2.123 0.500 0.750 3.123 1 5 9"
    assert line == expected.split()


def test_matches_of_others_as_a_table():
    found = {"rule": "r", "top": "10", "pairs": 1234, "decided": 0.98765}
    for number, name in enumerate(("hanging", "matches", "one", "all", "certain")):
        found |= {name: number + 0.1236, f"{name}_low": 0.25, f"{name}_high": 0.75}
    table = assessment.others_table(pd.DataFrame([found]), 2500)
    assert "(2,500 events)" in table.title
    line = table.text(None).splitlines()[-1].split()
    assert line[:6] == "r 10 1,234 0.988 0.124 0.250".split() and line[-3] == "4.124"


def test_the_best_rule_is_first_and_of_equals_the_later():
    frame = pd.DataFrame({"rule": list("abc") * 2, "top": ["10"] * 3 + ["all"] * 3,
                          "error": [0.1, 0.2, 0.3, 0.3, 0.2, 0.2]})  # fmt: skip
    assert figures.best_first(frame) == ["c", "b", "a"]
    assert figures._area(0.5) == 142


def test_the_top_of_the_page_compares_the_last_rule_with_the_first(monkeypatch):
    monkeypatch.setattr(pages, "figure_uri", lambda figure: "")
    monkeypatch.setattr(pages, "errors_figure", lambda frame: None)
    found = Assessment("single", None, 20, 3, CONFIG, frame_of())
    top = pages._headline(found)
    assert top["sentences"][0].startswith(
        "Of 100 ties that reach into the top 10 new decides 20.0 "
    )
    assert top["tops"] == ["10"] and [name for name, _ in top["rows"]] == ["new", "product"]


def comparison():
    """A stays first, B falls from second to fourth, C and D rise by one."""
    places = {"A": (1, 1), "B": (2, 4), "C": (3, 2), "D": (4, 3)}
    teams = [
        PlaceChange(team, 8, StandingsRow(old, 0, team, {}), StandingsRow(new, 0, team, {}), (0, 0))
        for team, (old, new) in places.items()
    ]
    return Comparison("E", "product", "new", tuple(teams), (), (), ("product", "new"))


def test_places_gained_are_above_the_line():
    assert [moved.up for moved in comparison().teams] == [0, -2, 1, 1]
    slopes, scatter, moves, *_ = figures.comparison_figure(comparison()).axes
    points = [part.get_offsets().tolist() for part in moves.collections]
    assert points == [[[3, 1], [4, 1]], [[2, -2]], [[1, 0]]]  # old place, places gained
    points = [part.get_offsets().tolist() for part in scatter.collections]
    assert points == [[[3, 2], [4, 3]], [[2, 4]], [[1, 1]]]  # old and new place
    labels = [part.get_label() for part in scatter.collections]
    assert [label[-4:] for label in labels] == [" (2)", " (1)", " (1)"]
    lines = [line.get_ydata() for line in slopes.lines]
    assert [tuple(map(int, rows)) for rows in lines] == [(1, 1), (2, 4), (3, 2), (4, 3)]


def test_a_rule_is_held_against_ratings_by_its_scores_and_a_list_by_its_places(monkeypatch):
    seen = []

    def against(events, rules, seed):
        seen.append((rules, seed))
        frame = pd.DataFrame({"rule": ["x"] * 4, "top": [30, 1000] * 2, "pairs": [9, 99] * 2})
        return frame.assign(share=0.12345, share_low=0.1, share_high=0.2)

    rule = replace(product_table(5, 4), name="new")
    orders = {"new": CriteriaList((), "new", ("new",), rule), "fide": CriteriaList((), "fide")}
    monkeypatch.setattr(compared, "against_ratings", against)
    monkeypatch.setattr(compared, "RATED_TOPS", (30, 1000))
    table = compared.ratings_table(None, orders)
    assert seen == [([[rule, orders["fide"]]], 1)]
    assert table.rows[1][:3] == ["new", "all", 99] and table.rows[2][:3] == ["fide", 30, 9]
    assert (
        table.text(None).splitlines()[-2].split()
        == "FIDE's list top 30 9 0.123 0.100 0.200".split()
    )
