"""Policies for unplayed rounds: what byes, defaults and absences count for in tie-breaks.

- `record`: what every team did in every round.
- `policy`: what a policy must define, formulas that policies share, and the default policy.
- `fide`: other FIDE regulations; `ricca`, `papers`: proposals.
- `policies`: all policies by name, and what they have in common. A new one is listed there.
"""

SUMMARIES = {
    "baku2016": "virtual opponents by rule 14 of the Olympiad of 2016; a bye is left out first",
    "fide2026": "the Olympiad of 2026: no virtual opponents; a match won by default counts in full",
    "c07": "FIDE's C.07, edition of March 2026: a dummy opponent with the team's score, capped",
    "c07-2024": "FIDE's C.07, editions of 2023, 2024: a dummy opponent with the team's own score",
    "drawself": "a missed round is a draw against oneself",
    "virtual-opponent": "a virtual opponent that starts with the team's score and draws all later "
    "rounds",
    "adjusted-virtual-opponent": "as virtual-opponent, starting with at most the scheduled "
    "opponent's score",
    "ignore": "missed rounds are left out: all points of the opponents / all their games",
    "face-value": "a default counts as played, any other missed round as an opponent without "
    "points",
    "fair-draw": "by kind of absence; a team that retired counts as drawing the rest",
    "fair-zero": "by kind of absence; a team that retired counts as losing the rest",
    "fair-average": "by kind of absence; a team that retired counts as keeping its average",
    "fair-board-average": "by kind of absence; a team that retired counts as keeping its average "
    "per match",
    "fair-tied": "by kind of absence; a team that retired gains what teams tied with it gained",
    "aaso": "mean of the opponents' mean scores, counting only matches that were played",
    "average-buchholz": "mean final score of the opponents met; only for the sum of opponents' "
    "scores",
    "sivakasi": "a missed round counts as the mean of the opponents met, with corrections",
}
"""What each policy does, in a line for help: here, where it is read without NumPy."""

REGULATIONS = ("baku2016", "fide2026", "c07", "c07-2024")
"""The policies that are regulations of FIDE; the others are proposals of papers."""
