"""A difference is one object: its sign, its interval and its words never contradict each other."""

import math
import re

import pandas as pd
import pytest

from tb2learn.assessment.error_rates import Assessment, compared
from tb2learn.config import Config, EventFormat
from tb2learn.export.error_words import errors_of_hundred, fewer_or_more, that_reach
from tb2learn.export.words import LANGUAGES
from tb2learn.report.assessment import closing_sentences
from tb2learn.stats import Difference, signed

NAN = math.nan


def frame(ends):
    """The product rule is wrong in 24.1 of 100 ties, `new` in more or fewer, with an interval."""
    middle = 0.241 + sum(ends) / 2
    rows = [
        {"rule": "product", "top": "all", "pairs": 9, "error": 0.241},
        {"rule": "new", "top": "all", "pairs": 9, "error": middle},
    ]
    numbers = {"": middle - 0.241, "_low": ends[0], "_high": ends[1]}
    than = {f"than_product{end}": [0, number] for end, number in numbers.items()}
    return pd.DataFrame(rows).assign(**than)


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((0.072, 0.136), "10.4 more (95 % interval 7.2 to 13.6), 43.2 % more errors"),
        ((-0.136, -0.072), "10.4 fewer (95 % interval 7.2 to 13.6), 43.2 % fewer errors"),
        ((-0.004, 0.03), "no difference is shown (95 % interval 0.4 fewer to 3.0 more)"),
        ((-0.03, 0.004), "no difference is shown (95 % interval 3.0 fewer to 0.4 more)"),
        ((0.0, 0.02), "no difference is shown (95 % interval 0.0 fewer to 2.0 more)"),
    ],
)
def test_the_interval_is_that_of_the_number_beside_it(ends, said):
    """A rule that errs more was said to have an interval from -13.5 to -7.2."""
    event = Config("w", event=EventFormat(20, 5, 2))
    found = Assessment("single", None, 9, 1, event, frame(ends))
    (sentence,) = closing_sentences(found)
    assert sentence.endswith(f"wrongly, FIDE's rule 24.1: {said}.")


def test_turned_round_its_interval_is_turned_round():
    found = Difference("new", "old", -0.25, -0.5, 0.125, (0.25, 0.5))
    assert -found == Difference("old", "new", 0.25, -0.125, 0.5, (0.5, 0.25))
    with pytest.raises(ValueError, match="no inside"):
        Difference("new", "old", 0.25, 0.5, -0.125)


@pytest.mark.parametrize(
    ("value", "ends", "side"),
    [
        (0.2, (0.1, 0.3), 1), (-0.2, (-0.3, -0.1), -1), (0.1, (-0.1, 0.3), 0), (0.1, (0.0, 0.3), 0),
        (-0.1, (-0.3, 0.0), 0), (0.2, (NAN, NAN), 1), (-0.2, (NAN, NAN), -1), (NAN, (NAN, NAN), 0),
    ],
)  # fmt: skip
def test_the_interval_decides_the_side(value, ends, side):
    assert Difference("a", "b", value, *ends).side == side


def test_no_minus_before_a_zero():
    assert [signed(x, 1) for x in (-5.61, 1.2, -0.04, -0.0)] == ["-5.6", "+1.2", "+0.0", "+0.0"]
    assert signed(-3) == "-3"


def test_without_interval_or_errors_nothing_is_said_of_them():
    assert fewer_or_more(Difference("a", "b", -0.1, shares=(0.2, 0.3))) == (
        "10.0 fewer, 33.3 % fewer errors"
    )
    assert fewer_or_more(Difference("a", "b", 0.2, 0.1, 0.3, (0.2, 0.0))) == (
        "20.0 more (95 % interval 10.0 to 30.0)"
    )
    none = Difference("a", "product", NAN, NAN, NAN, (NAN, NAN))
    assert errors_of_hundred(none, that_reach("1")) == (
        "There were no ties for first place in these events"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_numbers_in_every_language(language):
    """Turned round a difference has the same numbers and another word, in every language."""
    for ends in ((0.072, 0.136), (-0.03, 0.004)):
        found = compared(frame(ends), "new", "all")
        texts = [fewer_or_more(x, language) for x in (found, -found)]
        point = "." if language == "en" else ","
        numbers = [re.findall(rf"\d+{re.escape(point)}\d", text) for text in texts]
        english = [re.findall(r"\d+\.\d", fewer_or_more(x)) for x in (found, -found)]
        assert [[n.replace(point, ".") for n in part] for part in numbers] == english
        words = [re.sub(r"[\d.,]+", "", text) for text in texts]
        assert (words[0] == words[1]) == (not found.side)
    assert len({fewer_or_more(-found, one) for one in LANGUAGES}) == len(LANGUAGES)
