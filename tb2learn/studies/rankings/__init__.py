"""Csato's study: a team event ranked by paired comparison.

- `methods`: ratings, places and distances of rankings; `study`: all of them for one event.
- `published`: his figures; `report`, `figures`: the report.
"""
