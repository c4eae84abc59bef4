// This part opens what is dropped on the page: text, compressed files, workbooks.

/** What is made of a file; refused if it is damaged. */
function readable(file, make) {
  try {
    return make(new DataView(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength));
  } catch {
    return refuse("html.unreadable", { file: file.name });
  }
}

/** Take some bytes of those that may be unpacked of a file; refuses it if it has more. */
function spend(file, count) {
  file.left = (file.left ?? LIMITS.bytes) - count;
  if (file.left < 0) refuse("html.too_big", { file: file.name, most: LIMITS.bytes });
}

/** The bytes behind a compression, `gzip` or `deflate-raw`; refuses more than a file may have. */
async function inflated(file, bytes, kind) {
  const { name } = file;
  const parts = [];
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(kind)).getReader();
  for (;;) {
    const step = await reader.read().catch(() => refuse("html.unreadable", { file: name }));
    if (step.done) break;
    try {
      spend(file, step.value.length);
    } catch (error) {
      await reader.cancel();
      throw error;
    }
    parts.push(step.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The members of a zip by name: where each is, how it is packed. Members may overlap. */
const zipMembers = (file) => readable(file, (view) => {
  let end = view.byteLength - 22;
  while (view.getUint32(end, true) !== 0x06054b50) end -= 1;
  const members = new Map();
  let at = view.getUint32(end + 16, true);
  for (let k = view.getUint16(end + 10, true); k > 0; k -= 1) {
    const [nameLength, extra, comment] = [28, 30, 32].map((o) => view.getUint16(at + o, true));
    const name = new TextDecoder().decode(file.bytes.subarray(at + 46, at + 46 + nameLength));
    members.set(name, {
      packed: view.getUint16(at + 10, true), size: view.getUint32(at + 20, true),
      start: view.getUint32(at + 42, true),
    });
    at += 46 + nameLength + extra + comment;
  }
  return members;
});

async function zipMember(file, { packed, size, start }) {
  const at = readable(file, (view) =>
    start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true));
  const content = file.bytes.subarray(at, at + size);
  if (packed === 8) return inflated(file, content, "deflate-raw");
  if (packed !== 0) refuse("html.unreadable", { file: file.name });
  spend(file, content.length);
  return content;
}

async function xmlOf(file, members, name) {
  if (!members.has(name)) return null;
  const whole = new TextDecoder().decode(await zipMember(file, members.get(name)));
  const text = withoutEmptyRows(whole);
  if (text.split(/<(?:\w+:)?row\b/).length > LIMITS.rows + 1) tooManyRows(file);
  const xml = new DOMParser().parseFromString(text, "application/xml");
  // A document type could define entities of its own.
  if (text.includes("<!DOCTYPE") || xml.getElementsByTagName("parsererror").length) {
    refuse("html.unreadable", { file: file.name });
  }
  return xml;
}

const tagged = (node, name) => [...node?.getElementsByTagNameNS("*", name) ?? []];
const textsIn = (node, name) => tagged(node, name).map((one) => one.textContent).join("");

/** The column of a cell such as `AB7`, from 0. */
const columnOf = (address) =>
  [.../^[A-Z]{1,3}/.exec(address)?.[0] ?? ""].reduce((n, c) => 26 * n + c.charCodeAt(0) - 64, 0) - 1;

const tooManyRows = (file) => refuse("html.rows", { file: file.name, most: LIMITS.rows });

/** A sheet without cells that have no value and rows that have no cell: a million are a slow page. */
const withoutEmptyRows = (text) => text.replace(/<(?:\w+:)?c\b[^<>]*\/>/g, "")
  .replace(/<(?:\w+:)?row\b[^<>]*(?:\/>|>\s*<\/(?:\w+:)?row>)/g, "");

/** The rows of a sheet as texts, each with its line; many empty rows end it. */
function sheetRows(file, xml, shared) {
  const rows = allRows(xml, shared);
  const lines = [0, ...rows.map(({ line }) => line)];
  const end = rows.findIndex(({ line }, k) => line - lines[k] > LIMITS.emptyRows + 1);
  const found = end < 0 ? rows : rows.slice(0, end);
  if (found.some(({ line }) => line > LIMITS.rows)) tooManyRows(file);
  return found;
}

function allRows(xml, shared) {
  return tagged(xml, "row").map((row, k) => {
    const values = [];
    for (const cell of tagged(row, "c")) {
      const column = columnOf(cell.getAttribute("r") ?? "");
      const at = column < 0 ? values.length : column;
      if (at >= LIMITS.columns) continue;
      const kind = cell.getAttribute("t");
      const value = textsIn(cell, kind === "inlineStr" ? "t" : "v");
      while (values.length < at) values.push("");
      values[at] = kind === "s" ? shared[Number(value)] ?? "" : value;
    }
    return { line: Number(row.getAttribute("r")) || k + 1, values };
  }).filter(({ values }) => values.some(Boolean));
}

/** The sheets of a workbook as files of rows: by name, or the first one as the matches. */
async function workbookFiles(file, members) {
  const [book, links, strings] = await Promise.all(
    ["workbook.xml", "_rels/workbook.xml.rels", "sharedStrings.xml"].map((name) =>
      xmlOf(file, members, `xl/${name}`)));
  const shared = tagged(strings, "si").map((item) => textsIn(item, "t"));
  const targets = new Map(tagged(links, "Relationship").map((link) =>
    [link.getAttribute("Id"), link.getAttribute("Target")]));
  const found = [];
  const sheets = tagged(book, "sheet");
  if (sheets.length > LIMITS.sheets) refuse("html.unreadable", { file: file.name });
  for (const sheet of sheets) {
    const id = [...sheet.attributes].find(({ localName, prefix }) => localName === "id" && prefix);
    const target = (targets.get(id?.value) ?? "").replace(/^\/?(xl\/)?/, "xl/");
    const xml = await xmlOf(file, members, target);
    const name = sheet.getAttribute("name") ?? "";
    const label = `${file.name} (${plain(name)})`;
    if (xml) found.push({ name, label, rows: sheetRows(file, xml, shared) });
  }
  if (found.length && !found.some(({ name }) => /^matches/i.test(name))) found[0].name = "matches";
  return found;
}

/** The files behind one file that was chosen: itself, or what it contains. */
async function unpacked(file) {
  const { name, bytes } = file;
  delete file.left; // it may have been unpacked before, under other options
  if (bytes.length > LIMITS.bytes) refuse("html.too_big", { file: name, most: LIMITS.bytes });
  const start = latin1(bytes.subarray(0, 4));
  if (start.startsWith("\x1f\x8b")) {
    return [{ name: name.replace(/\.gz$/i, ""), bytes: await inflated(file, bytes, "gzip") }];
  }
  if (start !== "PK\x03\x04") return [file];
  const members = zipMembers(file);
  if (members.has("xl/workbook.xml")) return workbookFiles(file, members);
  const inside = [...members].map(([path, member]) => [path.split("/").at(-1), member])
    .filter(([name]) => name && !/^(?:\.|__)/.test(name));
  if (inside.length > LIMITS.members) refuse("html.unreadable", { file: name });
  return Promise.all(inside.map(async ([of, member]) =>
    ({ name: plain(of), bytes: await zipMember(file, member) })));
}

/** What a file is by its content: `trf`, `pgn` or `csv`; empty for nothing that is read. */
function formOf({ name, bytes, rows }) {
  if (rows || Object.hasOwn(CSV.columns, name.toLowerCase())) return "csv";
  const text = decoded(bytes.subarray(0, Math.min(bytes.length, LIMITS.head) & ~1));
  if (SHAPES.pgn.test(text)) return "pgn";
  if (SHAPES.trf.test(text)) return "trf";
  return beginsLikeMatches(text) ? "csv" : "";
}

/** The event of files that are not packed: one TRF or PGN, else the tables among them. */
function eventIn(all, asked) {
  const whole = all.filter((file) => ["trf", "pgn"].includes(formOf(file)));
  const single = ([first, second]) => {
    if (second) refuse("html.two_files", { first: first.name, second: second.name });
    return first;
  };
  if (whole.length) return (formOf(single(whole)) === "trf" ? readTrf : readPgn)(whole[0], asked);
  const tables = {};
  for (const table of Object.keys(CSV.columns)) {
    const isNamed = ({ name }) => name.toLowerCase().startsWith(table.replace(".csv", ""));
    tables[table] = single(all.filter(isNamed));
  }
  const lone = all.length === 1 && Object.values(tables).every((table) => !table);
  if (lone && !asked.strict && formOf(all[0]) === "csv") tables["matches.csv"] = all[0];
  if (lone && !tables["matches.csv"]) refuse("html.unknown", { file: all[0].name });
  if (!tables["matches.csv"]) refuse("html.no_matches");
  return readTables(tables, asked);
}

/** The event of some files, `{name, bytes}`; `asked` is what the user says about them. */
const eventOf = async (files, asked = readingOf()) =>
  eventIn((await Promise.all(files.map(unpacked))).flat(), asked);
