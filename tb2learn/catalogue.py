"""Every rule and reference by its name.

Checkpoints and references are imported inside the functions that use them: they import the
simulator, which rules without a checkpoint do not need.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tb2learn.config import Config, NotFound
from tb2learn.tiebreaks.rules import CLASSICS, Rule, classic, is_classic, product_table

if TYPE_CHECKING:
    from tb2learn.assessment.references import Reference
    from tb2learn.training.kinds import Checkpoint

PRODUCT = "product"
NAMES = (PRODUCT, *CLASSICS)
"""Rules without a checkpoint. Those of the library may have cuts and be joined by `+`."""


def is_named(name: str) -> bool:
    """Whether a name is that of a rule without a checkpoint."""
    return name == PRODUCT or is_classic(name)


def find_rule(name: str, rounds: int, boards: int) -> Rule:
    """A rule for a format, by its own name or a checkpoint's.

    **Arguments:**

    - `name`: one of `NAMES`, or the name or path of a checkpoint.
    - `rounds`, `boards`: the format; a rule trained for another number of rounds is rescaled.

    **Raises:** `InputError` if there is no such rule, or it is for another number of boards.
    """
    if name == PRODUCT:
        return product_table(rounds, boards)
    if is_classic(name):
        return classic(name, rounds, boards)
    rule = _load(name).rule(rounds)
    rule.check_format(rounds, boards)
    return rule


def _load(name: str) -> Checkpoint:
    from tb2learn.assessment.references import REFERENCES
    from tb2learn.training import checkpoint

    try:
        return checkpoint.load(name)
    except NotFound as error:
        raise NotFound(
            f"{error}; rules without a checkpoint: {', '.join(NAMES)}; references, to be assessed: "
            f"{', '.join(REFERENCES)}"
        ) from error


def find_judged(names: Sequence[str], config: Config) -> list[Rule | Reference]:
    """Rules and references by name for the events of a configuration, the product rule first.

    **Raises:** `InputError` as `find_rule`.
    """
    from tb2learn.assessment.references import REFERENCES, reference

    event = config.event
    found: list[Rule | Reference] = [find_rule(PRODUCT, event.rounds, event.boards)]
    for name in dict.fromkeys(names):
        if name in REFERENCES:
            found.append(reference(name, config))
        elif name != PRODUCT:
            found.append(find_rule(name, event.rounds, event.boards))
    return found


def first_checkpoint(names: Sequence[str]) -> Checkpoint | None:
    """The first checkpoint among the names, None if there is none.

    **Raises:** `InputError` as `find_rule`.
    """
    from tb2learn.assessment.references import REFERENCES

    for name in names:
        if not is_named(name) and name not in REFERENCES:
            return _load(name)
    return None
