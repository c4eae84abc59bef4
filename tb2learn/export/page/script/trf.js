// This part reads a Tournament Report File (TRF) as the program does: lines become records by the
// program's table of columns, these become teams and entries of players, and these an event.
// Columns are counted from 1. A repair that is rare is not made here: the file is refused.

const TRF = KNOWN.trf;
const PAIR = new RegExp(SHAPES.pair, "gu");
const [ON_BOARD, BY_DEFAULT, BYES] = ["played", "unplayed", "byes"].map((key) => new Map(TRF[key]));

/** A record: one line, whose fields are read by name or as `[first, last, title]`. */
class Line extends Fields {
  constructor(text, given) {
    super({ ...given, kind: text.slice(0, 3) });
    // A column is a character, which JavaScript may count as two.
    this.chars = [...stripEnd(text)];
    this.content = this.chars.map((c) => (c.length > 1 ? "\ud800" : c)).join("");
  }

  columns(field) { return Array.isArray(field) ? field : [...TRF.columns[this.kind][field], field]; }
  cut(first, last = Infinity) { return strip(this.chars.slice(first - 1, last).join("")); }
  text(field) { return this.cut(...this.columns(field)); }
  get start() { return this.integer("start number", 1, LIMITS.players); }

  titleOf(field) {
    const [first, last, what] = this.columns(field);
    return `columns ${first}-${last < Infinity ? last : ""} (${what})`;
  }

  /** Whole match points and half points up to `high` and `most`; null for an empty field. */
  points(high, most, low = 0) {
    const mp = this.halfPoints("match points", high, low, null);
    this.need(!(mp % 2), "match points", "html.allowed_number", { low, high });
    return [mp && mp / 2, this.halfPoints("game points", most, low, null)];
  }

  /** The numbers of the list that are not 0, `[field, number, index in the list]`. */
  *listed(high = LIMITS.players) {
    const [from, width] = TRF.lists[this.kind];
    for (let k = 0; from + k * (width + 1) <= this.content.length; k += 1) {
      const first = from + k * (width + 1);
      const field = [first, first + width - 1, "number"];
      const number = this.integer(field, 0, high, 0);
      if (number) yield [field, number, k];
    }
  }

  /** A team by its number in the file, `teams` has those. */
  team(field, teams) {
    return teams.get(this.integer(field, 0, LIMITS.players, 0))
      ?? this.refuse(field, "html.allowed_number_of");
  }
}

/** The records by type; `records("001")`. Other types than those that are read are left out. */
function trfRecords(file, text, notes) {
  const records = new Map(TRF.read.map((kind) => [kind, []]));
  text.split(LINE_END).forEach((content, k) => {
    const found = records.get(content.slice(0, 3));
    found?.push(new Line(content, { file, line: k + 1, notes }));
    need(!(found && content.includes("\0")), "html.nul", { file });
    need(!(found?.at(-1).chars.length > LIMITS.line || found?.length > LIMITS.lines),
      "html.too_big", { file, most: LIMITS.bytes });
  });
  for (const kind of Object.keys(TRF.blank)) {
    for (const line of records.get(kind)) need(fitsColumns(line), "html.beside", { ...line });
  }
  return (kind) => records.get(kind) ?? [];
}

/** Whether the columns between the fields of a record are blank, also in its list. */
function fitsColumns({ kind, content }) {
  if (content.length > LIMITS.shifted) return true;
  const [start, width] = TRF.lists[kind] ?? [content.length + 1, 0];
  const [list, [first, step]] = [content.slice(start - 1), TRF.entries];
  const isBlank = (text = " ") => SPACE.test(text);
  const cells = rangeOf(kind === "001" ? LIMITS.entries : 0).map((k) =>
    content.slice(first - 1 + k * step, first - 1 + (k + 1) * step));
  return TRF.blank[kind].every((column) => isBlank(content[column - 1]))
    && [...list].every((c, k) => isBlank(c) || k % (width + 1) < width)
    && (!TRF.named.includes(kind) || !/[^0-9]/.test(list.replace(SPACES, "")))
    && (kind !== "013" || !SHAPES.inName.test(content.slice(4, start - 1)))
    && cells.every((cell) => !strip(cell) || SHAPES.cell.test(cell));
}

/** The name of a team, which no other one has. */
function squadName(line, number, names) {
  const name = line.text("team name");
  if (name && !names.includes(name)) return name;
  line.odd(name ? "a name that another team has, too, gets a number: a column holds 32 characters"
    : "a team without a name is named by its number");
  const numbered = (n) => `${name || "Team"} (${n})`;
  return numbered(rangeOf(names.length + 1, number).find((n) => !names.includes(numbered(n))));
}

/** The teams of records 310, else 013, `[number, {line, name, members}]`, by their numbers. */
function trfSquads(file, records) {
  const [squads, isNew] = [new Map(), records("310").length > 0];
  records(isNew ? "310" : "013").forEach((line, k) => {
    const number = isNew ? line.integer("team number", 1, 999) : k + 1;
    if (squads.has(number)) line.refuse("team number", "html.allowed_once");
    const name = squadName(line, number, [...squads.values()].map((squad) => squad.name));
    squads.set(number, { line, name, members: [...line.listed()] });
  });
  const [most, got] = [LIMITS.teams, squads.size];
  if (!within(got, 2, most)) refuse("html.trf_teams", { file, most, got });
  return byKey(squads);
}

/** Teams and players: `names`, `teams` by number, `players`, `numbers` of players by start. */
function trfEntrants(file, records) {
  const [squads, lines] = [trfSquads(file, records), new Map()];
  for (const line of records("001")) {
    if (lines.has(line.start)) line.refuse("start number", "html.allowed_once");
    lines.set(line.start, line);
  }
  const [players, numbers] = [[], new Map()];
  squads.forEach(([, { line, members }], team) => {
    for (const [field, start] of members) {
      const known = players[numbers.get(start)];
      if (known && known.team !== team) line.refuse(field, "html.allowed_once");
      if (known) line.odd("a member is listed twice in a team");
      else if (!lines.has(start)) line.odd("a member of a team without a record 001 is left out");
      else numbers.set(start, players.push({ team, line: lines.get(start) }) - 1);
    }
  });
  for (const [start, line] of lines) {
    if (!numbers.has(start)) line.odd("a player without a team is left out");
  }
  const teams = new Map(squads.map(([number], team) => [number, team]));
  return { names: squads.map(([, { name }]) => name), teams, players, numbers };
}

const isPlayedOn = ({ result }) => ON_BOARD.has(result);
const isOnBoard = ({ result }) => ON_BOARD.has(result) || BY_DEFAULT.has(result);
const isAlone = ({ opponent }) => opponent === null;
const halfOf = ({ result }) => ON_BOARD.get(result) ?? BY_DEFAULT.get(result) ?? 0;

/** What is read of a round: entries by player, and by team byes, opponents, forfeited matches. */
class Round {
  constructor(number) {
    this.number = number;
    for (const name of ["entries", "letters", "rivals", "forfeits", "open"]) this[name] = new Map();
    this.unsure = new Set(); // teams with an open board
  }

  /** Record that two teams met; false if one of them already has another opponent. */
  meet(team, other) {
    return team !== other && [[team, other], [other, team]].every(([a, b]) =>
      kept(this.rivals, a, () => b) === b);
  }

  /** The entries of a team. */
  of(team) { return [...this.entries.values()].filter((entry) => entry.team === team); }

  /** The boards of the match of a team that somebody played or won by default. */
  seats(team) {
    const sides = [team, this.rivals.get(team) ?? -1].map((one) => this.of(one));
    const won = sides.flat().filter((entry) => isAlone(entry) && halfOf(entry));
    return won.length + Math.max(...sides.map((side) =>
      side.filter((entry) => !isAlone(entry)).length));
  }
}

/** Where a field of the entry of a round stands. */
const entryField = (name, round) => [...TRF.entry[name].map((at) =>
  TRF.entries[0] + TRF.entries[1] * (round - 1) + at), `${name} of round ${round}`];

/** The entries of all players in all rounds; a player without a team has the team -1. */
function trfEntries(records, { players, numbers }) {
  const [found, [first, width]] = [[], TRF.entries];
  const after = [first + width * LIMITS.rounds, Infinity, `round ${LIMITS.rounds + 1}`];
  for (const line of records("001")) {
    if (line.text(after)) line.refuse(after, "html.allowed_nothing");
    const player = numbers.get(line.start) ?? -1;
    const { team } = players[player] ?? { team: -1 };
    for (let round = 1; first + width * (round - 1) <= line.content.length; round += 1) {
      const field = entryField("opponent", round);
      const result = line.text(entryField("result", round)).toUpperCase();
      if (!result && !line.cut(field[0], entryField("colour", round)[1])) continue;
      const against = line.integer(field, 0, LIMITS.players, 0);
      if (against && !numbers.has(against)) line.refuse(field, "html.allowed_player");
      const opponent = numbers.get(against) ?? null;
      const rival = players[opponent]?.team;
      found.push(plainly({ line, round, player, team, opponent, rival, result }));
    }
  }
  return found;
}

/** An entry whose result is a letter of the format. */
function plainly(entry) {
  const { line, result } = entry;
  if (result === TRF.half) line.odd(`the result ${TRF.half} is a draw`);
  if (result === TRF.open) line.odd(`the result ${TRF.open} is none`);
  const all = [...BY_DEFAULT.keys(), ...(isAlone(entry) ? BYES : ON_BOARD).keys()];
  const right = ["", TRF.open, TRF.half, ...all].includes(result);
  if (!right) line.refuseAll(entryField("result", entry.round), all);
  return { ...entry, result: result === TRF.half ? "=" : result };
}

/** The rounds with their entries, and those from the first unfinished one on. */
function trfRounds(found) {
  const rounds = rangeOf(LIMITS.rounds, 1).map((number) => new Round(number));
  const [awaited, stars] = [new Map(), []];
  for (const entry of found) {
    const { line, round, player, team, result } = entry;
    const { entries, letters } = rounds[round - 1];
    if (isAlone(entry) && result === TRF.open) stars.push(entry);
    else if (!isAlone(entry) && !isOnBoard(entry)) awaited.set(`${round} ${player}`, entry);
    else if (team < 0) line.need(!isOnBoard(entry), "start number", "html.allowed_player");
    else if (isOnBoard(entry)) entries.set(player, entry);
    else if (result) kept(kept(letters, team, () => new Map()), result, () => entry);
  }
  const waiting = [...awaited.values()].filter(({ round, player, opponent }) => {
    const back = rounds[round - 1].entries.get(opponent); // a result there is enough
    return !back || back.opponent !== player || !isPlayedOn(back);
  }).sort((one, other) => one.round - other.round || one.player - other.player);
  for (const { round, team, rival } of waiting) {
    for (const one of [team, rival]) if (one >= 0) rounds[round - 1].unsure.add(one);
  }
  const begun = 1 + rounds.findLastIndex(({ entries, unsure }) => [...entries.values()].some(
    (entry) => !isAlone(entry) && !unsure.has(entry.team)));
  const alone = stars.filter(({ round, team }) => team >= 0
    && !rounds[round - 1].letters.has(team) && !rounds[round - 1].of(team).length);
  const unfinished = Math.min(LIMITS.rounds + 1,
    ...[...waiting, ...alone].map(({ round }) => round).filter((round) => round > begun));
  for (const entry of waiting.filter(({ round, player }) => round < unfinished && player >= 0)) {
    const { round, team, rival, line } = entry;
    line.need(rounds[round - 1].meet(team, rival), entryField("opponent", round),
      "html.allowed_rival");
    rounds[round - 1].open.set(Math.min(team, rival), { round, a: team, b: rival });
  }
  for (const { entries, unsure } of rounds) {
    for (const [player, { team }] of entries) if (unsure.has(team)) entries.delete(player);
  }
  return { rounds: rounds.slice(0, unfinished - 1), later: rounds.slice(unfinished - 1) };
}

/** Leave out results against nobody after the last game: they make no round. */
function leaveOutStray(records, rounds, planned) {
  const isRound = ({ number, entries }) => [...entries.values()].some((entry) =>
    entry.opponent !== null || (halfOf(entry) && number <= (planned || LIMITS.rounds)));
  const told = records("330").map((line) => line.text("round")).filter((r) => /^[0-9]+$/.test(r));
  const last = Math.max(0, ...told.map(Number), ...rounds.filter(isRound).map((r) => r.number));
  for (const { entries } of rounds.filter(({ number }) => number > last)) {
    for (const { line } of entries.values()) line.odd(TRF.stray);
    entries.clear();
  }
}

/** Check that the entries of both players of a board agree; one that is missing is made. */
function pairEntries(round) {
  const { entries } = round;
  const named = new Set();
  for (const [player, entry] of byKey(entries)) {
    if (isAlone(entry)) continue;
    const { opponent, team, rival, line } = entry;
    const turned = { player: opponent, team: rival, opponent: player, rival: team };
    const field = entryField("opponent", round.number);
    line.need(round.meet(team, rival), field, "html.allowed_rival");
    let back = entries.get(opponent);
    if (!back && isPlayedOn(entry)) {
      line.odd("a game that only one of its players has counts for both");
      back = { ...entry, ...turned, result: "1=0"[halfOf(entry)] };
    } else if (!back || (isAlone(back) && !isPlayedOn(entry) && !isPlayedOn(back))) {
      back = { ...back ?? { ...entry, result: "-" }, ...turned };
      named.add(opponent);
    }
    entries.set(opponent, back);
    if (named.has(opponent) && !isPlayedOn(entry) && back.opponent !== player) {
      entries.set(player, { ...entry, opponent: null });
      continue;
    }
    line.need(back.opponent === player, field, "html.allowed_back");
    const isPossible = ["2-0", "1-1", "0-2", "0-0"].includes(`${halfOf(entry)}-${halfOf(back)}`);
    line.need(isPlayedOn(entry) === isPlayedOn(back) && isPossible,
      entryField("result", round.number), "html.allowed_fitting", { line: back.line.line });
  }
}

/** Read the forfeited matches of records 330 into finished rounds, by the lower of both teams. */
function readForfeits(records, teams, rounds) {
  const points = new Map(TRF.forfeits);
  for (const line of records("330")) {
    const given = points.get(line.text("type")) ?? line.refuseAll("type", points.keys());
    const number = line.integer("round", 1, LIMITS.rounds);
    const [white, black] = ["white", "black"].map((side) => line.team(side, teams));
    const [round, lower] = [rounds[number - 1], Math.min(white, black)];
    line.need(!round || (round.meet(white, black) && !round.forfeits.has(lower)), "white",
      "html.allowed_free", { round: number });
    const [own, other] = lower === white ? given : [...given].reverse();
    round?.open.delete(lower);
    round?.forfeits.set(lower, { line, own, other });
  }
}

// A member who rested looks like one who lost by default (`0000 - -`): the entries are boards if
// there are boards for all of them in the team, or if record 300 has them.

/** Decide which entries are boards, and return how many boards a match has. */
function decideResting(file, records, rounds, { numbers, players }, notes) {
  const [listed, fielded] = [new Set(), [0]];
  for (const line of records("300")) {
    const number = line.integer("round", 1, LIMITS.rounds);
    for (const [, start, k] of line.listed()) {
      fielded.push(k + 1);
      listed.add(rounds[number - 1]?.entries.get(numbers.get(start)));
    }
  }
  const most = Math.max(0, ...rounds.flatMap((round) =>
    [...round.rivals.keys()].map((team) => round.seats(team))));
  const colours = records("352").map((line) => line.cut(5).toUpperCase())
    .filter((text) => /^[WB]{1,12}$/.test(text)).at(-1)?.length ?? 0;
  if (colours && most > colours) {
    notes.add(`a match has ${most} boards, record 352 has ${colours} colours: the boards count`);
  }
  const boards = colours && most <= colours ? colours
    : Math.min(Math.max(most, ...fielded), LIMITS.boards);
  if (Math.max(most, ...fielded) > boards) refuse("html.too_many_boards", { file, boards });
  checkPoints001(rounds, players, boards, listed);
  for (const round of rounds) {
    for (const team of new Set([...round.entries.values()].map((entry) => entry.team))) {
      const idle = round.of(team).filter((entry) => isIdle(entry) && !listed.has(entry));
      const seated = round.of(team).filter((entry) => !isIdle(entry)).length;
      const free = round.rivals.has(team) ? boards - seated : LIMITS.boards;
      for (const { line, player } of idle.length > free ? idle : []) {
        line.odd(TRF.rested);
        round.entries.delete(player);
      }
    }
  }
  return boards;
}

const isIdle = (entry) => isAlone(entry) && !halfOf(entry);

/** Refuse a file in which only the points field of a player tells of a board won by default. */
function checkPoints001(rounds, players, boards, listed) {
  const [first, width] = TRF.entries;
  players.forEach(({ line }, player) => {
    const letters = [...line.content.slice(first + 6)].filter((_, k) => k % width === 0);
    const own = sum(letters.map((letter) => halfOf({ result: letter.toUpperCase() })));
    if (halfPointsOf(line.text("points")) !== own + 2) return;
    const isLacking = rounds.some((round) => {
      const entry = round.entries.get(player);
      if (entry?.result !== "-") return false;
      return !isAlone(entry) ? round.entries.get(entry.opponent).result === "-"
        : round.rivals.has(entry.team) && !listed.has(entry) && round.seats(entry.team) < boards;
    });
    if (isLacking) line.refuse("points", "html.allowed_points");
  });
}

/** Refuse line-ups of records 300 that contradict the entries of the players. */
function checkLineUps(records, rounds, { teams, numbers }) {
  const seen = new Set();
  for (const line of records("300")) {
    const [number, team] = [line.integer("round", 1, LIMITS.rounds), line.team("team", teams)];
    const round = rounds[number - 1];
    if (!round || round.unsure.has(team)) continue;
    line.once(seen, `${number} ${team}`, "team");
    line.need(!line.integer("opponent", 0, 999, 0) || round.meet(team, line.team("opponent", teams)),
      "opponent", "html.allowed_free", { round: number });
    const present = new Set(round.of(team).map(({ player }) => player));
    const wrong = [...line.listed()].find(([, start, k]) =>
      !present.delete(numbers.get(start)) || k >= LIMITS.boards);
    if (wrong) line.refuse(wrong[0], "html.allowed_line_up");
  }
}

/** The matches of a round, the team with the lower number first, and whether any has a game. */
function trfMatches(round, boards) {
  const { number, rivals, letters, forfeits, open } = round;
  const isOne = ([team, other]) => team < other && !open.has(team);
  return byKey(rivals).filter(isOne).map(([team, other]) => {
    const found = [team, other].flatMap((one) => [...letters.get(one)?.values() ?? []]);
    const wrong = found.find(({ result }) => result !== "Z");
    wrong?.line.refuseAll(entryField("result", number), "+-Z");
    const sides = [round.of(team), round.of(other)];
    let half = sides.map((side) => sum(side.map(halfOf)));
    let forfeited = sides.flat().filter(({ result }) => result === "+").length;
    let decided = forfeited + sides[0].filter(isPlayedOn).length;
    let hasGames = sides.flat().length > 0;
    const { line, own, other: theirs } = forfeits.get(team) ?? {};
    // Where the games say otherwise they count: FIDE's own sample has such a record.
    if (line && half[0] + half[1] === 0 && decided === forfeited) {
      half = [boards * own, boards * theirs];
      decided = forfeited = own || theirs ? boards : 0;
      hasGames &&= !decided;
    }
    const [halfA, halfB] = half;
    return newMatch(number, team, other, { halfA, halfB, decided, forfeited, hasGames });
  });
}

/** A bye; one that the pairing gave and no record pays is paid as `payment` says. */
function byeMatch(round, team, bye, payment, given = [null, null]) {
  const isUnpaid = bye === "pairing" && payment.bye && given.every((points) => points === null);
  const [mp, half] = isUnpaid ? payment.bye : given;
  const halfA = half ?? KNOWN.byes[bye] * payment.boards;
  return newMatch(round, team, null, { bye, halfA, recorded: [mp, null] });
}

/** The byes: those of records 320 and 240, those `missing`, else the best entry of the players. */
function trfByes(records, teams, rounds, payment, missing) {
  const taken = rounds.map(({ number }) => new Map(missing.filter(([round]) => round === number)
    .map(([, team]) => [team, byeMatch(number, team, "pairing", payment)])));
  const take = (line, field, round, bye, points) => {
    const [team, found] = [line.team(field, teams), taken[round - 1]];
    const isFree = !found?.has(team) && !rounds[round - 1]?.rivals.has(team);
    line.need(isFree, field, "html.allowed_free", { round });
    found?.set(team, byeMatch(round, team, bye, payment, points));
  };
  for (const line of records("320")) {
    const points = line.points(Math.max(STANDARD[0], payment.scoring[0]), LIMITS.boards);
    if (points[1] > 2 * payment.boards) {
      line.odd(`a bye is worth more game points than the ${payment.boards} boards of a match`);
    }
    for (const [field, , k] of [...line.listed(999)]) {
      line.need(k < LIMITS.rounds, field, "html.allowed_nothing");
      take(line, field, k + 1, "pairing", points);
    }
  }
  for (const line of records("240")) {
    const bye = BYES.get(line.text("type").toUpperCase());
    if (!bye || bye === "pairing") line.refuseAll("type", "FHZ");
    const number = line.integer("round", 1, LIMITS.rounds);
    for (const [field] of line.listed()) take(line, field, number, bye);
  }
  return rounds.flatMap((round, k) =>
    [...new Map([...playerByes(round, payment), ...taken[k]]).values()]);
}

/** Byes that appear only in entries of players, `[team, bye]`: the best entry of a team counts. */
function playerByes(round, payment) {
  const { number, entries, letters, rivals } = round;
  const teams = new Set([...[...entries.values()].map(({ team }) => team), ...letters.keys()]);
  return [...teams].filter((team) => !rivals.has(team)).map((team) => {
    const won = round.of(team).map(halfOf);
    const byes = [...[...letters.get(team)?.keys() ?? []].map((letter) => BYES.get(letter)),
      ...won.map((half) => (half ? "default" : "zero"))];
    const bye = TRF.bestFirst.find((kind) => byes.includes(kind));
    const half = bye === "default" ? Math.min(sum(won), 2 * payment.boards) : null;
    return [team, byeMatch(number, team, bye, payment, [null, half])];
  });
}

/** Byes that no record tells of, in a field of odd size: `[round, team]`. */
function missingByes(rounds, { names }) {
  const last = new Map(rounds.flatMap(({ number, rivals }) =>
    [...rivals.keys()].map((team) => [team, number])));
  return rounds.flatMap((round) => {
    const { number, rivals, letters } = round;
    const alone = rangeOf(names.length).filter((team) => !rivals.has(team));
    const [team, other] = alone.length === 1 ? alone : alone.filter((one) => last.get(one) > number);
    const isBye = team !== undefined && other === undefined && !letters.has(team);
    return isBye && !round.of(team).some(halfOf) ? [[number, team]] : [];
  });
}

/** Match points and half points that the file gives, by team; of record 310, else of 802. */
const totalsGiven = (records, teams) =>
  new Map([...records("802"), ...records("310")].flatMap((line) => {
    const words = line.kind === "310" ? [line.text("match points"), line.text("game points")]
      : (line.text("totals").match(WORD) ?? []).filter((word) => /[.,]/.test(word));
    const [mp, half] = [0, 1].map((k) => halfPointsOf(words[k] ?? ""));
    const isTold = mp !== null || half !== null;
    return isTold ? [[teams.get(Number(line.text("team number"))), [mp && mp / 2, half]]] : [];
  }));

/** Refuse a file whose points say otherwise of byes of which no record says what they pay. */
function checkPaidByes(file, event, given, isUnpaid) {
  const { ownMp, ownHalf } = eventRecord(event);
  for (const { round, a } of event.matches.filter(isUnpaid)) {
    const [mp, half] = given.get(a) ?? [null, null];
    const fits = (mp ?? ownMp[a]) === ownMp[a] && (half ?? ownHalf[a]) === ownHalf[a];
    if (!fits) refuse("html.bye_unclear", { file, team: plain(event.teams[a]), round });
  }
}

/** The type that record 299 gives the result of one side (0 or 1) of a match. */
function resultType(match, side) {
  if (match.b === null) return TRF.typeOfBye[match.bye];
  const [own, other] = side ? [match.halfB, match.halfA] : [match.halfA, match.halfB];
  const isByDefault = match.forfeited === match.decided;
  if (isByDefault && own !== other) return own > other ? "+" : "-";
  return isByDefault && !own ? "-" : "LDW"[usualPoints(match)[side]];
}

/** Apply records 299 to the matches; the penalties of those without a type. */
function abnormalPoints(records, teams, matches, rounds, payment) {
  const sides = matches.flatMap((match) => [match.a, match.b].flatMap((team, side) =>
    (team === null ? [] : [{ match, side, team, type: resultType(match, side), given: null }])));
  const [penalties, seen] = [[], new Set()];
  for (const line of records("299")) {
    const kind = line.text("type").toUpperCase();
    if (!TRF.types.includes(kind)) line.refuseAll("type", TRF.types);
    const given = kind ? line.points(Math.max(STANDARD[0], payment.scoring[0]), payment.boards)
      : line.points(LIMITS.penalty, LIMITS.penalty, -LIMITS.penalty);
    const isWhole = !kind && line.text("round") === String(TRF.wholeEvent);
    const round = isWhole ? 0 : line.integer("round", 0, LIMITS.rounds, 0);
    const named = [...line.listed()].map(([field]) => [field, line.team(field, teams)]);
    if (!kind && !named.length) line.refuse("type", "html.allowed_number_of");
    for (const [field, team] of named.length ? named : [["type", null]]) {
      line.once(seen, `${kind} ${round} ${team}`, field);
      if (round > rounds) continue;
      if (!kind) penalties.push({ team, mp: given[0] ?? 0, half: given[1] ?? 0 });
      const isSingle = kind && round > 0 && team !== null;
      const here = sides.filter((side) => kind && (!round || side.match.round === round)
        && (team === null || side.team === team));
      if (isSingle && !here.length) line.refuse(field, "html.allowed_free", { round });
      for (const side of here) if (isSingle || side.type === kind) side.given = given;
    }
  }
  for (const { match, side, given: [mp, half] } of sides.filter((one) => one.given)) {
    match.recorded = matchPoints(match);
    if (mp !== null) match.recorded[side] = mp;
    if (half !== null) match[side ? "halfB" : "halfA"] = half;
  }
  return penalties;
}

/** Half points by symbol, as records 162 or 362 say; those of games must score as usual. */
function pointsSaid(records, kind) {
  const said = new Map();
  for (const line of records(kind)) {
    const [field, text] = [[4, Infinity, "symbols and points"], line.cut(4).toUpperCase()];
    const pairs = [...text.matchAll(PAIR)].map(([, symbol, n]) => [symbol, halfPointsOf(n)]);
    const isRight = ([symbol, half]) => TRF.symbols[kind].includes(symbol) && half !== null
      && (kind === "362" || half === (TRF.games[symbol] ?? half));
    const isWhole = pairs.every(isRight) && !strip(text.replace(PAIR, ""));
    if (!isWhole) line.refuseAll(field, TRF.symbols[kind]);
    for (const [symbol, half] of pairs) said.set(symbol, half);
  }
  return said;
}

/** What matches and byes score: as asked for, else as record 362 says, else 2, 1, 0. */
function trfPayment(records, asked) {
  pointsSaid(records, "162");
  const said = pointsSaid(records, "362");
  const told = TRF.symbols[362].map((symbol, k) => said.get(symbol) ?? 2 * STANDARD[k]);
  const scoring = fallingPoints(told)
    ?? records("362")[0].refuse([5, Infinity, "match points"], "html.allowed_falling");
  return { scoring: asked.scoring ?? scoring, bye: asked.bye, boards: 0 };
}

/** Name, dates and kind of an event, its list of tie-breaks, how many rounds it is to have. */
function trfAbout(records, file) {
  const textsOf = (kind) => records(kind).map((line) => line.cut(5)).filter(Boolean).join(", ");
  const textOf = (kind) => shortened(textsOf(kind), LIMITS.name);
  const dateOf = (kind) => writtenDate(textOf(kind)) || textOf(kind);
  const [declared] = /ROUND.?ROBIN/.exec(textsOf("192").toUpperCase()) ?? [""];
  const planned = TRF.rounds.flatMap(records).map((line) => line.cut(4))
    .filter((text) => /^[0-9]{1,2}$/.test(text) && text <= LIMITS.rounds).map(Number);
  return {
    name: textOf("012") || stemOf(file), listed: TRF.orders.map(textsOf).find(Boolean),
    planned: Math.max(0, ...planned),
    about: { start: dateOf("042"), end: dateOf("052"), type: textOf("092") || declared },
  };
}

/** Name the byes that no record tells of. */
function sayByes(byes, names, { bye, scoring, boards }, notes) {
  const [mp, half] = bye ?? [scoring[1], boards];
  if (!byes.length) return;
  notes.add("no record of byes: teams without a match had the pairing bye, "
    + `${mp} MP and ${half / 2} GP: ${byes.length}, ${byes.slice(0, 7).map(([round, team]) =>
      `round ${round} ${shortened(names[team], 40)}`).join(", ")}`);
}

/** An event from a Tournament Report File. */
function readTrf({ name: file, bytes }, asked) {
  const notes = new Notes();
  const records = trfRecords(file, decoded(bytes), notes);
  const isTeams = records("310").length || records("013").length
    || records("092").some((line) => line.cut(5).toLowerCase().includes("team"));
  if (records("001").length && !isTeams) refuse("html.individual", { file });
  const [about, payment] = [trfAbout(records, file), trfPayment(records, asked)];
  const entrants = trfEntrants(file, records);
  const { names, teams } = entrants;
  const { rounds, later } = trfRounds(trfEntries(records, entrants));
  leaveOutStray(records, rounds, about.planned);
  rounds.forEach(pairEntries);
  sayUnfinished(notes, rounds.length + 1);
  readForfeits(records, teams, rounds);
  const boards = payment.boards = decideResting(file, records, rounds, entrants, notes);
  checkLineUps(records, rounds, entrants);
  const isTold = records("320").length + records("240").length > 0
    || [...rounds, ...later].some(({ letters }) => letters.size);
  rounds.length = 1 + rounds.findLastIndex(({ entries, forfeits }) => entries.size + forfeits.size);
  const matches = rounds.flatMap((round) => trfMatches(round, boards));
  if (!matches.some(({ hasGames }) => hasGames)) refuse("html.undecided", { file });
  const missing = isTold ? [] : missingByes(rounds, entrants);
  matches.push(...trfByes(records, teams, rounds, payment, missing));
  withScoring(matches, payment.scoring);
  const penalties = abnormalPoints(records, teams, matches, rounds.length, payment);
  const open = rounds.flatMap((round) => [...round.open.values()]);
  sayOpen(notes, open);
  const event = {
    ...about, open, teams: names, rounds: rounds.length, boards, scoring: payment.scoring, matches,
    penalties, planned: Math.max(rounds.length, about.planned),
  };
  const isUnsaid = !asked.bye && !records("320").length;
  const totals = totalsGiven(records, teams); // which may have boards of an open match
  for (const { unsure } of rounds) for (const team of unsure) totals.delete(team);
  checkPaidByes(file, event, totals, ({ round, a, bye }) => bye === "pairing"
    && (isUnsaid || missing.some(([r, team]) => r === round && team === a)));
  sayByes(missing, names, payment, notes);
  return { ...event, notes: notes.lines };
}
