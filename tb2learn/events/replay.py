"""Rounds of a team Swiss held against its pairing rules: every round from what was known before.

The teams that were there are those that were paired or had the bye. Each round is judged by itself,
as it was recorded, so that a wrong round makes no others wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tb2learn.chess import Edition
from tb2learn.chess.olympiad_pairing import PairedTeam, RoundPair, colours, pair_round, ranked
from tb2learn.chess.team_swiss import RoundOf, SwissRules, TeamRound
from tb2learn.chess.team_swiss_verdict import ARTICLES, Departure, judge, judge_colours
from tb2learn.events.findings import Finding
from tb2learn.events.kind import play_offs
from tb2learn.events.model import TeamEvent
from tb2learn.events.paired_teams import initial_numbers, no_bye, paired_teams, swiss_states
from tb2learn.events.round_rules import RoundRules, has_initial_white
from tb2learn.text import plain, plain_number
from tb2learn.types import InputError

_OLYMPIAD: Mapping[str, tuple[str, str]] = {
    "group": ("9", "the first opponent in the order of trial that leaves a rest to be paired"),
    "from above": ("8.2", "a team that floats down meets the first one that it may meet"),
    "from below": ("8.3", "a team that floats up meets the first one that it may meet"),
    "merged": ("8.4", "groups that cannot be paired apart are paired as one"),
}
"""Articles of D.02 by how a pair is made, and what they say in our words."""


@dataclass(frozen=True)
class RecordedRound:
    """A round as it was recorded; teams by their initial numbers.

    **Fields:**

    - `number`: from 1.
    - `pairs`, `byes`: who met whom, and who had the pairing-allocated bye.
    - `whites`: pairs that were played, White on board 1 first, where the boards say it.
    """

    number: int
    pairs: tuple[tuple[int, int], ...]
    byes: tuple[int, ...]
    whites: tuple[tuple[int, int], ...]

    @property
    def present(self) -> list[int]:
        """The teams that were there."""
        return sorted({*self.byes, *(team for pair in self.pairs for team in pair)})


def recorded_rounds(event: TeamEvent) -> Iterator[RecordedRound]:
    """The rounds of an event, also those with open matches, but no play-offs behind them."""
    initial = initial_numbers(event)
    first = {(g.round, g.match): initial[g.white_team] for g in event.games if g.board == 1}
    pairs: dict[int, list[tuple[int, int]]] = defaultdict(list)
    byes: dict[int, list[int]] = defaultdict(list)
    whites: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for match in event.matches:
        if match.team_b is None:
            if match.bye == "pairing":
                byes[match.round].append(initial[match.team_a])
            continue
        a, b = initial[match.team_a], initial[match.team_b]
        pairs[match.round].append((a, b))
        white = first.get((match.round, match.number))
        # A match without a game gives no colours.
        if match.played and white is not None:
            whites[match.round].append((a, b) if white == a else (b, a))
    for match in event.open:
        pairs[match.round].append((initial[match.team_a], initial[match.team_b]))
    for number in range(1, play_offs(event.matches, len(event.teams)) or event.rounds + 1):
        yield RecordedRound(
            number, tuple(pairs[number]), tuple(byes[number]), tuple(whites[number])
        )


def replay(event: TeamEvent, rules: RoundRules) -> Iterator[Finding]:
    """The pairs, byes and colours that the rules would not have made, a line each.

    Rounds that the rules cannot pair are left out: there the arbiter decides.
    """
    name = _Names(event, rules)
    if isinstance(rules.rules, SwissRules):
        yield from _replay_swiss(event, rules.rules, name)
    else:
        yield from _replay_olympiad(event, rules.rules, name)


class _Names:
    """Teams by their initial numbers, in words."""

    def __init__(self, event: TeamEvent, rules: RoundRules) -> None:
        self._name = dict(zip(initial_numbers(event), event.teams, strict=True))
        self.rules = "C.04.6" if isinstance(rules.rules, SwissRules) else rules.name

    def __call__(self, number: int) -> str:
        return plain(self._name[number])

    def pairs(self, pairs: Sequence[tuple[int, ...]]) -> str:
        """Pairs in words."""
        return ", ".join(" - ".join(map(self, pair)) for pair in pairs)

    def teams(self, numbers: Sequence[int]) -> str:
        """Teams in words; `nobody` for none."""
        return ", ".join(map(self, numbers)) or "nobody"


# --------------------------------------------------------------------------------- C.04.6


def _replay_swiss(event: TeamEvent, rules: SwissRules, name: _Names) -> Iterator[Finding]:
    lot, planned = has_initial_white(event), max(event.planned, event.rounds)
    states = swiss_states(event, rules, lot)
    for real, teams in zip(recorded_rounds(event), states, strict=False):
        this_round = RoundOf(real.number, planned, lot)
        try:
            field = TeamRound((teams[n] for n in real.present), rules, this_round)
            departures = list(judge(field, real.pairs, real.byes))
        # A round without a pairing, or with one team alone.
        except InputError:
            continue
        for departure in (*departures, *judge_colours(field, real.whites)):
            yield Finding(real.number, _kind(departure), _text(departure, rules, name))


def _kind(departure: Departure) -> str:
    return {"bye": "bye", "colours": "colour"}.get(departure.kind, "pairing")


def _text(departure: Departure, rules: SwissRules, name: _Names) -> str:
    """A departure in one line."""
    met, instead = departure.real, departure.right
    because = f"{name.rules}, after the slips above"
    if departure.kind != "following":
        because = f"{name.rules}, {departure.article.strip('[]')}: {ARTICLES[departure.article]}"
    if departure.kind == "bye":
        resting, rightly = (name.pairs(side) or "nobody" for side in (met, instead))
        verb = "have" if len(met) > 1 else "has"
        return f"{resting} {verb} the bye; by the rules {rightly} ({because})"
    if departure.kind == "colours":
        white, black = met[0]
        return f"{name(white)} has White against {name(black)}; by the rules Black ({because})"
    if not instead:
        return f"{name.pairs(met)}: they have met, and what is left cannot be paired ({because})"
    text = f"{name.pairs(met)}; by the rules {name.pairs(instead)} ({because})"
    if departure.kind == "upfloaters":
        unit = {"MP": "match", "GP": "game"}[rules.primary]
        level = f"{plain_number(float(departure.score))} {unit} points"
        risen, rising = name.teams(departure.risen), name.teams(departure.rising)
        text = f"to the bracket of {level} floats {risen}, by the rules {rising}: {text}"
    return text


# ----------------------------------------------------------------------------------- D.02


def _replay_olympiad(event: TeamEvent, edition: Edition, name: _Names) -> Iterator[Finding]:
    for real in recorded_rounds(event):
        before = event.until(real.number - 1)
        teams = paired_teams(before, edition)
        field = [teams[n] for n in real.present]
        try:
            right = pair_round(field, edition, no_bye(before))
        # Rules that cannot pair a round have nothing to compare.
        except InputError:
            continue
        yield from _unlike_byes(real, right.bye, name)
        yield from _unlike_pairs(real, right.pairs, name)
        # The older edition drew lots between equal histories.
        if real.number == 1 or edition == "olympiad-2022":
            yield from _unlike_colours(real, right.pairs, teams, edition, name)


def _unlike_byes(real: RecordedRound, bye: int | None, name: _Names) -> Iterator[Finding]:
    right = () if bye is None else (bye,)
    if real.byes != right and (real.byes or right):
        text = (
            f"{name.teams(real.byes)} has the bye; by the rules {name.teams(right)} ({name.rules}, "
            "4: the lowest ranked team that may have it)"
        )
        yield Finding(real.number, "bye", text)


def _unlike_pairs(
    real: RecordedRound, pairs: Sequence[RoundPair], name: _Names
) -> Iterator[Finding]:
    """The pairs of a round that the rules do not make; those of the same teams in one line."""
    recorded = {frozenset(pair) for pair in real.pairs}
    right = [pair for pair in pairs if frozenset((pair.white, pair.black)) not in recorded]
    made = {frozenset((pair.white, pair.black)) for pair in pairs}
    unlike = [pair for pair in real.pairs if frozenset(pair) not in made]
    while right or unlike:
        # Who exchanged opponents, from the highest board on.
        teams = {right[0].white, right[0].black} if right else {*unlike[0]}
        before: set[int] = set()
        while teams != before:
            before = set(teams)
            for sides in (*unlike, *((pair.white, pair.black) for pair in right)):
                teams |= {*sides} if teams & {*sides} else set()
        wrong = [pair for pair in unlike if teams & {*pair}]
        instead = [pair for pair in right if teams & {pair.white, pair.black}]
        unlike = [pair for pair in unlike if pair not in wrong]
        right = [pair for pair in right if pair not in instead]
        if not (wrong and instead):
            continue
        article, words = _OLYMPIAD[instead[0].how]
        if real.number == 1:
            article, words = "5", "the upper half of the initial order meets the lower half"
        text = (
            f"{name.pairs(wrong)}; by the rules "
            f"{name.pairs([(pair.white, pair.black) for pair in instead])} (group of "
            f"{plain_number(float(instead[0].group))} match points; {name.rules}, {article}: "
            f"{words})"
        )
        yield Finding(real.number, "pairing", text)


def _unlike_colours(
    real: RecordedRound,
    pairs: Sequence[RoundPair],
    teams: Mapping[int, PairedTeam],
    edition: Edition,
    name: _Names,
) -> Iterator[Finding]:
    """The colours that the rules do not give to the pairs that were recorded."""
    if real.number == 1:
        white = {frozenset((pair.white, pair.black)): pair.white for pair in pairs}
        known = [pair for pair in real.whites if frozenset(pair) in white]
        wrong = [pair for pair in known if white[frozenset(pair)] != pair[0]]
        # Who begins was drawn by lot: the other lot, if it fits more matches.
        if 2 * len(wrong) > len(known):
            wrong = [pair for pair in known if white[frozenset(pair)] == pair[0]]
        article = "5: colours alternate from match to match"
    else:
        place = {team.number: k for k, team in enumerate(ranked(teams.values(), edition))}
        wrong = []
        for pair in real.whites:
            higher, lower = sorted(pair, key=place.__getitem__)
            if colours(teams[higher], teams[lower])[0].number != pair[0]:
                wrong.append(pair)
        article = "7.5: fewer Whites, else the other way round than when they last differed"
    for first, second in wrong:
        yield Finding(
            real.number,
            "colour",
            f"{name(first)} has White against {name(second)}; by the rules Black ({name.rules}, "
            f"{article})",
        )
