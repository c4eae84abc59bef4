"""How sure the order of two tied teams is: from the difference of their scores to a probability.

The model has one constant `c` a number of own match points: the higher of two scores is that of the
better team with probability ``1 / (1 + 10**(-margin / c))``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tb2learn.disk import inputs
from tb2learn.shapes import Float, Int, Num
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError

if TYPE_CHECKING:
    import pandas

SCHEMA = 2
"""Version of the file."""

ABOUT = ("version", "worlds", "events_per_world", "seed")
"""What a file says of all of its maps."""

_MOST = 1e6
"""Most of a constant, in published points: less than any rule's points add up to."""


@dataclass(frozen=True)
class Confidence:
    """A calibrated map from the margin between two tied teams to a probability.

    **Fields:**

    - `rule`, `digest`: name of the rule, and `Rule.digest` of its numbers.
    - `scale`: float `[2*rounds+1]`, the constant `c` by own match points, in points of the rule as
      it prints them; above 0.
    - `unit`: what one whole point of the rule is worth as it prints them.
    - `provenance`: worlds, events, seed and version behind it, and how well it was calibrated.
    - `usual`: least and most of how one-sided the matches were in the events that it was fitted to
      (`events.rank.one_sided`).
    """

    rule: str
    digest: str
    scale: Float[np.ndarray, " own"]
    unit: float
    provenance: Mapping[str, Any]
    usual: tuple[float, float] = (0.0, 1.0)

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
                "usual": [*map_.usual],
                "scale": [round(float(c), 4) for c in map_.scale],
                "judged": map_.provenance.get("judged", []),
            }
            for rounds, map_ in maps.items()
        },
    }
    return json.dumps(content, allow_nan=False, indent=1) + "\n"


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
        low, high = map(float, entry["usual"])
        # The comparison refuses NaN, too.
        if scale.shape != (2 * rounds + 1,) or not ((scale > 0) & (scale <= _MOST)).all():
            allowed = f"positive numbers of at most {_MOST:g}, one an own score"
            raise InputError(f"{path}: scale must be a list of {allowed}")
        if not 0 < unit <= _MOST:
            raise InputError(f"{path}: unit must be a positive number of at most {_MOST:g}")
        if not 0 <= low <= high <= 1:
            raise InputError(f"{path}: usual must be two numbers, 0..1, the smaller first")
        about = {key: content.get(key) for key in ABOUT} | {"judged": entry["judged"]}
        return Confidence(name, str(entry["digest"]), scale, unit, about, (low, high))
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
