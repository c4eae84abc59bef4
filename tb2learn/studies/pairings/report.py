"""The report on pairings: how often ours are the engine's, and rules on the engine's events."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from matplotlib.figure import Figure

from tb2learn.disk import files
from tb2learn.export.assessment import population
from tb2learn.report.markdown import csv_table, interval_cells, table
from tb2learn.report.style import COLOURS, MARKERS, blank_figure, dress
from tb2learn.report.wording import rule_name as name_of
from tb2learn.studies.pairings.engine import check_engine
from tb2learn.studies.pairings.study import (
    FIELD,
    OURS,
    RULES,
    SHOWN,
    SIZES,
    TABLE,
    TRAINED,
    Compared,
    Share,
    compare,
)
from tb2learn.studies.report_folder import write_report_folder


def study_pairings(folder: Path, events: int, seed: int) -> Path:
    """Compare our pairing with the engine's, and write the report.

    **Arguments:**

    - `folder`: gets `README.md`, a figure, `agreement.csv` and `errors.csv`.
    - `events`, `seed`: events paired by the engine, of every size; seed of all events.

    **Returns:** the path of the report.

    **Raises:** `InputError` if the engine is not installed.
    """
    check_engine()
    files.check_folder(folder.parent)
    found = [compare(players, rounds, events, seed) for players, rounds in SIZES]
    tables = {
        "agreement.csv": csv_table(
            ("players", "rounds", "round", "what", "share", "low", "high"), _agreement_rows(found)
        ),
        "errors.csv": csv_table(
            ("players", "rounds", "rule", "top", "what", "value", "low", "high"), _error_rows(found)
        ),
    }
    text = "\n".join(_report(found, events, seed)) + "\n"
    return write_report_folder(folder, text, {"pairings.png": pairings_figure(found)}, tables)


def _agreement_rows(found: Sequence[Compared]) -> list[tuple]:
    return [
        (one.players, one.rounds, number, what, *_rounded(share))
        for one in found
        for what, shares in (("pair", one.agree), ("pair and colours", one.colours))
        for number, share in enumerate(shares, 1)
    ]


def _error_rows(found: Sequence[Compared]) -> list[tuple]:
    return [
        (one.players, one.rounds, rule, population(top), what, *_rounded(share))
        for one in found
        for what, shares in (("ours", one.ours), ("engine", one.engine), ("apart", one.apart))
        for (rule, top), share in shares.items()
    ] + [
        (one.players, one.rounds, rule, population(top), f"{name} less Buchholz", *_rounded(share))
        for one in found
        for (name, rule, top), share in one.gain.items()
    ]


def _rounded(share: Share) -> tuple[float, ...]:
    return tuple(round(value, 5) for value in (share.value, *share.ci))


def pairings_figure(found: Sequence[Compared]) -> Figure:
    """Agreement by round; errors on events of both pairings."""
    figure = blank_figure(11.0, 4.2)
    panels = figure.subplots(1, 1 + len(found))
    for number, one in enumerate(found):
        style = {"color": COLOURS[number], "marker": MARKERS[number]}
        rounds = range(1, one.rounds + 1)
        label = f"{one.players} x {one.rounds}"
        panels[0].plot(rounds, [share.value for share in one.agree], label=label, **style)
        ends = zip(*(share.ci for share in one.agree), strict=True)
        panels[0].vlines(rounds, *ends, color=COLOURS[number])
    panels[0].set_ylim(0, 1.02)
    panels[0].legend(frameon=False)
    dress(panels[0], "Pairs that are the engine's", "round", "share")
    for panel, one in zip(panels[1:], found, strict=True):
        for number, (label, shares) in enumerate((("ours", one.ours), ("engine", one.engine))):
            for place, rule in enumerate(RULES[::-1]):
                share = shares[rule, SHOWN[-1]]
                at = place + 0.12 - 0.24 * number
                panel.hlines(at, *share.ci, color=COLOURS[number], linewidth=3)
                style = {"color": COLOURS[number], "marker": MARKERS[number]}
                panel.plot(share.value, at, linestyle="", label=None if place else label, **style)
        panel.set_yticks(range(len(RULES)), [rule_name(rule) for rule in RULES[::-1]])
        panel.tick_params(labelsize=8)
        panel.legend(frameon=False, fontsize=8)
        dress(panel, f"{one.players} x {one.rounds}", "ties decided wrongly", "")
    return figure


def _report(found: Sequence[Compared], events: int, seed: int) -> list[str]:
    sizes = " and ".join(f"{one.players} players and {one.rounds} rounds" for one in found)
    lines = [
        "# Our pairing of individual events beside FIDE's Dutch system",
        "",
        "![Share of pairs that agree, by round; errors on events of both](pairings.png)",
        "",
        f"{events:,} events of {sizes}, seed {seed}, paired by py4swiss {version('py4swiss')}: "
        "FIDE's Dutch system as it was until January 2026. Ratings are "
        f"{FIELD.low:.0f} to {FIELD.high:.0f}, seeds are the ratings with a standard error of "
        f"{FIELD.seed_noise:.0f} points. In brackets and from ... to: 95 % bootstrap intervals "
        "over events.",
        "",
        "The engine pairs players; it has no pairing of teams, so no Olympiad of any size was "
        "paired by it.",
        "",
        "## How often the pairings agree",
        "",
        "From the engine's own results before every round our rule pairs that round too. Share of "
        "the engine's pairs that are ours, and of those with the same colours:",
        "",
    ]
    for one in found:
        rows = [
            (number, *interval_cells(pair.value, pair.ci), *interval_cells(both.value, both.ci))
            for number, (pair, both) in enumerate(zip(one.agree, one.colours, strict=True), 1)
        ]
        low, high = one.all_rounds.ci
        lines += [
            f"### {one.players} players, {one.rounds} rounds",
            "",
            f"All rounds: {one.all_rounds.value:.3f} ({low:.3f} to {high:.3f}).",
            "",
            *table(("round", "pair", "from", "to", "and colours", "from", "to"), rows),
            "",
        ]
    lines += [
        "Ours takes opponents one by one and floats one player of an odd group; FIDE's compares "
        "all pairings of a group, also by what they leave to the next group, looks two rounds "
        "back at floats, and lets leaders break colour rules in the last round.",
        "",
        "## Whether error rates hold on the engine's events",
        "",
        f"Rules see the results alone. *Ours*: {OURS:,} events paired by our rule. *Apart*: the "
        "engine's less ours. *Less than Buchholz*: error on the engine's events less that of "
        "Buchholz cut 1 on the same events. The formula and its pencil form *deep-buchholz* are "
        "the shipped ones, fitted to other events; *table trained on ours* is a table in three "
        f"passes trained on {TRAINED:,} events of these fields, paired by our rule, with random "
        "seeds.",
        "",
    ]
    for one in found:
        lines += [f"### {one.players} players, {one.rounds} rounds", "", *_error_table(one), ""]
        lines += [_verdict(one), ""]
    return [*lines, "All numbers: [agreement.csv](agreement.csv), [errors.csv](errors.csv)."]


def rule_name(rule: str) -> str:
    """The name of a rule of the study."""
    return "table trained on ours" if rule == TABLE else name_of(rule)


def _error_table(one: Compared) -> list[str]:
    header = ["ties that touch place", "pairs", "rule"]
    for name in ("engine", "ours", "apart", "less than Buchholz"):
        header += [name, "from", "to"]
    rows = []
    for top in SHOWN:
        for rule in RULES:
            shares = (one.engine, one.ours, one.apart)
            cells = [c for s in shares for c in interval_cells(s[rule, top].value, s[rule, top].ci)]
            gain = one.gain["engine", rule, top]
            cells += ("", "", "") if rule == RULES[0] else interval_cells(gain.value, gain.ci)
            rows.append((population(top), f"{one.pairs[top]:,}", rule_name(rule), *cells))
    return table(header, rows)


def _verdict(one: Compared) -> str:
    """Which differences are certain, in one sentence."""
    certain = [
        f"{rule_name(rule)} (ties that touch place {population(top)})"
        for (rule, top), share in one.apart.items()
        if top in SHOWN and (share.ci[0] > 0 or share.ci[1] < 0)
    ]
    held = "No interval of *apart* leaves 0 out: as far as can be seen, error rates hold."
    if certain:
        held = f"The interval of *apart* leaves 0 out for {', '.join(certain)}."
    gain = one.gain["engine", TABLE, SHOWN[-1]]
    better = (
        "decides fewer ties wrongly than Buchholz cut 1"
        if gain.ci[1] < 0
        else "decides more ties wrongly than Buchholz cut 1"
        if gain.ci[0] > 0
        else "is not seen to differ from Buchholz cut 1"
    )
    ours = one.gain["ours", TABLE, SHOWN[-1]]
    there, here = (f"{g.value:+.3f}, {g.ci[0]:+.3f} to {g.ci[1]:+.3f}" for g in (gain, ours))
    return (
        f"{held} Over all ties on the engine's events the table trained on ours {better} "
        f"({there}; on ours {here})."
    )
