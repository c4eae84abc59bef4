"""Ricca's study: his figures, many events, the comparison, and what is written."""

import csv
import io
import json
from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from helpers import ROOT, results_of, slow_after

from tb2learn.config import load_config
from tb2learn.simulation.field import draw_field
from tb2learn.simulation.olympiad import Event, play
from tb2learn.simulation.rng import Purpose, stream
from tb2learn.studies.claims import Claim
from tb2learn.studies.ricca import claims, evaluation, figures, published, report
from tb2learn.studies.ricca import criteria as global_criteria
from tb2learn.studies.ricca.claims import INDIVIDUAL
from tb2learn.studies.ricca.criteria import CRITERIA, adjusted, places, played, top_scorers
from tb2learn.tiebreaks.library import find_tiebreak


def small(players=12, rounds=4, boards=1):
    """Individual events that compile quickly."""
    config = load_config("small-20x7")
    event = replace(config.event, teams=players, rounds=rounds, boards=boards)
    return replace(config, event=event, field=replace(config.field, seed_noise=0.0))


NAMES = ("BH", "PROGRES", "BH_DE_WW", "BLACKS", "BH_RD")


# --------------------------------------------------------------------------- his figures


def test_all_that_follows_from_his_sample_event_is_reproduced():
    cells = published.sample_event()
    known = [cell for cell in cells if cell.ours is not None]
    # The criteria against each other, and Buchholz in two populations.
    assert len(cells) == 20 + 1150 and len(known) == 20 + 2 * 5
    assert [cell.ours for cell in known] == [cell.printed for cell in known]
    assert {(c.population, c.row) for c in known if c.population} == {
        ("all", "BH"),
        ("top33", "BH"),
    }
    assert all(cell.possible for cell in cells)
    assert {cell.population: cell.players for cell in cells} == {"": 100, "all": 100, "top33": 31}


def test_not_every_number_is_a_possible_figure():
    # Two players: squares of halves of places add up to k/4, so the value is the root of k/8.
    assert [published.is_possible(text, 2) for text in ("0.0000", "0.3536", "0.5000")] == [True] * 3
    assert not any(published.is_possible(text, 2) for text in ("0.0001", "0.3535", "0.4000"))
    shares = [published.is_possible(f"{1 + n * 1e-4:.4f}", 100) for n in range(1000)]
    assert 0.03 < np.mean(shares) < 0.15


def test_his_summary_tables():
    his, between = published.ricca_values(), published.ricca_between()
    assert len(his) == 420 + 1065 and len(between) == 60
    assert his["150-10", "all", "APRO", "ABSTPR"] == 1.152
    assert between["50-6", "BRUNO", "MISPTS"] == 4.565
    assert len(evaluation.ricca_names()) == 14 + 44


def test_every_tie_break_of_his_is_known():
    names = evaluation.ricca_names()
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
    assert found.resampled.tolist() == again.resampled.tolist()
    assert found.between.tolist() == again.between.tolist()
    assert found.values.shape == (2, 5, 7) and found.players[0] == 12 > found.players[1] >= 1

    # The events are those of the assessment stream; Buchholz is Bruno's order in score groups.
    assert found.value("all", "BH", "BRUNO") == 0
    by_hand, play_one = [], jax.jit(partial(play, config=config))
    for number in range(6):
        play_key, _ = jax.random.split(jax.random.fold_in(stream(5, Purpose.ASSESS), number))
        event = play_one(play_key)
        rule, _ = find_tiebreak("progressive", 4, 1)
        some = played(
            np.asarray(event.opponents),
            np.asarray(event.half_points),
            1,
            np.asarray(event.rosters[:, 0]),
        )
        by_tiebreak = adjusted(some.scores, np.asarray(rule.scores(event.results)))
        by_criterion = adjusted(some.scores, CRITERIA["MISPTS"](some))
        by_hand.append(global_criteria.evaluation(by_tiebreak, by_criterion))
    assert found.value("all", "PROGRES", "MISPTS") == pytest.approx(np.mean(by_hand))
    low, high = found.ci("all", "PROGRES", "MISPTS")
    assert min(by_hand) <= low < np.mean(by_hand) < high <= max(by_hand)


# --------------------------------------------------------------------------- the comparison


def imitation(kind, change=lambda v: v, spread=1e-6):
    """An evaluation whose values are his, changed, with intervals of a given width.

    What he does not print is made up.
    """
    his, between = published.ricca_values(), published.ricca_between()
    names = evaluation.ricca_names()
    table = np.array(
        [
            [[his.get((kind, p, n, c), 3.0 + i / 50) for c in evaluation.ALL_CRITERIA]
             for i, n in enumerate(names)]
            for p in evaluation.POPULATIONS
        ]
    )  # fmt: skip
    table = change(table)
    noise = np.linspace(-spread, spread, 41)[:, None, None, None]
    criteria = evaluation.ALL_CRITERIA
    pairs = np.array([[between.get((kind, a, b), 9.0) for b in criteria] for a in criteria])
    config = load_config(claims.INDIVIDUAL.get(kind, claims.TEAMS))
    return evaluation.Evaluation(
        kind=kind,
        config=config,
        tiebreaks=names,
        players=np.array([100.0, 31.0]),
        values=table,
        resampled=table + noise * (1 + np.arange(table.size).reshape(table.shape) % 2),
        between=pairs,
        between_ci=np.stack([pairs - spread, pairs + spread]),
    )


def test_his_own_figures_agree_with_themselves():
    for agreement in claims.agreements(imitation("100-9")):
        assert agreement.tau == pytest.approx(1) and agreement.level == pytest.approx(1)
        assert agreement.opposite == agreement.open == 0 and agreement.same >= 88
        assert agreement.inside == 14 and agreement.reversed == ()


def test_the_other_order_does_not_agree():
    for agreement in claims.agreements(imitation("100-9", lambda v: 9.0 - v)):
        assert agreement.tau == pytest.approx(-1) and agreement.same == agreement.open == 0
        assert agreement.opposite == len(agreement.reversed) >= 88


@pytest.mark.parametrize("level", [0.9, 1.1])
def test_another_level_is_the_same_order(level):
    for agreement in claims.agreements(imitation("100-9", lambda v: level * v)):
        assert agreement.level == pytest.approx(level) and agreement.tau == pytest.approx(1)
        assert agreement.inside == (agreement.criterion == "BRUNO")  # Buchholz is 0 in both


def test_wide_intervals_leave_it_open():
    agreement, *_ = claims.agreements(imitation("100-9", spread=90.0))
    assert agreement.open > 40 and agreement.opposite == 0 and agreement.inside == 14


def test_claims_are_counted_in_his_columns_and_ours():
    kinds = [imitation(kind) for kind in claims.INDIVIDUAL]
    claim = Claim("", ("MEDIAN",), ("BHCUT1",), tuple(CRITERIA), ("all",), kinds=tuple(INDIVIDUAL))
    found = claims.held(claim, kinds)
    # With him Median is before Cut-1 under ABSELO, ZERMELO and MISPTS in all three kinds.
    assert found.his == (9, 15) and found.ours == ((9, 0, 6),)
    assert sum(found.true[0]) == 3
    only = claims.held(replace(claim, kinds=("50-6",)), kinds)
    assert only.his == (3, 5) and only.ours == ((3, 0, 2),) and sum(only.true[0]) == 1
    worst = claims.held(replace(claim, worst=True), kinds)
    assert worst.his == (6, 15) and worst.ours == ((6, 0, 9),)
    for claim in claims.CLAIMS:
        found = claims.held(claim, kinds)
        assert found.his == (found.ours[0][0], sum(found.ours[0]))


@pytest.fixture(scope="module")
def content():
    """The JSON of imitations, as it is read back."""
    kinds = [imitation(kind, lambda v: 1.1 * v, 0.05) for kind in (*INDIVIDUAL, claims.TEAMS)]
    return json.loads(json.dumps(report.as_json(kinds, published.sample_event(), 7, 1)))


def test_what_is_written(content):
    assert content["events"] == 7 and len(content["kinds"]) == 4 and content["sample"]["possible"]
    first = content["kinds"][0]
    assert np.shape(first["value"]) == np.shape(first["ricca"]) == (2, 58, 7)
    at = first["tie_breaks"].index("KOYA")
    assert first["ricca"][0][at][5] is None and len(first["agreement"]) == 10
    assert first["value"][0][at][0] == pytest.approx(1.1 * first["ricca"][0][at][0], abs=1e-5)
    assert content["kinds"][3]["agreement"] == [] and content["kinds"][3]["ricca"][0][0][0] is None

    text = report.as_text(content, published.sample_event())
    assert f"| KOYA | {first['value'][0][at][5]:.3f} |" in text
    assert "30 of the 30 figures" in text and "1,140" in text
    for name in ("heat-all", "heat-top33", "tiebreaks-all", "tiebreaks-top33"):
        assert f"({name}.png)" in text
    (row,) = (line for line in text.splitlines() if line.startswith("| individual-50x6 | all"))
    compared = [one for one in content["kinds"][2]["agreement"] if one["population"] == "all"]
    counts = [sum(one[field] for one in compared) for field in ("same", "open", "opposite")]
    assert [int(cell) for cell in row.split("|")[3:6]] == counts and sum(counts) > 400
    claim = "Among the top scorers Cut-1 is better"
    (row,) = (line for line in text.splitlines() if line.startswith(f"| {claim}"))
    found = next(f for f in content["claims"] if f["claim"]["text"].startswith(claim))
    shown = [*found["his"][::-1], *found["ours"][0], *found["true"][0]]
    assert [int(cell) for cell in row.split("|")[4:-1]] == shown and shown[:2] == [15, 13]


def test_the_csv_has_every_value(content):
    rows = list(csv.DictReader(io.StringIO(report.values_csv(content))))
    assert len(rows) == 4 * 2 * 58 * 7
    (row,) = (
        r for r in rows
        if (r["kind"], r["population"], r["tie_break"], r["criterion"])
        == ("individual-150x10", "top33", "MD_OP_RD", "MISPTS")
    )  # fmt: skip
    his = published.ricca_values()["150-10", "top33", "MD_OP_RD", "MISPTS"]
    assert float(row["ricca"]) == his and float(row["value"]) == pytest.approx(1.1 * his, abs=1e-5)
    assert float(row["low"]) < float(row["value"]) < float(row["high"])
    assert {r["ricca"] for r in rows if r["criterion"] == "TRUE"} == {""}


def test_figures_show_every_kind_and_his_values(content):
    kinds = [content["kinds"][2], content["kinds"][3]]
    two = {**content, "kinds": kinds}
    heat, dots = figures.heat_figure(two, "all"), figures.dot_figure(two, "top33")
    assert [panel.get_title(loc="left") for panel in heat.axes] == [k["config"] for k in kinds]
    assert len(heat.axes[0].texts) == 14 * 6
    # Ours and his, a tie-break each; under the true order and of teams there are none of his.
    marks = [len(panel.lines) for panel in dots.axes]
    assert marks == [28] * 5 + [14] + [14] * 6


def test_tie_breaks_worse_than_none_at_all():
    """Against an evaluation where KOYA is worse than direct encounter for sure, and WINS better."""
    kind = imitation("50-6")
    table, resampled = np.full_like(kind.values, 2.0), np.full_like(kind.resampled, 2.0)
    for name, value in (("KOYA", 3.0), ("WINS", 1.0)):
        at = kind.at("all", name, "TRUE")
        table[at] = value
        resampled[(slice(None), *at)] = value
    changed = replace(kind, values=table, resampled=resampled)
    assert claims.worse_than_tied(changed, "all", "TRUE") == ["KOYA"]


def test_the_committed_report_is_that_of_its_json(tmp_path, monkeypatch):
    monkeypatch.setattr("tb2learn.studies.report_folder.figure_png", lambda figure: b"")
    committed = ROOT / "reports" / "tiebreaks"
    (tmp_path / "tiebreaks.json").write_bytes((committed / "tiebreaks.json").read_bytes())
    assert report.render(tmp_path) == tmp_path / "README.md"
    for name in ("README.md", "values.csv"):
        assert (tmp_path / name).read_text() == (committed / name).read_text()


def test_random_seeds_are_another_kind():
    config = report.random_seeds(load_config("individual-50x6"))
    assert config.field.seed_noise == np.inf and config.field.ratings[0] == 2674
    assert config.name == "individual-50x6-random-seeds" not in claims.INDIVIDUAL.values()


@pytest.mark.parametrize("kind", slow_after(1, claims.INDIVIDUAL))
def test_individual_fields_are_as_he_describes_them(kind):
    config = load_config(claims.INDIVIDUAL[kind])
    ratings = np.array(config.field.ratings)
    assert (config.event.teams, config.event.rounds) == tuple(map(int, kind.split("-")))
    assert config.event.boards == 1 and config.field.seed_noise == config.field.player_sd == 0
    assert 1650 <= ratings.min() and ratings.max() <= 2700 and abs(ratings.mean() - 2000) < 1
    rosters = draw_field(jax.random.key(0), config)
    assert rosters[:, 0].tolist() == ratings.tolist()  # true, and seeds go by them


@pytest.mark.slow
def test_the_whole_study(tmp_path):
    path = report.study_tiebreaks(tmp_path / "study", 2, 1)
    assert path == tmp_path / "study" / "README.md"
    for name in ("heat-all", "heat-top33", "tiebreaks-all", "tiebreaks-top33"):
        assert (path.parent / f"{name}.png").stat().st_size > 30_000
    content = json.loads((path.parent / "tiebreaks.json").read_text())
    kinds = {kind["kind"]: kind for kind in content["kinds"]}
    assert set(kinds) == {*claims.INDIVIDUAL, "individual-100x9-random-seeds", claims.TEAMS}
    assert "learned-180x11" in kinds[claims.TEAMS]["tie_breaks"]
    assert (path.parent / "values.csv").read_text().startswith("kind,population,tie_break,")
