"""Of every format: any bytes are read or refused in one line, what is written is read."""

import ast
import contextlib
import dataclasses
import gzip
import io
import subprocess
import sys
import zipfile
from pathlib import Path
from random import Random

import csv_samples
import pytest
from format_samples import (
    GOOD,
    REFUSALS,
    SAMPLES,
    changed,
    read_or_refused,
    says,
    small_event,
    with_changes,
    written_again,
)
from helpers import ROOT, slow_after

from tb2learn.events import Reading, read_event
from tb2learn.events.files import fields, registry
from tb2learn.events.files.options import STRICT
from tb2learn.events.files.source import Content, MemoryFile, text_in_page
from tb2learn.events.files.trf_write import write_trf
from tb2learn.types import InputError

FILES = Path(__file__).with_name("files")


@pytest.mark.parametrize("seed", slow_after(2, range(20)))
@pytest.mark.parametrize("name", SAMPLES)
def test_any_change_is_read_or_refused_in_one_line(name, seed):
    random = Random(f"{name} {seed}")
    for _ in range(6):
        strict, forgiving, _ = read_or_refused(changed(SAMPLES[name], random), name)
        assert strict in (None, forgiving)  # where nothing is assumed, both read the same
        for form in registry.forms() if forgiving else ():
            written_again(forgiving, form)


@pytest.mark.parametrize("seed", slow_after(2, range(20)))
@pytest.mark.parametrize("name", ["league.zip", "resting-reserves.trf.gz", "x.zip", "x.gz"])
def test_any_change_of_a_compressed_file_is_read_or_refused_in_one_line(name, seed):
    random = Random(f"{name} {seed}")
    for _ in range(6):
        inner = changed(random.choice(list(SAMPLES.values())), random)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(random.choice(("x", "matches.csv", "a/b.trf")), inner)
        made = {"x.zip": packed.getvalue(), "x.gz": gzip.compress(inner)}
        data = made[name] if name in made else changed((FILES / name).read_bytes(), random)
        read_or_refused(data, name, *(Reading(form=form) for form in ("", *registry.names())))


@pytest.mark.parametrize("seed", slow_after(6, range(60)))
@pytest.mark.parametrize("form", registry.forms())
def test_any_small_event_is_kept(form, seed):
    """TRF16 has no place for the points of byes."""
    event = small_event(Random(seed), abnormal=form != "csv")
    back = written_again(event, form)
    assert back is not None
    if form != "trf16":
        assert says(back) == says(event)
    if form == "trf26":
        content = write_trf(event, 2026)
        again = write_trf(read_event(MemoryFile("x", content.encode()), Reading()), 2026)
        assert again == content or len(again) == len(content)


def read_file(file, content, strict):
    """The event of a file, beside a good `matches.csv` if it is another table."""
    data = content.encode("utf-8", "surrogateescape")
    if file.endswith(".csv"):
        tables = {"matches.csv": csv_samples.GOOD.encode(), file: data}
        return read_event(MemoryFile("folder", tables), Reading(strict=strict))
    form = file.rpartition(".")[2].replace("crosstable", "table")
    return read_event(MemoryFile(file, data), Reading(strict=strict, form=form))


@pytest.mark.parametrize("file", GOOD)
def test_the_good_files_are_read(file):
    notes = read_file(file, GOOD[file], strict=True).notes
    assert not notes or file.endswith(("pgn", "crosstable"))


@pytest.mark.parametrize(("file", "old", "new", "refusal"), REFUSALS)
def test_a_refusal_names_file_line_and_field(file, old, new, refusal):
    """A reader that is not strict refuses the file, too, or says in a note what it assumes."""
    content = with_changes(file, old, new)
    with pytest.raises(InputError) as error:
        read_file(file, content, strict=True)
    said = str(error.value)
    assert refusal in said and said.startswith(file if file not in refusal else "")
    assert said.isprintable() and len(said) < 500
    with contextlib.suppress(InputError):
        assert read_file(file, content, strict=False).notes


def test_every_assumption_of_the_readers_is_among_them(monkeypatch):
    """Where a reader of this package notes an oddity, one of the rows of the table comes by."""
    folder, calls = Path(fields.__file__).parent, {}
    for path in (*folder.glob("*.py"), *(folder.parent / "files").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                of = ast.unparse(node.func.value)
                if node.func.attr in ("note_assumption", "note_repair") and of not in (
                    "super()",
                    "self.notes",
                ):
                    calls[path.name, node.lineno] = node.end_lineno
    noted, odd = set(), fields.Notes.note_assumption

    def remember(self, *arguments, **options):
        frame = sys._getframe(1)
        while frame and frame.f_code.co_name != "read_event":
            noted.add((Path(frame.f_code.co_filename).name, frame.f_lineno))
            frame = frame.f_back
        odd(self, *arguments, **options)

    monkeypatch.setattr(fields.Notes, "note_assumption", remember)
    for file, old, new, _ in REFUSALS:
        with contextlib.suppress(InputError):
            read_file(file, with_changes(file, old, new), strict=False)
    missed = {
        (name, first)
        for (name, first), last in calls.items()
        if not any((name, line) in noted for line in range(first, last + 1))
    }
    assert missed == set()


def test_a_name_of_a_file_stays_in_the_line():
    for form in registry.names():
        with pytest.raises(InputError) as error:
            read_event(MemoryFile("a\nb\x1b[2J", b""), Reading(form=form))
        assert str(error.value).isprintable()


FOUND = Path(__file__).parents[2] / "fuzz" / "found"


@pytest.mark.parametrize("path", sorted(FOUND.iterdir()), ids=lambda path: path.stem)
def test_what_fuzzing_found(path):
    """Each of these once ended in a traceback, or was written as another event."""
    for event in read_or_refused(path.read_bytes(), path.name):
        for form in registry.forms() if event else ():
            written_again(event, form)


def test_notes_are_printable():
    games = '[White "A\x85\x9b"]\n[Black "B\u202e"]\n[Round "1"]\n[Site "\x9b"]\n[Result "1-0"]\n'
    twice = games + "\n1-0\n\n" + games.replace('"1"', '"2"').replace("[Site", "[Event") + "\n1-0\n"
    for event in read_or_refused(twice.encode(), "games.pgn"):
        assert event is None or (event.notes and all(map(str.isprintable, event.notes)))


def head(data):
    return Content("x", "x", data, *text_in_page(data))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_of_its_format_alone(name):
    for mark in (b"", b"\xef\xbb\xbf"):
        given = head(mark + SAMPLES[name])
        found = {one.name for one in registry.FORMATS if one.recognises(given)}
        ending = name.rpartition(".")[2]
        assert found == {registry.OLD_NAMES.get(ending, ending)} - {"nothing"}


def test_a_pgn_may_begin_with_comments():
    text = b"\n\r\n% [x]\n; y\n" + SAMPLES["games.pgn"]
    assert registry.recognised(head(text), strict=True).name == "pgn"


def test_a_strict_reader_asks_for_the_name_of_what_is_not_exact():
    table = head(SAMPLES["matches.csv"])
    assert registry.recognised(table, strict=True) is None
    assert registry.recognised(table, strict=False).name == "table"
    assert registry.recognised(head(SAMPLES["small.trf"]), STRICT.strict).name == "trf"


@pytest.mark.parametrize("name", ["matches.csv", "players.crosstable"])
@pytest.mark.parametrize("form", registry.OLD_NAMES)
def test_old_names_of_formats_are_taken_with_a_note(name, form):
    """Either of them for any table: which kind it is shows its content."""
    event, old = (
        read_event(MemoryFile("x", SAMPLES[name]), Reading(form=word)) for word in ("table", form)
    )
    assert old.notes == (*event.notes, f"the form {form} is now called table")
    assert dataclasses.replace(old, notes=event.notes) == event


def test_a_table_may_have_a_line_or_title_as_other_formats_begin():
    table = SAMPLES["players.crosstable"].decode()
    for title in ("[Open] a cup\n", "124 players\n"):
        assert registry.recognised(head((title + table).encode()), strict=False).name == "table"


TOY = """
import sys
from tb2learn.events.files import registry
from tb2learn.events.files.registry import Form, Format

def reads(content, options):
    from tb2learn.data import event_folder
    from tb2learn.events.files.source import Content
    folder = Content("", "etcc2011", folder=event_folder("etcc2011"))
    return registry.of_folders().reads(folder, options)

toy = Format(
    name="json", title="a JSON event",
    recognises=lambda content: content.text.startswith('{"event"'), reads=reads,
    forms={"json1": Form("a JSON file", "", lambda event: {"": '{"event"'})}, endings=(".json",),
)
registry.FORMATS = (*registry.FORMATS, toy)
from tb2learn.cli import main
for line in sys.argv[1:]:
    print(f"[{main(line.split())}]", flush=True)
"""


def test_a_new_format_is_a_file_and_an_entry(tmp_path):
    """It is offered, recognised, read, written and named in messages; nothing else is touched."""
    (tmp_path / "hello").write_text("hello")
    lines = ("rank --help", "convert etcc2011 out.json", "convert out.json again", "rank hello")
    done = subprocess.run(
        [sys.executable, "-c", TOY, *lines],
        capture_output=True, text=True, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    helps, *rest = done.stdout.split("[0]\n")
    assert "--form FORM table, trf, pgn, json" in " ".join(helps.split()).replace("| ", "|")
    assert rest[0] == "out.json\n" and rest[-1] == "[2]\n"
    assert (tmp_path / "again" / "matches.csv").exists() and "a JSON event, a" in done.stderr
