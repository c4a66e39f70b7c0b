// Show what only one seat may see while a finger, or Space or Enter, is held on it. A button keeps it
// open for people who cannot hold; a screen reader, which only clicks, unfolds it. It is covered when
// the page loses the focus.

const KEYS = [" ", "Enter"];
let staysOpen = false;

export function enableReveal() {
  document.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && findSummary(event)) setOpen(true);
  });
  document.addEventListener("contextmenu", (event) => findSummary(event) && event.preventDefault());
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-stay]")) setStaysOpen(!staysOpen);
    if (event.target.closest("a[data-pass]")) replacePage(event);
    if (findSummary(event) && event.detail > 0) event.preventDefault(); // The end of a hold, not a click.
  });
  document.addEventListener("keydown", (event) => {
    if (!KEYS.includes(event.key) || !findSummary(event)) return;
    event.preventDefault();
    setOpen(true);
  });
  document.addEventListener("keyup", (event) => {
    if (!KEYS.includes(event.key) || !findSummary(event)) return;
    event.preventDefault();
    cover();
  });
  document.addEventListener("focusout", (event) => findSummary(event) && cover());
  for (const end of ["pointerup", "pointercancel", "dragend"]) document.addEventListener(end, endHold);
  for (const left of ["blur", "pagehide"]) window.addEventListener(left, () => setStaysOpen(false));
  document.addEventListener("visibilitychange", () => document.hidden && setStaysOpen(false));
}

/** @param {Event} event */
function findSummary(event) {
  return event.target.closest?.("[data-peek]");
}

let isOpen = false;

function endHold() {
  if (isOpen) cover();
}

function cover() {
  if (!staysOpen) setOpen(false);
}

/** @param {boolean} open */
function setOpen(open) {
  isOpen = open;
  const peek = /** @type {HTMLDetailsElement | null} */ (document.getElementById("peek"));
  if (!peek) return;
  peek.open = open;
  document.body.classList.toggle("peeking", open);
}

/** @param {boolean} on */
function setStaysOpen(on) {
  staysOpen = on;
  setOpen(on);
  updateStayButtons();
}

export function updateStayButtons() {
  for (const button of document.querySelectorAll("[data-stay]")) {
    button.hidden = false;
    button.toggleAttribute("data-on", staysOpen);
  }
}

// When the phone is handed on, Back must not lead to the page of the seat before.
/** @param {Event} event */
function replacePage(event) {
  event.preventDefault();
  location.replace(event.target.closest("a").href);
}
