"""Which game model describes real boards?

Candidates are fitted to the games of Baku 2016; the constants of one are packaged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from scipy import optimize, special

from studies.frames import load_table
from studies.script import report, script, written
from tb2learn.chess.rating_tables import logistic_score
from tb2learn.config import GameConfig
from tb2learn.simulation import games
from tb2learn.stats import interval, resamples

EVENT = "baku2016"

SEED, RESAMPLES = 1, 1000  # bootstrap samples; whole matches are drawn with replacement

DIFFERENCES = (0, 50, 100, 150, 200, 250, 300, 400, 500, 700, 4001)
MEANS = (0, 1600, 1800, 2000, 2200, 2400, 2600, 4001)  # edges in rating points

SCORES, DRAWS, DRAWS_BY_MEAN = (
    "score of the stronger side by rating difference",
    "draws by rating difference",
    "draws by mean rating",
)
DAY_SHOCKS = np.arange(201)  # standard deviations that are tried, in rating points

PerGame: TypeAlias = Float[np.ndarray, " games"]
Chances: TypeAlias = tuple[PerGame, PerGame]  # white's chances of a win and of a draw in every game


@dataclass(frozen=True)
class Games:
    """Played games between rated players."""

    difference: PerGame  # White's rating less Black's
    mean: PerGame  # of the two ratings
    half_points: Int[np.ndarray, " games"]  # 0, 1 or 2, White's
    match: Int[np.ndarray, " games"]  # number of the match, 0 ..; every match has a game
    side: PerGame  # 1 where White plays for the team named first in the match's first game, else -1
    round: Int[np.ndarray, " games"]
    teams: np.ndarray  # names of White's and Black's team, [games, 2]
    matches: int

    def by_match(self, values: PerGame) -> Float[np.ndarray, " matches"]:
        """Sums over the games of every match."""
        return np.bincount(self.match, values, self.matches)


def read_games() -> Games:
    """The played games of `EVENT` in which both players have a rating."""
    boards = load_table(EVENT, "boards.csv")
    boards = boards[boards.status == "played"].dropna(subset=["white_rating", "black_rating"])
    white, black = (boards[f"{side}_rating"].to_numpy(float) for side in ("white", "black"))
    # Keys are sorted as text, which keeps the numbers of matches and so the published intervals.
    names = boards[["round", "match"]].to_numpy(str)
    _, first, match = np.unique(names, axis=0, return_index=True, return_inverse=True)
    teams = boards[["white_team", "black_team"]].to_numpy(str)
    return Games(
        difference=white - black,
        mean=(white + black) / 2.0,
        half_points=boards.result.map({"0-1": 0, "1/2-1/2": 1, "1-0": 2}).to_numpy(int),
        match=match,
        side=np.where(teams[:, 0] == teams[first[match], 0], 1.0, -1.0),
        round=boards["round"].to_numpy(int),
        teams=teams,
        matches=len(first),
    )


def fitted_model(constants: Any, difference: PerGame, mean: PerGame) -> Chances:
    """The model of the simulator, see `games.fitted_chances`."""
    return games.fitted_chances(constants, difference, mean, np.ones_like(mean))


def ordered_logit(constants: Any, difference: PerGame, mean: PerGame) -> Chances:
    """Draws are an interval in the middle of a logistic scale."""
    strength, rise = _strength_and_rise(constants, difference, mean)
    half_width = np.exp(rise)
    win, loss = special.expit(strength - half_width), special.expit(-strength - half_width)
    return win, 1.0 - win - loss


def davidson(constants: Any, difference: PerGame, mean: PerGame) -> Chances:
    """Davidson's model: a draw is as likely as a multiple of the geometric mean of win and loss."""
    strength, draw = _strength_and_rise(constants, difference, mean)
    win, draw, _ = special.softmax(np.stack([strength / 2.0, draw, -strength / 2.0]), axis=0)
    return win, draw


def _strength_and_rise(
    constants: Any, difference: PerGame, mean: PerGame
) -> tuple[PerGame, PerGame]:
    """White's lead on a logistic scale; the logarithm of the draws, linear over `games.rise_of`."""
    scale, white_advantage, level, by_mean = constants
    strength = (scale * difference + white_advantage) * np.log(10.0) / 400.0
    return strength, level + by_mean * games.rise_of(mean)


Model: TypeAlias = Callable[[Any, PerGame, PerGame], Chances]

MODELS: Mapping[Model, tuple[str, tuple[float, ...]]] = {
    fitted_model: ("share of the room", (1.0, 30.0, -0.9, 0.9, 0.9)),
    ordered_logit: ("ordered logit", (1.0, 30.0, -0.5, 0.5)),
    davidson: ("Davidson", (1.5, 50.0, -0.4, 0.7)),
}
"""Their names, and where the fit starts."""


def table_chances(game: GameConfig, played: Games) -> Chances:
    """The chances in simulated events, which have no colours."""
    first_mean, mean_step, means = games.mean_classes(game)
    row = np.clip((played.mean - first_mean) // mean_step, 0, means - 1).astype(int)
    law = games.game_table(game)[row, np.abs(played.difference).astype(int)] / games.UNIT
    win, draw = law.T
    return np.where(played.difference >= 0, win, 1.0 - win - draw), draw


def log_likelihood(chances: Chances, played: Games, least: float = 1e-12) -> PerGame:
    """Logarithm of the chance of every game's result; chances below `least` count as `least`."""
    win, draw = chances
    chance = np.choose(played.half_points, [1.0 - win - draw, draw, win])
    return np.log(np.maximum(chance, least))


def of_model(model: Model, constants: np.ndarray, played: Games) -> PerGame:
    """Logarithm of the chance that a model gives every game's result."""
    return log_likelihood(model(constants, played.difference, played.mean), played)


def fit(model: Model, played: Games, weights: np.ndarray | None = None) -> np.ndarray:
    """The maximum-likelihood constants of a model, in the order of its start."""
    weight = np.ones(len(played.match)) if weights is None else weights[played.match]

    def loss(constants: np.ndarray) -> float:
        return -float(weight @ of_model(model, constants, played))

    name, start = MODELS[model]
    # Without gradients, as the likelihood has kinks at rating difference 0.
    options = {"xatol": 1e-5, "fatol": 1e-6, "maxiter": 5000, "maxfev": 5000}
    best = optimize.minimize(loss, start, method="Nelder-Mead", options=options)
    if not best.success:
        raise RuntimeError(f"the fit of {name} did not converge: {best.message}")
    return best.x


def held_out(model: Model, played: Games) -> PerGame:
    """Logarithm of the chance of every result, with constants fitted to the other rounds."""
    result = np.empty(len(played.match))
    for number in np.unique(played.round):
        out = played.round == number
        used = (played.by_match(~out) > 0).astype(float)
        result[out] = of_model(model, fit(model, played, used), played)[out]
    return result


def shock_log_likelihood(
    constants: np.ndarray, played: Games, day_shocks: Sequence[float] | np.ndarray
) -> Float[np.ndarray, "values matches"]:
    """Logarithm of the chance of every match's results under several team-day shocks.

    The shocks are those of `games.cumulative_law`, but not rounded.
    """

    def of_match(shift: PerGame) -> np.ndarray:
        chances = fitted_model(constants, played.difference + shift, played.mean)
        return played.by_match(log_likelihood(chances, played))

    quantiles = 2**0.5 * games.shock_quantiles()
    by_shock = [[of_match(shock * q * played.side) for q in quantiles] for shock in day_shocks]
    return special.logsumexp(by_shock, axis=1) - np.log(games.SHOCKS)


def board_products(residuals: PerGame, played: Games) -> tuple[np.ndarray, np.ndarray]:
    """For every match: sum and number of the products of the residuals of two boards."""
    total, squares, boards = map(
        played.by_match, (residuals, residuals**2, np.ones_like(residuals))
    )
    return (total**2 - squares) / 2.0, boards * (boards - 1) / 2.0


def day_products(residuals: PerGame, played: Games) -> tuple[np.ndarray, np.ndarray]:
    """For every team: the same for two boards in different matches of the team."""
    names, team = np.unique(played.teams, return_inverse=True)
    days = np.zeros((2, len(names), played.matches))
    for own, sign in zip(team.reshape(-1, 2).T, (1.0, -1.0), strict=True):
        np.add.at(days[0], (own, played.match), sign * played.side * residuals)
        np.add.at(days[1], (own, played.match), 1.0)
    products, number = (days.sum(axis=-1) ** 2 - (days**2).sum(axis=-1)) / 2.0
    return products, number


def _ends(over: np.ndarray, under: np.ndarray) -> tuple[float, float]:
    """The ends of the interval of sums of `over` by sums of `under`, by match or by team."""
    weights = resamples(len(over), SEED, RESAMPLES)
    with np.errstate(invalid="ignore"):  # samples without any such game are left out
        low, high = interval((weights @ over) / (weights @ under))
    return low, high


def mean_of(values: PerGame, played: Games, here: Any = True) -> dict[str, Any]:
    """How many `games` are meant, the mean of `values` over them (`observed`), `low`, `high`."""
    here = np.broadcast_to(here, values.shape)
    low, high = _ends(played.by_match(np.where(here, values, 0.0)), played.by_match(1.0 * here))
    return {"games": int(here.sum()), "observed": values[here].mean(), "low": low, "high": high}


def constants_table(played: Games) -> pd.DataFrame:
    """The constants of the fitted model with their intervals; four decimals are packaged."""
    weights = resamples(played.matches, SEED, RESAMPLES)
    low, high = interval(np.array([fit(fitted_model, played, drawn) for drawn in weights]))
    value = np.round(fit(fitted_model, played), 4)
    return pd.DataFrame({"constant": games.CONSTANTS, "value": value, "low": low, "high": high})


def classes_table(played: Games, fitted: Chances, statistic: Chances) -> pd.DataFrame:
    """A row a question and class of games: what was observed, and what both models predict."""
    apart, stronger = np.abs(played.difference), played.difference >= 0
    white = (played.half_points / 2.0, *(win + draw / 2.0 for win, draw in (fitted, statistic)))
    scores = [np.where(stronger, own, 1.0 - own) for own in white]
    draws = [(played.half_points == 1).astype(np.float64), fitted[1], statistic[1]]
    rows = []
    for question, (seen, *models), by, edges in (
        (SCORES, scores, apart, DIFFERENCES),
        (DRAWS, draws, apart, DIFFERENCES),
        (DRAWS_BY_MEAN, draws, played.mean, MEANS),
    ):
        for low, high in pairwise(edges):
            here = (low <= by) & (by < high)
            label = f"{low} and more" if high == edges[-1] else f"{low} to {high - 1}"
            predicted = {"fitted": models[0][here].mean(), "statistic": models[1][here].mean()}
            row = {"question": question, "class": label, "middle": by[here].mean()}
            rows.append(row | mean_of(seen, played, here) | predicted)
    return pd.DataFrame(rows)


def models_tables(played: Games, statistic: Chances) -> dict[str, pd.DataFrame]:
    """`models`: likelihoods of all; `gains`: of the fitted one against the statistic, by game."""
    floored = log_likelihood(statistic, played, 1.0 / games.UNIT)
    out = {model: held_out(model, played) for model in MODELS}
    rows = [
        (name, len(start), of_model(model, fit(model, played), played), out[model].mean())
        for model, (name, start) in MODELS.items()
    ]
    simulated = log_likelihood(table_chances(GameConfig(model="fitted"), played), played)
    rows.append(("fitted, as simulated", np.nan, simulated, np.nan))
    rows.append(("statistic, consistent tail", 0, floored, floored.mean()))
    models = [
        (name, constants, each.sum(), 2 * constants - 2 * each.sum(), each.mean(), mean)
        for name, constants, each, mean in rows
    ]
    columns = ["model", "constants", "total", "AIC", "mean", "held out"]
    near = {"all": True, "ratings less than 300 apart": np.abs(played.difference) < 300}
    gain = out[fitted_model] - floored
    gains = [{"which": name, **mean_of(gain, played, here)} for name, here in near.items()]
    return {"models": pd.DataFrame(models, columns=columns), "gains": pd.DataFrame(gains)}


def shared_tables(played: Games, constants: np.ndarray, fitted: Chances) -> dict[str, pd.DataFrame]:
    """Correlations of the residuals of two `boards`; the most likely team-day `shock`."""
    win, draw = fitted
    expected = win + draw / 2.0
    deviation = np.sqrt(win + draw / 4.0 - expected**2)
    # Standardized, and seen from the first team of the match.
    residuals = played.side * (played.half_points / 2.0 - expected) / deviation
    kinds = {
        "of a match": board_products(residuals, played),
        "of a team in different matches": day_products(residuals, played),
    }
    boards = [
        (name, int(pairs.sum()), products.sum() / pairs.sum(), *_ends(products, pairs))
        for name, (products, pairs) in kinds.items()
    ]
    likelihood = shock_log_likelihood(constants, played, DAY_SHOCKS)
    total = likelihood.sum(axis=1)
    shock = int(DAY_SHOCKS[total.argmax()])
    weights = resamples(played.matches, SEED, RESAMPLES)
    low, high = interval(DAY_SHOCKS[(weights @ likelihood.T).argmax(axis=1)].astype(float))
    about = {"day_shock": shock, "low": low, "high": high}
    about |= {"gain": total[shock] - total[0], "gain at 87": total[87] - total[0]}
    columns = ["two boards", "pairs", "correlation", "low", "high"]
    return {"boards": pd.DataFrame(boards, columns=columns), "shock": pd.DataFrame([about])}


def about_games(played: Games, statistic: Chances) -> pd.DataFrame:
    """How many games there are, and shares of White's results (one row)."""
    won, drew, lost = ((played.half_points == half).mean() for half in (2, 1, 0))
    all_played = int((load_table(EVENT, "boards.csv").status == "played").sum())
    impossible = int((log_likelihood(statistic, played) < np.log(1.0 / games.UNIT)).sum())
    about = {"games": len(played.match), "matches": played.matches, "impossible": impossible}
    about["unrated"] = all_played - len(played.match)
    return pd.DataFrame([about | {"won": won, "drew": drew, "lost": lost}])


@script("reports/games", seed=None)
def main(out: Path) -> None:
    """Fit the game model to the boards of Baku 2016, and compare it with the games."""
    played = read_games()
    constants = constants_table(played)
    values = constants["value"].to_numpy()
    fitted = fitted_model(values, played.difference, played.mean)
    statistic = table_chances(GameConfig(), played)
    white = played.half_points / 2.0
    above = white - logistic_score(played.difference)
    colour = {
        "score of White": mean_of(white, played),
        "the same minus that of the Elo formula": mean_of(above, played),
        "the same in rating points": constants.iloc[1, 1:].rename({"value": "observed"}),
    }
    tables = {
        "games": about_games(played, statistic),
        "classes": classes_table(played, fitted, statistic),
        **models_tables(played, statistic),
        "colour": pd.DataFrame([{"quantity": name, **row} for name, row in colour.items()]),
        **shared_tables(played, values, fitted),
    }
    frames = written(out, tables)
    packaged = written(out, {"baku2016_games": constants}, 4)["baku2016_games"]
    classes = frames["classes"]
    counted = classes[["question"]].assign(classes=1)
    for model in ("fitted", "statistic"):
        counted[model] = classes[model].between(classes["low"], classes["high"])
    inside = counted.groupby("question", sort=False, as_index=False).sum()
    given = {**frames, "constants": packaged, "inside": inside}
    report(out, "games.md", given)


if __name__ == "__main__":
    main()
