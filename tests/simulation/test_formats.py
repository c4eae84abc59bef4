"""Round robins, multi-tier events and a Swiss with a final against their rules in plain Python."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tb2learn.assessment.error_rates import assess
from tb2learn.chess.event_format import EventFormat, Tier
from tb2learn.config import Config, FieldConfig
from tb2learn.simulation.event import Event
from tb2learn.simulation.formats import play_batch
from tb2learn.simulation.simulated import SimulatedEvents, simulate
from tb2learn.training.checkpoint import train
from tb2learn.types import BYE, InputError

SEEDED = FieldConfig(low=2300, high=2500, seed_noise=(20.0, 40.0))
LEAGUE = Config("league", event=EventFormat(5, 10, 3, format="round-robin", repeats=2))
TIERS = (Tier(6, groups=2, promoted=1), Tier(3, promoted=2), Tier(2))
TIERED = Config(
    "tiered",
    event=EventFormat(11, 2 * (3 + 5 + 3), 1, format="multi-tier", tiers=TIERS, repeats=2),
    field=SEEDED,
)
FINAL = Config(
    "final",
    event=EventFormat(8, 9, 2, format="swiss-final", finalists=3, repeats=2),
    field=SEEDED,
)
BATCH, AGAIN = 24, 4
"""Events of every format; and how many of the first ones are played again at the end."""


@pytest.fixture(scope="module")
def league():
    """Events of the league, through the stream of a seed."""
    return simulate(LEAGUE, BATCH, seed=1)


@pytest.fixture(scope="module")
def robins(league):
    """Those events as numpy arrays with the batch last."""
    names = "rosters", "opponents", "half_points", "match_points", "whites"
    parts = [np.moveaxis(getattr(league, name), 0, -1) for name in names]
    return jax.vmap(Event, in_axes=-1, out_axes=-1)(*parts)


@pytest.fixture(scope="module")
def played(robins):
    """Events by name of the configuration."""
    keys = jax.random.split(jax.random.key(5), BATCH)
    keys = jnp.concatenate([keys, keys[:AGAIN]])
    tiered, final = (jax.jit(partial(play_batch, config=one))(keys) for one in (TIERED, FINAL))
    return {
        "league": robins,
        "tiered": jax.tree.map(np.asarray, tiered),
        "final": jax.tree.map(np.asarray, final),
    }


def single(event, number):
    return jax.tree.map(lambda x: np.asarray(x)[..., number], event)


def games_of(event, number):
    """The matches of a round: `{(white, black): half points of white}`."""
    found = {}
    for team, opponent in enumerate(event.opponents[number].tolist()):
        if opponent != BYE:
            assert event.opponents[number, opponent] == team
            assert event.whites[number, opponent] != event.whites[number, team]
            if event.whites[number, team]:
                found[team, opponent] = int(event.half_points[number, team])
    return found


# --------------------------------------------------------------------------- all formats


@pytest.mark.thorough
@pytest.mark.parametrize("config", [LEAGUE, TIERED, FINAL], ids=lambda config: config.name)
def test_points_add_up(played, config):
    event, boards = played[config.name], config.event.boards
    met = event.opponents != BYE
    assert (event.half_points[~met] == 0).all() and not event.whites[~met].any()
    won = np.where(met, np.sign(event.half_points - boards) + 1, 0)
    np.testing.assert_array_equal(event.match_points, won.sum(axis=0))
    for number in range(BATCH):
        one = single(event, number)
        for r in range(config.event.rounds):
            for (_, black), half in games_of(one, r).items():
                assert half + one.half_points[r, black] == 2 * boards


@pytest.mark.thorough
def test_an_event_does_not_depend_on_its_batch(played):
    """The same keys beside other ones."""
    for part in jax.tree.leaves([played["tiered"], played["final"]]):
        np.testing.assert_array_equal(part[..., :AGAIN], part[..., BATCH:])


def test_events_to_look_at(league):
    """From seed to DataFrame, with colours; a multi-tier event has no table of all."""
    matches = league.frame("matches")
    assert matches.white.sum() == BATCH * 20 and matches.white.isna().sum() == BATCH * 10
    assert len(league.frame()) == BATCH * 5
    nothing = np.zeros((1, 22, 11), np.int32)
    tiered = SimulatedEvents(TIERED, 1, nothing[:, :11, :1], nothing, nothing, *2 * [nothing[:, 0]])
    with pytest.raises(InputError, match="needs one table of all teams"):
        tiered.frame()
    with pytest.raises(InputError, match="an assessment needs one table"):
        assess(TIERED, [], 1, 1)
    with pytest.raises(InputError, match="training needs one table"):
        train(TIERED)


# --------------------------------------------------------------------------- multi-tier


def tier_table(members, games):
    """Tier score, direct score and wins of every member: from the games of a tier."""
    wins, losses = dict.fromkeys(members, 0), dict.fromkeys(members, 0)
    for white, black, half in games:
        if half != 1:
            winner, loser = (white, black) if half == 2 else (black, white)
            wins[winner] += 1
            losses[loser] += 1
    score = {team: wins[team] - losses[team] for team in members}
    direct = dict.fromkeys(members, 0)
    for white, black, half in games:
        if white in score and black in score and score[white] == score[black]:
            direct[white] += half - 1
            direct[black] += 1 - half
    return {team: (score[team], direct[team], wins[team]) for team in members}


def check_tiers(event, config):
    """Who plays in every tier, from the results of the tier before; lots may go either way."""
    form, start = config.event, 0
    starters = list(range(form.teams))
    promoted, seen = set(), 0
    for tier, rounds in zip(form.tiers, form.tier_rounds, strict=True):
        own = {starters.pop() for _ in range(tier.teams)}
        games = [
            (*pair, half) for r in range(start, start + rounds)
            for pair, half in games_of(event, r).items()
        ]  # fmt: skip
        members = {team for game in games for team in game[:2]}
        assert members == own | promoted
        groups, left = [], set(members)
        while left:
            team = left.pop()
            met = {a if b == team else b for a, b, _ in games if team in (a, b)}
            groups.append({team} | met)
            left -= met
        assert len(groups) == tier.groups
        promoted = set()
        after = start + rounds
        for group in groups:
            played = [game for game in games if game[0] in group]
            size = len(group)
            assert size == len(members) // tier.groups
            assert len(played) == form.repeats * size * (size - 1) // 2
            table = tier_table(group, played)
            ranked = sorted(table.values(), reverse=True)
            if after < form.rounds:
                gone_on = {team for team in group if (event.opponents[after:, team] != BYE).any()}
                assert len(gone_on) == tier.promoted
                assert (
                    sorted((table[team] for team in gone_on), reverse=True)
                    == ranked[: tier.promoted]
                )
                seen += ranked[tier.promoted - 1] == ranked[tier.promoted]
                promoted |= gone_on
        start = after
    return seen


def test_tiers_are_those_of_the_rules(played):
    lots = sum(check_tiers(single(played["tiered"], number), TIERED) for number in range(BATCH))
    assert lots > 0  # some promotions are drawn by lot


# --------------------------------------------------------------------------- Swiss and final


def test_the_best_of_a_swiss_play_a_final(played):
    """Three rounds of Swiss; then a double round robin of the first three, the others resting."""
    by_lot = set()
    for number in range(BATCH):
        event = single(played["final"], number)
        swiss = [games_of(event, r) for r in range(3)]
        assert all(len(games) == 4 for games in swiss)
        points, scored, behind = ([0] * 8 for _ in range(3))
        for games in swiss:
            for (white, black), half in games.items():
                for team, own in ((white, half), (black, 4 - half)):
                    scored[team] += own
                    points[team] += (own > 2) - (own < 2) + 1
        for white, black in (pair for games in swiss for pair in games):
            behind[white] += points[black]
            behind[black] += points[white]
        standing = list(zip(points, scored, behind, strict=True))
        final = [games_of(event, r) for r in range(3, 9)]
        finalists = {team for games in final for pair in games for team in pair}
        assert len(finalists) == 3 and all(len(games) == 1 for games in final)
        met = [pair for games in final for pair in games]
        assert set(met) == {(a, b) for a in finalists for b in finalists if a != b}
        last = min(standing[team] for team in finalists)
        outside = [standing[team] for team in range(8) if team not in finalists]
        assert max(outside) <= last
        if max(outside) == last:
            by_lot.add(number)
    assert len(by_lot) < BATCH
