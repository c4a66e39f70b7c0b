// Asking the table until it answers, and leaving a page for another one.

import { keep, recall } from "./storage.mjs";

// Ask the table for something that the page shows by itself, again and again until it answers: no reader
// has tapped for it, so no reader would tap again.
const BUSY = [429, 503]; // An answer that only says: later.
const PAUSE_MS = 1_000;

// Return the answer's `ok`, `type` and `text`, or null as soon as it is not wanted any more.
/** @param {string} address */
export async function askUntilAnswered(address, how = {}, isWanted = () => true) {
  while (isWanted()) {
    const told = await ask(address, how);
    if (told) return told;
    await waitAWhile();
  }
  return null;
}

// Return whether the table would answer now.
/** @param {string} address */
async function canReach(address) {
  return (await ask(address, { method: "HEAD", redirect: "manual" })) !== null;
}

function waitAWhile() {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

/** @param {string} address @param {RequestInit} how */
async function ask(address, how) {
  try {
    const answer = await fetch(address, how);
    const { ok, status, type } = answer;
    return BUSY.includes(status) ? null : { ok, type, text: await answer.text() };
  } catch {
    return null;
  }
}

// Leave a page by script: only once the table answers, because a browser that is out of reach shows
// an error page of its own, from which no script leads back; and never while the reader is leaving it,
// for the later of two ways out would end the first.
const LEAVE_MS = 5_000; // A page that is still there after that stays: what was asked for was a file.

let leftAt = -LEAVE_MS;
/** @type {Promise<any> | null} */
let asking = null; // What the table says of this page, as long as it is asked.
window.addEventListener("beforeunload", () => (leftAt = performance.now()));

// Open this address, as soon as the table can be reached.
/** @param {string} address */
export async function openPage(address) {
  while (!(await tryToOpen(address))) await waitAWhile();
}

// Open this address if the table can be reached now; return whether.
/** @param {string} address */
async function tryToOpen(address) {
  if (!(await canReach(address)) || isLeaving()) return false;
  if (address === location.href) location.reload();
  else location.assign(address);
  return true;
}

// The table refused or ended the stream: it may have restarted and forgotten this seat, or the seat
// may be played from another phone now. In both cases the address of the page redirects.
export async function reloadIfRedirected() {
  asking ??= askUntilAnswered(location.href, { method: "HEAD", redirect: "manual" });
  const { type } = await asking;
  asking = null;
  if (type === "opaqueredirect") openPage(location.href);
}

function isLeaving() {
  return performance.now() - leftAt < LEAVE_MS;
}

// Lead the join page to the phone page as soon as the seat it waited for is taken. A page that was
// opened with a seat already, to change the language or the seat, stays.
let waited = false;

/** @param {HTMLElement} live */
export function redirectWhenSeated(live) {
  const paired = live.querySelector("[data-paired]");
  if (waited && paired) openPage(paired.dataset.paired);
  waited = live.querySelector("[data-waiting]") !== null;
}

// Kiosk mode: a screen that was started at /table?kiosk returns to the table after five minutes
// without a touch or a key, whichever page it shows.
const STORAGE_KEY = "companion kiosk"; // Time of the last input; not set on other screens.
const IDLE_MS = 5 * 60_000;
const CHECK_MS = 1_000;

export function returnIdleKiosk() {
  if (new URLSearchParams(location.search).has("kiosk")) recordInput();
  if (!readLastInput()) return;
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, recordInput, true);
  if (location.pathname === "/table") return;
  setInterval(() => Date.now() - readLastInput() >= IDLE_MS && tryToOpen("/table"), CHECK_MS);
}

function recordInput() {
  keep(STORAGE_KEY, String(Date.now()), "sessionStorage");
}

function readLastInput() {
  return Number(recall(STORAGE_KEY, "sessionStorage"));
}
