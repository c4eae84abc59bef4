"""Numbers of a dossier in plain words: errors of 100 ties, places, rounding, worlds measured."""

import math
from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest

from tb2learn.assessment.error_rates import Assessment
from tb2learn.config import Config, EventFormat
from tb2learn.dossier import conformance, evidence, first_pages, regulation
from tb2learn.dossier.conformance import Key, Numbers
from tb2learn.dossier.evidence import Evidence, Subject
from tb2learn.export.words import words
from tb2learn.report import pages, quickstart
from tb2learn.report.assessment import closing_sentences
from tb2learn.tiebreaks.library import LEAGUE
from tb2learn.tiebreaks.passes import PassRule
from tb2learn.tiebreaks.rules import Rule, classic, formula_rule, product_table

pytestmark = pytest.mark.usefixtures("untyped")

CONFIG = Config("w", event=EventFormat(40, 5, 4))
RULE = classic("game-points", 5, 4)
SUBJECT = Subject("game-points", RULE, CONFIG, 345, 6)


def judged(rules, low, high):
    """Error rates in which every rule but the first saves `low` to `high` of the ties."""
    rows = [
        {"rule": rule, "top": top, "pairs": 100, "error": error, "lower_better": 0.4,
         "near_equal": 0.52, "ideal": 0.517, "excess": 0.003, "excess_low": -0.004,
         "excess_high": 0.01, "than_product": error - rules["product"],
         "than_product_low": -high, "than_product_high": -low}
        for rule, error in rules.items() for top in ("1", "3", "10", "all")
    ]  # fmt: skip
    return Assessment("single", None, 345, 6, CONFIG, pd.DataFrame(rows))


RATES = {"product": 0.3, "table": 0.24, "formula": 0.25, "direct": 0.5, "higher-seed": 0.13}


def measured(low, high, formula_high=None):
    rates = judged(RATES, low, high)
    than = None
    if formula_high is not None:
        ends = {"than_formula": formula_high, "than_formula_low": formula_high}
        than = rates.frame.assign(**ends, than_formula_high=formula_high)
    others = pd.DataFrame({"rule": ["product", "table"], "top": "10", "hanging": [0.256, 0.041],
                           "hanging_low": 0.03, "hanging_high": 0.05, "pairs": 200})  # fmt: skip
    probes = pd.DataFrame({"rule": ["product", "table"], "places": [7, 2], "probes": 900})
    return Evidence(rates, rates, than, others, probes, ())


TABLE = Subject("table.npz", Rule("table", 5, 4, PassRule(product_table(5, 4).tables)), CONFIG,
                345, 6)  # fmt: skip


def test_what_is_recommended():
    """Better, not better, and where the formula that needs no training is as good."""
    better = first_pages.recommendation(TABLE, measured(0.02, 0.09, -0.003), "en")
    assert len(better) == 1 and better[0].startswith("We recommend table: ")
    for low in (0.0, -0.01):
        (worse,) = first_pages.recommendation(TABLE, measured(low, 0.09), "en")
        assert worse.startswith("We recommend no change: among the first 10 places table is not")
    # Also where less than 0.2 of 100 ties is saved for certain.
    for high in (0.004, -0.0019):
        _, formula = first_pages.recommendation(TABLE, measured(0.02, 0.09, high), "en")
        assert formula.startswith(
            "No training is needed: the shipped formula (formula) is about as good"
        )
        said = "25.0 % of the ties among the first 10 places wrongly, table 24.0 %."
        assert said in plain(formula)
    assert len(first_pages.recommendation(TABLE, measured(0.02, 0.09, -0.0021), "en")) == 1
    worse, formula = first_pages.recommendation(TABLE, measured(-0.01, 0.09, 0.004), "en")
    assert worse.startswith("We recommend no change: ")
    assert (
        formula.startswith("No training is needed, either: ")
        and "about as good as table" in formula
    )
    today = replace(TABLE, today="table")
    assert first_pages.recommendation(today, measured(0.1, 0.2), "en") == (text("in_use"),)


@pytest.mark.parametrize(("teams", "last"), [(3, 1), (12, 3), (39, 3), (40, 10), (180, 10)])
def test_the_places_that_matter(teams, last):
    assert first_pages.near_the_top(teams) == last


def test_the_first_pages_have_per_cent_and_points():
    first = first_pages.summary(TABLE, measured(0.02, 0.09), (), "en")
    lines = plain(" ".join(" ".join(part.lines) for part in first.parts))
    assert "24.0 % wrong by table, 30.0 % today. Wrong of 100: 6.0 fewer" in lines
    assert "6.0 fewer (95 % interval 2.0 to 9.0), 20.0 % fewer errors." in lines
    assert "345" in lines and "evidence needs at least 1000" in lines
    critics = first_pages.critics_page(TABLE, measured(0.02, 0.09), "en")
    lines = plain(" ".join(" ".join(part.lines) for part in critics.parts))
    for said in ("900 times", "place 2 times, 7 times", "Direct encounter: 50.0 %", "5 look-ups",
                 "4.1 % of the ties", "3.0 % to 5.0 %", "first): 13.0 %",
                 "51.7 % by an ideal rule", "harder path",
                 "+0.3 points (95 % interval \N{MINUS SIGN}0.4 to +1.0)",
                 ):  # fmt: skip
        assert said in lines


def test_a_reduction_is_said_in_one_way():
    """As ties of 100 and as a part of the errors, by `assess`, the demo, its page, the dossier."""
    known = measured(0.02, 0.09)
    said = "6.0 fewer (95 % interval 2.0 to 9.0), 20.0 % fewer errors."
    first = first_pages.summary(TABLE, known, (), "en")
    assert sum(said in plain(line) for part in first.parts for line in part.lines) == 3
    names = known.errors.frame["rule"].replace({"table": "quickstart"})
    top = known.errors.frame["top"].replace({"10": "30"})
    tried = replace(known.errors, frame=known.errors.frame.assign(rule=names, top=top))
    assert closing_sentences(tried)[0].endswith(f"30.0: {said}")
    assert " ".join(quickstart._errors(tried)).endswith(f"30.0: {said}")
    page = pages._judged(replace(known.errors, frame=known.errors.frame.assign(
        error_low=0.0, error_high=1.0)))  # fmt: skip
    assert {text for row, text in page["tops"][0] if row.rule == "table"} == {said[:-1]}


def test_none_among_many_may_be_a_few():
    """No tie of 200 hangs on a match of others: with 95 % it is fewer than 3 of 200."""
    known = measured(0.02, 0.09)
    none = known.others.assign(hanging=0.0, hanging_low=0.0, hanging_high=0.0)
    critics = first_pages.critics_page(TABLE, replace(known, others=none), "en")
    (said,) = map(plain, critics.parts[-1].lines)
    assert said.startswith("0.0 % of the ties near the top") and "0.0 % to 1.5 %" in said


@pytest.mark.parametrize(("passes", "hand"), [(1, "Yes: 5 look-ups a team."), (3, "to pass 3, is")])
def test_what_can_be_done_by_hand(passes, hand):
    points = product_table(5, 4).tables.repeat(passes, axis=0)
    rule = Rule("table", 5, 4, PassRule(points))
    assert hand in first_pages.by_hand(rule, first_pages.Page(TABLE, "en"))


def test_the_places_and_the_order_of_a_league():
    """Twelve teams: the first three places; FIDE's list for round robins, not the product rule."""
    league = Config("l", event=EventFormat(12, 11, 4, format="round-robin"))
    subject = replace(TABLE, world=league)
    assert subject.is_league and subject.league == conformance.League(12, 1)
    (said,) = first_pages.recommendation(subject, in_league(measured(-0.01, 0.01)), "en")
    assert said.startswith("We recommend no change: among the first 3 places table is not shown")
    assert said.partition(". ")[0].endswith("better than FIDE's list")
    assert replace(SUBJECT, world=CONFIG).league is None
    critics = first_pages.critics_page(subject, in_league(measured(-0.01, 0.01)), "en")
    assert not any("harder path" in line for part in critics.parts for line in part.lines)


def in_league(known):
    """What was measured, held against the list for round robins."""
    ends = {f"than_product{end}": f"than_{LEAGUE}{end}" for end in ("", "_low", "_high")}

    def renamed(made):
        frame = made.frame.rename(columns=ends).replace({"rule": {"product": LEAGUE}})
        return replace(made, frame=frame)

    rules = {"rule": {"product": LEAGUE}}
    others = known.others.replace({**rules, "top": {"10": "3"}})
    known = replace(known, others=others, probes=known.probes.replace(rules))
    return replace(known, errors=renamed(known.errors), real=renamed(known.real))


def text(key, **numbers):
    return words()[f"dossier.{key}"].format(**numbers)


def plain(line):
    """A line with a space before per cent that may be broken."""
    return line.replace("\N{NO-BREAK SPACE}", " ")


def moved(team, old, new):
    places = SimpleNamespace(place=old), SimpleNamespace(place=new)
    return SimpleNamespace(team=team, old=places[0], new=places[1], up=old - new)


def test_what_changes_in_a_real_event():
    """Four of five teams; A keeps its place, E falls by three; B, C and D get or lose medals."""
    teams = [moved("A", 1, 1), moved("B", 3, 4), moved("C", 4, 2), moved("D", 2, 3),
             moved("E", 5, 8)]  # fmt: skip
    one = SimpleNamespace(teams=teams, event="X", rule=None)
    (said,) = first_pages._changes_in_words(one, words(), "en")
    arrow = "\N{RIGHTWARDS ARROW}"
    medals = f"B 3 {arrow} 4, C 4 {arrow} 2, D 2 {arrow} 3"
    assert said == text("moved", event="X", moved=4, teams=5, most=3, medals=medals)


def test_two_worlds_are_measured(monkeypatch):
    seen, few = [], []

    def tally(*args, **_):
        seen.append(args)
        return SimpleNamespace(rules=("product",))

    monkeypatch.setattr(evidence, "tally_verdicts", tally)
    monkeypatch.setattr(evidence, "rates", lambda *_: pd.DataFrame({"rule": ["product"]}))
    beside = []
    monkeypatch.setattr(evidence, "ideal_beside", lambda *args: beside.append(args))
    monkeypatch.setattr(evidence, "excess", lambda *_: pd.DataFrame({"excess": [0.25]}))
    for name in ("dependence", "probe_rules"):
        monkeypatch.setattr(evidence, name, lambda *args: few.append(args) or pd.DataFrame())
    monkeypatch.setattr(evidence, "_changes", lambda *_: [])
    known = evidence.measure_rule(SUBJECT, None)
    (first, rules, *numbers), (second, more, *others) = seen
    assert numbers == others == [345, 6]
    assert (first.field.seed_noise, second.field.seed_noise) == (math.inf, 50)
    assert (second.field.kind, second.field.event, second.game.model) == (
        "rosters", "baku2016", "fitted",
    )  # fmt: skip
    names = ["product", "game-points", "formula", "buchholz-cut1", "direct", "least-squares"]
    assert [one.name for one in rules] == names
    assert [one.name for one in more] == [*names, "higher-seed"]
    # Without seeds that say something there is nothing to hold against an ideal.
    assert [(world, rules) for world, rules, *_ in beside] == [(second, more)]
    assert "excess" not in known.errors.frame and known.real.frame["excess"].tolist() == [0.25]
    (world, _, events, *_), (_, _, tries, *_) = few
    assert (world, events, tries) == (second, 345, 20 * 345)


def test_a_number_differs_from_half_of_the_last_printed_decimal_on():
    key = Key("swiss", "c07", 3)
    ours = {key: Numbers(8, 20.5, 4)}
    assert conformance.differences(ours, {key: Numbers(8, 20.50004, 4)}) == []
    said = conformance.differences(ours, {key: Numbers(7, 20.50006, 5)})
    assert said == [
        "swiss, c07, team 3: mp must be 8, got 7",
        "swiss, c07, team 3: tb2 must be 20.5, got 20.50006",
        "swiss, c07, team 3: place must be 4, got 5",
    ]
    assert conformance.differences(ours, {}) == ["'swiss, c07': 1 team missing"]
    two = {key: ours[key], key._replace(start=4): ours[key]}
    assert conformance.differences({}, two) == ["'swiss, c07': 2 teams not in the pack"]


def test_who_meets_in_a_pack(monkeypatch):
    """By points, then number; who has met least; the bye to the last who had none."""
    lots = SimpleNamespace(integers=lambda most: 1)
    play = conformance._InPlay(lots, "ABCDE", 2)
    play.points.update({0: 1, 1: 3, 2: 1, 3: 0, 4: 2})
    play.met[0, 1] = play.met[1, 4] = 1
    assert play.pairs(range(5)) == ([(1, 2), (4, 0)], 3)
    assert play.had_bye == {3} and play.met[1, 2] == play.met[0, 4] == 1
    _, rests = play.pairs(range(5))
    assert rests == 2
    play.rest(1, 3, "pairing")
    assert play.points[3] == 1 and play.byes[0].half_points_a == 2


def test_matches_of_a_pack(monkeypatch):
    """Three boards: the first side has White on odd ones, wins there and loses on the second."""
    play = conformance._InPlay(None, "ABCD", 3)
    play.players = [conformance.Player(n // 3, "x", rating=n) for n in range(12)]
    scored = iter([(2, 0), (0, 2), (1, 1)] * 9)
    monkeypatch.setattr(conformance._InPlay, "_scored", lambda self: next(scored))
    play.play(1, [(0, 1)], {})
    games = [(g.white_team, g.white_half_points, g.black_half_points) for g in play.games]
    assert games == [(0, 2, 0), (1, 2, 0), (0, 1, 1)]
    assert (play.points[0], play.points[1]) == (1, 1)
    play.play(2, [(2, 3)], {1: "last"})
    assert (play.points[2], play.points[3]) == (2, 0) and not play.games[-1].played
    play.play(3, [(0, 1), (2, 3)], {1: "a", 2: "both"})
    assert [play.points[team] for team in range(4)] == [1, 3, 2, 0]
    assert play.numbers == {(1, 1): (0, 1), (2, 1): (2, 3), (3, 1): (0, 1), (3, 2): (2, 3)}
    assert (play.games[1].white, play.games[1].black) == (4, 1)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (product_table(5, 4), ["0.5"]),
        (Rule("t", 5, 4, PassRule(product_table(5, 4).tables)), ["2.5", "3", "-2.5", "-2"]),
        (formula_rule("f", 5, 4, 0.25, 0.05), ["4"]),
        (RULE, ["4"]),
    ],
)
def test_how_a_regulation_rounds(rule, said):
    if rule.in_passes:
        rule = replace(rule, tiebreak=PassRule(rule.tables.repeat(2, axis=0)))
    lines = " ".join(regulation._rounding(rule, words()))
    assert all(number in lines for number in said)


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("baku2016", ["Add 1 if the round", "and 1 for every later"]),
        ("fide2026", ["with 4 GP for the one", "plus 1 for every round"]),
        ("c07", ["nobody was paired, at most 5.", "counts with 1 MP"]),
        ("c07-2024", ["own final MP.", "counts with 1 MP"]),
    ],
)
def test_a_regulation_says_points_of_its_format(policy, said):
    """Five rounds of four boards: a draw a round is five match points, a match four game points."""
    lines = " ".join(regulation._unplayed(RULE, policy, words()))
    assert all(part in lines for part in said)
