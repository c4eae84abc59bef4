"""Places won by coalitions under rules, and under tables trained with a bound on their slope."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from matplotlib.figure import Figure

from tb2learn.assessment.coalition import COLUMNS, probe_coalitions
from tb2learn.assessment.incentive import PROBES
from tb2learn.assessment.single import single_event_tally
from tb2learn.catalogue import PRODUCT, find_rule
from tb2learn.config import Config, load_config
from tb2learn.report.frames import Frames, where
from tb2learn.report.stored import Csv
from tb2learn.report.style import COLOURS, blank_figure, draw_marks, dress
from tb2learn.report.wording import rule_name
from tb2learn.simulation.kept import EventStore
from tb2learn.simulation.run import Progress
from tb2learn.studies.worlds import growths
from tb2learn.tiebreaks.passes import HUNDRED
from tb2learn.tiebreaks.rules import PassTable
from tb2learn.training.least_squares import (
    basis_rows,
    collect_moments,
    equations,
    least_squares,
    normalised,
)
from tb2learn.training.surface import ValueSurface
from tb2learn.training.surface_fit import rising
from tb2learn.training.tabulate import pass_table

WORLD = "learned-180x11"
"""The world of the shipped table, with random seeds. The tables of the study are fitted to it."""

RULES = (PRODUCT, WORLD, "formula-180x11", "least-squares")

FREE = "no bound"
BOUNDS = (30, 20, 15, 10, 5)
"""Most that half a game point adds to a result, in hundredths of a match point."""

SMOOTHER = (10, 100)
"""Tables without a bound whose weight of smoothness is so many times the shipped one's."""

FILES = (Csv("gains.csv", "gains", digits=9), Csv("errors.csv", "errors", digits=9))


def measure(trained: int, events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Probe and judge rules and tables with a bound.

    **Arguments:**

    - `trained`: events of the world that every table is fitted to.
    - `events`: assessment events, judged and probed: `PROBES` matches of each.
    - `seed`: of all streams, which share no random numbers, and of the resampling.

    **Returns:**

    - `gains`: as `probe_coalitions`; differences are to the table without a bound.
    - `errors`: as `growths`, to the same table.
    """
    config = load_config(WORLD)
    event, plan = config.event, replace(config.train, events=trained, seed=seed)
    config, store = replace(config, train=plan), EventStore()
    tables = [fitted(config, FREE, store)]
    tables += [fitted(config, f"bound {most}", store, most / HUNDRED) for most in BOUNDS]
    for times in SMOOTHER:
        decisions = replace(config.decisions, smoothness=times * config.decisions.smoothness)
        tables.append(fitted(replace(config, decisions=decisions), f"smoother {times}x", store))
    rules = [*tables, *(find_rule(name, event.rounds, event.boards, event.teams) for name in RULES)]
    tally = single_event_tally(config, rules, events, seed, Progress("judge"))
    return {
        "gains": probe_coalitions(config, rules, PROBES * events, seed, "probe"),
        "errors": growths(tally, [rule.name for rule in rules], FREE, seed),
    }


def fitted(config: Config, name: str, store: EventStore, most: float | None = None) -> PassTable:
    """A table in passes by least squares, as `training.pairwise` fits it, every pass with a bound.

    **Arguments:**

    - `config`: its format, field, `train` and `decisions` are used.
    - `name`: of the table.
    - `store`: keeps the events for the next pass and table.
    - `most`: that half a game point adds, in match points; no bound if not given.
    """
    surfaces: list[ValueSurface] = []
    for number in range(1, config.decisions.passes + 1):
        progress = Progress(f"{name}, pass {number}")
        moments = collect_moments(config, surfaces, progress, store=store)
        raw = least_squares([(equations(moments, config), 1.0)], config)
        if most is not None:
            raw = bounded(raw, np.asarray(moments.seen), most, config)
        surfaces.append(normalised(raw, moments.seen, config))
    return pass_table(surfaces, name)


def bounded(
    raw: Float[np.ndarray, "results basis basis"],
    seen: Int[np.ndarray, "shares cells"],
    most: float,
    config: Config,
) -> Float[np.ndarray, "results basis basis"]:
    """Coefficients that grow by no more than a bound from one result to the next.

    Steps that are larger are cut. A spline whose coefficients keep the bound keeps it, too. What
    the results of the same two scores are worth on average stays, so that a cut at results that are
    rare against an opponent does not move the usual ones.

    **Arguments:** coefficients, `Moments.seen`, the bound in match points, and the configuration.
    """
    steps = np.minimum(np.diff(raw, axis=0), most)
    cut = np.concatenate([raw[:1], raw[:1] + np.cumsum(steps, axis=0)])
    own, columns = basis_rows(config)
    cells = seen.reshape(len(own), len(columns), len(raw))
    # One use of every result more, for scores that no event has.
    weight = 1 + np.einsum("oa,pb,opg->gab", own, columns, cells)
    level = (weight * (raw - cut)).sum(axis=0) / weight.sum(axis=0)
    return np.asarray(rising(jnp.asarray(cut + level, jnp.float32)), np.float64)


# --------------------------------------------------------------------------- report


def summary(frames: Frames) -> dict[str, Any]:
    """Gains and errors side by side, and the bounds that lower gains without an error more."""
    gains = named(frames["gains"])
    kept = where(gains, result="kept", of="both")
    errors = frames["errors"].assign(top=frames["errors"]["top"].astype(str))
    both = kept.merge(where(errors, top="all"), on="rule", suffixes=("", "_tied"))
    dearer = errors[errors["growth_low"] > 0].groupby("rule")["growth"].max()
    tables = both[both["rule"].isin(_tables())]
    lower = tables[tables["more_high"] < 0]
    return {
        "columns": COLUMNS,
        "kinds": {
            f"The match result is {result}": where(gains.assign(rule=gains["name"]), result=result)
            for result in gains["result"].unique()
        },
        "tables": both[both["rule"].isin([FREE, *_tables()])],
        "by_rule": {one.rule: one for one in both.itertuples()},
        "changed": {
            one.rule: one for one in where(gains, result="changed", of="both").itertuples()
        },
        "lower": lower,
        "costless": lower[~lower["rule"].isin(dearer.index)],
        "shipped": RULES,
    }


def _tables() -> list[str]:
    return [*(f"bound {most}" for most in BOUNDS), *(f"smoother {times}x" for times in SMOOTHER)]


def named(found: pd.DataFrame) -> pd.DataFrame:
    """Rows with the names of rules in words."""
    own = [FREE, *_tables()]
    return found.assign(name=[rule if rule in own else rule_name(rule) for rule in found["rule"]])


def coalition_figure(frames: Frames) -> Figure:
    """Mean places of both teams within a result, and all ties decided wrongly."""
    gains = named(where(frames["gains"], result="kept", of="both")).iloc[::-1]
    errors = frames["errors"]
    errors = errors[errors["top"].astype(str) == "all"].iloc[::-1]
    figure = blank_figure(9.0, 0.36 * len(gains) + 1.4)
    left, right = figure.subplots(1, 2, sharey=True)
    places = range(len(gains))
    draw_marks(left, gains, "mean", places, COLOURS[0])
    right.plot(errors["error"], places, "s", color=COLOURS[1], markersize=4)
    dress(
        left,
        "A game point arranged within a result",
        "places that both teams win, mean of all pairs",
        "",
    )
    dress(right, "Errors on the same events", "tied pairs decided wrongly", "")
    left.set_xlim(left=0)
    left.set_yticks(places, gains["name"], parse_math=False)
    return figure


FIGURES = {"coalition.png": coalition_figure}
