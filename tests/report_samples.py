"""Names that try a page, an assessment that tries a figure, and how figures are drawn."""

import math

import pandas as pd

from tb2learn.assessment.error_rates import Assessment
from tb2learn.report import style

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


def row(rule, top, pairs, error, error_ends, saved, saved_ends, than=(0.0, 0.0, 0.0)):
    """A row of a table of error rates, `than` less those of the product rule."""
    shares = {"error": (error, *error_ends), "saved": (saved, *saved_ends), "than_product": than}
    ends = {
        f"{name}{end}": value
        for name, values in shares.items()
        for end, value in zip(("", "_low", "_high"), values, strict=True)
    }
    return {"rule": rule, "top": top, "pairs": pairs, **ends}


def strange_assessment(config):
    """No pairs, no errors to save, an interval that runs out of the figure, more rules."""
    rows = [
        row(rule, top, *values)
        for rule in ("product", "new", "$other$")
        for top, values in zip(
            ("1", "3", "10", "30"),  # those of the thesis protocol
            (
                (0, NAN, (NAN, NAN), NAN, (NAN, NAN), (NAN, NAN, NAN)),
                (3, 0.5, (0.0, 1.0), -INF, (NAN, NAN)),
                (40, 0.25, (0.2, 0.3), -0.5, (-7.0, 0.1), (0.1, -0.1, 0.2)),
                (900, 0.2, (0.19, 0.21), 0.1, (0.05, 0.15), (-0.02, -0.03, -0.01)),
            ),
            strict=True,
        )
    ]
    return Assessment("thesis", "own", 5, 1, config, pd.DataFrame(rows))


def drawn(figure):
    """The address of a figure; drawing it must raise no warning (warnings are errors here)."""
    address = style.figure_uri(figure)
    assert address.startswith("data:image/svg+xml;base64,")
    return address
