// This part is the calculator of one team's TB2.

/** A line of the calculator: the fields of round `r` (from 0), its points and a note. */
function teamRow(r) {
  const label = (what) => say("html.in_round", { what, round: r + 1 });
  const text = (what) => element("input", {
    type: "text", inputMode: "decimal", autocomplete: "off", size: 4,
    "aria-label": label(say(what)),
  });
  const row = {
    mp: text("doc.opponent_mp"),
    counted: text("doc.counts_as"),
    gp: element("select", { autocomplete: "off", "aria-label": label(say("doc.gp")) },
      new Option("", ""),
      ...Array.from({ length: 2 * BOARDS + 1 }, (_, half) => new Option(half / 2, half / 2))),
    bye: element("input", {
      type: "checkbox", autocomplete: "off",
      "aria-label": label(say("doc.bye")),
    }),
    value: element("td", { className: "n value" }),
    note: element("td"),
  };
  row.line = element("tr", {},
    element("th", { scope: "row", className: "n", textContent: r + 1 }),
    element("td", { className: "of-mp" }, row.mp),
    element("td", { className: "of-counted" }, row.counted),
    element("td", {}, row.gp),
    element("td", { className: "of-bye" }, row.bye),
    row.value, row.note);
  return row;
}

/** The message of the calculator: the first problem, or the sum and the number of rounds. */
function summary(pass, found, worked, left) {
  if (found.problems.length) {
    const { key, round, low, high } = found.problems[0];
    return say(`html.bad_${key}`, { round: round + 1, low: shown(low), high: shown(high) });
  }
  const progress = found.filled < ROUNDS
    ? [say("html.filled", { filled: found.filled, rounds: ROUNDS })] : [];
  if (!worked || !found.filled) return progress.join(" ");
  const last = pass === PASSES - 1;
  const sum = shown(published(worked.sum));
  const parts = [say(last ? "html.sum" : "html.sum_pass", { pass: pass + 1, sum })];
  if (left >= 0) parts.push(say("html.left_out", { round: left + 1 }));
  return [...parts, ...progress].join(" ");
}

function showCalculator() {
  const own = byId("team-own");
  const pass = byId("team-pass");
  const body = byId("team").tBodies[0];
  const rows = Array.from({ length: ROUNDS }, (_, r) => teamRow(r));
  byId("team").classList.toggle("whole", !DATA.reduced); // byes only matter for what is left out
  body.append(...rows.map((row) => row.line));

  function work() {
    const number = Number(pass.value);
    const typed = rows.map(({ mp, counted, gp, bye }) =>
      ({ mp: mp.value.trim(), counted: counted.value.trim(), gp: gp.value, bye: bye.checked }));
    const found = checked(number, own.value.trim(), typed);
    const present = found.items.flatMap((item, r) => (item ? [r] : []));
    const worked = found.own === null ? null
      : workOut(number, found.own, present.map((r) => found.items[r]));
    const left = worked && worked.left >= 0 ? present[worked.left] : -1;
    rows.forEach((row, r) => {
      const at = worked ? present.indexOf(r) : -1;
      row.value.textContent = at < 0 ? "" : shown(published(worked.values[at]));
      row.note.textContent = r === left ? say("doc.left_out") : "";
      row.line.classList.toggle("out", r === left);
    });
    for (const [input, field, r] of [[own, "own", null],
      ...rows.flatMap((row, k) => [[row.mp, "mp", k], [row.counted, "counted", k]])]) {
      const wrong = found.problems.some((p) => p.key === field && p.round === r);
      input.setAttribute("aria-invalid", String(wrong));
    }
    byId("team-result").textContent = summary(number, found, worked, left);
  }

  function showColumns() {
    const refined = IN_PASSES && Number(pass.value) > 0;
    byId("team").classList.toggle("refined", refined);
    byId("team").classList.toggle("unread", refined && !DATA.reduced);
    work();
  }

  body.addEventListener("input", work);
  body.addEventListener("change", work); // lists: not all browsers fire `input` for them
  own.addEventListener("input", work);
  byId("team-clear").addEventListener("click", () => {
    for (const row of rows) {
      row.mp.value = row.counted.value = row.gp.value = "";
      row.bye.checked = false;
    }
    own.value = "";
    work();
    own.focus();
  });
  choosePass(pass, PASSES, showColumns);
  showColumns();
}

