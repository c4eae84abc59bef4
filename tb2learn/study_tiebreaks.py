"""Ricca's study of tie-breaks in our events: every tie-break by every global criterion.

His figures stand beside ours, with what agrees and what does not.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from scipy import stats

from tb2learn import files
from tb2learn.config import Config, load_config
from tb2learn.fit_games import interval
from tb2learn.global_criteria import CRITERIA
from tb2learn.report import COLOURS, INK, blank_figure, dress, figure_png
from tb2learn.tiebreak_values import (
    ALL_CRITERIA,
    LOTS,
    POPULATIONS,
    RANDOM,
    SHORT,
    SINGLE,
    TEAM_RULES,
    TRUE,
    Evaluation,
    SampleCell,
    evaluate,
    is_possible,
    ladder,
    ricca_between,
    ricca_names,
    ricca_values,
    sample_event,
)

INDIVIDUAL = {
    "150-10": "individual-150x10",
    "100-9": "individual-100x9",
    "50-6": "individual-50x6",
}
TEAMS = "olympiad-180x11"


# --------------------------------------------------------------------------- the comparison


@dataclass(frozen=True)
class Agreement:
    """His order of the single tie-breaks and ours, under one criterion.

    **Fields:**

    - `kind`, `population`, `criterion`: where.
    - `tau`: Kendall's tau of the two columns.
    - `same`, `open`, `opposite`: pairs of tie-breaks that are in his order with our whole interval
      of their difference, that our events cannot tell apart, and that are the other way round.
    - `inside`: of how many tie-breaks his value is in our interval.
    - `level`: our values over his, geometric mean.
    - `reversed`: the opposite pairs: better with him, better with us.
    """

    kind: str
    population: str
    criterion: str
    tau: float
    same: int
    open: int
    opposite: int
    inside: int
    level: float
    reversed: tuple[tuple[str, str], ...]


def agreements(evaluation: Evaluation) -> tuple[Agreement, ...]:
    """His and our order of the single tie-breaks, by population and criterion."""
    his = ricca_values()
    names = [name for name in SINGLE if (evaluation.kind, "all", name, "BRUNO") in his]
    names = [name for name in names if name != "COMPLETE"]
    found = []
    for population in POPULATIONS:
        for criterion in CRITERIA:
            theirs = {n: his[evaluation.kind, population, n, criterion] for n in names}
            ours = {n: evaluation.value(population, n, criterion) for n in names}
            cis = {n: evaluation.ci(population, n, criterion) for n in names}
            verdicts = {
                (better, worse): _verdict(evaluation, population, better, worse, criterion)
                for better in names
                for worse in names
                if theirs[better] < theirs[worse]
            }
            counts = list(verdicts.values())
            # Without the value that is 0 by definition: Buchholz under BRUNO.
            ratios = [ours[n] / theirs[n] for n in names if theirs[n] > 0]
            found.append(
                Agreement(
                    kind=evaluation.kind,
                    population=population,
                    criterion=criterion,
                    tau=float(stats.kendalltau(list(theirs.values()), list(ours.values()))[0]),
                    same=counts.count(1),
                    open=counts.count(0),
                    opposite=counts.count(-1),
                    inside=sum(cis[n][0] <= theirs[n] <= cis[n][1] for n in names),
                    level=float(np.exp(np.log(ratios).mean())),
                    reversed=tuple(pair for pair, verdict in verdicts.items() if verdict < 0),
                )
            )
    return tuple(found)


def _verdict(
    evaluation: Evaluation, population: str, better: str, worse: str, criterion: str
) -> int:
    """1 if the interval shows that the first is better, -1 if it is worse, else 0."""
    _, low, high = evaluation.difference(population, better, worse, criterion)
    return int(high < 0) - int(low > 0)


@dataclass(frozen=True)
class Claim:
    """A comparison that he draws a conclusion from.

    **Fields:**

    - `text`: in our words.
    - `better`, `worse`: tie-breaks.
    - `populations`, `kinds`: where he says so.
    """

    text: str
    better: str
    worse: str
    populations: tuple[str, ...] = tuple(POPULATIONS)
    kinds: tuple[str, ...] = tuple(INDIVIDUAL)


CLAIMS = (
    Claim(
        "Median is the best Buchholz where all count: before Cut-1", "MEDIAN", "BHCUT1", ("all",)
    ),
    Claim("... and before the whole sum", "MEDIAN", "BH", ("all",)),
    Claim("Cut-1 is better at the top: before Median", "BHCUT1", "MEDIAN", ("top33",)),
    Claim("APRO is the best rating criterion: before ARO", "APRO", "ARO"),
    Claim("... before AROC", "APRO", "AROC"),
    Claim("... before PTPR", "APRO", "PTPR"),
    Claim("Buchholz Cut-1 is far ahead of Sonneborn-Berger", "BHCUT1", "SONNBER"),
    Claim("Progressive points are before Koya", "PROGRES", "KOYA"),
    Claim("Sonneborn-Berger is before Koya", "SONNBER", "KOYA"),
    Claim(
        "Progressive points are before Sonneborn-Berger more often than not", "PROGRES", "SONNBER"
    ),
    Claim("Games with Black are hardly better than lots", "BLACKS", RANDOM),
    Claim("Wins are hardly better than lots", "WINS", RANDOM),
    Claim("Wins before games with Black in 9 rounds", "WINS", "BLACKS", kinds=("100-9",)),
    Claim("... and behind in 10 and 6", "BLACKS", "WINS", kinds=("150-10", "50-6")),
    Claim("After Median, APRO is the best second tie-break", "MD_OP_RD", "MD_OR_RD", ("all",)),
    Claim("After Median, progressive points before Koya", "MD_PS_WW", "MD_KY_WW", ("all",)),
    Claim("Direct encounter first hardly helps nor hurts", "DE_B1_PS_WW", "B1_PS_WW", ("all",)),
)
"""What he concludes; of a comparison that he calls even the direction is that of the text."""


@dataclass(frozen=True)
class ClaimFound:
    """How a claim fares.

    **Fields:**

    - `his`: columns (kinds, populations, his five criteria) in which his figures say so, and all.
    - `ours`: columns in which our intervals show it, cannot tell, and show the opposite.
    - `true`: the same, under the criterion that he could not have.
    """

    claim: Claim
    his: tuple[int, int]
    ours: tuple[int, int, int]
    true: tuple[int, int, int]


def find_claim(claim: Claim, evaluations: Sequence[Evaluation]) -> ClaimFound:
    """Hold a claim against his figures and ours."""
    his = ricca_values()
    columns = [
        (evaluation, population)
        for evaluation in evaluations
        if evaluation.kind in claim.kinds
        for population in claim.populations
    ]

    def verdicts(criteria: Sequence[str]) -> tuple[int, int, int]:
        found = [
            _verdict(evaluation, population, claim.better, claim.worse, criterion)
            for evaluation, population in columns
            for criterion in criteria
        ]
        return found.count(1), found.count(0), found.count(-1)

    printed = [
        [his[evaluation.kind, population, name, criterion] for name in (claim.better, claim.worse)]
        for evaluation, population in columns
        for criterion in CRITERIA
    ]
    return ClaimFound(
        claim,
        (sum(better < worse for better, worse in printed), len(printed)),
        verdicts(tuple(CRITERIA)),
        verdicts((TRUE,)),
    )


# --------------------------------------------------------------------------- the report


def study_tiebreaks(out: Path, events: int, seed: int) -> Path:
    """Play, evaluate and compare; write the report.

    **Arguments:**

    - `out`: folder of `README.md`, `combinations.md`, the figures and `tiebreaks.json`.
    - `events`: of each kind.
    - `seed`: of everything.

    **Returns:** the path of the report.
    """
    files.check_folder(out)
    kinds = {kind: load_config(name) for kind, name in INDIVIDUAL.items()}
    for config in (random_seeds(kinds["100-9"]), load_config(TEAMS)):
        kinds[config.name] = config
    evaluations = [
        evaluate(
            kind,
            config,
            (*ricca_names(), *(TEAM_RULES if config.event.boards > 1 else ())),
            events,
            seed,
            label=config.name,
        )
        for kind, config in kinds.items()
    ]
    sample = sample_event()
    for population in POPULATIONS:
        picture = figure_png(heat_figure(evaluations, population))
        files.write_bytes(out / f"heat-{population}.png", picture)
        picture = figure_png(dot_figure(evaluations, population))
        files.write_bytes(out / f"tiebreaks-{population}.png", picture)
    content = json.dumps(as_json(evaluations, sample, events, seed))
    files.write_text(out / "tiebreaks.json", content + "\n")
    files.write_text(out / "combinations.md", combinations_as_text(evaluations))
    files.write_text(out / "README.md", as_text(evaluations, sample, events, seed))
    return out / "README.md"


def random_seeds(config: Config) -> Config:
    """The same events with seeds that say nothing, where Ricca's go by the true strength."""
    field = replace(config.field, seed_noise=math.inf)
    return replace(config, name=f"{config.name}-random-seeds", field=field)


def as_json(
    evaluations: Sequence[Evaluation], sample: Sequence[SampleCell], events: int, seed: int
) -> dict[str, Any]:
    """Everything that was computed, with his figures beside ours."""
    return {
        "events": events,
        "seed": seed,
        "populations": list(POPULATIONS),
        "criteria": list(ALL_CRITERIA),
        "kinds": [_kind_json(evaluation) for evaluation in evaluations],
        "claims": [asdict(find_claim(claim, evaluations)) for claim in CLAIMS],
        "sample": {
            "figures": len(sample),
            "possible": sum(cell.possible for cell in sample),
            "recomputed": [asdict(cell) for cell in sample if cell.ours is not None],
        },
    }


def _kind_json(evaluation: Evaluation) -> dict[str, Any]:
    """One kind: arrays by population, tie-break and criterion, null where he prints nothing."""
    his, between = ricca_values(), ricca_between()
    low, high = interval(evaluation.resampled)
    kind = evaluation.kind
    return {
        "kind": kind,
        "config": evaluation.config.name,
        "players": dict(zip(POPULATIONS, evaluation.players.tolist(), strict=True)),
        "tie_breaks": list(evaluation.tiebreaks),
        "value": _rounded(evaluation.values),
        "low": _rounded(low),
        "high": _rounded(high),
        "ricca": [
            [[his.get((kind, p, name, c)) for c in ALL_CRITERIA] for name in evaluation.tiebreaks]
            for p in POPULATIONS
        ],
        "between": {
            "value": _rounded(evaluation.between),
            "low": _rounded(evaluation.between_ci[0]),
            "high": _rounded(evaluation.between_ci[1]),
            "ricca": [[between.get((kind, a, b)) for b in ALL_CRITERIA] for a in ALL_CRITERIA],
        },
        "agreement": [asdict(agreement) for agreement in _compared([evaluation])],
    }


def _rounded(values: np.ndarray) -> list:
    return np.round(values, 5).tolist()


def _compared(evaluations: Sequence[Evaluation]) -> list[Agreement]:
    """The agreements of those kinds that he has too."""
    return [a for e in evaluations if e.kind in INDIVIDUAL for a in agreements(e)]


def heat_figure(evaluations: Sequence[Evaluation], population: str) -> Figure:
    """Single tie-breaks by criteria, a panel a kind: values as shares of what lots leave."""
    rows = max(len(_singles(e)) for e in evaluations)
    figure = blank_figure(3.3 * len(evaluations) + 1.2, 0.34 * rows + 1.9)
    panels = figure.subplots(1, len(evaluations), squeeze=False)[0]
    norm = Normalize(0.0, 1.0)
    criteria = [c for c in ALL_CRITERIA if c != RANDOM]
    for panel, e in zip(panels, evaluations, strict=True):
        names = _singles(e)
        lots = [e.value(population, RANDOM, c) for c in criteria]
        shares = np.array(
            [
                [e.value(population, n, c) / r for c, r in zip(criteria, lots, strict=True)]
                for n in names
            ]
        )
        panel.imshow(shares, cmap="cividis", norm=norm, aspect="auto")
        for (row, column), share in np.ndenumerate(shares):
            ink = "white" if share < 0.5 else INK
            panel.text(column, row, f"{share:.2f}", ha="center", va="center", color=ink, fontsize=7)
        panel.set_xticks(range(len(criteria)), criteria, rotation=40, ha="right")
        panel.set_yticks(range(len(names)), names, parse_math=False)
        dress(panel, e.config.name, "", "", grid=False)
        panel.tick_params(labelsize=8)
    figure.suptitle(
        f"What is left of a draw of lots, {POPULATIONS[population]} (0: the criterion's own order)",
        fontsize=11,
        color=INK,
    )
    return figure


def dot_figure(evaluations: Sequence[Evaluation], population: str) -> Figure:
    """Single tie-breaks with 95 % intervals, a row of panels a kind; his values are hollow."""
    his = ricca_values()
    criteria = [c for c in ALL_CRITERIA if c != RANDOM]
    heights = [len(_singles(e)) for e in evaluations]
    figure = blank_figure(
        2.15 * len(criteria) + 1.4, 0.19 * sum(heights) + 0.75 * len(heights) + 0.5
    )
    grid = figure.subplots(
        len(evaluations), len(criteria), sharey="row", squeeze=False, height_ratios=heights
    )
    for panels, e in zip(grid, evaluations, strict=True):
        names = _singles(e)[::-1]
        for panel, criterion in zip(panels, criteria, strict=True):
            for row, name in enumerate(names):
                panel.hlines(
                    row, *e.ci(population, name, criterion), color=COLOURS[0], linewidth=2
                )
                value = e.value(population, name, criterion)
                panel.plot(value, row, "o", color=COLOURS[0], markersize=4)
                theirs = his.get((e.kind, population, name, criterion))
                if theirs is not None:
                    panel.plot(
                        theirs, row, "D", color=COLOURS[1], fillstyle="none", markersize=4.5
                    )
            title = f"{e.config.name}\n{criterion}" if criterion == criteria[0] else criterion
            dress(panel, title, "", "")
            panel.set_title(panel.get_title(loc="left"), loc="left", fontsize=9, color=INK)
            panel.set_xlim(left=-0.02 * panel.get_xlim()[1])
        panels[0].set_yticks(range(len(names)), names, parse_math=False)
        panels[0].tick_params(labelsize=8)
    for panel in grid[-1]:
        panel.set_xlabel("places", fontsize=9, color=INK)
    ours, theirs = (
        Line2D([], [], linestyle="", marker=m, color=c, fillstyle=f)
        for m, c, f in (("o", COLOURS[0], "full"), ("D", COLOURS[1], "none"))
    )
    figure.legend(
        [ours, theirs],
        [f"ours, with 95 % interval: {POPULATIONS[population]}", "Ricca"],
        loc="outside lower center",
        ncols=2,
        frameon=False,
        fontsize=9,
    )
    return figure


def _singles(evaluation: Evaluation) -> list[str]:
    """The tie-breaks that are no combinations."""
    return [name for name in evaluation.tiebreaks if len(ladder(name)) == 1]


def as_text(
    evaluations: Sequence[Evaluation], sample: Sequence[SampleCell], events: int, seed: int
) -> str:
    """The study as Markdown."""
    lines = [
        "# Which tie-break is best: R. Ricca's study in our events",
        "",
        *_summary(evaluations, sample),
        "",
        f"{events:,} events of each kind, seed {seed}; 95 % bootstrap intervals over events in "
        "brackets. Made by `tb2learn study tiebreaks`; everything as numbers: "
        "[tiebreaks.json](tiebreaks.json). His figures are those of *Looking for the best "
        "tie-break* (FIDE Technical Commission, 2016), means over 5,000 events of each kind "
        "(`tb2learn/data/ricca/`).",
        "",
        "A value is the root mean square difference between the places by points and tie-break and "
        "the places by points and criterion, ties sharing the middle place: 0 is the criterion's "
        "own order. *RANDOM* as a tie-break is a draw of lots, as a criterion an order that means "
        "nothing. *TRUE* is the expected result of all against all, which only a simulation knows.",
        "",
        "![tie-breaks by criteria, all players](heat-all.png)",
        "",
        "## How his study and ours differ",
        "",
        *_differences(evaluations),
        "",
        "## His sample event",
        "",
        *_sample_text(sample),
        "",
        "## The criteria among themselves",
        "",
        "Not adjusted: places among all players. Ours, his below.",
        "",
        *_between_text(evaluations),
        "## Where his order of the tie-breaks is ours",
        "",
        *_agreement_text(evaluations),
        "",
        "## His conclusions",
        "",
        *_claims_text(evaluations),
        "",
        "## Single tie-breaks",
        "",
        "Ours with its interval; his below, in bold inside our interval; ours less his.",
        "",
    ]
    for population in POPULATIONS:
        lines += [f"![with intervals](tiebreaks-{population}.png)", ""]
        for e in evaluations:
            lines += [f"### {_heading(e, population)}", "", *_values_text(e, population), ""]
    lines += [
        "![tie-breaks by criteria, top scorers](heat-top33.png)",
        "",
        "Combinations: [combinations.md](combinations.md).",
        "",
    ]
    return "\n".join(lines)


def combinations_as_text(evaluations: Sequence[Evaluation]) -> str:
    """The combinations of tie-breaks, Markdown."""
    lines = [
        "# Combinations of tie-breaks",
        "",
        "Ours (his), as in [README.md](README.md). "
        + ", ".join(f"{short} {name}" for short, name in SHORT.items())
        + f"; {LOTS} draws lots among those still tied. COMPLETE is {SINGLE['COMPLETE']}.",
        "",
    ]
    for population in POPULATIONS:
        for e in evaluations:
            lines += [f"## {_heading(e, population)}", "", *_combinations_text(e, population), ""]
    return "\n".join(lines)


def _heading(evaluation: Evaluation, population: str) -> str:
    number = evaluation.players[list(POPULATIONS).index(population)]
    return f"{evaluation.config.name}, {POPULATIONS[population]} ({number:.1f} an event)"


def _summary(evaluations: Sequence[Evaluation], sample: Sequence[SampleCell]) -> list[str]:
    """What to take from it."""
    compared = _compared(evaluations)
    taus = [a.tau for a in compared]
    same, unclear, opposite = (
        sum(getattr(a, field) for a in compared) for field in ("same", "open", "opposite")
    )
    right = sum(cell.ours == cell.printed for cell in sample)
    known = sum(cell.ours is not None for cell in sample)
    worse = "; ".join(
        f"{e.config.name}: " + (", ".join(_worse_than_tied(e, "all", TRUE)) or "none")
        for e in evaluations
    )
    best = "; ".join(f"{e.config.name}: " + ", ".join(_best(e, "all", TRUE)) for e in evaluations)
    return [
        f"* Of {same + unclear + opposite:,} pairs of single tie-breaks that he orders (kinds, "
        f"populations and criteria together) {same:,} are in the same order in our events, "
        f"{opposite:,} in the opposite one, and {unclear:,} our events cannot tell; Kendall's tau "
        f"of his columns and ours is {min(taus):.2f} to {max(taus):.2f}, median "
        f"{np.median(taus):.2f}.",
        f"* The levels differ: ours are {min(a.level for a in compared):.2f} to "
        f"{max(a.level for a in compared):.2f} times his, by column.",
        f"* Nearest to the true order among all players, single tie-breaks, best three: {best}.",
        "* Leaving players tied is worth about .71 of lots, as ties share the middle place. By the "
        f"true order these single tie-breaks are worse than that, lots apart: {worse}.",
        f"* His sample event: {right} of {known} figures that follow from what he prints are "
        "reproduced to four decimals; the others take its games, which he does not print.",
    ]


def _best(evaluation: Evaluation, population: str, criterion: str, number: int = 3) -> list[str]:
    """The best single tie-breaks, with values."""
    names = sorted(_singles(evaluation), key=lambda n: evaluation.value(population, n, criterion))
    return [f"{n} {evaluation.value(population, n, criterion):.3f}" for n in names[:number]]


def _worse_than_tied(evaluation: Evaluation, population: str, criterion: str) -> list[str]:
    """The single tie-breaks shown to be worse than direct encounter, which hardly breaks a tie."""
    return [
        name
        for name in _singles(evaluation)
        if name not in ("DE", RANDOM)
        and _verdict(evaluation, population, "DE", name, criterion) > 0
    ]


def _differences(evaluations: Sequence[Evaluation]) -> list[str]:
    """His model and ours, in words, with what can be measured of the difference."""
    his = ricca_values()
    spread = "; ".join(
        f"{e.kind}: {e.value('all', 'DE', 'ABSELO'):.3f} "
        f"(his {his[e.kind, 'all', 'DE', 'ABSELO']:.3f})"
        for e in evaluations
        if e.kind in INDIVIDUAL
    )
    rows = (
        (
            "pairing",
            "FIDE's Dutch system, as JaVaFo pairs, with colours and floats",
            "score groups from both ends towards the middle (`tb2learn/pairing.py`), without "
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
    return [
        "| | Ricca | here |",
        "|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in rows),
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


def _sample_text(sample: Sequence[SampleCell]) -> list[str]:
    shown = [cell for cell in sample if cell.ours is not None]
    matched = sum(cell.ours == cell.printed for cell in shown)
    lost = len(sample) - len(shown)
    tiebreaks = [cell for cell in sample if cell.population]
    return [
        f"He prints points, criteria and places of all 100 players and {len(sample):,} figures, "
        f"{len(tiebreaks):,} of them of tie-breaks. What follows from the players' rows is "
        f"recomputed: the criteria against each other, and Buchholz, which is BRUNO over the "
        f"points: {matched} of {len(shown)} figures agree in all four decimals. The other {lost:,} "
        "take who met whom, with which result and colour, and he prints no games: they cannot be "
        "recomputed. Something weaker can be said of them: a root mean square of differences of "
        "whole and half places of exactly 100 players (all), or 31 (5.5 points and more), is one "
        f"of few numbers, and {sum(cell.possible for cell in sample):,} of all {len(sample):,} "
        f"are; of other numbers of four decimals as large, one in {round(1 / _chance(tiebreaks))} "
        "is.",
        "",
        "| population | row | " + " | ".join(CRITERIA) + " |",
        "|---|---" + "|---" * len(CRITERIA) + "|",
        *_sample_rows(shown),
        "",
        "Each: printed / recomputed.",
    ]


def _sample_rows(cells: Sequence[SampleCell]) -> Iterator[str]:
    at = {(c.population, c.row, c.criterion): f"{c.printed} / {c.ours}" for c in cells}
    for population, row in dict.fromkeys((c.population, c.row) for c in cells):
        entries = [at.get((population, row, criterion), "") for criterion in CRITERIA]
        yield f"| {population or 'not adjusted'} | {row} | " + " | ".join(entries) + " |"


def _chance(cells: Sequence[SampleCell]) -> float:
    """Share of the numbers close to the printed ones that are possible figures."""
    tries = [
        is_possible(f"{float(cell.printed) + step * 1e-4:.4f}", cell.players)
        for cell in cells
        for step in range(-10, 11)
        if float(cell.printed) > 0
    ]
    return sum(tries) / len(tries)


def _between_text(evaluations: Sequence[Evaluation]) -> list[str]:
    his = ricca_between()
    lines = []
    for e in evaluations:
        lines += [f"### {e.config.name}", "", *_head("")]
        for i, first in enumerate(ALL_CRITERIA):
            cells = []
            for j, second in enumerate(ALL_CRITERIA):
                cell = "" if i == j else _with_interval(e.between[i, j], e.between_ci[:, i, j])
                if (theirs := his.get((e.kind, first, second))) is not None:
                    cell += f"<br>{theirs:.3f}"
                cells.append(cell)
            lines.append(f"| {first} | " + " | ".join(cells) + " |")
        lines.append("")
    return lines


def _head(first: str) -> list[str]:
    """The head of a table with a column a criterion."""
    return [
        f"| {first} | " + " | ".join(ALL_CRITERIA) + " |",
        "|---" * (len(ALL_CRITERIA) + 1) + "|",
    ]


def _with_interval(value: float, bounds: Sequence[float] | np.ndarray) -> str:
    return f"{value:.3f} [{bounds[0]:.3f}, {bounds[1]:.3f}]"


def _agreement_text(evaluations: Sequence[Evaluation]) -> list[str]:
    head = (
        *("kind", "population", "criterion", "tau", "same", "open", "opposite", "inside", "level"),
        *("agrees", "opposite pairs (better with him < with us)"),
    )
    lines = [
        "All pairs of his 14 single tie-breaks, in the order of his column. *Same*: ours is the "
        "same and its interval says so; *open*: our events cannot tell; *opposite*: the interval "
        "says the opposite. *Inside*: of how many tie-breaks his value lies in our interval. "
        "*Level*: ours over his. A column agrees if no pair is opposite.",
        "",
        f"| {' | '.join(head)} |",
        "|---" * len(head) + "|",
    ]
    for a in _compared(evaluations):
        row = (
            *(a.kind, a.population, a.criterion, f"{a.tau:.2f}", a.same, a.open, a.opposite),
            *(a.inside, f"{a.level:.2f}", "NO" if a.opposite else "yes"),
            ", ".join(f"{better} < {worse}" for better, worse in a.reversed),
        )
        lines.append(f"| {' | '.join(map(str, row))} |")
    return lines


def _claims_text(evaluations: Sequence[Evaluation]) -> list[str]:
    lines = [
        "Columns are kinds, populations and his five criteria. *His*: in how many his figures say "
        "so. *Ours*: in how many our intervals show it / cannot tell / show the opposite; *true*: "
        "the same by the true order, one column a kind and population.",
        "",
        "| he says | first | second | his | ours | true |",
        "|---|---|---|---|---|---|",
    ]
    for found in (find_claim(claim, evaluations) for claim in CLAIMS):
        lines.append(
            f"| {found.claim.text} | {found.claim.better} | {found.claim.worse} | "
            f"{found.his[0]} of {found.his[1]} | {' / '.join(map(str, found.ours))} | "
            f"{' / '.join(map(str, found.true))} |"
        )
    return lines


def _values_text(evaluation: Evaluation, population: str) -> list[str]:
    his = ricca_values()
    lines = _head("tie-break")
    for name in _singles(evaluation):
        cells = []
        for criterion in ALL_CRITERIA:
            value = evaluation.value(population, name, criterion)
            low, high = evaluation.ci(population, name, criterion)
            cell = _with_interval(value, (low, high))
            theirs = his.get((evaluation.kind, population, name, criterion))
            if theirs is not None:
                mark = "**" if low <= theirs <= high else ""
                cell += f"<br>{mark}{theirs:.3f}{mark} ({value - theirs:+.3f})"
            cells.append(cell)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def _combinations_text(evaluation: Evaluation, population: str) -> list[str]:
    his = ricca_values()
    lines = _head("tie-break")
    singles = _singles(evaluation)
    for name in evaluation.tiebreaks:
        if name in singles:
            continue
        cells = []
        for criterion in ALL_CRITERIA:
            cell = f"{evaluation.value(population, name, criterion):.3f}"
            theirs = his.get((evaluation.kind, population, name, criterion))
            cells.append(cell if theirs is None else f"{cell} ({theirs:.3f})")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines
