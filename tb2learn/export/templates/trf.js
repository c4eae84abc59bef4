// This part reads who met whom in a Tournament Report File, of 2016 or of 2026, as `trf_read.py`
// does. What is unclear is read on with a note. Teams and players are numbered from 0.

const ON_BOARD = { 1: 2, W: 2, "=": 1, D: 1, 0: 0, L: 0 };
const BY_DEFAULT = { "+": 2, "-": 0 };
const LETTERS = { F: "full", U: "pairing", H: "half", Z: "zero" };
const MAX_RATING = 4000;
const MAX_FIDE_ID = 1e9 - 1;

/** A key of a Map for a round and a team or player; the keys sort by round. */
const at = (round, which) => 1e4 * round + which;
const roundOf = (key) => Math.floor(key / 1e4);
const whichOf = (key) => key % 1e4;
const byKey = (map) => [...map].sort(([a], [b]) => a - b);

/** The teams in the order of their numbers: `number`, `name`, `members` with columns, `line`. */
function trfSquads(file, records, notes) {
  const of2026 = records("310").length > 0;
  const squads = new Map();
  const names = new Set();
  (of2026 ? records("310") : records("013")).forEach((line, k) => {
    const number = of2026 ? line.integer(5, 7, "team number", 1, 999) : k + 1;
    const [first, last, members] = of2026 ? [9, 40, 74] : [5, 36, 37];
    if (squads.has(number)) line.refuse(5, 7, "team number", say("html.allowed_once"));
    if (squads.size === LIMITS.teams) {
      line.refuse(first, last, "team name", say("html.allowed_teams", { most: LIMITS.teams }));
    }
    let name = line.text(first, last);
    if (!name || names.has(name)) {
      notes.odd(name
        ? "a name that another team has, too, gets a number: a column holds 32 characters"
        : "a team without a name is named by its number", line.number);
      const base = name || "Team";
      for (let n = number; names.has(name) || !name; n += 1) name = `${base} (${n})`;
    }
    names.add(name);
    const listed = line.listed(members, 4, "start number").filter(([, start]) => start);
    squads.set(number, { line, number, name, members: listed });
  });
  if (!squads.size && records("001").length) refuse("html.individual", { file });
  if (squads.size < 2) refuse("html.trf_teams", { file, most: LIMITS.teams, got: squads.size });
  return [...squads.values()].sort((a, b) => a.number - b.number);
}

/** The players (`team`, `rating`, `line`) team by team, and their numbers by start number. */
function trfPlayers(records, squads, notes) {
  const lines = new Map();
  for (const line of records("001")) {
    const start = line.integer(5, 8, "start number", 1, MAX_PLAYERS);
    if (lines.has(start)) line.refuse(5, 8, "start number", say("html.allowed_once"));
    lines.set(start, line);
  }
  const [players, numbers, known] = [[], new Map(), new Set()];
  squads.forEach((squad, team) => {
    for (const [column, start] of squad.members) {
      if (!lines.has(start)) {
        notes.odd("a member of a team without a record 001 is left out", squad.line.number);
      } else if (!numbers.has(start)) {
        numbers.set(start, players.length);
        players.push(trfPlayer(lines.get(start), team, known, notes));
      } else if (players[numbers.get(start)].team !== team) {
        squad.line.refuse(column, column + 3, "start number", say("html.allowed_once"));
      } else {
        notes.odd("a member is listed twice in a team", squad.line.number);
      }
    }
  });
  if (lines.size > players.length) {
    notes.say(`players without a team are left out: ${lines.size - players.length}`);
  }
  return [players, numbers];
}

function trfPlayer(line, team, known, notes) {
  const id = line.needless(notes, "a FIDE number that is none is left out", 58, 68, MAX_FIDE_ID);
  if (known.has(id)) {
    notes.odd("a FIDE number of several players is kept for the first alone", line.number);
  }
  if (id) known.add(id);
  if (!line.text(15, 47)) notes.odd("a player without a name is named '?'", line.number);
  const rating = line.needless(notes, NO_RATING, 49, 52, MAX_RATING);
  return { team, rating, line };
}

/**
 * Who met whom: `entries` of boards by round and player, `letters` of byes by round and team,
 * `rivals` by round and team, and the first `unfinished` round.
 */
class Draw {
  constructor(players) {
    this.teams = players.map(({ team }) => team);
    Object.assign(this, { entries: new Map(), letters: new Map(), rivals: new Map() });
  }

  /** Record that two teams met; false if one of them already has another opponent. */
  meet(round, team, other) {
    if (team === other) return false;
    return [[team, other], [other, team]].every(([a, b]) => {
      const key = at(round, a);
      if (!this.rivals.has(key)) this.rivals.set(key, b);
      return this.rivals.get(key) === b;
    });
  }

  /** The entry that an entry names as its opponent's. */
  back(key, entry) {
    return entry.opponent === null ? undefined : this.entries.get(at(roundOf(key), entry.opponent));
  }
}

/** The error for a field of an entry. */
function refuseEntry({ line, column }, round, field, allowed) {
  const [first, last] = field === "opponent" ? [0, 3] : [7, 7];
  line.refuse(column + first, column + last, `${field} of round ${round}`, allowed);
}

function trfEntry(line, column, round, result, player, numbers, notes) {
  const against = line.integer(column, column + 3, `opponent of round ${round}`, 0, MAX_PLAYERS, 0);
  const colour = line.text(column + 5, column + 5).toLowerCase();
  const entry = {
    line, column, player, opponent: numbers.get(against) ?? null,
    colour: ["w", "b"].includes(colour) ? colour : "",
    half: ON_BOARD[result] ?? BY_DEFAULT[result] ?? 0, played: result in ON_BOARD,
  };
  if (against && entry.opponent === null) {
    refuseEntry(entry, round, "opponent", say("html.allowed_player"));
  }
  if (!["w", "b", "-", ""].includes(colour)) {
    notes.odd("a colour other than w and b is not known", line.number);
  }
  const known = against ? ["1", "W", "=", "D", "0", "L", "+", "-"]
    : [...Object.keys(BY_DEFAULT), ...Object.keys(LETTERS)];
  if (result && !known.includes(result)) {
    refuseEntry(entry, round, "result", say("html.allowed_one", { all: known.join(" ") }));
  }
  return entry;
}

/** The draw by the entries of the players. */
function trfDraw(lines, players, numbers, notes) {
  const draw = new Draw(players);
  const open = [];
  for (const line of lines) {
    const after = 92 + 10 * LIMITS.rounds;
    if (line.text(after)) {
      line.refuse(after, undefined, "round", say("html.allowed_number", { low: 1, high: LIMITS.rounds }));
    }
    const player = numbers.get(line.integer(5, 8, "start number", 1, MAX_PLAYERS));
    for (let round = 1; round <= LIMITS.rounds; round += 1) {
      const column = 82 + 10 * round;
      let result = line.text(column + 7, column + 7).toUpperCase();
      if (result === "\u00bd" && !notes.strict) {
        notes.odd("the result \u00bd is a draw", line.number);
        result = "=";
      }
      if (!result && !line.text(column, column + 5)) continue;
      const entry = trfEntry(line, column, round, result, player ?? 0, numbers, notes);
      const onBoard = result in ON_BOARD || result in BY_DEFAULT;
      if (entry.opponent !== null && !result) open.push([round, player, entry]);
      else if (player === undefined) {
        if (onBoard) line.refuse(5, 8, "start number", say("html.allowed_player"));
      } else if (onBoard) draw.entries.set(at(round, player), entry);
      else if (result) {
        const place = at(round, players[player].team);
        if (!draw.letters.has(place)) draw.letters.set(place, new Map());
        const letters = draw.letters.get(place);
        if (!letters.has(result)) letters.set(result, entry);
      }
    }
  }
  const without = open.filter(([round, player, entry]) => {
    const back = draw.back(at(round, 0), entry);
    return notes.strict || !back || back.opponent !== player || !back.played;
  });
  draw.unfinished = Math.min(LIMITS.rounds + 1, ...without.map(([round]) => round));
  for (const key of [...draw.entries.keys()]) {
    if (roundOf(key) >= draw.unfinished) draw.entries.delete(key);
  }
  pairEntries(draw, notes);
  return draw;
}

/**
 * Check that the entries of both players of a board agree; the entry of a player who lost by
 * default, or of one whose entry is missing, is made from the other one.
 */
function pairEntries(draw, notes) {
  const named = new Set();
  for (const [key, entry] of byKey(draw.entries)) {
    if (entry.opponent === null) continue;
    const [round, player] = [roundOf(key), whichOf(key)];
    if (!draw.meet(round, draw.teams[player], draw.teams[entry.opponent])) {
      refuseEntry(entry, round, "opponent", say("html.allowed_rival"));
    }
    const place = at(round, entry.opponent);
    let back = draw.entries.get(place);
    if (!back) {
      if (entry.played) {
        notes.odd("a game that only one of its players has counts for both", entry.line.number);
      } else named.add(place);
      back = {
        ...entry, player: entry.opponent, opponent: player, half: entry.played ? 2 - entry.half : 0,
        colour: entry.played ? { w: "b", b: "w" }[entry.colour] ?? "" : "",
      };
      draw.entries.set(place, back);
    } else if (back.opponent === null && !(entry.played || back.played)) {
      back = { ...back, opponent: player };
      draw.entries.set(place, back);
      named.add(place);
    }
    if (named.has(place) && !entry.played && back.opponent !== player) {
      draw.entries.set(key, { ...entry, opponent: null });
      continue;
    }
    if (back.opponent !== player) refuseEntry(entry, round, "opponent", say("html.allowed_back"));
    const points = `${entry.half}-${back.half}`;
    if (entry.played !== back.played || !["2-0", "1-1", "0-2", "0-0"].includes(points)) {
      refuseEntry(entry, round, "result", say("html.allowed_fitting", { line: back.line.number }));
    }
    if (entry.colour && draw.entries.get(key).colour === back.colour) {
      notes.odd("two players of a game have the same colour: that of the first one counts",
        entry.line.number);
      draw.entries.set(place, { ...back, colour: "" });
    }
  }
}

// --- members who rested, boards that are missing, byes that no record tells of

/** Half points of all results of a record 001: of boards alone, and with those of byes. */
function resultsOf({ content }) {
  let [won, byes] = [0, 0];
  for (let column = 99; column <= content.length; column += 10) {
    const letter = content[column - 1].toUpperCase();
    won += { 1: 2, W: 2, "+": 2, "=": 1, D: 1 }[letter] ?? 0;
    byes += { F: 2, U: 2, H: 1 }[letter] ?? 0;
  }
  return [won, won + byes];
}

const some = (found, most = 4) =>
  `${found.length}, ${found.slice(0, most).join(", ")}${found.length > most ? ", ..." : ""}`;
const shortName = (name) => plain([...name].slice(0, 40).join(""));

/** Entries of every team in every round: `paired`, `won` alone, and the keys of `0000 - -`. */
class Sides {
  constructor(draw, listed) {
    this.draw = draw;
    this.all = new Map();
    for (const [key, entry] of draw.entries) {
      const place = at(roundOf(key), draw.teams[whichOf(key)]);
      if (!this.all.has(place)) this.all.set(place, { paired: 0, won: 0, idle: [] });
      const side = this.all.get(place);
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
 * Decide which entries `0000 - -` are boards, remove the others; the boards of a match. A strict
 * reader changes nothing.
 */
function settle(draw, lines, names, given, listed, notes) {
  if (notes.strict) return given;
  const sides = new Sides(draw, listed);
  const found = Math.max(0, ...[...sides.seats].flatMap(([place, n]) =>
    (draw.rivals.has(place) ? [n] : [])));
  const fits = given && found <= given;
  if (given && !fits) {
    notes.odd(`a match has ${found} boards, record 352 has ${given} colours: the boards count`);
  }
  const boards = fits ? given : Math.min(found, LIMITS.boards);
  givePoints(draw, lines, sides, boards, notes);
  for (const [place, side] of sides.all) {
    const free = draw.rivals.has(place) ? boards - side.paired - side.won : LIMITS.boards;
    if (side.idle.length <= free) continue;
    for (const key of side.idle) {
      notes.odd("0000 - - of a member beside a full match means: did not play",
        draw.entries.get(key).line.number);
      draw.entries.delete(key);
    }
    side.idle = [];
  }
  nameMissing(draw, sides, names, boards, notes);
  return boards;
}

/** Count boards won by default that only the points field of a player tells of. */
function givePoints(draw, lines, sides, boards, notes) {
  const [nobody, idle] = [new Map(), new Map()];
  const add = (map, key) => map.set(whichOf(key), [...(map.get(whichOf(key)) ?? []), key]);
  const backHalf = (key) => draw.back(key, draw.entries.get(key))?.half;
  for (const [key, { opponent, played, half }] of draw.entries) {
    if (opponent !== null && !played && !half && backHalf(key) === 0) add(nobody, key);
  }
  for (const [place, side] of sides.all) {
    if (draw.rivals.has(place)) for (const key of side.idle) add(idle, key);
  }
  for (const player of [...new Set([...nobody.keys(), ...idle.keys()])].sort((a, b) => a - b)) {
    const line = lines.get(player);
    const points = halfPointsOf(line.text(81, 84));
    const lost = (nobody.get(player) ?? []).filter((key) => backHalf(key) === 0);
    const placeOf = (key) => at(roundOf(key), draw.teams[player]);
    const rests = (idle.get(player) ?? []).filter((key) => sides.seats.get(placeOf(key)) < boards);
    const found = lost.length ? lost : rests;
    if (points === null || points - resultsOf(line)[0] !== 2 || found.length !== 1) continue;
    const [key] = found;
    const entry = draw.entries.get(key);
    draw.entries.set(key, { ...entry, half: 2 });
    if (entry.opponent === null) {
      const place = placeOf(key);
      const side = sides.all.get(place);
      side.idle.splice(side.idle.indexOf(key), 1);
      side.won += 1;
      for (const one of [place, at(roundOf(key), draw.rivals.get(place))]) {
        sides.seats.set(one, (sides.seats.get(one) ?? 0) + 1);
      }
    }
    const how = entry.opponent === null ? "the match of his team lacks a board in"
      : "nobody has the point of his board in";
    notes.odd(`player ${line.text(5, 8)} has ${points / 2} in his points field and `
      + `${points / 2 - 1} by his results, and ${how} round ${roundOf(key)}: he won it by default`,
    line.number);
  }
}

function nameMissing(draw, sides, names, boards, notes) {
  const found = [];
  for (const [place, other] of byKey(draw.rivals)) {
    const [round, team] = [roundOf(place), whichOf(place)];
    if (team > other || !sides.all.has(place)) continue;
    const [side, against] = [sides.all.get(place), sides.other(place)];
    const alone = Math.max(side.idle.length - against.won, 0)
      + Math.max(against.idle.length - side.won, 0);
    const seats = sides.count(place);
    if (seats > 0 && seats < boards && !alone) {
      found.push(`round ${round} ${shortName(names[team])} - ${shortName(names[other])}`);
    }
  }
  if (found.length) {
    notes.odd(`matches that lack one of ${boards} boards or more, which count as lost by both: `
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
    half > 0 && roundOf(key) === round && draw.teams[whichOf(key)] === team);
  const [found, unclear] = [[], []];
  const said = (round, team) => `round ${round} ${shortName(names[team])}`;
  for (let round = 1; round <= rounds; round += 1) {
    const alone = names.flatMap((_, t) => (draw.rivals.has(at(round, t)) ? [] : [t]));
    const candidates = alone.length === 1 ? alone
      : alone.filter((t) => (last.get(t) ?? 0) > round);
    if (candidates.length === 1 && !wonAlone(round, candidates[0])) found.push([round, candidates[0]]);
    else if (alone.length > 1 && alone.length < names.length) {
      unclear.push(...alone.filter((t) => last.has(t)).map((t) => said(round, t)));
    }
  }
  if (unclear.length) {
    notes.odd(`teams without a match and without a bye, not paired: ${some(unclear)}`);
  }
  if (found.length) {
    const [mp, half] = bye ?? [scoring[1], boards];
    const by = bye ? "--bye-points" : "a drawn match, as at Olympiads";
    notes.odd(`no record of byes: teams without a match had the pairing bye, ${mp} MP and `
      + `${half / 2} GP (${by}): `
      + some(found.map(([round, team]) => said(round, team)), 7));
  }
  return found;
}
