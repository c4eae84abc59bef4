"""An assessment as JSON with a stable schema, and as a text table."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from tb2learn.assessment.assess import Assessment
from tb2learn.assessment.tally import ALL, BLOCKS, ErrorRate, SeedBias, Share
from tb2learn.config import from_dict, to_dict


def population(top: int) -> int | str:
    """The label of a population: the lowest place it covers, or `all`."""
    return "all" if top == ALL else top


def assessment_json(result: Assessment) -> str:
    """An assessment as JSON.

    **Returns:** an object with `protocol`, `lists` (null in the single-event protocol), `events`,
    `seed`, `config` and `results`: a list, rule by rule (`product` first), of `rule`, `top` (1, 3,
    10, 30, or "all"), `pairs`, `error_rate`, `ci`, `reduction`, `reduction_ci`, and, where seeds
    are not random, `seed_bias`: `higher_better`, `lower_better` and `near_equal`, each with
    `pairs`, `share` and `ci`, then `difference` and `difference_ci` (see `SeedBias`). Undefined
    numbers (no pairs, no errors to reduce) are null.
    """
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
                "error_rate": _finite(r.error_rate),
                "ci": [_finite(x) for x in r.ci],
                "reduction": _finite(r.reduction),
                "reduction_ci": [_finite(x) for x in r.reduction_ci],
                **({"seed_bias": _bias_content(r.seed_bias)} if r.seed_bias else {}),
            }
            for r in result.results
        ],
    }
    return json.dumps(content, indent=2, allow_nan=False) + "\n"


def _finite(x: float) -> float | None:
    return x if math.isfinite(x) else None


def _bias_content(bias: SeedBias) -> dict[str, Any]:
    return {
        name: {
            "pairs": one.pairs,
            "share": _finite(one.value),
            "ci": [_finite(x) for x in one.ci],
        }
        for name, one in bias.shares.items()
    } | {
        "difference": _finite(bias.difference),
        "difference_ci": [_finite(x) for x in bias.difference_ci],
    }


def assessment_of(content: Mapping[str, Any]) -> Assessment:
    """The assessment that `assessment_json` wrote, without the effect of rounding."""
    results = tuple(
        ErrorRate(
            rule=row["rule"],
            top=ALL if row["top"] == "all" else row["top"],
            pairs=row["pairs"],
            error_rate=number(row["error_rate"]),
            ci=ends(row["ci"]),
            reduction=number(row["reduction"]),
            reduction_ci=ends(row["reduction_ci"]),
            seed_bias=_bias_of(row["seed_bias"]) if "seed_bias" in row else None,
        )
        for row in content["results"]
    )
    return Assessment(
        protocol=content["protocol"],
        lists=content["lists"],
        events=content["events"],
        seed=content["seed"],
        config=from_dict(content["config"]),
        results=results,
        rounding=None,
    )


def _bias_of(content: Mapping[str, Any]) -> SeedBias:
    higher, lower, near = (
        Share(one["pairs"], number(one["share"]), ends(one["ci"]))
        for one in (content[kind] for kind in ("higher_better", "lower_better", "near_equal"))
    )
    apart, apart_ci = number(content["difference"]), ends(content["difference_ci"])
    return SeedBias(higher, lower, apart, apart_ci, near)


def number(value: float | None) -> float:
    """A number read from JSON; NaN for null."""
    return math.nan if value is None else float(value)


def ends(values: Sequence[float | None]) -> tuple[float, float]:
    """The ends of an interval read from JSON."""
    low, high = map(number, values)
    return low, high


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
    lines += _bias_lines(result)
    if result.rounding:
        changed, pairs = result.rounding
        share = changed / pairs if pairs else 0.0
        lines.append(
            f"Rounding the table to whole points changed {changed} of {pairs} verdicts "
            f"({share:.3%})."
        )
    return "\n".join(lines) + "\n"


def _bias_lines(result: Assessment) -> list[str]:
    """Seed bias as an aligned table; nothing where seeds are random."""
    rows = [(r, r.seed_bias) for r in result.results if r.seed_bias]
    if not rows:
        return []
    lines = [
        "",
        "Seed bias: error rate where the higher seed is the better team, where the lower seed is, "
        "and their difference; share",
        "of verdicts for the higher seed among teams less than one expected match point of the "
        "all-play-all apart (0.5: fair)",
        f"{'rule':<24}{'top':>4}  {'higher better':<25}{'lower better':<25}{'difference':<27}"
        f"{'near-equal':<25}{'pairs':>8}",
    ]
    for r, bias in rows:
        shares = [
            f"{one.value:.4f} [{one.ci[0]:.4f}, {one.ci[1]:.4f}]"
            for one in (bias.higher, bias.lower, bias.near)
        ]
        low, high = bias.difference_ci
        apart = f"{bias.difference:+.4f} [{low:+.4f}, {high:+.4f}]"
        lines.append(
            f"{r.rule:<24}{population(r.top):>4}  {shares[0]:<25}{shares[1]:<25}{apart:<27}"
            f"{shares[2]:<25}{bias.near.pairs:>8}"
        )
    return lines
