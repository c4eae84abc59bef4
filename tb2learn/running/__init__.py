"""Long runs (`runs`) on several `hosts`, compiled programs on disk, `processors`."""

MOST_EVENTS = 10**9
"""Most events of a run."""

MOST_SEED = 2**32 - 1
