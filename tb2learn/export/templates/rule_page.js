"use strict";
// The page of a rule: its tables, and a calculator of one team's TB2. What an opponent counts as is a
// whole number of `DATA.parts` of a match point, a result is half points, and so are all points of a
// rule whole numbers of its unit.

const DATA = JSON.parse(document.getElementById("data").textContent);
const PARTS = DATA.parts;

/** The text of a key, with its {fields} filled in. */
const say = (key, fields = {}) =>
  DATA.words[key].replace(/\{(\w+)\}/g, (_, name) => fields[name]);

/** x / unit, rounded to the nearest whole number, halves up. */
const nearest = (x, unit) => Math.floor((2 * x + unit) / (2 * unit));

/** What a result is worth in a pass against an opponent that counts as parts of match points. */
function worthOf(pass, own, counted, half) {
  if (DATA.expected) {
    const [even, last] = [Math.floor(DATA.expected.length / 2), DATA.expected.length - 1];
    const lead = Math.max(0, Math.min(last, even + PARTS * own - counted));
    return half * DATA.halfPoint - DATA.expected[lead];
  }
  const row = DATA.points[pass][own];
  const column = Math.floor(counted / PARTS);
  const above = counted - PARTS * column; // past the entry for `column`, on the way to the next
  const [low, high] = [column, column + 1].map((mp) =>
    row[Math.min(mp - DATA.columns[0], row.length - 1)][half]);
  return nearest((PARTS - above) * low + above * high, PARTS);
}

/** Points of a rule in its published unit. */
const published = (points) => Math.round(points * DATA.unit * 1e4) / 1e4;

// A round of a team, null for one that is not filled in: `counts` (if false it adds nothing), `bye`
// (left out first), `mp` of the opponent, the parts that it is `counted` as, and `half` points scored.

/** The round that a reduced rule leaves out: a bye, then the lowest opponent, then the least value. */
function weakest(rounds, values) {
  if (!DATA.reduced) return -1;
  const keys = rounds.map((round, r) => round && [Number(!round.bye), round.mp, values[r]]);
  const isLower = (a, b) => {
    const apart = a.findIndex((part, k) => part !== b[k]);
    return apart >= 0 && a[apart] < b[apart];
  };
  return keys.reduce((least, key, r) =>
    (key && (least < 0 || isLower(key, keys[least])) ? r : least), -1);
}

/** One team's values in a pass, their sum, and the round `left` out: -1 for none. */
function workOut(pass, own, rounds) {
  const values = rounds.map((round) =>
    (round?.counts ? worthOf(pass, own, round.counted, round.half) : 0));
  const left = weakest(rounds, values);
  const sum = values.reduce((total, value, r) => (r === left ? total : total + value), 0);
  return { values, left, sum };
}

const byId = (id) => document.getElementById(id);

/** A number as text, with a typographic minus sign. */
const shown = (value) => String(value).replace("-", "\u2212");

function showTable() {
  const [own, pass, table] = ["own", "pass", "heat"].map(byId);
  const [heads, ...lines] = [...table.rows].map((line) => [...line.cells].slice(1));
  function draw() {
    byId("own-shown").textContent = own.value;
    const names = [say("doc.pass_number", { number: Number(pass.value) + 1 }),
      say("doc.own_mp_number", { number: own.value })];
    const block = names.slice(DATA.ranges.length < 2 ? 1 : 0).join(". ");
    table.caption.firstChild.textContent = say(DATA.caption, { block });
    const [low, high] = DATA.ranges[pass.value];
    const columns = DATA.shown[pass.value];
    heads.forEach((head, column) => { head.hidden = !columns.includes(column); });
    lines.forEach((cells, half) => {
      const values = columns.map((column) =>
        worthOf(Number(pass.value), Number(own.value), PARTS * DATA.columns[column], half));
      const sizes = values.map(Math.abs);
      // The value nearest to par, which is 0, unless all values are on one side of it.
      const hasPar = DATA.hasPar && Math.min(...values) <= 0 && Math.max(...values) >= 0;
      const par = hasPar ? columns[sizes.indexOf(Math.min(...sizes))] : null;
      cells.forEach((cell, column) => {
        const value = values[columns.indexOf(column)];
        cell.hidden = value === undefined;
        if (cell.hidden) return;
        const share = (value - low) / Math.max(1, high - low);
        const step = Math.round(Math.max(0, Math.min(1, share)) * (DATA.scale.length - 1));
        [cell.style.backgroundColor, cell.style.color] = DATA.scale[step];
        cell.textContent = shown(published(value));
        cell.classList.toggle("par", column === par);
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
  const isRefined = () => DATA.hasPar && Number(pass.value) > 0;
  const isGiven = ({ value, validity }) => value !== "" && validity.valid;

  /** A round as `workOut` takes it. */
  function roundOf({ mp, counted, gp, bye }) {
    const field = isRefined() ? counted : mp;
    const isOut = bye.checked && !field.value; // a bye is left out, whatever it is worth
    if (!isOut && !(isGiven(field) && gp.value)) return null;
    return {
      bye: bye.checked, counts: !isOut, mp: isRefined() ? 0 : Number(field.value),
      // The nearest whole number, as 0.3 * 10 is none.
      counted: Math.round(PARTS * Number(field.value)), half: 2 * Number(gp.value),
    };
  }

  function work() {
    team.classList.toggle("refined", isRefined());
    const [number, rounds] = [Number(pass.value), rows.map(roundOf)];
    const filled = rounds.filter(Boolean).length;
    const worked = isGiven(own) ? workOut(number, Number(own.value), rounds) : null;
    rows.forEach((row, r) => {
      const isOut = r === worked?.left;
      row.value.textContent = worked && rounds[r] ? shown(published(worked.values[r])) : "";
      row.note.textContent = isOut ? say("doc.left_out") : "";
      row.line.classList.toggle("out", isOut);
    });
    const key = number === pass.options.length - 1 ? "html.sum" : "html.sum_pass";
    const sentences = worked && filled
      ? [say(key, { pass: number + 1, sum: shown(published(worked.sum)) })] : [];
    if (worked?.left >= 0) sentences.push(say("html.left_out", { round: worked.left + 1 }));
    if (filled < rows.length) {
      sentences.push(say("html.filled", { filled, rounds: rows.length }));
    }
    byId("team-result").textContent = sentences.join(" ");
  }

  // Lists, too: not all browsers fire `input` for them.
  for (const kind of ["input", "change"]) {
    for (const part of [own, pass, body]) part.addEventListener(kind, work);
  }
  byId("team-clear").addEventListener("click", () => {
    for (const { mp, counted, gp, bye } of rows) {
      mp.value = counted.value = gp.value = "";
      bye.checked = false;
    }
    own.value = "";
    work();
    own.focus();
  });
  work();
}

showTable();
showCalculator();
