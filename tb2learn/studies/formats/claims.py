"""What the authors of multi-tier tournaments claim, held against the figures, one by one.

Source: S. J. Brams and M. S. Ismail, *Multi-Tier Tournaments: Matching and Scoring Players*, 2024.
A claim *holds* or *does not hold* if a whole 95 % interval lies on that side of what it is held
against; else it is *undecided*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tb2learn.report.markdown import table
from tb2learn.studies.formats.deciding import WORLDS, Found

HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "undecided"

Judged = Mapping[tuple[str, str], Mapping[str, Found]]
"""What was measured, by world and format."""

NEARLY = 0.05
"""*Almost always* allows exceptions in at most this share of events; a *chance* is at least it."""

REPEATS = (1, 2, 3)

BESIDE = (
    *((1, "Swiss, 8 rounds"), (1, "Swiss, 7 + final")),
    *((2, "Swiss, 15 rounds"), (2, "Swiss, 14 + final"), (2, "round robin")),
    *((3, "round robin"), (3, "double round robin")),
)
"""Repeats of a multi-tier event, and a format with about as many matches, or the nearest."""

_ACCURATE = (("wins", "the strongest wins more often"), ("concordant", "tau is higher"))


class Verdict(NamedTuple):
    """A row of the report."""

    field: str
    claim: str
    verdict: str
    found: str


def above(ci: Sequence[float], bar: float) -> str:
    """Whether a value is above a bar, by its interval."""
    return HOLDS if ci[0] > bar else FAILS if ci[1] <= bar else UNDECIDED


def below(ci: Sequence[float], bar: float) -> str:
    """Whether a value is below a bar, by its interval."""
    return HOLDS if ci[1] < bar else FAILS if ci[0] >= bar else UNDECIDED


def verdicts(judged: Judged) -> list[Verdict]:
    """All claims, in every world."""
    return [
        one
        for world in WORLDS
        for one in (
            *_colours(judged, world),
            *_ties(judged, world),
            *_chances(judged, world),
            *_accuracy(judged, world),
        )
    ]


def claim_lines(judged: Judged) -> list[str]:
    """The section of the report."""
    return [
        "## What the authors say of multi-tier events",
        "",
        "Brams and Ismail name benefits of the format; each is held against the figures above. "
        "A claim *holds* or *does not hold* if its whole 95 % interval lies on one side of the "
        "bar, and is else *undecided*. The bars are ours: *almost always* is in "
        f"{1 - NEARLY:.0%} of the cases or more, a *chance* is one in {1 / NEARLY:.0f} events or "
        "more, and *accurate* is held against other formats with about as many matches "
        "(differences on the same fields). The tiers are made by seeds near the truth, and the "
        "order of a multi-tier event puts the last tier first, so part of what it finds is what "
        "the ratings said; in the other formats the results alone decide.",
        "",
        *table(("field", "claim", "verdict", "found"), verdicts(judged)),
        "",
        "The arithmetic of the source, its tables, and its remark on an extra White are in the "
        "report of `tb2learn study multi-tier`.",
    ]


def _of(judged: Judged, world: str, repeats: int) -> Mapping[str, Found]:
    return judged[world, f"multi-tier, m = {repeats}"]


def _colours(judged: Judged, world: str) -> list[Verdict]:
    rows = []
    for m in REPEATS:
        one = _of(judged, world, m)["uneven"]
        rows.append(
            Verdict(
                world,
                f"near-perfect colour balance, m = {m}",
                below(one.ci, NEARLY),
                f"{_percent(one)} have two or more games of one colour than of the other",
            )
        )
    same = _of(judged, world, 1)["repeats"]
    rows.append(
        Verdict(
            world,
            "no two consecutive games with one colour",
            FAILS if same.ci[0] > 0 else HOLDS,
            f"{_number(same)} games a player have the colour of the game before (m = 1)",
        )
    )
    return rows


def _ties(judged: Judged, world: str) -> list[Verdict]:
    rows = []
    for m in REPEATS:
        one = _of(judged, world, m)["first_tied"]
        rows.append(
            Verdict(
                world,
                f"its rules break almost all ties for the first place, m = {m}",
                below(one.ci, NEARLY),
                f"{_percent(one)} of the events are left to the lot (without counting moves)",
            )
        )
    return rows


def _chances(judged: Judged, world: str) -> list[Verdict]:
    texts = {
        "risen": ("the lowest rated can meet the highest: one reaches the top tier", "reaches it"),
        "from_lowest": ("... and has a chance to win", "wins"),
    }
    rows = []
    for what, (claim, does) in texts.items():
        one = _of(judged, world, 1)[what]
        found = f"one who started in the lowest tier {does} in {_percent(one)} of the events"
        rows.append(Verdict(world, f"{claim} (m = 1)", above(one.ci, NEARLY), found))
    return rows


def _accuracy(judged: Judged, world: str) -> list[Verdict]:
    rows = []
    for m, other in BESIDE:
        one, beside = _of(judged, world, m), judged[world, other]
        games = " and ".join(f"{part['games'].value:.0f}" for part in (one, beside))
        for what, text in _ACCURATE:
            apart = one[what].less(beside[what])
            claim = f"accurate, m = {m}: {text} than in {other} ({games} matches)"
            rows.append(Verdict(world, claim, above(apart.ci, 0), f"difference {_number(apart)}"))
    return rows


def _number(one: Found) -> str:
    return f"{one.value:.3f} ({one.ci[0]:.3f} to {one.ci[1]:.3f})"


def _percent(one: Found) -> str:
    return f"{one.value:.1%} ({one.ci[0]:.1%} to {one.ci[1]:.1%})"
