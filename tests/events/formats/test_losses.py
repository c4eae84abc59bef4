"""What is lost between an event and what was read back of it, whatever the format."""

from dataclasses import replace

import pytest
from trf_samples import SMALL, read

from tb2learn.events.formats.losses import differences

EVENT = read(*SMALL)
TEAMS = range(len(EVENT.teams))
PLAYERS = range(len(EVENT.players))


def lost(back, teams=TEAMS, players=PLAYERS):
    return differences(EVENT, back, teams, players)


def with_first(field, **changes):
    """The event with another first player, game or match."""
    items = getattr(EVENT, field)
    return replace(EVENT, **{field: (replace(items[0], **changes), *items[1:])})


def test_nothing_is_lost_of_the_same_event():
    assert lost(EVENT) == ()
    slashed = replace(EVENT, about={**EVENT.about, "start": "2026/11/20"})
    assert EVENT.about["start"] == "2026-11-20" and lost(slashed) == ()


def turned(one, *pairs):
    """A match or game with the values of pairs of its fields exchanged."""
    swap = {a: getattr(one, b) for a, b in pairs} | {b: getattr(one, a) for a, b in pairs}
    return replace(one, **swap)


SIDES = [(f"white{field}", f"black{field}") for field in ("_team", "", "_half_points", "_rating")]
TURNED = turned(EVENT.matches[0], ("team_a", "team_b"), ("half_points_a", "half_points_b"))
WITHOUT_BYES = tuple(m for m in EVENT.matches if m.team_b is not None)
OTHER_BYES = tuple(
    replace(m, bye="default", match_points_a=0) if m.bye == "zero" else m for m in EVENT.matches
)
CHANGES = {
    "name of the event": replace(EVENT, name="x"),
    "number of rounds": replace(EVENT, rounds=9),
    "number of planned rounds": replace(EVENT, planned=9),
    "number of boards": replace(EVENT, boards=9),
    "'start' of the event": replace(EVENT, about={**EVENT.about, "start": "2026"}),
    "'city' of the event": replace(EVENT, about={**EVENT.about, "city": ""}),
    "names of teams: 1, such as 'Aces'": replace(EVENT, teams=("x", *EVENT.teams[1:])),
    "ratings of teams other than those of their players who played: 1, such as 'Aces'": replace(
        EVENT, ratings=((), *EVENT.ratings[1:])
    ),
    "names of players: 1, such as 'Ace, Alf'": with_first("players", name="x"),
    "FIDE numbers of players: 1, such as 'Ace, Alf'": with_first("players", fide_id=9),
    "ratings of players: 1, such as 'Ace, Alf'": with_first("players", rating=9),
    "dates of birth of players: 1, such as 'Ace, Alf'": with_first("players", birth="1990"),
    "match numbers: 1": with_first("matches", number=99),
    "which team has white on board 1: matches: 1": with_first("matches", **vars(TURNED)),
    "match points of matches or byes: 1": with_first("matches", match_points_a=0),
    "numbers of boards decided or forfeited: matches: 1": with_first("matches", boards_decided=1),
    "colours of games: 1": with_first("games", **vars(turned(EVENT.games[0], *SIDES))),
    "results of games: 1": with_first("games", white_half_points=1, black_half_points=1),
    "whether games were played: 1": with_first("games", played=False),
    "numbers of boards: 1": with_first("games", board=9),
    "ratings of games other than those of their players: 1": with_first("games", white_rating=9),
    "games: 1": replace(EVENT, games=EVENT.games[1:]),
    "matches: 1": replace(EVENT, matches=EVENT.matches[1:]),
    "byes: 3": replace(EVENT, matches=WITHOUT_BYES),
    "kinds of byes: 1": replace(EVENT, matches=OTHER_BYES),
}


@pytest.mark.parametrize("line", CHANGES)
def test_one_change_is_one_line(line):
    assert lost(CHANGES[line]) == (line,)


def test_teams_and_players_who_are_not_there():
    found = lost(EVENT, teams=[0, 1, 2, 3, None], players=[0, 0, *range(2, 10), None])
    assert "teams left out: 1, such as 'Eels'" in found
    assert "players left out: 1, such as 'Elk'" in found
    assert "players of a team with the same name: 2, such as 'Ace, Alf'" in found
    assert "matches: 1" in found and "byes: 2" in found


def test_boards_of_nobody_are_told_apart_by_what_is_known_of_them():
    """A game that did not change is not taken for another one of the same teams without names."""
    nobody = tuple(replace(g, white=None, black=None) for g in EVENT.games)
    before = replace(EVENT, games=nobody)
    after = replace(EVENT, games=nobody[1:])
    assert differences(before, after, TEAMS, PLAYERS) == ("games: 1",)
    assert differences(before, replace(EVENT, games=nobody[::-1]), TEAMS, PLAYERS) == ()
