// This part reads event files and typed input, which may be wrong or hostile, and writes CSV.

// ------------------------------------------------------------------------------- names and CSV

/** Text with control, format and unassigned characters escaped: it cannot reverse a line. */
const plain = (text) =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, (c) => {
    const named = { "\t": "\\t", "\n": "\\n", "\r": "\\r" }[c];
    const code = c.codePointAt(0);
    const [letter, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
    return named ?? `\\${letter}${code.toString(16).padStart(digits, "0")}`;
  });

/** A CSV cell that no spreadsheet reads as a formula. */
function cell(value) {
  if (typeof value === "number") return String(value);
  const safe = (/^[=+\-@\t\r\n]/.test(value) ? "'" : "") + plain(value);
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const RANKED = ["place", "team", "mp", "tb2", "gp", "tb4"];

/** The standings as the program writes them with `--format csv`. */
const rankingCsv = (rows) =>
  [RANKED, ...rows.map((row) => RANKED.map((name) => row[name]))]
    .map((row) => row.map(cell).join(",") + "\n").join("");

// ------------------------------------------------------------------------------- reading files

/** The error for bad input; its message is one line for the user. */
class Refused extends Error {}

const refuse = (key, fields) => {
  throw new Refused(say(key, fields));
};

/** Text of a file as quoted in a message: escaped, shortened, with its own writing direction. */
function quoted(text) {
  const all = [...text];
  return `“\u2068${plain(all.length > 60 ? all.slice(0, 57).join("") + "..." : text)}\u2069”`;
}

const lineAt = (text, index) => text.slice(0, index).split(/\r\n|\r|\n/).length;

/** Text in UTF-8, in UTF-16 if it says so, or in `other` encoding if one is given. */
function decoded(file, bytes, other = null) {
  if (bytes.length > LIMITS.bytes) refuse("html.too_big", { file, most: LIMITS.bytes });
  let text;
  const wide = { "255 254": "utf-16le", "254 255": "utf-16be" }[bytes.slice(0, 2).join(" ")];
  try {
    text = new TextDecoder(wide ?? "utf-8", { fatal: true }).decode(bytes);
  } catch {
    if (other) return new TextDecoder(other).decode(bytes);
    const lossy = new TextDecoder().decode(bytes);
    refuse("html.not_utf8", { file, line: lineAt(lossy, lossy.indexOf("\ufffd")) });
  }
  if (text.includes("\0")) {
    refuse("html.nul", { file, line: lineAt(text, text.indexOf("\0")) });
  }
  return text;
}

/** What separates the columns: a comma, unless the first line has only semicolons or tabs. */
function separatorOf(text) {
  const first = /^[^\r\n]*/.exec(text)[0];
  if (first.includes(",")) return ",";
  return [";", "\t"].find((sign) => first.includes(sign)) ?? ",";
}

/** The end of the field that starts at a position; -1 if its quotes are not closed. */
function fieldEnd(text, start, separator) {
  let end = start;
  if (text[start] === '"') {
    do { // doubled quotes belong to the field
      end = text.indexOf('"', end + 1) + 1;
      if (!end) return -1;
    } while (text[end] === '"');
  }
  const delimiter = { ",": /[,\r\n]|$/g, ";": /[;\r\n]|$/g, "\t": /[\t\r\n]|$/g }[separator];
  delimiter.lastIndex = end;
  const next = delimiter.exec(text).index;
  return end === start || end === next ? next : -1;
}

/** The rows of CSV text, each with the line on which it starts. */
function* csvRows(file, text) {
  const separator = separatorOf(text);
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const start = at;
    const values = [];
    do {
      const end = fieldEnd(text, at, separator);
      if (end < 0) refuse("html.not_csv", { file, line });
      values.push(text[at] === '"'
        ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end));
      at = end;
    } while (text[at] === separator && ++at);
    at += text.startsWith("\r\n", at) ? 2 : 1;
    yield { line, values };
    line += lineAt(text.slice(start, at), at - start) - 1;
  }
}

// The white space that Python's `strip` removes; `trim` removes a slightly different set.
const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function strip(text) {
  let [start, end] = [0, text.length];
  while (start < end && SPACE.test(text[start])) start += 1;
  while (start < end && SPACE.test(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

/** One row of a file, with the place of every field. */
class Row {
  constructor(file, line, fields) {
    Object.assign(this, { file, line, fields });
  }

  refuse(field, allowed, got) {
    refuse("html.field", { file: this.file, line: this.line, field, allowed, got: quoted(got) });
  }

  text(field) {
    return strip(this.fields.get(field) ?? "");
  }

  name(field) {
    const value = this.text(field);
    if (!value || [...value].length > LIMITS.name) {
      this.refuse(field, say("html.allowed_name", { most: LIMITS.name }), value);
    }
    return value;
  }

  integer(field, low, high) {
    const value = this.text(field);
    if (!/^[0-9]{1,9}$/.test(value) || Number(value) < low || Number(value) > high) {
      this.refuse(field, say("html.allowed_number", { low, high }), value);
    }
    return Number(value);
  }

  /** One of the allowed words; the first of them for an empty field. */
  choice(field, allowed) {
    const value = this.text(field) || allowed[0];
    if (!allowed.includes(value)) {
      this.refuse(field, say("html.allowed_one", { all: allowed.join(", ") }), value);
    }
    return value;
  }

  halfPoints(field) {
    const value = this.text(field);
    const shape = /^([0-9]{1,3})(?:[.,](0|5)0*)?\.?$/.exec(value);
    const half = shape ? 2 * Number(shape[1]) + (shape[2] === "5" ? 1 : 0) : -1;
    if (half < 0 || half > 2 * LIMITS.boards) {
      this.refuse(field, say("html.allowed_half", { most: LIMITS.boards }), value);
    }
    return half;
  }
}

/** The name of a column as the program writes it: `Team A` and `TEAM_A` are `team_a`. */
const columnName = (value) => strip(value).toLowerCase().replace(/[\s-]+/g, "_");

/** The rows of a file after its header. */
function* fileRows({ name, label, bytes, rows }, required) {
  let header = null;
  let empty = true;
  const file = label ?? name;
  for (const { line, values } of rows ?? csvRows(file, decoded(file, bytes))) {
    if (values.every((value) => !strip(value))) continue;
    if (!header) {
      if (values.length > LIMITS.columns) {
        refuse("html.columns", { file, line, most: LIMITS.columns, got: values.length });
      }
      header = values.map(columnName);
      for (const column of required) {
        if (!header.includes(column)) refuse("html.missing", { file, line, column });
      }
      const twice = header.find((column, k) => header.indexOf(column) !== k);
      if (twice !== undefined) refuse("html.twice", { file, line, column: quoted(twice) });
    } else if (values.length !== header.length) {
      refuse("html.fields", { file, line, fields: header.length, got: values.length });
    } else {
      empty = false;
      yield new Row(file, line, new Map(header.map((column, k) => [column, values[k]])));
    }
  }
  if (empty) refuse("html.empty", { file });
}

/** Boards decided: those of the row, else the sum of the game points. */
function boardsDecided(row, halfA, halfB) {
  if (!row.text("boards_decided")) {
    if ((halfA + halfB) % 2) {
      row.refuse("game_points_b", say("html.allowed_whole"), row.text("game_points_b"));
    }
    return (halfA + halfB) / 2;
  }
  const decided = row.integer("boards_decided", 0, LIMITS.boards);
  if (halfA + halfB > 2 * decided) {
    const got = `${row.text("game_points_a")} + ${row.text("game_points_b")}`;
    row.refuse("game_points_b", say("html.allowed_decided", { decided }), got);
  }
  return decided;
}

/** The points of a bye: those of the row, else those of its kind. */
function byeHalfPoints(row, match, boards) {
  let half = DATA.byes[match.bye] * boards;
  if (row.text("game_points_a") && row.halfPoints("game_points_a") !== half) {
    if (match.recorded[0] === null) { // other points need match points too
      const allowed = say("html.allowed_bye", { value: half / 2 });
      row.refuse("game_points_a", allowed, row.text("game_points_a"));
    }
    half = row.halfPoints("game_points_a");
    if (half > 2 * boards) {
      row.refuse("game_points_a", `0..${boards}`, row.text("game_points_a"));
    }
  }
  if (row.text("game_points_b") && row.halfPoints("game_points_b")) {
    row.refuse("game_points_b", say("html.allowed_nothing"), row.text("game_points_b"));
  }
  for (const field of ["boards_decided", "boards_forfeited", "match_points_b"]) {
    if (row.text(field)) row.integer(field, 0, 0);
  }
  return half;
}

/** The teams of an event, numbered in start order: that of teams.csv, else of first appearance. */
class Teams {
  constructor(file) {
    this.numbers = new Map();
    this.ratings = [];
    this.listed = Boolean(file);
    for (const row of file ? fileRows(file, ["team"]) : []) {
      const name = row.name("team");
      if (this.numbers.has(name)) row.refuse("team", say("html.allowed_once"), name);
      this.add(row, "team", name);
      this.ratings.push(Array.from({ length: LIMITS.boards }, (_, k) =>
        Number(/^[0-9]{1,4}$/.exec(row.text(`rating_${k + 1}`))?.[0] ?? 0)));
    }
  }

  add(row, field, name) {
    if (this.numbers.size === LIMITS.teams) {
      row.refuse(field, say("html.allowed_teams", { most: LIMITS.teams }), name);
    }
    this.numbers.set(name, this.numbers.size);
  }

  number(row, field) {
    const name = row.name(field);
    if (!this.numbers.has(name)) {
      if (this.listed) row.refuse(field, say("html.allowed_listed"), name);
      this.add(row, field, name);
    }
    return this.numbers.get(name);
  }
}

/**
 * Who played whom in a row; `b` is null without an opponent. `used` keeps what a round has already:
 * its match numbers and its teams.
 */
function readPairing(row, teams, number, used) {
  const round = row.integer("round", 1, LIMITS.rounds);
  const claim = (field, what, allowed, got) => {
    if (used.has(`${what} of ${round}`)) row.refuse(field, say(allowed, { round }), got);
    used.add(`${what} of ${round}`);
  };
  claim("match", `match ${number}`, "html.allowed_match", String(number));
  const a = teams.number(row, "team_a");
  const b = row.text("team_b") ? teams.number(row, "team_b") : null;
  if (a === b) row.refuse("team_b", say("html.allowed_other"), row.text("team_b"));
  claim("team_a", `team ${a}`, "html.allowed_free", row.text("team_a"));
  if (b !== null) claim("team_b", `team ${b}`, "html.allowed_free", row.text("team_b"));
  return { round, a, b };
}

/** The match of a row, without the points of a bye. Without game points it is `unfinished`. */
function readMatch(row, teams, number, used) {
  const match = {
    row, ...readPairing(row, teams, number, used),
    bye: "", halfA: 0, halfB: 0, decided: 0, forfeited: 0, unfinished: false,
  };
  if (match.b === null) {
    match.bye = row.choice("bye", Object.keys(DATA.byes));
  } else if (row.text("bye")) {
    row.refuse("bye", say("html.allowed_no_bye"), row.text("bye"));
  } else if (!["game_points_a", "game_points_b", "boards_decided"].some((f) => row.text(f))) {
    match.unfinished = true;
  } else {
    match.halfA = row.halfPoints("game_points_a");
    match.halfB = row.halfPoints("game_points_b");
    match.decided = boardsDecided(row, match.halfA, match.halfB);
    if (row.text("boards_forfeited")) {
      match.forfeited = row.integer("boards_forfeited", 0, match.decided);
    }
  }
  match.recorded = ["match_points_a", "match_points_b"].map((field) =>
    row.text(field) ? row.integer(field, 0, 2) : null);
  return match;
}

const MATCH_COLUMNS = ["round", "team_a", "team_b", "game_points_a", "game_points_b"];

/**
 * An event from its files, `{name, bytes}`; `teamsFile` may be missing.
 * A match without game points is not finished: its round and later ones are left out.
 */
function readEvent(matchesFile, teamsFile) {
  const teams = new Teams(teamsFile);
  const read = [];
  const used = new Set();
  for (const row of fileRows(matchesFile, MATCH_COLUMNS)) {
    const number = row.text("match") ? row.integer("match", 0, 1e6) : read.length + 1;
    read.push(readMatch(row, teams, number, used));
  }
  const unfinished = Math.min(...read.filter((m) => m.unfinished).map((m) => m.round));
  const matches = read.filter((match) => match.round < unfinished);
  const boards = Math.max(0, ...matches.map((match) => match.decided));
  if (!boards) refuse("html.undecided", { file: matchesFile.name });
  for (const match of matches) {
    if (match.b === null) match.halfA = byeHalfPoints(match.row, match, boards);
  }
  const rounds = Math.max(...matches.map((match) => match.round));
  const names = [...teams.numbers.keys()];
  return {
    name: matchesFile.name, teams: names, rounds, boards, matches,
    ratings: names.map((_, team) => meanOfBest(teams.ratings[team] ?? [], boards)),
    notes: Number.isFinite(unfinished) ? [unfinishedNote(unfinished)] : [],
  };
}

// ------------------------------------------------------------------------------- what is typed

/** Tenths from what was typed, or null: 14, 14.3, 14,3. A formula takes up to four digits. */
function typedTenths(text) {
  const shape = /^([-\u2212+]?)([0-9]{1,3})(?:[.,]([0-9]{1,4}))?$/.exec(text.trim());
  if (!shape || (!FORMULA && (shape[3] ?? "").length > 1)) return null;
  const tenths = Number((TENTHS * Number(`${shape[2]}.${shape[3] ?? 0}`)).toFixed(4));
  return shape[1] && shape[1] !== "+" ? -tenths : tenths;
}

function typedWhole(text) {
  const tenths = typedTenths(text);
  return tenths === null || tenths % TENTHS ? null : tenths / TENTHS;
}

const within = (x, low, high) => x !== null && x >= low && x <= high;

/**
 * What was typed for one team: `items`, the number of rounds `filled` in, and what is wrong.
 * Typed texts of a round: `mp`, `counted` (what the opponent counts as), `gp`; and `bye`.
 */
function checked(pass, own, typed) {
  const most = 2 * ROUNDS;
  const byReading = (DATA.passes || FORMULA) && pass > 0;
  const byPoints = !byReading || DATA.reduced; // fewest match points decide what is left out
  const byes = typed.filter((row) => row.bye).length;
  const problems = [];
  const bad = (key, round, low, high) => problems.push({ key, round, low, high });
  let filled = 0;
  const items = typed.map((row, r) => {
    const unread = { bye: row.bye, counts: false, mp: 0, reading: 0, half: 0 };
    if (row.bye && byes === 1 && !row.mp && !row.counted) { // left out whatever it is worth
      filled += 1;
      return unread;
    }
    const mp = byPoints ? typedWhole(row.mp) : 0;
    const reading = byReading ? typedTenths(row.counted) : TENTHS * mp;
    const [low, high] = [-DATA.most, TENTHS * most + DATA.most];
    const right = within(mp, 0, most);
    const rightReading = !byReading || within(reading, low, high);
    if (byPoints && row.mp && !right) bad("mp", r, 0, most);
    if (byReading && row.counted && !rightReading) bad("counted", r, low / TENTHS, high / TENTHS);
    if (!right || !rightReading || row.gp === "") return null;
    filled += 1;
    return { ...unread, counts: true, mp, reading, half: Math.round(2 * Number(row.gp)) };
  });
  const ownPoints = typedWhole(own);
  if (own && !within(ownPoints, 0, most)) bad("own", null, 0, most);
  return { items, filled, problems, own: within(ownPoints, 0, most) ? ownPoints : null };
}
