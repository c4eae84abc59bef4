"""What changes in the standings of an event from one rule to another."""

from __future__ import annotations

from dataclasses import dataclass

from tb2learn.events.ranking import Ranking, StandingsRow
from tb2learn.events.terms import Terms, terms
from tb2learn.text import plain_number


@dataclass(frozen=True)
class PlaceChange:
    """One team under two rules.

    **Fields:**

    - `team`, `mp`: its name and match points; the points of a player.
    - `old`, `new`: its rows of the two standings.
    - `tiebreaks`: its scores by what is named in the `headings` of the comparison, old and new.
    """

    team: str
    mp: int | float
    old: StandingsRow
    new: StandingsRow
    tiebreaks: tuple[float, float]

    @property
    def up(self) -> int:
        """Places gained under the new rule."""
        return self.old.place - self.new.place


@dataclass(frozen=True)
class Comparison:
    """An event under two rules.

    **Fields:**

    - `event`, `old_rule`, `new_rule`: names.
    - `teams`: sorted by old place.
    - `movers`: the teams that moved most places, at most ten, the biggest move first.
    - `first_place`: the teams with the most match points, by old place.
    - `headings`: the first sum over opponents of each order, else its last criterion.
    - `individual`: whether teams are single players.
    """

    event: str
    old_rule: str
    new_rule: str
    teams: tuple[PlaceChange, ...]
    movers: tuple[PlaceChange, ...]
    first_place: tuple[str, ...]
    headings: tuple[str, str]
    individual: bool = False

    @property
    def terms(self) -> Terms:
        """The words for it."""
        return terms(self.individual)


def compare(old: Ranking, new: Ranking, names: tuple[str, str] | None = None) -> Comparison:
    """Compare two rankings of an event.

    **Arguments:** `names`: of both; those of the rules that decide if not given.
    """
    # Behind the points, which are no tie-break.
    deciding = [
        next((c for c in ranking.criteria[1:] if c.has_working), ranking.criteria[-1])
        for ranking in (old, new)
    ]
    points, first, second = old.criteria[0].name, deciding[0].name, deciding[1].name
    # Teams stand in the order of the old rule, with the place of the new one beside.
    pairs = [(row, new.row_of[row.number]) for row in old.rows]
    teams = tuple(
        PlaceChange(
            *(row.team, plain_number(row.scores[points]), row, after),
            (row.scores[first], after.scores[second]),
        )
        for row, after in pairs
    )
    headings = deciding[0].rule.name, deciding[1].rule.name
    old_rule, new_rule = names or headings
    movers = sorted((t for t in teams if t.up), key=lambda t: (-abs(t.up), t.old.place))
    return Comparison(
        event=old.event.name,
        old_rule=old_rule,
        new_rule=new_rule,
        teams=teams,
        movers=tuple(movers[:10]),
        first_place=tuple(t.team for t in teams if t.mp == teams[0].mp),
        headings=headings,
        individual=old.event.individual,
    )
