"""What of the thesis (M. Naray, ELTE Budapest, 2020) is reproduced, and what is not?

Tables 4.4 to 4.9 beside our own figures; nothing is fitted to the printed ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Float, Int, Num

from studies.frames import load_table, where
from studies.script import events_option, report, script, written
from studies.worlds import Cell
from tb2learn.assessment.error_rates import rates
from tb2learn.assessment.tally import BLOCKS, TOPS, Tally, by_block
from tb2learn.assessment.thesis_protocol import REPEATS
from tb2learn.chess.results import weakest_item
from tb2learn.config import Config, Setting, load_config, with_plan
from tb2learn.jax_types import Key
from tb2learn.simulation import games
from tb2learn.simulation.event import Event
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.simulate import Progress, sum_events
from tb2learn.stats import interval
from tb2learn.training import difficulty_log
from tb2learn.training.difficulty_log import DifficultyLog
from tb2learn.training.fit_surface import fit_surface
from tb2learn.training.surface import difficulty_score
from tb2learn.training.tabulate import surface_table

CONFIG = "thesis-180x11"

GROUPS = 20  # groups of training events for the jackknife intervals

FULL_SCALE = 88  # the scale of its printed sums: 22 match points x 4 game points

PRINTED_SUMS = {"USA": 452.6, "Ukraine": 455.5}  # below Table 4.8
OLD, NEW = "product", "difficulty score"

OWN = 20  # match points of the teams in Table 4.9
TEAMS = (2, 4, 8)  # numbers of teams in a drawn log
MATCHES = 100  # matches of one pair of teams in the thesis's log
DRAWN = 2000  # logs that are drawn


def grouped_log(config: Config) -> tuple[DifficultyLog, list[DifficultyLog]]:
    """The log of the training events, whole and by group."""
    seed, size = config.train.seed, -(-config.train.events // GROUPS)
    groups = [
        difficulty_log.collect(
            config,
            EventRange(seed, Purpose.TRAIN, size, g * size),
            progress=Progress(f"simulate {g + 1}/{GROUPS}"),
        )
        for g in range(GROUPS)
    ]
    whole = EventRange(seed, Purpose.TRAIN, size * GROUPS)
    return replace(groups[0], counts=sum(g.counts for g in groups), events=whole), groups


def table_4_9(log: DifficultyLog, groups: list[DifficultyLog]) -> pd.DataFrame:
    """The new scoring function at own match points `OWN`: a row a cell.

    `ours` is NaN without a match; its `standard_error` is a delete-a-group jackknife over events.
    """
    ours = log.scores()[OWN]
    without = np.stack([replace(log, counts=log.counts - g.counts).scores()[OWN] for g in groups])
    spread = without - without.mean(axis=0)
    error = np.sqrt((len(groups) - 1) / len(groups) * (spread**2).sum(axis=0))
    printed = load_table("thesis", "table_4_9_surface_own20.csv")
    at = _places(printed)
    values = {"printed": printed["new_c"], "ours": ours[at], "standard_error": error[at]}
    return pd.DataFrame({"opponent_mp": at[0], "gp": at[1] / 2, **values})


def _places(table: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Opponent's match points and half game points of the rows of a printed table."""
    return table["opp_mp"].to_numpy(int), (2 * table["gp"]).round().to_numpy(int)


def table_4_8(points: Num[np.ndarray, "own opponent results"]) -> pd.DataFrame:
    """The sums of two teams."""
    surface = load_table("thesis", "table_4_9_surface_own20.csv")
    printed = np.full(points.shape[1:], np.nan)
    printed[_places(surface)] = surface["new_c"]
    results, rows = load_table("thesis", "table_4_8_usa_ukraine.csv"), []
    for team, total in PRINTED_SUMS.items():
        at = _places(where(results, team=team))
        recomputed = _reduced(at[0], np.round(1e4 * printed[at]).astype(int)) / 1e4
        ours = _reduced(at[0], points[OWN][at]) / points.max()
        rows.append((team, total, FULL_SCALE * recomputed, FULL_SCALE * ours))
    return pd.DataFrame(rows, columns=["team", "printed", "from_printed_surface", "ours"])


def _reduced(opponents: Num[np.ndarray, " games"], values: Num[np.ndarray, " games"]) -> int:
    items = jnp.asarray(values)
    weakest = weakest_item(jnp.asarray(opponents), items, jnp.zeros(len(values), bool))
    return int(items.sum() - items[weakest])


def error_tables(ours: pd.DataFrame) -> pd.DataFrame:
    """Tables 4.4 to 4.7: a row a population and rule, `printed` and `ours` with their intervals."""
    table = load_table("thesis", "tables_4_4_to_4_7_runs.csv")
    columns = list(TOPS[:-1])

    def runs(kind: str) -> np.ndarray:
        return table.pivot(index="run", columns="top_n", values=kind)[columns].to_numpy(int)

    wrong = np.stack([runs("old_wrong"), runs("new_wrong")], axis=1)
    pairs = runs("old_wrong") + runs("old_correct")
    printed = rates(Tally((OLD, NEW), pairs, wrong, 1, None), seed=0)
    named = (
        frame.set_index(["top", "rule"]).add_prefix(f"{name}_")
        for name, frame in (("printed", printed), ("ours", ours))
    )
    both = pd.concat(named, axis=1, join="inner").reset_index()
    both = both.rename(columns=lambda name: name.replace("_error", ""))
    overlap = (both["printed_low"] <= both["ours_high"]) & (
        both["ours_low"] <= both["printed_high"]
    )
    both["matches"] = overlap.map({True: "yes", False: "NO"})
    return both.sort_values("top", key=lambda top: top.astype(int), kind="stable")


def law_of_one_team(
    key: Key, event: Event, setting: Setting, own: Int[Array, ""]
) -> tuple[Int[Array, "own thresholds"], Int[Array, " own"]]:
    """The law of the matches of one team on `own` match points, by opponent's match points.

    **Returns:** chances to fail to reach half a game point, a point, ..., in units of
    `1/games.UNIT`, summed over the opponents; their number. Zeros without such a team.
    """
    on_own = event.match_points == own
    draws = jax.random.uniform(key, (len(event.rosters),))
    team = jnp.argmax(jnp.where(on_own, draws + 1, 0))
    shares = setting.event.max_match_points + 1
    by_points = jax.nn.one_hot(event.match_points, shares, dtype=jnp.int32)
    by_points = by_points.at[team].set(0) * on_own.any()
    roster = jnp.broadcast_to(event.rosters[team], event.rosters.shape)
    below = games.cumulative_law(roster.T, event.rosters.T, setting.game)
    return (below[: 2 * setting.event.boards] @ by_points).T, by_points.sum(axis=0)


def few_teams(
    config: Config, scores: Float[np.ndarray, "own results"], opponents: Sequence[int],
    observed: float, seed: int,
) -> pd.DataFrame:  # fmt: skip
    """Draw logs of few teams, each of another event, and compare them with the log of all.

    **Returns:** by number of `teams` the mean absolute deviation over the cells (`median`, and the
    middle 95 % of drawn logs), and the share of logs farther off than the printed surface, `above`.
    """
    number = min(config.train.events, BLOCKS)
    range_ = EventRange(config.train.seed, Purpose.TRAIN, number)
    measured = Measurement(law_of_one_team, by_block(number), oracle=False)
    shown = Progress("few teams")
    below, matches = sum_events(config.setting, measured, range_, np.int32(OWN), progress=shown)
    known = matches.sum(axis=1) > 0
    below, matches = below[known][:, opponents], matches[known][:, opponents]
    generator = np.random.default_rng(seed)
    rows = []
    for teams in (size for size in TEAMS if size <= len(below)):
        logs = generator.permuted(np.tile(np.arange(len(below)), (DRAWN, 1)), axis=1)[:, :teams]
        drawn = below[logs].sum(axis=1), matches[logs].sum(axis=1)
        apart = _deviations(*drawn, scores[list(opponents)], generator)
        low, high = interval(apart)
        rows.append((teams, np.median(apart), low, high, (apart > observed).mean()))
    return pd.DataFrame(rows, columns=["teams", "median", "low", "high", "above"])


def _deviations(
    below: Int[np.ndarray, "drawn cells thresholds"], matches: Int[np.ndarray, "drawn cells"],
    truth: Float[np.ndarray, "cells results"], generator: np.random.Generator,
) -> Float[np.ndarray, " drawn"]:  # fmt: skip
    """Mean absolute deviation of each drawn log, over the cells that it and the truth have."""
    at_most = below / (np.maximum(matches, 1)[..., None] * games.UNIT)
    law = np.clip(np.diff(at_most, axis=-1, prepend=0.0, append=1.0), 0, None)
    counts = generator.multinomial(MATCHES * matches, law / law.sum(axis=-1, keepdims=True))
    with np.errstate(invalid="ignore"):
        fails = counts.cumsum(axis=-1)[..., :-1] / counts.sum(axis=-1, keepdims=True)
    return np.nanmean(np.abs(difficulty_score(fails) - truth), axis=(1, 2))


@script(
    "reports/thesis",
    events_option(4000, "events that fill the log"),
    events_option(1000, "fresh events of the assessment", "--assessed"),
)
def main(out: Path, seed: int, events: int, assessed: int) -> None:
    """Recompute the printed figures of the thesis."""
    config = with_plan(load_config(CONFIG), events, seed)
    log, groups = grouped_log(config)
    # The smooth surface of the same log stands for the scoring function of the thesis, as the raw
    # log has cells without a match.
    learned = surface_table(fit_surface(log, log, config.surface, Progress("fit")).surface, NEW)
    judged = Cell(CONFIG, config, [learned], assessed, "thesis").tally(seed, Progress("assess"))
    cells = table_4_9(log, groups)
    observed = float((cells["ours"] - cells["printed"]).abs().mean())
    opponents = sorted(cells["opponent_mp"].unique().tolist())
    tables = {
        "cells": cells,
        "errors": error_tables(rates(judged, seed)),
        "sums": table_4_8(learned.tables[0]),
        "few": few_teams(config, log.scores()[OWN], opponents, observed, seed),
    }
    frames = written(out, tables, digits=9)  # some cells lie on the bound of *beyond*
    known = frames["cells"].dropna(subset="ours")
    gap = known["ours"] - known["printed"]
    beyond = gap.abs() > 1.96 * known["standard_error"]
    known = known.assign(
        GP=known["gp"].map("{:g}".format), gap=gap, absolute=gap.abs(), beyond=beyond
    )
    gaps = known.groupby("GP").agg(
        cells=("gap", "size"),
        mean=("gap", "mean"),
        absolute=("absolute", "mean"),
        largest=("gap", lambda gap: gap.iloc[gap.abs().argmax()]),
        beyond=("beyond", "sum"),
    )
    given = {
        "known": known.sort_values("gap", key=abs),
        "gaps": gaps.reset_index(),
        "new": where(frames["errors"], rule=NEW),
        **{"config": config, "assessed": assessed, "repeats": REPEATS},
    }
    report(out, "thesis.md", {**frames, **given})


if __name__ == "__main__":
    main()
