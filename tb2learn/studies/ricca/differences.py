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
        "FIDE's Dutch system as implemented by JaVaFo, with colours and floats",
        "score groups from both ends towards the middle (median-Swiss), without colours; earlier "
        "floats have no effect",
    ),
    (
        "results",
        "JaVaFo's generator: by ratings, White scores 54 %; its formula is not printed",
        "expected score by the Elo formula, draws by a statistic of 8 million games",
    ),
    (
        "ratings",
        "fixed, 1650 to 2700, mean 2000, equal to the true strength",
        "those of his sample event, interpolated for 150 and 50 players; also the true strength",
    ),
    (
        "seeds",
        "by rating",
        "by rating; random in the team events and in the kind with random seeds",
    ),
    ("events of a kind", "5,000 or more", "see above"),
    (
        "games with Black",
        "balanced by the pairing",
        "assigned after the event: White to the player who had it less often, else by seed and "
        "round. So more players end with unequal numbers, and BLACKS is nearer to lots",
    ),
    (
        "top scorers",
        "about 67 % of the points or more; the exact bound is not printed",
        "at least two thirds of the points minus half a point, which is his 5.5 of 9 in the sample "
        "event",
    ),
    (
        "ABSTPR, ABSELO",
        "stop when the sum of squares grows",
        "stop also at a fixed point or a cycle; ratings are whole points, as in his sample event, "
        "where equal printed ratings share places; no limit of 400 points in ABSELO",
    ),
    (
        "ZERMELO",
        "L. Forlano's program, whose stopping rule is not described; in the sample event five "
        "players have 99.8 % of all strength",
        "the maximum likelihood, with a prior so wide that it only has an effect if there is no "
        "maximum",
    ),
    (
        "MISPTS",
        "among equally long paths, the one through the higher rated player",
        "the same; for longer paths by the last intermediate player, then the one before",
    ),
    (
        "team events",
        "none",
        "a match is one game that is won, drawn or lost; SONNBER is EMMSB, ratings are team means",
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
        "Score groups are larger here. Direct encounter leaves nearly all players tied, so its "
        f"value measures the size of the groups; by ABSELO it is {spread}. Larger groups make all "
        "values larger, also that of lots, so the heat maps show shares of the value of lots.",
        "",
        "By TRUE the rating tie-breaks have an advantage, as ratings are exactly the true strength "
        "here. Seeds by true ratings also influence the pairings: the seed determines the early "
        "opponents, which makes progressive points look better than they are. The kind with random "
        "seeds shows by how much.",
    ]
