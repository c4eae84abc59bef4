"""The crosstable by rounds is read again with the same points, in every form and language."""

import random
from dataclasses import replace

import pytest
from format_samples import small_event
from helpers import ROOT

from tb2learn.data import event_names
from tb2learn.events import Reading, read_event, reading
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.files.write import convert
from tb2learn.events.model import TeamEvent, team_totals
from tb2learn.events.parts import BYES, Game, Match, Penalty, Player, matches_of
from tb2learn.export.event_sheets import event_sheet
from tb2learn.export.forms import LANGUAGES, printed
from tb2learn.export.standings import rank_event
from tb2learn.export.wall import standings_to_print
from tb2learn.types import InputError

FORMS = ("csv", "xlsx", "html")
NAMES = (
    "x", "Remis", "Pts", "Black", "bye", "12w1", "Summe", "Total", "-", "*", "=1+1", "1.5", "007",
    "½", "Name", "Team", "No.", "R1", "1.Rd", "Åland", "Aland", "A-B", "A B", '"q"', "a,b", "a;b",
    "<b>", "Spielfrei", "+", "White", "Group A", "Round 1", "2024", "2w1", "Gast", "0-1",
)  # fmt: skip
"""Names that are words or signs of a crosstable."""
WITH_ROUNDS = [name for name in event_names() if read_event(name).known_rounds]


def crosstable(event, form, language):
    """The sheet of an event in a form."""
    (standings, *_), _ = standings_to_print(rank_event(event), language=language)
    sheet = event_sheet(standings, "crosstable")
    if form == "csv":
        return sheet.table.csv().encode()
    return printed(sheet.document(event.name, language), form)


def totals(event):
    """Points by name, penalties included."""
    return dict(zip(event.teams, team_totals(event), strict=True))


def check(event, form, language="en"):
    content = crosstable(event, form, language)
    back = read_event(MemoryFile(f"x.{form}", content), Reading())
    assert totals(back) == totals(event)
    assert not any("not read" in note for note in back.notes)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", WITH_ROUNDS)
def test_every_packaged_event(name, form):
    check(read_event(name), form)


def players(random):
    """A small event of players, with byes of every kind, defaults, and perhaps other points."""
    count, rounds = random.randint(2, 9), random.randint(1, 5)
    listed = tuple(Player(number, f"P {number}") for number in range(count))
    scoring = random.choice([(2, 1, 0), (2, 1, 0), (6, 2, 0)])
    games, matches = [], []
    for r in range(1, rounds + 1):
        order = random.sample(range(count), count)
        paired = random.randint(1, count // 2)
        for number in range(1, paired + 1):
            a, b = order[2 * number - 2 : 2 * number]
            played = random.random() < 0.8
            result = random.choice([(2, 0), (0, 2), (0, 0), (1, 1), (1, 0)][: 3 + 2 * played])
            games.append(Game(r, number, 1, a, b, a, b, *result, played))
            (match,) = matches_of(games[-1:], {(r, number): (a, b)})
            points = [scoring[2 - half] for half in result]
            matches.append(match.given(*points) if scoring[0] == 6 else match)
        for number, player in enumerate(order[2 * paired :], start=paired + 1):
            kind = random.choice(BYES)
            if kind:
                points = random.choice([0, 1, 2, 2, 3])
                matches.append(
                    Match(r, number, player, None, min(points, 2), 0, 0, 0, kind, points)
                )
    return TeamEvent(
        "Open", tuple(p.name for p in listed), rounds, 1, tuple(matches), ((),) * count, listed,
        tuple(games), rounds, scoring=scoring, individual=True,
    )  # fmt: skip


def generated(seed):
    """An event of teams or of players, with names that are words of a crosstable."""
    chance = random.Random(seed)
    event = players(chance) if seed % 2 else small_event(chance, abnormal=False)
    names = tuple(chance.sample(NAMES, len(event.teams)))
    if event.individual:
        listed = zip(event.players, names, strict=True)
        listed = tuple(replace(player, name=name) for player, name in listed)
        return replace(event, teams=names, players=listed)
    points = chance.choice([(), (Penalty(0, 0, -1, -2), Penalty(1, 0, -2, 1))])
    return replace(event, teams=names, penalties=points)


SIZES = [8, pytest.param(200, marks=pytest.mark.slow)]
"""Events of each language."""


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", FORMS)
def test_generated_events(form, language, count):
    first = 10_000 * LANGUAGES.index(language)
    for seed in range(first, first + count):
        event = generated(seed)
        # In an event in which nobody scored a file shows no finished match.
        if any(match.team_b is not None and match.half_points_a for match in event.matches):
            check(event, form, language)


def test_what_the_cells_say():
    """Defaults on boards, match points that are others, byes that pay others, no colours."""
    matches = (
        Match(1, 1, 0, 1, 6, 2, 4, 0), Match(1, 2, 2, None, 4, 0, 0, 0, "pairing"),
        Match(2, 1, 0, 2, 8, 0, 4, 4), Match(2, 2, 1, None, 8, 0, 0, 0, "pairing", 2),
        Match(3, 1, 1, 2, 3, 5, 4, 0, "", 2, 0), Match(3, 2, 0, None, 3, 0, 0, 0, "half"),
        Match(4, 1, 0, 1, 0, 0, 0, 0), Match(4, 2, 2, None, 0, 0, 0, 0, "zero"),
    )  # fmt: skip
    event = TeamEvent("Cup", ("A", "B", "C"), 4, 4, matches, ((),) * 3, planned=4)
    (standings, *_), _ = standings_to_print(rank_event(event, ["mp", "gp"]))
    table = event_sheet(standings, "crosstable").table
    assert [row[1:6] for row in table.rows] == [
        ["A", "2:3", "3+4", "-1½(1)", "2-0(0)"],
        ["B", "1:1", "bye 4(2)", "3:1½(2)", "1-0(0)"],
        ["C", "bye", "1-0", "2:2½(0)", ""],
    ]
    for form in FORMS:
        check(event, form)
    fined = replace(event, penalties=(Penalty(1, 2, -1, -2),))
    for form in FORMS:
        check(fined, form)


READ_WITH = (
    ("examples/open.trf", {"bye_points": "0,0"}), ("examples/open.trf", {"match_points": "3,1,0"}),
    ("examples/team-swiss.trf", {"individual": True}),
    ("examples/team-swiss.trf", {"bye_points": "2,3"}),
    ("examples/league.csv", {"match_points": "3,1,0"}),
    ("tests/events/formats/files/semicolons-german.csv", {"bye_points": "2,1"}),
    ("tests/data/silent/ukrainian-cp1251.csv", {"encoding": "cp1251"}),
    ("tests/data/silent/p-teams.pgn", {"individual": True}),
    ("tests/data/silent2/two-groups.csv", {"group": "B"}),
    ("tests/data/silent2/two-crosstables.csv", {"group": "Group B"}),
)  # fmt: skip
"""Files, and options without which they are other events."""


@pytest.mark.parametrize("form", ["csv", "trf26"])
@pytest.mark.parametrize(("file", "options"), READ_WITH)
def test_what_was_read_with_options_needs_none_to_be_read_again(file, options, form, tmp_path):
    event = read_event(ROOT / file, reading(**options))
    target = tmp_path / ("out" if form == "csv" else "out.trf")
    if form == "trf26" and not event.games:
        with pytest.raises(InputError, match="has no games and cannot be written as TRF"):
            convert(ROOT / file, target, form, options=reading(**options))
        return
    convert(ROOT / file, target, form, options=reading(**options))
    assert totals(read_event(target)) == totals(event)
