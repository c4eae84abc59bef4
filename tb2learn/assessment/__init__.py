"""Which rule is wrong how often, and whether it rewards scoring less.

`error_rates` compares rules on simulated events by one of two protocols: `single_event` judges them
on the event that was played, `thesis_protocol` on replays of its matches. `estimators` has the
interface through which both see rules and `references`, estimates that may use more than the
results. `tally` has the counts, which `error_rates` makes into one table of error rates with their
intervals; `ideal` counts the posterior mean beside them.
`half_point_probes` and `coalition_probes` probe rules with half points, `dependence` with results
of matches that the tied teams did not play; `by_ratings` compares them with the ratings of recorded
events, `calibration` fits how sure their orders are.
"""

from typing import Literal, get_args

Protocol = Literal["single", "thesis"]
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)

Lists = Literal["own", "swapped", "same-group", "random"]
LISTS: tuple[Lists, ...] = get_args(Lists)
"""Whose opponents the tied teams play again, see `error_rates.tally_verdicts`."""
