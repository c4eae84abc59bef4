"""Ricca's order of tie-breaks beside ours, and his claims that some are better than others.

Values are root mean square differences of places, so lower is better. A *column* has the values of
all methods for one kind of events, population and criterion. Shared by the studies of his papers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product

import numpy as np
import pandas as pd
from scipy import stats

from tb2learn.report.stored import Each
from tb2learn.studies.claims import (
    FAILS,
    HOLDS,
    UNDECIDED,
    VERDICTS,
    combined,
    in_columns,
    judged,
    verdicts,
)
from tb2learn.studies.tiebreaks.evaluation import POPULATIONS, TRUE, Evaluation


def method_name(method: str, sum_name: str = "") -> str:
    """The name of a method among our tie-breaks, with the sum that it is applied to, if any."""
    return f"{method} {sum_name}".strip()


def is_better(found: pd.DataFrame) -> np.ndarray:
    """Whether first tie-breaks are better than second ones, by the intervals of `differences`."""
    return verdicts(-found["high"].to_numpy(), -found["low"].to_numpy())


# --------------------------------------------------------------------------- orders

AGREEMENT = (
    *("kind", "population", "criterion", "sum", "tau", "rho", "his_tau"),
    *("same", "open", "opposite", "inside", "level", "reversed"),
)


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
    pairs = judged.differences(pairs)
    pairs = pairs.assign(verdict=is_better(pairs)).groupby(keys)
    both = his.merge(judged.frame(), on=["population", "criterion", "tie_break"])
    rows = []
    for key, column in both.groupby(keys, sort=False):
        theirs, ours, some = column["ricca"], column["value"], pairs.get_group(key)
        counts = some["verdict"].value_counts().reindex(VERDICTS, fill_value=0)
        opposite = some[some["verdict"] == FAILS]
        # Leaves out values that are 0 by definition: Buchholz under the criterion BRUNO.
        known = theirs > 0
        found = {
            **{"kind": judged.kind, **dict(zip(keys, key, strict=True))},
            "tau": stats.kendalltau(theirs, ours)[0],
            "rho": stats.spearmanr(theirs, ours)[0],
            "his_tau": stats.kendalltau(theirs, column["elsewhere"])[0],
            **{"same": counts[HOLDS], "open": counts[UNDECIDED], "opposite": counts[FAILS]},
            "inside": theirs.between(column["low"], column["high"]).sum(),
            "level": np.exp(np.log(ours[known] / theirs[known]).mean()),
            "reversed": opposite[["method", "method_2"]].to_numpy().tolist(),
        }
        rows.append(found)
    return pd.DataFrame(rows, columns=pd.Index(AGREEMENT))


def agreement_summary(found: pd.DataFrame, kind: str = "kind") -> pd.DataFrame:
    """Agreements by kind and population: pairs added up, the ends of tau and level.

    **Arguments:** rows of `agreement`; the column that names their kind in the report.
    """
    found = found.assign(kind=found[kind], population=found["population"].map(POPULATIONS))
    return found.groupby(["kind", "population"], sort=False, as_index=False).agg(
        **{name: (name, "sum") for name in ("same", "open", "opposite")},
        tau_low=("tau", "min"),
        tau_high=("tau", "max"),
        level_low=("level", "min"),
        level_high=("level", "max"),
    )


# --------------------------------------------------------------------------- claims

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
        """What it compares, as rows of `_COMPARED`.

        **Arguments:** `criteria`: other ones than his, if any.
        """
        axes = self.populations, self.sums, criteria or self.criteria, self.methods, self.others
        for population, sum_name, criterion, method, other in product(*axes):
            both = method_name(method, sum_name), method_name(other, sum_name)
            better, worse = both[::-1] if self.worst else both
            yield self.text, population, criterion, sum_name, better, worse


_COMPARED = ["text", "population", "criterion", "sum", "first", "second"]
"""Claim, column of values, tie-break that is said to be better, and that said to be worse."""


def said(orders: Iterable[OrderClaim], his: pd.DataFrame) -> pd.DataFrame:
    """His own figures.

    **Arguments:** `orders`; `his`: `kind`, `population`, `tie_break`, `criterion`, `ricca`.

    **Returns:** a row a claim: its `text`, how many of his columns agree with it (`said`), and how
    many there are (`columns`).
    """
    keys = ["kind", "population", "criterion", "tie_break"]
    values = his.set_index(keys)["ricca"]
    rows = []
    for order in orders:
        kinds = pd.DataFrame({"kind": order.kinds or his["kind"].unique()})
        found = pd.DataFrame(order.comparisons(), columns=_COMPARED).merge(kinds, how="cross")
        better, worse = (
            values.loc[pd.MultiIndex.from_frame(found[[*keys[:3], name]])].to_numpy()
            for name in ("first", "second")
        )
        agrees = (better < worse) * 1
        columns = found.assign(agrees=agrees).groupby(["kind", "population", "criterion", "sum"])
        rows.append((order.text, columns["agrees"].min().sum(), columns.ngroups))
    return pd.DataFrame(rows, columns=["text", "said", "columns"])


def counted(
    orders: Sequence[OrderClaim], judged: Iterable[Evaluation], apart: bool
) -> pd.DataFrame:
    """In how many of our columns the intervals show a claim.

    A column has the verdict of all comparisons that the claim makes in it, `combined`.

    **Arguments:**

    - `orders`: the claims.
    - `judged`: our values, a kind of events each.
    - `apart`: whether kinds are counted apart.

    **Returns:** a row a claim, or a claim and kind if these are apart: `text`, `kind`, `COUNTS`.
    """
    found = []
    for one in judged:
        own = [order for order in orders if one.kind in order.kinds or not order.kinds]
        for by, criteria in ((OURS, ()), (BY_TRUE, (TRUE,))):
            rows = [row for order in own for row in order.comparisons(criteria)]
            compared = one.differences(pd.DataFrame(rows, columns=_COMPARED))
            compared = compared.assign(verdict=is_better(compared)).groupby(
                _COMPARED[:4], sort=False
            )
            columns = compared["verdict"].agg(combined).reset_index()
            names = {"kind": one.kind if apart else "", "count": f"{by} " + columns["verdict"]}
            found.append(columns.assign(**names))
    columns = pd.concat(found)
    ones = pd.get_dummies(columns["count"], dtype=int).reindex(columns=list(COUNTS), fill_value=0)
    return ones.groupby([columns["text"], columns["kind"]], sort=False).sum().reset_index()


def verdicts_on(orders: Iterable[OrderClaim], source: str, counted: pd.DataFrame) -> pd.DataFrame:
    """The claims of a source as `judged` has them, by the frame `counted`: all columns together."""
    rows = []
    for order in orders:
        own = counted[counted["text"] == order.text].sum()
        both = {one: own[f"{OURS} {one}"] + own[f"{BY_TRUE} {one}"] for one in VERDICTS}
        rows.append((order.text, *in_columns(both)))
    return judged(source, rows)


def claims_frames(
    orders: Sequence[OrderClaim], his: pd.DataFrame, judged: Sequence[Evaluation], apart: bool
) -> dict[str, pd.DataFrame]:
    """`claims`, a row an `OrderClaim`; `said` and `counted`, by the functions of these names."""
    return {
        "claims": pd.DataFrame(map(asdict, orders)),
        "said": said(orders, his),
        "counted": counted(orders, judged, apart),
    }


def claims_content(apart: bool) -> Each:
    """The frames of `claims_frames` in a JSON file."""
    ours, true = (
        Each("counted", [f"counted.{one}" for one in names], along="kind" if apart else "")
        for names in (COUNTS[: len(VERDICTS)], COUNTS[len(VERDICTS) :])
    )
    content = {"claim": "claims", "his": ["said.said", "said.columns"], "ours": ours, "true": true}
    return Each("claims", content, by="text")
