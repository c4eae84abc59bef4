"""An event while it is read: what every reader fills in, and the one function that makes an event.

A reader knows its file: it fills a `Draft` with the entrants in start order, their players, and a
`Pairing` for every match, game, bye or open match. What follows from these for every form of file
stands in `event_of` alone: which rounds are finished, what is open, who is drawn, what a bye pays,
how many boards a match has, and the notes on all that.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from tb2learn.events.files.byes import absent_rounds, rest_each_cycle
from tb2learn.events.files.fields import Fields, Notes
from tb2learn.events.files.groups import SeveralEvents, entrants_to_read, with_entrants
from tb2learn.events.files.pairings import BOARDS, Draft, Pairing
from tb2learn.events.files.schedules import say_play_offs, scheveningen_about
from tb2learn.events.files.slips import say_slips
from tb2learn.events.files.source import refusal
from tb2learn.events.model import TeamEvent, open_note, unfinished_note
from tb2learn.events.parts import (
    Game,
    Match,
    OpenMatch,
    Pair,
    bye_half_points,
    bye_points,
    matches_of,
    one_round,
    team_ratings,
    with_scoring,
)
from tb2learn.text import plain
from tb2learn.types import MAX_ROUNDS, InputError


@dataclass
class FinishedRounds:
    """What the finished rounds of an event are, and who is drawn in the next one."""

    matches: Sequence[Match]  # and byes, sorted, with the points that the event gives them
    games: Sequence[Game]
    boards: int  # of a match
    open: Sequence[OpenMatch] = ()
    drawn: Iterable[Pair] = ()
    pairings: Sequence[Pairing] = ()  # what matches were made of, if they are not yet compared


def event_of(draft: Draft) -> TeamEvent:
    """The event that a draft and its pairings describe.

    **Raises:** `InputError` if nothing in it is finished, or if it has too many rounds.
    """
    end = draft.unfinished
    if end <= MAX_ROUNDS:
        draft.notes.say(unfinished_note(end))
    finished = [p for p in draft.pairings if not p.is_open and p.round < end]
    waiting = [p for p in draft.pairings if p.is_open and p.round < end]
    _one_bye_each(draft, finished)
    # A bye that pays nothing or half is none of the drawing.
    drawn = [p.pair for p in draft.pairings if p.round == end and p.bye in ("", "pairing")]
    games = [*(game for pairing in finished for game in pairing.games), *draft.games]
    matches, boards = _matches(draft, finished, games)
    still_open = sorted(OpenMatch(p.round, p.number, *_both(p)) for p in waiting)
    matches = with_scoring(matches, draft.used_scoring)
    return complete_event(
        draft, FinishedRounds(matches, games, boards, still_open, drawn, finished)
    )


def complete_event(draft: Draft, results: FinishedRounds) -> TeamEvent:
    """The event of a draft whose results are known.

    **Raises:** `InputError` as `event_of`.
    """
    still_open, players, names = tuple(results.open), tuple(draft.players), tuple(draft.names)
    entrants = _entrants_asked_for(draft, results)
    if still_open:
        draft.notes.say(open_note(still_open, names, draft.individual))
    rounds = _rounds(draft, results.matches, still_open)
    met = [match for match in (*results.matches, *still_open) if match.team_b is not None]
    draft.say_later(rounds, 2 * len(met))
    about = scheveningen_about(draft, results.games)
    first = say_play_offs(draft, results.matches)
    # Who plays off may have met before.
    whole = [match for match in results.matches if not first or match.round < first]
    drawn = one_round(results.drawn)
    end = first - 1 if first else rounds
    say_slips(draft, results.pairings, whole, results.games, still_open, end, drawn)
    if 0 < draft.planned < end:
        draft.notes.say(f"{end} rounds were played, and the file plans {draft.planned}")
    for penalty in draft.penalties:
        if penalty.round > rounds:
            say_late_penalty(draft.notes, draft.names[penalty.team], penalty.round)
    ratings = tuple(draft.ratings)
    if not any(ratings):
        ratings = team_ratings(len(names), players, results.games)
    event = TeamEvent(
        name=draft.name,
        teams=names,
        rounds=rounds,
        boards=results.boards,
        matches=tuple(results.matches),
        ratings=ratings,
        players=players,
        games=tuple(results.games),
        planned=max(rounds, draft.planned),
        about=about,
        notes=draft.notes.lines,
        left_alone=tuple(draft.left_alone),
        scoring=draft.used_scoring,
        penalties=tuple(p for p in draft.penalties if p.round <= rounds),
        individual=draft.individual,
        published={heading: tuple(texts) for heading, texts in draft.published.items()},
        starts=tuple(draft.starts) if all(draft.starts) else (),
        contradictions=draft.notes.contradictions,
        drawn=drawn,
        open=still_open,
    )
    return event if entrants is None else with_entrants(event, entrants)


def _entrants_asked_for(draft: Draft, results: FinishedRounds) -> Set[int] | None:
    """The entrants of one of several events in the file; None if it is one event."""
    pairs = [(match.team_a, match.team_b) for match in (*results.matches, *results.open)]
    pairs += results.drawn
    met = [(a, b) for a, b in pairs if b is not None]
    asked = "" if draft.is_part else draft.options.group
    word = "player" if draft.individual else "team"
    try:
        return entrants_to_read(draft.names, met, draft.file, asked, word)
    except SeveralEvents as error:
        # A file that names the system of its tournament says that it is one.
        if not draft.about.get("type"):
            raise
        names = " and ".join(plain(name[:40]) for name in error.groups[:2])
        about = f"the {word}s who met {names} never met each other, and count as of one event"
        draft.notes.note_assumption(about)
        return None


def say_late_penalty(
    notes: Notes, name: str, round_number: int, place: Fields[Any] | None = None
) -> None:
    """Note that a penalty does not count, as its round has not been played."""
    about = "a penalty in a round that has not been played does not count"
    notes.say(about, place, ("team", f"{plain(name[:40])} in round {round_number}"))


def _one_bye_each(draft: Draft, finished: Sequence[Pairing]) -> None:
    """Take byes of a draft for absences, with a note, where an entrant would have two of them.

    Only those are taken of which the file says no more than that there is no opponent.
    """
    byes: dict[int, list[Pairing]] = defaultdict(list)
    for pairing in finished:
        if pairing.second is None and pairing.bye == "pairing" and pairing.round:
            byes[pairing.first].append(pairing)
    if all(len(of_entrant) < 2 for of_entrant in byes.values()):
        return
    entrants, rounds = range(len(draft.names)), max(pairing.round for pairing in finished)
    met = {(p.round, e) for p in draft.pairings if p.second is not None for e in p.pair}
    alone = {(r, e) for r in range(1, rounds + 1) for e in entrants if (r, e) not in met}
    if rest_each_cycle(alone, len(entrants)):
        return
    present = {entrant for r, entrant in met if r == rounds + 1}
    gone, taken = absent_rounds(alone, rounds, present), list[Pairing]()
    for entrant, of_entrant in byes.items():
        unsaid = [pairing for pairing in of_entrant if pairing.is_unsaid]
        stay = [pairing for pairing in of_entrant if not pairing.is_unsaid]
        for pairing in sorted(unsaid, key=lambda pairing: pairing.round):
            # A single bye stays, wherever it stands.
            if len(of_entrant) > 1 and ((pairing.round, entrant) in gone or stay):
                taken.append(pairing)
            else:
                stay.append(pairing)
    about = "nobody has two byes: who leaves, comes late or had one is absent"
    for pairing in taken:
        pairing.bye, pairing.half_points, pairing.match_points = "zero", None, (None, None)
        whom = f"{plain(draft.names[pairing.first][:40])} in round {pairing.round}"
        where = f"{draft.file}: line {pairing.line}: {about} ({whom})"
        draft.notes.note_assumption(
            about,
            pairing.line,
            lambda where=where: InputError(where),
            whom=("player" if draft.individual else "team", whom),
        )


def _both(pairing: Pairing) -> tuple[int, int]:
    """The two sides of a pairing that is no bye."""
    assert pairing.second is not None
    return pairing.first, pairing.second


def _matches(
    draft: Draft, finished: Iterable[Pairing], games: Sequence[Game]
) -> tuple[list[Match], int]:
    """The matches and byes of the finished rounds, sorted; and the boards of a match."""
    byes = [pairing for pairing in finished if pairing.second is None]
    scored = [_match(pairing) for pairing in finished if pairing.second is not None]
    decided = max((match.boards_decided for match in scored), default=0)
    if not (decided or games or draft.options.before_first):
        word = "game" if draft.individual else "match"
        raise InputError(f"{draft.file}: must have at least one finished {word}")
    boards = draft.boards or max([decided, *(game.board for game in games)]) or BOARDS
    boards = 1 if draft.individual else boards
    # What a bye pays depends on the boards, which only the matches show.
    matches = [*scored, *(_bye(pairing, draft, boards) for pairing in byes)]
    return sorted(matches, key=lambda match: (match.round, match.number)), boards


def _rounds(draft: Draft, matches: Sequence[Match], still_open: Iterable[OpenMatch]) -> int:
    """How many rounds there are; where they are not known, the most matches of a team."""
    rounds = max((match.round for match in matches), default=0)
    if not rounds and matches:
        counts = Counter(team for match in matches for team in match.teams)
        counts.update(team for match in still_open for team in (match.team_a, match.team_b))
        rounds = max(counts.values())
    if rounds > MAX_ROUNDS:
        allowed = f"a team must have at most {MAX_ROUNDS} matches, got {rounds}"
        raise InputError(f"{draft.file}: {allowed}")
    return rounds


def _match(pairing: Pairing) -> Match:
    """A finished match: by its games, else by its points."""
    if pairing.games:
        place = pairing.round, pairing.number
        (match,) = matches_of(pairing.games, {place: _both(pairing)})
        if pairing.half_points is not None:
            a, b = pairing.half_points
            match = replace(match, half_points_a=a, half_points_b=b)
    else:
        a, b = pairing.half_points or (0, 0)
        decided = (a + b) // 2 if pairing.decided is None else pairing.decided
        lost = pairing.forfeited if pairing.played else decided
        match = Match(pairing.round, pairing.number, *_both(pairing), a, b, decided, lost)
    return match.given(*pairing.match_points)


def _bye(pairing: Pairing, draft: Draft, boards: int) -> Match:
    """A bye with the points of the file, else those of the user, else those of its kind."""
    match_points, _ = pairing.match_points
    pays = draft.options.bye_points or draft.bye_points
    if draft.individual:
        pays = draft.options.player_bye(draft.used_scoring[0])
    if pairing.half_points is not None:
        half = pairing.half_points[0]
    elif match_points is None:
        match_points, half = bye_points(pairing.bye, boards, pays)
    else:
        half = bye_half_points(pairing.bye, boards)
    if not draft.individual and half > 2 * boards:
        got = f"{half / 2:g}"
        raise refusal(draft.file, pairing.line, "game_points_a", f"0..{boards}", got)
    return Match(
        pairing.round, pairing.number, pairing.first, None, half, 0, 0, 0, pairing.bye,
        match_points,
    )  # fmt: skip
