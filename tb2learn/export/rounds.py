"""The next round, and all rounds of a round robin, as tables and as documents for the wall."""

from __future__ import annotations

import textwrap

from tb2learn.chess.berger import RoundRobin
from tb2learn.chess.team_swiss import SwissRules
from tb2learn.events.model import INITIAL_COLOUR
from tb2learn.events.next_round import NextRound
from tb2learn.export.document import Document, Grid, Sentences
from tb2learn.export.result import Table
from tb2learn.text import on_paper
from tb2learn.types import InputError

COLUMNS = ("board", "team_a", "team_b", "points_a", "points_b", "group", "how")
"""`team_a` has White on board 1; the bye is last, without `team_b`. `points_a`, `points_b` are
match points, or game points if these come first; `group` are those of the group in which the pair
was made; `how`: `group`, `from above` or `from below` (a team floated in),
`merged`, or `bye`."""


def pairing_table(made: NextRound) -> Table:
    """The pairs of a round with the columns `COLUMNS`."""
    rows: list[list[object]] = []
    for board, pair in enumerate(made.pairing.pairs, start=1):
        points = (made.score(number) for number in (pair.white, pair.black))
        names = made.name(pair.white), made.name(pair.black)
        rows.append([board, *names, *points, pair.group, pair.how])
    if made.pairing.bye is not None:
        name, points_of = made.name(made.pairing.bye), made.score(made.pairing.bye)
        rows.append([len(rows) + 1, name, None, points_of, None, None, "bye"])
    about = {"event": made.event.name, "round": made.round, "edition": made.rules.name,
             "why": made.rules.why}  # fmt: skip
    points_heading = "GP" if made.by_game_points else "MP"
    return Table(
        COLUMNS,
        rows,
        title=f"{made.event.name}, round {made.round}: {made.rules.described}",
        notes=tuple(pairing_notes(made)),
        about=about,
        headings={"team_a": "White on board 1", "team_b": "Black on board 1",
                  "points_a": points_heading, "points_b": points_heading},
    )  # fmt: skip


def pairing_notes(made: NextRound) -> list[str]:
    """By which rules it was paired, and what was assumed."""
    notes = [made.rules.line]
    if made.absent:
        names = ", ".join(made.event.teams[team] for team in made.absent)
        rounds = made.event.rounds
        reason = f"were not paired in round {rounds} or are named" if rounds else "are named"
        notes.append(
            f"taken to be absent, as they {reason}: {names} (--present NAME pairs one of them)"
        )
    # A list without start numbers is taken to be in their order.
    if not made.event.starts:
        notes.append("initial numbers are the order of the teams in the record")
    if not made.rounds and isinstance(made.rules.rules, SwissRules):
        notes.append(
            "the record does not say how many rounds there will be: this one is paired as none of "
            "the last two (--rounds N says it)"
        )
    # The first round is paired by halves: only its colours are drawn.
    if made.round == 1 and INITIAL_COLOUR not in made.event.about:
        notes.append("who has White in the first match is drawn by lot: --black-first turns it")
    return notes


def pairing_page(made: NextRound) -> Document:
    """The pairs of a round on a page for the wall."""
    table = pairing_table(made)
    rows = tuple(
        (board, a, "" if mp_a is None else mp_a, "" if mp_b is None else mp_b, b or "bye")
        for board, a, b, mp_a, mp_b, _, _ in table.rows
    )
    points = "GP" if made.by_game_points else "MP"
    grid = Grid(
        "",
        ("", "White on board 1", points, points, "Black on board 1"),
        rows,
        names=frozenset({1, 4}),
    )
    blocks: tuple[Sentences | Grid, ...] = (grid,)
    if table.notes:
        blocks = (grid, Sentences("Notes", tuple(map(on_paper, table.notes))))
    facts = (("Round", str(made.round)), ("Rules", made.rules.described))
    return Document(f"{made.event.name}: pairings of round {made.round}", facts, blocks)


# --------------------------------------------------------------------------- a round robin

_COLUMNS = 8
"""Games in a row of the printed document; its players are numbered from 1."""

MOST_GAMES = {"pdf": 40_000, "xlsx": 500_000}
"""Most games of a form, which it takes about ten seconds to lay out; others hold every schedule."""


def check_size(players: int, double: bool, form: str) -> None:
    """Check that a form holds a round robin.

    **Raises:** `InputError` naming the most games, and the forms that hold more.
    """
    games, most_games = players * (players - 1) // 2 * (1 + double), MOST_GAMES.get(form)
    if most_games and games > most_games:
        raise InputError(
            f"a schedule as {form} must have at most {most_games} games, got {games}: "
            "take csv, json or html"
        )


def schedule_text(schedule: RoundRobin, width: int | None = None) -> str:
    """A line a round, the first of each pair has White; longer lines than `width` go on below."""
    digits = len(str(schedule.rounds))
    lines = []
    for number, games in enumerate(schedule.games.tolist()):
        pairs = [f"{white + 1}-{black + 1}" for white, black in games]
        head = f"round {number + 1:>{digits}}: "
        line = head + ", ".join([*pairs, *_rest(schedule, number)])
        # A hyphen is no place to break a line: it stands between two players.
        lines.append(
            line
            if width is None
            else textwrap.fill(
                line, width, subsequent_indent=" " * len(head), break_on_hyphens=False
            )
        )
    return "\n".join(lines) + "\n"


def _rest(schedule: RoundRobin, number: int) -> list[str]:
    resting = schedule.resting(number)
    return [] if resting is None else [f"{resting + 1} rests"]


def schedule_table(schedule: RoundRobin) -> Table:
    """A row a game: `round`, `board`, `white`, `black`; its notes say what the colours are like.

    `about` has the number of `players`, and `rests`: who rests in every round, None for nobody.
    """
    rows = [
        (number, board, white + 1, black + 1)
        for number, games in enumerate(schedule.games.tolist(), start=1)
        for board, (white, black) in enumerate(games, start=1)
    ]
    resting = [schedule.resting(number) for number in range(schedule.rounds)]
    rests = [None if player is None else player + 1 for player in resting]
    about = {"players": schedule.players, "rounds": schedule.rounds, "rests": rests}
    return Table(
        ("round", "board", "white", "black"), rows, notes=colour_lines(schedule), about=about
    )


def colour_lines(schedule: RoundRobin) -> tuple[str, ...]:
    """What its colours are like, in sentences."""
    counts = schedule.colour_counts()
    even = "Everybody has White and Black equally often."
    if counts.surplus:
        surplus = "one game" if counts.surplus == 1 else f"{counts.surplus} games"
        even = f"Nobody has more than {surplus} more with one colour than with the other."
    repeats = "Nobody has the colour of the game before again."
    if counts.repeats:
        cases = "one case" if counts.repeats == 1 else f"{counts.repeats} cases"
        repeats = f"In {cases} a player has the colour of the game before again."
    threes = "Nobody has one colour three times running."
    if counts.in_threes:
        players_in_threes = (
            "1 player has" if counts.in_threes == 1 else f"{counts.in_threes} players have"
        )
        threes = (
            f"{players_in_threes} one colour three times running or more; the longest run is "
            f"{counts.longest} games."
        )
    return even, repeats, threes


def schedule_document(schedule: RoundRobin, title: str) -> Document:
    """The schedule for a wall: a table of at most `_COLUMNS` games a row."""
    boards = schedule.games.shape[1]
    columns = min(boards, _COLUMNS)
    heads = ("round", *(f"game {n + 1}" for n in range(columns)))
    rows, ruled = [], set()
    for number, games in enumerate(schedule.games.tolist()):
        ruled.add(len(rows))
        cells = [f"{white + 1} \N{EN DASH} {black + 1}" for white, black in games]
        cells += _rest(schedule, number)
        for start in range(0, len(cells), columns):
            part = cells[start : start + columns]
            rows.append(
                (str(number + 1) if not start else "", *part, *[""] * (columns - len(part)))
            )
    grid = Grid("", heads, tuple(rows), names=frozenset(range(len(heads))), ruled=frozenset(ruled))
    facts = (("Players", str(schedule.players)), ("Rounds", str(schedule.rounds)))
    notes = ("The first of each pair has White.", *colour_lines(schedule))
    return Document(title, facts, (grid, Sentences("", notes)))
