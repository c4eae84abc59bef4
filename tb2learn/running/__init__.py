"""Long runs (`runs`), a `cluster` and its `worker`s, compiled programs on disk, `processors`."""

MOST_EVENTS = 10**9
"""Most events of a run."""

MOST_SEED = 2**32 - 1
