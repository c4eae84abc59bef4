// This part completes the rounds that were not played, by any policy of the program (`unplayed/`):
// the match points of an opponent and the half points that a round scores for the team.

const isPlayed = (cell) => cell.kind === "PLAYED";
const isNamed = (cell) => !isPlayed(cell) && cell.other !== null;
const isOneOf = (cell, ...kinds) => kinds.includes(cell.kind);
const isAbsent = (cell) => isOneOf(cell, "NOT_PAIRED", "ZERO_BYE");
const isPaid = (cell) => isOneOf(cell, "PAIRING_BYE", "FULL_BYE", "HALF_BYE");
const isWon = (cell) => cell.kind === "WON_BY_DEFAULT";

/** What every team did in every round: `kind`, `other` (null without one), `gained`, `scored`. */
function eventRecord(event) {
  const nothing = { kind: "NOT_PAIRED", other: null, gained: 0, scored: 0 };
  const rows = event.teams.map(() => Array(event.rounds).fill(nothing));
  for (const match of event.matches) {
    const { round, a, b, bye, decided, forfeited } = match;
    const half = [match.halfA, match.halfB];
    const gained = matchPoints(match);
    const how = (won) => (forfeited !== decided ? "PLAYED" : won ? "WON_BY_DEFAULT"
      : "LOST_BY_DEFAULT");
    [a, b].forEach((team, k) => {
      if (team === null) return;
      const kind = b === null ? KNOWN.byeKinds[bye] : how(half[k] > half[1 - k]);
      rows[team][round - 1] = {
        kind, other: k ? a : b, gained: gained[k], scored: half[k], isBlack: team === match.black,
      };
    });
  }
  const outside = (name, team) =>
    sum(event.penalties.map((one) => (one.team === team ? one[name] : 0)));
  const mp = rows.map((row) => pointsOfRow(row));
  return {
    rows, mp, isRoundRobin: isRoundRobin({ rows, rounds: event.rounds }), rounds: event.rounds,
    boards: event.boards, scoring: event.scoring, draw: event.scoring[1],
    ownMp: mp.map((points, team) => points + outside("mp", team)), // with penalties
    ownHalf: rows.map((row, team) => sum(row.map(({ scored }) => scored)) + outside("half", team)),
  };
}

/** The opponents that every team was drawn against. */
const drawnOpponents = ({ rows }) => rows.map((row) =>
  row.map(({ other }) => other).filter((other) => other !== null));

/** Whether every two of at least three teams were drawn against each other equally often. */
function isRoundRobin(record) {
  const drawn = drawnOpponents(record);
  if (drawn.length < 3 || record.rounds < drawn.length - 1) return false;
  const often = Math.max(...drawn.flatMap((met) =>
    met.map((one) => met.filter((other) => other === one).length)));
  return drawn.every((met) => met.length === often * (drawn.length - 1));
}

/** Match points of a team, by default all of them. */
const pointsOfRow = (row, counts = () => true) =>
  sum(row.map((cell, r) => (counts(cell, r) ? cell.gained : 0)));
const pointsBefore = (row, round) => pointsOfRow(row, (_, r) => r < round);

/**
 * The items of all teams: what a round adds to their sums, by a function of cell, round and team
 * that says what differs from a round that counts as it was recorded.
 */
const completed = (record, item) => record.rows.map((row, team) => row.map((cell, r) => ({
  other: isPlayed(cell) ? cell.other : null, mp: 0, gained: cell.gained, scored: cell.scored,
  counted: true, empty: false, first: false,
  ...item(cell, r, team),
})));

/** Rule 14 of the Olympiad of 2016: virtual opponents. */
const baku2016 = (record) => completed(record, (cell, r, team) => {
  if (isPlayed(cell)) return { mp: record.mp[cell.other] };
  const start = pointsBefore(record.rows[team], r);
  const drawn = (isWon(cell) || isPaid(cell) ? 1 : 0) + record.rounds - 1 - r;
  return { mp: start + record.draw * drawn, first: cell.kind === "PAIRING_BYE" };
});

/** The Olympiad of 2026: no virtual opponents. */
function fide2026(record) {
  const seen = record.rows.map((row, team) =>
    record.mp[team] + record.draw * row.filter(isAbsent).length);
  return completed(record, (cell) => {
    const against = cell.other !== null;
    const won = isNamed(cell) && isWon(cell);
    return {
      other: cell.other, mp: against ? seen[cell.other] : 0,
      gained: won ? record.scoring[0] : isPlayed(cell) ? cell.gained : 0,
      scored: won ? 2 * record.boards : isPlayed(cell) ? cell.scored : 0,
      empty: !against, first: !against && !isAbsent(cell),
    };
  });
}

const isVoluntary = (cell) => isAbsent(cell) || isOneOf(cell, "LOST_BY_DEFAULT", "HALF_BYE");

/** FIDE's C.07: a dummy opponent with the team's own score. */
const c07 = (capped) => (record) => {
  const { draw, mp, rows, rounds } = record;
  const seen = rows.map((row) => {
    const last = row.findLastIndex((cell) => !isVoluntary(cell));
    return sum(row.map((cell, r) => (r > last && cell.other === null ? draw : cell.gained)));
  });
  return completed(record, (cell, r, team) => {
    if (isPlayed(cell)) return { mp: seen[cell.other] };
    const cap = isNamed(cell) ? seen[cell.other] : draw * rounds;
    return { mp: capped ? Math.min(mp[team], cap) : mp[team], first: isVoluntary(cell) };
  });
};

/** The first item by the keys; of equal ones the earliest. Items that do not count come last. */
function firstBy(row, ...keys) {
  const all = [row.map((item) => (item.counted ? 0 : 1)), ...keys];
  return lowest(row.map((_, k) => all.map((key) => key[k])));
}

const scoresOf = (row) => row.map(({ mp }) => mp);
const voluntaryFirst = (row) => row.map((item) => (item.first ? 0 : 1));

/** The item that a cut leaves out: of those that go first, else of the lowest opponent. */
const lowestOut = (row, values) => firstBy(row, voluntaryFirst(row), scoresOf(row), values);

/** C.07: the voluntarily unplayed round that is worth least, unless the lowest is worth more. */
function c07Out(row, values) {
  const ofAll = firstBy(row, scoresOf(row), values);
  const ofFree = firstBy(row, voluntaryFirst(row), values, scoresOf(row));
  return !row[ofFree].first || values[ofAll] > values[ofFree] ? ofAll : ofFree;
}

const POLICIES = {
  baku2016: { complete: baku2016 },
  fide2026: { complete: fide2026 },
  c07: { complete: c07(true), leftOut: c07Out },
  "c07-2024": { complete: c07(false), leftOut: c07Out },
  "face-value": {
    complete: (record) => completed(record, ({ other }) =>
      ({ other, mp: other === null ? 0 : record.mp[other],
        counted: !record.isRoundRobin || other !== null })),
  },
};

/**
 * The items of an event after a cut, with `total`: of every team's items that count.
 * `worth` is the value of an item of a team; `cuts` says whether the lowest item is left out.
 */
function afterCut(record, { complete, leftOut = lowestOut }, worth, cuts) {
  const items = complete(record);
  const out = items.map((row, team) =>
    (cuts ? leftOut(row, row.map((item) => (item.empty ? 0 : worth(item, team)))) : -1));
  const counts = ({ counted, empty }, team, r) => counted && !empty && r !== out[team];
  const counting = (values) => values.map((row, team) =>
    row.map((x, r) => (counts(items[team][r], team, r) ? x : 0)));
  return { items, counting, total: (values) => counting(values).map((row) => sum(row)) };
}
