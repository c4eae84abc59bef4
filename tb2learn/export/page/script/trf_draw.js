// This part reads who met whom in a Tournament Report File, of 2016 or of 2026, as `trf_draw.py`
// does. What is unclear is read on with a note. Teams and players are numbered from 0.

const ON_BOARD = new Map(TRF.played);
const BY_DEFAULT = new Map(TRF.unplayed);
const BYES = new Map(TRF.byes);

/** A key of a Map for a round and a team or player; the keys sort by round. */
const at = (round, which) => 1e4 * round + which;
const roundOf = (key) => Math.floor(key / 1e4);
const whichOf = (key) => key % 1e4;
const byKey = (map) => [...map].sort(([a], [b]) => a - b);

/** The name of a team, which no other one has. */
function squadName(line, field, number, names) {
  const name = line.text(field);
  if (name && !names.has(name)) return name;
  line.odd(name ? "a name that another team has, too, gets a number: a column holds 32 characters"
    : "a team without a name is named by its number");
  let n = number;
  while (names.has(`${name || "Team"} (${n})`)) n += 1;
  return `${name || "Team"} (${n})`;
}

/** The teams in the order of their numbers: `number`, `name`, `members` with fields, `line`. */
function trfSquads(file, records) {
  const [squads, names] = [new Map(), new Set()];
  const kind = records("310").length ? "310" : "013";
  records(kind).forEach((line, k) => {
    const field = AT[kind];
    const number = field.number ? line.integer(field.number, 1, 999) : k + 1;
    if (squads.has(number)) line.refuse(field.number, "html.allowed_once");
    if (squads.size === LIMITS.teams) {
      line.refuse(field.name, "html.allowed_teams", { most: LIMITS.teams });
    }
    const name = squadName(line, field.name, number, names);
    names.add(name);
    const members = [...line.listed(TRF.lists[kind])].filter(([, start]) => start);
    squads.set(number, { line, number, name, members });
  });
  const ofTeams = records("092").some((line) => line.text([5]).toLowerCase().includes("team"));
  if (!squads.size && records("001").length && !ofTeams) refuse("html.individual", { file });
  if (squads.size < 2) refuse("html.trf_teams", { file, most: LIMITS.teams, got: squads.size });
  return [...squads.values()].sort((a, b) => a.number - b.number);
}

/** The players (`team`, `rating`, `line`) team by team, and their numbers by start number. */
function trfPlayers(records, squads, notes) {
  const { start: field, id: idField, rating, name } = AT["001"];
  const lines = new Map();
  for (const line of records("001")) {
    const start = line.integer(field, 1, LIMITS.players);
    if (lines.has(start)) line.refuse(field, "html.allowed_once");
    lines.set(start, line);
  }
  const [players, numbers, known] = [[], new Map(), new Set()];
  const read = (line, team) => {
    const id = line.needless(idField, LIMITS.fideId, NO_ID);
    if (known.has(id)) line.odd(SAME_ID);
    if (id) known.add(id);
    if (!line.text(name)) line.odd("a player without a name is named '?'");
    return { team, line, rating: line.needless(rating, LIMITS.rating, NO_RATING) };
  };
  squads.forEach((squad, team) => {
    for (const [listed, start] of squad.members) {
      const number = numbers.get(start);
      if (!lines.has(start)) {
        squad.line.odd("a member of a team without a record 001 is left out");
      } else if (number === undefined) {
        numbers.set(start, players.length);
        players.push(read(lines.get(start), team));
      } else if (players[number].team !== team) {
        squad.line.refuse(listed, "html.allowed_once");
      } else {
        squad.line.odd("a member is listed twice in a team");
      }
    }
  });
  if (lines.size > players.length) {
    notes.say(`players without a team are left out: ${lines.size - players.length}`);
  }
  return [players, numbers];
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

  /** The key of a player's team in a round. */
  side(key, player = whichOf(key)) {
    return at(roundOf(key), this.teams[player]);
  }

  /** Record that two teams met; false if one of them already has another opponent. */
  meet(round, team, other) {
    return team !== other && [[team, other], [other, team]].every(([a, b]) =>
      kept(this.rivals, at(round, a), () => b) === b);
  }

  /** The entry that an entry names as its opponent's. */
  back(key, { opponent } = this.entries.get(key)) {
    return opponent === null ? undefined : this.entries.get(at(roundOf(key), opponent));
  }
}

/** A player's entry in a round; its fields are refused by their names. */
class Entry {
  constructor(line, column, given) {
    Object.assign(this, { line, column }, given);
  }

  /** The same entry with other contents. */
  with(given) {
    return new Entry(this.line, this.column, { ...this, ...given });
  }

  field(what) {
    const [first, last] = TRF.entry[what];
    return [this.column + first, this.column + last, `${what} of round ${this.round}`];
  }

  refuse(what, allowed, fields) {
    this.line.refuse(this.field(what), allowed, fields);
  }
}

/** The entry of a round in a column, with its `result`; null for a blank one. */
function trfEntry(line, round, player, numbers) {
  const [first, last, width] = TRF.entries;
  const column = first + width * (round - 1);
  const entry = new Entry(line, column, { round, player });
  entry.result = line.text(entry.field("result")).toUpperCase();
  if (entry.result === TRF.half && !line.notes.strict) {
    line.odd(`the result ${TRF.half} is a draw`);
    entry.result = "=";
  }
  if (!entry.result && !line.text([column, column + last - first])) return null;
  const against = line.integer(entry.field("opponent"), 0, LIMITS.players, 0);
  const colour = line.text(entry.field("colour")).toLowerCase();
  if (!["w", "b", "-", ""].includes(colour)) {
    line.odd("a colour other than w and b is not known");
  }
  const known = against ? [...ON_BOARD, ...BY_DEFAULT] : [...BY_DEFAULT, ...BYES];
  line.choice(entry.field("result"), ["", ...known.map(([letter]) => letter)], "", entry.result);
  if (against && !numbers.has(against)) entry.refuse("opponent", "html.allowed_player");
  return Object.assign(entry, {
    opponent: numbers.get(against) ?? null, colour: ["w", "b"].includes(colour) ? colour : "",
    half: ON_BOARD.get(entry.result) ?? BY_DEFAULT.get(entry.result) ?? 0,
    played: ON_BOARD.has(entry.result),
  });
}

/** The draw by the entries of the players. */
function trfDraw(lines, players, numbers, notes) {
  const draw = new Draw(players);
  const open = [];
  const [first, , width] = TRF.entries;
  const after = [first + width * LIMITS.rounds, undefined, `round ${LIMITS.rounds + 1}`];
  for (const line of lines) {
    if (line.text(after)) line.refuseRound(after);
    const start = AT["001"].start;
    const player = numbers.get(line.integer(start, 1, LIMITS.players));
    for (let round = 1; round <= LIMITS.rounds; round += 1) {
      const entry = trfEntry(line, round, player ?? 0, numbers);
      if (!entry) continue;
      const { result, opponent } = entry;
      const onBoard = ON_BOARD.has(result) || BY_DEFAULT.has(result);
      if (opponent !== null && !result) open.push([round, player, entry]);
      else if (player === undefined) {
        if (onBoard) line.refuse(start, "html.allowed_player");
      } else if (onBoard) draw.entries.set(at(round, player), entry);
      else if (result) {
        kept(kept(draw.letters, at(round, players[player].team), () => new Map()), result,
          () => entry);
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
  pairEntries(draw);
  return draw;
}

/**
 * Check that the entries of both players of a board agree; the entry of a player who lost by
 * default, or of one whose entry is missing, is made from the other one.
 */
function pairEntries(draw) {
  const { entries, teams } = draw;
  const named = new Set();
  for (const [key, entry] of byKey(entries)) {
    if (entry.opponent === null) continue;
    const [round, player] = [roundOf(key), whichOf(key)];
    if (!draw.meet(round, teams[player], teams[entry.opponent])) {
      entry.refuse("opponent", "html.allowed_rival");
    }
    const place = at(round, entry.opponent);
    let back = entries.get(place);
    const given = { player: entry.opponent, opponent: player };
    if (!back && entry.played) {
      entry.line.odd("a game that only one of its players has counts for both");
      const colour = { w: "b", b: "w" }[entry.colour] ?? "";
      back = entry.with({ ...given, colour, half: 2 - entry.half });
    } else if (!back || (back.opponent === null && !(entry.played || back.played))) {
      back = back?.with({ opponent: player }) ?? entry.with({ ...given, colour: "", half: 0 });
      named.add(place);
    }
    entries.set(place, back);
    if (named.has(place) && !entry.played && back.opponent !== player) {
      entries.set(key, entry.with({ opponent: null }));
      continue;
    }
    if (back.opponent !== player) entry.refuse("opponent", "html.allowed_back");
    const points = `${entry.half}-${back.half}`;
    if (entry.played !== back.played || !["2-0", "1-1", "0-2", "0-0"].includes(points)) {
      entry.refuse("result", "html.allowed_fitting", { line: back.line.line });
    }
    if (entry.colour && entries.get(key).colour === back.colour) {
      entry.line.odd("two players of a game have the same colour: that of the first one counts");
      entries.set(place, back.with({ colour: "" }));
    }
  }
}
