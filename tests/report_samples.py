"""Names that try a page, an assessment that tries a figure, and how figures are drawn."""

import math

from tb2learn.assessment.assess import Assessment
from tb2learn.assessment.tally import TOPS, ErrorRate
from tb2learn.report import (
    style,
)

NAN, INF = math.nan, math.inf
HOSTILE = "<script>alert(1)</script>\"'"
NAMES = [
    HOSTILE,
    r"$\frac{1}$ & Co",
    "</td></table>",
    "\u202eesrever",
    "{{ 7 * 7 }}{% raw %}",
    "\U0001f3c1 " + "long " * 30,
    "Älpha",
    "B",
    "C",
]


def quote(name):
    return '"' + name.replace('"', '""') + '"'


def strange_assessment(config):
    """No pairs, no errors to reduce, an interval that runs out of the figure, more rules."""
    results = []
    for rule in ("product", "new", "$other$"):
        for top, values in zip(
            TOPS[:4],  # those of the thesis protocol
            (
                (0, NAN, (NAN, NAN), NAN, (NAN, NAN)),
                (3, 0.5, (0.0, 1.0), -INF, (NAN, NAN)),
                (40, 0.25, (0.2, 0.3), -0.5, (-7.0, 0.1)),
                (900, 0.2, (0.19, 0.21), 0.1, (0.05, 0.15)),
            ),
            strict=True,
        ):
            results.append(ErrorRate(rule, top, *values))
    return Assessment("thesis", "own", 5, 1, config, tuple(results), None)


def drawn(figure):
    """The address of a figure; drawing it must raise no warning (warnings are errors here)."""
    address = style.figure_uri(figure)
    assert address.startswith("data:image/svg+xml;base64,")
    return address
