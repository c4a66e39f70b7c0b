// Hold: the button of a seat calls the judge when it is held. The simulated one below is then held for
// the two seconds that the real one takes, so nobody waits for these twice; its ring says so meanwhile.

const LONG = 700;
let waiting = 0;
let held = false;

export function mindHolding() {
  document.addEventListener("pointerdown", (event) => event.button === 0 && press(event));
  document.addEventListener("keydown", (event) => event.key === " " && !event.repeat && press(event));
  for (const end of ["pointerup", "pointercancel", "keyup", "blur"]) window.addEventListener(end, release);
  document.addEventListener("click", (event) => held && event.target.closest("[data-hold]") && swallow(event), true);
}

function press(event) {
  const button = event.target.closest?.("[data-hold]");
  if (!button) return;
  held = false;
  button.dataset.holding = "";
  waiting = setTimeout(() => {
    held = true;
    send(button, "true");
  }, LONG);
}

function send(button, word) {
  const field = button.form.elements.namedItem("held");
  field.value = word;
  button.form.requestSubmit(button);
  field.value = "false";
}

function release() {
  clearTimeout(waiting);
  if (held) return; // The next state of the table takes the ring off.
  for (const button of document.querySelectorAll("[data-holding]")) delete button.dataset.holding;
}

function swallow(event) {
  held = false;
  event.preventDefault();
  event.stopPropagation();
}
