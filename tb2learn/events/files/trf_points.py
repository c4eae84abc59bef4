"""What rounds of a Tournament Report File pay: matches, byes, penalties; and the file's own totals.

Records 162 and 362 say what results pay, 299 what some of them paid otherwise, 320 and 240 who had
a bye. Totals of teams and points of players are held against the results, and tell what a bye paid
of which no record does.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from tb2learn.events.files import trf_repairs as repairs
from tb2learn.events.files.draft import say_late_penalty
from tb2learn.events.files.scores import FALLING, half_points, match_scoring, player_points
from tb2learn.events.files.trf_records import (
    BYE_LETTERS,
    BYE_OF_LETTER,
    JAVAFO_POINTS,
    LISTS,
    SERVERS,
    Columns,
    Place,
    Trf,
    TrfRecord,
)
from tb2learn.events.parts import (
    BYE_MATCH_POINTS,
    STANDARD_SCORING,
    Bye,
    Match,
    OpenMatch,
    Penalty,
    bye_half_points,
    bye_points,
    sum_points,
    with_scoring,
)
from tb2learn.events.terms import terms
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS

# ---------------------------------------------------------------------------- what rounds pay

SYMBOLS: Mapping[str, tuple[str, ...]] = {
    "162": ("W", "D", "L", "A", "P", "X"),
    "362": ("TW", "TD", "TL"),
}
_OF_JAVAFO: Mapping[str, str] = {"W": "W", "D": "D", "L": "L", "PAB": "P"}
_BYES_OF_JAVAFO: Mapping[str, str] = {"FPB": "W", "HPB": "D", "ZPB": "Z"}
"""Codes of record XXS, and the symbols of record 162, or what a bye pays as much as."""
GAME = {"W": 2, "D": 1, "L": 0, "A": 0}
"""Half points that a game must score; other symbols may score anything."""
PAIR = re.compile(r"(?<!\S)([A-Z]{1,2})\s*([0-9]{1,2}(?:[.,][0-9]*)?)(?!\S)", re.ASCII)
MOST_PENALTY = 99


def read_payments(trf: Trf) -> None:
    """What rounds pay: as the user says, else the file, else 2, 1, 0 and 1, 1/2, 0.

    The pairing-allocated bye of a player pays a win unless the file says otherwise.
    """
    options = trf.options
    record, asked_for, name = "362", options.match_points, "match points"
    trf.bye_source = "a drawn match, as at Olympiads"
    system = _point_system(trf, "162", {"A": 0} if trf.individual else GAME)
    if trf.individual:
        record, asked_for, name = "162", options.game_scoring, "points of a game"
        trf.bye_source = "as the file says, else a win"
        for server, symbol in SERVERS.items():
            for line in trf[server]:
                system[symbol] = line.points(Columns(5, None, f"points of {symbol}"), 0, 99)
        system |= _javafo_points(trf)
        won, drawn, lost = (system.get(s, p) for s, p in zip("WDL", STANDARD_SCORING, strict=True))
        if not won > drawn >= lost >= 0:
            line = next(line for record in ("162", *SERVERS, JAVAFO_POINTS) for line in trf[record])
            allowed = "points that fall from won to drawn to lost"
            raise line.error(Columns(6, None, "points"), allowed)
        scoring = won, drawn, lost
    else:
        system = _point_system(trf, "362", {})
        usual = zip(SYMBOLS["362"], STANDARD_SCORING, strict=True)
        scoring = match_scoring([system.get(symbol, 2 * points) for symbol, points in usual])
        if scoring is None:
            raise trf["362"][0].error(Columns(5, None, "match points"), FALLING)
    # The user knows better than the file.
    if asked_for not in (None, scoring):
        if system:
            trf.notes.say(f"{name} are those that were asked for, not those of record {record}")
        scoring, system = asked_for or scoring, {}
    if options.bye_points:
        trf.bye_source = "--bye-points"
    trf.scoring, trf.bye_unsaid = scoring, options.bye_points is None and "P" not in system
    trf.bye_points = options.bye_points
    if trf.individual:
        trf.bye_points = options.player_bye(system.get("P", scoring[0]))


def _javafo_points(trf: Trf) -> dict[str, int]:
    """Half points by symbol of record 162, as records XXS say: `XXS W=3 D=1 PAB=1.5`.

    Source: the manual of JaVaFo.
    """
    system, byes = dict[str, int](), dict[str, int]()
    for line in trf[JAVAFO_POINTS]:
        for text in line.cut(4).upper().replace(",", " ").split():
            code, _, number = text.partition("=")
            points = half_points(number)
            if code not in (*_OF_JAVAFO, *_BYES_OF_JAVAFO) or points is None or points < 0:
                known = ", ".join((*_OF_JAVAFO, *_BYES_OF_JAVAFO))
                line.note_repair(f"a code of record XXS that is none of {known} is left out")
            elif code in _OF_JAVAFO:
                system[_OF_JAVAFO[code]] = points
            else:
                byes[code] = points
    for code, points in byes.items():
        symbol = _BYES_OF_JAVAFO[code]
        usual = {"W": 2, "D": 1, "Z": 0} | system
        if points != usual[symbol]:
            first = trf[JAVAFO_POINTS][0]
            first.note_repair(f"{code} of record XXS counts as {usual[symbol] / 2:g} here")
    return system


def _point_system(trf: Trf, kind: str, allowed: Mapping[str, int]) -> dict[str, int]:
    """Half points by symbol, as records 162 or 362 say; `allowed`: what some must score."""
    system: dict[str, int] = {}
    for line in trf[kind]:
        text, whole = line.cut(4).upper(), Columns(4, None, "symbols and points")
        rest = set(PAIR.sub("", text).split())
        if rest - {*SYMBOLS[kind]} or {s for s, _ in PAIR.findall(text)} - {*SYMBOLS[kind]}:
            raise line.error(whole, f"points after each of {', '.join(SYMBOLS[kind])}")
        # A symbol stands there without its points.
        if rest:
            line.note_repair(f"a symbol without points in record {kind} is left out")
        for symbol, number in PAIR.findall(text):
            points = half_points(number)
            if points is None or allowed.get(symbol, points) != points:
                must = allowed[symbol] / 2 if symbol in allowed else "0..99 in steps of 0.5"
                raise line.error(whole._replace(name=f"points of {symbol}"), f"{must}", number)
            system[symbol] = points
    return system


def _bye(
    trf: Trf,
    place: Place,
    bye: Bye = "pairing",
    match_points: int | None = None,
    half_points: int | None = None,
) -> Match:
    """A bye, with its points if they differ from those of its kind."""
    if match_points is None and half_points is None:
        match_points, half_points = bye_points(bye, trf.boards, trf.bye_points)
    standard = bye_half_points(bye, trf.boards)
    half_points = standard if half_points is None else half_points
    # Only points that differ from those of the kind are kept with the bye.
    if trf.scoring == STANDARD_SCORING:
        if match_points is None and half_points != standard:
            match_points = BYE_MATCH_POINTS[bye]
        elif match_points == BYE_MATCH_POINTS[bye] and half_points == standard:
            match_points = None
    return Match(place[0], 0, place[1], None, half_points, 0, 0, 0, bye, match_points)


def say_payments(trf: Trf) -> None:
    """One note on the records 299 that pay every result of a type, whoever's and in any round."""
    payments: dict[str, TrfRecord] = {}
    for line in trf["299"]:
        listed = line.cut(LISTS["299"][0])
        # Without round and teams it pays the whole field, which is worth a note.
        if line.text("type") and not line.text("round").strip("0") and not listed.strip("0 "):
            units = {"game points": ""} if trf.individual else _UNITS
            points = (f" {line.text(f)}{unit}" for f, unit in units.items() if line.text(f))
            payments.setdefault(f"{line.text('type').upper()}{''.join(points)}", line)
    if payments:
        about = "record 299 without a round and teams pays every result of its type"
        trf.notes.say(f"{about}: {', '.join(payments)}", next(iter(payments.values())))


# -------------------------------------------------------------------------------------- byes

WHOLE_EVENT = 999
BEST_FIRST: tuple[Bye, ...] = ("default", *BYE_LETTERS)
TYPES = "WDL+-PFHZ"


@dataclass(frozen=True)
class TrfResults:
    """The results of all finished rounds: matches and byes, penalties, open matches."""

    matches: tuple[Match, ...]
    penalties: tuple[Penalty, ...]
    open: tuple[OpenMatch, ...]


def _recorded_byes(trf: Trf) -> dict[Place, Match]:
    """Byes of teams in entries of players and in records 320 and 240, by round and team."""
    byes: dict[Place, Match] = {}

    def take(
        line: TrfRecord, column: Columns, round_number: int, bye: Bye, *points: int | None
    ) -> None:
        place = round_number, line.team(column, trf.teams)
        if round_number > trf.rounds:
            return
        match, earlier = _bye(trf, place, bye, *points), byes.get(place)
        same_place = with_scoring(filter(None, (match, earlier)), trf.scoring)
        # Under the event's scoring, as the records may give points in either way.
        paid = {each.points_of(place[1]) for each in same_place}
        # Programs write a pairing-allocated bye into both records; it must pay the same.
        same = earlier and earlier.bye == "pairing" != bye and len(paid) == 1
        if place in trf.opponent_of_team or (earlier and not same):
            raise line.error(column, f"without a match or other bye in round {round_number}")
        if earlier:
            bearer = "team", f"{trf.names[place[1]]} in round {round_number}"
            about = "a bye in records 320 and 240 that pays the same is one bye"
            trf.notes.note_assumption(about, line, whom=bearer)
        byes.setdefault(place, match)

    for line in trf["320"]:
        points = (
            line.match_points(trf.most_match_points),
            line.half_points("game points", MAX_BOARDS),
        )
        # Without points of its own it says who is free in a round robin.
        if trf.system is not None and trf.system.is_round_robin and not any(points):
            continue
        if (points[1] or 0) > 2 * trf.boards:
            boards = f"the {trf.boards} boards of a match"
            line.note_repair(f"a bye is worth more game points than {boards}")
        for r, (column, number) in enumerate(line.numbers_of_list("team number", 999), start=1):
            if number and r > MAX_ROUNDS:
                raise line.error(column, f"in {MAX_ROUNDS} rounds")
            if number:
                take(line, column, r, "pairing", *points)
    for line in trf["240"]:
        # The pairing-allocated bye has a record of its own, 320.
        bye = BYE_OF_LETTER.get(line.text("type").upper())
        if bye is None or bye == "pairing":
            raise line.error("type", "one of F, H, Z")
        r = line.integer("round", 1, MAX_ROUNDS)
        for column, number in line.numbers_of_list("team number", 9999):
            if number:
                take(line, column, r, bye)
    return _byes_of_players(trf) | byes


def _byes_of_players(trf: Trf) -> dict[Place, Match]:
    """Byes that appear only in entries of players; the best entry of a team counts."""
    kinds: dict[Place, set[Bye]] = defaultdict(set)
    won: Counter[Place] = Counter()
    for (r, player), entry in trf.entries.items():
        kinds[r, trf.team(player)].add("default" if entry.half_points else "zero")
        won[r, trf.team(player)] += entry.half_points
    for place, letters in trf.letters.items():
        kinds[place] |= {BYE_OF_LETTER[letter] for letter in letters}
    matches: dict[Place, Match] = {}
    robin = trf.system is not None and trf.system.is_round_robin
    for place, byes in kinds.items():
        # In a round robin nobody is left over: a letter for that is a free day.
        if robin and byes <= {"pairing", "zero"}:
            continue
        if place not in trf.opponent_of_team and place[0] <= trf.rounds:
            # Members have different entries; the best one is what the team had.
            bye = min(byes, key=BEST_FIRST.index)
            # Points that players won by default add up to those of the team.
            half = min(won[place], 2 * trf.boards) if bye == "default" else None
            matches[place] = _bye(trf, place, bye, None, half)
    return matches


def settle_results(trf: Trf, played: Mapping[Place, Match]) -> TrfResults:
    """The results of all rounds: what was played, and byes, also those of which no record tells.

    Totals of teams in the file, and points of players, say whether such a bye was paid, and what.
    """
    byes, unpaired = repairs.missing_byes(trf)
    if trf.system is not None and trf.system.is_round_robin:
        byes = _paid_free_days(trf, played, byes)
    scored = _scored(trf, played, byes)
    denied, paid = _paid_byes(trf, scored, byes)
    # Two totals that agree outweigh what is usual.
    if paid:
        trf.bye_points, trf.bye_source = paid, "as the totals in the file say"
    mp, half = trf.bye_points or (trf.scoring[1], trf.boards)
    pays = f"{mp / 2:g} points" if trf.individual else f"{mp} MP and {half / 2:g} GP"
    if paid and not byes - denied:
        trf.notes.note_assumption(f"the totals in the file say that a pairing bye pays {pays}")
    # The results are made again with what the totals say.
    if denied or paid:
        byes, unpaired = byes - denied, unpaired | denied
        scored = _scored(trf, played, byes)
    words = terms(trf.individual)
    lonely = f"{words.many} without a {words.game}"
    with_bye, without = (
        [f"round {r} {repairs.short(trf.names[t])}" for r, t in sorted(places)]
        for places in (byes, unpaired)
    )
    if without:
        places = repairs.join_places(without)
        trf.notes.say(f"not paired, with no {words.game} and no bye: {places}")
    if with_bye:
        text = f"{lonely} had the pairing bye, {pays} ({trf.bye_source})"
        trf.notes.note_assumption(f"no record of byes: {text}: {repairs.some(with_bye, 7)}")
    return scored


def _paid_free_days(trf: Trf, played: Mapping[Place, Match], days: Set[Place]) -> set[Place]:
    """The free days of a round robin that pay points, as the user says or the file's totals.

    All others pay nothing: they are no byes.
    """
    days = days - _recorded_byes(trf).keys()
    if trf.options.bye_points:
        return {*days}
    scored = _scored(trf, played, set())
    totals = sum_points(len(trf.names), scored.matches, scored.penalties)
    count = Counter(team for _, team in days)
    votes: Counter[tuple[float, float]] = Counter()
    for team, (_, (mp, half)) in totals_in_file(trf).items():
        if count[team] and mp is not None and half is not None:
            own_mp, own_half = totals[team]
            votes[(mp - own_mp) / count[team], (half - own_half) / count[team]] += 1
    # Who has no more than his results had nothing.
    votes.pop((0, 0), None)
    return {*days} if _agreed_payment(trf, votes, set()) else set()


def _paid_byes(
    trf: Trf, scored: TrfResults, byes: Set[Place]
) -> tuple[set[Place], tuple[int, int] | None]:
    """What the points in the file say of pairing-allocated byes, of which some are assumed.

    **Returns:** the assumed byes of teams whose points are those of their other results; and match
    points and half points of a bye, None unless two teams or more have the same, and none others.
    """
    printed = totals_in_file(trf)
    totals = sum_points(len(trf.names), scored.matches, scored.penalties)
    # Where the file says what a bye pays, its totals only tell who had one.
    unsaid = trf.bye_unsaid and not trf["320"]
    points_of_byes: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for match in scored.matches:
        if match.bye == "pairing" and (unsaid or (match.round, match.team_a) in byes):
            points_of_byes[match.team_a].append(match.points_of(match.team_a))
    denied: set[int] = set()
    votes: Counter[tuple[float, float]] = Counter()
    for team, points in points_of_byes.items():
        _, total = printed.get(team, (None, (None, None)))
        # What the file has beyond all other results: match points, half points.
        beyond = [
            whole - total_of_results + sum(of_byes)
            for whole, total_of_results, of_byes in zip(
                total, totals[team], zip(*points, strict=True), strict=True
            )
            if whole is not None
        ]
        assumed = any(place_team == team for _, place_team in byes)
        if beyond and not any(beyond) and any(map(any, points)) and assumed:
            denied.add(team)
        elif len(beyond) == 2:
            votes[beyond[0] / len(points), beyond[1] / len(points)] += 1
    pays = _agreed_payment(trf, votes, {points[0] for points in points_of_byes.values()})
    return {place for place in byes if place[1] in denied}, pays if unsaid else None


def _agreed_payment(
    trf: Trf, votes: Counter[tuple[float, float]], usual: Set[tuple[int, int]]
) -> tuple[int, int] | None:
    """What the totals of two teams or more, and of none other, say that a bye pays.

    None if that is the `usual` payment, or none that a bye can have.
    """
    (((mp, half), times),) = votes.most_common(1) or [((-1, -1), 0)]
    whole = mp % 1 == half % 1 == 0
    possible = whole and 0 <= mp <= trf.most_match_points and 0 <= half <= 2 * trf.boards
    agreed = times > 1 == len(votes)
    return (int(mp), int(half)) if agreed and possible and usual != {(mp, half)} else None


def _scored(trf: Trf, played: Mapping[Place, Match], byes: Set[Place]) -> TrfResults:
    """Matches, byes and open matches numbered round by round, with the points of records 299."""
    results = {**played, **_recorded_byes(trf), **{place: _bye(trf, place) for place in byes}}
    count: Counter[int] = Counter()
    numbered: list[Match] = []
    still_open: list[OpenMatch] = []
    for r, team in sorted({**results, **trf.open}):
        # Numbers follow the lower team of every match.
        count[r] += 1
        if (r, team) in trf.open:
            still_open.append(OpenMatch(r, count[r], *trf.open[r, team]))
        else:
            numbered.append(replace(results[r, team], number=count[r]))
    matches, penalties = _with_abnormal_points(trf, with_scoring(numbered, trf.scoring))
    return TrfResults(matches, penalties, tuple(still_open))


# -------------------------------------------------------------------------------- record 299


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


@dataclass(frozen=True)
class _Abnormal:
    """What a record 299 says."""

    kind: str  # of the results whose points it gives; empty for a penalty
    points: tuple[int | None, int | None]  # match points and half points
    round: int  # 0 for all
    teams: Sequence[tuple[Columns, int]]  # with the columns where they stand; none for all


def _with_abnormal_points(
    trf: Trf, matches: Sequence[Match]
) -> tuple[tuple[Match, ...], tuple[Penalty, ...]]:
    """The matches with the points of records 299, and the penalties of those without a type."""
    sides = {
        (match.round, team): (index, side_index)
        for index, match in enumerate(matches)
        for side_index, team in enumerate(match.teams)
    }
    types = {
        place: result_type(matches[index], side_index)
        for place, (index, side_index) in sides.items()
    }
    points: dict[Place, tuple[int | None, int | None]] = {}
    penalties: list[Penalty] = []
    seen: set[Hashable] = set()
    for line in trf["299"]:
        record = _read_abnormal(trf, line)
        kind, r = record.kind, record.round
        for column, team in record.teams or [(line.item(0, "team number"), -1)]:
            line.check_once(seen, (kind, r, team), column, "each team once a round")
            if r > trf.rounds:
                continue
            if not kind:
                mp, half = record.points
                penalties.append(Penalty(team, r, mp or 0, half or 0))
                continue
            # A team and a round name one result, whatever its type; else the type chooses.
            exact = bool(r and record.teams)
            if exact and (r, team) not in sides:
                raise line.error(column, f"a team with a match or bye in round {r}")
            rounds = [r] if r else range(1, trf.rounds + 1)
            teams = [team] if record.teams else trf.teams.values()
            for place in itertools.product(rounds, teams):
                if exact or types.get(place) == kind:
                    points[place] = record.points
    changed = list(matches)
    for place, new_points in points.items():
        index, side_index = sides[place]
        changed[index] = _with_points(trf, changed[index], side_index, *new_points)
    return tuple(changed), tuple(penalties)


def say_late_penalties(trf: Trf) -> None:
    """Note the penalties of rounds that have not been played, which do not count."""
    for line in trf["299"]:
        record = _read_abnormal(trf, line)
        if not record.kind and record.round > trf.rounds:
            for _, team in record.teams:
                say_late_penalty(trf.notes, trf.names[team], record.round, line)


def _read_abnormal(trf: Trf, line: TrfRecord) -> _Abnormal:
    """What a record 299 says; a penalty must name teams."""
    kind = line.text("type").upper()
    if kind not in TYPES:
        raise line.error("type", f"one of {' '.join(TYPES)}")
    points = _abnormal_points(trf, line, kind)
    everywhere = not kind and line.text("round") == str(WHOLE_EVENT)
    r = 0 if everywhere else line.integer("round", 0, MAX_ROUNDS, default=0)
    listed = line.numbers_of_list("team number", 9999)
    teams = [(column, line.team(column, trf.teams)) for column, number in listed if number]
    if not kind and not teams:
        where = line.item(0, "team number")._replace(last=None, name="team numbers")
        raise line.error(where, "those of the teams with a penalty")
    return _Abnormal(kind, points, r, teams)


def _abnormal_points(trf: Trf, line: TrfRecord, kind: str) -> tuple[int | None, int | None]:
    """Match points and half points of a record 299; below 0 in a penalty alone."""
    low, high, boards = 0, trf.most_match_points, trf.boards
    if not kind:
        low, high, boards = -MOST_PENALTY, MOST_PENALTY, MOST_PENALTY
    if not trf.individual:
        return line.match_points(high, low), line.half_points("game points", boards, low)
    points = line.points(line.columns("game points")._replace(name="points"), low, high)
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
    # Points that follow from the boards are not stored.
    usual = match.given().match_points
    return match.given(*(None if p == q else p for p, q in zip(wanted, usual, strict=True)))


# ----------------------------------------------------------------- points and ranks in the file

_UNITS = {"match points": " MP", "game points": " GP"}
MOST = 200
"""Most points in a field that can be right."""
_Total = tuple[TrfRecord, tuple[int | None, int | None]]
"""The line, and match points and half points; None for what cannot be a total."""


def totals_in_file(trf: Trf) -> dict[int, _Total]:
    """The totals of teams in 310, else in 802; of players the half points in 001, twice."""
    totals: dict[int, _Total] = {}
    if trf.individual:
        for player, line in trf.records.items():
            points = half_points(line.text("points"))
            totals[player] = line, (points, points)
        return totals
    for line in (*trf["802"], *trf["310"]):
        if line.kind == "310":
            words = [line.text("match points"), line.text("game points")]
        else:
            words = re.findall(r"\S*[.,]\S*", line.text("totals"))
        mp, half = (half_points(word) for word in (*words, "", "")[:2])
        number = line.text("team number")
        team = trf.teams.get(int(number) if number.isascii() and number.isdigit() else 0)
        # Half a match point, or more than any event has, is no total.
        mp = mp // 2 if mp is not None and mp % 2 == 0 and abs(mp) <= 2 * MOST else None
        half = half if abs(half or 0) <= 2 * MOST else None
        if team is not None and (mp, half) != (None, None):
            totals[team] = line, (mp, half)
    # A program may have added up the boards that are finished of an open match.
    half_played = {team for r, team in trf.without_boards if r < trf.unfinished}
    return {team: total for team, total in totals.items() if team not in half_played}


def compare_totals(
    trf: Trf, scored: TrfResults, published: Mapping[str, tuple[str, ...]]
) -> tuple[Mapping[str, tuple[str, ...]], list[Penalty]]:
    """Name every difference between points in the file and those of the results.

    **Returns:** what is printed, without places that were made with points that are taken off; and
    with `trust_points` the differences, as points outside of matches: those of the file's totals,
    and where it has none of teams, those of their players.
    """
    printed, trusted = totals_in_file(trf), trf.options.trust_points
    totals = sum_points(len(trf.names), scored.matches, scored.penalties)
    outside, texts = list[Penalty](), [*published.get("points", ())]
    pays = {"F": trf.scoring[0], "U": trf.scoring[0], "H": trf.scoring[1]}
    for team, (line, points) in sorted(printed.items()):
        differ = [0 if p is None else p - q for p, q in zip(points, totals[team], strict=True)]
        letters = trf.letters.get((trf.rounds + 1, team), {})
        next_bye = sum(pays.get(letter, 0) for letter in letters)
        # Pairings of the next round are made, and its byes are paid in advance.
        if trf.individual and differ[0] and differ[0] == next_bye:
            about = "points of players have the bye of the next round already"
            trf.notes.say(about, line, line.whom())
            texts[team] = f"{totals[team][0] / 2:.1f}"
            continue
        units = (("points", 2),) if trf.individual else (("MP", 1), ("GP", 2))
        for (field, unit), difference, right in zip(units, differ, totals[team], strict=False):
            if difference:
                values = (right + difference) / unit, right / unit
                _say_differs(line, field, trf.names[team], *values, trusted)
        # Used where the user trusts the totals of the file.
        if any(differ):
            outside.append(Penalty(team, 1, differ[0], differ[0 if trf.individual else 1]))
    if not trf.individual:
        of_players = _differences_of_players(trf, trusted and not printed)
        # Without totals of teams their players' points are the only ones.
        if not printed:
            outside = [
                Penalty(team, 1, 0, half) for team, half in sorted(of_players.items()) if half
            ]
    if trf.individual and texts and tuple(texts) != published["points"]:
        # Printed places were made with the points that are taken off.
        published = {"points": tuple(texts)}
    return published, outside if trusted else []


def _say_differs(
    line: TrfRecord,
    what: str,
    name: str,
    printed: float,
    right: float,
    trusted: bool,
    wrong: str = "",
) -> None:
    """Say which counts: the points in a field, or those of the results, which are others."""
    whose, word = f"{what} in record {line.kind}", "player" if line.kind == "001" else "team"
    bearer = word, f"{name[:40]} with {printed:g} instead of {right:g}"
    if trusted:
        line.notes.say(f"{whose} count, though the results give others", line, bearer)
    else:
        about = f"{whose} differ from those of the results, which count"
        line.notes.note_assumption(about, line, whom=bearer, wrong=wrong)


def _differences_of_players(trf: Trf, trusted: bool) -> Counter[int]:
    """Name the players whose points field differs from their results; half points by team."""
    scored: Counter[int] = Counter()
    for (r, player), entry in trf.entries.items():
        if (r, trf.team(player)) in trf.opponent_of_team:
            scored[player] += entry.half_points
    differences: Counter[int] = Counter()
    for player, line in trf.records.items():
        points, (of_boards, with_byes) = half_points(line.text("points")), repairs.results_of(line)
        if points is None or of_boards <= points <= with_byes or points == scored[player]:
            continue
        differences[trf.team(player)] += points - of_boards
        name = trf.players[player].name
        _say_differs(line, "points", name, points / 2, of_boards / 2, trusted, "points")
    return differences


def without_start_ranks(
    trf: Trf,
    matches: Sequence[Match],
    penalties: Sequence[Penalty],
    published: Mapping[str, tuple[str, ...]],
) -> Mapping[str, tuple[str, ...]]:
    """What is printed without places that are the start numbers: no ranking is printed."""
    places = published.get("place", ())
    totals = [points for points, _ in sum_points(len(trf.names), matches, penalties)]
    if places != tuple(map(str, trf.teams)) or totals == sorted(totals, reverse=True):
        return published
    about = "the rank field repeats the start number: no ranking is printed"
    trf.notes.say(about, aside="")
    return {name: texts for name, texts in published.items() if name != "place"}
