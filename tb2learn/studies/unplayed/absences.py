"""Simulated events with forfeits, byes and retirements."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from tb2learn.config import Config, load_config
from tb2learn.events.criteria import Completed, Order, evaluate
from tb2learn.events.unplayed.policies import POLICIES as ALL_POLICIES
from tb2learn.events.unplayed.record import Kind, Record
from tb2learn.jax_types import Key
from tb2learn.simulation import games
from tb2learn.simulation.field import draw_field
from tb2learn.simulation.pairing import pair_round
from tb2learn.simulation.rng import Purpose, half_words, stream, unit_numbers
from tb2learn.simulation.run import progress_bar
from tb2learn.simulation.truth import true_strength
from tb2learn.studies.tiebreaks.accuracy import adjusted
from tb2learn.studies.tiebreaks.evaluation import RANDOM, Evaluation, event_sums, summarise
from tb2learn.studies.tiebreaks.order_claims import method_name
from tb2learn.types import BYE, InputError

RICCA_KIND = "100-9"
"""Ricca's kind of events that ours are compared with."""

CHANCES = ("no_show", "half_bye", "zero_bye", "retire")

LATE = 2
"""Number of last rounds without half-point byes."""


@dataclass(frozen=True)
class Absences:
    """Rates of absences, which are independent of each other.

    Ricca's generator makes forfeits, half-point byes, announced absences and retirements, but he
    prints no rates; these are our own.

    **Fields:**

    - `no_show`: chance that a paired player does not appear. If both do not, both lose.
    - `half_bye`: chance that a player requests a half-point bye for a round, except for the `LATE`
      last ones.
    - `zero_bye`: chance of an announced absence from a round, which pays nothing.
    - `retire`: chance that a player retires, after any round but the last with equal chances. The
      later rounds pay nothing.
    - `bye_points`: match points of the pairing-allocated bye: 2 for a win (with all game points), 1
      for a draw.
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
        """The same with all chances multiplied by a factor."""
        return replace(self, **{name: factor * getattr(self, name) for name in CHANCES})


@dataclass(frozen=True)
class EventKind:
    """A kind of events.

    **Fields:**

    - `name`: of the kind.
    - `config`: format, field and games.
    - `absences`: rates of absences.
    - `ricca`: Ricca's name of the kind; empty if he does not have it.
    """

    name: str
    config: Config
    absences: Absences
    ricca: str = ""


def kinds() -> tuple[EventKind, ...]:
    """The kinds of the study: Ricca's smaller one at two rates of absence, and a team event."""
    individual = load_config("individual-100x9")
    small = load_config("team-60x7")
    team = replace(small, name="team-60x9", event=replace(small.event, rounds=9))
    often = Absences().times(3)
    return (
        EventKind("individual-100x9", individual, Absences(), RICCA_KIND),
        EventKind("individual-100x9-often", individual, often, RICCA_KIND),
        EventKind("team-60x9", team, replace(Absences(), bye_points=1)),
    )


@partial(jax.jit, static_argnames="config")
def draw_event(
    key: Key, limits: Int[np.ndarray, " chances"] | Int[Array, " chances"], config: Config
) -> dict[str, Array]:
    """All random numbers of an event, drawn before its first round.

    The first half of the key is used as `olympiad.play` uses its key: without absences the event is
    the simulator's.

    **Arguments:**

    - `key`: consumed.
    - `limits`: `Absences.limits` of the kind.
    - `config`: of the kind.

    **Returns:** `rosters` `[teams, boards]`; `numbers` `[rounds, teams]`, of which that of the
    higher seed selects a result from `at_most` `[thresholds, teams, teams]`; `planned` `[rounds,
    teams]`, a `unplayed.record.Kind`, which is `PLAYED` for those to be paired; `no_show`
    `[rounds, teams]`; `strength` `[teams]`, which gives the true order; `lots` `[2, teams]`.
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
    planned = jnp.full((rounds, teams), Kind.PLAYED)
    asks = (happens[1] < half_bye) & (number < rounds - LATE)
    planned = jnp.where(asks, Kind.HALF_BYE, planned)
    planned = jnp.where(happens[2] < zero_bye, Kind.ZERO_BYE, planned)
    left = (word[0] < retire) & (number >= leaves_before)
    return {
        "rosters": rosters,
        "numbers": jax.vmap(partial(unit_numbers, count=teams))(
            jax.random.split(rounds_key, rounds)
        ),
        "at_most": games.all_play_all(rosters, config.game),
        "planned": jnp.where(left, Kind.NOT_PAIRED, planned),
        "no_show": happens[0] < no_show,
        "strength": true_strength(rosters, config.game),
        "lots": jax.vmap(partial(jax.random.permutation, x=teams))(jax.random.split(lots_key)),
    }


_pair_round = jax.jit(pair_round)


def pair_present(
    match_points: Int[np.ndarray, " teams"],
    half_points: Int[np.ndarray, " teams"],
    met: Bool[np.ndarray, "teams teams"],
    had_bye: Bool[np.ndarray, " teams"],
    present: Bool[np.ndarray, " teams"],
) -> Int[np.ndarray, " teams"]:
    """Pair the teams that are present by `pairing.pair_round`, as if there were no others.

    If all of them have had a bye, any of them may get another.

    **Arguments:** as for `pair_round`; and `present`: who is to be paired.

    **Returns:** opponents; `BYE` for teams with the bye and for absent ones.
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

    A team that won by default or had the bye does not get the bye later. Teams whose match was not
    played may be paired again.

    **Arguments:**

    - `drawn`: the result of `draw_event` as numpy arrays.
    - `absences`: gives the points of the bye.
    """
    rounds, teams = drawn["planned"].shape
    boards = drawn["rosters"].shape[1]
    full, bye_pays = 2 * boards, absences.bye_points * boards
    opponent, kind, scored, gained = np.zeros((4, rounds, teams), int)
    met, had_bye = np.zeros((teams, teams), bool), np.zeros(teams, bool)
    team = np.arange(teams)
    for now in range(rounds):
        present = drawn["planned"][now] == Kind.PLAYED
        so_far = gained[:now].sum(axis=0), scored[:now].sum(axis=0)
        opponent[now] = pair_present(*so_far, met, had_bye, present)
        paired = opponent[now] != BYE
        other = np.where(paired, opponent[now], team)
        comes, other_comes = ~drawn["no_show"][now], ~drawn["no_show"][now][other]
        kind[now] = np.select(
            [~present, ~paired, comes & other_comes, comes],
            [
                drawn["planned"][now],
                Kind.PAIRING_BYE,
                Kind.PLAYED,
                Kind.WON_BY_DEFAULT,
            ],
            Kind.LOST_BY_DEFAULT,
        )
        played = kind[now] == Kind.PLAYED
        higher, lower = np.minimum(team, other), np.maximum(team, other)
        points = (drawn["numbers"][now][higher] >= drawn["at_most"][:, higher, lower]).sum(axis=0)
        scored[now] = np.select(
            [
                played,
                kind[now] == Kind.WON_BY_DEFAULT,
                kind[now] == Kind.PAIRING_BYE,
                kind[now] == Kind.HALF_BYE,
            ],
            [np.where(team == higher, points, full - points), full, bye_pays, boards],
            0,
        )
        gained[now] = np.sign(scored[now] - boards) + 1
        met[team[played], other[played]] = True
        had_bye |= np.isin(kind[now], (Kind.PAIRING_BYE, Kind.WON_BY_DEFAULT))
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


POLICIES = {name: one for name, one in ALL_POLICIES.items() if name != "c07-2024"}
"""The policies that are studied: of C.07 only the edition in force."""

SUMS = tuple(name + cut for name in ("opponents", "emgsb") for cut in ("", "-cut1", "-median1"))
"""What is summed: opponents' match points (Buchholz), or these times the own game points
(Sonneborn-Berger)."""


def is_defined(policy: str, sum_name: str) -> bool:
    """Whether a policy defines a sum."""
    return sum_name == "opponents" or not POLICIES[policy].opponents_only


TIEBREAKS = (
    *(method_name(p, s) for p in POLICIES for s in SUMS if is_defined(p, s)),
    RANDOM,
)
"""The tie-breaks that are evaluated: every sum that a policy defines, and a draw of lots."""


def tiebreak_scores(record: Record) -> Float[np.ndarray, "tiebreaks teams"]:
    """The scores of all `TIEBREAKS` except lots."""
    scores, order = [], Order(record.rounds, record.boards)
    for name, policy in POLICIES.items():
        event = Completed(record, policy, policy.complete(record))
        scores.append(evaluate(event, [order.known(s) for s in SUMS if is_defined(name, s)]))
    return np.concatenate(scores)


def event_of(kind: EventKind, seed: int, number: int) -> tuple[dict[str, np.ndarray], Record]:
    """Event `number` of the assessment stream: its random numbers, and its record."""
    key = jax.random.fold_in(stream(seed, Purpose.ASSESS), number)
    drawn = draw_event(key, kind.absences.limits(), kind.config)
    drawn = {name: np.asarray(part) for name, part in drawn.items()}
    return drawn, play_event(drawn, kind.absences)


def sums_of(drawn: dict[str, np.ndarray], record: Record, config: Config) -> dict[str, np.ndarray]:
    """The evaluation of an event: the result of `event_sums`, and `shares` of every `Kind`."""
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
    shares = np.bincount(record.kind.ravel(), minlength=len(Kind))
    return event_sums(measured, config) | {"shares": shares}


def study_kind(
    kind: EventKind, events: int, seed: int, label: str | None = None
) -> tuple[Evaluation, Float[np.ndarray, " kinds"]]:
    """Evaluate every policy and sum in events of one kind.

    **Arguments:**

    - `kind`: of events.
    - `events`, `seed`: number and stream of the events; the bootstrap has the same seed.
    - `label`: shows a progress bar with this label.

    **Returns:** the evaluation of all `TIEBREAKS`; and the shares of every
    `unplayed.record.Kind` in all rounds of all players, 0..1.

    **Raises:** `InputError` if `events` is 0 or less.
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
    return evaluation, shares / shares.sum()
