"""Long runs (`runs`), a `cluster` and its `worker`s, compiled programs on disk, `processors`."""
