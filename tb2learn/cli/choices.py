"""The names that help and shell completion show.

They are repeated here because importing the modules that define them loads JAX or numpy, which
takes longer than the rest of `tb2learn --help`. A test compares them with the originals. Tie-breaks
are not repeated: `tiebreaks.library` loads neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

REFERENCES = ("higher-seed", "posterior-mean", "true-opponents", "all-play-all")
"""References that are assessed beside the rules; they use more than the results of the event."""

POLICIES = {
    "baku2016": "virtual opponents by rule 14 of the Olympiad of 2016; a bye is left out first",
    "fide2026": "the Olympiad of 2026: no virtual opponents; a match won by default counts in full",
    "c07": "FIDE's C.07, edition of March 2026: a dummy opponent with the team's score, capped",
    "c07-2024": "FIDE's C.07, editions of 2023, 2024: a dummy opponent with the team's own score",
    "drawself": "a missed round is a draw against oneself",
    "virtual-opponent": "a virtual opponent that starts with the team's score and draws all later "
    "rounds",
    "adjusted-virtual-opponent": "as virtual-opponent, starting with at most the scheduled "
    "opponent's score",
    "ignore": "missed rounds are left out: all points of the opponents / all their games",
    "face-value": "a default counts as played, any other missed round as an opponent without "
    "points",
    "fair-draw": "by kind of absence; a team that retired counts as drawing the rest",
    "fair-zero": "by kind of absence; a team that retired counts as losing the rest",
    "fair-average": "by kind of absence; a team that retired counts as keeping its average",
    "fair-board-average": "by kind of absence; a team that retired counts as keeping its average "
    "per match",
    "fair-tied": "by kind of absence; a team that retired gains what teams tied with it gained",
    "aaso": "mean of the opponents' mean scores, counting only matches that were played",
    "average-buchholz": "mean final score of the opponents met; only for the sum of opponents' "
    "scores",
    "sivakasi": "a missed round counts as the mean of the opponents met, with corrections",
}
"""Policies for unplayed rounds: name and summary."""

WEAKEST_RULES = ("lowest-contribution", "fewest-game-points")
"""Which of several opponents with the fewest match points is left out."""

PROTOCOLS = ("single", "thesis")
LISTS = ("own", "swapped", "same-group", "random")
"""Protocols of an assessment, and the lists of opponents that the thesis protocol replays."""

ORDERS = ("berger", "rutch-berger")
"""Orders of the rounds of a round robin."""

OUTPUTS = ("table", "csv", "json")
"""Forms of standings and workings."""

PRINTED = ("html", "pdf", "xlsx")
"""Forms of standings to hang on the wall."""

WORKING_PRINTED = ("pdf", "xlsx")
"""Forms of a team's working sheet."""

LANGUAGES = ("en", "hu", "es", "fr", "de")
"""Languages of exported tables, the default first."""

_PACKAGE = Path(__file__).parents[1]


def committed(folder: str, suffix: str) -> Iterator[str]:
    """Names of the committed checkpoints or configurations: files of `folder` with `suffix`."""
    for place in (Path(), _PACKAGE, _PACKAGE.parent):
        yield from (path.stem for path in (place / folder).glob(f"*{suffix}"))


def packaged_events() -> Iterator[str]:
    """Names of the packaged events."""
    yield from (path.parent.name for path in (_PACKAGE / "data").glob("*/matches.csv"))
