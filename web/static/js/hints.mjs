// Hints for a first game: a note that is open until the player dismisses it, for this phase or for
// good; after that it is folded to one word that opens it again.
//
// Hints are shown in the first game of a box in this browser only, except at a simulated table
// (data-always), where people learn.

import { keep, recall } from "./storage.mjs";

const STORAGE_KEY = "companion hints";
const EMPTY = { never: false, had: /** @type {string[]} */ ([]), first: {} };

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

/** @param {HTMLElement} live */
export function updateHints(live) {
  const note = live.querySelector("#hints");
  if (!note) return;
  note.querySelector(".enough").hidden = false;
  note.open = isWanted(note);
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
  return { ...EMPTY, ...JSON.parse(recall(STORAGE_KEY)) };
}

/** @param {any} known */
function save(known) {
  keep(STORAGE_KEY, JSON.stringify(known));
}
