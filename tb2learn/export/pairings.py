"""The pairings of a round as a table, and as a page for the wall."""

from __future__ import annotations

from tb2learn.events.next_round import NextRound
from tb2learn.export.document import Document, Grid, Sentences
from tb2learn.export.result import Table

_RULES = {
    "olympiad-2022": "Olympiad pairing rules of 2022 (match points, then initial number)",
    "olympiad-2010": "Olympiad pairing rules of 2010 (match points, game points, initial number)",
}

COLUMNS = ("board", "team_a", "team_b", "points_a", "points_b", "group", "how")
"""`team_a` has White on board 1; the bye is last, without `team_b`. `group`: match points of the
group in which the pair was made; `how`: `group`, `from above` or `from below` (a team floated in),
`merged`, or `bye`."""


def pairing_table(made: NextRound) -> Table:
    """The pairs of a round with the columns `COLUMNS`."""
    rows: list[list[object]] = []
    for board, pair in enumerate(made.pairing.pairs, start=1):
        points = (made.teams[number].match_points for number in (pair.white, pair.black))
        names = made.name(pair.white), made.name(pair.black)
        rows.append([board, *names, *points, pair.group, pair.how])
    if made.pairing.bye is not None:
        team = made.teams[made.pairing.bye]
        name = made.name(team.number)
        rows.append([len(rows) + 1, name, None, team.match_points, None, None, "bye"])
    about = {"event": made.event.name, "round": made.round, "edition": made.edition}
    return Table(
        COLUMNS,
        rows,
        title=f"{made.event.name}, round {made.round}: {_RULES[made.edition]}",
        notes=tuple(pairing_notes(made)),
        about=about,
        headings={"team_a": "White on board 1", "team_b": "Black on board 1",
                  "points_a": "MP", "points_b": "MP"},
    )  # fmt: skip


def pairing_notes(made: NextRound) -> list[str]:
    """What was assumed."""
    notes = []
    if made.absent:
        names = ", ".join(made.event.teams[team] for team in made.absent)
        notes.append(
            f"taken to be absent, as they were not paired in round {made.event.rounds} or are "
            f"named: {names} (--present NAME pairs one of them)"
        )
    if not made.event.starts:
        notes.append("initial numbers are the order of the teams in the record")
    if made.pairing.median is None:
        notes.append("who has White in the first match is drawn by lot: --black-first turns it")
    return notes


def pairing_page(made: NextRound) -> Document:
    """The pairs of a round on a page for the wall."""
    table = pairing_table(made)
    rows = tuple(
        (board, a, "" if mp_a is None else mp_a, "" if mp_b is None else mp_b, b or "bye")
        for board, a, b, mp_a, mp_b, _, _ in table.rows
    )
    grid = Grid(
        "", ("", "White on board 1", "MP", "MP", "Black on board 1"), rows, names=frozenset({1, 4})
    )
    parts: tuple[Sentences | Grid, ...] = (grid,)
    if table.notes:
        parts = (grid, Sentences("Notes", tuple(table.notes)))
    facts = (("Round", str(made.round)), ("Rules", _RULES[made.edition]))
    return Document(f"{made.event.name}: pairings of round {made.round}", facts, parts)
