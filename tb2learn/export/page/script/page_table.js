// This part shows the table of a rule, and the calculator of one team's TB2. What a field of it may
// hold its attributes say, and the browser checks it.

const OWN = ruleFor(DATA.rounds, DATA.boards);
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
  const ground = DATA.scale[0].map((_, k) =>
    interpolated(DATA.scale.map((colour) => colour[k]), clamp(share, 0, 1)));
  const [red, green, blue] = ground.map((c) => (c / 255) ** 2.2);
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  style.backgroundColor = `rgb(${ground.map(Math.round).join(" ")})`;
  style.color = light > 0.18 ? "#000" : "#fff";
}

function showTable() {
  const [own, pass, table] = ["own", "pass", "heat"].map(byId);
  const [heads, ...cells] = [...table.rows].map((row) => [...row.cells].slice(1));
  const valueOf = (half, column) => Math.round(
    100 * worthOf(OWN, pass.value, own.value, TENTHS * DATA.columns[column], half)) / 100;
  function draw() {
    byId("own-shown").textContent = own.value;
    const names = [say("doc.pass_number", { number: Number(pass.value) + 1 }),
      say("doc.own_mp_number", { number: own.value })];
    const block = names.slice(DATA.ranges.length < 2 ? 1 : 0).join(". ");
    const caption = DATA.passes ? "html.caption_pass" : "html.caption";
    table.caption.firstChild.textContent = say(caption, { block });
    const [low, high] = DATA.ranges[pass.value];
    const columns = DATA.shown[pass.value];
    heads.forEach((head, column) => { head.hidden = !columns.includes(column); });
    cells.forEach((row, half) => {
      const values = columns.map((column) => valueOf(half, column));
      const sizes = values.map(Math.abs);
      // The value nearest to par, which is 0, unless all values are on one side of it.
      const hasPar = OWN.inPasses && Math.min(...values) <= 0 && Math.max(...values) >= 0;
      const par = hasPar ? columns[sizes.indexOf(Math.min(...sizes))] : null;
      row.forEach((td, column) => {
        td.hidden = !columns.includes(column);
        if (td.hidden) return;
        td.textContent = shown(published(valueOf(half, column)));
        paint(td, (valueOf(half, column) - low) / Math.max(1, high - low));
        td.classList.toggle("par", column === par);
      });
    });
  }

  own.addEventListener("input", draw);
  pass.addEventListener("change", draw);
  draw();
}

function showCalculator() {
  const [own, pass, team] = ["team-own", "team-pass", "team"].map(byId);
  const body = team.tBodies[0];
  const rows = [...body.rows].map((line) => {
    const [mp, counted, gp, bye] = line.querySelectorAll("input, select");
    const [value, note] = [...line.cells].slice(-2);
    return { line, mp, counted, gp, bye, value, note };
  });
  const isRefined = () => OWN.inPasses && Number(pass.value) > 0;
  const isGiven = ({ value, validity }) => value !== "" && validity.valid;

  /** A round as `workOut` takes it; null for one that is not filled in. */
  function itemOf({ mp, counted, gp, bye }) {
    const field = isRefined() ? counted : mp;
    const isOut = bye.checked && !field.value; // a bye is left out, whatever it is worth
    if (!isOut && !(isGiven(field) && gp.value)) return null;
    return {
      bye: bye.checked, counts: !isOut, mp: isRefined() ? 0 : Number(field.value),
      reading: Math.round(1e4 * TENTHS * Number(field.value)) / 1e4, half: 2 * Number(gp.value),
    };
  }

  function work() {
    for (const name of ["refined", "unread"]) team.classList.toggle(name, isRefined());
    const [number, items] = [Number(pass.value), rows.map(itemOf)];
    const worked = isGiven(own) ? workOut(number, Number(own.value), items) : null;
    const filled = items.filter(Boolean).length;
    rows.forEach((row, r) => {
      const isOut = r === worked?.left;
      row.value.textContent = worked && items[r] ? shown(published(worked.values[r])) : "";
      row.note.textContent = isOut ? say("doc.left_out") : "";
      row.line.classList.toggle("out", isOut);
    });
    const key = number === OWN.passes - 1 ? "html.sum" : "html.sum_pass";
    const parts = worked && filled
      ? [say(key, { pass: number + 1, sum: shown(published(worked.sum)) })] : [];
    if (worked?.left >= 0) parts.push(say("html.left_out", { round: worked.left + 1 }));
    if (filled < DATA.rounds) parts.push(say("html.filled", { filled, rounds: DATA.rounds }));
    byId("team-result").textContent = parts.join(" ");
  }

  own.addEventListener("input", work);
  // Lists, too: not all browsers fire `input` for them.
  for (const kind of ["input", "change"]) body.addEventListener(kind, work);
  byId("team-clear").addEventListener("click", () => {
    for (const { mp, counted, gp, bye } of rows) {
      mp.value = counted.value = gp.value = "";
      bye.checked = false;
    }
    own.value = "";
    work();
    own.focus();
  });
  pass.addEventListener("change", work);
  work();
}
