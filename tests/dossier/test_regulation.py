"""The text of a regulation says what the program computes: another program reads it and does so."""

import dataclasses

import numpy as np
import pytest
import regulation_reader as reader
from event_samples import HOSTILE

from tb2learn.catalogue import find_rule
from tb2learn.dossier.conformance import events_of_pack
from tb2learn.dossier.regulation import Wording, regulation, regulation_text
from tb2learn.events import rank
from tb2learn.events.unplayed import REGULATIONS
from tb2learn.export.forms import LANGUAGES, rule_files
from tb2learn.types import InputError


def written(rule, folder, language, unplayed):
    """The text of the regulation of a rule, whose annex lies in the folder."""
    annex = ""
    if rule.has_tables:
        ((name, content),) = rule_files(rule, ["csv"], language).items()
        (folder / name).write_bytes(content)
        annex = name
    return regulation_text(regulation(rule, language, unplayed, annex))


def agree(rule, folder, event, language, unplayed):
    text = written(rule, folder, language, unplayed)
    found = reader.tb2(text, language, folder, event)
    ours = {row.team: row.scores["tb2"] for row in rank(event, rule, unplayed=unplayed)}
    wanted = [ours[team] for team in event.teams]
    np.testing.assert_allclose([float(x) for x in found], wanted, rtol=0, atol=1e-12)


RULES = ("uniform-180x11", "formula-180x11", "product", "olympiad-180x11")


@pytest.mark.parametrize(
    ("name", "language"),
    [
        *((name, language) for name in RULES[:2] for language in ("en", "hu")),
        *((name, language) for name in RULES[2:] for language in ("es",)),
        ("uniform-180x11", "fr"),
        ("uniform-180x11", "de"),
    ],
)
def test_a_reader_of_the_text_computes_baku(name, language, baku, tmp_path):
    agree(find_rule(name, 11, 4), tmp_path, baku, language, "baku2016")


@pytest.mark.parametrize("unplayed", REGULATIONS)
@pytest.mark.parametrize("name", RULES)
def test_a_reader_of_the_text_computes_what_was_not_played(name, unplayed, tmp_path):
    for event in events_of_pack(11, 4, 1).values():
        agree(find_rule(name, 11, 4), tmp_path, event, "en", unplayed)


def test_constants_that_are_no_round_numbers_are_printed_whole(tmp_path):
    """A formula for other rounds, a table for others."""
    for name in ("formula-180x11", "uniform-180x11", "learned-38x9"):
        for event in events_of_pack(7, 4, 2).values():
            agree(find_rule(name, 7, 4), tmp_path, event, "de", "baku2016")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_a_text_and_names_are_escaped(language):
    for name in ("buchholz-cut1", "least-squares", "aro+game-points", "uniform-180x11-pass1"):
        rule = dataclasses.replace(find_rule(name, 11, 4), name=HOSTILE[4] + HOSTILE[5])
        for unplayed in REGULATIONS:
            text = regulation_text(regulation(rule, language, unplayed))
            lines = text.splitlines()
            assert all(line.isprintable() for line in lines)
            assert sum(line.split(". ")[0].isdigit() for line in lines) == 7
            assert "{" not in text


def test_what_has_no_regulation_is_refused():
    with pytest.raises(InputError, match="team events: formula is for 1 board"):
        regulation(find_rule("formula", 9, 1), "en", "baku2016")
    with pytest.raises(InputError, match="unplayed must be one of baku2016, fide2026, c07"):
        regulation(find_rule("formula", 9, 4), "en", "face-value")


def test_the_regulation_of_a_league_has_its_title_and_no_note():
    """Face value in a round robin; no checksum, no policy's name of the program."""
    wording = Wording("Rules of the league", "The Federation", "learned", is_league=True)
    law = regulation(find_rule("uniform-180x11", 7, 4), "en", "face-value", "t.csv", wording)
    text = regulation_text(law)
    assert text.startswith("Rules of the league\nIssued by The Federation.\n")
    assert "C.07 for round robins" in text and "with the sums of the opponents" in text
    assert not any(word in text for word in ("SHA", "Note:", "rule 14", "face-value", "rescaled"))
