// This part reads the event of a Tournament Report File, as `trf_read.py` does.

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
      notes.say(`record ${kind} is cut to ${LIMITS.name} characters`, records(kind)[0].line);
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

/** Rounds and players of the line-ups in records 300. */
function trfListed(lines, numbers) {
  const found = new Set();
  for (const line of lines) {
    for (const [, start] of line.listed(TRF.lists[300])) {
      if (!numbers.has(start)) continue;
      found.add(`${line.integer(AT[300].round, 1, LIMITS.rounds)} ${numbers.get(start)}`);
    }
  }
  return found;
}

/** The event of a Tournament Report File, `{name, bytes}`. */
function readTrf({ name: file, bytes }, asked = readingOf()) {
  const notes = new Notes(file, asked.strict);
  const records = trfRecords(file, decoded(bytes), notes);
  putInPlace(records, notes);
  const scoring = trfScoring(records, asked.scoring, notes);
  noteLongTexts(records, notes);
  const squads = trfSquads(file, records);
  const names = squads.map(({ name }) => name);
  const teams = new Map(squads.map(({ number }, index) => [number, index]));
  const [players, numbers] = trfPlayers(records, squads, notes);
  checkPlanned(records, notes);
  const [rounds, hasLetters] = trfDraw(records("001"), players, numbers, notes);
  notes.unfinished(rounds.length + 1);
  const isFinished = rounds.length === LIMITS.rounds;
  trfForfeits(records, teams, rounds);
  const lines = new Map(players.map(({ line }, number) => [number, line])
    .sort(([, a], [, b]) => a.line - b.line));
  const colours = trfColours(records);
  const listed = trfListed(records("300"), numbers);
  const known = settle(rounds, lines, names, colours, listed, notes) === colours ? colours : 0;
  trfLineUps(records("300"), teams, numbers, rounds);
  rounds.length = 1 + rounds.findLastIndex(({ entries, forfeits }) => entries.size + forfeits.size);
  for (const round of rounds) trfSeats(round, known || LIMITS.boards);
  const games = rounds.flatMap(({ seats }) => [...seats.values()].flat());
  if (!games.length) refuse("html.undecided", { file });
  const boards = known || Math.max(...games.map(([board]) => board));
  const told = records("320").length + records("240").length > 0 || hasLetters;
  const payment = { boards, scoring, bye: asked.bye };
  missingByes(rounds, told, names, payment, notes);
  trfByes(records, teams, rounds, payment);
  const matches = withScoring(rounds.flatMap((round) =>
    [...trfMatches(round, boards), ...round.byes.values()]), scoring);
  const penalties = abnormalPoints(records, teams, matches, rounds.length, boards, scoring);
  const seated = games.flatMap((game) => game.slice(1)).filter(Boolean);
  const event = {
    teams: names, rounds: rounds.length, boards, matches, scoring, penalties,
    ratings: ratingsOf(names.length, new Set(seated.map(({ player }) => players[player])), boards),
  };
  if (!notes.strict && isFinished) {
    comparePoints(records, event, seated, lines, players, teams, asked.trust);
  }
  return { ...event, notes: notes.lines };
}
