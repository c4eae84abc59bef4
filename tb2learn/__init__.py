"""Who really played better, when teams tie at a Chess Olympiad.

Simulated team events (JAX), a learned scoring surface for the second tie-break (TB2), its proof
against an oracle, and lookup tables that an arbiter can check with a pencil.

The files read in one direction; each may import from those before it:

========================  ==========================================================================
``types``                 shape aliases, units, the one error for bad input
``data``                  packaged facts, with a note of where they come from
``config``                frozen configurations, read from TOML
``rng``                   keys, streams of events, random numbers
``games``                 two ratings to the law of a match
``field``                 where teams come from, and how they are seeded
``pairing``               one round of one event: the Swiss pairing
``standings``             match points, game points, TB1 to TB4, the weakest opponent
``tiebreaks``             rules as pure functions of an event's results
``olympiad``              one event, pure
``lockstep``              many events at once: the same events, fast
``files``                 whole or not at all
``progress``              long runs: kept on disk, stopped, resumed
``simulate``              batches, devices, hosts
``difficulty``            the log: integer counts
``surface``, ``fit``      the difficulty surface, and how it is fitted
``oracle``                the true order
``tables``                rules by name; scoring function to lookup table
``decisions``             tables and the formula, fitted to the order of tied teams
``checkpoint``            train, keep, load
``limits``                what no rule can be better than
``rules``                 every rule and limit by name
``assess``                which rule is better: protocols, error rates, intervals
``events``                real events: read, convert, rank, explain, compare
``rankings``              events ranked by paired comparison
``export``                the same numbers as text, CSV, JSON, XLSX, PDF, HTML
``report``                figures and pages
``leaderboard``           every rule on the same events; how tables travel
``global_criteria``       who played well, whatever the points
``tiebreak_values``       tie-breaks held against global criteria
``study_...``             the literature's questions asked again: tie-breaks, rankings, unplayed
``fit_games``             the game model fitted to real boards, and its report
``reproduce``             the thesis beside ours
``quickstart``, ``cli``   the main job; the commands
========================  ==========================================================================
"""

__version__ = "0.4.0"
