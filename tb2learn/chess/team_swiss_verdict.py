"""Where a round departs from FIDE's Swiss Team Pairing System (C.04.6), and by which article.

A round is judged bracket by bracket, each on the teams that the round itself has left, so that one
slip at the top makes no others below. `judge` compares a recorded round with what the rules make;
`refusals` says whom a team would have met before, and why it does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from tb2learn.chess.matching import bits_of, members_of
from tb2learn.chess.olympiad_pairing import Refusal
from tb2learn.chess.team_swiss import TeamRound, allocate

ARTICLES: Mapping[str, str] = {
    "[C1]": "they have met",
    "[C2]": "it had a bye or won by forfeit",
    "[C3]": "the teams that are left could not be paired",
    "[C4]": "fewer teams float up",
    "[C5]": "the teams that float up have higher scores",
    "[C6]": "the next score group needs fewer teams from below",
    "[C7]": "fewer of those who float up floated in the round before",
    "[C8]": "fewer colour preferences are denied",
    "[C9]": "fewer strong colour preferences are denied",
    "[C10]": "fewer opponents of those who float up floated in the round before",
    "3.4": "of an odd number of teams one has the bye",
    "3.4.1": "the others can be paired",
    "3.4.2": "it has the lowest score",
    "3.4.3": "of the lowest score it has played most matches",
    "3.4.4": "of equal ones it has the largest number",
    "3.5.4": "of equal sets the first in the order of numbers floats up",
    "3.6.3": "of equal pairings the first in the order of numbers stands",
    "4.3.1": "before their first match odd numbers have the initial colour",
    "4.3.2": "only one of them has a colour preference",
    "4.3.3": "they have opposite colour preferences",
    "4.3.4": "only one of them has a strong colour preference",
    "4.3.5": "the lower colour difference has White",
    "4.3.6": "the other way round than when their colours last differed",
    "4.3.7": "the colour preference of the first team",
    "4.3.8": "the other colour than the first team had last",
    "4.3.9": "the other colour than the second team had last",
}
"""The articles and criteria that decide, in words."""

REFUSED: Mapping[str, str] = {
    "[C1]": "they have met",
    "[C3]": "the others of the bracket could not be paired",
    "[C8]": "more colour preferences would be denied",
    "[C9]": "more strong colour preferences would be denied",
    "[C10]": "more opponents of those who float up would have floated in the round before",
    "3.6.3": "a team with a smaller number would have to change its opponent",
}
"""Why a pair is not made, in words."""

Pairs: TypeAlias = tuple[tuple[int, ...], ...]
Kind: TypeAlias = Literal["bye", "upfloaters", "pairs", "following", "colours"]


@dataclass(frozen=True)
class Departure:
    """Something in a round that the rules would not have made.

    **Fields:**

    - `kind`: the bye, who floats up, the pairs of a bracket, pairs that follow from these, or the
      colours of a pair.
    - `article`: which decides, a key of `ARTICLES`; empty for pairs that follow from others.
    - `real`, `right`: pairs of initial numbers, of colours White first, as they are and as the
      rules make them. Of a bye the team alone that has it, and that should.
    - `risen`, `rising`: who floats up, and who should.
    - `score`: of the bracket.
    """

    kind: Kind
    article: str
    real: Pairs = ()
    right: Pairs = ()
    risen: tuple[int, ...] = ()
    rising: tuple[int, ...] = ()
    score: float = 0


def judge(
    field: TeamRound, pairs: Iterable[tuple[int, int]], byes: Iterable[int]
) -> Iterator[Departure]:
    """What the rules would not have made of a round.

    **Arguments:** `field`: the teams that were there, before the round; `pairs`, `byes`: initial
    numbers; every team of the field is in one of them.

    **Raises:** `InputError` for a field that cannot be paired.
    """
    place = {team.number: k for k, team in enumerate(field.teams)}
    rival = {}
    for first, second in pairs:
        rival[place[first]], rival[place[second]] = place[second], place[first]
    resting, right_bye = [place[number] for number in byes], field.bye()
    departures = list[Departure]()
    if resting != ([] if right_bye is None else [right_bye]):
        departures.append(_bye_departure(field, resting, right_bye))
    left = field.everybody & ~bits_of(resting)
    while left:
        residents = field.top_group(left)
        risen = bits_of(rival[k] for k in members_of(residents)) & ~residents
        real = _pairs_of(field, rival, residents)
        # After a slip above nothing may be left that the rules can pair.
        if not field.pairable(left):
            met = [pair for pair in _pairs_of(field, rival, left) if field.met[pair]]
            departures.append(Departure("pairs", "[C1]", _numbers(field, met)))
            break
        departure = _bracket_departure(field, residents, left, risen, real)
        if departure is not None:
            departures.append(departure)
        left &= ~(residents | risen)
    yield from departures
    if departures:
        yield from _following(field, rival, right_bye, departures)


def _following(
    field: TeamRound, rival: Mapping[int, int], bye: int | None, departures: Sequence[Departure]
) -> Iterator[Departure]:
    """Pairs that are right after the slips above them, and that the rules would not have made."""
    said = {frozenset(pair) for departure in departures for pair in departure.real if pair}
    right = [pair for *_, pairs in field.paired_brackets(bye) for pair in _numbers(field, pairs)]
    made = {*map(frozenset, right)}
    paired = bits_of(rival)
    real = [
        pair
        for pair in _numbers(field, _pairs_of(field, rival, paired))
        if frozenset(pair) not in made | said
    ]
    teams = {number for pair in real for number in pair}
    instead = tuple(pair for pair in right if teams & {*pair})
    if real:
        yield Departure("following", "", tuple(real), instead)


def judge_colours(field: TeamRound, pairs: Iterable[tuple[int, int]]) -> Iterator[Departure]:
    """The pairs, White first, to whom the rules would have given the other colours (4.3)."""
    teams = {team.number: team for team in field.teams}
    for white, black in pairs:
        colours = allocate(teams[white], teams[black], field.rules, field.this_round)
        if colours.white.number != white:
            yield Departure("colours", colours.article, ((white, black),), ((black, white),))


def _bye_departure(field: TeamRound, resting: Sequence[int], right: int | None) -> Departure:
    """Why the bye is another's (3.4)."""
    article = "3.4"
    if len(resting) == 1 and right is not None:
        real, order = resting[0], field.bye_order()
        if real not in order:
            article = "[C2]"
        elif not field.pairable(field.everybody & ~(1 << real)):
            article = "3.4.1"
        elif field.scores[real] != field.scores[right]:
            article = "3.4.2"
        elif len(field.teams[real].played) != len(field.teams[right].played):
            article = "3.4.3"
        else:
            article = "3.4.4"
    numbers = tuple((field.teams[k].number,) for k in resting)
    rightly = () if right is None else ((field.teams[right].number,),)
    return Departure("bye", article, numbers, rightly)


def _bracket_departure(
    field: TeamRound, residents: int, left: int, risen: int, real: Sequence[tuple[int, int]]
) -> Departure | None:
    """What of a bracket the rules would have made otherwise; None if nothing is."""
    below = left & ~residents
    rising = field.upfloaters(residents, left)
    right = field.bracket(residents | bits_of(rising))
    if {*map(frozenset, real)} == {*map(frozenset, right)}:
        return None
    score = max(field.scores[k] for k in members_of(residents))
    if any(field.met[pair] for pair in real):
        article = "[C1]"
    elif risen != bits_of(rising):
        article = _article_of_sets(field, residents, below, risen, rising)
    else:
        article = _article_of_pairs(field, real, right, score)
    # Only what differs is shown.
    unlike = [pair for pair in real if frozenset(pair) not in {*map(frozenset, right)}]
    instead = [pair for pair in right if frozenset(pair) not in {*map(frozenset, real)}]
    kind: Kind = "pairs" if risen == bits_of(rising) else "upfloaters"
    return Departure(
        kind,
        article,
        _numbers(field, unlike),
        _numbers(field, instead),
        tuple(field.teams[k].number for k in members_of(risen)),
        tuple(field.teams[k].number for k in rising),
        score,
    )


def _article_of_sets(
    field: TeamRound, residents: int, below: int, real: int, right: Sequence[int]
) -> str:
    """Why other teams float up (3.5)."""
    risen = list(members_of(real))
    if not field.pairable(below & ~real):
        return "[C3]"
    if len(risen) != len(right):
        return "[C4]"
    if sorted(field.scores[k] for k in risen) != sorted(field.scores[k] for k in right):
        return "[C5]"
    following = field.following(residents)
    theirs = field.set_quality(below & ~real, following, risen)
    ours = field.set_quality(below & ~bits_of(right), following, right)
    return "[C6]" if theirs[0] != ours[0] else "[C7]" if theirs[1] != ours[1] else "3.5.4"


def _article_of_pairs(
    field: TeamRound,
    real: Sequence[tuple[int, int]],
    right: Sequence[tuple[int, int]],
    score: float,
) -> str:
    """Why a bracket has other pairs (3.6)."""
    theirs, ours = (
        np.sum([field.broken(pair, score)[:, 0, 1] for pair in pairs], axis=0)
        for pairs in (real, right)
    )
    unlike = np.flatnonzero(theirs != ours)
    return f"[C{8 + unlike[0]}]" if len(unlike) else "3.6.3"


def _pairs_of(field: TeamRound, rival: Mapping[int, int], group: int) -> list[tuple[int, int]]:
    """The pairs of the teams of a group, each with the smaller initial number first."""
    pairs = {frozenset((k, rival[k])) for k in members_of(group)}
    ordered = [sorted(pair, key=lambda k: field.teams[k].number) for pair in pairs]
    return sorted((top, bottom) for top, bottom in ordered)


def _numbers(field: TeamRound, pairs: Iterable[tuple[int, int]]) -> Pairs:
    return tuple((field.teams[a].number, field.teams[b].number) for a, b in pairs)


_MOST_TRIED = 60
"""Teams of the largest bracket in which it is asked what another pair would break."""


def refusals(field: TeamRound, group: int, number: int) -> list[Refusal]:
    """Whom the top member of a team's pair would have met before, and why it does not (3.6).

    **Arguments:** `group`: the bracket; `number`: the initial number of the top member.

    **Returns:** in the order of initial numbers, each with a key of `REFUSED`.
    """
    members, pairs = field.by_number(group), field.bracket(group)
    score = max(field.scores[k] for k in members)
    tops = [a for a, _ in pairs]
    at = next(k for k, top in enumerate(tops) if field.teams[top].number == number)
    taken = {k for pair in pairs[:at] for k in pair}
    reasons = []
    for rival in members[members.index(tops[at]) + 1 :]:
        if rival == pairs[at][1]:
            break
        if rival in taken or rival in tops[:at]:
            continue
        article = "[C1]"
        if not field.met[tops[at], rival]:
            rest = group & ~(1 << tops[at] | 1 << rival)
            if not field.pairable(rest):
                article = "[C3]"
            elif len(members) > _MOST_TRIED:
                continue
            else:
                forced = [(tops[at], rival), *field.bracket(rest)]
                article = _article_of_pairs(field, forced, pairs, score)
        reasons.append(Refusal(number, field.teams[rival].number, article))
    return reasons
