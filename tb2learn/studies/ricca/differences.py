"""How Ricca's study of tie-breaks and this one differ, for the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tb2learn.report.markdown import table
from tb2learn.studies.ricca.evaluation import DIRECT
from tb2learn.studies.ricca.figures import cell_of

_DIFFERENCES = (
    (
        "pairing",
        "FIDE's Dutch system, as JaVaFo pairs, with colours and floats",
        "score groups from both ends towards the middle (median-Swiss), without "
        "colours and without a memory of floats",
    ),
    (
        "results",
        "JaVaFo's generator: by ratings, White scores 54 %; its law is not printed",
        "expected score by the Elo formula, draws by a statistic of 8 million games",
    ),
    (
        "ratings",
        "fixed, 1650 to 2700, mean 2000; players play up to them",
        "those of his sample event, interpolated for 150 and 50 players; the same",
    ),
    (
        "seeds",
        "by rating",
        "the same; at random in the team events and where the name says so",
    ),
    ("events of a kind", "5,000 or more", "see above"),
    (
        "games with Black",
        "balanced by the pairing",
        "given out afterwards, White to whoever had it less often, else by seed and round: so "
        "more players end unequal, and BLACKS is nearer to lots",
    ),
    (
        "top scorers",
        "about 67 % of the points or more, no bound printed",
        "two thirds less half a point: his 5.5 of 9 in the sample event",
    ),
    (
        "ABSTPR, ABSELO",
        "stop when the sum of squares grows",
        "or ratings stand still or go round in a circle; whole points, as in his event, where "
        "equal printed ratings share places; no limit of 400 points in ABSELO",
    ),
    (
        "ZERMELO",
        "L. Forlano's program, its end not described; in the sample event five players hold "
        "99.8 % of all strength",
        "the maximum, with a prior too wide to be seen except where there is none",
    ),
    (
        "MISPTS",
        "of equally long paths the one through the higher rated",
        "of paths of more than two games: by the last player between, then the one before",
    ),
    (
        "team events",
        "none",
        "a match is one game: won, drawn or lost; SONNBER is EMMSB, ratings are team means",
    ),
)
"""What differs, in his study, in ours."""


def differences_text(content: Mapping[str, Any]) -> list[str]:
    """A table of the differences, and their effects as far as they can be measured.

    **Arguments:** `content`: the study as JSON, see `report.as_json`.

    **Returns:** lines of Markdown.
    """
    spread = "; ".join(
        f"{kind['kind']}: {value:.3f} (his {theirs:.3f})"
        for kind in content["kinds"]
        for value, theirs in [
            [cell_of(kind, "all", DIRECT, "ABSELO", part) for part in ("value", "ricca")]
        ]
        if theirs is not None
    )
    return [
        *table(("", "Ricca", "here"), _DIFFERENCES),
        "",
        "Score groups are larger here. The direct encounter leaves nearly everybody tied, so its "
        f"value tells their size; by ABSELO {spread}. Larger groups make all values larger, that "
        "of lots too: the heat maps show shares of it.",
        "",
        "By TRUE the rating tie-breaks have seen the truth: ratings are exact here. And seeds by "
        "true ratings leak it into the pairings: early opponents are given by the seed, so "
        "progressive points look better than they are; the kind with random seeds shows by how "
        "much.",
    ]
