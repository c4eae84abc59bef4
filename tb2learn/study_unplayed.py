"""Methods for unplayed rounds compared in simulated events with absences, after R. Ricca.

An event with absences has to be played as such, as an absence changes who meets whom. So it is
played here round by round among those present, by the simulator's own pairing, law of results and
keys: without absences it is the simulator's event. Then every policy of `events/policies.py`
completes the record, and every sum over opponents is judged by the evaluation of
`tiebreak_values.py`. His figures (`data/ricca/unplayed.csv`) stand beside ours; nothing is fitted
to them. The report is written from the JSON alone, so it can be written again without playing
(`render`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from tb2learn import files, games
from tb2learn.claims import (
    Agreement,
    Claim,
    ClaimFound,
    Figures,
    agreement,
    agreement_table,
    find_claim,
    method_name,
    verdict,
)
from tb2learn.config import Config, load_config
from tb2learn.data import read_rows
from tb2learn.events.criteria import Completed, PolicySum, evaluate
from tb2learn.events.policies import POLICIES
from tb2learn.events.unplayed import Kind as RoundKind
from tb2learn.events.unplayed import Record
from tb2learn.field import draw_field
from tb2learn.global_criteria import adjusted, random_criterion
from tb2learn.markdown import csv_table, interval_cells, table
from tb2learn.oracle import true_strength
from tb2learn.pairing import pair_round
from tb2learn.report import COLOURS, INK, MARKERS, blank_figure, dress, figure_png
from tb2learn.rng import Purpose, half_words, stream, unit_numbers
from tb2learn.simulate import progress_bar
from tb2learn.tiebreak_values import (
    ALL_CRITERIA,
    POPULATIONS,
    RANDOM,
    TRUE,
    Evaluation,
    event_sums,
    summarise,
)
from tb2learn.types import BYE, InputError, Key

# --------------------------------------------------------------------------- absences

RICCA_KIND = "100-9"
"""Ricca's kind of events that ours are compared with."""

CHANCES = ("no_show", "half_bye", "zero_bye", "retire")

LATE = 2
"""In this many last rounds nobody takes a half-point bye."""


@dataclass(frozen=True)
class Absences:
    """Who is absent when; all draws are independent.

    Ricca had his generator make forfeits, half-point byes, announced absences and retirements, but
    prints no rates: these are ours.

    **Fields:**

    - `no_show`: chance that a paired player does not appear. Both may fail to: then both lose.
    - `half_bye`: chance that a player has asked for a half-point bye in a round, not in the `LATE`
      last ones.
    - `zero_bye`: chance of an announced absence from a round, worth nothing.
    - `retire`: chance that a player leaves at some time: after any round but the last, all equally
      likely. The later rounds are worth nothing.
    - `bye_points`: match points of the bye of the odd player out: 2 a win (with all game points), 1
      a draw.
    """

    no_show: float = 0.02
    half_bye: float = 0.02
    zero_bye: float = 0.01
    retire: float = 0.05
    bye_points: int = 2

    def __post_init__(self) -> None:
        for name in CHANCES:
            rate = getattr(self, name)
            if not 0.0 <= rate <= 1.0:
                raise InputError(f"{name} must be a chance in 0..1, got {rate:g}")
        if self.bye_points not in (1, 2):
            raise InputError(f"bye_points must be 1 or 2, got {self.bye_points}")

    def limits(self) -> Int[np.ndarray, " chances"]:
        """The `CHANCES` as bounds of a `half_words` number, 0 .. 65536."""
        return np.array([round(getattr(self, name) * (1 << 16)) for name in CHANCES])

    def times(self, factor: float) -> Absences:
        """All chances so many times as high."""
        return replace(self, **{name: factor * getattr(self, name) for name in CHANCES})


@dataclass(frozen=True)
class Kind:
    """A kind of events.

    **Fields:**

    - `name`: of the kind.
    - `config`: format, field and games.
    - `absences`: who is absent when.
    - `ricca`: Ricca's name of the kind, empty if he has none.
    """

    name: str
    config: Config
    absences: Absences
    ricca: str = ""


def kinds() -> tuple[Kind, ...]:
    """What the study plays: Ricca's smaller kind at two rates of absence, and a team event."""
    individual = load_config("individual-100x9")
    small = load_config("team-60x7")
    team = replace(small, name="team-60x9", event=replace(small.event, rounds=9))
    often = Absences().times(3)
    return (
        Kind("individual-100x9", individual, Absences(), RICCA_KIND),
        Kind("individual-100x9-often", individual, often, RICCA_KIND),
        Kind("team-60x9", team, replace(Absences(), bye_points=1)),
    )


@partial(jax.jit, static_argnames="config")
def draw_event(
    key: Key, limits: Int[np.ndarray, " chances"] | Int[Array, " chances"], config: Config
) -> dict[str, Array]:
    """All random numbers of an event, drawn before its first round.

    The first half of the key is used as `olympiad.play` uses its key.

    **Arguments:**

    - `key`: consumed.
    - `limits`: `Absences.limits` of the kind.
    - `config`: of the kind.

    **Returns:** `rosters` `[teams, boards]`; `numbers` `[rounds, teams]`, of which the higher
    seed's picks a result from `at_most` `[thresholds, teams, teams]`; `planned` `[rounds, teams]`,
    a `unplayed.Kind`: `PLAYED` for those to be paired; `no_show` `[rounds, teams]`; `strength`
    `[teams]` of the true order; `lots` `[2, teams]`.
    """
    teams, rounds = config.event.teams, config.event.rounds
    play_key, other_key = jax.random.split(key)
    field_key, rounds_key = jax.random.split(play_key)
    lots_key, absence_key = jax.random.split(other_key)
    rosters = draw_field(field_key, config)
    words = half_words(absence_key, (3 * rounds + 2) * teams).reshape(-1, teams)
    happens, word = words[: 3 * rounds].reshape(3, rounds, teams), words[3 * rounds :]
    number = jnp.arange(rounds)[:, None]

    no_show, half_bye, zero_bye, retire = limits
    leaves_before = 1 + (word[1] * (rounds - 1) >> 16)
    planned = jnp.full((rounds, teams), RoundKind.PLAYED)
    asks = (happens[1] < half_bye) & (number < rounds - LATE)
    planned = jnp.where(asks, RoundKind.HALF_BYE, planned)
    planned = jnp.where(happens[2] < zero_bye, RoundKind.ZERO_BYE, planned)
    left = (word[0] < retire) & (number >= leaves_before)
    return {
        "rosters": rosters,
        "numbers": jax.vmap(partial(unit_numbers, count=teams))(
            jax.random.split(rounds_key, rounds)
        ),
        "at_most": games.all_play_all(rosters, config.game),
        "planned": jnp.where(left, RoundKind.NOT_PAIRED, planned),
        "no_show": happens[0] < no_show,
        "strength": true_strength(rosters, config.game),
        "lots": jax.vmap(partial(random_criterion, players=teams))(jax.random.split(lots_key)),
    }


_pair_round = jax.jit(pair_round)


def pair_present(
    match_points: Int[np.ndarray, " teams"],
    half_points: Int[np.ndarray, " teams"],
    met: Bool[np.ndarray, "teams teams"],
    had_bye: Bool[np.ndarray, " teams"],
    present: Bool[np.ndarray, " teams"],
) -> Int[np.ndarray, " teams"]:
    """Pair those present by `pairing.pair_round`, as if there were nobody else.

    If all of them have had a bye, any of them may have another.

    **Arguments:** as of `pair_round`, and `present`: who is to be paired.

    **Returns:** opponents; `BYE` for who has the bye, or is absent.
    """
    opponents = np.full(len(present), BYE)
    here = np.flatnonzero(present)
    if len(here):
        rested = had_bye[here] & ~had_bye[here].all()
        found = np.asarray(
            _pair_round(
                match_points[here], half_points[here], met[np.ix_(here, here)], rested
            ).opponents
        )
        opponents[here] = np.where(found == BYE, BYE, here[found])
    return opponents


def play_event(drawn: dict[str, np.ndarray], absences: Absences) -> Record:
    """Play an event round by round.

    Who wins by default, or has the bye, does not get the bye later; who did not play each other may
    be paired again.

    **Arguments:**

    - `drawn`: what `draw_event` drew, as numpy arrays.
    - `absences`: says what the bye pays.
    """
    rounds, teams = drawn["planned"].shape
    boards = drawn["rosters"].shape[1]
    full, bye_pays = 2 * boards, absences.bye_points * boards
    opponent, kind, scored, gained = np.zeros((4, rounds, teams), int)
    met, had_bye = np.zeros((teams, teams), bool), np.zeros(teams, bool)
    team = np.arange(teams)
    for now in range(rounds):
        present = drawn["planned"][now] == RoundKind.PLAYED
        opponent[now] = pair_present(
            gained[:now].sum(axis=0), scored[:now].sum(axis=0), met, had_bye, present
        )
        paired = opponent[now] != BYE
        other = np.where(paired, opponent[now], team)
        comes, other_comes = ~drawn["no_show"][now], ~drawn["no_show"][now][other]
        kind[now] = np.select(
            [~present, ~paired, comes & other_comes, comes],
            [
                drawn["planned"][now],
                RoundKind.PAIRING_BYE,
                RoundKind.PLAYED,
                RoundKind.WON_BY_DEFAULT,
            ],
            RoundKind.LOST_BY_DEFAULT,
        )
        played = kind[now] == RoundKind.PLAYED
        higher, lower = np.minimum(team, other), np.maximum(team, other)
        points = (drawn["numbers"][now][higher] >= drawn["at_most"][:, higher, lower]).sum(axis=0)
        scored[now] = np.select(
            [
                played,
                kind[now] == RoundKind.WON_BY_DEFAULT,
                kind[now] == RoundKind.PAIRING_BYE,
                kind[now] == RoundKind.HALF_BYE,
            ],
            [np.where(team == higher, points, full - points), full, bye_pays, boards],
            0,
        )
        gained[now] = np.sign(scored[now] - boards) + 1
        met[team[played], other[played]] = True
        had_bye |= np.isin(kind[now], (RoundKind.PAIRING_BYE, RoundKind.WON_BY_DEFAULT))
    return Record(
        rounds,
        boards,
        True,
        kind.T,
        opponent.T,
        gained.T,
        scored.T,
        drawn["rosters"].mean(axis=1),
    )


# --------------------------------------------------------------------------- evaluation

_CUTS = {"": (0, 0), "-cut1": (1, 0), "-median1": (1, 1)}

SUMS = {
    name + cut: PolicySum(name + cut, name + cut, "m", own, low, high)
    for name, own in (("opponents", ""), ("emgsb", "g"))
    for cut, (low, high) in _CUTS.items()
}
"""What is summed: opponents' match points (Buchholz), or these times the own game points
(Sonneborn-Berger)."""


def tiebreak(policy: str, sum_name: str) -> str:
    """The name of a sum under a policy."""
    return method_name(policy, sum_name)


def is_defined(policy: str, sum_name: str) -> bool:
    """Whether a policy has such a sum."""
    return sum_name == "opponents" or not POLICIES[policy].opponents_only


TIEBREAKS = (
    *(tiebreak(p, s) for p in POLICIES for s in SUMS if is_defined(p, s)),
    RANDOM,
)
"""What is judged: every sum that a policy has, and a draw of lots."""


def tiebreak_scores(record: Record) -> Float[np.ndarray, "tiebreaks teams"]:
    """The scores of all `TIEBREAKS` but lots."""
    scores = []
    for name, policy in POLICIES.items():
        event = Completed(record, policy, policy.complete(record))
        scores.append(evaluate(event, [SUMS[s] for s in SUMS if is_defined(name, s)]))
    return np.concatenate(scores)


def event_of(kind: Kind, seed: int, number: int) -> tuple[dict[str, np.ndarray], Record]:
    """Event `number` of the assessment stream: what was drawn, and what happened."""
    key = jax.random.fold_in(stream(seed, Purpose.ASSESS), number)
    drawn = draw_event(key, kind.absences.limits(), kind.config)
    drawn = {name: np.asarray(part) for name, part in drawn.items()}
    return drawn, play_event(drawn, kind.absences)


def sums_of(drawn: dict[str, np.ndarray], record: Record, config: Config) -> dict[str, np.ndarray]:
    """The evaluation of an event: what `event_sums` returns, and `shares` of `RoundKind`."""
    values = np.concatenate([tiebreak_scores(record), drawn["lots"][1:].astype(float)])
    boards = record.boards
    measured = {
        "opponents": np.where(record.played, record.opponent, BYE).T,
        "half_points": record.scored.T,
        "ratings": (2 * drawn["rosters"].sum(axis=1) + boards) // (2 * boards),
        "strength": drawn["strength"],
        "lots": drawn["lots"][0],
        "ranks": -adjusted(record.match_points, values),
    }
    shares = np.bincount(record.kind.ravel(), minlength=len(RoundKind))
    return event_sums(measured, config) | {"shares": shares}


@dataclass(frozen=True)
class Studied:
    """A kind of events, judged.

    **Fields:**

    - `kind`: what was played.
    - `evaluation`: of all `TIEBREAKS`.
    - `shares`: of all rounds of all players, by `unplayed.Kind`, 0..1.
    """

    kind: Kind
    evaluation: Evaluation
    shares: Float[np.ndarray, " kinds"]

    def value(self, population: str, policy: str, sum_name: str, criterion: str) -> float:
        """One value, places."""
        return self.evaluation.value(population, tiebreak(policy, sum_name), criterion)

    def ci(
        self, population: str, policy: str, sum_name: str, criterion: str
    ) -> tuple[float, float]:
        """Its 95 % interval."""
        return self.evaluation.ci(population, tiebreak(policy, sum_name), criterion)


def study_kind(kind: Kind, events: int, seed: int, label: str | None = None) -> Studied:
    """Judge every policy and sum in events of one kind.

    **Arguments:**

    - `kind`: what to play.
    - `events`, `seed`: how many events of which stream; the seed is also that of the bootstrap.
    - `label`: shows a progress bar with this label.

    **Raises:** `InputError` without any event.
    """
    if events < 1:
        raise InputError(f"events must be at least 1, got {events}")
    found = []
    with progress_bar(events, label, "event") as bar:
        for number in range(events):
            found.append(sums_of(*event_of(kind, seed, number), kind.config))
            bar.update()
    sums = {name: np.stack([one[name] for one in found]) for name in found[0]}
    evaluation = summarise(kind.name, kind.config, TIEBREAKS, sums, seed)
    shares = sums["shares"].sum(axis=0)
    return Studied(kind, evaluation, shares / shares.sum())


# --------------------------------------------------------------------------- his figures

RICCA_SUMS = {
    "BH": "opponents",
    "BHC1": "opponents-cut1",
    "BHM1": "opponents-median1",
    "SB": "emgsb",
}
"""Ricca's names of sums."""

RICCA_METHODS = {
    "StdVOpp": "virtual-opponent",
    "AdjVOpp": "adjusted-virtual-opponent",
    "DrawSelf": "drawself",
    "IgnoreUG": "ignore",
    "FairBAvg": "fair-board-average",
    "FairTied": "fair-tied",
    "FairAvg": "fair-average",
    "FairDraw": "fair-draw",
    "FairZero": "fair-zero",
    "FaceVal": "face-value",
}
"""Ricca's names of methods."""

RICCA_CRITERIA = ("ABSELO", "MISPTS")
"""His criteria."""


def ricca_unplayed() -> Figures:
    """His values: by kind, population, our name of method and sum, and criterion."""
    return {
        (
            row["kind"],
            row["population"],
            method_name(RICCA_METHODS[row["method"]], RICCA_SUMS[row["tie_break"]]),
            criterion,
        ): float(row[criterion])
        for row in read_rows("ricca", "unplayed.csv")
        for criterion in (*RICCA_CRITERIA, RANDOM)
        if row[criterion]
    }


# --------------------------------------------------------------------------- the comparison

SHOWN = (*RICCA_CRITERIA, TRUE)
"""The criteria that the report shows; all others are in the JSON file."""


def agreements(studied: Studied) -> tuple[Agreement, ...]:
    """His and our order of his methods; nothing for a kind that he does not have."""
    if not studied.kind.ricca:
        return ()
    his = ricca_unplayed()
    (other,) = {kind for kind, *_ in his} - {studied.kind.ricca}

    def column(kind: str, population: str, sum_name: str, criterion: str) -> dict[str, float]:
        return {
            method: his[kind, population, method_name(method, sum_name), criterion]
            for method in RICCA_METHODS.values()
        }

    return tuple(
        agreement(
            studied.evaluation,
            (studied.kind.name, population, criterion, sum_name),
            column(studied.kind.ricca, population, sum_name, criterion),
            column(other, population, sum_name, criterion),
        )
        for population in POPULATIONS
        for criterion in RICCA_CRITERIA
        for sum_name in RICCA_SUMS.values()
    )


def _claim(
    text: str,
    methods: tuple[str, ...],
    sums: tuple[str, ...],
    worst: bool = False,
    populations: tuple[str, ...] = tuple(POPULATIONS),
    criteria: tuple[str, ...] = RICCA_CRITERIA,
) -> Claim:
    """That some of his methods are the best, or the worst, of his ten."""
    others = tuple(other for other in RICCA_METHODS.values() if other not in methods)
    return Claim(text, methods, others, criteria, populations, worst, sums)


_BUCHHOLZ = ("opponents", "opponents-cut1", "opponents-median1")
_BOTH = ("drawself", "virtual-opponent")

CLAIMS = (
    _claim("FaceVal is the worst for every form of Buchholz", ("face-value",), _BUCHHOLZ, True),
    _claim("FairZero is the worst for Sonneborn-Berger", ("fair-zero",), ("emgsb",), True),
    _claim("DrawSelf and StdVOpp are the best for every form of Buchholz", _BOTH, _BUCHHOLZ),
    _claim("DrawSelf and StdVOpp are the best for Sonneborn-Berger", _BOTH, ("emgsb",)),
    _claim(
        "IgnoreUG is the best for Sonneborn-Berger by MISPTS among all players",
        ("ignore",),
        ("emgsb",),
        populations=("all",),
        criteria=("MISPTS",),
    ),
)
"""What he concludes of his ten methods."""


def held(claim: Claim, studies: Sequence[Studied]) -> ClaimFound:
    """How a claim fares: in the columns of his two kinds, and in each of ours."""
    his = ricca_unplayed()
    kinds = list(dict.fromkeys(kind for kind, *_ in his))
    return find_claim(claim, his, kinds, [[studied.evaluation] for studied in studies], TRUE)


def ends_of(studied: Studied, sum_name: str, criterion: str) -> dict[str, Any]:
    """The best and the worst policy among all players, and those not told from the best."""
    policies = [policy for policy in POLICIES if is_defined(policy, sum_name)]
    best, *others = sorted(
        policies, key=lambda policy: studied.value("all", policy, sum_name, criterion)
    )
    first = tiebreak(best, sum_name)
    level = [
        policy
        for policy in others
        if verdict(studied.evaluation, "all", first, tiebreak(policy, sum_name), criterion) < 1
    ]
    return {
        "criterion": criterion,
        "sum": sum_name,
        "best": best,
        "level": level,
        "worst": others[-1],
    }


# --------------------------------------------------------------------------- figures

PARTS = ("value", "low", "high", "ricca")


def cell_of(
    kind: Mapping[str, Any], population: str, policy: str, sum_name: str, criterion: str
) -> tuple[Any, ...]:
    """The `PARTS` of one cell of a kind's arrays."""
    p, m = list(POPULATIONS).index(population), list(POLICIES).index(policy)
    s, c = list(SUMS).index(sum_name), ALL_CRITERIA.index(criterion)
    return tuple(kind[part][p][m][s][c] for part in PARTS)


def methods_figure(content: Mapping[str, Any], population: str) -> Figure:
    """Values with 95 % intervals, a row of panels a kind, a panel a sum; his are hollow."""
    kinds, sums = content["kinds"], list(RICCA_SUMS.values())
    policies = list(POLICIES)[::-1]
    figure = blank_figure(14.0, 4.1 * len(kinds) + 0.7)
    grid = figure.subplots(len(kinds), len(sums), sharey=True, squeeze=False)
    for panels, kind in zip(grid, kinds, strict=True):
        for panel, name in zip(panels, sums, strict=True):
            _draw_methods(panel, kind, population, policies, name)
            title = f"{kind['kind']}\n{name}" if name == sums[0] else name
            dress(panel, title, "places", "")
            panel.set_title(panel.get_title(loc="left"), loc="left", fontsize=9.5, color=INK)
        panels[0].set_yticks(range(len(policies)), policies, parse_math=False)
        panels[0].tick_params(labelsize=8)
    marks = [
        Line2D([], [], linestyle="", marker="o", color=COLOURS[c], label=criterion)
        for c, criterion in enumerate(SHOWN)
    ]
    hollow = {"marker": "D", "color": INK, "fillstyle": "none"}
    marks.append(Line2D([], [], linestyle="", label="Ricca's figure", **hollow))
    figure.legend(
        handles=marks, loc="outside lower center", ncols=len(marks), frameon=False, fontsize=9.5
    )
    figure.suptitle(
        f"How far from the criterion's order inside score groups: {POPULATIONS[population]}",
        fontsize=11,
        color=INK,
    )
    return figure


def _draw_methods(
    panel: Axes, kind: Mapping[str, Any], population: str, policies: Sequence[str], name: str
) -> None:
    """A row a policy, in it a point with interval a criterion."""
    shift = np.linspace(0.24, -0.24, len(SHOWN))
    for row, policy in enumerate(policies):
        if not is_defined(policy, name):
            panel.text(0.02, row, "-", va="center", transform=panel.get_yaxis_transform())
            continue
        for c, criterion in enumerate(SHOWN):
            value, low, high, theirs = cell_of(kind, population, policy, name, criterion)
            height, colour = row + shift[c], COLOURS[c]
            panel.hlines(height, low, high, color=colour, linewidth=2)
            panel.plot(value, height, "o", color=colour, markersize=4)
            if theirs is not None:
                panel.plot(theirs, height, "D", color=colour, fillstyle="none", markersize=4.5)


def heat_figure(content: Mapping[str, Any]) -> Figure:
    """Policies by sums under the true order, a panel a kind and population; shares of lots."""
    kinds = content["kinds"]
    figure = blank_figure(13.5, 5.0 * len(POPULATIONS) + 0.6)
    grid = figure.subplots(len(POPULATIONS), len(kinds), sharey=True, squeeze=False)
    for panels, population in zip(grid, POPULATIONS, strict=True):
        for panel, kind in zip(panels, kinds, strict=True):
            _draw_shares(panel, kind, population)
            dress(panel, f"{kind['kind']}\n{POPULATIONS[population]}", "", "", grid=False)
            panel.set_title(panel.get_title(loc="left"), loc="left", fontsize=9.5, color=INK)
            panel.tick_params(labelsize=8)
    figure.suptitle(
        "Values by the true order as shares of a draw of lots (0: the true order itself, 1: no "
        "better than lots)",
        fontsize=11,
        color=INK,
    )
    return figure


def _draw_shares(panel: Axes, kind: Mapping[str, Any], population: str) -> None:
    """The heat map of one kind and population, with the numbers in it."""
    lots = kind["lots"][list(POPULATIONS).index(population)][ALL_CRITERIA.index(TRUE)]
    shares = np.array(
        [
            [
                cell_of(kind, population, p, s, TRUE)[0] / lots if is_defined(p, s) else np.nan
                for s in SUMS
            ]
            for p in POLICIES
        ]
    )
    norm = Normalize(0.5, 1.0)
    panel.imshow(shares, cmap="cividis", norm=norm, aspect="auto")
    for (row, column), share in np.ndenumerate(shares):
        known = np.isfinite(share)
        ink = "white" if known and norm(share) < 0.5 else INK
        text = f"{share:.2f}" if known else "-"
        panel.text(column, row, text, ha="center", va="center", color=ink, fontsize=7.5)
    panel.set_xticks(range(len(SUMS)), list(SUMS), rotation=35, ha="right")
    panel.set_yticks(range(len(POLICIES)), list(POLICIES))


def beside_figure(content: Mapping[str, Any]) -> Figure:
    """His value across, ours up: a panel a kind that he has and a criterion."""
    shown = [(kind, c) for kind in content["kinds"] if kind["agreement"] for c in RICCA_CRITERIA]
    figure = blank_figure(3.5 * len(shown) + 0.4, 2 * 3.5 + 0.8)
    grid = figure.subplots(len(POPULATIONS), len(shown), squeeze=False)
    for panels, population in zip(grid, POPULATIONS, strict=True):
        for panel, (kind, criterion) in zip(panels, shown, strict=True):
            for number, name in enumerate(RICCA_SUMS.values()):
                colour, marker = COLOURS[number], MARKERS[number]
                for policy in RICCA_METHODS.values():
                    value, low, high, theirs = cell_of(kind, population, policy, name, criterion)
                    panel.vlines(theirs, low, high, color=colour, linewidth=1.2)
                    panel.plot(theirs, value, marker, color=colour, markersize=4.5)
            ends = np.array([*panel.get_xlim(), *panel.get_ylim()])
            panel.plot([ends.min(), ends.max()], [ends.min(), ends.max()], ":", color=INK, lw=0.8)
            dress(panel, "", "Ricca, places", "")
            title = f"{kind['kind']}\n{criterion}, {population}"
            panel.set_title(title, loc="left", fontsize=8.5, color=INK)
        panels[0].set_ylabel("ours, places", fontsize=9.5, color=INK)
    marks = [
        Line2D([], [], linestyle="", marker=MARKERS[n], color=COLOURS[n], label=name)
        for n, name in enumerate(RICCA_SUMS.values())
    ]
    figure.legend(
        handles=marks, loc="outside lower center", ncols=len(marks), frameon=False, fontsize=9.5
    )
    return figure


# --------------------------------------------------------------------------- the report


def study_unplayed(out: Path, events: int, seed: int) -> Path:
    """Play, judge and compare; write the report.

    **Arguments:**

    - `out`: folder of `README.md`, the figures, `unplayed.json` and `values.csv`.
    - `events`: of each kind.
    - `seed`: of everything.

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
    figures = {f"methods-{p}": methods_figure(content, p) for p in POPULATIONS}
    figures |= {"heat": heat_figure(content), "beside": beside_figure(content)}
    for name, figure in figures.items():
        files.write_bytes(out / f"{name}.png", figure_png(figure))
    files.write_text(out / "values.csv", values_csv(content))
    files.write_text(out / "README.md", as_text(content))
    return out / "README.md"


# --------------------------------------------------------------------------- JSON


def as_json(studies: Sequence[Studied], events: int, seed: int) -> dict[str, Any]:
    """Everything that was computed, with his figures beside ours."""
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
    """One kind: arrays by population, policy, sum and criterion; null where there is nothing."""
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
    """All values as CSV: a row a kind, population, policy, sum and criterion."""
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

    - `content`: what `as_json` gives.
    """
    lines = [
        "# What an unplayed game should count for: methods compared by simulation",
        "",
        f"![Methods, {POPULATIONS['all']}](methods-all.png)",
        "",
        *_summary(content),
        "",
        "A value is the root mean square difference between the places by points and tie-break and "
        "the places by points and criterion, ties sharing the middle place: 0 is the criterion's "
        f"own order, lower is better. *{TRUE}* is the expected result of all against all, which "
        "only a simulation knows; the other criteria are made of the results alone. A `-` stands "
        "where a policy does not define a sum.",
        "",
        f"{content['events']:,} events of each kind, seed {content['seed']}; intervals are 95 % "
        "bootstrap intervals over events. Made by `tb2learn study unplayed`. All values with their "
        "intervals: [values.csv](values.csv); everything: [unplayed.json](unplayed.json). His "
        "figures are those of R. Ricca's paper on unplayed games (FIDE Technical Commission, "
        "2017), means over 10,000 events of each kind (`tb2learn/data/ricca/unplayed.csv`).",
        "",
    ]
    sections: tuple[tuple[str, Callable[[Mapping[str, Any]], list[str]]], ...] = (
        ("The best and the worst by the true order", _ends_text),
        ("What he concludes", _claims_text),
        ("Where his order of the methods is ours", _agreement_text),
        ("The events", _events_text),
    )
    for title, section in sections:
        lines += [f"## {title}", "", *section(content), ""]
    return "\n".join(lines)


def _summary(content: Mapping[str, Any]) -> list[str]:
    """What to take from it."""
    kinds = content["kinds"]
    compared = [one for kind in kinds for one in kind["agreement"]]
    taus, levels = ([one[field] for one in compared] for field in ("tau", "level"))
    times = len(kinds) * len(SHOWN)
    lines = [
        f"Among all {len(content['policies'])} policies and all players, by {len(kinds)} kinds of "
        f"events and {len(SHOWN)} criteria (in brackets: how often of {times}):",
        "",
    ]
    for name in RICCA_SUMS.values():
        some = [one for kind in kinds for one in kind["ends"] if one["sum"] == name]
        best, worst = (_counted(one[end] for one in some) for end in ("best", "worst"))
        lines.append(f"* `{name}`: the best is {best}; the worst {worst}.")
    lines += ["", "Ricca's conclusions about his ten methods, held against our intervals:", ""]
    lines += [f"* *{found['claim']['text']}* {_fares(found)}" for found in content["claims"]]
    lines.append(
        f"* Kendall's tau of his columns of ten methods and ours is {min(taus):.2f} to "
        f"{max(taus):.2f}, median {np.median(taus):.2f}; our values are {min(levels):.2f} to "
        f"{max(levels):.2f} times his, by column."
    )
    return lines


def _counted(names: Iterable[str]) -> str:
    return ", ".join(f"{name} ({number})" for name, number in Counter(names).most_common())


def _fares(found: Mapping[str, Any]) -> str:
    """How a claim fares here, in words."""
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
    header = ("kind", "sum", "best", "value", "from", "to", "not told from it", "worst")
    return [
        "Among all players. *Not told from it*: the interval of the difference from the best holds "
        "zero; a number where they are more than four.",
        "",
        *table((*header, "value", "from", "to"), rows),
        "",
        "All sums, as shares of a draw of lots:",
        "",
        "![Shares of a draw of lots](heat.png)",
        "",
        "All criteria with intervals among the top scorers:",
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
        "Of his ten methods. Columns are populations, sums and criteria (ABSELO and MISPTS, and "
        f"apart from them {TRUE}). *Shown*: the intervals show all comparisons of the claim; "
        "*open*: they show the opposite of none; *opposite*: of some. Of his own kinds the columns "
        "count in which his figures say so, and those in which they do not.",
        "",
        *table((*header, f"{TRUE}: shown", "open", "opposite"), rows),
    ]


def _agreement_text(content: Mapping[str, Any]) -> list[str]:
    return [
        "His ten methods, 45 pairs of them in each column: four sums under two criteria. *Same*: "
        "pairs in the same order here, by the interval; *open*: our events cannot tell; "
        "*opposite*: the interval says the opposite. *Tau*: Kendall's, of his column (100 players, "
        "9 rounds) and ours. *Level*: ours over his.",
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
        "Events are played with their absences, by the pairing and the law of results of "
        "all other simulations: whoever is absent is not paired. Every player, in every round, "
        "asks for a half-point bye (not in the last two rounds), announces an absence worth "
        "nothing or, once paired, does not appear, each with the chance shown; and leaves the "
        "event for good with the last chance, after any round but the last. If both of a pair fail "
        "to appear both lose. A bye, or a win by default, rules out a later bye; pairs that did "
        "not play may be paired again. All draws are independent, of strength and points too. "
        "Ricca's generator makes the same kinds of absences, but he prints no rates: ours are our "
        "own choice, and three times as high in the kind called *often*.",
        "",
        *table(("kind", "teams", "rounds", "boards", *CHANCES, "pairing bye"), made),
        "",
        "What became of all rounds of all players:",
        "",
        *table(("kind", *content["kinds"][0]["shares"]), happened),
        "",
        "Other differences to his events: he pairs by FIDE's Dutch system, with colours, and "
        "draws results by the generator's own law. In team events a match counts as one game.",
    ]
