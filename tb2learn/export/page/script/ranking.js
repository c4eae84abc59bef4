// This part ranks an event: its rule over the rounds as a policy completes them, and what decides
// beside the rule. `seen` is the record of an event with its policy.

const isStandard = ({ scoring }) => String(scoring) === String(STANDARD);

/**
 * The scores of all teams by a rule, by default that of the page.
 * A rule in passes and the formula refine an opponent by its own sum of the pass before, without
 * its match against the team; a virtual opponent has no sum and is never refined.
 */
function ruleScores({ record, policy }, rule = DATA) {
  const { formula } = rule;
  const most = 2 * ROUNDS;
  const inPasses = rule.passes || formula;
  // Penalties count in a table alone, out of which they may take the own match points of a team.
  const own = inPasses ? record.mp : record.ownMp.map((mp) => clamp(mp, 0, most));
  const value = (item, team) => (isStandard(record) ? tableValue(own[team], item.mp, item.scored)
    : item.mp * item.scored);
  const worth = inPasses ? (item) => item.scored : value;
  const { items, counting, total } = afterCut(record, policy, worth, rule.reduced);
  const each = (made) => items.map((row, team) => row.map((item, r) => made(item, team, r)));
  if (!inPasses) return total(each(value)).map((x) => x * rule.unit);
  const plainReading = each(({ mp }) =>
    (formula ? TENTHS * mp : nearest(TENTHS * clamp(mp, 0, most), 1)));
  let [readings, values] = [plainReading, null];
  for (let pass = 0; pass < (formula ? formula.passes : POINTS.length); pass += 1) {
    values = each(({ scored }, team, r) =>
      worthOf(pass, own[team], readings[team][r], scored, rule));
    const added = counting(values);
    readings = each(({ other }, team, r) => {
      if (other === null) return plainReading[team][r];
      const rest = sum(added[other]) - added[other][r];
      const gained = formula ? TENTHS * formula.k * rest : nearest(rest, DATA.hundred / TENTHS);
      return plainReading[team][r] + clamp(gained, -rule.most, rule.most);
    });
  }
  const { boards } = rule;
  return total(values).map((x) =>
    (formula ? Math.round(DATA.finest * x / boards) * boards / DATA.finest : x * rule.unit));
}

/** The sum of what the opponents are worth, by default their match points; `cut`: less the lowest. */
function opponentSums({ record, policy }, cut, worth = ({ mp }) => mp) {
  const { items, total } = afterCut(record, policy, worth, cut);
  return total(items.map((row) => row.map(worth)));
}

const halves = (numbers) => numbers.map((x) => x / 2);

/** How many rounds of every team are of a kind. */
const roundsOf = ({ record }, isOne) => record.rows.map((row) => row.filter(isOne).length);

/** Points against opponents, drawn and not only met, who have at least half of all points. */
function koya({ record }) {
  const [win] = record.scoring;
  const games = record.isRoundRobin ? Math.max(...drawnOpponents(record).map((one) => one.length))
    : record.rounds;
  return record.rows.map((row) => sum(row.map(({ other, gained }) =>
    (other !== null && 2 * record.mp[other] >= win * games ? gained : 0))) / 2);
}

/** Parts of a match point in which means are counted: whole ones of up to 15 matches. */
const PARTS = 360360;

/** Who is tied on all criteria `before`: the same text for all of them. */
const tiedOn = (before, teams) => teams.map((_, team) => String(before.map((all) => all[team])));

/** What is printed of direct encounter: the rank among those who are tied, 0 if all are equal. */
function ranksAmongTied(scores, before) {
  const groups = tiedOn(before, scores);
  return scores.map((own, team) => {
    const others = scores.filter((_, other) => groups[other] === groups[team]);
    const isApart = others.some((score) => score !== own);
    return isApart ? 1 + others.filter((score) => score > own).length : 0;
  });
}

/** How many of those that teams are tied with on all criteria `before` they are placed before. */
function directEncounter({ record, policy }, before) {
  const items = policy.complete(record);
  const win = PARTS * record.scoring[0];
  let [found, isNew] = [record.rows.map(() => 0), true];
  const groups = tiedOn(before, record.rows);
  while (isNew) {
    const apart = groups.map((group, team) => `${group} ${found[team]}`);
    const [tied, placed] = [new Map(), new Map()];
    apart.forEach((group, team) => kept(tied, group, () => []).push(team));
    for (const group of tied.values()) {
      const all = group.map((team) => {
        const others = items[team].map(({ other }) => other);
        const inside = others.map((other) => other !== null && apart[other] === apart[team]);
        const share = (other) => Math.floor(PARTS / others.filter((one) => one === other).length);
        return {
          team, missing: group.length - 1 - new Set(others.filter((_, r) => inside[r])).size,
          points: sum(others.map((other, r) =>
            (inside[r] ? record.rows[team][r].gained * share(other) : 0))),
        };
      });
      placedAmong(all, win).forEach((count, k) => placed.set(all[k].team, count));
    }
    isNew = [...placed.values()].some((count) => count > 0);
    found = found.map((count, team) => count + placed.get(team));
  }
  return found;
}

/** How many of the others every team of a tie is placed before, by its points in it. */
function placedAmong(all, win) {
  const isComplete = all.every(({ missing }) => !missing);
  const isCaught = ({ team, points }) => all.some((other) => other.team !== team
    && other.points <= points && other.points + win * other.missing >= points);
  const caught = all.map(isCaught);
  return all.map((one, k) => {
    const above = all.filter(({ points }) => points > one.points);
    if (isComplete) return all.filter(({ points }) => points < one.points).length;
    const isFirst = !caught[k] && !all.some(({ points }, other) =>
      points > one.points && caught[other]);
    return isFirst ? all.length - 1 - above.length : 0;
  });
}

/** What decides beside rules, by the names in lists of criteria: numbers of all teams. */
const CRITERIA = {
  mp: ({ record }) => record.ownMp,
  points: ({ record }) => halves(record.ownMp),
  gp: ({ record }) => halves(record.ownHalf),
  tb4: (seen) => opponentSums(seen, true),
  buchholz: (seen) => halves(opponentSums(seen, false)),
  "buchholz-cut1": (seen) => halves(opponentSums(seen, true)),
  "sonneborn-berger": (seen) =>
    opponentSums(seen, false, ({ mp, gained }) => mp * gained).map((x) => x / 4),
  direct: directEncounter,
  wins: (seen) => roundsOf(seen, ({ gained }) => gained === seen.record.scoring[0]),
  "black-wins": (seen) => roundsOf(seen, (cell) =>
    isPlayed(cell) && cell.isBlack && cell.gained === seen.record.scoring[0]),
  koya,
};

/**
 * Refuse an event of another format than the rule of the page is for, or of a scoring or a policy
 * under which what decides has no meaning. `rule` is the one that decides, if there is one.
 */
function checkFormat(event, name, rule) {
  const { table, anyPoints, policies } = DATA;
  for (const what of event.individual ? [] : ["boards", "rounds"]) {
    if (event[what] !== DATA[what]) refuse(`html.wrong_${what}`, { ...DATA, got: event[what] });
  }
  if (isStandard(event)) return;
  const points = (event.individual ? halves(event.scoring) : event.scoring).join(", ");
  if (!anyPoints.policies.includes(name)) {
    const all = anyPoints.policies.filter((one) => one in policies).join(", ");
    refuse("html.scoring_policy", { policy: name, points, all });
  }
  if (rule && !anyPoints.rule) refuse("html.scoring_rule", { table, points });
}

/** The policy that an event has if nobody chooses one, as the program has it. */
function usualPolicy(event) {
  const { roundRobin, before, since, newRules } = DATA.players.usual;
  if (!event.individual) return Object.keys(DATA.policies)[0];
  if (eventRecord(event).isRoundRobin) return roundRobin;
  return event.start.length === newRules.length && event.start < newRules ? before : since;
}

/**
 * The rule of an event and the names of the criteria: of teams the usual ones; of players the
 * points, the rule of the page if it is for such an event, else the formula where that is the usual
 * one, and FIDE's list.
 */
function orderOf(event, record) {
  const { swiss, roundRobin, formulas } = DATA.players;
  if (!event.individual) return [DATA, ["mp", "tb2", "gp", "tb4"]];
  const [points, ...list] = record.isRoundRobin ? roundRobin : swiss;
  const isOwn = BOARDS === 1 && ROUNDS === event.rounds;
  const isUsual = isStandard(event) && !record.isRoundRobin;
  const rule = isOwn ? DATA : isUsual ? formulas[event.rounds - 1] : null;
  return [rule, [points, ...rule ? [rule.table] : [], ...list.filter((one) => one !== rule?.table)]];
}

// Rounded as Python does: what lies exactly between two goes to the even one. With four decimals
// only thirty-seconds can lie there; no other number is its decimals.
const even = (x) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));
const inMillionths = (x) => even(x * 1e6) / 1e6 + 0;
const inFourDecimals = (x) =>
  (Number.isInteger(32 * x) ? even(x * 1e4) / 1e4 : Number(x.toFixed(4))) + 0;

/** The final standings: place, name, and the criteria in order; then start order. */
function rank(event, name = usualPolicy(event)) {
  const record = eventRecord(event);
  const [rule, names] = orderOf(event, record);
  checkFormat(event, name, rule);
  const [seen, columns] = [{ record, policy: POLICIES[name] }, []];
  for (const one of names) {
    const isRule = one === "tb2" || one === rule?.table;
    const found = isRule ? ruleScores(seen, rule) : CRITERIA[one](seen, columns);
    columns.push(found.map(inMillionths));
  }
  const order = (a, b) => columns.map((scores) => scores[b] - scores[a]).find((d) => d !== 0) ?? 0;
  const printed = columns.map((scores, at) =>
    (names[at] === "direct" ? ranksAmongTied(scores, columns.slice(0, at)) : scores));
  const sorted = record.rows.map((_, team) => team).sort(order); // which keeps the start order
  let place = 0;
  return sorted.map((team, k) => {
    if (!k || order(sorted[k - 1], team)) place = k + 1;
    const scores = names.map((one, at) => [one, inFourDecimals(printed[at][team])]);
    const who = event.individual ? "player" : "team";
    return { place, [who]: event.teams[team], ...Object.fromEntries(scores) };
  });
}

/** A CSV cell that no spreadsheet reads as a formula. */
function cell(value) {
  if (typeof value === "number") return String(value);
  const safe = (/^[=+\-@\t\r\n]/.test(value) ? "'" : "") + plain(value);
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The standings as the program writes them with `--format csv`. */
const rankingCsv = (rows) => [Object.keys(rows[0]), ...rows.map((row) => Object.values(row))]
  .map((row) => row.map(cell).join(",") + "\n").join("");
