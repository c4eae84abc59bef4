"""A slow reference implementation of the method, to compare the package with.

It is plain Python on integers and lists, uses the standard library only, imports nothing from
the package and shares no code with it. Nothing here is fast; everything should be obvious to a
reader who has the description of the method at hand. Conventions:

* Teams are 0..n-1 in seed order, 0 is the top seed.
* Game points are whole numbers of HALF points: a match on 4 boards gives 0..8 of them.
* A match is (a, b, half points of a); a bye is (a, None, boards).
"""

import csv
import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

Pair = tuple[int, int]  # (stronger, weaker) in the strength order
Match = tuple[int, int | None, int]  # (a, b or None for a bye, half points of a)
DrawRate = Callable[[float, float], float]  # (mean rating, rating difference) -> probability

# --- the event and the final order


def match_points_for(half: int, boards: int) -> int:
    """2 match points for more than half of the game points, 1 for exactly half, else 0."""
    # `boards` games are worth 2 * boards half points; half of them is `boards`.
    if half > boards:
        return 2
    if half == boards:
        return 1
    return 0


def standings(
    teams: int,
    boards: int,
    rounds: Sequence[Sequence[Match]],
) -> list[dict]:
    """The final order: match points, TB2, game points, TB4, all descending; then the seed.

    Each entry has `team`, `mp`, `gp` (half points), `tb2` and `tb4`. TB2 is the reduced
    Sonneborn-Berger in half points (an integer, twice the usual figure), less the weakest opponent.
    An opponent met twice is two items.
    """
    # First the totals of everybody: the tie-breaks use the FINAL match points of the opponents.
    mp = [0] * teams
    gp = [0] * teams
    opponents: list[list[tuple[int, int]]] = [[] for _ in range(teams)]  # (opponent, half points)
    byes = [0] * teams
    for matches in rounds:
        for a, b, half in matches:
            if b is None:
                assert half == boards
                mp[a] += 1
                gp[a] += boards
                byes[a] += 1
                continue
            half_b = 2 * boards - half
            mp[a] += match_points_for(half, boards)
            mp[b] += match_points_for(half_b, boards)
            gp[a] += half
            gp[b] += half_b
            opponents[a].append((b, half))
            opponents[b].append((a, half_b))

    table = []
    for team in range(teams):
        kept = list(opponents[team])
        # A bye has no opponent: it is itself the item that is dropped, so all real opponents
        # stay. (A second bye, possible in bad data only, stays as an item worth 0.)
        if byes[team] == 0 and kept:
            # Of those with the fewest match points the one whose removal costs least. Which of
            # several equal ones goes does not matter: same match points, same contribution.
            kept.remove(min(kept, key=lambda item: (mp[item[0]], item[1])))
        tb2 = sum(mp[opponent] * half for opponent, half in kept)
        tb4 = sum(mp[opponent] for opponent, _ in kept)
        table.append({"team": team, "mp": mp[team], "gp": gp[team], "tb2": tb2, "tb4": tb4})

    table.sort(key=lambda row: (-row["mp"], -row["tb2"], -row["gp"], -row["tb4"], row["team"]))
    return table


# --- pairing


def strength_order(match_points: Sequence[int], half_points: Sequence[int]) -> list[int]:
    """All teams: match points, then game points (both descending), then seed."""
    return sorted(
        range(len(match_points)),
        key=lambda team: (-match_points[team], -half_points[team], team),
    )


def opponent_positions(m: int) -> list[int]:
    """Whom the first of m teams tries: h+1, h+2, ..., m, h, h-1, ..., 2 with h = m // 2."""
    h = m // 2
    positions = list(range(h + 1, m + 1)) + list(range(h, 1, -1))
    # For m = 1, h + 1 would be the team itself: there is nobody to play.
    return [position for position in positions if position != 1]


def pair_pool(pool: Sequence[int], met: set[frozenset[int]]) -> tuple[list[Pair], list[int]]:
    """Pair a pool in strength order; return the pairs and the teams that found no opponent.

    The first team takes the first position it has not met; both leave and the rest is
    re-indexed. A team that has met everybody who is still there leaves the pool unpaired.
    """
    left = list(pool)
    pairs = []
    unpaired = []
    while left:
        first = left[0]
        opponent = None
        for position in opponent_positions(len(left)):
            candidate = left[position - 1]  # positions count from 1
            if frozenset({first, candidate}) not in met:
                opponent = candidate
                break
        left.remove(first)
        if opponent is None:
            unpaired.append(first)
        else:
            left.remove(opponent)
            pairs.append((first, opponent))
    return pairs, unpaired


def pair_round(
    match_points: Sequence[int],
    half_points: Sequence[int],
    met: set[frozenset[int]],
    had_bye: set[int],
) -> tuple[list[Pair], int | None, list[Pair]]:
    """Pair one round.

    Returns the pairs in the order they were made, the team with the bye (None for an even
    number of teams), and those of the pairs that rule 6 made (rematches in the middle group).
    """
    order = strength_order(match_points, half_points)

    # An odd number of teams: before the groups are formed, the lowest team that has had no bye
    # gets it. With rounds <= teams - 1 fewer byes than teams were given, so there always is one.
    bye = None
    if len(order) % 2 == 1:
        bye = [team for team in order if team not in had_bye][-1]
        order.remove(bye)
    if not order:
        return [], bye, []
    place = {team: i for i, team in enumerate(order)}

    # Rule 1: the group of the median team (of those to be paired; the lower of the two in the
    # middle) is the middle group.
    middle = match_points[order[len(order) // 2]]
    groups: dict[int, list[int]] = {}  # match points -> teams in strength order
    for team in order:
        groups.setdefault(match_points[team], []).append(team)

    # Rule 2: upper groups from the top down, then lower groups from the bottom up.
    upper = sorted((score for score in groups if score > middle), reverse=True)
    lower = sorted(score for score in groups if score < middle)
    pairs: list[Pair] = []
    for scores, odd_one in ((upper, -1), (lower, 0)):
        for i, score in enumerate(scores):
            towards_middle = scores[i + 1] if i + 1 < len(scores) else middle
            pool = groups[score]
            sliding = []
            # Rule 3: an odd upper group slides its last team, an odd lower group its first.
            if len(pool) % 2 == 1:
                sliding.append(pool.pop(odd_one))
            # Rule 4, and rule 5: who finds no opponent slides too.
            made, unpaired = pair_pool(pool, met)
            pairs += made
            sliding += unpaired
            groups[towards_middle] = sorted(
                groups[towards_middle] + sliding, key=lambda team: place[team]
            )

    # The middle group is last. Its size is even: all teams together are, and only pairs left.
    made, left_over = pair_pool(groups[middle], met)
    pairs += made
    # Rule 6: the teams left over play first half against second half, though they have met.
    half = len(left_over) // 2
    rematches = list(zip(left_over[:half], left_over[half:], strict=True))
    return pairs + rematches, bye, rematches


# What a team can do in a round; the numbers are those of the package.
PLAYED, PAIRING_BYE, WON_BY_DEFAULT, LOST_BY_DEFAULT = range(4)
NOT_PAIRED, HALF_BYE, ZERO_BYE = 4, 6, 7


class Turn(NamedTuple):
    """What a team did in a round."""

    kind: int
    opponent: int | None  # whom it was drawn against
    half: int  # half points


def play_event(
    planned: Sequence[Sequence[int]],
    no_show: Sequence[Sequence[bool]],
    boards: int,
    bye: int,
    decide: Callable[[int, int, int], int],
) -> list[list[Turn]]:
    """An event with absences, round by round: what every team did.

    `planned[round][team]` is `PLAYED` for a team to be paired, else the kind of its announced
    absence; who is to be paired is so as if there were no others. `no_show[round][team]` does not
    appear: it loses by default, and the other one wins by default if it appears. A team that won by
    default or had the pairing bye (worth `bye` half points) gets no bye, unless all have had one.
    Only matches that were played count as met. `decide(round, a, b)` is the half points of a
    against b, where a is the higher seed.
    """
    teams = len(planned[0])
    mp, gp, met, had_bye = [0] * teams, [0] * teams, set(), set()
    event = []
    for number, plans in enumerate(planned):
        here = [team for team in range(teams) if plans[team] == PLAYED]
        opponent: dict[int, int] = {}
        if here:
            place = {team: i for i, team in enumerate(here)}
            rested = {place[team] for team in here if team in had_bye}
            pairs, _, _ = pair_round(
                [mp[team] for team in here],
                [gp[team] for team in here],
                {frozenset(place[t] for t in pair) for pair in met if pair <= place.keys()},
                rested if len(rested) < len(here) else set(),
            )
            for a, b in pairs:
                opponent[here[a]], opponent[here[b]] = here[b], here[a]
        turns = []
        for team in range(teams):
            other = opponent.get(team)
            if plans[team] != PLAYED:
                half = boards if plans[team] == HALF_BYE else 0
                turns.append(Turn(plans[team], None, half))
            elif other is None:
                turns.append(Turn(PAIRING_BYE, None, bye))
                had_bye.add(team)
            elif no_show[number][team]:
                turns.append(Turn(LOST_BY_DEFAULT, other, 0))
            elif no_show[number][other]:
                turns.append(Turn(WON_BY_DEFAULT, other, 2 * boards))
                had_bye.add(team)
            else:
                higher, lower = min(team, other), max(team, other)
                half = decide(number, higher, lower)
                turns.append(Turn(PLAYED, other, half if team == higher else 2 * boards - half))
        for team, turn in enumerate(turns):
            mp[team] += match_points_for(turn.half, boards)
            gp[team] += turn.half
            if turn.kind == PLAYED:
                met.add(frozenset({team, turn.opponent}))
        event.append(turns)
    return event


# --- a game and a match


def draw_rate_from_csv(path: str | Path) -> DrawRate:
    """The draw probability from the statistic's table of percentages.

    Rows are the mean rating rounded down to 200, columns the absolute rating difference rounded
    down to 20; beyond the table its outermost row or column holds.
    """
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    columns = [int(name) for name in rows[0][1:]]
    percent = {
        (int(row[0]), column): float(cell)
        for row in rows[1:]
        for column, cell in zip(columns, row[1:], strict=True)
    }
    means = [int(row[0]) for row in rows[1:]]

    def draw_rate(mean: float, difference: float) -> float:
        row = math.floor(mean / 200) * 200
        row = min(max(row, min(means)), max(means))
        column = math.floor(abs(difference) / 20) * 20
        column = min(max(column, min(columns)), max(columns))
        return percent[row, column] / 100

    return draw_rate


def game_law(
    rating_a: float, rating_b: float, tail: str, draw_rate: DrawRate
) -> tuple[float, float, float]:
    """The probabilities that a wins, draws and loses one game against b.

    `literal` keeps the draw probability d; one uniform u decides: a win if u < w, else a draw if
    u < w + d. `consistent` lowers d to min(d, 2E, 2(1 - E)), which keeps the expected score E.
    """
    expected = 1 / (1 + 10 ** ((rating_b - rating_a) / 400))
    d = draw_rate((rating_a + rating_b) / 2, abs(rating_a - rating_b))
    if tail == "consistent":
        d = min(d, 2 * expected, 2 * (1 - expected))
    w = expected - d / 2
    # u lies in [0, 1): what w and w + d have below 0 or above 1 never happens. (With the
    # consistent tail this trims rounding errors only.)
    win_below = min(max(w, 0.0), 1.0)
    draw_below = min(max(w + d, 0.0), 1.0)
    return win_below, draw_below - win_below, 1 - draw_below


def match_law(
    ratings_a: Sequence[float], ratings_b: Sequence[float], tail: str, draw_rate: DrawRate
) -> list[float]:
    """The probability of each number of a's half points 0..2*boards: board i plays board i.

    The boards are independent: law by law, what they add up to.
    """
    law = [1.0]
    for a, b in zip(ratings_a, ratings_b, strict=True):
        win, draw, loss = game_law(a, b, tail, draw_rate)
        longer = [0.0] * (len(law) + 2)
        for half, chance in enumerate(law):
            for more, share in enumerate((loss, draw, win)):
                longer[half + more] += chance * share
        law = longer
    return law


# --- the difficulty score of one (own MP, opponent's MP) cell


def failures(results: Sequence[int]) -> tuple[list[int], list[int]]:
    """Counts per threshold from counts per result: `results[h]` matches gave h half points.

    `fail[g]` of `total[g]` matches did NOT reach g half points.
    """
    fail = [sum(results[:threshold]) for threshold in range(len(results))]
    return fail, [sum(results)] * len(results)


def difficulty_score(fail: Sequence[int], total: Sequence[int], boards: int) -> list[float]:
    """c = (p + q) / 2 for each result of 0..2*boards half points.

    p is the share of matches that did not reach the result, q the same half a game point higher;
    q = p for the highest result. Everybody reaches 0, so p = 0 there.
    """
    top = 2 * boards
    share = [0.0] + [fail[g] / total[g] for g in range(1, top + 1)]
    return [(share[g] + share[min(g + 1, top)]) / 2 for g in range(top + 1)]


# --- the single-event protocol


def single_event_errors(
    match_points: Sequence[int],
    scores: Sequence[float],
    truth: Sequence[float],
    top: int | None = None,
) -> tuple[int, int]:
    """(pairs, doubled errors) of a tie-break's `scores` against the true strengths.

    The population is every pair of teams equal on match points whose group touches a place
    <= top: the first place of the group, counted by match points only, is <= top. `top=None`
    takes every group. A pair in the wrong order adds 2, an equal score 1, a right order 0.
    Exactly equal truth has no right answer: the pair counts, with half an error (1), whatever
    the scores say.
    """
    pairs = 0
    doubled_errors = 0
    for a in range(len(match_points)):
        first_place = 1 + sum(other > match_points[a] for other in match_points)
        if top is not None and first_place > top:
            continue
        for b in range(a + 1, len(match_points)):
            if match_points[a] != match_points[b]:
                continue
            pairs += 1
            if scores[a] == scores[b] or truth[a] == truth[b]:
                doubled_errors += 1
            elif (scores[a] > scores[b]) != (truth[a] > truth[b]):
                doubled_errors += 2
    return pairs, doubled_errors


def seed_counts(
    match_points: Sequence[int],
    scores: Sequence[float],
    truth: Sequence[float],
    near: float,
    top: int | None = None,
) -> dict[str, tuple[int, int]]:
    """Pairs and doubled counts by seed; teams are numbered by seed, the best first.

    Populations as in `single_event_errors`. The pairs whose higher or lower seed is the better
    team, and the doubled errors; those less than `near` apart, and those that are equal, with the
    doubled verdicts for the higher seed. An equal score adds 1.
    """
    counts = {kind: [0, 0] for kind in ("higher_better", "lower_better", "near_equal", "copies")}
    for a in range(len(match_points)):
        if top is not None and 1 + sum(o > match_points[a] for o in match_points) > top:
            continue
        for b in range(a + 1, len(match_points)):
            if match_points[a] != match_points[b]:
                continue
            first = 1 if scores[a] == scores[b] else 2 if scores[a] > scores[b] else 0
            if truth[a] != truth[b]:
                kind = "higher_better" if truth[a] > truth[b] else "lower_better"
                counts[kind][0] += 1
                counts[kind][1] += 2 - first if kind == "higher_better" else first
            if abs(truth[a] - truth[b]) < near:
                kind = "copies" if truth[a] == truth[b] else "near_equal"
                counts[kind][0] += 1
                counts[kind][1] += first
    return {kind: (pairs, doubled) for kind, (pairs, doubled) in counts.items()}


# --- Tie-breaks: rules in passes and the formula


class Played(NamedTuple):
    """An event by team: final match points, and for every round (opponent, half points)."""

    mp: list[int]
    items: list[list[tuple[int | None, int]]]  # opponent None for a bye


def played(teams: int, boards: int, rounds: Sequence[Sequence[Match]]) -> Played:
    """The matches of every team, round by round."""
    mp = [0] * teams
    items: list[list[tuple[int | None, int]]] = [[] for _ in range(teams)]
    for matches in rounds:
        for a, b, half in matches:
            items[a].append((b, half))
            mp[a] += match_points_for(half, boards)
            if b is not None:
                items[b].append((a, 2 * boards - half))
                mp[b] += match_points_for(2 * boards - half, boards)
    return Played(mp, items)


def nearest(numerator: int, denominator: int) -> int:
    """The nearest whole number, halves up."""
    return math.floor(Fraction(numerator, denominator) + Fraction(1, 2))


def pass_values(
    event: Played, tables: Sequence
) -> tuple[list[dict[int, int]], list[dict[int, int]]]:
    """By team and round: what opponents count as in the last pass (tenths), and the values.

    `tables[pass][own MP][column][half points]`; the columns reach beyond 0..2*rounds match points
    equally far on both sides.
    """
    teams, rounds = len(event.mp), len(event.items[0])
    most = 5 * rounds // 2  # an eighth of 2*rounds match points, in whole tenths
    beyond = (len(tables[0][0]) - (2 * rounds + 1)) // 2

    def met(team: int) -> list[tuple[int, int]]:
        return [(r, o) for r, (o, _) in enumerate(event.items[team]) if o is not None]

    reading = [{r: 10 * event.mp[o] for r, o in met(team)} for team in range(teams)]
    values: list[dict[int, int]] = []
    for number, table in enumerate(tables):
        if number > 0:
            sums = [sum(value.values()) for value in values]
            for team in range(teams):
                for r, o in met(team):
                    # The opponent's sum of the pass before, without this very match.
                    gained = nearest(sums[o] - values[o].get(r, 0), 10)
                    reading[team][r] = 10 * event.mp[o] + max(-most, min(most, gained))
        values = []
        for team in range(teams):
            block, values_of_team = table[event.mp[team]], {}
            for r, _ in met(team):
                whole, tenths = divmod(reading[team][r], 10)
                half = event.items[team][r][1]
                value = (10 - tenths) * block[whole + beyond][half]
                if tenths:
                    value += tenths * block[whole + beyond + 1][half]
                values_of_team[r] = nearest(value, 10)
            values.append(values_of_team)
    return reading, values


def pass_scores(event: Played, tables: Sequence) -> list[int]:
    """The sums of the last pass."""
    return [sum(value.values()) for value in pass_values(event, tables)[1]]


def formula_scores(event: Played, boards: int, a: str, k: str, passes: int) -> list[int]:
    """Game points above expectation in 1/10000: `a` in match points, `k` in those a game point."""
    teams, rounds = len(event.mp), len(event.items[0])
    most = 25 * rounds  # hundredths of a match point: an eighth of two a round
    values: list[dict[int, int]] = [{} for _ in range(teams)]
    for number in range(passes):
        sums = [sum(value.values()) for value in values]
        before, values = values, []
        for team in range(teams):
            values_of_team = {}
            for r, (o, half) in enumerate(event.items[team]):
                if o is None:
                    continue
                strength = 100 * event.mp[o]
                if number > 0:
                    gained = Fraction(k) * (sums[o] - before[o][r]) / 100
                    strength += max(-most, min(most, math.floor(gained + Fraction(1, 2))))
                lead = Decimal(100 * event.mp[team] - strength) / 100
                expected = 10_000 * boards / (1 + 10 ** (-lead / Decimal(a)))
                values_of_team[r] = 5_000 * half - int(expected + Decimal("0.5"))
            values.append(values_of_team)
    return [sum(value.values()) for value in values]


def smooth_formula_scores(
    event: Played, boards: int, a: float, k: float, passes: int
) -> list[float]:
    """The same in game points without any rounding, as the constants are fitted."""
    teams, rounds = len(event.mp), len(event.items[0])
    most = 2 * rounds / 8
    values: list[dict[int, float]] = [{} for _ in range(teams)]
    for number in range(passes):
        sums = [math.fsum(value.values()) for value in values]
        before, values = values, []
        for team in range(teams):
            values_of_team = {}
            for r, (o, half) in enumerate(event.items[team]):
                if o is None:
                    continue
                strength: float = event.mp[o]
                if number > 0:
                    strength += max(-most, min(most, k * (sums[o] - before[o][r])))
                expected = boards / (1 + 10 ** (-(event.mp[team] - strength) / a))
                values_of_team[r] = half / 2 - expected
            values.append(values_of_team)
    return [math.fsum(value.values()) for value in values]


def paired_scores(
    teams: int,
    boards: int,
    rounds: Sequence[Sequence[Match]],
    inverse: int = 0,
) -> list[int]:
    """Least squares, or with 1/epsilon the generalized row sum, in 1/10000 board point.

    In exact fractions: Gauss's elimination of ``(inverse I + L) x = (inverse + m n) s``, for least
    squares of ``L x = s`` with the ratings of every component adding up to 0.
    """
    matches = [[0] * teams for _ in range(teams)]
    s = [Fraction(0)] * teams
    for a, b, half in (match for matches_ in rounds for match in matches_):
        if b is None:
            continue
        above = Fraction(half - boards, 2)
        for i, j, sign in ((a, b, 1), (b, a, -1)):
            matches[i][j] += 1
            s[i] += sign * above
    if inverse:
        s = [(inverse + max(map(max, matches)) * teams) * x for x in s]
    rows = [[Fraction(-x) for x in row] for row in matches]
    for i in range(teams):
        rows[i][i] += inverse + sum(matches[i])
        rows[i].append(s[i])
    if not inverse:
        for component in connected(matches):
            for i in component:
                for j in component:
                    rows[i][j] += 1
    for i in range(teams):
        pivot = rows[i][i]  # never 0: the matrix is positive definite
        rows[i] = [x / pivot for x in rows[i]]
        for j in range(teams):
            if j != i and rows[j][i]:
                factor = rows[j][i]
                rows[j] = [x - factor * y for x, y in zip(rows[j], rows[i], strict=True)]
    return [math.floor(10_000 * row[-1] + Fraction(1, 2)) for row in rows]


def connected(matches: Sequence[Sequence[int]]) -> list[set[int]]:
    """The components of the graph of matches."""
    found: list[set[int]] = []
    for team, row in enumerate(matches):
        near = {team, *(other for other, number in enumerate(row) if number)}
        found = [group for group in found if not group & near] + [
            near.union(*(group for group in found if group & near))
        ]
    return found
