// This part reads text from files, which may be wrong or hostile: encodings, notes, fields.

/** What the program recognises by regular expressions, by name. */
const SHAPES = Object.fromEntries(Object.entries(KNOWN.shapes).map(([name, source]) =>
  [name, new RegExp(source)]));

// White space is what Python takes for it; `trim` removes a slightly different set.
const SPACE = new RegExp(`[${KNOWN.spaces}]`);
const LEADING = new RegExp(`^[${KNOWN.spaces}]+`);
const LINE_END = /\r\n|\r|\n/;

function stripEnd(text) {
  let end = text.length;
  while (end && SPACE.test(text[end - 1])) end -= 1;
  return text.slice(0, end);
}

const strip = (text) => stripEnd(text).replace(LEADING, "");

const lineAt = (text, index) => text.slice(0, index).split(LINE_END).length;

/** The encoding of a text: by its byte order mark, or by the zero byte in its first character. */
function encodingOf(bytes) {
  const marked = { "255 254": "utf-16le", "254 255": "utf-16be" }[bytes.slice(0, 2).join(" ")];
  if (marked || bytes.length < 2 || (bytes[0] === 0) === (bytes[1] === 0)) return marked ?? "utf-8";
  return bytes[0] === 0 ? "utf-16be" : "utf-16le";
}

/** The text in an encoding; null for bytes that are none. */
function textIn(bytes, encoding, ignoreBOM = false) {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM }).decode(bytes);
  } catch {
    return null;
  }
}

/** Every byte as the character of the same number; `TextDecoder` takes Latin-1 for Windows-1252. */
const latin1 = (bytes) => Array.from({ length: Math.ceil(bytes.length / 8192) }, (_, k) =>
  String.fromCharCode(...bytes.subarray(8192 * k, 8192 * (k + 1)))).join("");

/** Text in UTF-8 or UTF-16, else in Latin-1. */
const decoded = (bytes) => textIn(bytes, encodingOf(bytes)) ?? latin1(bytes);

/** Keep a key of which there may be only one; `again` is done for a second one. */
function claim(known, key, again) {
  if (known.has(key)) again();
  known.add(key);
}

// --- notes

/** The notes of one kind: where the first one stands, how many there are, and of whom. */
class Kind {
  constructor() {
    Object.assign(this, { line: null, first: "", word: "", names: new Set(), count: 0 });
  }

  add(line, [word, name]) {
    const one = shortened(name, LIMITS.noteName);
    if (!this.count || (line ?? 0) < (this.line ?? 0)) {
      Object.assign(this, { line, first: one, word });
    }
    if (one) this.names.add(one);
    this.count += 1;
    return this;
  }

  /** The note: where it begins, what is assumed, of how many and whom. */
  said(text) {
    const others = this.names.size - 1;
    const times = this.count > 1 ? `${this.count} times` : "";
    const some = others > 0 ? `${others + 1} ${this.word}s, ${this.first} and ${others} more`
      : [this.first, times].filter(Boolean).join(", ");
    const whole = some ? `${text} (${some})` : text;
    const table = this.line === null ? "" : SHAPES.table.exec(whole)?.[0] ?? "";
    const place = this.line === null ? "" : `${table}line ${this.line}: `;
    return plain(place + whole.slice(table.length));
  }
}

/**
 * What was unclear in a file: a note a kind, with its first line, how many, and of whom.
 * A strict reader refuses it instead; `file` is its name in that message, unless notes name it.
 */
class Notes {
  constructor(file = "", strict = false) {
    Object.assign(this, { file, strict, found: new Map(), more: 0 });
  }

  /** Count one oddity, which a strict reader refuses; `whom`: `player` or `team`, and the name. */
  odd(text, line, whom = ["", ""]) {
    if (this.strict) {
      const note = new Kind().add(line, whom).said(text);
      refuse("html.unclear", { note: this.file ? `${this.file}: ${note}` : note });
    }
    this.say(text, line, whom);
  }

  /** Count one note of any reader; without a line it is about the file as a whole. */
  say(text, line = null, whom = ["", ""]) {
    const isNew = !this.found.has(text);
    if (isNew && this.found.size === LIMITS.notes) this.more += 1;
    else kept(this.found, text, () => new Kind()).add(line, whom);
  }

  unfinished(round) {
    if (round > LIMITS.rounds) return;
    this.say(`round ${round} is not finished: it and later ones are left out`);
  }

  get lines() {
    const all = [...this.found].map(([text, kind]) => kind.said(text));
    return this.more ? [...all, `and more of this kind: ${this.more}`] : all;
  }
}

// --- points

const STANDARD = [2, 1, 0];

/** Points with a sign, a decimal point or comma, in steps of 1/2, as half points; else null. */
function halfPointsOf(text) {
  const found = SHAPES.points.exec(text);
  if (!found) return null;
  const half = 2 * Number(found[2]) + (found[3] === "5" ? 1 : 0);
  return found[1] === "-" ? -half : half;
}

/** Match points of a match won, drawn and lost from half points; null unless they fall. */
function fallingPoints(half) {
  const [won, drawn, lost] = half.map((points) => points / 2);
  const whole = half.every((points) => points % 2 === 0);
  return whole && won <= LIMITS.matchPoints && won > drawn && drawn >= lost && lost >= 0
    ? [won, drawn, lost] : null;
}

/** Match points and half points of a round that pays a player half points: a game has at most 2. */
const playerPoints = (half) => [half, Math.min(half, 2)];

/** Those of a bye of a player: as asked for, else some half points. */
const playerBye = (asked, half) => playerPoints(asked.bye ? asked.bye[1] : half);

/** A complete date as `2016-09-02`, other texts as they are. */
const dateOf = (text) =>
  text.replace(/([0-9]{4})[./]([0-9]{2})[./]([0-9]{2})/g, "$1-$2-$3");

/** Points separated by commas as half points; null for anything else. */
function pointsListed(text, count) {
  const found = text.split(",").map((part) => halfPointsOf(strip(part)));
  const right = found.length === count && found.every((half) => within(half, 0, 4 * LIMITS.boards));
  return right ? found : null;
}

/** Match points of a match won, drawn and lost from a text such as `3,1,0`; null for another. */
function scoringOf(text) {
  const found = pointsListed(text, 3);
  return found && fallingPoints(found);
}

/** Match points and half points of a bye from a text such as `1,2`; null for another. */
function byePointsOf(text) {
  const [mp, half] = pointsListed(text, 2) ?? [1];
  return mp % 2 || half > 2 * LIMITS.boards ? null : [mp / 2, half];
}

/**
 * How files are read, from what was typed: to refuse what is unclear, to trust the points in a
 * file, to read players whatever teams it names, and what matches and byes score, null where nothing
 * was typed. Refuses points that are none.
 */
function readingOf({ matchPoints = "", byePoints = "", ...chosen } = {}) {
  const typed = (text, parsed, key) => {
    const found = strip(text) ? parsed(text) : null;
    if (strip(text) && !found) refuse(key, { got: quoted(text) });
    return found;
  };
  return {
    strict: false, trust: false, individual: false, ...chosen, scoring: typed(matchPoints, scoringOf, "html.bad_match_points"),
    bye: typed(byePoints, byePointsOf, "html.bad_bye_points"),
  };
}

// --- fields

/** A line of a file; its fields have a `text`, and in messages a line and a title. */
class Fields {
  constructor(file, line, notes) {
    Object.assign(this, { file, line, notes });
  }

  placeOf(field) {
    return [this.line, field];
  }

  /** The error for a field: the key of what is allowed, with its fields, and what was read. */
  refuse(field, allowed, fields = {}, got = this.text(field)) {
    const [line, title] = this.placeOf(field);
    const said = { allowed: say(allowed, fields), got: quoted(got) };
    refuse("html.field", { file: this.file, line, field: title, ...said });
  }

  /** Whom a field is about: `player` or `team`, and the name; empty if unknown. */
  whom() {
    return ["", ""];
  }

  odd(assumed, field) {
    this.notes.odd(assumed, this.line, this.whom(field));
  }

  name(field) {
    const value = this.text(field);
    if (!value || [...value].length > LIMITS.name) {
      this.refuse(field, "html.allowed_name", { most: LIMITS.name });
    }
    return value;
  }

  /** A whole number, or null for anything else; `empty` for an empty field. */
  wholeOf(field, low, high, empty = null) {
    const value = this.text(field);
    if (!value) return empty;
    const found = (this.digits ?? /^([0-9]{1,11})$/).exec(value);
    return found && within(Number(found[1]), low, high) ? Number(found[1]) : null;
  }

  integer(field, low, high, empty = null) {
    const found = this.wholeOf(field, low, high, empty);
    if (found === null) this.refuse(field, "html.allowed_number", { low, high });
    return found;
  }

  /** A whole number that ranking does not need: 0 if it is none, with a note if that may be. */
  needless(field, high, assumed) {
    const found = this.notes.strict ? this.integer(field, 0, high, 0)
      : this.wholeOf(field, 0, high, 0);
    if (found === null) this.odd(assumed, field);
    return found ?? 0;
  }

  rating(field) {
    return this.needless(field, LIMITS.rating, "a rating that is none is left out");
  }

  fideId(field) {
    return this.needless(field, LIMITS.fideId, "a FIDE number that is none is left out");
  }

  /** A FIDE number that none of those known has; 0 for none. */
  ownFideId(field, known) {
    const id = this.fideId(field);
    if (known.has(id)) {
      this.odd("a FIDE number of several players is kept for the first alone", field);
      return 0;
    }
    if (id) known.add(id);
    return id;
  }

  /** Points from `low` to `high` as half points; `empty`, if given, for an empty field. */
  halfPoints(field, high, low = 0, empty = undefined) {
    if (empty !== undefined && !this.text(field)) return empty;
    const half = this.halfOf(this.text(field));
    if (!within(half, 2 * low, 2 * high)) {
      this.refuse(field, "html.allowed_half", { low, most: high });
    }
    return half;
  }

  halfOf(value) {
    return halfPointsOf(value);
  }

  /** One of the allowed words, in capitals or not; the `usual` one for an empty field. */
  choice(field, allowed, usual = "", value = this.text(field)) {
    if (!allowed.includes(value || usual)) {
      this.refuse(field, "html.allowed_one", { all: allowed.filter(Boolean).join(", ") });
    }
    return value || usual;
  }

  /** The error for a field that names a round which no event has. */
  refuseRound(field) {
    this.refuse(field, "html.allowed_number", { low: 1, high: LIMITS.rounds });
  }
}
