"""Policies for unplayed rounds: what byes, defaults and absences count for in tie-breaks.

- `record`: what every team did in every round.
- `policy`: what a policy must define, and the default one, the Olympiad's of 2016.
- `fide`: other FIDE regulations; `ricca`, `papers`: proposals; `formulas`: formulas they share.
- `policies`: all policies by name, and what they have in common. A new one is listed there.
"""
