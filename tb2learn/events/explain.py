"""The working of a team's tie-breaks, opponent by opponent."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from tb2learn.events.criteria import ByRule, Column, Completed, Criterion
from tb2learn.events.model import TeamEvent
from tb2learn.events.rank import complete, rounded
from tb2learn.events.unplayed.record import Kind
from tb2learn.results import Weakest
from tb2learn.text import quoted
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import BYE, InputError

# --------------------------------------------------------------------------- the working of a sum


@dataclass(frozen=True)
class Item:
    """One round in the working of a team's tie-breaks.

    **Fields:**

    - `round`: 1 for the first.
    - `opponent`: its name; empty where there was none.
    - `kind`: `played`, or why not: the words of `unplayed.Kind`.
    - `opponent_mp`, `gp`: match points the opponent counts as by the policy (a virtual opponent's
      too), game points that the team's result counts as.
    - `values`: what the round is worth under each rule.
    - `dropped`: under which rules it is left out.
    - `counts_as`: match points that the opponent counts as under each rule; None where that is
      `opponent_mp`. In a pass in which opponents are refined, a number for all of them.
    """

    round: int
    opponent: str
    kind: str
    opponent_mp: float
    gp: float
    values: tuple[float, ...]
    dropped: tuple[bool, ...]
    counts_as: tuple[float | None, ...]

    @property
    def who(self) -> str:
        """The opponent for people: its name, with the reason in brackets if it was not met."""
        if self.kind == Kind.PLAYED.label:
            return self.opponent
        return f"{self.opponent} ({self.kind})".strip()


@dataclass(frozen=True)
class Working:
    """The working of one team's TB2 under several rules; `sums` leave out the dropped items.

    A rule in passes is in `rules` pass by pass, the last of which decides.
    """

    team: str
    mp: int
    rules: tuple[str, ...]
    items: tuple[Item, ...]
    sums: tuple[float, ...]


def explain(
    event: TeamEvent,
    teams: Sequence[str],
    by: Sequence[Rule | Criterion],
    weakest: Weakest = "lowest-contribution",
    unplayed: str = "baku2016",
) -> tuple[Working, ...]:
    """The working of TB2, and of other sums over opponents, that a captain can check.

    **Arguments:**

    - `teams`: names as in the event; letter case does not matter.
    - `by`: rules and criteria, side by side.
    - `weakest`, `unplayed`: as for `rank`.

    **Returns:** a `Working` a team, in the order asked for.

    **Raises:** `InputError` for an unknown team, naming the closest ones, or for a rule that is no
    sum over opponents.
    """
    numbers = [_team(event, name) for name in teams]
    completed = complete(event, unplayed, weakest)
    columns = [column for one in by for column in _criterion(one).working(completed)]
    return tuple(_working(event, completed, columns, number) for number in numbers)


def has_working(by: Rule | Criterion) -> bool:
    """Whether `explain` can show a rule or criterion: it is a sum over the rounds."""
    return _criterion(by).has_working


def _criterion(by: Rule | Criterion) -> Criterion:
    return ByRule(by.name, by.name, by) if isinstance(by, Rule) else by


def _working(
    event: TeamEvent, completed: Completed, columns: Sequence[Column], team: int
) -> Working:
    record, items = completed.record, completed.items
    counts_as = [_counts_as(completed, column)[team] for column in columns]
    rows = []
    for r in range(event.rounds):
        other = record.opponent[team, r]
        rows.append(
            Item(
                round=r + 1,
                opponent="" if other == BYE else event.teams[other],
                kind=Kind(record.kind[team, r]).label,
                opponent_mp=rounded(items.opponent_points[team, r]),
                gp=rounded(items.scored[team, r] / 2),
                values=tuple(rounded(column.worked.values[team, r]) for column in columns),
                dropped=tuple(bool(column.worked.left_out[team, r]) for column in columns),
                counts_as=tuple(None if np.isnan(x[r]) else rounded(x[r]) for x in counts_as),
            )
        )
    return Working(
        team=event.teams[team],
        mp=int(record.match_points[team]),
        rules=tuple(column.name for column in columns),
        items=tuple(rows),
        sums=tuple(rounded(column.worked.totals[team]) for column in columns),
    )


def _counts_as(completed: Completed, column: Column) -> Float[np.ndarray, "teams rounds"]:
    """Match points that opponents count as; NaN in a pass where all count as the policy says."""
    usual, here = completed.items.opponent_points, column.worked.counts_as
    if here is None or np.allclose(here, usual, rtol=0, atol=1e-4):
        return np.full(usual.shape, np.nan)
    nobody = completed.items.empty | ~completed.items.counted
    return np.where(nobody, np.nan, here)


def _team(event: TeamEvent, name: str) -> int:
    if name in event.teams:  # two names may differ in letter case alone
        return event.teams.index(name)
    folded = {team.casefold(): number for number, team in enumerate(event.teams)}
    if name.casefold() in folded:
        return folded[name.casefold()]
    close = difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.5)
    initials = [t for t in event.teams if _initials(t) == name.upper()]
    names = initials + [event.teams[folded[c]] for c in close]
    hint = f"; did you mean {', '.join(map(quoted, names))}?" if names else ""
    raise InputError(f"no team {quoted(name)} in {event.name}{hint}")


def _initials(team: str) -> str:
    return "".join(word[0] for word in team.split() if word[0].isupper())
