"use strict";
// The page of a lookup table: shows the table, works out one team's TB2, ranks an event.
// Nothing is sent or loaded: all numbers and words are in the element `data`.
// The arithmetic is that of the program, in whole numbers; tests hold the two against each other.

const DATA = JSON.parse(document.getElementById("data").textContent);
const { rounds: ROUNDS, boards: BOARDS, points: POINTS, limits: LIMITS } = DATA;
const TENTHS = 10;

/** The words of a key, with its {fields} filled in. */
const say = (key, fields = {}) =>
  DATA.words[key].replace(/\{(\w+)\}/g, (_, name) => String(fields[name]));

// ------------------------------------------------------------------------------- arithmetic

const clamp = (x, low, high) => Math.max(low, Math.min(high, x));

/** x / unit, rounded to the nearest whole number, halves up. */
const nearest = (x, unit) => Math.floor((x + unit / 2) / unit);

/** An entry of a table for an opponent that counts as tenths of match points. */
function lookedUp(table, own, reading, halfPoints) {
  const row = table[own];
  const whole = Math.floor(reading / TENTHS);
  const above = reading - TENTHS * whole;
  const column = whole - DATA.columns[0];
  const low = row[column][halfPoints];
  const high = row[Math.min(column + 1, row.length - 1)][halfPoints];
  return nearest((TENTHS - above) * low + above * high, TENTHS);
}

/** Index of the first of the lowest keys (lists of numbers). */
function lowest(keys) {
  let best = 0;
  keys.forEach((key, k) => {
    const differs = key.findIndex((part, p) => part !== keys[best][p]);
    if (differs >= 0 && key[differs] < keys[best][differs]) best = k;
  });
  return best;
}

/** The item that a reduced sum leaves out: a bye, else fewest match points, else least `last`. */
const weakest = (items, last) => lowest(items.map((i, k) => [i.bye ? 0 : 1, i.mp, last[k]]));

/**
 * One team's values and their sum in one pass.
 * An item is a round: `counts` (else it adds nothing), `bye` (the first to be left out), `mp` of
 * the opponent, `reading` (what it counts as, in tenths) and `half` points scored.
 * Without a reduced rule `left` is -1: nothing is left out.
 */
function workOut(pass, own, items) {
  const values = items.map((i) =>
    i.counts ? lookedUp(POINTS[pass], own, i.reading, i.half) : 0);
  const last = DATA.passes ? items.map((i) => i.half) : values;
  const left = DATA.reduced && items.length ? weakest(items, last) : -1;
  const kept = values.map((value, k) => (k === left ? 0 : value));
  return { values, kept, left, sum: kept.reduce((a, b) => a + b, 0) };
}

/** Table points as they are published. */
const published = (points) => Math.round(points * DATA.unit * 1e4) / 1e4;

// ------------------------------------------------------------------------------- names and CSV

/** Control, format and unassigned characters escaped: no name can turn a line around. */
const plain = (text) =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, (c) => {
    const named = { "\t": "\\t", "\n": "\\n", "\r": "\\r" }[c];
    const code = c.codePointAt(0);
    const [letter, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
    return named ?? `\\${letter}${code.toString(16).padStart(digits, "0")}`;
  });

/** A CSV cell that no spreadsheet takes for a formula. */
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

/** Bad input: one line for people. */
class Refused extends Error {}

const refuse = (key, fields) => {
  throw new Refused(say(key, fields));
};

/** What a message repeats of a file: escaped, cut, and kept from turning its neighbours around. */
function quoted(text) {
  const all = [...text];
  return `“\u2068${plain(all.length > 60 ? all.slice(0, 57).join("") + "..." : text)}\u2069”`;
}

const lineAt = (text, index) => text.slice(0, index).split(/\r\n|\r|\n/).length;

function decoded(file, bytes) {
  if (bytes.length > LIMITS.bytes) refuse("html.too_big", { file, most: LIMITS.bytes });
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const lossy = new TextDecoder().decode(bytes);
    refuse("html.not_utf8", { file, line: lineAt(lossy, lossy.indexOf("\ufffd")) });
  }
  if (text.includes("\0")) {
    refuse("html.nul", { file, line: lineAt(text, text.indexOf("\0")) });
  }
  return text;
}

/** Where a field ends that starts at a place; -1 if its quotes do not close it. */
function fieldEnd(text, start) {
  let end = start;
  if (text[start] === '"') {
    do { // doubled quotes belong to the field
      end = text.indexOf('"', end + 1) + 1;
      if (!end) return -1;
    } while (text[end] === '"');
  }
  const delimiter = /[,\r\n]|$/g;
  delimiter.lastIndex = end;
  const next = delimiter.exec(text).index;
  return end === start || end === next ? next : -1;
}

/** The rows of CSV text, each with the line on which it starts. */
function* csvRows(file, text) {
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const start = at;
    const values = [];
    do {
      const end = fieldEnd(text, at);
      if (end < 0) refuse("html.not_csv", { file, line });
      values.push(text[at] === '"'
        ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end));
      at = end;
    } while (text[at] === "," && ++at);
    at += text.startsWith("\r\n", at) ? 2 : 1;
    yield { line, values };
    line += lineAt(text.slice(start, at), at - start) - 1;
  }
}

// What Python's `strip` takes off: not quite what `trim` does.
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

  /** One of a few words; the first of them where the field is empty. */
  choice(field, allowed) {
    const value = this.text(field) || allowed[0];
    if (!allowed.includes(value)) {
      this.refuse(field, say("html.allowed_one", { all: allowed.join(", ") }), value);
    }
    return value;
  }

  halfPoints(field) {
    const value = this.text(field);
    const shape = /^([0-9]{1,3})(?:\.(0|5)0*)?\.?$/.exec(value);
    const half = shape ? 2 * Number(shape[1]) + (shape[2] === "5" ? 1 : 0) : -1;
    if (half < 0 || half > 2 * LIMITS.boards) {
      this.refuse(field, say("html.allowed_half", { most: LIMITS.boards }), value);
    }
    return half;
  }
}

/** The rows of a file after its header. */
function* fileRows({ name: file, bytes }, required) {
  let header = null;
  let empty = true;
  for (const { line, values } of csvRows(file, decoded(file, bytes))) {
    if (values.every((value) => !strip(value))) continue;
    if (!header) {
      if (values.length > LIMITS.columns) {
        refuse("html.columns", { file, line, most: LIMITS.columns, got: values.length });
      }
      header = values.map(strip);
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

/** Boards decided: as the row says, else as many as the game points add up to. */
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

/** What a round without an opponent scores: by its kind, or as the row says. */
function byeHalfPoints(row, match, boards) {
  let half = DATA.byes[match.bye] * boards;
  if (row.text("game_points_a") && row.halfPoints("game_points_a") !== half) {
    if (match.recorded[0] === null) { // who departs from the kind must say both
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

const MATCH_COLUMNS = ["round", "team_a", "team_b", "game_points_a", "game_points_b"];

/**
 * An event from its files, `{name, bytes}`; `teamsFile` may be missing.
 * Teams are numbered in start order: that of teams.csv, else of first appearance. A match without
 * game points is not finished: its round and later ones are left out.
 */
function readEvent(matchesFile, teamsFile) {
  const teams = new Map();

  function add(row, field, name) {
    if (teams.size === LIMITS.teams) {
      row.refuse(field, say("html.allowed_teams", { most: LIMITS.teams }), name);
    }
    teams.set(name, teams.size);
  }

  function team(row, field) {
    const name = row.name(field);
    if (!teams.has(name)) {
      if (teamsFile) row.refuse(field, say("html.allowed_listed"), name);
      add(row, field, name);
    }
    return teams.get(name);
  }

  for (const row of teamsFile ? fileRows(teamsFile, ["team"]) : []) {
    const name = row.name("team");
    if (teams.has(name)) row.refuse("team", say("html.allowed_once"), name);
    add(row, "team", name);
  }
  const read = [];
  const used = new Set();
  let unfinished = Infinity;
  for (const row of fileRows(matchesFile, MATCH_COLUMNS)) {
    const number = row.text("match") ? row.integer("match", 0, 1e6) : read.length + 1;
    const round = row.integer("round", 1, LIMITS.rounds);
    if (used.has(`match ${round} ${number}`)) {
      row.refuse("match", say("html.allowed_match", { round }), String(number));
    }
    used.add(`match ${round} ${number}`);
    const a = team(row, "team_a");
    const b = row.text("team_b") ? team(row, "team_b") : null;
    if (a === b) row.refuse("team_b", say("html.allowed_other"), row.text("team_b"));
    for (const [field, one] of [["team_a", a], ["team_b", b]]) {
      if (one === null) continue;
      if (used.has(`team ${round} ${one}`)) {
        row.refuse(field, say("html.allowed_free", { round }), row.text(field));
      }
      used.add(`team ${round} ${one}`);
    }
    const match = { row, round, a, b, bye: "", halfA: 0, halfB: 0, decided: 0, forfeited: 0 };
    if (b === null) {
      match.bye = row.choice("bye", Object.keys(DATA.byes));
    } else if (row.text("bye")) {
      row.refuse("bye", say("html.allowed_no_bye"), row.text("bye"));
    } else if (!["game_points_a", "game_points_b", "boards_decided"].some((f) => row.text(f))) {
      unfinished = Math.min(unfinished, round);
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
    read.push(match);
  }
  const matches = read.filter((match) => match.round < unfinished);
  const boards = Math.max(0, ...matches.map((match) => match.decided));
  if (!boards) refuse("html.undecided", { file: matchesFile.name });
  for (const match of matches) {
    if (match.b === null) match.halfA = byeHalfPoints(match.row, match, boards);
  }
  const rounds = Math.max(...matches.map((match) => match.round));
  return { teams: [...teams.keys()], rounds, boards, matches };
}

// ------------------------------------------------------------------------------- ranking

/** Match points of both sides: by the game points, or as recorded. Who scores nothing has lost. */
function matchPoints({ b, bye, halfA, halfB, recorded }) {
  const sign = Math.sign(halfA - halfB);
  const nobody = halfA === 0 && halfB === 0;
  const won = b === null ? [DATA.byes[bye], 0] : nobody ? [0, 0] : [1 + sign, 1 - sign];
  return won.map((points, side) => recorded[side] ?? points);
}

/**
 * Every team's rounds, completed with virtual opponents (rule 14 of the Olympiad of 2016): a bye, a
 * match decided by default and a round without a pairing count as a match against an opponent that
 * has the team's own points before the round, 1 more for a bye or a win by default, and 1 more for
 * each later round. (`other` is then null.)
 */
function eventItems(event) {
  const unpaired = { other: null, half: 0, gained: 0, bye: false, more: 0 };
  const items = event.teams.map(() => Array(event.rounds).fill(unpaired));
  for (const match of event.matches) {
    const { round, a, b, bye, halfA, halfB, decided, forfeited } = match;
    const [gainedA, gainedB] = matchPoints(match);
    const real = b !== null && forfeited !== decided;
    items[a][round - 1] = {
      other: real ? b : null,
      half: halfA,
      gained: gainedA,
      bye: bye === "pairing",
      more: (b === null ? bye !== "zero" : halfA > halfB) ? 1 : 0,
    };
    if (b === null) continue;
    items[b][round - 1] = {
      other: real ? a : null,
      half: halfB,
      gained: gainedB,
      bye: false,
      more: halfB > halfA ? 1 : 0,
    };
  }
  const total = (name) => items.map((row) => row.reduce((sum, item) => sum + item[name], 0));
  const mp = total("gained");
  for (const row of items) {
    let before = 0;
    row.forEach((item, r) => {
      const virtual = before + item.more + event.rounds - 1 - r;
      const points = item.other === null ? virtual : mp[item.other];
      row[r] = { ...item, mp: points, counts: true, reading: TENTHS * points };
      before += item.gained;
    });
  }
  return { items, mp, half: total("half") };
}

/** Every team worked out in the last pass; in each an opponent is read by the pass before. */
function workOutAll(items, mp) {
  const all = (pass) => items.map((row, team) => workOut(pass, mp[team], row));
  let worked = all(0);
  for (let pass = 1; pass < POINTS.length; pass += 1) {
    items = items.map((row) => row.map((item, r) => {
      if (item.other === null) return item; // a virtual opponent is never refined
      const { sum, kept } = worked[item.other]; // without its match with the team itself
      const gained = nearest(sum - kept[r], DATA.hundred / TENTHS);
      const held = clamp(gained, -DATA.most, DATA.most);
      return { ...item, reading: TENTHS * item.mp + held };
    }));
    worked = all(pass);
  }
  return worked;
}

/** The final standings: match points, TB2, game points, TB4, then start order. */
function rank(event) {
  if (event.boards !== BOARDS) {
    refuse("html.wrong_boards", { table: DATA.table, boards: BOARDS, got: event.boards });
  }
  if (event.rounds !== ROUNDS) {
    refuse("html.wrong_rounds", { table: DATA.table, rounds: ROUNDS, got: event.rounds });
  }
  const { items, mp, half } = eventItems(event);
  const worked = workOutAll(items, mp);
  const keys = items.map((row, team) => {
    const left = weakest(row, row.map(() => 0));
    const tb4 = row.reduce((sum, item, r) => (r === left ? sum : sum + item.mp), 0);
    return [mp[team], worked[team].sum, half[team], tb4];
  });
  const order = (a, b) => keys[b].map((key, k) => key - keys[a][k]).find((d) => d !== 0) ?? 0;
  const rows = [];
  let last = null;
  for (const team of keys.map((_, number) => number).sort(order)) { // sorting keeps the start order
    const shared = last !== null && order(last, team) === 0;
    const [own, tb2, halfPoints, tb4] = keys[team];
    rows.push({
      place: shared ? rows.at(-1).place : rows.length + 1,
      team: event.teams[team],
      mp: own,
      tb2: published(tb2),
      gp: halfPoints / 2,
      tb4,
    });
    last = team;
  }
  return rows;
}

// ------------------------------------------------------------------------------- the page

const byId = (id) => document.getElementById(id);

/** An element with properties, attributes (`aria-...`) and children. */
function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** A number for reading: with a real minus sign. */
const shown = (value) => String(value).replace("-", "\u2212");

/** Fill a list of passes; without a choice it stays hidden. */
function choosePass(select, changed) {
  POINTS.forEach((_, pass) =>
    select.append(new Option(say("doc.pass_number", { number: pass + 1 }), pass)));
  select.closest("label").hidden = POINTS.length === 1;
  select.addEventListener("change", changed);
}

// --- the table

// Matplotlib's cividis in nine steps: even in lightness, the same to colour-blind eyes.
const CIVIDIS = ["00224e", "1a386f", "434e6c", "61656f", "7d7c78", "9b9476", "bcae6c", "dec958",
  "fee838"].map((hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)));

/** Ground and ink for a share 0..1 of the scale; black and white: the one with more contrast. */
function colours(share) {
  const at = share * (CIVIDIS.length - 1);
  const low = Math.min(Math.floor(at), CIVIDIS.length - 2);
  const ground = CIVIDIS[low].map((c, k) => c + (at - low) * (CIVIDIS[low + 1][k] - c));
  const [red, green, blue] = ground.map((c) => (c / 255) ** 2.2);
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return [`rgb(${ground.map(Math.round).join(" ")})`, light > 0.18 ? "#000" : "#fff"];
}

const RANGES = POINTS.map((table) => {
  const all = table.flat(2);
  return all.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [all[0], all[0]]);
});

function showTable() {
  const own = byId("own");
  const pass = byId("pass");
  const table = byId("heat");
  const cells = Array.from({ length: 2 * BOARDS + 1 }, (_, half) =>
    DATA.columns.map((_, column) => element("td", {
      role: "gridcell", tabIndex: -1, "data-half": half, "data-column": column,
    })));
  table.tHead.rows[0].append(...DATA.columns.map((mp) =>
    element("th", { scope: "col", textContent: shown(mp) })));
  table.tBodies[0].append(...cells.map((row, half) =>
    element("tr", {}, element("th", { scope: "row", textContent: half / 2 }), ...row)));

  const valueOf = (td) =>
    POINTS[pass.value][own.value][td.dataset.column][td.dataset.half];

  function sentence(td) {
    return say(DATA.passes ? "html.cell_pass" : "html.cell", {
      pass: Number(pass.value) + 1,
      own: own.value,
      mp: shown(DATA.columns[td.dataset.column]),
      gp: td.dataset.half / 2,
      value: shown(published(valueOf(td))),
    });
  }

  function draw() {
    byId("own-shown").textContent = own.value;
    const block = say("doc.own_mp_number", { number: own.value });
    const number = say("doc.pass_number", { number: Number(pass.value) + 1 });
    table.caption.firstChild.textContent = say(DATA.passes ? "html.caption_pass" : "html.caption", {
      block: POINTS.length > 1 ? `${number}. ${block}` : block,
    });
    const [low, high] = RANGES[pass.value];
    for (const td of cells.flat()) {
      const value = valueOf(td);
      const [ground, ink] = colours((value - low) / Math.max(1, high - low));
      td.textContent = shown(published(value));
      td.style.backgroundColor = ground;
      td.style.color = ink;
      td.ariaLabel = sentence(td);
    }
    byId("readout").textContent = "\u00a0";
  }

  const read = (event) => {
    const td = event.target.closest("td");
    if (td) byId("readout").textContent = sentence(td);
  };

  // One cell is in the tab order: the one last focused. Arrows move from there.
  let current = cells[BOARDS][DATA.columns.indexOf(ROUNDS)];
  current.tabIndex = 0;
  table.addEventListener("mouseover", read);
  table.addEventListener("focusin", (event) => {
    current.tabIndex = -1;
    current = event.target;
    current.tabIndex = 0;
    read(event);
  });
  table.addEventListener("keydown", (event) => {
    const width = DATA.columns.length;
    const steps = {
      ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
      Home: [0, -width], End: [0, width],
    };
    const step = steps[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    const row = clamp(Number(current.dataset.half) + step[0], 0, cells.length - 1);
    const column = clamp(Number(current.dataset.column) + step[1], 0, width - 1);
    cells[row][column].focus();
    event.preventDefault();
  });
  own.addEventListener("input", draw);
  choosePass(pass, draw);
  draw();
}

// --- the calculator

/** Tenths from what was typed, or null: 14, 14.3, 14,3. */
function typedTenths(text) {
  const shape = /^([-\u2212+]?)([0-9]{1,3})(?:[.,]([0-9]))?$/.exec(text.trim());
  if (!shape) return null;
  const tenths = TENTHS * Number(shape[2]) + Number(shape[3] ?? 0);
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
  const byReading = DATA.passes && pass > 0;
  const byPoints = !byReading || DATA.reduced; // fewest match points decide what is left out
  const byes = typed.filter((row) => row.bye).length;
  const problems = [];
  const bad = (key, round, low, high) => problems.push({ key, round, low, high });
  let filled = 0;
  const items = typed.map((row, r) => {
    const unread = { bye: row.bye, counts: false, mp: 0, reading: 0, half: 0 };
    if (row.bye && (DATA.passes || (!row.mp && byes === 1))) {
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

function showCalculator() {
  const own = byId("team-own");
  const pass = byId("team-pass");
  const body = byId("team").tBodies[0];
  const result = byId("team-result");
  const label = (what, round) => say("html.in_round", { what, round });
  const byeName = say(DATA.passes ? "html.no_match" : "doc.bye");

  const rows = Array.from({ length: ROUNDS }, (_, r) => {
    const text = (what) => element("input", {
      type: "text", inputMode: "decimal", autocomplete: "off", size: 4,
      "aria-label": label(say(what), r + 1),
    });
    const row = {
      mp: text("doc.opponent_mp"),
      counted: text("doc.counts_as"),
      gp: element("select", { autocomplete: "off", "aria-label": label(say("doc.gp"), r + 1) },
        new Option("", ""),
        ...Array.from({ length: 2 * BOARDS + 1 }, (_, half) => new Option(half / 2, half / 2))),
      bye: element("input", {
        type: "checkbox", autocomplete: "off", "aria-label": label(byeName, r + 1),
      }),
      value: element("td", { className: "n value" }),
      note: element("td"),
    };
    row.line = element("tr", {},
      element("th", { scope: "row", className: "n", textContent: r + 1 }),
      element("td", { className: "of-mp" }, row.mp),
      element("td", { className: "of-counted" }, row.counted),
      element("td", {}, row.gp),
      element("td", {}, row.bye),
      row.value, row.note);
    return row;
  });
  body.append(...rows.map((row) => row.line));

  function work() {
    const number = Number(pass.value);
    const typed = rows.map(({ mp, counted, gp, bye }) =>
      ({ mp: mp.value.trim(), counted: counted.value.trim(), gp: gp.value, bye: bye.checked }));
    const found = checked(number, own.value.trim(), typed);
    const present = found.items.flatMap((item, r) => (item ? [r] : []));
    const worked = found.own === null ? null
      : workOut(number, found.own, present.map((r) => found.items[r]));
    const left = worked && worked.left >= 0 ? present[worked.left] : -1;
    rows.forEach((row, r) => {
      const at = worked ? present.indexOf(r) : -1;
      row.value.textContent = at < 0 ? "" : shown(published(worked.values[at]));
      row.note.textContent = r === left ? say("doc.left_out") : "";
      row.line.classList.toggle("out", r === left);
      row.gp.disabled = DATA.passes && row.bye.checked;
    });
    for (const [input, field, r] of [[own, "own", null],
      ...rows.flatMap((row, k) => [[row.mp, "mp", k], [row.counted, "counted", k]])]) {
      const wrong = found.problems.some((p) => p.key === field && p.round === r);
      input.setAttribute("aria-invalid", String(wrong));
    }
    result.textContent = summary(number, found, worked, left);
  }

  function summary(number, found, worked, left) {
    if (found.problems.length) {
      const { key, round, low, high } = found.problems[0];
      return say(`html.bad_${key}`, { round: round + 1, low: shown(low), high: shown(high) });
    }
    const progress = found.filled < ROUNDS
      ? [say("html.filled", { filled: found.filled, rounds: ROUNDS })] : [];
    if (!worked || !found.filled) return progress.join(" ");
    const last = number === POINTS.length - 1;
    const sum = shown(published(worked.sum));
    const parts = [say(last ? "html.sum" : "html.sum_pass", { pass: number + 1, sum })];
    if (left >= 0) parts.push(say("html.left_out", { round: left + 1 }));
    return [...parts, ...progress].join(" ");
  }

  function showColumns() {
    const refined = DATA.passes && Number(pass.value) > 0;
    byId("team").classList.toggle("refined", refined);
    byId("team").classList.toggle("unread", refined && !DATA.reduced);
    work();
  }

  body.addEventListener("input", work);
  body.addEventListener("change", work); // of a list: not everything that chooses also inputs
  own.addEventListener("input", work);
  byId("team-clear").addEventListener("click", () => {
    for (const row of rows) {
      row.mp.value = row.counted.value = row.gp.value = "";
      row.bye.checked = false;
    }
    own.value = "";
    work();
    own.focus();
  });
  choosePass(pass, showColumns);
  showColumns();
}

// --- an event

async function opened(file) {
  const name = plain(file.name);
  try {
    return { name, bytes: new Uint8Array(await file.arrayBuffer()) };
  } catch { // a folder, or a file that is gone
    return refuse("html.unreadable", { file: name });
  }
}

/** The event of some chosen files, told apart by how their names begin; others are left alone. */
async function chosenEvent(files) {
  const [matches, teams] = ["matches", "teams"].map((kind) => {
    const found = files.filter((file) => file.name.toLowerCase().startsWith(kind));
    if (found.length > 1) {
      refuse("html.two_files", { first: plain(found[0].name), second: plain(found[1].name) });
    }
    return found[0];
  });
  if (!matches) refuse("html.no_matches");
  return readEvent(await opened(matches), teams && (await opened(teams)));
}

function showRanking() {
  const status = byId("event-status");
  const picker = byId("event-files");
  const table = byId("standings");
  let rows = [];

  async function use(files) {
    rows = [];
    let message;
    try {
      rows = rank(await chosenEvent(files));
      message = say("html.ranked", { teams: rows.length, table: DATA.table });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      message = error.message;
    }
    status.textContent = message;
    status.classList.toggle("refused", !rows.length);
    byId("event-result").hidden = !rows.length;
    // Names are text in an element of their own direction, never markup.
    table.tBodies[0].replaceChildren(...rows.map((row) => element("tr", {},
      element("th", { scope: "row", className: "n", textContent: row.place }),
      element("td", {}, element("bdi", { textContent: plain(row.team) })),
      ...[row.mp, row.tb2, row.gp, row.tb4].map((value) =>
        element("td", { className: "n", textContent: shown(value) })))));
  }

  picker.addEventListener("change", () => {
    use([...picker.files]);
    picker.value = ""; // the same file, corrected, may be chosen again
  });

  // A file may be dropped anywhere: beside the zone it would replace the page.
  const zone = byId("zone");
  const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    zone.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) zone.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    zone.classList.remove("over");
    if (!carriesFiles(event)) return;
    event.preventDefault();
    use([...event.dataTransfer.files]);
  });

  byId("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(rankingCsv(rows));
      status.textContent = say("html.copied");
    } catch {
      status.textContent = say("html.not_copied");
    }
  });
  byId("save").addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([rankingCsv(rows)], { type: "text/csv" }));
    element("a", { href: address, download: "standings.csv" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  });
}

// For the tests and for the curious: the arithmetic without the page.
globalThis.tb2learn = { lookedUp, workOut, checked, readEvent, rank, rankingCsv, plain };

showTable();
showCalculator();
showRanking();
