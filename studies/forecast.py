"""How good are forecasts of real Olympiads, round by round?

A loss is a sum over the teams, divided by the places that there are (1, 3 or 10): so that an event
with more teams has no smaller one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from matplotlib.figure import Figure
from scipy import optimize, special

from studies.script import events, report, script, written
from tb2learn.catalogue import find_rule
from tb2learn.events import TeamEvent, rank, read_event
from tb2learn.forecasts.chance_frames import NAMES
from tb2learn.forecasts.chances import forecast
from tb2learn.forecasts.ranking import BOUNDARIES
from tb2learn.forecasts.request import orders_of
from tb2learn.forecasts.state import begin
from tb2learn.forecasts.strengths import prior
from tb2learn.report.frames import where
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, dress
from tb2learn.simulation.run import progress_bar
from tb2learn.stats import interval, resamples
from tb2learn.tiebreaks.library import PRODUCT

EVENTS = ("baku2016", "batumi2018", "batumi2018w")
"""The packaged events with rounds, of a Swiss, with ratings."""

FIRST = 5
"""The round from which on events are replayed."""

METHODS = FORECAST, FIXED, RATINGS, STANDINGS = (
    "forecast", "results so far, ratings not updated", "ratings alone", "order of the standings",
)  # fmt: skip

EDGES = (0, 0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1.0)
"""Of the classes of chances in the calibration diagram."""

RIDGE = 0.1
"""Of the logistic curves by place: else they would be sure of what happened in two events alone."""

LOSSES = ["log_loss", "brier"]


def replayed(event: TeamEvent, continuations: int, seed: int) -> Iterator[pd.DataFrame]:
    """Forecast by forecast, a row a team and what is forecast: `chance`, and whether it came true.

    Also `event`, `after` which round, rounds `left`, `method`, `up_to` (one of `NAMES`), and the
    `place` in the standings.
    """
    final = _places(event, event.rounds)

    def frame(method: str, after: int, chances: Float[np.ndarray, "names teams"]) -> pd.DataFrame:
        axes = {"event": event.name, "after": after, "left": event.rounds - after, "method": method}
        place = _places(event, after)
        parts = [
            {"up_to": name, "place": place, "chance": chance, "hit": final <= most}
            for name, chance, most in zip(NAMES, chances, BOUNDARIES, strict=True)
        ]
        return pd.concat(pd.DataFrame(axes | part) for part in parts)

    before = _chances(event, 0, continuations, seed)
    rounds = range(FIRST, event.rounds)
    yield pd.concat(frame(RATINGS, after, before) for after in rounds)
    for after in rounds:
        yield frame(FORECAST, after, _chances(event, after, continuations, seed))
        yield frame(FIXED, after, _chances(event, after, continuations, seed, updated=False))


def _chances(
    event: TeamEvent, after: int, continuations: int, seed: int, *, updated: bool = True
) -> Float[np.ndarray, "names teams"]:
    """Chances after a round under the product rule, the next round paired by the simulator."""
    begun = begin(event, after, ())
    orders = {PRODUCT: orders_of(begun)[PRODUCT]}
    strengths = None if updated else prior(begun.event)
    counts = forecast(begun, orders, continuations, seed, strengths=strengths).counts["places"][0]
    # One more continuation, in which the places are shared by all: so no chance is 0.
    shared = [counts[:, :most].sum(axis=1) + most / len(event.teams) for most in BOUNDARIES]
    return np.stack(shared) / (continuations + 1)


def _places(event: TeamEvent, after: int) -> Int[np.ndarray, " teams"]:
    """Places after a round under the product rule, by team."""
    cut = event.after(after)
    places = {row.team: row.place for row in rank(cut, find_rule(PRODUCT, cut.rounds, cut.boards))}
    return np.array([places[team] for team in event.teams])


def by_standings(chances: pd.DataFrame) -> pd.DataFrame:
    """Chances by place in the standings: logistic in its logarithm, fitted to the other events.

    Four constants for each of `NAMES`: a level and a slope, and how both change with the rounds
    left. The chances of an event then add up to the places that there are.
    """
    teams = where(chances, method=FORECAST)
    parts = []
    for (name, event), own in teams.groupby(["up_to", "event"], sort=False):
        others = teams[(teams.up_to == name) & (teams.event != event)]
        odds = _features(own) @ _fit(_features(others), others.hit.to_numpy())
        most = BOUNDARIES[NAMES.index(str(name))]
        for _, rows in own.assign(method=STANDINGS, odds=odds).groupby("after", sort=False):
            parts.append(rows.drop(columns="odds").assign(chance=_adding_up(rows.odds, most)))
    return pd.concat(parts)


def _features(frame: pd.DataFrame) -> Float[np.ndarray, "teams 4"]:
    place, left = np.log(frame.place.to_numpy()), frame.left.to_numpy()
    return np.stack([np.ones(len(frame)), place, left, place * left], axis=1)


def _fit(features: Float[np.ndarray, "teams 4"], hit: np.ndarray) -> Float[np.ndarray, "4"]:
    """Logistic regression with a small ridge."""

    def loss(constants: np.ndarray) -> tuple[float, np.ndarray]:
        odds = features @ constants
        slope = features.T @ (special.expit(odds) - hit) + RIDGE * constants
        value = np.logaddexp(0, odds).sum() - odds[hit].sum() + RIDGE * (constants**2).sum() / 2
        return float(value), slope

    return optimize.minimize(loss, np.zeros(features.shape[1]), jac=True).x


def _adding_up(odds: pd.Series, most: int) -> np.ndarray:
    """Chances with the log-odds shifted so that they add up to the number of places."""
    shift = optimize.brentq(lambda x: special.expit(odds + x).sum() - most, -40, 40)
    return special.expit(odds + shift)


# --------------------------------------------------------------------------- scores


def scores_of(chances: pd.DataFrame) -> pd.DataFrame:
    """Log loss and Brier score a place: a row an event, round (`after`), method and `up_to`."""
    chance = chances.chance.clip(1e-7, 1 - 1e-7)
    places = chances.up_to.map(dict(zip(NAMES, BOUNDARIES, strict=True)))
    right = np.where(chances.hit, chance, 1 - chance)
    lost = chances.assign(log_loss=-np.log(right) / places, brier=(1 - right) ** 2 / places)
    keys = ["event", "after", "method", "up_to"]
    return lost.groupby(keys, sort=False)[LOSSES].sum().reset_index()


def means_of(scores: pd.DataFrame) -> pd.DataFrame:
    """Means over the rounds, and as `_more` how much greater they are than the forecast's."""
    keys = ["event", "method", "up_to"]
    means = scores.groupby(keys, sort=False)[LOSSES].mean().reset_index()
    ours = where(means, method=FORECAST).drop(columns="method")
    both = means.merge(ours, on=["event", "up_to"], suffixes=("", "_ours"))
    for loss in LOSSES:
        both[f"{loss}_more"] = both[loss] - both.pop(f"{loss}_ours")
    return both


def overall_of(means: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Means over the events with 95 % bootstrap intervals.

    `_least` and `_most`: the smallest and greatest mean that is left when one event is left out.
    """
    rows = []
    for (method, name), values in means.groupby(["method", "up_to"], sort=False):
        row: dict[str, Any] = {"method": method, "up_to": name}
        weights = resamples(len(values), seed) / len(values)
        for loss in LOSSES:
            more = values[f"{loss}_more"].to_numpy()
            row |= {loss: values[loss].mean(), f"{loss}_more": more.mean()}
            row[f"{loss}_more_low"], row[f"{loss}_more_high"] = interval(weights @ more)
            without = (more.sum() - more) / (len(more) - 1)
            row |= {f"{loss}_least": without.min(), f"{loss}_most": without.max()}
        rows.append(row)
    return pd.DataFrame(rows)


def calibration_of(chances: pd.DataFrame) -> pd.DataFrame:
    """By method and class of chances: `number`, mean `chance`, share that came true."""
    classes = pd.cut(chances.chance, EDGES, include_lowest=True, labels=False)
    ordered = pd.Categorical(chances.method, METHODS)
    grouped = chances.assign(size=classes, method=ordered).groupby(
        ["method", "size"], observed=True
    )
    asked = {"number": ("hit", "size"), "chance": ("chance", "mean"), "share": ("hit", "mean")}
    return grouped.agg(**asked).reset_index().drop(columns="size").astype({"method": str})


def summary(overall: pd.DataFrame, means: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """What the report says in words."""
    others, ours = overall[overall.method != FORECAST], where(means, method=FORECAST)
    signs = np.sign(others[["log_loss_more", "log_loss_least", "log_loss_most"]])
    by_name = ours.groupby("up_to", sort=False)["log_loss"]
    return {
        "sure": others[(others.log_loss_more_low > 0) & (others.log_loss_least > 0)],
        "behind": others[others.log_loss_more < 0],
        "hinging": others[signs.nunique(axis=1) > 1],
        "easiest": ours.loc[by_name.idxmin()],
        "hardest": ours.loc[by_name.idxmax()].set_index("up_to"),
        "worse": means[(means.method != FORECAST) & (means.log_loss_more < 0)],
    }


# --------------------------------------------------------------------------- figures


def scores_figure(scores: pd.DataFrame) -> Figure:
    """Log loss by round: a panel an event and what is forecast, a line a method."""
    names = list(dict.fromkeys(scores.event))
    figure = blank_figure(11.0, 2.6 * len(NAMES))
    panels = figure.subplots(len(NAMES), len(names), squeeze=False, sharex="col")
    for line, up_to in zip(panels, NAMES, strict=True):
        for panel, event in zip(line, names, strict=True):
            for method, colour, marker in zip(METHODS, COLOURS, MARKERS, strict=False):
                rows = where(scores, event=event, method=method, up_to=up_to)
                style = {"color": colour, "marker": marker, "markersize": 4}
                panel.plot(rows.after, rows.log_loss, label=method, **style)
            dress(panel, f"{event}: {up_to}", "after round", "log loss a place", size=10)
            panel.set_ylim(bottom=0)
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(METHODS), frameon=False)
    return figure


def calibration_figure(calibration: pd.DataFrame) -> Figure:
    """The share that came true by the chance that was given."""
    figure = blank_figure(7.0, 6.0)
    panel = figure.subplots()
    panel.plot((0, 1), (0, 1), color=INK, linewidth=0.8)
    for number, method in enumerate((FORECAST, STANDINGS)):
        rows = where(calibration, method=method)
        style = {"color": COLOURS[number], "marker": MARKERS[number]}
        panel.plot(rows.chance, rows.share, label=method, **style)
    dress(panel, "How often came true what was forecast", "chance", "share that came true")
    panel.legend(frameon=False)
    return figure


@script("reports/forecast", events(4000, "continuations of every forecast", "--continuations"))
def main(out: Path, seed: int, continuations: int) -> None:
    """Judge forecasts of recorded events, made after every round, by what happened."""
    read = [read_event(name) for name in EVENTS]
    parts: list[pd.DataFrame] = []
    steps = sum(1 + 2 * (event.rounds - FIRST) for event in read)
    with progress_bar(steps, "forecasts of real events", "forecast") as bar:
        for event in read:
            for frame in replayed(event, continuations, seed):
                parts.append(frame)
                bar.update()
    chances = pd.concat(parts, ignore_index=True)
    chances = pd.concat([chances, by_standings(chances)], ignore_index=True)
    scores = scores_of(chances)
    means = means_of(scores)
    overall, calibration = overall_of(means, seed), calibration_of(chances)
    tables = {"scores": scores, "events": means, "overall": overall, "calibration": calibration}
    frames = written(out, tables)
    told = summary(frames["overall"], frames["events"])
    about = {"seed": seed, "continuations": continuations, "first": FIRST, "methods": METHODS}
    figures = {
        "scores.png": scores_figure(frames["scores"]),
        "calibration.png": calibration_figure(frames["calibration"]),
    }
    report(out, "forecast.md", {**frames, **told, **about}, figures)


if __name__ == "__main__":
    main()
