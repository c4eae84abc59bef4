// This part is the user interface: the table, the calculator of one team's TB2, the standings.

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

/** A number as text, with a typographic minus sign. */
const shown = (value) => String(value).replace("-", "\u2212");

/** Fill a list of passes; with only one it stays hidden. */
function choosePass(select, count, changed) {
  for (let pass = 0; pass < count; pass += 1) {
    select.append(new Option(say("doc.pass_number", { number: pass + 1 }), pass));
  }
  select.closest("label").hidden = count === 1;
  select.addEventListener("change", changed);
}

// --- the table

// Of a rule without par: matplotlib's cividis in nine steps, from dark to light. Around par: from
// orange over white to blue. Both are uniform in lightness, and suitable for colour-blind people.
const fromHex = (hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
const CIVIDIS = ["00224e", "1a386f", "434e6c", "61656f", "7d7c78", "9b9476", "bcae6c", "dec958",
  "fee838"].map(fromHex);
const AROUND_PAR = ["8a3f00", "c26a1a", "e9a861", "f8dcbc", "ffffff", "c6dcef", "7fb2dc", "3579b8",
  "0b4a86"].map(fromHex);
const HAS_PAR = DATA.passes || Boolean(FORMULA);
const SCALE = HAS_PAR ? AROUND_PAR : CIVIDIS;

/** Colours of a cell for a share 0..1 of the scale; its text is black or white, by contrast. */
function colours(share) {
  const at = share * (SCALE.length - 1);
  const low = Math.min(Math.floor(at), SCALE.length - 2);
  const ground = SCALE[low].map((c, k) => c + (at - low) * (SCALE[low + 1][k] - c));
  const [red, green, blue] = ground.map((c) => (c / 255) ** 2.2);
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return [`rgb(${ground.map(Math.round).join(" ")})`, light > 0.18 ? "#000" : "#fff"];
}

/** What stands in a table: an entry, or what the formula gives for a whole number of MP. */
const entry = (pass, own, column, half) =>
  (FORMULA ? Math.round(100 * worthOf(0, own, TENTHS * DATA.columns[column], half)) / 100
    : POINTS[pass][own][column][half]);

/** The ends of the scale of every table; as far below par as above it, if there is a par. */
const RANGES = Array.from({ length: FORMULA ? 1 : PASSES }, (_, pass) => {
  const all = FORMULA ? [-BOARDS, BOARDS] : POINTS[pass].flat(2);
  const low = all.reduce((found, x) => Math.min(found, x));
  const high = all.reduce((found, x) => Math.max(found, x));
  const most = Math.max(-low, high);
  return HAS_PAR ? [-most, most] : [low, high];
});

/** The index of the value nearest to par, which is 0; -1 if all values are on one side of it. */
function nearestPar(values) {
  if (!HAS_PAR || Math.min(...values) > 0 || Math.max(...values) < 0) return -1;
  const sizes = values.map(Math.abs);
  return sizes.indexOf(Math.min(...sizes));
}

/** The columns of a table that are shown: their indices in `DATA.columns`. */
const shownColumns = (pass) => columnsOf(pass).map((mp) => DATA.columns.indexOf(mp));

/** One cell is in the tab order: the one last focused. Arrows move from there. */
function moveByKeys(table, cells, visible) {
  let current = cells[BOARDS][DATA.columns.indexOf(ROUNDS)];
  current.tabIndex = 0;
  table.addEventListener("focusin", (event) => {
    current.tabIndex = -1;
    current = event.target;
    current.tabIndex = 0;
  });
  table.addEventListener("keydown", (event) => {
    const columns = visible();
    const width = DATA.columns.length;
    const steps = {
      ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
      Home: [0, -width], End: [0, width],
    };
    const step = steps[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    const row = clamp(Number(current.dataset.half) + step[0], 0, cells.length - 1);
    const column = clamp(Number(current.dataset.column) + step[1], columns[0], columns.at(-1));
    cells[row][column].focus();
    event.preventDefault();
  });
}

/** The scale of colours with its ends and, in the middle, par. */
function showScale(low, high) {
  const ends = HAS_PAR ? [low, 0, high] : [low, high];
  byId("scale").replaceChildren(...ends.map((value, k) => {
    const [ground, ink] = colours(k / (ends.length - 1));
    const mark = element("span", { textContent: shown(published(value)) });
    if (HAS_PAR && value === 0) mark.classList.add("par");
    mark.style.backgroundColor = ground;
    mark.style.color = ink;
    return mark;
  }));
}

// --- the booklet, which is printed

/** A table without colours: a caption, heads and rows of cells. */
const plainTable = (caption, heads, rows, par = () => -1) => element("table", { className: "block" },
  element("caption", { textContent: caption }),
  element("thead", {}, element("tr", {}, ...heads.map((head) =>
    element("th", { scope: "col", textContent: head })))),
  element("tbody", {}, ...rows.map((cells, n) => element("tr", {}, ...cells.map((cell, k) =>
    (k ? element("td", { textContent: cell, className: k - 1 === par(n) ? "par" : "" })
      : element("th", { scope: "row", textContent: cell })))))));

/** All tables of a rule; of a formula the game points that it expects. */
function* bookletTables() {
  if (FORMULA) {
    const leads = Array.from({ length: 4 * ROUNDS + 1 }, (_, k) => k - 2 * ROUNDS);
    yield plainTable("", [say("doc.lead"), say("doc.expected")],
      leads.map((lead) => [shown(lead), expectedPoints(lead).toFixed(2)]));
    return;
  }
  for (let pass = 0; pass < PASSES; pass += 1) {
    const columns = shownColumns(pass);
    const heads = [say("doc.gp"), ...columns.map((column) => shown(DATA.columns[column]))];
    for (let own = 0; own <= 2 * ROUNDS; own += 1) {
      const number = say("doc.pass_number", { number: pass + 1 });
      const block = say("doc.own_mp_number", { number: own });
      const rows = Array.from({ length: 2 * BOARDS + 1 }, (_, half) =>
        columns.map((column) => entry(pass, own, column, half)));
      yield plainTable(PASSES > 1 ? `${number}. ${block}` : block, heads,
        rows.map((values, half) => [half / 2, ...values.map((x) => shown(published(x)))]),
        (half) => nearestPar(rows[half]));
    }
  }
}

/** The booklet is long, so that it is made when it is printed for the first time. */
function makeBooklet() {
  const booklet = byId("booklet");
  const make = () => {
    if (!booklet.childElementCount) booklet.append(...bookletTables());
  };
  addEventListener("beforeprint", make);
  matchMedia("print").addEventListener("change", ({ matches }) => matches && make());
}

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

  const heads = [...table.tHead.rows[0].cells].slice(1);
  const valueOf = (td) => entry(pass.value, own.value, td.dataset.column, td.dataset.half);

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
      block: RANGES.length > 1 ? `${number}. ${block}` : block,
    });
    const [low, high] = RANGES[pass.value];
    const columns = shownColumns(Number(pass.value));
    heads.forEach((head, column) => { head.hidden = !columns.includes(column); });
    for (const row of cells) {
      const values = columns.map((column) => valueOf(row[column]));
      const par = columns[nearestPar(values)];
      row.forEach((td, column) => {
        td.hidden = !columns.includes(column);
        if (td.hidden) return;
        const value = valueOf(td);
        const [ground, ink] = colours((value - low) / Math.max(1, high - low));
        td.textContent = shown(published(value));
        td.style.backgroundColor = ground;
        td.style.color = ink;
        td.classList.toggle("par", column === par);
        td.ariaLabel = sentence(td);
      });
    }
    showScale(low, high);
    byId("readout").textContent = "\u00a0";
  }

  const read = (event) => {
    const td = event.target.closest("td");
    if (td) byId("readout").textContent = sentence(td);
  };

  table.addEventListener("mouseover", read);
  table.addEventListener("focusin", read);
  moveByKeys(table, cells, () => shownColumns(Number(pass.value)));
  own.addEventListener("input", draw);
  choosePass(pass, RANGES.length, draw);
  draw();
}

// --- the calculator

/** A line of the calculator: the fields of round `r` (from 0), its points and a note. */
function teamRow(r) {
  const label = (what) => say("html.in_round", { what, round: r + 1 });
  const text = (what) => element("input", {
    type: "text", inputMode: "decimal", autocomplete: "off", size: 4,
    "aria-label": label(say(what)),
  });
  const row = {
    mp: text("doc.opponent_mp"),
    counted: text("doc.counts_as"),
    gp: element("select", { autocomplete: "off", "aria-label": label(say("doc.gp")) },
      new Option("", ""),
      ...Array.from({ length: 2 * BOARDS + 1 }, (_, half) => new Option(half / 2, half / 2))),
    bye: element("input", {
      type: "checkbox", autocomplete: "off",
      "aria-label": label(say("doc.bye")),
    }),
    value: element("td", { className: "n value" }),
    note: element("td"),
  };
  row.line = element("tr", {},
    element("th", { scope: "row", className: "n", textContent: r + 1 }),
    element("td", { className: "of-mp" }, row.mp),
    element("td", { className: "of-counted" }, row.counted),
    element("td", {}, row.gp),
    element("td", { className: "of-bye" }, row.bye),
    row.value, row.note);
  return row;
}

/** The message of the calculator: the first problem, or the sum and the number of rounds. */
function summary(pass, found, worked, left) {
  if (found.problems.length) {
    const { key, round, low, high } = found.problems[0];
    return say(`html.bad_${key}`, { round: round + 1, low: shown(low), high: shown(high) });
  }
  const progress = found.filled < ROUNDS
    ? [say("html.filled", { filled: found.filled, rounds: ROUNDS })] : [];
  if (!worked || !found.filled) return progress.join(" ");
  const last = pass === PASSES - 1;
  const sum = shown(published(worked.sum));
  const parts = [say(last ? "html.sum" : "html.sum_pass", { pass: pass + 1, sum })];
  if (left >= 0) parts.push(say("html.left_out", { round: left + 1 }));
  return [...parts, ...progress].join(" ");
}

function showCalculator() {
  const own = byId("team-own");
  const pass = byId("team-pass");
  const body = byId("team").tBodies[0];
  const rows = Array.from({ length: ROUNDS }, (_, r) => teamRow(r));
  byId("team").classList.toggle("whole", !DATA.reduced); // byes only matter for what is left out
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
    });
    for (const [input, field, r] of [[own, "own", null],
      ...rows.flatMap((row, k) => [[row.mp, "mp", k], [row.counted, "counted", k]])]) {
      const wrong = found.problems.some((p) => p.key === field && p.round === r);
      input.setAttribute("aria-invalid", String(wrong));
    }
    byId("team-result").textContent = summary(number, found, worked, left);
  }

  function showColumns() {
    const refined = HAS_PAR && Number(pass.value) > 0;
    byId("team").classList.toggle("refined", refined);
    byId("team").classList.toggle("unread", refined && !DATA.reduced);
    work();
  }

  body.addEventListener("input", work);
  body.addEventListener("change", work); // lists: not all browsers fire `input` for them
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
  choosePass(pass, PASSES, showColumns);
  showColumns();
}

// --- an event

async function opened(file) {
  if (!(file instanceof File)) return file; // read before, under other options
  const name = plain(file.name);
  try {
    return { name, bytes: new Uint8Array(await file.arrayBuffer()) };
  } catch { // a folder, or a file that was removed
    return refuse("html.unreadable", { file: name });
  }
}

/** Accept files dropped anywhere: outside of the zone the browser would open them instead. */
function dropAnywhere(use) {
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
}

/** How probable it is that a team is better than the next one, if that has as many match points. */
function beforeNext(row, next) {
  if (!next || next.mp !== row.mp || !(row.mp in DATA.confidence)) return "";
  const odds = 10 ** (-(row.tb2 - next.tb2) / DATA.confidence[row.mp]);
  return `${Math.round(100 / (1 + odds))}%`;
}

function showRanking() {
  const status = byId("event-status");
  const picker = byId("event-files");
  const table = byId("standings");
  const policy = byId("policy");
  const asked = ["match-points", "bye-points", "strict", "trust"].map(byId);
  const [matchPoints, byePoints, strict, trust] = asked;
  let rows = [];
  let files = null;
  let event = null;
  policy.append(...Object.entries(DATA.policies).map(([name, title]) =>
    element("option", { value: name, textContent: name, title })));

  async function use(chosen) {
    [files, event] = [null, null];
    try {
      files = await Promise.all(chosen.map(opened));
      event = await eventOf(files, readingOf({
        matchPoints: matchPoints.value, byePoints: byePoints.value, strict: strict.checked,
        trust: trust.checked,
      }));
    } catch (error) {
      return show(error);
    }
    return show();
  }

  /** The standings of the event under the policy that is chosen, or why there are none. */
  function show(refused = null) {
    rows = [];
    let message;
    try {
      if (refused) throw refused;
      rows = rank(event, policy.value);
      message = say("html.ranked", { teams: rows.length, table: DATA.table });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      message = error.message;
    }
    status.textContent = message;
    status.classList.toggle("refused", !rows.length);
    byId("event-result").hidden = !rows.length;
    byId("event-notes").replaceChildren(...(rows.length ? event.notes : []).map((note) =>
      element("li", {}, element("bdi", { textContent: plain(note) }))));
    byId("notes").hidden = !rows.length || !event.notes.length;
    byId("policy-means").textContent = DATA.policies[policy.value];
    // Names are inserted as text, never as markup, in an element with its own writing direction.
    const sure = (k) => DATA.confidence ? [beforeNext(rows[k], rows[k + 1])] : [];
    table.tBodies[0].replaceChildren(...rows.map((row, k) => element("tr", {},
      element("th", { scope: "row", className: "n", textContent: row.place }),
      element("td", {}, element("bdi", { textContent: plain(row.team) })),
      ...[row.mp, row.tb2, row.gp, row.tb4, ...sure(k)].map((value) =>
        element("td", { className: "n", textContent: shown(value) })))));
  }

  picker.addEventListener("change", () => {
    use([...picker.files]);
    picker.value = ""; // the same file, corrected, may be chosen again
  });

  for (const field of asked) field.addEventListener("change", () => files && use(files));
  policy.addEventListener("change", () => {
    byId("policy-means").textContent = DATA.policies[policy.value];
    if (event) show();
  });
  byId("policy-means").textContent = DATA.policies[policy.value];
  dropAnywhere(use);
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

// The arithmetic without the page, for tests and for the browser's console.
globalThis.tb2learn = {
  workOut, checked, readEvent, eventOf, readingOf, rank, rankingCsv, plain, bookletTables,
};

showCalculator();
showTable();
showRanking();
makeBooklet();
