// The ends of games: what this browser keeps of them is a script of its own (end_of_game.mjs), which is
// loaded when the page shows an end, or lists those that it has kept.

import { loadScript } from "./late_scripts.mjs";
import { randomHex } from "./seal.mjs";
import { sendSigned, signLines } from "./signing.mjs";

// Call when the end may be shown.
export async function showEnds(live) {
  const place = findEnd(live) ?? findList();
  if (!place) return;
  await loadScript(place.dataset.script);
  document.dispatchEvent(new CustomEvent("ends", { detail: { place: findEnd(live), randomHex, sendSigned, signLines } }));
}

function findEnd(live) {
  return live?.querySelector("[data-end]");
}

function findList() {
  return keepsEnds() ? document.getElementById("kept-ends") : null;
}

function keepsEnds() {
  try {
    return localStorage.getItem("companion ends") !== null;
  } catch {
    return false;
  }
}
