"""A small individual event as a Tournament Report File: byes, forfeits, an early leaver."""

from trf_samples import player, read, text

__all__ = ["HELD", "read", "text"]


def entry(number, name, points, *rounds, rating="2000", **fields):
    """A record 001 with its points."""
    cells = [f"{'0000' if cell[0] == '0' else cell[:-4]:>4}{cell[-4:]}" for cell in rounds]
    return player(number, name, cells, rating, c81=f"{points:4.1f}", **fields)


ROUNDS = """\
1 Alyx 3.5: 9 w 1, 13 b =, 2 w =, 15 b 1, 4 w =
2 Bruno 4.0: 10 b 1, 7 w 1, 1 b =, 16 w 1, 3 b =
3 Charline 3.5: 11 w =, 6 b 1, 8 w 1, 4 b =, 2 w =
4 David 3.5: 12 b 1, 0 - H, 13 w 1, 3 w =, 1 b =
5 Helene 2.5: 13 w 0, 15 b 0, 11 w 1, 7 b =, 10 w 1
6 Franck 3.0: 14 b 0, 3 w 0, 0 - U, 10 w 1, 8 b 1
7 Genevieve 1.5: 15 w 1, 2 b 0, 16 b 0, 5 w =, 11 b 0
8 Irina 2.5: 16 b =, 14 w 1, 3 b 0, 13 w 1, 6 w 0
9 Jessica 1.5: 1 b 0, 10 w 0, 0 - H, 11 b -, 0 - U
10 Lais 1.0: 2 w 0, 9 b 1, 15 w 0, 6 b 0, 5 b 0
11 Maria 2.5: 3 b =, 16 w 0, 5 b 0, 9 w +, 7 w 1
12 Nick 2.0: 4 w 0, 0 - U, 14 w +, 0 - Z, 0 - Z
13 Opal 1.5: 5 b 1, 1 w =, 4 b 0, 8 b 0, 14 w 0
14 Paul 2.0: 6 w 1, 8 b 0, 12 b -, 0 - Z, 13 b 1
15 Reine 2.0: 7 b 0, 5 w 1, 10 b 1, 1 w 0, 16 b 0
16 Stephan 3.5: 8 w =, 11 b 1, 7 w 1, 2 b 0, 15 w 1"""


def _record(line):
    head, cells = line.split(": ")
    number, name, points = head.split()
    rating = str(2250 - 50 * int(number))
    return entry(int(number), name, float(points), *cells.split(", "), rating=rating)


HELD = ("012 Sixteen players", "042 2024/08/01", "142 5",
        *map(_record, ROUNDS.splitlines()))  # fmt: skip


def round_robin(*extra):
    """Four players, each against each; one game by default."""
    return text(
        "012 All", *extra,
        entry(1, "A", 2.0, "4 w 1", "3 b =", "2 w ="),
        entry(2, "B", 1.5, "3 w 1", "4 b 0", "1 b ="),
        entry(3, "C", 1.5, "2 b 0", "1 w =", "4 w +"),
        entry(4, "D", 1.0, "1 b 0", "2 w 1", "3 b -"),
    ).encode()  # fmt: skip
