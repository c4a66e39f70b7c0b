// Keyboard navigation on the simulated table: arrow keys move the focus from spot to spot, and after
// Enter the focus goes to what comes next: a place for the lifted piece, or the next wanted piece.

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const NEXT_FOCUS = [".welcome .put", ".put", ".wanted [data-piece]", "#wood [data-piece]"]; // The first match is focused.
let focusLost = false;

export function enableKeyboard(live) {
  document.addEventListener("keydown", (event) => DIRECTIONS[event.key] && moveFocus(event));
  document.addEventListener("submit", (event) => {
    focusLost = event.submitter?.matches("#wood :focus-visible") ?? false;
  });
  live.addEventListener("shown", restoreFocus);
}

// Focus the nearest button in this direction; distance across it counts twice.
function moveFocus(event) {
  const current = document.activeElement?.closest("#wood button");
  if (!current) return;
  const from = middleOf(current);
  const [x, y] = DIRECTIONS[event.key];
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
