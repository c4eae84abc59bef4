"""Which method for unplayed rounds does least harm? R. Ricca's study in our events.

Every policy of `proposals` completes the records of simulated events, and every sum over opponents
is evaluated by global criteria. Source: R. Ricca, FIDE Technical Commission, 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from studies import ricca
from studies.absences import Absences
from studies.frames import load_table, where
from studies.global_criteria import adjusted
from studies.proposals import POLICIES, SUMS, is_defined, sum_over_opponents
from studies.ricca import POPULATIONS, RANDOM, TRUE, Evaluation, Measured
from studies.script import events_option, report, script, written
from studies.worlds import load_config
from tb2learn.config import Config
from tb2learn.events.unplayed.record import Kind, Record

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
    ricca.claim(text, pairs, ("100-9", "200-10", ""), populations, criteria, sums)
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
    rosters, scored = measured["rosters"], measured["half_points"].T
    boards = rosters.shape[1]
    of_rounds = measured["kinds"].T, measured["drawn"].T, np.sign(scored - boards) + 1, scored
    record = Record(scored.shape[1], boards, True, *of_rounds, rosters.mean(axis=1))
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
    """`ricca.tables` with `policy` and `sum` apart, `extremes`, and facts of the `events`."""
    his = ricca_unplayed()
    frames = ricca.tables(judged, CLAIMS, his, his[his["criterion"] != RANDOM])
    parts = frames["values"].pop("tie_break").str.partition(" ")
    frames["values"].insert(2, "policy", parts[0])
    frames["values"].insert(3, "sum", parts[2])
    rows = []
    for kind in judged:
        assert kind.absences
        event, shares = kind.config.event, {each.label: kind.shares[each] for each in Kind}
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
    events, labels, ends = frames["events"], [each.label for each in Kind], frames["extremes"]
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
        **ricca.summary(frames, CLAIMS, ricca_unplayed()),
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
        ricca.evaluate(config, TIEBREAKS, events, seed, ranked, {}, his, absences)
        for config, absences, his in kinds()
    ]
    frames = written(out, tables(judged), ricca.DIGITS)
    report(out, "unplayed.md", {**summary(frames), "events": events, "seed": seed})


if __name__ == "__main__":
    main()
