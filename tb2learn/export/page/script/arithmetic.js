// This part repeats the program's arithmetic of a rule; tests check that both agree.

const PASSES = FORMULA ? FORMULA.passes : POINTS.length;
const IN_PASSES = DATA.passes || Boolean(FORMULA);

/** x / unit, rounded to the nearest whole number, halves up. */
const nearest = (x, unit) => Math.floor((2 * x + unit) / (2 * unit));

/** Table points in the published unit. */
const published = (points) => Math.round(points * DATA.unit * 1e4) / 1e4;

/** The indices below and above a value within 0 .. size - 1, and the fraction between them. */
function between(value, size) {
  const held = clamp(value, 0, size - 1);
  const below = Math.floor(held);
  return [below, Math.min(below + 1, size - 1), held - below];
}

/** The value between two, by the fraction of the second; exact where that is 0. */
const mixed = (low, high, part) => (1 - part) * low + part * high;

/** An entry of a pass for an opponent that counts as tenths of match points. */
function lookedUp(pass, own, reading, half) {
  const row = POINTS[pass][own];
  const [column, more] = between(Math.floor(reading / TENTHS) - DATA.columns[0], row.length);
  const above = reading - TENTHS * Math.floor(reading / TENTHS);
  return nearest((TENTHS - above) * row[column][half] + above * row[more][half], TENTHS);
}

/** An entry of a table without passes, interpolated where points count as fractions. */
function tableValue(own, mp, half) {
  const table = POINTS[0][own];
  const [column, more, part] = between(mp, table.length);
  const [result, better, share] = between(half, table[0].length);
  const [low, high] = [column, more].map((at) => mixed(table[at][result], table[at][better], share));
  return mixed(low, high, part);
}

/** What a result is worth in a pass against an opponent that counts as tenths of match points. */
function worthOf(pass, own, reading, half, { formula, boards } = DATA) {
  if (formula) return half / 2 - boards / (1 + 10 ** (-(own - reading / TENTHS) / formula.a));
  if (!DATA.passes) return tableValue(own, reading / TENTHS, half);
  const [result, better, share] = between(half, POINTS[pass][own][0].length);
  const [low, high] = [result, better].map((at) => lookedUp(pass, own, reading, at));
  return nearest(mixed(low, high, share), 1);
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

/**
 * One team's values and their sum in one pass.
 * An item is a round, or null: `counts` (if false it adds nothing), `bye` (left out first), `mp` of
 * the opponent, `reading` (what it counts as, in tenths) and `half` points scored.
 * `left` is the item left out: a bye, else fewest match points, then what decides; -1 for none.
 */
function workOut(pass, own, items) {
  const values = items.map((i) => (i?.counts ? worthOf(pass, own, i.reading, i.half) : 0));
  const first = lowest(items.map((i, k) =>
    [i ? Number(!i.bye) : 2, i?.mp, values[k]]));
  const left = DATA.reduced && items[first] ? first : -1;
  return { values, left, sum: sum(values.filter((_, k) => k !== left)) };
}

/** Tenths from what was typed, or null: 14, 14.3, 14,3. A formula takes up to four digits. */
function typedTenths(text) {
  const found = /^([-\u2212+]?)([0-9]{1,3})(?:[.,]([0-9]{1,4}))?$/.exec(text.trim());
  if (!found || (!FORMULA && (found[3] ?? "").length > 1)) return null;
  const tenths = Number((TENTHS * Number(`${found[2]}.${found[3] ?? 0}`)).toFixed(4));
  return found[1] && found[1] !== "+" ? -tenths : tenths;
}

function typedWhole(text) {
  const tenths = typedTenths(text);
  return tenths === null || tenths % TENTHS ? null : tenths / TENTHS;
}

/**
 * What was typed for one team: `items`, the number of rounds `filled` in, and what is wrong.
 * Typed texts of a round: `mp`, `counted` (what the opponent counts as), `gp`; and `bye`.
 */
function checked(pass, own, typed) {
  const most = 2 * ROUNDS;
  const byReading = IN_PASSES && pass > 0;
  const byPoints = !byReading;
  const byes = typed.filter((row) => row.bye).length;
  const problems = [];
  const bad = (key, round, low, high) => problems.push({ key, round, low, high });
  let filled = 0;
  const items = typed.map((row, r) => {
    const unread = { bye: row.bye, counts: false, mp: 0, reading: 0, half: 0 };
    if (row.bye && byes === 1 && !row.mp && !row.counted) { // left out whatever it is worth
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
  const points = typedWhole(own);
  if (own && !within(points, 0, most)) bad("own", null, 0, most);
  return { items, filled, problems, own: within(points, 0, most) ? points : null };
}
