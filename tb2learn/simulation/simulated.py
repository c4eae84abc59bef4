"""Simulated events to look at, as arrays and as DataFrames."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from jaxtyping import Array, Bool, Float, Int, Num

from tb2learn.chess.results import Results
from tb2learn.config import MAX_RATING, Config, Setting
from tb2learn.jax_types import Key
from tb2learn.simulation.event import Event
from tb2learn.simulation.formats import result_shapes
from tb2learn.simulation.given import GivenEvents
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import UNIT, EventRange, Purpose
from tb2learn.simulation.simulate import SILENT, Progress, sum_events
from tb2learn.stats import long_frame
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.function_rule import FunctionRule
from tb2learn.tiebreaks.names import find_tiebreak
from tb2learn.tiebreaks.rules import Rule, product_table
from tb2learn.types import BYE, InputError, check_type, one_of, said, whole_number

if TYPE_CHECKING:
    import pandas

MOST_BYTES = 1 << 32
"""Most memory of the events that are looked at together."""

_BYTES = 100
"""Of a team and round, roughly."""

KINDS = ("standings", "matches", "ties")
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
    - `oracle`: `[events, teams]` expected match points if everybody plays everybody once
      (docs/method.md), 0 .. 2*(teams - 1): whole numbers of 1/32768 match point, so that equal
      ones are equal.
    - `whites`: `[events, rounds, teams]` who had White (on board 1); None in the Swiss of teams.
    - `ratings`: `[events, teams]` published ratings, which seeds are made of; None if none are.
    - `numbers`: `[events]` of the events in their stream, from 0; all of them in order if None.
      References that draw draw by them.

    `played[:100]`, or with any index of NumPy's that keeps the axis, is a part of them.
    """

    config: Config
    seed: int
    rosters: Int[np.ndarray, "events teams boards"]
    opponents: Int[np.ndarray, "events rounds teams"]
    half_points: Int[np.ndarray, "events rounds teams"]
    match_points: Int[np.ndarray, "events teams"]
    oracle: Float[np.ndarray, "events teams"]
    whites: Bool[np.ndarray, "events rounds teams"] | None = None
    ratings: Int[np.ndarray, "events teams"] | None = None
    numbers: Int[np.ndarray, " events"] | None = None

    def __getitem__(self, part: Any) -> SimulatedEvents:
        """Some of the events, by a slice, a list of places or a mask.

        **Raises:** `InputError` for a single number, or an index that there is not.
        """
        try:
            chosen = np.atleast_1d(np.arange(len(self.oracle))[part])
        except (IndexError, TypeError) as error:
            raise InputError(
                f"events must be a slice, places or a mask, got {said(part)}"
            ) from error
        arrays = self._arrays() | {"numbers": self._numbers()}
        return replace(self, **{name: x[chosen] for name, x in arrays.items()})

    def _arrays(self) -> dict[str, np.ndarray]:
        """The arrays that there are, by name."""
        fields = (field.name for field in dataclasses.fields(self))
        return {name: x for name in fields if isinstance(x := getattr(self, name), np.ndarray)}

    def _numbers(self) -> Int[np.ndarray, " events"]:
        return np.arange(len(self.oracle)) if self.numbers is None else self.numbers

    def given(self) -> GivenEvents:
        """The events as an assessment takes them.

        **Raises:** `InputError` naming the array whose shape or numbers no event of this format
        has.
        """
        event = self.config.event
        teams, rounds, boards = event.teams, event.rounds, event.boards
        expected = {
            "rosters": ((teams, boards), 0, MAX_RATING),
            "opponents": ((rounds, teams), BYE, teams - 1),
            "half_points": ((rounds, teams), 0, event.max_half_points),
            "match_points": ((teams,), 0, event.max_match_points),
            "oracle": ((teams,), 0, 2 * (teams - 1)),
            "whites": ((rounds, teams), False, True),
            "ratings": ((teams,), 0, MAX_RATING),
            "numbers": ((), 0, 2**32 - 1),
        }
        arrays = self._arrays()
        for name, array in arrays.items():
            shape, least, most = expected[name]
            shape = (len(self.oracle), *shape)
            if array.shape != shape or not ((array >= least) & (array <= most)).all():
                raise InputError(
                    f"{name} must be {shape} numbers in {least:d}..{most:d}, got {array.shape}"
                )
        if not len(self.oracle):
            raise InputError("events must be at least one, got 0")
        oracle, numbers = arrays.pop("oracle"), self._numbers()
        arrays.pop("numbers", None)
        arrays["strength"] = np.rint(oracle * UNIT).astype(np.int32)
        # Each of them is an event; all of them along a first axis have no constructor.
        whole = jax.tree.map(np.asarray, jax.vmap(lambda parts: Event(**parts))(arrays))
        return GivenEvents(self.seed, Purpose.EXPLORE, numbers, whole)

    def __repr__(self) -> str:
        """What was played in a line."""
        events, rounds, teams = self.half_points.shape
        heading = f"{events} events of {teams} teams, {rounds} rounds, seed {self.seed}"
        return f"<SimulatedEvents {self.config.name}: {heading}>"

    def frame(self, kind: str = "standings") -> pandas.DataFrame:
        """The events as one pandas DataFrame.

        **Arguments:**

        - `kind`: what a row is:

          - `"standings"`: a team of an event, in the final order: `event`, `place`, `team` (start
            number, 1 for the top seed), `rating` (mean of its players), `mp`, `tb2` (FIDE's product
            rule), `gp`, `tb4`. Teams equal on all four share a place.
          - `"matches"`: one side of a match: `event`, `round`, `team`, `opponent` (missing for a
            bye), `gp`; where it is known, `white`: who had White (on board 1).
          - `"ties"`: two teams on equal match points, as an assessment counts them: `event`, `team`
            (the higher seed) and `other` (start numbers), their `mp`, `place` and `last_place` (the
            places that their score group fills: a population such as the top 10 is
            `place <= 10`), `ahead` (expected match points by which the oracle has `team` ahead of
            `other`, negative behind), and `better` (the start number of the team that the oracle
            prefers, missing for equal teams).

        **Raises:** `InputError` for any other kind, and for standings or ties of an event without a
        table of all teams.
        """
        one_of("kind", kind, KINDS)
        frames = {"standings": self._standings, "matches": self._matches, "ties": self._ties}
        return frames[kind]()

    def scores(self, rule: Rule | FunctionRule) -> Num[np.ndarray, "events teams"]:
        """The scores of a rule in every event, higher is better, in the points of its own scale.

        They are those that an assessment compares: it plays the same whole numbers; fractions may
        differ in their last digit.

        **Arguments:** `rule`: from `rule` or `load_rule`, for this format.

        **Raises:** `InputError` for a rule of another format, or a function that gives no numbers.
        """
        check_type("rule", rule, "what rule() or load_rule() gives", Rule, FunctionRule)
        if isinstance(rule, FunctionRule):
            rule = rule.bind(result_shapes(self.config.setting))
        rule.check_format(self.config.event.rounds, self.config.event.boards)
        (scores,) = self._scores(rule.tiebreak)
        if not np.isfinite(scores).all():
            raise InputError(f"{rule.name}: what the function gives is not always a finite number")
        return scores if rule.unit == 1 else scores * rule.unit

    def _scores(self, *rules: TieBreak) -> list[Num[np.ndarray, "events teams"]]:
        """The scores of tie-breaks."""
        events = self.opponents, self.half_points, self.match_points, self.ratings, self.whites
        return [np.asarray(x) for x in _scores(rules, events, self.config.event.boards)]

    def _ties(self) -> pandas.DataFrame:
        event = self.config.event
        event.check_one_table("a frame of ties")
        teams = long_frame(
            {"event": range(len(self.match_points)), "team": range(1, event.teams + 1)},
            {"mp": self.match_points, "oracle": self.oracle},
        )
        by_points = teams.groupby("event").mp
        for name, end in (("place", "min"), ("last_place", "max")):
            teams[name] = by_points.rank(method=end, ascending=False).astype(int)
        group = ["event", "mp", "place", "last_place"]
        pairs = teams.merge(teams.rename(columns={"team": "other", "oracle": "theirs"}), on=group)
        pairs = pairs[pairs.team < pairs.other].sort_values(["event", "place", "team", "other"])
        ahead = pairs.oracle - pairs.theirs
        better = pairs.team.where(ahead > 0, pairs.other).astype("Int64").where(ahead != 0)
        pairs = pairs.assign(ahead=ahead, better=better).reset_index(drop=True)
        return pairs[["event", "team", "other", *group[1:], "ahead", "better"]]

    def _standings(self) -> pandas.DataFrame:
        event = self.config.event
        event.check_one_table("a frame of standings")
        product = product_table(event.rounds, event.boards)
        tb4_rule, _ = find_tiebreak("buchholz-cut1", event.rounds, event.boards)
        tb2, tb4 = self._scores(product.tiebreak, tb4_rule)
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
    event_bytes = _BYTES * config.event.teams * config.event.rounds
    whole_number(
        "events", events, 1, MOST_BYTES // event_bytes, f" of this size ({MOST_BYTES >> 30} GiB)"
    )
    batches = sum_events(
        config.setting,
        Measurement.listed(_whole, sees=()),
        EventRange(seed, Purpose.EXPLORE, events),
        progress=progress,
    )
    whole = jax.tree.map(lambda *parts: np.concatenate(parts), *batches)
    arrays = {field.name: getattr(whole, field.name) for field in dataclasses.fields(Event)}
    strength = arrays.pop("strength")
    return SimulatedEvents(config, seed, oracle=strength / UNIT, **arrays)


@partial(jax.jit, static_argnames="boards")
def _scores(
    rules: Sequence[TieBreak], events: tuple[Any, ...], boards: int
) -> list[Num[Array, "events teams"]]:
    """The scores of tie-breaks in every event.

    **Arguments:** `events`: opponents, half points, match points, ratings and whites by event.
    """

    def of_event(opponents: Any, half_points: Any, own: Any, ratings: Any, whites: Any) -> Any:
        results = Results(opponents, half_points, own, boards, ratings, whites)
        return [rule.scores(results) for rule in rules]

    return jax.vmap(of_event)(*events)


def _whole(key: Key, event: Event, setting: Setting, args: Any) -> Event:
    """All of an event."""
    return event
