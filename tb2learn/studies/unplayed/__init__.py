"""Ricca's study of policies for unplayed rounds, repeated on simulated events with absences.

- `absences`: the simulator with absences; `evaluation`: tie-breaks under every policy.
- `published`: his figures; `claims`: his conclusions, compared with our figures.
- `report`, `figures`: the report.
"""
