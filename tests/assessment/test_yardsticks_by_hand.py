"""References and the thesis protocol in plain numbers: levels, laws, lists, modes, errors."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import plain_numpy
import pytest
from assess_samples import CONFIG

from tb2learn.assessment import references
from tb2learn.assessment import thesis_protocol as thesis
from tb2learn.assessment.tally import by_block
from tb2learn.config import EventFormat
from tb2learn.simulation import level_model
from tb2learn.simulation.event import Event
from tb2learn.simulation.level_model import LevelModel
from tb2learn.simulation.purposes import UNIT
from tb2learn.types import BYE

pytestmark = pytest.mark.usefixtures("untyped")


@pytest.fixture(autouse=True)
def in_numpy(monkeypatch):
    plain_numpy.use(monkeypatch, references, level_model, thesis)


# ------------------------------------------------------------------------ levels


def test_the_grid_reaches_two_steps_beyond_the_drawn_teams():
    """Across 1,000 points the step is 25; across 80 it is 2; never below 0 or above the most."""
    assert level_model._grid(np.array([2000.0, 3000])).tolist() == list(range(1950, 3051, 25))
    assert level_model._grid(np.array([2001.0, 2081])).tolist() == list(range(1996, 2087, 2))
    assert level_model._grid(np.array([1.0, 30]))[[0, -1]].tolist() == [0, 32]


def test_a_team_between_two_levels_counts_in_both():
    """Of 2340 and 2360 on levels by 100: three fifths, two fifths; then smoothed by 1, 2, 1."""
    rosters, levels = np.array([[2350, 2330]] * 4), np.array([2200, 2300, 2400, 2500])
    prior, line_ups = level_model._field_on_grid(rosters, levels)
    assert prior == pytest.approx([0.6 / 4, 1.6 / 4, 1.4 / 4, 0.4 / 4])
    assert line_ups.tolist() == [[2210, 2190], [2310, 2290], [2410, 2390], [2510, 2490]]
    edge, _ = level_model._field_on_grid(np.array([[2200, 2200]]), levels)
    assert edge == pytest.approx([3 / 4, 1 / 4, 0, 0])


def test_the_model_is_of_levels_and_what_they_are_worth(monkeypatch):
    """Two levels and a field of a quarter and three quarters; the event has 21 teams."""
    at_most = np.array([[[UNIT // 2, UNIT], [0, UNIT // 2]], [[UNIT, UNIT], [UNIT // 4, UNIT]]])
    points = UNIT * np.array([[1.0, 0.5], [1.5, 1.0]])
    monkeypatch.setattr(level_model, "_drawn_rosters", lambda setting: np.zeros((1, 1, 2)))
    monkeypatch.setattr(level_model, "_grid", lambda means: np.array([2000, 2100]))
    field = np.array([0.25, 0.75]), np.zeros((2, 2), int)
    monkeypatch.setattr(level_model, "_field_on_grid", lambda *_: field)
    monkeypatch.setattr(level_model, "_all_play_all", lambda *_, game: (at_most, points))
    model = level_model.level_model(CONFIG.setting)
    assert model.worth == pytest.approx([20 * 0.625, 20 * 1.125], abs=1e-4)
    assert model.worth[1] - 20 * 1.125 > model.worth[0] - 20 * 0.625 == 0
    law = np.exp(model.log_law)
    assert law[0, 0] == pytest.approx([0.5, 0.5, 1e-6]) and law[1, 0] == pytest.approx(
        [1e-6, 0.25, 0.75]
    )
    assert law[0, 1] == pytest.approx([1, 1e-6, 1e-6])
    assert model.levels.tolist() == [2000, 2100] and model.prior.tolist() == [0.25, 0.75]


def model_of_three(**changes):
    """Three levels; whatever a team scores speaks for the lowest, by 6 : 4 : 2."""
    likely = np.array([0.6, 0.4, 0.2])[:, None, None]
    arrays = np.array([2000.0, 2100, 2200]), np.array([0.25, 0.5, 0.25])
    model = LevelModel(*arrays, np.log(likely * np.ones((3, 3, 5))), np.array([1.0, 2, 4]))
    return replace(model, **changes)


def event_of(opponents, half_points, points=None):
    rosters = np.repeat(2000 + 25 * np.arange(len(opponents[0]))[:, None], 2, axis=1)
    arrays = (np.array(opponents), np.array(half_points), np.array(points or [1, 0, 2]))
    return Event(rosters, *map(plain_numpy.plain, arrays))


def test_the_posterior_mean_is_of_prior_and_results(monkeypatch):
    """One match: (1.5 + 4 + 2) of 4 / (0.15 + 0.2 + 0.05); a bye leaves the prior."""
    monkeypatch.setattr(level_model, "_start", lambda *_: np.zeros(3, int))
    event = event_of([[1, 0, BYE]], [[4, 0, 2]])
    found = level_model.posterior_worth(
        0, event, CONFIG.setting, model_of_three(), chains=2, sweeps=3, burn_in=1
    )
    one = (0.15 * 1 + 0.2 * 2 + 0.05 * 4) / 0.4
    assert found == pytest.approx([one, one, 0.25 + 1 + 1])


def test_the_burn_in_is_left_out_of_the_mean(monkeypatch):
    """Sweeps find means 100, 10, 1, 3 of every team; the first two are left out."""
    means, scans = iter([100.0, 10, 1, 3]), plain_numpy.JAX.lax.scan

    def scan(step, start, rows, unroll=1):
        if isinstance(rows, tuple):  # a sweep over the teams
            return start, np.full(3, next(means))
        return scans(step, start, rows)

    monkeypatch.setattr(level_model.jax, "lax", SimpleNamespace(scan=scan))
    event = event_of([[1, 0, BYE]], [[4, 0, 2]])
    found = level_model.posterior_worth(
        0, event, CONFIG.setting, model_of_three(), chains=1, sweeps=4, burn_in=2
    )
    assert found.tolist() == [2, 2, 2]


def test_chains_start_from_the_order_of_points():
    """Of three teams the last is at the sixth of the prior, the next at the half, then at 5/6."""
    event = event_of([[1, 0, BYE]] * 2, [[3, 1, 2], [1, 1, 2]], [2, 1, 2])
    # The first and the third have equal points and half points: the later one is higher.
    assert level_model._start(event, model_of_three()).tolist() == [1, 0, 2]
    skewed = model_of_three(prior=np.array([0.5, 0.4, 0.1]))
    assert level_model._start(event, skewed).tolist() == [0, 0, 1]


def test_the_largest_of_every_row():
    rows = np.array([[1.0, 5, 3], [-7, -9, -8], [0, 0, 2]])
    assert level_model._largest(rows).tolist() == [[5], [-7], [2]]


def test_the_law_is_interpolated_between_opponents_levels():
    log_law = np.zeros((2, 2, 3))
    log_law[:, 1, 2], log_law[0, 0, 2] = 8, 4  # own level, opponent's level, result
    model = model_of_three(levels=np.array([2000.0, 2100]), log_law=log_law)
    said = [level_model._log_likelihood(model, np.array(r), np.array(2)) for r in (2025, 2500, 9)]
    assert [one.tolist() for one in said] == [[5, 2], [8, 8], [4, 0]]


def test_the_most_likely_rating_is_the_top_of_a_parabola():
    """Log-likelihoods 0, 4, 2 at 0, 100, 200 peak at 100 + 100/6; edges by their slope."""

    def found(*said, present=True):
        log_law = np.array(said, float)[:, None, None] * np.ones((3, 3, 5))
        model = model_of_three(levels=np.array([0.0, 100, 200]), log_law=log_law)
        one = np.array([[50.0]]), np.array([[2]]), np.array([[present]])
        return float(level_model.most_likely(model, *one)[0])

    bend = 6 / 100**2 + 1000**-2  # of the parabola, and of the ridge around 100
    assert found(0, 4, 2) == pytest.approx(100 + 2 / 200 / bend)
    assert found(0, 3, 5) == pytest.approx(200 + (2 / 100 - (0.5 * 0.01) / 100) / 1000**-2)
    assert found(5, 3, 0) == pytest.approx(0 - (2 / 100 - (0.5 * 0.01) / 100) / 1000**-2)
    assert found(9, 0, 9, present=False) == 100


def test_a_drawn_round_robin_gives_both_sides_their_points(monkeypatch):
    """One board: A beats B and draws with C, B loses to C."""
    scored = np.array([[9, 2, 1], [9, 9, 0], [9, 9, 9]])
    monkeypatch.setattr(
        references, "games",
        SimpleNamespace(all_play_all=lambda *_: None, sample_half_points=lambda *_: scored),
    )  # fmt: skip
    monkeypatch.setattr(references, "unit_numbers", lambda key, number: np.zeros(number))
    monkeypatch.setattr(references, "match_points", lambda half, boards: half)
    event = SimpleNamespace(rosters=np.zeros((3, 1)))
    assert references.AllPlayAll().estimate(0, event, CONFIG.setting).tolist() == [3, 0, 3]
    assert references.HigherSeed().estimate(0, event, CONFIG.setting).tolist() == [0, -1, -2]


# ------------------------------------------------------------------------ the thesis protocol


def test_the_law_of_points_in_a_round_robin(monkeypatch):
    """Two teams: the first loses with 1/4, draws with 1/4, wins with 1/2."""
    at_most = np.array([[[0, 1], [2, 0]], [[0, 2], [3, 0]]]) * (UNIT // 4)
    monkeypatch.setattr(
        thesis, "games", SimpleNamespace(UNIT=UNIT, all_play_all=lambda *_: at_most)
    )
    found = thesis.strength_distribution(np.zeros((2, 1)), None)
    assert found.tolist() == [[0.25, 0.25, 0.5], [0.5, 0.25, 0.25]]


def test_the_duel_of_two_sums():
    first, second = np.array([0.5, 0, 0.5]), np.array([0.25, 0.5, 0.25])
    assert thesis.duel(first, second) == pytest.approx([0.5 * 0.75, 0.25, 0.375])
    assert thesis.duel(np.array([0, 0, 1.0]), second) == pytest.approx([0.75, 0.25, 0])


def test_the_mode_of_draws():
    """Of two draws with 1/2, 1/4, 1/4: both alike, or one each, which a lot decides."""
    assert thesis.mode(np.array([[3, 1, 3], [0, 9, 2]])).tolist() == [[0.5, 0, 0.5], [0, 1, 0]]
    chances = np.array([0.5, 0.25, 0.25])
    other = 1 / 16 + (2 / 8 + 2 / 16) / 2
    assert thesis.mode_chances(chances, 2) == pytest.approx([1 - 2 * other, other, other])
    assert thesis.mode_chances(chances, 1) == pytest.approx(chances)
    assert thesis.REPEATS == 30


def test_one_opponent_is_left_out_of_the_list_that_is_replayed():
    """The fewest match points; of equal ones the least product; a bye before all."""
    config = replace(CONFIG, event=EventFormat(5, 3, 2))
    opponents = np.array([[1, 0, 3, 2, BYE], [2, 3, 0, 1, 0], [3, BYE, 1, 0, 2]])
    half_points = np.array([[1, 3, 2, 2, 2], [4, 0, 0, 4, 0], [3, 2, 1, 1, 3]])
    own = np.array([6, 2, 2, 3, 0])
    found = thesis._reduced_lists(opponents, half_points, own, config)
    assert found.T.tolist() == [
        [BYE, 2, 3],  # B and C have two points: 2 x 1 is less than 2 x 4
        [0, 3, BYE],
        [3, 0, BYE],  # B has fewer points than D and A
        [BYE, 1, 0],  # 2 x 2 is less than 2 x 4, of equal opponents
        [BYE, 0, 2],
    ]


def test_errors_of_chunks_are_added_to_their_events(monkeypatch):
    """Two events; two rules and an oracle; pairs of the first, third and tenth place."""
    own = np.array([[4, 4, 2, 2], [6, 6, 6, 0]])
    facts = SimpleNamespace(match_points=own, list_key=np.zeros((2, 2)))
    monkeypatch.setattr(thesis, "_CHUNK", 3)
    monkeypatch.setattr(
        thesis, "_judge_chunk",
        lambda facts, pairs, *_: np.tile([1, 10, 100], (len(pairs.event), 1)),
    )  # fmt: skip
    add, numbers = by_block(5), np.array([4, 1])
    pairs, errors = thesis._tally_block(add, ("a", "b"), [1], "own", CONFIG, numbers, facts)
    assert pairs.tolist() == [[0] * 4, [3] * 4, [0] * 4, [0] * 4, [1, 2, 2, 2]]
    assert errors[4].tolist() == [[1, 2, 2, 2], [10, 20, 20, 20], [100, 200, 200, 200]]


def test_groups_below_the_thirtieth_place_are_not_replayed():
    own = np.array([[9] * 30 + [5, 5], [9] * 29 + [5, 5, 0]])
    own[:, :29] = np.arange(40, 11, -1)
    facts = SimpleNamespace(match_points=own, list_key=np.zeros((2, 2)))
    found = thesis._tied_pairs(facts, "own")
    assert found.event.tolist() == [1] and found.first_place.tolist() == [30]


def test_verdicts_of_a_replayed_pair(monkeypatch):
    """Three replays: the first ahead, equal, behind twice as a sum of half points, of two lists."""
    half = np.array([[[3, 2], [1, 1]], [[2, 3], [2, 1]], [[0, 2], [1, 2]], [[1, 1], [0, 1]]])
    monkeypatch.setattr(thesis, "unit_numbers", lambda key, number: np.arange(number))
    monkeypatch.setattr(
        thesis, "games",
        SimpleNamespace(
            cumulative_law=lambda own, other, game: np.zeros((4, 2, 2)),
            sample_half_points=lambda numbers, law: half,
        ),
    )  # fmt: skip
    monkeypatch.setattr(thesis, "REPEATS", 4)
    monkeypatch.setattr(
        thesis.jax.random, "fold_in", lambda key, number: (key, number), raising=False
    )
    monkeypatch.setattr(thesis.jax.random, "wrap_key_data", lambda key: key, raising=False)
    rule = SimpleNamespace(replay=lambda own, scores, halves, present: halves.sum(axis=-2))
    lowest = SimpleNamespace(replay=lambda own, scores, halves, present: -halves[..., 0, :])
    ones = np.ones((2, 2), bool)
    pair = thesis.Rematch(0, 1, 4, np.zeros((2, 2)), np.zeros((2, 2, 2)), (None, None), ones)
    found = thesis.replay_pair(pair, (rule, lowest), CONFIG.setting)
    assert found.tolist() == [[1, 1, 2], [2, 1, 1]]


def test_who_meets_itself_meets_the_owner(monkeypatch):
    """A and B swap lists: B is on the list of A, and meets A there in its place."""
    seen = []

    def replayed(rematch, rules, setting):
        seen.append(rematch)
        return np.array([[[30, 0, 0]]])

    rule = SimpleNamespace(plain_score=lambda points, rosters: 100 + points)
    facts = SimpleNamespace(
        match_points=np.array([[4, 4, 2, 0]]),
        reduced=np.array([[[1, 3, 0, 1], [2, BYE, 1, 0]]]),
        rosters=np.array([[[10], [20], [30], [40]]]), game_key=np.array([[5, 6]]),
        opponent_scores=(np.array([[[4, 0, 4, 4], [2, 9, 4, 4]]]),),
        strength=np.array([[[0.0, 1], [1, 0], [1, 0], [1, 0]]]),
    )  # fmt: skip
    monkeypatch.setattr(thesis, "_replay_pairs", replayed)
    monkeypatch.setattr(thesis, "_CHUNK", 1)
    one = thesis._Pairs(np.array([0]), np.array([[0, 1]]), np.array([[1, 0]]), np.array([1]))
    wrong = thesis._judge_chunk(facts, one, (rule,), (), CONFIG.setting)
    (found,) = seen
    assert found.opponents.tolist() == [[[[40], [10]], [[40], [30]]]]
    assert found.present.tolist() == [[[True, True], [False, True]]]
    assert found.opponent_scores[0].tolist() == [[[0, 104], [9, 2]]]
    assert (found.number.tolist(), found.own.tolist(), found.key.tolist()) == ([1], [4], [[5, 6]])
    assert wrong.tolist() == [[0]]  # the first is surely stronger, and all verdicts say so
    facts.strength = facts.strength[:, [1, 0, 2, 3]]
    assert thesis._judge_chunk(facts, one, (rule,), (), CONFIG.setting).tolist() == [[UNIT]]


@pytest.mark.parametrize(
    ("lists", "teams", "of"), [("same-group", [1, 3], [3, 2]), ("random", [2, 1], [5, 4])]
)
def test_two_different_teams_are_drawn(monkeypatch, lists, teams, of):
    """The second number skips the first: 0 and then 0 of what is left are the first two."""
    sizes = []

    def integers(low, size):
        sizes.append(np.broadcast_to(size, 1).tolist())
        return np.array([0])

    lots = SimpleNamespace(integers=integers)
    monkeypatch.setattr(thesis.np.random, "Generator", lambda bits: lots)
    own = np.array([5, 4, 3, 4, 4])  # in their order C, B, D, E, A
    found = thesis._two_random(np.zeros(2, np.uint32), own, np.array([[1, 4]]), lists)
    assert found.tolist() == [teams] and sizes == [[size] for size in of]
