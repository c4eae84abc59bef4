"""An event while it is read: what every reader fills in, and the one function that makes an event.

A reader knows its file: it fills a `Draft` with the entrants in start order, their players, and a
`Pairing` for every match, game, bye or open match. What follows from these for every form of file
stands in `event_of` alone: which rounds are finished, what is open, who is drawn, what a bye pays,
how many boards a match has, and the notes on all that.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from typing import Any

from tb2learn.events.files.byes import absent_rounds
from tb2learn.events.files.fields import Fields, Notes
from tb2learn.events.files.groups import SeveralEvents, entrants_to_read, with_entrants
from tb2learn.events.files.pairings import BOARDS, Draft, Pairing
from tb2learn.events.files.schedules import (
    decide_system,
    said_type,
    say_play_offs,
    scheveningen_about,
)
from tb2learn.events.files.scores import written_points
from tb2learn.events.files.slips import say_slips
from tb2learn.events.files.source import refusal
from tb2learn.events.model import TeamEvent, open_note
from tb2learn.events.parts import (
    Match,
    OpenMatch,
    bye_half_points,
    bye_points,
    matches_of,
    sum_points,
    team_ratings,
)
from tb2learn.events.system import Meeting, System
from tb2learn.text import plain
from tb2learn.types import MAX_ROUNDS, InputError


def event_of(draft: Draft) -> TeamEvent:
    """The event that a draft and its pairings describe.

    **Raises:** `InputError` if nothing in it is finished, or if it has too many rounds.
    """
    end = draft.say_unfinished()
    finished = [p for p in draft.pairings if not p.is_open and p.round < end]
    if draft.system is None:  # a reader that compares totals has decided it, and settled its byes
        # First of all, and by all rounds: what an empty round is worth follows from it.
        draft.system = _system(draft)
        if draft.system.is_round_robin:
            _leave_out_free_days(draft, finished)
        else:
            _one_bye_each(draft, finished)
    finished = [p for p in draft.pairings if not p.is_open and p.round < end]
    games = (*(game for pairing in finished for game in pairing.games), *draft.games)
    matches, boards = finished_matches(draft)
    decided = any(match.team_b is not None and match.boards_decided for match in matches)
    if not (decided or games or draft.options.before_first):
        word = "game" if draft.individual else "match"
        raise InputError(f"{draft.file}: must have at least one finished {word}")
    _say_defaults(draft, matches)
    waiting = [p for p in draft.pairings if p.is_open and p.round < end]
    still_open = tuple(sorted(OpenMatch(p.round, p.number, *_both(p)) for p in waiting))
    players, names, drawn = tuple(draft.players), tuple(draft.names), draft.drawn
    entrants = _entrants_asked_for(draft, matches, still_open)
    if still_open:
        draft.notes.say(open_note(still_open, names, draft.individual))
    rounds = _rounds(draft, matches, still_open)
    met = [match for match in (*matches, *still_open) if match.team_b is not None]
    draft.say_later(rounds, 2 * len(met))
    about = said_type(scheveningen_about(draft, games), draft.system)
    first = say_play_offs(draft, matches)
    # Who plays off may have met before.
    whole = [match for match in matches if not first or match.round < first]
    last = first - 1 if first else rounds
    say_slips(draft, finished, whole, games, still_open, last, drawn)
    if 0 < draft.planned < last:
        draft.notes.say(f"{last} rounds were played, and the file plans {draft.planned}")
    for penalty in draft.penalties:
        if penalty.round > rounds:
            say_late_penalty(draft.notes, draft.names[penalty.team], penalty.round)
    ratings = tuple(draft.ratings)
    if not any(ratings):
        ratings = team_ratings(len(names), players, games)
    event = TeamEvent(
        name=draft.name,
        teams=names,
        rounds=rounds,
        boards=boards,
        matches=matches,
        ratings=ratings,
        players=players,
        games=games,
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
        decided_system=draft.system,
    )
    event = draft.finish(event)
    return event if entrants is None else with_entrants(event, entrants)


def _system(draft: Draft) -> System:
    """What the event of a draft is."""
    meetings = [Meeting(p.round, *_both(p)) for p in draft.pairings if p.second is not None]
    said, planned = draft.said or draft.about.get("type", ""), draft.planned
    return decide_system(meetings, len(draft.names), planned, said, draft.options, draft.notes)


def _say_defaults(draft: Draft, matches: Iterable[Match]) -> None:
    """Where a lost match scores, say that one lost by default does not."""
    lost = draft.used_scoring[2] / (2 if draft.individual else 1)
    word = "game" if draft.individual else "match"
    about = f"a {word} lost by default pays 0, not the {lost:g} of a lost {word}"
    for match in matches if lost else ():
        points = zip(match.teams, match.given().match_points, match.match_points, strict=False)
        for team, implied, paid in points if match.team_b is not None and match.by_default else ():
            if implied == paid == 0:
                whom = f"{plain(draft.names[team][:40])} in round {match.round}"
                draft.notes.say(about, whom=("player" if draft.individual else "team", whom))


def _entrants_asked_for(
    draft: Draft, matches: Iterable[Match], still_open: Iterable[OpenMatch]
) -> Set[int] | None:
    """The entrants of one of several events in the file; None if it is one event."""
    pairs = [(match.team_a, match.team_b) for match in (*matches, *still_open)]
    met = [(a, b) for a, b in (*pairs, *draft.drawn) if b is not None]
    # What the program made itself is one event.
    if not draft.options.slips:
        return None
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


def _leave_out_free_days(draft: Draft, finished: Sequence[Pairing]) -> None:
    """Leave out of the pairings of a round robin its free days, which pay nothing.

    A round without an opponent is no bye there: everybody knew of it, and has as many. It pays what
    the user or the row itself says, and what the printed points of all entrants have
    (`kind.free_day_notes`).
    """
    unsaid = [p for p in finished if p.bye == "pairing" and not p.says_points]
    if not unsaid or draft.options.bye_points:
        return
    rest = [p for p in draft.pairings if p not in unsaid]
    if not _printed(draft) or _printed(replace(draft, pairings=rest)):
        draft.pairings = rest


def _printed(draft: Draft) -> bool:
    """Whether a printed column has the points of all entrants, of teams MP or GP, by pairings."""
    totals = sum_points(len(draft.names), finished_matches(draft)[0], draft.penalties)
    columns = [[half for _, half in totals]]
    columns += [[points * (1 if draft.individual else 2) for points, _ in totals]]
    printed = ([written_points(cell.strip()) for cell in c] for c in draft.published.values())
    return any(column in columns for column in printed)


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


def finished_matches(draft: Draft) -> tuple[tuple[Match, ...], int]:
    """The matches and byes of the finished rounds, sorted, with the points that the event gives.

    **Returns:** these, and the boards of a match.
    """
    end, scoring = draft.unfinished, draft.used_scoring
    finished = [p for p in draft.pairings if not p.is_open and p.round < end]
    matches = [_match(pairing, scoring) for pairing in finished if pairing.second is not None]
    games = (*(game for pairing in finished for game in pairing.games), *draft.games)
    most = max((*(m.boards_decided for m in matches), *(g.board for g in games)), default=0)
    boards = 1 if draft.individual else draft.boards or most or BOARDS
    # What a bye pays depends on the boards, which only the matches show.
    matches += [bye_of(pairing, draft, boards) for pairing in finished if pairing.second is None]
    return tuple(sorted(matches, key=lambda match: (match.round, match.number))), boards


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


def _match(pairing: Pairing, scoring: tuple[int, int, int]) -> Match:
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
    return match.given(*pairing.match_points).paid(scoring)


def bye_of(pairing: Pairing, draft: Draft, boards: int) -> Match:
    """A bye with the points of the file, else those of the user, else those of its kind."""
    match_points, _ = pairing.match_points
    half = usual = bye_half_points(pairing.bye, boards)
    if pairing.half_points is not None:
        half = pairing.half_points[0]
    elif match_points is None:
        match_points, half = bye_points(pairing.bye, boards, draft.bye_pays)
    if pairing.line and not draft.individual and half > 2 * boards:
        got = f"{half / 2:g}"
        raise refusal(draft.file, pairing.line, "game_points_a", f"0..{boards}", got)
    bye = Match(pairing.round, pairing.number, pairing.first, None, half, 0, 0, 0, pairing.bye)
    bye = bye.paid(draft.used_scoring)
    # Match points are set with other game points than those of the kind, or if they are others.
    if half != usual or match_points not in (None, bye.match_points[0]):
        bye = bye.given(bye.match_points[0] if match_points is None else match_points)
    return bye
