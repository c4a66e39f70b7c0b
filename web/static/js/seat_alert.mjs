// Called: the seat's button asks for a look at the phone. It shakes, flashes and says so.

import { openNow } from "./sealed_bid.mjs";
import { signal } from "./sound_and_vibration.mjs";

const LASTS = 4_000;
const SHAKES = [120, 80, 120];
let before = null;
let ends = 0;

// Called whenever the page shows something new; what was so when the page came is no call.
export function heedButton(live) {
  const woken = live.querySelector("[data-woken]")?.dataset.woken;
  if (woken === undefined) return;
  if (before !== null && woken !== before) call(live);
  before = woken;
}

function call(live) {
  const place = document.getElementById("called");
  place.textContent = place.dataset.called;
  document.body.classList.add("woken");
  clearTimeout(ends);
  ends = setTimeout(() => {
    place.textContent = "";
    document.body.classList.remove("woken");
  }, LASTS);
  signal(SHAKES);
  live.querySelector("#ask").scrollIntoView({ block: "nearest" });
  openNow(live);
}
