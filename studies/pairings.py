"""Are our pairings those of FIDE? Players by the Dutch system, teams by the rules for Olympiads.

*Players*: py4swiss implements the Dutch system of the FIDE Handbook, C.04.3, as it was until
January 2026. It has no system for teams. *Olympiads*: real rounds, and both forms of our own rule.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Int
from tqdm import tqdm

from studies.names import rule_name
from studies.script import events_option, recorded, report, script, written
from studies.worlds import OLYMPIADS
from tb2learn.assessment.error_rates import population, samples, shares_of_pairs
from tb2learn.assessment.estimators import as_estimator
from tb2learn.assessment.single_event import single_event_tally, tally_event
from tb2learn.assessment.tally import TOPS, Tally
from tb2learn.catalogue import find_rule
from tb2learn.chess import Edition
from tb2learn.chess.event_format import EventFormat
from tb2learn.chess.olympiad_pairing import PairedTeam, RoundPairing, pair_round
from tb2learn.chess.results import match_points
from tb2learn.config import Config, FieldConfig, TrainConfig, load_config
from tb2learn.events.model import TeamEvent
from tb2learn.events.paired_teams import no_bye, paired_teams
from tb2learn.events.parts import Match
from tb2learn.events.round_rules import edition_of
from tb2learn.jax_types import Keys
from tb2learn.simulation.dutch_swiss import Dutch
from tb2learn.simulation.event import Event
from tb2learn.simulation.formats import play_batch
from tb2learn.simulation.games import Laws
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.schedule import EventInputs, Pairs, PlayedRounds, play_schedule
from tb2learn.simulation.simulate import Progress, progress_bar
from tb2learn.stats import long_frame, with_ends
from tb2learn.training.checkpoint import train
from tb2learn.types import BYE

SIZES = ((60, 7), (100, 9))  # players and rounds
TABLE = "table"  # a table in passes, trained on events paired by our rule with random seeds

BUCHHOLZ = "buchholz-cut1"
RULES = (BUCHHOLZ, "formula", "deep-buchholz", TABLE, "least-squares")
FIELD = FieldConfig(low=1600, high=2600, player_sd=0.0, seed_noise=50.0)
SHOWN = ("1", "10", "all")  # the populations in the report


class EngineSchedule:
    """Swiss events of players paired by the engine, side by side; a bye is worth a win."""

    colours = True

    def __init__(self, event: EventFormat, bar: tqdm, pool: Executor):
        self._rounds, self._bar, self._pool = event.rounds, bar, pool
        self.matches = event.teams // 2
        self.rest = 2

    def start(self, keys: Keys, ratings: Int[Array, "teams batch"] | None) -> Array:
        """`[1, batch]`: whether the first seed has White in the first round."""
        return jax.vmap(jax.random.bernoulli)(keys)[None]

    def pair(self, state: Any, so_far: PlayedRounds, number: Int[Array, ""]) -> tuple[Any, Pairs]:
        """The pairs of a round."""
        shape = jax.ShapeDtypeStruct((2, self.matches, state.shape[1]), jnp.int32)
        played = so_far.opponents, so_far.half_points, so_far.whites
        return state, jax.pure_callback(self._pair_all, shape, state[0], number, *played)

    def _pair_all(self, lots: Any, number: Any, *played: Any) -> Int[np.ndarray, "2 matches batch"]:
        past, pairs = [np.asarray(part)[: int(number)] for part in played], []
        asked = [
            (*(part[..., event] for part in past), lot, self._rounds)
            for event, lot in enumerate(np.asarray(lots).tolist())
        ]
        for of_event in self._pool.map(engine_pairs, *zip(*asked, strict=True), chunksize=4):
            pairs.append(of_event)
            self._bar.update()
        return np.stack(pairs, axis=-1)


def engine_pairs(
    opponents: np.ndarray, half_points: np.ndarray, whites: np.ndarray, lot: bool, rounds: int
) -> Int[np.ndarray, "2 matches"]:
    """The pairs of the next round of one event, White first, in the order of the higher seeds."""
    from py4swiss.engines.dutch import Engine
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import RoundResult
    from py4swiss.trf.sections import PlayerSection, XSection
    from py4swiss.trf.sections.x_section import XSectionConfiguration

    def result(opponent: int, half: int, white: bool) -> str:
        played = f"{opponent + 1:4} {'w' if white else 'b'} {'0=1'[half]}"
        return "0000 - U" if opponent == BYE else played

    players = []
    for player in range(opponents.shape[1]):
        rows = (part[:, player].tolist() for part in (opponents, half_points, whites))
        results = [RoundResult.from_string(result(*row)) for row in zip(*rows, strict=True)]
        section = {"code": PlayerCode.PLAYER, "starting_number": player + 1, "rank": player + 1}
        points = 5 * int(half_points[:, player].sum())
        players.append(PlayerSection(**section, points_times_ten=points, results=results))
    colour = XSectionConfiguration(first_round_color=lot)
    settings = XSection(number_of_rounds=rounds, configuration=colour)
    paired = Engine.generate_pairings(ParsedTrf(player_sections=players, x_section=settings))
    pairs = [(pair.white - 1, pair.black - 1) for pair in paired if pair.black]
    return np.array(sorted(pairs, key=min), np.int32).reshape(-1, 2).T


def compare(
    players: int, rounds: int, number: int, ours: int, trained: int, seed: int
) -> dict[str, pd.DataFrame]:
    """Play `number` events with the engine, pair their rounds by our rule too, and judge rules.

    `ours` and `trained` are events paired by our rule, for comparison and for training.

    **Returns:** `agreement` by `round`, the share of the engine's pairs that our rule makes of the
    same past, and with the same colours; `sizes`, the same of all rounds; `errors` on the engine's
    events and on ours, as `_less` less that of `BUCHHOLZ`, as `apart` the engine's less ours.
    """
    name = f"{players} players, {rounds} rounds"
    event = EventFormat(players, rounds, 1, pairing="dutch")
    config = Config(f"dutch-{players}x{rounds}", event=event, field=FIELD)
    keys = jax.random.split(jax.random.key(seed), number)
    # A forked copy of this process would have its locks, but not the threads of JAX that open them.
    pool = ProcessPoolExecutor(os.cpu_count(), get_context("spawn"))
    with progress_bar(number * rounds, f"engine, {name}", "round") as bar, pool:
        schedule = EngineSchedule(event, bar, pool)
        play = partial(play_schedule, event=event, laws=Laws.of(config.game), schedule=schedule)
        played = jax.block_until_ready(jax.jit(play)(EventInputs.of(keys, config.setting)))
    same = np.stack(agreement(config, played), 1)
    agree = np.tensordot(samples(number, seed), same, 1) / number  # [samples, kinds, rounds]
    columns = dict(with_ends(agree[:, 0], "pair", "pair_"))
    columns |= with_ends(agree[:, 1], "coloured", "coloured_")
    share = with_ends(agree[:, :1].mean(axis=-1), "share")

    # Of seeds near the truth the table would learn the seeds.
    field = replace(config.field, seed_noise=np.inf)
    plan = TrainConfig("decisions", trained, 500, seed)
    made = train(
        replace(config, name=f"{config.name}-table", field=field, train=plan), progress=True
    )
    table = replace(made.rule(rounds), name=TABLE)
    rules = [table if rule == TABLE else find_rule(rule, rounds, 1) for rule in RULES]
    judge = partial(tally_event, setting=config.setting, judged=tuple(map(as_estimator, rules)))
    judge_keys = jax.vmap(partial(jax.random.fold_in, data=1))(keys)
    counts = jax.jit(jax.vmap(judge, in_axes=(0, -1)))(judge_keys, played)
    pairs, wrong = (np.asarray(part, np.int64) for part in counts[:2])
    judged_on = EventRange(seed, Purpose.ASSESS, ours)
    tallies = {
        "ours": single_event_tally(config, rules, judged_on, Progress(f"ours, {name}")),
        "engine": Tally(RULES, pairs, wrong, 2, None),
    }
    values = {}
    for stream, (whose, tally) in enumerate(tallies.items()):
        weights = samples(len(tally.pairs), np.random.default_rng((seed, stream)))
        found = shares_of_pairs(weights, tally.errors, tally.pairs, tally.unit)
        values[whose] = found.swapaxes(1, 2)  # [samples, tops, rules]
    values |= {f"{whose}_less": rates - rates[..., :1] for whose, rates in values.items()}
    values["apart"] = values["engine"] - values["ours"]
    errors = {"pairs": np.broadcast_to(pairs.sum(axis=0)[:, None], (len(TOPS), len(RULES)))}
    for what, rates in values.items():
        errors |= with_ends(rates, what, f"{what}_")
    frames = {
        "agreement": long_frame({"round": range(1, rounds + 1)}, columns),
        "sizes": pd.DataFrame(share).assign(engine=f"py4swiss {version('py4swiss')}"),
        "errors": long_frame({"top": [*map(population, TOPS)], "rule": RULES}, errors),
    }
    return {what: frame.assign(players=players, rounds=rounds) for what, frame in frames.items()}


def agreement(config: Config, played: Event) -> tuple[np.ndarray, np.ndarray]:
    """The share of the pairs of every event and round that our rule makes from the same past.

    **Returns:** `[events, rounds]` twice: the same pair, and with the same colours.
    """
    schedule, whites = Dutch(config.event), played.whites
    assert whites is not None
    # In the first round the first seed always has a game.
    lot = whites[0, :1]

    @jax.jit
    def one_round(number: Array) -> tuple[Array, Array]:
        past = (jnp.arange(config.event.rounds) < number)[:, None, None]
        half_points = jnp.where(past, played.half_points, 0)
        points = half_points.sum(axis=0)
        opponents = jnp.where(past, played.opponents, BYE)
        so_far = PlayedRounds(opponents, half_points, past & whites, points, points)
        _, (white, black) = schedule.pair(lot, so_far, number)
        same = jnp.take_along_axis(played.opponents[number], white, axis=0) == black
        coloured = same & jnp.take_along_axis(whites[number], white, axis=0)
        return same.mean(axis=0), coloured.mean(axis=0)

    parts = [one_round(jnp.int32(number)) for number in range(config.event.rounds)]
    same, coloured = (np.stack(part, axis=-1) for part in zip(*parts, strict=True))
    return same, coloured


# --------------------------------------------------------------------------- Olympiads

CHENNAI = Path(__file__).parent / "data" / "olympiad2022.csv"
TOP = 30  # the boards that are counted apart

WORLDS = (("olympiad-180x11", "olympiad-2022"), ("seeded-180x11", "olympiad-2010"))

TeamPairs = set[frozenset[int]]


def chennai() -> TeamEvent:
    """Chennai 2022 by initial numbers, without game points, which its edition does not ask for."""
    matches = []
    with CHENNAI.open(encoding="utf-8", newline="") as stream:
        for number, row in enumerate(csv.DictReader(stream), start=1):
            if not row["number_b"]:
                team, points = int(row["number_a"]) - 1, int(row["match_points_a"])
                bye = Match(int(row["round"]), number, team, None, 4, 0, 0, 0, "pairing")
                matches.append(bye.given(points))
                continue
            sides = [(int(row[f"number_{s}"]), int(row[f"match_points_{s}"])) for s in "ab"]
            (a, points_a), (b, points_b) = sides[:: -1 if row["white_on_board_1"] == "b" else 1]
            # Half points that imply the match points: 4 boards, won 5 to 3 or drawn.
            half = 4 + int(np.sign(points_a - points_b))
            forfeited = 4 if row["by_default"] not in ("", "0") else 0
            match = Match(int(row["round"]), number, a - 1, b - 1, half, 8 - half, 4, forfeited)
            matches.append(match.given(points_a, points_b))
    teams = 1 + max(max(match.teams) for match in matches)
    names = tuple(map(str, range(1, teams + 1)))
    return TeamEvent("chennai2022", names, 11, 4, tuple(matches), ((),) * teams)


def late(pairs: TeamPairs, before: TeamEvent, known: dict[int, PairedTeam]) -> set[int]:
    """Teams that are seen for the first time and meet the lowest ranked or another such team."""
    seen = {team + 1 for match in before.matches for team in match.teams}
    there = {team for pair in pairs for team in pair}
    lowest = min(there & seen, key=lambda n: (known[n].match_points, -n))
    return {team for pair in pairs if pair - seen for team in pair if (pair & seen) <= {lowest}}


def real_rounds(event: TeamEvent, edition: Edition) -> tuple[pd.DataFrame, pd.DataFrame]:
    """How many of the recorded pairs are ours, by round from the second on; those that are not."""
    rounds, left = [], []
    for number in range(2, event.rounds + 1):
        of_round = [match.teams for match in event.matches if match.round == number]
        pairs = {frozenset(t + 1 for t in teams) for teams in of_round if len(teams) == 2}
        before = event.after(number - 1)
        known = paired_teams(before, edition)
        there = {team for pair in pairs for team in pair}
        made = pair_round((known[n] for n in there), edition, no_bye(before))
        ours, came = _pairs(made), late(pairs, before, known)
        on_time = pair_round((known[n] for n in there - came), edition, no_bye(before))
        first = [frozenset((p.white, p.black)) for p in made.pairs][:TOP]
        row = {"event": event.name, "edition": edition, "round": number, "pairs": len(pairs)}
        row |= {"same": len(ours & pairs), "late": len(came) // 2, "first_pairs": len(first)}
        row["same_on_time"] = len(_pairs(on_time) & pairs) + len(came) // 2
        rounds.append(row | {"first_same": len(pairs.intersection(first))})
        for pair in sorted(pairs - ours, key=sorted):
            a, b = sorted(pair)
            swapped = any(abs(a - c) <= 3 and abs(b - d) <= 3 for c, d in map(sorted, ours - pairs))
            why = "late arrival" if pair & came else "neighbours" if swapped else "other"
            left.append({"event": event.name, "round": number, "a": a, "b": b, "why": why})
    columns = ["event", "edition", "round", "pairs", "same", "same_on_time", "late"]
    columns += ["first_pairs", "first_same"]
    return pd.DataFrame(rounds, columns=columns), pd.DataFrame(left)


def _pairs(made: RoundPairing) -> TeamPairs:
    return {frozenset((pair.white, pair.black)) for pair in made.pairs}


def lockstep(world: str, edition: Edition, number: int, seed: int) -> dict[str, Any]:
    """How many pairs of the exact rule the simulator makes, from its own states."""
    config = load_config(world)
    config = replace(config, event=replace(config.event, pairing=edition))
    keys = jax.random.split(jax.random.key(seed), number)
    played = jax.jit(lambda keys: play_batch(keys, config.setting))(keys)
    pairs = same = coloured = 0
    for k in range(number):
        for exact, ours in _rounds_twice(played, k, config.event.boards, edition):
            made = {frozenset((p.white, p.black)): p.white for p in exact.pairs}
            both = made.keys() & ours.keys()
            pairs, same = pairs + len(made), same + len(both)
            coloured += sum(made[pair] == ours[pair] for pair in both)
    about = {"world": world, "edition": edition, "events": number, "pairs": pairs}
    return about | {"same": same / pairs, "coloured": coloured / same}


def _rounds_twice(
    played: Event, k: int, boards: int, edition: Edition
) -> Iterator[tuple[RoundPairing, dict[frozenset[int], int]]]:
    """Every round but the first of event `k`: the exact pairing, and ours with who has White."""
    parts = played.opponents, played.half_points, played.whites
    opponents, half, whites = (np.asarray(part)[..., k] for part in parts)
    teams = range(opponents.shape[1])
    state = [PairedTeam(t + 1) for t in teams]
    had_bye: set[int] = set()
    for number, (met, scored, white) in enumerate(zip(opponents, half, whites, strict=True)):
        if number:
            on_white = [t for t in teams if met[t] >= 0 and white[t]]
            ours = {frozenset((t + 1, int(met[t]) + 1)): t + 1 for t in on_white}
            yield pair_round(state, edition, had_bye), ours
        gained = np.asarray(match_points(scored, boards))
        had_bye |= {t + 1 for t in teams if met[t] < 0}
        state = [
            replace(
                team,
                match_points=team.match_points + int(gained[t]),
                game_points=team.game_points + scored[t] / 2,
                met=team.met | ({int(met[t]) + 1} if met[t] >= 0 else set()),
                colours=team.colours + ("-" if met[t] < 0 else "W" if white[t] else "B"),
            )
            for t, team in enumerate(state)
        ]


def of_olympiads(events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Recorded `rounds`, the pairs that are `left`, and simulated rounds in `lockstep`."""
    known: list[tuple[TeamEvent, Edition]] = []
    for name in OLYMPIADS:
        event = recorded(name)
        known.append((event, edition_of(event) or "olympiad-2010"))
    known.insert(3, (chennai(), "olympiad-2022"))
    rounds, left = (pd.concat(some) for some in zip(*(real_rounds(*e) for e in known), strict=True))
    twice = pd.DataFrame([lockstep(*world, events, seed) for world in WORLDS])
    return {"rounds": rounds, "left": left, "lockstep": twice}


def shown(frames: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """What the template shows of the tables."""
    errors = frames["errors"]
    names = errors["rule"].map(rule_name).mask(errors["rule"] == TABLE, "table trained on ours")
    sums = frames["rounds"].groupby(["event", "edition"], sort=False).sum(numeric_only=True)
    for name in ("same", "same_on_time"):
        sums[name] = sums[name] / sums["pairs"]
    sums["first_same"] = sums["first_same"] / sums["first_pairs"]
    why = frames["left"].groupby(["event", "why"], sort=False).size().reset_index(name="pairs")
    return {
        **{**frames, "errors": errors[errors["top"].isin(SHOWN)].assign(named=names)},
        **{"sums": sums.reset_index(), "why": why, "top": TOP, "field": FIELD},
    }


@script(
    "reports/pairings",
    events_option(300, "events of every size that the engine pairs"),
    events_option(4000, "events paired by our rule, to compare errors with", "--ours"),
    events_option(12800, "events paired by our rule that the table is trained on", "--trained"),
    events_option(16, "simulated events of every world of Olympiads", "--olympiads"),
)
def main(out: Path, seed: int, events: int, ours: int, trained: int, olympiads: int) -> None:
    """Compare our pairings with FIDE's, of players and of Olympiads."""
    import py4swiss as py4swiss  # before hours of work

    by_size = [compare(*size, events, ours, trained, seed) for size in SIZES]
    tables = {name: pd.concat([frames[name] for frames in by_size]) for name in by_size[0]}
    frames = written(out, tables, digits=5) | written(out, of_olympiads(olympiads, seed))
    about = {"events": events, "seed": seed, "ours": ours, "trained": trained}
    report(out, "pairings.md", {**shown(frames), **about})


if __name__ == "__main__":
    main()
