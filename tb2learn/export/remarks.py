"""What standings and workings must say of a team beside its scores: penalties, missed rounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tb2learn.events import TeamEvent, terms
from tb2learn.events.kind import free_rounds, withdrawn
from tb2learn.events.parts import Penalty
from tb2learn.events.unplayed.record import RoundKind, event_record
from tb2learn.export.document import cell_text
from tb2learn.export.words import decimal, words
from tb2learn.text import plain, plain_number


def short_marks(event: TeamEvent) -> dict[str, str]:
    """What the terminal shows beside names: points of penalties (`-1 MP`), and who withdrew."""
    gone, marks = withdrawn(event), dict[str, str]()
    for team in _marked(event, gone):
        text = words("en", event.individual)
        points = [_points(penalty, event.individual, text) for penalty in event.penalties_of(team)]
        marks[event.teams[team]] = ", ".join([*points, *["withdrawn"] * (team in gone)])
    return marks


def _marked(event: TeamEvent, gone: Iterable[int]) -> list[int]:
    """The teams with a penalty, or that withdrew."""
    return sorted({penalty.team for penalty in event.penalties} | {*gone})


_LONG = 24
"""Characters of a name beside which a narrow table may cut the mark."""


def notes_of_marks(event: TeamEvent) -> list[str]:
    """Notes on penalties, and on who withdrew where the mark beside a long name may be cut."""
    gone = withdrawn(event)
    notes: list[str] = []
    for team in _marked(event, gone):
        lines, name = penalties(event, team), event.teams[team]
        if team in gone and len(name) > _LONG:
            lines = [*lines, withdrawal_line(gone[team])]
        if lines:
            notes.append(f"{plain(name)}: {'; '.join(lines)}")
    return notes


def full_marks(event: TeamEvent) -> dict[str, str]:
    """Of the teams with a penalty, or that withdrew, what standings must say of them, in full."""
    gone, marks = withdrawn(event), dict[str, str]()
    for team in _marked(event, gone):
        left = [withdrawal_line(gone[team])] if team in gone else []
        marks[event.teams[team]] = "; ".join([*penalties(event, team), *left])
    return marks


def remarks(event: TeamEvent, language: str = "en") -> list[str]:
    """What a list of standings must say of every team: penalties, rounds missed or still open.

    **Returns:** a line a team, such as `penalty, round 4: -2 MP; bye 3, 7; withdrawn after round
    5`; empty for most.
    """
    text = words(language, event.individual)
    lines = [penalties(event, team, language) for team in range(len(event.teams))]
    if event.known_rounds:
        gone = withdrawn(event)
        for team, rounds in enumerate(_missed(event)):
            lines[team] += _in_words(rounds, gone.get(team), text)
    else:  # whose columns are no rounds
        for match in event.open:
            for team in (match.team_a, match.team_b):
                lines[team].append(text["kind.OPEN"])
    return ["; ".join(dict.fromkeys(team_lines)) for team_lines in lines]


def penalties(event: TeamEvent, team: int, language: str = "en") -> list[str]:
    """The penalties of a team, a line each."""
    of_team = event.penalties_of(team)
    return [penalty_line(penalty, event.individual, language) for penalty in of_team]


def penalty_line(penalty: Penalty, individual: bool = False, language: str = "en") -> str:
    """Such as `penalty, round 1: -1 MP`; what a team was given has a plus."""
    text = words(language, individual)
    is_taken = penalty.match_points < 0 or penalty.half_points < 0
    key = "wall.penalty" if is_taken else "wall.bonus"
    sentence = text[key + "_in" * bool(penalty.round)]
    return sentence.format(points=_points(penalty, individual, text), round=penalty.round)


def _points(penalty: Penalty, individual: bool, text: Mapping[str, str]) -> str:
    """The points of a penalty with their signs, such as `-1 MP, -2 GP`."""
    unit = terms(individual).unit
    # A penalty may take match points, game points, or both; a player has one kind of points.
    amounts = [(unit * penalty.match_points, "doc.mp")]
    if not individual:
        amounts.append((penalty.half_points / 2, "doc.gp"))
    signed = (
        (
            decimal(cell_text(plain_number(amount)), text)
            if amount < 0
            else f"+{plain_number(amount)}",
            key,
        )
        for amount, key in amounts
        if amount
    )
    return ", ".join(f"{amount} {text[key]}" for amount, key in signed)


def _missed(event: TeamEvent) -> list[dict[int, str]]:
    """Of every team the rounds in which it did not play, and why: `OPEN`, `FREE`, or a kind."""
    record, free = event_record(event), free_rounds(event)
    missed: list[dict[int, str]] = []
    for team, kinds in enumerate(record.kind.T.tolist()):  # a list a team
        # Of an open match the record says that nobody was paired.
        rounds = {
            r: RoundKind(kind).name
            for r, kind in enumerate(kinds, start=1)
            if kind != RoundKind.PLAYED
        }
        rounds |= {r: "FREE" for r in rounds if rounds[r] == "NOT_PAIRED" and (team, r) in free}
        if record.open is not None:
            rounds |= {r: "OPEN" for r in rounds if record.open[r - 1, team]}
        missed.append(rounds)
    return missed


def _in_words(missed: Mapping[int, str], last: int | None, text: Mapping[str, str]) -> list[str]:
    """The rounds that a team missed, by kind; `last`: before it withdrew, None if it did not."""
    by_kind: dict[str, list[str]] = {}
    for r, kind_name in missed.items():
        if last is None or r <= last:
            by_kind.setdefault(kind_name, []).append(str(r))
    lines = [
        f"{text[f'kind.{kind_name}']} {', '.join(numbers)}"
        for kind_name, numbers in by_kind.items()
    ]
    return lines if last is None else [*lines, text["wall.withdrawn"].format(round=last)]


def withdrawal_line(last: int, language: str = "en") -> str:
    """Such as `withdrawn after round 2`."""
    return words(language)["wall.withdrawn"].format(round=last)
