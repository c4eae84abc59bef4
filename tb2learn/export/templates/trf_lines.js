// This part reads the lines of a Tournament Report File (TRF): the type of a record in columns 1-3,
// then fields in fixed columns, counted from 1. Fields beside their columns are put in place.

const MAX_PLAYERS = 9999;

/** A line of the file with its fields. */
class Record {
  constructor(file, number, content) {
    Object.assign(this, { file, number, content });
  }

  text(first, last = undefined) {
    return strip(this.content.slice(first - 1, last));
  }

  refuse(first, last, what, allowed) {
    const field = `columns ${first}-${last ?? this.content.length} (${what})`;
    refuse("html.field", {
      file: this.file, line: this.number, field, allowed, got: quoted(this.text(first, last)),
    });
  }

  /** A whole number, or null for anything else; `empty` for an empty field. */
  wholeOf(first, last, low, high, empty = null) {
    const value = this.text(first, last);
    if (!value) return empty;
    const right = /^[0-9]{1,11}$/.test(value) && Number(value) >= low && Number(value) <= high;
    return right ? Number(value) : null;
  }

  integer(first, last, what, low, high, empty = null) {
    const found = this.wholeOf(first, last, low, high, empty);
    if (found === null) this.refuse(first, last, what, say("html.allowed_number", { low, high }));
    return found;
  }

  /** A whole number that ranking does not need: 0 if it is none, with a note. */
  needless(notes, assumed, first, last, high) {
    const found = this.wholeOf(first, last, 0, high, 0);
    if (found === null) notes.odd(assumed, this.number);
    return found ?? 0;
  }

  /** Points as half points; null for an empty field. */
  halfPoints(first, last, what, high, low = 0) {
    const value = this.text(first, last);
    if (!value) return null;
    const half = halfPointsOf(value);
    if (half === null || half < 2 * low || half > 2 * high) {
      this.refuse(first, last, what, say("html.allowed_half", { low, most: high }));
    }
    return half;
  }

  matchPoints(first, last, high, low = 0) {
    const half = this.halfPoints(first, last, "match points", high, low);
    if (half !== null && half % 2) {
      this.refuse(first, last, "match points", say("html.allowed_number", { low, high }));
    }
    return half === null ? null : half / 2;
  }

  /** Column and number of fields of a width, with a blank between; 0 for an empty one. */
  listed(first, width, what, high = MAX_PLAYERS) {
    const found = [];
    for (let column = first; column <= this.content.length; column += width + 1) {
      found.push([column, this.integer(column, column + width - 1, what, 0, high, 0)]);
    }
    return found;
  }

  /** A team by its number in the file. */
  team(first, last, teams) {
    const number = this.integer(first, last, "team number", 0, 9999, 0);
    if (!teams.has(number)) this.refuse(first, last, "team number", say("html.allowed_number_of"));
    return teams.get(number);
  }
}

/** The records by type; `records("001")`. */
function trfRecords(file, text) {
  const records = {};
  text.split(/\r\n|\r|\n/).forEach((content, k) => {
    if (content.length < 3) return;
    (records[content.slice(0, 3)] ??= []).push(new Record(file, k + 1, stripEnd(content)));
  });
  return (kind) => records[kind] ?? [];
}

// --- records beside their columns

const LONGEST = 6000;
const TRF_FIELDS = [
  ["300", [[[5, 7], [9, 11], [13, 15]], 17, 4]],
  ["320", [[[5, 8], [10, 13]], 15, 3]],
  ["330", [[[5, 6], [8, 10], [12, 14], [16, 18]], 0, 0]],
  ["240", [[[5, 5], [7, 9]], 11, 4]],
  ["299", [[[5, 5], [8, 11], [14, 17], [20, 22]], 24, 4]],
];
const OF_PLAYERS = [[49, 52], [54, 56], [58, 68], [70, 79], [81, 84], [86, 89]];
const OF_TEAMS = [[42, 46], [48, 53], [55, 60], [62, 67], [69, 71]];
const POINTS_SHAPE = /^[+-]?[0-9]+[.,][0-9]*$/;

/** What stands between blanks from an index on: text, first and last column. */
const tokens = (content, from, to = undefined) =>
  [...content.slice(0, to).slice(from).matchAll(/[^\s\x1c-\x1f\x85]+/g)].map(({ 0: text, index }) =>
    ({ text, start: from + index + 1, end: from + index + text.length }));

const wordsFit = (content, spans) =>
  tokens(content, spans[0][0] - 2, spans.at(-1)[1] + 2).every(({ start, end }) =>
    spans.some(([low, high]) => low <= start && end <= high));

const listFits = (content, first) => tokens(content, first - 1).every(({ text, start }) =>
  /^[0-9]+$/.test(text) && ((start - first) % 5) + text.length <= 4);

function entriesFit(content) {
  if (strip(content.slice(89, 91))) return false;
  for (let first = 91; first < content.length; first += 10) {
    const cell = content.slice(first, first + 10);
    if (strip(cell) && !/^(?: {4}|[ 0-9]{3}[0-9]) [A-Za-z\- ] \S?\s*$/.test(cell)) return false;
  }
  return true;
}

const TRF_NAMES = [
  ["001", [15, 47, (c) => wordsFit(c, OF_PLAYERS) && entriesFit(c)]],
  ["013", [5, 36, (c) => listFits(c, 37) && !/\s\s[0-9]+\s*$/.test(c.slice(4, 36))]],
  ["310", [9, 40, (c) => listFits(c, 74) && wordsFit(c, OF_TEAMS)]],
];

/** Whether no field of a record stands across a border of its columns. */
const fieldsFit = (content, spans, first, width) =>
  tokens(content, 4).every(({ start, end }) =>
    (first && start >= first ? ((start - first) % (width + 1)) + end - start < width
      : spans.some(([low, high]) => low <= start && end <= high)));

/** The single fields of a record with points, empty ones for those that are not given. */
function withPoints(kind, content) {
  const found = tokens(content, 4);
  const isPoints = (token) => token !== undefined && POINTS_SHAPE.test(token.text);
  const letter = kind !== "299" ? []
    : [!found.length || isPoints(found[0]) ? "" : found.shift().text];
  const points = [];
  while (isPoints(found[0])) {
    const { text, end } = found.shift();
    if (!points.length && end > 11 && !isPoints(found[0])) points.push("");
    points.push(text);
  }
  if (points.length < 1 || points.length > 2) return null;
  if (points.length < 2) points.push("");
  return [...letter, ...points, ...(kind === "299" ? [found.shift()?.text ?? ""] : [])];
}

/** A record with its fields, in their order, in their columns; null if that fails. */
function laidOut(kind, content, spans, first, width) {
  const all = tokens(content, 4).map(({ text }) => text);
  const single = ["299", "320"].includes(kind) ? withPoints(kind, content)
    : all.slice(0, spans.length);
  if (!single || single.length < spans.length) return null;
  let laid = content.slice(0, 3);
  for (const [k, [start, end]] of spans.entries()) {
    if (single[k].length > end - start + 1) return null;
    laid = laid.padEnd(start - 1) + single[k].padStart(end - start + 1);
  }
  for (const [k, token] of all.slice(single.filter(Boolean).length).entries()) {
    if (!first || token.length > width || !/^[0-9]+$/.test(token)) return null;
    laid = laid.padEnd(first - 1 + k * (width + 1)) + token.padStart(width);
  }
  return laid;
}

/** A record with all after its name moved to where it fits; null if nothing fits. */
function moved(content, first, last, fits) {
  const steps = Array.from({ length: 36 }, (_, k) => k - 2).sort((a, b) =>
    Math.abs(a) - Math.abs(b));
  for (const by of steps) {
    const cut = last - by;
    if (!by || (by > 0 && (cut < first || !/\s/.test(content.slice(cut - 1, cut + 1))))) continue;
    const found = content.slice(0, Math.min(cut, last)) + " ".repeat(Math.max(by, 0))
      + content.slice(cut);
    if (fits(found)) return found;
  }
  return null;
}

/** Move the fields of shifted records to their columns; say so for each kind. */
function putInPlace(records, notes) {
  if (notes.strict) return;
  const place = (line, fits, found, how) => {
    if (line.content.length > LONGEST || fits()) return;
    const content = found();
    if (content === null) return;
    line.content = content;
    notes.odd(`record ${content.slice(0, 3)} stands beside its columns${how}`, line.number);
  };
  for (const [kind, shape] of TRF_FIELDS) {
    for (const line of records(kind)) {
      place(line, () => fieldsFit(line.content, ...shape),
        () => laidOut(kind, line.content, ...shape), ": its fields are taken in their order");
    }
  }
  for (const [kind, [first, last, fits]] of TRF_NAMES) {
    for (const line of records(kind)) {
      place(line, () => fits(line.content), () => moved(line.content, first, last, fits),
        " after the name: the columns that fit its fields are taken");
    }
  }
}

// --- what games and matches score

const SYMBOLS = { 162: ["W", "D", "L", "A", "P", "X"], 362: ["TW", "TD", "TL"] };
const OF_GAMES = { W: 2, D: 1, L: 0, A: 0 };

/** Column of the points, symbol, and half points of a record 162 or 362. */
function scoringPairs(line, kind, notes) {
  const symbols = SYMBOLS[kind];
  const width = symbols[0].length;
  const columns = [];
  for (let first = 7; first <= line.content.length; first += 9) columns.push(first);
  const inColumns = columns.every((first) => {
    const [symbol, points] = [line.text(first - width, first - 1), line.text(first, first + 3)];
    const right = symbols.includes(symbol.toUpperCase()) && halfPointsOf(points) !== null;
    return right || !(symbol || points);
  });
  if (!inColumns && !notes.strict) {
    const shape = /([A-Z]{1,2})\s+([0-9]{1,3}(?:[.,][0-9]{0,3})?)(?=\s|$)/g;
    const found = [...line.text(5).toUpperCase().matchAll(shape)];
    if (found.length && found.every(([, symbol]) => symbols.includes(symbol))) {
      notes.odd(`record ${kind} stands beside its columns: its pairs are taken`, line.number);
      return found.map(([, symbol, points]) => [5, symbol, halfPointsOf(points)]);
    }
  }
  return columns.map((first) => {
    const symbol = line.text(first - width, first - 1).toUpperCase();
    const points = line.halfPoints(first, first + 3, "points", 99);
    if (!symbols.includes(symbol) && (symbol || points !== null)) {
      line.refuse(first - width, first - 1, "symbol",
        say("html.allowed_one", { all: symbols.join(", ") }));
    }
    return [first, symbol, points];
  });
}

/** Match points of a match won, drawn and lost: as asked for, else of record 362, else 2, 1, 0. */
function trfScoring(records, asked, notes) {
  for (const line of records("162")) {
    for (const [first, symbol, points] of scoringPairs(line, "162", notes)) {
      const expected = OF_GAMES[symbol];
      if (points !== null && expected !== undefined && points !== expected) {
        line.refuse(first, first + 3, `points of ${symbol}`, expected / 2);
      }
    }
  }
  const said = {};
  for (const line of records("362")) {
    for (const [, symbol, points] of scoringPairs(line, "362", notes)) {
      if (points !== null) said[symbol] = points;
    }
  }
  const found = fallingPoints(SYMBOLS[362].map((symbol, k) => said[symbol] ?? 2 * STANDARD[k]));
  if (!found) records("362")[0].refuse(5, undefined, "match points", say("html.allowed_falling"));
  if (asked && Object.keys(said).length && String(asked) !== String(found)) {
    notes.say("match points are those that were asked for, not those of record 362");
  }
  return asked ?? found;
}
