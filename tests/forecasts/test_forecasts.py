"""Forecasts against what can be worked out: exact laws, exact places, the same events again."""

from dataclasses import replace
from itertools import product

import jax
import numpy as np
import pytest
from forecast_samples import write_event
from helpers import joined, match_law, measure_each
from scipy import optimize

from tb2learn.catalogue import find_rule
from tb2learn.config import Config, EventFormat
from tb2learn.events import Game, Match, rank, read_event
from tb2learn.events.criteria import Completed
from tb2learn.events.next_round import next_round
from tb2learn.events.round_rules import rules_of
from tb2learn.events.unplayed.policies import POLICIES
from tb2learn.events.unplayed.record import event_record
from tb2learn.forecasts import state, strengths
from tb2learn.forecasts.chances import forecast, forecast_setup, rank_continuation, start_of
from tb2learn.forecasts.request import compared_lists
from tb2learn.forecasts.strengths import (
    GAMES,
    TEAMS,
    Offsets,
    Strengths,
    log_likelihood,
    posterior,
    prior,
)
from tb2learn.report.chance_tables import others_frame, own_frame
from tb2learn.simulation import games, programs
from tb2learn.simulation.formats import play_batch
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.start import ContinuationStart
from tb2learn.types import BYE

N = 3000
PROGRAMS = programs.draw, programs.play, programs.measure


@pytest.fixture
def seven(tmp_path):
    """An event of seven teams whose last round is paired."""
    return read_event(str(write_event(tmp_path)))


def law(ongoing, a, b):
    """The exact chance of every number of half points of the first of two teams."""
    rosters = prior(ongoing.event).rosters
    return np.asarray(match_law(rosters[a], rosters[b], GAMES)) / games.UNIT


@pytest.mark.thorough
def test_every_chance_is_that_of_all_results_of_the_last_round(tmp_path, seven):
    """25 results, each ranked by `rank` under both rules and weighted by its exact chance.

    The event has a withdrawn team, one with a bye that pays nothing, and one without ratings.
    """
    ongoing = state.begin(seven)
    assert ongoing.withdrawn == ("E", "G") and ongoing.paired
    exact, first = np.zeros((2, 7, 7)), np.zeros((2, 5))
    laws, orders = (law(ongoing, 0, 3), law(ongoing, 2, 1)), compared_lists(ongoing)
    for scores in product(range(5), repeat=2):
        a, b = (f"{half / 2},{2 - half / 2}" for half in scores)
        last = f"4,1,A,D,{a},\n4,2,C,B,{b},\n4,3,F,,,,pairing\n"
        event, chance = read_event(str(write_event(tmp_path, last))), laws[1][scores[1]]
        for number, criteria in enumerate(orders.values()):
            for row in rank(event, criteria):
                team = event.teams.index(row.team)
                exact[number, team, row.place - 1] += laws[0][scores[0]] * chance
                first[number, scores[0]] += chance * (team == 0 and row.place == 1)
    certain = prior(seven)
    certain = Strengths(certain.rosters, certain.rated, certain.mean, 1e-6 * np.eye(7))
    found = forecast(ongoing, orders, N, 5, team=0, strengths=certain)
    error = np.sqrt(exact * (1 - exact) / N)
    assert (np.abs(found.counts["places"] / N - exact) <= 4 * error + 1e-9).all()
    own = own_frame(found)
    for number, rule in enumerate(orders):
        for row in own[own.rule == rule].itertuples():
            assert abs(row.winner - first[number, int(2 * row.gp)]) <= 4 * row.winner_error
    others = others_frame(found)
    assert set(others.team_a) == {"C"} and set(others.up_to) == {"winner", "medals", "ten"}


@pytest.mark.thorough
def test_results_do_not_depend_on_the_batch_and_nothing_is_compiled_twice(seven):
    ongoing = state.begin(seven, 2, ())
    orders = compared_lists(ongoing)
    first = forecast(ongoing, orders, 40, 3, batch=16)
    sizes = [program._cache_size() for program in PROGRAMS]
    again = forecast(state.begin(seven, 2, ()), compared_lists(ongoing), 40, 3, batch=16)
    assert sizes == [program._cache_size() for program in PROGRAMS]
    other = forecast(ongoing, orders, 40, 3, batch=2)
    for name, counts in first.counts.items():
        assert (counts == again.counts[name]).all() and (counts == other.counts[name]).all()
    assert (first.counts["places"].sum(axis=-1) == 40).all()
    fresh = forecast(ongoing, orders, 40, 4, batch=16).counts["places"]
    assert (fresh != first.counts["places"]).any()


@pytest.mark.thorough
def test_the_next_round_does_not_need_a_program_of_its_own(seven):
    """Also with another record, as long as the same teams play on."""
    early, late = state.begin(seven, 2, ()), state.begin(seven, 3, ())
    early = replace(early, seats=late.seats, form=late.form)
    # Of several devices the first call is handed on otherwise than the second, without compiling.
    for _ in range(2):
        forecast(early, compared_lists(early), 8, 3, batch=8)
    sizes = [program._cache_size() for program in PROGRAMS]
    found = forecast(late, compared_lists(late), 8, 3, batch=8)
    assert sizes == [program._cache_size() for program in PROGRAMS]
    assert (found.counts["places"].sum(axis=-1) == 8).all()


@pytest.mark.parametrize(
    ("name", "pairing"),
    [("baku2016", "olympiad-2010"), ("samarkand2026w", "olympiad-2022")],
)
def test_an_olympiad_is_paired_by_the_edition_of_its_date(name, pairing):
    event = read_event(name)
    assert state.begin(event, 8).form.pairing == pairing
    assert state.begin(event, 8, rule="olympiad-2022").form.pairing == "olympiad-2022"
    other = replace(event, teams=event.teams[:40], name="Team Cup")
    assert state.pairing_of(rules_of(other)) == "dutch"
    small = replace(event, teams=event.teams[:40], name="Schacholympiade 2008", about={})
    assert state.pairing_of(rules_of(small)) == "olympiad-2010"


@pytest.mark.slow
def test_the_simulator_makes_the_pairs_of_the_rules_from_the_recorded_start():
    """Baku after round 8, as by `tb2learn pair`; nearly all, as some searches are cut short."""
    ongoing = state.begin(read_event("baku2016"), 8, ())
    config = Config("pairs", event=ongoing.form, game=GAMES)
    start = start_of(ongoing, prior(ongoing.event))
    played = jax.jit(play_batch, static_argnums=1)(jax.random.key(1)[None], config.setting, start)
    opponents = np.asarray(played.opponents)[8, :, 0]
    rules, seat = next_round(ongoing.event).pairing, ongoing.seat_of
    exact = [(seat[pair.white - 1], seat[pair.black - 1]) for pair in rules.pairs]
    same = sum(opponents[a] == b for a, b in exact)
    assert same >= 0.95 * len(exact)
    whites = np.asarray(played.whites)[8, :, 0]
    assert sum(whites[a] for a, b in exact if opponents[a] == b) >= 0.95 * same


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("form", "past"),
    [(EventFormat(7, 4, 2), 0), (EventFormat(9, 5, 1, "dutch"), 4)],
    ids=["teams", "players"],
)
def test_a_continuation_plays_on_as_the_simulator_would(form, past):
    """From round 0 the same events; from any round the pairs that the event itself had."""
    config = Config("whole", event=form)
    play = jax.jit(play_batch, static_argnums=1)
    keys = jax.random.split(jax.random.key(7), 3)
    whole = jax.tree.map(np.asarray, play(keys, config.setting))

    def empty(values, otherwise):
        left = np.arange(form.rounds)[:, None, None] >= past
        return np.where(left, otherwise, values).astype(values.dtype)

    def start(event):
        half_points = whole.half_points[:past, :, event]
        gained = np.sign(half_points - form.boards) + 1
        whites = np.zeros((form.rounds, form.teams), bool)
        return ContinuationStart(
            whole.rosters[..., event],
            np.zeros((form.teams, form.teams), np.int32),
            empty(whole.opponents, BYE)[..., event],
            empty(whole.half_points, 0)[..., event],
            whites if whole.whites is None else empty(whole.whites, False)[..., event],
            gained.sum(axis=0).astype(np.int32),
            np.array([0, 1, 2], np.int32),
            np.array([1, 2] if form.boards == 2 else [2, 2], np.int32),
            np.zeros((0, 2, form.teams // 2), np.int32),
            np.array(past, np.int32),
        )

    same = slice(None) if past == 0 else slice(1)
    for event in range(3):
        on = play(keys[event : event + 1], config.setting, start(event))
        for name in ("opponents", "whites", *(["half_points"] if past == 0 else [])):
            if getattr(whole, name) is not None:
                expected = getattr(whole, name)[past:, :, event]
                np.testing.assert_array_equal(getattr(on, name)[past:, :, 0][same], expected[same])


@pytest.mark.thorough
def test_the_posterior_is_the_mode_and_the_curvature_of_the_model(seven):
    """Against a general minimiser of the same model, match by match."""
    # In the first match its first board rested: it did not score against what the roster says.
    boards = {"white_half_points": 1, "black_half_points": 1, "white_rating": 1500}
    game = Game(1, 1, 1, 0, 5, None, None, **boards)
    event = replace(seven.after(3), games=(game,))
    before, record = prior(event), event_record(event)
    matches = strengths._Matches(before, event, record)
    assert len(matches.first) == 8

    def loss(offsets):
        return -matches.height(offsets, 1 / np.diag(before.covariance))

    after = posterior(before, event, record)
    best = optimize.minimize(loss, np.zeros(7), method="BFGS", options={"gtol": 1e-7})
    np.testing.assert_allclose(after.mean, best.x, atol=0.5)
    bends = np.linalg.inv(after.covariance)
    step = 5 * np.eye(7)[0]
    bend = (loss(best.x + step) + loss(best.x - step) - 2 * loss(best.x)) / 25
    assert abs(bends[0, 0] / bend - 1) < 0.02
    assert (np.diag(after.covariance) < np.diag(before.covariance)).all()
    assert after.mean[0] > 0 > after.mean[4]


@pytest.mark.parametrize(("teams", "repeats"), [(2, 3), (4, 2), (5, 1), (9, 1), (12, 1), (14, 2)])
def test_the_rounds_left_of_a_round_robin_are_all_matches_that_are_left(teams, repeats, tmp_path):
    from tb2learn.chess.berger import round_robin

    lots = np.random.default_rng(teams)
    games_ = lots.permutation(round_robin(teams, repeats).games)
    names = lots.permutation(teams)
    past = len(games_) // 3
    rows = [
        f"{number + 1},T{names[a]:02},T{names[b]:02},1,1"
        for number, games_of in enumerate(games_[: past + 1])
        for a, b in games_of
    ]
    header = "round,team_a,team_b,game_points_a,game_points_b\n"
    (tmp_path / "matches.csv").write_text(header + "\n".join(rows) + "\n")
    record = event_record(read_event(str(tmp_path)).after(past) if past else None)
    dealt = state.rounds_left(record, len(games_), ())
    met = record.opponent.tolist() + [[BYE] * teams for _ in dealt]
    for number, pairs in enumerate(dealt, start=past):
        assert sorted(t for p in pairs for t in p if t is not None) == list(range(teams))
        for a, b in pairs:
            if b is not None:
                met[number][a], met[number][b] = b, a
    times = [[sum(row[a] == b for row in met) for b in range(teams)] for a in range(teams)]
    assert times == (repeats * (1 - np.eye(teams, dtype=int))).tolist()


def test_the_state_has_forfeits_byes_and_penalties_as_the_pairing_needs_them(tmp_path):
    last = "4,1,A,D,,,\n4,2,C,B,,,\n"
    (tmp_path / "penalties.csv").write_text("team,match_points,game_points\nB,-1,-0.5\n")
    event = read_event(str(write_event(tmp_path, last)))
    ongoing = state.begin(event, 3, ())
    start = start_of(ongoing, prior(ongoing.event))
    assert [ongoing.event.teams[t] for t in ongoing.seats] == list("ABCDF")
    # E and G have left: who met them met nobody; F had the bye of the third round.
    played = [[4, 1, 3, 2, 0], [1, 0, 2, 4, 3], [2, 3, 0, 1, BYE]]
    assert start.opponents.tolist() == [*played, [BYE] * 5]
    assert start.match_points.tolist() == [5, 4, 3, 3, 1]
    assert start.half_points.sum(axis=0).tolist() == [8, 8, 6, 7, 3]
    assert start.bye.tolist() == [1, 2] and start.past == 3


PLAYERS = (
    "round,white_player,black_player,result,bye,white_rating,black_rating\n"
    "1,Ann,Bob,1-0,,2000,1900\n1,Cid,Dan,1/2-1/2,,1950,1850\n1,Eve,Fay,+--,,1900,1800\n"
    "1,Gus,,,pairing,,\n2,Gus,Ann,0-1,,1750,2000\n2,Bob,Cid,0-1,,1900,1950\n2,Dan,,,half,,\n"
    "2,Eve,,,pairing,,\n3,Ann,Cid,1/2-1/2,,2000,1950\n3,Dan,Gus,1-0,,1850,1750\n"
    "3,Bob,Eve,---,,1900,1900\n"
)
"""Seven players: Fay never came, Dan had a half-point bye, Bob and Eve both lost by default."""


def whole(ongoing, played, number):
    """A continuation as a recorded event."""
    event, seats = ongoing.event, ongoing.seats.tolist()
    opponents, half_points, whites = (part[number] for part in played)
    matches, games_ = list(event.matches), list(event.games)
    for left, row in enumerate(opponents.tolist()):
        place = event.rounds + 1 + left
        for seat, other in enumerate(row):
            team, half = seats[seat], int(half_points[left, seat])
            if other == BYE:
                matches.append(Match(place, 90, team, None, 2, 0, 0, 0, "pairing", 2))
            elif whites[left, seat]:
                rival = seats[other]
                matches.append(Match(place, seat, team, rival, half, 2 - half, 1, 0))
                games_.append(Game(place, seat, 1, team, rival, team, rival, half, 2 - half))
    matches.sort(key=lambda match: match.round)
    rounds = event.rounds + len(opponents)
    return replace(event, rounds=rounds, matches=tuple(matches), games=tuple(games_))


def measured(key, event, config, setup):
    """What is counted of a continuation, and the continuation itself."""
    ranked = rank_continuation(key, event, config, setup)
    left = (x[3:] for x in (event.opponents, event.half_points, event.whites))
    return ranked.places, *left


@pytest.mark.thorough
def test_continuations_of_players_are_ranked_as_files_are(tmp_path):
    """By FIDE's list and the formula, with defaults, byes of all kinds and one who has left."""
    (tmp_path / "open.csv").write_text(PLAYERS)
    event = read_event(str(tmp_path / "open.csv"))
    ongoing = state.begin(event, 3, (), 5)
    assert [event.teams[seat] for seat in ongoing.seats] == "Ann Cid Bob Eve Dan Gus".split()
    orders = list(compared_lists(ongoing).values())
    config = Config("players", event=ongoing.form, game=GAMES)
    places, *played = joined(
        measure_each(
            config,
            measured,
            EventRange(1, Purpose.FORECAST, 12),
            forecast_setup(ongoing, orders),
            start=start_of(ongoing, posterior(prior(event), ongoing.event, ongoing.record)),
        )
    )
    for number in range(12):
        recorded = whole(ongoing, played, number)
        for order, criteria in enumerate(orders):
            found = {row.team: row.place for row in rank(recorded, criteria)}
            assert [found[name] for name in event.teams] == places[number, order].tolist()


@pytest.mark.parametrize(
    ("name", "policy"),
    [("uniform-180x11", POLICIES["c07-2024"]), *(("product", each) for each in POLICIES.values())],
    ids=lambda part: getattr(part, "name", part),
)
def test_compiled_rules_see_what_a_policy_has_completed(name, policy):
    """Matches by default and byes count as every policy says, whoever computes."""
    record, rule = event_record(read_event("batumi2018")), find_rule(name, 11, 4).tiebreak
    recorded = rule.scores(Completed(record, policy, policy.complete(record)))

    @jax.jit
    def compiled(kind, opponent, gained, scored):
        same = replace(record, kind=kind, opponent=opponent, gained=gained, scored=scored)
        return rule.scores(Completed(same, policy, policy.complete(same)))

    arrays = record.kind, record.opponent, record.gained, record.scored
    np.testing.assert_array_equal(compiled(*arrays), recorded)


def test_ratings_say_more_of_strong_teams(seven):
    assert Offsets(55.0).at(np.array([1500.0, 2700.0])).tolist() == [55, 55]
    near, far = TEAMS.at(np.array([2700.0, 2000.0]))
    assert near == pytest.approx(TEAMS.points * 2 ** (-300 / TEAMS.halving)) and far > 2 * near
    assert np.diag(prior(seven).covariance)[0] < np.diag(prior(seven).covariance)[4]


@pytest.mark.thorough
def test_results_of_a_real_olympiad_support_the_offsets_and_no_day_shock():
    event = read_event("batumi2018")
    level = log_likelihood(event, TEAMS)
    assert level > log_likelihood(event, Offsets(55.0)) + 10
    assert level > log_likelihood(event, TEAMS, 38.0)
