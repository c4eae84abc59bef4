"""The game model `fitted` and the real games of Baku 2016. Every run finds the same."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tb2learn.chess.rating_tables import logistic_score
from tb2learn.config import GameConfig
from tb2learn.data import load_table
from tb2learn.report.frames import Frames, where
from tb2learn.report.stored import Csv, Each, Json
from tb2learn.report.style import COLOURS, INK, blank_figure, dress
from tb2learn.simulation import games
from tb2learn.stats import interval, resamples
from tb2learn.studies.games.game_model import (
    CANDIDATES,
    EVENT,
    FITTED,
    LEAST,
    Games,
    PerGame,
    board_products,
    chances_of,
    day_products,
    fit,
    held_out_log_likelihood,
    implied_correlation,
    log_likelihood,
    read_games,
    shock_log_likelihood,
    standard_residuals,
    table_chances,
)

SEED, RESAMPLES = 1, 1000
"""Bootstrap samples; whole matches are drawn with replacement."""

DIFFERENCES = (0, 50, 100, 150, 200, 250, 300, 400, 500, 700, 4001)

MEANS = (0, 1600, 1800, 2000, 2200, 2400, 2600, 4001)
"""Edges of the classes of the report, in rating points; a class includes its lower edge."""

SCORES, DRAWS, DRAWS_BY_MEAN = (
    "score of the stronger side by rating difference",
    "draws by rating difference",
    "draws by mean rating",
)
"""What is asked of every class."""

DAY_SHOCKS = np.arange(201)
"""Standard deviations of the team-day shock that are tried, in rating points."""

_ASKED_SHOCKS = (40, 62, 87)

_LISTS = ("constants", "classes", "models", "gains", "colour", "boards", "implied")
_CLASS = ("question", "class", "games", "observed", "low", "high", "fitted", "statistic")

FILES = (
    Json(
        "findings.json",
        {**{name: name for name in ("games", "shock")}, **{name: Each(name) for name in _LISTS}},
        indent=1,
    ),
    Csv("constants.csv", "constants", digits=4),
    Csv("classes.csv", "classes", _CLASS, digits=5),
)


def measure() -> dict[str, pd.DataFrame]:
    """Fit the model, and compare it with the games.

    **Returns:** intervals are 95 %, of bootstrap samples of whole matches unless said otherwise.

    - `games`: how many there are, and shares of White's results (one row).
    - `constants`: of the fitted model, with `low` and `high`.
    - `classes`: a row a question and class of games: what was observed, with its interval, and what
      both models predict for the same games; `middle`, the mean of what makes the class.
    - `models`: log-likelihoods of all models; `gains`: of the fitted one against the statistic.
    - `colour`: what White is worth, in three quantities.
    - `boards`: correlations of the residuals of two boards; `shock`: the most likely team-day shock
      (one row); `implied`: the correlations that follow from shocks.
    """
    played = read_games()
    constants = np.round(fit(FITTED, played), 4)
    weights = resamples(played.matches, SEED, RESAMPLES)
    low, high = interval(np.array([fit(FITTED, played, one) for one in weights]))
    found = {"constant": games.CONSTANTS, "value": constants, "low": low, "high": high}
    fitted, statistic = chances_of(FITTED, constants, played), table_chances(GameConfig(), played)
    each = log_likelihood(statistic, played, LEAST)
    won, drew, lost = ((played.half_points == half).mean() for half in (2, 1, 0))
    about = {
        "games": len(played.match),
        "matches": played.matches,
        "unrated": int((load_table(EVENT, "boards.csv").status == "played").sum())
        - len(played.match),
        "impossible": int((each < np.log(1.0 / games.UNIT)).sum()),
        "won": won,
        "drew": drew,
        "lost": lost,
    }
    white = {"quantity": "the same in rating points for White", "observed": constants[1]}
    white |= {"low": low[1], "high": high[1]}
    return {
        "games": pd.DataFrame([about]),
        "constants": pd.DataFrame(found),
        "classes": _classes(played, fitted, statistic),
        **_models(played, statistic),
        "colour": pd.DataFrame([*_colour(played), white]),
        **_shared(played, constants, fitted),
    }


def mean_of(values: PerGame, where: Bool[np.ndarray, " games"], played: Games) -> dict[str, Any]:
    """How many `games` are meant, the mean of `values` over them, `low` and `high`."""
    total, number = (
        np.bincount(played.match, np.where(where, x, 0.0), played.matches)
        for x in (values, np.ones_like(values))
    )
    weights = resamples(played.matches, SEED, RESAMPLES)
    # Samples without any such game are skipped.
    count = weights @ number
    low, high = interval(
        np.divide(weights @ total, count, np.full(len(count), np.nan), where=count > 0)
    )
    return {"games": int(where.sum()), "observed": values[where].mean(), "low": low, "high": high}


def _classes(
    played: Games, fitted: tuple[PerGame, PerGame], statistic: tuple[PerGame, PerGame]
) -> pd.DataFrame:
    """What was observed by class of games, and what both models predict."""
    apart, stronger = np.abs(played.difference), played.difference >= 0
    scores, draws = (
        [
            np.where(stronger, white, 1.0 - white)
            for white in (played.half_points / 2.0, *(w + d / 2.0 for w, d in (fitted, statistic)))
        ],
        [(played.half_points == 1).astype(np.float64), fitted[1], statistic[1]],
    )
    asked = (
        (SCORES, scores, apart, DIFFERENCES),
        (DRAWS, draws, apart, DIFFERENCES),
        (DRAWS_BY_MEAN, draws, played.mean, MEANS),
    )
    rows = []
    for question, (seen, *models), by, edges in asked:
        for low, high in pairwise(edges):
            here = (low <= by) & (by < high)
            label = f"{low} and more" if high == edges[-1] else f"{low} to {high - 1}"
            said = dict(
                zip(("fitted", "statistic"), (one[here].mean() for one in models), strict=True)
            )
            row = {"question": question, "class": label, "middle": by[here].mean()}
            rows.append(row | mean_of(seen, here, played) | said)
    return pd.DataFrame(rows)


def _models(played: Games, statistic: tuple[PerGame, PerGame]) -> dict[str, pd.DataFrame]:
    """Likelihoods of all models; AIC and held-out rounds where they have a meaning."""
    rows, held_out = [], {}
    for one in CANDIDATES:
        each = log_likelihood(chances_of(one, fit(one, played), played), played, LEAST)
        held_out[one.name] = held_out_log_likelihood(one, played)
        rows.append((one.name, len(one.start), each, held_out[one.name].mean()))
    simulated = log_likelihood(table_chances(GameConfig(model="fitted"), played), played, LEAST)
    rows.append(("fitted, as simulated", None, simulated, np.nan))
    floored = log_likelihood(statistic, played, 1.0 / games.UNIT)
    rows.append(("statistic, consistent tail", 0, floored, floored.mean()))
    models = [
        {
            "model": name,
            "constants": constants,
            "total": each.sum(),
            "AIC": np.nan if constants is None else 2 * constants - 2 * each.sum(),
            "mean": each.mean(),
            "held out": out,
        }
        for name, constants, each, out in rows
    ]
    gain, near = held_out[FITTED.name] - floored, np.abs(played.difference) < 300
    kinds = {"all": np.ones_like(near), "ratings less than 300 apart": near}
    gains = [{"which": name, **mean_of(gain, where, played)} for name, where in kinds.items()]
    found = pd.DataFrame(models).astype({"constants": "Int64"})
    return {"models": found, "gains": pd.DataFrame(gains)}


def _colour(played: Games) -> list[dict[str, Any]]:
    """White's score, and how much it is above that of the Elo formula."""
    white, all_games = played.half_points / 2.0, np.ones(len(played.match), bool)
    quantities = {
        "score of White": white,
        "the same minus that of the Elo formula": white - logistic_score(played.difference),
    }
    return [
        {"quantity": name, **mean_of(values, all_games, played)}
        for name, values in quantities.items()
    ]


def _shared(
    played: Games, constants: Float[np.ndarray, " 5"], fitted: tuple[PerGame, PerGame]
) -> dict[str, pd.DataFrame]:
    """What the boards of a match, and the matches of a team, have in common."""
    residuals = standard_residuals(fitted, played)
    weights = resamples(played.matches, SEED, RESAMPLES)
    boards = []
    for name, (products, pairs) in {
        "of a match": board_products(residuals, played),
        "of a team in different matches": day_products(residuals, played),
    }.items():
        drawn = resamples(len(products), SEED, RESAMPLES)
        low, high = interval((drawn @ products) / (drawn @ pairs))
        value = products.sum() / pairs.sum()
        row = {"two boards": name, "pairs": int(pairs.sum()), "correlation": value}
        boards.append(row | {"low": low, "high": high})
    likelihood = shock_log_likelihood(constants, played, DAY_SHOCKS)
    total = likelihood.sum(axis=1)
    shock = int(DAY_SHOCKS[total.argmax()])
    low, high = interval(DAY_SHOCKS[(weights @ likelihood.T).argmax(axis=1)].astype(float))
    about = {"day_shock": shock, "low": low, "high": high}
    about |= {"gain": total[shock] - total[0], "gain at 87": total[87] - total[0]}
    implied = [(one, implied_correlation(constants, played, one)) for one in _ASKED_SHOCKS]
    return {
        "boards": pd.DataFrame(boards),
        "shock": pd.DataFrame([about]),
        "implied": pd.DataFrame(implied, columns=["day_shock", "correlation"]),
    }


UNITS = (
    "rating points a rating point",
    "rating points",
    "log-odds, even game, mean rating 2300 or less",
    "log-odds for 200 points of mean rating above 2300",
    "log-odds for 400 points of difference",
)
"""Of the constants."""


def summary(frames: Frames) -> dict[str, Any]:
    """The constants with their units; in how many classes models are within the interval."""
    classes = frames["classes"]
    inside = {
        model: classes[model].between(classes["low"], classes["high"])
        for model in ("fitted", "statistic")
    }
    counted = classes[["question"]].assign(classes=1, **inside)
    return {
        "constants": frames["constants"].assign(unit=UNITS),
        "inside": counted.groupby("question", sort=False, as_index=False).sum(),
    }


def games_figure(frames: Frames) -> Figure:
    """A panel a question, and the scores once more, less those of the statistic."""
    figure = blank_figure(10.0, 7.5)
    panels = figure.subplots(2, 2).flat
    shown = (
        (SCORES, "Score of the stronger side", "rating difference"),
        (SCORES, "The same, less that of the Elo formula", "rating difference"),
        (DRAWS, "Share of draws", "rating difference"),
        (DRAWS_BY_MEAN, "Share of draws", "mean rating"),
    )
    for number, (panel, (question, title, across)) in enumerate(zip(panels, shown, strict=True)):
        _draw(panel, where(frames["classes"], question=question), less=number == 1)
        dress(panel, title, f"{across}, mean of the class", "")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False)
    return figure


def _draw(panel: Axes, rows: pd.DataFrame, less: bool) -> None:
    x, seen, statistic = rows["middle"], rows["observed"], rows["statistic"]
    zero = statistic if less else 0.0
    panel.plot(x, statistic - zero, color=COLOURS[1], marker="s", markersize=4, label="statistic")
    panel.plot(x, rows["fitted"] - zero, color=COLOURS[0], marker="D", markersize=4, label="fitted")
    panel.errorbar(
        x,
        seen - zero,
        yerr=[seen - rows["low"], rows["high"] - seen],
        color=INK,
        fmt="o",
        markersize=5,
        capsize=3,
        label="Baku 2016, 95 % interval",
    )


FIGURES = {"games.png": games_figure}
