"""Which tie-break agrees best with global criteria? R. Ricca's study in our events.

Source: R. Ricca, *Looking for the best tie-break*, FIDE Technical Commission, 2016.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from studies import ricca
from studies.claims import HOLDS
from studies.frames import load_table, where
from studies.global_criteria import CRITERIA
from studies.ricca import ALL_CRITERIA, POPULATIONS, RANDOM, TRUE, Evaluation, Measured
from studies.script import events_option, report, script, written
from studies.template import wide
from studies.worlds import load_config, seeded
from tb2learn.arrays import dense_rank
from tb2learn.catalogue import find_rule
from tb2learn.chess.results import Results, match_points
from tb2learn.config import Config
from tb2learn.stats import long_frame, with_ends
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.combined import DirectEncounter
from tb2learn.tiebreaks.names import find_tiebreak

INDIVIDUAL = {"150-10": "individual-150x10", "100-9": "individual-100x9", "50-6": "individual-50x6"}

TEAMS = "olympiad-180x11"

DIRECT, LOTS = "DE", "RD"

NAMES = {  # Ricca's names of single tie-breaks: his abbreviation in combinations, and our name
    "APRO": ("OP", "apro"),
    "ARO": ("OR", "aro"),
    "AROC": ("OC", "aroc"),
    "PTPR": ("PT", "ptpr"),
    "MEDIAN": ("MD", "buchholz-median1"),
    "BHCUT1": ("B1", "buchholz-cut1"),
    "BH": ("BH", "buchholz"),
    "PROGRES": ("PS", "progressive"),
    "SONNBER": ("SB", "sonneborn-berger"),
    "KOYA": ("KY", "koya"),
    "DE": (DIRECT, "direct"),
    "BLACKS": ("BB", "blacks"),
    "WINS": ("WW", "wins"),
    RANDOM: (LOTS, "lots among those still tied"),
}

SHORT = dict(NAMES.values())
COMPLETE = "DE_B1_DE_PS_DE"  # what he names COMPLETE

TEAM_RULES = ("game-points", "product", "least-squares", "formula-180x11", "learned-180x11")


_SAID = (
    ("Among all players Median is the best Buchholz: better than Cut-1", "MEDIAN", "BHCUT1", "all"),
    ("... and better than the whole sum", "MEDIAN", "BH", "all"),
    ("Among the top scorers Cut-1 is better than Median", "BHCUT1", "MEDIAN", "top33"),
    ("APRO is the best rating tie-break: better than ARO", "APRO", "ARO"),
    ("... better than AROC", "APRO", "AROC"),
    ("... better than PTPR", "APRO", "PTPR"),
    ("Buchholz Cut-1 is much better than Sonneborn-Berger", "BHCUT1", "SONNBER"),
    ("Progressive points are better than Koya", "PROGRES", "KOYA"),
    ("Sonneborn-Berger is better than Koya", "SONNBER", "KOYA"),
    ("Progressive points are mostly better than Sonneborn-Berger", "PROGRES", "SONNBER"),
    ("Games with Black are hardly better than lots", "BLACKS", RANDOM),
    ("Wins are hardly better than lots", "WINS", RANDOM),
    ("Wins are better than games with Black in 9 rounds", "WINS", "BLACKS", "", "100-9"),
    ("... and worse in 10 and 6 rounds", "BLACKS", "WINS", "", "150-10 50-6"),
    ("After Median, APRO is the best second tie-break", "MD_OP_RD", "MD_OR_RD", "all"),
    ("After Median, progressive points are better than Koya", "MD_PS_WW", "MD_KY_WW", "all"),
    ("Direct encounter as first tie-break makes little difference",
     "DE_B1_PS_WW", "B1_PS_WW", "all"),
)  # fmt: skip
"""His conclusions: the tie-break that is better, the one that is worse, populations and kinds of
events if not all. A comparison that he calls even is tested in the direction of the names."""


def _claim(text: str, better: str, worse: str, who: str = "", kinds: str = "") -> pd.DataFrame:
    of = kinds.split() or INDIVIDUAL, who.split() or POPULATIONS
    return ricca.claim(text, [(better, worse)], *of)


CLAIMS = pd.concat([_claim(*row) for row in _SAID])


def ladder(name: str) -> tuple[str, ...]:
    """The abbreviated steps of a tie-break by Ricca's name; a rule of ours is a single step."""
    if name in NAMES or name in TEAM_RULES:
        return (NAMES.get(name, (name,))[0],)
    return (*(COMPLETE if name == "COMPLETE" else name).split("_"),)


def step_rule(step: str, config: Config) -> TieBreak:
    """The tie-break of a step, except direct encounter and lots; a match counts as one game."""
    rounds, boards = config.event.rounds, config.event.boards
    if step in TEAM_RULES:
        return find_rule(step, rounds, boards).tiebreak()
    name = "emmsb" if step == "SB" and boards > 1 else SHORT[step]
    return find_tiebreak(name, rounds, boards)[0]


def climb(measured: Measured, names: Sequence[str], boards: int) -> np.ndarray:
    """Ranks `[tiebreaks, players]` by match points, then by the steps; ties have equal ranks."""
    points = match_points(measured["half_points"], boards).sum(axis=0)
    results = Results(measured["opponents"], measured["half_points"], points, boards)
    direct, scores = DirectEncounter(once=True), {**measured, LOTS: measured["lots"][1]}
    ranks: dict[tuple[str, ...], np.ndarray] = {(): dense_rank(points)}

    def ranked(steps: tuple[str, ...]) -> np.ndarray:
        if steps not in ranks:
            tied, step = ranked(steps[:-1]), steps[-1]
            value = direct.scores(results, tied) if step == DIRECT else scores[step]
            ranks[steps] = dense_rank(tied, value)
        return ranks[steps]

    return np.stack([ranked(ladder(name)) for name in names])


def evaluate_kind(
    config: Config, names: Sequence[str], events: int, seed: int, kind: str = ""
) -> Evaluation:
    """Evaluate tie-breaks by Ricca's names, or those of our rules, in events of one kind."""
    steps = {step for name in names for step in ladder(name)} - {DIRECT, LOTS}
    rules = {step: step_rule(step, config) for step in steps}
    ranked = partial(climb, names=names, boards=config.event.boards)
    return ricca.evaluate(config, names, events, seed, ranked, rules, kind)


def _his(name: str, column: str = "criterion") -> pd.DataFrame:
    """One of his tables, a row a figure (`ricca`)."""
    table = load_table("ricca", f"{name}.csv")
    keys = [key for key in table.columns if key not in CRITERIA]
    return table.melt(keys, [*CRITERIA], column, "ricca").dropna().astype({"ricca": float})


def ricca_values() -> pd.DataFrame:
    """His summary tables."""
    return pd.concat([_his("tiebreaks"), _his("combinations")])


def single_names(tiebreaks: Iterable[str]) -> list[str]:
    """The tie-breaks that are not combinations."""
    return [name for name in tiebreaks if len(ladder(name)) == 1]


def tables(judged: Sequence[Evaluation]) -> dict[str, pd.DataFrame]:
    """`ricca.tables`, and two criteria against each other (`between`).

    A value is `worse` if a single tie-break is surely worse than direct encounter by `TRUE`.
    """
    his, printed, between = ricca_values(), _his("criteria", "other"), []
    frames = ricca.tables(judged, CLAIMS, his, his[his["tie_break"].isin(NAMES)])
    worse = set()
    for kind in judged:
        name, both = kind.config.name, {"population": "all", "criterion": TRUE, "first": DIRECT}
        single = [each for each in single_names(kind.tiebreaks) if each not in (DIRECT, RANDOM)]
        pairs = kind.compare(pd.DataFrame({"second": single}).assign(**both))
        worse |= {(name, "all", each, TRUE) for each in where(pairs, verdict=HOLDS)["second"]}
        axes = {"kind": [name], "criterion": ALL_CRITERIA, "other": ALL_CRITERIA}
        own = where(printed, kind=kind.ricca).drop(columns="kind")
        between.append(long_frame(axes, with_ends(kind.between)).merge(own, "left"))
    keys = ["kind", "population", "tie_break", "criterion"]
    cells = frames["values"][keys].itertuples(index=False, name=None)
    frames["values"]["worse"] = [cell in worse for cell in cells]
    return {**frames, "between": pd.concat(between)}


def summary(frames: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """Short tables of tie-breaks, claims and criteria."""
    values, between = frames["values"], frames["between"]
    of_all = where(values, population="all")
    by_kind = wide(where(of_all, criterion=TRUE), "tie_break", "kind", "value")
    single = by_kind.loc[single_names(by_kind.index)]
    combined = by_kind.drop(index=single.index)
    shares = (combined / single.loc[RANDOM]).sum(axis=1).sort_values(kind="stable")
    place = {name: number for number, name in enumerate(ALL_CRITERIA)}
    below = between["criterion"].map(place) > between["other"].map(place)
    best = [
        (kind, *column.dropna().astype(float).sort_values(kind="stable").index[:3],
         ", ".join(where(values[values["worse"]], kind=kind)["tie_break"]))
        for kind, column in single.items()
    ]  # fmt: skip
    header = ["kind of event", "nearest", "second", "third", "worse than ties"]
    return {
        **ricca.summary(frames, CLAIMS, ricca_values()),
        "short": SHORT,
        "complete": COMPLETE,
        "best": pd.DataFrame(best, columns=pd.Index(header)),
        "single": single.reset_index(),
        "combined": combined,
        "nearest": combined.loc[shares.index[:8]].reset_index(),
        "against": wide(between[below], ["criterion", "other"], "kind", "value").reset_index(),
        # This value measures the size of score groups.
        "ties": where(of_all, tie_break=DIRECT, criterion="ABSELO").dropna(subset=["ricca"]),
    }


@script("reports/tiebreaks", events_option(500, "simulated events of every kind"))
def main(out: Path, events: int, seed: int) -> None:
    """Compare tie-breaks with R. Ricca's global criteria, on simulated events."""
    names = tuple(dict.fromkeys(ricca_values()["tie_break"]))
    kinds = [(load_config(name), names, his) for his, name in INDIVIDUAL.items()]
    # Ricca seeds by true strength.
    unseeded = seeded(load_config(INDIVIDUAL["100-9"]), math.inf)
    kinds.append((replace(unseeded, name=f"{unseeded.name}-random-seeds"), names, ""))
    kinds.append((load_config(TEAMS), (*names, *TEAM_RULES), ""))
    judged = [evaluate_kind(config, judged, events, seed, his) for config, judged, his in kinds]
    frames = written(out, tables(judged), ricca.DIGITS)
    report(out, "tiebreaks.md", {**summary(frames), "events": events, "seed": seed})


if __name__ == "__main__":
    main()
