"""What is assumed where a Tournament Report File is unclear.

Each repair changes the records and says a note of what it assumed; a strict reader refuses the
first instead. They are applied in the order in which they stand here, and none needs the numbers of
boards.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tb2learn.events.files.byes import absent_rounds
from tb2learn.events.files.scores import PENALISED
from tb2learn.events.files.trf_records import (
    BYE_OF_LETTER,
    BYES,
    COLUMNS,
    GAPS,
    LISTS,
    OPEN,
    PLAYED,
    ROUND_WIDTH,
    ROUNDS_FROM,
    UNPLAYED,
    Place,
    RoundEntry,
    Trf,
    TrfRecord,
    entry_columns,
)
from tb2learn.events.parts import STANDARD_SCORING
from tb2learn.events.system import free_days
from tb2learn.text import plain
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS

# --------------------------------------------- records beside their columns, before all others

LONGEST = 6000
"""Characters of a record up to which its fields are looked for beside their columns."""
IN_ORDER = ("300", "320", "330", "240", "299")
"""Records without a name, whose fields are known by their order."""
POINTS = re.compile(r"[+-]?[0-9]+[.,][0-9]*", re.ASCII)
_WORD, _WHOLE = re.compile(r"\S+"), re.compile(r"[0-9]+", re.ASCII)


_NAMES = {"001": "name", "013": "team name", "310": "team name"}
"""The field of a record that may have letters of several bytes."""


def names_by_bytes(trf: Trf) -> None:
    """Lay out records whose names were padded by bytes: their fields stand before their columns.

    In UTF-8, GBK and Shift-JIS a letter has several bytes. By which of both the file counts show
    the columns between fields, which are blank: all records of the file are laid out alike.
    """
    moved: list[tuple[TrfRecord, str]] = []
    for kind, name in _NAMES.items():
        for line in trf[kind]:
            if not line.content.isascii() and len(line.content) <= LONGEST:
                laid_out = _by_bytes(line.content, COLUMNS[kind][name], trf.page)
                moved += [(line, laid_out)] if laid_out != line.content else []
    filled = sum(_filled_gaps(line.kind, line.content) for line, _ in moved)
    if sum(_filled_gaps(line.kind, laid_out) for line, laid_out in moved) < filled:
        for line, laid_out in moved:
            line.content = laid_out
            line.note_repair("a name is padded by bytes: what follows it is moved to its columns")


def _by_bytes(content: str, place: tuple[int, int], page: str) -> str:
    """A record, if the columns of its name are counted in bytes."""
    (first, last), data = place, content.encode(page, "replace")
    name, rest = (part.decode(page, "ignore") for part in (data[first - 1 : last], data[last:]))
    return f"{content[: first - 1]}{name.rstrip():{last - first + 1}}{rest}".rstrip()


def _filled_gaps(kind: str, content: str) -> int:
    """How many columns between the fields of a record are not blank."""
    if kind == "001":
        rounds = range(1, -(-(len(content) - ROUNDS_FROM + 1) // ROUND_WIDTH) + 1)
        gaps = [*GAPS, *(column for number in rounds for column in entry_columns(number)[1])]
    else:
        start, width = LISTS[kind]
        gaps = [last + 1 for _, last in COLUMNS[kind].values() if last + 1 < start]
        gaps += range(start + width, len(content) + 1, width + 1)
    return sum(content[column - 1 : column].strip() != "" for column in gaps)


def realign_columns(trf: Trf) -> None:
    """Move the fields of records that stand a column or more beside their place.

    Programs miscount a column. Such a record is known by its content: a field stands across the
    border of its columns. Records with a name are left as they are: where it ends is not known.
    """
    for record_type in IN_ORDER:
        for line in trf[record_type]:
            if len(line.content) <= LONGEST and not _fits(record_type, line.content):
                content = _laid_out(record_type, line.content)
                line.content = content or line.content
                if content is not None:
                    about = f"record {record_type} stands beside its columns"
                    line.note_repair(f"{about}: its fields are taken in their order")


def _fits(kind: str, content: str) -> bool:
    """Whether no field stands across a border of its columns."""
    start, width = LISTS.get(kind, (len(content) + 1, 0))
    spans = COLUMNS[kind].values()
    for word in _WORD.finditer(content, 4):
        column = word.start() + 1
        if column < start:
            if not any(first <= column and word.end() <= last for first, last in spans):
                return False
        elif (column - start) % (width + 1) + len(word[0]) > width:
            return False
    return True


def _laid_out(kind: str, content: str) -> str | None:
    """The record with its fields, taken in their order, in their columns; None if that fails.

    Points may be missing; one number of points alone is match points if it ends before the middle
    of both fields.
    """
    words = [(word[0], word.end()) for word in _WORD.finditer(content, 4)]
    line, fields = kind, dict[str, str]()
    for name, (low, high) in COLUMNS[kind].items():
        # Numbers with a decimal point are points, whole ones are rounds and teams.
        points = [POINTS.fullmatch(word) is not None for word, _ in words[:2]]
        if points == [True, False] or (name == "match points" and points == [True]):
            # One number alone is of the field that it stands nearer to.
            missing = name == "match points" and words[0][1] > 11
        else:
            missing = name.endswith("points") and points[:1] != [True]
        missing |= not words or (kind == "299" and name == "type" and points[0])
        fields[name] = "" if missing else words.pop(0)[0]
        if len(fields[name]) > high - low + 1:
            return None
        line = line.ljust(low - 1) + fields[name].rjust(high - low + 1)
    # Of points one may be missing; of other fields none.
    points_of = [name for name in fields if name.endswith("points")]
    complete = any(map(fields.get, points_of)) if points_of else all(fields.values())
    start, width = LISTS.get(kind, (0, 0))
    if not complete or any(len(word) > width or not _WHOLE.fullmatch(word) for word, _ in words):
        return None
    for index, (word, _) in enumerate(words):
        line = line.ljust(start - 1 + index * (width + 1)) + word.rjust(width)
    return line


# ------------------------------------------------------------------------- results of entries

STRAY = "a result against 0000 after the last game makes no round: it is left out"
RESTED = "0000 - - of a member beside a full match means: did not play"
"""Notes that the exported page says, too."""
HALF, ADJOURNED = "\u00bd", "?"
_AS_BYE = {half: letter for letter, half in BYES.items() if letter != "U"}


def plain_results(entries: Iterable[RoundEntry]) -> None:
    """Take results that are no letters of the format for the ones that they mean."""
    for entry in entries:
        # Against nobody the letters are those of byes, against an opponent those of games.
        others = (*UNPLAYED, *BYE_OF_LETTER) if entry.opponent is None else (*PLAYED, *UNPLAYED)
        # Programs print the half as they show it on screen.
        if entry.result == HALF:
            entry.line.note_repair(f"the result {HALF} is a draw")
            entry.result = "="
        if entry.result in (OPEN, ADJOURNED):
            about = f"the result {entry.result} means that the game has no result yet"
            entry.line.note_repair(about)
            entry.result = OPEN
        elif entry.opponent is None and entry.result in PLAYED:
            letter = _AS_BYE[PLAYED[entry.result]]
            bye = BYE_OF_LETTER[letter]
            entry.line.note_repair(f"the result {entry.result} against 0000 is a {bye}-point bye")
            entry.result = letter
        # A zero-point bye has no opponent: the pair did not play.
        elif entry.opponent is not None and entry.result == "Z":
            entry.line.note_repair("the result Z against an opponent: not played, and lost by both")
            entry.result = "-"
        elif entry.result not in ("", *others):
            where = "against 0000" if entry.opponent is None else "for a board"
            raise entry.error("result", f"one of {' '.join(others)} or blank {where}")


def stray_rounds(trf: Trf) -> None:
    """Leave out results against nobody after the last game: they make no round.

    A point that is won so makes one, unless the file says that it has fewer rounds.
    """
    rounds = [int(r) for line in trf["330"] if _WHOLE.fullmatch(r := line.text("round"))]
    for (r, _), entry in trf.entries.items():
        # A point that is won without an opponent may be a team's bye.
        won = entry.half_points and r <= (trf.planned or MAX_ROUNDS)
        if entry.opponent is not None or won:
            rounds.append(r)
    last = max(rounds, default=0)
    for key in [key for key in trf.entries if key[0] > last]:
        trf.entries.pop(key).line.note_repair(STRAY)


# --------------------------------------------------------------------- both players of a board

_POSSIBLE = {(2, 0), (1, 1), (0, 2), (0, 0)}
_PENALISED = {(1, 0), (0, 1)}


def pair(trf: Trf) -> None:
    """Find who met whom: the entries of both players of a board must agree.

    The entry of a player who lost by default may be missing or against `0000`; it is then made from
    the winner's. If several entries without a game name the same absent player, only the first
    keeps the opponent. A game that one of its players has alone counts for both.
    """
    absent: set[Place] = set()
    for key, entry in sorted(trf.entries.items()):
        r, player = key
        if entry.opponent is None:
            continue
        trf.pair(entry)
        # What the opponent's own record says of the round.
        back = trf.entries.get((r, entry.opponent))
        if back is None and entry.played:
            entry.line.note_repair("a game that only one of its players has counts for both")
            # The other colour and the other result make the entry that lacks.
            colour = {"w": "b", "b": "w"}.get(entry.colour, "")
            result = "1=0"[entry.half_points]
            back = RoundEntry(entry.line, r, entry.opponent, player, colour, result)
        elif back is None or (back.opponent is None and not (entry.played or back.played)):
            # The winner's entry tells of the one who did not come.
            lost = replace(entry, player=entry.opponent, colour="", result="-")
            back = replace(back or lost, opponent=player)
            absent.add((r, entry.opponent))
        trf.entries[r, entry.opponent] = back
        if (r, entry.opponent) in absent and not entry.played and back.opponent != player:
            # A second winner against the same absent player won alone.
            trf.entries[key] = replace(entry, opponent=None)
            continue
        if back.opponent != player:
            whose = f"a player whose own entry of the round (line {back.line.number})"
            raise entry.error("opponent", f"{whose} names this one")
        # Two results of one game: which one is right changes places, so nobody guesses.
        points = entry.half_points, back.half_points
        if entry.played != back.played or points not in _POSSIBLE | _PENALISED:
            raise entry.error("result", f"one that fits the opponent's (line {back.line.number})")
        # A game stands in two records, and is said once.
        if points in _PENALISED and player < entry.opponent:
            whom = "player", f"{entry.line.text('name')[:40]} in round {r}"
            trf.notes.say(PENALISED, entry.line, whom)
        # Colours change no points, so a contradiction is only noted.
        if entry.colour and trf.entries[key].colour == back.colour:
            about = "two players of a game have the same colour: that of the first one counts"
            entry.line.note_repair(about, "colours", "colour")
            trf.entries[r, entry.opponent] = replace(back, colour="")


# ------------------------------------------------------- members who rested, boards that lack


@dataclass
class _Side:
    """Entries of one team in one round: with an opponent, won alone, `0000 - -`."""

    paired: int = 0
    won: int = 0
    idle: list[Place] = field(default_factory=list)


def resting(trf: Trf) -> None:
    """Decide which entries `0000 - -` are boards, and how many boards a match has.

    A file of 2016 has an entry for every member in every round, mostly `0000 - -` where he did not
    play: a member who rested looks like one who lost by default. It is a board lost by default if
    there are boards for all such entries of the team, or if record 300 has it.
    """
    listed: set[Place] = set()
    fielded = [0]  # boards that a record 300 fills
    whole: dict[Place, int] = {}
    for row in trf.line_ups:
        whole[row.round, trf.teams.get(row.team, -1)] = len(row.players)
        for board, (_, start) in enumerate(row.players, start=1):
            fielded += [board] if start else []
            listed |= {(row.round, trf.numbers[start])} if start in trf.numbers else set()
    sides: dict[Place, _Side] = defaultdict(_Side)
    for key, entry in trf.entries.items():
        squad = sides[key[0], trf.team(key[1])]
        if entry.opponent is not None:
            squad.paired += 1
        elif entry.half_points:
            squad.won += 1
        # A member whom record 300 fields sat at a board, whatever his entry says.
        elif key not in listed:
            squad.idle.append(key)
    seats = max((_seats(trf, sides, place) for place in trf.opponent_of_team), default=0)
    # Colours were declared for fewer boards than were played.
    if trf.colours and seats > len(trf.colours):
        text = f"a match has {seats} boards, record 352 has {len(trf.colours)} colours"
        trf.notes.note_assumption(f"{text}: the boards count")
        trf.colours = ""
    # Declared boards count, as some may have been empty all the time.
    trf.boards = len(trf.colours) or min(max(seats, *fielded), MAX_BOARDS)
    if not trf.individual:  # a player's points field also has byes, which may pay anything
        _missing_points(trf, sides)
    for place, squad in sorted(sides.items(), key=lambda item: item[0]):
        free = (
            trf.boards - squad.paired - squad.won if place in trf.opponent_of_team else MAX_BOARDS
        )
        if len(squad.idle) > free:
            for key in squad.idle:
                trf.entries.pop(key).line.note_repair(RESTED)
            squad.idle.clear()
    _lacking_boards(trf, sides, {place for place, count in whole.items() if count >= trf.boards})


def _seats(trf: Trf, sides: Mapping[Place, _Side], place: Place) -> int:
    """The boards of the match of a team that somebody played or won by default."""
    squad = sides.get(place, _Side())
    opponents = sides.get((place[0], trf.opponent_of_team.get(place, -1)), _Side())
    return max(squad.paired, opponents.paired) + squad.won + opponents.won


def _missing_points(trf: Trf, sides: Mapping[Place, _Side]) -> None:
    """Count boards won by default that only the points field of a player tells of.

    A player with one point more than his results won the one board that both players have as lost
    by default; else, if he has `0000 - -` in one round in which the match of his team lacks a
    board, that board.
    """
    idle = {key for place in trf.opponent_of_team if place in sides for key in sides[place].idle}
    lost: dict[int, list[tuple[Place, RoundEntry]]] = defaultdict(list)
    for key, entry in trf.entries.items():
        if key in idle or (entry.opponent is not None and entry.result == "-"):
            lost[key[1]].append((key, entry))
    for player, losses in sorted(lost.items()):
        row, team = trf.rows[player], trf.team(player)
        if row.points is None or row.points - row.results[0] != 2:
            continue
        against = [(k, trf.entries[k[0], e.opponent]) for k, e in losses if e.opponent is not None]
        candidates = [key for key, back in against if back.result == "-"]
        how = "whose point nobody has"
        if not candidates:
            alone = (key for key, entry in losses if entry.opponent is None)
            candidates = [key for key in alone if _seats(trf, sides, (key[0], team)) < trf.boards]
            # Else the round in which his team is short of a board.
            how = "that the match of the team lacks"
        # Of several boards nobody knows which one it was.
        if len(candidates) != 1:
            continue
        (key,) = candidates
        # The point was won without a game.
        entry = trf.entries[key]
        trf.entries[key] = replace(entry, result="+")
        if entry.opponent is None:
            sides[key[0], team].idle.remove(key)
            sides[key[0], team].won += 1
        about = "a player with one point more in the points field than by the results won the one"
        bearer = "player", f"{row.line.text('name')[:40]} in round {key[0]}"
        trf.notes.note_assumption(f"{about} board {how} by default", row.line, whom=bearer)


def _lacking_boards(trf: Trf, sides: Mapping[Place, _Side], whole: set[Place]) -> None:
    """Name the matches that lack a board, unless a `whole` line-up says that it was empty."""
    lacking: list[str] = []
    for (r, team), opponent in sorted(trf.opponent_of_team.items()):
        if team > opponent or (r, team) not in sides or whole & {(r, team), (r, opponent)}:
            continue
        squad, against = sides[r, team], sides.get((r, opponent), _Side())
        # A win by default of the other side explains as many.
        alone = max(len(squad.idle) - against.won, 0) + max(len(against.idle) - squad.won, 0)
        # A match without any board is forfeited as a whole, and lacks none.
        if 0 < _seats(trf, sides, (r, team)) < trf.boards and not alone:
            lacking.append(f"round {r} {short(trf.names[team])} - {short(trf.names[opponent])}")
    if lacking:
        about = f"matches that lack one of {trf.boards} boards or more, which count as lost by both"
        trf.notes.note_assumption(f"{about}: {some(lacking)}", wrong="board")


def some(found: Sequence[str], most: int = 4) -> str:
    """How many, and the first of them."""
    return f"{len(found)}, {', '.join(found[:most])}{', ...' if len(found) > most else ''}"


def join_places(places: Sequence[str], most: int = 4) -> str:
    """The first of some places, and how many more there are."""
    rest = len(places) - most
    return ", ".join(places[:most]) + (f" and {rest} more" if rest > 0 else "")


def short(name: str) -> str:
    """A name in a note."""
    return plain(name[:40])


# -------------------------------------------------------------- byes that no record tells of


def blank_half_points(trf: Trf) -> None:
    """Take blank rounds of a player for half-point byes, as many as his points field has more.

    Programs leave the entry of such a bye blank. The first blank rounds are taken.
    """
    if trf.used_scoring != STANDARD_SCORING or trf.unfinished <= MAX_ROUNDS:
        return
    filled = trf.entries.keys() | trf.letters.keys() | trf.awaited.keys()
    for player, row in sorted(trf.rows.items()):
        missing = 0 if row.points is None else row.points - row.results[1]
        # Rounds of which the record says nothing at all.
        blank = [r for r in range(1, trf.rounds + 1) if (r, player) not in filled]
        for r in blank[:missing] if 0 < missing <= len(blank) else ():
            about = "a blank round, and half a point more in the points field, is a half-point bye"
            row.line.note_repair(about)
            trf.letters[r, player] = {"H": RoundEntry(row.line, r, player, None, "", "H")}


def missing_byes(trf: Trf) -> tuple[set[Place], set[Place]]:
    """Byes of teams without a match in a field of odd size, if the file tells of no bye at all.

    A team that leaves, or comes late, is absent for two rounds or more and has no bye in them; a
    team that had a bye gets no other one (C.04.1).

    **Returns:** round and team of every such bye, and of others without a match; of a round robin
    the free days, which only the totals of the file can make byes.
    """
    if trf.system is not None and trf.system.is_round_robin:
        return _free_days(trf, trf.system.cycles)
    # A file that tells of one bye tells of all: who has none was not paired.
    if trf.tells_of_byes:
        return set(), set()
    with_points = {(r, trf.team(player)) for (r, player), e in trf.entries.items() if e.half_points}
    with_points |= trf.letters.keys()
    rounds, teams = range(1, trf.rounds + 1), range(len(trf.names))
    alone = {(r, t) for r in rounds for t in teams if (r, t) not in trf.opponent_of_team}
    gone = absent_rounds(alone, trf.rounds, {team for pair in trf.drawn for team in pair})
    had = {team for _, team in alone & with_points}
    met = {t for r, t in trf.opponent_of_team if r <= trf.rounds}
    byes: set[Place] = set()
    unclear: set[Place] = set()
    for r in rounds:
        places = {(r, t) for t in teams} & alone
        candidates = {(r, t) for r, t in places - gone if t not in had}
        # In an odd field one team rests.
        if len(candidates) == 1 and not candidates & with_points:
            byes |= candidates
            had |= {team for _, team in candidates}
        if len(places) < len(teams):
            unclear |= {(r, t) for r, t in places if t in met} - byes - trf.letters.keys()
    return byes, unclear


def _free_days(trf: Trf, cycles: int) -> tuple[set[Place], set[Place]]:
    """Round and team of the free days of a round robin, and of others without a match."""
    rounds, teams = range(1, trf.rounds + 1), range(len(trf.names))
    alone = {(r, t) for r in rounds for t in teams if (r, t) not in trf.opponent_of_team}
    days = free_days(alone, len(teams), max(trf.rounds, trf.planned), cycles)
    # Letters that pay, and wins by default, say themselves what they are.
    paid = {place for place, letters in trf.letters.items() if {*letters} - {"U"}}
    paid |= {(r, trf.team(p)) for (r, p), entry in trf.entries.items() if entry.half_points}
    return {*days} - paid, alone - days - trf.letters.keys()
