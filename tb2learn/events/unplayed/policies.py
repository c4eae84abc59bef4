"""Every policy for unplayed rounds, by name.

All of them do the same where regulations say nothing:

- A result without a game counts as recorded. For example a bye of the Olympiad counts as a drawn
  match, which is what it pays.
- Rounds are those completed, so an unfinished event is taken as it stands.
- A match won by default against a team that the record does not name is a bye.
- `Policy.left_out` defines which of several equal items a cut leaves out.
"""

from __future__ import annotations

from tb2learn.events.model import TeamEvent
from tb2learn.events.unplayed.fide import C07, C07Of2024, FaceValue, Fide2026
from tb2learn.events.unplayed.policy import Baku2016, Policy
from tb2learn.events.unplayed.record import event_record
from tb2learn.types import one_of

POLICIES: dict[str, Policy] = {
    policy.name: policy for policy in (Baku2016(), Fide2026(), C07(), C07Of2024(), FaceValue())
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
