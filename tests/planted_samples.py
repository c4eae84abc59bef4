"""Files of five formats with one slip of the hand each, and what a reader must name of it.

A file is a grid of cells (CSV, workbook, page), lines (TRF) or games (PGN) of events that are right
before the slip. A slip returns the words of which one must be in a note, a finding or a refusal.
"""

import re
from functools import cache
from random import Random

from crosstable_samples import WRITES
from helpers import ROOT

from tb2learn.chess.berger import round_robin
from tb2learn.events import rank, read_criteria, read_event
from tb2learn.events.check import check
from tb2learn.events.files.options import Reading
from tb2learn.events.files.source import MemoryFile
from tb2learn.types import InputError

TOWNS = ("Passau", "Trier", "Goslar", "Lindau", "Husum", "Zwickau", "Worms", "Aalen")
FIRST = ("Greta", "Elena", "Zoe", "Wim", "Jonas", "Ugo", "Nils", "Dario")
LAST = (
    "Novak", "Gruber", "Quast", "Bergmann", "Conti", "Vogel", "Dahl", "Orban", "Young", "Urban",
    "Ivanic", "Rossi", "Jansen", "Weiss", "Falk", "Zeller", "Toth", "Kruse", "Linde", "Maurer",
)  # fmt: skip
BOARDS = 4
HALF = "\N{VULGAR FRACTION ONE HALF}"


@cache
def league():
    """The boards of a league of eight teams: round, teams, board, players, half points of both.

    The first team has White on the odd boards; a player is a name, a rating and a FIDE number.
    """
    random = Random(1)
    names = random.sample([f"{last}, {first}" for last in LAST for first in FIRST], 40)
    squads = [
        [(names[5 * t + k], 2400 - 20 * t - 50 * k, 1_000_000 + 5 * t + k) for k in range(5)]
        for t in range(len(TOWNS))
    ]
    rows = []
    for number, pairs in enumerate(round_robin(len(TOWNS), 1).games.tolist(), start=1):
        for a, b in pairs:
            line_ups = [random.sample(range(5), BOARDS) for _ in (a, b)]
            for board, seats in enumerate(zip(*map(sorted, line_ups), strict=True), start=1):
                half = random.choice((2, 2, 1, 0))
                players = squads[a][seats[0]], squads[b][seats[1]]
                rows.append((number, TOWNS[a], TOWNS[b], board, *players, half, 2 - half))
    return rows


def matches():
    """The matches of the league: round, teams, half points."""
    scored = {}
    for number, a, b, _, _, _, half_a, half_b in league():
        points = scored.setdefault((number, a, b), [0, 0])
        points[0] += half_a
        points[1] += half_b
    return [(*place, *points) for place, points in scored.items()]


def points(half, mark="."):
    """Half points as a number: `2.5`."""
    return f"{half / 2:g}".replace(".", mark)


def as_printed(half):
    """Half points as servers print them: `2½`."""
    whole, rest = divmod(half, 2)
    return f"{whole if whole or not rest else ''}{HALF * rest}"


# ------------------------------------------------------------------------------- grids


def table(scored=False):
    head = ["round", "team_a", "team_b", "game_points_a", "game_points_b"]
    rows = []
    for number, a, b, half_a, half_b in matches():
        mp = 1 + (half_a > half_b) - (half_a < half_b)
        more = [str(mp), str(2 - mp)] if scored else []
        rows.append([str(number), a, b, points(half_a), points(half_b), *more])
    return [head + (["match_points_a", "match_points_b"] if scored else []), *rows]


RESULTS = {2: "1-0", 1: f"{HALF}-{HALF}", 0: "0-1"}


def games():
    """The games of an open as a table."""
    event = read_event(ROOT / "examples/open.trf")
    rows = [["round", "white_player", "black_player", "result", "bye"]]
    for match in event.matches:
        names = [event.teams[team] for team in match.teams]
        if match.team_b is None:
            rows.append([str(match.round), *names, "", "", match.bye])
        else:
            rows.append([str(match.round), *names, RESULTS[match.half_points_a], ""])
    return rows


def crosstable(event):
    """A crosstable by start numbers, with points, tie-breaks and places."""

    def nothing(name):
        raise InputError(name)

    listed = "points,BH/C1,BH,SB" if event.individual else "mp,EMGSB/C1,gp"
    ranked = rank(event, read_criteria(event, [listed], nothing))
    heads = ("Pts.", "TB1", "TB2", "TB3") if event.individual else ("TB1", "TB2", "TB3")
    who = "Name" if event.individual else "Team"
    rows = [["Rk.", "SNo", who, *(f"{r}.Rd" for r in range(1, event.rounds + 1)), *heads]]
    for row in ranked:
        team = event.teams.index(row.team)
        cells = [_cell(event, team, r) for r in range(1, event.rounds + 1)]
        rows.append([
            str(row.place), str(team + 1), row.team, *cells,
            *(f"{value:g}".replace(".", ",") for value in row.scores.values()),
        ])  # fmt: skip
    return rows


def _cell(event, team, round_number):
    for match in event.matches:
        if match.round == round_number and team in match.teams:
            half = match.points_of(team)[1]
            if match.team_b is None:
                return f"-{as_printed(half)}"
            text = ("+" if half else "-") if event.individual and match.by_default else ""
            letter = "wb"[team != match.team_a]
            return f"{match.opponent_of(team) + 1}{letter}{text or as_printed(half)}"
    return ""


def square():
    """The league as a square with match points and game points."""
    size = len(TOWNS)
    cells, mp, gp = [["*"] * size for _ in TOWNS], [0] * size, [0] * size
    for _, a, b, half_a, half_b in matches():
        first, second = TOWNS.index(a), TOWNS.index(b)
        for row, column, own, other in (
            (first, second, half_a, half_b),
            (second, first, half_b, half_a),
        ):
            cells[row][column] = as_printed(own)
            mp[row] += 1 + (own > other) - (own < other)
            gp[row] += own
    rows = [[str(k + 1), TOWNS[k], *cells[k], str(mp[k]), as_printed(gp[k])] for k in range(size)]
    return [["No.", "Team", *(str(k + 1) for k in range(size)), "MP", "Pts."], *rows]


def match_lists():
    """The matches of the league as lists of rounds, with start numbers."""
    rows, before = [["A League"]], 0
    for number, a, b, half_a, half_b in matches():
        if number != before:
            rows += [[f"Round {number} on 2025/10/{number:02}"],
                     ["No.", "SNo", "Team", "Res.", ":", "Res.", "Team", "SNo"]]  # fmt: skip
        before = number
        starts = [str(TOWNS.index(team) + 1) for team in (a, b)]
        scores = [as_printed(half) for half in (half_a, half_b)]
        at = str(sum(row[0].isdigit() for row in rows) % 4 + 1)
        rows.append([at, starts[0], a, scores[0], ":", scores[1], b, starts[1]])
    return rows


def board_lists():
    """The matches of the league with their boards."""
    rows, scores = [["A League"]], {m[:3]: m[3:] for m in matches()}
    before, at = 0, 0
    for number, a, b, board, player_a, player_b, half_a, half_b in league():
        if number != before:
            rows, at = [*rows, [f"Round {number} on 2025/10/{number:02}"]], 0
        before = number
        if board == 1:
            at += 1
            starts = [str(TOWNS.index(team) + 1) for team in (a, b)]
            score = " : ".join(as_printed(half) for half in scores[number, a, b])
            rows.append(["Bo.", starts[0], a, "Rtg", "-", starts[1], b, "Rtg", score])
        result = " - ".join(as_printed(half) for half in (half_a, half_b))
        rows.append([f"{at}.{board}", "", player_a[0], str(player_a[1]), "-", "", player_b[0],
                     str(player_b[1]), result])  # fmt: skip
    return rows


def game_lists():
    """The open as lists of rounds, with start numbers and points before the round."""
    event = read_event(ROOT / "examples/open.trf")
    rows, before = [["An Open"]], 0
    had = dict.fromkeys(range(len(event.teams)), 0)
    for match in event.matches:
        if match.round != before:
            rows += [[f"Round {match.round} on 2025/10/{match.round:02}"],
                     "Bo. No. White Rtg Pts. Result Pts. Black Rtg No.".split()]  # fmt: skip
            after = dict(had)
        before = match.round
        a, b = match.team_a, match.team_b
        own = [
            str(match.number),
            str(a + 1),
            event.teams[a],
            str(event.players[a].rating),
            as_printed(after[a]),
        ]
        if b is None:
            word = "not paired" if match.bye == "zero" else "bye"
            rows.append([*own, as_printed(match.half_points_a), "", word, "", ""])
        else:
            result = RESULTS[match.half_points_a].replace("-", " - ")
            rows.append([*own, result, as_printed(after[b]), event.teams[b],
                         str(event.players[b].rating), str(b + 1)])  # fmt: skip
        for team in match.teams:
            had[team] += match.points_of(team)[1]
    return rows


# ----------------------------------------------------------------------- slips of any grid
#
# A slip takes a grid and a random source, and gives the words of which one must be said.


def concerned(grid, k, *others):
    """The two sides of a row, and the line."""
    first, second = sides_at(grid)
    return (grid[k][first], grid[k][second], f"line {k + 1}", *others)


def sides_at(grid):
    """The columns of both names in the rows of matches or games."""
    for row in grid:
        for first, second in (
            ("team_a", "team_b"),
            ("white_player", "black_player"),
            ("White", "Black"),
        ):
            if first in row:
                return row.index(first), row.index(second)
        if row.count("Team") == 2:
            first = row.index("Team")
            return first, row.index("Team", first + 1)
        if row[:1] == ["Bo."]:
            return 2, 6
    raise AssertionError


def results_at(grid):
    """The columns of the result: one, or two of both sides."""
    for row in grid:
        if "game_points_a" in row:
            return row.index("game_points_a"), row.index("game_points_b")
        if "result" in row or "Result" in row:
            return (row.index("result" if "result" in row else "Result"),)
        if "Res." in row:
            first = row.index("Res.")
            return first, first + 2
        if row[:1] == ["Bo."]:
            return (8,)
    raise AssertionError


def rows_of(grid):
    """The rows with a result of two sides."""
    second, result = sides_at(grid)[1], results_at(grid)[0]
    return [
        k
        for k, row in enumerate(grid)
        if k
        and len(row) > max(second, result)
        and row[0][:1].isdigit()
        and row[result]
        and row[second] not in ("", "bye", "not paired")
    ]


def round_at(grid, k):
    """The round of a row."""
    if grid[0][:1] == ["round"]:
        return grid[k][0]
    return next(
        re.search(r"Round (\d+)", row[0])[1] for row in grid[k::-1] if row[0].startswith("Round")
    )


def same_round(grid, k):
    """The other rows of its round."""
    return [n for n in rows_of(grid) if n != k and round_at(grid, n) == round_at(grid, k)]


def whole_rows(grid):
    """Rows that are a match or a game by themselves, not a board of a match."""
    return [k for k in rows_of(grid) if "." not in grid[k][0]]


def row_missing(grid, random):
    k = random.choice(rows_of(grid))
    said = concerned(grid, k)[:2]
    del grid[k]
    return said


def row_twice(grid, random):
    k = random.choice(rows_of(grid))
    grid.insert(k, [*grid[k]])
    return concerned(grid, k, f"line {k + 2}")


def row_twice_in_another_round(grid, random):
    """A row copied into the round before or behind it."""
    k = random.choice(rows_of(grid))
    others = [n for n in rows_of(grid) if round_at(grid, n) != round_at(grid, k)]
    n = random.choice(others)
    grid.insert(n, [grid[n][0], *grid[k][1:]])
    return (*concerned(grid, n), f"line {n + 2}")


def side_of_another(grid, random):
    """A side that plays elsewhere in the round."""
    k = random.choice([k for k in rows_of(grid) if same_round(grid, k)])
    n = random.choice(same_round(grid, k))
    own, other = random.choice(sides_at(grid)), random.choice(sides_at(grid))
    said = concerned(grid, k)
    grid[k][own] = grid[n][other]
    return (*said, *concerned(grid, n))


def opponents_exchanged(grid, random):
    """Two rows of a round exchange their second sides, with their numbers."""
    k = random.choice([k for k in rows_of(grid) if same_round(grid, k)])
    n = random.choice(same_round(grid, k))
    second = sides_at(grid)[1]
    numbered = any("SNo" in row or "No." in row for row in grid)
    moved = (second, len(grid[k]) - 1) if numbered and len(grid[k]) - 1 > second else (second,)
    for column in moved:
        grid[k][column], grid[n][column] = grid[n][column], grid[k][column]
    return (*concerned(grid, k), *concerned(grid, n))


def letter_changed(grid, random):
    k, column = random.choice(rows_of(grid)), random.choice(sides_at(grid))
    name = grid[k][column]
    at = random.randrange(1, len(name.split(",")[0]))
    grid[k][column] = (
        name[:at] + random.choice("bdfgklmnprst".replace(name[at], "")) + name[at + 1 :]
    )
    return (name, grid[k][column], f"line {k + 1}")


def letter_dropped(grid, random):
    k, column = random.choice(rows_of(grid)), random.choice(sides_at(grid))
    name = grid[k][column]
    at = random.randrange(1, len(name.split(",")[0]))
    grid[k][column] = name[:at] + name[at + 1 :]
    return (name, grid[k][column], f"line {k + 1}")


def letters_turned(grid, random):
    """Two letters that follow each other the other way round."""
    k, column = random.choice(rows_of(grid)), random.choice(sides_at(grid))
    name = grid[k][column]
    places = [n for n in range(1, len(name.split(",")[0]) - 1) if name[n] != name[n + 1]]
    at = random.choice(places)
    grid[k][column] = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    return (name, grid[k][column], f"line {k + 1}")


def two_sides_the_same(grid, random):
    k = random.choice(rows_of(grid))
    first, second = sides_at(grid)
    grid[k][second] = grid[k][first]
    return concerned(grid, k)


def digit_more(grid, random):
    """Half a point or a point too much on one side."""
    k, places = random.choice(rows_of(grid)), results_at(grid)
    if len(places) == 2:
        column = random.choice(places)
        value = float(grid[k][column].replace(HALF, ".5") or 0)
        grid[k][column] = f"{value + random.choice((0.5, 1)):g}"
    else:
        result = grid[k][places[0]]
        grid[k][places[0]] = {"1": "1-1", "0": "1-1"}.get(result[0], f"1-{HALF}")
    return concerned(grid, k)


def digit_twice(grid, random):
    """A key hit twice: `11-0`, `33`."""
    k, column = random.choice(rows_of(grid)), results_at(grid)[0]
    grid[k][column] = grid[k][column][:1] + grid[k][column]
    return concerned(grid, k)


def mark_lost(grid, random):
    """The point of a number is lost: 25 for 2.5; of a game the dash."""
    places = results_at(grid)
    if len(places) == 1:
        k = random.choice(rows_of(grid))
        grid[k][places[0]] = grid[k][places[0]].replace("-", "").replace(" ", "")
        return concerned(grid, k)
    cells = [
        (k, c) for k in rows_of(grid) for c in places if "." in grid[k][c] or HALF in grid[k][c]
    ]
    k, column = random.choice(cells)
    grid[k][column] = grid[k][column].replace(".", "").replace(HALF, "5")
    return concerned(grid, k)


def result_lost(grid, random):
    """The cell of a result is empty."""
    k = random.choice(
        [k for k in rows_of(grid) if round_at(grid, k) != round_at(grid, rows_of(grid)[-1])]
    )
    for column in results_at(grid):
        grid[k][column] = ""
    return concerned(grid, k)


def name_lost(grid, random):
    k, column = random.choice(rows_of(grid)), random.choice(sides_at(grid))
    said = of_board(grid, k) if "." in grid[k][0] else concerned(grid, k)
    grid[k][column] = ""
    return (*filter(None, said),)


def other_round(grid, random):
    """The round of a row is another one."""
    rounds = sorted({round_at(grid, k) for k in rows_of(grid)})
    k = random.choice(rows_of(grid))
    grid[k][0] = random.choice([r for r in rounds if r != grid[k][0]])
    return concerned(grid, k)


def round_twice(grid, random):
    """The line above a list names another round."""
    lines = [k for k, row in enumerate(grid) if row[0].startswith("Round")]
    k = random.choice(lines)
    n = random.choice([n for n in lines if n != k])
    grid[k] = [*grid[n]]
    return (
        *(f"line {m + 1}" for m in range(k, min(len(grid), k + 40))),
        *(f"round {r}" for r in range(1, 12)),
    )


def bye_twice(grid, random):
    """Who has a bye has another one in another round, instead of an opponent."""
    first, second = sides_at(grid)
    byes = [k for k, row in enumerate(grid) if len(row) > second and row[0].isdigit()
            and (row[second] == "bye" or (not row[second] and row[-1] == "pairing"))]  # fmt: skip
    if not byes:
        return None
    k = random.choice(byes)
    others = [
        n
        for n in rows_of(grid)
        if round_at(grid, n) != round_at(grid, k)
        and grid[k][first] in (grid[n][first], grid[n][second])
    ]
    n = random.choice(others)
    number = grid[n][0]
    said = (grid[k][first], *concerned(grid, n))
    grid[n] = [number, *grid[k][1:]]
    return said


def match_points_wrong(grid, random):
    k = random.choice(rows_of(grid))
    column = grid[0].index(random.choice(("match_points_a", "match_points_b")))
    grid[k][column] = random.choice([n for n in "012" if n != grid[k][column]])
    return concerned(grid, k)


def result_turned(grid, random):
    """The points of both sides turned, where match points stand beside."""
    k = random.choice([k for k in rows_of(grid) if grid[k][3] != grid[k][4]])
    grid[k][3:5] = grid[k][3:5][::-1]
    return concerned(grid, k)


COMMON = (
    row_missing, row_twice, row_twice_in_another_round, side_of_another, letter_changed,
    letter_dropped, letters_turned, two_sides_the_same, digit_more, digit_twice, mark_lost,
    result_lost, name_lost,
)  # fmt: skip
BY_ROW = (*COMMON, other_round)
OF_LEAGUE = (opponents_exchanged,)


# -------------------------------------------------------------------- slips of a list of boards


def boards_of(grid):
    return [k for k in rows_of(grid) if "." in grid[k][0]]


def heads_of(grid):
    return [k for k, row in enumerate(grid) if row[0] == "Bo."]


def head_of(grid, k):
    return next(n for n in range(k, -1, -1) if grid[n][0] == "Bo.")


def of_board(grid, k):
    head = head_of(grid, k)
    return (*concerned(grid, k), grid[head][2], grid[head][6], f"line {head + 1}")


def board_missing(grid, random):
    k = random.choice(boards_of(grid))
    said = of_board(grid, k)
    del grid[k]
    return said


def board_twice(grid, random):
    k = random.choice(boards_of(grid))
    said = of_board(grid, k)
    grid.insert(k, [*grid[k]])
    return (*said, f"line {k + 2}")


def board_result(grid, random):
    """Another result of a board."""
    k = random.choice(boards_of(grid))
    results = ["1 - 0", f"{HALF} - {HALF}", "0 - 1"]
    grid[k][8] = random.choice([text for text in results if text != grid[k][8]])
    return of_board(grid, k)


def score_turned(grid, random):
    heads = [k for k in heads_of(grid) if len({*grid[k][8].split(" : ")}) > 1]
    k = random.choice(heads)
    grid[k][8] = " : ".join(grid[k][8].split(" : ")[::-1])
    return (grid[k][2], grid[k][6], f"line {k + 1}")


def score_wrong(grid, random):
    k = random.choice(heads_of(grid))
    a, b = grid[k][8].split(" : ")
    grid[k][8] = f"{a} : {b}{HALF}" if HALF not in b else f"{a} : {b[:-1] or 0}"
    return (grid[k][2], grid[k][6], f"line {k + 1}")


def player_of_another(grid, random):
    """A player of another team of the round."""
    k = random.choice(boards_of(grid))
    n = random.choice([n for n in same_round(grid, k) if head_of(grid, n) != head_of(grid, k)])
    column = random.choice((2, 6))
    grid[k][column : column + 2] = grid[n][column : column + 2]
    return (*of_board(grid, k), f"line {n + 1}")


def player_twice(grid, random):
    """A player on two boards of a match."""
    k = random.choice([k for k in boards_of(grid) if grid[k][0].endswith(".1")])
    grid[k + 1][2:4] = grid[k][2:4]
    return (*of_board(grid, k), f"line {k + 2}")


def head_missing(grid, random):
    """The line of a match is missing: its boards stand below those of another one."""
    k = random.choice(heads_of(grid))
    said = (grid[k][2], grid[k][6], *(f"line {n}" for n in range(k - 5, k + 7)))
    del grid[k]
    return said


def teams_of_heads(grid, random):
    """Two matches exchange a team, and their boards stay."""
    k = random.choice(heads_of(grid))
    n = random.choice(
        [n for n in heads_of(grid) if n != k and round_at(grid, n) == round_at(grid, k)]
    )
    for column in (5, 6):
        grid[k][column], grid[n][column] = grid[n][column], grid[k][column]
    return (grid[k][2], grid[k][6], grid[n][2], grid[n][6], f"line {k + 1}", f"line {n + 1}")


def head_letter(grid, random):
    k, column = random.choice(heads_of(grid)), random.choice((2, 6))
    name = grid[k][column]
    grid[k][column] = name[:2] + random.choice("bdfgkl".replace(name[2], "")) + name[3:]
    return (name, grid[k][column], f"line {k + 1}")


def rating_wrong(grid, random):
    """A digit of a rating: 1360 for 2360."""
    k, column = random.choice(boards_of(grid)), random.choice((3, 7))
    grid[k][column] = str(int(grid[k][column]) - 1000)
    return concerned(grid, k)


def board_letter(grid, random):
    return letter_changed(grid, random)


OF_BOARDS = (
    board_missing, board_twice, board_result, score_turned, score_wrong, player_of_another,
    player_twice, head_missing, teams_of_heads, head_letter, rating_wrong, board_letter, digit_more,
    digit_twice, mark_lost, round_twice, name_lost,
)  # fmt: skip


# ----------------------------------------------------------------------- slips of a crosstable

CELL = re.compile(r"(\d+)([wb])(.+)")


def met_in(grid):
    """Rows of both sides and the column of every game or match of a crosstable."""
    by_number = {row[1]: k for k, row in enumerate(grid)}
    for k, row in enumerate(grid[1:], start=1):
        for c, cell in enumerate(row[3:], start=3):
            if (of := CELL.match(cell)) and by_number.get(of[1], 0) > k:
                yield k, by_number[of[1]], c


def both(grid, a, b):
    return grid[a][2], grid[b][2], f"line {a + 1}", f"line {b + 1}"


def cell_turned(grid, random):
    """A result turned, or decided instead of a draw, in both rows; totals as before."""
    a, b, c = random.choice([*met_in(grid)])
    (first, own), (second, other) = (
        re.match(r"(\d+[wb])(.*)", cell).groups() for cell in (grid[a][c], grid[b][c])
    )
    if own == other:
        own, other = ("1", "0") if own == HALF else (f"{own}{HALF}", f"{int(own) - 1 or ''}{HALF}")
    else:
        own, other = other, own
    grid[a][c], grid[b][c] = first + own, second + other
    return both(grid, a, b)


def cell_one_side(grid, random):
    """A point for a half in one of the two rows."""
    a, b, c = random.choice([*met_in(grid)])
    k = random.choice((a, b))
    head, own = re.match(r"(\d+[wb])(.*)", grid[k][c]).groups()
    grid[k][c] = head + {"1": HALF, "0": HALF, HALF: "1"}.get(own, "1" if own != "1" else "2")
    return both(grid, a, b)


def cell_opponent(grid, random):
    a, b, c = random.choice([*met_in(grid)])
    number, tail = re.match(r"(\d+)(.*)", grid[a][c]).groups()
    others = [row[1] for row in grid[1:] if row[1] not in (number, grid[a][1])]
    grid[a][c] = random.choice(others) + tail
    return both(grid, a, b)


def cell_colour(grid, random):
    a, b, c = random.choice([*met_in(grid)])
    k = random.choice((a, b))
    grid[k][c] = grid[k][c].translate(str.maketrans("wb", "bw"))
    return both(grid, a, b)


def cell_lost(grid, random):
    a, b, c = random.choice([*met_in(grid)])
    k = random.choice((a, b))
    grid[k][c] = ""
    return both(grid, a, b)


def cells_of_two_rounds(grid, random):
    """Two cells of a row exchanged."""
    a, b, c = random.choice([*met_in(grid)])
    others = [
        d
        for d in range(3, len(grid[0]))
        if "Rd" in grid[0][d] and d != c and grid[a][d] != grid[a][c]
    ]
    d = random.choice(others)
    grid[a][c], grid[a][d] = grid[a][d], grid[a][c]
    return both(grid, a, b)


def games_exchanged(grid, random):
    """Two pairs of a round exchange opponents, with results."""
    a, b, c = random.choice([*met_in(grid)])
    x, y, _ = random.choice([met for met in met_in(grid) if met[2] == c and met[0] != a])
    tails = [CELL.match(grid[k][c])[2] + CELL.match(grid[k][c])[3] for k in (a, b, x, y)]
    opponents = grid[y][1], grid[x][1], grid[b][1], grid[a][1]
    for k, number, tail in zip((a, b, x, y), opponents, tails, strict=True):
        grid[k][c] = number + tail
    return (*both(grid, a, b), *both(grid, x, y))


def total_wrong(grid, random):
    k, c = random.randrange(1, len(grid)), grid[0].index("TB1") - ("Pts." in grid[0])
    value = float(grid[k][c].replace(",", ".")) + random.choice((-1, 1))
    grid[k][c] = f"{abs(value):g}".replace(".", ",")
    return (grid[k][2], f"line {k + 1}")


def tie_break_wrong(grid, random):
    k, c = random.randrange(1, len(grid)), len(grid[0]) - 2
    grid[k][c] = f"{float(grid[k][c].replace(',', '.')) + 2:g}".replace(".", ",")
    return (grid[k][2], f"line {k + 1}")


def places_exchanged(grid, random):
    c = grid[0].index("TB1") - ("Pts." in grid[0])
    k = random.choice([k for k in range(1, len(grid) - 1) if grid[k][c] != grid[k + 1][c]])
    grid[k][0], grid[k + 1][0] = grid[k + 1][0], grid[k][0]
    return both(grid, k, k + 1)


def names_of_rows_exchanged(grid, random):
    """Two names in each other's row, with their numbers: cells and points stay."""
    k, n = random.sample(range(1, len(grid)), 2)
    grid[k][1], grid[n][1] = grid[n][1], grid[k][1]
    return both(grid, k, n)


def crosstable_row_missing(grid, random):
    k = random.randrange(1, len(grid))
    said = (grid[k][2], "opponent", f"line {k + 1}")
    del grid[k]
    return said


def crosstable_row_twice(grid, random):
    k = random.randrange(1, len(grid))
    grid.insert(k, [*grid[k]])
    return (grid[k][2], f"line {k + 1}", f"line {k + 2}")


def start_number_wrong(grid, random):
    k = random.randrange(1, len(grid))
    grid[k][1] = random.choice([row[1] for row in grid[1:] if row[1] != grid[k][1]])
    return (grid[k][2], f"line {k + 1}", *(row[2] for row in grid[1:] if row[1] == grid[k][1]))


def bye_for_a_game(grid, random):
    """A bye instead of an opponent in one row; a second one of its entrant, or another."""
    a, b, c = random.choice([*met_in(grid)])
    grid[a][c] = "-1"
    return both(grid, a, b)


def digit_in_a_cell(grid, random):
    """A key hit twice in a result, or in the number of the opponent."""
    a, b, c = random.choice([*met_in(grid)])
    number, tail = re.match(r"(\d+)(.*)", grid[a][c]).groups()
    grid[a][c] = number + tail + random.choice((tail[-1], "1"))
    return both(grid, a, b)


def point_for_a_half(grid, random):
    """A draw that is a win of one row, whose total follows it."""
    drawn = [
        (a, b, c)
        for a, b, c in met_in(grid)
        if grid[a][c][-1] == HALF and grid[b][c][-1] == HALF and len(CELL.match(grid[a][c])[3]) == 1
    ]
    if not drawn:
        return None
    a, b, c = random.choice(drawn)
    grid[a][c], grid[b][c] = grid[a][c][:-1] + "1", grid[b][c][:-1] + "0"
    return both(grid, a, b)


def crosstable_name_lost(grid, random):
    k = random.randrange(1, len(grid))
    grid[k][2] = ""
    return (f"line {k + 1}",)


def crosstable_same_name(grid, random):
    """A row with the name of another one."""
    k, n = random.sample(range(1, len(grid)), 2)
    grid[k][2] = grid[n][2]
    return (grid[n][2], f"line {k + 1}", f"line {n + 1}")


CROSSTABLE = (
    cell_turned, cell_one_side, cell_opponent, cell_colour, cell_lost, cells_of_two_rounds,
    games_exchanged, total_wrong, tie_break_wrong, places_exchanged, names_of_rows_exchanged,
    crosstable_row_missing, crosstable_row_twice, start_number_wrong, bye_for_a_game,
    digit_in_a_cell, point_for_a_half, crosstable_name_lost, crosstable_same_name,
)  # fmt: skip


# ------------------------------------------------------------------------- slips of a square


def square_cell(grid, random):
    k, c = random.sample(range(1, len(grid)), 2)
    before = grid[k][c + 1]
    grid[k][c + 1] = random.choice(
        [text for text in ("1", "2", "3", f"1{HALF}", f"2{HALF}") if text != before]
    )
    return grid[k][1], grid[c][1], f"line {k + 1}", f"line {c + 1}"


def square_turned(grid, random):
    pairs = [
        (k, n) for k in range(1, len(grid)) for n in range(1, k) if grid[k][n + 1] != grid[n][k + 1]
    ]
    k, n = random.choice(pairs)
    grid[k][n + 1], grid[n][k + 1] = grid[n][k + 1], grid[k][n + 1]
    return grid[k][1], grid[n][1]


def square_total(grid, random):
    k, c = random.randrange(1, len(grid)), random.choice((-1, -2))
    grid[k][c] = str(int(grid[k][c].replace(HALF, "") or 0) + 2)
    return grid[k][1], f"line {k + 1}"


def square_row_missing(grid, random):
    k = random.randrange(1, len(grid))
    del grid[k]
    return ("row",)


def square_row_twice(grid, random):
    k = random.randrange(1, len(grid))
    grid.insert(k, [*grid[k]])
    return ("row",)


def square_rows_exchanged(grid, random):
    """The cells of two teams in each other's row."""
    k, n = random.sample(range(1, len(grid)), 2)
    grid[k][2:], grid[n][2:] = grid[n][2:], grid[k][2:]
    return ("column", grid[k][1], grid[n][1])


SQUARE = (square_cell, square_turned, square_total, square_row_missing, square_row_twice,
          square_rows_exchanged)  # fmt: skip


# ------------------------------------------------------------------------------ slips of a TRF


def trf_lines(name):
    if name in ("league16", "league26"):
        from dataclasses import replace

        from tb2learn.events.files.trf_write import write_trf

        event = read_event(MemoryFile("league.pgn", pgn_text(pgn_games()).encode()), Reading())
        event = replace(event, name="League", about={"start": "2026-03-01"})
        return write_trf(event, 2000 + int(name[-2:])).splitlines()
    return (ROOT / f"examples/{name}.trf").read_text().splitlines()


def entries_of(lines):
    return {int(line[4:8]): k for k, line in enumerate(lines) if line.startswith("001")}


def entry(line, r):
    return line[91 + 10 * r : 99 + 10 * r].ljust(8)


def with_entry(line, r, text):
    return (line[: 91 + 10 * r].ljust(91 + 10 * r) + text.ljust(8) + line[99 + 10 * r :]).rstrip()


def trf_met(lines):
    """Lines of both players and the round of every game."""
    at = entries_of(lines)
    for number, k in at.items():
        for r in range((len(lines[k]) - 84) // 10):
            other = entry(lines[k], r)[:4].strip()
            if other.isdigit() and int(other) > number and entry(lines[k], r)[7] in "10=":
                yield k, at[int(other)], r


def name_in(line):
    return line[14:47].strip()


def at_lines(lines, *numbers):
    words = [f"line {k + 1}" for k in numbers]
    return (*(name_in(lines[k]) for k in numbers if lines[k].startswith("001")), *words)


def teams_at(lines, *numbers):
    """The names of the teams of players, by the records of teams."""
    words = []
    for k in numbers:
        start = lines[k][4:8]
        for line in lines:
            members = (
                line[73:] if line.startswith("310") else line[36:] if line.startswith("013") else ""
            )
            if start.strip() in members.split():
                words.append((line[8:40] if line.startswith("310") else line[4:36]).strip())
    return tuple(words)


def trf_both(lines, a, b):
    return (*at_lines(lines, a, b), *teams_at(lines, a, b))


FLIP = {"1": "0", "0": "1", "=": "1"}


def trf_turned(lines, random):
    a, b, r = random.choice([*trf_met(lines)])
    own = FLIP[entry(lines[a], r)[7]]
    lines[a] = with_entry(lines[a], r, entry(lines[a], r)[:7] + own)
    lines[b] = with_entry(lines[b], r, entry(lines[b], r)[:7] + FLIP[own])
    return trf_both(lines, a, b)


def trf_one_side(lines, random):
    a, b, r = random.choice([*trf_met(lines)])
    k = random.choice((a, b))
    own = entry(lines[k], r)
    lines[k] = with_entry(lines[k], r, own[:7] + {"1": "=", "0": "=", "=": "1"}[own[7]])
    return trf_both(lines, a, b)


def trf_opponent(lines, random):
    """Two digits of the opponent's number turned, or another one."""
    a, b, r = random.choice([*trf_met(lines)])
    k = random.choice((a, b))
    own, other = entry(lines[k], r), f"{random.choice([*entries_of(lines)]):4d}"
    if other == own[:4]:
        return None
    lines[k] = with_entry(lines[k], r, other + own[4:])
    return trf_both(lines, a, b)


def trf_colour(lines, random):
    a, b, r = random.choice([*trf_met(lines)])
    k = random.choice((a, b))
    own = entry(lines[k], r)
    lines[k] = with_entry(
        lines[k], r, own[:5] + own[5].translate(str.maketrans("wb", "bw")) + own[6:]
    )
    return trf_both(lines, a, b)


def trf_colours_of_both(lines, random):
    a, b, r = random.choice([*trf_met(lines)])
    for k in (a, b):
        own = entry(lines[k], r)
        lines[k] = with_entry(
            lines[k], r, own[:5] + own[5].translate(str.maketrans("wb", "bw")) + own[6:]
        )
    return trf_both(lines, a, b)


def trf_points(lines, random):
    k = random.choice([*entries_of(lines).values()])
    own = float(lines[k][80:84])
    lines[k] = f"{lines[k][:80]}{own + 1:4.1f}{lines[k][84:]}"
    return at_lines(lines, k)


def trf_ranks(lines, random):
    places = {int(lines[k][85:89].strip() or 0): k for k in entries_of(lines).values()}
    pairs = [(k, places.get(n + 1, k)) for n, k in places.items() if n]
    pairs = [(a, b) for a, b in pairs if lines[a][80:84] != lines[b][80:84]]
    if not pairs:
        return None
    a, b = random.choice(pairs)
    one, other = lines[a][85:89], lines[b][85:89]
    lines[a] = f"{lines[a][:85]}{other}{lines[a][89:]}"
    lines[b] = f"{lines[b][:85]}{one}{lines[b][89:]}"
    return at_lines(lines, a, b)


def trf_line_missing(lines, random):
    k = random.choice([*entries_of(lines).values()])
    said = (*at_lines(lines, k), lines[k][4:8].strip(), *teams_at(lines, k), "opponent")
    del lines[k]
    return said


def trf_line_twice(lines, random):
    k = random.choice([*entries_of(lines).values()])
    lines.insert(k, lines[k])
    return at_lines(lines, k, k + 1)


def trf_change_one_side(lines, random, changed):
    """Another entry of a match in one of both records: `changed` of the record and the entry."""
    a, b, r = random.choice([*trf_met(lines)])
    lines[a] = with_entry(lines[a], r, changed(lines[a], entry(lines[a], r)))
    return trf_both(lines, a, b)


def trf_entry_lost(lines, random):
    return trf_change_one_side(lines, random, lambda record, entry: "")


def trf_letter_of_a_result(lines, random):
    return trf_change_one_side(
        lines, random, lambda record, entry: entry[:7] + random.choice("23O")
    )


def trf_bye_for_a_game(lines, random):
    return trf_change_one_side(lines, random, lambda record, entry: "0000 - U")


def trf_against_himself(lines, random):
    return trf_change_one_side(lines, random, lambda record, entry: record[4:8] + entry[4:])


def trf_rounds_exchanged(lines, random):
    a, b, r = random.choice([*trf_met(lines)])
    others = [
        n
        for n in range((len(lines[a]) - 84) // 10)
        if n != r and entry(lines[a], n)[:4] != entry(lines[a], r)[:4]
    ]
    n = random.choice(others)
    one, other = entry(lines[a], r), entry(lines[a], n)
    lines[a] = with_entry(with_entry(lines[a], r, other), n, one)
    return trf_both(lines, a, b)


def trf_shifted(lines, random):
    """A blank less before the rounds."""
    k = random.choice([*entries_of(lines).values()])
    lines[k] = lines[k][:90] + lines[k][91:]
    return at_lines(lines, k)


def trf_start_twice(lines, random):
    k, n = random.sample([*entries_of(lines).values()], 2)
    lines[k] = f"{lines[k][:4]}{lines[n][4:8]}{lines[k][8:]}"
    return at_lines(lines, k, n)


def trf_letter(lines, random):
    """A letter of the name of a player; it stands in the file once."""
    k = random.choice([*entries_of(lines).values()])
    name = name_in(lines[k])
    at = random.randrange(1, len(name.split(",")[0]))
    other = name[:at] + random.choice("bdfgkl".replace(name[at], "")) + name[at + 1 :]
    lines[k] = f"{lines[k][:14]}{other:33}{lines[k][47:]}"
    return name, other, f"line {k + 1}"


def trf_digit_in_a_name(lines, random):
    """A digit for a letter: `N0vak`."""
    k = random.choice([*entries_of(lines).values()])
    name = name_in(lines[k])
    at = random.randrange(1, len(name.split(",")[0]))
    other = name[:at] + random.choice("0135") + name[at + 1 :]
    lines[k] = f"{lines[k][:14]}{other:33}{lines[k][47:]}"
    return name, other, f"line {k + 1}"


def trf_team_letter(lines, random):
    teams = [k for k, line in enumerate(lines) if line[:3] in ("013", "310")]
    if not teams:
        return None
    k = random.choice(teams)
    first, last = (8, 40) if lines[k].startswith("310") else (4, 36)
    name = lines[k][first:last].strip()
    at = random.randrange(1, len(name))
    other = name[:at] + random.choice("bdfgkl".replace(name[at], "")) + name[at + 1 :]
    lines[k] = lines[k][:first] + other.ljust(last - first) + lines[k][last:]
    return name, other, f"line {k + 1}"


def trf_team_of(lines, random):
    """The record of a team and where its members stand."""
    teams = [k for k, line in enumerate(lines) if line[:3] in ("013", "310")]
    if not teams:
        return None
    k = random.choice(teams)
    return k, 73 if lines[k].startswith("310") else 36


def trf_member_wrong(lines, random):
    """A member who is one of another team."""
    if not (of := trf_team_of(lines, random)):
        return None
    k, first = of
    n = random.choice([n for n, line in enumerate(lines) if line[:3] == lines[k][:3] and n != k])
    at = first + 5 * random.randrange(len(lines[k][first:].split()))
    other = lines[n][first : first + 4]
    lines[k] = lines[k][:at] + other + lines[k][at + 4 :]
    return f"line {k + 1}", f"line {n + 1}", other.strip()


def trf_member_lost(lines, random):
    if not (of := trf_team_of(lines, random)):
        return None
    k, first = of
    at = first + 5 * random.randrange(len(lines[k][first:].split()))
    number = int(lines[k][at : at + 4])
    lines[k] = (lines[k][:at] + lines[k][at + 5 :]).rstrip()
    n = entries_of(lines)[number]
    return (f"line {k + 1}", f"got '{number}'", *at_lines(lines, n))


def trf_total(lines, random):
    """The match points or game points of a team."""
    teams = [k for k, line in enumerate(lines) if line.startswith("310") and line[54:67].strip()]
    if not teams:
        return None
    k, (first, last) = random.choice(teams), random.choice(((54, 60), (61, 67)))
    own = float(lines[k][first:last])
    lines[k] = f"{lines[k][:first]}{own + 1:6.1f}{lines[k][last:]}"
    return lines[k][8:40].strip(), f"line {k + 1}"


def trf_fide_id(lines, random):
    """The FIDE number of another player."""
    with_id = [k for k in entries_of(lines).values() if lines[k][57:68].strip()]
    if len(with_id) < 2:
        return None
    k, n = random.sample(with_id, 2)
    lines[k] = lines[k][:57] + lines[n][57:68] + lines[k][68:]
    return at_lines(lines, k, n)


def trf_rating(lines, random):
    """A digit of a rating that is lost, or once more."""
    k = random.choice([k for k in entries_of(lines).values() if lines[k][48:52].strip()])
    lines[k] = f"{lines[k][:48]}{random.choice('59')}{lines[k][49:]}"
    return at_lines(lines, k)


def trf_team_ranks(lines, random):
    """Two teams with each other's rank."""
    places = {
        int(line[68:71].strip() or 0): k for k, line in enumerate(lines) if line.startswith("310")
    }
    pairs = [(k, places[n + 1]) for n, k in places.items() if n and n + 1 in places]
    pairs = [(a, b) for a, b in pairs if lines[a][54:60] != lines[b][54:60]]
    if not pairs:
        return None
    a, b = random.choice(pairs)
    one, other = lines[a][68:71], lines[b][68:71]
    lines[a] = f"{lines[a][:68]}{other}{lines[a][71:]}"
    lines[b] = f"{lines[b][:68]}{one}{lines[b][71:]}"
    return lines[a][8:40].strip(), lines[b][8:40].strip(), f"line {a + 1}"


def trf_line_up(lines, random):
    """Two players of a line-up in each other's place."""
    of = [
        k for k, line in enumerate(lines) if line.startswith("300") and len(line[16:].split()) > 2
    ]
    if not of:
        return None
    k = random.choice(of)
    one, other = lines[k][16:20], lines[k][21:25]
    lines[k] = f"{lines[k][:16]}{other} {one}{lines[k][25:]}"
    number = int(lines[k][8:11])
    team = next(line for line in lines if line.startswith("310") and int(line[4:7]) == number)
    return f"line {k + 1}", team[8:40].strip()


def trf_match_points_of_two(lines, random):
    """The totals of two teams in each other's record."""
    of = [k for k, line in enumerate(lines) if line.startswith("310") and line[54:67].strip()]
    pairs = [(a, b) for a in of for b in of if lines[a][54:67] != lines[b][54:67]]
    if not pairs:
        return None
    a, b = random.choice(pairs)
    own, other = lines[a][54:67], lines[b][54:67]
    lines[a] = lines[a][:54] + other + lines[a][67:]
    lines[b] = lines[b][:54] + own + lines[b][67:]
    return lines[a][8:40].strip(), lines[b][8:40].strip()


def trf_rounds(lines, random):
    """Fewer rounds in the heading than were played."""
    k = next((k for k, line in enumerate(lines) if line[:3] in ("142", "XXR")), None)
    if k is None:
        return None
    lines[k] = f"{lines[k][:4]}2"
    return "rounds", f"line {k + 1}"


TRF = (
    trf_turned, trf_one_side, trf_opponent, trf_colour, trf_colours_of_both, trf_points, trf_ranks,
    trf_line_missing, trf_line_twice, trf_entry_lost, trf_rounds_exchanged, trf_shifted,
    trf_start_twice, trf_letter, trf_digit_in_a_name, trf_team_letter, trf_member_wrong,
    trf_member_lost, trf_total, trf_fide_id, trf_rating, trf_letter_of_a_result, trf_bye_for_a_game,
    trf_against_himself, trf_rounds, trf_team_ranks, trf_line_up, trf_match_points_of_two,
)  # fmt: skip


# ------------------------------------------------------------------------------ slips of a PGN


def pgn_games():
    """The games of the league as tags, with their moves."""
    games, numbers = [], {}
    for number, a, b, board, player_a, player_b, half_a, half_b in league():
        match = numbers.setdefault((number, a), 1 + sum(r == number for r, _ in numbers))
        sides = [(a, player_a, half_a), (b, player_b, half_b)][:: 1 if board % 2 else -1]
        (team_w, white, half_w), (team_b, black, _) = sides
        result = {2: "1-0", 1: "1/2-1/2", 0: "0-1"}[half_w]
        games.append({
            "Event": "League", "Site": "Ulm", "Date": f"2026.03.{number:02}",
            "Round": f"{number}.{match}", "Board": str(board), "White": white[0], "Black": black[0],
            "Result": result, "WhiteTeam": team_w, "BlackTeam": team_b,
            "WhiteElo": str(white[1]), "BlackElo": str(black[1]), "WhiteFideId": str(white[2]),
            "BlackFideId": str(black[2]), "": f"1. e4 e5 {result}",
        })  # fmt: skip
    return games


def pgn_open():
    """The games of the open as tags."""
    event = read_event(ROOT / "examples/open.trf")
    games = []
    for game in event.games:
        result = {2: "1-0", 1: "1/2-1/2", 0: "0-1"}[game.white_half_points]
        white, black = (event.players[p] for p in (game.white, game.black))
        games.append({
            "Event": "Open", "Site": "Ulm", "Date": f"2026.06.{game.round:02}",
            "Round": f"{game.round}.{game.match}", "White": white.name, "Black": black.name,
            "Result": result, "WhiteElo": str(white.rating), "BlackElo": str(black.rating),
            "": f"1. d4 d5 {result}",
        })  # fmt: skip
    return games


def pgn_text(games):
    return "".join(
        "".join(f'[{tag} "{value}"]\n' for tag, value in game.items() if tag) + f"\n{game['']}\n\n"
        for game in games
    )


def of_game(games, *numbers):
    """Names, teams and first lines of games."""
    words = []
    for k in numbers:
        line = 1 + sum(len(game) + 2 for game in games[:k])
        words += [
            games[k]["White"],
            games[k]["Black"],
            games[k].get("WhiteTeam"),
            games[k].get("BlackTeam"),
        ]
        words += [f"line {n}" for n in range(line, line + len(games[k]) + 3)]
    return tuple(filter(None, words))


def of_round(games, k):
    return [
        n
        for n in range(len(games))
        if n != k and games[n]["Round"].split(".")[0] == games[k]["Round"].split(".")[0]
    ]


def pgn_game_missing(games, random):
    k = random.randrange(len(games))
    said = of_game(games, k)[: 4 if "WhiteTeam" in games[k] else 2]
    del games[k]
    return said


def pgn_match_missing(games, random):
    if "WhiteTeam" not in games[0]:
        return None
    k = random.randrange(len(games))
    said = of_game(games, k)[:4]
    games[:] = [game for game in games if game["Round"] != games[k]["Round"]]
    return said


def pgn_game_twice(games, random):
    k = random.randrange(len(games))
    games.insert(k, dict(games[k]))
    return of_game(games, k, k + 1)


def pgn_twice_in_another_round(games, random):
    k = random.randrange(len(games))
    n = random.choice([n for n in range(len(games)) if n != k and n not in of_round(games, k)])
    games.insert(n, {**games[k], "Round": games[n]["Round"]})
    return of_game(games, n, n + 1)


def pgn_team_of_another(games, random):
    if "WhiteTeam" not in games[0]:
        return None
    k = random.randrange(len(games))
    side = random.choice(("White", "Black"))
    said = of_game(games, k)
    games[k][f"{side}Team"] = random.choice([t for t in TOWNS if t not in said])
    return (*said, games[k][f"{side}Team"])


def pgn_teams_turned(games, random):
    """WhiteTeam and BlackTeam exchanged in one game."""
    if "WhiteTeam" not in games[0]:
        return None
    k = random.randrange(len(games))
    games[k]["WhiteTeam"], games[k]["BlackTeam"] = games[k]["BlackTeam"], games[k]["WhiteTeam"]
    return of_game(games, k)


def pgn_teams_exchanged(games, random):
    """In a round two teams have each other's name."""
    if "WhiteTeam" not in games[0]:
        return None
    k = random.randrange(len(games))
    one = games[k]["WhiteTeam"]
    other = random.choice([t for t in TOWNS if t not in (one, games[k]["BlackTeam"])])
    change = {one: other, other: one}
    for n in (k, *of_round(games, k)):
        for tag in ("WhiteTeam", "BlackTeam"):
            games[n][tag] = change.get(games[n][tag], games[n][tag])
    return one, other


def pgn_letter(games, random, tags=("White", "Black")):
    k, tag = random.randrange(len(games)), random.choice(tags)
    name = games[k][tag]
    at = random.randrange(1, len(name.split(",")[0]))
    games[k][tag] = name[:at] + random.choice("bdfgkl".replace(name[at], "")) + name[at + 1 :]
    return name, *of_game(games, k)


def pgn_letter_without_id(games, random):
    for game in games:
        game.pop("WhiteFideId", None)
        game.pop("BlackFideId", None)
    return pgn_letter(games, random)


def pgn_team_letter(games, random):
    return (
        pgn_letter(games, random, ("WhiteTeam", "BlackTeam")) if "WhiteTeam" in games[0] else None
    )


def pgn_result(games, random):
    """The tag alone is turned, or another one."""
    k = random.randrange(len(games))
    games[k]["Result"] = random.choice(
        [r for r in ("1-0", "0-1", "1/2-1/2") if r != games[k]["Result"]]
    )
    return of_game(games, k)


def pgn_no_result(games, random):
    k = random.randrange(len(games) // 2)
    games[k]["Result"], games[k][""] = "*", "1. e4 e5 *"
    return of_game(games, k)


def pgn_strange_result(games, random):
    k = random.randrange(len(games))
    games[k]["Result"] = random.choice(("1-1", "0.5-1", "2-0", "10"))
    return of_game(games, k)


def pgn_round(games, random):
    k = random.randrange(len(games))
    before = games[k]["Round"].split(".")[0]
    other = random.choice([r for r in "12345" if r != before])
    games[k]["Round"] = f"{other}.{games[k]['Round'].split('.')[1]}"
    return of_game(games, k)


def pgn_round_lost(games, random):
    k = random.randrange(len(games))
    games[k]["Round"] = random.choice(("", "?", "99"))
    return of_game(games, k)


def pgn_board_twice(games, random):
    if "Board" not in games[0]:
        return None
    k = random.choice([k for k, game in enumerate(games) if game["Board"] in "12"])
    games[k]["Board"] = games[k + 1]["Board"]
    return of_game(games, k, k + 1)


def pgn_colours(games, random):
    """A game with colours turned, its teams and result, too."""
    k = random.randrange(len(games))
    turned = {"1-0": "0-1", "0-1": "1-0"}
    game = games[k]
    games[k] = {
        tag: game[tag.replace("White", "B_").replace("Black", "White").replace("B_", "Black")]
        if tag
        else game[""]
        for tag in game
    }
    games[k]["Result"] = turned.get(game["Result"], game["Result"])
    games[k][""] = f"1. e4 e5 {games[k]['Result']}"
    return of_game(games, k)


def pgn_player_of_another(games, random):
    if "WhiteTeam" not in games[0]:
        return None
    k = random.randrange(len(games))
    n = random.choice(
        [n for n in range(len(games)) if games[k]["WhiteTeam"] not in of_game(games, n)]
    )
    for tag in ("White", "WhiteElo", "WhiteFideId"):
        games[k][tag] = games[n][tag]
    return of_game(games, k, n)


def pgn_player_twice(games, random):
    """A player twice in a round."""
    k = random.randrange(len(games))
    same = [n for n in of_round(games, k) if games[n].get("WhiteTeam") == games[k].get("WhiteTeam")]
    n = random.choice(same)
    for tag in ("White", "WhiteElo", "WhiteFideId"):
        if tag in games[k]:
            games[k][tag] = games[n][tag]
    return of_game(games, k, n)


def pgn_against_himself(games, random):
    k = random.randrange(len(games))
    games[k]["Black"] = games[k]["White"]
    return of_game(games, k)


def pgn_name_lost(games, random):
    k = random.randrange(len(games))
    said = of_game(games, k)
    games[k][random.choice(("White", "Black"))] = ""
    return said


def pgn_fide_id(games, random):
    """A digit of a FIDE number."""
    if "WhiteFideId" not in games[0]:
        return None
    k = random.randrange(len(games))
    games[k]["WhiteFideId"] = str(int(games[k]["WhiteFideId"]) + 100)
    return of_game(games, k)


def pgn_elo(games, random):
    k = random.randrange(len(games))
    games[k]["WhiteElo"] = str(int(games[k]["WhiteElo"]) - 1000)
    return of_game(games, k)


PGN = (
    pgn_game_missing, pgn_match_missing, pgn_game_twice, pgn_twice_in_another_round,
    pgn_team_of_another, pgn_teams_turned, pgn_teams_exchanged, pgn_letter, pgn_letter_without_id,
    pgn_team_letter, pgn_result, pgn_no_result, pgn_strange_result, pgn_round, pgn_round_lost,
    pgn_board_twice, pgn_colours, pgn_player_of_another, pgn_player_twice, pgn_against_himself,
    pgn_name_lost, pgn_fide_id, pgn_elo,
)  # fmt: skip


# ----------------------------------------------------------------------------------- the files


def event_of_example(name):
    return read_event(ROOT / "examples" / name)


GRIDS = {
    "matches": (table, (*BY_ROW, opponents_exchanged)),
    "scored": (
        lambda: table(scored=True),
        (*BY_ROW, opponents_exchanged, match_points_wrong, result_turned),
    ),
    "games": (games, (*BY_ROW, bye_twice)),
    "crosstable of players": (lambda: crosstable(event_of_example("open.trf")), CROSSTABLE),
    "crosstable of teams": (lambda: crosstable(event_of_example("team-swiss.trf")), CROSSTABLE),
    "square": (square, SQUARE),
    "lists of matches": (match_lists, (*COMMON, opponents_exchanged, round_twice)),
    "lists of boards": (board_lists, OF_BOARDS),
    "lists of games": (game_lists, (*COMMON, round_twice, bye_twice)),
}
"""Grids by what they are, with the slips that are made in them."""
FORMATS = {
    "csv": (
        "matches",
        "scored",
        "games",
        "crosstable of players",
        "crosstable of teams",
        "square",
        "lists of matches",
    ),
    "xlsx": (
        "matches",
        "crosstable of players",
        "crosstable of teams",
        "lists of boards",
        "lists of games",
    ),
    "html": (
        "crosstable of players",
        "crosstable of teams",
        "square",
        "lists of matches",
        "lists of boards",
        "lists of games",
    ),
    "trf": ("team-swiss", "open", "olympiad", "league16", "league26"),
    "pgn": ("league", "open"),
}


def base(form, kind):
    """A right file as something that a slip changes, the slips, and how it is written."""
    if form == "trf":
        return trf_lines(kind), TRF, lambda lines: ("\n".join(lines) + "\n").encode()
    if form == "pgn":
        return (
            (pgn_games if kind == "league" else pgn_open)(),
            PGN,
            lambda of: pgn_text(of).encode(),
        )
    make, slips = GRIDS[kind]
    return make(), slips, WRITES[form]


def said_of(form, data):
    """What `rank` and `check` say of a file: notes and findings, or the refusal."""
    try:
        event = read_event(MemoryFile(f"event.{form}", data), Reading())
    except InputError as error:
        return {str(error)}
    checked = check(event)
    return {
        *event.notes,
        *(
            f"{f'round {f.round}: ' * (f.round > 0)}{f.text}"
            for f in (*checked.findings, *checked.remarks)
        ),
    }


def planted(form, kind, slip, seed):
    """What is new in what is said after a slip, and the words of which one must be there.

    None where a file has no place for the slip.
    """
    random = Random(f"{form} {kind} {slip.__name__} {seed}")
    content, _, write = base(form, kind)
    before = said_of(form, write(content))
    words = slip(content, random)
    if words is None:
        return None
    return said_of(form, write(content)) - before, words
