"""Compares an author's figures with ours: his order of the methods and his conclusions.

Figures are values of methods (tie-breaks, or policies with a sum) for a kind of events, a
population and a criterion; lower is better. A *column* has the figures of all methods for one kind,
population and criterion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from scipy import stats

from tb2learn.report.markdown import table

Figures: TypeAlias = Mapping[tuple[str, str, str, str], float]
"""His figures by kind, population, method and criterion."""

Counts: TypeAlias = tuple[int, int, int]
"""In how many columns our intervals show a claim, decide nothing, and show the opposite."""


@runtime_checkable
class Judged(Protocol):
    """Our values of one kind of events, with intervals."""

    def value(self, population: str, name: str, criterion: str, /) -> float:
        """One value."""

    def ci(self, population: str, name: str, criterion: str, /) -> tuple[float, float]:
        """Its 95 % interval."""

    def difference(
        self, population: str, first: str, second: str, criterion: str, /
    ) -> tuple[float, float, float]:
        """First method less second on the same events, and its 95 % interval."""


def method_name(method: str, sum_name: str = "") -> str:
    """The name of a method among our values, with the sum that it is applied to, if any."""
    return f"{method} {sum_name}".strip()


def verdict(judged: Judged, population: str, better: str, worse: str, criterion: str) -> int:
    """1 if the interval shows that the first method is better, -1 if it is worse, else 0."""
    _, low, high = judged.difference(population, better, worse, criterion)
    return int(high < 0) - int(low > 0)


# --------------------------------------------------------------------------- orders


@dataclass(frozen=True)
class Agreement:
    """His order of the methods and ours, in one column.

    **Fields:**

    - `kind`, `population`, `criterion`, `sum`: the column; the sum is empty if there is none.
    - `tau`, `rho`: Kendall's tau and Spearman's rho of the two orders.
    - `his_tau`: Kendall's tau of his columns for this kind and for his other kind; None without
      another.
    - `same`, `open`, `opposite`: numbers of pairs of methods for which the interval of our
      difference confirms his order, includes zero, and shows the opposite order.
    - `inside`: number of methods whose value of his is in our interval.
    - `level`: geometric mean of our values divided by his.
    - `reversed`: the opposite pairs: his better method, our better method.
    """

    kind: str
    population: str
    criterion: str
    sum: str
    tau: float
    rho: float
    his_tau: float | None
    same: int
    open: int
    opposite: int
    inside: int
    level: float
    reversed: tuple[tuple[str, str], ...]


def agreement(
    judged: Judged,
    where: tuple[str, str, str, str],
    theirs: Mapping[str, float],
    elsewhere: Mapping[str, float] | None = None,
) -> Agreement:
    """Compare one column of his with ours.

    **Arguments:**

    - `judged`: our values.
    - `where`: kind, population, criterion and sum.
    - `theirs`: his figures by method.
    - `elsewhere`: his figures for the other kind.
    """
    _, population, criterion, sum_name = where
    names = {method: method_name(method, sum_name) for method in theirs}
    ours = {method: judged.value(population, name, criterion) for method, name in names.items()}
    cis = {method: judged.ci(population, name, criterion) for method, name in names.items()}
    verdicts = {
        (a, b): verdict(judged, population, names[a], names[b], criterion)
        for a in theirs
        for b in theirs
        if theirs[a] < theirs[b]
    }
    counts, column = list(verdicts.values()), list(theirs.values())
    # Leaves out values that are 0 by definition: Buchholz under the criterion BRUNO.
    ratios = [ours[method] / value for method, value in theirs.items() if value > 0]
    his_tau = stats.kendalltau(column, list(elsewhere.values()))[0] if elsewhere else None
    return Agreement(
        *where,
        tau=float(stats.kendalltau(column, list(ours.values()))[0]),
        rho=float(stats.spearmanr(column, list(ours.values()))[0]),
        his_tau=None if his_tau is None else float(his_tau),
        same=counts.count(1),
        open=counts.count(0),
        opposite=counts.count(-1),
        inside=sum(cis[method][0] <= value <= cis[method][1] for method, value in theirs.items()),
        level=float(np.exp(np.log(ratios).mean())),
        reversed=tuple(pair for pair, found in verdicts.items() if found < 0),
    )


def agreement_table(
    kinds: Iterable[tuple[str, Sequence[Mapping[str, Any]]]], populations: Mapping[str, str]
) -> list[str]:
    """Agreements by kind and population as a Markdown table.

    **Arguments:**

    - `kinds`: names of kinds with their agreements, these as dictionaries.
    - `populations`: names of the populations by their keys.
    """
    rows = []
    for kind, agreements in kinds:
        for population, name in populations.items():
            some = [one for one in agreements if one["population"] == population]
            if some:
                sums = [sum(one[field] for one in some) for field in ("same", "open", "opposite")]
                ends = [
                    f"{end(one[field] for one in some):.2f}"
                    for field in ("tau", "level")
                    for end in (min, max)
                ]
                rows.append((kind, name, *sums, *ends))
    header = (
        *("kind", "population", "same", "open", "opposite", "tau from", "to", "level from", "to"),
    )
    return table(header, rows)


# --------------------------------------------------------------------------- conclusions


@dataclass(frozen=True)
class Claim:
    """A conclusion of the author: some methods are better, or worse, than others.

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

    def pairs(self, sum_name: str) -> Iterator[tuple[str, str]]:
        """The comparisons that the claim makes for one sum: better method, worse method."""
        for method in self.methods:
            for other in self.others:
                both = method_name(method, sum_name), method_name(other, sum_name)
                yield both[::-1] if self.worst else both


@dataclass(frozen=True)
class ClaimFound:
    """In how many columns a claim holds.

    **Fields:**

    - `his`: number of his columns that agree with the claim, and number of all.
    - `ours`: for every group of our kinds, the numbers of columns in which the intervals show every
      comparison of the claim; in which some are undecided but none is refuted; and in which the
      opposite of some is shown.
    - `true`: the same under the true order, which he did not have.
    """

    claim: Claim
    his: tuple[int, int]
    ours: tuple[Counts, ...]
    true: tuple[Counts, ...]


def find_claim(
    claim: Claim,
    his: Figures,
    kinds: Sequence[str],
    groups: Sequence[Sequence[Judged]],
    true: str,
) -> ClaimFound:
    """Compare a claim with his figures and ours.

    **Arguments:**

    - `claim`: what he concludes.
    - `his`: his figures.
    - `kinds`: his kinds of events to count.
    - `groups`: our kinds of events; columns are counted by group.
    - `true`: the name of the criterion of the true order.
    """

    def verdicts(group: Sequence[Judged], criteria: Sequence[str]) -> Counts:
        found = [
            min(verdict(judged, population, *pair, criterion) for pair in claim.pairs(sum_name))
            for judged in group
            for population in claim.populations
            for sum_name in claim.sums
            for criterion in criteria
        ]
        return found.count(1), found.count(0), found.count(-1)

    printed = [
        all(
            his[kind, population, better, criterion] < his[kind, population, worse, criterion]
            for better, worse in claim.pairs(sum_name)
        )
        for kind in kinds
        for population in claim.populations
        for sum_name in claim.sums
        for criterion in claim.criteria
    ]
    return ClaimFound(
        claim,
        (sum(printed), len(printed)),
        tuple(verdicts(group, claim.criteria) for group in groups),
        tuple(verdicts(group, (true,)) for group in groups),
    )
