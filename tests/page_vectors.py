"""What the page must answer: files, and what Python makes of them, in a form that both have.

`python page_vectors.py 2000` prints on which samples and on which of so many mutants the answers
differ: a process of its own, as types are checked at run time in that of the tests.
"""

import functools
import itertools
import sys

import numpy as np
from page_engine import engine
from page_samples import SAMPLES, mutants

from tb2learn.catalogue import find_rule
from tb2learn.events import named_order, rank, reading, terms, usual_policy, usual_rule
from tb2learn.events.files.read import is_packed, read_content, unpacked
from tb2learn.events.files.source import MemoryFile
from tb2learn.export.page.page import page_data
from tb2learn.export.standings import standings_table
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError

OPTIONS = {
    "usual": {},
    "strict": {"strict": True},
    "trusting": {"trust_points": True},
    "points": {"match_points": "3,1,0", "bye_points": "2,1.5"},
    "individual": {"individual": True},
}
TYPED = {"trust_points": "trust", "match_points": "matchPoints", "bye_points": "byePoints"}
"""Options as the page names them."""


POLICIES = tuple(page_data(product_table(5, 2), "en")["policies"])


@functools.cache
def rule_of(rounds, boards):
    return product_table(rounds, boards)


def opened(name, data):
    """The files behind one file: itself, or what it is packed with."""
    held = unpacked(data, name) if is_packed(data) else MemoryFile(name, data)
    members = held.iterdir() if held.is_dir() else [held]
    return {one.name: one.read_bytes() for one in members}


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
    best = [ratings[: event.boards] for ratings in event.ratings]
    return {
        "teams": list(event.teams),
        "rounds": event.rounds,
        "boards": event.boards,
        "scoring": list(event.scoring),
        "matches": sorted(matches, key=lambda match: match[:2]),
        "penalties": penalties,
        "ratings": [float(np.mean(one)) if one else None for one in best],
        "notes": list(event.notes),
        "individual": event.individual,
        "policy": usual_policy(event),
    }


def standings(event, by, policy):
    """The standings as CSV; or that the policy has no meaning for the event."""
    try:
        return standings_table(rank(event, by, unplayed=policy), terms(event.individual)).csv()
    except InputError as error:
        return f"refused: {error}"


def vector(files, options, policies):
    """What Python makes of files: the event and its standings, or the refusal.

    **Returns:** the canonical event with `standings` by policy, or a line `refused: ...`; and the
    rule of its format; players are ranked by their usual order on a page of any rule. Events
    without rounds, which the page does not rank, are refused.
    """
    try:
        event = read(files, options)
    except InputError as error:
        return f"refused: {error}", rule_of(5, 2)
    if not event.known_rounds:
        return "refused", rule_of(5, 2)
    by = rule = rule_of(event.rounds, event.boards)
    if event.individual:
        rule = rule_of(5, 2)
        by = named_order(event, usual_rule(event), lambda name: find_rule(name, event.rounds, 1))
    texts = [standings(event, by, policy) for policy in policies]
    return canonical(event) | {"standings": texts}, rule


PYTHON_ALONE = (
    "makes no round", "half-point bye", "against 0000 is a", "Z against an opponent",
    "the totals in the file say", "as the totals in the file", "the bye of the next round already",
    "repeats the start number", "is not understood", "its pairs are taken", "record 162",
    "symbols and points", "must be on one of",
    "--encoding", "open (round", "written otherwise", "taken for titles", "is a date",
    "points of A", "points of W", "points of D", "points of L",
)  # fmt: skip
"""What a note or refusal says of a file that the page reads otherwise than Python."""


def differences(expected, found):
    """How the answers of both differ, in words; empty where they are alike."""
    said = str([one if isinstance(one, str) else one["notes"] for one in (expected, found)])
    if any(text in said for text in PYTHON_ALONE):
        return {}
    if isinstance(expected, str) and isinstance(found, str):
        return {}  # of two things that are wrong each names the one that it meets first
    if isinstance(found, str) and "columns" in found:
        return {}  # the page refuses some damaged TRF that Python mends since version 2.0
    if isinstance(expected, str) or isinstance(found, str):
        return {"read by one alone": (expected, found)}
    given = [{**one, "standings": list(map(_why, one["standings"]))} for one in (expected, found)]
    pairs = {key: tuple(one[key] for one in given) for key in expected}
    dates = ("c07-2024", "c07")  # the page knows dates in numbers alone
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1] and pair != dates}


def _why(text):
    """Standings as they are; of a refusal only that it is one, as the page says it otherwise."""
    return text if text.startswith("place") else "refused"


def typed(options):
    """Options as they are typed on the page."""
    return {TYPED.get(name, name): value for name, value in options.items()}


def compared(engine, files, options, policies):
    """How the page and Python differ on some files."""
    expected, rule = vector(files, options, policies)
    return differences(expected, engine.answer(rule, files, typed(options), policies))


def main(count):
    """Print how both differ on samples, and on mutants under options and policies in turn."""
    options = [*OPTIONS.values(), {}, {}]
    with engine() as made:
        for (name, packed), (option, asked) in itertools.product(SAMPLES.items(), OPTIONS.items()):
            # Only a browser unpacks.
            files = {name: data for one in packed.items() for name, data in opened(*one).items()}
            if how := compared(made, files, asked, ("baku2016", "c07")):
                print(name, option, how)
        for number, (name, data) in enumerate(mutants(count)):
            asked, policy = options[number % len(options)], POLICIES[number % len(POLICIES)]
            if how := compared(made, {name: data}, asked, [policy]):
                print(number, name, policy, how)


if __name__ == "__main__":
    main(int(sys.argv[1]))
