"""Sums over opponents under every policy for unplayed rounds, in events with absences.

Events with absences are simulated round by round (`absences`). Every policy of
`events.unplayed.policies` completes their records, and every sum over opponents is evaluated as in
`studies.tiebreaks`, beside Ricca's figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from tb2learn.data import load_table
from tb2learn.events.unplayed.record import Kind
from tb2learn.report.frames import Frames, rounded, where, wide
from tb2learn.report.stored import Axis, Cells, Csv, Each, Json, columns_of
from tb2learn.report.style import (
    COLOURS,
    HOLLOW,
    INK,
    MARKERS,
    blank_figure,
    draw_heat,
    draw_marks,
    dress,
    legend_below,
    shifts,
)
from tb2learn.stats import long_frame
from tb2learn.studies.claims import HOLDS
from tb2learn.studies.tiebreaks.evaluation import (
    ALL_CRITERIA,
    POPULATIONS,
    RANDOM,
    TRUE,
    Evaluation,
)
from tb2learn.studies.tiebreaks.order_claims import (
    AGREEMENT,
    COUNTS,
    OrderClaim,
    agreement,
    agreement_summary,
    claims_content,
    claims_frames,
    is_better,
    method_name,
    verdicts_on,
)
from tb2learn.studies.unplayed.absences import (
    CHANCES,
    POLICIES,
    SUMS,
    EventKind,
    is_defined,
    kinds,
    study_kind,
)

SOURCE = "R. Ricca, on unplayed games, FIDE Technical Commission, 2017"

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


def ricca_unplayed() -> pd.DataFrame:
    """His values by our names of methods and sums.

    **Returns:** `kind`, `population`, `method`, `sum`, `tie_break`, `criterion`, `ricca`.
    """
    table = load_table("ricca", "unplayed.csv").rename(columns={"tie_break": "sum"})
    table = table.assign(
        method=table["method"].map(RICCA_METHODS), sum=table["sum"].map(RICCA_SUMS)
    )
    names = [method_name(*one) for one in zip(table["method"], table["sum"], strict=True)]
    keys = ["kind", "population", "method", "sum", "tie_break"]
    long = table.assign(tie_break=names).melt(keys, [*RICCA_CRITERIA, RANDOM], "criterion", "ricca")
    return long.dropna().astype({"ricca": float})


def _order(
    text: str,
    methods: tuple[str, ...],
    sums: tuple[str, ...],
    worst: bool = False,
    populations: tuple[str, ...] = tuple(POPULATIONS),
    criteria: tuple[str, ...] = RICCA_CRITERIA,
) -> OrderClaim:
    """The claim that some of his ten methods are the best, or the worst."""
    others = tuple(other for other in RICCA_METHODS.values() if other not in methods)
    return OrderClaim(text, methods, others, criteria, populations, worst, sums)


_BUCHHOLZ = ("opponents", "opponents-cut1", "opponents-median1")

_BOTH = ("drawself", "virtual-opponent")

ORDERS = (
    _order("FaceVal is the worst for every form of Buchholz", ("face-value",), _BUCHHOLZ, True),
    _order("FairZero is the worst for Sonneborn-Berger", ("fair-zero",), ("emgsb",), True),
    _order("DrawSelf and StdVOpp are the best for every form of Buchholz", _BOTH, _BUCHHOLZ),
    _order("DrawSelf and StdVOpp are the best for Sonneborn-Berger", _BOTH, ("emgsb",)),
    _order(
        "IgnoreUG is the best for Sonneborn-Berger by MISPTS among all players",
        ("ignore",),
        ("emgsb",),
        populations=("all",),
        criteria=("MISPTS",),
    ),
)
"""His conclusions about his ten methods."""

SHOWN = (*RICCA_CRITERIA, TRUE)
"""The criteria that the report shows; all others are in the files."""

EXTREMES = ("criterion", "sum", "best", "level", "worst")

_AXES: tuple[str, ...] = ("population", "policy", "sum", "criterion")
_PARTS = ("value", "low", "high", "ricca")
_DIGITS = 5

FILES = (
    Json(
        "unplayed.json",
        {
            **columns_of("run", "events", "seed"),
            "populations": Axis("values", "population"),
            "criteria": Axis("values", "criterion"),
            "policies": Axis("values", "policy"),
            "sums": Axis("values", "sum"),
            "kinds": Each(
                "kinds",
                {
                    **columns_of("kinds", "kind", "config"),
                    "format": columns_of("kinds", "teams", "rounds", "boards"),
                    "absences": columns_of("kinds", *CHANCES, "bye_points"),
                    "shares": Cells("shares", ("rounds",), "share", keyed=True),
                    "players": Cells("players", ("population",), "players", keyed=True),
                    **{part: Cells("values", _AXES, part) for part in _PARTS[:3]},
                    "lots": Cells("lots", ("population", "criterion"), "value"),
                    "ricca": Cells("values", _AXES, "ricca"),
                    "agreement": Each("agreement", columns_of("agreement", *AGREEMENT)),
                    "ends": Each("extremes", columns_of("extremes", *EXTREMES)),
                },
                by="kind",
            ),
            "claims": claims_content(apart=True),
        },
    ),
    Csv("values.csv", "values", ("kind", *_AXES, *_PARTS), known="value"),
)


def measure(events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Simulate events of every kind and evaluate all policies.

    **Arguments:**

    - `events`: number of events of each kind.
    - `seed`: of all random numbers.

    **Returns:** as `frames_of`.
    """
    found = kinds()
    return frames_of(found, [study_kind(kind, events, seed, label=kind.name) for kind in found])


def frames_of(
    found: Sequence[EventKind],
    studied: Sequence[tuple[Evaluation, Float[np.ndarray, " kinds"]]],
) -> dict[str, pd.DataFrame]:
    """All that the report shows of some kinds of events, with his figures beside ours.

    **Arguments:** the kinds, and what `study_kind` returns of each.

    **Returns:** frames, all with the name of the `kind` of events but `claims`:

    - `kinds`: `config`, its format, and its `Absences`.
    - `shares`: `share` of all rounds of all players by `rounds`, the label of their kind.
    - `players`: mean number of players by `population`.
    - `values`: `value`, `low`, `high` and `ricca` by `population`, `policy`, `sum` and `criterion`;
      NaN where a policy does not define a sum.
    - `lots`: the `value` of a draw of lots by `population` and `criterion`.
    - `agreement`; `claims`, `said`, `counted`: see `studies.tiebreaks.order_claims`.
    - `extremes`: see `extremes`.
    """
    his = ricca_unplayed()
    parts: dict[str, list[pd.DataFrame]] = {}
    for kind, (evaluated, shares) in zip(found, studied, strict=True):
        event = kind.config.event
        about = {"teams": event.teams, "rounds": event.rounds, "boards": event.boards}
        own = {
            "kinds": pd.DataFrame([{"config": kind.config.name, **about, **asdict(kind.absences)}]),
            "shares": pd.DataFrame({"rounds": [one.label for one in Kind], "share": shares}),
            "players": pd.DataFrame(
                {"population": list(POPULATIONS), "players": evaluated.players}
            ),
            "values": _values(evaluated, his[his["kind"] == kind.ricca]),
            "lots": where(evaluated.frame(), tie_break=RANDOM),
            "agreement": agreement(evaluated, _columns(his, kind.ricca)),
            "extremes": extremes(evaluated),
        }
        for name, frame in own.items():
            digits = _DIGITS if name in ("shares", "values", "lots") else None
            frame = frame if digits is None else rounded(frame, digits)
            parts.setdefault(name, []).append(frame.assign(kind=kind.name))
    return {
        **{name: pd.concat(some, ignore_index=True) for name, some in parts.items()},
        **claims_frames(ORDERS, his, [one for one, _ in studied], apart=True),
    }


def _values(judged: Evaluation, his: pd.DataFrame) -> pd.DataFrame:
    """Our values by policy and sum, and his; unrounded."""
    axes = dict(
        zip(_AXES, (list(POPULATIONS), list(POLICIES), list(SUMS), ALL_CRITERIA), strict=True)
    )
    cells = long_frame(axes, {})
    cells["tie_break"] = [
        method_name(*one) for one in zip(cells["policy"], cells["sum"], strict=True)
    ]
    keys = ["population", "tie_break", "criterion"]
    return cells.merge(judged.frame(), "left", keys).merge(his[[*keys, "ricca"]], "left", keys)


def _columns(his: pd.DataFrame, kind: str) -> pd.DataFrame:
    """His values of a kind, and those of his other one, as `orders.agreement` takes them."""
    axes = {
        "population": list(POPULATIONS),
        "criterion": list(RICCA_CRITERIA),
        "sum": list(RICCA_SUMS.values()),
        "method": list(RICCA_METHODS.values()),
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
            policies = {method_name(one, name): one for one in POLICIES if is_defined(one, name)}
            some = where(values, population="all", criterion=criterion)
            some = some[some["tie_break"].isin(list(policies))]
            first, *others = some.sort_values("value", kind="stable")["tie_break"]
            pairs = pd.DataFrame({"second": others})
            pairs = pairs.assign(population="all", criterion=criterion, first=first)
            better = is_better(judged.differences(pairs)) == HOLDS
            level = [
                policies[one] for one, is_worse in zip(others, better, strict=True) if not is_worse
            ]
            rows.append((criterion, name, policies[first], level, policies[others[-1]]))
    return pd.DataFrame(rows, columns=pd.Index(EXTREMES))


_NAMED = 4
"""Most policies that a table names as being as good as the best."""


def summary(frames: Frames) -> dict[str, Any]:
    """Short tables of policies, claims and absences."""
    pays = {2: "a win", 1: "a draw"}
    return {
        "policies": frames["values"]["policy"].nunique(),
        "often": _often(frames["extremes"]),
        "best": _best(frames),
        "verdicts": verdicts_on(ORDERS, SOURCE, frames["counted"]),
        "by_kind": _by_kind(frames),
        "agreements": agreement_summary(frames["agreement"]),
        "made": frames["kinds"].assign(bye=frames["kinds"]["bye_points"].map(pays)),
    }


def _often(extremes: pd.DataFrame) -> pd.DataFrame:
    """For every sum the policies that are most often the best and the worst, and how often."""
    rows = []
    for name, some in extremes.groupby("sum", sort=False):
        best, worst = (some[end].value_counts() for end in ("best", "worst"))
        rows.append((name, best.index[0], best.iloc[0], worst.index[0], worst.iloc[0]))
    columns = ["sum", "best", "times_best", "worst", "times_worst"]
    return pd.DataFrame(rows, columns=columns)


def _best(frames: Frames) -> pd.DataFrame:
    """The best and the worst policy by the true order, with their values."""
    found = where(frames["extremes"], criterion=TRUE)
    values = where(frames["values"], criterion=TRUE, population="all")
    for end in ("best", "worst"):
        named = {
            "policy": end,
            "value": f"{end}_value",
            "low": f"{end}_value_low",
            "high": f"{end}_value_high",
        }
        own = values.rename(columns=named)[["kind", "sum", *named.values()]]
        found = found.merge(own, "left", ["kind", "sum", end])
    level = [", ".join(one) if len(one) <= _NAMED else len(one) for one in found["level"]]
    return found.assign(level=level)


def _by_kind(frames: Frames) -> pd.DataFrame:
    """In how many columns a claim holds: of his two kinds, then of each of ours."""
    his = frames["said"].assign(kind="his two kinds")
    his["ours holds"], his["ours does not hold"] = his["said"], his["columns"] - his["said"]
    both = pd.concat([his, frames["counted"]]).astype(dict.fromkeys(COUNTS, "Int64"))
    place = {text: number for number, text in enumerate(his["text"])}
    return both.sort_values("text", kind="stable", key=lambda texts: texts.map(place))


_SPREAD = 0.72
"""Height that the marks of all criteria share; a policy has 1."""


def methods_figure(frames: Frames, population: str) -> Figure:
    """Values with 95 % intervals: one row of panels per kind, one panel per sum; his are hollow."""
    kinds, sums = list(frames["kinds"]["kind"]), list(RICCA_SUMS.values())
    values = where(frames["values"], population=population)
    policies = values["policy"].unique()[::-1]
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
    for number, (criterion, shift) in enumerate(
        zip(SHOWN, -shifts(len(SHOWN), _SPREAD), strict=True)
    ):
        some, colour = where(values, criterion=criterion), COLOURS[number]
        at = np.arange(len(some)) + shift
        draw_marks(panel, some, "value", at, colour)
        panel.plot(some["ricca"], at, "D", color=colour, fillstyle="none", markersize=4.5)
    undefined = where(values, criterion=TRUE)["value"].isna()
    for row in np.flatnonzero(undefined).tolist():
        panel.text(0.02, row, "-", va="center", transform=panel.get_yaxis_transform())


def heat_figure(frames: Frames) -> Figure:
    """Policies by sums under the true order, as shares of lots; a panel per kind and population."""
    kinds = list(frames["kinds"]["kind"])
    figure = blank_figure(13.5, 5.0 * len(POPULATIONS) + 0.6)
    grid = figure.subplots(len(POPULATIONS), len(kinds), sharey=True, squeeze=False)
    for panels, population in zip(grid, POPULATIONS, strict=True):
        for panel, kind in zip(panels, kinds, strict=True):
            of = {"kind": kind, "population": population, "criterion": TRUE}
            lots = where(frames["lots"], **of)["value"].item()
            shares = wide(where(frames["values"], **of), "policy", "sum", "value").astype(float)
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


def beside_figure(frames: Frames) -> Figure:
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


FIGURES = {
    **{f"methods-{one}.png": partial(methods_figure, population=one) for one in POPULATIONS},
    "heat.png": heat_figure,
    "beside.png": beside_figure,
}
