"""Policies for unplayed rounds: what byes, defaults and absences count for in tie-breaks.

- `record`: what every team did in every round.
- `policy`: what a policy must define, and the default policy; `fide`: the others.
- `policies`: all policies by name, and what they have in common. A new one is listed there.
"""

SUMMARIES = {
    "baku2016": "virtual opponents by rule 14 of the Olympiad of 2016; a bye is left out first",
    "fide2026": "the Olympiad of 2026: no virtual opponents; a match won by default counts in full",
    "c07": "FIDE's C.07, edition of March 2026: a dummy opponent with the team's score, capped",
    "c07-2024": "FIDE's C.07, editions of 2023, 2024: a dummy opponent with the team's own score",
    "c07-2009": "FIDE's C.07, 2009 to August 2023: virtual opponents; a missed round is a draw for "
    "opponents",
    "olympiad2010": "the Olympiads of 2010 to 2014: an own missed match is worth nothing, an "
    "opponent's is a draw",
    "face-value": "a default counts as played, any other missed round as an opponent without "
    "points",
}
"""What each policy does, in a line for help: here, where it is read without NumPy."""

TITLES = {
    "baku2016": "Olympiad, rule 14 of 2016",
    "fide2026": "Olympiad, regulations of 2026",
    "c07": "FIDE C.07 (March 2026)",
    "c07-2024": "FIDE C.07 (2023, 2024)",
    "c07-2009": "FIDE C.07 (2009 to August 2023)",
    "olympiad2010": "Olympiads of 2010 to 2014",
    "face-value": "Unplayed rounds at face value",
}
"""The edition of each policy, as standings name it."""

REGULATIONS = ("baku2016", "fide2026", "c07", "c07-2024")
"""The policies that a regulation of a Swiss can have."""

FACE_VALUE = "face-value"
"""The policy that a regulation of a round robin has."""
