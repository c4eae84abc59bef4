"""Names of the worlds and the shipped rules that several scripts judge."""

from __future__ import annotations

from dataclasses import replace

from tb2learn.config import Config

WORLD, SEEDED = "olympiad-180x11", "seeded-180x11"
"""The Olympiad with random seeds; with rosters and games of a real event and seeds near the truth.
"""

LEARNED, FORMULA = "learned-180x11", "formula-180x11"

FAIR = "fair-180x11"
"""Fitted to real fields, too, with a penalty on seed bias."""

ROSTERS = "rosters-180x11"
"""Fitted to real fields, too, with random seeds: the default that the frontier chooses."""


def seeded(config: Config, noise: float) -> Config:
    """The configuration with another seed noise, in rating points."""
    return replace(config, field=replace(config.field, seed_noise=noise))
