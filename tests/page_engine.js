// What the page's script asks of a browser, for an engine without one. `makePage` is the script
// without what the user sees: the engine wraps it into a function of the text of the element `data`.

const HIGH = "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f"
  + "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

/** Every byte as the character of the same number. */
const latin = (bytes) => Array.from({ length: Math.ceil(bytes.length / 8192) }, (_, k) =>
  String.fromCharCode(...bytes.subarray(8192 * k, 8192 * (k + 1)))).join("");

/** The longest beginning of bytes, as characters, that is UTF-8. */
const RIGHT = new RegExp(`^(?:${["[\\0-\\x7f]", "[\\xc2-\\xdf]T", "\\xe0[\\xa0-\\xbf]T",
  "[\\xe1-\\xec\\xee\\xef]TT", "\\xed[\\x80-\\x9f]T", "\\xf0[\\x90-\\xbf]TT", "[\\xf1-\\xf3]TTT",
  "\\xf4[\\x80-\\x8f]TT"].join("|").replaceAll("T", "[\\x80-\\xbf]")})*`);

/** The characters of UTF-8; bad bytes are an error or, in a text that need not be right, U+FFFD. */
function fromUtf8(bytes, fatal) {
  const text = latin(bytes);
  if (!/[^\0-\x7f]/.test(text)) return text;
  try {
    return decodeURIComponent(escape(text));
  } catch (error) {
    if (fatal) throw error;
  }
  return `${decodeURIComponent(escape(RIGHT.exec(text)[0]))}\ufffd`;
}

function fromUtf16(bytes, high, fatal) {
  const units = Array.from({ length: bytes.length >> 1 }, (_, k) =>
    String.fromCharCode(256 * bytes[2 * k + high] + bytes[2 * k + 1 - high]));
  const text = units.join("") + (bytes.length % 2 ? "\ud800" : "");
  if (fatal && !text.isWellFormed()) throw new TypeError("not UTF-16");
  return text.toWellFormed();
}

globalThis.TextDecoder = class {
  constructor(encoding = "utf-8", { fatal = false, ignoreBOM = false } = {}) {
    Object.assign(this, { encoding, fatal, ignoreBOM });
  }

  decode(bytes) {
    if (this.encoding === "windows-1252") {
      return latin(bytes).replace(/[\x80-\x9f]/g, (c) => HIGH[c.charCodeAt(0) - 0x80]);
    }
    const text = this.encoding === "utf-8" ? fromUtf8(bytes, this.fatal)
      : fromUtf16(bytes, this.encoding === "utf-16be" ? 0 : 1, this.fatal);
    return text.startsWith("\ufeff") && !this.ignoreBOM ? text.slice(1) : text;
  }
};

/** The bytes of base 64, as characters. */
globalThis.atob = (text) => {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const bits = [...text.replaceAll("=", "")].map((c) => digits.indexOf(c));
  return Array.from({ length: Math.floor((bits.length * 6) / 8) }, (_, k) => {
    const [at, shift] = [Math.floor((k * 8) / 6), 4 - 2 * (k % 3)];
    return String.fromCharCode((((bits[at] << 6) | bits[at + 1]) >> shift) & 255);
  }).join("");
};

const PAGES = {};

/** What a function gives; of what the page refuses its line. */
function orRefused(page, make) {
  try {
    return make();
  } catch (error) {
    if (error instanceof PAGES[page].Refused) return `refused: ${error.message}`;
    throw error;
  }
}

/** The event of files, `[name, bytes as characters]`. */
const read = (page, files, asked) => PAGES[page].eventIn(files.map(([name, text]) =>
  ({ name, bytes: Uint8Array.from(text, (c) => c.charCodeAt(0)) })), PAGES[page].readingOf(asked));

/** The answers of a page to files: the event and its standings. */
function answer(page, files, asked, policies) {
  const { rank, rankingCsv, matchPoints, usualPolicy } = PAGES[page];
  const event = orRefused(page, () => read(page, files, asked));
  if (typeof event === "string") return event;
  const matches = event.matches.map((match) => {
    const [own, other] = matchPoints(match);
    const { a, b, halfA, halfB } = match;
    const sides = [[a, halfA, own], [b, halfB, b === null ? 0 : other]];
    if (b !== null && b < a) sides.reverse();
    return [match.round, ...sides.flat(), match.decided, match.forfeited, match.bye];
  }).sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const penalties = event.teams.map((_, number) => event.penalties
    .filter(({ team }) => team === number)
    .reduce(([mp, half], one) => [mp + one.mp, half + one.half], [0, 0]));
  const standings = policies.map((policy) =>
    orRefused(page, () => rankingCsv(rank(event, policy))));
  return { ...event, matches, penalties, standings, policy: usualPolicy(event) };
}

/** What the page says of the standings of files, and of some pairs of teams. */
function said(page, files, policy, pairs) {
  const { ranked, orderLine, verdictOn, workingOf } = PAGES[page];
  const found = ranked(read(page, files), policy);
  return {
    order: orderLine(found.event, found.policy, found.record), fide: found.fidePlaces,
    verdicts: pairs.map((pair) => verdictOn(found, ...pair)),
    workings: found.event.teams.map((_, team) => workingOf(found, team)),
  };
}

/** Whether a regular expression is found in a text. */
const matches = (source, text) => new RegExp(source, "u").test(text);
