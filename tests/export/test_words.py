"""The translation table and the instruction in every language."""

import csv
import dataclasses
import itertools
import json
import re
from importlib import resources
from string import Formatter

import pytest
from helpers import random_surfaces

from tb2learn.catalogue import find_rule
from tb2learn.events.unplayed import SUMMARIES
from tb2learn.events.unplayed.record import Kind
from tb2learn.export.table import header, table_csv, table_json
from tb2learn.export.words import LANGUAGES, how_to_use, note, of_thousand, words
from tb2learn.tiebreaks.other_formats import cost_of_format
from tb2learn.tiebreaks.rules import formula_rule, product_table
from tb2learn.training.tabulate import pass_table
from tb2learn.types import InputError

ROWS = list(
    csv.DictReader(
        resources.files("tb2learn.export").joinpath("words.csv").read_text("utf-8").splitlines()
    )
)

# Abbreviations of FIDE's regulations, and words that happen to be the same.
SAME = {
    "doc.mp": "hu es fr de", "doc.gp": "hu es fr de", "doc.tb2": "hu es fr de", "doc.table": "fr",
    "doc.format": "fr", "doc.points": "fr", "doc.config": "fr", "doc.description": "fr",
    "doc.version": "hu", "doc.place": "fr", "wall.federation": "es", "players.doc.mp": "fr",
    "players.sheet.mp": "fr", "players.wall.size": "hu es fr de",
}  # fmt: skip


@pytest.fixture(scope="module")
def surfaces():
    return random_surfaces(3, rounds=5, boards=4)


@pytest.fixture(scope="module")
def rules(surfaces):
    return [
        product_table(5, 4),
        product_table(1, 1),
        *(pass_table(surfaces[:n], "learned") for n in (1, 2, 3)),
        pass_table(surfaces, "learned", rounds=7),
        formula_rule("formula", 5, 4, 0.23, 0.1, 3),
        formula_rule("formula", 5, 1, 0.23, 0.1, 3),
    ]


def fields(text):
    return sorted({name for _, name, _, _ in Formatter().parse(text) if name is not None})


def test_keys_are_grouped_and_once():
    keys = [row["key"] for row in ROWS]
    assert len(set(keys)) == len(keys) > 50
    assert {key.split(".")[0] for key in keys} <= {
        "doc", "use", "xlsx", "pdf", "html", "wall", "sheet", "kind", "pencil", "law", "policy",
        "players",
    }  # fmt: skip
    assert list(ROWS[0]) == ["key", *LANGUAGES]


def test_every_text_is_in_all_languages():
    for row, language in itertools.product(ROWS, LANGUAGES):
        key, text = row["key"], row[language]
        prose = re.sub(r"\{\w+\}|\w+\.csv", "", row["en"])
        long = len(re.findall(r"[a-z]{3,}", prose)) > 2  # short labels of the page may be equal
        assert text and text == text.strip() and "  " not in text, (key, language)
        assert fields(text) == fields(row["en"]) and "" not in fields(text), (key, language)
        if language != "en" and (long or not key.startswith("html.")):
            assert (text == row["en"]) == (language in SAME.get(key, "").split()), (key, language)


def test_policies_and_reasons_are_in_english_what_they_are_called_elsewhere():
    text = words()
    assert {f"policy.{name}" for name in SUMMARIES} == {k for k in text if k.startswith("policy.")}
    assert all(text[f"policy.{name}"] == said for name, said in SUMMARIES.items())
    assert all(text[f"kind.{kind.name}"] == kind.label for kind in Kind if kind != Kind.PLAYED)


def test_other_languages_are_refused(rules):
    for refused in ("xx", "EN", "key", ""):
        with pytest.raises(InputError, match="language must be one of en, hu, es, fr, de, got"):
            words(refused)
    for export in (how_to_use, header, table_csv, table_json):
        with pytest.raises(InputError, match="got 'xx'"):
            export(rules[0], "xx")


def test_instructions_have_the_same_numbers_and_points_in_all_languages(rules):
    """What is not prose is the same: numbers, abbreviations, the formula's brackets."""
    for rule in rules:
        english = how_to_use(rule)
        for language in LANGUAGES[1:]:
            translated = how_to_use(rule, language)
            assert len(translated) == len(english)
            for one, other in zip(english, translated, strict=True):
                numbers = [sorted(re.findall(r"\d+(?:\.\d+)?", text)) for text in (one, other)]
                assert numbers[0] == numbers[1]
                for word in ("TB2", "GP"):
                    assert (word in one) == (word in other), (language, one)
                assert one != other


def test_the_instruction_in_english():
    assert how_to_use(product_table(5, 4)) == (
        "Find the block of the team's own final match points (MP).",
        "For each opponent, read the points in the row of the game points (GP) scored against it "
        "and the column of that opponent's final MP.",
        "Two matches against the same opponent count like matches against two opponents.",
        "Leave out the opponent with the fewest MP; of several, the one with the fewest points; if "
        "the team had a bye, leave out the bye instead.",
        "The sum of the other points is the team's TB2. Of teams equal on MP the higher TB2 is "
        "placed first. TB2 is comparable only between teams equal on MP.",
    )
    assert "bye" not in " ".join(how_to_use(product_table(1, 4)))
    assert header(product_table(5, 4))["points"] == "0 to 80, in units of 0.5"


def test_passes_are_named_one_by_one(surfaces):
    three = " ".join(how_to_use(pass_table(surfaces, "learned")))
    assert "Pass 2 and again pass 3: an opponent now counts" in three
    assert "The sum of pass 3 is" in three and "Leave out" not in three
    two = " ".join(how_to_use(pass_table(surfaces[:2], "learned")))
    assert "Pass 2: an opponent now counts" in two
    assert "(at most 1.2 MP up or down)" in two and "The sum of pass 2 is" in two
    assert "each leaves only itself out of that opponent's own sum" in two


def test_the_formula_for_one_board_speaks_of_players():
    rule = formula_rule("formula", 9, 1, 0.25, 0.1)
    said = " ".join(how_to_use(rule))
    assert "MP are twice a player's points" in said and "a = 2.25 and k = 0.9." in said
    assert "/ 4.5)" in said and "plus 1.8 times" in said
    assert "team" not in said and "board" not in said
    assert header(rule)["format"] == "9 rounds, individual"


def test_the_instruction_of_a_formula_in_english():
    steps = how_to_use(formula_rule("formula", 5, 4, 0.23, 0.1, 3))
    assert "4 / (1 + 10^(-(own MP - opponent's MP) / 2.3))." in steps[0]
    assert "again, 2 times" in steps[2] and "0.25 times its own sum" in steps[2]
    assert "(at most 1.25 MP up or down)" in steps[2]
    assert "Two matches against the same opponent" in steps[3]
    # Scores are whole numbers of 1/10000 of the four game points of a match.
    assert "Round nothing on the way" in steps[4] and "multiple of 0.0004 GP" in steps[4]


def test_rescaled_rules_say_so_in_all_languages(surfaces):
    rule = pass_table(surfaces, "{name}", rounds=7)
    assert note(rule).endswith("is rescaled here to 7 by match-point shares")
    notes = {note(rule, language) for language in LANGUAGES}
    assert len(notes) == len(LANGUAGES)
    for language in LANGUAGES:
        for part in ("{name}", "5", "7"):
            assert part in note(rule, language)
        assert note(rule, language) in how_to_use(rule, language)[-1]
    as_trained = pass_table(surfaces, "learned")
    assert {note(as_trained, language) for language in LANGUAGES} == {""}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_format_costs_is_said_in_all_languages(language):
    """A judged rule by its name, and how many ties it costs; once in a sheet.

    The field of a printed table is that of the events that it was trained on.
    """
    rule = find_rule("learned-180x11", 5, 4)
    said = note(rule, language)
    cost = cost_of_format(rule)
    for part in (rule.name, "11", str(of_thousand(cost.growth))):
        assert part in said
    assert "{" not in said and how_to_use(rule, language)[-1].count(said) == 1
    assert note(rule, language, 1000) != said


def test_csv_and_json_are_translated_but_for_their_keys(rules):
    made = {"config": {"name": "c", "description": "d"}, "events": 7, "seed": 5, "version": "0"}
    for rule in (dataclasses.replace(rule, provenance=made) for rule in rules):
        contents = {language: json.loads(table_json(rule, language)) for language in LANGUAGES}
        assert len({tuple(content["how_to_use"]) for content in contents.values()}) == 5
        if rule.trained_rounds is not None:
            assert len({content["header"]["trained"] for content in contents.values()}) == 5
        assert contents["en"] == json.loads(table_json(rule))
        for language, content in contents.items():
            assert list(content) == list(contents["en"])
            assert list(content["header"]) == list(contents["en"]["header"])
            assert content["how_to_use"] == list(how_to_use(rule, language))
            for key in set(content) - {"header", "how_to_use", "note"}:
                assert content[key] == contents["en"][key]
            for key in content["header"]:
                assert f"doc.{key}" in words(language)
        rows, german = (list(csv.reader(table_csv(rule, of).splitlines())) for of in ("en", "de"))
        assert rows != german
        assert [row[:2] for row in rows if row[:1] == ["#"]] == [
            row[:2] for row in german if row[:1] == ["#"]
        ]
        assert [row for row in rows if row[:1] != ["#"]] == [r for r in german if r[:1] != ["#"]]
