// This part shows the table of a rule, and prints all of it.

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

/** Colour a cell by a share 0..1 of the scale; its text is black or white, by contrast. */
function paint({ style }, share) {
  const [low, high, part] = between(share * (DATA.scale.length - 1), DATA.scale.length);
  const ground = DATA.scale[low].map((c, k) => mixed(c, DATA.scale[high][k], part));
  const [red, green, blue] = ground.map((c) => (c / 255) ** 2.2);
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  style.backgroundColor = `rgb(${ground.map(Math.round).join(" ")})`;
  style.color = light > 0.18 ? "#000" : "#fff";
}

/** The name of a table. */
function blockName(pass, own) {
  const block = say("doc.own_mp_number", { number: own });
  const number = say("doc.pass_number", { number: Number(pass) + 1 });
  return DATA.ranges.length > 1 ? `${number}. ${block}` : block;
}

/** What stands in a table: an entry, or what the formula gives for a whole number of MP. */
const entry = (pass, own, column, half) =>
  (FORMULA ? Math.round(100 * worthOf(0, own, TENTHS * DATA.columns[column], half)) / 100
    : POINTS[pass][own][column][half]);

/** The index of the value nearest to par, which is 0; -1 if all values are on one side of it. */
function nearestPar(values) {
  if (!IN_PASSES || Math.min(...values) > 0 || Math.max(...values) < 0) return -1;
  const sizes = values.map(Math.abs);
  return sizes.indexOf(Math.min(...sizes));
}

/** Where a cell stands: half points scored, and the index of the opponent's match points. */
const halfAt = (td) => td.parentNode.sectionRowIndex;
const columnAt = (td) => td.cellIndex - 1;

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
    const row = clamp(halfAt(current) + step[0], 0, cells.length - 1);
    const column = clamp(columnAt(current) + step[1], columns[0], columns.at(-1));
    cells[row][column].focus();
    event.preventDefault();
  });
}

/** The scale of colours with its ends and, in the middle, par. */
function showScale(low, high) {
  const ends = IN_PASSES ? [low, 0, high] : [low, high];
  byId("scale").replaceChildren(...ends.map((value, k) => {
    const mark = element("span", { textContent: shown(published(value)) });
    mark.classList.toggle("par", IN_PASSES && value === 0);
    paint(mark, k / (ends.length - 1));
    return mark;
  }));
}

/** A table without colours: a caption, heads and rows of cells. */
const plainTable = (caption, heads, rows, par = () => -1) => element("table", { className: "block" },
  element("caption", { textContent: caption }),
  element("thead", {}, element("tr", {}, ...heads.map((head) =>
    element("th", { scope: "col", textContent: head })))),
  element("tbody", {}, ...rows.map((cells, n) => element("tr", {}, ...cells.map((cell, k) =>
    (k ? element("td", { textContent: cell, className: k - 1 === par(n) ? "par" : "" })
      : element("th", { scope: "row", textContent: cell })))))));

/** All tables of a rule. */
function* bookletTables() {
  for (let pass = 0; pass < PASSES; pass += 1) {
    const columns = DATA.shown[pass];
    const heads = [say("doc.gp"), ...columns.map((column) => shown(DATA.columns[column]))];
    for (let own = 0; own <= 2 * ROUNDS; own += 1) {
      const rows = Array.from({ length: 2 * BOARDS + 1 }, (_, half) =>
        columns.map((column) => entry(pass, own, column, half)));
      yield plainTable(blockName(pass, own), heads,
        rows.map((values, half) => [half / 2, ...values.map((x) => shown(published(x)))]),
        (half) => nearestPar(rows[half]));
    }
  }
}

/** The booklet is long, so that it is made when it is printed for the first time. */
function makeBooklet() {
  const booklet = byId("booklet");
  const make = () => booklet.childElementCount || booklet.append(...bookletTables());
  addEventListener("beforeprint", make);
  matchMedia("print").addEventListener("change", ({ matches }) => matches && make());
}

function showTable() {
  const [own, pass, table] = ["own", "pass", "heat"].map(byId);
  const [heads, ...cells] = [...table.rows].map((row) => [...row.cells].slice(1));
  const valueOf = (td) => entry(pass.value, own.value, columnAt(td), halfAt(td));
  const sentence = (td) => say(DATA.passes ? "html.cell_pass" : "html.cell", {
    pass: Number(pass.value) + 1, own: own.value, mp: shown(DATA.columns[columnAt(td)]),
    gp: halfAt(td) / 2, value: shown(published(valueOf(td))),
  });

  function draw() {
    byId("own-shown").textContent = own.value;
    const caption = DATA.passes ? "html.caption_pass" : "html.caption";
    table.caption.firstChild.textContent = say(caption, { block: blockName(pass.value, own.value) });
    const [low, high] = DATA.ranges[pass.value];
    const columns = DATA.shown[pass.value];
    heads.forEach((head, column) => { head.hidden = !columns.includes(column); });
    for (const row of cells) {
      const values = columns.map((column) => valueOf(row[column]));
      const par = columns[nearestPar(values)];
      row.forEach((td, column) => {
        td.hidden = !columns.includes(column);
        if (td.hidden) return;
        td.textContent = shown(published(valueOf(td)));
        paint(td, (valueOf(td) - low) / Math.max(1, high - low));
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
  moveByKeys(table, cells, () => DATA.shown[pass.value]);
  own.addEventListener("input", draw);
  pass.addEventListener("change", draw);
  draw();
}

