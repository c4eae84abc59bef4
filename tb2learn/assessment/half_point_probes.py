"""Half-point probes: whether a rule ever rewards a team for scoring less.

A probe takes one match of a played event and gives one side half a point more and its opponent half
a point less; everything else is unchanged. It is a violation if the team's match points stay the
same and its score falls. If the half point turns the match into a draw or a win, the match points
rise and the scores are not compared. Counted separately: whether the *place* of the team among all
teams gets worse, which also depends on the scores of others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Int, Num
from scipy import stats

from tb2learn.chess.results import Results, match_points
from tb2learn.config import Config, Setting
from tb2learn.jax_types import Key
from tb2learn.simulation.event import Event
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.rng import half_words
from tb2learn.simulation.simulate import Progress, sum_events
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.combined import Combined
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import BYE

PROBES = 20
"""Probes of one event."""


COUNTS = ("probes", "within", "violations", "places")
"""What is counted, see `probe_rules`."""


def probe_rules(
    config: Config,
    rules: Sequence[Rule],
    probes: int,
    seed: int,
    label: str | None = None,
) -> pd.DataFrame:
    """Probe rules in simulated events.

    **Arguments:**

    - `config`: what to play; the events are those of its assessment stream.
    - `rules`: of the configuration's format.
    - `probes`: how many are tried, `PROBES` an event (rounded up), the same for all rules. Byes and
      matches won on all boards have no room for half a point more: they count as tried, not as
      probes.
    - `seed`: of the events and the choice of matches.
    - `label`: shows a progress bar with this label.

    **Returns:** a row a `rule`:

    - `probes`: matches that had room for half a point more.
    - `within`: those of them on unchanged match points; the others raised them.
    - `violations`: probes that lowered the team's score on unchanged match points; for a list of
      tie-breaks, which has no score of its own, its place among all teams.
    - `places`: probes after which the team's place by match points and score was worse.
    - `share`: violations of the probes within, NaN without any, with the ends `share_low` and
      `share_high` of Clopper and Pearson's 95 % interval.
    - `worst`: the largest loss of a violation, in the rule's published unit (of a list: places); 0
      if there was none.

    **Raises:** `InputError` for a rule of another format.
    """
    for rule in rules:
        rule.check_format(config.event.rounds, config.event.boards)
    totals, worst = sum_events(
        config.setting,
        _PROBED,
        EventRange(seed, Purpose.ASSESS, -(-probes // PROBES)),
        tuple(rule.tiebreak for rule in rules),
        progress=Progress(label),
    )
    counts = dict(zip(COUNTS, totals.T, strict=True))
    violations, within = counts["violations"], counts["within"]
    shares = zip(violations.tolist(), within.tolist(), strict=True)
    ends = [exact_interval(lower, of) for lower, of in shares]
    with np.errstate(invalid="ignore"):
        share = violations / within
    return pd.DataFrame(
        {
            "rule": [rule.name for rule in rules],
            **counts,
            "share": share,
            "share_low": [low for low, _ in ends],
            "share_high": [high for _, high in ends],
            "worst": [float(loss) * rule.unit for loss, rule in zip(worst, rules, strict=True)],
        }
    )


def exact_interval(count: int, trials: int) -> tuple[float, float]:
    """Clopper and Pearson's 95 % interval of a rate."""
    if trials == 0:
        return 0.0, 1.0
    interval = stats.binomtest(count, trials).proportion_ci(0.95, method="exact")
    return float(interval.low), float(interval.high)


def _counts_and_worst(numbers: np.ndarray, measured: tuple) -> tuple[np.ndarray, np.ndarray]:
    """What `probe_event` counts, summed over events, and the worst losses."""
    counts, loss = measured
    # `initial`: for the totals of no events.
    return counts.sum(axis=0, dtype=np.int64), loss.max(axis=0, initial=0)


def probe_event(
    key: Key, event: Event, setting: Setting, rules: tuple[TieBreak, ...]
) -> tuple[Int[Array, "rules 4"], Int[Array, " rules"]]:
    """Probe one event.

    **Arguments:** as an `OfEvent`: the key picks the matches, the same for all `rules`.

    **Returns:** per rule `COUNTS`, and the largest loss in the rule's points.
    """
    results, boards = event.results, setting.event.boards
    rounds, teams = results.opponents.shape
    before = [rule.scores(results) for rule in rules]

    def probe(pick: Array) -> tuple[Array, Array]:
        number, team = pick
        opponent = results.opponents[number, team]
        # A match won on all boards cannot be won higher.
        room = (opponent != BYE) & (results.half_points[number, team] < 2 * boards)
        # Without room the results are left as they are, and the probe does not count.
        after = moved(results, number, team, room.astype(jnp.int32))
        within = room & (after.match_points[team] == results.match_points[team])
        counts, losses = [], []
        for rule, old in zip(rules, before, strict=True):
            new = rule.scores(after)
            behind = place(after, new, team) - place(results, old, team)
            # The score of a list is a rank, which ties of others move: what it can lose is places.
            lost = behind if isinstance(rule, Combined) else old[team] - new[team]
            loss = jnp.where(within, lost, 0)
            # In the order of `COUNTS`.
            numbers = jnp.stack([room, within, loss > 0, room & (behind > 0)])
            counts.append(numbers.astype(jnp.int32))
            losses.append(jnp.maximum(loss, 0).astype(jnp.int32))
        return jnp.stack(counts), jnp.stack(losses)

    counts, losses = jax.lax.map(probe, picked(key, rounds, teams))
    return counts.sum(axis=0), losses.max(axis=0)


def _add_and_compare(totals: tuple, added: tuple) -> tuple:
    """The sum of the counts, and the worst loss: no maximum depends on the order of the events."""
    return totals[0] + added[0], np.maximum(totals[1], added[1])


_PROBED = Measurement(probe_event, _counts_and_worst, _add_and_compare, oracle=False)


def picked(key: Key, rounds: int, teams: int) -> Int[Array, "probes 2"]:
    """Rounds and teams of the `PROBES` of an event; the key is consumed."""
    numbers = half_words(key, 2 * PROBES).reshape(2, PROBES)
    # Not quite uniform, which picking probes need not be.
    return jnp.stack([numbers[0] % rounds, numbers[1] % teams], axis=1)


def moved(results: Results, number: Array, team: Array, half_points: Array) -> Results:
    """The results with half points moved to a team from its opponent of a round.

    They must be possible; 0 where there is no opponent. A bye scores half of the games' points: a
    draw's match points.
    """
    opponent, boards = results.opponents[number, team], results.boards
    scored = results.half_points.at[number, team].add(half_points)
    scored = scored.at[number, opponent].add(-half_points)  # -1 for a bye, where nothing is moved
    points = match_points(scored, boards).sum(axis=0)
    return replace(results, half_points=scored, match_points=points)


def place(results: Results, scores: Num[Array, " teams"], team: Array) -> Int[Array, ""]:
    """The number of teams ahead of one, by match points and score."""
    points = results.match_points
    ahead = (points > points[team]) | ((points == points[team]) & (scores > scores[team]))
    return ahead.sum()
