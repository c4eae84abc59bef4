// This part reads the event of a Tournament Report File, as version 1 of the program did.

/** The number of board colours of record 352; 0 without one. */
function trfColours(records) {
  let found = 0;
  for (const line of records("352")) {
    const colours = line.text([5]);
    if (new RegExp(`^[WB]{1,${LIMITS.boards}}$`, "i").test(colours)) found = colours.length;
    else line.odd("board colours that are none are left out");
  }
  return found;
}

/** Note the texts about the event that the program cuts; ranking does not need them. */
function noteLongTexts(records, notes) {
  for (const kind of TRF.about) {
    const text = records(kind).map((line) => line.text([5])).filter(Boolean).join(", ");
    if ([...text].length > LIMITS.name) {
      notes.odd(`record ${kind} is cut to ${LIMITS.name} characters`, records(kind)[0].line);
    }
  }
}

/** Check the number of planned rounds, which ranking does not need. */
function checkPlanned(records, notes) {
  const field = [4, undefined, "rounds"];
  const assumed = `a number of rounds that is not 1..${LIMITS.rounds} is left out`;
  for (const line of TRF.rounds.flatMap((kind) => records(kind))) {
    if (notes.strict) line.integer(field, 1, LIMITS.rounds);
    else line.needless(field, LIMITS.rounds, assumed);
  }
}

/** Records 300: the round, the team, the known players, how many boards there are. */
const trfListed = (lines, teams, numbers) => lines.map((line) => {
  const starts = [...line.listed(TRF.lists[300])].map(([, start]) => start);
  return {
    round: line.integer(AT[300].round, 1, LIMITS.rounds), boards: starts.length,
    team: teams.get(line.integer(AT[300].team, 0, 999, 0)),
    players: starts.filter((start) => numbers.has(start)).map((start) => numbers.get(start)),
  };
});

/** One note on the records 299 that pay every result of a type, whoever's and in any round. */
function sayPayments(lines, notes, individual) {
  const found = new Map();
  const { type, round, "match points": mp, "game points": gp } = AT[299];
  for (const line of lines) {
    const isOfAll = [line.text(round), line.text([TRF.lists[299][0]])].every((text) =>
      /^[0 ]*$/.test(text));
    if (!line.text(type) || !isOfAll) continue;
    const points = (individual ? [[gp, ""]] : [[mp, " MP"], [gp, " GP"]])
      .filter(([field]) => line.text(field)).map(([field, unit]) => ` ${line.text(field)}${unit}`);
    kept(found, line.text(type).toUpperCase() + points.join(""), () => line);
  }
  if (!found.size) return;
  const about = "record 299 without a round and teams pays every result of its type";
  notes.say(`${about}: ${[...found.keys()].join(", ")}`, [...found.values()][0].line);
}

/** The event of a Tournament Report File, `{name, bytes}`. */
function readTrf({ name: file, bytes }, asked = readingOf()) {
  const notes = new Notes(file, asked.strict);
  const records = trfRecords(file, decoded(bytes), notes);
  putInPlace(records, notes);
  const individual = asked.individual || isIndividual(records);
  for (const kind of individual ? TRF.teams : []) records(kind).length = 0;
  const payment = (individual ? gamePayment : matchPayment)(records, asked, notes);
  const { scoring } = payment;
  noteLongTexts(records, notes);
  const squads = (individual ? playersAsSquads : trfSquads)(file, records);
  const names = squads.map(({ name }) => name);
  const teams = new Map(squads.map(({ number }, index) => [number, index]));
  const [players, numbers] = trfPlayers(records, squads, notes);
  checkPlanned(records, notes);
  sayPayments(records("299"), notes, individual);
  const [rounds, hasLetters] = trfDraw(records("001"), players, numbers, notes);
  notes.unfinished(rounds.length + 1);
  const isFinished = rounds.length === LIMITS.rounds;
  trfForfeits(records, teams, rounds);
  const lines = new Map(players.map(({ line }, number) => [number, line])
    .sort(([, a], [, b]) => a.line - b.line));
  const colours = trfColours(records);
  const lineUps = trfListed(records("300"), teams, numbers);
  const known = settle(rounds, lines, names, colours, lineUps, notes, individual) === colours
    ? colours : 0;
  trfLineUps(records("300"), teams, numbers, rounds);
  rounds.length = 1 + rounds.findLastIndex(({ entries, forfeits }) => entries.size + forfeits.size);
  for (const round of rounds) trfSeats(round, known || LIMITS.boards);
  const games = rounds.flatMap(({ seats }) => [...seats.values()].flat());
  if (!games.length) refuse("html.undecided", { file });
  const boards = known || Math.max(...games.map(([board]) => board));
  const told = records("320").length + records("240").length > 0 || hasLetters;
  payment.boards = boards;
  trfByes(records, teams, names, rounds, payment);
  const seated = games.flatMap((game) => game.slice(1)).filter(Boolean);
  const ratings =
    ratingsOf(names.length, new Set(seated.map(({ player }) => players[player])), boards);
  const start = dateOf(records("042").map((line) => line.text([5])).filter(Boolean).join(", "));
  const listed = TRF.orders.map((kind) => records(kind).map((line) => line.text([5])).join(","))
    .find(Boolean);
  const withByes = (byes) => {
    const matches = trfPlayed(rounds, byes, payment);
    const penalties = abnormalPoints(records, teams, matches, rounds.length, payment);
    return {
      teams: names, rounds: rounds.length, boards, matches, scoring, penalties, ratings, individual,
      start, listed,
    };
  };
  let { byes, others } = missingByes(rounds, told, names);
  let event = withByes(byes);
  const given = individual ? pointsGiven(lines) : totalsGiven(records, teams);
  const denied = unpaidByes(event, given, byes);
  if (denied.length) {
    byes = byes.filter((bye) => !denied.includes(bye));
    others = [...others, ...denied].sort(([r, a], [q, b]) => r - q || a - b);
    event = withByes(byes);
  }
  sayByes(byes, others, names, payment, notes);
  if (isFinished) comparePoints(event, given, seated, lines, players, asked.trust);
  return { ...event, notes: notes.lines };
}
