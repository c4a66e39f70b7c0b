// Vibrating, and whether this device may be heard and felt at all: neither where the table is calm, nor
// where its reader has switched the sound off again.

const STORAGE_KEY = "companion sound";
let chosen = null; // The choice on this page; it is all there is where the browser forbids storage.

export function vibrate(pattern) {
  if (isCalm() || readChoice() === "off") return;
  // Browsers vibrate only after the page was touched, and complain of every other try.
  if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate?.(pattern);
}

export function isSoundOn() {
  return !isCalm() && readChoice() === "on";
}

export function setSound(on) {
  chosen = on ? "on" : "off";
  try {
    localStorage.setItem(STORAGE_KEY, chosen);
  } catch {
    // Without storage it is valid until the page closes.
  }
}

// Set by the host for the whole table, or on the table screen for that.
export function isCalm() {
  return "calm" in document.documentElement.dataset;
}

function readChoice() {
  try {
    return chosen ?? localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}
