"""Tie-breaks evaluated by global criteria on simulated events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Bool, Float, Int

from tb2learn.arrays import dense_rank
from tb2learn.catalogue import find_rule
from tb2learn.chess.results import Results
from tb2learn.config import Config
from tb2learn.jax_types import Key
from tb2learn.simulation import truth
from tb2learn.simulation.event import Event
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange, Progress, sum_events
from tb2learn.stats import long_frame, resamples, with_ends
from tb2learn.studies.tiebreaks.accuracy import CRITERIA, adjusted, places, played, top_scorers
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.combined import DirectEncounter
from tb2learn.tiebreaks.names import find_tiebreak
from tb2learn.types import BYE, pytree

TRUE, RANDOM = "TRUE", "RANDOM"

ALL_CRITERIA = (*CRITERIA, TRUE, RANDOM)
"""Ricca's five criteria, the true order, which only a simulation knows, and a draw of lots."""

POPULATIONS = {"all": "all players", "top33": "players with about two thirds of the points"}

RESAMPLES = 1000
"""Bootstrap samples of events."""

SHORT = {
    "MD": "buchholz-median1",
    "B1": "buchholz-cut1",
    "BH": "buchholz",
    "OR": "aro",
    "OC": "aroc",
    "OP": "apro",
    "PT": "ptpr",
    "PS": "progressive",
    "SB": "sonneborn-berger",
    "KY": "koya",
    "DE": "direct",
    "BB": "blacks",
    "WW": "wins",
}
"""Ricca's abbreviations in combinations."""

DIRECT, LOTS = "DE", "RD"

SINGLE = {
    "APRO": "OP",
    "ARO": "OR",
    "AROC": "OC",
    "PTPR": "PT",
    "MEDIAN": "MD",
    "BHCUT1": "B1",
    "BH": "BH",
    "PROGRES": "PS",
    "SONNBER": "SB",
    "KOYA": "KY",
    "DE": "DE",
    "BLACKS": "BB",
    "WINS": "WW",
    RANDOM: "RD",
    "COMPLETE": "DE_B1_DE_PS_DE",
}
"""Ricca's names of single tie-breaks, and of one combination, by their abbreviations."""

TEAM_RULES = ("game-points", "product", "least-squares", "formula-180x11", "learned-180x11")
"""Further rules that are evaluated in team events."""


# --------------------------------------------------------------------------- one event


def ladder(name: str) -> tuple[str, ...]:
    """The steps of a tie-break by Ricca's name, abbreviated as in `SHORT`; RD draws lots.

    Any other name is one of our rules, which is a single step.
    """
    if name in TEAM_RULES:
        return (name,)
    return tuple(SINGLE.get(name, name).split("_"))


def step_rule(step: str, rounds: int, boards: int) -> TieBreak:
    """The tie-break of a step (except lots) for a format.

    In a team event Sonneborn-Berger is that of match points (EMMSB), as a match counts as one game.
    """
    if step in TEAM_RULES:
        return find_rule(step, rounds, boards).tiebreak()
    name = "emmsb" if step == "SB" and boards > 1 else SHORT[step]
    return find_tiebreak(name, rounds, boards)[0]


@pytree
class Ladders:
    """Tie-breaks as sequences of steps, so that one compiled program serves any number of them.

    **Fields:**

    - `rules`: the steps that depend only on the results.
    - `steps`: numbers of the steps of every tie-break: first those of `rules`, then direct
      encounter, lots, and nothing.
    - `direct`: the direct encounter, which depends on who is still tied.
    """

    rules: tuple[TieBreak, ...]
    steps: Int[Array, "tiebreaks steps"]
    direct: DirectEncounter

    def ranks(self, results: Results, lots: Int[Array, " teams"]) -> Int[Array, "tiebreaks teams"]:
        """Ranks by match points, then by the steps; 0 is the lowest, and ties have equal ranks."""
        values = jnp.stack(
            [*(rule.scores(results) for rule in self.rules), 0 * lots, lots, 0 * lots]
        )

        def climb(steps: Array) -> Array:
            def decide(tied: Array, step: Array) -> tuple[Array, None]:
                value = jax.lax.cond(
                    step == len(self.rules),
                    lambda: self.direct.scores(results, tied),
                    lambda: values[step],
                )
                return dense_rank(tied, value), None

            return jax.lax.scan(decide, dense_rank(results.match_points), steps)[0]

        return jax.lax.map(climb, self.steps)


def ladders(names: Sequence[str], rounds: int, boards: int) -> Ladders:
    """Tie-breaks by Ricca's names or those of our rules, for a format."""
    orders = [ladder(name) for name in names]
    known = [step for step in dict.fromkeys(sum(orders, ())) if step not in (DIRECT, LOTS)]
    numbers = {step: number for number, step in enumerate([*known, DIRECT, LOTS])}
    steps = np.full((len(orders), max(map(len, orders))), len(numbers), np.int32)
    for row, order in zip(steps, orders, strict=True):
        row[: len(order)] = [numbers[step] for step in order]
    rules = tuple(step_rule(step, rounds, boards) for step in known)
    return Ladders(rules, jnp.asarray(steps), DirectEncounter(once=True))


def colours(opponents: Int[Array, "rounds teams"]) -> Bool[Array, "rounds teams"]:
    """Who has White. Simulated events have no colours, but one tie-break counts them.

    The side that had White less often gets it; if both had it equally often, the higher seed in odd
    rounds and the lower seed in even ones. Colours have no effect on results.
    """
    team = jnp.arange(opponents.shape[1])

    def one_round(had: Array, now: tuple[Array, Array]) -> tuple[Array, Array]:
        number, opponent = now
        less = had[opponent] - had
        higher = team < opponent
        white = (opponent != BYE) & ((less > 0) | ((less == 0) & (higher == (number % 2 == 0))))
        return had + white, white

    start = jnp.zeros(len(team), jnp.int32)
    return jax.lax.scan(one_round, start, (jnp.arange(len(opponents)), opponents))[1]


def measure_event(key: Key, event: Event, config: Config, tiebreaks: Ladders) -> dict[str, Array]:
    """The integers of an event that the criteria and the evaluation need.

    **Arguments:**

    - `key`: consumed by the lots.
    - `event`, `config`: the played event.
    - `tiebreaks`: to evaluate.
    """
    boards = config.event.boards
    total = event.rosters.sum(axis=-1)
    ratings = (2 * total + boards) // (2 * boards)
    results = replace(event.results, ratings=ratings, whites=colours(event.opponents))
    lots = jax.vmap(partial(jax.random.permutation, x=len(ratings)))(jax.random.split(key))
    return {
        "opponents": event.opponents,
        "half_points": event.half_points,
        "ratings": ratings,
        "strength": truth.strength_of(event, config.game),
        "lots": lots[0],
        "ranks": tiebreaks.ranks(results, lots[1]),
    }


def event_sums(measured: dict[str, np.ndarray], config: Config) -> dict[str, np.ndarray]:
    """The evaluation of one event in whole numbers.

    **Arguments:**

    - `measured`: the result of `measure_event` as numpy arrays.
    - `config`: of the event.

    **Returns:** sums of squared differences of doubled places: `tiebreaks` `[populations,
    tiebreaks, criteria]` and `criteria` `[criteria, criteria]`; and `players` `[populations]`,
    their numbers.
    """
    opponents, half_points = measured["opponents"], measured["half_points"]
    event = played(opponents, half_points, config.event.boards, measured["ratings"])
    ours = [criterion(event) for criterion in CRITERIA.values()]
    values = np.stack([*ours, measured["strength"], measured["lots"]])
    by_tiebreak, by_criterion = places(measured["ranks"]), adjusted(event.scores, values)
    everybody = np.ones(len(event.scores), bool)
    who = np.stack([everybody, top_scorers(event.scores, config.event.rounds)]).astype(np.int64)
    squares = _doubled_squares(by_tiebreak, by_criterion)
    return {
        "tiebreaks": np.einsum("tcn,pn->ptc", squares, who),
        "criteria": _doubled_squares(places(values), places(values)).sum(axis=-1),
        "players": who.sum(axis=-1),
    }


def _doubled_squares(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Squared differences of doubled places (places may be halves), `[rows, columns, players]`."""
    return np.rint(2 * (rows[:, None] - columns)).astype(np.int64) ** 2


# --------------------------------------------------------------------------- many events


@dataclass(frozen=True)
class Evaluation:
    """Every tie-break by every criterion in events of one kind, as means over events.

    **Fields:**

    - `kind`: Ricca's name of the kind, else the name of the configuration.
    - `config`, `tiebreaks`: what was played and evaluated.
    - `players`: mean number of players in each of `POPULATIONS`.
    - `values`: Ricca's evaluation, in places: first what was measured, then each of `RESAMPLES`
      bootstrap samples.
    - `between`: the same of the criteria against each other, without regard to points.
    """

    kind: str
    config: Config
    tiebreaks: tuple[str, ...]
    players: Float[np.ndarray, " populations"]
    values: Float[np.ndarray, "samples populations tiebreaks criteria"]
    between: Float[np.ndarray, "samples criteria criteria"]

    def frame(self) -> pd.DataFrame:
        """All values with their 95 % intervals.

        **Returns:** `population`, `tie_break`, `criterion`, and `value`, `low`, `high` in places.
        """
        axes = {
            "population": list(POPULATIONS),
            "tie_break": self.tiebreaks,
            "criterion": ALL_CRITERIA,
        }
        return long_frame(axes, with_ends(self.values))

    def between_frame(self) -> pd.DataFrame:
        """The criteria against each other: `criterion`, `other`, `value`, `low`, `high`."""
        axes = {"criterion": ALL_CRITERIA, "other": ALL_CRITERIA}
        return long_frame(axes, with_ends(self.between))

    def differences(self, pairs: pd.DataFrame) -> pd.DataFrame:
        """First tie-breaks less second ones on the same events.

        **Arguments:** `pairs`: has the columns `population`, `criterion`, `first` and `second`.

        **Returns:** the pairs with `value`, the difference in places, and `low`, `high`, the ends
        of its 95 % interval.
        """

        def at(labels: Sequence[str], column: str) -> np.ndarray:
            return pd.Index(labels).get_indexer(pd.Index(pairs[column]))

        where, criteria = at(list(POPULATIONS), "population"), at(ALL_CRITERIA, "criterion")
        one, two = ((where, at(self.tiebreaks, name), criteria) for name in ("first", "second"))
        return pairs.assign(**with_ends(self.values[:, *one] - self.values[:, *two]))


def evaluate(
    kind: str,
    config: Config,
    tiebreaks: Sequence[str],
    events: int,
    seed: int,
    batch: int | None = None,
    label: str | None = None,
) -> Evaluation:
    """Evaluate tie-breaks in events of one kind.

    **Arguments:**

    - `kind`: name of the kind.
    - `config`: the events are those of its assessment stream.
    - `tiebreaks`: Ricca's names, or those of our rules.
    - `events`, `seed`: number and stream of the events; the bootstrap has the same seed.
    - `batch`: events computed at once; has no effect on results.
    - `label`: shows a progress bar with this label.
    """
    event = config.event

    def tally(numbers: np.ndarray, measured: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        criteria = len(ALL_CRITERIA)
        total = {
            "tiebreaks": np.zeros((events, 2, len(tiebreaks), criteria), np.int64),
            "criteria": np.zeros((events, criteria, criteria), np.int64),
            "players": np.zeros((events, 2), np.int64),
        }
        for row, number in enumerate(numbers):
            sums = event_sums({name: part[row] for name, part in measured.items()}, config)
            for name, part in sums.items():
                total[name][number] = part
        return total

    sums = sum_events(
        config,
        measure_event,
        EventRange(seed, Purpose.ASSESS, events),
        ladders(tiebreaks, event.rounds, event.boards),
        tally,
        truth=True,
        batch=batch,
        progress=Progress(label),
    )
    return summarise(kind, config, tiebreaks, sums, seed)


def summarise(
    kind: str,
    config: Config,
    tiebreaks: Sequence[str],
    sums: Mapping[str, np.ndarray],
    seed: int,
) -> Evaluation:
    """Means over events of the values that follow from `event_sums`.

    **Arguments:**

    - `kind`, `config`, `tiebreaks`: as for `evaluate`.
    - `sums`: results of `event_sums`, stacked along a first axis of events.
    - `seed`: of the bootstrap.
    """
    players = sums["players"]
    values = np.sqrt(sums["tiebreaks"] / (4 * players[:, :, None, None]))
    between = np.sqrt(sums["criteria"] / (4 * config.event.teams))
    weights = resamples(len(players), seed, RESAMPLES) / len(players)

    def means(found: np.ndarray) -> np.ndarray:
        return np.concatenate([found.mean(axis=0)[None], np.tensordot(weights, found, axes=1)])

    return Evaluation(
        kind, config, tuple(tiebreaks), players.mean(axis=0), means(values), means(between)
    )
