// This part reads the games of a team event from a PGN, as `pgn.py` does: only the tags, and whether
// there are moves.

const PGN = KNOWN.pgn;
const RESULTS = new Map(PGN.results);
const PGN_DATE = /^([0-9]{4})[./-]([0-9]{2})[./-]([0-9]{2})$/;

/** The lines of a PGN: UTF-16, or each in UTF-8, else in Latin-1. */
function pgnLines(bytes) {
  if (encodingOf(bytes) !== "utf-8") return decoded(bytes).split(LINE_END);
  const marked = String(bytes.slice(0, 3)) === "239,187,191";
  const utf8 = (line) =>
    textIn(Uint8Array.from(line, (c) => c.charCodeAt(0)), "utf-8", true) ?? line;
  return latin1(bytes.subarray(marked ? 3 : 0)).split(LINE_END)
    .map((line) => (/[^\0-\x7f]/.test(line) ? utf8(line) : line));
}

const pgnError = (file, line, field, allowed, got) =>
  refuse("html.field", { file, line, field, allowed, got: quoted(got) });

/** The tags from an index of a line on: `name`, `value`, `line`, `column`; and what is left. */
function lineTags(file, text, from, line) {
  if (text.includes("\0")) refuse("html.nul", { file, line });
  const found = [];
  let at = from;
  while (text[at] === "[") {
    const rest = text.slice(at);
    const tag = SHAPES.tag.exec(rest) ?? SHAPES.tagWithBareQuotes.exec(rest);
    if (!tag) pgnError(file, line, `column ${at + 1}`, '[White "Name"]', rest);
    const column = [...text.slice(0, at + rest.indexOf('"') + 1)].length;
    found.push({ name: tag[1], value: tag[2].replace(/\\(["\\])/g, "$1"), line, column });
    at += tag[0].length;
  }
  return [found, text.slice(at)];
}

/** The games of a PGN: `tags`, the `line` of the first one, and whether there are `moves`. */
function* pgnGames(file, bytes, notes) {
  let [game, comment, blank, swallowed] = [null, null, false, false];
  for (const [k, text] of pgnLines(bytes).entries()) {
    let rest = text;
    if (!comment) {
      const start = text.replace(/^[ \t\v\f]+/, "");
      blank ||= !start;
      if (text.startsWith("%")) continue;
      if (start.startsWith("[")) {
        const [found, left] = lineTags(file, text, text.length - start.length, k + 1);
        for (const tag of found) {
          const known = game?.tags.get(tag.name);
          if (game && (game.text || (known && (blank || tag.name === "Event")))) {
            yield game;
            [game, blank] = [null, false];
          }
          game ??= { tags: new Map(), line: k + 1, text: false, moves: false };
          if (game.tags.has(tag.name)) {
            const field = `column ${tag.column} (${tag.name})`;
            pgnError(file, k + 1, field, say("html.allowed_tag"), tag.value);
          }
          if (PGN.wanted.includes(tag.name)) game.tags.set(tag.name, tag);
        }
        rest = left;
      }
    } else if (rest.includes("}")) {
      rest = rest.slice(rest.indexOf("}") + 1);
      comment = null;
    } else {
      swallowed ||= SHAPES.tagLine.test(text);
      continue;
    }
    const [whole] = /^[^{;]*(?:\{[^}]*\}[^{;]*)*/.exec(rest);
    const moves = whole.replace(/\{[^}]*\}/g, " ");
    if (/[^ \t\v\f]/.test(moves)) {
      if (!game) pgnError(file, k + 1, "column 1", '[Event "name"]', rest);
      game.text = true;
      game.moves ||= /[a-h][1-8]/.test(moves);
    }
    if (game && (whole.includes("{") || whole.length < rest.length)) game.text = true;
    if (rest[whole.length] === "{") {
      const before = text.slice(0, text.length - rest.length + whole.length);
      comment = { line: k + 1, field: `column ${[...before].length + 1} (comment)` };
      swallowed = false;
    }
  }
  if (comment && swallowed) pgnError(file, comment.line, comment.field, "{ ... }", "{");
  if (comment) notes.odd("the file ends within a comment: the last game may be cut", comment.line);
  if (game) yield game;
}

/** One game with its fields, which are tags. */
class PgnGame extends Fields {
  constructor(file, { tags, line, moves }, notes) {
    super(file, line, notes);
    Object.assign(this, { tags, moves });
  }

  placeOf(tag) {
    const { line, column } = this.tags.get(tag) ?? { line: this.line, column: 1 };
    return [line, `column ${column} (${tag})`];
  }

  text(tag) {
    return strip(this.tags.get(tag)?.value ?? "");
  }

  whom(tag) {
    const side = ["White", "Black"].find((one) => tag?.startsWith(one));
    return ["player", side ? this.text(side) : ""];
  }

  /** A text; empty if it is not known. */
  known(tag) {
    return ["", "?", "-"].includes(this.text(tag)) ? "" : this.name(tag);
  }

  wholeOf(tag, low, high) {
    return ["", "?", "-"].includes(this.text(tag)) ? 0 : super.wholeOf(tag, low, high);
  }

  /** The round, the number of the match and the board; null for those that are not given. */
  round({ individual, asked, places }) {
    const parts = /^([0-9]{1,7})(?:\.([0-9]{1,7})(?:\.([0-9]{1,7}))?)?$/.exec(this.text("Round"));
    const [round, match, third] = (parts ?? []).slice(1).map((part) => part && Number(part));
    if (!within(round ?? null, 1, LIMITS.rounds) || match > LIMITS.match) this.refuseRound("Round");
    if (individual && !asked.individual) this.checkBoard(places, round, parts[3]);
    if (individual) return [round, match || this.integer("Board", 0, LIMITS.match) || null, 1];
    const board = this.integer("Board", 0, LIMITS.boards) || third;
    if (board !== undefined && !within(board, 1, LIMITS.boards)) this.refuseRound("Round");
    return [round, match ?? null, board ?? null];
  }

  /** Refuse a board that a round has twice: then the players are of teams. */
  checkBoard(places, round, third) {
    const board = this.text("Board") || third;
    if (board === undefined) return;
    claim(places, `${round} ${board}`, () =>
      this.refuse(this.text("Board") ? "Board" : "Round", "html.allowed_board"));
  }

  /** Whether the game was played: without moves not if a tag, or a missing player, says so. */
  isPlayed(half, named) {
    if (half && sum(half) === 0) return false;
    if (this.moves) return true;
    const how = this.known("Termination").toLowerCase();
    const words = how.replaceAll("time forfeit", "");
    return how ? !PGN.unplayed.some((word) => words.includes(word)) : !named.includes(null);
  }
}

/** Whether games number their matches, but not all, or not so that it tells them apart. */
function misnumbered(matches) {
  const all = matches.map(({ numbers }) => [...numbers]);
  if (all.flat().every((number) => number === null)) return false;
  const places = new Set(matches.map(({ round }, k) => `${round} ${all[k]}`));
  return places.size < all.length || all.some((own) => own.length > 1 || own[0] === null);
}

/** Collects the games of an event one by one. */
class PgnEvent {
  constructor(file, asked) {
    Object.assign(this, {
      file, asked, scoring: asked.scoring ?? STANDARD, notes: new Notes(file, asked.strict),
      teams: new Map(), pairs: new Map(), rivals: new Map(), byId: new Map(), byName: new Map(),
      events: new Set(), silent: [], unfinished: LIMITS.rounds + 1,
      individual: asked.individual, places: new Set(), byes: new Map(), dates: ["", ""],
    });
  }

  /** The number of the team of a side; of a player, by FIDE number, else by name. */
  team(game, side) {
    const id = this.individual ? game.fideId(`${side}FideId`) : 0;
    if (this.byId.has(id)) return this.byId.get(id).team;
    const tag = this.individual ? side : `${side}Team`;
    let name = game.known(tag) || (this.individual ? "?"
      : game.refuse(tag, "html.allowed_name", { most: LIMITS.name }));
    const taken = this.teams.get(name);
    if (id && [...this.byId.values()].some(({ team }) => team === taken)) {
      this.notes.say("players of the same name are told apart by their FIDE numbers");
      name = `${name} (${id})`;
    }
    if (!this.teams.has(name) && this.teams.size === LIMITS.teams) {
      game.refuse(tag, "html.allowed_teams", { most: LIMITS.teams });
    }
    return kept(this.teams, name, () => this.teams.size);
  }

  /** The player of one side: by FIDE number, else by team and name; null if nobody is named. */
  player(game, side, team, rating, round) {
    const name = game.known(side);
    game.known(`${side}Title`);
    let id = game.fideId(`${side}FideId`);
    if (id && (this.byId.get(id)?.team ?? team) !== team) {
      if (game.notes.strict) game.refuse(`${side}FideId`, "html.allowed_of_team");
      game.odd("a FIDE number of players of several teams is kept for the first alone",
        `${side}FideId`);
      id = 0;
    }
    if (!this.individual && !id && PGN.nobody.includes(name.toLowerCase())) return null;
    let player = this.byId.get(id) ?? this.byName.get(`${team} ${name}`);
    // Two players of a team may have one name.
    if (!player || (id && player.id && player.id !== id)) {
      player = { team, id: 0, rating: 0, busy: new Set() };
    }
    claim(player.busy, round, () => game.refuse(side, "html.allowed_free", { round }));
    player.id ||= id;
    player.rating ||= rating;
    kept(this.byName, `${team} ${name}`, () => player);
    if (id) this.byId.set(id, player);
    return player;
  }

  /** The match of a game: made by its first one. */
  match(game, round, white, black, board) {
    const what = this.individual ? "" : "Team";
    if (white === black) game.refuse(`Black${what}`, "html.allowed_other");
    for (const [side, team, other] of [["White", white, black], ["Black", black, white]]) {
      const met = kept(this.rivals, `${round} ${team}`, () => other);
      if (met !== other || this.byes.has(`${round} ${team}`)) {
        game.refuse(`${side}${what}`, "html.allowed_free", { round });
      }
    }
    const match = kept(this.pairs, `${round} ${[white, black].sort((a, b) => a - b)}`, () =>
      newMatch(round, white, black, {
        black, numbers: new Set(), boards: [], seen: new Set(),
      }));
    if (match.boards.length === LIMITS.boards) game.refuse("WhiteTeam", `1..${LIMITS.boards}`);
    if (board !== null && match.boards.includes(board)) {
      game.refuse(Number(game.text("Board")) ? "Board" : "Round", "html.allowed_board");
    }
    match.boards.push(board);
    return match;
  }

  add(found) {
    const game = new PgnGame(this.file, found, this.notes);
    const isNamed = game.text("WhiteTeam") || game.text("BlackTeam");
    if (!this.individual && !this.teams.size && !isNamed) {
      this.individual = true;
      this.notes.say(PGN.noTeams);
    }
    const [round, number, board] = game.round(this);
    if (this.individual && this.isBye(game, round)) return;
    const [white, black] = ["White", "Black"].map((side) => this.team(game, side));
    const match = this.match(game, round, white, black, board);
    match.numbers.add(number);
    const half = RESULTS.get(game.choice("Result", [...RESULTS.keys()]));
    if (half === null) this.unfinished = Math.min(this.unfinished, round);
    const ratings = ["White", "Black"].map((side) => game.rating(`${side}Elo`));
    const named = ["White", "Black"].map((side, k) =>
      this.player(game, side, [white, black][k], ratings[k], round));
    const played = game.isPlayed(half, named);
    if (played && !game.moves && !game.known("Termination")) this.silent.push(round);
    for (const player of named) if (player) match.seen.add(player);
    const points = match.a === white ? half : half?.toReversed();
    addGame(match, ...(points ?? [0, 0]), played);
    game.known("Site");
    if (game.known("Event")) this.events.add(game.known("Event"));
    const dates = ["EventDate", "Date"].map((tag) => PGN_DATE.exec(game.text(tag)));
    const [start, first] = dates.map((date) => date?.slice(1).join("-") ?? "");
    this.dates[0] ||= start;
    if (first && !(this.dates[1] < first && this.dates[1])) this.dates[1] = first;
  }

  /** Whether a side of a game is nobody: then the other one's bye is taken. */
  isBye(game, round) {
    const isNobody = (side) => !game.text(`${side}FideId`)
      && PGN.nobody.includes(game.known(side).toLowerCase());
    const [white, black] = ["White", "Black"].map((side) => !isNobody(side));
    if (white && black) return false;
    const half = RESULTS.get(game.text("Result"));
    if ((!white && !black) || !half) game.refuse("White", "html.allowed_player");
    const side = white ? "White" : "Black";
    const team = this.team(game, side);
    this.player(game, side, team, game.rating(`${side}Elo`), round);
    this.byes.set(`${round} ${team}`, { round, team, half: half[white ? 0 : 1] });
    if (game.notes.strict) game.refuse(side, "html.allowed_player");
    game.odd("a game against nobody is a bye", side);
    return true;
  }

  /** The byes of finished rounds: one that pays a win is that of the pairing. */
  get byeMatches() {
    const pay = ({ round, team, half }) => {
      const [mp, points] = half === 2 ? playerBye(this.asked, this.scoring[0]) : [null, half];
      const bye = ["zero", "half", "pairing"][half];
      return newMatch(round, team, null, { bye, halfA: points, recorded: [mp, null] });
    };
    return [...this.byes.values()].filter(({ round }) => round < this.unfinished).map(pay);
  }

  event() {
    const { notes, unfinished, teams, events, individual } = this;
    if (individual) this.scoring = this.asked.scoring?.map((points) => 2 * points) ?? STANDARD;
    const { scoring, byeMatches } = this;
    const all = [...this.pairs.values()];
    const games = all.filter(({ round }) => round < unfinished);
    if (!games.length) refuse("html.undecided", { file: this.file });
    const matches = withScoring([...games, ...byeMatches], scoring);
    const rounds = Math.max(...matches.map(({ round }) => round));
    // Games without a number take the first free boards.
    const boards = Math.max(...games.map((match) =>
      Math.max(match.boards.length, ...match.boards)));
    const silent = this.silent.filter((round) => round < unfinished).length;
    const few = 2 * games.length + this.byes.size < teams.size * rounds;
    const who = individual ? "player" : "team";
    notes.unfinished(unfinished);
    for (const [holds, text] of [
      [silent, `games without moves and without Termination that count as played: ${silent}`],
      [misnumbered(all), "Round does not number the matches: they are numbered as they appear"],
      [events.size > 1, `games name ${events.size} events: the first name is used`],
    ]) if (holds) notes.odd(text, null);
    notes.say(`a PGN has no start order: ${who}s are in order of first appearance`);
    if (few) {
      notes.odd(`a PGN has no byes: a ${who} without games in a round was not paired`, null);
    }
    const seen = new Set(games.flatMap((match) => [...match.seen]));
    return {
      teams: [...teams.keys()], rounds, boards, matches, scoring, penalties: [], individual,
      start: this.dates.find(Boolean) ?? "",
      ratings: ratingsOf(teams.size, seen, boards), notes: notes.lines,
    };
  }
}

/** The event of a PGN, `{name, bytes}`. */
function readPgn({ name: file, bytes }, asked = readingOf()) {
  const event = new PgnEvent(file, asked);
  for (const found of pgnGames(file, bytes, event.notes)) event.add(found);
  return event.event();
}
