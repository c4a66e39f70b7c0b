// What calls a player back to the page: the question in sight, and the button of the seat.

import { retryOpening } from "./sealed_bid.mjs";
import { signal } from "./sound_and_vibration.mjs";

// Bring what is asked of this seat into sight when it changes: on the phone the headline at the top, at the
// simulated table, where the headline stays, the first piece that glows.
//
// Laws: the focus stays where it is. Nothing moves while a key is typed, a text is selected, or a finger
// holds the own secret in view.
/** @type {string | null} */
let before = null; // What was asked at the last update; "" for nothing, null before the first.

/** @param {HTMLElement} live */
export function showWhatIsAsked(live) {
  const ask = live.querySelector("#ask");
  const asked = ask?.closest(".mine") ? ask.querySelector("#status").textContent : "";
  const isNew = before !== null && asked !== before;
  before = asked;
  if (!isNew || isBusy(live)) return;
  if (ask?.closest("#bill")) showGlowing(live);
  else scrollTo({ top: 0, behavior: "instant" });
}

/** @param {HTMLElement} live */
function isBusy(live) {
  return live.querySelector(":focus-visible") || document.body.classList.contains("peeking") || !getSelection().isCollapsed;
}

/** @param {HTMLElement} live */
function showGlowing(live) {
  const piece = live.querySelector(".wanted");
  if (!piece) return;
  const { left, top, width, height } = piece.getBoundingClientRect();
  const seen = document.elementFromPoint(left + width / 2, top + height / 2);
  if (!piece.contains(seen)) piece.scrollIntoView({ block: "center", behavior: "instant" });
}

// Alert on the phone when the button of its seat is pressed: vibrate, sound, highlight the question.
const ALERT_MS = 4_000;
const VIBRATION = [120, 80, 120];
/** @type {string | null} */
let previous = null;
let timer = 0;

// Call after every update of the page. The press that was there when the page loaded is not new.
/** @param {HTMLElement} live */
export function alertOnSeatButton(live) {
  const woken = live.querySelector("[data-woken]")?.dataset.woken;
  if (woken === undefined) return;
  if (previous !== null && woken !== previous) showAlert(live);
  previous = woken;
}

/** @param {HTMLElement} live */
function showAlert(live) {
  const message = document.getElementById("called");
  message.textContent = message.dataset.called;
  document.body.classList.add("woken");
  clearTimeout(timer);
  timer = setTimeout(() => {
    message.textContent = "";
    document.body.classList.remove("woken");
  }, ALERT_MS);
  signal(VIBRATION);
  live.querySelector("#ask").scrollIntoView({ block: "nearest" });
  retryOpening(live);
}
