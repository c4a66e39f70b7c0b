// Entry script of the simulated table: drag and drop, keys, and the long press on the seat's button.
// Without scripts every piece still has its button.

import "./main.mjs";
import { enableDragging } from "./drag_and_drop.mjs";

// Keyboard navigation on the simulated table: the first Tab leads to what glows, arrow keys move the
// focus from spot to spot, and after Enter it goes to what comes next: a place for the lifted piece,
// or the next wanted piece.
/** @type {Record<string, number[]>} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const NEXT_FOCUS = [".welcome .put", ".put", ".wanted [data-piece]", "#wood [data-piece]"]; // The first match is focused.
const GLOWS = ".welcome .put, .wanted [data-piece]";
let focusLost = false;

/** @param {HTMLElement} live */
function enableKeyboard(live) {
  document.addEventListener("keydown", (event) => DIRECTIONS[event.key] && moveFocus(event));
  document.addEventListener("keydown", (event) => event.key === "Tab" && !event.shiftKey && beginAtGlow(event));
  document.addEventListener("submit", (event) => {
    focusLost = event.submitter?.matches("#wood :focus-visible") ?? false;
  });
  live.addEventListener("shown", restoreFocus);
}

// Nothing has the focus yet: give it to the piece that the game expects to move.
/** @param {any} event */
function beginAtGlow(event) {
  if (document.activeElement !== document.body) return;
  const glowing = document.querySelector(GLOWS);
  if (!(glowing instanceof HTMLElement)) return;
  event.preventDefault();
  glowing.focus();
}

// Focus the nearest button in this direction; distance across it counts twice.
/** @param {any} event */
function moveFocus(event) {
  const current = document.activeElement?.closest("#wood button");
  if (!current) return;
  const from = middleOf(current);
  const [x, y] = DIRECTIONS[event.key];
  /** @param {HTMLElement} button */
  const distance = (button) => {
    const to = middleOf(button);
    const along = (to.x - from.x) * x + (to.y - from.y) * y;
    const across = Math.abs((to.x - from.x) * y) + Math.abs((to.y - from.y) * x);
    return along > 4 ? along + 2 * across : Infinity;
  };
  const others = [...document.querySelectorAll("#wood button")].filter((button) => distance(button) < Infinity);
  others.sort((a, b) => distance(a) - distance(b));
  if (!others.length) return;
  event.preventDefault();
  others[0].focus();
}

/** @param {HTMLElement} button */
function middleOf(button) {
  const { left, top, width, height } = button.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

// The update has removed the button that was pressed, and the focus with it.
function restoreFocus() {
  if (!focusLost || document.activeElement !== document.body) return;
  focusLost = false;
  const next = NEXT_FOCUS.map((place) => document.querySelector(place)).find((button) => button);
  next?.focus({ focusVisible: true });
}

// Long press on the button of a simulated seat: it calls the judge. The table then holds the button
// down for the two seconds that the real one takes, so 0.7 seconds are enough here; a ring around
// the button shows the progress.
const LONG_PRESS_MS = 700;
let timer = 0;
let sent = false;

function enableLongPress() {
  document.addEventListener("pointerdown", (event) => event.button === 0 && startPress(event));
  document.addEventListener("keydown", (event) => event.key === " " && !event.repeat && startPress(event));
  for (const end of ["pointerup", "pointercancel", "keyup", "blur"]) window.addEventListener(end, endPress);
  document.addEventListener("click", (event) => sent && event.target.closest("[data-hold]") && suppressClick(event), true);
}

/** @param {any} event */
function startPress(event) {
  const button = event.target.closest?.("[data-hold]");
  if (!button) return;
  sent = false;
  button.dataset.holding = "";
  timer = setTimeout(() => {
    sent = true;
    submitPress(button, "true");
  }, LONG_PRESS_MS);
}

/** @param {HTMLElement} button @param {any} held */
function submitPress(button, held) {
  const field = button.form.elements.namedItem("held");
  field.value = held;
  button.form.requestSubmit(button);
  field.value = "false";
}

function endPress() {
  clearTimeout(timer);
  if (sent) return; // The next state of the table removes the ring.
  for (const button of document.querySelectorAll("[data-holding]")) delete button.dataset.holding;
}

// The click after a long press must not count as a short press as well.
/** @param {any} event */
function suppressClick(event) {
  sent = false;
  event.preventDefault();
  event.stopPropagation();
}

const live = document.getElementById("live");
enableDragging(live);
enableKeyboard(live);
enableLongPress();
