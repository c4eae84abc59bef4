"""Ricca's study: his figures, many events, the comparison, and what is written."""

from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from helpers import results_of, slow_after
from ricca_samples import imitated
from study_samples import committed

from tb2learn.config import load_config
from tb2learn.report.frames import where
from tb2learn.simulation.event import Event
from tb2learn.simulation.field import draw_field
from tb2learn.studies.tiebreaks import accuracy as global_criteria
from tb2learn.studies.tiebreaks import evaluation, measure
from tb2learn.studies.tiebreaks import order_claims as orders
from tb2learn.studies.tiebreaks.accuracy import CRITERIA, adjusted, places, played, top_scorers
from tb2learn.studies.tiebreaks.order_claims import OrderClaim
from tb2learn.tiebreaks.names import find_tiebreak

pytestmark = pytest.mark.thorough


def small(players=12, rounds=4, boards=1):
    """Individual events that compile quickly."""
    config = load_config("small-20x7")
    event = replace(config.event, teams=players, rounds=rounds, boards=boards)
    return replace(config, event=event, field=replace(config.field, seed_noise=0.0))


NAMES = ("BH", "PROGRES", "BH_DE_WW", "BLACKS", "BH_RD")


# --------------------------------------------------------------------------- his figures


def test_his_summary_tables():
    his, between = measure.ricca_values(), measure.ricca_between()
    assert len(his) == 420 + 1065 and len(between) == 60
    found = where(his, kind="150-10", population="all", tie_break="APRO", criterion="ABSTPR")
    assert found.ricca.item() == 1.152
    assert where(between, kind="50-6", criterion="BRUNO", other="MISPTS").ricca.item() == 4.565
    assert len(measure.ricca_names()) == 14 + 44


def test_every_tie_break_of_his_is_known():
    names = measure.ricca_names()
    steps = {step for name in names for step in evaluation.ladder(name)}
    assert steps == {*evaluation.SHORT, evaluation.LOTS}
    assert evaluation.ladder("MEDIAN") == ("MD",) and evaluation.ladder("B1_PT_RD") == (
        "B1",
        "PT",
        "RD",
    )
    assert evaluation.ladder("COMPLETE") == ("DE", "B1", "DE", "PS", "DE")


# --------------------------------------------------------------------------- one event


def random_results(players, rounds, boards):
    """Random pairs and results, with ratings and colours."""
    random = np.random.default_rng(3)
    matches = [
        [
            (int(a), int(b), int(random.integers(2 * boards + 1)))
            for a, b in random.permutation(players).reshape(-1, 2)
        ]
        for _ in range(rounds)
    ]
    results = results_of(players, boards, matches)
    ratings = jnp.asarray(random.integers(1500, 2500, players), jnp.int32)
    return replace(results, ratings=ratings, whites=evaluation.colours(results.opponents))


@pytest.fixture(scope="module")
def one_event():
    return random_results(20, 5, 1)


@pytest.mark.slow
def test_steps_are_those_of_the_library(one_event):
    names = ("BH", "DE", "SONNBER", "COMPLETE", "B1_DE_PS_WW", "DE_MD_KY_BB", "BH_RD", "RANDOM")
    lots = jax.random.permutation(jax.random.key(1), 20)
    ranks = evaluation.ladders(names, 5, 1).ranks(one_event, lots)
    for name, found in zip(names[:6], ranks, strict=False):
        steps = [evaluation.SHORT[step] for step in evaluation.ladder(name)]
        rule, _ = find_tiebreak("+".join(steps), 5, 1)
        expected = adjusted(np.asarray(one_event.match_points), np.asarray(rule.scores(one_event)))
        assert places(np.asarray(found)).tolist() == expected.tolist(), name
    # Lots break all ties, and only those.
    by_lots, only_lots = (places(np.asarray(found)) for found in ranks[6:])
    assert sorted(by_lots) == sorted(only_lots) == list(range(1, 21))
    whole, points = places(np.asarray(ranks[0])), np.asarray(one_event.match_points)
    assert ((whole[:, None] < whole) <= (by_lots[:, None] < by_lots)).all()
    assert only_lots.tolist() == adjusted(points, np.asarray(lots)).tolist()
    assert (by_lots != only_lots).any()


def test_sonneborn_berger_of_teams_goes_by_match_points():
    results = random_results(10, 3, 4)
    expected, _ = find_tiebreak("emmsb", 3, 4)
    found = evaluation.step_rule("SB", 3, 4).scores(results)
    assert found.tolist() == expected.scores(results).tolist()


def test_colours_by_hand():
    # Odd rounds: the higher seed of two who had White equally often; even rounds: the lower.
    rounds = [[(0, 1, 2), (2, 3, 2)], [(0, 2, 2), (1, 3, 2)], [(1, 2, 2)]]
    opponents = results_of(4, 1, rounds).opponents
    whites = np.asarray(evaluation.colours(opponents))
    # Round 1: 0 and 2. Round 2: 0 and 2 had it both: the lower seed, 2; 1 and 3 neither: 3.
    # Round 3: 1 never, 2 twice; 0 and 3 have no opponent.
    assert whites.tolist() == [
        [True, False, True, False],
        [False, False, True, True],
        [False, True, False, False],
    ]


def test_colours_of_both_sides_of_every_match(one_event):
    opponents, whites = np.asarray(one_event.opponents), np.asarray(one_event.whites)
    for opponent, white in zip(opponents, whites, strict=True):
        assert (white != white[opponent]).all()
    had = whites.sum(axis=0)
    assert had.min() >= 1 and had.max() <= 4


def test_sums_of_an_event_are_the_evaluation(one_event):
    config = small(20, 5)
    lots = np.asarray(jax.random.permutation(jax.random.key(9), 20))
    ranks = evaluation.ladders(("BH", "WINS"), 5, 1).ranks(one_event, jnp.asarray(lots))
    measured = {
        "opponents": np.asarray(one_event.opponents),
        "half_points": np.asarray(one_event.half_points),
        "ratings": np.asarray(one_event.ratings),
        "strength": np.asarray(one_event.ratings) * 10,
        "lots": lots,
        "ranks": np.asarray(ranks),
    }
    sums = evaluation.event_sums(measured, config)
    event = played(measured["opponents"], measured["half_points"], 1, measured["ratings"])
    top = top_scorers(event.scores, 5)
    assert sums["players"].tolist() == [20, top.sum()]
    criteria = [criterion(event) for criterion in CRITERIA.values()]
    criteria += [measured["strength"], lots]
    for t, rank in enumerate(ranks):
        for c, criterion in enumerate(criteria):
            both = places(np.asarray(rank)), adjusted(event.scores, criterion)
            for p, who in enumerate((None, top)):
                found = (sums["tiebreaks"][p, t, c] / (4 * sums["players"][p])) ** 0.5
                assert found == pytest.approx(global_criteria.evaluation(*both, who))
    found = (sums["criteria"][0, 4] / 80) ** 0.5
    assert found == pytest.approx(
        global_criteria.evaluation(places(criteria[0]), places(criteria[4]))
    )


def test_lots_differ_by_event_and_use(one_event):
    results = one_event
    rosters = results.ratings[:, None]
    event = Event(rosters, results.opponents, results.half_points, results.match_points)
    measure = jax.jit(partial(evaluation.measure_event, config=small(20, 5)))
    only_lots = evaluation.ladders(("RANDOM",), 5, 1)
    first, again, other = (
        measure(jax.random.key(key), event, tiebreaks=only_lots) for key in (1, 1, 2)
    )
    for name in ("lots", "ranks"):
        assert first[name].tolist() == again[name].tolist() != other[name].tolist()
    # The criterion RANDOM is another draw than the tie-break.
    points = np.asarray(results.match_points)
    drawn = adjusted(points, np.asarray(first["lots"]))
    assert drawn.tolist() != places(np.asarray(first["ranks"][0])).tolist()
    assert first["ratings"].tolist() == results.ratings.tolist()


# --------------------------------------------------------------------------- many events


@pytest.mark.slow
def test_evaluations_depend_on_seed_and_number_alone():
    config = small()
    found = evaluation.evaluate("small", config, NAMES, 6, seed=5, batch=6)
    again = evaluation.evaluate("small", config, NAMES, 6, seed=5, batch=2)
    other = evaluation.evaluate("small", config, NAMES, 6, seed=6, batch=6)
    assert found.values.tolist() == again.values.tolist() != other.values.tolist()
    assert found.between.tolist() == again.between.tolist()
    assert found.values.shape == (1 + evaluation.RESAMPLES, 2, 5, 7)
    assert found.players[0] == 12 > found.players[1] >= 1

    # Buchholz is Bruno's order in score groups.
    assert where(found.frame(), tie_break="BH", criterion="BRUNO").value.eq(0).all()
    progress = where(found.frame(), population="all", tie_break="PROGRES", criterion="MISPTS")
    assert (progress.low < progress.value).all() and (progress.value < progress.high).all()


# --------------------------------------------------------------------------- the comparison


def imitation(kind, change=lambda v: v, spread=1e-6):
    """An evaluation whose values are his, changed; what he does not print is made up."""
    his, between = (
        table.set_index([name for name in table.columns if name != "ricca"]).ricca.to_dict()
        for table in (measure.ricca_values(), measure.ricca_between())
    )
    config = load_config(measure.INDIVIDUAL.get(kind, measure.TEAMS))
    return imitated(
        *(kind, config, measure.ricca_names()),
        lambda p, number, name, c: his.get((kind, p, name, c), 3.0 + number / 50),
        lambda a, b: between.get((kind, a, b), 9.0),
        *(change, spread),
    )


def agreement(*given, **more):
    return measure.frames_of([imitation("100-9", *given, **more)])["agreement"]


def test_his_own_figures_agree_with_themselves():
    found = agreement()
    assert len(found) == 10 and (found.inside == 14).all() and not found.reversed.any()
    assert found.tau.to_numpy() == pytest.approx(1) and found.level.to_numpy() == pytest.approx(1)
    assert found.his_tau.isna().all()  # he has no other kind to compare a column with
    assert (found.opposite + found.open == 0).all() and (found.same >= 88).all()


def test_other_orders_and_levels_are_told_apart():
    turned = agreement(lambda v: 9.0 - v)
    assert turned.tau.to_numpy() == pytest.approx(-1) and (turned.same + turned.open == 0).all()
    assert (turned.opposite == turned.reversed.map(len)).all() and (turned.opposite >= 88).all()
    higher = agreement(lambda v: 1.1 * v)
    assert higher.level.to_numpy() == pytest.approx(1.1) and higher.tau.to_numpy() == pytest.approx(
        1
    )
    assert (higher.inside == (higher.criterion == "BRUNO")).all()  # Buchholz is 0 in both
    wide = agreement(spread=90.0).iloc[0]
    assert wide.open > 40 and wide.opposite == 0 and wide.inside == 14


def test_claims_are_counted_in_his_columns_and_ours():
    kinds = [imitation(kind) for kind in measure.INDIVIDUAL]
    his = measure.ricca_values()
    one = OrderClaim(
        "", ("MEDIAN",), ("BHCUT1",), tuple(CRITERIA), ("all",), kinds=tuple(measure.INDIVIDUAL)
    )
    # With him Median is before Cut-1 under ABSELO, ZERMELO and MISPTS in all three kinds.
    for order, said, columns in (
        (one, 9, 15), (replace(one, kinds=("50-6",)), 3, 5), (replace(one, worst=True), 6, 15),
    ):  # fmt: skip
        assert orders.said([order], his).values.tolist() == [["", said, columns]]
        (ours,) = orders.counted([order], kinds, apart=False)[list(orders.COUNTS)].values
        assert ours[:3].tolist() == [said, 0, columns - said] and ours[3:].sum() == columns // 5
    both = orders.said(measure.ORDERS, his).merge(
        orders.counted(measure.ORDERS, kinds, apart=False)
    )
    assert (both.said == both["ours holds"]).all() and len(both) == len(measure.ORDERS)


def test_tie_breaks_worse_than_none_at_all():
    """Against an evaluation where KOYA is worse than direct encounter for sure, and WINS better."""
    kind = imitation("50-6")
    values = np.full_like(kind.values, 2.0)
    for name, value in (("KOYA", 3.0), ("WINS", 1.0)):
        values[:, 0, kind.tiebreaks.index(name), evaluation.ALL_CRITERIA.index("TRUE")] = value
    assert measure.worse_than_tied(replace(kind, values=values)) == ["KOYA"]


def test_his_figures_stand_beside_ours():
    """His own, changed, in all kinds that he has, and in one that he has not."""
    kinds = (*measure.INDIVIDUAL, measure.TEAMS)
    rows = measure.frames_of([imitation(kind, lambda v: 1.1 * v, 0.05) for kind in kinds])["values"]
    assert len(rows) == 4 * 2 * 58 * 7
    his = rows.dropna(subset="ricca")
    assert len(his) == 1485 and not {"TRUE", "RANDOM"} & set(his.criterion)
    assert his.value.to_numpy() == pytest.approx(1.1 * his.ricca.to_numpy(), abs=1e-5)
    assert ((his.low < his.value) & (his.value < his.high)).all()


def test_figures_show_every_kind_and_his_values():
    frames = committed("tiebreaks")
    kinds, values = ["individual-50x6", measure.TEAMS], frames["values"]
    two = {"values": values[values.config.isin(kinds)]}
    heat, dots = measure.heat_figure(two, "all"), measure.dot_figure(two, "top33")
    assert [panel.get_title(loc="left") for panel in heat.axes] == kinds
    assert len(heat.axes[0].texts) == 14 * 6
    # Ours and his; under the true order and of teams there are none of his.
    his = [np.isfinite(panel.lines[1].get_xdata().astype(float)).sum() for panel in dots.axes]
    assert his == [14] * 5 + [0] * 7
    assert [len(panel.lines[0].get_xdata()) for panel in dots.axes] == [14] * 6 + [19] * 6


# --------------------------------------------------------------------------- the events


def test_random_seeds_are_another_kind():
    config = measure.random_seeds(load_config("individual-50x6"))
    assert config.field.seed_noise == np.inf and config.field.ratings[0] == 2674
    assert config.name == "individual-50x6-random-seeds" not in measure.INDIVIDUAL.values()


@pytest.mark.parametrize("kind", slow_after(1, measure.INDIVIDUAL))
def test_individual_fields_are_as_he_describes_them(kind):
    config = load_config(measure.INDIVIDUAL[kind])
    ratings = np.array(config.field.ratings)
    assert (config.event.teams, config.event.rounds) == tuple(map(int, kind.split("-")))
    assert config.event.boards == 1 and config.field.seed_noise == config.field.player_sd == 0
    assert 1650 <= ratings.min() and ratings.max() <= 2700 and abs(ratings.mean() - 2000) < 1
    rosters = draw_field(jax.random.key(0), config)
    assert rosters[:, 0].tolist() == ratings.tolist()  # true, and seeds go by them
