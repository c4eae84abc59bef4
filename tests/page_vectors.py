"""What the page must answer: files, and what Python makes of them, in a form that both have.

`python page_vectors.py 2000` prints on which samples and on which of so many mutants the answers
differ, and how many of them both read: a process of its own, as types are checked at run time in
that of the tests.
"""

import sys

from page_engine import engine
from page_samples import SAMPLES, mutants

from tb2learn.events import rank, reading, usual_policy
from tb2learn.events.files.fields import Aside
from tb2learn.events.files.read import read_content
from tb2learn.events.files.source import MemoryFile
from tb2learn.export.page.page import page_data
from tb2learn.export.standings import standings_table
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError

OPTIONS = ({}, {}, {"match_points": "3,1,0", "bye_points": "2,1.5"})
TYPED = {"match_points": "matchPoints", "bye_points": "byePoints"}
"""Options as the page names them."""

PAGE = product_table(5, 2)
"""The rule of the page, which is for any number of rounds and boards."""
POLICIES = tuple(page_data(PAGE, "en")["policies"])


def read(files, options):
    """The event of files as Python reads it: of several ones those of a folder."""
    single = len(files) == 1 and "matches.csv" not in files
    content = next(iter(files.values())) if single else files
    held = MemoryFile(next(iter(files)) if single else "folder", content)
    return read_content(held, reading(**options))


def canonical(event):
    """An event as both readers have it: the lower numbered team of a match comes first."""
    matches = []
    for match in event.matches:
        own, other = match.match_points
        sides = [
            (match.team_a, match.half_points_a, own),
            (match.team_b, match.half_points_b, other),
        ]
        if match.team_b is None:
            sides[1] = (None, 0, 0)
        elif match.team_b < match.team_a:
            sides.reverse()
        decided, forfeited = match.boards_decided, match.boards_forfeited
        matches.append([match.round, *sides[0], *sides[1], decided, forfeited, match.bye])
    penalties = [[0, 0] for _ in event.teams]
    for one in event.penalties:
        penalties[one.team][0] += one.match_points
        penalties[one.team][1] += one.half_points
    return {
        "teams": list(event.teams),
        "rounds": event.rounds,
        "boards": event.boards,
        "scoring": list(event.scoring),
        "matches": sorted(matches, key=lambda match: match[:2]),
        "penalties": penalties,
        "policy": usual_policy(event),
    }


def standings(event, rule, policy):
    """The standings as CSV; or that the policy has no meaning for the event."""
    try:
        return standings_table(rank(event, rule, unplayed=policy)).csv()
    except InputError:
        return "refused"


REPAIRS = (
    "stands beside its columns", "against 0000 is a", "Z against an opponent",
    "that pays the same is one bye", "whom record 300 fields", "one point more in the points field",
    "the totals in the file say", "without points in record",
)  # fmt: skip
"""Notes of what Python mends in a TRF, and the page may refuse."""
UNSAID = (
    "differ from those of the results", "that were asked for", "pays every result",
    "that lack one of", "is not understood", "not paired", "a number of rounds that is not",
)  # fmt: skip
"""Notes that the page does not have."""
ALONE = ("use tb2learn rank", "has more than", "score must be 6,5-3,5")
"""What the page alone refuses, in its words: other events and forms, and what it leaves to us."""


def differences(files, engine, options, policies):
    """How the answers of Python and the page differ, in words; empty where they are alike."""
    found = engine.answer(PAGE, files, {TYPED[k]: v for k, v in options.items()}, policies)
    try:
        event = read(files, options)
        refusal = "" if event.known_rounds else "without rounds"
        if any("--encoding" in note for note in event.notes):
            return {}  # the page knows UTF-8 and Windows-1252 alone
    except InputError as error:
        refusal = str(error)
        if "with the round above the pairings" in refusal:
            return {}  # a changed file that looks like a list of pairings, which the page has not
    if isinstance(found, str):
        if refusal or any(text in found for text in ALONE):
            return {}
        mended = any(text in note for note in event.notes for text in REPAIRS)
        return {} if mended else {"refused by the page alone": found}
    if refusal:
        return {"refused by Python alone": refusal}
    expected = canonical(event)
    rule = product_table(event.rounds, event.boards)
    expected["standings"] = [standings(event, rule, policy) for policy in policies]
    found["standings"] = [
        "refused" if text.startswith("refused") else text for text in found["standings"]
    ]
    pairs = {key: (value, found[key]) for key, value in expected.items()}
    noted = [
        note
        for note in event.notes
        if not isinstance(note, Aside) and not any(text in note for text in UNSAID)
    ]
    pairs["notes"] = (noted if noted and not found["notes"] else [], [])
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


def main(count):
    """Print how both differ on samples, and on mutants under options and policies in turn."""
    with engine() as made:
        for name, files in SAMPLES.items():
            for options in OPTIONS[1:]:
                if how := differences(files, made, options, POLICIES):
                    print(name, options, how)
        for number, (name, data) in enumerate(mutants(count)):
            options, policy = OPTIONS[number % 3], POLICIES[number % len(POLICIES)]
            if how := differences({name: data}, made, options, [policy]):
                print(number, name, policy, how)


if __name__ == "__main__":
    main(int(sys.argv[1]))
