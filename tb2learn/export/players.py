"""The formula and its pencil form for individual events, in points of players."""

from __future__ import annotations

from tb2learn.events.terms import PLAYERS
from tb2learn.export.document import Document, Sentences, blank_form, two_forms
from tb2learn.tiebreaks.passes import MOST_REFINEMENT
from tb2learn.tiebreaks.rules import Formula, Rule
from tb2learn.tiebreaks.sums import SHARE


def formula_steps(rule: Formula) -> tuple[str, ...]:
    """How the formula is worked out for a player, one entry per sentence."""
    unit = PLAYERS.unit
    a, k = (f"{unit * constant:.3g}" for constant in (rule.a, rule.k))
    most = f"{unit * 2 * rule.event_rounds * MOST_REFINEMENT:g}"
    return (
        f"For each opponent the expected result is 1 / (1 + 10^(-(own points - opponent's points) "
        f"/ {a})).",
        "Add up the results above expectation of all rounds. In a round without a game the "
        "opponent is the one that the rules for unplayed rounds give, who always counts as his "
        "points.",
        f"Then do it again, {rule.passes - 1} times: each opponent now counts as his points plus "
        f"{k} times his own sum of the time before, without his game with this player (at most "
        f"{most} points up or down).",
        "Round nothing on the way. The last sum is the player's score; of players equal on points "
        "the higher one is placed first.",
    )


def pencil_document(rule: Rule) -> Document:
    """The sheet of the pencil form: what every opponent counts as, and a form to fill in."""
    rounds = rule.event_rounds
    steps = (
        "For each opponent write down his points, and his Buchholz: the points of all his "
        "opponents together.",
        f"He counts as his points plus (his Buchholz less the player's own points) / {SHARE}. In a "
        "round without a game he is the opponent that the rules for unplayed rounds give, and "
        f"counts as his points times {1 + (rounds - 1) / SHARE:g}.",
        "Strike out the opponent with the fewest points (of several the one that counts least) and "
        "the one with the most (of several the one that counts most).",
        "Add up what the others count as. Of players equal on points the higher sum is placed "
        "first.",
    )
    form = blank_form(
        f"Player {'.' * 32}   points {'.' * 10}   sum {'.' * 10}",
        ("Round", "Opponent", "His points", "His Buchholz", "Counts as"),
        "Sum",
        rounds,
    )
    return Document(
        "Individual tie-break with a pencil: deep Buchholz",
        (("For", f"individual events of {rounds} rounds"),),
        (Sentences("How to use it", steps, numbered=True), *two_forms(form)),
    )
