"""Files: read whole (`inputs`), written whole (`files`), and what a path may be (`outputs`)."""
