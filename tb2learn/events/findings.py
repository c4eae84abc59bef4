"""Something that is wrong in the record of an event, or unusual."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """Something that is wrong.

    **Fields:**

    - `round`: where; 0 for the standings.
    - `kind`: `points`, `place`, `tie-break`, `pairing`, `bye`, `board`, `colour` or `name`.
    - `text`: what, in one line.
    """

    round: int
    kind: str
    text: str
