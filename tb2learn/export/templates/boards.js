// This part reads the players and the boards of an event from tables, which must add up to its matches.

const BOARD_COLUMNS = ["round", "match", "white_team", "black_team", "result"];
const BOARD_RESULTS = { "1-0": [2, 0], "0-1": [0, 2], "1/2-1/2": [1, 1], "0-0": [0, 0] };

/** The players of players.csv: `team`, `name`, `id`, `rating`. */
function readPlayers(file, teams, notes) {
  const known = new Set();
  const found = [];
  for (const row of file ? fileRows(file, "players.csv", ["team", "name"], notes) : []) {
    const team = teams.numbers.get(row.name("team"));
    if (team === undefined) row.refuse("team", say("html.allowed_listed"), row.text("team"));
    let id = row.needless("a FIDE number that is none is left out", "fide_id", MAX_FIDE_ID);
    if (known.has(id)) {
      row.odd("a FIDE number of several players is kept for the first alone");
      id = 0;
    }
    if (id) known.add(id);
    const rating = row.needless(NO_RATING, "rating", MAX_RATING);
    for (const field of ["title", "sex", "federation", "birth"]) {
      if (row.text(field)) row.name(field);
    }
    found.push({ team, name: row.name("name"), id, rating });
  }
  return found;
}

/** Finds the players of boards, by FIDE number, else by team and name. */
class Listed {
  constructor(players) {
    this.byId = new Map(players.filter(({ id }) => id).map((player) => [player.id, player]));
    this.byName = new Map(players.map((player) => [`${player.team} ${player.name}`, player]));
  }

  /** The player of one side; undefined if the row names no listed player. */
  player(row, side, team) {
    const [id, name] = [`${side}_fide_id`, `${side}_player`];
    const refused = (field) => row.refuse(field, say("html.allowed_of_team"), row.text(field));
    let found;
    if (row.text(id)) {
      found = this.byId.get(row.integer(id, 0, MAX_FIDE_ID));
    } else if (row.text(name)) {
      found = this.byName.get(`${team} ${row.text(name)}`);
      if (!found) refused(name);
    }
    if (found && found.team !== team) refused(id);
    return found;
  }
}

/** One board of a match: the half points of its team a and team b; its players join `seen`. */
function readBoard(row, match, teams, listed, seen) {
  const sides = ["white", "black"].map((side) => teams.numbers.get(row.name(`${side}_team`)));
  const [white, black] = sides;
  const right = [[match.a, match.b], [match.b, match.a]].some(([a, b]) => a === white && b === black);
  if (!right) row.refuse("white_team", say("html.allowed_of_match"), row.text("white_team"));
  const found = ["white", "black"].map((side, k) => listed.player(row, side, sides[k]));
  const points = BOARD_RESULTS[row.choice("result", Object.keys(BOARD_RESULTS), "")];
  row.choice("status", ["played", "forfeit"]);
  for (const side of ["white", "black"]) row.needless(NO_RATING, `${side}_rating`, MAX_RATING);
  for (const player of found.filter(Boolean)) seen.add(player);
  return white === match.a ? points : [points[1], points[0]];
}

/** Check that the boards of boards.csv add up to the matches; the players who sat on one. */
function readBoards(file, teams, matches, players, unfinished, notes) {
  const [listed, seen, last] = [new Listed(players), new Set(), new Map()];
  const byNumber = new Map(matches.filter(({ b }) => b !== null)
    .map((match) => [`${match.round} ${match.number}`, { match, half: [0, 0], boards: new Set(), rows: 0 }]));
  for (const row of file ? fileRows(file, "boards.csv", BOARD_COLUMNS, notes) : []) {
    const round = row.integer("round", 1, LIMITS.rounds, 0);
    const found = byNumber.get(`${round} ${row.integer("match", 0, 1e6)}`);
    if (round >= unfinished) continue;
    if (!found) row.refuse("match", say("html.allowed_match_of", { round }), row.text("match"));
    found.rows += 1;
    const board = row.integer("board", 1, LIMITS.boards, found.rows);
    if (found.boards.has(board)) row.refuse("board", say("html.allowed_board"), String(board));
    found.boards.add(board);
    readBoard(row, found.match, teams, listed, seen).forEach((half, side) => {
      found.half[side] += half;
    });
    last.set(found, row);
  }
  for (const [{ match, half }, row] of last) {
    const whole = [match.halfA, match.halfB];
    const given = match.recorded.some((points) => points !== null);
    if (given || half.every((x, side) => x === whole[side])) continue;
    const text = (points) => points.map((x) => x / 2).join("-");
    row.refuse("result", say("html.allowed_sum", { points: text(whole) }), text(half));
  }
  return seen;
}

/** The mean rating of every team: by teams.csv, else of its players who sat on a board. */
function ratingsOf(names, teams, players, seen, boards) {
  const found = names.map((_, team) => teams.ratings[team] ?? []);
  const told = found.some((ratings) => ratings.length);
  for (const { team, rating } of told ? [] : players.filter((player) => seen.has(player))) {
    found[team].push(rating);
  }
  return found.map((ratings) => meanOfBest(ratings, boards));
}
