// This part reads who met whom in a Tournament Report File, of 2016 or of 2026, as version 1 of the
// program did. What is unclear is read on with a note. Teams and players are numbered from 0.

const ON_BOARD = new Map(TRF.played);
const BY_DEFAULT = new Map(TRF.unplayed);
const BYES = new Map(TRF.byes);

const byKey = (map) => [...map].sort(([a], [b]) => a - b);

/** The name of a team, which no other one has. */
function squadName(line, field, number, names) {
  const name = line.text(field);
  if (name && !names.has(name)) return name;
  line.odd(name ? "a name that another team has, too, gets a number: a column holds 32 characters"
    : "a team without a name is named by its number", field);
  let n = number;
  while (names.has(`${name || "Team"} (${n})`)) n += 1;
  return `${name || "Team"} (${n})`;
}

/** The teams in the order of their numbers: `number`, `name`, `members` with fields, `line`. */
function trfSquads(file, records) {
  const [squads, names, kind] = [new Map(), new Set(), records("310").length ? "310" : "013"];
  const field = AT[kind];
  records(kind).forEach((line, k) => {
    const number = field["team number"] ? line.integer(field["team number"], 1, 999) : k + 1;
    if (squads.has(number)) line.refuse(field["team number"], "html.allowed_once");
    if (squads.size === LIMITS.teams) {
      line.refuse(field["team name"], "html.allowed_teams", { most: LIMITS.teams });
    }
    const name = squadName(line, field["team name"], number, names);
    names.add(name);
    const members = [...line.listed(TRF.lists[kind])].filter(([, start]) => start);
    squads.set(number, { line, number, name, members });
  });
  if (squads.size < 2) refuse("html.trf_teams", { file, most: LIMITS.teams, got: squads.size });
  if (kind === "310") addFielded(records, squads);
  return [...squads.values()].sort((a, b) => a.number - b.number);
}

/** Whether a file has players but no teams; record 092 may call it a team event. */
const isIndividual = (records) => records("001").length > 0
  && !records("310").length && !records("013").length
  && !records("092").some((line) => line.text([5]).toLowerCase().includes("team"));

/** Every player as a team of one, in the order of start numbers. */
function playersAsSquads(file, records) {
  const [lines, field] = [records("001"), AT["001"]];
  if (!within(lines.length, 2, LIMITS.teams)) {
    refuse("html.trf_teams", { file, most: LIMITS.teams, got: lines.length });
  }
  const found = new Map(lines.map((line) =>
    [line.integer(field["start number"], 1, LIMITS.players), line]));
  const names = [...found.values()].map((line) => line.text(field.name));
  const isShared = (name) => names.filter((one) => one === name).length > 1;
  if (names.some((name) => name && isShared(name))) {
    records("001")[0].notes.say("players of the same name are told apart by their start numbers");
  }
  return byKey(found).map(([number, line]) => {
    const name = line.text(field.name);
    const unique = name && !isShared(name) ? name : `${name || "?"} (${number})`;
    return { line, number, name: unique, members: [[field["start number"], number]] };
  });
}

/** Add the players whom records 300 field, and whom no record 310 lists, to their teams. */
function addFielded(records, squads) {
  const listed = new Set([...squads.values()].flatMap(({ members }) => members.map(([, s]) => s)));
  const known = new Set(records("001").map((line) =>
    line.integer(AT["001"]["start number"], 1, LIMITS.players)));
  for (const line of records("300")) {
    const squad = squads.get(line.integer(AT[300].team, 0, 999, 0));
    for (const [field, start] of line.listed(TRF.lists[300])) {
      if (!squad || !known.has(start) || listed.has(start)) continue;
      line.odd("a player whom record 300 fields, and record 310 does not list, is of the team");
      listed.add(start);
      squad.members.push([field, start]);
    }
  }
}

/** A player of a team; `known` has the FIDE numbers of those before. */
function trfPlayer(line, team, known) {
  line.ownFideId(AT["001"]["FIDE number"], known);
  if (!line.text(AT["001"].name)) line.odd("a player without a name is named '?'");
  return { team, line, rating: line.rating(AT["001"].rating) };
}

/** The players (`team`, `rating`, `line`) team by team, and their numbers by start number. */
function trfPlayers(records, squads, notes) {
  const lines = new Map();
  for (const line of records("001")) {
    const start = line.integer(AT["001"]["start number"], 1, LIMITS.players);
    if (lines.has(start)) line.refuse(AT["001"]["start number"], "html.allowed_once");
    lines.set(start, line);
  }
  const [players, numbers, known] = [[], new Map(), new Set()];
  for (const [team, { line, members }] of squads.entries()) {
    for (const [field, start] of members) {
      const number = numbers.get(start);
      if (!lines.has(start)) line.odd("a member of a team without a record 001 is left out");
      else if (number === undefined) {
        numbers.set(start, players.length);
        players.push(trfPlayer(lines.get(start), team, known));
      } else if (players[number].team !== team) line.refuse(field, "html.allowed_once");
      else line.odd("a member is listed twice in a team");
    }
  }
  for (const [start, line] of lines) {
    if (!numbers.has(start)) line.odd("a player without a team is left out");
  }
  return [players, numbers];
}

/** A player's entry in a round, with fields of its own. */
class Entry extends Fields {
  constructor(record, number, given) {
    super(record.file, record.line, record.notes);
    const [first, width] = TRF.entries;
    Object.assign(this, { record, number, column: first + width * (number - 1) }, given);
  }

  columnsOf(what) {
    const [first, last] = TRF.entry[what];
    return [this.column + first, this.column + last, `${what} of round ${this.number}`];
  }

  text(what) {
    return this.record.text(this.columnsOf(what));
  }

  placeOf(what) {
    return this.record.placeOf(this.columnsOf(what));
  }

  whom() {
    return this.record.whom();
  }

  /** The same entry with other contents. */
  with(given) {
    return new Entry(this.record, this.number, { ...this, ...given });
  }
}

/** The entry of a player in a round, with its `result`; null for a blank one. */
function trfEntry(line, round, player, numbers) {
  const entry = new Entry(line, round, { player, result: "" });
  entry.result = entry.text("result").toUpperCase();
  if (entry.result === TRF.half) {
    line.odd(`the result ${TRF.half} is a draw`);
    entry.result = "=";
  }
  if (entry.result === TRF.open) line.odd(`the result ${TRF.open} is none`);
  if (!entry.result && !entry.text("pairing")) return null;
  const against = entry.integer("opponent", 0, LIMITS.players, 0);
  const colour = entry.text("colour").toLowerCase();
  if (!["w", "b", "-", ""].includes(colour)) line.odd("a colour other than w and b is not known");
  const known = against ? [...ON_BOARD, ...BY_DEFAULT] : [...BY_DEFAULT, ...BYES];
  entry.choice("result", ["", TRF.open, ...known.map(([letter]) => letter)], "", entry.result);
  if (against && !numbers.has(against)) entry.refuse("opponent", "html.allowed_player");
  return Object.assign(entry, {
    opponent: numbers.get(against) ?? null, colour: ["w", "b"].includes(colour) ? colour : "",
    half: ON_BOARD.get(entry.result) ?? BY_DEFAULT.get(entry.result) ?? 0,
    played: ON_BOARD.has(entry.result),
  });
}

/**
 * What is read of a round: `entries` of boards by player, and by team the `letters` of byes, the
 * `rivals`, the forfeited matches and, later, `lineUps` and `seats`.
 */
class Round {
  constructor(number, teams) {
    Object.assign(this, { number, teams });
    for (const name of ["entries", "letters", "rivals", "forfeits", "lineUps", "seats", "byes"]) {
      this[name] = new Map();
    }
  }

  /** Record that two teams met; false if one of them already has another opponent. */
  meet(team, other) {
    return team !== other && [[team, other], [other, team]].every(([a, b]) =>
      kept(this.rivals, a, () => b) === b);
  }

  /** The matches `[lower team, other team]`, by the lower one. */
  get matches() {
    return byKey(this.rivals).filter(([team, other]) => team < other);
  }
}

/** The rounds by the entries of the players, up to the first one that is not finished. */
function trfDraw(lines, players, numbers, notes) {
  const teams = players.map(({ team }) => team);
  const rounds = Array.from({ length: LIMITS.rounds }, (_, k) => new Round(k + 1, teams));
  const [open, stars] = [[], []];
  const [first, width] = TRF.entries;
  const after = [first + width * LIMITS.rounds, undefined, `round ${LIMITS.rounds + 1}`];
  for (const line of lines) {
    if (line.text(after)) line.refuseRound(after);
    const player = numbers.get(line.integer(AT["001"]["start number"], 1, LIMITS.players));
    const filled = rounds.slice(0, 1 + Math.max(0, line.content.length - first) / width);
    for (const { number, entries, letters } of filled) {
      const entry = trfEntry(line, number, player ?? 0, numbers);
      if (!entry) continue;
      const { result, opponent } = entry;
      const onBoard = ON_BOARD.has(result) || BY_DEFAULT.has(result);
      const isOpen = !result || result === TRF.open;
      if (opponent !== null && isOpen) open.push([number, player, entries, opponent]);
      else if (isOpen && player === undefined) continue;
      else if (result === TRF.open) stars.push([number, teams[player]]);
      else if (player === undefined) {
        if (onBoard) line.refuse(AT["001"]["start number"], "html.allowed_player");
      } else if (onBoard) entries.set(player, entry);
      else if (result) kept(kept(letters, teams[player], () => new Map()), result, () => entry);
    }
  }
  const without = open.filter(([, player, entries, opponent]) => {
    const back = entries.get(opponent);
    return !back || back.opponent !== player || !back.played;
  });
  const isThere = ([number, team]) => rounds[number - 1].letters.has(team)
    || [...rounds[number - 1].entries.keys()].some((player) => teams[player] === team);
  without.push(...stars.filter((star) => !isThere(star)));
  const told = rounds.some(({ letters }) => letters.size > 0);
  rounds.length = Math.min(LIMITS.rounds, ...without.map(([number]) => number - 1));
  for (const round of rounds) pairEntries(round);
  return [rounds, told];
}

/**
 * Check that the entries of both players of a board agree; the entry of a player who lost by
 * default, or of one whose entry is missing, is made from the other one.
 */
function pairEntries(round) {
  const { entries, teams } = round;
  const named = new Set();
  for (const [player, entry] of byKey(entries)) {
    const { opponent } = entry;
    if (opponent === null) continue;
    if (!round.meet(teams[player], teams[opponent])) entry.refuse("opponent", "html.allowed_rival");
    let back = entries.get(opponent);
    const given = { player: opponent, opponent: player };
    if (!back && entry.played) {
      entry.odd("a game that only one of its players has counts for both");
      const colour = { w: "b", b: "w" }[entry.colour] ?? "";
      back = entry.with({ ...given, colour, half: 2 - entry.half });
    } else if (!back || (back.opponent === null && !(entry.played || back.played))) {
      back = back?.with({ opponent: player }) ?? entry.with({ ...given, colour: "", half: 0 });
      named.add(opponent);
    }
    entries.set(opponent, back);
    if (named.has(opponent) && !entry.played && back.opponent !== player) {
      entries.set(player, entry.with({ opponent: null }));
      continue;
    }
    if (back.opponent !== player) entry.refuse("opponent", "html.allowed_back");
    const points = `${entry.half}-${back.half}`;
    if (entry.played !== back.played || !["2-0", "1-1", "0-2", "0-0"].includes(points)) {
      entry.refuse("result", "html.allowed_fitting", { line: back.line });
    }
    if (entry.colour && entries.get(player).colour === back.colour) {
      entry.odd("two players of a game have the same colour: that of the first one counts");
      entries.set(opponent, back.with({ colour: "" }));
    }
  }
}
