"""Which method for unplayed rounds does least harm? R. Ricca's study in our events.

Events with forfeits, byes and retirements are simulated. Every policy of `proposals` completes
their records, and every sum over opponents is evaluated by global criteria, beside Ricca's figures.

Source: R. Ricca, on unplayed games, FIDE Technical Commission, 2017; his figures are in
`tb2learn/data/ricca/unplayed.csv`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pandas as pd
from jaxtyping import Array, Float
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from studies.claims import HOLDS
from studies.figures import HOLLOW, draw_heat, legend_below, shifts
from studies.frames import wide
from studies.global_criteria import adjusted
from studies.proposals import POLICIES, SUMS, is_defined, sum_over_opponents
from studies.ricca import (
    ALL_CRITERIA,
    COUNTS,
    DIGITS,
    POPULATIONS,
    RANDOM,
    TRUE,
    Evaluation,
    OrderClaim,
    agreement,
    agreement_summary,
    counted,
    evaluate,
    event_sums,
    method_name,
    said,
    verdicts_on,
)
from studies.script import events as number_of_events
from studies.script import report, script, written
from tb2learn.config import Config, load_config
from tb2learn.data import load_table
from tb2learn.events.unplayed.record import Kind, Record
from tb2learn.jax_types import Key
from tb2learn.report.frames import where
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, draw_marks, dress
from tb2learn.simulation.event import Absences, Event
from tb2learn.stats import long_frame
from tb2learn.types import BYE

RICCA_KIND = "100-9"
"""Ricca's kind of events that ours are compared with."""

RICCA_SUMS = {
    "BH": "opponents",
    "BHC1": "opponents-cut1",
    "BHM1": "opponents-median1",
    "SB": "emgsb",
}
"""Ricca's names of sums."""

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
"""Ricca's names of methods."""

RICCA_CRITERIA = ("ABSELO", "MISPTS")
"""His criteria."""

SHOWN = (*RICCA_CRITERIA, TRUE)
"""The criteria that the report shows; all others are in the files."""

TIEBREAKS = (*(method_name(p, s) for p in POLICIES for s in SUMS if is_defined(p, s)), RANDOM)
"""The tie-breaks that are evaluated: every sum that a policy defines, and a draw of lots."""


def _claim(
    text: str,
    methods: tuple[str, ...],
    sums: tuple[str, ...],
    worst: bool = False,
    populations: tuple[str, ...] = (*POPULATIONS,),
    criteria: tuple[str, ...] = RICCA_CRITERIA,
) -> OrderClaim:
    """The claim that some of his ten methods are the best, or the worst."""
    others = tuple(other for other in RICCA_METHODS.values() if other not in methods)
    return OrderClaim(text, methods, others, criteria, populations, worst, sums)


_BUCHHOLZ = ("opponents", "opponents-cut1", "opponents-median1")
_BOTH = ("drawself", "virtual-opponent")

CLAIMS = (
    _claim("FaceVal is the worst for every form of Buchholz", ("face-value",), _BUCHHOLZ, True),
    _claim("FairZero is the worst for Sonneborn-Berger", ("fair-zero",), ("emgsb",), True),
    _claim("DrawSelf and StdVOpp are the best for every form of Buchholz", _BOTH, _BUCHHOLZ),
    _claim("DrawSelf and StdVOpp are the best for Sonneborn-Berger", _BOTH, ("emgsb",)),
    _claim(
        "IgnoreUG is the best for Sonneborn-Berger by MISPTS among all players",
        ("ignore",),
        ("emgsb",),
        populations=("all",),
        criteria=("MISPTS",),
    ),
)
"""His conclusions about his ten methods."""


# --------------------------------------------------------------------------- events


@dataclass(frozen=True)
class EventKind:
    """A kind of events.

    **Fields:** `name` of the kind; `config`: format, field and games; `absences`: their rates;
    `ricca`: Ricca's name of the kind, empty if he does not have it.
    """

    name: str
    config: Config
    absences: Absences
    ricca: str = ""


def kinds() -> tuple[EventKind, ...]:
    """The kinds of the study: Ricca's smaller one at two rates of absence, and a team event."""
    individual = load_config("individual-100x9")
    small = load_config("team-60x7")
    team = replace(small, name="team-60x9", event=replace(small.event, rounds=9))
    often = Absences().times(3)
    return (
        EventKind("individual-100x9", individual, Absences(), RICCA_KIND),
        EventKind("individual-100x9-often", individual, often, RICCA_KIND),
        EventKind("team-60x9", team, replace(Absences(), bye_points=1)),
    )


def measure_event(key: Key, event: Event, config: Config, args: Any) -> dict[str, Array]:
    """What `sums_of` needs of an event; two lots, one a criterion and one a tie-break."""
    lots = jax.vmap(partial(jax.random.permutation, x=config.event.teams))(jax.random.split(key))
    assert event.strength is not None and event.kinds is not None
    return {
        "opponents": event.opponents,
        "half_points": event.half_points,
        "kinds": event.kinds,
        "rosters": event.rosters,
        "strength": event.strength,
        "lots": lots,
    }


def record_of(measured: dict[str, np.ndarray]) -> Record:
    """The record of an event, as the policies complete it."""
    rosters, scored = measured["rosters"], measured["half_points"].T
    boards = rosters.shape[1]
    kind, opponent = measured["kinds"].T, measured["opponents"].T
    gained = np.sign(scored - boards) + 1
    mean = rosters.mean(axis=1)
    return Record(scored.shape[1], boards, True, kind, opponent, gained, scored, mean)


def sums_of(measured: dict[str, np.ndarray], config: Config) -> dict[str, np.ndarray]:
    """The evaluation of an event: the result of `event_sums`, and `shares` of every `Kind`."""
    record, boards = record_of(measured), config.event.boards
    values = [
        *(sum_over_opponents(policy, record, name)
          for key, policy in POLICIES.items() for name in SUMS if is_defined(key, name)),
        measured["lots"][1],
    ]  # fmt: skip
    given = {
        "opponents": np.where(record.played, record.opponent, BYE).T,
        "half_points": measured["half_points"],
        "ratings": (2 * measured["rosters"].sum(axis=1) + boards) // (2 * boards),
        "strength": measured["strength"],
        "lots": measured["lots"][0],
        "ranks": -adjusted(record.match_points, np.stack(values)),
    }
    shares = np.bincount(record.kind.ravel(), minlength=len(Kind))
    return event_sums(given, config) | {"shares": shares}


def evaluate_kind(
    kind: EventKind, events: int, seed: int
) -> tuple[Evaluation, Float[np.ndarray, " kinds"]]:
    """Evaluate all `TIEBREAKS`; and the share of every `Kind` in all rounds of all players."""
    how = measure_event, partial(sums_of, config=kind.config), None, kind.absences
    evaluation, sums = evaluate(kind.name, kind.config, TIEBREAKS, (events, seed), *how)
    shares = sums["shares"].sum(axis=0)
    return evaluation, shares / shares.sum()


# --------------------------------------------------------------------------- tables


def ricca_unplayed() -> pd.DataFrame:
    """His values by our names of methods and sums.

    **Returns:** `kind`, `population`, `method`, `sum`, `tie_break`, `criterion`, `ricca`.
    """
    table = load_table("ricca", "unplayed.csv").rename(columns={"tie_break": "sum"})
    table = table.assign(
        method=table["method"].map(RICCA_METHODS), sum=table["sum"].map(RICCA_SUMS)
    )
    names = [*map(method_name, table["method"], table["sum"])]
    keys = ["kind", "population", "method", "sum", "tie_break"]
    long = table.assign(tie_break=names).melt(keys, [*RICCA_CRITERIA, RANDOM], "criterion", "ricca")
    return long.dropna().astype({"ricca": float})


_AXES = {
    "population": [*POPULATIONS],
    "policy": [*POLICIES],
    "sum": [*SUMS],
    "criterion": ALL_CRITERIA,
}
_KEYS = ["population", "tie_break", "criterion"]


def tables(
    found: Sequence[EventKind],
    studied: Sequence[tuple[Evaluation, Float[np.ndarray, " kinds"]]],
) -> dict[str, pd.DataFrame]:
    """All that the report shows of some kinds of events, with his figures beside ours.

    **Arguments:** the kinds, and what `evaluate_kind` returns of each.

    **Returns:** frames by `kind` of events:

    - `events`: its format, its `Absences`, and the share of all rounds of all players by `Kind`.
    - `values`: `value`, `low`, `high` and `ricca` by `population`, `policy`, `sum` and `criterion`;
      a draw of lots is the policy `RANDOM` without a sum.
    - `agreement`, `claims`: see `ricca.agreement` and `ricca.counted`.
    - `extremes`: see `extremes`.
    """
    his = ricca_unplayed()
    parts: dict[str, list[pd.DataFrame]] = {}
    for kind, (judged, shares) in zip(found, studied, strict=True):
        event, own = kind.config.event, his[his["kind"] == kind.ricca]
        about = {"teams": event.teams, "rounds": event.rounds, "boards": event.boards}
        kinds = dict(zip((one.label for one in Kind), shares, strict=True))
        lots = where(judged.frame(), tie_break=RANDOM).assign(policy=RANDOM)
        frames = {
            "events": pd.DataFrame([{**about, **asdict(kind.absences), **kinds}]),
            "values": pd.concat([_values(judged, own), lots]).drop(columns="tie_break"),
            "agreement": agreement(judged, _columns(his, kind.ricca)),
            "extremes": extremes(judged),
        }
        for name, frame in frames.items():
            if "kind" not in frame:
                frame.insert(0, "kind", kind.name)
            parts.setdefault(name, []).append(frame)
    frames = {name: pd.concat(some, ignore_index=True) for name, some in parts.items()}
    return frames | {"claims": counted(CLAIMS, [judged for judged, _ in studied])}


def _values(judged: Evaluation, his: pd.DataFrame) -> pd.DataFrame:
    """Our values by policy and sum, where the policy defines it, and his."""
    cells = long_frame(_AXES, {})
    cells["tie_break"] = [*map(method_name, cells["policy"], cells["sum"])]
    return cells.merge(judged.frame(), on=_KEYS).merge(his[[*_KEYS, "ricca"]], "left", _KEYS)


def _columns(his: pd.DataFrame, kind: str) -> pd.DataFrame:
    """His values of a kind, and those of his other one, as `ricca.agreement` takes them."""
    axes = {
        "population": [*POPULATIONS],
        "criterion": [*RICCA_CRITERIA],
        "sum": [*RICCA_SUMS.values()],
        "method": [*RICCA_METHODS.values()],
    }
    other = his[his["kind"] != kind].drop(columns=["kind", "tie_break"])
    own = long_frame(axes, {}).merge(his[his["kind"] == kind])
    return own.merge(other.rename(columns={"ricca": "elsewhere"}))


def extremes(judged: Evaluation) -> pd.DataFrame:
    """The best and the worst policy among all players, and those as good as the best.

    **Returns:** a row a `criterion` of `SHOWN` and `sum` of his: `best` and `worst`, and `level`,
    all policies whose interval of the difference from the best includes zero.
    """
    values = judged.frame()
    rows = []
    for criterion in SHOWN:
        for name in RICCA_SUMS.values():
            policies = {
                method_name(each, name): each for each in POLICIES if is_defined(each, name)
            }
            some = where(values, population="all", criterion=criterion)
            some = some[some["tie_break"].isin(list(policies))]
            first, *others = some.sort_values("value", kind="stable")["tie_break"]
            pairs = pd.DataFrame({"second": others})
            pairs = pairs.assign(population="all", criterion=criterion, first=first)
            apart = judged.differences(pairs)
            level = apart.loc[apart["verdict"] != HOLDS, "second"].map(policies)
            ends = policies[first], ", ".join(level), policies[others[-1]]
            rows.append((criterion, name, *ends))
    return pd.DataFrame(rows, columns=pd.Index(["criterion", "sum", "best", "level", "worst"]))


_NAMED = 4
"""Most policies that a table names as being as good as the best."""


def summary(frames: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """Short tables of policies, claims and absences."""
    events, labels = frames["events"], [one.label for one in Kind]
    pays = events["bye_points"].map({2: "a win", 1: "a draw"})
    return {
        "populations": POPULATIONS,
        "comparisons": len(events) * len(SHOWN),
        "criteria": len(SHOWN),
        "policies": len(POLICIES),
        "often": _often(frames["extremes"]),
        "best": _best(frames),
        "verdicts": verdicts_on(frames["claims"]),
        "by_kind": _by_kind(frames["claims"]),
        "agreement": frames["agreement"],
        "agreements": agreement_summary(frames["agreement"]),
        "made": events.assign(bye=pays),
        "shares": events[["kind", *labels]].astype(dict.fromkeys(labels, float)),
    }


def _often(extremes: pd.DataFrame) -> pd.DataFrame:
    """For every sum the policies that are most often the best and the worst, and how often."""
    rows = []
    for name, some in extremes.groupby("sum", sort=False):
        best, worst = (some[end].value_counts() for end in ("best", "worst"))
        rows.append((name, best.index[0], best.iloc[0], worst.index[0], worst.iloc[0]))
    columns = ["sum", "best", "times_best", "worst", "times_worst"]
    return pd.DataFrame(rows, columns=pd.Index(columns))


def _best(frames: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """The best and the worst policy by the true order, with their values."""
    ends = where(frames["extremes"], criterion=TRUE)
    values = where(frames["values"], criterion=TRUE, population="all")
    for end in ("best", "worst"):
        named = {"policy": end, "value": f"{end}_value"}
        named |= {"low": f"{end}_value_low", "high": f"{end}_value_high"}
        own = values.rename(columns=named)[["kind", "sum", *named.values()]]
        ends = ends.merge(own, "left", ["kind", "sum", end])
    level = [*ends["level"].fillna("")]
    number = [text.count(", ") + 1 for text in level]
    shown = [text if n <= _NAMED else n for text, n in zip(level, number, strict=True)]
    return ends.assign(level=shown)


def _by_kind(counts: pd.DataFrame) -> pd.DataFrame:
    """In how many columns a claim holds: of his two kinds, then of each of ours."""
    his = said(CLAIMS, ricca_unplayed()).assign(kind="his two kinds")
    his["ours holds"], his["ours does not hold"] = his["said"], his["columns"] - his["said"]
    both = pd.concat([his, counts]).astype(dict.fromkeys(COUNTS, "Int64"))
    place = {text: number for number, text in enumerate(his["text"])}
    return both.sort_values("text", kind="stable", key=lambda texts: texts.map(place))


# --------------------------------------------------------------------------- figures

_SPREAD = 0.72
"""Height that the marks of all criteria share; a policy has 1."""


def methods_figure(frames: dict[str, pd.DataFrame], population: str) -> Figure:
    """Values with 95 % intervals: one row of panels per kind, one panel per sum; his are hollow."""
    kinds, sums = list(frames["events"]["kind"]), list(RICCA_SUMS.values())
    values = where(frames["values"], population=population)
    policies = list(POLICIES)[::-1]
    figure = blank_figure(14.0, 4.1 * len(kinds) + 0.7)
    grid = figure.subplots(len(kinds), len(sums), sharey=True, squeeze=False)
    for panels, kind in zip(grid, kinds, strict=True):
        for panel, name in zip(panels, sums, strict=True):
            _draw_methods(panel, where(values, kind=kind, sum=name)[::-1])
            title = f"{kind}\n{name}" if name == sums[0] else name
            dress(panel, title, "places", "", size=9.5)
        panels[0].set_yticks(range(len(policies)), policies, parse_math=False)
        panels[0].tick_params(labelsize=8)
    marks = [(criterion, "o", COLOURS[c]) for c, criterion in enumerate(SHOWN)]
    legend_below(figure, [*marks, ("Ricca's figure", HOLLOW, INK)], 9.5)
    figure.suptitle(
        f"How far from the criterion's order inside score groups: {POPULATIONS[population]}",
        fontsize=11,
        color=INK,
    )
    return figure


def _draw_methods(panel: Axes, values: pd.DataFrame) -> None:
    """One row per policy from below, with a point and interval per criterion."""
    place = {policy: row for row, policy in enumerate(reversed(POLICIES))}
    for number, (criterion, shift) in enumerate(
        zip(SHOWN, -shifts(len(SHOWN), _SPREAD), strict=True)
    ):
        some, colour = where(values, criterion=criterion), COLOURS[number]
        at = some["policy"].map(place).to_numpy() + shift
        draw_marks(panel, some, "value", at, colour)
        panel.plot(some["ricca"], at, "D", color=colour, fillstyle="none", markersize=4.5)
    for policy in POLICIES.keys() - set(values["policy"]):
        panel.text(0.02, place[policy], "-", va="center", transform=panel.get_yaxis_transform())


def heat_figure(frames: dict[str, pd.DataFrame]) -> Figure:
    """Policies by sums under the true order, as shares of lots; a panel per kind and population."""
    kinds = list(frames["events"]["kind"])
    figure = blank_figure(13.5, 5.0 * len(POPULATIONS) + 0.6)
    grid = figure.subplots(len(POPULATIONS), len(kinds), sharey=True, squeeze=False)
    for panels, population in zip(grid, POPULATIONS, strict=True):
        for panel, kind in zip(panels, kinds, strict=True):
            of = {"kind": kind, "population": population, "criterion": TRUE}
            values = where(frames["values"], **of)
            lots = where(values, policy=RANDOM)["value"].item()
            values = values[values["policy"] != RANDOM]
            shares = wide(values, "policy", "sum", "value").astype(float)
            draw_heat(panel, shares / lots, Normalize(0.5, 1.0), size=7.5, turn=35)
            dress(panel, f"{kind}\n{POPULATIONS[population]}", "", "", grid=False, size=9.5)
            panel.tick_params(labelsize=8)
    figure.suptitle(
        "Values by the true order as shares of a draw of lots (0: the true order itself, 1: no "
        "better than lots)",
        fontsize=11,
        color=INK,
    )
    return figure


def beside_figure(frames: dict[str, pd.DataFrame]) -> Figure:
    """His values across, ours up: one panel per criterion and kind that he has."""
    his = frames["values"].dropna(subset=["ricca"])
    place = {policy: number for number, policy in enumerate(RICCA_METHODS.values())}
    his = his.sort_values("policy", kind="stable", key=lambda policies: policies.map(place))
    shown = [(kind, c) for kind in his["kind"].unique() for c in RICCA_CRITERIA]
    figure = blank_figure(3.5 * len(shown) + 0.4, 2 * 3.5 + 0.8)
    grid = figure.subplots(len(POPULATIONS), len(shown), squeeze=False)
    for panels, population in zip(grid, POPULATIONS, strict=True):
        for panel, (kind, criterion) in zip(panels, shown, strict=True):
            inside = where(his, kind=kind, criterion=criterion, population=population)
            for number, name in enumerate(RICCA_SUMS.values()):
                some = where(inside, sum=name)
                draw_marks(
                    *(panel, some, "value", some["ricca"], COLOURS[number]),
                    marker=MARKERS[number],
                    size=4.5,
                    width=1.2,
                    upright=True,
                )
            ends = np.array([*panel.get_xlim(), *panel.get_ylim()])
            panel.plot([ends.min(), ends.max()], [ends.min(), ends.max()], ":", color=INK, lw=0.8)
            title = f"{kind}\n{criterion}, {population}"
            dress(panel, title, "Ricca, places", "", size=8.5)
        panels[0].set_ylabel("ours, places", fontsize=9.5, color=INK)
    marks = [(name, MARKERS[n], COLOURS[n]) for n, name in enumerate(RICCA_SUMS.values())]
    legend_below(figure, marks, 9.5)
    return figure


@script("reports/unplayed", number_of_events(200, "simulated events of every kind"))
def main(out: Path, events: int, seed: int) -> None:
    """Compare policies for unplayed rounds, on simulated events with absences.

    By how near tie-breaks under each policy come to the true order and R. Ricca's criteria.
    """
    studied = [evaluate_kind(kind, events, seed) for kind in kinds()]
    frames = written(out, tables(kinds(), studied), DIGITS)
    figures = {
        **{f"methods-{name}.png": methods_figure(frames, name) for name in POPULATIONS},
        "heat.png": heat_figure(frames),
        "beside.png": beside_figure(frames),
    }
    report(out, "unplayed.md", {**summary(frames), "events": events, "seed": seed}, figures)


if __name__ == "__main__":
    main()
