"use strict";
// The page of a rule is one script, joined from the files that `html.py` lists.
// Nothing is sent or loaded: all numbers and texts are in the element `data`.
// This part repeats the program's arithmetic in whole numbers; tests check that both agree.

const DATA = JSON.parse(document.getElementById("data").textContent);
const { rounds: ROUNDS, boards: BOARDS, points: POINTS, limits: LIMITS, formula: FORMULA } = DATA;
const TENTHS = 10;

/** The text of a key, with its {fields} filled in. */
const say = (key, fields = {}) =>
  DATA.words[key].replace(/\{(\w+)\}/g, (_, name) => String(fields[name]));

// ------------------------------------------------------------------------------- one team

const clamp = (x, low, high) => Math.max(low, Math.min(high, x));

/** x / unit, rounded to the nearest whole number, halves up. */
const nearest = (x, unit) => Math.floor((x + unit / 2) / unit);

/** How often every opponent is looked up. */
const PASSES = FORMULA ? FORMULA.passes : POINTS.length;

/** The game points that a formula expects of a lead in match points. */
const expectedPoints = (lead) => BOARDS / (1 + 10 ** (-lead / FORMULA.a));

/** What a result is worth against an opponent that counts as tenths of match points. */
const worthOf = (pass, own, reading, half) =>
  (FORMULA ? half / 2 - expectedPoints(own - reading / TENTHS)
    : lookedUp(POINTS[pass], own, reading, half));

/** The columns of a pass that can occur: in the first an opponent counts as its match points. */
const columnsOf = (pass) =>
  DATA.columns.filter((mp) => pass > 0 || (mp >= 0 && mp <= 2 * ROUNDS));

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

/** The item that a reduced sum leaves out: a bye, else fewest match points, then lowest `last`. */
const weakest = (items, last) => lowest(items.map((i, k) => [i.bye ? 0 : 1, i.mp, last[k]]));

/**
 * One team's values and their sum in one pass.
 * An item is a round: `counts` (if false it adds nothing), `bye` (left out first), `mp` of the
 * opponent, `reading` (what it counts as, in tenths) and `half` points scored.
 * `left` is the item left out, -1 if the rule leaves none out.
 */
function workOut(pass, own, items) {
  const values = items.map((i) =>
    i.counts ? worthOf(pass, own, i.reading, i.half) : 0);
  const last = DATA.passes ? items.map((i) => i.half) : values;
  const left = DATA.reduced && items.length ? weakest(items, last) : -1;
  const kept = values.map((value, k) => (k === left ? 0 : value));
  return { values, kept, left, sum: kept.reduce((a, b) => a + b, 0) };
}

/** Table points in the published unit. */
const published = (points) => Math.round(points * DATA.unit * 1e4) / 1e4;

