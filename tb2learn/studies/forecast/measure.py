"""Forecasts of recorded events after every round, their scores, and how well they are calibrated.

A loss is a sum over the teams, divided by the places that there are (1, 3 or 10): so that an event
with more teams has no smaller one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from matplotlib.figure import Figure
from scipy import optimize, special

from tb2learn.catalogue import PRODUCT, find_rule
from tb2learn.events import TeamEvent, rank, read_event
from tb2learn.forecasts.chance_frames import NAMES
from tb2learn.forecasts.chances import forecast
from tb2learn.forecasts.ranking import BOUNDARIES
from tb2learn.forecasts.request import orders_of
from tb2learn.forecasts.state import begin
from tb2learn.forecasts.strengths import prior
from tb2learn.report.frames import Frames, where
from tb2learn.report.stored import Csv
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, dress
from tb2learn.simulation.run import progress_bar
from tb2learn.stats import interval, resamples

EVENTS = ("baku2016", "batumi2018", "batumi2018w")
"""The packaged events with rounds, of a Swiss, with ratings."""

FIRST = 5
"""The round from which on events are replayed."""

FORECAST, FIXED, RATINGS, STANDINGS = (
    "forecast", "results so far, ratings not updated", "ratings alone", "order of the standings",
)  # fmt: skip
METHODS = (FORECAST, FIXED, RATINGS, STANDINGS)

EDGES = (0, 0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1.0)
"""Of the classes of chances in the calibration diagram."""

RIDGE = 0.1
"""Of the logistic curves by place: else they would be sure of what happened in two events alone."""

FILES = (
    Csv("scores.csv", "scores", digits=9),
    Csv("events.csv", "events", digits=9),
    Csv("overall.csv", "overall", digits=9),
    Csv("calibration.csv", "calibration", digits=9),
)


def measure(continuations: int, seed: int) -> dict[str, pd.DataFrame]:
    """Replay the events.

    **Arguments:** `continuations`: of every forecast; `seed`: of these, and of the resampling.

    **Returns:**

    - `scores`: a row an event, round (`after`), method and what is forecast (`up_to`): `log_loss`
      and `brier`.
    - `events`: their means over the rounds, and `more`: that of the method less the forecast's.
    - `overall`: the same over the events, with 95 % bootstrap intervals over rounds of each event
      and over events, and `least`, `most`: the smallest and greatest mean that is left when one
      event is left out.
    - `calibration`: by method and class of chances: `number`, mean `chance`, share that came true.
    """
    read = [read_event(name) for name in EVENTS]
    found: list[pd.DataFrame] = []
    steps = sum(1 + 2 * (event.rounds - FIRST) for event in read)
    with progress_bar(steps, "forecasts of real events", "forecast") as bar:
        for event in read:
            for frame in _replayed(event, continuations, seed):
                found.append(frame)
                bar.update()
    chances = pd.concat(found, ignore_index=True)
    chances = pd.concat([chances, _by_standings(chances)], ignore_index=True)
    scores = _scores(chances)
    events = _compared(scores, ["event", "method", "up_to"])
    return {
        "scores": scores,
        "events": events,
        "overall": _overall(events, seed),
        "calibration": _calibration(chances),
    }


def _replayed(event: TeamEvent, continuations: int, seed: int) -> Any:
    """The chances of every team, forecast by forecast."""
    final = _places(event, event.rounds)

    def frame(method: str, after: int, up_to: Float[np.ndarray, "boundaries teams"]) -> Any:
        now = _places(event, after)
        return pd.concat(
            pd.DataFrame(
                {
                    "event": event.name,
                    "after": after,
                    "left": event.rounds - after,
                    "method": method,
                    "up_to": name,
                    "place": now,
                    "chance": up_to[number],
                    "hit": final <= BOUNDARIES[number],
                }
            )
            for number, name in enumerate(NAMES)
        )

    before = _up_to(event, 0, continuations, seed)
    rounds = range(FIRST, event.rounds)
    yield pd.concat(frame(RATINGS, after, before) for after in rounds)
    for after in rounds:
        yield frame(FORECAST, after, _up_to(event, after, continuations, seed))
        yield frame(FIXED, after, _up_to(event, after, continuations, seed, updated=False))


def _up_to(
    event: TeamEvent, after: int, continuations: int, seed: int, *, updated: bool = True
) -> Float[np.ndarray, "boundaries teams"]:
    """Chances after a round under the product rule, the next round paired by the simulator."""
    begun = begin(event, after, ())
    orders = {PRODUCT: orders_of(begun)[PRODUCT]}
    strengths = None if updated else prior(begun.event)
    found = forecast(begun, orders, continuations, seed, strengths=strengths)
    teams = len(event.teams)
    # One more continuation, in which the places are shared by all: so no chance is 0.
    return np.stack(
        [
            (found.counts["places"][0, :, :most].sum(axis=1) + most / teams) / (continuations + 1)
            for most in BOUNDARIES
        ]
    )


def _places(event: TeamEvent, after: int) -> Int[np.ndarray, " teams"]:
    """Places after a round under the product rule, by team."""
    cut = event.after(after)
    rule = find_rule(PRODUCT, cut.rounds, cut.boards)
    places = {row.team: row.place for row in rank(cut, rule)}
    return np.array([places[team] for team in event.teams])


# --------------------------------------------------------------------------- standings


def _by_standings(chances: pd.DataFrame) -> pd.DataFrame:
    """Chances by place in the standings: logistic in its logarithm, fitted to the other events.

    Four constants for each of `NAMES`: a level and a slope, and how both change with the rounds
    left; the chances of an event then add up to the places that there are.
    """
    teams = where(chances, method=FORECAST)
    parts = []
    for (name, event), own in teams.groupby(["up_to", "event"], sort=False):
        others = teams[(teams.up_to == name) & (teams.event != event)]
        fitted = _fit(_features(others), others.hit.to_numpy())
        own = own.assign(method=STANDINGS, chance=special.expit(_features(own) @ fitted))
        most = BOUNDARIES[NAMES.index(str(name))]
        parts += [_adding_up(one, most) for _, one in own.groupby("after", sort=False)]
    return pd.concat(parts)


def _features(frame: pd.DataFrame) -> Float[np.ndarray, "teams 4"]:
    place, left = np.log(frame.place.to_numpy()), frame.left.to_numpy()
    return np.stack([np.ones(len(frame)), place, left, place * left], axis=1)


def _fit(
    features: Float[np.ndarray, "teams constants"], hit: Bool[np.ndarray, " teams"]
) -> Float[np.ndarray, " constants"]:
    """Logistic regression with a small ridge."""

    def loss(constants: np.ndarray) -> tuple[float, np.ndarray]:
        odds = features @ constants
        slope = features.T @ (special.expit(odds) - hit) + RIDGE * constants
        value = np.logaddexp(0, odds).sum() - odds[hit].sum() + RIDGE * (constants**2).sum() / 2
        return float(value), slope

    return optimize.minimize(loss, np.zeros(features.shape[1]), jac=True, method="BFGS").x


def _adding_up(frame: pd.DataFrame, most: int) -> pd.DataFrame:
    """The chances, their log-odds shifted so that they add up to the number of places."""
    odds = special.logit(frame.chance.to_numpy().clip(1e-12, 1 - 1e-12))
    shift = optimize.brentq(lambda x: special.expit(odds + x).sum() - most, -40, 40)
    return frame.assign(chance=special.expit(odds + shift))


# --------------------------------------------------------------------------- scores


def _scores(chances: pd.DataFrame) -> pd.DataFrame:
    """Log loss and Brier score of every forecast, a place."""
    chance = chances.chance.clip(1e-7, 1 - 1e-7)
    places = chances.up_to.map(dict(zip(NAMES, BOUNDARIES, strict=True)))
    right = np.where(chances.hit, chance, 1 - chance)
    lost = chances.assign(log_loss=-np.log(right) / places, brier=(1 - right) ** 2 / places)
    keys = ["event", "after", "method", "up_to"]
    return lost.groupby(keys, sort=False)[["log_loss", "brier"]].sum().reset_index()


def _compared(scores: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Means of the scores, and how much greater they are than those of the forecast."""
    means = scores.groupby(keys, sort=False)[["log_loss", "brier"]].mean().reset_index()
    ours = where(means, method=FORECAST).drop(columns="method")
    beside = [key for key in keys if key != "method"]
    both = means.merge(ours, on=beside, suffixes=("", "_ours"))
    for name in ("log_loss", "brier"):
        both[f"{name}_more"] = both[name] - both.pop(f"{name}_ours")
    return both


def _overall(events: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Means over the events, with intervals and without any one of them."""
    rows = []
    for (method, name), one in events.groupby(["method", "up_to"], sort=False):
        row: dict[str, Any] = {"method": method, "up_to": name}
        weights = resamples(len(one), seed) / len(one)
        for score in ("log_loss", "brier"):
            row[score] = one[score].mean()
            more = one[f"{score}_more"].to_numpy()
            row[f"{score}_more"] = more.mean()
            row[f"{score}_more_low"], row[f"{score}_more_high"] = interval(weights @ more)
            without = (more.sum() - more) / (len(more) - 1)
            row[f"{score}_least"], row[f"{score}_most"] = without.min(), without.max()
        rows.append(row)
    return pd.DataFrame(rows)


def _calibration(chances: pd.DataFrame) -> pd.DataFrame:
    """What came true of chances of every size."""
    classes = pd.cut(chances.chance, EDGES, include_lowest=True, labels=False)
    grouped = chances.assign(size=classes).groupby(["method", "size"], sort=False)
    found = grouped.agg(
        number=("hit", "size"), chance=("chance", "mean"), share=("hit", "mean"),
    )  # fmt: skip
    order = {method: number for number, method in enumerate(METHODS)}
    found = found.reset_index().sort_values(
        ["method", "size"], key=lambda c: c.map(order) if c.name == "method" else c
    )
    return found.drop(columns="size").reset_index(drop=True)


def summary(frames: Frames) -> Mapping[str, Any]:
    """What the report says in words."""
    overall, events = frames["overall"], frames["events"]
    others = overall[overall.method != FORECAST]
    sure = others[(others.log_loss_more_low > 0) & (others.log_loss_least > 0)]
    hinging = others[
        (np.sign(others.log_loss_least) != np.sign(others.log_loss_most))
        | (np.sign(others.log_loss_more) != np.sign(others.log_loss_least))
    ]
    ours = where(events, method=FORECAST)
    easiest = ours.loc[ours.groupby("up_to", sort=False)["log_loss"].idxmin()]
    hardest = ours.loc[ours.groupby("up_to", sort=False)["log_loss"].idxmax()]
    return {
        "sure": sure,
        "behind": others[others.log_loss_more < 0],
        "hinging": hinging,
        "easiest": easiest,
        "hardest": hardest,
        "worse": events[(events.method != FORECAST) & (events.log_loss_more < 0)],
    }


# --------------------------------------------------------------------------- figures


def scores_figure(frames: Frames) -> Figure:
    """Log loss by round: a panel an event and what is forecast, a line a method."""
    scores = frames["scores"]
    events: Sequence[str] = list(dict.fromkeys(scores.event))
    figure = blank_figure(11.0, 2.6 * len(NAMES))
    panels = figure.subplots(len(NAMES), len(events), squeeze=False, sharex="col")
    for line, name in zip(panels, NAMES, strict=True):
        for panel, event in zip(line, events, strict=True):
            for number, method in enumerate(METHODS):
                one = where(scores, event=event, method=method, up_to=name)
                (line_drawn,) = panel.plot(one.after, one.log_loss, label=method, markersize=4)
                line_drawn.set(color=COLOURS[number], marker=MARKERS[number])
            dress(panel, f"{event}: {name}", "after round", "log loss a place", size=10)
            panel.set_ylim(bottom=0)
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(METHODS), frameon=False)
    return figure


def calibration_figure(frames: Frames) -> Figure:
    """The share that came true by the chance that was given."""
    figure = blank_figure(7.0, 6.0)
    panel = figure.subplots()
    panel.plot((0, 1), (0, 1), color=INK, linewidth=0.8)
    for number, method in enumerate((FORECAST, STANDINGS)):
        one = where(frames["calibration"], method=method)
        (line,) = panel.plot(one.chance, one.share, label=method)
        line.set(color=COLOURS[number], marker=MARKERS[number])
    dress(panel, "How often came true what was forecast", "chance", "share that came true")
    panel.legend(frameon=False)
    return figure


FIGURES = {"scores.png": scores_figure, "calibration.png": calibration_figure}
