// This part reads an event from tables: matches.csv, with teams.csv and others beside it.

/** Boards decided: those of the row, else the sum of the game points. */
function boardsDecided(row, halfA, halfB) {
  if (!row.text("boards_decided")) {
    if ((halfA + halfB) % 2) {
      row.refuse("game_points_b", say("html.allowed_whole"), row.text("game_points_b"));
    }
    return (halfA + halfB) / 2;
  }
  const decided = row.integer("boards_decided", 0, LIMITS.boards);
  if (halfA + halfB > 2 * decided) {
    const got = `${row.text("game_points_a")} + ${row.text("game_points_b")}`;
    row.refuse("game_points_b", say("html.allowed_decided", { decided }), got);
  }
  return decided;
}

/** The half points of a bye: those of the row, else those of its kind. */
function byeHalfPoints(row, match, boards, payment) {
  let half = DATA.byes[match.bye] * boards;
  const told = row.text("game_points_a") || match.recorded[0] !== null;
  if (match.bye === "pairing" && payment && !told) {
    match.recorded = [payment[0], null];
    return Math.min(payment[1], 2 * boards);
  }
  if (row.text("game_points_a") && row.halfPoints("game_points_a") !== half) {
    if (match.recorded[0] === null) { // other points need match points too
      const allowed = say("html.allowed_bye", { value: half / 2 });
      row.refuse("game_points_a", allowed, row.text("game_points_a"));
    }
    half = row.halfPoints("game_points_a");
    if (half > 2 * boards) {
      row.refuse("game_points_a", `0..${boards}`, row.text("game_points_a"));
    }
  }
  if (row.text("game_points_b") && row.halfPoints("game_points_b")) {
    row.refuse("game_points_b", say("html.allowed_nothing"), row.text("game_points_b"));
  }
  for (const field of ["boards_decided", "boards_forfeited", "match_points_b"]) {
    if (row.text(field)) row.integer(field, 0, 0);
  }
  return half;
}

const NO_RATING = "a rating that is none is left out";

/** The teams of an event, numbered in start order: that of teams.csv, else of first appearance. */
class Teams {
  constructor(file, notes) {
    this.numbers = new Map();
    this.ratings = [];
    this.listed = Boolean(file);
    this.unsure = 0;
    for (const row of file ? fileRows(file, "teams.csv", ["team"], notes) : []) {
      const name = row.name("team");
      if (this.numbers.has(name)) row.refuse("team", say("html.allowed_once"), name);
      this.add(row, "team", name);
      const mean = row.text("mean_rating_top4").replace(",", ".");
      if (mean && !(/^[0-9]{1,4}(\.[0-9]{1,9})?$/.test(mean) && Number(mean) <= MAX_RATING)) {
        row.odd("a mean rating that is none is left out");
      }
      this.ratings.push(Array.from({ length: LIMITS.boards }, (_, k) => `rating_${k + 1}`)
        .filter((column) => row.text(column))
        .map((column) => row.needless(NO_RATING, column, MAX_RATING)));
      if (row.text("name_by") === "unsure") this.unsure += 1;
    }
  }

  add(row, field, name) {
    if (this.numbers.size === LIMITS.teams) {
      row.refuse(field, say("html.allowed_teams", { most: LIMITS.teams }), name);
    }
    this.numbers.set(name, this.numbers.size);
  }

  number(row, field) {
    const name = row.name(field);
    if (!this.numbers.has(name)) {
      if (this.listed) row.refuse(field, say("html.allowed_listed"), name);
      this.add(row, field, name);
    }
    return this.numbers.get(name);
  }
}

/**
 * Who played whom in a row; `b` is null without an opponent. `used` keeps what a round has already:
 * its match numbers and its teams.
 */
function readPairing(row, teams, number, used) {
  const round = row.integer("round", 1, LIMITS.rounds);
  const claim = (field, what, allowed, got) => {
    if (used.has(`${what} of ${round}`)) row.refuse(field, say(allowed, { round }), got);
    used.add(`${what} of ${round}`);
  };
  claim("match", `match ${number}`, "html.allowed_match", String(number));
  const a = teams.number(row, "team_a");
  const other = row.text("team_b");
  const isBye = other && !row.notes.strict && !teams.numbers.has(other) && DATA.noOpponent.includes(folded(other));
  if (isBye) row.odd("a word such as 'bye' in place of team_b means a bye");
  const b = other && !isBye ? teams.number(row, "team_b") : null;
  if (a === b) row.refuse("team_b", say("html.allowed_other"), row.text("team_b"));
  claim("team_a", `team ${a}`, "html.allowed_free", row.text("team_a"));
  if (b !== null) claim("team_b", `team ${b}`, "html.allowed_free", row.text("team_b"));
  return { round, a, b };
}

/** The match of a row, without the points of a bye. Without game points it is `unfinished`. */
function readMatch(row, teams, number, used, scoring) {
  const match = {
    row, number, ...readPairing(row, teams, number, used),
    bye: "", halfA: 0, halfB: 0, decided: 0, forfeited: 0, unfinished: false,
  };
  if (match.b === null) {
    match.bye = row.choice("bye", Object.keys(DATA.byes));
  } else if (row.text("bye")) {
    row.refuse("bye", say("html.allowed_no_bye"), row.text("bye"));
  } else if (!["game_points_a", "game_points_b", "boards_decided"].some((f) => row.text(f))) {
    match.unfinished = true;
  } else {
    match.halfA = row.halfPoints("game_points_a");
    match.halfB = row.halfPoints("game_points_b");
    match.decided = boardsDecided(row, match.halfA, match.halfB);
    if (row.text("boards_forfeited")) {
      match.forfeited = row.integer("boards_forfeited", 0, match.decided);
    }
  }
  match.recorded = ["match_points_a", "match_points_b"].map((field) =>
    row.text(field) ? row.integer(field, 0, Math.max(2, scoring[0])) : null);
  return match;
}

const MATCH_COLUMNS = ["round", "team_a", "team_b", "game_points_a", "game_points_b"];

/** What event.csv says: `boards` (0 for nothing), and of points `scoring` and `bye`, or null. */
function readAbout(file, notes) {
  const about = { scoring: null, bye: null, boards: 0 };
  const seen = new Set();
  for (const row of file ? fileRows(file, "event.csv", ["key", "value"], notes) : []) {
    const [key, value] = [row.text("key"), row.text("value")];
    if (seen.has(key)) row.refuse("key", say("html.allowed_once"), key);
    seen.add(key);
    if (key === "boards") about.boards = row.integer("value", 1, LIMITS.boards);
    if (key === "rounds") row.integer("value", 1, LIMITS.rounds);
    if (key === "match_points") {
      about.scoring = scoringOf(value);
      if (!about.scoring) row.refuse("value", say("html.allowed_falling"), value);
    }
    if (key === "bye_points") {
      about.bye = byePointsOf(value);
      if (!about.bye) row.refuse("value", "1,2", value);
    }
    if (notes.strict) row.name("value");
  }
  return about;
}

/** What matches and byes score: as asked for, else as event.csv says; `bye` may be null. */
function pointsOf(about, asked, notes) {
  for (const [mine, theirs, what] of [
    [asked.scoring, about.scoring, "match points"], [asked.bye, about.bye, "points of a bye"],
  ]) {
    if (mine && theirs && String(mine) !== String(theirs)) {
      notes.say(`${what} are those that were asked for, not those of event.csv`);
    }
  }
  return { scoring: asked.scoring ?? about.scoring ?? STANDARD, bye: asked.bye ?? about.bye };
}

/** Points that penalties.csv takes from teams. */
function readPenalties(file, teams, rounds, notes) {
  const found = [];
  const most = 99;
  for (const row of file ? fileRows(file, "penalties.csv", ["team", "match_points"], notes) : []) {
    const team = teams.numbers.get(row.name("team"));
    if (team === undefined) row.refuse("team", say("html.allowed_listed"), row.text("team"));
    const round = row.integer("round", 1, LIMITS.rounds, 0);
    const [mp, half] = ["match_points", "game_points"].map((field) => {
      const value = row.text(field) ? row.halfPoints(field, -most, most) : 0;
      if ((value > 0 && !row.text(field).startsWith("+")) || (field[0] === "m" && value % 2)) {
        row.refuse(field, say("html.allowed_below"), row.text(field));
      }
      return value;
    });
    if (round <= rounds) found.push({ team, mp: mp / 2, half });
  }
  return found;
}

/**
 * An event from its files, `{name, bytes}`; all but the matches may be missing.
 * A match without game points is not finished: its round and later ones are left out.
 */
function readEvent(matchesFile, teamsFile, others = {}, asked = UNASKED) {
  const notes = new Notes("", asked.strict);
  const about = readAbout(others.event, notes);
  const { scoring, bye } = pointsOf(about, asked, notes);
  const teams = new Teams(teamsFile, notes);
  const read = [];
  const used = new Set();
  for (const row of fileRows(matchesFile, "matches.csv", MATCH_COLUMNS, notes)) {
    const number = row.integer("match", 0, 1e6, read.length + 1);
    read.push(readMatch(row, teams, number, used, scoring));
  }
  const unfinished = Math.min(...read.filter((m) => m.unfinished).map((m) => m.round));
  const matches = read.filter((match) => match.round < unfinished);
  const most = Math.max(0, ...matches.map((match) => match.decided));
  if (!most) refuse("html.undecided", { file: matchesFile.name });
  const boards = about.boards || most;
  for (const match of matches) {
    if (match.decided > boards) {
      match.row.refuse("boards_decided", `0..${boards}`, String(match.decided));
    }
    if (match.b === null) match.halfA = byeHalfPoints(match.row, match, boards, bye);
  }
  const players = readPlayers(others.players, teams, notes);
  const seen = readBoards(others.boards, teams, matches, players, unfinished, notes);
  withScoring(matches, scoring);
  const rounds = Math.max(...matches.map((match) => match.round));
  const names = [...teams.numbers.keys()];
  const penalties = readPenalties(others.penalties, teams, rounds, notes);
  if (Number.isFinite(unfinished)) notes.say(unfinishedNote(unfinished));
  if (teams.unsure) {
    const named = teams.unsure === 1 ? "the name of 1 team" : `the names of ${teams.unsure} teams`;
    notes.say(`${named} may be wrong (name_by 'unsure' in teams.csv)`);
  }
  return {
    name: matchesFile.name, teams: names, rounds, boards, matches, penalties,
    scoring, ratings: ratingsOf(names, teams, players, seen, boards),
    notes: notes.lines,
  };
}
