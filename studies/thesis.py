"""What of the thesis (M. Naray, ELTE Budapest, 2020) is reproduced, and what is not?

Its printed figures beside our own; nothing is fitted to the printed ones. The thesis does not say
whose opponents two tied teams play again, so its protocol is tried with four lists. What might
explain a difference is switched off, one factor at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Float, Int
from matplotlib.figure import Figure

from studies.frames import load_table, where
from studies.script import events_option, report, script, written
from studies.template import wide
from studies.worlds import LEARNED, Cell, seeded
from tb2learn.assessment import LISTS, Lists
from tb2learn.assessment.error_rates import rates, shares_of_pairs
from tb2learn.assessment.tally import BLOCKS, TOPS, Tally, by_block
from tb2learn.assessment.thesis_protocol import REPEATS
from tb2learn.catalogue import find_rule
from tb2learn.config import Config, Setting, load_config, with_plan
from tb2learn.events import read_event
from tb2learn.events.ranking import rank, scores
from tb2learn.jax_types import Key
from tb2learn.report.style import COLOURS, SAME, blank_figure, dress, plain_legend
from tb2learn.simulation import games
from tb2learn.simulation.event import Event
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import UNIT, EventRange, Purpose
from tb2learn.simulation.simulate import Progress, sum_events
from tb2learn.stats import interval
from tb2learn.tiebreaks.rules import Rule
from tb2learn.tiebreaks.tables import TableRule
from tb2learn.training import difficulty_log
from tb2learn.training.difficulty_log import DifficultyLog
from tb2learn.training.fit_surface import fit_surface
from tb2learn.training.surface import difficulty_score
from tb2learn.training.tabulate import surface_table

CONFIG = "thesis-180x11"

GROUPS = 20  # groups of training events for the jackknife intervals

RUNS = 20  # events behind every printed rate
DRAWS = 10_000  # how often so many of our events are drawn

OLD, NEW = "product", "difficulty score"
RULES = {  # the shipped tables that are judged beside the thesis's two rules, in words
    "olympiad-180x11": "shipped surface",
    f"{LEARNED}-pass1": "pass 1",
    f"{LEARNED}-pass2": "pass 2",
    LEARNED: "pass 3",
    "learned": "learned",
}

PASSES = ("pass 2", "pass 3", "learned")
OWN_LISTS = "own lists"
LEAST = "30"  # the population with the most pairs

FULL_SCALE = 88  # the scale of its printed sums: 22 match points x 4 game points
BAKU = "baku2016"
FIRST_TWO = {"USA": "United States of America", "Ukraine": "Ukraine"}
PRINTED_SUMS = 452.6, 455.5  # below Table 4.8

OWN = 20  # match points of the teams in Table 4.9
TEAMS = (2, 4, 8)  # numbers of teams in a drawn log
MATCHES = 100  # matches of one pair of teams in the thesis's log
NOISY_EVENTS = 3  # events in a log as small as the thesis's
DRAWN = 2000  # logs that are drawn

SPREAD = 62.79  # the printed mean spread within the first teams of Baku 2016
SPREAD_TEAMS, RATED_TEAMS = 70, 150  # teams of Figures 3.2 and 3.1


# --------------------------------------------------------------------------- the log


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


def drawn_log(config: Config, events: int, seed: int) -> DifficultyLog:
    """A log of few events with `MATCHES` drawn matches of every pair, as small as the thesis's."""
    exact = replace(config, train=replace(config.train, law="exact"))
    log = difficulty_log.collect(exact, EventRange(config.train.seed, Purpose.TRAIN, events))
    # Both teams of a match have a cell: one of them is drawn, and the other one follows.
    own, opponent = np.triu_indices(len(log.counts))
    law = log.counts[own, opponent]
    both = law.sum(axis=-1)
    number = MATCHES * both // UNIT // np.where(own == opponent, 2, 1)
    shares = law / np.maximum(both, 1)[:, None]
    counts = np.zeros_like(log.counts)
    counts[own, opponent] = np.random.default_rng(seed).multinomial(number, shares)
    return replace(log, counts=counts + counts.transpose(1, 0, 2)[:, :, ::-1], unit=1)


def table_of(log: DifficultyLog, label: str) -> Rule:
    """The table of a log.

    Its smooth surface stands for the scoring function of the thesis, as the raw log has cells
    without a match.
    """
    return surface_table(fit_surface(log, log, log.config.surface, Progress(label)).surface, NEW)


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


# --------------------------------------------------------------------------- readings


def readings(config: Config, table: Rule, assessed: int, few: int, seed: int) -> dict[str, Tally]:
    """Counts of all rules: for every list, then for own lists with one factor switched off.

    **Arguments:**

    - `config`, `table`: the world of the thesis, and the table of its log.
    - `assessed`, `few`, `seed`: how many events judge with own lists, and how many every other
      reading.
    """

    def judged(name: str, world: Config, table: Rule, lists: Lists = "own") -> Tally:
        events = assessed if name == OWN_LISTS else few
        cell = Cell(name, world, [table, *RULES], events, "thesis", lists)
        return cell.tally(seed, Progress(name))

    named: dict[str, Lists] = {f"{lists} lists": lists for lists in LISTS}
    tallies = {name: judged(name, config, table, lists) for name, lists in named.items()}
    switched = {
        "seeds at random": seeded(config, np.inf),
        "draws give way": replace(config, game=replace(config.game, tail="consistent")),
    }
    plan = EventRange(config.train.seed, Purpose.TRAIN, config.train.events)
    for name, world in switched.items():
        log = difficulty_log.collect(world, plan, progress=Progress(name))
        tallies[name] = judged(name, world, table_of(log, name))
    noisy = table_of(drawn_log(config, NOISY_EVENTS, seed), "noisy log")
    return {**tallies, "a noisy log": judged("a noisy log", config, noisy)}


def printed_tally() -> Tally:
    """The counts of Tables 4.4 to 4.7: every run is an event."""
    table = load_table("thesis", "tables_4_4_to_4_7_runs.csv")

    def runs(kind: str) -> np.ndarray:
        return table.pivot(index="run", columns="top_n", values=kind)[[*TOPS[:-1]]].to_numpy(int)

    wrong = np.stack([runs("old_wrong"), runs("new_wrong")], axis=1)
    return Tally((OLD, NEW), runs("old_wrong") + runs("old_correct"), wrong, 1, None)


def beside_printed(name: str, tally: Tally, printed: pd.DataFrame, seed: int) -> pd.DataFrame:
    """The rates of a reading, and how far as few of its events as the thesis has lie apart.

    **Arguments:**

    - `name`, `tally`: of the reading; a block is an event.
    - `printed`: the rates of the thesis: of `OLD` beside those of that rule, else of `NEW`.
    - `seed`: of the draws.

    **Returns:** the columns of `rates`, `printed` and `printed_saved`, then the middle 95 % of
    errors in draws of `RUNS` events (`of_few_low`, `of_few_high`), whether the printed one is
    `within`, and the chance of an error that is at least as far off on its side (`chance`), and to
    save at least as large a share of the errors (`chance_saved`).
    """
    events = len(tally.pairs)
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(RUNS, np.full(events, 1 / events), DRAWS).astype(float)
    errors = shares_of_pairs(drawn, tally.errors, tally.pairs, tally.unit)
    with np.errstate(divide="ignore", invalid="ignore"):
        saved = 1 - errors / errors[:, :1]
    frame = rates(tally, seed)
    frame.insert(0, "reading", name)
    rule = frame["rule"].where(frame["rule"] == OLD, NEW)
    of_print = printed.set_index(["rule", "top"]).loc[[*zip(rule, frame["top"], strict=True)]]
    error, part = of_print["error"].to_numpy(), of_print["saved"].to_numpy()
    errors, saved = errors.reshape(DRAWS, -1), saved.reshape(DRAWS, -1)
    low, high = interval(errors)
    above = error >= frame["error"].to_numpy()
    chance = np.where(above, (errors >= error).mean(axis=0), (errors <= error).mean(axis=0))
    frame = frame.assign(printed=error, printed_saved=part, of_few_low=low, of_few_high=high)
    inside = pd.Series((low <= error) & (error <= high)).map({True: "yes", False: "NO"})
    return frame.assign(within=inside, chance=chance, chance_saved=(saved >= part).mean(axis=0))


def agreeing(frame: pd.DataFrame) -> pd.DataFrame:
    """By reading the error of the old rule, and the populations with the printed one within."""
    rows = where(frame, rule=OLD)
    cells = wide(rows, "reading", "top", "error").add_prefix("top ")
    within = where(rows, within="yes").groupby("reading")["top"].agg(", ".join)
    return cells.assign(within=within.reindex(cells.index).fillna("none")).reset_index()


# --------------------------------------------------------------------------- Baku 2016


def printed_table() -> Rule:
    """The printed surface as a table; only the rows of `OWN` match points are known."""
    printed = load_table("thesis", "table_4_9_surface_own20.csv")
    points = np.zeros_like(find_rule(OLD, 11, 4).tables[0])
    points[(OWN, *_places(printed))] = np.rint(1e4 * printed["new_c"].to_numpy(float))
    return Rule("printed surface", 11, 4, TableRule(points))


EQUAL = "equal"
"""Neither of two teams is first by a sum."""


def gold(table: Rule) -> pd.DataFrame:
    """The sums of the first two of Baku 2016 under every rule, and who is `first`.

    **Arguments:** `table`: that of our log. Tables of difficulty are in the thesis's scale.
    """
    event = read_event(BAKU)
    rules = {
        "FIDE": find_rule(OLD, 11, 4),
        "printed surface": printed_table(),
        "our surface": table,
    }
    rules |= {words: find_rule(name, 11, 4) for name, words in RULES.items()}
    rows = []
    for words, rule in rules.items():
        if rule.reduced and words != "FIDE":
            rule = replace(rule, unit=FULL_SCALE / rule.tables.max())
        _, sums = scores(event, rule)
        usa, ukraine = (float(sums[event.teams.index(name)]) for name in FIRST_TWO.values())
        rows.append((words, usa, ukraine))
    rows.insert(1, ("printed sums", *PRINTED_SUMS))
    usa, ukraine = FIRST_TWO
    rows = [
        (*row, usa if row[1] > row[2] else ukraine if row[2] > row[1] else EQUAL) for row in rows
    ]
    return pd.DataFrame(rows, columns=["rule", *FIRST_TWO, "first"])


def spreads() -> tuple[pd.DataFrame, Figure]:
    """The mean spread within the first teams of Baku 2016, in several senses; Figures 3.1 and 3.2.

    **Returns:** a row an order of the teams and number of players: the mean standard deviation with
    n and with n - 1 below the line; and the picture.
    """
    event = read_event(BAKU)
    table = load_table(BAKU, "teams.csv").set_index("team")
    final = [row.team for row in rank(event, find_rule(OLD, 11, 4))]
    rows, four = [], [f"rating_{board}" for board in range(1, 5)]
    for order, teams in (("start", list(table.index)), ("final", final)):
        for players in (four, [*four, "rating_5"]):
            ratings = table.loc[teams[:SPREAD_TEAMS], players].to_numpy(float, na_value=np.nan)
            means = (float(np.nanstd(ratings, axis=1, ddof=less).mean()) for less in (0, 1))
            rows.append((order, len(players), *means))
    first = table[four][:SPREAD_TEAMS].to_numpy(float, na_value=np.nan)
    spread = np.nanstd(first, axis=1, ddof=1)
    means = table["mean_rating_top4"].to_numpy(float, na_value=np.nan)[:RATED_TEAMS]
    frame = pd.DataFrame(rows, columns=["order", "players", "by_n", "by_n_less_1"])
    return frame, field_figure(means, spread)


def field_figure(
    ratings: Float[np.ndarray, " teams"], spread: Float[np.ndarray, " teams"]
) -> Figure:
    """The mean ratings of teams beside the generator's, and the spreads within teams."""
    figure = blank_figure(10.0, 3.8)
    left, right = figure.subplots(1, 2)
    places = 1 + np.arange(len(ratings))
    left.plot(places, ratings, color=COLOURS[0], label="Baku 2016")
    even = np.linspace(2800, 1700, 180)[: len(ratings)]
    left.plot(places, even, color=SAME, linestyle="--", label="U(1700, 2800) of 180 teams")
    dress(left, "Mean rating of the four best (Figure 3.1)", "team, by rating", "rating")
    right.plot(1 + np.arange(len(spread)), spread, "o", markersize=3, color=COLOURS[0])
    for value, colour, words in (
        (float(spread.mean()), COLOURS[0], f"mean {spread.mean():.2f}"),
        (SPREAD, COLOURS[1], f"as printed {SPREAD:.2f}"),
    ):
        right.axhline(value, color=colour, linewidth=1, label=words)
    dress(right, "Spread within teams (Figure 3.2)", "team, by rating", "standard deviation")
    for panel in (left, right):
        plain_legend(panel.legend(frameon=False, fontsize=9))
    return figure


# --------------------------------------------------------------------------- logs of few teams


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


def _judging(default: int, what: str, name: str) -> Callable[..., Any]:
    """An option for events that judge: at most as many as have a block each."""
    return click.option(
        name, type=click.IntRange(1, BLOCKS), default=default, metavar="N", help=what
    )


@script(
    "reports/thesis",
    events_option(4000, "events that fill a log"),
    _judging(1000, "fresh events that judge with own lists", "--assessed"),
    _judging(300, "fresh events of every other reading", "--few"),
)
def main(out: Path, seed: int, events: int, assessed: int, few: int) -> None:
    """Recompute the printed figures of the thesis."""
    config = with_plan(load_config(CONFIG), events, seed)
    log, groups = grouped_log(config)
    table = table_of(log, "fit")
    printed = rates(printed_tally(), seed=0)
    tallies = readings(config, table, assessed, few, seed)
    parts = [beside_printed(name, tally, printed, seed) for name, tally in tallies.items()]
    cells = table_4_9(log, groups)
    observed = float((cells["ours"] - cells["printed"]).abs().mean())
    opponents = sorted(cells["opponent_mp"].unique().tolist())
    spread, picture = spreads()
    tables = {
        "cells": cells,
        "printed": printed,
        "readings": pd.concat(parts, ignore_index=True),
        "gold": gold(table),
        "few": few_teams(config, log.scores()[OWN], opponents, observed, seed),
        "spread": spread,
    }
    frames = written(out, tables, digits=9)  # some cells lie on the bound of *beyond*
    given: dict[str, Any] = {**frames, **shown(frames), "config": config}
    given |= {
        "assessed": assessed,
        "fewer": few,
        "repeats": REPEATS,
        "draws": DRAWS,
        "matches": MATCHES,
        "noisy": NOISY_EVENTS,
    }
    report(out, "thesis.md", given, {"field.png": picture})


def shown(frames: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """What the template shows of the tables."""
    readings, known = frames["readings"], frames["cells"].dropna(subset="ours")
    readings = readings.assign(top=readings["top"].astype(str))
    # The thesis's two rules first.
    readings = pd.concat([where(readings, rule=rule) for rule in (OLD, NEW, *RULES)])
    readings = readings.assign(named=readings["rule"].replace(RULES))
    gap = known["ours"] - known["printed"]
    beyond = gap.abs() > 1.96 * known["standard_error"]
    form = "{:g}".format
    known = known.assign(GP=known["gp"].map(form), gap=gap, absolute=gap.abs(), beyond=beyond)
    gaps = known.groupby("GP").agg(
        cells=("gap", "size"),
        mean=("gap", "mean"),
        absolute=("absolute", "mean"),
        largest=("gap", lambda gap: gap.iloc[gap.abs().argmax()]),
        beyond=("beyond", "sum"),
    )
    least = where(readings, top=LEAST)
    of_lists = least[least["reading"].str.endswith(" lists")]
    worse = of_lists[of_lists["saved_high"] < 0]
    passes = of_lists[of_lists["named"].isin(PASSES)]
    return {
        "readings": readings,
        "own": where(readings, reading=OWN_LISTS).sort_values(
            "top", key=lambda top: top.astype(int), kind="stable"
        ),
        "agreeing": agreeing(readings),
        "errors": wide(least, "reading", "named", "error").reset_index(),
        "worse": worse.sort_values("reading", kind="stable", ascending=False),
        "passes": passes,
        "known": known.sort_values("gap", key=abs),
        "gaps": gaps.reset_index(),
    }


if __name__ == "__main__":
    main()
