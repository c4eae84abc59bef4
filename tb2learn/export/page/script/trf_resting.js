// This part tells members of a team who rested from boards that were lost by default, names boards
// that are missing, and finds byes that no record tells of, as `trf_resting.py` does.

const WON = new Map(TRF.won);
const OF_BYES = new Map(TRF.wonByBye);

/** Half points of all results of a record 001: of boards alone, and with those of byes. */
function resultsOf({ content }) {
  let [won, byes] = [0, 0];
  const [first, , width] = TRF.entries;
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

/** Entries of every team in every round: `paired`, `won` alone, and the keys of `0000 - -`. */
class Sides {
  constructor(draw, listed) {
    this.draw = draw;
    this.all = new Map();
    for (const [key, entry] of draw.entries) {
      const side = kept(this.all, draw.side(key), () => ({ paired: 0, won: 0, idle: [] }));
      if (entry.opponent !== null) side.paired += 1;
      else if (entry.half) side.won += 1;
      else if (!listed.has(key)) side.idle.push(key);
    }
    this.seats = new Map([...this.all.keys()].map((place) => [place, this.count(place)]));
  }

  other(place) {
    return this.all.get(at(roundOf(place), this.draw.rivals.get(place) ?? 9999))
      ?? { paired: 0, won: 0, idle: [] };
  }

  /** The boards of the match of a team that somebody played or won by default. */
  count(place) {
    const [side, other] = [this.all.get(place), this.other(place)];
    return Math.max(side.paired, other.paired) + side.won + other.won;
  }
}

/**
 * Decide which entries `0000 - -` are boards, remove the others; the boards of a match: as `given`,
 * else the most that a match has. A strict reader changes nothing.
 */
function settle(draw, lines, names, given, listed, notes) {
  if (notes.strict) return given;
  const sides = new Sides(draw, listed);
  const found = Math.max(0, ...[...sides.seats].flatMap(([place, n]) =>
    (draw.rivals.has(place) ? [n] : [])));
  if (found > given && given) {
    notes.say(`a match has ${found} boards, record 352 has ${given} colours: the boards count`);
  }
  const boards = given && found <= given ? given : Math.min(found, LIMITS.boards);
  givePoints(draw, lines, sides, boards);
  for (const [place, side] of sides.all) {
    const free = draw.rivals.has(place) ? boards - side.paired - side.won : LIMITS.boards;
    if (side.idle.length <= free) continue;
    for (const key of side.idle.splice(0)) {
      draw.entries.get(key).line.odd(
        "0000 - - of a member beside a full match means: did not play");
      draw.entries.delete(key);
    }
  }
  nameMissing(draw, sides, names, boards, notes);
  return boards;
}

/** Count boards won by default that only the points field of a player tells of. */
function givePoints(draw, lines, sides, boards) {
  const [nobody, idle] = [new Map(), new Map()];
  const add = (map, key) => kept(map, whichOf(key), () => []).push(key);
  const nobodyWon = (key) => draw.back(key)?.half === 0;
  for (const [key, { opponent, played, half }] of draw.entries) {
    if (opponent !== null && !played && !half && nobodyWon(key)) add(nobody, key);
  }
  for (const [place, side] of sides.all) {
    if (draw.rivals.has(place)) for (const key of side.idle) add(idle, key);
  }
  for (const player of [...new Set([...nobody.keys(), ...idle.keys()])].sort((a, b) => a - b)) {
    const line = lines.get(player);
    const points = halfPointsOf(line.text(AT["001"].points));
    const lost = (nobody.get(player) ?? []).filter(nobodyWon);
    const rests = (idle.get(player) ?? []).filter((key) => sides.seats.get(draw.side(key)) < boards);
    const found = lost.length ? lost : rests;
    if (points === null || points - resultsOf(line)[0] !== 2 || found.length !== 1) continue;
    const [key] = found;
    const entry = draw.entries.get(key);
    draw.entries.set(key, entry.with({ half: 2 }));
    let how = "nobody has the point of his board in";
    if (entry.opponent === null) {
      how = "the match of his team lacks a board in";
      const place = draw.side(key);
      const side = sides.all.get(place);
      side.idle.splice(side.idle.indexOf(key), 1);
      side.won += 1;
      for (const one of [place, at(roundOf(key), draw.rivals.get(place))]) {
        sides.seats.set(one, (sides.seats.get(one) ?? 0) + 1);
      }
    }
    line.odd(`player ${line.text(AT["001"].start)} has ${points / 2} in his points field and `
      + `${points / 2 - 1} by his results, and ${how} round ${roundOf(key)}: he won it by default`);
  }
}

function nameMissing(draw, sides, names, boards, notes) {
  const found = byKey(draw.rivals).flatMap(([place, other]) => {
    const team = whichOf(place);
    if (team > other || !sides.all.has(place)) return [];
    const [side, against] = [sides.all.get(place), sides.other(place)];
    const alone = Math.max(side.idle.length - against.won, 0)
      + Math.max(against.idle.length - side.won, 0);
    const seats = sides.count(place);
    return seats > 0 && seats < boards && !alone
      ? [`round ${roundOf(place)} ${shortName(names[team])} - ${shortName(names[other])}`] : [];
  });
  if (found.length) {
    notes.say(`matches that lack one of ${boards} boards or more, which count as lost by both: `
      + some(found));
  }
}

/** Round and team of the byes in a field of odd size, if the file tells of no bye at all. */
function missingByes(draw, told, names, rounds, { boards, scoring, bye }, notes) {
  if (told || notes.strict) return [];
  const last = new Map();
  for (const place of draw.rivals.keys()) {
    const round = roundOf(place);
    if (round <= rounds) last.set(whichOf(place), Math.max(round, last.get(whichOf(place)) ?? 0));
  }
  const wonAlone = (round, team) => [...draw.entries].some(([key, { half }]) =>
    half > 0 && draw.side(key) === at(round, team));
  const [found, unclear] = [[], []];
  const said = ([round, team]) => `round ${round} ${shortName(names[team])}`;
  for (let round = 1; round <= rounds; round += 1) {
    const alone = names.flatMap((_, t) => (draw.rivals.has(at(round, t)) ? [] : [t]));
    const candidates = alone.length === 1 ? alone
      : alone.filter((t) => (last.get(t) ?? 0) > round);
    if (candidates.length === 1 && !wonAlone(round, candidates[0])) {
      found.push([round, candidates[0]]);
    } else if (alone.length > 1 && alone.length < names.length) {
      unclear.push(...alone.filter((t) => last.has(t)).map((t) => [round, t]));
    }
  }
  if (unclear.length) {
    notes.say(`teams without a match and without a bye, not paired: ${some(unclear.map(said))}`);
  }
  if (found.length) {
    const [mp, half] = bye ?? [scoring[1], boards];
    const by = bye ? "--bye-points" : "a drawn match, as at Olympiads";
    notes.say(`no record of byes: teams without a match had the pairing bye, ${mp} MP and `
      + `${half / 2} GP (${by}): ${some(found.map(said), 7)}`);
  }
  return found;
}
