"""Who had the bye where a file does not say it: nobody twice, and nobody who was not there.

C.04.1 gives the pairing-allocated bye once. A team that leaves the event, or comes late, has no
opponent in round after round: it is absent, whatever stands in place of its opponent.
"""

from __future__ import annotations

from collections.abc import Collection, Set
from itertools import takewhile

Place = tuple[int, int]
"""A round, and the number of an entrant."""


def absent_rounds(
    alone: Set[Place], rounds: int, present: Collection[int | None] = ()
) -> set[Place]:
    """Rounds of those who left, or came late: two or more without an opponent, up to an end.

    **Arguments:** `alone`: round and number of everybody who had no opponent, of all rounds;
    `rounds`: how many there are; `present`: who is paired in the round after these.
    """
    absent: set[Place] = set()
    for entrant in {entrant for _, entrant in alone}:
        for order in (range(1, rounds + 1), range(rounds, 0, -1)):
            missed = [*takewhile(lambda r, e=entrant: (r, e) in alone, order)]
            # One round may be a bye; who is paired again has not left.
            returns = entrant in present and rounds in missed
            if len(missed) > 1 and not returns:
                absent |= {(r, entrant) for r in missed}
    return absent
