// Hints for a first game: a note that is open until the player dismisses it, for this phase or for
// good; after that it is folded to one word that opens it again.
//
// Hints are shown in the first game of a box in this browser only, except at a simulated table
// (data-always), where people learn.

const STORAGE_KEY = "companion hints";
const EMPTY = { never: false, had: [], first: {} };
let shown = null; // The hints that were open last: once their phase is over they count as read.
let memory = EMPTY; // Used until the page closes where the browser forbids storage.

export function enableHints(live) {
  live.addEventListener("click", ({ target }) => {
    const note = target.closest("#hints");
    const dismiss = target.closest("[data-enough]");
    if (note && target.closest("summary")?.parentElement === note) note.open ? dismissPhase(note) : showAgain(note);
    if (!dismiss) return;
    if (dismiss.dataset.enough === "ever") save({ ...load(), never: true });
    else dismissPhase(note);
    note.open = false;
    note.querySelector("summary").focus({ preventScroll: true });
  });
  window.addEventListener("storage", (event) => event.key === STORAGE_KEY && updateHints(live));
}

// Call after every update of the page.
export function updateHints(live) {
  const note = live.querySelector("#hints");
  if (!note) return;
  note.querySelector(".enough").hidden = false;
  if (shown && shown.dataset.hints !== note.dataset.hints) dismissPhase(shown);
  note.open = isWanted(note);
  shown = note.open ? { dataset: { ...note.dataset } } : null;
}

function isWanted({ dataset: { hints, game, always } }) {
  const known = load();
  if (!(boxOf(hints) in known.first)) save({ ...known, first: { ...known.first, [boxOf(hints)]: game } });
  const first = known.first[boxOf(hints)] ?? game;
  return (always !== undefined || first === game) && !known.never && !known.had.includes(hints);
}

function dismissPhase({ dataset: { hints } }) {
  const known = load();
  save({ ...known, had: [...known.had, hints] });
}

function showAgain({ dataset: { hints, game } }) {
  const { had, first } = load();
  const others = had.filter((phase) => phase !== hints);
  save({ never: false, had: others, first: { ...first, [boxOf(hints)]: game } });
}

// data-hints is the box and the phase.
function boxOf(hints) {
  return hints.split(" ")[0];
}

function load() {
  try {
    return { ...memory, ...JSON.parse(localStorage.getItem(STORAGE_KEY)) };
  } catch {
    return memory;
  }
}

function save(known) {
  memory = known;
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(known));
  } catch {
    // It stays in memory until the page closes.
  }
}
