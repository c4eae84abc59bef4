"""Read an event from FIDE's Tournament Report File (TRF), versions of 2016 and 2026.

A file has players and their opponents but no matches: a match consists of the games between members
of two teams in a round. Lines become records (`trf_records`), what is unclear is assumed with a
note (`trf_repairs`), and the records become an event here. Boards are numbered last, as nothing
else needs them. Conventions where the format is ambiguous:

- A board is a game, or a point won or lost by default. Boards are numbered in the order of the
  line-ups: record 300, else the order of the team in 310, else in 013. If the line-ups of both
  teams contradict each other, the one of the team with the lower number counts.
- Two players with the opponent `0000`, not both winners, are paired if each is the next one in the
  line-up of his team.
- Colours that are not recorded follow record 352; without it they alternate, white first.
- A team without an opponent has the bye of record 320 or 240, else the best entry of its players,
  in this order: win by default, F, U, H, Z, loss by default.
- Symbols of record 162 start in columns 6, 15, 24, ... (as in FIDE's table), not 5, 13 (as in its
  text).
- A team without a match in a file that tells of no bye at all had the pairing-allocated bye, if it
  is the only one in its round that did not leave the event. Points in the file say what it paid.
- A record 299 with teams and a round gives their points in that round; otherwise it gives the
  points of all results of its type. Without a type it is a penalty: it changes the totals in the
  standings from the round on that it names, in round 999 (or without a round) those of the whole
  event, and no tie-break.
- Other types of records (national ratings, readable cross-tables) are not read; they are listed in
  `TeamEvent.left_alone`.

Two different results of one game, a team in two matches of a round and points for a result that no
record explains are always refused.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from importlib.resources.abc import Traversable
from pathlib import PurePath

from tb2learn.events.files import trf_repairs as repairs
from tb2learn.events.files.options import (
    FALLING,
    STRICT,
    Reading,
    half_points,
    match_scoring,
    player_points,
)
from tb2learn.events.files.source import DATES, MAX_NAME, read_bytes, written_date
from tb2learn.events.files.trf_records import (
    ABOUT,
    ALTERNATING,
    BYE_LETTERS,
    BYE_OF_LETTER,
    COLUMNS,
    LISTS,
    MAX_PLAYERS,
    NAME,
    ORDER,
    PAIRING,
    SERVERS,
    Columns,
    Line,
    Place,
    RoundEntry,
    Trf,
    read_entrants,
    read_entries,
    read_lines,
    sort_entries,
    tell_kind,
)
from tb2learn.events.model import TIEBREAKS, TeamEvent, open_note, team_totals, unfinished_note
from tb2learn.events.parts import (
    BYE_MATCH_POINTS,
    STANDARD_SCORING,
    Bye,
    Game,
    Match,
    OpenMatch,
    Penalty,
    bye_half_points,
    team_ratings,
    with_scoring,
)
from tb2learn.events.terms import terms
from tb2learn.text import shown
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, InputError


def read_trf_file(source: Traversable, name: str, options: Reading) -> TeamEvent:
    """The event in a file; as `read_trf`."""
    return read_trf(read_bytes(source), source.name, options)


def read_trf(data: bytes, file: str, options: Reading = STRICT) -> TeamEvent:
    """Read an event from a Tournament Report File of either version.

    A file without teams is one of an individual event. Lines end with CR, LF or CRLF; the text is
    UTF-8, else Latin-1.

    **Arguments:**

    - `data`: the content, at most `MAX_BYTES`.
    - `file`: its name, for messages, and for the event if the content does not name it.
    - `options`: how strict to be, and what the user knows about the file.

    **Returns:** a `TeamEvent` with players and games; the matches of a round are numbered in the
    order of the lower of their team numbers.

    **Raises:** `InputError`, one line with file, line and columns, for a file that is not a valid
    event.
    """
    trf = read_lines(data, shown(file), options)
    repairs.put_in_place(trf)
    tell_kind(trf)
    _read_payments(trf)
    about = _about(trf)
    read_entrants(trf)
    entries = read_entries(trf)
    repairs.plain_results(entries)
    sort_entries(trf, entries)
    _say_payments(trf)
    repairs.stray_rounds(trf)
    repairs.pair(trf)
    if trf.unfinished <= MAX_ROUNDS:
        trf.notes.say(unfinished_note(trf.unfinished))
    forfeits = _forfeits(trf)
    trf.colours = _colours(trf)
    repairs.resting(trf)
    trf.rounds = max((key[0] for key in (*trf.entries, *forfeits)), default=0)
    repairs.blank_half_points(trf)
    line_ups = _line_ups(trf)
    matches = {(match.round, match.team_a): match for match in _matches(trf, line_ups, forfeits)}
    event = TeamEvent(
        name=about.pop("name", None) or PurePath(trf.file).stem or trf.file,
        teams=trf.names,
        rounds=trf.rounds,
        boards=trf.boards,
        matches=(),
        ratings=(),
        players=tuple(trf.players),
        planned=max(trf.rounds, trf.planned),
        about=about,
        left_alone=tuple(f"records {kind}" for kind in sorted(trf.others)),
        scoring=trf.scoring,
        individual=trf.individual,
        published=_published(trf),
        starts=tuple(trf.teams),
        drawn=trf.drawn,
    )
    event = _with_byes(trf, event, matches)
    if trf.unfinished > MAX_ROUNDS:
        event = _compared(trf, event)
    event = _seated(trf, _without_start_ranks(trf, event), line_ups, forfeits)
    if not event.games:
        raise InputError(f"{trf.file}: must have at least one game of a finished round")
    if event.open:
        trf.notes.say(open_note(event.open, event.teams, event.individual))
    return replace(event, notes=trf.notes.lines, contradictions=trf.notes.contradictions)


# ----------------------------------------------------------------------------------- the event


def _about(trf: Trf) -> dict[str, str]:
    """Name, city, dates and so on; with notes on texts that had to be shortened."""
    about: dict[str, str] = {}
    for kind, key in ((NAME, "name"), *ABOUT.items()):
        text = ", ".join(filter(None, (line.cut(5) for line in trf[kind])))
        if len(text) > MAX_NAME:
            trf[kind][0].unclear(f"record {kind} is cut to {MAX_NAME} characters", "")
            text = text[:MAX_NAME].rstrip()
        if text:
            about[key] = (written_date(text) or text) if key in DATES else text
        if key == "start" and text and not written_date(text):
            trf.notes.say(f"the date in record {kind} is not understood", trf[kind][0])
    if any(re.search("ROUND.?ROBIN", line.cut(5).upper()) for line in trf[PAIRING]):
        about.setdefault("type", "Round Robin")
    scores = [re.findall("_([MG]P)", line.cut(5)) for line in trf[PAIRING]]
    points = "GPTS" if any(found[:1] == ["GP"] for found in scores) else "PTS"
    for kind, first in ORDER.items():
        listed = first + ",".join(line.cut(5).strip(" ,") for line in trf[kind])
        if listed != first:
            about.setdefault(TIEBREAKS, re.sub(r"\bPTS\b", points, listed)[:MAX_NAME])
    return about


def _colours(trf: Trf) -> str:
    """Colours of the first team, board by board; empty without record 352."""
    found = ""
    for line in trf["352"]:
        colours = line.cut(5).upper()
        if re.fullmatch(f"[WB]{{1,{MAX_BOARDS}}}", colours):
            found = colours
        else:
            line.unclear("board colours that are none are left out", "")
    return found


def _published(trf: Trf) -> dict[str, tuple[str, ...]]:
    """Places and points in records 001 of an individual event, else in records 310."""
    if trf.individual:
        lines, fields = trf.records, {"place": "rank", "points": "points"}
    else:
        lines = {trf.teams[line.integer("team number", 1, 999)]: line for line in trf["310"]}
        fields = {"place": "rank", "mp": "match points", "gp": "game points"}
    found = {
        name: tuple(lines[k].text(field) if k in lines else "" for k in range(len(trf.names)))
        for name, field in fields.items()
    }
    return {name: texts for name, texts in found.items() if any(texts)}


# ---------------------------------------------------------------------------- what rounds pay

SYMBOLS: Mapping[str, tuple[str, ...]] = {
    "162": ("W", "D", "L", "A", "P", "X"),
    "362": ("TW", "TD", "TL"),
}
GAME = {"W": 2, "D": 1, "L": 0, "A": 0}
"""Half points that a game must score; other symbols may score anything."""
PAIR = re.compile(r"(?<!\S)([A-Z]{1,2})\s*([0-9]{1,2}(?:[.,][0-9]*)?)(?!\S)", re.ASCII)
MOST_PENALTY = 99


def _read_payments(trf: Trf) -> None:
    """What rounds pay: as the user says, else the file, else 2, 1, 0 and 1, 1/2, 0.

    The pairing-allocated bye of a player pays a win unless the file says otherwise.
    """
    options = trf.options
    kind, asked, what = "362", options.match_points, "match points"
    trf.bye_source = "a drawn match, as at Olympiads"
    said = _said(trf, "162", {"A": 0} if trf.individual else GAME)
    if trf.individual:
        kind, asked, what = "162", options.game_scoring, "points of a game"
        trf.bye_source = "as the file says, else a win"
        for server, symbol in SERVERS.items():
            for line in trf[server]:
                said[symbol] = line.points(Columns(5, None, f"points of {symbol}"), 0, 99)
        won, drawn, lost = (said.get(s, p) for s, p in zip("WDL", STANDARD_SCORING, strict=True))
        if not won > drawn >= lost >= 0:
            line = next(line for kind in ("162", *SERVERS) for line in trf[kind])
            allowed = "points that fall from won to drawn to lost"
            raise line.error(Columns(6, None, "points"), allowed)
        scoring = won, drawn, lost
    else:
        said = _said(trf, "362", {})
        usual = zip(SYMBOLS["362"], STANDARD_SCORING, strict=True)
        scoring = match_scoring([said.get(symbol, 2 * points) for symbol, points in usual])
        if scoring is None:
            raise trf["362"][0].error(Columns(5, None, "match points"), FALLING)
    if asked not in (None, scoring):
        if said:
            trf.notes.say(f"{what} are those that were asked for, not those of record {kind}")
        scoring, said = asked or scoring, {}
    if options.bye_points:
        trf.bye_source = "--bye-points"
    trf.scoring, trf.bye_unsaid = scoring, options.bye_points is None and "P" not in said
    trf.bye_points = options.bye_points
    if trf.individual:
        trf.bye_points = options.player_bye(said.get("P", scoring[0]))


def _said(trf: Trf, kind: str, allowed: Mapping[str, int]) -> dict[str, int]:
    """Half points by symbol, as records 162 or 362 say; `allowed`: what some must score."""
    said: dict[str, int] = {}
    for line in trf[kind]:
        text, whole = line.cut(4).upper(), Columns(4, None, "symbols and points")
        rest = set(PAIR.sub("", text).split())
        if rest - {*SYMBOLS[kind]} or {s for s, _ in PAIR.findall(text)} - {*SYMBOLS[kind]}:
            raise line.error(whole, f"points after each of {', '.join(SYMBOLS[kind])}")
        if rest:
            line.unclear(f"a symbol without points in record {kind} is left out")
        for symbol, number in PAIR.findall(text):
            points = half_points(number)
            if points is None or allowed.get(symbol, points) != points:
                must = allowed[symbol] / 2 if symbol in allowed else "0..99 in steps of 0.5"
                raise line.error(whole._replace(name=f"points of {symbol}"), f"{must}", number)
            said[symbol] = points
    return said


def _bye(
    trf: Trf,
    place: Place,
    bye: Bye = "pairing",
    match_points: int | None = None,
    half_points: int | None = None,
) -> Match:
    """A bye, with its points if they differ from those of its kind."""
    if bye == "pairing" and match_points is None and half_points is None and trf.bye_points:
        match_points, half_points = trf.bye_points
    standard = bye_half_points(bye, trf.boards)
    half_points = standard if half_points is None else half_points
    if trf.scoring == STANDARD_SCORING:
        if match_points is None and half_points != standard:
            match_points = BYE_MATCH_POINTS[bye]
        elif match_points == BYE_MATCH_POINTS[bye] and half_points == standard:
            match_points = None
    return Match(place[0], 0, place[1], None, half_points, 0, 0, 0, bye, match_points)


# ------------------------------------------------------------------------------ forfeits, matches

FORFEITS = {"+-": (2, 0), "-+": (0, 2), "--": (0, 0)}
_BOTH = Columns(COLUMNS["330"]["white"][0], COLUMNS["330"]["black"][1], "teams")


@dataclass(frozen=True)
class _Forfeit:
    """A forfeited match: who had white on board 1, and each team's half points per board."""

    line: Line
    white: int
    points: Mapping[int, int]


def _forfeits(trf: Trf) -> dict[Place, _Forfeit]:
    """The forfeited matches of records 330 in finished rounds, by round and lower team."""
    found: dict[Place, _Forfeit] = {}
    for line in trf["330"]:
        points = FORFEITS.get(line.text("type"))
        if points is None:
            raise line.error("type", f"one of {', '.join(FORFEITS)}")
        round_number = line.integer("round", 1, MAX_ROUNDS)
        white, black = (line.team(side, trf.teams) for side in ("white", "black"))
        if round_number >= trf.unfinished:
            continue
        if not trf.meet(round_number, white, black):
            raise line.error(_BOTH, "the teams of one match of the round")
        place = round_number, min(white, black)
        trf.open.pop(place, None)
        if place in found:
            raise line.error(_BOTH, "each match once")
        found[place] = _Forfeit(line, white, dict(zip((white, black), points, strict=True)))
    return found


def _matches(
    trf: Trf, line_ups: Mapping[Place, _LineUp], forfeits: Mapping[Place, _Forfeit]
) -> Iterator[Match]:
    """The matches, without numbers, first the team with the lower number."""
    for (r, team), other in sorted(trf.rivals.items()):
        if team > other or r > trf.rounds or (r, team) in trf.open:
            continue
        for side in (team, other):
            for letter, entry in trf.letters.get((r, side), {}).items():
                if letter != "Z":
                    allowed = "+, -, Z or blank where the team has an opponent"
                    raise entry.error("result", allowed)
        ours, theirs = (list(filter(None, line_ups.get((r, t), ()))) for t in (team, other))
        half = [sum(entry.half_points for entry in side) for side in (ours, theirs)]
        defaults = sum(entry.result == "+" for entry in (*ours, *theirs))
        decided = defaults + sum(entry.played for entry in ours)
        if forfeit := forfeits.get((r, team)):
            won = [forfeit.points[side] for side in (team, other)]
            nobody = half == [0, 0]
            if decided > defaults or not (
                nobody or (half[0] > half[1] and won[0]) or (half[0] < half[1] and won[1])
            ):
                _say_contradicted(trf, forfeit.line, (r, team, other))
            elif nobody:
                half = [trf.boards * points for points in won]
                decided = defaults = trf.boards if any(won) else 0
        yield Match(r, 0, team, other, half[0], half[1], decided, defaults)


def _say_contradicted(trf: Trf, line: Line, match: tuple[int, int, int]) -> None:
    """Note that a record 330 and the games of its match differ, as in FIDE's sample of the form."""
    r, *sides = match
    trf.notes.odd(
        "record 330 says otherwise than the games of the match, which count", line,
        lambda: line.error("type", "as the games of the match say"),
        whom=("team", f"{' - '.join(trf.names[side] for side in sides)} in round {r}"),
        wrong="points",
    )  # fmt: skip


# ------------------------------------------------------------------------------- byes, penalties

WHOLE_EVENT = 999
BEST_FIRST: tuple[Bye, ...] = ("default", *BYE_LETTERS)
TYPES = "WDL+-PFHZ"


def _byes(trf: Trf) -> dict[Place, Match]:
    """Byes of teams in entries of players and in records 320 and 240, by round and team."""
    found: dict[Place, Match] = {}

    def take(line: Line, column: Columns, round_number: int, bye: Bye, *points: int | None) -> None:
        place = round_number, line.team(column, trf.teams)
        if round_number > trf.rounds:
            return
        match, other = _bye(trf, place, bye, *points), found.get(place)
        both = with_scoring(filter(None, (match, other)), trf.scoring)
        paid = {one.points_of(place[1]) for one in both}
        same = other and other.bye == "pairing" != bye and len(paid) == 1
        if place in trf.rivals or (other and not same):
            raise line.error(column, f"without a match or other bye in round {round_number}")
        if other:
            whom = "team", f"{trf.names[place[1]]} in round {round_number}"
            about = "a bye in records 320 and 240 that pays the same is one bye"
            trf.notes.odd(about, line, whom=whom)
        found.setdefault(place, match)

    for line in trf["320"]:
        points = line.match_points(trf.most), line.half_points("game points", MAX_BOARDS)
        if (points[1] or 0) > 2 * trf.boards:
            boards = f"the {trf.boards} boards of a match"
            line.unclear(f"a bye is worth more game points than {boards}")
        for r, (column, number) in enumerate(line.listed("team number", 999), start=1):
            if number and r > MAX_ROUNDS:
                raise line.error(column, f"in {MAX_ROUNDS} rounds")
            if number:
                take(line, column, r, "pairing", *points)
    for line in trf["240"]:
        bye = BYE_OF_LETTER.get(line.text("type").upper())
        if bye is None or bye == "pairing":
            raise line.error("type", "one of F, H, Z")
        r = line.integer("round", 1, MAX_ROUNDS)
        for column, number in line.listed("team number", 9999):
            if number:
                take(line, column, r, bye)
    return _byes_of_players(trf) | found


def _byes_of_players(trf: Trf) -> dict[Place, Match]:
    """Byes that appear only in entries of players; the best entry of a team counts."""
    kinds: dict[Place, set[Bye]] = defaultdict(set)
    won: Counter[Place] = Counter()
    for (r, player), entry in trf.entries.items():
        kinds[r, trf.team(player)].add("default" if entry.half_points else "zero")
        won[r, trf.team(player)] += entry.half_points
    for place, letters in trf.letters.items():
        kinds[place] |= {BYE_OF_LETTER[letter] for letter in letters}
    found: dict[Place, Match] = {}
    for place, byes in kinds.items():
        if place not in trf.rivals and place[0] <= trf.rounds:
            bye = min(byes, key=BEST_FIRST.index)
            half = min(won[place], 2 * trf.boards) if bye == "default" else None
            found[place] = _bye(trf, place, bye, None, half)
    return found


def _with_byes(trf: Trf, event: TeamEvent, matches: Mapping[Place, Match]) -> TeamEvent:
    """The event with its matches, and with the byes of which its file does not tell.

    Totals of teams in the file, and points of players, say whether such a bye was paid, and what.
    """
    byes, others = repairs.missing_byes(trf)
    found = _with_results(trf, event, matches, byes)
    denied, told = _paid_byes(trf, found, byes)
    if told:
        trf.bye_points, trf.bye_source = told, "as the totals in the file say"
    mp, half = trf.bye_points or (trf.scoring[1], trf.boards)
    pays = f"{mp / 2:g} points" if trf.individual else f"{mp} MP and {half / 2:g} GP"
    if told and not byes - denied:
        trf.notes.odd(f"the totals in the file say that a pairing bye pays {pays}")
    if denied or told:
        byes, others = byes - denied, others | denied
        found = _with_results(trf, event, matches, byes)
    words = terms(trf.individual)
    who = f"{words.many} without a {words.game}"
    said, unsaid = (
        [f"round {r} {repairs.short(trf.names[t])}" for r, t in sorted(places)]
        for places in (byes, others)
    )
    if unsaid:
        trf.notes.say(f"{who} and without a bye, not paired: {repairs.some(unsaid)}")
    if said:
        text = f"{who} had the pairing bye, {pays} ({trf.bye_source})"
        trf.notes.odd(f"no record of byes: {text}: {repairs.some(said, 7)}")
    return found


def _paid_byes(
    trf: Trf, event: TeamEvent, byes: Set[Place]
) -> tuple[set[Place], tuple[int, int] | None]:
    """What the points in the file say of pairing-allocated byes, of which some are assumed.

    **Returns:** the assumed byes of teams whose points are those of their other results; and match
    points and half points of a bye, None unless two teams or more have the same, and none others.
    """
    given, totals = _given(trf), team_totals(event)
    unsaid = trf.bye_unsaid and not trf["320"]
    paid: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for match in event.matches:
        if match.bye == "pairing" and (unsaid or (match.round, match.team_a) in byes):
            paid[match.team_a].append(match.points_of(match.team_a))
    denied: set[int] = set()
    told: Counter[tuple[float, float]] = Counter()
    for team, points in paid.items():
        said = given[team][1] if team in given else (None, None)
        more = [
            a - all_ + sum(own)
            for a, all_, own in zip(said, totals[team], zip(*points, strict=True), strict=True)
            if a is not None
        ]
        if more and not any(more) and any(map(any, points)) and any(t == team for _, t in byes):
            denied.add(team)
        elif len(more) == 2:
            told[more[0] / len(points), more[1] / len(points)] += 1
    (((mp, half), times),) = told.most_common(1) or [((-1, -1), 0)]
    usual = {points[0] for points in paid.values()}
    right = times > 1 == len(told) and 0 <= mp <= trf.most
    right = right and mp % 1 == half % 1 == 0 <= half <= 2 * event.boards and usual != {(mp, half)}
    return {p for p in byes if p[1] in denied}, (int(mp), int(half)) if right and unsaid else None


def _with_results(
    trf: Trf, event: TeamEvent, matches: Mapping[Place, Match], byes: Set[Place]
) -> TeamEvent:
    """The event with matches, byes, open matches and penalties, numbered round by round."""
    found = {**matches, **_byes(trf), **{place: _bye(trf, place) for place in byes}}
    count: Counter[int] = Counter()
    numbered: list[Match] = []
    still_open: list[OpenMatch] = []
    for r, team in sorted({**found, **trf.open}):
        count[r] += 1
        if (r, team) in trf.open:
            still_open.append(OpenMatch(r, count[r], *trf.open[r, team]))
        else:
            numbered.append(replace(found[r, team], number=count[r]))
    results, penalties = _with_abnormal_points(trf, with_scoring(numbered, trf.scoring))
    return replace(event, matches=results, penalties=penalties, open=tuple(still_open))


def result_type(match: Match, side: int) -> str:
    """The type that record 299 gives the result of one side (0 or 1) of a match."""
    if match.team_b is None:
        return {"default": "+", "pairing": "P"}.get(match.bye, BYE_LETTERS.get(match.bye, ""))
    half_points = (match.half_points_a, match.half_points_b)[side]
    if match.by_default and match.half_points_a != match.half_points_b:
        return "+" if half_points * 2 > match.half_points_a + match.half_points_b else "-"
    if match.by_default and not half_points:
        return "-"
    return "LDW"[match.given().match_points[side]]


def _with_abnormal_points(
    trf: Trf, matches: Sequence[Match]
) -> tuple[tuple[Match, ...], tuple[Penalty, ...]]:
    """The matches with the points of records 299, and the penalties of those without a type."""
    changed = list(matches)
    sides = {
        (match.round, team): (index, side)
        for index, match in enumerate(matches)
        for side, team in enumerate(match.teams)
    }
    types = {place: result_type(matches[index], side) for place, (index, side) in sides.items()}
    points: dict[Place, tuple[int | None, int | None]] = {}
    penalties: list[Penalty] = []
    seen: set[Hashable] = set()
    for line in trf["299"]:
        kind = line.text("type").upper()
        if kind not in TYPES:
            raise line.error("type", f"one of {' '.join(TYPES)}")
        given = _abnormal_points(trf, line, kind)
        everywhere = not kind and line.text("round") == str(WHOLE_EVENT)
        r = 0 if everywhere else line.integer("round", 0, MAX_ROUNDS, default=0)
        listed = line.listed("team number", 9999)
        named = [(column, line.team(column, trf.teams)) for column, number in listed if number]
        first = line.item(0, "team number")
        if not kind and not named:
            where = first._replace(last=None, name="team numbers")
            raise line.error(where, "those of the teams with a penalty")
        for column, team in named or [(first, -1)]:
            line.once(seen, (kind, r, team), column, "each team once a round")
            if r > trf.rounds:
                continue
            if not kind:
                penalties.append(Penalty(team, r, given[0] or 0, given[1] or 0))
                continue
            if r and named and (r, team) not in sides:
                raise line.error(column, f"a team with a match or bye in round {r}")
            for place in itertools.product(
                [r] if r else range(1, trf.rounds + 1), [team] if named else trf.teams.values()
            ):
                if types.get(place) == kind or (r and named):
                    points[place] = given
    for place, given in points.items():
        index, side = sides[place]
        changed[index] = _with_points(trf, changed[index], side, *given)
    return tuple(changed), tuple(penalties)


def _abnormal_points(trf: Trf, line: Line, kind: str) -> tuple[int | None, int | None]:
    """Match points and half points of a record 299; below 0 in a penalty alone."""
    low, most, boards = 0, trf.most, trf.boards
    if not kind:
        low, most, boards = -MOST_PENALTY, MOST_PENALTY, MOST_PENALTY
    if not trf.individual:
        return line.match_points(most, low), line.half_points("game points", boards, low)
    points = line.points(line.columns("game points")._replace(name="points"), low, most)
    return player_points(points) if kind else (points, points)


def _with_points(
    trf: Trf, match: Match, side: int, match_points: int | None, half_points: int | None
) -> Match:
    """A match with the points of one side replaced; None for those that it has."""
    wanted = list(match.match_points)
    if match_points is not None:
        wanted[side] = match_points
    if match.team_b is None:
        half = match.half_points_a if half_points is None else half_points
        bye = _bye(trf, (match.round, match.team_a), match.bye, wanted[0], half)
        return replace(bye, number=match.number)
    if half_points is not None:
        match = replace(match, **{f"half_points_{'ab'[side]}": half_points})
    usual = match.given().match_points
    return match.given(*(None if p == q else p for p, q in zip(wanted, usual, strict=True)))


def _say_payments(trf: Trf) -> None:
    """One note on the records 299 that pay every result of a type, whoever's and in any round."""
    found: dict[str, Line] = {}
    for line in trf["299"]:
        listed = line.cut(LISTS["299"][0])
        if line.text("type") and not line.text("round").strip("0") and not listed.strip("0 "):
            units = {"game points": ""} if trf.individual else _UNITS
            points = (f" {line.text(f)}{unit}" for f, unit in units.items() if line.text(f))
            found.setdefault(f"{line.text('type').upper()}{''.join(points)}", line)
    if found:
        about = "record 299 without a round and teams pays every result of its type"
        trf.notes.say(f"{about}: {', '.join(found)}", next(iter(found.values())))


# ----------------------------------------------------------------- points and ranks in the file

_UNITS = {"match points": " MP", "game points": " GP"}
MOST = 200
"""Most points in a field that can be right."""
_Total = tuple[Line, tuple[int | None, int | None]]
"""The line, and match points and half points; None for what cannot be a total."""


def _given(trf: Trf) -> dict[int, _Total]:
    """The totals of teams in 310, else in 802; of players the half points in 001, twice."""
    found: dict[int, _Total] = {}
    if trf.individual:
        for player, line in trf.records.items():
            points = half_points(line.text("points"))
            found[player] = line, (points, points)
        return found
    for line in (*trf["802"], *trf["310"]):
        if line.kind == "310":
            words = [line.text("match points"), line.text("game points")]
        else:
            words = re.findall(r"\S*[.,]\S*", line.text("totals"))
        mp, half = (half_points(word) for word in (*words, "", "")[:2])
        number = line.text("team number")
        team = trf.teams.get(int(number) if number.isascii() and number.isdigit() else 0)
        mp = mp // 2 if mp is not None and mp % 2 == 0 and abs(mp) <= 2 * MOST else None
        half = half if abs(half or 0) <= 2 * MOST else None
        if team is not None and (mp, half) != (None, None):
            found[team] = line, (mp, half)
    half_played = {team for _, team in trf.without_boards}  # totals may have some of the boards
    return {team: total for team, total in found.items() if team not in half_played}


def _compared(trf: Trf, event: TeamEvent) -> TeamEvent:
    """Name every difference between points in the file and those of the results.

    **Returns:** the event; with `trust_points` the differences are points outside of matches: those
    of the file's totals, and where it has none of teams, those of their players.
    """
    given, trusted = _given(trf), trf.options.trust_points
    totals, found, texts = team_totals(event), list[Penalty](), [*event.published.get("points", ())]
    pays = {"F": event.scoring[0], "U": event.scoring[0], "H": event.scoring[1]}
    for team, (line, points) in sorted(given.items()):
        differ = [0 if p is None else p - q for p, q in zip(points, totals[team], strict=True)]
        letters = trf.letters.get((event.rounds + 1, team), {})
        next_bye = sum(pays.get(letter, 0) for letter in letters)
        if event.individual and differ[0] and differ[0] == next_bye:
            about = "points of players have the bye of the next round already"
            trf.notes.say(about, line, line.whom())
            texts[team] = f"{totals[team][0] / 2:.1f}"
            continue
        kinds = (("points", 2),) if event.individual else (("MP", 1), ("GP", 2))
        for (what, unit), difference, right in zip(kinds, differ, totals[team], strict=False):
            if difference:
                both = (right + difference) / unit, right / unit
                _say_differs(line, what, event.teams[team], *both, trusted)
        if any(differ):
            found.append(Penalty(team, 1, differ[0], differ[0 if event.individual else 1]))
    if not event.individual:
        own = _differences_of_players(trf, trusted and not given)
        if not given:
            found = [Penalty(team, 1, 0, d) for team, d in sorted(own.items()) if d]
    if event.individual and texts and tuple(texts) != event.published["points"]:
        # Printed places were made with the points that are taken off.
        event = replace(event, published={"points": tuple(texts)})
    return replace(event, penalties=(*event.penalties, *found)) if trusted else event


def _say_differs(
    line: Line, what: str, name: str, said: float, right: float, trusted: bool, wrong: str = ""
) -> None:
    """Say which counts: the points in a field, or those of the results, which are others."""
    whose, word = f"{what} in record {line.kind}", "player" if line.kind == "001" else "team"
    whom = word, f"{name[:40]} with {said:g} instead of {right:g}"
    if trusted:
        line.notes.say(f"{whose} count, though the results give others", line, whom)
    else:
        about = f"{whose} differ from those of the results, which count"
        line.notes.odd(about, line, whom=whom, wrong=wrong)


def _differences_of_players(trf: Trf, trusted: bool) -> Counter[int]:
    """Name the players whose points field differs from their results; half points by team."""
    scored: Counter[int] = Counter()
    for (r, player), entry in trf.entries.items():
        if (r, trf.team(player)) in trf.rivals:
            scored[player] += entry.half_points
    found: Counter[int] = Counter()
    for player, line in trf.records.items():
        points, (own, with_byes) = half_points(line.text("points")), repairs.results_of(line)
        if points is None or own <= points <= with_byes or points == scored[player]:
            continue
        found[trf.team(player)] += points - own
        who = trf.players[player].name
        _say_differs(line, "points", who, points / 2, own / 2, trusted, "points")
    return found


def _without_start_ranks(trf: Trf, event: TeamEvent) -> TeamEvent:
    """The event without printed places that are the start numbers: no ranking is printed."""
    places = event.published.get("place", ())
    totals = [points for points, _ in team_totals(event)]
    if places != tuple(map(str, trf.teams)) or totals == sorted(totals, reverse=True):
        return event
    about = "the rank field repeats the start number: no ranking is printed"
    trf.notes.say(about, aside="")
    published = {name: texts for name, texts in event.published.items() if name != "place"}
    return replace(event, published=published)


# ---------------------------------------------------------- boards, which nothing else needs

_LineUp = Sequence[RoundEntry | None]
"""The entries of a team in a round in board order; None for a board that record 300 leaves empty.
"""


def _line_ups(trf: Trf) -> dict[Place, _LineUp]:
    """Line-ups by round and team: those of records 300, else in the order of the team."""
    sides: dict[Place, list[RoundEntry]] = defaultdict(list)
    for (r, player), entry in sorted(trf.entries.items()):
        sides[r, trf.team(player)].append(entry)
    found: dict[Place, _LineUp] = {**sides}
    seen: set[Hashable] = set()
    for line in trf["300"]:
        r, team = line.integer("round", 1, MAX_ROUNDS), line.team("team", trf.teams)
        if r >= trf.unfinished or (r, team) in trf.without_boards:
            continue
        line.once(seen, (r, team), "team", "each team once a round")
        named = line.integer("opponent", 0, 999, default=0)
        if named and not trf.meet(r, team, line.team("opponent", trf.teams)):
            raise line.error("opponent", "the team's opponent in the round")
        listed: list[RoundEntry | None] = []
        present = {entry.player: entry for entry in sides.get((r, team), ())}
        for column, start in line.listed("start number", MAX_PLAYERS):
            entry = present.pop(trf.numbers.get(start, -1), None)
            if start and entry is None:
                raise line.error(
                    column,
                    "0000 or a player of the team on a board of the round, each once (without the "
                    "record its boards are in the order of the team)",
                )
            if len(listed) == MAX_BOARDS:
                raise line.error(column, f"one of {MAX_BOARDS} boards")
            listed.append(entry)
        found[r, team] = [*listed, *present.values()]
    return found


_Seat = tuple[RoundEntry | None, RoundEntry | None]
"""One board of a match: the entries of both players, that of the lower numbered team first."""


def _seats(lower: _LineUp, other: _LineUp, boards: int) -> dict[int, _Seat]:
    """The boards of a match by their numbers, by walking both line-ups in parallel."""
    sides = deque(lower), deque(other)
    opponents = {entry.player: entry for entry in (*lower, *other) if entry is not None}
    seated: set[int] = set()
    seats: dict[int, _Seat] = {}
    for board in itertools.count(1):
        for side in sides:  # skip players seated already, as opponents
            while side and side[0] is not None and side[0].player in seated:
                side.popleft()
        if not any(sides):
            break
        pair = [side[0] if side else None for side in sides]
        paired = [entry is not None and entry.opponent is not None for entry in pair]
        alone = [bool(side) and not has for side, has in zip(sides, paired, strict=True)]
        if any(paired) and any(alone):  # a board with one player, or an empty one, comes first
            pair = [e if is_alone else None for e, is_alone in zip(pair, alone, strict=True)]
        elif pair[0] is not None and pair[0].opponent is not None:
            pair[1] = opponents[pair[0].opponent]
        elif sum(entry.half_points for entry in pair if entry is not None) > 2:
            pair[1] = None  # both won by default, so these are two boards
        for side, entry in zip(sides, pair, strict=True):
            if side and side[0] is entry:
                side.popleft()
        if any(pair):
            seats[board] = pair[0], pair[1]
            seated.update(entry.player for entry in pair if entry is not None)
    return seats if max(seats, default=0) <= boards else _joined(seats, boards)


def _joined(seats: dict[int, _Seat], boards: int) -> dict[int, _Seat]:
    """Fewer boards: two players who stand against nobody, not both winners, share one."""
    for a, b in itertools.product(sorted(seats)[: 2 * MAX_BOARDS], repeat=2):
        if len(seats) > boards and a in seats and b in seats:
            lower, other = seats[a][0], seats[b][1]
            if lower and other and seats[a][1] is None is seats[b][0]:
                if lower.half_points + other.half_points <= 2:
                    seats[min(a, b)] = lower, other
                    del seats[max(a, b)]
    return {board: seats[old] for board, old in enumerate(sorted(seats), start=1)}


def _white(seat: _Seat) -> int | None:
    """Who has white: 0 for the lower team, 1 for the other, None if it is not recorded."""
    for side, entry in enumerate(seat):
        if entry is not None and entry.colour:
            return side if entry.colour == "w" else 1 - side
    return None


def _seated(
    trf: Trf,
    event: TeamEvent,
    line_ups: Mapping[Place, _LineUp],
    forfeits: Mapping[Place, _Forfeit],
) -> TeamEvent:
    """The event with its games; the first team of a match has white on board 1."""
    games: list[Game] = []
    matches: list[Match] = []
    colours = trf.colours or ALTERNATING
    for match in event.matches:
        if match.team_b is None:
            matches.append(match)
            continue
        ours, theirs = (line_ups.get((match.round, team), ()) for team in match.teams)
        seats = _seats(ours, theirs, event.boards)
        first = match.team_a
        if forfeit := forfeits.get((match.round, match.team_a)):
            first = forfeit.white
            nobody = not any(e and e.half_points for seat in seats.values() for e in seat)
            seats = {} if nobody and any(forfeit.points.values()) else seats
        for board, seat in seats.items():
            entry = seat[0] or seat[1]
            if board > event.boards and entry is not None:
                raise entry.error("opponent", f"on one of {event.boards} boards")
        for board, seat in seats.items():
            if (white := _white(seat)) is not None:
                first = match.teams[white if colours[board - 1] == "W" else 1 - white]
                break
        games += (_game(match, board, seat, first, trf, colours) for board, seat in seats.items())
        if first != match.team_a:
            match = replace(
                match.given(match.match_points_b, match.match_points_a),
                team_a=match.team_b,
                team_b=match.team_a,
                half_points_a=match.half_points_b,
                half_points_b=match.half_points_a,
            )
        matches.append(match)
    ratings = team_ratings(len(event.teams), event.players, games)
    return replace(event, matches=tuple(matches), games=tuple(games), ratings=ratings)


def _game(match: Match, board: int, seat: _Seat, first: int, trf: Trf, colours: str) -> Game:
    """The game of one board; `first` is the team that has white on board 1."""
    side = _white(seat)
    if side is None:
        side = int((first == match.team_a) != (colours[board - 1] == "W"))
    teams = match.teams if side == 0 else match.teams[::-1]
    entries = seat if side == 0 else seat[::-1]
    players = [entry and entry.player for entry in entries]
    half = [entry.half_points if entry else 0 for entry in entries]
    ratings = [0 if player is None else trf.players[player].rating for player in players]
    played = any(entry and entry.played for entry in entries)
    return Game(
        match.round, match.number, board, teams[0], teams[1], players[0], players[1], half[0],
        half[1], played, ratings[0], ratings[1],
    )  # fmt: skip
