"""Every policy for unplayed rounds, by name.

Most come from papers written for FIDE's Technical Commission of October 2017 (Ricca; Vereshchagin;
Ucarcus; Anantharam), which count games as 1, 1/2, 0. Here a round is a match, so each formula is
applied twice: to match points (a drawn match is 1) and to game points (a drawn match is half of
the boards). Constants of the papers are numbers of drawn rounds. Half points are doubled game
points.

Where the papers define nothing, all policies do the same:

- A result without a game counts as recorded. For example a bye of the Olympiad counts as a drawn
  match, which is what it pays.
- Rounds are those completed, so an unfinished event is taken as it stands.
- A team has retired after a round if it was absent (not paired, or with a bye that pays nothing) in
  all later rounds, even if that is only the last one.
- A match won by default against a team that the record does not name is a bye.
- `Policy.left_out` defines which of several equal items a cut leaves out.
- A mean over the opponents of a team without a game is 0.
"""

from __future__ import annotations

from tb2learn.events.model import TeamEvent
from tb2learn.events.unplayed.fide import C07, C07Of2024, Fide2026
from tb2learn.events.unplayed.papers import Aaso, AverageBuchholz, Sivakasi
from tb2learn.events.unplayed.policy import Baku2016, Policy
from tb2learn.events.unplayed.record import event_record
from tb2learn.events.unplayed.ricca import (
    FAIR,
    AdjustedVirtualOpponent,
    DrawSelf,
    FaceValue,
    Ignore,
    VirtualOpponent,
)
from tb2learn.types import one_of

POLICIES: dict[str, Policy] = {
    policy.name: policy
    for policy in (
        Baku2016(),
        Fide2026(),
        C07(),
        C07Of2024(),
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


NEW_RULES = "2026-03-01"
"""From when on C.07 caps the score of a dummy opponent."""


def usual_policy(event: TeamEvent) -> str:
    """The policy for unplayed rounds that an event has if nobody names another one.

    For teams it is the Olympiad's of 2016. For players it is FIDE's C.07 in the edition that was in
    force when the event began (the newest if that is not known); in a round robin, where all
    opponents are known beforehand, a game decided by default counts as played.
    """
    if not event.individual:
        return Baku2016.name
    if event_record(event).is_round_robin:
        return FaceValue.name
    start = event.about.get("start", "").replace("/", "-")
    before = len(start) == len(NEW_RULES) and start < NEW_RULES
    return C07Of2024.name if before else C07.name


def policy(name: str) -> Policy:
    """The policy of a name.

    **Raises:** `InputError`, listing all names, if there is none.
    """
    one_of("unplayed", name, POLICIES)
    return POLICIES[name]
