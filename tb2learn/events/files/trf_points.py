"""What rounds of a Tournament Report File pay: matches, byes, penalties; and the file's own totals.

Records 162 and 362 say what results pay, 299 what some of them paid otherwise, 320 and 240 who had
a bye. Totals of teams and points of players are held against the results, and tell what a bye paid
of which no record does.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import replace

from tb2learn.events.files import trf_repairs as repairs
from tb2learn.events.files.draft import bye_of, finished_matches, say_late_penalty
from tb2learn.events.files.pairings import Pairing
from tb2learn.events.files.scores import FALLING, half_points, match_scoring, player_points
from tb2learn.events.files.trf_records import (
    BYE_LETTERS,
    BYE_OF_LETTER,
    BYES,
    FIELDS,
    JAVAFO_POINTS,
    PLAYED,
    SERVERS,
    Columns,
    PaymentRow,
    Place,
    Trf,
    TrfRecord,
)
from tb2learn.events.parts import STANDARD_SCORING, Bye, Match, Penalty, sum_points
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
GAME = {symbol: PLAYED[symbol] for symbol in "WDL"} | {"A": 0}
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
    system = _point_system(trf, "162", {} if trf.individual else GAME)
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
    if trf.individual:
        trf.bye_points = player_points(system.get("P", scoring[0]))
        trf.absent_pays = player_points(system.get("A", 0)) if system.get("A") else None


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


def read_abnormal(trf: Trf) -> None:
    """Read records 299, but for their points; one note on those that pay a result everywhere."""
    everywhere: dict[str, TrfRecord] = {}
    for line in trf["299"]:
        kind = line.text("type").upper()
        if kind not in TYPES:
            raise line.error("type", f"one of {' '.join(TYPES)}")
        whole = not kind and line.text("round") == str(WHOLE_EVENT)
        r = 0 if whole else line.integer("round", 0, MAX_ROUNDS, default=0)
        listed = line.numbers_of_list("team number", 9999)
        teams = [(column, line.team(column, trf.teams)) for column, number in listed if number]
        if not kind and not teams:
            where = line.item(0, "team number")._replace(last=None, name="team numbers")
            raise line.error(where, "those of the teams with a penalty")
        trf.payments.append(PaymentRow(line, kind, r, teams))
        # Without round and teams it pays the whole field, which is worth a note.
        if kind and not r and not teams:
            units = {"game points": ""} if trf.individual else _UNITS
            points = (f" {line.text(f)}{unit}" for f, unit in units.items() if line.text(f))
            everywhere.setdefault(f"{kind}{''.join(points)}", line)
    if everywhere:
        about = "record 299 without a round and teams pays every result of its type"
        trf.notes.say(f"{about}: {', '.join(everywhere)}", next(iter(everywhere.values())))


# -------------------------------------------------------------------------------------- byes

WHOLE_EVENT = 999
BEST_FIRST: tuple[Bye, ...] = ("default", *BYE_LETTERS)
TYPES = "WDL+-PFHZ"


def _recorded_byes(trf: Trf) -> dict[Place, Pairing]:
    """Byes of teams in entries of players and in records 320 and 240, by round and team."""
    byes: dict[Place, Pairing] = {}

    def take(
        line: TrfRecord,
        column: Columns,
        r: int,
        bye: Bye,
        match_points: int | None = None,
        half: int | None = None,
    ) -> None:
        place = r, line.team(column, trf.teams)
        if r > trf.rounds:
            return
        half_points = None if half is None else (half, 0)
        points = match_points, None
        pairing = Pairing(r, 0, place[1], None, half_points, bye=bye, match_points=points)
        earlier = byes.setdefault(place, pairing)
        # Programs write a pairing-allocated bye into both records; it must pay the same.
        paid = {bye_of(each, trf, trf.boards).points_of(place[1]) for each in (pairing, earlier)}
        same = earlier is pairing or (earlier.bye == "pairing" != bye and len(paid) == 1)
        if place in trf.opponent_of_team or not same:
            raise line.error(column, f"without a match or other bye in round {r}")
        if earlier is not pairing:
            bearer = "team", f"{trf.names[place[1]]} in round {r}"
            about = "a bye in records 320 and 240 that pays the same is one bye"
            trf.notes.note_assumption(about, line, whom=bearer)

    for line in trf["320"]:
        points = (
            line.match_points(trf.most_match_points),
            line.half_points("game points", MAX_BOARDS),
        )
        # Without points of its own it says who is free in a round robin.
        if trf.is_round_robin and not any(points):
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


def _byes_of_players(trf: Trf) -> dict[Place, Pairing]:
    """Byes that appear only in entries of players; the best entry of a team counts."""
    kinds: dict[Place, set[Bye]] = defaultdict(set)
    won: Counter[Place] = Counter()
    for (r, player), entry in trf.entries.items():
        kinds[r, trf.team(player)].add("default" if entry.half_points else "zero")
        won[r, trf.team(player)] += entry.half_points
    for place, letters in trf.letters.items():
        kinds[place] |= {BYE_OF_LETTER[letter] for letter in letters}
    byes: dict[Place, Pairing] = {}
    for place, of_players in kinds.items():
        # In a round robin nobody is left over: a letter for that is a free day.
        if trf.is_round_robin and of_players <= {"pairing", "zero"}:
            continue
        if place not in trf.opponent_of_team and place[0] <= trf.rounds:
            # Members have different entries; the best one is what the team had.
            bye = min(of_players, key=BEST_FIRST.index)
            # Points that players won by default add up to those of the team.
            half = (min(won[place], 2 * trf.boards), 0) if bye == "default" else None
            byes[place] = Pairing(*(place[0], 0, place[1]), None, half, bye=bye)
    return byes


def settle_results(trf: Trf, matches: Mapping[Place, Pairing]) -> list[tuple[int, int]]:
    """Put the results of all finished rounds into the draft: matches, and byes of whatever source.

    Totals of teams in the file, and points of players, say whether a bye of which no record tells
    was paid, and what.

    **Returns:** match points and half points of every team.
    """
    recorded = {**matches, **_recorded_byes(trf)}
    byes, unpaired = repairs.missing_byes(trf)
    if trf.is_round_robin:
        byes = _paid_free_days(trf, recorded, byes)
    results = _fill(trf, recorded, byes)
    totals = sum_points(len(trf.names), results, trf.penalties)
    denied, paid = _paid_byes(trf, results, totals, byes)
    # Two totals that agree outweigh what is usual.
    if paid:
        trf.bye_points, trf.bye_source = paid, "as the totals in the file say"
    mp, half = trf.bye_pays or (trf.used_scoring[1], trf.boards)
    pays = f"{mp / 2:g} points" if trf.individual else f"{mp} MP and {half / 2:g} GP"
    if paid and not byes - denied:
        trf.notes.note_assumption(f"the totals in the file say that a pairing bye pays {pays}")
    # The results are made again with what the totals say.
    if denied or paid:
        byes, unpaired = byes - denied, unpaired | denied
        totals = sum_points(len(trf.names), _fill(trf, recorded, byes), trf.penalties)
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
    for row in trf.payments:
        for _, team in row.teams if not row.kind and row.round > trf.rounds else ():
            say_late_penalty(trf.notes, trf.names[team], row.round, row.line)
    return totals


def _fill(trf: Trf, recorded: Mapping[Place, Pairing], byes: Set[Place]) -> Sequence[Match]:
    """Number the pairings of finished rounds, and pay what records 299 say.

    **Arguments:** `recorded`: matches, by the lower team, and byes; `byes`: others.
    **Returns:** the matches and byes.
    """
    results = {**recorded, **{(r, t): Pairing(r, 0, t, bye="pairing") for r, t in byes}}
    end, count = trf.unfinished, Counter[int]()
    trf.pairings = [pairing for pairing in trf.pairings if pairing.round >= end]
    for (r, _), pairing in sorted(results.items(), key=lambda item: item[0]):
        # Numbers follow the lower team of every match.
        count[r] += 1
        games = [replace(game, match=count[r]) for game in pairing.games]
        trf.pairings.append(replace(pairing, number=count[r], games=games))
    if trf.payments or trf.absent_pays:
        _pay_abnormal(trf)
    return finished_matches(trf)[0]


def _paid_free_days(trf: Trf, recorded: Mapping[Place, Pairing], days: Set[Place]) -> set[Place]:
    """The free days of a round robin that pay points, as the user says or the file's totals.

    All others pay nothing: they are no byes.
    """
    days = days - recorded.keys()
    if trf.options.bye_points:
        return {*days}
    results = _fill(trf, recorded, set())
    totals = sum_points(len(trf.names), results, trf.penalties)
    count = Counter(team for _, team in days)
    votes: Counter[tuple[float, float]] = Counter()
    for team, (_, (mp, half)) in trf.totals.items():
        if count[team] and mp is not None and half is not None:
            own_mp, own_half = totals[team]
            votes[(mp - own_mp) / count[team], (half - own_half) / count[team]] += 1
    # Who has no more than his results had nothing.
    votes.pop((0, 0), None)
    return {*days} if _agreed_payment(trf, votes, set()) else set()


def _paid_byes(
    trf: Trf, results: Iterable[Match], totals: Sequence[tuple[int, int]], byes: Set[Place]
) -> tuple[set[Place], tuple[int, int] | None]:
    """What the points in the file say of pairing-allocated byes, of which some are assumed.

    **Returns:** the assumed byes of teams whose points are those of their other results; and match
    points and half points of a bye, None unless two teams or more have the same, and none others.
    """
    # Where the file says what a bye pays, its totals only tell who had one.
    unsaid = trf.bye_unsaid and not trf["320"]
    points_of_byes: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for match in results:
        if match.bye == "pairing" and (unsaid or (match.round, match.team_a) in byes):
            points_of_byes[match.team_a].append(match.points_of(match.team_a))
    denied: set[int] = set()
    votes: Counter[tuple[float, float]] = Counter()
    for team, points in points_of_byes.items():
        _, total = trf.totals.get(team, (None, (None, None)))
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
    usual = {points[0] for points in points_of_byes.values()}
    pays = _agreed_payment(trf, votes, usual) if unsaid else None
    return {place for place in byes if place[1] in denied}, pays


def _agreed_payment(
    trf: Trf, votes: Counter[tuple[float, float]], usual: Set[tuple[int, int]]
) -> tuple[int, int] | None:
    """What the totals of two teams or more, and of none other, say that a bye pays.

    None if that is the `usual` payment, or none that a bye can have.
    """
    (((mp, half), times),) = votes.most_common(1) or [((-1, -1), 0)]
    is_whole = mp % 1 == half % 1 == 0
    is_possible = is_whole and 0 <= mp <= trf.most_match_points and 0 <= half <= 2 * trf.boards
    is_agreed = is_possible and times > 1 == len(votes) and usual != {(mp, half)}
    return (int(mp), int(half)) if is_agreed else None


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


def _pay_abnormal(trf: Trf) -> None:
    """Give the pairings the points of records 299; those without a type are penalties.

    Before them absence has what record 162 pays for it.
    """
    pairings = {(p.round, p.number): p for p in trf.pairings if p.number}
    matches, _ = finished_matches(trf)
    by_number = {(match.round, match.number): match for match in matches}
    sides = {(m.round, team): (m.number, k) for m in matches for k, team in enumerate(m.teams)}
    types = {
        place: result_type(by_number[place[0], number], side)
        for place, (number, side) in sides.items()
    }
    points: dict[Place, tuple[int | None, int | None]] = {}
    if trf.absent_pays:
        points = {place: trf.absent_pays for place, kind in types.items() if kind in ("-", "Z")}
    penalties: list[Penalty] = []
    seen: set[Hashable] = set()
    for row in trf.payments:
        kind, r, paid = row.kind, row.round, _abnormal_points(trf, row)
        for column, team in row.teams or [(row.line.item(0, "team number"), -1)]:
            row.line.check_once(seen, (kind, r, team), column, "each team once a round")
            if r > trf.rounds:
                continue
            if not kind:
                penalties.append(Penalty(team, r, paid[0] or 0, paid[1] or 0))
                continue
            # A team and a round name one result, whatever its type; else the type chooses.
            exact = bool(r and row.teams)
            if exact and (r, team) not in sides:
                raise row.line.error(column, f"a team with a match or bye in round {r}")
            rounds = [r] if r else range(1, trf.rounds + 1)
            teams = [team] if row.teams else trf.teams.values()
            for place in itertools.product(rounds, teams):
                if exact or types.get(place) == kind:
                    points[place] = paid
    for (r, team), paid in points.items():
        number, side = sides[r, team]
        match = by_number[r, number] = _with_points(by_number[r, number], side, paid, trf)
        pairing = pairings[r, number]
        pairing.half_points = match.half_points_a, match.half_points_b
        pairing.match_points = match.match_points_a, match.match_points_b
    trf.penalties = penalties


def _with_points(match: Match, side: int, paid: tuple[int | None, int | None], trf: Trf) -> Match:
    """A match with other points of one side (match points, half points), None for its own.

    The other side keeps its match points, whatever the game points are now.
    """
    points, half = [*match.match_points], [match.half_points_a, match.half_points_b]
    for values, value in ((points, paid[0]), (half, paid[1])):
        values[side] = values[side] if value is None else value
    match = replace(match.given(), half_points_a=half[0], half_points_b=half[1])
    # Points that follow from the boards are not the record's.
    usual = match.paid(trf.used_scoring).match_points
    points = (None if p == u else p for p, u in zip(points, usual, strict=True))
    return match.given(*points).paid(trf.used_scoring)


def _abnormal_points(trf: Trf, row: PaymentRow) -> tuple[int | None, int | None]:
    """Match points and half points of a record 299; below 0 in a penalty alone."""
    line, low, high, boards = row.line, 0, trf.most_match_points, trf.boards
    if not row.kind:
        low, high, boards = -MOST_PENALTY, MOST_PENALTY, MOST_PENALTY
    if not trf.individual:
        return line.match_points(high, low), line.half_points("game points", boards, low)
    points = line.points(FIELDS["299"]["game points"]._replace(name="points"), low, high)
    return player_points(points) if row.kind else (points, points)


# ----------------------------------------------------------------- points and ranks in the file

_UNITS = {"match points": " MP", "game points": " GP"}
MOST = 200
"""Most points in a field that can be right."""


def read_printed(trf: Trf) -> None:
    """Places and points that the file prints, and totals: of teams in 310, else in 802.

    Of players they are the half points in records 001, twice.
    """
    fields = {"place": "rank", "mp": "match points", "gp": "game points"}
    if trf.individual:
        fields = {"place": "rank", "points": "points"}
        trf.totals = {k: (row.line, (row.points, row.points)) for k, row in trf.rows.items()}
    lines = [squad.line for squad in trf.squads] if trf.individual or trf["310"] else []
    columns = {name: tuple(line.text(field) for line in lines) for name, field in fields.items()}
    # Programs print 0 where they have no ranking yet.
    columns["place"] = tuple(text if text.strip("0") else "" for text in columns["place"])
    trf.published = {name: texts for name, texts in columns.items() if any(texts)}
    # A program may have added up the boards that are finished of an open match.
    half_played = {team for _, team in trf.without_boards}
    for line in () if trf.individual else (*trf["802"], *trf["310"]):
        words = (
            [line.text("match points"), line.text("game points")]
            if line.kind == "310"
            else (re.findall(r"\S*[.,]\S*", line.text("totals")))
        )
        mp, half = (half_points(word) for word in (*words, "", "")[:2])
        number = line.text("team number")
        team = trf.teams.get(int(number) if number.isascii() and number.isdigit() else 0)
        # Half a match point, or more than any event has, is no total.
        mp = mp // 2 if mp is not None and mp % 2 == 0 and abs(mp) <= 2 * MOST else None
        half = half if abs(half or 0) <= 2 * MOST else None
        if team is not None and team not in half_played and (mp, half) != (None, None):
            trf.totals[team] = line, (mp, half)


def compare_totals(trf: Trf, totals: Sequence[tuple[int, int]]) -> None:
    """Name every difference between points in the file and those of the results.

    Places that were made with points that are taken off are no more published. With `trust_points`
    the differences are points outside of matches: those of the file's totals, and where it has none
    of teams, those of their players.
    """
    printed, trusted, published = trf.totals, trf.options.trust_points, trf.published
    outside, texts = list[Penalty](), [*published.get("points", ())]
    pays = {letter: trf.used_scoring[2 - half] for letter, half in BYES.items() if half}
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
    # Totals of a file in play may have the round that is played.
    if trf.unfinished > MAX_ROUNDS:
        if trf.individual and texts and tuple(texts) != published["points"]:
            # Printed places were made with the points that are taken off.
            trf.published = {"points": tuple(texts)}
        if trusted:
            trf.penalties = [*trf.penalties, *outside]
            totals = [
                (mp + sum(p.match_points for p in outside if p.team == team), half)
                for team, (mp, half) in enumerate(totals)
            ]
    places, standings = trf.published.get("place", ()), [mp for mp, _ in totals]
    if places == tuple(map(str, trf.teams)) and standings != sorted(standings, reverse=True):
        about = "the rank field repeats the start number: no ranking is printed"
        trf.notes.say(about, aside="")
        trf.published = {name: texts for name, texts in trf.published.items() if name != "place"}


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
    for player, row in trf.rows.items():
        points, (of_boards, with_byes) = row.points, row.results
        if points is None or of_boards <= points <= with_byes or points == scored[player]:
            continue
        differences[trf.team(player)] += points - of_boards
        name = trf.players[player].name
        _say_differs(row.line, "points", name, points / 2, of_boards / 2, trusted, "points")
    return differences
