// This part reads an individual event from tables: its games, and who plays them.

/** Whether the rows of matches.csv are games of players, not matches of teams. */
function holdsGames(file, { strict }) {
  const first = tableRows(file, "matches.csv", new Notes("", strict), []).next().value;
  return Boolean(first?.cells.has("white_player") && !first.cells.has("team_a"));
}

/** The players of an event, who are teams of one, and their games and byes. */
class Games {
  constructor(file, about, asked, notes) {
    Object.assign(this, { asked, teams: new Teams(null, notes), players: [], used: new Set() });
    this.scoring = (asked.scoring ?? about.scoring)?.map((points) => 2 * points) ?? STANDARD;
    this.teams.listed = Boolean(file);
    for (const row of tableRows(file, "players.csv", notes, ["name"])) {
      const field = row.text("team") ? "team" : "name";
      const name = row.text("team") || row.name("name");
      if (this.teams.numbers.has(name)) row.refuse("name", "html.allowed_once");
      this.teams.add(row, field, name);
      this.players.push(readPlayer(row, this.players.length));
    }
  }

  /** The number of the player of a side, who must be free in the round. */
  player(row, side, round) {
    const field = `${side}_player`;
    const number = this.teams.number(row, field);
    this.players[number] ??= { team: number, id: 0, rating: 0 };
    const player = this.players[number];
    player.rating ||= row.rating(`${side}_rating`);
    player.id ||= row.fideId(`${side}_fide_id`);
    claim(this.used, `${round} player ${number}`, () =>
      row.refuse(field, "html.allowed_free", { round }));
    return number;
  }

  /** The game or bye of a row; null for a game without a result. */
  match(row, round) {
    const white = this.player(row, "white", round);
    const told = ["white_points", "black_points"].map((field) =>
      row.halfPoints(field, LIMITS.boards, 0, null));
    if (row.text("bye") && row.text("black_player")) row.refuse("bye", "html.allowed_no_bye");
    if (namesNobody(row, "black_player", this.teams)) return this.bye(row, round, white, told[0]);
    const match = newMatch(round, white, this.player(row, "black", round), { recorded: told });
    match.black = match.b;
    const text = row.text("result").replaceAll(" ", "").replaceAll("\u00bd", "1/2")
      .replaceAll(":", "-");
    if (["", "*"].includes(text)) return null;
    const byDefault = CSV.forfeits[text];
    const known = [...Object.keys(CSV.results), ...Object.keys(CSV.forfeits)];
    const half = CSV.results[byDefault ?? row.choice("result", known, "", text)];
    const usual = CSV.status[sum(half) ? 0 : 1];
    const isPlayed = !byDefault && row.choice("status", CSV.status, usual) === CSV.status[0];
    for (const side of ["white", "black"]) row.rating(`${side}_rating`);
    addGame(match, ...half, isPlayed);
    return match;
  }

  bye(row, round, player, told) {
    const bye = row.choice("bye", Object.keys(KNOWN.byes), "pairing");
    const pays = told !== null ? playerPoints(told)
      : bye === "pairing" ? playerBye(this.asked, this.scoring[0]) : [null, KNOWN.byes[bye]];
    return newMatch(round, player, null, { bye, halfA: pays[1], recorded: [pays[0], null] });
  }
}

/** An individual event from its tables. */
function readGames(tables, about, asked, notes) {
  const games = new Games(tables["players.csv"], about, asked, notes);
  const { scoring, teams, players } = games;
  const [read, numbers, file] = [[], new Set(), tables["matches.csv"]];
  let [unfinished, count] = [LIMITS.rounds + 1, 0];
  for (const row of tableRows(file, "matches.csv", notes, CSV.games)) {
    const round = row.integer("round", 1, LIMITS.rounds);
    const number = row.integer("match", 0, LIMITS.match, count += 1);
    claim(numbers, `${round} ${number}`, () =>
      row.refuse("match", "html.allowed_match", { round }, String(number)));
    const match = games.match(row, round);
    if (match) read.push(match);
    else unfinished = Math.min(unfinished, round);
  }
  const matches = withScoring(read.filter(({ round }) => round < unfinished), scoring);
  const seated = matches.filter(({ b }) => b !== null).flatMap(({ a, b }) => [a, b]);
  if (!seated.length) refuse("html.undecided", { file: file.name });
  const rounds = Math.max(...matches.map(({ round }) => round));
  const penalties = readPenalties(tables["penalties.csv"], teams, rounds, notes);
  notes.unfinished(unfinished);
  const names = [...teams.numbers.keys()];
  return {
    teams: names, rounds, boards: 1, matches, penalties, scoring, individual: true,
    start: about.start, notes: notes.lines,
    ratings: ratingsOf(names.length, new Set(seated.map((number) => players[number])), 1),
  };
}
