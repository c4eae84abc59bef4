"""Games as PGN."""

from tb2learn.events.files import pgn
from tb2learn.events.files.draft import event_of
from tb2learn.events.files.options import Reading
from tb2learn.events.files.source import Content, text_in_page

MOVES = "1. e4 e5 *"


def game(white_team="A", black_team="B", moves=MOVES, **tags):
    """One game in export format."""
    given_tags = {
        "Event": "Cup",
        "Round": "1",
        "White": f"{white_team} one",
        "Black": f"{black_team} one",
        "Result": "1-0",
        "WhiteTeam": white_team,
        "BlackTeam": black_team,
        **tags,
    }
    lines = [f'[{tag} "{value}"]' for tag, value in given_tags.items() if value is not None]
    return "\n".join(lines) + f"\n\n{moves}\n\n"


MATCH = game(Site="Baku") + game("B", "A", White="B two", Black="A two", Result="1/2-1/2")
"""A match on two boards."""
TWO_BOARDS = (
    game(Round="1.7", Board="1", WhiteElo="2500", BlackElo="2400", WhiteTitle="GM", Site="Baku")
    + game("B", "A", Round="1.7", Board="2", White="B two", Black="A two", Result="1/2-1/2",
           WhiteFideId="17", EventDate="2016.09.02")
)  # fmt: skip
"""The same with more tags."""
PLAYERS = """[Event "Open"]
[Round "1.1"]
[White "Ace"]
[Black "Cat"]
[Result "1-0"]
[WhiteFideId "77"]
[WhiteElo "2400"]

1. e4 1-0

[Event "Open"]
[Round "1"]
[Board "2"]
[White "Bat"]
[Black "bye"]
[Result "1-0"]

1-0

[Event "Open"]
[Round "2.1"]
[White "Dog"]
[Black "Ace, A"]
[Result "0-1"]
[BlackFideId "77"]
[Termination "forfeit"]

0-1
"""
"""An individual event: a game, a bye, a forfeited game of a player with another name."""


def read_pgn(data, file, name, options):
    """The event in a PGN; one without a name has the `name`."""
    return event_of(pgn.read_pgn(Content(file, name, data, *text_in_page(data)), options))


def read(text, strict=False):
    data = text if isinstance(text, bytes) else text.encode()
    return read_pgn(data, "games.pgn", "games", Reading(strict=strict))


def rounds(*games_given):
    return read("".join(game(a, b, Round=r, **more) for r, a, b, more in games_given))
