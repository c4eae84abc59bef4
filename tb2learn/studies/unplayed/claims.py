"""Ricca's conclusions about methods for unplayed rounds, compared with our intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tb2learn.studies.claims import (
    Agreement,
    Claim,
    ClaimFound,
    agreement,
    find_claim,
    method_name,
    verdict,
)
from tb2learn.studies.ricca.evaluation import POPULATIONS, TRUE
from tb2learn.studies.unplayed.evaluation import POLICIES, Studied, is_defined, tiebreak
from tb2learn.studies.unplayed.published import (
    RICCA_CRITERIA,
    RICCA_METHODS,
    RICCA_SUMS,
    ricca_unplayed,
)

SHOWN = (*RICCA_CRITERIA, TRUE)
"""The criteria that the report shows; all others are in the JSON file."""


def agreements(studied: Studied) -> tuple[Agreement, ...]:
    """His and our order of his methods; empty for a kind that he does not have."""
    if not studied.kind.ricca:
        return ()
    his = ricca_unplayed()
    (other,) = {kind for kind, *_ in his} - {studied.kind.ricca}

    def column(kind: str, population: str, sum_name: str, criterion: str) -> dict[str, float]:
        return {
            method: his[kind, population, method_name(method, sum_name), criterion]
            for method in RICCA_METHODS.values()
        }

    return tuple(
        agreement(
            studied.evaluation,
            (studied.kind.name, population, criterion, sum_name),
            column(studied.kind.ricca, population, sum_name, criterion),
            column(other, population, sum_name, criterion),
        )
        for population in POPULATIONS
        for criterion in RICCA_CRITERIA
        for sum_name in RICCA_SUMS.values()
    )


def _claim(
    text: str,
    methods: tuple[str, ...],
    sums: tuple[str, ...],
    worst: bool = False,
    populations: tuple[str, ...] = tuple(POPULATIONS),
    criteria: tuple[str, ...] = RICCA_CRITERIA,
) -> Claim:
    """The claim that some of his ten methods are the best, or the worst."""
    others = tuple(other for other in RICCA_METHODS.values() if other not in methods)
    return Claim(text, methods, others, criteria, populations, worst, sums)


_BUCHHOLZ = ("opponents", "opponents-cut1", "opponents-median1")


_BOTH = ("drawself", "virtual-opponent")


CLAIMS = (
    _claim("FaceVal is the worst for every form of Buchholz", ("face-value",), _BUCHHOLZ, True),
    _claim("FairZero is the worst for Sonneborn-Berger", ("fair-zero",), ("emgsb",), True),
    _claim("DrawSelf and StdVOpp are the best for every form of Buchholz", _BOTH, _BUCHHOLZ),
    _claim("DrawSelf and StdVOpp are the best for Sonneborn-Berger", _BOTH, ("emgsb",)),
    _claim(
        "IgnoreUG is the best for Sonneborn-Berger by MISPTS among all players",
        ("ignore",),
        ("emgsb",),
        populations=("all",),
        criteria=("MISPTS",),
    ),
)
"""His conclusions about his ten methods."""


def held(claim: Claim, studies: Sequence[Studied]) -> ClaimFound:
    """In how many columns of his two kinds, and of each of ours, a claim holds."""
    his = ricca_unplayed()
    kinds = list(dict.fromkeys(kind for kind, *_ in his))
    return find_claim(claim, his, kinds, [[studied.evaluation] for studied in studies], TRUE)


def ends_of(studied: Studied, sum_name: str, criterion: str) -> dict[str, Any]:
    """The best and the worst policy among all players, and those as good as the best.

    As good as the best are those whose interval of the difference from it includes zero.
    """
    policies = [policy for policy in POLICIES if is_defined(policy, sum_name)]
    best, *others = sorted(
        policies, key=lambda policy: studied.value("all", policy, sum_name, criterion)
    )
    first = tiebreak(best, sum_name)
    level = [
        policy
        for policy in others
        if verdict(studied.evaluation, "all", first, tiebreak(policy, sum_name), criterion) < 1
    ]
    return {
        "criterion": criterion,
        "sum": sum_name,
        "best": best,
        "level": level,
        "worst": others[-1],
    }
