"""Ricca's study of tie-breaks: how near they come to global criteria in simulated events.

- `criteria`: the global criteria; `evaluation`: tie-breaks evaluated by them on many events.
- `published`: his figures; `claims`: his conclusions, compared with our figures.
- `report`, `figures`, `differences` (between his study and ours): the report.
"""
