// Long press on the button of a simulated seat: it calls the judge. The table then holds the button
// down for the two seconds that the real one takes, so 0.7 seconds are enough here; a ring around
// the button shows the progress.

const LONG_PRESS_MS = 700;
let timer = 0;
let sent = false;

export function enableLongPress() {
  document.addEventListener("pointerdown", (event) => event.button === 0 && startPress(event));
  document.addEventListener("keydown", (event) => event.key === " " && !event.repeat && startPress(event));
  for (const end of ["pointerup", "pointercancel", "keyup", "blur"]) window.addEventListener(end, endPress);
  document.addEventListener("click", (event) => sent && event.target.closest("[data-hold]") && suppressClick(event), true);
}

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
function suppressClick(event) {
  sent = false;
  event.preventDefault();
  event.stopPropagation();
}
