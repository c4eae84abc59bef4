"use strict";
// What a tap on a name opens: the working of a team, or two of them side by side, and what decides
// between the two. All numbers are texts that the program made. The script finds the first in which
// two teams differ; it adds up nothing.

const DATA = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

/** The text of a key, with its {fields} filled in. */
const say = (key, fields = {}) =>
  DATA.words[key].replace(/\{(\w+)\}/g, (_, name) => fields[name]);

/** A name inside a sentence, with its own writing direction. */
const isolated = (team) => `\u2068${DATA.teams[team]}\u2069`;

function element(tag, classes, ...children) {
  const created = document.createElement(tag);
  if (classes) created.className = classes;
  created.append(...children);
  return created;
}
const cell = (text, classes = "n") => element("td", classes, text);
const head = (text, classes = "n") => element("th", classes, text);
const row = (...cells) => element("tr", "", ...cells);

const table = (heads, rows, sums) => element("div", "scroll", element("table", "",
  element("thead", "", ...heads), element("tbody", "", ...rows), element("tfoot", "", sums)));

/** A name that can be tapped. */
function nameOf(team) {
  const button = element("button", "", element("bdi", "", DATA.teams[team]));
  button.type = "button";
  button.dataset.team = team;
  return button;
}

/** The opponent of a round, and why it was not met. */
function opponentOf([, opponent, kind], tag = "td") {
  const name = opponent === null ? [] : [nameOf(opponent), " "];
  return element(tag, "", ...name, kind ? `(${kind})` : "");
}

/** What a round is worth in a column; struck through where it is left out of the sum. */
const valueOf = ([, , , , , values, out], k) =>
  cell(values.split(" ")[k], out.includes(k) ? "n out" : "n");

/** Places and remarks of a team. */
function placesOf(team) {
  const places = DATA.orders.map(({ name, rows }) =>
    `${DATA.orders.length > 1 ? `${name}: ` : ""}${say("html.place", { place: rows[team][0] })}`);
  return [...places, ...DATA.remarks[team] ? [DATA.remarks[team]] : []].join("; ");
}

/** All rounds of a team under all rules, pass by pass. */
function workingOf(team) {
  const { rounds, sums } = DATA.workings[team];
  const columns = DATA.columns.map((column, k) => ({ ...column, k }));
  // Cells of all columns, and before some of them one of what the opponent counts as.
  const cells = (make, counted) => columns.flatMap(({ k, counts, last }) =>
    [...counts ? [counted()] : [], make(k)].map((created) => {
      created.classList.toggle("early", !last);
      return created;
    }));
  const heads = cells((k) => head(columns[k].title), () => head(say("doc.counts_as")));
  const first = [["html.round"], ["doc.opponent", ""], ["sheet.its_mp"], ["html.result"]];
  const rows = rounds.map((round) => {
    const [number, , , points, result, , , counted] = round;
    const counts = counted.split(" ").values();
    const values = cells((k) => valueOf(round, k), () => cell(counts.next().value));
    return row(cell(number), opponentOf(round), cell(points), cell(result), ...values);
  });
  const sum = row(cell(""), cell(say("sheet.sum"), ""), cell(""), cell(""),
    ...cells((k) => cell(sums[k]), () => cell("")));
  const title = element("p", "", element("b", "", element("bdi", "", DATA.teams[team])), " ",
    element("small", "", placesOf(team)));
  return [title, table([row(...first.map(([key, classes]) => head(say(key), classes)), ...heads)],
    rows, sum)];
}

/** Two teams side by side, round by round: results, and what they are worth under the rules. */
function besides(teams) {
  const leading = DATA.columns.flatMap(({ leads }, k) => (leads ? [k] : []));
  const sides = teams.map((team) => DATA.workings[team]);
  const names = teams.map((team) => {
    const name = head("", "side");
    name.colSpan = 1 + leading.length;
    name.append(element("bdi", "", DATA.teams[team]), element("small", "", placesOf(team)));
    return name;
  });
  const heads = teams.flatMap(() => [head(say("doc.opponent"), "side"),
    ...leading.map((k) => head(DATA.columns[k].name))]);
  const rows = sides[0].rounds.map(([number], r) => row(cell(number), ...sides.flatMap((side) => {
    const round = side.rounds[r];
    const met = element("div", "", opponentOf(round, "span"), element("span", "n", round[4]));
    return [element("td", "side", met), ...leading.map((k) => valueOf(round, k))];
  })));
  const sums = sides.flatMap((side) => [cell(say("sheet.sum"), "side"),
    ...leading.map((k) => cell(side.sums[k]))]);
  return table([row(head(""), ...names), row(head(say("html.round")), ...heads)], rows,
    row(cell(""), ...sums));
}

/** What decides between two teams in an order, in a sentence. */
function verdict({ heads, decides, rows, places, said }, teams) {
  const [first, second] = [...teams].sort((a, b) => places.indexOf(a) - places.indexOf(b));
  const isNext = places[places.indexOf(first) + 1] === second;
  if (isNext && said[first]) return said[first];
  const [place, ...scores] = rows[first];
  const [other, ...others] = rows[second];
  const at = scores.findIndex((score, k) => score !== others[k]);
  const names = { first: isolated(first), second: isolated(second) };
  if (at < 0) return say("verdict.equal", names);
  const key = place === other ? "verdict.unsure" : decides[at];
  return say(key, { ...names, criterion: heads[at], high: scores[at], low: others[at] });
}

/** The sentences on two teams, one an order. */
const verdicts = (teams) => DATA.orders.map((order) => element("p", "verdict",
  element("b", "", DATA.orders.length > 1 ? `${order.name}: ` : ""), verdict(order, teams)));

let chosen = [];

function show() {
  byId("panel").hidden = !chosen.length;
  byId("chosen").replaceChildren(...chosen.length < 2 ? chosen.flatMap(workingOf)
    : [...verdicts(chosen), besides(chosen)]);
  for (const button of document.querySelectorAll("[data-team]")) {
    button.setAttribute("aria-pressed", chosen.includes(Number(button.dataset.team)));
  }
}

/** Choose a team, or give it back; a third one takes the place of the first. */
function choose(team) {
  chosen = chosen.includes(team) ? chosen.filter((other) => other !== team)
    : [...chosen, team].slice(-2);
  show();
}

function close() {
  chosen = [];
  show();
}

function showOrder(number) {
  document.querySelectorAll(".order").forEach((part, k) => { part.hidden = k !== number; });
  document.querySelectorAll("[data-order]").forEach((button, k) =>
    button.setAttribute("aria-pressed", k === number));
}

document.addEventListener("click", ({ target }) => {
  const { team, order } = target.closest("button")?.dataset ?? {};
  if (team) choose(Number(team));
  if (order) showOrder(Number(order));
});
document.addEventListener("keydown", ({ key }) => { if (key === "Escape") close(); });
byId("close").addEventListener("click", close);
document.documentElement.classList.add("taps");
