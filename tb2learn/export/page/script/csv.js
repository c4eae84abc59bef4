// This part reads tables: rows of CSV text or of a sheet, whose columns have headings in several
// languages.

const CSV = KNOWN.csv;

/** Text of a table, with a note if it is neither UTF-8 nor UTF-16. */
function tableText(file, bytes, table, notes) {
  const encoding = encodingOf(bytes);
  if (notes.strict && encoding !== "utf-8") refuse("html.not_utf8", { file, line: 1 });
  let text = textIn(bytes, encoding);
  if (text === null) {
    const lossy = new TextDecoder(encoding).decode(bytes);
    const line = lineAt(lossy, lossy.indexOf("\ufffd"));
    if (encoding !== "utf-8" || bytes.includes(0)) refuse("html.not_utf8", { file, line });
    notes.odd(`${table}: not UTF-8: read as Windows-1252, so names may look wrong`, line);
    const mark = latin1(bytes.subarray(0, 3)) === "\xef\xbb\xbf" ? 3 : 0;
    const western = new TextDecoder("windows-1252").decode(bytes.subarray(mark));
    text = western.replace(/[\x81\x8d\x8f\x90\x9d]/g, "\ufffd");
  }
  if (text.includes("\0")) refuse("html.nul", { file, line: lineAt(text, text.indexOf("\0")) });
  return text;
}

/** The mark that a row such as `sep=;` says; undefined for another row. */
const saysMark = (row) => /^[sS][eE][pP]=([,;\t])$/.exec(row.replace(/^[ "]+|[ "]+$/g, ""))?.[1];

/**
 * What separates the columns, and the first row: a row `sep=;` before it says the mark, else it is
 * the one that stands there most.
 */
function firstRow(text) {
  const rows = text.slice(0, LIMITS.head).split(/[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/)
    .filter((row) => strip(row)).slice(0, 2);
  const told = saysMark(rows[0] ?? "");
  const row = (told ? rows.at(-1) : rows[0]) ?? "";
  const count = (mark) => row.split(mark).length;
  const most = (best, mark) => (count(mark) > count(best) ? mark : best);
  return { separator: told ?? CSV.separators.reduce(most), row };
}

/** The rows of CSV text, each with the line on which it starts. */
function* csvRows(file, text, separator) {
  const [bare, ends] = [`[^"${separator}\r\n][^${separator}\r\n]*`, `${separator}|\r\n?|\n|$`];
  const field = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"|(${bare}|))(${ends})`, "y");
  for (let line = 1; field.lastIndex < text.length;) {
    const row = { line, values: [] };
    for (let end = separator; end === separator;) {
      const found = field.exec(text) ?? refuse("html.not_csv", { file, line: row.line });
      row.values.push(found[1]?.replaceAll('""', '"') ?? found[2]);
      line += found[0].split(LINE_END).length - 1;
      [, , , end] = found;
    }
    yield row;
  }
}

/** A heading without case, accents, spaces and punctuation. */
const folded = (text) => text.toLowerCase().replaceAll("\u00df", "ss").normalize("NFKD")
  .replace(/[^0-9a-z]/g, "");

const wordsOf = (text) => text.split(" ");
const COLUMNS = new Map([
  ...CSV.twoSided.flatMap((column) => wordsOf(CSV.headings[column]).flatMap((word) =>
    Object.entries(CSV.sides).flatMap(([letter, sides]) =>
      wordsOf(sides).map((side) => [word + side, `${column}_${letter}`])))),
  ...Object.entries(CSV.headings).flatMap(([column, words]) =>
    wordsOf(words).map((word) => [word, column])),
]);

/** The column that a heading names; the heading itself if it names none. */
function columnNamed(heading) {
  const name = strip(heading);
  if (Object.hasOwn(CSV.headings, name)) return name;
  const key = folded(name);
  const rating = /^(?:rating|elo)([0-9]{1,2})$/.exec(key);
  return rating ? `rating_${rating[1]}` : COLUMNS.get(key) ?? name;
}

/**
 * The columns that headings name; a column that there is already is not taken. In a table of rounds
 * a heading of two sides may stand there twice, and one column may have the points of both.
 */
function columnsOf(names) {
  const found = names.map(columnNamed);
  for (const column of found.includes("round") ? CSV.twoSided : []) {
    const places = found.flatMap((one, k) => (one === column ? [k] : []));
    if (places.length !== 2) continue;
    Object.keys(CSV.sides).forEach((side, k) => { found[places[k]] = `${column}_${side}`; });
  }
  const has = (column) => found.includes(column);
  if (has("team_a") && has("team_b") && !has("game_points_a") && !has(CSV.score)) {
    const one = ["game_points", "result"].find(has);
    found.forEach((column, k) => { if (column === one) found[k] = CSV.score; });
  }
  const [given, used] = [new Set(names), new Set()]; // a hostile table may have very many
  return names.map((name, k) => {
    const taken = used.has(found[k]) || (found[k] !== name && given.has(found[k]));
    const column = taken ? name : found[k];
    used.add(column);
    return column;
  });
}

/** The columns that headings name, with a note; empty headings at the end are left out. */
function columnsNamed(values, table, line, notes) {
  const names = values.map(strip);
  while (names.length && !names.at(-1)) names.pop();
  const columns = columnsOf(names);
  const renamed = names.filter((name, k) => name !== columns[k]);
  if (renamed.length) {
    const few = renamed.slice(0, 3).map(quotedInNote).join(", ");
    notes.odd(`${table}: headings such as ${few} are taken for columns`, line);
  }
  return columns;
}

/** Whether a text begins like a table of matches. */
function beginsLikeMatches(text) {
  const { separator, row } = firstRow(text);
  const cells = row.split(separator);
  const columns = columnsOf(cells.map((cell) => strip(cell.replace(/^[ "]+|[ "]+$/g, ""))));
  return CSV.known.some((known) => known.every((column) => columns.includes(column)));
}

/** One row of a table, with the place of every field. */
class Row extends Fields {
  constructor(file, line, cells, table, notes) {
    super(file, line, notes);
    Object.assign(this, { cells, table });
    this.digits = notes.strict ? /^([0-9]{1,9})$/ : /^([0-9]{1,9})(?:[.,]0*)?$/;
  }

  text(field) {
    return strip(this.cells.get(field) ?? "");
  }

  whom() {
    const column = { "teams.csv": "team", "players.csv": "name" }[this.table];
    return column ? [column === "team" ? "team" : "player", this.text(column)] : ["", ""];
  }

  odd(assumed, field) {
    super.odd(`${this.table}: ${assumed}`, field);
  }

  /** Half points; also of `2 1/2` and `2\u00bd`. */
  halfOf(value) {
    const found = /^([0-9]{0,2}) ?(?:\u00bd|1\/2)$/.exec(value);
    return found ? 2 * Number(found[1]) + 1 : halfPointsOf(value);
  }
}

/** The columns of a header, which must differ. */
function headerOf(values, file, table, line, notes) {
  const header = columnsNamed(values, table, line, notes);
  if (header.length > LIMITS.columns) {
    refuse("html.columns", { file, line, most: LIMITS.columns, got: header.length });
  }
  const twice = header.find((column, k) => header.indexOf(column) !== k);
  if (twice !== undefined) refuse("html.twice", { file, line, column: quoted(twice) });
  return header;
}

/** Put the game points of both sides, which stand in one field, into two. */
function splitScore(cells, file, line) {
  const score = strip(cells.get(CSV.score));
  const both = /^([^:-]+)[:-]([^:-]+)$/.exec(score);
  if (both) cells.set("game_points_a", both[1]).set("game_points_b", both[2]);
  else if (score) {
    refuse("html.field", { file, line, field: CSV.score, allowed: "6,5-3,5", got: quoted(score) });
  }
}

/** The rows of a file after its header; `table` is its name in notes. No rows without a file. */
function* tableRows(found, table, notes, required = CSV.columns[table]) {
  if (!found) return;
  const { name, label: file = name, bytes } = found;
  const { strict } = notes;
  let [header, empty, scored] = [null, true, false];
  const text = found.rows ? "" : tableText(file, bytes, table, notes);
  const separator = strict || found.rows ? "," : firstRow(text).separator;
  for (const { line, values } of found.rows ?? csvRows(file, text, separator)) {
    if (values.every((value) => !strip(value))) continue;
    if (!header && !strict && saysMark(values.join(separator))) continue;
    if (!header) {
      header = headerOf(values, file, table, line, notes);
      scored = header.includes(CSV.score) && !strict;
      const has = (one) => header.includes(one) || (scored && one.startsWith("game_points_"));
      const column = required.find((one) => !has(one));
      const headings = CSV.wouldDo[column];
      if (column) refuse("html.missing", { file, line, column, headings });
      continue;
    }
    while (values.length > header.length && !strip(values.at(-1))) values.pop();
    const isShort = strict && !found.rows && values.length < header.length;
    if (values.length > header.length || isShort) {
      refuse("html.fields", { file, line, fields: header.length, got: values.length });
    }
    empty = false;
    const cells = new Map(header.map((column, k) => [column, values[k] ?? ""]));
    if (scored) splitScore(cells, file, line);
    yield new Row(file, line, cells, table, notes);
  }
  if (empty) refuse("html.empty", { file });
}
