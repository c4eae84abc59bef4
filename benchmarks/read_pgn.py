"""Reading a PGN with very many comments on one line: megabytes a second, the same for any size.

15, 30 and 60 MB, or other sizes: python benchmarks/read_pgn.py --sizes 100
"""

from __future__ import annotations

import argparse
import time

from machine import machine

from tb2learn.events.files.fields import Notes
from tb2learn.events.files.pgn import tagged_games

TAGS = b'[Event "x"]\n[Result "1-0"]\n\n1. e4 '
COMMENTS = {"empty": b"{}", "clock": b"{[%clk 1:30:00]} ", "between moves": b"{a} 1. e4 "}


def main() -> None:
    """Print a line a kind of comments and size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="15,30,60", help="megabytes")
    sizes = [int(size) for size in parser.parse_args().sizes.split(",")]
    print(f"comments of a PGN on one line; {machine()}")
    for name, comment in COMMENTS.items():
        for size in sizes:
            data = TAGS + comment * (size * 10**6 // len(comment))
            start = time.perf_counter()
            games = sum(1 for _ in tagged_games(data, "benchmark", Notes()))
            seconds = time.perf_counter() - start
            assert games == 1
            print(f"{name:<14}{size:>4} MB {seconds:7.2f} s {size / seconds:7.1f} MB/s")


if __name__ == "__main__":
    main()
