"""Twenty slips of the hand in files of every format: what is named, and what cannot be."""

from collections import Counter
from random import Random

import pytest
from planted_samples import FORMATS, base, planted, said_of, trf_letter, trf_team_letter

from tb2learn.events.check import check
from tb2learn.events.files.options import Reading
from tb2learn.events.files.read import read_event
from tb2learn.events.files.source import MemoryFile

FILES = [(form, kind) for form, kinds in FORMATS.items() for kind in kinds]
TWENTY = 20
UNSEEN = trf_letter, trf_team_letter
"""A name that stands in a file once can be wrong without a trace.

In tables of rounds, in lists and in a PGN names stand more often.
"""


@pytest.mark.thorough
@pytest.mark.parametrize(("form", "kind"), FILES)
def test_the_files_are_right_before_a_slip(form, kind):
    content, _, write = base(form, kind)
    event = read_event(MemoryFile(f"event.{form}", write(content)), Reading())
    assert check(event).findings == () and event.contradictions == ()


def slips_of(form):
    """Files and slips of a format in an order that is drawn, each slip before one comes again."""
    tried = [(kind, slip) for kind in FORMATS[form] for slip in base(form, kind)[1]]
    Random(form).shuffle(tried)
    first = {slip: (kind, slip) for kind, slip in reversed(tried)}
    once = Random(form).sample([*first.values()], len(first))
    return [*once, *(pair for pair in tried if first[pair[1]] != pair)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_of_twenty_slips_in_each_format_nearly_all_are_named(seed):
    """A note, a finding or a refusal has a name or the line of 95 of 100."""
    missed, tried = [], Counter()
    for form in FORMATS:
        for kind, slip in slips_of(form):
            if tried[form] < TWENTY and (result := planted(form, kind, slip, seed)) is not None:
                new, words = result
                tried[form] += 1
                if not any(word in text for word in words for text in new):
                    missed.append((kind, slip.__name__, words, new))
    assert {*tried.values()} == {TWENTY} and len(missed) <= 5, missed


@pytest.mark.parametrize("slip", UNSEEN, ids=lambda slip: slip.__name__)
def test_a_name_that_stands_once_is_not_doubted(slip):
    new, _ = planted("trf", "team-swiss", slip, 0)
    # What was said of its pairs before is said with the other name.
    assert all("by the rules" in line for line in new)
    assert said_of("trf", base("trf", "open")[2](base("trf", "open")[0])) == set()
