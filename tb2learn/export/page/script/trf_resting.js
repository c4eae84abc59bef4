// This part tells members of a team who rested from boards that were lost by default, names boards
// that are missing, and finds byes that no record tells of, as version 1 of the program did.

const WON = new Map(TRF.won);
const OF_BYES = new Map(TRF.wonByBye);

/** Half points of all results of a record 001: of boards alone, and with those of byes. */
function resultsOf({ content }) {
  let [won, byes] = [0, 0];
  const [first, width] = TRF.entries;
  for (let k = first + TRF.entry.result[0] - 1; k < content.length; k += width) {
    const letter = content[k].toUpperCase();
    won += WON.get(letter) ?? 0;
    byes += OF_BYES.get(letter) ?? 0;
  }
  return [won, won + byes];
}

const some = (found, most = 4) =>
  `${found.length}, ${found.slice(0, most).join(", ")}${found.length > most ? ", ..." : ""}`;
const shortName = (name, most = 40) => plain(shortened(name, most));

/** Entries of every team of a round: `paired`, `won` alone, and the players with `0000 - -`. */
class Sides {
  constructor({ entries, teams, rivals }, listed) {
    Object.assign(this, { all: new Map(), rivals });
    for (const [player, entry] of entries) {
      const side = kept(this.all, teams[player], () => ({ paired: 0, won: 0, idle: [] }));
      if (entry.opponent !== null) side.paired += 1;
      else if (entry.half) side.won += 1;
      else if (!listed.has(player)) side.idle.push(player);
    }
    this.seats = new Map([...this.all.keys()].map((team) => [team, this.count(team)]));
  }

  of(team) {
    return this.all.get(team) ?? { paired: 0, won: 0, idle: [] };
  }

  /** The boards of the match of a team that somebody played or won by default. */
  count(team) {
    const [side, other] = [this.of(team), this.of(this.rivals.get(team))];
    return Math.max(side.paired, other.paired) + side.won + other.won;
  }
}

/**
 * Decide which entries `0000 - -` are boards, remove the others; the boards of a match: as `given`,
 * else the most that a match has. `listed` has the line-ups of records 300.
 */
function settle(rounds, lines, names, given, listed, notes, individual) {
  for (const round of rounds) {
    const here = listed.filter((lineUp) => lineUp.round === round.number);
    round.sides = new Sides(round, new Set(here.flatMap(({ players }) => players)));
  }
  const found = Math.max(0, ...rounds.flatMap(({ rivals, sides }) =>
    [...sides.seats].map(([team, count]) => (rivals.has(team) ? count : 0))));
  if (found > given && given) {
    notes.odd(`a match has ${found} boards, record 352 has ${given} colours: the boards count`,
      null);
  }
  const boards = given && found <= given ? given : Math.min(found, LIMITS.boards);
  // A player's points field also has byes, which may pay anything.
  if (!individual) givePoints(rounds, lines, boards);
  for (const { entries, rivals, sides } of rounds) {
    for (const [team, { paired, won, idle }] of byKey(sides.all)) {
      if (idle.length <= (rivals.has(team) ? boards - paired - won : LIMITS.boards)) continue;
      for (const player of idle.splice(0)) {
        entries.get(player).odd("0000 - - of a member beside a full match means: did not play");
        entries.delete(player);
      }
    }
  }
  const whole = listed.filter((lineUp) => lineUp.boards >= boards);
  nameMissing(rounds, names, boards, whole, notes);
  return boards;
}

/** Count boards won by default that only the points field of a player tells of. */
function givePoints(rounds, lines, boards) {
  const [nobody, idle] = [new Map(), new Map()];
  const nobodyWon = ({ entries }, player) => {
    const { opponent, played, half } = entries.get(player);
    return opponent !== null && !played && !half && entries.get(opponent).half === 0;
  };
  for (const round of rounds) {
    const add = (map, player) => kept(map, player, () => []).push(round);
    for (const player of round.entries.keys()) if (nobodyWon(round, player)) add(nobody, player);
    for (const [team, side] of round.sides.all) {
      if (round.rivals.has(team)) for (const player of side.idle) add(idle, player);
    }
  }
  for (const player of [...new Set([...nobody.keys(), ...idle.keys()])].sort((a, b) => a - b)) {
    const line = lines.get(player);
    const points = halfPointsOf(line.text(AT["001"].points));
    const lost = (nobody.get(player) ?? []).filter((round) => nobodyWon(round, player));
    const rests = (idle.get(player) ?? []).filter(({ teams, sides }) =>
      sides.seats.get(teams[player]) < boards);
    const found = lost.length ? lost : rests;
    if (points === null || points - resultsOf(line)[0] !== 2 || found.length !== 1) continue;
    const [{ number, entries, teams, rivals, sides }] = found;
    entries.set(player, entries.get(player).with({ half: 2 }));
    if (!lost.length) {
      const side = sides.of(teams[player]);
      side.idle.splice(side.idle.indexOf(player), 1);
      side.won += 1;
      for (const team of [teams[player], rivals.get(teams[player])]) {
        sides.seats.set(team, (sides.seats.get(team) ?? 0) + 1);
      }
    }
    const how = lost.length ? "whose point nobody has" : "that the match of the team lacks";
    const name = shortened(line.text(AT["001"].name), 40);
    line.notes.odd("a player with one point more in the points field than by the results won the "
      + `one board ${how} by default`, line.line, ["player", `${name} in round ${number}`]);
  }
}

/** Name the matches that lack a board, unless a `whole` line-up says that it was empty. */
function nameMissing(rounds, names, boards, whole, notes) {
  const isWhole = (number, ...teams) => whole.some((lineUp) =>
    lineUp.round === number && teams.includes(lineUp.team));
  const found = rounds.flatMap(({ number, matches, sides }) => matches.flatMap(([team, other]) => {
    if (isWhole(number, team, other)) return [];
    const [side, against, seats] = [sides.of(team), sides.of(other), sides.count(team)];
    const alone = Math.max(side.idle.length - against.won, 0)
      + Math.max(against.idle.length - side.won, 0);
    return sides.all.has(team) && seats > 0 && seats < boards && !alone
      ? [`round ${number} ${shortName(names[team])} - ${shortName(names[other])}`] : [];
  }));
  if (found.length) {
    notes.odd(`matches that lack one of ${boards} boards or more, which count as lost by both: `
      + some(found), null);
  }
}

/**
 * Teams without a match in a field of odd size, `[round, team]`: the `byes` if the file tells of
 * none at all, and the `others`.
 */
function missingByes(rounds, told, names) {
  const [byes, others] = [[], []];
  const lasts = names.map((_, team) => rounds.findLastIndex(({ rivals }) => rivals.has(team)));
  for (const { number, entries, teams, rivals } of told ? [] : rounds) {
    const alone = [...names.keys()].filter((team) => !rivals.has(team));
    const stayed = alone.filter((team) => lasts[team] >= number);
    const [team, ...more] = alone.length === 1 ? alone : stayed;
    const wonAlone = [...entries].some(([player, { half }]) => half > 0 && teams[player] === team);
    if (team !== undefined && !more.length && !wonAlone) byes.push([number, team]);
    else if (alone.length > 1 && alone.length < names.length) {
      others.push(...alone.filter((one) => lasts[one] >= 0).map((one) => [number, one]));
    }
  }
  return { byes, others };
}

/** Say which byes are assumed, and what they pay; and which rounds are without pairing. */
function sayByes(byes, others, names, payment, notes) {
  const { individual } = payment;
  const said = ([round, team]) => `round ${round} ${shortName(names[team])}`;
  const who = individual ? "players without a game" : "teams without a match";
  if (others.length) {
    notes.say(`${who} and without a bye, not paired: ${some(others.map(said))}`);
  }
  const [mp, half] = payment.bye ?? [payment.scoring[1], payment.boards];
  const usual = individual ? "as the file says, else a win" : "a drawn match, as at Olympiads";
  const by = payment.asked ? "--bye-points" : usual;
  const pays = individual ? `${mp / 2} points` : `${mp} MP and ${half / 2} GP`;
  if (byes.length) {
    notes.odd(`no record of byes: ${who} had the pairing bye, ${pays} (${by}): `
      + some(byes.map(said), 7), null);
  }
}
