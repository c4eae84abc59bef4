"""How good are forecasts of real Olympiads, and how far are ratings from strengths?

A loss is a sum over the teams, divided by the places that there are (1, 3 or 10): so that an event
with more teams has no smaller one. What judges an event was fitted to the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import optimize, special

from studies.frames import where
from studies.script import events_option, recorded, report, script, written
from studies.worlds import OLYMPIADS
from tb2learn.catalogue import find_rule
from tb2learn.events import TeamEvent, rank
from tb2learn.forecasts.chances import BOUNDARIES, NAMES, forecast
from tb2learn.forecasts.request import compared_lists
from tb2learn.forecasts.state import begin
from tb2learn.forecasts.strengths import Offsets, log_likelihood, posterior, prior
from tb2learn.stats import interval, resamples
from tb2learn.tiebreaks.library import PRODUCT

EVENTS = OLYMPIADS
ROUNDS = range(5, 11)  # the rounds after which events are forecast

METHODS = FORECAST, CONSTANT, CURVE = "forecast", "55 points for all", "curve by place and points"

CONSTANT_OFFSETS, DAY_SHOCK = Offsets(55.0), 38.0  # assumed before offsets had a level
EDGES = (0, 0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1.0)  # of classes of chances

RIDGE = 0.1  # else the curves would be sure of what happened in a few events alone


def fitted(read: Sequence[TeamEvent]) -> Offsets:
    """The most likely `Offsets` of some events."""

    def loss(logs: np.ndarray) -> float:
        return -sum(log_likelihood(event, Offsets(*np.exp(logs))) for event in read)

    options = {"xatol": 0.005, "fatol": 0.02, "initial_simplex": [[3.3, 5.8], [3.5, 5.8], [3.3, 6]]}
    best = optimize.minimize(loss, [3.3, 5.8], method="Nelder-Mead", options=options)
    return Offsets(*np.exp(best.x))


def likelihoods(read: Sequence[TeamEvent], left_out: Sequence[Offsets]) -> pd.DataFrame:
    """Log-likelihoods by event, all but the first beside that of 55 points without a day shock."""
    rows = []
    for event, offsets in zip(read, left_out, strict=True):
        constant = log_likelihood(event, CONSTANT_OFFSETS)
        row = {"event": event.name, "points": offsets.points, "halving": offsets.halving}
        row |= {"constant": constant, "level": log_likelihood(event, offsets) - constant}
        row["level_shock"] = log_likelihood(event, offsets, DAY_SHOCK) - constant
        rows.append(row)
    frame = pd.DataFrame(rows)
    return pd.concat([frame, frame.iloc[:, 3:].sum().to_frame().T.assign(event="all")])


def constants_of(whole: Offsets, left_out: Sequence[Offsets]) -> pd.DataFrame:
    """Both constants with 95 % intervals: the jackknife over events, in logarithms."""
    names = "standard deviation at a rating of 2400", "points of rating that halve it"
    here, others = np.log(astuple(whole)), np.log([astuple(offsets) for offsets in left_out])
    half = 1.96 * np.sqrt((len(others) - 1) * others.var(axis=0))
    sides = {"value": here, "value_low": here - half, "value_high": here + half}
    return pd.DataFrame({"constant": names} | {name: np.exp(x) for name, x in sides.items()})


def replayed(
    event: TeamEvent, offsets: Offsets, continuations: int, seed: int
) -> Iterator[pd.DataFrame]:
    """Round by round, a row a team, method and what is forecast: `chance` and `hit`.

    `ahead` are the points above the last place up to the boundary.
    """
    final = _places(event, event.rounds)
    for after in ROUNDS:
        ongoing, place = begin(event, after, ()), _places(event, after)
        points = ongoing.record.standing_points
        orders = {PRODUCT: compared_lists(ongoing)[PRODUCT]}
        for method, of in ((FORECAST, offsets), (CONSTANT, CONSTANT_OFFSETS)):
            strengths = posterior(prior(ongoing.event, of), ongoing.event, ongoing.record)
            found = forecast(ongoing, orders, continuations, seed, strengths=strengths)
            for name, most in zip(NAMES, BOUNDARIES, strict=True):
                # One more continuation, in which all share the places: so no chance is 0.
                reached = found.up_to(most)[0] * continuations + most / len(final)
                ahead = points - np.sort(points)[-most]
                about = {"event": event.name, "after": after, "left": event.rounds - after}
                about |= {"method": method, "up_to": name, "place": place, "ahead": ahead}
                chance = reached / (continuations + 1)
                yield pd.DataFrame({**about, "chance": chance, "hit": final <= most})


def _places(event: TeamEvent, after: int) -> np.ndarray:
    """Places after a round under the product rule, by team."""
    rule = find_rule(PRODUCT, after, event.boards)
    return np.array([row.place for row in rank(event.after(after), rule).row_of])


def by_curve(chances: pd.DataFrame) -> pd.DataFrame:
    """Chances by place and points in the standings: logistic, fitted to the other events.

    The chances of an event then add up to the places that there are.
    """
    parts = []
    for (name, event), own in where(chances, method=FORECAST).groupby(
        ["up_to", "event"], sort=False
    ):
        others = chances[(chances.up_to == name) & (chances.event != event)]
        others = where(others, method=FORECAST)
        odds = _features(own) @ _logistic(_features(others), others.hit.to_numpy())
        most = BOUNDARIES[NAMES.index(str(name))]
        for _, rows in own.assign(odds=odds).groupby("after"):
            args = rows.odds.to_numpy(), most
            shift = optimize.brentq(lambda x, o, m: special.expit(o + x).sum() - m, -60, 60, args)
            chance = special.expit(rows.odds + shift)
            parts.append(rows.drop(columns="odds").assign(method=CURVE, chance=chance))
    return pd.concat(parts)


def _features(frame: pd.DataFrame) -> np.ndarray:
    place, ahead, left = np.log(frame.place), frame.ahead, frame.left
    return np.stack([np.ones(len(frame)), place, ahead, left, place * left, ahead / left], axis=1)


def _logistic(features: np.ndarray, hit: np.ndarray) -> np.ndarray:
    """The constants of a logistic regression with a small ridge."""

    def loss(constants: np.ndarray) -> tuple[float, np.ndarray]:
        odds = features @ constants
        slope = features.T @ (special.expit(odds) - hit) + RIDGE * constants
        value = np.logaddexp(0, odds).sum() - odds[hit].sum() + RIDGE * (constants**2).sum() / 2
        return float(value), slope

    return optimize.minimize(loss, np.zeros(features.shape[1]), jac=True).x


def losses_of(chances: pd.DataFrame) -> pd.DataFrame:
    """Mean log loss a place of the rounds by event; `more`: how much more than the forecast's."""
    chance = np.where(chances.hit, chances.chance, 1 - chances.chance).clip(1e-7)
    places = chances.up_to.map(dict(zip(NAMES, BOUNDARIES, strict=True)))
    lost = chances.assign(log_loss=-np.log(chance) / places)
    by_round = lost.groupby(["event", "after", "method", "up_to"], sort=False).log_loss.sum()
    means = by_round.groupby(["event", "method", "up_to"], sort=False).mean().reset_index()
    ours = means[means.method == FORECAST].set_index(["event", "up_to"]).log_loss
    theirs = ours.loc[pd.MultiIndex.from_frame(means[["event", "up_to"]])].to_numpy()
    return means.assign(more=means.log_loss - theirs)


def overall_of(losses: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Means over the events, with 95 % bootstrap intervals over them."""
    rows = []
    for (method, name), own in losses.groupby(["method", "up_to"], sort=False):
        weights = resamples(len(own), seed) / len(own)
        low, high = interval(weights @ own.more.to_numpy())
        row = {"method": method, "up_to": name, "log_loss": own.log_loss.mean()}
        rows.append(row | {"more": own.more.mean(), "more_low": low, "more_high": high})
    return pd.DataFrame(rows)


def calibration_of(chances: pd.DataFrame) -> pd.DataFrame:
    """By method and class of chances: `number`, mean `chance`, share that came true."""
    labels = [f"{low:g} to {high:g}" for low, high in pairwise(EDGES)]
    size = pd.cut(chances.chance, EDGES, include_lowest=True, labels=labels)
    method = pd.Categorical(chances.method, METHODS)
    grouped = chances.assign(size=size, method=method).groupby(["method", "size"], observed=True)
    asked = {"number": ("hit", "size"), "chance": ("chance", "mean"), "share": ("hit", "mean")}
    return grouped.agg(**asked).reset_index().astype({"method": str, "size": str})


@script("reports/forecast", events_option(500, "simulations of every forecast", "--continuations"))
def main(out: Path, seed: int, continuations: int) -> None:
    """Fit offsets from ratings to strengths, and judge forecasts of Olympiads round by round."""
    read = [recorded(name) for name in EVENTS]
    left_out = [fitted([other for other in read if other is not event]) for event in read]
    both = zip(read, left_out, strict=True)
    chances = pd.concat(one for pair in both for one in replayed(*pair, continuations, seed))
    chances = pd.concat([chances, by_curve(chances)], ignore_index=True)
    tables = {"constants": constants_of(fitted(read), left_out)}
    losses = tables["events"] = losses_of(chances)
    tables |= {"likelihoods": likelihoods(read, left_out), "overall": overall_of(losses, seed)}
    frames = written(out, tables | {"calibration": calibration_of(chances)})
    about = {"seed": seed, "continuations": continuations, "rounds": ROUNDS}
    report(out, "forecast.md", frames | about)


if __name__ == "__main__":
    main()
