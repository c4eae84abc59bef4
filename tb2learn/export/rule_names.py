"""What a rule is called, on every screen, sheet and page, and its colour in every figure.

Files and options take the name that a rule has in the library (`product`); people read what it is
called (`FIDE's rule`, `FIDE-Regel`), and the heads of columns have FIDE's code (`Criterion.label`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping

from tb2learn.export.texts import words
from tb2learn.tiebreaks.library import LEAGUE, LEARNED, PLAYERS_LEAGUE, PRODUCT, TABLES

# Okabe and Ito's palette, which colour-blind people can distinguish.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
GREY = "#8a8a8a"

FIDE, LISTED = "fide", "list"
"""Orders that no rule leads: FIDE's list, and that of the file."""

_KEYS = {
    PRODUCT: "rule.fide",
    **dict.fromkeys((LEAGUE, PLAYERS_LEAGUE, FIDE), "rule.fide_list"),
    LISTED: "rule.listed",
}
"""The texts of what has a name in every language; all else is called by its own name."""

_OWN_COLOURS = {
    **dict.fromkeys((PRODUCT, LEAGUE, PLAYERS_LEAGUE, FIDE, LISTED), COLOURS[1]),
    **dict.fromkeys((LEARNED, *TABLES.values()), COLOURS[0]),
}


def called(name: str, language: str = "en") -> str:
    """What people call a rule or an order, by its name: `FIDE's rule` for `product`."""
    return words(language)[_KEYS[name]] if name in _KEYS else name


def colours(names: Iterable[str]) -> Mapping[str, str]:
    """The colours of rules in a figure, by name.

    FIDE's rules and the shipped table have colours of their own. Others have the rest in the order
    of `names`, which is that in which they were asked for: so two figures of a result agree. What
    is left then is grey, as no two rules share a colour.
    """
    rest = [colour for colour in COLOURS if colour not in _OWN_COLOURS.values()]
    free = [name for name in dict.fromkeys(names) if name not in _OWN_COLOURS]
    return _OWN_COLOURS | dict(itertools.zip_longest(free, rest[: len(free)], fillvalue=GREY))
