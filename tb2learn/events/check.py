"""What in the record of an event contradicts its results: points, places, tie-breaks, pairings.

Printed columns (`TeamEvent.published`) are recomputed. A crosstable does not say which tie-breaks
its columns are, nor how unplayed rounds count in them: a column is taken for the tie-break and the
policy with which most of its cells agree. Places by the record's own list are judged by the policy
that `rank` uses, as whichever fits would let wrong places pass.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from tb2learn.events.criteria import Completed, complete
from tb2learn.events.files.headings import is_points
from tb2learn.events.files.slips import MET_AGAIN
from tb2learn.events.findings import Finding
from tb2learn.events.model import TIEBREAKS, TeamEvent
from tb2learn.events.orders import (
    CriteriaReader,
    origin_of_list,
    read_criteria,
    recorded_list,
)
from tb2learn.events.ranking import Ranking
from tb2learn.events.unplayed.policies import POLICIES, usual_policy
from tb2learn.text import plain
from tb2learn.tiebreaks.library import ENTRIES, codes
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError, one_of

PLACE = "place"
"""The printed column of places."""
_POINTS = ("points", "mp", "gp")
"""Points; a TRF prints them under these names."""
_IN_ROUNDS = ("pairing", "bye", "board", "colour")
"""The kinds of what is found in a round, in order."""
_RARE = 0.05
"""Share of line-ups out of order up to which they are slips in an order of boards."""
_CUTS = ("", "-cut1", "-cut2", "-median1", "-median2")
_ENOUGH = 0.9
"""Share of cells that must agree before the others are taken for errors."""
_LEAST_CELLS = 5
"""Cells of a column from which on its numbers outvote its name."""
_SLIPS = 2
"""Cells that a wrong result or two exchanged places make differ, in however small an event."""
_NUMBER = re.compile(r"[+-]?[0-9]{1,7}(?:[.,][0-9]{1,6})?(?:\u00bd)?|\u00bd", re.ASCII)


@dataclass(frozen=True)
class PrintedColumn:
    """A printed column, and what it agrees with.

    **Fields:**

    - `heading`: as printed; `place` for the places.
    - `criterion`, `policy`: the tie-break and the policy for unplayed rounds with which most cells
      agree; empty if fewer than nine of ten do in a column that is not of points, and of points if
      more than two do not. Of places it is
      the record's own list of tie-breaks, empty without one.
    - `cells`, `agreeing`: numbers of cells that are printed, and that agree.
    """

    heading: str
    criterion: str
    policy: str
    cells: int
    agreeing: int


@dataclass(frozen=True)
class Checked:
    """What was compared, and what was found.

    **Fields:**

    - `columns`: the printed columns, places last.
    - `findings`: what is wrong, by round; the standings come last.
    - `remarks`: what is unusual but may be right, in the same order: colours, pairs that the rules
      would not make, places that cannot be recomputed.
    - `rules`: by which rules the rounds were judged, and why, in a line; empty if they were not.
    """

    columns: tuple[PrintedColumn, ...]
    findings: tuple[Finding, ...]
    remarks: tuple[Finding, ...] = ()
    rules: str = ""


Part = Literal["pairings", "standings"]
PARTS: tuple[Part, ...] = get_args(Part)
"""What of an event can be checked alone."""


def check(
    event: TeamEvent,
    unplayed: str | None = None,
    rule: str | None = None,
    only: Part | None = None,
) -> Checked:
    """Compare an event with its printed points, places and tie-breaks, and look at its pairings.

    Wrong is: points and tie-breaks that the results do not give; in a Swiss the same opponent
    twice, and a second pairing-allocated bye; players of a team who changed boards; what the file
    says twice and differently; pairs, byes and colours of a team Swiss that the rules named by
    the user or the file would not make. Remarks are on colours of players (one three times in a
    row, or three times more than the other), and on rounds that rules would not make which nobody
    names.

    **Arguments:**

    - `unplayed`: the policy for unplayed rounds by which places are judged, as for `rank`; if it is
      given, columns of tie-breaks are judged by it, too.
    - `rule`: the pairing rules of a team Swiss, see `round_rules.rules_of`.
    - `only`: `pairings` or `standings`, to look at nothing else.

    **Returns:** the columns, the findings and the remarks, by round; the standings come last.

    **Raises:** `InputError` for an unknown policy or pairing rule.
    """
    if only is not None:
        one_of("only", only, PARTS)
    columns, findings, remarks = _columns(event, unplayed) if only != "pairings" else ([], [], [])
    wrong: list[Finding] = []
    unusual: list[Finding] = []
    rules = ""
    twice = list(_twice(event)) if only != "standings" else []
    if only != "standings":
        wrong += twice
        unusual += _colours(event)
        judged = _unlike_the_rules(event, rule)
        wrong += judged.findings
        unusual += judged.remarks
        rules = judged.rules
    # Boards can be checked without a printed column.
    wrong += _boards(event) if only is None else ()
    for kind, text in event.contradictions:
        if kind == MET_AGAIN and only != "standings":
            # Those that are found in a round are not said again.
            if not any(finding.kind == "pairing" for finding in twice):
                findings.append(Finding(0, "pairing", text))
        elif kind != MET_AGAIN and only != "pairings":
            findings.append(Finding(0, kind, text))
    return Checked(
        tuple(columns), (*_by_round(wrong), *findings), (*_by_round(unusual), *remarks), rules
    )


def _by_round(findings: Sequence[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda one: (one.round, _IN_ROUNDS.index(one.kind)))


def published_note(event: TeamEvent, unplayed: str | None = None) -> tuple[str, ...]:
    """One note that says how many printed places and which columns agree; none without any.

    **Arguments:** `unplayed`: as for `check`.
    """
    if not event.published.keys() - {PLACE, *_POINTS}:
        return ()
    texts = []
    for column in _columns(event, unplayed)[0]:
        tiebreak = (
            f" ({column.criterion})" if column.criterion and column.criterion != "points" else ""
        )
        texts.append(f"{plain(column.heading[:20])}{tiebreak} {column.agreeing} of {column.cells}")
    return (f"printed and recomputed agree: {'; '.join(texts)} (tb2learn check)",) if texts else ()


def column_code(event: TeamEvent, number: str, name: str) -> tuple[str, tuple[str, ...]]:
    """What a printed column is by its name and its numbers, which outvote the name.

    **Arguments:** `number`: of the column, with which its heading ends; `name`: that of the page.

    **Returns:** its code, or the name where neither says it; and a note where they disagree.
    """
    # Imported for pages alone, as all other files say what they mean in codes.
    from tb2learn.events.files.page_names import codes_of

    named = codes_of(name)
    if event.individual:
        named = tuple("PTS" if code in ("MPTS", "GPTS") else code for code in named)
    texts = _printed(event, number)
    printed = [_number(text) for text in texts]
    numbers = {x for x in printed if x is not None}
    best, code = _best_of(event, number, named) if named else (0, name[:60])
    cells = sum(x is not None for x in printed)
    # Of a few rows, or equal numbers, chance makes many tie-breaks; ranks of the tied are printed
    # in many ways.
    unclear = cells < _LEAST_CELLS or len(numbers) < 2 or {"DE", "EDE"} & {*named}
    if not named or best == cells or unclear:
        return code, ()
    for shown in _every_code(event.individual):
        if _best_of(event, number, [shown])[0] == cells:
            note = f"TB{number} is called {plain(name[:60])}, and its numbers are those of {shown}"
            return shown, (note,)
    return code, ()


def _every_code(players: bool) -> Iterator[str]:
    """FIDE's codes of teams or of players, with their cuts."""
    for entry in dict.fromkeys(codes(players).values()):
        cuts = ("/C1", "/C2", "/M1", "/M2")
        for cut in ("", *(cuts if entry.cuts == "both" else cuts[:2] if entry.cuts else ())):
            yield entry.codes[-1] + cut


def _printed(event: TeamEvent, number: str) -> tuple[str, ...]:
    """The cells of the column whose heading ends with a number; none where there is none."""
    return next((t for h, t in event.published.items() if re.fullmatch(rf"\D*{number}", h)), ())


def best_code(event: TeamEvent, number: str, codes: Sequence[str]) -> str:
    """The code of a tie-break of a list with which most cells of a printed column agree.

    **Arguments:** `number`: of the column, with which its heading ends; `codes`: the possible ones.
    """
    return _best_of(event, number, codes)[1]


def _best_of(event: TeamEvent, number: str, codes: Sequence[str]) -> tuple[int, str]:
    """How many cells agree with the code of `best_code`, and the code."""
    first = "PTS" if event.individual else "MPTS"
    texts = _printed(event, number)
    # Where nothing is printed, the first code.
    best = -1, codes[0]
    for policy in dict.fromkeys((usual_policy(event), *POLICIES)):
        for code in codes:
            with contextlib.suppress(InputError):
                listed = [first, code] if code != first else [code]
                criterion = read_criteria(event, listed, _no_rule)[-1]
                computed = criterion.scores(complete(event, policy), []).tolist()
                # No texts where no column has that number.
                cells = zip(map(_number, texts), computed, texts, strict=False)
                agree = sum(
                    x is not None and _agrees(x, computed, text) for x, computed, text in cells
                )
                # Of equal ones the first: the event's own policy.
                best = max(best, (agree, code), key=lambda pair: pair[0])
    return best


def _columns(
    event: TeamEvent, unplayed: str | None = None
) -> tuple[list[PrintedColumn], list[Finding], list[Finding]]:
    """The printed columns, the cells that do not agree, and remarks on places and editions.

    Where a printed column is no tie-break that is known here, what places follow from is not known.
    """
    columns: list[PrintedColumn] = []
    findings: list[Finding] = []
    remarks: list[Finding] = []
    numbers = {h: [_number(text) for text in texts] for h, texts in event.published.items()}
    table, before = _Recomputed(event, unplayed), list[np.ndarray]()
    for heading, printed in numbers.items():
        if heading == PLACE:
            continue
        column, scored = table.best(heading, printed, event.published[heading], before)
        # Ranks among those still tied follow from what is printed, right or wrong.
        before.append(np.array([x or 0.0 for x in printed]))
        columns.append(column)
        used = table.policies[0]
        if column.policy not in ("", used):
            text = (
                f"{plain(heading)} agrees with {column.criterion} by {column.policy}, "
                f"{column.agreeing} of {column.cells}; rank uses {used}"
            )
            remarks.append(Finding(0, "tie-break", text))
        if not column.criterion or _is_rank(column.criterion):
            continue  # others print what the rank follows from
        finding = "points" if column.criterion in _POINTS else "tie-break"
        for team, (theirs, ours) in enumerate(zip(printed, scored.tolist(), strict=True)):
            # An empty cell says nothing.
            if theirs is not None and not _agrees(theirs, ours, event.published[heading][team]):
                findings.append(
                    Finding(
                        0, finding,
                        f"{plain(event.teams[team])}: {plain(heading)} is printed as {theirs:g}, "
                        f"{column.criterion} is {round(ours, 4):g}",
                    )
                )  # fmt: skip
    if PLACE in numbers:
        # The file's own list of tie-breaks explains places best; else what is printed beside them.
        others = [values for heading, values in numbers.items() if heading != PLACE]
        contradictions = _places_by_list(event, numbers[PLACE], table.policies[0])
        column, wrong = contradictions or _places(event, numbers[PLACE], others)
        unknown = [column.heading for column in columns if not column.criterion]
        columns.append(column)
        # An unknown column may be what orders them: nothing is known to be wrong.
        if wrong and unknown and not contradictions:
            heads = ", ".join(map(plain, unknown))
            text = f"places are not recomputed: {heads} is no tie-break that is recognised"
            remarks.append(Finding(0, PLACE, text))
        else:
            findings += wrong
    return columns, findings, remarks


def _number(text: str) -> float | None:
    """A printed number; None for none."""
    text = text.strip().rstrip(".")
    if not _NUMBER.fullmatch(text):
        return None
    half = text.endswith("\u00bd")
    whole = text.removesuffix("\u00bd").replace(",", ".")
    return float(whole or 0) + 0.5 * half


def _agrees(printed: float, ours: float, text: str) -> bool:
    """Whether a printed number is ours, rounded or cut off to as many decimals."""
    decimals = len(re.split("[.,]", text.strip())[1]) if re.search("[.,]", text) else 0
    unit = 10.0**-decimals if decimals else 1e-6
    # One decimal is a half point; more are rounded or cut off.
    return abs(printed - ours) <= (unit if decimals >= 2 else 0.0) + 1e-6


class _Recomputed:
    """Tie-breaks of an event under all policies or the one that is asked for."""

    def __init__(self, event: TeamEvent, unplayed: str | None = None) -> None:
        self._event, self._reader = event, CriteriaReader.of(event)
        self._completed: dict[str, Completed] = {}
        self._scores: dict[tuple[str, str, int], np.ndarray | None] = {}
        if unplayed is not None:
            one_of("unplayed", unplayed, POLICIES)
        # The first is that of `rank`.
        every = dict.fromkeys((usual_policy(event), *POLICIES))
        self.policies = [unplayed] if unplayed else list(every)
        first = ("points",) if event.individual else ("mp", "gp")
        tables = () if event.individual else ("product", "tb4")
        where = ("rules", "players" if event.individual else "teams")
        elsewhere = "teams" if event.individual else "players"
        with_codes = (
            name
            for name, entry in ENTRIES.items()
            if entry.codes and entry.known_in in where and entry.coded_in != elsewhere
        )
        self._first = first
        self._names = list(dict.fromkeys((*first, *tables, *with_codes)))

    def best(
        self,
        heading: str,
        printed: Sequence[float | None],
        texts: Sequence[str],
        before: Sequence[np.ndarray],
    ) -> tuple[PrintedColumn, np.ndarray]:
        """What a column agrees with most, and the numbers of that.

        **Arguments:** `heading`, `printed`, `texts`: of the column; `before`: the columns before
        it, which say who is tied.
        """
        cells = sum(x is not None for x in printed)
        of_points = heading in _POINTS or is_points(heading)
        # A heading of points is trusted; any other one may be any tie-break.
        names = (heading,) if heading in _POINTS else self._first if of_points else self._names
        # Points are compared even if none of them agrees.
        best = (-1 if of_points else 0, "", "", np.zeros(len(printed)))
        # Policies change tie-breaks, not points.
        for policy in self.policies[: 1 if of_points else None]:
            for name in names:
                cut = ENTRIES[name].cuts if name in ENTRIES else ""
                for suffix in _CUTS if cut == "both" else _CUTS[:3] if cut else _CUTS[:1]:
                    values = self._of(name + suffix, policy, before)
                    if values is None:
                        continue
                    agreeing = sum(
                        theirs is not None and _agrees(theirs, ours, text)
                        for theirs, ours, text in zip(printed, values.tolist(), texts, strict=True)
                    )
                    if agreeing > best[0]:
                        best = agreeing, name + suffix, policy, values
                    # All cells agree: no other tie-break can be better.
                    if best[0] == cells:
                        return PrintedColumn(heading, best[1], best[2], cells, cells), best[3]
        apart = cells - best[0]
        # In a small event two wrong cells are many of them.
        slip = best[1] in _POINTS and apart <= _SLIPS and best[0] >= apart
        is_known = of_points or slip or best[0] >= _ENOUGH * cells
        criterion, policy = best[1:3] if is_known else ("", "")
        # Where nothing could be compared, nothing agrees.
        return PrintedColumn(heading, criterion, policy, cells, max(best[0], 0)), best[3]

    def _of(self, name: str, policy: str, before: Sequence[np.ndarray]) -> np.ndarray | None:
        """A tie-break under a policy; None where it has no meaning."""
        # Ranks depend on who is tied by the columns before.
        key = name, policy, len(before) if _is_rank(name) else 0
        if key not in self._scores:
            # Kept also where it has no meaning: the error would come each time.
            self._scores[key] = None
            with contextlib.suppress(InputError):
                if policy not in self._completed:
                    self._completed[policy] = complete(self._event, policy)
                criterion = self._reader.known(name)
                scores = criterion.scores(self._completed[policy], before)
                self._scores[key] = criterion.shown(scores, before)
        return self._scores[key]


def _is_rank(name: str) -> bool:
    """Whether a tie-break is printed as the rank among those still tied."""
    return name in ENTRIES and ENTRIES[name].shown == "rank"


def _places(
    event: TeamEvent, places: Sequence[float | None], columns: Sequence[Sequence[float | None]]
) -> tuple[PrintedColumn, list[Finding]]:
    """Whether places follow from the printed columns, compared one after the other."""
    listed = sorted(
        ((place, team) for team, place in enumerate(places) if place is not None),
    )
    # Empty cells count as nothing, like a tie-break that was not needed.
    keys = {team: [values[team] or 0.0 for values in columns] for _, team in listed}
    behind = [(a, b) for (_, a), (_, b) in pairwise(listed) if keys[b] > keys[a]]
    findings = [
        Finding(
            0, PLACE,
            f"{plain(event.teams[b])} is printed after {plain(event.teams[a])}, and has more in "
            "the first printed column in which they differ",
        )
        for a, b in behind
    ]  # fmt: skip
    agreeing = len(listed) - len(findings)
    # So many cannot be slips: the columns are not what decided.
    if len(findings) > _SLIPS and agreeing < _ENOUGH * len(listed):
        pairs = "; ".join(f"{plain(event.teams[b])} has more than {plain(event.teams[a])}, "
                          "printed before" for a, b in behind)  # fmt: skip
        reason = (
            f"only {agreeing} of {len(listed)} follow from the printed columns, one by one: {pairs}"
        )
        findings = [Finding(0, PLACE, reason)]
    return PrintedColumn(PLACE, "", "", len(listed), agreeing), findings


def _places_by_list(
    event: TeamEvent, places: Sequence[float | None], used: str
) -> tuple[PrintedColumn, list[Finding]] | None:
    """Whether places follow from the record's own list of tie-breaks, under the policy `used`.

    Those who are equal in all of them may have any of their places. Another policy that explains
    more places is a finding, too. None without a list, or with one that cannot be computed.
    """
    printed = {team: place for team, place in enumerate(places) if place is not None}
    wrong_by: dict[str, list[tuple[int, int]]] = {}
    for name in dict.fromkeys((used, *POLICIES)):
        with contextlib.suppress(InputError):
            wrong_by[name] = _unlike_the_list(event, printed, name)
        # Nothing can be better.
        if wrong_by.get(name) == []:
            break
    if not wrong_by:
        return None
    # Where `rank` refuses the policy, the first that can be computed judges.
    used = used if used in wrong_by else next(iter(wrong_by))
    wrong, best = wrong_by[used], min(wrong_by, key=lambda name: len(wrong_by[name]))
    total, listed = len(printed), plain(event.about[TIEBREAKS])
    agreeing, origin = total - len(wrong), origin_of_list(event)
    if len(wrong) > _SLIPS and agreeing < _ENOUGH * total:
        names = "; ".join(
            f"{plain(event.teams[team])} {place}, printed {printed[team]:g}"
            for team, place in wrong
        )
        texts = [f"only {agreeing} of {total} follow from {origin} {listed} by {used}: {names}"]
    else:
        texts = [
            f"{plain(event.teams[team])} is printed as {printed[team]:g}, by {origin} {listed} it "
            f"is {place}"
            for team, place in wrong
        ]
    if best != used:
        fitting = total - len(wrong_by[best])
        still = {team for team, _ in wrong_by[best]}
        moved = "; ".join(
            f"{plain(event.teams[team])} {printed[team]:g}, not {place}"
            for team, place in wrong
            if team not in still
        )
        texts.append(
            f"printed places fit {best} better, {fitting} of {total}, than {used}, {agreeing} of "
            f"{total}: {moved}"
        )
    column = PrintedColumn(PLACE, listed, used, total, agreeing)
    return column, [Finding(0, PLACE, text) for text in texts]


def _unlike_the_list(
    event: TeamEvent, printed: Mapping[int, float], unplayed: str
) -> list[tuple[int, int]]:
    """Teams whose printed place is none by the record's own list under a policy, and that place.

    **Raises:** `InputError` without a list, or with one that cannot be computed.
    """
    completed = complete(event, unplayed)
    criteria, _ = recorded_list(event, _no_rule, completed)
    if criteria is None:
        raise InputError(f"{event.name}: no list of tie-breaks that can be computed")
    rows = Ranking.of(event, completed, criteria).rows
    shared = Counter(row.place for row in rows)
    # Those who share a place may be printed on any of theirs.
    return [
        (row.number, row.place)
        for row in rows
        if not 0 <= printed.get(row.number, row.place) - row.place < shared[row.place]
    ]


def _no_rule(name: str) -> Rule:
    """Rules that FIDE has no code for are not looked up."""
    raise InputError(f"{name} is no tie-break of the library")


def _is_swiss(event: TeamEvent) -> bool:
    few = event.rounds < len(event.teams)
    return event.system.name == "swiss" and event.known_rounds and few


def _boards(event: TeamEvent) -> Iterator[Finding]:
    """Line-ups in which a player sits above one who is listed before.

    They are slips if nearly all line-ups are in the order of the record; else that order is no
    order of boards.
    """
    line_ups: dict[tuple[int, int, int], list[tuple[int, int]]] = defaultdict(list)
    # Players without teams have no order of boards.
    for game in () if event.individual else event.games:
        for seat in game.sides:
            if seat.player is not None:
                line_ups[game.round, game.match, seat.team].append((game.board, seat.player))
    changed = []
    for (round_number, _, team), seats in line_ups.items():
        players = [player for _, player in sorted(seats)]
        slips = [(a, b) for a, b in pairwise(players) if a > b]
        if slips:
            changed.append((round_number, team, slips))
    # Line-ups are free in this event, or the list has another order.
    if len(changed) > _RARE * len(line_ups):
        return
    for round_number, team, slips in changed:
        for above, below in slips:
            names = (plain(event.players[player].name) for player in (above, below))
            text = "{}: {} sits above {}, who is listed before".format(
                plain(event.teams[team]), *names
            )
            yield Finding(round_number, "board", text)


def _unlike_the_rules(event: TeamEvent, rule: str | None) -> Checked:
    """Pairs, byes and colours of a team Swiss that its pairing rules would not make.

    They are findings if the user or the file names the rules, else remarks: the rules are then
    those of the day, by which the event need not have been held.
    """
    if event.individual or not _is_swiss(event):
        if rule is not None:
            raise InputError(f"{event.name} is no Swiss of teams with rounds: it has no rules here")
        return Checked((), ())
    # Imported here because the pairing is much, and only these events are held against it.
    from tb2learn.events.replay import replay
    from tb2learn.events.round_rules import rules_of

    try:
        rules = rules_of(event, rule)
    except InputError as error:
        if rule is not None:
            raise
        return Checked((), (Finding(0, "pairing", str(error)),))
    # Events of another time are held against no rules, unless the user names some.
    if rules.origin == "assumed":
        return Checked((), ())
    unlike = tuple(replay(event, rules))
    certain = rules.is_certain
    return Checked((), unlike if certain else (), () if certain else unlike, rules.line)


def _twice(event: TeamEvent) -> Iterator[Finding]:
    """Pairs of entrants that met again, and entrants with a second pairing-allocated bye."""
    if not _is_swiss(event):
        return
    first: dict[tuple[int, ...], int] = {}
    for match in event.matches:
        # Who did not meet over the board may meet again.
        if not match.played and match.bye != "pairing":
            continue
        key = tuple(sorted(match.teams))
        if key in first:
            names = " and ".join(plain(event.teams[team]) for team in match.teams)
            about, verb = ("pairing", "met") if match.played else ("bye", "had the bye")
            yield Finding(match.round, about, f"{names} {verb} in round {first[key]} already")
        first.setdefault(key, match.round)


def _colours(event: TeamEvent) -> Iterator[Finding]:
    """Players with a colour three times in a row, or three times more often than the other."""
    if not event.individual or not _is_swiss(event):
        return
    had: Mapping[int, list[int]] = defaultdict(list)
    points: Counter[int] = Counter()
    played = sorted((game for game in event.games if game.played), key=lambda game: game.round)
    for game in played:
        for seat, colour in zip(game.sides, (1, -1), strict=True):
            balance = had[seat.team]
            balance.append(colour)
            # C.04.3: a top scorer, above half of the points, may have it in the last round.
            last = game.round == max(event.planned, event.rounds)
            if last and points[seat.team] > game.round - 1:
                continue
            name, word = plain(event.teams[seat.team]), "white" if colour > 0 else "black"
            if balance[-3:] == [colour] * 3:
                yield Finding(game.round, "colour", f"{name} had {word} three times in a row")
            elif sum(balance) * colour >= 3:
                yield Finding(
                    game.round,
                    "colour",
                    f"{name} had {word} three times more than the other colour",
                )
        for seat in game.sides:
            # After the colours: who is a top scorer is told by the rounds before.
            points[seat.team] += seat.half_points
