"""Names of tie-breaks, in words and in FIDE's codes, with their modifiers.

A name is that of an entry, with a cut, the score of teams that it is about, and FIDE's modifiers::

    buchholz-cut1    koya:GP    koya/L+1    buchholz-median1/P/V2024

In FIDE's codes these are `BH/C1`, `KS:GP`, `KS/L+1`, `BH/M1/P/V2024`.

Source: FIDE Handbook C.07 (March 2026), articles 5, 13 and 14; how codes are written: FIDE's
Tournament Report File of 2026, and its tie-break checker.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from tb2learn.tiebreaks.library import (
    ENTRIES,
    LIBRARY,
    MOST_CUT,
    PLAIN,
    Entry,
    Modifiers,
    as_rule,
    codes,
)

if TYPE_CHECKING:
    from tb2learn.tiebreaks.base import TieBreak

WITH_CUTS = "those with cuts also with -cutN or -medianN"

_PART = re.compile(
    "(?P<name>[^:/]+?)(-(?P<kind>cut|median)(?P<cut>[0-9]{1,2}))?(:(?P<by>MP|GP))?"
    "(?P<slashed>(/[^/]+)*)",
    re.ASCII,
)

_MODIFIER = re.compile(
    r"C(?P<cut>[0-9]{1,2})|M(?P<median>[0-9]{1,2})"
    r"|L(?P<shift>[+-][0-9]{1,2}(\.[05])?|[1-9])|L(?P<percent>[1-9][0-9]|100)"
    r"|K(?P<divisor>[1-9][0-9]{0,2})|U(?P<unrated>0|[1-9][0-9]{0,3})|V(?P<edition>2024|2026)?"
    r"|(?P<fore>F)|(?P<reverse>R)|(?P<forfeits>P)",
    re.ASCII,
)

_WRITTEN = {
    "C": "/C1", "M": "/M1", "L": "/L+1, /L-1 or /L60", "K": "/K10", "F": "/F", "R": "/R",
    "P": "/P", "U": "/U1400 or /U0", "V": "/V2024 or /V2026",
}  # fmt: skip
"""Modifiers as they may be written, by letter."""


@dataclass(frozen=True)
class Named:
    """A tie-break as it was asked for: its entry, and the modifiers."""

    entry: Entry
    asked: Modifiers = PLAIN

    @property
    def name(self) -> str:
        """The name in words: the same for whatever means the same."""
        low, high = self.asked.low, self.asked.high
        # A cut that the name has by itself is not said again.
        cut = f"-median{high}" if high else f"-cut{low}" if low > self.entry.always_cut else ""
        return self.entry.name + cut + self._tail("")

    @property
    def code(self) -> str:
        """FIDE's code; empty for none."""
        low, high = self.asked.low, self.asked.high
        # A median leaves out as many at the low end, so one number is enough.
        cut = f"/M{high}" if high else f"/C{low}" if low else ""
        return self.entry.codes[-1] + self._tail(cut) if self.entry.codes else ""

    def _tail(self, cut: str) -> str:
        asked = self.asked
        # Only what differs from the usual is written.
        tail = (":GP" if asked.by == "g" else "") + cut
        tail += f"/L{asked.percent}" if asked.percent != PLAIN.percent else ""
        tail += f"/L{asked.shift:+d}" if asked.shift else ""
        tail += f"/K{asked.divisor:g}" if asked.divisor else ""
        flags = {"F": asked.fore, "R": asked.reverse, "P": asked.forfeits}
        tail += "".join(f"/{letter}" for letter, there in flags.items() if there)
        tail += "" if asked.unrated is None else f"/U{asked.unrated}"
        return tail + (f"/V{asked.edition}" if asked.edition else "")

    @property
    def of_event(self) -> bool:
        """Whether the event is seen otherwise than usual: forfeits, ratings or the edition."""
        asked = self.asked
        return bool(asked.forfeits or asked.unrated is not None or asked.edition)

    def modified(self, text: str) -> Named:
        """With modifiers in FIDE's letters, each after a slash, in upper or lower case.

        **Raises:** `InputError` for one that it does not have, or that is none.
        """
        from tb2learn.types import InputError

        modifiers = self.asked
        for modifier in text.upper().split("/")[1:]:
            shape = _MODIFIER.fullmatch(modifier)
            if shape is None or modifier[0] not in self.entry.letters:
                got = ("/" + modifier)[:20]
                if modifier.startswith("U") and "U" in self.entry.letters:
                    raise InputError(f"/U needs a rating of 0..9999, such as /U1400, got {got!r}")
                known = ", ".join(_WRITTEN[letter] for letter in self.entry.letters)
                allowed = f"can have the modifiers {known}" if known else "has no modifiers"
                raise InputError(f"{self.entry.name} {allowed}, got {got!r}")
            modifiers = replace(modifiers, **_asked(shape))
        # Without a cut it is 0, too: the text says whether one was asked for.
        if max(modifiers.low, modifiers.high) > MOST_CUT or (
            modifiers.low < 1 and re.search("/[CM]", text, re.I)
        ):
            raise InputError(f"a cut must leave out 1..{MOST_CUT} items, got {text[:20]!r}")
        return replace(self, asked=modifiers)


def _asked(shape: re.Match[str]) -> dict[str, Any]:
    """Fields of `Modifiers` from one that is written as FIDE does.

    The limit of Koya: with a sign, or of one digit, it is so many half points above or below a half
    of all points (with a decimal so many points); of two digits or more it is a percentage.
    """
    # `V` alone has no group: it is the newest edition.
    field, text = shape.lastgroup or "edition", shape[shape.lastgroup or 0]
    if shape["cut"] or shape["median"]:
        return {"low": int(text), "high": int(text) if field == "median" else 0}
    if shape["shift"]:
        number = shape["shift"]
        # FIDE counts a limit without a decimal in half points.
        return {"shift": int(2 * float(number)) if "." in number else int(number)}
    if field == "edition":
        return {"edition": shape["edition"] or "2026"}
    return {field: int(text) if text.isdigit() else True}


def parsed(name: str, known: Mapping[str, Entry] = LIBRARY) -> tuple[Named, ...]:
    """The parts of a name: several joined by `+` are an ordered combination.

    **Arguments:** `known`: the entries that may be named.

    **Raises:** `InputError` naming what exists, for an unknown name or a modifier that it does not
    have.
    """
    from tb2learn.types import InputError

    items = tuple(_part(part, name, known) for part in _JOINT.split(name))
    # They change how the event is seen, which cannot be for one part alone.
    if len(items) > 1 and any(part.of_event for part in items):
        raise InputError(f"a combination has no modifier /P, /U or /V, got {name[:60]!r}")
    return items


_JOINT = re.compile(r"(?<!/L)\+")
"""What joins the parts of a combination; the sign of a limit is none."""


def _part(part: str, name: str, known: Mapping[str, Entry]) -> Named:
    from tb2learn.types import InputError

    shape = _PART.fullmatch(part)
    if shape is None or shape["name"] not in known:
        raise InputError(
            f"tie-breaks are {', '.join(known)}; {WITH_CUTS}; several joined by +; got {name!r}"
        )
    entry = known[shape["name"]]
    item = Named(entry, replace(PLAIN, low=entry.always_cut))
    if shape["kind"]:
        letter = {"cut": "C", "median": "M"}[shape["kind"]]
        if letter not in entry.letters:
            raise InputError(f"{entry.name} has no such cut, got {part!r}")
        item = item.modified(f"/{letter}{shape['cut']}")
    # Most names ask for nothing else.
    if shape["by"]:
        item = _on(item, shape["by"])
    return item.modified(shape["slashed"]) if shape["slashed"] else item


def _on(named: Named, by: str | None) -> Named:
    """Of another score of teams. **Raises:** `InputError` if it is not defined for game points."""
    from tb2learn.types import InputError

    if by == "GP" and not named.entry.based:
        based = ", ".join(entry.name for entry in ENTRIES.values() if entry.based)
        raise InputError(f"{named.entry.name} has one score; those with :MP and :GP are {based}")
    return replace(named, asked=replace(named.asked, by="g" if by == "GP" else "m"))


def find_tiebreak(
    name: str, rounds: int, boards: int, known: Mapping[str, Entry] = LIBRARY
) -> tuple[TieBreak, float]:
    """A tie-break by name.

    **Arguments:**

    - `name`: one of `LIBRARY`, with modifiers as the module has them; or an ordered combination,
      joined by `+`.
    - `rounds`, `boards`: of the event, 1..40 and 1..12.
    - `known`: the entries that may be named.

    **Returns:** the rule, and what one point of its scores is worth in the published scale (a
    combination's is a rank).

    **Raises:** `InputError` naming what exists.
    """
    return combined(parsed(name, known), rounds, boards)


def combined(parts: Sequence[Named], rounds: int, boards: int) -> tuple[TieBreak, float]:
    """The same as `find_tiebreak`, for what a name asks for."""
    rules = tuple(part.entry.build(rounds, boards, part.asked) for part in parts)
    if len(rules) == 1:
        (part,) = parts
        return rules[0], part.entry.unit(boards, part.asked.by)
    from tb2learn.tiebreaks.combined import Combined

    return Combined(rules), 1.0


def is_tiebreak(name: str, known: Mapping[str, Entry] = LIBRARY) -> bool:
    """Whether `find_tiebreak` knows a name, whatever the format and the modifiers."""
    shapes = [_PART.fullmatch(part) for part in _JOINT.split(name)]
    return all(shape is not None and shape["name"] in known for shape in shapes)


_CODE = re.compile(
    "(?P<code>[A-Z]{1,6})(:(?P<by>[A-Z]{2}))?(?P<slashed>(/[A-Z][-+.0-9]*)*)", re.ASCII
)

_OTHERS = {
    "MPTS": "PTS", "GPTS": "PTS", "MPVGP": "PTS", "SSSC": "BH", "EDE": "DE", "EDEC": "DE",
    "EDET": "DE", "EDEB": "DE", "EDEBT": "DE", "EDEBB": "DE", "ESB": "EMMSB", "EMMSB": "SB",
    "EMGSB": "SB", "EGMSB": "SB", "EGGSB": "SB", "BC": "PTS", "TBR": "PTS", "BBE": "PTS",
    "SNO": "TPN", "RTG": "RTNG", "NUM": "REP", "ABH": "BH", "AFB": "FB",
}  # fmt: skip
"""Codes that are of teams alone, or of the checker alone, and what is nearest to them."""


def coded(text: str, players: bool, by: Literal["m", "g"] = "m") -> Named | None:
    """A tie-break from one of FIDE's codes; None for a name that is no code.

    **Arguments:**

    - `text`: as in FIDE's files, `BH:GP/C1`, in upper or lower case.
    - `players`: whether the event is one of players; else of teams.
    - `by`: the score of teams that decides first, which a code without `:MP` or `:GP` is about.

    **Raises:** `InputError` for a code that has no meaning in such an event, naming the nearest
    that has; or a modifier that it does not have.
    """
    shape, known_codes = _CODE.fullmatch(text.upper()), codes(players)
    if shape is None:
        return None
    code, suffix = shape["code"], shape["by"]
    # Codes of the other kind of event get a message with the nearest one of this.
    anywhere = {**known_codes, **codes(not players), **_OTHERS}
    # With a suffix or a modifier it was meant as a code, and is refused as one.
    if code not in anywhere and not (suffix or shape["slashed"]):
        return None
    score = suffix or {"m": "MP", "g": "GP"}[by]
    # Codes of one score may have an entry of their own, such as BH:GP.
    own_code = known_codes.get(f"{code}:{score}")
    entry = own_code or known_codes.get(code)
    scores = (None,) if players else (None, "MP", "GP")
    # Players have one score, so a code of theirs has no suffix.
    if entry is None or not (own_code or suffix in scores):
        raise _refused(text, code, players)
    item = Named(entry, replace(PLAIN, low=entry.always_cut))
    if not own_code and score == "GP" and (suffix or entry.based):
        item = _on(item, score)
    return item.modified(shape["slashed"])


def in_words(text: str) -> str:
    """A list of FIDE's codes of teams, such as `GPTS,DE`, as the name in words of a combination.

    Codes are joined by commas or `+`; `MPTS` before them says nothing, as only teams with equal
    match points are compared. Anything else is returned as it is; so are codes in lower case, which
    may be the name of a file.

    **Raises:** `InputError` as `coded`.
    """
    if not text.isupper():
        return text
    parts = [coded(part.strip(), players=False) for part in re.split(r",|(?<!/L)\+", text)]
    names = [part.name for part in parts if part]
    name = as_rule(name for name in names if name != "mp")
    # What only standings have, such as the place in the start list, is no rule.
    return name if len(names) == len(parts) and is_tiebreak(name) else text


def _refused(text: str, code: str, players: bool) -> ValueError:
    from tb2learn.types import InputError

    known_codes = codes(players)
    close = difflib.get_close_matches(
        code, known_codes, 1, 0.0
    )  # 0.0: the message always names one
    nearest = next((code_ for code_ in (code, _OTHERS.get(code)) if code_ in known_codes), close[0])
    return InputError(
        f"{text[:40]!r} is no tie-break of {'players' if players else 'teams'}: the nearest is "
        f"{nearest}; there are {', '.join(known_codes)}"
    )
