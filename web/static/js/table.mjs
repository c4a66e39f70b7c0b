// The table screen: its looks, the host's tools, and the size at which a verdict fits beside the board.

import "./main.mjs";
import { enablePreferences, enableTools } from "./table_tools.mjs";
import { isCalm } from "./sound_and_vibration.mjs";

const SMALLEST_FIT = 6;
const MOST_STEPS = 8;

const fitted = new WeakMap(); // Paper to its text and its room when it was fitted.
const trials = new WeakMap(); // Paper that is being fitted to the sizes that are left.
const still = matchMedia("(prefers-reduced-motion: reduce)");
const live = document.getElementById("live");
const observer = new MutationObserver(awaitPaint);
let awaited = 0; // The frame in which papers are fitted next.

enablePreferences();
enableTools();
window.addEventListener("resize", fitAtOnce);
fitAtOnce();

// Fit the papers that the news changed, and hide results until then, or they would be seen to jump.
// Where nothing is to move, they are fitted at once.
/** @param {MutationRecord[]} changes @returns {void} */
function awaitPaint(changes) {
  for (const paper of live.querySelectorAll(".story > .paper")) {
    if (!changes.some(({ target }) => paper.contains(target) || target.contains(paper))) continue;
    trials.delete(paper);
    hide(paper);
    if (!paper.matches(".running")) paper.style.contentVisibility = "hidden";
  }
  if (isCalm() || still.matches) return void fitAtOnce();
  awaited ||= requestAnimationFrame(() => {
    awaited = requestAnimationFrame(paint);
  });
}

// Each step is a frame of its own: what it sets is laid out once, with the frame, and measured by the
// next step.
function paint() {
  awaited = takeStep() ? 0 : requestAnimationFrame(paint);
}

function fitAtOnce() {
  for (let step = 0; step < MOST_STEPS && !takeStep(); step += 1);
}

// Take every paper one step further, with the observer off: these changes are our own. Return whether
// all are fitted.
function takeStep() {
  observer.disconnect();
  const isDone = [...live.querySelectorAll(".story > .paper")].map(fitText).every(Boolean);
  observer.observe(live, { subtree: true, childList: true, characterData: true });
  return isDone;
}

// Find the largest text at which a paper fits, by halves, and show it then; where even the smallest is
// too large, the picture of a verdict stands alone. Return whether it is fitted.
/** @param {HTMLElement} paper */
function fitText(paper) {
  const trial = trials.get(paper);
  paper.style.removeProperty("content-visibility");
  if (!trial) return isFitted(paper) || trySize(paper, { least: 0, most: SMALLEST_FIT + 1 }, 0);
  if (trial.size !== trial.most) {
    if (paper.scrollHeight <= paper.clientHeight + 1) trial.most = trial.size;
    else trial.least = trial.size + 1;
    if (trial.least < trial.most) return trySize(paper, trial, (trial.least + trial.most) >> 1);
    if (trial.size !== trial.most) return trySize(paper, trial, trial.most);
  }
  trials.delete(paper);
  fitted.set(paper, describeRoom(paper));
  return isFitted(paper);
}

/** @param {HTMLElement} paper */
function isFitted(paper) {
  if (fitted.get(paper) !== describeRoom(paper)) return false;
  paper.style.removeProperty("visibility");
  return true;
}

// The larger sizes are those with the smaller numbers; the one after the smallest shows no text.
/** @param {HTMLElement} paper @param {any} trial @param {any} size */
function trySize(paper, trial, size) {
  const isShort = size > SMALLEST_FIT && paper.querySelector(".picture")?.checkVisibility();
  paper.querySelector("details")?.toggleAttribute("open", !isShort);
  paper.dataset.fit = String(Math.min(size, SMALLEST_FIT)); // Not a class: it is to outlast a new state (blocks.mjs).
  trials.set(paper, { ...trial, size });
  hide(paper);
  return false;
}

/** @param {HTMLElement} paper */
function hide(paper) {
  if (!paper.matches(".running")) paper.style.visibility = "hidden";
}

/** @param {HTMLElement} paper */
function describeRoom(paper) {
  const { children, clientHeight, clientWidth } = paper.parentElement;
  const others = [...children].map((one) => (one === paper ? "" : /** @type {HTMLElement} */ (one).offsetHeight));
  return [clientWidth, clientHeight, ...others, paper.className, paper.dataset.fit, paper.querySelector("details")?.open, paper.textContent].join(" ");
}
