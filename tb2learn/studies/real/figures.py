"""The figure of the study of real events: differences to the first rule, with intervals."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from tb2learn.report.frames import Frames, where
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, draw_marks, dress, short_name
from tb2learn.report.wording import rule_name
from tb2learn.studies.real.summary import SHOWN

_TITLES = {
    "ratings": "Ratings: the higher rated of two tied teams first",
    "prediction": "Prediction: the winner of a later match first",
}


def differences_figure(frames: Frames) -> Figure:
    """By how much more often each rule is right than the first: a panel a test."""
    found = frames["rows"]
    first, *rules = frames["rules"]["rule"]
    tests = [test for test in SHOWN if test in set(found["test"])]
    figure = blank_figure(5.6 * len(tests) + 1.6, 0.42 * len(rules) + 2.0)
    panels = figure.subplots(1, len(tests), sharey=True, squeeze=False)[0]
    for panel, test in zip(panels, tests, strict=True):
        for number, population in enumerate(SHOWN[test]):
            rows = where(found, test=test, population=population)
            rows = rows[rows["rule"].isin(rules)].iloc[::-1]
            draw_marks(
                panel,
                rows,
                "more",
                [place + 0.22 * (1 - number) for place in range(len(rules))],
                COLOURS[number],
                marker=MARKERS[number],
                size=6,
                label=f"{population} ({rows['pairs'].iloc[0]:,} pairs)",
            )
        panel.axvline(0.0, color=INK, linewidth=1.0)
        dress(panel, _TITLES[test], f"right more often than the {rule_name(first)}", "")
        panel.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), frameon=False, fontsize=9)
    names = [short_name(rule_name(rule), 40) for rule in rules[::-1]]
    panels[0].set_yticks(range(len(rules)), names, parse_math=False)
    return figure


FIGURES = {"real.png": differences_figure}
