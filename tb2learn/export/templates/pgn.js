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

  /** The round, and the number of the match; null without one. */
  round() {
    const shape = /^([0-9]{1,7})(?:\.([0-9]{1,7})(?:\.[0-9]{1,7})?)?$/.exec(this.known("Round"));
    const number = shape ? Number(shape[1]) : 0;
    if (number < 1 || number > LIMITS.rounds) {
      this.refuse("Round", say("html.allowed_number", { low: 1, high: LIMITS.rounds }));
    }
    return [number, shape[2] === undefined ? null : Number(shape[2])];
  }

  result() {
    const value = strip(this.tags.get("Result") ?? "");
    if (!(value in RESULTS)) {
      this.refuse("Result", say("html.allowed_one", { all: Object.keys(RESULTS).join(", ") }));
    }
    return RESULTS[value];
  }

  /** Whether a game without moves was decided without play. */
  given() {
    const how = this.known("Termination").toLowerCase().replace("time forfeit", "");
    if (this.known("Termination")) return UNPLAYED.some((word) => how.includes(word));
    return ["White", "Black"].some((side) =>
      !Number(this.known(`${side}FideId`)) && NOBODY.includes(this.known(side).toLowerCase()));
  }
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
function readPgn({ name: file, bytes }) {
  const text = decoded(file, bytes, "windows-1252");
  const teams = new Map();
  const ratings = [];
  const pairs = new Map();
  const rivals = new Map();
  const notes = new Notes();
  const events = new Set();
  let [unfinished, silent] = [LIMITS.rounds + 1, 0];
  const numberOf = (name, game, tag) => {
    if (!teams.has(name)) {
      if (teams.size === LIMITS.teams) {
        game.refuse(tag, say("html.allowed_teams", { most: LIMITS.teams }));
      }
      teams.set(name, teams.size);
      ratings.push(new Map());
    }
    return teams.get(name);
  };
  for (const found of pgnGames(file, text)) {
    const game = new PgnGame(file, found);
    const [round, number] = game.round();
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
    ["White", "Black"].forEach((side, k) => {
      const rating = Number(/^[0-9]{1,4}$/.exec(game.known(`${side}Elo`))?.[0] ?? 0);
      const player = game.known(`${side}FideId`) || game.known(side);
      if (rating && player && !ratings[sides[k]].has(player)) ratings[sides[k]].set(player, rating);
    });
    if (game.known("Event")) events.add(game.known("Event"));
    const isPlayed = half !== null && half[0] + half[1] > 0 && (game.moves || !game.given());
    if (isPlayed && !game.moves) silent += 1;
    const key = `${round} ${Math.min(...sides)} ${Math.max(...sides)}`;
    if (!pairs.has(key)) {
      pairs.set(key, {
        round, a: white, b: black, bye: "", halfA: 0, halfB: 0, decided: 0, forfeited: 0, boards: 0,
        recorded: [null, null], numbers: new Set(),
      });
    }
    const match = pairs.get(key);
    match.numbers.add(number);
    if (match.boards === LIMITS.boards) game.refuse("WhiteTeam", `1..${LIMITS.boards}`);
    match.boards += 1;
    const [own, other] = half ?? [0, 0];
    match[match.a === white ? "halfA" : "halfB"] += own;
    match[match.a === white ? "halfB" : "halfA"] += other;
    match.decided += own + other > 0 ? 1 : 0;
    match.forfeited += own + other > 0 && !isPlayed ? 1 : 0;
  }
  const matches = [...pairs.values()].filter(({ round }) => round < unfinished);
  if (!matches.length) refuse("html.undecided", { file });
  if (unfinished <= LIMITS.rounds) notes.odd(unfinishedNote(unfinished));
  if (silent) notes.odd(`games without moves that count as played: ${silent}`);
  if (misnumbered([...pairs.values()])) {
    notes.odd("Round does not number the matches: they are numbered as they appear");
  }
  if (events.size > 1) notes.odd(`games name ${events.size} events: the first name is used`);
  notes.odd("a PGN has no start order: teams are in order of first appearance");
  const rounds = Math.max(...matches.map(({ round }) => round));
  const boards = Math.max(...matches.map((match) => match.boards));
  if (2 * matches.length < teams.size * rounds) {
    notes.odd("a PGN has no byes: a team without games in a round was not paired");
  }
  return {
    name: [...events][0] ?? file, teams: [...teams.keys()], rounds, boards, matches,
    ratings: ratings.map((found) => meanOfBest([...found.values()], boards)), notes: notes.lines,
  };
}
