"""Whether this is the quick run of `make check`: no types at run time, a tenth of the examples."""

import os

from hypothesis import settings

QUICK = os.environ.get("TB2LEARN_TESTS") == "quick"


def _scaled(number):
    return max(1, number // 10) if QUICK else number


EXAMPLES = _scaled(100)
"""Generated examples of a test that says nothing else."""


def examples(number):
    """Another number of generated examples: of a quick run a tenth."""
    return settings(max_examples=_scaled(number))
