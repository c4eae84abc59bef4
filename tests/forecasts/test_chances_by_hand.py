"""Chances of a forecast in plain numbers: strengths and their spread, places, counts, frames."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import plain_numpy
import pytest
from forecast_samples import write_event

from tb2learn.config import FieldConfig
from tb2learn.events import read_event
from tb2learn.events.unplayed.record import RoundKind, event_record
from tb2learn.forecasts import chances, state, strengths
from tb2learn.forecasts.chances import Chances, CompiledOrder, Continuation
from tb2learn.forecasts.request import compared_lists
from tb2learn.forecasts.strengths import TEAMS, Offsets, Strengths, prior
from tb2learn.report import chance_tables
from tb2learn.simulation import start as start_module
from tb2learn.simulation.purposes import Purpose
from tb2learn.types import BYE

pytestmark = pytest.mark.usefixtures("untyped")


@pytest.fixture
def seven(tmp_path):
    """An event of seven teams whose last round is paired."""
    return read_event(str(write_event(tmp_path)))


# ------------------------------------------------------------------------ strengths


def test_the_spread_halves_every_341_points():
    assert Offsets(40, 200).at(np.array([2400, 2600, 2200, 1000, 9999])) == pytest.approx(
        [40, 20, 80, 300, 5]
    )
    assert (TEAMS, strengths.PLAYERS) == (Offsets(29.2, 341), Offsets(55.0, np.inf))


def test_what_ratings_say(seven):
    """Boards in order; F without ratings counts as the mean of the others, with their spread."""
    before = prior(seven, Offsets(30, math.inf))
    means = np.array([2450, 2445, 2375, 2340, 2295, 2150])
    assert before.rosters[0].tolist() == [2500, 2400] and before.rated.tolist() == [True] * 5 + [
        False, True,
    ]  # fmt: skip
    assert before.rosters[5].tolist() == [round(means.mean())] * 2
    sd = np.sqrt(np.diag(before.covariance))
    assert sd == pytest.approx([30] * 5 + [means.std(), 30]) and not before.mean.any()
    close = prior(seven, Offsets(200, math.inf))
    assert close.covariance[5, 5] == pytest.approx(200**2)  # no better known than the rated
    few = replace(seven, ratings=((2500,), *[()] * 5, (2300, 0)))
    assert prior(few).rosters[[0, 6]].tolist() == [[2500, 2500], [2300, 2300]]


def test_where_nobody_is_rated_the_field_is_the_simulators(seven):
    field = FieldConfig()
    none = prior(replace(seven, ratings=((),) * 7))
    assert (none.rosters == round((field.low + field.high) / 2)).all() and not none.rated.any()
    assert none.covariance[0, 0] == pytest.approx((field.high - field.low) ** 2 / 12)


def test_the_law_of_one_more_game(monkeypatch):
    """Half points 0 and 1 alike; then a win with 1/2, a draw with 1/4, of both colours' mean."""
    seen = []

    def fitted(constants, difference, mean, colour):
        seen.append((difference.tolist(), mean.tolist(), colour.ravel().tolist()))
        return np.array([[0.4], [0.6]]), np.array([[0.5], [0.0]])

    monkeypatch.setattr(strengths.games, "fitted_chances", fitted)
    law = np.array([0.5, 0.5, 0, 0])[:, None]
    after = strengths._after_game(law, np.array([7.0]), np.array([9.0]))
    assert after.ravel().tolist() == [0.125, 0.25, 0.375, 0.25]
    assert seen == [([7], [9], [1, -1])]


def test_the_posterior_of_one_match_in_plain_numbers(seven, monkeypatch):
    """A log-likelihood 0.02 d - d^2 / 5000 of A's lead over F, and offsets of 50 points."""
    before = Strengths(np.zeros((7, 2), int), None, np.zeros(7), 50.0**2 * np.eye(7))
    monkeypatch.setattr(strengths._Matches, "logs", lambda self, lead: 0.02 * lead - lead**2 / 5000)
    after = strengths.posterior(before, seven, event_record(seven.after(1).until(1)))
    first = strengths._Matches(before, seven, event_record(seven.after(1).until(1)))
    assert list(zip(first.first, first.second, strict=True)) == [(0, 5), (1, 4), (2, 3)]
    # Twice the slope of the lead over both precisions: d = 0.02 / (1/2500 + 1/(2 * 2500)).
    lead = 0.02 / (2 / 5000 + 1 / 5000)
    assert after.mean[[0, 5]] == pytest.approx([lead / 2, -lead / 2], abs=0.01)
    bend, alone = 2 / 5000, 1 / 2500
    assert np.linalg.inv(after.covariance)[0, [0, 5]] == pytest.approx([alone + bend, -bend])
    assert after.covariance[6, 6] == pytest.approx(2500) and after.mean[6] == 0
    height = first.height(np.array([1.0, 0, 0, 0, 0, 0, 2]), np.full(7, alone))
    assert height == pytest.approx(0.02 - 1 / 5000 - 5 * alone / 2)


def test_line_ups_are_those_that_played(seven):
    """Where no game is recorded, the roster's; half points are those of the lower number."""
    before = prior(seven)
    found = strengths._Matches(before, seven.after(2), event_record(seven.after(2)))
    assert found._scored.tolist() == [3, 2, 4, 2, 3, 4] and found._shocks.tolist() == [0]
    assert found._ratings[0][:, 0].tolist() == [2500, 2400]


def test_the_chance_of_results_by_board_and_day(seven, monkeypatch):
    """A fake game: won with a lead above 100 points, else drawn; A and F have 50 and 0 more."""
    seen = []

    def game(law, lead, mean):
        seen.append((lead.tolist(), mean.tolist()))
        return np.where(lead > 100, np.roll(law, 2, axis=0), np.roll(law, 1, axis=0))

    monkeypatch.setattr(strengths, "_after_game", game)
    before = Strengths(np.array([[2050, 2000]] + [[2000, 2000]] * 6), None, np.zeros(7), np.eye(7))
    first = seven.after(1).until(1)
    matches = strengths._Matches(before, first, event_record(first))
    # A - F, B - E and C - D: 3, 4 and 2 of four half points; leads of 60, 200 and 90 points.
    assert matches._scored.tolist() == [3, 4, 2]
    assert matches.logs(np.array([60.0, 200, 90])).tolist() == [0, 0, 0]
    assert seen[0] == ([110, 200, 90], [2025, 2000, 2000])
    none = matches.logs(np.array([[40.0, 90, 200], [60, 90, 90]]))
    assert none == pytest.approx(np.array([[-690.8, -690.8, -690.8], [0, -690.8, 0]]), abs=0.1)
    monkeypatch.setattr(strengths.games, "shock_quantiles", lambda: np.array([-1.0, 1]))
    shocked = strengths._Matches(before, first, event_record(first), 30.0)
    assert shocked._shocks == pytest.approx([-30 * 2**0.5, 30 * 2**0.5])
    assert shocked.logs(np.array([60.0, 200, 50]))[[0, 1]] == pytest.approx([-690.8, 0], abs=0.1)
    assert shocked.logs(np.array([60.0, 120, 70]))[[1, 2]] == pytest.approx([math.log(0.5)] * 2)


def test_a_continuation_starts_from_points_mean_and_spread(seven):
    """Offsets of no team and of 50 points: the spread is 0, and 16 times 50."""
    ongoing = state.begin(seven, 3, ())
    sd = np.array([0.0, 50, 0, 50, 0, 50, 0])
    known = Strengths(np.full((7, 2), 2000), None, np.full(7, 10.4), np.diag(sd**2 + 1e-9))
    found = chances.start_of(ongoing, known)
    assert np.diag(found.spread).tolist() == [0, 800, 0, 800, 800] and start_module.SPREAD == 16
    assert (found.rosters == 2010).all() and found.scoring.tolist() == [0, 1, 2]
    assert found.to_pair and int(found.past) == 3
    assert found.match_points.tolist() == ongoing.record.standing_points[ongoing.seats].tolist()
    assert not chances.start_of(state.begin(seven), known).to_pair


def test_a_continuation_draws_its_offsets_in_rating_points(monkeypatch):
    """A deviate of 2 with a spread of 0 and 50 points, and one of -1 that both teams share."""
    plain_numpy.use(monkeypatch, start_module)
    monkeypatch.setattr(start_module, "deviates", lambda *_: np.array([-256, 2 * 256, 0]))
    factor = 16 * np.array([[0, 0, 0], [10, 50, 0], [2400, 0, 0]])
    ongoing = SimpleNamespace(rosters=np.full((3, 2), 2000), spread=factor)
    rosters, _ = start_module.ContinuationStart.draw(ongoing, None)
    assert rosters[:, 0].tolist() == [2000, 2090, 0]


# ------------------------------------------------------------------------ the state


def test_a_bye_to_come_pays_what_byes_have_paid(seven):
    record = event_record(seven.after(3))
    assert state._bye(record, False) == (1, 2, RoundKind.PAIRING_BYE)
    assert state._bye(record, True) == (0, 0, RoundKind.NOT_PAIRED)
    later = replace(record, gained=record.gained.copy(), scored=record.scored + 1)
    later.gained[0, 6], later.gained[2, 5] = 0, 2  # the byes of G and, two rounds later, of F
    assert state._bye(later, False) == (0, 3, RoundKind.PAIRING_BYE)  # the last one by team
    none = replace(record, kind=np.full_like(record.kind, RoundKind.PLAYED))
    assert state._bye(none, False) == (1, 2, RoundKind.PAIRING_BYE)
    assert state._bye(replace(none, individual=True), False) == (2, 2, RoundKind.PAIRING_BYE)


@pytest.mark.parametrize(("points", "ok"), [((31, 1, 0), True), ((32, 1, 0), False)])
def test_no_team_can_have_more_than_127_points(seven, points, ok):
    event = replace(seven, scoring=points)
    if ok:
        assert state.begin(event).rounds == 4
    else:
        with pytest.raises(ValueError, match="at most 127"):
            state.begin(event)


def test_seats_are_by_start_number_or_rating(seven):
    assert state._seed_order(seven) == [0, 1, 2, 3, 4, 5, 6]
    means = [2100, None, 2300, 2200, 2300, 0, 2000]
    by_rating = SimpleNamespace(starts=(), mean_ratings=means)
    assert state._seed_order(by_rating) == [2, 4, 3, 0, 6, 1, 5]
    assert state.begin(seven).left == 1 and state.begin(seven, 2).left == 2
    pairs = state.begin(seven).seat_pairs()  # F has the bye; a nobody beyond five seats
    assert pairs.tolist() == [[[0, 2], [3, 1]]]


# ------------------------------------------------------------------------ counts


class Scores:
    def __init__(self, *scores):
        self.of = np.array(scores)

    def scores(self, seen, tied):
        return self.of


def test_places_and_what_decides_them(monkeypatch):
    """C alone first; A and E by the second criterion; B and D share the fourth place."""
    plain_numpy.use(monkeypatch, chances)
    monkeypatch.setattr(chances, "BOUNDARIES", (1, 2, 3, 4, 5))
    monkeypatch.setattr(
        chances.jnp, "zeros", lambda size, kind: plain_numpy.plain(np.zeros(size, kind))
    )
    points, fine = Scores(6, 4, 8, 4, 6), Scores(0.30004, 1.00001, 0.0, 1.00002, 0.3001)
    order = CompiledOrder((points, fine), (1.0, 1.0), (None, None))
    found, decided = chances._places(SimpleNamespace(own=points.of), order)
    assert found.tolist() == [3, 4, 1, 4, 2]
    assert decided.tolist() == [0, 1, 0, 2, 2]  # the last: nobody is beyond


def outcome():
    """Two continuations of three teams under two orders; the first match ends 3 : 1, then 4 : 0."""
    places = [[[1, 2, 3], [2, 1, 3]], [[1, 3, 2], [1, 3, 2]]]
    return Continuation(
        np.array(places), np.array([[[0, 2, 1]] * 2, [[1, 2, 1]] * 2]),
        np.array([[3, 1, 9], [4, 0, 9]]),
    )  # fmt: skip


def test_continuations_are_counted(monkeypatch):
    pairs = np.array([[[0, 3], [1, 4]]])  # A meets B; 3 and 4 are nobodies
    found = chances._count(np.arange(2), outcome(), pairs=pairs, team=0, criteria=2, most=4)
    assert found["places"].tolist() == [
        [[2, 0, 0], [0, 1, 1], [0, 1, 1]], [[1, 1, 0], [1, 0, 1], [0, 1, 1]],
    ]  # fmt: skip
    assert found["decided"][0].tolist() == [[1, 1, 0], [0, 0, 2], [0, 2, 0]]
    assert found["differ"].tolist() == [1, 0, 0]
    assert found["results"].tolist() == [[0, 0, 0, 1, 1]]
    # A was first once more under the first order; up to third always.
    assert found["given"][0, 3].tolist() == [[1, 1, 1], [0, 1, 1]]
    assert found["given"][0, 4].tolist() == [[1, 1, 1], [1, 1, 1]]
    assert not found["given"][0, :3].any()
    none = chances._count(np.arange(2), outcome(), pairs=pairs, team=None, criteria=2, most=4)
    assert "results" not in none


def test_continuations_are_those_of_forecasts(seven, played):
    played.totals = {}
    ongoing = state.begin(seven)
    found = chances.forecast(ongoing, compared_lists(ongoing), 500, 8)
    assert played.events() == [(Purpose.FORECAST, 8, 500, 0)] and found.continuations == 500
    assert chances.BOUNDARIES == (1, 3, 10)


def test_the_real_rounds_stay_and_the_simulated_ones_follow(seven, monkeypatch):
    """Seats A, B, C, D, F: A loses to D by 1 : 3, C and B draw, F rests."""
    plain_numpy.use(monkeypatch, chances)
    monkeypatch.setattr(chances.jnp, "asarray", plain_numpy.plain)
    monkeypatch.setattr(chances.jnp, "sign", np.sign)
    ongoing = state.begin(seven)
    setup = chances.forecast_setup(ongoing, [])
    opponents, half_points = np.full((4, 5), BYE), np.zeros((4, 5), int)
    opponents[3], half_points[3] = [3, 2, 1, 0, BYE], [1, 2, 2, 3, 0]
    event = SimpleNamespace(opponents=opponents, half_points=half_points, whites=None)
    record = chances._record(event, setup)
    assert record.opponent[3].tolist() == [3, 2, 1, 0, BYE, BYE, BYE]
    assert record.gained[3].tolist() == [0, 1, 1, 2, 0, 1, 0]
    assert record.scored[3].tolist() == [1, 2, 2, 3, 0, 2, 0]
    kinds = [RoundKind.PLAYED] * 4 + [
        RoundKind.NOT_PAIRED,
        RoundKind.PAIRING_BYE,
        RoundKind.NOT_PAIRED,
    ]
    assert record.kind[3].tolist() == kinds
    np.testing.assert_array_equal(record.scored[:3], ongoing.record.scored)


# ------------------------------------------------------------------------ what is shown


@pytest.fixture
def found(seven):
    """400 continuations of seven teams, the captain's is D; the second order turns A and B."""
    ongoing = state.begin(seven)
    ongoing = replace(ongoing, pairs=(((4, 6), *ongoing.pairs[0]),))  # and E meets G
    orders = dict(zip("xy", [[1, 2, 3], [1, 2, 3]], strict=True))
    places = np.zeros((2, 7, 7), int)
    for team, (first, second) in enumerate([(300, 100), (100, 300)]):
        places[:, team, :2] = first, second
    places[1, :2] = places[0, 1::-1]
    for team in range(2, 7):
        places[:, team, team] = 400
    decided = np.zeros((2, 3, 4), int)
    decided[:] = [100, 80, 20, 200]
    results, given = np.zeros((3, 5), int), np.zeros((3, 5, 2, 3), int)
    results[2, 2], given[2, 2, 1, 0], given[2, 2, 1, 1] = 400, 200, 275  # E - G
    results[0, [1, 2, 4]] = 100, 200, 100  # A - D
    given[0, :, 1, 0] = 0, 10, 100, 0, 90
    given[0, :, 1, 1] = 0, 25, 150, 0, 100
    results[1, [0, 1, 2, 3]] = 50, 150, 100, 100  # C - B
    given[1, :, 1, 0] = 50, 150, 0, 0, 0
    counts = {"places": places, "decided": decided, "differ": np.array([100, 4, 0])}
    counts |= {"results": results[[2, 0, 1]], "given": given[[2, 0, 1]]}
    return Chances(ongoing, prior(seven), orders, 400, 1, counts, team=3)


def test_chances_are_shares_of_the_continuations(found):
    assert found.up_to(1)[0].tolist() == [0.75, 0.25, 0, 0, 0, 0, 0]
    assert found.up_to(3)[0].tolist() == [1, 1, 1, 0, 0, 0, 0]
    assert found.mean_places[0, :3].tolist() == [1.25, 1.75, 3]
    sure = 401 / 402
    assert found.error(np.array([1.0, 0])) == pytest.approx(
        [math.sqrt(sure * (1 - sure) / 400)] * 2
    )
    assert found.error(np.array(0.5), 100) == pytest.approx(0.05)


def test_the_frame_of_the_teams(found):
    frame = chance_tables.teams_frame(found)
    assert frame["rule"].tolist() == ["x"] * 7 + ["y"] * 7
    assert frame["team"].tolist() == list("ABCDEFG") * 2
    first = frame.iloc[0]
    assert (first["winner"], first["medals"], first["ten"], first["mean_place"]) == (
        0.75,
        1,
        1,
        1.25,
    )
    assert first["mp"] == found.ongoing.record.standing_points[0]
    assert first["winner_error"] == pytest.approx(found.error(np.array(0.75)))
    assert frame.iloc[7]["winner"] == 0.25
    places = chance_tables.places_frame(found)
    assert places.iloc[0][["rule", "team", "place", "chance"]].tolist() == ["x", "A", 1, 0.75]
    assert (places["chance"] > 0).all() and len(places) == 18


def test_the_frame_of_what_decides(found):
    """A criterion of points, the rule, one more; of 400: 100, 80, 20, and 200 share."""
    frame = chance_tables.decided_frame(found)
    assert frame["up_to"].tolist() == ["winner", "medals"] * 2  # ten places are all
    row = frame.iloc[0]
    names = ["points", "tied", "by_rule", "later", "shared", "differ"]
    assert row[names].tolist() == [0.25, 0.75, 0.2, 0.05, 0.5, 0.25]
    assert frame.iloc[1]["differ"] == 0.01


def test_the_frame_of_the_own_match(found):
    """D is the second side: its 3/2, 1 and 0 points are half points 1, 2 and 4 of A."""
    frame = chance_tables.own_frame(found)
    rows = frame[frame["rule"] == "y"]
    assert rows["gp"].tolist() == [0, 1, 1.5] and rows["chance"].tolist() == [0.25, 0.5, 0.25]
    assert rows["winner"].tolist() == [0.9, 0.5, 0.1] and rows["medals"].tolist() == [1, 0.75, 0.25]
    assert rows["winner_error"].tolist()[1] == pytest.approx(found.error(np.array(0.5), 200))


def test_the_frame_of_the_other_matches(found):
    """C loses 200 times, D is then always first; else never: the chance is a half on average."""
    frame = chance_tables.others_frame(found)
    rows = frame[(frame["rule"] == "y") & (frame["up_to"] == "winner")]
    row = rows.iloc[0]
    assert row[["team_a", "team_b", "if_a", "if_drawn", "if_b"]].tolist() == ["C", "B", 0, 0, 1]
    other = rows.iloc[1]  # E and G drew in all
    assert other[["team_a", "team_b", "if_drawn", "change"]].tolist() == ["E", "G", 0.5, 0]
    assert row["change"] == 0.5 and row["clear"]
    nothing = frame[(frame["rule"] == "y") & (frame["up_to"] == "ten")].iloc[0]
    assert nothing["change"] == 0 and not nothing["clear"]
    assert [r["team_a"] for r in chance_tables.telling(frame, "y", "winner")] == ["C"]
    assert chance_tables.telling(frame, "y", "ten") == []


@pytest.mark.parametrize(("number", "clear"), [(119, True), (118, False)])
def test_clear_is_what_one_in_a_thousand_would_show_by_chance(found, number, clear):
    """Of 200 wins of either side: 1,600 times the square of the distance from 1/2 above 13.8."""
    assert math.exp(-chance_tables._CLEAR / 2) == pytest.approx(0.001, rel=0.01)
    results, given = found.counts["results"].copy(), np.zeros((3, 5, 2, 3), int)
    results[2] = 0, 200, 0, 200, 0
    given[2, [1, 3], 1, 0] = number, 200 - number
    counts = found.counts | {"given": given, "results": results}
    frame = chance_tables.others_frame(replace(found, counts=counts))
    row = frame[(frame["rule"] == "y") & (frame["up_to"] == "winner")].iloc[0]
    assert math.isnan(row["if_drawn"]) and row["if_b"] == number / 200
    assert row["change"] == pytest.approx((number - 100) / 200) and row["clear"] == clear


def test_the_captain_aims_at_what_is_most_open(found):
    places = found.counts["places"].copy()
    places[1, 3] = 40, 100, 100, 100, 60, 0, 0
    assert chance_tables.aim(replace(found, counts=found.counts | {"places": places})) == "medals"


def test_the_text_of_a_forecast(found):
    text = chance_tables.forecast_text(found)
    line = next(line.split() for line in text.splitlines() if line.startswith("A "))
    assert line[1:] == "5 75.0 25.0 100.0 100.0 100.0 100.0 1.2 1.8".split()
    wide = math.sqrt(0.75 * 0.25 / 400)  # nearly: by the rule of succession
    said = text.split("may differ by ")[1].split(".\n")[0]
    assert float(said) == pytest.approx(200 * wide, abs=0.1)
    assert "Per cent of 400 simulations" in text and chance_tables._percent(0.1234) == "12.3"
    assert "C  B" in text and "50.0" in text and "100.0" in text
