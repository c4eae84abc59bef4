"""Policies for unplayed rounds: what byes, defaults and absences count for in tie-breaks.

- `record`: what every team did in every round.
- `policy`: what a policy must define, formulas that policies share, and the default policy.
- `fide`: other FIDE regulations; `ricca`, `papers`: proposals.
- `policies`: all policies by name, and what they have in common. A new one is listed there.
"""
