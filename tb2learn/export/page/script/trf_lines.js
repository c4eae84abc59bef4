// This part reads the lines of a Tournament Report File (TRF): the type of a record in columns 1-3,
// then fields in fixed columns, counted from 1: `[first, last, title]`. Fields beside their columns
// are put in place.

const TRF = KNOWN.trf;
const AT = TRF.columns;

// A column is a character: one of two units of UTF-16 stands in its line as a lone surrogate.
const PAIRS = [];
const asUnits = (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, (pair) => {
  if (!PAIRS.includes(pair)) PAIRS.push(pair);
  return String.fromCharCode(0xd800 + PAIRS.indexOf(pair) % 0x800);
});
const asPairs = (text) => text.replace(/[\ud800-\udfff]/g, (unit) =>
  PAIRS[unit.charCodeAt(0) - 0xd800]);

/** A line of the file with its fields. */
class Record extends Fields {
  constructor(file, line, content, notes) {
    super(file, line, notes);
    this.content = content;
  }

  text([first, last]) {
    return asPairs(strip(this.content.slice(first - 1, last)));
  }

  whom() {
    const kind = this.content.slice(0, 3);
    const field = { "001": "name", "013": "team name", 310: "team name" }[kind];
    return field ? [field === "name" ? "player" : "team", this.text(AT[kind][field])] : ["", ""];
  }

  placeOf([first, last, what]) {
    const columns = last ? `columns ${first}-${last}` : `columns ${first} on`;
    return [this.line, `${first === last ? `column ${first}` : columns} (${what})`];
  }

  /** Whole match points; null for an empty field. */
  matchPoints(field, high, low = 0) {
    const half = this.halfPoints(field, high, low, null);
    if (half % 2) this.refuse(field, "html.allowed_number", { low, high });
    return half === null ? null : half / 2;
  }

  /** Field and number of a list of fields of one width, with a blank between; 0 for an empty one. */
  *listed([from, width, what], high = LIMITS.players) {
    for (let first = from; first <= this.content.length; first += width + 1) {
      const field = [first, first + width - 1, what];
      yield [field, this.integer(field, 0, high, 0)];
    }
  }

  /** A team by its number in the file. */
  team(field, teams) {
    const number = this.integer(field, 0, LIMITS.players, 0);
    return teams.get(number) ?? this.refuse(field, "html.allowed_number_of");
  }
}

/** The records by type; `records("001")`. Other types than those that are read are left out. */
function trfRecords(file, text, notes) {
  const records = new Map(TRF.read.map((kind) => [kind, []]));
  asUnits(text).split(LINE_END).forEach((content, k) => {
    const found = content.length < 3 ? undefined : records.get(content.slice(0, 3));
    if (found && content.includes("\0")) refuse("html.nul", { file, line: k + 1 });
    found?.push(new Record(file, k + 1, stripEnd(content), notes));
  });
  return (kind) => records.get(kind);
}

const WORD = new RegExp(`[^${KNOWN.spaces}]+`, "g");

/** What stands between blanks from an index on: text, first and last column. */
const tokens = (content, from, to = undefined) =>
  [...content.slice(0, to).slice(from).matchAll(WORD)].map(({ 0: text, index }) =>
    ({ text, start: from + index + 1, end: from + index + text.length }));

const isWhole = (text) => /^[0-9]+$/.test(text);

/** Whether no field of a record stands across a border of its columns. */
const fieldsFit = (content, spans, first, width, from = 4, to = undefined) =>
  tokens(content, from, to).every(({ start, end }) =>
    (first && start >= first ? ((start - first) % (width + 1)) + end - start < width
      : spans.some(([low, high]) => low <= start && end <= high)));

const wordsFit = (content, spans) =>
  fieldsFit(content, spans, 0, 0, spans[0][0] - 2, spans.at(-1)[1] + 2);

const listFits = (content, [first, width]) => fieldsFit(content, [], first, width, first - 1)
  && tokens(content, first - 1).every(({ text }) => isWhole(text));

function entriesFit(content) {
  const [first, width] = TRF.entries;
  if (strip(content.slice(first - 3, first - 1))) return false;
  for (let at = first - 1; at < content.length; at += width) {
    const cell = content.slice(at, at + width);
    if (strip(cell) && !SHAPES.entry.test(cell)) return false;
  }
  return true;
}

/** By record with a name: whether what follows the name stands in its columns. */
const NAMES_FIT = {
  "001": (content) => wordsFit(content, TRF.ofPlayers) && entriesFit(content),
  "013": (content) => listFits(content, TRF.lists["013"])
    && !SHAPES.inName.test(content.slice(AT["013"]["team name"][0] - 1, AT["013"]["team name"][1])),
  310: (content) => listFits(content, TRF.lists[310]) && wordsFit(content, TRF.ofTeams),
};

/** The single fields of a record with points, empty ones for those that are not given. */
function withPoints(kind, content) {
  const all = tokens(content, 4);
  const from = all.findIndex(({ text }) => SHAPES.pointsWord.test(text));
  const after = all.slice(from).findIndex(({ text }) => !SHAPES.pointsWord.test(text));
  const points = all.slice(from, after < 0 ? undefined : from + after);
  if (from < 0 || from > (kind === "299" ? 1 : 0) || points.length > 2) return null;
  const given = points.map(({ text }) => text);
  if (given.length < 2) given.splice(points[0].end > 11 ? 0 : 1, 0, "");
  if (kind === "320") return given;
  return [from ? all[0].text : "", ...given, all[from + points.length]?.text ?? ""];
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
    if (!first || token.length > width || !isWhole(token)) return null;
    laid = laid.padEnd(first - 1 + k * (width + 1)) + token.padStart(width);
  }
  return laid;
}

/** A record with all after its name moved to where it fits; null if nothing fits. */
function moved(content, first, last, fits) {
  const { left, right } = TRF.moves;
  const steps = Array.from({ length: left + right + 1 }, (_, k) => k - right)
    .sort((a, b) => Math.abs(a) - Math.abs(b));
  for (const by of steps) {
    const cut = last - by;
    if (!by || (by > 0 && (cut < first || !SPACE.test(content.slice(cut - 1, cut + 1))))) continue;
    const found = content.slice(0, Math.min(cut, last)) + " ".repeat(Math.max(by, 0))
      + content.slice(cut);
    if (fits(found)) return found;
  }
  return null;
}

/** Move the fields of shifted records to their columns; say so for each kind. */
function putInPlace(records, notes) {
  const place = (kind, fits, found, how) => {
    for (const line of records(kind)) {
      if (line.content.length > LIMITS.shifted || fits(line.content)) continue;
      const content = found(line.content);
      if (content === null) continue;
      line.content = content;
      line.odd(`record ${kind} stands beside its columns${how}`);
    }
  };
  for (const kind of TRF.inOrder) {
    const shape = [Object.values(AT[kind]), ...(TRF.lists[kind] ?? [0, 0]).slice(0, 2)];
    place(kind, (content) => fieldsFit(content, ...shape),
      (content) => laidOut(kind, content, ...shape), ": its fields are taken in their order");
  }
  for (const [kind, first, last] of TRF.named) {
    place(kind, NAMES_FIT[kind], (content) => moved(content, first, last, NAMES_FIT[kind]),
      " after the name: the columns that fit its fields are taken");
  }
}

/** Field of the points, symbol, and half points of a record 162 or 362. */
function* scoringPairs(line, kind) {
  const symbols = TRF.symbols[kind];
  const width = symbols[0].length;
  const cells = [];
  for (let first = 7; first <= line.content.length + 1; first += 9) {
    cells.push([[first - width, first - 1, "symbol"], [first, first + 3, "points"]]);
  }
  const inColumns = cells.every((fields) => {
    const [symbol, points] = fields.map((field) => line.text(field));
    const right = symbols.includes(symbol.toUpperCase()) && halfPointsOf(points) !== null;
    return right || !(symbol || points);
  });
  if (!inColumns && !line.notes.strict) {
    const found = [...line.text([5]).toUpperCase().matchAll(new RegExp(SHAPES.pair, "g"))];
    if (found.length && found.every(([, symbol]) => symbols.includes(symbol))) {
      line.odd(`record ${kind} stands beside its columns: its pairs are taken`);
      yield* found.map(([, symbol, points]) => [[5, 8], symbol, halfPointsOf(points)]);
      return;
    }
  }
  for (const [of, field] of cells) {
    const points = line.halfPoints(field, LIMITS.penalty, 0, null);
    const known = points === null ? ["", ...symbols] : symbols;
    const symbol = line.choice(of, known, "", line.text(of).toUpperCase());
    if (symbol && points === null) line.odd(`a symbol without points in record ${kind} is left out`);
    yield [field, symbol, points];
  }
}

/**
 * Half points by symbol, as records 162 or 362 say; refuses other points than a symbol is `allowed`.
 */
function pointsSaid(records, kind, allowed = {}) {
  const said = new Map();
  for (const line of records(kind)) {
    for (const [[first, last], symbol, points] of scoringPairs(line, kind)) {
      if (points === null) continue;
      const usual = allowed[symbol] ?? points;
      if (points !== usual) line.refuse([first, last, `points of ${symbol}`], String(usual / 2));
      said.set(symbol, points);
    }
  }
  return said;
}

/** What matches and byes score: as asked for, else of record 362, else 2, 1, 0 and a draw. */
function matchPayment(records, asked, notes) {
  pointsSaid(records, "162", TRF.games);
  const said = pointsSaid(records, "362");
  const found = fallingPoints(TRF.symbols[362].map((symbol, k) =>
    said.get(symbol) ?? 2 * STANDARD[k]));
  if (!found) records("362")[0].refuse([5, undefined, "match points"], "html.allowed_falling");
  if (asked.scoring && said.size && String(asked.scoring) !== String(found)) {
    notes.say("match points are those that were asked for, not those of record 362");
  }
  return {
    scoring: asked.scoring ?? found, bye: asked.bye, asked: asked.bye, individual: false,
  };
}

/** What games and byes of players score, in half points: as asked for, else of record 162. */
function gamePayment(records, asked, notes) {
  const said = pointsSaid(records, "162", { A: 0 });
  const found = [..."WDL"].map((symbol, k) => said.get(symbol) ?? STANDARD[k]);
  const [won, drawn, lost] = found;
  if (!(won > drawn && drawn >= lost)) {
    records("162")[0].refuse([6, undefined, "points"], "html.allowed_falling");
  }
  const scoring = asked.scoring?.map((points) => 2 * points) ?? found;
  const isOther = String(scoring) !== String(found);
  if (isOther && said.size) {
    notes.say("points of a game are those that were asked for, not those of record 162");
  }
  const usual = (isOther ? undefined : said.get("P")) ?? scoring[0];
  return { scoring, bye: playerBye(asked, usual), asked: asked.bye, individual: true };
}
