"""The registry: what is said of formats anywhere is read from it, and a new one is an entry."""

import subprocess
import sys

import pytest
from format_samples import SAMPLES
from helpers import ROOT

from tb2learn.events import Reading
from tb2learn.events.formats import registry
from tb2learn.events.formats.options import STRICT
from tb2learn.events.formats.registry import Head
from tb2learn.events.formats.source import decoded
from tb2learn.types import InputError


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
import sys
from tb2learn.events.formats import registry
from tb2learn.events.formats.registry import Form, Format

def reads(source, name, options):
    from tb2learn.events import read_event
    return read_event("etcc2011")

toy = Format(
    name="json", title="a JSON event",
    recognises=lambda head: head.text.startswith('{"event"'), reads=reads,
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
    assert "--form [csv|trf|pgn|crosstable|json]" in " ".join(helps.split()).replace("| ", "|")
    assert rest[0] == "out.json\n" and rest[-1] == "[2]\n"
    assert (tmp_path / "again" / "matches.csv").exists() and "a JSON event, or" in done.stderr
