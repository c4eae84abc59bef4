"""Every policy for unplayed rounds, by name.

All of them do the same where regulations say nothing:

- A result without a game counts as recorded. For example a bye of the Olympiad counts as a drawn
  match, which is what it pays.
- Rounds are those completed, so an unfinished event is taken as it stands.
- A match won by default against a team that the record does not name is a bye.
- `Policy.left_out` defines which of several equal items a cut leaves out.
"""

from __future__ import annotations

from tb2learn.events.kind import START_OF_2022, is_olympiad, is_round_robin, start_of
from tb2learn.events.model import TeamEvent, store_with_event
from tb2learn.events.unplayed.fide import C07, C07Of2024, FaceValue, Fide2026
from tb2learn.events.unplayed.policy import Baku2016, Policy
from tb2learn.types import one_of

POLICIES: dict[str, Policy] = {
    policy.name: policy for policy in (Baku2016(), Fide2026(), C07(), C07Of2024(), FaceValue())
}

NEW_RULES = "2026-03-01"
"""From when on C.07 caps the score of a dummy opponent."""


@store_with_event
def usual_policy(event: TeamEvent) -> str:
    """The policy for unplayed rounds that an event has if nobody names another one.

    - In a round robin, where all opponents are known beforehand, results count at face value.
    - An Olympiad until 2018 has rule 14 of 2016. Later ones, and those without a year, count at
      face value: so do the published rankings of 2026.
    - All others have FIDE's C.07 in the edition that was in force when the event began, the newest
      if that is not known.
    """
    start = start_of(event)
    if is_round_robin(event):
        return FaceValue.name
    if is_olympiad(event):
        return Baku2016.name if "" < start < START_OF_2022 else FaceValue.name
    # A year alone is compared with a year: in that of the new edition it is the new one.
    return C07Of2024.name if "" < start < NEW_RULES[: len(start)] else C07.name


def policy(name: str) -> Policy:
    """The policy of a name.

    **Raises:** `InputError`, listing all names, if there is none.
    """
    one_of("unplayed", name, POLICIES)
    return POLICIES[name]
