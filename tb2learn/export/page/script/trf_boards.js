// This part numbers the boards of the matches in a Tournament Report File, as `trf_boards.py` does.

const FORFEITS = new Map(TRF.forfeits);

/** Records 330, by the key of a match: `points` of each team on a board. */
function trfForfeits(records, teams, draw) {
  const found = new Map();
  const field = AT[330];
  for (const line of records("330")) {
    const points = FORFEITS.get(line.choice(field.type, [...FORFEITS.keys()]));
    const round = line.integer(field.round, 1, LIMITS.rounds);
    const [white, black] = [line.team(field.white, teams), line.team(field.black, teams)];
    if (round >= draw.unfinished) continue;
    const place = at(round, Math.min(white, black));
    if (!draw.meet(round, white, black) || found.has(place)) {
      line.refuse([field.white[0], field.black[1], "teams"], "html.allowed_free", { round });
    }
    found.set(place, { line, points: { [white]: points[0], [black]: points[1] } });
  }
  return found;
}

/** The entries by round and team in board order; null for a board that a record 300 leaves empty. */
function trfLineUps(lines, teams, numbers, draw) {
  const [found, seen] = [new Map(), new Set()];
  const field = AT[300];
  for (const [key, entry] of byKey(draw.entries)) {
    kept(found, draw.side(key), () => []).push(entry);
  }
  for (const line of lines) {
    const round = line.integer(field.round, 1, LIMITS.rounds);
    const team = line.team(field.team, teams);
    const place = at(round, team);
    if (round >= draw.unfinished) continue;
    if (seen.has(place)) line.refuse(field.team, "html.allowed_free", { round });
    seen.add(place);
    const named = line.integer(field.opponent, 0, 999, 0);
    if (named && !draw.meet(round, team, line.team(field.opponent, teams))) {
      line.refuse(field.opponent, "html.allowed_rival");
    }
    const listed = [];
    const present = new Map((found.get(place) ?? []).map((entry) => [entry.player, entry]));
    for (const [cell, start] of line.listed(TRF.lists[300])) {
      const entry = present.get(numbers.get(start)) ?? null;
      if ((start && !entry) || listed.length === LIMITS.boards) {
        line.refuse(cell, "html.allowed_player");
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
  const [seated, seats] = [new Set(), []];
  for (let board = 1; ; board += 1) {
    for (const side of sides) { // skip players seated already, as opponents
      while (side[0] && seated.has(side[0].player)) side.shift();
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

/** The boards of a forfeited match; none if they do not show who won it. */
function asForfeited({ line, points }, seats, sides) {
  const [own, theirs] = [1, 2].map((side) => sum(seats.map((seat) => seat[side]?.half ?? 0)));
  const [won, lost] = sides.map((team) => points[team]);
  const nobody = own === 0 && theirs === 0;
  const played = seats.flat().some((entry) => entry?.played);
  if (played || !(nobody || (own > theirs && won) || (own < theirs && lost))) {
    line.refuse(AT[330].type, "html.allowed_games");
  }
  return nobody && (won || lost) ? [] : seats;
}

/** The boards of every match by its key; none for a match that was forfeited as a whole. */
function trfSeats(draw, lineUps, forfeits, rounds, boards) {
  const found = new Map();
  for (const [place, other] of draw.rivals) {
    const [round, team] = [roundOf(place), whichOf(place)];
    if (team > other || round > rounds) continue;
    const both = [place, at(round, other)];
    for (const [letter, entry] of both.flatMap((one) => [...draw.letters.get(one) ?? []])) {
      if (letter !== "Z") entry.refuse("result", "html.allowed_one", { all: "+, -, Z" });
    }
    const seats = sideBySide(...both.map((one) => lineUps.get(one) ?? []));
    for (const [board, lower, higher] of seats) {
      if (board > boards) (lower ?? higher).refuse("opponent", `1..${boards}`);
    }
    const forfeit = forfeits.get(place);
    found.set(place, forfeit ? asForfeited(forfeit, seats, [team, other]) : seats);
  }
  return found;
}

/** The matches that the boards add up to. */
const trfMatches = (draw, seats, forfeits, boards) => byKey(seats).map(([place, games]) => {
  const match = newMatch(roundOf(place), whichOf(place), draw.rivals.get(place));
  for (const [, lower, higher] of games) {
    const [own, other] = [lower?.half ?? 0, higher?.half ?? 0];
    addGame(match, own, other, Boolean(lower?.played || higher?.played));
  }
  const forfeit = forfeits.get(place);
  if (forfeit && !games.length) {
    [match.halfA, match.halfB] = [match.a, match.b].map((team) => boards * forfeit.points[team]);
    match.decided = match.forfeited = match.halfA + match.halfB > 0 ? boards : 0;
  }
  return match;
});
