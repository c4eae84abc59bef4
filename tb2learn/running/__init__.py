"""Long runs (`runs`) on several `hosts`, compiled programs on disk, `processors`."""
