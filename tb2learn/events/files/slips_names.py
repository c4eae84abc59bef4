"""What in names looks like a slip of whoever wrote a record, for every form of file.

A letter that is missed makes another entrant, or another player of a team: one who is there just
where the first one is not. A name that stands in a file once can be wrong without a trace.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized

from tb2learn.events.files.headings import folded
from tb2learn.events.files.pairings import Draft
from tb2learn.events.parts import Game, Match
from tb2learn.text import plain

_MOST_EXAMPLES = 4
_FAR, _FAR_WITH_ID = 100, 300
"""So many points apart are ratings of two persons rather than of two lists; of one number, a slip.
"""
_RARE = 0.1
"""Share of names with digits up to which these are slips."""
_LEAST, _LONGEST = 4, 60
"""Letters of names of which one may be missed; longer ones are no names that a hand wrote."""
_ALIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХавеѕіјкмнорстухΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχ",
    "ABESIJKMHOPCTYXabesijkmhopctyxABEZHIKMNOPTYXaiknopux",
)
"""Cyrillic and Greek letters, and the Latin ones that look like them."""
_DIGIT = re.compile(r"[^\W\d_]\d|\d[^\W\d_]")
_DIGIT_INSIDE = re.compile(r"[^\W\d_]\d[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+")
_INITIAL = re.compile(r"\b[^\W\d_]\b\.?")
_APART = re.compile(r"\d+|\b[^\W\d_]{1,2}\b|\b[IVX]+\b")
"""What tells teams of one club apart: numbers, and words of one or two letters."""


def note_of(about: str, texts: Sequence[str]) -> list[str]:
    """A note with the first of some texts, and how many more there are; none without any."""
    rest = f"; and {len(texts) - _MOST_EXAMPLES} more" if len(texts) > _MOST_EXAMPLES else ""
    return [f"{about}: {'; '.join(texts[:_MOST_EXAMPLES])}{rest}"] if texts else []


def short(name: str) -> str:
    """A name in a note."""
    return plain(name[:40])


def few(some: Sized, of_all: Sized) -> bool:
    """Whether some are so few of all that they are slips."""
    return len(some) <= _RARE * len(of_all)


def name_slips(draft: Draft, matches: Sequence[Match], games: Sequence[Game]) -> list[str]:
    """The notes on names of entrants, and on the players of teams."""
    return [
        *_alike(draft),
        *_one_letter_apart(draft, matches, games),
        *_strange_letters(draft),
        *_ratings_apart(draft, games),
        *_two_games_in_a_round(draft, games),
        *_in_two_teams(draft),
        *_without_a_name(draft, games),
    ]


def looks_as(name: str) -> str:
    """What is left of a name that two who look alike have in common.

    Case, accents, blanks, punctuation and characters that nobody sees do not count; Cyrillic and
    Greek letters count as the Latin ones that look like them.
    """
    return folded(name.translate(_ALIKE)) or unicodedata.normalize("NFKC", name)


def _alike(draft: Draft) -> list[str]:
    """Names of entrants that look alike, unless FIDE numbers or start numbers tell them apart."""
    groups: dict[str, list[int]] = defaultdict(list)
    for number, name in enumerate(draft.names):
        groups[looks_as(name)].append(number)
    texts = list[str]()
    for numbers in groups.values():
        ids = {draft.players[n].fide_id for n in numbers} if draft.individual else {0}
        if len(numbers) > 1 and (0 in ids or len(ids) < len(numbers)):
            texts.append(" and ".join(_spelt(draft.names[n]) for n in numbers))
    word = "players" if draft.individual else "teams"
    return note_of(f"names that look alike count as different {word}", texts)


def _spelt(name: str) -> str:
    """A name in which letters of other scripts, and what cannot be seen, are named."""
    name = short(name)
    scripts = {unicodedata.name(c, "?").split()[0] for c in name if c.isalpha()}
    strange = sorted(scripts - {"LATIN"}) if len(scripts) > 1 else []
    return f"{name!r} ({', '.join(strange).lower()} letters)" if strange else repr(name)


def _ratings_apart(draft: Draft, games: Iterable[Game]) -> list[str]:
    """Players whose games give ratings that are far apart."""
    ratings: dict[int, set[int]] = defaultdict(set)
    for game in games:
        for side in game.sides:
            if side.player is not None and side.rating:
                ratings[side.player].add(side.rating)
    texts = [
        f"{short(draft.players[player].name)} {min(of)} and {max(of)}"
        for player, of in sorted(ratings.items())
        if max(of) - min(of) >= (_FAR_WITH_ID if draft.players[player].fide_id else _FAR)
    ]
    return note_of("ratings of one name that are far apart, perhaps of two persons", texts)


def _one_letter_apart(draft: Draft, matches: Iterable[Match], games: Iterable[Game]) -> list[str]:
    """Names that differ in one letter, of which one plays just where the other one does not."""
    rounds: dict[int, list[int]] = defaultdict(list)
    for match in matches:
        # Who has a bye that pays nothing may be somebody else who plays.
        for team in match.teams if match.bye != "zero" else ():
            rounds[team].append(match.round)
    names = dict(enumerate(draft.names))
    texts = [
        f"{_spelt(names[rare])} in {_in_rounds(rounds[rare])} and {_spelt(names[usual])}"
        for usual, rare in _alternating(names, rounds)
    ]
    word = "players" if draft.individual else "teams"
    notes = note_of(
        f"names of {word} that differ in one letter, and never play in one round", texts
    )
    if draft.individual:
        without = [
            f"{_spelt(names[bare])} in {_in_rounds(rounds[bare])} and {_spelt(names[whole])}"
            for whole, bare in _without_initial(names, rounds)
            if not draft.players or not all(draft.players[n].fide_id for n in (whole, bare))
        ]
        about = "names of players of which one lacks an initial, and that never play in one round"
        return [*notes, *note_of(about, without)]
    of_players: dict[int, list[int]] = defaultdict(list)
    for game in games:
        for side in game.sides:
            if side.player is not None:
                of_players[side.player].append(game.round)
    squads: dict[int, dict[int, str]] = defaultdict(dict)
    for number, player in enumerate(draft.players):
        squads[player.team][number] = player.name
    texts = []
    for team, squad in squads.items():
        for usual, rare in _alternating(squad, of_players):
            ids = {draft.players[usual].fide_id, draft.players[rare].fide_id}
            # Two numbers are two persons; a slip is in a round or two.
            if (len(ids) < 2 or 0 in ids) and len(of_players[rare]) <= 2:
                where = _in_rounds(of_players[rare])
                both = f"{_spelt(squad[rare])} in {where} and {_spelt(squad[usual])}"
                texts.append(f"{short(draft.names[team])} {both}")
    return [*notes, *note_of("players of a team whose names differ in one letter", texts)]


def _in_rounds(rounds: Sequence[int]) -> str:
    numbers = sorted({*rounds})
    if numbers == [0]:
        return f"{len(rounds)} of them"
    return f"round{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"


def _alternating(
    names: Mapping[int, str], rounds: Mapping[int, Sequence[int]]
) -> Iterator[tuple[int, int]]:
    """Those whose names differ in one letter, and who have no round in common: the rarer second."""
    near: dict[str, list[int]] = defaultdict(list)
    for number, name in names.items():
        if _LEAST <= len(folded(name)) <= _LONGEST and rounds.get(number):
            for key in _one_less(folded(name)):
                near[key].append(number)
    pairs = {
        (a, b) for numbers in near.values() if len(numbers) < 20
        for a in numbers for b in numbers if a < b
    }  # fmt: skip
    most = max(map(len, rounds.values()), default=0)
    for pair in sorted(pairs):
        usual, rare = sorted(pair, key=lambda number: (-len(rounds[number]), number))
        apart = [_APART.findall(names[number]) for number in (usual, rare)]
        # Teams of a club differ in a number or a letter, and so do players in an initial.
        if apart[0] != apart[1] or looks_as(names[usual]) == looks_as(names[rare]):
            continue
        both = {*rounds[usual]} & {*rounds[rare]}
        # Where rounds are not known, who is rare shows it.
        unknown = both == {0} and 3 * len(rounds[rare]) <= most
        if not both or unknown:
            yield usual, rare


def _without_initial(
    names: Mapping[int, str], rounds: Mapping[int, Sequence[int]]
) -> Iterator[tuple[int, int]]:
    """Those whose names are one but for initials, and who have no round in common: bare second."""
    bare = {folded(name): n for n, name in names.items() if not _INITIAL.search(name)}
    for number, name in names.items():
        rest = folded(_INITIAL.sub("", name))
        other = bare.get(rest) if rest and _INITIAL.search(name) else None
        if other is None or not (rounds.get(number) and rounds.get(other)):
            continue
        if not {*rounds[number]} & {*rounds[other]}:
            yield number, other


def _one_less(name: str) -> set[str]:
    """A name, and all that is left of it without one letter: two with one in common are near."""
    return {name, *(name[:k] + name[k + 1 :] for k in range(len(name)))}


def is_misspelt(name: str, other: str) -> bool:
    """Whether two names of one person differ in a letter, or have no word in common."""
    a, b = folded(name), folded(other)
    if not a or not b or a == b:
        return False
    near = max(len(a), len(b)) <= _LONGEST and bool(_one_less(a) & _one_less(b))
    words = [{folded(word) for word in _WORD.findall(text)} for text in (name, other)]
    # Servers shorten first names, and put them before or behind.
    return (near and _APART.findall(name) == _APART.findall(other)) or not words[0] & words[1]


def _strange_letters(draft: Draft) -> list[str]:
    """Names with a digit in a word, where others have none; words with letters of two scripts."""
    players = [player.name for player in draft.players]
    entrants = [] if draft.individual and players else [*draft.names]
    slips = list[str]()
    # A team's name may have the year of its club, or a number behind it.
    for names, of_slip in ((players, _DIGIT), (entrants, _DIGIT_INSIDE)):
        odd = [name for name in names if of_slip.search(name)]
        slips += odd if few(odd, names) else []
    scripts = [
        name for name in (*players, *entrants)
        if any(len(_scripts(word)) > 1 for word in _WORD.findall(name))
    ]  # fmt: skip
    return [
        *note_of("digits among the letters of a name", [repr(short(name)) for name in slips]),
        *note_of(
            "letters of two scripts in a word", [_spelt(name) for name in dict.fromkeys(scripts)]
        ),
    ]


def _scripts(word: str) -> set[str]:
    """The scripts of a word's letters, of those whose letters are mistaken for each other."""
    kinds = {unicodedata.name(c, "?").split()[0] for c in word if c.isalpha()}
    return kinds & {"LATIN", "CYRILLIC", "GREEK"}


def _two_games_in_a_round(draft: Draft, games: Iterable[Game]) -> list[str]:
    """Players of teams who sit at two boards in a round, and who play against themselves."""
    seats: Counter[tuple[int, int]] = Counter()
    texts = list[str]()
    for game in () if draft.individual else games:
        white, black = game.white, game.black
        seats.update((game.round, side.player) for side in game.sides if side.player is not None)
        if white is None or black is None or not game.played:
            continue
        both = draft.players[white], draft.players[black]
        if both[0].name == both[1].name and _one_person(both[0].fide_id, both[1].fide_id):
            texts.append(f"{short(both[0].name)} in round {game.round} on board {game.board}")
    twice = [
        f"{short(draft.players[player].name)} in round {number}"
        for (number, player), times in seats.items()
        if times > 1 and number
    ]
    return [
        *note_of("players with two games in a round", twice),
        *note_of("players who meet one of their own name", texts),
    ]


def _one_person(first: int, second: int) -> bool:
    """Whether FIDE numbers do not tell two persons."""
    return not (first and second) or first == second


def _in_two_teams(draft: Draft) -> list[str]:
    """Players of one name and rating in two teams, unless FIDE numbers tell them apart."""
    groups: dict[tuple[str, int], list[int]] = defaultdict(list)
    for number, player in enumerate(draft.players if not draft.individual else ()):
        # Who has no rating may be anybody of the name.
        if player.rating and player.name != "?":
            groups[folded(player.name), player.rating].append(number)
    texts = list[str]()
    for numbers in groups.values():
        teams = {draft.players[n].team for n in numbers}
        ids = [draft.players[n].fide_id for n in numbers]
        if len(teams) > 1 and (0 in ids or len({*ids}) < len(ids)):
            squads = " and ".join(short(draft.names[team]) for team in sorted(teams))
            texts.append(f"{short(draft.players[numbers[0]].name)} in {squads}")
    return note_of("one player in two teams", texts)


def _without_a_name(draft: Draft, games: Iterable[Game]) -> list[str]:
    """Games over the board of which one player is not named, where nearly all others are."""
    games = [] if draft.individual else [game for game in games if game.played]
    alone = [game for game in games if (game.white is None) != (game.black is None)]
    places = [
        f"round {game.round} {' - '.join(short(draft.names[side.team]) for side in game.sides)} "
        f"on board {game.board}"
        for game in alone
    ]
    return note_of("games with a player whom nobody names", places) if few(alone, games) else []
