// The ends of games: what this browser keeps of them is a script of its own (end_of_game.mjs), which is
// loaded when the page shows an end, or lists those that it has kept.

import { randomHex } from "./seal.mjs";
import { sendSigned, signLines } from "./signing.mjs";

const PAUSES_MS = [1000, 2000, 4000, 8000, 16000, 32000];

// Call when the end may be shown. A script that cannot be loaded is asked for again, under another
// address, as some browsers never ask twice for one that failed.
export async function showEnds(live, tries = 0) {
  const end = live?.querySelector("[data-end]");
  const list = document.getElementById("kept-ends");
  if (!end && !(list && keepsEnds())) return;
  const place = end ?? list;
  try {
    await import(tries ? `${place.dataset.script}?again=${tries}` : place.dataset.script);
  } catch {
    if (tries < PAUSES_MS.length) setTimeout(() => showEnds(live, tries + 1), PAUSES_MS[tries]);
    return;
  }
  document.dispatchEvent(new CustomEvent("ends", { detail: { place: end, randomHex, sendSigned, signLines } }));
}

function keepsEnds() {
  try {
    return localStorage.getItem("companion ends") !== null;
  } catch {
    return false;
  }
}
