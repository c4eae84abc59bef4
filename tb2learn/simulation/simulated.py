"""Simulated events to look at, as arrays and as DataFrames."""

from __future__ import annotations

import dataclasses
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from jaxtyping import Bool, Int

from tb2learn.chess.results import Results
from tb2learn.config import Config
from tb2learn.jax_types import Key
from tb2learn.simulation.event import Event
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import SILENT, Progress, sum_events
from tb2learn.stats import long_frame
from tb2learn.tiebreaks.names import find_tiebreak
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import BYE, one_of, whole_number

if TYPE_CHECKING:
    import pandas

MOST_BYTES = 1 << 32
"""Most memory of the events that are looked at together."""

_BYTES = 100
"""Of a team and round, roughly."""

KINDS = ("standings", "matches")
"""What a row of a frame can be."""


@dataclass(frozen=True, repr=False)
class SimulatedEvents:
    """Played events; teams are numbered in seed order, from 0.

    **Fields:**

    - `config`, `seed`: what was played, and which stream.
    - `rosters`: `[events, teams, boards]` ratings, strongest first.
    - `opponents`: `[events, rounds, teams]` who was met; `BYE` (-1) where nobody.
    - `half_points`: `[events, rounds, teams]` scored, in half points.
    - `match_points`: `[events, teams]` final.
    - `whites`: `[events, rounds, teams]` who had White (on board 1); None in the Swiss of teams.
    - `ratings`: `[events, teams]` published ratings, which seeds are made of; None if none are.
    """

    config: Config
    seed: int
    rosters: Int[np.ndarray, "events teams boards"]
    opponents: Int[np.ndarray, "events rounds teams"]
    half_points: Int[np.ndarray, "events rounds teams"]
    match_points: Int[np.ndarray, "events teams"]
    whites: Bool[np.ndarray, "events rounds teams"] | None = None
    ratings: Int[np.ndarray, "events teams"] | None = None

    def __repr__(self) -> str:
        """What was played in a line."""
        events, rounds, teams = self.half_points.shape
        what = f"{events} events of {teams} teams, {rounds} rounds, seed {self.seed}"
        return f"<SimulatedEvents {self.config.name}: {what}>"

    def frame(self, kind: str = "standings") -> pandas.DataFrame:
        """The events as one pandas DataFrame.

        **Arguments:**

        - `kind`: what a row is:

          - `"standings"`: a team of an event, in the final order: `event`, `place`, `team` (start
            number, 1 for the top seed), `rating` (mean of its players), `mp`, `tb2` (FIDE's product
            rule), `gp`, `tb4`. Teams equal on all four share a place.
          - `"matches"`: one side of a match: `event`, `round`, `team`, `opponent` (missing for a
            bye), `gp`; where it is known, `white`: who had White (on board 1).

        **Raises:** `InputError` for any other kind, and for standings of an event that has no table
        of all teams.
        """
        one_of("kind", kind, KINDS)
        return self._standings() if kind == "standings" else self._matches()

    def _standings(self) -> pandas.DataFrame:
        event = self.config.event
        event.check_one_table("a frame of standings")
        product = product_table(event.rounds, event.boards)
        tb4_rule, _ = find_tiebreak("buchholz-cut1", event.rounds, event.boards)
        rules = product.tiebreak(), tb4_rule

        @jax.jit
        @jax.vmap
        def scores(opponents: Any, half_points: Any, match_points: Any) -> list[Any]:
            results = Results(opponents, half_points, match_points, event.boards)
            return [rule.scores(results) for rule in rules]

        tb2, tb4 = map(np.asarray, scores(self.opponents, self.half_points, self.match_points))
        teams = long_frame(
            {"event": range(len(self.match_points)), "team": range(1, event.teams + 1)},
            {
                "rating": self.rosters.mean(axis=-1),
                "mp": self.match_points,
                "tb2": tb2 * product.unit,
                "gp": self.half_points.sum(axis=1) / 2,
                "tb4": tb4,
            },
        )
        order = ["mp", "tb2", "gp", "tb4"]
        ranked = teams.sort_values(["event", *order], ascending=[True, *[False] * 4], kind="stable")
        place = ranked.groupby("event").cumcount() + 1
        shared = ranked.duplicated(["event", *order])
        # Equal teams: the place of the first of them.
        ranked.insert(1, "place", place.mask(shared).ffill().astype(int))
        return ranked.reset_index(drop=True)

    def _matches(self) -> pandas.DataFrame:
        events, rounds, teams = self.opponents.shape
        sides = long_frame(
            {"event": range(events), "round": range(1, rounds + 1), "team": range(1, teams + 1)},
            {"opponent": self.opponents + 1, "gp": self.half_points / 2}
            | ({} if self.whites is None else {"white": self.whites}),
        )
        met = np.ravel(self.opponents) != BYE
        if self.whites is not None:
            # Missing where nobody was met, which plain booleans cannot say.
            sides = sides.assign(white=sides.white.astype("boolean").where(met))
        return sides.assign(opponent=sides.opponent.where(met).astype("Int64"))


def simulate(
    config: Config, events: int, seed: int, progress: Progress = SILENT
) -> SimulatedEvents:
    """Play events to look at; no rule is trained or assessed on these.

    **Arguments:**

    - `config`: what is played.
    - `events`, `seed`: how many, of which stream.
    - `progress`: shows a progress bar.

    **Returns:** `SimulatedEvents`, about 100 bytes a team and round.

    **Raises:** `InputError` for more events than `MOST_BYTES` hold.
    """
    one = _BYTES * config.event.teams * config.event.rounds
    whole_number("events", events, 1, MOST_BYTES // one, f" of this size ({MOST_BYTES >> 30} GiB)")
    batches = sum_events(
        config,
        _whole,
        EventRange(seed, Purpose.EXPLORE, events),
        accumulate=lambda numbers, played: [played],
        merge=operator.add,
        progress=progress,
    )
    whole = jax.tree.map(lambda *parts: np.concatenate(parts), *batches)
    names = [field.name for field in dataclasses.fields(SimulatedEvents)][2:]
    return SimulatedEvents(config, seed, **{name: getattr(whole, name) for name in names})


def _whole(key: Key, event: Event, config: Config, args: Any) -> Event:
    """All of an event."""
    return event
