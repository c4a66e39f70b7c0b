// Vibrate, and sound if that is switched on, when the phone's own seat has to do something or its hand
// has opened; never for what other seats do. The table screen sounds while a verdict is told.
//
// The sounds are a script of their own (sounds.mjs), which is loaded once this page was touched: before
// that browsers allow no sound, and whoever wants none need not wait for it.

import { isSoundOn, setSound, vibrate } from "./haptics.mjs";

const VIBRATION = [90];
const framed = document.body.classList.contains("framed"); // Beside the simulated table, not held in a hand.
const button = document.querySelector("[data-sound]");
let previous = null;
let touched = false;
let loading = null; // The script of the sounds, once it is asked for.
let tries = 0;

// Call after every update of the page. The signal that was there when the page loaded is not new.
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
  button.setAttribute("aria-pressed", isSoundOn());
  button.addEventListener("click", () => {
    setSound(!isSoundOn());
    button.setAttribute("aria-pressed", isSoundOn());
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
function forget() {
  loading = null;
  tries += 1;
}

function play(name) {
  load()?.then((sounds) => isSoundOn() && sounds?.play(name));
}
