// The sounds, made of a few notes each. This script is loaded once a tap has allowed sound
// (sound_and_vibration.mjs); on the table screen it follows by itself what is told of a verdict.

/** @type {Record<string, [number, number, number, number, number][]>} */
// Notes: seconds until it begins, its pitch at first and at last, its seconds, its loudness.
const SOUNDS = {
  call: [[0, 660, 660, 0.5, 0.3], [0.25, 880, 880, 0.5, 0.3]],
  turn: [[0, 523, 523, 0.3, 0.2], [0.13, 784, 784, 0.3, 0.2]],
  card: [[0, 1500, 420, 0.07, 0.12], [0.05, 900, 260, 0.08, 0.12]],
  coins: [[0, 2093, 2093, 0.14, 0.07], [0.07, 2637, 2637, 0.14, 0.07], [0.14, 3136, 3136, 0.2, 0.07]],
  dry: [[0, 150, 55, 0.28, 0.4]],
  bell: [[0, 660, 660, 1.3, 0.2], [0, 1663, 1663, 0.7, 0.06]],
  fanfare: [[0, 523, 523, 0.2, 0.16], [0.15, 659, 659, 0.2, 0.16], [0.3, 784, 784, 0.2, 0.16], [0.45, 1047, 1047, 0.9, 0.2]],
};
// What comes with a step, by how it moves: the first that is there is heard.
const MOVES = [[".comes-turn", "card"], [".comes-grow", "coins"], [".bad[class*=comes-]", "dry"], ["[class*=comes-]", "card"]];
const QUIETEST = 0.001;

const audio = new AudioContext();
const live = document.getElementById("live");
let seen = readScreen();

for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => audio.resume());
live?.addEventListener("shown", followScreen);
audio.resume();

/** @param {string} name */
export function play(name) {
  audio.resume(); // A phone that slept has stopped it.
  for (const note of SOUNDS[name]) playNote(...note);
}

/** @param {number} wait @param {number} pitch @param {number} last @param {number} seconds @param {number} loud */
function playNote(wait, pitch, last, seconds, loud) {
  const [start, oscillator, gain] = [audio.currentTime + wait, audio.createOscillator(), audio.createGain()];
  oscillator.type = "triangle";
  oscillator.frequency.setValueAtTime(pitch, start);
  oscillator.frequency.exponentialRampToValueAtTime(last, start + seconds);
  gain.gain.setValueAtTime(QUIETEST, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.02);
  gain.gain.exponentialRampToValueAtTime(QUIETEST, start + seconds);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + seconds + 0.02);
}

// The step that was told last on the stage of the table, how many there are, and whether a game is over.
function readScreen() {
  const stage = document.getElementById("stage");
  const { told = 0, steps = 0 } = stage?.dataset ?? {};
  return { stage, told: Number(told), steps: Number(steps), over: document.querySelector(".ending") !== null };
}

function followScreen() {
  const before = seen;
  seen = readScreen();
  if (!document.querySelector("[data-sound][aria-pressed=true]")) return;
  if (seen.over && !before.over) play("fanfare");
  if (!seen.stage || seen.told <= (before.stage ? before.told : 0)) return;
  const found = MOVES.find(([moving]) => seen.stage.querySelector(moving));
  if (found) play(found[1]);
  if (seen.told === seen.steps) play("bell");
}
