"""Ricca's conclusions about tie-breaks, compared with our intervals."""

from __future__ import annotations

from collections.abc import Sequence

from tb2learn.studies.claims import Agreement, Claim, ClaimFound, agreement, find_claim, verdict
from tb2learn.studies.ricca.criteria import CRITERIA
from tb2learn.studies.ricca.evaluation import (
    DIRECT,
    POPULATIONS,
    RANDOM,
    SINGLE,
    TRUE,
    Evaluation,
    ladder,
)
from tb2learn.studies.ricca.published import ricca_values

INDIVIDUAL = {
    "150-10": "individual-150x10",
    "100-9": "individual-100x9",
    "50-6": "individual-50x6",
}


TEAMS = "olympiad-180x11"


def agreements(evaluation: Evaluation) -> tuple[Agreement, ...]:
    """His and our order of the single tie-breaks; empty for a kind that he does not have."""
    his, kind = ricca_values(), evaluation.kind
    names = [name for name in SINGLE if (kind, "all", name, "BRUNO") in his and name != "COMPLETE"]
    return tuple(
        agreement(
            evaluation,
            (kind, population, criterion, ""),
            {name: his[kind, population, name, criterion] for name in names},
        )
        for population in POPULATIONS
        for criterion in CRITERIA
        if names
    )


def _claim(
    text: str,
    better: str,
    worse: str,
    populations: tuple[str, ...] = tuple(POPULATIONS),
    kinds: tuple[str, ...] = tuple(INDIVIDUAL),
) -> Claim:
    return Claim(text, (better,), (worse,), tuple(CRITERIA), populations, kinds=kinds)


CLAIMS = (
    _claim(
        "Among all players Median is the best Buchholz: better than Cut-1",
        *("MEDIAN", "BHCUT1", ("all",)),
    ),
    _claim("... and better than the whole sum", "MEDIAN", "BH", ("all",)),
    _claim("Among the top scorers Cut-1 is better than Median", "BHCUT1", "MEDIAN", ("top33",)),
    _claim("APRO is the best rating tie-break: better than ARO", "APRO", "ARO"),
    _claim("... better than AROC", "APRO", "AROC"),
    _claim("... better than PTPR", "APRO", "PTPR"),
    _claim("Buchholz Cut-1 is much better than Sonneborn-Berger", "BHCUT1", "SONNBER"),
    _claim("Progressive points are better than Koya", "PROGRES", "KOYA"),
    _claim("Sonneborn-Berger is better than Koya", "SONNBER", "KOYA"),
    _claim("Progressive points are mostly better than Sonneborn-Berger", "PROGRES", "SONNBER"),
    _claim("Games with Black are hardly better than lots", "BLACKS", RANDOM),
    _claim("Wins are hardly better than lots", "WINS", RANDOM),
    _claim("Wins are better than games with Black in 9 rounds", "WINS", "BLACKS", kinds=("100-9",)),
    _claim("... and worse in 10 and 6 rounds", "BLACKS", "WINS", kinds=("150-10", "50-6")),
    _claim("After Median, APRO is the best second tie-break", "MD_OP_RD", "MD_OR_RD", ("all",)),
    _claim(
        "After Median, progressive points are better than Koya", "MD_PS_WW", "MD_KY_WW", ("all",)
    ),
    _claim(
        "Direct encounter as first tie-break makes little difference",
        *("DE_B1_PS_WW", "B1_PS_WW", ("all",)),
    ),
)
"""His conclusions; a comparison that he calls even is tested in the direction of the names."""


def held(claim: Claim, evaluations: Sequence[Evaluation]) -> ClaimFound:
    """In how many of his columns, and of ours for the same kinds, a claim holds."""
    chosen = [evaluation for evaluation in evaluations if evaluation.kind in claim.kinds]
    return find_claim(claim, ricca_values(), [e.kind for e in chosen], [chosen], TRUE)


def worse_than_tied(evaluation: Evaluation, population: str, criterion: str) -> list[str]:
    """The single tie-breaks shown to be worse than direct encounter, which breaks few ties."""
    return [
        name
        for name in single_names(evaluation.tiebreaks)
        if name not in (DIRECT, RANDOM)
        and verdict(evaluation, population, DIRECT, name, criterion) > 0
    ]


def single_names(tiebreaks: Sequence[str]) -> list[str]:
    """The tie-breaks that are not combinations."""
    return [name for name in tiebreaks if len(ladder(name)) == 1]
