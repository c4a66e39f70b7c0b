// What a player hears and feels.

// Vibrating, and whether this device may be heard and felt at all: neither where the table is calm, nor
// where its reader has switched the sound off again.

import { keep, recall } from "./storage.mjs";

const STORAGE_KEY = "companion sound";

/** @param {any} pattern */
export function vibrate(pattern) {
  if (isCalm() || recall(STORAGE_KEY) === "off") return;
  // Browsers vibrate only after the page was touched, and complain of every other try.
  if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate?.(pattern);
}

function isSoundOn() {
  return !isCalm() && recall(STORAGE_KEY) === "on";
}

// Set by the host for the whole table, or on the table screen for that.
export function isCalm() {
  return "calm" in document.documentElement.dataset;
}

// Vibrate, and sound if that is switched on, when the phone's own seat has to do something or its hand
// has opened; never for what other seats do. The table screen sounds while a verdict is told.
//
// The sounds are a script of their own (sounds.mjs), which is loaded once this page was touched: before
// that browsers allow no sound, and whoever wants none need not wait for it.
const VIBRATION = [90];
const framed = document.body.classList.contains("framed"); // Beside the simulated table, not held in a hand.
const button = document.querySelector("[data-sound]");
/** @type {string | null} */
let previous = null;
let touched = false;
/** @type {Promise<typeof import("./sounds.mjs") | undefined> | null} */
let loading = null; // The script of the sounds, once it is asked for.
let tries = 0;

// Call after every update of the page. The signal that was there when the page loaded is not new.
/** @param {HTMLElement} live */
export function signalTurn(live) {
  const current = live.querySelector("[data-signal]")?.dataset.signal ?? "";
  if (previous !== null && current && current !== previous) {
    signal();
    if (framed) live.querySelector("[data-signal]").scrollIntoView({ block: "nearest" });
  }
  previous = current;
}

export function signal(vibration = VIBRATION) {
  vibrate(vibration);
  play("turn");
}

export function enableSoundButton() {
  if (!button || !window.AudioContext) return;
  button.hidden = false;
  button.setAttribute("aria-pressed", String(isSoundOn()));
  button.addEventListener("click", () => {
    keep(STORAGE_KEY, isSoundOn() ? "off" : "on");
    button.setAttribute("aria-pressed", String(isSoundOn()));
    play("turn");
  });
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, touch, { capture: true });
}

function touch() {
  touched = true;
  load();
}

function load() {
  if (touched && button && isSoundOn()) loading ??= import(tries ? `./sounds.mjs?again=${tries}` : "./sounds.mjs").catch(forget);
  return isSoundOn() ? loading : null;
}

// Asked for again at the next touch: the table was out of reach. Some browsers never ask twice for an
// address that failed.
/** @returns {undefined} */
function forget() {
  loading = null;
  tries += 1;
  return undefined;
}

/** @param {string} name */
function play(name) {
  load()?.then((sounds) => isSoundOn() && sounds?.play(name));
}
