"""Unplayed games: events with absences, the evaluation, his figures, and what is written."""

from dataclasses import replace
from functools import partial

import jax
import numpy as np
import pytest
from ricca_samples import imitated
from study_samples import committed
from tb2learn.simulation.olympiad import play

from tb2learn.config import load_config
from tb2learn.events.unplayed.record import Kind, Record
from tb2learn.report.frames import where
from tb2learn.simulation.rng import Purpose, stream
from tb2learn.studies.claims import FAILS, HOLDS, UNDECIDED
from tb2learn.studies.tiebreaks.accuracy import adjusted
from tb2learn.studies.tiebreaks.evaluation import (
    ALL_CRITERIA,
    RANDOM,
    TRUE,
)
from tb2learn.studies.tiebreaks.order_claims import COUNTS, verdicts_on
from tb2learn.studies.unplayed import absences, measure
from tb2learn.studies.unplayed.absences import (
    POLICIES,
    SUMS,
    TIEBREAKS,
    EventKind,
    event_of,
    study_kind,
    sums_of,
    tiebreak_scores,
)
from tb2learn.types import BYE, InputError

pytestmark = pytest.mark.thorough


def config_of(teams, rounds, boards):
    config = load_config("small-20x7")
    event = replace(config.event, teams=teams, rounds=rounds, boards=boards)
    return replace(config, event=event)


NEVER = absences.Absences(no_show=0.0, half_bye=0.0, zero_bye=0.0, retire=0.0)
OFTEN = absences.Absences(no_show=0.15, half_bye=0.08, zero_bye=0.05, retire=0.2)
ODD = EventKind("odd", config_of(7, 5, 1), OFTEN)
WHOLE = EventKind("whole", ODD.config, replace(NEVER, bye_points=1))
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


def test_both_sides_of_every_pair_are_recorded(records):
    """Both, one or nobody comes; who was not paired was absent, or has the only bye."""
    seen, repeated = set(), 0
    for drawn, record in records:
        had = np.zeros(len(record.kind), bool)
        for now in range(record.rounds):
            opponent, kind, scored = (
                part[:, now] for part in (record.opponent, record.kind, record.scored)
            )
            paired = np.flatnonzero(opponent != BYE)
            other, away = opponent[paired], drawn["no_show"][now]
            assert (opponent[other] == paired).all() and (other != paired).all()
            win, loss = Kind.WON_BY_DEFAULT, Kind.LOST_BY_DEFAULT
            due = np.select([away[paired], away[other]], [loss, win], Kind.PLAYED)
            assert (kind[paired] == due).all()
            both = away[paired] & away[other]
            assert (scored[paired] + scored[other] == np.where(both, 0, 2)).all()
            seen |= set(zip(away[paired], away[other], strict=True))
            bye = kind == Kind.PAIRING_BYE
            present = np.isin(kind, (Kind.PLAYED, Kind.PAIRING_BYE, win, loss))
            assert ((opponent == BYE) == (~present | bye)).all() and bye.sum() == present.sum() % 2
            again = had & bye
            assert not again.any() or had[present].all()
            repeated += again.any()
            had |= bye | (kind == win)
    assert len(seen) == 4 and repeated < EVENTS


def test_points_add_up_and_who_retired_gets_none(records):
    pays = {Kind.PLAYED: -1, Kind.PAIRING_BYE: 2, Kind.WON_BY_DEFAULT: 2, Kind.HALF_BYE: 1}
    kinds, retired = set(), 0
    for drawn, record in records:
        due = np.array([pays.get(kind, 0) for kind in range(len(Kind))])[record.kind]
        assert ((record.scored == due) | (due < 0)).all()
        assert (record.gained == record.scored).all()  # one board
        kinds |= set(record.kind.ravel().tolist())
        gone = record.kind == Kind.NOT_PAIRED
        assert (gone[:, 1:] >= gone[:, :-1]).all() and not gone[:, 0].any()
        assert (gone == (drawn["planned"].T == Kind.NOT_PAIRED)).all()
        assert (record.opponent[gone] == BYE).all()
        retired += gone.any(axis=1).sum()
    assert kinds == set(range(len(Kind))) - {Kind.FULL_BYE} and retired > 10


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
    evaluation, shares = judged
    fewer, _ = study_kind(ODD, 2, 4)
    sums = sums_of(*event_of(ODD, 4, 2), ODD.config)
    last = np.sqrt(sums["tiebreaks"] / (4 * sums["players"][:, None, None]))
    np.testing.assert_allclose(evaluation.values[0], (2 * fewer.values[0] + last) / 3, rtol=1e-12)
    found = where(evaluation.frame(), population="all", tie_break="drawself opponents")
    found = where(found, criterion="ABSELO").squeeze()
    assert found.low < found.value < found.high
    assert shares.sum() == pytest.approx(1)
    kinds = [event_of(ODD, 4, n)[1].kind for n in range(3)]
    assert shares[Kind.PLAYED] == pytest.approx(np.mean(np.stack(kinds) == Kind.PLAYED))


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


def imitation(name="imitation", ricca="100-9", change=lambda v: v, spread=1e-6):
    """A kind whose values are his, changed; by the true order they are those by ABSELO."""
    keys = ["kind", "population", "tie_break", "criterion"]
    his = measure.ricca_unplayed().set_index(keys).ricca.to_dict()

    def value(population, number, tie_break, criterion):
        source = "ABSELO" if criterion == TRUE else criterion
        return his.get((ricca or "100-9", population, tie_break, source), 4.0 + number / 100)

    evaluation = imitated(name, ODD.config, TIEBREAKS, value, lambda *_: 1.0, change, spread)
    return EventKind(name, ODD.config, OFTEN, ricca), (evaluation, np.full(len(Kind), 0.125))


def frames_of(*found):
    kinds, studied = zip(*found, strict=True)
    return measure.frames_of(kinds, studied)


def test_his_figures():
    his = measure.ricca_unplayed()
    methods, sums = measure.RICCA_METHODS.values(), measure.RICCA_SUMS.values()
    assert set(methods) < set(POLICIES) and set(sums) < set(SUMS)
    # By lots he prints all methods once, and then StdVOpp alone.
    assert (his.criterion == RANDOM).sum() == 40 + 3 * 4
    assert (
        len(his) == 2 * 2 * 10 * 4 * 2 + 52
        and his.ricca[his.criterion != RANDOM].between(1, 6).all()
    )
    his = his.set_index(["kind", "population", "tie_break", "criterion"]).ricca
    assert his["100-9", "all", "face-value opponents", "ABSELO"] == 3.0
    assert his["200-10", "top33", "ignore emgsb", "MISPTS"] == 4.9913


def test_his_claims_hold_for_his_figures():
    same, other, wide = (
        imitation("same"),
        imitation("other", change=lambda v: 9.0 - v),
        imitation("wide", spread=90.0),
    )
    frames = frames_of(same, other, wide)
    order, turned = (where(frames["agreement"], kind=kind) for kind in ("same", "other"))
    assert len(order) == 16 and set(order["sum"]) == set(measure.RICCA_SUMS.values())
    for name, value in {"tau": 1, "level": 1, "inside": 10, "same": 45}.items():
        assert order[name].to_numpy() == pytest.approx(value)
    assert order.his_tau.between(0.9, 1).all() and order.his_tau.min() < 1
    assert turned.tau.to_numpy() == pytest.approx(-1) and (turned.reversed.map(len) == 45).all()
    assert frames["said"][["said", "columns"]].to_numpy().tolist() == [
        [24, 24], [8, 8], [24, 24], [1, 8], [2, 2],
    ]  # fmt: skip
    first = measure.ORDERS[0]
    own = where(frames["counted"], text=first.text).set_index("kind")[list(COUNTS)]
    assert own.loc["same"].tolist() == [12, 0, 0, 6, 0, 0]
    assert own.loc["other"].tolist()[:3] == [0, 0, 12]
    assert own.loc["wide"].tolist() == [0, 12, 0, 0, 6, 0]
    for kinds, figure, verdict in (
        ((same, other, wide), "18 of 54 columns show it, 18 the opposite", FAILS),
        ((same,), "18 of 18 columns show it, 0 the opposite", HOLDS),
        ((wide,), "0 of 18 columns show it, 0 the opposite", UNDECIDED),
    ):
        found = verdicts_on([first], "him", frames_of(*kinds)["counted"]).loc[0]
        assert (found["figure"], found["verdict"]) == (figure, verdict)


def test_the_best_and_what_is_not_told_from_it():
    his = where(measure.ricca_unplayed(), kind="100-9", population="all", criterion="ABSELO")
    his = where(his, sum="opponents").set_index("method").ricca
    for spread, level in ((1e-6, 0), (90.0, len(POLICIES) - 1)):
        found = frames_of(imitation(spread=spread))["extremes"]
        (one,) = where(found, sum="opponents", criterion="ABSELO").itertuples()
        assert one.best == his.idxmin() == "drawself" and len(one.level) == level
        assert one.worst not in his  # those that he does not have are made up, and worse


def test_his_figures_stand_beside_ours():
    """Beside a kind that he does not have."""
    kinds = (imitation(change=lambda v: 1.1 * v, spread=0.01), imitation("odd", ricca=""))
    made = frames_of(*kinds)
    rows = made["values"].dropna(subset="value")
    assert len(rows) == 2 * 2 * (15 * 6 + 1) * 7  # one policy has but one sum
    his = rows.dropna(subset="ricca")
    assert set(his.kind) == {"imitation"} and ((his.low < his.value) & (his.value < his.high)).all()
    assert his.value.to_numpy() == pytest.approx(1.1 * his.ricca.to_numpy(), abs=1e-5)
    assert set(made["agreement"]["kind"]) == {"imitation"} and len(made["lots"]) == 2 * 2 * 7


def test_figures_show_every_kind_and_his_values():
    frames = committed("unplayed")
    # Three criteria of every policy, and two of his ten methods; one policy has but one sum.
    marks = [
        sum(np.isfinite(line.get_xdata().astype(float)).sum() for line in panel.lines)
        for panel in measure.methods_figure(frames, "all").axes
    ]
    assert marks == [16 * 3 + 20, *[15 * 3 + 20] * 3] * 2 + [16 * 3, *[15 * 3] * 3]
    assert [len(panel.texts) for panel in measure.heat_figure(frames).axes] == [16 * 6] * 6
    beside = measure.beside_figure(frames)
    assert [sum(len(line.get_xdata()) for line in panel.lines) for panel in beside.axes] == [42] * 8
