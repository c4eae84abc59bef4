"""The report on formats: leagues, which format finds the strongest, figures, claims."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tb2learn import files
from tb2learn.assessment.tally import ALL, ErrorRate
from tb2learn.export.assessment import population
from tb2learn.report.markdown import csv_table, interval_cells, table
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, dress
from tb2learn.report.wording import rule_name
from tb2learn.studies.formats.deciding import BEST, TEAMS, WORLDS, Found, formats, judge_format
from tb2learn.studies.formats.leagues import LEAGUES, TOP, League, judge_league, league_rows
from tb2learn.studies.report_folder import write_report_folder

Judged = dict[tuple[str, str], dict[str, Found]]
"""What was measured, by world and format."""

_BESIDE = (
    *((1, "Swiss, 8 rounds"), (2, "Swiss, 15 rounds")),
    *((2, "round robin"), (3, "double round robin")),
)
"""Repeats of a multi-tier event, and a format with about as many matches, or more."""

_SHOWN = ("wins", "concordant", "best", "first_tied", "surplus")


def study_formats(folder: Path, events: int, seed: int) -> Path:
    """Judge tie-breaks of leagues, and formats, and write the report.

    **Arguments:**

    - `folder`: gets `README.md`, two figures, `leagues.csv` (which the package contains as
      `data/leagues.csv`) and `formats.csv`.
    - `events`, `seed`: assessment events of every league and format, and seed of the bootstrap.

    **Returns:** the path of the report.
    """
    files.check_folder(folder.parent)
    leagues = [(league, judge_league(league, events, seed)) for league in LEAGUES]
    judged: Judged = {
        (world, name): judge_format(name, world, event, events, seed)
        for world, (boards, _) in WORLDS.items()
        for name, event in formats(boards).items()
    }
    rows = [
        (world, name, what, round(one.value, 5), *(round(end, 5) for end in one.ci))
        for (world, name), found in judged.items()
        for what, one in found.items()
    ]
    tables = {
        "leagues.csv": csv_table(*league_rows(leagues)),
        "formats.csv": csv_table(("world", "format", "what", "value", "low", "high"), rows),
    }
    figures = {"formats.png": formats_figure(judged), "leagues.png": leagues_figure(leagues)}
    text = "\n".join(_report(leagues, judged, events, seed)) + "\n"
    return write_report_folder(folder, text, figures, tables)


# --------------------------------------------------------------------------- figures


def formats_figure(judged: Judged) -> Figure:
    """How often the strongest wins, and Kendall's tau, by the number of games."""
    figure = blank_figure(11.0, 4.6 * len(WORLDS))
    panels = figure.subplots(len(WORLDS), 2, squeeze=False)
    titles = (("wins", "How often the strongest wins"), ("concordant", "Kendall's tau"))
    for row, world in zip(panels, WORLDS, strict=True):
        for panel, (what, title) in zip(row, titles, strict=True):
            _draw(panel, judged, world, what)
            dress(panel, f"{title}: {world}", "matches of the whole event", "")
    panels[0, 1].legend(frameon=False, fontsize=9, loc="lower right")
    return figure


def _draw(panel: Axes, judged: Judged, world: str, what: str) -> None:
    families = ("Swiss", "round robin", "multi-tier")
    for number, family in enumerate(families):
        found = [one for (where, name), one in judged.items() if where == world and family in name]
        x = [one["games"].value for one in found]
        y = [one[what].value for one in found]
        style = {"color": COLOURS[number], "marker": MARKERS[number]}
        panel.plot(x, y, linewidth=1.2, markersize=6, label=family, **style)
        panel.vlines(x, *zip(*(one[what].ci for one in found), strict=True), color=COLOURS[number])


def leagues_figure(leagues: Sequence[tuple[League, Sequence[ErrorRate]]]) -> Figure:
    """Error of every rule over all ties, a panel a league."""
    figure = blank_figure(12.0, 3.4)
    panels = figure.subplots(1, len(leagues))
    for panel, (league, rows) in zip(panels, leagues, strict=True):
        shown = [row for row in rows if row.top == ALL][::-1]
        for place, row in enumerate(shown):
            panel.hlines(place, *row.ci, color=COLOURS[0], linewidth=3)
            panel.plot(row.error_rate, place, color=COLOURS[0], marker="o", markersize=5)
        panel.axvline(0.5, color=INK, linewidth=1)
        panel.set_yticks(range(len(shown)), [rule_name(row.rule) for row in shown])
        dress(panel, league.name, "ties decided wrongly (line: lots)", "")
        panel.tick_params(labelsize=7)
    return figure


# --------------------------------------------------------------------------- text


def _report(
    leagues: Sequence[tuple[League, Sequence[ErrorRate]]], judged: Judged, events: int, seed: int
) -> list[str]:
    lines = [
        "# Formats: which one decides best",
        "",
        "![How often the strongest wins, by format](formats.png)",
        "",
        f"{events:,} simulated events of every format and league, seed {seed}; 95 % bootstrap "
        "intervals over events. A tie-break is wrong if it places first of two tied teams the one "
        "that would score less if everybody played everybody; equal scores are half an error.",
        "",
        "## Leagues: ties where everybody met the same opponents",
        "",
        "![Share of ties decided wrongly, by league and rule](leagues.png)",
        "",
        "*emmsb* is Sonneborn-Berger on match points (opponents' match points times own), "
        "*emgsb* the "
        "opponents' match points times the game points scored against them.",
        "",
        *_league_lines(leagues),
        "",
        "## Which format finds the strongest",
        "",
        f"{TEAMS} players or teams of mean rating 2000 to 2600; seeds are the ratings with a "
        "standard error of 50 points. The final order of a Swiss and a round robin is that by "
        "match points, of teams then by game points; that of a multi-tier event is by the last "
        f"tier (8, 6 and 6, two promoted), then its tier score. *wins*: the strongest is first, "
        "shared first places counting their share. *tau*: Kendall's, ties counting 0. *best*: the "
        f"share of the {BEST} strongest among the first {BEST}. *first tied*: events in which the "
        "first place is shared. *colour surplus*: games of one colour more than of the other, a "
        "team (a Swiss of this package has no colours).",
        "",
    ]
    for world in WORLDS:
        lines += [f"### {world[:1].upper()}{world[1:]}", "", *_format_table(judged, world), ""]
    return [
        *lines,
        *_claims(judged),
        "",
        "All numbers: [leagues.csv](leagues.csv), which the package contains and `rank` quotes; "
        "[formats.csv](formats.csv).",
    ]


def _league_lines(leagues: Sequence[tuple[League, Sequence[ErrorRate]]]) -> list[str]:
    rows = [
        (
            *(league.name, rule_name(row.rule), population(row.top), f"{row.pairs:,}"),
            *interval_cells(row.error_rate, row.ci),
        )
        for league, found in leagues
        for row in sorted(found, key=lambda row: (-row.top, row.error_rate))
        if row.top in (TOP, ALL)
    ]
    header = ("league", "rule", "ties that touch place", "pairs", "wrong", "from", "to")
    return table(header, rows)


def _format_table(judged: Judged, world: str) -> list[str]:
    header = ["format", "matches", "fewest", "most"]
    for name in ("wins", "tau", "best", "first tied", "colour surplus"):
        header += [name, "from", "to"]
    rows = []
    for (where, name), found in judged.items():
        if where == world:
            counts = [f"{found[what].value:.0f}" for what in ("games", "least", "most")]
            cells = [
                cell
                for what in _SHOWN
                for cell in (
                    ("", "", "")
                    if what == "surplus" and name.startswith("Swiss")
                    else interval_cells(found[what].value, found[what].ci)
                )
            ]
            rows.append((name, *counts, *cells))
    return table(header, rows)


def _claims(judged: Judged) -> list[str]:
    """What the authors of multi-tier tournaments say of them, held against the figures."""

    def apart(world: str, what: str, one: str, other: str) -> int:
        """1 if the first is surely more, -1 if surely less, else 0."""
        first, second = judged[world, one][what].ci, judged[world, other][what].ci
        return int(first[0] > second[1]) - int(first[1] < second[0])

    rows = []
    for world in WORLDS:
        surplus = {m: judged[world, f"multi-tier, m = {m}"]["surplus"].value for m in (1, 2)}
        ties = judged[world, "multi-tier, m = 1"]["first_tied"]
        rows += [
            (
                world,
                "near-perfect colour balance",
                f"holds: {surplus[1]:.2f} games of one colour more a team with m = 1, "
                f"{surplus[2]:.2f} with m = 2",
            ),
            (
                world,
                "almost always a single winner",
                f"{'holds' if ties.ci[1] < 0.05 else 'does not hold'}: with m = 1 the lot decides "
                f"{ties.value:.1%} of the events (without counting moves)",
            ),
        ]
        verdicts = {1: "more often", 0: "as often, as far as can be seen", -1: "less often"}
        for m, other in _BESIDE:
            name = f"multi-tier, m = {m}"
            found = verdicts[apart(world, "wins", name, other)]
            games = (f"{judged[world, one]['games'].value:.0f}" for one in (name, other))
            text = f"{name}, beside {other} ({' and '.join(games)} matches)"
            rows.append((world, text, f"the strongest wins {found}"))
    return [
        "## What the authors say of multi-tier events",
        "",
        "*More often* and *less often*: the intervals do not overlap. The tiers are made by "
        "seeds near "
        "the truth, and the order of a multi-tier event puts the last tier first, so part of "
        "what it "
        "finds is what the ratings said; in a Swiss and a round robin the results alone decide.",
        "",
        *table(("field", "claim or comparison", "found"), rows),
    ]
