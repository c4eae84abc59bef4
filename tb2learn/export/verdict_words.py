"""What decides between two teams, in sentences of every language of the sheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from tb2learn.events.ranking import rounded
from tb2learn.export.document import cell_text
from tb2learn.export.words import decimal, words

if TYPE_CHECKING:
    from tb2learn.events.verdict import OtherResult, Turning, Verdict

LISTED = 3
"""How many matches that would have turned the order are named, if there are two or more others."""


def verdict_text(
    verdict: Verdict,
    language: str = "en",
    players: bool = False,
    called: Callable[[str], str] = str,
) -> str:
    """What decides between two teams, and which result of others would have turned it.

    **Arguments:**

    - `language`: one of `LANGUAGES`.
    - `players`: as for `words`.
    - `called`: how a name is written in a sentence.
    """
    text = words(language, players)
    high, low = verdict.scores
    numbers = [decimal(cell_text(x), text) for x in (high, low, rounded(high - low))]
    sentence = text[f"verdict.{_kind(verdict)}"].format(
        first=called(verdict.first),
        second=called(verdict.second),
        criterion=verdict.criterion,
        **dict(zip(("high", "low", "more"), numbers, strict=True)),
    )
    if verdict.turning:
        # A single further one is named, too: that is no longer than saying that there is one.
        matches = verdict.turning
        matches = matches if len(matches) <= LISTED + 1 else matches[:LISTED]
        named = [turning_text(match, text, called) for match in matches]
        rest = len(verdict.turning) - len(matches)
        named += [text["verdict.rest"].format(count=rest)] if rest else []
        changes = f"; {text['verdict.or']} ".join(named)
        return f"{sentence} {text['verdict.turned'].format(changes=changes)}"
    if verdict.tried and verdict.tied_on:
        return f"{sentence} {text['verdict.not_turned']}"
    return sentence


def _kind(verdict: Verdict) -> str:
    """The key of the sentence that says what decides."""
    if not verdict.criterion:
        return "equal"
    # How much more one has says nothing of ranks, nor of points, which are whole.
    return verdict.shown or ("more" if verdict.tied_on else "decides")


def turning_text(
    match: Turning, text: Mapping[str, str], called: Callable[[str], str] = str
) -> str:
    """Such as `had Mali drawn with Nicaragua (Mali-Nicaragua was 2½-1½)`."""
    return text["verdict.had"].format(
        results=_either([_result(other, text, called) for other in match.others], text),
        first=called(match.first),
        second=called(match.second),
        score=match.score,
    )


def _either(texts: Sequence[str], text: Mapping[str, str]) -> str:
    return f" {text['verdict.or']} ".join(texts)


def _result(other: OtherResult, text: Mapping[str, str], called: Callable[[str], str]) -> str:
    key = "verdict.drawn" if other.drawn else "verdict.won"
    scores = _either(other.scores, text)
    sentence = text[key].format(first=called(other.first), second=called(other.second))
    return f"{sentence} {scores}" if scores else sentence
