"""Scores are those that they were, of packaged events under every policy and of a simulated one."""

import json

from golden.scores import FILE, describe


def test_scores_are_the_golden_ones():
    """If a change is meant, `python tests/golden/scores.py` writes them again."""
    assert describe() == json.loads(FILE.read_text(encoding="utf-8"))
