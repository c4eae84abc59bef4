"""An author's figures held against ours: his order of the methods, and what he concludes from it.

Figures are values of methods (tie-breaks, or policies with a sum) for a kind of events, a
population and a criterion; lower is better. A *column* is the figures of all methods under one
kind, population and criterion.
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
"""Columns in which our intervals show something, cannot tell, and show the opposite."""


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
    """What a method is called among our values: with the sum that it is applied to, if any."""
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

    - `kind`, `population`, `criterion`, `sum`: which column; the sum is empty if there is none.
    - `tau`, `rho`: Kendall's tau and Spearman's rho of the two orders.
    - `his_tau`: Kendall's tau of his column and that of his other kind; None without another.
    - `same`, `open`, `opposite`: pairs of methods that are in his order with our whole interval of
      their difference, that our events cannot tell apart, and that are the other way round.
    - `inside`: of how many methods his value is in our interval.
    - `level`: our values over his, geometric mean.
    - `reversed`: the opposite pairs: better with him, better with us.
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
    """Hold one column of his against ours.

    **Arguments:**

    - `judged`: our values.
    - `where`: kind, population, criterion and sum.
    - `theirs`: his figures by method.
    - `elsewhere`: the same of his other kind.
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
    # Without a value that is 0 by definition: Buchholz under the criterion BRUNO.
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

    - `kinds`: names of kinds with their agreements, as dictionaries.
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
    """A conclusion of his: some methods are better, or worse, than others.

    **Fields:**

    - `text`: in our words.
    - `methods`, `others`: each of the former is better than each of the latter.
    - `criteria`, `populations`: where he says so.
    - `worst`: the methods are worse instead.
    - `sums`: which sums over opponents he speaks of; an empty one where there are none.
    - `kinds`: of which of his kinds of events; of all if empty.
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
        """The comparisons that it makes of one sum: better, worse."""
        for method in self.methods:
            for other in self.others:
                both = method_name(method, sum_name), method_name(other, sum_name)
                yield both[::-1] if self.worst else both


@dataclass(frozen=True)
class ClaimFound:
    """How a claim fares, in columns: a kind, a population, a sum and a criterion.

    **Fields:**

    - `his`: columns in which his figures say so, and all.
    - `ours`: for every group of our kinds the columns in which the intervals show every comparison
      of the claim, in which they show the opposite of none, and in which they do of some.
    - `true`: the same, under the criterion that he could not have.
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
    """Hold a claim against his figures and ours.

    **Arguments:**

    - `his`: his figures.
    - `kinds`: his kinds of events that count.
    - `groups`: our kinds of events; what is found is counted by group.
    - `true`: the criterion that he could not have.
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
