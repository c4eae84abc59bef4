// This part repeats the program's arithmetic of a rule; tests check that both agree. A rule is for
// a number of rounds and boards; a table of another number of rounds is rescaled by shares.

/** x / unit, rounded to the nearest whole number, halves up. */
const nearest = (x, unit) => Math.floor((2 * x + unit) / (2 * unit));

/** Rounded as Python does: what lies exactly between two goes to the even one. */
const even = (x) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));

/** The largest refinement at a number of rounds, in tenths of match points. */
const mostRefinement = (rounds) => Math.floor(TENTHS * 2 * rounds * DATA.refinement);

/** Numbers of double precision, as `page.py` packs them. */
const unpacked = (text) =>
  [...new Float64Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer)];

/** The cubic B-splines that are not 0 at a share, `[index, value]`, on so many equal pieces. */
function splines(share, knots) {
  const at = (k) => (k - 3) / knots;
  const piece = clamp(rangeOf(knots + 7).filter((k) => at(k) <= share).length - 1, 3, knots + 2);
  let parts = [1];
  for (let degree = 1; degree <= 3; degree += 1) {
    const next = Array(degree + 1).fill(0);
    for (let n = 1; n <= degree; n += 1) {
      const [low, high] = [at(piece + n - degree), at(piece + n)];
      const part = parts[n - 1] / (high - low);
      next[n - 1] += part * (high - share);
      next[n] = part * (share - low);
    }
    parts = next;
  }
  return parts.map((value, n) => [piece - 3 + n, value]);
}

/** What lies at a share of so many equal steps, interpolated. */
function interpolated(values, share) {
  const at = share * (values.length - 1);
  const low = Math.min(Math.floor(at), values.length - 2);
  return values[low] + (at - low) * (values[low + 1] - values[low]);
}

/** The tables of the rule of the page at another number of rounds: `[pass][own][column][half]`. */
function rescaledTables(rounds) {
  const { shape: [passes, results, size], coefficients, par, trained } = DATA.surface;
  const [all, pars, knots] = [unpacked(coefficients), unpacked(par), size - 3];
  const beyond = DATA.passes ? Math.ceil(mostRefinement(rounds) / TENTHS) : 0;
  const shareOf = (mp) => mp / (2 * rounds);
  const stretched = (share) =>
    (DATA.passes ? clamp((share + DATA.refinement) / (1 + 2 * DATA.refinement), 0, 1) : share);
  const owns = rangeOf(2 * rounds + 1).map((mp) => splines(shareOf(mp), knots));
  const others = rangeOf(2 * (rounds + beyond) + 1, -beyond).map((mp) =>
    splines(stretched(shareOf(mp)), knots));
  const parOf = (pass, own) => interpolated(
    pars.slice(pass * (2 * trained + 1), (pass + 1) * (2 * trained + 1)), shareOf(own));
  return rangeOf(passes).map((pass) => owns.map((a, own) => others.map((b) => {
    const values = rangeOf(results).map((result) => sum(a.flatMap(([k, x]) => b.map(([l, y]) =>
      all[((pass * results + result) * size + k) * size + l] * x * y))));
    if (!DATA.passes) {
      const fails = values.map((odds) => 1 / (1 + Math.exp(-odds)));
      const chances = [0, ...fails].map((p, half) => (p + (fails[half] ?? fails.at(-1))) / 2);
      return chances.map((chance) => even((DATA.full / DATA.unit) * chance));
    }
    const unit = DATA.hundred / (pass === passes - 1 ? DATA.unit : 1);
    return values.map((x) => even(unit * (x - parOf(pass, own)) * (rounds / trained)));
  })));
}

/** The rule of the page for a format; refuses one that it is not for. */
const RULES = new Map();
function ruleFor(rounds, boards) {
  const { table, isProduct, surface } = DATA;
  need(DATA.anyBoards || boards === DATA.boards, "html.wrong_boards", { ...DATA, got: boards });
  return kept(RULES, `${rounds} ${boards}`, () => {
    const isOwn = rounds === DATA.rounds;
    const [a, k] = DATA.formulas?.[boards]?.[rounds - 1] ?? [];
    need(isOwn || isProduct || a || surface, "html.wrong_rounds", { ...DATA, got: rounds });
    const points = isOwn || isProduct || a ? DATA.points : rescaledTables(rounds);
    const most = a ? TENTHS * 2 * rounds * DATA.refinement : mostRefinement(rounds);
    return {
      name: table, rounds, boards, most, points, formula: a ? { a, k } : null, isProduct,
      passes: a ? DATA.formulaPasses : points.length, inPasses: DATA.passes || Boolean(a),
      reduced: DATA.reduced, unit: a ? 1 : DATA.unit,
      beyond: DATA.passes ? Math.ceil(mostRefinement(rounds) / TENTHS) : 0,
    };
  });
}

/** FIDE's product rule; and TB4, the sum of the opponents' match points without the lowest. */
const PRODUCT = { isProduct: true, reduced: true, unit: 0.5 };
const SUM = { isSum: true, reduced: true, unit: 1 };

/** What a result is worth in a pass against an opponent that counts as tenths of match points. */
function worthOf(rule, pass, own, reading, half) {
  const { formula, boards, isProduct, isSum, inPasses, points, beyond } = rule;
  if (formula) return half / 2 - boards / (1 + 10 ** (-(own - reading / TENTHS) / formula.a));
  if (isProduct || isSum) return (reading / TENTHS) * (isSum ? 1 : half);
  const row = points[pass][own];
  if (!inPasses) return row[reading / TENTHS][half];
  const column = Math.floor(reading / TENTHS) + beyond;
  const above = reading - TENTHS * Math.floor(reading / TENTHS);
  const high = row[Math.min(column + 1, row.length - 1)][half];
  return nearest((TENTHS - above) * row[column][half] + above * high, TENTHS);
}

/** Points of a rule in its published unit. */
const published = (points, { unit } = DATA) => Math.round(points * unit * 1e4) / 1e4;

/** Index of the first of the lowest keys (lists of numbers). */
const lowest = (keys) => rangeOf(keys.length).sort((a, b) => // which keeps the order of equal ones
  keys[a].map((part, p) => part - keys[b][p]).find(Boolean) ?? 0)[0];

// An item is a round, or null: `counts` (if false it adds nothing), `bye` (left out first), `mp` of
// the opponent, `reading` (what it counts as, in tenths) and `half` points scored.

/** One team's values in a pass, their sum, and the item `left` out: -1 for none. */
function workOut(pass, own, items) {
  const rule = ruleFor(DATA.rounds, DATA.boards);
  const values = items.map((i) => (i?.counts ? worthOf(rule, pass, own, i.reading, i.half) : 0));
  const first = lowest(items.map((i, k) => [i ? Number(!i.bye) : 2, i?.mp, values[k]]));
  const left = DATA.reduced && items[first] ? first : -1;
  return { values, left, sum: sum(values.filter((_, k) => k !== left)) };
}
