"""The report of Ricca's study of policies for unplayed rounds, repeated in our events.

Events with absences are simulated round by round (`absences`). Every policy of
`events.unplayed.policies` completes their records, and every sum over opponents is evaluated as in
`studies.ricca`. The report compares his figures (`data/ricca/unplayed.csv`) with ours. It is
written from the JSON file alone (`render`), so that it can be written again without simulating.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from tb2learn.disk import files
from tb2learn.events.unplayed.record import Kind as RoundKind
from tb2learn.report.markdown import csv_table, interval_cells, table
from tb2learn.studies.claims import agreement_table, method_name
from tb2learn.studies.report_folder import write_report_folder
from tb2learn.studies.ricca.criteria import WHAT_A_VALUE_IS
from tb2learn.studies.ricca.evaluation import ALL_CRITERIA, POPULATIONS, RANDOM, TRUE
from tb2learn.studies.unplayed.absences import CHANCES, kinds
from tb2learn.studies.unplayed.claims import CLAIMS, SHOWN, agreements, ends_of, held
from tb2learn.studies.unplayed.evaluation import POLICIES, SUMS, Studied, is_defined, study_kind
from tb2learn.studies.unplayed.figures import (
    PARTS,
    beside_figure,
    cell_of,
    heat_figure,
    methods_figure,
)
from tb2learn.studies.unplayed.published import RICCA_SUMS, ricca_unplayed


def study_unplayed(out: Path, events: int, seed: int) -> Path:
    """Simulate events of every kind, evaluate all policies, and write the report.

    **Arguments:**

    - `out`: folder of `README.md`, the figures, `unplayed.json` and `values.csv`.
    - `events`: number of events of each kind.
    - `seed`: of all random numbers.

    **Returns:** the path of the report.
    """
    files.check_folder(out)
    studies = [study_kind(kind, events, seed, label=kind.name) for kind in kinds()]
    files.write_text(out / "unplayed.json", json.dumps(as_json(studies, events, seed)) + "\n")
    return render(out)


def render(out: Path) -> Path:
    """Write the report, its figures and `values.csv` from `unplayed.json` in the same folder.

    **Returns:** the path of the report.
    """
    content = json.loads((out / "unplayed.json").read_text("utf-8"))
    figures = {f"methods-{p}.png": methods_figure(content, p) for p in POPULATIONS}
    figures |= {"heat.png": heat_figure(content), "beside.png": beside_figure(content)}
    return write_report_folder(out, as_text(content), figures, {"values.csv": values_csv(content)})


# --------------------------------------------------------------------------- JSON


def as_json(studies: Sequence[Studied], events: int, seed: int) -> dict[str, Any]:
    """All results as JSON, with his figures beside ours."""
    return {
        "events": events,
        "seed": seed,
        "populations": list(POPULATIONS),
        "criteria": list(ALL_CRITERIA),
        "policies": list(POLICIES),
        "sums": list(SUMS),
        "kinds": [_kind_json(studied) for studied in studies],
        "claims": [asdict(held(claim, studies)) for claim in CLAIMS],
    }


def _kind_json(studied: Studied) -> dict[str, Any]:
    """One kind: arrays by population, policy, sum and criterion; null for missing values."""
    his, e = ricca_unplayed(), studied.evaluation
    event = studied.kind.config.event

    def by_name(cell: Any) -> list:
        return [
            [
                [
                    [cell(p, m, s, c) if is_defined(m, s) else None for c in ALL_CRITERIA]
                    for s in SUMS
                ]
                for m in POLICIES
            ]
            for p in POPULATIONS
        ]

    return {
        "kind": studied.kind.name,
        "config": studied.kind.config.name,
        "format": {"teams": event.teams, "rounds": event.rounds, "boards": event.boards},
        "absences": asdict(studied.kind.absences),
        "shares": dict(
            zip(
                (kind.label for kind in RoundKind),
                np.round(studied.shares, 5).tolist(),
                strict=True,
            )
        ),
        "players": dict(zip(POPULATIONS, e.players.tolist(), strict=True)),
        "value": by_name(lambda *at: round(studied.value(*at), 5)),
        "low": by_name(lambda *at: round(studied.ci(*at)[0], 5)),
        "high": by_name(lambda *at: round(studied.ci(*at)[1], 5)),
        "lots": [[round(e.value(p, RANDOM, c), 5) for c in ALL_CRITERIA] for p in POPULATIONS],
        "ricca": by_name(lambda p, m, s, c: his.get((studied.kind.ricca, p, method_name(m, s), c))),
        "agreement": [asdict(one) for one in agreements(studied)],
        "ends": [ends_of(studied, name, c) for c in SHOWN for name in RICCA_SUMS.values()],
    }


def values_csv(content: Mapping[str, Any]) -> str:
    """All values as CSV, one row per kind, population, policy, sum and criterion."""
    return csv_table(
        ("kind", "population", "policy", "sum", "criterion", *PARTS),
        [
            (
                *(kind["kind"], population, policy, name, criterion),
                *cell_of(kind, population, policy, name, criterion),
            )
            for kind in content["kinds"]
            for population in POPULATIONS
            for policy in POLICIES
            for name in SUMS
            if is_defined(policy, name)
            for criterion in ALL_CRITERIA
        ],
    )


# --------------------------------------------------------------------------- text


def as_text(content: Mapping[str, Any]) -> str:
    """The study as Markdown.

    **Arguments:**

    - `content`: the result of `as_json`.
    """
    lines = [
        "# Policies for unplayed rounds, compared by simulation",
        "",
        f"![Methods, {POPULATIONS['all']}](methods-all.png)",
        "",
        *_summary(content),
        "",
        f"{WHAT_A_VALUE_IS} *{TRUE}* is the order of the expected scores in a round robin, which "
        "only a simulation knows; the other criteria use only the results.",
        "",
        f"{content['events']:,} events of each kind, seed {content['seed']}; intervals are 95 % "
        "bootstrap intervals over events. Made by `tb2learn study unplayed`. All values with "
        "intervals are in [values.csv](values.csv), all results in "
        "[unplayed.json](unplayed.json). Ricca's figures are from his paper on unplayed games "
        "(FIDE Technical Commission, 2017), means over 10,000 events of each kind "
        "(`tb2learn/data/ricca/unplayed.csv`).",
        "",
    ]
    sections: tuple[tuple[str, Callable[[Mapping[str, Any]], list[str]]], ...] = (
        ("The best and the worst by the true order", _ends_text),
        ("His conclusions", _claims_text),
        ("His order of the methods and ours", _agreement_text),
        ("The events", _events_text),
    )
    for title, section in sections:
        lines += [f"## {title}", "", *section(content), ""]
    return "\n".join(lines)


def _summary(content: Mapping[str, Any]) -> list[str]:
    """The main findings: a short table, then sentences."""
    kinds = content["kinds"]
    compared = [one for kind in kinds for one in kind["agreement"]]
    taus, levels = ([one[field] for one in compared] for field in ("tau", "level"))
    times = len(kinds) * len(SHOWN)
    rows = []
    for name in RICCA_SUMS.values():
        some = [one for kind in kinds for one in kind["ends"] if one["sum"] == name]
        rows.append((name, *_most_often(some, "best"), *_most_often(some, "worst")))
    header = ("sum", "most often the best", "times", "most often the worst", "times")
    lines = [
        f"The best and the worst of {len(content['policies'])} policies among all players, in "
        f"{times} comparisons: {len(kinds)} kinds of events by {len(SHOWN)} criteria.",
        "",
        *table(header, rows),
    ]
    lines += ["", "Ricca's conclusions about his ten methods, compared with our intervals:", ""]
    lines += [f"* *{found['claim']['text']}* {_fares(found)}" for found in content["claims"]]
    lines.append(
        f"* Kendall's tau of his columns of ten methods and ours is {min(taus):.2f} to "
        f"{max(taus):.2f}, median {np.median(taus):.2f}. Our values are {min(levels):.2f} to "
        f"{max(levels):.2f} times his (geometric mean of a column)."
    )
    return lines


def _most_often(ends: Sequence[Mapping[str, Any]], end: str) -> tuple[str, int]:
    """The policy that is most often at one end, `best` or `worst`, and how often."""
    return Counter(one[end] for one in ends).most_common(1)[0]


def _fares(found: Mapping[str, Any]) -> str:
    """Whether a claim holds in our events, as the end of a sentence."""
    counts = [*found["ours"], *found["true"]]
    shown, unclear, refuted = (sum(one[part] for one in counts) for part in range(3))
    columns = shown + unclear + refuted
    if refuted:
        return f"does not hold everywhere: the opposite is shown in {refuted} of {columns} columns."
    if unclear:
        return f"is refuted nowhere, and shown in {shown} of {columns} columns."
    return f"holds in all {columns} columns."


def _ends_text(content: Mapping[str, Any]) -> list[str]:
    rows = []
    for kind in content["kinds"]:
        for one in kind["ends"]:
            if one["criterion"] == TRUE:
                best, worst = (
                    interval_cells(value, (low, high))
                    for value, low, high, _ in (
                        cell_of(kind, "all", one[end], one["sum"], TRUE)
                        for end in ("best", "worst")
                    )
                )
                level = ", ".join(one["level"]) if len(one["level"]) <= 4 else len(one["level"])
                rows.append(
                    (kind["kind"], one["sum"], one["best"], *best, level, one["worst"], *worst)
                )
    header = ("kind", "sum", "best", "value", "from", "to", "as good", "worst")
    return [
        "Among all players. *As good*: policies whose interval of the difference from the best "
        "includes zero; their number if there are more than four.",
        "",
        *table((*header, "value", "from", "to"), rows),
        "",
        "All sums by the true order, as shares of the value of a draw of lots (`-`: not "
        "defined by the policy):",
        "",
        "![Shares of a draw of lots](heat.png)",
        "",
        "All criteria among the top scorers, with intervals:",
        "",
        f"![Methods, {POPULATIONS['top33']}](methods-top33.png)",
    ]


_NONE = (None, None, None)


def _claims_text(content: Mapping[str, Any]) -> list[str]:
    rows = []
    for found in content["claims"]:
        said, columns = found["his"]
        rows.append((found["claim"]["text"], "his two kinds", said, None, columns - said, *_NONE))
        for kind, ours, true in zip(content["kinds"], found["ours"], found["true"], strict=True):
            rows.append((found["claim"]["text"], kind["kind"], *ours, *true))
    header = ("he says", "of", "shown", "open", "opposite")
    return [
        "A column is a population, a sum and a criterion: ABSELO or MISPTS, and separately "
        f"{TRUE}. The table counts the columns in which our intervals show all comparisons of the "
        "claim (*shown*), leave some undecided but refute none (*open*), and show the opposite of "
        "some (*opposite*). For his own kinds it counts the columns in which his figures agree "
        "with the claim, and those in which they do not.",
        "",
        *table((*header, f"{TRUE}: shown", "open", "opposite"), rows),
    ]


def _agreement_text(content: Mapping[str, Any]) -> list[str]:
    return [
        "His ten methods make 45 pairs in each column; columns are four sums by two criteria. "
        "*Same*: the interval of our difference confirms his order; *open*: it includes zero; "
        "*opposite*: it shows the opposite order. *Tau* is Kendall's tau of his column (100 "
        "players, 9 rounds) and ours; *level* is the geometric mean of our values divided by his.",
        "",
        *agreement_table(
            [(kind["kind"], kind["agreement"]) for kind in content["kinds"]], POPULATIONS
        ),
        "",
        "![His values and ours](beside.png)",
    ]


def _events_text(content: Mapping[str, Any]) -> list[str]:
    made, happened = [], []
    for kind in content["kinds"]:
        absences, bye = kind["absences"], kind["absences"]["bye_points"]
        chances = [f"{absences[rate]:.0%}" for rate in CHANCES]
        made.append(
            (kind["kind"], *kind["format"].values(), *chances, "a win" if bye == 2 else "a draw")
        )
        happened.append((kind["kind"], *(f"{share:.1%}" for share in kind["shares"].values())))
    return [
        "Events are simulated with their absences, by the same pairing and distribution of results "
        "as all other simulations; absent players are not paired. The table shows the chances, in "
        "every round, that a player does not appear although paired (*no_show*), requests a "
        "half-point bye (*half_bye*, not in the last two rounds) or announces an absence that pays "
        "nothing (*zero_bye*); and the chance that a player retires during the event (*retire*, "
        "after any round but the last). If both players of a pair do not appear both lose. A "
        "player who had a bye or won by default gets no later bye; pairs that did not play may be "
        "paired again. Absences are independent of each other, of strength and of points. Ricca's "
        "generator makes the same kinds of absences, but he prints no rates: these are our choice, "
        "and three times as high in the kind named *often*.",
        "",
        *table(("kind", "teams", "rounds", "boards", *CHANCES, "pairing bye"), made),
        "",
        "Shares of all rounds of all players:",
        "",
        *table(("kind", *content["kinds"][0]["shares"]), happened),
        "",
        "Other differences from his events: he pairs by FIDE's Dutch system, with colours, and "
        "his generator has another distribution of results. In team events a match counts as one "
        "game.",
    ]
