"""Tie-breaks by global criteria in events of several kinds, beside Ricca's figures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from tb2learn.config import Config, load_config
from tb2learn.data import load_table, read_rows
from tb2learn.report.frames import Frames, rounded, where, wide
from tb2learn.report.stored import Axis, Cells, Csv, Each, Json, columns_of
from tb2learn.report.style import (
    COLOURS,
    HOLLOW,
    INK,
    blank_figure,
    draw_heat,
    draw_marks,
    dress,
    legend_below,
)
from tb2learn.studies.claims import HOLDS
from tb2learn.studies.tiebreaks.accuracy import CRITERIA, adjusted, evaluation, places, top_scorers
from tb2learn.studies.tiebreaks.evaluation import (
    ALL_CRITERIA,
    DIRECT,
    LOTS,
    POPULATIONS,
    RANDOM,
    SHORT,
    SINGLE,
    TEAM_RULES,
    TRUE,
    Evaluation,
    evaluate,
    ladder,
)
from tb2learn.studies.tiebreaks.order_claims import (
    AGREEMENT,
    OrderClaim,
    agreement,
    agreement_summary,
    claims_content,
    claims_frames,
    is_better,
    verdicts_on,
)
from tb2learn.studies.worlds import seeded

SOURCE = "R. Ricca, Looking for the best tie-break, FIDE Technical Commission, 2016"

INDIVIDUAL = {
    "150-10": "individual-150x10",
    "100-9": "individual-100x9",
    "50-6": "individual-50x6",
}
"""Configurations of his kinds of events."""

TEAMS = "olympiad-180x11"

_PARTS = ("value", "low", "high", "ricca")
_AXES = ("population", "tie_break", "criterion")
_DIGITS = 5


def _order(
    text: str,
    better: str,
    worse: str,
    populations: tuple[str, ...] = tuple(POPULATIONS),
    kinds: tuple[str, ...] = tuple(INDIVIDUAL),
) -> OrderClaim:
    return OrderClaim(text, (better,), (worse,), tuple(CRITERIA), populations, kinds=kinds)


ORDERS = (
    _order(
        "Among all players Median is the best Buchholz: better than Cut-1",
        *("MEDIAN", "BHCUT1", ("all",)),
    ),
    _order("... and better than the whole sum", "MEDIAN", "BH", ("all",)),
    _order("Among the top scorers Cut-1 is better than Median", "BHCUT1", "MEDIAN", ("top33",)),
    _order("APRO is the best rating tie-break: better than ARO", "APRO", "ARO"),
    _order("... better than AROC", "APRO", "AROC"),
    _order("... better than PTPR", "APRO", "PTPR"),
    _order("Buchholz Cut-1 is much better than Sonneborn-Berger", "BHCUT1", "SONNBER"),
    _order("Progressive points are better than Koya", "PROGRES", "KOYA"),
    _order("Sonneborn-Berger is better than Koya", "SONNBER", "KOYA"),
    _order("Progressive points are mostly better than Sonneborn-Berger", "PROGRES", "SONNBER"),
    _order("Games with Black are hardly better than lots", "BLACKS", RANDOM),
    _order("Wins are hardly better than lots", "WINS", RANDOM),
    _order("Wins are better than games with Black in 9 rounds", "WINS", "BLACKS", kinds=("100-9",)),
    _order("... and worse in 10 and 6 rounds", "BLACKS", "WINS", kinds=("150-10", "50-6")),
    _order("After Median, APRO is the best second tie-break", "MD_OP_RD", "MD_OR_RD", ("all",)),
    _order(
        "After Median, progressive points are better than Koya", "MD_PS_WW", "MD_KY_WW", ("all",)
    ),
    _order(
        "Direct encounter as first tie-break makes little difference",
        *("DE_B1_PS_WW", "B1_PS_WW", ("all",)),
    ),
)
"""His conclusions; a comparison that he calls even is tested in the direction of the names."""

FILES = (
    Json(
        "tiebreaks.json",
        {
            **columns_of("run", "events", "seed"),
            "populations": Axis("values", "population"),
            "criteria": Axis("values", "criterion", others=("other",)),
            "kinds": Each(
                "kinds",
                {
                    **columns_of("kinds", "kind", "config"),
                    "players": Cells("players", ("population",), "players", keyed=True),
                    "tie_breaks": Axis("values", "tie_break"),
                    **{part: Cells("values", _AXES, part) for part in _PARTS},
                    "between": {
                        part: Cells("between", ("criterion", "other"), part) for part in _PARTS
                    },
                    "agreement": Each("agreement", columns_of("agreement", *AGREEMENT)),
                    "worse_than_tied": Each("worse", "worse.tie_break"),
                },
                by="config",
            ),
            "claims": claims_content(apart=False),
            "sample": {
                **columns_of("sample", "figures", "possible"),
                "recomputed": Each("recomputed"),
            },
        },
    ),
    Csv("values.csv", "values", {"kind": "config", **{name: name for name in (*_AXES, *_PARTS)}}),
)


def measure(events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Evaluate tie-breaks in simulated events of every kind.

    **Arguments:**

    - `events`: number of events of each kind.
    - `seed`: of all random numbers.

    **Returns:** as `frames_of`.
    """
    kinds = {kind: load_config(name) for kind, name in INDIVIDUAL.items()}
    for config in (random_seeds(kinds["100-9"]), load_config(TEAMS)):
        kinds[config.name] = config
    return frames_of(
        [
            evaluate(
                kind,
                config,
                (*ricca_names(), *(TEAM_RULES if config.event.boards > 1 else ())),
                events,
                seed,
                label=config.name,
            )
            for kind, config in kinds.items()
        ]
    )


def ricca_names() -> tuple[str, ...]:
    """The tie-breaks of his summary tables: single ones first, then combinations."""
    tables = (load_table("ricca", f"{name}.csv") for name in SUMMARIES)
    return tuple(dict.fromkeys(name for table in tables for name in table.tie_break))


def random_seeds(config: Config) -> Config:
    """The configuration with random seeds; Ricca seeds by true strength."""
    return replace(seeded(config, math.inf), name=f"{config.name}-random-seeds")


def frames_of(evaluations: Sequence[Evaluation]) -> dict[str, pd.DataFrame]:
    """All that the report shows of some evaluations, with his figures beside ours.

    **Returns:** frames, all but the last with the `config` of the kind of events:

    - `kinds`: his name of the kind, else that of the configuration.
    - `players`: mean number of players by `population`.
    - `values`: `value`, `low`, `high` and `ricca` by `population`, `tie_break` and `criterion`.
    - `between`: the same of two criteria (`criterion`, `other`) against each other.
    - `agreement`: see `orders.agreement`.
    - `worse`: every `tie_break` that is worse than direct encounter, which breaks few ties.
    - `claims`, `said`, `counted`: see `orders.claims_frames`.
    - `recomputed`, `sample`: see `published.sample_event`; the numbers of all figures and of the
      possible ones.
    """
    his, between, sample = ricca_values(), ricca_between(), sample_event()
    parts = {
        "kinds": lambda one: pd.DataFrame({"kind": [one.kind]}),
        "players": lambda one: pd.DataFrame(
            {"population": list(POPULATIONS), "players": one.players}
        ),
        "values": lambda one: _beside(one.frame(), his, one.kind),
        "between": lambda one: _beside(one.between_frame(), between, one.kind),
        "agreement": lambda one: agreement(one, _columns(his, one.kind)),
        "worse": lambda one: pd.DataFrame({"tie_break": worse_than_tied(one)}),
    }
    frames = {
        name: pd.concat([part(one).assign(config=one.config.name) for one in evaluations])
        for name, part in parts.items()
    }
    numbers = {"figures": [len(sample)], "possible": [int(sample["possible"].sum())]}
    return frames | {
        **claims_frames(ORDERS, his, evaluations, apart=False),
        "recomputed": sample[sample["ours"].notna()],
        "sample": pd.DataFrame(numbers),
    }


def _beside(ours: pd.DataFrame, his: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Our values, rounded, and his for the kind of events."""
    theirs = his[his["kind"] == kind].drop(columns="kind")
    return rounded(ours, _DIGITS).merge(theirs, how="left")


def _columns(his: pd.DataFrame, kind: str) -> pd.DataFrame:
    """His single tie-breaks of a kind, as `orders.agreement` takes them."""
    axes = [list(POPULATIONS), list(CRITERIA), [one for one in SINGLE if one != "COMPLETE"]]
    cells = pd.MultiIndex.from_product(axes, names=["population", "criterion", "tie_break"])
    own = cells.to_frame(index=False).merge(his[his["kind"] == kind])
    return own.assign(sum="", method=own["tie_break"], elsewhere=math.nan)


def single_names(tiebreaks: Iterable[str]) -> list[str]:
    """The tie-breaks that are not combinations."""
    return [name for name in tiebreaks if len(ladder(name)) == 1]


def worse_than_tied(judged: Evaluation) -> list[str]:
    """The single tie-breaks shown to be worse than direct encounter, by the true order."""
    names = [one for one in single_names(judged.tiebreaks) if one not in (DIRECT, RANDOM)]
    pairs = pd.DataFrame({"second": names}).assign(population="all", criterion=TRUE, first=DIRECT)
    worse = is_better(judged.differences(pairs)) == HOLDS
    return [name for name, is_worse in zip(names, worse, strict=True) if is_worse]


SUMMARIES = ("tiebreaks", "combinations")
"""His summary tables: single tie-breaks and combinations."""

_SAMPLE, _SAMPLE_ROUNDS = ("criteria", "tiebreaks"), 9


def ricca_values() -> pd.DataFrame:
    """His summary tables: `kind`, `population`, `tie_break`, `criterion`, `ricca`."""
    keys = ["kind", "population", "tie_break"]
    return pd.concat([_by_criterion(name, keys) for name in SUMMARIES], ignore_index=True)


def ricca_between() -> pd.DataFrame:
    """His evaluation of the criteria against each other: `kind`, `criterion`, `other`, `ricca`."""
    table = _by_criterion("criteria", ["kind", "first"])
    return table.rename(columns={"criterion": "other", "first": "criterion"})


def _by_criterion(name: str, keys: list[str]) -> pd.DataFrame:
    """The figures of one of his tables by its keys and the criterion of the column."""
    table = load_table("ricca", f"{name}.csv")
    table.columns = pd.Index([*keys, *table.columns[len(keys) :]])
    long = table.melt(keys, list(CRITERIA), "criterion", "ricca").dropna()
    return long.astype({"ricca": float})


def sample_event() -> pd.DataFrame:
    """The figures of his sample event, recomputed where possible.

    He prints points and criteria of every player but no games. So criteria can be compared with
    each other; of the tie-breaks only Buchholz can be computed, from BRUNO and the points.

    **Returns:** a row a figure:

    - `population`, `row`, `criterion`: its cell; rows are tie-breaks, or criteria in the table of
      criteria against each other, whose population is empty.
    - `players`: number of players.
    - `printed`: his figure.
    - `ours`: recomputed from his table of players; None if that needs the games.
    - `possible`: whether any places of as many players have this root mean square difference to
      four decimals.
    """
    table = load_table("ricca", "sample_players.csv")
    scores = table.score.to_numpy(float)
    criteria = {name: table[name.lower()].to_numpy(float) for name in CRITERIA}
    buchholz = criteria["BRUNO"] / (100 * scores)
    # The strengths of ZERMELO are printed with too few digits to distinguish all players.
    criteria["ZERMELO"] = -table.zermelo_position.to_numpy(float)
    everybody = np.ones(len(table), bool)
    best = top_scorers(np.rint(2 * scores).astype(int), _SAMPLE_ROUNDS)
    who = {"": everybody, "all": everybody, "top33": best}

    def recomputed(population: str, row: str, criterion: str) -> str | None:
        if row in CRITERIA:
            return f"{evaluation(places(criteria[row]), places(criteria[criterion])):.4f}"
        if row != "BH":
            return None
        ours, his = (adjusted(scores, values) for values in (buchholz, criteria[criterion]))
        return f"{evaluation(ours, his, who[population]):.4f}"

    tables = (pd.DataFrame(read_rows("ricca", f"sample_{one}.csv")) for one in _SAMPLE)
    printed = pd.concat(
        [one.rename(columns={"criterion": "row", "tie_break": "row"}) for one in tables],
        ignore_index=True,
    ).fillna({"population": ""})
    keys = ["population", "row"]
    cells = printed.melt(keys, list(CRITERIA), "criterion", "printed", ignore_index=False)
    found = cells[cells["printed"] != ""].sort_index(kind="stable", ignore_index=True)
    found.insert(3, "players", [int(who[one].sum()) for one in found["population"]])
    return found.assign(
        ours=pd.Series(list(map(recomputed, *(found[name] for name in (*keys, "criterion"))))),
        possible=list(map(is_possible, found["printed"], found["players"])),
    )


def is_possible(printed: str, players: int) -> bool:
    """Whether some sum of squares of halves gives the printed root mean square difference."""
    near = round(4 * players * float(printed) ** 2)
    reach = 1 + math.ceil(4 * players * float(printed) * 1e-4)
    return any(
        f"{math.sqrt(total / (4 * players)):.4f}" == printed
        for total in range(max(0, near - reach), near + reach + 1)
    )


_COMBINATIONS = 8
"""How many combinations are shown."""


def summary(frames: Frames) -> dict[str, Any]:
    """Short tables of tie-breaks, claims and criteria, and his sample event recomputed."""
    values, between, sample = frames["values"], frames["between"], sample_event()
    of_all = where(values, population="all")
    by_kind = wide(where(of_all, criterion=TRUE), "tie_break", "config", "value")
    single = by_kind.loc[single_names(by_kind.index)]
    combined = by_kind.drop(index=single.index)
    shares = (combined / single.loc[RANDOM]).sum(axis=1)
    place = {name: number for number, name in enumerate(ALL_CRITERIA)}
    below = between["criterion"].map(place) > between["other"].map(place)
    return {
        "short": SHORT,
        "lots": LOTS,
        "best": _best(single, frames["worse"]),
        "single": single.reset_index(),
        "combined": combined,
        "nearest": combined.loc[
            shares.sort_values(kind="stable").index[:_COMBINATIONS]
        ].reset_index(),
        "agreements": agreement_summary(frames["agreement"], "config"),
        "claims": _claims(frames),
        "against": wide(between[below], ["criterion", "other"], "config", "value").reset_index(),
        "sample": sample,
        "recomputed": _recomputed(sample),
        "one_in": round(1 / _chance(sample[sample["population"] != ""])),
        # This value measures the size of score groups.
        "ties": where(of_all, tie_break=DIRECT, criterion="ABSELO")
        .dropna(subset=["ricca"])
        .merge(frames["kinds"]),
    }


def _best(single: pd.DataFrame, worse: pd.DataFrame) -> pd.DataFrame:
    """The three best single tie-breaks by the true order, and those worse than ties, by kind."""
    rows = []
    for config, values in single.items():
        best = values.dropna().astype(float).sort_values(kind="stable").index[:3]
        rows.append((config, *best, ", ".join(where(worse, config=config)["tie_break"])))
    header = ["kind of event", "nearest", "second", "third", "worse than ties"]
    return pd.DataFrame(rows, columns=header)


def _claims(frames: Frames) -> pd.DataFrame:
    """His claims, how many columns show them, and the verdicts."""
    verdicts = verdicts_on(ORDERS, SOURCE, frames["counted"])
    claims = (
        frames["claims"]
        .merge(frames["said"])
        .merge(frames["counted"])
        .merge(verdicts, "left", left_on="text", right_on="claim")
    )
    return claims.assign(first=claims["methods"].str[0], second=claims["others"].str[0])


def _recomputed(sample: pd.DataFrame) -> pd.DataFrame:
    """For every row of his tables: how many figures are recomputed, and how many are equal."""
    known = sample[sample["ours"].notna()]
    known = known.assign(
        population=known["population"].map({"": "not adjusted", **POPULATIONS}),
        equal=known["ours"] == known["printed"],
    )
    return known.groupby(["population", "row"], sort=False, as_index=False).agg(
        recomputed=("equal", "size"), equal=("equal", "sum")
    )


def _chance(sample: pd.DataFrame) -> float:
    """The share of possible figures among the numbers close to the printed ones."""
    tries = [
        is_possible(f"{float(printed) + step * 1e-4:.4f}", players)
        for printed, players in zip(sample["printed"], sample["players"], strict=True)
        for step in range(-10, 11)
        if float(printed) > 0
    ]
    return sum(tries) / len(tries)


_SHOWN = [criterion for criterion in ALL_CRITERIA if criterion != RANDOM]


def _by_kind(frames: Frames, population: str) -> dict[str, pd.DataFrame]:
    """Values of single tie-breaks by the criteria that are shown, a frame a configuration."""
    values = frames["values"]
    single = values["tie_break"].isin(single_names(values["tie_break"].unique()))
    kept = where(values[single & values["criterion"].isin(_SHOWN)], population=population)
    return {str(config): some for config, some in kept.groupby("config", sort=False)}


def heat_figure(frames: Frames, population: str) -> Figure:
    """Values as shares of that of lots, one panel per kind."""
    kinds = {
        config: wide(some, "tie_break", "criterion", "value")
        for config, some in _by_kind(frames, population).items()
    }
    rows = max(map(len, kinds.values()))
    figure = blank_figure(3.3 * len(kinds) + 1.2, 0.34 * rows + 1.9)
    panels = figure.subplots(1, len(kinds), squeeze=False)[0]
    for panel, (config, values) in zip(panels, kinds.items(), strict=True):
        draw_heat(panel, values / values.loc[RANDOM], Normalize(0.0, 1.0))
        dress(panel, config, "", "", grid=False)
        panel.tick_params(labelsize=8)
    figure.suptitle(
        f"Values as shares of a draw of lots, {POPULATIONS[population]} "
        "(0: the criterion's own order, 1: no better than lots)",
        fontsize=11,
        color=INK,
    )
    return figure


def dot_figure(frames: Frames, population: str) -> Figure:
    """Values with 95 % intervals, one row of panels per kind; his values are hollow."""
    kinds = _by_kind(frames, population)
    heights = [some["tie_break"].nunique() for some in kinds.values()]
    figure = blank_figure(2.15 * len(_SHOWN) + 1.4, 0.19 * sum(heights) + 0.75 * len(heights) + 0.5)
    grid = figure.subplots(
        len(kinds), len(_SHOWN), sharey="row", squeeze=False, height_ratios=heights
    )
    for panels, (config, some) in zip(grid, kinds.items(), strict=True):
        names = some["tie_break"].unique()[::-1]
        for panel, criterion in zip(panels, _SHOWN, strict=True):
            _draw_dots(panel, some[some["criterion"] == criterion][::-1])
            title = f"{config}\n{criterion}" if criterion == _SHOWN[0] else criterion
            dress(panel, title, "", "", size=9)
            panel.set_xlim(left=-0.02 * panel.get_xlim()[1])
        panels[0].set_yticks(range(len(names)), names, parse_math=False)
        panels[0].tick_params(labelsize=8)
    for panel in grid[-1]:
        panel.set_xlabel("places", fontsize=9, color=INK)
    ours = f"ours, with 95 % interval: {POPULATIONS[population]}"
    legend_below(figure, [(ours, "o", COLOURS[0]), ("Ricca", HOLLOW, COLOURS[1])], 9)
    return figure


def _draw_dots(panel: Axes, rows: pd.DataFrame) -> None:
    """A tie-break a row, from below."""
    draw_marks(panel, rows, "value", range(len(rows)), COLOURS[0])
    panel.plot(
        rows["ricca"], range(len(rows)), "D", color=COLOURS[1], fillstyle="none", markersize=4.5
    )


FIGURES = {
    f"{kind}-{population}.png": partial(draw, population=population)
    for population in POPULATIONS
    for kind, draw in (("heat", heat_figure), ("tiebreaks", dot_figure))
}
