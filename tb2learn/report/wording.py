"""Findings as text: names of rules and populations, error rates, verdicts."""

from __future__ import annotations

import math

from tb2learn.assessment.error_rates import Assessment
from tb2learn.assessment.tally import ALL
from tb2learn.config import Config
from tb2learn.report.style import DOWN, MINUS, SAME, UP


def population_name(top: int | str) -> str:
    """The name of a population (a place, or `all`) in figures and pages."""
    return "all tied pairs" if top in (ALL, "all") else f"top {top}"


def direction(up: int) -> str:
    """An arrow for places gained or lost."""
    return UP if up > 0 else DOWN if up < 0 else SAME


def percent(value: float) -> str:
    """A share in percent; a dash for NaN."""
    return f"{value:.1%}" if math.isfinite(value) else "-"


def interval(low: float, high: float) -> str:
    """Both ends of the interval of a share, or `none` without an interval."""
    if math.isnan(low) or math.isnan(high):
        return "none"
    return f"{percent(low)} to {percent(high)}"


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
