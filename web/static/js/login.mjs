// The page on which a phone becomes the host's. The word of a pass is in the fragment of the address:
// it is taken out, and its answer is offered to be sent. Opening the page alone changes nothing.

import "./main.mjs";
import { openPage } from "./leaving.mjs";
import { answerWord } from "./signing.mjs";

const LOOK_MS = 2_000;
const ASKED_MS = 120_000; // As long as the table remembers who asked.
const pass = /** @type {HTMLFormElement} */ (document.getElementById("pass"));
const asked = document.getElementById("asked");

function takeWord() {
  const word = decodeURIComponent(location.hash.slice(1));
  if (!word) return;
  history.replaceState(null, "", location.pathname); // Neither the history nor a shared link keeps it.
  /** @type {HTMLInputElement} */ (pass.elements.namedItem("answer")).value = answerWord(word);
  pass.hidden = false;
  document.getElementById("ways").hidden = true;
  pass.querySelector("button").focus();
}

// Look until this phone is the host's, or what it asked is forgotten.
/** @param {number} until */
async function look(until) {
  if (await isHosts()) return openPage("/host");
  asked.hidden = performance.now() > until;
  if (!asked.hidden) setTimeout(look, LOOK_MS, until);
}

async function isHosts() {
  try {
    return (await fetch("/host", { redirect: "manual" })).ok;
  } catch {
    return false; // The table is out of reach for a moment.
  }
}

takeWord();
addEventListener("hashchange", takeWord);
document.getElementById("ask")?.addEventListener("granted", () => look(performance.now() + ASKED_MS));
