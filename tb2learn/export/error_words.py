"""What differences of errors say, in one form: ties of 100, and per cent of the errors."""

from __future__ import annotations

import math
from typing import NamedTuple

from tb2learn.config import assumed
from tb2learn.export.rule_names import called
from tb2learn.export.texts import decimal, words
from tb2learn.stats import Difference
from tb2learn.training.objectives import Checkpoint, held_out_errors, too_few_events


def fewer_or_more(found: Difference, language: str = "en", digits: int = 1) -> str:
    """What a difference of errors says, such as `5.7 fewer (95 % interval 5.2 to 6.4), 23.4 % ...`.

    The per cent are of the errors of what it is compared with. Without an interval none is named;
    one that has 0 in it shows no difference.
    """
    text = words(language)

    def number(share: float) -> str:
        return decimal(f"{found.unit * abs(share):.{digits}f}", text)

    def directed(share: float) -> str:
        return text[f"difference.{_direction(share)}"].format(number=number(share))

    # On one side of 0 the direction is said once, and the end near 0 comes first.
    outwards, end = (-found if found.side < 0 else found), number if found.side else directed
    said = directed(found.value) if found.side else text["difference.none"]
    if not math.isnan(found.low):
        ends = {"low": end(outwards.low), "high": end(outwards.high)}
        said += f" ({text['difference.interval'].format(**ends)})"
    # Of no errors nothing is a part.
    if found.side and found.shares[1] > 0:
        part = decimal(f"{100 * abs(found.value) / found.shares[1]:.1f}", text)
        said += f", {text[f'difference.{_direction(found.value)}_errors'].format(part=part)}"
    return said


def _direction(share: float) -> str:
    return "more" if share > 0 else "fewer"


def errors_of_hundred(found: Difference, ties: str = "") -> str:
    """How many of 100 ties two rules decide wrongly, and by how much they differ.

    **Arguments:** `found`: of errors, as `error_rates.compared` gives it; `ties`: which ones.
    """
    # A small trial may have no tie for first place.
    if math.isnan(found.value):
        return f"There were no ties{ties} in these events"
    own, than = (f"{100 * share:.1f}" for share in found.shares)
    return (
        f"Of 100 ties{ties} {called(found.of)} decides {own} wrongly, "
        f"{called(found.than)} {than}: {fewer_or_more(found)}"
    )


def that_reach(top: str) -> str:
    """Which ties belong to a population, behind `ties` in a sentence."""
    named = {"1": " for first place", "all": ""}
    return named.get(top, f" that reach into the top {top}")


def is_it_better(checkpoint: Checkpoint) -> str:
    """The last chapter of a training in words; empty without it, or if no teams were tied."""
    pairs, rules = held_out_errors(checkpoint)
    if not pairs or "held_out" not in checkpoint.findings:
        return ""
    shares = [(name, errors / pairs) for name, errors in rules]
    # Of the passes the last one is enough.
    (today, wrong), (surface, missed), (last, left) = *shares[:2], shares[-1]
    found = Difference(last, today, left - wrong, shares=(left, wrong))
    held_out = f" in {checkpoint.config.train.held_out:,} held-out events"
    return (
        f"{errors_of_hundred(found, held_out)}; {surface} {100 * missed:.1f}.\n"
        "Judged by the oracle: who would score more match points if everybody played everybody."
    )


class TrainingNotes(NamedTuple):
    """What is said of a training once it is through.

    **Fields:**

    - `better`: how many ties it decides wrongly, beside today's rule; empty if nobody counted.
    - `few`: that its events were too few, and how many are enough; empty otherwise.
    - `assumed`: what it takes for granted.
    """

    better: str
    few: str
    assumed: str


def training_notes(checkpoint: Checkpoint) -> TrainingNotes:
    """How good a training is, whether its events were too few, and what it takes for granted."""
    few = too_few_events(checkpoint)
    assumes = f"Assumed: {assumed(checkpoint.config)}."
    return TrainingNotes(is_it_better(checkpoint), few and f"{checkpoint.name}: {few}", assumes)
