// Vibrate, and play a tone if that is switched on, when the phone's own seat has to do something or
// its hand has opened; never for what other seats do.

import { isCalm, isSoundOn, setSound, vibrate } from "./haptics.mjs";

const VIBRATION = [90];
const framed = document.body.classList.contains("framed"); // Beside the simulated table, not held in a hand.
let previous = null;
let audio = null;

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
  if (isSoundOn()) playTone();
}

// Browsers allow sound only after the page was touched, so audio is resumed on every input.
export function enableSoundButton() {
  const button = document.querySelector("[data-sound]");
  if (!button || !window.AudioContext || isCalm()) return;
  button.hidden = false;
  button.setAttribute("aria-pressed", `${isSoundOn()}`);
  button.addEventListener("click", () => {
    setSound(!isSoundOn());
    button.setAttribute("aria-pressed", `${isSoundOn()}`);
    if (isSoundOn()) playTone();
  });
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => isSoundOn() && resumeAudio());
}

function resumeAudio() {
  audio ??= new AudioContext();
  audio.resume();
}

// Two soft notes, a fifth apart.
function playTone() {
  resumeAudio();
  [523, 784].forEach((pitch, n) => {
    const [start, oscillator, gain] = [audio.currentTime + n * 0.13, audio.createOscillator(), audio.createGain()];
    oscillator.frequency.value = pitch;
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(0.2, start + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(start + 0.32);
  });
}
