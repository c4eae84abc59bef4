"""What the authors of multi-tier tournaments claim, held against the figures of every world."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd

from tb2learn.report.frames import Frames, where
from tb2learn.studies.claims import NEARLY, Claim, Judgement, above, below, fact, judged
from tb2learn.studies.formats.deciding import MULTI_TIER, WORLDS
from tb2learn.studies.formats.measure import ACCURATE, BESIDE
from tb2learn.studies.multi_tier.claims import SOURCE
from tb2learn.studies.multi_tier.measure import REPEATS


def claims(frames: Frames) -> pd.DataFrame:
    """All claims as `judged` has them, of every world in turn, which is the column `field`."""
    found = []
    for world in WORLDS:
        inside = {name: where(frames[name], world=world) for name in ("formats", "differences")}
        declared = [*CLAIMS, *_accuracy(inside)]
        found.append(judged(declared, inside).assign(field=world))
    return pd.concat(found)


def _counted(
    frames: Frames, what: str, m: int, verdict: Callable[[float, float], str], said: str, form: str
) -> Judgement:
    """A claim about one value of a multi-tier event.

    **Arguments:** the frames of one world; the value, and in which event; the verdict by the ends
    of its interval; what the report says of it, and in which form.
    """
    one = _value(frames, MULTI_TIER.format(m), what)
    return Judgement(said.format(_interval(one, form)), verdict(one.low, one.high))


def _interval(one: pd.Series, form: str) -> str:
    return f"{one.value:{form}} ({one.low:{form}} to {one.high:{form}})"


def _value(frames: Frames, name: str, what: str) -> pd.Series:
    return where(frames["formats"], format=name, what=what).iloc[0]


_FEW, _A_CHANCE = partial(below, bar=NEARLY), partial(above, bar=NEARLY)

_DECLARED = (
    *(
        (f"near-perfect colour balance, m = {m}", "uneven", m, _FEW,
         "{} have two or more games of one colour than of the other", ".1%")
        for m in REPEATS
    ),
    ("no two consecutive games with one colour", "repeats", 1, lambda low, _: fact(bool(low <= 0)),
     "{} games a player have the colour of the game before (m = 1)", ".3f"),
    *(
        (f"its rules break almost all ties for the first place, m = {m}", "first_tied", m, _FEW,
         "{} of the events are left to the lot (without counting moves)", ".1%")
        for m in REPEATS
    ),
    ("the lowest rated can meet the highest: one reaches the top tier (m = 1)", "risen", 1,
     _A_CHANCE, "one who started in the lowest tier reaches it in {} of the events", ".1%"),
    ("... and has a chance to win (m = 1)", "from_lowest", 1, _A_CHANCE,
     "one who started in the lowest tier wins in {} of the events", ".1%"),
)  # fmt: skip

CLAIMS = [
    Claim(text, SOURCE, partial(_counted, what=what, m=m, verdict=verdict, said=said, form=form))
    for text, what, m, verdict, said, form in _DECLARED
]
"""Claims about multi-tier events alone; *m* is how often everybody of a tier meets everybody."""


def _accuracy(frames: Frames) -> list[Claim]:
    """The claim that multi-tier events are accurate, beside formats with about as many matches."""
    found = []
    for m, other in BESIDE:
        name = MULTI_TIER.format(m)
        matches = " and ".join(f"{_value(frames, one, 'games').value:.0f}" for one in (name, other))
        for what, text in ACCURATE.items():
            claim = f"accurate, m = {m}: {text} than in {other} ({matches} matches)"
            found.append(Claim(claim, SOURCE, partial(_apart, name=name, less=other, what=what)))
    return found


def _apart(frames: Frames, name: str, less: str, what: str) -> Judgement:
    one = where(frames["differences"], format=name, less=less, what=what).iloc[0]
    return Judgement(f"difference {_interval(one, '.3f')}", above(one.low, one.high))
