"""Which rule is wrong how often, and whether it rewards scoring less.

`assess` compares rules on simulated events by one of two protocols: `single` judges them on the
event that was played, `thesis` on replays of its matches. `judged` is the interface through which
both see rules and `references`, estimates that may use more than the results. `tally` has the
counts and the error rates with their intervals. `incentive` probes rules with half points,
`ratings` compares them with the ratings of recorded events.
"""

from typing import Literal, get_args

REFERENCES = ("higher-seed", "posterior-mean", "true-opponents", "all-play-all")
"""References that are assessed beside the rules; they use more than the results of the event."""

Protocol = Literal["single", "thesis"]
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)

Lists = Literal["own", "swapped", "same-group", "random"]
LISTS: tuple[Lists, ...] = get_args(Lists)
"""Whose opponents the tied teams play again, see `assess.assess`."""
