// The pages on which something is put right: what happened instead, and what was counted.

import "./main.mjs";
import { enableSteppers } from "./stepper.mjs";

enableSteppers(document);
document.addEventListener("focusin", ({ target }) => {
  if (target.matches("input[type=number]")) target.select(); // What is typed replaces the number.
});
