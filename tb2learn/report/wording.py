"""Findings as text: names of rules and populations, error rates, verdicts."""

from __future__ import annotations

import math
from typing import Any

from tb2learn.assessment.error_rates import Assessment
from tb2learn.assessment.tally import ALL
from tb2learn.catalogue import is_named
from tb2learn.config import Config
from tb2learn.report.style import DOWN, MINUS, SAME, UP
from tb2learn.tiebreaks.library import LEAGUE, LEARNED, PLAYERS_LEAGUE, PRODUCT, REFERENCES

_ORDERS = {"fide": "FIDE's order", "list": "list of the file"}
"""The names of orders that no rule leads."""


def population_name(top: int | str) -> str:
    """The name of a population (a place, or `all`) in figures and pages."""
    return "all tied pairs" if top in (ALL, "all") else f"top {top}"


def rule_name(name: str) -> str:
    """The name of a rule in figures and pages."""
    if name == PRODUCT:
        return "product rule"
    if name in _ORDERS:
        return _ORDERS[name]
    if name == LEARNED:
        return "learned rule"
    if name in REFERENCES:
        return f"reference: {name}"
    # What is not known by name was loaded from a file.
    return name if is_named(name) else f"learned rule {name}"


def name_in_sentence(name: str) -> str:
    """The name of a rule where a sentence speaks of it: `FIDE's rule`, `today's list`."""
    known = {PRODUCT: "FIDE's rule", LEAGUE: "FIDE's list", PLAYERS_LEAGUE: "FIDE's list"}
    return known.get(name, name)


def direction(up: int) -> str:
    """An arrow for places gained or lost."""
    return UP if up > 0 else DOWN if up < 0 else SAME


def verdict(row: Any) -> str:
    """What the interval of the errors that a rule saves shows.

    **Arguments:** `row`: of a frame of `error_rates.rates`, as `itertuples` gives it.

    **Returns:** `fewer errors` or `more errors` if the whole interval lies on that side of zero;
    else, or without an interval, that these events show no difference.
    """
    # NaN, of a rule without an interval, is neither above nor below zero.
    if row.saved_low > 0.0:
        return "fewer errors"
    if row.saved_high < 0.0:
        return "more errors"
    return "these events show no difference"


def headline(row: Any, first: Any) -> str:
    """One short sentence on a rule and a population: both error rates and their difference.

    **Arguments:**

    - `row`: of the rule, as for `verdict`.
    - `first`: that of the rule it is compared with, on the same population.
    """
    where = {"1": "Of ties for first place", "all": "Of all tied pairs"}.get(
        row.top, f"Of ties that reach into the top {row.top}"
    )
    # A small trial may have no tie for first place.
    if not row.pairs:
        return f"{where} there were none in these events."
    rates = (
        f"the {rule_name(row.rule)} decides {percent(row.error)} wrongly, "
        f"the {rule_name(first.rule)} {percent(first.error)}"
    )
    sentence = verdict(row)
    if "errors" in sentence:
        bounds = interval(row.saved_low, row.saved_high, change)
        sentence = f"{change(row.saved)} errors (95% interval {bounds})"
    return f"{where} {rates}: {sentence}."


def percent(value: float) -> str:
    """A share in percent; a dash for NaN."""
    return f"{value:.1%}" if math.isfinite(value) else "-"


def change(saved: float) -> str:
    """A share of errors saved in words: `3.1% fewer`, `2.0% more`."""
    if math.isnan(saved):
        return "-"
    # The rule it is compared with made no error.
    if math.isinf(saved):
        return "more than none"
    # What rounds to nothing is neither fewer nor more.
    size = f"{abs(saved):.1%}"
    return "as many" if size == "0.0%" else f"{size} {'fewer' if saved > 0 else 'more'}"


def interval(low: float, high: float, form: Any = percent) -> str:
    """Both ends of an interval, or `none` without an interval."""
    if math.isnan(low) or math.isnan(high):
        return "none"
    return f"{form(low)} to {form(high)}"


def protocol_name(assessment: Assessment) -> str:
    """The name of a protocol in figures and pages."""
    if assessment.protocol == "single":
        return "Single event: rules see the results that an arbiter has"
    return f"Thesis protocol, lists of opponents: {assessment.lists}"


def seeding(config: Config) -> str:
    """How the events of a configuration are seeded, as text."""
    noise = config.field.seed_noise
    # Worlds may mix good and bad seeds.
    if isinstance(noise, tuple):
        low, high = noise
        return f"seeds by rating with {low:g} to {high:g} points of noise, drawn for every event"
    # Noise without a bound leaves nothing of the ratings.
    if math.isinf(noise):
        return "seeds drawn at random"
    return f"seeds by rating with {noise:g} points of noise" if noise else "seeds by true strength"


def signed(up: int) -> str:
    """Places gained (+3) or lost (-3) as text."""
    return f"{up:+d}".replace("-", MINUS) if up else "="
