"use strict";
// The page of a rule is one script, joined from the files that `page.py` lists. Nothing is sent or
// loaded: all numbers, all texts and what the program knows of files are in the element `data`.
// This part holds what the others share: the data, texts, refusals.

const DATA = JSON.parse(document.getElementById("data").textContent);
const { rounds: ROUNDS, boards: BOARDS, points: POINTS, formula: FORMULA, files: KNOWN } = DATA;
const { limits: LIMITS } = KNOWN;
const TENTHS = 10;

/** The text of a key, with its {fields} filled in; what is no key is its own text. */
const say = (key, fields = {}) =>
  (DATA.words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(fields[name]));

const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);
const clamp = (x, low, high) => Math.max(low, Math.min(high, x));
const within = (x, low, high) => x !== null && x >= low && x <= high;

/** The value of a key of a map, made and kept if there is none. */
function kept(map, key, make) {
  if (!map.has(key)) map.set(key, make());
  return map.get(key);
}

/** A character as an escape sequence. */
function escaped(c) {
  const named = { "\t": "\\t", "\n": "\\n", "\r": "\\r" }[c];
  const code = c.codePointAt(0);
  const [letter, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return named ?? `\\${letter}${code.toString(16).padStart(digits, "0")}`;
}

/** Text with control, format and unassigned characters escaped: it cannot reverse a line. */
const plain = (text) =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, escaped).replace(/\p{Zs}/gu, " ");

/** Text of at most so many characters; `end` takes the place of what is left out. */
const shortened = (text, most, end = "") => {
  const all = [...text];
  return all.length > most ? all.slice(0, most - end.length).join("") + end : text;
};

/** Text of a file as quoted in a message: escaped, shortened, with its own writing direction. */
const quoted = (text) => `“\u2068${plain(shortened(text, 60, "..."))}\u2069”`;

/** Text of a file as the program quotes it in a note: in simple quotes, escaped if it is odd. */
function quotedInNote(text) {
  const cut = shortened(text, 60, "...");
  const mark = cut.includes("'") && !cut.includes('"') ? '"' : "'";
  const slashed = cut.replaceAll("\\", "\\\\").replaceAll(mark, `\\${mark}`);
  const odd = /(?! )[\p{C}\p{Z}]/u.test(cut) ? /[^\x20-\x7e]/gu : /(?!)/gu;
  return mark + slashed.replace(odd, escaped) + mark;
}

/** The error for bad input; its message is one line for the user. */
class Refused extends Error {}

const refuse = (key, fields) => {
  throw new Refused(say(key, fields));
};
