"""What a team can do in a round: play, rest, lose by default, stay away."""

from __future__ import annotations

from enum import IntEnum


class RoundKind(IntEnum):
    """What a team did in a round; `label` is the text shown to users."""

    label: str

    def __new__(cls, number: int, label: str) -> RoundKind:
        """A number with a label."""
        member = int.__new__(cls, number)
        member._value_ = number
        member.label = label
        return member

    PLAYED = 0, "played"
    PAIRING_BYE = 1, "bye"
    WON_BY_DEFAULT = 2, "won by default"
    LOST_BY_DEFAULT = 3, "lost by default"
    NOT_PAIRED = 4, "not paired"
    FULL_BYE = 5, "full-point bye"
    HALF_BYE = 6, "half-point bye"
    ZERO_BYE = 7, "zero-point bye"
