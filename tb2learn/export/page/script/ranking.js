// This part ranks an event: a rule over the rounds as a policy completes them, and what decides
// beside it; the working of a team; and what decides between two.

const isStandard = ({ scoring }) => String(scoring) === String(STANDARD);

// A rule in passes and the formula refine an opponent by its own sum of the pass before, without
// its match against the team; a virtual opponent has no sum and is never refined.

/** The working of a rule: what opponents count as and rounds are worth, and the scores. */
function workedBy(rule, record, { complete, leftOut }) {
  const { formula, inPasses } = rule;
  // Penalties count in a table alone, by the own match points of a team.
  const own = inPasses ? record.mp : record.ownMp;
  // A learned rule does not see open matches; its sum over the other rounds is rescaled.
  const isOpen = (cell) => !rule.isProduct && !rule.isSum && cell.isOpen;
  const items = complete(record).map((row, team) => row.map((item, r) =>
    (isOpen(record.rows[team][r]) ? { ...item, counted: false } : item)));
  const shares = record.rows.map((row) =>
    row.length / Math.max(row.length - row.filter(isOpen).length, 1));
  const each = (made) => items.map((row, team) => row.map((item, r) => made(item, team, r)));
  const readings = [each(({ mp }) => TENTHS * mp)];
  const values = rangeOf(inPasses ? rule.passes : 1).map(() => null);
  let out = [];
  const isAdded = ({ counted, empty }, team, r) => counted && !empty && r !== out[team];
  const added = (all) => each((item, team, r) => (isAdded(item, team, r) ? all[team][r] : 0));
  values.forEach((_, pass) => {
    if (pass) readings.push(refined(rule, items, readings[0], added(values[pass - 1])));
    values[pass] = each((item, team, r) => (item.empty || !item.counted ? 0
      : worthOf(rule, pass, own[team], readings[pass][team][r], item.scored)));
    if (rule.reduced) out = items.map((row, team) => leftOut(row, values[0][team]));
  });
  const scores = added(values.at(-1)).map((row) => sum(row)).map((x, team) => shares[team] * (formula
    ? even((DATA.finest * x) / rule.boards) * (rule.boards / DATA.finest) : x * rule.unit));
  return { items, out, readings: readings.at(-1), values: values.at(-1), scores };
}

/** What opponents count as after a pass, by what it `added` for all teams in all rounds. */
const refined = ({ formula, most }, items, plainly, added) =>
  items.map((row, team) => row.map(({ other }, r) => {
    if (other === null) return plainly[team][r];
    const rest = sum(added[other]) - added[other][r];
    const gained = formula ? TENTHS * formula.k * rest : nearest(rest, DATA.hundred / TENTHS);
    return plainly[team][r] + clamp(gained, -most, most);
  }));

/** Refuse an event with points under which a policy or the rule has no meaning. */
function checkPoints(record, { name: table, isProduct, formula }, policy) {
  const [points, all] = [record.scoring.join(", "), DATA.anyPoints];
  need(isStandard(record) || all.includes(policy), "html.scoring_policy",
    { policy, points, all: all.join(", ") });
  const isWithin = [...record.ownMp, ...record.mp].every((mp) => within(mp, 0, 2 * record.rounds));
  need(isProduct || (isStandard(record) && (isWithin || formula)), "html.scoring_rule",
    { table, points });
}

// With four decimals only thirty-seconds can lie between two; no other number is its decimals.
const inMillionths = (x) => even(x * 1e6) / 1e6 + 0;
const inFourDecimals = (x) =>
  (Number.isInteger(32 * x) ? even(x * 1e4) / 1e4 : Number(x.toFixed(4))) + 0;

/** The places of all teams by criteria, the first decides first; and the teams in their order. */
function placesBy(columns) {
  const order = (a, b) => columns.map((scores) => scores[b] - scores[a]).find((d) => d !== 0) ?? 0;
  const teams = rangeOf(columns[0].length).sort(order); // which keeps the start order
  const places = [];
  teams.forEach((team, k) => {
    places[team] = k && !order(teams[k - 1], team) ? places[teams[k - 1]] : k + 1;
  });
  return { teams, places };
}

/** An event under a policy: places, criteria, those by FIDE's rule, and what the working needs. */
function ranked(event, name = usualPolicy(event)) {
  const [record, rule, policy] =
    [eventRecord(event), ruleFor(event.rounds, event.boards), POLICIES[name]];
  checkPoints(record, rule, name);
  const [worked, fide, sums] = [rule, PRODUCT, SUM].map((one) => workedBy(one, record, policy));
  const gp = record.ownHalf.map((half) => half / 2);
  const columnsWith = ({ scores }) =>
    [record.ownMp, scores, gp, sums.scores].map((one) => one.map(inMillionths));
  const columns = columnsWith(worked);
  const scores = columns.map((one) => one.map(inFourDecimals));
  return {
    event, record, rule, worked, fide, columns, scores, policy: name, ...placesBy(columns),
    fidePlaces: placesBy(columnsWith(fide)).places,
  };
}

/** The standings: place, name, and the criteria in order; then start order. */
function rank(event, name) {
  const { teams, places, scores: [mp, tb2, gp, tb4] } = ranked(event, name);
  return teams.map((t) => ({
    place: places[t], team: event.teams[t], mp: mp[t], tb2: tb2[t], gp: gp[t], tb4: tb4[t],
  }));
}

/** What decides between two teams, and their values; null if they are equal on everything. */
function verdictOn({ columns, scores, rule }, one, two) {
  const at = columns.findIndex((values) => values[one] !== values[two]);
  if (at < 0) return null;
  const [first, second] = columns[at][one] > columns[at][two] ? [one, two] : [two, one];
  const criterion = ["MP", `TB2 (${rule.name})`, "GP", "TB4"][at];
  return { at, first, second, criterion, high: scores[at][first], low: scores[at][second] };
}

/** The working of a team: a row a round, with what it is worth by the rule and by FIDE's. */
const workingOf = ({ record, rule, worked, fide }, team) => record.rows[team].map((one, r) => ({
  round: r + 1, other: one.waits ?? one.other, kind: one.isOpen ? "OPEN" : one.kind,
  half: worked.items[team][r].scored,
  countsAs: Math.round(worked.readings[team][r] * TENTHS) / TENTHS ** 2,
  value: inFourDecimals(worked.values[team][r] * rule.unit),
  fide: inFourDecimals(fide.values[team][r] * PRODUCT.unit),
  isOut: worked.out[team] === r, isFideOut: fide.out[team] === r,
}));

/** A CSV cell that no spreadsheet reads as a formula. */
function cell(value) {
  if (typeof value === "number") return String(value);
  const safe = plain(value.replace(FORMULA, "$1'"));
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The standings as the program writes them with `--format csv`. */
const rankingCsv = (rows) => [Object.keys(rows[0]), ...rows.map((row) => Object.values(row))]
  .map((row) => row.map(cell).join(",") + "\n").join("");
