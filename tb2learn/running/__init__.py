"""Long runs: kept and resumed (`runs`), shared by `hosts`, compiled once (`compile_cache`), on all `processors`."""
