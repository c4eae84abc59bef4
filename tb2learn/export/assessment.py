"""An assessment as JSON with a stable schema, and as a text table."""

from __future__ import annotations

import json
import math

from tb2learn.assessment.assess import Assessment
from tb2learn.assessment.tally import ALL, BLOCKS
from tb2learn.config import to_dict


def population(top: int) -> int | str:
    """The label of a population: the lowest place it covers, or `all`."""
    return "all" if top == ALL else top


def assessment_json(result: Assessment) -> str:
    """An assessment as JSON.

    **Returns:** an object with `protocol`, `lists` (null in the single-event protocol), `events`,
    `seed`, `config` and `results`: a list, rule by rule (`product` first), of `rule`, `top` (1, 3,
    10, 30, or "all"), `pairs`, `error_rate`, `ci`, `reduction`, `reduction_ci`. Undefined numbers
    (no pairs, no errors to reduce) are null.
    """

    def number(x: float) -> float | None:
        return x if math.isfinite(x) else None

    content = {
        "protocol": result.protocol,
        "lists": result.lists,
        "events": result.events,
        "seed": result.seed,
        "config": to_dict(result.config),
        "results": [
            {
                "rule": r.rule,
                "top": population(r.top),
                "pairs": r.pairs,
                "error_rate": number(r.error_rate),
                "ci": [number(x) for x in r.ci],
                "reduction": number(r.reduction),
                "reduction_ci": [number(x) for x in r.reduction_ci],
            }
            for r in result.results
        ],
    }
    return json.dumps(content, indent=2, allow_nan=False) + "\n"


def assessment_text(result: Assessment) -> str:
    """An assessment as an aligned table."""
    lists = f", lists {result.lists}" if result.lists else ""
    lines = [
        f"{result.config.name}: {result.protocol} protocol{lists}, {result.events} events, "
        f"seed {result.seed}; [95 % bootstrap intervals over events, in "
        f"{min(result.events, BLOCKS):,} blocks]",
        f"{'rule':<24}{'top':>4}{'pairs':>10}  {'error rate':<25}{'reduction':<25}",
    ]
    for r in result.results:
        rate = f"{r.error_rate:.4f} [{r.ci[0]:.4f}, {r.ci[1]:.4f}]"
        gain = f"{r.reduction:+.4f} [{r.reduction_ci[0]:+.4f}, {r.reduction_ci[1]:+.4f}]"
        lines.append(
            f"{r.rule:<24}{population(r.top):>4}{r.pairs:>10}  {rate:<25}{gain:<25}".rstrip()
        )
    if result.rounding:
        changed, pairs = result.rounding
        share = changed / pairs if pairs else 0.0
        lines.append(
            f"Rounding the table to whole points changed {changed} of {pairs} verdicts "
            f"({share:.3%})."
        )
    return "\n".join(lines) + "\n"
