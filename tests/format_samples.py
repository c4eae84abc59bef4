"""Samples of every file format, changes of them, and what must hold of whatever is read."""

import csv
from dataclasses import replace

import crosstable_samples
import csv_samples
import pgn_samples
import player_samples
import trf_samples
from helpers import ROOT

from tb2learn.events.files.dates import iso_date
from tb2learn.events.files.fields import MAX_NOTES
from tb2learn.events.files.options import STRICT, Reading
from tb2learn.events.files.read import read_event
from tb2learn.events.files.registry import forms
from tb2learn.events.files.source import DATES, MemoryFile
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import BYES, Game, Match, Player, bye_half_points, matches_of
from tb2learn.events.parts import team_ratings as ratings_of
from tb2learn.types import InputError

OPEN = """round,white_player,black_player,result,status,bye,white_rating
1,Ace,Cat,1-0,,,2000
1,Bat,,,,half,
2,Cat,Bat,1/2-1/2,played,,x
2,Dog,Ace,0-1,forfeit,,
"""
SAMPLES = {
    "nothing": b"",
    "small.trf": trf_samples.text(*trf_samples.SMALL).encode(),
    "players.trf": player_samples.text(*player_samples.HELD).encode(),
    "games.pgn": pgn_samples.TWO_BOARDS.encode(),
    "players.pgn": pgn_samples.PLAYERS.encode(),
    "matches.csv": csv_samples.GOOD.encode(),
    "open.csv": OPEN.encode(),
    "players.crosstable": crosstable_samples.PLAYERS.encode(),
    "teams.crosstable": crosstable_samples.TEAMS.encode(),
    "square.crosstable": crosstable_samples.SQUARE.encode(),
    **{f"{name}.crosstable": text.encode() for name, text in crosstable_samples.LISTS.items()},
}
"""Small files by name, with the ending that they have in practice."""
FORMATS = ROOT / "tests/events/formats"
GOOD = {
    "small.trf": trf_samples.text(*trf_samples.SMALL),
    "open.trf": trf_samples.open_trf(),
    "games.pgn": pgn_samples.MATCH,
    "matches.csv": csv_samples.GOOD,
    "teams.csv": "team\nA\nB\nC\nD\n",
    "boards.csv": csv_samples.GOOD_BOARDS,
    "players.crosstable": crosstable_samples.PLAYERS,
    **{
        f"{name}.crosstable": text
        for name, text in crosstable_samples.LISTS.items()
        if name != "start"
    },
}
with (FORMATS / "refusals.csv").open(encoding="ascii", newline="") as stream:
    REFUSALS = [
        (row["file"], *(row[c].encode().decode("unicode_escape") for c in ("old", "new")),
         row["refusal"].encode().decode("unicode_escape"))
        for row in csv.DictReader(stream)
    ]  # fmt: skip
"""What stands in a good file (`*`: all of it, nothing: its end), what instead, and the refusal.

Several texts are separated by `|`; a file that is not above is in the folder `files`.
"""


def with_changes(file, old, new):
    """The text of a good file in which a row of the table replaces texts, which are there."""
    good = GOOD.get(file) or (FORMATS / "files" / file).read_text("utf-8")
    if old in ("*", ""):
        return new if old else good + new
    for text, other in zip(old.split("|"), new.split("|"), strict=True):
        assert text in good
        good = good.replace(text, other, 1)
    return good


TOKENS = (
    *" 0123459+-=HFUZWDLwbx.,;*/[]{}()%\"\\\r\n\0\x1b\xe9\u03a9\u00bd",
    "0000", "   1 w 1", "0000 - -", "0000 - U", "\n299    -1.0  -0.5    1    2", "310", "352 BW",
    "4001", "1.5", "\n001    1      X", "A", "1-0", "0-0", "bye", "half", "Runde",
    "2w1", "-\u00bd", ";Name", "1.Rd", "Round 2\n", " - ", ";", ":",
    "\nBo.;1;A;Rtg;-;2;B;Rtg;1 : 1\n",
    "\n3,1,A,B,,,,\n",
    '[Board "1"]\n', '[Round "1.1.2"]', '[Termination "bye"]\n', '[White "?"]\n', '[Result "*"]\n',
    "1. e4 e5", "\n\n", "\ufeff", "  ",
)  # fmt: skip


def changed(data, random, most=4):
    """Other bytes: once or more often something is put in, left out, or a line is moved."""
    for _ in range(random.randint(1, most)):
        place = random.randint(0, len(data))
        token = random.choice(TOKENS).encode()
        lines = data.splitlines(keepends=True)
        match random.randrange(5):
            case 0:
                data = data[:place] + token + data[place + len(token) :]
            case 1:
                data = data[:place] + token + data[place:]
            case 2:
                data = data[:place] + data[place + random.choice((1, 1, 2, 12)) :]
            case 3:
                data = data[:place] + random.randbytes(random.randint(1, 3)) + data[place + 1 :]
            case 4 if lines:
                line = lines.pop(random.randrange(len(lines)))
                lines[random.randint(0, len(lines)) :][:0] = [line]
                data = b"".join([*lines, line] if random.random() < 0.5 else lines)
    return data


def read_or_refused(data, name, *ways):
    """The event in a file, or None where it is refused, by several readers; in one line each."""
    found = []
    for options in ways or (STRICT, Reading(), Reading(trust_points=True, bye_points=(2, 3))):
        try:
            event = read_event(MemoryFile(name, data), options)
        except InputError as error:
            assert str(error).isprintable() and len(str(error)) <= 500
            found.append(None)
            continue
        assert all(note.isprintable() and len(note) <= 500 for note in event.notes)
        assert len(event.notes) <= MAX_NOTES + 1
        found.append(event)
    return found


def says(event):
    """What an event says by names, whatever the numbers of its teams, players and matches are."""
    # Players without teams are told apart by numbers that a file may give or not.
    names = tuple(p.name[:33] for p in event.players) if event.individual else event.teams
    players = {None: None}
    players |= {i: (names[p.team], p.name[:33], p.fide_id) for i, p in enumerate(event.players)}
    sides = [
        sorted((names[s.team], str(players[s.player]), s.half_points, s.rating) for s in g.sides)
        for g in event.games
    ]
    games = zip(event.games, sides, strict=True)
    about = {k: iso_date(text) if k in DATES else text for k, text in event.about.items()}
    return {
        "name": event.name, "teams": names, "about": about,
        "scoring": (event.scoring, event.penalties, event.individual),
        "rounds": (event.rounds, event.boards, event.planned),
        "ratings": dict(zip(names, event.ratings, strict=True)),
        "players": sorted(
            (names[p.team], p.name[:33], p.fide_id, p.rating, p.title, p.sex, p.federation,
             iso_date(p.birth))
            for p in event.players
        ),
        "games": sorted((g.round, g.board, names[g.white_team], g.played, s) for g, s in games),
        "matches": sorted(
            (m.round, names[m.team_a], m.bye or names[m.team_b], m.half_points_a, m.half_points_b,
             m.boards_decided, m.boards_forfeited, m.match_points)
            for m in event.matches
        ),
    }  # fmt: skip


def written_again(event, name):
    """Write an event in a form and read it: the event, or None where it is refused.

    A folder of tables holds everything. TRF16 alone is read with notes: it has no records of byes
    and line-ups.
    """
    kind, form = forms()[name]
    told = Reading(strict=name != "trf16", form=kind.name, individual=event.individual)
    try:
        content = {file: text.encode() for file, text in form.writes(event).items()}
        file = MemoryFile("written", content.get("", content))
        # What looks like a slip in the event itself looks so in every form.
        back = read_event(file, replace(told, slips=False))
    except InputError as error:
        assert str(error).isprintable() and len(str(error)) <= 500
        return None
    assert name != "csv" or says(back) == says(event)
    return back


def small_event(random, abnormal=True):
    """A small event of any kind that TRF26 holds whole.

    Its games may not add up to its matches (`abnormal`), which tables must.
    """
    boards, teams = random.randint(1, 3), random.randint(2, 5)
    squads = []
    players = []
    for team in range(teams):
        squads.append(range(len(players), len(players) + boards + random.randint(0, 2)))
        for number in squads[-1]:
            facts = random.choice([("GM", "m", "AZE", "1990-01-31"), ("", "", "", "")])
            fide_id, rating = random.choice([0, 10_000 + number]), random.choice([0, 1500, 2400])
            players.append(Player(team, f"P {number}", fide_id, rating, *facts))
    rounds = random.randint(1, 3)
    games, pairs, others = [], {}, []
    for r in range(1, rounds + 1):
        order = random.sample(range(teams), teams)
        paired = random.randint(1 if r == rounds else 0, teams // 2)
        for number in range(1, paired + 1):
            a, b = order[2 * number - 2 : 2 * number]
            if (r < rounds or number > 1) and random.random() < 1 / 6:
                half = random.choice([(2, 0), (0, 2), (0, 0)])
                decided = boards if any(half) else 0
                points = boards * half[0], boards * half[1]
                others.append(Match(r, number, a, b, *points, decided, decided))
                continue
            pairs[r, number] = (a, b)
            last = (r, number) == (rounds, 1)
            games += _boards(random, (r, number), (a, b), boards, squads, players, last)
        allocated = False
        for number, t in enumerate(order[2 * paired :], start=paired + 1):
            bye = random.choice(BYES)
            if bye == "" or (bye == "pairing" and allocated):
                continue
            allocated |= bye == "pairing"
            half, mp = bye_half_points(bye, boards), None
            if random.random() < 0.5:
                half, mp = random.randint(0, 2 * boards), random.randint(0, 2)
            others.append(Match(r, number, t, None, half, 0, 0, 0, bye, match_points_a=mp))
    for match in matches_of(games, pairs):
        given = random.choice([(None, None)] * 4 + [(2, 0), (0, 0), (1, 1)])
        facts = {**vars(match), "match_points_a": given[0], "match_points_b": given[1]}
        if abnormal and random.random() < 1 / 8:
            facts["half_points_b"] = random.randint(0, 2 * boards)
        others.append(Match(**facts))
    return TeamEvent(
        name="Cup",
        teams=tuple(f"Team {t}" for t in range(teams)),
        rounds=rounds,
        boards=boards,
        matches=tuple(sorted(others, key=lambda m: (m.round, m.number))),
        ratings=ratings_of(teams, players, games),
        players=tuple(players),
        games=tuple(games),
        planned=rounds + random.randint(0, 1),
        about=random.choice([{}, {"city": "Baku", "start": "2016-09-01"}]),
    )


def _boards(random, place, teams, boards, squads, players, last):
    """The games of a match: at least one, which is played in the last round."""
    line_ups = [random.sample(squads[t], len(squads[t]))[:boards] for t in teams]
    must = random.randint(1, boards)
    for board in range(1, boards + 1):
        sides = [line_up[board - 1] for line_up in line_ups]
        kind = random.choice(["played", "played", "forfeit", "one", "other", "none"])
        if board == must and (kind == "none" or last):
            kind = "played"
        if kind == "none":
            continue
        results = [(2, 0), (0, 2), (0, 0)] + [(1, 1)] * (kind == "played")
        half = random.choice(results)
        if kind == "one":  # nobody on the other side, who cannot score
            sides[1], half = None, random.choice([(2, 0), (0, 0)])
        if kind == "other":
            sides[0], half = None, random.choice([(0, 2), (0, 0)])
        on_board = list(zip(teams, sides, half, strict=True))
        white, black = on_board if board % 2 else on_board[::-1]
        ratings = [0 if p is None else players[p].rating for p in (white[1], black[1])]
        yield Game(*place, board, white[0], black[0], white[1], black[1], white[2], black[2],
                   kind == "played", *ratings)  # fmt: skip
