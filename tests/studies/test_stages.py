"""Multi-tier events and a Swiss with a final against their rules in plain Python."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from helpers import check_points, games_of, single

from studies.stages import FinalFormat, Tier, TieredFormat
from tb2learn.assessment.error_rates import assess
from tb2learn.config import Config, FieldConfig
from tb2learn.simulation.formats import play_batch
from tb2learn.simulation.simulated import SimulatedEvents
from tb2learn.training.checkpoint import train
from tb2learn.types import BYE, InputError

SEEDED = FieldConfig(low=2300, high=2500, seed_noise=(20.0, 40.0))
TIERS = (Tier(6, groups=2, promoted=1), Tier(3, promoted=2), Tier(2))
TIERED = Config(
    "tiered", event=TieredFormat(11, 2 * (3 + 5 + 3), 1, tiers=TIERS, repeats=2), field=SEEDED
)
FINAL = Config("final", event=FinalFormat(8, 9, 2, finalists=3, repeats=2), field=SEEDED)
BATCH, AGAIN = 24, 4
"""Events of every format; and how many of the first ones are played again at the end."""


@pytest.fixture(scope="module")
def played():
    """Events by name of the configuration, the batch last."""
    keys = jax.random.split(jax.random.key(5), BATCH)
    keys = jnp.concatenate([keys, keys[:AGAIN]])
    tiered, final = (
        jax.jit(partial(play_batch, setting=one.setting))(keys) for one in (TIERED, FINAL)
    )
    return {
        "tiered": jax.tree.map(np.asarray, tiered),
        "final": jax.tree.map(np.asarray, final),
    }


@pytest.mark.thorough
@pytest.mark.parametrize("config", [TIERED, FINAL], ids=lambda config: config.name)
def test_points_add_up(played, config):
    check_points(played[config.name], config.event.boards)


@pytest.mark.thorough
def test_an_event_does_not_depend_on_its_batch(played):
    """The same keys beside other ones."""
    for part in jax.tree.leaves([played["tiered"], played["final"]]):
        np.testing.assert_array_equal(part[..., :AGAIN], part[..., BATCH:])


def test_there_is_no_table_of_all_teams():
    nothing = np.zeros((1, 22, 11), np.int32)
    points = nothing[:, 0], nothing[:, 0] / 2
    tiered = SimulatedEvents(TIERED, 1, nothing[:, :11, :1], nothing, nothing, *points)
    with pytest.raises(InputError, match="needs one table of all teams"):
        tiered.frame()
    with pytest.raises(InputError, match="an assessment needs one table"):
        assess(TIERED, [], 1, 1)
    with pytest.raises(InputError, match="training needs one table"):
        train(TIERED)


# --------------------------------------------------------------------------- sizes

EXAMPLE = (Tier(8, promoted=2), Tier(6, promoted=2), Tier(6))


def test_sizes_of_the_examples_of_the_source():
    """20 players in tiers of 8 each; 37 in 3 groups of 10 and a tier of 10."""
    event = TieredFormat(20, 21, 1, tiers=EXAMPLE)
    assert (event.tier_sizes, event.tier_rounds) == ((8, 8, 8), (7, 7, 7))
    event = TieredFormat(37, 36, 1, tiers=(Tier(30, groups=3), Tier(7)), repeats=2)
    assert (event.tier_sizes, event.tier_rounds) == ((30, 10), (18, 18))


def final(teams=20, rounds=13, finalists=4):
    return FinalFormat(teams, rounds, 1, finalists=finalists, repeats=2)


def multi_tier(*tiers, teams=20, rounds=21, **more):
    return TieredFormat(teams, rounds, 1, tiers=tiers, **more)


REFUSED = {
    "event.tiers must list the tiers": multi_tier,
    "must add up to event.teams, got 18": lambda: multi_tier(Tier(8, promoted=2), Tier(10)),
    r"groups of the last of event.tiers must be 1\.\.1, got 2": lambda: multi_tier(
        Tier(8, promoted=2), Tier(12, groups=2)
    ),
    r"tiers\[0\].groups must divide its 8 teams into two or more each, got 3": lambda: multi_tier(
        Tier(8, groups=3), Tier(12)
    ),
    r"tiers\[0\].promoted must be 1\.\.7, got 8": lambda: multi_tier(
        Tier(8, promoted=8), Tier(12)
    ),
    "rounds must be 21 in this multi-tier of 20 teams, got 20": lambda: multi_tier(
        *EXAMPLE, rounds=20
    ),
    "event.teams must be even in a swiss-final, got 19": lambda: final(teams=19),
    r"event.finalists must be 2\.\.20, got 1": lambda: final(finalists=1),
    r"event.rounds must be 1\.\.15 more than the 6 of the final, got 0": lambda: final(rounds=6),
    r"event.rounds must be 1\.\.15 more than the 6 of the final, got 16": lambda: final(rounds=22),
    r"event.tiers.promoted must be 1\.\.1000, got 0": lambda: Tier(2, promoted=0),
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_refused(message):
    with pytest.raises(InputError, match=message):
        REFUSED[message]()


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


@pytest.mark.thorough
def test_tiers_are_those_of_the_rules(played):
    lots = sum(check_tiers(single(played["tiered"], number), TIERED) for number in range(BATCH))
    assert lots > 0  # some promotions are drawn by lot


# --------------------------------------------------------------------------- Swiss and final


@pytest.mark.thorough
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
