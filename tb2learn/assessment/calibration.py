"""Calibration: how often the higher of two tied scores is that of the better team, by margin.

Counts come from simulated events, as whole numbers by own match points and margin. `fit` makes the
map of `tiebreaks.confidence_map` from them; `calibration_error` judges a map on other events.
`calibrate` does both for the rules of a `Mixture` of worlds.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import jax
import numpy as np
import pandas as pd
import scipy.optimize
from jaxtyping import Array, Float, Int, Num

from tb2learn.assessment.estimators import Estimator, as_estimator
from tb2learn.assessment.pairs import tied_pairs
from tb2learn.assessment.stretch import SAMPLED, Sample, fit_stretch, joined
from tb2learn.catalogue import find_rule
from tb2learn.chess.results import match_points
from tb2learn.config import Config, FieldConfig, GameConfig, Setting, load_world
from tb2learn.jax_types import Key
from tb2learn.simulation.event import Event
from tb2learn.simulation.measurement import Add, Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import SILENT, Progress, sum_events
from tb2learn.stats import interval, resamples
from tb2learn.tiebreaks.confidence_map import ABOUT, Confidence, Spread, Stretch, spread_of
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError, PerRound, PerTeam, pytree, static
from tb2learn.version import CALIBRATED

TOPS = (10, 0)
"""Populations: pairs of the groups that touch a place up to this one; 0 for all pairs."""

BLOCKS = 25
"""Counts are kept by block of events: event `i` belongs to block `i % BLOCKS`."""

MARGINS = 128
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

    - `right`, `pairs`: int64 `[blocks, tops, own, margins]`: verdicts that were right (in
      halves: a tie of true strengths counts one), and pairs.
    - `width`: points of the rule a class of margins.
    """

    right: Int[np.ndarray, "blocks tops own margins"]
    pairs: Int[np.ndarray, "blocks tops own margins"]
    width: int

    def __add__(self, other: MarginCounts) -> MarginCounts:
        """Counts of both: a mixture of two worlds."""
        if self.width != other.width:
            raise ValueError(f"classes must be equally wide, got {self.width} and {other.width}")
        return MarginCounts(self.right + other.right, self.pairs + other.pairs, self.width)

    def margins(self) -> Float[np.ndarray, " margins"]:
        """The middle of every class, in points of the rule."""
        # A class holds `width` whole points, from `k * width` on.
        return np.arange(MARGINS) * self.width + (self.width - 1) / 2

    def stated(self, scale: Float[np.ndarray, " own"]) -> Float[np.ndarray, "own margins"]:
        """The probability of every class under a map with constants `scale`, in points."""
        return 1.0 / (1.0 + np.power(10.0, -self.margins() / scale[:, None]))


@pytree
class AfterRounds:
    """A rule, judged after as many rounds as it is for."""

    judged: Estimator
    rounds: int = static()

    def describe(self, key: Key, event: Event, setting: Setting) -> Described:
        """Match points and scores of every team of one event."""
        boards, half_points = setting.event.boards, event.half_points[: self.rounds]
        met = event.opponents[: self.rounds]
        whites = None if event.whites is None else event.whites[: self.rounds]
        points = match_points(half_points, boards).sum(axis=0)
        seen = {"opponents": met, "half_points": half_points, "match_points": points}
        # The event as it stood after so many rounds.
        part = replace(event, **seen, whites=whites)
        return points, self.judged.estimate(key, part, setting)


Described: TypeAlias = tuple[PerTeam, Num[Array, " teams"]]


Seen: TypeAlias = tuple[PerTeam, PerRound, PerRound, tuple[Described, ...]]


def describe(key: Key, event: Event, setting: Setting, judged: tuple[AfterRounds, ...]) -> Seen:
    """True strength, opponents and half points of one event, and what every rule sees and says."""
    assert event.strength is not None
    described = _described(key, event, setting, judged)
    return event.strength, event.opponents, event.half_points, described


def describe_rated(
    key: Key, event: Event, setting: Setting, judged: tuple[AfterRounds, ...]
) -> Seen:
    """The same with published ratings for true strengths."""
    assert event.ratings is not None
    described = _described(key, event, setting, judged)
    return event.ratings, event.opponents, event.half_points, described


def _described(
    key: Key, event: Event, setting: Setting, judged: tuple[AfterRounds, ...]
) -> tuple[Described, ...]:
    keys = jax.random.split(key, len(judged))
    return tuple(rule.describe(k, event, setting) for k, rule in zip(keys, judged, strict=True))


def _after_rounds(rules: Sequence[Rule]) -> tuple[AfterRounds, ...]:
    return tuple(AfterRounds(as_estimator(rule), rule.event_rounds) for rule in rules)


def _described_by(add: Add, **fields: Any) -> Measurement:
    """What rules say of events; they look at nothing but the format of a setting."""
    return Measurement(describe, add, sees=("event",), **fields)


def count_margins(
    config: Config,
    rules: Sequence[Rule],
    widths: Sequence[int],
    events: EventRange,
    progress: Progress = SILENT,
    *,
    stretches: Mapping[int, Stretch] = MappingProxyType({}),
    rated: bool = False,
) -> tuple[MarginCounts, ...]:
    """Play events and count their tied pairs, for every rule after the rounds that it is for.

    **Arguments:**

    - `config`: the world, of at least as many rounds.
    - `rules`: their scores are whole points.
    - `widths`: points a class of margins, for every rule.
    - `events`: of the world.
    - `progress`: as in `simulate.sum_events`.
    - `stretches`: by number of rounds; margins are divided by the factor of their event, as if all
      events had the spread of `Stretch.home`.
    - `rated`: a verdict is right if the team with the higher published rating is preferred, as in
      real events, whose true strengths nobody knows. Pairs of equal rating are left out.

    **Raises:** `InputError` for `rated` in a world without published ratings.
    """
    if rated and not config.field.published:
        raise InputError(f"{config.name}: no ratings are published in this world")

    def add(numbers: np.ndarray, described: tuple) -> tuple:
        better, opponents, half_points, by_round = described
        pairs_of: dict[int, tuple] = {}  # tied pairs after a number of rounds
        added = []
        for rule, width, (points, score) in zip(rules, widths, by_round, strict=True):
            # Who is tied after so many rounds is the same for all rules for them.
            rounds = rule.event_rounds
            if rounds not in pairs_of:
                tied = _tied(numbers, points, better, rated)
                factor: Any = 1
                if rounds in stretches:
                    spreads = _spreads(opponents, half_points, rounds, config.event.boards)
                    factor = stretches[rounds].factor(spreads)[tied[0].event]
                pairs_of[rounds] = *tied, factor
            pairs, order, place, factor = pairs_of[rounds]
            shape = (BLOCKS, len(TOPS), 2 * rounds + 1, MARGINS)
            margin = pairs.differences(score)
            column = np.minimum(np.abs(margin) / factor // width, MARGINS - 1).astype(int)
            # Halves: 2 right, 1 for a tie on either side, 0 wrong.
            agree = np.sign(margin) * order + 1
            sums = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
            for top, last in enumerate(TOPS):
                touching = pairs.place <= (last or points.shape[1])  # 0 stands for all places
                at = (place[0][touching], top, place[1][touching], column[touching])
                flat = np.ravel_multi_index(np.broadcast_arrays(*at), shape)
                # Several pairs of one class: `+=` would add only one of them.
                np.add.at(sums[0].reshape(-1), flat, agree[touching])
                np.add.at(sums[1].reshape(-1), flat, 1)
            added.append(sums)
        return tuple(added)

    measured = _described_by(add)
    if rated:
        measured = replace(measured, of_event=describe_rated, oracle=False)
    judged = _after_rounds(rules)
    counts = sum_events(config.setting, measured, events, judged, progress=progress)
    return tuple(
        MarginCounts(right, pairs, width)
        for (right, pairs), width in zip(counts, widths, strict=True)
    )


def sample_pairs(
    config: Config,
    rules: Sequence[Rule],
    events: EventRange,
    progress: Progress = SILENT,
    most: int | None = None,
) -> list[Sample]:
    """Play events and keep their tied pairs, for every rule.

    **Arguments:**

    - `config`, `rules`, `events`, `progress`: as for `count_margins`.
    - `most`: pairs of each event at most, spread over all of its pairs; all of them if not given.
    """

    def add(numbers: np.ndarray, described: tuple) -> list:
        better, opponents, half_points, by_round = described
        kept = []
        for rule, (points, score) in zip(rules, by_round, strict=True):
            rounds = rule.event_rounds
            spreads = _spreads(opponents, half_points, rounds, config.event.boards)
            pairs = tied_pairs(points)
            if most is not None:
                number = np.bincount(pairs.event, minlength=len(points))
                at = np.arange(len(pairs.event)) - (number.cumsum() - number)[pairs.event]
                pairs = pairs.only(at % -(-number // most)[pairs.event] == 0)
            margin = pairs.differences(score)
            right = (1 + np.sign(margin) * np.sign(pairs.differences(better))) / 2
            own = points[pairs.event, pairs.first].astype(np.int64)
            values = np.abs(margin).astype(np.float64), right, pairs.place
            kept.append(Sample(spreads, pairs.event, own, *values))
        return [kept]

    measured, judged = _described_by(add, merge=operator.add), _after_rounds(rules)
    batches = sum_events(config.setting, measured, events, judged, progress=progress)
    return [joined(samples) for samples in zip(*batches, strict=True)]


def _spreads(
    opponents: Int[np.ndarray, "events rounds teams"],
    half_points: Int[np.ndarray, "events rounds teams"],
    rounds: int,
    boards: int,
) -> Float[np.ndarray, "events 3"]:
    """The spreads of some events after a number of rounds."""
    spreads = [
        spread_of(met[:rounds], scored[:rounds], boards)
        for met, scored in zip(opponents, half_points, strict=True)
    ]
    return np.array(spreads).reshape(-1, len(Spread._fields))


def _tied(numbers: np.ndarray, own: np.ndarray, better: np.ndarray, rated: bool) -> tuple:
    """Tied pairs of some events, who is better, and by block and own match points."""
    pairs = tied_pairs(own)
    order = np.sign(pairs.differences(better))
    if rated:
        pairs, order = pairs.only(order != 0), order[order != 0]
    return pairs, order, (numbers[pairs.event] % BLOCKS, own[pairs.event, pairs.first])


def margin_widths(config: Config, rules: Sequence[Rule], seed: int) -> tuple[int, ...]:
    """Points a class of margins for every rule, so that nearly all pairs are told apart.

    It depends on a few events of the world and the seed alone.
    """

    def add(numbers: np.ndarray, described: tuple) -> tuple:
        *_, by_round = described
        return tuple(_mean_distance(points, score.astype(np.int64)) for points, score in by_round)

    events = EventRange(seed, Purpose.CALIBRATE, _PILOT)
    measured, judged = _described_by(add), _after_rounds(rules)
    spreads = sum_events(config.setting, measured, events, judged)
    return tuple(max(1, round(float(s) / _PILOT * _SPREADS / MARGINS)) for s in spreads)


def _mean_distance(own: np.ndarray, score: np.ndarray) -> np.ndarray:
    """The mean distance of two tied scores of each event, summed over the events."""
    pairs = tied_pairs(own)
    number = np.bincount(pairs.event, minlength=len(own))
    apart = np.bincount(pairs.event, np.abs(pairs.differences(score)), len(own))
    return np.array((apart / np.maximum(number, 1)).astype(np.int64).sum())


def fit(counts: MarginCounts) -> Float[np.ndarray, " own"]:
    """The constant of every own score that makes the counts most likely.

    Own scores with few pairs are fitted together with as many neighbours as are needed; without
    any pairs at all the map says nothing, and the constant is that of all.

    **Returns:** float `[own]`, in points of the rule.
    """
    # The last population: all pairs.
    right, pairs = (x.sum(axis=0)[-1].astype(np.float64) for x in (counts.right, counts.pairs))
    right = right / 2
    scores = len(pairs)
    scale = np.ones(scores)
    for points in range(scores):
        # The narrowest window around the own score that has enough pairs.
        near = next(
            (
                n
                for n in range(scores)
                if pairs[max(0, points - n) : points + n + 1].sum() >= _ENOUGH
            ),
            scores,
        )
        window = slice(max(0, points - near), points + near + 1)
        scale[points] = _most_likely(
            right[window].sum(axis=0), pairs[window].sum(axis=0), counts.margins()
        )
    return scale


def _most_likely(right: np.ndarray, pairs: np.ndarray, margins: np.ndarray) -> float:
    """The constant with the largest log-likelihood; the classes of margins as one."""

    def loss(log_scale: float) -> float:
        x = margins * np.log(10) / np.exp(log_scale)
        # Minus the log-likelihood; `logaddexp` overflows at no margin.
        return float(right @ np.logaddexp(0, -x) + (pairs - right) @ np.logaddexp(0, x))

    # Between nearly certain at the least margin and hardly above a half at the largest.
    low, high = np.log(max(margins[0], 0.5)), np.log(100 * margins[-1])
    optimum: Any = scipy.optimize.minimize_scalar(loss, bounds=(low, high))
    return float(np.exp(optimum.x))


def calibration_error(
    counts: MarginCounts, scale: Float[np.ndarray, " own"], seed: int
) -> pd.DataFrame:
    """The expected calibration error: the mean distance of stated and observed, by pairs.

    **Arguments:**

    - `counts`: of the events that judge a map.
    - `scale`: its constants, in points of the rule.
    - `seed`: of the bootstrap over blocks of events. The classes are `BINS`.

    **Returns:** a row a population (`top`, of `TOPS`): `ece`, with `low` and `high`. Noise raises
    it, in resamples once more: the percentile interval is shifted down by that surplus, to 0 at
    least.
    """
    rows = []
    for top, whole, resampled in by_class(counts, scale, seed, BIN_ENDS):
        ece, ece_of_resamples = float(_expected_error(whole)), _expected_error(resampled)
        # Resampling adds noise once more: the surplus is taken off.
        low, high = (interval(ece_of_resamples) - ece_of_resamples.mean() + ece).tolist()
        rows.append((top, ece, max(0.0, low), high))
    return pd.DataFrame(rows, columns=["top", "ece", "low", "high"])


def by_class(
    counts: MarginCounts,
    scale: Float[np.ndarray, " own"],
    seed: int,
    ends: Sequence[float],
) -> Iterator[tuple[int, Float[np.ndarray, "3 classes"], Float[np.ndarray, "times 3 classes"]]]:
    """By population: pairs, right verdicts and stated probabilities a class, and in resamples."""
    stated = counts.stated(scale).reshape(-1)
    # A probability of 1 belongs to the last class.
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
    - `elsewhere`: worlds outside the mixture in which the maps are judged, too: configurations,
      or their names.
    - `spread`: every one of `worlds` is played with random seeds and with seeds near the truth,
      each with the day shocks `SHOCKS`.
    - `rounds`: numbers of rounds that maps are fitted for, ascending, each from the first rounds of
      the same events; those of the worlds alone if there are none.
    - `sizes`: numbers of teams that spread maps are fitted to; by default as many as in the
      world.
    """

    rules: Sequence[str]
    worlds: Sequence[str]
    elsewhere: Sequence[str | Config] = ()
    spread: bool = True
    rounds: Sequence[int] = ()
    sizes: Sequence[int] = ()

    def homes(self) -> list[Config]:
        """What the mixture is made of, before any of it is spread."""
        return [self._load(world) for world in dict.fromkeys(self.worlds)]

    def inside(self) -> dict[str, Config]:
        """The worlds of the mixture, by what they are called in reports."""
        worlds = self.homes()
        if not self.spread:
            return {config.name: config for config in worlds}
        return {name: part for config in worlds for name, part in _spread(config)}

    def around(self) -> dict[str, Config]:
        """Worlds with other fields and numbers of teams, days of all kinds, by name.

        Fields are uniform, of all `WIDTHS`. Seeds are random in one and near the truth in the next.
        """
        home = self._load(self.worlds[0])
        worlds, sizes = {}, self.sizes or (home.event.teams,)
        for number, (teams, width) in enumerate(itertools.product(sizes, WIDTHS)):
            high = min(2800, 2500 + width // 2)
            field = FieldConfig(low=high - width, high=high)
            event = replace(home.event, teams=teams)
            name = f"{teams}-teams-{width}-wide"
            config = replace(home, name=name, event=event, field=field, game=GameConfig())
            kinds = list(_spread(config))
            # Half of the kinds have random seeds, the others seeds near the truth. The next size
            # begins with the other half.
            half = len(SHOCKS) * ((number + number // len(WIDTHS)) % 2)
            worlds |= dict(kinds[half : half + len(SHOCKS)])
        return worlds

    def outside(self) -> dict[str, Config]:
        """The worlds outside the mixture, by name, each with published ratings.

        With random seeds, too, so that rules that look at ratings can be judged.
        """
        worlds = map(self._load, dict.fromkeys(self.elsewhere))
        return {
            config.name: config
            if config.field.published
            else replace(config, field=replace(config.field, rating_noise=NOISE))
            for config in worlds
        }

    def _load(self, world: str | Config) -> Config:
        """A world, of as many rounds as the longest map is for."""
        config = load_world(world)[0] if isinstance(world, str) else world
        rounds = max(self.rounds, default=config.event.rounds)
        return replace(config, event=replace(config.event, rounds=rounds))

    def find_rules(self) -> list[list[Rule]]:
        """Every rule for every number of rounds.

        **Raises:** `InputError` for worlds of different formats, or a rule for another one.
        """
        first, *further = map(self._load, [*self.worlds, *self.elsewhere])
        event = first.event
        for config in further:
            if (config.event.rounds, config.event.boards) != (event.rounds, event.boards):
                raise InputError(
                    f"worlds must have the same rounds and boards, {config.name} differs from "
                    f"{first.name}"
                )
        rounds = self.rounds or (event.rounds,)
        of = event.boards, event.teams
        return [[find_rule(name, number, *of) for number in rounds] for name in self.rules]


FEWER = 4
"""A world around a mixture has one in so many of the events: they are many."""

WIDTHS = 300, 600, 1100, 1500
"""Widths of the fields that a stretch is fitted to, in rating points."""


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


OLYMPIAD_SIZES, LEAGUE_SIZES = (20, 50, 100, 200), (20, 60)
"""Numbers of teams that shipped maps are fitted to."""

OLYMPIAD_ROUNDS, LEAGUE_ROUNDS = (5, 8, 11, 15), (5, 9, 12, 15)
"""Numbers of rounds that shipped maps are fitted for; those between are interpolated."""


def _leagues(rules: Sequence[str], world: str) -> Mixture:
    """What is calibrated together for leagues."""
    return Mixture(rules, (world,), rounds=LEAGUE_ROUNDS, sizes=LEAGUE_SIZES)


SHIPPED = (
    Mixture(
        (
            *_passes("uniform-180x11"),
            *("formula-180x11", "olympiad-180x11", "product", "least-squares"),
            *("fair-180x11", "rosters-180x11", "formula"),
        ),
        ("fitted-180x11",),
        rounds=OLYMPIAD_ROUNDS,
        sizes=OLYMPIAD_SIZES,
    ),
    _leagues((*_passes("learned-38x9"), "formula-38x9"), "learned-38x9"),
    _leagues((*_passes("learned-6boards"), "formula"), "learned-6boards"),
    _leagues((*_passes("learned-8boards"), "formula"), "learned-8boards"),
)
"""What is shipped, by format, that of the Olympiad first: there the rosters and games are those of
Baku 2016. A rule is in one mixture for its boards."""


def asked_mixtures(
    rules: Sequence[str] = (),
    worlds: Sequence[str] | None = None,
    elsewhere: Sequence[str] | None = None,
    spread: bool = False,
) -> Sequence[Mixture]:
    """What is calibrated: `SHIPPED` where nothing is asked for; else as fields of `Mixture`."""
    if not (rules or worlds or elsewhere):
        return SHIPPED
    if not worlds:
        return [SHIPPED[0]._replace(rules=rules or SHIPPED[0].rules, elsewhere=elsewhere or ())]
    return [Mixture(rules or SHIPPED[0].rules, worlds, elsewhere or (), spread)]


class Calibrated(NamedTuple):
    """A rule for a number of rounds, its fitted map, and counts of fresh events that judge it.

    **Fields:**

    - `rule`, `confidence`: the map says where and how it was fitted, and how far off it is.
    - `scale`: the map's constants, in points of the rule.
    - `parts`: counts by world of the mixture.
    - `judged`: counts of the mixture as a whole, then of every world outside it.
    """

    rule: Rule
    confidence: Confidence
    scale: Float[np.ndarray, " own"]
    parts: Mapping[str, MarginCounts]
    judged: Mapping[str, MarginCounts]


def calibrate(mixture: Mixture, events: int, seed: int) -> Iterator[Calibrated]:
    """Fit the confidence of rules in a mixture of worlds and judge it on fresh events.

    Shows progress bars.

    **Arguments:**

    - `mixture`: the rules and the worlds.
    - `events`: of every world, to fit and again to judge: streams `CALIBRATE` and `ASSESS`. Spread
      mixtures are also fitted in the worlds around them, see `FEWER`.
    - `seed`: of both, and of the bootstrap.

    **Raises:** `InputError` for worlds of different formats, or a rule for another one.
    """
    inside, outside = mixture.inside(), mixture.outside()
    rules = [rule for of_name in mixture.find_rules() for rule in of_name]
    # Of one world for all, as counts of other classes cannot be added.
    widths = margin_widths(next(iter(inside.values())), rules, seed)

    around = mixture.around() if mixture.spread else {}
    few = -(-events // FEWER)
    stretches = fit_stretches(mixture, few, seed) if around else {}

    def counts(worlds: Mapping[str, Config], purpose: Purpose, number: int) -> dict[str, tuple]:
        label, range_ = _LABELS[purpose], EventRange(seed, purpose, number)
        return {
            name: count_margins(
                *(config, rules, widths, range_, Progress(f"{label} {name}")), stretches=stretches
            )
            for name, config in worlds.items()
        }

    fitted = counts(inside, Purpose.CALIBRATE, events) | counts(around, Purpose.CALIBRATE, few)
    # The maps are judged on events that no map was fitted to.
    of_inside, beside = (counts(worlds, Purpose.ASSESS, events) for worlds in (inside, outside))
    whole = MIXTURE if len(inside) > 1 else next(iter(inside))
    about = {"version": CALIBRATED, "worlds": list(inside)}
    about |= {"events_per_world": events, "seed": seed}
    for k, rule in enumerate(rules):
        # Every world inside has as many events, so the sum is an even mixture of them.
        counted = reduce(operator.add, (of_world[k] for of_world in fitted.values()))
        scale = fit(counted)
        counts_of = {name: of_world[k] for name, of_world in of_inside.items()}
        judged = {whole: reduce(operator.add, counts_of.values())}
        judged |= {name: of_world[k] for name, of_world in beside.items()}
        errors = list(_errors_by_world(judged, scale, seed, whole))
        confidence = Confidence(
            rule=rule.own_name,
            digest=rule.digest(),
            scale=scale * rule.unit,
            unit=rule.unit,
            provenance={**about, "judged": errors},
            stretch=stretches.get(rule.event_rounds),
        )
        yield Calibrated(rule, confidence, scale, counts_of, judged)


def fit_stretches(mixture: Mixture, events: int, seed: int) -> dict[int, Stretch]:
    """How the maps of a mixture change with the spread, by number of rounds.

    It is fitted to the first rule: those of others differ by a few per cent.
    """
    rules, inside = mixture.find_rules()[0], mixture.inside()
    played = EventRange(seed, Purpose.CALIBRATE, events)
    samples = {
        name: sample_pairs(config, rules, played, Progress(f"spread {name}"), SAMPLED)
        for name, config in {**inside, **mixture.around()}.items()
    }
    return {
        rule.event_rounds: fit_stretch(
            joined([of_world[k] for of_world in samples.values()]),
            np.concatenate([samples[name][k].spreads for name in inside]),
        )
        for k, rule in enumerate(rules)
    }


def maps_of(made: Sequence[Calibrated], find: Callable[[int], Rule]) -> dict[int, Confidence]:
    """The maps of one rule by number of rounds; those between fitted numbers are interpolated.

    The logarithm of a constant is linear in that of the rounds, at equal shares of match points.

    **Arguments:** the rule for several numbers of rounds, ascending; what gives it for another one.
    """
    maps = {made[0].rule.event_rounds: made[0].confidence}
    for below, above in pairwise(made):
        low, high = below.rule.event_rounds, above.rule.event_rounds
        for rounds in range(low + 1, high):
            rule = find(rounds)
            weight = math.log(rounds / low) / math.log(high / low)
            neighbours = below.confidence, above.confidence
            logs = [_at_shares(np.log(map_.scale), 2 * rounds + 1) for map_ in neighbours]
            scale = np.exp((1 - weight) * logs[0] + weight * logs[1])
            ends = [map_.stretch for map_ in neighbours]
            about = {key: neighbours[0].provenance[key] for key in ABOUT}
            maps[rounds] = Confidence(
                rule=rule.own_name,
                digest=rule.digest(),
                scale=scale,
                unit=rule.unit,
                provenance=about,
                stretch=ends[0].between(ends[1], weight) if ends[0] and ends[1] else None,
            )
        maps[high] = above.confidence
    return maps


def _at_shares(values: Float[np.ndarray, " n"], number: int) -> Float[np.ndarray, " number"]:
    """Values at equal steps from no match points to all, interpolated at so many equal steps."""
    return np.interp(np.linspace(0, 1, number), np.linspace(0, 1, len(values)), values)


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
