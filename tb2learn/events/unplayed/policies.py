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
from tb2learn.events.unplayed.fide import (
    C07,
    C07Of2009,
    C07Of2024,
    FaceValue,
    Fide2026,
    Olympiad2010,
)
from tb2learn.events.unplayed.policy import Baku2016, Policy
from tb2learn.events.unplayed.record import event_record
from tb2learn.types import one_of

POLICIES: dict[str, Policy] = {
    policy.name: policy
    for policy in (
        Baku2016(), Fide2026(), C07(), C07Of2024(), C07Of2009(), Olympiad2010(), FaceValue(),
    )
}  # fmt: skip

NEW_RULES = "2026-03-01"
"""From when on C.07 caps the score of a dummy opponent."""
DUMMIES = "2023-09-01"
"""From when on C.07 has dummy opponents; before there were virtual ones."""
VIRTUAL = "2009"
"""From which year on C.07 has virtual opponents."""
RULE_14 = "2016"
"""From this year on Olympiads have rule 14 of that year."""
FIRST_OLYMPIAD = "2010"
"""From this year on it is known what unplayed matches counted for at Olympiads."""


@store_with_event
def usual_policy(event: TeamEvent) -> str:
    """The policy for unplayed rounds that an event has if nobody names another one.

    - In a round robin, where all opponents are known beforehand, results count at face value.
    - An Olympiad of 2016 or 2018 has rule 14 of 2016, one before that of 2010 to 2014. Later ones,
      and those without a year, count at face value: so do the published rankings of 2026.
    - All others have FIDE's C.07 in the edition that was in force when the event began, the newest
      if that is not known.

    What was in force before 2009, at Olympiads before 2010, is not here: the next edition stands
    in, and `too_early` says so.
    """
    start = start_of(event)
    if is_round_robin(event):
        return FaceValue.name
    if is_olympiad(event):
        if not start or start >= START_OF_2022:
            return FaceValue.name
        return Baku2016.name if start >= RULE_14 else Olympiad2010.name
    # A year alone is compared with a year: in that of a new edition it is the new one.
    if "" < start < DUMMIES[: len(start)]:
        return C07Of2009.name
    return C07Of2024.name if "" < start < NEW_RULES[: len(start)] else C07.name


def too_early(event: TeamEvent) -> tuple[str, ...]:
    """A note on an event with unplayed rounds that is older than all editions that are here."""
    first = FIRST_OLYMPIAD if is_olympiad(event) else VIRTUAL
    start = start_of(event)
    is_old = "" < start < first and not is_round_robin(event)
    if not is_old or event_record(event).played.all():
        return ()
    return (
        f"the rule for unplayed rounds of the time, before {first}, is not here: "
        f"{usual_policy(event)} stands in",
    )


def policy(name: str) -> Policy:
    """The policy of a name.

    **Raises:** `InputError`, listing all names, if there is none.
    """
    one_of("unplayed", name, POLICIES)
    return POLICIES[name]
