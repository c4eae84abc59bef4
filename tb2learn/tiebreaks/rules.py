"""Tie-break rules by name: lookup tables, tables in passes, formulas and rules without a table."""

from __future__ import annotations

import hashlib
import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tb2learn.chess.results import product_points
from tb2learn.shapes import Int
from tb2learn.stats import long_frame
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.formula import FORMULA_UNIT, FormulaRule, formula_of
from tb2learn.tiebreaks.library import LIBRARY, PRODUCT, Entry, baseline
from tb2learn.tiebreaks.names import Named, combined, parsed
from tb2learn.tiebreaks.passes import PassRule
from tb2learn.tiebreaks.tables import TableRule
from tb2learn.types import InputError, check_size, leaves

if TYPE_CHECKING:
    import pandas

FULL_POINTS = 1000
"""Points of difficulty score 1 in one table that is learned."""


@dataclass(frozen=True, repr=False)
class Rule:
    """A tie-break for a format of events, with its name and where it comes from.

    **Fields:**

    - `name`: `product`, another rule's name, or the checkpoint's; what readers see everywhere.
    - `event_rounds`, `boards`: the format it is made for.
    - `tiebreak`: the rule as a pure function of an event's results; a table has its points there.
    - `unit`: what one point of its scores is worth in the published score (1/2 for the product
      rule, whose points are opponent's match points times *half* points).
    - `parts`: what the library has of it, one a part of a combination; empty for other rules.
    - `constants`: those of a formula, `a` and `k`, as they are printed; empty for other rules.
    - `shares`: what they are rounded from, see `formula_rule`; empty for other rules.
    - `trained_rounds`: number of rounds it was trained at; if it differs from `event_rounds`, the
      rule is rescaled by match-point shares, see `rescaled`.
    - `provenance`: configuration, events, seed and version behind a learned rule.
    - `source`: the rule or checkpoint that it is, if its name stands for another one: `learned`.
    - `surfaces`: the fitted surfaces that its tables are read from, by which they are rescaled;
      empty for other rules.
    """

    name: str
    # The format.
    event_rounds: int
    boards: int
    # How it is worked out.
    tiebreak: TieBreak
    unit: float = field(default=1.0, kw_only=True)
    parts: tuple[Named, ...] = field(default=(), kw_only=True)
    constants: Mapping[str, float] = field(default_factory=dict, kw_only=True)
    shares: Mapping[str, float] = field(default_factory=dict, kw_only=True)
    # Where its numbers come from, and what a user called it.
    trained_rounds: int | None = field(default=None, kw_only=True)
    provenance: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    source: str = field(default="", kw_only=True)
    surfaces: tuple[Any, ...] = field(default=(), kw_only=True, compare=False)

    @property
    def own_name(self) -> str:
        """The name of the rule or checkpoint that it is, whatever name stands for it."""
        return self.source or self.name

    def __repr__(self) -> str:
        """Its name, format and passes in a line; its numbers are in `frame()` and `constants`."""
        alias = f" ({self.source})" if self.source else ""
        passes = f", {self.passes} passes" if self.passes > 1 else ""
        return (
            f"<Rule {self.name}{alias}: {self.event_rounds} rounds, {self.boards} boards{passes}>"
        )

    def _repr_html_(self) -> str:
        """In a notebook: the line, and the last of its tables or its constants."""
        line = f"<p>{html.escape(repr(self))}</p>"
        if self.has_tables:
            entries = self.frame()
            # One slice of a table of four axes: the last pass, for a team in the middle.
            last = entries[entries["pass"] == self.passes]
            middle = last[last.own_mp == last.own_mp.max() // 2]
            grid = middle.pivot(index="gp", columns="opponent", values="points")
            grid = grid[[n for n in grid.columns if 0 <= n <= 2 * self.event_rounds]]
            caption = f"<p>own match points {last.own_mp.max() // 2}, pass {self.passes}</p>"
            return line + caption + grid.to_html()
        constants = ", ".join(f"{name} = {value:g}" for name, value in self.constants.items())
        return line + (f"<p>{html.escape(constants)}</p>" if constants else "")

    @property
    def tables(self) -> Int[np.ndarray, "passes own columns results"]:
        """Its tables by pass, own match points, column and half points; empty for other rules."""
        if not isinstance(self.tiebreak, TableRule | PassRule):
            return np.zeros((0, 2 * self.event_rounds + 1, 0, 2 * self.boards + 1), np.int32)
        points = self.tiebreak.points
        return points.reshape(-1, *points.shape[-3:])

    @property
    def has_tables(self) -> bool:
        """Whether it can be looked up in tables."""
        return isinstance(self.tiebreak, TableRule | PassRule)

    @property
    def in_passes(self) -> bool:
        """Whether it has pass tables, even if only one.

        Points are then hundredths of a match point, and an opponent counts as its match points,
        from the second pass on refined by its own sum.
        """
        return isinstance(self.tiebreak, PassRule)

    @property
    def reduced(self) -> bool:
        """Whether the weakest opponent is left out of the sum over one table."""
        return isinstance(self.tiebreak, TableRule) and self.tiebreak.reduced

    @property
    def is_formula(self) -> bool:
        """Whether it is the formula, of whatever constants."""
        return isinstance(self.tiebreak, FormulaRule)

    @property
    def has_numbers(self) -> bool:
        """Whether it is made of numbers to be printed: tables, or a formula's constants."""
        return isinstance(self.tiebreak, TableRule | PassRule | FormulaRule)

    @property
    def passes(self) -> int:
        """How often every opponent is looked up; 0 for a rule without tables or formula."""
        return self.tiebreak.passes if isinstance(self.tiebreak, FormulaRule) else len(self.tables)

    @property
    def columns(self) -> list[int]:
        """The match points that an opponent may count as: the columns of its tables."""
        _, shares, width, _ = self.tables.shape
        beyond = (width - shares) // 2
        # From a margin below 0 to one above the most match points.
        return list(range(-beyond, width - beyond))

    @property
    def rescaled(self) -> bool:
        """Whether it was trained at another number of rounds: documents and commands say so."""
        return self.trained_rounds not in (None, self.event_rounds)

    @property
    def learned(self) -> bool:
        """Whether its numbers were learned: a table other than the product rule's, or a formula."""
        return self.name != PRODUCT and self.has_numbers

    @property
    def for_any_match_points(self) -> bool:
        """Whether it keeps its meaning where matches score otherwise than 2, 1, 0."""
        return not self.has_numbers and all(part.entry.any_points for part in self.parts)

    def frame(self) -> pandas.DataFrame:
        """Its lookup tables as a long DataFrame.

        **Returns:** a row an entry: `pass`, `own_mp`, `opponent` (match points that the opponent
        counts as), `gp` and `points`.

        **Raises:** `InputError` for a rule without tables.
        """
        if not self.has_tables:
            raise InputError(f"{self.name} has no lookup table")
        passes, shares, _, results = self.tables.shape
        axes = {
            "pass": range(1, passes + 1),
            "own_mp": range(shares),
            "opponent": self.columns,
            "gp": np.arange(results) / 2,
        }
        return long_frame(axes, {"points": self.tables})

    def digest(self) -> str:
        """SHA-256 of its numbers, in hexadecimal; what a formula expects follows from its own."""
        numbers = hashlib.sha256()
        for array in (
            map(np.float32, self.shares.values()) if self.shares else leaves(self.tiebreak)
        ):
            # The same bytes on every processor.
            numbers.update(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes())
        return numbers.hexdigest()

    def check_format(self, rounds: int, boards: int) -> None:
        """Refuse an event of another format.

        **Raises:** `InputError` naming what differs.
        """
        if boards != self.boards:
            raise InputError(
                f"the table {self.name} is for matches on {self.boards} boards, "
                f"the event has {boards}"
            )
        if rounds != self.event_rounds:
            raise InputError(
                f"the table {self.name} is for {self.event_rounds} rounds, the event has {rounds}"
            )


def two_digits(x: float) -> float:
    """A constant of the formula as it is printed."""
    return float(f"{x:.2g}")


def formula_rule(
    name: str,
    rounds: int,
    boards: int,
    scale: float,
    refinement: float,
    passes: int = 3,
    *,
    trained_rounds: int | None = None,
    provenance: Mapping[str, Any] | None = None,
) -> Rule:
    """The formula with constants in match-point shares, for a format.

    **Arguments:**

    - `name`: of the rule.
    - `rounds`, `boards`: the format, 1..40 and 1..12.
    - `scale`: the lead, as a share of the most match points, at which a team is expected to score
      ten game points for one of its opponent: in match points of the event the constant `a`.
    - `refinement`: share of the most match points that all game points of one match above
      expectation are worth: in match points a game point the constant `k`.
    - `passes`: how often opponents are looked up; from the second time on with refinement.
    - `trained_rounds`, `provenance`: as in `Rule`.

    **Raises:** `InputError` for another format.
    """
    check_size(rounds, boards)
    # With two digits, as they are printed and used.
    a, k = two_digits(scale * 2 * rounds), two_digits(refinement * 2 * rounds / boards)
    return Rule(
        name,
        rounds,
        boards,
        formula_of(a, k, rounds, boards, passes),
        unit=1 / FORMULA_UNIT,
        constants={"a": a, "k": k},
        shares={"scale": scale, "refinement": refinement},
        trained_rounds=trained_rounds,
        provenance=dict(provenance or {}),
    )


def classic(name: str, rounds: int, boards: int, known: Mapping[str, Entry] = LIBRARY) -> Rule:
    """A rule without a table for a format.

    **Arguments:**

    - `name`: of an entry of the library, with its cut, or several joined by `+`.
    - `rounds`, `boards`: the format, 1..40 and 1..12.
    - `known`: the entries that may be named.

    **Raises:** `InputError` for another name, or one that is not for this format.
    """
    parts = parsed(name, known)
    tiebreak, unit = combined(parts, rounds, boards)
    return Rule(name, rounds, boards, tiebreak, unit=unit, parts=parts)


def rule_in_use(rounds: int, boards: int, round_robin: bool = False) -> Rule:
    """Today's rule for a format: the `baseline` that others are compared with.

    **Raises:** `InputError` for a format that no event has.
    """
    name = baseline(boards, round_robin)
    return product_table(rounds, boards) if name == PRODUCT else classic(name, rounds, boards)


def product_table(rounds: int, boards: int) -> Rule:
    """FIDE's product rule (opponent's match points times game points) for a format.

    **Arguments:** `rounds` 1..40, `boards` 1..12.

    **Raises:** `InputError` for other formats.
    """
    check_size(rounds, boards)
    return Rule(PRODUCT, rounds, boards, TableRule(product_points(rounds, boards)), unit=0.5)
