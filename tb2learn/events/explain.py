"""The working of a team's tie-breaks, opponent by opponent."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tb2learn.events.criteria import Column, Completed, Criterion
from tb2learn.events.files.headings import folded
from tb2learn.events.kind import free_rounds, withdrawn
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import Penalty
from tb2learn.events.ranking import Ranking, rounded
from tb2learn.events.terms import Terms, terms
from tb2learn.events.unplayed.record import RoundKind
from tb2learn.shapes import Float
from tb2learn.text import quoted
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import BYE, InputError

OPEN_LABEL = "open"
"""What stands for the label of a `RoundKind` in a round whose match has no result yet."""

FREE_LABEL = "free"
"""The same in a round that a team has off in a round robin of an odd number of teams."""


@dataclass(frozen=True)
class Item:
    """One round in the working of a team's tie-breaks.

    **Fields:**

    - `round`: 1 for the first.
    - `number`: of the opponent in the event, from 0; None if there was none.
    - `opponent`: its name; empty if there was none.
    - `kind`: `played`, or why it was not: the label of a `RoundKind`, `OPEN_LABEL` or `FREE_LABEL`.
    - `opponent_mp`: the match points that the policy gives the opponent, which may be virtual; in
      an individual event its points.
    - `gp`: the game points that the policy gives the team.
    - `values`: the value of the round in each column of the `Working`.
    - `left_out`: whether the round is left out, for each column.
    - `counts_as`: the match points that the opponent counts as in each column; None if no opponent
      of the team counts for anything but its `opponent_mp` there.
    """

    round: int
    number: int | None
    opponent: str
    kind: str
    opponent_mp: float
    gp: float
    values: tuple[float, ...]
    left_out: tuple[bool, ...]
    counts_as: tuple[float | None, ...]

    @property
    def who(self) -> str:
        """The opponent's name, followed by the reason in brackets if it was not met."""
        if self.kind == RoundKind.PLAYED.label:
            return self.opponent
        return f"{self.opponent} ({self.kind})".strip()


@dataclass(frozen=True)
class Working:
    """The working of one team's TB2, one column per rule and pass; the last pass of a rule decides.

    **Fields:**

    - `number`: of the team in the event, from 0.
    - `team`: its name.
    - `mp`: its match points; the points of a player.
    - `rules`: keys of the columns: the rule, with the number of the pass if it has several.
    - `items`: the rounds.
    - `sums`: the sum of every column, without the rounds left out.
    - `rule_names`: the rule of every column, by its plain name.
    - `passes`: the pass of every column, 1 for a rule without passes.
    - `individual`: whether it is that of a player.
    - `penalties`: points that the team has outside of its rounds, which are part of `mp`.
    - `withdrawn`: the last round before it withdrew; None if it did not.
    - `headings`: of the columns, as in standings.
    """

    number: int
    team: str
    mp: int | float
    rules: tuple[str, ...]
    items: tuple[Item, ...]
    sums: tuple[float, ...]
    rule_names: tuple[str, ...]
    passes: tuple[int, ...]
    individual: bool = False
    penalties: tuple[Penalty, ...] = ()
    withdrawn: int | None = None
    headings: tuple[str, ...] = ()

    @property
    def terms(self) -> Terms:
        """The words for it."""
        return terms(self.individual)


def explain(
    ranking: Ranking, teams: Sequence[str], by: Sequence[Rule | Criterion]
) -> tuple[Working, ...]:
    """The working of TB2 and of other sums over opponents, which a captain can check by hand.

    **Arguments:**

    - `ranking`: the event as it was completed.
    - `teams`: names or start numbers, as for `team_number`.
    - `by`: rules and criteria, which are shown side by side.

    **Returns:** one `Working` per team, in the order of `teams`.

    **Raises:** `InputError` for an unknown team (naming the closest ones), or for a rule that is
    not a sum over opponents.
    """
    event = ranking.event
    numbers = [team_number(event, name) for name in teams]
    # Side by side with itself a team says nothing.
    if twice := {k for k in numbers if numbers.count(k) > 1}:
        raise InputError(f"{event.teams[min(twice)]} is named twice")
    return workings(ranking, numbers, by)


def workings(
    ranking: Ranking, teams: Iterable[int], by: Sequence[Rule | Criterion]
) -> tuple[Working, ...]:
    """The same as `explain`, for the numbers of some teams."""
    event, completed = ranking.event, ranking.completed
    columns = [column for criterion in by for column in _criterion(criterion).working(completed)]
    return tuple(_working(event, completed, columns, team) for team in teams)


def has_working(by: Rule | Criterion) -> bool:
    """Whether `explain` can show a rule or criterion, which must be a sum over the rounds."""
    return _criterion(by).has_working


def _criterion(by: Rule | Criterion) -> Criterion:
    return Criterion(by.name, by) if isinstance(by, Rule) else by


def _working(
    event: TeamEvent, completed: Completed, columns: Sequence[Column], team: int
) -> Working:
    record, items, words = completed.record, completed.items, terms(event.individual)
    counts_as = [_counts_as(completed, column)[:, team] for column in columns]
    rows, free = [], free_rounds(event)
    for r in range(event.rounds):
        # An open match names its opponent, though it counts for nothing yet.
        awaited = BYE if record.awaited is None else int(record.awaited[r, team])
        opponent = int(record.opponent[r, team]) if awaited == BYE else awaited
        label = OPEN_LABEL if awaited != BYE else RoundKind(record.kind[r, team]).label
        if label == RoundKind.NOT_PAIRED.label and (team, r + 1) in free:
            label = FREE_LABEL
        rows.append(
            Item(
                round=r + 1,
                number=None if opponent == BYE else opponent,
                opponent="" if opponent == BYE else event.teams[opponent],
                kind=label,
                opponent_mp=rounded(words.unit * items.opponent_points[r, team]),
                gp=rounded(items.scored[r, team] / 2),
                values=tuple(rounded(column.worked.values[r, team]) for column in columns),
                left_out=tuple(bool(column.worked.left_out[r, team]) for column in columns),
                counts_as=tuple(
                    None if np.isnan(x[r]) else rounded(words.unit * x[r]) for x in counts_as
                ),
            )
        )
    return Working(
        number=team,
        team=event.teams[team],
        mp=words.printed_points(int(record.standing_points[team])),
        rules=tuple(column.name for column in columns),
        items=tuple(rows),
        sums=tuple(rounded(column.worked.totals[team]) for column in columns),
        rule_names=tuple(column.rule for column in columns),
        passes=tuple(column.number for column in columns),
        individual=event.individual,
        penalties=event.penalties_of(team),
        withdrawn=withdrawn(event).get(team),
        headings=tuple(column.heading for column in columns),
    )


def _counts_as(completed: Completed, column: Column) -> Float[np.ndarray, "rounds teams"]:
    """Match points that opponents count as; all NaN if these are what the policy gives them."""
    usual, worth = completed.items.opponent_points, column.worked.counts_as
    # A column is shown only where a rule takes opponents for other than they are.
    if worth is None or np.allclose(worth, usual, rtol=0, atol=1e-4):
        return np.full(usual.shape, np.nan)
    # Rounds without an item have nothing to count as.
    somebody = completed.items.counted & ~completed.items.empty
    return np.where(somebody, worth, np.nan)


def team_number(event: TeamEvent, name: str) -> int:
    """The number of a team in the event.

    **Arguments:** `name`: its name or start number, or a beginning that no other has. Letter case,
    accents and punctuation do not matter.

    **Raises:** `InputError` for an unknown or ambiguous one, naming the closest ones.
    """
    if name in event.teams:  # names of two teams may differ only in letter case
        return event.teams.index(name)
    # A number that is no name is a start number; without these teams stand in start order.
    starts = event.starts or range(1, len(event.teams) + 1)
    if name.isascii() and name.isdigit() and int(name) in starts:
        return starts.index(int(name))
    asked = folded(name)
    keys = [folded(team) for team in event.teams]
    named = [number for number, key in enumerate(keys) if asked and key == asked]
    # A unique beginning is enough.
    begun = named or [n for n, key in enumerate(keys) if asked and key.startswith(asked)]
    if len(begun) == 1:
        return begun[0]
    close = difflib.get_close_matches(asked, keys, n=3, cutoff=0.5)
    # `USA` for United States of America.
    numbers = [n for n, team in enumerate(event.teams) if _initials(team) == name.upper()]
    numbers += begun[:3] + [keys.index(key) for key in close]
    names = [event.teams[number] for number in dict.fromkeys(numbers)]
    hint = f"; did you mean {', '.join(map(quoted, names))}?" if names else ""
    word = terms(event.individual).one
    raise InputError(f"no {word} {quoted(name)} in {event.name}{hint}")


def _initials(team: str) -> str:
    return "".join(word[0] for word in team.split() if word[0].isupper())
