// This part reads an event from tables: the matches, and what may stand beside them.

/** What event.csv says: `boards` (0 for nothing), and of points `scoring` and `bye`, or null. */
function readAbout(file, notes) {
  const about = { scoring: null, bye: null, boards: 0 };
  const seen = new Set();
  for (const row of tableRows(file, "event.csv", notes)) {
    const [key, value] = [row.text("key"), row.text("value")];
    claim(seen, key, () => row.refuse("key", "html.allowed_once"));
    if (key === "boards") about.boards = row.integer("value", 1, LIMITS.boards);
    if (key === "rounds") row.integer("value", 1, LIMITS.rounds);
    if (key === "match_points") {
      about.scoring = scoringOf(value) ?? row.refuse("value", "html.allowed_falling");
    }
    if (key === "bye_points") about.bye = byePointsOf(value) ?? row.refuse("value", "1,2");
    if (value || notes.strict || !CSV.about.includes(key)) row.name("value");
  }
  return about;
}

/** What matches and byes score: as asked for, else as event.csv says; `bye` may be null. */
function pointsOf(about, asked, notes) {
  for (const [key, what] of [["scoring", "match points"], ["bye", "points of a bye"]]) {
    if (asked[key] && about[key] && String(asked[key]) !== String(about[key])) {
      notes.say(`${what} are those that were asked for, not those of event.csv`);
    }
  }
  return { scoring: asked.scoring ?? about.scoring ?? STANDARD, bye: asked.bye ?? about.bye };
}

/** The teams of an event, numbered in start order: that of teams.csv, else of first appearance. */
class Teams {
  constructor(file, notes) {
    Object.assign(this, { numbers: new Map(), ratings: [], listed: Boolean(file), unsure: 0 });
    for (const row of tableRows(file, "teams.csv", notes)) {
      if (this.numbers.has(row.name("team"))) row.refuse("team", "html.allowed_once");
      this.number(row, "team", true);
      const mean = row.text("mean_rating_top4").replace(",", ".");
      if (mean && !(/^[0-9]{1,4}(\.[0-9]{1,9})?$/.test(mean) && Number(mean) <= LIMITS.rating)) {
        row.odd("a mean rating that is none is left out");
      }
      this.ratings.push(Array.from({ length: LIMITS.boards }, (_, k) => `rating_${k + 1}`)
        .filter((column) => row.text(column)).map((column) => row.rating(column)));
      if (row.text("name_by") === CSV.unsure) this.unsure += 1;
    }
  }

  /** The number of the team that a field names, which may be a new one unless all are listed. */
  number(row, field, isNew = !this.listed) {
    if (!isNew) return this.known(row, field);
    const name = row.name(field);
    if (!this.numbers.has(name) && this.numbers.size === LIMITS.teams) {
      row.refuse(field, "html.allowed_teams", { most: LIMITS.teams });
    }
    return kept(this.numbers, name, () => this.numbers.size);
  }

  /** The number of a team that the event has. */
  known(row, field) {
    return this.numbers.get(row.name(field)) ?? row.refuse(field, "html.allowed_listed");
  }
}

/**
 * Who played whom in a row; `b` is null without an opponent. `used` keeps what a round has already:
 * its match numbers and its teams.
 */
function readPairing(row, teams, number, used) {
  const round = row.integer("round", 1, LIMITS.rounds);
  const free = (field, team) => claim(used, `${round} team ${team}`, () =>
    row.refuse(field, "html.allowed_free", { round }));
  claim(used, `${round} match ${number}`, () =>
    row.refuse("match", "html.allowed_match", { round }, String(number)));
  const other = row.text("team_b");
  const isBye = other && !row.notes.strict && !teams.numbers.has(other)
    && CSV.noOpponent.includes(folded(other));
  if (isBye) row.odd("a word such as 'bye' in place of team_b means a bye");
  const a = teams.number(row, "team_a");
  const b = other && !isBye ? teams.number(row, "team_b") : null;
  if (a === b) row.refuse("team_b", "html.allowed_other");
  free("team_a", a);
  if (b !== null) free("team_b", b);
  return { round, a, b };
}

/** Boards decided: those of the row, else the sum of the game points. */
function boardsDecided(row, half) {
  const got = `${row.text("game_points_a")} + ${row.text("game_points_b")}`;
  const given = row.text("boards_decided");
  if (!given && half % 2) row.refuse("game_points_b", "html.allowed_whole");
  const decided = given ? row.integer("boards_decided", 0, LIMITS.boards)
    : Math.min(half / 2, LIMITS.boards);
  if (half > 2 * decided) row.refuse("game_points_b", "html.allowed_decided", { decided }, got);
  return decided;
}

/** The match of a row, without the points of a bye. Without game points it is `unfinished`. */
function readMatch(row, teams, number, used, scoring) {
  const { round, a, b } = readPairing(row, teams, number, used);
  const match = newMatch(round, a, b, { row, number, unfinished: false });
  if (b === null) {
    match.bye = row.choice("bye", Object.keys(KNOWN.byes), "pairing");
  } else if (row.text("bye")) {
    row.refuse("bye", "html.allowed_no_bye");
  } else if (!["game_points_a", "game_points_b", "boards_decided"].some((f) => row.text(f))) {
    match.unfinished = true;
  } else {
    match.halfA = row.halfPoints("game_points_a", LIMITS.boards);
    match.halfB = row.halfPoints("game_points_b", LIMITS.boards);
    match.decided = boardsDecided(row, match.halfA + match.halfB);
    match.forfeited = row.integer("boards_forfeited", 0, match.decided, 0);
  }
  match.recorded = ["match_points_a", "match_points_b"].map((field) =>
    (row.text(field) ? row.integer(field, 0, Math.max(STANDARD[0], scoring[0])) : null));
  return match;
}

/** Give a bye its points: those of its row, else those of its kind. */
function payBye(match, boards, payment) {
  const { row } = match;
  const usual = KNOWN.byes[match.bye] * boards;
  const told = row.text("game_points_a") || match.recorded[0] !== null;
  if (match.bye === "pairing" && payment && !told) {
    match.recorded = [payment[0], null];
    match.halfA = Math.min(payment[1], 2 * boards);
    return;
  }
  match.halfA = row.halfPoints("game_points_a", LIMITS.boards, 0, usual);
  if (match.halfA !== usual && match.recorded[0] === null) { // other points need match points too
    row.refuse("game_points_a", "html.allowed_bye", { value: usual / 2 });
  }
  if (match.halfA > Math.max(usual, 2 * boards)) row.refuse("game_points_a", `0..${boards}`);
  if (row.halfPoints("game_points_b", LIMITS.boards, 0, 0)) {
    row.refuse("game_points_b", "html.allowed_nothing");
  }
  for (const field of ["boards_decided", "boards_forfeited", "match_points_b"]) {
    if (row.text(field)) row.integer(field, 0, 0);
  }
}

/** The players of players.csv: `team`, `name`, `id`, `rating`. */
function readPlayers(file, teams, notes) {
  const known = new Set();
  return [...tableRows(file, "players.csv", notes)].map((row) => {
    const team = teams.known(row, "team");
    const [id, rating] = [row.ownFideId("fide_id", known), row.rating("rating")];
    for (const field of CSV.texts) if (row.text(field)) row.name(field);
    return { team, name: row.name("name"), id, rating };
  });
}

/** The player of one side of a board; undefined if the row names no listed player. */
function playerOf(row, side, team, players) {
  const [id, name] = [`${side}_fide_id`, `${side}_player`];
  if (row.text(id)) {
    const number = row.integer(id, 0, LIMITS.fideId);
    const found = players.find((player) => player.id && player.id === number);
    return !found || found.team === team ? found : row.refuse(id, "html.allowed_of_team");
  }
  return row.text(name) ? players.findLast((player) => player.team === team
    && player.name === row.text(name)) ?? row.refuse(name, "html.allowed_of_team") : undefined;
}

/** One board of a match: the half points of its team a and team b; its players join `seen`. */
function readBoard(row, match, teams, players, seen) {
  const sides = ["white", "black"].map((side) => teams.numbers.get(row.name(`${side}_team`)));
  const turned = sides[0] === match.b;
  const right = turned ? [match.b, match.a] : [match.a, match.b];
  if (String(sides) !== String(right)) row.refuse("white_team", "html.allowed_of_match");
  const points = CSV.results[row.choice("result", Object.keys(CSV.results))];
  const found = ["white", "black"].map((side, k) => playerOf(row, side, sides[k], players));
  row.choice("status", CSV.status, CSV.status[0]);
  for (const side of ["white", "black"]) row.rating(`${side}_rating`);
  for (const player of found) if (player) seen.add(player);
  return turned ? points.toReversed() : points;
}

/** Check that the boards of boards.csv add up to the matches; the players who sat on one. */
function readBoards(file, teams, matches, players, unfinished, notes) {
  const [seen, last] = [new Set(), new Map()];
  const byNumber = new Map(matches.filter(({ b }) => b !== null).map((match) =>
    [`${match.round} ${match.number}`, { match, half: [0, 0], boards: new Set(), rows: 0 }]));
  for (const row of tableRows(file, "boards.csv", notes)) {
    const round = row.integer("round", 1, LIMITS.rounds, 0);
    const found = byNumber.get(`${round} ${row.integer("match", 0, LIMITS.match)}`);
    if (round >= unfinished) continue;
    if (!found) row.refuse("match", "html.allowed_match_of", { round });
    found.rows += 1;
    const board = row.integer("board", 1, LIMITS.boards, found.rows);
    claim(found.boards, board, () => row.refuse("board", "html.allowed_board", {}, `${board}`));
    readBoard(row, found.match, teams, players, seen).forEach((half, side) => {
      found.half[side] += half;
    });
    last.set(found, row);
  }
  for (const [{ match, half }, row] of last) {
    const whole = [match.halfA, match.halfB];
    const given = match.recorded.some((points) => points !== null);
    if (given || String(half) === String(whole)) continue;
    const text = (points) => points.map((x) => x / 2).join("-");
    row.refuse("result", "html.allowed_sum", { points: text(whole) }, text(half));
  }
  return seen;
}

/** Points that penalties.csv takes from teams. */
function readPenalties(file, teams, rounds, notes) {
  const most = LIMITS.penalty;
  return [...tableRows(file, "penalties.csv", notes)].flatMap((row) => {
    const team = teams.known(row, "team");
    const round = row.integer("round", 1, LIMITS.rounds, 0);
    const [mp, half] = ["match_points", "game_points"].map((field) => {
      const value = row.halfPoints(field, most, -most, 0);
      if ((value > 0 && !row.text(field).startsWith("+")) || (field[0] === "m" && value % 2)) {
        row.refuse(field, "html.allowed_below");
      }
      return value;
    });
    return round <= rounds ? [{ team, mp: mp / 2, half }] : [];
  });
}

/**
 * An event from its tables, by their names; all but the matches may be missing.
 * A match without game points is not finished: its round and later ones are left out.
 */
function readTables(tables, asked = readingOf()) {
  const notes = new Notes("", asked.strict);
  const about = readAbout(tables["event.csv"], notes);
  const { scoring, bye } = pointsOf(about, asked, notes);
  const teams = new Teams(tables["teams.csv"], notes);
  const [read, used, file] = [[], new Set(), tables["matches.csv"]];
  for (const row of tableRows(file, "matches.csv", notes)) {
    const number = row.integer("match", 0, LIMITS.match, read.length + 1);
    const match = readMatch(row, teams, number, used, scoring);
    const told = ["boards_decided", "match_points_a", "match_points_b"].some((f) => row.text(f));
    const nothing = match.b !== null && !match.unfinished && !match.halfA && !match.halfB && !told;
    if (nothing && !tables["boards.csv"]) row.odd(CSV.nothing);
    read.push(match);
  }
  const unfinished = Math.min(...read.filter((m) => m.unfinished).map(({ round }) => round));
  const matches = read.filter(({ round }) => round < unfinished);
  const most = Math.max(0, ...matches.map(({ decided }) => decided));
  if (!most) refuse("html.undecided", { file: file.name });
  const boards = about.boards || most;
  for (const { row, decided } of matches) {
    if (decided > boards) row.refuse("boards_decided", `0..${boards}`, {}, String(decided));
  }
  for (const match of matches) if (match.b === null) payBye(match, boards, bye);
  const players = readPlayers(tables["players.csv"], teams, notes);
  const seen = readBoards(tables["boards.csv"], teams, matches, players, unfinished, notes);
  withScoring(matches, scoring);
  const rounds = Math.max(...matches.map(({ round }) => round));
  const penalties = readPenalties(tables["penalties.csv"], teams, rounds, notes);
  notes.unfinished(unfinished);
  if (teams.unsure) {
    const named = teams.unsure === 1 ? "the name of 1 team" : `the names of ${teams.unsure} teams`;
    notes.say(`${named} may be wrong (name_by '${CSV.unsure}' in teams.csv)`);
  }
  const names = [...teams.numbers.keys()];
  const told = teams.ratings.some((ratings) => ratings.length);
  return {
    teams: names, rounds, boards, matches, penalties, scoring, notes: notes.lines,
    ratings: told ? names.map((_, team) => meanOfBest(teams.ratings[team] ?? [], boards))
      : ratingsOf(names.length, seen, boards),
  };
}
