"""How sure the order of two tied teams is: from the difference of their scores to a probability.

The higher of two scores is that of the better team with probability
``1 / (1 + 10**(-margin / c))``.
There is one constant `c` a number of own match points, and it is stretched by how many teams
there are, how far apart they ended, and how much chance was in their matches:
``log c = a[own] + b . terms(spread)``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tb2learn.disk import inputs
from tb2learn.shapes import Bool, Float, Int, Num
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError

if TYPE_CHECKING:
    import pandas

SCHEMA = 3
"""Version of the file."""

ABOUT = ("version", "worlds", "events_per_world", "seed")
"""What a file says of all of its maps."""

_MOST = 1e6
"""Most of a constant, in published points: less than any rule's points add up to."""


class Spread(NamedTuple):
    """How far apart the teams of an event ended, and how much chance was in its matches.

    **Fields:**

    - `teams`: how many there are that played in at least half of the rounds.
    - `variance`: of the half points that they had in all rounds, a game; above 0. Who missed some
      is taken to have scored as in the others.
    - `noise`: mean square of what strengths fitted to all matches leave of their results, in half
      points a game; above 0. Teams with good and bad days have more of it.
    """

    teams: float
    variance: float
    noise: float


def spread_of(
    opponents: Int[np.ndarray, "rounds teams"],
    half_points: Num[np.ndarray, "rounds teams"],
    boards: int,
) -> Spread:
    """The spread of an event.

    **Arguments:**

    - `opponents`: negative where no match was played.
    - `half_points`: of every team in every round.
    - `boards`: games of a match.
    """
    rounds, teams = opponents.shape
    at, team = np.nonzero(opponents >= 0)
    other, apart = opponents[at, team], half_points[at, team] - float(boards)
    # Teams that withdrew would seem to be far weaker than they are.
    played = np.bincount(team, minlength=teams)
    often = (2 * played >= rounds) & (played > 0)
    if not often.any():
        return Spread(float(teams), _LEAST, _LEAST)
    average = np.bincount(team, apart, teams)[often] / played[often]
    variance = average.var() * rounds / boards
    # Least squares: every match says that the difference of two strengths is its result. The last
    # part keeps groups of teams in place that nobody else has met.
    met = np.bincount(team * teams + other, minlength=teams**2).reshape(teams, teams)
    equations = np.diag(met.sum(axis=1) + 1e-6) - met
    strength = np.linalg.solve(equations, np.bincount(team, apart, teams))
    left = apart - strength[team] + strength[other]
    # Both sides of every match were summed; each strength but one takes a match.
    freedom = max(1.0, len(team) / 2 - teams + 1)
    noise = (left**2).sum() / 2 / freedom / boards
    return Spread(float(often.sum()), max(float(variance), _LEAST), max(float(noise), _LEAST))


_LEAST = 1e-3  # of a variance, so that it has a logarithm
_STEEPEST = 20.0  # of the logarithm of a factor: those of shipped maps are below 3


@dataclass(frozen=True)
class Stretch:
    """How the constants of a map change with the spread of an event.

    **Fields:**

    - `home`: a spread for which the constants hold as they are.
    - `slopes`: of the logarithm of a constant, by `terms`.
    - `least`, `most`: of the events that it was fitted to. Beyond them it is as at the nearest.
    """

    home: Spread
    slopes: Float[np.ndarray, " terms"]
    least: Spread
    most: Spread

    def terms(self, spreads: Float[np.ndarray, "*events 3"]) -> Float[np.ndarray, "*events terms"]:
        """Logarithms of spreads over `home`, and the products of any two of them."""
        inside = np.clip(spreads, self.least, self.most)
        logs = np.log(inside / np.array(self.home))
        one, other = np.triu_indices(len(Spread._fields))
        return np.concatenate([logs, logs[..., one] * logs[..., other]], axis=-1)

    def factor(self, spreads: Float[np.ndarray, "*events 3"]) -> Float[np.ndarray, "*events"]:
        """What the constants of a map are multiplied by for an event; above 0."""
        # Slopes of a strange file must not make a constant 0 or infinite.
        return np.asarray(np.exp(np.clip(self.terms(spreads) @ self.slopes, -_STEEPEST, _STEEPEST)))

    def tried(self, spreads: Float[np.ndarray, "*events 3"]) -> Bool[np.ndarray, "*events"]:
        """Whether the event is like those that it was fitted to."""
        return np.asarray(((spreads >= self.least) & (spreads <= self.most)).all(axis=-1))

    def between(self, other: Stretch, weight: float) -> Stretch:
        """The stretch between this one (weight 0) and another one (1)."""
        mean = [
            (1 - weight) * np.array(mine) + weight * np.array(theirs)
            for mine, theirs in zip(self._parts(), other._parts(), strict=True)
        ]
        home, slopes, least, most = mean
        return Stretch(
            Spread(*home.tolist()), slopes, Spread(*least.tolist()), Spread(*most.tolist())
        )

    def _parts(self) -> tuple[Any, ...]:
        return self.home, self.slopes, self.least, self.most


@dataclass(frozen=True)
class Confidence:
    """A calibrated map from the margin between two tied teams to a probability.

    **Fields:**

    - `rule`, `digest`: name of the rule, and `Rule.digest` of its numbers.
    - `scale`: float `[2*rounds+1]`, the constant `c` by own match points, in points of the rule as
      it prints them; above 0. In an event that is given, `at` has its own.
    - `unit`: what one whole point of the rule is worth as it prints them.
    - `provenance`: worlds, events, seed and version behind it, and how well it was calibrated.
    - `stretch`: how the constants change with the spread of an event; None for maps that hold for
      all alike.
    """

    rule: str
    digest: str
    scale: Float[np.ndarray, " own"]
    unit: float
    provenance: Mapping[str, Any]
    stretch: Stretch | None = None

    def at(self, spread: Spread) -> Confidence:
        """The map for an event with a spread, which holds for it as it is."""
        if self.stretch is None:
            return self
        factor = self.stretch.factor(np.array(spread))
        return replace(self, scale=self.scale * factor, stretch=None)

    def probability(
        self, own: Int[np.ndarray, "*batch"] | int, margin: Num[np.ndarray, "*batch"] | float
    ) -> np.ndarray:
        """The probability that the first of two teams is the better one.

        **Arguments:**

        - `own`: their match points.
        - `margin`: score of the first less that of the second, in published points.

        **Returns:** `[*batch]` 0..1; 0.5 for equal scores.
        """
        return np.asarray(1.0 / (1.0 + np.power(10.0, -np.asarray(margin) / self.scale[own])))

    def margin(self, own: int, probability: float) -> float:
        """The margin at which the order has a probability, 0.5 .. 1 (excluded)."""
        # `probability`, solved for the margin.
        return float(self.scale[own] * math.log10(probability / (1.0 - probability)))

    def frame(
        self, probabilities: Sequence[float] = (0.55, 0.6, 0.7, 0.8, 0.9, 0.95)
    ) -> pandas.DataFrame:
        """The table to print: margins by own match points and probability.

        **Returns:** a row an own score: `own_mp`, `c`, and a column a probability with the smallest
        margin that has it.
        """
        import pandas

        rows = [
            {"own_mp": points, "c": float(c)}
            | {f"{p:.0%}": self.margin(points, p) for p in probabilities}
            for points, c in enumerate(self.scale)
        ]
        return pandas.DataFrame(rows)

    def check(self, rule: Rule) -> None:
        """Refuse a rule that it was not made for.

        **Raises:** `InputError` naming both.
        """
        # By its numbers: a name may stand for another table by now.
        if rule.digest() != self.digest:
            fitted_for = f"{self.rule} over {len(self.scale) // 2} rounds"
            raise InputError(
                f"the confidence of {fitted_for} does not hold for {rule.name} over "
                f"{rule.event_rounds} rounds; calibrate it: tb2learn calibrate {rule.name}"
            )


def to_json(maps: Mapping[int, Confidence]) -> str:
    """The content of the file of one rule.

    **Arguments:** its maps by number of rounds.
    """
    first = next(iter(maps.values()))
    content = {
        "schema": SCHEMA,
        "rule": first.rule,
        **{key: first.provenance[key] for key in ABOUT if key in first.provenance},
        "rounds": {
            str(rounds): {
                "digest": map_.digest,
                "unit": map_.unit,
                "stretch": _stretch_json(map_.stretch),
                "scale": [round(float(c), 4) for c in map_.scale],
                "judged": map_.provenance.get("judged", []),
            }
            for rounds, map_ in maps.items()
        },
    }
    return json.dumps(content, allow_nan=False, indent=1) + "\n"


_STRETCH = {"home": 3, "slopes": 9, "least": 3, "most": 3}
"""What a file has of a `Stretch`, and how many numbers each is."""


def _stretch_json(stretch: Stretch | None) -> dict[str, Any] | None:
    if stretch is None:
        return None
    return {name: [round(float(x), 4) for x in getattr(stretch, name)] for name in _STRETCH}


def _read_stretch(entry: Mapping[str, Any] | None, path: Path) -> Stretch | None:
    if entry is None:
        return None
    parts = {name: np.array(entry[name], np.float64) for name in _STRETCH}
    for name, number in _STRETCH.items():
        # Logarithms are taken of all but the slopes. The comparisons refuse NaN, too.
        low = -_MOST if name == "slopes" else _LEAST
        if (
            parts[name].shape != (number,)
            or not ((parts[name] >= low) & (parts[name] <= _MOST)).all()
        ):
            allowed = f"{number} numbers from {low:g} to {_MOST:g}"
            raise InputError(f"{path}: {name} must be {allowed}")
    if (parts["least"] > parts["most"]).any():
        raise InputError(f"{path}: least must not be above most")
    home, least, most = (Spread(*parts[name].tolist()) for name in ("home", "least", "most"))
    return Stretch(home, parts["slopes"], least, most)


def confidence_name(rule: Rule) -> str:
    """The name of the file of a rule on a number of boards."""
    return f"{rule.own_name}-{rule.boards}boards"


def read_confidence(path: Path, rounds: int) -> Confidence | None:
    """Read from what `to_json` wrote the map for a number of rounds; None if there is none.

    **Raises:** `InputError`, one line naming the file, if anything about it is wrong.
    """
    text = inputs.read_text(path)
    try:
        content = json.loads(text)
        if content["schema"] != SCHEMA:
            raise InputError(f"{path}: schema must be {SCHEMA}, got {content['schema']!r}")
        name, maps = str(content["rule"]), content["rounds"]
        if str(rounds) not in maps:
            return None
        entry = maps[str(rounds)]
        scale, unit = np.array(entry["scale"], np.float64), float(entry["unit"])
        stretch = _read_stretch(entry["stretch"], path)
        # The comparison refuses NaN, too.
        if scale.shape != (2 * rounds + 1,) or not ((scale > 0) & (scale <= _MOST)).all():
            allowed = f"positive numbers of at most {_MOST:g}, one an own score"
            raise InputError(f"{path}: scale must be a list of {allowed}")
        if not 0 < unit <= _MOST:
            raise InputError(f"{path}: unit must be a positive number of at most {_MOST:g}")
        about = {key: content.get(key) for key in ABOUT} | {"judged": entry["judged"]}
        return Confidence(name, str(entry["digest"]), scale, unit, about, stretch)
    except (
        KeyError,
        TypeError,
        ValueError,
        AttributeError,
        RecursionError,
        OverflowError,
    ) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: damaged, or not a confidence file") from error
