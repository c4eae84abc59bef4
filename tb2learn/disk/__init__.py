"""Files: read whole (`inputs`), written whole (`files`, `folders`), what a path is (`outputs`)."""
