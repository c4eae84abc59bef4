// This part reads the games of a team event from a PGN: only the tags, and whether there are moves.

const RESULTS = {
  "1-0": [2, 0], "0-1": [0, 2], "1/2-1/2": [1, 1], "1/2": [1, 1], "\u00bd-\u00bd": [1, 1],
  "0-0": [0, 0], "*": null,
};
const NOBODY = ["", "n.n.", "bye"];
const UNPLAYED = ["forfeit", "unplayed", "default", "walkover", "bye"];

/** The tags of a line that starts with `[`, and where they end. */
function lineTags(file, line, number) {
  const found = [];
  let at = line.length - line.trimStart().length;
  while (line[at] === "[") {
    const rest = line.slice(at);
    const shape = /^\[\s*([\w+#=:-]+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*/.exec(rest)
      ?? /^\[\s*([\w+#=:-]+)\s+"(.*)"\s*\]\s*$/.exec(rest);
    if (!shape) {
      refuse("html.field", {
        file, line: number, field: `column ${at + 1}`, allowed: '[White "Name"]', got: quoted(rest),
      });
    }
    found.push([shape[1], shape[2].replace(/\\(["\\])/g, "$1")]);
    at += shape[0].length;
  }
  return [found, line.slice(at)];
}

/** The games of a PGN: `tags`, the `line` of the first one, and whether there are `moves`. */
function* pgnGames(file, text) {
  let game = null;
  let comment = false;
  let blank = false;
  const lines = text.split(/\r\n|\r|\n/);
  for (let k = 0; k < lines.length; k += 1) {
    let line = lines[k];
    if (!comment) {
      blank ||= !line.trim();
      if (line.startsWith("%")) continue;
      if (line.trimStart().startsWith("[")) {
        const [found, rest] = lineTags(file, line, k + 1);
        for (const [name, value] of found) {
          const again = game && (game.text || (game.tags.has(name) && (blank || name === "Event")));
          if (again) yield game;
          if (again || !game) {
            game = { tags: new Map(), line: k + 1, text: false, moves: false };
            blank = false;
          }
          game.tags.set(name, value);
        }
        line = rest;
      }
    }
    while (line) {
      if (comment) {
        const end = line.indexOf("}");
        if (end < 0) break;
        comment = false;
        line = line.slice(end + 1);
        continue;
      }
      const opened = line.search(/[{;]/);
      const moves = opened < 0 ? line : line.slice(0, opened);
      if (moves.trim()) {
        if (!game) {
          refuse("html.field", {
            file, line: k + 1, field: "column 1", allowed: '[Event "name"]', got: quoted(line),
          });
        }
        game.text = true;
        game.moves ||= /[a-h][1-8]/.test(moves);
      }
      if (opened < 0 || line[opened] === ";") break;
      comment = true;
      line = line.slice(opened + 1);
    }
  }
  if (game) yield game;
}

/** One game with its fields checked. */
class PgnGame {
  constructor(file, { tags, line, moves }) {
    Object.assign(this, { file, tags, line, moves });
  }

  refuse(field, allowed) {
    refuse("html.field", {
      file: this.file, line: this.line, field, allowed, got: quoted(this.tags.get(field) ?? ""),
    });
  }

  known(tag) {
    const value = strip(this.tags.get(tag) ?? "");
    if ([...value].length > LIMITS.name) {
      this.refuse(tag, say("html.allowed_name", { most: LIMITS.name }));
    }
    return ["?", "-"].includes(value) ? "" : value;
  }

  team(tag) {
    const name = this.known(tag);
    if (!name) this.refuse(tag, say("html.allowed_name", { most: LIMITS.name }));
    return name;
  }

  /** The round, the number of the match and the board; null for those that are not given. */
  round() {
    const shape = /^([0-9]{1,7})(?:\.([0-9]{1,7})(?:\.([0-9]{1,7}))?)?$/.exec(this.known("Round"));
    const number = shape ? Number(shape[1]) : 0;
    const tagged = this.integer("Board", LIMITS.boards);
    const board = tagged || (shape?.[3] === undefined ? null : Number(shape[3]));
    if (number < 1 || number > LIMITS.rounds || board === 0 || board > LIMITS.boards) {
      this.refuse("Round", say("html.allowed_number", { low: 1, high: LIMITS.rounds }));
    }
    return [number, shape[2] === undefined ? null : Number(shape[2]), board];
  }

  /** A whole number; 0 if it is not known, null if it is none. */
  wholeOf(tag, high) {
    const value = strip(this.tags.get(tag) ?? "");
    if (["", "?", "-"].includes(value)) return 0;
    return /^[0-9]{1,10}$/.test(value) && Number(value) <= high ? Number(value) : null;
  }

  integer(tag, high) {
    const found = this.wholeOf(tag, high);
    if (found === null) this.refuse(tag, say("html.allowed_number", { low: 0, high }));
    return found;
  }

  result() {
    const value = strip(this.tags.get("Result") ?? "");
    if (!(value in RESULTS)) {
      this.refuse("Result", say("html.allowed_one", { all: Object.keys(RESULTS).join(", ") }));
    }
    return RESULTS[value];
  }

  /** Whether a game without moves was decided without play; `nobody` if a side names no player. */
  given(nobody) {
    const how = this.known("Termination").toLowerCase();
    return how ? UNPLAYED.some((word) => how.replace("time forfeit", "").includes(word)) : nobody;
  }
}

/** The players of a PGN: by FIDE number, else by team and name. */
class PgnPlayers {
  constructor(notes) {
    Object.assign(this, { notes, all: [], byId: new Map(), byName: new Map() });
  }

  needless(game, tag, high, what) {
    const found = game.wholeOf(tag, high);
    if (found === null) this.notes.odd(`a ${what} that is none is left out`, game.line);
    return found ?? 0;
  }

  /** The player of one side of a game; null if nobody is named. */
  find(game, side, team, rating, round) {
    const name = game.known(side);
    let id = this.needless(game, `${side}FideId`, MAX_FIDE_ID, "FIDE number");
    if (id && this.byId.has(id) && this.byId.get(id).team !== team) {
      this.notes.odd("a FIDE number of players of several teams is kept for the first alone",
        game.line);
      id = 0;
    }
    if (!id && NOBODY.includes(name.toLowerCase())) return null;
    const place = `${team} ${name}`;
    let player = this.byId.get(id);
    if (!player) {
      player = this.byName.get(place);
      if (player && id && player.id) player = undefined; // two players of a team with one name
    }
    if (!player) {
      player = { team, id: 0, rating: 0, busy: new Set() };
      this.all.push(player);
    }
    if (player.busy.has(round)) game.refuse(side, say("html.allowed_free", { round }));
    player.busy.add(round);
    player.id ||= id;
    player.rating ||= rating;
    if (!this.byName.has(place)) this.byName.set(place, player);
    if (id) this.byId.set(id, player);
    return player;
  }
}

/** The most boards of a match; games without a number take the first free ones. */
function boardsOf({ taken, without }) {
  let board = 0;
  for (let left = without; left > 0; left -= taken.has(board) ? 0 : 1) board += 1;
  return Math.max(board, ...taken);
}

/** Whether some games number their match, but not all, or not so that the numbers tell them apart. */
function misnumbered(matches) {
  const numbers = matches.flatMap((match) => [...match.numbers]);
  if (numbers.every((number) => number === null)) return false;
  const places = matches.map(({ round, numbers: own }) => `${round} ${[...own][0]}`);
  return numbers.includes(null) || matches.some((match) => match.numbers.size > 1)
    || new Set(places).size < places.length;
}

/** The event of a PGN, `{name, bytes}`. */
function readPgn({ name: file, bytes }, asked = UNASKED) {
  const text = decoded(file, bytes, "latin1");
  const teams = new Map();
  const pairs = new Map();
  const rivals = new Map();
  const notes = new Notes(file, asked.strict);
  const players = new PgnPlayers(notes);
  const events = new Set();
  const silent = [];
  let unfinished = LIMITS.rounds + 1;
  const numberOf = (name, game, tag) => {
    if (!teams.has(name)) {
      if (teams.size === LIMITS.teams) {
        game.refuse(tag, say("html.allowed_teams", { most: LIMITS.teams }));
      }
      teams.set(name, teams.size);
    }
    return teams.get(name);
  };
  for (const found of pgnGames(file, text)) {
    const game = new PgnGame(file, found);
    if (!teams.size && !found.tags.get("WhiteTeam") && !found.tags.get("BlackTeam")) {
      refuse("html.individual", { file });
    }
    const [round, number, board] = game.round();
    const sides = ["White", "Black"].map((side) =>
      numberOf(game.team(`${side}Team`), game, `${side}Team`));
    const [white, black] = sides;
    if (white === black) game.refuse("BlackTeam", say("html.allowed_other"));
    for (const [tag, team, other] of [["WhiteTeam", white, black], ["BlackTeam", black, white]]) {
      if ((rivals.get(`${round} ${team}`) ?? other) !== other) {
        game.refuse(tag, say("html.allowed_free", { round }));
      }
      rivals.set(`${round} ${team}`, other);
    }
    const half = game.result();
    if (half === null) unfinished = Math.min(unfinished, round);
    const elo = ["White", "Black"].map((side) =>
      players.needless(game, `${side}Elo`, MAX_RATING, "rating"));
    const named = ["White", "Black"].map((side, k) =>
      players.find(game, side, sides[k], elo[k], round));
    if (game.known("Event")) events.add(game.known("Event"));
    const isPlayed = !(half && half[0] + half[1] === 0)
      && (game.moves || !game.given(named.includes(null)));
    if (isPlayed && !game.moves) silent.push(round);
    const key = `${round} ${Math.min(...sides)} ${Math.max(...sides)}`;
    if (!pairs.has(key)) {
      pairs.set(key, {
        round, a: white, b: black, bye: "", halfA: 0, halfB: 0, decided: 0, forfeited: 0, boards: 0,
        recorded: [null, null], numbers: new Set(), taken: new Set(), without: 0, seen: new Set(),
      });
    }
    const match = pairs.get(key);
    match.numbers.add(number);
    if (match.boards === LIMITS.boards) game.refuse("WhiteTeam", `1..${LIMITS.boards}`);
    match.boards += 1;
    if (board === null) match.without += 1;
    else if (match.taken.has(board)) game.refuse("Board", say("html.allowed_once"));
    else match.taken.add(board);
    for (const player of named.filter(Boolean)) match.seen.add(player);
    const [own, other] = half ?? [0, 0];
    match[match.a === white ? "halfA" : "halfB"] += own;
    match[match.a === white ? "halfB" : "halfA"] += other;
    match.decided += half && (isPlayed || own + other > 0) ? 1 : 0;
    match.forfeited += own + other > 0 && !isPlayed ? 1 : 0;
  }
  const matches = [...pairs.values()].filter(({ round }) => round < unfinished);
  if (!matches.length) refuse("html.undecided", { file });
  if (unfinished <= LIMITS.rounds) notes.say(unfinishedNote(unfinished));
  const count = silent.filter((round) => round < unfinished).length;
  if (count) notes.say(`games without moves that count as played: ${count}`);
  if (misnumbered([...pairs.values()])) {
    notes.say("Round does not number the matches: they are numbered as they appear");
  }
  if (events.size > 1) notes.say(`games name ${events.size} events: the first name is used`);
  notes.say("a PGN has no start order: teams are in order of first appearance");
  const scoring = asked.scoring ?? STANDARD;
  withScoring(matches, scoring);
  const rounds = Math.max(...matches.map(({ round }) => round));
  const boards = Math.max(...matches.map(boardsOf));
  const seen = new Set(matches.flatMap((match) => [...match.seen]));
  const ratings = [...teams.values()].map((team) => players.all
    .filter((player) => player.team === team && seen.has(player)).map(({ rating }) => rating));
  if (2 * matches.length < teams.size * rounds) {
    notes.say("a PGN has no byes: a team without games in a round was not paired");
  }
  return {
    name: [...events][0] ?? file, teams: [...teams.keys()], rounds, boards, matches,
    scoring, penalties: [], notes: notes.lines,
    ratings: ratings.map((found) => meanOfBest(found, boards)),
  };
}
