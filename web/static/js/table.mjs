// The table screen: its looks, the host's tools, and the size at which a verdict fits beside the board.

import { enablePreferences } from "./preferences.mjs";
import { enableTools } from "./table_tools.mjs";

const SMALLEST_FIT = 6;

const fitted = new WeakMap(); // Paper to its text and its room when it was fitted.
const live = document.getElementById("live");
const observer = new MutationObserver(awaitPaint);
let awaited = 0; // The frame before which papers are fitted, so that it is no part of the task of the news.

enablePreferences();
enableTools();
window.addEventListener("resize", paint);
paint();

// Hide the results that the news changed until they are fitted, or they would be seen to jump.
function awaitPaint(changes) {
  for (const paper of live.querySelectorAll(".story > .paper:not(.running)")) {
    if (changes.some(({ target }) => paper.contains(target) || target.contains(paper))) paper.style.visibility = "hidden";
  }
  awaited ||= requestAnimationFrame(paint);
}

// Fit every paper, with the observer off: these changes are our own.
function paint() {
  awaited = 0;
  observer.disconnect();
  for (const paper of live.querySelectorAll(".story > .paper")) {
    fitText(paper);
    paper.style.removeProperty("visibility");
  }
  observer.observe(live, { subtree: true, childList: true, characterData: true });
}

// Reduce the text size until the paper fits; where even the smallest is too large, the picture of a
// verdict stands alone. One that is fitted already is left alone.
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

// The larger sizes are those with the smaller numbers; each try lays out the page.
function tryTextSizes(paper) {
  const details = paper.querySelector("details");
  details?.setAttribute("open", "");
  if (fits(paper, 0)) return;
  let [size, tooSmall] = [1, SMALLEST_FIT + 1];
  while (size < tooSmall) {
    const between = (size + tooSmall) >> 1;
    if (fits(paper, between)) tooSmall = between;
    else size = between + 1;
  }
  if (size <= SMALLEST_FIT) setSize(paper, size);
  else if (paper.querySelector(".picture")?.checkVisibility()) details?.removeAttribute("open");
}

function fits(paper, size) {
  setSize(paper, size);
  return paper.scrollHeight <= paper.clientHeight + 1;
}

function setSize(paper, size) {
  paper.className = `${paper.className.replace(/ ?fit-\d/, "")}${size ? ` fit-${size}` : ""}`;
}
