"""Real events as judges of rules: verdicts by hand, shares, intervals, events needed, a report."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.special import expit, log_expit

from tb2learn.catalogue import find_rule
from tb2learn.cli import main
from tb2learn.events import rank, read_event
from tb2learn.report.frames import where
from tb2learn.stats import resamples
from tb2learn.studies.real import logistic, native
from tb2learn.studies.real.measure import _rows, events_needed, judge
from tb2learn.studies.real.verdicts import (
    EQUAL,
    HIGHER_RATED,
    RIGHT,
    UNITS,
    WRONG,
    Verdicts,
    populations,
    prediction_verdicts,
    rating_verdicts,
)
from tb2learn.training import checkpoint
from tb2learn.types import InputError

NAMES = ["product", "game-points"]
FIND = cache(find_rule)
MATCHES = """round,match,team_a,team_b,game_points_a,game_points_b,boards_forfeited
1,1,A,D,4,0,0
1,2,B,E,2.5,1.5,0
1,3,C,F,3,1,0
2,1,A,B,1.5,2.5,0
2,2,C,D,2,2,0
2,3,E,F,4,0,4
3,1,A,C,1,3,0
3,2,B,D,4,0,0
3,3,E,F,0.5,3.5,0
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("small")
    (made / "matches.csv").write_text(MATCHES)
    ratings = {"A": 2600, "B": 2500, "C": 2400, "D": 2300, "E": 2200, "F": ""}
    rows = "".join(f"{team},{rating}\n" for team, rating in ratings.items())
    (made / "teams.csv").write_text("team,rating_1\n" + rows)
    return made


@pytest.fixture(scope="module")
def event(folder):
    return read_event(folder)


def test_tied_pairs_are_held_against_the_ratings(event):
    """Final match points: B 6, C 5, A E F 2, D 1; F has no rating, so A and E alone are left."""
    found = rating_verdicts(event, NAMES, FIND)
    assert [tuple(pair) for pair in found.pairs] == [(0, 4)]
    assert found.populations.tolist() == [[True, True, True]]
    # Game points: A 6.5, E 6; the higher rated A is first.
    assert found.verdicts[0, 1] == RIGHT
    tb2 = {row.team: row.scores["tb2"] for row in rank(event, find_rule("product", 3, 4))}
    assert found.verdicts[0, 0] == np.sign(tb2["A"] - tb2["E"]) + 1


def test_later_matches_of_equal_teams_are_predicted(event):
    """After round 1 A, B, C have 2 MP: A-B (B won) and A-C (C won) follow, E-F by default does not.

    D, E, F have 0: E-F is played in round 3, F won. After round 2 C and A have 3 and 2: no pair.
    """
    found = prediction_verdicts(event, NAMES, FIND)
    assert sorted(tuple(pair) for pair in found.pairs) == [(0, 1), (0, 2), (4, 5)]
    by_pair = dict(zip(map(tuple, found.pairs), found.verdicts, strict=True))
    # One opponent, and the weakest is left out: the product rule says nothing.
    assert [verdict[0] for verdict in by_pair.values()] == [EQUAL] * 3
    # Game points after round 1: A 4, C 3, B 2.5, E 1.5, F 1.
    assert [by_pair[pair][1] for pair in ((0, 1), (0, 2), (4, 5))] == [WRONG] * 3
    assert by_pair[0, 1][2] == by_pair[0, 2][2] == WRONG  # the higher rated A lost twice
    assert by_pair[4, 5][2] == EQUAL  # F has no rating
    inside = dict(zip(map(tuple, found.pairs), found.populations.tolist(), strict=True))
    assert inside[0, 1] == [True, True, True] + 6 * [False]
    assert inside[0, 2] == [False, True, True] + 6 * [False]
    # Ties after round 1 differ by 1, 1.5, 0.5 and 0.5, 1.5, 1 game points.
    leads = dict(zip(map(tuple, found.pairs), found.leads, strict=True))
    assert leads[0, 1][1] == pytest.approx(-1.5 / math.sqrt(7 / 6))
    assert leads[0, 2][2] == -2.0 and math.isnan(leads[4, 5][2])


def test_rows_add_up():
    """The women's event: shares by hand from the verdicts, differences, and disagreements."""
    rules = ["product", "game-points", "wins"]
    event = read_event("batumi2018w")
    frames = judge([event], rules, FIND, seed=1)
    rows, found = frames["rows"], rating_verdicts(event, rules, FIND)
    for number, population in enumerate(populations("ratings")):
        said = found.verdicts[found.populations[:, number]] / RIGHT
        own = where(rows, test="ratings", population=population)
        assert own["right"].to_numpy() == pytest.approx(said.mean(axis=0))
        assert own["more"].to_numpy() == pytest.approx(said.mean(axis=0) - said[:, 0].mean())
        opposite = np.abs(said - said[:, :1]) == 1
        assert set(own["pairs"]) == {len(said)}
        assert own["disagree"].tolist() == opposite.sum(axis=0).tolist()
        assert own["disagree_right"].tolist() == (opposite & (said == 1)).sum(axis=0).tolist()
        assert ((own["right_low"] <= own["right"]) & (own["right"] <= own["right_high"])).all()
        assert set(own["over"]) <= {"teams", UNITS["ratings"]}
    later, nearer = (where(rows, population=f"{name}, from round 1") for name in ("later", "next"))
    assert later["pairs"].max() > nearer["pairs"].max() and later["rule"].iloc[-1] == "higher-rated"
    assert frames["looked_at"]["differences"].item() == 2 * 12


def test_intervals_of_units_that_are_independent():
    """A pair a unit, of teams that meet nobody else: the binomial interval, over either unit."""
    number = 400
    said = np.zeros((number, 2), int)
    said[: number // 4, 1] = RIGHT
    pairs = np.arange(2 * number).reshape(number, 2)
    one = Verdicts(
        ["a", "b"], 2 * number, pairs, np.arange(number), np.ones((number, 3), bool), said - 1.0
    )
    row = _rows("ratings", [one], 0).iloc[1]
    spread = 1.96 * math.sqrt(0.25 * 0.75 / number)
    # Two teams a pair are drawn: the weight's variance is 3 where that of a drawn unit is 1.
    assert row.over == "teams" and row.more == 0.25
    assert row.more_high - row.more_low == pytest.approx(2 * spread * math.sqrt(3), rel=0.12)


def test_events_that_it_takes():
    """An interval that just reaches zero: as many events for a chance of one half."""
    ends = np.array([0.0, 0.2])
    assert events_needed(0.1, ends, 3) == (3.0, 7.0)  # (1.96 + 0.84)^2 / 1.96^2 = 2.04
    assert events_needed(0.05, ends, 3)[0] == 12.0
    assert all(math.isnan(n) for n in events_needed(0.0, ends, 3))


def test_a_report_of_few_rules(tmp_path, folder):
    """Nothing is said of differences that are not known, nor of rules that are not judged."""
    given = ["study", "real", str(folder), "--rules", "game-points", "--out", str(tmp_path)]
    assert main(given) == 0
    text = (tmp_path / "README.md").read_text()
    assert "the product rule: no rule.\n" in text and "\n* 12 differences to the product" in text
    assert "less often than" not in text and "## How many events" not in text
    assert "| game-points | - | - | - | - | - | - |\n" in text
    assert "What is left" not in text and "Made by `tb2learn study real`." in text
    given[4] = "least-squares"
    assert main([*given, "--native"]) == 0  # three rounds: no table is trained
    text = (tmp_path / "README.md").read_text()
    assert text.count("| learned rule learned-180x11-native | ") > 3
    assert "## What is left" in text and "Made by `tb2learn study real --native`." in text


def drawn_events(by, sizes=(300, 200, 250), seed=3):
    """Leads of winners in some events, drawn by a logistic law with these coefficients."""
    generator = np.random.default_rng(seed)
    ahead = [generator.normal(size=(size, len(by))) for size in sizes]
    won = [generator.random(len(one)) < expit(one @ by) for one in ahead]
    return [np.where(first[:, None], one, -one) for one, first in zip(ahead, won, strict=True)]


def newton(leads, counts, steps=30):
    """The coefficients that maximize a weighted log likelihood, less the penalty."""
    by = np.zeros(leads.shape[1])
    for _ in range(steps):
        wrong = expit(-leads @ by)
        slope = (counts * wrong) @ leads - logistic.PENALTY * by
        curve = (leads.T * counts * wrong * (1 - wrong)) @ leads
        by = by + np.linalg.solve(curve + logistic.PENALTY * np.eye(len(by)), slope)
    return by


def test_log_likelihoods_in_sample_and_held_out():
    """As by a fit that starts from nothing, also in resamples."""
    events = drawn_events([0.8, 0.5])
    counts = [
        np.concatenate([np.ones((1, len(one))), resamples(len(one), 1, 40)]) for one in events
    ]
    found = logistic._likelihoods(events, counts)
    expected = np.zeros_like(found)
    for time in range(41):
        drawn = [one[time] for one in counts]
        together = newton(np.concatenate(events), np.concatenate(drawn))
        for left, one in enumerate(events):
            others = [k for k in range(3) if k != left]
            fitted = newton(
                np.concatenate([events[k] for k in others]),
                np.concatenate([drawn[k] for k in others]),
            )
            expected[0, time] += drawn[left] @ log_expit(one @ together)
            expected[1, time] += drawn[left] @ log_expit(one @ fitted)
    assert found[:, 0] == pytest.approx(expected[:, 0], abs=1e-4)
    assert found == pytest.approx(expected, abs=1.0)
    assert np.ptp(expected, axis=1).min() > 40


def test_what_scores_add_to_ratings():
    """A unit does not matter; ratings add nothing to themselves, and noise does not, held out."""
    rules = ["learned-180x11", "scaled", "rating", "learned-180x11-native"]
    parts = []
    for leads in drawn_events([1.5, 0.5], (120, 80, 100)):
        number, noise = len(leads), np.random.default_rng(len(leads)).normal(size=len(leads))
        score, rating = leads.T
        columns = np.stack([score, 1000 * score, rating, noise, rating], axis=1)
        columns[:2, -1] = np.nan
        pairs = np.arange(2 * number).reshape(number, 2)
        inside = np.repeat([[True] * 2 + [False] * 7], number, axis=0)
        units = np.arange(number)
        parts.append(Verdicts([*rules, HIGHER_RATED], 2 * number, pairs, units, inside, columns))
    found = logistic.gains(parts, 1)
    assert len(found) == 2 * len(rules) and set(found["pairs"]) == {294}
    rows = where(found, population="next, from round 1").set_index("rule")
    for sample in logistic.SAMPLES:
        gain = rows[f"{sample}gain"]
        assert rows[f"{sample}gain_low"]["learned-180x11"] > 10
        assert gain["scaled"] == pytest.approx(gain["learned-180x11"], abs=0.01)
        assert gain["rating"] == pytest.approx(0.0, abs=0.01)
        assert np.isnan(rows[f"{sample}lead"]["learned-180x11"])
        assert rows[f"{sample}lead"]["rating"] == pytest.approx(-gain["learned-180x11"], abs=0.01)
        apart = gain["learned-180x11"] - gain["learned-180x11-native"]
        assert rows[f"{sample}native"]["learned-180x11"] == pytest.approx(apart)
    assert rows["gain"]["learned-180x11-native"] >= 0 > rows["held_gain"]["learned-180x11-native"]
    alone = logistic.gains(parts[:1], 1)
    assert alone["held_gain"].isna().all() and alone["gain"].notna().all()


def test_tables_that_are_native_to_the_round(monkeypatch, tmp_path):
    """Trained once, and again if the file is damaged or of another configuration."""
    shipped, asked = checkpoint.load("learned-180x11"), []

    def train(config, progress):
        asked.append(config)
        return replace(shipped, name=config.name, config=config)

    monkeypatch.setattr(checkpoint, "train", train)
    monkeypatch.setenv("TB2LEARN_CACHE_DIR", str(tmp_path))
    same = replace(native.native_config(11), name=shipped.name)
    assert replace(same, description=shipped.config.description) == shipped.config
    kept = tmp_path / "tables" / f"{same.name}.npz"
    first, again = native.trained_once(same), native.trained_once(same)
    assert checkpoint.is_same_rule(first, again) and asked == [same] and kept.is_file()
    other = replace(same, description="another")
    native.trained_once(other)
    kept.write_bytes(b"damaged")
    native.trained_once(other)
    assert asked == [same, other, other]
    for rounds, name in ((5, "learned-180x5"), (10, "learned-180x10"), (4, shipped.name)):
        assert native.find_native(native.NATIVE, rounds, 4).name == name
    assert [one.event.rounds for one in asked[3:]] == [5, 10]
    assert native.find_native("wins", 7, 4).name == "wins"


def test_what_is_refused(folder, tmp_path, capsys):
    with pytest.raises(InputError, match="the same event is given twice"):
        judge([read_event(folder)] * 2, NAMES, FIND, 1)
    header = "round,match,team_a,team_b,game_points_a,game_points_b\n"
    (tmp_path / "matches.csv").write_text(header + "1,1,A,B,2,2\n")
    out = str(tmp_path / "out")
    assert main(["study", "real", str(tmp_path), "--rules", "wins", "--out", out]) == 2
    assert "no event has ratings, or rounds" in capsys.readouterr().err.splitlines()[-1]
