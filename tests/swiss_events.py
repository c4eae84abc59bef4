"""Team Swisses that nobody played, paired round by round by our own program."""

import random
from dataclasses import replace

from tb2learn.events.model import INITIAL_COLOUR, PAIRING_RULES, TeamEvent
from tb2learn.events.next_round import next_round
from tb2learn.events.parts import Game, Match, Player, bye_half_points, matches_of, team_ratings
from tb2learn.types import InputError


def before_first(seed, teams, rounds, code, boards=4):
    """An event of teams before its first round."""
    lot = random.Random(seed)
    ratings = sorted((int(lot.gauss(2200, 200)) for _ in range(teams * boards)), reverse=True)
    players = tuple(
        Player(number // boards, f"Player {number + 1}", rating=rating)
        for number, rating in enumerate(ratings)
    )
    return TeamEvent(
        name=f"Swiss {seed}", teams=tuple(f"Team {k + 1}" for k in range(teams)), rounds=0,
        boards=boards, matches=(), ratings=team_ratings(teams, players, ()), players=players,
        planned=rounds, starts=tuple(range(1, teams + 1)),
        about={PAIRING_RULES: code, INITIAL_COLOUR: lot.choice("WB")},
    )  # fmt: skip


def with_round(event, lot, pairs, bye, forfeits=0.0):
    """The event after one more round, by team numbers from 0, White on board 1 first."""
    number, boards = event.rounds + 1, event.boards
    games, keys = [], {}
    for at, (white, black) in enumerate(pairs, start=1):
        keys[number, at] = white, black
        lost = lot.choice((white, black)) if lot.random() < forfeits else None
        for board in range(boards):
            first, second = (white, black) if board % 2 == 0 else (black, white)
            edge = event.players[first * boards].rating - event.players[second * boards].rating
            half = lot.choices((0, 1, 2), (1, 1, 2 ** (edge / 100)))[0]
            if lost is not None:
                half = 0 if lost == first else 2
            games.append(
                Game(
                    number, at, board + 1, first, second, first * boards + board,
                    second * boards + board, half, 2 - half, lost is None,
                )
            )  # fmt: skip
    matches = [*matches_of(games, keys)]
    paired = {team for pair in pairs for team in pair}
    for team in range(len(event.teams)):
        if team not in paired:
            kind = "pairing" if team == bye else "zero"
            half = bye_half_points(kind, boards)
            matches.append(Match(number, len(matches) + 1, team, None, half, 0, 0, 0, kind))
    return replace(
        event, rounds=number, matches=(*event.matches, *matches), games=(*event.games, *games)
    )


def played_event(seed, teams, rounds, code, forfeits=0.0, absent=0.0, boards=4, slip=None):
    """An event and who was absent in each round, as far as its rules can pair it.

    **Arguments:** `slip`: from the number of a round and its pairs to other pairs.
    """
    lot, event, away = random.Random(seed), before_first(seed, teams, rounds, code, boards), []
    for number in range(1, rounds + 1):
        missing = [t for t in range(teams) if number > 1 and lot.random() < absent]
        names = [event.teams[team] for team in missing]
        try:
            there = [name for name in event.teams if name not in names]
            made = next_round(event, absent=names, present=there).pairing
        except InputError:
            break
        pairs = [(pair.white - 1, pair.black - 1) for pair in made.pairs]
        pairs = pairs if slip is None else slip(number, pairs)
        bye = None if made.bye is None else made.bye - 1
        event = with_round(event, lot, pairs, bye, forfeits)
        away.append(missing)
    return event, away
