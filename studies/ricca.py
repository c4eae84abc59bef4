"""What both of R. Ricca's studies share: evaluations by global criteria, and his order beside ours.

A *column* has the values of all methods for one kind of events, population, criterion and sum over
opponents. A sum under a policy for unplayed rounds is named `policy sum`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from operator import add
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Bool, Float, Int
from scipy import stats

from studies.absences import Absences, measured_events
from studies.claims import FAILS, HOLDS, UNDECIDED, VERDICTS, combined, verdicts
from studies.frames import where
from studies.global_criteria import CRITERIA, Played, adjusted, places, top_scorers
from tb2learn.chess.results import match_points
from tb2learn.chess.round_kinds import Kind
from tb2learn.config import Config
from tb2learn.jax_types import Key
from tb2learn.simulation.event import Event
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import Progress, sum_events
from tb2learn.stats import long_frame, resamples, with_ends
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.types import BYE, PerRound

TRUE, RANDOM = "TRUE", "RANDOM"

ALL_CRITERIA = (*CRITERIA, TRUE, RANDOM)  # known to simulations; a draw of lots

POPULATIONS = {"all": "all players", "top33": "players with about two thirds of the points"}

RESAMPLES = 1000  # bootstrap samples of events
DIGITS = 5  # decimals of values in the CSV files
Measured = dict[str, np.ndarray]  # one event: what `measure_event` returns


def colours(opponents: Int[Array, "rounds teams"]) -> Bool[Array, "rounds teams"]:
    """Who has White: who had it less often, else the higher seed in odd rounds.

    Simulated events have no colours, but one tie-break counts them.
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


def measure_event(
    key: Key,
    event: Event,
    config: Config,
    rules: Mapping[str, TieBreak],
    kinds: PerRound | None = None,
) -> dict[str, Array]:
    """What criteria and tie-breaks need of an event: lots for one of each, scores by rule."""
    boards = config.event.boards
    ratings = (2 * event.rosters.sum(axis=-1) + boards) // (2 * boards)
    results = replace(event.results, ratings=ratings, whites=colours(event.opponents))
    if kinds is not None:
        met = jnp.where(kinds == Kind.PLAYED, event.opponents, BYE)
        results = replace(results, opponents=met)
    lots = jax.vmap(partial(jax.random.permutation, x=len(ratings)))(jax.random.split(key))
    assert event.strength is not None
    return {
        "opponents": results.opponents,
        "drawn": event.opponents,
        "half_points": event.half_points,
        "kinds": jnp.zeros_like(event.opponents) if kinds is None else kinds,
        "rosters": event.rosters,
        "ratings": ratings,
        "strength": event.strength,
        "lots": lots,
        **{name: rule.scores(results) for name, rule in rules.items()},
    }


def event_sums(
    measured: Measured, config: Config, ranked: Callable[[Measured], np.ndarray]
) -> Measured:
    """The evaluation of one event; `ranked` returns `[tiebreaks, players]`.

    **Returns:** sums of squared differences of doubled places (places may be halves): `tiebreaks`
    `[populations, tiebreaks, criteria]` and `criteria` `[criteria, criteria]`; numbers of `players`
    by population, and of rounds by `Kind`.
    """
    results = np.asarray(match_points(measured["half_points"], config.event.boards))
    event = Played(measured["opponents"], results, measured["ratings"])
    ours = [criterion(event) for criterion in CRITERIA.values()]
    values = np.stack([*ours, measured["strength"], measured["lots"][0]])
    everybody = np.ones(len(event.scores), bool)
    who = np.stack([everybody, top_scorers(event.scores, config.event.rounds)]).astype(np.int64)

    def squares(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        return np.rint(2 * (rows[:, None] - columns)).astype(np.int64) ** 2

    by_tiebreak = squares(places(ranked(measured)), adjusted(event.scores, values))
    return {
        "tiebreaks": np.einsum("tcn,pn->ptc", by_tiebreak, who),
        "criteria": squares(places(values), places(values)).sum(axis=-1),
        "players": who.sum(axis=-1),
        "kinds": np.bincount(measured["kinds"].ravel(), minlength=len(Kind)),
    }


@dataclass(frozen=True)
class Evaluation:
    """Every tie-break by every criterion in events of one kind, as means over events, in places."""

    config: Config
    tiebreaks: Sequence[str]
    ricca: str  # his name of the kind, empty if he has none
    absences: Absences | None
    values: Float[np.ndarray, "samples populations tiebreaks criteria"]  # the first was measured
    between: Float[np.ndarray, "samples criteria criteria"]  # without regard to points
    shares: Float[np.ndarray, " kinds"]  # of all rounds of all players

    @cached_property
    def frame(self) -> pd.DataFrame:
        """`population`, `tie_break`, `criterion`; `value` in places, `low`, `high`."""
        axes = {"population": [*POPULATIONS], "tie_break": self.tiebreaks}
        return long_frame({**axes, "criterion": ALL_CRITERIA}, with_ends(self.values))

    def compare(self, pairs: pd.DataFrame) -> pd.DataFrame:
        """The `pairs` with `verdict`: whether `first` is better than `second` on these events."""

        def at(labels: Sequence[str], column: str) -> np.ndarray:
            return pd.Index(labels).get_indexer(pd.Index(pairs[column]))

        populations, criteria = at([*POPULATIONS], "population"), at(ALL_CRITERIA, "criterion")
        first, second = (self.values[:, populations, at(self.tiebreaks, name), criteria]
                         for name in ("first", "second"))  # fmt: skip
        ends = with_ends(second - first)
        return pairs.assign(verdict=verdicts(ends["low"], ends["high"]))


def evaluate(
    config: Config,
    tiebreaks: Sequence[str],
    events: int,
    seed: int,
    ranked: Callable[[Measured], np.ndarray],
    rules: Mapping[str, TieBreak],
    ricca: str = "",
    absences: Absences | None = None,
) -> Evaluation:
    """Evaluate tie-breaks in events of one kind; see `event_sums` and `measure_event`."""

    def each(numbers: np.ndarray, measured: Measured) -> list[Measured]:
        parts = [
            {name: part[row] for name, part in measured.items()} for row in range(len(numbers))
        ]
        return [event_sums(part, config, ranked) for part in parts]

    range_ = EventRange(seed, Purpose.ASSESS, events)
    if absences is None:
        how = {"merge": add, "truth": True, "progress": Progress(config.name)}
        summed = sum_events(config, measure_event, range_, rules, each, **how)
    else:
        measure = lambda key, event, kinds: measure_event(key, event, config, rules, kinds)  # noqa: E731
        batches = measured_events(config, absences, range_, measure)
        summed = [one for batch in batches for one in each(batch["lots"], batch)]
    sums = {name: np.stack([event[name] for event in summed]) for name in summed[0]}
    weights = resamples(events, seed, RESAMPLES) / events

    def means(squares: np.ndarray, players: Any) -> np.ndarray:
        values = np.sqrt(squares / (4 * players))
        return np.concatenate([values.mean(axis=0)[None], np.tensordot(weights, values, axes=1)])

    values = means(sums["tiebreaks"], sums["players"][:, :, None, None])
    between = means(sums["criteria"], config.event.teams)
    kinds = sums["kinds"].sum(axis=0)
    shares = kinds / kinds.sum()
    return Evaluation(config, tiebreaks, ricca, absences, values, between, shares)


COUNTS = [f"{by} {verdict}" for by in ("ours", "true") for verdict in VERDICTS]  # of columns

_COLUMN = ["population", "criterion", "sum"]


def claim(
    text: str,
    pairs: Iterable[tuple[str, str]],
    kinds: Iterable[str],
    populations: Iterable[str] = POPULATIONS,
    criteria: Iterable[str] = CRITERIA,
    sums: Iterable[str] = ("",),
) -> pd.DataFrame:
    """What he claims of an order, a row a comparison: the `first` tie-break is better.

    `kind` is empty for events of ours that he does not have.
    """
    rows = [
        (*key, *(f"{method} {key[-1]}".strip() for method in pair))
        for *key, pair in product([text], kinds, populations, criteria, sums, pairs)
    ]
    return pd.DataFrame(rows, columns=pd.Index(["text", "kind", *_COLUMN, "first", "second"]))


def _by_column(compared: pd.DataFrame) -> pd.DataFrame:
    """A claim has in a column the verdict of all comparisons that it makes there, `combined`."""
    columns = compared.groupby(["text", "kind", *_COLUMN], sort=False)["verdict"]
    return columns.agg(combined).reset_index()


def counted(claims: pd.DataFrame, judged: Iterable[Evaluation]) -> pd.DataFrame:
    """In how many of our columns the intervals show a claim: `text`, `kind`, `COUNTS`."""
    parts = []
    for kind in judged:
        own = where(claims, kind=kind.ricca)
        by_true = own.assign(criterion=TRUE).drop_duplicates()
        for by, pairs in (("ours", own), ("true", by_true)):
            columns = _by_column(kind.compare(pairs)).assign(kind=kind.config.name)
            parts.append(columns.assign(count=f"{by} " + columns["verdict"]))
    columns = pd.concat(parts)
    ones = pd.get_dummies(columns["count"], dtype=int).reindex(columns=COUNTS, fill_value=0)
    return ones.groupby([columns["text"], columns["kind"]], sort=False).sum().reset_index()


def _said(claims: pd.DataFrame, his: pd.DataFrame) -> pd.DataFrame:
    """How many `columns` of his own a claim is about, and how many of them agree (`said`)."""
    better = his.rename(columns={"tie_break": "first", "ricca": "better"})
    worse = his.rename(columns={"tie_break": "second", "ricca": "worse"})
    pairs = claims.merge(better).merge(worse)
    less = (pairs["worse"] - pairs["better"]).to_numpy()
    columns = _by_column(pairs.assign(verdict=verdicts(less, less)))
    agrees = columns.assign(agrees=columns["verdict"] == HOLDS).groupby("text", sort=False)
    return agrees["agrees"].agg(columns="size", said="sum").reset_index()


def agreement(judged: Evaluation, his: pd.DataFrame) -> pd.DataFrame:
    """His order of the methods and ours, column by column.

    `same`, `open`, `opposite` are numbers of pairs of methods for which the interval of our
    difference confirms his order, includes zero, and shows the opposite order; `reversed` are the
    opposite ones; `level` is the geometric mean of our values divided by his.
    """
    parts = his["tie_break"].str.partition(" ")
    his = his.assign(method=parts[0], sum=parts[2]).sort_values("population", kind="stable")
    both = his.merge(judged.frame, on=["population", "criterion", "tie_break"])
    rows = []
    for key, column in both.groupby(_COLUMN, sort=False):
        theirs, ours = column["ricca"], column["value"]
        column = column.rename(columns={"tie_break": "first"})
        pairs = column.merge(column.rename(columns={"first": "second"}), on=_COLUMN)
        pairs = judged.compare(pairs.query("ricca_x < ricca_y"))
        counts, opposite = pairs["verdict"].value_counts(), where(pairs, verdict=FAILS)
        # Leaves out values that are 0 by definition: Buchholz under the criterion BRUNO.
        known = theirs > 0
        with np.errstate(divide="ignore"):  # few events may leave a value of ours at 0
            level = np.exp(np.log(ours[known] / theirs[known]).mean())
        row = {
            **{"kind": judged.config.name, **dict(zip(_COLUMN, key, strict=True))},
            "tau": stats.kendalltau(theirs, ours)[0],
            **{"same": counts.get(HOLDS, 0), "open": counts.get(UNDECIDED, 0)},
            **{"opposite": counts.get(FAILS, 0), "level": level},
            "reversed": ", ".join(opposite["method_x"] + " < " + opposite["method_y"]),
        }
        rows.append(row)
    return pd.DataFrame(rows)


def tables(
    judged: Sequence[Evaluation], claims: pd.DataFrame, his: pd.DataFrame, methods: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """Values by kind with his beside ours, agreement on some of his values, claims."""
    values = []
    for kind in judged:
        own = where(his, kind=kind.ricca).drop(columns="kind")
        values.append(kind.frame.merge(own, "left"))
        values[-1].insert(0, "kind", kind.config.name)
    agreements = [agreement(k, where(methods, kind=k.ricca)) for k in judged if k.ricca]
    frames = {"values": pd.concat(values, ignore_index=True), "agreement": pd.concat(agreements)}
    return {**frames, "claims": counted(claims, judged)}


def summary(
    frames: Mapping[str, pd.DataFrame], claims: pd.DataFrame, his: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """What `ricca.md` shows: agreements by kind and population, claims with all their columns."""
    agreements = frames["agreement"].replace({"population": POPULATIONS})
    extremes = {f"{name}_{end}": (name, end) for name in ("tau", "level") for end in ("min", "max")}
    pairs = {name: (name, "sum") for name in ("same", "open", "opposite")}
    kinds = agreements.groupby(["kind", "population"], sort=False, as_index=False)
    counts = frames["claims"].drop(columns="kind").groupby("text", sort=False).sum()
    counts["verdict"] = [
        combined(name.split(" ", 1)[1] for name in COUNTS if row[name])
        for _, row in counts.iterrows()
    ]
    return {
        "agreement": frames["agreement"],
        "agreements": kinds.agg(**pairs, **extremes),
        "claims": _said(claims, his).merge(counts.reset_index()),
    }
