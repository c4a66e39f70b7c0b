// A number field with a minus and a plus button.

/** @param {Document | HTMLElement} root */
export function enableSteppers(root) {
  for (const button of root.querySelectorAll("[data-add]")) button.hidden = false;
  root.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-add]");
    if (button) stepBy(button.parentElement.querySelector("input"), Number(button.dataset.add));
  });
}

// Add to a number within the limits of its field.
/** @param {HTMLElement} input @param {any} by */
export function stepBy(input, by) {
  const value = (Math.trunc(Number(input.value)) || 0) + by;
  input.value = Math.min(Number(input.max), Math.max(0, value));
}
