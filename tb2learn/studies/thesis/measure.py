"""Tables 4.4 to 4.9 of the thesis beside our own figures.

Nothing is fitted to the printed figures; differences are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Float, Int, Num
from matplotlib.figure import Figure

from tb2learn.assessment.assess import Assessment, assess
from tb2learn.assessment.tally import BLOCKS, TOPS, Tally, by_block, summarise
from tb2learn.assessment.thesis_protocol import REPEATS
from tb2learn.chess.results import reduced_sum, weakest_item
from tb2learn.config import Config, load_config, with_plan
from tb2learn.data import load_table
from tb2learn.jax_types import Key
from tb2learn.report.frames import Frames, where
from tb2learn.report.stored import Csv
from tb2learn.report.style import COLOURS, blank_figure, draw_marks, dress, in_percent
from tb2learn.simulation import games
from tb2learn.simulation.event import Event
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange, Progress, sum_events
from tb2learn.stats import interval
from tb2learn.tiebreaks.rules import product_table
from tb2learn.training import difficulty
from tb2learn.training.difficulty_log import DifficultyLog, difficulty_score
from tb2learn.training.surface_fit import fit_surface
from tb2learn.training.tabulate import surface_table

CONFIG = "thesis-180x11"

GROUPS = 20
"""Groups of training events for the jackknife intervals."""

FULL_SCALE = 88
"""The thesis scales its scores by 22 match points x 4 game points to compare with the old rule."""

PRINTED_SUMS = {"USA": 452.6, "Ukraine": 455.5}
"""The sums that the thesis prints below Table 4.8."""

OLD, NEW = "product", "difficulty score"

FILES = (Csv(".csv", "cells", digits=5),)


def measure(events: int | None, seed: int | None, assessed: int) -> dict[str, pd.DataFrame]:
    """Recompute Tables 4.4 to 4.9.

    **Arguments:**

    - `events`, `seed`: how many events fill the log, and the seed of all; by default those of the
      configuration.
    - `assessed`: number of events of the assessment.

    **Returns:**

    - `about`: what was simulated.
    - `cells`: Table 4.9, the new scoring function at own match points 20: a row a cell, `printed`
      and `ours` (NaN where our log has no match) with its standard error, a delete-a-group
      jackknife over events.
    - `gaps`: `gaps_by_result` of the cells with all their digits, of which their file has fewer.
    - `sums`: Table 4.8, a row a team.
    - `errors`: the error tables 4.4 to 4.7, a row a population and rule: `printed` and `ours` with
      the ends of their intervals, and so the reductions; tied `pairs` of ours.
    - `few`: `few_teams` for the cells.
    """
    config = with_plan(load_config(CONFIG), events, seed)
    plan = config.train
    log, groups = _grouped_log(config)
    # The smooth surface of the same log stands for the scoring function of the thesis, as the raw
    # log has cells without a match.
    learned = surface_table(fit_surface(log, log, config.surface, "fit").surface, NEW)
    rules = [product_table(config.event.rounds, config.event.boards), learned]
    shown = Progress("assess")
    ours = assess(config, rules, assessed, plan.seed, "thesis", "own", progress=shown)
    cells = _table_4_9(log, groups)
    observed = float((cells["ours"] - cells["printed"]).abs().mean())
    opponents = sorted(cells["opponent_mp"].unique().tolist())
    few = few_teams(config, log.scores()[OWN], opponents, observed, plan.seed, "few teams")
    about = {
        "config": config.name,
        "events": plan.events,
        "seed": plan.seed,
        "law": plan.law,
        "assessed": assessed,
    }
    return {
        "about": pd.DataFrame([about]),
        "cells": cells,
        "gaps": gaps_by_result(cells),
        "sums": _table_4_8(learned.points),
        "errors": _error_tables(ours),
        "few": few,
    }


def _grouped_log(config: Config) -> tuple[DifficultyLog, list[DifficultyLog]]:
    size = -(-config.train.events // GROUPS)
    groups = [
        difficulty.collect(
            config,
            EventRange(config.train.seed, Purpose.TRAIN, size, g * size),
            progress=Progress(f"simulate {g + 1}/{GROUPS}"),
        )
        for g in range(GROUPS)
    ]
    whole = EventRange(config.train.seed, Purpose.TRAIN, size * GROUPS)
    counts = sum(group.counts for group in groups)
    return replace(groups[0], counts=counts, events=whole), groups


def _table_4_9(log: DifficultyLog, groups: list[DifficultyLog]) -> pd.DataFrame:
    ours = log.scores()[OWN]
    without = np.stack([replace(log, counts=log.counts - g.counts).scores()[OWN] for g in groups])
    spread = without - without.mean(axis=0)
    error = np.sqrt((len(groups) - 1) / len(groups) * (spread**2).sum(axis=0))
    printed = load_table("thesis", "table_4_9_surface_own20.csv")
    at = _places(printed)
    return pd.DataFrame(
        {"opponent_mp": at[0], "gp": at[1] / 2, "printed": printed["new_c"],
         "ours": ours[at].astype(float), "standard_error": error[at].astype(float)}
    )  # fmt: skip


def _places(table: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Opponent's match points and half game points of the rows of a printed table."""
    half_points = (2 * table["gp"]).round()
    return table["opp_mp"].to_numpy(int), half_points.to_numpy(int)


def _table_4_8(points: Num[np.ndarray, "shares shares results"]) -> pd.DataFrame:
    surface = load_table("thesis", "table_4_9_surface_own20.csv")
    printed = np.full(points.shape[1:], np.nan)
    printed[_places(surface)] = surface["new_c"]
    results, rows = load_table("thesis", "table_4_8_usa_ukraine.csv"), []
    for team, total in PRINTED_SUMS.items():
        at = _places(results[results["team"] == team])
        recomputed = _reduced(at[0], np.round(1e4 * printed[at]).astype(int)) / 1e4
        ours = _reduced(at[0], points[OWN][at]) / points.max()
        rows.append((team, total, FULL_SCALE * recomputed, FULL_SCALE * ours))
    return pd.DataFrame(rows, columns=["team", "printed", "from_printed_surface", "ours"])


def _reduced(opponents: Num[np.ndarray, " games"], values: Num[np.ndarray, " games"]) -> int:
    items = jnp.asarray(values)
    weakest = weakest_item(jnp.asarray(opponents), items, jnp.zeros(len(values), bool))
    return int(reduced_sum(items, weakest))


def _error_tables(ours: Assessment) -> pd.DataFrame:
    table = load_table("thesis", "tables_4_4_to_4_7_runs.csv")

    def column(kind: str) -> np.ndarray:
        return table.pivot(index="run", columns="top_n", values=kind)[list(TOPS[:-1])].to_numpy(int)

    wrong = np.stack([column("old_wrong"), column("new_wrong")], axis=1)
    pairs = column("old_wrong") + column("old_correct")
    printed = summarise(Tally((OLD, NEW), pairs, wrong, 1, None), seed=0)
    keys = ["top", "rule"]
    found = {"printed": replace(ours, results=printed).frame, "ours": ours.frame}
    named = (
        frame.astype({"top": object}).set_index(keys).add_prefix(f"{name}_")
        for name, frame in found.items()
    )
    both = pd.concat(named, axis=1, join="inner").reset_index()
    both = both.rename(columns=lambda name: name.removesuffix("_error_rate"))
    return both.sort_values("top", kind="stable", ignore_index=True)


OWN = 20
"""Match points of the teams in Table 4.9."""

TEAMS = (2, 4, 8)
"""Numbers of teams in a drawn log."""

MATCHES = 100
"""Matches of one pair of teams in the thesis's log."""

DRAWN = 2000
"""Logs that are drawn."""


def few_teams(
    config: Config,
    scores: Float[np.ndarray, "shares results"],
    opponents: Sequence[int],
    observed: float,
    seed: int,
    label: str | None = None,
) -> pd.DataFrame:
    """Draw logs of few teams and compare them with the log of all.

    **Arguments:**

    - `config`: what the log was collected from.
    - `scores`: difficulty scores of the log of all, at own match points `OWN`.
    - `opponents`: opponents' match points of the cells.
    - `observed`: the printed surface's mean absolute deviation.
    - `seed`: of the drawn logs; the events are those of the log.
    - `label`: shows a progress bar with this label.

    **Returns:** a row a number of `teams` on `OWN` match points in a log, each of another event, as
    far as so many events have one: `median`, `low` and `high` of the mean absolute deviation over
    the cells (the middle 95 % of drawn logs), and `above`, the share of drawn logs that lie farther
    off than the printed surface does.
    """
    events = min(config.train.events, BLOCKS)
    below, matches = sum_events(
        config,
        law_of_one_team,
        EventRange(config.train.seed, Purpose.TRAIN, events),
        np.int32(OWN),
        by_block(events),
        progress=Progress(label),
    )
    found = matches.sum(axis=1) > 0
    below, matches = below[found][:, opponents], matches[found][:, opponents]
    generator = np.random.default_rng(seed)
    truth = scores[list(opponents)]
    rows = []
    for teams in (number for number in TEAMS if number <= len(below)):
        logs = generator.permuted(np.tile(np.arange(len(below)), (DRAWN, 1)), axis=1)[:, :teams]
        drawn = below[logs].sum(axis=1), matches[logs].sum(axis=1)
        apart = _deviations(*drawn, truth, generator)
        low, high = interval(apart)
        above = float((apart > observed).mean())
        rows.append((teams, float(np.median(apart)), float(low), float(high), above))
    return pd.DataFrame(rows, columns=["teams", "median", "low", "high", "above"])


def law_of_one_team(
    key: Key, event: Event, config: Config, own: Int[Array, ""]
) -> tuple[Int[Array, "shares thresholds"], Int[Array, " shares"]]:
    """The law of the matches of one team on some match points, by opponent's match points.

    **Arguments:**

    - `key`: consumed: picks the team.
    - `event`, `config`: the played event.
    - `own`: match points of the team.

    **Returns:** chances to fail to reach half a game point, a point, ..., in units of
    `1/games.UNIT`, summed over the opponents; and the number of opponents. Zeros in an event
    without such a team.
    """
    teams = len(event.rosters)
    on_own = event.match_points == own
    team = jnp.argmax(jnp.where(on_own, jax.random.uniform(key, (teams,)) + 1, 0))
    shares = config.event.max_match_points + 1
    by_points = jax.nn.one_hot(event.match_points, shares, dtype=jnp.int32)
    by_points = by_points.at[team].set(0) * on_own.any()
    one = jnp.broadcast_to(event.rosters[team], event.rosters.shape)
    below = games.cumulative_law(one.T, event.rosters.T, config.game)[: 2 * config.event.boards]
    return (below @ by_points).T, by_points.sum(axis=0)


def _deviations(
    below: Int[np.ndarray, "drawn cells thresholds"],
    matches: Int[np.ndarray, "drawn cells"],
    truth: Float[np.ndarray, "cells results"],
    generator: np.random.Generator,
) -> Float[np.ndarray, " drawn"]:
    """Mean absolute deviation of each drawn log, over the cells that it and the truth have."""
    at_most = below / (np.maximum(matches, 1)[..., None] * games.UNIT)
    law = np.clip(np.diff(at_most, axis=-1, prepend=0.0, append=1.0), 0, None)
    counts = generator.multinomial(MATCHES * matches, law / law.sum(axis=-1, keepdims=True))
    with np.errstate(invalid="ignore"):
        fails = counts.cumsum(axis=-1)[..., :-1] / counts.sum(axis=-1, keepdims=True)
    return np.nanmean(np.abs(difficulty_score(fails) - truth), axis=(1, 2))


def summary(frames: Frames) -> dict[str, Any]:
    """The comparisons of the error tables and of the cells, the order of the teams, constants."""
    errors, sums, cells = frames["errors"], frames["sums"], frames["cells"]
    overlap = (errors["printed_low"] <= errors["ours_high"]) & (
        errors["ours_low"] <= errors["printed_high"]
    )
    known = _known(cells)
    return {
        "errors": errors.assign(matches=overlap.map({True: "yes", False: "NO"})),
        "new": errors[errors["rule"] != errors["rule"].iloc[0]],
        "orders": [
            ", ".join(sums.sort_values(name, ascending=False, kind="stable")["team"])
            for name in ("printed", "ours")
        ],
        "known": known,
        "widest": known.iloc[int(known["gap"].abs().argmax())],
        "repeats": REPEATS,
        "matches": MATCHES,
    }


def _known(cells: pd.DataFrame) -> pd.DataFrame:
    """The cells that our log has, with the `gap` between ours and the printed figure."""
    known = cells[cells["ours"].notna()]
    return known.assign(gap=known["ours"] - known["printed"])


def gaps_by_result(cells: pd.DataFrame) -> pd.DataFrame:
    """How far our cells lie off the printed ones.

    **Returns:** a row a result (`GP`): how many `cells` our log has; `mean`, mean `absolute` and
    `largest` difference, ours minus printed; and `beyond`, how many cells differ by more than 1.96
    standard errors.
    """
    rows = []
    for result, known in _known(cells).groupby("gp"):
        gap = known["gap"]
        row = {
            "GP": f"{result:g}",
            "cells": len(known),
            "mean": gap.mean(),
            "absolute": gap.abs().mean(),
            "largest": gap.iloc[gap.abs().argmax()],
            "beyond": int((gap.abs() > 1.96 * known["standard_error"]).sum()),
        }
        rows.append(row)
    return pd.DataFrame(rows)


def errors_figure(frames: Frames) -> Figure:
    """Printed and ours with 95 % intervals, one panel per rule."""
    errors = frames["errors"]
    rules = errors["rule"].unique()
    figure = blank_figure(9.0, 3.6)
    panels = figure.subplots(1, len(rules), sharey=True, squeeze=False)[0]
    for panel, rule in zip(panels, rules, strict=True):
        rows = where(errors, rule=rule)
        places = np.arange(len(rows))
        for name, shift, colour in (("printed", -0.1, COLOURS[1]), ("ours", 0.1, COLOURS[0])):
            draw_marks(
                *(panel, rows, name, places + shift, colour), size=6.0, upright=True, label=name
            )
        dress(panel, rule, "", "")
        panel.set_xticks(places, [f"top {top}" for top in rows["top"]])
        in_percent(panel.yaxis)
    panels[0].set_ylabel("ties decided wrongly")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


FIGURES = {".png": errors_figure}
