"""Limits and names that the command line has in its help, which loads no numerical library."""

from collections.abc import Mapping
from types import MappingProxyType

MAX_RATING = 4000
"""The highest rating of a simulated team."""

MOST_EVENTS = 10**9
"""Most events of a run."""

MOST_SEED = 2**32 - 1
"""The largest seed of a run: a key of JAX takes 32 bits."""

DEFAULT_WORLD = "olympiad2022-180x11"
"""The configuration that is played where nothing names another."""

RENAMED: Mapping[str, str] = MappingProxyType({"learned-180x11": "uniform-180x11"})
"""Shipped checkpoints and configurations by names of earlier versions, which are taken, too."""
