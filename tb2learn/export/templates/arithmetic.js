"use strict";
// The page of a lookup table is one script, joined from arithmetic.js, reading.js and page.js.
// Nothing is sent or loaded: all numbers and texts are in the element `data`.
// This part repeats the program's arithmetic in whole numbers; tests check that both agree.

const DATA = JSON.parse(document.getElementById("data").textContent);
const { rounds: ROUNDS, boards: BOARDS, points: POINTS, limits: LIMITS } = DATA;
const TENTHS = 10;

/** The text of a key, with its {fields} filled in. */
const say = (key, fields = {}) =>
  DATA.words[key].replace(/\{(\w+)\}/g, (_, name) => String(fields[name]));

// ------------------------------------------------------------------------------- one team

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
    i.counts ? lookedUp(POINTS[pass], own, i.reading, i.half) : 0);
  const last = DATA.passes ? items.map((i) => i.half) : values;
  const left = DATA.reduced && items.length ? weakest(items, last) : -1;
  const kept = values.map((value, k) => (k === left ? 0 : value));
  return { values, kept, left, sum: kept.reduce((a, b) => a + b, 0) };
}

/** Table points in the published unit. */
const published = (points) => Math.round(points * DATA.unit * 1e4) / 1e4;

// ------------------------------------------------------------------------------- an event

/** Match points of both sides, by the game points or as recorded; 0 for both if nobody scored. */
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
      row[r] = { ...item, mp: item.other === null ? virtual : mp[item.other] };
      before += item.gained;
    });
  }
  return { items, mp, half: total("half") };
}

/**
 * The last pass of every team. An opponent counts as its match points, refined by its own sum of
 * the pass before; a virtual opponent has no sum and is never refined.
 */
function workOutAll(items, mp) {
  const all = (pass) => items.map((row, team) => workOut(pass, mp[team], row));
  let worked = all(0);
  for (let pass = 1; pass < POINTS.length; pass += 1) {
    items = items.map((row) => row.map((item, r) => {
      if (item.other === null) return item;
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
  const unrefined = (item) => ({ ...item, counts: true, reading: TENTHS * item.mp });
  const worked = workOutAll(items.map((row) => row.map(unrefined)), mp);
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
