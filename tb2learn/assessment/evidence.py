"""Rules x worlds x populations: one long table of error rates, of which every report is a view.

`rates` makes the rows of one tally, `grid` those of several worlds. The columns:

- `world` (of a grid), `rule`, `top` (population: `1`, `3`, `10`, `30` or `all`), tied `pairs`;
- `error`: the share of the pairs decided wrongly; `saved`: the share of the first rule's errors
  that the rule saves; `than_X`: the error less that of rule `X` on the same events;
- where seeds are informative, for every kind `K` of `SEED_KINDS` `K_pairs` and `K`: half errors
  of the pairs whose higher (or lower) seed is better, verdicts for the higher seed of near-equal
  teams and of copies; `apart`: `lower_better` less `higher_better`; `near_than_X`: `near_equal`
  less that of `X`. Where seeds are random these columns are missing.

Every share has the ends of its 95 % bootstrap interval over blocks of events as `*_low` and
`*_high`. Shares of no pairs are NaN.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from tb2learn.assessment import Lists, Protocol
from tb2learn.assessment.references import Reference
from tb2learn.assessment.single import single_event_tally
from tb2learn.assessment.tally import ALL, SEED_KINDS, TOPS, Tally
from tb2learn.assessment.thesis_protocol import thesis_tally
from tb2learn.catalogue import find_judged
from tb2learn.config import Config
from tb2learn.simulation.run import SILENT, Progress
from tb2learn.simulation.streams import Purpose
from tb2learn.stats import long_frame, resamples, with_ends
from tb2learn.tiebreaks.rules import Rule


@dataclass(frozen=True)
class Cell:
    """A world and what is judged there on the same events.

    **Fields:**

    - `name`: of the world in the table.
    - `config`: the world.
    - `rules`: names, rules or references; the rule in use is always judged first.
    - `events`: how many fresh ones.
    - `protocol`, `lists`: see `assess.assess`.
    - `purpose`: of the events. Those that choose a rule are not those that judge it.
    """

    name: str
    config: Config
    rules: Sequence[Rule | Reference | str]
    events: int
    protocol: Protocol = "single"
    lists: Lists = "own"
    purpose: Purpose = Purpose.ASSESS

    def tally(self, seed: int, progress: Progress = SILENT) -> Tally:
        """The counts, by block of events."""
        named = [one for one in self.rules if isinstance(one, str)]
        rules = [one for one in self.rules if not isinstance(one, str)]
        judged = [*find_judged(named, self.config), *rules]
        if self.protocol == "thesis":
            return thesis_tally(self.config, judged, self.events, seed, self.lists, progress)
        return single_event_tally(self.config, judged, self.events, seed, progress, self.purpose)


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
    tops = TOPS[: tally.pairs.shape[1]]
    weights = samples(len(tally.pairs), seed)
    error = shares(weights, tally.errors, tally.pairs, tally.unit)  # [samples, rules, tops]
    with np.errstate(divide="ignore", invalid="ignore"):
        drawn = {"error": error, "saved": 1 - error / error[:, :1]}
    counts = {"pairs": tally.pairs}
    if tally.seeds:
        for k, kind in enumerate(SEED_KINDS):
            pairs = tally.seeds.pairs[:, k]
            counts[f"{kind}_pairs"] = pairs
            drawn[kind] = shares(weights, tally.seeds.halves[:, k], pairs, 2)
        drawn["apart"] = drawn["lower_better"] - drawn["higher_better"]
    for other in against:
        k = [tally.rules.index(other)]
        drawn[f"than_{other}"] = error - error[:, k]
        if tally.seeds:
            drawn[f"near_than_{other}"] = drawn["near_equal"] - drawn["near_equal"][:, k]
    shape = error.shape[1:]
    columns = {name: np.broadcast_to(one.sum(axis=0), shape) for name, one in counts.items()}
    for name, values in drawn.items():
        columns |= with_ends(values, name, f"{name}_")
    return long_frame({"rule": tally.rules, "top": list(map(population, tops))}, columns)


def grid(
    cells: Iterable[Cell], seed: int, against: Iterable[str] = (), progress: bool = True
) -> pd.DataFrame:
    """The table of all cells, with the cell's name as `world`, first."""
    parts = []
    for one in cells:
        tally = one.tally(seed, Progress(one.name) if progress else SILENT)
        known = [name for name in against if name in tally.rules]
        frame = rates(tally, seed, known)
        frame.insert(0, "world", one.name)
        parts.append(frame)
    return pd.concat(parts, ignore_index=True)


def samples(blocks: int, seed: int | np.random.Generator) -> Float[np.ndarray, "samples blocks"]:
    """How often each block of events is in every sample: once in the first, as drawn in others."""
    return np.concatenate([np.ones((1, blocks)), resamples(blocks, seed)])


def shares(
    weights: Float[np.ndarray, "samples blocks"],
    counts: Int[np.ndarray, "blocks things tops"],
    pairs: Int[np.ndarray, "blocks tops"],
    unit: int = 1,
) -> Float[np.ndarray, "samples things tops"]:
    """Counts, in units of `1/unit`, as shares of tied pairs in every sample; NaN without pairs."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.tensordot(weights, counts, 1) / unit / (weights @ pairs)[:, None]
