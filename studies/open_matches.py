"""How should a learned rule break ties while matches are open?

Events are simulated, some of their matches are taken out, and the event is ranked as it stands.
Every way is held against the true strengths; the template has the criterion.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import jax
import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int

from studies.script import events_option as number_of_events
from studies.script import report, script, written
from tb2learn.assessment.error_rates import samples, shares
from tb2learn.catalogue import find_rule
from tb2learn.chess.event_format import EventFormat
from tb2learn.chess.results import match_points
from tb2learn.config import Config, FieldConfig
from tb2learn.events.criteria import Completed, Criterion
from tb2learn.events.unplayed.policies import policy
from tb2learn.events.unplayed.record import Kind, Record
from tb2learn.simulation.oracle import true_strength
from tb2learn.simulation.simulated import simulate
from tb2learn.stats import long_frame, with_ends
from tb2learn.types import BYE

FORMATS: Mapping[str, tuple[EventFormat, str]] = {
    "league, 10 teams of 4": (EventFormat(10, 9, 4, format="round-robin"), "face-value"),
    "league, 12 teams of 8": (EventFormat(12, 11, 8, format="round-robin"), "face-value"),
    "Swiss, 38 teams of 4": (EventFormat(38, 9, 4), "c07"),
}
"""What is played, and the policy for unplayed rounds that `rank` uses there."""


State: TypeAlias = tuple[float, float, bool]
STATES: Mapping[str, State] = {
    "all rounds, 15% of the matches open": (1, 0.15, False),
    "half of the rounds, 20% of the matches open": (0.5, 0.2, False),
    "last round, half of its matches open": (1, 0.5, True),
}
"""The share of the rounds that are begun, of their matches that are open, and whether only those of
the last round are."""

LOST, PLAYED, RESCALED, OPPONENTS = (
    "an open match is none, and lost by the policy",
    "rounds played, unscaled",
    "rounds played, times rounds / played",
    "the same, opponents' match points rescaled, too",
)
PRODUCT, GAME_POINTS = "product rule", "game points"
WAYS = (LOST, PLAYED, RESCALED, OPPONENTS, PRODUCT, GAME_POINTS)  # four of them for `learned`
PAIRS = ("all", "equal", "unequal")  # of tied teams that played equally many matches, or not
BLOCKS = 100


def record_of(
    opponents: Int[np.ndarray, "rounds teams"],
    half_points: Int[np.ndarray, "rounds teams"],
    opened: Bool[np.ndarray, "rounds teams"],
    boards: int,
) -> Record:
    """The record of a simulated event in which some matches are open."""
    met = (opponents != BYE) & ~opened
    kind = np.where(met, Kind.PLAYED, np.where(opened, Kind.NOT_PAIRED, Kind.PAIRING_BYE))
    points, half = (
        np.where(opened, 0, one).T for one in (match_points(half_points, boards), half_points)
    )
    opponent, unrated = np.where(met, opponents, BYE).T, np.full(len(half), np.nan)
    size = len(opponents), boards, True
    awaited = np.where(opened, opponents, BYE).T
    return Record(*size, kind.T, opponent, points, half, unrated, awaited=awaited)


def opened_matches(
    opponents: Int[np.ndarray, "rounds teams"], state: State, generator: np.random.Generator
) -> Bool[np.ndarray, "rounds teams"]:
    """Which matches are open, drawn by lot."""
    teams = np.arange(opponents.shape[1])
    lots = generator.random(opponents.shape)
    _, share, last = state
    drawn = (lots < share) & (opponents > teams)  # each match once
    if last:
        drawn[:-1] = False
    rounds, first = np.nonzero(drawn)
    drawn[rounds, opponents[rounds, first]] = True
    return drawn


def scores_of(record: Record, name: str, teams: int) -> dict[str, Float[np.ndarray, " teams"]]:
    """The scores by every way, under a policy."""
    chosen = policy(name)
    seen = Completed(record, chosen, chosen.complete(record))
    learned, product = (
        Criterion(rule, find_rule(rule, record.rounds, record.boards, teams))
        for rule in ("learned", "product")
    )
    blind = replace(seen, record=replace(record, awaited=None))
    so_far, share = seen.so_far, seen.share
    items = so_far.completed
    known = items.opponent != BYE
    scaled = items.opponent_points * np.where(known, np.asarray(share)[items.opponent], 1)
    rescaled = replace(seen, completed=replace(items, opponent_points=scaled))
    return {
        LOST: learned.scores(blind),
        PLAYED: learned.scores(seen) / share,
        RESCALED: learned.scores(seen),
        OPPONENTS: learned.scores(rescaled),
        PRODUCT: product.scores(seen),
        GAME_POINTS: seen.own_half_points.astype(float),
    }


def count(
    name: str, state: State, events: int, seed: int
) -> tuple[Int[np.ndarray, "blocks ways pairs"], Int[np.ndarray, "blocks pairs"]]:
    """Half errors of every way in pairs on equal match points, and these, by block of events."""
    form, unplayed = FORMATS[name]
    config = Config(
        "open-matches", event=form, field=FieldConfig(low=2000, high=2600, seed_noise=50.0)
    )
    played = simulate(config, events, seed)
    truth = jax.jit(jax.vmap(lambda rosters: true_strength(rosters, config.game)))
    strengths = np.asarray(truth(played.rosters))
    generator = np.random.default_rng([seed, list(STATES.values()).index(state)])
    begun = -int(-form.rounds * state[0] // 1)
    errors = np.zeros((BLOCKS, len(WAYS), len(PAIRS)), int)
    pairs = np.zeros((BLOCKS, len(PAIRS)), int)
    for event, strength in enumerate(strengths):
        opponents, half = played.opponents[event, :begun], played.half_points[event, :begun]
        opened = opened_matches(opponents, state, generator)
        record = record_of(opponents, half, opened, form.boards)
        points, left = record.match_points, opened.sum(axis=0)
        one, other = np.triu_indices(len(points), 1)
        tied = points[one] == points[other]
        one, other = one[tied], other[tied]
        equal = left[one] == left[other]
        kinds = np.stack([np.ones_like(equal), equal, ~equal], axis=1)
        order = np.sign(strength[one] - strength[other])
        pairs[event % BLOCKS] += kinds.sum(axis=0)
        for k, scores in enumerate(scores_of(record, unplayed, form.teams).values()):
            rounded = np.round(scores, 6)
            verdict = np.sign(rounded[one] - rounded[other]).astype(int)
            wrong = np.where(order == 0, 1, np.abs(verdict - order))
            errors[event % BLOCKS, k] += wrong @ kinds
    return errors, pairs


def measure(events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Play every format, and stop it in every state: `rates` of each, and over `all`."""
    counts = {
        (name, label): count(name, state, events, seed)
        for name in FORMATS
        for label, state in STATES.items()
    }
    frames = [
        _rates(*found, seed).assign(format=name, state=label)
        for (name, label), found in counts.items()
    ]
    errors, pairs = (sum(parts) for parts in zip(*counts.values(), strict=True))
    return {"rates": pd.concat(frames, ignore_index=True), "all": _rates(errors, pairs, seed)}


def _rates(
    errors: Int[np.ndarray, "blocks ways pairs"], pairs: Int[np.ndarray, "blocks pairs"], seed: int
) -> pd.DataFrame:
    """The shares decided wrongly, and by how much these are `more` than by `RESCALED`."""
    weights = samples(len(pairs), seed)
    error = shares(weights, errors, pairs, 2)
    more = error - error[:, [WAYS.index(RESCALED)]]
    number = np.broadcast_to(pairs.sum(axis=0), error.shape[1:])
    columns = {"number": number, **with_ends(error, "error"), **with_ends(more, "more", "more_")}
    return long_frame({"way": WAYS, "pairs": PAIRS}, columns)


@script("reports/open-matches", number_of_events(1000, "simulated events of every format"))
def main(out: Path, events: int, seed: int) -> None:
    """Compare ways to break ties by a learned rule while matches are open."""
    frames = written(out, measure(events, seed), 5)
    given = {**frames, "formats": [*FORMATS], "states": [*STATES], "events": events, "seed": seed}
    report(out, "open_matches.md", given)


if __name__ == "__main__":
    main()
