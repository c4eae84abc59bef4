"""Which method for unplayed rounds does least harm? R. Ricca's study in our events.

Proposals are from papers for FIDE's Technical Commission of October 2017. Here a round is a match,
opponents count with match points (a drawn match is 1), and own results are
game points. `draw` is the number of points for a drawn round, in any unit. Where the papers define
nothing, they do as `events.unplayed.policies`; a team has retired after a round if it was absent in
all later rounds; and a mean over the opponents of a team without a game is 0.

Every policy completes the records of simulated events, and every sum over opponents is evaluated by
global criteria, see `tiebreaks`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from jaxtyping import Float, Int, Num

from studies.absences import Absences
from studies.frames import load_table, where
from studies.script import events_option, report, script, written
from studies.tiebreaks import (
    DIGITS,
    POPULATIONS,
    RANDOM,
    TRUE,
    Evaluation,
    Measured,
    adjusted,
    claim,
    evaluate,
    expected_hundredths,
    ricca_summary,
    ricca_tables,
)
from studies.worlds import load_config
from tb2learn.chess.items import Cut, Items, left_out, lowest
from tb2learn.chess.rating_tables import PERCENT
from tb2learn.chess.results import cut_items
from tb2learn.config import Config
from tb2learn.events.unplayed.policies import POLICIES as REGULATIONS
from tb2learn.events.unplayed.policy import (
    WIN,
    Filled,
    OneFormula,
    Points,
    Policy,
    Rounds,
    before_round,
    real_opponents,
)
from tb2learn.events.unplayed.record import Record, RoundKind
from tb2learn.types import BYE

# --------------------------------------------------------------------------- proposals

Totals: TypeAlias = Num[np.ndarray, " teams"]


@dataclass(frozen=True)
class Sum:
    """What is summed: opponents' match points (Buchholz), or these times the own game points."""

    low: int  # how many items a cut leaves out
    high: int
    product: bool  # with own game points

    def worth(self, items: Items) -> Num[np.ndarray, "rounds teams"]:
        """What every item is worth."""
        return items.opponent_points * (items.scored / 2 if self.product else 1)

    def cut(self, items: Items) -> Cut:
        """Items in the order in which they are left out."""
        values = np.where(items.empty, 0, self.worth(items))
        return Cut(np.round(items.opponent_points, 9), values, self.low, self.high)

    def total(self, items: Items, out: Rounds) -> Totals:
        """The sum of the items that are not left out."""
        return np.where(items.counted & ~items.empty & ~out, self.worth(items), 0).sum(axis=0)


SUMS = {
    name + end: Sum(*cut, product)
    for name, product in (("opponents", False), ("emgsb", True))
    for end, cut in (("", (0, 0)), ("-cut1", (1, 0)), ("-median1", (1, 1)))
}


def quotient(points: Num[np.ndarray, "*#batch"] | int, games: Num[np.ndarray, "*#batch"]) -> Totals:
    """Points per game; 0 without a game."""
    points, games = np.broadcast_arrays(np.asarray(points, float), games)
    return np.divide(points, games, out=np.zeros(points.shape), where=games != 0)


def over_the_board(record: Record, points: Points) -> Int[np.ndarray, " teams"]:
    """Points of the matches that were played over the board."""
    return np.where(record.played, points, 0).sum(axis=0)


@dataclass(frozen=True)
class Proposal(OneFormula):
    """A proposal with a formula for every round."""

    formula: Callable[[Record, Points, int], Filled]
    defaults_count: bool = False

    def fill(self, record: Record, points: Points, scoring: tuple[int, int, int]) -> Filled:
        """Opponents' points and results."""
        return self.formula(record, points, scoring[1])


def _missed_drawn(record: Record, points: Points, draw: int) -> Int[np.ndarray, " teams"]:
    return over_the_board(record, points) + draw * (~record.played).sum(axis=0)


def draw_self(record: Record, points: Points, draw: int) -> Filled:
    """A missed round is a draw against oneself.

    A team counts with its points over the board plus a draw for each missed round.

    **Source:** Ricca, variant DrawSelf.
    """
    seen, met = _missed_drawn(record, points, draw), record.played
    opponents = np.where(met, record.of_opponents(seen, met), seen)
    return opponents, np.where(met, points, draw)


def virtual_opponent(record: Record, points: Points, draw: int, limited: bool = False) -> Filled:
    """A missed round is played against a virtual opponent, with the result that the team was given.

    It starts with the team's own score before the round, gains what the team missed of a win, and
    draws all later rounds. If `limited`, it starts with at most the score that
    the scheduled opponent had or, without one, that of a team that drew all earlier rounds. For its
    opponents a team counts as under `drawself`.

    **Source:** Ricca, variants StdVOpp and AdjVOpp.
    """
    seen, met = _missed_drawn(record, points, draw), record.played
    start, number = before_round(points), np.arange(record.rounds)[:, None]
    if limited:
        scheduled = start[number, np.where(record.named, record.opponent, 0)]
        start = np.minimum(start, np.where(record.named, scheduled, draw * number))
    virtual = start + (WIN * draw - points) + draw * (record.rounds - 1 - number)
    return np.where(met, record.of_opponents(seen, met), virtual), points


def fair(
    record: Record, points: Points, draw: int, each_round: Callable[..., Totals | int]
) -> Filled:
    """The kind of absence decides what a missed round counts for.

    - A match won or lost by default counts as played against the scheduled opponent.
    - A requested bye that pays a win or a draw: an opponent without points.
    - An absence that pays nothing: a loss against an opponent with the team's own final score.
    - A pairing-allocated bye: an opponent with the team's own final score, with the result that the
      bye pays.

    For its opponents a team counts with its final score. A team that retired counts with its score
    at that time plus `each_round`, which defines points for each round that remained.

    **Source:** Ricca, variants Fair.
    """
    number = np.arange(record.rounds)[:, None]
    leaving = np.where(record.absent, 0, number + 1).max(axis=0)
    on_leaving = np.where(number < leaving, points, 0).sum(axis=0)
    a_round = each_round(record, points, draw, leaving, on_leaving)
    seen = on_leaving + a_round * (record.rounds - leaving)  # final unless it retired
    real = record.opponent != BYE
    own = ~real & ~np.isin(record.kind, (RoundKind.FULL_BYE, RoundKind.HALF_BYE))
    opponents = np.where(own, points.sum(axis=0), record.of_opponents(seen, real))
    return opponents, np.where(record.absent, 0, points)


def _board_average(record: Record, points: Points, *_: object) -> Totals:
    return quotient(over_the_board(record, points), record.played.sum(axis=0))


def _as_those_tied(
    record: Record, points: Points, draw: int, leaving: Totals, on_leaving: Totals
) -> Totals:
    """The mean points per round of the teams that had the same score then and stayed.

    A draw if there is no such team.
    """
    rounds, final = record.rounds, points.sum(axis=0)
    after = np.pad(points.cumsum(axis=0), ((1, 0), (0, 0)))
    a_round = np.full(len(final), float(draw))
    for team in np.flatnonzero(leaving < rounds):
        score, left = on_leaving[team], leaving[team]
        level = (after[left] == score) & (leaving > left)
        if level.any():
            a_round[team] = (final[level].mean() - score) / (rounds - left)
    return a_round


FAIR: dict[str, Callable[..., Totals | int]] = {
    "draw": lambda record, points, draw, *_: draw,
    "zero": lambda *_: 0,
    "average": lambda record, points, draw, leaving, on_leaving: quotient(on_leaving, leaving),
    "board-average": _board_average,
    "tied": _as_those_tied,
}


def ignore(record: Record, sum_: Sum) -> Totals:
    """Missed rounds are left out; the points of all opponents are divided by all their games.

    The tie-break is rounds^2 * (sum over the opponents met of their points over the board, times
    the own result in a Sonneborn-Berger) / (sum of their games). A cut leaves out the opponent
    without whom the quotient without own results is highest, of equal ones that with own results; a
    cut of the highest items the opposite one. Larger cuts go one by one.

    **Source:** Ricca, variant IgnoreUG.
    """
    seen = over_the_board(record, record.gained)
    items = real_opponents(record, seen, seen)
    games = record.of_opponents(record.played.sum(axis=0), record.played).astype(int)

    def without(each: Num[np.ndarray, "rounds teams"]) -> Num[np.ndarray, "rounds teams"]:
        """The sum over all rounds of a team without each of them in turn."""
        return each.sum(axis=0) - each

    def choose(sign: int, left: Rounds) -> Int[np.ndarray, " teams"]:
        others = without(np.where(left, games, 0))
        keys = (quotient(without(np.where(left, key, 0.0)), others) for key in sum_.cut(items).keys)
        return lowest([sign * key for key in keys], left)

    ends = partial(choose, -1), partial(choose, 1)
    out = left_out(items.counted, sum_.low, sum_.high, *ends)
    factor = quotient(record.rounds**2, np.where(items.counted & ~out, games, 0).sum(axis=0))
    return sum_.total(items, out) * factor


def aaso(record: Record, sum_: Sum) -> Totals:
    """The average of the opponents' average scores, put on the scale of all rounds.

    A team counts with rounds * (its points over the board) / (its games). The tie-break is rounds *
    (sum over the opponents met, times the own result in a Sonneborn-Berger) / (opponents met). A
    cut lowers both rounds and opponents by the items left out.

    **Source:** Vereshchagin, after Stewart, corrected by Ricca.
    """
    seen = quotient(over_the_board(record, record.gained), record.played.sum(axis=0))
    items = real_opponents(record, seen * record.rounds, seen)
    out = cut_items(items, sum_.cut(items))
    rounds = record.rounds - out.sum(axis=0)
    return sum_.total(items, out) * quotient(rounds, (record.played & ~out).sum(axis=0))


def average_buchholz(record: Record, sum_: Sum) -> Totals:
    """The mean final score of the opponents met, whatever rounds they missed themselves.

    The author defines neither a Sonneborn-Berger nor a cut. For teams that missed more than three
    rounds (two of seven) he asks for another tie-break without naming it; here the mean is used.

    **Source:** Ucarcus, 2014.
    """
    items = real_opponents(record, record.match_points, record.half_points)
    return sum_.total(items, ~record.played) * quotient(1, record.played.sum(axis=0))


GAP, CORRECTION, EARLY = 150.0, 0.5, 1
"""Constants of `sivakasi`: rating points (150 or 200, says the author), wins (1/2 or 1), and rounds
in which a win by default against a much lower team is corrected (1 or 2)."""


def sivakasi(record: Record, sum_: Sum) -> Totals:
    """A missed round counts as the mean of the opponents met, corrected for the missed opponent.

    Opponents count with their final scores. In a sum of these scores alone (Buchholz) the mean is

    - lowered by `CORRECTION` for a bye that pays, and for a match won by default in an early round
      against a team rated `GAP` lower, or unrated;
    - raised by `CORRECTION` for a match won by default against a team rated `GAP` higher;
    - replaced by the score of the team that did not appear, if that team missed only this round and
      has more than the mean.

    In a sum of scores times results the mean is not corrected. The result is FIDE's expected score
    for the rating difference (rounded, at most 400) after a win by default, and 1/2 after a bye
    that pays. A cut takes the lowest opponents met, both from the sum and from the mean.

    The author leaves the following open. Here a round that a team missed by its own choice counts
    as the uncorrected mean, lost. An unrated team counts as rated `GAP` lower than any rated one,
    but the expected score against it is 1/2. A win by default against a team that the record does
    not name is not corrected. The rating of a team is the mean of its best players, as many as
    there are boards. A team that met no opponent has no mean, and 0.

    **Source:** Anantharam, for Sivakasi.
    """
    items = real_opponents(record, record.match_points, record.half_points)
    out = cut_items(items, sum_.cut(items))
    met, kept = record.played, record.played & ~out
    number = kept.sum(axis=0)
    mean = quotient(np.where(kept, items.opponent_points, 0.0).sum(axis=0), number)

    bye = np.isin(record.kind, (RoundKind.PAIRING_BYE, RoundKind.FULL_BYE, RoundKind.HALF_BYE))
    won = record.named & (record.kind == RoundKind.WON_BY_DEFAULT)
    other = np.where(won, record.opponent, 0)
    own, theirs = np.broadcast_arrays(record.ratings, record.ratings[other])
    difference = np.where(won, own - theirs, np.nan)
    missed = mean
    if not sum_.product:
        missed_once = won & ((~met).sum(axis=0) == 1)[other]
        forfeiter = np.where(missed_once, record.match_points[other], -np.inf)
        unrated = np.where(won, np.isnan(theirs) * 1 - np.isnan(own), 0)
        lower = (difference >= GAP) | (unrated > 0)
        higher = (difference <= -GAP) | (unrated < 0)
        early = np.arange(record.rounds)[:, None] < EARLY
        correction = WIN * CORRECTION * (higher * 1 - (bye | (lower & early)))
        missed = np.where(forfeiter > mean, forfeiter, mean + correction)
    size = np.floor(np.minimum(np.abs(np.nan_to_num(difference)), 400) + 0.5)
    expected = expected_hundredths(np.copysign(size, difference)) / PERCENT
    paid = bye | (record.kind == RoundKind.WON_BY_DEFAULT)
    items = replace(
        items,
        opponent_points=np.where(met, items.opponent_points, missed),
        scored=np.where(met, items.scored, record.boards * WIN * np.where(paid, expected, 0.0)),
        counted=np.broadcast_to(number > 0, met.shape),
    )
    return sum_.total(items, out)


PROPOSALS: dict[str, Policy | Callable[[Record, Sum], Totals]] = {
    "drawself": Proposal(draw_self),
    "virtual-opponent": Proposal(virtual_opponent),
    "adjusted-virtual-opponent": Proposal(partial(virtual_opponent, limited=True)),
    "ignore": ignore,
    **{f"fair-{name}": Proposal(partial(fair, each_round=points), defaults_count=True)
       for name, points in FAIR.items()},
    "aaso": aaso,
    "average-buchholz": average_buchholz,
    "sivakasi": sivakasi,
}  # fmt: skip
"""Policies that complete the record, and functions for those that are no plain sum of items."""

STUDIED = ("baku2016", "fide2026", "c07", "face-value")
POLICIES = {name: REGULATIONS[name] for name in STUDIED} | PROPOSALS


def is_defined(policy: str, sum_name: str) -> bool:
    """Whether a policy defines a sum."""
    return sum_name == "opponents" or policy != "average-buchholz"


def sum_over_opponents(record: Record, policy: str, name: str) -> Float[np.ndarray, " teams"]:
    """One of `SUMS` of every team, rounded, so that equal sums are equal."""
    sum_, how = SUMS[name], POLICIES[policy]
    if isinstance(how, Policy):
        items = how.complete(record)
        total = sum_.total(items, how.left_out(items, sum_.cut(items)))
    else:
        total = how(record, sum_)
    return np.round(total, 6) + 0.0


# --------------------------------------------------------------------------- the study

RICCA_SUMS = {
    "BH": "opponents",
    "BHC1": "opponents-cut1",
    "BHM1": "opponents-median1",
    "SB": "emgsb",
}

RICCA_METHODS = {
    "StdVOpp": "virtual-opponent",
    "AdjVOpp": "adjusted-virtual-opponent",
    "DrawSelf": "drawself",
    "IgnoreUG": "ignore",
    "FairBAvg": "fair-board-average",
    "FairTied": "fair-tied",
    "FairAvg": "fair-average",
    "FairDraw": "fair-draw",
    "FairZero": "fair-zero",
    "FaceVal": "face-value",
}

RICCA_CRITERIA = ("ABSELO", "MISPTS")
SHOWN = (*RICCA_CRITERIA, TRUE)  # in the report; all others are in the files
TIEBREAKS = (*(f"{p} {s}" for p in POLICIES for s in SUMS if is_defined(p, s)), RANDOM)


def _best(*methods: str) -> list[tuple[str, str]]:
    """Each of these is better than all of his other methods."""
    return [*product(methods, [each for each in RICCA_METHODS.values() if each not in methods])]


def _worst(method: str) -> list[tuple[str, str]]:
    return [(better, worse) for worse, better in _best(method)]


_ALL = POPULATIONS, RICCA_CRITERIA
_BUCHHOLZ, _BERGER = ("opponents", "opponents-cut1", "opponents-median1"), ("emgsb",)
_BOTH = _best("drawself", "virtual-opponent")
_LAST = "IgnoreUG is the best for Sonneborn-Berger by MISPTS among all players"

CLAIMS = pd.concat(  # His conclusions about his ten methods
    claim(text, pairs, ("100-9", "200-10", ""), populations, criteria, sums)
    for text, pairs, sums, populations, criteria in (
        ("FaceVal is the worst for every form of Buchholz", _worst("face-value"), _BUCHHOLZ, *_ALL),
        ("FairZero is the worst for Sonneborn-Berger", _worst("fair-zero"), _BERGER, *_ALL),
        ("DrawSelf and StdVOpp are the best for every form of Buchholz", _BOTH, _BUCHHOLZ, *_ALL),
        ("DrawSelf and StdVOpp are the best for Sonneborn-Berger", _BOTH, _BERGER, *_ALL),
        (_LAST, _best("ignore"), _BERGER, ["all"], ["MISPTS"]),
    )
)


def kinds() -> list[tuple[Config, Absences, str]]:
    """What is played, rates of absence, and Ricca's name of the kind, empty without one."""
    individual, small = load_config("individual-100x9"), load_config("team-60x7")
    often = replace(individual, name="individual-100x9-often")
    team = replace(small, name="team-60x9", event=replace(small.event, rounds=9))
    return [
        (individual, Absences(), "100-9"),
        (often, Absences().times(3), "100-9"),
        (team, replace(Absences(), bye_points=1), ""),
    ]


def ranked(measured: Measured) -> np.ndarray:
    """What places by points and each of `TIEBREAKS` come from, higher is better."""
    rosters, scored = measured["rosters"], measured["half_points"]
    boards = rosters.shape[1]
    of_rounds = measured["kinds"], measured["drawn"], np.sign(scored - boards) + 1, scored
    record = Record(len(scored), boards, True, *of_rounds, rosters.mean(axis=1))
    sums = [sum_over_opponents(record, *name.split()) for name in TIEBREAKS[:-1]]
    return -adjusted(record.match_points, np.stack([*sums, measured["lots"][1]]))


def ricca_unplayed() -> pd.DataFrame:
    """His values by our names: `kind`, `population`, `tie_break`, `criterion`, `ricca`."""
    table = load_table("ricca", "unplayed.csv")
    sums = table["tie_break"].map(RICCA_SUMS)
    table["tie_break"] = table.pop("method").map(RICCA_METHODS) + " " + sums
    keys = ["kind", "population", "tie_break"]
    long = table.melt(keys, [*RICCA_CRITERIA, RANDOM], "criterion", "ricca")
    return long.dropna().astype({"ricca": float})


def tables(judged: Sequence[Evaluation]) -> dict[str, pd.DataFrame]:
    """`ricca_tables` with `policy` and `sum` apart, `extremes`, and facts of the `events`."""
    his = ricca_unplayed()
    frames = ricca_tables(judged, CLAIMS, his, his[his["criterion"] != RANDOM])
    parts = frames["values"].pop("tie_break").str.partition(" ")
    frames["values"].insert(2, "policy", parts[0])
    frames["values"].insert(3, "sum", parts[2])
    rows = []
    for kind in judged:
        assert kind.absences
        event, shares = kind.config.event, {each.label: kind.shares[each] for each in RoundKind}
        about = {"teams": event.teams, "rounds": event.rounds, "boards": event.boards}
        rows.append({"kind": kind.config.name, **about, **asdict(kind.absences), **shares})
    return {**frames, "events": pd.DataFrame(rows), "extremes": extremes(judged)}


def extremes(judged: Sequence[Evaluation]) -> pd.DataFrame:
    """The best and the worst policy among all players, and those as good as the best (`level`)."""
    rows = []
    for kind, criterion, name in product(judged, SHOWN, RICCA_SUMS.values()):
        some = where(kind.frame, population="all", criterion=criterion)
        some = some[some["tie_break"].str.endswith(f" {name}")]
        best, *others = some.sort_values("value", kind="stable")["tie_break"]
        pairs = pd.DataFrame({"second": others})
        pairs = pairs.assign(population="all", criterion=criterion, first=best)
        level = kind.compare(pairs).query("verdict != 'holds'")["second"]
        named = [each.split()[0] for each in (best, *level, others[-1])]
        rows.append(
            (kind.config.name, criterion, name, named[0], ", ".join(named[1:-1]), named[-1])
        )
    header = ["kind", "criterion", "sum", "best", "level", "worst"]
    return pd.DataFrame(rows, columns=pd.Index(header))


def summary(frames: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """Short tables of policies, claims and absences."""
    events, labels, ends = frames["events"], [each.label for each in RoundKind], frames["extremes"]
    often = []
    for name, some in ends.groupby("sum", sort=False):
        best, worst = (some[end].value_counts() for end in ("best", "worst"))
        often.append((name, best.index[0], best.iloc[0], worst.index[0], worst.iloc[0]))
    columns = ["sum", "best", "times_best", "worst", "times_worst"]
    shown = where(ends, criterion=TRUE)
    values = where(frames["values"], criterion=TRUE, population="all")
    for end in ("best", "worst"):
        named = {"policy": end, "value": f"{end}_value"}
        named |= {"low": f"{end}_value_low", "high": f"{end}_value_high"}
        own = values.rename(columns=named)[["kind", "sum", *named.values()]]
        shown = shown.merge(own, "left", ["kind", "sum", end])
    return {
        **ricca_summary(frames, CLAIMS, ricca_unplayed()),
        "comparisons": len(events) * len(SHOWN),
        "criteria": len(SHOWN),
        "policies": len(POLICIES),
        "often": pd.DataFrame(often, columns=pd.Index(columns)),
        "best": shown.fillna({"level": ""}),
        "made": events.assign(bye=events["bye_points"].map({2: "a win", 1: "a draw"})),
        "shares": events[["kind", *labels]].astype(dict.fromkeys(labels, float)),
    }


@script("reports/unplayed", events_option(200, "simulated events of every kind"))
def main(out: Path, events: int, seed: int) -> None:
    """Compare policies for unplayed rounds, on simulated events with absences."""
    judged = [
        evaluate(config, TIEBREAKS, events, seed, ranked, {}, his, absences)
        for config, absences, his in kinds()
    ]
    frames = written(out, tables(judged), DIGITS)
    report(out, "unplayed.md", {**summary(frames), "events": events, "seed": seed})


if __name__ == "__main__":
    main()
