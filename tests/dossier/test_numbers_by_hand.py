"""Numbers of a dossier in plain words: errors of 1,000 ties, places, rounding, worlds measured."""

import math
from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest

from tb2learn.assessment.error_rates import Assessment
from tb2learn.config import Config, EventFormat
from tb2learn.dossier import conformance, evidence, regulation
from tb2learn.dossier.conformance import Key, Numbers
from tb2learn.dossier.evidence import Evidence, Subject
from tb2learn.export.words import words
from tb2learn.tiebreaks.rules import PassTable, classic, formula_rule, product_table

pytestmark = pytest.mark.usefixtures("untyped")

CONFIG = Config("w", event=EventFormat(40, 5, 4))
RULE = classic("game-points", 5, 4)
SUBJECT = Subject("game-points", RULE, CONFIG, 345, 6)


def judged(saved_low, pairs=100):
    rows = []
    for rule, error, near in (("product", 0.3, 0.61), ("game-points", 0.24, 0.52)):
        for top, number in (("10", pairs), ("30", pairs), ("all", 500)):
            rows.append({"rule": rule, "top": top, "pairs": number,
                         "error": error + (top == "all") / 10, "saved_low": saved_low,
                         "saved_high": 0.3, "near_equal": near})  # fmt: skip
    return Assessment("single", None, 345, 6, CONFIG, pd.DataFrame(rows))


def page(saved_low=0.1, pairs=100, changes=()):
    others = pd.DataFrame({"rule": ["product", "game-points"] * 2, "top": ["30"] * 2 + ["10"] * 2,
                           "hanging": [0.256, 0.041, 0.9, 0.9]})  # fmt: skip
    found = Evidence(judged(saved_low, pairs), judged(saved_low), others, changes)
    parts = evidence.summary(SUBJECT, found, (), "en").parts
    return [" ".join(part.lines) for part in parts]


def text(key, **numbers):
    return words()[f"dossier.{key}"].format(**numbers)


def test_the_first_page_counts_of_a_thousand_ties():
    """24 and 30 of 100 wrong: 240 of 1,000 for 300, from 30 to 90 fewer; 41 for 256 hang."""
    recommended, changes, honest, unknown = page()
    assert recommended.startswith(text("recommended", name="game-points"))
    numbers = {"ties": 1000, "own": 240, "first": 300, "low": 30, "high": 90}
    assert text("errors", name="game-points", **numbers) in changes
    assert text("others", name="game-points", ties=1000, own=41, fide=256) in changes
    assert text("fair", name="game-points", share="52.0%", fide="61.0%") in honest
    assert "345" in unknown and "6" in unknown and "40" in unknown
    assert page(0.0)[0].startswith(text("no_gain", name="game-points"))
    # Without ties near the top those of all places are said.
    numbers |= {"own": 340, "first": 400, "low": 40, "high": 120}
    assert text("errors", name="game-points", **numbers) in page(pairs=0)[1]
    assert (evidence._whole(0.5), evidence._whole(math.nan)) == ("0", "\N{EN DASH}")


def moved(team, old, new):
    places = SimpleNamespace(place=old), SimpleNamespace(place=new)
    return SimpleNamespace(team=team, old=places[0], new=places[1], up=old - new)


def test_what_changes_in_a_real_event():
    """Four of five teams; A keeps its place, E falls by three; B, C and D get or lose medals."""
    teams = [moved("A", 1, 1), moved("B", 3, 4), moved("C", 4, 2), moved("D", 2, 3),
             moved("E", 5, 8)]  # fmt: skip
    one = SimpleNamespace(teams=teams, event="X", rule=None)
    (said,) = evidence._changes_in_words(one, words(), "en")
    arrow = "\N{RIGHTWARDS ARROW}"
    medals = f"B 3 {arrow} 4, C 4 {arrow} 2, D 2 {arrow} 3"
    assert said == text("moved", event="X", moved=4, teams=5, most=3, medals=medals)


def test_two_worlds_are_measured_and_a_tenth_of_the_events(monkeypatch):
    seen, few = [], []
    monkeypatch.setattr(evidence, "assess", lambda *args, **_: seen.append(args))
    monkeypatch.setattr(evidence, "dependence", lambda *args: few.append(args))
    monkeypatch.setattr(evidence, "_changes", lambda *_: [])
    evidence.measure_rule(SUBJECT, None)
    (first, rules, *numbers), (second, more, *others) = seen
    assert numbers == others == [345, 6]
    assert (first.field.seed_noise, second.field.seed_noise) == (math.inf, 50)
    assert (second.field.kind, second.field.event, second.game.model) == (
        "rosters", "baku2016", "fitted",
    )  # fmt: skip
    assert [one.name for one in rules] == ["product", "game-points"]
    assert [one.name for one in more] == ["product", "game-points", "higher-seed"]
    ((world, _, events, seed, _),) = few
    assert (world, events, seed) == (second, 34, 6)


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
        (PassTable("t", 5, 4, product_table(5, 4).points[None]), ["2.5", "3", "-2.5", "-2"]),
        (formula_rule("f", 5, 4, 0.25, 0.05), ["4"]),
        (RULE, ["4"]),
    ],
)
def test_how_a_regulation_rounds(rule, said):
    two = (
        replace(rule, points=rule.points.repeat(2, axis=0)) if isinstance(rule, PassTable) else rule
    )
    lines = " ".join(regulation._rounding(two, words()))
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
