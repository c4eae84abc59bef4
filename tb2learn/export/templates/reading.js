// This part reads the rows of tables and typed input, which may be wrong or hostile; writes CSV.

// ------------------------------------------------------------------------------- names and CSV

/** A character as an escape sequence. */
function escaped(c) {
  const named = { "\t": "\\t", "\n": "\\n", "\r": "\\r" }[c];
  const code = c.codePointAt(0);
  const [letter, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return named ?? `\\${letter}${code.toString(16).padStart(digits, "0")}`;
}

/** Text with control, format and unassigned characters escaped: it cannot reverse a line. */
const plain = (text) =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, escaped);

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

/** Text of a file as the program quotes it in a note: in simple quotes, escaped if it is odd. */
function quotedInNote(text) {
  const all = [...text];
  const cut = all.length > 60 ? all.slice(0, 57).join("") + "..." : text;
  const mark = cut.includes("'") && !cut.includes('"') ? '"' : "'";
  const slashed = cut.replaceAll("\\", "\\\\").replaceAll(mark, `\\${mark}`);
  const odd = /(?! )[\p{C}\p{Z}]/u.test(cut) ? /[^\x20-\x7e]/gu : /(?!)/gu;
  return mark + slashed.replace(odd, escaped) + mark;
}

const MOST_NOTES = 100;

/**
 * What the user says about files: to refuse what is unclear, the match points of a match won, drawn
 * and lost, the match points and half points of a bye, and to trust the points in a file.
 */
const UNASKED = { strict: false, scoring: null, bye: null, trust: false };

/** A note with its line and count; the table that it names comes first. */
function noteLine(text, line, count = 1) {
  const times = count > 1 ? ` (${count} times)` : "";
  if (line === null) return `${text}${times}`;
  const table = /^(?:[a-z]+\.csv: )?/.exec(text)[0];
  return `${table}line ${line}${times}: ${text.slice(table.length)}`;
}

/**
 * What was unclear in a file: one note a kind, with its first line and how often.
 * A strict reader refuses it instead; `file` is its name in that message, if the notes do not name it.
 */
class Notes {
  constructor(file = "", strict = false) {
    this.file = file;
    this.strict = strict;
    this.found = new Map();
    this.more = 0;
  }

  /** Count one oddity, which a strict reader refuses. */
  odd(text, line = null) {
    if (this.strict) {
      const note = noteLine(text, line);
      refuse("html.unclear", { note: this.file ? `${this.file}: ${note}` : note });
    }
    this.say(text, line);
  }

  /** Count one note of any reader; without a line it is about the file as a whole. */
  say(text, line = null) {
    const known = this.found.get(text);
    if (known) this.found.set(text, [Math.min(known[0] ?? 0, line ?? 0) || null, known[1] + 1]);
    else if (this.found.size < MOST_NOTES) this.found.set(text, [line, 1]);
    else this.more += 1;
  }

  get lines() {
    const all = [...this.found].map(([text, [line, count]]) => noteLine(text, line, count));
    return this.more ? [...all, `and more of this kind: ${this.more}`] : all;
  }
}

const unfinishedNote = (round) => `round ${round} is not finished: it and later ones are left out`;

const lineAt = (text, index) => text.slice(0, index).split(/\r\n|\r|\n/).length;

/** The encoding of a text: by its byte order mark, or by the zero byte in its first character. */
function encodingOf(bytes) {
  const marked = { "255 254": "utf-16le", "254 255": "utf-16be" }[bytes.slice(0, 2).join(" ")];
  if (marked || bytes.length < 2 || (bytes[0] === 0) === (bytes[1] === 0)) return marked ?? "utf-8";
  return bytes[0] === 0 ? "utf-16be" : "utf-16le";
}

/** Every byte as the character of the same number; `TextDecoder` takes Latin-1 for Windows-1252. */
const latin1 = (bytes) => Array.from({ length: Math.ceil(bytes.length / 8192) }, (_, k) =>
  String.fromCharCode(...bytes.subarray(8192 * k, 8192 * (k + 1)))).join("");

/**
 * Text in UTF-8 or UTF-16, else in `other`: `latin1`, or `windows-1252`, of which `noted` is told
 * the line.
 */
function decoded(file, bytes, other, noted = () => {}) {
  if (bytes.length > LIMITS.bytes) refuse("html.too_big", { file, most: LIMITS.bytes });
  const encoding = encodingOf(bytes);
  let text;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    if (other === "latin1") {
      text = latin1(bytes);
    } else {
      const lossy = new TextDecoder(encoding).decode(bytes);
      const line = lineAt(lossy, lossy.indexOf("\ufffd"));
      if (encoding !== "utf-8" || bytes.includes(0)) refuse("html.not_utf8", { file, line });
      noted(line);
      text = new TextDecoder(other).decode(bytes).replace(/[\x81\x8d\x8f\x90\x9d]/g, "\ufffd");
    }
  }
  if (text.includes("\0")) {
    refuse("html.nul", { file, line: lineAt(text, text.indexOf("\0")) });
  }
  return text;
}

/** What separates the columns: of comma, semicolon and tab the one the first line has most of. */
function separatorOf(text) {
  const first = text.slice(0, 1 << 16).split(/[\r\n]+/).find((row) => strip(row)) ?? "";
  const counts = [",", ";", "\t"].map((sign) => first.split(sign).length);
  return [",", ";", "\t"][counts.indexOf(Math.max(...counts))];
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
function* csvRows(file, text, separator) {
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

const stripEnd = (text) => text.slice(0, text.indexOf(strip(text)) + strip(text).length);

// ------------------------------------------------------------------------------- points

const STANDARD = [2, 1, 0];

/** Points with a sign, a decimal point or comma, in steps of 1/2, as half points; else null. */
function halfPointsOf(text) {
  const shape = /^([+-]?)([0-9]{1,4})(?:[.,](0|5)?0*)?$/.exec(text);
  if (!shape) return null;
  const half = 2 * Number(shape[2]) + (shape[3] === "5" ? 1 : 0);
  return shape[1] === "-" ? -half : half;
}

/** Match points of a match won, drawn and lost from half points; null unless they fall. */
function fallingPoints(half) {
  const [won, drawn, lost] = half.map((points) => points / 2);
  const whole = half.every((points) => points % 2 === 0);
  return whole && won <= 9 && won > drawn && drawn >= lost && lost >= 0 ? [won, drawn, lost] : null;
}

/** Give the matches their match points where an event does not score 2, 1, 0. */
function withScoring(matches, scoring) {
  if (scoring.every((points, k) => points === STANDARD[k])) return;
  for (const match of matches) {
    const usual = matchPoints({ ...match, recorded: [null, null] });
    match.recorded = usual.map((points, side) => match.recorded[side]
      ?? (match.b === null && !points ? 0 : scoring[2 - points]));
  }
}

// ------------------------------------------------------------------------------- rows

/** One row of a file, with the place of every field. */
class Row {
  constructor(file, line, fields, table, notes) {
    Object.assign(this, { file, line, fields, table, notes });
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

  /** A whole number, or null for anything else; `empty` for an empty field. */
  wholeOf(field, low, high, empty = null) {
    const value = this.text(field);
    if (!value) return empty;
    const shape = (this.notes.strict ? /^([0-9]{1,9})$/ : /^([0-9]{1,9})(?:[.,]0*)?$/).exec(value);
    return shape && Number(shape[1]) >= low && Number(shape[1]) <= high ? Number(shape[1]) : null;
  }

  integer(field, low, high, empty = null) {
    const found = this.wholeOf(field, low, high, empty);
    if (found === null) {
      this.refuse(field, say("html.allowed_number", { low, high }), this.text(field));
    }
    return found;
  }

  odd(assumed) {
    this.notes.odd(`${this.table}: ${assumed}`, this.line);
  }

  /** A whole number that ranking does not need: 0 if it is none, with a note. */
  needless(assumed, field, high) {
    const found = this.wholeOf(field, 0, high, 0);
    if (found === null) this.odd(assumed);
    return found ?? 0;
  }

  /** One of the allowed words; the `usual` one for an empty field. */
  choice(field, allowed, usual = allowed[0]) {
    const value = this.text(field) || usual;
    if (!allowed.includes(value)) {
      this.refuse(field, say("html.allowed_one", { all: allowed.join(", ") }), value);
    }
    return value;
  }

  /** Points from `low` to `high` as half points; also `2,5`, `2 1/2` and `2\u00bd`. */
  halfPoints(field, low = 0, high = LIMITS.boards) {
    const value = this.text(field);
    const shape = /^([0-9]{0,2}) ?(?:\u00bd|1\/2)$/.exec(value);
    const half = shape ? 2 * Number(shape[1]) + 1 : halfPointsOf(value);
    if (half === null || half < 2 * low || half > 2 * high) {
      this.refuse(field, say("html.allowed_half", { low, most: high }), value);
    }
    return half;
  }
}

/** Points separated by commas as half points; null for anything else. */
function pointsListed(text, count) {
  const found = text.split(",").map((part) => halfPointsOf(strip(part)));
  const right = found.length === count && found.every((x) => x !== null && x >= 0 && x <= 48);
  return right ? found : null;
}

/** Match points of a match won, drawn and lost from a text such as `3,1,0`; null for another. */
function scoringOf(text) {
  const found = pointsListed(text, 3);
  return found && fallingPoints(found);
}

/** Match points and half points of a bye from a text such as `1,2`; null for another. */
function byePointsOf(text) {
  const found = pointsListed(text, 2);
  return found && found[0] % 2 === 0 && found[1] <= 2 * LIMITS.boards ? [found[0] / 2, found[1]] : null;
}

/** How files are read, from what was typed; refuses points that are none. */
function readingOf({ strict, trust, matchPoints, byePoints }) {
  const typed = (text, parsed, key) => {
    const found = strip(text) ? parsed(text) : null;
    if (strip(text) && !found) refuse(key, { got: quoted(text) });
    return found;
  };
  return {
    strict, trust, scoring: typed(matchPoints, scoringOf, "html.bad_match_points"),
    bye: typed(byePoints, byePointsOf, "html.bad_bye_points"),
  };
}

/** A heading without case, accents, spaces and punctuation. */
const folded = (text) => text.toLowerCase().replaceAll("\u00df", "ss").normalize("NFKD")
  .replace(/[^0-9a-z]/g, "");

const COLUMNS = new Map(Object.entries(DATA.headings).flatMap(([column, words]) =>
  words.split(" ").map((word) => [word, column])));

/** The column that a heading names; the heading itself if it names none. */
function columnNamed(heading) {
  if (Object.hasOwn(DATA.headings, heading)) return heading;
  const key = folded(heading);
  const rating = /^(?:rating|elo)([0-9]{1,2})$/.exec(key);
  return rating ? `rating_${rating[1]}` : COLUMNS.get(key) ?? heading;
}

/** The columns that headings name; empty headings at the end are left out. */
function columnsNamed(values, table, line, notes) {
  const names = values.map(strip);
  while (names.length && !names.at(-1)) names.pop();
  const columns = [];
  for (const name of names) {
    const column = columnNamed(name);
    const taken = columns.includes(column) || (column !== name && names.includes(column));
    columns.push(taken ? name : column);
  }
  const renamed = names.filter((name, k) => name !== columns[k]);
  if (renamed.length) {
    const few = renamed.slice(0, 3).map(quotedInNote).join(", ");
    notes.odd(`${table}: headings such as ${few} are taken for columns`, line);
  }
  return columns;
}

/** The rows of a file after its header; `table` is its name in notes. */
function* fileRows({ name, label, bytes, rows }, table, required, notes) {
  let header = null;
  let empty = true;
  const file = label ?? name;
  const text = () => decoded(file, bytes, "windows-1252", (line) =>
    notes.odd(`${table}: not UTF-8: read as Windows-1252, so names may look wrong`, line));
  const { strict } = notes;
  if (strict && bytes && encodingOf(bytes) !== "utf-8") refuse("html.not_utf8", { file, line: 1 });
  const parsed = (whole) => csvRows(file, whole, strict ? "," : separatorOf(whole));
  for (const { line, values } of rows ?? parsed(text())) {
    if (values.every((value) => !strip(value))) continue;
    if (!header) {
      header = strict ? values.map(strip) : columnsNamed(values, table, line, notes);
      if (header.length > LIMITS.columns) {
        refuse("html.columns", { file, line, most: LIMITS.columns, got: header.length });
      }
      for (const column of required) {
        if (!header.includes(column)) refuse("html.missing", { file, line, column });
      }
      const twice = header.find((column, k) => header.indexOf(column) !== k);
      if (twice !== undefined) refuse("html.twice", { file, line, column: quoted(twice) });
      continue;
    }
    while (!strict && values.length > header.length && !strip(values.at(-1))) values.pop();
    if (values.length > header.length || (strict && values.length < header.length)) {
      refuse("html.fields", { file, line, fields: header.length, got: values.length });
    }
    empty = false;
    const fields = new Map(header.map((column, k) => [column, values[k] ?? ""]));
    yield new Row(file, line, fields, table, notes);
  }
  if (empty) refuse("html.empty", { file });
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
