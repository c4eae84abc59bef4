"""Are our pairings of Olympiads those of FIDE? Real rounds, and the two forms of our own rule."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pandas as pd

from studies.script import events_option, recorded, report, script, written
from studies.worlds import OLYMPIADS
from tb2learn.chess import Edition
from tb2learn.chess.olympiad_pairing import PairedTeam, RoundPairing, pair_round
from tb2learn.chess.results import match_points
from tb2learn.config import load_config
from tb2learn.events.model import TeamEvent
from tb2learn.events.next_round import edition_of, no_bye, paired_teams
from tb2learn.events.parts import Match
from tb2learn.simulation.event import Event
from tb2learn.simulation.formats import play_batch

CHENNAI = Path(__file__).parent / "data" / "olympiad2022.csv"
TOP = 30  # the boards that are counted apart

WORLDS = (("olympiad-180x11", "olympiad-2022"), ("seeded-180x11", "olympiad-2010"))

Pairs = set[frozenset[int]]


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


def late(pairs: Pairs, before: TeamEvent, known: dict[int, PairedTeam]) -> set[int]:
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


def _pairs(made: RoundPairing) -> Pairs:
    return {frozenset((pair.white, pair.black)) for pair in made.pairs}


def lockstep(world: str, edition: Edition, number: int, seed: int) -> dict[str, Any]:
    """How many pairs of the exact rule the simulator makes, from its own states."""
    config = load_config(world)
    config = replace(config, event=replace(config.event, pairing=edition))
    keys = jax.random.split(jax.random.key(seed), number)
    played = jax.jit(lambda keys: play_batch(keys, config))(keys)
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


@script("reports/olympiad-pairings", events_option(16, "simulated events of every world"))
def main(out: Path, seed: int, events: int) -> None:
    """Pair the rounds of five Olympiads by FIDE's rules, and simulated rounds in both forms."""
    known: list[tuple[TeamEvent, Edition]] = []
    for name in OLYMPIADS:
        event = recorded(name)
        known.append((event, edition_of(event) or "olympiad-2010"))
    known.insert(3, (chennai(), "olympiad-2022"))
    rounds, left = (pd.concat(some) for some in zip(*(real_rounds(*e) for e in known), strict=True))
    twice = pd.DataFrame([lockstep(*world, events, seed) for world in WORLDS])
    tables = written(out, {"rounds": rounds, "left": left, "lockstep": twice})
    rounds = tables["rounds"]
    sums = rounds.groupby(["event", "edition"], sort=False).sum(numeric_only=True).reset_index()
    for name in ("same", "same_on_time"):
        sums[name] = sums[name] / sums["pairs"]
    sums["first_same"] = sums["first_same"] / sums["first_pairs"]
    why = tables["left"].groupby(["event", "why"], sort=False).size().reset_index(name="pairs")
    given = {"sums": sums, "why": why, "lockstep": tables["lockstep"], "seed": seed, "top": TOP}
    report(out, "olympiad_pairings.md", given)


if __name__ == "__main__":
    main()
