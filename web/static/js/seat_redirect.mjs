// Lead the join page to the phone page as soon as the seat it waited for is taken. A page that was
// opened with a seat already, to change the language or the seat, stays.

import { openPage } from "./leaving.mjs";

let waited = false;

// Call after every update of the page.
export function redirectWhenSeated(live) {
  const paired = live.querySelector("[data-paired]");
  if (waited && paired) openPage(paired.dataset.paired);
  waited = live.querySelector("[data-waiting]") !== null;
}
