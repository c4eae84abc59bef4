"""The order of standings: lists of criteria, and the usual one.

Names are those of `tiebreaks.library`, and of tables and formulas. In an individual event they may
be written in words or as in FIDE's files (`BH/C1`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tb2learn.events.criteria import Criterion
from tb2learn.tiebreaks.library import CODES, ENTRIES, Lists, is_tiebreak
from tb2learn.tiebreaks.rules import Rule, classic
from tb2learn.types import InputError

FindRule = Callable[[str], Rule]
"""Gives a rule by its name for the format of an event."""

SWISS = ("points", "direct", "buchholz-cut1", "buchholz", "sonneborn-berger", "wins", "black-wins")
ROUND_ROBIN = ("points", "direct", "wins", "sonneborn-berger", "koya")
"""What `fide` stands for in an individual event: C.07 leaves the order to its regulations."""


@dataclass(frozen=True)
class Order:
    """How events of a format are ordered by lists of criteria.

    **Fields:**

    - `rounds`, `boards`: the format.
    - `individual`: whether it is an event of players.
    - `round_robin`: whether everybody met everybody, where FIDE's list is another one.
    """

    rounds: int
    boards: int
    individual: bool = False
    round_robin: bool = False

    @property
    def fide(self) -> tuple[str, ...]:
        """FIDE's list for players."""
        return ROUND_ROBIN if self.round_robin else SWISS

    def known(self, name: str) -> Criterion:
        """A criterion of the library.

        **Raises:** `InputError` for an unknown name, or a cut that it does not have.
        """
        where: Lists = "players" if self.individual else "teams"
        entries = {k: one for k, one in ENTRIES.items() if one.known_in in ("rules", where)}
        return Criterion(name, classic(name, self.rounds, self.boards, entries))

    def listed(self, text: str, find_rule: FindRule) -> tuple[Criterion, ...]:
        """Criteria from a list such as `mp,tb2:olympiad-180x11,gp,opponents-cut1`.

        **Arguments:**

        - `text`: names separated by commas: of the library, also with `-cutN` or `-medianN`, or of
          other rules; `tb2:RULE` and `RULE` are the same. Those of players may be FIDE's codes, and
          `fide` stands for the points and FIDE's list, less what stands before it.
        - `find_rule`: gives the rule of a name that the library does not have.

        **Raises:** `InputError` for an empty or repeated name, or one that `find_rule` does not
        know.
        """
        names: list[str] = []
        for part in (part.strip() for part in text.split(",")):
            name = _in_words(part) if self.individual else part
            if self.individual and name == "fide":
                names += [one for one in self.fide if one not in names]
            elif not name or name in names:
                raise InputError(
                    f"tiebreaks must be different names separated by commas, got {text!r}"
                )
            else:
                names.append(name)
        return tuple(self._criterion(name, find_rule) for name in names)

    def with_rule(self, rule: Rule) -> tuple[Criterion, ...]:
        """The usual order with a rule after the points.

        For teams it is that of the Olympiad: match points, the rule as TB2, game points, TB4; for
        players the points, the rule, and what remains of FIDE's list.
        """
        if self.individual:
            rest = [name for name in self.fide[1:] if name != rule.name]
            return (self.known("points"), Criterion(rule.name, rule), *map(self.known, rest))
        return (self.known("mp"), Criterion("tb2", rule), self.known("gp"), self.known("tb4"))

    def _criterion(self, name: str, find_rule: FindRule) -> Criterion:
        plain = name.removeprefix("tb2:")
        if is_tiebreak(plain) or re.sub(r"-(cut|median)\d+$", "", plain) in ENTRIES:
            return Criterion(name, self.known(plain).rule)
        return Criterion(name, find_rule(plain))


def _in_words(part: str) -> str:
    """A name in words, also of one in FIDE's code."""
    code, _, cut = part.upper().partition("/")
    if code not in CODES:
        return part.casefold() if part.casefold() in ("fide", *ENTRIES) else part
    shape = re.fullmatch("([CM])([0-9]{1,2})", cut, re.ASCII)
    if cut and not shape:
        raise InputError(f"tie-breaks may have a cut such as /C1 or /M1, got {part[:40]!r}")
    kind = {"C": "-cut", "M": "-median"}[shape[1]] + shape[2] if shape else ""
    return CODES[code].name + kind


def fide_order(rule: Rule) -> tuple[Criterion, ...]:
    """The Olympiad's order: match points, a rule of TB2, game points, TB4."""
    return Order(rule.event_rounds, rule.boards).with_rule(rule)


def fide_codes(round_robin: bool) -> str:
    """The points and FIDE's list in the codes of record 212 of a TRF."""
    codes = {one.name: one.codes[-1] for one in ENTRIES.values() if one.codes}
    codes["buchholz-cut1"] = f"{codes['buchholz']}/C1"
    return ",".join(codes[name] for name in (ROUND_ROBIN if round_robin else SWISS))
