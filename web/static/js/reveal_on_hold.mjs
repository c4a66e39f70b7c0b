// Peeking: what is for one seat's eyes shows as long as a thumb, or Space or Enter, is held on it;
// or until it is covered again, for whoever cannot hold. A screen reader, which only clicks, unfolds
// it. When the page is left, it is covered.

const KEYS = [" ", "Enter"];
let stays = false;

export function mindPeeking() {
  document.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && summary(event)) look(true);
  });
  document.addEventListener("contextmenu", (event) => summary(event) && event.preventDefault());
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-stay]")) stay(!stays);
    if (event.target.closest("a[data-pass]")) pass(event);
    if (summary(event) && event.detail > 0) event.preventDefault(); // The thumb has been lifted.
  });
  document.addEventListener("keydown", (event) => {
    if (!KEYS.includes(event.key) || !summary(event)) return;
    event.preventDefault();
    look(true);
  });
  document.addEventListener("keyup", (event) => {
    if (!KEYS.includes(event.key) || !summary(event)) return;
    event.preventDefault();
    cover();
  });
  document.addEventListener("focusout", (event) => summary(event) && cover());
  for (const over of ["pointerup", "pointercancel", "dragend"]) document.addEventListener(over, lifted);
  for (const left of ["blur", "pagehide"]) window.addEventListener(left, () => stay(false));
  document.addEventListener("visibilitychange", () => document.hidden && stay(false));
}

function summary(event) {
  return event.target.closest?.("[data-peek]");
}

let held = false;

function lifted() {
  if (held) cover();
}

function cover() {
  if (!stays) look(false);
}

function look(open) {
  held = open;
  const peek = document.getElementById("peek");
  if (!peek) return;
  peek.open = open;
  document.body.classList.toggle("peeking", open);
}

function stay(on) {
  stays = on;
  look(on);
  heedStay();
}

// Called whenever the page shows something new.
export function heedStay() {
  for (const button of document.querySelectorAll("[data-stay]")) {
    button.hidden = false;
    button.setAttribute("aria-pressed", `${stays}`);
  }
}

// The page of a seat does not stay behind when the phone goes to somebody else.
function pass(event) {
  event.preventDefault();
  location.replace(event.target.closest("a").href);
}
