"""Which tie-break agrees best with global criteria? R. Ricca's study in our events.

Source: R. Ricca, *Looking for the best tie-break*, FIDE Technical Commission, 2016; his figures are
in `tb2learn/data/ricca/`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Bool, Int
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from studies.claims import HOLDS
from studies.figures import HOLLOW, draw_heat, legend_below
from studies.frames import wide
from studies.global_criteria import CRITERIA, adjusted, evaluation, places, top_scorers
from studies.ricca import (
    ALL_CRITERIA,
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
    said,
    verdicts_on,
)
from studies.script import events as number_of_events
from studies.script import report, script, written
from studies.worlds import seeded
from tb2learn.arrays import dense_rank
from tb2learn.catalogue import find_rule
from tb2learn.chess.results import Results
from tb2learn.config import Config, load_config
from tb2learn.data import load_table, read_rows
from tb2learn.jax_types import Key
from tb2learn.report.frames import where
from tb2learn.report.style import COLOURS, INK, blank_figure, draw_marks, dress
from tb2learn.simulation.event import Event
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.combined import DirectEncounter
from tb2learn.tiebreaks.names import find_tiebreak
from tb2learn.types import BYE, pytree

INDIVIDUAL = {
    "150-10": "individual-150x10",
    "100-9": "individual-100x9",
    "50-6": "individual-50x6",
}
"""Configurations of his kinds of events."""

TEAMS = "olympiad-180x11"

SHORT = {
    "MD": "buchholz-median1",
    "B1": "buchholz-cut1",
    "BH": "buchholz",
    "OR": "aro",
    "OC": "aroc",
    "OP": "apro",
    "PT": "ptpr",
    "PS": "progressive",
    "SB": "sonneborn-berger",
    "KY": "koya",
    "DE": "direct",
    "BB": "blacks",
    "WW": "wins",
}
"""Ricca's abbreviations in combinations."""

DIRECT, LOTS = "DE", "RD"

SINGLE = {
    "APRO": "OP",
    "ARO": "OR",
    "AROC": "OC",
    "PTPR": "PT",
    "MEDIAN": "MD",
    "BHCUT1": "B1",
    "BH": "BH",
    "PROGRES": "PS",
    "SONNBER": "SB",
    "KOYA": "KY",
    "DE": "DE",
    "BLACKS": "BB",
    "WINS": "WW",
    RANDOM: "RD",
    "COMPLETE": "DE_B1_DE_PS_DE",
}
"""Ricca's names of single tie-breaks, and of one combination, by their abbreviations."""

TEAM_RULES = ("game-points", "product", "least-squares", "formula-180x11", "learned-180x11")
"""Further rules that are evaluated in team events."""


def _claim(
    text: str,
    better: str,
    worse: str,
    populations: tuple[str, ...] = (*POPULATIONS,),
    kinds: tuple[str, ...] = (*INDIVIDUAL,),
) -> OrderClaim:
    return OrderClaim(text, (better,), (worse,), (*CRITERIA,), populations, kinds=kinds)


CLAIMS = (
    _claim(
        "Among all players Median is the best Buchholz: better than Cut-1",
        *("MEDIAN", "BHCUT1", ("all",)),
    ),
    _claim("... and better than the whole sum", "MEDIAN", "BH", ("all",)),
    _claim("Among the top scorers Cut-1 is better than Median", "BHCUT1", "MEDIAN", ("top33",)),
    _claim("APRO is the best rating tie-break: better than ARO", "APRO", "ARO"),
    _claim("... better than AROC", "APRO", "AROC"),
    _claim("... better than PTPR", "APRO", "PTPR"),
    _claim("Buchholz Cut-1 is much better than Sonneborn-Berger", "BHCUT1", "SONNBER"),
    _claim("Progressive points are better than Koya", "PROGRES", "KOYA"),
    _claim("Sonneborn-Berger is better than Koya", "SONNBER", "KOYA"),
    _claim("Progressive points are mostly better than Sonneborn-Berger", "PROGRES", "SONNBER"),
    _claim("Games with Black are hardly better than lots", "BLACKS", RANDOM),
    _claim("Wins are hardly better than lots", "WINS", RANDOM),
    _claim("Wins are better than games with Black in 9 rounds", "WINS", "BLACKS", kinds=("100-9",)),
    _claim("... and worse in 10 and 6 rounds", "BLACKS", "WINS", kinds=("150-10", "50-6")),
    _claim("After Median, APRO is the best second tie-break", "MD_OP_RD", "MD_OR_RD", ("all",)),
    _claim(
        "After Median, progressive points are better than Koya", "MD_PS_WW", "MD_KY_WW", ("all",)
    ),
    _claim(
        "Direct encounter as first tie-break makes little difference",
        *("DE_B1_PS_WW", "B1_PS_WW", ("all",)),
    ),
)
"""His conclusions; a comparison that he calls even is tested in the direction of the names."""


# --------------------------------------------------------------------------- one event


def ladder(name: str) -> tuple[str, ...]:
    """The steps of a tie-break by Ricca's name, abbreviated as in `SHORT`; RD draws lots.

    Any other name is one of our rules, which is a single step.
    """
    return (name,) if name in TEAM_RULES else (*SINGLE.get(name, name).split("_"),)


def step_rule(step: str, rounds: int, boards: int) -> TieBreak:
    """The tie-break of a step (except lots) for a format.

    In a team event Sonneborn-Berger is that of match points (EMMSB), as a match counts as one game.
    """
    if step in TEAM_RULES:
        return find_rule(step, rounds, boards).tiebreak()
    name = "emmsb" if step == "SB" and boards > 1 else SHORT[step]
    return find_tiebreak(name, rounds, boards)[0]


@pytree
class Ladders:
    """Tie-breaks as sequences of steps, so that one compiled program serves any number of them.

    **Fields:**

    - `rules`: the steps that depend only on the results.
    - `steps`: numbers of the steps of every tie-break: first those of `rules`, then direct
      encounter, lots, and nothing.
    - `direct`: the direct encounter, which depends on who is still tied.
    """

    rules: tuple[TieBreak, ...]
    steps: Int[Array, "tiebreaks steps"]
    direct: DirectEncounter

    def ranks(self, results: Results, lots: Int[Array, " teams"]) -> Int[Array, "tiebreaks teams"]:
        """Ranks by match points, then by the steps; 0 is the lowest, and ties have equal ranks."""
        scores = [rule.scores(results) for rule in self.rules]
        values = jnp.stack([*scores, 0 * lots, lots, 0 * lots])

        def climb(steps: Array) -> Array:
            def decide(tied: Array, step: Array) -> tuple[Array, None]:
                value = jax.lax.cond(
                    step == len(self.rules),
                    lambda: self.direct.scores(results, tied),
                    lambda: values[step],
                )
                return dense_rank(tied, value), None

            return jax.lax.scan(decide, dense_rank(results.match_points), steps)[0]

        return jax.lax.map(climb, self.steps)


def ladders(names: Sequence[str], rounds: int, boards: int) -> Ladders:
    """Tie-breaks by Ricca's names or those of our rules, for a format."""
    orders = [ladder(name) for name in names]
    known = [step for step in dict.fromkeys(sum(orders, ())) if step not in (DIRECT, LOTS)]
    numbers = {step: number for number, step in enumerate([*known, DIRECT, LOTS])}
    steps = np.full((len(orders), max(map(len, orders))), len(numbers), np.int32)
    for row, order in zip(steps, orders, strict=True):
        row[: len(order)] = [numbers[step] for step in order]
    rules = tuple(step_rule(step, rounds, boards) for step in known)
    return Ladders(rules, jnp.asarray(steps), DirectEncounter(once=True))


def colours(opponents: Int[Array, "rounds teams"]) -> Bool[Array, "rounds teams"]:
    """Who has White. Simulated events have no colours, but one tie-break counts them.

    The side that had White less often gets it; if both had it equally often, the higher seed in odd
    rounds and the lower seed in even ones. Colours have no effect on results.
    """
    team = jnp.arange(opponents.shape[1])

    def one_round(had: Array, now: tuple[Array, Array]) -> tuple[Array, Array]:
        number, opponent = now
        less = had[opponent] - had
        higher = team < opponent
        white = (opponent != BYE) & ((less > 0) | ((less == 0) & (higher == (number % 2 == 0))))
        return had + white, white

    start = jnp.zeros(len(team), jnp.int32)
    return jax.lax.scan(one_round, start, (jnp.arange(len(opponents)), opponents))[1]


def measure_event(key: Key, event: Event, config: Config, tiebreaks: Ladders) -> dict[str, Array]:
    """What `event_sums` needs of an event; two lots, one a criterion and one a tie-break."""
    boards = config.event.boards
    ratings = (2 * event.rosters.sum(axis=-1) + boards) // (2 * boards)
    results = replace(event.results, ratings=ratings, whites=colours(event.opponents))
    lots = jax.vmap(partial(jax.random.permutation, x=len(ratings)))(jax.random.split(key))
    assert event.strength is not None
    return {
        "opponents": event.opponents,
        "half_points": event.half_points,
        "ratings": ratings,
        "strength": event.strength,
        "lots": lots[0],
        "ranks": tiebreaks.ranks(results, lots[1]),
    }


def evaluate_kind(
    kind: str, config: Config, tiebreaks: Sequence[str], events: int, seed: int
) -> Evaluation:
    """Evaluate tie-breaks by Ricca's names, or those of our rules, in events of one kind."""
    steps = ladders(tiebreaks, config.event.rounds, config.event.boards)
    sums = partial(event_sums, config=config)
    return evaluate(kind, config, tiebreaks, (events, seed), measure_event, sums, steps)[0]


# --------------------------------------------------------------------------- his figures

SUMMARIES = ("tiebreaks", "combinations")
"""His summary tables: single tie-breaks and combinations."""

_SAMPLE, _SAMPLE_ROUNDS = ("criteria", "tiebreaks"), 9


def ricca_names() -> tuple[str, ...]:
    """The tie-breaks of his summary tables: single ones first, then combinations."""
    tables = (load_table("ricca", f"{name}.csv") for name in SUMMARIES)
    return tuple(dict.fromkeys(name for table in tables for name in table.tie_break))


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

    tables = (pd.DataFrame(read_rows("ricca", f"sample_{name}.csv")) for name in _SAMPLE)
    printed = pd.concat(
        [each.rename(columns={"criterion": "row", "tie_break": "row"}) for each in tables],
        ignore_index=True,
    ).fillna({"population": ""})
    keys = ["population", "row"]
    cells = printed.melt(keys, list(CRITERIA), "criterion", "printed", ignore_index=False)
    cells = cells[cells["printed"] != ""].sort_index(kind="stable", ignore_index=True)
    cells.insert(3, "players", [int(who[each].sum()) for each in cells["population"]])
    return cells.assign(
        ours=pd.Series(list(map(recomputed, *(cells[name] for name in (*keys, "criterion"))))),
        possible=list(map(is_possible, cells["printed"], cells["players"])),
    )


def is_possible(printed: str, players: int) -> bool:
    """Whether some sum of squares of halves gives the printed root mean square difference."""
    near = round(4 * players * float(printed) ** 2)
    reach = 1 + math.ceil(4 * players * float(printed) * 1e-4)
    return any(
        f"{math.sqrt(total / (4 * players)):.4f}" == printed
        for total in range(max(0, near - reach), near + reach + 1)
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


# --------------------------------------------------------------------------- tables


def single_names(tiebreaks: Iterable[str]) -> list[str]:
    """The tie-breaks that are not combinations."""
    return [name for name in tiebreaks if len(ladder(name)) == 1]


def worse_than_tied(judged: Evaluation) -> list[str]:
    """The single tie-breaks shown to be worse than direct encounter, by the true order."""
    names = [name for name in single_names(judged.tiebreaks) if name not in (DIRECT, RANDOM)]
    pairs = pd.DataFrame({"second": names}).assign(population="all", criterion=TRUE, first=DIRECT)
    found = judged.differences(pairs)
    return found.loc[found["verdict"] == HOLDS, "second"].tolist()


def tables(judged: Sequence[Evaluation]) -> dict[str, pd.DataFrame]:
    """All that the report shows of some evaluations, with his figures beside ours.

    **Returns:** frames by `kind` of events, the name of a configuration:

    - `values`: `value`, `low`, `high` and `ricca` by `population`, `tie_break` and `criterion`;
      `worse`: whether a single tie-break is surely worse than direct encounter by the true order.
    - `between`: the same of two criteria (`criterion`, `other`) against each other.
    - `agreement`: see `ricca.agreement`.
    - `claims`: in how many columns his claims hold, see `ricca.counted`.
    """
    his, between = ricca_values(), ricca_between()
    axes = [list(POPULATIONS), list(CRITERIA), [name for name in SINGLE if name != "COMPLETE"]]
    cells = pd.MultiIndex.from_product(axes, names=["population", "criterion", "tie_break"])
    parts: dict[str, list[pd.DataFrame]] = {"values": [], "between": [], "agreement": []}
    for kind in judged:
        own = his[his["kind"] == kind.kind]
        column = cells.to_frame(index=False).merge(own)
        column = column.assign(sum="", method=column["tie_break"], elsewhere=math.nan)
        values = kind.frame().assign(kind=kind.kind).merge(own, how="left")
        of_all = (values["population"] == "all") & (values["criterion"] == TRUE)
        values["worse"] = values["tie_break"].isin(worse_than_tied(kind)) & of_all
        parts["values"].append(values)
        parts["between"].append(kind.between_frame().assign(kind=kind.kind).merge(between, "left"))
        parts["agreement"].append(agreement(kind, column))
    frames = {name: pd.concat(frames, ignore_index=True) for name, frames in parts.items()}
    frames["claims"] = counted(CLAIMS, judged)
    for frame in frames.values():
        frame.insert(0, "kind", frame.pop("kind").replace(INDIVIDUAL))
    return frames


_COMBINATIONS = 8
"""How many combinations are shown."""


def summary(frames: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """Short tables of tie-breaks, claims and criteria, and his sample event recomputed."""
    values, between, sample = frames["values"], frames["between"], sample_event()
    of_all = where(values, population="all")
    by_kind = wide(where(of_all, criterion=TRUE), "tie_break", "kind", "value")
    single = by_kind.loc[single_names(by_kind.index)]
    combined = by_kind.drop(index=single.index)
    shares = (combined / single.loc[RANDOM]).sum(axis=1).sort_values(kind="stable")
    place = {name: number for number, name in enumerate(ALL_CRITERIA)}
    below = between["criterion"].map(place) > between["other"].map(place)
    return {
        "short": SHORT,
        "lots": LOTS,
        "complete": SINGLE["COMPLETE"],
        "best": _best(single, values[values["worse"]]),
        "single": single.reset_index(),
        "combined": combined,
        "nearest": combined.loc[shares.index[:_COMBINATIONS]].reset_index(),
        "agreement": frames["agreement"],
        "agreements": agreement_summary(frames["agreement"]),
        "claims": _claims(frames["claims"]),
        "against": wide(between[below], ["criterion", "other"], "kind", "value").reset_index(),
        "sample": sample,
        "recomputed": _recomputed(sample),
        "one_in": round(1 / _chance(sample[sample["population"] != ""])),
        # This value measures the size of score groups.
        "ties": where(of_all, tie_break=DIRECT, criterion="ABSELO").dropna(subset=["ricca"]),
    }


def _best(single: pd.DataFrame, worse: pd.DataFrame) -> pd.DataFrame:
    """The three best single tie-breaks by the true order, and those worse than ties, by kind."""
    rows = []
    for kind, values in single.items():
        best = values.dropna().astype(float).sort_values(kind="stable").index[:3]
        rows.append((kind, *best, ", ".join(where(worse, kind=kind)["tie_break"])))
    header = ["kind of event", "nearest", "second", "third", "worse than ties"]
    return pd.DataFrame(rows, columns=pd.Index(header))


def _claims(counts: pd.DataFrame) -> pd.DataFrame:
    """His claims, how many columns of his and of ours show them, and the verdicts."""
    pairs = [(claim.text, claim.methods[0], claim.others[0]) for claim in CLAIMS]
    claims = pd.DataFrame(pairs, columns=pd.Index(["text", "first", "second"]))
    ours = counts.drop(columns="kind").groupby("text", sort=False, as_index=False).sum()
    return claims.merge(said(CLAIMS, ricca_values())).merge(ours).merge(verdicts_on(counts))


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


# --------------------------------------------------------------------------- figures

_SHOWN = [criterion for criterion in ALL_CRITERIA if criterion != RANDOM]


def _by_kind(values: pd.DataFrame, population: str) -> dict[str, pd.DataFrame]:
    """Values of single tie-breaks by the criteria that are shown, a frame a kind."""
    single = values["tie_break"].isin(single_names(values["tie_break"].unique()))
    kept = where(values[single & values["criterion"].isin(_SHOWN)], population=population)
    return {str(kind): some for kind, some in kept.groupby("kind", sort=False)}


def heat_figure(values: pd.DataFrame, population: str) -> Figure:
    """Values as shares of that of lots, one panel per kind."""
    kinds = {
        kind: wide(some, "tie_break", "criterion", "value")
        for kind, some in _by_kind(values, population).items()
    }
    rows = max(map(len, kinds.values()))
    figure = blank_figure(3.3 * len(kinds) + 1.2, 0.34 * rows + 1.9)
    panels = figure.subplots(1, len(kinds), squeeze=False)[0]
    for panel, (kind, shown) in zip(panels, kinds.items(), strict=True):
        draw_heat(panel, shown / shown.loc[RANDOM], Normalize(0.0, 1.0))
        dress(panel, kind, "", "", grid=False)
        panel.tick_params(labelsize=8)
    figure.suptitle(
        f"Values as shares of a draw of lots, {POPULATIONS[population]} "
        "(0: the criterion's own order, 1: no better than lots)",
        fontsize=11,
        color=INK,
    )
    return figure


def dot_figure(values: pd.DataFrame, population: str) -> Figure:
    """Values with 95 % intervals, one row of panels per kind; his values are hollow."""
    kinds = _by_kind(values, population)
    heights = [some["tie_break"].nunique() for some in kinds.values()]
    figure = blank_figure(2.15 * len(_SHOWN) + 1.4, 0.19 * sum(heights) + 0.75 * len(heights) + 0.5)
    grid = figure.subplots(
        len(kinds), len(_SHOWN), sharey="row", squeeze=False, height_ratios=heights
    )
    for panels, (kind, some) in zip(grid, kinds.items(), strict=True):
        names = some["tie_break"].unique()[::-1]
        for panel, criterion in zip(panels, _SHOWN, strict=True):
            _draw_dots(panel, some[some["criterion"] == criterion][::-1])
            title = f"{kind}\n{criterion}" if criterion == _SHOWN[0] else criterion
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
    style = {"color": COLOURS[1], "fillstyle": "none", "markersize": 4.5}
    panel.plot(rows["ricca"], range(len(rows)), "D", **style)


@script("reports/tiebreaks", number_of_events(500, "simulated events of every kind"))
def main(out: Path, events: int, seed: int) -> None:
    """Compare tie-breaks with R. Ricca's global criteria, on simulated events of several kinds."""
    kinds = {kind: load_config(name) for kind, name in INDIVIDUAL.items()}
    # Ricca seeds by true strength.
    unseeded = seeded(kinds["100-9"], math.inf)
    for config in (replace(unseeded, name=f"{unseeded.name}-random-seeds"), load_config(TEAMS)):
        kinds[config.name] = config
    judged = []
    for kind, config in kinds.items():
        names = (*ricca_names(), *(TEAM_RULES if config.event.boards > 1 else ()))
        judged.append(evaluate_kind(kind, config, names, events, seed))
    frames = written(out, tables(judged), DIGITS)
    figures = {
        f"{name}-{population}.png": draw(frames["values"], population)
        for population in POPULATIONS
        for name, draw in (("heat", heat_figure), ("tiebreaks", dot_figure))
    }
    given = {**summary(frames), "events": events, "seed": seed}
    report(out, "tiebreaks.md", given, figures)


if __name__ == "__main__":
    main()
