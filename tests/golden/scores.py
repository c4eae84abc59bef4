"""Write the golden scores again: `python tests/golden/scores.py`.

`scores.json` has a digest of the scores of every tie-break and shipped rule: of the packaged events
under every policy for unplayed rounds, and of a simulated one, `event-20x7.json`. Look at which
digests change before committing it: those rules no longer give the same numbers.
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

from tb2learn.catalogue import find_rule
from tb2learn.events import POLICIES, read_criteria, read_event
from tb2learn.events.criteria import complete, evaluate
from tb2learn.tiebreaks.library import ENTRIES
from tb2learn.tiebreaks.rules import classic
from tb2learn.types import InputError

sys.path.insert(0, str(Path(__file__).parents[1]))  # when run as a program
from helpers import results_from

FOLDER = Path(__file__).parent
FILE = FOLDER / "scores.json"
EVENTS = ("baku2016", "batumi2018", "batumi2018w", "etcc2011", "etcc2013")
SHIPPED = ("product", "learned", "formula", "olympiad-180x11", "uniform-180x11", "formula-180x11")
CUTS = {"": ("",), "low": ("", "-cut1"), "both": ("", "-cut1", "-median1")}
NAMES = tuple(
    name + cut
    for name, entry in ENTRIES.items()
    if entry.known_in != "players" and not entry.individual
    for cut in CUTS[entry.cuts]
)


def digest(found):
    return hashlib.sha256(json.dumps(found).encode()).hexdigest()[:12]


def recorded(event):
    """The scores of every tie-break under every policy, None where it has no meaning."""
    completed = [complete(event, policy) for policy in POLICIES]

    def under_policies(name):
        try:
            by = read_criteria(event, [name], lambda one: find_rule(one, event.rounds, 4))
        except InputError:
            return [None] * len(completed)
        return [under(one, by) for one in completed]

    def under(one, by):
        try:
            return evaluate(one, by).tolist()
        except InputError:
            return None

    return {name: under_policies(name) for name in (*NAMES, *SHIPPED)}


def simulated(name):
    """The integer scores of a tie-break in the golden event, which has no boards."""
    if name in ENTRIES and ENTRIES[name].needs == "boards":
        return None
    golden = json.loads((FOLDER / "event-20x7.json").read_text(encoding="utf-8"))
    ratings = np.array(golden["rosters"]).sum(axis=1) // 4
    results = results_from(golden["opponents"], golden["half_points"], 4, ratings)
    whites = np.cumsum(results.half_points, axis=0) % 2 == 1
    results = results_from(results.opponents, results.half_points, 4, ratings, whites)
    rule = find_rule(name, 7, 4) if name in SHIPPED else classic(name, 7, 4, ENTRIES)
    return rule.tiebreak.scores(results).tolist()


def describe():
    """A digest for every event and tie-break."""
    scores = {name: recorded(read_event(name)) for name in EVENTS}
    scores["event-20x7"] = {name: simulated(name) for name in (*NAMES, *SHIPPED)}
    return {
        event: {name: digest(found) for name, found in of.items()} for event, of in scores.items()
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(describe(), indent=1) + "\n", encoding="utf-8")
