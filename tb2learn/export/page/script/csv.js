// This part reads an event from tables of CSV text, and finds out what files are.

const CSV = KNOWN.csv;

/** Text of a table, with a note if it is neither UTF-8 nor UTF-16. */
function tableText(file, bytes, notes) {
  let text = textIn(bytes, encodingOf(bytes));
  if (text === null) {
    if (encodingOf(bytes) !== "utf-8" || bytes.includes(0)) refuse("html.not_utf8", { file });
    notes.add("not UTF-8: read as Windows-1252, so names may look wrong");
    text = new TextDecoder("windows-1252").decode(bytes).replace(/^\u00ef\u00bb\u00bf/, "")
      .replace(/[\x81\x8d\x8f\x90\x9d]/g, "\ufffd");
  }
  if (text.includes("\0")) refuse("html.nul", { file });
  return text;
}

/** The mark that a row such as `sep=;` says; undefined for another row. */
const bareCell = (text) => text.replace(/^[ "]+|[ "]+$/g, "");
const saysMark = (row) => /^[sS][eE][pP]=([,;\t])$/.exec(bareCell(row))?.[1];

/** The first row, and what separates its columns: as a row `sep=;` says, else what it has most. */
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

/** A heading without case, accents, spaces and punctuation; and the column that it names, if any. */
const folded = (text) => [...text.toLowerCase()].map((c) => CSV.letters[c] ?? c).join("")
  .normalize("NFKD").replace(/[^\p{L}\p{N}]/gu, "");
const columnNamed = (name) => (!Object.hasOwn(CSV.names, name)
  && Object.hasOwn(CSV.headings, folded(name)) ? CSV.headings[folded(name)] : name);

/** The columns that headings name: one of two sides may stand there twice, or have both points. */
function columnsOf(names) {
  const found = names.map(columnNamed);
  const has = (column) => found.includes(column);
  for (const column of has("round") ? CSV.twoSided : []) {
    const places = found.flatMap((one, k) => (one === column ? [k] : []));
    if (places.length === 2) places.forEach((at, k) => { found[at] = `${column}_${"ab"[k]}`; });
  }
  if (has("team_a") && has("team_b") && !has("game_points_a") && !has(CSV.score)) {
    const one = ["game_points", "result"].find(has);
    found.forEach((column, k) => { if (column === one) found[k] = CSV.score; });
  }
  const [given, used] = [new Set(names), new Set()]; // a hostile table may have very many
  return names.map((name, k) => {
    const isTaken = used.has(found[k]) || (found[k] !== name && given.has(found[k]));
    const column = isTaken ? name : found[k];
    used.add(column);
    return column;
  });
}

/** The columns of a text's first row, in which nothing is quoted. */
function firstColumns(text) {
  const { separator, row } = firstRow(text);
  return columnsOf(row.split(separator).map((one) => strip(bareCell(one))));
}

/** One row of a table. */
class Row extends Fields {
  digits = /^([0-9]{1,9})(?:[.,]0*)?$/;

  /** The field without the apostrophe by which it is no formula of a spreadsheet. */
  text(field) {
    const text = strip(this.cells.get(field) ?? "");
    return /^'*[+-][0-9.]+$/.test(text) ? text : text.replace(GUARD, "$1");
  }

  titleOf(field) { return field; }

  /** Half points; also of `2 1/2` and `2\u00bd`. */
  halfOf(text) {
    const found = /^([0-9]{0,2}) ?(?:\u00bd|1\/2)$/.exec(text);
    return found ? 2 * Number(found[1]) + 1 : halfPointsOf(text);
  }
}

/** The columns of a header, which must differ; empty headings at the end are left out. */
function headerOf(values, table, file, line, notes) {
  const names = values.map(strip).slice(0, values.findLastIndex(strip) + 1);
  const header = columnsOf(names);
  const renamed = names.filter((name, k) => name !== header[k]).slice(0, 3);
  if (renamed.length) {
    notes.add(`headings such as ${renamed.map(quoted).join(", ")} are taken for columns`, line);
  }
  const [most, got] = [LIMITS.columns, header.length];
  need(got <= most, "html.columns", { file, line, most, got });
  const twice = header.filter((column, k) => header.indexOf(column) !== k).map(quoted);
  need(!twice.length, "html.twice", { file, line, column: twice[0] });
  const isThere = (one) =>
    header.includes(one) || (header.includes(CSV.score) && one.startsWith("game_points_"));
  const column = CSV.columns[table].find((one) => !isThere(one));
  if (column) refuse("html.missing", { file, line, column, headings: CSV.wouldDo[column] });
  return header;
}

/** The rows of a file after its header; `table` says which one it is. No rows without a file. */
function* tableRows(found, table, notes) {
  if (!found) return;
  let [header, isEmpty] = [null, true];
  const [file, text] = [found.name, tableText(found.name, found.bytes, notes)];
  const { separator } = firstRow(text);
  for (const { line, values } of csvRows(file, text, separator)) {
    const width = values.findLastIndex(strip) + 1;
    if (!width || (!header && saysMark(values.map(strip).join(separator)))) continue;
    if (header) {
      const fields = header.length;
      if (width > fields) refuse("html.fields", { file, line, fields, got: values.length });
      const cells = new Map(header.map((name, k) => [name, values[k] ?? ""]));
      const row = new Row({ file, line, cells, notes });
      const [score, sides] = [row.text(CSV.score), row.text(CSV.score).split(/[:-]/)];
      const isRead = sides.length === 2 && sides.every((side) => row.halfOf(strip(side)) !== null);
      row.need(isRead || CSV.open.includes(folded(score) || score), CSV.score, "6,5-3,5");
      if (isRead) cells.set("game_points_a", sides[0]).set("game_points_b", sides[1]);
      yield row;
    }
    isEmpty = !header;
    header ??= headerOf(values, table, file, line, notes);
  }
  need(!isEmpty, "html.empty", { file });
}

/** What event.csv says, by key; `boards` as a number, points as `scoring` and `bye`. */
function readAbout(file, notes) {
  const [about, seen] = [{}, new Set()];
  for (const row of tableRows(file, "event.csv", notes)) {
    const [key, value] = [row.text("key"), row.text("value")];
    row.once(seen, key, "key");
    if (key === "boards" || key === "rounds") about[key] = row.integer("value", 1, LIMITS[key]);
    else if (value || !CSV.about.includes(key)) about[key] = row.name("value");
    if (key === "match_points") about.scoring = scoringOf(value) ?? row.refuse("value", "3,1,0");
    if (key === "bye_points") about.bye = byePointsOf(value) ?? row.refuse("value", "1,2");
  }
  return about;
}

/** The teams of an event, numbered in start order: that of teams.csv, else of first appearance. */
class Teams {
  numbers = new Map();

  constructor(file, notes) {
    for (const row of tableRows(file, "teams.csv", notes)) {
      row.need(!this.numbers.has(row.name("team")), "team", "html.allowed_once");
      this.of(row, "team");
    }
    this.isListed = Boolean(file);
  }

  /** The number of the team that a field names, which may be a new one unless all are listed. */
  of(row, field) {
    const [name, most] = [row.name(field), LIMITS.teams];
    const isNew = !this.numbers.has(name);
    if (isNew && this.isListed) row.refuse(field, "html.allowed_listed");
    if (isNew && this.numbers.size === most) row.refuse(field, "html.allowed_teams", { most });
    return kept(this.numbers, name, () => this.numbers.size);
  }
}

/** Who played whom in a row; `b` is null without an opponent. `used`: what rounds have already. */
function readSides(row, teams, number, used) {
  const round = row.integer("round", 1, LIMITS.rounds);
  row.once(used, `${round} match ${number}`, "match");
  const word = row.text("team_b");
  const isBye = word && !teams.numbers.has(word) && CSV.noOpponent.includes(folded(word));
  if (isBye) row.odd("a word such as 'bye' in place of team_b means a bye");
  const [a, b] = [teams.of(row, "team_a"), !word || isBye ? null : teams.of(row, "team_b")];
  if (a === b) row.refuse("team_b", "html.allowed_other");
  row.once(used, `${round} team ${a}`, "team_a");
  row.once(used, `${round} team ${b ?? `of ${a}`}`, "team_b");
  return { round, a, b };
}

/** The match of a row, without the points of a bye. Without game points it is `isOpen`. */
function readMatch(row, teams, number, used, scoring) {
  const { round, a, b } = readSides(row, teams, number, used);
  const match = newMatch(round, a, b, { row, isOpen: false });
  const given = ["game_points_a", "game_points_b", "boards_decided"];
  if (b === null) {
    const isNotPaired = CSV.notPaired.includes(folded(row.text("team_b")));
    match.bye = row.text("bye") || (isNotPaired ? "zero" : "pairing");
    if (!Object.hasOwn(KNOWN.byes, match.bye)) row.refuseAll("bye", Object.keys(KNOWN.byes));
  } else if (row.text("bye")) {
    row.refuse("bye", "html.allowed_no_bye");
  } else if (given.some((field) => row.text(field))) {
    [match.halfA, match.halfB] = given.slice(0, 2).map((field) =>
      row.halfPoints(field, LIMITS.boards));
    const most = (match.halfA + match.halfB) / 2;
    row.need(most % 1 === 0 || row.text("boards_decided"), "game_points_b", "html.allowed_whole");
    const decided = row.integer("boards_decided", 0, LIMITS.boards, Math.min(most, LIMITS.boards));
    row.need(most <= decided, "game_points_b", "html.allowed_decided", { decided });
    Object.assign(match, { decided, forfeited: row.integer("boards_forfeited", 0, decided, 0) });
  } else match.isOpen = true;
  match.recorded = ["match_points_a", "match_points_b"].map((field) =>
    (row.text(field) ? row.integer(field, 0, Math.max(STANDARD[0], scoring[0])) : null));
  return match;
}

/** Give a bye its points: those of its row, else those of its kind. */
function payBye(match, boards, payment) {
  const { row, recorded: [told] } = match;
  const usual = KNOWN.byes[match.bye] * boards;
  if (match.bye === "pairing" && payment && !row.text("game_points_a") && told === null) {
    Object.assign(match, { recorded: [payment[0], null], halfA: Math.min(payment[1], 2 * boards) });
    return;
  }
  match.halfA = row.halfPoints("game_points_a", LIMITS.boards, 0, usual);
  // Other points need match points, too.
  row.need(match.halfA === usual || (told !== null && match.halfA <= 2 * boards),
    "game_points_a", "html.allowed_bye", { value: usual / 2 });
  row.halfPoints("game_points_b", 0, 0, 0);
  for (const field of ["boards_decided", "boards_forfeited", "match_points_b"]) {
    row.integer(field, 0, 0, 0);
  }
}

/** An event from its tables, by their names; all but the matches may be missing. */
function readTables(tables, asked, name) {
  const [notes, file] = [new Notes(), tables["matches.csv"]];
  const about = readAbout(tables["event.csv"], notes);
  const [scoring, bye] = [asked.scoring ?? about.scoring ?? STANDARD, asked.bye ?? about.bye];
  const teams = new Teams(tables["teams.csv"], notes);
  const [read, used] = [[], new Set()];
  for (const row of tableRows(file, "matches.csv", notes)) {
    const number = row.integer("match", 0, LIMITS.match, read.length + 1);
    const match = readMatch(row, teams, number, used, scoring);
    const isTold = tables["boards.csv"]
      || ["boards_decided", "match_points_a", "match_points_b"].some((field) => row.text(field));
    if (match.b !== null && !match.isOpen && !match.halfA && !match.halfB && !isTold) {
      row.odd(CSV.nothing);
      match.recorded = [scoring[1], scoring[1]];
    }
    read.push(match);
  }
  const last = Math.max(0, ...read.map((m) => (m.isOpen || m.b === null ? 0 : m.round)));
  const left = read.filter((m) => m.isOpen);
  const unfinished = Math.min(...left.map(({ round }) => round).filter((round) => round > last));
  const matches = read.filter((m) => !m.isOpen && m.round < unfinished);
  const most = Math.max(0, ...matches.map(({ decided }) => decided));
  if (!most) refuse("html.undecided", { file: file.name });
  const seats = [...tableRows(tables["boards.csv"], "boards.csv", notes)].map((row) =>
    row.integer("board", 1, LIMITS.boards, 1)); // nothing else of that table is needed here
  const boards = Math.max(about.boards ?? most, ...seats);
  for (const match of matches) {
    if (match.decided > boards) match.row.refuse("boards_decided", `0..${boards}`);
    if (match.b === null) payBye(match, boards, bye);
  }
  sayUnfinished(notes, unfinished);
  const open = left.filter(({ round }) => round <= last);
  sayOpen(notes, open);
  const rounds = Math.max(...matches.map(({ round }) => round));
  return {
    name: about.name ?? name, teams: [...teams.numbers.keys()], rounds, boards, scoring, about, open,
    matches: withScoring(matches, scoring), penalties: [], notes: notes.lines,
    planned: Math.max(rounds, about.rounds ?? 0),
  };
}

/** The name of a file without its ending. */
const stemOf = (name) => name.replace(/(?!^)\.[^.]*$/, "");

/** What a file is by its content: `trf`, `csv`, or what the program alone reads; else empty. */
function formOf({ name, bytes }) {
  const start = latin1(bytes.subarray(0, 4));
  if (start.startsWith("\x1f\x8b") || start === "PK\x03\x04") return "packed";
  if (Object.hasOwn(CSV.columns, name.toLowerCase())) return "csv";
  const text = decoded(bytes.subarray(0, Math.min(bytes.length, LIMITS.head) & ~1));
  if (SHAPES.pgn.test(text)) return "pgn";
  if (SHAPES.trf.test(text)) return "trf";
  const columns = firstColumns(text);
  return CSV.known.some((known) => known.every((one) => columns.includes(one))) ? "csv" : "";
}

/** The event of some files, `{name, bytes}`; `asked` is what was typed about points. */
function eventIn(all, asked = readingOf()) {
  const forms = all.map(formOf);
  const other = forms.findIndex((form) => ["pgn", "packed"].includes(form));
  if (other >= 0) refuse(`html.${forms[other]}`, { file: all[other].name });
  const single = ([first, second]) => (!second ? first
    : refuse("html.two_files", { first: first.name, second: second.name }));
  const reports = all.filter((_, k) => forms[k] === "trf");
  if (reports.length) return readTrf(single(reports), asked);
  const tables = Object.fromEntries(Object.keys(CSV.columns).map((table) =>
    [table, single(all.filter(({ name }) => name.toLowerCase().startsWith(stemOf(table))))]));
  const isLone = all.length === 1 && Object.values(tables).every((table) => !table);
  if (isLone && forms[0] !== "csv") refuse("html.unknown", { file: all[0].name });
  if (isLone) [tables["matches.csv"]] = all;
  if (!tables["matches.csv"]) refuse("html.no_matches");
  if (tables["penalties.csv"]) refuse("html.penalties", { file: tables["penalties.csv"].name });
  const { name: file, bytes } = tables["matches.csv"];
  const columns = firstColumns(decoded(bytes));
  need(!columns.includes("white_player") || columns.includes("team_a"), "html.individual", { file });
  return readTables(tables, asked, isLone ? stemOf(file) : "");
}
