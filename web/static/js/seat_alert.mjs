// Alert on the phone when the button of its seat is pressed: vibrate, sound, highlight the question.

import { retryOpening } from "./sealed_bid.mjs";
import { signal } from "./sound_and_vibration.mjs";

const ALERT_MS = 4_000;
const VIBRATION = [120, 80, 120];
let previous = null;
let timer = 0;

// Call after every update of the page. The press that was there when the page loaded is not new.
export function alertOnSeatButton(live) {
  const woken = live.querySelector("[data-woken]")?.dataset.woken;
  if (woken === undefined) return;
  if (previous !== null && woken !== previous) showAlert(live);
  previous = woken;
}

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
