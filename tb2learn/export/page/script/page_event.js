// This part shows the standings of an event whose files are dropped on the page.

async function opened(file) {
  if (!(file instanceof File)) return file; // read before, under other options
  const name = plain(file.name);
  // A folder, or a file that was removed, cannot be read.
  const refused = () => refuse("html.unreadable", { file: name });
  return { name, bytes: new Uint8Array(await file.arrayBuffer().catch(refused)) };
}

/** Accept files dropped anywhere: outside of the zone the browser would open them instead. */
function dropAnywhere(use) {
  const mark = (isOver) => byId("zone").classList.toggle("over", isOver);
  for (const type of ["dragover", "drop"]) {
    document.addEventListener(type, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      mark(type === "dragover");
      if (type === "drop") use([...event.dataTransfer.files]);
    });
  }
  document.addEventListener("dragleave", (event) => event.relatedTarget || mark(false));
}

/** How probable it is that a team is better than the next one, if that has as many match points. */
function beforeNext(row, next) {
  if (!next || next.mp !== row.mp || !(row.mp in DATA.confidence)) return "";
  const odds = 10 ** (-(row.tb2 - next.tb2) / DATA.confidence[row.mp]);
  return `${Math.round(100 / (1 + odds))}%`;
}

/** By what an event is ranked. */
function said(rows, { individual }) {
  if (!individual) return say("html.ranked", { teams: rows.length, table: DATA.table });
  const order = Object.keys(rows[0]).slice(2).join(", ");
  return say("html.ranked_players", { players: rows.length, order });
}

/** The notes on an event, its reading and its order. */
const notesOn = (event) => [
  ...event.notes,
  ...event.individual && eventRecord(event).isRoundRobin ? [DATA.players.note] : [],
  ...event.listed ? [`the file lists the tie-breaks ${event.listed}: tb2learn rank takes that order, `
    + "this page has its own"] : [],
];

/** The heads of the standings of players: the criteria as the program calls them. */
function playerHeads(rows) {
  const names = Object.keys(rows[0]).slice(3);
  const texts = ["doc.place", "players.doc.team", "players.doc.mp", ...names].map((key) => say(key));
  return texts.map((textContent, k) =>
    element("th", { scope: "col", textContent, className: k === 1 ? "" : "n" }));
}

function showRanking() {
  const [picker, table, policy] = ["event-files", "standings", "policy"].map(byId);
  const status = byId("event-status");
  const asked = ["match-points", "bye-points", "strict", "trust", "individual"].map(byId);
  const [matchPoints, byePoints, strict, trust, individual] = asked;
  const heads = [...table.tHead.rows[0].cells];
  let [rows, files, event, isChosen] = [[], null, null, false];

  async function use(chosen) {
    [files, event] = [null, null];
    try {
      files = await Promise.all(chosen.map(opened));
      event = await eventOf(files, readingOf({
        matchPoints: matchPoints.value, byePoints: byePoints.value, strict: strict.checked,
        trust: trust.checked, individual: individual.checked,
      }));
    } catch (error) {
      return show(error);
    }
    if (!isChosen) policy.value = usualPolicy(event);
    explain();
    return show();
  }

  const explain = () => { byId("policy-means").textContent = DATA.policies[policy.value]; };

  /** The standings of the event under the policy that is chosen, or why there are none. */
  function show(refused = null) {
    rows = [];
    let message;
    try {
      if (refused) throw refused;
      rows = rank(event, policy.value);
      message = said(rows, event);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      message = error.message;
    }
    status.textContent = message;
    status.classList.toggle("refused", !rows.length);
    byId("event-result").hidden = !rows.length;
    const notes = rows.length ? notesOn(event) : [];
    byId("event-notes").replaceChildren(...notes.map((note) =>
      element("li", {}, element("bdi", { textContent: plain(note) }))));
    byId("notes").hidden = !notes.length;
    table.tHead.rows[0].replaceChildren(...event?.individual && rows.length ? playerHeads(rows) : heads);
    // Names are inserted as text, never as markup, in an element with its own writing direction.
    const sure = (k) =>
      (DATA.confidence && !event.individual ? [beforeNext(rows[k], rows[k + 1])] : []);
    table.tBodies[0].replaceChildren(...rows.map((row, k) => {
      const [place, name, ...scores] = Object.values(row);
      return element("tr", {},
        element("th", { scope: "row", className: "n", textContent: place }),
        element("td", {}, element("bdi", { textContent: plain(name) })),
        ...[...scores, ...sure(k)].map((value) =>
          element("td", { className: "n", textContent: shown(value) })));
    }));
  }

  picker.addEventListener("change", () => {
    use([...picker.files]);
    picker.value = ""; // the same file, corrected, may be chosen again
  });

  for (const field of asked) field.addEventListener("change", () => files && use(files));
  policy.addEventListener("change", () => {
    isChosen = true;
    explain();
    if (event) show();
  });
  explain();
  dropAnywhere(use);
  byId("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(rankingCsv(rows));
      status.textContent = say("html.copied");
    } catch {
      status.textContent = say("html.not_copied");
    }
  });
  byId("save").addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([rankingCsv(rows)], { type: "text/csv" }));
    element("a", { href: address, download: "standings.csv" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  });
}

// The arithmetic without the page, for tests and for the browser's console.
globalThis.tb2learn = { workOut, checked, eventOf, readingOf, rank, rankingCsv, plain };

for (const part of [showCalculator, showTable, showRanking, makeBooklet]) part();
