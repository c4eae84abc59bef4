"""Rules x populations: one long table of error rates, of which every report is a view.

`rates` makes the rows of a tally; an `Assessment` has them and what they were made with. The
columns:

- `rule`, `top` (population: `1`, `3`, `10`, `30` or `all`), tied `pairs`;
- `error`: the share of the pairs decided wrongly; `saved`: the share of the first rule's errors
  that the rule saves; `than_X`: the error less that of rule `X` on the same events;
- for every kind `K` of `SEED_KINDS` `K_pairs` and `K`: half errors of the pairs whose higher (or
  lower) seed is better, verdicts for the higher seed of near-equal teams and of copies; `apart`:
  `lower_better` less `higher_better`; `near_than_X`: `near_equal` less that of `X`. The thesis
  protocol has none of them;
- `front_pairs`, `front`: nearly equal teams, tied or not, and verdicts for the higher seed by match
  points and then by the rule; `front_points`: by match points alone, equal points one half;
  `front_tie_break`: what the rule adds to that. Here `top` is the place of the better team by the
  oracle;
- `ideal_pairs`, `ideal`: near-equal pairs of the events that an ideal rule was judged on, and its
  `near_equal` there; `excess`: that of the rule on these pairs less `ideal`; `behind`: the same of
  `error`. Only if they were asked for.

Every share has the ends of its 95 % bootstrap interval over blocks of events as `*_low` and
`*_high`. Shares of no pairs are NaN.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from tb2learn.assessment import LISTS, PROTOCOLS, Lists, Protocol
from tb2learn.assessment.ideal import ideal_beside
from tb2learn.assessment.references import Reference
from tb2learn.assessment.single_event import single_event_tally
from tb2learn.assessment.tally import ALL, SEED_KINDS, TOPS, Tally
from tb2learn.assessment.thesis_protocol import thesis_tally
from tb2learn.config import Config
from tb2learn.limits import MOST_EVENTS
from tb2learn.simulation.given import Events, GivenEvents
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import SILENT, Progress
from tb2learn.stats import Difference, long_frame, resamples, with_ends
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError, one_of, whole_number


def tally_verdicts(
    config: Config,
    judged: Sequence[Rule | Reference],
    events: int | GivenEvents,
    seed: int,
    protocol: Protocol = "single",
    lists: Lists = "own",
    progress: Progress = SILENT,
    purpose: Purpose = Purpose.ASSESS,
) -> Tally:
    """Play fresh events and count wrong verdicts.

    **Arguments:**

    - `config`: what to play.
    - `judged`: rules and references; the others are compared with the first.
    - `events`, `seed`: how many events are played, and the seed of their stream. Given events are
      judged as they are (`single` only).
    - `protocol`: `single` (rules are judged on the event that was played) or `thesis` (on replays
      of its matches). They answer different questions; their error rates are not comparable.
    - `lists`: whose opponents the tied teams play again (`thesis` only): their `own`, each
      other's (`swapped`), those of two teams of their score group (`same-group`) or of the event
      (`random`).
    - `progress`: shows a progress bar, and keeps the counts while they grow.
    - `purpose`: of the events (`single` only). Those that choose a rule are not those that judge
      it, and none are those of training.

    **Raises:** `InputError` for an unknown protocol or kind of lists, a rule of another format, or
    one that the protocol cannot judge; and for events that are not ranked in one table.
    """
    stream = _events_of(events, seed, purpose)
    one_of("protocol", protocol, PROTOCOLS)
    one_of("lists", lists, LISTS)
    config.event.check_one_table("an assessment")
    # Before anything is played.
    for rule in judged:
        rule.check_format(config.event.rounds, config.event.boards)
    if protocol == "single":
        return single_event_tally(config, judged, stream, progress)
    if isinstance(events, GivenEvents):
        raise InputError("given events are judged under the protocol single")
    return thesis_tally(config, judged, events, seed, lists, progress)


def _events_of(events: int | GivenEvents, seed: int, purpose: Purpose) -> Events:
    """Given events, or as many of a stream."""
    if isinstance(events, GivenEvents):
        return events
    return EventRange(seed, purpose, whole_number("events", events, 1, MOST_EVENTS))


@dataclass(frozen=True, repr=False)
class Assessment:
    """Rules compared on fresh events of one world, and what the comparison was made with.

    **Fields:**

    - `protocol`, `lists`: see `tally_verdicts`; no lists under the single-event protocol.
    - `events`, `seed`: how many events, of which stream.
    - `config`: the world.
    - `frame`: the rows of `rates`, those of the first rule first.
    - `rounding`: how many verdicts the rounding of the last rule changed, of how many; None if that
      was not counted.
    """

    protocol: Protocol
    lists: Lists | None
    events: int
    seed: int
    config: Config
    frame: pd.DataFrame
    rounding: tuple[int, int] | None = None

    def __repr__(self) -> str:
        """What was judged, in a line; `frame` has the rates."""
        rules = ", ".join(self.frame.rule.unique())
        return f"<Assessment of {rules} on {self.events} events of {self.config.name}>"

    def _repr_html_(self) -> str:
        """In a notebook: its rates."""
        return self.frame.to_html(index=False)


def assess(
    config: Config,
    judged: Sequence[Rule | Reference],
    events: int | GivenEvents,
    seed: int,
    protocol: Protocol = "single",
    lists: Lists = "own",
    unrounded: Rule | None = None,
    progress: Progress = SILENT,
    purpose: Purpose = Purpose.ASSESS,
    ideal: bool = False,
) -> Assessment:
    """Compare rules on fresh simulated events.

    **Arguments:** as for `tally_verdicts`, and

    - `unrounded`: the last rule before rounding, to count the verdicts that rounding changes
      (`single` only).
    - `ideal`: also hold every rule against the posterior mean (`single` only), see `ideal`.

    **Raises:** `InputError` as `tally_verdicts`; for an ideal under the thesis protocol.
    """
    single = protocol == "single"
    if ideal and not single:
        raise InputError("the ideal rule is judged under the protocol single")
    # The finer table is judged as one more rule, and taken out again.
    every = [*judged, unrounded] if unrounded and single else judged
    tally = tally_verdicts(config, every, events, seed, protocol, lists, progress, purpose)
    rounding = None
    if len(every) > len(judged) and tally.changed is not None:
        rounding = int(tally.changed[-1]), int(tally.pairs[:, -1].sum())
        tally = tally.without_last()
    frame = rates(tally, seed, tally.rules[:1])
    if ideal:
        of_rules = _events_of(events, seed, purpose)
        beside = ideal_beside(config, judged, tally, of_rules, progress)
        frame = frame.join(excess(beside, seed))
    return Assessment(
        protocol=protocol,
        lists=None if single else lists,
        events=events.events if isinstance(events, GivenEvents) else events,
        seed=seed,
        config=config,
        frame=frame,
        rounding=rounding,
    )


def population(top: int) -> str:
    """The label of a population: the lowest place it covers, or `all`."""
    return "all" if top == ALL else str(top)


def rates(tally: Tally, seed: int, against: Iterable[str] = ()) -> pd.DataFrame:
    """A row a rule and population, rules in the order of the tally.

    **Arguments:**

    - `tally`: the counts.
    - `seed`: of the bootstrap (blocks of events with replacement).
    - `against`: rules of the tally that all others are compared with, for `than_X`.
    """
    # The thesis protocol does not judge all places.
    tops = TOPS[: tally.pairs.shape[1]]
    weights = samples(len(tally.pairs), seed)
    error = shares_of_pairs(
        weights, tally.errors, tally.pairs, tally.unit
    )  # [samples, rules, tops]
    # Every rule is resampled with the same weights, so differences of rules are paired.
    wrong = np.tensordot(weights, tally.errors, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        sampled = {"error": error, "saved": 1 - wrong / wrong[:, :1]}
    counts = {"pairs": tally.pairs}
    if tally.seeds:
        for k, seeds in enumerate(SEED_KINDS):
            pairs = tally.seeds.pairs[:, k]
            counts[f"{seeds}_pairs"] = pairs
            sampled[seeds] = shares_of_pairs(weights, tally.seeds.halves[:, k], pairs, 2)
        # Above 0 the rule favours the higher seed.
        sampled["apart"] = sampled["lower_better"] - sampled["higher_better"]
        if front := tally.seeds.front:
            counts["front_pairs"] = front.pairs
            sampled["front"] = shares_of_pairs(weights, front.halves, front.pairs, 2)
            points = shares_of_pairs(weights, front.points[:, None], front.pairs, 2)
            sampled["front_points"] = np.broadcast_to(points, sampled["front"].shape)
            sampled["front_tie_break"] = sampled["front"] - points
    for baseline in against:
        # As a list, so that the axis of rules stays.
        k = [tally.rules.index(baseline)]
        sampled[f"than_{baseline}"] = error - error[:, k]
        if tally.seeds:
            sampled[f"near_than_{baseline}"] = sampled["near_equal"] - sampled["near_equal"][:, k]
    shape = error.shape[1:]
    columns = {name: np.broadcast_to(count.sum(axis=0), shape) for name, count in counts.items()}
    for name, values in sampled.items():
        columns |= with_ends(values, name, f"{name}_")
    return long_frame({"rule": tally.rules, "top": list(map(population, tops))}, columns)


def compared(frame: pd.DataFrame, rule: str, top: str, than: str = "") -> Difference:
    """The error of a rule less that of another, the first if none is named, in a population.

    **Arguments:** `frame`: of `rates`, made `against` the other rule.
    """
    rows = frame[frame["top"] == top].set_index("rule")
    than = than or str(rows.index[0])
    shares = rows["error"][rule], rows["error"][than]
    return Difference.of_row(rows.loc[rule], f"than_{than}", rule, than, shares=shares)


def excess(beside: Tally, seed: int) -> pd.DataFrame:
    """How far the rules of a tally are above its last one, the ideal.

    **Returns:** a row a rule but the last and population, in the order of `rates`.
    """
    *_, ideal = beside.rules
    found = rates(beside, seed, [ideal])
    ends = [f"near_equal{end}" for end in ("", "_low", "_high")]
    tops = found["top"].nunique()
    columns: dict[str, Any] = {"ideal_pairs": found["near_equal_pairs"]}
    own = found[ends].iloc[-tops:].to_numpy()
    for name, values in zip(ends, own.T, strict=True):
        columns[name.replace("near_equal", "ideal")] = np.tile(values, len(found) // tops)
    for new, old in (("excess", f"near_than_{ideal}"), ("behind", f"than_{ideal}")):
        columns |= {f"{new}{end}": found[f"{old}{end}"] for end in ("", "_low", "_high")}
    return pd.DataFrame(columns).iloc[:-tops]


def samples(blocks: int, seed: int | np.random.Generator) -> Float[np.ndarray, "samples blocks"]:
    """How often each block of events is in every sample: once in the first, as drawn in others."""
    return np.concatenate([np.ones((1, blocks)), resamples(blocks, seed)])


def shares_of_pairs(
    weights: Float[np.ndarray, "samples blocks"],
    counts: Int[np.ndarray, "blocks things tops"],
    pairs: Int[np.ndarray, "blocks tops"],
    unit: int = 1,
) -> Float[np.ndarray, "samples things tops"]:
    """Counts, in units of `1/unit`, as shares of tied pairs in every sample; NaN without pairs."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.tensordot(weights, counts, 1) / unit / (weights @ pairs)[:, None]
