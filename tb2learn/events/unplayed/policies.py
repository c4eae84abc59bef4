"""Every policy for unplayed rounds, by name.

Most come from papers written for FIDE's Technical Commission of October 2017 (Ricca; Vereshchagin;
Ucarcus; Anantharam), which count games as 1, 1/2, 0. Here a round is a match. So a formula is
applied twice, to match points (a drawn match is 1) and to game points (a drawn match is half of
the boards), and every constant is a number of drawn rounds. "Half points" are game points doubled.

Where the papers are silent, every policy does the same:

- A result without a game counts as recorded unless the policy says otherwise; a bye of the
  Olympiad thus counts as the drawn match that it pays.
- The rounds are those completed, so an unfinished event is taken as it stands.
- A team has retired after some round if it was absent (not paired, or with a bye that pays
  nothing) in all later ones, be it the last alone.
- A match won by default against a team that the record does not name is a bye.
- Of several items that a cut may leave out it takes them as `Policy.left_out` says.
- A team without a game has no opponents: what is a mean over them is 0.
"""

from __future__ import annotations

from tb2learn.events.unplayed.fide import C07, Fide2026
from tb2learn.events.unplayed.papers import Aaso, AverageBuchholz, Sivakasi
from tb2learn.events.unplayed.policy import Baku2016, Policy
from tb2learn.events.unplayed.ricca import (
    FAIR,
    AdjustedVirtualOpponent,
    DrawSelf,
    FaceValue,
    Ignore,
    VirtualOpponent,
)
from tb2learn.types import InputError

POLICIES: dict[str, Policy] = {
    policy.name: policy
    for policy in (
        Baku2016(),
        Fide2026(),
        C07(),
        DrawSelf(),
        VirtualOpponent(),
        AdjustedVirtualOpponent(),
        Ignore(),
        FaceValue(),
        *FAIR,
        Aaso(),
        AverageBuchholz(),
        Sivakasi(),
    )
}


def policy(name: str) -> Policy:
    """A policy by name.

    **Raises:** `InputError` naming all of them.
    """
    if name not in POLICIES:
        raise InputError(f"unplayed must be one of {', '.join(POLICIES)}, got {name!r}")
    return POLICIES[name]
