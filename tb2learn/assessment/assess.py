"""Which rule is wrong how often: rules and references compared on the same fresh events.

The two protocols, `single` and `thesis`, answer different questions; their error rates are not
comparable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tb2learn.assessment import LISTS, PROTOCOLS, Lists, Protocol
from tb2learn.assessment.references import Reference
from tb2learn.assessment.single import single_event_tally
from tb2learn.assessment.tally import ALL, ErrorRate, Tally, summarise
from tb2learn.assessment.thesis_protocol import thesis_tally
from tb2learn.config import Config
from tb2learn.running import MOST_EVENTS
from tb2learn.simulation.run import SILENT, Progress
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import one_of, whole_number

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Assessment:
    """The result of `assess`.

    **Fields:** its arguments, and

    - `lists`: None under the single-event protocol.
    - `results`: an `ErrorRate` a rule and population, rules in order.
    - `rounding`: how many verdicts the rounding of the last rule changed, of how many; None if that
      was not counted.
    """

    protocol: Protocol
    lists: Lists | None
    events: int
    seed: int
    config: Config
    results: tuple[ErrorRate, ...]
    rounding: tuple[int, int] | None

    @property
    def frame(self) -> pandas.DataFrame:
        """The error rates as a DataFrame.

        **Returns:** a row a rule and population: `rule`, `top` (1, 3, 10, 30 or `"all"`), `pairs`,
        `error_rate` with its 95 % interval `low` .. `high`, and `reduction` (share of the product
        rule's errors that is saved) with `reduction_low` .. `reduction_high`.
        """
        import pandas  # half a second that only notebooks spend

        return pandas.DataFrame(
            {
                "rule": row.rule,
                "top": "all" if row.top == ALL else row.top,
                "pairs": row.pairs,
                "error_rate": row.error_rate,
                "low": row.ci[0],
                "high": row.ci[1],
                "reduction": row.reduction,
                "reduction_low": row.reduction_ci[0],
                "reduction_high": row.reduction_ci[1],
                **(row.seed_bias.columns if row.seed_bias else {}),
            }
            for row in self.results
        )


def single_assessment(config: Config, tally: Tally, events: int, seed: int) -> Assessment:
    """The assessment of counts under the single-event protocol.

    **Arguments:** `config`, `events` and `seed` of the events that were counted; the `tally`.
    """
    return Assessment("single", None, events, seed, config, summarise(tally, seed), None)


def assess(
    config: Config,
    judged: Sequence[Rule | Reference],
    events: int,
    seed: int,
    protocol: Protocol = "single",
    lists: Lists = "own",
    unrounded: Rule | None = None,
    progress: Progress = SILENT,
) -> Assessment:
    """Compare rules on fresh simulated events.

    **Arguments:**

    - `config`: what to play; the events are those of its assessment stream, never of training.
    - `judged`: rules and references; the others are compared with the first.
    - `events`, `seed`: how many events are played, and the seed of their stream.
    - `protocol`: `single` or `thesis`.
    - `lists`: whose opponents the tied teams play again (`thesis` only): their `own`, each
      other's (`swapped`), those of two teams of their score group (`same-group`) or of the event
      (`random`).
    - `unrounded`: the last rule before rounding, to count the verdicts that rounding changes
      (`single` only).
    - `progress`: shows a progress bar, and keeps the counts while they grow.

    **Returns:** an `Assessment`.

    **Raises:** `InputError` for an unknown protocol or kind of lists, a rule of another format, or
    one that the protocol cannot judge; and for events that are not ranked in one table.
    """
    whole_number("events", events, 1, MOST_EVENTS)
    one_of("protocol", protocol, PROTOCOLS)
    one_of("lists", lists, LISTS)
    config.event.check_one_table("an assessment")
    for rule in judged:
        rule.check_format(config.event.rounds, config.event.boards)
    single = protocol == "single"
    if single:
        all_judged = [*judged, unrounded] if unrounded else judged
        tally = single_event_tally(config, all_judged, events, seed, progress)
    else:
        tally = thesis_tally(config, judged, events, seed, lists, progress)
    rounding = None
    if unrounded and tally.changed is not None:
        rounding = int(tally.changed[-1]), int(tally.pairs[:, -1].sum())
        tally = tally.without_last()
    return Assessment(
        protocol=protocol,
        lists=None if single else lists,
        events=events,
        seed=seed,
        config=config,
        results=summarise(tally, seed),
        rounding=rounding,
    )
