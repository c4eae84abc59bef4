"""The report on formats: leagues, which format finds the strongest, figures, claims."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tb2learn.assessment.tally import ALL, ErrorRate
from tb2learn.disk import files
from tb2learn.export.assessment import population
from tb2learn.report.markdown import csv_table, interval_cells, table
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, dress
from tb2learn.report.wording import rule_name
from tb2learn.studies.formats.claims import Judged, claim_lines
from tb2learn.studies.formats.deciding import (
    BEST,
    FINAL_CYCLES,
    FINALISTS,
    TEAMS,
    TIERS,
    WORLDS,
    formats,
    judge_format,
)
from tb2learn.studies.formats.leagues import LEAGUES, TOP, League, judge_league, league_rows
from tb2learn.studies.formats.settling import (
    BEFORE,
    RULES,
    TIES,
    Settled,
    judge_ties,
    tie_rows,
)
from tb2learn.studies.report_folder import write_report_folder

_SHOWN = ("wins", "concordant", "best", "first_tied", "surplus")


def study_formats(folder: Path, events: int, seed: int) -> Path:
    """Judge tie-breaks of leagues, and formats, and write the report.

    **Arguments:**

    - `folder`: gets `README.md`, three figures, `leagues.csv` (which the package contains as
      `data/leagues.csv`), `formats.csv` and `tiebreaks.csv`.
    - `events`, `seed`: assessment events of every league and format, and seed of the bootstrap.

    **Returns:** the path of the report.
    """
    files.check_folder(folder.parent)
    leagues = [(league, judge_league(league, events, seed)) for league in LEAGUES]
    compared = [
        (name, world, event)
        for world, (boards, _) in WORLDS.items()
        for name, event in formats(boards).items()
    ]
    judged = {
        (world, name): judge_format(name, world, event, events, seed)
        for name, world, event in compared
    }
    ties = [one for what in compared for one in judge_ties(*what, events, seed)]
    rows = [
        (world, name, what, round(one.value, 5), *(round(end, 5) for end in one.ci))
        for (world, name), found in judged.items()
        for what, one in found.items()
    ]
    tables = {
        "leagues.csv": csv_table(*league_rows(leagues)),
        "formats.csv": csv_table(("world", "format", "what", "value", "low", "high"), rows),
        "tiebreaks.csv": csv_table(*tie_rows(ties)),
    }
    figures = {
        "formats.png": formats_figure(judged),
        "leagues.png": leagues_figure(leagues),
        "tiebreaks.png": ties_figure(ties),
    }
    text = "\n".join(_report(leagues, judged, ties, events, seed)) + "\n"
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
    families = {"Swiss": "rounds", "Swiss, then a final": "final", "round robin": "round robin"}
    families["multi-tier"] = "multi-tier"
    for number, (family, part) in enumerate(families.items()):
        found = [one for (where, name), one in judged.items() if where == world and part in name]
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


def ties_figure(ties: Sequence[Settled]) -> Figure:
    """How often every tie-break settles ties for the first place wrongly, a panel a world."""
    figure = blank_figure(12.0, 9.0)
    for panel, world in zip(figure.subplots(1, len(WORLDS)), WORLDS, strict=True):
        found = [one for one in ties if one.world == world and one.top == 1]
        names = list(dict.fromkeys(one.name for one in found))
        rules = RULES[world]
        for one in found:
            number = rules.index(one.rule)
            at = -names.index(one.name) + 0.8 * (0.5 - (number + 0.5) / len(rules))
            style = {"color": COLOURS[number]}
            label = _tie_rule(one.rule) if one.name == "Swiss, 7 + final" else None
            panel.hlines(at, *one.wrong.ci, linewidth=2, **style)
            style |= {"marker": MARKERS[number], "linestyle": ""}
            panel.plot(one.wrong.value, at, label=label, markersize=4, **style)
        panel.axvline(0.5, color=INK, linewidth=1)
        panel.set_yticks(-np.arange(len(names)), names)
        dress(panel, f"Ties for the first place: {world}", "decided wrongly (line: lots)", "")
        panel.legend(frameon=False, fontsize=8, ncol=3, loc="lower left", bbox_to_anchor=(0, 1.03))
    return figure


# --------------------------------------------------------------------------- text


def _report(
    leagues: Sequence[tuple[League, Sequence[ErrorRate]]],
    judged: Judged,
    ties: Sequence[Settled],
    events: int,
    seed: int,
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
        *_format_lines(judged),
        *_tie_lines(ties),
    ]
    return [
        *lines,
        *claim_lines(judged),
        "",
        "All numbers: [leagues.csv](leagues.csv), which the package contains and `rank` quotes; "
        "[formats.csv](formats.csv), [tiebreaks.csv](tiebreaks.csv).",
    ]


def _format_lines(judged: Judged) -> list[str]:
    games = comb(FINALISTS, 2) * FINAL_CYCLES
    lines = [
        "## Which format finds the strongest",
        "",
        f"{TEAMS} players or teams of mean rating 2000 to 2600; seeds are the ratings with a "
        "standard error of 50 points. A Swiss of players is paired with colours "
        '(`pairing = "dutch"`), one of teams as at an Olympiad, without colours. *Swiss, 7 + '
        f"final*: after 7 rounds of Swiss the best {FINALISTS} play a double round robin of "
        f"{games} matches, about as many as a round of the Swiss; into it go those with the "
        "most match points, then game points, opponents' match points, lot; nothing is carried "
        "into it. The final order of a Swiss and a round robin is that by match points, of teams "
        "then by game points; with a final its own points order those who play it, before all "
        "others; that of a multi-tier event is by the last tier "
        f"({', '.join(str(tier.teams) for tier in TIERS)}, two promoted), then its tier score and "
        "the authors' rules for ties. *wins*: the strongest is first, shared first places "
        "counting their share. *tau*: "
        f"Kendall's, ties counting 0. *best*: the share of the {BEST} strongest among the first "
        f"{BEST}. *first tied*: events in which the first place is shared. *fewest* and *most*: "
        "matches of the team with the fewest and the most. *colour surplus*: games of one colour "
        "more than of the other, a team; empty where the pairing has no colours.",
        "",
    ]
    for world in WORLDS:
        lines += [f"### {world[:1].upper()}{world[1:]}", "", *_format_table(judged, world), ""]
    return lines


def _tie_lines(ties: Sequence[Settled]) -> list[str]:
    lines = [
        "## Ties for the first place",
        "",
        "![Share of ties for the first place decided wrongly, by format and tie-break]"
        "(tiebreaks.png)",
        "",
        "Pairs equal on match points for the first place: in a multi-tier event and in one with a "
        "final, on the points of the last tier or the final alone, and so are the tie-breaks. "
        "*wrong*: the rule puts the weaker one first; a pair that it leaves tied counts half, "
        "so .500 is a lot. *left*: pairs that it leaves tied. Where everybody met the same "
        "opponents Buchholz parts nobody. *direct+wins* is the order of the authors of multi-tier "
        f"events; *{BEFORE}* are the match points of the Swiss. Ties that touch place {TIES[-1]} "
        "are in the CSV.",
        "",
        "Surely better than a lot (the whole interval of *wrong* is below .500):",
        "",
        *(f"* {world}: {_better_than_lots(ties, world)}." for world in WORLDS),
        "",
    ]
    for world in WORLDS:
        rows = [
            (
                *(one.name, f"{one.pairs:,}", _tie_rule(one.rule)),
                *interval_cells(one.wrong.value, one.wrong.ci),
                *interval_cells(one.left.value, one.left.ci),
            )
            for one in ties
            if one.world == world and one.top == 1
        ]
        header = ("format", "pairs", "rule", "wrong", "from", "to", "left", "from", "to")
        lines += [f"### Ties: {world}", "", *table(header, rows), ""]
    return lines


def _better_than_lots(ties: Sequence[Settled], world: str) -> str:
    """Formats, and the rules that are surely better than a lot there, best first."""
    found: dict[str, list[Settled]] = {name: [] for name in formats(WORLDS[world][0])}
    for one in ties:
        if one.world == world and one.top == 1 and one.wrong.ci[1] < 0.5:
            found[one.name].append(one)
    texts = []
    for name, rules in found.items():
        ranked = sorted(rules, key=lambda one: one.wrong.value)
        said = ", ".join(f"{_tie_rule(one.rule)} ({one.wrong.value:.3f})" for one in ranked)
        texts.append(f"{name}: {said or 'no rule'}")
    return "; ".join(texts)


def _tie_rule(name: str) -> str:
    return name if name == BEFORE else rule_name(name)


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
                    if what == "surplus" and name.startswith("Swiss") and WORLDS[world][0] > 1
                    else interval_cells(found[what].value, found[what].ci)
                )
            ]
            rows.append((name, *counts, *cells))
    return table(header, rows)
