"""Read an event from FIDE's Tournament Report File (TRF), versions of 2016 and 2026.

Each line is a record: columns 1-3 hold its type, the rest are fields in fixed columns of
characters, counted from 1. A file has players and their opponents but no matches: a match consists
of the games between members of two teams in a round. Records 300 (line-ups), 320 and 240 (byes),
330 (forfeited matches) and 299 (abnormal points) are applied afterwards.

Conventions where the format is ambiguous:

- A board is a game, or a point won or lost by default. Boards are numbered in the order of the
  line-ups: record 300, else the order of the team in 310, else in 013. If the line-ups of both
  teams contradict each other, the one of the team with the lower number counts.
- `0000 - -` beside a full match means that the player did not play (`trf_resting`); else it is a
  board lost by default.
- Two players with the opponent `0000`, not both winners, are paired if each is the next one in the
  line-up of his team.
- A player who lost by default need not have an entry: the entry of the winner names him.
- Colours that are not recorded follow record 352; without it they alternate, white first.
- A team without an opponent has the bye of record 320 or 240, else the best entry of its players,
  in this order: win by default, F, U, H, Z, loss by default.
- Symbols of record 162 start in columns 6, 15, 24, ... (as in FIDE's table), not 5, 13 (as in its
  text).
- A team without a match in a file that tells of no bye at all had the pairing-allocated bye, if it
  is the only one in its round that did not leave the event.
- A record 299 with teams and a round gives their points in that round; otherwise it gives the
  points of all results of its type. Without a type it is a penalty, see `trf_results`.
- A list of tie-breaks (212; 202, which leaves out the points) is kept as it is written.
- Other types of records (national ratings, readable cross-tables) are not read; they are listed in
  `TeamEvent.left_alone`.
- Points that follow from the games are compared with them (`trf_points`); ranks and strengths are
  not read.
- Fields that stand beside their columns are put in place (`trf_shifted`).

What is unclear is assumed with a note (`fields.Notes`), or refused by a strict reader. Two
different results of one game, a team in two matches of a round and points for a result that no
record explains are always refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from importlib.resources.abc import Traversable
from pathlib import PurePath

from tb2learn.events.formats.fields import Notes
from tb2learn.events.formats.options import STRICT, Reading
from tb2learn.events.formats.source import DATES, MAX_NAME, iso_date, read_bytes
from tb2learn.events.formats.trf_boards import (
    Forfeit,
    Seat,
    find_seats,
    first_team,
    forfeited_match,
    read_forfeits,
    read_line_ups,
    seat_game,
)
from tb2learn.events.formats.trf_draw import Draw, Place, read_draw
from tb2learn.events.formats.trf_lines import (
    ABOUT,
    MAX_PLAYERS,
    NAME,
    ORDER,
    PAIRING,
    ROUNDS,
    Columns,
    Records,
    read_records,
)
from tb2learn.events.formats.trf_points import (
    compared,
    read_game_scoring,
    read_scoring,
    unpaid_byes,
)
from tb2learn.events.formats.trf_resting import LineUp, missing_byes, say_byes, settle
from tb2learn.events.formats.trf_results import (
    Payment,
    read_byes,
    say_payments,
    with_abnormal_points,
)
from tb2learn.events.formats.trf_shifted import put_in_place
from tb2learn.events.formats.trf_squads import (
    Roster,
    is_individual,
    leave_teams_alone,
    players_as_squads,
    read_roster,
    read_squads,
)
from tb2learn.events.model import TIEBREAKS, TeamEvent, unfinished_note
from tb2learn.events.parts import Game, Match, matches_of, team_ratings, with_scoring
from tb2learn.text import shown
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, InputError


def read_trf_file(source: Traversable, name: str, options: Reading) -> TeamEvent:
    """The event in a file; as `read_trf`."""
    return read_trf(read_bytes(source), source.name, options)


def read_trf(data: bytes, file: str, options: Reading = STRICT) -> TeamEvent:
    """Read an event from a Tournament Report File of either version.

    A file without teams is one of an individual event, see `trf_squads`. Lines end with CR, LF or
    CRLF; the text is UTF-8, else Latin-1.

    **Arguments:**

    - `data`: the content, at most `MAX_BYTES`.
    - `file`: its name, for messages, and for the event if the content does not name it.
    - `options`: how strict to be, and what the user knows about the file.

    **Returns:** a `TeamEvent` with players and games; the matches of a round are numbered in the
    order of the lower of their team numbers.

    **Raises:** `InputError`, one line with file, line and columns, for a file that is not a valid
    event.
    """
    file = shown(file)
    notes = Notes(options.strict, file)
    records = read_records(data, file, notes)
    put_in_place(records)
    individual = is_individual(records, options)
    if individual:
        leave_teams_alone(records)
    payment = _payment(records, individual, options)
    about = _about(records)
    squads = (players_as_squads if individual else read_squads)(records)
    roster = read_roster(records, squads, individual)
    planned = list(_planned(records))
    say_payments(records, individual)
    played = _played(records, roster, options, payment)
    payment = replace(payment, boards=played.boards)
    event = TeamEvent(
        name=about.pop("name", None) or PurePath(file).stem or file,
        teams=roster.names,
        rounds=played.rounds,
        boards=played.boards,
        matches=(),
        ratings=(),
        players=roster.players,
        planned=max(played.rounds, *planned, 0),
        about=about,
        left_alone=tuple(f"records {kind}" for kind in sorted(records.others)),
        scoring=payment.scoring,
        individual=individual,
        published=_published(records, roster, individual),
        starts=tuple(squad.number for squad in squads),
        drawn=played.draw.drawn,
    )
    event = _with_byes(event, records, played, payment, options)
    if played.draw.unfinished > MAX_ROUNDS:
        event = compared(event, records, roster, options)
    return replace(event, notes=notes.lines)


def _with_byes(
    event: TeamEvent, records: Records, played: _Played, payment: Payment, options: Reading
) -> TeamEvent:
    """The event with what was played, and with the byes of which its file does not tell."""
    draw = played.draw
    told = bool(records["320"] or records["240"] or draw.letters)
    byes, others = missing_byes(draw, told, played.rounds)
    found = _with_results(event, records, played, payment, byes)
    if denied := unpaid_byes(found, records, draw.roster, byes):
        byes, others = byes - denied, others | denied
        found = _with_results(event, records, played, payment, byes)
    say_byes(draw.roster.names, byes, others, payment, options, records.notes)
    return found


def _with_results(
    event: TeamEvent, records: Records, played: _Played, payment: Payment, byes: Set[Place]
) -> TeamEvent:
    """The event with games, matches and penalties; `byes` pay what `payment` says."""
    roster = played.draw.roster
    unsaid = {place: payment.bye(*place) for place in byes}
    games, matches = _games_and_matches(replace(played, byes={**played.byes, **unsaid}))
    results, penalties = with_abnormal_points(
        records,
        roster.teams,
        with_scoring(matches, payment.scoring),
        played.rounds,
        replace(payment, bye_points=None),
    )
    ratings = team_ratings(len(roster.names), roster.players, games)
    return replace(event, matches=results, games=tuple(games), ratings=ratings, penalties=penalties)


def _payment(records: Records, individual: bool, options: Reading) -> Payment:
    """What rounds pay, without the number of boards."""
    if individual:
        scoring, bye_points = read_game_scoring(records, options)
    else:
        scoring, bye_points = read_scoring(records, options), options.bye_points
    return Payment(0, scoring, bye_points, individual)


@dataclass(frozen=True)
class _Played:
    """What was played.

    **Fields:**

    - `draw`: who met whom.
    - `seats`, `byes`, `forfeits`: by round and team.
    - `rounds`: that are finished.
    - `colours`: of the first team by board; empty if no record gives them.
    - `boards`: of a match.
    """

    draw: Draw
    seats: Mapping[Place, Sequence[Seat]]
    byes: Mapping[Place, Match]
    forfeits: Mapping[Place, Forfeit]
    rounds: int
    colours: str
    boards: int


def _played(records: Records, roster: Roster, options: Reading, payment: Payment) -> _Played:
    """Who met whom, on which boards, and who had a bye; `payment` lacks the number of boards."""
    notes = records.notes
    draw = read_draw(records, roster)
    if draw.unfinished <= MAX_ROUNDS:
        notes.say(unfinished_note(draw.unfinished))
    forfeits = read_forfeits(records, draw)
    colours = _colours(records)
    boards = settle(draw, len(colours), list(_line_ups(records, roster)), notes)
    if boards != len(colours):
        colours = ""
    line_ups = read_line_ups(records, draw)
    rounds = max((key[0] for key in (*draw.entries, *forfeits)), default=0)
    seats = find_seats(draw, line_ups, forfeits, rounds, len(colours) or MAX_BOARDS)
    if not any(seats.values()):
        raise InputError(f"{records.file}: must have at least one game of a finished round")
    boards = len(colours) or max(seat.board for match in seats.values() for seat in match)
    byes = read_byes(records, draw, rounds, replace(payment, boards=boards))
    return _Played(draw, seats, byes, forfeits, rounds, colours, boards)


def _line_ups(records: Records, roster: Roster) -> Iterator[LineUp]:
    """The line-ups in records 300."""
    for line in records["300"]:
        starts = [start for _, start in line.listed("start number", MAX_PLAYERS)]
        players = [roster.numbers[start] for start in starts if start in roster.numbers]
        round_number, team = line.integer("round", 1, MAX_ROUNDS), line.integer("team", 0, 999, 0)
        yield LineUp(round_number, roster.teams.get(team, -1), players, len(starts))


def _planned(records: Records) -> Iterator[int]:
    """Planned rounds."""
    assumed = f"a number of rounds that is not 1..{MAX_ROUNDS} is left out"
    field = Columns(4, None, "rounds")
    for line in (line for kind in ROUNDS for line in records[kind]):
        if line.notes.strict:
            yield line.integer(field, 1, MAX_ROUNDS)
        else:
            yield line.needless(assumed, field, MAX_ROUNDS)


def _games_and_matches(played: _Played) -> tuple[list[Game], list[Match]]:
    """The games and matches, by round and number; see `read_trf` for the numbers of the matches."""
    count: Counter[int] = Counter()
    pairs: dict[tuple[int, int], tuple[int, int]] = {}
    games: list[Game] = []
    matches: dict[tuple[int, int], Match] = {}
    seats, colours, players = played.seats, played.colours, played.draw.roster.players
    for place in sorted((*seats, *played.byes)):
        round_number, team = place
        count[round_number] += 1
        key = (round_number, count[round_number])
        if place in played.byes:
            matches[key] = replace(played.byes[place], number=key[1])
            continue
        other = played.draw.rivals[place]
        first = first_team(seats[place], (team, other), played.forfeits.get(place), colours)
        pairs[key] = (first, team + other - first)
        games += (seat_game(key, seat, pairs[key], players, colours) for seat in seats[place])
    for match in matches_of(games, pairs):
        place = (match.round, min(pairs[match.round, match.number]))
        if not seats[place] and place in played.forfeits:
            match = forfeited_match(match, played.forfeits[place], played.boards)
        matches[match.round, match.number] = match
    return games, [matches[key] for key in sorted(matches)]


def _about(records: Records) -> dict[str, str]:
    """Name, city, dates and so on; with notes on texts that had to be shortened."""
    about: dict[str, str] = {}
    for kind, key in ((NAME, "name"), *ABOUT.items()):
        lines = records[kind]
        text = ", ".join(filter(None, (line.cut(5) for line in lines)))
        if len(text) > MAX_NAME:
            assumed = f"record {kind} is cut to {MAX_NAME} characters"
            records.notes.odd(assumed, lines[0], aside="")
            text = text[:MAX_NAME].rstrip()
        if text:
            about[key] = iso_date(text) if key in DATES else text
    scores = [re.findall("_([MG]P)", line.cut(5)) for line in records[PAIRING]]
    by_games = any(found[:1] == ["GP"] for found in scores)
    for kind, first in ORDER.items():
        listed = first + ",".join(line.cut(5).strip(" ,") for line in records[kind])
        if listed != first:
            points = "GPTS" if by_games else "PTS"
            about.setdefault(TIEBREAKS, re.sub(r"\bPTS\b", points, listed)[:MAX_NAME])
    return about


def _published(records: Records, roster: Roster, individual: bool) -> dict[str, tuple[str, ...]]:
    """Places and points in records 001 of an individual event, else in records 310."""
    if individual:
        lines, fields = roster.lines, {"place": "rank", "points": "points"}
    else:
        lines = {roster.teams[line.integer("team number", 1, 999)]: line for line in records["310"]}
        fields = {"place": "rank", "mp": "match points", "gp": "game points"}
    found = {
        name: tuple(
            lines[number].text(field) if number in lines else ""
            for number in range(len(roster.names))
        )
        for name, field in fields.items()
    }
    return {name: texts for name, texts in found.items() if any(texts)}


def _colours(records: Records) -> str:
    """Colours of the first team, board by board; empty without record 352."""
    found = ""
    field = Columns(5, None, "board colours")
    for line in records["352"]:
        colours = line.text(field).upper()
        if re.fullmatch(f"[WB]{{1,{MAX_BOARDS}}}", colours):
            found = colours
            continue
        assumed = "board colours that are none are left out"
        line.odd(assumed, field, f"1..{MAX_BOARDS} letters W or B", aside="")
    return found
