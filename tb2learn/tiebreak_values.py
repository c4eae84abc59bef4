"""Ricca's evaluation in many simulated events, and the figures that he prints.

Events are played by `simulate.py`, criteria and evaluation are those of `global_criteria.py`,
tie-breaks those of `tiebreaks/library.py`. What is kept of an event are whole numbers, so nothing
depends on more than the configuration, the seed and the number of events. His figures
(`data/ricca/`) are read here; nothing is fitted to them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from tb2learn import oracle
from tb2learn.bootstrap import interval, resamples
from tb2learn.config import Config
from tb2learn.data import load_table, read_rows
from tb2learn.global_criteria import (
    CRITERIA,
    adjusted,
    evaluation,
    places,
    played,
    random_criterion,
    top_scorers,
)
from tb2learn.olympiad import Event
from tb2learn.rng import Purpose
from tb2learn.rules import find_rule
from tb2learn.simulate import EventRange, Progress, sum_events
from tb2learn.standings import Results
from tb2learn.tiebreaks import TieBreak
from tb2learn.tiebreaks.combined import DirectEncounter, dense_rank
from tb2learn.tiebreaks.library import find_tiebreak
from tb2learn.types import BYE, Key, pytree

TRUE, RANDOM = "TRUE", "RANDOM"

ALL_CRITERIA = (*CRITERIA, TRUE, RANDOM)
"""Ricca's five, the true order, which only a simulation knows, and a draw of lots."""

POPULATIONS = {"all": "all players", "top33": "players with about two thirds of the points"}

RESAMPLES = 1000
"""Bootstrap samples of events."""

_SAMPLE_ROUNDS = 9

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
"""What else is judged in team events."""


# --------------------------------------------------------------------------- one event


def ladder(name: str) -> tuple[str, ...]:
    """The steps of a tie-break under Ricca's name, as `SHORT` abbreviates them; RD draws lots.

    A name that is not his is a rule of ours, and its own only step.
    """
    if name in TEAM_RULES:
        return (name,)
    return tuple(SINGLE.get(name, name).split("_"))


def step_rule(step: str, rounds: int, boards: int) -> TieBreak:
    """The tie-break of a step, other than lots, for a format.

    In a team event Sonneborn-Berger is that of match points (EMMSB): a match is one game.
    """
    if step in TEAM_RULES:
        return find_rule(step, rounds, boards).tiebreak()
    name = "emmsb" if step == "SB" and boards > 1 else SHORT[step]
    return find_tiebreak(name, rounds, boards)[0]


@pytree
class Ladders:
    """Tie-breaks as orders of steps, so that one program serves any number of them.

    **Fields:**

    - `rules`: the steps that depend on the results alone.
    - `steps`: numbers of the steps of every tie-break: of `rules`, then direct encounter, lots, and
      nothing.
    - `direct`: the direct encounter, which depends on who is still tied.
    """

    rules: tuple[TieBreak, ...]
    steps: Int[Array, "tiebreaks steps"]
    direct: DirectEncounter

    def ranks(self, results: Results, lots: Int[Array, " teams"]) -> Int[Array, "tiebreaks teams"]:
        """Everybody's rank from below by match points and then by the steps; ties are equal."""
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
    return Ladders(rules, jnp.asarray(steps), DirectEncounter(boards))


def ricca_names() -> tuple[str, ...]:
    """The tie-breaks of his summary tables: single ones first, then combinations."""
    tables = (load_table("ricca", f"{name}.csv") for name in _SUMMARIES)
    return tuple(dict.fromkeys(name for table in tables for name in table.tie_break))


def colours(opponents: Int[Array, "rounds teams"]) -> Bool[Array, "rounds teams"]:
    """Who has White: our events have no colours, but a tie-break counts them.

    Whoever had White less often has it; of two who had it equally often the higher seed in odd
    rounds, the lower in even ones. It changes no result.
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

    - `key`: consumed: draws lots.
    - `event`, `config`: the played event.
    - `tiebreaks`: what is evaluated.
    """
    boards = config.event.boards
    total = event.rosters.sum(axis=-1)
    ratings = (2 * total + boards) // (2 * boards)
    results = Results(
        event.opponents, event.half_points, event.match_points, ratings, colours(event.opponents)
    )
    lots = jax.vmap(partial(random_criterion, players=len(ratings)))(jax.random.split(key))
    return {
        "opponents": event.opponents,
        "half_points": event.half_points,
        "ratings": ratings,
        "strength": oracle.true_strength(event.rosters, config.game),
        "lots": lots[0],
        "ranks": tiebreaks.ranks(results, lots[1]),
    }


def event_sums(measured: dict[str, np.ndarray], config: Config) -> dict[str, np.ndarray]:
    """One event's evaluation in whole numbers: sums of squared differences of twice the places.

    **Arguments:**

    - `measured`: what `measure_event` found, as numpy arrays.
    - `config`: the event's.

    **Returns:** `tiebreaks` `[populations, tiebreaks, criteria]`, `criteria` `[criteria, criteria]`
    and `players` `[populations]`: how many there are.
    """
    event = played(
        measured["opponents"],
        measured["half_points"],
        config.event.boards,
        measured["ratings"],
    )
    values = np.stack(
        [
            *(criterion(event) for criterion in CRITERIA.values()),
            measured["strength"],
            measured["lots"],
        ]
    )
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
    """Squares of twice the differences of places, which have halves: one a row, column, player."""
    return np.rint(2 * (rows[:, None] - columns)).astype(np.int64) ** 2


# --------------------------------------------------------------------------- many events


@dataclass(frozen=True)
class Evaluation:
    """Every tie-break by every criterion in events of one kind: means over events.

    **Fields:**

    - `kind`: Ricca's name of the kind, or our configuration's.
    - `config`, `tiebreaks`: what was played and evaluated.
    - `players`: mean number of players in each of `POPULATIONS`.
    - `values`: `[populations, tiebreaks, criteria]` Ricca's evaluation, places.
    - `resampled`: the same in each of `RESAMPLES` bootstrap samples, along the first axis.
    - `between`, `between_ci`: `[criteria, criteria]` the criteria among themselves, not adjusted,
      and their 95 % intervals `[2, criteria, criteria]`.
    """

    kind: str
    config: Config
    tiebreaks: tuple[str, ...]
    players: Float[np.ndarray, " populations"]
    values: Float[np.ndarray, "populations tiebreaks criteria"]
    resampled: Float[np.ndarray, "samples populations tiebreaks criteria"]
    between: Float[np.ndarray, "criteria criteria"]
    between_ci: Float[np.ndarray, "2 criteria criteria"]

    def at(self, population: str, tiebreak: str, criterion: str) -> tuple[int, int, int]:
        """The indices of a value."""
        return (
            list(POPULATIONS).index(population),
            self.tiebreaks.index(tiebreak),
            ALL_CRITERIA.index(criterion),
        )

    def value(self, population: str, tiebreak: str, criterion: str) -> float:
        """One value."""
        return float(self.values[self.at(population, tiebreak, criterion)])

    def ci(self, population: str, tiebreak: str, criterion: str) -> tuple[float, float]:
        """Its 95 % interval."""
        at = self.at(population, tiebreak, criterion)
        low, high = interval(self.resampled[(slice(None), *at)])
        return float(low), float(high)

    def difference(
        self, population: str, first: str, second: str, criterion: str
    ) -> tuple[float, float, float]:
        """First tie-break less second on the same events, and its 95 % interval."""
        one, two = (self.at(population, name, criterion) for name in (first, second))
        low, high = interval(
            self.resampled[(slice(None), *one)] - self.resampled[(slice(None), *two)]
        )
        return float(self.values[one] - self.values[two]), float(low), float(high)


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

    - `kind`: what the kind is called.
    - `config`: what to play; the events are those of its assessment stream.
    - `tiebreaks`: Ricca's names, or those of our rules.
    - `events`, `seed`: how many events, of which stream; the seed is also that of the bootstrap.
    - `batch`: events side by side; changes the speed, never a result.
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
    """Values from the squares of `event_sums`, event by event.

    Every event has a value of its own; Ricca's figure is their mean.

    **Arguments:**

    - `sums`: what `event_sums` gives, stacked along a first axis of events.
    - `seed`: of the bootstrap.
    """
    players = sums["players"]
    values = np.sqrt(sums["tiebreaks"] / (4 * players[:, :, None, None]))
    between = np.sqrt(sums["criteria"] / (4 * config.event.teams))
    weights = resamples(len(players), seed, RESAMPLES) / len(players)
    return Evaluation(
        kind=kind,
        config=config,
        tiebreaks=tuple(tiebreaks),
        players=players.mean(axis=0),
        values=values.mean(axis=0),
        resampled=np.tensordot(weights, values, axes=1),
        between=between.mean(axis=0),
        between_ci=interval(np.tensordot(weights, between, axes=1)),
    )


# --------------------------------------------------------------------------- his figures


def ricca_values() -> dict[tuple[str, str, str, str], float]:
    """His summary tables: by kind, population, tie-break and criterion."""
    return {
        key: float(value)
        for name in _SUMMARIES
        for key, value in _by_criterion(name, ["kind", "population", "tie_break"])
    }


def ricca_between() -> dict[tuple[str, str, str], float]:
    """His criteria among themselves: by kind and two criteria."""
    return {key: float(value) for key, value in _by_criterion("criteria", ["kind", "criterion"])}


_SUMMARIES = ("tiebreaks", "combinations")


def _by_criterion(name: str, keys: list[str]) -> Iterable[tuple[Any, float]]:
    """The figures of one of his tables by its keys and the criterion of the column."""
    table = load_table("ricca", f"{name}.csv").set_index(keys)
    return table[list(CRITERIA)].stack().dropna().items()


@dataclass(frozen=True)
class SampleCell:
    """One figure that he prints for his sample event.

    **Fields:**

    - `population`, `row`, `criterion`: where it stands; rows are tie-breaks, or criteria in the
      table of the criteria among themselves, whose population is empty.
    - `players`: of how many players.
    - `printed`: his figure.
    - `ours`: recomputed from what he prints of the players; None where that takes the games.
    - `possible`: whether any places of as many players have this root mean square difference to
      four decimals.
    """

    population: str
    row: str
    criterion: str
    players: int
    printed: str
    ours: str | None
    possible: bool


def sample_event() -> tuple[SampleCell, ...]:
    """His sample event: what can be recomputed of it, beside what he prints.

    He prints every player's points and criteria, but no games. Criteria can be held against each
    other; of the tie-breaks only Buchholz follows, from the criterion BRUNO and the points.
    """
    table = load_table("ricca", "sample_players.csv")
    scores = table.score.to_numpy(float)
    criteria = {name: table[name.lower()].to_numpy(float) for name in CRITERIA}
    buchholz = criteria["BRUNO"] / (100 * scores)
    # The strengths of ZERMELO are printed with too few digits to tell all players apart.
    criteria["ZERMELO"] = -table.zermelo_position.to_numpy(float)
    who = {
        "": np.ones(len(table), bool),
        "all": np.ones(len(table), bool),
        "top33": top_scorers(np.rint(2 * scores).astype(int), _SAMPLE_ROUNDS),
    }

    def cell(population: str, row: str, criterion: str, printed: str) -> SampleCell:
        ours = None
        if row in CRITERIA:
            ours = evaluation(places(criteria[row]), places(criteria[criterion]))
        elif row == "BH":
            by_tiebreak, by_criterion = (
                adjusted(scores, values) for values in (buchholz, criteria[criterion])
            )
            ours = evaluation(by_tiebreak, by_criterion, who[population])
        players = int(who[population].sum())
        return SampleCell(
            population=population,
            row=row,
            criterion=criterion,
            players=players,
            printed=printed,
            ours=None if ours is None else f"{ours:.4f}",
            possible=is_possible(printed, players),
        )

    between = [("", row["criterion"], row) for row in read_rows("ricca", "sample_criteria.csv")]
    tiebreaks = [
        (row["population"], row["tie_break"], row)
        for row in read_rows("ricca", "sample_tiebreaks.csv")
    ]
    return tuple(
        cell(population, name, criterion, row[criterion])
        for population, name, row in (*between, *tiebreaks)
        for criterion in CRITERIA
        if row[criterion]
    )


def is_possible(printed: str, players: int) -> bool:
    """Whether some sum of squares of halves gives the printed root mean square difference."""
    near = round(4 * players * float(printed) ** 2)
    reach = 1 + math.ceil(4 * players * float(printed) * 1e-4)
    return any(
        f"{math.sqrt(total / (4 * players)):.4f}" == printed
        for total in range(max(0, near - reach), near + reach + 1)
    )
