"""What orders an event: lists of tie-breaks as users, files and FIDE give them, read in one place.

Also what is to be said of an order: that it is unusual, or worth little in a round robin.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import overload

import numpy as np

from tb2learn.data import read_rows
from tb2learn.events.criteria import Completed, Criterion, complete, known_criterion
from tb2learn.events.kind import free_day_notes, is_round_robin
from tb2learn.events.model import SCHEVENINGEN, TIEBREAKS, TeamEvent
from tb2learn.events.unplayed.record import event_record
from tb2learn.text import plain
from tb2learn.tiebreaks import library
from tb2learn.tiebreaks.library import (
    ENTRIES,
    PRODUCT,
    RULES,
    SCHEVENINGEN_LISTS,
    fide_list,
    heading,
    usual_name,
)
from tb2learn.tiebreaks.names import coded, is_tiebreak
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError

FindRule = Callable[[str], Rule]
"""Gives a rule by its name for the format of an event."""

Asked = Rule | str | Sequence[Rule | str]
"""What is to order an event: a rule, or its name (`fide` for FIDE's list), in the usual order with
it; or a list of criteria, each a rule, its name, or a name of the library."""


FIDE, LIST = "fide", "list"
"""The names of FIDE's list, and of any other list."""


@dataclass(frozen=True)
class CriteriaList(Sequence[Criterion]):
    """The criteria that order an event, the first decides first.

    **Fields:**

    - `criteria`: themselves.
    - `name`: that of the rule that leads the usual order, `FIDE` for FIDE's list, else `LIST`.
    - `asked`: what was asked for, in its words: the name of a rule, or those of a list.
    - `rule`: the rule that leads the usual order; None for a list, also for FIDE's.
    """

    criteria: tuple[Criterion, ...]
    name: str = LIST
    asked: tuple[str, ...] = ()
    rule: Rule | None = None

    def __len__(self) -> int:
        return len(self.criteria)

    def __iter__(self) -> Iterator[Criterion]:
        return iter(self.criteria)

    @overload
    def __getitem__(self, index: int) -> Criterion: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Criterion, ...]: ...

    def __getitem__(self, index: int | slice) -> Criterion | tuple[Criterion, ...]:
        return self.criteria[index]


@dataclass(frozen=True)
class CriteriaReader:
    """Reads what is to order events of a format.

    **Fields:**

    - `rounds`, `boards`: the format.
    - `individual`: whether it is an event of players.
    - `round_robin`: whether everybody meets everybody, where FIDE's list is another one.
    """

    rounds: int
    boards: int
    individual: bool = False
    round_robin: bool = False

    @staticmethod
    def of(event: TeamEvent) -> CriteriaReader:
        """For an event."""
        # FIDE's list for round robins alone needs neither rounds nor colours.
        no_rounds = event.individual and not event.known_rounds
        round_robin = is_round_robin(event) or no_rounds
        return CriteriaReader(event.rounds, event.boards, event.individual, round_robin)

    def read(self, asked: Asked, find_rule: FindRule) -> CriteriaList:
        """The criteria that are asked for.

        **Arguments:**

        - `asked`: a rule or its name, for the usual order with it; or a list. Of a list a text may
          itself be one, such as `mp,tb2:olympiad-180x11,gp,opponents-cut1`: names separated by
          commas, of the library, with modifiers (`tiebreaks.names`), or of other rules; `tb2:RULE`
          and `RULE` are the same. Any may be FIDE's codes; those of teams without `:MP` or `:GP`
          are about the first of these points in the list. `fide` stands for the points and FIDE's
          list, less what stands before it.
        - `find_rule`: gives the rule of a name that the library does not have.

        **Raises:** `InputError` for an empty or repeated name, or one that `find_rule` does not
        know.
        """
        if isinstance(asked, Rule):
            return self.led_by(asked)
        if not isinstance(asked, str):
            return CriteriaList(self._listed(asked, find_rule), asked=_names(asked))
        if self.individual:
            criteria = self._listed(["points", asked, FIDE], find_rule)
            if asked == FIDE:
                return CriteriaList(criteria, FIDE, (asked,))
            rule = criteria[1].rule
            return CriteriaList(criteria, rule.name, (asked,), rule)
        if asked == FIDE:
            # In a Swiss of teams it is the order of the Olympiad, in which the product rule is TB2.
            in_swiss = not self.round_robin
            criteria = (
                self.led_by(find_rule(PRODUCT)) if in_swiss else self._listed([FIDE], find_rule)
            )
            return CriteriaList(tuple(criteria), FIDE, (asked,))
        if "," in asked:
            raise InputError(f"one rule decides ties, got a list: --tiebreaks takes {asked[:60]!r}")
        return replace(self.led_by(find_rule(asked)), asked=(asked,))

    def led_by(self, rule: Rule) -> CriteriaList:
        """The usual order with a rule after the points.

        For teams it is that of the Olympiad: match points, the rule as TB2, game points, BH/C1. In
        a round robin, where everybody has met the same opponents, and for players what remains of
        FIDE's list follows the rule.
        """
        points, *rest = fide_list(self.individual, self.round_robin)
        if self.individual:
            name, rest = rule.name, [name for name in rest if name != rule.name]
        elif self.round_robin:
            names = {"gp" if part.name == "game-points" else part.name for part in rule.parts}
            name, rest = "tb2", [name for name in rest if name not in names]
        else:
            name, rest = "tb2", [name for name in rest if name != PRODUCT]
        criteria = (self.known(points), Criterion(name, rule), *map(self.known, rest))
        return CriteriaList(criteria, rule.name, (rule.name,), rule)

    def known(self, name: str) -> Criterion:
        """A criterion of the library.

        **Raises:** `InputError` for an unknown name, or a cut that it does not have.
        """
        return known_criterion(name, self.rounds, self.boards, self.individual)

    def _listed(self, asked: Sequence[Rule | str], find_rule: FindRule) -> tuple[Criterion, ...]:
        listed: dict[str, Criterion] = {}
        for part in _parts(asked):
            if part == FIDE:
                # What stands before it is not repeated.
                fide = fide_list(self.individual, self.round_robin)
                names = [name for name in fide if name not in listed]
                listed |= {name: self._named(name, find_rule) for name in names}
                continue
            name = part.name if isinstance(part, Rule) else self._name(part, listed)
            if not name or name in listed:
                raise InputError(
                    "tiebreaks must be different names separated by commas, got "
                    f"{','.join(_names(asked))!r}"
                )
            named = isinstance(part, str)
            listed[name] = self._named(name, find_rule) if named else Criterion(name, part)
        return tuple(listed.values())

    def _name(self, part: str, before: Iterable[str]) -> str:
        """The name of a criterion from what a list has, a code or a name in any letters."""
        # Codes without `:MP` or `:GP` follow the points that the list begins with.
        first = next((name for name in before if name in ("mp", "gp")), "mp")
        code = coded(part, self.individual, "g" if first == "gp" else "m")
        if code:
            return code.name
        folded = part.casefold()
        return folded if folded in RULES or is_tiebreak(folded, ENTRIES) else part

    def _named(self, name: str, find_rule: FindRule) -> Criterion:
        plain_name = name.removeprefix("tb2:")
        if is_tiebreak(plain_name, ENTRIES):
            return Criterion(name, self.known(plain_name).rule)
        return Criterion(name, find_rule(plain_name))


def read_criteria(event: TeamEvent, asked: Asked, find_rule: FindRule) -> CriteriaList:
    """What is to order an event, see `CriteriaReader.read`."""
    return CriteriaReader.of(event).read(asked, find_rule)


def _parts(asked: Sequence[Rule | str]) -> Iterator[Rule | str]:
    """The rules of a list, and its names one by one."""
    for rule in asked:
        if isinstance(rule, Rule):
            yield rule
        else:
            texts = map(str.strip, rule.split(","))
            yield from (FIDE if text.casefold() == FIDE else text for text in texts)


def _names(asked: Sequence[Rule | str]) -> tuple[str, ...]:
    return tuple(rule.name if isinstance(rule, Rule) else rule for rule in asked)


def usual_rule(event: TeamEvent) -> str:
    """The rule that ranks an event if nobody names another one: FIDE's.

    For teams it is the product rule; in a round robin of teams, and for players, FIDE's list.
    """
    return usual_name(event.individual, is_round_robin(event))


def recorded_list(
    event: TeamEvent, find_rule: FindRule, completed: Completed | None = None
) -> tuple[CriteriaList | None, tuple[str, ...]]:
    """The list of tie-breaks that the record of an event has.

    A code `OTHER_` and the name of a rule stands for that rule, as `values_trf` writes it; no
    path of a rule is taken from a file.

    **Arguments:** `find_rule`: as for `CriteriaReader.read`; `completed`: the event as
    tie-breaks see it, by its usual policy if not given.

    **Returns:** the criteria, None if the record has no list, or one that cannot be computed; and
    a note on what is done, none without a list.
    """
    text = event.about.get(TIEBREAKS, "")
    if not text:
        return None, ()

    def find_by_name(name: str) -> Rule:
        # A file may come from anybody: it can name a rule, but no path.
        if not re.fullmatch("[a-z0-9-]+", name):
            raise InputError(f"{name} is no name of a rule")
        return find_rule(name)

    reader, completed = CriteriaReader.of(event), completed or complete(event)
    names, scores, criteria = list[str](), list[np.ndarray](), None
    for code in text.split(","):
        # FIDE's prefix for tie-breaks that it does not define.
        is_own = code.strip().upper().startswith("OTHER_")
        names.append(code.strip()[len("OTHER_") :].lower() if is_own else code)
        try:
            # One after the other, as each may depend on who is tied on those before it.
            criteria = reader.read(names, find_by_name)
            scores.append(criteria[-1].scores(completed, scores))
        except InputError:
            return None, (
                f"the file lists the tie-breaks {plain(text)}, of which {plain(code.strip())} is "
                "not computed here for this event: the usual order is used",
            )
    return criteria, (
        f"the order is {origin_of_list(event)} {plain(text)}; --tiebreaks or --tiebreak overrules "
        "it",
    )


def origin_of_list(event: TeamEvent) -> str:
    """Whose the list of tie-breaks in an event's record is, as notes and findings call it."""
    is_one = SCHEVENINGEN in event.about.get("type", "").casefold()
    usual = is_one and event.about[TIEBREAKS] in SCHEVENINGEN_LISTS
    return "that of a Scheveningen," if usual else "the file's own list"


@cache
def _league_errors() -> dict[tuple[int, int], dict[str, float]]:
    """Shares of all ties decided wrongly, by teams and boards, then by rule.

    Source: `data/leagues.md`.
    """
    errors: dict[tuple[int, int], dict[str, float]] = {}
    for row in read_rows("leagues.csv"):
        if row["top"] == "all" and row["boards"] != "1":
            size = int(row["teams"]), int(row["boards"])
            errors.setdefault(size, {})[row["rule"]] = float(row["error"])
    return errors


PLAYERS_ROUND_ROBIN = (
    "all players meet the same opponents (a round robin): their points are nearly all that the "
    "results tell; share the place or play off"
)
"""The note on a round robin of players."""


def round_robin_notes(event: TeamEvent) -> tuple[str, ...]:
    """What tie-breaks are worth in a round robin of three or more, as a note; none on other events.

    In one of players everybody was drawn against everybody, all equally often; in one of teams they
    also met over the board. The figures of teams are those of the simulated league that is most
    like the event.
    """
    if not is_round_robin(event):
        return ()
    paid = free_day_notes(event)
    if event.individual:
        return (PLAYERS_ROUND_ROBIN, *paid)
    errors = _league_errors()
    # Twice as many teams are as far as half as many; boards weigh double.
    teams, boards = min(
        errors,
        key=lambda size: (
            2 * abs(math.log(event.boards / size[1])) + abs(math.log(len(event.teams) / size[0]))
        ),
    )
    wrong = errors[teams, boards]
    return (
        "all teams meet the same opponents: what opponents scored says little of a team. In "
        f"simulated leagues of {teams} teams and {boards} boards Sonneborn-Berger on match points "
        f"decided {wrong['emmsb']:.0%} of the ties wrongly, as lots do, game points "
        f"{wrong['game-points']:.0%} (python -m studies.formats)",
        *paid,
    )


def criteria_notes(event: TeamEvent, criteria: Sequence[Criterion]) -> tuple[str, ...]:
    """Notes on a list of criteria that is unusual: no points first, Buchholz in a round robin."""
    notes: list[str] = []
    if criteria and criteria[0].name not in _POINTS_FIRST:
        name = _code_of(criteria[0])
        notes.append(f"the first criterion, {name}, is no points: places do not follow the points")
    # Sums of what opponents scored, by articles 8.1 to 8.3.
    sums = [c for c in criteria if c.entry and c.entry.source.startswith(("8.1", "8.2", "8.3"))]
    if sums and is_round_robin(event):
        names = ", ".join(map(_code_of, sums))
        notes.append(
            f"{names} in a round robin: sums of what opponents scored are made for Swiss events; "
            "here all meet the same opponents, so that they say nothing of who is better"
        )
    return tuple(notes)


_POINTS_FIRST = ("points", "mp", "gp")
"""Criteria that a list usually begins with."""


def _code_of(criterion: Criterion) -> str:
    """FIDE's code of a criterion, else its name as standings head it."""
    parts = criterion.rule.parts
    return (parts[0].code if len(parts) == 1 else "") or heading(criterion.name)


def unplayed_notes(event: TeamEvent, criteria: Sequence[Criterion]) -> tuple[str, ...]:
    """Notes on the rules that no policy changes, and on learned ones where matches are open.

    None for an event without unplayed rounds.
    """
    if event_record(event).played.all():
        return ()
    entries = [part.entry for criterion in criteria for part in criterion.rule.parts]
    learned = [
        criterion.rule.name for criterion in criteria if criterion.rule.learned and event.open
    ]
    rescaled = (
        f"{name}: the sum over the rounds in which a team has no open match, times all rounds by "
        "these; of the ways tried it is wrong least often"
        for name in learned
    )
    return (*library.unplayed_notes(entries, event.individual), *rescaled)
