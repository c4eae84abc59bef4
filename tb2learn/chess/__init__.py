"""What the rules of chess say: formats of events, round robins, rating tables, results.

- `event_format`: teams, rounds and boards, and how rounds are paired; `berger`: round robins;
- `rating_tables`: FIDE's rating tables, performance, new and relative ratings;
- `results`: who met whom and what was scored; `subsets`: groups of equal mean rating.
"""
