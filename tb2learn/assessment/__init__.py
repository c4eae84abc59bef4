"""Which rule is wrong how often, and whether it rewards scoring less.

`assess` compares rules on simulated events by one of two protocols: `single` judges them on the
event that was played, `thesis` on replays of its matches. `judged` is the interface through which
both see rules and `references`, estimates that may use more than the results. `tally` has the
counts and the error rates with their intervals. `incentive` probes rules with half points,
`ratings` compares them with the ratings of recorded events.
"""
