"""What Ricca concludes about tie-breaks, held against our intervals."""

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
    """His and our order of the single tie-breaks; nothing for a kind that he does not have."""
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
        "Median is the best Buchholz where all count: before Cut-1", "MEDIAN", "BHCUT1", ("all",)
    ),
    _claim("... and before the whole sum", "MEDIAN", "BH", ("all",)),
    _claim("Cut-1 is better at the top: before Median", "BHCUT1", "MEDIAN", ("top33",)),
    _claim("APRO is the best rating criterion: before ARO", "APRO", "ARO"),
    _claim("... before AROC", "APRO", "AROC"),
    _claim("... before PTPR", "APRO", "PTPR"),
    _claim("Buchholz Cut-1 is far ahead of Sonneborn-Berger", "BHCUT1", "SONNBER"),
    _claim("Progressive points are before Koya", "PROGRES", "KOYA"),
    _claim("Sonneborn-Berger is before Koya", "SONNBER", "KOYA"),
    _claim(
        "Progressive points are before Sonneborn-Berger more often than not", "PROGRES", "SONNBER"
    ),
    _claim("Games with Black are hardly better than lots", "BLACKS", RANDOM),
    _claim("Wins are hardly better than lots", "WINS", RANDOM),
    _claim("Wins before games with Black in 9 rounds", "WINS", "BLACKS", kinds=("100-9",)),
    _claim("... and behind in 10 and 6", "BLACKS", "WINS", kinds=("150-10", "50-6")),
    _claim("After Median, APRO is the best second tie-break", "MD_OP_RD", "MD_OR_RD", ("all",)),
    _claim("After Median, progressive points before Koya", "MD_PS_WW", "MD_KY_WW", ("all",)),
    _claim("Direct encounter first hardly helps nor hurts", "DE_B1_PS_WW", "B1_PS_WW", ("all",)),
)
"""What he concludes; of a comparison that he calls even the direction is that of the text."""


def held(claim: Claim, evaluations: Sequence[Evaluation]) -> ClaimFound:
    """How a claim fares: his columns of the kinds that were evaluated, and ours of the same."""
    chosen = [evaluation for evaluation in evaluations if evaluation.kind in claim.kinds]
    return find_claim(claim, ricca_values(), [e.kind for e in chosen], [chosen], TRUE)


def worse_than_tied(evaluation: Evaluation, population: str, criterion: str) -> list[str]:
    """The single tie-breaks shown to be worse than direct encounter, which hardly breaks a tie."""
    return [
        name
        for name in single_names(evaluation.tiebreaks)
        if name not in (DIRECT, RANDOM)
        and verdict(evaluation, population, DIRECT, name, criterion) > 0
    ]


def single_names(tiebreaks: Sequence[str]) -> list[str]:
    """The tie-breaks that are no combinations."""
    return [name for name in tiebreaks if len(ladder(name)) == 1]
