"""Every policy for unplayed rounds by name."""

from __future__ import annotations

from tb2learn.events.unplayed.fide import C07, Fide2026
from tb2learn.events.unplayed.papers import (
    FAIR,
    Aaso,
    AdjustedVirtualOpponent,
    AverageBuchholz,
    DrawSelf,
    FaceValue,
    Ignore,
    Sivakasi,
    VirtualOpponent,
)
from tb2learn.events.unplayed.policy import Baku2016, Policy
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
