"""A small event as a Tournament Report File, typed column by column."""

from dataclasses import replace

from tb2learn.events.files.options import STRICT, Reading
from tb2learn.events.files.read import read_event
from tb2learn.events.files.source import MemoryFile


def read_trf(data, file, options=STRICT):
    """The event in a TRF; one without a name has that of the file."""
    return read_event(MemoryFile(file, data), replace(options, form="trf"))


def record(kind, **fields):
    """A line from its columns: `c5="1"` puts text at column 5."""
    line = kind
    for column, text in fields.items():
        first = int(column[1:])
        assert len(line) < first, (kind, column, line)
        line = line.ljust(first - 1) + text
    return line


def player(start, name, rounds, rating="2000", **fields):
    """A record 001; `rounds` are entries such as `"  12 w 1"`, from column 92 on."""
    cells = {f"c{82 + 10 * r}": cell for r, cell in enumerate(rounds, start=1) if cell}
    ordered = {"c5": f"{start:4d}", "c15": name, "c49": rating, **fields, **cells}
    return record("001", **dict(sorted(ordered.items(), key=lambda item: int(item[0][1:]))))


def team(number, name, *members):
    columns = {f"c{69 + 5 * i}": f"{m:4d}" for i, m in enumerate(members, start=1)}
    return record("310", c5=f"{number:3d}", c9=name, **columns)


def old_team(name, *members):
    columns = {f"c{32 + 5 * i}": f"{m:4d}" for i, m in enumerate(members, start=1)}
    return record("013", c5=name, **columns)


def text(*lines):
    return "\r\n".join(lines) + "\r\n"


def read(*lines, file="x.trf", strict=True):
    return read_trf(text(*lines).encode(), file, Reading(strict=strict))


# Two boards, three rounds, five teams: A (1, 2, 3), B (4, 5), C (6, 7), D (8, 9), E (10, 11).
# 1: A-B with A's reserve on board 2, C-D with one board by default, E has the bye.
# 2: A-C (W D L), B-E forfeited by B, D a half-point bye that pays otherwise.
# 3: D-A, B-C without board 1 of C, E a zero-point bye.
PLAYERS = (
    player(1, "Ace, Alf", ["   4 w 1", "   6 w W", "   8 b ="], c10="m", c11=" GM", c54="AAA",
           c58="   1234567", c70="1990/05/13", c81=" 2.5", c86="   1"),
    player(2, "Ant, Ada", ["0000 - Z", "   7 b D", "   9 w 0"], c10="w", c11="WGM"),
    player(3, "Art", ["   5 b ="], rating=""),
    player(4, "Bat", ["   1 b 0", "  10 - -", "0000 - +"]),
    player(5, "Bee", ["   3 w =", "  11 - -", "   7 b 1"]),
    player(6, "Cat", ["   8 w +", "   1 b L"]),
    player(7, "Cow", ["   9 b 0", "   2 w D", "   5 w 0"]),
    player(8, "Dog", ["   6 b -", "", "   1 w ="]),
    player(9, "Doe", ["   7 w 1", "", "   2 b 1"]),
    player(10, "Eel", ["", "   4 - +"]),
    player(11, "Elk", ["", "   5 - +"]),
)  # fmt: skip
TEAMS = (team(1, "Aces", 1, 2, 3), team(2, "Bats", 4, 5), team(3, "Cats", 6, 7),
         team(4, "Dogs", 8, 9), team(5, "Eels", 10, 11))  # fmt: skip
HEAD = (
    "### typed by hand", "012 Small Cup", "022 Baku", "032 AZE", "042 2026/11/20", "052 2026/11/21",
    "062 11", "072 10", "082 5", "092 Team Swiss", "102 IA Arbiter", "112 One", "112 Two",
    "122 90 minutes", "132" + " " * 88 + "26/11/20", "142 4", "352 WB",
    "162  W 1.0    D 0.5    L 0.0    P 0.5", "362 TW 2.0   TD 1.0   TL 0.0", "XYZ anything at all",
    "NED    1      Ace, Alf                          2100",
)  # fmt: skip
EXTRA = (
    "300   1   1   2    1    3", "300   3   3   2 0000    7",
    "320  1.0  1.0 005", "330 -+   2   2   5", "240 H   2    4", "240 Z   3    5",
    "299 H   2.0   1.5    2    4",
)  # fmt: skip
SMALL = (*HEAD, *PLAYERS, *TEAMS, *EXTRA)


OPEN_HEAD = ["012 Open", "042 2026/04/01", "XXR 3"]
OPEN = [
    ("Ada", 2.5, 1, "   2 w 1", "   3 b 1", "   4 w ="),
    ("Ben", 1.5, 3, "   1 b 0", "0000 - H", "   5 w 1"),
    ("Cleo", 2.0, 2, "   4 w 1", "   1 w 0", "0000 - U"),
    ("Dan", 1.5, 4, "   3 b 0", "   5 b 1", "   1 b ="),
    ("Eva", 1.0, 5, "0000 - U", "   4 w 0", "   2 b 0"),
]


def open_trf(*changes, head=(), rows=OPEN):
    """The open as a TRF, with texts replaced once."""
    lines = [*OPEN_HEAD, *head]
    for start, (name, points, rank_, *cells) in enumerate(rows, start=1):
        line = f"001 {start:4}      {name:33}".ljust(80) + f"{points:4.1f} {rank_:4}  "
        lines.append(line + "  ".join(cell.ljust(8) for cell in cells))
    text = "\n".join(lines)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text
