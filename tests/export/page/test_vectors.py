"""Both readers answer alike: the page's script, without a browser, as Python.

The same event and standings; or both refuse, or the page says what the program would mend.
"""

import subprocess
import sys

import page_vectors
import pytest
from helpers import slow_after
from page_samples import SAMPLES, folder
from page_vectors import differences, read
from player_samples import round_robin
from quick import QUICK

from tb2learn.data import event_names
from tb2learn.events.files.write import convert
from tb2learn.export.page.page import page_data
from tb2learn.export.words import LANGUAGES
from tb2learn.tiebreaks.rules import product_table


def test_samples_and_mutants():
    """In a process of its own, without types that are checked at run time."""
    command = [sys.executable, page_vectors.__file__, "200" if QUICK else "2000"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


@pytest.mark.parametrize(
    ("name", "form"),
    slow_after(
        1,
        [("baku2016", form) for form in ("csv", "trf16", "trf26")]
        + [(name, "csv") for name in event_names() if name != "baku2016"],
    ),
)
def test_packaged_events(page, name, form, tmp_path):
    """Hundreds of players; of Baku alone there are games, which a TRF needs."""
    target = tmp_path / ("event" if form == "csv" else f"event.{form[:3]}")
    paths, *_ = convert(name, target, form)
    files = {path.name: path.read_bytes() for path in paths}
    assert differences(files, page, {}, ("baku2016", "c07")) == {}


REFUSED = {
    "event.pgn": (b'[Event "x"]\n[Round "1"]\n', "a PGN, which this page does not read"),
    "event.xlsx": (b"PK\x03\x04 and more", "a workbook or an archive"),
    "event.trf": (round_robin(), "an event of players"),
    "games.csv": (b"round,white_player,black_player,result\n1,A,B,1-0\n", "an event of players"),
    "shifted.trf": (
        SAMPLES["file padded-by-bytes.trf"]["padded-by-bytes.trf"], "beside its columns",
    ),
    "x.txt": (b"who,knows\n1,2\n", "must be a TRF"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_read_is_named_with_what_to_do(page, name):
    content, said = REFUSED[name]
    text = page.answer(product_table(5, 2), {name: content})
    assert said in text and "tb2learn rank" in text and "\n" not in text


def test_penalties_are_left_to_the_program(page):
    files = SAMPLES["league"] | folder({"penalties.csv": "team,match_points\nB,-1\n"})
    assert "use tb2learn rank" in page.answer(product_table(5, 2), files)


ROUND = {"m.csv": b"round,team_a,team_b,game_points_a,game_points_b\n1,A,B,2,1\n1,C,D,2,2\n"}


def test_every_language_has_its_refusals(page):
    """An odd number of half points that two boards cannot give."""
    files = {"m.csv": ROUND["m.csv"].replace(b"2,1", b"2,1.5")}
    rule = product_table(5, 2)
    texts = {page.answer(rule, files, language=one) for one in LANGUAGES}
    assert len(texts) == len(LANGUAGES) and all("1.5" in text for text in texts)


def test_a_page_offers_the_policies_of_the_regulations():
    assert page_vectors.POLICIES == tuple(page_data(product_table(3, 1), "de")["policies"])
    assert read(ROUND, {}).boards == 4
