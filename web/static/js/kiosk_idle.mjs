// Kiosk mode: a screen that was started at /table?kiosk returns to the table after five minutes
// without a touch or a key, whichever page it shows.

import { tryToOpen } from "./leaving.mjs";

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
  try {
    sessionStorage.setItem(STORAGE_KEY, Date.now());
  } catch {
    // Without storage the screen stays where it is.
  }
}

function readLastInput() {
  try {
    return Number(sessionStorage.getItem(STORAGE_KEY));
  } catch {
    return 0;
  }
}
