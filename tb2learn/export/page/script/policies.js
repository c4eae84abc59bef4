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
    rows, mp, isRoundRobin: isRoundRobin({ rows, rounds: event.rounds }), rounds: event.rounds, boards: event.boards, ratings: event.ratings,
    scoring: event.scoring, draw: event.scoring[1],
    games: rows.map((row) => row.filter(isPlayed).length),
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
const overTheBoard = ({ rows }) => rows.map((row) => pointsOfRow(row, isPlayed));

/**
 * The items of all teams: what a round adds to their sums, by a function of cell, round and team
 * that says what differs from a round that counts as it was recorded.
 */
const completed = (record, item) => record.rows.map((row, team) => row.map((cell, r) => ({
  other: isPlayed(cell) ? cell.other : null, mp: 0, gained: cell.gained, scored: cell.scored,
  counted: true, empty: false, first: false,
  games: isPlayed(cell) ? record.games[cell.other] : 0,
  ...item(cell, r, team),
})));

/** Items of the matches over the board; a team counts as it is `seen`. */
const realOpponents = (record, seen) => completed(record, (cell) =>
  (isPlayed(cell) ? { mp: seen[cell.other] } : { counted: false }));

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

/** Points over the board plus a draw for every missed round. */
const missedDrawn = (record) => overTheBoard(record).map((points, team) =>
  points + record.draw * (record.rounds - record.games[team]));

function drawSelf(record) {
  const seen = missedDrawn(record);
  return completed(record, (cell, r, team) => (isPlayed(cell) ? { mp: seen[cell.other] }
    : { mp: seen[team], gained: record.draw, scored: record.boards }));
}

const virtualOpponent = (adjusted) => (record) => {
  const { draw, rows } = record;
  const seen = missedDrawn(record);
  return completed(record, (cell, r, team) => {
    if (isPlayed(cell)) return { mp: seen[cell.other] };
    const most = isNamed(cell) ? pointsBefore(rows[cell.other], r) : draw * r;
    const own = pointsBefore(rows[team], r);
    const start = adjusted ? Math.min(own, most) : own;
    return { mp: start + (2 * draw - cell.gained) + draw * (record.rounds - 1 - r) };
  });
};

/** By kind of absence; `eachRound` is what a team that retired gains in each round that remained. */
const fair = (eachRound) => (record) => {
  const leaving = record.rows.map((row) => 1 + row.findLastIndex((cell) => !isAbsent(cell)));
  const onLeaving = record.rows.map((row, team) => pointsBefore(row, leaving[team]));
  const seen = onLeaving.map((score, team) =>
    score + eachRound({ record, leaving, onLeaving }, team) * (record.rounds - leaving[team]));
  return completed(record, (cell, r, team) => {
    const { other } = cell;
    const own = isOneOf(cell, "FULL_BYE", "HALF_BYE") ? 0 : record.mp[team];
    const [gained, scored] = isAbsent(cell) ? [0, 0] : [cell.gained, cell.scored];
    return { other, mp: other === null ? own : seen[other], gained, scored };
  });
};

const average = ({ onLeaving, leaving }, team) => quotient(onLeaving[team], leaving[team]);

const boardAverage = ({ record }, team) =>
  quotient(overTheBoard(record)[team], record.games[team]);

function asThoseTied({ record, leaving, onLeaving }, team) {
  const left = leaving[team];
  const level = record.mp.filter((_, other) => leaving[other] > left
    && pointsBefore(record.rows[other], left) === onLeaving[team]);
  if (left === record.rounds || !level.length) return record.draw;
  return (sum(level) / level.length - onLeaving[team]) / (record.rounds - left);
}

/** FIDE's expected score for a rating difference. */
function expectedScore(difference) {
  const size = Math.floor(Math.min(Math.abs(difference), 400) + 0.5);
  const chance = DATA.expected[size] / 100;
  return difference < 0 ? 1 - chance : chance;
}

/** A missed round counts as the mean of the opponents that are kept, with corrections. */
function sivakasi(record, isKept) {
  const { mp, rows, games, ratings } = record;
  const { gap, correction, early } = DATA.sivakasi;
  return completed(record, (cell, r, team) => {
    const there = rows[team].filter((one, k) => isKept(one, team, k)).map(({ other }) => mp[other]);
    const counted = there.length > 0;
    if (isPlayed(cell)) return { mp: mp[cell.other], counted };
    const mean = quotient(sum(there), there.length);
    const won = isNamed(cell) && isWon(cell);
    const [own, theirs] = won ? [ratings[team], ratings[cell.other]] : [null, null];
    const known = own !== null && theirs !== null;
    const apart = known ? own - theirs : gap * ((theirs === null) - (own === null));
    const less = isPaid(cell) || (apart >= gap && r < early);
    const corrected = mean + 2 * correction * ((apart <= -gap) - less);
    const forfeiter = won && games[cell.other] === record.rounds - 1 ? mp[cell.other] : -Infinity;
    const expected = known ? expectedScore(apart) : 0.5;
    const gained = 2 * (isPaid(cell) || isWon(cell) ? expected : 0);
    const alone = forfeiter > mean ? forfeiter : corrected;
    return { mp: mean, counted, alone, gained, scored: record.boards * gained };
  });
}

/** The first item by the keys; of equal ones the earliest. Items that do not count come last. */
function firstBy(row, ...keys) {
  const all = [row.map((item) => (item.counted ? 0 : 1)), ...keys];
  return lowest(row.map((_, k) => all.map((key) => key[k])));
}

const nine = (x) => Math.round(x * 1e9) / 1e9;
const scoresOf = (row) => row.map((item) => nine(item.mp));
const voluntaryFirst = (row) => row.map((item) => (item.first ? 0 : 1));

/** The item that a cut leaves out: of those that go first, else of the lowest opponent. */
const lowestOut = (row, values) => firstBy(row, voluntaryFirst(row), scoresOf(row), values);

/** C.07: the voluntarily unplayed round that is worth least, unless the lowest is worth more. */
function c07Out(row, values) {
  const ofAll = firstBy(row, scoresOf(row), values);
  const ofFree = firstBy(row, voluntaryFirst(row), values, scoresOf(row));
  return !row[ofFree].first || values[ofAll] > values[ofFree] ? ofAll : ofFree;
}

/** Ricca: the opponent without whom the quotient of points and games is highest. */
function pooledOut(row, values) {
  const only = (points) => points.map((x, k) => (row[k].counted ? x : 0));
  const games = only(row.map((item) => item.games));
  const without = (points) => only(points).map((x, k, all) =>
    -quotient(sum(all) - x, sum(games) - games[k]));
  return firstBy(row, without(scoresOf(row)), without(values));
}

const metOut = (row, values) =>
  lowestOut(row.map((item) => ({ ...item, counted: item.other !== null })), values);

const keptItems = (row, out) => row.filter((item, k) => item.counted && !out[k]);

const POLICIES = {
  baku2016: { complete: baku2016 },
  fide2026: { complete: fide2026 },
  c07: { complete: c07(true), leftOut: c07Out },
  "c07-2024": { complete: c07(false), leftOut: c07Out },
  drawself: { complete: drawSelf },
  "virtual-opponent": { complete: virtualOpponent(false) },
  "adjusted-virtual-opponent": { complete: virtualOpponent(true) },
  ignore: {
    complete: (record) => realOpponents(record, overTheBoard(record)), leftOut: pooledOut,
    scale: (row, out) =>
      quotient(row.length ** 2, sum(keptItems(row, out).map(({ games }) => games))),
  },
  "face-value": {
    complete: (record) => completed(record, ({ other }) =>
      ({ other, mp: other === null ? 0 : record.mp[other],
        counted: !record.isRoundRobin || other !== null })),
  },
  "fair-draw": { complete: fair(({ record }) => record.draw) },
  "fair-zero": { complete: fair(() => 0) },
  "fair-average": { complete: fair(average) },
  "fair-board-average": { complete: fair(boardAverage) },
  "fair-tied": { complete: fair(asThoseTied) },
  aaso: {
    complete: (record) => realOpponents(record, overTheBoard(record).map((points, team) =>
      quotient(points, record.games[team]) * record.rounds)),
    scale: (row, out) =>
      quotient(row.length - out.filter(Boolean).length, keptItems(row, out).length),
  },
  sivakasi: {
    complete: (record) => sivakasi(record, isPlayed), leftOut: metOut,
    afterCut: (record, out) =>
      sivakasi(record, (cell, team, r) => isPlayed(cell) && !out[team][r]),
  },
};

/**
 * The items of an event after a cut, with `total`: of every team's items that count, and `scale`d.
 * `worth` is the value of an item of a team; `cuts` says whether the lowest item is left out.
 */
function afterCut(record, { complete, leftOut = lowestOut, afterCut: again, scale }, worth, cuts) {
  const first = complete(record);
  const out = first.map((row, team) => {
    const left = cuts ? leftOut(row, row.map((item) => (item.empty ? 0 : worth(item, team)))) : -1;
    return row.map((item, k) => k === left && item.counted);
  });
  const items = again ? again(record, out) : first;
  const scales = items.map((row, team) => scale?.(row, out[team]) ?? 1);
  const counts = ({ counted, empty }, team, r) => counted && !empty && !out[team][r];
  const counting = (values) => values.map((row, team) =>
    row.map((x, r) => (counts(items[team][r], team, r) ? x : 0)));
  const total = (values) => counting(values).map((row, team) => scales[team] * sum(row));
  return { items, scales, counting, total };
}
