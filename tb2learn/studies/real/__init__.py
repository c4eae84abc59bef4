"""Recorded events as judges of rules: by the ratings of tied teams, and by who wins later.

`verdicts` collects what rules say of pairs of teams, `study` counts and compares, `report` writes.
"""
