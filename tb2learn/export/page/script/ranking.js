// This part ranks an event: the rule over the rounds as a policy completes them.

const isStandard = ({ scoring }) => String(scoring) === String(STANDARD);

/**
 * The scores of all teams by the rule of the page.
 * A rule in passes and the formula refine an opponent by its own sum of the pass before, without
 * its match against the team; a virtual opponent has no sum and is never refined.
 */
function ruleScores(record, policy) {
  const most = 2 * ROUNDS;
  // Penalties may take the own match points of a team out of a table, but not out of a formula.
  const own = record.ownMp.map((mp) => (FORMULA ? mp : clamp(mp, 0, most)));
  const value = (item, team) => (isStandard(record) ? tableValue(own[team], item.mp, item.scored)
    : item.mp * item.scored);
  const worth = IN_PASSES ? (item) => item.scored : value;
  const { items, scales, counting, total } = afterCut(record, policy, worth, DATA.reduced);
  const each = (made) => items.map((row, team) => row.map((item, r) => made(item, team, r)));
  if (!IN_PASSES) return total(each(value));
  const plainReading = each(({ mp }) =>
    (FORMULA ? TENTHS * mp : nearest(TENTHS * clamp(mp, 0, most), 1)));
  let [readings, values] = [plainReading, null];
  for (let pass = 0; pass < PASSES; pass += 1) {
    values = each(({ scored }, team, r) => worthOf(pass, own[team], readings[team][r], scored));
    const added = counting(values);
    readings = each(({ other }, team, r) => {
      if (other === null) return plainReading[team][r];
      const rest = (sum(added[other]) - added[other][r]) * scales[other];
      const gained = FORMULA ? TENTHS * FORMULA.k * rest : nearest(rest, DATA.hundred / TENTHS);
      return plainReading[team][r] + clamp(gained, -DATA.most, DATA.most);
    });
  }
  return total(values);
}

/** TB4: the sum of the opponents' match points without the lowest. */
function opponentSums(record, policy) {
  const worth = (item) => item.alone ?? item.mp;
  const { items, total } = afterCut(record, policy, worth, true);
  return total(items.map((row) => row.map(worth)));
}

/** Refuse an event of another format than the rule is for, or of a scoring without a meaning. */
function checkFormat(event, name) {
  const { table, anyPoints } = DATA;
  for (const what of ["boards", "rounds"]) {
    if (event[what] !== DATA[what]) refuse(`html.wrong_${what}`, { ...DATA, got: event[what] });
  }
  if (isStandard(event)) return;
  const points = event.scoring.join(", ");
  if (!anyPoints.policies.includes(name)) {
    const all = anyPoints.policies.filter((one) => one in DATA.policies).join(", ");
    refuse("html.scoring_policy", { policy: name, points, all });
  }
  if (!anyPoints.rule) refuse("html.scoring_rule", { table, points });
}

// Rounded as Python does: what lies exactly between two goes to the even one. With four decimals
// only thirty-seconds can lie there; no other number is its decimals.
const even = (x) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));
const inMillionths = (x) => even(x * 1e6) / 1e6 + 0;
const inFourDecimals = (x) =>
  (Number.isInteger(32 * x) ? even(x * 1e4) / 1e4 : Number(x.toFixed(4))) + 0;

/** The final standings: match points, TB2, game points, TB4, then start order. */
function rank(event, name = "baku2016") {
  checkFormat(event, name);
  const [record, policy] = [eventRecord(event), POLICIES[name]];
  const unit = FORMULA ? (x) => Math.round(DATA.finest * x / BOARDS) * BOARDS / DATA.finest
    : (x) => x * DATA.unit;
  const tb2 = ruleScores(record, policy).map(unit);
  const tb4 = opponentSums(record, policy);
  const keys = record.ownMp.map((mp, team) =>
    [mp, tb2[team], record.ownHalf[team] / 2, tb4[team]].map(inMillionths));
  const order = (a, b) => keys[b].map((key, k) => key - keys[a][k]).find((d) => d !== 0) ?? 0;
  const sorted = keys.map((_, team) => team).sort(order); // which keeps the start order
  let place = 0;
  return sorted.map((team, k) => {
    if (!k || order(sorted[k - 1], team)) place = k + 1;
    const [mp, second, gp, fourth] = keys[team].map(inFourDecimals);
    return { place, team: event.teams[team], mp, tb2: second, gp, tb4: fourth };
  });
}

/** A CSV cell that no spreadsheet reads as a formula. */
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
