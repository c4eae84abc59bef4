// This part adds the points in a Tournament Report File that its boards do not have: byes, points of
// results and penalties of records 299, totals that differ.

/** A bye; one that the pairing gave and no record pays is paid as `payment` says. */
function byeMatch(round, team, bye, payment, mp = null, half = null) {
  const unpaid = bye === "pairing" && mp === null && half === null && payment.bye;
  const [points, found] = unpaid ? payment.bye : [mp, half];
  return newMatch(round, team, null, {
    bye, halfA: found ?? KNOWN.byes[bye] * payment.boards, recorded: [points, null],
  });
}

/** Read the byes into the rounds: records 320 and 240, else the best entry of the players. */
function trfByes(records, teams, names, rounds, payment) {
  const most = Math.max(STANDARD[0], payment.scoring[0]);
  const taken = new Map();
  const pays = (bye) => String(matchPoints(withScoring([{ ...bye }], payment.scoring)[0]))
    + ` ${bye.halfA}`;
  const take = (line, field, number, bye, mp, half) => {
    const team = line.team(field, teams);
    const round = rounds[number - 1];
    if (!round) return;
    const busy = () => line.refuse(field, "html.allowed_free", { round: number });
    if (round.rivals.has(team)) busy();
    const one = byeMatch(number, team, bye, payment, mp, half);
    const other = kept(taken, `${number} ${team}`, () => one);
    if (other === one) {
      round.byes.set(team, one);
    } else if (other.bye !== "pairing" || bye === "pairing" || pays(one) !== pays(other)) {
      busy();
    } else {
      line.notes.odd("a bye in records 320 and 240 that pays the same is one bye", line.line,
        ["team", `${names[team]} in round ${number}`]);
    }
  };
  for (const round of rounds) {
    for (const bye of playerByes(round, payment)) round.byes.set(bye.a, bye);
  }
  for (const line of records("320")) {
    const mp = line.matchPoints(AT[320]["match points"], most);
    const half = line.halfPoints(AT[320]["game points"], LIMITS.boards, 0, null);
    if (half > 2 * payment.boards) {
      line.odd(`a bye is worth more game points than the ${payment.boards} boards of a match`);
    }
    let number = 0;
    for (const [field, team] of line.listed(TRF.lists[320], 999)) {
      number += 1;
      if (team && number > LIMITS.rounds) line.refuseRound(field);
      if (team) take(line, field, number, "pairing", mp, half);
    }
  }
  for (const line of records("240")) {
    const letter = line.text(AT[240].type).toUpperCase();
    const bye = BYES.get(line.choice(AT[240].type, ["F", "H", "Z"], "", letter));
    const number = line.integer(AT[240].round, 1, LIMITS.rounds);
    for (const [field, team] of line.listed(TRF.lists[240])) {
      if (team) take(line, field, number, bye);
    }
  }
}

/** Byes that appear only in entries of players: the best entry of a team counts. */
function playerByes({ number, teams, entries, letters, rivals }, payment) {
  const [kinds, won] = [new Map(), new Map()];
  const add = (team, bye) => kept(kinds, team, () => []).push(bye);
  for (const [player, { half }] of entries) {
    add(teams[player], half ? "default" : "zero");
    won.set(teams[player], (won.get(teams[player]) ?? 0) + half);
  }
  for (const [team, found] of letters) for (const one of found.keys()) add(team, BYES.get(one));
  return [...kinds].filter(([team]) => !rivals.has(team)).map(([team, byes]) => {
    const bye = TRF.bestFirst.find((kind) => byes.includes(kind));
    const half = bye === "default" ? Math.min(won.get(team), 2 * payment.boards) : null;
    return byeMatch(number, team, bye, payment, null, half);
  });
}

/** All matches and byes of the rounds; with those `byes`, `[round, team]`, that no record tells. */
function trfPlayed(rounds, byes, payment) {
  return withScoring(rounds.flatMap((round) => {
    const here = byes.filter(([number]) => number === round.number).map(([number, team]) =>
      [team, byeMatch(number, team, "pairing", payment)]);
    const all = new Map([...round.byes, ...here]);
    return [...trfMatches(round, payment.boards), ...[...all.values()].map((bye) => ({ ...bye }))];
  }), payment.scoring);
}

/** Those of the byes that the points in the file deny: they are those of the other results. */
function unpaidByes(event, given, byes) {
  const { ownMp, ownHalf } = eventRecord(event);
  const denied = new Set([...new Set(byes.map(([, team]) => team))].filter((team) => {
    const own = byes.filter(([, one]) => one === team).map(([round]) => event.matches.find(
      (match) => match.round === round && match.a === team));
    const paid = [sum(own.map((bye) => matchPoints(bye)[0])), sum(own.map(({ halfA }) => halfA))];
    const others = [ownMp[team] - paid[0], ownHalf[team] - paid[1]];
    const points = given.get(team)?.points ?? [null, null];
    return sum(paid) > 0 && points.some((one) => one !== null)
      && points.every((one, k) => one === null || one === others[k]);
  }));
  return byes.filter(([, team]) => denied.has(team));
}

/** The type that record 299 gives the result of one side (0 or 1) of a match. */
function resultType(match, side) {
  if (match.b === null) return TRF.typeOfBye[match.bye];
  const [own, other] = side ? [match.halfB, match.halfA] : [match.halfA, match.halfB];
  const byDefault = match.forfeited === match.decided;
  if (byDefault && own !== other) return own > other ? "+" : "-";
  if (byDefault && !own) return "-";
  return "LDW"[usualPoints(match)[side]];
}

/** Match points and half points, round, and the teams with their fields of a record 299. */
function trfGiven(line, kind, teams, { boards, scoring, individual }) {
  const field = AT[299];
  const low = kind ? 0 : -LIMITS.penalty;
  const most = kind ? Math.max(STANDARD[0], scoring[0]) : LIMITS.penalty;
  let mp = individual ? null : line.matchPoints(field["match points"], most, low);
  const highest = kind && !individual ? boards : most;
  const [first, last, title] = field["game points"];
  const cells = [first, last, individual ? "points" : title];
  let half = line.halfPoints(cells, highest, low, individual ? undefined : null);
  if (individual) [mp, half] = kind ? playerPoints(half) : [half, half];
  const isWhole = !kind && line.text(field.round) === String(TRF.wholeEvent);
  const round = isWhole ? 0 : line.integer(field.round, 0, LIMITS.rounds, 0);
  const named = [];
  for (const [cell, number] of line.listed(TRF.lists[299])) {
    if (number) named.push([cell, line.team(cell, teams)]);
  }
  return { mp, half, round, named };
}

/** Apply records 299 to the matches; the penalties of those without a type. */
function abnormalPoints(records, teams, matches, rounds, payment) {
  const sides = matches.flatMap((match) => [match.a, match.b].flatMap((team, side) =>
    (team === null ? [] : [{ match, side, team, type: resultType(match, side), given: null }])));
  const [penalties, seen] = [[], new Set()];
  for (const line of records("299")) {
    const letter = line.text(AT[299].type).toUpperCase();
    const kind = line.choice(AT[299].type, ["", ...TRF.types], "", letter);
    const { mp, half, round, named } = trfGiven(line, kind, teams, payment);
    const [first, width, title] = TRF.lists[299];
    const none = [[first, first + width - 1, title], null];
    if (!kind && !named.length) {
      line.refuse([first, undefined, "team numbers"], "html.allowed_number_of");
    }
    for (const [field, team] of named.length ? named : [none]) {
      claim(seen, `${kind} ${round} ${team}`, () => line.refuse(field, "html.allowed_once"));
      if (round > rounds) continue;
      if (!kind) {
        penalties.push({ team, mp: mp ?? 0, half: half ?? 0 });
        continue;
      }
      const one = round > 0 && team !== null;
      const here = sides.filter((side) => (!round || side.match.round === round)
        && (team === null || side.team === team));
      if (one && !here.length) line.refuse(field, "html.allowed_once");
      for (const side of here) if (one || side.type === kind) side.given = [mp, half];
    }
  }
  for (const { match, side, given } of sides.filter((one) => one.given)) {
    const [mp, half] = given;
    match.recorded = matchPoints(match);
    if (mp !== null) match.recorded[side] = mp;
    if (half !== null) match[side ? "halfB" : "halfA"] = half;
  }
  return penalties;
}

/** Say which of both count: points in a field, or those of the results. */
function noteDiffers({ notes, line }, whose, word, name, said, own, trusted) {
  const whom = [word, `${shortened(name, 40)} with ${said} instead of ${own}`];
  if (trusted) notes.say(`${whose} count, though the results give others`, line, whom);
  else notes.odd(`${whose} differ from those of the results, which count`, line, whom);
}

/** The points fields of players, as totals are given. */
const pointsGiven = (lines) => new Map([...lines].map(([player, line]) =>
  [player, { line, kind: "001", points: [null, halfPointsOf(line.text(AT["001"].points))] }]));

/** What teams or players have more as `given` than by the results; names every difference. */
function moreGiven(event, given, trust) {
  const { ownMp, ownHalf } = eventRecord(event);
  const [word, ...kinds] = event.individual ? ["player", null, ["points", 2, ownMp]]
    : ["team", ["MP", 1, ownMp], ["GP", 2, ownHalf]];
  const found = event.teams.map(() => [0, 0]);
  for (const [one, { line, points, kind }] of byKey(given)) {
    points.forEach((said, k) => {
      if (said === null) return;
      const [what, unit, { [one]: total }] = kinds[k];
      if (said === total) return;
      found[one][k] = said - total;
      noteDiffers(line, `${what} in record ${kind}`, word, event.teams[one], said / unit,
        total / unit, trust);
    });
  }
  return found;
}

/**
 * Name every difference between points as `given` in the file and those that follow from its
 * results. Where the file's are trusted they join the penalties: of players, totals of teams, or
 * what members of teams have more if the file has no totals.
 */
function comparePoints(event, given, seated, lines, players, trust) {
  const found = moreGiven(event, given, trust);
  const scored = new Map();
  for (const { player, half } of seated) scored.set(player, (scored.get(player) ?? 0) + half);
  for (const [player, line] of event.individual ? [] : lines) {
    const points = halfPointsOf(line.text(AT["001"].points));
    const [own, withByes] = resultsOf(line);
    const isPossible = within(points, own, withByes) || points === (scored.get(player) ?? 0);
    if (points === null || isPossible) continue;
    if (!given.size) found[players[player].team][1] += points - own;
    const name = line.text(AT["001"].name) || "?";
    noteDiffers(line, "points in record 001", "player", name, points / 2, own / 2,
      trust && !given.size);
  }
  if (trust) {
    event.penalties.push(...found.map(([mp, half], team) =>
      ({ team, mp: event.individual ? half : mp, half })));
  }
}

/** Match points and half points that the file gives, by team; of record 310, else of 802. */
function totalsGiven(records, teams) {
  const found = new Map();
  const most = 2 * LIMITS.total;
  const give = (team, line, kind, [mp, half]) => {
    const whole = mp !== null && mp % 2 === 0 && Math.abs(mp) <= most;
    const points = [whole ? mp / 2 : null, Math.abs(half ?? 0) <= most ? half : null];
    found.set(team, { line, kind, points });
  };
  for (const line of records("802")) {
    const words = line.text(AT[802].totals).match(WORD) ?? [];
    const points = words.filter((word) => /[.,]/.test(word)).map(halfPointsOf).slice(0, 2);
    const number = line.text(AT[802]["team number"]);
    const team = isWhole(number) ? teams.get(Number(number)) : undefined;
    if (points.length === 2 && team !== undefined) give(team, line, "802", points);
  }
  const { "team number": number, "match points": mp, "game points": gp } = AT[310];
  for (const line of records("310")) {
    const points = [mp, gp].map((field) => halfPointsOf(line.text(field)));
    const team = teams.get(Number(line.text(number)));
    if (points.some((one) => one !== null)) give(team, line, "310", points);
  }
  return found;
}
