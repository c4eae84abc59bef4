// This part ranks an event: the rule over the rounds as a policy completes them.

/** The indices below and above a value within 0 .. size - 1, and the fraction between them. */
function between(value, size) {
  const held = clamp(value, 0, size - 1);
  const below = Math.floor(held);
  return [below, Math.min(below + 1, size - 1), held - below];
}

/** x / unit, rounded to the nearest whole number, halves up; for sums that are no whole numbers. */
const rounded = (x, unit) => Math.floor((2 * x + unit) / (2 * unit));

/** The values of a table without passes, interpolated where points count as fractions. */
function tableValue(own, item) {
  const table = POINTS[0][own];
  const [column, more, part] = between(item.mp, table.length);
  const [result, better, share] = between(item.scored, table[0].length);
  const mixed = (row) => (1 - share) * row[result] + share * row[better];
  return (1 - part) * mixed(table[column]) + part * mixed(table[more]);
}

/** The values of a pass for what an opponent counts as, in tenths. */
function passValue(pass, own, reading, scored) {
  const [result, better, share] = between(scored, POINTS[pass][own][0].length);
  const low = lookedUp(POINTS[pass], own, reading, result);
  const high = lookedUp(POINTS[pass], own, reading, better);
  return rounded((1 - share) * low + share * high, 1);
}

const isStandard = ({ scoring }) => scoring.every((points, k) => points === STANDARD[k]);

/**
 * The scores of all teams by the rule of the page.
 * A rule in passes and the formula refine an opponent by its own sum of the pass before, without
 * its match against the team; a virtual opponent has no sum and is never refined.
 */
function ruleScores(record, policy) {
  const inPasses = DATA.passes || FORMULA;
  const most = 2 * ROUNDS;
  // Penalties may take the own match points of a team out of a table, but not out of a formula.
  const ownOf = (team) => (FORMULA ? record.ownMp[team] : clamp(record.ownMp[team], 0, most));
  const value = (item, team) =>
    (isStandard(record) ? tableValue(ownOf(team), item) : item.mp * item.scored);
  const worth = inPasses ? (item) => item.scored : value;
  const { items, out, scale } = afterCut(record, policy, worth, DATA.reduced);
  const summed = (item, team, r) => worthSomething(item) && !out[team][r];
  const totals = (values) => values.map((row, team) =>
    sum(row.map((value, r) => (summed(items[team][r], team, r) ? value : 0))) * scale[team]);
  if (!inPasses) {
    return totals(items.map((row, team) => row.map((item) => value(item, team))));
  }
  const plainReading = (item) =>
    (FORMULA ? TENTHS * item.mp : rounded(TENTHS * clamp(item.mp, 0, most), 1));
  let readings = items.map((row) => row.map(plainReading));
  let values;
  for (let pass = 0; pass < PASSES; pass += 1) {
    values = items.map((row, team) => row.map((item, r) => {
      const own = ownOf(team);
      return FORMULA ? item.scored / 2 - expectedPoints(own - readings[team][r] / TENTHS)
        : passValue(pass, own, readings[team][r], item.scored);
    }));
    const added = values.map((row, team) =>
      row.map((value, r) => (summed(items[team][r], team, r) ? value : 0)));
    const held = (team, r) => {
      const { other } = items[team][r];
      if (other === null) return 0;
      const rest = (sum(added[other]) - added[other][r]) * scale[other];
      const gained = FORMULA ? TENTHS * FORMULA.k * rest : rounded(rest, DATA.hundred / TENTHS);
      return clamp(gained, -DATA.most, DATA.most);
    };
    readings = items.map((row, team) =>
      row.map((item, r) => plainReading(item) + held(team, r)));
  }
  return totals(values);
}

/** TB4: the sum of the opponents' match points without the lowest. */
function opponentSums(record, policy) {
  const worth = (item) => item.alone ?? item.mp;
  const { items, out, scale } = afterCut(record, policy, worth, true);
  return items.map((row, team) => scale[team] * sum(row.map((item, r) =>
    (worthSomething(item) && !out[team][r] ? worth(item) : 0))));
}

const digits = (x, unit) => Math.round(x * unit) / unit + 0;

/** The final standings: match points, TB2, game points, TB4, then start order. */
function rank(event, name = "baku2016") {
  if (event.boards !== BOARDS) {
    refuse("html.wrong_boards", { table: DATA.table, boards: BOARDS, got: event.boards });
  }
  if (event.rounds !== ROUNDS) {
    refuse("html.wrong_rounds", { table: DATA.table, rounds: ROUNDS, got: event.rounds });
  }
  const record = eventRecord(event);
  if (!isStandard(record)) {
    const points = record.scoring.join(", ");
    if (!DATA.anyPoints.policies.includes(name)) {
      const all = DATA.anyPoints.policies.filter((one) => one in DATA.policies).join(", ");
      refuse("html.scoring_policy", { policy: name, points, all });
    }
    if (!DATA.anyPoints.rule) refuse("html.scoring_rule", { table: DATA.table, points });
  }
  const policy = POLICIES[name];
  const unit = FORMULA ? (x) => Math.round(DATA.finest * x / BOARDS) * BOARDS / DATA.finest
    : (x) => x * DATA.unit;
  const tb2 = ruleScores(record, policy).map(unit);
  const tb4 = opponentSums(record, policy);
  const keys = record.ownMp.map((mp, team) =>
    [mp, tb2[team], record.ownHalf[team] / 2, tb4[team]].map((x) => digits(x, 1e6)));
  const order = (a, b) => keys[b].map((key, k) => key - keys[a][k]).find((d) => d !== 0) ?? 0;
  const rows = [];
  let last = null;
  for (const team of keys.map((_, number) => number).sort(order)) { // sorting keeps the start order
    const shared = last !== null && order(last, team) === 0;
    const [own, second, gp, fourth] = keys[team].map((x) => digits(x, 1e4));
    rows.push({
      place: shared ? rows.at(-1).place : rows.length + 1,
      team: event.teams[team], mp: own, tb2: second, gp, tb4: fourth,
    });
    last = team;
  }
  return rows;
}
