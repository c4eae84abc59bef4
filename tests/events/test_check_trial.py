"""`check` on thirty right files in the forms of five programs, and on thirty with one mistake each.

The events are our own and packaged ones; every one is written as a crosstable of chess-results
(CSV, page, workbook, with points, tie-breaks and places), as a TRF16 and as a TRF26 with ranks.
"""

import re
from dataclasses import replace
from random import Random

import player_samples
import pytest
from crosstable_samples import WRITES, _cell
from event_samples import find_nothing
from helpers import ROOT

from tb2learn.events import rank, read_criteria, read_event
from tb2learn.events.check import check
from tb2learn.events.files.options import Reading
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.files.trf_write import write_trf
from tb2learn.types import InputError

EVENTS = {
    "open": lambda: read_event(ROOT / "examples/open.trf"),
    "club": lambda: read_event(ROOT / "examples/crosstable.html"),
    "held": lambda: read("trf16", player_samples.text(*player_samples.HELD), False),
    "round robin": lambda: read("trf16", player_samples.round_robin(), False),
    "team Swiss": lambda: read_event(ROOT / "examples/team-swiss.trf"),
    "Olympiad": lambda: read_event(ROOT / "examples/olympiad.trf"),
}
TABLES = ("csv", "html", "xlsx")
PROGRAMS = (*TABLES, "trf16", "trf26")
TRIED = [(event, program) for event in EVENTS for program in PROGRAMS]


def ranked(event):
    listed = "points,BH/C1,BH,SB" if event.individual else "mp,EMGSB/C1,gp"
    return rank(event, read_criteria(event, [listed], find_nothing))


# --------------------------------------------------------------------------- right files


def table_of(event):
    """The rows of a crosstable, by start numbers."""
    number = {team: team + 1 for team in range(len(event.teams))}
    rounds = range(1, event.rounds + 1)
    names = ("Pts.", "TB1", "TB2", "TB3") if event.individual else ("TB1", "TB2", "TB3")
    who = "Name" if event.individual else "Team"
    table = [["Rk.", "SNo", who, *(f"{r}.Rd" for r in rounds), *names]]
    for row in ranked(event):
        team = event.teams.index(row.team)
        cells = [_cell(event, team, r, number, "wb").strip() for r in rounds]
        scores = [f"{value:g}".replace(".", ",") for value in row.scores.values()]
        table.append([str(row.place), str(team + 1), row.team, *cells, *scores])
    return table


def trf_of(event, version):
    """A TRF with ranks; the older one by points alone, as it names no list."""
    rows = ranked(event)
    places = {row.team: place for place, row in enumerate(rows, start=1)}
    listed = "PTS,BH/C1,BH,SB" if event.individual else "MPTS,EMGSB/C1,GPTS"
    published = {"place": tuple(str(places[name]) for name in event.teams)}
    whole = replace(event, published=published, planned=event.rounds)
    return write_trf(replace(whole, about={**event.about, "tiebreaks": listed}), version)


def read(program, content, individual):
    name = f"event.{program if program in TABLES else 'trf'}"
    data = content if isinstance(content, bytes) else content.encode()
    return read_event(MemoryFile(name, data), Reading(individual=individual))


def written(program, event):
    if program in TABLES:
        return WRITES[program](table_of(event))
    return trf_of(event, int(program[3:]) + 2000)


# --------------------------------------------------------------------------- one mistake each

OTHER = {"1": "0", "0": "1", "=": "1"}
MATCH = re.compile(r"(\d+)([wb].*)")


def games_of(table):
    """Games or matches of a crosstable: the rows of both sides, and the column."""
    by_number = {row[1]: k for k, row in enumerate(table)}
    for k, row in enumerate(table[1:], start=1):
        for c, cell in enumerate(row[3:], start=3):
            if (found := MATCH.match(cell)) and by_number.get(found[1], 0) > k:
                yield k, by_number[found[1]], c


def wrong_score(table, random):
    """A game won by the other side; totals as before."""
    a, b, c = random.choice([*games_of(table)])
    first, second = table[a][c], table[b][c]
    split = re.compile(r"(\d+[wb])(.*)")
    (one, points), (other, rest) = split.match(first).groups(), split.match(second).groups()
    if points == rest:
        points, rest = ("1", "0") if points == "½" else (f"{points}½", str(int(points) - 1) + "½")
    else:
        points, rest = rest, points
    table[a][c], table[b][c] = one + points, other + rest
    return table[a][2], table[b][2]


def one_side(table, random):
    """The two entries of a game that do not fit."""
    a, b, c = random.choice([*games_of(table)])
    cell = table[a][c]
    table[a][c] = cell[:-1] + ("1" if cell[-1] != "1" else "0")
    return table[a][2], table[b][2]


def same_colour(table, random):
    """Both sides of a game with White."""
    a, b, c = random.choice([*games_of(table)])
    table[a][c], table[b][c] = (table[k][c].replace("b", "w") for k in (a, b))
    return table[a][2], table[b][2]


def wrong_total(table, random):
    k = random.randrange(1, len(table))
    c = table[0].index("Pts." if "Pts." in table[0] else "TB1")
    table[k][c] = str(int(table[k][c].replace(",5", "")) + 1)
    return (table[k][2],)


def wrong_tiebreak(table, random):
    k = random.randrange(1, len(table))
    table[k][-2] = str(int(table[k][-2].split(",")[0]) + 2)
    return (table[k][2],)


def places_swapped(table, random):
    k = random.choice([k for k in range(1, len(table) - 1) if table[k][-3] != table[k + 1][-3]])
    table[k][0], table[k + 1][0] = table[k + 1][0], table[k][0]
    return table[k][2], table[k + 1][2]


def names_swapped(table, random):
    """Two entrants under each other's number."""
    k, n = random.sample(range(1, len(table)), 2)
    table[k][1], table[n][1] = table[n][1], table[k][1]
    return table[k][2], table[n][2]


def met_again(table, random):
    """In a round two pairs exchange opponents, so that two meet again; results as before."""
    games = [*games_of(table)]
    random.shuffle(games)
    for a, b, c in games:
        for x, y, d in games:
            if d != c or x == a or c < 4:
                continue
            before = {found[1] for cell in table[a][3:c] if (found := MATCH.match(cell))}
            for third, fourth in ((x, y), (y, x)):
                if table[third][1] in before:
                    # a-third and b-fourth: results and colours stay with a and b.
                    cells = table[a][c], table[b][c]
                    tail = [MATCH.match(cell)[2] for cell in cells]
                    table[a][c] = table[third][1] + tail[0]
                    table[third][c] = table[a][1] + tail[1]
                    table[b][c] = table[fourth][1] + tail[1]
                    table[fourth][c] = table[b][1] + tail[0]
                    return table[a][2], table[third][2]
    return ()


TABLE_MISTAKES = (
    wrong_score,
    one_side,
    same_colour,
    wrong_total,
    wrong_tiebreak,
    places_swapped,
    names_swapped,
    met_again,
)


def entries_of(lines):
    """The lines of players of a TRF by start number."""
    return {int(line[4:8]): k for k, line in enumerate(lines) if line.startswith("001")}


def entry(line, r):
    return line[91 + 10 * r : 99 + 10 * r].ljust(8)


def with_entry(line, r, text):
    return line[: 91 + 10 * r].ljust(91 + 10 * r) + text.ljust(8) + line[99 + 10 * r :]


def trf_games(lines):
    at = entries_of(lines)
    for number, k in at.items():
        for r in range((len(lines[k]) - 84) // 10):
            other = entry(lines[k], r)[:4].strip()
            if other.isdigit() and int(other) > number and entry(lines[k], r)[7] in "10=":
                yield k, at[int(other)], r


def name(line):
    return line[14:47].strip()


def trf_score(lines, random):
    a, b, r = random.choice([*trf_games(lines)])
    for k, own in ((a, OTHER[entry(lines[a], r)[7]]), (b, OTHER[OTHER[entry(lines[a], r)[7]]])):
        lines[k] = with_entry(lines[k], r, entry(lines[k], r)[:7] + own)
    return name(lines[a]), name(lines[b])


def trf_points(lines, random):
    k = random.choice([*entries_of(lines).values()])
    lines[k] = f"{lines[k][:80]}{float(lines[k][80:84]) + 1:4.1f}{lines[k][84:]}"
    return (name(lines[k]),)


def trf_ranks(lines, random):
    """Two who are neighbours, not on equal points, with each other's rank."""
    places = {int(lines[k][85:89].strip() or 0): k for k in entries_of(lines).values()}
    pairs = [(a, places.get(place + 1, a)) for place, a in places.items() if place]
    pairs = [(a, b) for a, b in pairs if lines[a][80:84] != lines[b][80:84]]
    if not pairs:
        return ()
    a, b = random.choice(pairs)
    one, other = lines[a][85:89], lines[b][85:89]
    lines[a] = f"{lines[a][:85]}{other}{lines[a][89:]}"
    lines[b] = f"{lines[b][:85]}{one}{lines[b][89:]}"
    return name(lines[a]), name(lines[b])


TRF_MISTAKES = (trf_score, trf_points, trf_ranks)


@pytest.mark.parametrize(("name", "program"), TRIED)
def test_a_right_file_has_no_finding(name, program):
    event = EVENTS[name]()
    found = check(read(program, written(program, event), event.individual))
    assert found.findings == ()


@pytest.mark.parametrize("number", range(len(TRIED)))
def test_one_mistake_is_found_and_named(number):
    """Every form has every kind of mistake in turn; who is concerned, or the line, is named."""
    name, program = TRIED[number]
    event, random = EVENTS[name](), Random(number)
    kinds = TABLE_MISTAKES if program in TABLES else TRF_MISTAKES
    for kind in (*kinds[number % len(kinds) :], *kinds):
        if program in TABLES:
            changed = table_of(event)
            concerned = kind(changed, random)
            content = WRITES[program](changed)
        else:
            changed = written(program, event).splitlines()
            concerned = kind(changed, random)
            content = "\n".join(changed) + "\n"
        if concerned:
            break
    try:
        texts = [one.text for one in check(read(program, content, event.individual)).findings]
    except InputError as error:  # `check` gives a file that contradicts itself as its finding
        texts = [str(error)]
        concerned = (*concerned, ": line ")
    assert any(one in text for one in concerned for text in texts), (kind.__name__, texts)
