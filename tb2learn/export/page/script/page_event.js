// This part shows the standings of an event whose files are dropped on the page, the working of a
// team, or of two side by side with what decides between them.

/** A name as text, never as markup, in an element with its own writing direction. */
const nameIn = ({ teams }, team) => element("bdi", { textContent: plain(teams[team]) });

/** A cell of a table; numbers stand at its right. */
const cellOf = (content, { tag = "td", className = "n", ...more } = {}) =>
  element(tag, { className, ...more }, typeof content === "number" ? shown(content) : content);

/** The opponent of a round, and why it was not met. */
function opponentOf(event, { other, kind }) {
  const reason = kind === "PLAYED" ? "" : say(`kind.${kind}`);
  return other === null ? reason
    : element("span", {}, nameIn(event, other), reason && ` (${reason})`);
}

/** The table of a team: every round, what it is worth by the rule and by FIDE's, the sums. */
function workingTable(found, team) {
  const { event, rule, record, places, fidePlaces, scores, fide } = found;
  const both = (own, other) => (rule.isProduct ? [own] : [own, other]);
  const valueCell = (value, isOut) =>
    cellOf(value, isOut ? { className: "n out", title: say("doc.left_out") } : {});
  const heads = ["doc.round", "doc.opponent", rule.inPasses ? "doc.counts_as" : "doc.mp", "doc.gp",
    ...both("doc.tb2", "html.fide")];
  const rows = workingOf(found, team).map((one) => [cellOf(one.round, { tag: "th" }),
    cellOf(opponentOf(event, one), { className: "" }), cellOf(one.countsAs), cellOf(one.half / 2),
    ...both(valueCell(one.value, one.isOut), valueCell(one.fide, one.isFideOut))]);
  const sums = both(scores[1][team], inFourDecimals(fide.scores[team]));
  rows.push(["", say("doc.tb2"), "", "", ...sums].map((content, k) =>
    cellOf(content, k === 1 ? { className: "" } : {})));
  const said = [`${say("doc.place")} ${places[team]}`, `${say("doc.mp")} ${record.ownMp[team]}`,
    ...both("", say("html.fide_place", { place: fidePlaces[team] }))].filter(Boolean).join(". ");
  return element("table", { className: "one-team" },
    element("caption", {}, element("b", {}, nameIn(event, team)), `. ${shown(said)}`),
    element("thead", {}, element("tr", {}, ...heads.map((head, k) =>
      cellOf(say(head), { tag: "th", scope: "col", className: k === 1 ? "" : "n" })))),
    element("tbody", {}, ...rows.map((cells) => element("tr", {}, ...cells))));
}

/** The sentence on two teams. */
function verdictText(found, one, two) {
  const nameOf = (team) => `\u2068${plain(found.event.teams[team])}\u2069`;
  const decided = verdictOn(found, one, two);
  const [first, second] = [decided?.first ?? one, decided?.second ?? two].map(nameOf);
  if (!decided) return say("html.verdict_equal", { first, second });
  const { criterion, high, low } = decided;
  const [a, b, more] = [high, low, inFourDecimals(high - low)].map(shown);
  return say("html.verdict", { first, second, criterion, high: a, low: b, more });
}

/** The panel of workings: a function that chooses a team, or no longer; without one it closes. */
function workingPanel(found, buttons) {
  let chosen = [];
  return (team = null) => {
    chosen = team === null ? [] : chosen.includes(team) ? chosen.filter((one) => one !== team)
      : [...chosen, team].slice(-2);
    byId("working").hidden = !chosen.length;
    byId("verdict").textContent = chosen.length === 2 ? verdictText(found, ...chosen) : "";
    byId("workings").replaceChildren(...chosen.map((one) => workingTable(found, one)));
    found.teams.forEach((one, k) => { buttons[k].ariaPressed = String(chosen.includes(one)); });
  };
}

async function opened(file) {
  if (!(file instanceof File)) return file; // read before, under other options
  const name = plain(file.name);
  // A folder, or a file that was removed, cannot be read.
  const refused = () => refuse("html.unreadable", { file: name });
  if (file.size > LIMITS.bytes) refuse("html.too_big", { file: name, most: LIMITS.bytes });
  return { name, bytes: new Uint8Array(await file.arrayBuffer().catch(refused)) };
}

/** How probable it is that a team is better than the next one, if that has as many match points. */
function beforeNext({ rule, scores: [mp, tb2] }, team, next) {
  const isKnown = next !== undefined && mp[next] === mp[team] && mp[team] in DATA.confidence;
  if (!isKnown || rule.rounds !== DATA.rounds || rule.boards !== DATA.boards) return "";
  const odds = 10 ** (-(tb2[team] - tb2[next]) / DATA.confidence[mp[team]]);
  return `${Math.round(100 / (1 + odds))}%`;
}

/** A row of the standings after the place, and the button with the name of its team. */
function standingsRow(found, k, button) {
  const { event, rule, teams, places, fidePlaces, scores } = found;
  const team = teams[k];
  const wide = { className: "n wide" };
  button.append(nameIn(event, team));
  return element("tr", {}, cellOf(places[team], { tag: "th", scope: "row" }),
    cellOf(button, { className: "" }),
    ...scores.map((one, at) => cellOf(one[team], at === 3 ? wide : {})),
    ...DATA.confidence ? [cellOf(beforeNext(found, team, teams[k + 1]), wide)] : [],
    ...rule.isProduct ? [] : [cellOf(fidePlaces[team])]);
}

/** Show the standings of an event, and the working of the teams that are tapped. */
function showStandings(found) {
  const { event, event: { rounds, planned }, rule } = found;
  const title = event.name || say("html.standings");
  byId("event-name").replaceChildren(element("bdi", { textContent: plain(title) }));
  byId("event-after").textContent =
    say(planned > rounds ? "html.after_of" : "html.after", { rounds, planned });
  byId("event-order").textContent = orderLine(event, found.policy, found.record);
  const listed = `the file lists the tie-breaks ${event.listed}: tb2learn rank takes that order`;
  const notes = [...event.notes, ...event.listed ? [listed] : []];
  byId("event-rescaled").textContent = [null, rounds].includes(DATA.trained) ? ""
    : say("use.rescaled", { name: rule.name, trained: DATA.trained, rounds });
  byId("event-notes").replaceChildren(...notes.map((note) =>
    element("li", {}, element("bdi", { textContent: plain(note) }))));
  byId("notes").hidden = !notes.length;
  const buttons = found.teams.map(() => element("button", { type: "button" }));
  byId("standings").tBodies[0].replaceChildren(...buttons.map((button, k) =>
    standingsRow(found, k, button)));
  const choose = workingPanel(found, buttons);
  buttons.forEach((button, k) => { button.onclick = () => choose(found.teams[k]); });
  byId("close").onclick = () => choose();
  choose();
}

function showRanking() {
  const [picker, policy, status] = ["event-files", "policy", "event-status"].map(byId);
  const asked = ["match-points", "bye-points"].map(byId);
  let [files, event, isChosen] = [null, null, false];

  async function use(given) {
    [files, event] = [null, null];
    await show(async () => {
      files = await Promise.all(given.map(opened));
      event = eventIn(files, readingOf({ matchPoints: asked[0].value, byePoints: asked[1].value }));
      if (!isChosen) policy.value = usualPolicy(event);
    });
  }

  /** The standings of the event under the policy that is chosen, or why there are none. */
  async function show(prepare = () => {}) {
    byId("event-result").hidden = true;
    try {
      await prepare();
      showStandings(ranked(event, policy.value));
      status.textContent = "";
      byId("event-result").hidden = false;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      status.textContent = error.message;
    }
    byId("policy-means").textContent = DATA.policies[policy.value];
  }

  picker.addEventListener("change", () => {
    use([...picker.files]);
    picker.value = ""; // the same file, corrected, may be chosen again
  });
  for (const field of asked) field.addEventListener("change", () => files && use(files));
  policy.addEventListener("change", () => {
    isChosen = true;
    show(() => event ?? refuse(""));
  });
  policy.value = "";
  // Anywhere on the page: outside of the zone the browser would open the files instead.
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length) use([...event.dataTransfer.files]);
  });
  byId("save").addEventListener("click", () => {
    const csv = new Blob([rankingCsv(rank(event, policy.value))], { type: "text/csv" });
    const address = URL.createObjectURL(csv);
    element("a", { href: address, download: "standings.csv" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  });
}

// The arithmetic without the page, for tests and for the browser's console.
globalThis.tb2learn = { workOut, eventIn, readingOf, rank, rankingCsv };

for (const part of [showRanking, showTable, showCalculator]) part();
