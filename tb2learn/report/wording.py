"""Findings as text: names of rules and populations, error rates, verdicts."""

from __future__ import annotations

import math
from typing import Any

from tb2learn.assessment import REFERENCES
from tb2learn.assessment.assess import Assessment
from tb2learn.assessment.tally import ALL, ErrorRate
from tb2learn.catalogue import PRODUCT, is_named
from tb2learn.config import Config
from tb2learn.report.style import DOWN, MINUS, SAME, UP


def population_name(top: int | str) -> str:
    """The name of a population (a place, or `all`) in figures and pages."""
    return "all tied pairs" if top in (ALL, "all") else f"top {top}"


def rule_name(name: str) -> str:
    """The name of a rule in figures and pages."""
    if name == PRODUCT:
        return "product rule"
    if name in REFERENCES:
        return f"reference: {name}"
    return name if is_named(name) else f"learned rule {name}"


def direction(up: int) -> str:
    """An arrow for places gained or lost."""
    return UP if up > 0 else DOWN if up < 0 else SAME


def verdict(result: ErrorRate) -> str:
    """What the interval of a reduction shows.

    **Returns:** `fewer errors` or `more errors` if the whole interval lies on that side of zero;
    else, or without an interval, that these events show no difference.
    """
    low, high = result.reduction_ci
    if low > 0.0:
        return "fewer errors"
    if high < 0.0:
        return "more errors"
    return "these events show no difference"


def headline(result: ErrorRate, first: ErrorRate) -> str:
    """One short sentence on a rule and a population: both error rates and their difference.

    **Arguments:** as for `finding`.
    """
    where = f"Of ties that reach into the top {result.top}"
    where = {1: "Of ties for first place", ALL: "Of all tied pairs"}.get(result.top, where)
    if not result.pairs:
        return f"{where} there were none in these events."
    rates = (
        f"the {rule_name(result.rule)} decides {percent(result.error_rate)} wrongly, "
        f"the {rule_name(first.rule)} {percent(first.error_rate)}"
    )
    said = verdict(result)
    if "errors" in said:
        bounds = interval(result.reduction_ci, change)
        said = f"{change(result.reduction)} errors (95% interval {bounds})"
    return f"{where} {rates}: {said}."


def finding(result: ErrorRate, first: ErrorRate) -> str:
    """The verdict on a rule and a population with all that was measured.

    **Arguments:**

    - `result`: the error rate of the rule.
    - `first`: that of the rule it is compared with, on the same population.
    """
    who = f"that reach into the top {result.top}"
    who = {1: "for first place", ALL: "anywhere"}.get(result.top, who)
    if not result.pairs:
        return f"Ties {who}: there were none in these events."
    ours, theirs = (
        f"{percent(r.error_rate)} of them wrongly (95% interval {interval(r.ci)})"
        for r in (result, first)
    )
    rates = f"The {rule_name(result.rule)} decides {ours}, the {rule_name(first.rule)} {theirs}"
    measured = ""
    if not math.isnan(result.reduction):
        measured = f": {change(result.reduction)} (95% interval "
        measured += f"{interval(result.reduction_ci, change)})"
    return f"Ties {who} ({result.pairs:,} pairs): {verdict(result)}. {rates}{measured}."


def percent(value: float) -> str:
    """A share in percent; a dash for NaN."""
    return f"{value:.1%}" if math.isfinite(value) else "-"


def change(reduction: float) -> str:
    """A relative reduction in words: `3.1% fewer`, `2.0% more`."""
    if math.isnan(reduction):
        return "-"
    if math.isinf(reduction):
        return "more than none"
    size = f"{abs(reduction):.1%}"
    return "as many" if size == "0.0%" else f"{size} {'fewer' if reduction > 0 else 'more'}"


def interval(bounds: tuple[float, float], form: Any = percent) -> str:
    """Both ends of an interval, or `none` without an interval."""
    if any(math.isnan(bound) for bound in bounds):
        return "none"
    return " to ".join(form(bound) for bound in bounds)


def protocol_name(assessment: Assessment) -> str:
    """The name of a protocol in figures and pages."""
    if assessment.protocol == "single":
        return "Single event: rules see the results that an arbiter has"
    return f"Thesis protocol, lists of opponents: {assessment.lists}"


def seeding(config: Config) -> str:
    """How the events of a configuration are seeded, as text."""
    noise = config.field.seed_noise
    if isinstance(noise, tuple):
        low, high = noise
        return f"seeds by rating with {low:g} to {high:g} points of noise, drawn for every event"
    if math.isinf(noise):
        return "seeds drawn at random"
    return f"seeds by rating with {noise:g} points of noise" if noise else "seeds by true strength"


def signed(up: int) -> str:
    """Places gained (+3) or lost (-3) as text."""
    return f"{up:+d}".replace("-", MINUS) if up else "="
