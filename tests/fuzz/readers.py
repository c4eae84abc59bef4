"""Coverage-guided fuzzing of the readers of events.

    pip install atheris
    mkdir -p /tmp/corpus-pgn
    python tests/fuzz/readers.py pgn --seeds /tmp/corpus-pgn
    python tests/fuzz/readers.py pgn /tmp/corpus-pgn -max_total_time=3600 -rss_limit_mb=4096

Targets are `folder`, `trf`, `pgn`, each also with `forgiving-` before it, and `packed`; everything
after the target goes to libFuzzer, whose corpus grows in the folder named. What must hold for any
bytes:

- they are read, by a strict reader or by one that notes what it assumes (`forgiving-...`), or
  refused with an `InputError` in one line of at most 500 characters that begins with the name of
  the file, in less than `SECONDS` of processor time;
- an event that was read can be scored and ranked;
- it can be written in every form, and what was written is read as the same matches, or either is
  refused in one line.

A run that ends without a crash found nothing. A finding is kept as a file `crash-...` in the
current directory, and runs again with `python tests/fuzz/readers.py TARGET FILE`.
"""

from __future__ import annotations

import gzip
import io
import itertools
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import atheris

from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError

with atheris.instrument_imports(include=["tb2learn.events"]):
    from tb2learn.events.formats.csv_folder import read_folder
    from tb2learn.events.formats.csv_words import FILES
    from tb2learn.events.formats.csv_write import folder_files
    from tb2learn.events.formats.oddities import Reading
    from tb2learn.events.formats.pgn import read_pgn
    from tb2learn.events.formats.pgn_write import write_pgn
    from tb2learn.events.formats.read import read_content, read_event
    from tb2learn.events.formats.source import Held
    from tb2learn.events.formats.trf_read import read_trf
    from tb2learn.events.formats.trf_write import write_trf
    from tb2learn.events.model import TeamEvent
    from tb2learn.events.parts import Match
    from tb2learn.events.rank import rank

SECONDS = 2.0
SEPARATOR = b"\n====\n"
RANKED = 6, 3
"""Teams and rounds up to which events are ranked: every other size is compiled once more."""


class Member:
    """A file of a folder that exists in memory alone."""

    def __init__(self, name: str, data: bytes | None) -> None:
        self.name, self._data = name, data

    def is_file(self) -> bool:
        return self._data is not None

    def open(self, mode: str) -> io.BytesIO:
        if self._data is None:
            raise FileNotFoundError(2, "No such file or directory", self.name)
        return io.BytesIO(self._data)


class Folder:
    """A folder that exists in memory alone."""

    name = "folder"

    def __init__(self, files: dict[str, bytes]) -> None:
        self._files = files

    def __truediv__(self, name: str) -> Member:
        return Member(name, self._files.get(name))


def folder_of(data: bytes) -> Folder:
    """The folder that bytes stand for: its files one after the other; an empty one is left out."""
    return Folder({n: d for n, d in zip(FILES, data.split(SEPARATOR), strict=False) if d})


READERS: dict[str, Callable[[bytes], TeamEvent]] = {
    "folder": lambda data: read_folder(folder_of(data), "fuzz"),
    "trf": lambda data: read_trf(data, "fuzz.trf"),
    "pgn": lambda data: read_pgn(io.BytesIO(data), "fuzz.pgn", "fuzz"),
    "forgiving-folder": lambda data: read_folder(folder_of(data), "fuzz", Reading()),
    "forgiving-trf": lambda data: read_trf(data, "fuzz.trf", Reading(trust_points=True)),
    "forgiving-pgn": lambda data: read_pgn(io.BytesIO(data), "fuzz.pgn", "fuzz", Reading()),
    "packed": lambda data: read_content(Held("fuzz", data), Reading()),
}
PLACES = {
    "folder": FILES, "trf": "fuzz.trf", "pgn": "fuzz.pgn", "forgiving-folder": FILES,
    "forgiving-trf": "fuzz.trf", "forgiving-pgn": "fuzz.pgn", "packed": "",
}  # fmt: skip


def one_line(error: InputError) -> str:
    message = str(error)
    assert len(message) <= 500 and message.isprintable(), repr(message)
    return message


def sides(event: TeamEvent, match: Match) -> list[tuple[object, ...]]:
    """A match by the names of its teams, whichever side is named first."""
    b = None if match.team_b is None else event.teams[match.team_b]
    points = match.match_points
    found = [
        (event.teams[match.team_a], match.half_points_a, points[0]),
        (b or "", match.half_points_b, points[1] if b is not None else 0),
    ]
    return [match.round, match.boards_decided, match.boards_forfeited, *sorted(found)]


def matches(event: TeamEvent) -> list[list[object]]:
    return sorted((sides(event, match) for match in event.matches), key=repr)


def with_games(event: TeamEvent) -> TeamEvent:
    """What a PGN can say of an event: the matches that have games."""
    keys = {(game.round, game.match) for game in event.games}
    return replace(event, matches=tuple(m for m in event.matches if (m.round, m.number) in keys))


def check_folder(event: TeamEvent) -> None:
    files = {name: text.encode() for name, text in folder_files(event).items()}
    back = read_folder(Folder(files), event.name)
    assert matches(back) == matches(event), "folder"
    assert back.teams == event.teams and len(back.games) == len(event.games), "folder"


def check_trf(event: TeamEvent, version: int) -> None:
    content, losses = write_trf(event, version)
    data = content if isinstance(content, bytes) else content.encode()
    back = read_trf(data, "back.trf")
    if not losses:
        assert matches(back) == matches(event), f"trf {version}"


def check_pgn(event: TeamEvent) -> None:
    content, losses = write_pgn(event)
    back = read_pgn(io.BytesIO(content.encode()), "back.pgn", event.name)
    assert len(back.games) == len(event.games), "pgn"
    if not losses:
        assert matches(back) == matches(with_games(event)) == matches(event), "pgn"


def check(target: str, data: bytes) -> None:
    start = time.process_time()
    try:
        event = READERS[target](data)
    except InputError as error:
        assert one_line(error).startswith(PLACES[target]), str(error)
        event = None
    assert time.process_time() - start < SECONDS, "too slow"
    if event is None:
        return
    assert all(note.isprintable() and len(note) <= 500 for note in event.notes), event.notes
    if len(event.teams) <= RANKED[0] and event.rounds <= RANKED[1]:
        rank(event, product_table(event.rounds, event.boards))
    writers: tuple[Callable[[], None], ...] = (
        lambda: check_folder(event),
        lambda: check_trf(event, 2016),
        lambda: check_trf(event, 2026),
        lambda: check_pgn(event),
    )
    for writer in writers:
        try:
            writer()
        except InputError as error:
            one_line(error)


def seeds(target: str) -> Iterator[bytes]:
    """Small events to start from."""
    event = read_event("baku2016")
    for rounds in (1, 2):
        small = first_matches(event.after(rounds), 3)
        if target.endswith("folder"):
            files = folder_files(small)
            yield SEPARATOR.join(files.get(name, "").encode() for name in FILES)
            yield files["matches.csv"].encode()
        elif target.endswith("pgn"):
            yield write_pgn(small)[0].encode()
        else:
            for version in (2016, 2026):
                content, _ = write_trf(small, version)
                data = content if isinstance(content, bytes) else content.encode()
                yield gzip.compress(data, mtime=0) if target == "packed" else data


def first_matches(event: TeamEvent, count: int) -> TeamEvent:
    """The first matches of every round alone."""
    kept = [
        match
        for _, group in itertools.groupby(event.matches, key=lambda m: m.round)
        for match in itertools.islice(group, count)
    ]
    keys = {(match.round, match.number) for match in kept}
    numbers = sorted({t for m in kept for t in (m.team_a, m.team_b) if t is not None})
    place = {team: number for number, team in enumerate(numbers)}
    players = [number for number, p in enumerate(event.players) if p.team in place]
    player = {old: new for new, old in enumerate(players)}
    return replace(
        event,
        teams=tuple(event.teams[t] for t in numbers),
        ratings=tuple(event.ratings[t] for t in numbers),
        matches=tuple(replace(m, team_a=place[m.team_a], team_b=place.get(m.team_b)) for m in kept),
        players=tuple(
            replace(event.players[p], team=place[event.players[p].team]) for p in players
        ),
        games=tuple(
            replace(
                g,
                white_team=place[g.white_team],
                black_team=place[g.black_team],
                white=player.get(g.white),
                black=player.get(g.black),
            )
            for g in event.games
            if (g.round, g.match) in keys
        ),
    )


def main() -> None:
    target = sys.argv[1] if len(sys.argv) > 1 else ""
    if target not in READERS:
        sys.exit(f"usage: readers.py {{{','.join(READERS)}}} [--seeds FOLDER | libFuzzer options]")
    if sys.argv[2:3] == ["--seeds"]:
        for number, data in enumerate(seeds(target)):
            (Path(sys.argv[3]) / f"seed-{number}").write_bytes(data)
        return
    atheris.Setup([sys.argv[0], *sys.argv[2:]], lambda data: check(target, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
