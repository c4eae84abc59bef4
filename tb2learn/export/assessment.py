"""An assessment as JSON with a stable schema, and as a text table."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from tb2learn.assessment.assess import Assessment
from tb2learn.assessment.tally import ALL, BLOCKS, SEED_KINDS, ErrorRate, SeedBias, Share
from tb2learn.config import from_dict, to_dict


def population(top: int) -> int | str:
    """The label of a population: the lowest place it covers, or `all`."""
    return "all" if top == ALL else top


def assessment_json(result: Assessment) -> str:
    """An assessment as JSON.

    **Returns:** an object with `protocol`, `lists` (null in the single-event protocol), `events`,
    `seed`, `config` and `results`: a list, rule by rule (`product` first), of `rule`, `top` (1, 3,
    10, 30, or "all"), `pairs`, `error_rate`, `ci`, `reduction`, `reduction_ci`, and, where seeds
    are not random, `seed_bias`: `higher_better`, `lower_better`, `near_equal` and `copies`, each
    with `pairs`, `share` and `ci`, then `difference` and `difference_ci` (see `SeedBias`).
    Undefined numbers (no pairs, no errors to reduce) are null.
    """
    content = {
        "protocol": result.protocol,
        "lists": result.lists,
        "events": result.events,
        "seed": result.seed,
        "config": to_dict(result.config),
        "results": [_row(rate) for rate in result.results],
    }
    return json.dumps(content, indent=2, allow_nan=False) + "\n"


def _row(rate: ErrorRate) -> dict[str, Any]:
    row = _finite(vars(rate) | {"top": population(rate.top)})
    bias = row.pop("seed_bias")
    return row | ({"seed_bias": _bias_row(bias)} if bias else {})


def _bias_row(bias: SeedBias) -> dict[str, Any]:
    row = {
        name: {"pairs": one.pairs, "share": one.value, "ci": one.ci}
        for name, one in bias.shares.items()
    }
    return _finite(row | {"difference": bias.difference, "difference_ci": bias.difference_ci})


def _finite(content: Any) -> Any:
    """The same content; null for numbers that are not finite."""
    if isinstance(content, dict):
        return {key: _finite(value) for key, value in content.items()}
    if isinstance(content, tuple):
        return [_finite(value) for value in content]
    return None if isinstance(content, float) and not math.isfinite(content) else content


def assessment_of(content: Mapping[str, Any]) -> Assessment:
    """The assessment that `assessment_json` wrote, without the effect of rounding."""
    results = []
    for row in content["results"]:
        bias, top = row.get("seed_bias"), ALL if row["top"] == "all" else row["top"]
        read = _numbers(row) | {"top": top, "seed_bias": _bias_of(_numbers(bias)) if bias else None}
        results.append(ErrorRate(**read))
    about = {key: content[key] for key in ("protocol", "lists", "events", "seed")}
    config = from_dict(content["config"])
    return Assessment(**about, config=config, results=tuple(results), rounding=None)


def _bias_of(row: Mapping[str, Any]) -> SeedBias:
    higher, lower, near, copies = (
        Share(one["pairs"], one["share"], one["ci"])
        for one in (_numbers(row[kind]) for kind in SEED_KINDS)
    )
    return SeedBias(higher, lower, row["difference"], row["difference_ci"], near, copies)


def _numbers(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row read from JSON: NaN for null, and intervals as pairs."""

    def read(value: Any) -> Any:
        if isinstance(value, list):
            return tuple(map(read, value))
        return math.nan if value is None else value

    return {key: read(value) for key, value in row.items()}


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
        rate, gain = _interval(r.error_rate, r.ci), _interval(r.reduction, r.reduction_ci, "+")
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
        "all-play-all apart (0.5: fair),",
        "and among copies of one roster, which are not among them",
        f"{'rule':<24}{'top':>4}  {'higher better':<25}{'lower better':<25}{'difference':<27}"
        f"{'near-equal':<25}{'pairs':>8}  copies",
    ]
    for r, bias in rows:
        higher, lower, near, copies = (_interval(one.value, one.ci) for one in bias.shares.values())
        apart = _interval(bias.difference, bias.difference_ci, "+")
        lines.append(
            f"{r.rule:<24}{population(r.top):>4}  {higher:<25}{lower:<25}{apart:<27}"
            f"{near:<25}{bias.near.pairs:>8}  {copies if bias.copies.pairs else '':<25}"
            f"{bias.copies.pairs:>8}"
        )
    return lines


def _interval(value: float, ci: tuple[float, float], sign: str = "") -> str:
    low, high = ci
    return f"{value:{sign}.4f} [{low:{sign}.4f}, {high:{sign}.4f}]"
