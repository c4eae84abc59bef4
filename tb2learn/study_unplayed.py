"""Methods for unplayed rounds compared in simulated events with absences, after R. Ricca.

An event with absences has to be played as such, as an absence changes who meets whom. So it is
played here round by round among those present, by the simulator's own pairing, law of results and
keys: without absences it is the simulator's event. Then every policy of `events/policies.py`
completes the record, and every sum over opponents is judged by the evaluation of
`tiebreak_values.py`. His figures (`data/ricca/unplayed.csv`) stand beside ours; nothing is fitted
to them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from scipy import stats

from tb2learn import files, games
from tb2learn.config import Config, load_config
from tb2learn.data import load_table
from tb2learn.events.criteria import Completed, PolicySum, evaluate
from tb2learn.events.policies import POLICIES
from tb2learn.events.unplayed import Kind as RoundKind
from tb2learn.events.unplayed import Record
from tb2learn.field import draw_field
from tb2learn.global_criteria import adjusted, random_criterion
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

_CUTS = {"": (0, 0), "-cut1": (1, 0), "-median1": (1, 1)}

SUMS = {
    name + cut: PolicySum(name + cut, name + cut, "m", own, low, high)
    for name, own in (("opponents", ""), ("emgsb", "g"))
    for cut, (low, high) in _CUTS.items()
}
"""What is summed: opponents' match points (Buchholz), or these times the own game points
(Sonneborn-Berger)."""

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

RICCA_KIND = "100-9"
RICCA_CRITERIA = ("ABSELO", "MISPTS")
SHOWN = (*RICCA_CRITERIA, TRUE)
"""The criteria that the report shows; all others are in the JSON file."""

CHANCES = ("no_show", "half_bye", "zero_bye", "retire")

LATE = 2
"""So many last rounds have no half-point byes."""


# --------------------------------------------------------------------------- one event


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
    """All that chance has to say in an event, drawn before its first round.

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


# --------------------------------------------------------------------------- many events


def tiebreak(policy: str, sum_name: str) -> str:
    """The name of a sum under a policy."""
    return f"{policy} {sum_name}"


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

    def verdict(
        self, population: str, better: str, worse: str, sum_name: str, criterion: str
    ) -> int:
        """1 if the interval of the difference says so, -1 if it says the opposite, else 0."""
        names = tiebreak(better, sum_name), tiebreak(worse, sum_name)
        _, low, high = self.evaluation.difference(population, *names, criterion)
        return int(high < 0) - int(low > 0)


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


def ricca_unplayed() -> dict[tuple[str, str, str, str, str], float]:
    """His values: by kind, population, our names of method and sum, and criterion."""
    table = load_table("ricca", "unplayed.csv").set_index(
        ["kind", "population", "method", "tie_break"]
    )
    values = table[[*RICCA_CRITERIA, RANDOM]].stack().dropna()
    return {
        (kind, population, RICCA_METHODS[method], RICCA_SUMS[tie_break], criterion): float(value)
        for (kind, population, method, tie_break, criterion), value in values.items()
    }


@dataclass(frozen=True)
class Agreement:
    """His order of his ten methods and ours, for one sum under one criterion.

    **Fields:**

    - `kind`, `population`, `criterion`, `sum`: where.
    - `tau`, `rho`: Kendall's tau and Spearman's rho of the two columns.
    - `his_tau`: Kendall's tau of his column and that of his other kind.
    - `same`, `open`, `opposite`: pairs of methods that are in his order with our whole interval of
      their difference, that our events cannot tell apart, and that are the other way round.
    - `level`: our values over his, geometric mean.
    - `reversed`: the opposite pairs: better with him, better with us.
    """

    kind: str
    population: str
    criterion: str
    sum: str
    tau: float
    rho: float
    his_tau: float
    same: int
    open: int
    opposite: int
    level: float
    reversed: tuple[tuple[str, str], ...]


def agreements(studied: Studied) -> tuple[Agreement, ...]:
    """His and our order of his methods; nothing for a kind that he does not have."""
    if not studied.kind.ricca:
        return ()
    his = ricca_unplayed()
    (other,) = {kind for kind, *_ in his} - {studied.kind.ricca}
    found = []
    for population in POPULATIONS:
        for criterion in RICCA_CRITERIA:
            for name in RICCA_SUMS.values():
                where = population, criterion, name
                theirs, elsewhere = (
                    {m: his[kind, population, m, name, criterion] for m in RICCA_METHODS.values()}
                    for kind in (studied.kind.ricca, other)
                )
                ours = {m: studied.value(population, m, name, criterion) for m in theirs}
                verdicts = {
                    (a, b): studied.verdict(population, a, b, name, criterion)
                    for a in theirs
                    for b in theirs
                    if theirs[a] < theirs[b]
                }
                counts = list(verdicts.values())
                columns = list(theirs.values()), list(ours.values())
                found.append(
                    Agreement(
                        studied.kind.name,
                        *where,
                        tau=float(stats.kendalltau(*columns)[0]),
                        rho=float(stats.spearmanr(*columns)[0]),
                        his_tau=float(stats.kendalltau(columns[0], list(elsewhere.values()))[0]),
                        same=counts.count(1),
                        open=counts.count(0),
                        opposite=counts.count(-1),
                        level=float(np.exp(np.mean(np.log(np.divide(columns[1], columns[0]))))),
                        reversed=tuple(pair for pair, verdict in verdicts.items() if verdict < 0),
                    )
                )
    return tuple(found)


@dataclass(frozen=True)
class Claim:
    """That some of his methods are the best, or the worst, of his ten.

    **Fields:**

    - `text`: in our words.
    - `methods`: which; all others are worse, or better, than each of them.
    - `worst`: whether they are the worst.
    - `sums`, `populations`, `criteria`: where he says so.
    """

    text: str
    methods: tuple[str, ...]
    worst: bool
    sums: tuple[str, ...]
    populations: tuple[str, ...] = tuple(POPULATIONS)
    criteria: tuple[str, ...] = RICCA_CRITERIA

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The comparisons that it makes: better, worse."""
        for method in self.methods:
            for other in RICCA_METHODS.values():
                if other not in self.methods:
                    yield (other, method) if self.worst else (method, other)


_BUCHHOLZ = ("opponents", "opponents-cut1", "opponents-median1")
CLAIMS = (
    Claim("FaceVal is the worst for every form of Buchholz", ("face-value",), True, _BUCHHOLZ),
    Claim("FairZero is the worst for Sonneborn-Berger", ("fair-zero",), True, ("emgsb",)),
    Claim(
        "DrawSelf and StdVOpp are the best for every form of Buchholz",
        ("drawself", "virtual-opponent"),
        False,
        _BUCHHOLZ,
    ),
    Claim(
        "DrawSelf and StdVOpp are the best for Sonneborn-Berger",
        ("drawself", "virtual-opponent"),
        False,
        ("emgsb",),
    ),
    Claim(
        "IgnoreUG is the best for Sonneborn-Berger by MISPTS among all players",
        ("ignore",),
        False,
        ("emgsb",),
        ("all",),
        ("MISPTS",),
    ),
)


@dataclass(frozen=True)
class ClaimFound:
    """How a claim fares, in columns: a population, a sum and a criterion.

    **Fields:**

    - `his`: columns of his two kinds in which his figures say so, and all.
    - `ours`: for every kind of ours the columns in which the intervals show every comparison of the
      claim, in which they show the opposite of none, and in which they do of some.
    - `true`: the same, under the criterion that he could not have.
    """

    claim: Claim
    his: tuple[int, int]
    ours: tuple[tuple[int, int, int], ...]
    true: tuple[tuple[int, int, int], ...]


def find_claim(claim: Claim, studies: Sequence[Studied]) -> ClaimFound:
    """Hold a claim against his figures and ours."""
    his = ricca_unplayed()
    columns = [(p, s, c) for p in claim.populations for s in claim.sums for c in claim.criteria]
    printed = [
        all(
            his[kind, population, better, name, criterion]
            < his[kind, population, worse, name, criterion]
            for better, worse in claim.pairs()
        )
        for kind in dict.fromkeys(kind for kind, *_ in his)
        for population, name, criterion in columns
    ]

    def verdicts(studied: Studied, columns: Sequence[tuple[str, str, str]]) -> tuple[int, int, int]:
        found = [
            min(
                studied.verdict(population, better, worse, name, criterion)
                for better, worse in claim.pairs()
            )
            for population, name, criterion in columns
        ]
        return found.count(1), found.count(0), found.count(-1)

    true = [(p, s, TRUE) for p in claim.populations for s in claim.sums]
    return ClaimFound(
        claim,
        (sum(printed), len(printed)),
        tuple(verdicts(studied, columns) for studied in studies),
        tuple(verdicts(studied, true) for studied in studies),
    )


# --------------------------------------------------------------------------- the report


def study_unplayed(out: Path, events: int, seed: int) -> Path:
    """Play, judge and compare; write the report.

    **Arguments:**

    - `out`: folder of `README.md`, `values.md`, the figures and `unplayed.json`.
    - `events`: of each kind.
    - `seed`: of everything.

    **Returns:** the path of the report.
    """
    files.check_folder(out)
    studies = [study_kind(kind, events, seed, label=kind.name) for kind in kinds()]
    for population in POPULATIONS:
        figure = methods_figure(studies, population)
        files.write_bytes(out / f"methods-{population}.png", figure_png(figure))
    files.write_bytes(out / "heat.png", figure_png(heat_figure(studies)))
    files.write_bytes(out / "beside.png", figure_png(beside_figure(studies)))
    files.write_text(out / "unplayed.json", json.dumps(as_json(studies, events, seed)) + "\n")
    files.write_text(out / "values.md", values_as_text(studies))
    files.write_text(out / "README.md", as_text(studies, events, seed))
    return out / "README.md"


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
        "claims": [asdict(find_claim(claim, studies)) for claim in CLAIMS],
    }


def _kind_json(studied: Studied) -> dict[str, Any]:
    """One kind: arrays by population, policy, sum and criterion; null where there is nothing."""
    his, e = ricca_unplayed(), studied.evaluation

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
        "ricca": by_name(lambda *at: his.get((studied.kind.ricca, *at))),
        "agreement": [asdict(agreement) for agreement in agreements(studied)],
    }


# --------------------------------------------------------------------------- figures


def methods_figure(studies: Sequence[Studied], population: str) -> Figure:
    """Values with 95 % intervals, a row of panels a kind, a panel a sum; his are hollow."""
    his, sums = ricca_unplayed(), list(RICCA_SUMS.values())
    policies = list(POLICIES)[::-1]
    figure = blank_figure(14.0, 4.1 * len(studies) + 0.7)
    grid = figure.subplots(len(studies), len(sums), sharey=True, squeeze=False)
    shift = np.linspace(0.24, -0.24, len(SHOWN))
    for panels, studied in zip(grid, studies, strict=True):
        for panel, name in zip(panels, sums, strict=True):
            for row, policy in enumerate(policies):
                if not is_defined(policy, name):
                    panel.text(0.02, row, "-", va="center", transform=panel.get_yaxis_transform())
                    continue
                for c, criterion in enumerate(SHOWN):
                    at = population, policy, name, criterion
                    height, colour = row + shift[c], COLOURS[c]
                    panel.hlines(height, *studied.ci(*at), color=colour, linewidth=2)
                    panel.plot(studied.value(*at), height, "o", color=colour, markersize=4)
                    theirs = his.get((studied.kind.ricca, *at))
                    if theirs is not None:
                        panel.plot(
                            theirs, height, "D", color=colour, fillstyle="none", markersize=4.5
                        )
            title = f"{studied.kind.name}\n{name}" if name == sums[0] else name
            dress(panel, title, "places", "")
            panel.set_title(panel.get_title(loc="left"), loc="left", fontsize=9.5, color=INK)
        panels[0].set_yticks(range(len(policies)), policies, parse_math=False)
        panels[0].tick_params(labelsize=8)
    marks = [
        Line2D([], [], linestyle="", marker="o", color=COLOURS[c], label=criterion)
        for c, criterion in enumerate(SHOWN)
    ]
    marks.append(
        Line2D(
            [], [], linestyle="", marker="D", color=INK, fillstyle="none", label="Ricca's figure"
        )
    )
    figure.legend(
        handles=marks, loc="outside lower center", ncols=len(marks), frameon=False, fontsize=9.5
    )
    figure.suptitle(
        f"How far from the criterion's order inside score groups: {POPULATIONS[population]}",
        fontsize=11,
        color=INK,
    )
    return figure


def heat_figure(studies: Sequence[Studied]) -> Figure:
    """Policies by sums under the true order, a panel a kind and population; shares of lots."""
    figure = blank_figure(13.5, 5.0 * len(POPULATIONS) + 0.6)
    grid = figure.subplots(len(POPULATIONS), len(studies), sharey=True, squeeze=False)
    norm = Normalize(0.5, 1.0)
    for panels, population in zip(grid, POPULATIONS, strict=True):
        for panel, studied in zip(panels, studies, strict=True):
            lots = studied.evaluation.value(population, RANDOM, TRUE)
            shares = np.array(
                [
                    [
                        studied.value(population, p, s, TRUE) / lots if is_defined(p, s) else np.nan
                        for s in SUMS
                    ]
                    for p in POLICIES
                ]
            )
            panel.imshow(shares, cmap="cividis", norm=norm, aspect="auto")
            for (row, column), share in np.ndenumerate(shares):
                known = np.isfinite(share)
                panel.text(
                    column,
                    row,
                    f"{share:.2f}" if known else "-",
                    ha="center",
                    va="center",
                    color="white" if known and norm(share) < 0.5 else INK,
                    fontsize=7.5,
                )
            panel.set_xticks(range(len(SUMS)), list(SUMS), rotation=35, ha="right")
            panel.set_yticks(range(len(POLICIES)), list(POLICIES))
            dress(panel, f"{studied.kind.name}\n{POPULATIONS[population]}", "", "", grid=False)
            panel.set_title(panel.get_title(loc="left"), loc="left", fontsize=9.5, color=INK)
            panel.tick_params(labelsize=8)
    figure.suptitle(
        "What is left of a draw of lots, by the true order (0: the true order itself)",
        fontsize=11,
        color=INK,
    )
    return figure


def beside_figure(studies: Sequence[Studied]) -> Figure:
    """His value across, ours up: a panel a kind that he has and a criterion."""
    his = ricca_unplayed()
    shown = [(s, c) for s in studies if s.kind.ricca for c in RICCA_CRITERIA]
    figure = blank_figure(3.5 * len(shown) + 0.4, 2 * 3.5 + 0.8)
    grid = figure.subplots(len(POPULATIONS), len(shown), squeeze=False)
    for panels, population in zip(grid, POPULATIONS, strict=True):
        for panel, (studied, criterion) in zip(panels, shown, strict=True):
            for number, name in enumerate(RICCA_SUMS.values()):
                for policy in RICCA_METHODS.values():
                    at = population, policy, name, criterion
                    theirs, colour = his[studied.kind.ricca, *at], COLOURS[number]
                    panel.vlines(theirs, *studied.ci(*at), color=colour, linewidth=1.2)
                    panel.plot(
                        theirs, studied.value(*at), MARKERS[number], color=colour, markersize=4.5
                    )
            ends = np.array([*panel.get_xlim(), *panel.get_ylim()])
            panel.plot([ends.min(), ends.max()], [ends.min(), ends.max()], ":", color=INK, lw=0.8)
            dress(panel, f"{criterion}, {POPULATIONS[population]}", "Ricca, places", "")
            panel.set_title(
                f"{studied.kind.name}\n{criterion}, {population}",
                loc="left",
                fontsize=8.5,
                color=INK,
            )
        panels[0].set_ylabel("ours, places", fontsize=9.5, color=INK)
    marks = [
        Line2D([], [], linestyle="", marker=MARKERS[n], color=COLOURS[n], label=name)
        for n, name in enumerate(RICCA_SUMS.values())
    ]
    figure.legend(
        handles=marks, loc="outside lower center", ncols=len(marks), frameon=False, fontsize=9.5
    )
    return figure


# --------------------------------------------------------------------------- text


def as_text(studies: Sequence[Studied], events: int, seed: int) -> str:
    """The study as Markdown."""
    lines = [
        "# What an unplayed game should count for: methods compared by simulation",
        "",
        *_summary(studies),
        "",
        f"{events:,} events of each kind, seed {seed}; 95 % bootstrap intervals over events in "
        "brackets. Made by `tb2learn study unplayed`; all values: [values.md](values.md), "
        "[unplayed.json](unplayed.json). His figures are those of R. Ricca's paper on unplayed "
        "games (FIDE Technical Commission, 2017), means over 10,000 events of each kind "
        "(`tb2learn/data/ricca/unplayed.csv`).",
        "",
        "A value is the root mean square difference between the places by points and tie-break and "
        "the places by points and criterion, ties sharing the middle place: 0 is the criterion's "
        f"own order, lower is better. *{TRUE}* is the expected result of all against all, which "
        "only a simulation knows; the other criteria are made of the results alone. A `-` stands "
        "where a policy does not define a sum.",
        "",
        f"![Methods, {POPULATIONS['all']}](methods-all.png)",
        "",
        "## The events",
        "",
        *_events_text(studies),
        "",
        "## What he concludes",
        "",
        *_claims_text(studies),
        "",
        "## Where his order of the methods is ours",
        "",
        *_agreement_text(studies),
        "",
        "![His values and ours](beside.png)",
        "",
        "## All sums, by the true order",
        "",
        "![Shares of a draw of lots](heat.png)",
        "",
        f"![Methods, {POPULATIONS['top33']}](methods-top33.png)",
        "",
    ]
    return "\n".join(lines)


def _summary(studies: Sequence[Studied]) -> list[str]:
    """What to take from it."""
    found = [find_claim(claim, studies) for claim in CLAIMS]
    taus = [a.tau for s in studies for a in agreements(s)]
    levels = [a.level for s in studies for a in agreements(s)]
    rows, ends = [], {name: (Counter(), Counter()) for name in RICCA_SUMS.values()}
    for studied in studies:
        for criterion in SHOWN:
            for name in RICCA_SUMS.values():
                value = partial(_value_among_all, studied, name, criterion)
                best, *others = sorted((p for p in POLICIES if is_defined(p, name)), key=value)
                level = [p for p in others if studied.verdict("all", best, p, name, criterion) < 1]
                ends[name][0].update([best])
                ends[name][1].update(others[-1:])
                rows.append(
                    [
                        *(studied.kind.name, criterion, f"`{name}`"),
                        _valued(studied, best, name, criterion),
                        ", ".join(level) if len(level) <= 4 else f"{len(level)} others",
                        _valued(studied, others[-1], name, criterion),
                    ]
                )
    return [
        f"Among all {len(POLICIES)} policies and all players, by {len(studies)} kinds of events "
        f"and {len(SHOWN)} criteria (how often of {len(studies) * len(SHOWN)}):",
        "",
        *(
            f"* `{name}`: the best is {_counted(best)}; the worst {_counted(worst)}."
            for name, (best, worst) in ends.items()
        ),
        "",
        "Ricca's conclusions about his ten methods, held against our intervals (a column is a "
        "population, a sum and a criterion; his criteria are ABSELO and MISPTS):",
        "",
        *(f"* *{one.claim.text}* {_fares(one, studies)}" for one in found),
        f"* Kendall's tau of his columns of ten methods and ours is {min(taus):.2f} to "
        f"{max(taus):.2f}, median {np.median(taus):.2f}; our values are {min(levels):.2f} to "
        f"{max(levels):.2f} times his, by column.",
        "",
        "The best and the worst among all players, and those that our events cannot tell from the "
        "best:",
        "",
        *_table(("kind", "criterion", "sum", "best", "not told from it", "worst"), rows),
    ]


def _counted(names: Counter[str]) -> str:
    return ", ".join(f"{name} ({number})" for name, number in names.most_common())


def _value_among_all(studied: Studied, name: str, criterion: str, policy: str) -> float:
    return studied.value("all", policy, name, criterion)


def _valued(studied: Studied, policy: str, name: str, criterion: str) -> str:
    at = "all", policy, name, criterion
    return f"{policy} {_with_interval(studied.value(*at), studied.ci(*at))}"


def _fares(found: ClaimFound, studies: Sequence[Studied]) -> str:
    """How a claim fares here, in words."""
    said = []
    for studied, *columns in zip(studies, found.ours, found.true, strict=True):
        parts = []
        for by, (shown, unclear, refuted) in zip(("his criteria", TRUE), columns, strict=True):
            but = f" (refuted in {refuted})" if refuted else ""
            parts.append(f"{shown} of {shown + unclear + refuted} by {by}{but}")
        said.append(f"{studied.kind.name} {', '.join(parts)}")
    counts = [column for columns in (found.ours, found.true) for column in columns]
    if any(refuted for *_, refuted in counts):
        verdict = "does not hold everywhere here"
    elif any(unclear for _, unclear, _ in counts):
        verdict = "is refuted nowhere here, and not shown everywhere"
    else:
        verdict = "holds here"
    return f"{verdict}. Columns in which it is shown: {'; '.join(said)}."


def _with_interval(value: float, bounds: Sequence[float]) -> str:
    return f"{value:.3f} [{bounds[0]:.3f}, {bounds[1]:.3f}]"


def _table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    return [
        "| " + " | ".join(header) + " |",
        "|---" * len(header) + "|",
        *("| " + " | ".join(map(str, row)) + " |" for row in rows),
    ]


def _events_text(studies: Sequence[Studied]) -> list[str]:
    header = [
        "kind",
        "format",
        *CHANCES,
        "pairing bye",
        *(kind.label for kind in RoundKind if kind != RoundKind.FULL_BYE),
    ]
    rows = []
    for studied in studies:
        event, absences = studied.kind.config.event, studied.kind.absences
        shares = [f"{share:.1%}" for share in np.delete(studied.shares, 5)]
        rows.append(
            [
                studied.kind.name,
                f"{event.teams} x {event.rounds}, boards: {event.boards}",
                *(f"{getattr(absences, rate):.0%}" for rate in CHANCES),
                "a win" if absences.bye_points == 2 else "a draw",
                *shares,
            ]
        )
    return [
        "Events are played with their absences, by the pairing and the law of results of "
        "all other simulations: whoever is absent is not paired. Every player, in every round, "
        "asks for a half-point bye (not in the last two rounds), announces an absence worth "
        "nothing or, once paired, does not appear, each with the chance shown; and leaves the "
        "event for good with the last chance, after any round but the last. If both of a pair fail "
        "to appear both lose. A bye, or a win by default, rules out a later bye; pairs that did "
        "not play may be paired again. All draws are independent, of strength and points too. "
        "Ricca's generator makes the same kinds of absences, but he prints no rates: ours are our "
        "own choice, and three times as high in the kind called *often*. The right half shows the "
        "shares of all rounds of all players.",
        "",
        *_table(header, rows),
        "",
        "Other differences to his events: he pairs by FIDE's Dutch system, with colours, and "
        "draws results by the generator's own law. In team events a match counts as one game.",
    ]


def _claims_text(studies: Sequence[Studied]) -> list[str]:
    rows = []
    for found in (find_claim(claim, studies) for claim in CLAIMS):
        rows.append([found.claim.text, f"{found.his[0]} of {found.his[1]}"])
        for columns in zip(found.ours, found.true, strict=True):
            rows[-1] += [" / ".join(map(str, counts)) for counts in columns]
    header = ["he says", "his"]
    for studied in studies:
        header += [studied.kind.name, f"{studied.kind.name}, {TRUE}"]
    return [
        "Of his ten methods. Columns are populations, sums and criteria (ABSELO and MISPTS, and "
        f"apart from them {TRUE}). *His*: in how many columns of his two kinds his figures say so. "
        "Ours: in how many the intervals show all comparisons of the claim / show the opposite of "
        "none / show the opposite of some.",
        "",
        *_table(header, rows),
    ]


def _agreement_text(studies: Sequence[Studied]) -> list[str]:
    found = [agreement for studied in studies for agreement in agreements(studied)]
    names = {ours: his for his, ours in RICCA_METHODS.items()}
    header = (
        *("kind", "population", "criterion", "sum", "tau", "rho", "his other kind", "same"),
        *("open", "opposite", "level", "opposite pairs (better with him < with us)"),
    )
    rows = [
        [
            *(a.kind, a.population, a.criterion, a.sum, f"{a.tau:.2f}", f"{a.rho:.2f}"),
            *(f"{a.his_tau:.2f}", a.same, a.open, a.opposite, f"{a.level:.2f}"),
            ", ".join(f"{names[one]} < {names[two]}" for one, two in a.reversed),
        ]
        for a in found
    ]
    return [
        "His ten methods. *tau*, *rho*: Kendall's and Spearman's, of his column (100 players, 9 "
        "rounds) and ours. *His other kind*: Kendall's tau of that column and his own for 200 "
        "players and 10 rounds. *Same*: of his 45 pairs those in the same order here, by the "
        "interval; *open*: our events cannot tell; *opposite*: the interval says the opposite. "
        "*Level*: ours over his.",
        "",
        *_table(header, rows),
    ]


def values_as_text(studies: Sequence[Studied]) -> str:
    """All values under the criteria of `SHOWN`, Markdown."""
    his = ricca_unplayed()
    lines = [
        "# Methods for unplayed games: values",
        "",
        "As in [README.md](README.md): value and interval; below it, of his ten methods, Ricca's "
        "figure.",
        "",
    ]
    for studied in studies:
        for population, players in zip(POPULATIONS, studied.evaluation.players, strict=True):
            for criterion in SHOWN:
                rows = []
                for policy in POLICIES:
                    cells = []
                    for name in SUMS:
                        at = population, policy, name, criterion
                        if not is_defined(policy, name):
                            cells.append("-")
                            continue
                        cell = _with_interval(studied.value(*at), studied.ci(*at))
                        theirs = his.get((studied.kind.ricca, *at))
                        cells.append(cell if theirs is None else f"{cell}<br>{theirs:.3f}")
                    rows.append([policy, *cells])
                lots = studied.evaluation.value(population, RANDOM, criterion)
                lines += [
                    f"## {studied.kind.name}, {POPULATIONS[population]} ({players:.1f} an event), "
                    f"by {criterion}",
                    "",
                    *_table(["policy", *SUMS], rows),
                    "",
                    f"A draw of lots: {lots:.3f}.",
                    "",
                ]
    return "\n".join(lines)
