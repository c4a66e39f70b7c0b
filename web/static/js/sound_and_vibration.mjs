// Signals: the phone shakes, and sounds if somebody asked for that, when its own seat is asked or its
// hand has opened; never for what others do.

const KEPT = "companion sound";
const SHAKE = [90];
const beside = document.body.classList.contains("framed"); // There it is looked at, but not held.
let before = null;
let sound = null;

// Called whenever the page shows something new; what was so when the page came is no news.
export function heedTurn(live) {
  const now = live.querySelector("[data-signal]")?.dataset.signal ?? "";
  if (before !== null && now && now !== before) {
    signal();
    if (beside) live.querySelector("[data-signal]").scrollIntoView({ block: "nearest" });
  }
  before = now;
}

export function signal(shakes = SHAKE) {
  navigator.vibrate?.(shakes);
  if (wanted()) tone();
}

// Browsers let a page sound only after it was touched.
export function offerSound() {
  const button = document.querySelector("[data-sound]");
  if (!button || !window.AudioContext) return;
  button.hidden = false;
  button.setAttribute("aria-pressed", `${wanted()}`);
  button.addEventListener("click", () => {
    want(!wanted());
    button.setAttribute("aria-pressed", `${wanted()}`);
    if (wanted()) tone();
  });
  for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, () => wanted() && wake());
}

let asked = null; // Where a browser forbids storage, as long as the page lives.

function wanted() {
  try {
    return asked ?? localStorage.getItem(KEPT) === "on";
  } catch {
    return false;
  }
}

function want(on) {
  asked = on;
  try {
    localStorage.setItem(KEPT, on ? "on" : "off");
  } catch {
    // As long as the page lives.
  }
}

function wake() {
  sound ??= new AudioContext();
  sound.resume();
}

// Two soft notes, a fifth apart.
function tone() {
  wake();
  [523, 784].forEach((pitch, n) => {
    const [at, voice, loud] = [sound.currentTime + n * 0.13, sound.createOscillator(), sound.createGain()];
    voice.frequency.value = pitch;
    loud.gain.setValueAtTime(0, at);
    loud.gain.linearRampToValueAtTime(0.2, at + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.001, at + 0.3);
    voice.connect(loud).connect(sound.destination);
    voice.start(at);
    voice.stop(at + 0.32);
  });
}
