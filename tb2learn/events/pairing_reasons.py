"""Why the teams of a round are paired as they are, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from tb2learn.chess.matching import bits_of
from tb2learn.chess.olympiad_pairing import PairedTeam, RoundPair
from tb2learn.chess.team_swiss import SwissRules, SwissTeam, TeamPairing, TeamRound, allocate
from tb2learn.chess.team_swiss_verdict import ARTICLES, REFUSED, refusals
from tb2learn.events.explain import team_number
from tb2learn.events.next_round import NextRound
from tb2learn.events.paired_teams import initial_numbers
from tb2learn.text import plain_number
from tb2learn.types import InputError


def reasons(made: NextRound, team: str) -> Iterator[str]:
    """Why a team is paired as it is, one sentence after the other.

    **Raises:** `InputError` for a team that is not in the event, or absent.
    """
    at = team_number(made.event, team)
    mine, name = initial_numbers(made.event)[at], made.event.teams[at]
    if mine not in made.teams:
        raise InputError(f"{name} is not paired in round {made.round}: it is taken to be absent")
    if isinstance(made.rules.rules, SwissRules):
        yield from _swiss_reasons(made, made.rules.rules, mine)
        return
    # Sentences go from the team to its group, then to its opponent.
    state, pairing = made.teams[mine], made.pairing
    rank = pairing.order.index(mine) + 1 if mine in pairing.order else None
    place = f", rank {rank} of {len(pairing.order)}" if rank else ""
    yield f"{name} has {_points(state.match_points)} (initial number {mine}{place})."
    if pairing.bye == mine:
        yield "It has the bye, as the lowest ranked team that had no bye and no win by default."
        return
    pair = next(p for p in pairing.pairs if mine in (p.white, p.black))
    opponent = pair.black if pair.white == mine else pair.white
    if pairing.median is None:
        yield "In the first round the upper half of the initial order meets the lower half."
    else:
        yield from _group_reasons(made, state, pair)
        yield from _refusals(made, mine, opponent)
    # On the first board, as the rules count colours of teams.
    colour = "White" if pair.white == mine else "Black"
    history = "".join(state.colours.strip("-")) or "none so far"
    yield (
        f"It meets {made.name(opponent)} ({_points(made.teams[opponent].match_points)}) with "
        f"{colour} on board 1; its colours there: {history}."
    )


def _group_reasons(made: NextRound, own: PairedTeam, pair: RoundPair) -> Iterator[str]:
    pairing = made.pairing
    group = [team for team in made.teams.values() if team.match_points == own.match_points]
    size = sum(team.number != pairing.bye for team in group)
    median = pairing.median or 0
    order = "the median group, which is paired last"
    if own.match_points > median:
        order = "paired from the top, the highest rank first"
    elif own.match_points < median:
        order = "paired from the bottom, the lowest rank first"
    yield f"Its group has {size} team{'s' * (size != 1)}: {order}."
    floats = [points for team, points in pairing.floats if team == own.number]
    if floats:
        towards = "down" if own.match_points > median else "up"
        yield f"It floats {towards} to the group of {_points(pair.group)}."
    if pair.how == "merged":
        yield "The groups in the middle could not be paired apart, so they were paired as one."


def _refusals(made: NextRound, mine: int, other: int) -> Iterator[str]:
    """Whom the team, or its opponent, tried before, and why that was refused."""
    meanings = {
        "met": "they have met",
        "colours": "both need the same colour",
        "rest": "the rest of the group could not be paired",
    }
    for team in (mine, other):
        tried = {}
        for refusal in made.pairing.refusals:
            if refusal.team == team and refusal.other not in (mine, other):
                tried[refusal.other] = meanings[refusal.why]
        if tried:
            texts = "; ".join(f"{made.name(rival)}: {why}" for rival, why in tried.items())
            yield f"{made.name(team)} tried before: {texts}."


def _swiss_reasons(made: NextRound, rules: SwissRules, mine: int) -> Iterator[str]:
    """The same by C.04.6, with its articles."""
    teams = {n: team for n, team in made.teams.items() if isinstance(team, SwissTeam)}
    pairing, own = made.pairing, teams[mine]
    assert isinstance(pairing, TeamPairing)
    points = f"{_points(own.match_points)} and {plain_number(own.game_points)} game points"
    yield f"{made.name(mine)} has {points} (initial number {mine})."
    if pairing.bye == mine:
        yield (
            "It has the bye: of the teams that may have it ([C2]) and leave the others a pairing "
            "(3.4.1) it has the lowest score (3.4.2), then most matches (3.4.3), then the largest "
            "number (3.4.4)."
        )
        return
    pair = next(p for p in pairing.pairs if mine in (p.white, p.black))
    bracket = next(b for b in pairing.brackets if mine in (*b.residents, *b.upfloaters))
    unit = "game" if rules.primary == "GP" else "match"
    level = f"{plain_number(float(bracket.score))} {unit} points"
    if mine in bracket.upfloaters:
        yield f"It floats up to the bracket of {level} (3.5)."
    size, risen = len(bracket.residents), bracket.upfloaters
    rising = ", ".join(f"{made.name(n)} ({plain_number(float(made.score(n)))})" for n in risen)
    floating = f", and {len(risen)} from below: {rising}" if risen else ""
    yield f"Its bracket has the {size} team{'s' * (size != 1)} of {level}{floating}."
    broken = zip(("[C8]", "[C9]", "[C10]"), bracket.broken, strict=True)
    if any(bracket.broken):
        counts = ", ".join(f"{name} {count} times" for name, count in broken if count)
        yield f"No pairing of the bracket breaks less than this one: {counts}."
    # Who has the smaller number looks for an opponent (3.6.1).
    field = TeamRound(teams.values(), rules, made.this_round)
    place = {team.number: k for k, team in enumerate(field.teams)}
    group = bits_of(place[n] for n in (*bracket.residents, *risen))
    top, bottom = sorted((pair.white, pair.black))
    if refused := refusals(field, group, top):
        texts = (f"{made.name(r.other)}: {REFUSED[r.why]} ({_cited(r.why)})" for r in refused)
        yield f"Smaller numbers than {made.name(bottom)} are tried before: {'; '.join(texts)}."
    colour, opponent = ("White", pair.black) if pair.white == mine else ("Black", pair.white)
    article = allocate(own, teams[opponent], rules, made.this_round).article
    yield (
        f"It meets {made.name(opponent)} ({_points(made.teams[opponent].match_points)}) with "
        f"{colour} on board 1 ({article}: {ARTICLES[article]}); its colours there: "
        f"{own.colours.strip('-') or 'none so far'}."
    )


def _cited(article: str) -> str:
    """An article without the brackets that criteria have."""
    return article.strip("[]")


def _points(points: float) -> str:
    return f"{plain_number(float(points))} match point{'s' * (points != 1)}"
