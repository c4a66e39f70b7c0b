// The table screen: its looks, the host's tools, and the size at which a verdict fits beside the board.

import { enablePreferences } from "./preferences.mjs";
import { enableTools } from "./table_tools.mjs";

const SMALLEST_FIT = 8;

const fitted = new WeakMap(); // Paper to its text and its room when it was fitted.
const live = document.getElementById("live");
const observer = new MutationObserver(paint);

enablePreferences();
enableTools();
window.addEventListener("resize", paint);
paint();

// Fit every paper, with the observer off: these changes are our own.
function paint() {
  observer.disconnect();
  for (const paper of live.querySelectorAll(".story > .paper")) fitText(paper);
  observer.observe(live, { subtree: true, childList: true, characterData: true });
}

// Reduce the text size until the paper fits; where even the smallest is too large, the picture of a
// verdict stands alone. Each try lays out the page, so one that is fitted already is left alone.
function fitText(paper) {
  if (fitted.get(paper) === describeRoom(paper)) return;
  tryTextSizes(paper);
  fitted.set(paper, describeRoom(paper));
}

function describeRoom(paper) {
  const { children, clientHeight, clientWidth } = paper.parentElement;
  const others = [...children].map((one) => (one === paper ? "" : one.offsetHeight));
  return [clientWidth, clientHeight, ...others, paper.className, paper.querySelector("details")?.open, paper.textContent].join(" ");
}

function tryTextSizes(paper) {
  paper.querySelector("details")?.setAttribute("open", "");
  for (let size = 0; size <= SMALLEST_FIT; size += 1) {
    paper.className = `${paper.className.replace(/ ?fit-\d/, "")}${size ? ` fit-${size}` : ""}`;
    if (paper.scrollHeight <= paper.clientHeight + 1) return;
  }
  if (paper.querySelector(".picture")?.checkVisibility()) paper.querySelector("details")?.removeAttribute("open");
}
