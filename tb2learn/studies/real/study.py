"""Shares of right verdicts on recorded events, differences to the first rule, and the power."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from tb2learn.events import TeamEvent
from tb2learn.simulation.run import progress_bar
from tb2learn.stats.bootstrap import interval, resamples
from tb2learn.studies.real.verdicts import (
    HIGHER_RATED,
    RIGHT,
    WRONG,
    FindRule,
    Verdicts,
    populations,
    prediction_verdicts,
    rating_verdicts,
)
from tb2learn.types import InputError

RESAMPLES = 2000
"""Bootstrap samples behind an interval."""

UNITS = {"ratings": "score groups", "prediction": "matches"}
"""What is resampled besides teams, by test."""

_SIGNIFICANT, _POWER = 1.959964, 0.841621
"""Normal quantiles: of a two-sided test at 5 %, and of a chance of 80 % to find the difference."""


@dataclass(frozen=True)
class Row:
    """One rule in one population of one test.

    Intervals are 95 % percentile bootstrap intervals; of the two, over units and over teams, the
    wider one.

    **Fields:**

    - `test`, `population`, `rule`: names.
    - `pairs`: number of verdicts; `units`: of score groups or matches that they belong to.
    - `right`, `right_ci`: share of them that is right; equal scores count half.
    - `more`, `more_ci`: that share less the first rule's, on the same resamples.
    - `over`: which bootstrap gave the wider interval of the difference, `teams` or one of `UNITS`.
    - `disagree`, `disagree_right`: pairs that the rule and the first one put in opposite order, and
      how many of them the rule has right.
    - `events_half`, `events_most`: how many events like these it takes until the difference, if it
      is as large as found, is significant (5 %, two-sided) with a chance of one half and of 80 %;
      NaN without an interval or a difference.
    """

    test: str
    population: str
    rule: str
    pairs: int
    units: int
    right: float
    right_ci: tuple[float, float]
    more: float
    more_ci: tuple[float, float]
    over: str
    disagree: int
    disagree_right: int
    events_half: float
    events_most: float

    @property
    def shown(self) -> bool:
        """Whether the interval of the difference excludes zero."""
        return self.more_ci[0] > 0 or self.more_ci[1] < 0


@dataclass(frozen=True)
class Disagreement:
    """Two rules with opposite verdicts.

    **Fields:**

    - `test`, `population`: names.
    - `one`, `other`: the rules.
    - `pairs`: how often they disagree.
    - `one_right`: how often `one` is right then; else `other` is.
    """

    test: str
    population: str
    one: str
    other: str
    pairs: int
    one_right: int


@dataclass(frozen=True)
class RealStudy:
    """Rules judged by recorded events.

    **Fields:**

    - `events`: names of all events; `rated`, `predicted`: of those that take part in each test.
    - `rules`: names; differences are to the first.
    - `seed`: of the resampling.
    - `rows`, `disagreements`: by test, population and rule.
    - `looked_at`: number of differences whose intervals were looked at.
    """

    events: tuple[str, ...]
    rated: tuple[str, ...]
    predicted: tuple[str, ...]
    rules: tuple[str, ...]
    seed: int
    rows: tuple[Row, ...]
    disagreements: tuple[Disagreement, ...]

    @property
    def looked_at(self) -> int:
        """Number of differences between a rule and the first whose intervals were looked at."""
        return sum(row.rule not in (self.rules[0], HIGHER_RATED) for row in self.rows)

    def at(self, test: str, population: str) -> tuple[Row, ...]:
        """The rows of one population, rules in order."""
        return tuple(r for r in self.rows if (r.test, r.population) == (test, population))


def judge(
    events: Sequence[TeamEvent],
    names: Sequence[str],
    find: FindRule,
    seed: int,
    label: str | None = None,
) -> RealStudy:
    """Judge rules by recorded events.

    **Arguments:**

    - `events`: with ratings, with rounds, or both; each once.
    - `names`: of the rules; differences are to the first.
    - `find`: finds a rule by name.
    - `seed`: of the resampling, within every event.
    - `label`: shows a progress bar with this label.

    **Raises:** `InputError` if an event is given twice, if none can take part in a test, or if a
    rule is not for the format of an event.
    """
    for number, event in enumerate(events):
        if any(event.matches == other.matches for other in events[:number]):
            raise InputError(f"{event.name}: the same event is given twice")
    rated, predicted = [], []
    with progress_bar(2 * len(events), label, "test") as bar:
        for event in events:
            for test, found in ((rating_verdicts, rated), (prediction_verdicts, predicted)):
                found.append(test(event, names, find))
                bar.update()
    rows: list[Row] = []
    disagreements: list[Disagreement] = []
    tests = {"ratings": (rated, names), "prediction": (predicted, [*names, HIGHER_RATED])}
    for test, (found, rules) in tests.items():
        usable = [one for one in found if one is not None and len(one.units)]
        if usable:
            rows += _rows(test, usable, rules, seed)
            disagreements += _disagreements(test, usable, rules)
    if not rows:
        raise InputError("no event has ratings, or rounds with teams equal on match points")

    def names_of(found: list[Verdicts | None]) -> tuple[str, ...]:
        return tuple(e.name for e, one in zip(events, found, strict=True) if one is not None)

    return RealStudy(
        tuple(event.name for event in events),
        names_of(rated),
        names_of(predicted),
        tuple(names),
        seed,
        tuple(rows),
        tuple(disagreements),
    )


def _rows(test: str, found: Sequence[Verdicts], rules: Sequence[str], seed: int) -> list[Row]:
    """All rows of one test, pooled over events."""
    generator = np.random.default_rng(seed)
    sums = [_columns(one) for one in found]
    totals = sum(columns.sum(axis=0) for columns in sums)
    drawn: dict[str, Float[np.ndarray, "times columns"]] = {}
    for over in (UNITS[test], "teams"):
        drawn[over] = sum(
            (_weights(one, over, generator) @ columns)
            for one, columns in zip(found, sums, strict=True)
        )
    rows = []
    width = 1 + len(rules)
    for number, population in enumerate(populations(test)):
        inside = slice(number * width, (number + 1) * width)
        resampled = {over: _shares(values[:, inside]) for over, values in drawn.items()}
        shares, pairs = _shares(totals[None, inside])[0], int(totals[inside][0])
        for k, rule in enumerate(rules):
            differences = {over: interval(s[:, k] - s[:, 0]) for over, s in resampled.items()}
            over = max(differences, key=lambda name: _width(differences[name]))
            wide = max((interval(s[:, k]) for s in resampled.values()), key=_width)
            more = float(shares[k] - shares[0])
            units = sum(len(set(one.units[one.populations[:, number]])) for one in found)
            against = _disagreement(found, number, k, 0)
            half, most = _events_needed(more, differences[over], len(found))
            rows.append(
                Row(
                    test=test,
                    population=population,
                    rule=rule,
                    pairs=pairs,
                    units=units,
                    right=float(shares[k]),
                    right_ci=(float(wide[0]), float(wide[1])),
                    more=more,
                    more_ci=(float(differences[over][0]), float(differences[over][1])),
                    over=over,
                    disagree=against[0],
                    disagree_right=against[1],
                    events_half=half,
                    events_most=most,
                )
            )
    return rows


def _columns(one: Verdicts) -> Float[np.ndarray, "items columns"]:
    """For every population the verdict itself, as 1, and then every rule's, as 0, 1/2 or 1."""
    values = np.column_stack([np.ones(len(one.units)), one.verdicts / RIGHT])
    return np.concatenate([inside[:, None] * values for inside in one.populations.T], axis=1)


def _weights(
    one: Verdicts, over: str, generator: np.random.Generator
) -> Float[np.ndarray, "times items"]:
    """How often every verdict counts in each resample of one event.

    Of teams: as often as both were drawn, as the verdicts on one team are not independent.
    """
    if over == "teams":
        drawn = resamples(one.teams, generator, RESAMPLES)
        return drawn[:, one.pairs[:, 0]] * drawn[:, one.pairs[:, 1]]
    units, index = np.unique(one.units, return_inverse=True)
    return resamples(len(units), generator, RESAMPLES)[:, index]


def _shares(sums: Float[np.ndarray, "times columns"]) -> Float[np.ndarray, "times rules"]:
    """Shares of right verdicts; NaN without a verdict."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return sums[:, 1:] / sums[:, :1]


def _width(ends: Float[np.ndarray, "2"]) -> float:
    """The length of an interval; below that of any other without one."""
    return float(np.nan_to_num(ends[1] - ends[0], nan=-1.0))


def _events_needed(more: float, ends: Float[np.ndarray, "2"], events: int) -> tuple[float, float]:
    """Events for a chance of one half, and of 80 %, that the difference is significant.

    The standard error is taken from the interval, and falls with the root of the events.
    """
    error = float(ends[1] - ends[0]) / (2 * _SIGNIFICANT)
    if not (math.isfinite(error) and error > 0 and more):
        return math.nan, math.nan
    half, most = (events * (z * error / more) ** 2 for z in (_SIGNIFICANT, _SIGNIFICANT + _POWER))
    return float(math.ceil(half)), float(math.ceil(most))


def _disagreement(
    found: Sequence[Verdicts], population: int, one: int, other: int
) -> tuple[int, int]:
    """How often two rules have opposite verdicts, and how often the first of them is right."""
    pairs = right = 0
    for verdicts in found:
        said = verdicts.verdicts[verdicts.populations[:, population]]
        opposite = np.abs(said[:, one] - said[:, other]) == RIGHT - WRONG
        pairs += int(opposite.sum())
        right += int((opposite & (said[:, one] == RIGHT)).sum())
    return pairs, right


def _disagreements(
    test: str, found: Sequence[Verdicts], rules: Sequence[str]
) -> list[Disagreement]:
    """Every two rules in every population."""
    return [
        Disagreement(test, population, rules[i], rules[j], *_disagreement(found, number, i, j))
        for number, population in enumerate(populations(test))
        for i in range(len(rules))
        for j in range(i)
    ]
