// This part is the calculator of one team's TB2.

/** The message of the calculator: the first problem, or the sum and the number of rounds. */
function summary(pass, found, worked) {
  if (found.problems.length) {
    const { key, round, low, high } = found.problems[0];
    return say(`html.bad_${key}`, { round: round + 1, low: shown(low), high: shown(high) });
  }
  const progress = found.filled < ROUNDS
    ? [say("html.filled", { filled: found.filled, rounds: ROUNDS })] : [];
  if (!worked || !found.filled) return progress.join(" ");
  const key = pass === PASSES - 1 ? "html.sum" : "html.sum_pass";
  const parts = [say(key, { pass: pass + 1, sum: shown(published(worked.sum)) })];
  if (worked.left >= 0) parts.push(say("html.left_out", { round: worked.left + 1 }));
  return [...parts, ...progress].join(" ");
}

function showCalculator() {
  const [own, pass, team] = ["team-own", "team-pass", "team"].map(byId);
  const body = team.tBodies[0];
  const rows = [...body.rows].map((line) => {
    const [mp, counted, gp, bye] = line.querySelectorAll("input, select");
    const [value, note] = [...line.cells].slice(-2);
    return { line, mp, counted, gp, bye, value, note };
  });

  function work() {
    const number = Number(pass.value);
    const typed = rows.map(({ mp, counted, gp, bye }) =>
      ({ mp: mp.value.trim(), counted: counted.value.trim(), gp: gp.value, bye: bye.checked }));
    const found = checked(number, own.value.trim(), typed);
    const worked = found.own === null ? null : workOut(number, found.own, found.items);
    const mark = (input, key, round) => {
      input.ariaInvalid = String(found.problems.some((p) => p.key === key && p.round === round));
    };
    rows.forEach((row, r) => {
      const isOut = r === worked?.left;
      row.value.textContent = worked && found.items[r] ? shown(published(worked.values[r])) : "";
      row.note.textContent = isOut ? say("doc.left_out") : "";
      row.line.classList.toggle("out", isOut);
      for (const key of ["mp", "counted"]) mark(row[key], key, r);
    });
    mark(own, "own", null);
    byId("team-result").textContent = summary(number, found, worked);
  }

  function showColumns() {
    const refined = IN_PASSES && Number(pass.value) > 0;
    team.classList.toggle("refined", refined);
    team.classList.toggle("unread", refined);
    work();
  }

  for (const part of [own, body]) part.addEventListener("input", work);
  body.addEventListener("change", work); // lists: not all browsers fire `input` for them
  byId("team-clear").addEventListener("click", () => {
    for (const row of rows) {
      row.mp.value = row.counted.value = row.gp.value = "";
      row.bye.checked = false;
    }
    own.value = "";
    work();
    own.focus();
  });
  pass.addEventListener("change", showColumns);
  showColumns();
}

