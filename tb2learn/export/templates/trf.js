// This part reads a Tournament Report File (TRF) of a team event, of 2016 or of 2026.
// Fields stand in fixed columns, counted from 1. What is unclear is read on with a note.

const MAX_PLAYERS = 9999;
const ON_BOARD = { 1: 2, W: 2, "=": 1, D: 1, 0: 0, L: 0 };
const BY_DEFAULT = { "+": 2, "-": 0 };
const LETTERS = { F: "full", U: "pairing", H: "half", Z: "zero" };
const FORFEITS = { "+-": [2, 0], "-+": [0, 2], "--": [0, 0] };
const BEST_FIRST = ["default", "full", "pairing", "half", "zero"];

/** What was unclear in a file: one note a kind, with its first line and how often. */
class Notes {
  constructor() {
    this.found = new Map();
  }

  odd(text, line = null) {
    const [first, count] = this.found.get(text) ?? [line, 0];
    this.found.set(text, [first, count + 1]);
  }

  get lines() {
    return [...this.found].map(([text, [line, count]]) => {
      const times = count > 1 ? ` (${count} times)` : "";
      return line === null ? `${text}${times}` : `line ${line}${times}: ${text}`;
    });
  }
}

const unfinishedNote = (round) => `round ${round} is not finished: it and later ones are left out`;

/** A line of the file with its fields. */
class Record {
  constructor(file, number, content) {
    Object.assign(this, { file, number, content });
  }

  text(first, last = undefined) {
    return strip(this.content.slice(first - 1, last));
  }

  refuse(first, last, what, allowed) {
    const field = `columns ${first}-${last} (${what})`;
    refuse("html.field", {
      file: this.file, line: this.number, field, allowed, got: quoted(this.text(first, last)),
    });
  }

  integer(first, last, what, low, high, empty = null) {
    const value = this.text(first, last);
    if (!value && empty !== null) return empty;
    if (!/^[0-9]{1,9}$/.test(value) || Number(value) < low || Number(value) > high) {
      this.refuse(first, last, what, say("html.allowed_number", { low, high }));
    }
    return Number(value);
  }

  halfPoints(first, last, what, most) {
    const value = this.text(first, last);
    if (!value) return null;
    const shape = /^([0-9]{1,3})(?:[.,](0|5)0*)?$/.exec(value);
    const half = shape ? 2 * Number(shape[1]) + (shape[2] === "5" ? 1 : 0) : -1;
    if (half < 0 || half > 2 * most) {
      this.refuse(first, last, what, say("html.allowed_half", { most }));
    }
    return half;
  }

  /** Numbers in fields of a width, with a blank between; `[column, number]`. */
  listed(first, width, what) {
    const found = [];
    for (let column = first; column <= this.content.length; column += width + 1) {
      const number = this.integer(column, column + width - 1, what, 0, 9999, 0);
      if (number) found.push([column, number]);
    }
    return found;
  }
}

function trfRecords(file, text) {
  const records = {};
  text.split(/\r\n|\r|\n/).forEach((content, k) => {
    const kind = content.slice(0, 3);
    (records[kind] ??= []).push(new Record(file, k + 1, content.trimEnd()));
  });
  return (kind) => records[kind] ?? [];
}

/** The teams by the file's numbers: `name`, `index` in start order, `members` (start numbers). */
function trfTeams(file, records, notes) {
  const lines = records("310").length ? records("310") : records("013");
  const of2026 = records("310").length > 0;
  const teams = new Map();
  const names = new Set();
  lines.forEach((line, k) => {
    const number = of2026 ? line.integer(5, 7, "team number", 1, 999) : k + 1;
    const [first, last, members] = of2026 ? [9, 40, 74] : [5, 36, 37];
    const name = line.text(first, last);
    if (!name || names.has(name)) {
      line.refuse(first, last, "team name", say("html.allowed_name", { most: LIMITS.name }));
    }
    if (teams.has(number)) line.refuse(5, 7, "team number", say("html.allowed_once"));
    names.add(name);
    teams.set(number, { name, members: line.listed(members, 4, "start number").map(([, n]) => n) });
  });
  if (teams.size < 2 || teams.size > LIMITS.teams) {
    refuse("html.trf_teams", { file, most: LIMITS.teams, got: teams.size });
  }
  [...teams.keys()].sort((a, b) => a - b).forEach((number, index) => {
    teams.get(number).index = index;
  });
  return teams;
}

/** The team and rating of every player of a team, by start number. */
function trfPlayers(records, teams, notes) {
  const lines = new Map();
  for (const line of records("001")) {
    const start = line.integer(5, 8, "start number", 1, MAX_PLAYERS);
    if (lines.has(start)) line.refuse(5, 8, "start number", say("html.allowed_once"));
    lines.set(start, line);
  }
  const players = new Map();
  for (const { members, index } of teams.values()) {
    for (const start of members) {
      if (!lines.has(start)) {
        notes.odd("a member of a team without a record 001 is left out");
      } else if (!players.has(start)) {
        const rating = Number(/^[0-9]{1,4}$/.exec(lines.get(start).text(49, 52))?.[0] ?? 0);
        players.set(start, { team: index, rating, line: lines.get(start), seen: false });
      }
    }
  }
  const strays = lines.size - players.size;
  if (strays) notes.odd(`players without a team are left out: ${strays}`);
  return players;
}

/** The entries of all players, `{round, start, team, against, half, played, letter}`. */
function trfEntries(players, notes) {
  const entries = [];
  for (const [start, { team, line }] of players) {
    for (let round = 1; round <= LIMITS.rounds; round += 1) {
      const column = 82 + 10 * round;
      const result = line.text(column + 7, column + 7).toUpperCase().replace("\u00bd", "=");
      if (!result && !line.text(column, column + 5)) continue;
      const against = line.integer(column, column + 3, `opponent of round ${round}`, 0,
        MAX_PLAYERS, 0);
      if (against && !players.has(against)) {
        line.refuse(column, column + 3, `opponent of round ${round}`, say("html.allowed_player"));
      }
      const known = against ? { ...ON_BOARD, ...BY_DEFAULT } : { ...BY_DEFAULT, ...LETTERS };
      if (result && !(result in known)) {
        line.refuse(column, column + 7, `result of round ${round}`,
          say("html.allowed_one", { all: Object.keys(known).join(" ") }));
      }
      if (!result && !against) continue;
      entries.push({
        round, start, team, against, line, column, result,
        half: against || result in BY_DEFAULT ? ON_BOARD[result] ?? BY_DEFAULT[result] ?? 0 : 0,
        played: result in ON_BOARD && against > 0,
        letter: !against && result in LETTERS ? LETTERS[result] : "",
      });
    }
    if (line.text(92 + 10 * LIMITS.rounds)) {
      line.refuse(92 + 10 * LIMITS.rounds, line.content.length, "round",
        say("html.allowed_number", { low: 1, high: LIMITS.rounds }));
    }
  }
  return entries;
}

/** The first round with a board of which neither player has a result; later ones are left out. */
function trfUnfinished(entries, at) {
  const open = entries.filter(({ round, start, against, result }) => {
    const back = at.get(`${round} ${against}`);
    return against && !result && !(back && back.against === start && back.played);
  });
  return Math.min(LIMITS.rounds + 1, ...open.map(({ round }) => round));
}

/** Who met whom: the other team by `round team`; refuses a team with two opponents. */
class Draw {
  constructor() {
    this.other = new Map();
  }

  meet(round, team, other, entry) {
    for (const [a, b] of [[team, other], [other, team]]) {
      const known = this.other.get(`${round} ${a}`) ?? b;
      if (a === b || known !== b) {
        entry.line.refuse(entry.column, entry.column + 3, `opponent of round ${round}`,
          say("html.allowed_free", { round }));
      }
      this.other.set(`${round} ${a}`, b);
    }
  }
}

/**
 * The games of all matches: adds the half points of both sides and counts boards, by
 * `round lower higher`. An entry without a game may miss its counterpart.
 */
function trfMatches(entries, at, players, draw, notes) {
  const matches = new Map();
  const done = new Set();
  const matchOf = (round, team, other) => {
    const key = `${round} ${Math.min(team, other)} ${Math.max(team, other)}`;
    if (!matches.has(key)) {
      matches.set(key, {
        round, lower: Math.min(team, other), higher: Math.max(team, other),
        half: { [team]: 0, [other]: 0 }, boards: 0, decided: 0, forfeited: 0,
      });
    }
    return matches.get(key);
  };
  for (const entry of entries) {
    const { round, start, team, against } = entry;
    if (!against) continue;
    const rival = players.get(against).team;
    draw.meet(round, team, rival, entry);
    if (done.has(`${round} ${start}`)) continue;
    const back = at.get(`${round} ${against}`);
    let [own, other] = [entry.half, back?.half ?? 0];
    let isGame = entry.played;
    const facing = back && back.against === start;
    if (facing && !entry.result) [own, isGame] = [2 - back.half, back.played];
    else if (facing && !back.result) other = 2 - entry.half;
    else if (facing ? entry.played !== back.played || own + other > 2
      || (entry.played && own + other === 1) : back && (back.against || entry.played)) {
      entry.line.refuse(entry.column, entry.column + 7, `result of round ${round}`,
        say("html.allowed_fitting", { line: (back ?? entry).line.number }));
    } else if (!back && entry.played) {
      notes.odd("a game that only one of its players has counts for both", entry.line.number);
      other = 2 - entry.half;
    }
    if (back && !facing) back.named = true;
    done.add(`${round} ${start}`).add(`${round} ${against}`);
    players.get(start).seen = players.get(against).seen = true;
    const match = matchOf(round, team, rival);
    match.half[team] += own;
    match.half[rival] += other;
    match.boards += 1;
    match.decided += isGame || own + other > 0 ? 1 : 0;
    match.forfeited += !isGame && own + other > 0 ? 1 : 0;
  }
  return { matches, matchOf };
}

/** Boards won by default without naming anybody; members who rested are no boards. */
function trfAlone(entries, draw, matchOf, boards, notes) {
  const won = new Map();
  for (const entry of entries) {
    const { round, team, against, half, letter, result } = entry;
    if (against || letter || entry.named || !(result in BY_DEFAULT)) continue;
    const other = draw.other.get(`${round} ${team}`);
    if (other === undefined) {
      won.set(`${round} ${team}`, (won.get(`${round} ${team}`) ?? 0) + half);
    } else if (half) {
      const match = matchOf(round, team, other);
      match.half[team] += half;
      match.boards += 1;
      match.decided += 1;
      match.forfeited += 1;
    }
  }
  const full = boards || Math.max(0, ...[...matchOf.all.values()].map((match) => match.boards));
  for (const entry of entries) {
    const { round, team, against, result, named } = entry;
    const other = draw.other.get(`${round} ${team}`);
    if (against || named || result !== "-" || other === undefined) continue;
    if (matchOf(round, team, other).boards >= full) {
      notes.odd("0000 - - of a member beside a full match means: did not play", entry.line.number);
    }
  }
  return won;
}

/** The byes of teams: records 320 and 240, else the best entry of their players. */
function trfByes(records, teams, entries, draw, won, rounds, boards) {
  const byes = new Map();
  const kinds = new Map();
  for (const { round, team, against, letter, half, result } of entries) {
    if (against || !(letter || result in BY_DEFAULT) || round > rounds) continue;
    if (draw.other.has(`${round} ${team}`)) continue;
    const kind = letter || (half ? "default" : "zero");
    const known = kinds.get(`${round} ${team}`);
    if (!known || BEST_FIRST.indexOf(kind) < BEST_FIRST.indexOf(known.bye)) {
      kinds.set(`${round} ${team}`, { round, team, bye: kind });
    }
  }
  for (const [key, found] of kinds) {
    const standard = found.bye === "default" ? Math.min(won.get(key) ?? 0, 2 * boards) : null;
    byes.set(key, { ...found, half: standard, mp: null });
  }
  const take = (line, column, width, number, round, bye, mp, half) => {
    if (round > rounds) return;
    const team = teams.get(number)?.index;
    const last = column + width - 1;
    if (team === undefined) line.refuse(column, last, "team number", say("html.allowed_listed"));
    if (draw.other.has(`${round} ${team}`)) {
      line.refuse(column, last, "team number", say("html.allowed_free", { round }));
    }
    byes.set(`${round} ${team}`, { round, team, bye, mp, half });
  };
  for (const line of records("320")) {
    const mp = line.halfPoints(5, 8, "match points", 2);
    const half = line.halfPoints(10, 13, "game points", boards);
    for (const [column, number] of line.listed(15, 3, "team number")) {
      take(line, column, 3, number, (column - 11) / 4, "pairing", mp === null ? null : mp / 2, half);
    }
  }
  for (const line of records("240")) {
    const bye = LETTERS[line.text(5, 5).toUpperCase()];
    if (!bye || bye === "pairing") line.refuse(5, 5, "type", "F, H, Z");
    const round = line.integer(7, 9, "round", 1, LIMITS.rounds);
    for (const [column, number] of line.listed(11, 4, "team number")) {
      take(line, column, 4, number, round, bye, null, null);
    }
  }
  return byes;
}

/** The pairing byes of a field of odd size, if the file tells of no bye at all. */
function trfMissingByes(names, draw, told, byes, rounds, boards, notes) {
  if (told) return;
  const last = names.map((_, team) => {
    const met = [];
    for (let r = 1; r <= rounds; r += 1) if (draw.other.has(`${r} ${team}`)) met.push(r);
    return Math.max(0, ...met);
  });
  const given = [];
  for (let r = 1; r <= rounds; r += 1) {
    const alone = names.flatMap((_, t) => (draw.other.has(`${r} ${t}`) ? [] : [t]));
    const stayed = alone.filter((t) => last[t] > r);
    const candidates = alone.length === 1 ? alone : stayed;
    if (candidates.length === 1) {
      const [team] = candidates;
      byes.set(`${r} ${team}`, { round: r, team, bye: "pairing", mp: null, half: null });
      given.push(`round ${r} ${plain(names[team])}`);
    } else if (alone.length > 1 && alone.length < names.length) {
      const some = alone.slice(0, 3).map((t) => plain(names[t])).join(", ");
      const more = alone.length > 3 ? ", ..." : "";
      notes.odd(`round ${r}: ${alone.length} teams have no match and no bye: ${some}${more}`);
    }
  }
  if (given.length) {
    const more = given.length > 8 ? ", ..." : "";
    notes.odd(`no record of byes: teams without a match had the pairing bye, 1 MP and ${boards / 2}`
      + ` GP (a drawn match, as at Olympiads): ${given.slice(0, 8).join(", ")}${more}`);
  }
}

/** Records 330: matches that were forfeited as a whole. */
function trfForfeits(records, teams, draw, matchOf, unfinished, boards) {
  for (const line of records("330")) {
    const points = FORFEITS[line.text(5, 6)];
    if (!points) line.refuse(5, 6, "type", Object.keys(FORFEITS).join(", "));
    const round = line.integer(8, 10, "round", 1, LIMITS.rounds);
    const pair = [[12, 14], [16, 18]].map(([first, last]) => {
      const team = teams.get(line.integer(first, last, "team number", 0, 9999))?.index;
      if (team === undefined) line.refuse(first, last, "team number", say("html.allowed_listed"));
      return team;
    });
    if (round >= unfinished) continue;
    draw.meet(round, ...pair, { line, column: 12 });
    const match = matchOf(round, ...pair);
    match.forfeit = { [pair[0]]: points[0], [pair[1]]: points[1] };
  }
}

/** Points other than 2, 1, 0 for a match are not for this page. */
function checkScoring(records, file) {
  for (const line of records("362")) {
    const pairs = [...line.content.matchAll(/\b(TW|TD|TL)\s+([0-9.,]+)/g)];
    const standard = { TW: 2, TD: 1, TL: 0 };
    if (pairs.some(([, symbol, points]) => Number(points.replace(",", ".")) !== standard[symbol])) {
      refuse("html.scoring", { file });
    }
  }
  if (records("299").length) refuse("html.scoring", { file });
}

/** The event of a Tournament Report File, `{name, bytes}`. */
function readTrf({ name: file, bytes }) {
  const text = decoded(file, bytes, "windows-1252");
  const records = trfRecords(file, text);
  const notes = new Notes();
  checkScoring(records, file);
  const teams = trfTeams(file, records, notes);
  const names = [...teams.values()].sort((a, b) => a.index - b.index).map(({ name }) => name);
  const players = trfPlayers(records, teams, notes);
  const every = trfEntries(players, notes);
  const at = new Map(every.map((entry) => [`${entry.round} ${entry.start}`, entry]));
  const unfinished = trfUnfinished(every, at);
  if (unfinished <= LIMITS.rounds) notes.odd(unfinishedNote(unfinished));
  const entries = every.filter(({ round }) => round < unfinished);
  const draw = new Draw();
  const { matches, matchOf } = trfMatches(entries, at, players, draw, notes);
  matchOf.all = matches;
  const colours = records("352").at(-1)?.text(5).length ?? 0;
  trfForfeits(records, teams, draw, matchOf, unfinished);
  const won = trfAlone(entries, draw, matchOf, colours, notes);
  const boards = colours || Math.max(0, ...[...matches.values()].map((match) => match.boards));
  const rounds = Math.max(0, ...[...matches.values(), ...entries].map(({ round }) => round));
  if (!boards || !rounds) refuse("html.undecided", { file });
  const byes = trfByes(records, teams, entries, draw, won, rounds, boards);
  const told = records("320").length + records("240").length > 0 || entries.some((e) => e.letter);
  trfMissingByes(names, draw, told, byes, rounds, boards, notes);
  return {
    name: records("012")[0]?.text(5) || file, teams: names, rounds, boards, notes: notes.lines,
    ratings: trfRatings(names.length, players, boards),
    matches: [...trfPlayed(matches, boards), ...[...byes.values()].map((bye) => byeMatch(bye, boards))],
  };
}

/** The mean rating of the best players of every team who sat on a board; null without any. */
function trfRatings(count, players, boards) {
  const found = Array.from({ length: count }, () => []);
  for (const { team, rating, seen } of players.values()) {
    if (rating && seen) found[team].push(rating);
  }
  return found.map((ratings) => meanOfBest(ratings, boards));
}

const meanOfBest = (ratings, boards) => {
  const best = ratings.filter((r) => r > 0).sort((a, b) => b - a).slice(0, boards);
  return best.length ? sum(best) / best.length : null;
};

const trfPlayed = (matches, boards) => [...matches.values()].map((match) => {
  const { round, lower, higher, half, decided, forfeited, forfeit } = match;
  const whole = forfeit && half[lower] + half[higher] === 0;
  const points = whole ? { [lower]: boards * forfeit[lower], [higher]: boards * forfeit[higher] }
    : half;
  const all = whole ? (points[lower] + points[higher] > 0 ? boards : 0) : decided;
  return {
    round, a: lower, b: higher, bye: "", halfA: points[lower], halfB: points[higher],
    decided: all, forfeited: whole ? all : forfeited, recorded: [null, null],
  };
});

function byeMatch({ round, team, bye, mp, half }, boards) {
  const standard = DATA.byes[bye] * boards;
  const points = mp !== null && mp !== DATA.byes[bye] ? mp : null;
  return {
    round, a: team, b: null, bye, halfA: half ?? standard, halfB: 0, decided: 0, forfeited: 0,
    recorded: [points, null],
  };
}
