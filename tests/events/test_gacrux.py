"""Our files and tie-breaks against FIDE's reference checker, as an independent program.

Every one of FIDE's codes is compared cell by cell in 60 generated events.
"""

import contextlib
import dataclasses
import io

import numpy as np
import player_samples
import pytest
import trf_samples

from tb2learn.catalogue import find_rule
from tb2learn.chess.berger import round_robin
from tb2learn.events import CriteriaReader, TeamEvent, rank, read_criteria, usual_rule
from tb2learn.events.criteria import complete, evaluate
from tb2learn.events.files.trf_write import write_trf
from tb2learn.events.parts import (
    STANDARD_SCORING,
    Game,
    Match,
    Penalty,
    Player,
    bye_half_points,
    matches_of,
    team_ratings,
)
from tb2learn.tiebreaks.library import codes
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError

pytest.importorskip("gacrux", reason="needs FIDE's tie-break checker: pip install gacrux")

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
        matches=tuple(m.paid(scoring) for m in matches), scoring=scoring, individual=individual,
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


def checked(text, listed, cyclic=False, rounds=-1):
    """Place and values by the checker for every code, in the order of the start numbers.

    After a number of rounds; -1 stands for all that are planned.
    """
    from gacrux import tiebreak, trf2json

    file = trf2json.trf2json()
    file.parse_file(text, True)
    tournament = file.get_tournament(1)
    wanted = {"tiebreak": [*listed], "check": False, "unrated": None,
              "pre_determined": cyclic, "swiss": not cyclic}  # fmt: skip
    with contextlib.redirect_stdout(io.StringIO()):
        found = tiebreak.tiebreak(tournament, rounds, wanted).compute_tiebreaks(tournament, wanted)
    rows = sorted(found["competitors"], key=lambda row: row["cid"])
    return [(row["rank"], *(float(cell or 0) for cell in row["tiebreakScore"])) for row in rows]


def draws_the_last_round(code):
    """Whether it is a Fore Buchholz: these are asked last, see the test below."""
    return code.startswith("FB") or "/F" in code


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
        text, order = write_trf(event, 2026), CriteriaReader.of(event)
        completed = complete(event, "face-value" if cyclic else "c07")
        turn = seed // 2  # every code in one of six events, those asked alone in one of seven
        groups = [together[turn % 6 :: 6], *([code] for code in alone[turn % 7 :: 7])]
        for group in groups:
            group = sorted(group, key=draws_the_last_round)
            rows = checked(text, [first, *group], cyclic)
            for number, code in enumerate(group, start=2):
                *before, last = order.read([f"{first},{code}"], find_rule)
                *held, scores = evaluate(completed, [*before, last])
                ours = last.shown(scores, held).tolist()
                cells = [row[number] for row in rows]
                assert ours == pytest.approx(cells, abs=1e-4), (seed, code)
        seen["byes"] += sum(m.bye not in ("", "zero") for m in event.matches)
        seen["absences"] += sum(m.bye == "zero" for m in event.matches)
        seen["forfeits"] += sum(m.by_default for m in event.matches)
    assert min(seen.values()) > 20  # what tie-breaks trip over is there


@pytest.mark.thorough
@pytest.mark.parametrize("individual", [True, False], ids=["players", "teams"])
def test_every_cell_before_the_last_round_is_the_checkers(individual):
    """One round or two are missing, also of round robins.

    There the checker compares tied players by the games so far, though not all have met; ours does
    not decide between them.
    """
    first = "PTS" if individual else "MPTS"
    listed = [code for code in asked(individual) if not code.startswith(("DE", "EDE"))]
    alone = [code for code in listed if code.startswith(("TBR", "BBE"))]
    together = [code for code in listed if code not in alone]
    for seed in range(200 if individual else 201, 236, 2):
        whole, cyclic = generated(seed), seed % 6 < 2
        cut = whole.after(whole.rounds - 1 - seed // 6 % 2)
        completed = complete(cut, "face-value" if cyclic else "c07")
        turn = seed // 2
        for group in (together[turn % 4 :: 4], *([code] for code in alone[turn % 4 :: 4])):
            group = sorted(group, key=draws_the_last_round)
            rows = checked(write_trf(cut, 2026), [first, *group], cyclic, cut.rounds)
            for number, code in enumerate(group, start=2):
                *before, last = CriteriaReader.of(cut).read([f"{first},{code}"], find_rule)
                *held, scores = evaluate(completed, [*before, last])
                ours = last.shown(scores, held).tolist()
                cells = [row[number] for row in rows]
                assert ours == pytest.approx(cells, abs=1e-4), (seed, code)


def test_after_a_fore_buchholz_the_checker_has_other_sums():
    """It keeps who is drawn in the final round, and their absences are no draws from then on."""
    event = generated(1100)
    *_, mean = CriteriaReader.of(event).read(["PTS,AOB/P"], find_rule)
    ours = mean.shown(mean.scores(complete(event, "c07")), []).tolist()
    text = write_trf(event, 2026)
    alone, after = (
        [row[-1] for row in checked(text, ["PTS", *before, "AOB/P"])] for before in ([], ["AOB/F"])
    )
    assert ours == alone == [21.5, 17, 0, 17, 16.5, 23, 20.75, 17, 0]
    assert after == [21.5, 15, 0, 17, 15.5, 23, 20.75, 15, 0]


# ------------------------------------------------------------------------------------ teams

CRITERIA = ("MPTS", "GPTS", "EMGSB/C1")
"""Match points, game points and the sum of an Olympiad."""


def of_teams(event, version, criteria=CRITERIA):
    return [values for _, *values in checked(write_trf(event, version), criteria)]


def our_teams(event, unplayed):
    rows = rank(event, product_table(event.rounds, event.boards), unplayed=unplayed)
    scores = {row.team: [row.scores[name] for name in ("mp", "gp", "tb2")] for row in rows}
    return [scores[team] for team in event.teams]


@pytest.mark.slow
@pytest.mark.parametrize("version", [2026, 2016])
def test_baku_under_the_general_rules(baku, version):
    """Every team, also those that missed rounds; without a date the checker takes the newest."""
    undated = dataclasses.replace(baku, about={})
    assert our_teams(undated, "c07") == of_teams(undated, version)


@pytest.mark.parametrize("unplayed", ["c07", "c07-2024"])
def test_penalties_and_other_match_points(unplayed):
    """Penalties of a round, or of all, change the standings; tie-breaks see the results alone."""
    small = trf_samples.read(*trf_samples.SMALL)
    penalties = (Penalty(0, 2, -1, -1), Penalty(3, 0, -2, -3), Penalty(2, 3, 0, -2))
    year = "2024" if unplayed == "c07-2024" else "2026"
    criteria = ("MPTS", "GPTS", f"EMGSB/C1/V{year}")
    for scoring in ((2, 1, 0), (3, 1, 0)):
        event = dataclasses.replace(
            small, scoring=scoring, penalties=penalties, planned=small.rounds,
            matches=tuple(
                m.paid(scoring) for m in small.matches if m.match_points_a is None
            ),
        )  # fmt: skip
        assert our_teams(event, unplayed) == of_teams(event, 2026, criteria)


@pytest.mark.parametrize("bye", ["half", "full", "zero", "default"])
@pytest.mark.parametrize("version", [2016, 2026])
def test_byes_and_forfeits_are_written_as_the_checker_reads_them(bye, version):
    event = trf_samples.read(*trf_samples.SMALL)
    half_points = {"half": 2, "full": 4, "zero": 0, "default": 4}[bye]
    matches = tuple(
        dataclasses.replace(m, bye=bye, half_points_a=half_points, match_points_a=None)
        if m.bye == "half"
        else m
        for m in event.matches
    )
    event = dataclasses.replace(event, matches=matches, planned=event.rounds)
    assert of_teams(event, version) == our_teams(event, "c07")


# ---------------------------------------------------------------------------------- players


def test_three_points_for_a_win_and_penalties():
    plain = player_samples.read(*player_samples.HELD)
    scoring = (6, 2, 0)  # half points: 3, 1, 0
    event = dataclasses.replace(
        plain, scoring=scoring, planned=plain.rounds,
        matches=tuple(
            dataclasses.replace(m, match_points_a=6 if m.bye == "pairing" else None).paid(scoring)
            for m in plain.matches
        ),
        penalties=(Penalty(0, 2, -3, -3), Penalty(3, 0, -2, -2)),
    )  # fmt: skip
    content = write_trf(event, 2026)
    assert "162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0\r\n" in content
    codes = "PTS,DE,BH/C1/V2026,BH/V2026,SB/V2026,WIN,PS,KS"

    def find(name):
        return find_rule(name, event.rounds, 1)

    rows = {
        row.team: row for row in rank(event, read_criteria(event, [codes], find), unplayed="c07")
    }
    for name, expected in zip(event.teams, checked(content, codes.split(",")), strict=True):
        assert (rows[name].place, *rows[name].scores.values()) == pytest.approx(expected, abs=1e-3)
    with pytest.raises(InputError, match=r"formula is made for games that score 1, 0\.5, 0"):
        rank(event, read_criteria(event, "formula", find))
    assert usual_rule(event) == "fide"
