"""What the rounds left of a recorded event will bring: continuations by the simulator, counted.

- `state`: an event after a round, and how its rounds left are paired; `given_pairs`: from a file;
- `strengths`: how strong the teams are, by ratings and the results so far;
- `ranking`: the places of a continuation; `chances`: continuations, counted;
- `report.chance_tables`: the same as DataFrames; `captain`: what the matches of the next round do
  to one team.
"""
