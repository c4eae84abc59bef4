"""Calibration: how often the higher of two tied scores is that of the better team, by margin.

Counts come from simulated events, as whole numbers by own match points and margin. `fit` makes the
map of `tiebreaks.confidence_map` from them; `calibration_error` judges a map on other events.
`calibrate` does both for the rules of a `Mixture` of worlds.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, NamedTuple, TypeAlias

import jax
import numpy as np
import pandas as pd
import scipy.optimize
from jaxtyping import Array, Float, Int, Num

from tb2learn.assessment.judged import Judged, as_judged
from tb2learn.assessment.pairs import tied_pairs
from tb2learn.catalogue import find_rule
from tb2learn.config import Config, load_config
from tb2learn.jax_types import Key
from tb2learn.simulation import truth
from tb2learn.simulation.event import Event
from tb2learn.simulation.run import SILENT, Progress, sum_events
from tb2learn.simulation.streams import EventRange, Purpose
from tb2learn.stats import interval, resamples, with_ends
from tb2learn.tiebreaks.confidence_map import Confidence
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError, PerTeam
from tb2learn.version import CALIBRATED

STATED = (0.5, 0.55, 0.65, 0.75, 0.85, 0.9, 0.95, 1.0)
"""Ends of the classes of stated probability."""

TOPS = (10, 0)
"""Populations: pairs of the groups that touch a place up to this one; 0 for all pairs."""

BLOCKS = 50
"""Counts are kept by block of events: event `i` belongs to block `i % BLOCKS`."""

MARGINS = 512
"""Classes of margins; the last one holds all larger margins."""

BINS = 20
"""Equally wide classes of stated probability, 0.5 .. 1, of the expected calibration error."""

BIN_ENDS = tuple((0.5 + np.arange(BINS + 1) / (2 * BINS)).tolist())

_RESAMPLES = 1000
_PILOT = 32  # events
_SPREADS = 8  # mean distances of two tied scores that the classes reach to
_ENOUGH = 10_000  # pairs; an own score with fewer borrows those of its neighbours


@dataclass(frozen=True)
class MarginCounts:
    """Tied pairs by own match points and margin.

    **Fields:**

    - `right`, `pairs`: int64 `[blocks, tops, shares, margins]`: verdicts that were right (in
      halves: a tie of true strengths counts one), and pairs.
    - `width`: points of the rule a class of margins.
    """

    right: Int[np.ndarray, "blocks tops shares margins"]
    pairs: Int[np.ndarray, "blocks tops shares margins"]
    width: int

    def __add__(self, other: MarginCounts) -> MarginCounts:
        """Counts of both: a mixture of two worlds."""
        if self.width != other.width:
            raise ValueError(f"classes must be equally wide, got {self.width} and {other.width}")
        return MarginCounts(
            self.right + other.right,
            self.pairs + other.pairs,
            self.width,
        )

    def margins(self) -> Float[np.ndarray, " margins"]:
        """The middle of every class, in points of the rule."""
        return np.arange(MARGINS) * self.width + (self.width - 1) / 2

    def stated(self, scale: Float[np.ndarray, " shares"]) -> Float[np.ndarray, "shares margins"]:
        """The probability of every class under a map with constants `scale`, in points."""
        return 1.0 / (1.0 + np.power(10.0, -self.margins() / scale[:, None]))


Described: TypeAlias = tuple[PerTeam, PerTeam, tuple[Num[Array, " teams"], ...]]


def describe(key: Key, event: Event, config: Config, judged: tuple[Judged, ...]) -> Described:
    """Match points, true strength and every rule's score of every team of one event."""
    scores = _scores(key, event, config, judged)
    return event.match_points, truth.strength_of(event, config.game), scores


def describe_rated(key: Key, event: Event, config: Config, judged: tuple[Judged, ...]) -> Described:
    """The same with published ratings, which the world must have, for true strengths."""
    if event.ratings is None:
        raise InputError(f"{config.name}: no ratings are published in this world")
    return event.match_points, event.ratings, _scores(key, event, config, judged)


def _scores(
    key: Key, event: Event, config: Config, judged: tuple[Judged, ...]
) -> tuple[Num[Array, " teams"], ...]:
    keys = jax.random.split(key, len(judged))
    return tuple(one.estimate(k, event, config) for k, one in zip(keys, judged, strict=True))


def count_margins(
    config: Config,
    rules: Sequence[Rule],
    widths: Sequence[int],
    events: EventRange,
    progress: Progress = SILENT,
    *,
    rated: bool = False,
) -> tuple[MarginCounts, ...]:
    """Play events and count their tied pairs, for every rule.

    **Arguments:**

    - `config`: the world.
    - `rules`: their scores are whole points.
    - `widths`: points a class of margins, for every rule.
    - `events`: of the world.
    - `progress`: as in `simulation.run.sum_events`.
    - `rated`: a verdict is right if the team with the higher published rating is preferred, as in
      real events, whose true strengths nobody knows. Pairs of equal rating are left out.

    **Raises:** `InputError` for `rated` in a world without published ratings.
    """
    shape = (BLOCKS, len(TOPS), config.event.max_match_points + 1, MARGINS)

    def add(numbers: np.ndarray, described: tuple) -> tuple:
        own, better, scores = described
        pairs = tied_pairs(own)
        order = np.sign(pairs.differences(better))
        if rated:
            pairs, order = pairs.only(order != 0), order[order != 0]
        groups = [(top, pairs.place <= (last or own.shape[1])) for top, last in enumerate(TOPS)]
        classes = numbers[pairs.event] % BLOCKS, own[pairs.event, pairs.first]
        added = []
        for score, width in zip(scores, widths, strict=True):
            margin = pairs.differences(score)
            column = np.minimum(np.abs(margin) // width, MARGINS - 1)
            agree = np.sign(margin) * order + 1
            sums = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
            for top, touching in groups:
                at = (classes[0][touching], top, classes[1][touching], column[touching])
                flat = np.ravel_multi_index(np.broadcast_arrays(*at), shape)
                np.add.at(sums[0].reshape(-1), flat, agree[touching])
                np.add.at(sums[1].reshape(-1), flat, 1)
            added.append(sums)
        return tuple(added)

    judged = tuple(map(as_judged, rules))
    measure = describe_rated if rated else describe
    counts = sum_events(config, measure, events, judged, add, truth=not rated, progress=progress)
    return tuple(
        MarginCounts(right, pairs, width)
        for (right, pairs), width in zip(counts, widths, strict=True)
    )


def margin_widths(config: Config, rules: Sequence[Rule], seed: int) -> tuple[int, ...]:
    """Points a class of margins for every rule, so that nearly all pairs are told apart.

    It depends on a few events of the world and the seed alone.
    """

    def add(numbers: np.ndarray, described: tuple) -> tuple:
        own, _, scores = described
        return tuple(_mean_distance(own, score.astype(np.int64)) for score in scores)

    events = EventRange(seed, Purpose.CALIBRATE, _PILOT)
    judged = tuple(map(as_judged, rules))
    spreads = sum_events(config, describe, events, judged, add, truth=True)
    return tuple(max(1, round(float(s) / _PILOT * _SPREADS / MARGINS)) for s in spreads)


def _mean_distance(own: np.ndarray, score: np.ndarray) -> np.ndarray:
    """The mean distance of two tied scores of each event, summed over the events."""
    pairs = tied_pairs(own)
    number = np.bincount(pairs.event, minlength=len(own))
    apart = np.bincount(pairs.event, np.abs(pairs.differences(score)), len(own))
    return np.array((apart / np.maximum(number, 1)).astype(np.int64).sum())


def fit(counts: MarginCounts) -> Float[np.ndarray, " shares"]:
    """The constant of every own score that makes the counts most likely.

    Own scores with few pairs are fitted together with as many neighbours as are needed; without
    any pairs at all the map says nothing, and the constant is that of all.

    **Returns:** float `[shares]`, in points of the rule.
    """
    right, pairs = (x.sum(axis=0)[-1].astype(np.float64) for x in (counts.right, counts.pairs))
    right = right / 2
    shares = len(pairs)
    scale = np.ones(shares)
    for own in range(shares):
        near = next(
            (n for n in range(shares) if pairs[max(0, own - n) : own + n + 1].sum() >= _ENOUGH),
            shares,
        )
        window = slice(max(0, own - near), own + near + 1)
        scale[own] = _most_likely(
            right[window].sum(axis=0), pairs[window].sum(axis=0), counts.margins()
        )
    return scale


def _most_likely(right: np.ndarray, pairs: np.ndarray, margins: np.ndarray) -> float:
    """The constant with the largest log-likelihood; the classes of margins as one."""

    def loss(log_scale: float) -> float:
        x = margins * np.log(10) / np.exp(log_scale)
        return float(right @ np.logaddexp(0, -x) + (pairs - right) @ np.logaddexp(0, x))

    low, high = np.log(max(margins[0], 0.5)), np.log(100 * margins[-1])
    found: Any = scipy.optimize.minimize_scalar(loss, bounds=(low, high))
    return float(np.exp(found.x))


def reliability(
    counts: MarginCounts,
    scale: Float[np.ndarray, " shares"],
    seed: int,
    ends: Sequence[float] = STATED,
) -> pd.DataFrame:
    """Compare a map with counts of other events than those it was fitted to.

    **Arguments:**

    - `counts`: of the events that judge it.
    - `scale`: the map's constants, in points of the rule.
    - `seed`: of the bootstrap over blocks of events.
    - `ends`: of the classes of stated probability, from 0.5 to 1.

    **Returns:** a row a population (`top`, of `TOPS`) and class, from `least` (included) to `most`:
    mean `stated` probability and share right (`observed`), NaN in empty classes, with the ends
    `low` and `high` of its 95 % bootstrap interval over blocks of events; tied `pairs`.
    """
    found = []
    for top, whole, drawn in _by_class(counts, scale, seed, ends):
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = np.concatenate([whole[None, 1] / whole[0], drawn[:, 1] / drawn[:, 0]])
            stated = whole[2] / whole[0]
        columns = {"stated": stated, **with_ends(shares, "observed")}
        classes = {"top": top, "least": ends[:-1], "most": ends[1:]}
        found.append(pd.DataFrame({**classes, **columns, "pairs": whole[0].astype(np.int64)}))
    return pd.concat(found, ignore_index=True)


def calibration_error(
    counts: MarginCounts, scale: Float[np.ndarray, " shares"], seed: int
) -> pd.DataFrame:
    """The expected calibration error: the mean distance of stated and observed, by pairs.

    **Arguments:** as for `reliability`; the classes are `BINS`.

    **Returns:** a row a population (`top`, of `TOPS`): `ece`, with `low` and `high`. Noise raises
    it, in resamples once more: the percentile interval is shifted down by that surplus, to 0 at
    least.
    """
    rows = []
    for top, whole, resampled in _by_class(counts, scale, seed, BIN_ENDS):
        ece, drawn = float(_expected_error(whole)), _expected_error(resampled)
        low, high = (interval(drawn) - drawn.mean() + ece).tolist()
        rows.append((top, ece, max(0.0, low), high))
    return pd.DataFrame(rows, columns=["top", "ece", "low", "high"])


def _by_class(
    counts: MarginCounts,
    scale: Float[np.ndarray, " shares"],
    seed: int,
    ends: Sequence[float],
) -> Iterator[tuple[int, Float[np.ndarray, "3 classes"], Float[np.ndarray, "times 3 classes"]]]:
    """By population: pairs, right verdicts and stated probabilities a class, and in resamples."""
    stated = counts.stated(scale).reshape(-1)
    column = np.clip(np.searchsorted(ends, stated, side="right") - 1, 0, len(ends) - 2)
    one_hot = (column[:, None] == np.arange(len(ends) - 1)).astype(np.float64)
    weights = resamples(len(counts.pairs), seed, _RESAMPLES)
    for number, top in enumerate(TOPS):
        pairs = counts.pairs[:, number].reshape(len(counts.pairs), -1).astype(np.float64)
        right = counts.right[:, number].reshape(pairs.shape) / 2
        sums = np.stack([pairs @ one_hot, right @ one_hot, (pairs * stated) @ one_hot])
        yield top, sums.sum(axis=1), np.einsum("wb,sbc->wsc", weights, sums)


def _expected_error(sums: Float[np.ndarray, "*batch 3 bins"]) -> np.ndarray:
    """From sums of pairs, right verdicts and stated probabilities a class."""
    pairs, right, stated = (sums[..., k, :] for k in range(3))
    return np.asarray(np.abs(stated - right).sum(axis=-1) / np.maximum(pairs.sum(axis=-1), 1))


# --------------------------------------------------------------------------- mixtures of worlds

REAL = "real-180x11"
"""The world as it is, where simulated verdicts are held against published ratings."""

SHOCKS = 0.0, 45.0, 90.0
"""Team-day shocks that a world is spread over, in rating points, each in a third of the events.

The boards of Baku 2016 imply 38 points, 16 to 52 (reports/games). Other events may have more.
"""

NOISE = 30.0, 80.0
"""Range of the error of published ratings, in rating points, that every event draws its own from.

In half of the events of a spread world the teams are seeded by them, in the other half at random.
"""

MIXTURE = "the mixture"
"""What all worlds of a mixture together are called."""


class Mixture(NamedTuple):
    """Rules of one format that are calibrated together.

    **Fields:**

    - `rules`: their names.
    - `worlds`: configurations, each with the same number of events in the mixture that the maps are
      fitted in.
    - `others`: worlds outside the mixture in which the maps are judged, too.
    - `spread`: every one of `worlds` is played with random seeds and with seeds near the truth,
      each with the day shocks `SHOCKS`.
    """

    rules: Sequence[str]
    worlds: Sequence[str]
    others: Sequence[str] = ()
    spread: bool = True

    def inside(self) -> dict[str, Config]:
        """The worlds of the mixture, by what they are called in reports."""
        worlds = map(load_config, dict.fromkeys(self.worlds))
        if not self.spread:
            return {config.name: config for config in worlds}
        return {name: part for config in worlds for name, part in _spread(config)}

    def outside(self) -> dict[str, Config]:
        """The worlds outside the mixture, by name, each with published ratings.

        With random seeds, too, so that rules that look at ratings can be judged.
        """
        worlds = map(load_config, dict.fromkeys(self.others))
        return {
            config.name: config
            if config.field.published
            else replace(config, field=replace(config.field, rating_noise=NOISE))
            for config in worlds
        }

    def find_rules(self) -> list[Rule]:
        """The rules.

        **Raises:** `InputError` for worlds of different formats, or a rule for another one.
        """
        first, *others = map(load_config, [*self.worlds, *self.others])
        event = first.event
        for config in others:
            if (config.event.rounds, config.event.boards) != (event.rounds, event.boards):
                raise InputError(
                    f"worlds must have the same rounds and boards, {config.name} differs from "
                    f"{first.name}"
                )
        return [find_rule(name, event.rounds, event.boards, event.teams) for name in self.rules]


def _spread(config: Config) -> Iterator[tuple[str, Config]]:
    """A world with random seeds and with seeds near the truth, on days of all kinds."""
    random = replace(config.field, seed_noise=math.inf, rating_noise=NOISE)
    near = replace(config.field, seed_noise=NOISE, rating_noise=math.inf)
    for seeds, field in (("random seeds", random), ("seeds near the truth", near)):
        for shock in SHOCKS:
            game = replace(config.game, day_shock=shock)
            name = f"{config.name}, {seeds}, day shock {shock:g}"
            yield name, replace(config, field=field, game=game)


def _passes(name: str) -> tuple[str, ...]:
    """A table in three passes, and those of fewer."""
    return name, f"{name}-pass1", f"{name}-pass2"


SHIPPED = (
    Mixture(
        (
            *_passes("learned-180x11"),
            *("formula-180x11", "olympiad-180x11", "product", "least-squares"),
            *("fair-180x11", "rosters-180x11", "formula"),
        ),
        ("fitted-180x11",),
        (REAL, "baku2016-field", "olympiad-180x11", "shock-180x11"),
    ),
    Mixture((*_passes("learned-38x9"), "formula-38x9", "formula"), ("learned-38x9",)),
    *(
        Mixture((*_passes(f"learned-{boards}boards"), "formula"), (f"learned-{boards}boards",))
        for boards in (6, 8)
    ),
)
"""What is shipped, by format, that of the Olympiad first: there the rosters and games are those of
Baku 2016."""


def asked_mixtures(
    rules: Sequence[str] = (),
    worlds: Sequence[str] | None = None,
    others: Sequence[str] | None = None,
    spread: bool = False,
) -> Sequence[Mixture]:
    """What is calibrated: `SHIPPED` where nothing is asked for; else as fields of `Mixture`."""
    if not (rules or worlds or others):
        return SHIPPED
    first = SHIPPED[0]
    further = others or (() if worlds else first.others)
    return [Mixture(rules or first.rules, worlds or first.worlds, further, spread or not worlds)]


class Calibrated(NamedTuple):
    """A rule with its fitted map, and the counts of fresh events that judge it.

    **Fields:**

    - `rule`, `confidence`: the map says where and how it was fitted, and how far off it is.
    - `scale`: the map's constants, in points of the rule.
    - `parts`: counts by world of the mixture.
    - `judged`: counts of the mixture as a whole, then of every world outside it.
    """

    rule: Rule
    confidence: Confidence
    scale: Float[np.ndarray, " shares"]
    parts: Mapping[str, MarginCounts]
    judged: Mapping[str, MarginCounts]


def calibrate(mixture: Mixture, events: int, seed: int) -> Iterator[Calibrated]:
    """Fit the confidence of rules in a mixture of worlds and judge it on fresh events.

    Shows progress bars.

    **Arguments:**

    - `mixture`: the rules and the worlds.
    - `events`: of every world, to fit and again to judge: streams `CALIBRATE` and `ASSESS`.
    - `seed`: of both, and of the bootstrap.

    **Raises:** `InputError` for worlds of different formats, or a rule for another one.
    """
    rules, inside, outside = mixture.find_rules(), mixture.inside(), mixture.outside()
    widths = margin_widths(next(iter(inside.values())), rules, seed)

    def counts(worlds: Mapping[str, Config], purpose: Purpose) -> dict[str, tuple]:
        what, range_ = _LABELS[purpose], EventRange(seed, purpose, events)
        return {
            name: count_margins(config, rules, widths, range_, Progress(f"{what} {name}"))
            for name, config in worlds.items()
        }

    fitted = counts(inside, Purpose.CALIBRATE)
    parts, beside = (counts(worlds, Purpose.ASSESS) for worlds in (inside, outside))
    whole = MIXTURE if len(inside) > 1 else next(iter(inside))
    for k, rule in enumerate(rules):
        scale = fit(reduce(operator.add, (of_world[k] for of_world in fitted.values())))
        own = {name: of_world[k] for name, of_world in parts.items()}
        judged = {whole: reduce(operator.add, own.values())}
        judged |= {name: of_world[k] for name, of_world in beside.items()}
        about = {
            "version": CALIBRATED,
            "worlds": list(inside),
            "events_per_world": events,
            "seed": seed,
            "judged": list(_errors_by_world(judged, scale, seed, whole)),
        }
        confidence = Confidence(rule.name, rule.digest(), scale * rule.unit, rule.unit, about)
        yield Calibrated(rule, confidence, scale, own, judged)


_LABELS = {Purpose.CALIBRATE: "fit", Purpose.ASSESS: "judge"}


def _errors_by_world(
    judged: Mapping[str, MarginCounts], scale: np.ndarray, seed: int, fitted: str
) -> Iterator[dict[str, Any]]:
    """Calibration errors as a map's file says them."""
    for world, counts in judged.items():
        for row in calibration_error(counts, scale, seed).to_dict("records"):
            yield {
                "world": world,
                "fitted": world == fitted,
                "top": row["top"] or "all",
                "ece": round(row["ece"], 5),
                "ece_ci": [round(row[end], 5) for end in ("low", "high")],
            }
