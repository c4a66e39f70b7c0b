// The table screen: its looks, and the size at which a verdict fits beside the board.

import { enablePreferences } from "./preferences.mjs";

const SMALLEST_FIT = 8;

const live = document.getElementById("live");
const observer = new MutationObserver(paint);

enablePreferences();
window.addEventListener("resize", paint);
paint();

// Fit every paper, with the observer off: these changes are our own.
function paint() {
  observer.disconnect();
  for (const paper of live.querySelectorAll(".story > .paper")) fitText(paper);
  observer.observe(live, { subtree: true, childList: true, characterData: true });
}

// Reduce the text size until the paper fits; where even the smallest is too large, the picture of a
// verdict stands alone.
function fitText(paper) {
  for (let size = 0; size <= SMALLEST_FIT; size += 1) {
    paper.className = `${paper.className.replace(/ ?fit-\d/, "")}${size ? ` fit-${size}` : ""}`;
    if (paper.scrollHeight <= paper.clientHeight + 1) return;
  }
  if (paper.querySelector(".picture")?.checkVisibility()) paper.querySelector("details")?.removeAttribute("open");
}
