"""What both of R. Ricca's studies need: evaluations by global criteria, and claims about orders.

Values are root mean square differences of places, so lower is better. A *column* has the values of
all methods for one kind of events, population and criterion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from operator import add
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float
from scipy import stats

from studies.claims import FAILS, HOLDS, UNDECIDED, VERDICTS, combined, in_columns, verdicts
from studies.global_criteria import CRITERIA, adjusted, places, played, top_scorers
from tb2learn.config import Config
from tb2learn.simulation.event import Absences
from tb2learn.simulation.run import Measure, Progress, sum_events
from tb2learn.simulation.streams import EventRange, Purpose
from tb2learn.stats import long_frame, resamples, with_ends

TRUE, RANDOM = "TRUE", "RANDOM"

ALL_CRITERIA = (*CRITERIA, TRUE, RANDOM)
"""Ricca's five criteria, the true order, which only a simulation knows, and a draw of lots."""

POPULATIONS = {"all": "all players", "top33": "players with about two thirds of the points"}

RESAMPLES = 1000
"""Bootstrap samples of events."""

DIGITS = 5
"""Decimals of values in the CSV files."""


def event_sums(measured: Mapping[str, np.ndarray], config: Config) -> dict[str, np.ndarray]:
    """The evaluation of one event in whole numbers.

    **Arguments:** `opponents` and `half_points` `[rounds, players]`; `ratings`, `strength` and
    `lots` `[players]`; `ranks` `[tiebreaks, players]`, 0 for the lowest. The configuration.

    **Returns:** sums of squared differences of doubled places (places may be halves): `tiebreaks`
    `[populations, tiebreaks, criteria]` and `criteria` `[criteria, criteria]`; and `players`
    `[populations]`, their numbers.
    """
    opponents, half_points = measured["opponents"], measured["half_points"]
    event = played(opponents, half_points, config.event.boards, measured["ratings"])
    ours = [criterion(event) for criterion in CRITERIA.values()]
    values = np.stack([*ours, measured["strength"], measured["lots"]])
    everybody = np.ones(len(event.scores), bool)
    who = np.stack([everybody, top_scorers(event.scores, config.event.rounds)]).astype(np.int64)

    def squares(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        return np.rint(2 * (rows[:, None] - columns)).astype(np.int64) ** 2

    by_tiebreak = squares(places(measured["ranks"]), adjusted(event.scores, values))
    return {
        "tiebreaks": np.einsum("tcn,pn->ptc", by_tiebreak, who),
        "criteria": squares(places(values), places(values)).sum(axis=-1),
        "players": who.sum(axis=-1),
    }


@dataclass(frozen=True)
class Evaluation:
    """Every tie-break by every criterion in events of one kind, as means over events.

    **Fields:**

    - `kind`: Ricca's name of the kind, else the name of the configuration.
    - `tiebreaks`: what was evaluated.
    - `values`: Ricca's evaluation, in places: first what was measured, then each of `RESAMPLES`
      bootstrap samples.
    - `between`: the same of the criteria against each other, without regard to points.
    """

    kind: str
    tiebreaks: tuple[str, ...]
    values: Float[np.ndarray, "samples populations tiebreaks criteria"]
    between: Float[np.ndarray, "samples criteria criteria"]

    def frame(self) -> pd.DataFrame:
        """`population`, `tie_break`, `criterion`; `value` in places, `low`, `high`."""
        axes = {"population": [*POPULATIONS], "tie_break": self.tiebreaks}
        return long_frame({**axes, "criterion": ALL_CRITERIA}, with_ends(self.values))

    def between_frame(self) -> pd.DataFrame:
        """The criteria against each other: `criterion`, `other`, `value`, `low`, `high`."""
        axes = {"criterion": ALL_CRITERIA, "other": ALL_CRITERIA}
        return long_frame(axes, with_ends(self.between))

    def differences(self, pairs: pd.DataFrame) -> pd.DataFrame:
        """First tie-breaks less second ones on the same events.

        **Arguments:** `pairs`: has the columns `population`, `criterion`, `first` and `second`.

        **Returns:** the pairs with `value`, the difference in places, the ends of its interval
        `low` and `high`, and `verdict`: whether the first tie-break is better.
        """

        def at(labels: Sequence[str], column: str) -> np.ndarray:
            return pd.Index(labels).get_indexer(pd.Index(pairs[column]))

        populations, criteria = at([*POPULATIONS], "population"), at(ALL_CRITERIA, "criterion")
        first, second = (self.values[:, populations, at(self.tiebreaks, name), criteria]
                         for name in ("first", "second"))  # fmt: skip
        ends = with_ends(first - second)
        return pairs.assign(**ends, verdict=verdicts(-ends["high"], -ends["low"]))


def evaluate(
    kind: str,
    config: Config,
    tiebreaks: Sequence[str],
    events: tuple[int, int],
    measure: Measure,
    sums: Callable[[dict[str, np.ndarray]], dict[str, np.ndarray]],
    args: Any = None,
    absences: Absences | None = None,
) -> tuple[Evaluation, dict[str, np.ndarray]]:
    """Evaluate tie-breaks in events of one kind.

    **Arguments:**

    - `kind`, `config`: name of the kind; its events are those of the assessment stream.
    - `tiebreaks`: their names.
    - `events`: number and seed of the events; the bootstrap has the same seed.
    - `measure`, `args`: what to compute of each event on the device.
    - `sums`: makes `event_sums`, and what else is to be kept, of what was measured of one event.
    - `absences`: how often players are absent.

    **Returns:** the evaluation, and what `sums` returned, with events as the first axis.
    """
    number, seed = events
    found = sum_events(
        config,
        measure,
        EventRange(seed, Purpose.ASSESS, number),
        args,
        partial(_each, sums),
        merge=add,
        absences=absences,
        truth=True,
        progress=Progress(kind),
    )
    stacked = {name: np.stack([one[name] for one in found]) for name in found[0]}
    values = np.sqrt(stacked["tiebreaks"] / (4 * stacked["players"][:, :, None, None]))
    between = np.sqrt(stacked["criteria"] / (4 * config.event.teams))
    weights = resamples(number, seed, RESAMPLES) / number

    def means(values: np.ndarray) -> np.ndarray:
        return np.concatenate([values.mean(axis=0)[None], np.tensordot(weights, values, axes=1)])

    return Evaluation(kind, tuple(tiebreaks), means(values), means(between)), stacked


def _each(sums: Callable, numbers: np.ndarray, measured: Any) -> list[dict[str, np.ndarray]]:
    """What is kept of every event, in a list that `sum_events` extends."""
    return [
        sums({name: part[row] for name, part in measured.items()}) for row in range(len(numbers))
    ]


# --------------------------------------------------------------------------- his order and ours


def method_name(method: str, sum_name: str = "") -> str:
    """The name of a method among our tie-breaks, with the sum that it is applied to, if any."""
    return f"{method} {sum_name}".strip()


def agreement(judged: Evaluation, his: pd.DataFrame) -> pd.DataFrame:
    """His order of the methods and ours, column by column.

    **Arguments:**

    - `judged`: our values.
    - `his`: `population`, `criterion`, `sum` (empty if there is none), `method`, `tie_break` (its
      name among ours), `ricca` (his value) and `elsewhere` (that for his other kind; NaN without).

    **Returns:** a row a column:

    - `kind`, `population`, `criterion`, `sum`.
    - `tau`, `rho`: Kendall's tau and Spearman's rho of the two orders.
    - `his_tau`: Kendall's tau of his columns for this kind and for his other kind.
    - `same`, `open`, `opposite`: numbers of pairs of methods for which the interval of our
      difference confirms his order, includes zero, and shows the opposite order.
    - `inside`: number of methods whose value of his is in our interval.
    - `level`: geometric mean of our values divided by his.
    - `reversed`: the opposite pairs: his better method, our better method.
    """
    keys = ["population", "criterion", "sum"]
    pairs = his.merge(his, on=keys, suffixes=("", "_2"))
    pairs = pairs[pairs["ricca"] < pairs["ricca_2"]]
    pairs = pairs.rename(columns={"tie_break": "first", "tie_break_2": "second"})
    pairs = judged.differences(pairs).groupby(keys)
    both = his.merge(judged.frame(), on=["population", "criterion", "tie_break"])
    rows = []
    for key, column in both.groupby(keys, sort=False):
        theirs, ours, some = column["ricca"], column["value"], pairs.get_group(key)
        counts = some["verdict"].value_counts().reindex(VERDICTS, fill_value=0)
        opposite = some.loc[some["verdict"] == FAILS, ["method", "method_2"]]
        # Leaves out values that are 0 by definition: Buchholz under the criterion BRUNO.
        known = theirs > 0
        with np.errstate(divide="ignore"):  # few events may leave a value of ours at 0
            level = np.exp(np.log(ours[known] / theirs[known]).mean())
        row = {
            **{"kind": judged.kind, **dict(zip(keys, key, strict=True))},
            "tau": stats.kendalltau(theirs, ours)[0],
            "rho": stats.spearmanr(theirs, ours)[0],
            "his_tau": stats.kendalltau(theirs, column["elsewhere"])[0],
            **{"same": counts[HOLDS], "open": counts[UNDECIDED], "opposite": counts[FAILS]},
            "inside": theirs.between(column["low"], column["high"]).sum(),
            "level": level,
            "reversed": ", ".join(" < ".join(pair) for pair in opposite.to_numpy()),
        }
        rows.append(row)
    return pd.DataFrame(rows)


def agreement_summary(frame: pd.DataFrame) -> pd.DataFrame:
    """Agreements by kind and population: pairs added up, the ends of tau and level."""
    frame = frame.assign(population=frame["population"].map(POPULATIONS))
    return frame.groupby(["kind", "population"], sort=False, as_index=False).agg(
        **{name: (name, "sum") for name in ("same", "open", "opposite")},
        tau_low=("tau", "min"),
        tau_high=("tau", "max"),
        level_low=("level", "min"),
        level_high=("level", "max"),
    )


# --------------------------------------------------------------------------- claims about orders

OURS, BY_TRUE = "ours", "true"
"""By his criteria, and by the true order, which he did not have."""

COUNTS = tuple(f"{by} {verdict}" for by in (OURS, BY_TRUE) for verdict in VERDICTS)
"""Names of the numbers of columns that have a verdict."""


@dataclass(frozen=True)
class OrderClaim:
    """What he claims of an order: some methods are better, or worse, than others.

    **Fields:**

    - `text`: in our words.
    - `methods`, `others`: each of the former is better than each of the latter.
    - `criteria`, `populations`: for which he claims it.
    - `worst`: whether the methods are worse instead.
    - `sums`: sums over opponents for which he claims it; one empty name if there are none.
    - `kinds`: his kinds of events for which he claims it; all if empty.
    """

    text: str
    methods: tuple[str, ...]
    others: tuple[str, ...]
    criteria: tuple[str, ...]
    populations: tuple[str, ...]
    worst: bool = False
    sums: tuple[str, ...] = ("",)
    kinds: tuple[str, ...] = ()

    def comparisons(self, criteria: Sequence[str] = ()) -> Iterator[tuple[str, ...]]:
        """What it compares, as rows of `_COMPARED`; by other criteria than his, if any."""
        axes = self.populations, self.sums, criteria or self.criteria, self.methods, self.others
        for population, sum_name, criterion, method, other in product(*axes):
            both = method_name(method, sum_name), method_name(other, sum_name)
            better, worse = both[::-1] if self.worst else both
            yield self.text, population, criterion, sum_name, better, worse


_COMPARED = ["text", "population", "criterion", "sum", "first", "second"]
"""Claim, column of values, tie-break that is said to be better, and that said to be worse."""


def said(claims: Iterable[OrderClaim], his: pd.DataFrame) -> pd.DataFrame:
    """What his own figures say of his claims.

    **Arguments:** the claims; `his`: `kind`, `population`, `tie_break`, `criterion`, `ricca`.

    **Returns:** a row a claim: its `text`, how many of his columns agree with it (`said`), and how
    many there are (`columns`).
    """
    keys = ["kind", "population", "criterion", "tie_break"]
    values = his.set_index(keys)["ricca"]
    rows = []
    for claim in claims:
        kinds = pd.DataFrame({"kind": claim.kinds or his["kind"].unique()})
        pairs = pd.DataFrame(claim.comparisons(), columns=_COMPARED).merge(kinds, how="cross")
        better, worse = (
            values.loc[pd.MultiIndex.from_frame(pairs[[*keys[:3], name]])].to_numpy()
            for name in ("first", "second")
        )
        pairs = pairs.assign(agrees=(better < worse) * 1)
        columns = pairs.groupby(["kind", "population", "criterion", "sum"])
        rows.append((claim.text, columns["agrees"].min().sum(), columns.ngroups))
    return pd.DataFrame(rows, columns=pd.Index(["text", "said", "columns"]))


def counted(claims: Sequence[OrderClaim], judged: Iterable[Evaluation]) -> pd.DataFrame:
    """In how many of our columns the intervals show a claim.

    A column has the verdict of all comparisons that the claim makes in it, `combined`.

    **Returns:** a row a claim and kind of events: `text`, `kind`, `COUNTS`.
    """
    parts = []
    for kind in judged:
        own = [claim for claim in claims if kind.kind in claim.kinds or not claim.kinds]
        for by, criteria in ((OURS, ()), (BY_TRUE, (TRUE,))):
            rows = [row for claim in own for row in claim.comparisons(criteria)]
            compared = kind.differences(pd.DataFrame(rows, columns=_COMPARED))
            columns = compared.groupby(_COMPARED[:4], sort=False)["verdict"].agg(combined)
            columns = columns.reset_index()
            names = {"kind": kind.kind, "count": f"{by} " + columns["verdict"]}
            parts.append(columns.assign(**names))
    columns = pd.concat(parts)
    ones = pd.get_dummies(columns["count"], dtype=int).reindex(columns=[*COUNTS], fill_value=0)
    return ones.groupby([columns["text"], columns["kind"]], sort=False).sum().reset_index()


def verdicts_on(counts: pd.DataFrame) -> pd.DataFrame:
    """Verdict on every claim, by all of its columns together: `text`, `figure`, `verdict`."""
    rows = []
    for text, own in counts.groupby("text", sort=False)[[*COUNTS]].sum().iterrows():
        both = {verdict: own[f"{OURS} {verdict}"] + own[f"{BY_TRUE} {verdict}"]
                for verdict in VERDICTS}  # fmt: skip
        rows.append((text, *in_columns(both)))
    return pd.DataFrame(rows, columns=pd.Index(["text", "figure", "verdict"]))
