// The ends of games: what this browser keeps of them is a script of its own (end_of_game.mjs), which is
// loaded when the page shows an end, or lists those that it has kept.

import { randomHex } from "./seal.mjs";
import { sendSigned, signLines } from "./signing.mjs";

// Call when the end may be shown.
export async function showEnds(live) {
  const end = live?.querySelector("[data-end]");
  const list = document.getElementById("kept-ends");
  if (!end && !(list && keepsEnds())) return;
  const place = end ?? list;
  await import(place.dataset.script);
  document.dispatchEvent(new CustomEvent("ends", { detail: { place: end, randomHex, sendSigned, signLines } }));
}

function keepsEnds() {
  try {
    return localStorage.getItem("companion ends") !== null;
  } catch {
    return false;
  }
}
