// This part says what an event is: its matches, its date and kind, from which the usual policy for
// unplayed rounds follows; and completes these rounds by any policy of the program (`unplayed/`).

/** A match between two teams, or the round of one without an opponent. */
const newMatch = (round, a, b, given = {}) => ({
  round, a, b, bye: "", halfA: 0, halfB: 0, decided: 0, forfeited: 0, recorded: [null, null],
  ...given,
});

/** Match points 2, 1, 0 of both sides by the game points; 0 for both if nobody scored. */
function usualPoints({ b, bye, halfA, halfB }) {
  if (b === null) return [KNOWN.byes[bye], 0];
  const sign = Math.sign(halfA - halfB);
  return halfA + halfB ? [1 + sign, 1 - sign] : [0, 0];
}

/** Match points of both sides, by the game points or as recorded. */
const matchPoints = (match) =>
  usualPoints(match).map((points, side) => match.recorded[side] ?? points);

/** The matches, with match points of their own where an event does not score 2, 1, 0. */
function withScoring(matches, scoring) {
  for (const match of String(scoring) === String(STANDARD) ? [] : matches) {
    match.recorded = usualPoints(match).map((points, side) => match.recorded[side]
      ?? (match.b === null && !points ? 0 : scoring[STANDARD[0] - points]));
  }
  return matches;
}

const sayUnfinished = (notes, round) => (round > LIMITS.rounds ? null
  : notes.add(`round ${round} is not finished: it and later ones are left out`));

/** Say that there are open matches. */
const sayOpen = (notes, open) => (open.length ? notes.add("open matches count for nobody; "
  + "a learned rule's sum over the other rounds is rescaled") : null);

/** What every team did in every round: `kind`, `other` (null without one), `gained`, `scored`. */
function eventRecord({ teams, rounds, boards, scoring, matches, penalties, open }) {
  const nothing = { kind: "NOT_PAIRED", other: null, gained: 0, scored: 0 };
  const rows = teams.map(() => Array(rounds).fill(nothing));
  for (const match of matches) {
    const { round, a, b, halfA, halfB, bye, decided, forfeited } = match;
    const gained = matchPoints(match);
    [[a, b, halfA, halfB], [b, a, halfB, halfA]].forEach(([team, other, scored, against], k) => {
      if (team === null) return;
      const kind = b === null ? KNOWN.byeKinds[bye] : forfeited !== decided ? "PLAYED"
        : scored > against ? "WON_BY_DEFAULT" : "LOST_BY_DEFAULT";
      rows[team][round - 1] = { kind, other, gained: gained[k], scored };
    });
  }
  for (const { round, a, b } of open) {
    rows[a][round - 1] = { ...nothing, isOpen: true, waits: b };
    rows[b][round - 1] = { ...nothing, isOpen: true, waits: a };
  }
  const [mp, half] = ["gained", "scored"].map((name) =>
    rows.map((row) => sum(row.map((cell) => cell[name]))));
  const withPenalties = (totals, name) => totals.map((points, team) =>
    points + sum(penalties.filter((one) => one.team === team).map((one) => one[name])));
  return {
    rows, mp, isRoundRobin: isComplete(rows), rounds, boards, scoring, draw: scoring[1],
    ownMp: withPenalties(mp, "mp"), ownHalf: withPenalties(half, "half"),
  };
}

/** A date as `2016-09-02` from numbers; empty for others: of dates in words the year counts. */
function writtenDate(text) {
  const [a, b, c] = text.match(/[0-9]+|[\p{L}\p{No}\p{Nl}]+/gu)?.slice(0, 9)
    .filter((word) => /^[0-9]{1,4}$/.test(word)).map(Number) ?? [];
  const isDate = ([y, m, d]) =>
    within(m, 1, 12) && within(d, 1, 31) && (y < 100 || (y >= 1800 && y < 2200));
  const orders = a > 31 ? [[a, b, c]] : c > 31 || text.includes(".") ? [[c, b, a]]
    : [[a, b, c], [c, b, a]];
  if ((c > 31 || text.includes("/")) && !text.includes(".") && a <= 31) orders.push([c, a, b]);
  const dates = new Set(orders.filter(isDate).map(([y, ...rest]) => [
    y > 99 ? y : y + (y < 70 ? 2000 : 1900), ...rest.map((n) => String(n).padStart(2, "0")),
  ].join("-")));
  return dates.size === 1 ? [...dates][0] : "";
}

/** The day on which an event began, as `2026-09-15`, or only its year; empty if unknown. */
function startOf({ name, about }) {
  const texts = [about.start ?? "", about.end ?? ""];
  const date = texts.map((text) => text.replaceAll("/", "-"))
    .find((text) => /^\d{4}-\d\d-\d\d$/.test(text));
  return date ?? /(?<!\d)(?:19|20)\d\d(?!\d)/.exec([...texts, name].join(" "))?.[0] ?? "";
}

/** Whether it is a Chess Olympiad, by its title or by the name of its host and year. */
function isOlympiad(event) {
  const name = event.name.toLowerCase();
  const short = name.replace(/[^a-z0-9]/g, "");
  return (SHAPES.olympiad.test(name) && !SHAPES.otherOlympiads.test(name))
    || KNOWN.hosts.some((host) => short.startsWith(host));
}

/** How many of so many matches between every two teams were not drawn. */
const undrawn = (rows, often) => rows.map((row, a) => rows.map((_, b) =>
  (a === b ? 0 : often - row.filter(({ other }) => other === b).length)));

/** Whether every two of at least three teams were drawn against each other equally often. */
function isComplete(rows) {
  if (rows.length < 3 || rows[0].length < rows.length - 1) return false;
  const often = rows[0].filter(({ other }) => other === 1).length;
  return often > 0 && !undrawn(rows, often).flat().some(Boolean);
}

/** Whether everybody was to meet everybody equally often, also if matches were not played. */
function isRoundRobin(event, { rows, isRoundRobin: isWhole } = eventRecord(event)) {
  if (SHAPES.roundRobin.test((event.about.type ?? "").toLowerCase())) return true;
  const [teams, rounds] = [rows.length, Math.max(event.rounds, event.planned)];
  return isWhole || (rounds >= teams - 1 && teams > 2 && isAlmostComplete(rows, rounds));
}

/** Whether pairs that never met fill the gaps of a schedule, of which half or more is recorded. */
function isAlmostComplete(rows, rounds) {
  const [teams, isOdd] = [rows.length, rows.length % 2];
  const often = rounds / (teams - 1 + isOdd);
  if (!Number.isInteger(often)) return false;
  const left = undrawn(rows, often);
  const all = left.flat();
  if (Math.min(...all) < 0 || 2 * sum(all) > often * teams * (teams - 1)) return false;
  let steps = 20_000; // no more, as a hostile file may have very many ways
  /** Pairs of all who are idle, but for one in an odd field; null if there are none. */
  const paired = ([one, ...rest], mayRest) => {
    steps -= 1;
    if (one === undefined) return [];
    for (const other of steps > 0 ? rest.filter((team) => left[one][team]) : []) {
      const more = paired(rest.filter((team) => team !== other), mayRest);
      if (more) return [[one, other], ...more];
    }
    return mayRest ? paired(rest, false) : null;
  };
  return rangeOf(rows[0].length).every((r) => {
    const found = paired(rangeOf(teams).filter((team) => rows[team][r].other === null), isOdd);
    for (const [a, b] of found ?? []) {
      left[a][b] -= 1;
      left[b][a] -= 1;
    }
    return found;
  });
}

/** The policy that an event has if nobody chooses one, as the program has it. */
function usualPolicy(event) {
  const { roundRobin, olympiad, later, startOfLater, before, since, newRules } = KNOWN.usual;
  const start = startOf(event);
  if (isRoundRobin(event)) return roundRobin;
  if (isOlympiad(event)) return start && start < startOfLater ? olympiad : later;
  // A year alone is compared with a year: in that of the new edition it is the new one.
  return start && start < newRules.slice(0, start.length) ? before : since;
}

/** What decides: the edition for unplayed rounds, and the criteria. */
function orderLine(event, policy, record) {
  const isUndated = policy === usualPolicy(event) && !isRoundRobin(event, record) && !startOf(event)
    && record.rows.some((row) => !row.every(isPlayed));
  const edition = [DATA.titles[policy], ...isUndated ? [say("html.undated")] : []].join(", ");
  return `${edition}: ${DATA.order.join(", ")}`;
}

const isPlayed = ({ kind }) => kind === "PLAYED";
const isAbsent = ({ kind }) => ["NOT_PAIRED", "ZERO_BYE"].includes(kind);
const isVoluntary = (cell) => isAbsent(cell) || ["LOST_BY_DEFAULT", "HALF_BYE"].includes(cell.kind);

/** The items of all teams; a function of cell, round and team says what is not as recorded. */
const completed = (record, item) => record.rows.map((row, team) => row.map((cell, r) => ({
  other: isPlayed(cell) ? cell.other : null, mp: 0, scored: cell.scored, counted: true,
  empty: false, first: false, ...item(cell, r, team),
})));

/** Rule 14 of the Olympiad of 2016: virtual opponents. */
const baku2016 = (record) => completed(record, (cell, r, team) => {
  if (isPlayed(cell)) return { mp: record.mp[cell.other] };
  const start = sum(record.rows[team].slice(0, r).map(({ gained }) => gained));
  const isDrawn = ["WON_BY_DEFAULT", "PAIRING_BYE", "FULL_BYE", "HALF_BYE"].includes(cell.kind);
  const drawn = Number(isDrawn) + record.rounds - 1 - r;
  return { mp: start + record.draw * drawn, first: cell.kind === "PAIRING_BYE" };
});

/** The Olympiad of 2026: no virtual opponents. */
function fide2026(record) {
  const seen = record.rows.map((row, team) =>
    record.mp[team] + record.draw * row.filter(isAbsent).length);
  return completed(record, (cell) => {
    const isNobody = cell.other === null;
    const isWon = !isNobody && cell.kind === "WON_BY_DEFAULT";
    return {
      other: cell.other, mp: isNobody ? 0 : seen[cell.other],
      scored: isWon ? 2 * record.boards : isPlayed(cell) ? cell.scored : 0,
      empty: isNobody, first: isNobody && !isAbsent(cell),
    };
  });
}

/** FIDE's C.07: a dummy opponent with the team's own score. */
const c07 = (isCapped) => (record) => {
  const { draw, mp, rows, rounds } = record;
  const seen = rows.map((row) => {
    const last = row.findLastIndex((cell) => !isVoluntary(cell));
    return sum(row.map((cell, r) => (r > last && cell.other === null ? draw : cell.gained)));
  });
  return completed(record, (cell, r, team) => {
    if (isPlayed(cell)) return { mp: seen[cell.other] };
    const cap = cell.other !== null ? seen[cell.other] : draw * rounds;
    return { mp: isCapped ? Math.min(mp[team], cap) : mp[team], first: isVoluntary(cell) };
  });
};

/** Results as they are; in a round robin a round without an opponent is none. */
const faceValue = (record) => completed(record, ({ other }) => ({
  other, mp: other === null ? 0 : record.mp[other],
  counted: !record.isRoundRobin || other !== null,
}));

// The item that a cut leaves out: those that do not count come last, of equal ones the earliest.
const firstOut = ({ first }) => (first ? 0 : 1);
const outBy = (row, key) => lowest(row.map((item, r) => [item.counted ? 0 : 1, ...key(item, r)]));
const lowestOut = (row, values) => outBy(row, (item, r) => [firstOut(item), item.mp, values[r]]);

/** C.07: the voluntarily unplayed round that is worth least, unless the lowest is worth more. */
function c07Out(row, values) {
  const ofAll = outBy(row, ({ mp }, r) => [mp, values[r]]);
  const ofFree = outBy(row, (item, r) => [firstOut(item), values[r], item.mp]);
  return !row[ofFree].first || values[ofAll] > values[ofFree] ? ofAll : ofFree;
}

const POLICIES = {
  baku2016: { complete: baku2016, leftOut: lowestOut },
  fide2026: { complete: fide2026, leftOut: lowestOut },
  c07: { complete: c07(true), leftOut: c07Out },
  "c07-2024": { complete: c07(false), leftOut: c07Out },
  "face-value": { complete: faceValue, leftOut: lowestOut },
};
