// This part numbers the boards of the matches in a Tournament Report File and adds up their points;
// byes, forfeited matches, points of their own and penalties are applied afterwards.

const FORFEITS = { "+-": [2, 0], "-+": [0, 2], "--": [0, 0] };
const BEST_FIRST = ["default", "full", "pairing", "half", "zero"];
const MOST_PENALTY = 99;

/** Records 330, by the key of a match: `points` of each team on a board. */
function trfForfeits(records, teams, draw) {
  const found = new Map();
  for (const line of records("330")) {
    const points = FORFEITS[line.text(5, 6)];
    if (!points) line.refuse(5, 6, "type", say("html.allowed_one", { all: "+-, -+, --" }));
    const round = line.integer(8, 10, "round", 1, LIMITS.rounds);
    const [white, black] = [line.team(12, 14, teams), line.team(16, 18, teams)];
    if (round >= draw.unfinished) continue;
    const place = at(round, Math.min(white, black));
    if (!draw.meet(round, white, black) || found.has(place)) {
      line.refuse(12, 18, "teams", say("html.allowed_free", { round }));
    }
    found.set(place, { line, points: { [white]: points[0], [black]: points[1] } });
  }
  return found;
}

/** The entries by round and team in board order; null for a board that a record 300 leaves empty. */
function trfLineUps(lines, teams, numbers, draw) {
  const found = new Map();
  for (const [key, entry] of byKey(draw.entries)) {
    const place = at(roundOf(key), draw.teams[whichOf(key)]);
    found.set(place, [...(found.get(place) ?? []), entry]);
  }
  const seen = new Set();
  for (const line of lines) {
    const round = line.integer(5, 7, "round", 1, LIMITS.rounds);
    const team = line.team(9, 11, teams);
    const place = at(round, team);
    if (round >= draw.unfinished) continue;
    if (seen.has(place)) line.refuse(9, 11, "team number", say("html.allowed_free", { round }));
    seen.add(place);
    const named = line.integer(13, 15, "team number", 0, 999, 0);
    if (named && !draw.meet(round, team, line.team(13, 15, teams))) {
      line.refuse(13, 15, "team number", say("html.allowed_rival"));
    }
    const listed = [];
    const present = new Map((found.get(place) ?? []).map((entry) => [entry.player, entry]));
    for (const [column, start] of line.listed(17, 4, "start number")) {
      const entry = present.get(numbers.get(start)) ?? null;
      if ((start && !entry) || listed.length === LIMITS.boards) {
        line.refuse(column, column + 3, "start number", say("html.allowed_player"));
      }
      present.delete(numbers.get(start));
      listed.push(entry);
    }
    found.set(place, [...listed, ...present.values()]);
  }
  return found;
}

/** The boards of a match, `[board, lower, other]`, by walking both line-ups in parallel. */
function sideBySide(...lineUps) {
  const sides = lineUps.map((side) => [...side]);
  const opponents = new Map(lineUps.flat().filter(Boolean).map((entry) => [entry.player, entry]));
  const seated = new Set();
  const seats = [];
  for (let board = 1; ; board += 1) {
    for (const side of sides) { // skip players seated already, as opponents
      while (side.length && side[0] && seated.has(side[0].player)) side.shift();
    }
    if (!sides.some((side) => side.length)) return seats;
    let pair = sides.map((side) => side[0] ?? null);
    const paired = pair.map((entry) => entry !== null && entry.opponent !== null);
    const alone = sides.map((side, k) => side.length > 0 && !paired[k]);
    if (paired.includes(true) && alone.includes(true)) { // one player or nobody comes first
      pair = pair.map((entry, k) => (alone[k] ? entry : null));
    } else if (paired[0]) {
      pair[1] = opponents.get(pair[0].opponent);
    } else if ((pair[0]?.half ?? 0) + (pair[1]?.half ?? 0) > 2) {
      pair[1] = null; // both won by default, so these are two boards
    }
    sides.forEach((side, k) => {
      if (side.length && side[0] === pair[k]) side.shift();
    });
    const there = pair.filter(Boolean);
    if (there.length) seats.push([board, ...pair]);
    for (const { player } of there) seated.add(player);
  }
}

/** The boards of every match by its key; none for a match that was forfeited as a whole. */
function trfSeats(draw, lineUps, forfeits, rounds, boards) {
  const found = new Map();
  for (const [place, other] of draw.rivals) {
    const [round, team] = [roundOf(place), whichOf(place)];
    if (team > other || round > rounds) continue;
    const rival = at(round, other);
    for (const letters of [draw.letters.get(place), draw.letters.get(rival)]) {
      for (const [letter, entry] of letters ?? []) {
        if (letter !== "Z") {
          refuseEntry(entry, round, "result", say("html.allowed_one", { all: "+ - Z" }));
        }
      }
    }
    let seats = sideBySide(lineUps.get(place) ?? [], lineUps.get(rival) ?? []);
    for (const [board, lower, higher] of seats) {
      if (board > boards) {
        refuseEntry(lower ?? higher, round, "opponent", `1..${boards}`);
      }
    }
    const forfeit = forfeits.get(place);
    if (forfeit) {
      const [own, theirs] = [1, 2].map((side) => sum(seats.map((seat) => seat[side]?.half ?? 0)));
      const [won, lost] = [team, other].map((one) => forfeit.points[one]);
      const nobody = own === 0 && theirs === 0;
      const played = seats.some((seat) => seat[1]?.played || seat[2]?.played);
      if (played || !(nobody || (own > theirs && won) || (own < theirs && lost))) {
        forfeit.line.refuse(5, 6, "type", say("html.allowed_games"));
      }
      if (nobody && (won || lost)) seats = [];
    }
    found.set(place, seats);
  }
  return found;
}

/** The matches that the boards add up to. */
const trfMatches = (draw, seats, forfeits, boards) => byKey(seats).map(([place, games]) => {
  const [round, a, b] = [roundOf(place), whichOf(place), draw.rivals.get(place)];
  const match = {
    round, a, b, bye: "", halfA: 0, halfB: 0, decided: 0, forfeited: 0, recorded: [null, null],
  };
  for (const [, lower, higher] of games) {
    const [own, other] = [lower?.half ?? 0, higher?.half ?? 0];
    const played = Boolean(lower?.played || higher?.played);
    match.halfA += own;
    match.halfB += other;
    match.decided += played || own + other > 0 ? 1 : 0;
    match.forfeited += !played && own + other > 0 ? 1 : 0;
  }
  const forfeit = forfeits.get(place);
  if (forfeit && !games.length) {
    [match.halfA, match.halfB] = [a, b].map((team) => boards * forfeit.points[team]);
    match.decided = match.forfeited = match.halfA + match.halfB > 0 ? boards : 0;
  }
  return match;
});

// --- byes

/** A bye; one that the pairing gave and no record pays is paid as `payment` says. */
function byeMatch(round, a, bye, payment, mp = null, half = null) {
  const unpaid = bye === "pairing" && mp === null && half === null && payment.bye;
  const [points, found] = unpaid ? payment.bye : [mp, half];
  return {
    round, a, b: null, bye, halfA: found ?? DATA.byes[bye] * payment.boards, halfB: 0, decided: 0,
    forfeited: 0, recorded: [points, null],
  };
}

/** The byes by round and team: records 320 and 240, else the best entry of the players. */
function trfByes(records, teams, draw, rounds, payment) {
  const { boards, scoring } = payment;
  const found = new Map();
  const take = (line, columns, round, ...bye) => {
    const team = line.team(...columns, teams);
    if (round > rounds) return;
    const place = at(round, team);
    if (found.has(place) || draw.rivals.has(place)) {
      line.refuse(...columns, "team number", say("html.allowed_free", { round }));
    }
    const [kind, mp, half] = bye;
    found.set(place, byeMatch(round, team, kind, payment, mp, half));
  };
  for (const line of records("320")) {
    const mp = line.matchPoints(5, 8, Math.max(2, scoring[0]));
    const half = line.halfPoints(10, 13, "game points", boards);
    for (const [column, number] of line.listed(15, 3, "team number", 999)) {
      const round = (column - 11) / 4;
      if (number && round > LIMITS.rounds) {
        line.refuse(column, column + 2, "team number",
          say("html.allowed_number", { low: 1, high: LIMITS.rounds }));
      }
      if (number) take(line, [column, column + 2], round, "pairing", mp, half);
    }
  }
  for (const line of records("240")) {
    const bye = LETTERS[line.text(5, 5).toUpperCase()];
    if (!bye || bye === "pairing") {
      line.refuse(5, 5, "type", say("html.allowed_one", { all: "F, H, Z" }));
    }
    const round = line.integer(7, 9, "round", 1, LIMITS.rounds);
    for (const [column, number] of line.listed(11, 4, "team number")) {
      if (number) take(line, [column, column + 3], round, bye);
    }
  }
  return new Map([...playerByes(draw, rounds, payment), ...found]);
}

/** Byes that appear only in entries of players. */
function playerByes(draw, rounds, payment) {
  const [kinds, won] = [new Map(), new Map()];
  const add = (place, bye) => kinds.set(place, [...(kinds.get(place) ?? []), bye]);
  for (const [key, { half }] of draw.entries) {
    const place = at(roundOf(key), draw.teams[whichOf(key)]);
    add(place, half ? "default" : "zero");
    won.set(place, (won.get(place) ?? 0) + half);
  }
  for (const [place, letters] of draw.letters) {
    for (const letter of letters.keys()) add(place, LETTERS[letter]);
  }
  const found = new Map();
  for (const [place, byes] of kinds) {
    if (draw.rivals.has(place) || roundOf(place) > rounds) continue;
    const bye = BEST_FIRST.find((kind) => byes.includes(kind));
    const half = bye === "default" ? Math.min(won.get(place), 2 * payment.boards) : null;
    found.set(place, byeMatch(roundOf(place), whichOf(place), bye, payment, null, half));
  }
  return found;
}

// --- records 299: points of results, and penalties

/** The type that record 299 gives the result of one side (0 or 1) of a match. */
function resultType(match, side) {
  if (match.b === null) {
    return { default: "+", pairing: "P", full: "F", half: "H", zero: "Z" }[match.bye];
  }
  const [own, other] = side ? [match.halfB, match.halfA] : [match.halfA, match.halfB];
  const byDefault = match.forfeited === match.decided;
  if (byDefault && own !== other) return own > other ? "+" : "-";
  if (byDefault && !own) return "-";
  return "LDW"[matchPoints({ ...match, recorded: [null, null] })[side]];
}

/** Match points and half points, round, and the teams with their columns of a record 299. */
function trfGiven(line, kind, teams, boards, scoring) {
  const low = kind ? 0 : -MOST_PENALTY;
  const mp = line.matchPoints(8, 11, kind ? Math.max(2, scoring[0]) : MOST_PENALTY, low);
  const half = line.halfPoints(14, 17, "game points", kind ? boards : MOST_PENALTY, low);
  const whole = !kind && line.text(20, 22) === "999";
  const round = whole ? 0 : line.integer(20, 22, "round", 0, LIMITS.rounds, 0);
  const named = line.listed(24, 4, "team number").filter(([, number]) => number)
    .map(([column]) => [column, line.team(column, column + 3, teams)]);
  return { mp, half, round, named };
}

/** Apply records 299 to the matches; the penalties of those without a type. */
function abnormalPoints(records, teams, matches, rounds, boards, scoring) {
  const sides = new Map();
  for (const match of matches) {
    sides.set(at(match.round, match.a), [match, 0]);
    if (match.b !== null) sides.set(at(match.round, match.b), [match, 1]);
  }
  const types = new Map([...sides].map(([place, side]) => [place, resultType(...side)]));
  const [points, penalties, seen] = [new Map(), [], new Set()];
  for (const line of records("299")) {
    const kind = line.text(5, 5).toUpperCase();
    if (kind && !"WDL+-PFHZ".includes(kind)) {
      line.refuse(5, 5, "type", say("html.allowed_one", { all: "W D L + - P F H Z" }));
    }
    const { mp, half, round, named } = trfGiven(line, kind, teams, boards, scoring);
    if (!kind && !named.length) line.refuse(24, 27, "team number", say("html.allowed_number_of"));
    for (const [column, team] of named.length ? named : [[24, null]]) {
      const bad = () => line.refuse(column, column + 3, "team number", say("html.allowed_once"));
      const key = `${kind} ${round} ${team}`;
      if (seen.has(key)) bad();
      seen.add(key);
      if (round > rounds) continue;
      if (!kind) {
        penalties.push({ team, mp: mp ?? 0, half: half ?? 0 });
        continue;
      }
      const one = round > 0 && team !== null;
      if (one && !sides.has(at(round, team))) bad();
      for (const [place, type] of types) {
        const here = (!round || roundOf(place) === round) && (team === null || whichOf(place) === team);
        if (here && (one || type === kind)) points.set(place, [mp, half]);
      }
    }
  }
  for (const [place, [mp, half]] of points) {
    const [match, side] = sides.get(place);
    match.recorded = matchPoints(match);
    if (mp !== null) match.recorded[side] = mp;
    if (half !== null) match[side ? "halfB" : "halfA"] = half;
  }
  return penalties;
}

// --- points in the file compared with those of the results

/**
 * Name every difference between points in the file and those that follow from its results. Where
 * the file's are trusted they join the penalties: totals of teams, or what players have more if the
 * file has no totals.
 */
function comparePoints(records, event, seats, lines, players, teams, trust, notes) {
  const totals = event.teams.map(() => [0, 0]);
  for (const match of event.matches) {
    const [mpA, mpB] = matchPoints(match);
    for (const [team, mp, half] of [[match.a, mpA, match.halfA], [match.b, mpB, match.halfB]]) {
      if (team === null) continue;
      totals[team][0] += mp;
      totals[team][1] += half;
    }
  }
  for (const { team, mp, half } of event.penalties) {
    totals[team][0] += mp;
    totals[team][1] += half;
  }
  const counts = trust ? "the file's count" : "the results count";
  const given = totalsGiven(records, teams);
  const found = event.teams.map(() => [0, 0]);
  for (const [team, { line, points, kind }] of byKey(given)) {
    ["MP", "GP"].forEach((what, k) => {
      if (points[k] === null || points[k] === totals[team][k]) return;
      found[team][k] = points[k] - totals[team][k];
      notes.odd(`team ${plain([...event.teams[team]].slice(0, 60).join(""))} has `
        + `${points[k] / (k + 1)} ${what} in record ${kind}, ${totals[team][k] / (k + 1)} by its `
        + `results: ${counts}`, line.number);
    });
  }
  const scored = new Map();
  for (const games of seats.values()) {
    for (const entry of games.flatMap((game) => game.slice(1)).filter(Boolean)) {
      scored.set(entry.player, (scored.get(entry.player) ?? 0) + entry.half);
    }
  }
  for (const [player, line] of lines) {
    const field = halfPointsOf(line.text(81, 84));
    const [own, withByes] = resultsOf(line);
    if (field === null || [own, withByes, scored.get(player) ?? 0].includes(field)) continue;
    if (!given.size) found[players[player].team][1] += field - own;
    notes.odd(`player ${line.text(5, 8)} has ${field / 2} in his points field, ${own / 2} by his `
      + `results: ${given.size ? "the results count" : counts}`, line.number);
  }
  if (trust) event.penalties.push(...found.map(([mp, half], team) => ({ team, mp, half })));
}

/** Match points and half points that the file gives, by team; of record 310, else of 802. */
function totalsGiven(records, teams) {
  const found = new Map();
  const most = 400;
  const give = (team, line, kind, mp, half) => {
    const whole = mp !== null && mp % 2 === 0 && Math.abs(mp) <= most;
    const points = [whole ? mp / 2 : null, Math.abs(half ?? 0) <= most ? half : null];
    found.set(team, { line, kind, points });
  };
  for (const line of records("802")) {
    const words = tokens(line.content, 8, 200).map(({ text }) => text);
    const points = words.filter((word) => /[.,]/.test(word)).map(halfPointsOf).slice(0, 2);
    const team = /^[0-9]+$/.test(line.text(5, 7)) ? teams.get(Number(line.text(5, 7))) : undefined;
    if (points.length === 2 && team !== undefined) give(team, line, "802", ...points);
  }
  for (const line of records("310")) {
    const points = [line.text(55, 60), line.text(62, 67)].map(halfPointsOf);
    if (points.some((p) => p !== null)) {
      give(teams.get(Number(line.text(5, 7))), line, "310", ...points);
    }
  }
  return found;
}

// --- the event

/** The number of board colours of record 352; 0 without one. */
function trfColours(records, notes) {
  let found = 0;
  for (const line of records("352")) {
    if (new RegExp(`^[WB]{1,${LIMITS.boards}}$`, "i").test(line.text(5))) found = line.text(5).length;
    else notes.odd("board colours that are none are left out", line.number);
  }
  return found;
}

/** Note the texts about the event that the program cuts; ranking does not need them. */
function noteLongTexts(records, notes) {
  for (const kind of ["012", "022", "032", "042", "052", "092", "102", "112", "122"]) {
    const text = records(kind).map((line) => line.text(5)).filter(Boolean).join(", ");
    if ([...text].length > LIMITS.name) {
      notes.say(`record ${kind} is cut to ${LIMITS.name} characters`, records(kind)[0].number);
    }
  }
}

/** Ratings of the players of every team who sat on a board: the mean of the best. */
function trfRatings(count, players, seats, boards) {
  const found = Array.from({ length: count }, () => []);
  const entries = [...seats.values()].flat().flatMap((game) => game.slice(1)).filter(Boolean);
  for (const number of new Set(entries.map(({ player }) => player))) {
    const { team, rating } = players[number];
    if (rating) found[team].push(rating);
  }
  return found.map((ratings) => meanOfBest(ratings, boards));
}

const meanOfBest = (ratings, boards) => {
  const best = ratings.filter((r) => r > 0).sort((a, b) => b - a).slice(0, boards);
  return best.length ? sum(best) / best.length : null;
};

/** The event of a Tournament Report File, `{name, bytes}`. */
function readTrf({ name: file, bytes }, asked = UNASKED) {
  const records = trfRecords(file, decoded(file, bytes, "latin1"));
  const notes = new Notes(file, asked.strict);
  putInPlace(records, notes);
  const scoring = trfScoring(records, asked.scoring, notes);
  noteLongTexts(records, notes);
  const squads = trfSquads(file, records, notes);
  const names = squads.map(({ name }) => name);
  const teams = new Map(squads.map(({ number }, index) => [number, index]));
  const [players, numbers] = trfPlayers(records, squads, notes);
  for (const line of [...records("142"), ...records("XXR")]) {
    const assumed = `a number of rounds that is not 1..${LIMITS.rounds} is left out`;
    if (notes.strict) line.integer(4, undefined, "rounds", 1, LIMITS.rounds);
    else line.needless(notes, assumed, 4, undefined, LIMITS.rounds);
  }
  const draw = trfDraw(records("001"), players, numbers, notes);
  if (draw.unfinished <= LIMITS.rounds) notes.say(unfinishedNote(draw.unfinished));
  const forfeits = trfForfeits(records, teams, draw);
  const lines = new Map(players.map(({ line }, number) => [number, line])
    .sort(([, a], [, b]) => a.number - b.number));
  const colours = trfColours(records, notes);
  const listed = new Set(records("300").flatMap((line) => {
    const round = line.integer(5, 7, "round", 1, LIMITS.rounds);
    return line.listed(17, 4, "start number").flatMap(([, start]) =>
      (numbers.has(start) ? [at(round, numbers.get(start))] : []));
  }));
  const known = settle(draw, lines, names, colours, listed, notes) === colours ? colours : 0;
  const lineUps = trfLineUps(records("300"), teams, numbers, draw);
  const rounds = Math.max(0, ...[...draw.entries.keys(), ...forfeits.keys()].map(roundOf));
  const seats = trfSeats(draw, lineUps, forfeits, rounds, known || LIMITS.boards);
  const boards = known || Math.max(0, ...[...seats.values()].flat().map(([board]) => board));
  if (![...seats.values()].some((games) => games.length)) refuse("html.undecided", { file });
  const told = records("320").length + records("240").length + draw.letters.size > 0;
  const payment = { boards, scoring, bye: asked.bye };
  const unsaid = missingByes(draw, told, names, rounds, payment, notes);
  const byes = trfByes(records, teams, draw, rounds, payment);
  for (const [round, team] of unsaid) {
    byes.set(at(round, team), byeMatch(round, team, "pairing", payment));
  }
  const matches = [...trfMatches(draw, seats, forfeits, boards), ...byes.values()];
  withScoring(matches, scoring);
  const penalties = abnormalPoints(records, teams, matches, rounds, boards, scoring);
  const event = {
    name: records("012")[0]?.text(5) || file, teams: names, rounds, boards, matches, scoring,
    penalties, ratings: trfRatings(names.length, players, seats, boards),
  };
  if (!notes.strict && draw.unfinished > LIMITS.rounds) {
    comparePoints(records, event, seats, lines, players, teams, asked.trust, notes);
  }
  return { ...event, notes: notes.lines };
}
