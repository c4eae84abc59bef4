"""Limits that the command line names in its help, which loads no numerical library."""

MAX_RATING = 4000
"""The highest rating of a simulated team."""

MOST_EVENTS = 10**9
"""Most events of a run."""

MOST_SEED = 2**32 - 1
"""The largest seed of a run: a key of JAX takes 32 bits."""
