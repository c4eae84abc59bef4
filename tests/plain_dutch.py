"""The Dutch-like rule in plain Python: lists and sets, one event, one round."""

TRIES = 2048
BYE = -1


class Player:
    """What is known of a player before a round."""

    def __init__(self, seed):
        self.seed, self.points, self.colours, self.met = seed, 0, [], set()
        self.bye = self.down = self.up = False

    @property
    def wish(self):
        """Above 0 for White; 1 mild, 2 strong, from 3 on absolute."""
        if not self.colours:
            return 0
        surplus = sum(self.colours) * 2 - len(self.colours)
        twice = len(self.colours) > 1 and self.colours[-1] == self.colours[-2]
        other = -1 if self.colours[-1] else 1
        if abs(surplus) > 1:
            return -surplus - 3 if surplus > 0 else -surplus + 3
        if twice:
            return other * (3 + abs(surplus))
        return -2 * surplus if surplus else other

    def may_meet(self, other, colours=True):
        """No rematch; not both with the same absolute preference."""
        if other is self or other.seed in self.met:
            return False
        same = abs(self.wish) >= 3 and abs(other.wish) >= 3 and self.wish * other.wish > 0
        return not (colours and same)


def players_before(event, number):
    """The players before round `number` of an event, given as arrays `[rounds, players]`."""
    players = [Player(seed) for seed in range(event.opponents.shape[1])]
    for past in range(number):
        scores = [player.points for player in players]
        for seed, player in enumerate(players):
            opponent = int(event.opponents[past, seed])
            player.points += int(event.half_points[past, seed])
            if opponent == BYE:
                player.bye, player.down, player.up = True, True, False
                continue
            player.met.add(opponent)
            player.colours.append(bool(event.whites[past, seed]))
            player.down = scores[opponent] < scores[seed]
            player.up = scores[opponent] > scores[seed]
    return players


def pair_round(players, lot):
    """The pairs `{(white, black)}` of seeds, and how many stages of the last resort were needed."""
    order = sorted(players, key=lambda player: (-player.points, player.seed))
    if len(order) % 2:
        order.remove([player for player in order if not player.bye][-1])
    partner, floated, stages = {}, [], 0
    for score in sorted({player.points for player in order}, reverse=True):
        residents = [player for player in order if player.points == score]
        group = floated + residents
        bottom = residents[-1] is order[-1]
        out = [floater(group)] if len(group) % 2 else []
        group = [player for player in group if player not in out]
        stuck = pair_group(group, residents, order, partner, order if bottom else group)
        floated = [player for player in order if player in out + stuck]
    if floated:
        floated, stages = settle(floated, order, partner)
    while floated:
        join(partner, floated.pop(0), floated.pop())
    pairs = {tuple(sorted((one.seed, other.seed))) for one, other in partner.items()}
    by_seed = {player.seed: player for player in players}
    rank = {player: place for place, player in enumerate(order)}
    found = set()
    for pair in pairs:
        higher, lower = sorted((by_seed[seed] for seed in pair), key=rank.get)
        first = white_first(higher, lower, lot)
        found.add((higher.seed, lower.seed) if first else (lower.seed, higher.seed))
    return found, stages


def join(partner, one, other):
    """Make a pair."""
    partner[one], partner[other] = other, one


def floater(group):
    """Who floats from an odd group."""
    who = group
    for side in (1, -1):
        prefer = [player for player in group if player.wish * side > 0]
        if 2 * len(prefer) > len(group):
            who = prefer
    return ([player for player in who if not player.down] or who)[-1]


def clashes(players):
    """The fewest pairs that share a preference; from an odd number anybody is left out."""
    most = (len(players) + 1) // 2
    white = sum(player.wish > 0 for player in players)
    black = sum(player.wish < 0 for player in players)
    return max(0, white - most, black - most)


def thrifty(one, other, pool):
    """Whether a pair costs no more shared preferences than the pool has anyway."""
    rest = [player for player in pool if player not in (one, other)]
    return (one.wish * other.wish > 0) + clashes(rest) == clashes(pool)


def pair_group(group, residents, order, partner, members):
    """Pair a group; who floats is returned."""
    pool, stuck, taken = list(group), [], set()
    place = {player: number for number, player in enumerate(order)}
    while pool:
        first = pool[0]
        free = [other for other in pool if first.may_meet(other)]
        best = [other for other in free if thrifty(first, other, pool)] or free
        half = pool[len(pool) // 2]
        if place[first] < place[residents[0]]:
            half = residents[0]
            best = [other for other in best if not other.up and thrifty(first, other, pool)] or best
        later = [other for other in best if place[other] >= place[half]]
        choice = later[0] if later else best[-1] if best else None
        if choice:
            join(partner, first, choice)
            pool = [player for player in pool if player not in (first, choice)]
            continue
        settled = [
            other
            for other in members
            if other not in pool and other not in stuck and other not in taken
        ]
        settled = [other for other in settled if first.may_meet(other)]
        pool.remove(first)
        if not pool or not settled:
            stuck.append(first)
            continue
        broken = settled[-1]
        taken.add(broken)
        pool = sorted([*pool, partner[broken]], key=place.get)
        join(partner, first, broken)
    return stuck


def mixed(number):
    """The numbers that places are chosen by (lowbias32)."""
    number = (number ^ (number >> 16)) * 0x7FEB352D % 2**32
    number = (number ^ (number >> 15)) * 0x846CA68B % 2**32
    return number ^ (number >> 16)


def settle(left, order, partner):
    """Who is still without an opponent, and how many stages were needed."""
    for number in range(2 * TRIES):
        if not left:
            return left, 1 if number <= TRIES else 2
        first = left[0]
        may = [other for other in order if first.may_meet(other, colours=number < TRIES)]
        free = [other for other in may if other in left]
        if free:
            join(partner, first, free[0])
            left = [player for player in left if player not in (first, free[0])]
        elif may:
            broken = may[mixed(number) % len(may)]
            freed = partner[broken]
            join(partner, first, broken)
            left = sorted([*left[1:], freed], key=order.index)
    return left, 3


def white_first(higher, lower, lot):
    """Whether the higher ranked one has White."""
    if higher.wish != lower.wish:
        return higher.wish > lower.wish
    games = min(len(higher.colours), len(lower.colours))
    for back in range(1, games + 1):
        if higher.colours[-back] != lower.colours[-back]:
            return not higher.colours[-back]
    if higher.wish:
        return higher.wish > 0
    return bool(lot) == (higher.seed % 2 == 0)
