// Sealing by pressing for a moment, while a ring fills. Whoever cannot hold, presses twice: by keyboard, by
// a screen reader, where motion is not wanted, and after a tap that was too short.

import { isCalm, vibrate } from "./haptics.mjs";

const HOLD_MS = 700; // As long as the ring of phone.css takes to fill.
const SURE_MS = 350; // A second press that comes sooner is the bounce of the first one.
const ARMED_MS = 8_000;
const FELT = [15, 30, 40];

// Attach to the button of a form that seals; the form is submitted once its owner is sure, or at once if
// there is something wrong to be told.
export function prepareSealButton(form, isWrong) {
  const button = form.querySelector("[data-seals]");
  if (!button) return;
  let holding = 0;
  let armedAt = 0;
  let disarming = 0;
  let isHeld = false; // The click at the end of a long press is no press.

  const arm = (on) => {
    clearTimeout(disarming);
    armedAt = on ? performance.now() : 0;
    button.toggleAttribute("data-armed", on);
    form.querySelector("[data-armed-says]").textContent = on ? form.querySelector("[data-armed-says]").dataset.armedSays : "";
    if (on) disarming = setTimeout(() => arm(false), ARMED_MS);
  };
  const release = () => {
    clearTimeout(holding);
    holding = 0;
    delete button.dataset.holding;
  };

  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || isStill() || button.disabled) return;
    isHeld = false;
    button.dataset.holding = "";
    holding = setTimeout(() => {
      release();
      isHeld = true;
      arm(false);
      vibrate(FELT);
      form.requestSubmit();
    }, HOLD_MS);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(end, release);
  button.addEventListener("contextmenu", (event) => event.preventDefault()); // The menu of a long press.
  button.addEventListener("click", (event) => {
    const isSure = armedAt > 0 && performance.now() - armedAt > SURE_MS;
    if (isSure || isWrong()) return arm(false);
    event.preventDefault();
    if (!armedAt && !isHeld) arm(true);
    isHeld = false;
  });
  form.addEventListener("input", () => arm(false));
}

function isStill() {
  return isCalm() || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
