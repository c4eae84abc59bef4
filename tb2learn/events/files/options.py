"""What the user says about a file that is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tb2learn.events.files.scores import (
    FALLING,
    MOST_POINTS,
    match_scoring,
    parse_points,
    player_points,
)
from tb2learn.events.system import SystemName
from tb2learn.text import quoted
from tb2learn.types import MAX_BOARDS, InputError, check_type, flag


@dataclass(frozen=True)
class Reading:
    """What the user says about a file that is read.

    **Fields:**

    - `strict`: refuse what is unclear, instead of reading on with a note.
    - `form`: the name of a format; empty to go by the content.
    - `bye_points`: match points and half points of a bye of which the file gives no points; None
      for those of a drawn match. Of players the second number counts, and the first may be None.
    - `match_points`: of a match won, drawn and lost; None for what the file says, else 2, 1, 0.
    - `trust_points`: take points of teams and players from the file where they differ from the
      results.
    - `individual`: read an event of players, whatever teams the file names.
    - `system`: what the event is; None for what the file says, or its pairs.
    - `teams`: the team of every player of a PGN, by name; empty for those of its tags.
    - `encoding`: of the text, as Python names it; empty to go by the content.
    - `group`: of a file of several events the one that is meant: its name as the file has it, or
      the name of somebody who plays in it; empty for the only one.
    - `before_first`: read also the teams of an event in which nobody has played.
    - `slips`: look for what may be a slip of the hand; not in events that the program made itself.
    """

    strict: bool = False
    form: str = ""
    bye_points: tuple[int | None, int] | None = None
    match_points: tuple[int, int, int] | None = None
    trust_points: bool = False
    individual: bool = False
    system: SystemName | None = None
    teams: Mapping[str, str] = field(default_factory=dict)
    encoding: str = ""
    group: str = ""
    before_first: bool = False
    slips: bool = True

    @property
    def game_scoring(self) -> tuple[int, int, int] | None:
        """Half points of a game won, drawn and lost in an individual event: its match points."""
        if self.match_points is None:
            return None
        won, drawn, lost = self.match_points
        return 2 * won, 2 * drawn, 2 * lost

    def player_bye(self, points: int) -> tuple[int, int]:
        """Match points and half points of a bye of a player, for which the file pays `points`."""
        return player_points(points if self.bye_points is None else self.bye_points[1])


STRICT = Reading(strict=True)


def reading(
    strict: bool = False,
    form: str | None = None,
    bye_points: str | float | Sequence[Any] | None = None,
    match_points: str | Sequence[Any] | None = None,
    trust_points: bool = False,
    individual: bool = False,
    teams: str | Path | Mapping[str, str] | None = None,
    encoding: str | None = None,
    round_robin: bool = False,
    swiss: bool = False,
    group: str | None = None,
) -> Reading:
    """A `Reading` from the words of a user: of the command line, and in Python.

    **Arguments:** as the fields of `Reading`; points are texts such as `1,3` or sequences; `teams`
    may be the path of a table (`table_rows.read_squad_table`); `round_robin`, `swiss`: what the
    event is, whatever the file says.

    **Raises:** `InputError` for flags and points that are none, an unknown encoding, a table of
    teams that is none, and for teams of an individual event.
    """
    flag("strict", strict)
    flag("trust_points", trust_points)
    flag("individual", individual)
    flag("round_robin", round_robin)
    flag("swiss", swiss)
    if round_robin and swiss:
        raise InputError("an event is a round robin or a Swiss (--round-robin, --swiss), not both")
    # Python knows the encodings; a name that it lacks is refused here, not in the reader.
    if encoding is not None:
        check_type("encoding", encoding, "the name of an encoding", str)
        try:
            "".encode(encoding)
        except (LookupError, ValueError) as error:
            text = f"encoding must be one such as cp1251 or utf-8, got {quoted(encoding)}"
            raise InputError(text) from error
    if group is not None:
        check_type("group", group, "a text", str)
        if not group.strip():
            raise InputError(f"group must be the name of one, got {quoted(group)}")
    if teams is not None and not isinstance(teams, Mapping):
        # Imported for this option alone: of a TRF nothing else reads tables.
        from tb2learn.events.files.table_rows import read_squad_table

        check_type("teams", teams, "a path", str, Path)
        teams = read_squad_table(teams)
    bye = scoring = None
    if bye_points is not None:
        text = _text(bye_points)
        count = 1 + ("," in text)
        values = parse_points(text, count, "bye_points", "match points and game points")
        # Half a match point is none, and a bye is worth all boards at most.
        if (count == 2 and values[0] % 2) or values[-1] > 2 * MAX_BOARDS:
            allowed = f"whole match points and at most {MAX_BOARDS} game points"
            raise InputError(f"bye_points must be {allowed}, got {quoted(text)}")
        # One number is the points of a player.
        bye = (values[0] // 2 if count == 2 else None), values[-1]
    if match_points is not None:
        text = _text(match_points)
        values = parse_points(text, 3, "match_points", "points of a match won, drawn and lost")
        scoring = match_scoring(values)
        if scoring is None:
            raise InputError(
                f"match_points must be {FALLING} and at most {MOST_POINTS}, got {quoted(text)}"
            )
    # One of the two would be left out without a word.
    if teams and individual:
        raise InputError("an event of players (--individual) has no teams (--teams)")
    return Reading(
        strict=strict,
        form=form or "",
        bye_points=bye,
        match_points=scoring,
        trust_points=trust_points,
        individual=individual,
        system="round-robin" if round_robin else "swiss" if swiss else None,
        teams=teams or {},
        encoding=encoding or "",
        group=group or "",
    )


def _text(points: str | float | Sequence[Any]) -> str:
    check_type("points", points, "a text such as '3,1,0' or a list", str, list, tuple, int, float)
    return ",".join(map(str, points)) if isinstance(points, list | tuple) else str(points)
