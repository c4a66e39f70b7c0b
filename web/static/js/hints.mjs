// Hints for a first game: a note that is open until the player dismisses it, for this phase or for
// good, or has had the time to read it; after that it is folded to one word that opens it again.
//
// Hints are shown in the first game of a box in this browser only, except at a simulated table
// (data-always), where people learn.

const STORAGE_KEY = "companion hints";
const READ_MS = 10_000; // A note that was open for so long in all counts as read when its phase is over.
const EMPTY = { never: false, had: /** @type {string[]} */ ([]), first: {} };
/** @type {any} */
let shown = null; // The hints that are open, and since when.
const openFor = new Map(); // Milliseconds for which hints were open, by their name.
let memory = EMPTY; // Used until the page closes where the browser forbids storage.

/** @param {HTMLElement} live */
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
/** @param {HTMLElement} live */
export function updateHints(live) {
  const note = live.querySelector("#hints");
  if (!note) return;
  note.querySelector(".enough").hidden = false;
  if (shown && shown.dataset.hints !== note.dataset.hints) leave(shown);
  note.open = isWanted(note);
  if (!note.open) shown = null;
  else if (shown?.dataset.hints !== note.dataset.hints) shown = { dataset: { ...note.dataset }, since: Date.now() };
}

/** @param {any} given */
function leave({ dataset, since }) {
  const { hints } = dataset;
  openFor.set(hints, (openFor.get(hints) ?? 0) + Date.now() - since);
  if (openFor.get(hints) >= READ_MS) dismissPhase({ dataset });
}

/** @param {any} given */
function isWanted({ dataset: { hints, game, always } }) {
  const known = load();
  if (!(boxOf(hints) in known.first)) save({ ...known, first: { ...known.first, [boxOf(hints)]: game } });
  const first = known.first[boxOf(hints)] ?? game;
  return (always !== undefined || first === game) && !known.never && !known.had.includes(hints);
}

/** @param {any} given */
function dismissPhase({ dataset: { hints } }) {
  const known = load();
  save({ ...known, had: [...known.had, hints] });
}

/** @param {any} given */
function showAgain({ dataset: { hints, game } }) {
  const { had, first } = load();
  const others = had.filter((/** @type {string} */ phase) => phase !== hints);
  save({ never: false, had: others, first: { ...first, [boxOf(hints)]: game } });
}

// data-hints is the box and the phase.
/** @param {any} hints */
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

/** @param {any} known */
function save(known) {
  memory = known;
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(known));
  } catch {
    // It stays in memory until the page closes.
  }
}
