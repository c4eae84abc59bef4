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
    const western = new TextDecoder("windows-1252").decode(bytes);
    text = western.replace(/[\x81\x8d\x8f\x90\x9d]/g, "\ufffd");
  }
  if (text.includes("\0")) refuse("html.nul", { file, line: lineAt(text, text.indexOf("\0")) });
  return text;
}

/** The first row of a text that is not blank. */
const firstRow = (text) =>
  text.split(/[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/).find((row) => strip(row)) ?? "";

/** What separates the columns: of all marks the one that the first row has most of. */
function separatorOf(text) {
  const row = firstRow(text.slice(0, LIMITS.head));
  const count = (mark) => row.split(mark).length;
  return CSV.separators.reduce((best, mark) => (count(mark) > count(best) ? mark : best));
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

const COLUMNS = new Map(Object.entries(CSV.headings).flatMap(([column, words]) =>
  words.split(" ").map((word) => [word, column])));

/** The column that a heading names; the heading itself if it names none. */
function columnNamed(heading) {
  const name = strip(heading);
  if (Object.hasOwn(CSV.headings, name)) return name;
  const key = folded(name);
  const rating = /^(?:rating|elo)([0-9]{1,2})$/.exec(key);
  return rating ? `rating_${rating[1]}` : COLUMNS.get(key) ?? name;
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

/** Whether a text begins like a table of matches. */
function beginsLikeMatches(text) {
  const cells = firstRow(text).split(separatorOf(text));
  const columns = cells.map((cell) => columnNamed(cell.replace(/^[ "]+|[ "]+$/g, "")));
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

  odd(assumed) {
    super.odd(`${this.table}: ${assumed}`);
  }

  /** Half points; also of `2 1/2` and `2\u00bd`. */
  halfOf(value) {
    const found = /^([0-9]{0,2}) ?(?:\u00bd|1\/2)$/.exec(value);
    return found ? 2 * Number(found[1]) + 1 : halfPointsOf(value);
  }
}

/** The columns of a header, which must differ. */
function headerOf(values, file, table, line, notes) {
  const header = notes.strict ? values.map(strip)
    : columnsNamed(values, table, line, notes);
  if (header.length > LIMITS.columns) {
    refuse("html.columns", { file, line, most: LIMITS.columns, got: header.length });
  }
  const twice = header.find((column, k) => header.indexOf(column) !== k);
  if (twice !== undefined) refuse("html.twice", { file, line, column: quoted(twice) });
  return header;
}

/** The rows of a file after its header; `table` is its name in notes. No rows without a file. */
function* tableRows(found, table, notes) {
  if (!found) return;
  const { name, label: file = name, bytes } = found;
  const { strict } = notes;
  let [header, empty] = [null, true];
  let missing = () => {}; // refuses a header that lacks columns
  const parsed = (text) => csvRows(file, text, strict ? "," : separatorOf(text));
  for (const { line, values } of found.rows ?? parsed(tableText(file, bytes, table, notes))) {
    if (values.every((value) => !strip(value))) continue;
    if (!header) {
      header = headerOf(values, file, table, line, notes);
      const column = CSV.columns[table].find((one) => !header.includes(one));
      if (column) missing = () => refuse("html.missing", { file, line, column });
      // Whether the matches are games of players is seen before their columns are asked for.
      if (table !== "matches.csv") missing();
      continue;
    }
    while (!strict && values.length > header.length && !strip(values.at(-1))) values.pop();
    const isShort = strict && !found.rows && values.length < header.length;
    if (values.length > header.length || isShort) {
      refuse("html.fields", { file, line, fields: header.length, got: values.length });
    }
    empty = false;
    missing();
    const cells = new Map(header.map((column, k) => [column, values[k] ?? ""]));
    yield new Row(file, line, cells, table, notes);
  }
  if (empty) refuse("html.empty", { file });
}
