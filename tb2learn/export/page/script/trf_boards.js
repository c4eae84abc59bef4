// This part numbers the boards of the matches in a Tournament Report File, as `trf_boards.py` does.

const FORFEITS = new Map(TRF.forfeits);

/** Read records 330 into the rounds, by the lower team: `points` of each team on a board. */
function trfForfeits(records, teams, rounds) {
  const field = AT[330];
  for (const line of records("330")) {
    const points = FORFEITS.get(line.choice(field.type, [...FORFEITS.keys()]));
    const number = line.integer(field.round, 1, LIMITS.rounds);
    const [white, black] = [line.team(field.white, teams), line.team(field.black, teams)];
    const round = rounds[number - 1];
    if (!round) continue;
    const lower = Math.min(white, black);
    if (!round.meet(white, black) || round.forfeits.has(lower)) {
      line.refuse([field.white[0], field.black[1], "teams"], "html.allowed_free", { round: number });
    }
    round.forfeits.set(lower, { line, points: { [white]: points[0], [black]: points[1] } });
  }
}

/** The entries of every team in board order; null for a board that a record 300 leaves empty. */
function trfLineUps(lines, teams, numbers, rounds) {
  const field = AT[300];
  for (const round of rounds) {
    for (const [player, entry] of byKey(round.entries)) {
      kept(round.lineUps, round.teams[player], () => []).push(entry);
    }
  }
  const seen = new Set();
  for (const line of lines) {
    const number = line.integer(field.round, 1, LIMITS.rounds);
    const team = line.team(field.team, teams);
    const round = rounds[number - 1];
    if (!round) continue;
    claim(seen, `${number} ${team}`, () =>
      line.refuse(field.team, "html.allowed_free", { round: number }));
    const named = line.integer(field.opponent, 0, 999, 0);
    if (named && !round.meet(team, line.team(field.opponent, teams))) {
      line.refuse(field.opponent, "html.allowed_rival");
    }
    const listed = [];
    const present = new Map(round.lineUps.get(team)?.map((entry) => [entry.player, entry]));
    for (const [cell, start] of line.listed(TRF.lists[300])) {
      const entry = present.get(numbers.get(start)) ?? null;
      if ((start && !entry) || listed.length === LIMITS.boards) {
        line.refuse(cell, "html.allowed_player");
      }
      present.delete(numbers.get(start));
      listed.push(entry);
    }
    round.lineUps.set(team, [...listed, ...present.values()]);
  }
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

/** Number the boards of every match of a round; none for one that was forfeited as a whole. */
function trfSeats({ letters, lineUps, forfeits, matches, seats }, most) {
  for (const teams of matches) {
    for (const [letter, entry] of teams.flatMap((team) => [...letters.get(team) ?? []])) {
      if (letter !== "Z") entry.refuse("result", "html.allowed_one", { all: "+, -, Z" });
    }
    const found = sideBySide(...teams.map((team) => lineUps.get(team) ?? []));
    for (const [board, lower, higher] of found) {
      if (board > most) (lower ?? higher).refuse("opponent", `1..${most}`);
    }
    const forfeit = forfeits.get(teams[0]);
    seats.set(teams[0], forfeit ? asForfeited(forfeit, found, teams) : found);
  }
}

/** The matches of a round that its boards add up to. */
const trfMatches = ({ number, matches, forfeits, seats }, boards) => matches.map(([a, b]) => {
  const match = newMatch(number, a, b);
  for (const [board, lower, higher] of seats.get(a)) {
    const played = Boolean(lower?.played || higher?.played);
    addGame(match, lower?.half ?? 0, higher?.half ?? 0, played);
    const own = lower?.colour || { w: "b", b: "w" }[higher?.colour];
    if (played && board === 1) match.black = own === "b" ? a : b;
  }
  const forfeit = forfeits.get(a);
  if (forfeit && !seats.get(a).length) {
    [match.halfA, match.halfB] = [a, b].map((team) => boards * forfeit.points[team]);
    match.decided = match.forfeited = match.halfA + match.halfB > 0 ? boards : 0;
  }
  return match;
});
