// The pages on which something is put right: what happened instead, and what was counted.

import "./main.mjs";
import { enableSteppers } from "./stepper.mjs";

enableSteppers(document);
document.addEventListener("focusin", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field.matches("input[type=number]")) field.select(); // What is typed replaces the number.
});
