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
from jaxtyping import Float, Int, Num

from tb2learn.disk import inputs
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import MAX_SIMULATED_ROUNDS, InputError

if TYPE_CHECKING:
    import pandas

SCHEMA = 1
"""Version of the file."""

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
    """

    rule: str
    digest: str
    scale: Float[np.ndarray, " shares"]
    unit: float
    provenance: Mapping[str, Any]

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
            {"own_mp": own, "c": float(c)}
            | {f"{p:.0%}": self.margin(own, p) for p in probabilities}
            for own, c in enumerate(self.scale)
        ]
        return pandas.DataFrame(rows)

    def check(self, rule: Rule) -> None:
        """Refuse a rule that it was not made for.

        **Raises:** `InputError` naming both.
        """
        if rule.digest() != self.digest:
            made = f"{self.rule} over {len(self.scale) // 2} rounds"
            raise InputError(
                f"the confidence of {made} does not hold for {rule.name} over "
                f"{rule.event_rounds} rounds; calibrate it: tb2learn calibrate {rule.name}"
            )

    def to_json(self) -> str:
        """The file's content."""
        content = {
            "schema": SCHEMA,
            "rule": self.rule,
            "digest": self.digest,
            "unit": self.unit,
            "scale": [round(float(c), 4) for c in self.scale],
            **self.provenance,
        }
        return json.dumps(content, indent=2, allow_nan=False) + "\n"


def confidence_name(rule: Rule) -> str:
    """The name of the file of a rule over a number of rounds and boards."""
    return f"{rule.name}-{rule.event_rounds}x{rule.boards}"


def read_confidence(path: Path) -> Confidence:
    """Read what `Confidence.to_json` wrote.

    **Raises:** `InputError`, one line naming the file, if anything about it is wrong.
    """
    text = inputs.read_text(path)
    try:
        content = json.loads(text)
        if content["schema"] != SCHEMA:
            raise InputError(f"{path}: schema must be {SCHEMA}, got {content['schema']!r}")
        known = {key: content.pop(key) for key in ("schema", "rule", "digest", "unit", "scale")}
        scale = np.array(known["scale"], np.float64)
        unit = float(known["unit"])
        shares = range(3, 2 * MAX_SIMULATED_ROUNDS + 2, 2)
        if (
            scale.ndim != 1
            or len(scale) not in shares
            or not ((scale > 0) & (scale <= _MOST)).all()  # also refuses NaN
        ):
            allowed = f"positive numbers of at most {_MOST:g}, one an own score"
            raise InputError(f"{path}: scale must be a list of {allowed}")
        if not 0 < unit <= _MOST:
            raise InputError(f"{path}: unit must be a positive number of at most {_MOST:g}")
        return Confidence(str(known["rule"]), str(known["digest"]), scale, unit, content)
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
