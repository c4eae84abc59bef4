"""Which tie-break agrees best with global criteria? R. Ricca's study in our events.

Source: R. Ricca, *Looking for the best tie-break*, FIDE Technical Commission, 2016. His criteria
order all players of an event by their results; in a team event a match counts as one game that is
won, drawn or lost by match points. What his study of unplayed rounds needs, too, is the evaluation
by criteria, and his order beside ours.

A *column* has the values of all methods for one kind of events, population, criterion and sum over
opponents. A sum under a policy for unplayed rounds is named `policy sum`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from operator import add
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Bool, Float, Int, Num
from scipy import special, stats

from studies.absences import Absences, measured_events
from studies.claims import FAILS, HOLDS, UNDECIDED, VERDICTS, combined, verdicts
from studies.frames import load_table, where
from studies.script import events_option, report, script, written
from studies.template import wide
from studies.worlds import load_config, seeded
from tb2learn.arrays import dense_rank
from tb2learn.catalogue import find_rule
from tb2learn.chess.rating_tables import PERCENT, expected_scores, rating_differences
from tb2learn.chess.results import Results, match_points
from tb2learn.chess.round_kinds import RoundKind
from tb2learn.config import Config, Setting
from tb2learn.jax_types import Key
from tb2learn.simulation.event import Event
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import Progress, sum_events
from tb2learn.stats import long_frame, resamples, with_ends
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.combined import DirectEncounter
from tb2learn.tiebreaks.names import find_tiebreak
from tb2learn.types import BYE, PerRound

# --------------------------------------------------------------------------- criteria

START = 2000  # the rating that every player starts with
STEP = 50  # rating points that `abselo` adds per point above expectation
_RIDGE = 1e-6


@dataclass(frozen=True)
class Played:
    """One played event, with a match as one game."""

    opponents: Int[np.ndarray, "rounds players"]  # `BYE` where no match was played
    results: Int[np.ndarray, "rounds players"]  # 2 for a win, 1 for a draw; what a bye paid
    ratings: Num[np.ndarray, " players"]  # before the event

    @property
    def scores(self) -> Int[np.ndarray, " players"]:
        """Twice the points of the standings, including byes."""
        return self.results.sum(axis=0)

    @property
    def met(self) -> Bool[np.ndarray, "rounds players"]:
        """Where a match was played."""
        return self.opponents != BYE

    def wins(self) -> Float[np.ndarray, "players players"]:
        """Points of the first player against the second; a draw is half a win for both."""
        count = len(self.ratings)
        points = np.zeros((count, count))
        rounds, players = np.nonzero(self.met)
        opponents = self.opponents[rounds, players]
        np.add.at(points, (players, opponents), self.results[rounds, players] / 2)
        return points


def expected_hundredths(difference: Num[np.ndarray, "*games"]) -> Int[np.ndarray, "*games"]:
    """FIDE's expected score, in hundredths, of the side rated `difference` points higher.

    **Arguments:** `difference`: whole points of any size and sign.
    """
    table = expected_scores()
    ahead = np.minimum(np.abs(difference), len(table) - 1).astype(np.int64)
    # The table has the higher rated side only.
    return np.where(difference < 0, PERCENT - table[ahead], table[ahead])


def performance_difference(
    results: Int[np.ndarray, " players"], games: Int[np.ndarray, " players"]
) -> Int[np.ndarray, " players"]:
    """FIDE's d(p) of scores: performance rating minus mean rating of the opponents.

    **Arguments:**

    - `results`: twice the points scored.
    - `games`: number of games, at least 1.

    **Returns:** -800..800 rating points. The share of the points is rounded to hundredths, halves
    up.
    """
    # In whole numbers, so that an exact half is seen as one.
    return rating_differences()[(PERCENT * results + games) // (2 * games)]


def abstpr(event: Played) -> Float[np.ndarray, " players"]:
    """ABSTPR: repeated performance ratings, each step using the ratings of the step before.

    A performance rating is the mean rating of the opponents, rounded, plus FIDE's d(p). The
    iteration ends one step before the sum of the squared changes grows.
    """
    games = event.met.sum(axis=0)
    at_least_one = np.maximum(games, 1)
    scored = np.where(event.met, event.results, 0).sum(axis=0)
    above = performance_difference(np.where(games, scored, 1), at_least_one)

    def step(ratings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        met = np.where(event.met, ratings[event.opponents], 0).sum(axis=0)
        new = np.where(games, np.rint(met / at_least_one) + above, ratings)
        return new, new - ratings

    return _until_it_grows(step, len(games))


def abselo(event: Played) -> Float[np.ndarray, " players"]:
    """ABSELO: each step adds `STEP` rating points per point above what FIDE's table expects.

    The iteration ends when the sum of the squared differences grows.
    """

    def step(ratings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        expected = expected_hundredths(ratings - ratings[event.opponents])
        above = np.where(event.met, PERCENT // 2 * event.results - expected, 0).sum(axis=0)
        return ratings + np.rint(STEP * above / PERCENT), above

    return _until_it_grows(step, len(event.ratings))


def _until_it_grows(
    step: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]], players: int
) -> Float[np.ndarray, " players"]:
    """Iterate until the sum of the squared errors grows, and return the ratings at which it did.

    Ratings are whole points: it also ends at a fixed point or a cycle, up to a common constant.
    """
    ratings, before = np.full(players, float(START)), np.inf
    seen = {(ratings - START).tobytes()}
    while True:
        new, error = step(ratings)
        size, shape = (error**2).sum(), (new - new[0]).tobytes()
        if size > before or shape in seen:
            return ratings
        ratings, before = new, size
        seen.add(shape)


def zermelo(event: Played) -> Float[np.ndarray, " players"]:
    """ZERMELO: maximum-likelihood strengths, where X beats Y with the chance `X / (X + Y)`.

    In logarithms, in whole millionths. If a group of players lost no point to the rest there is no
    maximum: the Normal prior of variance `1/_RIDGE` is too wide to have an effect otherwise.
    """
    wins = event.wins()
    games = wins + wins.T
    strengths = np.zeros(len(wins))
    for _ in range(200):  # Newton's steps, short ones where the likelihood is flat
        won = special.expit(strengths[:, None] - strengths)
        slope = (games * won).sum(axis=1) - wins.sum(axis=1) + _RIDGE * strengths
        spread = games * won * (1.0 - won)
        step = np.linalg.solve(np.diag(spread.sum(axis=1) + _RIDGE) - spread, slope)
        strengths = strengths - np.clip(step, -3.0, 3.0)
        if np.abs(step).max() < 1e-9:  # the next one would be far below the last digit
            break
    return np.round(strengths - strengths.mean(), 6)


def mispts(event: Played) -> Float[np.ndarray, " players"]:
    """MISPTS: points in a round robin whose missing results are inferred from the played games.

    A path from X to Y is a chain of players each of whom beat or drew with the next. It is a win
    for X if it contains a win, else a draw. The shortest path counts; among several, the one whose
    last intermediate player (then the last but one, ...) has the highest rating, or else the lower
    number. Of paths in both directions the shorter one counts; of equally long ones a single win,
    otherwise it is a draw, as without a path. A win is 2, a draw 1.
    """
    count, everyone = len(event.ratings), np.arange(len(event.ratings))
    # Who beat or drew with a player, sorted by rating, the highest first.
    rank = np.argsort(np.lexsort((everyone, -event.ratings)))
    before = np.where(event.met & (event.results < 2), event.opponents, BYE)
    turn = np.lexsort((event.results, np.where(before == BYE, count, rank[before])), axis=0)
    before = np.take_along_axis(before, turn, axis=0)
    beaten = np.take_along_axis(event.results, turn, axis=0) == 0

    # Of the path that counts from the first player to the second: its length, `count` without a
    # path, which is longer than any; and whether it is a win.
    length, won = np.full((count, count), count), np.zeros((count, count), bool)
    length[everyone, everyone] = 0
    for steps in range(1, count):
        # [first player, round, second player]: whether the last but one player is at this distance.
        reached = (length[:, before] == steps - 1) & (before != BYE)
        choice = reached.argmax(axis=1)
        new = reached.any(axis=1) & (length == count)
        if not new.any():
            break
        last = before[choice, everyone]
        through = won[everyone[:, None], last] | beaten[choice, everyone]
        length, won = np.where(new, steps, length), np.where(new, through, won)
    ahead = (won & (length <= length.T)).astype(float)
    results = 1.0 + ahead - ahead.T
    return results.sum(axis=1) - 1.0  # without the draw of each player with himself


def bruno(event: Played) -> Float[np.ndarray, " players"]:
    """BRUNO: the sum of the opponents' points times the own points, as B. Buchholz defined it."""
    scores = event.scores
    return np.where(event.met, scores[event.opponents], 0).sum(axis=0) * scores / 4


CRITERIA: dict[str, Callable[[Played], Float[np.ndarray, " players"]]] = {
    "ABSTPR": abstpr,
    "ABSELO": abselo,
    "ZERMELO": zermelo,
    "MISPTS": mispts,
    "BRUNO": bruno,
}


def places(values: Num[np.ndarray, "*batch players"]) -> Float[np.ndarray, "*batch players"]:
    """Places by value, the highest first; equal values share the mean of their places."""
    return stats.rankdata(-values, axis=-1)


def adjusted(
    scores: Num[np.ndarray, " players"], values: Num[np.ndarray, "*batch players"]
) -> Float[np.ndarray, "*batch players"]:
    """Places by points, then by value; equal players share the mean of their places."""
    count = len(scores)
    return places((count + 1) * stats.rankdata(scores, "dense") - places(values))


def top_scorers(scores: Int[np.ndarray, " players"], rounds: int) -> Bool[np.ndarray, " players"]:
    """Players with at least 2/3 of the possible points minus half a point, and always the best.

    It agrees with Ricca's sample event, 5.5 of 9. `scores`: twice the points.
    """
    return (3 * scores >= 4 * rounds - 3) | (scores == scores.max())


# --------------------------------------------------------------------------- evaluation

TRUE, RANDOM = "TRUE", "RANDOM"

ALL_CRITERIA = (*CRITERIA, TRUE, RANDOM)  # known to simulations; a draw of lots

POPULATIONS = {"all": "all players", "top33": "players with about two thirds of the points"}

RESAMPLES = 1000  # bootstrap samples of events
DIGITS = 5  # decimals of values in the CSV files
Measured = dict[str, np.ndarray]  # one event: what `measure_event` returns


def colours(opponents: Int[Array, "rounds teams"]) -> Bool[Array, "rounds teams"]:
    """Who has White: who had it less often, else the higher seed in odd rounds.

    Simulated events of teams, and those with absences, have no colours, but one tie-break counts
    them.
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
    setting: Setting,
    rules: Mapping[str, TieBreak],
    kinds: PerRound | None = None,
) -> dict[str, Array]:
    """What criteria and tie-breaks need of an event: lots for one of each, scores by rule."""
    boards = setting.event.boards
    ratings = (2 * event.rosters.sum(axis=-1) + boards) // (2 * boards)
    whites = colours(event.opponents) if event.whites is None else event.whites
    results = replace(event.results, ratings=ratings, whites=whites)
    if kinds is not None:
        met = jnp.where(kinds == RoundKind.PLAYED, event.opponents, BYE)
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
    by population, and of rounds by `RoundKind`.
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
        "kinds": np.bincount(measured["kinds"].ravel(), minlength=len(RoundKind)),
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
        measured = Measurement(measure_event, each, add)
        shown = Progress(config.name)
        summed = sum_events(config.setting, measured, range_, rules, progress=shown)
    else:
        measure = lambda key, event, kinds: measure_event(key, event, config.setting, rules, kinds)  # noqa: E731
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


def ricca_tables(
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


def ricca_summary(
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


# --------------------------------------------------------------------------- tie-breaks

INDIVIDUAL = {"150-10": "dutch-150x10", "100-9": "dutch-100x9", "50-6": "dutch-50x6"}

TEAMS = "olympiad-180x11"

DIRECT, LOTS = "DE", "RD"

NAMES = {  # Ricca's names of single tie-breaks: his abbreviation in combinations, and our name
    "APRO": ("OP", "apro"),
    "ARO": ("OR", "aro"),
    "AROC": ("OC", "aroc"),
    "PTPR": ("PT", "ptpr"),
    "MEDIAN": ("MD", "buchholz-median1"),
    "BHCUT1": ("B1", "buchholz-cut1"),
    "BH": ("BH", "buchholz"),
    "PROGRES": ("PS", "progressive"),
    "SONNBER": ("SB", "sonneborn-berger"),
    "KOYA": ("KY", "koya"),
    "DE": (DIRECT, "direct"),
    "BLACKS": ("BB", "blacks"),
    "WINS": ("WW", "wins"),
    RANDOM: (LOTS, "lots among those still tied"),
}

SHORT = dict(NAMES.values())
COMPLETE = "DE_B1_DE_PS_DE"  # what he names COMPLETE

TEAM_RULES = ("game-points", "product", "least-squares", "formula-180x11", "uniform-180x11")


_SAID = (
    ("Among all players Median is the best Buchholz: better than Cut-1", "MEDIAN", "BHCUT1", "all"),
    ("... and better than the whole sum", "MEDIAN", "BH", "all"),
    ("Among the top scorers Cut-1 is better than Median", "BHCUT1", "MEDIAN", "top33"),
    ("APRO is the best rating tie-break: better than ARO", "APRO", "ARO"),
    ("... better than AROC", "APRO", "AROC"),
    ("... better than PTPR", "APRO", "PTPR"),
    ("Buchholz Cut-1 is much better than Sonneborn-Berger", "BHCUT1", "SONNBER"),
    ("Progressive points are better than Koya", "PROGRES", "KOYA"),
    ("Sonneborn-Berger is better than Koya", "SONNBER", "KOYA"),
    ("Progressive points are mostly better than Sonneborn-Berger", "PROGRES", "SONNBER"),
    ("Games with Black are hardly better than lots", "BLACKS", RANDOM),
    ("Wins are hardly better than lots", "WINS", RANDOM),
    ("Wins are better than games with Black in 9 rounds", "WINS", "BLACKS", "", "100-9"),
    ("... and worse in 10 and 6 rounds", "BLACKS", "WINS", "", "150-10 50-6"),
    ("After Median, APRO is the best second tie-break", "MD_OP_RD", "MD_OR_RD", "all"),
    ("After Median, progressive points are better than Koya", "MD_PS_WW", "MD_KY_WW", "all"),
    ("Direct encounter as first tie-break makes little difference",
     "DE_B1_PS_WW", "B1_PS_WW", "all"),
)  # fmt: skip
"""His conclusions: the tie-break that is better, the one that is worse, populations and kinds of
events if not all. A comparison that he calls even is tested in the direction of the names."""


def _claim(text: str, better: str, worse: str, who: str = "", kinds: str = "") -> pd.DataFrame:
    of = kinds.split() or INDIVIDUAL, who.split() or POPULATIONS
    return claim(text, [(better, worse)], *of)


CLAIMS = pd.concat([_claim(*row) for row in _SAID])


def ladder(name: str) -> tuple[str, ...]:
    """The abbreviated steps of a tie-break by Ricca's name; a rule of ours is a single step."""
    if name in NAMES or name in TEAM_RULES:
        return (NAMES.get(name, (name,))[0],)
    return (*(COMPLETE if name == "COMPLETE" else name).split("_"),)


def step_rule(step: str, config: Config) -> TieBreak:
    """The tie-break of a step, except direct encounter and lots; a match counts as one game."""
    rounds, boards = config.event.rounds, config.event.boards
    if step in TEAM_RULES:
        return find_rule(step, rounds, boards).tiebreak
    name = "emmsb" if step == "SB" and boards > 1 else SHORT[step]
    return find_tiebreak(name, rounds, boards)[0]


def climb(measured: Measured, names: Sequence[str], boards: int) -> np.ndarray:
    """Ranks `[tiebreaks, players]` by match points, then by the steps; ties have equal ranks."""
    points = match_points(measured["half_points"], boards).sum(axis=0)
    results = Results(measured["opponents"], measured["half_points"], points, boards)
    direct, scores = DirectEncounter(once=True), {**measured, LOTS: measured["lots"][1]}
    ranks: dict[tuple[str, ...], np.ndarray] = {(): dense_rank(points)}

    def ranked(steps: tuple[str, ...]) -> np.ndarray:
        if steps not in ranks:
            tied, step = ranked(steps[:-1]), steps[-1]
            value = direct.scores(results, tied) if step == DIRECT else scores[step]
            ranks[steps] = dense_rank(tied, value)
        return ranks[steps]

    return np.stack([ranked(ladder(name)) for name in names])


def evaluate_kind(
    config: Config, names: Sequence[str], events: int, seed: int, kind: str = ""
) -> Evaluation:
    """Evaluate tie-breaks by Ricca's names, or those of our rules, in events of one kind."""
    steps = {step for name in names for step in ladder(name)} - {DIRECT, LOTS}
    rules = {step: step_rule(step, config) for step in steps}
    ranked = partial(climb, names=names, boards=config.event.boards)
    return evaluate(config, names, events, seed, ranked, rules, kind)


def _his(name: str, column: str = "criterion") -> pd.DataFrame:
    """One of his tables, a row a figure (`ricca`)."""
    table = load_table("ricca", f"{name}.csv")
    keys = [key for key in table.columns if key not in CRITERIA]
    return table.melt(keys, [*CRITERIA], column, "ricca").dropna().astype({"ricca": float})


def ricca_values() -> pd.DataFrame:
    """His summary tables."""
    return pd.concat([_his("tiebreaks"), _his("combinations")])


def single_names(tiebreaks: Iterable[str]) -> list[str]:
    """The tie-breaks that are not combinations."""
    return [name for name in tiebreaks if len(ladder(name)) == 1]


def tables(judged: Sequence[Evaluation]) -> dict[str, pd.DataFrame]:
    """`ricca_tables`, and two criteria against each other (`between`).

    A value is `worse` if a single tie-break is surely worse than direct encounter by `TRUE`.
    """
    his, printed, between = ricca_values(), _his("criteria", "other"), []
    frames = ricca_tables(judged, CLAIMS, his, his[his["tie_break"].isin(NAMES)])
    worse = set()
    for kind in judged:
        name, both = kind.config.name, {"population": "all", "criterion": TRUE, "first": DIRECT}
        single = [each for each in single_names(kind.tiebreaks) if each not in (DIRECT, RANDOM)]
        pairs = kind.compare(pd.DataFrame({"second": single}).assign(**both))
        worse |= {(name, "all", each, TRUE) for each in where(pairs, verdict=HOLDS)["second"]}
        axes = {"kind": [name], "criterion": ALL_CRITERIA, "other": ALL_CRITERIA}
        own = where(printed, kind=kind.ricca).drop(columns="kind")
        between.append(long_frame(axes, with_ends(kind.between)).merge(own, "left"))
    keys = ["kind", "population", "tie_break", "criterion"]
    cells = frames["values"][keys].itertuples(index=False, name=None)
    frames["values"]["worse"] = [cell in worse for cell in cells]
    return {**frames, "between": pd.concat(between)}


def summary(frames: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """Short tables of tie-breaks, claims and criteria."""
    values, between = frames["values"], frames["between"]
    of_all = where(values, population="all")
    by_kind = wide(where(of_all, criterion=TRUE), "tie_break", "kind", "value")
    single = by_kind.loc[single_names(by_kind.index)]
    combined = by_kind.drop(index=single.index)
    shares = (combined / single.loc[RANDOM]).sum(axis=1).sort_values(kind="stable")
    place = {name: number for number, name in enumerate(ALL_CRITERIA)}
    below = between["criterion"].map(place) > between["other"].map(place)
    best = [
        (kind, *column.dropna().astype(float).sort_values(kind="stable").index[:3],
         ", ".join(where(values[values["worse"]], kind=kind)["tie_break"]))
        for kind, column in single.items()
    ]  # fmt: skip
    header = ["kind of event", "nearest", "second", "third", "worse than ties"]
    return {
        **ricca_summary(frames, CLAIMS, ricca_values()),
        "short": SHORT,
        "complete": COMPLETE,
        "best": pd.DataFrame(best, columns=pd.Index(header)),
        "single": single.reset_index(),
        "combined": combined,
        "nearest": combined.loc[shares.index[:8]].reset_index(),
        "against": wide(between[below], ["criterion", "other"], "kind", "value").reset_index(),
        # This value measures the size of score groups.
        "ties": where(of_all, tie_break=DIRECT, criterion="ABSELO").dropna(subset=["ricca"]),
    }


@script("reports/tiebreaks", events_option(500, "simulated events of every kind"))
def main(out: Path, events: int, seed: int) -> None:
    """Compare tie-breaks with R. Ricca's global criteria, on simulated events."""
    names = tuple(dict.fromkeys(ricca_values()["tie_break"]))
    kinds = [(load_config(name), names, his) for his, name in INDIVIDUAL.items()]
    # Ricca seeds by true strength.
    unseeded = seeded(load_config(INDIVIDUAL["100-9"]), math.inf)
    kinds.append((replace(unseeded, name=f"{unseeded.name}-random-seeds"), names, ""))
    kinds.append((load_config(TEAMS), (*names, *TEAM_RULES), ""))
    judged = [evaluate_kind(config, judged, events, seed, his) for config, judged, his in kinds]
    frames = written(out, tables(judged), DIGITS)
    report(out, "tiebreaks.md", {**summary(frames), "events": events, "seed": seed})


if __name__ == "__main__":
    main()
