// This part completes the rounds that were not played, by any policy of the program.
// A score is in match points or in half points; `draw` is that of a drawn match in the same unit.

const KIND = { played: 0, pairing: 1, won: 2, lost: 3, absent: 4, full: 5, half: 6, zero: 7 };
const BYE_KIND = {
  pairing: KIND.pairing, full: KIND.full, half: KIND.half, zero: KIND.zero, default: KIND.won,
};

const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);
const quotient = (points, games) => (games ? points / games : 0);
const oneOf = (kind, ...names) => names.some((name) => KIND[name] === kind);

/** Match points of both sides, by the game points or as recorded; 0 for both if nobody scored. */
function matchPoints({ b, bye, halfA, halfB, recorded }) {
  const sign = Math.sign(halfA - halfB);
  const nobody = halfA === 0 && halfB === 0;
  const won = b === null ? [DATA.byes[bye], 0] : nobody ? [0, 0] : [1 + sign, 1 - sign];
  return won.map((points, side) => recorded[side] ?? points);
}

/** What every team did in every round: `kind`, `other` (null without one), `gained`, `scored`. */
function eventRecord(event) {
  const nothing = { kind: KIND.absent, other: null, gained: 0, scored: 0 };
  const rows = event.teams.map(() => Array(event.rounds).fill(nothing));
  for (const match of event.matches) {
    const { round, a, b, bye, halfA, halfB, decided, forfeited } = match;
    const [gainedA, gainedB] = matchPoints(match);
    const kind = (won) => (forfeited !== decided ? KIND.played : won ? KIND.won : KIND.lost);
    rows[a][round - 1] = {
      kind: b === null ? BYE_KIND[bye] : kind(halfA > halfB), other: b,
      gained: gainedA, scored: halfA,
    };
    if (b === null) continue;
    rows[b][round - 1] = { kind: kind(halfB > halfA), other: a, gained: gainedB, scored: halfB };
  }
  const total = (name) => rows.map((row) => sum(row.map((cell) => cell[name])));
  const [mp, half] = [total("gained"), total("scored")];
  const outside = (name, totals) => totals.map((points, team) =>
    points + sum(event.penalties.map((one) => (one.team === team ? one[name] : 0))));
  return {
    rows, rounds: event.rounds, boards: event.boards, ratings: event.ratings,
    scoring: event.scoring, mp, half,
    ownMp: outside("mp", mp), ownHalf: outside("half", half), // with penalties, for the standings
  };
}

const isPlayed = (cell) => cell.kind === KIND.played;
const isNamed = (cell) => !isPlayed(cell) && cell.other !== null;
const isAbsent = (cell) => oneOf(cell.kind, "absent", "zero");

/** A table of items, one a team and round, by a function of the cell, the round and the team. */
const completed = (record, item) =>
  record.rows.map((row, team) => row.map((cell, r) => ({
    other: null, mp: 0, half: 0, gained: 0, scored: 0, counted: true, empty: false, first: false,
    games: 0, ...item(cell, r, team),
  })));

const played = (record) => record.rows.map((row) => row.filter(isPlayed).length);

/** Items of the matches played over the board; all other rounds are not counted. */
const realOpponents = (record, seen, seenHalf) => {
  const games = played(record);
  return completed(record, (cell) => (isPlayed(cell) ? {
    other: cell.other, mp: seen[cell.other], half: seenHalf[cell.other],
    gained: cell.gained, scored: cell.scored, games: games[cell.other],
  } : { counted: false }));
};

/** Points over the board of every team, of the field `gained` or `scored`. */
const overTheBoard = (record, name) =>
  record.rows.map((row) => sum(row.map((cell) => (isPlayed(cell) ? cell[name] : 0))));

const before = (row, name, r) => sum(row.slice(0, r).map((cell) => cell[name]));

/**
 * A policy with one formula for match points and game points, which counts every round.
 * `fill(record, name, draw)` gives a function of cell, round and team: `[opponent's, own points]`.
 */
const oneFormula = (fill, { real = isPlayed, first = () => false } = {}) => (record) => {
  const points = fill(record, "gained", record.scoring[1]);
  const half = fill(record, "scored", record.boards);
  const games = played(record);
  return completed(record, (cell, r, team) => {
    const [mp, gained] = points(cell, r, team);
    const [opponentHalf, scored] = half(cell, r, team);
    return {
      other: real(cell) ? cell.other : null, mp, half: opponentHalf, gained, scored,
      first: first(cell), games: isPlayed(cell) ? games[cell.other] : 0,
    };
  });
};

// ------------------------------------------------------------------------------- the Olympiads

/** Rule 14 of the Olympiad of 2016: virtual opponents. */
function baku2016(record) {
  const real = realOpponents(record, record.mp, record.half);
  return completed(record, (cell, r, team) => {
    const row = record.rows[team];
    const item = { ...real[team][r], counted: true, gained: cell.gained, scored: cell.scored };
    item.first = cell.kind === KIND.pairing;
    if (isPlayed(cell)) return item;
    const won = cell.kind === KIND.won;
    const bye = oneOf(cell.kind, "pairing", "full", "half");
    const later = record.rounds - 1 - r;
    const share = won ? 2 : bye ? 1 : 0;
    item.mp = before(row, "gained", r) + record.scoring[1] * ((won || bye ? 1 : 0) + later);
    item.half = before(row, "scored", r) + record.boards * share + record.boards * later;
    return item;
  });
}

/** The Olympiad of 2026: no virtual opponents. */
function fide2026(record) {
  const absences = record.rows.map((row) => row.filter(isAbsent).length);
  const seen = record.mp.map((points, team) => points + record.scoring[1] * absences[team]);
  const seenHalf = record.half.map((points, team) => points + record.boards * absences[team]);
  const real = realOpponents(record, seen, seenHalf);
  return completed(record, (cell, r, team) => {
    const against = cell.other !== null;
    const won = isNamed(cell) && cell.kind === KIND.won;
    return {
      ...real[team][r],
      other: cell.other,
      mp: against ? seen[cell.other] : 0,
      half: against ? seenHalf[cell.other] : 0,
      ...(won ? { gained: record.scoring[0], scored: 2 * record.boards } : {}),
      counted: true,
      empty: !against,
      first: !against && !isAbsent(cell),
    };
  });
}

// ------------------------------------------------------------------------------- C.07

const voluntary = (cell) => isAbsent(cell) || oneOf(cell.kind, "lost", "half");

const c07 = (capped) => oneFormula((record, name, draw) => {
  const seen = record.rows.map((row) => {
    const last = row.reduce((found, cell, r) => (voluntary(cell) ? found : r + 1), 0);
    return sum(row.map((cell, r) => (r + 1 > last && cell.other === null ? draw : cell[name])));
  });
  const total = record.rows.map((row) => sum(row.map((cell) => cell[name])));
  return (cell, r, team) => {
    if (isPlayed(cell)) return [seen[cell.other], cell[name]];
    const cap = isNamed(cell) ? seen[cell.other] : draw * record.rounds;
    return [capped ? Math.min(total[team], cap) : total[team], cell[name]];
  };
}, { first: voluntary });

// ------------------------------------------------------------------------------- Ricca's variants

/** Points over the board plus a draw for every missed round. */
const missedDrawn = (record, name, draw) => {
  const games = played(record);
  return overTheBoard(record, name)
    .map((points, team) => points + draw * (record.rounds - games[team]));
};

const drawSelf = oneFormula((record, name, draw) => {
  const seen = missedDrawn(record, name, draw);
  return (cell, r, team) =>
    (isPlayed(cell) ? [seen[cell.other], cell[name]] : [seen[team], draw]);
});

const virtualOpponent = (adjusted) => oneFormula((record, name, draw) => {
  const seen = missedDrawn(record, name, draw);
  return (cell, r, team) => {
    if (isPlayed(cell)) return [seen[cell.other], cell[name]];
    let start = before(record.rows[team], name, r);
    if (adjusted) {
      const scheduled = isNamed(cell) ? before(record.rows[cell.other], name, r) : draw * r;
      start = Math.min(start, scheduled);
    }
    return [start + (2 * draw - cell[name]) + draw * (record.rounds - 1 - r), cell[name]];
  };
});

const real = (cell) => isPlayed(cell) || isNamed(cell);

const faceValue = oneFormula((record, name) => {
  const final = record.rows.map((row) => sum(row.map((cell) => cell[name])));
  return (cell) => [real(cell) ? final[cell.other] : 0, cell[name]];
}, { real });

/** By kind of absence; `eachRound` is what a team that retired gains in each round that remained. */
const fair = (eachRound) => oneFormula((record, name, draw) => {
  const points = record.rows.map((row) => row.map((cell) => cell[name]));
  const final = points.map(sum);
  const leaving = record.rows.map((row) =>
    row.reduce((found, cell, r) => (isAbsent(cell) ? found : r + 1), 0));
  const onLeaving = points.map((row, team) => sum(row.slice(0, leaving[team])));
  const retired = { record, name, points, draw, final, leaving, onLeaving };
  const seen = onLeaving.map((score, team) =>
    score + eachRound(retired, team) * (record.rounds - leaving[team]));
  return (cell, r, team) => {
    const own = !real(cell) && !oneOf(cell.kind, "full", "half");
    const opponent = own ? final[team] : real(cell) ? seen[cell.other] : 0;
    return [opponent, isAbsent(cell) ? 0 : cell[name]];
  };
}, { real });

const average = ({ onLeaving, leaving }, team) => quotient(onLeaving[team], leaving[team]);

const boardAverage = ({ record, name }, team) =>
  quotient(overTheBoard(record, name)[team], played(record)[team]);

function asThoseTied({ points, draw, final, leaving, onLeaving, record }, team) {
  const left = leaving[team];
  if (left === record.rounds) return draw;
  const level = points.flatMap((row, other) =>
    (sum(row.slice(0, left)) === onLeaving[team] && leaving[other] > left ? [final[other]] : []));
  if (!level.length) return draw;
  return (sum(level) / level.length - onLeaving[team]) / (record.rounds - left);
}

// ------------------------------------------------------------------------------- means

const ignoreMissed = (record) =>
  realOpponents(record, overTheBoard(record, "gained"), overTheBoard(record, "scored"));

function aaso(record) {
  const games = played(record);
  const [seen, seenHalf] = ["gained", "scored"].map((name) =>
    overTheBoard(record, name).map((points, team) =>
      quotient(points, games[team]) * record.rounds));
  return realOpponents(record, seen, seenHalf);
}

/** FIDE's expected score for a rating difference. */
function expectedScore(difference) {
  const size = Math.floor(Math.min(Math.abs(difference), 400) + 0.5);
  const chance = DATA.expected[size] / 100;
  return difference < 0 ? 1 - chance : chance;
}

const SIVAKASI = { gap: 150, correction: 0.5, early: 1 };

/** A missed round counts as the mean of the opponents that are kept, with corrections. */
function sivakasi(record, kept) {
  const items = realOpponents(record, record.mp, record.half);
  const missed = record.rows.map((row) => row.filter((cell) => !isPlayed(cell)).length);
  return completed(record, (cell, r, team) => {
    const there = items[team].filter((_, k) => kept[team][k]);
    const counted = there.length > 0;
    if (isPlayed(cell)) return { ...items[team][r], counted, alone: items[team][r].mp };
    const mean = quotient(sum(there.map((item) => item.mp)), there.length);
    const meanHalf = quotient(sum(there.map((item) => item.half)), there.length);
    const bye = oneOf(cell.kind, "pairing", "full", "half");
    const won = isNamed(cell) && cell.kind === KIND.won;
    const [own, theirs] = won
      ? [record.ratings[team], record.ratings[cell.other]] : [null, null];
    const known = own !== null && theirs !== null;
    const difference = known ? own - theirs : 0;
    const unrated = won ? (theirs === null ? 1 : 0) - (own === null ? 1 : 0) : 0;
    const lower = (known && difference >= SIVAKASI.gap) || unrated > 0;
    const higher = (known && difference <= -SIVAKASI.gap) || unrated < 0;
    const less = bye || (lower && r < SIVAKASI.early);
    const correction = 2 * SIVAKASI.correction * ((higher ? 1 : 0) - (less ? 1 : 0));
    const expected = known ? expectedScore(difference) : 0.5;
    const result = 2 * (bye || cell.kind === KIND.won ? expected : 0);
    const forfeiter = won && missed[cell.other] === 1 ? record.mp[cell.other] : -Infinity;
    return {
      mp: mean, half: meanHalf, gained: result, scored: record.boards * result, counted,
      alone: forfeiter > mean ? forfeiter : mean + correction,
    };
  });
}

// ------------------------------------------------------------------------------- cuts

/** Items `k` of a team in order of the keys, from the lowest; of equal ones the earliest first. */
const inOrder = (count, keys) =>
  Array.from({ length: count }, (_, k) => k).sort((a, b) => {
    for (const key of keys) if (key[a] !== key[b]) return key[a] < key[b] ? -1 : 1;
    return a - b;
  });

const nine = (x) => Math.round(x * 1e9) / 1e9;

/** What a cut of the lowest item of a team leaves out: true for that item. */
function lowestOut(row, values) {
  const order = inOrder(row.length, [
    row.map((item) => (item.counted ? 0 : 1)), row.map((item) => (item.first ? 0 : 1)),
    row.map((item) => nine(item.mp)), values,
  ]);
  return row.map((item, k) => item.counted && k === order[0]);
}

/** C.07: the voluntarily unplayed round that is worth least, unless the lowest is worth more. */
function c07Out(row, values) {
  const scores = row.map((item) => nine(item.mp));
  const away = row.map((item) => (item.counted ? 0 : 1));
  const [ofAll] = inOrder(row.length, [away, scores, values]);
  const free = row.map((item) => item.counted && item.first);
  const [ofFree] = inOrder(row.length, [free.map((x) => (x ? 0 : 1)), values, scores]);
  const chosen = !free.includes(true) || values[ofAll] > values[ofFree] ? ofAll : ofFree;
  return row.map((item, k) => item.counted && k === chosen);
}

/** Ricca: the opponent without whom the quotient of points and games is highest. */
function pooledOut(row, values) {
  const games = row.map((item) => (item.counted ? item.games : 0));
  const without = (points) => {
    const kept = points.map((x, k) => (row[k].counted ? x : 0));
    return kept.map((x, k) => -quotient(sum(kept) - x, sum(games) - games[k]));
  };
  const [chosen] = inOrder(row.length, [
    row.map((item) => (item.counted ? 0 : 1)),
    without(row.map((item) => nine(item.mp))), without(values),
  ]);
  return row.map((item, k) => item.counted && k === chosen);
}

const metOut = (row, values) =>
  lowestOut(row.map((item) => ({ ...item, counted: item.other !== null })), values);

const kept = (row, out) => row.filter((item, k) => item.counted && !out[k]);

const POLICIES = {
  baku2016: { complete: baku2016 },
  fide2026: { complete: fide2026 },
  c07: { complete: c07(true), leftOut: c07Out },
  "c07-2024": { complete: c07(false), leftOut: c07Out },
  drawself: { complete: drawSelf },
  "virtual-opponent": { complete: virtualOpponent(false) },
  "adjusted-virtual-opponent": { complete: virtualOpponent(true) },
  ignore: {
    complete: ignoreMissed, leftOut: pooledOut,
    scale: (row, out) => quotient(row.length ** 2, sum(kept(row, out).map((i) => i.games))),
  },
  "face-value": { complete: faceValue },
  "fair-draw": { complete: fair(({ draw }) => draw) },
  "fair-zero": { complete: fair(() => 0) },
  "fair-average": { complete: fair(average) },
  "fair-board-average": { complete: fair(boardAverage) },
  "fair-tied": { complete: fair(asThoseTied) },
  aaso: {
    complete: aaso,
    scale: (row, out) =>
      quotient(row.length - out.filter(Boolean).length, kept(row, out).length),
  },
  sivakasi: {
    complete: (record) => sivakasi(record, record.rows.map((row) => row.map(isPlayed))),
    leftOut: metOut,
    afterCut: (record, out) => sivakasi(record, record.rows.map((row, team) =>
      row.map((cell, r) => isPlayed(cell) && !out[team][r]))),
  },
};

/**
 * The items of an event after a cut: `items`, `out` (true where left out), `scale` of every team.
 * `worth` is the value of an item of a team; `cuts` says whether the lowest item is left out.
 */
function afterCut(record, policy, worth, cuts) {
  let items = policy.complete(record);
  const out = items.map((row, team) => {
    if (!cuts) return row.map(() => false);
    const values = row.map((item) => (item.empty ? 0 : worth(item, team)));
    return (policy.leftOut ?? lowestOut)(row, values);
  });
  if (policy.afterCut) items = policy.afterCut(record, out);
  const scale = items.map((row, team) => (policy.scale ? policy.scale(row, out[team]) : 1));
  return { items, out, scale };
}

const worthSomething = (item) => item.counted && !item.empty;
