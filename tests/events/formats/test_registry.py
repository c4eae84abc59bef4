"""The registry: what is said of formats anywhere is read from it, and a new one is an entry."""

import subprocess
import sys
import textwrap

import pytest
from format_samples import SAMPLES
from helpers import ROOT

from tb2learn.events import Reading
from tb2learn.events.formats import registry
from tb2learn.events.formats.options import STRICT
from tb2learn.events.formats.registry import Head
from tb2learn.events.formats.source import decoded
from tb2learn.types import InputError


@pytest.mark.parametrize("one", registry.FORMATS, ids=lambda one: one.name)
def test_an_entry_says_everything_once(one):
    assert one.name == one.name.lower() and one.title.isprintable()
    assert one.of in ("teams", "players", "teams or players")
    for form in one.forms.values():
        assert form.help and callable(form.writes)
    assert bool(one.endings) == bool(one.forms)
    assert all(ending == ending.lower() for ending in one.endings)


def test_names_and_endings_are_different():
    written = [form for one in registry.FORMATS for form in one.forms]
    endings = [ending for one in registry.FORMATS for ending in one.endings]
    for names in (registry.names(), written, endings):
        assert len(set(names)) == len(names)
    assert registry.by_ending() == {"": "csv", ".trf": "trf26", ".trfx": "trf26"}


def head(data):
    return Head(data, decoded(data))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_of_its_format_alone(name):
    for mark in (b"", b"\xef\xbb\xbf"):
        given = head(mark + SAMPLES[name])
        found = {one.name for one in registry.FORMATS if one.recognises(given)}
        assert found == {name.rpartition(".")[2]} - {"nothing"}


def test_a_pgn_may_begin_with_comments():
    text = b"\n\r\n% [x]\n; y\n" + SAMPLES["games.pgn"]
    assert registry.recognised(head(text), strict=True).name == "pgn"


def test_a_strict_reader_asks_for_the_name_of_what_is_not_exact():
    table = head(SAMPLES["matches.csv"])
    assert registry.recognised(table, strict=True) is None
    assert registry.recognised(table, strict=False).name == "csv"
    assert registry.recognised(head(SAMPLES["small.trf"]), STRICT.strict).name == "trf"


def test_a_name_that_is_none():
    with pytest.raises(
        InputError, match=f"form must be one of {', '.join(registry.names())}, got 'xml'"
    ):
        registry.format_named(Reading(form="xml").form)


TOY = """
import json, sys
from tb2learn.events.formats import registry
from tb2learn.events.formats.registry import Form, Format

def reads(source, name, options):
    from tb2learn.events.formats.csv_folder import read_folder
    from tb2learn.events.formats.source import Held, read_bytes
    tables = json.loads(read_bytes(source))["event"]
    return read_folder(Held(name, {n: t.encode() for n, t in tables.items()}), name, options)

def writes(event):
    from tb2learn.events.formats.csv_write import folder_files
    return {"": json.dumps({"event": folder_files(event)})}

toy = Format(
    name="json", title="a JSON event",
    recognises=lambda head: head.text.startswith('{"event"'), reads=reads,
    forms={"json1": Form("tables as JSON", "", writes)}, endings=(".json",),
)
registry.FORMATS = (*registry.FORMATS, toy)

from tb2learn.cli import main
for line in sys.argv[1:]:
    print(f"[{main(line.split())}]", flush=True)
"""


def test_a_new_format_is_a_file_and_an_entry(tmp_path):
    """It is offered, recognised, read, written and named in messages; nothing else is touched."""
    (tmp_path / "hello").write_text("hello")
    lines = ("rank --help", "convert --help", "convert etcc2011 out.json", "convert out.json again",
             "convert again old --to json1", "rank hello", "rank hello --form json1")  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(TOY), *lines],
        capture_output=True, text=True, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    helps, convert, *rest = done.stdout.split("[0]\n")
    helps = " ".join(helps.split())
    assert "--form [csv|trf|pgn|crosstable|json]" in helps.replace("| ", "|")
    assert "a TRF16, TRF26, JSON1 or CSV file" in helps
    assert "[csv|trf16|trf26|json1]" in convert
    assert ".trf, .trfx or .json" in " ".join(convert.split())
    assert rest[:-1] == ["out.json\n", rest[1], "old\n"] and rest[-1] == "[2]\n[2]\n"
    assert (tmp_path / "old").read_text() == (tmp_path / "out.json").read_text()
    refused = [line for line in done.stderr.splitlines() if "error" in line]
    assert (
        "a TRF, a PGN, a crosstable or pairings of chess-results, a JSON event, or a folder with"
        in refused[0]
    )
    assert "'json1' is not one of 'csv', 'trf', 'pgn', 'crosstable', 'json'" in refused[1]
