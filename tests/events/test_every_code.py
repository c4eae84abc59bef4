"""Every one of FIDE's codes in 60 generated events, cell by cell against FIDE's checker."""

import contextlib
import io

import numpy as np
import pytest

from tb2learn.catalogue import find_rule
from tb2learn.chess.berger import round_robin
from tb2learn.events import TeamEvent
from tb2learn.events.criteria import evaluate
from tb2learn.events.files.trf_write import write_trf
from tb2learn.events.parts import (
    STANDARD_SCORING,
    Game,
    Match,
    Player,
    bye_half_points,
    matches_of,
    team_ratings,
    with_scoring,
)
from tb2learn.events.rank import complete, order_of
from tb2learn.tiebreaks.library import codes

gacrux = pytest.importorskip("gacrux", reason="needs FIDE's tie-break checker: pip install gacrux")

MODIFIERS = {
    "C": ("/C1", "/C2"), "M": ("/M1", "/M2"), "L": ("/L+1", "/L-1", "/L60"), "F": ("/F",),
    "R": ("/R",), "P": ("/P",), "U": ("/U1400",), "V": ("/V2024",), "K": ("/K3",),
}  # fmt: skip
"""Modifiers that are tried, by letter."""

NOT_COMPARED = ("RND", "MPVGP:GP")
"""Both draw lots; and match points, where game points come first."""

THREE = {True: (6, 2, 0), False: (3, 1, 0)}
"""Three points for a win: half points of players, match points of teams."""

RETIRES, BYE, FORFEIT, EMPTY = 0.04, 0.12, 0.1, 0.05
"""Shares of entrants who leave or ask for a bye in a round, of matches and boards by default."""


def generated(seed):
    """An event of players or teams with random pairs and results, that nobody played.

    Every sixth is a round robin; the others have byes, retirements and an odd number at times. In
    all matches and boards are won by default, or lost by both sides.
    """
    rng = np.random.default_rng(seed)
    individual = seed % 2 == 0
    boards = 1 if individual else int(rng.choice([2, 4, 6]))
    teams, rounds = int(rng.integers(6, 13)), int(rng.integers(4, 8))
    cyclic = round_robin(teams, 1).games.tolist() if seed % 6 < 2 else None
    rounds = len(cyclic) if cyclic else rounds
    scoring = THREE[individual] if seed % 5 == 0 and not cyclic else STANDARD_SCORING
    ratings = np.sort(rng.integers(1700, 2600, (teams, boards)), axis=None)[::-1]
    players = tuple(
        Player(number // boards, f"Player {number + 1}", rating=int(rating))
        for number, rating in enumerate(ratings)
    )
    left, games, matches = set(), [], []
    for number in range(1, rounds + 1):
        resting = set(range(teams)) - set(np.ravel(cyclic[number - 1]).tolist()) if cyclic else left
        byes = dict.fromkeys(resting, "zero")
        for team in set(range(teams)) - left if not cyclic else ():
            if number > 1 and rng.random() < RETIRES:
                left.add(team)
                byes[team] = "zero"
            elif rng.random() < BYE:
                byes[team] = str(rng.choice(["half", "zero", "full"][: 3 if individual else 2]))
        there = rng.permutation([team for team in range(teams) if team not in byes]).tolist()
        if len(there) % 2 and not cyclic:
            byes[there.pop()] = "pairing"
        pairs = cyclic[number - 1] if cyclic else zip(there[::2], there[1::2], strict=True)
        keyed = {(number, match): tuple(pair) for match, pair in enumerate(pairs, start=1)}
        played = [game for key, pair in keyed.items() for game in boards_of(rng, key, pair, boards)]
        games += played
        matches += matches_of(played, keyed)
        for place, (team, bye) in enumerate(byes.items(), start=len(keyed) + 1):
            points = {"match_points_a": scoring[0]} if individual and bye == "pairing" else {}
            half = 2 if points else bye_half_points(bye, boards)
            matches.append(Match(number, place, team, None, half, 0, 0, 0, bye, **points))
    everybody = tuple((player.rating,) for player in players)
    ratings = everybody if individual else team_ratings(teams, players, games)
    names = [player.name if individual else f"Team {player.team}" for player in players[::boards]]
    return TeamEvent(
        name="generated", teams=tuple(names), rounds=rounds, boards=boards, planned=rounds,
        matches=with_scoring(matches, scoring), scoring=scoring, individual=individual,
        ratings=ratings, players=players, games=tuple(games),
    )  # fmt: skip


def boards_of(rng, key, pair, boards):
    """The boards of a match: the first team has White on board 1, colours alternate."""
    absent = rng.random()  # the second team, or both
    for board in range(1, boards + 1):
        white, black = pair if board % 2 else pair[::-1]
        half = int(rng.integers(3))
        played = absent > FORFEIT and (boards == 1 or rng.random() > EMPTY)
        scored = (half, 2 - half) if played else (2, 0) if white == pair[0] else (0, 2)
        scored = (0, 0) if absent < FORFEIT / 5 else scored
        yield Game(
            round=key[0], match=key[1], board=board, white_team=white, black_team=black,
            white=white * boards + board - 1, black=black * boards + board - 1,
            white_half_points=scored[0], black_half_points=scored[1], played=played,
        )  # fmt: skip


def asked(individual):
    """Every code with its scores and modifiers."""
    listed = []
    for code, entry in codes(individual).items():
        rated = entry.needs == "ratings" and not individual  # the checker knows none of teams
        if code in ("PTS", "MPTS", *NOT_COMPARED) or rated:
            continue
        based = entry.based and not individual and ":" not in code
        for head in (code, f"{code}:MP", f"{code}:GP") if based else (code,):
            changes = [change for letter in entry.letters for change in MODIFIERS[letter]]
            both = ["/C1/P"] if {"C", "P"} <= set(entry.letters) else []
            listed += [head + change for change in ("", *changes, *both)]
    return listed


def checked(text, listed, cyclic):
    """What the checker gives for every code, in the order of the start numbers."""
    from gacrux import tiebreak, trf2json

    file = trf2json.trf2json()
    file.parse_file(text, True)
    tournament = file.get_tournament(1)
    wanted = {"tiebreak": [*listed], "check": False, "unrated": None,
              "pre_determined": cyclic, "swiss": not cyclic}  # fmt: skip
    with contextlib.redirect_stdout(io.StringIO()):
        found = tiebreak.tiebreak(tournament, -1, wanted).compute_tiebreaks(tournament, wanted)
    rows = sorted(found["competitors"], key=lambda row: row["cid"])
    return [[0 if cell is None else float(cell) for cell in row["tiebreakScore"]] for row in rows]


@pytest.mark.thorough
@pytest.mark.parametrize("individual", [True, False], ids=["players", "teams"])
def test_every_cell_is_the_checkers(individual):
    """A direct encounter depends on who was tied before it, so each is asked alone.

    So are codes of boards, whose numbers the checker changes after other codes.
    """
    first, listed = "PTS" if individual else "MPTS", asked(individual)
    assert len(listed) > 50
    alone = [code for code in listed if code.startswith(("DE", "EDE", "TBR", "BBE"))]
    together = [code for code in listed if code not in alone]
    seen = {"byes": 0, "absences": 0, "forfeits": 0}
    for seed in range(0 if individual else 1, 60, 2):
        event, cyclic = generated(seed), seed % 6 < 2
        text, order = write_trf(event, 2026), order_of(event)
        completed = complete(event, "face-value" if cyclic else "c07")
        turn = seed // 2  # every code in one of three events, those asked alone in one of seven
        groups = [together[turn % 3 :: 3], *([code] for code in alone[turn % 7 :: 7])]
        for group in groups:
            rows = checked(text, [first, *group], cyclic)
            for number, code in enumerate(group, start=1):
                *before, last = order.listed(f"{first},{code}", find_rule)
                *held, scores = evaluate(completed, [*before, last])
                ours = last.shown(scores, held).tolist()
                cells = [row[number] for row in rows]
                assert ours == pytest.approx(cells, abs=1e-4), (seed, code)
        seen["byes"] += sum(m.bye not in ("", "zero") for m in event.matches)
        seen["absences"] += sum(m.bye == "zero" for m in event.matches)
        seen["forfeits"] += sum(m.by_default for m in event.matches)
    assert min(seen.values()) > 20  # what tie-breaks trip over is there
