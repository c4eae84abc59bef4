"use strict";
// The page of a rule is one script, joined from the files that `page.py` lists. Nothing is sent or
// loaded: all numbers, all texts and what the program knows of files are in the element `data`.
// This part holds what the others share: data, texts, refusals; encodings, notes, fields of files.

const DATA = JSON.parse(document.getElementById("data").textContent);
const { files: KNOWN, files: { limits: LIMITS } } = DATA;
const [TENTHS, STANDARD] = [10, [2, 1, 0]];

/** The text of a key, with its {fields} filled in; what is no key is its own text. */
const say = (key, fields = {}) =>
  (DATA.words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(fields[name]));

const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);
const clamp = (x, low, high) => Math.max(low, Math.min(high, x));
const within = (x, low, high) => x !== null && x >= low && x <= high;
const rangeOf = (count, first = 0) => Array.from({ length: count }, (_, k) => first + k);

/** The value of a key of a map, made and kept if there is none. */
const kept = (map, key, make) => map.get(key) ?? map.set(key, make()).get(key);

/** The entries of a map by their keys, which are numbers. */
const byKey = (map) => [...map].sort(([a], [b]) => a - b);

/** A character as an escape sequence. */
function escaped(c) {
  const code = c.codePointAt(0);
  const [letter, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return { "\t": "\\t", "\n": "\\n", "\r": "\\r" }[c]
    ?? `\\${letter}${code.toString(16).padStart(digits, "0")}`;
}

/** Text with control, format and unassigned characters escaped: it cannot reverse a line. */
const plain = (text) =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, escaped).replace(/\p{Zs}/gu, " ");

/** Where a spreadsheet could take what follows for a formula, and where an apostrophe stands there. */
const FORMULA = /(^|;)(?='*[ \u00a0\u3000"]*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?='*[\t\r\n])/g;
const GUARD = new RegExp(FORMULA.source.replaceAll("(?=", "'(?="), "g");

/** Text of at most so many characters; `end` takes the place of what is left out. */
const shortened = (text, most, end = "") => ([...text].length <= most ? text
  : [...text].slice(0, most - end.length).join("") + end);

/** Text of a file as quoted in a message: escaped, shortened, with its own writing direction. */
const quoted = (text) => `“\u2068${plain(shortened(text, 60, "..."))}\u2069”`;

/** The error for bad input; its message is one line for the user. */
class Refused extends Error {}
function refuse(key, fields) {
  throw new Refused(say(key, fields));
}
const need = (isRight, key, fields) => isRight || refuse(key, fields);

/** What the program recognises by regular expressions, by name. */
const SHAPES = Object.fromEntries(Object.entries(KNOWN.shapes).map(([name, source]) =>
  [name, new RegExp(source, "u")]));

// White space is what Python takes for it; `trim` removes a slightly different set.
const [SPACE, LEADING] = [`[${KNOWN.spaces}]`, `^[${KNOWN.spaces}]+`].map((one) => new RegExp(one));
const [WORD, SPACES] = ["^", ""].map((not) => new RegExp(`[${not}${KNOWN.spaces}]+`, "g"));
const LINE_END = /\r\n|\r|\n/;

function stripEnd(text) {
  let end = text.length;
  while (end && SPACE.test(text[end - 1])) end -= 1;
  return text.slice(0, end);
}
const strip = (text) => stripEnd(text).replace(LEADING, "");

/** The encoding of a text: by its byte order mark, or by the zero byte in its first character. */
function encodingOf(bytes) {
  const marked = { "255 254": "utf-16le", "254 255": "utf-16be" }[bytes.slice(0, 2).join(" ")];
  if (marked || bytes.length < 2 || (bytes[0] === 0) === (bytes[1] === 0)) return marked ?? "utf-8";
  return bytes[0] === 0 ? "utf-16be" : "utf-16le";
}

/** The text in an encoding; null for bytes that are none. */
function textIn(bytes, encoding) {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Every byte as the character of the same number; `TextDecoder` takes Latin-1 for Windows-1252. */
const latin1 = (bytes) => rangeOf(Math.ceil(bytes.length / 8192)).map((k) =>
  String.fromCharCode(...bytes.subarray(8192 * k, 8192 * (k + 1)))).join("");

/** Text in UTF-8 or UTF-16, else in Latin-1. */
const decoded = (bytes) => textIn(bytes, encodingOf(bytes)) ?? latin1(bytes);

/** What was unclear in a file: a line a kind, with its first place and how often it was met. */
class Notes {
  found = new Map();

  /** Count one oddity; without a line it is about the file as a whole. */
  add(text, line = null) { kept(this.found, text, () => ({ line, count: 0 })).count += 1; }

  get lines() {
    return [...this.found].slice(0, LIMITS.notes).map(([text, { line, count }]) => plain(
      `${line === null ? "" : `line ${line}: `}${text}${count > 1 ? ` (${count} times)` : ""}`,
    ));
  }
}

/** A number of points in steps of 1/2 as half points; null for any other text. */
function halfPointsOf(text) {
  const [, sign, whole, half] = SHAPES.points.exec(text) ?? [];
  const points = 2 * Number(whole) + (half === "5" ? 1 : 0);
  return whole === undefined ? null : sign === "-" ? -points : points;
}

/** Match points of a match won, drawn and lost from half points; null unless they fall. */
function fallingPoints(half) {
  const [won, drawn, lost] = half.map((points) => points / 2);
  const isWhole = half.every((points) => points % 2 === 0);
  return isWhole && won <= LIMITS.matchPoints && won > drawn && drawn >= lost && lost >= 0
    ? [won, drawn, lost] : null;
}

/** Points separated by commas as half points; null for anything else. */
function pointsListed(text, count) {
  const found = text.split(",").map((part) => halfPointsOf(strip(part)));
  const isRight = (half) => within(half, 0, 4 * LIMITS.boards);
  return found.length === count && found.every(isRight) ? found : null;
}

/** Match points won, drawn, lost of a text such as `3,1,0`; null for another. */
const scoringOf = (text) => fallingPoints(pointsListed(text, 3) ?? [1]);

/** Match points and half points of a bye from a text such as `1,2`; null for another. */
function byePointsOf(text) {
  const [mp, half] = pointsListed(text, 2) ?? [1];
  return mp % 2 || half > 2 * LIMITS.boards ? null : [mp / 2, half];
}

/** What was typed of the points of matches and byes, null where nothing was; refuses others. */
function readingOf({ matchPoints = "", byePoints = "" } = {}) {
  const typed = (text, parsed, key) =>
    (strip(text) ? parsed(text) ?? refuse(key, { got: quoted(text) }) : null);
  return {
    scoring: typed(matchPoints, scoringOf, "html.bad_match_points"),
    bye: typed(byePoints, byePointsOf, "html.bad_bye_points"),
  };
}

/** A line of a file: what stands in its fields must be what is needed. */
class Fields {
  digits = /^([0-9]{1,11})$/;

  constructor(given) { Object.assign(this, given); }

  odd(assumed) { this.notes.add(assumed, this.line); }
  halfOf(text) { return halfPointsOf(text); }

  /** The error for a field: the key of what is allowed, with its fields, and what was read. */
  refuse(field, allowed, fields = {}) {
    const said = { allowed: say(allowed, fields), got: quoted(this.text(field)) };
    refuse("html.field", { ...this, field: this.titleOf(field), ...said });
  }

  need(isRight, field, allowed, fields) { if (!isRight) this.refuse(field, allowed, fields); }

  /** The error for a field that has none of some texts. */
  refuseAll(field, texts) { this.refuse(field, "html.allowed_one", { all: [...texts].join(" ") }); }

  name(field) {
    const value = this.text(field);
    if (value && [...value].length <= LIMITS.name) return value;
    return this.refuse(field, "html.allowed_name", { most: LIMITS.name });
  }

  /** A whole number; `empty`, if given, for an empty field. */
  integer(field, low, high, empty = null) {
    const value = this.text(field);
    if (!value && empty !== null) return empty;
    const found = Number(this.digits.exec(value)?.[1] ?? NaN);
    if (within(found, low, high)) return found;
    return this.refuse(field, "html.allowed_number", { low, high });
  }

  /** Points from `low` to `high` as half points; `empty`, if given, for an empty field. */
  halfPoints(field, high, low = 0, empty = undefined) {
    const half = this.halfOf(this.text(field));
    if (empty !== undefined && !this.text(field)) return empty;
    if (within(half, 2 * low, 2 * high)) return half;
    return this.refuse(field, "html.allowed_half", { low, most: high });
  }

  /** Remember a key of which there may be only one. */
  once(seen, key, field) {
    this.need(!seen.has(key), field, "html.allowed_once");
    seen.add(key);
  }
}
