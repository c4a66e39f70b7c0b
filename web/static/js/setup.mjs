// Set-up wizard: scroll to the top when a new step appears, and keep the keyboard focus useful.
// After a choice from the list of all steps the focus goes to the heading; when the button that was
// used last gets disabled or disappears (such as the last Skip), it goes to the Next button.

import "./main.mjs";

const live = document.getElementById("live");
let step = currentStep();
let usedActionBar = false; // True if the last focus or click was in the bar of buttons at the bottom.

live.addEventListener("shown", () => {
  const used = /** @type {HTMLButtonElement} */ (document.activeElement);
  if (usedActionBar && (used.disabled || used === document.body)) live.querySelector("#next, #begin")?.focus({ preventScroll: true });
  if (currentStep() === step) return;
  step = currentStep();
  scrollTo(0, 0);
  if (document.activeElement.closest(".way")) live.querySelector("h1").focus({ preventScroll: true });
});

document.addEventListener("pointerdown", () => (usedActionBar = false));
live.addEventListener("focusin", ({ target }) => (usedActionBar = Boolean(target.closest(".deeds"))));

function currentStep() {
  return live.querySelector("#ask").dataset.step;
}
