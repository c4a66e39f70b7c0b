// Hints: a note for whoever plays a box for the first time. It lies open until they have had enough
// of it, in this phase or for good; from then on it is one word that brings it back.
// A second game of the same box is no first one, but at a simulated table, where people learn.

const KEPT = "companion hints";
const NOTHING = { never: false, had: [], first: {} };
let memory = NOTHING; // Where a browser forbids storage, as long as the page lives.

export function offerHints(live) {
  live.addEventListener("click", ({ target }) => {
    const note = target.closest("#hints");
    const enough = target.closest("[data-enough]");
    if (note && target.closest("summary")) note.open ? had(note) : again(note);
    if (!enough) return;
    if (enough.dataset.enough === "ever") keep({ ...recall(), never: true });
    else had(note);
    note.open = false;
    note.querySelector("summary").focus({ preventScroll: true });
  });
  window.addEventListener("storage", (event) => event.key === KEPT && heedHints(live));
}

// Called whenever the page shows something new.
export function heedHints(live) {
  const note = live.querySelector("#hints");
  if (!note) return;
  note.querySelector(".enough").hidden = false;
  note.open = wanted(note);
}

function wanted({ dataset: { hints, game, always } }) {
  const known = recall();
  const first = (known.first[box(hints)] ??= game);
  keep(known);
  return (always !== undefined || first === game) && !known.never && !known.had.includes(hints);
}

function had({ dataset: { hints } }) {
  const known = recall();
  keep({ ...known, had: [...known.had, hints] });
}

function again({ dataset: { hints, game } }) {
  const { had, first } = recall();
  const others = had.filter((one) => one !== hints);
  keep({ never: false, had: others, first: { ...first, [box(hints)]: game } });
}

function box(hints) {
  return hints.split(" ")[0];
}

function recall() {
  try {
    return { ...memory, ...JSON.parse(localStorage.getItem(KEPT)) };
  } catch {
    return memory;
  }
}

function keep(known) {
  memory = known;
  try {
    localStorage.setItem(KEPT, JSON.stringify(known));
  } catch {
    // As long as the page lives.
  }
}
