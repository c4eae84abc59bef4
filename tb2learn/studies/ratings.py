"""Rating tables and relative ratings recomputed: FIDE's expectancy table, the Morphy period.

Nothing is drawn: every figure follows from packaged facts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from jaxtyping import Float, Num
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tb2learn.chess.rating_tables import (
    EXCEPTIONS,
    PERCENT,
    SPREAD,
    bipartite_ratings,
    drift,
    even_ratings,
    expected_hundredths,
    linear_difference,
    linear_score,
    logistic_score,
    normal_difference,
    normal_score,
    rating_differences,
    relative_ratings,
    relative_step,
)
from tb2learn.data import read_rows
from tb2learn.disk import files
from tb2learn.report.markdown import csv_table, table
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, dress
from tb2learn.studies.report_folder import write_report_folder

APART = np.arange(801)
"""Rating differences that laws are compared at."""

ELO_SPREAD = 200 * math.sqrt(2)
"""Standard deviation of a difference by Elo's own constant."""

LAWS: Mapping[str, Callable[[np.ndarray], np.ndarray]] = {
    f"normal, {SPREAD:.2f}": normal_score,
    f"normal, {ELO_SPREAD:.2f}": lambda apart: normal_score(apart * SPREAD / ELO_SPREAD),
    "logistic": logistic_score,
    "linear": lambda apart: np.minimum(linear_score(apart), 1.0),
}
"""Laws of the expected score by name."""

STEPS = 6
_SHOWN = (0.99, 0.9, 0.8, 0.7, 0.6)


@dataclass(frozen=True)
class Period:
    """The cross-table of the Morphy period.

    **Fields:**

    - `names`: of the players.
    - `points`: of everybody against everybody.
    - `printed`: their ratings as printed.
    - `restored`: how many cells of the table had been lost.
    """

    names: tuple[str, ...]
    points: Float[np.ndarray, "players players"]
    printed: Float[np.ndarray, " players"]
    restored: int

    @property
    def games(self) -> Float[np.ndarray, "players players"]:
        """Games between every two players."""
        return self.points + self.points.T

    @property
    def share(self) -> Float[np.ndarray, " players"]:
        """Everybody's share of the points."""
        return self.points.sum(axis=1) / self.games.sum(axis=1)

    def levelled(self, ratings: Float[np.ndarray, " players"]) -> Float[np.ndarray, " players"]:
        """Ratings moved to the mean of the printed ones: only differences mean anything."""
        return ratings - ratings.mean() + self.printed.mean()

    @cached_property
    def steps(self) -> list[Float[np.ndarray, " players"]]:
        """Ratings after 0, 1, ... `STEPS` steps by the normal law, all starting equal."""
        found = [np.full(len(self.names), self.printed.mean())]
        for _ in range(STEPS):
            step = relative_step(self.games, normal_difference(self.share), found[-1])
            found.append(step)
        return [self.levelled(step) for step in found]

    @cached_property
    def columns(self) -> dict[str, Float[np.ndarray, " players"]]:
        """The printed ratings, and ours by name."""
        games, share = self.games, self.share
        return {
            "printed": self.printed,
            "step 3": self.steps[3],
            "step 4": self.steps[4],
            "mean of both": (self.steps[3] + self.steps[4]) / 2,
            "fixed point": self.levelled(relative_ratings(games, normal_difference(share))),
            "as many points as expected": self.levelled(even_ratings(self.points)),
            "linear law": self.levelled(relative_ratings(games, linear_difference(share))),
        }

    def apart(self, name: str) -> float:
        """The largest difference of a column to the printed ratings."""
        return float(np.abs(self.columns[name] - self.printed).max())


def morphy_period() -> Period:
    """The packaged cross-table. Source: `data/morphy/PROVENANCE.md`."""
    ratings, cells = read_rows("morphy", "ratings.csv"), read_rows("morphy", "crosstable.csv")
    names = tuple(row["player"] for row in ratings)
    points = np.zeros((len(names), len(names)))
    for row in cells:
        points[names.index(row["player"]), names.index(row["opponent"])] = float(row["points"])
    printed = np.array([float(row["rating_printed"]) for row in ratings])
    return Period(names, points, printed, sum(row["source"] == "restored" for row in cells))


def study_ratings(folder: Path) -> Path:
    """Recompute FIDE's rating tables and the ratings of the Morphy period.

    **Arguments:** `folder`: gets `README.md`, `ratings.png`, `tables.csv` and `morphy.csv`.

    **Returns:** the path of the report.
    """
    files.check_folder(folder.parent)
    period = morphy_period()
    tables = {
        "tables.csv": csv_table(
            ("difference", "fide", *LAWS),
            zip(
                APART,
                expected_hundredths(APART),
                *((PERCENT * law(APART)).round(4) for law in LAWS.values()),
                strict=True,
            ),
        ),
        "morphy.csv": csv_table(
            ("player", *period.columns),
            [
                (name, *(round(float(column[i]), 1) for column in period.columns.values()))
                for i, name in enumerate(period.names)
            ],
        ),
    }
    return write_report_folder(folder, _report(period), {"ratings.png": _figure(period)}, tables)


# --------------------------------------------------------------------------- figure


def _figure(period: Period) -> Figure:
    figure = blank_figure(12.0, 4.8)
    laws, people = figure.subplots(1, 2)
    _draw_laws(laws)
    _draw_period(people, period)
    return figure


def _draw_laws(panel: Axes) -> None:
    fide = expected_hundredths(APART)
    for (name, law), colour in zip(LAWS.items(), COLOURS, strict=False):
        panel.plot(APART, PERCENT * law(APART) - fide, color=colour, linewidth=1.2, label=name)
    odd = np.array(sorted(EXCEPTIONS))
    panel.plot(
        odd, PERCENT * normal_score(odd) - expected_hundredths(odd), color=COLOURS[0],
        linestyle="", marker="o", markersize=5,
    )  # fmt: skip
    panel.axhspan(-0.5, 0.5, color=INK, alpha=0.08)
    panel.set_ylim(-4, 4)
    title = "FIDE's table is a normal curve, but for six differences (dots)"
    dress(panel, title, "rating difference", "law less table, in hundredths of a point")
    panel.legend(frameon=False, fontsize=9, loc="lower left")


def _draw_period(panel: Axes, period: Period) -> None:
    order = np.argsort(period.printed)
    shown = ("mean of both", "fixed point", "linear law")
    for number, name in enumerate(("printed", *shown)):
        panel.plot(
            period.columns[name][order], range(len(order)), linestyle="", markersize=6,
            marker=MARKERS[number], color=INK if number == 0 else COLOURS[number - 1],
            label="mean of steps 3 and 4" if name == "mean of both" else name,
        )  # fmt: skip
    panel.set_yticks(range(len(order)), [period.names[i] for i in order])
    dress(panel, "The printed ratings are those of a list stopped early", "rating", "")
    panel.legend(frameon=False, fontsize=9, loc="lower right")


# --------------------------------------------------------------------------- report


def misses(law: Callable[[np.ndarray], np.ndarray]) -> int:
    """At how many whole differences 0..800 a law, rounded to hundredths, is not FIDE's figure."""
    rounded = np.floor(PERCENT * law(APART) + 0.5)
    return int((rounded != expected_hundredths(APART)).sum())


def bipartite_errors(
    own: Num[np.ndarray, " players"], other: Num[np.ndarray, " players"]
) -> tuple[float, float]:
    """By how much two formulas miss ``L q = s`` on a complete field of two equal sides.

    **Arguments:** wins less losses of both sides.

    **Returns:** the largest error of the corrected formula, and of the printed one,
    ``(2 s + S/m) / (n m)``, at its best scale.
    """
    m, scores = len(own), np.concatenate([own, other]).astype(np.float64)
    games = np.kron(1.0 - np.eye(2), np.ones((m, m)))
    laplacian = np.diag(games.sum(axis=1)) - games
    printed = np.concatenate([2 * side + side.sum() / m for side in (own, other)]) / (2 * m * m)
    reached = laplacian @ printed
    scale = (reached @ scores) / (reached @ reached)
    right = laplacian @ np.concatenate(bipartite_ratings(own, other))
    found = [float(np.abs(side - scores).max()) for side in (right, scale * reached)]
    return found[0], found[1]


def _report(period: Period) -> str:
    differences, steps = rating_differences(), drift(period.games, normal_difference(period.share))
    lines = [
        "# Rating tables",
        "",
        "![FIDE's table beside laws; ratings of the Morphy period](ratings.png)",
        "",
        "Every figure here follows from packaged facts; nothing is drawn by chance.",
        "",
        "## The expectancy table",
        "",
        f"FIDE's table is the normal law with a standard deviation of 2000/7 = {SPREAD:.2f} "
        "points, rounded to hundredths, for every whole difference from 0 to 800 but "
        f"{len(EXCEPTIONS)}. Elo's own constant, 200 times the root of 2, is {ELO_SPREAD:.2f}.",
        "",
        *table(
            ("law", "differences where it is not FIDE's figure"),
            [(name, misses(law)) for name, law in LAWS.items()],
        ),
        "",
        *table(
            ("difference", "normal law", "FIDE"),
            [
                (
                    apart,
                    f"{float(normal_score(np.array(apart))):.6f}",
                    f"{hundredths / PERCENT:.2f}",
                )
                for apart, hundredths in sorted(EXCEPTIONS.items())
            ],
        ),
        "",
        "The inverse table d(p) holds the middles of the classes of that table, rounded down to "
        "whole points, and no quantiles:",
        "",
        *table(
            ("p", "d(p)", "normal quantile", "logistic quantile"),
            [
                (
                    f"{p:.2f}",
                    int(differences[round(PERCENT * p)]),
                    f"{float(normal_difference(np.array(p))):.1f}",
                    f"{400 * math.log10(p / (1 - p)):.1f}",
                )
                for p in _SHOWN
            ],
        ),
        "",
        *_period_lines(period, steps),
        "",
        *_bipartite_lines(),
        "",
        "All numbers: [tables.csv](tables.csv), [morphy.csv](morphy.csv).",
    ]
    return "\n".join(lines) + "\n"


def _bipartite_lines() -> list[str]:
    corrected, printed = bipartite_errors(np.array([3, 1, 1]), np.array([1, -3, -3]))
    return [
        "## Two sides, everybody against everybody of the other",
        "",
        "The source gives the least squares rating of a player with s wins less losses as "
        "(2s + S/m) / (nm), with m players a side, n = 2m, and S the sum of s over the own side. "
        "That does not solve the equations of least squares; (2ms - S) / (nm) does. Three "
        f"players a side who scored 3, 1, 1 and 1, -3, -3: the right sides are missed by at most "
        f"{corrected:.6f} and, with the printed formula at its best scale, by {printed:.2f}.",
    ]


def _period_lines(period: Period, steps: float) -> list[str]:
    cells = int((period.points > 0).sum())
    return [
        "## Relative ratings of the Morphy period",
        "",
        "The rule: a rating is the mean rating of the opponents, weighted by games, plus d(p) of "
        "the share p of the points. All start equal, and the rule is repeated. "
        f"{period.restored} of the {cells} cells of the cross-table are restored, which is well "
        "supported but not certain.",
        "",
        *table(
            ("player", *period.columns),
            [
                (name, *(f"{column[i]:.0f}" for column in period.columns.values()))
                for i, name in enumerate(period.names)
            ],
        ),
        "",
        *(
            f"* *{name}*: at most {period.apart(name):.1f} points from the printed ratings."
            for name in list(period.columns)[1:]
        ),
        "",
        "The printed ratings are nearest to the mean of the third and the fourth step, and are not "
        f"the fixed point. With the normal law every step moves all ratings by {steps:.2f} points, "
        "as d(p) weighted by games does not add up to 0; only differences mean anything, so all "
        "columns have the mean of the printed one. *As many points as expected* are the ratings "
        "with which the normal law expects of every player what was scored; they are not quite the "
        "fixed point of the rule. With the linear law both are the least squares rating.",
    ]
