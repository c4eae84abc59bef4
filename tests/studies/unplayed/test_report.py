"""Unplayed games: events with absences, the evaluation, his figures, and what is written."""

import csv
import io
import json
from dataclasses import asdict, replace
from functools import partial
from itertools import pairwise

import jax
import numpy as np
import pytest
from helpers import ROOT

from tb2learn.config import load_config
from tb2learn.events.unplayed.record import Kind, Record
from tb2learn.simulation.olympiad import play
from tb2learn.simulation.rng import Purpose, stream
from tb2learn.studies.ricca.criteria import adjusted
from tb2learn.studies.ricca.evaluation import ALL_CRITERIA, POPULATIONS, RANDOM, TRUE, Evaluation
from tb2learn.studies.unplayed import absences, claims, published, report
from tb2learn.studies.unplayed.evaluation import (
    POLICIES,
    SUMS,
    TIEBREAKS,
    Studied,
    event_of,
    study_kind,
    sums_of,
    tiebreak,
    tiebreak_scores,
)
from tb2learn.studies.unplayed.figures import beside_figure, heat_figure, methods_figure
from tb2learn.types import BYE, InputError


def config_of(teams, rounds, boards):
    config = load_config("small-20x7")
    event = replace(config.event, teams=teams, rounds=rounds, boards=boards)
    return replace(config, event=event)


NEVER = absences.Absences(no_show=0.0, half_bye=0.0, zero_bye=0.0, retire=0.0)
OFTEN = absences.Absences(no_show=0.15, half_bye=0.08, zero_bye=0.05, retire=0.2)
ODD = absences.Kind("odd", config_of(7, 5, 1), OFTEN)
WHOLE = absences.Kind("whole", ODD.config, replace(NEVER, bye_points=1))
"""Byes pay what the simulator's pay."""
EVENTS = 25


@pytest.fixture(scope="module")
def records():
    return [event_of(ODD, 4, number) for number in range(EVENTS)]


@pytest.fixture(scope="module")
def judged():
    return study_kind(ODD, 3, 4)


# --------------------------------------------------------------------------- absences


@pytest.mark.slow
def test_absences_come_as_often_as_they_should():
    keys = jax.random.split(jax.random.key(8), 250)
    drawn = [absences.draw_event(key, OFTEN.limits(), ODD.config) for key in keys]
    planned = np.stack([one["planned"] for one in drawn])  # [events, rounds, teams]
    left = planned == Kind.NOT_PAIRED
    leaves = left.any(axis=1)

    def near(found, expected, number):
        return abs(found - expected) < 4 * (expected * (1 - expected) / number) ** 0.5

    assert near(np.mean([one["no_show"] for one in drawn]), 0.15, 8750)
    assert near(leaves.mean(), 0.2, 1750)
    # After any round but the last, equally likely.
    first = np.bincount(left.argmax(axis=1)[leaves], minlength=5)
    assert first[0] == 0 and all(near(n / leaves.sum(), 0.25, leaves.sum()) for n in first[1:])
    # Of those who are still there: announced absences first, then half-point byes, not late.
    zero = (planned == Kind.ZERO_BYE)[~left]
    assert near(zero.mean(), 0.05, zero.size)
    half = (planned == Kind.HALF_BYE)[:, :3][~left[:, :3]]
    assert near(half.mean(), 0.08 * 0.95, half.size)
    assert not (planned[:, -absences.LATE :] == Kind.HALF_BYE).any()


def test_wrong_chances_are_refused():
    with pytest.raises(InputError, match=r"retire must be a chance in 0\.\.1, got 1\.5"):
        absences.Absences(retire=1.5)
    with pytest.raises(InputError, match=r"no_show .* got nan"):
        absences.Absences(no_show=float("nan"))
    with pytest.raises(InputError, match="bye_points must be 1 or 2, got 0"):
        absences.Absences(bye_points=0)
    with pytest.raises(InputError, match="events must be at least 1"):
        study_kind(ODD, 0, 1)
    assert absences.Absences().times(3) == absences.Absences(0.06, 0.06, 0.03, 3 * 0.05)


def test_who_retired_never_plays_again(records):
    retired = 0
    for drawn, record in records:
        gone = record.kind == Kind.NOT_PAIRED
        assert (gone[:, 1:] >= gone[:, :-1]).all() and not gone[:, 0].any()
        assert (gone == (drawn["planned"].T == Kind.NOT_PAIRED)).all()
        assert not record.scored[gone].any() and (record.opponent[gone] == BYE).all()
        retired += gone.any(axis=1).sum()
    assert retired > 10


def test_both_sides_of_every_pair_are_recorded(records):
    seen = set()
    for drawn, record in records:
        for now in range(record.rounds):
            opponent, kind = record.opponent[:, now], record.kind[:, now]
            paired = np.flatnonzero(opponent != BYE)
            other = opponent[paired]
            assert (opponent[other] == paired).all() and (other != paired).all()
            for a, b in zip(paired, other, strict=True):
                pair = kind[a], kind[b]
                away = tuple(drawn["no_show"][now][[a, b]])
                assert (
                    pair
                    == {
                        (False, False): (Kind.PLAYED, Kind.PLAYED),
                        (True, False): (Kind.LOST_BY_DEFAULT, Kind.WON_BY_DEFAULT),
                        (False, True): (Kind.WON_BY_DEFAULT, Kind.LOST_BY_DEFAULT),
                        (True, True): (Kind.LOST_BY_DEFAULT, Kind.LOST_BY_DEFAULT),
                    }[away]
                )
                seen.add(pair)
                points = record.scored[a, now] + record.scored[b, now]
                assert points == (0 if pair == (Kind.LOST_BY_DEFAULT,) * 2 else 2)
    assert len(seen) == 4


def test_byes_are_counted_once(records):
    repeated = 0
    for _, record in records:
        had = np.zeros(len(record.kind), bool)
        for now in range(record.rounds):
            kind = record.kind[:, now]
            present = np.isin(
                kind, (Kind.PLAYED, Kind.PAIRING_BYE, Kind.WON_BY_DEFAULT, Kind.LOST_BY_DEFAULT)
            )
            assert (
                (record.opponent[:, now] == BYE) == (~present | (kind == Kind.PAIRING_BYE))
            ).all()
            assert (kind == Kind.PAIRING_BYE).sum() == present.sum() % 2
            again = had & (kind == Kind.PAIRING_BYE)
            assert not again.any() or had[present].all()
            repeated += again.any()
            had |= np.isin(kind, (Kind.PAIRING_BYE, Kind.WON_BY_DEFAULT))
    assert repeated < EVENTS


def test_points_add_up(records):
    pays = {Kind.PAIRING_BYE: 2, Kind.WON_BY_DEFAULT: 2, Kind.HALF_BYE: 1}
    kinds = set()
    for _, record in records:
        for kind in range(len(Kind)):
            where = record.kind == kind
            if kind != Kind.PLAYED:
                assert (record.scored[where] == pays.get(kind, 0)).all()
        assert (record.gained == record.scored).all()  # one board
        kinds |= set(record.kind.ravel().tolist())
    assert kinds == set(range(len(Kind))) - {Kind.FULL_BYE}


def test_a_bye_may_pay_a_draw_of_all_boards():
    drawn = {
        "rosters": np.full((3, 4), 2000),
        "planned": np.zeros((1, 3), int),
        "numbers": np.zeros((1, 3), int),
        "at_most": np.ones((8, 3, 3), int),
        "no_show": np.zeros((1, 3), bool),
    }
    draw, win = (absences.play_event(drawn, replace(NEVER, bye_points=p)) for p in (1, 2))
    assert draw.kind[:, 0].tolist() == [Kind.PLAYED, Kind.PLAYED, Kind.PAIRING_BYE]
    assert (draw.gained[2, 0], draw.scored[2, 0]) == (1, 4)
    assert (win.gained[2, 0], win.scored[2, 0]) == (2, 8)
    # The higher seed's number is below all thresholds: no points for it.
    assert draw.scored[:2, 0].tolist() == [0, 8] and draw.gained[:2, 0].tolist() == [0, 2]


def test_who_did_not_play_each_other_may_be_paired_again():
    drawn = {
        "rosters": np.full((4, 1), 2000),
        "planned": np.zeros((3, 4), int),
        "numbers": np.zeros((3, 4), int),
        "at_most": np.array([1, 0]).reshape(2, 1, 1) * np.ones((1, 4, 4), int),  # all draw
        "no_show": np.array([[True] * 4, [False] * 4, [False] * 4]),
    }
    record = absences.play_event(drawn, NEVER)
    assert record.opponent.T.tolist() == [[2, 3, 0, 1], [2, 3, 0, 1], [3, 2, 1, 0]]
    assert record.gained.T.tolist() == [[0] * 4, [1] * 4, [1] * 4]


def test_only_those_present_are_paired():
    nothing, nobody = np.zeros(9, int), np.zeros(9, bool)
    met = np.zeros((9, 9), bool)
    present = np.array([1, 0, 1, 1, 0, 1, 1, 1, 1], bool)  # seven
    # The last has the bye; the first half meets the second: 0 2 3 against 5 6 7.
    found = absences.pair_present(nothing, nothing, met, nobody, present)
    assert found.tolist() == [5, BYE, 6, 7, BYE, 0, 2, 3, BYE]
    met[0, 5] = met[5, 0] = True
    had_bye = nobody.copy()
    had_bye[8] = True
    found = absences.pair_present(nothing, nothing, met, had_bye, present)
    assert found[7] == BYE and found[0] == 6 and found[1] == found[4] == BYE
    found = absences.pair_present(nothing, nothing, met, present, present)
    assert (found[present] == BYE).sum() == 1 and found[8] == BYE  # all had it: anybody again
    only = np.arange(9) == 3
    assert (absences.pair_present(nothing, nothing, met, nobody, only) == BYE).all()
    assert (absences.pair_present(nothing, nothing, met, nobody, nobody) == BYE).all()


# --------------------------------------------------------------------------- events


@pytest.mark.slow
def test_without_absences_it_is_the_simulators_event():
    simulated = jax.jit(partial(play, config=WHOLE.config))
    for number in range(3):
        key = jax.random.fold_in(stream(4, Purpose.ASSESS), number)
        event = simulated(jax.random.split(key)[0])
        _, record = event_of(WHOLE, 4, number)
        assert record.opponent.T.tolist() == event.opponents.tolist()
        assert record.scored.T.tolist() == event.half_points.tolist()
        assert record.match_points.tolist() == event.match_points.tolist()
        assert (record.kind == Kind.PAIRING_BYE).sum() == record.rounds


@pytest.mark.parametrize("boards", [1, 4])
def test_without_absences_all_policies_are_equal(boards):
    random = np.random.default_rng(boards)
    opponent, scored = np.zeros((2, 12, 5), int)
    for now in range(5):
        for a, b in random.permutation(12).reshape(-1, 2):
            opponent[[a, b], now] = b, a
            scored[a, now] = random.integers(2 * boards + 1)
            scored[b, now] = 2 * boards - scored[a, now]
    gained = np.sign(scored - boards) + 1
    kind = np.full((12, 5), Kind.PLAYED)
    record = Record(5, boards, True, kind, opponent, gained, scored, np.full(12, 2000.0))
    by_sum = {name: [] for name in SUMS}
    all_places = adjusted(record.match_points, tiebreak_scores(record))
    for name, places in zip(TIEBREAKS[:-1], all_places, strict=True):
        by_sum[name.split()[1]].append(places.tolist())
    assert [len(rows) for rows in by_sum.values()] == [16, 15, 15, 15, 15, 15]
    assert all(row == rows[0] for rows in by_sum.values() for row in rows)
    assert len({tuple(rows[0]) for rows in by_sum.values()}) > 1


def test_an_event_depends_on_its_seed_and_number_alone(judged):
    first, again = (event_of(ODD, 4, 2)[1] for _ in range(2))
    for field in ("kind", "opponent", "gained", "scored", "ratings"):
        assert getattr(first, field).tolist() == getattr(again, field).tolist()
    assert first.scored.tolist() != event_of(ODD, 4, 1)[1].scored.tolist()
    assert first.scored.tolist() != event_of(ODD, 5, 2)[1].scored.tolist()

    # Two events and one more are three: values are means over events.
    fewer = study_kind(ODD, 2, 4)
    sums = sums_of(*event_of(ODD, 4, 2), ODD.config)
    last = np.sqrt(sums["tiebreaks"] / (4 * sums["players"][:, None, None]))
    np.testing.assert_allclose(
        judged.evaluation.values, (2 * fewer.evaluation.values + last) / 3, rtol=1e-12
    )
    low, high = judged.ci("all", "drawself", "opponents", "ABSELO")
    assert low < judged.value("all", "drawself", "opponents", "ABSELO") < high
    assert judged.shares.sum() == pytest.approx(1)
    kinds = [event_of(ODD, 4, n)[1].kind for n in range(3)]
    assert judged.shares[Kind.PLAYED] == pytest.approx(np.mean(np.stack(kinds) == Kind.PLAYED))


def test_an_evaluation_by_hand():
    # 0 beats 1 and 2, 1 beats 3, 2 wins by default against 3: 1 and 2 have two points.
    record = Record(
        2,
        1,
        True,
        np.array([[Kind.PLAYED] * 2, [Kind.PLAYED] * 2, [Kind.WON_BY_DEFAULT, Kind.PLAYED],
                  [Kind.LOST_BY_DEFAULT, Kind.PLAYED]]),
        np.array([[1, 2], [0, 3], [3, 0], [2, 1]]),
        np.array([[2, 2], [0, 2], [2, 0], [0, 0]]),
        np.array([[2, 2], [0, 2], [2, 0], [0, 0]]),
        np.full(4, 2000.0),
    )  # fmt: skip
    drawn = {
        "rosters": np.full((4, 1), 2000),
        "strength": np.array([4, 1, 3, 2]),  # 2 is stronger than 1
        "lots": np.array([[0, 1, 2, 3], [0, 3, 1, 2]]),
    }
    sums = sums_of(drawn, record, config_of(4, 2, 1))
    assert sums["players"].tolist() == [4, 3]
    assert sums["shares"].tolist() == [6, 0, 1, 1, 0, 0, 0, 0]
    true = ALL_CRITERIA.index(TRUE)
    expected = {
        # Both have Buchholz 4 and the absent one's: a draw against oneself is 1 as 3 counts 1.
        "drawself opponents": 0.5,
        "face-value opponents": 0.5,
        # 1 has a win against 3 (seen 1), 2 a draw against itself (1).
        "drawself emgsb": 2.0,
        "face-value emgsb": 0.5,
        # 1 met 4 and 0, 2 met 4 alone.
        "average-buchholz opponents": 0.0,
        "aaso opponents": 0.0,
        # The lots that break ties have 1 before 2.
        RANDOM: 2.0,
    }
    for name, squares in expected.items():
        for population in range(2):
            at = population, TIEBREAKS.index(name), true
            assert sums["tiebreaks"][at] / 4 == squares, name
    # A win by default is no result: inferred points are 3 for 1, who beat 3, and 2 for 2.
    inferred = 0, TIEBREAKS.index("drawself opponents"), ALL_CRITERIA.index("MISPTS")
    assert sums["tiebreaks"][inferred] / 4 == 0.5
    lots = ALL_CRITERIA.index(RANDOM)  # as a criterion they have 2 before 1
    assert sums["tiebreaks"][0, TIEBREAKS.index(RANDOM), lots] / 4 == 2.0


# --------------------------------------------------------------------------- the comparison


def imitation(kind="100-9", change=lambda v: v, spread=1e-6):
    """A study whose values are his, changed, with intervals of a given width; others made up."""
    his = published.ricca_unplayed()
    table = np.full((2, len(TIEBREAKS), len(ALL_CRITERIA)), 4.0)
    for p, population in enumerate(POPULATIONS):
        for t, name in enumerate(TIEBREAKS):
            for c, criterion in enumerate(ALL_CRITERIA):
                source = "ABSELO" if criterion == TRUE else criterion
                at = (kind, population, name, source)
                table[p, t, c] = change(his.get(at, 4.0 + t / 100))
    noise = spread * np.random.default_rng(0).normal(size=(41, *table.shape))
    square = np.ones((len(ALL_CRITERIA),) * 2)
    evaluation = Evaluation(
        kind="imitation",
        config=ODD.config,
        tiebreaks=TIEBREAKS,
        players=np.array([100.0, 31.0]),
        values=table,
        resampled=table + noise,
        between=square,
        between_ci=np.stack([square, square]),
    )
    return Studied(
        absences.Kind("imitation", ODD.config, OFTEN, kind), evaluation, np.full(len(Kind), 0.125)
    )


def test_his_figures():
    his = published.ricca_unplayed()
    methods, sums = published.RICCA_METHODS.values(), published.RICCA_SUMS.values()
    names = [tiebreak(m, s) for m in methods for s in sums]
    for kind in ("100-9", "200-10"):
        for population in POPULATIONS:
            for criterion in published.RICCA_CRITERIA:
                assert all(1 < his[kind, population, name, criterion] < 6 for name in names)
    assert his["100-9", "all", "face-value opponents", "ABSELO"] == 3.0
    assert his["200-10", "top33", "ignore emgsb", "MISPTS"] == 4.9913
    # By lots he prints all methods once, and then StdVOpp alone.
    assert sum(key[-1] == RANDOM for key in his) == 40 + 3 * 4
    assert len(his) == 2 * 2 * 10 * 4 * 2 + 52
    assert set(methods) < set(POLICIES) and set(sums) < set(SUMS)


def test_his_own_figures_agree_with_themselves():
    found = claims.agreements(imitation())
    assert len(found) == 16 and {a.sum for a in found} == set(published.RICCA_SUMS.values())
    for agreement in found:
        assert agreement.tau == pytest.approx(1) and agreement.rho == pytest.approx(1)
        assert agreement.level == pytest.approx(1) and agreement.inside == 10
        assert agreement.opposite == agreement.open == 0 and agreement.same == 45
        assert 0.9 < agreement.his_tau <= 1
    assert claims.agreements(replace(imitation(), kind=ODD)) == ()


def test_other_orders_do_not_agree():
    for agreement in claims.agreements(imitation(change=lambda v: 9.0 - v)):
        assert agreement.tau == pytest.approx(-1) and agreement.rho == pytest.approx(-1)
        assert agreement.same == agreement.open == 0
        assert agreement.opposite == len(agreement.reversed) == 45
    for agreement in claims.agreements(imitation(change=lambda v: 1.1 * v, spread=90.0)):
        assert agreement.level == pytest.approx(1.1) and agreement.open == 45


def test_his_claims_hold_for_his_figures():
    same, other, wide = imitation(), imitation(change=lambda v: 9.0 - v), imitation(spread=90.0)
    found = [claims.held(claim, (same, other, wide)) for claim in claims.CLAIMS]
    assert [f.his for f in found] == [(24, 24), (8, 8), (24, 24), (1, 8), (2, 2)]
    for claim, f in zip(claims.CLAIMS, found, strict=True):
        columns = len(claim.populations) * len(claim.sums)
        assert [sum(counts) for counts in f.ours] == [columns * len(claim.criteria)] * 3
        assert [sum(counts) for counts in f.true] == [columns] * 3
        assert f.ours[1][0] == 0 and f.ours[2][1] == sum(f.ours[2])
    assert found[0].ours[0] == (12, 0, 0) and found[0].true[0] == (6, 0, 0)
    assert (
        found[0].ours[1] == (0, 0, 12) and found[3].ours[0][2] > 0 and found[1].ours[0] == (4, 0, 0)
    )
    fares = report._fares(asdict(found[0]))
    assert fares.startswith("does not hold everywhere") and "in 18 of 54 columns" in fares
    assert (
        report._fares(asdict(claims.held(claims.CLAIMS[0], [same]))) == "holds in all 18 columns."
    )
    fares = report._fares(asdict(claims.held(claims.CLAIMS[0], [wide])))
    assert fares == "is refuted nowhere, and shown in 0 of 18 columns."


def test_the_best_and_what_is_not_told_from_it():
    narrow, wide = imitation(), imitation(spread=90.0)
    his = published.ricca_unplayed()
    for studied, all_level in ((narrow, False), (wide, True)):
        found = claims.ends_of(studied, "opponents", "ABSELO")
        figures = {
            m: his["100-9", "all", f"{m} opponents", "ABSELO"]
            for m in published.RICCA_METHODS.values()
        }
        assert found["best"] == min(figures, key=figures.__getitem__) == "drawself"
        assert found["worst"] not in figures  # those that he does not have are made up, and worse
        assert len(found["level"]) == (len(POLICIES) - 1 if all_level else 0)


@pytest.fixture(scope="module")
def content():
    """The JSON of an imitation, and of a kind that he does not have, as it is read back."""
    studies = [imitation(change=lambda v: 1.1 * v, spread=0.01), replace(imitation(), kind=ODD)]
    return json.loads(json.dumps(report.as_json(studies, 7, 1)))


def test_what_is_written(content):
    first, second = content["kinds"]
    assert np.shape(first["lots"]) == (2, 7) and len(content["claims"]) == len(claims.CLAIMS)
    at = content["policies"].index("fair-zero"), content["sums"].index("emgsb")
    value, theirs = (first[part][0][at[0]][at[1]][1] for part in ("value", "ricca"))
    assert (value, theirs) == (round(1.1 * 2.908, 5), 2.908)
    assert second["ricca"][0][at[0]][at[1]][1] is None and second["agreement"] == []
    undefined = content["policies"].index("average-buchholz")
    assert first["value"][0][undefined][0][0] > 0 and first["value"][0][undefined][1] == [None] * 7

    text = report.as_text(content)
    assert "| drawself | 1.904 |" in text  # 1.1 times his best, 1.7308
    assert "\n| opponents | drawself | " in text  # most often the best
    assert "Kendall's tau of his columns of ten methods and ours is 1.00 to 1.00" in text
    assert "| odd | 7 | 5 | 1 | 15% | 8% | 5% | 20% | a win |" in text
    (row,) = (line for line in text.splitlines() if line.startswith("| imitation | all players"))
    cells = [cell.strip() for cell in row.split("|")[3:-1]]
    assert sum(map(int, cells[:3])) == 8 * 45 and cells[3:] == ["1.00", "1.00", "1.10", "1.10"]
    # Everything that is shown is a whole table: as many cells in every row as in the head.
    for before, line in pairwise(text.splitlines()):
        if before.startswith("|") and line.startswith("|"):
            assert before.count("|") == line.count("|")


def test_the_csv_has_every_value(content):
    rows = list(csv.DictReader(io.StringIO(report.values_csv(content))))
    assert len(rows) == 2 * 2 * (15 * 6 + 1) * 7  # one policy has but one sum
    (row,) = (
        r for r in rows
        if (r["kind"], r["population"], r["policy"], r["sum"], r["criterion"])
        == ("imitation", "all", "fair-zero", "emgsb", "ABSELO")
    )  # fmt: skip
    assert (float(row["value"]), float(row["ricca"])) == (round(1.1 * 2.908, 5), 2.908)
    assert float(row["low"]) < float(row["value"]) < float(row["high"])


def test_figures_show_every_kind_and_his_values(content):
    methods = methods_figure(content, "all")
    marks = [len(panel.lines) for panel in methods.axes]
    # Three criteria of every policy, and two of his ten methods; one policy has but one sum.
    assert marks == [16 * 3 + 20, *[15 * 3 + 20] * 3, 16 * 3, *[15 * 3] * 3]
    heat = heat_figure(content)
    assert [len(panel.texts) for panel in heat.axes] == [16 * 6] * 4
    beside = beside_figure(content)
    assert [len(panel.lines) for panel in beside.axes] == [41] * 4


def test_the_committed_report_is_that_of_its_json(tmp_path, monkeypatch):
    monkeypatch.setattr("tb2learn.studies.report_folder.figure_png", lambda figure: b"")
    committed = ROOT / "reports" / "unplayed"
    (tmp_path / "unplayed.json").write_bytes((committed / "unplayed.json").read_bytes())
    assert report.render(tmp_path) == tmp_path / "README.md"
    for name in ("README.md", "values.csv"):
        assert (tmp_path / name).read_text() == (committed / name).read_text()


def test_what_the_study_plays():
    kinds = absences.kinds()
    names = [kind.name for kind in kinds]
    assert names == ["individual-100x9", "individual-100x9-often", "team-60x9"]
    assert [kind.ricca for kind in kinds] == ["100-9", "100-9", ""]
    assert [kind.absences.bye_points for kind in kinds] == [2, 2, 1]
    event = kinds[2].config.event
    assert (event.teams, event.rounds, event.boards) == (60, 9, 4)


@pytest.mark.slow
def test_the_whole_study(tmp_path):
    path = report.study_unplayed(tmp_path / "study", 2, 1)
    assert path == tmp_path / "study" / "README.md"
    for name in ("methods-all", "methods-top33", "heat", "beside"):
        assert (path.parent / f"{name}.png").stat().st_size > 30_000
        assert f"({name}.png)" in path.read_text()
    content = json.loads((path.parent / "unplayed.json").read_text())
    assert [kind["kind"] for kind in content["kinds"]] == [kind.name for kind in absences.kinds()]
    assert "individual-100x9-often" in (path.parent / "values.csv").read_text()
