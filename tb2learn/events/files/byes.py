"""Who had the bye where a file does not say it: nobody twice, and nobody who was not there.

C.04.1 gives the pairing-allocated bye once. A team that leaves the event, or comes late, has no
opponent in round after round: it is absent, whatever stands in place of its opponent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from itertools import takewhile

Place = tuple[int, int]
"""A round, and the number of an entrant."""
NOBODY: frozenset[Place] = frozenset()


def who_left(
    alone: Set[Place], rounds: int, present: Collection[int | None] = (), free: Set[Place] = NOBODY
) -> dict[int, int]:
    """Who was absent in the last two rounds or more, and the last round before these.

    One missed round at the end may be an absence like any other, or a bye; who is paired again has
    not left.

    **Arguments:** `alone`: round and number of everybody who had no opponent, of all rounds;
    `rounds`: how many there are; `present`: who is paired in the round after these; `free`: the
    free days of a round robin, on which nobody is missed.
    """
    left: dict[int, int] = {}
    for entrant in sorted({entrant for _, entrant in alone} - {*present}):
        missed = {(r, entrant) for r in _missed(alone, entrant, range(rounds, 0, -1))}
        if len(missed - free) > 1:
            left[entrant] = rounds - len(missed)
    return left


def absent_rounds(
    alone: Set[Place], rounds: int, present: Collection[int | None] = ()
) -> set[Place]:
    """Rounds of those who left, or came late: two or more without an opponent, up to an end.

    **Arguments:** as of `who_left`.
    """
    left = who_left(alone, rounds, present)
    absent = {(r, entrant) for entrant, last in left.items() for r in range(last + 1, rounds + 1)}
    for entrant in {entrant for _, entrant in alone}:
        missed = _missed(alone, entrant, range(1, rounds + 1))
        # Who was never there and is paired now comes late to one round more.
        if len(missed) > 1 and not (entrant in present and rounds in missed):
            absent |= {(r, entrant) for r in missed}
    return absent


def _missed(alone: Set[Place], entrant: int, rounds: Iterable[int]) -> list[int]:
    """The rounds without an opponent up to the first one with one."""
    return [*takewhile(lambda r: (r, entrant) in alone, rounds)]
