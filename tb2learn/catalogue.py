"""Every rule and reference by its name.

Checkpoints and configurations are imported inside the functions that use them: most rules need
none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tb2learn.text import did_you_mean, named
from tb2learn.tiebreaks.confidence_map import Confidence, confidence_name, read_confidence
from tb2learn.tiebreaks.formula_constants import closed_formula
from tb2learn.tiebreaks.library import FORMULA, LEARNED, PRODUCT, REFERENCES, RULES, TABLES, codes
from tb2learn.tiebreaks.names import in_words, is_tiebreak
from tb2learn.tiebreaks.rules import Rule, classic, product_table
from tb2learn.tiebreaks.transfer import learned_rule
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, InputError, said, whole_number

if TYPE_CHECKING:
    from tb2learn.config import Config
    from tb2learn.training.objectives import Checkpoint


def is_named(name: str) -> bool:
    """Whether a name is that of a rule without a checkpoint."""
    return name in (PRODUCT, LEARNED, FORMULA) or is_tiebreak(in_words(name))


def find_rule(name: str, rounds: int, boards: int, teams: int | None = None) -> Rule:
    """A rule for a format, by its own name or a checkpoint's.

    **Arguments:**

    - `name`: one of `library.RULES`, a list of FIDE's codes, or the name or path of a checkpoint.
    - `rounds`, `boards`: the format; a rule trained for another number of rounds is rescaled.
    - `teams`: of the event, which `learned` chooses by; those of the shipped table if not given.

    **Raises:** `InputError` if there is no such rule, or it is for another number of boards.
    """
    name = in_words(name)
    if name == PRODUCT:
        return product_table(rounds, boards)
    if name == FORMULA:
        return closed_formula(rounds, boards)
    if name == LEARNED:
        formula = closed_formula(rounds, boards)  # refuses a format that no event has
        chosen = learned_rule(rounds, boards, teams)
        return as_learned(formula if chosen == FORMULA else find_rule(chosen, rounds, boards))
    if is_tiebreak(name):
        return classic(name, rounds, boards)
    rule = _load(name).rule(rounds)
    rule.check_format(rounds, boards)
    return rule


def as_learned(rule: Rule) -> Rule:
    """A rule under the name `learned`, which is what readers see of it."""
    return replace(rule, name=LEARNED, source=rule.own_name)


def load_rule(rule: Checkpoint | str | Path, *, rounds: int | None = None, boards: int = 4) -> Rule:
    """A rule by name, for a number of rounds.

    **Arguments:**

    - `rule`: a checkpoint, its path, or a name.
    - `rounds`: of the events that it is for; a checkpoint's own, or 11, if not given. A table of
      another number of rounds is rescaled by match-point shares.
    - `boards`: of the matches, 1..12; a checkpoint has its own.

    **Returns:** a `Rule`; its `frame()` has the lookup tables, if it has any.

    >>> import tb2learn as tb
    >>> tb.load_rule("uniform-180x11").frame().query("own_mp == 14 and opponent == 20 and gp == 2")
          pass  own_mp  opponent   gp  points
    3865      1      14        20  2.0      47
    9868      2      14        20  2.0      41
    15871     3      14        20  2.0      41
    """
    if rounds is not None:
        whole_number("rounds", rounds, 1, MAX_ROUNDS)
    whole_number("boards", boards, 1, MAX_BOARDS)
    if isinstance(rule, str) and rule == LEARNED and boards in TABLES and rounds is None:
        return as_learned(_load(TABLES[boards]).rule(rounds))
    if isinstance(rule, str | Path) and is_named(str(rule)):
        return find_rule(str(rule), 11 if rounds is None else rounds, boards)
    return _checkpoint(rule).rule(rounds)


def _checkpoint(source: Checkpoint | str | Path) -> Checkpoint:
    from tb2learn.training.checkpoint import Checkpoint

    if isinstance(source, Checkpoint):
        return source
    if not isinstance(source, str | Path):
        raise InputError(f"a rule must be a checkpoint or a name, got {said(source)}")
    return _load(str(source))


def _load(name: str) -> Checkpoint:
    from tb2learn.config import NotFound
    from tb2learn.training import checkpoint

    try:
        return checkpoint.load(name)
    except NotFound as error:
        if not error.known:
            raise
        known = (*RULES, *REFERENCES, *error.known, *codes(players=True), *codes(players=False))
        raise NotFound(
            f"{named(name)}: is neither the name of a rule nor a file of a table (.npz)"
            f"{did_you_mean(name[:200], known)}"
            " ('tb2learn list rules' and 'tb2learn list tiebreaks' have all)"
        ) from error


def checkpoint_notes(names: Sequence[str]) -> tuple[str, ...]:
    """Notes on names of which the working folder has a checkpoint, see `config.place_note`."""
    # A pass of a table, and its difficulty surface, stand in the file of the table.
    files = [re.sub("-(pass[0-9]+|difficulty)$", "", name) for name in names if not is_named(name)]
    if not files:
        return ()
    from tb2learn.config import place_note

    notes = (place_note(file, "checkpoints", ".npz") for file in files if not is_named(file))
    return tuple(filter(None, dict.fromkeys(notes)))


def means_other(path: Path) -> bool:
    """Whether the name of a checkpoint in the working folder means something that is shipped."""
    from tb2learn.config import find_file

    name = path.stem
    return is_named(name) or not find_file(name, "checkpoints", ".npz").samefile(path)


def find_confidence(source: str | Path, rule: Rule) -> Confidence:
    """How sure a rule's orders are: what `tb2learn calibrate` wrote.

    **Arguments:**

    - `source`: how the rule was named: a name, or the path of its checkpoint.
    - `rule`: the rule for the format of an event.

    **Raises:** `InputError` if there is no such file, or it is for another rule or format.
    """
    from tb2learn.config import NotFound, find_file

    name, folder = confidence_name(rule), Path(source).parent
    beside = folder / "confidence" / f"{name}.json"
    try:
        found = find_file(beside if folder != Path() else name, "checkpoints/confidence", ".json")
    except NotFound:
        found = None
    confidence = read_confidence(found, rule.event_rounds) if found else None
    if confidence is None:
        raise NotFound(
            f"{rule.name} over {rule.event_rounds} rounds and {rule.boards} boards has no "
            f"calibrated confidence; make it: tb2learn calibrate {source} --worlds CONFIG.toml"
        )
    confidence.check(rule)
    return confidence


def load_checkpoint(source: str | Path) -> Checkpoint:
    """A checkpoint by its path or name; `learned` is the shipped table on four boards.

    **Raises:** `InputError`, one line, if there is none, or anything about it is wrong.
    """
    from tb2learn.training import checkpoint

    return checkpoint.load(TABLES[4] if source == LEARNED else source)


def find_config(source: str | Path, boards: int | None = None) -> Config:
    """A configuration by its file or name; of a shipped table the one that it was trained with.

    **Arguments:** `boards`: `learned` is the table for as many, or else for 4.

    **Raises:** `NotFound`, with the names of the committed configurations, if there is none.
    """
    from tb2learn.config import load_config
    from tb2learn.training import checkpoint

    if source == LEARNED:
        return checkpoint.load(TABLES.get(4 if boards is None else boards, TABLES[4])).config
    return load_config(source)


def home_of(rules: Sequence[str | Checkpoint]) -> Config | None:
    """The world that rules are judged in if nobody names one: that of the first table among them.

    None if there is none, and of the table that `learned` stands for: both are judged in one world,
    that of today.

    **Arguments:** `rules`: names, or checkpoints, which go before these.

    **Raises:** `InputError` as `find_rule`.
    """
    trained = [rule for rule in rules if not isinstance(rule, str)]
    first = trained[0] if trained else first_checkpoint([str(rule) for rule in rules])
    return None if first is None or first.name == TABLES[4] else first.config


def first_checkpoint(names: Sequence[str]) -> Checkpoint | None:
    """The first checkpoint among the names, None if there is none.

    **Raises:** `InputError` as `find_rule`.
    """
    for name in names:
        if not is_named(name) and name not in REFERENCES:
            return _load(name)
    return None
